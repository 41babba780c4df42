//! Mutants of the conditions that bound variables range over. What a quantifier or comprehension enumerates is derived from some of them
//! (reference manual, section 9.31.4), so that a mutant of one of those has other loops ([`super::bounds`]).

use super::exprs::{self, Names};
use super::{Mutation, MutationKind};
use crate::ir::{Expr, ExprKind, Op, Program, Var};

/// The conditions of a quantifier or comprehension, by their way from it.
#[derive(Default)]
pub(super) struct Parts<'e> {
    /// Those that say what a variable ranges over.
    ranges: Vec<(Vec<usize>, &'e Expr)>,
    /// All other parts.
    pub(super) others: Vec<(Vec<usize>, &'e Expr)>,
}

/// The parts of an expression that binds variables and enumerates them, and the variables; `None`: it is no such expression.
pub(super) fn parts(e: &Expr) -> Option<(Parts<'_>, &[Var])> {
    let q = e.quantified()?;
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
    /// Takes a conjunction apart, where some of its conjuncts are ranges.
    fn conjuncts(&mut self, path: Vec<usize>, e: &'e Expr, vars: &[Var]) {
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

/// Whether a condition is of a form from which it is derived what a variable ranges over.
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

/// Mutants of the ranges of a quantifier or comprehension: by one more or less. Others are no program that is compiled, or another one
/// altogether. The loops do not fit the changed condition yet.
pub(super) fn rewrites(
    program: &Program,
    names: &Names<'_>,
    parts: &Parts<'_>,
) -> Vec<(Vec<usize>, Expr, Mutation)> {
    let mut found = Vec::new();
    for (path, range) in &parts.ranges {
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
            for (kind, how, text) in exprs::others(program, names, part) {
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
