//! `cargo dev mutants`: compares mutants with their reported texts, and validates equivalent
//! mutants by random executions.
//!
//! `cargo dev mutants [--inputs N] [--tests N] [--every N] [--unit TEXT] [--dafny FILE]
//! DIR-OR-FILE…`
//!
//! The reported replacement of a mutant is inserted into the program, which then has to resolve,
//! and to behave like the mutant on the first tests of the unit (8). A mutant that is proved to be
//! equivalent is executed on N random inputs (1,000), both in the IR and as text. With `--every N`,
//! one mutant in N is checked, and all equivalent ones.
//!
//! With `--dafny FILE`, or if `DTEST_DAFNY` names the folder of the official Dafny,
//! `dafny-resolve-many` resolves each text as well. Contradictions are printed, and the exit code
//! is 1.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Args, support};
use dtest::cli::args::DafnyArgs;
use dtest::fuzz::mutant_texts::{Effort, Tally, hold};
use dtest_search::{Options, Strength};

/// The maximum number of programs that one run of Dafny resolves.
const BATCH: usize = 2_000;

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let mut effort = Effort {
        tests: 8,
        inputs: 1_000,
        every: 1,
    };
    let (mut paths, mut settings) = (Vec::new(), DafnyArgs::default());
    // The variable names Dafny's executable or its folder.
    let beside = |d: std::ffi::OsString| {
        let path = PathBuf::from(d);
        let folder = match path.is_file() {
            true => path.parent().unwrap_or(Path::new(".")),
            false => &path,
        };
        folder.join("dafny-resolve-many")
    };
    let mut dafny = std::env::var_os("DTEST_DAFNY").map(beside);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|v| v.parse().ok()).unwrap_or(1);
        match arg.as_str() {
            "--inputs" => effort.inputs = number(),
            "--tests" => effort.tests = number(),
            "--every" => effort.every = number(),
            "--dafny" => dafny = args.next().map(PathBuf::from),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let options = Options {
        strength: Strength::Mutants,
        timeout: Duration::from_secs(20),
        ..Options::default()
    };
    let mut tally = Tally::default();
    let mut official = match &dafny {
        Some(program) => Some(OfficialDafny::new(program)?),
        None => None,
    };
    for job in support::all_jobs(&paths, &settings, false) {
        let support::Program {
            sources,
            trees,
            errors,
        } = job.load();
        if !errors.is_empty() {
            continue;
        }
        let (typed, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
        if diagnostics.iter().any(|d| d.is_error()) {
            continue;
        }
        let mut one = Tally::default();
        // Dafny receives a single file, without included ones.
        let is_single = sources.files().count() == 1;
        hold(
            typed,
            &sources,
            &options,
            effort,
            &mut one,
            &mut |name, _, text| {
                if let Some(official) = official.as_mut().filter(|_| is_single) {
                    official.add(name, text);
                }
            },
        );
        one.faults().for_each(|fault| println!("{fault}"));
        tally.add(one);
    }
    let mut refused = Vec::new();
    if let Some(official) = &official {
        refused = official.refused()?;
        refused.iter().for_each(|r| println!("{r}"));
        println!(
            "Dafny resolved {} texts and refused {}",
            official.names.len(),
            refused.len()
        );
    }
    println!("{tally}");
    for (reason, count) in &tally.open {
        println!("  undecided: {reason}: {count}");
    }
    if tally.faults().next().is_some() || !refused.is_empty() {
        return Err("mutants are not what is reported".into());
    }
    Ok(())
}

/// The official Dafny, which resolves texts.
struct OfficialDafny {
    program: PathBuf,
    folder: PathBuf,
    names: Vec<String>,
}

impl OfficialDafny {
    fn new(program: &Path) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("dtest-mutants-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self {
            program: program.to_path_buf(),
            folder,
            names: Vec::new(),
        })
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("m{number}.dfy"))
    }

    fn add(&mut self, name: &str, text: &str) {
        if std::fs::write(self.path(self.names.len()), text).is_ok() {
            self.names.push(name.to_owned());
        }
    }

    /// Dafny's messages for the texts that it rejects.
    fn refused(&self) -> Result<Vec<String>, String> {
        let mut refused = Vec::new();
        let numbers: Vec<usize> = (0..self.names.len()).collect();
        for batch in numbers.chunks(BATCH) {
            let failed = |e: std::io::Error| format!("{}: {e}", self.program.display());
            let mut child = Command::new(&self.program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(failed)?;
            let list: String = batch
                .iter()
                .map(|n| format!("{}\n", self.path(*n).display()))
                .collect();
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(list.as_bytes()).map_err(failed)?;
            }
            let output = child.wait_with_output().map_err(failed)?;
            let lines = String::from_utf8_lossy(&output.stdout);
            for (number, line) in batch.iter().zip(lines.lines()) {
                let answer: serde_json::Value =
                    serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
                if answer["rc"] == 0 {
                    continue;
                }
                let name = self.names.get(*number).map_or("", String::as_str);
                let first = &answer["errors"][0];
                refused.push(format!(
                    "Dafny: {name}: {}: {}",
                    first["line"], first["message"]
                ));
            }
        }
        Ok(refused)
    }
}

impl Drop for OfficialDafny {
    fn drop(&mut self) {
        // A failure leaves files in the system's temporary folder only.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
