//! Subtyping by the declarations of types.
//!
//! The older type system compares final types, including constraints (`Type.IsSubtypeOf`).
//! `--type-system-refresh` compares *base* types (pre-types), in which every subset type is
//! replaced by its base, `C` by `C?`, and every arrow by `~>` (`PreTypeResolver.IsSuperPreTypeOf`).
//! That corresponds to [`Program::is_subtype`] on [`Program::base_type`]s.

use rustc_hash::FxHashSet;

use super::{ArrowKind, Program, Type, TypeDeclKind, TypeParamId};
use dafny_syntax::ast::Variance;

/// The maximum number of declarations to follow. Cycles of declarations are reported elsewhere.
const FAR: u32 = 64;

impl Program {
    /// The type without constraints: subset types are replaced by their bases, arrows by `~>`, and
    /// reference types by nullable ones.
    pub fn base_type(&self, ty: &Type) -> Type {
        let other = self.strip_subset(ty).map_parts(&mut |t| self.base_type(t));
        match other {
            Type::Arrow { params, result, .. } => Type::Arrow {
                kind: ArrowKind::General,
                params,
                result,
            },
            Type::Array { dims, elem, .. } => Type::Array {
                dims,
                nullable: true,
                elem,
            },
            Type::Object { .. } => Type::Object { nullable: true },
            Type::Named { decl, args, .. } => {
                let nullable = match self[decl].kind {
                    TypeDeclKind::Class
                    | TypeDeclKind::Iterator(_)
                    | TypeDeclKind::Trait { is_reference: true } => true,
                    TypeDeclKind::Trait {
                        is_reference: false,
                    }
                    | TypeDeclKind::Datatype { .. }
                    | TypeDeclKind::Newtype(_)
                    | TypeDeclKind::Subset(_)
                    | TypeDeclKind::Abstract => false,
                };
                Type::Named {
                    decl,
                    args,
                    nullable,
                }
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Param(_)
            | Type::Error => other,
            Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_) => other,
        }
    }

    /// Whether all values of `sub` are values of `sup`, ignoring nullability.
    pub fn is_subtype(&self, sub: &Type, sup: &Type) -> bool {
        self.subtype(sub, sup, true, FAR)
    }

    /// The type parameters of a declared type that occur in its ancestor `head`. A value of that
    /// ancestor does not determine any other parameter.
    pub fn parameters_in_ancestor(&self, ty: &Type, head: &Type) -> FxHashSet<TypeParamId> {
        let mut found = FxHashSet::default();
        if let Some(seen) = self.seen_as(ty, head, FAR) {
            seen.any(&mut |t| {
                if let Type::Param(p) = t {
                    found.insert(*p);
                }
                false
            });
        }
        found
    }

    fn seen_as(&self, ty: &Type, head: &Type, far: u32) -> Option<Type> {
        let alike = match (ty, head) {
            (Type::Named { decl: a, .. }, Type::Named { decl: b, .. }) => a == b,
            (Type::Array { .. }, Type::Array { .. }) => true,
            (Type::Named { .. } | Type::Array { .. }, _)
            | (_, Type::Named { .. } | Type::Array { .. }) => false,
            _same_or_an_error_elsewhere => true,
        };
        if alike {
            return Some(ty.clone());
        }
        let bases = if let Type::Named { decl, args, .. } = ty {
            match &self[*decl].kind {
                TypeDeclKind::Newtype(c) => vec![c.base.subst(&self.substitution(*decl, args))],
                TypeDeclKind::Subset(_)
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => Vec::new(),
            }
        } else {
            Vec::new()
        };
        let mut up = self.parents_of(ty).into_iter().chain(bases);
        up.find_map(|t| self.seen_as(&t, head, far.checked_sub(1)?))
    }

    /// The supertypes named in the declaration of a type.
    fn parents_of(&self, ty: &Type) -> Vec<Type> {
        if let Type::Named {
            decl,
            args,
            nullable,
        } = ty
        {
            let map = self.substitution(*decl, args);
            match &self[*decl].kind {
                TypeDeclKind::Subset(c) => vec![c.base.subst(&map)],
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => self[*decl]
                    .parents
                    .iter()
                    .map(|p| or_null(&p.subst(&map), *nullable && self.is_reference(p)))
                    .collect(),
            }
        } else if let Type::Param(p) = ty {
            self[*p].bounds.clone()
        } else {
            Vec::new()
        }
    }

    /// Whether `sub` is a subtype of `sup`. `any_null`: whether the nullability of the heads is
    /// ignored.
    fn subtype(&self, sub: &Type, sup: &Type, any_null: bool, far: u32) -> bool {
        // A nullable type is no subtype of a non-nullable one.
        let fits = |m: bool, n: bool| any_null || n || !m;
        let part = |s: &Type, t: &Type| far > 0 && self.subtype(s, t, false, far - 1);
        match (sub, sup) {
            (Type::Error, _) | (_, Type::Error) => true,
            (
                Type::Named {
                    decl: a,
                    args: xs,
                    nullable: m,
                },
                Type::Named {
                    decl: b,
                    args: ys,
                    nullable: n,
                },
            ) if a == b && fits(*m, *n) => {
                let params = &self[*a].type_params;
                xs.iter().zip(ys).enumerate().all(|(i, (x, y))| {
                    match params.get(i).map(|t| self[*t].variance) {
                        Some(Variance::Covariant | Variance::CovariantAny) => part(x, y),
                        Some(Variance::Contravariant) => part(y, x),
                        Some(Variance::Invariant | Variance::InvariantAny) | None => {
                            part(x, y) && part(y, x)
                        }
                    }
                })
            }
            (Type::Seq(x), Type::Seq(y)) | (Type::Multiset(x), Type::Multiset(y)) => part(x, y),
            (Type::Set { finite: f, elem: x }, Type::Set { finite: g, elem: y }) => {
                f == g && part(x, y)
            }
            (
                Type::Map {
                    finite: f,
                    key: k,
                    value: x,
                },
                Type::Map {
                    finite: g,
                    key: l,
                    value: y,
                },
            ) => f == g && part(k, l) && part(x, y),
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.len() == ys.len()
                    && xs
                        .iter()
                        .zip(ys)
                        .all(|((g, x), (h, y))| g == h && part(x, y))
            }
            (
                Type::Arrow {
                    kind: f,
                    params: xs,
                    result: x,
                },
                Type::Arrow {
                    kind: g,
                    params: ys,
                    result: y,
                },
            ) => {
                // Total functions are partial, and partial ones are general. Parameters are
                // contravariant.
                f <= g
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(s, t)| part(t, s))
                    && part(x, y)
            }
            // Arrays are mutable, hence invariant.
            (
                Type::Array {
                    dims: a,
                    elem: x,
                    nullable: m,
                },
                Type::Array {
                    dims: b,
                    elem: y,
                    nullable: n,
                },
            ) => a == b && fits(*m, *n) && part(x, y) && part(y, x),
            (_, Type::Object { nullable }) if self.is_reference(sub) => {
                fits(may_be_null(sub), *nullable)
            }
            (s, t) if s == t => true,
            _ => {
                far > 0
                    && self
                        .parents_of(sub)
                        .iter()
                        .any(|p| self.subtype(p, sup, any_null, far - 1))
            }
        }
    }
}

fn may_be_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
            | Type::Named { nullable: true, .. }
    )
}

fn or_null(ty: &Type, null: bool) -> Type {
    if let Type::Named {
        decl,
        args,
        nullable,
    } = ty
    {
        Type::Named {
            decl: *decl,
            args: args.clone(),
            nullable: *nullable || null,
        }
    } else if let Type::Object { nullable } = ty {
        Type::Object {
            nullable: *nullable || null,
        }
    } else {
        ty.clone()
    }
}
