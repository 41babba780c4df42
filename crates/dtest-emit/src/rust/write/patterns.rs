//! Converts patterns.

use syn::Pat as P;
use syn::punctuated::Punctuated;

use super::types::{path, type_of};
use super::{Writer, literal, member};
use crate::rust::{FieldPat, Pat, Type};

impl<N> Writer<'_, N> {
    pub(super) fn typed(&self, p: Pat<N>, ty: Option<Type>) -> P {
        let pat = self.pattern(p);
        match ty {
            Some(ty) => {
                let ty = Box::new(type_of(ty));
                P::Type(syn::PatType {
                    attrs: Vec::new(),
                    pat: Box::new(pat),
                    colon_token: Default::default(),
                    ty,
                })
            }
            None => pat,
        }
    }

    fn patterns<T: Default>(&self, ps: Vec<Pat<N>>) -> Punctuated<P, T> {
        ps.into_iter().map(|p| self.pattern(p)).collect()
    }

    pub(super) fn pattern(&self, p: Pat<N>) -> P {
        match p {
            Pat::Wild => P::Wild(syn::PatWild {
                attrs: Vec::new(),
                underscore_token: Default::default(),
            }),
            Pat::Bind(b) => P::Ident(syn::PatIdent {
                attrs: Vec::new(),
                by_ref: b.by_ref.then(Default::default),
                mutability: b.mutable.then(Default::default),
                ident: self.name(&b.name),
                subpat: b
                    .inner
                    .map(|p| (Default::default(), Box::new(self.pattern(*p)))),
            }),
            Pat::Tuple(ps) => P::Tuple(syn::PatTuple {
                attrs: Vec::new(),
                paren_token: Default::default(),
                elems: self.patterns(ps),
            }),
            Pat::Slice(ps) => P::Slice(syn::PatSlice {
                attrs: Vec::new(),
                bracket_token: Default::default(),
                elems: self.patterns(ps),
            }),
            Pat::TupleStruct(of, ps) => {
                let (qself, path) = path(of, true);
                let elems = self.patterns(ps);
                P::TupleStruct(syn::PatTupleStruct {
                    attrs: Vec::new(),
                    qself,
                    path,
                    paren_token: Default::default(),
                    elems,
                })
            }
            Pat::Struct {
                path: of,
                fields,
                has_rest,
            } => {
                let (qself, path) = path(of, true);
                let field = |f: FieldPat<N>| {
                    let is_short = f.is_short
                        && matches!(&f.pat, Pat::Bind(b) if (self.text)(&b.name) == *f.member);
                    let colon_token = (!is_short).then(Default::default);
                    syn::FieldPat {
                        attrs: Vec::new(),
                        member: member(&f.member),
                        colon_token,
                        pat: Box::new(self.pattern(f.pat)),
                    }
                };
                P::Struct(syn::PatStruct {
                    attrs: Vec::new(),
                    qself,
                    path,
                    brace_token: Default::default(),
                    fields: fields.into_iter().map(field).collect(),
                    rest: has_rest.then(rest),
                })
            }
            Pat::Or(ps) => P::Or(syn::PatOr {
                attrs: Vec::new(),
                leading_vert: None,
                cases: self.patterns(ps),
            }),
            Pat::Reference(p) => P::Reference(syn::PatReference {
                attrs: Vec::new(),
                and_token: Default::default(),
                mutability: None,
                pat: Box::new(self.pattern(*p)),
            }),
            Pat::Path(of) => {
                let (qself, path) = path(of, true);
                P::Path(syn::PatPath {
                    attrs: Vec::new(),
                    qself,
                    path,
                })
            }
            Pat::Literal(l) => P::Lit(literal(l)),
        }
    }
}

fn rest() -> syn::PatRest {
    syn::PatRest {
        attrs: Vec::new(),
        dot2_token: Default::default(),
    }
}
