//! Small inputs with small results, executed one by one.
//!
//! They show how many results inputs have, and which inputs have none among those tried.

use std::collections::{BTreeMap, BTreeSet};

use dafny_resolve::typed::{Expr, LocalId};
use dtest_interp::{ClauseResult, FailureKind, Inputs, Interp, Limits, Outcome};
use dtest_ir as ir;
use dtest_search::small;
use dtest_value::Value;

use crate::contract::Contract;
use crate::examples::{arguments, example};
use crate::pins::pins;
use crate::questions::Question;
use crate::{Example, Named};

/// Maximum number of inputs with results that are tried per size.
const MAX_TRIED: usize = 256;
/// Maximum number of interpreter steps for one tried input, and for all.
const MAX_STEPS: u64 = 200_000;
const MAX_STEPS_TOGETHER: u64 = 3_000_000;

/// Inputs that satisfy the precondition, with the number of their results.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) inputs: Vec<Input>,
}

/// An input that satisfies the precondition.
pub(crate) struct Input {
    /// The input.
    pub(crate) named: Vec<Named>,
    /// Conditions that fix the input, if it can be written so.
    pub(crate) pins: Option<Vec<Expr>>,
    /// The number of accepted results among those tried.
    pub(crate) results: usize,
}

impl Input {
    /// The input as an example without results.
    pub(crate) fn example(&self) -> Example {
        Example {
            inputs: self.named.clone(),
            results: Vec::new(),
        }
    }
}

impl Tried {
    /// The number of inputs with results, and the number of those with exactly one.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let with_results = self.inputs.iter().filter(|i| i.results > 0);
        let unique = self.inputs.iter().filter(|i| i.results == 1);
        (with_results.count(), unique.count())
    }

    /// Executes small inputs of the question for accepted results.
    pub(crate) fn new(program: &ir::Program, contract: &Contract<'_>, question: &Question) -> Self {
        let interp = Interp::new(program, limits());
        let afford = || interp.steps() < MAX_STEPS_TOGETHER;
        let is_result = |local: &Option<LocalId>| {
            let mut results = question.alternatives.iter().flatten();
            local.is_some_and(|l| results.any(|(r, _)| *r == l))
        };
        let mut tried = Self::default();
        let mut positions: BTreeMap<Vec<Named>, usize> = BTreeMap::new();
        let mut results: Vec<BTreeSet<Vec<Value>>> = Vec::new();
        let all = small::inputs_within(program, &interp, question.callable, MAX_TRIED, &afford);
        for inputs in all {
            if !afford() {
                break;
            }
            let check = interp.check_inputs(question.callable, &inputs);
            let count = contract.requires().len().min(check.requires.len());
            let (before, after) = check.requires.split_at(count);
            if !hold(&check.types) || !hold(before) {
                continue;
            }
            let named = example(program, contract, question, &inputs).inputs;
            let at = *positions.entry(named).or_insert_with_key(|named| {
                tried.inputs.push(Input {
                    named: named.clone(),
                    pins: pins(program, contract, question, &inputs),
                    results: 0,
                });
                results.push(BTreeSet::new());
                results.len() - 1
            });
            if hold(after) && is_accepted(&interp, contract, question, &inputs) {
                let of_results = arguments(program, question, &inputs)
                    .into_iter()
                    .filter(|(local, ..)| is_result(local))
                    .map(|(_, _, value)| value.clone());
                if let (Some(results), Some(input)) =
                    (results.get_mut(at), tried.inputs.get_mut(at))
                {
                    results.insert(of_results.collect());
                    input.results = results.len();
                }
            }
        }
        tried
    }
}

/// Whether all clauses are known to hold.
fn hold(clauses: &[ClauseResult]) -> bool {
    clauses
        .iter()
        .all(|c| c.truth.is_true() && c.answers.is_empty() && !c.reads_open_constants)
}

/// Whether the writes of a question lead to a state that satisfies the postconditions: its last
/// assertion, which is false, is reached without doubt. Postconditions of pure contracts are
/// preconditions of the question, and hold.
fn is_accepted(
    interp: &Interp<'_>,
    contract: &Contract<'_>,
    question: &Question,
    inputs: &Inputs,
) -> bool {
    if contract.is_pure() {
        return true;
    }
    let execution = interp.run(question.callable, inputs);
    let is_known = execution.unknown.is_empty()
        && execution.undecided_assumptions.is_empty()
        && execution.answers.is_empty()
        && !execution.reads_open_constants;
    is_known
        && matches!(&execution.outcome, Outcome::Failed(failure)
            if failure.kind == FailureKind::Assert && failure.span == contract.span())
}

/// The limits of one execution.
pub(crate) fn limits() -> Limits {
    Limits {
        steps: MAX_STEPS,
        ..Limits::default()
    }
}
