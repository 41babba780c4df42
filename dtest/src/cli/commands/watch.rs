//! `watch`: another command after each change of the program, and what is different then.

use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crossbeam_channel::Receiver;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::super::args::{self, ProgramArgs, WatchArgs};
use super::super::{Environment, files, interrupt, load};
use crate::exit_code::ExitCode;
use dafny_syntax::diagnostic::Diagnostic;
use dtest_sorted::{SortedMap, SortedSet};

/// Between two looks at the files where the system does not tell of changes.
const PERIOD: Duration = Duration::from_millis(200);
/// What is written in several steps is looked at when nothing was written for so long.
const SETTLED: Duration = Duration::from_millis(100);

/// What is known of a file: when it was changed, and its length.
type Stamps = SortedMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs the command.
pub fn run(args: &WatchArgs, env: &Environment) -> ExitCode {
    let command = if args.command.is_empty() {
        vec!["gen".to_owned()]
    } else {
        args.command.clone()
    };
    let Some(program) = program_of(&command, env) else {
        let message = format!("`{}` cannot be watched", command.join(" "));
        let help = "watch `gen`, `check`, `dead`, `list`, `mutants` or `run`, with their options after `--`";
        env.terminal
            .diagnostic(Diagnostic::global("watch/command", message).with_help(help));
        return ExitCode::Usage;
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
                env.terminal.diagnostic(Diagnostic::global(
                    "watch/failed",
                    format!("cannot start `{}`: {e}", command.join(" ")),
                ));
                return ExitCode::Usage;
            }
        }
        times += 1;
        if args.times.is_some_and(|most| times >= most) {
            return ExitCode::Done;
        }
        wait(stamps, &mut changes, &program, env);
    }
}

/// The program that a command is about; `None`: it is no command that can be run again and again.
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

/// What a command prints, on standard output and standard error.
fn output(command: &[String]) -> std::io::Result<Vec<String>> {
    // Both in one file: they stay in the order in which they were written.
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

/// The first time all of it; later what is different.
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

/// The lines of one text that the other has not, or has less often; times make no difference.
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

/// A line without its numbers of seconds (`0.12`).
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

/// The files that the program is made of now, with what is included, and `dtest.toml`.
fn stamps(program: &ProgramArgs, env: &Environment) -> Stamps {
    let mut paths: Vec<PathBuf> = vec![env.root.join("dtest.toml")];
    if super::boogie::is_meant(program) {
        paths.extend(program.files.iter().map(PathBuf::from));
    } else {
        let loaded = load::load(program, &env.root).unwrap_or_default();
        paths.extend(
            loaded
                .into_iter()
                .flat_map(|l| [l.paths, l.unread].concat()),
        );
        paths.extend(load::listing(program, &env.root).unwrap_or_default());
    }
    paths
        .into_iter()
        .map(|path| (path.clone(), files::stamp(&path)))
        .collect()
}

/// The files that the program is made of now; from now on, changes of them are heard of.
fn followed(changes: &mut Changes, program: &ProgramArgs, env: &Environment) -> Stamps {
    loop {
        let found = stamps(program, env);
        // What was changed before it was followed would not be heard of.
        if !changes.follow(found.keys(), program) || stamps(program, env) == found {
            return found;
        }
    }
}

/// Waits until a file is changed, and then until none is changed any more.
fn wait(mut known: Stamps, changes: &mut Changes, program: &ProgramArgs, env: &Environment) {
    let before = known.clone();
    while known == before {
        changes.wait();
        known = followed(changes, program, env);
    }
}

/// What the system tells of changes of files.
struct Changes {
    /// None: the system cannot tell (a network's file system, too many files that are followed already).
    watcher: Option<RecommendedWatcher>,
    heard: Receiver<()>,
    followed: SortedSet<PathBuf>,
}

impl Changes {
    fn new() -> Self {
        let (tell, heard) = crossbeam_channel::bounded(1);
        // One that waits to be heard is enough.
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

    /// Follows the folders of these files, and those that a command line names with all that lies in them. Gives whether some are new.
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
        // Editors put a new file in the place of the old one: a folder tells of that, the old file does not.
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

    /// Waits until something may have changed, and is settled.
    fn wait(&self) {
        if self.watcher.is_none() || self.heard.recv().is_err() {
            std::thread::sleep(PERIOD);
            return;
        }
        while self.heard.recv_timeout(SETTLED).is_ok() {}
    }
}
