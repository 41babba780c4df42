//! Lowering of operators and of chains of comparisons. The types of the operands select the
//! operation.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, BinaryOp, Type, UnaryOp};
use dafny_source::Span;
use dtest_ir::reason::Reason;
use dtest_ir::{Coll, Expr, ExprKind, Num, Op};

impl<'p> Lowerer<'p> {
    /// Returns the arithmetic of a numeric type.
    pub(super) fn num(&self, ty: &Type) -> Option<Num> {
        match self.program.representation(ty) {
            Type::Int => Some(Num::Int),
            Type::Real => Some(Num::Real),
            Type::Bv(n) => Some(Num::Bv(n)),
            Type::Char => Some(Num::Char),
            Type::Ordinal => Some(Num::Ordinal),
            Type::Bool
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => None,
        }
    }

    /// Returns the kind of a collection type.
    pub(super) fn coll(&self, ty: &Type) -> Option<Coll> {
        match self.program.representation(ty) {
            Type::Seq(_) => Some(Coll::Seq),
            Type::Set { .. } => Some(Coll::Set),
            Type::Multiset(_) => Some(Coll::Multiset),
            Type::Map { .. } => Some(Coll::Map),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => None,
        }
    }

    pub(super) fn unary(&self, op: UnaryOp, operand: Expr, ty: Type, span: Span) -> Expr {
        let op = match op {
            UnaryOp::Not => Op::Not,
            UnaryOp::BitNot => Op::BitNot,
            UnaryOp::Neg => match self.num(&operand.ty) {
                Some(num) => Op::Neg(num),
                None => return self.no_operation("-", &operand.ty, ty, span),
            },
        };
        build::op(op, vec![operand], ty, span)
    }

    pub(super) fn unary_expr(
        &mut self,
        op: UnaryOp,
        operand: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        // A negative number is a single literal, unless parentheses separate the sign from the
        // digits.
        let operand = match (op, &operand.kind) {
            (UnaryOp::Neg, typed::ExprKind::Literal(l)) if !has_parens(operand) => build::expr(
                ExprKind::Literal(l.clone()),
                operand.ty.clone(),
                operand.span,
            ),
            (UnaryOp::Neg | UnaryOp::Not | UnaryOp::BitNot, _) => self.expr(operand),
        };
        self.unary(op, operand, ty, span)
    }

    /// Lowers the equality of two codatatype values up to a depth.
    pub(super) fn prefix_eq(
        &mut self,
        negated: bool,
        operands: [&'p typed::Expr; 3],
        ty: Type,
        span: Span,
    ) -> Expr {
        let operands = operands.into_iter().map(|e| self.expr(e)).collect();
        let same = build::op(Op::PrefixEq, operands, ty, span);
        if negated { build::not(same) } else { same }
    }

    /// Lowers `a <= b < c` to a conjunction. A middle operand is evaluated once, and an operand to
    /// the right only if the links before it hold.
    pub(super) fn chain(
        &mut self,
        first: &'p typed::Expr,
        rest: &'p [(BinaryOp, typed::Expr)],
        span: Span,
    ) -> Expr {
        let mut bindings = Vec::new();
        let first = self.expr(first);
        let is_read_again = rest.len() > 1 && rest.iter().all(|(op, _)| *op == BinaryOp::Disjoint);
        let first = if is_read_again {
            self.share(first, "$operand", &mut bindings)
        } else {
            first
        };
        let whole = self
            .chain_links(vec![first], rest)
            .unwrap_or_else(|| build::boolean(true, span));
        build::lets(bindings, whole)
    }

    /// Lowers the comparisons of a chain; `lefts` are the operands to their left. The result is
    /// `None` if there are no comparisons.
    pub(super) fn chain_links(
        &mut self,
        lefts: Vec<Expr>,
        rest: &'p [(BinaryOp, typed::Expr)],
    ) -> Option<Expr> {
        let ((op, right), rest) = rest.split_first()?;
        let right = self.expr(right);
        let mut bindings = Vec::new();
        let right = if rest.is_empty() && lefts.len() == 1 {
            right
        } else {
            self.share(right, "$operand", &mut bindings)
        };
        let link = self.link(*op, &lefts, &right)?;
        let whole = match self.chain_links(Self::lefts(*op, lefts, right), rest) {
            Some(more) => build::and(link, more),
            None => link,
        };
        Some(build::lets(bindings, whole))
    }

    /// Lowers one comparison of a chain with the operands to its left: `A !! B !! C` requires each
    /// set to be disjoint from all before it.
    pub(super) fn link(&mut self, op: BinaryOp, lefts: &[Expr], right: &Expr) -> Option<Expr> {
        let links = lefts.iter().map(|left| {
            let span = left.span.to(right.span);
            self.binary(op, left.clone(), right.clone(), Type::Bool, span)
        });
        links.collect::<Vec<_>>().into_iter().reduce(build::and)
    }

    /// Returns the left operands of the next comparison of a chain.
    pub(super) fn lefts(op: BinaryOp, lefts: Vec<Expr>, right: Expr) -> Vec<Expr> {
        let before = if op == BinaryOp::Disjoint {
            lefts
        } else {
            Vec::new()
        };
        before.into_iter().chain([right]).collect()
    }

    /// Lowers a strict binary operator with lowered operands. Short-circuit operators are lowered
    /// elsewhere.
    pub(super) fn binary(
        &self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let (num, coll) = (self.num(&left.ty), self.coll(&left.ty));
        let arithmetic =
            |of_num: fn(Num) -> Op, of_coll: Option<fn(Coll) -> Op>| match (num, coll, of_coll) {
                (Some(n), _, _) => Some(of_num(n)),
                (None, Some(c), Some(f)) => Some(f(c)),
                (None, _, _) => None,
            };
        let mut operands = [left, right];
        // The type of the left operand selects between arithmetic and collections; other
        // comparisons are structural.
        let chosen = match op {
            BinaryOp::Iff | BinaryOp::Eq => Some(Op::Eq),
            BinaryOp::Ne => Some(Op::Ne),
            BinaryOp::Lt | BinaryOp::Gt => arithmetic(Op::Lt, Some(Op::Subset)).or(Some(Op::Below)),
            BinaryOp::Le | BinaryOp::Ge => arithmetic(Op::Le, Some(Op::SubsetEq)),
            BinaryOp::Above => Some(Op::Below),
            BinaryOp::In | BinaryOp::NotIn => self.coll(&operands[1].ty).map(Op::In),
            BinaryOp::Disjoint => coll.map(Op::Disjoint),
            BinaryOp::Shl => Some(Op::Shl),
            BinaryOp::Shr => Some(Op::Shr),
            BinaryOp::Add => arithmetic(Op::Add, Some(Op::Union)),
            BinaryOp::Sub => arithmetic(Op::Sub, Some(Op::Difference)),
            BinaryOp::Mul => arithmetic(Op::Mul, Some(Op::Intersect)),
            BinaryOp::Div => arithmetic(Op::Div, None),
            BinaryOp::Mod => arithmetic(Op::Mod, None),
            BinaryOp::BitAnd => Some(Op::BitAnd),
            BinaryOp::BitOr => Some(Op::BitOr),
            BinaryOp::BitXor => Some(Op::BitXor),
            BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => None,
        };
        let Some(chosen) = chosen else {
            return self.no_operation(op.as_str(), &operands[0].ty, ty, span);
        };
        // The IR has one direction of each comparison only.
        if matches!(op, BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Above) {
            operands.swap(0, 1);
        }
        let result = build::op(chosen, operands.into(), ty, span);
        if op == BinaryOp::NotIn {
            build::not(result)
        } else {
            result
        }
    }

    fn no_operation(&self, symbol: &str, operand: &Type, ty: Type, span: Span) -> Expr {
        build::unsupported(
            Reason::Operator(symbol.into(), self.program.show_type(operand).into()),
            ty,
            span,
        )
    }
}

/// Whether the span of a literal with several decimal digits includes parentheses.
fn has_parens(literal: &typed::Expr) -> bool {
    let typed::ExprKind::Literal(typed::Literal::Int(n)) = &literal.kind else {
        return false;
    };
    let digits = n.to_string().len();
    digits > 1 && literal.span.end.saturating_sub(literal.span.start) as usize == digits + 2
}
