//! Errors that need two things at once: an element that occurs again where a sequence is cut, a call
//! that makes a difference in one case of a later decision only, and two sides of an equality that
//! differ by one.
//!
//! A test that shows that a call matters, and another one that takes a branch, say nothing of a
//! call whose result matters in that branch. The hints of this module are mutants under a condition
//! of the same callable (higher-order mutants with two places; Jia and Harman, *Higher Order Mutation
//! Testing*, 2009). Inputs that show them combine what smaller tests have one by one.

use super::exprs::{is_written, only, operand, text};
use super::types::unconstrained;
use super::{Finder, Piece, Place, clones};
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;
use dtest_ir::build::{and, choose, int, is_literal, not, op};
use dtest_ir::{BlockId, Coll, Expr, ExprKind, Num, Op, Program, Terminator, Var};
use dtest_sorted::SortedSet;

/// Maximum number of calls under a condition per callable.
const MAX_CONDITIONAL: usize = 4;

/// An expression instead of another one, and its text.
type Instead = (Expr, Vec<Piece>);

impl<'p> Finder<'p> {
    /// Adds the hints in the order of the code.
    pub(super) fn combined(&mut self, lambdas: &[u32]) {
        let program = self.program;
        let conditions = self.fixed_conditions();
        let mut conditional = 0;
        for (place, root, whole) in self.compiled_roots(lambdas) {
            let mut found: Vec<(Vec<usize>, Instead, Span)> = Vec::new();
            clones::parts(program, whole, &mut |path, e| {
                let mut others = cut_at_repeated(e);
                others.extend(off_by_one(program, e));
                // The parameters of the callable have no values in a lambda that is called later.
                if !matches!(place, Place::Lambda(_)) && conditional < MAX_CONDITIONAL {
                    let skipped = skipped_in_a_case(e, &conditions);
                    conditional += skipped.len();
                    others.extend(skipped);
                }
                found.extend(others.into_iter().map(|o| (path.to_vec(), o, e.span)));
            });
            for (path, (instead, text), span) in found {
                self.meaning((place, root, whole), path, instead, (span, text));
            }
        }
    }

    /// The conditions of branches that have the same value everywhere in an execution, because they
    /// depend on parameters only.
    fn fixed_conditions(&self) -> Vec<&'p Expr> {
        let assigned: SortedSet<Var> = self
            .procedure
            .blocks
            .iter()
            .flat_map(|b| &b.stmts)
            .flat_map(|s| s.assigned())
            .collect();
        let fixed: SortedSet<Var> = self
            .procedure
            .params
            .iter()
            .copied()
            .filter(|p| !assigned.contains(p))
            .collect();
        let mut found: Vec<&Expr> = Vec::new();
        for block in &self.procedure.blocks {
            if let Terminator::Branch { cond, then, els } = &block.terminator
                && [then, els].into_iter().any(|id| self.is_decided(*id))
                && is_written(cond)
                && super::slips::is_of(cond, &fixed)
                && found.iter().all(|c| c.span != cond.span)
            {
                found.push(cond);
            }
        }
        found
    }

    fn is_decided(&self, id: BlockId) -> bool {
        self.procedure
            .block(id)
            .is_some_and(super::hints::is_branch)
    }
}

/// `s[k + 1..]` that is right only if the element at `k` occurs nowhere before, or nowhere behind.
fn cut_at_repeated(e: &Expr) -> Vec<Instead> {
    let ExprKind::Op(Op::Slice, args) = &e.kind else {
        return Vec::new();
    };
    let [s, low, high] = args.as_slice() else {
        return Vec::new();
    };
    let ExprKind::Op(Op::Add(Num::Int), sum) = &low.kind else {
        return Vec::new();
    };
    let [k, one] = sum.as_slice() else {
        return Vec::new();
    };
    let is_one = matches!(&one.kind, ExprKind::Literal(Literal::Int(n)) if *n == 1.into());
    let (Type::Seq(elem), true) = (&s.ty, is_written(e) && is_one && !is_literal(k)) else {
        return Vec::new();
    };
    let span = e.span;
    let zero = int(0, Type::Int, span);
    let is_place = op(
        Op::Le(Num::Int),
        vec![zero.clone(), k.clone()],
        Type::Bool,
        span,
    );
    let at = op(
        Op::Select(Coll::Seq),
        vec![s.clone(), k.clone()],
        (**elem).clone(),
        span,
    );
    let part = |from: &Expr, to: &Expr| {
        let args = vec![s.clone(), from.clone(), to.clone()];
        op(Op::Slice, args, s.ty.clone(), span)
    };
    let wrong = |part: Expr, shown: &str| {
        let again = op(Op::In(Coll::Seq), vec![at.clone(), part], Type::Bool, span);
        let repeated = and(is_place.clone(), again);
        let instead = choose(repeated, s.clone(), e.clone(), e.ty.clone(), span);
        (instead, vec![only(e), text(shown)])
    };
    vec![
        wrong(part(&zero, k), " for the first such element"),
        wrong(part(low, high), " for the last such element"),
    ]
}

/// A call that is replaced by an argument of its type, in one case of a condition.
fn skipped_in_a_case(e: &Expr, conditions: &[&Expr]) -> Vec<Instead> {
    let ExprKind::Call { args, .. } = &e.kind else {
        return Vec::new();
    };
    let Some(arg) = args.iter().find(|a| a.ty == e.ty && is_written(a)) else {
        return Vec::new();
    };
    if !is_written(e) {
        return Vec::new();
    }
    let in_case = |cond: &Expr, value: bool| {
        let met = if value {
            cond.clone()
        } else {
            not(cond.clone())
        };
        let instead = choose(met, arg.clone(), e.clone(), e.ty.clone(), e.span);
        let case = if value { " where " } else { " unless " };
        (instead, vec![only(arg), text(case), only(cond)])
    };
    conditions
        .iter()
        .filter(|c| !e.span.contains_span(c.span))
        .flat_map(|c| [in_case(c, true), in_case(c, false)])
        .collect()
}

/// `a + 1 == b` for `a == b`: a limit that is met one step too early.
fn off_by_one(program: &Program, e: &Expr) -> Option<Instead> {
    let ExprKind::Op(Op::Eq, args) = &e.kind else {
        return None;
    };
    let [a, b] = args.as_slice() else {
        return None;
    };
    let is_int = |x: &Expr| unconstrained(&program.typed, &x.ty) == Type::Int;
    // With a literal, another literal is a mutant.
    if !is_written(e) || [a, b].into_iter().any(|x| is_literal(x) || !is_int(x)) {
        return None;
    }
    let next = op(
        Op::Add(Num::Int),
        vec![a.clone(), int(1, Type::Int, e.span)],
        Type::Int,
        e.span,
    );
    let instead = op(Op::Eq, vec![next, b.clone()], Type::Bool, e.span);
    Some((instead, vec![operand(a), text(" + 1 == "), operand(b)]))
}

#[cfg(test)]
mod tests {
    use crate::testing::hints;

    fn assert_hints(source: &str, expected: &[&str]) {
        let all = hints(source);
        for text in expected {
            assert!(all.iter().any(|h| h.contains(text)), "{text}: {all:#?}");
        }
    }

    #[test]
    fn sequences_are_cut_at_elements_that_occur_again() {
        let source = "function Without(s: seq<int>, k: nat): seq<int> requires k < |s| { s[..k] + s[k + 1..] }";
        assert_hints(
            source,
            &[
                "s[k + 1..] for the first such element",
                "s[k + 1..] for the last such element",
            ],
        );
        // The place of the element is unknown.
        let other =
            "function Rest(s: seq<int>, k: nat): seq<int> requires k + 2 <= |s| { s[k + 2..] }";
        assert!(hints(other).iter().all(|h| !h.contains("such element")));
    }

    #[test]
    fn calls_are_skipped_in_one_case_of_a_condition() {
        let source = "function F(s: seq<int>, b: bool): seq<int> { var t := G(s); if b then t else t + t }\nfunction G(s: seq<int>): seq<int> { if s == [] then s else s[1..] }";
        assert_hints(source, &["s where b", "s unless b"]);
        // A condition over what the code assigns may have another value at the call.
        let changing = "method M(s: seq<int>) returns (t: seq<int>) { t := G(s); if |t| > 2 { t := []; } }\nfunction G(s: seq<int>): seq<int> { if s == [] then s else s[1..] }";
        assert!(hints(changing).iter().all(|h| !h.contains(" where ")));
    }

    #[test]
    fn limits_are_met_one_step_too_early() {
        let source = "function Full(n: int, limit: int): bool { n == limit }";
        assert_hints(source, &["n + 1 == limit"]);
        let literal = "function Zero(n: int): bool { n == 0 }";
        assert!(hints(literal).is_empty(), "{:?}", hints(literal));
    }
}
