//! The terminal: diagnostics, progress and the report, in the selected format.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::args::{Color, MessageFormat, OutputArgs};
use super::isolate;
use crate::pipeline;
use crate::report::{self, explain, junit};
use dafny_source::SourceMap;
use dafny_source::diagnostic::{Diagnostic, github, human, json, sarif, short};
use dtest_sorted::SortedSet;

/// The output streams. Diagnostics and progress go to standard error, results to standard output.
/// With `--message-format json`, everything except progress is a line of JSON on standard output;
/// with `sarif` and `junit`, standard output gets one log at the end.
#[derive(Debug)]
pub struct Terminal {
    /// The format.
    pub format: MessageFormat,
    color: bool,
    quiet: bool,
    log: Mutex<sarif::Log>,
    cases: Mutex<junit::Log>,
    said: Mutex<Vec<Said>>,
    /// Ids of the messages to explain at the end.
    explained: Option<Mutex<SortedSet<&'static str>>>,
}

/// A diagnostic as it was printed.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub enum Said {
    /// On standard output.
    Out(String),
    /// On standard error.
    Error(String),
}

impl Default for Terminal {
    fn default() -> Self {
        Self::of(&OutputArgs::default())
    }
}

impl Terminal {
    /// Creates the terminal for these options.
    pub fn of(output: &OutputArgs) -> Self {
        let new = Self::new(
            output.message_format.unwrap_or_default(),
            output.color.unwrap_or_default(),
            output.quiet,
        );
        new.explaining(output.explain)
    }

    /// Creates a terminal. Colours depend on the option, on `NO_COLOR`, and on whether standard
    /// error is a terminal.
    pub fn new(format: MessageFormat, color: Color, quiet: bool) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
                    && std::io::stderr().is_terminal()
            }
        };
        Self {
            format,
            color,
            quiet,
            log: Mutex::default(),
            cases: Mutex::default(),
            said: Mutex::default(),
            explained: None,
        }
    }

    /// Sets whether the messages are explained at the end.
    #[must_use]
    pub fn explaining(self, explaining: bool) -> Self {
        Self {
            explained: explaining.then(Mutex::default),
            ..self
        }
    }

    /// Shows diagnostics, sorted by location.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by_key(|d| d.span);
        self.show(&sorted, sources);
    }

    /// Shows the errors of a program in the given order: the front end reports a cause before its
    /// consequences, even if they are on an earlier line.
    pub fn refusal(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        self.record_errors(diagnostics, sources);
        self.show(&diagnostics.iter().collect::<Vec<_>>(), sources);
    }

    /// Records errors for a JUnit report. Findings in a program are not among them: these are cases
    /// of their units ([`Self::cases`]).
    fn record_errors(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        if self.format != MessageFormat::Junit {
            return;
        }
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        for diagnostic in diagnostics.iter().filter(|d| d.is_error()) {
            cases.add_error(diagnostic, diagnostic.span.map(|s| sources.locate(s)));
        }
    }

    /// Records the cases of a JUnit report; other formats have none.
    pub fn cases(&self, cases: impl IntoIterator<Item = junit::Case>) {
        if self.format == MessageFormat::Junit {
            let mut log = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
            cases.into_iter().for_each(|case| log.add(case));
        }
    }

    fn show(&self, diagnostics: &[&Diagnostic], sources: &SourceMap) {
        if let Some(explained) = &self.explained {
            explained
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(diagnostics.iter().map(|d| d.id));
        }
        for diagnostic in diagnostics {
            match self.format {
                // The log of a build has the report for people.
                MessageFormat::Human | MessageFormat::Junit => self.say(Said::Error(format!(
                    "{}\n\n",
                    human::render(diagnostic, sources, self.color)
                ))),
                MessageFormat::Short => self.say(Said::Error(format!(
                    "{}\n",
                    short::render(diagnostic, sources)
                ))),
                MessageFormat::Json => self.say(Said::Out(format!(
                    "{}\n",
                    json::render(diagnostic, sources)
                ))),
                MessageFormat::Github => self.say(Said::Out(format!(
                    "{}\n",
                    github::render(diagnostic, sources)
                ))),
                MessageFormat::Sarif => self
                    .log
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(diagnostic, sources),
            }
        }
    }

    /// Prints a diagnostic and records it.
    pub fn say(&self, said: Said) {
        match &said {
            Said::Out(text) => print(text),
            Said::Error(text) => complain(text),
        }
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(said);
    }

    /// Returns the recorded diagnostics, for a run that repeats this one; `None` if the format
    /// delays them until the end.
    pub fn said(&self) -> Option<Vec<Said>> {
        let is_delayed = matches!(self.format, MessageFormat::Sarif | MessageFormat::Junit);
        (!is_delayed).then(|| {
            self.said
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }

    /// Whether output is coloured.
    pub fn has_color(&self) -> bool {
        self.color
    }

    /// Shows a diagnostic that belongs to no program.
    pub fn diagnostic(&self, diagnostic: Diagnostic) {
        let (all, sources) = ([diagnostic], SourceMap::new());
        self.record_errors(&all, &sources);
        self.diagnostics(&all, &sources);
    }

    /// Prints a note for a person, such as the path of a written file.
    pub fn note(&self, text: &str) {
        if !self.quiet && self.format != MessageFormat::Json {
            complain(&format!("{text}\n"));
        }
    }

    /// Prints results; with one log or report on standard output, they go to standard error.
    pub fn result(&self, text: &str) {
        match self.format {
            MessageFormat::Human
            | MessageFormat::Short
            | MessageFormat::Json
            | MessageFormat::Github => print(text),
            MessageFormat::Sarif | MessageFormat::Junit => complain(text),
        }
    }

    /// Prints the output of a Dafny program; with `--message-format json`, as a sequence of
    /// records.
    pub fn output(&self, text: &str) {
        match self.format {
            MessageFormat::Json => print(&format!(
                "{}\n",
                serde_json::json!({ "kind": "output", "text": text })
            )),
            MessageFormat::Human
            | MessageFormat::Short
            | MessageFormat::Github
            | MessageFormat::Sarif
            | MessageFormat::Junit => self.result(text),
        }
    }

    /// Prints the output that was delayed until the end.
    pub fn finish(&self) {
        if self.format == MessageFormat::Sarif {
            print(
                &self
                    .log
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .render(&report::sarif::TOOL),
            );
        }
        if self.format == MessageFormat::Junit {
            let cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
            print(&cases.render());
        }
        let ids = self
            .explained
            .iter()
            .flat_map(|e| e.lock().unwrap_or_else(PoisonError::into_inner).clone());
        for explanation in ids.flat_map(explain::of) {
            complain(&(explanation.text() + "\n"));
        }
    }

    /// Whether the summary is printed.
    pub fn wants_summary(&self) -> bool {
        !self.quiet || self.format == MessageFormat::Json
    }

    /// Returns progress lines for the pipeline.
    pub fn begin(&self) -> impl Fn(&'static str, usize) -> Box<dyn pipeline::progress::Progress> {
        |what, total| Box::new(self.progress(what, total))
    }

    /// Returns a progress line that counts up to `total`; it is hidden if standard error is not a
    /// terminal.
    pub fn progress(&self, what: &'static str, total: usize) -> Progress {
        let shown =
            !self.quiet && self.format == MessageFormat::Human && std::io::stderr().is_terminal();
        Progress {
            what,
            total,
            shown,
            last: Mutex::new(None),
        }
    }
}

/// Writes to standard output. A closed pipe is ignored.
fn print(text: &str) {
    if isolate::is_printed(text) {
        return;
    }
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error. A closed pipe is ignored.
fn complain(text: &str) {
    if isolate::is_printed(text) {
        return;
    }
    to_standard_error(text);
}

fn to_standard_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A progress line.
pub struct Progress {
    what: &'static str,
    total: usize,
    shown: bool,
    last: Mutex<Option<Instant>>,
}

impl pipeline::progress::Progress for Progress {
    fn set(&self, done: usize) {
        Progress::set(self, done);
    }

    fn finish(&self) {
        Progress::finish(self);
    }
}

impl Progress {
    /// Shows the count, at most ten times a second.
    pub fn set(&self, done: usize) {
        self.show(|| format!("{} {done}/{}", self.what, self.total));
    }

    /// Shows a text, at most ten times a second.
    pub fn show(&self, text: impl FnOnce() -> String) {
        if !self.shown {
            return;
        }
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if last.is_none_or(|t| t.elapsed() > Duration::from_millis(100)) {
            *last = Some(Instant::now());
            to_standard_error(&format!("\r\x1b[K{}", text()));
        }
    }

    /// Removes the progress line.
    pub fn finish(&self) {
        if self.shown {
            to_standard_error("\r\x1b[K");
        }
    }
}
