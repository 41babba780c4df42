//! Names: as text ([`Ident`]), and resolved ([`NameId`] in a [`NameTable`]).

use std::fmt;
use std::rc::Rc;

use super::is_name;
use dtest_sorted::SortedSet;

/// A name as text; a keyword of Rust has its `r#`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ident(Rc<str>);

impl Ident {
    /// Creates a name from a text that is an identifier.
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Ident {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Ident {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl From<&Ident> for Ident {
    fn from(name: &Ident) -> Self {
        name.clone()
    }
}

/// A resolved name in a function: a variable is identified by its declaration, any other item by
/// its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(u32);

/// A set of names of a function.
pub(crate) type Names = SortedSet<NameId>;

/// The names of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NameTable(Vec<Named>);

#[derive(Clone, Debug, PartialEq)]
struct Named {
    text: Ident,
    is_declared: bool,
}

impl NameTable {
    /// Adds a name; `is_declared` tells whether the function declares it as a variable.
    pub(super) fn add(&mut self, text: Ident, is_declared: bool) -> NameId {
        self.0.push(Named { text, is_declared });
        NameId(u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX))
    }

    /// Returns the text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.0.get(id.0 as usize).map_or("", |n| n.text.as_str())
    }

    /// Returns the text of a name as an [`Ident`].
    pub(super) fn ident(&self, id: NameId) -> Ident {
        self.0
            .get(id.0 as usize)
            .map_or_else(|| Ident::new(""), |n| n.text.clone())
    }

    /// Whether the name is a variable that the function declares in its body.
    pub(crate) fn is_declared(&self, id: NameId) -> bool {
        self.0.get(id.0 as usize).is_some_and(|n| n.is_declared)
    }

    /// Renames a variable everywhere.
    pub(crate) fn rename(&mut self, id: NameId, text: &str) {
        if let Some(n) = self.0.get_mut(id.0 as usize) {
            n.text = Ident::new(text);
        }
    }

    /// Returns the variables that the function declares in its body.
    #[cfg(test)]
    pub(super) fn declared(&self) -> Vec<NameId> {
        let ids = (0..self.0.len())
            .filter_map(|i| u32::try_from(i).ok())
            .map(NameId);
        ids.filter(|id| self.is_declared(*id)).collect()
    }
}

/// The name of a variable that the program calls `_`.
pub(crate) const NAMELESS: &str = "blank";

/// Converts a name to an identifier, raw if it is a keyword of Rust.
pub(crate) fn ident(name: &str) -> Ident {
    match name {
        // `gen` is a keyword since the 2024 edition.
        "gen" => Ident::new("r#gen"),
        "self" | "Self" | "super" | "crate" | "_" => Ident::new(&format!("{name}_")),
        _ if is_name(name) => Ident::new(name),
        _ if is_name(&format!("r#{name}")) => Ident::new(&format!("r#{name}")),
        _ => Ident::new("unnamed"),
    }
}

/// Removes the `r#` of a raw identifier.
pub(crate) fn without_raw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Whether a name can be used unchanged for a module: it is an identifier and not a keyword.
pub(crate) fn is_plain_name(name: &str) -> bool {
    name != "gen" && is_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_become_raw_identifiers() {
        assert_eq!(ident("match").to_string(), "r#match");
        assert_eq!(ident("self").to_string(), "self_");
        assert_eq!(ident("size").to_string(), "size");
    }
}
