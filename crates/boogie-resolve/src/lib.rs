//! Names and types of Boogie programs.
//!
//! A parsed program comes in, a [`typed::Program`] comes out: arenas of declarations, expressions with types, bodies as basic blocks; or
//! the reasons why there is none. As in Boogie, types are looked at only where all names are known.
//!
//! # Example
//!
//! ```
//! let (program, _) = boogie_syntax::parse(0, "var g: int; procedure P() modifies g; { g := g + true; }");
//! let errors = boogie_resolve::resolve(&program).unwrap_err();
//! assert_eq!(errors[0].message, "`+` has no meaning for `int` and `bool`");
//! ```
#![deny(missing_docs)]

mod bodies;
mod checker;
mod declarations;
mod expressions;
mod labels;
mod scopes;
#[cfg(test)]
mod tests;
mod triggers;
pub mod typed;
mod types;
mod unify;

pub use declarations::resolve;
