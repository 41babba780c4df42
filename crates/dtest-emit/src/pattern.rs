//! `match` → Rust.
//!
//! Where every pattern can be one of Rust's, a `match` stays a `match`. Recursive fields are behind an `Rc`, through which
//! Rust's patterns do not look: then the cases become tests one after the other in a labelled block.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::body::Body;
use super::code::{self, Code, Own, group, ident, lifetime, number, without_raw};
use super::convention::Translated;
use super::rep::{Holder, Rep};
use super::rust::marks;
use super::walk::mentioned;
use dafny_resolve::typed::{Expr, ExprCase, ExprKind, Literal, LocalId, Pattern, PatternKind};

/// A step on the way to a case's body.
enum Step {
    /// `if let pattern = value`.
    IfLet(TokenStream, TokenStream),
    /// `if condition`.
    If(TokenStream),
    /// `let name = value;`.
    Let(TokenStream),
}

impl Body<'_, '_, '_> {
    /// A match expression.
    pub(super) fn match_expr(&mut self, scrutinee: &Expr, cases: &[ExprCase], of_function: bool) -> Translated<TokenStream> {
        let patterns: Vec<&Pattern> = cases.iter().map(|c| &c.pattern).collect();
        let used: Vec<Vec<LocalId>> = cases.iter().map(|c| mentioned(&c.body).0).collect();
        let scrutinee = self.parts_or_whole(scrutinee, &patterns, false)?;
        self.matching(&scrutinee, &patterns, &used, !of_function, &mut |body, i| match cases.get(i) {
            Some(c) => body.end(&c.body, of_function),
            None => Ok(TokenStream::new()),
        })
    }

    /// What is matched: of a tuple that is written out, references to the components where Rust's patterns will do.
    pub(super) fn parts_or_whole(&mut self, e: &Expr, patterns: &[&Pattern], copied: bool) -> Translated<TokenStream> {
        let direct = patterns
            .iter()
            .all(|p| self.is_direct(p) && !matches!(p.kind, PatternKind::Var(_) | PatternKind::Or(_) | PatternKind::Value(_)));
        let plain = matches!(self.rep(&e.ty), Rep::Tuple(ts) if ts.len() > 1);
        match &e.kind {
            ExprKind::Tuple(parts) if direct && plain && !copied => {
                let ghosts: Vec<bool> = match self.scope.ground.program.representation(&e.ty) {
                    dafny_resolve::typed::Type::Tuple(cs) => cs.iter().map(|(ghost, _)| *ghost).collect(),
                    _ => Vec::new(),
                };
                let mut borrowed = Vec::new();
                for (part, _) in parts.iter().zip(ghosts).filter(|(_, ghost)| !ghost) {
                    borrowed.push(self.expr(part)?.borrowed());
                }
                Ok(code::tuple(&borrowed))
            }
            _ => self.scrutinee(e, copied),
        }
    }

    /// What is matched, as a reference.
    pub(super) fn scrutinee(&mut self, e: &Expr, copied: bool) -> Translated<TokenStream> {
        let code = self.expr(e)?;
        if copied && !self.copy(&e.ty) {
            let value = code.owned_value();
            return Ok(quote!(&#value));
        }
        Ok(code.borrowed())
    }

    /// Cases one after the other; `body` gives the content of a case's block, with its variables in scope.
    pub(super) fn matching(
        &mut self,
        scrutinee: &TokenStream,
        patterns: &[&Pattern],
        used: &[Vec<LocalId>],
        is_value: bool,
        body: &mut dyn FnMut(&mut Self, usize) -> Translated<TokenStream>,
    ) -> Translated<TokenStream> {
        let none = Vec::new();
        if patterns.iter().all(|p| self.is_direct(p)) {
            let mut arms = TokenStream::new();
            let mut sure = Vec::new();
            for (i, p) in patterns.iter().enumerate() {
                let used = used.get(i).unwrap_or(&none);
                let (mut lets, mut guards) = (TokenStream::new(), Vec::new());
                let pattern = self.direct(p, used, &mut lets, &mut guards)?;
                let inner = body(self, i)?;
                let guard = if guards.is_empty() { TokenStream::new() } else { quote!(if #(#guards)&&*) };
                if guards.is_empty() {
                    sure.push(*p);
                }
                arms = quote!(#arms #pattern #guard => { #lets #inner });
            }
            if !self.covers_all(&sure) {
                arms = quote!(#arms _ => unreachable!("no case of the match applies"),);
            }
            return Ok(quote!(match #scrutinee { #arms }));
        }
        let subject = self.make_up("matched");
        let label_name = without_raw(&subject.to_string()).to_owned();
        let label = lifetime(&label_name);
        // A variable needs no other name.
        let is_variable = matches!(scrutinee.clone().into_iter().collect::<Vec<_>>().as_slice(), [TokenTree::Ident(_)]);
        let on = if is_variable { Code::reference(scrutinee.clone(), false) } else { Code::reference(quote!(#subject), false) };
        let borrows = marks::borrows();
        let mut out = if is_variable { TokenStream::new() } else { quote!(#borrows let #subject = #scrutinee;) };
        let (mut open, mut leaves) = (true, false);
        self.jumps.push(super::control::Jump::Block);
        for (i, p) in patterns.iter().enumerate() {
            let mut steps = Vec::new();
            // Each case has a scope of its own.
            let names = self.names();
            self.steps(p, &on, used.get(i).unwrap_or(&none), &mut steps)?;
            let inner = body(self, i)?;
            let irrefutable = steps.iter().all(|s| matches!(s, Step::Let(_)));
            let leave = if irrefutable {
                open = false;
                inner
            } else if is_value {
                quote!(break #label { #inner };)
            } else {
                quote!(#inner break #label;)
            };
            let nested = steps.into_iter().rev().fold(leave, |inner, step| match step {
                Step::IfLet(pattern, value) => quote!(if let #pattern = #value { #inner }),
                Step::If(condition) => quote!(if #condition { #inner }),
                Step::Let(tokens) => quote!(#tokens #inner),
            });
            out = quote!(#out #nested);
            leaves |= open;
            self.restore_names(names);
            if !open {
                break;
            }
        }
        self.jumps.pop();
        if open {
            out = quote!(#out unreachable!("no case of the match applies"));
        }
        Ok(if leaves { quote!(#label: { #out }) } else { quote!({ #out }) })
    }

    /// Whether Rust has the pattern, perhaps with a guard.
    fn is_direct(&self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Wildcard | PatternKind::Var(_) | PatternKind::Value(_) => true,
            PatternKind::Tuple(ps) => self.compiled_parts(&p.ty, ps).into_iter().all(|p| self.is_direct(p)),
            PatternKind::Ctor { ctor, args } => {
                let c = &self.scope.ground.program[*ctor];
                c.fields.iter().zip(args).all(|(&f, a)| {
                    let field = &self.scope.ground.program[f];
                    let boxed = self.scope.ground.holder(c.datatype, &field.ty) != Holder::Plain;
                    field.ghost || (if boxed { matches!(a.kind, PatternKind::Var(_) | PatternKind::Wildcard) } else { self.is_direct(a) })
                })
            }
            PatternKind::Or(ps) => ps.iter().all(|p| self.is_pure(p)),
        }
    }

    /// Whether Rust has the pattern without a guard.
    fn is_pure(&self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Value(e) => self.literal_pattern(e).is_some(),
            PatternKind::Tuple(ps) | PatternKind::Or(ps) => ps.iter().all(|p| self.is_pure(p)),
            PatternKind::Ctor { args, .. } => self.is_direct(p) && args.iter().all(|p| self.is_pure(p)),
            PatternKind::Wildcard | PatternKind::Var(_) => true,
        }
    }

    /// A literal that is a pattern in Rust.
    fn literal_pattern(&self, e: &Expr) -> Option<TokenStream> {
        match (&e.kind, self.rep(&e.ty)) {
            (ExprKind::Literal(Literal::Bool(b)), _) => Some(quote!(#b)),
            (ExprKind::Literal(Literal::Int(n)), Rep::Native(_)) => Some(group(number(&n.to_string()))),
            (ExprKind::Literal(Literal::Char(c)), _) => {
                let ty = self.scope.runtime(self.scope.ground.char_type());
                match char::from_u32(*c) {
                    Some(c) if self.scope.ground.program.options.unicode_char => Some(quote!(#ty(#c))),
                    Some(_) | None => {
                        let c = number(&c.to_string());
                        Some(quote!(#ty(#c)))
                    }
                }
            }
            _ => None,
        }
    }

    /// A pattern of Rust, against a reference: variables become references.
    fn direct(&mut self, p: &Pattern, used: &[LocalId], lets: &mut TokenStream, guards: &mut Vec<TokenStream>) -> Translated<TokenStream> {
        Ok(match &p.kind {
            PatternKind::Wildcard => quote!(_),
            PatternKind::Var(v) if !used.contains(v) => quote!(_),
            PatternKind::Var(v) => {
                let name = self.declare(*v, Own::Ref);
                quote!(#name)
            }
            PatternKind::Value(e) => match self.literal_pattern(e) {
                Some(literal) => literal,
                None => {
                    let (name, value) = (self.make_up("value"), self.expr(e)?.looked_at());
                    guards.push(quote!(*#name == #value));
                    quote!(#name)
                }
            },
            PatternKind::Tuple(ps) => {
                let mut parts = Vec::new();
                for part in self.compiled_parts(&p.ty, ps) {
                    parts.push(self.direct(part, used, lets, guards)?);
                }
                code::tuple(&parts)
            }
            PatternKind::Ctor { ctor, args } => {
                let c = self.scope.ground.program[*ctor].clone();
                let mut fields = TokenStream::new();
                let mut all = true;
                for (&f, arg) in c.fields.iter().zip(args) {
                    let field = &self.scope.ground.program[f];
                    if field.ghost {
                        continue;
                    }
                    let inner = self.direct(arg, used, lets, guards)?;
                    if inner.to_string() == "_" {
                        all = false;
                        continue;
                    }
                    let name = ident(self.scope.ground.names.field(f));
                    let holder = self.scope.ground.holder(c.datatype, &field.ty);
                    if let (Holder::Lazy, PatternKind::Var(v)) = (holder, &arg.kind) {
                        if let Some(TokenTree::Ident(variable)) = inner.clone().into_iter().next() {
                            self.vars.insert(*v, Code::lazy_variable(&variable, true));
                        }
                    } else if let (Holder::Rc, PatternKind::Var(_)) = (holder, &arg.kind) {
                        *lets = quote!(#lets let #inner = &**#inner;);
                    }
                    fields = if name == inner.to_string() { quote!(#fields #name,) } else { quote!(#fields #name: #inner,) };
                }
                self.ctor_pattern(*ctor, fields, all)
            }
            PatternKind::Or(ps) => {
                let mut alternatives = Vec::new();
                for p in ps {
                    alternatives.push(self.direct(p, used, lets, guards)?);
                }
                quote!(#(#alternatives)|*)
            }
        })
    }

    pub(super) fn ctor_pattern(&self, ctor: dafny_resolve::typed::CtorId, fields: TokenStream, all: bool) -> TokenStream {
        let ground = self.scope.ground;
        let decl = ground.program[ctor].datatype;
        let (path, variant) = (self.scope.type_path(decl), ident(ground.names.ctor(ctor)));
        let phantom = super::datatype::has_phantom(ground, decl, ctor);
        if ground.ctor_fields(ctor).is_empty() && !phantom {
            quote!(#path::#variant)
        } else if all && !phantom {
            quote!(#path::#variant { #fields })
        } else {
            quote!(#path::#variant { #fields .. })
        }
    }

    /// The tests and bindings of a pattern against what `on` refers to.
    fn steps(&mut self, p: &Pattern, on: &Code, used: &[LocalId], out: &mut Vec<Step>) -> Translated<()> {
        match &p.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(v) if !used.contains(v) => {}
            PatternKind::Var(v) if on.lazy().is_some() => {
                let lazy = on.lazy().cloned().unwrap_or_default();
                let name = self.declare(*v, Own::Ref);
                self.vars.insert(*v, Code::lazy_variable(&name, false));
                out.push(Step::Let(quote!(let #name = #lazy.clone();)));
            }
            PatternKind::Var(v) => {
                let value = on.borrowed();
                let name = self.declare(*v, Own::Ref);
                if name != value.to_string() {
                    let borrows = marks::borrows();
                    out.push(Step::Let(quote!(#borrows let #name = #value;)));
                }
            }
            PatternKind::Value(e) => {
                let (a, b) = (on.looked_at(), self.expr(e)?.looked_at());
                out.push(Step::If(quote!(#a == #b)));
            }
            PatternKind::Tuple(ps) => {
                let parts = self.compiled_parts(&p.ty, ps);
                let alone = parts.len() == 1;
                for (i, part) in parts.into_iter().enumerate() {
                    let (o, i) = (on.receiver(), number(&i.to_string()));
                    let copy = self.copy(&part.ty);
                    let on = if alone { on.clone() } else { Code::within(quote!(#o.#i), Own::Place, copy, on) };
                    self.steps(part, &on, used, out)?;
                }
            }
            PatternKind::Ctor { ctor, args } => {
                let c = self.scope.ground.program[*ctor].clone();
                let (mut fields, mut later, mut all) = (TokenStream::new(), Vec::new(), true);
                for (&f, arg) in c.fields.iter().zip(args) {
                    let field = &self.scope.ground.program[f];
                    let skip = match &arg.kind {
                        PatternKind::Wildcard => true,
                        PatternKind::Var(v) => !used.contains(v),
                        PatternKind::Ctor { .. } | PatternKind::Tuple(_) | PatternKind::Value(_) | PatternKind::Or(_) => false,
                    };
                    if field.ghost || skip {
                        all &= field.ghost;
                        continue;
                    }
                    let name = ident(self.scope.ground.names.field(f));
                    let holder = self.scope.ground.holder(c.datatype, &field.ty);
                    // Fields without names in Dafny are numbered.
                    let temp = match (&arg.kind, name.to_string().strip_prefix('_')) {
                        (PatternKind::Var(v), _) if holder == Holder::Plain => self.declare(*v, Own::Ref),
                        (_, Some(number)) => self.make_up(&format!("part_{}", number.trim_end_matches('_'))),
                        (_, None) => self.make_up(&name.to_string()),
                    };
                    fields = if temp == name { quote!(#fields #name,) } else { quote!(#fields #name: #temp,) };
                    let on = match holder {
                        Holder::Plain if matches!(arg.kind, PatternKind::Var(_)) => continue,
                        Holder::Plain => Code::reference(quote!(#temp), self.copy(&arg.ty)),
                        Holder::Rc => Code::reference(quote!(&**#temp), self.copy(&arg.ty)),
                        Holder::Lazy => Code::lazy_variable(&temp, true),
                    };
                    later.push((arg, on));
                }
                let (value, pattern) = (on.borrowed(), self.ctor_pattern(*ctor, fields, all));
                let is_only = self.scope.ground.datatype_ctors(c.datatype).len() == 1;
                let borrows = marks::borrows();
                out.push(if is_only { Step::Let(quote!(#borrows let #pattern = #value;)) } else { Step::IfLet(pattern, value) });
                for (arg, on) in later {
                    self.steps(arg, &on, used, out)?;
                }
            }
            PatternKind::Or(ps) => {
                let mut tests = Vec::new();
                for p in ps {
                    let mut steps = Vec::new();
                    self.steps(p, on, &[], &mut steps)?;
                    let test = steps.into_iter().rev().fold(quote!(true), |inner, step| match step {
                        Step::IfLet(pattern, value) => quote!(if let #pattern = #value { #inner } else { false }),
                        Step::If(condition) => {
                            let inner = group(inner);
                            quote!(#condition && #inner)
                        }
                        Step::Let(_) if inner.to_string() == "true" => inner,
                        Step::Let(tokens) => quote!({ #tokens #inner }),
                    });
                    tests.push(group(quote!((#test))));
                }
                out.push(Step::If(quote!(#(#tests)||*)));
            }
        }
        Ok(())
    }

    /// The bindings of a pattern that always matches. With `own`, variables own what they hold.
    pub(super) fn irrefutable(&mut self, p: &Pattern, on: &Code, used: &[LocalId], own: bool) -> Translated<TokenStream> {
        let mut steps = Vec::new();
        self.steps(p, on, used, &mut steps)?;
        let mut out = TokenStream::new();
        for step in steps {
            out = match step {
                Step::Let(tokens) => quote!(#out #tokens),
                Step::IfLet(pattern, value) => {
                    let borrows = marks::borrows();
                    quote!(#out #borrows let #pattern = #value else { unreachable!("the pattern matches") };)
                }
                Step::If(_) => out,
            };
        }
        if own {
            for v in bound(p) {
                if !used.contains(&v) {
                    continue;
                }
                if let Some(code) = self.vars.get(&v).cloned() {
                    let value = code.owned_value();
                    let name = self.declare(v, Own::Place);
                    out = quote!(#out let #name = #value;);
                }
            }
        }
        Ok(out)
    }
}

/// The variables of a pattern.
pub(super) fn bound(p: &Pattern) -> Vec<LocalId> {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Value(_) => Vec::new(),
        PatternKind::Var(v) => vec![*v],
        PatternKind::Ctor { args, .. } => args.iter().flat_map(bound).collect(),
        PatternKind::Tuple(ps) | PatternKind::Or(ps) => ps.iter().flat_map(bound).collect(),
    }
}
