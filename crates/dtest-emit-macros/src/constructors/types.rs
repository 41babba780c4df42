//! Paths and types of templates.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr as E, Result};

use super::{Constructors, at, boxed, each_of, maybe, refused, spliced_type};
use crate::splice;

impl Constructors {
    pub(crate) fn ty(&mut self, ty: syn::Type) -> Result<TokenStream> {
        if let Some(variable) = spliced_type(&ty) {
            let value = self.value(&variable);
            return Ok(quote_spanned!(at(&variable)=> crate::rust::Type::from(#value)));
        }
        Ok(match ty {
            syn::Type::Path(p) => {
                let path = self.path(p.qself, p.path)?;
                quote!(crate::rust::Type::Path(#path))
            }
            syn::Type::Reference(r) => {
                let (lifetime, mutable) = (self.label(r.lifetime), r.mutability.is_some());
                let of = boxed(&self.ty(*r.elem)?);
                quote!(crate::rust::Type::Reference { lifetime: #lifetime, mutable: #mutable, of: #of })
            }
            syn::Type::Tuple(t) => {
                let types = self.types(t.elems)?;
                quote!(crate::rust::Type::Tuple(#types))
            }
            syn::Type::Slice(s) => {
                let of = boxed(&self.ty(*s.elem)?);
                quote!(crate::rust::Type::Slice(#of))
            }
            syn::Type::Array(a) => {
                let (of, length) = (boxed(&self.ty(*a.elem)?), self.constant(a.len));
                quote!(crate::rust::Type::Array(#of, #length))
            }
            syn::Type::TraitObject(o) => {
                let bounds = self.bounds(o.bounds)?;
                quote!(crate::rust::Type::Dyn(#bounds))
            }
            syn::Type::Infer(_) => quote!(crate::rust::Type::Infer),
            other => return refused(&other, "this type"),
        })
    }

    fn types(&mut self, types: impl IntoIterator<Item = syn::Type>) -> Result<TokenStream> {
        let each = |t: &syn::Type| {
            if let syn::Type::Path(p) = t {
                each_of(&p.path)
            } else {
                None
            }
        };
        self.list(types, &quote!(crate::rust::Type), each, Self::ty)
    }

    pub(crate) fn bounds(
        &mut self,
        bounds: impl IntoIterator<Item = syn::TypeParamBound>,
    ) -> Result<TokenStream> {
        self.list(bounds, &quote!(crate::rust::Bound), |_| None, Self::bound)
    }

    pub(crate) fn bound(&mut self, b: syn::TypeParamBound) -> Result<TokenStream> {
        match b {
            syn::TypeParamBound::Trait(t) => {
                let path = self.path(None, t.path)?;
                Ok(quote!(crate::rust::Bound::Trait(#path)))
            }
            syn::TypeParamBound::Lifetime(l) => {
                let name = self.name(&l.ident);
                Ok(quote!(crate::rust::Bound::Lifetime(#name)))
            }
            other => refused(&other, "this bound"),
        }
    }

    /// Writes a number or name in a type.
    fn constant(&mut self, e: E) -> TokenStream {
        let single = if let E::Path(p) = &e {
            p.path.get_ident()
        } else {
            None
        };
        match single {
            Some(name) => self.name(name),
            None => {
                let text = e.to_token_stream().to_string();
                quote!(::std::string::String::from(#text))
            }
        }
    }

    pub(super) fn generics(&mut self, arguments: syn::PathArguments) -> Result<TokenStream> {
        Ok(match arguments {
            syn::PathArguments::None => quote!(crate::rust::Generics::None),
            syn::PathArguments::AngleBracketed(a) => {
                let each = |a: &syn::GenericArgument| match a {
                    syn::GenericArgument::Type(syn::Type::Path(p)) => each_of(&p.path),
                    _ => None,
                };
                let arguments = self.list(
                    a.args,
                    &quote!(crate::rust::GenericArgument),
                    each,
                    Self::generic_argument,
                )?;
                quote!(crate::rust::Generics::of(#arguments))
            }
            syn::PathArguments::Parenthesized(p) => {
                let params = self.types(p.inputs.into_iter().map(|i| i.ty))?;
                let result = match p.output {
                    syn::ReturnType::Default => None,
                    syn::ReturnType::Type(_, t) => Some(boxed(&self.ty(*t)?)),
                };
                let result = maybe(result);
                quote!(crate::rust::Generics::Function(#params, #result))
            }
        })
    }

    fn generic_argument(&mut self, a: syn::GenericArgument) -> Result<TokenStream> {
        Ok(match a {
            syn::GenericArgument::Type(t) => match spliced_type(&t) {
                Some(variable) => {
                    let value = self.value(&variable);
                    quote_spanned!(at(&variable)=> crate::rust::GenericArgument::from(#value))
                }
                None => {
                    let ty = self.ty(t)?;
                    quote!(crate::rust::GenericArgument::Type(#ty))
                }
            },
            syn::GenericArgument::Lifetime(l) => {
                let name = self.name(&l.ident);
                quote!(crate::rust::GenericArgument::Lifetime(#name))
            }
            syn::GenericArgument::Const(e) => {
                let text = self.constant(e);
                quote!(crate::rust::GenericArgument::Const(#text))
            }
            syn::GenericArgument::AssocType(a) => {
                let (name, ty) = (self.name(&a.ident), self.ty(a.ty)?);
                quote!(crate::rust::GenericArgument::Associated(#name, #ty))
            }
            other => return refused(&other, "this argument of a generic type"),
        })
    }

    pub(crate) fn path(
        &mut self,
        qself: Option<syn::QSelf>,
        path: syn::Path,
    ) -> Result<TokenStream> {
        let mut segments = path.segments.into_iter().peekable();
        // A path begins with a type (`<T as Trait>::`), a spliced variable, or an identifier.
        let mut out = match qself {
            Some(q) => {
                let ty = self.ty(*q.ty)?;
                match segments
                    .next_if(|s| q.position == 1 && splice::one(&s.ident).is_some())
                    .and_then(|s| splice::one(&s.ident))
                {
                    Some(of_trait) => {
                        let of_trait = self.value(&of_trait);
                        quote!(crate::rust::Path::of_type_as(#ty, #of_trait))
                    }
                    None => {
                        let of_trait = q.position;
                        quote!(crate::rust::Path::of_type(#ty, #of_trait))
                    }
                }
            }
            None => match segments.next() {
                Some(first) => {
                    let start = match splice::one(&first.ident) {
                        Some(variable) => self.value(&variable),
                        None => {
                            let text = first.ident.to_string();
                            quote!(#text)
                        }
                    };
                    let generics = self.generics(first.arguments)?;
                    quote_spanned!(at(&first.ident)=> crate::rust::Path::start(#start, #generics))
                }
                None => return refused(&path.leading_colon, "an empty path"),
            },
        };
        for segment in segments {
            let (name, generics) = (self.name(&segment.ident), self.generics(segment.arguments)?);
            out = quote!(#out.then(#name, #generics));
        }
        Ok(if path.leading_colon.is_some() {
            quote!(#out.rooted())
        } else {
            out
        })
    }
}
