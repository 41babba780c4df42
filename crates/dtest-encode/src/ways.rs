//! The ways in which the unit's contract holds, as goals; and its postconditions as obligations.

use std::rc::Rc;

use super::value::{Heap, Sym};
use super::walk::End;
use super::{Encoder, Fact, Frame};
use dafny_resolve::typed::{CallableId, Substitution};
use dtest_ir::GoalId;
use dtest_ir::reason::Reason;
use dtest_smt::Term;
use dtest_sorted::SortedMap;

impl<'p> Encoder<'p> {
    /// Adds the condition of each way to `reached`: ways of preconditions in the initial state,
    /// ways of postconditions at the return. A way that cannot be encoded does not affect the
    /// others; the result contains these with the reason.
    pub(super) fn ways(
        &mut self,
        unit: CallableId,
        args: &[Sym],
        subst: &Rc<Substitution>,
        before: &Heap,
        end: &End,
        reached: &mut SortedMap<GoalId, Term>,
    ) -> SortedMap<GoalId, Reason> {
        let mut blurred = SortedMap::new();
        let Some(contract) = self
            .program
            .contracts
            .get(&unit)
            .filter(|c| !c.ways.is_empty())
        else {
            return blurred;
        };
        let mut entry = Frame::new(&contract.vars, Rc::clone(subst));
        entry.bind(&contract.params, args);
        entry.snapshots.insert(None, before.clone());
        let mut exit = entry.clone();
        exit.bind(&contract.outs, &end.outs);
        let after = std::mem::replace(&mut self.heap, before.clone());
        for (i, way) in (0..).zip(&contract.ways) {
            // Collect the reasons of each way separately.
            let reasons = std::mem::take(&mut self.omissions.reasons);
            let (frame, heap, pc) = if way.post {
                (&mut exit, &after, end.returned)
            } else {
                (&mut entry, before, self.t.tt)
            };
            self.heap = heap.clone();
            let (holds, defined) = self.isolated(|e| e.eval_bool(&way.clause.cond, frame));
            let here = self.t.and(pc, defined);
            let here = self.t.and(here, holds);
            reached.insert(GoalId::Way(i), here);
            let own = std::mem::replace(&mut self.omissions.reasons, reasons);
            if let Some(reason) = own.first() {
                blurred.insert(GoalId::Way(i), reason.clone());
            }
        }
        self.heap = after;
        blurred
    }

    /// Records the postconditions of the unit as obligations at its return.
    pub(super) fn oblige_postconditions(
        &mut self,
        unit: CallableId,
        args: &[Sym],
        subst: &Rc<Substitution>,
        before: &Heap,
        end: &End,
    ) {
        let Some(contract) = self
            .program
            .contracts
            .get(&unit)
            .filter(|_| self.assumed.obligations.is_some())
        else {
            return;
        };
        // The postcondition is evaluated in the final state, with the state at the call as the
        // older one.
        let mut exit = Frame::new(&contract.vars, Rc::clone(subst));
        exit.bind(&contract.params, args);
        exit.snapshots.insert(None, before.clone());
        exit.bind(&contract.outs, &end.outs);
        for clause in &contract.ensures {
            self.oblige_that(
                Fact::Postcondition(unit, clause.span),
                end.returned,
                &clause.cond,
                &mut exit,
            );
        }
    }
}
