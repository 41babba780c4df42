//! Declarations of variables: `var x: T := e;` and its other forms.

use crate::typed::{ExprKind, Literal, LocalId, Rhs, Stmt, StmtKind, Target, Type};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::binders::quantified_over;
use super::expr::{boxed, mk};
use super::stmt::stmt;
use super::{Pass, Resolver};

impl Resolver<'_> {
    pub(super) fn var_decl(&mut self, d: &ast::VarDecl, span: Span, out: &mut Vec<Stmt>) {
        // Omitted types become inference variables, which the initial values bind.
        let types: Vec<Type> = d
            .vars
            .iter()
            .map(|v| match &v.ty {
                Some(t) => {
                    let ty = self.ty(t);
                    self.cx.declared_with(v.name.span, t.span);
                    ty
                }
                None => self.fresh(),
            })
            .collect();
        // Called after the right-hand sides are resolved: these do not see the new variables.
        let declare = |r: &mut Self| -> Vec<LocalId> {
            let locals: Vec<LocalId> = d
                .vars
                .iter()
                .zip(&types)
                .map(|(v, t)| r.declare(&v.name, t.clone(), d.ghost, true))
                .collect();
            d.vars.iter().for_each(|v| r.attributes(&v.attributes));
            for (v, local) in d.vars.iter().zip(&locals) {
                r.cx.program[*local].inferred = v.ty.is_none();
                if is_assumption(v) {
                    r.assumption(*local, v.name.span);
                }
            }
            locals
        };
        match &d.init {
            None => {
                let locals = declare(self);
                self.uninitialized(d, locals, span, out);
            }
            Some(ast::Assign::Rhs(rhs)) => {
                let rights = self.rights(rhs, &types);
                let locals = declare(self);
                let targets = locals
                    .iter()
                    .zip(&types)
                    .map(|(l, t)| (Target::Local(*l), t.clone()))
                    .collect();
                let place = d.vars.last().map_or(span, |v| v.name.span);
                self.assign(locals, targets, rights, place, span, out);
            }
            Some(ast::Assign::SuchThat { assume, cond }) => {
                let mark = self.st.scope.open();
                // The condition sees the new values, as bound variables with the names of the
                // targets.
                let bound: Vec<LocalId> = d
                    .vars
                    .iter()
                    .zip(&types)
                    .map(|(v, t)| self.stand_for(&v.name, t.clone(), d.ghost))
                    .collect();
                let cond = self.condition(cond);
                self.st.scope.close(mark);
                let locals = declare(self);
                let targets = locals.iter().map(|l| Target::Local(*l)).collect();
                let vars = quantified_over(bound, Some(boxed(cond)), span);
                out.push(stmt(
                    StmtKind::SuchThat {
                        declares: locals,
                        targets,
                        vars,
                        assume: *assume,
                    },
                    span,
                ));
            }
            Some(ast::Assign::Failure { keyword, rhs }) => {
                let failing = self.failing(rhs, &types, d.vars.len());
                let locals = declare(self);
                let targets = locals
                    .iter()
                    .zip(&types)
                    .map(|(l, t)| (Target::Local(*l), t.clone()))
                    .collect();
                self.assign_or_fail(locals, targets, *keyword, failing, span, out);
            }
        }
    }

    /// Declares variables without initial values.
    fn uninitialized(
        &mut self,
        d: &ast::VarDecl,
        locals: Vec<LocalId>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        // An assumption variable without an initial value starts as `true`.
        let (assumptions, plain): (Vec<_>, Vec<_>) = d
            .vars
            .iter()
            .zip(locals)
            .partition(|(v, _)| is_assumption(v));
        if !plain.is_empty() {
            out.push(stmt(
                StmtKind::VarDecl(plain.into_iter().map(|(_, l)| l).collect()),
                span,
            ));
        }
        for (_, local) in assumptions {
            let yes = mk(ExprKind::Literal(Literal::Bool(true)), Type::Bool, span);
            out.push(stmt(
                StmtKind::Assign {
                    declares: vec![local],
                    pairs: vec![(Target::Local(local), Rhs::Expr(yes))],
                },
                span,
            ));
        }
    }

    /// Registers a variable with `{:assumption}`. These are allowed in methods only.
    fn assumption(&mut self, local: LocalId, span: Span) {
        let in_method = self
            .st
            .callable
            .is_some_and(|c| !self.cx.program[c].kind.is_function());
        if in_method {
            self.cx.variables.assumptions.insert(local);
        } else {
            let d = Diagnostic::error(
                "resolve/assumption",
                span,
                "an assumption variable can be declared only in a method",
            );
            self.cx.diagnostics.push_in(Pass::Ghost, d);
        }
    }
}

/// Whether the variable is an assumption variable, which is initially true (reference manual,
/// 11.3.1).
fn is_assumption(v: &ast::LocalVar) -> bool {
    v.attributes
        .iter()
        .any(|a| !a.at && &*a.name.name == "assumption")
}
