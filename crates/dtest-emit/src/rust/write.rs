//! The tree → Rust as `syn` has it, in the form that [`crate::print`] lays out.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{Expr as E, Pat as P};

use super::{
    Argument, Arm, BinaryOp, Block, Closure, Expr, Function, Generics, If, Let, Literal, Loop, LoopHead, Macro, MacroName, Method, NameId,
    NameTable, Pat, Path, Stmt, Type, UnaryOp,
};
use crate::code::{known_ident, lifetime};
use crate::print;

/// Puts a function's parameters and body in their places.
pub(crate) fn write(function: Function, signature: &mut syn::Signature, body: &mut syn::Block) {
    let writer = Writer { names: &function.names };
    let typed = signature.inputs.iter_mut().filter_map(|i| if let syn::FnArg::Typed(t) = i { Some(t) } else { None });
    for (input, pat) in typed.zip(function.params) {
        *input.pat = writer.pattern(pat);
    }
    *body = writer.block(function.body);
}

/// An expression outside of functions.
pub(crate) fn write_alone(names: &NameTable, e: Expr) -> E {
    Writer { names }.expr(e)
}

struct Writer<'f> {
    names: &'f NameTable,
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

fn single(name: Ident) -> E {
    E::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: name.into() })
}

fn path(p: Path) -> (Option<syn::QSelf>, syn::Path) {
    let segments = p.segments.into_iter().map(|s| syn::PathSegment { ident: known_ident(&s.name), arguments: generics(s.generics) });
    let leading_colon = p.has_leading_colons.then(Default::default);
    (p.qself.map(|q| *q.0), syn::Path { leading_colon, segments: segments.collect() })
}

fn generics(arguments: Generics) -> syn::PathArguments {
    arguments.map_or(syn::PathArguments::None, |a| *a.0)
}

fn call(func: E, args: Punctuated<E, syn::Token![,]>) -> E {
    E::Call(syn::ExprCall { attrs: Vec::new(), func: Box::new(func), paren_token: Default::default(), args })
}

fn method(receiver: E, name: &str, turbofish: syn::PathArguments, args: Punctuated<E, syn::Token![,]>) -> E {
    let turbofish = match turbofish {
        syn::PathArguments::AngleBracketed(arguments) => Some(arguments),
        syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => None,
    };
    E::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Default::default(),
        method: known_ident(name),
        turbofish,
        paren_token: Default::default(),
        args,
    })
}

fn binary(left: E, op: syn::BinOp, right: E) -> E {
    E::Binary(syn::ExprBinary { attrs: Vec::new(), left: Box::new(left), op, right: Box::new(right) })
}

impl Writer<'_> {
    fn name(&self, id: NameId) -> Ident {
        known_ident(self.names.text(id))
    }

    // ---- Statements --------------------------------------------------------------------------------------------------

    fn block(&self, b: Block) -> syn::Block {
        syn::Block { brace_token: Default::default(), stmts: b.stmts.into_iter().map(|s| self.stmt(s)).collect() }
    }

    fn stmt(&self, s: Stmt) -> syn::Stmt {
        match s {
            Stmt::Let(l) => syn::Stmt::Local(self.local(*l)),
            Stmt::Run(Expr::Foreign(m, _)) => {
                syn::Stmt::Macro(syn::StmtMacro { attrs: Vec::new(), mac: *m.0, semi_token: Some(Default::default()) })
            }
            Stmt::Run(e) => syn::Stmt::Expr(self.expr(e), Some(Default::default())),
            Stmt::Value(e) => syn::Stmt::Expr(self.expr(e), None),
            Stmt::Space => syn::Stmt::Expr(single(print::space()), Some(Default::default())),
            Stmt::Item(i) => syn::Stmt::Item(*i.0),
        }
    }

    fn local(&self, l: Let) -> syn::Local {
        let or_else = l.or_else.map(|e| (Default::default(), self.boxed(e)));
        let init = l.value.map(|e| syn::LocalInit { eq_token: Default::default(), expr: self.boxed(e), diverge: or_else });
        syn::Local {
            attrs: Vec::new(),
            let_token: Default::default(),
            modifiers: Default::default(),
            pat: self.typed(l.pat, l.ty),
            init,
            semi_token: Default::default(),
        }
    }

    // ---- Expressions -------------------------------------------------------------------------------------------------

    fn exprs(&self, es: Vec<Expr>) -> Punctuated<E, syn::Token![,]> {
        es.into_iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&self, e: Expr) -> Box<E> {
        Box::new(self.expr(e))
    }

    fn maybe(&self, e: Option<Box<Expr>>) -> Option<Box<E>> {
        e.map(|e| self.boxed(*e))
    }

    fn expr(&self, e: Expr) -> E {
        match e {
            Expr::Name(n) => single(self.name(n)),
            Expr::Take(n) => method(single(self.name(n)), "clone", syn::PathArguments::None, Punctuated::new()),
            Expr::Path(p) => {
                let (qself, path) = path(p);
                E::Path(syn::ExprPath { attrs: Vec::new(), qself, path })
            }
            Expr::Literal(l) => {
                let lit = match l {
                    Literal::Bool(value) => syn::Lit::Bool(syn::LitBool::new(value, Span::call_site())),
                    Literal::Other(l) => *l.0,
                };
                E::Lit(syn::ExprLit { attrs: Vec::new(), lit })
            }
            Expr::Macro(m) => self.call_of_macro(m),
            Expr::Foreign(m, _) => E::Macro(syn::ExprMacro { attrs: Vec::new(), mac: *m.0 }),
            Expr::Call(c) => call(self.expr(c.func), self.exprs(c.args)),
            Expr::Method(m) => {
                let Method { receiver, changes: _, name, generics, args } = *m;
                method(self.expr(receiver), &name, self::generics(generics), self.exprs(args))
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
            Expr::Binary(op, left, right) => binary(self.expr(*left), operator(op), self.expr(*right)),
            Expr::Update(op, place, value) => binary(self.expr(*place), updating(op), self.expr(*value)),
            Expr::Reference { mutable, of } => E::Reference(syn::ExprReference {
                attrs: Vec::new(),
                and_token: Default::default(),
                mutability: mutable.then(Default::default),
                expr: self.boxed(*of),
            }),
            Expr::Cast(e, ty) => E::Cast(syn::ExprCast { attrs: Vec::new(), expr: self.boxed(*e), as_token: Default::default(), ty: ty.0 }),
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

    fn made(&self, of: Path, fields: Vec<(String, Expr)>, rest: Option<Box<Expr>>) -> E {
        let field = |(name, e): (String, Expr)| {
            // `Point { x: x }` → `Point { x }`.
            let is_short = matches!(&e, Expr::Name(n) if self.names.text(*n) == name);
            let colon_token = (!is_short).then(Default::default);
            syn::FieldValue { attrs: Vec::new(), member: member(&name), colon_token, expr: self.expr(e) }
        };
        let (qself, path) = path(of);
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

    fn branch(&self, i: If) -> E {
        E::If(syn::ExprIf {
            attrs: Vec::new(),
            if_token: Default::default(),
            cond: self.boxed(i.cond),
            then_branch: self.block(i.then),
            else_branch: i.els.map(|e| (Default::default(), self.boxed(e))),
        })
    }

    fn arm(&self, a: Arm) -> syn::Arm {
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

    fn looped(&self, l: Loop) -> E {
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

    fn closure(&self, c: Closure) -> E {
        let output = match c.result {
            Some(ty) => syn::ReturnType::Type(Default::default(), ty.0),
            None => syn::ReturnType::Default,
        };
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

    fn call_of_macro(&self, m: Macro) -> E {
        let argument = |a: Argument| match a {
            Argument::Value(e) => self.expr(e),
            Argument::Pair(key, value) => binary(self.expr(key), print::arrow(), self.expr(value)),
            Argument::Times(value, count) => binary(self.expr(value), print::semicolon(), self.expr(count)),
            Argument::Worded(word, e) => call(single(print::word(&word)), Punctuated::from_iter([self.expr(e)])),
        };
        call(single(print::macro_function(m.name.text(), m.in_brackets)), m.args.into_iter().map(argument).collect())
    }

    // ---- Patterns ----------------------------------------------------------------------------------------------------

    fn typed(&self, p: Pat, ty: Option<Type>) -> P {
        let pat = self.pattern(p);
        match ty {
            Some(ty) => P::Type(syn::PatType { attrs: Vec::new(), pat: Box::new(pat), colon_token: Default::default(), ty: ty.0 }),
            None => pat,
        }
    }

    fn patterns<T: Default>(&self, ps: Vec<Pat>) -> Punctuated<P, T> {
        ps.into_iter().map(|p| self.pattern(p)).collect()
    }

    fn pattern(&self, p: Pat) -> P {
        match p {
            Pat::Wild => P::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Default::default() }),
            Pat::Rest => P::Rest(rest()),
            Pat::Bind(b) => P::Ident(syn::PatIdent {
                attrs: Vec::new(),
                by_ref: b.by_ref.then(Default::default),
                mutability: b.mutable.then(Default::default),
                ident: self.name(b.name),
                subpat: b.inner.map(|p| (Default::default(), Box::new(self.pattern(*p)))),
            }),
            Pat::Tuple(ps) => P::Tuple(syn::PatTuple { attrs: Vec::new(), paren_token: Default::default(), elems: self.patterns(ps) }),
            Pat::Slice(ps) => P::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems: self.patterns(ps) }),
            Pat::TupleStruct(of, ps) => {
                let (qself, path) = path(of);
                let elems = self.patterns(ps);
                P::TupleStruct(syn::PatTupleStruct { attrs: Vec::new(), qself, path, paren_token: Default::default(), elems })
            }
            Pat::Struct { path: of, fields, has_rest } => {
                let (qself, path) = path(of);
                let field = |f: super::FieldPat| {
                    let is_short = f.is_short && matches!(&f.pat, Pat::Bind(b) if self.names.text(b.name) == f.member);
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
            Pat::Value(p) => *p.0,
        }
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
