//! Editor features of this tool beyond those of the language: lenses, code actions and commands,
//! and the results of searches as diagnostics and inlay hints.
//!
//! [`diagnostics`], [`hints`], [`lenses`] and [`actions`] answer requests from the known results.
//! [`asked`] parses a command, and [`Task`] executes it in child processes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crossbeam_channel::Sender;
use dafny_syntax::source::FileId;
use dtest_sorted::SortedMap;
use lsp_types as lsp;
use serde_json::{Value, json};

use super::answers::{Question, SOURCE};
use super::documents::{Encoding, Lines, path_of};
use super::error::{ArgumentError, RequestError};
use super::findings::{Finding, Origin, Scope, Weight, total};
use super::programs::Known;
use super::runs::{self, Cancel, Output};
use super::server::{Event, Program};
use crate::cli::files;
use crate::exit_code::ExitCode;
use crate::report::explain;

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

/// Maximum number of values shown next to a line.
const VALUES: usize = 4;

// Results of searches, in the text.

/// Returns the results of searches as diagnostics of a file.
pub fn diagnostics(
    program: &Program,
    question: &Question<'_>,
    path: &Path,
) -> Vec<lsp::Diagnostic> {
    let own = program.findings.all.iter().filter(|f| f.at.path == path);
    own.filter_map(|f| diagnostic(program, question, f))
        .collect()
}

fn diagnostic(program: &Program, question: &Question<'_>, f: &Finding) -> Option<lsp::Diagnostic> {
    let location = location(program, question, &f.at)?;
    let severity = match f.weight {
        Weight::Error => lsp::DiagnosticSeverity::ERROR,
        Weight::Warning => lsp::DiagnosticSeverity::WARNING,
        Weight::Faded | Weight::Hint => lsp::DiagnosticSeverity::HINT,
    };
    // The steps of the execution become related information, which editors list below the message.
    let steps = f.steps.iter().filter_map(|s| {
        let values = if s.variables.is_empty() {
            String::new()
        } else {
            format!("  [{}]", s.variables.join(", "))
        };
        let at = self::location(program, question, &s.at)?;
        Some(lsp::DiagnosticRelatedInformation {
            location: at,
            message: format!("{}{values}", s.text),
        })
    });
    let related: Vec<_> = steps.collect();
    Some(lsp::Diagnostic {
        range: location.range,
        severity: Some(severity),
        code: Some(lsp::NumberOrString::String(f.id.clone())),
        source: Some(SOURCE.to_owned()),
        message: f.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: (f.weight == Weight::Faded).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: Some(json!({ "unit": f.unit })),
        ..lsp::Diagnostic::default()
    })
}

/// Returns the present location of a range of the searched texts.
fn location(
    program: &Program,
    question: &Question<'_>,
    at: &super::findings::SourceRange,
) -> Option<lsp::Location> {
    let text = match question.documents.get(&at.path) {
        Some(document) => document.text.clone(),
        None => program.now.text(program.now.file(&at.path)?),
    };
    let bytes = program.findings.now(at, &text)?;
    let (uri, range) = question.range_in(&at.path, &text, bytes)?;
    Some(lsp::Location { uri, range })
}

/// Answers `textDocument/inlayHint`: the values of one execution, next to the lines that it passes.
pub fn hints(program: &Program, question: &Question<'_>, params: &Value) -> Vec<lsp::InlayHint> {
    let Some(text) = question.documents.get(&question.path).map(|d| &d.text) else {
        return Vec::new();
    };
    let wanted: Option<lsp::Range> = params
        .get("range")
        .and_then(|r| serde_json::from_value(r.clone()).ok());
    let shown =
        program.findings.all.iter().filter(|f| {
            f.origin == Origin::Check && !f.steps.is_empty() && f.at.path == question.path
        });
    let is_chosen = |f: &&Finding| {
        program
            .chosen
            .as_ref()
            .is_some_and(|(unit, at)| f.unit == *unit && f.at.bytes.contains(at))
    };
    let Some(shown) = shown
        .clone()
        .find(is_chosen)
        .or_else(|| shown.clone().next())
    else {
        return Vec::new();
    };
    let mut lines: SortedMap<u32, Vec<String>> = SortedMap::new();
    let ends = super::findings::Step {
        at: shown.at.clone(),
        text: String::new(),
        variables: shown.end.clone(),
    };
    for step in shown
        .steps
        .iter()
        .chain([&ends])
        .filter(|s| s.at.path == question.path)
    {
        let Some(at) = location(program, question, &step.at) else {
            continue;
        };
        let values = lines.entry(at.range.start.line).or_default();
        for value in &step.variables {
            // If the line is in a loop, the last value is shown.
            let name = value.split(" = ").next().unwrap_or_default();
            values.retain(|v| v.split(" = ").next() != Some(name));
            values.push(value.clone());
        }
    }
    let columns = Lines::of(text, question.encoding);
    let hint = |(line, mut values): (u32, Vec<String>)| {
        if values.is_empty() || wanted.is_some_and(|w| line < w.start.line || line > w.end.line) {
            return None;
        }
        let more = values.len() > VALUES;
        values.truncate(VALUES);
        let label = format!("{}{}", values.join(", "), if more { ", ..." } else { "" });
        let end = columns.line_end(columns.offset(lsp::Position::new(line, 0)));
        Some(lsp::InlayHint {
            position: columns.position(end),
            label: lsp::InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(lsp::InlayHintTooltip::String(format!(
                "in the execution of `{}`: {}",
                shown.unit, shown.message
            ))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    lines.into_iter().filter_map(hint).collect()
}

/// Answers `textDocument/codeLens`: the results for each unit, and its commands.
pub fn lenses(program: &Program, question: &Question<'_>) -> Vec<lsp::CodeLens> {
    // While the text has syntax errors, the last good state is used.
    let known = program.good.as_ref().unwrap_or(&program.now);
    let (Some(file), Some(document)) = (
        known.file(&question.path),
        question.documents.get(&question.path),
    ) else {
        return Vec::new();
    };
    let span = known.analysis.file_span(file);
    let text = known.text(file);
    let mut lenses = Vec::new();
    for unit in known
        .analysis
        .units()
        .into_iter()
        .filter(|u| span.contains_span(u.span))
    {
        let bytes = (unit.span.start - span.start) as usize..(unit.span.end - span.start) as usize;
        let Some((_, range)) = question.range_in(&question.path, &text, bytes) else {
            continue;
        };
        let arguments = vec![json!(document.uri.as_str()), json!(unit.path)];
        let mut add = |title: String, command: &str| {
            let command = lsp::Command {
                title,
                command: command.to_owned(),
                arguments: Some(arguments.clone()),
            };
            lenses.push(lsp::CodeLens {
                range,
                command: Some(command),
                data: None,
            });
        };
        let findings = &program.findings;
        if unit.is_compiled {
            add(
                tests_title(findings.tests.get(&unit.path).copied()),
                "dtest.run",
            );
        }
        add(
            check_title(findings.checked.get(&unit.path).copied()),
            "dtest.check",
        );
        if unit.is_compiled {
            let mutants = findings
                .mutants
                .get(&unit.path)
                .map_or_else(String::new, |(killed, all)| format!(" {killed}/{all}"));
            add(format!("mutants{mutants}"), "dtest.mutants");
        }
    }
    lenses
}

/// Returns the unit whose name is at a position of the document.
fn named_unit(program: &Program, question: &Question<'_>, at: lsp::Position) -> Option<String> {
    let (known, text) = (&program.now, &question.documents.get(&question.path)?.text);
    let file = known.file(&question.path)?;
    let position = known
        .analysis
        .position(file, Lines::of(text, question.encoding).offset(at))?;
    let units = known.analysis.units().into_iter();
    units
        .filter(|u| u.span.start <= position && position <= u.span.end)
        .map(|u| u.path)
        .next()
}

/// Returns the edit that fixes a violation, if one is known.
fn fix(
    program: &Program,
    question: &Question<'_>,
    d: &lsp::Diagnostic,
    id: &str,
    unit: &str,
) -> Option<lsp::CodeAction> {
    // The finding is looked up again: its position may have moved since it was published.
    let same = |f: &&Finding| {
        f.id == id
            && f.unit == unit
            && location(program, question, &f.at).is_some_and(|l| l.range == d.range)
    };
    let fix = program.findings.all.iter().find(same)?.fix.as_ref()?;
    let at = location(program, question, &fix.at)?;
    let edit = lsp::TextEdit {
        range: at.range,
        new_text: fix.text.clone(),
    };
    let version = question.documents.get(&fix.at.path).map(|d| d.version);
    let text_document = lsp::OptionalVersionedTextDocumentIdentifier {
        uri: at.uri,
        version,
    };
    let edits = vec![lsp::TextDocumentEdit {
        text_document,
        edits: vec![lsp::OneOf::Left(edit)],
    }];
    Some(lsp::CodeAction {
        title: format!(
            "Add `{}`, with which no execution violates this obligation",
            fix.clause
        ),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![d.clone()]),
        edit: Some(lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(edits)),
            ..lsp::WorkspaceEdit::default()
        }),
        is_preferred: Some(true),
        ..lsp::CodeAction::default()
    })
}

fn tests_title(count: Option<usize>) -> String {
    match count {
        None => "tests · run".to_owned(),
        Some(1) => "1 test · run".to_owned(),
        Some(n) => format!("{n} tests · run"),
    }
}

fn check_title(violated: Option<usize>) -> String {
    match violated {
        None => "check".to_owned(),
        Some(0) => "check · no violation".to_owned(),
        Some(1) => "check · 1 violation".to_owned(),
        Some(n) => format!("check · {n} violations"),
    }
}

/// Answers `textDocument/codeAction`.
pub fn actions(
    program: Option<&Program>,
    question: &Question<'_>,
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeActionOrCommand> {
    let Some(document) = question.documents.get(&question.path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut add = |title: String, command: &str, arguments: Vec<Value>, d: &lsp::Diagnostic| {
        let command = lsp::Command {
            title: title.clone(),
            command: command.to_owned(),
            arguments: Some(arguments),
        };
        found.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title,
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![d.clone()]),
            command: Some(command),
            ..lsp::CodeAction::default()
        }));
    };
    let uri = document.uri.as_str();
    let mut fixes = Vec::new();
    for d in &params.context.diagnostics {
        let id = match &d.code {
            Some(lsp::NumberOrString::String(id)) => id.as_str(),
            Some(lsp::NumberOrString::Number(_)) | None => "",
        };
        let is_ours = d.source.as_deref() == Some(SOURCE);
        // Messages of the parser and the resolver have no executions; those about obligations do.
        let is_obligation = id.starts_with("check/")
            || (!is_ours
                && d.source.as_deref() != Some("Parser")
                && d.source.as_deref() != Some("Resolver"));
        if is_obligation && program.is_some() {
            let more = d
                .related_information
                .iter()
                .flatten()
                .filter(|r| r.location.uri == document.uri);
            let more: Vec<Value> = more
                .map(|r| {
                    json!([
                        r.location.range.start.line,
                        r.location.range.start.character
                    ])
                })
                .collect();
            let at = d.range.start;
            let arguments = vec![json!(uri), json!(at.line), json!(at.character), json!(more)];
            add(
                "Find an execution for this error".to_owned(),
                "dtest.executionAt",
                arguments,
                d,
            );
        }
        let unit = d
            .data
            .as_ref()
            .and_then(|data| data.get("unit"))
            .and_then(Value::as_str);
        if let (true, true, Some(unit)) = (is_ours, id.starts_with("check/"), unit) {
            fixes.extend(program.and_then(|p| fix(p, question, d, id, unit)));
            add(
                "Write it as a test".to_owned(),
                "dtest.writeTest",
                vec![json!(uri), json!(unit)],
                d,
            );
        }
        if is_ours && !explain::of(id).is_empty() {
            add(format!("Explain {id}"), "dtest.explain", vec![json!(id)], d);
        }
    }
    // At the name of a unit, all its commands are offered.
    if let Some(unit) = program.and_then(|p| named_unit(p, question, params.range.start)) {
        let title = format!("Show the executions of `{unit}`");
        let command = lsp::Command {
            title: title.clone(),
            command: "dtest.executions".to_owned(),
            arguments: Some(vec![json!(uri), json!(unit)]),
        };
        let kind = Some(lsp::CodeActionKind::EMPTY);
        found.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title,
            kind,
            command: Some(command),
            ..lsp::CodeAction::default()
        }));
    }
    fixes
        .into_iter()
        .map(lsp::CodeActionOrCommand::CodeAction)
        .chain(found)
        .collect()
}

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
