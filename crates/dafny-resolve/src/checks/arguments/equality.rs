//! Equality in compiled code: which types support `==`.

use crate::typed::{
    BinaryOp, CtorId, Expr, ExprKind, FieldId, Program, Type, TypeDeclKind, TypeId, TypeParamId,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::super::super::context::Context;
use super::Uses;

impl Uses<'_, '_> {
    pub(super) fn equality(&mut self, what: &str, elem: &Type, span: Span) {
        let program = self.check.program();
        if self.compiled && !has_equality(program, elem, false) {
            let message = format!(
                "{what} argument type must support equality (got {})",
                program.show_type(elem)
            );
            self.lacks_equality(elem, span, message);
        }
    }

    /// Reports a type without equality. If it is a type parameter or an abstract type that lacks it, the
    /// help says how to declare it.
    pub(super) fn lacks_equality(&mut self, ty: &Type, span: Span, message: String) {
        let program = self.check.program();
        let mut declared = None;
        ty.any(&mut |t| {
            declared = match t {
                Type::Param(p) if !program[*p].characteristics.equality => {
                    Some((program[*p].name.clone(), program[*p].span))
                }
                Type::Named { decl, .. }
                    if matches!(program[*decl].kind, TypeDeclKind::Abstract)
                        && !program[*decl].characteristics.equality =>
                {
                    Some((program[*decl].name.clone(), program[*decl].span))
                }
                Type::Named { .. }
                | Type::Param(_)
                | Type::Bool
                | Type::Char
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Ordinal
                | Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Tuple(_)
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Error => None,
            };
            declared.is_some()
        });
        let mut d = Diagnostic::error("resolve/equality", span, message);
        if let Some((name, at)) = declared {
            d = d
                .with_secondary(at, "declared without `(==)`")
                .with_help(format!("declare it as `{name}(==)`"));
        }
        self.check.found.push(d);
    }

    /// Checks the operands of an equality. A value that needs no further comparison, such as a
    /// constructor without arguments, is always allowed.
    pub(super) fn compares(&mut self, a: &Expr, b: &Expr, span: Span) {
        let program = self.check.program();
        let is_plain = |e: &Expr| {
            matches!(&e.kind, ExprKind::Construct { ctor, args } if !program[*ctor].ghost && args.iter().all(|a| plain_value(program, a)))
                || matches!(&e.kind, ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) if es.is_empty())
                || matches!(&e.kind, ExprKind::MapDisplay(es) if es.is_empty())
                || matches!(&e.kind, ExprKind::Literal(_))
        };
        let is_trait = |e: &Expr| matches!(&e.ty, Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Trait { .. }));
        let known = |e: &Expr| is_plain(e) || has_equality(program, &e.ty, false);
        if !self.compiled || (!is_trait(a) && !is_trait(b) && (known(a) || known(b))) {
            return;
        }
        for operand in [a, b] {
            if !has_equality(program, &operand.ty, true) {
                let got = program.show_type(&operand.ty);
                let message = format!(
                    "== can only be applied to expressions of types that support equality (got {got})"
                );
                self.lacks_equality(&operand.ty, span, message);
                return;
            }
        }
    }

    /// Checks `in` and the prefix order of sequences, which compare elements.
    pub(super) fn searches(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) {
        let program = self.check.program();
        if !self.compiled || !matches!(program.representation(&b.ty), Type::Seq(_)) {
            return;
        }
        let searching = matches!(
            op,
            BinaryOp::In | BinaryOp::NotIn | BinaryOp::Lt | BinaryOp::Le
        );
        if let Some(operand) = [b, a]
            .into_iter()
            .find(|e| !has_equality(program, &e.ty, false))
            .filter(|_| searching)
        {
            let message = format!(
                "the elements of these sequences must support equality (got {})",
                program.show_type(&operand.ty)
            );
            self.lacks_equality(&operand.ty, span, message);
        }
    }
}

/// Whether every value of the type is a value of the bound: a trait, `object`, or a subset type of
/// these.
pub(super) fn meets(cx: &Context, bound: &Type, actual: &Type, depth: u32) -> bool {
    let program = &cx.program;
    if actual == bound || *actual == Type::Error || *bound == Type::Error || depth > 16 {
        return true;
    }
    if let Type::Param(p) = actual {
        return program[*p]
            .bounds
            .iter()
            .any(|b| meets(cx, bound, b, depth + 1));
    }
    if let Type::Object { nullable: or_null } = bound {
        let is_null = matches!(
            actual,
            Type::Named { nullable: true, .. }
                | Type::Array { nullable: true, .. }
                | Type::Object { nullable: true }
        );
        (*or_null || !is_null) && program.is_reference(actual)
    } else if let (
        Type::Named {
            decl,
            args,
            nullable,
        },
        Type::Named {
            decl: of,
            args: given,
            nullable: or_null,
        },
    ) = (bound, actual)
    {
        let map = program.substitution(*of, given);
        let extends = |(t, a): &(TypeId, Vec<Type>)| {
            t == decl && a.iter().map(|a| a.subst(&map)).eq(args.iter().cloned())
        };
        (*nullable || !or_null) && cx.ancestors(*of).iter().any(extends)
    } else {
        false
    }
}

/// Whether `==` compiles by Dafny's rules. They are more permissive for collections than ours,
/// because equality of the elements is required at the written type. `partial`: whether some
/// constructors may be ghost, which is left to the verifier.
pub(super) fn has_equality(program: &Program, ty: &Type, partial: bool) -> bool {
    let parameter = |p| program.supports_equality(&Type::Param(p));
    Equality {
        program,
        within: Vec::new(),
        parameter: &parameter,
    }
    .of(ty, partial)
}

/// A place where a type is written, for the question whether its values can be compared.
struct Equality<'a> {
    program: &'a Program,
    /// The datatypes whose components the place belongs to, outermost first. They support equality
    /// if their arguments do: that is decided at their declarations, where only what surely lacks
    /// equality counts. A hidden type or an abstract type without `(==)` does not.
    within: Vec<TypeId>,
    /// Whether the argument for a type parameter of the innermost datatype supports equality, which
    /// depends on the place where the datatype is used.
    parameter: &'a dyn Fn(TypeParamId) -> bool,
}

impl Equality<'_> {
    fn of(&self, ty: &Type, partial: bool) -> bool {
        let program = self.program;
        match ty {
            Type::Seq(e) => self.of(e, false),
            Type::Map { value, .. } => self.of(value, false),
            Type::Set { .. } | Type::Multiset(_) => true,
            Type::Tuple(parts) => parts.iter().all(|(ghost, t)| !ghost && self.of(t, false)),
            Type::Param(p) => (self.parameter)(*p),
            Type::Named { decl, args, .. } => match &program[*decl].kind {
                TypeDeclKind::Datatype { co: true, .. } => false,
                TypeDeclKind::Datatype { co: false, ctors } => {
                    self.within.contains(decl) || self.of_datatype(*decl, args, ctors, partial)
                }
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    let map = program.substitution(*decl, args);
                    self.of(&c.base.subst(&map), partial)
                }
                TypeDeclKind::Abstract if !self.within.is_empty() => true,
                TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => program.supports_equality(ty),
            },
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Error => program.supports_equality(ty),
        }
    }

    fn of_datatype(&self, decl: TypeId, args: &[Type], ctors: &[CtorId], partial: bool) -> bool {
        let program = self.program;
        // If only some constructors are ghost, the verifier proves that the values have others.
        if ctors.iter().any(|c| program[*c].ghost)
            && (!partial || ctors.iter().all(|c| program[*c].ghost))
        {
            return false;
        }
        // A trait as a component is compared by value.
        let is_trait = |t: &Type| matches!(t, Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Trait { .. }));
        let parameter = |p: TypeParamId| {
            let formals = &program[decl].type_params;
            formals
                .iter()
                .zip(args)
                .find(|(formal, _)| **formal == p)
                .map_or_else(
                    || (self.parameter)(p),
                    |(_, arg)| is_trait(arg) || self.of(arg, false),
                )
        };
        let components = Equality {
            program,
            within: self.within.iter().copied().chain([decl]).collect(),
            parameter: &parameter,
        };
        let has = |f: &FieldId| {
            let f = &program[*f];
            !f.ghost && (is_trait(&f.ty) || components.of(&f.ty, false))
        };
        ctors
            .iter()
            .filter(|c| !program[**c].ghost)
            .all(|c| program[*c].fields.iter().all(has))
    }
}

/// Whether the form of the expression alone decides equality with it.
fn plain_value(program: &Program, e: &Expr) -> bool {
    if matches!(&e.kind, ExprKind::Literal(_)) {
        true
    } else if let ExprKind::Construct { ctor, args } = &e.kind {
        !program[*ctor].ghost && args.iter().all(|a| plain_value(program, a))
    } else {
        has_equality(program, &e.ty, false)
    }
}
