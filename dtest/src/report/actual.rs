//! Measured coverage: the goals that tests reached when they were run, compared with the goals that
//! the search expects.

use super::{GoalOutcome, GoalReport, Report, UnitReport};
use dafny_resolve::typed::CallableId;
use dtest_ir::BlockId;
use dtest_sorted::SortedMap;

/// Maximum number of lines of a list; the other entries are only counted.
const LIST: usize = 20;

/// The tests that entered a block, by the number of its probe.
pub type Hits = SortedMap<u32, Vec<String>>;

/// Parses the output of `dunit::cover`: lines of a number and a test. Malformed lines are ignored,
/// such as the last line of a killed process.
pub fn parse(text: &str) -> Hits {
    let mut hits = Hits::new();
    for line in text.lines() {
        let (number, test) = line.split_once(' ').unwrap_or((line, ""));
        let Ok(number) = number.parse() else { continue };
        let tests: &mut Vec<String> = hits.entry(number).or_default();
        if !tests.iter().any(|t| t == test) {
            tests.push(test.to_owned());
        }
    }
    // Tests run concurrently, so the order of lines varies.
    hits.values_mut().for_each(|tests| tests.sort());
    hits
}

/// Adds the measured coverage to the report. A goal without a probe is not measured.
pub fn measure(report: &mut Report, probes: &SortedMap<(CallableId, BlockId), u32>, hits: &Hits) {
    let of = |block: Option<(CallableId, BlockId)>| {
        let number = probes.get(&block?)?;
        Some(hits.get(number).cloned().unwrap_or_default())
    };
    for unit in &mut report.units {
        unit.goals.iter_mut().for_each(|g| g.actual = of(g.block));
        unit.regions.iter_mut().for_each(|s| s.actual = of(s.block));
    }
}

/// The comparison of a goal's expected and measured coverage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Expected and reached.
    Entered,
    /// Expected but not reached: the translation and the interpreter disagree.
    Missing,
    /// Reached, although no test was expected to reach it.
    Accident,
    /// Neither expected nor reached.
    Open,
    /// The goal has no probe.
    NotMeasured,
}

impl Verdict {
    /// The verdict on a goal.
    pub fn of(goal: &GoalReport) -> Self {
        let is_expected = matches!(goal.outcome, GoalOutcome::Covered { .. });
        match (&goal.actual, is_expected) {
            (None, _) => Self::NotMeasured,
            (Some(tests), true) => {
                if tests.is_empty() {
                    Self::Missing
                } else {
                    Self::Entered
                }
            }
            (Some(tests), false) => {
                if tests.is_empty() {
                    Self::Open
                } else {
                    Self::Accident
                }
            }
        }
    }
}

/// The number of goals with each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// All goals.
    pub goals: usize,
    /// Measured goals.
    pub measured: usize,
    /// Measured goals that tests are expected to reach.
    pub expected: usize,
    /// Measured goals that tests reached.
    pub entered: usize,
    /// Expected goals that no test reached.
    pub missing: usize,
    /// Goals that a test reached unexpectedly.
    pub by_accident: usize,
}

impl Counts {
    /// Counts the verdicts of goals.
    pub fn of<'g>(goals: impl IntoIterator<Item = &'g GoalReport>) -> Self {
        let mut c = Self::default();
        for goal in goals {
            c.goals += 1;
            let verdict = Verdict::of(goal);
            let is = |vs: &[Verdict]| usize::from(vs.contains(&verdict));
            c.measured += 1 - is(&[Verdict::NotMeasured]);
            c.expected += is(&[Verdict::Entered, Verdict::Missing]);
            c.entered += is(&[Verdict::Entered, Verdict::Accident]);
            c.missing += is(&[Verdict::Missing]);
            c.by_accident += is(&[Verdict::Accident]);
        }
        c
    }

    /// Counts the verdicts of a report. A goal that several entries reach counts once.
    pub fn of_report(report: &Report) -> Self {
        let units: Vec<&UnitReport> = report.units.iter().collect();
        Self::of(
            super::system::goals(&units)
                .into_iter()
                .filter_map(|(u, g)| units.get(u)?.goals.get(g)),
        )
    }
}

/// Formats the report for people: the differences from the expectation, then a line for each file
/// and unit, then the totals.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let all = || {
        report
            .units
            .iter()
            .flat_map(|u| u.goals.iter().map(move |g| (u, g)))
    };
    // Differences from the prediction come first: goals missed, and goals covered by accident.
    for (unit, goal) in all().filter(|(_, g)| Verdict::of(g) == Verdict::Missing) {
        let tests = goal.tests.join(", ");
        out += &format!(
            "missing: {}: {}: {}: expected from {tests}, but not entered\n",
            goal.place, unit.unit, goal.goal
        );
    }
    let accidents: Vec<_> = all()
        .filter(|(_, g)| Verdict::of(g) == Verdict::Accident)
        .collect();
    for (unit, goal) in accidents.iter().take(LIST) {
        let test = goal
            .actual
            .as_ref()
            .and_then(|t| t.first())
            .map_or("", String::as_str);
        out += &format!(
            "by accident: {}: {}: {}: entered by {test}\n",
            goal.place, unit.unit, goal.goal
        );
    }
    if accidents.len() > LIST {
        out += &format!(
            "... and {} goals more by accident\n",
            accidents.len() - LIST
        );
    }
    if !out.is_empty() {
        out.push('\n');
    }
    // The table: one row per file, and below it one per unit.
    let mut files: SortedMap<&str, Vec<&UnitReport>> = SortedMap::new();
    for unit in &report.units {
        files
            .entry(unit.region.as_ref().map_or("", |r| r.path.as_str()))
            .or_default()
            .push(unit);
    }
    let mut rows = Vec::new();
    for (path, units) in files {
        rows.push((
            path.to_owned(),
            Counts::of(units.iter().flat_map(|u| &u.goals)),
        ));
        rows.extend(
            units
                .iter()
                .map(|u| (format!("  {}", u.unit), Counts::of(&u.goals))),
        );
    }
    rows.push(("all".to_owned(), Counts::of_report(report)));
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    out += &format!(
        "{:width$}  goals  measured  expected  entered  missing  by accident\n",
        ""
    );
    for (name, c) in rows {
        out += &format!(
            "{name:width$}  {:>5}  {:>8}  {:>8}  {:>7}  {:>7}  {:>11}\n",
            c.goals, c.measured, c.expected, c.entered, c.missing, c.by_accident
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_several_processes_are_put_together() {
        let hits = parse("3 b::c\n3 a\n3 b::c\n12 \n7");
        let expected = [(3, vec!["a", "b::c"]), (7, vec![""]), (12, vec![""])];
        assert_eq!(
            hits,
            expected
                .map(|(n, ts)| (n, ts.into_iter().map(str::to_owned).collect()))
                .into()
        );
        assert!(parse("x y\n").is_empty());
    }
}
