//! What cargo-mutants found.

use std::path::Path;

use serde::Deserialize;

/// Mutants by what became of them.
#[derive(Default, Clone)]
pub struct Counts {
    pub caught: usize,
    pub timed_out: usize,
    pub unviable: usize,
    /// The mutants that no test noticed.
    pub missed: Vec<Mutant>,
}

/// A change of the translation.
#[derive(Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What cargo-mutants calls it, without the place: `replace < with <= in least`.
    pub change: String,
    /// The line of the translation where it is.
    pub line: String,
    /// File, line and column.
    pub place: String,
}

impl Counts {
    pub fn viable(&self) -> usize {
        self.caught + self.timed_out + self.missed.len()
    }

    /// The share of viable mutants that are noticed: by a failing test, or by one that does not end.
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

/// The counts of a program's mutants, by what they are in.
#[derive(Default, Clone)]
pub struct Parts {
    /// Code that the Dafny files which tests are made for have a text for.
    pub written: Counts,
    /// Code that Dafny files have a text for which those include: tests reach it by way of theirs.
    pub included: Counts,
    /// Code that is derived from declarations.
    pub derived: Counts,
}

impl Parts {
    /// All of them, each with what it is.
    pub fn all(&self) -> [(&'static str, &Counts); 3] {
        [
            ("", &self.written),
            (", included", &self.included),
            (", derived", &self.derived),
        ]
    }
}

/// The counts of a package whose tests are for the Dafny files below `sources`, from the text of `outcomes.json`.
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

/// A number of the description of a mutant, 0 where it is not there.
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

/// The part that a mutant is in: an item says which compiled Dafny declaration it comes from.
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
    // Outside of functions there are only constants, which are declared.
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
