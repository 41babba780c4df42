//! Relations between types that may contain inference variables: assignability, equality and
//! comparability. A relation holds if some assignment of the variables satisfies it.

use crate::typed::{Program, Type, TypeDeclKind, TypeId};
use dafny_syntax::ast::Variance;

use super::{FIRST, Inference, as_ancestor, index, strip_loose, strip_once};

impl Inference {
    /// Whether the invariant type arguments agree when a value of a known type is assigned to a
    /// known type with the same head.
    ///
    /// Arguments of datatypes are not compared: there the verifier proves that the value fits.
    pub fn is_assignable(&mut self, program: &Program, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (
                Type::Array {
                    dims: m, elem: a, ..
                },
                Type::Array {
                    dims: n, elem: b, ..
                },
            ) => m != n || self.same_argument(program, a, b),
            (
                Type::Named {
                    decl: x, args: xs, ..
                },
                Type::Named {
                    decl: y, args: ys, ..
                },
            ) if x == y && program.is_reference(from) => xs
                .iter()
                .zip(ys)
                .all(|(a, b)| self.same_argument(program, a, b)),
            (
                Type::Bool
                | Type::Char
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Ordinal
                | Type::Arrow { .. }
                | Type::Object { .. }
                | Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Tuple(_)
                | Type::Array { .. }
                | Type::Named { .. }
                | Type::Param(_)
                | Type::Error,
                _,
            ) => true,
        }
    }

    /// Whether a type argument is the expected one, including the constraint of its head (`nat`;
    /// `C`, which differs from `C?`). An argument that is still to be inferred becomes the other
    /// one.
    fn same_argument(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        if a == b || *a == Type::Error || *b == Type::Error {
            return true;
        }
        if index(a).is_some() || index(b).is_some() {
            return self.unify(program, a, b);
        }
        // A constraint on one side only is a difference that no assignment of variables removes.
        let constrained = |t: &Type| match t {
            Type::Named { nullable, .. } => {
                strip_once(program, t).is_some() || (program.is_reference(t) && !nullable)
            }
            Type::Array { nullable, .. } | Type::Object { nullable } => !nullable,
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
            | Type::Param(_)
            | Type::Error => false,
        };
        if constrained(a) != constrained(b) {
            return false;
        }
        match (a, b) {
            // Two subset types are the same only if one declaration makes both.
            (Type::Named { decl: x, .. }, Type::Named { decl: y, .. }) if x != y => false,
            (Type::Arrow { kind: x, .. }, Type::Arrow { kind: y, .. }) if x != y => false,
            _ => self.invariant(program, a, b),
        }
    }

    /// Like [`Self::unify`], for the types of an invariant position: a supertype of a reference
    /// type is another type there. Types that are still to be inferred adapt to each other.
    fn invariant(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        !self.differ_as_references(program, a, b) && self.unify(program, a, b)
    }

    /// Whether both are reference types of different declarations, or collections of such.
    fn differ_as_references(&self, program: &Program, a: &Type, b: &Type) -> bool {
        // A type that is still to be inferred may become the other one.
        if index(a).is_some() || index(b).is_some() {
            return false;
        }
        let (s, t) = (program.strip_subset(a), program.strip_subset(b));
        match (&s, &t) {
            (Type::Object { .. }, Type::Object { .. })
            | (Type::Array { .. }, Type::Array { .. }) => false,
            (Type::Named { decl: x, .. }, Type::Named { decl: y, .. }) if x == y => false,
            (Type::Seq(_), Type::Seq(_))
            | (Type::Set { .. }, Type::Set { .. })
            | (Type::Multiset(_), Type::Multiset(_))
            | (Type::Map { .. }, Type::Map { .. }) => s
                .parts()
                .zip(t.parts())
                .any(|(x, y)| self.differ_as_references(program, x, y)),
            _ => self.is_reference(program, &s) && self.is_reference(program, &t),
        }
    }

    /// Requires identical types, subset types included, as invariant type parameters need. An
    /// inference variable in one of them is unified with the other. Nullability is ignored: it is a
    /// proof obligation.
    pub(super) fn same(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        if a == b || *a == Type::Error || *b == Type::Error {
            return true;
        }
        if index(a).is_some() || index(b).is_some() {
            return self.unify(program, a, b);
        }
        // The heads have to agree in everything that is not a type: declaration, number of
        // dimensions, finiteness, kind of arrow, ghost components.
        let alike = match (a, b) {
            (Type::Named { decl: x, .. }, Type::Named { decl: y, .. }) => x == y,
            (Type::Array { dims: x, .. }, Type::Array { dims: y, .. }) => x == y,
            (Type::Set { finite: x, .. }, Type::Set { finite: y, .. }) => x == y,
            (Type::Map { finite: x, .. }, Type::Map { finite: y, .. }) => x == y,
            (Type::Arrow { kind: x, .. }, Type::Arrow { kind: y, .. }) => x == y,
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.iter().map(|(g, _)| g).eq(ys.iter().map(|(g, _)| g))
            }
            (Type::Seq(_), Type::Seq(_)) | (Type::Multiset(_), Type::Multiset(_)) => true,
            // Types without parts that are not equal.
            _ => false,
        };
        alike
            && a.parts().count() == b.parts().count()
            && a.parts()
                .zip(b.parts())
                .all(|(x, y)| self.same(program, x, y))
    }

    /// Whether values of the two types can be equal. Inference variables are bound, but nothing is
    /// widened.
    pub fn comparable(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        self.may_equal(program, a, b) || self.yields(program, a, b)
    }

    fn may_equal(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        let (x, y) = (self.head(a), self.head(b));
        // An unknown operand gets the type of the other one, as by an assignment.
        if index(&x).is_some() || index(&y).is_some() {
            return self.flow(program, a, b);
        }
        // Otherwise one type has to contain the other, or both may contain the same reference.
        self.sub(program, &x, &y)
            || self.sub(program, &y, &x)
            || self.may_be_one(program, &x, &y)
            || {
                let (s, t) = (program.strip_subset(&x), program.strip_subset(&y));
                self.is_reference(program, &s)
                    && self.is_reference(program, &t)
                    && self.may_meet(program, &s, &t)
            }
    }

    /// Whether two references of one class may be equal because some type arguments are type
    /// parameters or abstract types.
    fn may_be_one(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        let (s, t) = (program.strip_subset(a), program.strip_subset(b));
        let alike = match (&s, &t) {
            (Type::Named { decl: x, .. }, Type::Named { decl: y, .. }) => x == y,
            (Type::Array { dims: x, .. }, Type::Array { dims: y, .. }) => x == y,
            _ => false,
        };
        let open = |t: &Type| {
            matches!(t, Type::Param(_))
                || matches!(t, Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Abstract))
        };
        alike
            && self.is_reference(program, &s)
            && s.parts()
                .zip(t.parts())
                .all(|(x, y)| open(x) || open(y) || self.same(program, x, y))
    }

    /// Whether both types are traits, so that one object may implement both.
    fn may_meet(&self, program: &Program, a: &Type, b: &Type) -> bool {
        self.is_trait(program, a) && self.is_trait(program, b)
    }

    pub(super) fn is_trait(&self, program: &Program, ty: &Type) -> bool {
        matches!(program.strip_subset(ty), Type::Named { decl, .. } if program.is_trait(decl))
    }

    /// Like [`Self::flow`], for the type of a component of a value. There the older type
    /// system also accepts a supertype where a subtype is expected, and proves that the value fits.
    pub(super) fn part(&mut self, p: &Program, from: &Type, to: &Type) -> bool {
        self.flow(p, from, to)
            || (!p.options.type_system_refresh
                && !self.is_unbound(from)
                && !self.is_unbound(to)
                && self.comparable(p, to, from))
    }

    /// Whether `from` is a subtype of `to`. The heads of both are known; variables inside may be
    /// bound.
    pub(super) fn sub(&mut self, p: &Program, from: &Type, to: &Type) -> bool {
        if from == to {
            return true;
        }
        match (from, to) {
            (Type::Error, _) | (_, Type::Error) => true,
            (
                Type::Named {
                    decl: a, args: xs, ..
                },
                Type::Named {
                    decl: b, args: ys, ..
                },
            ) if a == b => self.args(p, *a, xs, ys),
            (Type::Seq(a), Type::Seq(b)) | (Type::Multiset(a), Type::Multiset(b)) => {
                self.part(p, a, b)
            }
            (Type::Set { finite: f, elem: a }, Type::Set { finite: g, elem: b }) => {
                f == g && self.part(p, a, b)
            }
            (
                Type::Map {
                    finite: f,
                    key: a,
                    value: x,
                },
                Type::Map {
                    finite: g,
                    key: b,
                    value: y,
                },
            ) => f == g && self.part(p, a, b) && self.part(p, x, y),
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.len() == ys.len()
                    && xs
                        .iter()
                        .zip(ys)
                        .all(|((g, a), (h, b))| g == h && self.part(p, a, b))
            }
            (
                Type::Arrow {
                    params: xs,
                    result: x,
                    ..
                },
                Type::Arrow {
                    params: ys,
                    result: y,
                    ..
                },
            ) => {
                xs.len() == ys.len()
                    // Parameters are contravariant: the expected arguments flow into the actual
                    // parameters.
                    && xs.iter().zip(ys).all(|(a, b)| self.flow(p, b, a))
                    && self.flow(p, x, y)
            }
            (
                Type::Array {
                    dims: m, elem: a, ..
                },
                Type::Array {
                    dims: n, elem: b, ..
                },
                // Arrays are mutable, so that their elements are invariant.
            ) => m == n && self.invariant(p, a, b),
            (Type::Object { .. }, Type::Object { .. }) => true,
            // `object` is above every reference type, without a declaration that says so.
            (_, Type::Object { .. }) if self.is_reference(p, from) => true,
            _ => self.sub_by_declarations(p, from, to),
        }
    }

    /// Whether `from` is a subtype of `to` by the declarations of the types.
    fn sub_by_declarations(&mut self, p: &Program, from: &Type, to: &Type) -> bool {
        // A newtype has its own traits, not those of its base. The older type system knows
        // only traits of reference types.
        if let Type::Named { decl, args, .. } = to
            && p.is_trait(*decl)
        {
            let known = p.options.type_system_refresh
                || self.is_reference(p, from)
                || matches!(from, Type::Param(_))
                || self.is_trait(p, from);
            return known
                && as_ancestor(p, from, *decl)
                    .is_some_and(|have| self.args(p, *decl, &have, args));
        }
        // Otherwise the bases decide. Strip one declaration at a time, so that a common
        // base in between is found.
        if let Some(f) = strip_loose(p, from) {
            return self.flow(p, &f, to);
        }
        if let Some(t) = strip_loose(p, to) {
            return self.flow(p, from, &t);
        }
        // Neither type can be stripped: only a declared ancestor can relate them.
        let Type::Named { decl, args, .. } = to else {
            return false;
        };
        match as_ancestor(p, from, *decl) {
            Some(have) => self.args(p, *decl, &have, args),
            None => false,
        }
    }

    pub(super) fn is_reference(&self, program: &Program, ty: &Type) -> bool {
        if let Type::Param(p) = ty
            && p.0 < FIRST
        {
            program.options.type_system_refresh
                && program[*p].bounds.iter().any(|b| program.is_reference(b))
        } else {
            index(ty).is_none() && program.is_reference(ty)
        }
    }

    pub(super) fn args(&mut self, p: &Program, decl: TypeId, xs: &[Type], ys: &[Type]) -> bool {
        let params = &p[decl].type_params;
        xs.iter().zip(ys).enumerate().all(|(i, (a, b))| {
            match params.get(i).map(|t| p[*t].variance) {
                Some(Variance::Covariant | Variance::CovariantAny) => self.part(p, a, b),
                Some(Variance::Contravariant) => self.flow(p, b, a),
                Some(Variance::Invariant | Variance::InvariantAny) | None => {
                    self.invariant(p, a, b)
                }
            }
        })
    }
}
