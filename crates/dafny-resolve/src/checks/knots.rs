//! Landin's knot: a function stored in the heap that reads the heap could call itself without
//! termination. Such functions must not be stored, nor may a function be stored in an object that
//! it takes or reads.

use crate::typed::{
    Arena, ArrowKind, Body, CallableId, Program, Rhs, Stmt, StmtKind, Target, Type, TypeDeclKind,
    TypeId,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::Check;

/// Reports functions with read effects in fields and arrays.
pub(super) fn readers(c: &mut Check<'_>) {
    for (target, ty, span) in assignments(c.program()) {
        let is_stored = matches!(target, Target::Field { .. } | Target::Element { .. });
        if is_stored && reads(c.program(), ty) {
            let message = "a function that reads the heap cannot be stored in the heap: it could call itself endlessly";
            c.found.push(
                Diagnostic::error("resolve/stored-function", span, message)
                    .with_help("use a function type `-->` or `->`, which does not read the heap"),
            );
        }
    }
}

/// Reports functions stored in objects whose type occurs in the function's type.
pub(super) fn own_functions(c: &mut Check<'_>) {
    for (target, ty, span) in assignments(c.program()) {
        let Target::Field { object, .. } = target else {
            continue;
        };
        let owner = c.program().base_type(&object.ty);
        if occurs(c.program(), &owner, ty, false) {
            let message = format!(
                "a function over {} cannot be stored in one of its fields: it could call itself endlessly",
                c.program().show_type(&object.ty)
            );
            c.error("resolve/stored-function", span, message);
        }
    }
}

/// All assignments of expressions: the target, the type of the value, and the span of the
/// statement.
fn assignments(program: &Program) -> Vec<(&Target, &Type, Span)> {
    struct Assignments<'t>(Vec<(&'t Target, &'t Type, Span)>);
    impl<'t> Visit<'t> for Assignments<'t> {
        fn stmt(&mut self, s: &'t Stmt) {
            if let StmtKind::Assign { pairs, .. } = &s.kind {
                for (target, rhs) in pairs {
                    match rhs {
                        Rhs::Expr(e) => self.0.push((target, &e.ty, s.span)),
                        Rhs::Havoc(_) | Rhs::New { .. } | Rhs::NewArray { .. } => {}
                    }
                }
            }
            visit::walk_stmt(self, s);
        }
    }
    let mut all = Assignments(Vec::new());
    for id in Arena::<CallableId>::ids(program) {
        match &program[id].body {
            Body::Block(b) | Body::ByMethod(_, b) => all.block(b),
            Body::None | Body::Expr(_) => {}
        }
    }
    for id in Arena::<TypeId>::ids(program) {
        if let TypeDeclKind::Iterator(parts) = &program[id].kind
            && let Some(b) = &parts.body
        {
            all.block(b);
        }
    }
    all.0
}

/// Whether the type mentions functions that may read the heap.
fn reads(program: &Program, ty: &Type) -> bool {
    let is_general = |ty: &Type| {
        matches!(
            ty,
            Type::Arrow {
                kind: ArrowKind::General,
                ..
            }
        )
    };
    let is_named = matches!(ty, Type::Named { .. });
    is_general(ty)
        || (is_named && is_general(&program.strip_subset(ty)))
        || ty.parts().any(|t| reads(program, t))
}

/// Whether a type, or a trait of it, occurs among the parameters or results of a function.
/// `inside`: whether `ty` is already part of a function type.
fn occurs(program: &Program, owner: &Type, ty: &Type, inside: bool) -> bool {
    let ty = program.strip_subset(ty);
    let is_trait = matches!(&ty, Type::Object { .. })
        || matches!(&ty, Type::Named { decl, .. } if program.is_trait(*decl));
    if inside && (is_trait || program.base_type(&ty) == *owner) {
        return true;
    }
    let inside = inside || matches!(ty, Type::Arrow { .. });
    ty.parts().any(|t| occurs(program, owner, t, inside))
}
