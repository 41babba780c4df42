//! A package with Dafny's Rust: its suite is generated, built and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Row;
use crate::process::cargo;
use crate::root;

/// Maximum time of a test.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A package to test.
pub struct Package {
    /// The name of the row.
    pub name: String,
    /// The directory, which exists.
    pub root: PathBuf,
    /// Files, `--against`, and further options of `gen`.
    pub options: Vec<String>,
    /// The directory of build products.
    pub target: PathBuf,
}

impl Package {
    /// Generates the suite and runs its tests. Returns a row for each module.
    ///
    /// # Errors
    /// A program cannot be run.
    pub fn tested(&self, tool: &Path) -> Result<Vec<Row>, String> {
        let without = |reason: String| {
            Ok(vec![Row {
                name: self.name.clone(),
                without_suite: Some(reason),
                ..Row::default()
            }])
        };
        if let Err(reason) = self.build(&["check", "--lib", "--quiet"]) {
            return without(format!("Dafny's Rust does not compile: {reason}"));
        }
        let mut generate = Command::new(tool);
        generate
            .args(["dtest", "gen", "--convention", "dafny"])
            .args(["--message-format", "json"])
            .args(&self.options)
            .current_dir(&self.root);
        let output = generate
            .output()
            .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
        // Findings have an exit code of their own.
        let lines = String::from_utf8_lossy(&output.stdout);
        if !lines.contains("\"kind\":\"unit\"") {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().find(|l| l.starts_with("error"));
            return without(line.unwrap_or("`gen` failed").to_owned());
        }
        let messages = lines.lines().filter_map(|l| serde_json::from_str(l).ok());
        let mut modules = Modules::of(messages);
        let arguments = ["test", "--no-run", "--test", "dtest"];
        match self.build(&[&arguments[..], &["--message-format", "json"]].concat()) {
            Ok(messages) => self.run_tests(&messages, &mut modules)?,
            Err(reason) => return without(format!("the suite does not compile: {reason}")),
        }
        Ok(modules.rows.into_values().collect())
    }

    /// Runs cargo, and returns its output; an error is the first line of its errors.
    fn build(&self, args: &[&str]) -> Result<String, String> {
        let mut command = cargo(&self.root, args);
        command.env("CARGO_TARGET_DIR", &self.target);
        let output = command
            .output()
            .map_err(|e| format!("cannot run cargo: {e}"))?;
        let (text, errors) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr),
        );
        if output.status.success() {
            return Ok(text);
        }
        // With `--message-format json`, errors of rustc are messages.
        let rendered = text
            .lines()
            .filter_map(|l| serde_json::from_str::<Value>(l).ok())
            .filter(|m| m["message"]["level"] == "error")
            .find_map(|m| m["message"]["rendered"].as_str().map(str::to_owned));
        let first = |text: &str| {
            text.lines()
                .find(|l| l.starts_with("error"))
                .map(str::to_owned)
        };
        let reason = rendered
            .as_deref()
            .and_then(first)
            .or_else(|| first(&errors));
        Err(reason.unwrap_or_else(|| "cargo failed".to_owned()))
    }

    /// Runs each test of the built suite in a process of its own.
    fn run_tests(&self, messages: &str, modules: &mut Modules) -> Result<(), String> {
        let executable = messages
            .lines()
            .filter_map(|l| serde_json::from_str::<Value>(l).ok())
            .find_map(|m| m["executable"].as_str().map(PathBuf::from))
            .ok_or("cargo names no test program")?;
        let list = Command::new(&executable)
            .args(["--list", "--format", "terse"])
            .output()
            .map_err(|e| format!("cannot run {}: {e}", executable.display()))?;
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        for test in list.lines().filter_map(|l| l.strip_suffix(": test")) {
            let failure = self.run_test(&executable, test)?;
            let row = modules.row_of(test);
            match failure {
                None => row.passed += 1,
                Some(message) => row.failed.push((test.to_owned(), message)),
            }
        }
        Ok(())
    }

    /// Runs a test. Returns the message if it fails.
    fn run_test(&self, executable: &Path, test: &str) -> Result<Option<String>, String> {
        let log = self.target.join("test.log");
        let file = |e: std::io::Error| format!("cannot write {}: {e}", log.display());
        let out = fs::File::create(&log).map_err(file)?;
        let err = out.try_clone().map_err(file)?;
        let mut child = Command::new(executable)
            .args(["--exact", test, "--nocapture"])
            .current_dir(&self.root)
            .stdout(Stdio::from(out))
            .stderr(Stdio::from(err))
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", executable.display()))?;
        let status = wait(&mut child).map_err(|e| format!("cannot wait for {test}: {e}"))?;
        let text = fs::read(&log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        Ok(match status {
            Some(status) if status.success() => None,
            Some(status) => Some(format!("{}{}", message_of(&text), ended(status))),
            None => Some(format!("no end within {} s", TIME_LIMIT.as_secs())),
        })
    }
}

/// The rows of the modules of a program.
#[derive(Default)]
struct Modules {
    rows: BTreeMap<String, Row>,
    /// The module of each test.
    tests: BTreeMap<String, String>,
}

impl Modules {
    /// Counts units, and goals that have no test because the test cannot be written.
    fn of(messages: impl Iterator<Item = Value>) -> Self {
        let mut modules = Self::default();
        for unit in messages.filter(|m| m["kind"] == "unit") {
            let module = unit["module"].as_str().unwrap_or_default().to_owned();
            let tests = unit["tests"].as_array().cloned().unwrap_or_default();
            let row = modules.row(&module);
            row.units += 1;
            row.tested += usize::from(!tests.is_empty());
            let goals = unit["goals"].as_array().cloned().unwrap_or_default();
            for goal in goals {
                let reason = goal["reason"].as_str().unwrap_or_default();
                if let Some((_, reason)) = reason.split_once("the test cannot be written: ") {
                    *row.left_out.entry(reason.to_owned()).or_default() += 1;
                }
            }
            let tests = tests.iter().filter_map(|t| t.as_str());
            modules
                .tests
                .extend(tests.map(|t| (t.to_owned(), module.clone())));
        }
        modules
    }

    fn row(&mut self, module: &str) -> &mut Row {
        self.rows.entry(module.to_owned()).or_insert_with(|| Row {
            name: if module.is_empty() { "_module" } else { module }.to_owned(),
            ..Row::default()
        })
    }

    fn row_of(&mut self, test: &str) -> &mut Row {
        let module = self.tests.get(test).cloned().unwrap_or_default();
        self.row(&module)
    }
}

/// Waits for a process to end. Ends it after the time limit, and then returns `None`.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The message of a failing test, in one line: what is between the lines of the test harness.
fn message_of(text: &str) -> String {
    let lines = text.lines().skip_while(|l| !l.starts_with("running "));
    let shown: Vec<&str> = lines
        .skip(1)
        .take_while(|l| !l.starts_with("note: ") && !l.starts_with("test "))
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .take(6)
        .collect();
    shown.join(" ")
}

/// The signal that ended a process, if one did.
fn ended(status: ExitStatus) -> String {
    if status.code().is_some() {
        String::new()
    } else {
        format!(" {status}")
    }
}

/// Writes the manifest of a package.
///
/// # Errors
/// The file cannot be written.
pub fn write_manifest(
    directory: &Path,
    name: &str,
    dependencies: &BTreeMap<&str, String>,
) -> Result<(), String> {
    let dunit = root().join("dunit");
    let mut text = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\npublish = false\n\n[workspace]\n\n[dependencies]\n"
    );
    for (dependency, value) in dependencies {
        text.push_str(&format!("{dependency} = {value}\n"));
    }
    text.push_str("\n[dev-dependencies]\n");
    for name in ["dunit", "dmock"] {
        let path = dunit.with_file_name(name);
        text.push_str(&format!(
            "{name} = {{ path = {:?} }}\n",
            path.display().to_string()
        ));
    }
    let path = directory.join("Cargo.toml");
    fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    let lock = directory.join("Cargo.lock");
    fs::copy(root().join("Cargo.lock"), &lock)
        .map_err(|e| format!("cannot write {}: {e}", lock.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Modules, message_of};

    #[test]
    fn units_and_goals_without_a_test_are_counted_by_module() {
        let unit = serde_json::json!({
            "kind": "unit", "module": "A", "tests": ["a::f::runs"],
            "goals": [
                {"reason": "inputs were found, but the test cannot be written: reals"},
                {"status": "covered"},
            ],
        });
        let mut modules = Modules::of([unit, serde_json::json!({"kind": "end"})].into_iter());
        modules.row_of("a::f::runs").passed += 1;
        let row = &modules.rows["A"];
        assert_eq!((row.units, row.tested, row.passed), (1, 1, 1));
        assert_eq!(row.left_out["reals"], 1);
    }

    #[test]
    fn the_message_of_a_panic_is_one_line() {
        let text = "\nrunning 1 test\n\nthread 'a::runs' (12) panicked at tests/a.rs:3:5:\nexpected 1\n  but it is 2\nnote: run with `RUST_BACKTRACE=1`\ntest a::runs ... FAILED\n";
        assert_eq!(
            message_of(text),
            "thread 'a::runs' (12) panicked at tests/a.rs:3:5: expected 1 but it is 2"
        );
        assert_eq!(message_of("nothing"), "");
    }
}
