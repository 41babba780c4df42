//! The results of cargo-mutants.

use std::path::Path;

use serde::Deserialize;

/// The number of mutants by outcome.
#[derive(Default, Clone)]
pub struct Counts {
    pub caught: usize,
    pub timed_out: usize,
    pub unviable: usize,
    /// The surviving mutants.
    pub missed: Vec<Mutant>,
}

/// A change of the translation.
#[derive(Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The description of cargo-mutants without the location: `replace < with <= in least`.
    pub change: String,
    /// The line of the translation.
    pub line: String,
    /// File, line and column.
    pub place: String,
}

impl Counts {
    pub fn viable(&self) -> usize {
        self.caught + self.timed_out + self.missed.len()
    }

    /// Returns the percentage of viable mutants that are killed, by a failing test or by a timeout.
    pub fn percent(&self) -> f64 {
        if self.viable() == 0 {
            100.0
        } else {
            100.0 * (self.caught + self.timed_out) as f64 / self.viable() as f64
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.caught += other.caught;
        self.timed_out += other.timed_out;
        self.unviable += other.unviable;
        self.missed.extend(other.missed.iter().cloned());
    }
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: serde_json::Value,
    summary: String,
}

/// The counts of a program's mutants, by the origin of the code.
#[derive(Default, Clone)]
pub struct Parts {
    /// Code with a text in the Dafny files under test.
    pub written: Counts,
    /// Code with a text in included Dafny files, which tests reach through the files under test.
    pub included: Counts,
    /// Code that is derived from declarations.
    pub derived: Counts,
}

impl Parts {
    /// Returns all counts with their names.
    pub fn all(&self) -> [(&'static str, &Counts); 3] {
        [
            ("", &self.written),
            (", included", &self.included),
            (", derived", &self.derived),
        ]
    }
}

/// Returns the counts of a package whose tests are for the Dafny files below `sources`, from the
/// text of `outcomes.json`.
pub fn counts(text: &str, package: &Path, sources: &Path) -> Result<Parts, String> {
    let outcomes: Outcomes =
        serde_json::from_str(text).map_err(|e| format!("outcomes.json: {e}"))?;
    let mut parts = Parts::default();
    for outcome in outcomes.outcomes {
        let Some(mutant) = outcome.scenario.get("Mutant") else {
            continue;
        };
        let counts = part(mutant, package, sources, &mut parts);
        match outcome.summary.as_str() {
            "CaughtMutant" => counts.caught += 1,
            "Timeout" => counts.timed_out += 1,
            "Unviable" => counts.unviable += 1,
            "MissedMutant" => counts.missed.push(described(mutant, package)),
            other => return Err(format!("outcomes.json: an unknown outcome {other}")),
        }
    }
    Ok(parts)
}

/// Returns a number in the description of a mutant; 0 if it is missing.
fn number(mutant: &serde_json::Value, pointer: &str) -> usize {
    mutant
        .pointer(pointer)
        .and_then(serde_json::Value::as_u64)
        .unwrap_or(0) as usize
}

fn file(mutant: &serde_json::Value) -> &str {
    mutant
        .get("file")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default()
}

fn text(mutant: &serde_json::Value, package: &Path) -> String {
    std::fs::read_to_string(package.join(file(mutant))).unwrap_or_default()
}

fn described(mutant: &serde_json::Value, package: &Path) -> Mutant {
    let name = mutant
        .get("name")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("a mutant");
    let (line, column) = (
        number(mutant, "/span/start/line"),
        number(mutant, "/span/start/column"),
    );
    let place = format!("{}:{line}:{column}", file(mutant));
    let change = name
        .strip_prefix(&format!("{place}: "))
        .unwrap_or(name)
        .to_owned();
    let text = text(mutant, package);
    let line = text
        .lines()
        .nth(line.saturating_sub(1))
        .unwrap_or_default()
        .trim()
        .to_owned();
    Mutant {
        change,
        line,
        place,
    }
}

/// Returns the part that a mutant belongs to: the documentation of an item names the Dafny
/// declaration that it comes from.
fn part<'p>(
    mutant: &serde_json::Value,
    package: &Path,
    sources: &Path,
    parts: &'p mut Parts,
) -> &'p mut Counts {
    let text = text(mutant, package);
    let (start, end) = (
        number(mutant, "/function/span/start/line"),
        number(mutant, "/span/start/line"),
    );
    // Outside of functions there are only constants, which have a text.
    if start == 0 {
        return &mut parts.written;
    }
    let head: Vec<&str> = text
        .lines()
        .skip(start - 1)
        .take((end + 1).saturating_sub(start))
        .map(str::trim_start)
        .collect();
    let Some(origin) = head.iter().find_map(|l| l.strip_prefix("/// From ")) else {
        return &mut parts.derived;
    };
    if head.iter().any(|l| l.starts_with("/// Specification only")) {
        return &mut parts.derived;
    }
    let file = origin.rsplit_once(':').map_or(origin, |(file, _)| file);
    match (package.join(file).canonicalize(), sources.canonicalize()) {
        (Ok(file), Ok(sources)) if !file.starts_with(&sources) => &mut parts.included,
        (_, _) => &mut parts.written,
    }
}
