//! Dafny's project files (reference manual, "Project files"): the files of a program and its
//! options.

use std::path::{Path, PathBuf};

use crate::message::MessageId;
use clap::ValueEnum;
use serde::Deserialize;

use super::args::{DafnyArgs, GeneralTraits, StandardLibraries};
use super::files;
use dafny_source::diagnostic::{Diagnostic, Severity};
use dafny_syntax::FunctionSyntax;

/// Maximum length of a chain of `base` entries.
const MAX_BASES: usize = 32;

/// A project file with its inherited settings.
#[derive(Debug, Default)]
pub struct Project {
    /// The files of the program, sorted.
    pub files: Vec<PathBuf>,
    /// The options.
    pub settings: DafnyArgs,
    /// Warnings about options that Dafny does not have.
    pub warnings: Vec<Diagnostic>,
    /// The file itself and its bases.
    pub read: Vec<PathBuf>,
    /// The patterns of excluded files, including those of the bases.
    excludes: Vec<glob::Pattern>,
}

/// The contents of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    includes: Option<Vec<String>>,
    excludes: Option<Vec<String>>,
    base: Option<Bases>,
    #[serde(default)]
    options: toml::Table,
    /// The version that the program is written for.
    #[serde(rename = "dafny-version")]
    dafny_version: Option<toml::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Bases {
    One(String),
    Many(Vec<String>),
}

/// Reads a project file. Messages show paths relative to `root`.
///
/// # Errors
/// A file that cannot be read, is not TOML, has keys that Dafny does not know, an option with a
/// value of the wrong type, a bad glob, or bases in a circle.
pub fn read(path: &Path, root: &Path) -> Result<Project, Diagnostic> {
    let (mut project, has_includes) = read_with_bases(path, root, 0)?;
    if !has_includes {
        // Without `includes`, the program consists of all files below the directory that are not
        // excluded.
        let excluded = std::mem::take(&mut project.excludes);
        project.files = files::dafny_files(path.parent().unwrap_or(root));
        project.files.retain(|p| !is_excluded(p, &excluded));
    }
    project.files.sort();
    project.files.dedup();
    Ok(project)
}

/// Reads a project file with its bases. Also returns whether the file or one of its bases has
/// `includes`.
fn read_with_bases(path: &Path, root: &Path, depth: usize) -> Result<(Project, bool), Diagnostic> {
    let shown = files::shown(path, root);
    let fail = |message: String| {
        Diagnostic::global(MessageId::CliBadProjectFile, format!("{shown}: {message}"))
    };
    if depth > MAX_BASES {
        return Err(fail(
            "its chain of `base` files is cyclic or too long".into(),
        ));
    }
    let source = files::read_text(path).map_err(|e| fail(e.to_string()))?;
    let text: Text = toml::from_str(&source).map_err(|e| fail(e.to_string()))?;
    let fail_at = |name: &str, message: String| {
        let place = place_of(&source, name);
        let at = place.map_or_else(|| shown.clone(), |at| format!("{shown}:{at}"));
        Diagnostic::global(MessageId::CliBadProjectFile, format!("{at}: {message}"))
    };
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut project = Project {
        read: vec![path.to_path_buf()],
        ..Project::default()
    };
    let mut has_includes = text.includes.is_some();
    let bases = match text.base {
        None => Vec::new(),
        Some(Bases::One(base)) => vec![base],
        Some(Bases::Many(bases)) => bases,
    };
    // Inherited settings and files come first; the excludes of the bases apply to the files of this
    // project, too.
    for base in bases {
        let (inherited, includes) =
            read_with_bases(&files::normalize(&directory.join(base)), root, depth + 1)?;
        has_includes |= includes;
        project.files.extend(inherited.files);
        project.settings = project.settings.or(inherited.settings);
        project.warnings.extend(inherited.warnings);
        project.read.extend(inherited.read);
        project.excludes.extend(inherited.excludes);
    }
    let globs = text.includes.unwrap_or_default();
    project
        .files
        .extend(matches(directory, &globs).map_err(|e| fail(e.to_string()))?);
    let excludes =
        patterns(directory, &text.excludes.unwrap_or_default()).map_err(|e| fail(e.to_string()))?;
    project
        .files
        .retain(|p| p.extension().is_some_and(|x| x == "dfy") && !is_excluded(p, &excludes));
    project.excludes.extend(excludes);
    // The options of this project override those of its bases.
    let mut own = DafnyArgs::default();
    if let Some(version) = &text.dafny_version {
        own.dafny_version = version.as_str().and_then(|v| v.parse().ok());
        if own.dafny_version.is_none() {
            let message =
                format!("{shown}: `dafny-version` {version} is not a version, and is ignored");
            project.warnings.push(Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::global(MessageId::CliBadProjectFile, message)
            });
        }
    }
    for (name, value) in &text.options {
        match option(&mut own, name, value, directory) {
            Ok(true) => {}
            Ok(false) => project.warnings.push(unknown_option(&shown, name)),
            Err(wanted) => {
                let message = format!("option `{name}` takes {wanted}, not `{value}`");
                return Err(fail_at(name, message));
            }
        }
        // Without the feature, a program would be read as another one.
        if name == REFERRERS && value.as_bool() == Some(true) {
            let message = format!("option `{name}` is not supported");
            return Err(fail_at(name, message)
                .with_help("remove it: programs that use `referrers` cannot be read"));
        }
    }
    project.settings = own.or(project.settings);
    Ok((project, has_includes))
}

/// The option that lets programs refer to the referrers of an object.
const REFERRERS: &str = "referrers";

/// The line and column of an option in a project file.
fn place_of(source: &str, name: &str) -> Option<String> {
    let top = toml::de::DeTable::parse(source).ok()?;
    let options = top.get_ref().get("options")?.get_ref().as_table()?;
    let (key, _) = options.iter().find(|(key, _)| key.get_ref() == name)?;
    let before = source.get(..key.span().start)?;
    let (line, start) = before
        .rsplit_once('\n')
        .map_or((1, before), |(lines, rest)| {
            (lines.matches('\n').count() + 2, rest)
        });
    Some(format!("{line}:{}", start.chars().count() + 1))
}

fn matches(directory: &Path, globs: &[String]) -> Result<Vec<PathBuf>, GlobError> {
    let mut found = Vec::new();
    for pattern in globs {
        let full = files::normalize(&directory.join(pattern));
        found.extend(
            glob::glob(&full.to_string_lossy())
                .map_err(|source| GlobError::new(pattern, source))?
                .filter_map(Result::ok),
        );
    }
    Ok(found)
}

/// A text that is not a glob.
#[derive(Debug)]
struct GlobError {
    pattern: String,
    source: glob::PatternError,
}

impl GlobError {
    fn new(pattern: &str, source: glob::PatternError) -> Self {
        Self {
            pattern: pattern.to_owned(),
            source,
        }
    }
}

impl std::fmt::Display for GlobError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.pattern, self.source)
    }
}

impl std::error::Error for GlobError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// `*` does not match a path separator, `**` does.
const MATCHING: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn patterns(directory: &Path, globs: &[String]) -> Result<Vec<glob::Pattern>, GlobError> {
    let pattern = |g: &String| {
        let full = files::normalize(&directory.join(g));
        glob::Pattern::new(&full.to_string_lossy()).map_err(|source| GlobError::new(g, source))
    };
    globs.iter().map(pattern).collect()
}

fn is_excluded(path: &Path, excludes: &[glob::Pattern]) -> bool {
    path.ancestors()
        .any(|p| excludes.iter().any(|e| e.matches_path_with(p, MATCHING)))
}

fn unknown_option(shown: &str, name: &str) -> Diagnostic {
    let message = format!("{shown}: `{name}` is not an option of Dafny");
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::global(MessageId::CliUnknownOption, message)
    }
}

/// Sets an option. Returns whether Dafny has it; the error describes the expected value.
pub(super) fn option(
    settings: &mut DafnyArgs,
    name: &str,
    value: &toml::Value,
    directory: &Path,
) -> Result<bool, &'static str> {
    let flag = || value.as_bool().map(Some).ok_or("true or false");
    let version = || {
        let number = value
            .as_str()
            .map_or_else(|| value.as_integer(), |s| s.parse().ok());
        number
            .and_then(|n| u8::try_from(n).ok())
            .filter(|n| (3..=4).contains(n))
            .map(Some)
            .ok_or("3 or 4")
    };
    match name {
        "function-syntax" => {
            let number = value.as_integer().map(|n| n.to_string());
            let syntax = value.as_str().or(number.as_deref());
            settings.function_syntax = Some(
                syntax
                    .and_then(FunctionSyntax::of_value)
                    .ok_or("3, 4, \"migration3to4\" or an experimental value")?,
            );
        }
        "quantifier-syntax" => settings.quantifier_syntax = version()?,
        "unicode-char" => settings.unicode_char = flag()?,
        "relax-definite-assignment" => settings.relax_definite_assignment = flag()?,
        "enforce-determinism" => settings.enforce_determinism = flag()?,
        "reads-clauses-on-methods" => settings.reads_clauses_on_methods = flag()?,
        "type-system-refresh" => settings.type_system_refresh = flag()?,
        "general-newtypes" => settings.general_newtypes = flag()?,
        "general-traits" => {
            let kind = value
                .as_str()
                .and_then(|s| GeneralTraits::from_str(s, false).ok());
            settings.general_traits = Some(kind.ok_or("\"legacy\", \"datatype\" or \"full\"")?);
        }
        "library" => {
            let one = value.as_str().map(|s| vec![s]);
            let many = || {
                value
                    .as_array()
                    .and_then(|a| a.iter().map(toml::Value::as_str).collect())
            };
            let paths: Vec<&str> = one.or_else(many).ok_or("a path or a list of paths")?;
            settings.library.extend(
                paths
                    .into_iter()
                    .map(|p| files::normalize(&directory.join(p))),
            );
        }
        "standard-libraries" => match value {
            toml::Value::Boolean(true) => {
                settings.standard_libraries = Some(StandardLibraries::Installed);
            }
            toml::Value::Boolean(false) => {
                settings.standard_libraries = Some(StandardLibraries::Unused);
            }
            toml::Value::String(path) => {
                settings.standard_libraries = Some(StandardLibraries::At(files::normalize(
                    &directory.join(path),
                )));
            }
            toml::Value::Integer(_)
            | toml::Value::Float(_)
            | toml::Value::Datetime(_)
            | toml::Value::Array(_)
            | toml::Value::Table(_) => {
                return Err("true, false or a path");
            }
        },
        _ if FLAGS.binary_search(&name).is_ok() => {
            flag()?;
        }
        _ => return Ok(OTHER_OPTIONS.binary_search(&name).is_ok()),
    }
    Ok(true)
}

/// Whether Dafny has an option of this name.
pub(super) fn is_option(name: &str) -> bool {
    OTHER_OPTIONS.binary_search(&name).is_ok()
        || option(
            &mut DafnyArgs::default(),
            name,
            &toml::Value::Integer(-1),
            Path::new(""),
        )
        .is_err()
}

/// Whether an option that does not change the meaning of a program is a truth value.
pub(super) fn is_flag(name: &str) -> bool {
    FLAGS.binary_search(&name).is_ok()
}

/// The truth values among [`OTHER_OPTIONS`], sorted. Dafny rejects other values of these.
const FLAGS: &[&str] = &[
    "allow-axioms",
    "allow-deprecation",
    "allow-external-contracts",
    "allow-warnings",
    "analyze-proofs",
    "disable-nonlinear-arithmetic",
    "dont-verify-dependencies",
    "emit-uncompilable-code",
    "include-runtime",
    "isolate-assertions",
    "json-output",
    "manual-lemma-induction",
    "manual-triggers",
    "no-verify",
    "referrers",
    "show-hints",
    "show-snippets",
    "stdin",
    "suggest-proof-refactoring",
    "test-assumptions",
    "track-print-effects",
    "use-basename-for-filename",
    "verbose",
    "verify-included-files",
    "warn-as-errors",
    "warn-contradictory-assumptions",
    "warn-missing-constructor-parentheses",
    "warn-redundant-assumptions",
    "warn-shadowing",
];

/// Dafny's other options, sorted: for verification, printing, compilation and stricter checks. They
/// do not change the meaning of an accepted program.
const OTHER_OPTIONS: &[&str] = &[
    "allow-axioms",
    "allow-deprecation",
    "allow-external-contracts",
    "allow-warnings",
    "analyze-proofs",
    "boogie",
    "bprint",
    "build",
    "cache-verification",
    "check",
    "check-source-location-consistency",
    "compile-suffix",
    "cores",
    "coverage-report",
    "default-function-opacity",
    "disable-nonlinear-arithmetic",
    "dont-verify-dependencies",
    "emit-uncompilable-code",
    "error-limit",
    "extract-counterexample",
    "filter-position",
    "filter-symbol",
    "find-project",
    "force-prune",
    "go-module-name",
    "ignore-indentation",
    "include-runtime",
    "include-test-runner",
    "input",
    "isolate-assertions",
    "javadoclike-docstring-plugin",
    "json-diagnostics",
    "json-output",
    "legacy-data-constructors",
    "legacy-module-names",
    "log-format",
    "log-level",
    "log-location",
    "main-method",
    "manual-lemma-induction",
    "manual-triggers",
    "methods-to-test",
    "no-timestamp-for-coverage-report",
    "no-verify",
    "notify-ghostness",
    "notify-line-verification-status",
    "optimize-erasable-datatype-wrapper",
    "outer-module",
    "output",
    "performance-stats",
    "plugin",
    "pprint",
    "prelude",
    "print",
    "print-mode",
    "print-ranges",
    "program-name",
    "progress",
    "project-file-cache-expiry",
    "python-module-name",
    "random-seed",
    "raw-pointers",
    "referrers",
    "report-file",
    "report-format",
    "resource-limit",
    "rprint",
    "rust-module-name",
    "rust-sync",
    "show-assertions",
    "show-hints",
    "show-proof-obligation-expressions",
    "show-snippets",
    "solver-log",
    "solver-option",
    "solver-path",
    "solver-plugin",
    "spill-translation",
    "sprint",
    "stdin",
    "suggest-proof-refactoring",
    "system-module",
    "target",
    "test-assumptions",
    "track-print-effects",
    "translate-standard-library",
    "translation-record",
    "translation-record-output",
    "type-inference-trace",
    "type-system-debug",
    "update-throttling",
    "use-basename-for-filename",
    "verbose",
    "verification-coverage-report",
    "verification-time-limit",
    "verify-included-files",
    "verify-on",
    "warn-as-errors",
    "warn-contradictory-assumptions",
    "warn-missing-constructor-parentheses",
    "warn-redundant-assumptions",
    "warn-shadowing",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn write(directory: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            files::write_atomically(&directory.join(name), text).expect("written");
        }
    }

    fn names(project: &Project, directory: &Path) -> Vec<String> {
        project
            .files
            .iter()
            .map(|p| files::relative(p, directory))
            .collect()
    }

    #[test]
    fn a_project_may_exclude_files_of_its_base_and_include_files_that_its_base_excludes() {
        let dir = tempfile::tempdir().expect("a directory");
        write(
            dir.path(),
            &[
                ("a.dfy", ""),
                ("low/b.dfy", ""),
                ("low/c.dfy", ""),
                (
                    "low/low.toml",
                    "includes = [\"../*.dfy\", \"**/*.dfy\"]\n[options]\nunicode-char = false\nfunction-syntax = 3",
                ),
                (
                    "mid.toml",
                    "base = \"low/low.toml\"\nexcludes = [\"a.dfy\", \"low/c.dfy\"]\n[options]\nfunction-syntax = \"4\"",
                ),
                ("high.toml", "base = [\"mid.toml\"]\nincludes = [\"a.dfy\"]"),
            ],
        );
        let mid = read(&dir.path().join("mid.toml"), dir.path()).expect("read");
        assert_eq!(names(&mid, dir.path()), ["low/b.dfy"]);
        assert_eq!(
            (mid.settings.function_syntax, mid.settings.unicode_char),
            (Some(FunctionSyntax::Version4), Some(false))
        );
        let high = read(&dir.path().join("high.toml"), dir.path()).expect("read");
        assert_eq!(names(&high, dir.path()), ["a.dfy", "low/b.dfy"]);
    }

    #[test]
    fn without_includes_all_files_below_are_meant() {
        let dir = tempfile::tempdir().expect("a directory");
        write(
            dir.path(),
            &[
                ("x/a.dfy", ""),
                ("x/skip/b.dfy", ""),
                ("dfyconfig.toml", "excludes = [\"**/skip/**\"]"),
            ],
        );
        let project = read(&dir.path().join("dfyconfig.toml"), dir.path()).expect("read");
        assert_eq!(names(&project, dir.path()), ["x/a.dfy"]);
    }

    #[test]
    fn options_that_dafny_lacks_are_named_and_wrong_values_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let read = |text: &str| {
            write(dir.path(), &[("p.toml", text)]);
            read(&dir.path().join("p.toml"), dir.path())
        };
        let project =
            read("[options]\ndoes-not-exist = true\nwarn-shadowing = true").expect("read");
        assert_eq!(project.warnings.len(), 1);
        assert!(
            project.warnings[0]
                .message
                .ends_with("`does-not-exist` is not an option of Dafny")
        );
        assert!(
            read("[options]\nwarn-shadowing = 3")
                .unwrap_err()
                .message
                .contains("takes true or false")
        );
        assert_eq!(
            read("[options]\ncores = 4\n  referrers = true")
                .unwrap_err()
                .message,
            "p.toml:3:3: option `referrers` is not supported"
        );
        assert!(read("[options]\nreferrers = false").is_ok());
        assert!(
            read("[options]\nunicode-char = 3")
                .unwrap_err()
                .message
                .contains("takes true or false")
        );
        assert!(
            read("includdddes = []")
                .unwrap_err()
                .message
                .contains("includdddes")
        );
        assert!(
            read("base = \"p.toml\"")
                .unwrap_err()
                .message
                .contains("is cyclic or too long")
        );
    }

    #[test]
    fn a_version_sets_the_defaults() {
        let dir = tempfile::tempdir().expect("a directory");
        let options = |text: &str| {
            write(dir.path(), &[("p.toml", text)]);
            let project = read(&dir.path().join("p.toml"), dir.path()).expect("read");
            let options = project.settings.options();
            let is_general = options.general_traits != dafny_resolve::typed::GeneralTraits::Legacy;
            let new = [
                options.type_system_refresh,
                options.general_newtypes,
                is_general,
            ];
            (new, project.warnings.len())
        };
        for old in ["4.11.0", "4.9.1", "3.13.1"] {
            let text = format!("dafny-version = \"{old}\"");
            assert_eq!(options(&text), ([false; 3], 0));
        }
        for new in ["4.12.0", "5.0.0", "v5.1.0-nightly.3"] {
            let text = format!("dafny-version = \"{new}\"");
            assert_eq!(options(&text), ([true; 3], 0));
        }
        let text = "dafny-version = \"5.0.0\"\n[options]\ntype-system-refresh = false";
        assert_eq!(options(text), ([false, false, true], 0));
        assert_eq!(options("dafny-version = \"newest\""), ([false; 3], 1));
    }

    #[test]
    fn the_list_of_options_is_sorted() {
        assert!(OTHER_OPTIONS.is_sorted() && FLAGS.is_sorted());
        assert!(FLAGS.iter().all(|f| OTHER_OPTIONS.contains(f)));
    }
}
