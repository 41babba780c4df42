//! A pass that puts the proofs within expressions where they are executed.
//!
//! `assert P by { … }`, a call of a lemma or a calculation may stand before any expression
//! (reference manual, "Statements in an expression"). Where the expression is evaluated as a whole,
//! in conditions, under binders and in older states, only `P` matters for its value. Dafny's
//! verifier checks the proof as well. This pass adds code that follows the evaluation: a branch for
//! each condition, a `forall` statement for each binder, and the proofs between them. Calls and
//! failures outside of proofs belong to the evaluation itself and are left to it.
//!
//! [`Evaluation::add`] builds the code; [`Placing`] finds the places.

use crate::{Desugaring, initial};
use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    ArrayInit, BinaryOp, Block, Body, Clause, Control, Expr, ExprKind, Guard, Name, Pattern,
    PatternKind, Quantified, Rhs, Span, Stmt, StmtCase, StmtKind, Target, Type, TypeDeclKind,
    UnaryOp,
};

/// The maximum nesting of proofs in conditions of proofs that are followed. The code for one proof
/// repeats those inside, so that its size doubles with each level.
const MAX_DEPTH: u32 = 4;

impl Desugaring {
    /// Adds the proofs within conditions, under binders and in older states to the bodies of all
    /// callables and iterators.
    #[must_use]
    pub(crate) fn with_proofs_in_place(mut self) -> Self {
        let mut placing = Placing { depth: 0 };
        for c in &mut self.callables {
            match &mut c.body {
                Body::None => {}
                Body::Expr(e) => placing.expr(e),
                Body::Block(b) => placing.block(b),
                Body::ByMethod(e, b) => {
                    placing.expr(e);
                    placing.block(b);
                }
            }
        }
        for t in &mut self.types {
            if let TypeDeclKind::Iterator(parts) = &mut t.kind {
                parts.body.iter_mut().for_each(|b| placing.block(b));
            }
        }
        self
    }
}

/// The search for places where proofs are not executed.
struct Placing {
    /// The number of proofs around.
    depth: u32,
}

impl Placing {
    /// Returns the proofs of a whole condition, themselves in place.
    fn evaluated(&mut self, e: &Expr) -> Vec<Stmt> {
        self.placed(e.span, |evaluation| evaluation.add(e))
    }

    fn placed(&mut self, span: Span, build: impl FnOnce(&mut Evaluation)) -> Vec<Stmt> {
        if self.depth == MAX_DEPTH {
            return Vec::new();
        }
        let mut evaluation = Evaluation::default();
        build(&mut evaluation);
        let mut block = block(evaluation.stmts, span);
        self.depth += 1;
        self.block(&mut block);
        self.depth -= 1;
        block.stmts
    }

    /// Returns the proofs that precede a statement.
    fn before(&mut self, s: &Stmt) -> Vec<Stmt> {
        match &s.kind {
            StmtKind::Assert { cond, .. } | StmtKind::Assume(cond) => self.evaluated(cond),
            // The message is evaluated if the expectation fails.
            StmtKind::Expect {
                cond,
                message: Some(message),
            } => self.placed(s.span, |evaluation| {
                evaluation.if_value(cond, false, |evaluation| evaluation.add(message));
            }),
            StmtKind::Calc { steps, .. } => steps.iter().flat_map(|e| self.evaluated(e)).collect(),
            StmtKind::SuchThat { vars, .. } => {
                self.placed(s.span, |evaluation| evaluation.range(vars))
            }
            StmtKind::Forall { vars, ensures, .. } => self.placed(s.span, |evaluation| {
                evaluation.for_all(vars, |evaluation| {
                    ensures.iter().for_each(|c| evaluation.add(&c.cond));
                });
            }),
            StmtKind::While { spec, .. } | StmtKind::WhileCase { spec, .. } => {
                self.invariants(&spec.invariants)
            }
            StmtKind::Assign { pairs, .. } => {
                let mut proofs = Vec::new();
                for (_, rhs) in pairs {
                    if let Rhs::NewArray {
                        init: ArrayInit::Function(f),
                        ..
                    } = rhs
                    {
                        proofs.extend(self.evaluated(f));
                    }
                }
                proofs
            }
            StmtKind::Expect { message: None, .. }
            | StmtKind::Block(_)
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::For { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Error => Vec::new(),
        }
    }

    fn invariants(&mut self, invariants: &[Clause]) -> Vec<Stmt> {
        let all = invariants.iter();
        all.flat_map(|c| self.evaluated(&c.cond)).collect()
    }

    /// Adds the proofs before a statement that is no part of a block.
    fn precede(&mut self, s: &mut Stmt) {
        let mut proofs = self.before(s);
        if !proofs.is_empty() {
            let span = s.span;
            proofs.push(s.clone());
            *s = stmt(StmtKind::Block(block(proofs, span)), span);
        }
    }

    /// Adds the proofs in the invariants of a loop to the beginning of its body, where its index
    /// has a value.
    fn in_iteration(&mut self, invariants: &[Clause], body: Option<&mut Block>) {
        let proofs = self.invariants(invariants);
        if let Some(body) = body {
            body.stmts.splice(0..0, proofs);
        }
    }
}

impl Rewrite for Placing {
    fn block(&mut self, b: &mut Block) {
        let division = b.divided_at;
        let mut stmts = Vec::with_capacity(b.stmts.len());
        for (at, mut s) in std::mem::take(&mut b.stmts).into_iter().enumerate() {
            let before = self.before(&s);
            self.stmt(&mut s);
            // Proofs before `new;` stay there.
            if let Some(divided_at) = b.divided_at.as_mut().filter(|_| division > Some(at)) {
                *divided_at += before.len();
            }
            stmts.extend(before);
            stmts.push(s);
        }
        b.stmts = stmts;
    }

    fn stmt(&mut self, s: &mut Stmt) {
        // The proofs of a function of initial elements precede the statement.
        let kept: Vec<ExprKind> = initial_functions(s)
            .into_iter()
            .map(|f| std::mem::replace(&mut f.kind, ExprKind::Error))
            .collect();
        rewrite::walk_stmt(self, s);
        for (f, kind) in initial_functions(s).into_iter().zip(kept) {
            f.kind = kind;
        }
        match &mut s.kind {
            StmtKind::While { spec, body, .. } | StmtKind::For { spec, body, .. } => {
                self.in_iteration(&spec.invariants, body.as_mut());
            }
            StmtKind::WhileCase { spec, cases } => {
                for case in cases {
                    self.in_iteration(&spec.invariants, Some(&mut case.body));
                }
            }
            StmtKind::If { els: Some(els), .. } => self.precede(els),
            StmtKind::If { els: None, .. }
            | StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::IfCase(_)
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        if !is_evaluated_as_a_whole(e) {
            rewrite::walk_expr(self, e);
            if let ExprKind::StmtExpr { stmt, .. } = &mut e.kind {
                self.precede(stmt);
            }
            return;
        }
        let proofs = self.evaluated(e);
        if proofs.is_empty() {
            return;
        }
        let (span, ty) = (e.span, e.ty.clone());
        let whole = std::mem::replace(&mut e.kind, ExprKind::Error);
        e.kind = ExprKind::StmtExpr {
            stmt: Box::new(stmt(StmtKind::Block(block(proofs, span)), span)),
            body: Box::new(Expr {
                kind: whole,
                ty,
                span,
            }),
        };
    }
}

/// Whether parts of an expression are evaluated for several values of variables, later, or in an
/// older state.
fn is_evaluated_as_a_whole(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Quantifier { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::SeqConstruct { .. }
            | ExprKind::Lambda(_)
            | ExprKind::Old { .. }
    )
}

/// The functions of the initial elements of new arrays.
fn initial_functions(s: &mut Stmt) -> Vec<&mut Expr> {
    let StmtKind::Assign { pairs, .. } = &mut s.kind else {
        return Vec::new();
    };
    let mut functions = Vec::new();
    for (_, rhs) in pairs {
        if let Rhs::NewArray {
            init: ArrayInit::Function(f),
            ..
        } = rhs
        {
            functions.push(f);
        }
    }
    functions
}

/// The statements that follow the evaluation of an expression and execute its proofs.
#[derive(Default)]
struct Evaluation {
    stmts: Vec<Stmt>,
}

impl Evaluation {
    /// Adds the proofs of an expression, in the order of its evaluation.
    fn add(&mut self, e: &Expr) {
        if !has_proofs(e) {
            return;
        }
        if let ExprKind::Quantifier { vars, body, .. } = &e.kind {
            self.binder(vars, &[body]);
        } else if let ExprKind::SetComp { vars, term } = &e.kind {
            self.binder(vars, &[term]);
        } else if let ExprKind::MapComp { vars, key, value } = &e.kind {
            self.binder(vars, &[key, value]);
        } else if let ExprKind::Lambda(lambda) = &e.kind {
            let requires = lambda.requires.iter().map(|c| c.cond.clone());
            let vars = Quantified {
                vars: lambda.params.clone(),
                range: requires.reduce(and).map(Box::new),
                bounds: None,
                span: e.span,
            };
            self.binder(&vars, &[&lambda.body]);
        } else if let ExprKind::Old { label, expr } = &e.kind {
            let mut inner = Self::default();
            inner.add(expr);
            let mut block = block(inner.stmts, e.span);
            InOld { label }.block(&mut block);
            self.stmts.extend(block.stmts);
        } else {
            self.once(e);
        }
    }

    /// Adds the proofs of an expression whose parts are evaluated once, in the current state.
    fn once(&mut self, e: &Expr) {
        match e.control() {
            Control::ShortCircuit { op, left, right } => {
                self.add(left);
                let value = op.goes_on_with();
                self.if_value(left, value, |inner| inner.add(right));
            }
            Control::If { cond, then, els } => {
                self.add(cond);
                self.if_value(cond, true, |inner| inner.add(then));
                self.if_value(cond, false, |inner| inner.add(els));
            }
            Control::IfBinding { vars, then, els } => {
                self.binder(vars, &[then]);
                self.add(els);
            }
            Control::Match { scrutinee, cases } => {
                self.add(scrutinee);
                let cases = cases.iter().map(|case| {
                    let mut inner = Self::default();
                    inner.add(&case.body);
                    StmtCase {
                        pattern: case.pattern.clone(),
                        body: block(inner.stmts, case.body.span),
                        span: case.span,
                    }
                });
                let kind = StmtKind::Match {
                    scrutinee: scrutinee.clone(),
                    cases: cases.collect(),
                };
                self.stmts.push(stmt(kind, e.span));
            }
            Control::Let { bindings, body, .. } => {
                for (pattern, value) in bindings {
                    self.add(value);
                    self.bind(pattern, value);
                }
                self.add(body);
            }
            Control::LetSuchThat { vars, body, .. } => {
                self.binder(vars, &[body]);
            }
            Control::StmtExpr { stmt, body } => {
                self.stmts.push(stmt.clone());
                self.add(body);
            }
            Control::Not(_)
            | Control::LetOrFail(_)
            | Control::Chain { .. }
            | Control::Delayed(_)
            | Control::Strict => {
                let mut parts = Parts(Vec::new());
                visit::walk_expr(&mut parts, e);
                parts.0.into_iter().for_each(|part| self.add(part));
            }
        }
    }

    /// Adds proofs for the case that a condition has a value.
    fn if_value(&mut self, cond: &Expr, value: bool, proofs: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        proofs(&mut inner);
        if inner.stmts.is_empty() {
            return;
        }
        let span = cond.span;
        let guard = if value {
            cond.clone()
        } else {
            not(cond.clone())
        };
        let kind = StmtKind::If {
            guard: Guard::Expr(guard),
            then: block(inner.stmts, span),
            els: None,
        };
        self.stmts.push(stmt(kind, span));
    }

    /// Adds the proofs in the range of bound variables, and in parts for values within the range.
    fn binder(&mut self, vars: &Quantified, parts: &[&Expr]) {
        self.range(vars);
        self.for_all(vars, |inner| parts.iter().for_each(|part| inner.add(part)));
    }

    /// Adds proofs for all values of bound variables.
    fn for_all(&mut self, vars: &Quantified, proofs: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        proofs(&mut inner);
        if inner.stmts.is_empty() {
            return;
        }
        let kind = StmtKind::Forall {
            vars: vars.clone(),
            ensures: Vec::new(),
            body: Some(block(inner.stmts, vars.span)),
        };
        self.stmts.push(stmt(kind, vars.span));
    }

    /// Adds the proofs in the range of bound variables, which are about all values.
    fn range(&mut self, vars: &Quantified) {
        if let Some(range) = &vars.range {
            let all = Quantified {
                range: None,
                bounds: None,
                ..vars.clone()
            };
            self.for_all(&all, |inner| inner.add(range));
        }
    }

    /// Declares the variables of a binding.
    fn bind(&mut self, pattern: &Pattern, value: &Expr) {
        let bound = match &pattern.kind {
            PatternKind::Var(local) => initial::assign(*local, value.clone()),
            PatternKind::Wildcard => return,
            PatternKind::Ctor { .. }
            | PatternKind::Tuple(_)
            | PatternKind::Or(_)
            | PatternKind::Value(_) => {
                let kind = StmtKind::AssignPattern {
                    pattern: pattern.clone(),
                    value: value.clone(),
                };
                stmt(kind, value.span)
            }
        };
        self.stmts.push(bound);
    }
}

/// Whether the evaluation of an expression skips proofs inside of it.
fn has_proofs(e: &Expr) -> bool {
    struct Proofs(bool);
    impl<'t> Visit<'t> for Proofs {
        fn expr(&mut self, e: &'t Expr) {
            if let ExprKind::StmtExpr { stmt, .. } = &e.kind {
                self.0 |= is_proof(&stmt.kind);
            }
            if !self.0 {
                visit::walk_expr(self, e);
            }
        }
    }
    let mut proofs = Proofs(false);
    proofs.expr(e);
    proofs.0
}

/// Whether a statement before an expression has parts that the value of the expression does not
/// depend on.
fn is_proof(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Assert { by, .. } => by.is_some(),
        StmtKind::Calc { hints, .. } => hints.iter().any(|hint| !hint.stmts.is_empty()),
        // The evaluation checks the preconditions of calls.
        StmtKind::Assume(_)
        | StmtKind::Call { .. }
        | StmtKind::Expect { .. }
        | StmtKind::Reveal(_)
        | StmtKind::Error => false,
        StmtKind::Block(_)
        | StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Assign { .. }
        | StmtKind::AssignPattern { .. }
        | StmtKind::SuchThat { .. }
        | StmtKind::AssignOrFail(_)
        | StmtKind::If { .. }
        | StmtKind::IfCase(_)
        | StmtKind::While { .. }
        | StmtKind::WhileCase { .. }
        | StmtKind::For { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Match { .. }
        | StmtKind::Break { .. }
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Modify { .. } => true,
    }
}

/// The direct parts of an expression.
struct Parts<'t>(Vec<&'t Expr>);

impl<'t> Visit<'t> for Parts<'t> {
    fn expr(&mut self, e: &'t Expr) {
        self.0.push(e);
    }
}

/// Evaluates the expressions of statements in an older state.
struct InOld<'l> {
    label: &'l Option<Name>,
}

impl Rewrite for InOld<'_> {
    fn expr(&mut self, e: &mut Expr) {
        let (ty, span) = (e.ty.clone(), e.span);
        let inner = std::mem::replace(&mut e.kind, ExprKind::Error);
        e.kind = ExprKind::Old {
            label: self.label.clone(),
            expr: Box::new(Expr {
                kind: inner,
                ty,
                span,
            }),
        };
    }

    /// A call becomes part of an expression, which has a state.
    fn stmt(&mut self, s: &mut Stmt) {
        if let StmtKind::Call { .. } = &s.kind {
            let mut called = Expr {
                kind: ExprKind::StmtExpr {
                    stmt: Box::new(s.clone()),
                    body: Box::new(initial::boolean(true, s.span)),
                },
                ty: Type::Bool,
                span: s.span,
            };
            self.expr(&mut called);
            s.kind = StmtKind::Assign {
                declares: Vec::new(),
                pairs: vec![(Target::Discard(Type::Bool), Rhs::Expr(called))],
            };
        } else {
            rewrite::walk_stmt(self, s);
        }
    }
}

fn block(stmts: Vec<Stmt>, span: Span) -> Block {
    Block {
        stmts,
        divided_at: None,
        division: None,
        span,
    }
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        labels: Vec::new(),
        ghost: true,
        span,
    }
}

fn not(e: Expr) -> Expr {
    let span = e.span;
    Expr {
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(e)),
        ty: Type::Bool,
        span,
    }
}

fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    Expr {
        kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
        ty: Type::Bool,
        span,
    }
}
