//! Which program a document belongs to, and how that is read, as the command line reads it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dafny_ide::Analysis;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{FileId, Span};

use crate::cli::args::ProgramArgs;
use crate::cli::load::{self, Overlay};
use crate::cli::{config, files};

/// What names a program: where the command line would stand, and what it would say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The package's root, or a folder.
    pub root: PathBuf,
    /// Absolute paths of what is named; empty: what the package says.
    pub files: Vec<PathBuf>,
}

/// A program as it was at one moment.
#[derive(Debug)]
pub struct Known {
    /// Which.
    pub key: Key,
    /// What is known of it.
    pub analysis: Analysis,
    /// Absolute paths of its files, in the order of the sources.
    pub paths: Vec<PathBuf>,
    /// Whether all of it could be read as Dafny.
    pub is_readable: bool,
    /// Our number of the texts that it is made of.
    pub revision: u64,
}

/// What a command line without options means in the package at `root`, and what is wrong with its `dtest.toml`.
fn configured(root: &Path) -> (ProgramArgs, Option<Diagnostic>) {
    let (config, problem) = match config::read(root) {
        Ok(config) => (config, None),
        Err(refused) => (config::Config::default(), Some(refused.without_place())),
    };
    (config.generation(root).program, problem)
}

impl Key {
    /// The program of a document: that of the package around it, that of the nearest project file, or the document alone with what it
    /// includes.
    pub fn of(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let package = files::package_root(folder);
        if let Some(root) = &package {
            let key = Self {
                root: root.clone(),
                files: Vec::new(),
            };
            if key.lists(path) {
                let alone = configured(root).0.each;
                return if alone {
                    Self {
                        files: vec![path.to_owned()],
                        ..key
                    }
                } else {
                    key
                };
            }
        }
        for around in folder.ancestors() {
            let project = around.join("dfyconfig.toml");
            if project.is_file() {
                let key = Self {
                    root: package.clone().unwrap_or_else(|| around.to_owned()),
                    files: vec![project],
                };
                if key.lists(path) {
                    return key;
                }
            }
        }
        Self {
            root: package.unwrap_or_else(|| folder.to_owned()),
            files: vec![path.to_owned()],
        }
    }

    /// Whether the program begins with a file.
    fn lists(&self, path: &Path) -> bool {
        let (args, _) = self.arguments();
        load::listing(&args, &self.root).is_ok_and(|all| all.iter().any(|p| p == path))
    }

    /// What the command line would be, with absolute paths; and what is wrong with `dtest.toml`.
    fn arguments(&self) -> (ProgramArgs, Option<Diagnostic>) {
        let (mut args, problem) = configured(&self.root);
        let text = |p: &PathBuf| p.to_string_lossy().into_owned();
        args.files = match (self.files.as_slice(), args.files.as_slice()) {
            ([], []) => vec![text(&self.root.join("src"))],
            ([], given) => given.iter().map(|f| text(&self.root.join(f))).collect(),
            (named, _) => named.iter().map(text).collect(),
        };
        args.each = false;
        (args, problem)
    }

    /// What follows a command's name to name the program, from its root.
    pub fn named(&self) -> Vec<String> {
        self.files
            .iter()
            .map(|f| f.to_string_lossy().into_owned())
            .collect()
    }

    /// Whether the program is that of a package.
    pub fn is_in_package(&self) -> bool {
        self.root.join("Cargo.toml").is_file()
    }

    /// Reads, parses and resolves the program.
    pub fn read(&self, overlay: &Overlay, revision: u64) -> Known {
        let (args, problem) = self.arguments();
        let loaded = load::load_under(&args, &self.root, overlay).map(|mut all| {
            if all.is_empty() {
                None
            } else {
                Some(all.swap_remove(0))
            }
        });
        match loaded {
            Ok(Some(program)) => {
                let mut diagnostics = program.diagnostics;
                diagnostics.extend(problem);
                let is_readable = !diagnostics.iter().any(Diagnostic::is_error);
                let analysis = Analysis::new(
                    program.sources,
                    program.files,
                    diagnostics,
                    (program.options, program.syntax),
                );
                Known {
                    key: self.clone(),
                    analysis,
                    paths: program.paths,
                    is_readable,
                    revision,
                }
            }
            Ok(None) => self.unreadable(None, revision),
            Err(diagnostic) => self.unreadable(Some(diagnostic), revision),
        }
    }

    fn unreadable(&self, diagnostic: Option<Diagnostic>, revision: u64) -> Known {
        let mut analysis = Analysis::default();
        analysis.diagnostics.extend(diagnostic);
        Known {
            key: self.clone(),
            analysis,
            paths: Vec::new(),
            is_readable: false,
            revision,
        }
    }
}

impl Known {
    /// The file of a path.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        self.paths
            .iter()
            .position(|p| p == path)
            .map(|i| FileId(i as u32))
    }

    /// The text that a file had.
    pub fn text(&self, file: FileId) -> Arc<str> {
        self.analysis
            .sources
            .file(file)
            .map_or_else(|| Arc::from(""), |f| f.text.clone())
    }

    /// Path and bytes of a span.
    pub fn place(&self, span: Span) -> Option<(&Path, FileId, std::ops::Range<usize>)> {
        let (id, file) = self.analysis.sources.file_at(span.start)?;
        let path = self.paths.get(id.0 as usize)?;
        let start = (span.start - file.base) as usize;
        let end = (span.end.max(span.start) - file.base) as usize;
        Some((path, id, start..end.min(file.text.len())))
    }
}
