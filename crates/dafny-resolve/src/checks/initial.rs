//! Initialization: every field and constant needs an initial value (reference manual, "Class
//! types", "Constant field declarations").

use crate::typed::{
    Arena, CallableKind, Expr, Field, FieldId, FieldKind, ModuleId, Program, Rhs, Stmt, StmtKind,
    Type, TypeDeclKind, TypeId,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::super::context::Member;
use super::{Check, is_extern};

pub(super) fn check(c: &mut Check<'_>) {
    mutable(c);
    allocations(c);
}

/// Reports constants and fields without an initial value. Types that are opaque to the module are
/// not known to have one.
pub(super) fn values(c: &mut Check<'_>) {
    if !c.cx.names.in_views {
        constants(c);
    }
    classes(c);
}

/// Whether a field of this type has a default value.
fn has_value(program: &Program, ty: &Type, ghost: bool) -> bool {
    let known = program.characteristics_of(ty);
    *ty == Type::Error
        || if ghost {
            known.nonempty
        } else {
            known.auto_init
        }
}

/// Requires that yield-parameters have a default value, since they are readable before the first
/// assignment.
pub(super) fn yields(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<TypeId> = program.ids();
    for id in ids {
        let TypeDeclKind::Iterator(parts) = &program[id].kind else {
            continue;
        };
        if !c.looks_at(program[id].module) {
            continue;
        }
        for field in &parts.yields {
            let f = &program[*field];
            if !has_value(program, &f.ty, f.ghost) {
                let (ty, asked) = (
                    program.show_type(&f.ty),
                    if f.ghost {
                        "may be empty"
                    } else {
                        "may have no default value"
                    },
                );
                let message = format!(
                    "the yield-parameter `{}` must be initialized at the start, but its type `{ty}` {asked}",
                    f.name
                );
                let d = Diagnostic::error("resolve/no-value", f.span, message);
                c.found
                    .push(if matches!(program.strip_subset(&f.ty), Type::Param(_)) {
                        d.with_help(format!("declare the type parameter as `{ty}(0)`"))
                    } else {
                        d
                    });
            }
        }
    }
}

/// Reports mutable fields in types whose values are not objects.
fn mutable(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<FieldId> = program.ids();
    for id in ids {
        let f = &program[id];
        let is_trait = f.owner.is_some_and(|o| program.is_trait(o));
        if !matches!(f.kind, FieldKind::Mutable) || f.owner.is_none_or(|o| is_object(program, o)) {
            continue;
        }
        let d = Diagnostic::error(
            "resolve/mutable-field",
            f.span,
            "only reference types have mutable fields",
        );
        c.found.push(d.with_help(match is_trait {
            true => "make it a `const`, or declare that the trait extends `object`",
            false => "make it a `const`",
        }));
    }
}

/// Whether the values of the type are objects.
fn is_object(program: &Program, id: TypeId) -> bool {
    match &program[id].kind {
        TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
        TypeDeclKind::Trait { is_reference } => *is_reference,
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract => false,
    }
}

/// Reports constants without a value in types without constructors.
fn constants(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<FieldId> = program.ids();
    for id in ids {
        let f = &program[id];
        if !matches!(f.kind, FieldKind::Const(None))
            || program.is_in_abstract_module(f.module)
            || !c.looks_at(f.module)
        {
            continue;
        }
        let in_object = f.owner.is_some_and(|o| is_object(program, o));
        if (in_object && !f.is_static)
            || f.attributes.iter().any(|a| &*a.name == "extern")
            || has_value(program, &f.ty, f.ghost)
        {
            continue;
        }
        let what = if f.is_static && f.owner.is_some() {
            "static "
        } else {
            ""
        };
        let (kind, why) = match f.ghost {
            true => ("ghost", "which may be empty"),
            false => ("non-ghost", "which does not have a default compiled value"),
        };
        let message = format!(
            "{what}{kind} const field '{}' of type '{}' ({why}) must give a defining value",
            f.name,
            program.show_type(&f.ty)
        );
        c.error("resolve/no-value", f.span, message);
    }
}

/// Reports classes without a constructor that have fields without a default value.
fn classes(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<TypeId> = program.ids();
    for id in ids {
        let decl = &program[id];
        let constructors = decl
            .callables
            .iter()
            .any(|m| program[*m].kind == CallableKind::Constructor);
        if !matches!(decl.kind, TypeDeclKind::Class)
            || constructors
            || is_extern(decl)
            || !c.looks_at(decl.module)
        {
            continue;
        }
        let needs = |f: &Field, ty: &Type| match &f.kind {
            FieldKind::Mutable | FieldKind::Const(None) => {
                !f.is_static && !has_value(program, ty, f.ghost)
            }
            FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => false,
        };
        let found = c.cx.ancestors(id).into_iter().find_map(|(at, args)| {
            let map = program.substitution(at, &args);
            let field = |f: &FieldId| {
                let ty = program[*f].ty.subst(&map);
                needs(&program[*f], &ty).then(|| (program[*f].name.clone(), ty))
            };
            program[at].fields.iter().find_map(field)
        });
        if let Some((field, ty)) = found {
            let shown = program.show_type(&ty);
            let message = format!(
                "class '{}' with fields without known initializers, like '{field}' of type '{shown}', must declare a constructor",
                decl.name
            );
            c.error("resolve/no-value", decl.span, message);
        }
    }
}

/// Reports `new C` for a class whose constructor has to be called.
fn allocations(c: &mut Check<'_>) {
    struct Allocations<'a, 'b> {
        check: &'a mut Check<'b>,
        module: ModuleId,
    }
    impl<'t> Visit<'t> for Allocations<'_, '_> {
        fn ty(&mut self, _: &'t Type) {}
        fn expr(&mut self, _: &'t Expr) {}
        fn stmt(&mut self, s: &'t Stmt) {
            if let StmtKind::Assign { pairs, .. } = &s.kind {
                for (_, rhs) in pairs {
                    if let Rhs::New {
                        ty: Type::Named { decl, .. },
                        ctor,
                    } = rhs
                        && ctor.as_ref().is_none_or(|c| {
                            self.check.program()[c.callee].kind != CallableKind::Constructor
                        })
                    {
                        self.plain(*decl, s.span);
                    }
                }
            }
            visit::walk_stmt(self, s);
        }
    }
    impl Allocations<'_, '_> {
        fn plain(&mut self, class: TypeId, span: Span) {
            let program = self.check.program();
            let decl = &program[class];
            let has = self.check.cx.names.members_of(class).is_some_and(|members| {
                let constructor = |m: &Member| matches!(m, Member::Callable(c) if program[*c].kind == CallableKind::Constructor);
                members.values().any(constructor)
            });
            // A class of another module may hide its constructors.
            if has || decl.module != self.module {
                let imported = if has { "" } else { "imported " };
                let message = format!(
                    "when allocating an object of {imported}type '{}', one of its constructor methods must be called",
                    decl.name
                );
                self.check.error("resolve/no-constructor", span, message);
            }
        }
    }
    let program = c.program();
    let ids: Vec<crate::typed::CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let block = match &callable.body {
            crate::typed::Body::Block(b) | crate::typed::Body::ByMethod(_, b) => b,
            crate::typed::Body::None | crate::typed::Body::Expr(_) => continue,
        };
        visit::walk_block(
            &mut Allocations {
                check: c,
                module: callable.module,
            },
            block,
        );
    }
}
