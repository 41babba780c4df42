//! `cargo xtask bench`: the cost of the search, the instructions of each stage, and the time of
//! parsing and resolving real programs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, cargo, run};
use crate::{root, z3};

/// Stages whose instructions are counted; each includes the previous ones.
const STAGES: [&str; 5] = ["lex", "parse", "resolve", "lower", "encode"];
/// The counts of the last accepted run, for comparison.
const KNOWN: &str = "dtest/benches/instructions.txt";

#[derive(clap::Args)]
pub struct Args {
    /// Directories of Dafny programs, each file or entry of its manifest.json a program: times of
    /// parsing and resolving
    directories: Vec<PathBuf>,
    /// A directory whose files are one program
    #[arg(long)]
    one: Vec<PathBuf>,
    /// The source of Dafny's standard libraries, for the programs of `--one`
    #[arg(long)]
    standard_libraries: Option<PathBuf>,
    /// Save the instruction counts of this run for comparison
    #[arg(long)]
    accept: bool,
    /// Only measure the growth of time and memory with the number of units, up to this many
    #[arg(long, value_name = "UNITS", num_args = 0..=1, default_missing_value = "10000")]
    scale: Option<usize>,
    /// Only measure the latency of the language server after a keystroke: in generated programs,
    /// and in those of the directories
    #[arg(long)]
    editor: bool,
    /// With `--editor`: use this `cargo-dtest` instead of building one
    #[arg(long, value_name = "PATH", requires = "editor")]
    tool: Option<PathBuf>,
}

pub fn bench(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    if let Some(most) = args.scale {
        return crate::scale::run(most);
    }
    if args.editor {
        return crate::editor::run(args.tool.as_deref(), &args.directories);
    }
    run(&mut cargo(
        &root(),
        &["bench", "-p", "dtest", "--bench", "search"],
    ))?;
    instructions(args.accept)?;
    if args.directories.is_empty() && args.one.is_empty() {
        return Ok(());
    }
    let mut command = cargo(
        &root(),
        &["bench", "-p", "dtest", "--bench", "frontend", "--"],
    );
    let absolute = |p: &PathBuf| std::path::absolute(p).unwrap_or_else(|_| p.clone());
    if let Some(library) = &args.standard_libraries {
        command.arg(format!(
            "--standard-libraries={}",
            absolute(library).display()
        ));
    }
    for directory in &args.one {
        command.arg("--one").arg(absolute(directory));
    }
    command.args(args.directories.iter().map(absolute));
    run(&mut command)
}

/// Prints the instructions by stage over the sources of the fixtures, with the saved counts.
fn instructions(accept: bool) -> Result<(), String> {
    let program = executable("instructions")?;
    let sources = sources();
    let Some(counter) = Counter::find() else {
        println!(
            "\nInstructions are not counted: neither valgrind nor perf can be run (`apt install valgrind`)."
        );
        return Ok(());
    };
    let bytes: u64 = sources
        .iter()
        .filter_map(|p| std::fs::metadata(p).ok())
        .map(|m| m.len())
        .sum();
    let known = std::fs::read_to_string(root().join(KNOWN)).unwrap_or_default();
    println!(
        "\nInstructions over the {} files of the fixtures ({bytes} bytes), counted by {}",
        sources.len(),
        counter.name()
    );
    println!(
        "{:<10} {:>14} {:>12} {:>14} {:>9}",
        "stage", "instructions", "for a byte", "known", "change"
    );
    // Stages are cumulative: the instructions of a stage are those beyond the stage before.
    let mut before = counter.count(&program, "read", &sources)?;
    let mut kept = String::new();
    for stage in STAGES {
        let sum = counter.count(&program, stage, &sources)?;
        let own = sum.saturating_sub(before);
        let last = known
            .lines()
            .filter_map(|l| l.split_once(' '))
            .find(|(s, _)| *s == stage)
            .and_then(|(_, n)| n.trim().parse::<u64>().ok());
        let change = last.map_or_else(
            || "-".into(),
            |k| {
                format!(
                    "{:+.1} %",
                    100.0 * (own as f64 - k as f64) / k.max(1) as f64
                )
            },
        );
        println!(
            "{stage:<10} {own:>14} {:>12.0} {:>14} {change:>9}",
            own as f64 / bytes as f64,
            last.unwrap_or(0)
        );
        let _ = writeln!(kept, "{stage} {own}");
        before = sum;
    }
    println!("{KNOWN} has the known counts, `cargo xtask bench --accept` replaces them");
    if accept {
        std::fs::write(root().join(KNOWN), kept)
            .map_err(|e| format!("cannot write {KNOWN}: {e}"))?;
    }
    Ok(())
}

/// Returns the Dafny files of the fixtures, in order.
fn sources() -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(root().join("fixtures"))
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    all.map(walkdir::DirEntry::into_path)
        .filter(|p| p.extension().is_some_and(|x| x == "dfy"))
        .collect()
}

/// Builds a benchmark. Returns the path of its executable.
fn executable(bench: &str) -> Result<PathBuf, String> {
    let mut command = cargo(
        &root(),
        &[
            "bench",
            "-p",
            "dtest",
            "--bench",
            bench,
            "--no-run",
            "--message-format=json",
        ],
    );
    let output = command
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let is_it = |m: &serde_json::Value| {
        m.pointer("/target/name")
            .and_then(serde_json::Value::as_str)
            == Some(bench)
    };
    let path = |m: serde_json::Value| {
        m.get("executable")
            .and_then(serde_json::Value::as_str)
            .map(PathBuf::from)
    };
    let error = || {
        format!(
            "the bench {bench} was not built: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    };
    messages.filter(is_it).find_map(path).ok_or_else(error)
}

/// The instruction counter.
enum Counter {
    Valgrind,
    Perf,
}

impl Counter {
    fn find() -> Option<Self> {
        if process::succeeds(Command::new("valgrind").arg("--version")) {
            return Some(Self::Valgrind);
        }
        process::succeeds(Command::new("perf").args(["stat", "-e", "instructions:u", "true"]))
            .then_some(Self::Perf)
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Valgrind => "valgrind (callgrind)",
            Self::Perf => "perf",
        }
    }

    fn count(&self, program: &Path, stage: &str, sources: &[PathBuf]) -> Result<u64, String> {
        let mut command = match self {
            Self::Valgrind => {
                let mut c = Command::new("valgrind");
                c.args([
                    "--tool=callgrind",
                    "--callgrind-out-file=/dev/null",
                    "--main-stacksize=8388608",
                ]);
                c
            }
            Self::Perf => {
                let mut c = Command::new("perf");
                c.args(["stat", "-x", ",", "-e", "instructions:u"]);
                c
            }
        };
        let output = command
            .arg(program)
            .arg(stage)
            .args(sources)
            .output()
            .map_err(|e| format!("cannot run {}: {e}", self.name()))?;
        let text = String::from_utf8_lossy(&output.stderr);
        let number = |line: &str| {
            line.split([':', ',', ' '])
                .filter(|w| !w.is_empty())
                .find_map(|w| w.parse().ok())
        };
        let line = match self {
            Self::Valgrind => text
                .lines()
                .find(|l| l.contains("Collected :"))
                .map(|l| l.rsplit_once(':').map_or(l, |(_, n)| n)),
            Self::Perf => text.lines().find(|l| l.contains("instructions")),
        };
        line.and_then(number)
            .ok_or_else(|| format!("{} gave no count: {text}", self.name()))
    }
}
