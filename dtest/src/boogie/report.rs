//! Reports on Boogie programs: executions, obligations and dead blocks, for people and as JSON.

use crate::message::MessageId;
use serde::{Deserialize, Serialize};

use boogie_resolve::typed::{ProcedureId, Program};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span};
use dtest_boogie::{
    Ending, Execution, Explored, Failure, FailureKind, Standing, Step, StepKind, Stop, Verdicts,
};

/// An execution as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    kind: &'static str,
    entry: &'a str,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    obligation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    inputs: Vec<(&'a str, &'a str)>,
    outputs: Vec<(&'a str, &'a str)>,
    calls: Vec<(&'a str, String)>,
    printed: &'a [String],
    steps: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<TraceStep<'a>>,
}

/// A step as JSON.
#[derive(Serialize)]
struct TraceStep<'a> {
    place: String,
    depth: usize,
    text: String,
    changed: Vec<(&'a str, &'a str)>,
}

/// A recorded execution, with the data to repeat it.
#[derive(Debug, Deserialize)]
pub struct Kept {
    /// The procedure.
    pub entry: String,
    /// The ending: `passed` or `failed`.
    pub ending: String,
    /// The inputs with their values.
    pub inputs: Vec<(String, String)>,
}

/// A line of the output of `run` or `check`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    /// An obligation with the execution that violates it.
    Obligation {
        /// The execution.
        execution: Kept,
    },
    /// An execution.
    Execution(Kept),
}

/// Returns the completed executions among lines of JSON.
pub fn kept(text: &str) -> Vec<Kept> {
    let lines = text.lines().filter_map(|l| serde_json::from_str(l).ok());
    let all = lines.map(|line| match line {
        Line::Obligation { execution } | Line::Execution(execution) => execution,
    });
    all.filter(|k| matches!(k.ending.as_str(), "passed" | "failed"))
        .collect()
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

/// The number of executions by ending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Executions that violate no obligation.
    pub passed: usize,
    /// Executions that violate an obligation.
    pub failed: usize,
    /// Executions that are undecided.
    pub not_decided: usize,
}

impl Counts {
    /// Returns the number of all executions.
    pub fn tried(&self) -> usize {
        self.passed + self.failed + self.not_decided
    }

    /// Counts an execution.
    pub fn add(&mut self, ending: &Ending) {
        match ending {
            Ending::Passed | Ending::Repeated | Ending::Cut => self.passed += 1,
            Ending::Failed(_) => self.failed += 1,
            Ending::Infeasible(_) => {}
            Ending::ObligationNotDecided(..) | Ending::NotDecided(_) => self.not_decided += 1,
        }
    }
}

/// Describes why an execution or obligation is undecided.
pub fn reason(stop: &Stop, sources: &SourceMap) -> String {
    match stop {
        Stop::Unsupported(what, span) => {
            format!("{}: {what} cannot be executed yet", sources.locate(*span))
        }
        Stop::Limit(which) => format!("a limit was reached: {which}"),
        Stop::Undecided(span) => format!(
            "{}: it could not be decided whether this quantified fact holds",
            sources.locate(*span)
        ),
    }
}

fn place(failure: &Failure, sources: &SourceMap) -> String {
    sources.locate(failure.clause)
}

/// Formats an execution for people.
pub fn human(e: &Execution, sources: &SourceMap) -> String {
    let mut text = match &e.ending {
        Ending::Passed | Ending::Repeated => "passed".to_owned(),
        Ending::Cut => {
            "passed: one iteration of a loop that is abstracted by its invariant".to_owned()
        }
        Ending::Failed(f) => format!(
            "failed: {} {} is violated",
            f.kind.text(),
            place(f, sources)
        ),
        Ending::Infeasible(span) => format!(
            "infeasible: no execution continues at {}",
            sources.locate(*span)
        ),
        Ending::ObligationNotDecided(f, stop) => {
            format!(
                "not decided: {} {} ({})",
                f.kind.text(),
                place(f, sources),
                reason(stop, sources)
            )
        }
        Ending::NotDecided(stop) => format!("not decided: {}", reason(stop, sources)),
    };
    // Below the headline: active calls (outermost first), inputs, outputs, printed lines.
    for (name, span) in &e.calls {
        text.push_str(&format!(
            "\n  in call to {name} at {}",
            sources.locate(*span)
        ));
    }
    let values = |pairs: &[(String, String)]| {
        pairs
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
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

/// Describes a step.
fn said(step: &Step, sources: &SourceMap) -> String {
    match &step.kind {
        StepKind::Statement => excerpt(sources, step.span),
        StepKind::Condition(holds) => format!("{} is {holds}", sources.text(step.span)),
        StepKind::Rounds(n) => format!(
            "the loop, after {n} iteration{}",
            if *n == 1 { "" } else { "s" }
        ),
        StepKind::Entered(name) => format!("{name} begins"),
        StepKind::Left(name) => format!("{name} ends"),
    }
}

/// Returns the clause or statement at a location, limited to one line.
pub fn excerpt(sources: &SourceMap, span: Span) -> String {
    const WIDTH: usize = 100;
    let line = sources
        .line_column(span.start)
        .zip(sources.file_at(span.start))
        .map(|(at, (file, _))| sources.line(file, at.line));
    let Some(line) = line else {
        return String::new();
    };
    let before = sources.text(Span::new(line.start, span.start));
    let rest = sources.text(Span::new(span.start, line.end.max(span.start)));
    // The span of an assignment is that of its operator, so the text starts before it.
    let begin = before
        .rfind([';', '{', '}'])
        .map_or(before, |i| before.get(i + 1..).unwrap_or_default());
    let end = rest
        .find(';')
        .map_or(rest, |i| rest.get(..=i).unwrap_or(rest));
    let text = format!("{}{}", begin.trim_start(), end.trim_end());
    if text.chars().count() > WIDTH {
        text.chars().take(WIDTH).chain("...".chars()).collect()
    } else {
        text
    }
}

/// Formats the steps of an execution, one per line.
pub fn steps(e: &Execution, sources: &SourceMap) -> String {
    let mut text = String::new();
    for step in &e.trace {
        let changed: Vec<String> = step
            .changed
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        let changed = if changed.is_empty() {
            String::new()
        } else {
            format!("  [{}]", changed.join(", "))
        };
        let indent = "  ".repeat(step.depth.min(20) + 1);
        text.push_str(&format!(
            "{indent}{}  {}{changed}\n",
            sources.locate(step.span),
            said(step, sources)
        ));
    }
    text
}

/// Formats an execution as a line of JSON.
pub fn json(entry: &str, e: &Execution, sources: &SourceMap) -> String {
    line(&shown(entry, e, sources))
}

fn shown<'a>(entry: &'a str, e: &'a Execution, sources: &SourceMap) -> Shown<'a> {
    let (ending, obligation, at, why) = match &e.ending {
        Ending::Passed | Ending::Repeated | Ending::Cut => ("passed", None, None, None),
        Ending::Failed(f) => ("failed", Some(f.kind.text()), Some(place(f, sources)), None),
        Ending::Infeasible(span) => ("infeasible", None, Some(sources.locate(*span)), None),
        Ending::ObligationNotDecided(f, stop) => (
            "not decided",
            Some(f.kind.text()),
            Some(place(f, sources)),
            Some(reason(stop, sources)),
        ),
        Ending::NotDecided(stop) => ("not decided", None, None, Some(reason(stop, sources))),
    };
    fn pairs(all: &[(String, String)]) -> Vec<(&str, &str)> {
        all.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect()
    }
    let trace = |s: &'a Step| TraceStep {
        place: sources.locate(s.span),
        depth: s.depth,
        text: said(s, sources),
        changed: pairs(&s.changed),
    };
    Shown {
        kind: "execution",
        entry,
        ending,
        obligation,
        place: at,
        reason: why,
        inputs: pairs(&e.inputs),
        outputs: pairs(&e.outputs),
        calls: e
            .calls
            .iter()
            .map(|(n, s)| (n.as_str(), sources.locate(*s)))
            .collect(),
        printed: &e.printed,
        steps: e.steps,
        trace: e.trace.iter().map(trace).collect(),
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Formats the last line of a run, for people.
pub fn total(entry: &str, counts: Counts, explored: &Explored) -> String {
    let Counts {
        passed,
        failed,
        not_decided,
    } = counts;
    let mut text = format!(
        "{entry}: {passed} executions passed, {failed} failed; {} infeasible paths",
        explored.infeasible
    );
    if not_decided > 0 {
        text.push_str(&format!("; {not_decided} not decided"));
    }
    if explored.is_complete && not_decided == 0 {
        text.push_str("; every path was tried");
    } else if let Some(limit) = explored.limit {
        text.push_str(&format!("; stopped by the limit of {limit}"));
        if ["effort", "time"].contains(&limit) {
            text.push_str(": raise --effort");
        }
    } else if !explored.is_complete {
        text.push_str("; more executions were not requested");
    }
    text.push('\n');
    text
}

/// Formats the last line of a run as JSON.
pub fn total_json(entry: &str, counts: Counts, explored: &Explored) -> String {
    let Counts {
        passed,
        failed,
        not_decided,
    } = counts;
    let Explored {
        infeasible,
        is_complete,
        limit,
        ..
    } = explored;
    line(&Total {
        kind: "total",
        entry,
        passed,
        failed,
        infeasible: *infeasible,
        not_decided,
        complete: *is_complete,
        limit: *limit,
    })
}

/// Formats the violated obligations, each once, with the number of executions that violate it.
pub fn summary(failures: &[Failure], sources: &SourceMap) -> String {
    let mut counts: dtest_sorted::SortedMap<(Span, FailureKind), usize> =
        dtest_sorted::SortedMap::new();
    failures
        .iter()
        .for_each(|f| *counts.entry((f.clause, f.kind)).or_default() += 1);
    counts
        .iter()
        .map(|((span, kind), n)| {
            format!(
                "{} {} is violated by {n} executions\n",
                kind.text(),
                sources.locate(*span)
            )
        })
        .collect()
}

/// An obligation as JSON.
#[derive(Serialize)]
struct ObligationRecord<'a> {
    kind: &'static str,
    procedure: &'a str,
    obligation: &'static str,
    place: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<Shown<'a>>,
}

/// A procedure with its obligations, as JSON.
#[derive(Serialize)]
struct Listed<'a> {
    kind: &'static str,
    procedure: &'a str,
    place: String,
    obligations: Vec<ListedObligation>,
}

/// An obligation of a list, as JSON.
#[derive(Serialize)]
struct ListedObligation {
    obligation: &'static str,
    place: String,
    text: String,
}

/// A block that no execution enters, as JSON.
#[derive(Serialize)]
struct Dead<'a> {
    kind: &'static str,
    procedure: &'a str,
    place: String,
    text: String,
    sure: bool,
}

/// Formats a procedure with its obligations, for people or as a line of JSON.
pub fn listed(program: &Program, id: ProcedureId, sources: &SourceMap, is_json: bool) -> String {
    let p = program.procedure(id);
    let one = |(kind, span): (FailureKind, Span)| ListedObligation {
        obligation: kind.text(),
        place: sources.locate(span),
        text: excerpt(sources, span),
    };
    let obligations: Vec<ListedObligation> = dtest_boogie::obligations(program, id)
        .into_iter()
        .map(one)
        .collect();
    if is_json {
        return line(&Listed {
            kind: "procedure",
            procedure: &p.name,
            place: sources.locate(p.span),
            obligations,
        });
    }
    let head = format!("{} ({})\n", p.name, sources.locate(p.span));
    obligations.iter().fold(head, |text, p| {
        text + &format!("  {} {}: {}\n", p.place, p.obligation, p.text)
    })
}

/// Formats a block that no execution enters, for people or as a line of JSON.
pub fn dead(
    procedure: &str,
    span: Span,
    is_sure: bool,
    sources: &SourceMap,
    is_json: bool,
) -> String {
    let (place, text) = (sources.locate(span), excerpt(sources, span));
    if is_json {
        return line(&Dead {
            kind: "dead",
            procedure,
            place,
            text,
            sure: is_sure,
        });
    }
    let sure = if is_sure {
        "dead: every path was tried"
    } else {
        "not entered by the executions tried"
    };
    format!("{place}: {procedure}: {sure}\n  {text}\n")
}

/// Formats the verdicts on the obligations of a procedure as text, and as diagnostics for the
/// violated ones.
pub fn verdicts(
    program: &Program,
    procedure: ProcedureId,
    v: &Verdicts,
    sources: &SourceMap,
    all: bool,
) -> (String, Vec<Diagnostic>) {
    let name = &program.procedure(procedure).name;
    let (mut text, mut diagnostics) = (String::new(), Vec::new());
    let mut counts = [0usize; 4];
    // Violations become diagnostics; the other verdicts are listed only with `--all`.
    for ((kind, span), standing) in &v.obligations {
        let Some(standing) = standing else { continue };
        let place = sources.locate(*span);
        let what = kind.text();
        match standing {
            Standing::Violated(e) => {
                counts[0] += 1;
                let mut d = Diagnostic::error(
                    MessageId::CheckViolated,
                    *span,
                    format!("an execution of `{name}` violates this {what}"),
                );
                d.notes.extend(
                    human(e, sources)
                        .lines()
                        .skip(1)
                        .map(|l| l.trim().to_owned()),
                );
                diagnostics.push(d);
            }
            Standing::Holds => {
                counts[1] += 1;
                if all {
                    text.push_str(&format!("  holds: {what} {place}\n"));
                }
            }
            Standing::Proved => {
                counts[1] += 1;
                if all {
                    text.push_str(&format!(
                        "  holds by contracts and invariants: {what} {place}\n"
                    ));
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
                    text.push_str(&format!(
                        "  not decided: {what} {place}: {}\n",
                        reason(stop, sources)
                    ));
                }
            }
        }
    }
    let [violated, holds, kept, open] = counts;
    let head = format!(
        "{name}: {} obligations: {violated} violated, {holds} hold, {kept} kept by all executions tried, {open} not decided\n",
        v.obligations.len()
    );
    (head + &text, diagnostics)
}

/// Formats the verdicts on the obligations of a procedure as JSON, one line per obligation.
pub fn verdicts_json(
    program: &Program,
    procedure: ProcedureId,
    v: &Verdicts,
    sources: &SourceMap,
) -> String {
    let name = &program.procedure(procedure).name;
    let one = |((kind, span), standing): (&(FailureKind, Span), &Option<Standing>)| {
        let execution = match standing {
            Some(Standing::Violated(e)) => Some(shown(name, e, sources)),
            Some(
                Standing::Holds | Standing::Proved | Standing::Kept(_) | Standing::NotDecided(_),
            )
            | None => None,
        };
        let (verdict, why) = match standing {
            Some(Standing::Violated(_)) => ("violated", None),
            Some(Standing::Holds) => ("holds", Some("every path was tried".to_owned())),
            Some(Standing::Proved) => (
                "holds",
                Some("contracts and invariants imply it".to_owned()),
            ),
            Some(Standing::Kept(_)) => ("kept", None),
            Some(Standing::NotDecided(stop)) => ("not decided", Some(reason(stop, sources))),
            None => ("not decided", None),
        };
        let (obligation, place) = (kind.text(), sources.locate(*span));
        line(&ObligationRecord {
            kind: "obligation",
            procedure: name,
            obligation,
            place,
            verdict,
            reason: why,
            execution,
        })
    };
    v.obligations.iter().map(one).collect()
}
