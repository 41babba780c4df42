//! Converts paths and types.

use syn::Expr as E;
use syn::punctuated::Punctuated;

use super::{lifetime, literal, single, token};
use crate::rust::{Bound, GenericArgument, Generics, Literal, Path, Segment, Type};

pub(super) fn path(p: Path, in_expr: bool) -> (Option<syn::QSelf>, syn::Path) {
    let segment = |s: Segment| syn::PathSegment {
        ident: token(&s.name),
        arguments: generics(s.generics, in_expr),
    };
    let qself = p.qself.map(|q| syn::QSelf {
        lt_token: Default::default(),
        ty: Box::new(type_of(q.ty)),
        position: q.of_trait,
        as_token: (q.of_trait > 0).then(Default::default),
        gt_token: Default::default(),
    });
    let leading_colon = p.has_leading_colons.then(Default::default);
    (
        qself,
        syn::Path {
            leading_colon,
            segments: p.segments.into_iter().map(segment).collect(),
        },
    )
}

fn generics(arguments: Generics, in_expr: bool) -> syn::PathArguments {
    match arguments {
        Generics::None => syn::PathArguments::None,
        Generics::Arguments(all) => {
            syn::PathArguments::AngleBracketed(angle_bracketed(all, in_expr))
        }
        Generics::Function(params, result) => {
            let input = |t| syn::NamedArg {
                attrs: Vec::new(),
                name: None,
                ty: type_of(t),
            };
            syn::PathArguments::Parenthesized(syn::ParenthesizedGenericArguments {
                paren_token: Default::default(),
                inputs: params.into_iter().map(input).collect(),
                output: result_type(result.map(|t| *t)),
            })
        }
    }
}

pub(super) fn angle_bracketed(
    all: Vec<GenericArgument>,
    in_expr: bool,
) -> syn::AngleBracketedGenericArguments {
    let argument = |a| match a {
        GenericArgument::Type(t) => syn::GenericArgument::Type(type_of(t)),
        GenericArgument::Lifetime(name) => syn::GenericArgument::Lifetime(lifetime(&name)),
        GenericArgument::Const(text) => syn::GenericArgument::Const(constant(text)),
        GenericArgument::Associated(name, ty) => syn::GenericArgument::AssocType(syn::AssocType {
            ident: token(&name),
            generics: None,
            eq_token: Default::default(),
            ty: type_of(ty),
        }),
    };
    syn::AngleBracketedGenericArguments {
        colon2_token: in_expr.then(Default::default),
        lt_token: Default::default(),
        args: all.into_iter().map(argument).collect(),
        gt_token: Default::default(),
    }
}

/// Converts a number or name in a type.
fn constant(text: String) -> E {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        E::Lit(literal(Literal::Number(text)))
    } else {
        single(token(&text))
    }
}

pub(super) fn result_type(ty: Option<Type>) -> syn::ReturnType {
    ty.map_or(syn::ReturnType::Default, |t| {
        syn::ReturnType::Type(Default::default(), Box::new(type_of(t)))
    })
}

pub(super) fn type_of(ty: Type) -> syn::Type {
    let attrs = Vec::new();
    match ty {
        Type::Path(p) => {
            let (qself, path) = path(p, false);
            syn::Type::Path(syn::TypePath { attrs, qself, path })
        }
        Type::Reference {
            lifetime: name,
            mutable,
            of,
        } => syn::Type::Reference(syn::TypeReference {
            attrs,
            and_token: Default::default(),
            lifetime: name.map(|n| lifetime(&n)),
            mutability: mutable.then(Default::default),
            elem: Box::new(type_of(*of)),
        }),
        Type::Tuple(ts) => {
            let elems = ts.into_iter().map(type_of).collect();
            syn::Type::Tuple(syn::TypeTuple {
                attrs,
                paren_token: Default::default(),
                elems,
            })
        }
        Type::Array(t, length) => syn::Type::Array(syn::TypeArray {
            attrs,
            bracket_token: Default::default(),
            elem: Box::new(type_of(*t)),
            semi_token: Default::default(),
            len: constant(length),
        }),
        Type::Slice(t) => syn::Type::Slice(syn::TypeSlice {
            attrs,
            bracket_token: Default::default(),
            elem: Box::new(type_of(*t)),
        }),
        Type::Dyn(all) => syn::Type::TraitObject(syn::TypeTraitObject {
            attrs,
            dyn_token: Some(Default::default()),
            bounds: bounds(all),
        }),
        Type::Infer => syn::Type::Infer(syn::TypeInfer {
            attrs,
            underscore_token: Default::default(),
        }),
    }
}

pub(super) fn bounds(all: Vec<Bound>) -> Punctuated<syn::TypeParamBound, syn::Token![+]> {
    let bound = |b| match b {
        Bound::Trait(p) => syn::TypeParamBound::Trait(syn::TraitBound {
            paren_token: None,
            lifetimes: None,
            modifiers: Default::default(),
            maybe: None,
            path: path(p, false).1,
        }),
        Bound::Lifetime(name) => syn::TypeParamBound::Lifetime(lifetime(&name)),
    };
    all.into_iter().map(bound).collect()
}
