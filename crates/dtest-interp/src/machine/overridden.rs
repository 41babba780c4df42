//! Postconditions of overridden declarations: a caller relies on the declaration that it names, and
//! a dispatched call runs another one.
//!
//! They are evaluated only by an interpreter that checks specifications, after the call, with its
//! arguments and results. A postcondition that is false is a violation of the override.

use std::rc::Rc;

use super::{Machine, Memo, States, Step, bug};
use crate::api::{Failure, FailureKind, Truth};
use crate::code::CodeKey;
use crate::heap::State;
use crate::word::Word;
use dafny_resolve::typed::{CallableId, Type};
use dtest_ir::Criterion;

/// A dispatched call whose results have to satisfy the postconditions of the declaration that the
/// caller names.
pub(super) struct Dispatched {
    declared: CallableId,
    target: CallableId,
    type_args: Rc<[Type]>,
    args: Vec<Word>,
    /// The state before the call.
    old: State,
}

impl Machine<'_, '_, '_> {
    /// The record of a call of `declared`, whose arguments are on the stack. `None` if it has no
    /// postconditions to check.
    pub(super) fn before_dispatch(
        &self,
        declared: CallableId,
        argc: usize,
        type_args: &Rc<[Type]>,
    ) -> Option<Box<Dispatched>> {
        let program = self.interp.program;
        // A postcondition usually calls the function.
        let is_wanted = self.interp.checks_specifications
            && !self.is_ensuring
            && program.criteria.has(Criterion::Obligation)
            && !program.is_in_two_states(declared)
            && crate::types::dispatches(&program.typed, declared);
        let contract = program.contracts.get(&declared).filter(|_| is_wanted)?;
        if contract.ensures.is_empty() {
            return None;
        }
        let at = self.stack.len().checked_sub(argc)?;
        Some(Box::new(Dispatched {
            declared,
            target: declared,
            type_args: type_args.clone(),
            args: self.stack.get(at..)?.to_vec(),
            old: self.view().clone(),
        }))
    }

    /// Attaches the record to the activation that was entered for the call, if it is one of an
    /// overriding declaration.
    pub(super) fn dispatched(&mut self, call: Option<Box<Dispatched>>, target: CallableId) {
        let Some(mut call) = call.filter(|call| call.declared != target) else {
            return;
        };
        call.target = target;
        if let Some(frame) = self.frames.last_mut()
            && frame.pc == 0
            && matches!(frame.memo, Memo::No)
        {
            frame.memo = Memo::Dispatched(call);
        }
    }

    /// Evaluates the postconditions of the declaration that the caller of a finished call named.
    pub(super) fn after_dispatch(&mut self, call: Dispatched, results: &[Word]) -> Step<()> {
        let program = self.interp.program;
        let contract = program.contracts.get(&call.declared).ok_or_else(bug)?;
        let words: Vec<Word> = call.args.iter().chain(results).cloned().collect();
        for (i, clause) in contract.ensures.iter().enumerate() {
            let (heap, states) = (self.view().clone(), States::since(call.old.clone()));
            let key = CodeKey::Ensures(call.declared, i);
            self.is_ensuring = true;
            let truth = self.aside(&key, words.clone(), &call.type_args, heap, states);
            self.is_ensuring = false;
            match truth? {
                Truth::True => {}
                Truth::False => self.broken_by(Failure {
                    kind: FailureKind::Override,
                    span: program.typed[call.target].span,
                    clause: None,
                    message: "the postcondition of the overridden declaration does not hold"
                        .to_owned(),
                })?,
                Truth::Unknown(reason) => {
                    if !self.unknown.iter().any(|(span, _)| *span == clause.span) {
                        self.unknown.push((clause.span, reason));
                    }
                }
            }
        }
        Ok(())
    }
}
