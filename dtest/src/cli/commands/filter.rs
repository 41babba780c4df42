//! `--filter`: a regular expression that selects units or tests by their paths.

use regex_lite::Regex;

use super::super::Environment;
use super::super::error::ExpectedError;
use super::Ready;
use crate::message::MessageId;
use dafny_resolve::spelling;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_source::{Name, SourceMap};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_sorted::SortedSet;

/// Maximum number of names that an error suggests.
const MAX_NAMES: usize = 3;

/// A function that returns the units of a program: of all files if its third argument is `true`.
type Units = fn(&ir::Program, &SourceMap, bool, Option<&Regex>) -> Vec<Unit>;

/// Parses a regular expression from the command line.
pub(crate) fn filter(text: Option<&String>) -> Result<Option<Regex>, ExpectedError> {
    text.map(|t| Regex::new(t)).transpose().map_err(|e| {
        let message = format!("`--filter` is not a regular expression: {e}");
        Diagnostic::global(MessageId::CliBadFilter, message).into()
    })
}

/// Rejects a filter that matches no unit of the programs.
///
/// # Errors
/// See [`require_match`].
pub(crate) fn require_unit(
    filter: Option<&Regex>,
    programs: &[Ready],
    (units, included): (Units, bool),
    env: &Environment,
) -> Result<(), ExpectedError> {
    let Some(regex) = filter else { return Ok(()) };
    let paths = |units: Units, included: bool| -> SortedSet<Name> {
        let all = programs
            .iter()
            .flat_map(|p| units(&p.ir, &p.sources, included, None));
        all.map(|u| u.path.as_str().into()).collect()
    };
    // A name that exists elsewhere is not misspelled.
    let elsewhere = |found: &SortedSet<Name>| found.iter().find(|n| regex.is_match(n)).cloned();
    let other = || {
        if let Some(name) = elsewhere(&paths(units, true)) {
            return Some(format!(
                "it matches `{name}` of an included file: add `--included`"
            ));
        }
        let name = elsewhere(&paths(crate::pipeline::check::units, true))?;
        Some(format!("it matches `{name}`, which only `check` looks at"))
    };
    require_match(filter, &paths(units, included), ("unit", &other), env)
}

/// Rejects a filter that matches none of the names. A filter in `dtest.toml` is only a warning: the
/// file describes the whole package, and the programs may be a part of it. `what` is the noun for a
/// name; `other` returns the help if the filter has a meaning elsewhere.
///
/// # Errors
/// The filter is an option of the command line, and there are names, but it matches none.
pub(crate) fn require_match(
    filter: Option<&Regex>,
    names: &SortedSet<Name>,
    (what, other): (&str, &dyn Fn() -> Option<String>),
    env: &Environment,
) -> Result<(), ExpectedError> {
    let Some(filter) = filter else { return Ok(()) };
    if names.is_empty() || names.iter().any(|n| filter.is_match(n)) {
        return Ok(());
    }
    // The letters of the expression without its operators.
    let is_letter = |c: &char| c.is_alphanumeric() || ['_', '.', '\'', '?'].contains(c);
    let pattern: String = filter.as_str().chars().filter(is_letter).collect();
    let message = format!("`--filter {filter}` matches no {what}");
    let diagnostic = Diagnostic::global(MessageId::CliFilter, message);
    let similar = spelling::similar(&pattern, names.iter(), MAX_NAMES);
    let help = match other() {
        Some(help) => help,
        None if similar.is_empty() => {
            let first: Vec<&str> = names.iter().take(MAX_NAMES).map(|n| &**n).collect();
            let more = if names.len() > MAX_NAMES { ", …" } else { "" };
            format!("there are `{}`{more}", first.join("`, `"))
        }
        None => format!("did you mean `{}`?", similar.join("`, `")),
    };
    let diagnostic = diagnostic.with_help(help);
    if env.given.has("filter") || env.given.has("test_filter") {
        return Err(diagnostic.into());
    }
    env.terminal.diagnostic(Diagnostic {
        severity: Severity::Warning,
        ..diagnostic
    });
    Ok(())
}
