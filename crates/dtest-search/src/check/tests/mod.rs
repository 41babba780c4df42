//! Tests of obligations on small programs. Each module covers one kind of obligation.

mod assignment;
mod bodiless;
mod bounded;
mod callees;
mod choices;
mod constants;
mod contracts;
mod frames;
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
use crate::Options;
use dtest_encode::Scope;
use dtest_ir::{Criteria, GoalReason};
use dtest_lower::testing::resolved;

/// The verdicts on a program, one per line: unit, kind and text of the obligation, verdict and
/// inputs. Obligations that hold or are not reached are left out.
fn check(source: &str) -> String {
    check_by(source, dafny_resolve::typed::Options::default())
}

fn check_by(source: &str, options: dafny_resolve::typed::Options) -> String {
    let (sources, typed) = resolved(source, options);
    let program = dtest_lower::lower_for(
        Arc::new(dtest_desugar::unghosted(typed)),
        Criteria::obligations(),
    );
    let mut out = String::new();
    for unit in dtest_lower::units::units_with_obligations(&program.typed, |_| true) {
        let result = check_unit(&program, unit.callable, &Options::default());
        tell(&program, &sources, &unit.path, &result, &mut out);
    }
    out
}

fn tell(
    program: &dtest_ir::Program,
    sources: &dafny_source::SourceMap,
    path: &str,
    result: &CheckResult,
    out: &mut String,
) {
    for (id, verdict) in &result.obligations {
        let goal = program.goal(result.unit, *id).unwrap();
        let GoalReason::Broken { obligation, .. } = &goal.reason else {
            panic!("a goal that is no obligation")
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
            Verdict::Holds | Verdict::NotReached => continue,
            Verdict::HoldsAssuming(_) => "holds assuming".to_owned(),
            Verdict::HoldsWithin { .. } => "within bounds".to_owned(),
            Verdict::Open(reason) => format!("open: {reason}"),
        };
        writeln!(
            out,
            "{path}: {obligation:?} `{}`: {}",
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

/// The verdicts on the assertions of a program, in order.
fn claims(source: &str) -> Vec<String> {
    let (_, typed) = resolved(source, dafny_resolve::typed::Options::default());
    let program = dtest_lower::lower_for(
        Arc::new(dtest_desugar::unghosted(typed)),
        Criteria::obligations(),
    );
    let units = dtest_lower::units::units_with_obligations(&program.typed, |_| true);
    let results = units
        .iter()
        .map(|unit| check_unit(&program, unit.callable, &Options::default()));
    let claims = results.flat_map(|result| {
        let unit = result.unit;
        let program = &program;
        result
            .obligations
            .into_iter()
            .filter_map(move |(id, verdict)| {
                let (kind, _) = program.goal(unit, id)?.obligation()?;
                (kind == dtest_ir::ObligationKind::Assertion).then(|| claim(&verdict))
            })
    });
    claims.collect()
}

fn claim(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Violated(_) => "violated".to_owned(),
        Verdict::Holds => "holds".to_owned(),
        Verdict::HoldsAssuming(_) => "holds assuming".to_owned(),
        Verdict::NotReached => "not reached".to_owned(),
        Verdict::HoldsWithin { scope, .. } if *scope == Scope::default() => "for int".to_owned(),
        Verdict::HoldsWithin { scope, .. } => format!("within {scope}"),
        Verdict::Open(reason) => format!("open: {reason}"),
    }
}

#[track_caller]
fn assert_said(source: &str, expected: &[&str]) {
    let said = check(source);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{source}");
}
