//! The macros of the `dmock` crate: `mock!`, `#[derive(Mock)]` and `#[mockable]`. Use them through
//! that crate.
//!
//! Each macro parses the user's tokens to a tree, validates it, and expands it. If this fails, a
//! fallback keeps the rest of the user's program compiling, so that one error in the input is one
//! error message, at the user's tokens.

mod builder;
mod hooks;
mod traits;

use proc_macro::TokenStream;

/// Declares a mock of traits: a struct, its builder, and the implementations.
///
/// ```text
/// mock! {
///     /// Documentation.
///     #[class("Post.Tariff")]                        // what it prints as; else the struct's name
///     pub struct MockTariff;
///
///     impl Tariff for MockTariff {
///         fn surcharge(&self) -> &Field<Int>;         // a field
///         fn price(&self, weight: &Int) -> Int;       // a function to be told
///         fn twice(&self, weight: &Int) -> Int {      // one that is written out
///             self.price(weight) * int(2)
///         }
///     }
/// }
/// ```
#[proc_macro]
pub fn mock(input: TokenStream) -> TokenStream {
    traits::expand(input.into()).into()
}

/// Gives a class of the translation a builder, `MockKey` for `Key`: a method for each field, and
/// `create`.
///
/// `#[mock(name = "KeyBuilder")]` on the struct sets the name of the builder; `#[mock(default =
/// int(1))]` on a field sets its value if the builder does not. Without it, the default is that of
/// the field's type, if it has one.
#[proc_macro_derive(Mock, attributes(mock))]
pub fn derive_mock(item: TokenStream) -> TokenStream {
    builder::expand(item.into()).into()
}

/// Lets mocks redefine the instance functions of an `impl` block of a class, and gives its builder
/// a method for each.
///
/// In `impl Key`, these are the functions whose first parameter is `this: &Ref<Key>`; in `impl Lock
/// for Ref<Key>` those with `&self`. `#[mockable(strength, opens)]` selects these functions alone.
/// A function with type parameters of its own cannot be redefined. `#[mockable(.., builder =
/// KeyBuilder)]` names the builder, if its name is not `MockKey`.
#[proc_macro_attribute]
pub fn mockable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    hooks::expand(arguments.into(), item.into()).into()
}
