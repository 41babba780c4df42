//! `run --test`: runs the `{:test}` methods of the program in the interpreter.

use serde::Serialize;

use super::super::Environment;
use super::super::args::{MessageFormat, RunArgs};
use super::super::error::CommandResult;
use super::Ready;
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use crate::pipeline::test_methods::{TestFailureKind, TestRun, run_test};
use crate::report::{self, junit};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{LineColumn, SourceMap, Span};
use dtest_ir::Criteria;
use dtest_lower as lower;

/// Default of `--fuel` for one test: seconds of execution.
const FUEL: u64 = 500_000_000;

/// The result of a test, as JSON.
#[derive(Serialize)]
struct TestLine<'a> {
    kind: &'static str,
    test: &'a str,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    printed: &'a str,
}

#[derive(Serialize)]
struct Place {
    path: String,
    start: LineColumn,
}

fn place(sources: &SourceMap, span: Span) -> Option<Place> {
    let region = sources.region(span)?;
    Some(Place {
        path: region.path,
        start: region.start,
    })
}

/// The result of a test as a case of a JUnit report.
fn case(program: &Ready, name: &str, run: &TestRun) -> junit::Case {
    let (typed, sources) = program.texts();
    let module = typed.module_path(typed[run.callable].module).join(".");
    let suite = if module.is_empty() { "tests" } else { &module };
    let outcome = match &run.failure {
        None => junit::Outcome::Passed,
        Some(failure) => {
            let at = sources.locate(failure.span);
            let (id, message) = (MessageId::RunFailed.as_str(), failure.message.clone());
            junit::Outcome::Failed(id, message, at)
        }
    };
    let place = report::place::Place::of(sources, typed[run.callable].span);
    junit::Case {
        output: run.printed.clone(),
        ..junit::Case::new(suite, name.to_owned(), &place, outcome)
    }
}

/// Runs every test; a failing one does not stop the others. The exit code is 7 if one fails.
pub(super) fn run(args: &RunArgs, env: &Environment) -> CommandResult {
    let filter = super::filter(args.test_filter.as_ref())?;
    let super::Programs {
        ready: programs,
        mut code,
        ..
    } = super::ready(&args.program, &Criteria::default(), env)?;
    let own_tests = |program: &Ready| {
        let (typed, sources) = program.texts();
        let is_named = |span: Span| {
            args.program.included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
        };
        lower::units::own_tests(typed, is_named)
    };
    let names = programs.iter().flat_map(|program| {
        let path = |test| program.ir.typed.callable_path(test).into();
        own_tests(program).into_iter().map(path).collect::<Vec<_>>()
    });
    super::require_match(filter.as_ref(), &names.collect(), ("test", &|| None), env)?;
    let (mut passed, mut failed) = (0, 0);
    for program in &programs {
        let (typed, sources) = program.texts();
        for test in own_tests(program) {
            let name = typed.callable_path(test);
            if filter.as_ref().is_some_and(|f| !f.is_match(&name)) {
                continue;
            }
            let run = run_test(&program.ir, test, args.fuel.unwrap_or(FUEL));
            env.terminal.cases([case(program, &name, &run)]);
            if env.terminal.format == MessageFormat::Json {
                let line = TestLine {
                    kind: "test",
                    test: &name,
                    passed: run.failure.is_none(),
                    failure: run.failure.as_ref().map(|f| match f.kind {
                        TestFailureKind::Expect => "expect",
                        TestFailureKind::Returned => "returned",
                        TestFailureKind::Error => "error",
                        TestFailureKind::Limit => "limit",
                    }),
                    message: run.failure.as_ref().map(|f| f.message.as_str()),
                    place: run.failure.as_ref().and_then(|f| place(sources, f.span)),
                    printed: &run.printed,
                };
                env.terminal
                    .result(&format!("{}\n", serde_json::json!(line)));
            } else {
                // The format of Dafny's own test runner.
                let end = match &run.failure {
                    None => "PASSED\n".to_owned(),
                    Some(f) => {
                        format!("FAILED\n\t{}: {}\n", sources.locate(f.span), f.message)
                    }
                };
                env.terminal
                    .output(&format!("{name}: {}{end}", run.printed));
            }
            if run.failure.is_none() {
                passed += 1;
            } else {
                failed += 1;
            }
        }
    }
    if failed > 0 {
        code = super::worse(code, ExitCode::Findings);
    }
    if passed + failed == 0 && code == ExitCode::Done {
        let message = "the named files declare no `{:test}` methods";
        let help = "name the files with tests, or add --included";
        env.terminal
            .diagnostic(Diagnostic::global(MessageId::RunNoTests, message).with_help(help));
        return Ok(ExitCode::NothingGenerated);
    }
    if env.terminal.format != MessageFormat::Json && passed + failed > 0 {
        env.terminal
            .output(&format!("{passed} passed, {failed} failed\n"));
    }
    Ok(code)
}
