//! Rust as `syn` parses it → the tree, with every name resolved. What the translation does not write has no node, and is refused.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Error, Expr as E, Pat as P, Result, Token};

use super::{
    Argument, Arm, Assign, BinaryOp, Bind, Block, Call, Carried, Closure, Expr, FieldPat, Function, Generics, If, Let, Literal, Loop,
    LoopHead, Macro, MacroName, Method, NameId, NameTable, Names, Pat, Path, Segment, Stmt, Type, UnaryOp, marks,
};

/// A function, among items that declare such names. Fails where its body has something that the tree has no node for.
pub(crate) fn read(signature: &syn::Signature, body: syn::Block, declared: &dyn Fn(&str) -> bool) -> Result<Function> {
    let mut reader = Reader::among(declared);
    reader.scopes.push(BTreeMap::new());
    let mut params = Vec::new();
    for input in &signature.inputs {
        if let syn::FnArg::Typed(t) = input {
            params.push(reader.pattern((*t.pat).clone(), false)?);
        }
    }
    let body = reader.block(body)?;
    let has_result = !matches!(signature.output, syn::ReturnType::Default);
    Ok(Function { names: reader.names, params, has_result, body })
}

/// An expression outside of functions, among items that declare such names.
pub(crate) fn read_alone(e: E, declared: &dyn Fn(&str) -> bool) -> Result<(NameTable, Expr)> {
    let mut reader = Reader::among(declared);
    let e = reader.expr(e)?;
    Ok((reader.names, e))
}

/// The statements of a function.
pub(crate) fn read_statements(tokens: proc_macro2::TokenStream) -> Result<Block> {
    Reader::among(&|_| false).block(syn::parse2(quote::quote!({ #tokens }))?)
}

struct Reader<'d> {
    names: NameTable,
    /// What the items around declare.
    declared: &'d dyn Fn(&str) -> bool,
    /// For each scope around, innermost last: the variables that are declared in it.
    scopes: Vec<BTreeMap<String, NameId>>,
    /// What is declared nowhere in the function.
    free: BTreeMap<String, NameId>,
}

fn refused<T>(at: &impl Spanned, what: &str) -> Result<T> {
    Err(Error::new(at.span(), format!("the tree has no node for {what}")))
}

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn label_of(label: Option<syn::Label>) -> Option<String> {
    label.map(|l| l.name.ident.to_string())
}

fn jump_of(label: Option<syn::Lifetime>) -> Option<String> {
    label.map(|l| l.ident.to_string())
}

/// A type without the invisible groups in it.
fn carried_type(mut ty: syn::Type) -> Type {
    Ungroup.visit_type_mut(&mut ty);
    carried(ty)
}

fn carried<T>(value: T) -> Carried<T> {
    Carried(Box::new(value))
}

fn generics(mut arguments: syn::PathArguments) -> Generics {
    Ungroup.visit_path_arguments_mut(&mut arguments);
    (!arguments.is_none()).then(|| carried(arguments))
}

/// Takes off the invisible groups around a type.
pub(crate) fn ungroup(t: &mut syn::Type) {
    while let syn::Type::Group(g) = t {
        *t = (*g.elem).clone();
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

impl<'d> Reader<'d> {
    fn among(declared: &'d dyn Fn(&str) -> bool) -> Self {
        Self { names: NameTable::default(), declared, scopes: Vec::new(), free: BTreeMap::new() }
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.scopes.push(BTreeMap::new());
        let out = f(self);
        self.scopes.pop();
        out
    }

    /// What a name stands for where it is used.
    fn name(&mut self, name: &Ident) -> NameId {
        let text = name.to_string();
        if let Some(id) = self.scopes.iter().rev().find_map(|s| s.get(&text)).or_else(|| self.free.get(&text)) {
            return *id;
        }
        let id = self.names.add(text.clone(), false);
        self.free.insert(text, id);
        id
    }

    fn block(&mut self, b: syn::Block) -> Result<Block> {
        self.scoped(|r| r.open_block(b))
    }

    fn open_block(&mut self, b: syn::Block) -> Result<Block> {
        let stmts = b.stmts.into_iter().map(|s| self.stmt(s)).collect::<Result<_>>()?;
        Ok(Block { stmts })
    }

    fn stmt(&mut self, s: syn::Stmt) -> Result<Stmt> {
        Ok(match s {
            syn::Stmt::Local(l) => Stmt::Let(Box::new(self.local(l)?)),
            syn::Stmt::Item(i) => Stmt::Item(carried(i)),
            syn::Stmt::Expr(E::Path(p), Some(_)) if p.path.get_ident().is_some_and(marks::is_space) => Stmt::Space,
            syn::Stmt::Expr(e, Some(_)) => Stmt::Run(self.expr(e)?),
            syn::Stmt::Expr(e, None) => Stmt::Value(self.expr(e)?),
            syn::Stmt::Macro(m) => {
                let ends = m.semi_token.is_some();
                let e = self.call_of_macro(m.mac)?;
                if ends { Stmt::Run(e) } else { Stmt::Value(e) }
            }
        })
    }

    fn local(&mut self, l: syn::Local) -> Result<Let> {
        let Some((borrows, unassigned)) = marks::of_let(&l.attrs) else { return refused(&l, "the attribute of a `let`") };
        let (value, or_else) = match l.init {
            Some(init) => {
                let value = self.expr(*init.expr)?;
                (Some(value), init.diverge.map(|(_, e)| self.expr(*e)).transpose()?)
            }
            None => (None, None),
        };
        let (pat, ty) = match l.pat {
            P::Type(t) => (*t.pat, Some(carried_type(*t.ty))),
            pat => (pat, None),
        };
        Ok(Let { pat: self.pattern(pat, true)?, ty, value, or_else, borrows, unassigned, is_dead: false })
    }

    // ---- Expressions -------------------------------------------------------------------------------------------------

    fn exprs(&mut self, es: impl IntoIterator<Item = E>) -> Result<Vec<Expr>> {
        es.into_iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&mut self, e: E) -> Result<Box<Expr>> {
        self.expr(e).map(boxed)
    }

    fn maybe(&mut self, e: Option<Box<E>>) -> Result<Option<Box<Expr>>> {
        e.map(|e| self.boxed(*e)).transpose()
    }

    fn expr(&mut self, e: E) -> Result<Expr> {
        Ok(match e {
            E::Group(g) => self.expr(*g.expr)?,
            E::Path(p) => match p.path.get_ident() {
                Some(name) if p.qself.is_none() => Expr::Name(self.name(name)),
                Some(_) | None => Expr::Path(self.path(p.qself, p.path)),
            },
            E::Lit(l) => Expr::Literal(match l.lit {
                syn::Lit::Bool(b) => Literal::Bool(b.value),
                other => Literal::Other(carried(other)),
            }),
            E::Macro(m) => self.call_of_macro(m.mac)?,
            E::Call(c) => {
                let func = self.expr(*c.func)?;
                let diverges = match &func {
                    Expr::Name(n) => self.names.text(*n) == "halt",
                    Expr::Path(p) => p.is_library_function("halt"),
                    _ => false,
                };
                Expr::Call(Box::new(Call { func, args: self.exprs(c.args)?, diverges }))
            }
            E::MethodCall(m) => self.method(m)?,
            E::Field(f) => Expr::Field(self.boxed(*f.base)?, member(&f.member)),
            E::Index(i) => Expr::Index(self.boxed(*i.expr)?, self.boxed(*i.index)?),
            E::Unary(u) => {
                let op = match u.op {
                    syn::UnOp::Deref(_) => UnaryOp::Deref,
                    syn::UnOp::Not(_) => UnaryOp::Not,
                    syn::UnOp::Neg(_) => UnaryOp::Neg,
                    other => return refused(&other, "an operator"),
                };
                Expr::Unary(op, self.boxed(*u.expr)?)
            }
            E::Binary(b) => {
                let Some((op, updates)) = operator(&b.op) else { return refused(&b.op, "an operator") };
                let (left, right) = (self.boxed(*b.left)?, self.boxed(*b.right)?);
                if updates { Expr::Update(op, left, right) } else { Expr::Binary(op, left, right) }
            }
            E::Reference(r) => Expr::Reference { mutable: r.mutability.is_some(), of: self.boxed(*r.expr)? },
            E::Cast(c) => Expr::Cast(self.boxed(*c.expr)?, carried_type(*c.ty)),
            E::Paren(p) => Expr::Paren(self.boxed(*p.expr)?),
            E::Tuple(t) => Expr::Tuple(self.exprs(t.elems)?),
            E::Array(a) => Expr::Array(self.exprs(a.elems)?),
            E::Repeat(r) => Expr::Repeat(self.boxed(*r.expr)?, self.boxed(*r.len)?),
            E::Range(r) => Expr::Range {
                inclusive: matches!(r.limits, syn::RangeLimits::Closed(_)),
                from: self.maybe(r.start)?,
                to: self.maybe(r.end)?,
            },
            E::Struct(s) => {
                let fields = s.fields.into_iter().map(|f| Ok((member(&f.member), self.expr(f.expr)?))).collect::<Result<_>>()?;
                Expr::Struct { path: self.path(s.qself, s.path), fields, rest: self.maybe(s.rest)? }
            }
            E::Assign(a) => Expr::Assign(Box::new(Assign { place: self.expr(*a.left)?, value: self.expr(*a.right)?, is_dead: false })),
            E::Infer(_) => Expr::Ignored,
            E::Block(b) => Expr::Block { label: label_of(b.label), block: self.block(b.block)? },
            E::If(i) => self.branch(i)?,
            E::Let(l) => {
                let e = self.boxed(*l.expr)?;
                Expr::Let(Box::new(self.pattern(*l.pat, true)?), e)
            }
            E::Match(m) => {
                let e = self.boxed(*m.expr)?;
                Expr::Match(e, m.arms.into_iter().map(|a| self.scoped(|r| r.arm(a))).collect::<Result<_>>()?)
            }
            E::Loop(l) => self.looped(label_of(l.label), |_| Ok(LoopHead::Always), l.body)?,
            E::While(w) => self.looped(label_of(w.label), |r| Ok(LoopHead::While(r.expr(*w.cond)?)), w.body)?,
            E::ForLoop(f) => {
                let values = self.expr(*f.expr)?;
                self.looped(label_of(f.label), |r| Ok(LoopHead::For(r.pattern(*f.pat, true)?, values)), f.body)?
            }
            E::Closure(c) => self.scoped(|r| r.closure(c))?,
            E::Async(a) => Expr::Async { moves: a.capture.is_some(), block: self.block(a.block)? },
            E::Await(a) => Expr::Await(self.boxed(*a.base)?),
            E::Return(r) => Expr::Return(self.maybe(r.expr)?),
            E::Break(b) => Expr::Break(jump_of(b.label), self.maybe(b.expr)?),
            E::Continue(c) => Expr::Continue(jump_of(c.label)),
            other => return refused(&other, "an expression"),
        })
    }

    fn path(&self, qself: Option<syn::QSelf>, path: syn::Path) -> Path {
        let is_of_library = path.segments.first().is_some_and(|s| !(self.declared)(&s.ident.to_string()));
        Path { is_of_library, ..self::path(qself, path) }
    }

    fn method(&mut self, m: syn::ExprMethodCall) -> Result<Expr> {
        let receiver = self.expr(*m.receiver)?;
        if marks::is_take(&m.method) {
            let Expr::Name(name) = receiver else { return refused(&m.method, "a value for keeps that is no variable") };
            return Ok(Expr::Take(name));
        }
        let (receiver, changes) = match receiver {
            Expr::Paren(inner) => match *inner {
                Expr::Reference { mutable: true, of } => (*of, true),
                inner => (Expr::Paren(boxed(inner)), false),
            },
            receiver => (receiver, false),
        };
        let turbofish = m.turbofish.map_or(syn::PathArguments::None, syn::PathArguments::AngleBracketed);
        let (name, args) = (m.method.to_string(), self.exprs(m.args)?);
        Ok(Expr::Method(Box::new(Method { receiver, changes, name, generics: generics(turbofish), args })))
    }

    fn branch(&mut self, i: syn::ExprIf) -> Result<Expr> {
        let (cond, then) = self.scoped(|r| Ok((r.expr(*i.cond)?, r.block(i.then_branch)?)))?;
        let els = i.else_branch.map(|(_, e)| self.expr(*e)).transpose()?;
        Ok(Expr::If(Box::new(If { cond, then, els })))
    }

    fn arm(&mut self, a: syn::Arm) -> Result<Arm> {
        let (pat, guard) = match a.pat {
            P::Guard(g) => (*g.pat, Some(*g.guard)),
            pat => (pat, None),
        };
        let pat = self.pattern(pat, true)?;
        let guard = guard.map(|g| self.expr(g)).transpose()?;
        Ok(Arm { pat, guard, body: self.expr(*a.body)? })
    }

    fn looped(&mut self, label: Option<String>, head: impl FnOnce(&mut Self) -> Result<LoopHead>, body: syn::Block) -> Result<Expr> {
        self.scoped(|r| Ok(Expr::Loop(Box::new(Loop { label, head: head(r)?, body: r.block(body)? }))))
    }

    fn closure(&mut self, c: syn::ExprClosure) -> Result<Expr> {
        let mut params = Vec::new();
        for p in c.inputs {
            let (pat, ty) = match p {
                P::Type(t) => (*t.pat, Some(carried_type(*t.ty))),
                pat => (pat, None),
            };
            params.push((self.pattern(pat, true)?, ty));
        }
        let result = match c.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(carried_type(*ty)),
        };
        Ok(Expr::Closure(Box::new(Closure { moves: c.capture.is_some(), params, result, body: self.expr(*c.body)? })))
    }

    // ---- Macros ------------------------------------------------------------------------------------------------------

    fn call_of_macro(&mut self, mut m: syn::Macro) -> Result<Expr> {
        let known = m.path.get_ident().and_then(MacroName::of);
        let in_brackets = matches!(m.delimiter, syn::MacroDelimiter::Bracket(_));
        let Some(name) = known else {
            Ungroup.visit_macro_mut(&mut m);
            let names = self.names_in(m.tokens.clone());
            return Ok(Expr::Foreign(carried(m), names));
        };
        let parsed = syn::parse::Parser::parse2(Punctuated::<Parsed, Token![,]>::parse_terminated, m.tokens)?;
        let args = parsed.into_iter().map(|a| self.argument(a)).collect::<Result<_>>()?;
        Ok(Expr::Macro(Macro { name, in_brackets, args }))
    }

    fn argument(&mut self, a: Parsed) -> Result<Argument> {
        Ok(match a {
            Parsed::Value(e) => match ungrouped(e) {
                E::Call(c) => match (word(&c.func), c.args.len()) {
                    (Some(word), 1) => Argument::Worded(word, self.exprs(c.args)?.pop().unwrap_or(Expr::Ignored)),
                    _ => Argument::Value(self.expr(E::Call(c))?),
                },
                e => Argument::Value(self.expr(e)?),
            },
            Parsed::Pair(key, value) => Argument::Pair(self.expr(key)?, self.expr(value)?),
            Parsed::Times(value, count) => Argument::Times(self.expr(value)?, self.expr(count)?),
        })
    }

    /// The names among tokens.
    fn names_in(&mut self, tokens: proc_macro2::TokenStream) -> Names {
        let mut out = Names::new();
        for t in tokens {
            match t {
                proc_macro2::TokenTree::Ident(i) => out.extend([self.name(&i)]),
                proc_macro2::TokenTree::Group(g) => out.extend(self.names_in(g.stream())),
                proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {}
            }
        }
        out
    }

    // ---- Patterns ----------------------------------------------------------------------------------------------------

    /// A pattern, whose variables come into scope at once; `is_local`: they are declared in the body.
    fn pattern(&mut self, p: P, is_local: bool) -> Result<Pat> {
        let mut binding = Binding { names: &mut self.names, found: BTreeMap::new(), is_local };
        let pat = binding.pattern(p)?;
        let found = binding.found;
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(found);
        }
        Ok(pat)
    }
}

/// Reads one pattern, in which alternatives bind the same variables.
struct Binding<'r> {
    names: &'r mut NameTable,
    found: BTreeMap<String, NameId>,
    is_local: bool,
}

impl Binding<'_> {
    fn patterns(&mut self, ps: impl IntoIterator<Item = P>) -> Result<Vec<Pat>> {
        ps.into_iter().map(|p| self.pattern(p)).collect()
    }

    fn pattern(&mut self, p: P) -> Result<Pat> {
        Ok(match p {
            P::Wild(_) => Pat::Wild,
            P::Rest(_) => Pat::Rest,
            P::Ident(i) => Pat::Bind(self.bind(i)?),
            P::Tuple(t) => Pat::Tuple(self.patterns(t.elems)?),
            P::Slice(s) => Pat::Slice(self.patterns(s.elems)?),
            P::TupleStruct(t) => Pat::TupleStruct(path(t.qself, t.path), self.patterns(t.elems)?),
            P::Struct(s) => Pat::Struct {
                path: path(s.qself, s.path),
                fields: s.fields.into_iter().map(|f| self.field(f)).collect::<Result<_>>()?,
                has_rest: s.rest.is_some(),
            },
            P::Or(o) => Pat::Or(self.patterns(o.cases)?),
            P::Reference(r) if r.mutability.is_none() => Pat::Reference(Box::new(self.pattern(*r.pat)?)),
            P::Paren(p) => Pat::Paren(Box::new(self.pattern(*p.pat)?)),
            P::Path(_) | P::Lit(_) | P::Range(_) | P::Macro(_) => {
                let mut p = p;
                Ungroup.visit_pat_mut(&mut p);
                Pat::Value(carried(p))
            }
            other => return refused(&other, "a pattern"),
        })
    }

    fn bind(&mut self, i: syn::PatIdent) -> Result<Bind> {
        let text = i.ident.to_string();
        let name = match self.found.get(&text) {
            Some(known) => *known,
            None => self.names.add(text.clone(), self.is_local),
        };
        self.found.insert(text, name);
        let inner = i.subpat.map(|(_, p)| self.pattern(*p)).transpose()?.map(Box::new);
        Ok(Bind { name, by_ref: i.by_ref.is_some(), mutable: i.mutability.is_some(), inner })
    }

    fn field(&mut self, f: syn::FieldPat) -> Result<FieldPat> {
        Ok(FieldPat { member: member(&f.member), is_short: f.colon_token.is_none(), pat: self.pattern(*f.pat)? })
    }
}

impl MacroName {
    fn of(name: &Ident) -> Option<Self> {
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

fn path(qself: Option<syn::QSelf>, path: syn::Path) -> Path {
    let segment = |s: syn::PathSegment| Segment { name: s.ident.to_string(), generics: generics(s.arguments) };
    let ungrouped = |mut q: syn::QSelf| {
        Ungroup.visit_qself_mut(&mut q);
        carried(q)
    };
    Path {
        is_of_library: false,
        qself: qself.map(ungrouped),
        has_leading_colons: path.leading_colon.is_some(),
        segments: path.segments.into_iter().map(segment).collect(),
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
    use crate::rust::{Function, read, write};

    fn function(text: &str) -> (syn::ItemFn, Function) {
        let f: syn::ItemFn = syn::parse_str(text).unwrap();
        let read = read(&f.sig, (*f.block).clone(), &|_| false).unwrap();
        (f, read)
    }

    fn printed(mut f: syn::ItemFn, tree: Function) -> String {
        write(tree, &mut f.sig, &mut f.block);
        print_items(vec![syn::Item::Fn(f)])
    }

    /// The function with each of its variables numbered.
    fn numbered(text: &str) -> String {
        let (f, mut tree) = function(text);
        for (i, name) in tree.names.0.iter_mut().filter(|n| n.is_declared).enumerate() {
            name.text = format!("{}{}", name.text, i + 1);
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
        assert_eq!(read(&f.sig, *f.block, &|_| false).unwrap_err().to_string(), "the tree has no node for an expression");
    }
}
