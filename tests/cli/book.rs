//! The chapters of `docs/` and the README are correct: every command in them is run, and its output
//! is compared.
//!
//! A chapter is a separate package, below `target/tmp/book/`. The info string of a fenced block
//! determines its use, in the order of the text:
//!
//! - ```` ```dafny file=src/lib.dfy ```` (or `boogie`, `python`): the text is written to that file;
//! - ```` ```diff file=src/lib.rs ````: lines with `-` are replaced by those with `+`; other lines
//!   are context;
//! - ```` ```rust in=tests/dtest/fee.rs ````: the text is a part of that file, apart from
//!   indentation;
//! - ```` ```console ````: `$ command # comment` lines, each followed by its output. A command
//!   without output may print anything; a line `...` matches any lines. A command must succeed,
//!   unless it ends in `; echo $?`;
//! - ```` ```yaml ````: a workflow; each command of a step is one of the chapter's own;
//! - ```` ```sh ````: commands that would change the machine or take long, identified by their
//!   program; not run;
//! - ```` ```rust dir=fixtures/bank ```` with any of these: in a copy of that directory instead.
//!
//! `DTEST_BOOK=tour cargo test -p dtest --test cli book` runs the chapters whose names contain
//! `tour`. With `DTEST_BOOK_WRITE` set, the output of commands is written into the text if it
//! differs, for an author to read and shorten.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dtest_search::{Bounds, Options};

use super::package::{runtime, tool};

/// The programs that are allowed in `sh` blocks.
const NOT_RUN: [&str; 13] = [
    "npm install bignumber.js",
    "go install golang.org/",
    "python3 port.py ",
    "sudo apt-get ",
    "brew ",
    "cargo install ",
    "cargo binstall ",
    "cargo xtask ",
    "cd editors/code ",
    "genhtml ",
    "source <(",
    "export ",
    "dafny test ",
];

#[test]
fn the_commands_of_the_book_print_what_it_says() {
    let wanted = std::env::var("DTEST_BOOK").unwrap_or_default();
    let docs = std::fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|e| e.unwrap().path());
    let mut chapters: Vec<PathBuf> = docs
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    chapters.push(root().join("README.md"));
    chapters.sort();
    chapters.retain(|c| {
        c.strip_prefix(root())
            .unwrap()
            .display()
            .to_string()
            .contains(&wanted)
    });
    assert!(!chapters.is_empty(), "no chapter is called {wanted}");
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = chapters
            .iter()
            .map(|path| scope.spawn(|| Chapter::new(path).check()))
            .collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn the_contents_page_leads_to_every_chapter_and_no_link_is_broken() {
    let contents = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    let link = regex_lite::Regex::new(r"\]\(([^)#:\s]+)(#[^)]*)?\)").unwrap();
    let entries = |folder: &str| {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path())
    };
    let found = std::fs::read_to_string(root().join("docs/found-in-dafny-4.11.md")).unwrap();
    for report in entries("docs/reports") {
        let name = report.file_name().unwrap().to_str().unwrap();
        let is_linked = found.contains(&format!("](reports/{name})"));
        assert!(
            is_linked,
            "docs/found-in-dafny-4.11.md does not name {name}"
        );
    }
    for path in entries("docs").filter(|path| path.is_file()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "README.md" || contents.contains(&format!("]({name})")),
            "docs/README.md does not name {name}"
        );
        for found in link.captures_iter(&std::fs::read_to_string(&path).unwrap()) {
            assert!(
                root().join("docs").join(&found[1]).exists(),
                "docs/{name} leads to {}, which is not there",
                &found[1]
            );
        }
    }
}

#[test]
fn the_exit_codes_of_the_chapter_are_those_of_the_enum() {
    let chapter = std::fs::read_to_string(root().join("docs/exit-codes.md")).unwrap();
    let rows: Vec<&str> = chapter
        .lines()
        .filter(|l| l.starts_with("| ") && l.contains('`'))
        .collect();
    let source = std::fs::read_to_string(root().join("dtest/src/exit_code.rs")).unwrap();
    let variant = regex_lite::Regex::new(r"(?m)^    /// (.+)\n    (\w+) = (\d+),$").unwrap();
    let expected: Vec<String> = variant
        .captures_iter(&source)
        .map(|v| format!("| {} | `{}` | {} |", &v[3], &v[2], &v[1]))
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(rows, expected);
}

#[test]
fn the_bounds_of_the_chapter_are_those_of_the_search() {
    let chapter = std::fs::read_to_string(root().join("docs/limits.md")).unwrap();
    let row = |name: &str| -> Vec<String> {
        let line = chapter
            .lines()
            .find(|l| l.starts_with(&format!("| {name} |")))
            .unwrap_or_else(|| panic!("no row for {name}"));
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let (
        Bounds {
            collection,
            depth,
            unroll,
            inline,
            objects,
            calls,
            // A budget, not a size of inputs.
            terms: _,
        },
        caps,
    ) = (Bounds::START, Bounds::CAPS);
    for (name, start, cap) in [
        ("elements of a collection", collection, caps.collection),
        ("nesting of constructors", depth, caps.depth),
        ("iterations of a loop", unroll, caps.unroll),
        ("recursion", inline, caps.inline),
        ("objects of a class", objects, caps.objects),
        (
            "copies of one callee, in a large tree of calls",
            calls,
            caps.calls,
        ),
    ] {
        let start = if start == Bounds::ALL_CALLS {
            "all".to_owned()
        } else {
            start.to_string()
        };
        assert_eq!(row(name)[1..3], [start, cap.to_string()], "{name}");
    }
    let options = Options::default();
    for (name, value) in [
        ("resource units of a query", u64::from(options.rlimit)),
        ("seconds of a unit", options.timeout.as_secs()),
        ("steps of one execution", options.fuel),
        ("paths of a unit", u64::from(options.max_paths)),
    ] {
        assert_eq!(row(name)[1].replace(',', ""), value.to_string(), "{name}");
    }
}

/// Returns the root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A chapter that is being run.
struct Chapter<'p> {
    path: &'p Path,
    name: String,
    text: String,
    failures: Vec<String>,
}

impl<'p> Chapter<'p> {
    fn new(path: &'p Path) -> Self {
        let name = match path.strip_prefix(root().join("docs")) {
            Ok(chapter) => {
                format!("chapter-{}", chapter.file_stem().unwrap().display()).to_lowercase()
            }
            Err(_) => "readme".to_owned(),
        };
        Self {
            path,
            name,
            text: std::fs::read_to_string(path).unwrap(),
            failures: Vec::new(),
        }
    }

    /// Executes the blocks. Returns the errors.
    fn check(mut self) -> Vec<String> {
        let scratch = scratch().join(&self.name);
        if scratch.exists() {
            std::fs::remove_dir_all(&scratch).unwrap();
        }
        let mut written = String::new();
        let text = self.text.clone();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let _ = writeln!(written, "{line}");
            let Some(info) = line.strip_prefix("```") else {
                continue;
            };
            let block: Vec<&str> = lines
                .by_ref()
                .map(|(_, l)| l)
                .take_while(|l| *l != "```")
                .collect();
            let block = match self.block(info, &block, &scratch) {
                Ok(block) => block,
                Err(message) => {
                    self.failures.push(format!(
                        "{}:{}: {message}",
                        self.path.display(),
                        number + 1
                    ));
                    block.join("\n")
                }
            };
            let _ = writeln!(written, "{block}\n```");
        }
        if std::env::var_os("DTEST_BOOK_WRITE").is_some() && written != text {
            std::fs::write(self.path, written).unwrap();
        }
        self.failures
    }

    /// Executes one block. Returns its corrected text.
    fn block(&self, info: &str, block: &[&str], scratch: &Path) -> Result<String, String> {
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        let keys: Vec<(&str, &str)> = words.filter_map(|w| w.split_once('=')).collect();
        let key = |name| keys.iter().find(|(k, _)| *k == name).map(|(_, v)| *v);
        if let Some((unknown, _)) = keys
            .iter()
            .find(|(k, _)| !["file", "in", "dir"].contains(k))
        {
            return Err(format!("`{unknown}=` means nothing"));
        }
        let text = block.join("\n");
        if language == "sh" {
            let stray = block
                .iter()
                .find(|line| !NOT_RUN.iter().any(|known| line.starts_with(known)));
            return stray.map_or(Ok(text.clone()), |line| {
                Err(format!("`{line}` is not among what need not be run"))
            });
        }
        // The workflow with a matrix of shards is run as a whole by `workflow.rs`.
        if language == "yaml" && !info.contains(" shards") {
            let steps = block.iter().filter_map(|l| {
                l.trim_start()
                    .trim_start_matches("- ")
                    .strip_prefix("run: ")
            });
            let mut unknown = steps.filter(|s| {
                !NOT_RUN.iter().any(|known| s.starts_with(known))
                    && !self.text.contains(&format!("\n$ {s}"))
            });
            return unknown.next().map_or(Ok(text.clone()), |s| {
                Err(format!("`{s}` is no command of this chapter"))
            });
        }
        let package = match key("dir") {
            Some(folder) => copy_of(folder, &scratch.join(folder)),
            None => package(scratch, &self.name),
        };
        let read = |file: &str| {
            std::fs::read_to_string(package.join(file)).map_err(|e| format!("{file}: {e}"))
        };
        if let Some(file) = key("file") {
            let path = package.join(file);
            let text = if language == "diff" {
                changed(&read(file)?, block)?
            } else {
                text.clone() + "\n"
            };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        } else if let Some(file) = key("in") {
            let generated = read(file)?;
            let lines: Vec<&str> = generated.lines().map(str::trim_start).collect();
            let wanted: Vec<&str> = block.iter().map(|l| l.trim_start()).collect();
            if !fits(&[&["..."], wanted.as_slice(), &["..."]].concat(), &lines) {
                return Err(format!("is not in {file}:\n{generated}"));
            }
        } else if language == "console" {
            return self.console(block, &package);
        }
        Ok(text)
    }

    /// Runs the commands of a block.
    fn console(&self, block: &[&str], package: &Path) -> Result<String, String> {
        let mut written = Vec::new();
        let mut rest = block;
        while let Some((line, after)) = rest.split_first() {
            let typed = line
                .strip_prefix("$ ")
                .ok_or_else(|| format!("`{line}` is neither a command nor its output"))?;
            let length = after
                .iter()
                .position(|l| l.starts_with("$ "))
                .unwrap_or(after.len());
            let (expected, next) = after.split_at(length);
            rest = next;
            // A port in another language runs where that language is installed.
            if typed.starts_with("python3 ") && Command::new("python3").arg("-V").output().is_err()
            {
                eprintln!("not run: `{typed}`");
                written.push((*line).to_owned());
                written.extend(expected.iter().map(|l| (*l).to_owned()));
                continue;
            }
            let printed = run(typed.split("  #").next().unwrap_or(typed).trim(), package)?;
            let printed: Vec<&str> = printed.lines().collect();
            written.push((*line).to_owned());
            if expected.is_empty() || fits(expected, &printed) {
                written.extend(expected.iter().map(|l| (*l).to_owned()));
            } else if std::env::var_os("DTEST_BOOK_WRITE").is_some() {
                written.extend(printed.iter().map(|l| (*l).to_owned()));
            } else {
                return Err(format!("`{typed}` prints\n{}", printed.join("\n")));
            }
        }
        Ok(written.join("\n"))
    }
}

/// Returns the directory of the chapters' packages and their build products.
fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("book")
}

/// Creates the package of a chapter, with a `Cargo.toml` and the versions of this repository.
fn package(at: &Path, name: &str) -> PathBuf {
    if !at.join("Cargo.toml").exists() {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n"
        );
        std::fs::create_dir_all(at).unwrap();
        std::fs::write(at.join("Cargo.toml"), manifest).unwrap();
        std::fs::copy(root().join("Cargo.lock"), at.join("Cargo.lock")).unwrap();
    }
    at.to_owned()
}

/// Copies a directory of the repository at its first use.
fn copy_of(folder: &str, to: &Path) -> PathBuf {
    let from = root().join(folder);
    let skipped = ["target", "Cargo.lock"];
    let walk = walkdir::WalkDir::new(&from)
        .into_iter()
        .filter_entry(|e| !skipped.iter().any(|s| e.file_name() == *s));
    if !to.exists() {
        for entry in walk.map(Result::unwrap).filter(|e| e.file_type().is_file()) {
            let path = to.join(entry.path().strip_prefix(&from).unwrap());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = std::fs::read_to_string(entry.path()).unwrap();
            std::fs::write(
                path,
                text.replace("\"../../", &format!("\"{}/", root().display())),
            )
            .unwrap();
        }
        std::fs::copy(root().join("Cargo.lock"), to.join("Cargo.lock")).unwrap();
    }
    to.to_owned()
}

/// Returns the output of a command, both streams in one, and its exit code if `; echo $?` asks for
/// it.
fn run(typed: &str, package: &Path) -> Result<String, String> {
    let (typed, asks) = typed
        .strip_suffix("; echo $?")
        .map_or((typed, false), |rest| (rest, true));
    let words = words(typed);
    let mut command = match words.as_slice() {
        ["cargo", "dtest", arguments @ ..] => {
            let mut command = tool();
            // The output must depend on the resource limits alone, even on a busy machine.
            command
                .args(arguments)
                .env("DTEST_RUNTIME", runtime())
                .env("DTEST_TIMEOUT", "300");
            command
        }
        ["cargo", "test", arguments @ ..] => {
            let mut command = Command::new(env!("CARGO"));
            command
                .args(["test", "--offline"])
                .args(arguments)
                .env("CARGO_TARGET_DIR", scratch().join("target"));
            command
                .env("RUST_TEST_THREADS", "1")
                .env("RUST_BACKTRACE", "0");
            command
        }
        // A port finds the runner as if it were beside it.
        ["python3", arguments @ ..] => {
            let mut command = Command::new("python3");
            command
                .args(arguments)
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env("PYTHONPATH", root().join("runners/python"));
            command
        }
        ["cat" | "ls", arguments @ ..] => {
            let mut command = Command::new(words[0]);
            command.args(arguments);
            command
        }
        _ => return Err(format!("`{typed}` is no command that the book may use")),
    };
    let (mut reader, writer) = std::io::pipe().unwrap();
    command
        .current_dir(package)
        .stdout(writer.try_clone().unwrap())
        .stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the write ends of the pipe.
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    let code = child.wait().unwrap().code().unwrap_or(-1);
    match asks {
        true => Ok(format!("{printed}{code}\n")),
        false if code != 0 => Err(format!("`{typed}` exits with {code}:\n{printed}")),
        false => Ok(printed),
    }
}

/// Splits a command into words; text between single quotes is one word.
fn words(typed: &str) -> Vec<&str> {
    let parts = typed.split('\'').enumerate();
    parts
        .flat_map(|(i, part)| {
            if i % 2 == 1 {
                vec![part]
            } else {
                part.split_whitespace().collect()
            }
        })
        .collect()
}

/// Applies a block of `-`, `+` and context lines to a text.
fn changed(text: &str, block: &[&str]) -> Result<String, String> {
    let side = |without: char, with: char| -> String {
        let lines = block.iter().filter(|l| !l.starts_with(without));
        lines
            .map(|l| l.strip_prefix([with, ' ']).unwrap_or(l).to_owned() + "\n")
            .collect()
    };
    let (old, new) = (side('+', '-'), side('-', '+'));
    match text.matches(&old).count() {
        1 => Ok(text.replace(&old, &new)),
        n => Err(format!("what is to be changed is there {n} times:\n{text}")),
    }
}

/// Whether printed lines match the expected ones; `...` matches any lines, and times are not
/// compared.
fn fits(expected: &[&str], printed: &[&str]) -> bool {
    match (expected, printed) {
        ([], _) => printed.is_empty(),
        (["...", rest @ ..], _) => (0..=printed.len()).any(|n| fits(rest, &printed[n..])),
        ([first, rest @ ..], [line, lines @ ..]) => {
            timeless(first) == timeless(line) && fits(rest, lines)
        }
        (_, []) => false,
    }
}

/// Removes the seconds at the end of a line.
fn timeless(line: &str) -> &str {
    let rest = line
        .trim_end()
        .trim_end_matches('s')
        .trim_end_matches(|c: char| c.is_ascii_digit());
    let seconds = rest
        .strip_suffix('.')
        .map(|r| r.trim_end_matches(|c: char| c.is_ascii_digit()));
    seconds
        .filter(|r| r.ends_with(' '))
        .map_or(line, str::trim_end)
}
