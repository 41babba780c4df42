//! Literals, operators and their precedences.

use dafny_resolve::typed::{BinaryOp, BuiltinMember, Expr, ExprKind, Literal};

use super::super::Written;
use super::super::value::{character, escaped, rational};
use super::Writer;

/// Precedences of operators, from loose to tight.
pub(super) const LOGIC: u8 = 2;
pub(super) const RELATION: u8 = 4;
pub(super) const SHIFT: u8 = 5;
pub(super) const SUM: u8 = 6;
pub(super) const PRODUCT: u8 = 7;
pub(super) const BITS: u8 = 8;
pub(super) const AS: u8 = 9;
pub(super) const UNARY: u8 = 10;
pub(super) const PRIMARY: u8 = 11;

impl Writer<'_, '_> {
    pub(super) fn literal(&self, literal: &Literal) -> Written<String> {
        let unicode = self.program().options.unicode_char;
        Ok(match literal {
            Literal::Bool(b) => b.to_string(),
            Literal::Int(n) => n.to_string(),
            Literal::Real(r) => rational(r),
            Literal::Char(c) => character(*c, unicode)?,
            Literal::String(units) => {
                let mut out = String::from("\"");
                for u in units {
                    out.push_str(&escaped(*u, unicode)?);
                }
                out.push('"');
                out
            }
            Literal::Null => "null".into(),
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Written<(String, u8)> {
        let (sign, precedence) = operator(op);
        // Operators of the same level can be chained without parentheses if they are equal and
        // left-associative.
        let is_same = |e: &Expr| matches!(&e.kind, ExprKind::Binary(other, ..) if *other == op);
        let (left, right) = match precedence {
            LOGIC => {
                let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
                let left = if joins && is_same(a) {
                    LOGIC
                } else {
                    LOGIC + 1
                };
                let right = if op == BinaryOp::Implies && is_same(b) {
                    LOGIC
                } else {
                    LOGIC + 1
                };
                (left, right)
            }
            BITS => (if is_same(a) { BITS } else { BITS + 1 }, BITS + 1),
            RELATION => (RELATION + 1, RELATION + 1),
            other => (other, other + 1),
        };
        Ok((
            format!("{} {sign} {}", self.expr(a, left)?, self.expr(b, right)?),
            precedence,
        ))
    }
}

pub(super) fn is_negative(literal: &Literal) -> bool {
    use num_traits::Signed as _;
    match literal {
        Literal::Int(n) => n.is_negative(),
        Literal::Real(r) => r.is_negative(),
        Literal::Bool(_) | Literal::Char(_) | Literal::String(_) | Literal::Null => false,
    }
}

pub(super) fn builtin(member: BuiltinMember, dims: u32) -> Written<String> {
    Ok(match member {
        BuiltinMember::ArrayLength(_) if dims == 1 => "Length".into(),
        BuiltinMember::ArrayLength(i) => format!("Length{i}"),
        BuiltinMember::IsLimit => "IsLimit".into(),
        BuiltinMember::IsSucc => "IsSucc".into(),
        BuiltinMember::OrdinalOffset => "Offset".into(),
        BuiltinMember::IsNat => "IsNat".into(),
        BuiltinMember::FunctionRequires => {
            return Err("`requires` of a function value is ghost".into());
        }
        BuiltinMember::FunctionReads => return Err("`reads` of a function value is ghost".into()),
        BuiltinMember::RotateLeft => "RotateLeft".into(),
        BuiltinMember::RotateRight => "RotateRight".into(),
        BuiltinMember::Keys => "Keys".into(),
        BuiltinMember::Values => "Values".into(),
        BuiltinMember::Items => "Items".into(),
        BuiltinMember::Floor => "Floor".into(),
    })
}

/// Returns the text of an operator and its precedence.
pub(super) fn operator(op: BinaryOp) -> (&'static str, u8) {
    let precedence = match op {
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
            LOGIC
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
        | BinaryOp::Disjoint => RELATION,
        BinaryOp::Shl | BinaryOp::Shr => SHIFT,
        BinaryOp::Add | BinaryOp::Sub => SUM,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => PRODUCT,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => BITS,
    };
    (op.as_str(), precedence)
}
