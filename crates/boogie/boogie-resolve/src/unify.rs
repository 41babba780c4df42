//! Unification of types.
//!
//! [`Inference`] holds the inferred types; [`Inference::unify`] is the key function. The hard part
//! is polymorphic map types, which are equal up to the names of their parameters: the parameters of
//! both maps are replaced by the same fresh rigid variables, which must not escape into types
//! inferred outside of the maps.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::typed::{MapType, Type, TypeVar};

/// The inferred types.
#[derive(Debug, Default)]
pub(crate) struct Inference {
    solutions: Vec<Option<Type>>,
    /// The number of the next rigid variable, which represents a parameter of two maps under
    /// comparison.
    next_rigid: u32,
}

/// The number of the first rigid variable, beyond the type variables of any program.
const RIGID: u32 = 1 << 30;

/// Returns a type with type variables replaced.
pub fn substitute(ty: &Type, map: &FxHashMap<TypeVar, Type>) -> Type {
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

impl Inference {
    /// Returns a new inference variable.
    pub(crate) fn fresh(&mut self) -> Type {
        self.solutions.push(None);
        Type::Meta(self.solutions.len() as u32 - 1)
    }

    /// Returns a type with its outermost constructor, if that is known.
    pub(crate) fn shallow(&self, ty: &Type) -> Type {
        let mut at = ty;
        while let Type::Meta(m) = at {
            match self.solutions.get(*m as usize) {
                Some(Some(next)) => at = next,
                Some(None) | None => break,
            }
        }
        at.clone()
    }

    /// Returns the known parts of a type; undetermined parts become `unknown`, if given.
    pub(crate) fn known(&self, ty: &Type, unknown: Option<&Type>) -> Type {
        match self.shallow(ty) {
            Type::Meta(m) => unknown.cloned().unwrap_or(Type::Meta(m)),
            Type::Constructor(id, args) => {
                Type::Constructor(id, args.iter().map(|a| self.known(a, unknown)).collect())
            }
            Type::Map(m) => Type::Map(Arc::new(MapType {
                params: m.params.clone(),
                args: m.args.iter().map(|a| self.known(a, unknown)).collect(),
                result: self.known(&m.result, unknown),
            })),
            done @ (Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Var(_)) => done,
        }
    }

    /// Unifies two types; returns `false` if that is impossible.
    pub(crate) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Type::Meta(m), Type::Meta(n)) if m == n => true,
            // The occurs check prevents infinite types.
            (Type::Meta(m), other) | (other, Type::Meta(m)) => {
                if self.occurs(*m, other) {
                    return false;
                }
                if let Some(slot) = self.solutions.get_mut(*m as usize) {
                    *slot = Some(other.clone());
                }
                true
            }
            (Type::Constructor(x, xs), Type::Constructor(y, ys)) => {
                x == y && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (Type::Map(x), Type::Map(y)) => self.unify_maps(x, y),
            (
                Type::Bool
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Float(..)
                | Type::Opaque(_)
                | Type::Var(_),
                _,
            ) => a == b,
            (Type::Constructor(..) | Type::Map(_), _) => false,
        }
    }

    fn unify_maps(&mut self, x: &MapType, y: &MapType) -> bool {
        if x.params.len() != y.params.len() || x.args.len() != y.args.len() {
            return false;
        }
        let start = self.next_rigid;
        let rigid: Vec<Type> = (0..x.params.len() as u32)
            .map(|i| Type::Var(TypeVar(RIGID + start + i)))
            .collect();
        self.next_rigid += rigid.len() as u32;
        let with = |m: &MapType| {
            let map: FxHashMap<TypeVar, Type> = m
                .params
                .iter()
                .copied()
                .zip(rigid.iter().cloned())
                .collect();
            (
                m.args
                    .iter()
                    .map(|a| substitute(a, &map))
                    .collect::<Vec<_>>(),
                substitute(&m.result, &map),
            )
        };
        let ((xs, xr), (ys, yr)) = (with(x), with(y));
        xs.iter().zip(&ys).all(|(a, b)| self.unify(a, b))
            && self.unify(&xr, &yr)
            && !self.escapes(start)
    }

    /// Whether a parameter of a compared map occurs in a type inferred for something outside.
    fn escapes(&self, start: u32) -> bool {
        self.next_rigid > start
            && self
                .solutions
                .iter()
                .flatten()
                .any(|t| mentions_rigid(t, start))
    }

    fn occurs(&self, meta: u32, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Meta(m) => m == meta,
            Type::Constructor(_, args) => args.iter().any(|a| self.occurs(meta, a)),
            Type::Map(m) => {
                m.args.iter().any(|a| self.occurs(meta, a)) || self.occurs(meta, &m.result)
            }
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Var(_) => false,
        }
    }

    /// Forgets all inferred types, at the beginning of a statement.
    pub(crate) fn clear(&mut self) {
        self.solutions.clear();
    }
}

fn mentions_rigid(ty: &Type, from: u32) -> bool {
    match ty {
        Type::Var(v) => v.0 >= RIGID + from,
        Type::Constructor(_, args) => args.iter().any(|a| mentions_rigid(a, from)),
        Type::Map(m) => {
            m.args.iter().any(|a| mentions_rigid(a, from)) || mentions_rigid(&m.result, from)
        }
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Meta(_) => false,
    }
}

/// Adds the free type variables of a type.
pub(crate) fn free_type_vars(ty: &Type, out: &mut Vec<TypeVar>) {
    match ty {
        Type::Var(v) => out.push(*v),
        Type::Constructor(_, args) => args.iter().for_each(|a| free_type_vars(a, out)),
        Type::Map(m) => {
            let mut inner = Vec::new();
            m.args.iter().for_each(|a| free_type_vars(a, &mut inner));
            free_type_vars(&m.result, &mut inner);
            out.extend(inner.into_iter().filter(|v| !m.params.contains(v)));
        }
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Meta(_) => {}
    }
}
