//! Converts a parsed template to the constructors of the emitter's tree.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr as E, Pat as P, Result, Token};

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

    // ---- Types ----------------------------------------------------------------------------------

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

    fn generics(&mut self, arguments: syn::PathArguments) -> Result<TokenStream> {
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

    // ---- Statements -----------------------------------------------------------------------------

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

    // ---- Expressions ----------------------------------------------------------------------------

    fn exprs(&mut self, es: impl IntoIterator<Item = E>) -> Result<TokenStream> {
        self.list(es, &node("Expr"), each_of_expr, Self::expr)
    }

    fn boxed(&mut self, e: E) -> Result<TokenStream> {
        Ok(boxed(&self.expr(e)?))
    }

    fn maybe(&mut self, e: Option<Box<E>>) -> Result<TokenStream> {
        Ok(maybe(e.map(|e| self.boxed(*e)).transpose()?))
    }

    pub(crate) fn expr(&mut self, e: E) -> Result<TokenStream> {
        let expr = node("Expr");
        Ok(match e {
            E::Group(g) => self.expr(*g.expr)?,
            E::Path(p) => match p.path.get_ident() {
                Some(name) if p.qself.is_none() => {
                    match (splice::one(name), splice::joined(name)) {
                        (Some(variable), _) => {
                            let value = self.value(&variable);
                            quote_spanned!(at(&variable)=> #expr::from(#value))
                        }
                        (None, Some((list, join))) => {
                            let values = self.value(&list);
                            quote_spanned!(at(&list)=> #expr::#join(#values))
                        }
                        (None, None) => {
                            let name = self.ident(name);
                            quote!(#expr::Name(#name))
                        }
                    }
                }
                Some(_) | None => {
                    let path = self.path(p.qself, p.path)?;
                    quote!(#expr::from(#path))
                }
            },
            E::Lit(l) => {
                let literal = literal(&l.lit);
                quote!(#expr::Literal(#literal))
            }
            E::Macro(m) => self.call_of_macro(m.mac)?,
            E::Call(c) => {
                let (node, func, args) = (node("Call"), self.expr(*c.func)?, self.exprs(c.args)?);
                quote!(#expr::Call(::std::boxed::Box::new(#node { func: #func, args: #args, diverges: false })))
            }
            E::MethodCall(m) => self.method(m)?,
            E::Field(f) => {
                let base = self.boxed(*f.base)?;
                let member = self.member(&f.member);
                quote!(#expr::Field(#base, #member))
            }
            E::Index(i) => {
                let (e, index) = (self.boxed(*i.expr)?, self.boxed(*i.index)?);
                quote!(#expr::Index(#e, #index))
            }
            E::Unary(u) => {
                let op = match u.op {
                    syn::UnOp::Deref(_) => quote!(Deref),
                    syn::UnOp::Not(_) => quote!(Not),
                    syn::UnOp::Neg(_) => quote!(Neg),
                    other => return refused(&other, "this operator"),
                };
                let e = self.boxed(*u.expr)?;
                quote!(#expr::Unary(crate::rust::UnaryOp::#op, #e))
            }
            E::Binary(b) => {
                let Some((op, updates)) = operator(&b.op) else {
                    return refused(&b.op, "this operator");
                };
                let op = Ident::new(op, b.op.span());
                let node = if updates {
                    quote!(Update)
                } else {
                    quote!(Binary)
                };
                let (left, right) = (self.boxed(*b.left)?, self.boxed(*b.right)?);
                quote!(#expr::#node(crate::rust::BinaryOp::#op, #left, #right))
            }
            E::Reference(r) => {
                let (mutable, of) = (r.mutability.is_some(), self.boxed(*r.expr)?);
                quote!(#expr::Reference { mutable: #mutable, of: #of })
            }
            E::Cast(c) => {
                let (e, ty) = (self.boxed(*c.expr)?, self.ty(*c.ty)?);
                quote!(#expr::Cast(#e, #ty))
            }
            // A list in parentheses is a tuple, whatever its length.
            E::Paren(p) if each_of_expr(&p.expr).is_some() => {
                let es = self.exprs([*p.expr])?;
                quote!(#expr::Tuple(#es))
            }
            E::Paren(p) => {
                let e = self.boxed(*p.expr)?;
                quote!(#expr::Paren(#e))
            }
            E::Tuple(t) => {
                let es = self.exprs(t.elems)?;
                quote!(#expr::Tuple(#es))
            }
            E::Array(a) => {
                let es = self.exprs(a.elems)?;
                quote!(#expr::Array(#es))
            }
            E::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let (from, to) = (self.maybe(r.start)?, self.maybe(r.end)?);
                quote!(#expr::Range { from: #from, to: #to, inclusive: #inclusive })
            }
            E::Struct(s) => {
                let path = self.path(s.qself, s.path)?;
                let each = |f: &syn::FieldValue| match &f.member {
                    syn::Member::Named(name) => splice::each(name),
                    syn::Member::Unnamed(_) => None,
                };
                let field = |c: &mut Self, f: syn::FieldValue| {
                    let (member, e) = (c.member(&f.member), c.expr(f.expr)?);
                    Ok(quote!((#member, #e)))
                };
                let fields = self.list(s.fields, &quote!(crate::rust::FieldValue), each, field)?;
                let rest = self.maybe(s.rest)?;
                quote!(#expr::Struct { path: #path, fields: #fields, rest: #rest })
            }
            E::Assign(a) => {
                let (node, place, value) =
                    (node("Assign"), self.expr(*a.left)?, self.expr(*a.right)?);
                quote!(#expr::Assign(::std::boxed::Box::new(#node { place: #place, value: #value, is_dead: false })))
            }
            E::Infer(_) => quote!(#expr::Ignored),
            E::Block(b) => {
                let (label, block) = (self.label(b.label.map(|l| l.name)), self.block(b.block)?);
                quote!(#expr::Block { label: #label, block: #block })
            }
            E::If(i) => {
                let (node, cond, then) =
                    (node("If"), self.expr(*i.cond)?, self.block(i.then_branch)?);
                let els = maybe(i.else_branch.map(|(_, e)| self.expr(*e)).transpose()?);
                quote!(#expr::If(::std::boxed::Box::new(#node { cond: #cond, then: #then, els: #els })))
            }
            E::Let(l) => {
                let (pat, e) = (boxed(&self.pat(*l.pat)?), self.boxed(*l.expr)?);
                quote!(#expr::Let(#pat, #e))
            }
            E::Match(m) => {
                let e = self.boxed(*m.expr)?;
                let arms = self.list(m.arms, &node("Arm"), |_| None, Self::arm)?;
                quote!(#expr::Match(#e, #arms))
            }
            E::Loop(l) => self.looped(l.label, |_| Ok(quote!(Always)), l.body)?,
            E::While(w) => {
                let head = |c: &mut Self| {
                    let cond = c.expr(*w.cond)?;
                    Ok(quote!(While(#cond)))
                };
                self.looped(w.label, head, w.body)?
            }
            E::ForLoop(f) => {
                let head = |c: &mut Self| {
                    let (pat, values) = (c.pat(*f.pat)?, c.expr(*f.expr)?);
                    Ok(quote!(For(#pat, #values)))
                };
                self.looped(f.label, head, f.body)?
            }
            E::Closure(c) => self.closure(c)?,
            E::Await(a) => {
                let e = self.boxed(*a.base)?;
                quote!(#expr::Await(#e))
            }
            E::Return(r) => {
                let e = self.maybe(r.expr)?;
                quote!(#expr::Return(#e))
            }
            E::Break(b) => {
                let (label, e) = (self.label(b.label), self.maybe(b.expr)?);
                quote!(#expr::Break(#label, #e))
            }
            E::Continue(c) => {
                let label = self.label(c.label);
                quote!(#expr::Continue(#label))
            }
            other => return refused(&other, "this expression"),
        })
    }

    fn member(&mut self, member: &syn::Member) -> TokenStream {
        match member {
            syn::Member::Named(name) => self.name(name),
            syn::Member::Unnamed(index) => {
                let text = index.index.to_string();
                quote!(::std::string::String::from(#text))
            }
        }
    }

    fn method(&mut self, m: syn::ExprMethodCall) -> Result<TokenStream> {
        let (receiver, changes) = match *m.receiver {
            E::Paren(p) => match *p.expr.clone() {
                E::Reference(r) if r.mutability.is_some() => (*r.expr, true),
                inner => (
                    E::Paren(syn::ExprParen {
                        expr: Box::new(inner),
                        ..p
                    }),
                    false,
                ),
            },
            receiver => (receiver, false),
        };
        let (expr, node, receiver, name) = (
            node("Expr"),
            node("Method"),
            self.expr(receiver)?,
            self.name(&m.method),
        );
        let generics = self.generics(
            m.turbofish
                .map_or(syn::PathArguments::None, syn::PathArguments::AngleBracketed),
        )?;
        let args = self.exprs(m.args)?;
        Ok(quote!(#expr::Method(::std::boxed::Box::new(#node {
            receiver: #receiver, changes: #changes, name: #name, generics: #generics, args: #args,
        }))))
    }

    fn arm(&mut self, a: syn::Arm) -> Result<TokenStream> {
        let (pat, guard) = match a.pat {
            P::Guard(g) => (*g.pat, Some(*g.guard)),
            pat => (pat, None),
        };
        let (node, pat) = (node("Arm"), self.pat(pat)?);
        let guard = maybe(guard.map(|g| self.expr(g)).transpose()?);
        let body = self.expr(*a.body)?;
        Ok(quote!(#node { pat: #pat, guard: #guard, body: #body }))
    }

    fn looped(
        &mut self,
        label: Option<syn::Label>,
        head: impl FnOnce(&mut Self) -> Result<TokenStream>,
        body: syn::Block,
    ) -> Result<TokenStream> {
        let (expr, node, kind) = (node("Expr"), node("Loop"), node("LoopHead"));
        let (label, head, body) = (
            self.label(label.map(|l| l.name)),
            head(self)?,
            self.block(body)?,
        );
        Ok(
            quote!(#expr::Loop(::std::boxed::Box::new(#node { label: #label, head: #kind::#head, body: #body }))),
        )
    }

    fn closure(&mut self, c: syn::ExprClosure) -> Result<TokenStream> {
        let each = |p: &P| {
            if let P::Ident(i) = p {
                splice::each(&i.ident)
            } else {
                None
            }
        };
        let params = self.list(c.inputs, &quote!(crate::rust::Param), each, |c, p| {
            let (pat, ty) = c.typed(p)?;
            Ok(quote!((#pat, #ty)))
        })?;
        let result = match c.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(*ty)?),
        };
        let (expr, node, moves, result, body) = (
            node("Expr"),
            node("Closure"),
            c.capture.is_some(),
            maybe(result),
            self.expr(*c.body)?,
        );
        Ok(
            quote!(#expr::Closure(::std::boxed::Box::new(#node { moves: #moves, params: #params, result: #result, body: #body }))),
        )
    }

    // ---- Macros ---------------------------------------------------------------------------------

    fn call_of_macro(&mut self, m: syn::Macro) -> Result<TokenStream> {
        // The tree identifies a macro by its name alone.
        let Some(name) = m.path.segments.last().map(|s| &s.ident) else {
            return refused(&m.path, "this macro");
        };
        let in_brackets = matches!(m.delimiter, syn::MacroDelimiter::Bracket(_));
        let parsed: Vec<Argument> = if name == "matches" {
            Argument::of_matches.parse2(m.tokens)?
        } else {
            Punctuated::<Argument, Token![,]>::parse_terminated
                .parse2(m.tokens)?
                .into_iter()
                .collect()
        };
        let each = |a: &Argument| match a {
            Argument::Value(E::Path(p)) => each_of(&p.path),
            Argument::Value(_)
            | Argument::Pair(..)
            | Argument::Times(..)
            | Argument::Pattern(_) => None,
        };
        let args = self.list(parsed, &node("Argument"), each, Self::argument)?;
        let (expr, node) = (node("Expr"), node("Macro"));
        let name = Ident::new(&camel_case(&name.to_string()), name.span());
        Ok(
            quote!(#expr::Macro(#node { name: crate::rust::MacroName::#name, in_brackets: #in_brackets, args: #args })),
        )
    }

    fn argument(&mut self, a: Argument) -> Result<TokenStream> {
        let node = node("Argument");
        Ok(match a {
            Argument::Value(e) => {
                let e = self.expr(e)?;
                quote!(#node::Value(#e))
            }
            Argument::Pair(key, value) => {
                let (key, value) = (self.expr(key)?, self.expr(value)?);
                quote!(#node::Pair(#key, #value))
            }
            Argument::Times(value, count) => {
                let (value, count) = (self.expr(value)?, self.expr(count)?);
                quote!(#node::Times(#value, #count))
            }
            Argument::Pattern(p) => {
                let p = self.pat(p)?;
                quote!(#node::Pattern(#p))
            }
        })
    }

    // ---- Patterns -------------------------------------------------------------------------------

    /// Writes a pattern and its type annotation.
    fn typed(&mut self, p: P) -> Result<(TokenStream, TokenStream)> {
        let P::Type(t) = p else {
            return Ok((self.pat(p)?, maybe(None)));
        };
        Ok((self.pat(*t.pat)?, self.maybe_type(*t.ty)?))
    }

    fn pats(&mut self, ps: impl IntoIterator<Item = P>) -> Result<TokenStream> {
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

fn literal(l: &syn::Lit) -> TokenStream {
    let node = quote!(crate::rust::Literal);
    match l {
        syn::Lit::Bool(b) => quote!(#node::Bool(#b)),
        syn::Lit::Char(c) => quote!(#node::Char(#c)),
        syn::Lit::Str(text) => quote!(#node::Text(::std::string::String::from(#text))),
        other => {
            let text = other.to_token_stream().to_string();
            quote!(#node::Number(::std::string::String::from(#text)))
        }
    }
}

/// An argument of a macro.
enum Argument {
    Value(E),
    /// `key => value`
    Pair(E, E),
    /// `value; count`
    Times(E, E),
    Pattern(P),
}

impl Argument {
    /// Parses `value, pattern`.
    fn of_matches(input: ParseStream<'_>) -> Result<Vec<Self>> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(vec![
            Self::Value(value),
            Self::Pattern(P::parse_multi(input)?),
        ])
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first: E = input.parse()?;
        if input.peek(Token![=>]) {
            input.parse::<Token![=>]>()?;
            return Ok(Self::Pair(first, input.parse()?));
        }
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            return Ok(Self::Times(first, input.parse()?));
        }
        Ok(Self::Value(first))
    }
}

/// Converts the name of a macro to that of its variant in the tree: `stand_in` becomes `StandIn`.
fn camel_case(name: &str) -> String {
    let word = |w: &str| {
        let mut chars = w.chars();
        chars
            .next()
            .map(|c| c.to_ascii_uppercase())
            .into_iter()
            .chain(chars)
            .collect::<String>()
    };
    name.split('_').map(word).collect()
}

/// Returns the name of an operator in the tree, and whether it is an assigning operator.
fn operator(op: &syn::BinOp) -> Option<(&'static str, bool)> {
    use syn::BinOp as O;
    Some(match op {
        O::Add(_) => ("Add", false),
        O::Sub(_) => ("Sub", false),
        O::Mul(_) => ("Mul", false),
        O::Div(_) => ("Div", false),
        O::Rem(_) => ("Rem", false),
        O::And(_) => ("And", false),
        O::Or(_) => ("Or", false),
        O::BitXor(_) => ("BitXor", false),
        O::BitAnd(_) => ("BitAnd", false),
        O::BitOr(_) => ("BitOr", false),
        O::Shl(_) => ("Shl", false),
        O::Shr(_) => ("Shr", false),
        O::Eq(_) => ("Eq", false),
        O::Lt(_) => ("Lt", false),
        O::Le(_) => ("Le", false),
        O::Ne(_) => ("Ne", false),
        O::Ge(_) => ("Ge", false),
        O::Gt(_) => ("Gt", false),
        O::AddAssign(_) => ("Add", true),
        O::SubAssign(_) => ("Sub", true),
        O::MulAssign(_) => ("Mul", true),
        O::DivAssign(_) => ("Div", true),
        O::RemAssign(_) => ("Rem", true),
        O::BitXorAssign(_) => ("BitXor", true),
        O::BitAndAssign(_) => ("BitAnd", true),
        O::BitOrAssign(_) => ("BitOr", true),
        O::ShlAssign(_) => ("Shl", true),
        O::ShrAssign(_) => ("Shr", true),
        _ => return None,
    })
}
