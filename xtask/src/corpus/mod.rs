//! `cargo xtask corpus DIR`: runs the tool on real Dafny programs, and prints a row per program and
//! the totals.
//!
//! Every program is processed by a separate process, as a user would; the generated packages are
//! members of one workspace, so that they compile together and share dependencies. By default
//! suites are generated and run ([`generate`]); with `--run`, `Main` is run, and its output is
//! compared with Dafny's ([`judge`]).

pub mod contracts;
mod generate;
mod judge;
pub mod power;
mod said;
pub mod workspace;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::{root, z3};

#[derive(clap::Args, Default)]
pub struct Args {
    /// A directory of Dafny programs; with a manifest.json, the programs that it lists
    directory: PathBuf,
    /// Run `Main` in the interpreter and as compiled Rust, and compare what they print with the
    /// manifest's `expect`
    #[arg(long)]
    run: bool,
    /// Only use programs whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Generate, but do not compile and run the suites
    #[arg(long)]
    no_test: bool,
    /// Directory of the generated packages
    #[arg(long, default_value = "target/corpus")]
    out: PathBuf,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
    /// The source of Dafny's standard libraries, for programs that use them [default: the corpus
    /// `stdlib` beside this one]
    #[arg(long)]
    standard_libraries: Option<PathBuf>,
    /// Also write all rows as JSON to this file
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The name of Dafny's project files.
const PROJECT: &str = "dfyconfig.toml";

/// A row of a manifest.
#[derive(Deserialize, Clone)]
struct Entry {
    path: String,
    /// The file with the expected output.
    expect: Option<String>,
    #[serde(default)]
    extra: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    function_syntax: Option<u8>,
    unicode_char: Option<bool>,
}

/// Options of Dafny that affect neither the meaning of a program nor its output.
const WITHOUT_MEANING: [&str; 6] = [
    "--spill-translation",
    "--allow-deprecation",
    "--allow-warnings",
    "--verify-included-files",
    "--reads-clauses-on-methods",
    "--verbose",
];

impl Entry {
    /// Returns the options of the tool that correspond to those of the manifest, with the standard
    /// libraries at `libraries`; the tool rejects unknown ones.
    fn options(&self, libraries: &Path) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        for flag in &self.flags {
            match options.last_mut() {
                Some(last) if !flag.starts_with("--") => last.push_str(&format!("={flag}")),
                _ => options.push(flag.replacen(':', "=", 1)),
            }
        }
        options.retain(|o| !WITHOUT_MEANING.contains(&o.split('=').next().unwrap_or_default()));
        for option in options
            .iter_mut()
            .filter(|o| ["--standard-libraries", "--standard-libraries=true"].contains(&o.as_str()))
        {
            *option = format!("--standard-libraries={}", libraries.display());
        }
        options.extend(
            self.function_syntax
                .map(|v| format!("--function-syntax={v}")),
        );
        options.extend(self.unicode_char.map(|v| format!("--unicode-char={v}")));
        options
    }

    /// Returns a process of the tool's `command` on this program.
    fn command(&self, tool: &Path, args: &Args, command: &str) -> Command {
        let directory = &args.directory;
        let libraries = args
            .standard_libraries
            .clone()
            .unwrap_or_else(|| directory.join("../stdlib/src"));
        let libraries = std::path::absolute(&libraries).unwrap_or(libraries);
        let mut process = Command::new(tool);
        process
            .args(["dtest", command])
            .args(self.options(&libraries));
        // A project file enables the standard libraries but does not name their path; any other
        // program must not get them implicitly.
        if Path::new(&self.path)
            .file_name()
            .is_some_and(|name| name == PROJECT)
        {
            process.env("DTEST_STANDARD_LIBRARIES", libraries);
        }
        process
            .arg(directory.join(&self.path))
            .args(self.extra.iter().map(|e| directory.join(e)));
        process
    }

    /// Returns a name for the package of this program, the `index`th of its directory.
    fn package(&self, index: usize) -> String {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        };
        let stem: String = self
            .path
            .trim_end_matches(".dfy")
            .chars()
            .map(plain)
            .collect();
        format!("p{index}-{}", stem.trim_matches('-'))
    }
}

/// Runs the task.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let out = root().join(&args.out);
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let mut entries: Vec<(usize, Entry)> =
        programs(&args.directory)?.into_iter().enumerate().collect();
    entries.retain(|(_, e)| {
        args.filter
            .as_ref()
            .is_none_or(|f| e.path.contains(f.as_str()))
    });
    if args.run {
        judge::run(args, &out, &entries)
    } else {
        generate::run(args, &out, &entries)
    }
}

fn programs(directory: &Path) -> Result<Vec<Entry>, String> {
    let manifest = directory.join("manifest.json");
    if manifest.is_file() {
        let text = std::fs::read_to_string(&manifest).map_err(|e| e.to_string())?;
        return serde_json::from_str(&text).map_err(|e| format!("{}: {e}", manifest.display()));
    }
    // A directory with a project file is one program.
    let is_project = |p: &Path| p.join(PROJECT).is_file();
    let mut walk = walkdir::WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter();
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(item) = walk.next() {
        let Ok(path) = item.map(walkdir::DirEntry::into_path) else {
            continue;
        };
        if path.is_dir() && is_project(&path) {
            found.push(path.join(PROJECT));
            walk.skip_current_dir();
        } else if path.extension().is_some_and(|x| x == "dfy") {
            found.push(path);
        }
    }
    let relative = found.iter().filter_map(|p| {
        p.strip_prefix(directory)
            .ok()
            .map(|p| p.to_string_lossy().into_owned())
    });
    let entry = |path| Entry {
        path,
        expect: None,
        extra: vec![],
        flags: vec![],
        function_syntax: None,
        unicode_char: None,
    };
    Ok(relative.map(entry).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Entry;

    #[test]
    fn options_of_the_manifest_become_those_of_the_tool() {
        let flags = [
            "--spill-translation",
            "--unicode-char",
            "false",
            "--standard-libraries",
            "--general-traits=full",
            "--unheard-of",
        ];
        let flags = flags.map(str::to_owned).to_vec();
        let entry = Entry {
            path: "a/B.dfy".into(),
            expect: None,
            extra: vec![],
            flags,
            function_syntax: None,
            unicode_char: None,
        };
        let expected = [
            "--unicode-char=false",
            "--standard-libraries=lib",
            "--general-traits=full",
            "--unheard-of",
        ];
        assert_eq!(entry.options(Path::new("lib")), expected);
        assert_eq!(entry.package(7), "p7-a-b");
    }
}
