//! Dafny's options that affect the semantics.

use std::collections::BTreeMap;

/// Dafny's options that affect the semantics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `--function-syntax`: 3 or 4.
    pub function_syntax: u8,
    /// `--unicode-char`: whether `char` is a Unicode scalar value instead of a UTF-16 code unit.
    pub unicode_char: bool,
    /// The option `--relax-definite-assignment`.
    pub relax_definite_assignment: bool,
    /// The option `--enforce-determinism`.
    pub enforce_determinism: bool,
    /// The option `--reads-clauses-on-methods`.
    pub reads_clauses_on_methods: bool,
    /// The option `--type-system-refresh`.
    pub type_system_refresh: bool,
    /// The option `--general-newtypes`.
    pub general_newtypes: bool,
    /// The option `--general-traits`: `legacy`, `datatype` or `full`.
    pub general_traits: GeneralTraits,
    /// Tables of further options, by name, for tools that work on the typed program. The resolver
    /// passes them on without reading them.
    pub tables: BTreeMap<String, BTreeMap<String, String>>,
}

/// The values of `--general-traits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeneralTraits {
    /// Every trait is a reference type.
    Legacy,
    /// Datatypes and newtypes may extend traits.
    Datatype,
    /// A trait is a reference type only if it extends `object`.
    Full,
}

impl GeneralTraits {
    /// The option as the parser has it.
    pub fn syntax(self) -> dafny_syntax::GeneralTraits {
        match self {
            Self::Legacy => dafny_syntax::GeneralTraits::Legacy,
            Self::Datatype => dafny_syntax::GeneralTraits::Datatype,
            Self::Full => dafny_syntax::GeneralTraits::Full,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            function_syntax: 4,
            unicode_char: true,
            relax_definite_assignment: false,
            enforce_determinism: false,
            reads_clauses_on_methods: false,
            type_system_refresh: false,
            general_newtypes: false,
            general_traits: GeneralTraits::Legacy,
            tables: BTreeMap::new(),
        }
    }
}

impl Options {
    /// The options with which additional text of the program is parsed.
    pub fn syntax(&self) -> dafny_syntax::Options {
        dafny_syntax::Options {
            function_syntax: dafny_syntax::FunctionSyntax::of_version(self.function_syntax),
            unicode_char: self.unicode_char,
            general_traits: self.general_traits.syntax(),
            ..dafny_syntax::Options::default()
        }
    }
}
