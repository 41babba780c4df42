//! Typed statements → Rust. Ghost statements are left out.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::code::{Code, Own, ident, lifetime};
use super::convention::{Rep, Translated};
use super::expr::Body;
use super::names::snake_case;
use super::walk::{assigned, each_stmt, mentioned};
use crate::typed::{
    ArrayInit, AssignOrFail, Block, BreakTarget, Call, Expr, ExprKind, Guard, GuardedCase, Literal, LocalId, Name, OnFailure, Quantified,
    Rhs, Stmt, StmtKind, Target, Type,
};

/// What a jump may leave or repeat.
#[derive(Debug, Clone)]
pub(super) enum Jump {
    /// A loop: its labels in Dafny, its label in Rust.
    Loop(Vec<Name>, String),
    /// A labelled statement.
    Labelled(Vec<Name>, String),
    /// A labelled block of ours: jumps across it need a label.
    Block,
}

impl Body<'_, '_, '_> {
    /// A block's statements without braces. At the end of a callable (`last`), a return is the value itself.
    pub(super) fn block(&mut self, block: &Block, last: bool) -> Translated<TokenStream> {
        self.stmts(&block.stmts, last)
    }

    fn stmts(&mut self, stmts: &[Stmt], last: bool) -> Translated<TokenStream> {
        let compiled: Vec<&Stmt> = flat(stmts).into_iter().filter(|s| !self.is_erased(s)).collect();
        let mut out = TokenStream::new();
        let mut i = 0;
        while let Some(s) = compiled.get(i) {
            if let StmtKind::VarDecl(locals) = &s.kind {
                let later = compiled.get(i + 1..).unwrap_or(&[]);
                let sunk: Vec<LocalId> = locals.iter().copied().filter(|&l| self.sinks(l, later, false)).collect();
                self.sunk.extend(sunk);
            }
            let next_returns = compiled.get(i + 1).is_some_and(|n| matches!(n.kind, StmtKind::Return));
            let at_end = last && i + 2 >= compiled.len();
            if let (true, Some(values)) = (next_returns, self.returned(s)?) {
                out = if at_end { quote!(#out #values) } else { quote!(#out return #values;) };
                i += 2;
                continue;
            }
            if matches!(s.kind, StmtKind::Return) {
                let value = self.result();
                let ends = last && i + 1 == compiled.len();
                out = if ends { quote!(#out #value) } else { quote!(#out return #value;) };
            } else {
                let one = self.stmt(s)?;
                out = quote!(#out #one);
            }
            i += 1;
        }
        Ok(out)
    }

    /// The values that an assignment just before a `return` gives to all out-parameters, in their order.
    fn returned(&mut self, s: &Stmt) -> Translated<Option<TokenStream>> {
        let StmtKind::Assign { declares, pairs } = &s.kind else { return Ok(None) };
        let pairs: Vec<(LocalId, &Expr)> = pairs
            .iter()
            .filter_map(|(t, r)| match (t, r) {
                (Target::Local(l), Rhs::Expr(e)) if self.scope.spec || !self.scope.ground.program[*l].ghost => Some((*l, e)),
                _ => None,
            })
            .collect();
        let all = !self.outs.is_empty() && pairs.len() == self.outs.len() && pairs.iter().zip(&self.outs).all(|((l, _), o)| l == o);
        if !declares.is_empty() || !all {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (_, e) in pairs {
            values.push(self.value(e)?);
        }
        Ok(Some(match values.as_slice() {
            [one] => one.clone(),
            many => quote!((#(#many),*)),
        }))
    }

    /// The out-parameters as a callable's result.
    pub(super) fn result(&self) -> TokenStream {
        if let Some(this) = &self.born {
            return this.clone();
        }
        let names: Vec<TokenStream> = self.outs.iter().filter_map(|o| self.vars.get(o)).map(Code::receiver).collect();
        match names.as_slice() {
            [one] => one.clone(),
            [] => TokenStream::new(),
            many => quote!((#(#many),*)),
        }
    }

    /// A statement.
    pub(super) fn stmt(&mut self, s: &Stmt) -> Translated<TokenStream> {
        if self.is_erased(s) {
            return Ok(TokenStream::new());
        }
        let is_loop = matches!(s.kind, StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. });
        if s.labels.is_empty() || is_loop {
            return self.unlabelled(s);
        }
        let name = self.label(&s.labels);
        self.jumps.push(Jump::Labelled(s.labels.clone(), name.clone()));
        let inner = self.unlabelled(s);
        self.jumps.pop();
        let inner = inner?;
        if !self.labels_used.contains(&name) {
            return Ok(inner);
        }
        let label = lifetime(&name);
        Ok(quote!(#label: { #inner }))
    }

    /// Whether a statement is not there at run time: it is ghost, or calls a lemma or ghost method.
    pub(super) fn is_erased(&self, s: &Stmt) -> bool {
        s.ghost
            || match &s.kind {
                StmtKind::Call { call, .. } => self.scope.ground.program[call.callee].ghost,
                _ => false,
            }
    }

    fn unlabelled(&mut self, s: &Stmt) -> Translated<TokenStream> {
        match &s.kind {
            StmtKind::Block(b) => {
                let inner = self.block(b, false)?;
                Ok(quote!({ #inner }))
            }
            StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Reveal(_) | StmtKind::Calc { .. } => Ok(TokenStream::new()),
            StmtKind::Expect { cond, message } => {
                let location = self.scope.ground.sources.locate(s.span);
                let halt = self.scope.runtime("halt");
                let message = match message {
                    Some(m) if matches!(&m.kind, ExprKind::Literal(Literal::String(_))) => {
                        let text = match &m.kind {
                            ExprKind::Literal(Literal::String(cs)) => cs.iter().filter_map(|&c| char::from_u32(c)).collect(),
                            _ => String::new(),
                        };
                        quote!(#text)
                    }
                    Some(m) if self.is_string(&m.ty) => {
                        let m = self.expr(m)?.receiver();
                        quote!(#m.text())
                    }
                    Some(m) => {
                        let (m, shown) = (self.expr(m)?.borrowed(), self.scope.runtime("to_dafny_string"));
                        quote!(#shown(#m))
                    }
                    None => quote!("expectation violation"),
                };
                let cond = self.value(cond)?;
                Ok(quote!(if !#cond { #halt(#message, #location); }))
            }
            StmtKind::Print(args) => {
                let mut shown = Vec::new();
                for a in args {
                    let value = self.expr(a)?.looked_at();
                    shown.push(if self.is_string(&a.ty) { quote!(text #value) } else { value });
                }
                Ok(quote!(dafny_print!(#(#shown),*);))
            }
            StmtKind::VarDecl(locals) => {
                let mut out = TokenStream::new();
                for &l in locals {
                    if self.sunk.contains(&l) {
                        continue;
                    }
                    if self.scope.spec || !self.scope.ground.program[l].ghost {
                        let one = self.uninitialised(l)?;
                        out = quote!(#out #one);
                    }
                }
                Ok(out)
            }
            StmtKind::Assign { declares, pairs } => self.assign(declares, pairs),
            StmtKind::AssignPattern { pattern, value } => {
                let code = self.expr(value)?;
                let vars = super::pattern::bound(pattern);
                let out = self.let_pattern(pattern, &code, &vars, self.copy(&value.ty), false)?;
                let rebound: Vec<Ident> = vars.iter().filter(|v| self.mutated.contains_key(v)).filter_map(|v| self.name_of(*v)).collect();
                Ok(quote!(#out #(let mut #rebound = #rebound;)*))
            }
            StmtKind::Call { declares, targets, call } => self.call_stmt(declares, targets, call),
            StmtKind::SuchThat { declares, targets, vars, .. } => {
                let found = self.such_that(vars)?;
                self.assign_results(declares, &targets.iter().collect::<Vec<_>>(), found, true)
            }
            StmtKind::AssignOrFail(a) => self.assign_or_fail(a, s),
            StmtKind::If { guard, then, els } => self.if_stmt(guard, then, els.as_deref()),
            StmtKind::IfCase(cases) => {
                let none = quote!({ unreachable!("no case applies") });
                self.guarded(cases, none)
            }
            StmtKind::While { guard, body, .. } => {
                let body = body.as_ref().ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
                let head = match guard {
                    Guard::Expr(e) if matches!(e.kind, ExprKind::Literal(Literal::Bool(true))) => quote!(loop),
                    Guard::Expr(e) => {
                        let cond = self.value(e)?;
                        quote!(while #cond)
                    }
                    Guard::Star => quote!(while false),
                    Guard::Binding(vars) => {
                        let found = self.find(vars)?;
                        let pattern = self.found_pattern(vars);
                        quote!(while let #pattern = #found)
                    }
                };
                self.looped(s, head, |b| b.block(body, false))
            }
            StmtKind::WhileCase { cases, .. } => self.looped(s, quote!(loop), |b| {
                b.guarded(
                    cases,
                    quote!({
                        break;
                    }),
                )
            }),
            StmtKind::For { index, from, down, to, body, .. } => {
                let body = body.as_ref().ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
                let ty = self.scope.ground.program[*index].ty.clone();
                // Values, not references: the body may assign what they are taken from.
                let end = |b: &mut Self, e: &Expr| if matches!(e.kind, ExprKind::Literal(_)) { b.index(e) } else { b.value(e) };
                let from_code = end(self, from)?;
                let to_code = to.as_ref().map(|t| end(self, t)).transpose()?;
                let name = self.declare(*index, Own::Place);
                let iterator = match (self.rep(&ty), down, to_code) {
                    (Rep::Int, false, Some(to)) => {
                        let range = self.scope.runtime("range");
                        quote!(#range(#from_code, #to))
                    }
                    (Rep::Int, true, Some(to)) => {
                        let range = self.scope.runtime("range_down");
                        quote!(#range(#to, #from_code))
                    }
                    (Rep::Int, false, None) => {
                        let range = self.scope.runtime("range_from");
                        quote!(#range(#from_code))
                    }
                    (Rep::Native(_), false, Some(to)) => quote!(#from_code..#to),
                    (Rep::Native(_), true, Some(to)) => quote!((#to..#from_code).rev()),
                    _ => return Err(self.scope.unsupported(s.span, "a `for` loop of this kind")),
                };
                self.looped(s, quote!(for #name in #iterator), |b| b.block(body, false))
            }
            StmtKind::Forall { vars, body, .. } => match body {
                Some(body) => self.forall(vars, body, s),
                None => Ok(TokenStream::new()),
            },
            StmtKind::Match { scrutinee, cases } => {
                let read = mentioned(scrutinee).0;
                let changed = cases.iter().any(|c| assigned(&c.body).iter().any(|l| read.contains(l)));
                let patterns: Vec<_> = cases.iter().map(|c| &c.pattern).collect();
                let scrutinee = self.parts_or_whole(scrutinee, &patterns, changed)?;
                let used: Vec<Vec<LocalId>> = patterns.iter().map(|p| super::pattern::bound(p)).collect();
                self.matching(&scrutinee, &patterns, &used, false, &mut |body, i| match cases.get(i) {
                    Some(c) => body.block(&c.body, false),
                    None => Ok(TokenStream::new()),
                })
            }
            StmtKind::Break { is_continue, target } => self.jump(*is_continue, target, s),
            StmtKind::Return => {
                let value = self.result();
                Ok(quote!(return #value;))
            }
            StmtKind::Yield => Err(self.scope.unsupported(s.span, "`yield`")),
            StmtKind::Modify { body: Some(body), .. } => {
                let inner = self.block(body, false)?;
                Ok(quote!({ #inner }))
            }
            StmtKind::Modify { body: None, .. } => Err(self.scope.unsupported(s.span, "`modify` without a body")),
            StmtKind::Error => Err(self.scope.unsupported(s.span, "a statement that does not resolve")),
        }
    }

    fn is_string(&self, ty: &Type) -> bool {
        matches!(self.rep(ty), Rep::Seq(e) if self.rep(&e) == Rep::Char)
    }

    fn name_of(&self, local: LocalId) -> Option<Ident> {
        let tokens = self.vars.get(&local)?.receiver();
        match tokens.into_iter().next() {
            Some(TokenTree::Ident(i)) => Some(i),
            _ => None,
        }
    }

    /// A variable without a value: with its default, or to be assigned before it is read.
    pub(super) fn uninitialised(&mut self, local: LocalId) -> Translated<TokenStream> {
        let ty = self.scope.ground.program[local].ty.clone();
        let t = self.scope.rust_type(&ty)?;
        let default = self.scope.default_value(&ty)?;
        let name = self.declare(local, Own::Place);
        Ok(match default {
            Some(value) => {
                let mutable = self.mutable(local);
                quote!(let #mutable #name: #t = #value;)
            }
            None => quote!(let mut #name: #t;),
        })
    }

    fn mutable(&self, local: LocalId) -> TokenStream {
        // The assignment that declares a variable does not change it.
        let least = if self.sunk.contains(&local) { 2 } else { 1 };
        if self.mutated.get(&local).is_some_and(|&n| n >= least) { quote!(mut) } else { TokenStream::new() }
    }

    /// Notes which variables a body assigns.
    pub(super) fn count_assignments(&mut self, block: &Block) {
        for local in assigned(block) {
            *self.mutated.entry(local).or_insert(0) += 1;
        }
    }

    /// Whether the first of the statements that speaks of a variable is an assignment that can declare it. A return
    /// speaks of all out-parameters.
    pub(super) fn sinks(&self, local: LocalId, stmts: &[&Stmt], is_out: bool) -> bool {
        let speaks = |s: &Stmt| {
            let mut found = false;
            super::walk::each_expr_of_stmt(s, &mut |e| found |= matches!(&e.kind, ExprKind::Local(l) if *l == local));
            each_stmt(s, &mut |s| found |= is_out && matches!(s.kind, StmtKind::Return | StmtKind::AssignOrFail(_)));
            found || assigned(&Block { stmts: vec![s.clone()], divided_at: None, span: s.span }).contains(&local)
        };
        let Some(first) = stmts.iter().find(|s| !self.is_erased(s) && speaks(s)) else { return false };
        let StmtKind::Assign { declares, pairs } = &first.kind else { return false };
        let mut read = false;
        super::walk::each_expr_of_stmt(first, &mut |e| read |= matches!(&e.kind, ExprKind::Local(l) if *l == local));
        let all_locals = pairs.iter().all(|(t, _)| matches!(t, Target::Local(_)));
        declares.is_empty()
            && !read
            && all_locals
            && first.labels.is_empty()
            && (pairs.len() == 1 || is_out && pairs.len() == self.results_of(pairs))
    }

    /// How many of the targets are variables that are not yet declared.
    fn results_of(&self, pairs: &[(Target, Rhs)]) -> usize {
        pairs.iter().filter(|(t, _)| matches!(t, Target::Local(l) if !self.vars.contains_key(l))).count()
    }

    fn compiled_target(&self, t: &Target) -> bool {
        match t {
            Target::Local(l) => self.scope.spec || !self.scope.ground.program[*l].ghost,
            Target::Field { field, .. } => !self.scope.ground.program[*field].ghost,
            Target::Element { .. } | Target::Discard(_) => true,
        }
    }

    /// Whether an expression has the same value after any assignment.
    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::This | ExprKind::Literal(_) => true,
            ExprKind::Local(l) => !self.mutated.contains_key(l),
            _ => false,
        }
    }

    /// Evaluates what a target is in, so that the store itself evaluates nothing.
    fn store(&mut self, target: &Target, value: &TokenStream, prelude: Option<&mut TokenStream>) -> Translated<TokenStream> {
        let mut saved = TokenStream::new();
        let out = match target {
            Target::Local(l) => match self.name_of(*l) {
                Some(name) => quote!(#name = #value;),
                None => return Err(self.scope.unsupported(crate::typed::Span::default(), "an assignment of this variable")),
            },
            Target::Discard(_) => quote!(let _ = #value;),
            Target::Field { object, field } => {
                if let (ExprKind::This, Some(code)) = (&object.kind, self.unborn.get(field)) {
                    let place = code.receiver();
                    return Ok(quote!(#place = #value;));
                }
                let code = self.expr(object)?;
                let mut o = code.receiver();
                if prelude.is_some() && !self.is_fixed(object) {
                    let (name, value) = (self.make_up("object"), code.owned_value());
                    saved = quote!(let #name = #value;);
                    o = quote!(#name);
                }
                let decl = &self.scope.ground.program[*field];
                if decl.owner.is_some_and(|t| !self.is_class(t)) {
                    return Err(self.scope.unsupported(decl.span, format!("the field `{}` of a trait", decl.name)));
                }
                let name = ident(self.scope.ground.names.field(*field));
                quote!(#o.#name.set(#value);)
            }
            Target::Element { array, indices } => {
                let mut o = self.expr(array)?.receiver();
                let mut at = Vec::new();
                for index in indices {
                    let i = self.expr(index)?;
                    if prelude.is_some() && !self.is_fixed(index) {
                        let (name, value) = (self.make_up("index"), i.owned_value());
                        saved = quote!(#saved let #name = #value;);
                        at.push(quote!(#name));
                    } else {
                        at.push(self.index(index)?);
                    }
                }
                if prelude.is_some() && !self.is_fixed(array) {
                    let name = self.make_up("array");
                    saved = quote!(#saved let #name = #o.clone(););
                    o = quote!(#name);
                }
                match at.as_slice() {
                    [one] => quote!(#o.set(#one, #value);),
                    many => quote!(#o.set((#(#many),*), #value);),
                }
            }
        };
        if let Some(prelude) = prelude {
            prelude.extend(saved);
        }
        Ok(out)
    }

    fn assign(&mut self, declares: &[LocalId], pairs: &[(Target, Rhs)]) -> Translated<TokenStream> {
        let pairs: Vec<&(Target, Rhs)> = pairs.iter().filter(|(t, _)| self.compiled_target(t)).collect();
        let mut values = Vec::new();
        for (target, rhs) in &pairs {
            values.push((self.rhs(rhs, target)?, self.annotation(rhs, target)?));
        }
        let sunk: Vec<LocalId> = pairs
            .iter()
            .filter_map(|(t, _)| match t {
                Target::Local(l) if self.sunk.contains(l) && !self.vars.contains_key(l) => Some(*l),
                Target::Local(_) | Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => None,
            })
            .collect();
        let declares: Vec<LocalId> = declares.iter().copied().chain(sunk).collect();
        let declared = |t: &Target| matches!(t, Target::Local(l) if declares.contains(l));
        if let ([(target, _)], [(value, annotation)]) = (pairs.as_slice(), values.as_slice()) {
            return match target {
                Target::Local(l) if declares.contains(l) => {
                    let (mutable, name) = (self.mutable(*l), self.declare(*l, Own::Place));
                    Ok(quote!(let #mutable #name #annotation = #value;))
                }
                Target::Local(_) | Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => self.store(target, value, None),
            };
        }
        let only: Vec<&TokenStream> = values.iter().map(|(v, _)| v).collect();
        if pairs.iter().all(|(t, _)| declared(t)) {
            let mut out = TokenStream::new();
            // One after the other reads best; right if no value mentions a name that is declared before it.
            let mut names = Vec::new();
            for (t, _) in &pairs {
                if let Target::Local(l) = t {
                    let (mutable, name) = (self.mutable(*l), self.declare(*l, Own::Place));
                    names.push((mutable, name));
                }
            }
            let independent = only.iter().enumerate().all(|(i, v)| names.iter().take(i).all(|(_, n)| !mentions(v, n)));
            if independent {
                for ((mutable, name), (value, annotation)) in names.iter().zip(&values) {
                    out = quote!(#out let #mutable #name #annotation = #value;);
                }
            } else {
                let names = names.iter().map(|(m, n)| quote!(#m #n));
                out = quote!(let (#(#names),*) = (#(#only),*););
            }
            return Ok(out);
        }
        if pairs.iter().all(|(t, _)| matches!(t, Target::Local(_)) && !declared(t)) {
            let names: Vec<Ident> =
                pairs.iter().filter_map(|(t, _)| if let Target::Local(l) = t { self.name_of(*l) } else { None }).collect();
            return Ok(quote!((#(#names),*) = (#(#only),*);));
        }
        let (mut prelude, mut stores) = (TokenStream::new(), TokenStream::new());
        for ((target, _), (value, annotation)) in pairs.iter().zip(&values) {
            let temp = self.make_up("value");
            prelude = quote!(#prelude let #temp #annotation = #value;);
            let one = match target {
                Target::Local(l) if declares.contains(l) => {
                    let (mutable, name) = (self.mutable(*l), self.declare(*l, Own::Place));
                    quote!(let #mutable #name = #temp;)
                }
                Target::Local(_) | Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => {
                    self.store(target, &quote!(#temp), Some(&mut prelude))?
                }
            };
            stores = quote!(#stores #one);
        }
        Ok(quote!(#prelude #stores))
    }

    /// `: T` where the value alone does not show its type.
    fn annotation(&self, rhs: &Rhs, target: &Target) -> Translated<TokenStream> {
        let unclear = match rhs {
            Rhs::Expr(e) => !self.shows_its_type(e),
            Rhs::Havoc(_) | Rhs::New { .. } => false,
            Rhs::NewArray { .. } => true,
        };
        match target {
            Target::Local(l) if unclear => {
                let t = self.scope.rust_type(&self.scope.ground.program[*l].ty)?;
                Ok(quote!(: #t))
            }
            Target::Local(_) | Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => Ok(TokenStream::new()),
        }
    }

    fn rhs(&mut self, rhs: &Rhs, target: &Target) -> Translated<TokenStream> {
        match rhs {
            Rhs::Expr(e) => {
                if let (Rep::Param(from), Target::Local(l)) = (self.rep(&e.ty), target)
                    && self.rep(&self.scope.ground.program[*l].ty) != Rep::Param(from)
                {
                    return Err(self.scope.unsupported(e.span, "an assignment between types that only a bound relates"));
                }
                self.value(e)
            }
            Rhs::Havoc(ty) => match self.scope.default_value(ty)? {
                Some(value) => Ok(value),
                None => Err(self.scope.unsupported(crate::typed::Span::default(), "an arbitrary value of a type without a default")),
            },
            Rhs::New { ty, ctor } => {
                let Rep::Class(decl, args) = self.rep(ty) else {
                    return Err(self.scope.unsupported(crate::typed::Span::default(), "`new` of this type"));
                };
                match ctor {
                    Some(call) => self.call_of(call),
                    None => {
                        let (path, args) = (self.scope.type_path(decl), self.turbofish(&args)?);
                        Ok(quote!(#path #args::allocate()))
                    }
                }
            }
            Rhs::NewArray { elem, dims, init } => {
                let array = self.scope.array_type(dims.len() as u32)?;
                let e = self.scope.rust_type(elem)?;
                let mut lengths = Vec::new();
                for d in dims {
                    lengths.push(self.expr(&self.as_int(d))?);
                }
                match init {
                    ArrayInit::Default => {
                        if !self.scope.ground.has_default(elem) {
                            let shown = self.scope.ground.program.show_type(elem);
                            return Err(self
                                .scope
                                .unsupported(crate::typed::Span::default(), format!("an array of `{shown}` without initial values")));
                        }
                        let lengths = lengths.iter().map(Code::owned_value);
                        Ok(quote!(#array::<#e>::of_default([#(#lengths),*])))
                    }
                    ArrayInit::Function(f) => {
                        let f = self.expr(f)?.owned_value();
                        let function = self.make_up("init");
                        if let [length] = lengths.as_slice() {
                            let length = length.operand();
                            return Ok(quote!({ let #function = #f; #array::init(#length, |i| #function.call(i)) }));
                        }
                        let names: Vec<Ident> = (0..lengths.len()).map(|i| ident(&format!("i{i}"))).collect();
                        let lengths = lengths.iter().map(Code::owned_value);
                        Ok(quote!({ let #function = #f; #array::init_with([#(#lengths),*], |[#(#names),*]| #function.call(#(#names),*)) }))
                    }
                    ArrayInit::Elements(es) => {
                        let mut values = Vec::new();
                        for e in es {
                            values.push(self.value(e)?);
                        }
                        Ok(quote!(#array::<#e>::of([#(#values),*])))
                    }
                }
            }
        }
    }

    /// An expression as an `int`.
    fn as_int(&self, e: &Expr) -> Expr {
        if self.rep(&e.ty) == Rep::Int {
            return e.clone();
        }
        Expr { kind: ExprKind::Convert(Box::new(e.clone())), ty: Type::Int, span: e.span }
    }

    fn call_stmt(&mut self, declares: &[LocalId], targets: &[Target], call: &Call) -> Translated<TokenStream> {
        let callee = &self.scope.ground.program[call.callee];
        let tokens = self.call_of(call)?;
        if targets.is_empty() {
            return Ok(quote!(#tokens;));
        }
        let unnamed = |t: &Target| matches!(t, Target::Local(l) if declares.contains(l) && &*self.scope.ground.program[*l].name == "_");
        if targets.iter().all(|t| unnamed(t) || !self.compiled_target(t)) {
            return Ok(quote!(#tokens;));
        }
        let compiled: Vec<&Target> = callee
            .outs
            .iter()
            .zip(targets)
            .filter(|(o, _)| callee.ghost || !self.scope.ground.program[o.local].ghost)
            .map(|(_, t)| t)
            .collect();
        self.assign_results(declares, &compiled, tokens, false)
    }

    /// Gives the results of one expression, a tuple where there are several, to targets.
    fn assign_results(&mut self, declares: &[LocalId], targets: &[&Target], value: TokenStream, _fresh: bool) -> Translated<TokenStream> {
        match targets {
            [] => Ok(quote!(#value;)),
            [target] => match target {
                t if !self.compiled_target(t) => Ok(quote!(let _ = #value;)),
                Target::Local(l) if declares.contains(l) => {
                    let (mutable, name) = (self.mutable(*l), self.declare(*l, Own::Place));
                    Ok(quote!(let #mutable #name = #value;))
                }
                Target::Local(_) | Target::Field { .. } | Target::Element { .. } | Target::Discard(_) => self.store(target, &value, None),
            },
            many => {
                let (mut names, mut stores) = (Vec::new(), TokenStream::new());
                for target in many {
                    match target {
                        t if !self.compiled_target(t) => names.push(quote!(_)),
                        Target::Discard(_) => names.push(quote!(_)),
                        Target::Local(l) if declares.contains(l) => {
                            let (mutable, name) = (self.mutable(*l), self.declare(*l, Own::Place));
                            names.push(quote!(#mutable #name));
                        }
                        Target::Local(_) | Target::Field { .. } | Target::Element { .. } => {
                            let temp = self.make_up("value");
                            let one = self.store(target, &quote!(#temp), None)?;
                            stores = quote!(#stores #one);
                            names.push(quote!(#temp));
                        }
                    }
                }
                Ok(quote!(let (#(#names),*) = #value; #stores))
            }
        }
    }

    fn assign_or_fail(&mut self, a: &AssignOrFail, s: &Stmt) -> Translated<TokenStream> {
        let mut compute = a.compute.clone();
        let declares = match &mut compute.kind {
            StmtKind::Assign { declares, .. } | StmtKind::Call { declares, .. } | StmtKind::SuchThat { declares, .. } => Some(declares),
            _ => None,
        };
        if let Some(declares) = declares {
            if !self.vars.contains_key(&a.temp) && !declares.contains(&a.temp) {
                declares.push(a.temp);
            }
            declares.extend(a.declares.iter().filter(|l| !matches!(&a.extract, Some((Target::Local(t), _)) if t == *l)));
        }
        // Where the first target stands is settled before anything is computed.
        let (mut prelude, mut ready) = (TokenStream::new(), None);
        if let Some((target @ (Target::Field { .. } | Target::Element { .. }), _)) = &a.extract {
            let temp = self.make_up("extracted");
            let store = self.store(target, &quote!(#temp), Some(&mut prelude))?;
            ready = Some((temp, store));
        }
        let compute = self.stmt(&compute)?;
        let failed = self.value(&a.is_failure)?;
        let on_failure = match &a.on_failure {
            OnFailure::Propagate { out, value } => {
                let value = self.value(value)?;
                let alone = self.outs.as_slice() == [*out];
                if alone {
                    quote!(if #failed { return #value; })
                } else {
                    let (store, result) = (self.store(&Target::Local(*out), &value, None)?, self.result());
                    quote!(if #failed { #store return #result; })
                }
            }
            OnFailure::Expect => {
                let (halt, location) = (self.scope.runtime("halt"), self.scope.ground.sources.locate(s.span));
                let (shown, temp) = (self.scope.runtime("to_dafny_string"), self.vars.get(&a.temp).map(Code::borrowed).unwrap_or_default());
                quote!(if #failed { #halt(#shown(#temp), #location); })
            }
            OnFailure::Assert | OnFailure::Assume => TokenStream::new(),
        };
        let extract = match &a.extract {
            Some((target, e)) => {
                let value = self.value(e)?;
                match ready {
                    Some((temp, store)) => quote!(let #temp = #value; #store),
                    None => self.assign_results(&a.declares, &[target], value, false)?,
                }
            }
            None => TokenStream::new(),
        };
        Ok(quote!(#prelude #compute #on_failure #extract))
    }

    fn if_stmt(&mut self, guard: &Guard, then: &Block, els: Option<&Stmt>) -> Translated<TokenStream> {
        let found = match guard {
            Guard::Binding(vars) => Some(self.find(vars)?),
            Guard::Expr(_) | Guard::Star => None,
        };
        let head = match guard {
            Guard::Expr(e) => {
                let cond = self.value(e)?;
                quote!(if #cond)
            }
            // The one rule for choices takes the least value: false.
            Guard::Star => quote!(if false),
            Guard::Binding(vars) => {
                let pattern = self.found_pattern(vars);
                quote!(if let #pattern = #found)
            }
        };
        let then = self.block(then, false)?;
        let els = match els.filter(|e| !e.ghost) {
            None => TokenStream::new(),
            Some(e) => {
                let inner = match &e.kind {
                    StmtKind::Block(b) if e.labels.is_empty() => self.block(b, false)?,
                    _ => self.stmt(e)?,
                };
                if matches!(e.kind, StmtKind::If { .. }) && e.labels.is_empty() {
                    quote!(else #inner)
                } else if inner.is_empty() {
                    TokenStream::new()
                } else {
                    quote!(else { #inner })
                }
            }
        };
        Ok(quote!(#head { #then } #els))
    }

    fn guarded(&mut self, cases: &[GuardedCase], none: TokenStream) -> Translated<TokenStream> {
        let mut branches = Vec::new();
        for case in cases {
            let head = match &case.guard {
                Guard::Expr(e) => self.value(e)?,
                Guard::Star => quote!(true),
                Guard::Binding(vars) => {
                    let found = self.find(vars)?;
                    let pattern = self.found_pattern(vars);
                    quote!(let #pattern = #found)
                }
            };
            let body = self.block(&case.body, false)?;
            branches.push((head, body));
        }
        Ok(branches.into_iter().rev().fold(none, |rest, (head, body)| quote!(if #head { #body } else #rest)))
    }

    fn looped(&mut self, s: &Stmt, head: TokenStream, body: impl FnOnce(&mut Self) -> Translated<TokenStream>) -> Translated<TokenStream> {
        let name = self.label(&s.labels);
        self.jumps.push(Jump::Loop(s.labels.clone(), name.clone()));
        let inner = body(self);
        self.jumps.pop();
        let inner = inner?;
        if self.labels_used.contains(&name) {
            let label = lifetime(&name);
            Ok(quote!(#label: #head { #inner }))
        } else {
            Ok(quote!(#head { #inner }))
        }
    }

    /// A label in Rust: as in Dafny where it has a name.
    fn label(&mut self, labels: &[Name]) -> String {
        let word = labels.first().map_or_else(|| "outer".to_owned(), |l| snake_case(l));
        let word = if word.starts_with(|c: char| c.is_ascii_digit()) { format!("l{word}") } else { word };
        format!("{}", self.make_up(&word)).trim_start_matches("r#").to_owned()
    }

    fn jump(&mut self, is_continue: bool, target: &BreakTarget, s: &Stmt) -> Translated<TokenStream> {
        let (mut loops, mut crossed, mut found) = (0u32, false, None);
        for jump in self.jumps.iter().rev() {
            match (jump, target) {
                (Jump::Loop(labels, name) | Jump::Labelled(labels, name), BreakTarget::Label(l)) if labels.contains(l) => {
                    let innermost = loops == 0 && !crossed && matches!(jump, Jump::Loop(..));
                    found = Some((name.clone(), innermost));
                    break;
                }
                (Jump::Loop(_, name), BreakTarget::Loops(n)) => {
                    loops += 1;
                    if loops == *n {
                        found = Some((name.clone(), loops == 1 && !crossed));
                        break;
                    }
                }
                (Jump::Loop(..), BreakTarget::Label(_)) => loops += 1,
                (Jump::Block, _) | (Jump::Labelled(..), _) => crossed = true,
            }
        }
        let Some((name, plain)) = found else {
            return Err(self.scope.unsupported(s.span, "a jump out of what is around"));
        };
        let keyword = ident_word(is_continue);
        if plain {
            return Ok(quote!(#keyword;));
        }
        let label = lifetime(&name);
        self.labels_used.push(name);
        Ok(quote!(#keyword #label;))
    }

    /// `forall x | P { a[x] := e; }`: all values first, then all stores.
    fn forall(&mut self, vars: &Quantified, body: &Block, s: &Stmt) -> Translated<TokenStream> {
        let stmts = flat(&body.stmts);
        let [Stmt { kind: StmtKind::Assign { declares, pairs }, .. }] = stmts.as_slice() else {
            if stmts.is_empty() {
                return Ok(TokenStream::new());
            }
            return Err(self.scope.unsupported(s.span, "a `forall` statement with this body"));
        };
        let ([(target, Rhs::Expr(value))], true) = (pairs.as_slice(), declares.is_empty()) else {
            return Err(self.scope.unsupported(s.span, "a `forall` statement with this body"));
        };
        let updates = self.make_up("updates");
        let mut store = TokenStream::new();
        let filling = self.loops(vars, &mut |b| {
            let v = b.value(value)?;
            match target {
                Target::Element { array, indices } => {
                    let array = b.value(array)?;
                    let mut at = Vec::new();
                    for i in indices {
                        at.push(b.value(i)?);
                    }
                    let at = match at.as_slice() {
                        [one] => one.clone(),
                        many => quote!((#(#many),*)),
                    };
                    store = quote!(for (array, index, value) in #updates { array.set(index, value); });
                    Ok(quote!(#updates.push((#array, #at, #v));))
                }
                Target::Field { object, field } => {
                    let object = b.value(object)?;
                    let name = ident(b.scope.ground.names.field(*field));
                    store = quote!(for (object, value) in #updates { object.#name.set(value); });
                    Ok(quote!(#updates.push((#object, #v));))
                }
                Target::Local(_) | Target::Discard(_) => Err(b.scope.unsupported(s.span, "a `forall` statement with this body")),
            }
        })?;
        Ok(quote!({ let mut #updates = std::vec::Vec::new(); #filling #store }))
    }
}

/// The compiled statements, with blocks that declare nothing opened.
pub(super) fn flat(stmts: &[Stmt]) -> Vec<&Stmt> {
    let mut out = Vec::new();
    for s in stmts {
        match &s.kind {
            _ if s.ghost => {}
            StmtKind::Block(b) if s.labels.is_empty() && !declares(b) => out.extend(flat(&b.stmts)),
            StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Reveal(_) | StmtKind::Calc { .. } => {}
            _ => out.push(s),
        }
    }
    out
}

/// Whether the block itself declares a variable.
fn declares(b: &Block) -> bool {
    b.stmts.iter().any(|s| {
        let mut found = false;
        each_stmt(s, &mut |s| {
            found |= match &s.kind {
                StmtKind::VarDecl(_) | StmtKind::AssignPattern { .. } => true,
                StmtKind::Assign { declares, .. } | StmtKind::Call { declares, .. } | StmtKind::SuchThat { declares, .. } => {
                    !declares.is_empty()
                }
                StmtKind::AssignOrFail(_) => true,
                _ => false,
            };
        });
        found
    })
}

fn ident_word(is_continue: bool) -> TokenStream {
    if is_continue { quote!(continue) } else { quote!(break) }
}

/// Whether the tokens mention an identifier.
pub(super) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
