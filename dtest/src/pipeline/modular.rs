//! The search for weak specifications: violations that only the abstraction of a callee or loop by
//! its specification allows.
//!
//! The verifier knows a callee by its contract and a loop by its invariants. If an obligation is
//! violated only in the abstracted program, the specification is too weak, and the program has no
//! error.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::work::in_parallel;
use crate::message::MessageId;
use dafny_resolve::typed::CallableId;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span};
use dtest_interp::{Answer, FailureKind, Inputs, Interp, Limits, Outcome, Trace};
use dtest_ir::{self as ir, Criteria};
use dtest_lower as lower;
use dtest_lower::units::Unit;
use dtest_search as search;
use dtest_search::check::{
    CheckResult, Ended, Verdict, Violation, check_obligations, follow, replay,
};
use dtest_search::describe;
use dtest_sorted::SortedSet;
use dtest_value::Value;

/// The callables and loops that are abstracted by their specifications.
#[derive(Debug, Clone, Default)]
pub struct Modular {
    /// The abstracted callables.
    pub callables: BTreeSet<CallableId>,
    /// The abstracted loops, by the spans of their statements.
    pub loops: Vec<Span>,
}

/// An obligation that is violated only under abstraction.
#[derive(Debug, Clone)]
pub struct Weak {
    /// The Dafny path of the unit.
    pub unit: String,
    /// The location of the obligation.
    pub span: Span,
    /// The description of the violation.
    pub message: &'static str,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// Descriptions of the results that the specifications allow.
    pub allowed: Vec<String>,
    /// The violation as a diagnostic.
    pub diagnostic: Diagnostic,
}

/// Returns the spans of the loops of a unit.
pub fn loops(program: &ir::Program, unit: CallableId) -> Vec<Span> {
    let blocks = program.procedures.get(&unit).map_or(&[][..], |p| &p.blocks);
    blocks
        .iter()
        .filter_map(|b| b.loop_head.as_ref())
        .map(|head| head.span)
        .collect()
}

/// Searches for obligations that are violated only under abstraction, and describes the open ones.
/// `results` are those of `units`.
pub fn search(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    results: &[CheckResult],
    known: &Modular,
    options: &search::Options,
    jobs: usize,
) -> (Vec<Weak>, SortedSet<String>) {
    let look = |unit: &Unit| {
        let result = results.iter().find(|r| r.unit == unit.callable);
        result
            .map(|result| of_unit(program, sources, unit, result, known, options))
            .unwrap_or_default()
    };
    let (mut weak, mut open) = (Vec::new(), SortedSet::new());
    let found = in_parallel("specifications", program, units, jobs, &look, &|_| {});
    for (unit, result) in units.iter().zip(found) {
        match result {
            Ok((found, reasons)) => {
                weak.extend(found);
                open.extend(reasons);
            }
            Err(stopped) => {
                open.insert(format!("`{}`: {stopped}", unit.path));
            }
        }
    }
    (weak, open)
}

fn of_unit(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    result: &CheckResult,
    known: &Modular,
    options: &search::Options,
) -> (Vec<Weak>, SortedSet<String>) {
    let mut open = SortedSet::new();
    let mut callables = known.callables.clone();
    callables.remove(&unit.callable);
    let typed = dtest_desugar::by_contract((*program.typed).clone(), &callables);
    let mut variant = lower::lower_for(Arc::new(typed), Criteria::obligations());
    if let Some(procedure) = variant.procedures.get_mut(&unit.callable) {
        let (_, left) = lower::by_invariant(Arc::make_mut(procedure), &|span| {
            known.loops.contains(&span)
        });
        open.extend(left.iter().map(|l| {
            format!(
                "the loop at {} writes the heap: it is executed",
                sources.locate(*l)
            )
        }));
    }
    // An obligation that an execution violates is no matter of weak specifications.
    let key = |goal: &ir::Goal| goal.obligation().map(|obligation| (goal.span, obligation));
    let broken: SortedSet<_> = result
        .obligations
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Violated(_)))
        .filter_map(|(id, _)| key(program.goal(unit.callable, *id)?))
        .collect();
    let is_wanted = |goal: &ir::Goal| key(goal).is_some_and(|key| !broken.contains(&key));
    let found = check_obligations(&variant, unit.callable, options, &is_wanted, None);
    let mut all = Vec::new();
    for (_, verdict) in &found.obligations {
        match verdict {
            Verdict::Violated(violation) => {
                let known = Modular {
                    callables: callables.clone(),
                    loops: known.loops.clone(),
                };
                all.extend(weak(
                    program, &variant, sources, unit, violation, &known, options,
                ));
            }
            Verdict::Open(reason) => {
                open.insert(format!(
                    "by specifications alone, some obligations of `{}` could not be decided: {reason}",
                    unit.path
                ));
            }
            Verdict::Holds
            | Verdict::HoldsAssuming(_)
            | Verdict::NotReached
            | Verdict::HoldsWithin { .. } => {}
        }
    }
    (all, open)
}

/// Returns a violation under abstraction, unless an execution of the original from the same inputs
/// has the same violation.
fn weak(
    program: &ir::Program,
    variant: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    violation: &Violation,
    known: &Modular,
    options: &search::Options,
) -> Option<Weak> {
    // A violation in the program itself is an error of the program, not a weak specification.
    let inputs = Inputs {
        answers: Vec::new(),
        ..violation.inputs.clone()
    };
    let (explored, _) = replay(program, unit.callable, inputs.clone(), Vec::new(), options).ok()?;
    let is_same = |v: &Violation| {
        v.failure.kind == violation.failure.kind && v.failure.span == violation.failure.span
    };
    if matches!(&explored.ended, Ended::Broken(v) if is_same(v)) {
        return None;
    }
    // The run of the abstracted program shows what the specifications allow.
    let (execution, trace) = follow(
        variant,
        unit.callable,
        &violation.inputs,
        violation.choices.as_deref(),
        options,
    )?;
    let mut allowed: Vec<String> = execution
        .answers
        .iter()
        .filter(|a| known.callables.contains(&a.callee))
        .filter_map(|a| answer(program, a))
        .collect();
    let shown = describe::inputs(program, unit.callable, &inputs);
    // The states allowed by contracts, then those allowed by invariants.
    allowed.extend(invariant_states(program, sources, &trace, known, &shown));
    allowed.dedup();
    let with = if shown.is_empty() {
        "no inputs".to_owned()
    } else {
        shown.join(", ")
    };
    let message = describe::broken(violation.failure.kind.obligation());
    let span = violation.failure.span;
    let diagnostic = Diagnostic::warning(
        MessageId::CheckWeakSpecification,
        span,
        format!("by specifications alone, {message}"),
    );
    let diagnostic = diagnostic.with_note(format!(
        "in `{}` with {with}, although no execution from these inputs breaks it",
        unit.path
    ));
    let diagnostic = allowed
        .iter()
        .cloned()
        .fold(diagnostic, Diagnostic::with_note);
    let what = if violation.failure.kind == FailureKind::InvariantKept {
        "strengthen the invariants: they are not inductive"
    } else {
        "strengthen the postconditions of callees or the invariants of loops"
    };
    Some(Weak {
        unit: unit.path.clone(),
        span,
        message,
        inputs: shown,
        allowed,
        diagnostic: diagnostic.with_help(what),
    })
}

/// Describes a result that a contract allows and the body does not return.
fn answer(program: &ir::Program, answer: &Answer) -> Option<String> {
    let args: Option<Vec<Value>> = answer.args.iter().cloned().collect();
    let show = |v: &Value| {
        dtest_value::show(
            &program.typed,
            &|_| None,
            v,
            &dafny_resolve::typed::Type::Error,
        )
    };
    let tuple = |values: &[Option<Value>]| {
        values
            .iter()
            .map(|v| v.as_ref().map_or("_".to_owned(), show))
            .collect::<Vec<_>>()
            .join(", ")
    };
    // The result that the contract allows, and the one of the body if that can be run.
    let path = program.typed.callable_path(answer.callee);
    let call = format!("{path}({})", tuple(&answer.args));
    let allowed = format!(
        "`{path}`'s contract allows {} here, for `{call}`",
        tuple(&answer.results)
    );
    let has_references = |v: &Value| v.within().any(|v| matches!(v, Value::Ref(_)));
    let Some(args) = args.filter(|args| !args.iter().any(has_references)) else {
        return Some(allowed);
    };
    let interp = Interp::new(
        program,
        Limits {
            steps: 1_000_000,
            ..Limits::default()
        },
    );
    let inputs = Inputs {
        type_args: answer.type_args.clone(),
        args,
        ..Inputs::default()
    };
    match interp.run(answer.callee, &inputs).outcome {
        Outcome::Returned(results) if results == answer.results => None,
        Outcome::Returned(results) => {
            Some(format!("{allowed}; its body returns {}", tuple(&results)))
        }
        Outcome::Failed(_)
        | Outcome::Halted { .. }
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => Some(allowed),
    }
}

/// Describes the states in which loops were cut, without the part that the inputs determine.
fn invariant_states(
    program: &ir::Program,
    sources: &SourceMap,
    trace: &Trace,
    known: &Modular,
    inputs: &[String],
) -> Vec<String> {
    let state = |place: &Span| {
        let at = trace
            .steps
            .iter()
            .position(|s| s.depth == 1 && s.span == *place)?;
        let after = trace
            .steps
            .iter()
            .skip(at)
            .find(|s| s.depth == 1 && s.span != *place)?;
        let described = super::trace::describe(
            program,
            sources,
            &Trace {
                steps: vec![after.clone()],
                ..Trace::default()
            },
        );
        let variables: Vec<String> = described
            .steps
            .first()?
            .variables
            .iter()
            .map(ToString::to_string)
            .filter(|v| !inputs.contains(v))
            .collect();
        Some(format!(
            "the invariants of the loop at {} allow {}",
            sources.locate(*place),
            variables.join(", ")
        ))
    };
    known.loops.iter().filter_map(state).collect()
}
