//! The expansion of a test that was rejected.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns the error and the item in its original form: the names that it declares stay known, so
/// that no follow-up errors occur.
pub(super) fn expand(error: &syn::Error, item: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! {
        #error
        #[allow(dead_code, unused)]
        #item
    }
}
