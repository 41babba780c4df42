#![doc = include_str!("../README.md")]

// The expansions of the macros refer to the crate by its name, even here.
extern crate self as dmock;

mod caller;
mod function;
#[doc(hidden)]
pub mod support;

pub use dmock_macros::{Mock, mock, mockable};
#[doc(hidden)]
pub use dunit;
pub use dunit::stub::Anything;
#[doc(hidden)]
pub use function::Answer;
pub use function::{Function, On};

/// A class with a builder for its objects: `#[derive(Mock)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no mock builder",
    label = "missing `#[derive(Mock)]`"
)]
pub trait Mock: dunit::Object + Sized {
    /// The builder. It has a method for each field, one for each function that can be redefined,
    /// and `create`.
    type Builder;

    /// Returns a builder without settings.
    fn builder() -> Self::Builder;
}

/// Starts building an object of a class: `mock::<Key>().bits(int(128)).create()`.
#[must_use]
pub fn mock<C: Mock>() -> C::Builder {
    C::builder()
}
