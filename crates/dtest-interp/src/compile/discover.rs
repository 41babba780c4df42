//! Discovery of domains for quantifiers that Dafny's bound discovery leaves open.
//!
//! The interpreter's values are finite, and a specification may be evaluated even if it could not
//! be compiled: `x in m` of an imap bounds `x`, and so does `exists i :: 0 <= i < |s| && s[i] ==
//! x`; `A <==> B` is bounded if each side is.

use super::loops::is_finite;
use dtest_ir::{Coll, Domain, Expr, ExprKind, Num, Op, Quantified, Var};

/// The domain of a variable.
#[derive(Clone, Copy)]
pub(super) enum Over<'p> {
    /// A domain of the IR.
    Domain(&'p Domain),
    /// The elements of a collection.
    Elements(&'p Expr),
    /// One value.
    Exact(&'p Expr),
    /// A range of integers.
    Ints {
        low: &'p Expr,
        /// Whether `low` is exclusive.
        above: bool,
        high: &'p Expr,
        /// Whether `high` is inclusive.
        with: bool,
    },
    /// The values of a term for all values of other variables.
    Image(&'p Quantified, &'p Expr),
    /// Samples of the type.
    Probe,
}

/// Finds domains for all variables from conditions that candidates must satisfy, in the nesting
/// order of the loops. `None` if some variable has no domain.
pub(super) fn discover<'p>(vars: &[Var], conditions: &[&'p Expr]) -> Option<Vec<(Var, Over<'p>)>> {
    let mut open = vars.to_vec();
    let mut found = Vec::new();
    while !open.is_empty() {
        let next = open
            .iter()
            .find_map(|v| domain_of(*v, &open, conditions).map(|over| (*v, over)))?;
        open.retain(|v| *v != next.0);
        found.push(next);
    }
    Some(found)
}

fn domain_of<'p>(v: Var, open: &[Var], conditions: &[&'p Expr]) -> Option<Over<'p>> {
    let is_v = |e: &Expr| matches!(e.kind, ExprKind::Var(w) if w == v);
    let known = |e: &Expr| !e.mentions(open);
    let (mut low, mut high) = (None, None);
    let mut elements = None;
    // Each condition may restrict the variable. An equation fixes its value, so it decides at once.
    for condition in conditions {
        if let ExprKind::Op(op, args) = &condition.kind {
            let [a, b] = args.as_slice() else { continue };
            if matches!(op, Op::Eq) && is_v(a) && known(b) {
                return Some(Over::Exact(b));
            } else if matches!(op, Op::Eq) && is_v(b) && known(a) {
                return Some(Over::Exact(a));
            } else if matches!(
                op,
                Op::In(Coll::Seq | Coll::Set | Coll::Multiset | Coll::Map)
            ) && is_v(a)
                && known(b)
            {
                // The first collection found is kept; any one suffices, since the range is checked
                // for each candidate.
                elements.get_or_insert(Over::Elements(b));
            // Bounds are collected separately, because both are needed for a finite range.
            } else if matches!(op, Op::Lt(Num::Int) | Op::Le(Num::Int)) {
                let strict = matches!(op, Op::Lt(_));
                if is_v(b) && known(a) {
                    low.get_or_insert((a, strict));
                } else if is_v(a) && known(b) {
                    high.get_or_insert((b, !strict));
                }
            }
        // `exists vars :: v == term` restricts `v` to the values of the term.
        } else if let ExprKind::Quantifier {
            forall: false,
            vars,
            body,
        } = &condition.kind
            && is_finite(vars)
            && let Some(term) = term_equal_to(v, vars, body).filter(|t| known(t))
        {
            elements.get_or_insert(Over::Image(vars, term));
        }
    }
    // A collection is preferred to an interval: it usually has fewer elements.
    match (elements, low, high) {
        (Some(over), _, _) => Some(over),
        (None, Some((low, above)), Some((high, with))) => Some(Over::Ints {
            low,
            above,
            high,
            with,
        }),
        (None, _, _) => None,
    }
}

/// Returns a term that a condition of the quantifier equates with `v`.
fn term_equal_to<'p>(v: Var, q: &'p Quantified, body: &'p Expr) -> Option<&'p Expr> {
    let is_v = |e: &Expr| matches!(e.kind, ExprKind::Var(w) if w == v);
    // The equation may stand in the range or in the body.
    let mut work: Vec<&Expr> = q.range.as_deref().into_iter().chain([body]).collect();
    while let Some(e) = work.pop() {
        if let ExprKind::And(a, b) = &e.kind {
            work.extend([&**a, &**b]);
        } else if let ExprKind::Op(Op::Eq, args) = &e.kind {
            match args.as_slice() {
                [a, b] if is_v(a) => return Some(b),
                [a, b] if is_v(b) => return Some(a),
                _others => {}
            }
        }
    }
    None
}
