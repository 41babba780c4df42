#![doc = include_str!("../README.md")]

// The macros' expansions name the crate by its name, here too.
extern crate self as dmock;

mod caller;
mod function;
#[doc(hidden)]
pub mod support;

pub use dmock_macros::{Mock, mock, mockable};
#[doc(hidden)]
pub use dunit;
pub use dunit::stand_in::Anything;
#[doc(hidden)]
pub use function::Answer;
pub use function::{Function, On};

/// A class whose objects can be made by a builder: `#[derive(Mock)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no mock builder",
    label = "missing `#[derive(Mock)]`"
)]
pub trait Mock: dunit::Object + Sized {
    /// Has a method for each field, one for each function that can be redefined, and `create`.
    type Builder;

    /// A builder that was told nothing.
    fn builder() -> Self::Builder;
}

/// Begins an object of a class: `mock::<Key>().bits(int(128)).create()`.
#[must_use]
pub fn mock<C: Mock>() -> C::Builder {
    C::builder()
}
