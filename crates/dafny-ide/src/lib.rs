//! Editor features for Dafny programs: definitions, references, hovers, completions and renames.
//!
//! Inputs are texts and positions of a [`SourceMap`](dafny_source::SourceMap). Results are
//! spans and texts. The crate reads no files and prints nothing. An [`Analysis`] is a snapshot of a
//! program: it answers queries immediately, and stays valid for its texts while newer texts have
//! errors. Features that need no names (symbols, folding) work on a single text.
//!
//! ```
//! use dafny_ide::{Analysis, Input, Text};
//!
//! let text = "function Twice(x: int): int { x + x }\nmethod M() { var y := Twice(3); }";
//! let program = Analysis::of(&Input { texts: vec![Text::new("a.dfy", text)], ..Input::default() });
//! let use_of_twice = text.rfind("Twice").unwrap() as u32;
//! let found = program.definition(use_of_twice).unwrap();
//! assert_eq!(program.sources.locate(found.target), "a.dfy:1:10");
//! ```
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod analysis;
mod calls;
mod complete;
mod describe;
mod folding;
mod proposals;
mod rename;
mod symbols;
mod tokens;

pub use analysis::{Analysis, Found, Input, Occurrence, Text, Unit};
pub use calls::SignatureHelp;
pub use complete::{Completion, complete};
pub use describe::{Hover, Kind};
pub use folding::{Fold, FoldKind, folds};
pub use proposals::{Missing, Proposal};
pub use rename::{Edit, Refused};
pub use symbols::{Symbol, symbols};
pub use tokens::{SemanticToken, TokenClass};

#[cfg(test)]
mod tests;
