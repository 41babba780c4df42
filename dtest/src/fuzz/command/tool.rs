//! External tools, given as a command line in which `{}` stands for the program, and run with a
//! time limit.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::cli::external::{self, find, words};
use crate::fuzz::others::{Answer, Ask, Tool};
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedMap;

/// The placeholder for the program in a command line.
const PLACE: &str = "{}";
/// The placeholder for the options that a program needs.
const OPTIONS: &str = "{options}";
/// The name of the file that a program is written to.
const FILE: &str = "program.dfy";
/// Time limit for `--version`.
const VERSION_TIME: Duration = Duration::from_secs(20);
/// Maximum number of cached answers, and maximum size of each in bytes.
const MAX_KEPT: usize = 20_000;
const MAX_KEPT_OUTPUT: usize = 16 << 10;

/// The command line of a tool.
#[derive(Debug)]
pub(super) struct CommandLine {
    words: Vec<String>,
    program: PathBuf,
}

impl CommandLine {
    /// Parses a command line: words separated by spaces, with quotes around words that contain
    /// spaces.
    ///
    /// # Errors
    /// `option` lacks `{}`, or names a command that does not exist.
    pub(super) fn parse(option: &str, text: &str) -> Result<Self, Diagnostic> {
        let words = words(text);
        if !words.iter().skip(1).any(|w| w.contains(PLACE)) {
            let d = Diagnostic::global(
                MessageId::FuzzNoPlace,
                format!("`{option} '{text}'` does not contain `{PLACE}`"),
            );
            return Err(d.with_help(format!(
                "`{PLACE}` stands for the Dafny file: {option} 'dafny verify {PLACE}'"
            )));
        }
        let name = words.first().map_or("", String::as_str);
        let Some(program) = find(name) else {
            let d = Diagnostic::global(
                MessageId::FuzzNoCommand,
                format!("`{option}`: command `{name}` not found"),
            );
            return Err(d.with_help("pass a command in the PATH, or a path"));
        };
        Ok(Self { words, program })
    }

    /// Whether the command line has a placeholder for options.
    pub(super) fn takes_options(&self) -> bool {
        self.words.iter().any(|w| w == OPTIONS)
    }

    /// Returns the arguments of the command, for this file and these options.
    fn arguments(&self, file: &str, options: &[&str]) -> Vec<String> {
        let word = |w: &String| {
            if w == OPTIONS {
                options.iter().map(|o| (*o).to_owned()).collect()
            } else {
                vec![w.replace(PLACE, file)]
            }
        };
        self.words.iter().skip(1).flat_map(word).collect()
    }

    /// Runs the tool on a program in a temporary directory, with a time limit.
    fn run(&self, text: &str, options: &[&str], limit: Duration) -> std::io::Result<Answer> {
        let folder = tempfile::Builder::new().prefix("dtest-fuzz-").tempdir()?;
        let file = folder.path().join(FILE);
        std::fs::write(&file, text)?;
        let path = file.display().to_string();
        let mut command = Command::new(&self.program);
        command
            .args(self.arguments(&path, options))
            .current_dir(folder.path());
        let ended = external::run(&mut command, limit)?;
        Ok(Answer {
            // The path of the temporary directory differs in each run.
            stdout: ended.stdout.replace(&path, FILE),
            stderr: ended.stderr.replace(&path, FILE),
            code: ended.code,
            stopped: ended.is_stopped,
            time: ended.time,
        })
    }
}

/// The external tools of a campaign.
pub(super) struct Tools {
    pub(super) verifier: Option<CommandLine>,
    pub(super) compilers: Vec<CommandLine>,
    limit: Duration,
    /// Answers by tool, options and program.
    kept: Mutex<SortedMap<(Tool, String, String), Answer>>,
}

impl Tools {
    /// Creates the tools of these command lines, with the time limit of each; the verifier with the
    /// option that it comes from.
    ///
    /// # Errors
    /// See [`CommandLine::parse`].
    pub(super) fn new(
        (option, verifier): (&str, Option<&String>),
        compilers: &[String],
        limit: Duration,
    ) -> Result<Self, Diagnostic> {
        let verifier = verifier
            .map(|text| CommandLine::parse(option, text))
            .transpose()?;
        let compilers = compilers
            .iter()
            .map(|text| CommandLine::parse("--compiler", text))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            verifier,
            compilers,
            limit,
            kept: Mutex::default(),
        })
    }

    /// Whether all tools take the options that a program needs.
    pub(super) fn take_options(&self) -> bool {
        self.verifier
            .iter()
            .chain(&self.compilers)
            .all(CommandLine::takes_options)
    }

    /// Returns what a tool prints with `--version`, or an empty text.
    pub(super) fn version(&self, tool: Tool) -> String {
        let Some(line) = self.line(tool) else {
            return String::new();
        };
        let name = line.words.first().cloned().unwrap_or_default();
        let asking = CommandLine {
            words: vec![name, "--version".to_owned()],
            program: line.program.clone(),
        };
        asking
            .run("", &[], VERSION_TIME)
            .map_or_else(|_| String::new(), |answer| answer.stdout)
    }

    fn line(&self, tool: Tool) -> Option<&CommandLine> {
        match tool {
            Tool::Verifier => self.verifier.as_ref(),
            Tool::Compiler(n) => self.compilers.get(n),
        }
    }
}

impl Ask for Tools {
    fn ask(&self, tool: Tool, text: &str, options: &[&str], keep: bool) -> Answer {
        let key = (tool, options.join(" "), text.to_owned());
        if let Some(known) = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
        {
            return known.clone();
        }
        let Some(line) = self.line(tool) else {
            return Answer::default();
        };
        let answer = line
            .run(text, options, self.limit)
            .unwrap_or_else(|e| Answer {
                stderr: format!("cannot start the command: {e}"),
                ..Answer::default()
            });
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if keep
            && kept.len() < MAX_KEPT
            && answer.stdout.len() + answer.stderr.len() < MAX_KEPT_OUTPUT
        {
            kept.insert(key, answer.clone());
        }
        answer
    }

    fn command(&self, tool: Tool, file: &str) -> String {
        let quoted = |w: &String| {
            let w = w.replace(PLACE, file);
            if w.contains(char::is_whitespace) || w.is_empty() {
                format!("'{w}'")
            } else {
                w
            }
        };
        self.line(tool).map_or_else(String::new, |l| {
            l.words.iter().map(quoted).collect::<Vec<_>>().join(" ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words("dafny verify  {} --x='a b' \"\" c"),
            ["dafny", "verify", "{}", "--x=a b", "", "c"]
        );
    }
}
