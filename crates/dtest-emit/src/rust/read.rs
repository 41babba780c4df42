//! Parses hand-written code: names and paths in the user's settings, and the items of an existing
//! suite.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enums of `syn` may get variants in any release, and what is not read is nothing or kept as it is"
)]

use std::fmt;

use quote::ToTokens;

use super::{
    Bound, GenericArgument, Generics, Head, Ident, Item, Module, Path, Segment, SelfType, Type,
    Use, Used,
};

/// Whether a text is an identifier of Rust and not a keyword.
pub(crate) fn is_name(text: &str) -> bool {
    syn::parse_str::<proc_macro2::Ident>(text).is_ok()
}

/// Parses a path of the user; `None` if it is none, or has more than names and types.
pub(crate) fn parse_path(text: &str) -> Option<Path> {
    let parsed: syn::ExprPath = syn::parse_str(text).ok()?;
    path(parsed.qself, parsed.path)
}

fn path(qself: Option<syn::QSelf>, path: syn::Path) -> Option<Path> {
    let segment = |s: syn::PathSegment| {
        Some(Segment {
            name: s.ident.to_string(),
            generics: generics(s.arguments)?,
        })
    };
    let qself = match qself {
        Some(q) => Some(Box::new(SelfType {
            ty: type_of(*q.ty)?,
            of_trait: q.position,
        })),
        None => None,
    };
    let segments = path
        .segments
        .into_iter()
        .map(segment)
        .collect::<Option<_>>()?;
    Some(Path {
        is_of_library: false,
        qself,
        has_leading_colons: path.leading_colon.is_some(),
        segments,
    })
}

fn generics(arguments: syn::PathArguments) -> Option<Generics> {
    let argument = |a| match a {
        syn::GenericArgument::Type(t) => type_of(t).map(GenericArgument::Type),
        syn::GenericArgument::Lifetime(l) => Some(GenericArgument::Lifetime(l.ident.to_string())),
        syn::GenericArgument::Const(e) => {
            Some(GenericArgument::Const(e.to_token_stream().to_string()))
        }
        syn::GenericArgument::AssocType(a) => {
            type_of(a.ty).map(|t| GenericArgument::Associated(a.ident.to_string(), t))
        }
        _ => None,
    };
    match arguments {
        syn::PathArguments::None => Some(Generics::None),
        syn::PathArguments::AngleBracketed(a) => a
            .args
            .into_iter()
            .map(argument)
            .collect::<Option<_>>()
            .map(Generics::Arguments),
        syn::PathArguments::Parenthesized(p) => {
            let params = p
                .inputs
                .into_iter()
                .map(|i| type_of(i.ty))
                .collect::<Option<_>>()?;
            let result = match p.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(_, t) => Some(Box::new(type_of(*t)?)),
            };
            Some(Generics::Function(params, result))
        }
    }
}

fn type_of(ty: syn::Type) -> Option<Type> {
    let boxed = |t: Box<syn::Type>| type_of(*t).map(Box::new);
    match ty {
        syn::Type::Paren(p) => type_of(*p.elem),
        syn::Type::Path(p) => path(p.qself, p.path).map(Type::Path),
        syn::Type::Reference(r) => {
            let lifetime = r.lifetime.map(|l| l.ident.to_string());
            Some(Type::Reference {
                lifetime,
                mutable: r.mutability.is_some(),
                of: boxed(r.elem)?,
            })
        }
        syn::Type::Tuple(t) => t
            .elems
            .into_iter()
            .map(type_of)
            .collect::<Option<_>>()
            .map(Type::Tuple),
        syn::Type::Array(a) => Some(Type::Array(
            boxed(a.elem)?,
            a.len.to_token_stream().to_string(),
        )),
        syn::Type::Slice(s) => boxed(s.elem).map(Type::Slice),
        syn::Type::TraitObject(o) => o
            .bounds
            .into_iter()
            .map(bound)
            .collect::<Option<_>>()
            .map(Type::Dyn),
        _ => None,
    }
}

fn bound(b: syn::TypeParamBound) -> Option<Bound> {
    match b {
        syn::TypeParamBound::Trait(t) => path(None, t.path).map(Bound::Trait),
        syn::TypeParamBound::Lifetime(l) => Some(Bound::Lifetime(l.ident.to_string())),
        _ => None,
    }
}

/// An item of an existing file, which stays unchanged.
#[derive(Clone)]
pub(crate) struct Kept(Box<syn::Item>);

/// Formats the item as text. The derived implementation would need the feature `extra-traits` of
/// `syn`, which costs build time.
impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_token_stream().fmt(f)
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_token_stream().to_string() == other.0.to_token_stream().to_string()
    }
}

impl Kept {
    /// Returns the name, if the item is a function.
    pub(crate) fn function(&self) -> Option<Ident> {
        if let syn::Item::Fn(f) = &*self.0 {
            Some(Ident::new(&f.sig.ident.to_string()))
        } else {
            None
        }
    }

    pub(crate) fn is_import(&self) -> bool {
        matches!(&*self.0, syn::Item::Use(_))
    }

    pub(super) fn into_item(self) -> syn::Item {
        *self.0
    }
}

/// Parses the items of a file; modules and imports become nodes of the tree. `None` if the text is
/// not Rust.
pub(crate) fn kept_items<F>(text: &str) -> Option<Vec<Item<F>>> {
    syn::parse_file(text).ok().map(|file| items(file.items))
}

fn items<F>(all: Vec<syn::Item>) -> Vec<Item<F>> {
    let item = |i: syn::Item| match i {
        syn::Item::Mod(syn::ItemMod {
            attrs,
            vis,
            ident,
            content: Some((_, inner)),
            ..
        }) if attrs.is_empty() => {
            let is_public = matches!(vis, syn::Visibility::Public(_));
            let head = Head {
                attrs: Vec::new(),
                is_public,
                name: Ident::new(&ident.to_string()),
                generics: Vec::new(),
            };
            Item::Mod(Module {
                head,
                items: items(inner),
            })
        }
        syn::Item::Use(u) => {
            used(&u).map_or_else(|| Item::Kept(Kept(Box::new(syn::Item::Use(u)))), Item::Use)
        }
        other => Item::Kept(Kept(Box::new(other))),
    };
    all.into_iter().map(item).collect()
}

/// Converts an import in the forms that the suite uses: of a name, or of all items of a module.
fn used(u: &syn::ItemUse) -> Option<Use> {
    let (mut names, mut tree) = (Vec::new(), &u.tree);
    while let syn::UseTree::Path(p) = tree {
        names.push(Ident::new(&p.ident.to_string()));
        tree = &p.tree;
    }
    let what = match tree {
        syn::UseTree::Glob(_) => Used::All,
        syn::UseTree::Name(n) => {
            names.push(Ident::new(&n.ident.to_string()));
            Used::Itself
        }
        syn::UseTree::Path(_) | syn::UseTree::Rename(_) | syn::UseTree::Group(_) => return None,
    };
    let is_plain = u.attrs.is_empty()
        && u.leading_colon.is_none()
        && matches!(u.vis, syn::Visibility::Inherited);
    is_plain.then(|| Use {
        is_public: false,
        path: Path::of(names),
        what,
    })
}
