//! A process of the official Dafny that resolves one program after the other.

use dtest::cli::args::{DafnyArgs, GeneralTraits};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The official result for one program.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// 0: resolved. 2: errors. Any other code: no verdict.
    pub(super) code: u64,
    pub(super) errors: Vec<OfficialError>,
}

#[derive(Debug)]
pub(super) struct OfficialError {
    /// The name of an included file. Empty for the program's own file.
    pub(super) file: String,
    /// The line, counted from 1. 0 for a message without a position.
    pub(super) line: u32,
    pub(super) message: String,
}

pub(super) struct Dafny {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// The command-line options of `dafny-resolve-many`.
pub(super) fn options_of(settings: &DafnyArgs) -> Vec<String> {
    let mut words = Vec::new();
    if settings.type_system_refresh == Some(true) {
        words.push("--type-system-refresh".to_owned());
    }
    if settings.general_newtypes == Some(true) {
        words.push("--general-newtypes".to_owned());
    }
    match settings.general_traits {
        Some(GeneralTraits::Datatype) => {
            words.extend(["--general-traits".to_owned(), "datatype".to_owned()]);
        }
        Some(GeneralTraits::Full) => {
            words.extend(["--general-traits".to_owned(), "full".to_owned()]);
        }
        Some(GeneralTraits::Legacy) | None => {}
    }
    let mut other = |option: String| words.push(format!("--option={option}"));
    if let Some(syntax) = settings.function_syntax {
        other(format!("--function-syntax:{}", syntax.value()));
    }
    if let Some(version) = settings.quantifier_syntax {
        other(format!("--quantifier-syntax:{version}"));
    }
    if settings.reads_clauses_on_methods == Some(true) {
        other("--reads-clauses-on-methods".to_owned());
    }
    words
}

/// Finds `dafny-resolve-many` in `DTEST_DAFNY`, otherwise in `shared/dafny` beside the checkout.
fn program() -> Result<PathBuf, String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/dafny");
    let given = std::env::var_os("DTEST_DAFNY").map_or_else(beside, PathBuf::from);
    let candidates = [
        given.clone(),
        given.join("dafny-resolve-many"),
        given
            .parent()
            .unwrap_or(Path::new("."))
            .join("dafny-resolve-many"),
    ];
    // The folder's `dafny` may be given as well: the driver is beside it.
    candidates
        .into_iter()
        .find(|p| p.is_file() && p.file_name().is_some_and(|n| n == "dafny-resolve-many"))
        .ok_or_else(|| {
            format!(
                "there is no `dafny-resolve-many` at {}; set DTEST_DAFNY to its folder",
                given.display()
            )
        })
}

impl Dafny {
    pub(super) fn start(options: &[String]) -> Result<Self, String> {
        let program = program()?;
        let mut process = Command::new(&program)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("pipes are missing".into());
        };
        Ok(Self {
            process,
            input,
            output: BufReader::new(output),
        })
    }

    /// Resolves files. Returns the results in their order.
    pub(super) fn ask(&mut self, files: &[PathBuf]) -> Result<Vec<Answer>, String> {
        let mut answers = Vec::new();
        // The process reads up to 200 names before it writes results. Smaller batches cannot fill a
        // pipe.
        for files in files.chunks(100) {
            for file in files {
                let path = std::path::absolute(file).unwrap_or_else(|_| file.clone());
                writeln!(self.input, "{}", path.display()).map_err(|e| e.to_string())?;
            }
            self.input.flush().map_err(|e| e.to_string())?;
            for _ in files {
                let mut line = String::new();
                self.output
                    .read_line(&mut line)
                    .map_err(|e| e.to_string())?;
                answers.push(answer(&line).ok_or("the official tool gave no answer")?);
            }
        }
        Ok(answers)
    }
}

impl Drop for Dafny {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn answer(line: &str) -> Option<Answer> {
    let value: Value = serde_json::from_str(line).ok()?;
    let error = |e: &Value| OfficialError {
        file: e["file"]
            .as_str()
            .and_then(|f| f.rsplit('/').next())
            .unwrap_or_default()
            .to_owned(),
        line: e["line"].as_u64().unwrap_or(0) as u32,
        message: e["message"].as_str().unwrap_or_default().to_owned(),
    };
    Some(Answer {
        code: value["rc"].as_u64()?,
        errors: value["errors"].as_array()?.iter().map(error).collect(),
    })
}
