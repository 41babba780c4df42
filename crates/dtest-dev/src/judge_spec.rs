//! `cargo dev judge-spec`: Dafny's verifier judges what `spec` claims for all inputs.
//!
//! `cargo dev judge-spec --tool CARGO-DTEST [--count N] [--seed S] [--cache DIR] [--filter TEXT]
//! [--save DIR] DIR-OR-FILE…`
//!
//! `--tool` examines each program with `spec --suggest`. These answers become declarations that
//! Dafny verifies (`texts.rs`), in one run for each program:
//!
//! - a clause is *implied by the others*;
//! - the precondition is *contradictory*, proved;
//! - the results are *determined*, proved;
//! - the body satisfies a *candidate* postcondition, proved or within bounds.
//!
//! Each claim is `confirmed`, `not proved` (the verifier fails: a wrong claim, or a proof that it
//! does not find), `timed out` or `not resolved` (the text of a candidate is no Dafny). A candidate
//! within bounds needs loop invariants that the program may lack, so that it is counted apart. Units
//! that the verifier does not prove as they are confirm nothing: `body`. Claims other than those are
//! listed, and the exit code is 1 if there is one. The table also counts the answers of `spec` and
//! the time of its runs on the clock. Outputs of the tool and of Dafny are cached by text in the
//! directory of `--cache`.

mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use dafny_resolve::typed::{Arena as _, Body, CallableId, Program};
use dafny_source::{SourceFile, SourceMap, Span};
use serde_json::Value;

use crate::Args;
use crate::judge_verifier::{Verifier, digest, is_complete};
use crate::support::{self, Job};
use texts::{Added, ClauseId, Kind, PREFIX, Source, Statement};

/// Maximum number of runs of the verifier for a program: assumptions that are not well-formed without
/// a clause are left out one after the other.
const MAX_RUNS: usize = 4;

/// A claim of `spec`.
struct Claim {
    unit: CallableId,
    statement: Statement,
    is_proved: bool,
    /// The claim in words.
    words: String,
    /// The assumptions that are not well-formed without the clause.
    without: Vec<ClauseId>,
    status: Option<Status>,
}

/// The verifier's result on a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    Confirmed,
    NotProved(String),
    /// Another obligation of the copied body fails.
    Body(String),
    TimedOut,
    NotResolved(String),
    /// It cannot be stated as a declaration.
    NotStated,
}

impl Status {
    fn name(&self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotProved(_) => "not proved",
            Self::Body(_) => "body",
            Self::TimedOut => "timed out",
            Self::NotResolved(_) => "not resolved",
            Self::NotStated => "not stated",
        }
    }

    fn reason(&self) -> &str {
        match self {
            Self::NotProved(why) | Self::Body(why) | Self::NotResolved(why) => why,
            Self::Confirmed | Self::TimedOut | Self::NotStated => "",
        }
    }
}

#[derive(Default)]
struct Table {
    programs: usize,
    skipped: usize,
    /// Units by question and verdict.
    verdicts: BTreeMap<(&'static str, String), usize>,
    /// Claims by kind and status.
    claims: BTreeMap<(String, &'static str), usize>,
    /// Seconds on the clock of the tool's runs, each divided by the number of its units.
    seconds: Vec<f64>,
    disagreements: usize,
}

struct Settings {
    tool: PathBuf,
    tool_digest: u64,
    verifier: Verifier,
    save: Option<PathBuf>,
}

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let (mut count, mut seed, mut filter) = (usize::MAX, 1u64, String::new());
    let (mut tool, mut save, mut paths) = (None, None, Vec::new());
    let mut cache = std::env::temp_dir().join("judge-spec");
    while let Some(arg) = args.next() {
        let mut number = || {
            args.next()
                .and_then(|v| v.parse::<u64>().ok())
                .ok_or(format!("{arg}: a number is expected"))
        };
        match arg.as_str() {
            "--count" => count = number()? as usize,
            "--seed" => seed = number()?,
            "--tool" => tool = args.next().map(PathBuf::from),
            "--cache" => cache = args.next().map(PathBuf::from).unwrap_or_default(),
            "--save" => save = args.next().map(PathBuf::from),
            "--filter" => filter = args.next().unwrap_or_default(),
            _path => paths.push(PathBuf::from(arg)),
        }
    }
    let tool = tool.ok_or("--tool: the path of a `cargo-dtest` is expected")?;
    let bytes = std::fs::read(&tool).map_err(|e| format!("{}: {e}", tool.display()))?;
    let settings = Settings {
        tool_digest: digest(&bytes),
        tool,
        verifier: Verifier::new(cache)?,
        save,
    };
    let mut jobs: Vec<Job> = support::all_jobs(&paths, &Default::default(), false);
    jobs.retain(|job| job.name().contains(&filter));
    // The seed determines the order, so that the first programs are a random sample.
    jobs.sort_by_key(|job| digest(&(seed, job.name())));
    let mut table = Table::default();
    for job in jobs.iter().take(count) {
        if judge(job, &settings, &mut table).is_none() {
            table.skipped += 1;
        }
    }
    table.print();
    if table.disagreements > 0 {
        std::process::exit(1);
    }
    Ok(())
}

/// Judges the claims on a program. `None` if it is not examined: more than one file, options that
/// the verifier is not given, errors.
fn judge(job: &Job, settings: &Settings, table: &mut Table) -> Option<()> {
    let file = job.files.first().filter(|_| job.files.len() == 1)?;
    let text = std::fs::read_to_string(file).ok()?;
    if text.contains("include \"") {
        return None;
    }
    let loaded = job.load();
    if !loaded.errors.is_empty() {
        return None;
    }
    let sources = loaded.sources;
    let (program, diagnostics) = dafny_resolve::resolve(loaded.trees, job.settings.options());
    if diagnostics.iter().any(|d| d.is_error()) {
        return None;
    }
    let records = examined(file, &text, settings, table)?;
    table.programs += 1;
    let named = sources.files().map(|(_, f)| f).find(|f| f.named)?.clone();
    let mut claims = claims(&program, &sources, &records, table);
    verify(job, (&program, &named), settings, &mut claims);
    for claim in &claims {
        let kind = match (&claim.statement, claim.is_proved) {
            (Statement::Redundant(_), _) => "implied by the others",
            (Statement::Contradictory, _) => "contradictory",
            (Statement::Determined, _) => "determined",
            (Statement::Candidate(_), true) => "candidate, proved",
            (Statement::Candidate(_), false) => "candidate, within bounds",
        };
        let status = claim.status.clone().unwrap_or(Status::NotStated);
        *table
            .claims
            .entry((kind.to_owned(), status.name()))
            .or_default() += 1;
        let is_claimed = claim.is_proved && matches!(status, Status::NotProved(_));
        if is_claimed || matches!(status, Status::NotResolved(_)) {
            table.disagreements += 1;
            println!(
                "{}: {}: {kind}: {}: {}: {}",
                job.name(),
                program.callable_path(claim.unit),
                claim.words,
                status.name(),
                status.reason()
            );
        }
    }
    Some(())
}

/// The objects that `spec` prints for a program.
fn examined(file: &Path, text: &str, settings: &Settings, table: &mut Table) -> Option<Vec<Value>> {
    let key = digest(&(text, settings.tool_digest));
    let cached = settings
        .verifier
        .cache
        .join(format!("spec-{key:016x}.jsonl"));
    let output = match std::fs::read_to_string(&cached) {
        Ok(output) => output,
        Err(_) => {
            let start = Instant::now();
            let run = Command::new(&settings.tool)
                .args(["dtest", "spec", "--suggest", "--message-format", "json"])
                .args(["--jobs", "1"])
                .arg(file)
                .output()
                .ok()?;
            let seconds = start.elapsed().as_secs_f64();
            let text = String::from_utf8_lossy(&run.stdout);
            let output = format!("{text}{{\"kind\":\"time\",\"seconds\":{seconds}}}\n");
            // A failure to write the cache costs time only.
            let _ = std::fs::write(&cached, &output);
            output
        }
    };
    let records: Vec<Value> = output
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let units = of_kind(&records, "specification").count();
    let seconds = of_kind(&records, "time")
        .find_map(|r| r["seconds"].as_f64())
        .unwrap_or_default();
    if units > 0 {
        table.seconds.push(seconds / units as f64);
    }
    Some(records)
}

fn of_kind<'r>(records: &'r [Value], kind: &'r str) -> impl Iterator<Item = &'r Value> {
    records.iter().filter(move |r| r["kind"] == kind)
}

/// Reads the claims, and counts the verdicts.
fn claims(
    program: &Program,
    sources: &SourceMap,
    records: &[Value],
    table: &mut Table,
) -> Vec<Claim> {
    let ids: Vec<CallableId> = program.ids();
    let is_at = |span: Span, record: &Value| {
        let at = sources.line_column(span.start);
        at.is_some_and(|at| {
            let place = record["place"].as_str().unwrap_or_default();
            place.ends_with(&format!(":{}:{}", at.line, at.column))
        })
    };
    let unit_of = |record: &Value| {
        let path = record["unit"].as_str().unwrap_or_default();
        let own = |id: &&CallableId| {
            program.callable_path(**id) == path && is_at(program[**id].span, record)
        };
        ids.iter().find(own).copied()
    };
    let mut found = Vec::new();
    let claim = |unit, statement, is_proved, words: &str| Claim {
        unit,
        statement,
        is_proved,
        words: words.to_owned(),
        without: Vec::new(),
        status: None,
    };
    for record in of_kind(records, "specification") {
        for question in ["satisfiable", "implementable", "completeness"] {
            let verdict = record[question]["verdict"].as_str().unwrap_or_default();
            let key = (question, verdict.to_owned());
            *table.verdicts.entry(key).or_default() += 1;
        }
        let Some(unit) = unit_of(record) else {
            continue;
        };
        let is_proved = |question: &str, verdict: &str| {
            record[question]["verdict"] == verdict && record[question]["proved"] == true
        };
        if is_proved("satisfiable", "no") {
            found.push(claim(unit, Statement::Contradictory, true, ""));
        }
        // A function that callers know by its body determines its result by that body.
        let callable = &program[unit];
        let is_known =
            callable.kind.is_function() && !callable.opaque && !matches!(callable.body, Body::None);
        if is_proved("completeness", "determined") && !is_known {
            found.push(claim(unit, Statement::Determined, true, ""));
        }
        let spec = &program[unit].spec;
        for clause in record["clauses"].as_array().into_iter().flatten() {
            let (kind, all) = match clause["clause"].as_str() {
                Some("requires") => (Kind::Requires, &spec.requires),
                _ => (Kind::Ensures, &spec.ensures),
            };
            let index = all.iter().position(|c| is_at(c.span, clause));
            if let Some(index) = index.filter(|_| clause["redundant"] == true) {
                let text = clause["text"].as_str().unwrap_or_default();
                found.push(claim(unit, Statement::Redundant((kind, index)), true, text));
            }
        }
    }
    for record in of_kind(records, "specification-candidate") {
        if let (Some(unit), Some(text)) = (unit_of(record), record["text"].as_str()) {
            let is_proved = record["proved"] == true;
            let statement = Statement::Candidate(text.to_owned());
            found.push(claim(unit, statement, is_proved, text));
        }
    }
    found
}

/// Sets the status of each claim.
fn verify(
    job: &Job,
    (program, file): (&Program, &SourceFile),
    settings: &Settings,
    claims: &mut [Claim],
) {
    for _ in 0..MAX_RUNS {
        let open: Vec<usize> = (0..claims.len())
            .filter(|i| claims.get(*i).is_some_and(|c| c.status.is_none()))
            .collect();
        if open.is_empty() {
            return;
        }
        let stated = Stated::new(program, file, claims, &open);
        match stated.ended(job, settings) {
            Ended::Verified => {
                stated.verify(job, settings, claims);
                continue;
            }
            Ended::Stopped => {
                let unknown = claims.iter_mut().filter(|c| c.status.is_none());
                unknown.for_each(|c| c.status = Some(Status::TimedOut));
                return;
            }
            Ended::NotResolved => {}
        }
        // Some declaration has an error: each claim by itself.
        for i in open {
            let alone = Stated::new(program, file, claims, &[i]);
            let status = match alone.ended(job, settings) {
                Ended::Verified => {
                    alone.verify(job, settings, claims);
                    continue;
                }
                Ended::Stopped => Status::TimedOut,
                Ended::NotResolved => Status::NotResolved(alone.error(job, settings)),
            };
            if let Some(claim) = claims.get_mut(i) {
                claim.status = Some(status);
            }
        }
    }
}

/// The end of a run of Dafny.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Verified,
    /// The resolver rejects the program.
    NotResolved,
    /// Dafny stopped without a result.
    Stopped,
}

/// A program with declarations that state claims.
struct Stated {
    text: String,
    /// The claims that are stated, with the place of their declarations.
    claims: Vec<(usize, usize, Added)>,
    not_stated: Vec<usize>,
}

impl Stated {
    fn new(program: &Program, file: &SourceFile, claims: &[Claim], wanted: &[usize]) -> Self {
        let (mut added, mut not_stated) = (Vec::new(), Vec::new());
        for i in wanted {
            let Some(claim) = claims.get(*i) else {
                continue;
            };
            let source = Source::new(program, claim.unit, &file.text, file.base);
            let text = source
                .as_ref()
                .and_then(|s| Some((s.end, s.stated(*i, &claim.statement, &claim.without)?)));
            match text {
                Some((at, text)) => added.push((at, *i, text)),
                None => not_stated.push(*i),
            }
        }
        added.sort_by_key(|(at, i, _)| (*at, *i));
        let (mut text, mut from, mut placed) = (String::new(), 0, Vec::new());
        for (at, i, declaration) in added {
            text.push_str(file.text.get(from..at).unwrap_or_default());
            from = at;
            placed.push((i, text.len(), declaration));
            let declared = placed.last().map_or("", |(_, _, d)| d.text.as_str());
            text.push_str(declared);
        }
        text.push_str(file.text.get(from..).unwrap_or_default());
        Self {
            text,
            claims: placed,
            not_stated,
        }
    }

    fn output(&self, job: &Job, settings: &Settings, command: &[&str]) -> Option<String> {
        if let Some(folder) = &settings.save {
            let name = format!("{:016x}.dfy", digest(&self.text));
            // Saved programs are for the reader only.
            let _ = std::fs::write(folder.join(name), &self.text);
        }
        settings.verifier.output_of_text(job, &self.text, command)
    }

    fn verified(&self, job: &Job, settings: &Settings) -> Option<String> {
        self.output(job, settings, &["--filter-symbol", PREFIX])
    }

    fn ended(&self, job: &Job, settings: &Settings) -> Ended {
        if self.claims.is_empty() {
            return Ended::Verified;
        }
        let output = self.verified(job, settings).unwrap_or_default();
        if is_complete(&output) {
            Ended::Verified
        } else if output.contains("Error: ") && !output.contains("Internal error") {
            Ended::NotResolved
        } else {
            Ended::Stopped
        }
    }

    /// The first error message.
    fn error(&self, job: &Job, settings: &Settings) -> String {
        let output = self.verified(job, settings).unwrap_or_default();
        let first = output.lines().find_map(|l| l.split_once("Error: "));
        first.map_or_else(|| "no output".to_owned(), |(_, text)| text.to_owned())
    }

    /// Reads the verifier's results on the claims. An assumption that is not well-formed is left out
    /// of the next run.
    fn verify(&self, job: &Job, settings: &Settings, claims: &mut [Claim]) {
        for i in &self.not_stated {
            if let Some(claim) = claims.get_mut(*i) {
                claim.status = Some(Status::NotStated);
            }
        }
        let output = self.verified(job, settings).unwrap_or_default();
        let errors = errors(&output, &self.text);
        for (i, start, added) in &self.claims {
            let Some(claim) = claims.get_mut(*i) else {
                continue;
            };
            let range = *start..start + added.text.len();
            let own = errors.iter().filter(|e| range.contains(&e.at));
            let mut status = Status::Confirmed;
            let mut is_repeated = false;
            for error in own {
                let place = error.at - start;
                // Columns may be those of the first character or the next one.
                let assumed = added
                    .assumed
                    .iter()
                    .find(|(r, _)| r.start <= place + 1 && place <= r.end);
                if let Some((_, id)) = assumed {
                    claim.without.push(*id);
                    is_repeated = true;
                } else if error.text.contains("timed out") || error.text.contains("out of resource")
                {
                    status = Status::TimedOut;
                } else if matches!(claim.statement, Statement::Candidate(_))
                    && !error.text.contains("postcondition")
                {
                    status = Status::Body(error.text.clone());
                } else {
                    status = Status::NotProved(error.text.clone());
                }
            }
            if !is_repeated {
                claim.status = Some(status);
            }
        }
    }
}

/// An error of the verifier at a byte of the text.
struct Error {
    at: usize,
    text: String,
}

/// Reads the errors of Dafny's output.
fn errors(output: &str, text: &str) -> Vec<Error> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(i, _)| i + 1))
        .collect();
    let error = |line: &str| {
        let (place, message) = line.split_once("): Error: ")?;
        let (_, place) = place.rsplit_once('(')?;
        let (line, column) = place.split_once(',')?;
        let line: usize = line.parse().ok()?;
        let start = starts.get(line.checked_sub(1)?)?;
        Some(Error {
            at: start + column.trim().parse::<usize>().ok()?,
            text: message.to_owned(),
        })
    };
    output.lines().filter_map(error).collect()
}

impl Table {
    fn print(&mut self) {
        println!(
            "{} programs examined, {} left out",
            self.programs, self.skipped
        );
        for ((question, verdict), count) in &self.verdicts {
            println!("{question}: {verdict}: {count}");
        }
        for ((kind, status), count) in &self.claims {
            println!("{kind}: {status}: {count}");
        }
        self.seconds.sort_by(f64::total_cmp);
        let at = |share: usize| {
            let last = self.seconds.len().saturating_sub(1);
            self.seconds
                .get(last * share / 100)
                .copied()
                .unwrap_or_default()
        };
        println!(
            "seconds for each unit, by program: median {:.2}, 90 % {:.2}, maximum {:.2}",
            at(50),
            at(90),
            at(100)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "method M(a: int) returns (r: int)
  requires a > 0
  requires a > -1
  ensures r == a
  ensures r > 0
{ r := a; }
";

    /// The added text for records of the method `M`.
    fn stated(records: &[Value]) -> String {
        let mut sources = SourceMap::new();
        let id = sources.add("p.dfy", PROGRAM, true).unwrap();
        let file = sources.file(id).unwrap().clone();
        let (tree, _) = dafny_syntax::parse(file.base, &file.text);
        let (program, diagnostics) = dafny_resolve::resolve(vec![tree], Default::default());
        assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
        let claims = claims(&program, &sources, records, &mut Table::default());
        let wanted: Vec<usize> = (0..claims.len()).collect();
        let stated = Stated::new(&program, &file, &claims, &wanted);
        assert!(stated.not_stated.is_empty());
        stated
            .text
            .strip_prefix(PROGRAM.trim_end())
            .unwrap()
            .to_owned()
    }

    fn unit(clauses: Value) -> Value {
        serde_json::json!({
            "kind": "specification", "unit": "M", "place": "p.dfy:1:8",
            "satisfiable": {"verdict": "yes", "proved": true},
            "completeness": {"verdict": "open", "proved": true},
            "clauses": clauses,
        })
    }

    #[test]
    fn a_redundant_postcondition_is_ensured_by_a_call() {
        let clauses = serde_json::json!([
            {"clause": "ensures", "text": "r > 0", "place": "p.dfy:5:11", "redundant": true}
        ]);
        let expected = "
method JudgedClaim0G(a: int) returns (r: int)
  requires a > 0
  requires a > -1
  ensures r == a
  ensures true

method JudgedClaim0I(a: int) returns (r: int)
  requires a > 0
  requires a > -1
  ensures r == a
  ensures r > 0
{ r := JudgedClaim0G(a); }

";
        assert_eq!(stated(&[unit(clauses)]), expected);
    }

    #[test]
    fn a_redundant_precondition_is_a_lemma() {
        let clauses = serde_json::json!([
            {"clause": "requires", "text": "a > -1", "place": "p.dfy:3:12", "redundant": true}
        ]);
        let expected = "
lemma JudgedClaim0I(a: int)
  requires a > 0
  ensures a > -1
{ }

";
        assert_eq!(stated(&[unit(clauses)]), expected);
    }

    #[test]
    fn a_candidate_is_a_further_postcondition_of_the_body() {
        let candidate = serde_json::json!({
            "kind": "specification-candidate", "unit": "M", "place": "p.dfy:1:8",
            "text": "r >= a", "proved": true,
        });
        let text = stated(&[candidate]);
        assert!(
            text.contains("  ensures r > 0\n\n  ensures r >= a\n{ r := a; }\n"),
            "{text}"
        );
    }

    #[test]
    fn errors_have_byte_positions() {
        let output = "p.dfy(2,3): Error: assertion might not hold\np.dfy(1,0): Warning: none\n";
        let found = errors(output, "first\nsecond\n");
        let found: Vec<(usize, &str)> = found.iter().map(|e| (e.at, e.text.as_str())).collect();
        assert_eq!(found, [(9, "assertion might not hold")]);
    }
}
