//! Executions and promises of Boogie programs, for people and as JSON.

use serde::Serialize;

use boogie_resolve::typed::Program;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{SourceMap, Span};
use dtest_boogie::{Ending, Execution, Explored, Failure, FailureKind, Standing, Stop, Verdicts};

/// An execution as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    kind: &'static str,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    inputs: Vec<(&'a str, &'a str)>,
    outputs: Vec<(&'a str, &'a str)>,
    calls: Vec<(&'a str, String)>,
    printed: &'a [String],
    steps: usize,
}

/// The last line of a run.
#[derive(Serialize)]
struct Total<'a> {
    kind: &'static str,
    entry: &'a str,
    passed: usize,
    failed: usize,
    infeasible: usize,
    not_decided: usize,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

/// How many executions ended how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Kept every promise.
    pub passed: usize,
    /// Broke one.
    pub failed: usize,
    /// Came to where nothing could be decided.
    pub not_decided: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, ending: &Ending) {
        match ending {
            Ending::Passed | Ending::Repeated | Ending::Cut => self.passed += 1,
            Ending::Failed(_) => self.failed += 1,
            Ending::Infeasible(_) => {}
            Ending::PromiseNotDecided(..) | Ending::NotDecided(_) => self.not_decided += 1,
        }
    }
}

/// Why something is not known.
pub fn reason(stop: &Stop, sources: &SourceMap) -> String {
    match stop {
        Stop::Unsupported(what, span) => format!("{}: {what} cannot be executed yet", sources.locate(*span)),
        Stop::Limit(which) => format!("a limit was reached: {which}"),
        Stop::Undecided(span) => format!("{}: whether this quantified fact holds could not be decided", sources.locate(*span)),
    }
}

fn place(failure: &Failure, sources: &SourceMap) -> String {
    sources.locate(failure.clause)
}

/// An execution for people.
pub fn human(e: &Execution, sources: &SourceMap) -> String {
    let mut text = match &e.ending {
        Ending::Passed | Ending::Repeated => "passed".to_owned(),
        Ending::Cut => "passed: one round of a loop that is known by its invariant".to_owned(),
        Ending::Failed(f) => format!("failed: {} {} is violated", f.kind.text(), place(f, sources)),
        Ending::Infeasible(span) => format!("infeasible: no execution goes on at {}", sources.locate(*span)),
        Ending::PromiseNotDecided(f, stop) => {
            format!("not decided: {} {} ({})", f.kind.text(), place(f, sources), reason(stop, sources))
        }
        Ending::NotDecided(stop) => format!("not decided: {}", reason(stop, sources)),
    };
    for (name, span) in &e.calls {
        text.push_str(&format!("\n  in call to {name} at {}", sources.locate(*span)));
    }
    let values = |pairs: &[(String, String)]| pairs.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
    if !e.inputs.is_empty() {
        text.push_str(&format!("\n  with {}", values(&e.inputs)));
    }
    if !e.outputs.is_empty() {
        text.push_str(&format!("\n  ends with {}", values(&e.outputs)));
    }
    for line in &e.printed {
        text.push_str(&format!("\n  prints {line}"));
    }
    text.push('\n');
    text
}

/// An execution as a line of JSON.
pub fn json(e: &Execution, sources: &SourceMap) -> String {
    let (ending, promise, at, why) = match &e.ending {
        Ending::Passed | Ending::Repeated | Ending::Cut => ("passed", None, None, None),
        Ending::Failed(f) => ("failed", Some(f.kind.text()), Some(place(f, sources)), None),
        Ending::Infeasible(span) => ("infeasible", None, Some(sources.locate(*span)), None),
        Ending::PromiseNotDecided(f, stop) => ("not decided", Some(f.kind.text()), Some(place(f, sources)), Some(reason(stop, sources))),
        Ending::NotDecided(stop) => ("not decided", None, None, Some(reason(stop, sources))),
    };
    fn pairs(all: &[(String, String)]) -> Vec<(&str, &str)> {
        all.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect()
    }
    line(&Shown {
        kind: "execution",
        ending,
        promise,
        place: at,
        reason: why,
        inputs: pairs(&e.inputs),
        outputs: pairs(&e.outputs),
        calls: e.calls.iter().map(|(n, s)| (n.as_str(), sources.locate(*s))).collect(),
        printed: &e.printed,
        steps: e.steps,
    })
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// The last line of a run, for people.
pub fn total(entry: &str, counts: Counts, explored: &Explored) -> String {
    let Counts { passed, failed, not_decided } = counts;
    let mut text = format!("{entry}: {passed} executions passed, {failed} failed; {} infeasible paths", explored.infeasible);
    if not_decided > 0 {
        text.push_str(&format!("; {not_decided} not decided"));
    }
    if explored.is_complete && not_decided == 0 {
        text.push_str("; every path was tried");
    } else if let Some(limit) = explored.limit {
        text.push_str(&format!("; stopped by the limit of {limit}"));
    } else if !explored.is_complete {
        text.push_str("; the rest was not asked for");
    }
    text.push('\n');
    text
}

/// The same as JSON.
pub fn total_json(entry: &str, counts: Counts, explored: &Explored) -> String {
    let Counts { passed, failed, not_decided } = counts;
    let Explored { infeasible, is_complete, limit, .. } = explored;
    line(&Total { kind: "total", entry, passed, failed, infeasible: *infeasible, not_decided, complete: *is_complete, limit: *limit })
}

/// Broken promises, each once, with how many executions break it.
pub fn summary(failures: &[Failure], sources: &SourceMap) -> String {
    let mut counts: std::collections::BTreeMap<(Span, FailureKind), usize> = std::collections::BTreeMap::new();
    failures.iter().for_each(|f| *counts.entry((f.clause, f.kind)).or_default() += 1);
    counts.iter().map(|((span, kind), n)| format!("{} {} is violated by {n} executions\n", kind.text(), sources.locate(*span))).collect()
}

/// A promise as JSON.
#[derive(Serialize)]
struct Promised<'a> {
    kind: &'static str,
    procedure: &'a str,
    promise: &'static str,
    place: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What is known of the promises of a procedure: text, and diagnostics of those that are violated.
pub fn verdicts(
    program: &Program,
    procedure: boogie_resolve::typed::ProcedureId,
    v: &Verdicts,
    sources: &SourceMap,
    all: bool,
) -> (String, Vec<Diagnostic>) {
    let name = &program.procedure(procedure).name;
    let (mut text, mut diagnostics) = (String::new(), Vec::new());
    let mut counts = [0usize; 4];
    for ((kind, span), standing) in &v.promises {
        let Some(standing) = standing else { continue };
        let place = sources.locate(*span);
        let what = kind.text();
        match standing {
            Standing::Violated(e) => {
                counts[0] += 1;
                let mut d = Diagnostic::error("check/violated", *span, format!("an execution of `{name}` breaks this {what}"));
                d.notes.extend(human(e, sources).lines().skip(1).map(|l| l.trim().to_owned()));
                diagnostics.push(d);
            }
            Standing::Holds => {
                counts[1] += 1;
                if all {
                    text.push_str(&format!("  holds: {what} {place}\n"));
                }
            }
            Standing::Kept(n) => {
                counts[2] += 1;
                if all {
                    text.push_str(&format!("  kept by {n} executions: {what} {place}\n"));
                }
            }
            Standing::NotDecided(stop) => {
                counts[3] += 1;
                if all {
                    text.push_str(&format!("  not decided: {what} {place}: {}\n", reason(stop, sources)));
                }
            }
        }
    }
    let [violated, holds, kept, open] = counts;
    let head = format!(
        "{name}: {} promises: {violated} violated, {holds} hold, {kept} kept by all executions tried, {open} not decided\n",
        v.promises.len()
    );
    (head + &text, diagnostics)
}

/// What is known of the promises of a procedure, a line of JSON each.
pub fn verdicts_json(program: &Program, procedure: boogie_resolve::typed::ProcedureId, v: &Verdicts, sources: &SourceMap) -> String {
    let name = &program.procedure(procedure).name;
    let one = |((kind, span), standing): (&(FailureKind, Span), &Option<Standing>)| {
        let (verdict, why) = match standing {
            Some(Standing::Violated(_)) => ("violated", None),
            Some(Standing::Holds) => ("holds", None),
            Some(Standing::Kept(_)) => ("kept", None),
            Some(Standing::NotDecided(stop)) => ("not decided", Some(reason(stop, sources))),
            None => ("not decided", None),
        };
        line(&Promised { kind: "promise", procedure: name, promise: kind.text(), place: sources.locate(*span), verdict, reason: why })
    };
    v.promises.iter().map(one).collect()
}
