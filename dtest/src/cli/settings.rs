//! Dafny's options that change the meaning of a program, merged from the command line, `dtest.toml`
//! and a project file.

use super::args::{DafnyArgs, DafnyVersion, GeneralTraits};
use dafny_resolve::typed::{self, Options};
use dafny_syntax::{FunctionSyntax, QuantifierSyntax};

impl DafnyArgs {
    /// Fills unset options from `fallback`; libraries are combined.
    #[must_use]
    pub fn or(mut self, fallback: Self) -> Self {
        self.library.extend(fallback.library);
        Self {
            dafny_version: self.dafny_version.or(fallback.dafny_version),
            function_syntax: self.function_syntax.or(fallback.function_syntax),
            quantifier_syntax: self.quantifier_syntax.or(fallback.quantifier_syntax),
            unicode_char: self.unicode_char.or(fallback.unicode_char),
            relax_definite_assignment: self
                .relax_definite_assignment
                .or(fallback.relax_definite_assignment),
            enforce_determinism: self.enforce_determinism.or(fallback.enforce_determinism),
            reads_clauses_on_methods: self
                .reads_clauses_on_methods
                .or(fallback.reads_clauses_on_methods),
            type_system_refresh: self.type_system_refresh.or(fallback.type_system_refresh),
            general_newtypes: self.general_newtypes.or(fallback.general_newtypes),
            general_traits: self.general_traits.or(fallback.general_traits),
            library: self.library,
            standard_libraries: self.standard_libraries.or(fallback.standard_libraries),
        }
    }

    /// Returns the options of the resolver and of later stages, with defaults for unset ones.
    pub fn options(&self) -> Options {
        let default = Options::default();
        // Later versions have the new type system, unless an option turns a part of it off.
        let is_later = self.dafny_version.is_some_and(|v| v > DafnyVersion::KNOWN);
        let type_system_refresh = self
            .type_system_refresh
            .unwrap_or(default.type_system_refresh || is_later);
        let general_newtypes = default.general_newtypes || is_later && type_system_refresh;
        let general_traits = if is_later {
            typed::GeneralTraits::Datatype
        } else {
            default.general_traits
        };
        Options {
            function_syntax: if self.function_syntax == Some(FunctionSyntax::Version3) {
                3
            } else {
                default.function_syntax
            },
            unicode_char: self.unicode_char.unwrap_or(default.unicode_char),
            // The old meaning of `function` selects Dafny 3, which requires an assignment only for
            // types without a default value.
            relax_definite_assignment: self.relax_definite_assignment.unwrap_or(
                default.relax_definite_assignment
                    || self.function_syntax == Some(FunctionSyntax::Version3),
            ),
            enforce_determinism: self
                .enforce_determinism
                .unwrap_or(default.enforce_determinism),
            reads_clauses_on_methods: self
                .reads_clauses_on_methods
                .unwrap_or(default.reads_clauses_on_methods),
            type_system_refresh,
            general_newtypes: self.general_newtypes.unwrap_or(general_newtypes),
            general_traits: self
                .general_traits
                .map_or(general_traits, |kind| match kind {
                    GeneralTraits::Legacy => typed::GeneralTraits::Legacy,
                    GeneralTraits::Datatype => typed::GeneralTraits::Datatype,
                    GeneralTraits::Full => typed::GeneralTraits::Full,
                }),
            tables: default.tables,
        }
    }

    /// Returns the options of the parser. As in Dafny, the old meaning of `function` does not
    /// change the syntax of quantifiers.
    pub fn syntax(&self) -> dafny_syntax::Options {
        let quantifier_syntax = match self.quantifier_syntax {
            Some(3) => QuantifierSyntax::Version3,
            Some(_) | None => QuantifierSyntax::Version4,
        };
        dafny_syntax::Options {
            function_syntax: self.function_syntax.unwrap_or_default(),
            quantifier_syntax,
            unicode_char: self.unicode_char.unwrap_or(true),
            general_traits: self.options().general_traits.syntax(),
        }
    }
}
