//! Substitution of type arguments.

pub(crate) use boogie_resolve::substitute;
use boogie_resolve::typed::{Constructor, Type, TypeVar};
use rustc_hash::FxHashMap;

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
