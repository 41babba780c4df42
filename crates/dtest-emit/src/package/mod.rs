//! The files of a package: the module and file of each item, the imports, and the text.
//!
//! This module depends on the Rust tree ([`crate::rust`]) alone, not on the source of the items.

mod files;
mod imports;
pub(crate) mod lints;

pub(crate) use files::{Placed, files};
pub(crate) use imports::{Modules, Place};

use dafny_source::FileId;
use dtest_sorted::SortedMap;

/// The placement of the translation in files.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The Rust path of the crate or module that contains the translation: `crate`,
    /// `crate::programs::p17`.
    pub root: String,
    /// The Rust file of each Dafny file.
    pub files: SortedMap<FileId, RustFile>,
    /// The Rust file of all other Dafny files.
    pub other: RustFile,
    /// The header of every file: the marker, as line comments.
    pub header: String,
}

/// A Rust file of the translation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RustFile {
    /// The path: `src/lib.rs`.
    pub path: String,
    /// The module path below the root: empty for `src/lib.rs`, `["x"]` for `src/x.rs`.
    pub module: Vec<String>,
}

impl Placement {
    /// Places everything in one file at the root.
    pub fn single(
        path: impl Into<String>,
        root: impl Into<String>,
        header: impl Into<String>,
    ) -> Self {
        let other = RustFile {
            path: path.into(),
            module: Vec::new(),
        };
        Self {
            root: root.into(),
            files: SortedMap::new(),
            other,
            header: header.into(),
        }
    }
}

/// Escapes the text of a Rust file, so that text of the program that is quoted in comments can
/// neither hide code nor end a comment. Literals are escaped when they are created.
pub(crate) fn rust_text(text: &str) -> String {
    dafny_source::visible(text, &['\n', '\t']).into_owned()
}
