//! The Rust names of one body's variables.

use crate::rust::{Ident, ident, without_raw};
use dtest_sorted::SortedMap;

/// The names in use in a body, each for one variable.
///
/// A Dafny variable gets its own name, with underscores if that is taken; a generated one gets a
/// word that describes its use, with a number. Dafny names have no spaces, so a key with a space is
/// a generated variable's.
#[derive(Clone, Default)]
pub(super) struct LocalNames {
    /// The variable that a Rust name represents: its Dafny name, or a key with a space.
    taken: SortedMap<String, String>,
    /// The number of generated names.
    made_up: u32,
}

impl LocalNames {
    /// Returns an unused name, derived from a word that describes its use.
    pub(super) fn make_up(&mut self, word: &str, is_global: impl Fn(&str) -> bool) -> Ident {
        self.made_up += 1;
        let key = format!("{word} {}", self.made_up);
        self.fresh_for(word, &key, is_global)
    }

    /// Reserves a name, so that no other variable shadows it.
    pub(super) fn reserve(&mut self, name: &Ident) {
        self.taken.insert(
            without_raw(&name.to_string()).to_owned(),
            format!("{name} alone"),
        );
    }

    /// Returns the name of the variable with this key, derived from the word `rust`. A name for
    /// which `is_global` holds is not used.
    pub(super) fn fresh_for(
        &mut self,
        rust: &str,
        key: &str,
        is_global: impl Fn(&str) -> bool,
    ) -> Ident {
        let (mut name, mut number) = (rust.to_owned(), 1);
        while is_global(&name) || self.taken.get(&name).is_some_and(|k| k != key) {
            // Generated names are numbered; those of the program keep their word.
            if key.contains(' ') && !rust.starts_with('_') {
                number += 1;
                name = format!("{rust}_{number}");
            } else {
                name.push('_');
            }
        }
        self.taken.insert(name.clone(), key.to_owned());
        ident(&name)
    }

    /// Returns the names in use, for [`Self::leave`] at the end of an inner scope.
    pub(super) fn enter(&self) -> SortedMap<String, String> {
        self.taken.clone()
    }

    /// Releases the names of an inner scope. The numbers of generated names are not used again, so
    /// that names of different scopes stay different.
    pub(super) fn leave(&mut self, outer: SortedMap<String, String>) {
        self.taken = outer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(names: &mut LocalNames, word: &str, key: &str) -> String {
        names.fresh_for(word, key, |name| name == "int").to_string()
    }

    #[test]
    fn a_variable_keeps_its_name_and_others_get_underscores() {
        let mut names = LocalNames::default();
        assert_eq!(fresh(&mut names, "x", "x"), "x");
        assert_eq!(fresh(&mut names, "x", "x"), "x");
        assert_eq!(fresh(&mut names, "x", "X"), "x_");
        assert_eq!(fresh(&mut names, "int", "int"), "int_");
    }

    #[test]
    fn generated_names_are_numbered_and_end_with_their_scope() {
        let mut names = LocalNames::default();
        let outer = names.enter();
        assert_eq!(names.make_up("result", |_| false).to_string(), "result");
        assert_eq!(names.make_up("result", |_| false).to_string(), "result_2");
        names.leave(outer);
        assert_eq!(names.make_up("result", |_| false).to_string(), "result");
    }

    #[test]
    fn a_reserved_name_is_no_variable() {
        let mut names = LocalNames::default();
        names.reserve(&ident("this"));
        assert_eq!(fresh(&mut names, "this", "this"), "this_");
    }
}
