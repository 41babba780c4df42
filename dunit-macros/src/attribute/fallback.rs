//! What remains of a test that was refused.

use proc_macro2::TokenStream;
use quote::quote;

/// The error, and the item as it was written: names that it declares stay known, so that no other error follows.
pub(super) fn expand(error: &syn::Error, item: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! {
        #error
        #[allow(dead_code, unused)]
        #item
    }
}
