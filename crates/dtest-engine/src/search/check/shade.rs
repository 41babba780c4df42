//! Bounds of quantifiers that are evaluated where the language evaluates nothing.
//!
//! To go through the values of a quantifier's variables, the interpreter evaluates their bounds first. Of
//! `forall i :: a != null && 0 <= i < a.Length ==> …` that fails where `a` is null, and yet the program does not.

use dafny_resolve::typed::visit::{Visit, walk_callable, walk_expr};
use dafny_resolve::typed::{BinaryOp, Expr, ExprKind, LocalId, Program};
use dafny_syntax::source::Span;
use dtest_sorted::SortedSet;

/// Places in ranges of quantifiers before which a condition stands that speaks of none of the variables.
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

/// Collects the places of all parts.
struct Parts<'s>(&'s mut SortedSet<Span>);

impl<'p> Visit<'p> for Parts<'_> {
    fn expr(&mut self, e: &'p Expr) {
        self.0.insert(e.span);
        walk_expr(self, e);
    }
}

/// Whether one of some variables is mentioned.
struct Mentions<'v>(&'v [LocalId], bool);

impl<'p> Visit<'p> for Mentions<'_> {
    fn expr(&mut self, e: &'p Expr) {
        self.1 |= matches!(&e.kind, ExprKind::Local(local) if self.0.contains(local));
        walk_expr(self, e);
    }
}

/// The operands of an associative operator.
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
