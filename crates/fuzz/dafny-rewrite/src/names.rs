//! Fresh names for a program.

use dafny_syntax::ast::{File, Ident, Name};
use dafny_syntax::visit::{Node, Visit};
use rustc_hash::FxHashSet;

/// The names of a program, including new ones.
#[derive(Debug, Clone, Default)]
pub struct Names(FxHashSet<Name>);

impl Names {
    /// Collects all names in a program.
    pub fn of(file: &File) -> Self {
        struct All(FxHashSet<Name>);
        impl<'t> Visit<'t> for All {
            fn ident(&mut self, node: &'t Ident) {
                self.0.insert(node.name.clone());
            }
        }
        let mut all = All(dafny_syntax::KEYWORD_TEXTS
            .iter()
            .map(|k| Name::from(*k))
            .collect());
        file.walk(&mut all);
        Self(all.0)
    }

    /// Returns a new name similar to `wish`, and reserves it.
    pub fn fresh(&mut self, wish: &str) -> Name {
        let mut name = Name::from(wish);
        let mut n = 1u32;
        while !self.0.insert(name.clone()) {
            n += 1;
            name = Name::from(format!("{wish}{n}"));
        }
        name
    }
}
