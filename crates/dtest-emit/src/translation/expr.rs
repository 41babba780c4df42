//! Translates typed expressions. [`Body::expr`] is the dispatch over the kinds of expressions;
//! control flow is handled by [`Body::tail`] and its variants, which write statements instead of
//! nested expressions.

use super::body::Body;
use super::code::{self, Code, Own, number};
use super::convention::Translated;
use super::literal;
use super::rep::Rep;
use crate::rust::{self, MacroName, Stmts, expr, stmts};
use dafny_resolve::typed::{Control, Expr, ExprKind, Literal};

impl Body<'_, '_, '_> {
    /// Translates an index, a length or the end of a range; a small literal needs no conversion.
    pub(super) fn index(&mut self, e: &Expr) -> Translated<rust::Expr> {
        if let ExprKind::Literal(Literal::Int(n)) = &e.kind
            && self.rep(&e.ty) == Rep::Int
            && num_traits::ToPrimitive::to_i32(n).is_some_and(|n| n >= 0)
        {
            Ok(number(&n.to_string()))
        } else {
            Ok(self.expr(e)?.operand())
        }
    }

    /// Translates an expression to its owned value.
    pub(crate) fn value(&mut self, e: &Expr) -> Translated<rust::Expr> {
        Ok(self.expr(e)?.owned_value())
    }

    /// Translates an expression at the end of a block to its statements and its value, without
    /// braces.
    pub(super) fn tail(&mut self, e: &Expr) -> Translated<Stmts> {
        self.end(e, false)
    }

    /// Translates an expression at the end of a function that is a loop: its statements, and a
    /// `return` or another iteration.
    pub(super) fn ending(&mut self, e: &Expr) -> Translated<Stmts> {
        self.end(e, true)
    }

    pub(super) fn end(&mut self, e: &Expr, of_function: bool) -> Translated<Stmts> {
        // Control flow at the end of a block needs no nested block: its statements are appended.
        match e.control() {
            Control::Let {
                ghost,
                bindings,
                body,
            } => {
                let mut out = Vec::new();
                if !ghost || bindings.iter().any(|(p, _)| self.binds(p)) {
                    out = self.bindings(bindings, body)?;
                }
                out.extend(self.end(body, of_function)?);
                Ok(out)
            }
            Control::StmtExpr { stmt, body } => {
                let mut out = self.stmt(stmt)?;
                out.extend(self.end(body, of_function)?);
                Ok(out)
            }
            Control::LetSuchThat { ghost, vars, body } => {
                let mut out = Vec::new();
                if !ghost || vars.vars.iter().any(|v| self.is_there(*v)) {
                    let found = self.such_that(vars)?;
                    let names = code::tuple_pattern(
                        vars.vars
                            .iter()
                            .map(|&v| self.declare(v, Own::Place).into())
                            .collect(),
                    );
                    out = stmts!(let #names = #found;);
                }
                out.extend(self.end(body, of_function)?);
                Ok(out)
            }
            Control::LetOrFail(l) => self.let_or_fail(l, of_function),
            Control::If { cond, then, els } => {
                let cond = self.value(cond)?;
                let then = self.end(then, of_function)?;
                let els = self.end(els, of_function)?;
                Ok(stmts!(if #cond { #..then } else { #..els }))
            }
            Control::Match { scrutinee, cases } if of_function => {
                self.match_expr(scrutinee, cases, true).map(|e| stmts!(#e))
            }
            Control::Match { .. }
            | Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. } => self.own_end(e, of_function),
            Control::IfBinding { .. } | Control::Delayed(_) | Control::Strict => {
                self.own_end(e, of_function)
            }
        }
    }

    /// Translates an expression without control flow at an end.
    fn own_end(&mut self, e: &Expr, of_function: bool) -> Translated<Stmts> {
        if of_function {
            self.end_of_function(e)
        } else {
            self.value(e).map(|e| stmts!(#e))
        }
    }

    /// Translates an expression.
    pub(super) fn expr(&mut self, e: &Expr) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));
        match &e.kind {
            ExprKind::Literal(Literal::Null) => self.scope.null(e),
            ExprKind::Literal(l) => owned(literal::literal(self.scope, l, &e.ty, e.span)?),
            // A variable without an expression is ghost, and the code compiled.
            ExprKind::Local(l) => match self.vars.get(*l) {
                Some(code) => Ok(code.clone()),
                None => {
                    let name = self.scope.ground.program[*l].name.clone();
                    let ghost = if self.scope.ground.program[*l].ghost {
                        "the ghost variable"
                    } else {
                        "the variable"
                    };
                    Err(self.scope.unsupported(e.span, format!("{ghost} `{name}`")))
                }
            },
            ExprKind::This => self
                .this
                .clone()
                .ok_or_else(|| self.scope.unsupported(e.span, "`this` here")),
            ExprKind::Field {
                object,
                field,
                type_args,
                ..
            } => self.field(e, object.as_deref(), *field, type_args),
            ExprKind::Builtin { member, object } => self.builtin(e, *member, object),
            ExprKind::CtorTest { ctor, object } => self.ctor_test(e, *ctor, object),
            ExprKind::TupleField { object, index } => self.tuple_field(e, object, *index),
            // If the field is not lazy, it has no recursive part.
            ExprKind::Delayed(inner) => self.expr(inner),
            ExprKind::Construct { ctor, args } => self.constructed(e, *ctor, args),
            ExprKind::Call(call) => {
                if let Some(result) = self.own_result(call) {
                    return Ok(result);
                }
                if let Some(result) = self.two_state_call(call) {
                    return result;
                }
                let call = self.call(call, e)?;
                owned(call)
            }
            ExprKind::FunctionRef {
                callee,
                receiver,
                type_args,
                ..
            } => self.function_ref(e, *callee, receiver.as_deref(), type_args),
            ExprKind::Apply { function, args } => self.apply(e, function, args),
            ExprKind::Index { object, indices } => self.indexed(e, object, indices),
            ExprKind::Slice { object, from, to } => {
                self.slice(e, object, from.as_deref(), to.as_deref())
            }
            ExprKind::SliceLengths {
                object,
                lengths,
                rest,
            } => self.slice_lengths(e, object, lengths, *rest),
            ExprKind::Update { object, key, value } => self.update(e, object, key, value),
            ExprKind::DatatypeUpdate {
                object,
                updates,
                ctors,
            } => self.datatype_update(e, object, updates, ctors),
            ExprKind::TupleUpdate { object, updates } => self.tuple_update(e, object, updates),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::PrefixEq { .. } => Err(self
                .scope
                .unsupported(e.span, "equality of codatatypes up to a depth")),
            ExprKind::Convert(inner) => self.convert(inner, &e.ty, e.span),
            ExprKind::Is(inner, ty) => self.is(inner, ty, e.span),
            ExprKind::Cardinality(inner) => {
                let o = self.expr(inner)?.receiver();
                owned(expr!(#o.len()))
            }
            ExprKind::Tuple(components) => self.tuple(e, components),
            ExprKind::SeqDisplay(elements) => self.display(MacroName::Seq, "Seq", elements, &e.ty),
            ExprKind::SetDisplay(elements) => self.display(MacroName::Set, "Set", elements, &e.ty),
            ExprKind::MultisetDisplay(elements) => {
                self.display(MacroName::Multiset, "Multiset", elements, &e.ty)
            }
            ExprKind::MultisetFrom(inner) => {
                let o = self.expr(inner)?.receiver();
                owned(expr!(#o.to_multiset()))
            }
            ExprKind::MapDisplay(pairs) => self.map_display(e, pairs),
            ExprKind::SeqConstruct { len, init } => self.seq_construct(e, len, init),
            ExprKind::SetComp { vars, term } => self.set_comprehension(vars, term, &e.ty),
            ExprKind::MapComp { vars, key, value } => {
                self.map_comprehension(vars, key, value, &e.ty)
            }
            ExprKind::Quantifier { forall, vars, body } => self.quantifier(*forall, vars, body),
            ExprKind::Lambda(l) => self.lambda(l, &e.ty),
            ExprKind::If { .. } => {
                let value = self.tail(e)?;
                owned(rust::Expr::of_stmts(value))
            }
            ExprKind::IfBinding { vars, then, els } => self.if_binding(vars, then, els, copy),
            ExprKind::Match { scrutinee, cases } => {
                let found = self.match_expr(scrutinee, cases, false)?;
                owned(found)
            }
            ExprKind::Let { .. } | ExprKind::LetSuchThat { .. } | ExprKind::LetOrFail(_) => {
                let inner = self.tail(e)?;
                owned(rust::Expr::block(inner))
            }
            ExprKind::StmtExpr { stmt, body } => {
                if self.scope.is_erased(stmt) {
                    return self.expr(body);
                }
                let inner = self.tail(e)?;
                owned(rust::Expr::block(inner))
            }
            ExprKind::Old {
                label: Some(label), ..
            }
            | ExprKind::Fresh {
                label: Some(label), ..
            }
            | ExprKind::Unchanged {
                label: Some(label), ..
            } => Err(self
                .scope
                .unsupported(e.span, format!("the state at the label `{label}`"))),
            ExprKind::Old { label: None, expr } => self.old(expr),
            ExprKind::Fresh { label: None, expr } => self.fresh(expr),
            ExprKind::Allocated(e) => self.allocated(e),
            ExprKind::Unchanged { label: None, frame } => self.unchanged(e, frame),
            ExprKind::Assigned(_) => Err(self.scope.unsupported(e.span, "`assigned`")),
            // The rule for choices takes the least value.
            ExprKind::Wildcard => owned(expr!(false)),
            ExprKind::Error => Err(self
                .scope
                .unsupported(e.span, "an expression that does not resolve")),
        }
    }
}
