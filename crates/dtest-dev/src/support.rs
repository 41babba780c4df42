//! Shared functions of the tasks: the programs in a path, their options, and their syntax trees.
#![allow(dead_code, reason = "each example uses a part")]

use std::path::{Path, PathBuf};

use dafny_resolve::typed;
use dafny_source::SourceMap;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::FunctionSyntax;
use dafny_syntax::ast;
use dtest::cli::args::GeneralTraits;
use dtest::cli::args::{DafnyArgs, StandardLibraries};
use dtest::cli::load::{Loaded, load_program};
use dtest::cli::project;

/// A program: its named files and its options.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The files. The first one gives the program its name.
    pub files: Vec<PathBuf>,
    /// The Dafny options that affect the semantics.
    pub settings: DafnyArgs,
    /// The file with the expected output, from the manifest.
    pub expect: Option<PathBuf>,
}

impl Job {
    /// The path of the first file.
    pub fn name(&self) -> String {
        self.files
            .first()
            .map_or_else(String::new, |f| f.display().to_string())
    }

    /// Reads, parses and resolves the files with their includes; `None` if there are errors.
    pub fn resolve(&self) -> Option<(SourceMap, typed::Program)> {
        let Program {
            sources,
            trees,
            errors,
        } = self.load();
        if !errors.is_empty() {
            return None;
        }
        let (program, diagnostics) = dafny_resolve::resolve(trees, self.settings.options());
        let has_errors = diagnostics.iter().any(Diagnostic::is_error);
        (!has_errors).then_some((sources, program))
    }

    /// Reads and parses the files with their includes.
    pub fn load(&self) -> Program {
        let here = std::env::current_dir().unwrap_or_default();
        let files: Vec<PathBuf> = self
            .files
            .iter()
            .map(|f| std::path::absolute(f).unwrap_or_else(|_| f.clone()))
            .collect();
        match load_program(&files, &self.settings, &here) {
            Ok(Loaded {
                sources,
                files,
                diagnostics,
                ..
            }) => {
                let errors = diagnostics
                    .into_iter()
                    .filter(Diagnostic::is_error)
                    .collect();
                Program {
                    sources,
                    trees: files,
                    errors,
                }
            }
            Err(error) => Program {
                sources: SourceMap::new(),
                trees: Vec::new(),
                errors: vec![error],
            },
        }
    }
}

/// A program read from disk.
pub struct Program {
    /// The source texts.
    pub sources: SourceMap,
    /// The syntax trees.
    pub trees: Vec<ast::File>,
    /// The errors of reading and parsing.
    pub errors: Vec<Diagnostic>,
}

/// The programs in a path: those listed in its `manifest.json`, the program of a project file, or
/// every Dafny file below, with every folder that has a project file as one program. `settings`
/// apply to all of them, but only programs of a manifest that request the standard libraries get
/// these.
pub fn jobs(path: &Path, settings: &DafnyArgs) -> Vec<Job> {
    let (directory, manifest) = match path.extension() {
        Some(x) if x == "json" => (
            path.parent().unwrap_or(Path::new(".")),
            std::fs::read_to_string(path).ok(),
        ),
        _ => (
            path,
            std::fs::read_to_string(path.join("manifest.json")).ok(),
        ),
    };
    let Some(manifest) = manifest else {
        let job = |file: PathBuf| match file.extension() {
            Some(x) if x == "toml" => project_job(&file, settings),
            Some(_) | None => Job {
                files: vec![file],
                settings: settings.clone(),
                expect: None,
            },
        };
        return dafny_programs(path).into_iter().map(job).collect();
    };
    let Ok(serde_json::Value::Array(entries)) = serde_json::from_str(&manifest) else {
        return Vec::new();
    };
    entries
        .iter()
        .map(|e| listed(directory, e, settings))
        .collect()
}

/// The program of a project file. If the project file cannot be read, neither can the program.
fn project_job(path: &Path, settings: &DafnyArgs) -> Job {
    let here = std::env::current_dir().unwrap_or_default();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match project::read(&path, &here) {
        Ok(project) => Job {
            files: project.files,
            settings: settings.clone().or(project.settings),
            expect: None,
        },
        Err(_) => Job {
            files: vec![path],
            settings: settings.clone(),
            expect: None,
        },
    }
}

/// All programs of `paths`. With `one`, all their files form one program.
pub fn all_jobs(paths: &[PathBuf], settings: &DafnyArgs, one: bool) -> Vec<Job> {
    let jobs: Vec<Job> = paths.iter().flat_map(|p| jobs(p, settings)).collect();
    if one {
        let files = jobs.into_iter().flat_map(|j| j.files).collect();
        return vec![Job {
            files,
            settings: settings.clone(),
            expect: None,
        }];
    }
    jobs
}

fn listed(directory: &Path, entry: &serde_json::Value, defaults: &DafnyArgs) -> Job {
    let path = |v: &serde_json::Value| v.as_str().map(|p| directory.join(p));
    let mut files: Vec<PathBuf> = path(&entry["path"]).into_iter().collect();
    files.extend(
        entry["extra"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(path),
    );
    let words: Vec<String> = entry["flags"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|f| f.as_str())
        .map(str::to_owned)
        .collect();
    let mut settings = flags(&words);
    let mut defaults = defaults.clone();
    if !words.iter().any(|w| w.starts_with("--standard-libraries")) {
        defaults.standard_libraries = None;
    }
    settings.function_syntax = entry["function_syntax"]
        .as_u64()
        .map(|n| FunctionSyntax::of_version(n as u8))
        .or(settings.function_syntax);
    settings.unicode_char = entry["unicode_char"].as_bool().or(settings.unicode_char);
    Job {
        files,
        settings: settings.or(defaults),
        expect: path(&entry["expect"]),
    }
}

/// Parses options of Dafny's command line: `--name`, `--name=value`, `--name:value` or
/// `--name value`, and those of its older command line (`/name:value`). Options that do not affect
/// the semantics are ignored.
pub fn flags(words: &[String]) -> DafnyArgs {
    let mut settings = DafnyArgs::default();
    let mut words = words.iter().flat_map(|w| w.split_whitespace()).peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--").or_else(|| word.strip_prefix('/')) else {
            continue;
        };
        let (name, attached) = name
            .split_once(['=', ':'])
            .map_or((name, None), |(n, v)| (n, Some(v)));
        let next = words
            .peek()
            .copied()
            .filter(|w| !w.starts_with(['-', '/', '"', '%']));
        let value = attached.or(next);
        let on = Some(!matches!(value, Some("false" | "0")));
        let version = value.and_then(|v| v.parse().ok());
        match name {
            "function-syntax" | "functionSyntax" => {
                settings.function_syntax = value.and_then(FunctionSyntax::of_value);
            }
            "quantifier-syntax" | "quantifierSyntax" => settings.quantifier_syntax = version,
            "unicode-char" | "unicodeChar" => settings.unicode_char = on,
            "relax-definite-assignment" => settings.relax_definite_assignment = on,
            "enforce-determinism" => settings.enforce_determinism = on,
            "reads-clauses-on-methods" | "readsClausesOnMethods" => {
                settings.reads_clauses_on_methods = on
            }
            "type-system-refresh" | "typeSystemRefresh" => settings.type_system_refresh = on,
            "general-newtypes" | "generalNewtypes" => settings.general_newtypes = on,
            "general-traits" | "generalTraits" => {
                settings.general_traits = match value {
                    Some("legacy") => Some(GeneralTraits::Legacy),
                    // Manifests omit a value after a space. This is the most frequent one.
                    Some("full") | None => Some(GeneralTraits::Full),
                    Some(_) => Some(GeneralTraits::Datatype),
                }
            }
            _ => {}
        }
    }
    settings
}

/// Consumes an option that affects the semantics from the arguments of a task. Returns whether it
/// was one.
pub fn setting(
    arg: &str,
    args: &mut impl Iterator<Item = String>,
    settings: &mut DafnyArgs,
) -> bool {
    match arg {
        "--function-syntax" => {
            settings.function_syntax = args.next().and_then(|v| FunctionSyntax::of_value(&v));
        }
        "--quantifier-syntax" => {
            settings.quantifier_syntax = args.next().and_then(|v| v.parse().ok());
        }
        "--no-unicode-char" => settings.unicode_char = Some(false),
        "--library" => settings.library.extend(args.next().map(PathBuf::from)),
        "--standard-libraries" => {
            settings.standard_libraries = args.next().map(|path| StandardLibraries::At(path.into()))
        }
        _ => return false,
    }
    true
}

/// A file, or all Dafny files in a directory in the order of their paths. A project file represents
/// all files beside and below it.
fn dafny_programs(path: &Path) -> Vec<PathBuf> {
    let mut walk = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
    let mut found = Vec::new();
    while let Some(item) = walk.next() {
        let Ok(path) = item.map(walkdir::DirEntry::into_path) else {
            continue;
        };
        let project = path.join("dfyconfig.toml");
        if project.is_file() {
            found.push(project);
            walk.skip_current_dir();
        } else if path.is_file() && path.extension().is_some_and(|e| e == "dfy" || e == "toml") {
            found.push(path);
        }
    }
    found
}

/// A file, or all Dafny files in a directory in the order of their paths.
pub fn dafny_files(path: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(path).sort_by_file_name();
    let files = walk
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path);
    files
        .filter(|p| p.extension().is_some_and(|e| e == "dfy"))
        .collect()
}

/// Our errors: file name, line, message, id.
pub fn errors_of(job: &Job) -> Vec<(String, u32, String, &'static str)> {
    let Program {
        sources,
        trees,
        mut errors,
    } = job.load();
    if errors.is_empty() {
        let (_, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
        errors = diagnostics.into_iter().filter(|d| d.is_error()).collect();
    }
    let place = |d: &dafny_source::diagnostic::Diagnostic| {
        let start = d.span?.start;
        let file = sources
            .file_at(start)?
            .1
            .path
            .rsplit('/')
            .next()?
            .to_owned();
        Some((file, sources.line_column(start)?.line))
    };
    let errors = errors.into_iter().map(|d| {
        let (file, line) = place(&d).unwrap_or_default();
        (file, line, d.message, d.id)
    });
    errors.collect()
}

/// Removes program-specific parts from a message: names in quotes, types in parentheses, numbers.
pub fn kind_of(message: &str) -> String {
    let mut kind = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '`' || c == '"' => {
                quote = Some(c);
                kind.push('_');
            }
            None if c == '(' => {
                quote = Some(')');
                kind.push_str("(…)");
            }
            None => kind.push(c),
        }
    }
    kind.chars().take(110).collect()
}

/// Runs a task on a thread with a large stack.
pub fn on_large_stack(work: fn()) {
    let worker = std::thread::Builder::new().stack_size(1 << 29).spawn(work);
    let _ = worker.map(std::thread::JoinHandle::join);
}
