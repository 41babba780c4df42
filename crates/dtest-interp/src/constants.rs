//! Cached values of static constants.
//!
//! A mutant may change constants: the values that depend on its code are its own.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::Code;
use super::word::Word;
use dafny_resolve::typed::{CallableId, FieldId};
use dtest_ir::Program;
use dtest_sorted::SortedSet;

/// The known state of a constant.
pub(super) struct Constant {
    /// The value, and whether Dafny's semantics allows no other value.
    pub(super) known: Option<(Word, bool)>,
    /// The code that computes it.
    pub(super) code: Option<Rc<Code>>,
    /// The cache for the computed value.
    pub(super) keep: Option<Rc<Values>>,
}

/// The values of constants, each with whether it is determined.
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

/// The callables that compiled constants depend on.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// The callables that any constant depends on.
    all: OnceCell<SortedSet<CallableId>>,
    /// The callables that one constant depends on.
    known: RefCell<FxHashMap<FieldId, SortedSet<CallableId>>>,
}

impl Origins {
    /// Whether any constant may depend on a callable.
    pub(super) fn include(&self, program: &Program, callable: CallableId) -> bool {
        let of_all = || {
            program
                .runs_for_constants(program.constants.keys().copied())
                .into_iter()
                .collect()
        };
        self.all.get_or_init(of_all).contains(&callable)
    }

    /// Whether a constant may depend on a callable.
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
