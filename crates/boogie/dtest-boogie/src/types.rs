//! Substitution of type arguments.

use std::sync::Arc;

use boogie_resolve::typed::{Constructor, MapType, Type, TypeVar};
use rustc_hash::FxHashMap;

/// Replaces type variables.
pub(crate) fn substitute(ty: &Type, map: &FxHashMap<TypeVar, Type>) -> Type {
    if map.is_empty() {
        return ty.clone();
    }
    match ty {
        Type::Var(v) => map.get(v).cloned().unwrap_or_else(|| ty.clone()),
        Type::Constructor(id, args) => {
            Type::Constructor(*id, args.iter().map(|a| substitute(a, map)).collect())
        }
        Type::Map(m) => Type::Map(Arc::new(MapType {
            params: m.params.clone(),
            args: m.args.iter().map(|a| substitute(a, map)).collect(),
            result: substitute(&m.result, map),
        })),
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Meta(_) => ty.clone(),
    }
}

/// Returns the substitution of a constructor's type parameters for a type of its results.
pub(crate) fn type_arguments(constructor: &Constructor, ty: &Type) -> FxHashMap<TypeVar, Type> {
    let Type::Constructor(_, args) = ty else {
        return FxHashMap::default();
    };
    constructor
        .type_params
        .iter()
        .copied()
        .zip(args.iter().cloned())
        .collect()
}
