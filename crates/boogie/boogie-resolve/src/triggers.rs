//! Triggers: their permitted form, and the variables that they must mention.

use boogie_syntax::ast::{self, ExprKind as P};
use dafny_source::Span;

use crate::checker::Checker;
use crate::typed::{Expr, ExprKind, Type, TypeVar, VarId};
use crate::unify::free_type_vars;

impl Checker<'_> {
    /// Resolves the triggers of a quantifier; negative ones are checked and omitted.
    pub(crate) fn triggers(
        &mut self,
        triggers: &[(bool, Vec<ast::Expr>, Span)],
        vars: &[VarId],
        types: &[TypeVar],
    ) -> Vec<Vec<Expr>> {
        let mut out = Vec::new();
        for (is_positive, parts, span) in triggers {
            let before = std::mem::replace(&mut self.in_trigger, true);
            let mut typed = Vec::new();
            for part in parts {
                self.trigger_shape(part, true);
                typed.push(self.expr(part));
            }
            self.in_trigger = before;
            if *is_positive {
                self.mentions_all(&typed, vars, types, *span);
                out.push(typed);
            }
        }
        out
    }

    /// Checks that a trigger contains no boolean operators, comparisons or quantifiers.
    fn trigger_shape(&mut self, e: &ast::Expr, is_top: bool) {
        // A pattern is built from functions, constants and arithmetic; the solver interprets
        // everything else.
        match &e.kind {
            P::Ident(name) if is_top => {
                self.name_error(e.span, format!("`{name}` alone is not a pattern"))
            }
            P::Not(_) => self.name_error(e.span, "boolean operators are not allowed in triggers"),
            P::Binary(op, a, b, at) => {
                use ast::BinOp as B;
                match op {
                    B::Iff | B::Implies | B::And | B::Or => {
                        self.name_error(*at, "boolean operators are not allowed in triggers")
                    }
                    B::Eq | B::Ne => self.name_error(*at, "equality is not allowed in triggers"),
                    B::Lt | B::Le | B::Gt | B::Ge => {
                        self.name_error(*at, "comparisons of numbers are not allowed in triggers")
                    }
                    B::Below
                    | B::Concat
                    | B::Add
                    | B::Sub
                    | B::Mul
                    | B::Div
                    | B::Mod
                    | B::RealDiv
                    | B::Pow => {
                        self.trigger_shape(a, false);
                        self.trigger_shape(b, false);
                    }
                }
            }
            P::Call(_, args) => args.iter().for_each(|a| self.trigger_shape(a, false)),
            P::Select(m, args, _) => {
                self.trigger_shape(m, false);
                args.iter().for_each(|a| self.trigger_shape(a, false));
            }
            P::Store(m, args, v, _) => {
                self.trigger_shape(m, false);
                args.iter().for_each(|a| self.trigger_shape(a, false));
                self.trigger_shape(v, false);
            }
            P::Neg(a)
            | P::Old(a)
            | P::ToInt(a)
            | P::ToReal(a)
            | P::Coerce(a, _)
            | P::Extract(a, ..)
            | P::Field(a, _)
            | P::Is(a, _) => {
                self.trigger_shape(a, false);
            }
            P::If(a, b, c) => [a, b, c]
                .into_iter()
                .for_each(|x| self.trigger_shape(x, false)),
            P::FieldUpdate(a, _, b) => [a, b]
                .into_iter()
                .for_each(|x| self.trigger_shape(x, false)),
            P::Bool(_)
            | P::Int(_)
            | P::Real(_)
            | P::Bv(..)
            | P::Float(_)
            | P::Rounding(_)
            | P::String(_)
            | P::Ident(_) => {}
            P::Quantifier(_) | P::Let(..) | P::Code(_) => {}
        }
    }

    fn mentions_all(&mut self, parts: &[Expr], vars: &[VarId], types: &[TypeVar], span: Span) {
        let (mut seen, mut seen_types) = (Vec::new(), Vec::new());
        for part in parts {
            mentioned(part, &mut seen, &mut |ty| {
                free_type_vars(&self.inference.known(ty, None), &mut seen_types)
            });
        }
        for v in vars {
            if !seen.contains(v) {
                let name = self.program.var(*v).name.clone();
                self.name_error(span, format!("the trigger does not mention `{name}`"));
            }
        }
        let by_variables: Vec<Type> = vars
            .iter()
            .map(|v| self.program.var(*v).ty.clone())
            .collect();
        by_variables
            .iter()
            .for_each(|t| free_type_vars(t, &mut seen_types));
        for t in types {
            if !seen_types.contains(t) {
                let name = self
                    .program
                    .type_vars
                    .get(t.0 as usize)
                    .cloned()
                    .unwrap_or_else(|| "_".into());
                self.name_error(
                    span,
                    format!("the trigger does not mention the type `{name}`"),
                );
            }
        }
    }
}

fn mentioned(e: &Expr, vars: &mut Vec<VarId>, types: &mut impl FnMut(&Type)) {
    types(&e.ty);
    let mut all = |es: &[&Expr]| es.iter().for_each(|x| mentioned(x, vars, types));
    match &e.kind {
        ExprKind::Var(v) => vars.push(*v),
        ExprKind::Literal(_) | ExprKind::Code => {}
        ExprKind::Call(_, _, args) => all(&args.iter().collect::<Vec<_>>()),
        ExprKind::Old(a)
        | ExprKind::ToInt(a)
        | ExprKind::ToReal(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a) => all(&[a]),
        ExprKind::Extract(a, ..) | ExprKind::Field(a, _) | ExprKind::Is(a, _) => all(&[a]),
        ExprKind::Quantifier(q) => all(&[&q.body]),
        ExprKind::Let(_, values, body) => {
            all(&values.iter().collect::<Vec<_>>());
            mentioned(body, vars, types);
        }
        ExprKind::If(a, b, c) => all(&[a, b, c]),
        ExprKind::Binary(_, a, b) | ExprKind::FieldUpdate(a, _, b) => all(&[a, b]),
        ExprKind::Select(m, _, args) => {
            all(&[m]);
            args.iter().for_each(|x| mentioned(x, vars, types));
        }
        ExprKind::Store(m, _, args, v) => {
            all(&[m, v]);
            args.iter().for_each(|x| mentioned(x, vars, types));
        }
    }
}
