//! Comparison of this repository's programs with Dafny's verdicts.

use super::Scratch;
use super::dafny::{Dafny, options_of};
use crate::support;
use dtest::cli::args::DafnyArgs;
use dtest::cli::config;
use dtest_sorted::{SortedMap, SortedSet};
use std::path::{Path, PathBuf};

/// The stated verdict of a program.
#[derive(Debug)]
enum Verdict {
    Accepted,
    Refused,
    /// Refused, with errors on exactly these lines.
    RefusedOn(SortedSet<u32>),
}

impl Verdict {
    fn agrees(&self, code: u64, lines: &SortedSet<u32>) -> bool {
        match self {
            Self::Accepted => code == 0,
            Self::Refused => code == 2 && !lines.is_empty(),
            Self::RefusedOn(wanted) => code == 2 && lines == wanted,
        }
    }
}

/// Checks all programs. Returns whether Dafny agrees with every statement.
pub(super) fn check() -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scratch = Scratch::new("blocks")?;
    let mut good = true;
    good &= compare("fixtures", fixtures(&root)?)?;
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
    wanted: Verdict,
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
            if !own.wanted.agrees(answer.code, &lines) {
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

/// The programs of the fixtures, with the options of their packages (`dtest.toml`) and those
/// mentioned in their first lines.
fn fixtures(root: &Path) -> Result<Vec<Own>, String> {
    let mut all = Vec::new();
    for path in support::dafny_files(&root.join("fixtures")) {
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let mut words = mentioned_options(text.lines().next().unwrap_or_default());
        words.extend(options_of_package(&path)?);
        all.push(Own {
            name: path.display().to_string(),
            settings: support::flags(&words),
            path,
            wanted: Verdict::Accepted,
        });
    }
    Ok(all)
}

/// Returns Dafny's options from the `dtest.toml` of the package with this file.
fn options_of_package(file: &Path) -> Result<Vec<String>, String> {
    const NAMES: [&str; 8] = [
        "function-syntax",
        "quantifier-syntax",
        "unicode-char",
        "enforce-determinism",
        "reads-clauses-on-methods",
        "type-system-refresh",
        "general-newtypes",
        "general-traits",
    ];
    let Some(package) = file.ancestors().find(|d| d.join(config::FILE).is_file()) else {
        return Ok(Vec::new());
    };
    let config = config::read(package).map_err(|e| e.diagnostic.message)?;
    let option = |name: &&str| {
        let value = config.values(name).first()?;
        Some(format!("--{name}={value}"))
    };
    Ok(NAMES.iter().filter_map(option).collect())
}

/// Returns the options in a text: inline code that starts with `--`.
fn mentioned_options(text: &str) -> Vec<String> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter(|c| c.starts_with("--"))
        .map(str::to_owned)
        .collect()
}

/// The Dafny files in README and docs, with the options mentioned in the text before each. Skips
/// blocks that are not files, such as fragments. If the page shows an error of the parser or
/// resolver, Dafny has to refuse the file too.
fn documentation(root: &Path, scratch: &Scratch) -> Result<Vec<Own>, String> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root.join("docs"))
        .map_err(|e| e.to_string())?
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.push(root.join("README.md"));
    pages.sort();
    let (mut texts, mut found) = (Vec::new(), Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).map_err(|e| e.to_string())?;
        let page = page.file_name().unwrap_or_default().to_string_lossy();
        for block in blocks(&text) {
            let name = format!("{page}:{}", block.line);
            let settings = support::flags(&mentioned_options(block.before));
            texts.push(block.text);
            found.push((name, settings, block.is_refused));
        }
    }
    let files = scratch.write(&texts)?;
    let own = |(path, (name, settings, is_refused)): (PathBuf, (String, DafnyArgs, bool))| Own {
        name,
        path,
        settings,
        wanted: if is_refused {
            Verdict::Refused
        } else {
            Verdict::Accepted
        },
    };
    Ok(files.into_iter().zip(found).map(own).collect())
}

/// A Dafny file in a page.
struct Block<'a> {
    /// The line of its fence.
    line: usize,
    text: String,
    /// The text of the page between the previous block and this one.
    before: &'a str,
    /// Whether a block after it, and before the next file, shows an error of the parser or resolver.
    is_refused: bool,
}

/// Returns the Dafny files among the blocks of a page.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let (mut before_from, mut at) = (0, 0);
    let mut lines = page.split_inclusive('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        let start = at;
        at += line.len();
        let Some(header) = line.strip_prefix("```") else {
            continue;
        };
        let mut text = String::new();
        for (_, inner) in lines.by_ref() {
            at += inner.len();
            if inner.starts_with("```") {
                break;
            }
            text.push_str(inner);
        }
        if header.starts_with("dafny") && header.contains(" file=") {
            found.push(Block {
                line: number + 1,
                text,
                before: page.get(before_from..start).unwrap_or_default(),
                is_refused: false,
            });
        } else if let Some(last) = found.last_mut() {
            let errors = ["error[syntax/", "error[resolve/"];
            last.is_refused |= errors.iter().any(|e| text.contains(e));
        }
        before_from = at;
    }
    found
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
            wanted: wanted.map_or(Verdict::Accepted, Verdict::RefusedOn),
        }
    };
    support::dafny_files(folder).into_iter().map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::{blocks, mentioned_options};

    #[test]
    fn files_have_the_options_before_them_and_the_verdict_after_them() {
        let page = "With `--unicode-char=false`.\n\n```dafny file=a.dfy\nmethod M() { }\n```\n\n\
            With `--function-syntax:3` and `x`:\n```dafny file=b.dfy\nmethod N() { n }\n```\n\n\
            ```console\nerror[syntax/missing-semicolon]: …\n```\n```dafny\nmethod … \n```\n";
        let found: Vec<(usize, Vec<String>, bool)> = blocks(page)
            .iter()
            .map(|b| (b.line, mentioned_options(b.before), b.is_refused))
            .collect();
        assert_eq!(
            found,
            [
                (3, vec!["--unicode-char=false".to_owned()], false),
                (8, vec!["--function-syntax:3".to_owned()], true)
            ]
        );
    }
}
