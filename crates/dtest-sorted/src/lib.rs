//! Ordered maps and sets like the standard library's, of little code.
//!
//! [`SortedMap`] and [`SortedSet`] do what [`BTreeMap`](std::collections::BTreeMap) and [`BTreeSet`](std::collections::BTreeSet)
//! do: entries in the order of their keys, whatever the order in which they came. A B-tree is some seven thousand lines of LLVM's
//! code for each pair of types that it is used with, which a program of many such pairs pays for in the time of its build and in
//! its size. This is some thousand.
//!
//! Entries lie in sorted chunks of at most 128. To find one is two binary searches; to insert one moves those after it in its
//! chunk, and, once in 64 times, the chunks after that. `len` counts the chunks. Nothing else is linear in the number of entries.
//!
//! Its interface is the tool's own and changes with it: it is not stable.
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
