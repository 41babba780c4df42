//! Execution of `{:test}` methods in the interpreter, as Dafny's `test` command runs them.

use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dafny_source::Span;
use dtest_interp::{Execution, Inputs, Interp, Limits, Outcome};
use dtest_ir as ir;
use dtest_lower::units;
use dtest_value::{Value, show};

/// Stack size of the interpreter for one test, in words; bounds the depth of recursion.
const STACK: usize = 20_000_000;

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRun {
    /// The test.
    pub callable: CallableId,
    /// The printed text.
    pub printed: String,
    /// The failure; `None` if the test passes.
    pub failure: Option<TestFailure>,
}

/// The failure of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFailure {
    /// The kind of failure.
    pub kind: TestFailureKind,
    /// The location; the test itself for a returned failure or a limit.
    pub span: Span,
    /// The message.
    pub message: String,
}

/// The kinds of failures of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestFailureKind {
    /// An `expect` is false.
    Expect,
    /// The test returns a failure.
    Returned,
    /// A run-time error, or a violated obligation.
    Error,
    /// A limit of the interpreter, or something that it cannot execute.
    Limit,
}

/// Runs a test with at most `steps` steps. A test that cannot be called fails with the reason.
pub fn run_test(program: &ir::Program, callable: CallableId, steps: u64) -> TestRun {
    let span = program.typed[callable].span;
    let failed = |kind, span, message: String| {
        Some(TestFailure {
            kind,
            span,
            message,
        })
    };
    if let Some(reason) = units::no_test(&program.typed, callable) {
        return TestRun {
            callable,
            printed: String::new(),
            failure: failed(TestFailureKind::Limit, span, reason.to_owned()),
        };
    }
    let limits = Limits {
        steps,
        stack: STACK,
        // Compiled code does not check the preconditions of calls.
        check_calls: false,
        ..Limits::default()
    };
    let interp = Interp::new(program, limits);
    let execution = interp.run(callable, &Inputs::default());
    let failure = match &execution.outcome {
        Outcome::Returned(values) => returned_failure(&interp, callable, values, &execution)
            .and_then(|message| failed(TestFailureKind::Returned, span, message)),
        Outcome::Halted { span, message } => {
            failed(TestFailureKind::Expect, *span, message.clone())
        }
        Outcome::Failed(failure) => failed(
            TestFailureKind::Error,
            failure.span,
            failure.message.clone(),
        ),
        Outcome::Infeasible(span) => failed(
            TestFailureKind::Error,
            *span,
            "an assumption is false".into(),
        ),
        Outcome::OutOfFuel(limit) => failed(
            TestFailureKind::Limit,
            span,
            format!("the test reached a limit of the interpreter: {limit}"),
        ),
        Outcome::Unsupported(reason) => failed(TestFailureKind::Limit, span, reason.to_string()),
    };
    TestRun {
        callable,
        printed: execution.printed,
        failure,
    }
}

/// Returns the failure of a test as text, if its result has a failure-compatible type and
/// `IsFailure()` holds.
fn returned_failure(
    interp: &Interp<'_>,
    callable: CallableId,
    values: &[Option<Value>],
    execution: &Execution,
) -> Option<String> {
    let typed = &interp.program().typed;
    let out = typed[callable].outs.first()?;
    let value = values.first()?.as_ref()?;
    let ty = typed.strip_subset(&typed[out.local].ty);
    let Type::Named { decl, args, .. } = &ty else {
        return None;
    };
    let is_failure = typed[*decl].callables.iter().copied().find(|&m| {
        &*typed[m].name == "IsFailure" && typed[m].kind == CallableKind::Function && !typed[m].ghost
    })?;
    let inputs = Inputs {
        type_args: args.clone(),
        args: vec![value.clone()],
        heap: execution.heap.clone(),
        answers: Vec::new(),
    };
    let object = |id: dtest_value::ObjectId| {
        let found = execution.heap.objects.get(id.0 as usize);
        found.map(|o| o.ty.clone())
    };
    match interp.run(is_failure, &inputs).outcome {
        Outcome::Returned(answer) if answer == [Some(Value::Bool(false))] => None,
        Outcome::Returned(answer) if answer == [Some(Value::Bool(true))] => {
            Some(show(typed, &object, value, &ty))
        }
        Outcome::Returned(_)
        | Outcome::Halted { .. }
        | Outcome::Failed(_)
        | Outcome::Infeasible(_)
        | Outcome::OutOfFuel(_)
        | Outcome::Unsupported(_) => Some(format!(
            "{}, of which `IsFailure()` cannot be computed",
            show(typed, &object, value, &ty)
        )),
    }
}
