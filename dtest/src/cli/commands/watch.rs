//! `watch`: repeats another command after each change of the program, and shows the differences of
//! its output.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use crossbeam_channel::Receiver;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::super::args::{self, Language, ProgramArgs, WatchArgs};
use super::super::error::CommandResult;
use super::super::{Environment, files, interrupt, isolate, load};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::{SortedMap, SortedSet};

/// Interval between two polls of the files, if the system cannot notify of changes.
const PERIOD: Duration = Duration::from_millis(200);
/// Quiet period after a change. Editors write a file in several steps, so the command runs when
/// nothing changed for this time.
const SETTLED: Duration = Duration::from_millis(100);

/// The modification time and the length of each file.
type Stamps = SortedMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs the command.
pub fn run(args: &WatchArgs, env: &Environment) -> CommandResult {
    let command = if args.command.is_empty() {
        vec!["gen".to_owned()]
    } else {
        args.command.clone()
    };
    let Some(program) = program_of(&command, env) else {
        let message = format!("`{}` cannot be watched", command.join(" "));
        let help = "watch `gen`, `check`, `dead`, `list`, `mutants` or `run`, with their options after `--`";
        return Err(Diagnostic::global(MessageId::WatchCommand, message)
            .with_help(help)
            .into());
    };
    let mut before: Option<Vec<Line>> = None;
    let mut times = 0;
    let mut changes = Changes::new();
    loop {
        let stamps = followed(&mut changes, &program, env);
        match output(&command) {
            Ok(lines) => {
                let lines = keyed(lines, &env.root);
                show(before.as_deref(), &lines, &command, env);
                before = Some(lines);
            }
            Err(e) => {
                return Err(Diagnostic::global(
                    MessageId::WatchFailed,
                    format!("cannot start `{}`: {e}", command.join(" ")),
                )
                .into());
            }
        }
        times += 1;
        if args.times.is_some_and(|most| times >= most) {
            return Ok(ExitCode::Done);
        }
        wait(stamps, &mut changes, &program, env);
    }
}

/// The program that a command reads; `None` if the command cannot be repeated.
fn program_of(command: &[String], env: &Environment) -> Option<ProgramArgs> {
    let line = ["cargo dtest".to_owned()]
        .into_iter()
        .chain(command.iter().cloned());
    let program = match env.config.complete(line, &env.root).ok()?.cli.command {
        args::Command::Gen(a) => Some(a.program),
        args::Command::List(a) => Some(a.program),
        args::Command::Dead(a) => Some(a.program),
        args::Command::Check(a) => Some(a.program),
        args::Command::Mutants(a) => Some(a.program),
        args::Command::Spec(a) => Some(a.program),
        args::Command::Run(a) => Some(a.program),
        args::Command::Cover(_)
        | args::Command::Merge(_)
        | args::Command::Translate(_)
        | args::Command::Rewrite(_)
        | args::Command::Fuzz(_)
        | args::Command::Init(_)
        | args::Command::Clean(_)
        | args::Command::Eval(_)
        | args::Command::Explain(_)
        | args::Command::Watch(_)
        | args::Command::Lsp(_)
        | args::Command::Completions { .. }
        | args::Command::Man { .. } => None,
    };
    // Standard input can be read only once.
    program.filter(|p| !p.stdin)
}

/// Runs a command and returns the lines that it prints on standard output and standard error.
fn output(command: &[String]) -> std::io::Result<Vec<String>> {
    // Both streams go to one file, which preserves the order of their lines.
    let mut file = tempfile::tempfile()?;
    let mut child = isolate::again()?;
    child
        .arg("dtest")
        .args(command)
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file.try_clone()?);
    interrupt::run(&mut child)?;
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text)
        .lines()
        .map(str::to_owned)
        .collect())
}

/// A line of output.
struct Line {
    text: String,
    /// The text without what changes when nothing changes: durations, and line numbers of source
    /// lines that moved.
    key: String,
}

/// The first words of lines that tell of an action. They are shown when they occur; later runs do
/// not repeat the action, which is no difference.
const ACTIONS: [&str; 4] = ["wrote ", "added ", "created ", "removed "];

impl Line {
    fn is_action(&self) -> bool {
        ACTIONS.iter().any(|a| self.text.starts_with(a))
    }
}

/// Computes the keys of lines from the present texts of the files that they name.
fn keyed(lines: Vec<String>, root: &Path) -> Vec<Line> {
    let mut files: SortedMap<PathBuf, Vec<String>> = SortedMap::new();
    let mut source = |path: &str, line: usize| {
        let path = root.join(path);
        let text = files.entry(path.clone()).or_insert_with(|| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            text.lines().map(|l| l.trim().to_owned()).collect()
        });
        line.checked_sub(1).and_then(|i| text.get(i).cloned())
    };
    lines
        .into_iter()
        .map(|text| Line {
            key: without_positions(&without_times(&text), &mut source),
            text,
        })
        .collect()
}

/// A line with `path:line:column` replaced by the text of that line, and without the line number
/// before a quoted line. Words that are no position stay.
fn without_positions(line: &str, source: &mut dyn FnMut(&str, usize) -> Option<String>) -> String {
    let quoted = line
        .split_once(" | ")
        .filter(|(number, _)| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()));
    if let Some((_, rest)) = quoted {
        return format!("| {rest}");
    }
    let mut position = |word: &str| {
        let word = word.trim_start_matches('(');
        let (path, rest) = word.split_once(':')?;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (line, rest) = rest.split_at_checked(digits(rest))?;
        let column = rest.strip_prefix(':')?;
        let rest = column.get(digits(column)..)?;
        Some(format!(
            "{path}:{}{rest}",
            source(path, line.parse().ok()?)?
        ))
    };
    line.split(' ')
        .map(|word| position(word).unwrap_or_else(|| word.to_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Shows the whole output the first time, and only the differences later.
fn show(before: Option<&[Line]>, now: &[Line], command: &[String], env: &Environment) {
    let mut text = String::new();
    match before {
        None => now
            .iter()
            .for_each(|line| text.push_str(&format!("{}\n", line.text))),
        Some(before) => {
            let gone = difference(before, now).into_iter();
            gone.filter(|l| !l.is_action())
                .for_each(|line| text.push_str(&format!("- {}\n", line.text)));
            for line in difference(now, before) {
                let sign = if line.is_action() { "" } else { "+ " };
                text.push_str(&format!("{sign}{}\n", line.text));
            }
            if text.is_empty() {
                text = format!("`{}`: no difference\n", command.join(" "));
            }
        }
    }
    env.terminal.result(&text);
}

/// The lines of `of` that `other` does not contain, or contains less often.
fn difference<'t>(of: &'t [Line], other: &[Line]) -> Vec<&'t Line> {
    let mut left: SortedMap<&str, usize> = SortedMap::new();
    other
        .iter()
        .for_each(|line| *left.entry(line.key.as_str()).or_default() += 1);
    let is_new = |line: &&Line| match left.get_mut(line.key.as_str()) {
        // An action that is repeated is told again.
        Some(n) if *n > 0 && !line.is_action() => {
            *n -= 1;
            false
        }
        Some(_) | None => true,
    };
    of.iter()
        .filter(is_new)
        .filter(|line| !line.text.trim().is_empty())
        .collect()
}

/// A line without its durations in seconds (`0.12`).
fn without_times(line: &str) -> String {
    let is_time = |word: &str| {
        word.split_once('.').is_some_and(|(a, b)| {
            [a, b]
                .iter()
                .all(|p| !p.is_empty() && p.bytes().all(|c| c.is_ascii_digit()))
        })
    };
    line.split_whitespace()
        .filter(|word| !is_time(word.trim_end_matches('s')))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The present files of the program, with included files and `dtest.toml`.
fn stamps(program: &ProgramArgs, env: &Environment) -> Stamps {
    let mut paths: Vec<PathBuf> = vec![env.root.join("dtest.toml")];
    match program.language() {
        Language::Boogie => paths.extend(program.files.iter().map(PathBuf::from)),
        Language::Dafny => {
            let loaded = load::load(program, &env.root).unwrap_or_default();
            paths.extend(
                loaded
                    .into_iter()
                    .flat_map(|l| [l.paths, l.unread].concat()),
            );
            paths.extend(load::listing(program, &env.root).unwrap_or_default());
        }
    }
    paths
        .into_iter()
        .map(|path| (path.clone(), files::stamp(&path)))
        .collect()
}

/// The present files of the program. Starts watching them.
fn followed(changes: &mut Changes, program: &ProgramArgs, env: &Environment) -> Stamps {
    loop {
        let found = stamps(program, env);
        // A change between listing a file and watching it would be missed, so the list is taken
        // again until it is stable.
        if !changes.follow(found.keys(), program) || stamps(program, env) == found {
            return found;
        }
    }
}

/// Waits until a file changes, and then until no file changes any more.
fn wait(mut known: Stamps, changes: &mut Changes, program: &ProgramArgs, env: &Environment) {
    let before = known.clone();
    while known == before {
        changes.wait();
        known = followed(changes, program, env);
    }
}

/// Notifications of the system about changed files.
struct Changes {
    /// `None` if the system cannot notify: on a network file system, or if too many files are
    /// watched.
    watcher: Option<RecommendedWatcher>,
    heard: Receiver<()>,
    followed: SortedSet<PathBuf>,
}

impl Changes {
    fn new() -> Self {
        let (tell, heard) = crossbeam_channel::bounded(1);
        // One pending notification is enough.
        let hear = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|e| !e.kind.is_access()) {
                let _ = tell.try_send(());
            }
        };
        Self {
            watcher: notify::recommended_watcher(hear).ok(),
            heard,
            followed: SortedSet::new(),
        }
    }

    /// Watches the folders of these files, and recursively the folders that the command line names.
    /// Returns whether some are new.
    fn follow<'p>(
        &mut self,
        files: impl Iterator<Item = &'p PathBuf>,
        program: &ProgramArgs,
    ) -> bool {
        let named = program
            .files
            .iter()
            .map(PathBuf::from)
            .filter(|p| p.is_dir())
            .map(|p| (p, RecursiveMode::Recursive));
        // Editors replace a file by a new one. The folder reports this, the old file does not.
        let around = files
            .filter_map(|p| p.parent())
            .map(|p| (p.to_owned(), RecursiveMode::NonRecursive));
        let mut is_new = false;
        for (folder, mode) in named.chain(around).collect::<Vec<_>>() {
            let Some(watcher) = &mut self.watcher else {
                return false;
            };
            if self.followed.contains(&folder) || !folder.is_dir() {
                continue;
            }
            if watcher.watch(&folder, mode).is_err() {
                self.watcher = None;
                return false;
            }
            self.followed.insert(folder);
            is_new = true;
        }
        is_new
    }

    /// Waits until a file may have changed and the quiet period is over.
    fn wait(&self) {
        if self.watcher.is_none() || self.heard.recv().is_err() {
            std::thread::sleep(PERIOD);
            return;
        }
        while self.heard.recv_timeout(SETTLED).is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(line: &str, source: &[&str]) -> String {
        without_positions(&without_times(line), &mut |_, n| {
            source.get(n - 1).map(|l| (*l).to_owned())
        })
    }

    #[test]
    fn lines_that_moved_and_times_are_no_difference() {
        let (old, new) = (["a", "b"], ["// new", "a", "b"]);
        let same = |before: &str, after: &str| key(before, &old) == key(after, &new);
        assert!(same(
            "M (f.dfy:1:8) is open 0.12s",
            "M (f.dfy:2:8) is open 0.34s"
        ));
        assert!(same(" --> f.dfy:2:8", " --> f.dfy:3:8"));
        assert!(same("2 |   assert x;", "13 |   assert x;"));
        // Another line, and other numbers, are differences.
        assert!(!same("M (f.dfy:1:8) is open", "M (f.dfy:3:8) is open"));
        assert!(!same("kills 26 of 27 mutants", "kills 27 of 27 mutants"));
        assert!(!same("2 | assert x;", "2 | assert y;"));
    }

    #[test]
    fn actions_are_told_when_they_occur_and_are_never_gone() {
        let line = |text: &str| Line {
            text: text.to_owned(),
            key: text.to_owned(),
        };
        let (first, second) = (
            [line("wrote a.rs"), line("open: f")],
            [line("wrote b.rs"), line("open: f")],
        );
        let gone: Vec<bool> = difference(&first, &second)
            .iter()
            .map(|l| l.is_action())
            .collect();
        assert_eq!(gone, [true]);
        let again = difference(&first, &first);
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].text, "wrote a.rs");
    }
}
