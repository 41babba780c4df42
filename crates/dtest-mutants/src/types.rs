//! Types of replacements: an expression can replace another one if their types differ only in
//! constraints. `nat` and `int` have the same values in compiled code, so that Dafny resolves the
//! mutant, and only its verifier would refuse it.

use dafny_resolve::typed::{Program, Type};

/// Whether the values of two types are represented alike and Dafny assigns each to the other: they
/// differ only in subset types, at the top or in collections and tuples. Newtypes differ from their
/// bases, and type arguments of declared types have to be equal, because they are not always
/// covariant (reference manual, section 5.4).
pub(super) fn are_alike(program: &Program, a: &Type, b: &Type) -> bool {
    a == b || unconstrained(program, a) == unconstrained(program, b)
}

/// The type without constraints: subset types are replaced by their bases.
pub(super) fn unconstrained(program: &Program, ty: &Type) -> Type {
    let part = |t: &Type| Box::new(unconstrained(program, t));
    match program.strip_subset(ty) {
        Type::Seq(elem) => Type::Seq(part(&elem)),
        Type::Set { finite, elem } => Type::Set {
            finite,
            elem: part(&elem),
        },
        Type::Multiset(elem) => Type::Multiset(part(&elem)),
        Type::Map { finite, key, value } => Type::Map {
            finite,
            key: part(&key),
            value: part(&value),
        },
        Type::Tuple(parts) => Type::Tuple(
            parts
                .iter()
                .map(|(ghost, t)| (*ghost, unconstrained(program, t)))
                .collect(),
        ),
        other @ (Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error) => other,
    }
}
