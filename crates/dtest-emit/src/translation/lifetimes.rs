//! Which type parameters of a declaration are told to be `'static`.
//!
//! Every type parameter of a function or an `impl` is a `Value`, and by that `'static`. The declaration of a struct, an
//! enum or a trait says nothing of its parameters, as Rust's API guidelines ask (C-STRUCT-BOUNDS), except where a field
//! holds a value of a generic trait: `Dyn<dyn Shape<T>>` is compared through `Dynamic`, which is `'static`, and a derived
//! comparison has only what the declaration says. What mentions such a declaration at its own parameter says it too.

use dafny_resolve::typed::{Arena, Program, Type, TypeDeclKind, TypeId, TypeParamId};
use dtest_sorted::SortedSet;

/// The parameters of the program's declared types that have to be `'static`.
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

/// The types that the declaration of a type is written with: of its fields, of its parents and, in a trait, of its functions.
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

/// Adds the parameters of `owner` that stand for one that has been found or, where the owner's comparison is derived,
/// are arguments of a trait.
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
