//! Translates tests whether a number is a value of another numeric type.

use super::body::Body;
use super::code::Code;
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::rep::primitive;
use crate::rust::{self, expr, ident};
use dafny_resolve::typed::{Span, Type};

impl Body<'_, '_, '_> {
    /// Returns the conditions under which `value`, a stable place of type `from`, is a value of
    /// `to`; none if it always is.
    pub(super) fn type_test(
        &mut self,
        value: &Code,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Translated<Vec<rust::Expr>> {
        if from == to {
            return Ok(Vec::new());
        }
        let (held, wanted) = (self.rep(from), self.rep(to));
        if let (Rep::Tuple(parts), Rep::Tuple(wanted)) = (&held, &wanted)
            && parts.len() == wanted.len()
        {
            return self.component_tests(value, parts, wanted, span);
        }
        // Different representations: the value is tested through the number that it stands for.
        if held != wanted && !self.same_values(from, to) {
            return Ok(vec![self.number_test(value, &held, to, &wanted, span)?]);
        }
        let mut tests = Vec::new();
        if matches!(
            held,
            Rep::Class(..) | Rep::Array(..) | Rep::Trait(..) | Rep::Object
        ) && self.scope.is_nullable(from)
            && !self.scope.is_nullable(to)
        {
            let o = value.receiver();
            tests.push(expr!(!#o.is_null()));
        }
        tests.extend(self.constraints(to, value, span)?);
        Ok(tests)
    }

    /// Returns the tests of a tuple's compiled components.
    fn component_tests(
        &mut self,
        value: &Code,
        from: &[Type],
        to: &[Type],
        span: Span,
    ) -> Translated<Vec<rust::Expr>> {
        let (mut tests, single) = (Vec::new(), from.len() == 1);
        for (i, (from, to)) in from.iter().zip(to).enumerate() {
            // A single component is not a tuple in Rust.
            let place = match single {
                true => value.clone(),
                false => {
                    let o = value.receiver();
                    Code::place(expr!(#o.#i), self.copy(from))
                }
            };
            tests.extend(self.type_test(&place, from, to, span)?);
        }
        Ok(tests)
    }

    /// Whether values of two types have the same representation and differ by constraints alone.
    fn same_values(&self, a: &Type, b: &Type) -> bool {
        let same = |a: &Type, b: &Type| self.same_values(a, b);
        let all =
            |a: &[Type], b: &[Type]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
        match (self.rep(a), self.rep(b)) {
            (Rep::Seq(a), Rep::Seq(b))
            | (Rep::Set(a), Rep::Set(b))
            | (Rep::Multiset(a), Rep::Multiset(b)) => same(&a, &b),
            (Rep::Map(k, v), Rep::Map(l, w)) => same(&k, &l) && same(&v, &w),
            (Rep::Tuple(a), Rep::Tuple(b)) => all(&a, &b),
            (Rep::Arrow(a, r), Rep::Arrow(b, s)) => all(&a, &b) && same(&r, &s),
            (Rep::Array(n, a), Rep::Array(m, b)) => n == m && same(&a, &b),
            (Rep::Datatype(d, a), Rep::Datatype(e, b)) | (Rep::Class(d, a), Rep::Class(e, b)) => {
                d == e && all(&a, &b)
            }
            (a, b) => a == b,
        }
    }

    /// Returns the tests for `value is to` of numbers with different representations, through the
    /// integer or real that they represent.
    fn number_test(
        &mut self,
        value: &Code,
        held: &Rep,
        to: &Type,
        wanted: &Rep,
        span: Span,
    ) -> Translated<rust::Expr> {
        let none = || {
            self.scope
                .unsupported(span, "a type test between different representations")
        };
        let o = &value.receiver();
        // Only reals without a fraction are integers.
        let (guard, integer) = match held {
            Rep::Int => (None, expr!(#o.clone())),
            Rep::Native(_) | Rep::Bv(_) | Rep::Char => (None, expr!(#o.to_int())),
            Rep::Real => (Some(expr!(#o.is_integer())), expr!(#o.floor())),
            Rep::Ordinal => (None, expr!(#o.offset())),
            Rep::Bool
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => return Err(none()),
        };
        let n = &self.make_up("n");
        let int = self.scope.runtime("int");
        // The range test, and the converted number.
        let (fits, converted) = match wanted {
            Rep::Int => (None, n.into()),
            Rep::Real => {
                let real = self.scope.runtime("real");
                (None, expr!(#real(#n)))
            }
            Rep::Native(native) => {
                let native = &ident(primitive(*native));
                (
                    Some(expr!(#n.try_to::<#native>().is_some())),
                    expr!(#n.to_native::<#native>()),
                )
            }
            Rep::Bv(width) => {
                let (bv, width) = (&self.scope.runtime("Bv"), *width);
                (
                    Some(expr!(#bv::<#width>::holds(&#n))),
                    expr!(#bv::<#width>::of_int(&#n)),
                )
            }
            Rep::Char => {
                let char = &self.scope.runtime(self.scope.ground.char_type());
                (Some(expr!(#char::holds(&#n))), expr!(#char::of_int(&#n)))
            }
            Rep::Ordinal => {
                let ordinal = self.scope.runtime("Ordinal");
                (Some(expr!(#int(0) <= #n)), expr!(#ordinal::of_int(&#n)))
            }
            Rep::Bool
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => return Err(none()),
        };
        // The constraint is about a value of the wanted representation.
        let number = self.make_up("number");
        let constraints = self.constraints(to, &Code::variable(&number, self.copy(to)), span)?;
        let constrained =
            (!constraints.is_empty()).then(|| expr!({ let #number = #converted; #&&constraints }));
        let inner: Vec<rust::Expr> = fits.into_iter().chain(constrained).collect();
        let test = (!inner.is_empty()).then(|| expr!({ let #n = #integer; #&&inner }));
        Ok(rust::Expr::all(guard.into_iter().chain(test)))
    }
}

impl Scope<'_, '_> {
    fn is_nullable(&self, ty: &Type) -> bool {
        match self
            .ground
            .program
            .strip_subset(&ty.subst(&self.substitution))
        {
            Type::Named { nullable, .. }
            | Type::Array { nullable, .. }
            | Type::Object { nullable } => nullable,
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
            | Type::Param(_)
            | Type::Error => false,
        }
    }
}
