//! Packages in temporary directories, and runs of the tool in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package that is removed at the end of the test.
pub struct Package {
    directory: tempfile::TempDir,
}

/// The result of a run of the tool.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Package {
    /// Creates a package with these files; a `Cargo.toml` is added.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let package = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        package.write("Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n");
        for (path, text) in files {
            package.write(path, text);
        }
        package
    }

    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs `cargo-dtest` with these arguments, isolated from the user's environment.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Returns the command that [`Package::run`] runs.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tool();
        command
            .args(arguments)
            .current_dir(self.root())
            .env("DTEST_RUNTIME", runtime());
        command
    }

    /// Returns every file with its text, without those below `target`.
    pub fn files(&self) -> BTreeMap<String, String> {
        let walk = walkdir::WalkDir::new(self.root())
            .into_iter()
            .filter_entry(|e| e.file_name() != "target");
        let files = walk.flatten().filter(|e| e.file_type().is_file());
        let text = |e: walkdir::DirEntry| {
            let path = e
                .path()
                .strip_prefix(self.root())
                .unwrap()
                .display()
                .to_string();
            (path, std::fs::read_to_string(e.path()).unwrap())
        };
        files.map(text).collect()
    }
}

/// Returns a command for the binary, isolated from the user's environment.
pub fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dtest"));
    for name in [
        "CARGO_TERM_COLOR",
        "DTEST_MESSAGE_FORMAT",
        "DTEST_FUNCTION_SYNTAX",
        "DTEST_UNICODE_CHAR",
        "DTEST_CACHE_DIR",
        "DTEST_TIMEOUT",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(name);
    }
    command
}

/// Returns the path of this repository's `dunit`.
pub fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .join("dunit")
}

impl Run {
    /// Returns the lines of JSON of one kind.
    pub fn lines(&self, kind: &str) -> Vec<serde_json::Value> {
        let lines = self
            .stdout
            .lines()
            .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
        lines.filter(|l| l["kind"] == kind).collect()
    }

    /// Returns both streams and the exit code, for a snapshot. The seconds at the end of the table
    /// are left out, with the spaces before them, whose number varies.
    pub fn shown(&self) -> String {
        let text = format!("{}{}", self.stdout, self.stderr);
        let lines = text.lines().map(|line| match line.rsplit_once(' ') {
            Some((rest, seconds)) if is_seconds(seconds) => format!("{} _.__", rest.trim_end()),
            Some(_) | None => line.to_owned(),
        });
        format!(
            "{}\nexit code {}",
            lines.collect::<Vec<_>>().join("\n").trim_end(),
            self.code
        )
    }
}

/// Whether a text is a number with two decimals.
fn is_seconds(text: &str) -> bool {
    text.split_once('.').is_some_and(|(whole, part)| {
        part.len() == 2
            && (whole.to_owned() + part)
                .chars()
                .all(|c| c.is_ascii_digit())
    })
}
