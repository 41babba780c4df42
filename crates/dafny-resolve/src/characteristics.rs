//! Inference of type characteristics: `(==)` of type parameters, and all four characteristics of
//! declared types.

use super::context::{Context, SynonymId};
use crate::typed::{
    Arena, CallableId, Characteristics, Program, Type, TypeDeclKind, TypeId, TypeParamId,
};

/// Infers `(==)` for type parameters that a signature uses where equality is required. Then
/// computes the characteristics of declared types, assuming type arguments that have all of them.
pub(super) fn infer(cx: &mut Context) {
    let types: Vec<TypeId> = cx.program.ids();
    // Types that an export set provides without their definition are skipped: their
    // characteristics must not depend on it.
    let (provided, inferred): (Vec<TypeId>, Vec<TypeId>) = types.iter().partition(|t| {
        cx.names
            .is_provided(cx.program[**t].module, &cx.program[**t].name)
    });
    drop(provided);
    let synonyms_seen: Vec<SynonymId> = (0..)
        .map(SynonymId)
        .zip(&cx.synonyms.all)
        .filter(|(_, s)| !cx.names.is_provided(s.module, &s.name))
        .map(|(id, _)| id)
        .collect();
    let Context {
        program, synonyms, ..
    } = cx;
    let mut changed = true;
    while changed {
        changed = false;
        for id in &inferred {
            let used: Vec<Type> = match &program[*id].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    let fields = ctors.iter().flat_map(|c| &program[*c].fields);
                    fields
                        .map(|f| program[*f].ty.clone())
                        .chain(program[*id].parents.iter().cloned())
                        .collect()
                }
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => vec![c.base.clone()],
                TypeDeclKind::Iterator(parts) => parts
                    .ins
                    .iter()
                    .chain(&parts.yields)
                    .map(|f| program[*f].ty.clone())
                    .collect(),
                TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {
                    continue;
                }
            };
            for param in program[*id].type_params.clone() {
                changed |= require(program, param, &used);
            }
        }
        for synonym in synonyms_seen.iter().filter_map(|id| synonyms.get(*id)) {
            for param in &synonym.params {
                changed |= require(program, *param, std::slice::from_ref(&synonym.rhs));
            }
        }
    }
    let callables: Vec<CallableId> = program.ids();
    for id in callables {
        let callable = &program[id];
        let in_class = callable.owner.is_none_or(|o| match &program[o].kind {
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => true,
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract => false,
        });
        if callable.ghost || !in_class {
            continue;
        }
        let used: Vec<Type> = callable
            .ins
            .iter()
            .chain(&callable.outs)
            .map(|f| program[f.local].ty.clone())
            .collect();
        // The arguments of synonyms, each with whether equality is required of it.
        let names = callable
            .ins
            .iter()
            .chain(&callable.outs)
            .map(|f| program[f.local].span);
        let within: Vec<(bool, Type)> = names
            .filter_map(|name| synonyms.by_name.get(&name))
            .flatten()
            .filter_map(|(id, args)| synonyms.get(*id).map(|s| (&s.params, args)))
            .flat_map(|(params, args)| {
                params
                    .iter()
                    .zip(args)
                    .map(|(p, a)| (program[*p].characteristics.equality, a.clone()))
            })
            .collect();
        for param in callable.type_params.clone() {
            require(program, param, &used);
            if within.iter().any(|(asked, ty)| {
                *asked && *ty == Type::Param(param) || needs_equality(program, param, ty)
            }) {
                program[param].characteristics.equality = true;
            }
        }
    }
    settle(program, &types);
}

fn require(program: &mut Program, param: TypeParamId, used: &[Type]) -> bool {
    if program[param].characteristics.equality
        || !used.iter().any(|t| needs_equality(program, param, t))
    {
        return false;
    }
    program[param].characteristics.equality = true;
    true
}

/// Whether the type is well-formed only if the parameter supports equality.
fn needs_equality(program: &Program, param: TypeParamId, ty: &Type) -> bool {
    let is_param = |t: &Type| *t == Type::Param(param);
    let needs = |t: &Type| needs_equality(program, param, t);
    match ty {
        Type::Set { elem, .. } | Type::Multiset(elem) => is_param(elem) || needs(elem),
        Type::Map { key, value, .. } => is_param(key) || needs(key) || needs(value),
        Type::Seq(elem) | Type::Array { elem, .. } => needs(elem),
        Type::Tuple(cs) => cs.iter().any(|(_, t)| needs(t)),
        Type::Arrow { params, result, .. } => params.iter().any(needs) || needs(result),
        Type::Named { decl, args, .. } => {
            let formals = &program[*decl].type_params;
            formals
                .iter()
                .zip(args)
                .any(|(f, a)| (program[*f].characteristics.equality && is_param(a)) || needs(a))
        }
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}

fn settle(program: &mut Program, types: &[TypeId]) {
    let all = Characteristics {
        equality: true,
        auto_init: true,
        nonempty: true,
        no_new: true,
    };
    for id in types {
        if matches!(program[*id].kind, TypeDeclKind::Abstract) {
            continue;
        }
        let params = program[*id].type_params.clone();
        let declared: Vec<Characteristics> = params
            .iter()
            .map(|p| std::mem::replace(&mut program[*p].characteristics, all))
            .collect();
        let own = Type::named(*id, params.iter().map(|p| Type::Param(*p)).collect());
        let settled = program.characteristics_of(&own);
        for (p, declared) in params.iter().zip(declared) {
            program[*p].characteristics = declared;
        }
        program[*id].characteristics = settled;
    }
}
