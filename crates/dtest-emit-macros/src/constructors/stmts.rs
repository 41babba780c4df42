//! Statements of templates.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr as E, Result};

use super::{Constructors, at, boxed, each_of, maybe, node, own_variable, refused};

impl Constructors {
    pub(crate) fn stmts(&mut self, stmts: Vec<syn::Stmt>) -> Result<TokenStream> {
        let each = |s: &syn::Stmt| match s {
            syn::Stmt::Expr(E::Path(p), None) => each_of(&p.path),
            syn::Stmt::Macro(m) => each_of(&m.mac.path),
            _ => None,
        };
        if stmts.iter().all(|s| each(s).is_none()) {
            let stmts = stmts
                .into_iter()
                .map(|s| self.stmt(s))
                .collect::<Result<Vec<_>>>()?;
            return Ok(quote!(::std::vec![#(#stmts),*]));
        }
        let (mut pushes, all) = (TokenStream::new(), own_variable());
        for s in stmts {
            pushes.extend(match each(&s) {
                Some(list) => {
                    let more = self.value(&list);
                    quote_spanned!(at(&list)=> crate::rust::IntoStmts::add_to(#more, &mut #all);)
                }
                None => {
                    let stmt = self.stmt(s)?;
                    quote!(#all.push(#stmt);)
                }
            });
        }
        Ok(quote!({
            let mut #all: ::std::vec::Vec<crate::rust::Stmt> = ::std::vec::Vec::new();
            #pushes
            #all
        }))
    }

    fn stmt(&mut self, s: syn::Stmt) -> Result<TokenStream> {
        let stmt = node("Stmt");
        Ok(match s {
            syn::Stmt::Local(l) => {
                let local = boxed(&self.local(l)?);
                quote!(#stmt::Let(#local))
            }
            syn::Stmt::Expr(e, ends) => {
                let e = self.expr(e)?;
                if ends.is_some() {
                    quote!(#stmt::Run(#e))
                } else {
                    quote!(#stmt::Value(#e))
                }
            }
            syn::Stmt::Macro(m) => {
                let e = self.call_of_macro(m.mac)?;
                if m.semi_token.is_some() {
                    quote!(#stmt::Run(#e))
                } else {
                    quote!(#stmt::Value(#e))
                }
            }
            syn::Stmt::Item(syn::Item::Fn(f)) => {
                let function = boxed(&self.inner_function(&f)?);
                quote!(#stmt::Fn(#function))
            }
            syn::Stmt::Item(i) => return refused(&i, "this item"),
        })
    }

    fn local(&mut self, l: syn::Local) -> Result<TokenStream> {
        let (mut borrows, mut unassigned) = (false, false);
        for a in &l.attrs {
            borrows |= a.path().is_ident("borrows");
            unassigned |= a.path().is_ident("unassigned");
            if !(a.path().is_ident("borrows") || a.path().is_ident("unassigned")) {
                return refused(a, "this attribute");
            }
        }
        let (pat, ty) = self.typed(l.pat)?;
        let (value, or_else) = match l.init {
            Some(init) => {
                let value = self.expr(*init.expr)?;
                (
                    Some(value),
                    init.diverge.map(|(_, e)| self.expr(*e)).transpose()?,
                )
            }
            None => (None, None),
        };
        let (node, value, or_else) = (node("Let"), maybe(value), maybe(or_else));
        Ok(quote!(#node {
            pat: #pat, ty: #ty, value: #value, or_else: #or_else, borrows: #borrows, unassigned: #unassigned, is_dead: false,
        }))
    }

    pub(crate) fn block(&mut self, b: syn::Block) -> Result<TokenStream> {
        let (node, stmts) = (node("Block"), self.stmts(b.stmts)?);
        Ok(quote!(#node { stmts: #stmts }))
    }
}
