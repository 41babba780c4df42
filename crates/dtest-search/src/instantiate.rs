//! Instantiation of type parameters with concrete types, which the search needs for inputs.

use super::graph;
use dafny_resolve::typed::{self, CallableId, Type};
use dtest_ir as ir;
use dtest_ir::reason::Reason;

/// The type arguments of a unit: `int`; `bool` if a precondition quantifies over all values of the
/// parameter, because `bool` can be enumerated; a type within the bounds if the parameter has
/// bounds.
pub(super) fn type_arguments(program: &ir::Program, unit: CallableId) -> Result<Vec<Type>, Reason> {
    let Some(procedure) = program.procedures.get(&unit) else {
        return Ok(Vec::new());
    };
    let contract = program.contracts.get(&unit);
    let mut out = Vec::new();
    for p in &procedure.type_params {
        // A type with bounds needs an argument that satisfies all of them.
        if !program.typed[*p].bounds.is_empty() {
            let known = procedure
                .type_params
                .iter()
                .copied()
                .zip(out.iter().cloned())
                .collect();
            let argument = bounded_argument(&program.typed, *p, &known);
            out.push(
                argument.ok_or_else(|| Reason::NoTypeArgument(program.typed[*p].name.clone()))?,
            );
            continue;
        }
        // Only unbounded quantifiers matter: others are enumerated over their own domain.
        let quantified = contract.is_some_and(|c| {
            c.requires
                .iter()
                .any(|clause| graph::quantifies_over(&clause.cond, &c.vars, &Type::Param(*p)))
        });
        out.push(if quantified { Type::Bool } else { Type::Int });
    }
    Ok(out)
}

/// Alternative type arguments of a unit: `bool`, and `object` where references are allowed and no
/// initial value is needed. Parameters with bounds keep their argument.
pub(super) fn other_arguments(
    program: &ir::Program,
    procedure: &ir::Procedure,
    own: &[Type],
) -> Vec<Vec<Type>> {
    let object = Type::Object { nullable: false };
    // A type characteristic may exclude references or types without an initial value.
    let allows = |param: &typed::TypeParamId, ty: &Type| {
        let known = &program.typed[*param];
        let needs = known.characteristics;
        known.bounds.is_empty()
            && (*ty == Type::Bool || !(needs.no_new || needs.auto_init || needs.nonempty))
    };
    let with = |ty: &Type| -> Vec<Type> {
        let params = procedure.type_params.iter().zip(own);
        params
            .map(|(param, own)| {
                if allows(param, ty) {
                    ty.clone()
                } else {
                    own.clone()
                }
            })
            .collect()
    };
    [Type::Bool, object]
        .iter()
        .map(with)
        .filter(|types| types != own)
        .collect()
}

/// A type that satisfies the bounds of a type parameter: the bound that extends all others, which
/// represents every type that implements it, or a class that extends all bounds.
pub(super) fn bounded_argument(
    program: &typed::Program,
    param: typed::TypeParamId,
    known: &typed::Substitution,
) -> Option<Type> {
    let bounds: Vec<Type> = program[param]
        .bounds
        .iter()
        .map(|b| b.subst(known))
        .collect();
    // A type satisfies a bound by extending it with the same arguments.
    let meets = |ty: &Type, bound: &Type| {
        if let Type::Named { decl, args, .. } = bound {
            program
                .supertype_args(ty, *decl)
                .is_some_and(|found| found == *args)
        } else if matches!(bound, Type::Object { .. }) {
            program.is_reference(ty)
        } else {
            bound == ty
        }
    };
    let meets_all = |ty: &Type| bounds.iter().all(|b| meets(ty, b));
    let classes = if let Type::Named { decl, args, .. } = bounds.first()? {
        program.implementing_classes(*decl, args)
    } else {
        Vec::new()
    };
    // A bound that implies all others is preferred, because it represents every implementing type.
    bounds
        .iter()
        .find(|b| meets_all(b))
        .cloned()
        .or_else(|| classes.into_iter().find(|c| meets_all(c)))
}
