//! Names and types of Boogie programs.
//! A parsed program is resolved to a [`typed::Program`] (arenas of declarations, expressions with types, bodies as basic blocks), or to
//! diagnostics. As in Boogie, types are checked only if all names are resolved.
//!
//! # Example
//!
//! ```
//! let (program, _) = boogie_syntax::parse(0, "var g: int; procedure P() modifies g; { g := g + true; }");
//! let errors = boogie_resolve::resolve(&program).unwrap_err();
//! assert_eq!(errors[0].message, "`+` is not defined for `int` and `bool`");
//! ```
#![deny(missing_docs)]
// Not in tests: they print what they have no notation for as it is.
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
mod tests;
mod triggers;
pub mod typed;
mod types;
mod unify;

pub use declarations::resolve;
