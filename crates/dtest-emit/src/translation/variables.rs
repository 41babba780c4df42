//! The variables of a body: the expressions that stand for them, and how they are assigned.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::Code;
use super::walk::assigned;
use dafny_resolve::typed::{Block, LocalId};

/// The variables of a body.
#[derive(Default)]
pub(crate) struct Variables {
    /// The variables in scope.
    in_scope: FxHashMap<LocalId, Code>,
    /// The number of assignments to each variable in the text, apart from its declaration.
    assignments: FxHashMap<LocalId, usize>,
    /// Variables that are declared by their first assignment.
    sunk: FxHashSet<LocalId>,
}

impl Variables {
    /// Returns variables of which the same ones are in scope, without their assignments.
    pub(super) fn elsewhere(&self) -> Self {
        Self {
            in_scope: self.in_scope.clone(),
            ..Self::default()
        }
    }

    /// Returns the expression for a variable in scope.
    pub(crate) fn get(&self, local: LocalId) -> Option<&Code> {
        self.in_scope.get(&local)
    }

    /// Whether a variable is in scope.
    pub(super) fn contains(&self, local: LocalId) -> bool {
        self.in_scope.contains_key(&local)
    }

    /// Brings a variable into scope.
    pub(crate) fn insert(&mut self, local: LocalId, code: Code) {
        self.in_scope.insert(local, code);
    }

    /// Takes a variable out of scope.
    pub(crate) fn remove(&mut self, local: LocalId) {
        self.in_scope.remove(&local);
    }

    /// Returns the variables in scope, for [`Self::leave`] at the end of an inner scope.
    pub(super) fn enter(&self) -> FxHashMap<LocalId, Code> {
        self.in_scope.clone()
    }

    /// Ends an inner scope. What is known of assignments stays.
    pub(super) fn leave(&mut self, outer: FxHashMap<LocalId, Code>) {
        self.in_scope = outer;
    }

    /// Counts the assignments of a block to each variable.
    pub(super) fn count_assignments(&mut self, block: &Block) {
        for local in assigned(block) {
            *self.assignments.entry(local).or_insert(0) += 1;
        }
    }

    /// Records that the iterations of a loop change a variable.
    pub(super) fn change_repeatedly(&mut self, local: LocalId) {
        *self.assignments.entry(local).or_insert(0) += 2;
    }

    /// Whether the text assigns a variable, apart from an initial value in its declaration.
    pub(super) fn is_assigned(&self, local: LocalId) -> bool {
        self.assignments.contains_key(&local)
    }

    /// Whether a variable changes after its Rust declaration.
    pub(super) fn is_changed(&self, local: LocalId) -> bool {
        // The assignment that declares a variable does not count as a change.
        let least = if self.is_sunk(local) { 2 } else { 1 };
        self.assignments.get(&local).is_some_and(|&n| n >= least)
    }

    /// Lets variables be declared by their first assignment.
    pub(super) fn sink(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        self.sunk.extend(locals);
    }

    /// Whether a variable is declared by its first assignment.
    pub(super) fn is_sunk(&self, local: LocalId) -> bool {
        self.sunk.contains(&local)
    }
}
