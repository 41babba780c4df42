//! Visitors of typed expressions and statements.

use rustc_hash::FxHashSet;

use dafny_resolve::typed::visit::{
    Visit, walk_bounds, walk_expr, walk_frame, walk_quantified, walk_stmt,
};
use dafny_resolve::typed::{
    Block, Clause, Expr, ExprKind, Frame, LocalId, LoopSpec, OnFailure, Quantified, Stmt, StmtKind,
    Target,
};

/// Calls a function for every expression that is evaluated at run time, outer before inner.
struct Evaluated<'f, 'a>(&'f mut dyn FnMut(&'a Expr));

impl<'a> Visit<'a> for Evaluated<'_, 'a> {
    fn expr(&mut self, e: &'a Expr) {
        (self.0)(e);
        if let ExprKind::Unchanged { frame, .. } = &e.kind {
            frame.iter().for_each(|f| walk_frame(self, f))
        } else {
            walk_expr(self, e)
        }
    }

    fn stmt(&mut self, s: &'a Stmt) {
        if !s.ghost
            && !matches!(
                s.kind,
                StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Calc { .. }
            )
        {
            walk_stmt(self, s);
        }
    }

    fn quantified(&mut self, q: &'a Quantified) {
        walk_quantified(self, q);
        walk_bounds(self, q);
    }

    // Specifications are executed separately.
    fn loop_spec(&mut self, _: &'a LoopSpec) {}
    fn clause(&mut self, _: &'a Clause) {}
    fn frame(&mut self, _: &'a Frame) {}
}

/// Calls `f` for the expression and its parts, outer before inner. Ghost statements in expressions
/// are skipped.
pub(crate) fn each_expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    Evaluated(f).expr(e);
}

/// Calls `f` for every expression that the statement evaluates at run time.
pub(super) fn each_expr_of_stmt<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    Evaluated(f).stmt(s);
}

/// Calls `f` for the statement and every compiled statement in it.
pub(super) fn each_stmt<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Stmt)) {
    if s.ghost {
        return;
    }
    f(s);
    s.kind.inner().into_iter().for_each(|s| each_stmt(s, f));
}

/// Returns the variables that the compiled part of a block assigns after their declaration, once
/// per assignment.
pub(super) fn assigned(block: &Block) -> Vec<LocalId> {
    let mut found = Vec::new();
    for s in &block.stmts {
        each_stmt(s, &mut |s| {
            if let StmtKind::AssignOrFail(a) = &s.kind
                && let OnFailure::Propagate { out, .. } = &a.on_failure
            {
                found.push(*out);
            }
            let declared = s.kind.declares();
            found.extend(s.kind.targets().into_iter().filter_map(|t| match t {
                Target::Local(l) => Some(*l).filter(|l| !declared.contains(l)),
                Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => None,
            }));
        });
    }
    found
}

/// Returns the variables that an expression mentions, in order of first mention, and whether it
/// mentions `this`.
pub(crate) fn mentioned(e: &Expr) -> (Vec<LocalId>, bool) {
    let (mut seen, mut order, mut this) = (FxHashSet::default(), Vec::new(), false);
    each_expr(e, &mut |e| {
        if let ExprKind::Local(l) = &e.kind {
            if seen.insert(*l) {
                order.push(*l);
            }
        } else if matches!(e.kind, ExprKind::This) {
            this = true;
        }
    });
    (order, this)
}
