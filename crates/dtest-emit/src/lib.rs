//! Converts the typed program to Rust (the translation), and test cases to Rust (the suite).
//!
//! [`translate`] and [`suite_beside`] are the entry points. An item that has no translation is left
//! out together with everything that needs it, each with the reason; the rest compiles.
//! Specification functions (ghost functions that contracts call) are translated too if their bodies
//! can be executed, so that tests check the properties that Dafny's verifier checks.
//!
//! The interface is internal to the tool and not stable.
//!
//! # Example
//!
//! ```
//! use dafny_resolve::{resolve_text, typed::Options};
//! use dtest_emit::{Placement, translate};
//!
//! let (sources, program, _) = resolve_text("twice.dfy", "function Twice(x: int): int { x + x }", Options::default());
//! let translation = translate(&program, &sources, &Placement::single("src/lib.rs", "crate", "// from twice.dfy"));
//! assert!(translation.unsupported.is_empty());
//! assert!(translation.files[0].1.contains("pub fn twice(x: &Int) -> Int"));
//! ```
#![deny(missing_docs)]
// Tests are exempt: they print values that have no other notation with `Debug`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod dafny;
mod package;
mod passes;
mod rust;
mod suite;
mod translation;
pub mod vectors;

pub use package::{Placement, RustFile};
pub use rust::source as rust_source;
pub use suite::{case, suite, suite_beside};
pub use translation::{
    EntryPoint, Instrumented, Missing, Reason, Translation, Unsupported, instrument, translate,
    translate_erased,
};

/// Returns a noun with its indefinite article: `a nat`, `an Odd`. A `u` is taken for a consonant,
/// as in `uint32`.
fn with_article(noun: &str) -> String {
    let is_vowel = noun.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}
