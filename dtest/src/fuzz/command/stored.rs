//! A finding on disk: the programs, a page for people, and `finding.json` with all that a later
//! reduction or a report needs.

use std::fmt::Write as _;
use std::path::Path;

use dafny_rewrite::{Mutation, Step};
use serde::{Deserialize, Serialize};

use crate::cli::files;
use crate::fuzz::others::{Answer, Ask, Tool};
use crate::fuzz::round::{Asked, Finding};
use crate::fuzz::{Class, Disagreement};
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// The file with the finding.
const FINDING: &str = "finding.json";
/// The program.
pub(super) const PROGRAM: &str = "program.dfy";
/// The equivalent program.
pub(super) const REWRITTEN: &str = "rewritten.dfy";
/// The program before it was reduced.
const UNREDUCED: &str = "unreduced.dfy";
/// The page.
const PAGE: &str = "README.md";
/// Maximum number of lines of a tool's output on a page.
const MAX_LINES: usize = 40;
/// Number of these lines that are the first ones of a longer output.
const MAX_FIRST: usize = 10;

/// A finding, without its programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) class: Class,
    pub(super) key: String,
    message: String,
    detail: String,
    /// The name of the program, and the round that took it.
    pub(super) program: String,
    round: u64,
    /// The mutations of the equivalent program.
    steps: Option<Vec<StoredStep>>,
    answers: Vec<StoredAnswer>,
    /// The options that the program needs.
    pub(super) options: Vec<String>,
    /// Whether the program was reduced.
    pub(super) is_reduced: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredStep {
    mutation: String,
    line: usize,
    place: usize,
    draw: u64,
}

/// The output of a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredAnswer {
    /// The index of the compiler; `None`: the verifier.
    compiler: Option<usize>,
    /// The command line, with the placeholder of options.
    command: String,
    rewritten: bool,
    output: String,
    code: Option<i32>,
    stopped: bool,
    seconds: f64,
}

impl Stored {
    /// Converts a finding, from a program of this name in this round.
    pub(super) fn new(
        finding: &Finding,
        (program, round): (&str, u64),
        options: Vec<String>,
        tools: &dyn Ask,
    ) -> Self {
        let step = |s: &Step| StoredStep {
            mutation: s.mutation.name().to_owned(),
            line: s.line,
            place: s.place,
            draw: s.draw,
        };
        let steps = finding.rewritten.as_ref();
        Self {
            class: finding.what.class,
            key: finding.what.key.clone(),
            message: finding.what.message.clone(),
            detail: finding.what.detail.clone(),
            program: program.to_owned(),
            round,
            steps: steps.map(|(_, steps)| steps.iter().map(step).collect()),
            answers: answers(finding, tools),
            options,
            is_reduced: false,
        }
    }

    /// Reads a finding.
    ///
    /// # Errors
    /// The directory has none.
    pub(super) fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let none = || {
            let shown = folder.display();
            Diagnostic::global(
                MessageId::FuzzNoFinding,
                format!("`{shown}` does not contain a finding"),
            )
            .with_help("pass a directory of a campaign with the name of a class, such as `found/unsound-1`")
        };
        let text = files::read_text(&folder.join(FINDING)).map_err(|_| none())?;
        serde_json::from_str(&text).map_err(|_| none())
    }

    /// Returns the finding with its programs, which are read from its directory.
    ///
    /// # Errors
    /// A program cannot be read.
    pub(super) fn finding(&self, folder: &Path) -> std::io::Result<Finding> {
        let step = |s: &StoredStep| {
            Some(Step {
                mutation: Mutation::named(&s.mutation)?,
                line: s.line,
                place: s.place,
                draw: s.draw,
            })
        };
        let rewritten = match &self.steps {
            None => None,
            Some(steps) => Some((
                files::read_text(&folder.join(REWRITTEN))?,
                steps.iter().filter_map(step).collect(),
            )),
        };
        let asked = |a: &StoredAnswer| Asked {
            tool: a.compiler.map_or(Tool::Verifier, Tool::Compiler),
            rewritten: a.rewritten,
            answer: Answer {
                stdout: a.output.clone(),
                code: a.code,
                stopped: a.stopped,
                ..Answer::default()
            },
        };
        Ok(Finding {
            what: Disagreement {
                class: self.class,
                key: self.key.clone(),
                message: self.message.clone(),
                detail: self.detail.clone(),
            },
            program: files::read_text(&folder.join(PROGRAM))?,
            rewritten,
            asked: self.answers.iter().map(asked).collect(),
        })
    }

    /// Takes over the programs and the output of a reduced finding. The kind stays.
    pub(super) fn reduce_to(&mut self, small: &Finding, tools: &dyn Ask) {
        self.detail.clone_from(&small.what.detail);
        self.answers = answers(small, tools);
        self.is_reduced = true;
    }

    /// Writes the programs, the page, and the finding itself. The first program that a reduction
    /// replaces is kept.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(&self, folder: &Path, finding: &Finding) -> Result<(), Diagnostic> {
        let program = folder.join(PROGRAM);
        if let Ok(before) = files::read_text(&program)
            && before != finding.program
            && !folder.join(UNREDUCED).exists()
        {
            write(&folder.join(UNREDUCED), &before)?;
        }
        write(&program, &finding.program)?;
        if let Some((text, _)) = &finding.rewritten {
            write(&folder.join(REWRITTEN), text)?;
        }
        write(&folder.join(PAGE), &self.page())?;
        let json = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        write(&folder.join(FINDING), &json)
    }

    /// Formats the page: class, origin, observed difference, then the output of each tool.
    fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}\n\n", self.class.name(), self.class.explained());
        let _ = writeln!(
            page,
            "The program (`{PROGRAM}`) is {}, from round {}.",
            self.program, self.round
        );
        if let Some(steps) = &self.steps {
            let _ = writeln!(
                page,
                "The equivalent program (`{REWRITTEN}`) was derived from it by\n"
            );
            for (i, step) in steps.iter().enumerate() {
                let _ = writeln!(page, "{}. {} at line {}", i + 1, step.mutation, step.line);
            }
        }
        let _ = write!(
            page,
            "\n## Observed\n\n```text\n{}\n```\n",
            self.detail.trim_end()
        );
        let _ = writeln!(page, "\nknown: {}", self.pattern());
        for answer in &self.answers {
            let _ = write!(
                page,
                "\n## `{}`\n\n```text\n{}\n```\n\n({}, {:.1} s)\n",
                answer.command,
                shown(&answer.output),
                answer.end(),
                answer.seconds
            );
        }
        page
    }

    /// Returns a regular expression for `--known` that matches disagreements like this one.
    fn pattern(&self) -> String {
        let escaped = regex_lite::escape(&self.message);
        match self.class {
            // The key has the parts of a claim that matter.
            Class::Accepted | Class::Unsound if self.message.contains('/') => {
                let (family, parts) = self.key.split_once(": ").unwrap_or(("", &self.key));
                let pattern = |part: &str| match part {
                    "*" => "[^/\\n]+".to_owned(),
                    part => regex_lite::escape(part),
                };
                let parts: Vec<String> = parts.split('/').take(2).map(pattern).collect();
                let family = regex_lite::escape(family);
                format!("^(accepted|unsound): {family}: {}(/|\\n)", parts.join("/"))
            }
            Class::Unfit
            | Class::Meaning
            | Class::Claim
            | Class::Proof
            | Class::Verdicts
            | Class::Panic
            | Class::Soundness
            | Class::Precision
            | Class::Unsound
            | Class::Accepted
            | Class::Incomplete
            | Class::Refused
            | Class::Crash
            | Class::NotCompiled
            | Class::Printed => format!("^{}: {escaped}", self.class.name()),
        }
    }

    /// Formats a report in the form of Dafny's issues: version, program, command and output,
    /// expectation, operating system.
    pub(super) fn report(&self, finding: &Finding, version: &str) -> String {
        let title = match self.class {
            Class::Unsound | Class::Accepted => format!("Accepted: {}", self.key),
            Class::Unfit
            | Class::Meaning
            | Class::Claim
            | Class::Proof
            | Class::Verdicts
            | Class::Panic
            | Class::Soundness
            | Class::Precision
            | Class::Incomplete
            | Class::Refused
            | Class::Crash
            | Class::NotCompiled
            | Class::Printed => self.message.clone(),
        };
        let mut text = format!("# {title}\n\n### Dafny version\n\n{}\n", version.trim());
        let _ = write!(
            text,
            "\n### Code to produce this issue\n\n```dafny\n{}\n```\n",
            finding.program.trim_end()
        );
        if let Some((rewritten, _)) = &finding.rewritten {
            let _ = write!(
                text,
                "\nAn equivalent program:\n\n```dafny\n{}\n```\n",
                rewritten.trim_end()
            );
        }
        text += "\n### Command to run and resulting output\n";
        for answer in &self.answers {
            let command = answer.command.replace("{options}", &self.options.join(" "));
            let command: Vec<&str> = command.split_whitespace().collect();
            let _ = write!(
                text,
                "\n```text\n$ {}\n{}\n```\n\n({})\n",
                command.join(" "),
                shown(&answer.output),
                answer.end()
            );
        }
        let _ = write!(
            text,
            "\n### What happened?\n\n{}\n\n```text\n{}\n```\n\nExpected: {}\n",
            self.class.explained(),
            self.detail.trim_end(),
            self.expected()
        );
        let _ = write!(
            text,
            "\n### What type of operating system are you experiencing the problem on?\n\n{}\n",
            std::env::consts::OS
        );
        text
    }

    /// Describes the right behavior; for an accepted claim, with the rule of the reference manual.
    fn expected(&self) -> String {
        let rule = self
            .detail
            .lines()
            .find_map(|line| line.strip_prefix("rule: "))
            .filter(|rule| rule.contains(':'));
        match self.class {
            Class::Unsound | Class::Accepted => match rule.and_then(|r| r.split_once(": ")) {
                Some((section, rule)) => {
                    format!("an error; reference manual, section \"{section}\": {rule}.")
                }
                None => "an error, since the program violates an obligation.".to_owned(),
            },
            Class::Soundness | Class::Precision => {
                "the same verdict on both programs, which are equivalent.".to_owned()
            }
            Class::Incomplete => "no error on this line.".to_owned(),
            Class::Refused => "the program is accepted.".to_owned(),
            Class::Crash => "no crash.".to_owned(),
            Class::NotCompiled => "the generated code compiles.".to_owned(),
            Class::Printed => "the output of the interpreter.".to_owned(),
            Class::Unfit
            | Class::Meaning
            | Class::Claim
            | Class::Proof
            | Class::Verdicts
            | Class::Panic => {
                "no disagreement; this is a bug of cargo dtest, and not of Dafny.".to_owned()
            }
        }
    }
}

impl StoredAnswer {
    fn end(&self) -> String {
        match self.code {
            Some(code) => format!("exit code {code}"),
            None if self.stopped => "terminated by cargo dtest".into(),
            None => "terminated by a signal".into(),
        }
    }
}

/// Converts the calls of tools.
fn answers(finding: &Finding, tools: &dyn Ask) -> Vec<StoredAnswer> {
    let answer = |asked: &Asked| {
        let file = if asked.rewritten { REWRITTEN } else { PROGRAM };
        StoredAnswer {
            compiler: match asked.tool {
                Tool::Verifier => None,
                Tool::Compiler(n) => Some(n),
            },
            command: tools.command(asked.tool, file),
            rewritten: asked.rewritten,
            output: shown(&asked.answer.said()),
            code: asked.answer.code,
            stopped: asked.answer.stopped,
            seconds: asked.answer.time.as_secs_f64(),
        }
    };
    finding.asked.iter().map(answer).collect()
}

/// Returns the beginning and the end of a long text, in at most [`MAX_LINES`] lines: a crash is
/// described before its stack, and most other output ends with the important part.
fn shown(said: &str) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    if lines.len() <= MAX_LINES {
        return lines.join("\n");
    }
    let (first, rest) = lines.split_at(MAX_FIRST);
    let left_out = lines.len() - (MAX_LINES - 1);
    let last = rest.get(left_out..).unwrap_or_default();
    let marker = format!("[{left_out} lines left out]");
    [first, &[marker.as_str()], last].concat().join("\n")
}

/// Writes a file of a campaign.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    files::write_atomically(path, text).map_err(|e| cannot_write(path, &e))
}

/// The error for a file that cannot be written.
pub(super) fn cannot_write(path: &Path, e: &std::io::Error) -> Diagnostic {
    Diagnostic::global(
        MessageId::CliCannotWrite,
        format!("cannot write `{}`: {e}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoTool;
    impl Ask for NoTool {
        fn ask(&self, _: Tool, _: &str, _: &[&str], _: bool) -> Answer {
            Answer::default()
        }
        fn command(&self, _: Tool, file: &str) -> String {
            format!("dafny verify {{options}} {file}")
        }
    }

    #[test]
    fn long_output_is_shortened_once_and_keeps_both_ends() {
        let lines = |n: usize| {
            (1..=n)
                .map(|i| i.to_string())
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(shown(&lines(40)), lines(40));
        let short = shown(&lines(100));
        assert_eq!(short.lines().count(), 40);
        assert!(short.starts_with("1\n2\n") && short.ends_with("\n99\n100"));
        assert!(short.contains("\n10\n[61 lines left out]\n72\n"), "{short}");
        assert_eq!(shown(&short), short);
    }

    fn accepted() -> Finding {
        Finding {
            what: Disagreement::named(
                Class::Accepted,
                "states: assert/old".to_owned(),
                "the program is verified\nrule: Old expressions: the old state is the first one\nclaim: states: assert/old",
            ),
            program: "method M() { }".to_owned(),
            rewritten: None,
            asked: vec![Asked {
                tool: Tool::Verifier,
                rewritten: false,
                answer: Answer {
                    stdout: "1 verified".to_owned(),
                    code: Some(0),
                    ..Answer::default()
                },
            }],
        }
    }

    #[test]
    fn a_report_has_the_program_the_command_and_the_rule() {
        let finding = accepted();
        let options = vec!["--general-traits:full".to_owned()];
        let stored = Stored::new(&finding, ("states, plain", 3), options, &NoTool);
        let report = stored.report(&finding, "4.11.0\n");
        for part in [
            "### Dafny version\n\n4.11.0\n",
            "```dafny\nmethod M() { }\n```",
            "$ dafny verify --general-traits:full program.dfy\n1 verified\n",
            "Expected: an error; reference manual, section \"Old expressions\": the old state is the first one.",
        ] {
            assert!(report.contains(part), "{part}\nin\n{report}");
        }
    }

    #[test]
    fn the_pattern_of_a_page_matches_the_claims_of_its_kind() {
        let pattern = |key: &str| {
            let mut finding = accepted();
            finding.what.key = key.to_owned();
            let stored = Stored::new(&finding, ("states, plain", 3), Vec::new(), &NoTool);
            let page = stored.page();
            let pattern = page.lines().find_map(|l| l.strip_prefix("known: "));
            regex_lite::Regex::new(pattern.unwrap()).unwrap()
        };
        let of_second = pattern("states: */old");
        assert!(of_second.is_match("accepted: states: ensures/old/branch\nthe program"));
        assert!(!of_second.is_match("accepted: states: ensures/older\nthe program"));
        let of_first = pattern("states: assert/*");
        assert!(of_first.is_match("unsound: states: assert/older\nthe program"));
        assert!(!of_first.is_match("unsound: states: ensures/old\nthe program"));
        let pattern = pattern("states: assert/old");
        assert!(pattern.is_match("accepted: states: assert/old\nthe program"));
        assert!(pattern.is_match("unsound: states: assert/old/branch\nthe program"));
        assert!(!pattern.is_match("accepted: states: assert/older\nthe program"));
    }

    #[test]
    fn a_stored_finding_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let finding = accepted();
        let stored = Stored::new(&finding, ("states, plain", 3), Vec::new(), &NoTool);
        stored.write(folder.path(), &finding).unwrap();
        let again = Stored::read(folder.path()).unwrap();
        let read = again.finding(folder.path()).unwrap();
        assert_eq!((read.what, read.program), (finding.what, finding.program));
        assert!(Stored::read(&folder.path().join("other")).is_err());
    }

    #[test]
    fn the_program_before_the_reduction_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut finding = accepted();
        let mut stored = Stored::new(&finding, ("states, plain", 3), Vec::new(), &NoTool);
        stored.write(folder.path(), &finding).unwrap();
        finding.program = "method N() { }".to_owned();
        stored.reduce_to(&finding, &NoTool);
        stored.write(folder.path(), &finding).unwrap();
        let before = files::read_text(&folder.path().join(UNREDUCED)).unwrap();
        assert_eq!(before, "method M() { }");
    }
}
