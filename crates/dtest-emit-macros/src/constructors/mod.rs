//! Converts a parsed template to the constructors of the emitter's tree.

mod exprs;
mod macros;
mod patterns;
mod stmts;
mod types;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr as E, Pat as P, Result};

use crate::splice::{self, Mentions};

/// Builds constructors, in evaluation order.
pub(crate) struct Constructors {
    /// The number of remaining mentions of each variable, which determines whether it is moved or
    /// cloned.
    mentions: Mentions,
}

pub(crate) fn refused<T>(at: &impl Spanned, what: &str) -> Result<T> {
    Err(Error::new(
        at.span(),
        format!("the tree has no node for {what}"),
    ))
}

/// Returns the path of a node of the tree. The generic argument is explicit, because `Expr` alone
/// would have an unknown kind of names.
pub(crate) fn node(kind: &str) -> TokenStream {
    let kind = Ident::new(kind, Span::call_site());
    quote!(crate::rust::#kind::<crate::rust::Ident>)
}

fn text(name: &Ident) -> TokenStream {
    let text = name.to_string();
    quote!(::std::string::String::from(#text))
}

pub(crate) fn maybe(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn boxed(value: &TokenStream) -> TokenStream {
    quote!(::std::boxed::Box::new(#value))
}

/// Returns a span in the template for code that is not written there.
pub(crate) fn at(name: &Ident) -> Span {
    Span::mixed_site().located_at(name.span())
}

/// Returns a hygienic variable of the expansion.
fn own_variable() -> Ident {
    Ident::new("all", Span::mixed_site())
}

/// Returns the list that a path or a macro call represents.
fn each_of(path: &syn::Path) -> Option<Ident> {
    path.get_ident().and_then(splice::each)
}

/// Returns the list that an expression represents.
fn each_of_expr(e: &E) -> Option<Ident> {
    match e {
        E::Path(p) => each_of(&p.path),
        E::Macro(m) => each_of(&m.mac.path),
        _ => None,
    }
}

/// Returns the list that a pattern represents.
fn each_of_pat(p: &P) -> Option<Ident> {
    match p {
        P::Ident(i) => splice::each(&i.ident),
        P::Macro(m) => each_of(&m.mac.path),
        _ => None,
    }
}

/// Returns the variable that a type represents.
pub(crate) fn spliced_type(ty: &syn::Type) -> Option<Ident> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() => p.path.get_ident().and_then(splice::one),
        _ => None,
    }
}

impl Constructors {
    pub(crate) fn new(mentions: Mentions) -> Self {
        Self { mentions }
    }

    /// Writes the value of a variable: moved at its last mention, cloned before.
    pub(crate) fn value(&mut self, variable: &Ident) -> TokenStream {
        let left = self.mentions.entry(variable.to_string()).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 {
            quote!(#variable)
        } else {
            quote_spanned!(at(variable)=> #variable.to_owned())
        }
    }

    /// Writes a variable that is only read.
    fn shown(&mut self, variable: &Ident) -> TokenStream {
        let left = self.mentions.entry(variable.to_string()).or_default();
        *left = left.saturating_sub(1);
        quote!(#variable)
    }

    /// Writes a name as text.
    pub(crate) fn name(&mut self, name: &Ident) -> TokenStream {
        if splice::each(name).is_some() {
            return Error::new(name.span(), "a list stands where one name does")
                .into_compile_error();
        }
        match splice::one(name) {
            Some(variable) => {
                let variable = self.shown(&variable);
                quote_spanned!(at(name)=> ::std::string::ToString::to_string(&#variable))
            }
            None => text(name),
        }
    }

    /// Writes a name of a variable.
    pub(crate) fn ident(&mut self, name: &Ident) -> TokenStream {
        if splice::each(name).is_some() {
            return Error::new(name.span(), "a list stands where one value does")
                .into_compile_error();
        }
        match splice::one(name) {
            Some(variable) => {
                let variable = self.shown(&variable);
                quote_spanned!(at(name)=> #variable.to_owned())
            }
            None => {
                let text = name.to_string();
                quote!(crate::rust::Ident::new(#text))
            }
        }
    }

    fn label(&mut self, label: Option<syn::Lifetime>) -> TokenStream {
        let name = label.map(|l| self.name(&l.ident));
        maybe(name)
    }

    /// Writes a list of parts: `each` returns the list that a part represents, `one` its
    /// constructor.
    pub(crate) fn list<T>(
        &mut self,
        parts: impl IntoIterator<Item = T>,
        part_type: &TokenStream,
        each: impl Fn(&T) -> Option<Ident>,
        mut one: impl FnMut(&mut Self, T) -> Result<TokenStream>,
    ) -> Result<TokenStream> {
        let parts: Vec<T> = parts.into_iter().collect();
        if parts.iter().all(|p| each(p).is_none()) {
            let parts = parts
                .into_iter()
                .map(|p| one(self, p))
                .collect::<Result<Vec<_>>>()?;
            return Ok(quote!(::std::vec![#(#parts),*]));
        }
        let (mut pushes, all) = (TokenStream::new(), own_variable());
        for p in parts {
            pushes.extend(match each(&p) {
                Some(list) => {
                    let values = self.value(&list);
                    quote_spanned!(at(&list)=> #all.extend(::core::iter::IntoIterator::into_iter(#values).map(#part_type::from));)
                }
                None => {
                    let part = one(self, p)?;
                    quote!(#all.push(#part);)
                }
            });
        }
        Ok(quote!({
            let mut #all: ::std::vec::Vec<#part_type> = ::std::vec::Vec::new();
            #pushes
            #all
        }))
    }
}
