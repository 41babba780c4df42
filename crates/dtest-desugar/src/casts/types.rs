//! Types that are compatible in Dafny but have different representations in Rust.

use super::Casts;
use dafny_resolve::typed::{Program, Type, TypeDeclKind, TypeId};

/// Whether a value of type `from` has to be converted to be used as one of type `to`, because a
/// class, a trait or `object` is required in place of another one. Conversions of numbers are not
/// included.
pub fn needs_cast(program: &Program, from: &Type, to: &Type) -> bool {
    differs(program, from, to, &|a, b| {
        (is_seen(program, a) && has_traits(program, b))
            || (has_traits(program, a) && is_seen(program, b))
    })
}

/// Like [`needs_cast`], limited to a newtype (or a type parameter that may denote one) on one side
/// and a trait on the other.
pub fn changes_newtype(program: &Program, from: &Type, to: &Type) -> bool {
    let changes = |a: &Type, b: &Type| is_seen(program, a) && may_be_newtype(program, b);
    differs(program, from, to, &|a, b| changes(a, b) || changes(b, a))
}

/// Whether the types, or parts at the same position in both, satisfy `pair`.
fn differs(program: &Program, from: &Type, to: &Type, pair: &dyn Fn(&Type, &Type) -> bool) -> bool {
    let (from, to) = (program.strip_subset(from), program.strip_subset(to));
    if from == to {
        return false;
    }
    let differs = |a: &Type, b: &Type| differs(program, a, b, pair);
    match (&from, &to) {
        (Type::Seq(a), Type::Seq(b))
        | (Type::Set { elem: a, .. }, Type::Set { elem: b, .. })
        | (Type::Multiset(a), Type::Multiset(b)) => differs(a, b),
        (
            Type::Map {
                key: k, value: v, ..
            },
            Type::Map {
                key: l, value: w, ..
            },
        ) => differs(k, l) || differs(v, w),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).any(|(x, y)| !x.0 && differs(&x.1, &y.1))
        }
        // Parameters are contravariant.
        (
            Type::Arrow {
                params: a,
                result: r,
                ..
            },
            Type::Arrow {
                params: b,
                result: s,
                ..
            },
        ) => a.len() == b.len() && (a.iter().zip(b).any(|(x, y)| differs(y, x)) || differs(r, s)),
        // Type arguments of reference types are invariant, so only those of datatypes can differ.
        (
            Type::Named {
                decl: a, args: xs, ..
            },
            Type::Named {
                decl: b, args: ys, ..
            },
        ) if a == b => match program[*a].kind {
            TypeDeclKind::Datatype { .. } => xs.iter().zip(ys).any(|(x, y)| differs(x, y)),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => false,
        },
        (Type::Object { .. }, Type::Object { .. }) => false,
        (a, b) => pair(a, b),
    }
}

/// Whether the type is a newtype that extends traits, or a type parameter that may denote one.
fn may_be_newtype(program: &Program, ty: &Type) -> bool {
    let is_newtype = |t: TypeId| matches!(program[t].kind, TypeDeclKind::Newtype(_));
    match ty {
        Type::Named { decl, .. } => is_newtype(*decl) && !program[*decl].parents.is_empty(),
        Type::Param(p) => program[*p].bounds.iter().any(|bound| {
            if let Type::Named { decl, .. } = program.strip_subset(bound) {
                program.implementers(decl).into_iter().any(is_newtype)
            } else {
                false
            }
        }),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. } => false,
        Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. } => false,
        Type::Object { .. } | Type::Error => false,
    }
}

/// Whether values of the type are represented as something else than their own type: a trait,
/// `object` or a bounded type parameter.
fn is_seen(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Object { .. } => true,
        Type::Named { decl, .. } => program.is_trait(*decl),
        Type::Param(p) => !program[*p].bounds.is_empty(),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. } => false,
        Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Error => false,
    }
}

/// Whether values of the type may contain values of a trait or of `object`.
fn has_traits(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Array { .. } => true,
        Type::Named { decl, .. } => match program[*decl].kind {
            TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
            TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) => {
                !program[*decl].parents.is_empty()
            }
            TypeDeclKind::Subset(_) | TypeDeclKind::Abstract | TypeDeclKind::Trait { .. } => {
                is_seen(program, ty)
            }
        },
        ty @ (Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error) => is_seen(program, ty),
    }
}

/// Whether every value of `from` is a value of `to`, which is a trait, `object` or the same type.
pub fn is_upcast(program: &Program, from: &Type, to: &Type) -> bool {
    if !needs_cast(program, from, to) {
        return true;
    }
    match program.strip_subset(to) {
        Type::Object { .. } => true,
        Type::Named { decl, .. } => program
            .supertype_args(&program.strip_subset(from), decl)
            .is_some(),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Param(_)
        | Type::Error => false,
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } | Type::Tuple(_) => {
            false
        }
        Type::Arrow { .. } | Type::Array { .. } => false,
    }
}

impl Casts<'_> {
    /// A common supertype in which values of both types can be compared.
    pub(super) fn join(&self, a: &Type, b: &Type) -> Type {
        if !self.needs(a, b) {
            return a.clone();
        }
        let program = self.program;
        let both = |x: &Type, y: &Type| Box::new(self.join(x, y));
        match (program.strip_subset(a), program.strip_subset(b)) {
            (Type::Seq(x), Type::Seq(y)) => Type::Seq(both(&x, &y)),
            (Type::Set { finite, elem: x }, Type::Set { elem: y, .. }) => Type::Set {
                finite,
                elem: both(&x, &y),
            },
            (Type::Multiset(x), Type::Multiset(y)) => Type::Multiset(both(&x, &y)),
            (
                Type::Map { finite, key, value },
                Type::Map {
                    key: k, value: v, ..
                },
            ) => Type::Map {
                finite,
                key: both(&key, &k),
                value: both(&value, &v),
            },
            (Type::Tuple(xs), Type::Tuple(ys)) => Type::Tuple(
                xs.iter()
                    .zip(&ys)
                    .map(|(x, y)| (x.0, self.join(&x.1, &y.1)))
                    .collect(),
            ),
            (
                Type::Named {
                    decl,
                    args: xs,
                    nullable,
                },
                Type::Named {
                    decl: other,
                    args: ys,
                    ..
                },
            ) if decl == other => Type::Named {
                decl,
                args: xs.iter().zip(&ys).map(|(x, y)| self.join(x, y)).collect(),
                nullable,
            },
            // Without a common structure, the more general type is the join.
            (x, y) if self.is_upcast(&x, &y) => y,
            (x, y) if self.is_upcast(&y, &x) => x,
            _ => Type::Object { nullable: true },
        }
    }
}

/// The element type for which `in` searches a collection.
pub(super) fn element(program: &Program, ty: &Type) -> Option<Type> {
    match program.representation(ty) {
        Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } => Some(*e),
        Type::Map { key, .. } => Some(*key),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_) => None,
        Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}

/// The collection type with another element (or key) type.
pub(super) fn with_element(program: &Program, ty: &Type, elem: &Type) -> Type {
    let elem = Box::new(elem.clone());
    match program.representation(ty) {
        Type::Seq(_) => Type::Seq(elem),
        Type::Multiset(_) => Type::Multiset(elem),
        Type::Set { finite, .. } => Type::Set { finite, elem },
        Type::Map { finite, value, .. } => Type::Map {
            finite,
            key: elem,
            value,
        },
        other @ (Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error) => other,
    }
}

/// Whether the program mentions `object`.
pub(super) fn mentions_object(program: &Program) -> bool {
    let holds = |ty: &Type| ty.any(&mut |t| matches!(t, Type::Object { .. }));
    program.locals.iter().any(|l| holds(&l.ty)) || program.fields.iter().any(|f| holds(&f.ty))
}
