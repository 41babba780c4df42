//! What editors ask of Dafny programs: where something is declared and used, what it is, what could stand here.
//!
//! Texts and positions of a [`SourceMap`](dafny_syntax::source::SourceMap) come in, spans and words go out; nothing is read or printed.
//! An [`Analysis`] is what is known of a program at one moment; it answers at once, and stays good for the texts that it was made of while
//! newer ones are broken. What needs no names (symbols, folding) is asked of one text.
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

mod analysis;
mod calls;
mod complete;
mod describe;
mod folding;
mod mends;
mod rename;
mod symbols;
mod tokens;

pub use analysis::{Analysis, Found, Input, Occurrence, Text, Unit};
pub use calls::SignatureHelp;
pub use complete::{Completion, complete};
pub use describe::{Hover, Kind};
pub use folding::{Fold, FoldKind, folds};
pub use mends::{Missing, Proposal};
pub use rename::{Edit, Refused};
pub use symbols::{Symbol, symbols};
pub use tokens::{SemanticToken, TokenClass};

#[cfg(test)]
mod tests;
