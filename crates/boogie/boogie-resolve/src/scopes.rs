//! The local variables and type variables in scope, the innermost last.

use dafny_source::Name;

use crate::typed::{TypeVar, VarId};

/// The local names in scope, in addition to the names of the program.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    vars: Vec<(Name, VarId)>,
    types: Vec<(Name, TypeVar)>,
}

/// The beginning of a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize, usize);

impl Scopes {
    /// Begins a scope.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.vars.len(), self.types.len())
    }

    /// Ends the scope that began at `mark`.
    pub(crate) fn leave(&mut self, mark: Mark) {
        self.vars.truncate(mark.0);
        self.types.truncate(mark.1);
    }

    pub(crate) fn add_var(&mut self, name: Name, id: VarId) {
        self.vars.push((name, id));
    }

    pub(crate) fn add_type(&mut self, name: Name, id: TypeVar) {
        self.types.push((name, id));
    }

    pub(crate) fn var(&self, name: &str) -> Option<VarId> {
        self.vars
            .iter()
            .rev()
            .find(|(n, _)| &**n == name)
            .map(|(_, v)| *v)
    }

    pub(crate) fn type_var(&self, name: &str) -> Option<TypeVar> {
        self.types
            .iter()
            .rev()
            .find(|(n, _)| &**n == name)
            .map(|(_, v)| *v)
    }

    /// Whether the scope that began at `mark` has a variable with the given name.
    pub(crate) fn has_var_since(&self, mark: Mark, name: &str) -> bool {
        self.vars.iter().skip(mark.0).any(|(n, _)| &**n == name)
    }
}
