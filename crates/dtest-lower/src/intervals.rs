//! Intervals of integer variables at the heads of loops.
//!
//! Before it proves a loop, Dafny's verifier infers constant bounds of variables (Boogie's abstract
//! interpretation over intervals; Cousot and Cousot 1977), so that `0 <= i` need not be written.
//! [`at_heads`] infers them in the same way: by a fixed point with widening at the heads, and a few
//! steps that narrow the result.

use dafny_resolve::typed::Literal;
use dtest_ir::{Block, BlockId, Expr, ExprKind, Num, Op, Procedure, StmtKind, Terminator, Var};
use dtest_sorted::SortedMap;
use num_bigint::BigInt;

/// The number of visits of a head after which its bounds are widened.
const MAX_EXACT_VISITS: u32 = 3;
/// The number of steps that narrow the result.
const NARROWINGS: u32 = 2;
/// The number of sweeps after which the analysis gives up.
const MAX_SWEEPS: u32 = 64;

/// A set of integers between two bounds; `None`: unbounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Interval {
    /// The least element.
    pub(super) low: Option<BigInt>,
    /// The greatest element.
    pub(super) high: Option<BigInt>,
}

/// The known intervals. Other variables may have any value.
type State = SortedMap<Var, Interval>;

/// Returns the intervals of variables at the head of each loop.
pub(super) fn at_heads(procedure: &Procedure) -> SortedMap<BlockId, State> {
    let mut analysis = Analysis {
        procedure,
        before: SortedMap::new(),
        along: SortedMap::new(),
        visits: SortedMap::new(),
    };
    if !analysis.run() {
        return SortedMap::new();
    }
    let is_head = |id: &BlockId| procedure.block(*id).is_some_and(|b| b.loop_head.is_some());
    let mut states = analysis.before;
    states.retain(|id, _| is_head(id));
    states
}

struct Analysis<'p> {
    procedure: &'p Procedure,
    /// The state before each block that is reached.
    before: SortedMap<BlockId, State>,
    /// The state along each edge that is taken.
    along: SortedMap<(BlockId, BlockId), State>,
    visits: SortedMap<BlockId, u32>,
}

impl Analysis<'_> {
    /// Computes the fixed point. Returns `false` if there is none within the limits.
    fn run(&mut self) -> bool {
        self.before.insert(BlockId(0), State::new());
        for _ in 0..MAX_SWEEPS {
            if !self.sweep(true) {
                for _ in 0..NARROWINGS {
                    self.sweep(false);
                }
                return true;
            }
        }
        false
    }

    /// Recomputes the states of all blocks; returns whether one changed. Widens at the heads of
    /// loops, so that repeated sweeps end.
    fn sweep(&mut self, widens: bool) -> bool {
        let mut is_changed = false;
        for id in (0..self.procedure.blocks.len() as u32).map(BlockId) {
            let (Some(block), Some(state)) = (self.procedure.block(id), self.joined(id, widens))
            else {
                continue;
            };
            is_changed |= self.before.get(&id) != Some(&state);
            self.before.insert(id, state.clone());
            self.leave(id, block, state);
        }
        is_changed
    }

    /// Returns the state before a block from those along the edges to it; `None` if it is not
    /// reached.
    fn joined(&mut self, id: BlockId, widens: bool) -> Option<State> {
        if id == BlockId(0) {
            return Some(State::new());
        }
        let edges = self.along.iter().filter(|((_, to), _)| *to == id);
        let new = edges.map(|(_, state)| state.clone()).reduce(join)?;
        let is_head = self
            .procedure
            .block(id)
            .is_some_and(|b| b.loop_head.is_some());
        let Some(old) = self.before.get(&id).filter(|_| is_head && widens) else {
            return Some(new);
        };
        let visits = self.visits.entry(id).or_default();
        *visits += 1;
        Some(match *visits > MAX_EXACT_VISITS {
            true => widen(old, new),
            false => join(old.clone(), new),
        })
    }

    /// Records the states along the edges from a block.
    fn leave(&mut self, id: BlockId, block: &Block, mut state: State) {
        for stmt in &block.stmts {
            if let StmtKind::Assign { var, value } = &stmt.kind {
                let value = eval(value, &state);
                set(&mut state, *var, value);
                continue;
            }
            if let StmtKind::Assume { cond, .. } | StmtKind::Assert { cond, .. } = &stmt.kind {
                refine(cond, true, &mut state);
            }
            for var in stmt.assigned() {
                state.remove(&var);
            }
        }
        if let Terminator::Branch { cond, then, els } = &block.terminator {
            let mut other = state.clone();
            refine(cond, true, &mut state);
            refine(cond, false, &mut other);
            self.along.insert((id, *then), state);
            self.along.insert((id, *els), other);
        } else {
            for to in block.terminator.successors() {
                self.along.insert((id, to), state.clone());
            }
        }
    }
}

fn set(state: &mut State, var: Var, value: Interval) {
    if value == Interval::default() {
        state.remove(&var);
    } else {
        state.insert(var, value);
    }
}

/// Returns the smallest state that contains both.
fn join(a: State, b: State) -> State {
    let mut joined = State::new();
    for (var, a) in a {
        if let Some(b) = b.get(&var) {
            let interval = Interval {
                low: a.low.zip(b.low.clone()).map(|(a, b)| a.min(b)),
                high: a.high.zip(b.high.clone()).map(|(a, b)| a.max(b)),
            };
            set(&mut joined, var, interval);
        }
    }
    joined
}

/// Returns the state without the bounds that changed.
fn widen(old: &State, new: State) -> State {
    let mut widened = State::new();
    for (var, new) in new {
        if let Some(old) = old.get(&var) {
            let interval = Interval {
                low: old
                    .low
                    .clone()
                    .filter(|o| new.low.as_ref().is_some_and(|n| n >= o)),
                high: old
                    .high
                    .clone()
                    .filter(|o| new.high.as_ref().is_some_and(|n| n <= o)),
            };
            set(&mut widened, var, interval);
        }
    }
    widened
}

fn eval(e: &Expr, state: &State) -> Interval {
    let binary = |args: &[Expr]| match args {
        [a, b] => Some((eval(a, state), eval(b, state))),
        _ => None,
    };
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        return Interval {
            low: Some(n.clone()),
            high: Some(n.clone()),
        };
    }
    if let ExprKind::Var(var) = &e.kind {
        return state.get(var).cloned().unwrap_or_default();
    }
    if let ExprKind::If(_, a, b) = &e.kind {
        let (a, b) = (eval(a, state), eval(b, state));
        return Interval {
            low: a.low.zip(b.low).map(|(a, b)| a.min(b)),
            high: a.high.zip(b.high).map(|(a, b)| a.max(b)),
        };
    }
    let ExprKind::Op(op, args) = &e.kind else {
        return Interval::default();
    };
    let sum = |a: Option<BigInt>, b: Option<BigInt>| a.zip(b).map(|(a, b)| a + b);
    let difference = |a: Option<BigInt>, b: Option<BigInt>| a.zip(b).map(|(a, b)| a - b);
    let Some((a, b)) = binary(args) else {
        return Interval::default();
    };
    if let Op::Add(Num::Int) = op {
        return Interval {
            low: sum(a.low, b.low),
            high: sum(a.high, b.high),
        };
    }
    if let Op::Sub(Num::Int) = op {
        return Interval {
            low: difference(a.low, b.high),
            high: difference(a.high, b.low),
        };
    }
    if let Op::Mul(Num::Int) = op {
        return product(a, b);
    }
    Interval::default()
}

/// The product of two intervals: exact if both are bounded, or else its sign.
fn product(a: Interval, b: Interval) -> Interval {
    let zero = BigInt::from(0);
    if let (Some(al), Some(ah), Some(bl), Some(bh)) = (&a.low, &a.high, &b.low, &b.high) {
        let all = [al * bl, al * bh, ah * bl, ah * bh];
        return Interval {
            low: all.iter().min().cloned(),
            high: all.iter().max().cloned(),
        };
    }
    let is_natural = |i: &Interval| i.low.as_ref().is_some_and(|low| *low >= zero);
    match (is_natural(&a) && is_natural(&b), a.low, b.low) {
        (true, Some(a), Some(b)) => Interval {
            low: Some(a * b),
            high: None,
        },
        (_, _, _) => Interval::default(),
    }
}

/// Restricts the variables of a condition that has a value.
fn refine(cond: &Expr, value: bool, state: &mut State) {
    if let ExprKind::And(a, b) = &cond.kind
        && value
    {
        refine(a, true, state);
        refine(b, true, state);
    } else if let ExprKind::Or(a, b) = &cond.kind
        && !value
    {
        refine(a, false, state);
        refine(b, false, state);
    } else if let ExprKind::Op(op, args) = &cond.kind {
        let args = args.as_slice();
        if let (Op::Not, [a]) = (op, args) {
            refine(a, !value, state);
        } else if let [a, b] = args {
            let is_equal = matches!(op, Op::Eq) == value && matches!(op, Op::Eq | Op::Ne);
            match (op, value) {
                (Op::Lt(Num::Int), true) => at_most(a, b, 1, state),
                (Op::Lt(Num::Int), false) => at_most(b, a, 0, state),
                (Op::Le(Num::Int), true) => at_most(a, b, 0, state),
                (Op::Le(Num::Int), false) => at_most(b, a, 1, state),
                (_, _) if is_equal => {
                    at_most(a, b, 0, state);
                    at_most(b, a, 0, state);
                }
                (_, _) => {}
            }
        }
    }
}

/// Restricts the variables of `a + distance <= b`.
fn at_most(a: &Expr, b: &Expr, distance: u32, state: &mut State) {
    let (least, most) = (eval(a, state).low, eval(b, state).high);
    if let (ExprKind::Var(var), Some(most)) = (&a.kind, most) {
        let known = state.entry(*var).or_default();
        let bound = most - distance;
        known.high = Some(known.high.take().map_or(bound.clone(), |h| h.min(bound)));
    }
    if let (ExprKind::Var(var), Some(least)) = (&b.kind, least) {
        let known = state.entry(*var).or_default();
        let bound = least + distance;
        known.low = Some(known.low.take().map_or(bound.clone(), |l| l.max(bound)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lowered;
    use crate::units::units;
    use dtest_ir::Criteria;

    /// Returns the bounds at the head of the only loop of the only unit, as `low <= name <= high`.
    fn bounds(source: &str) -> Vec<String> {
        let (_, program) = lowered(source, Criteria::obligations());
        let units = units(&program.typed, |_| true);
        let unit = units.first().expect("a unit").callable;
        let procedure = program.procedures.get(&unit).expect("blocks");
        let heads = at_heads(procedure);
        let state = heads.values().next().cloned().unwrap_or_default();
        let side =
            |bound: &Option<BigInt>| bound.as_ref().map_or("_".to_owned(), |n| n.to_string());
        let shown = state.iter().filter_map(|(var, interval)| {
            let name = &procedure.vars.get(var.0 as usize)?.name;
            let (low, high) = (side(&interval.low), side(&interval.high));
            (!name.starts_with('$')).then(|| format!("{low} <= {name} <= {high}"))
        });
        shown.collect()
    }

    #[test]
    fn counters_have_the_bounds_of_their_first_values_and_guards() {
        let source = "method M(n: int) { var i, j, k, m := 0, 5, 0, n; while i < 10 \
                      { i, j, k, m := i + 1, j - 2, k + i, m + 1; } }";
        assert_eq!(
            bounds(source),
            ["0 <= i <= 10", "_ <= j <= 5", "0 <= k <= _"]
        );
    }

    #[test]
    fn invariants_and_branches_restrict_variables() {
        let source = "method M(n: int) { var i, j := n, 0; while i < 9 invariant 3 <= i \
                      { i := i + 1; if 2 < j { j := 0; } else { j := j + 1; } } }";
        assert_eq!(bounds(source), ["3 <= i <= _", "0 <= j <= 3"]);
    }

    #[test]
    fn what_a_call_returns_is_unknown() {
        let source =
            "method M() { var i := 0; while i < 9 { i := F(); } } method F() returns (r: int)";
        assert!(bounds(source).is_empty());
    }
}
