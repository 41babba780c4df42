//! What the translation says of its Rust beyond what Rust has words for, as tokens: written here, and read here into nodes of the tree.
//!
//! The last character of a mark is a letter to Rust and to no Dafny program, so that it is no name of the program's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The method of a variable whose value is for keeps.
const TAKE: &str = "takeǃ";
/// The attribute of a `let` whose variable is a reference into what its value mentions.
const BORROWS: &str = "borrowsǃ";
/// The attribute of a `let` that gives a variable no value of the program's, at most its type's default.
const UNASSIGNED: &str = "unassignedǃ";
/// The name that stands for an empty line.
const SPACE: &str = "spaceǃ";
/// What the name starts with that stands for a body that is kept elsewhere, by its number.
const BODY: &str = "bodyǃ";
/// What the name of a function ends in that stands for a word before an argument of a macro.
const WORD: char = 'ǃ';

fn name(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A statement that becomes an empty line.
#[cfg(test)]
pub(crate) fn empty_line() -> TokenStream {
    let space = name(SPACE);
    quote!(#space;)
}

/// An argument of a macro with a word before it: `text x`.
pub(crate) fn with_word(word: &str, argument: &TokenStream) -> TokenStream {
    let marked = name(&format!("{word}{WORD}"));
    quote!(#marked(#argument))
}

/// The method that says that a variable's value is for keeps.
pub(super) fn take_method() -> Ident {
    name(TAKE)
}

/// The name that stands for an empty line.
pub(super) fn space() -> Ident {
    name(SPACE)
}

/// The attributes of a `let`.
pub(super) fn for_let(is_borrow: bool, is_unassigned: bool) -> Vec<syn::Attribute> {
    let attribute = |text: &str| {
        let mark = name(text);
        syn::parse_quote!(#[#mark])
    };
    let (borrows, unassigned) = (is_borrow.then(|| attribute(BORROWS)), is_unassigned.then(|| attribute(UNASSIGNED)));
    borrows.into_iter().chain(unassigned).collect()
}

/// The name that stands for a body.
pub(super) fn body(number: usize) -> Ident {
    name(&format!("{BODY}{number}"))
}

/// The number of the body that a name stands for.
pub(super) fn body_number(name: &Ident) -> Option<usize> {
    name.to_string().strip_prefix(BODY)?.parse().ok()
}

pub(super) fn is_take(method: &Ident) -> bool {
    method == TAKE
}

pub(super) fn is_space(name: &Ident) -> bool {
    name == SPACE
}

/// The word that a function of this name stands for.
pub(super) fn word(function: &Ident) -> Option<String> {
    function.to_string().strip_suffix(WORD).map(str::to_owned)
}

/// What the attributes of a `let` say: that it borrows, that it leaves its variable unassigned. Nothing where there are others.
pub(super) fn of_let(attrs: &[syn::Attribute]) -> Option<(bool, bool)> {
    let has = |mark: &str| attrs.iter().any(|a| a.path().is_ident(mark));
    let is_mark = |a: &syn::Attribute| a.path().is_ident(BORROWS) || a.path().is_ident(UNASSIGNED);
    attrs.iter().all(is_mark).then(|| (has(BORROWS), has(UNASSIGNED)))
}
