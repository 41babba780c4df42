//! Read-only traversal of typed trees.

use super::walk::walks;
pub use super::walk::{RED_ZONE, STACK};
use super::{
    ArrayInit, AssignOrFail, Block, Body, Call, Callable, Clause, Domain, Expr, ExprCase, ExprKind,
    Frame, Guard, GuardedCase, Lambda, LetOrFail, LoopSpec, OnFailure, Pattern, PatternKind,
    Quantified, Rhs, Spec, Stmt, StmtCase, StmtKind, Target, Type, VarBound,
};

/// A visitor with one method for each kind of node. The default methods only traverse the children.
pub trait Visit<'t>: AsVisit<'t> {
    /// Visits a type.
    fn ty(&mut self, _ty: &'t Type) {}
    /// Visits an expression. An override calls [`walk_expr`] to traverse the children.
    fn expr(&mut self, e: &'t Expr) {
        walk_expr(self.as_visit(), e);
    }
    /// Visits a statement.
    fn stmt(&mut self, s: &'t Stmt) {
        walk_stmt(self.as_visit(), s);
    }
    /// Visits a block.
    fn block(&mut self, b: &'t Block) {
        walk_block(self.as_visit(), b);
    }
    /// Visits the contract of a loop.
    fn loop_spec(&mut self, s: &'t LoopSpec) {
        walk_loop_spec(self.as_visit(), s);
    }
    /// Visits a clause of a loop, a `forall` statement or a lambda expression.
    fn clause(&mut self, c: &'t Clause) {
        walk_clause(self.as_visit(), c);
    }
    /// Visits an object of a frame.
    fn frame(&mut self, f: &'t Frame) {
        walk_frame(self.as_visit(), f);
    }
    /// Visits a call.
    fn call(&mut self, c: &'t Call) {
        walk_call(self.as_visit(), c);
    }
    /// Visits a pattern.
    fn pattern(&mut self, p: &'t Pattern) {
        walk_pattern(self.as_visit(), p);
    }
    /// Visits bound variables. The default traverses the range, which contains the bounds.
    fn quantified(&mut self, q: &'t Quantified) {
        walk_quantified(self.as_visit(), q);
    }
}

/// Conversion to a trait object: the traversal is compiled once and not once for each visitor.
pub trait AsVisit<'t> {
    /// Returns the visitor as a trait object.
    fn as_visit(&mut self) -> &mut dyn Visit<'t>;
}

impl<'t, V: Visit<'t>> AsVisit<'t> for V {
    fn as_visit(&mut self) -> &mut dyn Visit<'t> {
        self
    }
}

walks!(Visit<'t>, [&'t]);

/// Traverses the contract of a function or method, then its body.
pub fn walk_callable<'t>(v: &mut dyn Visit<'t>, c: &'t Callable) {
    let Spec {
        requires,
        ensures,
        reads,
        modifies,
        decreases,
        decreases_star: _,
    } = &c.spec;
    walk_clauses(v, requires);
    walk_clauses(v, ensures);
    walk_frames(v, reads);
    walk_frames(v, modifies);
    exprs(v, decreases);
    walk_body(v, &c.body);
}

/// Traverses the expression and the statements of a body.
pub fn walk_body<'t>(v: &mut dyn Visit<'t>, body: &'t Body) {
    match body {
        Body::None => {}
        Body::Expr(e) => v.expr(e),
        Body::Block(b) => v.block(b),
        Body::ByMethod(e, b) => {
            v.expr(e);
            v.block(b);
        }
    }
}

/// The statements of a body that have an effect when executed, including nested ones.
pub fn effective_statements(body: &Body) -> Vec<&Stmt> {
    struct Statements<'t>(Vec<&'t Stmt>);
    impl<'t> Visit<'t> for Statements<'t> {
        fn stmt(&mut self, s: &'t Stmt) {
            if s.ghost {
                return;
            }
            match &s.kind {
                StmtKind::Block(_)
                | StmtKind::VarDecl(_)
                | StmtKind::Break { .. }
                | StmtKind::Forall { .. }
                | StmtKind::Reveal(_)
                | StmtKind::Calc { .. }
                | StmtKind::Assert { .. }
                | StmtKind::Error => {}
                StmtKind::Assume(_)
                | StmtKind::Expect { .. }
                | StmtKind::Print(_)
                | StmtKind::Assign { .. }
                | StmtKind::AssignPattern { .. }
                | StmtKind::Call { .. }
                | StmtKind::SuchThat { .. }
                | StmtKind::AssignOrFail(_)
                | StmtKind::If { .. }
                | StmtKind::IfCase(_)
                | StmtKind::While { .. }
                | StmtKind::WhileCase { .. }
                | StmtKind::For { .. }
                | StmtKind::Match { .. }
                | StmtKind::Return
                | StmtKind::Yield
                | StmtKind::Modify { .. } => self.0.push(s),
            }
            walk_stmt(self, s);
        }
    }
    let mut statements = Statements(Vec::new());
    match body {
        Body::None => {}
        Body::Expr(e) => statements.expr(e),
        Body::Block(b) | Body::ByMethod(_, b) => statements.block(b),
    }
    statements.0
}
