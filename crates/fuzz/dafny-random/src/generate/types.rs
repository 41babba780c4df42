//! The types of generated programs: their text, and the operations on their values.

use super::Generator;
use super::ranges::Base;
use crate::profile::Profile;

/// A type of a generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Char,
    Int,
    Nat,
    Real,
    Bv(u32),
    /// A newtype or subset type, by index.
    Range(usize),
    Seq(Box<Type>),
    Set(Box<Type>),
    Multiset(Box<Type>),
    Map(Box<Type>, Box<Type>),
    /// An `iset`.
    Iset(Box<Type>),
    /// An `imap`.
    Imap(Box<Type>, Box<Type>),
    Tuple(Vec<Type>),
    Data(usize, Vec<Type>),
    /// A class or trait, by index, with its type arguments. The flag marks nullable references.
    Class(usize, Vec<Type>, bool),
    /// An array with the given number of dimensions.
    Array(usize, Box<Type>),
    Arrow(Vec<Type>, Box<Type>),
    Param(String),
}

impl Type {
    pub(super) fn seq(elem: Type) -> Self {
        Self::Seq(Box::new(elem))
    }

    pub(super) fn set(elem: Type) -> Self {
        Self::Set(Box::new(elem))
    }

    pub(super) fn string() -> Self {
        Self::seq(Self::Char)
    }

    /// Substitutes type parameters.
    pub(super) fn subst(&self, map: &[(String, Type)]) -> Type {
        let all = |ts: &[Type]| ts.iter().map(|t| t.subst(map)).collect::<Vec<_>>();
        let boxed = |t: &Type| Box::new(t.subst(map));
        match self {
            Self::Param(name) => map
                .iter()
                .find(|(n, _)| n == name)
                .map_or_else(|| self.clone(), |(_, t)| t.clone()),
            Self::Seq(t) => Self::Seq(boxed(t)),
            Self::Set(t) => Self::Set(boxed(t)),
            Self::Multiset(t) => Self::Multiset(boxed(t)),
            Self::Map(k, v) => Self::Map(boxed(k), boxed(v)),
            Self::Iset(t) => Self::Iset(boxed(t)),
            Self::Imap(k, v) => Self::Imap(boxed(k), boxed(v)),
            Self::Tuple(ts) => Self::Tuple(all(ts)),
            Self::Data(d, ts) => Self::Data(*d, all(ts)),
            Self::Class(c, ts, nullable) => Self::Class(*c, all(ts), *nullable),
            Self::Array(n, t) => Self::Array(*n, boxed(t)),
            Self::Arrow(ts, t) => Self::Arrow(all(ts), boxed(t)),
            Self::Bool
            | Self::Char
            | Self::Int
            | Self::Nat
            | Self::Real
            | Self::Bv(_)
            | Self::Range(_) => self.clone(),
        }
    }

    /// Whether the type or a component of it satisfies the predicate.
    pub(super) fn any(&self, is: &dyn Fn(&Type) -> bool) -> bool {
        is(self)
            || match self {
                Self::Seq(t)
                | Self::Set(t)
                | Self::Iset(t)
                | Self::Multiset(t)
                | Self::Array(_, t) => t.any(is),
                Self::Map(k, v) | Self::Imap(k, v) => k.any(is) || v.any(is),
                Self::Tuple(ts) | Self::Data(_, ts) | Self::Class(_, ts, _) => {
                    ts.iter().any(|t| t.any(is))
                }
                Self::Arrow(ts, t) => t.any(is) || ts.iter().any(|t| t.any(is)),
                Self::Bool
                | Self::Char
                | Self::Int
                | Self::Nat
                | Self::Real
                | Self::Bv(_)
                | Self::Range(_) => false,
                Self::Param(_) => false,
            }
    }

    /// Binds type parameters of `self` such that it equals `other`. Returns whether that is
    /// possible.
    pub(super) fn unify(&self, other: &Type, map: &mut Vec<(String, Type)>) -> bool {
        let mut all = |a: &[Type], b: &[Type]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.unify(b, map))
        };
        match (self, other) {
            (Self::Param(name), _) => match map.iter().find(|(n, _)| n == name) {
                Some((_, t)) => t == other,
                None => {
                    map.push((name.clone(), other.clone()));
                    true
                }
            },
            (Self::Seq(a), Self::Seq(b))
            | (Self::Set(a), Self::Set(b))
            | (Self::Iset(a), Self::Iset(b))
            | (Self::Multiset(a), Self::Multiset(b)) => a.unify(b, map),
            (Self::Map(k, v), Self::Map(l, w)) | (Self::Imap(k, v), Self::Imap(l, w)) => {
                k.unify(l, map) && v.unify(w, map)
            }
            (Self::Tuple(a), Self::Tuple(b)) => all(a, b),
            (Self::Data(d, a), Self::Data(e, b)) => d == e && all(a, b),
            (Self::Class(c, a, n), Self::Class(d, b, m)) => c == d && n == m && all(a, b),
            (Self::Array(n, a), Self::Array(m, b)) => n == m && a.unify(b, map),
            (Self::Arrow(a, r), Self::Arrow(b, s)) => all(a, b) && r.unify(s, map),
            _ => self == other,
        }
    }
}

impl Generator {
    /// The type in Dafny syntax.
    pub(super) fn show(&self, ty: &Type) -> String {
        let list = |ts: &[Type]| {
            ts.iter()
                .map(|t| self.show(t))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match ty {
            Type::Bool => "bool".into(),
            Type::Char => "char".into(),
            Type::Int => "int".into(),
            Type::Nat => "nat".into(),
            Type::Real => "real".into(),
            Type::Bv(width) => format!("bv{width}"),
            Type::Range(i) => self.path(self.ranges[*i].home, &self.ranges[*i].name),
            Type::Seq(t) if **t == Type::Char => "string".into(),
            Type::Seq(t) => format!("seq<{}>", self.show(t)),
            Type::Set(t) => format!("set<{}>", self.show(t)),
            Type::Multiset(t) => format!("multiset<{}>", self.show(t)),
            Type::Map(k, v) => format!("map<{}, {}>", self.show(k), self.show(v)),
            Type::Iset(t) => format!("iset<{}>", self.show(t)),
            Type::Imap(k, v) => format!("imap<{}, {}>", self.show(k), self.show(v)),
            Type::Tuple(ts) => format!("({})", list(ts)),
            Type::Data(d, ts) => {
                let name = self.path(self.data[*d].home, &self.data[*d].name);
                if ts.is_empty() {
                    name
                } else {
                    format!("{name}<{}>", list(ts))
                }
            }
            Type::Class(c, ts, nullable) => {
                let (name, mark) = (
                    self.path(self.classes[*c].home, &self.classes[*c].name),
                    if *nullable { "?" } else { "" },
                );
                if ts.is_empty() {
                    format!("{name}{mark}")
                } else {
                    format!("{name}{mark}<{}>", list(ts))
                }
            }
            Type::Array(1, t) => format!("array<{}>", self.show(t)),
            Type::Array(n, t) => format!("array{n}<{}>", self.show(t)),
            Type::Arrow(ts, t) => match ts.as_slice() {
                [one] if !matches!(one, Type::Arrow(..) | Type::Tuple(_)) => {
                    format!("{} -> {}", self.show(one), self.show(t))
                }
                _ => format!("({}) -> {}", list(ts), self.show(t)),
            },
            Type::Param(name) => name.clone(),
        }
    }

    /// Whether compiled code can compare values with `==`.
    pub(super) fn has_equality(&self, ty: &Type) -> bool {
        !ty.any(&|t| {
            if matches!(t, Type::Arrow(..) | Type::Param(_)) {
                true
            } else if let Type::Data(d, _) = t {
                !self.data[*d].equality
            } else if let Type::Class(c, ..) = t {
                // Values of a trait that is no reference type may have a type without equality.
                !self.classes[*c].heap
            } else {
                false
            }
        })
    }

    /// Whether values are printed: not for functions and arrays, whose text carries no information.
    pub(super) fn is_printable(&self, ty: &Type) -> bool {
        !ty.any(&|t| {
            matches!(t, Type::Arrow(..) | Type::Array(..))
                || matches!(t, Type::Data(d, _) if !self.data[*d].equality)
        })
    }

    /// Whether a value can be written without variables in scope.
    pub(super) fn has_literal(&self, ty: &Type) -> bool {
        match ty {
            Type::Class(_, _, nullable) => *nullable || self.implementer(ty).is_some(),
            Type::Array(..) => false,
            Type::Param(_) => self.scope.iter().any(|v| v.ty == *ty && !v.heap),
            Type::Tuple(ts) => ts.iter().all(|t| self.has_literal(t)),
            Type::Arrow(_, t) => self.has_literal(t),
            Type::Data(d, ts) => self.data[*d]
                .params
                .iter()
                .zip(ts)
                .all(|(_, t)| self.has_literal(t)),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Nat
            | Type::Real
            | Type::Bv(_)
            | Type::Range(_)
            | Type::Seq(_)
            | Type::Set(_)
            | Type::Multiset(_)
            | Type::Map(..)
            | Type::Iset(_)
            | Type::Imap(..) => true,
        }
    }

    /// Whether `<` orders the values.
    pub(super) fn is_ordered(&self, ty: &Type) -> bool {
        matches!(
            ty,
            Type::Int | Type::Nat | Type::Real | Type::Char | Type::Bv(_)
        ) || matches!(ty, Type::Range(r) if !matches!(self.ranges[*r].base, Base::Other { .. }))
    }

    /// Draws a type with a literal.
    pub(super) fn ty(&mut self, depth: usize) -> Type {
        if let Some(favoured) = self.favoured_type(depth) {
            return favoured;
        }
        let compound = depth > 0 && self.chance(55);
        if !compound {
            return self.simple_type();
        }
        match self.below(15) {
            13 if self.chance(50) => Type::Iset(Box::new(self.key_type(depth - 1))),
            13 => Type::Imap(
                Box::new(self.key_type(depth - 1)),
                Box::new(self.ty(depth - 1)),
            ),
            0..=2 => Type::seq(self.ty(depth - 1)),
            3 => Type::string(),
            4 | 5 => Type::set(self.key_type(depth - 1)),
            6 => Type::Multiset(Box::new(self.key_type(depth - 1))),
            7 | 8 => Type::Map(
                Box::new(self.key_type(depth - 1)),
                Box::new(self.ty(depth - 1)),
            ),
            9 => {
                let n = 2 + self.below(2);
                Type::Tuple((0..n).map(|_| self.ty(depth - 1)).collect())
            }
            10..=12 => self.data_type(depth).unwrap_or(Type::Int),
            _ => self.arrow_type(),
        }
    }

    /// Draws a type that the profile favors, in some of the cases.
    fn favoured_type(&mut self, depth: usize) -> Option<Type> {
        let is_about = match self.shape.profile {
            Profile::Bitvectors => true,
            Profile::Collections | Profile::Datatypes | Profile::Functions => depth > 0,
            Profile::All | Profile::Deterministic | Profile::Objects | Profile::Known => false,
        };
        if !is_about || !self.chance(40) {
            return None;
        }
        match self.shape.profile {
            Profile::Bitvectors => Some(Type::Bv(
                [1, 7, 8, 8, 16, 16, 32, 33, 64, 64, 128, 200][self.below(12)],
            )),
            Profile::Collections => Some(match self.below(4) {
                0 => Type::seq(self.ty(depth - 1)),
                1 => Type::set(self.key_type(depth - 1)),
                2 => Type::Multiset(Box::new(self.key_type(depth - 1))),
                _ => Type::Map(
                    Box::new(self.key_type(depth - 1)),
                    Box::new(self.ty(depth - 1)),
                ),
            }),
            Profile::Datatypes => self.data_type(depth),
            Profile::Functions => Some(self.arrow_type()),
            Profile::All | Profile::Deterministic | Profile::Objects | Profile::Known => None,
        }
    }

    /// Draws a type whose values can be compared with `==`.
    pub(super) fn key_type(&mut self, depth: usize) -> Type {
        for _ in 0..4 {
            let ty = self.ty(depth);
            if self.has_equality(&ty) {
                return ty;
            }
        }
        Type::Int
    }

    /// Draws a printable type.
    pub(super) fn printable_type(&mut self, depth: usize) -> Type {
        for _ in 0..4 {
            let ty = self.ty(depth);
            if self.is_printable(&ty) {
                return ty;
            }
        }
        Type::Int
    }

    pub(super) fn data_type(&mut self, depth: usize) -> Option<Type> {
        let visible: Vec<usize> = (0..self.data.len())
            .filter(|&d| self.data[d].complete && self.sees(self.data[d].home))
            .collect();
        let d = self.pick(&visible)?;
        let n = self.data[d].params.len();
        Some(Type::Data(
            d,
            (0..n)
                .map(|_| self.key_type(depth.saturating_sub(1)))
                .collect(),
        ))
    }

    /// Draws a function type over types without constraints, so that the body of a lambda has
    /// exactly the result type.
    fn arrow_type(&mut self) -> Type {
        let n = [1, 1, 1, 2, 2, 0, 3][self.below(7)];
        let newtypes: Vec<usize> = (0..self.ranges.len())
            .filter(|&r| self.ranges[r].newtype && self.sees(self.ranges[r].home))
            .collect();
        let plain = |g: &mut Self| match g.below(10) {
            8 => g.pick(&newtypes).map_or(Type::Char, Type::Range),
            9 => Type::Tuple(vec![Type::Int, Type::Bool]),
            0 => Type::Bool,
            1 => Type::string(),
            2 => Type::seq(Type::Int),
            3 => Type::Bv(8),
            4 => Type::Real,
            _ => Type::Int,
        };
        Type::Arrow((0..n).map(|_| plain(self)).collect(), Box::new(plain(self)))
    }

    pub(super) fn simple_type(&mut self) -> Type {
        let params: Vec<Type> = self
            .params
            .iter()
            .filter(|p| self.has_literal(p))
            .cloned()
            .collect();
        if self.chance(25)
            && let Some(p) = self.pick(&params)
        {
            return p;
        }
        let ranges: Vec<usize> = (0..self.ranges.len())
            .filter(|&r| self.sees(self.ranges[r].home))
            .collect();
        match self.below(16) {
            0..=4 => Type::Int,
            5 | 6 => Type::Bool,
            7 => Type::Nat,
            8 => Type::Char,
            9 => Type::Real,
            10 | 11 => Type::Bv(
                [
                    1, 2, 5, 7, 8, 8, 12, 16, 24, 32, 32, 33, 53, 64, 64, 65, 100, 128, 200,
                ][self.below(19)],
            ),
            12..=14 => self.pick(&ranges).map_or(Type::Int, Type::Range),
            _ => Type::string(),
        }
    }
}
