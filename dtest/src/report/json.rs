//! The report as JSON: a line for every unit, one for every test of the program itself, of a
//! datatype or of a class, then one for the totals.

use serde::Serialize;

use super::{Report, Stages, Totals};

/// Formats one line of a report: its kind, and its contents.
pub(super) fn line<T: Serialize>(kind: &'static str, of: &T) -> String {
    #[derive(Serialize)]
    struct Line<'a, T> {
        kind: &'static str,
        #[serde(flatten)]
        of: &'a T,
    }
    // Strings, numbers and maps with string keys always serialize.
    serde_json::to_string(&Line { kind, of }).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    totals: Totals,
    settled_percent: f64,
    covered_or_proved_percent: f64,
    left_alone: usize,
    mutants: Option<super::MutantsTotals>,
    stages: Stages,
    untranslated: &'a [(String, String)],
    peak_memory_bytes: Option<u64>,
}

/// Formats the measured coverage as lines of JSON: one for every unit, then one for the counts.
pub fn render_measured(report: &Report, counts: super::actual::Counts) -> String {
    let units = report.units.iter().map(|unit| line("unit", unit));
    units.chain([line("measured", &counts)]).collect()
}

/// Formats the report as lines of JSON. `peak_memory_bytes` is the peak memory use of the process,
/// if the system reports it.
pub fn render(report: &Report, peak_memory_bytes: Option<u64>) -> String {
    let units = report.units.iter().map(|unit| line("unit", unit));
    let own = report.own_tests.iter().map(|test| line("own-test", test));
    let datatypes = report
        .datatypes
        .iter()
        .map(|test| line("datatype-test", test));
    let classes = report.classes.iter().map(|test| line("class-test", test));
    let totals = report.totals();
    let (settled_percent, covered_or_proved_percent) =
        (totals.settled_percent(), totals.covered_or_proved_percent());
    let summary = Summary {
        totals,
        settled_percent,
        covered_or_proved_percent,
        left_alone: report.left_alone,
        mutants: report.mutants,
        stages: report.stages,
        untranslated: &report.untranslated,
        peak_memory_bytes,
    };
    units
        .chain(own)
        .chain(datatypes)
        .chain(classes)
        .chain(report.programs.iter().map(|p| line("program", p)))
        .chain([line("summary", &summary)])
        .collect()
}
