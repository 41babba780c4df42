//! Translates quantifiers, comprehensions and choices to loops over the domains of their variables.
//!
//! [`Body::loops`] is the general form: nested loops with conditions as early as possible.
//! [`Body::one_variable`] writes the common case as a chain of iterators. The hard part is infinite
//! domains: a condition that can be decided before an infinite inner loop must be, or the loop
//! would never end.

use super::body::Body;
use super::code::{self, Code, Own};
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::rep::primitive;
use crate::rust::{self, Pat, expr, ident, pat, stmts};
use dafny_resolve::typed::{
    BinaryOp, Domain, Expr, ExprKind, LocalId, Program, Quantified, Span, Type, TypeDeclKind,
    VarBound,
};

/// An iterator over the candidates of a variable.
struct Candidates {
    /// The iterator.
    iterator: rust::Expr,
    /// Whether it yields values or references.
    own: Own,
    /// Both ends, if the domain is an integer range.
    range: Option<(rust::Expr, rust::Expr)>,
    /// Whether it is infinite.
    endless: bool,
}

impl Candidates {
    /// Creates finitely many candidates, as owned values.
    fn owned(iterator: rust::Expr) -> Self {
        Self {
            iterator,
            own: Own::Place,
            range: None,
            endless: false,
        }
    }

    /// Creates infinitely many candidates, as owned values.
    fn endless(iterator: rust::Expr) -> Self {
        Self {
            endless: true,
            ..Self::owned(iterator)
        }
    }
}

impl Body<'_, '_, '_> {
    /// Translates `forall` and `exists`.
    pub(super) fn quantifier(
        &mut self,
        forall: bool,
        vars: &Quantified,
        body: &Expr,
    ) -> Translated<Code> {
        let (mut conditions, mut rest) = (
            vars.range.as_deref().map(conjuncts).unwrap_or_default(),
            Some(body),
        );
        if vars.range.is_none() {
            // `forall x :: P ==> Q` is `forall x | P :: Q`, and `exists` has its conditions in the
            // body.
            if let ExprKind::Binary(BinaryOp::Implies, range, inner) = &body.kind
                && forall
            {
                conditions = conjuncts(range);
                rest = Some(inner);
            } else if matches!(&body.kind, ExprKind::Binary(BinaryOp::And, ..)) && !forall {
                conditions = conjuncts(body);
                rest = None;
            }
        }
        let bounds = self.bounds(vars)?;
        let tokens = self.nested_quantifier(forall, bounds, &mut conditions, rest, vars)?;
        Ok(Code::owned(tokens, true))
    }

    fn nested_quantifier(
        &mut self,
        forall: bool,
        bounds: &[VarBound],
        conditions: &mut Vec<&Expr>,
        body: Option<&Expr>,
        vars: &Quantified,
    ) -> Translated<rust::Expr> {
        // Innermost: the conditions that no domain implies, and the body.
        let Some((bound, inner)) = bounds.split_first() else {
            let mut tests = Vec::new();
            for c in conditions.iter() {
                tests.push(self.value(c)?);
            }
            let body = body.map(|b| self.block_value(b)).transpose()?;
            return Ok(match (forall, tests.is_empty(), body) {
                (_, true, Some(body)) => body,
                (_, true, None) => expr!(true),
                (true, false, body) => {
                    let (tests, body) = (rust::Expr::all(tests), body.unwrap_or(false.into()));
                    expr!(!#tests).or(body)
                }
                (false, false, Some(body)) => expr!(#&&tests && #body),
                (false, false, None) => rust::Expr::all(tests),
            });
        };
        let candidates = self.candidates(bound, vars)?;
        // A quantifier that holds would look at all candidates.
        if candidates.endless {
            return Err(self
                .scope
                .unsupported(vars.span, "a quantifier without an upper bound"));
        }
        let copy = self.copy(&self.scope.ground.program[bound.var].ty);
        // Ranges of integers have their own functions, which take the bounds and no iterator.
        if let Some((lo, hi)) = candidates.range {
            let name = self.declare(bound.var, Own::Ref);
            self.drop_implied(bound, conditions, &(lo.clone(), hi.clone()))?;
            let function = self
                .scope
                .runtime(if forall { "forall_in" } else { "exists_in" });
            let inside = self.guarded_quantifier(forall, (bound, inner), conditions, body, vars)?;
            return Ok(expr!(#function(#lo, #hi, |#name| #inside)));
        }
        // The iterator yields members alone, so the condition that the variable is one is dropped.
        let param = self.item_param(bound.var, candidates.own, copy);
        self.drop_member(bound, conditions)?;
        let method = ident(if forall { "all" } else { "any" });
        let (iterator, inside) = (
            candidates.iterator,
            self.guarded_quantifier(forall, (bound, inner), conditions, body, vars)?,
        );
        Ok(expr!(#iterator.#method(|#param| #inside)))
    }

    /// Translates the inside of a quantifier below one of its variables; conditions on this
    /// variable alone come first.
    fn guarded_quantifier(
        &mut self,
        forall: bool,
        (bound, inner): (&VarBound, &[VarBound]),
        conditions: &mut Vec<&Expr>,
        body: Option<&Expr>,
        vars: &Quantified,
    ) -> Translated<rust::Expr> {
        let tests = self.decided(bound, inner, conditions, vars)?;
        let inside = self.nested_quantifier(forall, inner, conditions, body, vars)?;
        Ok(match (tests.is_empty(), forall) {
            (true, _) => inside,
            (false, true) => {
                let tests = rust::Expr::all(tests);
                expr!(!#tests).or(inside)
            }
            (false, false) => expr!(#&&tests && #inside),
        })
    }

    /// Returns the conditions that are decided before the next variable is enumerated: the type
    /// test, if the domain does not imply the type, and the conditions, in order, that mention no
    /// later variable. These are removed from `conditions`.
    fn decided(
        &mut self,
        bound: &VarBound,
        inner: &[VarBound],
        conditions: &mut Vec<&Expr>,
        vars: &Quantified,
    ) -> Translated<Vec<rust::Expr>> {
        let mut tests = Vec::new();
        if let (true, Some(code)) = (
            self.needs_type_test(bound),
            self.vars.get(bound.var).cloned(),
        ) {
            let ty = self.scope.ground.program[bound.var].ty.clone();
            let held = match &bound.domain {
                Domain::Elements(e) => self.scope.element_type(&e.ty),
                Domain::IntRange { .. }
                | Domain::Exact(_)
                | Domain::SubsetsOf(_)
                | Domain::PrefixesOf(_)
                | Domain::AllValues(_)
                | Domain::SubtermsOf(_) => None,
            };
            // The elements of a collection have a type of their own; other candidates are of the
            // base type.
            let conditions = match held {
                Some(held) => self.type_test(&code, &held, &ty, vars.span)?,
                None => self.constraints(&ty, &code, vars.span)?,
            };
            tests.extend(conditions);
        }
        let later = |e: &Expr| {
            super::walk::mentioned(e)
                .0
                .iter()
                .any(|l| inner.iter().any(|b| b.var == *l))
        };
        if !inner.is_empty() {
            // Only a prefix: a condition may be well-formed only if those to its left hold.
            let ready = conditions.iter().take_while(|c| !later(c)).count();
            let mut first: Vec<&Expr> = conditions.drain(..ready).collect();
            // If the domain of a later variable is infinite, the search would never proceed to the
            // next value of this one. Conditions that do not mention later variables are therefore
            // decided first, if they are well-formed without the conditions to their left.
            if inner.iter().any(|b| matches!(&b.domain, Domain::IntRange { low, high } if low.is_none() || high.is_none())) {
                let program = self.scope.ground.program;
                first.extend(conditions.extract_if(.., |c| !later(c) && is_total(program, c)));
            }
            for c in first {
                tests.push(self.value(c)?);
            }
        }
        Ok(tests)
    }

    /// Whether candidates may be outside of the variable's type.
    fn needs_type_test(&self, bound: &VarBound) -> bool {
        let program = self.scope.ground.program;
        let ty = &program[bound.var].ty;
        let (is_nat, is_newtype) = if let Type::Named { decl, .. } = ty {
            (
                program.nat == Some(*decl),
                matches!(program[*decl].kind, TypeDeclKind::Newtype(_)),
            )
        } else {
            (false, false)
        };
        match &bound.domain {
            Domain::IntRange { low: Some(low), .. } if is_nat => {
                if let ExprKind::Literal(dafny_resolve::typed::Literal::Int(n)) = &low.kind {
                    n.sign() == num_bigint::Sign::Minus
                } else {
                    low.ty != *ty
                }
            }
            Domain::IntRange { .. } => true,
            Domain::Exact(e) => e.ty != *ty,
            Domain::Elements(e) => self.scope.element_type(&e.ty).is_none_or(|t| t != *ty),
            // Values of a newtype are enumerated by its range.
            Domain::AllValues(t) => is_newtype || t != ty,
            Domain::SubsetsOf(_) | Domain::PrefixesOf(_) | Domain::SubtermsOf(_) => true,
        }
    }

    /// Translates `set x | P :: e`.
    pub(super) fn set_comprehension(
        &mut self,
        vars: &Quantified,
        term: &Expr,
        ty: &Type,
    ) -> Translated<Code> {
        if matches!(
            self.scope.ground.program.representation(ty),
            Type::Set { finite: false, .. }
        ) && self.scope.is_never_made(vars)
        {
            return Err(self.scope.unsupported(vars.span, "an infinite set"));
        }
        // One variable: a chain of iterator methods. Several: nested loops that fill a vector.
        if let Some(items) =
            self.one_variable(vars, Some(term), &mut |body| body.block_value(term))?
        {
            let set = self.scope.runtime("Set");
            return Ok(Code::owned(expr!(#set::from_iter(#items)), false));
        }
        let elements = &self.make_up("elements");
        let inner = self.loops(vars, &mut |body| {
            let value = body.value(term)?;
            Ok(stmts!((&mut #elements).push(#value);))
        })?;
        let set = self.scope.runtime("Set");
        Ok(Code::owned(
            expr!({ let mut #elements = std::vec::Vec::new(); #..inner #set::from_iter(#elements) }),
            false,
        ))
    }

    /// Translates `map x | P :: k := v`.
    pub(super) fn map_comprehension(
        &mut self,
        vars: &Quantified,
        key: &Expr,
        value: &Expr,
        ty: &Type,
    ) -> Translated<Code> {
        if matches!(
            self.scope.ground.program.representation(ty),
            Type::Map { finite: false, .. }
        ) && self.scope.is_never_made(vars)
        {
            return Err(self.scope.unsupported(vars.span, "an infinite map"));
        }
        let mut pair = |body: &mut Self| {
            let (key, value) = (body.value(key)?, body.value(value)?);
            Ok(expr!((#key, #value)))
        };
        // One variable: a chain of iterator methods. Several: nested loops that fill a vector.
        if let Some(items) = self.one_variable(vars, None, &mut pair)? {
            let map = self.scope.runtime("Map");
            return Ok(Code::owned(expr!(#map::from_iter(#items)), false));
        }
        let entries = &self.make_up("entries");
        let inner = self.loops(vars, &mut |body| {
            let (key, value) = (body.value(key)?, body.value(value)?);
            Ok(stmts!((&mut #entries).push((#key, #value));))
        })?;
        let map = self.scope.runtime("Map");
        Ok(Code::owned(
            expr!({ let mut #entries = std::vec::Vec::new(); #..inner #map::from_iter(#entries) }),
            false,
        ))
    }

    /// Translates a comprehension over one variable to a chain of iterators, which is more readable
    /// than a loop. `term` is the collected expression, which may be the variable itself.
    fn one_variable(
        &mut self,
        vars: &Quantified,
        term: Option<&Expr>,
        item: &mut dyn FnMut(&mut Self) -> Translated<rust::Expr>,
    ) -> Translated<Option<rust::Expr>> {
        let [bound] = self.bounds(vars)? else {
            return Ok(None);
        };
        // A chain of iterators cannot stop at the last candidate of an endless range; loops can.
        let candidates = self.candidates(bound, vars)?;
        if candidates.endless {
            return Ok(None);
        }
        let mut conditions = vars.range.as_deref().map(conjuncts).unwrap_or_default();
        let copy = self.copy(&self.scope.ground.program[bound.var].ty);
        // A filter gets references to the items.
        let looked_at = self.item_param(bound.var, Own::Ref, copy);
        match &candidates.range {
            Some(ends) => self.drop_implied(bound, &mut conditions, ends)?,
            None => self.drop_member(bound, &mut conditions)?,
        }
        let mut tests = self.decided(bound, &[], &mut conditions, vars)?;
        for c in conditions {
            tests.push(self.value(c)?);
        }
        let mut chain = candidates.iterator;
        if !tests.is_empty() {
            let param = if candidates.own == Own::Ref {
                pat!(&#looked_at)
            } else {
                looked_at
            };
            chain = expr!(#chain.filter(|#param| #&&tests));
        }
        let is_itself =
            term.is_some_and(|t| matches!(&t.kind, ExprKind::Local(l) if *l == bound.var));
        let param = self.item_param(bound.var, candidates.own, copy);
        Ok(Some(match (is_itself, candidates.own) {
            (true, Own::Ref) => expr!(#chain.cloned()),
            (true, Own::Owned | Own::Place) => chain,
            (false, _) => {
                let value = item(self)?;
                expr!(#chain.map(|#param| #value))
            }
        }))
    }

    /// Translates `x, y :| P` to its values: one, or a tuple.
    pub(super) fn such_that(&mut self, vars: &Quantified) -> Translated<rust::Expr> {
        let bounds = self.bounds(vars)?;
        // One variable: a search in its candidates.
        if let ([bound], [var]) = (bounds, vars.vars.as_slice()) {
            // `x == e` as the only condition: the value is known.
            if let Domain::Exact(e) = &bound.domain {
                let conditions = vars.range.as_deref().map(conjuncts).unwrap_or_default();
                if conditions.len() == 1 && !self.needs_type_test(bound) {
                    return self.value(e);
                }
            }
            let candidates = self.candidates(bound, vars)?;
            let mut conditions = vars.range.as_deref().map(conjuncts).unwrap_or_default();
            let copy = self.copy(&self.scope.ground.program[*var].ty);
            let (param, tests) = self.scoped(|inner| {
                let param = inner.item_param(*var, Own::Ref, copy);
                match &candidates.range {
                    Some(ends) => inner.drop_implied(bound, &mut conditions, ends)?,
                    None => inner.drop_member(bound, &mut conditions)?,
                }
                let mut tests = inner.decided(bound, &[], &mut conditions, vars)?;
                for c in conditions {
                    tests.push(inner.value(c)?);
                }
                Ok((param, tests))
            })?;
            let param = if tests.is_empty() { Pat::Wild } else { param };
            let (function, mut iterator) = (self.scope.runtime("such_that"), candidates.iterator);
            if candidates.own == Own::Ref {
                iterator = expr!(#iterator.cloned());
            }
            let iterator = into_iterable(iterator);
            return Ok(expr!(#function(#iterator, |#param| #&&tests)));
        }
        // Several variables: nested loops, left at the first values that satisfy the condition.
        let inner = self.loops(vars, &mut |body| {
            let value = body.values_of(vars);
            Ok(stmts!(break 'found #value;))
        })?;
        let message = "no value satisfies the condition of an assign-such-that statement";
        Ok(expr!('found: { #..inner panic!(#message) }))
    }

    /// Returns the values of quantified variables: one, or a tuple.
    fn values_of(&self, vars: &Quantified) -> rust::Expr {
        let values = vars
            .vars
            .iter()
            .filter_map(|v| self.vars.get(*v))
            .map(Code::owned_value);
        code::tuple(values.collect())
    }

    /// Translates the search for the first candidates that satisfy the condition to an `Option`.
    pub(super) fn find(&mut self, vars: &Quantified) -> Translated<rust::Expr> {
        let inner = self.loops(vars, &mut |body| {
            let value = body.values_of(vars);
            Ok(stmts!(break 'found std::option::Option::Some(#value);))
        })?;
        Ok(expr!('found: { #..inner std::option::Option::None }))
    }

    /// Translates `if x :| P then a else b`.
    pub(super) fn if_binding(
        &mut self,
        vars: &Quantified,
        then: &Expr,
        els: &Expr,
        copy: bool,
    ) -> Translated<Code> {
        let found = self.find(vars)?;
        let els = self.tail(els)?;
        let pattern = self.found_pattern(vars);
        let then = self.tail(then)?;
        Ok(Code::owned(
            expr!(if let #pattern = #found { #..then } else { #..els }),
            copy,
        ))
    }

    /// Writes the pattern `Some((x, y))` and brings the variables into scope.
    pub(super) fn found_pattern(&mut self, vars: &Quantified) -> Pat {
        let names = code::tuple_pattern(
            vars.vars
                .iter()
                .map(|&v| self.declare(v, Own::Place).into())
                .collect(),
        );
        pat!(std::option::Option::Some(#names))
    }

    /// Writes loops over all values of the variables that satisfy the range.
    pub(super) fn loops(
        &mut self,
        vars: &Quantified,
        innermost: &mut dyn FnMut(&mut Self) -> Translated<rust::Stmts>,
    ) -> Translated<rust::Stmts> {
        let bounds = self.bounds(vars)?;
        let mut conditions = vars.range.as_deref().map(conjuncts).unwrap_or_default();
        self.nested_loops(bounds, &mut conditions, vars, innermost)
    }

    fn nested_loops(
        &mut self,
        bounds: &[VarBound],
        conditions: &mut Vec<&Expr>,
        vars: &Quantified,
        innermost: &mut dyn FnMut(&mut Self) -> Translated<rust::Stmts>,
    ) -> Translated<rust::Stmts> {
        let Some((bound, inner)) = bounds.split_first() else {
            // Innermost: the conditions that no domain implies.
            let mut tests = Vec::new();
            for c in conditions.iter() {
                tests.push(self.value(c)?);
            }
            let inside = innermost(self)?;
            return Ok(if tests.is_empty() {
                inside
            } else {
                stmts!(if #&&tests { #..inside })
            });
        };
        // A condition is tested as soon as all its variables are bound (`decided`).
        let candidates = self.candidates(bound, vars)?;
        let copy = self.copy(&self.scope.ground.program[bound.var].ty);
        let param = self.item_param(bound.var, candidates.own, copy);
        match &candidates.range {
            Some(ends) => self.drop_implied(bound, conditions, ends)?,
            None => self.drop_member(bound, conditions)?,
        }
        // What can be decided now spares the inner loops.
        let tests = self.decided(bound, inner, conditions, vars)?;
        let (iterator, inside) = (
            candidates.iterator,
            self.nested_loops(inner, conditions, vars, innermost)?,
        );
        Ok(if tests.is_empty() {
            stmts!(for #param in #iterator { #..inside })
        } else {
            stmts!(for #param in #iterator { if #&&tests { #..inside } })
        })
    }

    fn bounds<'q>(&self, vars: &'q Quantified) -> Translated<&'q [VarBound]> {
        vars.bounds.as_deref().ok_or_else(|| {
            self.scope
                .unsupported(vars.span, "a range without known bounds (not executable)")
        })
    }

    /// Returns the pattern for an item of an iterator.
    fn item_param(&mut self, var: LocalId, own: Own, copy: bool) -> Pat {
        match own {
            // An iterator over references to `Copy` values: the pattern takes the value out.
            Own::Ref if copy => {
                let name = self.declare(var, Own::Place);
                pat!(&#name)
            }
            Own::Ref => self.declare(var, Own::Ref).into(),
            Own::Owned | Own::Place => self.declare(var, Own::Place).into(),
        }
    }

    /// Returns the candidates for a variable, which its domain determines.
    fn candidates(&mut self, bound: &VarBound, vars: &Quantified) -> Translated<Candidates> {
        let ty = self.scope.ground.program[bound.var].ty.clone();
        match &bound.domain {
            Domain::IntRange {
                low: Some(low),
                high: None,
            } => {
                if self.rep(&ty) != Rep::Int {
                    return Err(self
                        .scope
                        .unsupported(vars.span, "a range without an upper bound"));
                }
                let (range, lo) = (self.scope.runtime("range_from"), self.expr(low)?.operand());
                Ok(Candidates::endless(expr!(#range(#lo))))
            }
            Domain::IntRange {
                low: Some(low),
                high: Some(high),
            } => self.range(&ty, low, high, vars.span),
            Domain::IntRange { low: None, .. } if self.rep(&ty) != Rep::Int => Err(self
                .scope
                .unsupported(vars.span, "a range without a lower bound")),
            Domain::IntRange { low: None, high } => Ok(Candidates::endless(match high {
                Some(high) => {
                    let range = self.scope.runtime("range_down_from");
                    let hi = self.expr(high)?.operand();
                    expr!(#range(#hi))
                }
                None => expr!(dunit::all_ints()),
            })),
            Domain::Exact(e) => {
                let value = self.value(e)?;
                Ok(Candidates::owned(expr!(std::iter::once(#value))))
            }
            Domain::Elements(e) => {
                let rep = self.rep(&e.ty);
                let o = self.expr(e)?.receiver();
                if matches!(rep, Rep::Seq(_) | Rep::Set(_) | Rep::Multiset(_)) {
                    Ok(Candidates {
                        own: Own::Ref,
                        ..Candidates::owned(expr!(#o.iter()))
                    })
                } else if matches!(rep, Rep::Map(..)) {
                    Ok(Candidates::owned(expr!(#o.keys().into_iter())))
                } else {
                    Err(self
                        .scope
                        .unsupported(vars.span, "the elements of this type"))
                }
            }
            Domain::SubsetsOf(e) => {
                let o = self.expr(e)?.receiver();
                Ok(Candidates::owned(expr!(#o.subsets())))
            }
            Domain::PrefixesOf(e) => {
                let code = self.expr(e)?;
                let o = code.receiver();
                let prefixes = expr!((0..=#o.size()).map(|n| #o.take(n)));
                Ok(Candidates::owned(prefixes))
            }
            Domain::AllValues(ty) => Ok(Candidates::owned(self.all_values(ty, vars.span)?)),
            Domain::SubtermsOf(_) => Err(self
                .scope
                .unsupported(vars.span, "the values within a datatype value")),
        }
    }

    /// Returns the candidates of a range with two ends, in the representation of the type.
    fn range(&mut self, ty: &Type, low: &Expr, high: &Expr, span: Span) -> Translated<Candidates> {
        let rep = self.rep(ty);
        // Bounds of native type avoid arbitrary precision.
        let (lo, hi) = if matches!(rep, Rep::Int) {
            (self.index(low)?, self.index(high)?)
        } else {
            (self.expr(low)?.operand(), self.expr(high)?.operand())
        };
        let (lo, hi) = (&lo, &hi);
        let (of_low, range) = (self.rep(&low.ty), self.scope.runtime("range"));
        let iterator = match rep {
            Rep::Int => {
                return Ok(Candidates {
                    range: Some((lo.clone(), hi.clone())),
                    ..Candidates::owned(expr!(#range(#lo, #hi)))
                });
            }
            Rep::Native(_) if matches!(of_low, Rep::Native(_)) => expr!((#lo..#hi)),
            Rep::Native(n) => {
                let n = ident(primitive(n));
                expr!(#range(#lo, #hi).map(|n| n.to_native::<#n>()))
            }
            Rep::Bv(width) => {
                let bv = self.scope.runtime("Bv");
                if matches!(of_low, Rep::Bv(_)) {
                    expr!(#range(#lo.to_int(), #hi.to_int()).map(|n| #bv::<#width>::of_int(&n)))
                } else {
                    expr!(#range(#lo, #hi).map(|n| #bv::<#width>::of_int(&n)))
                }
            }
            Rep::Char => {
                let c = self.scope.runtime(self.scope.ground.char_type());
                expr!(#range(#lo.to_int(), #hi.to_int()).map(|n| #c::of_int(&n)))
            }
            Rep::Bool
            | Rep::Real
            | Rep::Ordinal
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => return Err(self.scope.unsupported(span, "a range of this type")),
        };
        Ok(Candidates::owned(iterator))
    }

    /// Removes conditions that the range implies.
    fn drop_implied(
        &mut self,
        bound: &VarBound,
        conditions: &mut Vec<&Expr>,
        ends: &(rust::Expr, rust::Expr),
    ) -> Translated<()> {
        let (lo, hi) = ends;
        let is_var = |e: &Expr| matches!(&e.kind, ExprKind::Local(l) if *l == bound.var);
        let mut kept = Vec::new();
        for c in conditions.drain(..) {
            // A chain such as `lo <= x < hi` is implied if all its links are.
            let links: Vec<(&Expr, BinaryOp, &Expr)> = if let ExprKind::Binary(op, a, b) = &c.kind {
                vec![(a, *op, b)]
            } else if let ExprKind::Chain { first, rest } = &c.kind {
                let mut left = &**first;
                let mut links = Vec::new();
                for (op, right) in rest {
                    links.push((left, *op, right));
                    left = right;
                }
                links
            } else {
                Vec::new()
            };
            let mut implied = !links.is_empty();
            for (a, op, b) in links {
                implied &= if op == BinaryOp::Le && is_var(b) {
                    self.index(a).is_ok_and(|c| c == *lo)
                } else if op == BinaryOp::Ge && is_var(a) {
                    self.index(b).is_ok_and(|c| c == *lo)
                } else if op == BinaryOp::Lt && is_var(a) {
                    self.index(b).is_ok_and(|c| c == *hi)
                } else if op == BinaryOp::Gt && is_var(b) {
                    self.index(a).is_ok_and(|c| c == *hi)
                } else {
                    false
                };
            }
            if !implied {
                kept.push(c);
            }
        }
        *conditions = kept;
        Ok(())
    }

    /// Removes the condition that a variable is an element of the collection that it ranges over.
    fn drop_member(&mut self, bound: &VarBound, conditions: &mut Vec<&Expr>) -> Translated<()> {
        let Domain::Elements(collection) = &bound.domain else {
            return Ok(());
        };
        // Collections are compared as they are written: the condition may name the same one in
        // another way.
        let written = self.expr(collection)?.receiver();
        let is_var = |e: &Expr| matches!(&e.kind, ExprKind::Local(l) if *l == bound.var);
        let mut kept = Vec::new();
        for c in conditions.drain(..) {
            let implied = matches!(&c.kind, ExprKind::Binary(BinaryOp::In, a, b) if is_var(a) && self.expr(b).is_ok_and(|c| c.receiver() == written));
            if !implied {
                kept.push(c);
            }
        }
        *conditions = kept;
        Ok(())
    }
}

impl Scope<'_, '_> {
    /// Returns the type of a collection's members.
    fn element_type(&self, collection: &Type) -> Option<Type> {
        if let Rep::Seq(t) | Rep::Set(t) | Rep::Multiset(t) | Rep::Map(t, _) = self.rep(collection)
        {
            Some(t)
        } else {
            None
        }
    }

    /// Whether the domain of a variable is unknown, or infinite in a specification, which must not
    /// run forever.
    fn is_never_made(&self, vars: &Quantified) -> bool {
        let is_open = |b: &VarBound| match &b.domain {
            Domain::IntRange { low, high } => low.is_none() || high.is_none(),
            Domain::Exact(_)
            | Domain::Elements(_)
            | Domain::SubsetsOf(_)
            | Domain::PrefixesOf(_)
            | Domain::AllValues(_)
            | Domain::SubtermsOf(_) => false,
        };
        vars.bounds
            .as_ref()
            .is_none_or(|bounds| self.spec && bounds.iter().any(is_open))
    }
}

/// Removes a trailing `.into_iter()` for functions that take any iterable.
fn into_iterable(iterator: rust::Expr) -> rust::Expr {
    if !matches!(&iterator, rust::Expr::Method(m) if m.name == "into_iter") {
        return iterator;
    }
    let rust::Expr::Method(m) = iterator else {
        return iterator;
    };
    m.receiver
}

/// Splits a condition into conjuncts.
pub(super) fn conjuncts(e: &Expr) -> Vec<&Expr> {
    if let ExprKind::Binary(BinaryOp::And, a, b) = &e.kind {
        conjuncts(a).into_iter().chain(conjuncts(b)).collect()
    } else {
        vec![e]
    }
}

/// Whether an expression is well-formed for all values of its variables: it has no partial
/// operation.
fn is_total(program: &Program, e: &Expr) -> bool {
    let mut total = true;
    super::walk::each_expr(e, &mut |e| {
        total &= if matches!(
            &e.kind,
            ExprKind::Literal(_)
                | ExprKind::Local(_)
                | ExprKind::Unary(..)
                | ExprKind::Chain { .. }
                | ExprKind::If { .. }
        ) {
            true
        } else if let ExprKind::Binary(op, ..) = &e.kind {
            // These operators have preconditions.
            let is_partial = matches!(
                op,
                BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr
            );
            !is_partial && program.representation(&e.ty) != Type::Char
        } else if let ExprKind::Call(call) = &e.kind {
            // A receiver may be `null`.
            call.receiver.is_none() && program[call.callee].spec.requires.is_empty()
        } else {
            false
        };
    });
    total
}
