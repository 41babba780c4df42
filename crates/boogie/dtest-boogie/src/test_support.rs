//! Executions and verdicts of small programs in a short notation.

use boogie_resolve::typed::{ProcedureId, Program};
use dafny_source::{SourceMap, Span};

use crate::{
    Ending, Execution, Explored, Failure, Options, Proofs, Standing, Stop, Verdicts, explore,
    verdicts,
};

/// Resolves a program without errors.
pub(crate) fn program(text: &str) -> Program {
    let (parsed, diagnostics) = boogie_syntax::parse(0, text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    boogie_resolve::resolve(&parsed).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// Returns the procedure under test, `P`.
pub(crate) fn entry(program: &Program) -> ProcedureId {
    program.procedure_named("P").expect("a procedure `P`")
}

/// Returns the line of a place.
fn line(text: &str, span: Span) -> u32 {
    let mut sources = SourceMap::new();
    let _ = sources.add("t.bpl", text, true);
    sources.line_column(span.start).map_or(0, |l| l.line)
}

/// Enumerates the executions of `P`, all of them with their values.
pub(crate) fn all(text: &str, options: &Options) -> (Vec<Execution>, Explored) {
    let program = program(text);
    let mut found = Vec::new();
    let explored = explore(
        &program,
        entry(&program),
        options,
        |_| true,
        |e| {
            found.push(e);
            true
        },
    );
    (found, explored)
}

/// Options with the smallest numbers in reported executions.
pub(crate) fn small() -> Options {
    Options {
        minimize: true,
        ..Options::default()
    }
}

/// Returns the kind of an end, with the lines of a violated obligation and of its violation.
pub(crate) fn ending(text: &str, ending: &Ending) -> String {
    let at = |f: &Failure| {
        format!(
            "{} {} at {}",
            f.kind.text(),
            line(text, f.clause),
            line(text, f.at)
        )
    };
    match ending {
        Ending::Passed => "passed".into(),
        Ending::Repeated => "repeated".into(),
        Ending::Failed(f) => format!("failed {}", at(f)),
        Ending::Infeasible(_) => "infeasible".into(),
        Ending::Cut => "cut".into(),
        Ending::ObligationNotDecided(f, why) => format!("undecided {}: {}", at(f), stop(why)),
        Ending::NotDecided(why) => format!("undecided: {}", stop(why)),
    }
}

/// Returns the reason of a stop.
pub(crate) fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Unsupported(what, _) => format!("unsupported {what}"),
        Stop::Limit(what) => format!("limit of {what}"),
        Stop::Undecided(_) => "quantifier".into(),
    }
}

/// Returns the different ends of the executions of `P` in alphabetical order: violations, then
/// `passed`, then undecided ones. Infeasible paths count only if there is nothing else.
pub(crate) fn endings(text: &str) -> Vec<String> {
    let (found, _) = all(text, &small());
    let ends = found.iter().filter(|e| e.ending != Ending::Repeated);
    let mut out: Vec<String> = ends.map(|e| ending(text, &e.ending)).collect();
    out.sort();
    out.dedup();
    if out.len() > 1 {
        out.retain(|e| e != "infeasible");
    }
    out
}

/// Returns values as `name = value`.
pub(crate) fn shown(values: &[(String, String)]) -> Vec<String> {
    values.iter().map(|(n, v)| format!("{n} = {v}")).collect()
}

/// Evaluates expressions in the only execution of a program with the given declarations.
pub(crate) fn evaluate(declarations: &str, expressions: &[&str]) -> Vec<String> {
    let prints: String = expressions
        .iter()
        .map(|e| format!("assume {{:print {e}}} true; "))
        .collect();
    let text = format!("{declarations} procedure P() {{ {prints} }}");
    let (found, _) = all(&text, &small());
    let first = found.into_iter().next().expect("an execution");
    assert_eq!(first.ending, Ending::Passed, "{text}");
    first.printed
}

/// Compares the values of expressions.
pub(crate) fn check(declarations: &str, table: &[(&str, &str)]) {
    let expressions: Vec<&str> = table.iter().map(|(e, _)| *e).collect();
    let values = evaluate(declarations, &expressions);
    assert_eq!(values.len(), table.len());
    for ((expression, expected), value) in table.iter().zip(&values) {
        assert_eq!(value, expected, "{expression}");
    }
}

/// Decides the obligations of `P`.
pub(crate) fn decide(text: &str, options: &Options) -> Verdicts {
    let program = program(text);
    verdicts(
        &program,
        entry(&program),
        options,
        &mut Proofs::new(&program),
    )
}

/// Returns each obligation with its line and its verdict.
pub(crate) fn standings(text: &str, found: &Verdicts) -> Vec<String> {
    let verdict = |s: &Standing| match s {
        Standing::Violated(_) => "violated".into(),
        Standing::Holds => "holds".into(),
        Standing::Proved => "proved".into(),
        Standing::Kept(_) => "kept".into(),
        Standing::NotDecided(why) => format!("undecided: {}", stop(why)),
    };
    let shown = |((kind, span), standing): (&(crate::FailureKind, Span), &Option<Standing>)| {
        let standing = standing.as_ref().map_or_else(|| "open".into(), verdict);
        (
            line(text, *span),
            format!("{} {}: {standing}", line(text, *span), kind.text()),
        )
    };
    let mut all: Vec<(u32, String)> = found.obligations.iter().map(shown).collect();
    all.sort();
    all.into_iter().map(|(_, text)| text).collect()
}

/// Returns each obligation of `P` with its line and its verdict.
pub(crate) fn verdicts_of(text: &str) -> Vec<String> {
    standings(text, &decide(text, &Options::default()))
}
