//! Goals before code that is too hard for the solver: the unit is cut after them, so that the rest
//! of the execution costs nothing. Models are only candidates: they are validated on the whole
//! unit.
//!
//! This is the opposite of directed symbolic execution (Ma, Khoo, Foster and Hicks, *Directed
//! Symbolic Execution*, 2011): not the shortest way to a goal, but nothing beyond it.

use std::sync::Arc;

use super::api::{GoalStatus, Options, Strength};
use super::{Search, smt};
use dtest_interp::Inputs;
use dtest_ir::{self as ir, BlockId, Criterion, GoalId, Procedure, StmtKind, Terminator};
use dtest_sorted::SortedSet;

/// Maximum number of searches in a cut unit.
const MAX_ROUNDS: usize = 6;

impl Search<'_> {
    /// Searches for open goals in copies of the unit that are cut after them.
    pub(super) fn cover_before_the_rest(&mut self) {
        if self.stage == Some(Criterion::Mutant) || self.is_opaque() {
            return;
        }
        // The first round keeps all open goals and drops only the code after the last one. If a
        // round finds nothing, half of the goals are dropped from the end, because they may lie in
        // the hard code.
        let mut most = usize::MAX;
        for round in 0..MAX_ROUNDS {
            let goals = self.not_reached(false);
            most = most.min(goals.len());
            if most == 0 || self.is_over() {
                return;
            }
            let wanted: SortedSet<GoalId> = goals.into_iter().take(most).collect();
            let has_found = match cut(self.procedure, &wanted, round == 0) {
                Some(cut) => self.cover_in(cut, &wanted),
                None => false,
            };
            if !has_found {
                most /= 2;
            }
        }
    }

    /// Goals of the unit's own code without a test and without a proof, in the order of the code.
    /// `is_beyond`: also those that are unreachable within the highest bounds.
    pub(super) fn not_reached(&self, is_beyond: bool) -> Vec<GoalId> {
        // A goal without a certain result may be covered after all.
        let is_left = |g: &GoalId| {
            matches!(g, GoalId::Block(_) | GoalId::Probe(_))
                && !self.covered.contains(g)
                && match self.status.get(g) {
                    None => true,
                    // A contract may demand lengths beyond the bounds.
                    Some(
                        GoalStatus::UnreachableAtCaps { .. } | GoalStatus::UnreachableGiven { .. },
                    ) => is_beyond,
                    Some(
                        GoalStatus::OutOfBudget(_)
                        | GoalStatus::UnreachableWithinBounds { .. }
                        | GoalStatus::Cut(_)
                        | GoalStatus::NotConfirmed
                        | GoalStatus::Unsupported(_),
                    ) => true,
                    Some(_settled) => false,
                }
                && self.stage.is_none_or(|s| {
                    let criterion = self.program.criterion(self.procedure.callable, *g);
                    criterion.is_none_or(|c| c == s)
                })
        };
        let mut goals: Vec<GoalId> = self.graph.goals_from_the_end().filter(is_left).collect();
        goals.reverse();
        goals
    }

    /// Searches for these goals in the cut procedure, and validates the inputs on the unit. Returns
    /// whether a wanted goal was covered.
    fn cover_in(&mut self, procedure: Procedure, wanted: &SortedSet<GoalId>) -> bool {
        let unit = self.procedure.callable;
        let Some(declared) = self.program.contracts.get(&unit) else {
            return false;
        };
        let mut program: ir::Program = self.program.clone();
        // The cut procedure need not satisfy the unit's postconditions.
        let contract = ir::Contract {
            ensures: Vec::new(),
            ..ir::Contract::clone(declared)
        };
        program.contracts.insert(unit, Arc::new(contract));
        program.procedures.insert(unit, Arc::new(procedure));
        let Some(procedure) = program.procedures.get(&unit) else {
            return false;
        };
        // The search in the cut unit must not exceed the unit's time.
        let options = Options {
            timeout: self.since.left(self.options.timeout).unwrap_or_default(),
            strength: Strength::Coverage,
            prove: false,
            transcript: false,
            ..self.options.clone()
        };
        let (type_args, stage) = (self.type_args.clone(), self.stage);
        let (inputs, spent) = smt::with_fresh_context(|| {
            let mut search = Search::new(&program, procedure, type_args, &options);
            search.stage = stage;
            // Other goals count as covered, so that only the wanted ones are searched for.
            search.covered = search
                .graph
                .goals_from_the_end()
                .filter(|g| !wanted.contains(g))
                .collect();
            search.solve();
            let inputs: Vec<Inputs> = search.accepted.into_iter().map(|t| t.inputs).collect();
            (inputs, search.effort.spent)
        });
        self.effort.spent.solver += spent.solver;
        let mut is_of_use = false;
        // The whole unit decides whether the candidate is valid and what it covers.
        for inputs in inputs {
            if self.is_over() {
                break;
            }
            let Some(candidate) = self.validator.validate(inputs) else {
                continue;
            };
            let new: Vec<GoalId> = candidate
                .covers
                .iter()
                .filter(|g| !self.covered.contains(g))
                .copied()
                .collect();
            is_of_use |= new.iter().any(|g| wanted.contains(g));
            self.accept(candidate);
            // The status was set when the goal was open.
            new.iter().for_each(|g| {
                self.status.remove(g);
            });
        }
        is_of_use
    }
}

/// The procedure without the code that is executed after the last of these goals. `None` if nothing
/// is cut. `repeats` is whether a loop may be repeated for the sake of a goal in it.
fn cut(procedure: &Procedure, wanted: &SortedSet<GoalId>, repeats: bool) -> Option<Procedure> {
    let block_wanted = |b: BlockId| wanted.contains(&GoalId::Block(b));
    // The number of statements up to the last wanted probe.
    let after_probes = |block: &ir::Block| {
        let is_wanted = |kind: &StmtKind| matches!(kind, StmtKind::Probe { probe, .. } if wanted.contains(&GoalId::Probe(*probe)));
        block
            .stmts
            .iter()
            .rposition(|s| is_wanted(&s.kind))
            .map_or(0, |last| last + 1)
    };
    let ids: Vec<BlockId> = (0..procedure.blocks.len() as u32).map(BlockId).collect();
    // Blocks from whose start a wanted goal can be reached: a least fixed point.
    let mut leads: SortedSet<BlockId> = SortedSet::new();
    let goes_on = |from: BlockId, leads: &SortedSet<BlockId>| {
        let Some(block) = procedure.block(from) else {
            return false;
        };
        // An edge back to a loop head would repeat the loop.
        let is_back =
            |to: BlockId| to <= from && procedure.block(to).is_some_and(|b| b.loop_head.is_some());
        block
            .terminator
            .successors()
            .into_iter()
            .any(|to| leads.contains(&to) && (repeats || !is_back(to)))
    };
    // Predecessors mostly have lower numbers, so that the reverse order needs few rounds.
    let mut again = true;
    while again {
        again = false;
        for id in ids.iter().rev() {
            let Some(block) = procedure.block(*id) else {
                continue;
            };
            let is_lead = block_wanted(*id) || after_probes(block) > 0 || goes_on(*id, &leads);
            again |= is_lead && leads.insert(*id);
        }
    }
    let mut out = procedure.clone();
    let mut is_cut = false;
    // A block that leads to no wanted goal after its own probes returns there.
    for id in ids {
        let Some(block) = out.blocks.get_mut(id.0 as usize) else {
            continue;
        };
        if goes_on(id, &leads) {
            continue;
        }
        let kept = after_probes(block);
        is_cut |= kept < block.stmts.len() || !matches!(block.terminator, Terminator::Return);
        block.stmts.truncate(kept);
        block.terminator = Terminator::Return;
    }
    is_cut.then_some(out)
}
