//! The type parameters that are declared as `'static`.
//!
//! Every type parameter of a function or an `impl` is a `Value`, and therefore `'static`.
//! Declarations of structs, enums and traits have no bounds on their parameters, following Rust's
//! API guidelines (C-STRUCT-BOUNDS), with one exception: a field that holds a value of a generic
//! trait. `Dyn<dyn Shape<T>>` is compared through `Dynamic`, which is `'static`, and a derived
//! comparison only has the bounds of the declaration. A declaration that mentions such a type with
//! its own parameter needs the bound too.

use dafny_resolve::typed::{Arena, Program, Type, TypeDeclKind, TypeId, TypeParamId};
use dtest_sorted::SortedSet;

/// Returns the parameters of the program's declared types that must be `'static`.
pub(super) fn static_params(program: &Program) -> SortedSet<TypeParamId> {
    let mentioned: Vec<(TypeId, Vec<Type>)> = program
        .ids()
        .into_iter()
        .map(|t| (t, mentions(program, t)))
        .collect();
    let mut found = SortedSet::new();
    loop {
        let known = found.len();
        for (owner, types) in &mentioned {
            types
                .iter()
                .for_each(|t| add(program, t, *owner, &mut found));
        }
        if found.len() == known {
            return found;
        }
    }
}

/// Returns the types in a declaration: of its fields, of its parents and, in a trait, of its
/// functions.
fn mentions(program: &Program, ty: TypeId) -> Vec<Type> {
    let decl = &program[ty];
    if decl.type_params.is_empty() {
        return Vec::new();
    }
    let fields = program
        .fields
        .iter()
        .filter(|f| f.owner == Some(ty))
        .map(|f| &f.ty);
    let heads = program
        .callables
        .iter()
        .filter(|c| c.owner == Some(ty) && program.is_trait(ty));
    let formals = heads
        .flat_map(|c| c.ins.iter().chain(&c.outs))
        .map(|f| &program[f.local].ty);
    fields
        .chain(formals)
        .chain(&decl.parents)
        .map(|t| program.representation(t))
        .collect()
}

/// Adds the parameters of `owner` that are arguments for a parameter that was found, or, if the
/// owner's comparison is derived, arguments of a trait.
fn add(program: &Program, ty: &Type, owner: TypeId, found: &mut SortedSet<TypeParamId>) {
    if let Type::Named { decl, args, .. } = ty {
        let compared =
            program.is_trait(*decl) && matches!(program[owner].kind, TypeDeclKind::Datatype { .. });
        for (param, arg) in program[*decl].type_params.iter().zip(args) {
            if compared || found.contains(param) {
                let mentioned = |p: &&TypeParamId| arg.any(&mut |t| *t == Type::Param(**p));
                found.extend(program[owner].type_params.iter().filter(mentioned));
            }
        }
    }
    ty.compiled_parts()
        .into_iter()
        .for_each(|t| add(program, &program.representation(t), owner, found));
}
