//! Loads programs from the paths of a command line: globs, directories, project files, includes.
//!
//! [`load`] resolves the arguments to programs; [`load_program`] reads and parses one program with
//! its libraries and includes. The hard part is the order of messages, which must be the order in
//! which Dafny parses the files ([`in_order_of_parsing`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{DafnyArgs, ProgramArgs, StandardLibraries};
use super::{doo, files, isolate, project};
use crate::message::MessageId;
use dafny_resolve::typed::Options;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span, visible};
use dafny_syntax::ast;
use dtest_sorted::{SortedMap, SortedSet};

/// A program as read from disk.
#[derive(Debug)]
pub struct Loaded {
    /// The source texts.
    pub sources: SourceMap,
    /// The parsed files, in the order of `sources`.
    pub files: Vec<ast::File>,
    /// Options that affect the meaning of the program.
    pub options: Options,
    /// The options of the parser.
    pub syntax: dafny_syntax::Options,
    /// Syntax errors, missing includes and the like.
    pub diagnostics: Vec<Diagnostic>,
    /// Absolute paths, in the order of `sources`.
    pub paths: Vec<PathBuf>,
    /// Absolute paths of files that could not be read; [`Self::diagnostics`] has the errors.
    pub unread: Vec<PathBuf>,
}

/// Finds the programs that `args` names. Paths are shown relative to `root`.
///
/// # Errors
/// A diagnostic without a place: a path that does not exist, a pattern that matches nothing, a
/// directory without Dafny, a project file that cannot be read.
pub fn load(args: &ProgramArgs, root: &Path) -> Result<Vec<Loaded>, Diagnostic> {
    let mut overlay = Overlay::new();
    if args.stdin {
        let text = isolate::standard_input().map_err(|e| {
            let message = format!("cannot read standard input: {e}");
            Diagnostic::global(MessageId::LoadUnreadable, message)
        })?;
        overlay.insert(standard_input(), text.into());
    }
    load_under(args, root, &overlay)
}

/// The texts that a program is added to.
#[derive(Default)]
pub struct Start {
    /// The texts of another program. Their positions come first, so that no span is in both.
    pub sources: SourceMap,
    /// The text before the paths of the loaded files.
    pub prefix: String,
}

/// Like [`load`], with the texts of another program in the same position space. Standard input is
/// not read.
///
/// # Errors
/// See [`load`].
pub fn load_after(
    args: &ProgramArgs,
    root: &Path,
    start: &Start,
) -> Result<Vec<Loaded>, Diagnostic> {
    load_at(args, root, &Overlay::new(), start)
}

/// The path of the text on standard input: its includes are relative to the current directory.
fn standard_input() -> PathBuf {
    absolute(Path::new("<stdin>"))
}

/// Texts that replace files on disk, by absolute path: the open documents of an editor.
pub type Overlay = SortedMap<PathBuf, Arc<str>>;

/// [`load`] with open documents in place of files on disk.
///
/// # Errors
/// See [`load`].
pub fn load_under(
    args: &ProgramArgs,
    root: &Path,
    overlay: &Overlay,
) -> Result<Vec<Loaded>, Diagnostic> {
    load_at(args, root, overlay, &Start::default())
}

fn load_at(
    args: &ProgramArgs,
    root: &Path,
    overlay: &Overlay,
    start: &Start,
) -> Result<Vec<Loaded>, Diagnostic> {
    let (
        Named {
            paths, warnings, ..
        },
        settings,
    ) = named(args, root, overlay)?;
    let groups: Vec<Vec<PathBuf>> = if args.each {
        paths.into_iter().map(|p| vec![p]).collect()
    } else {
        vec![paths]
    };
    let mut programs = Vec::new();
    for group in groups {
        programs.push(load_program_under(&group, &settings, root, overlay, start)?);
    }
    if let Some(first) = programs.first_mut() {
        first.diagnostics.splice(0..0, warnings);
    }
    Ok(programs)
}

/// Resolves the arguments to paths, and finds the options that apply.
fn named(
    args: &ProgramArgs,
    root: &Path,
    overlay: &Overlay,
) -> Result<(Named, DafnyArgs), Diagnostic> {
    let mut named = Named::default();
    if args.stdin {
        named.paths.push(standard_input());
    }
    let patterns = if args.files.is_empty() && args.stdin {
        Vec::new()
    } else if args.files.is_empty() {
        vec!["src".to_owned()]
    } else {
        args.files.clone()
    };
    for pattern in &patterns {
        // An open document may not exist on disk yet.
        let path = absolute(Path::new(pattern));
        if overlay.contains_key(&path) {
            named.paths.push(path);
        } else {
            expand(pattern, args.files.is_empty(), root, &mut named)?;
        }
    }
    let settings = args.dafny.clone().or(named
        .project
        .take()
        .map(|(_, settings)| settings)
        .unwrap_or_default());
    check_combination(&settings)?;
    let mut seen = SortedSet::new();
    named.paths.retain(|p| seen.insert(p.clone()));
    Ok((named, settings))
}

/// Rejects the combinations of options that Dafny rejects.
pub(super) fn check_combination(settings: &DafnyArgs) -> Result<(), Diagnostic> {
    let options = settings.options();
    if options.general_newtypes && !options.type_system_refresh {
        let message = "`--general-newtypes` requires `--type-system-refresh`";
        return Err(Diagnostic::global(MessageId::CliMissingOption, message)
            .with_help("add `--type-system-refresh`, as Dafny demands"));
    }
    Ok(())
}

/// Returns the root files of a run: the named files, the files of libraries, and the project files
/// that were read to find them. Included files are not among them.
///
/// # Errors
/// See [`load`].
pub fn listing(args: &ProgramArgs, root: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let (mut named, settings) = named(args, root, &Overlay::new())?;
    let libraries = library_files(&settings, root, &mut named.projects)?;
    Ok([named.paths, libraries, named.projects].concat())
}

/// The paths and the project file that the arguments name.
#[derive(Default)]
struct Named {
    paths: Vec<PathBuf>,
    /// The project file, as written, with its options; there is at most one.
    project: Option<(String, DafnyArgs)>,
    warnings: Vec<Diagnostic>,
    /// Project files that were read.
    projects: Vec<PathBuf>,
}

fn expand(
    pattern: &str,
    is_default: bool,
    root: &Path,
    named: &mut Named,
) -> Result<(), Diagnostic> {
    let path = absolute(Path::new(pattern));
    // An existing file or directory wins over a glob: names may contain `*`, `?` and `[`.
    if path.is_dir() {
        let found = files::dafny_files(&path);
        if found.is_empty() {
            return Err(no_dafny(pattern));
        }
        named.paths.extend(found);
    } else if path.extension().is_some_and(|x| x == "toml") && path.is_file() {
        if let Some((first, _)) = &named.project {
            let message = format!(
                "a program can have only one project file, but both `{first}` and `{pattern}` are given"
            );
            return Err(Diagnostic::global(MessageId::CliProjectFiles, message));
        }
        let project = project::read(&path, root)?;
        if project.files.is_empty() {
            return Err(no_dafny(pattern));
        }
        named.paths.extend(project.files);
        named.project = Some((pattern.to_owned(), project.settings));
        named.warnings.extend(project.warnings);
        named.projects.extend(project.read);
    } else if path.is_file() {
        named.paths.push(path);
    } else if is_default {
        return Err(no_dafny("src").with_help("pass Dafny files, directories or globs on the command line, or list them in `dtest.toml`"));
    } else if pattern.contains(['*', '?', '[']) {
        let matches = glob::glob(&path.to_string_lossy()).map_err(|e| {
            Diagnostic::global(
                MessageId::CliBadGlob,
                format!("`{pattern}` is not a glob: {e}"),
            )
        })?;
        let mut found: Vec<_> = matches
            .filter_map(Result::ok)
            .filter(|p| p.is_file())
            .collect();
        if found.is_empty() {
            return Err(Diagnostic::global(
                MessageId::CliNoSuchFile,
                format!("no file matches `{pattern}`"),
            ));
        }
        found.sort();
        named.paths.extend(found);
    } else {
        return Err(Diagnostic::global(
            MessageId::CliNoSuchFile,
            format!("`{pattern}` does not exist"),
        ));
    }
    Ok(())
}

fn no_dafny(pattern: &str) -> Diagnostic {
    Diagnostic::global(
        MessageId::CliNoDafnyFiles,
        format!("`{pattern}` contains no Dafny files (*.dfy)"),
    )
}

fn absolute(path: &Path) -> PathBuf {
    files::normalize(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// Reads the named files, the libraries and, breadth first, their includes.
///
/// # Errors
/// A library that does not exist or has no Dafny source. Errors in a text are in
/// [`Loaded::diagnostics`].
pub fn load_program(
    named: &[PathBuf],
    settings: &DafnyArgs,
    root: &Path,
) -> Result<Loaded, Diagnostic> {
    load_program_under(named, settings, root, &Overlay::new(), &Start::default())
}

/// Loads a program whose texts may be open in an editor (`overlay`), behind the texts of `start`.
fn load_program_under(
    named: &[PathBuf],
    settings: &DafnyArgs,
    root: &Path,
    overlay: &Overlay,
    start: &Start,
) -> Result<Loaded, Diagnostic> {
    let options = settings.options();
    let syntax_options = settings.syntax();
    let mut loaded = Loaded {
        sources: start.sources.clone(),
        files: Vec::new(),
        options,
        syntax: syntax_options,
        diagnostics: Vec::new(),
        paths: Vec::new(),
        unread: Vec::new(),
    };
    let mut seen = SortedSet::new();
    let libraries = library_files(settings, root, &mut Vec::new())?;
    let standard = standard_libraries(settings)?;
    // Breadth first over includes; each file is read once.
    let mut queue = first_files(named, &libraries, &mut seen);
    let mut found: SortedMap<PathBuf, Found> = SortedMap::new();
    let listing = standard_input();
    let mut next = 0;
    while let Some((path, origin)) = queue.get(next).cloned() {
        next += 1;
        let included_at = match origin {
            Origin::Included(span) | Origin::Listed(span) => Some(span),
            Origin::Named | Origin::Library => None,
        };
        let open = overlay.get(&path).map(|text| Ok(text.clone()));
        let mut syntax_options = syntax_options;
        let mut read = || {
            if doo::is_archive(&path) {
                read_archive(&path, settings, root, &mut syntax_options)
            } else {
                read_source(&path, included_at, root)
            }
        };
        let text = match open.unwrap_or_else(|| read().map(Arc::from)) {
            Ok(text) => text,
            Err(diagnostic) => {
                found.entry(path.clone()).or_default().wrong = vec![diagnostic];
                loaded.unread.push(path);
                continue;
            }
        };
        let shown = format!("{}{}", start.prefix, files::shown(&path, root));
        let shown = visible(&shown, &[]).into_owned();
        let is_named = matches!(origin, Origin::Named | Origin::Listed(_));
        let Some(id) = loaded.sources.add(shown, text.clone(), is_named) else {
            loaded.diagnostics.push(Diagnostic::global(
                MessageId::LoadTooLarge,
                "the program's texts are larger than 4 GiB together",
            ));
            break;
        };
        let base = loaded.sources.file(id).map_or(0, |f| f.base);
        let (mut tree, errors) = dafny_syntax::parse_with(base, &text, syntax_options);
        tree.is_prebuilt = standard.as_ref().is_some_and(|libraries| {
            path.starts_with(libraries) || doo::without_target(libraries).as_ref() == Some(&path)
        });
        // Errors are collected by file, because the order of reading is not the order in which
        // Dafny reports them.
        let here = found.entry(path.clone()).or_default();
        here.wrong = errors;
        let directory = path.parent().unwrap_or(Path::new("/"));
        for include in &tree.includes {
            let target = files::normalize(&directory.join(&include.path));
            here.includes.push(target.clone());
            if seen.insert(target.clone()) {
                let origin = if path == listing {
                    Origin::Listed(include.span)
                } else {
                    Origin::Included(include.span)
                };
                queue.push((target, origin));
            }
        }
        loaded.files.push(tree);
        loaded.paths.push(path);
    }
    let named = queue
        .into_iter()
        .filter(|(_, origin)| matches!(origin, Origin::Named | Origin::Library));
    let wrong = in_order_of_parsing(named.map(|(path, _)| path).collect(), found);
    loaded.diagnostics.extend(wrong);
    Ok(loaded)
}

/// Returns the files that are read before their includes. Named files precede libraries, so that a
/// file that is both counts as named.
fn first_files(
    named: &[PathBuf],
    libraries: &[PathBuf],
    seen: &mut SortedSet<PathBuf>,
) -> Vec<(PathBuf, Origin)> {
    let named = named.iter().map(|path| (path, Origin::Named));
    let libraries = libraries.iter().map(|path| (path, Origin::Library));
    let mut queue = Vec::new();
    for (path, origin) in named.chain(libraries) {
        if seen.insert(path.clone()) {
            queue.push((path.clone(), origin));
        }
    }
    queue
}

/// The errors of a file that was read, and the files that it includes.
#[derive(Default)]
struct Found {
    wrong: Vec<Diagnostic>,
    includes: Vec<PathBuf>,
}

/// Orders the errors as Dafny does: the named files first, then their includes, last first, each
/// followed by its own includes.
fn in_order_of_parsing(
    named: Vec<PathBuf>,
    mut found: SortedMap<PathBuf, Found>,
) -> Vec<Diagnostic> {
    let (mut wrong, mut waiting) = (Vec::new(), Vec::new());
    for path in &named {
        if let Some(file) = found.remove(path) {
            wrong.extend(file.wrong);
            waiting.extend(file.includes);
        }
    }
    while let Some(path) = waiting.pop() {
        if let Some(file) = found.remove(&path) {
            wrong.extend(file.wrong);
            waiting.extend(file.includes);
        }
    }
    wrong
}

/// The reason why a file belongs to a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Named,
    Library,
    Included(Span),
    /// Included by the text on standard input.
    Listed(Span),
}

/// Returns the files of all libraries; project files that were read for this are added to
/// `projects`.
fn library_files(
    settings: &DafnyArgs,
    root: &Path,
    projects: &mut Vec<PathBuf>,
) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut found = Vec::new();
    for library in &settings.library {
        let path = absolute(library);
        let shown = library.display();
        if path.is_dir() {
            found.extend(files::dafny_files(&path));
        } else if !path.is_file() {
            return Err(Diagnostic::global(
                MessageId::CliNoSuchLibrary,
                format!("the library `{shown}` does not exist"),
            ));
        } else if path.extension().is_some_and(|x| x == "dfy") || doo::is_archive(&path) {
            found.push(path);
        } else if path.extension().is_some_and(|x| x == "toml") {
            let project = project::read(&path, root)?;
            found.extend(project.files);
            projects.extend(project.read);
        } else {
            let d = Diagnostic::global(
                MessageId::CliNoSuchLibrary,
                format!("the library `{shown}` is not Dafny source"),
            );
            return Err(d.with_help("pass a `.dfy` or `.doo` file, a directory or a project file"));
        }
    }
    // The sources of the standard libraries contain variants for each target of compilation; only
    // those for no target are read.
    if let Some(path) = standard_libraries(settings)? {
        let before = found.len();
        if doo::is_archive(&path) && path.is_file() {
            found.push(path.clone());
            found.extend(doo::without_target(&path));
        } else {
            found.extend(
                files::dafny_files(&path)
                    .into_iter()
                    .filter(|p| is_for_no_target(p)),
            );
        }
        if found.len() == before {
            let message = format!(
                "`{}` does not contain the sources of Dafny's standard libraries",
                files::shown(&path, root)
            );
            let d = Diagnostic::global(MessageId::CliNoSuchLibrary, message);
            return Err(d.with_help(
                "pass the directory `Source/DafnyStandardLibraries/src` of Dafny's repository, or the file `DafnyStandardLibraries.doo` of an installed Dafny",
            ));
        }
    }
    Ok(found)
}

/// Returns the directory or the archive of the standard libraries, if the program uses them.
fn standard_libraries(settings: &DafnyArgs) -> Result<Option<PathBuf>, Diagnostic> {
    match &settings.standard_libraries {
        None | Some(StandardLibraries::Unused) => Ok(None),
        Some(StandardLibraries::At(path)) => Ok(Some(absolute(path))),
        Some(StandardLibraries::Installed) => {
            let given = std::env::var_os("DTEST_STANDARD_LIBRARIES")
                .filter(|path| path != "true" && path != "false");
            let found = given.map(|path| absolute(Path::new(&path))).or_else(|| {
                doo::installed_standard_libraries(&std::env::var_os("PATH").unwrap_or_default())
            });
            found.map(Some).ok_or_else(|| {
                Diagnostic::global(
                    MessageId::CliNoSuchLibrary,
                    "the program uses Dafny's standard libraries, and no `dafny` on the `PATH` has them beside it",
                )
                .with_help("pass `--standard-libraries=PATH`, or set `DTEST_STANDARD_LIBRARIES`: the file `DafnyStandardLibraries.doo` of an installed Dafny, or the directory `Source/DafnyStandardLibraries/src` of its repository")
            })
        }
    }
}

/// Reads the text of a library archive. Its own options apply to its syntax.
fn read_archive(
    path: &Path,
    settings: &DafnyArgs,
    root: &Path,
    syntax: &mut dafny_syntax::Options,
) -> Result<String, Diagnostic> {
    let shown = files::shown(path, root);
    let archive = doo::read(path).map_err(|e| {
        Diagnostic::global(
            MessageId::LoadUnreadable,
            format!("cannot read `{shown}`: {e}"),
        )
    })?;
    let unicode_char = settings.options().unicode_char;
    if let Some(built) = archive.unicode_char.filter(|built| *built != unicode_char) {
        return Err(Diagnostic::global(
            MessageId::LoadOtherOptions,
            format!("`{shown}` was built with `--unicode-char={built}`, and the program has `--unicode-char={unicode_char}`"),
        )
        .with_help("a program and its libraries have the same characters: build the library anew, or change the option"));
    }
    syntax.function_syntax = archive.function_syntax;
    syntax.quantifier_syntax = archive.quantifier_syntax;
    Ok(archive.text)
}

/// Whether a file of the standard libraries applies to a program without a target language. Files
/// for some targets only name them after a hyphen: `Name-go-py.dfy`, `Name-notarget-cs.dfy`.
fn is_for_no_target(path: &Path) -> bool {
    let stem = path
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let mut targets = stem.split('-').skip(1).peekable();
    targets.peek().is_none() || targets.any(|t| t == "notarget")
}

fn read_source(path: &Path, included_at: Option<Span>, root: &Path) -> Result<String, Diagnostic> {
    let shown = files::shown(path, root);
    let at = |id, message: String| match included_at {
        Some(span) => Diagnostic::error(id, span, message),
        None => Diagnostic::global(id, message),
    };
    let bytes = files::read_regular(path).map_err(|e| {
        if e.kind() == std::io::ErrorKind::NotFound {
            at(
                MessageId::LoadMissingInclude,
                format!("the included file `{shown}` does not exist"),
            )
            .with_help("paths of includes are relative to the including file")
        } else {
            at(
                MessageId::LoadUnreadable,
                format!("cannot read `{shown}`: {e}"),
            )
        }
    })?;
    String::from_utf8(bytes)
        .map(|t| t.strip_prefix('\u{feff}').map_or(t.clone(), str::to_owned))
        .map_err(|e| {
            let good = e.utf8_error().valid_up_to();
            let line = 1 + e
                .as_bytes()
                .iter()
                .take(good)
                .filter(|&&b| b == b'\n')
                .count();
            at(
                MessageId::LoadNotUtf8,
                format!("`{shown}` is not UTF-8: byte {good}, on line {line}"),
            )
            .with_help("Dafny sources must be UTF-8: convert the file")
        })
}
