//! JUnit XML: a report in which every finding is a test case that fails.
//!
//! A suite is a unit. Times are left out, so that the same input gives the same bytes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::check::{CheckReport, ObligationReport, Standing};
use super::dead::{DeadReport, OpenBlock, Sureness};
use super::mutants::{MutantStatus, MutantsReport};
use super::place::Place;
use super::{FindingReport, UnitReport};
use dafny_source::diagnostic::Diagnostic;

/// The outcome of a case.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It passes.
    Passed,
    /// It fails: an id, a message, and details on further lines.
    Failed(&'static str, String, String),
    /// It does not fail, but nothing is known to be right: the reason.
    Skipped(String),
    /// The program or the command line has an error: an id, a message, and details.
    Error(&'static str, String, String),
}

/// A test case.
#[derive(Debug, Clone)]
pub struct Case {
    /// The Dafny path of the unit.
    pub suite: String,
    /// The name, which does not depend on line numbers.
    pub name: String,
    /// The place in the source.
    pub place: Option<Place>,
    /// The outcome.
    pub outcome: Outcome,
    /// The printed text.
    pub output: String,
}

impl Case {
    /// A case without output.
    pub fn new(suite: &str, name: String, place: &Place, outcome: Outcome) -> Self {
        Self {
            suite: suite.to_owned(),
            name,
            place: Some(place.clone()),
            outcome,
            output: String::new(),
        }
    }
}

/// The cases of a run.
#[derive(Debug, Default)]
pub struct Log {
    cases: Vec<Case>,
}

/// The suite of errors that belong to no unit.
const OWN_SUITE: &str = "cargo-dtest";

impl Log {
    /// Adds a case.
    pub fn add(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// Adds an error that belongs to no unit, with its location as text.
    pub fn add_error(&mut self, diagnostic: &Diagnostic, location: Option<String>) {
        let (id, message) = (diagnostic.id, diagnostic.message.clone());
        let at = location.map(|at| format!("{at}: ")).unwrap_or_default();
        self.add(Case {
            suite: OWN_SUITE.to_owned(),
            name: format!("{at}{id}"),
            place: None,
            outcome: Outcome::Error(id, message, details(diagnostic)),
            output: String::new(),
        });
    }

    /// Returns the report as XML, with a final newline.
    pub fn render(&self) -> String {
        let mut report = Report::new(OWN_SUITE);
        // The suites are in the order of their first cases.
        let mut suites: Vec<(&str, TestSuite)> = Vec::new();
        for case in &self.cases {
            let test = test_case(case);
            match suites.iter_mut().find(|(name, _)| *name == case.suite) {
                Some((_, suite)) => {
                    suite.add_test_case(test);
                }
                None => {
                    let mut suite = TestSuite::new(case.suite.as_str());
                    suite.add_test_case(test);
                    suites.push((&case.suite, suite));
                }
            }
        }
        report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
        // Writing to memory cannot fail.
        report.to_string().unwrap_or_default()
    }
}

fn test_case(case: &Case) -> TestCase {
    let status = match &case.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped(reason) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason.as_str());
            status
        }
        Outcome::Failed(id, message, details) => {
            non_success(NonSuccessKind::Failure, id, message, details)
        }
        Outcome::Error(id, message, details) => {
            non_success(NonSuccessKind::Error, id, message, details)
        }
    };
    let mut test = TestCase::new(case.name.as_str(), status);
    test.set_classname(case.suite.as_str());
    if !case.output.is_empty() {
        test.set_system_out(case.output.as_str());
    }
    if let Some(Place::In { path, at }) = &case.place {
        test.extra.insert("file".into(), path.as_str().into());
        test.extra.insert("line".into(), at.line.to_string().into());
    }
    test
}

fn non_success(kind: NonSuccessKind, id: &str, message: &str, details: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(id).set_message(message);
    if !details.is_empty() {
        status.set_description(details);
    }
    status
}

/// The label, the notes and the help of a diagnostic, one per line.
fn details(diagnostic: &Diagnostic) -> String {
    let label = diagnostic.label.iter();
    let lines = label.chain(&diagnostic.notes).chain(&diagnostic.help);
    lines.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// The failure that a diagnostic describes.
fn failed(diagnostic: &Diagnostic) -> Outcome {
    Outcome::Failed(
        diagnostic.id,
        diagnostic.message.clone(),
        details(diagnostic),
    )
}

fn allowed(by: &str) -> Outcome {
    Outcome::Skipped(format!("allowed by {by}"))
}

/// Returns a case for each obligation. With `fails_open`, undecided ones fail.
pub fn obligations(report: &CheckReport, fails_open: bool) -> impl Iterator<Item = Case> {
    let outcome = move |o: &ObligationReport| match (o.standing, &o.allowed) {
        (Standing::Violated | Standing::ViolatedAssuming | Standing::NotDecided, Some(by)) => {
            allowed(by)
        }
        (Standing::Violated, None) => failed(&o.diagnostic),
        (Standing::NotDecided, None) if fails_open => failed(&o.diagnostic),
        (Standing::ViolatedAssuming | Standing::NotDecided, None) => {
            let why = details(&o.diagnostic).replace('\n', "; ");
            Outcome::Skipped(format!("{}: {why}", o.message))
        }
        (
            Standing::Holds
            | Standing::HoldsAssuming
            | Standing::HoldsWithinBounds
            | Standing::NotReached,
            _,
        ) => Outcome::Passed,
    };
    let obligations = report.obligations.iter();
    obligations.map(move |o| Case::new(&o.key.unit, o.key.within_unit(), &o.place, outcome(o)))
}

/// Returns a case for each mutant: it fails if the mutant survives.
pub fn mutants(report: &MutantsReport) -> impl Iterator<Item = Case> {
    report.mutants.iter().map(|m| {
        let outcome = match (&m.status, &m.allowed) {
            (MutantStatus::Survived, Some(by)) => allowed(by),
            (MutantStatus::Survived, None) => failed(&m.diagnostic),
            (MutantStatus::Untested { reason }, _) => Outcome::Skipped(reason.clone()),
            (MutantStatus::NotRun, _) => Outcome::Skipped("the budget is used up".into()),
            (
                MutantStatus::Killed { .. }
                | MutantStatus::Equivalent
                | MutantStatus::EquivalentWithin { .. },
                _,
            ) => Outcome::Passed,
        };
        Case::new(&m.unit, m.key.within_unit(), &m.place, outcome)
    })
}

/// Returns a case for each unit of a suite, which passes if there are tests, and one for each finding,
/// which fails.
pub fn units(report: &super::Report) -> Vec<Case> {
    let unit = |u: &UnitReport| {
        let outcome = match &u.not_emitted {
            _ if !u.tests.is_empty() => Outcome::Passed,
            Some(reason) => Outcome::Skipped(format!("no test written: {reason}")),
            None => Outcome::Skipped("no test found".into()),
        };
        Case::new(&u.unit, "tests".into(), &u.place, outcome)
    };
    let finding = |name: &str, f: &FindingReport| {
        let outcome = match &f.allowed {
            Some(by) => allowed(by),
            None => Outcome::Failed("finding", f.message.clone(), f.inputs.join("\n")),
        };
        Case::new(name, f.key.within_unit(), &f.place, outcome)
    };
    let mut cases = Vec::new();
    for u in &report.units {
        cases.push(unit(u));
        cases.extend(u.findings.iter().map(|f| finding(&u.unit, f)));
    }
    for test in &report.own_tests {
        cases.extend(test.finding.iter().map(|f| finding(&test.name, f)));
    }
    cases
}

/// Returns a case for each unit, which passes, and one for each dead or open block. A dead block
/// fails if the claim is at least as strong as `least`; `None` fails nothing.
pub fn dead(report: &DeadReport, least: Option<Sureness>) -> Vec<Case> {
    let unit = |(unit, place, reached): &(String, Place, usize)| {
        let blocks = if *reached == 1 {
            "1 block is reached".to_owned()
        } else {
            format!("{reached} blocks are reached")
        };
        Case::new(unit, blocks, place, Outcome::Passed)
    };
    let dead = report.dead.iter().map(|d| {
        let outcome = match &d.allowed {
            Some(by) => allowed(by),
            None if least.is_some_and(|least| d.claim >= least) => failed(&d.diagnostic),
            None => Outcome::Skipped(d.message.clone()),
        };
        Case::new(&d.unit, d.key.within_unit(), &d.place, outcome)
    });
    let open = |o: &OpenBlock| {
        let outcome = Outcome::Skipped(o.reason.clone());
        Case::new(&o.unit, o.goal.clone(), &o.place, outcome)
    };
    let others = report
        .by_choice
        .iter()
        .chain(&report.by_finding)
        .chain(&report.open);
    let units = report.reached_by_unit.iter().map(unit);
    units.chain(dead).chain(others.map(open)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_stand_in_their_suites_and_texts_are_escaped() {
        let mut log = Log::default();
        let place: Place = "src/a.dfy:3:4".parse().expect("a place");
        let case =
            |suite: &str, name: &str, outcome| Case::new(suite, name.into(), &place, outcome);
        log.add(case("F", "index `s[i] < 1`", Outcome::Passed));
        log.add(case("G", "x", Outcome::Skipped("why".into())));
        let failure = Outcome::Failed("check/index", "a & b".into(), "with i = 0".into());
        log.add(case("F", "y", failure));
        assert_eq!(
            log.render(),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cargo-dtest" tests="3" skipped="1" failures="1" errors="0">
    <testsuite name="F" tests="2" skipped="0" errors="0" failures="1">
        <testcase name="index `s[i] &lt; 1`" classname="F" file="src/a.dfy" line="3"/>
        <testcase name="y" classname="F" file="src/a.dfy" line="3">
            <failure message="a &amp; b" type="check/index">with i = 0</failure>
        </testcase>
    </testsuite>
    <testsuite name="G" tests="1" skipped="1" errors="0" failures="0">
        <testcase name="x" classname="G" file="src/a.dfy" line="3">
            <skipped message="why"/>
        </testcase>
    </testsuite>
</testsuites>
"#
        );
    }
}
