//! What is said of promises, by one-line programs.

mod assignment;
mod bodiless;
mod choices;
mod constants;
mod contracts;
mod functions;
mod iterators;
mod loops;
mod states;
mod termination;
mod types;
mod verdicts;

use std::fmt::Write;
use std::sync::Arc;

use super::{CheckResult, Verdict, check_unit};
use crate::ir::{Criteria, GoalReason};
use crate::search::Options;
use crate::testing::resolved;

/// What is said of every promise that is not plainly kept, in the order of the units: its text, its kind, its verdict, the inputs.
fn check(source: &str) -> String {
    check_by(source, dafny_resolve::typed::Options::default())
}

fn check_by(source: &str, options: dafny_resolve::typed::Options) -> String {
    let (sources, typed) = resolved(source, options);
    let program = crate::lower::lower_for(Arc::new(typed.unghosted()), Criteria::promises());
    let mut out = String::new();
    for unit in crate::lower::units::promising(&program.typed, |_| true) {
        let result = check_unit(&program, unit.callable, &Options::default());
        tell(&program, &sources, &unit.path, &result, &mut out);
    }
    out
}

fn tell(
    program: &crate::ir::Program,
    sources: &dafny_syntax::source::SourceMap,
    path: &str,
    result: &CheckResult,
    out: &mut String,
) {
    for (id, verdict) in &result.promises {
        let goal = program.goal(result.unit, *id).unwrap();
        let GoalReason::Broken { promise, .. } = &goal.reason else {
            panic!("a goal that is no promise")
        };
        let said = match verdict {
            Verdict::Violated(v) => {
                let inputs = crate::describe::inputs(program, result.unit, &v.inputs).join(", ");
                let how = if v.choices.is_some() {
                    " by choice"
                } else {
                    ""
                };
                format!(
                    "violated{}{how}: {inputs}",
                    if v.is_certain() { "" } else { " assuming" }
                )
            }
            Verdict::Holds => continue,
            Verdict::NotReached => "not reached".to_owned(),
            Verdict::HoldsWithin { .. } => "within bounds".to_owned(),
            Verdict::Open(reason) => format!("open: {reason}"),
        };
        writeln!(
            out,
            "{path}: {promise:?} `{}`: {}",
            sources.text(goal.span),
            said.trim_end_matches([':', ' '])
        )
        .unwrap();
    }
    for v in &result.others {
        writeln!(
            out,
            "{path}: elsewhere `{}`: {}",
            sources.text(v.failure.span),
            v.failure.message
        )
        .unwrap();
    }
}

#[track_caller]
fn assert_said(source: &str, expected: &[&str]) {
    let said = check(source);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{source}");
}
