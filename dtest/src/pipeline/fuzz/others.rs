//! Programs of others: what they are asked, and what their answers mean.

use std::time::Duration;

/// A program of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// The verifier.
    Verifier,
    /// A compiler that runs what it compiles, by its number.
    Compiler(usize),
}

/// What a program of others said, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What it printed.
    pub stdout: String,
    /// What it said besides.
    pub stderr: String,
    /// Its exit code; `None`: a signal, or us.
    pub code: Option<i32>,
    /// Whether we ended it, after its time or for what it wrote.
    pub stopped: bool,
    /// How long it ran.
    pub time: Duration,
}

impl Answer {
    /// All that it said, as one would see it on a terminal.
    pub fn said(&self) -> String {
        let between = if self.stdout.is_empty() || self.stdout.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{}{between}{}", self.stdout, self.stderr)
    }
}

/// Whoever starts programs of others.
pub trait Ask: Sync {
    /// Gives a program to a tool, with options of Dafny's command line where the tool takes them. `keep`: the same may be asked again.
    fn ask(&self, tool: Tool, text: &str, options: &[&str], keep: bool) -> Answer;
    /// The command line, as a user would type it, for a file of this name. Where nobody knows the options, their place is shown.
    fn command(&self, tool: Tool, file: &str) -> String;
}

/// What a verifier says of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No error.
    Verified,
    /// Errors, in their order.
    Refuted(Vec<Refutation>),
    /// The program has syntax or resolution errors: the first.
    Refused(String),
    /// It was ended after its time, or says so of a part.
    TimedOut,
    /// It gave up on a part: resources, memory, or without a reason.
    GaveUp,
    /// It fell over: what it said last.
    Crashed(String),
}

/// An error of a verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Verdict {
    /// The word for it, in results.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Refuted(_) => "refuted",
            Self::Refused(_) => "refused",
            Self::TimedOut => "time-out",
            Self::GaveUp => "gave-up",
            Self::Crashed(_) => "crashed",
        }
    }

    /// What an answer of Dafny means, of any version: its last line says how many errors there are, and without one the program was refused or the
    /// tool fell over. Complaints of the solver ("Prover error") before such a line are none.
    pub fn of(answer: &Answer) -> Self {
        if answer.stopped {
            return Self::TimedOut;
        }
        let said = answer.said();
        if let Some(fall) = said.lines().find(|l| is_fall(l)) {
            return Self::Crashed(fall.trim().to_owned());
        }
        let Some(sums) = said.lines().rev().find_map(|l| {
            l.trim()
                .strip_prefix("Dafny program verifier finished with ")
        }) else {
            return Self::without_sums(answer, &said);
        };
        let of = |what: &str| -> u32 {
            let parts = sums.split(',').filter_map(|p| p.trim().split_once(' '));
            parts
                .filter(|(_, name)| name.trim_end_matches('s') == what)
                .filter_map(|(n, _)| n.parse::<u32>().ok())
                .sum()
        };
        if of("error") > 0 {
            return Self::Refuted(said.lines().filter_map(refutation).collect());
        }
        if of("time out") > 0 {
            Self::TimedOut
        } else if of("out of resource") + of("out of memory") + of("inconclusive") > 0 {
            Self::GaveUp
        } else {
            Self::Verified
        }
    }

    fn without_sums(answer: &Answer, said: &str) -> Self {
        let is_summary = |l: &str| {
            l.contains(" parse errors detected") || l.contains(" resolution/type errors detected")
        };
        let error = said.lines().find_map(refutation).map(|r| r.message);
        match (said.lines().any(is_summary), error) {
            (_, Some(error)) => Self::Refused(error),
            (true, None) => Self::Refused("no message".into()),
            (false, None) => {
                let last = said
                    .lines()
                    .rev()
                    .find(|l| !l.trim().is_empty())
                    .unwrap_or("no output")
                    .trim();
                Self::Crashed(match answer.code {
                    Some(code) => format!("{last} (exit code {code})"),
                    None => format!("{last} (terminated by a signal)"),
                })
            }
        }
    }
}

/// Whether a line says that a tool of .NET, Java or Rust fell over.
pub(super) fn is_fall(line: &str) -> bool {
    let line = line.trim_start();
    [
        "Unhandled exception",
        "Unhandled Exception",
        "Encountered internal translation error",
        "Stack overflow",
        "panicked at",
        "Process terminated.",
    ]
    .iter()
    .any(|start| line.starts_with(start) || line.contains("[ERROR] FATAL UNHANDLED EXCEPTION"))
        || line.contains("internal error") && line.contains("Exception")
}

/// `file.dfy(5,11): Error: message`, also with a kind between `Error` and the colon.
fn refutation(line: &str) -> Option<Refutation> {
    let (place, rest) = line.split_once("): Error")?;
    let (_, at) = place.rsplit_once('(')?;
    let (line, _) = at.split_once(',')?;
    let (_, message) = rest.split_once(':')?;
    Some(Refutation {
        line: line.trim().parse().ok()?,
        message: message.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(stdout: &str, code: i32) -> Verdict {
        Verdict::of(&Answer {
            stdout: stdout.into(),
            code: Some(code),
            ..Answer::default()
        })
    }

    #[test]
    fn verdicts_are_told_by_the_last_line() {
        assert_eq!(
            verdict(
                "\nDafny program verifier finished with 2 verified, 0 errors\n",
                0
            ),
            Verdict::Verified
        );
        assert_eq!(
            verdict(
                "Dafny program verifier finished with 2 verified, 0 errors, 1 time out\n",
                4
            ),
            Verdict::TimedOut
        );
        assert_eq!(
            verdict(
                "Dafny program verifier finished with 0 verified, 0 errors, 2 out of resource\n",
                4
            ),
            Verdict::GaveUp
        );
        let two = "a.dfy(5,11): Error: assertion violation\nExecution trace:\n    (0,0): anon0\nDafny program verifier finished with 1 verified, 1 error\n";
        assert_eq!(
            verdict(two, 4),
            Verdict::Refuted(vec![Refutation {
                line: 5,
                message: "assertion violation".into()
            }])
        );
    }

    #[test]
    fn what_the_solver_complains_of_is_no_crash_and_what_says_nothing_is() {
        let complaint = "Prover error: line 18 column 28: unknown parameter 'model_compress'\nLegal parameters are:\n";
        assert_eq!(
            verdict(
                &format!(
                    "{complaint}\nDafny program verifier finished with 2 verified, 0 errors\n"
                ),
                0
            ),
            Verdict::Verified
        );
        assert_eq!(
            verdict("", 139),
            Verdict::Crashed("no output (exit code 139)".into())
        );
        let fall = "Unhandled exception. System.NullReferenceException: Object reference not set\n   at Microsoft.Dafny.X()\n";
        assert!(
            matches!(verdict(fall, 134), Verdict::Crashed(said) if said.contains("NullReferenceException"))
        );
        let stopped = Answer {
            stopped: true,
            ..Answer::default()
        };
        assert_eq!(Verdict::of(&stopped), Verdict::TimedOut);
    }

    #[test]
    fn syntax_and_resolution_errors_are_refusals() {
        let refused = "c.dfy(1,41): Error: unresolved identifier: x\n1 resolution/type errors detected in c.dfy\n";
        assert_eq!(
            verdict(refused, 2),
            Verdict::Refused("unresolved identifier: x".into())
        );
        assert_eq!(
            verdict(
                "d.dfy(1,16): Error: closeparen expected\n1 parse errors detected in d.dfy\n",
                2
            )
            .name(),
            "refused"
        );
    }
}
