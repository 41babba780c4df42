//! External tools: verifiers and compilers, and the interpretation of their output.

use std::time::Duration;

/// An external tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// The verifier.
    Verifier,
    /// A compiler that runs the compiled program, by its index.
    Compiler(usize),
}

/// The output of an external tool, and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code; `None` if the tool was killed.
    pub code: Option<i32>,
    /// Whether we killed it, because it exceeded its time or output limit.
    pub stopped: bool,
    /// The run time.
    pub time: Duration,
}

impl Answer {
    /// Returns the whole output, as on a terminal.
    pub fn said(&self) -> String {
        let between = if self.stdout.is_empty() || self.stdout.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{}{between}{}", self.stdout, self.stderr)
    }
}

/// The interface for running external tools.
pub trait Ask: Sync {
    /// Runs a tool on a program, with options of Dafny's command line if the tool takes them.
    /// `keep` allows caching the answer.
    fn ask(&self, tool: Tool, text: &str, options: &[&str], keep: bool) -> Answer;
    /// Returns the command line as a user would type it, for a file of this name. If the options
    /// are unknown, their placeholder is shown.
    fn command(&self, tool: Tool, file: &str) -> String;
}

/// The verdict of a verifier on a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The verifier reports no error.
    Verified,
    /// The verifier reports errors, in this order.
    Refuted(Vec<Refutation>),
    /// The program has syntax or resolution errors; the first one.
    Refused(String),
    /// The verifier exceeded its time limit, or reports a timeout of a part.
    TimedOut,
    /// The verifier gave up on a part: resources, memory, or without a reason.
    GaveUp,
    /// The verifier crashed, with this last output.
    Crashed(String),
}

/// An error of a verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The 1-based line.
    pub line: u32,
    /// The message.
    pub message: String,
}

impl Verdict {
    /// Returns the name of the verdict, in results.
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

    /// Interprets the output of any version of Dafny. The last line has the number of errors;
    /// without such a line, the program was rejected or the tool crashed. Complaints of the solver
    /// ("Prover error") before such a line do not count.
    pub fn of(answer: &Answer) -> Self {
        if answer.stopped {
            return Self::TimedOut;
        }
        let said = answer.said();
        if let Some(fall) = fall(&said) {
            return Self::Crashed(fall);
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

/// Returns the errors that a tool reports, in their order.
pub fn errors(answer: &Answer) -> Vec<Refutation> {
    answer.said().lines().filter_map(refutation).collect()
}

/// Returns the line that reports a crash, with the topmost frame of the stack after it: two crashes
/// with the same message may be two bugs.
pub(super) fn fall(said: &str) -> Option<String> {
    let mut lines = said.lines().skip_while(|l| !is_fall(l));
    let message = lines.next()?.trim();
    let frame = lines.find_map(|l| l.trim().strip_prefix("at "));
    Some(match frame {
        // Parameters and the place in a file are of no interest.
        Some(frame) => {
            let name = frame.split(['(', ' ']).next().unwrap_or_default();
            format!("{message} (at {name})")
        }
        None => message.to_owned(),
    })
}

/// Whether a line reports a crash of a tool in .NET, Java or Rust.
fn is_fall(line: &str) -> bool {
    let line = line.trim_start();
    [
        "Unhandled exception",
        "Unhandled Exception",
        "Encountered internal translation error",
        "Encountered internal compilation exception",
        "Stack overflow",
        "panicked at",
        "Process terminated.",
    ]
    .iter()
    .any(|start| line.starts_with(start) || line.contains("[ERROR] FATAL UNHANDLED EXCEPTION"))
        || line.contains("internal error") && line.contains("Exception")
}

/// Parses `file.dfy(5,11): Error: message`, also with an id between `Error` and the colon.
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
    fn the_last_line_decides_the_verdict() {
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
    fn warnings_of_the_solver_are_no_crash_and_silence_is_one() {
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
            matches!(verdict(fall, 134), Verdict::Crashed(said) if said.contains("NullReferenceException") && said.ends_with("(at Microsoft.Dafny.X)"))
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
