//! Mutants whose executions join the unit's again before a difference is observable: from the
//! changed place, both are executed symbolically to the next loop head or to the end. If they are
//! at the same place then, with the same values of everything that may still be read, the rest of
//! the executions is the same (a bisimulation up to those places: Sangiorgi, *On the Bisimulation
//! Proof Method*, 1998). One of them may execute one iteration more than the other before they
//! join: this covers a loop that starts one element early without effect.
//!
//! [`parts`] returns the condition under which they do not join; the solver has to refute it.

use super::defined::is_same;
use super::live::Live;
use super::symbolic::{
    End, MAX_MADE, Machine, Need, NeedKind, State, Ways, as_bool, both, either, is_executed,
};
use super::unused::Unused;
use super::{Change, Mutant, Mutated, Place, known};
use dafny_resolve::typed::Type;
use dafny_source::Span;
use dtest_ir::{BlockId, Expr, ExprKind, Op, Procedure, Program, Terminator, build};

/// Numbers of loop heads that the unit and the mutant pass.
const TURNS: [(usize, usize); 3] = [(0, 0), (0, 1), (1, 0)];

/// Maximum number of pairs of paths.
const MAX_PAIRS: usize = 256;

/// The condition, in the state at the changed place, under which the mutant does not join the unit
/// or fails on the way. `None` if it cannot be expressed.
pub(super) fn parts(program: &Program, mutant: &Mutant) -> Option<Expr> {
    let unit = program.procedures.get(&mutant.callable)?;
    let place = place(mutant)?;
    // An earlier place knows more about the state. If that fails, the changed place itself is
    // tried.
    let before = start(unit, place);
    let Mutated::Code(other) = mutant.applied(program)? else {
        return None;
    };
    let from = |place| parts_from(program, (unit, &other.procedure), place);
    from(before).or_else(|| if before == place { None } else { from(place) })
}

/// The same condition if both are executed from a place before the changed one.
fn parts_from(
    program: &Program,
    (unit, other): (&Procedure, &Procedure),
    place: (BlockId, usize),
) -> Option<Expr> {
    let live = Live::new(unit, &Unused::default());
    // The mutant is equivalent if any of the pairings joins, so that their conditions are
    // conjoined.
    let mut differ = build::boolean(true, Span::default());
    for (unit_turns, mutant_turns) in TURNS {
        // Both are executed from the same place, with the given numbers of loop heads to pass.
        let ways = |p: &Procedure, turns| Machine::new(program, p).ways(place, turns);
        let (Some(on), Some(with)) = (ways(unit, unit_turns), ways(other, mutant_turns)) else {
            continue;
        };
        let mut compare = Compare {
            program,
            unit,
            live: &live,
            pairs: 0,
            made: 0,
            decided: Vec::new(),
            evaluated: Vec::new(),
        };
        let Some(parted) = compare.unit(&on, &with) else {
            continue;
        };
        differ = both(differ, parted);
    }
    match as_bool(&differ) {
        // `true` says nothing.
        Some(true) => None,
        Some(false) => Some(differ),
        // The facts at the place restrict the states.
        None => Some(
            known::at(program, unit, place)
                .into_iter()
                .rev()
                .fold(differ, |all, fact| both(fact, all)),
        ),
    }
}

/// The first place from which every execution reaches the changed one after nothing but assignments
/// and stores. Their effects are then known at the changed place.
fn start(procedure: &Procedure, place: (BlockId, usize)) -> (BlockId, usize) {
    let before = procedure.predecessors();
    let (mut block, mut at) = place;
    let mut passed = Vec::new();
    while let Some(code) = procedure.block(block) {
        // Only assignments and stores may be executed again.
        if let Some(last) = code.stmts.iter().take(at).rposition(|s| !is_executed(s)) {
            return (block, last + 1);
        }
        at = 0;
        passed.push(block);
        let only = before.get(&block).map(Vec::as_slice);
        // A block with several predecessors or a loop head may be reached in several states.
        let (Some([last]), None) = (only, &code.loop_head) else {
            break;
        };
        let goes_on = procedure
            .block(*last)
            .is_some_and(|b| matches!(b.terminator, Terminator::Goto(_)));
        if !goes_on || passed.contains(last) {
            break;
        }
        (block, at) = (*last, usize::MAX);
    }
    (block, at)
}

/// The changed place.
fn place(mutant: &Mutant) -> Option<(BlockId, usize)> {
    match (mutant.place, &mutant.change) {
        _ if !mutant.also.is_empty() => None,
        (Place::Stmt(block, at), _) => Some((block, at)),
        (Place::End(block), Change::Expr { .. } | Change::Branch { flipped: None, .. }) => {
            Some((block, usize::MAX))
        }
        // The statements of a `return` are removed together with it.
        (Place::End(block), Change::Next(_)) => Some((block, 0)),
        (Place::End(_) | Place::Whole | Place::Lambda(_), _) => None,
    }
}

/// The comparison of the paths of the unit and the mutant.
struct Compare<'c> {
    program: &'c Program,
    unit: &'c Procedure,
    live: &'c Live,
    pairs: usize,
    /// Total size of the conditions that were made.
    made: usize,
    /// Decisions on the current pair of paths.
    decided: Vec<(Expr, bool)>,
    /// Expressions that the unit evaluates on its path.
    evaluated: Vec<Expr>,
}

impl Compare<'_> {
    /// The condition that the path of the unit and that of the mutant do not join. `None` if it
    /// cannot be expressed.
    fn unit(&mut self, on: &Ways, with: &Ways) -> Option<Expr> {
        match on {
            // A state in which the unit fails does not matter.
            Ways::Fails => Some(build::boolean(false, Span::default())),
            Ways::Needs(needs, next) => {
                // Values that the unit evaluates exist, so that the mutant may evaluate them as
                // well.
                let before = self.evaluated.len();
                let values =
                    needs
                        .iter()
                        .filter(|n| n.under.is_none())
                        .filter_map(|n| match &n.kind {
                            NeedKind::HasValue(e) => Some(e.clone()),
                            NeedKind::Holds(_) => None,
                        });
                self.evaluated.extend(values);
                // The unit's needs are assumed below this point, because it does not fail in the
                // states that matter.
                let parted = self.unit(next, with)?;
                self.evaluated.truncate(before);
                let met = needs.iter().filter(|n| !n.is_of_bound).filter_map(holds);
                // Needs of bound variables are no conditions over the state.
                let met = met
                    .map(|fact| self.counted(fact))
                    .collect::<Option<Vec<_>>>()?;
                Some(
                    met.into_iter()
                        .rev()
                        .fold(parted, |all, fact| both(fact, all)),
                )
            }
            // The unit's decisions come first; the mutant's are compared under them.
            Ways::Branch(cond, then, els) => self.decide(cond, &mut |c, holds| {
                c.unit(if holds { then } else { els }, with)
            }),
            Ways::End(end, state) => self.mutant((*end, state), with),
        }
    }

    fn mutant(&mut self, (end, state): (End, &State), with: &Ways) -> Option<Expr> {
        match with {
            Ways::Fails => Some(build::boolean(true, Span::default())),
            Ways::Needs(needs, next) => {
                // The mutant must not fail where the unit does not.
                let mut fails = build::boolean(false, Span::default());
                for need in needs {
                    let missed = self.is_missed(need);
                    fails = either(fails, self.counted(missed)?);
                }
                Some(either(fails, self.mutant((end, state), next)?))
            }
            Ways::Branch(cond, then, els) => self.decide(cond, &mut |c, holds| {
                c.mutant((end, state), if holds { then } else { els })
            }),
            // Different ends can never be the same state.
            Ways::End(other, _) if *other != end => Some(build::boolean(true, Span::default())),
            Ways::End(_, other) => self.unequal(end, state, other),
        }
    }

    /// Continues for both values of a condition, unless it was decided on this path before.
    fn decide(
        &mut self,
        cond: &Expr,
        go_on: &mut dyn FnMut(&mut Self, bool) -> Option<Expr>,
    ) -> Option<Expr> {
        // A decision that was made on this path is not split again.
        if let Some((_, holds)) = self.decided.iter().find(|(known, _)| is_same(known, cond)) {
            let holds = *holds;
            return go_on(self, holds);
        }
        self.pairs += 1;
        if self.pairs > MAX_PAIRS || !self.counts(cond) {
            return None;
        }
        let mut under = |holds: bool| {
            self.decided.push((cond.clone(), holds));
            let outcome = go_on(self, holds);
            self.decided.pop();
            outcome
        };
        let (then, els) = (under(true)?, under(false)?);
        // Simplified, because conditions are nested for every pair of paths.
        Some(match (as_bool(&then), as_bool(&els)) {
            (Some(a), Some(b)) if a == b => then,
            (Some(false), _) => both(build::not(cond.clone()), els),
            (_, Some(false)) => both(cond.clone(), then),
            (_, _) => build::choose(cond.clone(), then, els, Type::Bool, Span::default()),
        })
    }

    /// Counts a condition that becomes part of the result. Returns whether the limit is kept: each
    /// pair of paths copies the decisions on it.
    fn counts(&mut self, part: &Expr) -> bool {
        let left = MAX_MADE.saturating_sub(self.made);
        let size = part.size_within(left);
        self.made += size.unwrap_or(left);
        size.is_some()
    }

    /// The condition, if it may become part of the result.
    fn counted(&mut self, part: Expr) -> Option<Expr> {
        self.counts(&part).then_some(part)
    }

    /// The condition that a need of the mutant is not satisfied.
    fn is_missed(&self, need: &Need) -> Expr {
        match (&need.kind, holds(need)) {
            (NeedKind::HasValue(e), _) => build::boolean(
                !self.evaluated.iter().any(|known| is_same(known, e)),
                Span::default(),
            ),
            (NeedKind::Holds(_), Some(met)) => build::not(met),
            (NeedKind::Holds(_), None) => build::boolean(true, Span::default()),
        }
    }

    /// The condition that a value that may still be read differs between two states. `None` if it
    /// cannot be expressed.
    fn unequal(&mut self, end: End, a: &State, b: &State) -> Option<Expr> {
        // At a loop head, live variables count; at the end, the results.
        let live = match end {
            End::Head(block) => self.live.at(block),
            End::Return => self.unit.outs.iter().copied().collect(),
        };
        let mut differ = build::boolean(false, Span::default());
        for var in a
            .assigned()
            .chain(b.assigned())
            .filter(|v| live.contains(v))
        {
            let ty = &self.unit.vars.get(var.0 as usize)?.ty;
            let differs = self.differ(&a.var(var, ty)?, &b.var(var, ty)?)?;
            differ = either(differ, self.counted(differs)?);
        }
        // Stores of either path must leave the same contents.
        for (location, value) in a.stores.iter().chain(&b.stores) {
            let at = |state: &State| state.read(location, &value.ty);
            let differs = self.differ(&at(a)?, &at(b)?)?;
            differ = either(differ, self.counted(differs)?);
        }
        Some(differ)
    }

    /// The condition that two values differ. Quantifiers over the same variables are the same if
    /// their bodies are the same for each value.
    fn differ(&self, a: &Expr, b: &Expr) -> Option<Expr> {
        if is_same(a, b) {
            return Some(build::boolean(false, Span::default()));
        }
        // The solver cannot compare quantifiers well, so that their bodies are compared.
        match (&a.kind, &b.kind) {
            (
                ExprKind::Quantifier { forall, vars, body },
                ExprKind::Quantifier {
                    forall: same_kind,
                    vars: others,
                    body: other,
                },
            ) if forall == same_kind && vars.vars == others.vars => {
                let whole = |range: &Option<Box<Expr>>, body: &Expr| match range {
                    Some(range) => both(
                        (**range).clone(),
                        if *forall {
                            build::not(body.clone())
                        } else {
                            body.clone()
                        },
                    ),
                    None => body.clone(),
                };
                Some(differs(
                    whole(&vars.range, body),
                    whole(&others.range, other),
                ))
            }
            // Conjunctions and disjunctions with quantifiers are compared operand by operand.
            (ExprKind::And(p, q), ExprKind::And(r, s))
            | (ExprKind::Or(p, q), ExprKind::Or(r, s))
                if quantifies(a) =>
            {
                Some(either(self.differ(p, r)?, self.differ(q, s)?))
            }
            // Quantifiers in other positions are too hard for the solver.
            (_, _)
                if a.ty == b.ty
                    && self.program.typed.supports_equality(&a.ty)
                    && !quantifies(a)
                    && !quantifies(b) =>
            {
                Some(differs(a.clone(), b.clone()))
            }
            (_, _) => None,
        }
    }
}

/// A need as a condition.
fn holds(need: &Need) -> Option<Expr> {
    let NeedKind::Holds(cond) = &need.kind else {
        return None;
    };
    Some(match &need.under {
        Some(under) => build::or(build::not(under.clone()), cond.clone()),
        None => cond.clone(),
    })
}

fn differs(a: Expr, b: Expr) -> Expr {
    build::op(Op::Ne, vec![a, b], Type::Bool, Span::default())
}

/// Whether an expression contains a quantifier.
fn quantifies(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Quantifier { .. }) || e.children().into_iter().any(quantifies)
}
