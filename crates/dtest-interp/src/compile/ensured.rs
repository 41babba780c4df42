//! Postconditions of callees, where obligations are goals: they are evaluated when the callee
//! returns, as obligations of its own.

use super::Compiler;
use crate::code::{CodeKey, Ins, Target};
use dafny_resolve::typed::{Body, CallableId, Type};
use dtest_ir::{AssertKind, Criterion, Var};

impl Compiler<'_> {
    /// Evaluates the postconditions of a callable at the end of its body, with its results in the
    /// slots `outs`. A postcondition that cannot be evaluated, or that costs too much, is skipped:
    /// the well-formedness of contracts is a separate obligation.
    pub(super) fn postconditions(&mut self, callee: CallableId, params: &[Var], outs: &[u32]) {
        let program = self.program;
        let has_body = !matches!(program.typed[callee].body, Body::None);
        let Some(contract) = program
            .contracts
            .get(&callee)
            .filter(|_| has_body && program.criteria.has(Criterion::Obligation))
        else {
            return;
        };
        if (params.len(), outs.len()) != (contract.params.len(), contract.outs.len()) {
            return;
        }
        // The clause is a call of the contract's code with the parameters and results.
        let slots: Vec<u32> = params
            .iter()
            .map(|p| self.slot(*p))
            .chain(outs.iter().copied())
            .collect();
        let type_args: Vec<Type> = contract
            .type_params
            .iter()
            .map(|p| Type::Param(*p))
            .collect();
        for (i, clause) in contract.ensures.iter().enumerate() {
            let key = CodeKey::Ensures(callee, i);
            self.code.needs_entry |= super::code(program, &key, super::Extras::default())
                .is_some_and(|code| code.needs_entry);
            self.span = clause.span;
            let (end, caught) = (self.label(), self.label());
            // A failure inside the clause counts as undecided, and its steps are budgeted: an
            // expensive clause must not consume the fuel of the unit.
            self.emit(Ins::Ensure(end));
            self.emit(Ins::Try(caught));
            self.budgeted(|c| {
                slots.iter().for_each(|slot| c.emit(Ins::Load(*slot)));
                let site = c.site(Target::Code(key), &type_args, slots.len());
                c.emit(Ins::Call(site));
            });
            self.emit(Ins::Untry);
            self.place(caught);
            self.emit(Ins::Ensured);
            self.emit(Ins::Assert(AssertKind::Postcondition));
            self.place(end);
        }
    }

    /// Evaluates the postconditions of a function, whose value stays on the stack.
    pub(super) fn postconditions_of_value(&mut self, callee: CallableId, params: &[Var]) {
        if self.program.typed[callee].spec.ensures.is_empty()
            || !self.program.criteria.has(Criterion::Obligation)
        {
            return;
        }
        let slot = self.temp();
        self.emit(Ins::Store(slot));
        self.postconditions(callee, params, &[slot]);
        self.emit(Ins::Load(slot));
    }
}
