//! Translates operators and conversions.

use super::body::Body;
use super::code::{Code, Own, number};
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::rep::primitive;
use crate::rust::{self, expr, ident};
use dafny_resolve::typed::{
    BinaryOp, BuiltinMember, Constrained, Control, Expr, ExprKind, Literal, LocalId, ShortCircuit,
    Span, Type, TypeDeclKind, UnaryOp,
};

impl Body<'_, '_, '_> {
    /// Translates a unary operator.
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Translated<Code> {
        let copy = self.copy(&operand.ty);
        match op {
            UnaryOp::Not => {
                let tokens = self.negated(operand)?;
                Ok(Code::owned(tokens, true))
            }
            UnaryOp::BitNot => {
                let native = matches!(self.rep(&operand.ty), Rep::Native(_));
                let o = self.expr(operand)?;
                // Native integers are `Copy`, and Rust has no `!` on references to them.
                let o = if native { o.owned_value() } else { o.operand() };
                Ok(Code::owned(expr!(!#o), copy))
            }
            UnaryOp::Neg => {
                // A negated literal is one literal, since `-2147483648` has no positive counterpart in
                // `i32`.
                if let (ExprKind::Literal(Literal::Int(n)), Rep::Int | Rep::Native(_)) =
                    (&operand.kind, self.rep(&operand.ty))
                {
                    let tokens =
                        super::literal::integer(self.scope, &-n, &operand.ty, operand.span)?;
                    return Ok(Code::owned(tokens, copy));
                }
                let native = matches!(self.rep(&operand.ty), Rep::Native(_));
                let o = self.expr(operand)?;
                // The least value of a native type has no negation; `negate` panics as Dafny's
                // verifier rules out.
                Ok(if native {
                    let o = o.owned_value();
                    Code::owned(expr!(#o.negate()), copy)
                } else {
                    let o = o.operand();
                    Code::owned(expr!(-#o), copy)
                })
            }
        }
    }

    /// Translates the negation of a condition, pushed inwards if that is more readable.
    fn negated(&mut self, e: &Expr) -> Translated<rust::Expr> {
        if let ExprKind::Unary(UnaryOp::Not, inner) = &e.kind {
            self.value(inner)
        } else if let ExprKind::Binary(op, a, b) = &e.kind {
            // `!(a < b)` is `a >= b` only in a total order, which subsets and prefixes are not.
            let ordered = matches!(
                self.rep(&a.ty),
                Rep::Int | Rep::Native(_) | Rep::Real | Rep::Char | Rep::Bv(_)
            );
            match op.negated(ordered) {
                Some(op) => Ok(self.binary(op, a, b, e.span)?.owned_value()),
                None => {
                    let t = self.value(e)?;
                    Ok(expr!(!#t))
                }
            }
        } else {
            let t = self.value(e)?;
            Ok(expr!(!#t))
        }
    }

    /// Translates a binary operator.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Translated<Code> {
        let bool_of = |t: rust::Expr| Ok(Code::owned(t, true));
        match op {
            BinaryOp::And => {
                // Operands of one level are joined without parentheses.
                let mut all = Vec::new();
                self.conjuncts(left, &mut all)?;
                self.conjuncts(right, &mut all)?;
                bool_of(expr!(#&&all))
            }
            BinaryOp::Or => {
                let mut all = Vec::new();
                self.disjuncts(left, &mut all)?;
                self.disjuncts(right, &mut all)?;
                bool_of(expr!(#||all))
            }
            BinaryOp::Implies => {
                // The right side is evaluated only if the premise holds, on which it may depend.
                let (a, b) = (self.negated(left)?, self.value(right)?);
                bool_of(expr!(#a || #b))
            }
            BinaryOp::Explies => {
                let (a, b) = (self.negated(right)?, self.value(left)?);
                bool_of(expr!(#a || #b))
            }
            BinaryOp::Iff | BinaryOp::Eq | BinaryOp::Ne => {
                let equal = self.equality(op == BinaryOp::Ne, left, right)?;
                bool_of(equal)
            }
            BinaryOp::Above => Err(self.scope.unsupported(span, "the well-founded order")),
            // Subsets and prefixes have methods in one direction only.
            BinaryOp::Gt => self.less(right, left, BinaryOp::Gt, span),
            BinaryOp::Ge => self.less(right, left, BinaryOp::Ge, span),
            BinaryOp::Lt | BinaryOp::Le => self.less(left, right, op, span),
            BinaryOp::In | BinaryOp::NotIn => {
                if !matches!(
                    self.rep(&right.ty),
                    Rep::Seq(_) | Rep::Set(_) | Rep::Multiset(_) | Rep::Map(..)
                ) {
                    return Err(self.scope.unsupported(span, "`in` of this type"));
                }
                let element = self.expr(left)?.borrowed();
                let collection = self.expr(right)?.receiver();
                bool_of(if op == BinaryOp::In {
                    expr!(#collection.contains(#element))
                } else {
                    expr!(!#collection.contains(#element))
                })
            }
            BinaryOp::Disjoint => {
                let (a, b) = (self.expr(left)?.receiver(), self.expr(right)?.borrowed());
                bool_of(expr!(#a.is_disjoint_from(#b)))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let native = matches!(self.rep(&left.ty), Rep::Native(_));
                // Dafny shifts bitvectors alone.
                if native {
                    return Err(self.scope.unsupported(span, "a shift of a native newtype"));
                }
                let copy = self.copy(&left.ty);
                let (a, b) = (self.expr(left)?.operand(), self.expr(right)?.operand());
                Ok(Code::owned(
                    if op == BinaryOp::Shl {
                        expr!(#a << #b)
                    } else {
                        expr!(#a >> #b)
                    },
                    copy,
                ))
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => self.arithmetic(op, left, right),
        }
    }

    /// Translates `left == right`, or `left != right`.
    fn equality(&mut self, is_negated: bool, left: &Expr, right: &Expr) -> Translated<rust::Expr> {
        // Comparisons with `null` and empty collections need no value to compare with.
        let null = |e: &Expr| matches!(e.kind, ExprKind::Literal(Literal::Null));
        if null(left) || null(right) {
            let o = self.expr(if null(left) { right } else { left })?.receiver();
            return Ok(if is_negated {
                expr!(!#o.is_null())
            } else {
                expr!(#o.is_null())
            });
        }
        if let Some(collection) = self.compared_with_empty(left, right) {
            let o = self.expr(collection)?.receiver();
            return Ok(if is_negated {
                expr!(!#o.is_empty())
            } else {
                expr!(#o.is_empty())
            });
        }
        let (a, b) = self.compared(left, right)?;
        Ok(if is_negated {
            expr!(#a != #b)
        } else {
            expr!(#a == #b)
        })
    }

    /// Returns the collection that is compared with the empty one: `s == []`, `|s| == 0`.
    fn compared_with_empty<'e>(&self, left: &'e Expr, right: &'e Expr) -> Option<&'e Expr> {
        let is_empty = |e: &Expr| {
            matches!(&e.kind, ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) if es.is_empty())
                || matches!(&e.kind, ExprKind::MapDisplay(pairs) if pairs.is_empty())
                || matches!(&e.kind, ExprKind::Literal(Literal::String(chars)) if chars.is_empty())
        };
        let is_zero = |e: &Expr| matches!(&e.kind, ExprKind::Literal(Literal::Int(n)) if num_traits::Zero::is_zero(n));
        let finite = |e: &Expr| match self.scope.ground.program.representation(&e.ty) {
            Type::Set { finite, .. } | Type::Map { finite, .. } => finite,
            Type::Seq(_) | Type::Multiset(_) => true,
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Tuple(_) => false,
            Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => false,
        };
        // `s == []` and `|s| == 0`, with either order of the operands.
        for (of, with) in [(left, right), (right, left)] {
            if is_empty(with) && !is_empty(of) && finite(of) {
                return Some(of);
            }
            // `|s| == 0` is `s.is_empty()`, which clippy asks for.
            if is_zero(with) {
                return self.scope.counted(of);
            }
        }
        None
    }

    /// Collects the operands of a conjunction at any nesting; a chain of comparisons is one too.
    fn conjuncts(&mut self, e: &Expr, out: &mut Vec<rust::Expr>) -> Translated<()> {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &e.kind {
            self.conjuncts(a, out)?;
            self.conjuncts(b, out)?;
        } else if let ExprKind::Chain { first, rest } = &e.kind {
            out.extend(self.links(first, rest)?)
        } else {
            out.push(self.value(e)?)
        }
        Ok(())
    }

    /// Collects the operands of a disjunction at any nesting.
    fn disjuncts(&mut self, e: &Expr, out: &mut Vec<rust::Expr>) -> Translated<()> {
        if let ExprKind::Binary(BinaryOp::Or, a, b) = &e.kind {
            self.disjuncts(a, out)?;
            self.disjuncts(b, out)?;
        } else {
            out.push(self.value(e)?)
        }
        Ok(())
    }

    /// Translates both sides of a comparison; a literal compared with a native integer needs no
    /// suffix.
    fn compared(&mut self, left: &Expr, right: &Expr) -> Translated<(rust::Expr, rust::Expr)> {
        self.scope.comparable(left)?;
        match (self.scope.small(left), self.scope.small(right)) {
            (Some(a), None) => return Ok((a, self.expr(right)?.looked_at())),
            (None, Some(b)) => return Ok((self.expr(left)?.looked_at(), b)),
            (Some(_), Some(_)) | (None, None) => {}
        }
        if !matches!(right.kind, ExprKind::Literal(_)) {
            let (a, b) = (self.expr(left)?, self.expr(right)?);
            // Two references are compared without dereferencing them.
            if a.own() == Own::Ref && b.own() == Own::Ref {
                return Ok((a.receiver(), b.receiver()));
            }
            return Ok((a.looked_at(), b.looked_at()));
        }
        let a = self.expr(left)?.looked_at();
        let b = match (&right.kind, self.rep(&right.ty)) {
            (ExprKind::Literal(Literal::Int(n)), Rep::Native(_))
                if !matches!(left.kind, ExprKind::Literal(_)) =>
            {
                number(&n.to_string())
            }
            _ => self.expr(right)?.looked_at(),
        };
        Ok((a, b))
    }

    /// Translates `small < large` or `small <= large`; `written` is the operator in the source,
    /// which may be `>` or `>=` with swapped sides.
    fn less(
        &mut self,
        small: &Expr,
        large: &Expr,
        written: BinaryOp,
        span: Span,
    ) -> Translated<Code> {
        let strict = matches!(written, BinaryOp::Lt | BinaryOp::Gt);
        let swapped = matches!(written, BinaryOp::Gt | BinaryOp::Ge);
        let method = match self.rep(&small.ty) {
            Rep::Int | Rep::Native(_) | Rep::Real | Rep::Char | Rep::Bv(_) | Rep::Ordinal => {
                // A size that is compared with 0 or 1 is a test for emptiness.
                let is = |e: &Expr, bound: bool| {
                    let bound = num_bigint::BigInt::from(u8::from(bound));
                    matches!(&e.kind, ExprKind::Literal(Literal::Int(n)) if *n == bound)
                };
                // The forms `0 < |s|` and `1 <= |s|`, and `|s| <= 0` and `|s| < 1`.
                if is(small, !strict)
                    && let Some(collection) = self.scope.counted(large)
                {
                    let o = self.expr(collection)?.receiver();
                    return Ok(Code::owned(expr!(!#o.is_empty()), true));
                }
                if is(large, strict)
                    && let Some(collection) = self.scope.counted(small)
                {
                    let o = self.expr(collection)?.receiver();
                    return Ok(Code::owned(expr!(#o.is_empty()), true));
                }
                let (left, right) = if swapped {
                    (large, small)
                } else {
                    (small, large)
                };
                let (a, b) = self.compared(left, right)?;
                let tokens = match (strict, swapped) {
                    (true, false) => expr!(#a < #b),
                    (false, false) => expr!(#a <= #b),
                    (true, true) => expr!(#a > #b),
                    (false, true) => expr!(#a >= #b),
                };
                return Ok(Code::owned(tokens, true));
            }
            Rep::Seq(_) => {
                if strict {
                    "is_proper_prefix_of"
                } else {
                    "is_prefix_of"
                }
            }
            Rep::Set(_) | Rep::Multiset(_) => {
                if strict {
                    "is_proper_subset_of"
                } else {
                    "is_subset_of"
                }
            }
            Rep::Bool
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
            | Rep::Error => return Err(self.scope.unsupported(span, "the well-founded order")),
        };
        let method = ident(method);
        let (a, b) = (self.expr(small)?.receiver(), self.expr(large)?.borrowed());
        Ok(Code::owned(expr!(#a.#method(#b)), true))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Translated<Code> {
        let copy = self.copy(&left.ty);
        let (checked, op) = match op {
            BinaryOp::Add => (Some("plus"), rust::BinaryOp::Add),
            BinaryOp::Sub => (Some("minus"), rust::BinaryOp::Sub),
            BinaryOp::Mul => (Some("times"), rust::BinaryOp::Mul),
            BinaryOp::Div => (Some("divide"), rust::BinaryOp::Div),
            BinaryOp::Mod => (Some("modulo"), rust::BinaryOp::Rem),
            BinaryOp::BitAnd => (None, rust::BinaryOp::BitAnd),
            BinaryOp::BitOr => (None, rust::BinaryOp::BitOr),
            BinaryOp::BitXor => (None, rust::BinaryOp::BitXor),
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::Ne => {
                return Err(self.scope.unsupported(left.span, "this operator"));
            }
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Above
            | BinaryOp::In
            | BinaryOp::NotIn => {
                return Err(self.scope.unsupported(left.span, "this operator"));
            }
            BinaryOp::Disjoint | BinaryOp::Shl | BinaryOp::Shr => {
                return Err(self.scope.unsupported(left.span, "this operator"));
            }
        };
        // Arithmetic on native integers is checked; bitwise operators cannot overflow.
        let (a, b) = if matches!(self.rep(&left.ty), Rep::Native(_)) {
            let a = self.value(left)?;
            let b = if let ExprKind::Literal(Literal::Int(n)) = &right.kind {
                number(&n.to_string())
            } else {
                self.value(right)?
            };
            // Overflow is a bug of the translation or a violated contract, and panics in any build.
            if let Some(method) = checked.map(ident) {
                return Ok(Code::owned(expr!(#a.#method(#b)), copy));
            }
            (a, b)
        } else {
            // A small literal operand is passed as a Rust integer, without an allocation.
            match (self.scope.small(left), self.scope.small(right)) {
                (Some(a), None) => (a, self.expr(right)?.operand()),
                (None, Some(b)) => (self.expr(left)?.operand(), b),
                (Some(_), Some(_)) | (None, None) => {
                    (self.expr(left)?.operand(), self.expr(right)?.operand())
                }
            }
        };
        let tokens = rust::Expr::Binary(op, Box::new(a), Box::new(b));
        Ok(Code::owned(tokens, copy))
    }

    /// Translates `a <= b < c`.
    pub(super) fn chain(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)]) -> Translated<Code> {
        let links = self.links(first, rest)?;
        Ok(Code::owned(expr!(#&&links), true))
    }

    fn links(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)]) -> Translated<Vec<rust::Expr>> {
        let mut links = Vec::new();
        let mut lefts = vec![first];
        for (op, right) in rest {
            for left in &lefts {
                links.push(self.binary(*op, left, right, right.span)?.owned_value());
            }
            // `A !! B !! C` means that each set is disjoint from all sets before it.
            if *op != BinaryOp::Disjoint {
                lefts.clear();
            }
            lefts.push(right);
        }
        Ok(links)
    }

    /// Translates `e as T`.
    pub(super) fn convert(&mut self, inner: &Expr, ty: &Type, span: Span) -> Translated<Code> {
        let code = self.expr(inner)?;
        if let Some(cast) = self.object_cast(&code, &inner.ty, ty, span)? {
            return Ok(cast);
        }
        self.scope.number(code, &inner.ty, ty, span)
    }

    /// Translates `e is T` for a subset type or newtype over the type of `e`.
    pub(super) fn is(&mut self, inner: &Expr, ty: &Type, span: Span) -> Translated<Code> {
        if let Some(code) = self.object_is(inner, ty)? {
            return Ok(code);
        }
        if inner.ty == *ty || self.scope.ground.program.strip_subset(&inner.ty) == *ty {
            // The operand is translated nevertheless, so that an unsupported one is reported.
            let _ = self.expr(inner)?;
            return Ok(Code::owned(expr!(true), true));
        }
        let code = self.expr(inner)?;
        let (name, value) = (self.make_up("value"), code.owned_value());
        let conditions = self.type_test(
            &Code::variable(&name, self.copy(&inner.ty)),
            &inner.ty,
            ty,
            span,
        )?;
        Ok(Code::owned(
            expr!({ let #name = #value; #&&conditions }),
            true,
        ))
    }

    /// Translates the constraints of a type beyond those of its representation, those of the base
    /// first.
    pub(crate) fn constraints(
        &mut self,
        ty: &Type,
        value: &Code,
        span: Span,
    ) -> Translated<Vec<rust::Expr>> {
        let program = self.scope.ground.program;
        let (decl, args) = match ty {
            Type::Named { decl, args, .. } => (decl, args),
            Type::Seq(elem) | Type::Set { elem, .. } | Type::Multiset(elem) => {
                return self.element_constraints(elem, value, span);
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => return Ok(Vec::new()),
        };
        let constrained = match &program[*decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => c,
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => {
                return Ok(Vec::new());
            }
        };
        let args: Vec<Type> = args
            .iter()
            .map(|t| t.subst(&self.scope.substitution))
            .collect();
        let substitution = program.substitution(*decl, &args);
        let base = constrained.base.subst(&substitution);
        // The constraint is about a value of the base type, which may have a different
        // representation.
        let v = value.receiver();
        let of_base = match (self.rep(ty), self.rep(&base)) {
            (held, of_base) if held == of_base => value.clone(),
            (Rep::Native(_), Rep::Int) => Code::owned(expr!(#v.to_int()), false),
            (Rep::Native(_), Rep::Native(n)) => {
                let n = ident(primitive(n));
                Code::owned(expr!(#v.to_native::<#n>()), true)
            }
            (_, _) => return Err(self.scope.unsupported(span, "the constraint of this type")),
        };
        // The constraint may only be well-formed for values that satisfy those of the base.
        let mut all = self.constraints(&base, &of_base, span)?;
        if let (Some(var), Some(constraint)) = (constrained.var, &constrained.constraint)
            && !is_whole_native(constrained)
        {
            // The type arguments are known only here.
            let scope = Scope {
                substitution,
                apart: self.scope.apart,
                ..Scope::new(
                    self.scope.ground,
                    self.scope.module.clone(),
                    self.scope.spec,
                )
            };
            let mut body = self.elsewhere(&scope);
            body.vars.insert(var, of_base);
            all.push(body.value(constraint)?);
            drop(body);
            self.scope
                .dependencies
                .borrow_mut()
                .extend(scope.dependencies.into_inner());
        }
        Ok(all)
    }

    /// Translates the constraints of the elements of a collection.
    fn element_constraints(
        &mut self,
        elem: &Type,
        value: &Code,
        span: Span,
    ) -> Translated<Vec<rust::Expr>> {
        let (name, copy) = (self.make_up("e"), self.copy(elem));
        let element = Code::reference(&name, copy);
        let conditions = self.constraints(elem, &element, span)?;
        if conditions.is_empty() {
            return Ok(Vec::new());
        }
        let v = value.receiver();
        Ok(vec![expr!(#v.iter().all(|#name| #&&conditions))])
    }
}

impl Scope<'_, '_> {
    /// Translates a literal of `int` that can be compared with an `Int` directly.
    pub(super) fn small(&self, e: &Expr) -> Option<rust::Expr> {
        let n = if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
            n.clone()
        } else if let ExprKind::Unary(UnaryOp::Neg, inner) = &e.kind
            && let ExprKind::Literal(Literal::Int(n)) = &inner.kind
        {
            -n
        } else {
            return None;
        };
        let fits = self.rep(&e.ty) == Rep::Int && num_traits::ToPrimitive::to_i32(&n).is_some();
        fits.then(|| number(&n.to_string()))
    }

    /// Returns the collection or array whose size an expression is.
    fn counted<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        // Infinite collections have no `is_empty`.
        if let ExprKind::Cardinality(inner) = &e.kind {
            match self.ground.program.representation(&inner.ty) {
                Type::Set { finite, .. } | Type::Map { finite, .. } => finite.then_some(inner),
                Type::Seq(_) | Type::Multiset(_) => Some(inner),
                Type::Bool
                | Type::Char
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Ordinal
                | Type::Tuple(_) => None,
                Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Named { .. }
                | Type::Param(_)
                | Type::Error => None,
            }
        } else if let ExprKind::Builtin {
            member: BuiltinMember::ArrayLength(_),
            object,
        } = &e.kind
        {
            matches!(self.rep(&object.ty), Rep::Array(1, _)).then_some(object)
        } else {
            None
        }
    }

    /// Checks that a value can be compared: specifications may compare infinite values, compiled
    /// code compares only finite ones.
    fn comparable(&self, e: &Expr) -> Translated<()> {
        if self
            .ground
            .program
            .holds_codatatypes(&e.ty.subst(&self.substitution))
        {
            return Err(self.unsupported(
                e.span,
                "equality of values of a codatatype, which may be infinite",
            ));
        }
        Ok(())
    }

    /// Converts a value to another type with the same values in Dafny but a different
    /// representation in Rust.
    pub(super) fn number(
        &self,
        code: Code,
        from: &Type,
        ty: &Type,
        span: Span,
    ) -> Translated<Code> {
        let (from, to) = (self.rep(from), self.rep(ty));
        if from == to {
            return Ok(code);
        }
        let copy = self.is_copy(ty);
        let o = code.receiver();
        let same_kind = matches!(
            (&from, &to),
            (Rep::Seq(_), Rep::Seq(_))
                | (Rep::Set(_), Rep::Set(_))
                | (Rep::Multiset(_), Rep::Multiset(_))
                | (Rep::Map(..), Rep::Map(..))
                | (Rep::Tuple(_), Rep::Tuple(_))
                | (Rep::Arrow(..), Rep::Arrow(..))
                | (Rep::Array(..), Rep::Array(..))
                | (Rep::Datatype(..), Rep::Datatype(..))
                | (Rep::Class(..), Rep::Class(..))
                | (Rep::Trait(..), Rep::Trait(..))
        );
        if same_kind {
            return Ok(code);
        }
        // Conversions between native types and between bitvectors do not go through `Int`.
        if let (Rep::Native(_), Rep::Native(n)) = (&from, &to) {
            let n = ident(primitive(*n));
            return Ok(Code::owned(expr!(#o.to_native::<#n>()), copy));
        }
        if let (Rep::Bv(_), Rep::Bv(n)) = (&from, &to) {
            let n = *n;
            return Ok(Code::owned(expr!(#o.to_width::<#n>()), copy));
        }
        let number_of = match from {
            Rep::Int => code.clone(),
            Rep::Native(_) | Rep::Bv(_) | Rep::Char => Code::owned(expr!(#o.to_int()), false),
            Rep::Real => Code::owned(expr!(#o.to_int()), false),
            Rep::Ordinal => Code::owned(expr!(#o.offset()), false),
            Rep::Bool
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
            | Rep::Error => return Err(self.unsupported(span, "a conversion of this type")),
        };
        let (n, by_ref) = (number_of.receiver(), number_of.borrowed());
        Ok(match to {
            Rep::Int => number_of,
            Rep::Native(native) => {
                let native = ident(primitive(native));
                Code::owned(expr!(#n.to_native::<#native>()), copy)
            }
            Rep::Bv(width) => {
                let bv = self.runtime("Bv");
                Code::owned(expr!(#bv::<#width>::of_int(#by_ref)), copy)
            }
            Rep::Char => {
                let ty = self.runtime(self.ground.char_type());
                Code::owned(expr!(#ty::of_int(#by_ref)), copy)
            }
            Rep::Real => {
                let real = self.runtime("real");
                let n = number_of.operand();
                Code::owned(expr!(#real(#n)), copy)
            }
            Rep::Ordinal => {
                let ordinal = self.runtime("Ordinal");
                Code::owned(expr!(#ordinal::of_int(#by_ref)), copy)
            }
            Rep::Bool
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
            | Rep::Error => return Err(self.unsupported(span, "a conversion to this type")),
        })
    }
}

/// Whether the constraint is exactly the range of the native type: `0 <= x < 256` for a `u8`.
fn is_whole_native(constrained: &Constrained) -> bool {
    let (Some(native), Some((low, high)), Some(var), Some(constraint)) = (
        constrained.native,
        &constrained.range,
        constrained.var,
        &constrained.constraint,
    ) else {
        return false;
    };
    let (least, greatest) = native.range();
    *low == least && *high == greatest + 1 && is_only_bounds(constraint, var)
}

/// Whether a condition consists of bounds of the variable alone.
fn is_only_bounds(cond: &Expr, var: LocalId) -> bool {
    let is_order = |op: BinaryOp| {
        matches!(
            op,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    };
    let is_bound = |e: &Expr| {
        let mut mentions = false;
        super::walk::each_expr(e, &mut |e| {
            mentions |= matches!(e.kind, ExprKind::Local(l) if l == var)
        });
        !mentions || matches!(e.kind, ExprKind::Local(_))
    };
    match cond.control() {
        Control::ShortCircuit {
            op: ShortCircuit::And,
            left,
            right,
        } => is_only_bounds(left, var) && is_only_bounds(right, var),
        Control::Chain { first, rest } => {
            is_bound(first) && rest.iter().all(|(op, e)| is_order(*op) && is_bound(e))
        }
        Control::Strict => {
            matches!(&cond.kind, ExprKind::Binary(op, a, b) if is_order(*op) && is_bound(a) && is_bound(b))
        }
        Control::ShortCircuit {
            op: ShortCircuit::Or | ShortCircuit::Implies,
            ..
        }
        | Control::Not(_)
        | Control::Delayed(_) => false,
        Control::If { .. }
        | Control::IfBinding { .. }
        | Control::Match { .. }
        | Control::Let { .. } => false,
        Control::LetSuchThat { .. } | Control::LetOrFail(_) | Control::StmtExpr { .. } => false,
    }
}
