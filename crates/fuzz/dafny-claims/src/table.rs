//! The table of claims, and the texts of their programs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::{characteristics, expressions};

/// The reason why a claim must be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A rule of the language: the title of a section of Dafny's reference manual, and the rule.
    Rule(&'static str),
    /// An execution of the program violates an obligation, which an interpreter can show.
    Execution,
}

impl Basis {
    /// Describes the reason.
    pub fn text(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule,
            Self::Execution => "an execution violates an obligation",
        }
    }
}

/// The stage of Dafny that has to refuse a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The front end.
    Resolve,
    /// The verifier.
    Verify,
}

/// The options that a claim needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Options {
    /// Any options of Dafny's type system.
    Default,
    /// Newtypes over all types, and traits that are no reference types.
    General,
}

/// A program with one claim that must be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The kind of claim.
    pub family: &'static str,
    /// The name within the family: the names of the parts that the program is combined from.
    pub name: String,
    /// The stage that has to refuse the claim; an earlier stage may.
    pub stage: Stage,
    /// The reason.
    pub basis: Basis,
    /// The options that the program needs.
    pub options: Options,
    /// The declarations of a module.
    pub text: String,
    /// The same program without the false claim, which must be accepted.
    pub control: String,
}

/// A table that is being built.
#[derive(Debug, Default)]
pub(crate) struct Table {
    claims: Vec<Claim>,
}

impl Table {
    /// Adds a claim. Declarations of the prelude that its texts mention are added to them.
    #[expect(clippy::too_many_arguments, reason = "the columns of the table")]
    pub(crate) fn add(
        &mut self,
        family: &'static str,
        names: &[&str],
        stage: Stage,
        basis: Basis,
        options: Options,
        text: String,
        control: String,
    ) {
        self.claims.push(Claim {
            family,
            name: names.join("/"),
            stage,
            basis,
            options,
            text: with_prelude(text),
            control: with_prelude(control),
        });
    }

    pub(crate) fn into_claims(self) -> Vec<Claim> {
        self.claims
    }
}

/// Adds declarations to a program. A refining module sees only those of the module that it refines.
pub(crate) fn with_declarations(text: &str, declarations: &str) -> String {
    if declarations.is_empty() {
        return text.to_owned();
    }
    match text.strip_prefix(REFINED) {
        Some(rest) => format!("{REFINED}\n{declarations}\n{}", rest.trim_start()),
        None => format!("{text}\n{declarations}"),
    }
}

/// The beginning of programs with refinement.
const REFINED: &str = "abstract module A {";

/// Adds the declarations of the prelude that a text mentions, directly or by each other.
fn with_prelude(text: String) -> String {
    let mut added: Vec<&str> = Vec::new();
    let mut text = text;
    let mut new = mentioned(&text);
    while !new.is_empty() {
        new.retain(|declaration| !added.contains(declaration));
        for declaration in &new {
            if !added.contains(declaration) {
                text = with_declarations(&text, declaration);
                added.push(declaration);
            }
        }
        new = new.iter().flat_map(|d| mentioned(d)).collect();
    }
    text
}

/// Returns the declarations of the prelude whose names are words of a text.
fn mentioned(text: &str) -> Vec<&'static str> {
    static PRELUDE: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        let declarations = expressions::PRELUDE.iter().chain(characteristics::TYPES);
        declarations.copied().collect()
    });
    // All names begin with a capital letter, most words do not.
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .filter_map(|word| PRELUDE.get(word).copied())
        .collect()
}
