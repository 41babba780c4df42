//! Expressions: the dispatch over all forms, and those without a module of their own (literals,
//! displays, selections, sequence operations).
//!
//! [`Resolver::expr`] returns a typed expression. Its `hint` is the expected type: it helps
//! inference, but the caller still has to check the result ([`Resolver::check`] does both). Errors
//! of types go through [`Resolver::expect_in`], which knows in which round Dafny reports them.

use crate::typed::{ArrowKind, BinaryOp, Call, Expr, ExprKind, Literal, Type, TypeDeclKind};
use dafny_source::Span;
use dafny_source::diagnostic::Label;
use dafny_syntax::ast;
use num_bigint::BigInt;

use super::super::context::NameUse;
use super::calls::Called;
use super::infer::{Origin, VarKind};
use super::literals::is_literal;
use super::needs::Kind;
use super::{Pending, Resolver, Round, infer};

/// The stack space, in bytes, that must remain before a recursive step.
pub(super) const RED_ZONE: usize = 256 * 1024;
/// The size, in bytes, of the stack segment that is allocated when less than [`RED_ZONE`] remains.
pub(super) const STACK: usize = 4 * 1024 * 1024;

pub(super) fn mk(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

pub(super) fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

impl Resolver<'_> {
    /// Resolves an expression and requires that it has a type.
    pub(super) fn check(&mut self, e: &ast::Expr, expected: &Type) -> Expr {
        let x = self.expr(e, Some(expected));
        self.expect(&x, expected);
        x
    }

    /// Requires that the value may be used where `expected` is required.
    pub(super) fn expect(&mut self, e: &Expr, expected: &Type) {
        self.expect_type(&e.ty, expected, e.span);
    }

    pub(super) fn expect_type(&mut self, found: &Type, expected: &Type, span: Span) {
        self.expect_at(found, expected, span, span);
    }

    /// Like [`Self::expect_type`], but does not accept a trait where a class that implements it is
    /// expected.
    pub(super) fn expect_subtype(&mut self, found: &Type, expected: &Type, span: Span) {
        if self.flow(found, expected) {
            return self.expect_type(found, expected, span);
        }
        let message = {
            let (expected, found) = self.st.inf.show_both(&self.cx.program, expected, found);
            format!("expected {expected}, found {found}")
        };
        self.mismatch(span, message);
    }

    /// Like [`Self::expect_type`] for the value at `span`, with errors reported at `place`, the
    /// construct that receives it.
    pub(super) fn expect_at(&mut self, found: &Type, expected: &Type, span: Span, place: Span) {
        // The element type of a display is determined as late as the type of a literal.
        let is_display = self.st.inf.has_open_elements(found)
            && std::mem::discriminant(&self.base(found))
                == std::mem::discriminant(&self.base(expected));
        let round = if self.st.inf.kind(found).is_some() || is_display {
            Round::Literals
        } else {
            Round::Others
        };
        self.expect_in(round, found, expected, (span, place));
    }

    /// Like [`Self::expect_type`] with the expected type `bool`.
    pub(super) fn expect_bool(&mut self, found: &Type, span: Span) {
        if self.cx.program.options.type_system_refresh {
            // The new type system allows newtypes over `bool`, and checks this at the end.
            if self.st.inf.kind(found) == Some(VarKind::Any) {
                self.flow(found, &Type::Bool);
            }
            return self.need(Kind::Bool, found, "a condition", span);
        }
        self.expect_in(Round::Supertype, found, &Type::Bool, (span, span));
    }

    pub(super) fn expect_in(
        &mut self,
        round: Round,
        found: &Type,
        expected: &Type,
        (span, place): (Span, Span),
    ) {
        let refresh = self.cx.program.options.type_system_refresh;
        // The new type system solves constraints between known types before those of inferred ones.
        let is_inferred = infer::is_inferred(found) || infer::is_inferred(expected);
        let round = if refresh && round == Round::Others && is_inferred {
            Round::Supertype
        } else {
            round
        };
        if self.flow(found, expected) {
            if !refresh && !self.st.inf.is_assignable(&self.cx.program, found, expected) {
                let message = {
                    let (expected, found) =
                        self.st.inf.show_both(&self.cx.program, expected, found);
                    format!("expected {expected}, found {found}: type arguments must be the same")
                };
                self.mismatch_in(round, place, message);
            }
        } else {
            // The older type system also accepts a trait where a class that implements it is
            // expected, and proves that the value fits.
            let (a, b) = (self.base(found), self.base(expected));
            // The type arguments of the expected type must be known: those of the value do not
            // determine them.
            let is_open = b.parts().any(|t| self.st.inf.is_unbound(t));
            if !refresh
                && !is_open
                && self.cx.program.is_reference(&a)
                && self.cx.program.is_reference(&b)
                && self.flow(&b, &a)
            {
                return;
            }
            let message = {
                let (expected, found) = self.st.inf.show_both(&self.cx.program, expected, found);
                format!("expected {expected}, found {found}")
            };
            self.mismatch_in(round, place, message);
            if let Some(late) = self.st.late.last_mut().filter(|_| place != span) {
                late.diagnostic.labels.push(Label {
                    span,
                    message: "this value".into(),
                });
            }
        }
    }

    /// Resolves an expression of type `bool`.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Expr {
        let x = self.expr(e, Some(&Type::Bool));
        self.expect_bool(&x.ty, x.span);
        x
    }

    /// Resolves an expression of any integer type, such as an index or a length.
    pub(super) fn integer(&mut self, e: &ast::Expr) -> Expr {
        let x = self.expr(e, None);
        self.expect_integer(&x.ty, x.span);
        x
    }

    pub(super) fn expect_integer(&mut self, ty: &Type, span: Span) {
        if self.st.inf.is_unbound(ty) {
            let int = self.st.inf.fresh(VarKind::IntLike);
            if self.flow(ty, &int) {
                return;
            }
        }
        if !infer::is_int_like(&self.cx.program, &self.base(ty)) {
            let message = format!("expected an integer, found {}", self.show(ty));
            self.wrong_kind(span, message);
        }
    }

    /// Creates a type variable that becomes the join of the values that flow into it, initialized
    /// with an expected trait or `object` type.
    pub(super) fn joined(&mut self, hint: Option<&Type>) -> Type {
        let r = self.fresh();
        if let Some(hint) = hint {
            let wanted = self.base(hint);
            let polymorphic = matches!(&wanted, Type::Object { .. })
                || matches!(&wanted, Type::Named { decl, .. } if matches!(self.cx.program[*decl].kind, TypeDeclKind::Trait { .. }));
            if polymorphic {
                self.flow(&wanted, &r);
            }
        }
        r
    }

    /// Lets the value flow into a join. Reports a value that does not fit.
    pub(super) fn merge(&mut self, e: &Expr, join: &Type) {
        self.expect_type(&e.ty, join, e.span);
    }

    /// Resolves an expression. `hint` is the expected type; the caller has to check it.
    pub(super) fn expr(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Expr {
        let mut x = stacker::maybe_grow(RED_ZONE, STACK, || self.expr_here(e, hint));
        if self.cx.program.options.type_system_refresh && is_literal(e) {
            let order = self.next_demand();
            let origin = Origin {
                segment: self.st.segment,
                order,
                span: e.span,
            };
            // The characters of a string may have any newtype over `char`.
            if matches!(x.kind, ExprKind::Literal(Literal::String(_))) {
                let character = self.st.inf.literal(&Type::Char, origin);
                x.ty = Type::Seq(Box::new(character));
            }
            x.ty = self.st.inf.literal(&x.ty, origin);
        }
        x
    }

    fn expr_here(&mut self, e: &ast::Expr, hint: Option<&Type>) -> Expr {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Literal(l) => self.literal(l, hint, span),
            ast::ExprKind::This => match self.this(span) {
                Some(this) => this,
                None => {
                    self.error("resolve/no-this", span, "`this` is not available here");
                    self.broken(span)
                }
            },
            ast::ExprKind::Name { .. } | ast::ExprKind::Select { .. } => {
                let head = self.head(e, NameUse::Expression, hint);
                self.value(head, span)
            }
            ast::ExprKind::DatatypeUpdate { object, updates } => {
                self.datatype_update(object, updates, hint, span)
            }
            ast::ExprKind::Call { .. } => match self.call(e, hint) {
                Called::Value(v) => v,
                Called::Method(call, _) => self.method_in_expr(&call, span),
            },
            ast::ExprKind::Prefix { object, .. } => {
                // Resolve the operand for its errors only.
                self.expr(object, None);
                self.error(
                    "resolve/not-extreme",
                    span,
                    "a prefix predicate must be applied to its arguments",
                );
                self.broken(span)
            }
            ast::ExprKind::Index { object, indices } => self.index(object, indices, span),
            ast::ExprKind::Slice { object, from, to } => {
                let object = self.expr(object, hint);
                let from = from.as_ref().map(|e| boxed(self.integer(e)));
                let to = to.as_ref().map(|e| boxed(self.integer(e)));
                let ty = self.sliced(&object, span);
                mk(
                    ExprKind::Slice {
                        object: boxed(object),
                        from,
                        to,
                    },
                    ty,
                    span,
                )
            }
            ast::ExprKind::SliceLengths {
                object,
                lengths,
                rest,
            } => {
                let object = self.expr(object, None);
                let lengths = lengths.iter().map(|e| self.integer(e)).collect();
                let ty = Type::Seq(Box::new(self.sliced(&object, span)));
                mk(
                    ExprKind::SliceLengths {
                        object: boxed(object),
                        lengths,
                        rest: *rest,
                    },
                    ty,
                    span,
                )
            }
            ast::ExprKind::Update { object, key, value } => {
                self.update(object, key, value, hint, span)
            }
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, hint, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, hint, span),
            ast::ExprKind::Chain { first, rest } => self.chain(first, rest, span),
            ast::ExprKind::PrefixEq {
                negated,
                limit,
                left,
                right,
            } => self.prefix_eq(*negated, limit, (left, right), span),
            ast::ExprKind::As(operand, ty) => {
                let ty = self.type_to_be_known(ty, span);
                let operand = self.expr(operand, None);
                self.conversion(&operand, &ty, span);
                mk(ExprKind::Convert(boxed(operand)), ty, span)
            }
            ast::ExprKind::Is(operand, ty) => {
                let ty = self.type_to_be_known(ty, span);
                let operand = self.expr(operand, None);
                self.type_test(&operand, &ty, span);
                mk(ExprKind::Is(boxed(operand), ty), Type::Bool, span)
            }
            ast::ExprKind::Cardinality(operand) => {
                let operand = self.expr(operand, None);
                self.need(Kind::Sized, &operand.ty, "the operand of `|…|`", span);
                mk(ExprKind::Cardinality(boxed(operand)), Type::Int, span)
            }
            ast::ExprKind::Paren(inner) => {
                let mut x = self.expr(inner, hint);
                x.span = span;
                x
            }
            ast::ExprKind::Tuple(parts) => self.tuple(parts, hint, span),
            ast::ExprKind::SeqDisplay(elements) => {
                let (elements, elem) = self.elements(elements, hint);
                mk(
                    ExprKind::SeqDisplay(elements),
                    Type::Seq(Box::new(elem)),
                    span,
                )
            }
            ast::ExprKind::SetDisplay { infinite, elements } => {
                let (elements, elem) = self.elements(elements, hint);
                mk(
                    ExprKind::SetDisplay(elements),
                    Type::Set {
                        finite: !infinite,
                        elem: Box::new(elem),
                    },
                    span,
                )
            }
            ast::ExprKind::MultisetDisplay(elements) => {
                let (elements, elem) = self.elements(elements, hint);
                mk(
                    ExprKind::MultisetDisplay(elements),
                    Type::Multiset(Box::new(elem)),
                    span,
                )
            }
            ast::ExprKind::MultisetFrom(operand) => self.multiset_from(operand, span),
            ast::ExprKind::MapDisplay { infinite, pairs } => {
                self.map_display(*infinite, pairs, hint, span)
            }
            ast::ExprKind::SeqConstruct { elem, len, init } => {
                self.seq_construct(elem.as_ref(), len, init, hint, span)
            }
            ast::ExprKind::SetComp { .. }
            | ast::ExprKind::MapComp { .. }
            | ast::ExprKind::Quantifier { .. }
            | ast::ExprKind::Lambda { .. }
            | ast::ExprKind::Let { .. }
            | ast::ExprKind::LetSuchThat { .. }
            | ast::ExprKind::LetOrFail { .. } => self.binder(e, hint),
            ast::ExprKind::If { guard, then, els } => self.if_expr(guard, then, els, hint, span),
            ast::ExprKind::Match {
                scrutinee, cases, ..
            } => self.match_expr(scrutinee, cases, hint, span),
            ast::ExprKind::StmtExpr { stmt, body } => {
                let (stmt, body) = self.perhaps(|r| {
                    r.scoped(|r| {
                        let stmt = r.stmt_in_expr(stmt);
                        (stmt, r.expr(body, hint))
                    })
                });
                let ty = body.ty.clone();
                mk(
                    ExprKind::StmtExpr {
                        stmt: Box::new(stmt),
                        body: boxed(body),
                    },
                    ty,
                    span,
                )
            }
            ast::ExprKind::Old { label, expr } => {
                self.earlier(label.as_ref());
                let expr = self.expr(expr, hint);
                let ty = expr.ty.clone();
                mk(
                    ExprKind::Old {
                        label: label.as_ref().map(|l| l.name.clone()),
                        expr: boxed(expr),
                    },
                    ty,
                    span,
                )
            }
            ast::ExprKind::Fresh { label, expr } => {
                self.earlier(label.as_ref());
                let expr = self.expr(expr, None);
                self.need(Kind::Fresh, &expr.ty, "the argument of `fresh`", span);
                mk(
                    ExprKind::Fresh {
                        label: label.as_ref().map(|l| l.name.clone()),
                        expr: boxed(expr),
                    },
                    Type::Bool,
                    span,
                )
            }
            ast::ExprKind::Allocated(expr) => {
                let expr = self.expr(expr, None);
                mk(ExprKind::Allocated(boxed(expr)), Type::Bool, span)
            }
            ast::ExprKind::Unchanged { label, frame } => {
                self.earlier(label.as_ref());
                let frame = self.frame(frame, false);
                mk(
                    ExprKind::Unchanged {
                        label: label.as_ref().map(|l| l.name.clone()),
                        frame,
                    },
                    Type::Bool,
                    span,
                )
            }
            ast::ExprKind::Assigned(expr) => {
                let expr = self.expr(expr, None);
                mk(ExprKind::Assigned(boxed(expr)), Type::Bool, span)
            }
            ast::ExprKind::Wildcard => mk(
                ExprKind::Wildcard,
                hint.cloned().unwrap_or(Type::Bool),
                span,
            ),
            ast::ExprKind::DecreasesTo {
                from,
                to,
                allow_equal,
            } => self.decreases_to(from, to, *allow_equal, span),
            ast::ExprKind::Error => {
                self.st.errors += 1;
                self.broken(span)
            }
        }
    }

    /// Reports a call of a method inside an expression.
    fn method_in_expr(&mut self, call: &Call, span: Span) -> Expr {
        let c = &self.cx.program[call.callee];
        let (name, kind) = (c.name.clone(), super::calls::kind_word(c.kind));
        let d = dafny_source::diagnostic::Diagnostic::error(
            "resolve/not-an-expression",
            span,
            format!("the {kind} `{name}` cannot be called inside an expression"),
        );
        self.report(d.with_help("move the call to a separate statement"));
        self.broken(span)
    }

    /// Resolves a prefix equality `left ==#[limit] right`.
    fn prefix_eq(
        &mut self,
        negated: bool,
        limit: &ast::Expr,
        (left, right): (&ast::Expr, &ast::Expr),
        span: Span,
    ) -> Expr {
        let limit = self.expr(limit, None);
        let left = self.expr(left, None);
        let right = self.expr(right, Some(&left.ty));
        self.need(
            Kind::IntegerOrOrdinal,
            &limit.ty,
            "the limit of a prefix equality",
            span,
        );
        self.comparable(&left, &right, span);
        self.need(
            Kind::Codatatype,
            &left.ty,
            "an operand of a prefix equality",
            span,
        );
        mk(
            ExprKind::PrefixEq {
                negated,
                limit: boxed(limit),
                left: boxed(left),
                right: boxed(right),
            },
            Type::Bool,
            span,
        )
    }

    /// Resolves a tuple.
    fn tuple(&mut self, parts: &[(bool, ast::Expr)], hint: Option<&Type>, span: Span) -> Expr {
        // A tuple type that is expected here expects the types of its components.
        let hints = match hint.map(|h| self.base(h)) {
            Some(Type::Tuple(hs)) if hs.len() == parts.len() => {
                hs.into_iter().map(|(_, t)| Some(t)).collect()
            }
            _ => vec![None; parts.len()],
        };
        let values: Vec<Expr> = parts
            .iter()
            .zip(&hints)
            .map(|((_, e), h)| self.expr(e, h.as_ref()))
            .collect();
        let ty = Type::Tuple(
            parts
                .iter()
                .zip(&values)
                .map(|((g, _), v)| (*g, v.ty.clone()))
                .collect(),
        );
        mk(ExprKind::Tuple(values), ty, span)
    }

    /// Resolves `multiset(e)` of a sequence, set or multiset.
    fn multiset_from(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expr(operand, None);
        self.need(
            Kind::Multiset,
            &operand.ty,
            "the argument of `multiset(…)`",
            operand.span,
        );
        let other = self.representation(&operand.ty);
        let elem = if let Type::Seq(e) | Type::Set { elem: e, .. } | Type::Multiset(e) = other {
            *e
        } else if matches!(other, Type::Error) {
            Type::Error
        } else if self.st.inf.is_unbound(&other) {
            // An operand of unknown type is taken to be a sequence.
            let e = self.fresh();
            self.flow(&other, &Type::Seq(Box::new(e.clone())));
            e
        } else {
            Type::Error
        };
        mk(
            ExprKind::MultisetFrom(boxed(operand)),
            Type::Multiset(Box::new(elem)),
            span,
        )
    }

    /// Resolves `map[k := v, …]`.
    fn map_display(
        &mut self,
        infinite: bool,
        pairs: &[(ast::Expr, ast::Expr)],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let (hk, hv) = match hint.map(|h| self.representation(h)) {
            Some(Type::Map { key, value, .. }) => (Some(*key), Some(*value)),
            _ => (None, None),
        };
        let (key, value) = (self.joined(hk.as_ref()), self.joined(hv.as_ref()));
        let pairs = pairs
            .iter()
            .map(|(k, v)| {
                let (k, v) = (self.expr(k, hk.as_ref()), self.expr(v, hv.as_ref()));
                self.merge(&k, &key);
                self.merge(&v, &value);
                (k, v)
            })
            .collect();
        mk(
            ExprKind::MapDisplay(pairs),
            Type::Map {
                finite: !infinite,
                key: Box::new(key),
                value: Box::new(value),
            },
            span,
        )
    }

    /// Resolves `seq<T>(len, init)`.
    fn seq_construct(
        &mut self,
        elem: Option<&ast::Type>,
        len: &ast::Expr,
        init: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let elem = match elem {
            Some(t) => self.ty(t),
            None => match hint.map(|h| self.representation(h)) {
                Some(Type::Seq(e)) if !self.st.inf.is_unbound(&e) => *e,
                _ => self.fresh(),
            },
        };
        let len = self.integer(len);
        self.need(Kind::Integer, &len.ty, "the length of a sequence", len.span);
        let arrow = Type::Arrow {
            kind: ArrowKind::General,
            params: vec![Type::Int],
            result: Box::new(elem.clone()),
        };
        let init = self.check(init, &arrow);
        mk(
            ExprKind::SeqConstruct {
                len: boxed(len),
                init: boxed(init),
            },
            Type::Seq(Box::new(elem)),
            span,
        )
    }

    /// Whether the `decreases` order may relate values of the two types. Type parameters, functions
    /// and infinite collections have no order, and two codatatype values are never related
    /// (reference manual, section 12.7).
    fn have_order(&self, above: &Type, below: &Type) -> bool {
        let is_codata = |ty: &Type| matches!(ty, Type::Named { decl, .. } if self.cx.program.is_codatatype(*decl));
        let is_data = |ty: &Type| {
            if let Type::Named { decl, .. } = ty {
                matches!(self.cx.program[*decl].kind, TypeDeclKind::Datatype { .. })
            } else {
                matches!(ty, Type::Tuple(_))
            }
        };
        if self.st.inf.is_unbound(above) || self.st.inf.is_unbound(below) {
            return true;
        }
        let is_reference = |ty: &Type| self.cx.program.is_reference(ty);
        match (above, below) {
            (Type::Set { finite: a, .. }, Type::Set { finite: b, .. })
            | (Type::Map { finite: a, .. }, Type::Map { finite: b, .. }) => *a && *b,
            (Type::Bool, Type::Bool)
            | (Type::Char, Type::Char)
            | (Type::Int, Type::Int)
            | (Type::Real, Type::Real)
            | (Type::Bv(_), Type::Bv(_))
            | (Type::Ordinal, Type::Ordinal)
            | (Type::Multiset(_), Type::Multiset(_))
            | (Type::Seq(_), Type::Seq(_)) => true,
            (Type::Error, _) | (_, Type::Error) => true,
            (a, Type::Seq(_)) => is_data(a) && !is_codata(a),
            (Type::Seq(_), b) => is_data(b) && !is_codata(b),
            (a, b) if is_data(a) && is_data(b) => !(is_codata(a) && is_codata(b)),
            (a, b) => is_reference(a) && is_reference(b),
        }
    }

    /// Desugars `a, b decreases to c, d` to the lexicographic order.
    fn decreases_to(
        &mut self,
        from: &[ast::Expr],
        to: &[ast::Expr],
        allow_equal: bool,
        span: Span,
    ) -> Expr {
        self.cx.text.order_claims.insert(span);
        let from: Vec<Expr> = from.iter().map(|e| self.expr(e, None)).collect();
        let to: Vec<Expr> = to.iter().map(|e| self.expr(e, None)).collect();
        let binary =
            |op, a: Expr, b: Expr| mk(ExprKind::Binary(op, boxed(a), boxed(b)), Type::Bool, span);
        // If one tuple is a prefix of the other, the longer left-hand side is the greater one.
        let rest = allow_equal && to.len() <= from.len() || from.len() < to.len();
        let mut result = mk(ExprKind::Literal(Literal::Bool(rest)), Type::Bool, span);
        // Build the comparison from the last component outwards: greater, or equal and the rest.
        for (a, b) in from.into_iter().zip(to).rev() {
            let greater = binary(BinaryOp::Gt, a.clone(), b.clone());
            let (left, right) = (self.representation(&a.ty), self.representation(&b.ty));
            let are_alike = std::mem::discriminant(&left) == std::mem::discriminant(&right);
            let greater = if !self.have_order(&left, &right) {
                mk(ExprKind::Literal(Literal::Bool(false)), Type::Bool, span)
            } else if matches!(left, Type::Int) && are_alike {
                let zero = mk(
                    ExprKind::Literal(Literal::Int(BigInt::from(0))),
                    a.ty.clone(),
                    span,
                );
                binary(
                    BinaryOp::And,
                    greater,
                    binary(BinaryOp::Ge, a.clone(), zero),
                )
            } else if matches!(left, Type::Bool) && are_alike {
                binary(
                    BinaryOp::And,
                    a.clone(),
                    mk(
                        ExprKind::Unary(crate::typed::UnaryOp::Not, boxed(b.clone())),
                        Type::Bool,
                        span,
                    ),
                )
            } else if matches!(
                left,
                Type::Char | Type::Bv(_) | Type::Set { .. } | Type::Multiset(_)
            ) && are_alike
            {
                greater
            } else {
                binary(BinaryOp::Above, a.clone(), b.clone())
            };
            result = match are_alike {
                true => binary(
                    BinaryOp::Or,
                    greater,
                    binary(BinaryOp::And, binary(BinaryOp::Eq, a, b), result),
                ),
                false => greater,
            };
        }
        result
    }

    /// Retries the constraints that wait for the type of a collection.
    pub(super) fn settle(&mut self) {
        // A constraint whose collection is still unknown is queued again.
        for p in std::mem::take(&mut self.st.pending) {
            match p {
                Pending::In {
                    elem,
                    collection,
                    span,
                } => {
                    if self.st.inf.is_unbound(&self.base(&collection)) {
                        self.st.pending.push(Pending::In {
                            elem,
                            collection,
                            span,
                        });
                    } else {
                        self.membership(&elem, &collection, span);
                    }
                }
                Pending::Element { collection, span } => self.element_target(&collection, span),
                Pending::Index {
                    collection,
                    index,
                    result,
                    span,
                } => {
                    let ty = self.representation(&collection);
                    if self.st.inf.is_unbound(&ty) {
                        self.st.pending.push(Pending::Index {
                            collection,
                            index,
                            result,
                            span,
                        });
                    } else if let Type::Seq(e)
                    | Type::Array {
                        dims: 1, elem: e, ..
                    } = ty
                    {
                        self.expect_integer(&index, span);
                        self.flow(&e, &result);
                    } else if let Type::Map { key, value, .. } = ty {
                        self.comparable_types(&index, &key, span);
                        self.flow(&value, &result);
                    } else if let Type::Multiset(e) = ty {
                        self.comparable_types(&index, &e, span);
                        self.flow(&Type::Int, &result);
                    } else if ty != Type::Error {
                        self.wrong_operand(
                            span,
                            format!(
                                "a value of type {} cannot be indexed",
                                self.show(&collection)
                            ),
                        );
                    }
                }
            }
        }
    }
}

/// The conjunction of conditions, or `None` if there are none.
pub(super) fn conjoin(conditions: impl IntoIterator<Item = Expr>) -> Option<Box<Expr>> {
    let and = |a: Expr, b: Expr| {
        let span = a.span.to(b.span);
        mk(
            ExprKind::Binary(BinaryOp::And, boxed(a), boxed(b)),
            Type::Bool,
            span,
        )
    };
    conditions.into_iter().reduce(and).map(Box::new)
}
