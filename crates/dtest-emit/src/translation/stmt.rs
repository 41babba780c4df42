//! Translates typed statements. Ghost statements are left out.

use super::body::Body;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::jumps::Jump;
use super::rep::Rep;
use super::walk::{assigned, each_stmt, mentioned};
use crate::rust::{self, LoopHead, Stmts, expr, stmts};
use dafny_resolve::typed::{
    Block, Expr, ExprKind, Literal, LocalId, Pattern, Rhs, Stmt, StmtCase, StmtKind, Target, Type,
};

impl Body<'_, '_, '_> {
    /// Translates a block to statements without braces. At the end of a callable (`last`), a
    /// `return` becomes the value itself.
    pub(super) fn block(&mut self, block: &Block, last: bool) -> Translated<Stmts> {
        self.stmts(&block.stmts, last)
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt], last: bool) -> Translated<Stmts> {
        let compiled: Vec<&Stmt> = flat(stmts)
            .into_iter()
            .filter(|s| !self.scope.is_erased(s))
            .collect();
        let mut out = Vec::new();
        let mut i = 0;
        while let Some(s) = compiled.get(i) {
            // A variable is declared at its first mention if that is an assignment.
            if let StmtKind::VarDecl(locals) = &s.kind {
                let later = compiled.get(i + 1..).unwrap_or(&[]);
                let sunk: Vec<LocalId> = locals
                    .iter()
                    .copied()
                    .filter(|&l| self.sinks(l, later, false))
                    .collect();
                self.vars.sink(sunk);
                for &l in locals {
                    self.refuse_unassigned(l, later)?;
                }
            }
            // A recursive call at the end becomes the next iteration of the loop around the body.
            let is_last = last && i + 1 == compiled.len();
            let next_returns = compiled
                .get(i + 1)
                .is_some_and(|n| matches!(n.kind, StmtKind::Return));
            if (next_returns || is_last)
                && let Some(round) = self.end_of_method(s)?
            {
                out.extend(round);
                i += if next_returns { 2 } else { 1 };
                continue;
            }
            // An assignment to the results before `return` becomes the value of the function.
            let is_value = self.end.looping.is_none();
            let at_end = is_value && last && i + 2 >= compiled.len();
            if let (true, Some(values)) = (next_returns, self.returned(s)?) {
                out.extend(if at_end {
                    stmts!(#values)
                } else {
                    stmts!(return #values;)
                });
                i += 2;
                continue;
            }
            // `return` is omitted at the end.
            if matches!(s.kind, StmtKind::Return) {
                let ends = is_value && is_last;
                out.extend(if ends {
                    self.result().map(rust::Stmt::Value)
                } else {
                    Some(self.return_result())
                });
            } else {
                self.end.is_next = !is_value && (is_last || next_returns);
                out.extend(self.stmt(s)?);
            }
            i += 1;
        }
        Ok(out)
    }

    /// Returns the values of an assignment directly before a `return` that assigns all
    /// out-parameters in order.
    pub(super) fn returned(&mut self, s: &Stmt) -> Translated<Option<rust::Expr>> {
        let StmtKind::Assign { declares, pairs } = &s.kind else {
            return Ok(None);
        };
        // Any other compiled target would be lost, such as the field in `x, r := 1, true; return;`.
        let mut results: Vec<(LocalId, &Expr)> = Vec::new();
        for (target, rhs) in pairs.iter().filter(|(t, _)| self.scope.compiled_target(t)) {
            let (Target::Local(l), Rhs::Expr(e)) = (target, rhs) else {
                return Ok(None);
            };
            results.push((*l, e));
        }
        let pairs = results;
        let all = !self.end.outs.is_empty()
            && pairs.len() == self.end.outs.len()
            && pairs.iter().zip(&self.end.outs).all(|((l, _), o)| l == o);
        if !declares.is_empty() || !all {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (_, e) in pairs {
            values.push(self.value(e)?);
        }
        Ok(Some(rust::Expr::one_or_tuple(values)))
    }

    /// Rejects a variable without an initial value that is read first: Dafny uses an arbitrary
    /// value, Rust has none.
    fn refuse_unassigned(&self, local: LocalId, later: &[&Stmt]) -> Translated<()> {
        let decl = &self.scope.ground.program[local];
        if self.vars.is_sunk(local)
            || decl.ghost && !self.scope.spec
            || self.scope.default_value(&decl.ty)?.is_some()
        {
            return Ok(());
        }
        // Only the statements up to the first one that mentions the variable are examined: a plain
        // one that reads it certainly reads it unassigned.
        for s in later {
            let mut reads = false;
            super::walk::each_expr_of_stmt(s, &mut |e| {
                reads |= matches!(&e.kind, ExprKind::Local(l) if *l == local)
            });
            let is_plain = matches!(
                s.kind,
                StmtKind::Assign { .. } | StmtKind::Print(_) | StmtKind::Expect { .. }
            );
            if reads && is_plain {
                return Err(self.scope.unsupported(
                    s.span,
                    format!("the value of the unassigned `{}`", decl.name),
                ));
            }
            let block = Block {
                stmts: vec![(*s).clone()],
                divided_at: None,
                division: None,
                span: s.span,
            };
            if reads || super::walk::assigned(&block).contains(&local) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the out-parameters as a callable's result, if it has one.
    pub(super) fn result(&self) -> Option<rust::Expr> {
        if let Some(this) = &self.end.constructed {
            return Some(this.clone());
        }
        let names: Vec<rust::Expr> = self
            .end
            .outs
            .iter()
            .filter_map(|o| self.vars.get(*o))
            .map(Code::receiver)
            .collect();
        (!names.is_empty()).then(|| rust::Expr::one_or_tuple(names))
    }

    /// Writes `return result;`.
    pub(super) fn return_result(&self) -> rust::Stmt {
        rust::Stmt::Run(rust::Expr::Return(self.result().map(Box::new)))
    }

    /// Translates a statement.
    pub(super) fn stmt(&mut self, s: &Stmt) -> Translated<Stmts> {
        if self.scope.is_erased(s) {
            return Ok(Vec::new());
        }
        let is_loop = matches!(
            s.kind,
            StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
        );
        if s.labels.is_empty() || is_loop {
            return self.unlabelled(s);
        }
        let name = self.label(&s.labels);
        let inner = self.with_jump(Jump::Labelled(s.labels.clone(), name.clone()), |b| {
            b.unlabelled(s)
        })?;
        if !self.jumps.is_used(&name) {
            return Ok(inner);
        }
        Ok(stmts!(#'name: { #..inner }))
    }

    pub(super) fn unlabelled(&mut self, s: &Stmt) -> Translated<Stmts> {
        let at_end = std::mem::take(&mut self.end.is_next);
        match &s.kind {
            StmtKind::Block(b) => {
                let inner = self.block(b, at_end)?;
                Ok(stmts!({ #..inner }))
            }
            StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. } => Ok(Vec::new()),
            StmtKind::Expect { cond, message } => self.expect(cond, message.as_ref(), s),
            StmtKind::Print(args) => self.print(args),
            StmtKind::VarDecl(locals) => self.declaration(locals),
            StmtKind::Assign { declares, pairs } => self.assign(declares, pairs),
            StmtKind::AssignPattern { pattern, value } => self.assign_pattern(pattern, value),
            StmtKind::Call {
                declares,
                targets,
                call,
            } => self.call_stmt(declares, targets, call),
            StmtKind::SuchThat {
                declares,
                targets,
                vars,
                ..
            } => {
                let found = self.such_that(vars)?;
                self.assign_results(declares, &targets.iter().collect::<Vec<_>>(), found, true)
            }
            StmtKind::AssignOrFail(a) => self.assign_or_fail(a, s),
            StmtKind::If { guard, then, els } => self.if_stmt(guard, then, els.as_deref(), at_end),
            StmtKind::IfCase(cases) => {
                let none = expr!({ unreachable!("no case applies") });
                self.guarded(cases, none, at_end)
            }
            StmtKind::While { guard, body, .. } => self.while_loop(guard, body.as_ref(), s),
            StmtKind::WhileCase { cases, .. } => self.looped(s, LoopHead::Always, |b| {
                b.guarded(
                    cases,
                    expr!({
                        break;
                    }),
                    false,
                )
            }),
            StmtKind::For { .. } => self.for_loop(s),
            StmtKind::Forall { vars, body, .. } => match body {
                Some(body) => self.forall(vars, body, s),
                None => Ok(Vec::new()),
            },
            StmtKind::Match { scrutinee, cases } => self.match_stmt(scrutinee, cases, at_end),
            StmtKind::Break {
                is_continue,
                target,
            } => self.jump(*is_continue, target, s),
            StmtKind::Return => Ok(vec![self.return_result()]),
            StmtKind::Yield => {
                let suspend = self.scope.runtime("suspend");
                Ok(stmts!(#suspend().await;))
            }
            StmtKind::Modify {
                body: Some(body), ..
            } => {
                let inner = self.block(body, false)?;
                Ok(stmts!({ #..inner }))
            }
            // Any values are allowed, so the present ones stay.
            StmtKind::Modify { body: None, .. } => Ok(Vec::new()),
            StmtKind::Error => Err(self
                .scope
                .unsupported(s.span, "a statement that does not resolve")),
        }
    }

    /// Declares the compiled variables that no assignment declares.
    fn declaration(&mut self, locals: &[LocalId]) -> Translated<Stmts> {
        let mut out = Vec::new();
        for &l in locals {
            if self.vars.is_sunk(l) {
                continue;
            }
            if self.scope.spec || !self.scope.ground.program[l].ghost {
                out.push(self.uninitialised(l)?);
            }
        }
        Ok(out)
    }

    fn assign_pattern(&mut self, pattern: &Pattern, value: &Expr) -> Translated<Stmts> {
        let code = self.expr(value)?;
        let vars = super::pattern::bound(pattern);
        let mut out = self.let_pattern(pattern, &code, &vars, self.copy(&value.ty), false)?;
        // A pattern may bind references; a variable that is assigned needs a value of its own.
        for name in vars
            .iter()
            .filter(|v| self.vars.is_assigned(**v))
            .filter_map(|v| self.name_of(*v))
        {
            out.extend(stmts!(let mut #name = #name;));
        }
        Ok(out)
    }

    fn match_stmt(
        &mut self,
        scrutinee: &Expr,
        cases: &[StmtCase],
        at_end: bool,
    ) -> Translated<Stmts> {
        // A case that assigns a variable of the scrutinee must not borrow from it.
        let read = mentioned(scrutinee).0;
        let changed = cases
            .iter()
            .any(|c| assigned(&c.body).iter().any(|l| read.contains(l)));
        let patterns: Vec<_> = cases.iter().map(|c| &c.pattern).collect();
        let scrutinee = self.parts_or_whole(scrutinee, &patterns, changed)?;
        let used: Vec<Vec<LocalId>> = patterns.iter().map(|p| super::pattern::bound(p)).collect();
        let mut write = |body: &mut Self, i: usize| match cases.get(i) {
            Some(c) => {
                let mut inner = body.own_pattern_variables(&c.pattern);
                inner.extend(body.block(&c.body, at_end)?);
                Ok(inner)
            }
            None => Ok(Vec::new()),
        };
        let found = self.matching(scrutinee, &patterns, &used, false, &mut write)?;
        Ok(stmts!(#found))
    }

    /// Writes separate variables for the variables of a case's pattern that its body assigns.
    fn own_pattern_variables(&mut self, pattern: &Pattern) -> Stmts {
        let mut out = Vec::new();
        for v in super::pattern::bound(pattern) {
            if let Some(code) = self
                .vars
                .get(v)
                .filter(|_| self.vars.is_assigned(v))
                .cloned()
            {
                let value = code.owned_value();
                let name = self.declare(v, Own::Place);
                out.extend(stmts!(let mut #name = #value;));
            }
        }
        out
    }

    /// Translates `expect cond, message;`, which halts if the condition is false.
    fn expect(&mut self, cond: &Expr, message: Option<&Expr>, s: &Stmt) -> Translated<Stmts> {
        // The message is printed as it is if it is a string; other values are converted.
        let location = self.scope.ground.sources.locate_as_dafny(s.span);
        let halt = self.scope.runtime("halt");
        let message = match message {
            Some(m) if matches!(&m.kind, ExprKind::Literal(Literal::String(_))) => {
                let text: String = if let ExprKind::Literal(Literal::String(cs)) = &m.kind {
                    cs.iter().filter_map(|&c| char::from_u32(c)).collect()
                } else {
                    String::new()
                };
                text.into()
            }
            Some(m) if self.scope.is_string(&m.ty) => {
                let m = self.expr(m)?.receiver();
                expr!(#m.text())
            }
            Some(m) => {
                let (m, shown) = (
                    self.expr(m)?.borrowed(),
                    self.scope.runtime("to_dafny_string"),
                );
                expr!(#shown(#m))
            }
            None => expr!("expectation violation"),
        };
        let cond = self.value(cond)?;
        Ok(stmts!(if !#cond { #halt(#message, #location); }))
    }

    /// Translates `print a, b;`.
    fn print(&mut self, args: &[Expr]) -> Translated<Stmts> {
        let mut shown = Vec::new();
        for a in args {
            let value = self.expr(a)?;
            shown.push(if self.scope.is_string(&a.ty) {
                let (text, value) = (self.scope.runtime("Text"), value.borrowed());
                expr!(#text(#value))
            } else {
                value.looked_at()
            });
        }
        Ok(stmts!(dafny_print!(#..shown);))
    }
}

impl Scope<'_, '_> {
    /// Whether a statement does not exist at run time: it is ghost, or calls a lemma or ghost
    /// method.
    pub(super) fn is_erased(&self, s: &Stmt) -> bool {
        s.ghost
            || matches!(&s.kind, StmtKind::Call { call, .. } if self.ground.program[call.callee].ghost)
    }

    pub(super) fn is_string(&self, ty: &Type) -> bool {
        matches!(self.rep(ty), Rep::Seq(e) if self.rep(&e) == Rep::Char)
    }
}

/// Returns the compiled statements; blocks that declare nothing are flattened.
pub(super) fn flat(stmts: &[Stmt]) -> Vec<&Stmt> {
    let mut out = Vec::new();
    for s in stmts {
        let has_no_effect = matches!(
            s.kind,
            StmtKind::Assert { .. }
                | StmtKind::Assume(_)
                | StmtKind::Reveal(_)
                | StmtKind::Calc { .. }
        );
        if s.ghost || has_no_effect {
            continue;
        }
        if let StmtKind::Block(b) = &s.kind
            && s.labels.is_empty()
            && !declares(b)
        {
            out.extend(flat(&b.stmts));
        } else {
            out.push(s);
        }
    }
    out
}

/// Whether the block itself declares a variable.
fn declares(b: &Block) -> bool {
    b.stmts.iter().any(|s| {
        let mut found = false;
        each_stmt(s, &mut |s| {
            found |= if let StmtKind::Assign { declares, .. }
            | StmtKind::Call { declares, .. }
            | StmtKind::SuchThat { declares, .. } = &s.kind
            {
                !declares.is_empty()
            } else {
                matches!(
                    s.kind,
                    StmtKind::VarDecl(_)
                        | StmtKind::AssignPattern { .. }
                        | StmtKind::AssignOrFail(_)
                )
            };
        });
        found
    })
}
