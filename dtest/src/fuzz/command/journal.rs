//! The results of a campaign on disk: one line of JSON per round, one directory per kind of
//! disagreement, and the arguments of the campaign, so that it can be resumed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::args::{Cli, Command, FuzzArgs};
use crate::cli::config::{Given, Line};
use crate::cli::{Environment, files};
use crate::fuzz::round::Finding;
use crate::fuzz::{Class, Disagreement};
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::{SortedMap, SortedSet};

use super::stored::{Stored, cannot_write, write};

/// The file with the arguments of the campaign.
const CAMPAIGN: &str = "campaign.json";
/// The file with the results of the rounds.
const RESULTS: &str = "results.jsonl";

/// The arguments of a campaign.
#[derive(Serialize, Deserialize)]
struct Started {
    /// The version of this tool.
    version: String,
    /// The arguments after `fuzz`.
    arguments: Vec<String>,
    /// The current directory, which paths in the arguments are relative to.
    folder: PathBuf,
}

/// The result of a round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// The number of the round.
    pub(super) round: u64,
    /// The name of the program.
    pub(super) program: String,
    /// The reason why the program was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<String>,
    /// The number of claims, if the program has false claims.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) claims: u64,
    /// The number of claims of known kinds, which were not verified alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) covered: u64,
    /// The mutations of each rewritten program.
    pub(super) chains: Vec<Vec<String>>,
    /// The verdicts of the verifier on the program and on each rewritten program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) verdicts: Vec<String>,
    /// The output of each compiler for the original program and for each rewritten program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) prints: Vec<String>,
    /// The disagreements.
    found: Vec<Found>,
    /// The issues about known disagreements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) known: Vec<String>,
    /// The number of disagreements that the earlier version of the verifier has, too.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) unchanged: u64,
    pub(super) seconds: f64,
}

/// A disagreement of a round.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    class: Class,
    key: String,
    /// The mutations that are necessary for the disagreement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mutations: Vec<String>,
    /// The directory of the first disagreement with the same key.
    folder: String,
}

/// Programs and mutations that led to new kinds of disagreements. They are used more often.
#[derive(Clone, Debug, Default)]
pub(super) struct Fruitful {
    /// Programs, in the order of their first new disagreement.
    pub(super) programs: Vec<String>,
    /// Names of mutations.
    pub(super) mutations: SortedSet<String>,
}

impl Record {
    pub(super) fn new(round: u64, program: String) -> Self {
        Self {
            round,
            program,
            skipped: None,
            claims: 0,
            covered: 0,
            chains: Vec::new(),
            verdicts: Vec::new(),
            prints: Vec::new(),
            found: Vec::new(),
            known: Vec::new(),
            unchanged: 0,
            seconds: 0.0,
        }
    }
}

/// Totals over all rounds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Totals {
    programs: u64,
    skipped: u64,
    /// False claims.
    claims: u64,
    /// False claims of known kinds.
    covered: u64,
    rewritten: u64,
    mutations: u64,
    /// Rewritten programs on which the verifier timed out or gave up, although it decided the
    /// original.
    brittle: u64,
    disagreements: u64,
    kinds: u64,
    /// Disagreements about which there is an issue.
    known: u64,
    /// Disagreements that the earlier version of the verifier has, too.
    unchanged: u64,
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            programs,
            skipped,
            claims,
            covered,
            rewritten,
            mutations,
            brittle,
            disagreements,
            kinds,
            known,
            unchanged,
        } = self;
        write!(f, "{programs} programs")?;
        if *skipped > 0 {
            write!(f, " ({skipped} skipped)")?;
        }
        if *claims > 0 {
            write!(f, " of {claims} claims")?;
            if *covered > 0 {
                write!(f, " ({covered} of known kinds)")?;
            }
            write!(f, ", {disagreements} disagreements")?;
        } else {
            write!(
                f,
                ", {rewritten} rewritten by {mutations} mutations, {disagreements} disagreements"
            )?;
        }
        if kinds < disagreements {
            write!(f, " of {kinds} kinds")?;
        }
        if *known > 0 {
            write!(f, ", {known} known")?;
        }
        if *unchanged > 0 {
            write!(f, ", {unchanged} also of the earlier version")?;
        }
        if *brittle > 0 {
            write!(f, ", {brittle} undecided after rewriting")?;
        }
        Ok(())
    }
}

/// Disagreements of one kind.
struct Kind {
    folder: String,
    count: u64,
    first: u64,
}

/// The results of a campaign, stored in a directory.
pub(super) struct Journal {
    folder: PathBuf,
    /// The numbers of completed rounds.
    done: SortedSet<u64>,
    kinds: SortedMap<(Class, String), Kind>,
    pub(super) fruitful: Fruitful,
    pub(super) totals: Totals,
    /// The number of skipped programs by reason.
    reasons: SortedMap<String, u64>,
}

impl Journal {
    /// Starts a campaign in a directory that is new or empty.
    ///
    /// # Errors
    /// The directory is not empty, or cannot be written.
    pub(super) fn begin(folder: &Path, arguments: &[String]) -> Result<Self, Diagnostic> {
        let shown = folder.display();
        // A campaign never overwrites anything: an interrupted one must be resumed explicitly.
        if folder.join(CAMPAIGN).exists() {
            let d = Diagnostic::global(
                MessageId::FuzzCampaignThere,
                format!("`{shown}` already contains a campaign"),
            );
            return Err(d.with_help(format!("use `--resume {shown}` to continue it")));
        }
        if !files::tree(folder).is_empty() || folder.is_file() {
            let d = Diagnostic::global(
                MessageId::CliHandWritten,
                format!("`{shown}` is not empty, and was not changed"),
            );
            return Err(d.with_help("choose another directory with `--out`"));
        }
        let started = Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: arguments.to_vec(),
            folder: std::env::current_dir().unwrap_or_default(),
        };
        let text = serde_json::to_string_pretty(&started).unwrap_or_default() + "\n";
        write(&folder.join(CAMPAIGN), &text)?;
        Ok(Self {
            folder: folder.to_owned(),
            done: SortedSet::new(),
            kinds: SortedMap::new(),
            fruitful: Fruitful::default(),
            totals: Totals::default(),
            reasons: SortedMap::new(),
        })
    }

    /// Resumes a campaign. Returns its arguments and its results so far.
    ///
    /// # Errors
    /// The directory has no campaign, or one of another version, or one that was started in another
    /// directory.
    pub(super) fn resume(
        folder: &Path,
        env: &Environment,
    ) -> Result<(FuzzArgs, Given, Self), Diagnostic> {
        let shown = folder.display();
        let none = || {
            let d = Diagnostic::global(
                MessageId::FuzzNoCampaign,
                format!("`{shown}` does not contain a campaign"),
            );
            d.with_help("use `--out DIR` to start one")
        };
        let text = files::read_text(&folder.join(CAMPAIGN)).map_err(|_| none())?;
        let started: Started = serde_json::from_str(&text).map_err(|_| none())?;
        if started.folder != std::env::current_dir().unwrap_or_default() {
            let message = format!("the campaign in `{shown}` was started in another directory");
            return Err(Diagnostic::global(MessageId::FuzzElsewhere, message)
                .with_help(format!("run the command in {}", started.folder.display())));
        }
        if started.version != env!("CARGO_PKG_VERSION") {
            let message = format!(
                "the campaign in `{shown}` was started with version {}",
                started.version
            );
            return Err(Diagnostic::global(MessageId::FuzzVersion, message)
                .with_help("start a new one with `--out DIR`"));
        }
        let words = ["cargo-dtest", "fuzz"]
            .map(str::to_owned)
            .into_iter()
            .chain(started.arguments);
        let Ok(Line {
            cli: Cli {
                command: Command::Fuzz(args),
            },
            given,
        }) = env.config.complete(words, &env.root)
        else {
            return Err(none());
        };
        let mut journal = Self {
            folder: folder.to_owned(),
            done: SortedSet::new(),
            kinds: SortedMap::new(),
            fruitful: Fruitful::default(),
            totals: Totals::default(),
            reasons: SortedMap::new(),
        };
        let results = files::read_text(&folder.join(RESULTS)).unwrap_or_default();
        for line in results.lines() {
            // An incomplete line belongs to an interrupted round, which is repeated.
            let Ok(record) = serde_json::from_str::<Record>(line) else {
                continue;
            };
            journal.count(&record);
        }
        Ok((*args, given, journal))
    }

    /// The numbers of completed rounds.
    pub(super) fn done(&self) -> &SortedSet<u64> {
        &self.done
    }

    /// Whether no disagreement was found so far.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The classes and keys of all kinds so far, in the order of their classes.
    pub(super) fn keys(&self) -> impl Iterator<Item = (Class, String)> {
        self.kinds.keys().cloned()
    }

    /// Whether a disagreement of this kind is known.
    pub(super) fn knows(&self, what: &Disagreement) -> bool {
        self.kinds.contains_key(&(what.class, what.key.clone()))
    }

    /// Records the result of a round. The first disagreement with a key gets a directory. Returns
    /// a line for each of these directories.
    ///
    /// # Errors
    /// The result cannot be written.
    pub(super) fn add(
        &mut self,
        mut record: Record,
        found: &[Finding],
        stored: &dyn Fn(&Finding, &Record) -> Stored,
    ) -> Result<Vec<String>, Diagnostic> {
        let mut new = Vec::new();
        for finding in found {
            let key = (finding.what.class, finding.what.key.clone());
            // A finding of a known kind is only counted; the first one gets a folder with its
            // files.
            let folder = match self.kinds.get(&key) {
                Some(kind) => kind.folder.clone(),
                None => {
                    let of_class = 1 + self
                        .kinds
                        .keys()
                        .filter(|(class, _)| *class == key.0)
                        .count();
                    let folder = format!("{}-{of_class}", key.0.name());
                    let path = self.folder.join(&folder);
                    stored(finding, &record).write(&path, finding)?;
                    new.push(format!("{}: {}", path.display(), finding.what.message));
                    self.kinds.insert(
                        key.clone(),
                        Kind {
                            folder: folder.clone(),
                            count: 0,
                            first: record.round,
                        },
                    );
                    folder
                }
            };
            let steps = finding.rewritten.iter().flat_map(|(_, steps)| steps);
            let mutations: SortedSet<String> =
                steps.map(|s| s.mutation.name().to_owned()).collect();
            record.found.push(Found {
                class: key.0,
                key: key.1,
                mutations: mutations.into_iter().collect(),
                folder,
            });
        }
        self.count(&record);
        let path = self.folder.join(RESULTS);
        // The results are appended round by round, so that an interrupted campaign loses no round.
        let line = format!("{}\n", serde_json::to_string(&record).unwrap_or_default());
        files::append(&path, &line).map_err(|e| cannot_write(&path, &e))?;
        Ok(new)
    }

    /// The directories of all kinds, in the order of their classes.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let folders = self.kinds.values().map(|kind| &kind.folder);
        folders.map(|folder| self.folder.join(folder)).collect()
    }

    fn count(&mut self, record: &Record) {
        self.done.insert(record.round);
        self.totals.programs += 1;
        if let Some(why) = &record.skipped {
            self.totals.skipped += 1;
            // The rest of a message differs from program to program.
            let reason = why.split(": ").next().unwrap_or_default();
            *self.reasons.entry(reason.to_owned()).or_insert(0) += 1;
        }
        self.totals.claims += record.claims;
        self.totals.covered += record.covered;
        self.totals.known += record.known.len() as u64;
        self.totals.unchanged += record.unchanged;
        self.totals.rewritten += record.chains.len() as u64;
        self.totals.mutations += record.chains.iter().map(|c| c.len() as u64).sum::<u64>();
        let is_open = |v: &&String| matches!(v.as_str(), "time-out" | "gave-up");
        self.totals.brittle += record.verdicts.iter().skip(1).filter(is_open).count() as u64;
        self.totals.disagreements += record.found.len() as u64;
        for found in &record.found {
            let new = Kind {
                folder: found.folder.clone(),
                count: 0,
                first: record.round,
            };
            let kind = self
                .kinds
                .entry((found.class, found.key.clone()))
                .or_insert(new);
            // Programs and mutations that lead to new kinds are preferred in later rounds.
            kind.count += 1;
            if kind.count == 1 {
                self.fruitful
                    .mutations
                    .extend(found.mutations.iter().cloned());
                if !self.fruitful.programs.contains(&record.program) {
                    self.fruitful.programs.push(record.program.clone());
                }
            }
        }
        self.totals.kinds = self.kinds.len() as u64;
    }

    /// Formats the kinds of disagreements, one per line.
    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        // With one reason, the number of skipped programs before the table says it all.
        if self.reasons.len() > 1 {
            for (reason, count) in &self.reasons {
                let _ = writeln!(text, "  skipped    {count:4}  {reason}");
            }
        }
        for ((class, _), kind) in &self.kinds {
            let _ = writeln!(
                text,
                "  {:10} {:4}  {}",
                class.name(),
                kind.count,
                self.folder.join(&kind.folder).display()
            );
        }
        text
    }

    /// The skipped programs by reason, as JSON.
    fn skipped(&self) -> serde_json::Value {
        let reasons = self.reasons.iter();
        reasons
            .map(|(reason, count)| (reason.clone(), (*count).into()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// Formats the totals and kinds as a line of JSON.
    pub(super) fn json(&self) -> String {
        let kind = |((class, key), kind): (&(Class, String), &Kind)| {
            let folder = self.folder.join(&kind.folder);
            serde_json::json!({ "class": class, "key": key, "count": kind.count, "first_round": kind.first, "folder": folder })
        };
        let kinds: Vec<_> = self.kinds.iter().map(kind).collect();
        format!(
            "{}\n",
            serde_json::json!({ "type": "campaign", "totals": self.totals, "skipped": self.skipped(), "kinds": kinds })
        )
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
