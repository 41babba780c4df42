//! `check --write`: writes violations as tests that fail until the program is fixed.

use std::path::Path;

use super::super::args::CheckArgs;
use super::super::error::CommandResult;
use super::super::layout::{self, Output};
use super::super::{Environment, files, header, package, z3};
use super::{Ready, translate};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline;
use dafny_resolve::typed::CallableId;
use dafny_source::diagnostic::Diagnostic;
use dtest_emit::case::{Case, Staying, SuiteOptions, Tests};
use dtest_ir::Criteria;
use dtest_lower as lower;
use dtest_lower::units::Unit;
use dtest_search::check::{CheckResult, Verdict, Violation};
use dtest_sorted::SortedSet;

/// Directory of the tests, separate from the suite that `gen` writes.
const DIRECTORY: &str = "tests/violations";

/// The units of one program with their results, in the same order.
pub(super) type Found = (Vec<Unit>, Vec<CheckResult>);

/// Writes the translation of every program, and a test for every certain violation that is
/// observable in Rust. Existing tests of units without a violation stay: they pass once the program
/// is fixed. `found` has the results of `programs`, in the same order.
pub(super) fn write(
    args: &CheckArgs,
    programs: &[Ready],
    found: &[Found],
    env: &Environment,
) -> CommandResult {
    // `check` executes ghost code. The translation needs the program with ghost code separated, so
    // it is loaded again.
    let super::Programs { ready, .. } = super::ready(&args.program, &Criteria::default(), env)?;
    let homes = super::packages(&ready, &args.program, args.out.as_ref(), env)?;
    let runtime = args.runtime.as_deref();
    let mut code = ExitCode::Done;
    for (((program, home), (units, results)), checked) in
        ready.iter().zip(homes).zip(found).zip(programs)
    {
        let done = write_program((program, checked), &home, (units, results), runtime, env);
        code = super::worse(code, env.settle(done));
    }
    Ok(code)
}

fn write_program(
    (program, checked): (&Ready, &Ready),
    home: &package::Home,
    (units, results): (&[Unit], &[CheckResult]),
    runtime: Option<&Path>,
    env: &Environment,
) -> CommandResult {
    let root = home.root.as_path();
    let command = super::command_line("translate", &program.sources);
    let (mut outputs, translation, placement) =
        translate::translate(program, root, &command, layout::has_own_lib(root));
    let (cases, mut left_out) = cases((program, checked), units, results);
    // Emission can fail as well: the emitter gives the reason.
    let command = super::command_line("check --write", &program.sources);
    let options = SuiteOptions {
        header: header::header(
            &command,
            &program.sources,
            &program.ir.typed.options,
            "",
            z3::check().ok().as_deref(),
        ),
        subject: package::library_of(home),
        is_translation: true,
        official: None,
        directory: DIRECTORY.into(),
    };
    let tests = Tests {
        cases: &cases,
        declared: &[],
        datatypes: &[],
        classes: &[],
    };
    let suite = dtest_emit::suite_beside(
        &staying(program, root),
        &program.ir.typed,
        &program.sources,
        &placement,
        &translation,
        &tests,
        &options,
    );
    let refused = cases.iter().filter_map(|case| {
        let written = suite.tests.get(&case.id())?;
        Some((written.as_ref().err()?, case))
    });
    left_out.extend(refused.map(|(why, case)| {
        format!(
            "{}: {}",
            program.ir.typed.callable_path(case.unit),
            why.reason
        )
    }));
    // The user learns of each violation without a test, and why.
    for what in &left_out {
        env.terminal
            .note(&format!("no test is written for the violation at {what}"));
    }
    outputs.extend(suite.files.iter().map(|(path, text)| Output {
        path: path.clone(),
        text: text.clone(),
    }));
    // The translation is written with the tests, since they call it.
    // An error is shown here, before the notes on the other files.
    let code = env.settle(
        translate::write(
            env,
            home,
            runtime,
            &outputs,
            &translate::used_links(program),
        )
        .map(|()| ExitCode::Done),
    );
    // Tests of an earlier run are removed, unless the user edited them.
    let expected: SortedSet<String> = outputs
        .iter()
        .map(|o| o.path.clone())
        .chain(suite.staying.iter().cloned())
        .collect();
    for path in layout::remove_stale(root, DIRECTORY, &expected) {
        env.terminal.note(&format!(
            "removed {path}: the unit that it tests no longer exists"
        ));
    }
    if suite.tests.values().all(Result::is_err) && suite.staying.is_empty() && !left_out.is_empty()
    {
        let diagnostic = Diagnostic::global(
            MessageId::CliNothingWritten,
            "no violation can be shown by a Rust test",
        );
        env.terminal
            .diagnostic(diagnostic.with_help("use `--dafny` to print violations as Dafny methods"));
    }
    Ok(code)
}

/// Returns the tests of all violations, and the violations without a test, each with the reason. A
/// violation becomes a test if a Rust caller can set up its inputs and observe the failure.
fn cases(
    (program, checked): (&Ready, &Ready),
    units: &[Unit],
    results: &[CheckResult],
) -> (Vec<Case>, Vec<String>) {
    let violations = units
        .iter()
        .zip(results)
        .flat_map(|(u, r)| certain(r).map(move |v| (u, v)));
    let mut cases = Vec::new();
    let mut left_out = Vec::new();
    for (i, (unit, violation)) in violations.enumerate() {
        let place = program.sources.locate(violation.failure.span);
        match reason_against(program, unit.callable, violation) {
            Some(reason) => left_out.push(format!("{place} ({}): {reason}", unit.path)),
            None => cases.push(pipeline::violated_case(
                &checked.ir,
                &program.sources,
                unit.callable,
                (i, violation),
            )),
        }
    }
    (cases, left_out)
}

/// The violations of a unit that rest on no assumption and on no nondeterministic choice.
fn certain(result: &CheckResult) -> impl Iterator<Item = &Violation> {
    let of_obligation = result
        .obligations
        .iter()
        .filter_map(|(_, verdict)| match verdict {
            Verdict::Violated(violation) => Some(&**violation),
            Verdict::Holds
            | Verdict::HoldsAssuming(_)
            | Verdict::NotReached
            | Verdict::HoldsWithin { .. }
            | Verdict::Open(_) => None,
        });
    of_obligation
        .chain(&result.others)
        .filter(|v| v.is_certain())
}

/// The reason why a violation is not observable in Rust, or `None` if it is.
fn reason_against(program: &Ready, unit: CallableId, violation: &Violation) -> Option<String> {
    let typed = &program.ir.typed;
    if unit.0 as usize >= typed.callables.len() {
        return Some("contracts are not compiled".into());
    }
    if !lower::units::is_unit(typed, unit) {
        return Some("this is not compiled".into());
    }
    if violation.choices.is_some() {
        return Some("it depends on a choice that compiled code makes differently".into());
    }
    (!pipeline::shows_when_compiled(violation.failure.kind))
        .then(|| "compiled code does not check it".into())
}

/// The existing tests of all units. Tests of units that still have a violation are replaced.
fn staying(program: &Ready, root: &Path) -> Staying {
    let units = pipeline::units(&program.ir, &program.sources, true, None);
    let spec = root.join(DIRECTORY).join("spec.rs");
    Staying {
        units: units.iter().map(|u| u.callable).collect(),
        types: Vec::new(),
        files: layout::stale(root, DIRECTORY, &SortedSet::new())
            .into_iter()
            .collect(),
        spec: files::read_text(&spec)
            .ok()
            .filter(|_| files::is_ours(&spec)),
    }
}
