//! Typing rules of the operators.

use crate::typed::{BinaryOp, Expr, ExprKind, Literal, Type, TypeDeclKind, UnaryOp};
use dafny_source::Span;
use dafny_syntax::ast;

use super::expr::{boxed, mk};
use super::infer::VarKind;
use super::needs::Kind;
use super::{Pending, Resolver, Round};

/// Converts a parsed operator to a typed one.
pub(super) fn typed_op(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Iff => BinaryOp::Iff,
        ast::BinaryOp::Implies => BinaryOp::Implies,
        ast::BinaryOp::Explies => BinaryOp::Explies,
        ast::BinaryOp::And => BinaryOp::And,
        ast::BinaryOp::Or => BinaryOp::Or,
        ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::In => BinaryOp::In,
        ast::BinaryOp::NotIn => BinaryOp::NotIn,
        ast::BinaryOp::Disjoint => BinaryOp::Disjoint,
        ast::BinaryOp::Shl => BinaryOp::Shl,
        ast::BinaryOp::Shr => BinaryOp::Shr,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Mod => BinaryOp::Mod,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
    }
}

/// The class of operand types that selects the typing rule of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Sets, sequences and multisets, whose joins are independent of the element types.
    Collection,
    Map,
    /// Inductive datatypes and tuples. For these, `<` compares ranks.
    Inductive,
    Param,
    Unknown,
    Other,
}

impl Resolver<'_> {
    fn shape(&self, ty: &Type) -> Shape {
        match self.representation(ty) {
            Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) => Shape::Collection,
            Type::Map { .. } => Shape::Map,
            Type::Error => Shape::Unknown,
            Type::Named { decl, .. } => match self.cx.program[decl].kind {
                TypeDeclKind::Datatype { co: false, .. } => Shape::Inductive,
                TypeDeclKind::Datatype { co: true, .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => Shape::Other,
            },
            ty @ Type::Param(_) => match self.st.inf.kind(&ty) {
                Some(VarKind::IntLike | VarKind::RealLike) => Shape::Other,
                Some(VarKind::Any | VarKind::Null) => Shape::Unknown,
                None => Shape::Param,
            },
            Type::Tuple(_) => Shape::Inductive,
            Type::Int
            | Type::Real
            | Type::Ordinal
            | Type::Bv(_)
            | Type::Char
            | Type::Bool
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. } => Shape::Other,
        }
    }

    pub(super) fn unary(
        &mut self,
        op: ast::UnaryOp,
        operand: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        match op {
            ast::UnaryOp::Not => {
                let x = self.expr(operand, hint);
                // `!` of an unknown operand is the negation of a truth value, as long as nothing
                // says otherwise.
                if self.st.inf.is_unbound(&x.ty) && self.st.inf.kind(&x.ty) == Some(VarKind::Any) {
                    self.flow(&x.ty, &Type::Bool);
                }
                self.need(Kind::BoolOrBits, &x.ty, "the operand of `!`", x.span);
                // A literal that is an operand of `!` must be a bitvector.
                let bits = matches!(self.representation(&x.ty), Type::Bv(_))
                    || self.st.inf.kind(&x.ty) == Some(VarKind::IntLike);
                let ty = self.literal_or_base(&x.ty);
                mk(
                    ExprKind::Unary(if bits { UnaryOp::BitNot } else { UnaryOp::Not }, boxed(x)),
                    ty,
                    span,
                )
            }
            ast::UnaryOp::Neg => {
                let x = self.expr(operand, hint);
                self.need(
                    Kind::NumberOrBits,
                    &x.ty,
                    "the operand of unary `-`",
                    x.span,
                );
                let ty = self.literal_or_base(&x.ty);
                mk(ExprKind::Unary(UnaryOp::Neg, boxed(x)), ty, span)
            }
        }
    }

    /// The type of a connective: a newtype over `bool` if an operand has one.
    fn logical_type(&mut self, l: &Expr, r: &Expr) -> Type {
        let newtype = |e: &Expr| {
            Some(self.base(&e.ty))
                .filter(|t| *t != Type::Bool && self.representation(t) == Type::Bool)
        };
        newtype(l).or_else(|| newtype(r)).unwrap_or(Type::Bool)
    }

    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let op = typed_op(op);
        match op {
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or => {
                let (l, r) = if matches!(op, BinaryOp::Explies) {
                    // `A <== B` evaluates the right operand first: it may bind names for errors of
                    // the left one.
                    let r = self.logical(right, span);
                    (self.logical(left, span), r)
                } else {
                    (self.logical(left, span), self.logical(right, span))
                };
                let ty = if self.cx.program.options.type_system_refresh {
                    self.logical_join(op, &l, &r, span)
                } else {
                    self.logical_type(&l, &r)
                };
                mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span)
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Above
            | BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Disjoint => {
                let l = self.expr(left, None);
                let hint = self.right_hint(op, &l);
                let r = self.expr(right, hint.as_ref());
                self.relation(op, &l, &r, span);
                mk(ExprKind::Binary(op, boxed(l), boxed(r)), Type::Bool, span)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let l = self.expr(left, hint);
                let r = self.expr(right, None);
                self.need(
                    Kind::Bits,
                    &l.ty,
                    format!("the left operand of `{}`", op.as_str()),
                    span,
                );
                self.need(
                    Kind::IntegerOrBits,
                    &r.ty,
                    format!("the right operand of `{}`", op.as_str()),
                    span,
                );
                let ty = self.literal_or_base(&l.ty);
                mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span)
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => self.arithmetic(op, left, right, hint, span),
        }
    }

    /// The type of a connective in the new type system: the type that both operands have.
    fn logical_join(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) -> Type {
        let join = self.fresh();
        let (x, y) = (self.literal_or_base(&l.ty), self.literal_or_base(&r.ty));
        if !(self.flow(&x, &join) && self.flow(&y, &join)) {
            let message = format!(
                "{} cannot be used on values of types {} and {}",
                op.as_str(),
                self.show(&l.ty),
                self.show(&r.ty)
            );
            self.mismatch_in(Round::Supertype, span, message);
        }
        self.settle_operands(l, r, &join);
        if self.st.inf.kind(&join) == Some(VarKind::Any) {
            self.flow(&join, &Type::Bool);
        }
        let what = format!("an operand of `{}`", op.as_str());
        self.need(Kind::Bool, &join, what, span);
        join
    }

    /// Resolves an operand of the connective at `span`.
    fn logical(&mut self, e: &ast::Expr, span: Span) -> Expr {
        let x = self.expr(e, Some(&Type::Bool));
        if self.cx.program.options.type_system_refresh {
            return x;
        }
        if self.representation(&x.ty) != Type::Bool {
            self.expect_bool(&x.ty, span);
        }
        x
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let l = self.expr(left, hint);
        // The left operand's type is the best hint for the right one; without it, the expected
        // type.
        let known = !self.st.inf.is_unbound(&l.ty);
        let right_hint = if known {
            Some(l.ty.clone())
        } else {
            hint.cloned()
        };
        let r = self.expr(right, right_hint.as_ref());
        let shape = self.shape(&l.ty);
        // `map - set` removes keys: the operands have different types.
        if op == BinaryOp::Sub && shape == Shape::Map {
            if let Type::Map { key, .. } = self.representation(&l.ty) {
                let keys = Type::Set {
                    finite: true,
                    elem: key,
                };
                let elements = self.representation(&r.ty);
                self.expect_type(&elements, &keys, span);
            }
            let ty = self.base(&l.ty);
            return mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span);
        }
        let ty = self.joined_operands(op, &l, &r, shape, span);
        // Whether the operator accepts the type is checked when the type is known.
        let what = format!("an operand of `{}`", op.as_str());
        match op {
            BinaryOp::Add => self.need(Kind::Plus, &ty, what, span),
            BinaryOp::Sub => self.need(Kind::Minus, &ty, what, span),
            BinaryOp::Mul => self.need(Kind::Times, &ty, what, span),
            BinaryOp::Div => self.need(Kind::NumberOrBits, &ty, what, span),
            BinaryOp::Mod => self.need(Kind::IntegerOrBits, &ty, what, span),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.need(
                    Kind::Bits,
                    &l.ty,
                    format!("the left operand of `{}`", op.as_str()),
                    span,
                );
                self.need(
                    Kind::Bits,
                    &r.ty,
                    format!("the right operand of `{}`", op.as_str()),
                    span,
                );
            }
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Above
            | BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Disjoint
            | BinaryOp::Shl
            | BinaryOp::Shr => {}
        }
        mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span)
    }

    /// The join of the types of two operands, on which all operators but `map - set` work.
    fn joined_operands(
        &mut self,
        op: BinaryOp,
        l: &Expr,
        r: &Expr,
        shape: Shape,
        span: Span,
    ) -> Type {
        let (x, y) = (self.literal_or_base(&l.ty), self.literal_or_base(&r.ty));
        if x == y && !matches!(shape, Shape::Collection | Shape::Map) {
            return x;
        }
        // A fresh variable for the join: collections may have elements of a wider type than either
        // operand.
        let join = self.fresh();
        let ok = self.flow(&x, &join) && self.flow(&y, &join);
        if !ok {
            let message = format!(
                "{} cannot be used on values of types {} and {}",
                op.as_str(),
                self.show(&l.ty),
                self.show(&r.ty)
            );
            let round = self.round_of(Round::Supertype, &l.ty, &r.ty);
            self.mismatch_in(round, span, message);
        }
        self.settle_operands(l, r, &join);
        join
    }

    /// Whether two operands have a common supertype, which suffices for `<=` and the like in the new
    /// type system.
    fn have_join(&mut self, a: &Type, b: &Type) -> bool {
        self.cx.program.options.type_system_refresh && {
            let join = self.fresh();
            self.flow(a, &join) && self.flow(b, &join)
        }
    }

    /// Gives operands of unknown type, and literals, the type of the operation.
    fn settle_operands(&mut self, l: &Expr, r: &Expr, join: &Type) {
        for side in [&l.ty, &r.ty] {
            if self.st.inf.is_unbound(side) || self.st.inf.is_of_literals(side) {
                self.flow(side, join);
            }
        }
    }

    /// The base of the type. A type that only literals determine stays as it is, because it yields
    /// to others.
    fn literal_or_base(&self, ty: &Type) -> Type {
        if self.st.inf.is_of_literals(ty) {
            ty.clone()
        } else {
            self.base(ty)
        }
    }

    fn right_hint(&self, op: BinaryOp, left: &Expr) -> Option<Type> {
        if matches!(op, BinaryOp::In | BinaryOp::NotIn) {
            None
        } else {
            Some(left.ty.clone())
        }
    }

    pub(super) fn chain(
        &mut self,
        first: &ast::Expr,
        rest: &[(ast::BinaryOp, ast::Expr)],
        span: Span,
    ) -> Expr {
        let first = self.expr(first, None);
        let mut links: Vec<(BinaryOp, Expr)> = Vec::with_capacity(rest.len());
        for (op, e) in rest {
            let op = typed_op(*op);
            let previous = links.last().map_or(&first, |(_, e)| e);
            let hint = self.right_hint(op, previous);
            let e = self.expr(e, hint.as_ref());
            let previous = links.last().map_or(&first, |(_, e)| e);
            let at = previous.span.to(e.span);
            let previous = mk(ExprKind::Wildcard, previous.ty.clone(), previous.span);
            self.relation(op, &previous, &e, at);
            links.push((op, e));
        }
        mk(
            ExprKind::Chain {
                first: boxed(first),
                rest: links,
            },
            Type::Bool,
            span,
        )
    }

    /// Checks a comparison of two typed operands.
    pub(super) fn relation(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) {
        match op {
            BinaryOp::In | BinaryOp::NotIn => {
                // The constraint needs the type of the collection. Other constraints may determine
                // it now; otherwise this one waits.
                if self.st.inf.is_unbound(&self.base(&r.ty)) {
                    self.settle();
                }
                if self.st.inf.is_unbound(&self.base(&r.ty)) {
                    self.st.pending.push(Pending::In {
                        elem: l.ty.clone(),
                        collection: r.ty.clone(),
                        span,
                    });
                } else {
                    self.membership(&l.ty, &r.ty, span);
                }
            }
            BinaryOp::Disjoint => {
                self.comparable_operands(Round::Supertype, l, r, span);
                self.need(Kind::Disjoint, &l.ty, "an operand of `!!`", span);
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff => self.comparable(l, r, span),
            // All types are allowed.
            BinaryOp::Above => {}
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (lesser, greater) = if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
                    (l, r)
                } else {
                    (r, l)
                };
                // Whether the operator compares ranks depends on the types.
                if matches!(op, BinaryOp::Lt | BinaryOp::Gt) {
                    self.solve_partly(l);
                    self.solve_partly(r);
                }
                let (a, b) = (self.shape(&lesser.ty), self.shape(&greater.ty));
                // `<` on datatypes compares ranks, for which the types need not be related.
                let ranked = matches!(a, Shape::Inductive | Shape::Param) || b == Shape::Inductive;
                if ranked && matches!(op, BinaryOp::Lt | BinaryOp::Gt) {
                    let what = format!("an operand of `{}` as rank", op.as_str());
                    self.need(
                        Kind::Ranked { lesser: true },
                        &lesser.ty,
                        what.clone(),
                        span,
                    );
                    self.need(Kind::Ranked { lesser: false }, &greater.ty, what, span);
                    return;
                }
                // Dafny knows the type of a selected element only after its first round.
                let is_strict = matches!(op, BinaryOp::Lt | BinaryOp::Gt);
                let refresh = self.cx.program.options.type_system_refresh;
                let round = if refresh && is_strict {
                    Round::Guarded
                } else if !refresh && (is_selected(l) || is_selected(r)) {
                    Round::Others
                } else {
                    Round::Supertype
                };
                self.comparable_operands(round, l, r, span);
                let kind = match (matches!(op, BinaryOp::Lt | BinaryOp::Le), is_strict) {
                    (true, false) => Kind::Less,
                    (true, true) => Kind::StrictlyLess,
                    (false, false) => Kind::Greater,
                    (false, true) => Kind::StrictlyGreater,
                };
                self.need(
                    kind,
                    &l.ty,
                    format!("an operand of `{}`", op.as_str()),
                    span,
                );
            }
            BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => {
                self.expect_bool(&l.ty, span);
                self.expect_bool(&r.ty, span);
            }
        }
    }

    /// Checks `elem in collection`.
    pub(super) fn membership(&mut self, elem: &Type, collection: &Type, span: Span) {
        let ty = self.representation(collection);
        if let Type::Seq(e)
        | Type::Set { elem: e, .. }
        | Type::Multiset(e)
        | Type::Map { key: e, .. } = ty
        {
            self.comparable_in(Round::Deferred, elem, &e, span)
        } else if ty != Type::Error {
            let message = format!(
                "`in` requires a collection, found {}",
                self.show(collection)
            );
            self.wrong_operand(span, message);
        }
    }

    pub(super) fn comparable(&mut self, l: &Expr, r: &Expr, span: Span) {
        self.comparable_operands(Round::Comparable, l, r, span);
    }

    /// Requires that one of the types is a subtype of the other.
    pub(super) fn comparable_types(&mut self, a: &Type, b: &Type, span: Span) {
        self.comparable_in(Round::Comparable, a, b, span);
    }

    /// The round in which Dafny reports an error of two types. It is later if the context had to
    /// determine the type of a literal. Operands with a common supertype have that of the first
    /// operand.
    pub(super) fn round_of(&self, round: Round, a: &Type, b: &Type) -> Round {
        let is_open = |t: &Type| self.st.inf.kind(t).is_some();
        // The type of a literal is chosen last.
        if is_open(b) || is_open(a) && round != Round::Supertype {
            Round::Literals
        } else {
            round
        }
    }

    fn comparable_operands(&mut self, round: Round, l: &Expr, r: &Expr, span: Span) {
        self.comparable_in(round, &l.ty, &r.ty, span);
    }

    fn comparable_in(&mut self, round: Round, a: &Type, b: &Type, span: Span) {
        let fits = self.st.inf.comparable(&self.cx.program, a, b)
            || matches!(round, Round::Supertype | Round::Guarded) && self.have_join(a, b);
        if !fits {
            let (one, other) = self.st.inf.show_both(&self.cx.program, a, b);
            let message = format!("values of types {one} and {other} cannot be compared");
            let round = self.round_of(round, a, b);
            self.mismatch_in(round, span, message);
        }
    }
}

/// Whether the older type system infers the type of the expression whatever the types of its
/// operands are, as for numbers, arithmetic, elements of collections and conditionals.
pub(super) fn has_own_type(e: &Expr) -> bool {
    let is_arithmetic = |op: BinaryOp| {
        matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Mod
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
        )
    };
    matches!(
        e.kind,
        ExprKind::Literal(Literal::Int(_) | Literal::Real(_))
            | ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot, _)
            | ExprKind::Index { .. }
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
    ) || matches!(e.kind, ExprKind::Binary(op, ..) if is_arithmetic(op))
}

/// Whether Dafny learns the type of the expression only when it solves its constraints, as for an
/// element of a collection.
fn is_selected(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Index { .. })
}
