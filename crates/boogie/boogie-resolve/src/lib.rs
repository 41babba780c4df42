//! Name resolution and type checking of Boogie programs.
//!
//! [`resolve()`] converts a parsed program to a [`typed::Program`] (arenas of declarations,
//! expressions with types, bodies as basic blocks), or returns diagnostics. As in Boogie, types are
//! checked only if all names are resolved. The hard part is the unification of polymorphic map
//! types.
//!
//! # Example
//!
//! ```
//! let (program, _) = boogie_syntax::parse(0, "var g: int; procedure P() modifies g; { g := g + true; }");
//! let errors = boogie_resolve::resolve(&program).unwrap_err();
//! assert_eq!(errors[0].message, "`+` is not defined for `int` and `bool`");
//! ```
#![deny(missing_docs)]
// Tests may use wildcards: they print nodes without a notation of their own as they are.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod bodies;
mod checker;
mod declarations;
mod expressions;
mod labels;
mod scopes;
mod selective;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
mod triggers;
pub mod typed;
mod types;
mod unify;

pub use declarations::resolve;
pub use unify::substitute;
