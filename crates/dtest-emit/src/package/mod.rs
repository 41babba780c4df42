//! The files of a package: which items stand in which module and file, what they import, and their text.
//!
//! It knows the tree of Rust ([`crate::rust`]) alone, not what the items are the translation of.

mod files;
mod imports;
pub(crate) mod lints;

pub(crate) use files::{Placed, files};
pub(crate) use imports::{Modules, Place};

use dafny_syntax::source::FileId;
use dtest_sorted::SortedMap;

/// Where the translation goes.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The Rust path of the crate or module that holds all of it: `crate`, `crate::programs::p17`.
    pub root: String,
    /// The Rust file of each Dafny file.
    pub files: SortedMap<FileId, RustFile>,
    /// The Rust file of all other Dafny files.
    pub other: RustFile,
    /// What every file starts with: the marker, as line comments.
    pub header: String,
}

/// A Rust file of the translation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RustFile {
    /// Its path: `src/lib.rs`.
    pub path: String,
    /// Its module path below the root: empty for `src/lib.rs`, `["x"]` for `src/x.rs`.
    pub module: Vec<String>,
}

impl Placement {
    /// All in one file at the root.
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

/// The text of a file of Rust: what the program's comments hold, quoted in comments, hides nothing and ends none. Literals are escaped
/// as they are made.
pub(crate) fn rust_text(text: &str) -> String {
    dafny_syntax::source::visible(text, &['\n', '\t']).into_owned()
}
