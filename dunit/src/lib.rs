//! The run-time library of the Rust code that `cargo dtest` generates: Dafny's values, a heap of
//! objects, and the test harness.
//!
//! # Dafny's types in Rust
//!
//! | Dafny | Rust | Notes |
//! |---|---|---|
//! | `bool` | `bool` | |
//! | `char` | [`Char`] | with `--unicode-char:false`: [`Char16`] |
//! | `int`, `nat`, their subset types | [`Int`] | literals: `int(5)`, `int(5_000_000_000_i64)`, `int("12345678901234567890")` |
//! | newtypes in the range of a primitive | `u8` … `i128` | arithmetic by [`Native`]: Euclidean, checked |
//! | `real` | [`Real`] | literals: `real("1.5")`, `real("1/3")` |
//! | `bvN` | [`Bv<N>`](Bv) | wraps; literals: `Bv::<8>::from(200)` |
//! | `ORDINAL` | [`Ordinal`] | finite ordinals only, as in Dafny's own run-time libraries |
//! | `seq<T>`, `string` | [`Seq<T>`](Seq), `Seq<Char>` | `seq![a, b]`, [`str()`], [`str16`] |
//! | `set<T>`, `iset<T>` | [`Set<T>`](Set), [`ISet`] | `set!{a, b}` |
//! | `multiset<T>` | [`Multiset<T>`](Multiset) | `multiset!{a, a}` |
//! | `map<K, V>`, `imap<K, V>` | [`Map<K, V>`](Map), [`IMap`] | `map!{k => v}` |
//! | tuples | tuples of up to 12 | |
//! | arrows | [`Fun0`] … [`Fun8`] | `Fun1::new(\|x: &Int\| ..)`, `f.call(&a)` |
//! | classes | [`Ref<C>`](Ref), null or not | fields are [`Field<T>`](Field) |
//! | traits, `object` | [`Dyn<dyn T>`](Dyn), [`AnyObject`] | `upcast(&r)`, `downcast::<Ref<C>, _>(&t)` |
//! | iterators | as classes, with a [`Coroutine`] for the body | `suspend().await` is `yield` |
//! | `array<T>`, `array2<T>` … | [`Array<T>`](Array), [`Array2`] … | null or not |
//! | codatatypes | enums and structs with [`Lazy`] fields | |
//! | datatypes | enums and structs of the translation, recursive through `Rc` | derive `Clone`, `PartialEq`, `Eq`, `PartialOrd`, `Ord`; [`DafnyPrint`] by [`fmt_constructor`] |
//!
//! Every one of them is a [`Value`], the only bound that a translated type parameter has. Copies
//! are cheap: every collection shares its elements until it is changed.
//!
//! # Two orders
//!
//! Rust's `<` (`PartialOrd`, `Ord`) is a *total order*, the one in which sets and maps keep their
//! elements. It is Dafny's order on `int`, `nat`, `real`, `char`, bit-vectors and newtypes. Dafny's
//! own `<` and `<=` on collections are methods: [`Seq::is_prefix_of`], [`Set::is_subset_of`],
//! [`Multiset::is_subset_of`] and their `is_proper_` forms.
//!
//! # One rule for choices
//!
//! Sets, multisets and maps are walked in ascending order, and a choice (`:|`, `*`) takes the least
//! value: [`such_that`].
//!
//! # Partial operations
//!
//! An operation outside of its domain (division by zero, an index out of range, a key that is
//! absent, null, a native overflow) panics with a message that says so; it unwinds, and the harness
//! reports it with the clause being evaluated. A failing Dafny `expect` is [`halt()`].
//!
//! # Tests
//!
//! ```
//! use dunit::prelude::*;
//!
//! fn lex_leq(x: &Seq<u8>, y: &Seq<u8>, n: &Int) -> bool {
//!     *n == x.len() || (*n != y.len() && (x[n] < y[n] || (x[n] == y[n] && lex_leq(x, y, &(n + int(1))))))
//! }
//!
//! #[dunit(unit = "LexLeq")]
//! fn bytes_at_n_are_equal() {
//!     let x = seq![0u8, 133, 188];
//!     let y = seq![0u8, 133, 187];
//!     let n = int(1);
//!     require!(n <= x.len() && n <= y.len(), "src/lib.dfy:2: n <= |x| && n <= |y|");
//!     let result = lex_leq(&x, &y, &n);
//!     expect!(!result || n == x.len() || n != y.len(), "src/lib.dfy:3: result ==> n == |x| || n != |y|");
//!     expect_eq!(result, false, "value by Dafny's semantics");
//! }
//! # fn main() { }
//! ```

extern crate self as dunit;

mod forward;

pub mod array;
pub mod bv;
pub mod chars;
pub mod coroutine;
pub mod cover;
pub mod dynamic;
pub mod erased;
pub mod fun;
pub mod harness;
pub mod heap;
pub mod int;
pub mod iterate;
pub mod lazy;
mod literals;
pub mod map;
pub mod multiset;
pub mod native;
pub mod ordinal;
pub mod prelude;
pub mod print;
mod rc;
pub mod real;
pub mod seq;
pub mod set;
pub mod stub;
mod tuple;
pub mod value;

pub use array::{Array, Array2, Array3, Array4, Array5, Array6, Array7, Array8, ArrayN};
pub use bv::Bv;
pub use chars::{Char, Char16, ch, ch16};
pub use coroutine::{Coroutine, suspend};
pub use dunit_macros::{dunit, expect, expect_eq, require};
pub use dynamic::{AnyObject, Cast, Dyn, Dynamic, downcast, instance_of, is_same, upcast};
pub use erased::Erased;
pub use fun::{Fun0, Fun1, Fun2, Fun3, Fun4, Fun5, Fun6, Fun7, Fun8};
pub use harness::{Halt, halt, halted};
pub use heap::{Field, Fields, Object, PlainObject, Ref, Snapshot, constant_names, field_names};
pub use int::{Int, int};
pub use iterate::{
    all_bools, all_chars, all_chars16, all_ints, exists_in, forall_in, range, range_down,
    range_down_from, range_from, such_that,
};
pub use lazy::Lazy;
pub use map::{IMap, Map};
pub use multiset::Multiset;
pub use native::{Native, ToIndex};
pub use ordinal::Ordinal;
pub use print::{DafnyPrint, Quoted, Shown, Text, fmt_constructor, print, shown, to_dafny_string};
pub use real::{Real, real};
pub use seq::{Seq, str, str16};
pub use set::{ISet, Set};
pub use tuple::{Tuple13, Tuple14, Tuple15, Tuple16, Tuple17, Tuple18, Tuple19, Tuple20, Tuple21};
pub use value::{DafnyDefault, Value};

pub use rc::Rc;
