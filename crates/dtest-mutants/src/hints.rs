//! Changes that are no mutants: they stand for errors that the mutation operators do not make, and
//! guide the search for inputs only. Too many of them are equivalent to the program for survivors to
//! be of interest.

use super::stmts::roots;
use super::{Change, Finder, Mutant, Mutation, MutationKind, Place};
use dtest_ir::{Block, BlockId, Decision, GoalReason, Program, Simple, Terminator};

use dafny_resolve::typed::CallableId;

/// The hints of a callable in the order of its code. A hint is used like a mutant, but not shown to
/// users as one.
pub fn hints(program: &Program, callable: CallableId) -> Vec<Mutant> {
    let Some((mut finder, _)) = Finder::of(program, callable) else {
        return Vec::new();
    };
    for (i, block) in finder.procedure.blocks.iter().enumerate() {
        finder.first_instead_of_last(BlockId(i as u32), block);
    }
    finder.found
}

impl Finder<'_> {
    /// Leaves a loop after an assignment in a branch of its body: the first element that satisfies a
    /// condition is taken instead of the last one, or only one of several is counted.
    fn first_instead_of_last(&mut self, head: BlockId, block: &Block) {
        let Some(exit) = block.loop_head.as_ref().and_then(|info| self.exit(info)) else {
            return;
        };
        let (_, inside) = self.iterations(head);
        let read = self.read_outside(head, &inside);
        for id in inside {
            let Some(block) = self.procedure.block(id).filter(|b| is_branch(b)) else {
                continue;
            };
            let Terminator::Goto(next) = block.terminator else {
                continue;
            };
            let assigned = block.stmts.iter().enumerate().rev().find(|(at, stmt)| {
                let is_read =
                    matches!(stmt.simple(), Some(Simple::Assigns(var, _)) if read.contains(&var));
                is_read && self.seen.matters(id, *at) && !roots(stmt).is_empty()
            });
            let Some((_, stmt)) = assigned else {
                continue;
            };
            self.found.push(Mutant {
                callable: self.procedure.callable,
                place: Place::End(id),
                change: Change::Leave { head: next, exit },
                also: Vec::new(),
                mutation: Mutation::new(stmt.span, MutationKind::Iteration, Vec::new()),
            });
        }
    }
}

/// Whether a block is entered by a condition or a case of a `match`.
fn is_branch(block: &Block) -> bool {
    block.goal.as_ref().is_some_and(|goal| {
        let is_if = matches!(
            goal.reason,
            GoalReason::Branch {
                decision: Decision::If,
                ..
            }
        );
        is_if || goal.is_case()
    })
}
