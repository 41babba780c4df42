//! A package in a temporary directory, and the tool run in it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A package that is removed when the test ends.
pub struct Package {
    directory: tempfile::TempDir,
}

/// What a run of the tool gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Package {
    /// A package with these files; a `Cargo.toml` is added.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let package = Self { directory: tempfile::tempdir().unwrap() };
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

    /// Runs `cargo-dtest` with these arguments, without the user's environment getting in the way.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dtest"));
        command.args(arguments).current_dir(self.root()).env("DTEST_RUNTIME", runtime());
        for name in ["CARGO_TERM_COLOR", "DTEST_MESSAGE_FORMAT", "DTEST_FUNCTION_SYNTAX", "DTEST_UNICODE_CHAR"] {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Where this repository's `dunit` is.
pub fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("dunit")
}

impl Run {
    /// Both streams and the exit code, for a snapshot; the seconds at the end of the table are left out.
    pub fn shown(&self) -> String {
        let text = format!("{}{}", self.stdout, self.stderr);
        let lines = text.lines().map(|line| match line.rsplit_once(' ') {
            Some((rest, seconds)) if is_seconds(seconds) => format!("{rest} _.__"),
            Some(_) | None => line.to_owned(),
        });
        format!("{}\nexit code {}", lines.collect::<Vec<_>>().join("\n").trim_end(), self.code)
    }
}

/// A number with two decimals.
fn is_seconds(text: &str) -> bool {
    text.split_once('.').is_some_and(|(whole, part)| part.len() == 2 && (whole.to_owned() + part).chars().all(|c| c.is_ascii_digit()))
}
