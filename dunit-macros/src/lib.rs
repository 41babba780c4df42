//! The macros of the `dunit` crate: `#[dunit]`, `require!`, `expect!` and `expect_eq!`. Use them
//! through that crate.
//!
//! Each macro parses the user's tokens to a tree, validates it, and expands it. If this fails, a
//! fallback keeps the rest of the user's program compiling, so that one error in the input is one
//! error message, at the user's tokens.

mod attribute;
mod clause;
mod text;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes a function a test that `dunit::harness::run` executes.
///
/// ```text
/// #[dunit]
/// #[dunit(unit = "M.C.LexLeq", stack = "1G", timeout = 5, record = false)]
/// ```
///
/// | Key | Value | Default |
/// |---|---|---|
/// | `unit` | what is tested, as reports name it | the function's name |
/// | `stack` | bytes of stack, with `K`, `M` or `G` | `"512M"` |
/// | `timeout` | seconds; 0 for no limit | `60` |
/// | `record` | whether reports show the variables of the test | `true` |
///
/// The variables are those that a `let` of the body itself declares by a plain name. Those before
/// the first `require!` or `Snapshot::take()` are the inputs, shown as they are there, and again
/// where they have changed at the end; without these, those before the call, which is the statement
/// before the first expectation. The others are shown as computed. Variables that are `mut`, and
/// values that have no printed form, are left out.
#[proc_macro_attribute]
pub fn dunit(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute::derive(arguments.into(), item.into()).into()
}

/// `require!(condition, "src/lib.dfy:2: n <= |x|")`: a precondition or a type constraint of the
/// inputs. If it does not hold the test is unreliable, and its report says so.
#[proc_macro]
pub fn require(input: TokenStream) -> TokenStream {
    clause::condition(parse_macro_input!(input), clause::Kind::Require).into()
}

/// `expect!(condition, "src/lib.dfy:3: result == 0")`: a condition that must hold after the call.
/// For a conjunction, the report names the failed conjunct; for a comparison, it shows both sides.
#[proc_macro]
pub fn expect(input: TokenStream) -> TokenStream {
    clause::condition(parse_macro_input!(input), clause::Kind::Expect).into()
}

/// `expect_eq!(got, want, "value by Dafny's semantics")`: an expected value.
#[proc_macro]
pub fn expect_eq(input: TokenStream) -> TokenStream {
    clause::equality(parse_macro_input!(input)).into()
}
