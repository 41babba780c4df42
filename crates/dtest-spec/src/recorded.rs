//! Cases from executions: the calls that a `{:test}` method makes.
//!
//! The interpreter records the calls with the heap at the time of each, so that these cases have
//! receivers, arrays, objects and effects. Each call is then executed by itself, and the clauses of
//! the contract are evaluated before and after it.

use dafny_resolve::typed::{Body, CallableId};
use dtest_interp::{ClauseResult, Execution, Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir as ir;
use dtest_sorted::SortedSet;

use crate::cases::{CaseTruth, CaseVerdict};
use crate::contract::Contract;
use crate::examples::call_example;
use crate::tried::limits;
use crate::{ClauseKind, Example};

/// Maximum number of calls of one callable, and of all, that one test contributes.
const MAX_OF_CALLEE: usize = 64;
const MAX_CALLS: usize = 256;
/// Maximum number of steps of a test.
const MAX_STEPS: u64 = 20_000_000;

/// A call in the execution of a test.
#[derive(Clone, Debug)]
pub struct RecordedCase {
    /// The callable.
    pub unit: CallableId,
    /// The inputs, and the results and changes of the body, if it returned.
    pub example: Example,
    /// The verdict of each clause.
    pub verdicts: Vec<CaseVerdict>,
}

/// Returns the calls of callables with contracts in the execution of a test, in the order of their
/// first recording, each input once. The test must be one that can be called without arguments.
pub fn recorded_cases(program: &ir::Program, test: CallableId) -> Vec<RecordedCase> {
    let interp = Interp::new(
        program,
        Limits {
            steps: MAX_STEPS,
            // A call that violates the precondition is a case like others.
            check_calls: false,
            ..Limits::default()
        },
    );
    interp.record_calls_up_to(MAX_OF_CALLEE, MAX_CALLS);
    // A test that fails has made calls until then.
    let _ = interp.run(test, &Inputs::default());
    let calls = interp.take_calls();
    let mut seen: SortedSet<(CallableId, Vec<(String, String)>)> = SortedSet::new();
    let mut cases = Vec::new();
    for (unit, inputs) in calls {
        let callable = &program.typed[unit];
        let has_contract = !callable.spec.requires.is_empty() || !callable.spec.ensures.is_empty();
        if unit == test || !has_contract {
            continue;
        }
        let case = judged(program, unit, &inputs);
        let named = case.example.inputs.iter();
        let key = named.map(|n| (n.name.clone(), n.value.clone())).collect();
        if seen.insert((unit, key)) {
            cases.push(case);
        }
    }
    cases
}

/// Executes a call, and evaluates the clauses.
pub(crate) fn judged(program: &ir::Program, unit: CallableId, inputs: &Inputs) -> RecordedCase {
    let contract = Contract::new(&program.typed, unit);
    let interp = Interp::new(
        program,
        Limits {
            check_calls: false,
            ..limits()
        },
    );
    let mut verdicts = requires(&interp, unit, inputs);
    let execution = interp.run(unit, inputs);
    let has_returned = matches!(execution.outcome, Outcome::Returned(_));
    let after = match has_returned {
        true => ensures(&interp, unit, inputs, &execution),
        false => contract
            .ensures()
            .iter()
            .map(|c| CaseVerdict {
                kind: ClauseKind::Ensures,
                span: c.span,
                truth: CaseTruth::Undecided(ended(program, unit, &execution)),
            })
            .collect(),
    };
    verdicts.extend(after);
    RecordedCase {
        unit,
        example: call_example(program, &contract, (unit, inputs), &execution),
        verdicts,
    }
}

/// The reason why an execution has no results.
fn ended(program: &ir::Program, unit: CallableId, execution: &Execution) -> String {
    let callable = &program.typed[unit];
    let has_body = !matches!(callable.body, Body::None);
    match &execution.outcome {
        _ if !has_body => "there is no body that has results".to_owned(),
        Outcome::Failed(_) | Outcome::Halted { .. } => {
            let kind = match callable.kind.is_function() {
                true => "function",
                false => "method",
            };
            format!("the {kind} fails")
        }
        Outcome::Returned(_)
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => "the body cannot be executed to its end".to_owned(),
    }
}

/// The verdicts of the types of the parameters, and of the preconditions.
pub(crate) fn requires(interp: &Interp<'_>, unit: CallableId, inputs: &Inputs) -> Vec<CaseVerdict> {
    let check = interp.check_inputs(unit, inputs);
    let types = check.types.iter().filter(|t| t.truth.is_false());
    let wrong = types.map(|t| CaseVerdict {
        kind: ClauseKind::Requires,
        span: t.span,
        truth: CaseTruth::WrongType,
    });
    let clauses = verdicts(ClauseKind::Requires, &check.requires);
    wrong.chain(clauses).collect()
}

/// The verdicts of the postconditions.
pub(crate) fn ensures(
    interp: &Interp<'_>,
    unit: CallableId,
    inputs: &Inputs,
    execution: &Execution,
) -> Vec<CaseVerdict> {
    let clauses = interp.check_ensures(unit, inputs, execution);
    verdicts(ClauseKind::Ensures, &clauses)
}

fn verdicts(kind: ClauseKind, clauses: &[ClauseResult]) -> Vec<CaseVerdict> {
    let verdict = |clause: &ClauseResult| {
        let is_known = clause.answers.is_empty() && !clause.reads_open_constants;
        let truth = match &clause.truth {
            Truth::True if is_known => CaseTruth::Accepts,
            Truth::False if is_known => CaseTruth::Rejects,
            Truth::True | Truth::False => {
                CaseTruth::Undecided("the clause depends on external code".to_owned())
            }
            Truth::Unknown(reason) => CaseTruth::Undecided(reason.to_string()),
        };
        CaseVerdict {
            kind,
            span: clause.span,
            truth,
        }
    };
    clauses.iter().map(verdict).collect()
}
