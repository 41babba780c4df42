//! `#[dunit]`, in five steps.

mod arguments;
mod ast;
mod expand;
mod fallback;
mod valid;

use proc_macro2::TokenStream;

/// Returns the item that replaces the attribute and its function.
pub(crate) fn derive(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match ast::Test::parse(arguments, item.clone())
        .and_then(|test| valid::check(&test).map(|()| test))
    {
        Ok(test) => expand::expand(&test),
        Err(error) => fallback::expand(&error, item),
    }
}
