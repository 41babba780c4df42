//! Lowering of operators: the types of the operands select the operation.

use super::{Lowerer, build};
use dafny_resolve::typed::{BinaryOp, Type, UnaryOp};
use dafny_source::Span;
use dtest_ir::reason::Reason;
use dtest_ir::{Coll, Expr, Num, Op};

impl Lowerer<'_> {
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
