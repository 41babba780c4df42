//! Templates of items: their grammar, which is Rust's with lists as parts, and their conversion to
//! constructors.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Meta, Pat, Result, Token, Type, TypeParamBound, Visibility, braced, parenthesized, token,
};

use crate::constructors::{Constructors, at, maybe, node, refused, spliced_type};
use crate::splice;

/// A part of a list, or a list that is spliced into it.
pub(crate) enum Listed<T> {
    List(Ident),
    One(T),
}

/// A sequence of items.
pub(crate) struct Items(Vec<Listed<Item>>);

/// The functions of an `impl` or a trait.
type Members = Vec<Listed<Function>>;

pub(crate) enum Item {
    Struct(Head, Fields),
    Enum(Head, Vec<Listed<Variant>>),
    Trait(Head, Vec<Listed<TypeParamBound>>, Members),
    Impl {
        attrs: Vec<syn::Attribute>,
        generics: syn::Generics,
        of_trait: Option<Type>,
        ty: Type,
        members: Members,
    },
    Mod(Head, Items),
    Alias(Head, Type),
    Fn(Function),
}

/// The common start of an item.
pub(crate) struct Head {
    attrs: Vec<syn::Attribute>,
    is_public: bool,
    name: Ident,
    generics: syn::Generics,
}

pub(crate) enum Fields {
    Tuple(Vec<Listed<Field>>),
    Named(Vec<Listed<Named>>),
}

pub(crate) struct Named(Field);

pub(crate) struct Field {
    attrs: Vec<syn::Attribute>,
    is_public: bool,
    name: Option<Ident>,
    ty: Type,
}

pub(crate) struct Variant {
    attrs: Vec<syn::Attribute>,
    name: Ident,
    fields: Vec<Listed<Named>>,
}

pub(crate) struct Function {
    head: Head,
    is_async: bool,
    has_self: bool,
    params: Vec<Listed<Param>>,
    result: Option<Type>,
    body: Option<syn::Block>,
}

pub(crate) struct Param {
    pat: Pat,
    ty: Type,
}

/// An argument of an attribute.
struct AttributeArgument {
    name: Option<Ident>,
    value: syn::Expr,
}

// ---- The grammar --------------------------------------------------------------------------------

impl<T: Parse> Parse for Listed<T> {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let Some(list) = input
            .fork()
            .call(Ident::parse_any)
            .ok()
            .and_then(|name| splice::each(&name))
        else {
            return input.parse().map(Self::One);
        };
        input.call(Ident::parse_any)?;
        // The mark of a list that other parts follow.
        if input.peek(Token![!]) {
            input.parse::<Token![!]>()?;
            let _nothing;
            braced!(_nothing in input);
        }
        Ok(Self::List(list))
    }
}

fn parts<T: Parse>(input: ParseStream<'_>) -> Result<Vec<Listed<T>>> {
    Ok(Punctuated::<Listed<T>, Token![,]>::parse_terminated(input)?
        .into_iter()
        .collect())
}

fn is_public(input: ParseStream<'_>) -> Result<bool> {
    Ok(match input.parse()? {
        Visibility::Public(_) => true,
        Visibility::Inherited => false,
        Visibility::Restricted(r) => return refused(&r, "this visibility"),
    })
}

fn sequence<T: Parse>(input: ParseStream<'_>) -> Result<Vec<Listed<T>>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        all.push(input.parse()?);
    }
    Ok(all)
}

impl Parse for Items {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        sequence(input).map(Self)
    }
}

fn braces<T>(input: ParseStream<'_>, parse: fn(ParseStream<'_>) -> Result<T>) -> Result<T> {
    let inner;
    braced!(inner in input);
    parse(&inner)
}

impl Head {
    /// Parses the name and the generic parameters, after the attributes and the keyword of the
    /// item.
    fn named(attrs: Vec<syn::Attribute>, is_public: bool, input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attrs,
            is_public,
            name: input.parse()?,
            generics: input.parse()?,
        })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, is_public) = (input.call(syn::Attribute::parse_outer)?, is_public(input)?);
        if input.peek(Token![struct]) {
            input.parse::<Token![struct]>()?;
            Ok(Self::Struct(
                Head::named(attrs, is_public, input)?,
                input.parse()?,
            ))
        } else if input.peek(Token![enum]) {
            input.parse::<Token![enum]>()?;
            Ok(Self::Enum(
                Head::named(attrs, is_public, input)?,
                braces(input, parts)?,
            ))
        } else if input.peek(Token![trait]) {
            input.parse::<Token![trait]>()?;
            let (head, mut bounds) = (Head::named(attrs, is_public, input)?, Vec::new());
            if input.peek(Token![:]) {
                input.parse::<Token![:]>()?;
                bounds.push(input.parse()?);
                while input.peek(Token![+]) {
                    input.parse::<Token![+]>()?;
                    bounds.push(input.parse()?);
                }
            }
            Ok(Self::Trait(head, bounds, braces(input, sequence)?))
        } else if input.peek(Token![impl]) {
            input.parse::<Token![impl]>()?;
            let (generics, mut of_trait, mut ty) = (input.parse()?, None, input.parse()?);
            // In `impl A for B`, the type read first is the trait.
            if input.peek(Token![for]) {
                input.parse::<Token![for]>()?;
                of_trait = Some(std::mem::replace(&mut ty, input.parse()?));
            }
            Ok(Self::Impl {
                attrs,
                generics,
                of_trait,
                ty,
                members: braces(input, sequence)?,
            })
        } else if input.peek(Token![mod]) {
            input.parse::<Token![mod]>()?;
            Ok(Self::Mod(
                Head::named(attrs, is_public, input)?,
                braces(input, Items::parse)?,
            ))
        } else if input.peek(Token![type]) {
            input.parse::<Token![type]>()?;
            let head = Head::named(attrs, is_public, input)?;
            input.parse::<Token![=]>()?;
            let ty = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(Self::Alias(head, ty))
        } else {
            Function::after(attrs, is_public, input).map(Self::Fn)
        }
    }
}

impl Parse for Fields {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Brace) {
            return braces(input, parts).map(Self::Named);
        }
        let inner;
        parenthesized!(inner in input);
        let fields = parts(&inner)?;
        input.parse::<Token![;]>()?;
        Ok(Self::Tuple(fields))
    }
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attrs: input.call(syn::Attribute::parse_outer)?,
            is_public: is_public(input)?,
            name: None,
            ty: input.parse()?,
        })
    }
}

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, is_public, name) = (
            input.call(syn::Attribute::parse_outer)?,
            is_public(input)?,
            input.parse()?,
        );
        input.parse::<Token![:]>()?;
        Ok(Self(Field {
            attrs,
            is_public,
            name: Some(name),
            ty: input.parse()?,
        }))
    }
}

impl Parse for Variant {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, name) = (input.call(syn::Attribute::parse_outer)?, input.parse()?);
        let fields = if input.peek(token::Brace) {
            braces(input, parts)?
        } else {
            Vec::new()
        };
        Ok(Self {
            attrs,
            name,
            fields,
        })
    }
}

impl Parse for Param {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let pat = Pat::parse_single(input)?;
        input.parse::<Token![:]>()?;
        Ok(Self {
            pat,
            ty: input.parse()?,
        })
    }
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, is_public) = (input.call(syn::Attribute::parse_outer)?, is_public(input)?);
        Self::after(attrs, is_public, input)
    }
}

impl Function {
    /// Parses a function after its attributes.
    fn after(attrs: Vec<syn::Attribute>, is_public: bool, input: ParseStream<'_>) -> Result<Self> {
        let is_async = input.parse::<Option<Token![async]>>()?.is_some();
        input.parse::<Token![fn]>()?;
        let head = Head::named(attrs, is_public, input)?;
        let params;
        parenthesized!(params in input);
        let has_self = params.peek(Token![&]) && params.peek2(Token![self]);
        if has_self {
            params.parse::<Token![&]>()?;
            params.parse::<Token![self]>()?;
            params.parse::<Option<Token![,]>>()?;
        }
        let params = parts(&params)?;
        let result = match input.parse::<Option<Token![->]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        let has_body = input.peek(token::Brace);
        let body = if has_body {
            Some(input.parse()?)
        } else {
            input.parse::<Option<Token![;]>>().map(|_| None)?
        };
        Ok(Self {
            head,
            is_async,
            has_self,
            params,
            result,
            body,
        })
    }
}

impl Parse for AttributeArgument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = if input.peek2(Token![=]) {
            Some(input.parse()?)
        } else {
            None
        };
        if name.is_some() {
            input.parse::<Token![=]>()?;
        }
        Ok(Self {
            name,
            value: input.parse()?,
        })
    }
}

// ---- Constructors -------------------------------------------------------------------------------

impl Constructors {
    pub(crate) fn items(&mut self, items: Items) -> Result<TokenStream> {
        self.listed(
            items.0,
            &quote!(crate::rust::Item::<crate::rust::FnItem>),
            Self::item,
        )
    }

    fn listed<T>(
        &mut self,
        parts: Vec<Listed<T>>,
        part_type: &TokenStream,
        mut one: impl FnMut(&mut Self, T) -> Result<TokenStream>,
    ) -> Result<TokenStream> {
        let each = |part: &Listed<T>| {
            if let Listed::List(name) = part {
                Some(name.clone())
            } else {
                None
            }
        };
        self.list(parts, part_type, each, |c, part| match part {
            Listed::One(part) => one(c, part),
            Listed::List(name) => refused(&name, "a list here"),
        })
    }

    fn item(&mut self, item: Item) -> Result<TokenStream> {
        let node = quote!(crate::rust::Item::<crate::rust::FnItem>);
        Ok(match item {
            Item::Struct(head, fields) => {
                let (head, fields) = (self.head(head)?, self.fields(fields)?);
                quote!(#node::Struct(crate::rust::Struct { head: #head, fields: #fields }))
            }
            Item::Enum(head, variants) => {
                let (head, variants) = (
                    self.head(head)?,
                    self.listed(variants, &quote!(crate::rust::Variant), Self::variant)?,
                );
                quote!(#node::Enum(crate::rust::Enum { head: #head, variants: #variants }))
            }
            Item::Trait(head, supertraits, members) => {
                let head = self.head(head)?;
                let supertraits =
                    self.listed(supertraits, &quote!(crate::rust::Bound), Self::bound)?;
                let members = self.members(members)?;
                quote!(#node::Trait(crate::rust::Trait { head: #head, supertraits: #supertraits, members: #members }))
            }
            Item::Impl {
                attrs,
                generics,
                of_trait,
                ty,
                members,
            } => {
                let (attrs, generics) = (self.attributes(attrs)?, self.generic_params(generics)?);
                let of_trait = maybe(of_trait.map(|t| self.ty(t)).transpose()?);
                let (ty, members) = (self.ty(ty)?, self.members(members)?);
                quote!(#node::Impl(crate::rust::Impl {
                    attrs: #attrs, generics: #generics, of_trait: #of_trait, ty: #ty, members: #members,
                }))
            }
            Item::Mod(head, items) => {
                let (head, items) = (self.head(head)?, self.items(items)?);
                quote!(#node::Mod(crate::rust::Module { head: #head, items: #items }))
            }
            Item::Alias(head, ty) => {
                let (head, ty) = (self.head(head)?, self.ty(ty)?);
                quote!(#node::Alias(crate::rust::Alias { head: #head, ty: #ty }))
            }
            Item::Fn(f) => {
                let function = self.function(f)?;
                quote!(#node::Fn(#function))
            }
        })
    }

    fn members(&mut self, members: Members) -> Result<TokenStream> {
        let node = quote!(crate::rust::Member::<crate::rust::FnItem>);
        self.listed(members, &node, |c, f| {
            Ok(if f.body.is_some() {
                let function = c.function(f)?;
                quote!(#node::Fn(#function))
            } else {
                let signature = c.signature(f)?;
                quote!(#node::Declared(#signature))
            })
        })
    }

    /// Writes a nested function.
    pub(crate) fn inner_function(&mut self, f: &syn::ItemFn) -> Result<TokenStream> {
        let f = syn::parse2(f.to_token_stream())?;
        self.function(f)
    }

    pub(crate) fn function(&mut self, mut f: Function) -> Result<TokenStream> {
        let Some(body) = f.body.take() else {
            return refused(&f.head.name, "a function without a body here");
        };
        let (node, signature, body) = (node("FnItem"), self.signature(f)?, self.block(body)?);
        Ok(quote!(#node { signature: #signature, body: #body }))
    }

    /// Writes a function without its body.
    pub(crate) fn signature(&mut self, f: Function) -> Result<TokenStream> {
        if let Some(body) = &f.body {
            return refused(body, "a body here");
        }
        let (node, head, is_async, has_self) = (
            node("Signature"),
            self.head(f.head)?,
            f.is_async,
            f.has_self,
        );
        let params = self.listed(
            f.params,
            &quote!(crate::rust::FnParam::<crate::rust::Ident>),
            |c, p| {
                let (pat, ty) = (c.pat(p.pat)?, c.ty(p.ty)?);
                Ok(quote!((#pat, #ty)))
            },
        )?;
        let result = match f.result {
            Some(ty) => self.maybe_type(ty)?,
            None => maybe(None),
        };
        Ok(
            quote!(#node { head: #head, is_async: #is_async, has_self: #has_self, params: #params, result: #result }),
        )
    }

    fn head(&mut self, head: Head) -> Result<TokenStream> {
        let (attrs, is_public, name) = (
            self.attributes(head.attrs)?,
            head.is_public,
            self.ident(&head.name),
        );
        let generics = self.generic_params(head.generics)?;
        Ok(
            quote!(crate::rust::Head { attrs: #attrs, is_public: #is_public, name: #name, generics: #generics }),
        )
    }

    fn generic_params(&mut self, generics: syn::Generics) -> Result<TokenStream> {
        if let Some(clause) = &generics.where_clause {
            return refused(clause, "a `where` clause");
        }
        let each = |p: &syn::GenericParam| {
            if let syn::GenericParam::Type(t) = p {
                splice::each(&t.ident)
            } else {
                None
            }
        };
        self.list(
            generics.params,
            &quote!(crate::rust::GenericParam),
            each,
            |c, p| match p {
                syn::GenericParam::Type(t) => {
                    let (name, bounds) = (c.name(&t.ident), c.bounds(t.bounds)?);
                    Ok(quote!(crate::rust::GenericParam { name: #name, bounds: #bounds }))
                }
                other => refused(&other, "this generic parameter"),
            },
        )
    }

    fn fields(&mut self, fields: Fields) -> Result<TokenStream> {
        Ok(match fields {
            Fields::Tuple(fields) => {
                let fields = self.listed(fields, &quote!(crate::rust::Field), Self::field)?;
                quote!(crate::rust::Fields::Tuple(#fields))
            }
            Fields::Named(fields) => {
                let fields = self.named_fields(fields)?;
                quote!(crate::rust::Fields::Named(#fields))
            }
        })
    }

    fn named_fields(&mut self, fields: Vec<Listed<Named>>) -> Result<TokenStream> {
        self.listed(fields, &quote!(crate::rust::Field), |c, f| c.field(f.0))
    }

    fn field(&mut self, f: Field) -> Result<TokenStream> {
        let (attrs, is_public) = (self.attributes(f.attrs)?, f.is_public);
        let name = f.name.map_or_else(
            || quote!(crate::rust::Ident::new("")),
            |name| self.ident(&name),
        );
        let ty = self.ty(f.ty)?;
        Ok(
            quote!(crate::rust::Field { attrs: #attrs, is_public: #is_public, name: #name, ty: #ty }),
        )
    }

    fn variant(&mut self, v: Variant) -> Result<TokenStream> {
        let (attrs, name, fields) = (
            self.attributes(v.attrs)?,
            self.ident(&v.name),
            self.named_fields(v.fields)?,
        );
        Ok(quote!(crate::rust::Variant { attrs: #attrs, name: #name, fields: #fields }))
    }

    // ---- Attributes -----------------------------------------------------------------------------

    fn attributes(&mut self, attrs: Vec<syn::Attribute>) -> Result<TokenStream> {
        let each = |a: &syn::Attribute| {
            if let Meta::Path(path) = &a.meta {
                path.get_ident().and_then(splice::each)
            } else {
                None
            }
        };
        self.list(attrs, &quote!(crate::rust::Attribute), each, |c, a| {
            c.attribute(a.meta)
        })
    }

    fn attribute(&mut self, meta: Meta) -> Result<TokenStream> {
        let node = quote!(crate::rust::Attribute);
        match meta {
            Meta::NameValue(doc) if doc.path.is_ident("doc") => {
                let text = match doc.value {
                    syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(text),
                        ..
                    }) => quote!(::std::string::String::from(#text)),
                    syn::Expr::Path(p)
                        if p.path
                            .get_ident()
                            .is_some_and(|name| splice::one(name).is_some()) =>
                    {
                        let name = p.path.require_ident()?;
                        self.name(name)
                    }
                    other => return refused(&other, "this text"),
                };
                Ok(quote!(#node::Doc(#text)))
            }
            Meta::NameValue(other) => refused(&other, "this attribute"),
            Meta::Path(path) => {
                let path = self.path(None, path)?;
                Ok(quote!(#node::Of(#path, ::std::vec::Vec::new())))
            }
            Meta::List(list) => {
                let path = self.path(None, list.path)?;
                let args = parts::<AttributeArgument>.parse2(list.tokens)?;
                let argument = quote!(crate::rust::AttributeArgument);
                let args = self.listed(args, &argument, |c, a| {
                    let (name, value) = (maybe(a.name.map(|n| c.name(&n))), c.expr(a.value)?);
                    Ok(quote!(#argument { name: #name, value: #value }))
                })?;
                Ok(quote!(#node::Of(#path, #args)))
            }
        }
    }

    /// Writes an optional type, which a variable may represent.
    pub(crate) fn maybe_type(&mut self, ty: Type) -> Result<TokenStream> {
        match spliced_type(&ty) {
            Some(variable) => {
                let value = self.value(&variable);
                Ok(
                    quote_spanned!(at(&variable)=> ::core::option::Option::<crate::rust::Type>::from(#value)),
                )
            }
            None => Ok(maybe(Some(self.ty(ty)?))),
        }
    }
}
