//! Conversions `e as T` and type tests `e is T`.
//!
//! By the older type system: a conversion goes to a number, bitvector, char or ORDINAL, or along the subtypes of a reference
//! type; a test that is not always true asks for a reference type or trait. `--type-system-refresh` allows both between any
//! related types.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::typed::{Expr, GeneralTraits, Type, TypeDeclKind};

use super::infer::VarKind;
use super::needs::Kind;
use super::{Pass, Resolver};

/// A type test, which is judged when its types are known.
#[derive(Debug)]
pub(super) struct Test {
    from: Type,
    to: Type,
    span: Span,
}

impl Resolver<'_> {
    /// Checks that `e as T` makes sense.
    pub(super) fn conversion(&mut self, operand: &Expr, to: &Type, span: Span) {
        let target = self.representation(to);
        let numeric = matches!(target, Type::Int | Type::Real | Type::Bv(_) | Type::Char | Type::Ordinal);
        if self.cx.program.options.type_system_refresh {
            let general = self.cx.program.options.general_newtypes;
            if general && target == Type::Real && matches!(self.representation(&operand.ty), Type::Bv(_)) {
                let message = format!("`as` cannot go from {} to real", self.show(&operand.ty));
                self.error("resolve/bad-conversion", span, message);
            }
            return self.related(operand, to, "as", span);
        }
        if numeric {
            if self.st.inf.kind(&operand.ty) == Some(VarKind::Any) {
                self.flow(&operand.ty, &target);
            }
            let what = format!("what is converted to {}", self.show(to));
            return self.need(Kind::Convertible, &operand.ty, what, span);
        }
        let is_trait = matches!(&target, Type::Named { decl, .. } if matches!(self.cx.program[*decl].kind, TypeDeclKind::Trait { .. }));
        if is_trait || target == Type::Error || self.cx.program.is_reference(&target) {
            return self.related(operand, to, "as", span);
        }
        let message = format!("`as` cannot go to the type {}", self.show(to));
        let d = Diagnostic::error("resolve/bad-conversion", span, message);
        self.report(d.with_help("it goes to numbers, bitvectors, `char`, `ORDINAL` and reference types"));
    }

    /// Checks that `e is T` makes sense.
    pub(super) fn type_test(&mut self, operand: &Expr, to: &Type, span: Span) {
        self.related(operand, to, "is", span);
        if !self.cx.program.options.type_system_refresh && self.cx.program.options.general_traits == GeneralTraits::Legacy {
            self.st.tests.push(Test { from: operand.ty.clone(), to: to.clone(), span });
        }
    }

    /// Checks type tests; see [`Resolver::solve`].
    pub(super) fn check_tests(&mut self) {
        for Test { from, to, span } in std::mem::take(&mut self.st.tests) {
            let (from, to) = (self.final_type(&from), self.final_type(&to));
            if from == Type::Error || to == Type::Error || self.is_subtype(&from, &to) || self.cx.program.is_reference(&to) {
                continue;
            }
            let is_trait = matches!(&to, Type::Named { decl, .. } if matches!(self.cx.program[*decl].kind, TypeDeclKind::Trait { .. }));
            if !is_trait {
                let message = format!("a value of type {} cannot be tested for the type {}", self.show(&from), self.show(&to));
                let d = Diagnostic::error("resolve/bad-type-test", span, message);
                self.cx
                    .diagnostics
                    .push_in(Pass::Inference, d.with_help("only reference types are tested for; write the condition of the type instead"));
            }
        }
    }

    fn final_type(&self, ty: &Type) -> Type {
        self.st.inf.zonk(ty, &mut false)
    }

    /// Whether every value of a type is one of another, by their declarations.
    fn is_subtype(&mut self, from: &Type, to: &Type) -> bool {
        let mut at = from.clone();
        loop {
            if at == *to || self.st.inf.is_ancestor(&self.cx.program, &at, to) {
                return true;
            }
            match super::infer::strip_once(&self.cx.program, &at) {
                Some(base) => at = base,
                None => return false,
            }
        }
    }

    /// The types must have a value in common.
    fn related(&mut self, operand: &Expr, to: &Type, word: &str, span: Span) {
        let (from, target) = (self.representation(&operand.ty), self.representation(to));
        let numeric = |t: &Type| matches!(t, Type::Int | Type::Real | Type::Bv(_) | Type::Char | Type::Ordinal);
        let refresh = self.cx.program.options.type_system_refresh;
        if let Some(kind) = self.st.inf.kind(&from) {
            match kind {
                VarKind::IntLike | VarKind::RealLike if refresh && numeric(&target) => {}
                VarKind::Any if numeric(&target) => {
                    self.flow(&operand.ty, &target);
                }
                VarKind::Any | VarKind::Null | VarKind::IntLike | VarKind::RealLike => self.expect_type(&operand.ty, to, span),
            }
            return;
        }
        if from == Type::Error || target == Type::Error || refresh && numeric(&from) && numeric(&target) {
            return;
        }
        let (a, b) = (self.base(&operand.ty), self.base(to));
        if self.st.inf.comparable(&self.cx.program, &a, &b) || refresh && self.st.inf.comparable(&self.cx.program, &from, &target) {
            return;
        }
        let message = format!("`{word}` cannot go from {} to {}", self.show(&operand.ty), self.show(to));
        self.mismatch(span, message);
    }
}
