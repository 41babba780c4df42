//! Tests of values: order and equality, parts, functions, lazy values, and printing by the types
//! of a program.

mod meaning;
mod printing;

use dafny_resolve::typed::{Arena, CtorId, Options, Program, Type, TypeId};

/// Resolves a program without errors.
fn program(source: &str) -> Program {
    let (_, program, diagnostics) =
        dafny_resolve::resolve_text("test.dfy", source, Options::default());
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    program
}

/// Returns a declared type by its path.
fn ty(program: &Program, path: &str, args: Vec<Type>) -> Type {
    let ids = Arena::<TypeId>::ids(program);
    let found = ids.into_iter().find(|id| program.type_path(*id) == path);
    Type::named(found.unwrap_or_else(|| panic!("no {path}")), args)
}

/// Returns a constructor by its name.
fn ctor(program: &Program, name: &str) -> CtorId {
    let ids = Arena::<CtorId>::ids(program);
    let found = ids.into_iter().find(|id| &*program[*id].name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}
