//! Joins: the least type that contains the values of two types.

use crate::typed::{ArrowKind, Program, Type, TypeDeclKind, TypeId};
use dafny_syntax::ast::Variance;

use super::{Inference, as_ancestor, index, strip_loose, strip_once};

impl Inference {
    /// Returns the least common supertype. Binds variables in both types.
    pub fn join(&mut self, program: &Program, a: &Type, b: &Type) -> Option<Type> {
        match (self.view(a), self.view(b)) {
            ((_, Some(s)), (_, Some(t))) if index(a).is_none() && index(b).is_none() => {
                self.join_known(program, &s, &t)
            }
            _ => {
                // A variable absorbs the other type: prefer the direction that binds or widens it,
                // and the result is the variable, so that later values widen it as well.
                let (from, to) = if index(a).is_some() { (b, a) } else { (a, b) };
                if self.flow(program, from, to) || self.flow(program, to, from) {
                    Some(to.clone())
                } else {
                    None
                }
            }
        }
    }

    /// The join of two types of which at most parts are variables: the least type above both.
    pub(super) fn join_known(&mut self, p: &Program, a: &Type, b: &Type) -> Option<Type> {
        if a == b {
            return Some(a.clone());
        }
        match (a, b) {
            // An error was reported for one type: the other one avoids follow-up errors.
            (Type::Error, t) | (t, Type::Error) => Some(t.clone()),
            (Type::Param(_), _) | (_, Type::Param(_))
                if index(a).is_some() || index(b).is_some() =>
            {
                self.join(p, a, b)
            }
            // Values of collections, tuples and functions are immutable: their joins are joins of
            // their parts.
            (Type::Seq(x), Type::Seq(y)) => Some(Type::Seq(Box::new(self.join(p, x, y)?))),
            (Type::Multiset(x), Type::Multiset(y)) => {
                Some(Type::Multiset(Box::new(self.join(p, x, y)?)))
            }
            (Type::Set { finite: f, elem: x }, Type::Set { finite: g, elem: y }) if f == g => {
                Some(Type::Set {
                    finite: *f,
                    elem: Box::new(self.join(p, x, y)?),
                })
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
            ) if f == g => Some(Type::Map {
                finite: *f,
                key: Box::new(self.join(p, k, l)?),
                value: Box::new(self.join(p, x, y)?),
            }),
            (Type::Tuple(xs), Type::Tuple(ys)) if xs.len() == ys.len() => {
                let parts = xs
                    .iter()
                    .zip(ys)
                    .map(|((g, x), (h, y))| Some((*g, self.join(p, x, y).filter(|_| g == h)?)));
                Some(Type::Tuple(parts.collect::<Option<_>>()?))
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
            ) if xs.len() == ys.len() => self.join_arrows(p, ((*f).max(*g), [x, y]), xs, ys),
            (
                Type::Array {
                    dims,
                    nullable,
                    elem,
                },
                Type::Array {
                    dims: n,
                    nullable: m,
                    elem: e,
                },
            ) if dims == n => self.join_arrays(p, *dims, *nullable || *m, [elem, e]),
            (
                Type::Named {
                    decl,
                    args,
                    nullable,
                },
                Type::Named {
                    decl: d,
                    args: xs,
                    nullable: m,
                },
            ) if decl == d => {
                let args = self.join_args(p, *decl, args, xs)?;
                Some(Type::Named {
                    decl: *decl,
                    args,
                    nullable: *nullable || *m,
                })
            }
            _ => self.join_declared(p, a, b),
        }
    }

    /// The join of function types of equally many parameters. No meet is computed for contravariant
    /// positions, so that parameters have to be equal. `kind` is the more general of both kinds: the
    /// order total, partial, general is total.
    fn join_arrows(
        &mut self,
        p: &Program,
        (kind, [x, y]): (ArrowKind, [&Type; 2]),
        xs: &[Type],
        ys: &[Type],
    ) -> Option<Type> {
        if !xs.iter().zip(ys).all(|(s, t)| self.unify(p, s, t)) {
            return None;
        }
        Some(Type::Arrow {
            kind,
            params: xs.to_vec(),
            result: Box::new(self.join(p, x, y)?),
        })
    }

    /// The join of array types of equally many dimensions. Arrays are invariant: with different
    /// elements, only `object` is above both.
    fn join_arrays(
        &mut self,
        p: &Program,
        dims: u32,
        nullable: bool,
        [x, y]: [&Type; 2],
    ) -> Option<Type> {
        Some(if self.unify(p, x, y) {
            Type::Array {
                dims,
                nullable,
                elem: Box::new(x.clone()),
            }
        } else {
            Type::Object { nullable }
        })
    }

    /// The joins of the type arguments of one declaration.
    fn join_args(
        &mut self,
        p: &Program,
        decl: TypeId,
        args: &[Type],
        xs: &[Type],
    ) -> Option<Vec<Type>> {
        let params = &p[decl].type_params;
        // One declaration on both sides: only covariant arguments have a join, the others
        // must agree.
        let parts = args.iter().zip(xs).enumerate().map(|(i, (x, y))| {
            match params.get(i).map(|t| p[*t].variance) {
                Some(Variance::Covariant | Variance::CovariantAny) => self.join(p, x, y),
                Some(Variance::Contravariant | Variance::Invariant | Variance::InvariantAny)
                | None => self.unify(p, x, y).then(|| x.clone()),
            }
        });
        parts.collect()
    }

    /// The join of two types with different heads.
    fn join_declared(&mut self, p: &Program, a: &Type, b: &Type) -> Option<Type> {
        // A newtype has its own traits, not those of its base, so traits are tried before
        // stripping.
        if let Some(t) = self.join_as_trait(p, a, b) {
            return Some(t);
        }
        if let Some(t) = strip_loose(p, a) {
            return self.join_known(p, &t, b);
        }
        if let Some(t) = strip_loose(p, b) {
            return self.join_known(p, a, &t);
        }
        // Two different declarations: one may be above the other; otherwise search their
        // ancestors.
        let null = is_nullable(a) || is_nullable(b);
        if self.sub(p, b, a) {
            return Some(with_null(a, null));
        }
        if self.sub(p, a, b) {
            return Some(with_null(b, null));
        }
        self.common_ancestor(p, a, b, null)
    }

    /// The trait that is the join of two types of which at least one is a newtype with traits.
    /// `None` in the older type system.
    fn join_as_trait(&mut self, p: &Program, a: &Type, b: &Type) -> Option<Type> {
        // Without a newtype that has traits, the general rules find the join.
        let extends = |t: &Type| match t {
            Type::Named { decl, .. } => {
                matches!(p[*decl].kind, TypeDeclKind::Newtype(_)) && !p[*decl].parents.is_empty()
            }
            Type::Bool
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
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        };
        if !p.options.type_system_refresh || !(extends(a) || extends(b)) {
            return None;
        }
        if self.is_trait(p, a) {
            return self.sub(p, b, a).then(|| a.clone());
        }
        if self.is_trait(p, b) {
            return self.sub(p, a, b).then(|| b.clone());
        }
        self.common_ancestor(p, a, b, false)
            .filter(|t| self.is_trait(p, t))
    }

    /// The nearest common ancestor, in breadth-first order from `a`. Falls back to `object` for two
    /// references.
    fn common_ancestor(&mut self, p: &Program, a: &Type, b: &Type, null: bool) -> Option<Type> {
        let mut queue = std::collections::VecDeque::from([a.clone()]);
        let mut steps = 0;
        while let Some(t) = queue.pop_front() {
            steps += 1;
            let Type::Named { decl, args, .. } = &t else {
                continue;
            };
            // Cyclic parents are reported elsewhere; the search must still end.
            if steps > 256 {
                break;
            }
            // The first common declaration decides: if its arguments disagree, there is no join.
            if as_ancestor(p, b, *decl).is_some() {
                return self.sub(p, b, &t).then(|| with_null(&t, null));
            }
            let map = p.substitution(*decl, args);
            queue.extend(p[*decl].parents.iter().map(|x| x.subst(&map)));
        }
        (self.is_reference(p, a) && self.is_reference(p, b))
            .then_some(Type::Object { nullable: null })
    }
}

/// The nullable form of a reference type. `None` for other types.
pub fn nullable(program: &Program, ty: &Type) -> Option<Type> {
    if let Type::Array { dims, elem, .. } = ty {
        Some(Type::Array {
            dims: *dims,
            nullable: true,
            elem: elem.clone(),
        })
    } else if matches!(ty, Type::Object { .. }) {
        Some(Type::Object { nullable: true })
    } else if let Type::Named { decl, args, .. } = ty {
        match &program[*decl].kind {
            TypeDeclKind::Class
            | TypeDeclKind::Iterator(_)
            | TypeDeclKind::Trait { is_reference: true } => Some(Type::Named {
                decl: *decl,
                args: args.clone(),
                nullable: true,
            }),
            TypeDeclKind::Subset(_) => strip_once(program, ty).and_then(|t| nullable(program, &t)),
            TypeDeclKind::Trait {
                is_reference: false,
            }
            | TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Abstract => None,
        }
    } else {
        None
    }
}

fn is_nullable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
            | Type::Named { nullable: true, .. }
    )
}

fn with_null(ty: &Type, null: bool) -> Type {
    let mut ty = ty.clone();
    if let Some(nullable) = ty.nullable_mut() {
        *nullable |= null;
    }
    ty
}
