//! Suites against what `dafny translate rs` wrote, of many packages: the tasks `official` and
//! `shipped`.
//!
//! Each test runs in a process of its own, because Dafny's Rust may end it: code that reads
//! uninitialized memory does not always panic.

pub mod official;
pub mod package;
pub mod shipped;

use std::collections::BTreeMap;

/// The results of the suite of one package.
#[derive(Debug, Default)]
pub struct Row {
    /// The name that the table shows.
    pub name: String,
    /// The number of units.
    pub units: usize,
    /// The number of units with a test.
    pub tested: usize,
    /// The reason why there is no suite, if there is none.
    pub without_suite: Option<String>,
    /// The number of tests that pass.
    pub passed: usize,
    /// The tests that fail, with the first line of the message.
    pub failed: Vec<(String, String)>,
    /// The number of goals without a test, by reason.
    pub left_out: BTreeMap<String, usize>,
}

impl Row {
    /// Sums up the rows of the modules of a program.
    pub fn merged(name: &str, rows: Vec<Row>) -> Row {
        let mut all = Row {
            name: name.to_owned(),
            ..Row::default()
        };
        for row in rows {
            all.units += row.units;
            all.tested += row.tested;
            all.without_suite = all.without_suite.or(row.without_suite);
            all.passed += row.passed;
            all.failed.extend(row.failed);
            for (reason, count) in row.left_out {
                *all.left_out.entry(reason).or_default() += count;
            }
        }
        all
    }
}

/// Formats the table, and the failures below it.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| Program | Units | with tests | Tests | passed | failed | Goals without a test, by reason |\n|---|---|---|---|---|---|---|\n",
    );
    let mut total = [0; 5];
    for row in rows {
        if let Some(reason) = &row.without_suite {
            out.push_str(&format!("| {} | | | | | | {reason} |\n", row.name));
            continue;
        }
        let left: Vec<String> = row
            .left_out
            .iter()
            .map(|(reason, count)| format!("{count}: {reason}"))
            .collect();
        let figures = [
            row.units,
            row.tested,
            row.passed + row.failed.len(),
            row.passed,
            row.failed.len(),
        ];
        total.iter_mut().zip(figures).for_each(|(t, f)| *t += f);
        let figures = figures.map(|f| f.to_string()).join(" | ");
        out.push_str(&format!(
            "| {} | {figures} | {} |\n",
            row.name,
            left.join("; ")
        ));
    }
    let total = total.map(|f| f.to_string()).join(" | ");
    out.push_str(&format!("| all | {total} | |\n"));
    for row in rows {
        for (test, message) in &row.failed {
            out.push_str(&format!("\n{}: {test}: {message}", row.name));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Row, table};

    #[test]
    fn a_table_has_sums_and_failures() {
        let good = Row {
            name: "a".into(),
            units: 3,
            tested: 2,
            passed: 4,
            failed: vec![("f::runs".into(), "panicked".into())],
            left_out: [("reals".to_owned(), 2)].into(),
            ..Row::default()
        };
        let bad = Row {
            name: "b".into(),
            without_suite: Some("does not compile".into()),
            ..Row::default()
        };
        let text = table(&[good, bad]);
        assert!(
            text.contains("| a | 3 | 2 | 5 | 4 | 1 | 2: reals |"),
            "{text}"
        );
        assert!(
            text.contains("| b | | | | | | does not compile |"),
            "{text}"
        );
        assert!(text.contains("| all | 3 | 2 | 5 | 4 | 1 | |"), "{text}");
        assert!(text.ends_with("\na: f::runs: panicked"), "{text}");
    }
}
