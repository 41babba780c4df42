//! The stages in order: parsed files → typed program → IR → test cases → report.
//!
//! [`front`] resolves, [`lower()`] lowers, [`search()`] searches units, [`cases()`] converts the
//! results to test cases for the emitter, and [`unit_reports`] reports the outcome of every goal.
//! The submodules have the other commands.
//!
//! The module is pure: it takes texts and returns values. Files, the terminal and options belong to
//! [`crate::cli`].

mod answers;
pub mod captions;
pub mod cases;
mod change;
pub mod check;
pub mod configured_inputs;
pub mod counterexample;
pub mod dafny_suite;
pub mod dafny_test;
pub mod dead;
pub mod equivalent;
pub mod explore;
pub mod findings;
pub mod generate;
pub mod implied;
pub mod isolation;
pub mod models;
pub mod modular;
pub mod mutants;
pub mod obligation_keys;
pub mod obligations;
pub mod progress;
mod regions;
pub mod replay;
pub mod reports;
pub mod scenarios;
mod shard;
pub mod spec;
pub mod spec_assumptions;
pub mod spec_cases;
pub mod spec_difference;
pub mod spec_strength;
pub mod test_methods;
pub mod trace;
pub mod vectors;
mod visible;
mod weak;
mod work;

use crate::message::MessageId;
pub use captions::{Caption, captions};
pub use cases::{cases, classes, datatypes, own_tests, shows_when_compiled, violated_case};
pub use change::{Change, touched};
use dafny_resolve::typed::{self, Options};
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use dtest_ir::{self as ir, Criteria};
use dtest_lower as lower;
use dtest_lower::units::Unit;
use regex_lite::Regex;
pub use reports::{Unwritten, own_test_reports, type_reports, unit_reports, unwritten};
pub use shard::{Part, Shard, deal, keys, parts};
use std::sync::Arc;
pub use work::{Kept, Memory, Solved, search};

/// Resolves parsed files. Returns the program and warnings.
///
/// # Errors
/// All diagnostics, if one of them is an error.
pub fn front(
    files: Vec<ast::File>,
    options: Options,
) -> Result<(typed::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (program, diagnostics) = dafny_resolve::resolve(files, options);
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(diagnostics)
    } else {
        Ok((program, diagnostics))
    }
}

/// The parser options for additional text of a program.
fn syntax(options: &Options) -> dafny_syntax::Options {
    options.syntax()
}

/// The name of the constant whose value is the evaluated expression. Programs cannot use this name.
const EVALUATED: &str = "evaluated'by'dtest";

/// Builds a program without ghost code whose `Main` prints the value of `expression`. The
/// expression has the scope of the top level; its text is added to `sources`.
///
/// # Errors
/// Errors in the expression or in the program.
pub fn evaluating(
    mut files: Vec<ast::File>,
    sources: &mut SourceMap,
    options: Options,
    expression: &str,
) -> Result<ir::Program, Vec<Diagnostic>> {
    // A ghost constant may have any expression, also one that cannot be compiled.
    let text = format!("ghost const {EVALUATED} :=\n{expression}\n");
    let too_large = || {
        vec![Diagnostic::global(
            MessageId::LoadTooLarge,
            "the program's texts are larger than 4 GiB together",
        )]
    };
    let id = sources
        .add("expression", text.as_str(), false)
        .ok_or_else(too_large)?;
    let base = sources.file(id).map_or(0, |f| f.base);
    let (parsed, diagnostics) = dafny_syntax::parse_with(base, &text, syntax(&options));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    files.push(parsed);
    let (program, _) = front(files, options)?;
    let nothing = || {
        vec![Diagnostic::global(
            MessageId::EvalNoValue,
            "this is not an expression",
        )]
    };
    Ok(lower(
        dtest_desugar::printing(program, EVALUATED).ok_or_else(nothing)?,
        Criteria::obligations(),
    ))
}

/// Resolves a program again with the text of a further file, which comes last: the ids of the program
/// stay the same.
///
/// # Errors
/// The text does not parse, or the program does not resolve with it: the diagnostics, of which at
/// least one is an error.
pub(crate) fn with_text(
    program: &typed::Program,
    sources: &SourceMap,
    text: &str,
) -> Result<typed::Program, Vec<Diagnostic>> {
    let mut map = sources.clone();
    let added = map.add("values", text, false);
    let options = syntax(&program.options);
    let mut files = Vec::new();
    for (id, file) in map.files() {
        let (parsed, diagnostics) = dafny_syntax::parse_with(file.base, &file.text, options);
        if Some(id) == added && diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        files.push(parsed);
    }
    let (typed, _) = front(files, program.options.clone())?;
    Ok(typed)
}

/// Replaces the text of the file that begins at `base` and resolves the program again; `None` if it
/// has errors then.
pub(crate) fn edited(
    program: &typed::Program,
    sources: &SourceMap,
    base: u32,
    text: &str,
) -> Option<(SourceMap, typed::Program)> {
    let syntax = syntax(&program.options);
    let mut map = SourceMap::new();
    let mut files = Vec::new();
    for (_, file) in sources.files() {
        let text = if file.base == base { text } else { &*file.text };
        let id = map.add(file.path.as_str(), text, file.named)?;
        let (parsed, diagnostics) = dafny_syntax::parse_with(map.file(id)?.base, text, syntax);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        files.push(parsed);
    }
    let (typed, _) = front(files, program.options.clone()).ok()?;
    Some((map, typed))
}

/// Lowers a typed program with the goals of the given criteria. If obligations are goals, ghost
/// code is treated as compiled code, because obligations occur in it.
pub fn lower(program: typed::Program, criteria: Criteria) -> ir::Program {
    let program = if criteria.has(ir::Criterion::Obligation) {
        dtest_desugar::unghosted(program)
    } else {
        program
    };
    lower::lower_for(Arc::new(program), criteria)
}

/// Makes the named callables the entries of system tests ([`lower::entries::enter`]). If a
/// criterion distinguishes calls, inlines them up to the depth `inline`
/// ([`lower::inline::inline`]). Returns the names that the program lacks.
pub fn enter(
    program: &mut ir::Program,
    sources: &SourceMap,
    included: bool,
    names: &[String],
    inline: Option<u32>,
) -> Vec<String> {
    let is_wanted = |span: dafny_source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    let missing = lower::entries::enter(program, names, is_wanted);
    lower::inline::inline(program, inline, is_wanted);
    missing
}

/// Returns the entries, if there are any. Otherwise returns the units of the named files (of all
/// files if `included`) whose path matches `filter`, in source order.
pub fn units(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&Regex>,
) -> Vec<Unit> {
    let is_wanted = |span: dafny_source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    let all = match &program.entries {
        Some(entries) => lower::units::units_of(&program.typed, entries.clone()),
        None => lower::units::units(&program.typed, is_wanted),
    };
    all.into_iter()
        .filter(|u| filter.is_none_or(|f| f.is_match(&u.path)))
        .collect()
}
