//! Inputs on which mutants differ from the unit where they are changed: the first step towards a test that notices them (a mutant is
//! reached, infected, and the difference comes out: DeMillo and Offutt, *Constraint-Based Automatic Test Data Generation*, 1991). The solver
//! is asked for them, by probes of a copy of the unit; whether the difference comes out is seen by running the mutant.

use super::api::{Bounds, Options, Strength};
use super::{Search, smt};
use crate::interp::Inputs;
use crate::ir::{self, Criteria, Criterion, Goal, GoalReason, StmtKind};
use crate::mutants::Mutant;
use dafny_resolve::typed::{CallableId, Type};

/// Mutants that the solver is asked about, at most.
const MAX_PROBES: usize = 32;

/// The whole costs no more than one of so many parts of what the unit may.
const PARTS: u32 = 4;

/// Inputs on which some of the mutants differ from the unit at the places where they are changed, within bounds that reached its goals: at
/// larger ones, those that never differ would cost the most.
pub(super) fn inputs<'m>(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    mutants: impl Iterator<Item = &'m Mutant>,
    (bounds, options): (Bounds, &Options),
) -> Vec<Inputs> {
    let Some(probed) = probed(program, unit, mutants) else { return Vec::new() };
    let Some(procedure) = probed.procedures.get(&unit) else { return Vec::new() };
    let options = Options {
        start: room(bounds, options.caps),
        caps: room(bounds, options.caps),
        rlimit: (options.rlimit / PARTS).max(1),
        strength: Strength::Coverage,
        prove: false,
        transcript: false,
        ..options.clone()
    };
    let type_args = type_args.to_vec();
    smt::with_fresh_context(|| {
        let mut search = Search::new(&probed, procedure, type_args, &options);
        search.stage = Some(Criterion::Mutant);
        search.seek();
        search.accepted.into_iter().map(|t| t.inputs).collect()
    })
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
    }
}

/// The program with a probe before each place where one of the mutants is changed: that it differs there. `None`: nothing can be probed.
fn probed<'m>(program: &ir::Program, unit: CallableId, mutants: impl Iterator<Item = &'m Mutant>) -> Option<ir::Program> {
    let differences = mutants.filter(|m| m.callable == unit).filter_map(|m| Some((m.difference(program)?, m.mutation.span)));
    let mut differences: Vec<_> = differences.take(MAX_PROBES).collect();
    if differences.is_empty() {
        return None;
    }
    // From the end, so that places stay.
    differences.sort_by_key(|((block, at, _), _)| std::cmp::Reverse((*block, *at)));
    let mut probed = program.clone();
    probed.criteria = Criteria::mutants();
    let procedure = probed.procedures.get_mut(&unit)?;
    for ((block, at, cond), span) in differences {
        let probe = procedure.probes.len() as u32;
        procedure.probes.push(Goal { reason: GoalReason::Differs, span });
        let stmts = &mut procedure.blocks.get_mut(block.0 as usize)?.stmts;
        stmts.insert(at.min(stmts.len()), ir::Stmt { span: cond.span, kind: StmtKind::Probe { probe, cond } });
    }
    Some(probed)
}
