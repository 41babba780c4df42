//! Typing rules of the operators.

use crate::source::Span;
use crate::syntax::ast;
use crate::typed::{BinaryOp, Expr, ExprKind, Type, TypeDeclKind, UnaryOp};

use super::expr::{boxed, mk};
use super::infer::VarKind;
use super::{Pending, Resolver};

/// The typed operator of a parsed one.
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

/// The operator as Dafny writes it.
pub(super) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "<==>",
        BinaryOp::Implies => "==>",
        BinaryOp::Explies => "<==",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Above => "decreases to",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "!in",
        BinaryOp::Disjoint => "!!",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

/// What an operator works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Number,
    Bits,
    Char,
    Seq,
    Set,
    Multiset,
    Map,
    Unknown,
    Ranked,
    Other,
}

impl Resolver<'_> {
    fn shape(&self, ty: &Type) -> Shape {
        match self.representation(ty) {
            Type::Int | Type::Real | Type::Ordinal => Shape::Number,
            Type::Bv(_) => Shape::Bits,
            Type::Char => Shape::Char,
            Type::Seq(_) => Shape::Seq,
            Type::Set { .. } => Shape::Set,
            Type::Multiset(_) => Shape::Multiset,
            Type::Map { .. } => Shape::Map,
            Type::Error => Shape::Unknown,
            Type::Named { decl, .. } => match self.cx.program[decl].kind {
                TypeDeclKind::Datatype { .. } => Shape::Ranked,
                TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => Shape::Other,
            },
            ty @ Type::Param(_) => match self.st.inf.kind(&ty) {
                Some(VarKind::IntLike | VarKind::RealLike) => Shape::Number,
                Some(VarKind::Any | VarKind::Null) => Shape::Unknown,
                None => Shape::Ranked,
            },
            Type::Tuple(_) => Shape::Ranked,
            Type::Bool | Type::Arrow { .. } | Type::Array { .. } | Type::Object { .. } => Shape::Other,
        }
    }

    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr, hint: Option<&Type>, span: Span) -> Expr {
        match op {
            ast::UnaryOp::Not => {
                let x = self.expr(operand, hint);
                if self.st.inf.is_unbound(&x.ty) && self.st.inf.kind(&x.ty) == Some(VarKind::Any) {
                    self.flow(&x.ty, &Type::Bool);
                }
                let bits = matches!(self.representation(&x.ty), Type::Bv(_)) || self.st.inf.kind(&x.ty) == Some(VarKind::IntLike);
                if bits {
                    let ty = self.base(&x.ty);
                    return mk(ExprKind::Unary(UnaryOp::BitNot, boxed(x)), ty, span);
                }
                let boolean = matches!(self.representation(&x.ty), Type::Bool | Type::Error);
                if !boolean {
                    self.expect(&x, &Type::Bool);
                }
                let ty = self.base(&x.ty);
                mk(ExprKind::Unary(UnaryOp::Not, boxed(x)), ty, span)
            }
            ast::UnaryOp::Neg => {
                let x = self.expr(operand, hint);
                if !matches!(self.shape(&x.ty), Shape::Number | Shape::Bits | Shape::Unknown) {
                    self.error("resolve/type-mismatch", span, format!("unary - needs a number, found {}", self.show(&x.ty)));
                }
                let ty = self.base(&x.ty);
                mk(ExprKind::Unary(UnaryOp::Neg, boxed(x)), ty, span)
            }
        }
    }

    /// The type of a connective: a newtype over `bool` where an operand is of one.
    fn logical_type(&mut self, l: &Expr, r: &Expr) -> Type {
        let newtype = |e: &Expr| Some(self.base(&e.ty)).filter(|t| *t != Type::Bool && self.representation(t) == Type::Bool);
        newtype(l).or_else(|| newtype(r)).unwrap_or(Type::Bool)
    }

    pub(super) fn binary(&mut self, op: ast::BinaryOp, left: &ast::Expr, right: &ast::Expr, hint: Option<&Type>, span: Span) -> Expr {
        let op = typed_op(op);
        match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
                let (l, r) = match op {
                    // The right operand is evaluated first, and may name what makes the left one meaningful.
                    BinaryOp::Explies => {
                        let r = self.logical(right);
                        (self.logical(left), r)
                    }
                    _ => (self.logical(left), self.logical(right)),
                };
                let ty = self.logical_type(&l, &r);
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
                let r = self.integer(right);
                if !matches!(self.shape(&l.ty), Shape::Bits | Shape::Unknown) && self.st.inf.kind(&l.ty) != Some(VarKind::IntLike) {
                    self.error("resolve/type-mismatch", l.span, format!("{} needs a bitvector, found {}", symbol(op), self.show(&l.ty)));
                }
                let ty = self.base(&l.ty);
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

    fn logical(&mut self, e: &ast::Expr) -> Expr {
        let x = self.expr(e, Some(&Type::Bool));
        if self.representation(&x.ty) != Type::Bool {
            self.expect(&x, &Type::Bool);
        }
        x
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, hint: Option<&Type>, span: Span) -> Expr {
        let l = self.expr(left, hint);
        let known = !self.st.inf.is_unbound(&l.ty);
        let right_hint = if known { Some(l.ty.clone()) } else { hint.cloned() };
        let r = self.expr(right, right_hint.as_ref());
        let (mut a, b) = (self.shape(&l.ty), self.shape(&r.ty));
        if a == Shape::Unknown {
            a = b;
        }
        // `map - set` takes keys away.
        if op == BinaryOp::Sub && a == Shape::Map && b != Shape::Map {
            if let (Type::Map { key, .. }, Type::Set { elem, .. }) = (self.representation(&l.ty), self.representation(&r.ty)) {
                self.comparable_types(&elem, &key, r.span);
            }
            let ty = self.base(&l.ty);
            return mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span);
        }
        let fine = match op {
            BinaryOp::Add => matches!(
                a,
                Shape::Number | Shape::Bits | Shape::Char | Shape::Seq | Shape::Set | Shape::Multiset | Shape::Map | Shape::Unknown
            ),
            BinaryOp::Sub => matches!(a, Shape::Number | Shape::Bits | Shape::Char | Shape::Set | Shape::Multiset | Shape::Unknown),
            BinaryOp::Mul => matches!(a, Shape::Number | Shape::Bits | Shape::Set | Shape::Multiset | Shape::Unknown),
            BinaryOp::Div | BinaryOp::Mod => matches!(a, Shape::Number | Shape::Bits | Shape::Unknown),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => matches!(a, Shape::Bits | Shape::Number | Shape::Unknown),
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
            | BinaryOp::Shr => false,
        };
        if !fine {
            self.error("resolve/type-mismatch", span, format!("{} cannot be used on values of type {}", symbol(op), self.show(&l.ty)));
            return self.broken(span);
        }
        let (x, y) = (self.base(&l.ty), self.base(&r.ty));
        let ty = if x == y && !matches!(a, Shape::Seq | Shape::Set | Shape::Multiset | Shape::Map) {
            x
        } else {
            let join = self.fresh();
            let ok = self.flow(&x, &join) && self.flow(&y, &join);
            if !ok {
                let message = format!("{} cannot be used on values of types {} and {}", symbol(op), self.show(&l.ty), self.show(&r.ty));
                self.error("resolve/type-mismatch", span, message);
            }
            // A side that was not known is what the other side is.
            for side in [&l.ty, &r.ty] {
                if self.st.inf.is_unbound(side) {
                    self.flow(side, &join);
                }
            }
            join
        };
        mk(ExprKind::Binary(op, boxed(l), boxed(r)), ty, span)
    }

    fn right_hint(&self, op: BinaryOp, left: &Expr) -> Option<Type> {
        match op {
            BinaryOp::In | BinaryOp::NotIn => None,
            _ => Some(left.ty.clone()),
        }
    }

    pub(super) fn chain(&mut self, first: &ast::Expr, rest: &[(ast::BinaryOp, ast::Expr)], span: Span) -> Expr {
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
        mk(ExprKind::Chain { first: boxed(first), rest: links }, Type::Bool, span)
    }

    /// Checks a comparison of two typed operands.
    pub(super) fn relation(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) {
        match op {
            BinaryOp::In | BinaryOp::NotIn => {
                if self.st.inf.is_unbound(&self.base(&r.ty)) {
                    self.settle();
                }
                if self.st.inf.is_unbound(&self.base(&r.ty)) {
                    self.st.pending.push(Pending::In { elem: l.ty.clone(), collection: r.ty.clone(), span });
                } else {
                    self.membership(&l.ty, &r.ty, span);
                }
            }
            BinaryOp::Disjoint => {
                self.comparable(l, r, span);
                if !matches!(self.shape(&l.ty), Shape::Set | Shape::Multiset | Shape::Unknown) {
                    self.error("resolve/type-mismatch", span, format!("!! needs sets or multisets, found {}", self.show(&l.ty)));
                }
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Iff => self.comparable(l, r, span),
            // Any two values.
            BinaryOp::Above => {}
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (a, b) = (self.shape(&l.ty), self.shape(&r.ty));
                if (a == Shape::Ranked || b == Shape::Ranked) && matches!(op, BinaryOp::Lt | BinaryOp::Gt) {
                    // Rank: any two inductive values.
                    return;
                }
                self.comparable(l, r, span);
                let known = if a == Shape::Unknown { b } else { a };
                if matches!(known, Shape::Other | Shape::Map | Shape::Ranked) {
                    self.error(
                        "resolve/type-mismatch",
                        span,
                        format!("{} cannot be used on values of type {}", symbol(op), self.show(&l.ty)),
                    );
                }
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
                self.expect(l, &Type::Bool);
                self.expect(r, &Type::Bool);
            }
        }
    }

    /// `elem in collection`.
    pub(super) fn membership(&mut self, elem: &Type, collection: &Type, span: Span) {
        match self.representation(collection) {
            Type::Seq(e) | Type::Set { elem: e, .. } | Type::Multiset(e) | Type::Map { key: e, .. } => {
                self.comparable_types(elem, &e, span)
            }
            Type::Error => {}
            _ => self.error("resolve/type-mismatch", span, format!("`in` needs a collection, found {}", self.show(collection))),
        }
    }

    pub(super) fn comparable(&mut self, l: &Expr, r: &Expr, span: Span) {
        self.comparable_types(&l.ty, &r.ty, span);
    }

    /// One of the types must flow into the other.
    pub(super) fn comparable_types(&mut self, a: &Type, b: &Type, span: Span) {
        if !self.st.inf.comparable(&self.cx.program, a, b) {
            let message = format!("values of types {} and {} cannot be compared", self.show(a), self.show(b));
            self.error("resolve/type-mismatch", span, message);
        }
    }
}
