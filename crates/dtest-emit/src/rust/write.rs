//! The tree → Rust as `syn` has it, in the form that [`crate::print`] lays out; before names are resolved, as tokens with [`marks`].

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr as E, Pat as P};

use super::{
    Argument, Arm, BinaryOp, Block, Bound, Closure, Expr, Function, GenericArgument, Generics, Ident, If, Let, Literal, Loop, LoopHead,
    Macro, MacroName, Method, NameId, NameTable, Pat, Path, Stmt, Type, UnaryOp, marks,
};
use crate::code::{known_ident, lifetime};
use crate::print;

/// Puts a function's parameters and body in their places.
pub(crate) fn write(function: Function, signature: &mut syn::Signature, body: &mut syn::Block) {
    let Function { names, params, body: stmts, .. } = function;
    let text = |id: &NameId| names.ident(*id);
    let writer = Writer { text: &text, form: Form::Printed };
    let typed = signature.inputs.iter_mut().filter_map(|i| if let syn::FnArg::Typed(t) = i { Some(t) } else { None });
    for (input, pat) in typed.zip(params) {
        *input.pat = writer.pattern(pat);
    }
    *body = writer.block(stmts);
}

/// An expression outside of functions.
pub(crate) fn write_alone(names: &NameTable, e: Expr<NameId>) -> E {
    let text = |id: &NameId| names.ident(*id);
    Writer { text: &text, form: Form::Printed }.expr(e)
}

/// What is written for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// For the printer.
    Printed,
    /// To be read again: marks say what Rust has no words for, and invisible groups hold together what belongs together.
    Marked,
}

struct Writer<'w, N> {
    text: &'w dyn Fn(&N) -> Ident,
    form: Form,
}

const MARKED: Writer<'_, Ident> = Writer { text: &Ident::clone, form: Form::Marked };

impl ToTokens for Ident {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        known_ident(self.as_str()).to_tokens(tokens);
    }
}

impl ToTokens for Expr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        MARKED.part(self.clone()).to_tokens(tokens);
    }
}

impl ToTokens for Stmt {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        MARKED.stmt(self.clone()).to_tokens(tokens);
    }
}

/// Statements as tokens, to be read again.
pub(crate) fn tokens(stmts: &[Stmt]) -> TokenStream {
    stmts.iter().map(ToTokens::to_token_stream).collect()
}

impl ToTokens for Pat {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        MARKED.pattern(self.clone()).to_tokens(tokens);
    }
}

impl ToTokens for Type {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        type_of(self.clone()).to_tokens(tokens);
    }
}

impl ToTokens for Path {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (qself, path) = path(self.clone(), true);
        syn::ExprPath { attrs: Vec::new(), qself, path }.to_tokens(tokens);
    }
}

fn label(name: Option<String>) -> Option<syn::Label> {
    name.map(|n| syn::Label { name: lifetime(&n), colon_token: Default::default() })
}

fn member(name: &str) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index { index, span: Span::call_site() }),
        Err(_) => syn::Member::Named(known_ident(name)),
    }
}

fn single(name: proc_macro2::Ident) -> E {
    E::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: name.into() })
}

fn literal(l: Literal) -> syn::ExprLit {
    let lit = match l {
        Literal::Bool(value) => syn::Lit::Bool(syn::LitBool::new(value, Span::call_site())),
        Literal::Other(text) => match text.parse::<proc_macro2::Literal>() {
            Ok(token) => syn::Lit::new(token),
            Err(_) => syn::Lit::Str(syn::LitStr::new(&text, Span::call_site())),
        },
    };
    syn::ExprLit { attrs: Vec::new(), lit }
}

// ---- Types -----------------------------------------------------------------------------------------------------------

/// A path; `in_expr`: as an expression has it, with `::` before type arguments.
fn path(p: Path, in_expr: bool) -> (Option<syn::QSelf>, syn::Path) {
    let segment = |s: super::Segment| syn::PathSegment { ident: known_ident(&s.name), arguments: generics(s.generics, in_expr) };
    let qself = p.qself.map(|q| syn::QSelf {
        lt_token: Default::default(),
        ty: Box::new(type_of(q.ty)),
        position: q.of_trait,
        as_token: (q.of_trait > 0).then(Default::default),
        gt_token: Default::default(),
    });
    let leading_colon = p.has_leading_colons.then(Default::default);
    (qself, syn::Path { leading_colon, segments: p.segments.into_iter().map(segment).collect() })
}

fn generics(arguments: Generics, in_expr: bool) -> syn::PathArguments {
    match arguments {
        Generics::None => syn::PathArguments::None,
        Generics::Arguments(all) => syn::PathArguments::AngleBracketed(angle_bracketed(all, in_expr)),
        Generics::Function(params, result) => {
            let input = |t| syn::NamedArg { attrs: Vec::new(), name: None, ty: type_of(t) };
            syn::PathArguments::Parenthesized(syn::ParenthesizedGenericArguments {
                paren_token: Default::default(),
                inputs: params.into_iter().map(input).collect(),
                output: result_type(result.map(|t| *t)),
            })
        }
    }
}

fn angle_bracketed(all: Vec<GenericArgument>, in_expr: bool) -> syn::AngleBracketedGenericArguments {
    let argument = |a| match a {
        GenericArgument::Type(t) => syn::GenericArgument::Type(type_of(t)),
        GenericArgument::Lifetime(name) => syn::GenericArgument::Lifetime(lifetime(&name)),
        GenericArgument::Const(text) => syn::GenericArgument::Const(constant(text)),
        GenericArgument::Associated(name, ty) => syn::GenericArgument::AssocType(syn::AssocType {
            ident: known_ident(&name),
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

/// A number or name where a type has one.
fn constant(text: String) -> E {
    if text.starts_with(|c: char| c.is_ascii_digit()) { E::Lit(literal(Literal::Other(text))) } else { single(known_ident(&text)) }
}

fn result_type(ty: Option<Type>) -> syn::ReturnType {
    ty.map_or(syn::ReturnType::Default, |t| syn::ReturnType::Type(Default::default(), Box::new(type_of(t))))
}

fn type_of(ty: Type) -> syn::Type {
    let attrs = Vec::new();
    match ty {
        Type::Path(p) => {
            let (qself, path) = path(p, false);
            syn::Type::Path(syn::TypePath { attrs, qself, path })
        }
        Type::Reference { lifetime: name, mutable, of } => syn::Type::Reference(syn::TypeReference {
            attrs,
            and_token: Default::default(),
            lifetime: name.map(|n| lifetime(&n)),
            mutability: mutable.then(Default::default),
            elem: Box::new(type_of(*of)),
        }),
        Type::Tuple(ts) => {
            let elems = ts.into_iter().map(type_of).collect();
            syn::Type::Tuple(syn::TypeTuple { attrs, paren_token: Default::default(), elems })
        }
        Type::Array(t, length) => syn::Type::Array(syn::TypeArray {
            attrs,
            bracket_token: Default::default(),
            elem: Box::new(type_of(*t)),
            semi_token: Default::default(),
            len: constant(length),
        }),
        Type::Slice(t) => syn::Type::Slice(syn::TypeSlice { attrs, bracket_token: Default::default(), elem: Box::new(type_of(*t)) }),
        Type::Dyn(all) => syn::Type::TraitObject(syn::TypeTraitObject { attrs, dyn_token: Some(Default::default()), bounds: bounds(all) }),
        Type::Impl(all) => syn::Type::ImplTrait(syn::TypeImplTrait { attrs, impl_token: Default::default(), bounds: bounds(all) }),
        Type::Infer => syn::Type::Infer(syn::TypeInfer { attrs, underscore_token: Default::default() }),
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

// ---- Calls -----------------------------------------------------------------------------------------------------------

fn call(func: E, args: Punctuated<E, syn::Token![,]>) -> E {
    E::Call(syn::ExprCall { attrs: Vec::new(), func: Box::new(func), paren_token: Default::default(), args })
}

fn method(receiver: E, name: proc_macro2::Ident, arguments: Generics, args: Punctuated<E, syn::Token![,]>) -> E {
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
    E::Binary(syn::ExprBinary { attrs: Vec::new(), left: Box::new(left), op, right: Box::new(right) })
}

impl<N> Writer<'_, N> {
    fn name(&self, name: &N) -> proc_macro2::Ident {
        known_ident((self.text)(name).as_str())
    }

    /// An expression as a statement: one that starts with another is held together, lest a block at its start ends it.
    fn root(&self, e: Expr<N>) -> E {
        match e {
            Expr::Binary(..) | Expr::Method(_) | Expr::Field(..) | Expr::Index(..) | Expr::Cast(..) => self.part(e),
            e => self.expr(e),
        }
    }

    /// An expression within another one.
    fn part(&self, e: Expr<N>) -> E {
        let stands_alone = match &e {
            Expr::Name(_) | Expr::Path(_) | Expr::Literal(_) | Expr::Let(..) | Expr::Paren(_) | Expr::Ignored => true,
            Expr::Binary(BinaryOp::And, left, right) => has_let(left) || has_let(right),
            _ => false,
        };
        let written = self.expr(e);
        match self.form {
            Form::Marked if !stands_alone => {
                E::Group(syn::ExprGroup { attrs: Vec::new(), group_token: Default::default(), expr: Box::new(written) })
            }
            Form::Marked | Form::Printed => written,
        }
    }

    // ---- Statements --------------------------------------------------------------------------------------------------

    fn block(&self, b: Block<N>) -> syn::Block {
        syn::Block { brace_token: Default::default(), stmts: b.stmts.into_iter().map(|s| self.stmt(s)).collect() }
    }

    fn stmt(&self, s: Stmt<N>) -> syn::Stmt {
        match s {
            Stmt::Let(l) => syn::Stmt::Local(self.local(*l)),
            Stmt::Run(Expr::Foreign(m, _)) => {
                syn::Stmt::Macro(syn::StmtMacro { attrs: Vec::new(), mac: *m.0, semi_token: Some(Default::default()) })
            }
            Stmt::Run(e) => syn::Stmt::Expr(self.root(e), Some(Default::default())),
            Stmt::Value(e) => syn::Stmt::Expr(self.root(e), None),
            Stmt::Space => {
                let name = if self.form == Form::Marked { marks::space() } else { print::space() };
                syn::Stmt::Expr(single(name), Some(Default::default()))
            }
            Stmt::Item(i) => syn::Stmt::Item(*i.0),
            Stmt::Unread(unread) => syn::Stmt::Expr(E::Verbatim(unread.0), None),
        }
    }

    fn local(&self, l: Let<N>) -> syn::Local {
        let or_else = l.or_else.map(|e| (Default::default(), Box::new(self.expr(e))));
        let init = l.value.map(|e| syn::LocalInit { eq_token: Default::default(), expr: self.boxed(e), diverge: or_else });
        let attrs = if self.form == Form::Marked { marks::for_let(l.borrows, l.unassigned) } else { Vec::new() };
        syn::Local {
            attrs,
            let_token: Default::default(),
            modifiers: Default::default(),
            pat: self.typed(l.pat, l.ty),
            init,
            semi_token: Default::default(),
        }
    }

    // ---- Expressions -------------------------------------------------------------------------------------------------

    fn exprs(&self, es: Vec<Expr<N>>) -> Punctuated<E, syn::Token![,]> {
        es.into_iter().map(|e| self.part(e)).collect()
    }

    fn boxed(&self, e: Expr<N>) -> Box<E> {
        Box::new(self.part(e))
    }

    fn maybe(&self, e: Option<Box<Expr<N>>>) -> Option<Box<E>> {
        e.map(|e| self.boxed(*e))
    }

    fn expr(&self, e: Expr<N>) -> E {
        match e {
            Expr::Name(n) => single(self.name(&n)),
            Expr::Take(n) => {
                let clone = if self.form == Form::Marked { marks::take_method() } else { known_ident("clone") };
                method(single(self.name(&n)), clone, Generics::None, Punctuated::new())
            }
            Expr::Path(p) => {
                let (qself, path) = path(p, true);
                E::Path(syn::ExprPath { attrs: Vec::new(), qself, path })
            }
            Expr::Literal(l) => E::Lit(literal(l)),
            Expr::Macro(m) if self.form == Form::Marked => self.marked_macro(m),
            Expr::Macro(m) => self.call_of_macro(m),
            Expr::Foreign(m, _) => E::Macro(syn::ExprMacro { attrs: Vec::new(), mac: *m.0 }),
            Expr::Call(c) => call(self.part(c.func), self.exprs(c.args)),
            Expr::Method(m) => {
                let Method { receiver, changes, name, generics, args } = *m;
                let receiver = match self.form {
                    Form::Marked if changes => Expr::Paren(Box::new(Expr::Reference { mutable: true, of: Box::new(receiver) })),
                    Form::Marked | Form::Printed => receiver,
                };
                method(self.part(receiver), known_ident(&name), generics, self.exprs(args))
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
                E::Unary(syn::ExprUnary { attrs: Vec::new(), op, expr: self.boxed(*e) })
            }
            Expr::Binary(op, left, right) => binary(self.part(*left), operator(op), self.part(*right)),
            Expr::Update(op, place, value) => binary(self.part(*place), updating(op), self.part(*value)),
            Expr::Reference { mutable, of } => E::Reference(syn::ExprReference {
                attrs: Vec::new(),
                and_token: Default::default(),
                mutability: mutable.then(Default::default),
                expr: self.boxed(*of),
            }),
            Expr::Cast(e, ty) => {
                E::Cast(syn::ExprCast { attrs: Vec::new(), expr: self.boxed(*e), as_token: Default::default(), ty: Box::new(type_of(ty)) })
            }
            Expr::Paren(e) => E::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: Default::default(), expr: self.boxed(*e) }),
            Expr::Tuple(es) => E::Tuple(syn::ExprTuple { attrs: Vec::new(), paren_token: Default::default(), elems: self.exprs(es) }),
            Expr::Array(es) => E::Array(syn::ExprArray { attrs: Vec::new(), bracket_token: Default::default(), elems: self.exprs(es) }),
            Expr::Repeat(e, length) => E::Repeat(syn::ExprRepeat {
                attrs: Vec::new(),
                bracket_token: Default::default(),
                expr: self.boxed(*e),
                semi_token: Default::default(),
                len: self.boxed(*length),
            }),
            Expr::Range { from, to, inclusive } => {
                let limits =
                    if inclusive { syn::RangeLimits::Closed(Default::default()) } else { syn::RangeLimits::HalfOpen(Default::default()) };
                E::Range(syn::ExprRange { attrs: Vec::new(), start: self.maybe(from), limits, end: self.maybe(to) })
            }
            Expr::Struct { path, fields, rest } => self.made(path, fields, rest),
            Expr::Assign(a) => E::Assign(syn::ExprAssign {
                attrs: Vec::new(),
                left: self.boxed(a.place),
                eq_token: Default::default(),
                right: self.boxed(a.value),
            }),
            Expr::Ignored => E::Infer(syn::ExprInfer { attrs: Vec::new(), underscore_token: Default::default() }),
            Expr::Block { label: name, block } => {
                E::Block(syn::ExprBlock { attrs: Vec::new(), label: label(name), block: self.block(block) })
            }
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
            Expr::Async { moves, block } => E::Async(syn::ExprAsync {
                attrs: Vec::new(),
                async_token: Default::default(),
                capture: moves.then(Default::default),
                modifiers: Default::default(),
                block: self.block(block),
            }),
            Expr::Await(e) => E::Await(syn::ExprAwait {
                attrs: Vec::new(),
                base: self.boxed(*e),
                dot_token: Default::default(),
                await_token: Default::default(),
            }),
            Expr::Return(e) => E::Return(syn::ExprReturn { attrs: Vec::new(), return_token: Default::default(), expr: self.maybe(e) }),
            Expr::Break(to, e) => E::Break(syn::ExprBreak {
                attrs: Vec::new(),
                break_token: Default::default(),
                label: to.map(|n| lifetime(&n)),
                expr: self.maybe(e),
            }),
            Expr::Continue(to) => {
                E::Continue(syn::ExprContinue { attrs: Vec::new(), continue_token: Default::default(), label: to.map(|n| lifetime(&n)) })
            }
        }
    }

    fn made(&self, of: Path, fields: Vec<(String, Expr<N>)>, rest: Option<Box<Expr<N>>>) -> E {
        let field = |(name, e): (String, Expr<N>)| {
            // `Point { x: x }` → `Point { x }`.
            let is_short = matches!(&e, Expr::Name(n) if (self.text)(n) == *name);
            let colon_token = (!is_short).then(Default::default);
            syn::FieldValue { attrs: Vec::new(), member: member(&name), colon_token, expr: self.part(e) }
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
            Some(guard) => {
                P::Guard(syn::PatGuard { attrs: Vec::new(), pat: Box::new(pat), if_token: Default::default(), guard: self.boxed(guard) })
            }
            None => pat,
        };
        let comma = Some(Default::default());
        syn::Arm { attrs: Vec::new(), pat, fat_arrow_token: Default::default(), body: self.boxed(a.body), comma }
    }

    fn looped(&self, l: Loop<N>) -> E {
        let (attrs, label, body) = (Vec::new(), label(l.label), self.block(l.body));
        match l.head {
            LoopHead::Always => E::Loop(syn::ExprLoop { attrs, label, loop_token: Default::default(), body }),
            LoopHead::While(cond) => {
                E::While(syn::ExprWhile { attrs, label, while_token: Default::default(), cond: self.boxed(cond), body })
            }
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
            inputs: c.params.into_iter().map(|(p, ty)| self.typed(p, ty)).collect(),
            inputs_end: Default::default(),
            output,
            body: self.boxed(c.body),
        })
    }

    /// A macro as it is, to be read again.
    fn marked_macro(&self, m: Macro<N>) -> E {
        let argument = |a: Argument<N>| match a {
            Argument::Value(e) => self.part(e).into_token_stream(),
            Argument::Pair(key, value) => {
                let (key, value) = (self.part(key), self.part(value));
                quote::quote!(#key => #value)
            }
            Argument::Times(value, count) => {
                let (value, count) = (self.part(value), self.part(count));
                quote::quote!(#value; #count)
            }
            Argument::Worded(word, e) => marks::with_word(&word, &self.part(e).into_token_stream()),
        };
        let (name, args) = (known_ident(m.name.text()), m.args.into_iter().map(argument));
        E::Verbatim(if m.in_brackets { quote::quote!(#name![#(#args),*]) } else { quote::quote!(#name!(#(#args),*)) })
    }

    fn call_of_macro(&self, m: Macro<N>) -> E {
        let argument = |a: Argument<N>| match a {
            Argument::Value(e) => self.expr(e),
            Argument::Pair(key, value) => binary(self.expr(key), print::arrow(), self.expr(value)),
            Argument::Times(value, count) => binary(self.expr(value), print::semicolon(), self.expr(count)),
            Argument::Worded(word, e) => call(single(print::word(&word)), Punctuated::from_iter([self.expr(e)])),
        };
        call(single(print::macro_function(m.name.text(), m.in_brackets)), m.args.into_iter().map(argument).collect())
    }

    // ---- Patterns ----------------------------------------------------------------------------------------------------

    fn typed(&self, p: Pat<N>, ty: Option<Type>) -> P {
        let pat = self.pattern(p);
        match ty {
            Some(ty) => {
                let ty = Box::new(type_of(ty));
                P::Type(syn::PatType { attrs: Vec::new(), pat: Box::new(pat), colon_token: Default::default(), ty })
            }
            None => pat,
        }
    }

    fn patterns<T: Default>(&self, ps: Vec<Pat<N>>) -> Punctuated<P, T> {
        ps.into_iter().map(|p| self.pattern(p)).collect()
    }

    fn pattern(&self, p: Pat<N>) -> P {
        match p {
            Pat::Wild => P::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Default::default() }),
            Pat::Rest => P::Rest(rest()),
            Pat::Bind(b) => P::Ident(syn::PatIdent {
                attrs: Vec::new(),
                by_ref: b.by_ref.then(Default::default),
                mutability: b.mutable.then(Default::default),
                ident: self.name(&b.name),
                subpat: b.inner.map(|p| (Default::default(), Box::new(self.pattern(*p)))),
            }),
            Pat::Tuple(ps) => P::Tuple(syn::PatTuple { attrs: Vec::new(), paren_token: Default::default(), elems: self.patterns(ps) }),
            Pat::Slice(ps) => P::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems: self.patterns(ps) }),
            Pat::TupleStruct(of, ps) => {
                let (qself, path) = path(of, true);
                let elems = self.patterns(ps);
                P::TupleStruct(syn::PatTupleStruct { attrs: Vec::new(), qself, path, paren_token: Default::default(), elems })
            }
            Pat::Struct { path: of, fields, has_rest } => {
                let (qself, path) = path(of, true);
                let field = |f: super::FieldPat<N>| {
                    let is_short = f.is_short && matches!(&f.pat, Pat::Bind(b) if (self.text)(&b.name) == *f.member);
                    let colon_token = (!is_short).then(Default::default);
                    syn::FieldPat { attrs: Vec::new(), member: member(&f.member), colon_token, pat: Box::new(self.pattern(f.pat)) }
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
            Pat::Or(ps) => P::Or(syn::PatOr { attrs: Vec::new(), leading_vert: None, cases: self.patterns(ps) }),
            Pat::Reference(p) => P::Reference(syn::PatReference {
                attrs: Vec::new(),
                and_token: Default::default(),
                mutability: None,
                pat: Box::new(self.pattern(*p)),
            }),
            Pat::Paren(p) => {
                P::Paren(syn::PatParen { attrs: Vec::new(), paren_token: Default::default(), pat: Box::new(self.pattern(*p)) })
            }
            Pat::Path(of) => {
                let (qself, path) = path(of, true);
                P::Path(syn::PatPath { attrs: Vec::new(), qself, path })
            }
            Pat::Literal(l) => P::Lit(literal(l)),
        }
    }
}

/// Whether a condition binds by `let`.
fn has_let<N>(e: &Expr<N>) -> bool {
    match e {
        Expr::Let(..) => true,
        Expr::Binary(BinaryOp::And, left, right) => has_let(left) || has_let(right),
        _ => false,
    }
}

fn rest() -> syn::PatRest {
    syn::PatRest { attrs: Vec::new(), dot2_token: Default::default() }
}

impl MacroName {
    /// The macro's name.
    pub(crate) fn text(self) -> &'static str {
        Self::ALL.iter().find(|(m, _)| *m == self).map_or("", |(_, text)| text)
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

/// `+=` for `+`. Only operators that the reader found in that form get here.
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
        BinaryOp::And | BinaryOp::Or | BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne | BinaryOp::Ge | BinaryOp::Gt => {
            operator(op)
        }
    }
}
