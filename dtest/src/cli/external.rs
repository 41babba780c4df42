//! Commands of the user: command lines, the PATH, and runs with a limit.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{files, interrupt};

/// Maximum output of a command in bytes; a command that writes more is killed.
const MAX_OUTPUT: u64 = 16 << 20;
/// Interval between two checks of the length of the output.
const INTERVAL: Duration = Duration::from_millis(100);

/// Splits a command line into words.
pub(crate) fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Finds the executable of a command: a path, or a name on the PATH.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    let is_there = |p: &PathBuf| p.is_file();
    if Path::new(name).components().count() > 1 {
        return std::path::absolute(name).ok().filter(is_there);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .chain(std::env::split_paths(&path).map(|f| f.join(format!("{name}.exe"))))
        .find(is_there)
}

/// A command that ended or was killed.
pub(crate) struct Ended {
    /// The text on standard output.
    pub(crate) stdout: String,
    /// The text on standard error.
    pub(crate) stderr: String,
    /// The exit code; `None` if a signal ended the command.
    pub(crate) code: Option<i32>,
    /// Whether it exceeded a limit, and was killed.
    pub(crate) is_stopped: bool,
    /// The duration of the run.
    pub(crate) time: Duration,
}

impl Ended {
    /// Returns the text on standard output, followed by that on standard error.
    pub(crate) fn output(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Runs a command to its end, without standard input. A command that exceeds the time limit, or
/// writes more than [`MAX_OUTPUT`], is killed.
///
/// # Errors
/// The command cannot be started, or the files for its output cannot be created.
pub(crate) fn run(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    let folder = tempfile::Builder::new().prefix("dtest-").tempdir()?;
    // Files instead of pipes: a server that the command leaves behind keeps a pipe open.
    let (out, err) = (folder.path().join("stdout"), folder.path().join("stderr"));
    command
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out)?)
        .stderr(std::fs::File::create(&err)?);
    let start = Instant::now();
    let mut child = interrupt::start(command)?;
    let length = |path: &PathBuf| path.metadata().map_or(0, |m| m.len());
    let status = loop {
        let left = limit.saturating_sub(start.elapsed());
        let ended = child.wait(left.min(INTERVAL));
        match ended {
            Ok(Some(status)) => break Some(status),
            Ok(None) if !left.is_zero() && length(&out) + length(&err) <= MAX_OUTPUT => {}
            Ok(None) | Err(_) => {
                child.kill();
                ended?;
                break None;
            }
        }
    };
    Ok(Ended {
        stdout: text(&out),
        stderr: text(&err),
        code: status.and_then(|s| s.code()),
        is_stopped: status.is_none(),
        time: start.elapsed(),
    })
}

/// Reads the output of a command, at most [`MAX_OUTPUT`].
fn text(path: &Path) -> String {
    let mut bytes = files::read_bytes(path).unwrap_or_default();
    bytes.truncate(MAX_OUTPUT as usize);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_spaces_outside_quotes() {
        let split = |text| words(text).join("|");
        assert_eq!(split("dafny verify  a.dfy"), "dafny|verify|a.dfy");
        assert_eq!(
            split("'my dafny' --option=\"a b\" ''"),
            "my dafny|--option=a b|"
        );
        assert_eq!(split(""), "");
    }

    #[test]
    fn commands_are_found_by_path_or_on_the_path() {
        assert_eq!(find(""), None);
        assert_eq!(find("./no/such/command"), None);
        assert!(find("cargo").is_some_and(|p| p.is_absolute()));
    }

    #[test]
    fn a_command_beyond_its_limit_is_killed() {
        let mut quick = Command::new("sh");
        quick.args(["-c", "echo out; echo err >&2; exit 3"]);
        let ended = run(&mut quick, Duration::from_secs(60)).unwrap();
        assert_eq!(ended.output(), "out\n\nerr\n");
        assert_eq!((ended.code, ended.is_stopped), (Some(3), false));
        let mut slow = Command::new("sleep");
        slow.arg("60");
        let ended = run(&mut slow, Duration::from_millis(50)).unwrap();
        assert_eq!((ended.code, ended.is_stopped), (None, true));
        assert!(ended.time < Duration::from_secs(50));
    }

    #[test]
    fn a_command_that_writes_without_end_is_killed() {
        let mut endless = Command::new("yes");
        let ended = run(&mut endless, Duration::from_secs(600)).unwrap();
        assert_eq!((ended.code, ended.is_stopped), (None, true));
        assert_eq!(ended.stdout.len() as u64, MAX_OUTPUT);
    }
}
