//! Mutants of the ranges of bound variables. The loops of a quantifier or comprehension are derived
//! from some of its conditions (reference manual, section 9.31.4), so that a mutant of one of them
//! has other loops ([`super::bounds`]).
//!
//! [`parts`] separates ranges from other conditions, [`rewrites`] makes the mutants of ranges.

use super::exprs::{self, Names};
use super::{Mutation, MutationKind, replacements};
use dtest_ir::{Expr, ExprKind, Op, Program, Var};

/// The conditions of a quantifier or comprehension, with their paths from it.
#[derive(Default)]
pub(super) struct Parts<'e> {
    /// Conditions that determine the candidates of a variable.
    ranges: Vec<(Vec<usize>, &'e Expr)>,
    /// All other parts.
    pub(super) others: Vec<(Vec<usize>, &'e Expr)>,
}

/// The parts of a quantifier or comprehension that is enumerated, and its variables. `None` for
/// other expressions.
pub(super) fn parts(e: &Expr) -> Option<(Parts<'_>, &[Var])> {
    let q = e.quantified()?;
    // An `exists` has its range in the body as a conjunct, a `forall` as a guard.
    let guards = if let ExprKind::Quantifier { forall, .. } = &e.kind {
        Some(*forall)
    } else {
        None
    };
    let mut parts = Parts::default();
    let operands = q.operands().count();
    for (i, child) in e
        .children()
        .into_iter()
        .enumerate()
        .skip(operands - usize::from(q.range.is_some()))
    {
        let path = vec![i];
        // The range and the body of an `exists` are conjunctions. Only the guard of a `forall`
        // restricts the candidates.
        match (i < operands, guards, &child.kind) {
            (true, ..) | (false, Some(false), _) => parts.conjuncts(path, child, &q.vars),
            (false, Some(true), ExprKind::Implies(guard, body)) => {
                let mut ranges = Parts::default();
                ranges.conjuncts(vec![i, 0], guard, &q.vars);
                if ranges.ranges.is_empty() {
                    parts.others.push((path, child));
                } else {
                    parts.ranges.append(&mut ranges.ranges);
                    parts.others.append(&mut ranges.others);
                    parts.others.push((vec![i, 1], body));
                }
            }
            (false, ..) => parts.others.push((path, child)),
        }
    }
    Some((parts, &q.vars))
}

impl<'e> Parts<'e> {
    /// Splits a conjunction into conjuncts if some of them are ranges.
    fn conjuncts(&mut self, path: Vec<usize>, e: &'e Expr, vars: &[Var]) {
        // Conjuncts in the order of the source.
        let mut found = Parts::default();
        let mut work = vec![(path.clone(), e)];
        while let Some((path, e)) = work.pop() {
            if let ExprKind::And(a, b) = &e.kind {
                let below = |i: usize| path.iter().copied().chain([i]).collect();
                work.extend([(below(1), &**b), (below(0), &**a)]);
            } else if is_range(e, vars) {
                found.ranges.push((path, e));
            } else {
                found.others.push((path, e));
            }
        }
        if found.ranges.is_empty() {
            self.others.push((path, e));
        } else {
            self.ranges.append(&mut found.ranges);
            self.others.append(&mut found.others);
        }
    }
}

/// Whether a condition has a form from which the candidates of a variable can be derived.
fn is_range(e: &Expr, vars: &[Var]) -> bool {
    let is_bound = |e: &Expr| matches!(e.kind, ExprKind::Var(v) if vars.contains(&v));
    let ExprKind::Op(op, args) = &e.kind else {
        return false;
    };
    matches!(
        op,
        Op::Lt(_) | Op::Le(_) | Op::Eq | Op::In(_) | Op::Subset(_) | Op::SubsetEq(_)
    ) && args.iter().any(is_bound)
}

/// Mutants of the ranges of a quantifier or comprehension: only those that include one element more
/// or less. Other changes are not compiled, or give an unrelated program. The loops are not adapted
/// to the changed condition here.
pub(super) fn rewrites(
    program: &Program,
    names: &Names<'_>,
    parts: &Parts<'_>,
) -> Vec<(Vec<usize>, Expr, Mutation)> {
    let mut found = Vec::new();
    for (path, range) in &parts.ranges {
        // Only order comparisons have neighbours that include one element more or less.
        let is_order = matches!(range.kind, ExprKind::Op(Op::Lt(_) | Op::Le(_), _));
        if !is_order || exprs::is_made(range) {
            continue;
        }
        let operands = range
            .children()
            .into_iter()
            .enumerate()
            .map(|(i, c)| (Some(i), c));
        for (child, part) in [(None, *range)].into_iter().chain(operands) {
            for (kind, how, text) in replacements::others(program, names, part) {
                // The operator changes at the top, and constants within the operands.
                let is_near = match (child, how) {
                    (None, MutationKind::Operator) => !matches!(kind, ExprKind::Op(Op::Eq, _)),
                    (Some(_), MutationKind::Constant) => true,
                    (_, _) => false,
                };
                if is_near {
                    let instead = Expr {
                        kind,
                        ty: part.ty.clone(),
                        span: part.span,
                    };
                    let mutation = Mutation::new(part.span, how, text);
                    found.push((
                        path.iter().copied().chain(child).collect(),
                        instead,
                        mutation,
                    ));
                }
            }
        }
    }
    found
}
