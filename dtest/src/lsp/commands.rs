//! The commands of the server, which run in child processes: [`asked`] parses one, [`Task::run`]
//! executes it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use crate::cli::files;
use crate::exit_code::ExitCode;
use crate::lsp::documents::{Encoding, Lines, path_of};
use crate::lsp::error::{ArgumentError, RequestError};
use crate::lsp::findings::{Origin, Scope, total};
use crate::lsp::programs::Known;
use crate::lsp::runs::{self, Cancel, Output};
use crate::lsp::server::Event;
use crate::report::explain;
use crossbeam_channel::Sender;
use dafny_source::FileId;
use dtest_sorted::SortedMap;
use lsp_types as lsp;
use serde_json::{Value, json};

/// The commands that clients can execute.
pub const COMMANDS: [&str; 7] = [
    "dtest.run",
    "dtest.check",
    "dtest.mutants",
    "dtest.executions",
    "dtest.executionAt",
    "dtest.writeTest",
    "dtest.explain",
];

// Commands.

/// The work that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Writes the tests of a unit and runs them.
    Run,
    /// Searches for violations and dead blocks.
    Check,
    /// Runs mutation testing on the tests of a unit.
    Mutants,
    /// Explores all executions of a unit within bounds, in this order and with this number of
    /// negated branches.
    Executions(Option<String>, Option<u32>),
    /// Searches for an execution that violates an obligation at one of these positions of the
    /// document.
    ExecutionAt(Vec<lsp::Position>),
    /// Writes the violations of a unit as tests.
    WriteTest,
}

impl What {
    /// The title of the progress message.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Run => "writing and running tests",
            Self::Check => "looking for violations and dead code",
            Self::Mutants => "running mutants",
            Self::Executions(..) => "executing every path",
            Self::ExecutionAt(_) => "looking for an execution",
            Self::WriteTest => "writing a test",
        }
    }
}

/// A parsed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// The explanation of a message id.
    Explanation(String),
    /// Work on the program of a document.
    Program {
        /// The document.
        path: PathBuf,
        /// One of its units, or all.
        unit: Option<String>,
        /// The work.
        what: What,
    },
}

/// Parses a command with its arguments.
///
/// # Errors
/// A description of the malformed arguments.
pub fn asked(params: &lsp::ExecuteCommandParams) -> Result<Asked, ArgumentError> {
    let argument = |i: usize| params.arguments.get(i).unwrap_or(&Value::Null);
    // The only command without a file.
    if params.command == "dtest.explain" {
        let id = argument(0).as_str().ok_or(ArgumentError::NoId)?;
        let found = explain::of(id);
        let text = found
            .iter()
            .map(|e| e.text())
            .collect::<Vec<_>>()
            .join("\n");
        return if found.is_empty() {
            Err(ArgumentError::UnknownId(id.to_owned()))
        } else {
            Ok(Asked::Explanation(text))
        };
    }
    // All others name a file, most of them also a unit.
    let uri = argument(0)
        .as_str()
        .and_then(|u| u.parse().ok())
        .and_then(|u| path_of(&u));
    let path = uri.ok_or_else(|| ArgumentError::NoFile(params.command.clone()))?;
    let unit = argument(1).as_str().map(str::to_owned);
    let of_unit = |what: What| match &unit {
        Some(_) => Ok(Asked::Program {
            path: path.clone(),
            unit: unit.clone(),
            what,
        }),
        None => Err(ArgumentError::NoUnit(params.command.clone())),
    };
    match params.command.as_str() {
        "dtest.run" => of_unit(What::Run),
        "dtest.check" => Ok(Asked::Program {
            path,
            unit,
            what: What::Check,
        }),
        "dtest.mutants" => of_unit(What::Mutants),
        "dtest.writeTest" => of_unit(What::WriteTest),
        "dtest.executions" => {
            let strategy = argument(2).as_str().map(str::to_owned);
            of_unit(What::Executions(strategy, number(argument(3))))
        }
        "dtest.executionAt" => {
            let position = |line: &Value, column: &Value| {
                Some(lsp::Position::new(number(line)?, number(column)?))
            };
            let first = position(argument(1), argument(2)).ok_or(ArgumentError::NoPosition)?;
            let more = argument(3).as_array().into_iter().flatten();
            let more = more.filter_map(|p| position(p.get(0)?, p.get(1)?));
            let places = [first].into_iter().chain(more).collect();
            Ok(Asked::Program {
                path,
                unit: None,
                what: What::ExecutionAt(places),
            })
        }
        other => Err(ArgumentError::UnknownCommand(other.to_owned())),
    }
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// Work on a program in child processes.
#[derive(Debug, Clone)]
pub struct Task {
    /// The latest resolved state of the program.
    pub known: Arc<Known>,
    /// The document in which the command was started.
    pub document: PathBuf,
    /// One of its units, or all.
    pub unit: Option<String>,
    /// The cache directory, for programs outside of packages.
    pub cache: Option<PathBuf>,
    /// A temporary directory.
    pub scratch: PathBuf,
    /// The unit of columns.
    pub encoding: Encoding,
}

impl Task {
    /// Executes a command and returns its answer.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub fn run(
        &self,
        what: &What,
        events: &Sender<Event>,
        cancel: &Cancel,
    ) -> Result<String, RequestError> {
        match what {
            What::Check => self.check(events, cancel),
            What::Mutants => self.mutants(events, cancel),
            What::Run => self.tests(events, cancel),
            What::WriteTest => self.write(cancel),
            What::Executions(strategy, depth) => {
                self.executions(strategy.as_deref(), *depth, cancel)
            }
            What::ExecutionAt(places) => self.execution(places, events, cancel),
        }
    }

    /// Searches for violations, then for dead blocks.
    ///
    /// # Errors
    /// The reason why this is impossible.
    pub fn check(&self, events: &Sender<Event>, cancel: &Cancel) -> Result<String, RequestError> {
        let mut said = Vec::new();
        for (command, origin) in [("check", Origin::Check), ("dead", Origin::Dead)] {
            let output = self.search(command, origin, events, cancel)?;
            said.push(summary(command, &output.out).unwrap_or_else(|| problem(&output)));
            if origin == Origin::Check {
                super::fixes::offer(self, &output.out, events, cancel);
            }
        }
        Ok(said.join("\n"))
    }

    fn mutants(&self, events: &Sender<Event>, cancel: &Cancel) -> Result<String, RequestError> {
        let output = self.search("mutants", Origin::Mutants, events, cancel)?;
        Ok(summary("mutants", &output.out).unwrap_or_else(|| problem(&output)))
    }

    fn tests(&self, events: &Sender<Event>, cancel: &Cancel) -> Result<String, RequestError> {
        self.package()?;
        let output = self.search("gen", Origin::Tests, events, cancel)?;
        let Some(generated) = summary("gen", &output.out) else {
            return Err(RequestError::Search(problem(&output)));
        };
        // Only the tests of the program's units are run, not the user's other tests.
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(["test", "--color", "never", "--"])
            .args(test_filter(&output.out));
        let run = runs::program(cargo, &self.known.key.root, cancel).map_err(|e| {
            RequestError::Start {
                process: "`cargo test`",
                cause: e.to_string(),
            }
        })?;
        let run = run.ok_or(RequestError::Cancelled)?;
        let results: Vec<&str> = run
            .out
            .lines()
            .filter(|l| l.starts_with("test result:") && !l.contains(" 0 passed; 0 failed"))
            .collect();
        let failed: Vec<&str> = run
            .out
            .lines()
            .filter(|l| l.starts_with("test ") && l.ends_with("FAILED"))
            .collect();
        let mut lines = vec![generated];
        lines.extend(failed.into_iter().chain(results).map(str::to_owned));
        if run.code != Some(0) && lines.len() == 1 {
            lines.push(run.err);
        }
        Ok(lines.join("\n"))
    }

    fn write(&self, cancel: &Cancel) -> Result<String, RequestError> {
        self.package()?;
        let output = self.engine("check", &["--write"], cancel)?;
        let wrote: Vec<&str> = output
            .err
            .lines()
            .chain(output.out.lines())
            .filter(|l| l.contains("violations"))
            .collect();
        Ok(if wrote.is_empty() {
            problem(&output)
        } else {
            wrote.join("\n")
        })
    }

    fn executions(
        &self,
        strategy: Option<&str>,
        depth: Option<u32>,
        cancel: &Cancel,
    ) -> Result<String, RequestError> {
        let unit = self.unit.clone().unwrap_or_default();
        let depth = depth.map(|d| d.to_string());
        let mut arguments = vec![
            "check",
            "--executions",
            "--entry",
            unit.as_str(),
            "--color",
            "never",
            "--fail-on",
            "none",
        ];
        arguments.extend(strategy.iter().flat_map(|s| ["--strategy", s]));
        arguments.extend(depth.iter().flat_map(|d| ["--depth", d.as_str()]));
        let output = self.run_engine(&arguments, cancel)?;
        if output.code == Some(0) {
            Ok(output.out.trim().to_owned())
        } else {
            Err(RequestError::Search(problem(&output)))
        }
    }

    /// Checks that the program belongs to a package, which tests are written to.
    fn package(&self) -> Result<(), RequestError> {
        if self.known.key.is_in_package() {
            return Ok(());
        }
        Err(RequestError::NoPackage)
    }

    fn execution(
        &self,
        places: &[lsp::Position],
        events: &Sender<Event>,
        cancel: &Cancel,
    ) -> Result<String, RequestError> {
        let file = self
            .known
            .file(&self.document)
            .ok_or(RequestError::NoDocument)?;
        let text = self.known.text(file);
        let lines = Lines::of(&text, self.encoding);
        let shown = files::relative(&self.document, &self.known.key.root);
        // Tries the exact position first, then its line, then the related locations of the error.
        let mut tries: Vec<String> = Vec::new();
        for at in places {
            let (line, column) = lines.characters(lines.offset(*at));
            tries.extend([
                format!("{shown}:{line}:{column}"),
                format!("{shown}:{line}"),
            ]);
        }
        let mut said = None;
        for place in &tries {
            let output = self.run_engine(
                &["check", "--at", place, "--trace", "--color", "never"],
                cancel,
            )?;
            let is_found = output.code == Some(i32::from(ExitCode::Findings as u8));
            if is_found || output.code == Some(0) {
                let text = format!("{}{}", output.err, output.out);
                if is_found || said.is_none() {
                    said = Some(text);
                }
                if is_found {
                    break;
                }
            }
        }
        let found = places
            .first()
            .and_then(|at| super::answers::unit_at(&self.known.analysis, file, lines.offset(*at)));
        if let (Some(unit), Some(at)) = (found, places.first()) {
            let _ = events.send(Event::Chosen(
                self.known.key.clone(),
                unit.path,
                lines.offset(*at),
            ));
        }
        said.map(|text| text.trim().to_owned())
            .ok_or(RequestError::NoObligation)
    }

    /// Runs a search in a child process, and reports its results.
    fn search(
        &self,
        command: &str,
        origin: Origin,
        events: &Sender<Event>,
        cancel: &Cancel,
    ) -> Result<Output, RequestError> {
        let texts = self.texts();
        let output = self.engine(command, &["--message-format", "json"], cancel)?;
        // If the program has errors, the earlier results stay.
        if total(&output.out).is_some() {
            let scope = Scope {
                origin,
                unit: self.unit.clone(),
            };
            let _ = events.send(Event::Searched(
                self.known.key.clone(),
                scope,
                output.out.clone(),
                texts,
            ));
        }
        Ok(output)
    }

    /// Runs a command of this tool on the program, or on the unit alone.
    fn engine(
        &self,
        command: &str,
        options: &[&str],
        cancel: &Cancel,
    ) -> Result<Output, RequestError> {
        let filter = self
            .unit
            .as_ref()
            .map(|u| format!("^{}($|\\.)", regex_lite::escape(u)));
        let filter: Vec<&str> = filter
            .iter()
            .flat_map(|f| ["--filter", f.as_str()])
            .collect();
        let arguments: Vec<&str> = [&[command], options, &filter].concat();
        self.run_engine(&arguments, cancel)
    }

    fn run_engine(&self, arguments: &[&str], cancel: &Cancel) -> Result<Output, RequestError> {
        let mut all: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        if let Some(cache) = &self.cache {
            all.extend([
                "--cache-dir".to_owned(),
                cache.to_string_lossy().into_owned(),
            ]);
        }
        all.extend(self.known.key.named());
        let output =
            runs::engine(&all, &self.known.key.root, cancel).map_err(|e| RequestError::Start {
                process: "the search",
                cause: e.to_string(),
            })?;
        output.ok_or(RequestError::Cancelled)
    }

    /// Returns the texts that a child process reads: those on disk.
    pub(super) fn texts(&self) -> SortedMap<PathBuf, Arc<str>> {
        let one = |(i, path): (usize, &PathBuf)| {
            let text = files::read_text(path).map_or_else(
                |_| self.known.text(FileId(i as u32)),
                |t| t.trim_start_matches('\u{feff}').into(),
            );
            (path.clone(), text)
        };
        self.known.paths.iter().enumerate().map(one).collect()
    }
}

/// Returns the names of the generated tests of the units, as filters for `cargo test`.
fn test_filter(output: &str) -> Vec<String> {
    let units = output
        .lines()
        .filter_map(|l| serde_json::from_str::<Value>(l).ok())
        .filter(|r| r.get("kind") == Some(&json!("unit")));
    let tests = units.flat_map(|u| {
        u.get("tests")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    });
    tests
        .filter_map(|t| t.as_str().map(str::to_owned))
        .collect()
}

/// Describes the totals of a search.
fn summary(command: &str, output: &str) -> Option<String> {
    let record = total(output)?;
    let n = |field: &str| record.get(field).and_then(Value::as_u64).unwrap_or(0);
    Some(match command {
        "check" => format!(
            "check: of {} obligations, {} violated ({} more on an assumption), {} hold, {} hold within bounds, {} not decided",
            n("obligations"),
            n("violated"),
            n("violated_assuming"),
            n("holds"),
            n("holds_within_bounds"),
            n("not_decided")
        ),
        "dead" => format!(
            "dead: of {} blocks, {} reached, {} proved dead, {} open",
            n("blocks"),
            n("reached"),
            n("proved"),
            n("open")
        ),
        "mutants" => {
            format!(
                "mutants: of {}, {} killed, {} survived, {} equivalent",
                n("mutants"),
                n("killed"),
                n("survived"),
                n("equivalent")
            )
        }
        _ => format!(
            "gen: {} tests; of {} goals, {} covered, {} proved unreachable; {} findings",
            n("tests"),
            n("goals"),
            n("covered"),
            n("proved_unreachable"),
            n("findings")
        ),
    })
}

/// Returns the message of a run without a result.
fn problem(output: &Output) -> String {
    let text = if output.err.trim().is_empty() {
        &output.out
    } else {
        &output.err
    };
    text.trim().to_owned()
}
