//! Equality of symbolic inputs with concrete values, which pins the inputs of a query to those of a
//! test.
//!
//! Key function: [`Encoder::equals_value`]. A part that the shape of the input cannot represent is
//! not compared, so that the condition is weaker there and never excludes the value.

use dafny_resolve::typed::{CtorId, TypeId};
use dtest_smt::{Const, Term};
use dtest_value::Value;

use super::Encoder;
use super::value::Sym;

impl Encoder<'_> {
    /// Returns the term that a symbolic input equals a concrete value. Parts that the
    /// shape cannot represent are not compared.
    pub(super) fn equals_value(&mut self, sym: &Sym, value: &Value) -> Term {
        match (sym, value) {
            (Sym::Bool(t), Value::Bool(b)) => {
                let b = self.t.bool(*b);
                self.t.eq(*t, b)
            }
            (Sym::Int(t), Value::Int(n)) => {
                let n = self.t.int(n.clone());
                self.t.eq(*t, n)
            }
            (Sym::Char(t), Value::Char(c)) => {
                let c = self.t.int(*c);
                self.t.eq(*t, c)
            }
            (Sym::Real(t), Value::Real(r)) => {
                let r = self.t.real(r.clone());
                self.t.eq(*t, r)
            }
            (Sym::Bv(t), Value::Bv { width, bits }) if *width > 0 => {
                let b = self.t.constant(Const::Bv(*width, bits.clone()));
                self.t.eq(*t, b)
            }
            (Sym::Ordinal(t), Value::Ordinal(n)) => {
                let n = self.t.int(num_bigint::BigInt::from(n.clone()));
                self.t.eq(*t, n)
            }
            (Sym::Seq(s), Value::Seq(xs)) => {
                let len = self.t.int(xs.len() as i64);
                let same_length = self.t.eq(s.len, len);
                // Elements beyond the slots cannot be compared; they are excluded by the length.
                self.equal_values(same_length, &s.slots, xs)
            }
            (Sym::Tuple(cs), Value::Tuple(xs)) => self.equal_values(self.t.tt, cs, xs),
            (Sym::Data(d), Value::Datatype(v)) => {
                let (_, index) = self.ctor_index(v.ctor);
                let at = self.t.int(index as i64);
                let same_ctor = self.t.eq(d.tag, at);
                match d.args.get(index) {
                    Some(Some(xs)) => self.equal_values(same_ctor, xs, &v.args),
                    None | Some(None) => same_ctor,
                }
            }
            (Sym::Newtype(n), Value::Newtype(m)) if n.decl == m.decl => {
                self.equals_value(&n.value, &m.value)
            }
            // Only the alternative of the value's own type can be equal to it.
            (Sym::OneOf(all), value) => {
                let is_of = |x: &Sym| match (x, value) {
                    (Sym::Newtype(n), Value::Newtype(m)) => n.decl == m.decl,
                    (Sym::Data(d), Value::Datatype(v)) => self.typed()[v.ctor].datatype == d.ty,
                    (Sym::Ref(_), Value::Ref(_)) | (Sym::Any, _) => true,
                    (_, _) => false,
                };
                match all.iter().find(|(_, x)| is_of(x)).cloned() {
                    Some((cond, x)) => {
                        let equal = self.equals_value(&x, value);
                        self.t.and(cond, equal)
                    }
                    None => self.t.tt,
                }
            }
            (
                Sym::Bool(_)
                | Sym::Int(_)
                | Sym::Char(_)
                | Sym::Real(_)
                | Sym::Bv(_)
                | Sym::Ordinal(_)
                | Sym::Seq(_)
                | Sym::Tuple(_),
                _,
            )
            | (
                Sym::Set(_)
                | Sym::Multiset(_)
                | Sym::Map(_)
                | Sym::Data(_)
                | Sym::Func(_)
                | Sym::Lazy(_)
                | Sym::Newtype(_),
                _,
            )
            | (Sym::Ref(_) | Sym::Any | Sym::Undef, _) => self.t.tt,
        }
    }

    /// Adds to a condition that parts are equal, pair by pair.
    fn equal_values(&mut self, cond: Term, syms: &[Sym], values: &[Value]) -> Term {
        let mut all = cond;
        for (a, b) in syms.iter().zip(values) {
            let e = self.equals_value(a, b);
            all = self.t.and(all, e);
        }
        all
    }

    /// Returns the constructors of a datatype.
    pub(super) fn ctors(&self, ty: TypeId) -> &[CtorId] {
        dtest_ir::ctors_of(&self.program.typed, ty)
    }
}
