//! Typed statements → Rust. Ghost statements are left out.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::Body;
use super::code::{Code, Own, lifetime};
use super::control::Jump;
use super::convention::Translated;
use super::rep::Rep;
use super::rust::marks;
use super::walk::{assigned, each_stmt, mentioned};
use dafny_resolve::typed::{Block, Expr, ExprKind, Literal, LocalId, Pattern, Rhs, Stmt, StmtKind, Target, Type};

impl Body<'_, '_, '_> {
    /// A block's statements without braces. At the end of a callable (`last`), a return is the value itself.
    pub(super) fn block(&mut self, block: &Block, last: bool) -> Translated<TokenStream> {
        self.stmts(&block.stmts, last)
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt], last: bool) -> Translated<TokenStream> {
        let compiled: Vec<&Stmt> = flat(stmts).into_iter().filter(|s| !self.is_erased(s)).collect();
        let mut out = TokenStream::new();
        let mut i = 0;
        while let Some(s) = compiled.get(i) {
            if let StmtKind::VarDecl(locals) = &s.kind {
                let later = compiled.get(i + 1..).unwrap_or(&[]);
                let sunk: Vec<LocalId> = locals.iter().copied().filter(|&l| self.sinks(l, later, false)).collect();
                self.sunk.extend(sunk);
                for &l in locals {
                    self.refuse_unassigned(l, later)?;
                }
            }
            let is_last = last && i + 1 == compiled.len();
            let next_returns = compiled.get(i + 1).is_some_and(|n| matches!(n.kind, StmtKind::Return));
            if (next_returns || is_last)
                && let Some(round) = self.end_of_method(s)?
            {
                out.extend(round);
                i += if next_returns { 2 } else { 1 };
                continue;
            }
            let is_value = self.looping.is_none();
            let at_end = is_value && last && i + 2 >= compiled.len();
            if let (true, Some(values)) = (next_returns, self.returned(s)?) {
                out = if at_end { quote!(#out #values) } else { quote!(#out return #values;) };
                i += 2;
                continue;
            }
            if matches!(s.kind, StmtKind::Return) {
                let value = self.result();
                let ends = is_value && is_last;
                out = if ends { quote!(#out #value) } else { quote!(#out return #value;) };
            } else {
                self.at_end = !is_value && (is_last || next_returns);
                let one = self.stmt(s)?;
                out = quote!(#out #one);
            }
            i += 1;
        }
        Ok(out)
    }

    /// The values that an assignment just before a `return` gives to all out-parameters, in their order.
    pub(super) fn returned(&mut self, s: &Stmt) -> Translated<Option<TokenStream>> {
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

    /// Refuses a variable without an initial value whose first mention reads it: Dafny takes any value there, Rust none.
    fn refuse_unassigned(&self, local: LocalId, later: &[&Stmt]) -> Translated<()> {
        let decl = &self.scope.ground.program[local];
        if self.sunk.contains(&local) || decl.ghost && !self.scope.spec || self.scope.default_value(&decl.ty)?.is_some() {
            return Ok(());
        }
        for s in later {
            let mut reads = false;
            super::walk::each_expr_of_stmt(s, &mut |e| reads |= matches!(&e.kind, ExprKind::Local(l) if *l == local));
            let is_plain = matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Print(_) | StmtKind::Expect { .. });
            if reads && is_plain {
                return Err(self.scope.unsupported(s.span, format!("the value of `{}`, which nothing was assigned to", decl.name)));
            }
            let block = Block { stmts: vec![(*s).clone()], divided_at: None, span: s.span };
            if reads || super::walk::assigned(&block).contains(&local) {
                break;
            }
        }
        Ok(())
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

    pub(super) fn unlabelled(&mut self, s: &Stmt) -> Translated<TokenStream> {
        let at_end = std::mem::take(&mut self.at_end);
        match &s.kind {
            StmtKind::Block(b) => {
                let inner = self.block(b, at_end)?;
                Ok(quote!({ #inner }))
            }
            StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Reveal(_) | StmtKind::Calc { .. } => Ok(TokenStream::new()),
            StmtKind::Expect { cond, message } => self.expect(cond, message.as_ref(), s),
            StmtKind::Print(args) => self.print(args),
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
            StmtKind::If { guard, then, els } => self.if_stmt(guard, then, els.as_deref(), at_end),
            StmtKind::IfCase(cases) => {
                let none = quote!({ unreachable!("no case applies") });
                self.guarded(cases, none, at_end)
            }
            StmtKind::While { guard, body, .. } => self.while_loop(guard, body.as_ref(), s),
            StmtKind::WhileCase { cases, .. } => self.looped(s, quote!(loop), |b| {
                b.guarded(
                    cases,
                    quote!({
                        break;
                    }),
                    false,
                )
            }),
            StmtKind::For { .. } => self.for_loop(s),
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
                    Some(c) => {
                        let own = body.own_pattern_variables(&c.pattern);
                        let inner = body.block(&c.body, at_end)?;
                        Ok(quote!(#own #inner))
                    }
                    None => Ok(TokenStream::new()),
                })
            }
            StmtKind::Break { is_continue, target } => self.jump(*is_continue, target, s),
            StmtKind::Return => {
                let value = self.result();
                Ok(quote!(return #value;))
            }
            StmtKind::Yield => {
                let suspend = self.scope.runtime("suspend");
                Ok(quote!(#suspend().await;))
            }
            StmtKind::Modify { body: Some(body), .. } => {
                let inner = self.block(body, false)?;
                Ok(quote!({ #inner }))
            }
            // Any values will do: those that are there.
            StmtKind::Modify { body: None, .. } => Ok(TokenStream::new()),
            StmtKind::Error => Err(self.scope.unsupported(s.span, "a statement that does not resolve")),
        }
    }

    /// The variables of a case's pattern that its body assigns, as variables of their own.
    fn own_pattern_variables(&mut self, pattern: &Pattern) -> TokenStream {
        let mut out = TokenStream::new();
        for v in super::pattern::bound(pattern) {
            if let Some(code) = self.vars.get(&v).filter(|_| self.mutated.contains_key(&v)).cloned() {
                let value = code.owned_value();
                let name = self.declare(v, Own::Place);
                out = quote!(#out let mut #name = #value;);
            }
        }
        out
    }

    /// `expect cond, message;`: halts where it does not hold.
    fn expect(&mut self, cond: &Expr, message: Option<&Expr>, s: &Stmt) -> Translated<TokenStream> {
        let location = self.scope.ground.sources.locate_as_dafny(s.span);
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

    /// `print a, b;`.
    fn print(&mut self, args: &[Expr]) -> Translated<TokenStream> {
        let mut shown = Vec::new();
        for a in args {
            let value = self.expr(a)?.looked_at();
            shown.push(if self.is_string(&a.ty) { marks::with_word("text", &value) } else { value });
        }
        Ok(quote!(dafny_print!(#(#shown),*);))
    }

    pub(super) fn is_string(&self, ty: &Type) -> bool {
        matches!(self.rep(ty), Rep::Seq(e) if self.rep(&e) == Rep::Char)
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
