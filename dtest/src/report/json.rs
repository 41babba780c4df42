//! The report for programs: a line of JSON for every unit, one for every test of the program's own or of a datatype, then one for
//! the totals.

use serde::Serialize;

use super::{OwnTestReport, Report, Stages, Totals, UnitReport};

#[derive(Serialize)]
struct Unit<'a> {
    kind: &'static str,
    #[serde(flatten)]
    unit: &'a UnitReport,
}

#[derive(Serialize)]
struct OwnTest<'a> {
    kind: &'static str,
    #[serde(flatten)]
    test: &'a OwnTestReport,
}

#[derive(Serialize)]
struct Summary<'a> {
    kind: &'static str,
    #[serde(flatten)]
    totals: Totals,
    settled_percent: f64,
    covered_or_proved_percent: f64,
    left_alone: usize,
    stages: Stages,
    untranslated: &'a [(String, String)],
    peak_memory_bytes: Option<u64>,
}

/// Renders what was measured as lines of JSON: a line for every unit, then one for the counts.
pub fn render_measured(report: &Report, counts: super::actual::Counts) -> String {
    #[derive(Serialize)]
    struct Summary {
        kind: &'static str,
        #[serde(flatten)]
        counts: super::actual::Counts,
    }
    let units = report.units.iter().filter_map(|unit| serde_json::to_string(&Unit { kind: "unit", unit }).ok());
    let summary = serde_json::to_string(&Summary { kind: "measured", counts }).ok();
    units.chain(summary).map(|line| line + "\n").collect()
}

/// Renders the report as lines of JSON. `peak_memory_bytes` is the process's, where the system tells it.
pub fn render(report: &Report, peak_memory_bytes: Option<u64>) -> String {
    let mut out = String::new();
    // Strings, numbers and maps with string keys always serialise.
    for unit in &report.units {
        out += &serde_json::to_string(&Unit { kind: "unit", unit }).unwrap_or_default();
        out.push('\n');
    }
    let own = report.own_tests.iter().map(|test| OwnTest { kind: "own-test", test });
    let datatypes = report.datatypes.iter().map(|test| OwnTest { kind: "datatype-test", test });
    let classes = report.classes.iter().map(|test| OwnTest { kind: "class-test", test });
    for test in own.chain(datatypes).chain(classes) {
        out += &serde_json::to_string(&test).unwrap_or_default();
        out.push('\n');
    }
    let totals = report.totals();
    let (settled_percent, covered_or_proved_percent) = (totals.settled_percent(), totals.covered_or_proved_percent());
    let summary = Summary {
        kind: "summary",
        totals,
        settled_percent,
        covered_or_proved_percent,
        left_alone: report.left_alone,
        stages: report.stages,
        untranslated: &report.untranslated,
        peak_memory_bytes,
    };
    out += &serde_json::to_string(&summary).unwrap_or_default();
    out.push('\n');
    out
}
