//! Converts the tree to `syn`, in the form that [`super::print`] formats.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Expr as E, Pat as P};

use super::print;
use super::{
    Argument, Arm, Attribute, AttributeArgument, BinaryOp, Block, Bound, Closure, Expr, Field,
    Fields, Function, GenericArgument, GenericParam, Generics, Head, Ident, If, Impl, Item, Let,
    Literal, Loop, LoopHead, Macro, MacroName, Member, Method, NameId, Pat, Path, Signature, Stmt,
    Type, UnaryOp, Use, Used,
};

/// Converts items for the printer.
pub(crate) fn write(items: Vec<Item<Function>>) -> Vec<syn::Item> {
    items.into_iter().map(item).collect()
}

struct Writer<'w, N> {
    text: &'w dyn Fn(&N) -> Ident,
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

// ---- Items --------------------------------------------------------------------------------------

fn item(item: Item<Function>) -> syn::Item {
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
            let variant = |v: super::Variant| syn::Variant {
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

fn head(
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

fn attributes(all: Vec<Attribute>) -> Vec<syn::Attribute> {
    let argument = |a: AttributeArgument| {
        let value = OUTSIDE.expr(a.value);
        match a.name.map(|name| token(&name)) {
            Some(name) => quote!(#name = #value),
            None => quote!(#value),
        }
    };
    let meta = |a| match a {
        Attribute::Doc(text) => {
            let value = E::Lit(literal(Literal::Text(text)));
            syn::Meta::NameValue(syn::MetaNameValue {
                path: token("doc").into(),
                eq_token: Default::default(),
                value,
            })
        }
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

// ---- Types --------------------------------------------------------------------------------------

/// Converts a path; `in_expr` selects the form of expressions, with `::` before generic arguments.
fn path(p: Path, in_expr: bool) -> (Option<syn::QSelf>, syn::Path) {
    let segment = |s: super::Segment| syn::PathSegment {
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

fn angle_bracketed(
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

fn result_type(ty: Option<Type>) -> syn::ReturnType {
    ty.map_or(syn::ReturnType::Default, |t| {
        syn::ReturnType::Type(Default::default(), Box::new(type_of(t)))
    })
}

fn type_of(ty: Type) -> syn::Type {
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

fn bounds(all: Vec<Bound>) -> Punctuated<syn::TypeParamBound, syn::Token![+]> {
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

// ---- Calls --------------------------------------------------------------------------------------

fn call(func: E, args: Punctuated<E, syn::Token![,]>) -> E {
    E::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: Default::default(),
        args,
    })
}

fn method(
    receiver: E,
    name: proc_macro2::Ident,
    arguments: Generics,
    args: Punctuated<E, syn::Token![,]>,
) -> E {
    let turbofish = match arguments {
        Generics::Arguments(all) => Some(angle_bracketed(all, true)),
        Generics::None | Generics::Function(..) => None,
    };
    E::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Default::default(),
        method: name,
        turbofish,
        paren_token: Default::default(),
        args,
    })
}

fn binary(left: E, op: syn::BinOp, right: E) -> E {
    E::Binary(syn::ExprBinary {
        attrs: Vec::new(),
        left: Box::new(left),
        op,
        right: Box::new(right),
    })
}

impl<N> Writer<'_, N> {
    fn name(&self, name: &N) -> proc_macro2::Ident {
        token((self.text)(name).as_str())
    }

    // ---- Functions ------------------------------------------------------------------------------

    fn function(&self, signature: Signature<N>, body: Block<N>) -> syn::ItemFn {
        let (attrs, vis, sig) = self.signature(signature);
        syn::ItemFn {
            attrs,
            vis,
            modifiers: Default::default(),
            sig,
            block: Box::new(self.block(body)),
        }
    }

    fn signature(&self, s: Signature<N>) -> (Vec<syn::Attribute>, syn::Visibility, syn::Signature) {
        let (attrs, vis, ident, generics) = head(s.head);
        let receiver = s.has_self.then(|| syn::parse_quote!(&self));
        let params = s.params.into_iter().map(|(p, ty)| {
            let (pat, ty) = (Box::new(self.pattern(p)), Box::new(type_of(ty)));
            syn::FnArg::Typed(syn::PatType {
                attrs: Vec::new(),
                pat,
                colon_token: Default::default(),
                ty,
            })
        });
        let signature = syn::Signature {
            constness: None,
            asyncness: s.is_async.then(Default::default),
            safety: Default::default(),
            abi: None,
            fn_token: Default::default(),
            ident,
            generics,
            paren_token: Default::default(),
            inputs: receiver.into_iter().chain(params).collect(),
            variadic: None,
            output: result_type(s.result),
        };
        (attrs, vis, signature)
    }

    // ---- Statements -----------------------------------------------------------------------------

    fn block(&self, b: Block<N>) -> syn::Block {
        syn::Block {
            brace_token: Default::default(),
            stmts: b.stmts.into_iter().map(|s| self.stmt(s)).collect(),
        }
    }

    fn stmt(&self, s: Stmt<N>) -> syn::Stmt {
        match s {
            Stmt::Let(l) => syn::Stmt::Local(self.local(*l)),
            Stmt::Run(Expr::Macro(m)) if m.name.is_on_one_line() => {
                syn::Stmt::Macro(syn::StmtMacro {
                    attrs: Vec::new(),
                    mac: self.one_line_macro(m),
                    semi_token: Some(Default::default()),
                })
            }
            Stmt::Run(e) => syn::Stmt::Expr(self.expr(e), Some(Default::default())),
            Stmt::Value(e) => syn::Stmt::Expr(self.expr(e), None),
            Stmt::Space => syn::Stmt::Expr(single(print::space()), Some(Default::default())),
            Stmt::Fn(f) => syn::Stmt::Item(syn::Item::Fn(self.function(f.signature, f.body))),
        }
    }

    fn local(&self, l: Let<N>) -> syn::Local {
        let or_else = l
            .or_else
            .map(|e| (Default::default(), Box::new(self.expr(e))));
        let init = l.value.map(|e| syn::LocalInit {
            eq_token: Default::default(),
            expr: self.boxed(e),
            diverge: or_else,
        });
        syn::Local {
            attrs: Vec::new(),
            let_token: Default::default(),
            modifiers: Default::default(),
            pat: self.typed(l.pat, l.ty),
            init,
            semi_token: Default::default(),
        }
    }

    // ---- Expressions ----------------------------------------------------------------------------

    fn exprs(&self, es: Vec<Expr<N>>) -> Punctuated<E, syn::Token![,]> {
        es.into_iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&self, e: Expr<N>) -> Box<E> {
        Box::new(self.expr(e))
    }

    fn maybe(&self, e: Option<Box<Expr<N>>>) -> Option<Box<E>> {
        e.map(|e| self.boxed(*e))
    }

    fn expr(&self, e: Expr<N>) -> E {
        match e {
            Expr::Name(n) => single(self.name(&n)),
            Expr::Take(n) => method(
                single(self.name(&n)),
                token("clone"),
                Generics::None,
                Punctuated::new(),
            ),
            Expr::Path(p) => {
                let (qself, path) = path(p, true);
                E::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself,
                    path,
                })
            }
            Expr::Literal(l) => E::Lit(literal(l)),
            Expr::Macro(m) if m.name.is_on_one_line() => E::Macro(syn::ExprMacro {
                attrs: Vec::new(),
                mac: self.one_line_macro(m),
            }),
            Expr::Macro(m) => self.call_of_macro(m),
            Expr::Call(c) => call(self.expr(c.func), self.exprs(c.args)),
            Expr::Method(m) => {
                let Method {
                    receiver,
                    changes: _,
                    name,
                    generics,
                    args,
                } = *m;
                method(
                    self.expr(receiver),
                    token(&name),
                    generics,
                    self.exprs(args),
                )
            }
            Expr::Field(base, name) => E::Field(syn::ExprField {
                attrs: Vec::new(),
                base: self.boxed(*base),
                dot_token: Default::default(),
                member: member(&name),
            }),
            Expr::Index(e, index) => E::Index(syn::ExprIndex {
                attrs: Vec::new(),
                expr: self.boxed(*e),
                bracket_token: Default::default(),
                index: self.boxed(*index),
            }),
            Expr::Unary(op, e) => {
                let op = match op {
                    UnaryOp::Deref => syn::UnOp::Deref(Default::default()),
                    UnaryOp::Not => syn::UnOp::Not(Default::default()),
                    UnaryOp::Neg => syn::UnOp::Neg(Default::default()),
                };
                E::Unary(syn::ExprUnary {
                    attrs: Vec::new(),
                    op,
                    expr: self.boxed(*e),
                })
            }
            Expr::Binary(op, left, right) => {
                binary(self.expr(*left), operator(op), self.expr(*right))
            }
            Expr::Update(op, place, value) => {
                binary(self.expr(*place), updating(op), self.expr(*value))
            }
            Expr::Reference { mutable, of } => E::Reference(syn::ExprReference {
                attrs: Vec::new(),
                and_token: Default::default(),
                mutability: mutable.then(Default::default),
                expr: self.boxed(*of),
            }),
            Expr::Cast(e, ty) => E::Cast(syn::ExprCast {
                attrs: Vec::new(),
                expr: self.boxed(*e),
                as_token: Default::default(),
                ty: Box::new(type_of(ty)),
            }),
            Expr::Paren(e) => E::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: Default::default(),
                expr: self.boxed(*e),
            }),
            Expr::Tuple(es) => E::Tuple(syn::ExprTuple {
                attrs: Vec::new(),
                paren_token: Default::default(),
                elems: self.exprs(es),
            }),
            Expr::Array(es) => E::Array(syn::ExprArray {
                attrs: Vec::new(),
                bracket_token: Default::default(),
                elems: self.exprs(es),
            }),
            Expr::Range {
                from,
                to,
                inclusive,
            } => {
                let limits = if inclusive {
                    syn::RangeLimits::Closed(Default::default())
                } else {
                    syn::RangeLimits::HalfOpen(Default::default())
                };
                E::Range(syn::ExprRange {
                    attrs: Vec::new(),
                    start: self.maybe(from),
                    limits,
                    end: self.maybe(to),
                })
            }
            Expr::Struct { path, fields, rest } => self.made(path, fields, rest),
            Expr::Assign(a) => E::Assign(syn::ExprAssign {
                attrs: Vec::new(),
                left: self.boxed(a.place),
                eq_token: Default::default(),
                right: self.boxed(a.value),
            }),
            Expr::Ignored => E::Infer(syn::ExprInfer {
                attrs: Vec::new(),
                underscore_token: Default::default(),
            }),
            Expr::Block { label: name, block } => E::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: label(name),
                block: self.block(block),
            }),
            Expr::If(i) => self.branch(*i),
            Expr::Let(p, e) => E::Let(syn::ExprLet {
                attrs: Vec::new(),
                let_token: Default::default(),
                pat: Box::new(self.pattern(*p)),
                eq_token: Default::default(),
                expr: self.boxed(*e),
            }),
            Expr::Match(e, arms) => E::Match(syn::ExprMatch {
                attrs: Vec::new(),
                match_token: Default::default(),
                expr: self.boxed(*e),
                brace_token: Default::default(),
                arms: arms.into_iter().map(|a| self.arm(a)).collect(),
            }),
            Expr::Loop(l) => self.looped(*l),
            Expr::Closure(c) => self.closure(*c),
            Expr::Await(e) => E::Await(syn::ExprAwait {
                attrs: Vec::new(),
                base: self.boxed(*e),
                dot_token: Default::default(),
                await_token: Default::default(),
            }),
            Expr::Return(e) => E::Return(syn::ExprReturn {
                attrs: Vec::new(),
                return_token: Default::default(),
                expr: self.maybe(e),
            }),
            Expr::Break(to, e) => E::Break(syn::ExprBreak {
                attrs: Vec::new(),
                break_token: Default::default(),
                label: to.map(|n| lifetime(&n)),
                expr: self.maybe(e),
            }),
            Expr::Continue(to) => E::Continue(syn::ExprContinue {
                attrs: Vec::new(),
                continue_token: Default::default(),
                label: to.map(|n| lifetime(&n)),
            }),
        }
    }

    fn made(&self, of: Path, fields: Vec<(String, Expr<N>)>, rest: Option<Box<Expr<N>>>) -> E {
        let field = |(name, e): (String, Expr<N>)| {
            // `Point { x: x }` is written as `Point { x }`.
            let is_short = matches!(&e, Expr::Name(n) if (self.text)(n) == *name);
            let colon_token = (!is_short).then(Default::default);
            syn::FieldValue {
                attrs: Vec::new(),
                member: member(&name),
                colon_token,
                expr: self.expr(e),
            }
        };
        let (qself, path) = path(of, true);
        E::Struct(syn::ExprStruct {
            attrs: Vec::new(),
            qself,
            path,
            brace_token: Default::default(),
            fields: fields.into_iter().map(field).collect(),
            dot2_token: rest.is_some().then(Default::default),
            rest: self.maybe(rest),
        })
    }

    fn branch(&self, i: If<N>) -> E {
        E::If(syn::ExprIf {
            attrs: Vec::new(),
            if_token: Default::default(),
            cond: self.boxed(i.cond),
            then_branch: self.block(i.then),
            else_branch: i.els.map(|e| (Default::default(), Box::new(self.expr(e)))),
        })
    }

    fn arm(&self, a: Arm<N>) -> syn::Arm {
        let pat = self.pattern(a.pat);
        let pat = match a.guard {
            Some(guard) => P::Guard(syn::PatGuard {
                attrs: Vec::new(),
                pat: Box::new(pat),
                if_token: Default::default(),
                guard: self.boxed(guard),
            }),
            None => pat,
        };
        let comma = Some(Default::default());
        syn::Arm {
            attrs: Vec::new(),
            pat,
            fat_arrow_token: Default::default(),
            body: self.boxed(a.body),
            comma,
        }
    }

    fn looped(&self, l: Loop<N>) -> E {
        let (attrs, label, body) = (Vec::new(), label(l.label), self.block(l.body));
        match l.head {
            LoopHead::Always => E::Loop(syn::ExprLoop {
                attrs,
                label,
                loop_token: Default::default(),
                body,
            }),
            LoopHead::While(cond) => E::While(syn::ExprWhile {
                attrs,
                label,
                while_token: Default::default(),
                cond: self.boxed(cond),
                body,
            }),
            LoopHead::For(pat, values) => E::ForLoop(syn::ExprForLoop {
                attrs,
                label,
                for_token: Default::default(),
                pat: Box::new(self.pattern(pat)),
                in_token: Default::default(),
                expr: self.boxed(values),
                body,
            }),
        }
    }

    fn closure(&self, c: Closure<N>) -> E {
        let output = result_type(c.result);
        E::Closure(syn::ExprClosure {
            attrs: Vec::new(),
            lifetimes: None,
            modifiers: Default::default(),
            constness: None,
            asyncness: None,
            capture: c.moves.then(Default::default),
            inputs_begin: Default::default(),
            inputs: c
                .params
                .into_iter()
                .map(|(p, ty)| self.typed(p, ty))
                .collect(),
            inputs_end: Default::default(),
            output,
            body: self.boxed(c.body),
        })
    }

    /// Converts a macro that the printer does not reformat.
    fn one_line_macro(&self, m: Macro<N>) -> syn::Macro {
        let args = m.args.into_iter().map(|a| self.argument(a));
        let mut path: syn::Path = token(m.name.text()).into();
        if m.name == MacroName::Offer {
            path.segments.insert(0, token("dunit").into());
        }
        let delimiter = syn::MacroDelimiter::Paren(Default::default());
        syn::Macro {
            path,
            bang_token: Default::default(),
            delimiter,
            tokens: quote!(#(#args),*),
        }
    }

    fn argument(&self, a: Argument<N>) -> TokenStream {
        match a {
            Argument::Value(e) => self.expr(e).into_token_stream(),
            Argument::Pair(key, value) => {
                let (key, value) = (self.expr(key), self.expr(value));
                quote!(#key => #value)
            }
            Argument::Times(value, count) => {
                let (value, count) = (self.expr(value), self.expr(count));
                quote!(#value; #count)
            }
            Argument::Worded(word, e) => {
                let (word, e) = (token(&word), self.expr(e));
                quote!(#word #e)
            }
            Argument::Pattern(p) => self.pattern(p).into_token_stream(),
            Argument::Type(ty) => type_of(ty).into_token_stream(),
        }
    }

    fn call_of_macro(&self, m: Macro<N>) -> E {
        let argument = |a: Argument<N>| match a {
            Argument::Value(e) => self.expr(e),
            Argument::Pair(key, value) => binary(self.expr(key), print::arrow(), self.expr(value)),
            Argument::Times(value, count) => {
                binary(self.expr(value), print::semicolon(), self.expr(count))
            }
            Argument::Worded(word, e) => call(
                single(print::word(&word)),
                Punctuated::from_iter([self.expr(e)]),
            ),
            // These occur only in macros on one line.
            Argument::Pattern(_) | Argument::Type(_) => E::Verbatim(self.argument(a)),
        };
        call(
            single(print::macro_function(m.name.text(), m.in_brackets)),
            m.args.into_iter().map(argument).collect(),
        )
    }

    // ---- Patterns -------------------------------------------------------------------------------

    fn typed(&self, p: Pat<N>, ty: Option<Type>) -> P {
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

    fn pattern(&self, p: Pat<N>) -> P {
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
                let field = |f: super::FieldPat<N>| {
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

impl MacroName {
    /// Returns the name of the macro.
    fn text(self) -> &'static str {
        match self {
            Self::DafnyPrint => "dafny_print",
            Self::Expect => "expect",
            Self::ExpectCalls => "expect_calls",
            Self::ExpectDistinct => "expect_distinct",
            Self::ExpectEq => "expect_eq",
            Self::ExpectFrame => "expect_frame",
            Self::ExpectPrints => "expect_prints",
            Self::Format => "format",
            Self::Map => "map",
            Self::Matches => "matches",
            Self::Multiset => "multiset",
            Self::Offer => "offer",
            Self::Panic => "panic",
            Self::Require => "require",
            Self::Seq => "seq",
            Self::Set => "set",
            Self::StandIn => "stand_in",
            Self::StandInOnce => "stand_in_once",
            Self::Unreachable => "unreachable",
        }
    }
}

fn operator(op: BinaryOp) -> syn::BinOp {
    use syn::BinOp as O;
    match op {
        BinaryOp::Add => O::Add(Default::default()),
        BinaryOp::Sub => O::Sub(Default::default()),
        BinaryOp::Mul => O::Mul(Default::default()),
        BinaryOp::Div => O::Div(Default::default()),
        BinaryOp::Rem => O::Rem(Default::default()),
        BinaryOp::And => O::And(Default::default()),
        BinaryOp::Or => O::Or(Default::default()),
        BinaryOp::BitXor => O::BitXor(Default::default()),
        BinaryOp::BitAnd => O::BitAnd(Default::default()),
        BinaryOp::BitOr => O::BitOr(Default::default()),
        BinaryOp::Shl => O::Shl(Default::default()),
        BinaryOp::Shr => O::Shr(Default::default()),
        BinaryOp::Eq => O::Eq(Default::default()),
        BinaryOp::Lt => O::Lt(Default::default()),
        BinaryOp::Le => O::Le(Default::default()),
        BinaryOp::Ne => O::Ne(Default::default()),
        BinaryOp::Ge => O::Ge(Default::default()),
        BinaryOp::Gt => O::Gt(Default::default()),
    }
}

/// Converts an operator to its assigning form: `+=` for `+`. Only operators that have one reach
/// this function.
fn updating(op: BinaryOp) -> syn::BinOp {
    use syn::BinOp as O;
    match op {
        BinaryOp::Add => O::AddAssign(Default::default()),
        BinaryOp::Sub => O::SubAssign(Default::default()),
        BinaryOp::Mul => O::MulAssign(Default::default()),
        BinaryOp::Div => O::DivAssign(Default::default()),
        BinaryOp::Rem => O::RemAssign(Default::default()),
        BinaryOp::BitXor => O::BitXorAssign(Default::default()),
        BinaryOp::BitAnd => O::BitAndAssign(Default::default()),
        BinaryOp::BitOr => O::BitOrAssign(Default::default()),
        BinaryOp::Shl => O::ShlAssign(Default::default()),
        BinaryOp::Shr => O::ShrAssign(Default::default()),
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Ne
        | BinaryOp::Ge
        | BinaryOp::Gt => operator(op),
    }
}
