//! Lowering of expressions.
//!
//! In executed code, [`super::branch`] turns expressions with control flow into blocks; all other
//! expressions, and all expressions in pure contexts, become IR expressions. [`Lowerer::expr`] is
//! the entry point. The hard part is to evaluate shared operands once ([`Lowerer::share`]) and to
//! add the checks of obligations at the right place.

use super::frames::only_if;
use super::{Lowerer, build, control};
use dafny_resolve::typed::{self, BinaryOp, Type};
use dafny_source::Span;
use dtest_ir::reason::{Construct, Reason};
use dtest_ir::{self as ir, AssertKind, Coll, Expr, ExprKind, Op, StmtKind, Var};

impl<'p> Lowerer<'p> {
    /// Lowers an expression; in executed code, its control flow becomes blocks before it.
    pub(super) fn expr(&mut self, e: &'p typed::Expr) -> Expr {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            let condition = self.not_ghost(e);
            let value = if self.evaluation.is_executed && control::decides(e) {
                self.decided(e)
            } else {
                self.plain(e)
            };
            only_if(ir::Check::Constructor, condition, self.of_newtype(e, value))
        })
    }

    /// Checks that the result of an operation of a newtype over booleans, bitvectors or collections
    /// belongs to the newtype. For arithmetic, the operator itself has this obligation.
    fn of_newtype(&self, e: &typed::Expr, value: Expr) -> Expr {
        if !(self.has_obligations() || self.evaluation.is_executed) || !makes_value(&e.kind) {
            return value;
        }
        let base = self.program.representation(&e.ty);
        // Newtypes over numbers and characters are checked by their operators.
        if base == self.program.strip_subset(&e.ty)
            || matches!(base, Type::Int | Type::Real | Type::Char)
        {
            return value;
        }
        let span = e.span;
        build::expr(
            ExprKind::Convert(Box::new(Expr { ty: base, ..value })),
            e.ty.clone(),
            span,
        )
    }

    /// Lowers an expression without control flow, or in a pure context.
    ///
    /// Every form that is more than an operator has a method: the checks of its obligations stand
    /// there, behind the operands that they refer to.
    fn plain(&mut self, e: &'p typed::Expr) -> Expr {
        use typed::ExprKind as T;
        let (ty, span) = (e.ty.clone(), e.span);
        let kind = match &e.kind {
            T::Literal(l) => return self.literal(l, ty, span),
            T::Local(local) => ExprKind::Var(self.local(*local)),
            T::This => return self.this(span),
            T::Field {
                object,
                field,
                type_args,
                ..
            } => {
                return self.field(object.as_deref(), *field, type_args, ty, span);
            }
            T::Builtin { member, object } => return self.builtin(*member, object, ty, span),
            T::CtorTest { ctor, object } => operation(Op::CtorTest(*ctor), vec![self.expr(object)]),
            T::TupleField { object, index } => {
                operation(Op::TupleField(*index), vec![self.expr(object)])
            }
            T::Construct { ctor, args } => {
                operation(Op::Construct(*ctor), self.ctor_args(*ctor, args, &e.ty))
            }
            T::Tuple(parts) => operation(Op::Tuple, self.tuple_parts(&e.ty, parts)),
            T::DatatypeUpdate {
                object,
                updates,
                ctors,
            } => return self.datatype_update(object, updates, ctors, ty, span),
            T::TupleUpdate { object, updates } => {
                return self.tuple_update(object, updates, ty, span);
            }
            T::Delayed(value) => return self.delayed_argument(value, ty, span),
            T::Call(call) => return self.call(call, ty, span),
            T::FunctionRef {
                callee,
                receiver,
                type_args,
                ..
            } => {
                return self.function_ref(*callee, receiver.as_deref(), type_args, ty, span);
            }
            T::Apply { function, args } => {
                let value = self.apply(function, args, ty, span);
                return self.readable_there(value);
            }
            T::Index { object, indices } => {
                let value = self.index(object, indices, ty, span);
                return self.readable_there(value);
            }
            T::Slice { object, from, to } => {
                return self.slice(object, from.as_deref(), to.as_deref(), ty, span);
            }
            T::SliceLengths {
                object,
                lengths,
                rest,
            } => return self.slice_lengths(object, lengths, *rest, ty, span),
            T::Update { object, key, value } => return self.update(object, key, value, ty, span),
            T::Cardinality(object) => {
                return self.over_collection("cardinality", Op::Cardinality, object, ty, span);
            }
            T::MultisetFrom(object) => {
                return self.over_collection("multiset(…)", Op::MultisetOf, object, ty, span);
            }
            T::SeqDisplay(es) => operation(Op::Display(Coll::Seq), self.exprs(es)),
            T::SetDisplay(es) => operation(Op::Display(Coll::Set), self.exprs(es)),
            T::MultisetDisplay(es) => operation(Op::Display(Coll::Multiset), self.exprs(es)),
            T::MapDisplay(pairs) => operation(Op::Display(Coll::Map), self.pairs(pairs)),
            T::SeqConstruct { len, init } => return self.constructed_sequence(len, init, ty, span),
            T::Unary(op, operand) => return self.unary_expr(*op, operand, ty, span),
            T::Binary(BinaryOp::And, a, b) => ExprKind::And(self.boxed(a), self.boxed(b)),
            T::Binary(BinaryOp::Or, a, b) => ExprKind::Or(self.boxed(a), self.boxed(b)),
            T::Binary(BinaryOp::Implies, a, b) | T::Binary(BinaryOp::Explies, b, a) => {
                ExprKind::Implies(self.boxed(a), self.boxed(b))
            }
            T::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                return self.binary(*op, a, b, ty, span);
            }
            T::Chain { first, rest } => return self.chain(first, rest, span),
            T::PrefixEq {
                negated,
                limit,
                left,
                right,
            } => return self.prefix_eq(*negated, [limit, left, right], ty, span),
            T::Convert(e) => ExprKind::Convert(self.boxed(e)),
            T::Is(e, target) => ExprKind::Is(self.boxed(e), target.clone()),
            T::SetComp { vars, term } => {
                self.pure(|l| ExprKind::SetComp(l.quantified(vars), l.boxed(term)))
            }
            T::MapComp { vars, key, value } => {
                return self.map_comprehension(vars, key, value, ty, span);
            }
            T::Quantifier { forall, vars, body } => self.pure(|l| ExprKind::Quantifier {
                forall: *forall,
                vars: l.quantified(vars),
                body: l.boxed(body),
            }),
            T::Lambda(lambda) => return self.lambda_value(lambda, ty, span),
            T::If { cond, then, els } => {
                ExprKind::If(self.boxed(cond), self.boxed(then), self.boxed(els))
            }
            T::IfBinding { vars, then, els } => {
                ExprKind::IfSuchThat(self.quantified(vars), self.boxed(then), self.boxed(els))
            }
            T::Match { scrutinee, cases } => return self.pure_match(scrutinee, cases, ty, span),
            T::Let {
                ghost,
                bindings,
                body,
            } => return self.let_in(*ghost, bindings, body),
            T::LetSuchThat {
                ghost: _,
                vars,
                body,
            } => return self.let_such_that(vars, body, span),
            T::LetOrFail(l) => return self.pure_let_or_fail(l, ty, span),
            T::StmtExpr { stmt, body } => return self.after_stmt(stmt, body),
            // In executed code, blocks would evaluate the operand in the current state.
            T::Old { label, expr } => ExprKind::Old(
                self.older_state(label),
                self.pure(|l| l.in_older_state(|l| l.boxed(expr))),
            ),
            T::Fresh { label, expr } => ExprKind::Fresh(self.older_state(label), self.boxed(expr)),
            T::Allocated(e) => ExprKind::Allocated(self.boxed(e)),
            T::Unchanged { label, frame } => return self.unchanged(label, frame, ty, span),
            T::Assigned(_) => ExprKind::Unsupported(Construct::Assigned.into()),
            T::Wildcard => ExprKind::Unsupported(Construct::Wildcard.into()),
            T::Error => ExprKind::Unsupported(Construct::UnresolvedExpression.into()),
        };
        build::expr(kind, ty, span)
    }

    pub(super) fn boxed(&mut self, e: &'p typed::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    pub(super) fn exprs(&mut self, es: &'p [typed::Expr]) -> Vec<Expr> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn no_form(&self, what: &str, object: &typed::Expr, ty: Type, span: Span) -> Expr {
        build::unsupported(
            Reason::Form(what.into(), self.program.show_type(&object.ty).into()),
            ty,
            span,
        )
    }

    /// Returns the value as an atom; a variable is bound to a value that is no atom, and the
    /// binding is added to `bindings`, which must enclose all uses.
    pub(super) fn share(
        &mut self,
        value: Expr,
        name: &str,
        bindings: &mut Vec<(Var, Expr)>,
    ) -> Expr {
        if build::is_atom(&value) {
            return value;
        }
        let var = self.temp(name, value.ty.clone(), value.span);
        let atom = build::expr(ExprKind::Var(var), value.ty.clone(), value.span);
        bindings.push((var, value));
        atom
    }

    /// Lowers a literal. A number must belong to its newtype, which is an obligation.
    fn literal(&self, literal: &typed::Literal, ty: Type, span: Span) -> Expr {
        let kind = ExprKind::Literal(literal.clone());
        let base = self.program.representation(&ty);
        let is_null = matches!(literal, typed::Literal::Null);
        if !self.has_obligations() || is_null || base == self.program.strip_subset(&ty) {
            return build::expr(kind, ty, span);
        }
        build::expr(
            ExprKind::Convert(Box::new(build::expr(kind, base, span))),
            ty,
            span,
        )
    }

    /// Adds an assertion to executed code.
    pub(super) fn assert(&mut self, cond: Expr, kind: AssertKind) {
        let span = cond.span;
        self.oblige_assertion(&cond, kind);
        self.graph.push(StmtKind::Assert { cond, kind }, span);
    }
}

/// Returns the application of an operator to its operands.
fn operation(op: Op, operands: Vec<Expr>) -> ExprKind {
    ExprKind::Op(op, operands)
}

/// Whether an expression of this kind computes a new value instead of passing one on.
fn makes_value(kind: &typed::ExprKind) -> bool {
    use typed::ExprKind as T;
    match kind {
        T::CtorTest { .. }
        | T::Update { .. }
        | T::Slice { .. }
        | T::SliceLengths { .. }
        | T::Unary(..)
        | T::Binary(..)
        | T::Chain { .. }
        | T::PrefixEq { .. }
        | T::Is(..)
        | T::SeqDisplay(_)
        | T::SetDisplay(_)
        | T::MultisetDisplay(_)
        | T::MultisetFrom(_)
        | T::MapDisplay(_)
        | T::SeqConstruct { .. }
        | T::SetComp { .. }
        | T::MapComp { .. }
        | T::Quantifier { .. }
        | T::Builtin { .. }
        | T::Fresh { .. }
        | T::Allocated(_)
        | T::Unchanged { .. } => true,
        T::Apply { function, .. } => matches!(function.kind, T::Builtin { .. }),
        T::Literal(_)
        | T::Local(_)
        | T::This
        | T::Field { .. }
        | T::TupleField { .. }
        | T::Construct { .. }
        | T::Delayed(_)
        | T::Call(_)
        | T::FunctionRef { .. }
        | T::Index { .. }
        | T::DatatypeUpdate { .. }
        | T::TupleUpdate { .. }
        | T::Convert(_)
        | T::Cardinality(_)
        | T::Tuple(_)
        | T::Lambda(_)
        | T::If { .. }
        | T::IfBinding { .. }
        | T::Match { .. }
        | T::Let { .. }
        | T::LetSuchThat { .. }
        | T::LetOrFail(_)
        | T::StmtExpr { .. }
        | T::Old { .. }
        | T::Assigned(_)
        | T::Wildcard
        | T::Error => false,
    }
}

/// Returns `value`, which is ill-formed if `cond` is false.
pub(super) fn checked(cond: Expr, value: Expr) -> Expr {
    checked_as(ir::Check::Assert, cond.span, cond, value)
}

/// Returns `value` after a check with the span `place`.
pub(super) fn checked_as(check: ir::Check, place: Span, cond: Expr, value: Expr) -> Expr {
    let (ty, span) = (value.ty.clone(), value.span);
    let clause = ir::Clause { span: place, cond };
    build::expr(
        ExprKind::Checked(check, Box::new(clause), Box::new(value)),
        ty,
        span,
    )
}
