//! Lowering of operations on sequences, sets, multisets, maps and arrays.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, Type};
use dafny_source::Span;
use dtest_ir::{self as ir, Coll, Expr, ExprKind, Op};

impl<'p> Lowerer<'p> {
    pub(super) fn index(
        &mut self,
        object: &'p typed::Expr,
        indices: &'p [typed::Expr],
        ty: Type,
        span: Span,
    ) -> Expr {
        let coll = self.coll(&object.ty);
        let value = self.expr(object);
        let mut operands = self.exprs(indices);
        match coll {
            Some(coll) => {
                operands.insert(0, value);
                build::op(Op::Select(coll), operands, ty, span)
            }
            None => build::expr(ExprKind::ReadElement(Box::new(value), operands), ty, span),
        }
    }

    /// Lowers `m[k := v]`.
    pub(super) fn update(
        &mut self,
        object: &'p typed::Expr,
        key: &'p typed::Expr,
        value: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let Some(coll) = self.coll(&object.ty) else {
            return self.no_form("update", object, ty, span);
        };
        let updated = self.expr(object);
        let (key, value) = (self.expr(key), self.expr(value));
        let (key, value) = self.parts_of(&object.ty, key, value);
        build::op(Op::Update(coll), vec![updated, key, value], ty, span)
    }

    /// Lowers an operator over all kinds of collections; `form` names it in messages.
    pub(super) fn over_collection(
        &mut self,
        form: &str,
        op: impl FnOnce(Coll) -> Op,
        object: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let Some(coll) = self.coll(&object.ty) else {
            return self.no_form(form, object, ty, span);
        };
        build::op(op(coll), vec![self.expr(object)], ty, span)
    }

    /// Lowers the keys and values of a map display, alternately.
    pub(super) fn pairs(&mut self, pairs: &'p [(typed::Expr, typed::Expr)]) -> Vec<Expr> {
        let parts = pairs.iter().flat_map(|(k, v)| [k, v]);
        parts.map(|e| self.expr(e)).collect()
    }

    /// Lowers `seq(n, f)`.
    pub(super) fn constructed_sequence(
        &mut self,
        len: &'p typed::Expr,
        init: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let len = self.expr(len);
        self.probe_initializer(std::slice::from_ref(&len), init);
        let init = self.expr(init);
        self.sequence_of(len, init, ty, span)
    }

    /// Returns the operators that slice and measure a value of this type.
    fn slicing(&self, object: &typed::Expr) -> (Op, Op) {
        match self.coll(&object.ty) {
            Some(coll) => (Op::Slice, Op::Cardinality(coll)),
            None => (Op::ArraySlice, Op::ArrayLength(0)),
        }
    }

    pub(super) fn slice(
        &mut self,
        object: &'p typed::Expr,
        from: Option<&'p typed::Expr>,
        to: Option<&'p typed::Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let (slice, length) = self.slicing(object);
        let mut bindings = Vec::new();
        let mut value = self.expr(object);
        if to.is_none() {
            value = self.share(value, "$sliced", &mut bindings);
        }
        let low = from.map_or_else(|| build::int(0, Type::Int, span), |e| self.expr(e));
        let high = match to {
            Some(e) => self.expr(e),
            None => build::op(length, vec![value.clone()], Type::Int, span),
        };
        let part = self.known_there(build::op(slice, vec![value, low, high], ty, span));
        let part = self.reading(part);
        build::lets(bindings, part)
    }

    /// Lowers `s[a : b : c]` to `[s[0..a], s[a..a + b], …]`.
    pub(super) fn slice_lengths(
        &mut self,
        object: &'p typed::Expr,
        lengths: &'p [typed::Expr],
        rest: bool,
        ty: Type,
        span: Span,
    ) -> Expr {
        let (slice, length) = self.slicing(object);
        let element = if let Type::Seq(e) = &ty {
            (**e).clone()
        } else {
            Type::Error
        };
        let mut bindings = Vec::new();
        let value = self.expr(object);
        // The sliced value occurs in every part.
        let value = self.share(value, "$sliced", &mut bindings);
        let mut low = build::int(0, Type::Int, span);
        let mut parts = Vec::new();
        for e in lengths {
            let step = self.expr(e);
            // Each bound is the sum of the lengths so far, and is evaluated once.
            let sum = if parts.is_empty() {
                step
            } else {
                build::op(
                    Op::Add(ir::Num::Int),
                    vec![low.clone(), step],
                    Type::Int,
                    e.span,
                )
            };
            let high = self.share(sum, "$end", &mut bindings);
            parts.push(build::op(
                slice.clone(),
                vec![value.clone(), low, high.clone()],
                element.clone(),
                e.span,
            ));
            low = high;
        }
        if rest {
            let high = build::op(length, vec![value.clone()], Type::Int, span);
            parts.push(build::op(slice, vec![value, low, high], element, span));
        }
        build::lets(bindings, build::op(Op::Display(Coll::Seq), parts, ty, span))
    }

    /// Returns the key and the value of an update with the obligation that they belong to the types
    /// of the parts of the updated collection.
    pub(super) fn parts_of(&mut self, collection: &Type, key: Expr, value: Expr) -> (Expr, Expr) {
        if !self.has_obligations() {
            return (key, value);
        }
        match self.program.representation(collection) {
            Type::Seq(elem) => (key, self.admitted(value, &elem)),
            Type::Multiset(elem) => (self.admitted(key, &elem), value),
            Type::Map {
                key: k, value: v, ..
            } => (self.admitted(key, &k), self.admitted(value, &v)),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Set { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => (key, value),
        }
    }
}
