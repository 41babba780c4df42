//! Values of static constants, each computed once.
//!
//! A mutant may change what a constant is: the values that rest on its code are the mutant's own.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::Code;
use super::word::Word;
use crate::ir::Program;
use dafny_resolve::typed::{CallableId, FieldId};
use dtest_sorted::SortedSet;

/// A constant that is asked for.
pub(super) struct Constant {
    /// Its value, and whether no other is allowed.
    pub(super) known: Option<(Word, bool)>,
    /// What computes it.
    pub(super) code: Option<Rc<Code>>,
    /// Where a value is kept that is computed.
    pub(super) keep: Option<Rc<Values>>,
}

/// What constants are, and whether they could be nothing else.
#[derive(Debug, Default)]
pub(super) struct Values(RefCell<FxHashMap<FieldId, (Word, bool)>>);

impl Values {
    pub(super) fn get(&self, field: FieldId) -> Option<(Word, bool)> {
        self.0.borrow().get(&field).cloned()
    }

    pub(super) fn keep(&self, field: FieldId, word: Word, is_determined: bool) {
        self.0.borrow_mut().insert(field, (word, is_determined));
    }
}

/// What the values of compiled constants rest on.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// Callables that some constant's value may come from.
    all: OnceCell<SortedSet<CallableId>>,
    /// Those of a constant.
    known: RefCell<FxHashMap<FieldId, SortedSet<CallableId>>>,
}

impl Origins {
    /// Whether the value of some constant may come from a callable.
    pub(super) fn include(&self, program: &Program, callable: CallableId) -> bool {
        let of_all = || {
            program
                .runs_for_constants(program.constants.keys().copied())
                .into_iter()
                .collect()
        };
        self.all.get_or_init(of_all).contains(&callable)
    }

    /// Whether the value of a constant may.
    pub(super) fn are_of(&self, program: &Program, field: FieldId, callable: CallableId) -> bool {
        if program.typed[field].ghost || !self.include(program, callable) {
            return false;
        }
        let mut known = self.known.borrow_mut();
        known
            .entry(field)
            .or_insert_with(|| program.runs_for_constants([field]).into_iter().collect())
            .contains(&callable)
    }
}
