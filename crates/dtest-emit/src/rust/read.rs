//! Rust as `syn` parses it → the tree. What the translation does not write has no node, and is refused.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Error, Expr as E, Pat as P, Result, Token};

use super::resolve::Resolver;
use super::{
    Argument, Arm, Assign, BinaryOp, Bind, Block, Bodies, Bound, Call, Carried, Closure, Expr, FieldPat, Function, GenericArgument,
    Generics, Ident, If, Let, Literal, Loop, LoopHead, Macro, MacroName, Method, NameId, NameTable, Pat, Path, Segment, SelfType, Stmt,
    Type, UnaryOp, marks,
};

/// A function, among items that declare such names; its body may be one of those that are kept elsewhere. Fails where its body has something
/// that the tree has no node for.
pub(crate) fn read(signature: &syn::Signature, body: syn::Block, kept: &Bodies, declared: &dyn Fn(&str) -> bool) -> Result<Function> {
    let typed = signature.inputs.iter().filter_map(|i| if let syn::FnArg::Typed(t) = i { Some((*t.pat).clone()) } else { None });
    let params = typed.map(pattern).collect::<Result<_>>()?;
    let has_result = !matches!(signature.output, syn::ReturnType::Default);
    let body = match kept.of(&body) {
        Some(stmts) => Block { stmts },
        None => block(body)?,
    };
    Resolver::among(declared).function(params, has_result, body)
}

/// An expression outside of functions, among items that declare such names.
pub(crate) fn read_alone(e: E, declared: &dyn Fn(&str) -> bool) -> Result<(NameTable, Expr<NameId>)> {
    Resolver::among(declared).alone(expr(e)?)
}

/// A path that a user has written; nothing where that is none.
pub(crate) fn parse_path(text: &str) -> Option<Path> {
    let parsed: syn::ExprPath = syn::parse_str(text).ok()?;
    path(parsed.qself, parsed.path).ok()
}

/// Tokens as statements.
pub(super) fn statements(tokens: TokenStream) -> Result<Vec<Stmt>> {
    let parsed = syn::parse::Parser::parse2(syn::Block::parse_within, tokens)?;
    parsed.into_iter().map(stmt).collect()
}

/// Tokens as an expression.
#[cfg(test)]
pub(super) fn expression(tokens: TokenStream) -> Result<Expr> {
    expr(syn::parse2(tokens)?)
}

fn refused<T>(at: &impl Spanned, what: &str) -> Result<T> {
    Err(Error::new(at.span(), format!("the tree has no node for {what}")))
}

fn all<A, B, C: FromIterator<B>>(parts: impl IntoIterator<Item = A>, read: impl Fn(A) -> Result<B>) -> Result<C> {
    parts.into_iter().map(read).collect()
}

fn name(name: &proc_macro2::Ident) -> Ident {
    Ident::new(&name.to_string())
}

fn label_of(label: Option<syn::Label>) -> Option<String> {
    label.map(|l| l.name.ident.to_string())
}

fn jump_of(label: Option<syn::Lifetime>) -> Option<String> {
    label.map(|l| l.ident.to_string())
}

// ---- Types -----------------------------------------------------------------------------------------------------------

/// Takes off the invisible groups around a type.
pub(crate) fn ungroup(t: &mut syn::Type) {
    while let syn::Type::Group(g) = t {
        *t = (*g.elem).clone();
    }
}

/// A type.
pub(super) fn type_of(ty: syn::Type) -> Result<Type> {
    Ok(match ty {
        syn::Type::Group(g) => type_of(*g.elem)?,
        syn::Type::Paren(p) => type_of(*p.elem)?,
        syn::Type::Path(p) => Type::Path(path(p.qself, p.path)?),
        syn::Type::Reference(r) => {
            Type::Reference { lifetime: jump_of(r.lifetime), mutable: r.mutability.is_some(), of: Box::new(type_of(*r.elem)?) }
        }
        syn::Type::Tuple(t) => Type::Tuple(all(t.elems, type_of)?),
        syn::Type::Array(a) => Type::Array(Box::new(type_of(*a.elem)?), constant(a.len)),
        syn::Type::Slice(s) => Type::Slice(Box::new(type_of(*s.elem)?)),
        syn::Type::TraitObject(o) => Type::Dyn(all(o.bounds, bound)?),
        syn::Type::ImplTrait(i) => Type::Impl(all(i.bounds, bound)?),
        syn::Type::Infer(_) => Type::Infer,
        other => return refused(&other, "a type"),
    })
}

fn bound(b: syn::TypeParamBound) -> Result<Bound> {
    Ok(match b {
        syn::TypeParamBound::Trait(t) => Bound::Trait(path(None, t.path)?),
        syn::TypeParamBound::Lifetime(l) => Bound::Lifetime(l.ident.to_string()),
        other => return refused(&other, "a bound"),
    })
}

/// A number or name where a type has one.
fn constant(e: E) -> String {
    ungrouped(e).into_token_stream().to_string()
}

fn generics(arguments: syn::PathArguments) -> Result<Generics> {
    let argument = |a| {
        Ok(match a {
            syn::GenericArgument::Type(t) => GenericArgument::Type(type_of(t)?),
            syn::GenericArgument::Lifetime(l) => GenericArgument::Lifetime(l.ident.to_string()),
            syn::GenericArgument::Const(e) => GenericArgument::Const(constant(e)),
            syn::GenericArgument::AssocType(a) => GenericArgument::Associated(a.ident.to_string(), type_of(a.ty)?),
            other => return refused(&other, "an argument of a generic type"),
        })
    };
    Ok(match arguments {
        syn::PathArguments::None => Generics::None,
        syn::PathArguments::AngleBracketed(a) => Generics::Arguments(all(a.args, argument)?),
        syn::PathArguments::Parenthesized(p) => {
            let result = match p.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(_, t) => Some(Box::new(type_of(*t)?)),
            };
            Generics::Function(all(p.inputs, |i| type_of(i.ty))?, result)
        }
    })
}

fn path(qself: Option<syn::QSelf>, path: syn::Path) -> Result<Path> {
    let segment = |s: syn::PathSegment| Ok(Segment { name: s.ident.to_string(), generics: generics(s.arguments)? });
    let self_type = |q: syn::QSelf| -> Result<_> { Ok(Box::new(SelfType { ty: type_of(*q.ty)?, of_trait: q.position })) };
    Ok(Path {
        is_of_library: false,
        qself: qself.map(self_type).transpose()?,
        has_leading_colons: path.leading_colon.is_some(),
        segments: all(path.segments, segment)?,
    })
}

// ---- Statements ------------------------------------------------------------------------------------------------------

fn block(b: syn::Block) -> Result<Block> {
    Ok(Block { stmts: all(b.stmts, stmt)? })
}

fn stmt(s: syn::Stmt) -> Result<Stmt> {
    Ok(match s {
        syn::Stmt::Local(l) => Stmt::Let(Box::new(local(l)?)),
        syn::Stmt::Item(i) => Stmt::Item(Carried(Box::new(i))),
        syn::Stmt::Expr(E::Path(p), Some(_)) if p.path.get_ident().is_some_and(marks::is_space) => Stmt::Space,
        syn::Stmt::Expr(e, Some(_)) => Stmt::Run(expr(e)?),
        syn::Stmt::Expr(e, None) => Stmt::Value(expr(e)?),
        syn::Stmt::Macro(m) => {
            let ends = m.semi_token.is_some();
            let e = call_of_macro(m.mac)?;
            if ends { Stmt::Run(e) } else { Stmt::Value(e) }
        }
    })
}

fn local(l: syn::Local) -> Result<Let> {
    let Some((borrows, unassigned)) = marks::of_let(&l.attrs) else { return refused(&l, "the attribute of a `let`") };
    let (value, or_else) = match l.init {
        Some(init) => (Some(expr(*init.expr)?), init.diverge.map(|(_, e)| expr(*e)).transpose()?),
        None => (None, None),
    };
    let (pat, ty) = typed(l.pat)?;
    Ok(Let { pat, ty, value, or_else, borrows, unassigned, is_dead: false })
}

// ---- Expressions -----------------------------------------------------------------------------------------------------

fn boxed(e: E) -> Result<Box<Expr>> {
    expr(e).map(Box::new)
}

fn maybe(e: Option<Box<E>>) -> Result<Option<Box<Expr>>> {
    e.map(|e| boxed(*e)).transpose()
}

fn expr(e: E) -> Result<Expr> {
    Ok(match e {
        E::Group(g) => expr(*g.expr)?,
        E::Path(p) => match p.path.get_ident() {
            Some(single) if p.qself.is_none() => Expr::Name(name(single)),
            Some(_) | None => Expr::Path(path(p.qself, p.path)?),
        },
        E::Lit(l) => Expr::Literal(literal(&l.lit)),
        E::Macro(m) => call_of_macro(m.mac)?,
        E::Call(c) => Expr::Call(Box::new(Call { func: expr(*c.func)?, args: all(c.args, expr)?, diverges: false })),
        E::MethodCall(m) => method(m)?,
        E::Field(f) => Expr::Field(boxed(*f.base)?, member(&f.member)),
        E::Index(i) => Expr::Index(boxed(*i.expr)?, boxed(*i.index)?),
        E::Unary(u) => {
            let op = match u.op {
                syn::UnOp::Deref(_) => UnaryOp::Deref,
                syn::UnOp::Not(_) => UnaryOp::Not,
                syn::UnOp::Neg(_) => UnaryOp::Neg,
                other => return refused(&other, "an operator"),
            };
            Expr::Unary(op, boxed(*u.expr)?)
        }
        E::Binary(b) => {
            let Some((op, updates)) = operator(&b.op) else { return refused(&b.op, "an operator") };
            let (left, right) = (boxed(*b.left)?, boxed(*b.right)?);
            if updates { Expr::Update(op, left, right) } else { Expr::Binary(op, left, right) }
        }
        E::Reference(r) => Expr::Reference { mutable: r.mutability.is_some(), of: boxed(*r.expr)? },
        E::Cast(c) => Expr::Cast(boxed(*c.expr)?, type_of(*c.ty)?),
        E::Paren(p) => Expr::Paren(boxed(*p.expr)?),
        E::Tuple(t) => Expr::Tuple(all(t.elems, expr)?),
        E::Array(a) => Expr::Array(all(a.elems, expr)?),
        E::Repeat(r) => Expr::Repeat(boxed(*r.expr)?, boxed(*r.len)?),
        E::Range(r) => Expr::Range { inclusive: matches!(r.limits, syn::RangeLimits::Closed(_)), from: maybe(r.start)?, to: maybe(r.end)? },
        E::Struct(s) => {
            let fields = all(s.fields, |f| Ok((member(&f.member), expr(f.expr)?)))?;
            Expr::Struct { path: path(s.qself, s.path)?, fields, rest: maybe(s.rest)? }
        }
        E::Assign(a) => Expr::Assign(Box::new(Assign { place: expr(*a.left)?, value: expr(*a.right)?, is_dead: false })),
        E::Infer(_) => Expr::Ignored,
        E::Block(b) => Expr::Block { label: label_of(b.label), block: block(b.block)? },
        E::If(i) => {
            let els = i.else_branch.map(|(_, e)| expr(*e)).transpose()?;
            Expr::If(Box::new(If { cond: expr(*i.cond)?, then: block(i.then_branch)?, els }))
        }
        E::Let(l) => Expr::Let(Box::new(pattern(*l.pat)?), boxed(*l.expr)?),
        E::Match(m) => Expr::Match(boxed(*m.expr)?, all(m.arms, arm)?),
        E::Loop(l) => looped(l.label, LoopHead::Always, l.body)?,
        E::While(w) => looped(w.label, LoopHead::While(expr(*w.cond)?), w.body)?,
        E::ForLoop(f) => looped(f.label, LoopHead::For(pattern(*f.pat)?, expr(*f.expr)?), f.body)?,
        E::Closure(c) => closure(c)?,
        E::Async(a) => Expr::Async { moves: a.capture.is_some(), block: block(a.block)? },
        E::Await(a) => Expr::Await(boxed(*a.base)?),
        E::Return(r) => Expr::Return(maybe(r.expr)?),
        E::Break(b) => Expr::Break(jump_of(b.label), maybe(b.expr)?),
        E::Continue(c) => Expr::Continue(jump_of(c.label)),
        other => return refused(&other, "an expression"),
    })
}

fn literal(l: &syn::Lit) -> Literal {
    match l {
        syn::Lit::Bool(b) => Literal::Bool(b.value),
        // As one token, also where it is negative.
        syn::Lit::Int(n) => Literal::Other(n.to_string()),
        syn::Lit::Float(n) => Literal::Other(n.to_string()),
        other => Literal::Other(other.to_token_stream().to_string()),
    }
}

fn method(m: syn::ExprMethodCall) -> Result<Expr> {
    let receiver = expr(*m.receiver)?;
    if marks::is_take(&m.method) {
        let Expr::Name(name) = receiver else { return refused(&m.method, "a value for keeps that is no variable") };
        return Ok(Expr::Take(name));
    }
    let (receiver, changes) = match receiver {
        Expr::Paren(inner) => match *inner {
            Expr::Reference { mutable: true, of } => (*of, true),
            inner => (Expr::Paren(Box::new(inner)), false),
        },
        receiver => (receiver, false),
    };
    let turbofish = m.turbofish.map_or(syn::PathArguments::None, syn::PathArguments::AngleBracketed);
    let (name, args) = (m.method.to_string(), all(m.args, expr)?);
    Ok(Expr::Method(Box::new(Method { receiver, changes, name, generics: generics(turbofish)?, args })))
}

fn arm(a: syn::Arm) -> Result<Arm> {
    let (pat, guard) = match a.pat {
        P::Guard(g) => (*g.pat, Some(*g.guard)),
        pat => (pat, None),
    };
    Ok(Arm { pat: pattern(pat)?, guard: guard.map(expr).transpose()?, body: expr(*a.body)? })
}

fn looped(label: Option<syn::Label>, head: LoopHead, body: syn::Block) -> Result<Expr> {
    Ok(Expr::Loop(Box::new(Loop { label: label_of(label), head, body: block(body)? })))
}

fn closure(c: syn::ExprClosure) -> Result<Expr> {
    let result = match c.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => Some(type_of(*ty)?),
    };
    let params = all(c.inputs, typed)?;
    Ok(Expr::Closure(Box::new(Closure { moves: c.capture.is_some(), params, result, body: expr(*c.body)? })))
}

// ---- Macros ----------------------------------------------------------------------------------------------------------

fn call_of_macro(mut m: syn::Macro) -> Result<Expr> {
    let known = m.path.get_ident().and_then(MacroName::of);
    let in_brackets = matches!(m.delimiter, syn::MacroDelimiter::Bracket(_));
    let Some(name) = known else {
        Ungroup.visit_macro_mut(&mut m);
        let mut names = BTreeSet::new();
        names_in(m.tokens.clone(), &mut names);
        return Ok(Expr::Foreign(Carried(Box::new(m)), names));
    };
    let parsed = syn::parse::Parser::parse2(Punctuated::<Parsed, Token![,]>::parse_terminated, m.tokens)?;
    Ok(Expr::Macro(Macro { name, in_brackets, args: all(parsed, argument)? }))
}

fn argument(a: Parsed) -> Result<Argument> {
    Ok(match a {
        Parsed::Value(e) => match ungrouped(e) {
            E::Call(c) => match (word(&c.func), c.args.len()) {
                (Some(word), 1) => Argument::Worded(word, all::<_, _, Vec<_>>(c.args, expr)?.pop().unwrap_or(Expr::Ignored)),
                _ => Argument::Value(expr(E::Call(c))?),
            },
            e => Argument::Value(expr(e)?),
        },
        Parsed::Pair(key, value) => Argument::Pair(expr(key)?, expr(value)?),
        Parsed::Times(value, count) => Argument::Times(expr(value)?, expr(count)?),
    })
}

/// The names among tokens.
fn names_in(tokens: TokenStream, out: &mut BTreeSet<Ident>) {
    for t in tokens {
        match t {
            proc_macro2::TokenTree::Ident(i) => out.extend([name(&i)]),
            proc_macro2::TokenTree::Group(g) => names_in(g.stream(), out),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {}
        }
    }
}

/// Takes off the invisible groups around types.
struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_type_mut(&mut self, t: &mut syn::Type) {
        ungroup(t);
        syn::visit_mut::visit_type_mut(self, t);
    }
}

// ---- Patterns --------------------------------------------------------------------------------------------------------

/// A pattern with the type behind it.
fn typed(p: P) -> Result<(Pat, Option<Type>)> {
    Ok(match p {
        P::Type(t) => (pattern(*t.pat)?, Some(type_of(*t.ty)?)),
        pat => (pattern(pat)?, None),
    })
}

/// A pattern.
pub(super) fn pattern(p: P) -> Result<Pat> {
    Ok(match p {
        P::Wild(_) => Pat::Wild,
        P::Rest(_) => Pat::Rest,
        P::Ident(i) => {
            let inner = i.subpat.map(|(_, p)| pattern(*p)).transpose()?.map(Box::new);
            Pat::Bind(Bind { name: name(&i.ident), by_ref: i.by_ref.is_some(), mutable: i.mutability.is_some(), inner })
        }
        P::Tuple(t) => Pat::Tuple(all(t.elems, pattern)?),
        P::Slice(s) => Pat::Slice(all(s.elems, pattern)?),
        P::TupleStruct(t) => Pat::TupleStruct(path(t.qself, t.path)?, all(t.elems, pattern)?),
        P::Struct(s) => Pat::Struct { path: path(s.qself, s.path)?, fields: all(s.fields, field)?, has_rest: s.rest.is_some() },
        P::Or(o) => Pat::Or(all(o.cases, pattern)?),
        P::Reference(r) if r.mutability.is_none() => Pat::Reference(Box::new(pattern(*r.pat)?)),
        P::Paren(p) => Pat::Paren(Box::new(pattern(*p.pat)?)),
        P::Path(p) => Pat::Path(path(p.qself, p.path)?),
        P::Lit(l) => Pat::Literal(literal(&l.lit)),
        other => return refused(&other, "a pattern"),
    })
}

fn field(f: syn::FieldPat) -> Result<FieldPat> {
    Ok(FieldPat { member: member(&f.member), is_short: f.colon_token.is_none(), pat: pattern(*f.pat)? })
}

impl MacroName {
    fn of(name: &proc_macro2::Ident) -> Option<Self> {
        Self::ALL.iter().find(|(_, text)| name == text).map(|(m, _)| *m)
    }
}

/// An argument of a macro as it is parsed.
enum Parsed {
    Value(E),
    Pair(E, E),
    Times(E, E),
}

impl Parse for Parsed {
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

fn ungrouped(mut e: E) -> E {
    while let E::Group(g) = e {
        e = *g.expr;
    }
    e
}

/// The word that the function of a call stands for.
fn word(function: &E) -> Option<String> {
    match function {
        E::Path(p) => p.path.get_ident().and_then(marks::word),
        _ => None,
    }
}

fn member(m: &syn::Member) -> String {
    match m {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// An operator, and whether it updates its left side.
fn operator(op: &syn::BinOp) -> Option<(BinaryOp, bool)> {
    use syn::BinOp as O;
    Some(match op {
        O::Add(_) => (BinaryOp::Add, false),
        O::Sub(_) => (BinaryOp::Sub, false),
        O::Mul(_) => (BinaryOp::Mul, false),
        O::Div(_) => (BinaryOp::Div, false),
        O::Rem(_) => (BinaryOp::Rem, false),
        O::And(_) => (BinaryOp::And, false),
        O::Or(_) => (BinaryOp::Or, false),
        O::BitXor(_) => (BinaryOp::BitXor, false),
        O::BitAnd(_) => (BinaryOp::BitAnd, false),
        O::BitOr(_) => (BinaryOp::BitOr, false),
        O::Shl(_) => (BinaryOp::Shl, false),
        O::Shr(_) => (BinaryOp::Shr, false),
        O::Eq(_) => (BinaryOp::Eq, false),
        O::Lt(_) => (BinaryOp::Lt, false),
        O::Le(_) => (BinaryOp::Le, false),
        O::Ne(_) => (BinaryOp::Ne, false),
        O::Ge(_) => (BinaryOp::Ge, false),
        O::Gt(_) => (BinaryOp::Gt, false),
        O::AddAssign(_) => (BinaryOp::Add, true),
        O::SubAssign(_) => (BinaryOp::Sub, true),
        O::MulAssign(_) => (BinaryOp::Mul, true),
        O::DivAssign(_) => (BinaryOp::Div, true),
        O::RemAssign(_) => (BinaryOp::Rem, true),
        O::BitXorAssign(_) => (BinaryOp::BitXor, true),
        O::BitAndAssign(_) => (BinaryOp::BitAnd, true),
        O::BitOrAssign(_) => (BinaryOp::BitOr, true),
        O::ShlAssign(_) => (BinaryOp::Shl, true),
        O::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {

    use crate::print::print_items;
    use crate::rust::{Bodies, Function, read, write};

    fn function(text: &str) -> (syn::ItemFn, Function) {
        let f: syn::ItemFn = syn::parse_str(text).unwrap();
        let read = read(&f.sig, (*f.block).clone(), &Bodies::default(), &|_| false).unwrap();
        (f, read)
    }

    fn printed(mut f: syn::ItemFn, tree: Function) -> String {
        write(tree, &mut f.sig, &mut f.block);
        print_items(vec![syn::Item::Fn(f)])
    }

    /// The function with each of its variables numbered.
    fn numbered(text: &str) -> String {
        let (f, mut tree) = function(text);
        for (i, name) in tree.names.declared().into_iter().enumerate() {
            let numbered = format!("{}{}", tree.names.text(name), i + 1);
            tree.names.rename(name, &numbered);
        }
        printed(f, tree).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_name_stands_for_the_variable_in_whose_scope_it_is() {
        assert_eq!(
            numbered("fn f(x: u8) -> u8 { let x = x; g(x); { let x = h(x); x }; x }"),
            "fn f(x: u8) -> u8 { let x1 = x; g(x1); { let x2 = h(x1); x2 }; x1 }"
        );
        assert_eq!(
            numbered("fn f() { match a { A { x } => x, B(x) if x => expect!(x.y, x), C(x) | D(x) => x, _ => x } }"),
            "fn f() { match a { A { x: x1 } => x1, B(x2) if x2 => expect!(x2.y, x2), C(x3) | D(x3) => x3, _ => x, } }"
        );
        assert_eq!(
            numbered("fn f() { if let Some(x) = x && x { x } else { h(|x| x) } }"),
            "fn f() { if let Some(x1) = x && x1 { x1 } else { h(|x2| x2) } }"
        );
        assert_eq!(
            numbered("fn f() { for x in x { g(x); } while let A(x) = x { g(x); } x }"),
            "fn f() { for x1 in x { g(x1); } while let A(x2) = x { g(x2); } x }"
        );
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let text = "\
fn f<T: A>(x: &T, r#match: u8) -> u8 {
    let Point { a, b: (ref mut c, _), .. } = <T as A>::new::<u8>(x, -1);
    let [d, e]: [u8; 2] = [0; 2];
    let Some(&n) = a.get(..=c) else { unreachable!(\"no {}\", 1) };
    'outer: while !e && d < n {
        c.0 += seq![d; 9][1] as u8;
        if (a | c) == 1 {
            continue 'outer;
        } else if d == 2 {
            break;
        }
        dunit::offer!(cast, this, u8);
    }
    let s = Point {
        a,
        x: r#match,
        ..Point::default()
    };
    *s.a = g(
        async move {
            suspend().await;
        },
        move |y: u8, _| -> u8 { y },
    );
    (a, _) = (map![a => b], 1..2);
    match s {
        Point { a: 1 | 2, .. } if a => return 3,
        _ => matches!(s, Point { .. }),
    }
}
";
        let (f, tree) = function(text);
        assert_eq!(printed(f, tree), text);
    }

    #[test]
    fn what_has_no_node_is_refused() {
        let f: syn::ItemFn = syn::parse_str("fn f() { unsafe { g() } }").unwrap();
        assert_eq!(
            read(&f.sig, *f.block, &Bodies::default(), &|_| false).unwrap_err().to_string(),
            "the tree has no node for an expression"
        );
    }
}
