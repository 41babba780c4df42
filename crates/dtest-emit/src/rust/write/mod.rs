//! Converts the tree to `syn`, in the form that [`super::print`] formats.
//!
//! [`write()`] converts items. Each submodule converts one kind of node; [`Writer`] knows how the
//! names of a function are written.

mod exprs;
mod items;
mod macros;
mod patterns;
mod stmts;
mod types;

use proc_macro2::Span;
use syn::Expr as E;

use super::{Function, Ident, Item, Literal, print};

/// Converts items for the printer.
pub(crate) fn write(items: Vec<Item<Function>>) -> Vec<syn::Item> {
    items.into_iter().map(items::item).collect()
}

/// The conversion of a function's code.
struct Writer<'w, N> {
    /// Returns a name as text.
    text: &'w dyn Fn(&N) -> Ident,
}

impl<N> Writer<'_, N> {
    fn name(&self, name: &N) -> proc_macro2::Ident {
        token((self.text)(name).as_str())
    }
}

/// The writer for code outside of functions.
const OUTSIDE: Writer<'_, Ident> = Writer {
    text: &Ident::clone,
};

/// Converts a name to a token, raw if it is a keyword of Rust.
fn token(name: &str) -> proc_macro2::Ident {
    match name.strip_prefix("r#") {
        Some(raw) => proc_macro2::Ident::new_raw(raw, Span::call_site()),
        None => proc_macro2::Ident::new(name, Span::call_site()),
    }
}

/// Creates a lifetime such as `'outer`.
fn lifetime(name: &str) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{name}"), Span::call_site())
}

fn label(name: Option<String>) -> Option<syn::Label> {
    name.map(|n| syn::Label {
        name: lifetime(&n),
        colon_token: Default::default(),
    })
}

fn member(name: &str) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index {
            index,
            span: Span::call_site(),
        }),
        Err(_) => syn::Member::Named(token(name)),
    }
}

fn single(name: proc_macro2::Ident) -> E {
    E::Path(syn::ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: name.into(),
    })
}

fn literal(l: Literal) -> syn::ExprLit {
    let lit = match l {
        Literal::Bool(value) => syn::Lit::Bool(syn::LitBool::new(value, Span::call_site())),
        Literal::Char(c) => syn::Lit::new(proc_macro2::Literal::character(c)),
        Literal::Text(text) => syn::Lit::new(proc_macro2::Literal::string(&text)),
        Literal::Number(text) => match text.parse::<proc_macro2::Literal>() {
            Ok(token) => syn::Lit::new(token),
            Err(_) => syn::Lit::Str(syn::LitStr::new(&text, Span::call_site())),
        },
    };
    syn::ExprLit {
        attrs: Vec::new(),
        lit,
    }
}
