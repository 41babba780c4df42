//! The measured programs and their packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Args;
use crate::{demo, root};

/// A program to measure.
pub struct Subject {
    pub name: String,
    folder: PathBuf,
    /// Whether it is a package already.
    is_package: bool,
}

impl Subject {
    /// Returns the directory of the Dafny files under test; `package` is the package that was
    /// created for it.
    pub fn sources<'s>(&'s self, package: &'s Path) -> &'s Path {
        if self.is_package {
            package
        } else {
            &self.folder
        }
    }

    /// Whether its suite runs against a translation. Hand-written Rust has no translation to
    /// mutate.
    fn has_translation(&self) -> Result<bool, String> {
        #[derive(serde::Deserialize)]
        struct Settings {
            against: Option<String>,
        }
        let path = self.folder.join("dtest.toml");
        let Ok(text) = std::fs::read_to_string(&path) else {
            return Ok(true);
        };
        let settings: Settings =
            toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(settings.against.is_none())
    }
}

/// Returns the named directories, or the fixtures.
pub fn subjects(args: &Args) -> Result<Vec<Subject>, String> {
    let of = |folder: PathBuf| {
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_package = folder.join("Cargo.toml").is_file();
        Subject {
            name,
            folder,
            is_package,
        }
    };
    if !args.folders.is_empty() {
        return Ok(args.folders.iter().cloned().map(of).collect());
    }
    let all: Vec<_> = demo::fixtures()?.into_iter().map(of).collect();
    if let Some(unknown) = args
        .fixture
        .iter()
        .find(|name| !all.iter().any(|s| s.name == **name))
    {
        return Err(format!("there is no fixture {unknown}"));
    }
    let mut subjects = Vec::new();
    for subject in all {
        let is_wanted = args.fixture.is_empty() || args.fixture.contains(&subject.name);
        if is_wanted && subject.has_translation()? {
            subjects.push(subject);
        }
    }
    Ok(subjects)
}

/// Writes the translation and the suite of `subject` into `package`, with further arguments for
/// `gen`. The library of a directory includes the code of included files, so that their tests are
/// generated too.
pub fn generate(
    subject: &Subject,
    coverage: &str,
    package: &Path,
    tool: &Path,
    further: &[String],
) -> Result<(), String> {
    let mut command = Command::new(tool);
    command
        .args(["dtest", "gen", "--quiet", "--coverage", coverage])
        .args(further);
    if subject.is_package {
        copy_sources(&subject.folder, package)?;
        command.current_dir(package);
    } else {
        let manifest = format!(
            "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n\
             dunit = {{ path = {:?} }}\n",
            root().join("dunit")
        );
        std::fs::write(package.join("Cargo.toml"), manifest).map_err(|e| e.to_string())?;
        let included = (!further.iter().any(|a| a == "--included")).then_some("--included");
        command
            .args(included)
            .arg(&subject.folder)
            .arg("--out")
            .arg(package)
            .current_dir(package);
    }
    let output = command
        .output()
        .map_err(|e| format!("cannot run cargo-dtest: {e}"))?;
    // 0: success; 7: the program has violations, for which no test is written.
    match output.status.code() {
        Some(0 | 7) => Ok(()),
        Some(_) | None => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!(
                "`cargo dtest gen` ended with {}\n{said}",
                output.status
            ))
        }
    }
}

/// Copies the hand-written part of a package: its manifest, `dtest.toml`, and the sources that are
/// not generated.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    let manifest = std::fs::read_to_string(from.join("Cargo.toml")).map_err(|e| e.to_string())?;
    let manifest = manifest.replace("path = \"../..", &format!("path = \"{}", root().display()));
    std::fs::write(to.join("Cargo.toml"), manifest).map_err(|e| e.to_string())?;
    let written = |text: &str| !text.starts_with("// @generated");
    for entry in walkdir::WalkDir::new(from)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_file())
    {
        let Ok(relative) = entry.path().strip_prefix(from) else {
            continue;
        };
        let is_source = relative.starts_with("src") || relative == Path::new("dtest.toml");
        let Ok(text) = std::fs::read_to_string(entry.path()) else {
            continue;
        };
        if is_source && written(&text) {
            let target = to.join(relative);
            let folder = target.parent().unwrap_or(to);
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(&target, text))
                .map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// Returns the number of tests in a package's suite.
pub fn tests(package: &Path) -> usize {
    let files = walkdir::WalkDir::new(package.join("tests/dtest"))
        .into_iter()
        .filter_map(Result::ok);
    let texts = files.filter_map(|e| std::fs::read_to_string(e.path()).ok());
    texts
        .map(|t| {
            t.lines()
                .filter(|l| l.trim_start().starts_with("#[dunit"))
                .count()
        })
        .sum()
}
