//! From the paths of a command line to parsed programs: globs, directories, project files, includes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::args::{GeneralTraits, ProgramArgs};
use super::files;
use crate::diagnostic::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::syntax::{self, QuantifierSyntax, ast};
use crate::typed::{self, Options};

/// A program as read from disk.
#[derive(Debug)]
pub struct Loaded {
    /// Its texts.
    pub sources: SourceMap,
    /// Their trees, in the order of `sources`.
    pub files: Vec<ast::File>,
    /// Options that change meaning.
    pub options: Options,
    /// Syntax errors, missing includes and the like.
    pub diagnostics: Vec<Diagnostic>,
    /// Absolute paths, in the order of `sources`.
    pub paths: Vec<PathBuf>,
}

/// A Dafny project file, as far as it changes what a program means.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Project {
    includes: Option<Vec<String>>,
    excludes: Option<Vec<String>>,
    #[serde(default)]
    options: ProjectOptions,
}

/// Its `[options]`; Dafny has many more, which change nothing here.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ProjectOptions {
    function_syntax: Option<toml::Value>,
    unicode_char: Option<bool>,
    relax_definite_assignment: Option<bool>,
    type_system_refresh: Option<bool>,
    general_newtypes: Option<bool>,
    general_traits: Option<GeneralTraits>,
}

/// Finds the programs that `args` names. Paths are shown relative to `root`.
///
/// # Errors
/// A diagnostic without a place: a path that does not exist, a pattern that matches nothing, a directory
/// without Dafny, a project file that cannot be read.
pub fn load(args: &ProgramArgs, root: &Path) -> Result<Vec<Loaded>, Diagnostic> {
    let mut options = Options::default();
    let mut paths = Vec::new();
    let patterns = if args.files.is_empty() { vec!["src".to_owned()] } else { args.files.clone() };
    for pattern in &patterns {
        expand(pattern, args.files.is_empty(), &mut paths, &mut options)?;
    }
    override_options(args, &mut options);
    let mut seen = BTreeSet::new();
    paths.retain(|p| seen.insert(p.clone()));
    let groups: Vec<Vec<PathBuf>> = if args.each { paths.into_iter().map(|p| vec![p]).collect() } else { vec![paths] };
    Ok(groups.into_iter().map(|group| load_program(&group, &options, syntax(args, &options), root)).collect())
}

/// How the text is read. Dafny 3, which the old meaning of `function` stands for, also had one range for all variables.
fn syntax(args: &ProgramArgs, options: &Options) -> syntax::Options {
    let version = args.quantifier_syntax.unwrap_or(options.function_syntax);
    let quantifier_syntax = if version == 3 { QuantifierSyntax::Version3 } else { QuantifierSyntax::Version4 };
    syntax::Options { quantifier_syntax }
}

fn override_options(args: &ProgramArgs, options: &mut Options) {
    options.function_syntax = args.function_syntax.unwrap_or(options.function_syntax);
    options.unicode_char = args.unicode_char.unwrap_or(options.unicode_char);
    options.relax_definite_assignment = args.relax_definite_assignment.unwrap_or(options.relax_definite_assignment);
    options.type_system_refresh = args.type_system_refresh.unwrap_or(options.type_system_refresh);
    options.general_newtypes = args.general_newtypes.unwrap_or(options.general_newtypes);
    options.general_traits = args.general_traits.map_or(options.general_traits, traits);
}

fn traits(kind: GeneralTraits) -> typed::GeneralTraits {
    match kind {
        GeneralTraits::Legacy => typed::GeneralTraits::Legacy,
        GeneralTraits::Datatype => typed::GeneralTraits::Datatype,
        GeneralTraits::Full => typed::GeneralTraits::Full,
    }
}

fn expand(pattern: &str, is_default: bool, paths: &mut Vec<PathBuf>, options: &mut Options) -> Result<(), Diagnostic> {
    let path = absolute(Path::new(pattern));
    if path.is_dir() {
        let found = files::dafny_files(&path);
        if found.is_empty() {
            return Err(no_dafny(pattern));
        }
        paths.extend(found);
    } else if path.file_name().is_some_and(|n| n == "dfyconfig.toml") {
        project(&path, paths, options)?;
    } else if path.is_file() {
        paths.push(path);
    } else if is_default {
        return Err(no_dafny("src").with_help("name Dafny files, directories or globs on the command line, or in `dtest.toml`"));
    } else if pattern.contains(['*', '?', '[']) {
        let matches = glob::glob(&path.to_string_lossy())
            .map_err(|e| Diagnostic::global("cli/bad-glob", format!("`{pattern}` is not a glob: {e}")))?;
        let mut found: Vec<_> = matches.filter_map(Result::ok).filter(|p| p.is_file()).collect();
        if found.is_empty() {
            return Err(Diagnostic::global("cli/no-such-file", format!("no file matches `{pattern}`")));
        }
        found.sort();
        paths.extend(found);
    } else {
        return Err(Diagnostic::global("cli/no-such-file", format!("`{pattern}` does not exist")));
    }
    Ok(())
}

fn no_dafny(pattern: &str) -> Diagnostic {
    Diagnostic::global("cli/no-dafny-files", format!("`{pattern}` holds no Dafny files (*.dfy)"))
}

fn project(path: &Path, paths: &mut Vec<PathBuf>, options: &mut Options) -> Result<(), Diagnostic> {
    let fail = |e: String| Diagnostic::global("cli/bad-project-file", format!("{}: {e}", path.display()));
    let text = files::read_text(path).map_err(|e| fail(e.to_string()))?;
    let project: Project = toml::from_str(&text).map_err(|e| fail(e.to_string()))?;
    let directory = path.parent().unwrap_or(Path::new("."));
    let all = |globs: &[String]| -> Result<Vec<PathBuf>, Diagnostic> {
        let mut found = Vec::new();
        for g in globs {
            let full = directory.join(g);
            found.extend(glob::glob(&full.to_string_lossy()).map_err(|e| fail(e.to_string()))?.filter_map(Result::ok));
        }
        Ok(found.into_iter().map(|p| files::normalize(&p)).collect())
    };
    let mut included = match &project.includes {
        Some(globs) => all(globs)?,
        None => files::dafny_files(directory),
    };
    let excluded = all(&project.excludes.unwrap_or_default())?;
    included.retain(|p| p.extension().is_some_and(|x| x == "dfy") && !excluded.iter().any(|e| p.starts_with(e)));
    included.sort();
    if included.is_empty() {
        return Err(no_dafny(&path.display().to_string()));
    }
    paths.extend(included);
    let given = project.options;
    if let Some(v) = given.function_syntax {
        let v = v.as_str().map_or_else(|| v.as_integer(), |s| s.parse().ok());
        options.function_syntax = if v == Some(3) { 3 } else { 4 };
    }
    options.unicode_char = given.unicode_char.unwrap_or(options.unicode_char);
    options.relax_definite_assignment = given.relax_definite_assignment.unwrap_or(options.relax_definite_assignment);
    options.type_system_refresh = given.type_system_refresh.unwrap_or(options.type_system_refresh);
    options.general_newtypes = given.general_newtypes.unwrap_or(options.general_newtypes);
    options.general_traits = given.general_traits.map_or(options.general_traits, traits);
    Ok(())
}

fn absolute(path: &Path) -> PathBuf {
    files::normalize(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// Reads the named files and, breadth first, what they include.
fn load_program(named: &[PathBuf], options: &Options, syntax_options: syntax::Options, root: &Path) -> Loaded {
    let mut loaded =
        Loaded { sources: SourceMap::new(), files: Vec::new(), options: options.clone(), diagnostics: Vec::new(), paths: Vec::new() };
    let mut queue: Vec<(PathBuf, Option<Span>)> = named.iter().map(|p| (p.clone(), None)).collect();
    let mut seen: BTreeSet<PathBuf> = named.iter().cloned().collect();
    let mut next = 0;
    while let Some((path, included_at)) = queue.get(next).cloned() {
        next += 1;
        let text = match read_source(&path, included_at, root) {
            Ok(text) => text,
            Err(diagnostic) => {
                loaded.diagnostics.push(diagnostic);
                continue;
            }
        };
        let shown = files::relative(&path, root);
        let Some(id) = loaded.sources.add(shown, text.as_str(), included_at.is_none()) else {
            loaded.diagnostics.push(Diagnostic::global("load/too-large", "the program's texts are larger than 4 GiB together"));
            break;
        };
        let base = loaded.sources.file(id).map_or(0, |f| f.base);
        let (tree, errors) = syntax::parse_with(base, &text, syntax_options);
        loaded.diagnostics.extend(errors);
        let directory = path.parent().unwrap_or(Path::new("/"));
        for include in &tree.includes {
            let target = files::normalize(&directory.join(&include.path));
            if seen.insert(target.clone()) {
                queue.push((target, Some(include.span)));
            }
        }
        loaded.files.push(tree);
        loaded.paths.push(path);
    }
    loaded
}

fn read_source(path: &Path, included_at: Option<Span>, root: &Path) -> Result<String, Diagnostic> {
    let shown = files::relative(path, root);
    let at = |id, message: String| match included_at {
        Some(span) => Diagnostic::error(id, span, message),
        None => Diagnostic::global(id, message),
    };
    let bytes = files::read_bytes(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => at("load/missing-include", format!("the included file `{shown}` does not exist"))
            .with_help("paths of includes are relative to the file that holds the directive"),
        _ => at("load/unreadable", format!("cannot read `{shown}`: {e}")),
    })?;
    String::from_utf8(bytes).map(|t| t.strip_prefix('\u{feff}').map_or(t.clone(), str::to_owned)).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes().iter().take(good).filter(|&&b| b == b'\n').count();
        at("load/not-utf8", format!("`{shown}` is not UTF-8: byte {good}, on line {line}"))
            .with_help("Dafny sources are UTF-8; convert the file")
    })
}
