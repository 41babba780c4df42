//! Walking over typed trees to change them in place.

use super::walk::walks;
use super::{
    ArrayInit, AssignOrFail, Block, Call, Clause, Domain, Expr, ExprCase, ExprKind, Frame, Guard,
    GuardedCase, Lambda, LetOrFail, LoopSpec, OnFailure, Pattern, PatternKind, Quantified, Rhs,
    Stmt, StmtCase, StmtKind, Target, Type, VarBound,
};

/// What is done at each node; the defaults only go on.
pub trait Rewrite: AsRewrite {
    /// A type.
    fn ty(&mut self, _ty: &mut Type) {}
    /// An expression; an override calls [`walk_expr`] where it wants to go on.
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self.as_rewrite(), e);
    }
    /// A statement.
    fn stmt(&mut self, s: &mut Stmt) {
        walk_stmt(self.as_rewrite(), s);
    }
    /// A block.
    fn block(&mut self, b: &mut Block) {
        walk_block(self.as_rewrite(), b);
    }
    /// The contract of a loop.
    fn loop_spec(&mut self, s: &mut LoopSpec) {
        walk_loop_spec(self.as_rewrite(), s);
    }
    /// A clause of a loop, a `forall` statement or a lambda expression.
    fn clause(&mut self, c: &mut Clause) {
        walk_clause(self.as_rewrite(), c);
    }
    /// An object of a frame.
    fn frame(&mut self, f: &mut Frame) {
        walk_frame(self.as_rewrite(), f);
    }
    /// A call.
    fn call(&mut self, c: &mut Call) {
        walk_call(self.as_rewrite(), c);
    }
    /// A pattern.
    fn pattern(&mut self, p: &mut Pattern) {
        walk_pattern(self.as_rewrite(), p);
    }
    /// Bound variables: their range, then the bounds that were found in it.
    fn quantified(&mut self, q: &mut Quantified) {
        walk_quantified(self.as_rewrite(), q);
        walk_bounds(self.as_rewrite(), q);
    }
}

/// Every rewriter as one type: the walk is compiled once, not once for each of them.
pub trait AsRewrite {
    /// The rewriter itself.
    fn as_rewrite(&mut self) -> &mut dyn Rewrite;
}

impl<R: Rewrite> AsRewrite for R {
    fn as_rewrite(&mut self) -> &mut dyn Rewrite {
        self
    }
}

walks!(Rewrite, [&mut] mut);
