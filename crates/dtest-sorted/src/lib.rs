//! Ordered maps and sets with a small code size.
//!
//! [`SortedMap`] and [`SortedSet`] have the interface of [`BTreeMap`](std::collections::BTreeMap)
//! and [`BTreeSet`](std::collections::BTreeSet): entries are ordered by key, regardless of the
//! order of insertion. Every instance of a B-tree with different types compiles to about seven
//! thousand lines of LLVM code, so a program with many such types pays in build time and in size.
//! This implementation needs about one thousand. Measured on the engine when it was one crate of
//! 90,000 lines, in a release build: with the standard collections, the compiler took 98 s of CPU
//! time instead of 86 s, and the library had 33.4 MB instead of 30.6 MB.
//!
//! Entries are stored in sorted chunks of at most 128. A search consists of two binary searches. An
//! insertion moves the later entries of its chunk and, once in 64 times, the later chunks. `len`
//! visits each chunk. No other operation on single entries is linear in the number of entries.
//!
//! The interface serves this tool and changes with it: it is not stable.
//!
//! # Example
//!
//! ```
//! use dtest_sorted::{SortedMap, SortedSet};
//!
//! let mut ages = SortedMap::from([("Ada", 36), ("Alan", 41)]);
//! *ages.entry("Ada").or_default() += 1;
//! assert_eq!(ages.range("Ae"..).next(), Some((&"Alan", &41)));
//! let names: SortedSet<&str> = ages.into_keys().collect();
//! assert_eq!(names.first(), Some(&"Ada"));
//! ```
#![deny(missing_docs)]

mod map;
mod serialize;
mod set;
#[cfg(test)]
mod tests;

pub use map::{Entry, IntoIter, IntoValues, Iter, IterMut, SortedMap};
pub use set::{IntoItems, Items, SortedSet};
