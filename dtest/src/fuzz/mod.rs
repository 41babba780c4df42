//! Differential fuzzing: the comparisons, and the kinds of disagreements.
//!
//! A program and its equivalent rewritings ([`dafny_rewrite`]) are given to oracles that should
//! agree: the interpreter, `check` and the search for dead code ([`own`], [`claims`]), a verifier,
//! and compilers. The command line runs external tools; this module interprets their output.

pub mod annotate;
pub mod claims;
pub mod command;
pub mod false_claims;
pub mod mutant_texts;
pub mod others;
pub mod own;
pub mod prints;
pub mod proofs;
pub mod reduce;
pub mod round;

use dafny_resolve::typed::{GeneralTraits, Options};

/// The kind of a disagreement.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A rewritten program does not resolve.
    Unfit,
    /// A rewritten program behaves differently in the interpreter.
    Meaning,
    /// An execution refutes a claim about all executions: dead code, equivalent mutants, determined
    /// values.
    Claim,
    /// An execution violates an obligation that `check` proves.
    Proof,
    /// `check` proves an obligation in one program, and an execution violates it in an equivalent
    /// one.
    Verdicts,
    /// A stage panicked.
    Panic,
    /// The verifier accepts the rewritten program and refutes the program.
    Soundness,
    /// The verifier accepts the program and refutes the rewritten one.
    Precision,
    /// The verifier accepts a program that violates an obligation in an execution.
    Unsound,
    /// The verifier accepts a program with a claim that a rule of the language forbids.
    Accepted,
    /// The verifier rejects an obligation that `check` proves, although no abstraction by
    /// specifications is involved.
    Incomplete,
    /// A front end rejects a program that ours accepts; for a verifier, a rewritten program whose
    /// seed it accepts.
    Refused,
    /// A verifier or compiler crashed.
    Crash,
    /// The output of a compiler does not compile.
    NotCompiled,
    /// A compiled program prints something else than the interpreter.
    Printed,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 15] = [
        Self::Unfit,
        Self::Meaning,
        Self::Claim,
        Self::Proof,
        Self::Verdicts,
        Self::Panic,
        Self::Soundness,
        Self::Precision,
        Self::Unsound,
        Self::Accepted,
        Self::Incomplete,
        Self::Refused,
        Self::Crash,
        Self::NotCompiled,
        Self::Printed,
    ];

    /// Returns the name of the class, in results and directory names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unfit => "unfit",
            Self::Meaning => "meaning",
            Self::Claim => "claim",
            Self::Proof => "proof",
            Self::Verdicts => "verdicts",
            Self::Panic => "panic",
            Self::Soundness => "soundness",
            Self::Precision => "precision",
            Self::Unsound => "unsound",
            Self::Accepted => "accepted",
            Self::Incomplete => "incomplete",
            Self::Refused => "refused",
            Self::Crash => "crash",
            Self::NotCompiled => "not-compiled",
            Self::Printed => "printed",
        }
    }

    /// Describes the class in a sentence.
    pub fn explained(self) -> &'static str {
        match self {
            Self::Unfit => {
                "An equivalent rewriting of a program does not resolve: a bug of `cargo dtest rewrite`."
            }
            Self::Meaning => {
                "An equivalent rewriting of a program behaves differently in the interpreter: a bug of the mutation or of the interpreter."
            }
            Self::Claim => {
                "An execution refutes a claim of `cargo dtest` about all executions: a bug of the search."
            }
            Self::Proof => {
                "An execution violates an obligation that holds for all executions according to `cargo dtest check`: a bug of `check`."
            }
            Self::Verdicts => {
                "`cargo dtest check` proves every obligation of a unit in one program, and shows an execution that breaks one in the equivalent program: a bug of `check` or of the mutation."
            }
            Self::Panic => "A stage of `cargo dtest` panicked: an internal error.",
            Self::Soundness => {
                "The verifier reports an error in a program and none in an equivalent one: if the error is real, the verifier is unsound; otherwise it is imprecise."
            }
            Self::Precision => {
                "The verifier reports no error in a program, and one in an equivalent program: it may be brittle, unsound for the first, or treat the two as different."
            }
            Self::Unsound => {
                "The verifier reports no error in a program with an execution that violates an obligation: it is unsound, or the execution is spurious."
            }
            Self::Accepted => {
                "The verifier reports no error in a program that a rule of the language forbids: it is unsound or too permissive, or the rule does not apply."
            }
            Self::Incomplete => {
                "The verifier reports an error where `cargo dtest check` proves that there is none, in code without loops and calls: it is imprecise there, or the proof is wrong."
            }
            Self::Refused => {
                "A front end rejects a program that ours accepts, or one that is equivalent to a program that it accepts."
            }
            Self::Crash => "A verifier or compiler crashed.",
            Self::NotCompiled => "The output of a compiler does not compile.",
            Self::Printed => {
                "A compiled program and the interpreter print different output: the compiler, its run-time library or the interpreter is wrong."
            }
        }
    }
}

/// A disagreement of two oracles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The class of the disagreement.
    pub class: Class,
    /// The subject without locations and names. Of several disagreements with the same key, one is
    /// enough.
    pub key: String,
    /// The key without the mutations that lead to it.
    pub message: String,
    /// A description of both results.
    pub detail: String,
}

impl Disagreement {
    /// Creates a disagreement. Numbers, paths and quoted names are removed from `message`, because
    /// they differ between programs and runs.
    pub fn new(class: Class, message: impl AsRef<str>, detail: impl Into<String>) -> Self {
        let message = normalized(message.as_ref());
        Self {
            class,
            key: message.clone(),
            message,
            detail: detail.into(),
        }
    }

    /// Creates a disagreement whose kind has a name, which is not changed.
    pub fn named(class: Class, name: String, detail: impl Into<String>) -> Self {
        Self {
            class,
            key: name.clone(),
            message: name,
            detail: detail.into(),
        }
    }

    /// Creates a disagreement about a program that these mutations produced.
    pub fn by_mutations(
        class: Class,
        message: &str,
        mutations: &str,
        detail: impl Into<String>,
    ) -> Self {
        let key = normalized(&format!("{message} ({mutations})"));
        Self {
            class,
            key,
            message: normalized(message),
            detail: detail.into(),
        }
    }
}

/// Returns a message without what a change of the program or another run changes: numbers, paths
/// and names in quotes.
fn normalized(message: &str) -> String {
    let words: Vec<String> = message.split(' ').map(without_path).collect();
    let mut short = String::new();
    let mut quoted = words.join(" ");
    for quote in ['\'', '"', '`'] {
        quoted = without_quoted(&quoted, quote);
    }
    for c in quoted.chars() {
        if !c.is_ascii_digit() {
            short.push(c);
        } else if !short.ends_with('#') {
            short.push('#');
        }
    }
    short
}

/// Replaces a path by its extension: compilers print the folder of the run.
fn without_path(word: &str) -> String {
    let is_separator = |c: char| c == '/' || c == '\\';
    if word.matches(is_separator).count() < 2 {
        return word.to_owned();
    }
    let name = word.rsplit(is_separator).next().unwrap_or_default();
    let extension = name.split_once('.').map_or("", |(_, extension)| extension);
    format!("PATH.{extension}")
}

/// Replaces names between quotes. An apostrophe within a word begins no name.
fn without_quoted(text: &str, quote: char) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(quote) {
        let (before, after) = rest.split_at(start);
        let after = after.get(quote.len_utf8()..).unwrap_or_default();
        out += before;
        out.push(quote);
        rest = after;
        let in_word = before
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric);
        let name = after.split(quote).next().unwrap_or_default();
        let is_name =
            name.len() < after.len() && !name.is_empty() && !name.contains(char::is_whitespace);
        if !in_word && is_name {
            out.push('…');
            out.push(quote);
            rest = after
                .get(name.len() + quote.len_utf8()..)
                .unwrap_or_default();
        }
    }
    out + rest
}

/// Returns the options under which a random program is read; its first line names some of them
/// after `// options:`.
pub fn options_of_random(text: &str) -> Options {
    let first = text.lines().next().unwrap_or_default();
    let named = |option: &str| {
        first.starts_with("// options:") && first.split_whitespace().any(|w| w == option)
    };
    Options {
        type_system_refresh: true,
        general_newtypes: true,
        unicode_char: !named("--unicode-char:false"),
        general_traits: if named("--general-traits:full") {
            GeneralTraits::Full
        } else {
            GeneralTraits::Legacy
        },
        ..Options::default()
    }
}

/// Returns the options of Dafny 4's command line for these options, where they differ from the
/// defaults.
pub fn flags(options: &Options) -> Vec<&'static str> {
    let traits = match options.general_traits {
        GeneralTraits::Legacy => None,
        GeneralTraits::Datatype => Some("--general-traits:datatype"),
        GeneralTraits::Full => Some("--general-traits:full"),
    };
    let given = [
        (options.type_system_refresh, "--type-system-refresh"),
        (options.general_newtypes, "--general-newtypes:true"),
        (!options.unicode_char, "--unicode-char:false"),
        (options.function_syntax == 3, "--function-syntax:3"),
        (
            options.relax_definite_assignment,
            "--relax-definite-assignment",
        ),
        (options.enforce_determinism, "--enforce-determinism"),
        (
            options.reads_clauses_on_methods,
            "--reads-clauses-on-methods",
        ),
    ];
    given
        .into_iter()
        .filter(|(is_given, _)| *is_given)
        .map(|(_, flag)| flag)
        .chain(traits)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn messages_of_two_runs_are_equal() {
        let csc = |folder, label| {
            format!("/tmp/{folder}/program.cs(12,7): error CS0159: No such label '{label}'")
        };
        assert_eq!(
            normalized(&csc("dtest-fuzz-a1B", "after_0")),
            normalized(&csc("dtest-fuzz-Zz", "after_12"))
        );
        assert_ne!(
            normalized("the type 'T' isn't known"),
            normalized("the name 'T' isn't known")
        );
        assert_eq!(normalized("it isn't 'x' or 'y'"), "it isn't '…' or '…'");
        assert_eq!(normalized("1 / 0"), "# / #");
    }
}
