//! Errors in the order of iterations: a loop that takes its elements in the opposite order or whose
//! index is one off, a recursion over a sequence that begins at its other end, cases that are tested
//! in another order, and two steps of a computation of which the second comes first.
//!
//! The order decides who is served first, which of several equal elements is taken, and to whom the
//! rest of a division goes. The operators change what an iteration does, not when it is its turn, and
//! inputs on which they differ need no two elements that compete. The hints of this module differ
//! from the program only if such elements are there.

use super::bounds;
use super::exprs::{is_written, only, text};
use super::stmts::{is_argument_compiled, roots};
use super::types::unconstrained;
use super::{Change, Finder, Mutant, Mutation, MutationKind, Piece, Place, clones, is_same};
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;
use dtest_ir::build::{and, int, is_literal, not, op, var};
use dtest_ir::{
    Block, BlockId, Coll, Expr, ExprKind, Num, Op, Simple, Stmt, StmtKind, Terminator, Var,
};
use dtest_sorted::SortedSet;

/// Maximum number of places at which one hint changes the code.
const MAX_PLACES: usize = 40;
/// Maximum numbers of cases that come later, and of exchanged steps, per callable.
const MAX_LATER: usize = 8;
const MAX_EXCHANGED: usize = 6;

/// A `for` loop: its index, and the numbers between which the index is.
struct Counted {
    index: Var,
    low: Expr,
    high: Expr,
    span: Span,
}

impl<'p> Finder<'p> {
    /// Adds the hints of loops in the order of the code, then those of recursion, cases and steps.
    pub(super) fn orders(&mut self, lambdas: &[u32]) {
        for (i, block) in self.procedure.blocks.iter().enumerate() {
            self.other_iterations(BlockId(i as u32), block);
        }
        self.other_end();
        self.later_cases();
        self.exchanged_steps(lambdas);
    }

    /// Of two cases of which both conditions hold, takes the one that is tested second.
    fn later_cases(&mut self) {
        let procedure = self.procedure;
        let mut count = 0;
        for (i, block) in procedure.blocks.iter().enumerate() {
            let Terminator::Branch { cond, then, els } = &block.terminator else {
                continue;
            };
            let Some(second) = self.next_test(*els) else {
                continue;
            };
            let decides = |id: &BlockId| procedure.block(*id).is_some_and(super::hints::is_branch);
            let is_case = decides(then) && block.loop_head.is_none();
            if !is_case || !is_written(cond) || !is_written(second) || count == MAX_LATER {
                continue;
            }
            count += 1;
            let mut instead = and(cond.clone(), not(second.clone()));
            instead.span = cond.span;
            let shown = vec![only(cond), text(" && !("), only(second), text(")")];
            let place = (Place::End(BlockId(i as u32)), 0, cond);
            self.meaning(place, Vec::new(), instead, (cond.span, shown));
        }
    }

    /// The condition that is tested next, in the same state. `None` for an operand of the same
    /// condition.
    fn next_test(&self, mut id: BlockId) -> Option<&'p Expr> {
        for _ in 0..self.procedure.blocks.len() {
            let block = self.procedure.block(id)?;
            let is_pure = |s: &Stmt| matches!(s.simple(), Some(Simple::Notes));
            if block.loop_head.is_some() || self.is_operand(id) || !block.stmts.iter().all(is_pure)
            {
                return None;
            }
            match &block.terminator {
                Terminator::Goto(next) => id = *next,
                Terminator::Branch { cond, .. } => return Some(cond),
                Terminator::Choose { .. } | Terminator::Return | Terminator::Stop => return None,
            }
        }
        None
    }

    /// Exchanges two calls of which one takes the result of the other: `g(f(x, b), a)` for
    /// `f(g(x, a), b)`.
    fn exchanged_steps(&mut self, lambdas: &[u32]) {
        let program = self.program;
        let mut count = 0;
        for (place, root, whole) in self.compiled_roots(lambdas) {
            let mut found: Vec<(Vec<usize>, Expr, Vec<Piece>)> = Vec::new();
            clones::parts(program, whole, &mut |path, e| {
                if count < MAX_EXCHANGED
                    && let Some((instead, shown)) = exchanged(e)
                {
                    count += 1;
                    found.push((path.to_vec(), instead, shown));
                }
            });
            for (path, instead, text) in found {
                let span = instead.span;
                self.meaning((place, root, whole), path, instead, (span, text));
            }
        }
    }

    /// Replaces the index in the body of a `for` loop, as if it counted in the opposite direction,
    /// or between the neighbours of its bounds.
    fn other_iterations(&mut self, head: BlockId, block: &Block) {
        let Some(counted) = self.counted(head, block) else {
            return;
        };
        let (_, inside) = self.iterations(head);
        let body: SortedSet<BlockId> = inside.into_iter().filter(|id| *id != head).collect();
        let (index, span) = (counted.index, counted.span);
        let of = |o: Op, a: Expr, b: Expr| op(o, vec![a, b], Type::Int, span);
        let one = || int(1, Type::Int, span);
        let own = || var(index, Type::Int, span);
        let last = of(
            Op::Sub(Num::Int),
            of(Op::Add(Num::Int), counted.low, counted.high),
            one(),
        );
        let others = [
            (of(Op::Sub(Num::Int), last, own()), "in the opposite order"),
            (of(Op::Sub(Num::Int), own(), one()), "from one less"),
            (of(Op::Add(Num::Int), own(), one()), "from one more"),
        ];
        for (instead, shown) in others {
            let mut is_index = |e: &Expr| {
                matches!(e.kind, ExprKind::Var(v) if v == index).then(|| Expr {
                    ty: e.ty.clone(),
                    ..instead.clone()
                })
            };
            let changes = self.replaced(&body, span, &mut is_index);
            let text = vec![Piece::Source(span), text(format!(" {shown}"))];
            self.everywhere(changes, Mutation::new(span, MutationKind::Order, text));
        }
    }

    /// The bounds of a `for` loop over integers that has an end.
    fn counted(&self, head: BlockId, block: &Block) -> Option<Counted> {
        let info = block.loop_head.as_ref()?;
        // Only `for` loops have an invariant of the language.
        if info.range.is_empty() {
            return None;
        }
        let Terminator::Branch { cond, .. } = &block.terminator else {
            return None;
        };
        let ExprKind::Op(Op::Lt(Num::Int), operands) = &cond.kind else {
            return None;
        };
        let [a, b] = operands.as_slice() else {
            return None;
        };
        let (_, inside) = self.iterations(head);
        // The index is the operand that the loop assigns, and its value before the loop is the other
        // bound.
        let index = |e: &Expr| {
            let ExprKind::Var(v) = e.kind else {
                return None;
            };
            info.assigned.contains(&v).then_some(v)
        };
        let (index, bound, is_up) = match (index(a), index(b)) {
            (Some(i), None) => (i, b, true),
            (None, Some(i)) => (i, a, false),
            (_, _) => return None,
        };
        let outside = self.procedure.blocks.iter().enumerate();
        let mut before = outside
            .filter(|(i, _)| !inside.contains(&BlockId(*i as u32)))
            .flat_map(|(_, b)| &b.stmts)
            .filter_map(|s| match s.simple() {
                Some(Simple::Assigns(v, value)) if v == index => Some(value),
                Some(_) | None => None,
            });
        let from = before.next().filter(|_| before.next().is_none())?;
        // Both bounds are evaluated once, before the loop.
        let is_steady = |e: &Expr| {
            if let ExprKind::Var(v) = &e.kind {
                !info.assigned.contains(v)
            } else {
                is_literal(e)
            }
        };
        if !is_steady(from) || !is_steady(bound) {
            return None;
        }
        let (low, high) = if is_up { (from, bound) } else { (bound, from) };
        Some(Counted {
            index,
            low: low.clone(),
            high: high.clone(),
            span: cond.span,
        })
    }

    /// Takes the last element of a sequence for the first one, and the rest in front of it for the
    /// rest behind, everywhere in a recursive callable.
    fn other_end(&mut self) {
        let (program, procedure) = (self.program, self.procedure);
        if !program
            .runs(procedure.callable)
            .contains(&procedure.callable)
        {
            return;
        }
        let all: SortedSet<BlockId> = (0..procedure.blocks.len() as u32).map(BlockId).collect();
        for param in &procedure.params {
            let Some(info) = procedure.vars.get(param.0 as usize) else {
                continue;
            };
            if !matches!(unconstrained(&program.typed, &info.ty), Type::Seq(_)) {
                continue;
            }
            let (mut firsts, mut rests) = (0, 0);
            let mut from_end = |e: &Expr| {
                let other = last_for_first(e, *param).inspect(|_| firsts += 1);
                other.or_else(|| front_for_rest(e, *param).inspect(|_| rests += 1))
            };
            let changes = self.replaced(&all, Span::default(), &mut from_end);
            if firsts == 0 || rests == 0 {
                continue;
            }
            let shown = vec![text(format!("{} from its end", info.name))];
            let mutation = Mutation::new(info.span, MutationKind::Order, shown);
            self.everywhere(changes, mutation);
        }
    }

    /// The changes that replace parts of the compiled code of some blocks. `step` is the location of
    /// what the loop itself evaluates, which stays.
    fn replaced(
        &self,
        blocks: &SortedSet<BlockId>,
        step: Span,
        instead: &mut dyn FnMut(&Expr) -> Option<Expr>,
    ) -> Option<Vec<(Place, Change)>> {
        let (program, procedure) = (self.program, self.procedure);
        let mut found = Vec::new();
        for id in blocks {
            let block = procedure.block(*id)?;
            let mut wholes: Vec<(Place, usize, &Expr)> = Vec::new();
            for (at, stmt) in block.stmts.iter().enumerate() {
                let is_step = stmt.span == step && matches!(stmt.kind, StmtKind::Assign { .. });
                if is_step || !self.is_compiled(stmt) {
                    continue;
                }
                for (n, root) in roots(stmt).into_iter().enumerate() {
                    if is_argument_compiled(program, stmt, n) {
                        wholes.push((Place::Stmt(*id, at), n, root));
                    }
                }
            }
            if let Terminator::Branch { cond, .. } = &block.terminator {
                wholes.push((Place::End(*id), 0, cond));
            }
            for (place, root, whole) in wholes {
                let mut changes: Vec<(Vec<usize>, Expr)> = Vec::new();
                clones::parts(program, whole, &mut |path, e| {
                    // A part of a replaced part is gone.
                    let is_within = changes.iter().any(|(p, _)| path.starts_with(p));
                    if !is_within && let Some(other) = instead(e) {
                        changes.push((path.to_vec(), other));
                    }
                });
                if changes.is_empty() {
                    continue;
                }
                let (path, instead) = bounds::refitted(program, &procedure.vars, whole, changes)?;
                let instead = Box::new(instead);
                found.push((
                    place,
                    Change::Expr {
                        root,
                        path,
                        instead,
                    },
                ));
            }
        }
        (found.len() <= MAX_PLACES).then_some(found)
    }

    /// Adds a hint that changes the code at several places.
    fn everywhere(&mut self, changes: Option<Vec<(Place, Change)>>, mutation: Mutation) {
        let mut changes = changes.into_iter().flatten();
        let Some((place, change)) = changes.next() else {
            return;
        };
        if self.found.iter().all(|h| h.mutation != mutation) {
            self.found.push(Mutant {
                callable: self.procedure.callable,
                place,
                change,
                also: changes.collect(),
                mutation,
            });
        }
    }
}

/// The composition of two calls in the other order, with its text.
fn exchanged(e: &Expr) -> Option<(Expr, Vec<Piece>)> {
    let ExprKind::Call { callee, args, .. } = &e.kind else {
        return None;
    };
    let is_step = |outer: &Expr, arg: &Expr| is_written(arg) && arg.ty == outer.ty;
    let (i, inner, of_inner) = args.iter().enumerate().find_map(|(i, arg)| {
        let ExprKind::Call {
            callee: other,
            args: of_inner,
            ..
        } = &arg.kind
        else {
            return None;
        };
        (other != callee && is_step(e, arg)).then_some((i, arg, of_inner))
    })?;
    let (j, value) = of_inner
        .iter()
        .enumerate()
        .find(|(_, a)| is_step(inner, a))?;
    let with = |call: &Expr, at: usize, arg: Expr| {
        let mut call = call.clone();
        if let ExprKind::Call { args, .. } = &mut call.kind
            && let Some(slot) = args.get_mut(at)
        {
            *slot = arg;
        }
        call
    };
    let mut instead = with(inner, j, with(e, i, value.clone()));
    instead.span = e.span;
    let shown = vec![only(e), text(" before "), only(inner)];
    Some((instead, shown))
}

fn is_param(e: &Expr, param: Var) -> bool {
    matches!(e.kind, ExprKind::Var(v) if v == param)
}

fn is_number(e: &Expr, n: i32) -> bool {
    matches!(&e.kind, ExprKind::Literal(Literal::Int(own)) if *own == n.into())
}

/// `|s| - 1`.
fn last_place(s: &Expr) -> Expr {
    let length = op(
        Op::Cardinality(Coll::Seq),
        vec![s.clone()],
        Type::Int,
        s.span,
    );
    let one = int(1, Type::Int, s.span);
    op(Op::Sub(Num::Int), vec![length, one], Type::Int, s.span)
}

/// `s[|s| - 1]` for `s[0]`.
fn last_for_first(e: &Expr, param: Var) -> Option<Expr> {
    let ExprKind::Op(select @ Op::Select(Coll::Seq), args) = &e.kind else {
        return None;
    };
    let [s, place] = args.as_slice() else {
        return None;
    };
    if !is_param(s, param) || !is_number(place, 0) {
        return None;
    }
    let args = vec![s.clone(), last_place(s)];
    Some(op(select.clone(), args, e.ty.clone(), e.span))
}

/// `s[..|s| - 1]` for `s[1..]`.
fn front_for_rest(e: &Expr, param: Var) -> Option<Expr> {
    let ExprKind::Op(Op::Slice, args) = &e.kind else {
        return None;
    };
    let [s, low, high] = args.as_slice() else {
        return None;
    };
    let is_end = matches!(&high.kind, ExprKind::Op(Op::Cardinality(_), of) if of.first().is_some_and(|o| is_same(o, s)));
    if !is_param(s, param) || !is_number(low, 1) || !is_end {
        return None;
    }
    let zero = int(0, Type::Int, e.span);
    let args = vec![s.clone(), zero, last_place(s)];
    Some(op(Op::Slice, args, e.ty.clone(), e.span))
}

#[cfg(test)]
mod tests {
    use crate::testing::hints;

    fn with(source: &str, part: &str) -> usize {
        hints(source).iter().filter(|h| h.contains(part)).count()
    }

    #[test]
    fn for_loops_count_in_the_opposite_order_and_between_other_bounds() {
        let up = "method First(s: seq<int>) returns (r: nat) { r := 0; for i := 0 to |s| { if s[i] > 3 { r := i; } } }";
        for expected in ["in the opposite order", "from one less", "from one more"] {
            assert_eq!(with(up, expected), 1, "{:#?}", hints(up));
        }
        let down = "method First(s: seq<int>) returns (r: nat) { r := 0; for i := |s| downto 0 { if s[i] > 3 { r := i; } } }";
        assert_eq!(with(down, "in the opposite order"), 1);
        // The index is not read, and a loop without an end has no opposite order.
        for other in [
            "method Count(n: nat) returns (r: nat) { r := 0; for i := 0 to n { r := r + 2; } }",
            "method Ever() returns (r: nat) decreases * { r := 0; for i := 0 to * { r := i; if i == 9 { break; } } }",
        ] {
            assert_eq!(with(other, "order"), 0, "{:#?}", hints(other));
        }
    }

    #[test]
    fn recursion_over_a_sequence_begins_at_its_other_end() {
        let least = "function Least(s: seq<int>, d: int): int { if s == [] then d else if s[0] < d then Least(s[1..], s[0]) else Least(s[1..], d) }";
        assert_eq!(with(least, "s from its end"), 1, "{:#?}", hints(least));
        // Without recursion, and without the rest, there is no other end.
        for other in [
            "function First(s: seq<int>): int requires s != [] { s[0] }",
            "function Half(s: seq<int>): int { if |s| < 2 then 0 else s[0] + Half(s[2..]) }",
        ] {
            assert_eq!(with(other, "from its end"), 0, "{:#?}", hints(other));
        }
    }

    #[test]
    fn of_two_cases_that_both_hold_the_later_one_is_taken() {
        let chain =
            "function Grade(n: int, m: int): int { if n > 3 then 1 else if m > 3 then 2 else 3 }";
        assert_eq!(with(chain, "n > 3 && !(m > 3)"), 1, "{:#?}", hints(chain));
        let returns = "method Find(n: int, m: int) returns (r: int) { if n > 3 { return 1; } if m > 3 { return 2; } return 3; }";
        assert_eq!(
            with(returns, "n > 3 && !(m > 3)"),
            1,
            "{:#?}",
            hints(returns)
        );
        // There is no second case.
        let one = "function Sign(n: int): int { if n > 3 then 1 else 2 }";
        assert_eq!(with(one, "&& !("), 0, "{:#?}", hints(one));
    }

    #[test]
    fn two_steps_are_exchanged_where_types_allow_it() {
        let steps = "function F(s: seq<int>, n: nat): seq<int> { First(Sorted(s), n) }
             function Sorted(s: seq<int>): seq<int> { if |s| < 2 then s else Sorted(s[1..]) }
             function First(s: seq<int>, n: nat): seq<int> { if |s| <= n then s else s[..n] }";
        assert_eq!(with(steps, "First(Sorted(s), n) before Sorted(s)"), 1);
        let other = "function F(s: seq<int>): nat { Size(Rest(s)) }
             function Rest(s: seq<int>): seq<int> { if s == [] then s else s[1..] }
             function Size(s: seq<int>): nat { |s| }";
        assert_eq!(with(other, " before "), 0, "{:#?}", hints(other));
    }
}
