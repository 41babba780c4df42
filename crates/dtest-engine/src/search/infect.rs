//! Inputs on which mutants differ from the unit where they are changed: the first step towards a test that notices them (a mutant is
//! reached, infected, and the difference comes out: DeMillo and Offutt, *Constraint-Based Automatic Test Data Generation*, 1991). The solver
//! is asked for them, by probes of a copy of the unit; whether the difference comes out is seen by running the mutant.

use std::ops::RangeInclusive;
use std::sync::Arc;

use std::time::Instant;

use super::api::{Bounds, Equivalence, GoalStatus, Options, Strength};
use super::{Search, smt};
use crate::interp::Inputs;
use crate::ir::{self, Criteria, Criterion, Goal, GoalId, GoalReason, StmtKind};
use crate::mutants::{Mutant, Mutation};
use dafny_resolve::typed::{CallableId, Type};

/// Mutants that the solver is asked about, at most; of an entry, for itself and so many callees together.
const MAX_PROBES: usize = 32;
const MAX_PARTS: usize = 4;

/// The limit of a query is one of so many parts of what it is for the unit's goals.
const PARTS: u32 = 16;

/// What all may cost, in queries: what the unit's goals have cost, but neither less nor more.
const QUERIES: RangeInclusive<u64> = 3..=16;

/// What is to be found out about mutants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// Inputs, and which never differ.
    All,
    /// Which never differ: those are left out that may do something else all the same.
    Equivalence,
}

/// What the solver says of some mutants.
#[derive(Default)]
pub(super) struct Infected {
    /// Inputs on which some of them differ from the unit at the places where they are changed.
    pub inputs: Vec<Inputs>,
    /// Those that never differ there, and how sure that is.
    pub equivalent: Vec<(Mutation, Equivalence)>,
}

/// Asks about some of the mutants, within bounds that reached the unit's goals: at larger ones, those that never differ would cost the most.
pub(super) fn ask(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    (mutants, interest): (&[&Mutant], Interest),
    within: Within<'_>,
) -> Infected {
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
    let options = within.options(PARTS);
    let type_args = type_args.to_vec();
    smt::with_fresh_context(|| {
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
}

impl Search<'_> {
    /// How sure it is that a probe never shows; `None`: it may.
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

/// How far a search for mutants may go.
#[derive(Clone, Copy)]
pub(super) struct Within<'o> {
    /// Bounds that reached the unit's goals.
    pub bounds: Bounds,
    /// The unit is large: most mutants show at small bounds, and little can be asked at larger ones.
    pub is_large: bool,
    /// Those of the search for the goals.
    pub options: &'o Options,
    /// What that has cost, in points.
    pub spent: u64,
    /// When the unit's time is over; `None`: never.
    pub until: Option<Instant>,
}

impl Within<'_> {
    /// Options for which the limit of a query is one of `parts` of what it is for the goals, and the whole costs about as much.
    pub(super) fn options(&self, parts: u32) -> Options {
        let caps = room(self.bounds, self.options.caps);
        let start = if self.is_large {
            least(
                Bounds {
                    calls: caps.calls,
                    ..self.options.start
                },
                caps,
            )
        } else {
            caps
        };
        let rlimit = (self.options.rlimit / parts).max(1);
        let queries =
            (self.spent / u64::from(rlimit)).clamp(*QUERIES.start(), *QUERIES.end()) as u32;
        let timeout = self.until.map_or(self.options.timeout, |end| {
            end.saturating_duration_since(crate::clock::now())
        });
        let strength = Strength::Coverage;
        // What the solver does not propose, the search for tests tries by itself.
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

/// The smaller one of each two bounds.
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

/// Bounds with room for a difference to come out, where those of the unit leave none.
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

/// The program with a probe before each place where one of the mutants is changed, that it differs there; and the probes of mutants that
/// do the same as the unit where it never does. `None`: nothing can be probed.
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
    let parts = (1 + system.map_or(0, |s| s.callees.len())).min(MAX_PARTS);
    let mut differences: Vec<_> = differences.take(MAX_PROBES * parts).collect();
    if differences.is_empty() {
        return None;
    }
    // From the end, so that places stay.
    differences.sort_by_key(|((block, at, _), m)| std::cmp::Reverse((m.callable, *block, *at)));
    let mut probed = program.clone();
    probed.criteria = Criteria::mutants();
    let mut decisive = Vec::new();
    for ((block, at, cond), mutant) in differences {
        let procedure = Arc::make_mut(probed.procedures.get_mut(&mutant.callable)?);
        let probe = procedure.probes.len() as u32;
        // Of what an entry calls, others may ask for more than it does.
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
