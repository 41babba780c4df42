//! The program of a document, which is found and read as the command line does it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dafny_ide::Analysis;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{FileId, Span};

use crate::cli::args::ProgramArgs;
use crate::cli::load::{self, Overlay};
use crate::cli::{config, files};

/// The identity of a program: a current directory, and the files on a command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The root of the package, or a directory.
    pub root: PathBuf,
    /// Absolute paths of the named files; empty if the package configures them.
    pub files: Vec<PathBuf>,
}

/// A resolved state of a program.
#[derive(Debug)]
pub struct Known {
    /// The identity of the program.
    pub key: Key,
    /// The results of resolution.
    pub analysis: Analysis,
    /// Absolute paths of its files, in the order of the sources.
    pub paths: Vec<PathBuf>,
    /// Whether no file has syntax errors.
    pub is_readable: bool,
    /// The revision of its texts.
    pub revision: u64,
}

/// Returns the arguments that a command line without options has in the package at `root`, and the
/// error in its `dtest.toml`, if there is one.
fn configured(root: &Path) -> (ProgramArgs, Option<Diagnostic>) {
    let (config, problem) = match config::read(root) {
        Ok(config) => (config, None),
        Err(refused) => (config::Config::default(), Some(refused.without_place())),
    };
    (config.generation(root).program, problem)
}

impl Key {
    /// Returns the program of a document: that of its package, that of the nearest project file, or
    /// the document alone with its includes.
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

    /// Whether a file is a root file of the program.
    fn lists(&self, path: &Path) -> bool {
        let (args, _) = self.arguments();
        load::listing(&args, &self.root).is_ok_and(|all| all.iter().any(|p| p == path))
    }

    /// Returns the corresponding arguments of the command line, with absolute paths, and the error
    /// in `dtest.toml`, if there is one.
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

    /// Returns the arguments that name the program on a command line, relative to its root.
    pub fn named(&self) -> Vec<String> {
        self.files
            .iter()
            .map(|f| f.to_string_lossy().into_owned())
            .collect()
    }

    /// Whether the program belongs to a package.
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
    /// Returns the file with a path.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        self.paths
            .iter()
            .position(|p| p == path)
            .map(|i| FileId(i as u32))
    }

    /// Returns the text of a file in this state.
    pub fn text(&self, file: FileId) -> Arc<str> {
        self.analysis
            .sources
            .file(file)
            .map_or_else(|| Arc::from(""), |f| f.text.clone())
    }

    /// Returns the path and the byte range of a span.
    pub fn place(&self, span: Span) -> Option<(&Path, FileId, std::ops::Range<usize>)> {
        let (id, file) = self.analysis.sources.file_at(span.start)?;
        let path = self.paths.get(id.0 as usize)?;
        let start = (span.start - file.base) as usize;
        let end = (span.end.max(span.start) - file.base) as usize;
        Some((path, id, start..end.min(file.text.len())))
    }
}
