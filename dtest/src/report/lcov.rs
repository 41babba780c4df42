//! The coverage report as an LCOV tracefile (format: `man geninfo`, section FILES), for `genhtml`
//! and coverage services.
//!
//! The count of a line is the number of tests that reach the innermost goal on it, or the largest
//! if there are several. An unreachable goal counts as not reached, because the format cannot
//! express more. If the tests were run, the measured numbers are used.

use std::fmt::Write;

use super::GoalReport;
use super::annotate::Annotated;
use dtest_sorted::{SortedMap, SortedSet};

/// The name of the test in every record. It also identifies generated files.
pub const TEST_NAME: &str = "TN:cargo_dtest";

/// Formats the whole tracefile.
pub fn render(sources: &[Annotated<'_>]) -> String {
    let mut out = String::new();
    for source in sources.iter().filter(|s| !s.units.is_empty()) {
        let _ = writeln!(out, "{TEST_NAME}\nSF:{}", source.listing.path);
        functions(source, &mut out);
        branches(source, &mut out);
        lines(source, &mut out);
        out += "end_of_record\n";
    }
    if out.is_empty() {
        format!("{TEST_NAME}\n")
    } else {
        out
    }
}

fn functions(source: &Annotated<'_>, out: &mut String) {
    let mut counts: SortedMap<&str, (u32, usize)> = SortedMap::new();
    for unit in source.units.iter().filter(|u| {
        u.region
            .as_ref()
            .is_some_and(|r| r.path == source.listing.path)
    }) {
        let line = unit.region.as_ref().map_or(1, |r| r.start.line);
        let tests: SortedSet<&str> = unit
            .goals
            .iter()
            .flat_map(|g| tests_of(g).iter().map(String::as_str))
            .collect();
        let entry = counts.entry(unit.unit.as_str()).or_insert((line, 0));
        entry.1 += tests.len();
    }
    for (name, (line, _)) in &counts {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for (name, (_, count)) in &counts {
        let _ = writeln!(out, "FNDA:{count},{name}");
    }
    let _ = writeln!(
        out,
        "FNF:{}\nFNH:{}",
        counts.len(),
        counts.values().filter(|c| c.1 > 0).count()
    );
}

/// Returns the tests that reached a goal when they were run, or the expected ones if this was not
/// measured.
fn tests_of(goal: &GoalReport) -> &[String] {
    goal.actual.as_deref().unwrap_or(&goal.tests)
}

/// Formats the branches: the outcomes of a decision are one block of branches, on the line of the
/// decision.
fn branches(source: &Annotated<'_>, out: &mut String) {
    let mut decisions = SortedMap::new();
    for (_, goal) in source
        .marks
        .iter()
        .filter(|m| !m.is_shadowed)
        .filter_map(|m| m.goal)
    {
        if let Some(at) = goal
            .decision
            .as_ref()
            .filter(|d| d.path == source.listing.path)
        {
            decisions
                .entry((at.start, at.end))
                .or_insert_with(Vec::new)
                .push(tests_of(goal).len());
        }
    }
    let (mut found, mut hit) = (0, 0);
    let mut block = SortedMap::new();
    for ((start, _), outcomes) in &decisions {
        let block: &mut usize = block.entry(start.line).or_default();
        let is_evaluated = outcomes.iter().any(|count| *count > 0);
        for (i, count) in outcomes.iter().enumerate() {
            let taken = if is_evaluated {
                count.to_string()
            } else {
                "-".to_owned()
            };
            let _ = writeln!(out, "BRDA:{},{block},{i},{taken}", start.line);
            found += 1;
            hit += usize::from(*count > 0);
        }
        *block += 1;
    }
    let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
}

fn lines(source: &Annotated<'_>, out: &mut String) {
    let (mut found, mut hit) = (0, 0);
    for (i, line) in source.lines.iter().enumerate().filter(|(_, l)| l.is_code) {
        let count = line.entered.unwrap_or(line.tests);
        let _ = writeln!(out, "DA:{},{count}", i + 1);
        found += 1;
        hit += usize::from(count > 0);
    }
    let _ = writeln!(out, "LF:{found}\nLH:{hit}");
}
