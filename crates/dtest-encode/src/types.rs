//! Conversions between types (`as`), and tests of types: `is`, subset types, and the constraints
//! of values of a type.
//!
//! Key functions: [`Encoder::has_type`], [`Encoder::convert`], [`Encoder::is_of`]. The hard part are
//! values of implementations of a trait: they may stand under any of several declared types, and
//! change their shape with it.

use super::value::{Sym, SymData, SymNewtype};
use super::{Encoder, Frame, Mode};
use dafny_resolve::typed::{Type, TypeDeclKind, TypeId};
use dtest_desugar::casts::changes_newtype;
use dtest_ir::reason::NoValue;
use dtest_smt::{Sort, Term};
use num_bigint::BigInt;
use std::rc::Rc;

impl<'p> Encoder<'p> {
    /// Encodes `value as to`.
    pub(super) fn convert(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        // A value of a trait that is no reference type is converted to one of its implementations.
        if let (
            Sym::Data(_) | Sym::Ref(_) | Sym::Newtype(_) | Sym::OneOf(_),
            Type::Named { decl, .. },
        ) = (value, self.typed().strip_subset(from))
            && matches!(
                self.typed()[decl].kind,
                TypeDeclKind::Trait {
                    is_reference: false
                }
            )
        {
            let ok = self.implementation_is(value, to);
            self.require(ok);
            return self.implementation_as(value, to);
        }
        // Casts between a newtype and its trait change the representation.
        if changes_newtype(self.typed(), from, to) {
            let value = self.retyped(value, from, to);
            let ok = self.is_in_type(&value, to);
            self.require(ok);
            return value;
        }
        let (source, target) = (
            self.typed().representation(from),
            self.typed().representation(to),
        );
        let Some(t) = value.scalar() else {
            return if source == target || matches!(value, Sym::Any) {
                value.clone()
            } else {
                self.reshaped(value, to)
            };
        };
        // Scalars are converted through integers, with a range check for the target type.
        let result = match &target {
            Type::Int | Type::Ordinal | Type::Char => {
                let n = self.as_int(t);
                if matches!(target, Type::Char) {
                    let ok = self.valid_char(n);
                    self.require(ok);
                    Sym::Char(n)
                } else if matches!(target, Type::Ordinal) {
                    let zero = self.t.int(0);
                    let ok = self.t.le(zero, n);
                    self.require(ok);
                    Sym::Ordinal(n)
                } else {
                    Sym::Int(n)
                }
            }
            Type::Real => match self.t.sort(t) {
                Sort::Real => Sym::Real(t),
                Sort::Bool | Sort::Int | Sort::Bv(_) => {
                    let n = self.as_int(t);
                    Sym::Real(self.t.to_real(n))
                }
            },
            Type::Bv(w) => {
                if self.t.sort(t) == Sort::Bv(*w) {
                    Sym::Bv(t)
                } else {
                    let n = self.as_int(t);
                    let (zero, end) = (self.t.int(0), self.t.int(BigInt::from(1) << *w));
                    let ok = self.t.in_range(zero, n, end);
                    self.require(ok);
                    Sym::Bv(if *w == 0 {
                        zero
                    } else {
                        self.t.int_to_bv(*w, n)
                    })
                }
            }
            Type::Bool
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_) => value.clone(),
            Type::Arrow { .. } | Type::Array { .. } | Type::Object { .. } | Type::Named { .. } => {
                value.clone()
            }
            Type::Param(_) | Type::Error => value.clone(),
        };
        // The constraints of subset types and newtypes come last, because they expect a value of
        // the target's representation.
        if from != to {
            let ok = self.has_type(&result, to);
            self.require(ok);
        }
        result
    }

    /// Converts a scalar to an integer. A real has to be integral.
    pub(super) fn as_int(&mut self, t: Term) -> Term {
        match self.t.sort(t) {
            Sort::Int => t,
            Sort::Bool => self.t.count(t),
            Sort::Bv(_) => self.t.bv_to_int(t),
            Sort::Real => {
                let n = self.t.floor(t);
                let back = self.t.to_real(n);
                let ok = self.t.eq(back, t);
                self.require(ok);
                n
            }
        }
    }

    /// Checks the new type of a compound value, whose representation stays the same.
    pub(super) fn reshaped(&mut self, value: &Sym, to: &Type) -> Sym {
        let ok = self.has_type(value, to);
        self.require(ok);
        value.clone()
    }

    pub(super) fn valid_char(&mut self, n: Term) -> Term {
        let (max, surrogates) = self.char_range();
        let (zero, end) = (self.t.int(0), self.t.int(max + 1));
        let inside = self.t.in_range(zero, n, end);
        if !surrogates {
            return inside;
        }
        // Surrogates are no characters of Unicode.
        let (low, high) = (self.t.int(0xD800), self.t.int(0xE000));
        let bad = self.t.in_range(low, n, high);
        let good = self.t.not(bad);
        self.t.and(inside, good)
    }

    /// Returns the condition that a value of the right shape satisfies the constraints of its type,
    /// including those of its parts.
    pub(super) fn has_type(&mut self, value: &Sym, ty: &Type) -> Term {
        match ty {
            Type::Char => value.scalar().map_or(self.t.tt, |n| self.valid_char(n)),
            Type::Ordinal => {
                let zero = self.t.int(0);
                value.scalar().map_or(self.t.tt, |n| self.t.le(zero, n))
            }
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => self.t.tt,
            Type::Array { nullable: true, .. } | Type::Object { nullable: true } => self.t.tt,
            Type::Array {
                nullable: false, ..
            }
            | Type::Object { nullable: false } => self.not_null(value),
            Type::Seq(elem) => {
                let Sym::Seq(s) = value else { return self.t.tt };
                let s = Rc::clone(s);
                let mut all = self.t.tt;
                for (j, x) in s.slots.iter().enumerate() {
                    let ok = self.has_type(x, elem);
                    // Places beyond the length have no element to check.
                    if ok != self.t.tt {
                        let inside = self.inside(&s, j);
                        let ok = self.t.implies(inside, ok);
                        all = self.t.and(all, ok);
                    }
                }
                all
            }
            Type::Set { elem, .. } => {
                let Sym::Set(s) = value else { return self.t.tt };
                let slots: Vec<(Term, Sym)> = s.slots.clone();
                self.all_have_type(&slots, elem)
            }
            Type::Multiset(elem) => {
                let Sym::Multiset(s) = value else {
                    return self.t.tt;
                };
                let zero = self.t.int(0);
                let slots: Vec<(Term, Sym)> = s.slots.clone();
                // A slot with multiplicity zero has no element that could violate the type.
                let slots: Vec<(Term, Sym)> = slots
                    .into_iter()
                    .map(|(n, x)| (self.t.lt(zero, n), x))
                    .collect();
                self.all_have_type(&slots, elem)
            }
            Type::Map {
                key, value: target, ..
            } => {
                let Sym::Map(m) = value else { return self.t.tt };
                let keys: Vec<(Term, Sym)> =
                    m.slots.iter().map(|(p, k, _)| (*p, k.clone())).collect();
                let values: Vec<(Term, Sym)> =
                    m.slots.iter().map(|(p, _, v)| (*p, v.clone())).collect();
                let (a, b) = (
                    self.all_have_type(&keys, key),
                    self.all_have_type(&values, target),
                );
                self.t.and(a, b)
            }
            Type::Tuple(ts) => {
                let Sym::Tuple(cs) = value else {
                    return self.t.tt;
                };
                let cs = Rc::clone(cs);
                let mut all = self.t.tt;
                for (c, (_, t)) in cs.iter().zip(ts) {
                    let ok = self.has_type(c, t);
                    all = self.t.and(all, ok);
                }
                all
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => self.has_named_type(value, *decl, args, *nullable),
        }
    }

    pub(super) fn all_have_type(&mut self, slots: &[(Term, Sym)], ty: &Type) -> Term {
        let mut all = self.t.tt;
        for (p, x) in slots {
            let ok = self.has_type(x, ty);
            if ok != self.t.tt {
                let ok = self.t.implies(*p, ok);
                all = self.t.and(all, ok);
            }
        }
        all
    }

    pub(super) fn not_null(&mut self, value: &Sym) -> Term {
        let zero = self.t.int(0);
        value.scalar().map_or(self.t.tt, |r| self.t.ne(r, zero))
    }

    pub(super) fn has_named_type(
        &mut self,
        value: &Sym,
        decl: TypeId,
        args: &[Type],
        nullable: bool,
    ) -> Term {
        let typed = self.typed();
        let subst = typed.substitution(decl, args);
        match &typed[decl].kind {
            TypeDeclKind::Trait {
                is_reference: false,
            } if !matches!(value, Sym::Ref(_)) => self.is_within_implementation(value, decl, args),
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {
                if nullable {
                    self.t.tt
                } else {
                    self.not_null(value)
                }
            }
            TypeDeclKind::Abstract => self.t.tt,
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                let base = self.has_type(value, &c.base.subst(&subst));
                // The constraint expects a value of the base type.
                if base == self.t.ff {
                    return base;
                }
                let Some(function) = self.program.constraints.get(&decl) else {
                    return base;
                };
                let mut frame = Frame::new(&function.vars, Rc::new(subst));
                frame.bind(&function.params, std::slice::from_ref(value));
                let (holds, defined) = self
                    .in_specification(|s| s.isolated(|s| s.eval_bool(&function.body, &mut frame)));
                let ok = self.t.and(defined, holds);
                self.t.and(base, ok)
            }
            TypeDeclKind::Datatype { ctors, .. } => {
                let Sym::Data(d) = value else {
                    return self.t.tt;
                };
                let d = Rc::clone(d);
                let mut all = self.t.tt;
                // The fields of each possible constructor must have their types.
                for (i, ctor) in ctors.iter().enumerate() {
                    let Some(Some(xs)) = d.args.get(i) else {
                        continue;
                    };
                    let at = self.t.int(i as i64);
                    let is = self.t.eq(d.tag, at);
                    if is == self.t.ff {
                        continue;
                    }
                    for (x, field) in xs.iter().zip(&typed[*ctor].fields) {
                        let ok = self.has_type(x, &typed[*field].ty.subst(&subst));
                        if ok != self.t.tt {
                            let ok = self.t.implies(is, ok);
                            all = self.t.and(all, ok);
                        }
                    }
                }
                all
            }
        }
    }

    pub(super) fn is_of(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        let typed = self.typed();
        if let Type::Named { decl, .. } = typed.strip_subset(from)
            && matches!(
                typed[decl].kind,
                TypeDeclKind::Trait {
                    is_reference: false
                }
            )
        {
            return Sym::Bool(self.implementation_is(value, to));
        }
        if self.typed().is_reference(to) && self.typed().is_reference(from) {
            return Sym::Bool(self.dynamic_type_is(value, to));
        }
        let (source, target) = (typed.representation(from), typed.representation(to));
        if source != target && value.scalar().is_some() && is_number(&target) {
            // A test for a numeric type is the test whether the conversion succeeds.
            let ((), ok) = self.isolated(|e| drop(e.convert(value, from, to)));
            return Sym::Bool(ok);
        }
        Sym::Bool(self.is_in_type(value, to))
    }

    /// Returns the condition that a value of a trait that is no reference type belongs to another
    /// type.
    pub(super) fn implementation_is(&mut self, value: &Sym, to: &Type) -> Term {
        let typed = self.typed();
        let other = typed.strip_subset(to);
        let of = if let Type::Named { decl, .. } = other {
            Some(decl)
        } else if matches!(other, Type::Array { .. } | Type::Object { .. }) {
            None
        } else {
            // A basic type has no trait: the question is only open outside of exact encodings.
            return if self.mode == Mode::Cut && typed.representation(&other) == other {
                self.t.ff
            } else {
                self.t.fresh("any", Sort::Bool)
            };
        };
        let is_trait = of.is_some_and(|t| typed.is_trait(t));
        match (value, of) {
            (Sym::Ref(_), of)
                if of.is_none_or(|t| {
                    is_trait
                        || matches!(
                            typed[t].kind,
                            TypeDeclKind::Class | TypeDeclKind::Iterator(_)
                        )
                }) =>
            {
                self.dynamic_type_is(value, to)
            }
            (Sym::Ref(_), _) => self.t.ff,
            (Sym::Data(d), Some(of)) if d.ty == of || self.extends(d.ty, of, 8) => {
                if d.ty == of {
                    self.is_in_type(value, to)
                } else {
                    self.t.tt
                }
            }
            (Sym::Data(_), _) => self.t.ff,
            (Sym::Newtype(n), Some(of)) if n.decl == of => self.is_in_type(&n.value, to),
            (Sym::Newtype(n), Some(of)) if is_trait => self.t.bool(self.extends(n.decl, of, 8)),
            (Sym::Newtype(_), _) => self.t.ff,
            // The value is one of several, so each of them is tested under its condition.
            (Sym::OneOf(all), _) => {
                let mut any = self.t.ff;
                for (cond, x) in all.iter() {
                    let is = self.implementation_is(x, to);
                    let here = self.t.and(*cond, is);
                    any = self.t.or(any, here);
                }
                any
            }
            (_, _) => self.t.fresh("any", Sort::Bool),
        }
    }

    /// Converts a value of a trait that is no reference type to a type that it belongs to.
    pub(super) fn implementation_as(&mut self, value: &Sym, to: &Type) -> Sym {
        let Type::Named { decl, .. } = self.typed().strip_subset(to) else {
            return value.clone();
        };
        if self.typed().is_trait(decl) {
            return value.clone();
        }
        let fits = |x: &Sym| match x {
            Sym::Data(d) => d.ty == decl,
            Sym::Newtype(n) => n.decl == decl,
            Sym::Ref(_) => matches!(
                self.typed()[decl].kind,
                TypeDeclKind::Class | TypeDeclKind::Iterator(_)
            ),
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::OneOf(_)
            | Sym::Any
            | Sym::Undef => true,
        };
        // Of several alternatives, only one can have the type; the caller has required it.
        match self
            .alternatives(value)
            .into_iter()
            .map(|(_, x)| x)
            .find(fits)
        {
            Some(Sym::Newtype(n)) => n.value.clone(),
            Some(Sym::Any) | None => self.any(to),
            Some(other) => other,
        }
    }

    /// Converts the representation of a value between the types `from` and `to`, where one contains
    /// a newtype and the other a trait that the newtype extends.
    pub(super) fn retyped(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        let typed = self.typed();
        if !changes_newtype(typed, from, to) {
            return value.clone();
        }
        let (from, to) = (typed.strip_subset(from), typed.strip_subset(to));
        // The conversion follows the structure of the types; only traits and newtypes change the
        // representation.
        match (value, &from, &to) {
            (Sym::Seq(s), Type::Seq(a), Type::Seq(b)) => {
                let slots = s.slots.iter().map(|x| self.retyped(x, a, b)).collect();
                Sym::seq(s.len, slots, s.rest)
            }
            (Sym::Set(s), Type::Set { elem: a, .. }, Type::Set { elem: b, .. }) => {
                let slots = s
                    .slots
                    .iter()
                    .map(|(p, x)| (*p, self.retyped(x, a, b)))
                    .collect();
                Sym::set(slots, s.more)
            }
            (Sym::Multiset(s), Type::Multiset(a), Type::Multiset(b)) => {
                let slots = s
                    .slots
                    .iter()
                    .map(|(n, x)| (*n, self.retyped(x, a, b)))
                    .collect();
                Sym::multiset(slots, s.more)
            }
            (
                Sym::Map(m),
                Type::Map {
                    key: k, value: v, ..
                },
                Type::Map {
                    key: l, value: w, ..
                },
            ) => {
                let slots = m
                    .slots
                    .iter()
                    .map(|(p, x, y)| (*p, self.retyped(x, k, l), self.retyped(y, v, w)))
                    .collect();
                Sym::map(slots, m.more)
            }
            (Sym::Tuple(xs), Type::Tuple(a), Type::Tuple(b)) => Sym::tuple(
                xs.iter()
                    .zip(a.iter().zip(b))
                    .map(|(x, (a, b))| self.retyped(x, &a.1, &b.1))
                    .collect(),
            ),
            (Sym::Data(d), Type::Named { decl, args: a, .. }, Type::Named { args: b, .. })
                if d.ty == *decl =>
            {
                let (old, new) = (typed.substitution(*decl, a), typed.substitution(*decl, b));
                let mut args = Vec::with_capacity(d.args.len());
                for (ctor, xs) in self.ctors(*decl).to_vec().into_iter().zip(&d.args) {
                    args.push(xs.as_ref().map(|xs| {
                        let parts = xs.iter().zip(&typed[ctor].fields).map(|(x, f)| {
                            let own = &typed[*f].ty;
                            self.retyped(x, &own.subst(&old), &own.subst(&new))
                        });
                        Rc::new(parts.collect())
                    }));
                }
                Sym::Data(Rc::new(SymData::new(*decl, d.tag, args)))
            }
            (Sym::Newtype(_) | Sym::OneOf(_) | Sym::Ref(_), Type::Named { decl, .. }, _)
                if typed.is_trait(*decl) =>
            {
                // A value of a trait must have the newtype to which it is converted.
                let ok = self.implementation_is(value, &to);
                self.require(ok);
                self.implementation_as(value, &to)
            }
            (Sym::Any | Sym::Undef, _, _) => self.any(&to),
            (Sym::Func(_) | Sym::Lazy(_), _, _) => self.unsupported(NoValue::Retyped, &to),
            (value, Type::Named { decl, args, .. }, _)
                if matches!(typed[*decl].kind, TypeDeclKind::Newtype(_)) =>
            {
                Sym::Newtype(Rc::new(SymNewtype {
                    decl: *decl,
                    args: args.clone(),
                    value: value.clone(),
                }))
            }
            (value, _, _) => value.clone(),
        }
    }

    /// Returns the condition that a datatype or newtype value, converted to a trait, satisfies the
    /// constraints of its own type.
    pub(super) fn is_within_implementation(
        &mut self,
        value: &Sym,
        of: TypeId,
        of_args: &[Type],
    ) -> Term {
        match value {
            Sym::Newtype(n) => self.has_type(&n.value, &Type::named(n.decl, n.args.clone())),
            Sym::Data(d) => {
                let datatypes = self.typed().implementing_datatypes(of, of_args);
                match datatypes
                    .iter()
                    .find(|t| matches!(t, Type::Named { decl, .. } if *decl == d.ty))
                {
                    Some(ty) => self.has_type(value, ty),
                    None => self.t.tt,
                }
            }
            Sym::OneOf(all) => {
                let mut ok = self.t.tt;
                for (cond, x) in all.iter() {
                    // Each alternative must satisfy its own type.
                    let is = match x {
                        Sym::Ref(_) => self.not_null(x),
                        other @ (Sym::Bool(_)
                        | Sym::Int(_)
                        | Sym::Char(_)
                        | Sym::Real(_)
                        | Sym::Bv(_)
                        | Sym::Ordinal(_)
                        | Sym::Seq(_)
                        | Sym::Set(_)
                        | Sym::Multiset(_)
                        | Sym::Map(_)
                        | Sym::Tuple(_)
                        | Sym::Data(_)
                        | Sym::Func(_)
                        | Sym::Lazy(_)
                        | Sym::Newtype(_)
                        | Sym::OneOf(_)
                        | Sym::Any
                        | Sym::Undef) => self.is_within_implementation(other, of, of_args),
                    };
                    let is = self.t.implies(*cond, is);
                    ok = self.t.and(ok, is);
                }
                ok
            }
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => self.t.tt,
        }
    }

    /// Returns the condition that a value belongs to a type. For partly unknown values, the unknown
    /// part may decide.
    pub(super) fn is_in_type(&mut self, value: &Sym, ty: &Type) -> Term {
        let known = self.has_type(value, ty);
        if self.mode == Mode::Cut
            || known == self.t.ff
            || self.typed().representation(ty) == *ty && value.scalar().is_some()
        {
            return known;
        }
        if self.is_whole(value) {
            return known;
        }
        let rest = self.t.fresh("any", Sort::Bool);
        self.t.and(known, rest)
    }

    /// Whether no part of a value is unknown.
    pub(super) fn is_whole(&self, value: &Sym) -> bool {
        match value {
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Ref(_) => true,
            Sym::Tuple(parts) => parts.iter().all(|x| self.is_whole(x)),
            Sym::Seq(s) => !s.is_open() && s.slots.iter().all(|x| self.is_whole(x)),
            Sym::Set(s) => s.more == self.t.ff && s.slots.iter().all(|(_, x)| self.is_whole(x)),
            Sym::Multiset(s) => {
                s.more == self.t.ff && s.slots.iter().all(|(_, x)| self.is_whole(x))
            }
            Sym::Map(s) => {
                s.more == self.t.ff
                    && s.slots
                        .iter()
                        .all(|(_, k, v)| self.is_whole(k) && self.is_whole(v))
            }
            Sym::Data(d) => {
                let tag = self.t.as_small(d.tag);
                // Only constructors that the tag allows matter.
                let is_possible = |i: usize| tag.is_none_or(|t| usize::try_from(t) == Ok(i));
                let mut possible = d.args.iter().enumerate().filter(|(i, _)| is_possible(*i));
                possible.all(|(_, a)| {
                    a.as_ref()
                        .is_some_and(|xs| xs.iter().all(|x| self.is_whole(x)))
                })
            }
            Sym::Newtype(n) => self.is_whole(&n.value),
            Sym::OneOf(all) => all.iter().all(|(_, x)| self.is_whole(x)),
            Sym::Func(_) | Sym::Lazy(_) | Sym::Any | Sym::Undef => false,
        }
    }
}

/// Whether a type is numeric: its values can be converted to and from numbers.
pub(super) fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Real | Type::Char | Type::Bv(_) | Type::Ordinal => true,
        Type::Bool
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Named { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}
