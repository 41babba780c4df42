//! Loops: executed iteration by iteration, or represented by their invariants.

use std::rc::Rc;

use boogie_resolve::typed::{Block, BlockId, Implementation, VarId};

use super::{Machine, State};
use crate::execution::{Ending, FailureKind, StepKind};
use crate::flow::changed_in_loop;
use crate::world::{Res, Stop};

impl<'p> Machine<'p> {
    /// Handles the head of a loop.
    pub(super) fn head(&mut self, state: &mut State<'p>, block: &'p Block) -> Res<Option<Ending>> {
        if let Some(f) = state.frames.last_mut() {
            f.past_head = true;
        }
        let Some(head) = &block.head else {
            return Ok(None);
        };
        let Some(f) = state.frames.last_mut() else {
            return Ok(None);
        };
        let (at, implementation) = (f.block, f.implementation);
        let rounds = Rc::make_mut(&mut f.rounds).entry(at).or_insert(0);
        *rounds += 1;
        let n = *rounds;
        let is_cut = self.modular.by_invariant.contains(&head.span);
        if n > self.world.limits.rounds {
            return Err(Stop::Limit("loop iterations"));
        }
        self.record(state, StepKind::Rounds(n - 1), head.span, &[]);
        let kind = if n == 1 {
            FailureKind::InvariantAtEntry
        } else {
            FailureKind::Invariant
        };
        for clause in &head.invariants {
            let env = self.env(state);
            let t = self.world.term(&clause.expr, &env)?;
            let ending = if clause.free {
                self.assume(state, t, clause.span)?
            } else {
                self.assert(state, t, kind, clause.span, clause.span)?
            };
            if ending.is_some() {
                return Ok(ending);
            }
        }
        // A cut loop was entered in an arbitrary state, so that one iteration represents all.
        if is_cut && n > 1 {
            return Ok(Some(Ending::Cut));
        }
        // For the verifier, a loop assigns arbitrary values that satisfy the `where` clauses.
        // States that violate them are not considered.
        let changed = self.changed_in_loop(implementation, at);
        for v in changed.iter().filter(|_| is_cut) {
            self.havoc(state, *v)?;
        }
        if let Some(ending) = self.wheres(state, &changed, head.span)? {
            return Ok(Some(ending));
        }
        if !is_cut {
            return Ok(None);
        }
        // After the havoc, the invariants describe the state at the head.
        for clause in &head.invariants {
            let env = self.env(state);
            let t = self.world.term(&clause.expr, &env)?;
            if let Some(ending) = self.assume(state, t, clause.span)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    /// Returns the variables that the loop with this head assigns.
    fn changed_in_loop(
        &mut self,
        implementation: &'p Implementation,
        head: BlockId,
    ) -> Rc<[VarId]> {
        let program = self.world.program;
        let entry = self
            .changed
            .entry((std::ptr::from_ref(implementation), head));
        Rc::clone(entry.or_insert_with(|| changed_in_loop(program, &implementation.blocks, head)))
    }
}
