//! The terminal: diagnostics, progress and the report, in the format asked for.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::args::{Color, MessageFormat, OutputArgs};
use crate::report::explain;
use dafny_syntax::diagnostic::{Diagnostic, github, human, json, sarif, short};
use dafny_syntax::source::SourceMap;
use dtest_sorted::SortedSet;

/// Where we speak. Diagnostics and progress go to standard error, results to standard output; with
/// `--message-format json` everything but progress is a line of JSON on standard output; with `sarif`, standard output has
/// one log, when all is done.
#[derive(Debug)]
pub struct Terminal {
    /// The format.
    pub format: MessageFormat,
    color: bool,
    quiet: bool,
    log: Mutex<sarif::Log>,
    said: Mutex<Vec<Said>>,
    /// Ids of messages that are to be explained at the end.
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
    /// The terminal that these options ask for.
    pub fn of(output: &OutputArgs) -> Self {
        let new = Self::new(
            output.message_format.unwrap_or_default(),
            output.color.unwrap_or_default(),
            output.quiet,
        );
        new.explaining(output.explain)
    }

    /// Settles whether to use colours, by the option, `NO_COLOR` and what standard error is.
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
            said: Mutex::default(),
            explained: None,
        }
    }

    /// Whether what messages mean is said at the end.
    #[must_use]
    pub fn explaining(self, explaining: bool) -> Self {
        Self {
            explained: explaining.then(Mutex::default),
            ..self
        }
    }

    /// Shows diagnostics, in the order of their places.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by_key(|d| d.span);
        self.show(&sorted, sources);
    }

    /// Shows why a program is refused, in the given order: the front end reports causes before what follows from them, which may stand
    /// on an earlier line.
    pub fn refusal(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        self.show(&diagnostics.iter().collect::<Vec<_>>(), sources);
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
                MessageFormat::Human => self.say(Said::Error(format!(
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

    /// Prints a diagnostic, and remembers that.
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

    /// The diagnostics so far, for a run that repeats this one; `None`: the format keeps them back until the end.
    pub fn said(&self) -> Option<Vec<Said>> {
        (self.format != MessageFormat::Sarif).then(|| {
            self.said
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }

    /// Whether there are colours.
    pub fn has_color(&self) -> bool {
        self.color
    }

    /// Shows a diagnostic that concerns no program.
    pub fn diagnostic(&self, diagnostic: Diagnostic) {
        self.diagnostics(&[diagnostic], &SourceMap::new());
    }

    /// Says something of use to a person, such as a file written.
    pub fn note(&self, text: &str) {
        if !self.quiet && self.format != MessageFormat::Json {
            complain(&format!("{text}\n"));
        }
    }

    /// Prints results; beside a SARIF log they go to standard error.
    pub fn result(&self, text: &str) {
        match self.format {
            MessageFormat::Human
            | MessageFormat::Short
            | MessageFormat::Json
            | MessageFormat::Github => print(text),
            MessageFormat::Sarif => complain(text),
        }
    }

    /// Prints what a Dafny program prints; with `--message-format json`, as records with a part of it each.
    pub fn output(&self, text: &str) {
        match self.format {
            MessageFormat::Json => print(&format!(
                "{}\n",
                serde_json::json!({ "kind": "output", "text": text })
            )),
            MessageFormat::Human
            | MessageFormat::Short
            | MessageFormat::Github
            | MessageFormat::Sarif => self.result(text),
        }
    }

    /// Prints what was kept back until everything was said.
    pub fn finish(&self) {
        if self.format == MessageFormat::Sarif {
            print(
                &self
                    .log
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .render(),
            );
        }
        let ids = self
            .explained
            .iter()
            .flat_map(|e| e.lock().unwrap_or_else(PoisonError::into_inner).clone());
        for explanation in ids.flat_map(explain::of) {
            complain(&(explanation.text() + "\n"));
        }
    }

    /// Whether the summary is wanted.
    pub fn wants_summary(&self) -> bool {
        !self.quiet || self.format == MessageFormat::Json
    }

    /// A progress line that shows how many of `total` are done; silent where nobody watches.
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

/// Writes to standard output; a reader that went away is no error of ours.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints to standard error. Who reads it may have gone.
fn complain(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A progress line.
pub struct Progress {
    what: &'static str,
    total: usize,
    shown: bool,
    last: Mutex<Option<Instant>>,
}

impl Progress {
    /// Shows the count, ten times a second at most.
    pub fn set(&self, done: usize) {
        self.show(|| format!("{} {done}/{}", self.what, self.total));
    }

    /// Shows a text, ten times a second at most.
    pub fn show(&self, text: impl FnOnce() -> String) {
        if !self.shown {
            return;
        }
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if last.is_none_or(|t| t.elapsed() > Duration::from_millis(100)) {
            *last = Some(Instant::now());
            complain(&format!("\r\x1b[K{}", text()));
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if self.shown {
            complain("\r\x1b[K");
        }
    }
}
