//! Sources and diagnostics, the vocabulary that all stages of a front end share.
//!
//! A [`SourceMap`] places all files of a program in one position space, so that a [`Span`] is a
//! pair of numbers. A [`diagnostic::Diagnostic`] is a message at a span, independent of its
//! format; each format has a renderer in [`diagnostic`]. The crate reads no files, prints nothing,
//! and does not know the tool that shows the messages.
//!
//! # Example
//!
//! ```
//! use dafny_source::diagnostic::{Diagnostic, short};
//! use dafny_source::{SourceMap, Span};
//!
//! let mut sources = SourceMap::new();
//! sources.add("a.dfy", "method M() {\n  x := 3;\n}", true);
//! let error = Diagnostic::error("resolve/unknown-name", Span::new(15, 16), "there is no `x`");
//! assert_eq!(
//!     short::render(&error, &sources),
//!     "a.dfy:2:3: error: there is no `x` [resolve/unknown-name]"
//! );
//! ```
#![deny(missing_docs)]

pub mod diagnostic;
mod map;
#[cfg(test)]
mod tests;

pub use map::{FileId, LineColumn, Name, Region, SourceFile, SourceMap, Span, visible};
