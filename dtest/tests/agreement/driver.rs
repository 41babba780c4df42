//! Runs both backends on a program: the interpreter, and the translation, compiled and run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use dafny_source::SourceMap;
use dafny_syntax::erase::EraseSpans;
use dtest_emit::{Placement, translate};
use dtest_interp::{Interp, Limits, Outcome};
use dtest_sorted::{SortedMap, SortedSet};

/// The file name of every program, in locations.
const FILE: &str = "program.dfy";

/// The result of running a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub printed: String,
    pub end: End,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Returned,
    /// An `expect` was false; its message is the last line that Dafny programs print.
    Halted,
    /// The run violated an obligation. The backends report different messages and locations.
    Broken,
}

/// A program that was read and interpreted.
pub struct Ready {
    pub run: Run,
    /// The interpreter's message about a violation.
    pub note: String,
    /// The Rust module, and the call of `Main`, with `subject` as the name of the module.
    pub translated: String,
    pub main: String,
}

/// A disagreement of the backends.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The kind, which must stay the same when the program is reduced.
    pub kind: String,
    pub detail: String,
}

fn disagreement(kind: impl Into<String>, detail: impl Into<String>) -> Disagreement {
    Disagreement {
        kind: kind.into(),
        detail: detail.into(),
    }
}

/// The result of preparing a program.
pub enum Prepared {
    Ready(Box<Ready>),
    /// The program exceeds the limit of steps.
    TooLong,
    Disagrees(Disagreement),
}

/// Reads, interprets and translates a program. For one program in five, also checks that printing
/// and parsing are inverse, and that the translation is deterministic.
pub fn prepare(text: &str) -> Prepared {
    let stack = std::thread::Builder::new().stack_size(1 << 29);
    let text = text.to_owned();
    let worker = stack.spawn(move || prepare_here(&text)).expect("a thread");
    worker
        .join()
        .unwrap_or_else(|_| Prepared::Disagrees(disagreement("panic", "a stage panicked")))
}

/// Prepares many programs, on two threads.
pub fn prepare_all(programs: &[String]) -> Vec<Prepared> {
    let (first, second) = programs.split_at(programs.len() / 2);
    std::thread::scope(|s| {
        let other = s.spawn(|| second.iter().map(|p| prepare(p)).collect::<Vec<_>>());
        let mut all: Vec<Prepared> = first.iter().map(|p| prepare(p)).collect();
        all.extend(
            other
                .join()
                .expect("a panic is caught in each program's own thread"),
        );
        all
    })
}

fn prepare_here(text: &str) -> Prepared {
    let mut sources = SourceMap::new();
    sources.add(FILE, text, true);
    let options = dtest::fuzz::options_of_random(text);
    let syntax = dafny_syntax::Options {
        unicode_char: options.unicode_char,
        ..Default::default()
    };
    let (tree, found) = dafny_syntax::parse_with(0, text, syntax);
    if let Some(d) = found.iter().find(|d| d.is_error()) {
        return Prepared::Disagrees(disagreement("does not parse", d.message.clone()));
    }
    // These two checks cost as much as the others together and rarely fail, so a sample is enough.
    let thorough = text.len().is_multiple_of(5);
    if let Some(d) = Some(&tree)
        .filter(|_| thorough)
        .and_then(|tree| round_trip(tree, syntax))
    {
        return Prepared::Disagrees(d);
    }
    let (program, found) = dafny_resolve::resolve(vec![tree.clone()], options.clone());
    if let Some(d) = found.iter().find(|d| d.is_error()) {
        let at = d.span.map(|s| sources.locate(s)).unwrap_or_default();
        return Prepared::Disagrees(disagreement(
            "does not resolve",
            format!("{at}: {}", d.message),
        ));
    }
    let placement = Placement::single("src/p.rs", "crate::THE_PROGRAM", "");
    let translation = translate(&program, &sources, &placement);
    if let Some(u) = translation.unsupported.first() {
        let reason = u.reason.root().to_string();
        return Prepared::Disagrees(disagreement(
            format!("not translated: {reason}"),
            format!("{}: {} {}", sources.locate(u.span), u.what, u.reason),
        ));
    }
    let again = thorough.then(|| dafny_resolve::resolve(vec![tree], options).0);
    if again.is_some_and(|again| translate(&again, &sources, &placement).files != translation.files)
    {
        return Prepared::Disagrees(disagreement(
            "translation differs",
            "the second translation of the program is another one",
        ));
    }
    let (Some(main), [(_, translated)]) = (translation.main, translation.files.as_slice()) else {
        return Prepared::Disagrees(disagreement("no Main", ""));
    };
    let ir = dtest_lower::lower(Arc::new(program));
    let limits = Limits {
        steps: 3_000_000,
        ..Limits::default()
    };
    let mut printed = String::new();
    let result = Interp::new(&ir, limits).run_main(&[], &mut |s| printed.push_str(s));
    let (end, note) = match result.outcome {
        Outcome::Returned(_) => (End::Returned, String::new()),
        Outcome::Halted { span, message } => {
            let at = sources
                .line_column(span.start)
                .map_or_else(String::new, |at| {
                    format!("({},{})", at.line, at.column.saturating_sub(1))
                });
            printed.push_str(&format!("[Program halted] {FILE}{at}: {message}\n"));
            (End::Halted, String::new())
        }
        Outcome::Failed(f) => (
            End::Broken,
            format!("{}: {}", sources.locate(f.span), f.message),
        ),
        Outcome::OutOfFuel(_) => return Prepared::TooLong,
        Outcome::Infeasible(span) => {
            return Prepared::Disagrees(disagreement("infeasible", sources.locate(span)));
        }
        Outcome::Unsupported(why) => {
            return Prepared::Disagrees(disagreement("not interpreted", why.to_string()));
        }
    };
    Prepared::Ready(Box::new(Ready {
        run: Run { printed, end },
        note,
        translated: translated.clone(),
        main: main.call,
    }))
}

/// Checks that the printed tree parses to the same tree.
fn round_trip(
    tree: &dafny_syntax::ast::File,
    syntax: dafny_syntax::Options,
) -> Option<Disagreement> {
    let text = dafny_syntax::file_to_string(tree);
    let (mut again, found) = dafny_syntax::parse_with(0, &text, syntax);
    if let Some(d) = found.first() {
        return Some(disagreement(
            "printed form does not parse",
            format!("{}\n{text}", d.message),
        ));
    }
    let mut tree = tree.clone();
    tree.erase_spans();
    again.erase_spans();
    (tree != again).then(|| disagreement("printed form is another program", text))
}

/// A crate that batches of programs are translated into.
pub struct Bench {
    root: PathBuf,
}

impl Bench {
    /// Creates a bench in a separate directory below the target directory.
    pub fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(root.join("src")).expect("a folder");
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = format!(
            "[package]\nname = \"agreement\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\ndunit = {{ path = {:?} }}\n\n\
             [profile.dev]\ndebug = false\nincremental = false\ndebug-assertions = false\noverflow-checks = true\n\n[profile.dev.package.\"*\"]\nopt-level = 1\n\n[workspace]\n",
            workspace.join("dunit")
        );
        std::fs::write(root.join("Cargo.toml"), manifest).expect("Cargo.toml");
        std::fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).expect("Cargo.lock");
        Self { root }
    }

    /// Returns the verdict on each program.
    pub fn judge(&self, programs: &[String]) -> Vec<Verdict> {
        self.finish(prepare_all(programs))
    }

    /// Compiles and runs prepared programs, and compares the results.
    pub fn finish(&self, prepared: Vec<Prepared>) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> = Vec::new();
        let mut ready: SortedMap<usize, Box<Ready>> = SortedMap::new();
        for (i, prepared) in prepared.into_iter().enumerate() {
            verdicts.push(match prepared {
                Prepared::Ready(r) => {
                    let verdict = Verdict::Agrees {
                        broken: r.run.end == End::Broken,
                        note: r.note.clone(),
                    };
                    ready.insert(i, r);
                    verdict
                }
                Prepared::TooLong => Verdict::TooLong,
                Prepared::Disagrees(d) => Verdict::Disagrees(d),
            });
        }
        for (i, refused) in self.build(&ready) {
            verdicts[i] = Verdict::Disagrees(refused);
            ready.remove(&i);
        }
        for (i, r) in &ready {
            if let Some(d) = self.compare(*i, r) {
                verdicts[*i] = Verdict::Disagrees(d);
            }
        }
        verdicts
    }

    /// Compiles all programs. Returns those that the compiler rejects, with the error.
    fn build(&self, ready: &SortedMap<usize, Box<Ready>>) -> SortedMap<usize, Disagreement> {
        let mut refused = SortedMap::new();
        let source = self.root.join("src");
        for (i, r) in ready {
            let text = r.translated.replace("THE_PROGRAM", &format!("p{i}"));
            std::fs::write(source.join(format!("p{i}.rs")), text).expect("a module");
        }
        loop {
            let mut main = String::from("#![allow(warnings)]\nuse dunit::prelude::*;\n");
            let mut arms = String::new();
            for (i, r) in ready.iter().filter(|(i, _)| !refused.contains_key(*i)) {
                let _ = writeln!(main, "mod p{i};");
                let _ = writeln!(
                    arms,
                    "        \"{i}\" => || {{ use p{i} as subject; {}; }},",
                    r.main
                );
            }
            let _ = writeln!(
                main,
                "fn main() -> std::process::ExitCode {{\n    let which = std::env::args().nth(1).unwrap_or_default();\n    \
                 let main: fn() = match which.as_str() {{\n{arms}        _ => panic!(\"no such program\"),\n    }};\n    \
                 dunit::harness::run_main(main)\n}}"
            );
            std::fs::write(source.join("main.rs"), main).expect("main.rs");
            let errors = self.compile();
            if errors.is_empty() {
                return refused;
            }
            let before = refused.len();
            for (module, error) in errors {
                refused.entry(module).or_insert(error);
            }
            assert!(
                refused.len() > before,
                "the compiler's errors name no program: {refused:?}"
            );
        }
    }

    /// Returns the first error in each program.
    fn compile(&self) -> SortedMap<usize, Disagreement> {
        let output = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "--message-format=json"])
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .current_dir(&self.root)
            .output()
            .expect("cargo runs");
        if output.status.success() {
            return SortedMap::new();
        }
        let mut errors = SortedMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            let message = &message["message"];
            if message["level"] != "error" {
                continue;
            }
            let rendered = message["rendered"].as_str().unwrap_or_default().to_owned();
            let kind = format!(
                "rustc {}",
                message["code"]["code"].as_str().unwrap_or("error")
            );
            let spans = message["spans"].as_array().into_iter().flatten();
            let files: SortedSet<usize> = spans
                .filter_map(|s| program_of(s["file_name"].as_str()?))
                .collect();
            for i in files {
                errors
                    .entry(i)
                    .or_insert_with(|| disagreement(kind.clone(), rendered.clone()));
            }
        }
        assert!(
            !errors.is_empty(),
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        errors
    }

    fn compare(&self, i: usize, ready: &Ready) -> Option<Disagreement> {
        let output = Command::new("timeout")
            .args(["--signal=KILL", "60"])
            .arg(self.root.join("target/debug/agreement"))
            .arg(i.to_string())
            .output()
            .expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr);
        let message = message.strip_suffix('\n').unwrap_or(&message).to_owned();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let end = match output.status.code() {
            Some(0) => End::Returned,
            Some(_) if printed.lines().any(|l| l.starts_with("[Program halted] ")) => End::Halted,
            _ => End::Broken,
        };
        let run = Run { printed, end };
        if run.printed != ready.run.printed {
            let detail = first_difference(&ready.run.printed, &run.printed);
            let ends = format!(
                "ends: {:?} {} / {:?} {message}",
                ready.run.end, ready.note, run.end
            );
            return Some(disagreement("printed", format!("{detail}\n{ends}")));
        }
        if run.end != ready.run.end {
            let detail = format!(
                "interpreted: {:?} {}\n  compiled: {:?} {message}",
                ready.run.end, ready.note, run.end
            );
            return Some(disagreement("end", detail));
        }
        None
    }
}

/// The verdict on a program.
pub enum Verdict {
    /// Both backends agree; `broken` tells whether both found a violation.
    Agrees {
        broken: bool,
        note: String,
    },
    TooLong,
    Disagrees(Disagreement),
}

/// Returns the number of the program in a file `src/p12.rs`.
fn program_of(file: &str) -> Option<usize> {
    file.strip_prefix("src/p")?
        .strip_suffix(".rs")?
        .parse()
        .ok()
}

fn first_difference(interpreted: &str, compiled: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (interpreted.lines().collect(), compiled.lines().collect());
    let i = (0..a.len().max(b.len()))
        .find(|&i| a.get(i) != b.get(i))
        .unwrap_or_default();
    let line = |lines: &[&str]| {
        lines
            .get(i)
            .map_or("(nothing)".to_owned(), |l| (*l).to_owned())
    };
    format!(
        "line {}:\n  interpreted: {}\n  compiled:    {}",
        i + 1,
        line(&a),
        line(&b)
    )
}
