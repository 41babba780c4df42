//! Inputs on which mutants differ from the unit at the changed place: the infection step towards a
//! test that kills them (reachability, infection, propagation: DeMillo and Offutt,
//! *Constraint-Based Automatic Test Data Generation*, 1991).
//!
//! [`ask`] puts a probe before each changed place in a copy of the program; the probe's condition
//! says that original and mutant differ there. An ordinary search for these probes finds the
//! inputs. Whether the difference propagates to the outcome is decided later, by running the
//! mutant. A probe that is proved unreachable shows that the mutant is equivalent.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::api::{Bounds, Equivalence, GoalStatus, Options, Strength};
use super::effort::End;
use super::{Search, smt};
use dafny_resolve::typed::{CallableId, Type};
use dtest_interp::Inputs;
use dtest_ir::{self as ir, Criteria, Criterion, Goal, GoalId, GoalReason, StmtKind};
use dtest_mutants::{Mutant, Mutation};

/// Maximum number of mutants per search. An entry may have this number for itself and for each of
/// its callees, up to `MAX_PARTS` times.
const MAX_PROBES: usize = 32;
const MAX_PARTS: usize = 4;

/// Divisor of the resource limit of a query, relative to the search for the unit's goals.
const RLIMIT_DIVISOR: u32 = 16;

/// Limits on the budget of a search, in queries. In between, it may cost as much as the unit's
/// goals did.
const QUERY_BUDGET: RangeInclusive<u64> = 3..=16;

/// The purpose of a search for mutants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// Inputs that infect, and equivalent mutants.
    All,
    /// Equivalent mutants only. Mutants that may differ from the unit without a difference at the
    /// probe are left out.
    Equivalence,
}

/// Results of a search for mutants.
#[derive(Default)]
pub(super) struct Infected {
    /// Inputs on which some mutants differ from the unit at the changed place.
    pub inputs: Vec<Inputs>,
    /// Mutants that never differ there, with the certainty of that result.
    pub equivalent: Vec<(Mutation, Equivalence)>,
}

/// Searches for inputs that infect some of the mutants, within the bounds that sufficed for the
/// unit's goals. At larger bounds, equivalent mutants would cost the most.
pub(super) fn ask(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    (mutants, interest): (&[&Mutant], Interest),
    within: Within<'_>,
) -> Infected {
    // With [`Interest::Equivalence`], probes are useful only for mutants whose proof would be
    // decisive.
    let is_wanted = |m: &&Mutant| {
        interest == Interest::All || m.callable != unit || m.is_defined_alike(program)
    };
    let mutants = mutants.iter().copied().filter(is_wanted);
    let Some((probed, probes)) = probed(program, unit, mutants) else {
        return Infected::default();
    };
    let Some(procedure) = probed.procedures.get(&unit) else {
        return Infected::default();
    };
    let options = within.options(RLIMIT_DIVISOR);
    let type_args = type_args.to_vec();
    // A fresh context: the terms of this search must not slow down the unit's own.
    smt::try_with_fresh_context(|| {
        let mut search = Search::new(&probed, procedure, type_args, &options);
        search.stage = Some(Criterion::Mutant);
        let reasons = search.seek();
        search.settle(&reasons);
        let equivalent = probes
            .iter()
            .filter_map(|(probe, m)| Some((m.mutation.clone(), search.never(*probe)?)));
        Infected {
            equivalent: equivalent.collect(),
            inputs: search.accepted.into_iter().map(|t| t.inputs).collect(),
        }
    })
    .unwrap_or_default()
}

impl Search<'_> {
    /// The certainty that a probe is never shown, or `None` if it may be.
    pub(super) fn never(&self, probe: GoalId) -> Option<Equivalence> {
        match self.status.get(&probe)? {
            GoalStatus::UnreachableProved { .. } => Some(Equivalence::Proved),
            GoalStatus::UnreachableAtCaps { scope }
            | GoalStatus::UnreachableWithinBounds { scope } => {
                Some(Equivalence::WithinBounds { scope: *scope })
            }
            GoalStatus::Covered(_)
            | GoalStatus::OnlyByFinding(_)
            | GoalStatus::OnlyByChoice
            | GoalStatus::UnreachableGiven { .. }
            | GoalStatus::Cut(_)
            | GoalStatus::PathsLeft { .. }
            | GoalStatus::OutOfBudget(_)
            | GoalStatus::NotConfirmed
            | GoalStatus::Unsupported(_) => None,
        }
    }
}

/// Limits of a search for mutants, derived from the finished search for goals.
#[derive(Clone, Copy)]
pub(super) struct Within<'o> {
    /// Bounds that sufficed for the unit's goals.
    pub bounds: Bounds,
    /// Whether the unit is large. Most mutants of a large unit are infected at small bounds, and
    /// large bounds leave few queries.
    pub is_large: bool,
    /// Options of the search for goals.
    pub options: &'o Options,
    /// Points spent on the search for goals.
    pub spent: u64,
    /// The end of the unit's time, or `None` if it is unlimited.
    pub(super) end: Option<End>,
}

/// The divisor of the size of encodings in the search for mutants.
const TERMS_DIVISOR: u32 = 4;

impl Within<'_> {
    /// Options for the search for mutants: the resource limit of a query is divided by `parts`, and
    /// the total cost is about that of the search for goals.
    pub(super) fn options(&self, parts: u32) -> Options {
        // The terms of the unit's own search are still in memory, and the solver's memory is bounded
        // for the whole process.
        let caps = Bounds {
            terms: (self.options.caps.terms / TERMS_DIVISOR).max(1),
            ..room(self.bounds, self.options.caps)
        };
        // A large unit starts with small bounds and may raise them to those that its goals needed.
        let start = if self.is_large {
            least(
                Bounds {
                    calls: caps.calls,
                    terms: caps.terms,
                    ..self.options.start
                },
                caps,
            )
        } else {
            caps
        };
        // The budget is measured in queries at the reduced limit.
        let rlimit = (self.options.rlimit / parts).max(1);
        let queries = (self.spent / u64::from(rlimit))
            .clamp(*QUERY_BUDGET.start(), *QUERY_BUDGET.end()) as u32;
        let timeout = self.end.map_or(self.options.timeout, |end| end.left());
        let strength = Strength::Coverage;
        // The caller validates inputs without the solver itself.
        let enumerate = 0;
        Options {
            start,
            caps,
            timeout,
            rlimit,
            queries,
            strength,
            enumerate,
            transcript: false,
            ..self.options.clone()
        }
    }
}

/// The componentwise minimum of two bounds.
fn least(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        collection: a.collection.min(b.collection),
        depth: a.depth.min(b.depth),
        unroll: a.unroll.min(b.unroll),
        inline: a.inline.min(b.inline),
        objects: a.objects.min(b.objects),
        calls: a.calls.min(b.calls),
        terms: a.terms.min(b.terms),
    }
}

/// The unit's bounds, raised to at least 3: after the place of infection, an execution needs room
/// for the difference to propagate.
fn room(bounds: Bounds, caps: Bounds) -> Bounds {
    Bounds {
        collection: bounds.collection.max(3).min(caps.collection),
        depth: bounds.depth.max(3).min(caps.depth),
        unroll: bounds.unroll.max(3).min(caps.unroll),
        inline: bounds.inline.max(3).min(caps.inline),
        objects: bounds.objects.max(3).min(caps.objects),
        calls: bounds.calls,
        terms: bounds.terms,
    }
}

/// The program with a probe before each changed place, and the decisive probes with their mutants:
/// a decisive probe that is never shown makes its mutant equivalent. `None`: no mutant can be
/// probed.
fn probed<'m>(
    program: &ir::Program,
    unit: CallableId,
    mutants: impl Iterator<Item = &'m Mutant>,
) -> Option<(ir::Program, Vec<(GoalId, &'m Mutant)>)> {
    let system = program.systems.get(&unit);
    let counts = |m: &&Mutant| m.callable == unit || system.is_some_and(|s| s.has(m.callable));
    let differences = mutants
        .filter(counts)
        .filter_map(|m| Some((m.difference(program)?, m)));
    // An entry has more probes, because its callees have mutants as well.
    let parts = (1 + system.map_or(0, |s| s.callees.len())).min(MAX_PARTS);
    let mut differences: Vec<_> = differences.take(MAX_PROBES * parts).collect();
    if differences.is_empty() {
        return None;
    }
    // Probes are inserted from the end of each block, so that the positions of the others stay
    // valid.
    differences.sort_by_key(|((block, at, _), m)| std::cmp::Reverse((m.callable, *block, *at)));
    let mut probed = program.clone();
    probed.criteria = Criteria::mutants();
    let mut decisive = Vec::new();
    // The probe goes before the changed statement or terminator, in the state that both versions
    // share.
    for ((block, at, cond), mutant) in differences {
        let procedure = Arc::make_mut(probed.procedures.get_mut(&mutant.callable)?);
        let probe = procedure.probes.len() as u32;
        // A mutant in a callee of an entry may differ in calls from elsewhere, which the entry's
        // executions do not show.
        if mutant.callable == unit && mutant.is_defined_alike(program) {
            decisive.push((GoalId::Probe(probe), mutant));
        }
        procedure.probes.push(Goal {
            reason: GoalReason::Differs,
            span: mutant.mutation.span,
        });
        let stmts = &mut procedure.blocks.get_mut(block.0 as usize)?.stmts;
        stmts.insert(
            at.min(stmts.len()),
            ir::Stmt {
                span: cond.span,
                kind: StmtKind::Probe { probe, cond },
            },
        );
    }
    Some((probed, decisive))
}
