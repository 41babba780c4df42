//! `dtest.toml`: every key is an option of `gen`, documented there; the command line and the
//! environment win over the file. Unknown keys are refused. Options of a single run are no keys: `--check`, `--retry`, `--in-diff`,
//! `--shard` with `--report`, `--smt-log`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use toml::Spanned;

use super::args::{CheckFailOn, Color, FailOn, GeneralTraits, MessageFormat, Minimize, Strength};
use crate::pipeline::given;
use dtest_engine::ir::Criterion;

/// The name of the file, looked for beside `Cargo.toml`.
pub const FILE: &str = "dtest.toml";

/// What the file may say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)] // each key is the option of the same name in `args`
pub struct Config {
    pub files: Option<Vec<String>>,
    pub included: Option<bool>,
    pub each: Option<bool>,
    pub function_syntax: Option<u8>,
    pub quantifier_syntax: Option<u8>,
    pub unicode_char: Option<bool>,
    pub relax_definite_assignment: Option<bool>,
    pub enforce_determinism: Option<bool>,
    pub reads_clauses_on_methods: Option<bool>,
    pub type_system_refresh: Option<bool>,
    pub general_newtypes: Option<bool>,
    pub general_traits: Option<GeneralTraits>,
    pub library: Option<Vec<PathBuf>>,
    pub standard_libraries: Option<PathBuf>,
    pub mock: Option<Vec<String>>,
    pub against: Option<String>,
    pub out: Option<PathBuf>,
    pub runtime: Option<PathBuf>,
    pub cache_dir: Option<PathBuf>,
    pub no_cache: Option<bool>,
    pub keep_failing: Option<bool>,
    pub coverage_report: Option<PathBuf>,
    pub fail_under: Option<f64>,
    pub fail_unchecked: Option<bool>,
    pub filter: Option<String>,
    pub entry: Option<Vec<String>>,
    #[serde(default, deserialize_with = "one_or_several")]
    pub coverage: Option<Vec<Criterion>>,
    pub max_paths: Option<u32>,
    pub unroll: Option<u32>,
    pub inline: Option<u32>,
    pub max_size: Option<u32>,
    pub minimize: Option<Minimize>,
    pub strength: Option<Strength>,
    pub rlimit: Option<u64>,
    pub timeout: Option<u64>,
    pub max_memory: Option<u64>,
    pub jobs: Option<u32>,
    pub seed: Option<u64>,
    pub message_format: Option<MessageFormat>,
    pub color: Option<Color>,
    pub quiet: Option<bool>,
    /// Of the command `dead`.
    #[serde(default)]
    pub dead: Dead,
    /// Of the command `check`.
    #[serde(default)]
    pub check: Check,
    /// Inputs for types: Dafny's name of a type to expressions, `new` with arguments, or names of what makes values.
    #[serde(default)]
    pub inputs: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    /// Where those stand.
    #[serde(skip)]
    pub text: String,
    /// Rust for external declarations: a Dafny path to a Rust path.
    #[serde(default, rename = "extern")]
    pub links: BTreeMap<String, String>,
}

impl Config {
    /// The inputs that are named for types, as texts with their places.
    pub fn inputs(&self) -> given::Inputs {
        let text = |s: &Spanned<String>| given::Text { text: s.get_ref().clone(), at: s.span() };
        let of_type = |(ty, values): (&Spanned<String>, &Vec<Spanned<String>>)| given::Named {
            ty: text(ty),
            values: values.iter().map(text).collect(),
        };
        let types = self.inputs.iter().map(of_type).collect();
        given::Inputs { path: FILE.into(), text: self.text.clone(), types }
    }
}

/// A criterion, or a list of them.
fn one_or_several<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Vec<Criterion>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(Criterion),
        Several(Vec<Criterion>),
    }
    Given::deserialize(from).map(|given| match given {
        Given::One(one) => Some(vec![one]),
        Given::Several(several) => Some(several),
    })
}

/// What the file may say of dead code.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dead {
    /// `--fail-on`.
    pub fail_on: Option<FailOn>,
    /// Units, or blocks of units as `Unit: goal`, that may be dead.
    #[serde(default)]
    pub allow: Vec<String>,
}

/// What the file may say of violations.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Check {
    /// `--fail-on`.
    pub fail_on: Option<CheckFailOn>,
    /// `--unroll-choice`.
    pub unroll_choice: Option<u32>,
}

/// Reads the file in `directory`; a missing file is the empty configuration.
///
/// # Errors
/// The message to show: the file cannot be read, is not TOML, or holds an unknown key.
pub fn read(directory: &Path) -> Result<Config, String> {
    let path = directory.join(FILE);
    match super::files::read_text(&path) {
        Ok(text) => parse(&text).map_err(|e| format!("{}: {e}", path.display())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
        Err(e) => Err(format!("cannot read {}: {e}", path.display())),
    }
}

fn parse(text: &str) -> Result<Config, String> {
    let mut config: Config = toml::from_str(text).map_err(|e| e.to_string())?;
    if !config.inputs.is_empty() {
        text.clone_into(&mut config.text);
    }
    if [config.function_syntax, config.quantifier_syntax].iter().flatten().any(|v| !(3..=4).contains(v)) {
        return Err("`function-syntax` and `quantifier-syntax` must be 3 or 4".into());
    }
    if [config.unroll, config.inline, config.max_size, config.max_paths, config.jobs, config.check.unroll_choice].contains(&Some(0)) {
        return Err("`unroll`, `unroll-choice`, `inline`, `max-size`, `max-paths` and `jobs` must be at least 1".into());
    }
    if config.max_memory.is_some_and(|m| m < 64) {
        return Err("`max-memory` must be at least 64 (MiB)".into());
    }
    if [config.rlimit, config.timeout].contains(&Some(0)) {
        return Err("`rlimit` and `timeout` must be at least 1".into());
    }
    if config.coverage.as_ref().is_some_and(Vec::is_empty) {
        return Err("`coverage` must list at least one criterion".into());
    }
    for (dafny, rust) in &config.links {
        if syn::parse_str::<syn::Path>(rust).is_err() {
            return Err(format!("under [extern], {dafny:?} is linked to `{rust}`, which is not a Rust path"));
        }
    }
    Ok(config)
}

/// What `init` writes: every key with its meaning, commented out.
pub const TEMPLATE: &str = r#"# Options of `cargo dtest`, as on the command line, which takes precedence over this file. Command line only:
# --check, --retry, --in-diff, --shard, --report, --smt-log.

# Dafny files, directories, one dfyconfig.toml, or globs.
# files = ["src"]
# Include units of included files; treat every file as a separate program.
# included = false
# each = false

# How Dafny is read.
# function-syntax = 4
# unicode-char = true

# Code that the program uses, without tests: Dafny source, directories or project files; and the directory of the
# sources of Dafny's standard libraries.
# library = ["../common"]
# standard-libraries = "../dafny/Source/DafnyStandardLibraries/src"

# Classes that get a `dmock` builder in the translation, for hand-written tests; "*" for all.
# mock = ["Keys.Key"]

# Test hand-written Rust at this path instead of our translation.
# against = "crate::mine"
# Where the suite goes; by default this package.
# out = "."
# The cache of results, by default target/dtest/cache; whether to ignore it and search every unit again.
# cache-dir = ".dtest-cache"
# no-cache = false

# Test the program through these methods or functions, and cover what they call too.
# entry = ["Shop.Run"]
# Only units whose path matches this regular expression.
# filter = "^Shop"
# Coverage criteria, one or several of: block, branch, inlined-block, path, boundary, mcdc, spec; the most paths of a unit.
# coverage = ["block"]
# max-paths = 100
# Bounds of the search: loop iterations, call depth, collection sizes. By default they start small and grow.
# unroll = 16
# inline = 8
# max-size = 32
# minimize = "greedy"
# Tests that cover the goals ("coverage"), or also tests that kill mutants which these let survive ("mutants").
# strength = "coverage"
# Z3's resource limit for a query; as safety nets, seconds for a unit and MiB for the process; units searched in parallel.
# rlimit = 600000
# timeout = 20
# max-memory = 2048
# jobs = 2
# seed = 0

# The directory of the coverage report: HTML of the sources, and an LCOV file.
# coverage-report = "target/dtest/coverage"
# Fail if less than this percentage of the goals is settled: covered, or unreachable (proved, or at the highest bounds).
# fail-under = 90
# Fail if a test compares no result and no state, and executes no clause.
# fail-unchecked = true

# Intended dead code: units, or single blocks as `cargo dtest dead` names them; and what `dead` fails on, unless it
# is allowed: "proved", "any" or "none".
# [dead]
# allow = ["Stack.Pop", "Parser.Next: case `Eof`"]
# fail-on = "proved"

# What `check` fails on: "violated", "not-decided" (also undecided promises), "none"; iterations of `while *`.
# [check]
# fail-on = "violated"
# unroll-choice = 4

# Inputs for types, tried before all others: expressions, `new` with arguments, and names of methods, functions and constructors whose
# arguments are searched for.
# [inputs]
# "Shop.Amount" = ["5", "Max()"]
# "Shop.Account" = ["new Shop.Account(3)", "Shop.Opened"]

# Rust implementations of code without a Dafny body: a function or method, a class or abstract type, or a module with all
# its external members. They have the names and types that the translation would have.
# [extern]
# "Clock.Now" = "crate::clock::now"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_a_valid_file_also_with_its_keys_set() {
        assert!(parse(TEMPLATE).is_ok());
        let set: String = TEMPLATE
            .lines()
            .map(|l| if l.contains(" = ") || l.contains('[') { l.trim_start_matches("# ").to_owned() + "\n" } else { String::new() })
            .collect();
        let config = parse(&set).expect("every key is known");
        assert_eq!(config.max_size, Some(32));
    }

    #[test]
    fn one_criterion_needs_no_list() {
        let coverage = |text: &str| parse(text).expect("known").coverage;
        assert_eq!(coverage("coverage = \"branch\""), Some(vec![Criterion::Branch]));
        assert_eq!(coverage("coverage = [\"block\", \"mcdc\"]").map(|c| c.len()), Some(2));
        assert_eq!(coverage(""), None);
    }

    #[test]
    fn unknown_keys_and_zero_limits_are_refused() {
        assert!(parse("max-sice = 3").unwrap_err().contains("max-sice"));
        assert!(parse("unroll = 0").unwrap_err().contains("at least 1"));
        assert!(parse("[extern]\nClock = \"no path\"").unwrap_err().contains("not a Rust path"));
    }
}
