//! Test suites in Dafny. The emitter drafts them; they are then resolved and executed, and the
//! parts that fail are removed, so that Dafny accepts the suite and its tests pass.

use std::sync::Arc;

use crate::message::MessageId;
use dafny_resolve::typed::{self, CallableId, Options};
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use dtest_emit::case::{Case, ClauseUse, Suite, Written};
use dtest_emit::dafny::{DafnyTest, Draft, Rendered, Role, Target, known_bug};
use dtest_emit::{Reason, Unsupported};
use dtest_ir::{self as ir, Criteria};
use dtest_lower as lower;
use dtest_search::portable::Closures;
use dtest_sorted::SortedMap;

use super::test_methods::{TestFailureKind, run_test};

/// Maximum number of rounds of resolution and execution. Each round removes a part that fails.
const MAX_ROUNDS: usize = 60;
/// Maximum number of interpreter steps for one test.
const STEPS: u64 = 20_000_000;

/// A suite in Dafny.
#[derive(Debug, Clone, Default)]
pub struct DafnySuite {
    /// The test modules, without header and includes; empty if there are no tests.
    pub text: String,
    /// The result of each case, in the given order.
    pub results: Vec<Result<DafnyTest, Reason>>,
}

/// Writes the tests of these cases, without tests that a target is known to fail.
pub fn write(
    program: &ir::Program,
    sources: &SourceMap,
    cases: &[Case],
    targets: &[Target],
) -> DafnySuite {
    let mut draft = Draft::new(&program.typed, sources, cases);
    leave_out(&mut draft, program, cases, targets);
    let program = &program.typed;
    let Some(reader) = Reader::new(program, sources) else {
        draft.refuse_all("the program's texts cannot be read again");
        return finish(&draft, cases.len());
    };
    for round in 0..MAX_ROUNDS {
        let rendered = draft.render();
        if rendered.text.is_empty() {
            break;
        }
        let wrong = match reader.read(&rendered.text, &program.options) {
            Ok(read) => refuse_failures(&mut draft, &rendered, read),
            Err((base, diagnostics)) => refuse_errors(&mut draft, &rendered, base, &diagnostics),
        };
        if !wrong {
            break;
        }
        if round + 1 == MAX_ROUNDS {
            draft.refuse_all("the tests have too many errors");
        }
    }
    finish(&draft, cases.len())
}

/// Removes the tests of units with code that a target is known to miscompile.
fn leave_out(draft: &mut Draft, program: &ir::Program, cases: &[Case], targets: &[Target]) {
    if targets.is_empty() {
        return;
    }
    let closures = Closures::new(program, cases.iter().map(|c| c.unit), "");
    let mut known: SortedMap<CallableId, Option<String>> = SortedMap::new();
    for (i, case) in cases.iter().enumerate() {
        let reason = known.entry(case.unit).or_insert_with(|| {
            let callables: Vec<CallableId> = match closures.of(case.unit) {
                Some(closure) => closure.callables().collect(),
                None => vec![case.unit],
            };
            let bugs = targets.iter().filter_map(|t| {
                let bug = known_bug(&program.typed, *t, case.unit, &callables)?;
                Some(format!("{}: {bug}", t.name()))
            });
            let bugs: Vec<String> = bugs.collect();
            (!bugs.is_empty()).then(|| bugs.join("; "))
        });
        if let Some(reason) = reason {
            draft.leave_out(i, reason);
        }
    }
}

fn finish(draft: &Draft, cases: usize) -> DafnySuite {
    DafnySuite {
        text: draft.render().text,
        results: draft.results(cases),
    }
}

/// The parsed files of the program.
struct Reader {
    sources: SourceMap,
    files: Vec<ast::File>,
}

/// The resolved program with its tests.
struct Read {
    program: typed::Program,
    /// The position at which the tests begin.
    base: u32,
}

impl Reader {
    fn new(program: &typed::Program, sources: &SourceMap) -> Option<Self> {
        let syntax = super::syntax(&program.options);
        let mut map = SourceMap::new();
        let mut files = Vec::new();
        for (_, file) in sources.files() {
            let id = map.add(file.path.as_str(), &*file.text, false)?;
            let (parsed, diagnostics) =
                dafny_syntax::parse_with(map.file(id)?.base, &file.text, syntax);
            if diagnostics.iter().any(Diagnostic::is_error) {
                return None;
            }
            files.push(parsed);
        }
        Some(Self {
            sources: map,
            files,
        })
    }

    /// Resolves the program with the tests. The error case has the diagnostics and the position at
    /// which the tests begin.
    fn read(&self, text: &str, options: &Options) -> Result<Read, (u32, Vec<Diagnostic>)> {
        let mut map = self.sources.clone();
        let too_large = || {
            (
                0,
                vec![Diagnostic::global(
                    MessageId::LoadTooLarge,
                    "the tests are too large",
                )],
            )
        };
        let id = map.add("the tests", text, true).ok_or_else(too_large)?;
        let base = map.file(id).map_or(0, |f| f.base);
        let (parsed, diagnostics) = dafny_syntax::parse_with(base, text, super::syntax(options));
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err((base, diagnostics));
        }
        let files = self.files.iter().cloned().chain([parsed]).collect();
        match super::front(files, options.clone()) {
            Ok((program, _)) => Ok(Read { program, base }),
            Err(diagnostics) => Err((base, diagnostics)),
        }
    }
}

/// Removes the pieces of the draft in which the resolver finds errors. Returns whether there were
/// any.
fn refuse_errors(
    draft: &mut Draft,
    rendered: &Rendered,
    base: u32,
    diagnostics: &[Diagnostic],
) -> bool {
    let mut any = false;
    let errors = || diagnostics.iter().filter(|d| d.is_error());
    for error in errors() {
        let offset = error
            .span
            .and_then(|s| s.start.checked_sub(base))
            .map(|o| o as usize);
        let Some(offset) = offset.filter(|o| *o < rendered.text.len()) else {
            continue;
        };
        if let Some(piece) = rendered.piece_at(offset) {
            any |= draft.refuse(piece, &error.message);
        } else if let Some(test) = draft.test_at(rendered, offset) {
            any |= draft.refuse_test(test, &error.message);
        }
    }
    if !any {
        let message = errors()
            .next()
            .map_or("the tests are not accepted", |d| &*d.message);
        draft.refuse_all(message);
        any = true;
    }
    any
}

/// Runs the tests. Removes the checks that fail, and the tests that fail in another way. Returns
/// whether there were any.
fn refuse_failures(draft: &mut Draft, rendered: &Rendered, read: Read) -> bool {
    let base = read.base;
    let program = lower::lower_for(Arc::new(read.program), Criteria::default());
    let is_test = |span: dafny_source::Span| span.start >= base;
    let mut any = false;
    for test in lower::units::own_tests(&program.typed, is_test) {
        let run = run_test(&program, test, STEPS);
        let Some(failure) = run.failure else { continue };
        let offset = |start: u32| start.checked_sub(base).map(|o| o as usize);
        let piece = offset(failure.span.start).and_then(|o| rendered.piece_at(o));
        let role = piece.and_then(|p| draft.role(p));
        let reason = if role == Some(Role::Before) {
            format!(
                "the value before the call does not exist: {}",
                failure.message
            )
        } else {
            format!("the interpreter does not confirm it: {}", failure.message)
        };
        match piece {
            Some(piece)
                if matches!(role, Some(Role::Check | Role::Before))
                    && failure.kind != TestFailureKind::Limit =>
            {
                any |= draft.refuse(piece, &reason);
            }
            Some(_) | None => {
                let at = offset(program.typed[test].span.start);
                if let Some(id) = at.and_then(|o| draft.test_at(rendered, o)) {
                    any |= draft.refuse_test(id, &reason);
                }
            }
        }
    }
    any
}

/// Converts the suite to the form that reports are made from.
pub fn as_suite(program: &typed::Program, cases: &[Case], suite: &DafnySuite) -> Suite {
    let mut out = Suite::default();
    let mut clauses: SortedMap<CallableId, Vec<ClauseUse>> = SortedMap::new();
    for (case, result) in cases.iter().zip(&suite.results) {
        let unit = &program[case.unit];
        let written = match result {
            Ok(test) => Ok(Written {
                test: test.test.clone(),
                oracle: test.oracle,
            }),
            Err(reason) => Err(Unsupported {
                what: program.callable_path(case.unit),
                reason: reason.clone(),
                span: unit.span,
            }),
        };
        out.tests.insert(case.id(), written);
        let Ok(test) = result else { continue };
        let uses = clauses.entry(case.unit).or_insert_with(|| {
            // A clause counts as not executed until a test executes it.
            let unused = |c: &typed::Clause| ClauseUse {
                span: c.cond.span,
                not_executed: Some(String::new()),
                is_frame: false,
            };
            unit.spec.ensures.iter().map(unused).collect()
        });
        for used in uses {
            let refused = test
                .not_executed
                .iter()
                .find(|(span, _)| *span == used.span);
            match refused {
                None => used.not_executed = None,
                Some((_, reason)) => {
                    if used.not_executed.as_ref().is_some_and(String::is_empty) {
                        used.not_executed = Some(reason.clone());
                    }
                }
            }
        }
    }
    out.ensures = clauses.into_iter().collect();
    out
}
