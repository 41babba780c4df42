//! Conversions `e as T` and type tests `e is T`.
//!
//! In the older type system, a conversion goes to a numeric type, a bitvector type, `char` or
//! `ORDINAL`, or between related reference types. A test that is not always true needs a reference
//! type or trait.
//!
//! With `--type-system-refresh`, both are allowed between two types if one is a supertype of the
//! other, constraints aside, and between the scalar types that [`Resolver::converts`] lists. All
//! checks wait until the types are known ([`Resolver::check_tests`]).

use crate::typed::{Expr, GeneralTraits, Type, TypeDeclKind};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::infer::VarKind;
use super::needs::Kind;
use super::{Pass, Resolver, Round};

/// A type test or conversion, checked when its types are known.
#[derive(Debug)]
pub(super) struct Test {
    /// `is` or `as`, for messages.
    word: &'static str,
    from: Type,
    to: Type,
    span: Span,
}

impl Resolver<'_> {
    /// Adds the constraints of `e as T`.
    pub(super) fn conversion(&mut self, operand: &Expr, to: &Type, span: Span) {
        // The new type system has one rule for all types, which is checked when they are known.
        let target = self.representation(to);
        if self.cx.program.options.type_system_refresh {
            return self.test(operand, to, "as", span);
        }
        if is_scalar(&target) {
            // The operand may have any convertible type, so nothing can be inferred for it.
            let what = format!("the value converted to {}", self.show(to));
            return self.need(Kind::Convertible, &operand.ty, what, span);
        }
        if self.is_trait(&target) || target == Type::Error || self.cx.program.is_reference(&target)
        {
            return self.test(operand, to, "as", span);
        }
        let message = format!("`as` cannot convert to the type {}", self.show(to));
        let d = Diagnostic::error("resolve/bad-conversion", span, message);
        self.report(d.with_help("the target of `as` is a numeric type, a bitvector, `char`, `ORDINAL` or a reference type"));
    }

    /// Adds the constraints of `e is T`.
    pub(super) fn type_test(&mut self, operand: &Expr, to: &Type, span: Span) {
        self.test(operand, to, "is", span);
    }

    /// Records a test or conversion for [`Self::check_tests`], and infers unknown types from it.
    fn test(&mut self, operand: &Expr, to: &Type, word: &'static str, span: Span) {
        self.relate(operand, to);
        self.st.tests.push(Test {
            word,
            from: operand.ty.clone(),
            to: to.clone(),
            span,
        });
    }

    /// Checks all recorded type tests and conversions. [`Resolver::solve`] calls it when the types
    /// are final.
    pub(super) fn check_tests(&mut self) {
        for test in std::mem::take(&mut self.st.tests) {
            let test = Test {
                from: self.st.inf.erase(&test.from),
                to: self.st.inf.erase(&test.to),
                ..test
            };
            if test.from == Type::Error || test.to == Type::Error {
                continue;
            }
            let (from, to) = (
                // Constraints do not matter: the verifier proves them.
                self.cx.program.base_type(&test.from),
                self.cx.program.base_type(&test.to),
            );
            // The older type system does not relate a type parameter to its bounds.
            let is_apart = !self.cx.program.options.type_system_refresh
                && from != to
                && matches!((&from, &to), (Type::Param(_), _) | (_, Type::Param(_)));
            let related = !is_apart
                && (self.cx.program.is_subtype(&from, &to)
                    || self.cx.program.is_subtype(&to, &from));
            if self.cx.program.options.type_system_refresh {
                if !related && !self.converts(&from, &to) && !self.converts(&to, &from) {
                    self.cannot_go(&test);
                }
            } else if !related {
                self.cannot_go(&test);
            } else {
                self.check_legacy_test(&test);
            }
        }
    }

    fn cannot_go(
        &mut self,
        Test {
            word,
            from,
            to,
            span,
        }: &Test,
    ) {
        let message = format!(
            "`{word}` cannot convert from {} to {}",
            self.show(from),
            self.show(to)
        );
        self.mismatch_in(Round::Conversions, *span, message);
    }

    /// Checks a test or conversion between related types by the rules of the older type system.
    fn check_legacy_test(
        &mut self,
        Test {
            word,
            from,
            to,
            span,
        }: &Test,
    ) {
        let program = &self.cx.program;
        // A test that is always true is allowed for every type.
        if program.is_subtype(from, to) {
            return;
        }
        let d = if !program.is_subtype(to, from) {
            let message = format!(
                "`{word}` from {} to {} can never succeed",
                self.show(from),
                self.show(to)
            );
            Diagnostic::error("resolve/bad-type-test", *span, message)
        } else {
            // Only objects, and values with general traits, know their type at run time.
            let reference = program.is_reference(to) || self.is_trait(to);
            let general =
                program.options.general_traits != GeneralTraits::Legacy && self.is_trait(from);
            if *word == "as" || reference || general {
                return;
            }
            let message = format!(
                "a value of type {} cannot be tested for the type {}",
                self.show(from),
                self.show(to)
            );
            let d = Diagnostic::error("resolve/bad-type-test", *span, message);
            d.with_help(
                "`is` tests for reference types only; write the constraint of the type instead",
            )
        };
        self.cx.diagnostics.push_in(Pass::Inference, d);
    }

    fn is_trait(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named { decl, .. } if matches!(self.cx.program[*decl].kind, TypeDeclKind::Trait { .. }))
    }

    /// Whether a value of one base type converts to another in the new type system, judging by the
    /// types that newtypes represent. Related types convert in both directions anyway. Without
    /// `--general-newtypes`, Dafny allows more conversions.
    fn converts(&self, from: &Type, to: &Type) -> bool {
        let program = &self.cx.program;
        let [f, t] = [from, to].map(|ty| program.base_type(&program.representation(ty)));
        let known = match &f {
            Type::Bv(_) => matches!(t, Type::Int | Type::Bv(_)),
            Type::Char => matches!(t, Type::Int | Type::Ordinal | Type::Bv(_)),
            Type::Int => matches!(to, Type::Char | Type::Real | Type::Ordinal),
            Type::Bool
            | Type::Real
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. } => false,
            Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. } => false,
            Type::Param(_) | Type::Error => false,
        };
        // Without general newtypes, `as` is as lax as in the older type system.
        let legacy = matches!(f, Type::Real | Type::Bv(_)) && is_scalar(&t);
        f == t || known || legacy && !program.options.general_newtypes
    }

    /// Binds unknown types of the operand from a test or conversion.
    fn relate(&mut self, operand: &Expr, to: &Type) {
        let (from, target) = (self.representation(&operand.ty), self.representation(to));
        match self.st.inf.kind(&from) {
            Some(VarKind::IntLike | VarKind::RealLike)
                if self.cx.program.options.type_system_refresh && is_scalar(&target) => {}
            // The new type system infers nothing for an unconstrained operand.
            Some(VarKind::Any) if self.cx.program.options.type_system_refresh => {}
            Some(VarKind::Any | VarKind::Null | VarKind::IntLike | VarKind::RealLike) => {
                self.flow(&operand.ty, to);
            }
            None => {
                // Both types are known at their heads; the comparison binds variables in their
                // arguments.
                let (a, b) = (self.base(&operand.ty), self.base(to));
                self.st.inf.comparable(&self.cx.program, &a, &b);
            }
        }
    }
}

/// Whether the type is numeric, a bitvector type, `char` or `ORDINAL`.
fn is_scalar(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Int | Type::Real | Type::Bv(_) | Type::Char | Type::Ordinal
    )
}
