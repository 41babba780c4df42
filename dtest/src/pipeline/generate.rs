//! `gen` for one program: the tests of its units and their report.
//!
//! [`generate`] has the order of the steps. The caller emits the suite, because its text depends on
//! the package that it is written to; it gets everything that was found ([`Found`]) and returns the
//! suite, from which the report is made.

use std::time::Instant;

use regex_lite::Regex;

use super::findings::FindingKeys;
use super::obligations::Obligations;
use super::progress::Begin;
use super::{Change, Kept, Solved, mutants};
use crate::message::MessageId;
use crate::report::key::Key;
use crate::report::mutants::MutantsReport;
use crate::report::{Report, Stages};
use dafny_resolve::typed::{CallableId, TypeId};
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dtest_emit::case::{ClassCase, DatatypeCase, Declared, Suite};
use dtest_interp::Failure;
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::portable::Closures;
use dtest_search::{self as search, Strength};
use dtest_sorted::{SortedMap, SortedSet};

/// A program to generate tests for.
#[derive(Clone, Copy)]
pub struct Subject<'p> {
    /// The lowered program.
    pub ir: &'p ir::Program,
    /// Its texts.
    pub sources: &'p SourceMap,
    /// The change that selects units, if there is one.
    pub change: Option<&'p Change>,
    /// The durations of the stages so far.
    pub stages: Stages,
}

/// The options of a run.
pub struct Options<'o> {
    /// The options of the search.
    pub search: &'o search::Options,
    /// The number of threads.
    pub jobs: usize,
    /// The results of earlier runs.
    pub kept: Option<Kept<'o>>,
    /// Whether the units of included files are tested, too.
    pub included: bool,
    /// The filter for the paths of units.
    pub filter: Option<&'o Regex>,
    /// Whether the program is tested through entries alone.
    pub has_entries: bool,
}

/// Everything that a suite is written from.
pub struct Found<'f> {
    /// The units that were searched.
    pub units: &'f [Unit],
    /// Units that a change does not affect, whose tests stay as they are.
    pub rest: &'f [Unit],
    /// The results of `units`, in the same order.
    pub results: &'f [Solved],
    /// The program's own tests.
    pub own: &'f [Declared],
}

/// A suite that the caller has emitted.
pub struct Emitted {
    /// The suite.
    pub suite: Suite,
    /// The declarations that were not translated, with reasons.
    pub untranslated: Vec<(String, String)>,
}

/// The outcome for one program, besides the files.
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// The violations that the search found, and those in the program's own tests, with their keys.
    pub findings: Vec<(Diagnostic, Key)>,
    /// The program's own tests that cannot be written, with reasons.
    pub not_written: Vec<Diagnostic>,
    /// The transcripts of the solver, with the paths of their units.
    pub transcripts: Vec<(String, String)>,
}

/// Generates the tests of a program. `emit` writes the suite and may return more, such as its
/// files.
pub fn generate<T>(
    subject: &Subject<'_>,
    options: &Options<'_>,
    begin: Begin<'_>,
    emit: impl FnOnce(&Found<'_>) -> (Emitted, T),
) -> (Outcome, T) {
    let Subject { ir, sources, .. } = *subject;
    let (units, rest) = units(subject, options);
    let searching = Instant::now();
    let mut results = search(subject, &units, options, begin);
    let mut stages = subject.stages;
    stages.search = searching.elapsed().as_secs_f64();
    let own = own_tests(subject, options);
    // A generated test that violates an obligation is a violation to report, not a test to write.
    let replaying = Instant::now();
    let own_findings = validate(ir, &units, &mut results, &own, options);
    stages.search += replaying.elapsed().as_secs_f64();
    let found = Found {
        units: &units,
        rest: &rest,
        results: &results,
        own: &own,
    };
    let emitting = Instant::now();
    let (
        Emitted {
            suite,
            untranslated,
        },
        more,
    ) = emit(&found);
    stages.emit = emitting.elapsed().as_secs_f64();
    // Mutants run after emission, because a test that could not be written kills nothing.
    let mutants = mutants(subject, &found, &suite, options, begin);
    let has_findings = |s: &Solved| s.result.findings.iter().any(|f| f.certain);
    let has_findings = results.iter().any(has_findings) || !own_findings.is_empty();
    let keys = FindingKeys::new(ir, sources, has_findings);
    let mut findings = super::findings::diagnostics(ir, &units, &results, &keys);
    findings.extend(super::findings::of_own_tests(ir, &own_findings, &keys));
    let mut report = Report {
        left_alone: rest.len(),
        mutants: mutants.as_ref().map(MutantsReport::totals),
        survivors: mutants.map_or_else(Vec::new, |m| m.shown_survivors(sources)),
        units: super::unit_reports(ir, sources, &units, &results, &suite),
        stages,
        untranslated,
        own_tests: super::own_test_reports(ir, sources, &suite, &own_findings),
        datatypes: super::type_reports(ir, sources, &suite.datatypes),
        classes: super::type_reports(ir, sources, &suite.classes),
        programs: Vec::new(),
    };
    keys.set(&mut report, (&units, &results), ir, &own_findings);
    let outcome = Outcome {
        report,
        findings,
        not_written: not_written(ir, &own),
        transcripts: transcripts(&units, &results),
    };
    (outcome, more)
}

/// Returns the selected units, and the units that a change does not affect.
pub fn units(subject: &Subject<'_>, options: &Options<'_>) -> (Vec<Unit>, Vec<Unit>) {
    let all = super::units(
        subject.ir,
        subject.sources,
        options.included,
        options.filter,
    );
    let Some(change) = subject.change else {
        return (all, Vec::new());
    };
    let touched = super::touched(subject.ir, &all, change);
    let (wanted, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .zip(touched)
        .partition(|(_, touched)| *touched);
    let units = |pairs: Vec<(Unit, bool)>| pairs.into_iter().map(|(unit, _)| unit).collect();
    (units(wanted), units(rest))
}

/// Searches units.
pub fn search(
    subject: &Subject<'_>,
    units: &[Unit],
    options: &Options<'_>,
    begin: Begin<'_>,
) -> Vec<Solved> {
    let progress = begin("searching units", units.len());
    let results = super::search(
        subject.ir,
        units,
        options.search,
        options.jobs,
        options.kept,
        &|done| progress.set(done),
    );
    progress.finish();
    results
}

/// The program's own tests that belong to the suite. With entries, it consists of system tests
/// alone.
fn own_tests(subject: &Subject<'_>, options: &Options<'_>) -> Vec<Declared> {
    if options.has_entries {
        return Vec::new();
    }
    super::own_tests(
        subject.ir,
        subject.sources,
        options.included,
        options.filter,
    )
}

/// Executes the tests in the program of `check`: those that violate an obligation become findings.
/// Returns the findings in the program's own tests.
fn validate(
    ir: &ir::Program,
    units: &[Unit],
    results: &mut [Solved],
    own: &[Declared],
    options: &Options<'_>,
) -> SortedMap<CallableId, Failure> {
    if own.is_empty() && results.iter().all(|s| s.result.tests.is_empty()) {
        return SortedMap::new();
    }
    let obligations = Obligations::of(ir, options.search.fuel);
    obligations.apply(units, results, options.jobs);
    obligations.of_own_tests(own.iter().map(|t| t.callable))
}

/// Returns values of datatypes and objects of classes, which have tests of their own: equality,
/// printing, invariants. With entries, only the types that these reach are tested.
pub fn types(
    subject: &Subject<'_>,
    units: &[Unit],
    options: &Options<'_>,
) -> (Vec<DatatypeCase>, Vec<ClassCase>) {
    let Subject { ir, sources, .. } = *subject;
    let mut datatypes = super::datatypes(ir, sources, options.included, options.filter);
    let mut classes = super::classes(ir, sources, options.included, options.filter);
    if options.has_entries {
        let closures = Closures::new(ir, units.iter().map(|u| u.callable), "");
        let reached: SortedSet<TypeId> = units
            .iter()
            .filter_map(|u| closures.of(u.callable))
            .flat_map(|c| c.types().collect::<Vec<_>>())
            .collect();
        datatypes.retain(|case| reached.contains(&case.decl));
        classes.retain(|case| reached.contains(&case.decl));
    }
    (datatypes, classes)
}

/// Runs the mutants of the units on the tests that are in the suite, if the options ask for it.
fn mutants(
    subject: &Subject<'_>,
    found: &Found<'_>,
    suite: &Suite,
    options: &Options<'_>,
    begin: Begin<'_>,
) -> Option<MutantsReport> {
    if options.search.strength != Strength::Mutants {
        return None;
    }
    let progress = begin("running mutants of units", found.units.len());
    let report = mutants::run(
        subject.ir,
        subject.sources,
        mutants::Tested {
            units: found.units,
            solved: found.results,
            unwritten: &super::unwritten(suite),
        },
        mutants::Asked::all(found.units, options.search),
        options.jobs,
        &|done| progress.set(done),
    );
    progress.finish();
    Some(report)
}

fn not_written(ir: &ir::Program, own: &[Declared]) -> Vec<Diagnostic> {
    let refused = own
        .iter()
        .filter_map(|t| Some((ir.typed[t.callable].span, t.refused.as_ref()?)));
    let warning = |(span, reason): (_, &String)| {
        let message = format!("no test is generated for this declaration: {reason}");
        Diagnostic::warning(MessageId::TestNotWritten, span, message)
    };
    refused.map(warning).collect()
}

fn transcripts(units: &[Unit], results: &[Solved]) -> Vec<(String, String)> {
    units
        .iter()
        .zip(results)
        .filter_map(|(unit, solved)| Some((unit.path.clone(), solved.result.transcript.clone()?)))
        .collect()
}
