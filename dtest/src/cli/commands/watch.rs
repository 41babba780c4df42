//! `watch`: repeats another command after each change of the program, and shows the differences of
//! its output.

use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crossbeam_channel::Receiver;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::super::args::{self, Language, ProgramArgs, WatchArgs};
use super::super::error::CommandResult;
use super::super::{Environment, files, interrupt, load};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_syntax::diagnostic::Diagnostic;
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
    let mut before: Option<Vec<String>> = None;
    let mut times = 0;
    let mut changes = Changes::new();
    loop {
        let stamps = followed(&mut changes, &program, env);
        match output(&command) {
            Ok(lines) => {
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
    match env.config.complete(line, &env.root).ok()?.cli.command {
        args::Command::Gen(a) => Some(a.program),
        args::Command::List(a) => Some(a.program),
        args::Command::Dead(a) => Some(a.program),
        args::Command::Check(a) => Some(a.program),
        args::Command::Mutants(a) => Some(a.program),
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
    }
}

/// Runs a command and returns the lines that it prints on standard output and standard error.
fn output(command: &[String]) -> std::io::Result<Vec<String>> {
    // Both streams go to one file, which preserves the order of their lines.
    let mut file = tempfile::tempfile()?;
    let mut child = Command::new(std::env::current_exe()?);
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

/// Shows the whole output the first time, and only the differences later.
fn show(before: Option<&[String]>, now: &[String], command: &[String], env: &Environment) {
    let mut text = String::new();
    match before {
        None => now
            .iter()
            .for_each(|line| text.push_str(&format!("{line}\n"))),
        Some(before) => {
            let gone = difference(before, now);
            let new = difference(now, before);
            gone.iter()
                .for_each(|line| text.push_str(&format!("- {line}\n")));
            new.iter()
                .for_each(|line| text.push_str(&format!("+ {line}\n")));
            if text.is_empty() {
                text = format!("`{}`: no difference\n", command.join(" "));
            }
        }
    }
    env.terminal.result(&text);
}

/// The lines of `of` that `other` does not contain, or contains less often. Durations are ignored.
fn difference<'t>(of: &'t [String], other: &[String]) -> Vec<&'t str> {
    let mut left: SortedMap<String, usize> = SortedMap::new();
    other
        .iter()
        .for_each(|line| *left.entry(without_times(line)).or_default() += 1);
    let is_new = |line: &&String| match left.get_mut(&without_times(line)) {
        Some(n) if *n > 0 => {
            *n -= 1;
            false
        }
        Some(_) | None => true,
    };
    of.iter()
        .filter(is_new)
        .map(String::as_str)
        .filter(|line| !line.trim().is_empty())
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
