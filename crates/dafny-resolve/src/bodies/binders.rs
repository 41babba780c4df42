//! Expressions with bound variables: quantifiers, comprehensions, lambdas, and `var` expressions
//! (`:=`, `:|` and `:-`).

use crate::typed::{
    ArrowKind, BinaryOp, CallableKind, Expr, ExprKind, Lambda, LetOrFail, LocalId, Quantified,
    Spec, Type,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::expr::{boxed, conjoin, mk};
use super::pattern::{Binding, Depth};
use super::{Pending, Resolver};

/// Bound variables with a range. The bounds are discovered later, when all types are final.
pub(super) fn quantified_over(
    vars: Vec<LocalId>,
    range: Option<Box<Expr>>,
    span: Span,
) -> Quantified {
    Quantified {
        vars,
        range,
        bounds: None,
        span,
    }
}

impl Resolver<'_> {
    /// Declares bound variables and resolves their domains and ranges. The variables stay in scope
    /// for the body.
    pub(super) fn quantified(&mut self, q: &ast::QuantifiedVars, span: Span) -> Quantified {
        let (mut vars, mut range) = (Vec::new(), Vec::new());
        for v in &q.vars {
            let ty = match &v.ty {
                Some(t) => self.ty(t),
                None => self.fresh(),
            };
            // The domain does not see the variable, whose type it determines if none is written.
            let domain = v.domain.as_ref().map(|d| self.expr(d, None));
            if let Some(d) = &domain {
                let domain = self.representation(&d.ty);
                if let Type::Seq(e)
                | Type::Set { elem: e, .. }
                | Type::Multiset(e)
                | Type::Map { key: e, .. } = domain
                {
                    if v.ty.is_some() {
                        self.comparable_types(&e, &ty, d.span);
                    } else {
                        self.flow(&e, &ty);
                    }
                } else if self.st.inf.is_unbound(&domain) {
                    self.st.pending.push(Pending::In {
                        elem: ty.clone(),
                        collection: d.ty.clone(),
                        span: d.span,
                    });
                } else if domain != Type::Error {
                    let message = format!(
                        "the domain of a bound variable must be a collection, found {}",
                        self.show(&d.ty)
                    );
                    self.wrong_operand(d.span, message);
                }
            }
            let local = self.declare(&v.name, ty.clone(), false, false);
            self.cx.program[local].inferred = v.ty.is_none();
            vars.push(local);
            let callable = self.st.callable.map(|c| self.cx.program[c].kind);
            if callable.is_some_and(CallableKind::is_extreme) {
                self.cx.variables.bound_in_extreme_predicates.push(local);
            }
            if let Some(d) = domain {
                // `x <- S` becomes the conjunct `x in S` of the range.
                let at = v.name.span.to(d.span);
                let x = mk(ExprKind::Local(local), ty, v.name.span);
                range.push(mk(
                    ExprKind::Binary(BinaryOp::In, boxed(x), boxed(d)),
                    Type::Bool,
                    at,
                ));
            }
            if let Some(r) = &v.range {
                range.push(self.condition(r));
            }
        }
        if let Some(r) = &q.range {
            range.push(self.condition(r));
        }
        quantified_over(vars, conjoin(range), span)
    }

    /// Declares the variables of `x, y :| P` and resolves the condition. The variables stay in
    /// scope for the body.
    pub(super) fn such_that(
        &mut self,
        vars: &[ast::BoundVar],
        cond: &ast::Expr,
        span: Span,
    ) -> Quantified {
        let vars = self.bound_vars(vars, &[]);
        let cond = self.condition(cond);
        quantified_over(vars, Some(boxed(cond)), span)
    }

    fn bound_vars(&mut self, vars: &[ast::BoundVar], hints: &[Type]) -> Vec<LocalId> {
        let mut locals = Vec::with_capacity(vars.len());
        for (i, v) in vars.iter().enumerate() {
            let ty = match (&v.ty, hints.get(i)) {
                (Some(t), _) => self.ty(t),
                (None, Some(h)) => h.clone(),
                (None, None) => self.fresh(),
            };
            let local = self.declare(&v.name, ty, false, false);
            self.cx.program[local].inferred = v.ty.is_none();
            locals.push(local);
        }
        locals
    }

    /// Resolves an expression with bound variables. The variables are in scope only inside it.
    pub(super) fn binder(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Expr {
        let mark = self.st.scope.open();
        let x = self.binder_here(e, hint);
        self.st.scope.close(mark);
        x
    }

    fn binder_here(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Expr {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::SetComp {
                infinite,
                vars: written,
                term,
            } => self.set_comprehension(*infinite, written, term.as_deref(), hint, span),
            ast::ExprKind::MapComp {
                infinite,
                vars: written,
                key,
                value,
            } => self.map_comprehension(*infinite, written, (key.as_deref(), value), hint, span),
            ast::ExprKind::Quantifier {
                forall,
                vars: written,
                body,
            } => {
                let vars = self.quantified(written, span);
                let body = self.condition(body);
                self.attributes(&written.attributes);
                mk(
                    ExprKind::Quantifier {
                        forall: *forall,
                        vars,
                        body: boxed(body),
                    },
                    Type::Bool,
                    span,
                )
            }
            ast::ExprKind::Lambda { params, spec, body } => {
                self.lambda(params, spec, body, hint, span)
            }
            ast::ExprKind::Let {
                ghost,
                patterns,
                values,
                body,
            } => self.let_expr(*ghost, (patterns, values), body, hint, span),
            ast::ExprKind::LetSuchThat {
                ghost,
                vars,
                attributes,
                cond,
                body,
            } => self.let_such_that(*ghost, (vars, cond, attributes), body, hint, span),
            ast::ExprKind::LetOrFail {
                ghost,
                pattern,
                value,
                body,
            } => self.let_or_fail(*ghost, pattern.as_deref(), value, body, hint, span),
            ast::ExprKind::Literal(_)
            | ast::ExprKind::This
            | ast::ExprKind::Name { .. }
            | ast::ExprKind::Select { .. }
            | ast::ExprKind::DatatypeUpdate { .. }
            | ast::ExprKind::Call { .. }
            | ast::ExprKind::Index { .. }
            | ast::ExprKind::Slice { .. }
            | ast::ExprKind::SliceLengths { .. }
            | ast::ExprKind::Update { .. }
            | ast::ExprKind::Prefix { .. }
            | ast::ExprKind::Unary(..)
            | ast::ExprKind::Binary(..)
            | ast::ExprKind::Chain { .. }
            | ast::ExprKind::PrefixEq { .. }
            | ast::ExprKind::As(..)
            | ast::ExprKind::Is(..)
            | ast::ExprKind::Cardinality(_)
            | ast::ExprKind::Paren(_)
            | ast::ExprKind::Tuple(_)
            | ast::ExprKind::SeqDisplay(_)
            | ast::ExprKind::SetDisplay { .. }
            | ast::ExprKind::MultisetDisplay(_)
            | ast::ExprKind::MultisetFrom(_)
            | ast::ExprKind::MapDisplay { .. }
            | ast::ExprKind::SeqConstruct { .. }
            | ast::ExprKind::If { .. }
            | ast::ExprKind::Match { .. }
            | ast::ExprKind::StmtExpr { .. }
            | ast::ExprKind::Old { .. }
            | ast::ExprKind::Fresh { .. }
            | ast::ExprKind::Allocated(_)
            | ast::ExprKind::Unchanged { .. }
            | ast::ExprKind::Assigned(_)
            | ast::ExprKind::Wildcard
            | ast::ExprKind::DecreasesTo { .. }
            | ast::ExprKind::Error => self.broken(span),
        }
    }

    /// Resolves `set x | P :: e`.
    fn set_comprehension(
        &mut self,
        infinite: bool,
        written: &ast::QuantifiedVars,
        term: Option<&ast::Expr>,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let vars = self.quantified(written, span);
        let hint = match hint.map(|h| self.representation(h)) {
            Some(Type::Set { elem, .. }) => Some(*elem),
            _ => None,
        };
        let term = match term {
            Some(t) => self.expr(t, hint.as_ref()),
            None => {
                if let (Some(h), [v]) = (&hint, vars.vars.as_slice()) {
                    let ty = self.cx.program[*v].ty.clone();
                    self.st.inf.narrow(&self.cx.program, &ty, h);
                }
                self.only_variable(&vars, span)
            }
        };
        self.attributes(&written.attributes);
        let elem = self.fresh();
        self.merge(&term, &elem);
        mk(
            ExprKind::SetComp {
                vars,
                term: boxed(term),
            },
            Type::Set {
                finite: !infinite,
                elem: Box::new(elem),
            },
            span,
        )
    }

    /// Resolves `map x | P :: k := v`.
    fn map_comprehension(
        &mut self,
        infinite: bool,
        written: &ast::QuantifiedVars,
        (key, value): (Option<&ast::Expr>, &ast::Expr),
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let vars = self.quantified(written, span);
        let (hk, hv) = match hint.map(|h| self.representation(h)) {
            Some(Type::Map { key, value, .. }) => (Some(*key), Some(*value)),
            _ => (None, None),
        };
        let key = match key {
            Some(k) => self.expr(k, hk.as_ref()),
            None => self.only_variable(&vars, span),
        };
        let value = self.expr(value, hv.as_ref());
        self.attributes(&written.attributes);
        // Keys and values have types of their own, so that the subset type of one term does
        // not fix the type of the map.
        let (k, v) = (self.fresh(), self.fresh());
        self.merge(&key, &k);
        self.merge(&value, &v);
        let ty = Type::Map {
            finite: !infinite,
            key: Box::new(k),
            value: Box::new(v),
        };
        mk(
            ExprKind::MapComp {
                vars,
                key: boxed(key),
                value: boxed(value),
            },
            ty,
            span,
        )
    }

    /// Resolves a lambda expression.
    fn lambda(
        &mut self,
        params: &[ast::BoundVar],
        spec: &ast::Spec,
        body: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let (hints, result) = match hint.map(|h| self.representation(h)) {
            Some(Type::Arrow {
                params: ps, result, ..
            }) if ps.len() == params.len() => (ps, Some(*result)),
            _ => (Vec::new(), None),
        };
        let locals = self.bound_vars(params, &hints);
        let mut contract = Spec::default();
        // The contract determines the arrow: `~>` with reads, `-->` with preconditions,
        // otherwise `->`.
        self.clauses(spec, &mut contract, &|_| true);
        let body = self.expr(body, result.as_ref());
        let kind = if !contract.reads.is_empty() {
            ArrowKind::General
        } else if !contract.requires.is_empty() {
            ArrowKind::Partial
        } else {
            ArrowKind::Total
        };
        let types = locals
            .iter()
            .map(|l| self.cx.program[*l].ty.clone())
            .collect();
        let result = self.fresh();
        self.merge(&body, &result);
        let ty = Type::Arrow {
            kind,
            params: types,
            result: Box::new(result),
        };
        let has_type = params.iter().map(|p| p.ty.is_some()).collect();
        let lambda = Lambda {
            params: locals,
            has_type,
            requires: contract.requires,
            reads: contract.reads,
            body,
        };
        mk(ExprKind::Lambda(Box::new(lambda)), ty, span)
    }

    /// Resolves `var p, … := v, …; e`.
    fn let_expr(
        &mut self,
        ghost: bool,
        (patterns, values): (&[ast::Pattern], &[ast::Expr]),
        body: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        if patterns.len() != values.len() {
            let message = format!(
                "the left-hand side has {} patterns, the right-hand side {} values",
                patterns.len(),
                values.len()
            );
            self.error("resolve/value-count", span, message);
        }
        let mut bindings = Vec::with_capacity(patterns.len());
        let mark = self.st.scope.variables.len();
        for (p, v) in patterns.iter().zip(values) {
            // The values are independent of the variables that neighboring patterns
            // declare.
            let newer = self.st.scope.variables.split_off(mark);
            let annotated = match &p.kind {
                ast::PatternKind::Name { ty: Some(t), .. } => Some(self.ty(t)),
                ast::PatternKind::Name { .. }
                | ast::PatternKind::Ctor { .. }
                | ast::PatternKind::Tuple(_)
                | ast::PatternKind::Literal(_)
                | ast::PatternKind::Or(_) => None,
            };
            let v = self.expr(v, annotated.as_ref());
            self.st.scope.variables.extend(newer);
            let pattern = self.pattern(
                p,
                &v.ty,
                Binding {
                    mutable: false,
                    ghost,
                    constants: false,
                    widen: true,
                    depth: Depth::Whole,
                },
            );
            bindings.push((pattern, v));
        }
        let body = self.expr(body, hint);
        let ty = body.ty.clone();
        mk(
            ExprKind::Let {
                ghost,
                bindings,
                body: boxed(body),
            },
            ty,
            span,
        )
    }

    /// Resolves `var x :| P; e`.
    fn let_such_that(
        &mut self,
        ghost: bool,
        (vars, cond, attributes): (&[ast::BoundVar], &ast::Expr, &[ast::Attribute]),
        body: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let vars = self.such_that(vars, cond, span);
        for v in &vars.vars {
            self.cx.program[*v].ghost = ghost;
        }
        let body = self.expr(body, hint);
        self.attributes(attributes);
        let ty = body.ty.clone();
        mk(
            ExprKind::LetSuchThat {
                ghost,
                vars,
                body: boxed(body),
            },
            ty,
            span,
        )
    }

    fn only_variable(&mut self, vars: &Quantified, span: Span) -> Expr {
        match vars.vars.as_slice() {
            [v] => self.local(*v, self.cx.program[*v].span),
            _ => {
                // Dafny's parser reports this error at the last token.
                let last = Span {
                    start: span.end.saturating_sub(1).max(span.start),
                    end: span.end,
                };
                let message = "a comprehension over several variables requires a term after `::`";
                let d = Diagnostic::error("resolve/missing-term", last, message);
                self.st.errors += 1;
                self.cx.diagnostics.push_in(super::Pass::Parsing, d);
                self.broken(span)
            }
        }
    }

    fn let_or_fail(
        &mut self,
        ghost: bool,
        pattern: Option<&ast::Pattern>,
        value: &ast::Expr,
        body: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let value = self.expr(value, None);
        // The value is bound to a temporary variable, on which the failure members are called.
        let temp = self
            .cx
            .add_local("_fail".into(), value.ty.clone(), ghost, false, value.span);
        let this = mk(ExprKind::Local(temp), value.ty.clone(), value.span);
        let Some((is_failure, Some(propagate))) = self.failure_members(&this, true, value.span)
        else {
            return self.broken(span);
        };
        let shape = self.base(&value.ty);
        if pattern.is_none() && self.find_member(&shape, "Extract").is_some() {
            let message = format!(
                "the value extracted by this `:-` is not used: {} has a member Extract",
                self.show(&shape)
            );
            let d = dafny_source::diagnostic::Diagnostic::error(
                "resolve/not-failure-compatible",
                span,
                message,
            );
            self.report(d.with_help("bind the value: `var x :- …` (or `var _ :- …` to ignore it)"));
        }
        let extract = match pattern {
            Some(_) => self.member_call(&this, "Extract", value.span),
            None => None,
        };
        let pattern = match (pattern, &extract) {
            (Some(p), Some(x)) => {
                let ty = x.ty.clone();
                Some(self.pattern(
                    p,
                    &ty,
                    Binding {
                        mutable: false,
                        ghost,
                        constants: false,
                        widen: true,
                        depth: Depth::Whole,
                    },
                ))
            }
            (Some(_), None) | (None, _) => None,
        };
        let body = self.expr(body, hint);
        // On failure, the result is that of `PropagateFailure`: it shares the type of the body.
        let ty = self.joined(hint);
        self.merge(&body, &ty);
        self.merge(&propagate, &ty);
        let parts = LetOrFail {
            ghost,
            pattern,
            value,
            temp,
            is_failure,
            propagate,
            extract,
            body,
        };
        mk(ExprKind::LetOrFail(Box::new(parts)), ty, span)
    }

    /// Builds `temp.IsFailure()` and, if the failure is `propagated`, `temp.PropagateFailure()`.
    /// Reports a type without these members.
    pub(super) fn failure_members(
        &mut self,
        temp: &Expr,
        propagated: bool,
        span: Span,
    ) -> Option<(Expr, Option<Expr>)> {
        let ty = self.base(&temp.ty);
        if ty == Type::Error {
            return None;
        }
        if self.find_member(&ty, "IsFailure").is_none()
            || propagated && self.find_member(&ty, "PropagateFailure").is_none()
        {
            let shown = self.show(&ty);
            let d = dafny_source::diagnostic::Diagnostic::error(
                "resolve/not-failure-compatible",
                span,
                format!(
                    "the right-hand side of `:-` must have a failure-compatible type, found {shown}"
                ),
            );
            self.report(d.with_help("such a type has members IsFailure, PropagateFailure and, if a value is extracted, Extract"));
            return None;
        }
        let is_failure = self.member_call(temp, "IsFailure", span)?;
        self.expect(&is_failure, &Type::Bool);
        let propagate = if propagated {
            Some(self.member_call(temp, "PropagateFailure", span)?)
        } else {
            None
        };
        Some((is_failure, propagate))
    }
}
