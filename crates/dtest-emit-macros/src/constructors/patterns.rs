//! Patterns of templates.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Pat as P, Result};

use super::exprs::literal;
use super::{Constructors, at, boxed, each_of_pat, maybe, node, refused};
use crate::splice;

impl Constructors {
    /// Writes a pattern and its type annotation.
    pub(super) fn typed(&mut self, p: P) -> Result<(TokenStream, TokenStream)> {
        let P::Type(t) = p else {
            return Ok((self.pat(p)?, maybe(None)));
        };
        Ok((self.pat(*t.pat)?, self.maybe_type(*t.ty)?))
    }

    pub(super) fn pats(&mut self, ps: impl IntoIterator<Item = P>) -> Result<TokenStream> {
        self.list(ps, &node("Pat"), each_of_pat, Self::pat)
    }

    pub(crate) fn pat(&mut self, p: P) -> Result<TokenStream> {
        let pat = node("Pat");
        Ok(match p {
            P::Wild(_) => quote!(#pat::Wild),
            P::Ident(i) => {
                // A spliced variable stands for a whole pattern, unless it has modifiers of a
                // binding.
                let is_plain = i.by_ref.is_none() && i.mutability.is_none() && i.subpat.is_none();
                if let (true, Some(variable)) = (is_plain, splice::one(&i.ident)) {
                    let value = self.value(&variable);
                    return Ok(quote_spanned!(at(&variable)=> #pat::from(#value)));
                }
                let (node, name, by_ref, mutable) = (
                    node("Bind"),
                    self.ident(&i.ident),
                    i.by_ref.is_some(),
                    i.mutability.is_some(),
                );
                let inner = maybe(
                    i.subpat
                        .map(|(_, p)| self.pat(*p).map(|p| boxed(&p)))
                        .transpose()?,
                );
                quote!(#pat::Bind(#node { name: #name, by_ref: #by_ref, mutable: #mutable, inner: #inner }))
            }
            P::Tuple(t) => {
                let ps = self.pats(t.elems)?;
                quote!(#pat::Tuple(#ps))
            }
            P::Slice(s) => {
                let ps = self.pats(s.elems)?;
                quote!(#pat::Slice(#ps))
            }
            P::TupleStruct(t) => {
                let (path, ps) = (self.path(t.qself, t.path)?, self.pats(t.elems)?);
                quote!(#pat::TupleStruct(#path, #ps))
            }
            P::Struct(s) => {
                let path = self.path(s.qself, s.path)?;
                let each = |f: &syn::FieldPat| match &f.member {
                    syn::Member::Named(name) => splice::each(name),
                    syn::Member::Unnamed(_) => None,
                };
                let (fields, has_rest) = (
                    self.list(s.fields, &node("FieldPat"), each, Self::field_pat)?,
                    s.rest.is_some(),
                );
                quote!(#pat::Struct { path: #path, fields: #fields, has_rest: #has_rest })
            }
            P::Or(o) => {
                let ps = self.pats(o.cases)?;
                quote!(#pat::Or(#ps))
            }
            P::Reference(r) if r.mutability.is_none() => {
                let p = boxed(&self.pat(*r.pat)?);
                quote!(#pat::Reference(#p))
            }
            // A repetition in parentheses, `(#..ps)`, is a tuple of any length.
            P::Paren(p) if each_of_pat(&p.pat).is_some() => {
                let ps = self.pats([*p.pat])?;
                quote!(#pat::Tuple(#ps))
            }
            P::Path(p) => {
                let path = self.path(p.qself, p.path)?;
                quote!(#pat::Path(#path))
            }
            P::Lit(l) => {
                let literal = literal(&l.lit);
                quote!(#pat::Literal(#literal))
            }
            other => return refused(&other, "this pattern"),
        })
    }

    fn field_pat(&mut self, f: syn::FieldPat) -> Result<TokenStream> {
        let (node, member, is_short) = (
            node("FieldPat"),
            self.member(&f.member),
            f.colon_token.is_none(),
        );
        let pat = self.pat(*f.pat)?;
        Ok(quote!(#node { member: #member, is_short: #is_short, pat: #pat }))
    }
}
