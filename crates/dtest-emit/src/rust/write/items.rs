//! Converts items and members.

use quote::{ToTokens, quote};
use syn::Expr as E;
use syn::punctuated::Punctuated;

use super::types::{bounds, path, type_of};
use super::{OUTSIDE, Writer, literal, token, write};
use crate::rust::print;
use crate::rust::{
    Attribute, AttributeArgument, Field, Fields, Function, GenericParam, Head, Impl, Item, Literal,
    Member, NameId, Type, Use, Used, Variant,
};

pub(super) fn item(item: Item<Function>) -> syn::Item {
    match item {
        Item::Struct(s) => {
            let (attrs, vis, ident, generics) = head(s.head);
            let (fields, semi_token) = match s.fields {
                Fields::Tuple(all) => {
                    let unnamed = syn::FieldsUnnamed {
                        paren_token: Default::default(),
                        unnamed: fields(all),
                    };
                    (syn::Fields::Unnamed(unnamed), Some(Default::default()))
                }
                Fields::Named(all) => (named(all), None),
            };
            syn::Item::Struct(syn::ItemStruct {
                attrs,
                vis,
                struct_token: Default::default(),
                ident,
                generics,
                fields,
                semi_token,
            })
        }
        Item::Enum(e) => {
            let (attrs, vis, ident, generics) = head(e.head);
            let variant = |v: Variant| syn::Variant {
                attrs: attributes(v.attrs),
                ident: token(v.name.as_str()),
                fields: if v.fields.is_empty() {
                    syn::Fields::Unit
                } else {
                    named(v.fields)
                },
                discriminant: None,
            };
            let variants = e.variants.into_iter().map(variant).collect();
            let (enum_token, brace_token) = Default::default();
            syn::Item::Enum(syn::ItemEnum {
                attrs,
                vis,
                enum_token,
                ident,
                generics,
                brace_token,
                variants,
            })
        }
        Item::Trait(t) => {
            let (attrs, vis, ident, generics) = head(t.head);
            syn::Item::Trait(syn::ItemTrait {
                attrs,
                vis,
                modifiers: Default::default(),
                unsafety: None,
                trait_token: Default::default(),
                ident,
                generics,
                colon_token: (!t.supertraits.is_empty()).then(Default::default),
                supertraits: bounds(t.supertraits),
                brace_token: Default::default(),
                items: t.members.into_iter().map(trait_item).collect(),
            })
        }
        Item::Impl(i) => syn::Item::Impl(implementation(i)),
        Item::Mod(m) => {
            let (attrs, vis, ident, _) = head(m.head);
            let content = Some((Default::default(), write(m.items)));
            syn::Item::Mod(syn::ItemMod {
                attrs,
                vis,
                unsafety: None,
                mod_token: Default::default(),
                ident,
                content,
                semi: None,
            })
        }
        Item::Use(u) => syn::Item::Use(used(u)),
        Item::Alias(a) => {
            let (attrs, vis, ident, generics) = head(a.head);
            syn::Item::Type(syn::ItemType {
                attrs,
                vis,
                modifiers: Default::default(),
                type_token: Default::default(),
                ident,
                generics,
                eq_token: Default::default(),
                ty: Box::new(type_of(a.ty)),
                semi_token: Default::default(),
                where_clause_placement: syn::WhereClausePlacement::Late,
            })
        }
        Item::Fn(f) => syn::Item::Fn(function(f)),
        Item::Kept(kept) => kept.into_item(),
    }
}

fn implementation(i: Impl<Function>) -> syn::ItemImpl {
    let of_trait = i.of_trait.and_then(|t| match t {
        Type::Path(p) => Some((path(p, false).1, Default::default())),
        Type::Reference { .. }
        | Type::Tuple(_)
        | Type::Array(..)
        | Type::Slice(_)
        | Type::Dyn(_)
        | Type::Infer => None,
    });
    syn::ItemImpl {
        attrs: attributes(i.attrs),
        modifiers: Default::default(),
        unsafety: None,
        impl_token: Default::default(),
        generics: generic_params(i.generics),
        trait_: of_trait,
        self_ty: Box::new(type_of(i.ty)),
        brace_token: Default::default(),
        items: i.members.into_iter().map(impl_item).collect(),
    }
}

fn impl_item(member: Member<Function>) -> syn::ImplItem {
    match member {
        Member::Fn(f) => {
            let syn::ItemFn {
                attrs,
                vis,
                sig,
                block,
                ..
            } = function(f);
            syn::ImplItem::Fn(syn::ImplItemFn {
                attrs,
                vis,
                modifiers: Default::default(),
                sig,
                block: *block,
            })
        }
        // Rust allows this in traits alone; the macro that declares mocks accepts it in an `impl`.
        declared @ Member::Declared(_) => {
            syn::ImplItem::Verbatim(trait_item(declared).into_token_stream())
        }
    }
}

fn trait_item(member: Member<Function>) -> syn::TraitItem {
    let (attrs, sig, default) = match member {
        Member::Fn(f) => {
            let f = function(f);
            (f.attrs, f.sig, Some(*f.block))
        }
        Member::Declared(signature) => {
            let (attrs, _, sig) = OUTSIDE.signature(signature);
            (attrs, sig, None)
        }
    };
    let semi_token = default.is_none().then(Default::default);
    syn::TraitItem::Fn(syn::TraitItemFn {
        attrs,
        modifiers: Default::default(),
        sig,
        default,
        semi_token,
    })
}

fn function(f: Function) -> syn::ItemFn {
    let Function {
        names,
        signature,
        body,
    } = f;
    let text = |id: &NameId| names.ident(*id);
    Writer { text: &text }.function(signature, body)
}

pub(super) fn head(
    head: Head,
) -> (
    Vec<syn::Attribute>,
    syn::Visibility,
    proc_macro2::Ident,
    syn::Generics,
) {
    (
        attributes(head.attrs),
        visibility(head.is_public),
        token(head.name.as_str()),
        generic_params(head.generics),
    )
}

fn visibility(is_public: bool) -> syn::Visibility {
    if is_public {
        syn::Visibility::Public(Default::default())
    } else {
        syn::Visibility::Inherited
    }
}

fn generic_params(params: Vec<GenericParam>) -> syn::Generics {
    let param = |p: GenericParam| {
        syn::GenericParam::Type(syn::TypeParam {
            attrs: Vec::new(),
            ident: token(&p.name),
            colon_token: (!p.bounds.is_empty()).then(Default::default),
            bounds: bounds(p.bounds),
            default: None,
        })
    };
    let is_generic = !params.is_empty();
    syn::Generics {
        lt_token: is_generic.then(Default::default),
        params: params.into_iter().map(param).collect(),
        gt_token: is_generic.then(Default::default),
        where_clause: None,
    }
}

fn named(all: Vec<Field>) -> syn::Fields {
    syn::Fields::Named(syn::FieldsNamed {
        brace_token: Default::default(),
        named: fields(all),
    })
}

fn fields(all: Vec<Field>) -> Punctuated<syn::Field, syn::Token![,]> {
    let field = |f: Field| {
        let ident = (!f.name.as_str().is_empty()).then(|| token(f.name.as_str()));
        syn::Field {
            attrs: attributes(f.attrs),
            vis: visibility(f.is_public),
            modifiers: Default::default(),
            colon_token: ident.is_some().then(Default::default),
            ident,
            ty: type_of(f.ty),
            default: None,
        }
    };
    all.into_iter().map(field).collect()
}

fn documentation(text: String) -> syn::Meta {
    let value = E::Lit(literal(Literal::Text(text)));
    syn::Meta::NameValue(syn::MetaNameValue {
        path: token("doc").into(),
        eq_token: Default::default(),
        value,
    })
}

fn attributes(all: Vec<Attribute>) -> Vec<syn::Attribute> {
    let argument = |a: AttributeArgument| {
        let value = OUTSIDE.expr(a.value);
        match a.name.map(|name| token(&name)) {
            Some(name) => quote!(#name = #value),
            None => quote!(#value),
        }
    };
    let meta = |a| match a {
        Attribute::Doc(text) => documentation(text),
        Attribute::Comment(text) => documentation(print::comment(&text)),
        Attribute::Of(of, args) if args.is_empty() => syn::Meta::Path(path(of, false).1),
        Attribute::Of(of, args) => {
            let args = args.into_iter().map(argument);
            let delimiter = syn::MacroDelimiter::Paren(Default::default());
            syn::Meta::List(syn::MetaList {
                path: path(of, false).1,
                delimiter,
                tokens: quote!(#(#args),*),
            })
        }
    };
    let attribute = |meta| {
        let (pound_token, style, bracket_token) = (
            Default::default(),
            syn::AttrStyle::Outer,
            Default::default(),
        );
        syn::Attribute {
            pound_token,
            style,
            bracket_token,
            meta,
        }
    };
    all.into_iter().map(meta).map(attribute).collect()
}

fn used(u: Use) -> syn::ItemUse {
    let mut names: Vec<proc_macro2::Ident> =
        u.path.segments.iter().map(|s| token(&s.name)).collect();
    let name = |ident| syn::UseTree::Name(syn::UseName { ident });
    let mut last = || names.pop().unwrap_or_else(|| token("crate"));
    let tree = match u.what {
        Used::Itself => name(last()),
        Used::As(rename) => {
            let rename = token(rename.as_str());
            syn::UseTree::Rename(syn::UseRename {
                ident: last(),
                as_token: Default::default(),
                rename,
            })
        }
        Used::All => syn::UseTree::Glob(syn::UseGlob {
            star_token: Default::default(),
        }),
        Used::Names(all) => {
            let items = all.iter().map(|n| name(token(n))).collect();
            syn::UseTree::Group(syn::UseGroup {
                brace_token: Default::default(),
                items,
            })
        }
    };
    let before = |tree, ident| {
        syn::UseTree::Path(syn::UsePath {
            ident,
            colon2_token: Default::default(),
            tree: Box::new(tree),
        })
    };
    syn::ItemUse {
        attrs: Vec::new(),
        vis: visibility(u.is_public),
        use_token: Default::default(),
        leading_colon: u.path.has_leading_colons.then(Default::default),
        tree: names.into_iter().rev().fold(tree, before),
        semi_token: Default::default(),
    }
}
