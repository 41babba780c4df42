//! Comparison of this repository's programs with Dafny's verdicts.

use super::Scratch;
use super::dafny::{Dafny, options_of};
use crate::support;
use dtest::cli::args::DafnyArgs;
use dtest_sorted::{SortedMap, SortedSet};
use std::path::{Path, PathBuf};

/// The stated lines with errors. `None`: the program is stated to be accepted.
type Lines = Option<SortedSet<u32>>;

/// Checks all programs. Returns whether Dafny agrees with every statement.
pub(super) fn check() -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scratch = Scratch::new("blocks")?;
    let mut good = true;
    good &= compare("fixtures", fixtures(&root))?;
    good &= compare(
        "blocks of the documentation",
        documentation(&root, &scratch)?,
    )?;
    good &= compare(
        "programs with verdicts",
        stated(&root.join("dtest/tests/verdicts")),
    )?;
    Ok(good)
}

struct Own {
    name: String,
    path: PathBuf,
    settings: DafnyArgs,
    wanted: Lines,
}

fn compare(title: &str, programs: Vec<Own>) -> Result<bool, String> {
    let mut groups: SortedMap<Vec<String>, Vec<&Own>> = SortedMap::new();
    for own in &programs {
        groups
            .entry(options_of(&own.settings))
            .or_default()
            .push(own);
    }
    let mut differences = Vec::new();
    for (options, group) in groups.iter() {
        let mut dafny = Dafny::start(options)?;
        let files: Vec<PathBuf> = group.iter().map(|o| o.path.clone()).collect();
        for (own, answer) in group.iter().zip(dafny.ask(&files)?) {
            let lines: SortedSet<u32> = answer.errors.iter().map(|e| e.line).collect();
            let agrees = match &own.wanted {
                None => answer.code == 0,
                Some(wanted) => answer.code == 2 && lines == *wanted,
            };
            if !agrees {
                let first: Vec<String> = answer
                    .errors
                    .iter()
                    .take(12)
                    .map(|e| format!("    {}: {}", e.line, e.message))
                    .collect();
                differences.push(format!(
                    "  {} (options {options:?}): {:?}, but Dafny (exit code {}):\n{}",
                    own.name,
                    own.wanted,
                    answer.code,
                    first.join("\n")
                ));
            }
        }
    }
    println!(
        "{title}: Dafny agrees on {} of {}",
        programs.len() - differences.len(),
        programs.len()
    );
    differences.iter().for_each(|d| println!("{d}"));
    Ok(differences.is_empty())
}

fn accepted(path: PathBuf, name: String) -> Own {
    Own {
        name,
        path,
        settings: DafnyArgs::default(),
        wanted: None,
    }
}

/// The entry files of the fixtures. Included files are resolved with them.
fn fixtures(root: &Path) -> Vec<Own> {
    support::dafny_files(&root.join("fixtures"))
        .into_iter()
        .map(|p| {
            let name = p.display().to_string();
            accepted(p, name)
        })
        .collect()
}

/// The Dafny blocks in README and docs. Skips blocks before a console block with an error of the
/// parser or resolver, and blocks whose first line states that Dafny rejects them.
fn documentation(root: &Path, scratch: &Scratch) -> Result<Vec<Own>, String> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root.join("docs"))
        .map_err(|e| e.to_string())?
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.push(root.join("README.md"));
    pages.sort();
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).map_err(|e| e.to_string())?;
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            // A fragment of a file (`in=`) is no complete program.
            if !line.starts_with("```dafny") || line.contains(" in=") {
                continue;
            }
            let block: Vec<&str> = lines
                .by_ref()
                .map(|(_, l)| l)
                .take_while(|l| !l.starts_with("```"))
                .collect();
            names.push(format!(
                "{}:{}",
                page.file_name().unwrap_or_default().to_string_lossy(),
                number + 1
            ));
            texts.push(block.join("\n") + "\n");
        }
    }
    let files = scratch.write(&texts)?;
    Ok(files
        .into_iter()
        .zip(names)
        .map(|(p, n)| accepted(p, n))
        .collect())
}

/// The test programs whose first line states Dafny's verdict (`dtest/tests/verdicts.rs`).
fn stated(folder: &Path) -> Vec<Own> {
    let own = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut lines = text.lines();
        let wanted = lines
            .next()
            .and_then(|l| l.strip_prefix("// refused: "))
            .map(|l| {
                l.split(',')
                    .filter_map(|n| n.trim().parse().ok())
                    .collect::<SortedSet<u32>>()
            });
        let words: Vec<String> = lines
            .next()
            .and_then(|l| l.strip_prefix("// options: "))
            .map(|l| l.split_whitespace().map(str::to_owned).collect())
            .unwrap_or_default();
        Own {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            settings: support::flags(&words),
            path,
            wanted,
        }
    };
    support::dafny_files(folder).into_iter().map(own).collect()
}
