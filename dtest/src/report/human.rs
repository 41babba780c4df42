//! The report for people: open goals with their reasons, violations, and the table.

use super::place::Place;
use super::{GoalOutcome, Report, Totals, UnitReport};

/// Maximum number of lines of a list; the other entries are only counted.
const LIST: usize = 20;

/// Renders the whole report. The last lines are the table. `verbose` lists every open goal.
pub fn render(report: &Report, verbose: bool) -> String {
    let mut out = String::new();
    // Findings come first; the reader sees the end of the output, so the table is last.
    findings(report, &mut out);
    open_goals(&report.units, verbose, &mut out);
    out += &super::system::paragraphs(report);
    for unit in &report.units {
        out.extend(
            unit.claims
                .iter()
                .map(|claim| format!("{}: {}: {claim}\n", unit.place, unit.unit)),
        );
    }
    for (item, reason) in report
        .untranslated
        .iter()
        .take(if verbose { usize::MAX } else { LIST })
    {
        out += &format!("not translated: {item}: {reason}\n");
    }
    clauses(&report.units, verbose, &mut out);
    undecided_preconditions(&report.units, verbose, &mut out);
    other_tests(report, &mut out);
    timed_out(&report.units, &mut out);
    would_gain(&report.units, &mut out);
    if report.left_alone > 0 {
        let (units, does) = if report.left_alone == 1 {
            ("unit", "was")
        } else {
            ("units", "were")
        };
        out += &format!(
            "{} {units} not affected by the change {does} skipped\n",
            report.left_alone
        );
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out += &table(report);
    out
}

/// Formats the tests that belong to no unit: the program's own, and those of datatypes and classes.
fn other_tests(report: &Report, out: &mut String) {
    let is_scenario = |place: &Place| {
        place
            .path()
            .is_some_and(|path| path.starts_with(crate::pipeline::scenarios::FILE))
    };
    let (scenarios, own): (Vec<_>, Vec<_>) = report
        .own_tests
        .iter()
        .filter(|t| t.test.is_some())
        .partition(|t| is_scenario(&t.place));
    match scenarios.len() {
        0 => {}
        1 => *out += "1 scenario test is in the suite\n",
        n => *out += &format!("{n} scenario tests are in the suite\n"),
    }
    let written = own.len();
    if written > 0 {
        *out += &format!(
            "{written} of the program's own tests {} in the suite\n",
            if written == 1 { "is" } else { "are" }
        );
    }
    let tested = report.datatypes.iter().filter(|t| t.test.is_some()).count();
    if tested > 0 {
        *out += &format!(
            "{tested} {} a test of constructors\n",
            if tested == 1 {
                "datatype has"
            } else {
                "datatypes have"
            }
        );
    }
    let tested = report.classes.iter().filter(|t| t.test.is_some()).count();
    if tested > 0 {
        *out += &format!(
            "{tested} {} a test of an object\n",
            if tested == 1 {
                "class has"
            } else {
                "classes have"
            }
        );
    }
    for test in &report.datatypes {
        if let Some(reason) = &test.not_written {
            *out += &format!(
                "{}: no test of the constructors of {}: {reason}\n",
                test.place, test.name
            );
        }
    }
    for test in &report.classes {
        if let Some(reason) = &test.not_written {
            *out += &format!(
                "{}: no test of an object of {}: {reason}\n",
                test.place, test.name
            );
        }
    }
    for test in &report.own_tests {
        if let Some(reason) = &test.not_written {
            *out += &format!(
                "{}: the program's own test {} was not written: {reason}\n",
                test.place, test.name
            );
        }
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &Report) -> String {
    let whole = report.totals();
    let rows = report.programs.iter();
    let rows = rows.map(|p| (&*p.program, cells(&p.totals, &whole, p.seconds)));
    let total = cells(&whole, &whole, report.stages.total);
    let mutants = report
        .mutants
        .as_ref()
        .filter(|m| m.mutants > 0)
        .map(|m| super::mutants::sentence(m) + "\n");
    with_programs(rows, &total) + &mutants.unwrap_or_default()
}

/// The cells of a row. The totals of all programs, `whole`, determine the columns.
fn cells(t: &Totals, whole: &Totals, seconds: f64) -> Vec<(&'static str, String)> {
    let mut columns = vec![
        ("units", t.units.to_string()),
        ("goals", t.goals.to_string()),
        ("covered", t.covered.to_string()),
        ("unreachable: proved", t.proved_unreachable.to_string()),
        ("at caps", t.unreachable_at_caps.to_string()),
        ("within bounds", t.unreachable_within_bounds.to_string()),
        ("out of budget", t.out_of_budget.to_string()),
        ("unsupported", t.unsupported.to_string()),
        ("tests", t.tests.to_string()),
    ];
    if whole.unchecked > 0 {
        columns.push(("unchecked", t.unchecked.to_string()));
    }
    columns.push(("seconds", format!("{seconds:.2}")));
    columns
}

/// Formats a row for each program and one for all, below the headings. One program alone has no row
/// of its own.
pub(super) fn with_programs<'r>(
    programs: impl Iterator<Item = (&'r str, Vec<(&'r str, String)>)>,
    total: &[(&str, String)],
) -> String {
    let mut rows: Vec<(&str, Vec<String>)> = programs
        .map(|(program, cells)| (program, cells.into_iter().map(|(_, v)| v).collect()))
        .collect();
    if rows.is_empty() {
        return columns(total);
    }
    rows.push(("total", total.iter().map(|(_, v)| v.clone()).collect()));
    let first = rows.iter().map(|(p, _)| p.chars().count());
    let first = first.chain(["program".len()]).max().unwrap_or_default();
    let width = |i: usize, head: &str| {
        let cells = rows.iter().filter_map(|(_, cells)| cells.get(i));
        cells
            .map(String::len)
            .chain([head.len()])
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..).zip(total).map(|(i, (h, _))| width(i, h)).collect();
    let line = |program: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.zip(&widths).map(|(cell, w)| format!("  {cell:>w$}"));
        format!("{program:<first$}{}\n", cells.collect::<String>())
    };
    let mut out = line("program", &mut total.iter().map(|(h, _)| *h));
    for (program, cells) in &rows {
        out += &line(program, &mut cells.iter().map(String::as_str));
    }
    out
}

/// Formats headings over their values, right-aligned.
pub(super) fn columns(columns: &[(&str, String)]) -> String {
    let width = |(h, v): &(&str, String)| h.len().max(v.len());
    let head: Vec<String> = columns
        .iter()
        .map(|c| format!("{:>w$}", c.0, w = width(c)))
        .collect();
    let values: Vec<String> = columns
        .iter()
        .map(|c| format!("{:>w$}", c.1, w = width(c)))
        .collect();
    format!("{}\n{}\n", head.join("  "), values.join("  "))
}

fn findings(report: &Report, out: &mut String) {
    let of_units = report
        .units
        .iter()
        .flat_map(|u| u.findings.iter().map(|f| (&u.unit, f)));
    let of_tests = report
        .own_tests
        .iter()
        .filter_map(|t| Some((&t.name, t.finding.as_ref()?)));
    let fails = |(_, f): &(&String, &super::FindingReport)| f.fails();
    for (callable, finding) in of_units.chain(of_tests).filter(fails) {
        *out += &format!("finding: {}: {}\n", finding.place, finding.message);
        *out += &format!(
            "  in {callable} with {}\n",
            if finding.inputs.is_empty() {
                "no inputs".into()
            } else {
                finding.inputs.join(", ")
            }
        );
    }
    match report.totals().allowed {
        0 => {}
        1 => *out += "1 violation is allowed by dtest.toml\n",
        n => *out += &format!("{n} violations are allowed by dtest.toml\n"),
    }
}

fn open_goals(units: &[UnitReport], verbose: bool, out: &mut String) {
    let mut open = Vec::new();
    // A reason for each goal that no test covers.
    for unit in units {
        for goal in &unit.goals {
            let why = match &goal.outcome {
                GoalOutcome::Covered { .. } => continue,
                GoalOutcome::Finding => "reached only by findings".to_owned(),
                GoalOutcome::Choice => GoalOutcome::BY_CHOICE.to_owned(),
                GoalOutcome::Unreachable { reason } => format!("unreachable, proved: {reason}"),
                GoalOutcome::Given { reason } => format!("not reached, given {reason}"),
                GoalOutcome::UnreachableAtCaps { bound, larger_size } => {
                    GoalOutcome::at_caps(bound, *larger_size)
                }
                GoalOutcome::UnreachableWithinBounds { bound } => {
                    format!("unreachable within bounds ({bound})")
                }
                GoalOutcome::OutOfBudget { reason } => format!("out of budget: {reason}"),
                GoalOutcome::Unsupported { reason } => format!("not supported: {reason}"),
            };
            let whose = match &goal.callable {
                Some(callee) if goal.calls.is_empty() => format!("{callee}, through {}", unit.unit),
                Some(callee) => format!(
                    "{callee}{}, of {}",
                    dtest_search::describe::called_at(&goal.calls),
                    unit.unit
                ),
                None => unit.unit.clone(),
            };
            open.push(format!("{}: {whose}: {}: {why}\n", goal.place, goal.goal));
        }
        if let Some(reason) = &unit.not_emitted {
            open.push(format!(
                "{}: {}: no test written: {reason}\n",
                unit.place, unit.unit
            ));
        }
    }
    // A long list would hide the table.
    let shown = if verbose { open.len() } else { LIST };
    out.extend(open.iter().take(shown).map(String::as_str));
    if open.len() > shown {
        *out += &format!(
            "... and {} goals more; `--message-format json` lists all\n",
            open.len() - shown
        );
    }
}

/// Lists the units that were stopped by the clock; another run may complete them.
fn timed_out(units: &[UnitReport], out: &mut String) {
    let mut stopped = units.iter().filter(|u| u.timed_out);
    let Some(first) = stopped.next() else { return };
    let more = match stopped.count() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    *out += &format!(
        "the search of {}{more} ran out of time: `--timeout SECONDS`, or a larger `--max-time` if it is set, allows more time, `--retry` repeats searches of earlier runs\n",
        first.unit
    );
}

/// Lists the preconditions of units with objects that could not be evaluated.
fn undecided_preconditions(units: &[UnitReport], verbose: bool, out: &mut String) {
    let mut lines: Vec<String> = Vec::new();
    for unit in units {
        for clause in &unit.undecided_preconditions {
            let reason = clause.not_executed.as_deref().unwrap_or("undecided");
            lines.push(format!(
                "{}: {}: precondition not evaluated: `{}`: {reason}; objects come from constructors and methods where these reach the goal; a quantifier with bounds, or values in `[inputs]`, would help\n",
                clause.place, unit.unit, clause.text
            ));
        }
    }
    let shown = if verbose { lines.len() } else { LIST };
    out.extend(lines.iter().take(shown).map(String::as_str));
    if lines.len() > shown {
        *out += &format!("... and {} preconditions more\n", lines.len() - shown);
    }
}

/// Lists the units whose search for surviving mutants was cut by its budget while it made progress.
fn would_gain(units: &[UnitReport], out: &mut String) {
    let mut cut = units.iter().filter(|u| u.would_gain && !u.timed_out);
    let Some(first) = cut.next() else { return };
    let more = match cut.count() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    *out += &format!(
        "{}{more} would gain from more time: tests for further mutants were still found at the end of the budget; raise `--rlimit`\n",
        first.unit
    );
}

fn clauses(units: &[UnitReport], verbose: bool, out: &mut String) {
    let mut skipped = Vec::new();
    for unit in units {
        for clause in &unit.ensures {
            if let Some(reason) = &clause.not_executed {
                skipped.push(format!(
                    "{}: {} not executed: `{}`: {reason}\n",
                    clause.place,
                    clause.what(),
                    clause.text
                ));
            }
        }
    }
    let shown = if verbose { skipped.len() } else { LIST };
    out.extend(skipped.iter().take(shown).map(String::as_str));
    if skipped.len() > shown {
        *out += &format!("... and {} clauses more\n", skipped.len() - shown);
    }
}
