//! Bounds of quantifiers that the interpreter evaluates although the language does not.
//!
//! To enumerate the values of a quantifier's variables, the interpreter evaluates their bounds
//! first. In `forall i :: a != null && 0 <= i < a.Length ==> …`, that fails if `a` is null,
//! although the program does not fail. [`shaded`] returns the locations of such bounds.

use dafny_resolve::typed::visit::{Visit, walk_callable, walk_expr};
use dafny_resolve::typed::{BinaryOp, Expr, ExprKind, LocalId, Program};
use dafny_source::Span;
use dtest_sorted::SortedSet;

/// Locations in ranges of quantifiers that follow a condition without the quantified variables.
pub(super) fn shaded(program: &Program) -> SortedSet<Span> {
    let mut shade = Shade(SortedSet::new());
    program
        .callables
        .iter()
        .for_each(|c| walk_callable(&mut shade, c));
    shade.0
}

struct Shade(SortedSet<Span>);

impl<'p> Visit<'p> for Shade {
    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Quantifier { forall, vars, body } = &e.kind {
            // Conjuncts of the range and of the guard are evaluated from left to right.
            let mut conjuncts = Vec::new();
            vars.range
                .iter()
                .for_each(|r| split(r, BinaryOp::And, &mut conjuncts));
            match (&body.kind, *forall) {
                (ExprKind::Binary(BinaryOp::Implies, premise, _), true) => {
                    split(premise, BinaryOp::And, &mut conjuncts)
                }
                (_, true) => {}
                (_, false) => split(body, BinaryOp::And, &mut conjuncts),
            }
            self.look(&conjuncts, &vars.vars);
        } else if let ExprKind::SetComp { vars, .. } | ExprKind::MapComp { vars, .. } = &e.kind {
            let mut conjuncts = Vec::new();
            vars.range
                .iter()
                .for_each(|r| split(r, BinaryOp::And, &mut conjuncts));
            self.look(&conjuncts, &vars.vars);
        }
        walk_expr(self, e);
    }
}

impl Shade {
    fn look(&mut self, conjuncts: &[&Expr], vars: &[LocalId]) {
        // A conjunct without the variables guards all conjuncts after it.
        let mut guarded = false;
        for conjunct in conjuncts {
            if guarded {
                Parts(&mut self.0).expr(conjunct);
            }
            let mut mentions = Mentions(vars, false);
            mentions.expr(conjunct);
            guarded |= !mentions.1;
        }
    }
}

/// Collects the locations of an expression and its parts.
struct Parts<'s>(&'s mut SortedSet<Span>);

impl<'p> Visit<'p> for Parts<'_> {
    fn expr(&mut self, e: &'p Expr) {
        self.0.insert(e.span);
        walk_expr(self, e);
    }
}

/// Whether an expression mentions one of the variables.
struct Mentions<'v>(&'v [LocalId], bool);

impl<'p> Visit<'p> for Mentions<'_> {
    fn expr(&mut self, e: &'p Expr) {
        self.1 |= matches!(&e.kind, ExprKind::Local(local) if self.0.contains(local));
        walk_expr(self, e);
    }
}

/// The operands of an associative operator, from left to right.
fn split<'p>(e: &'p Expr, by: BinaryOp, out: &mut Vec<&'p Expr>) {
    if let ExprKind::Binary(op, a, b) = &e.kind
        && *op == by
    {
        split(a, by, out);
        split(b, by, out);
    } else {
        out.push(e)
    }
}
