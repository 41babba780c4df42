//! Configured values of inputs, in the notation of reported executions.

use boogie_resolve::typed::{Type, VarId};
use dtest_smt::{Const, Term};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use crate::quantifiers::element_type;
use crate::value::Value;
use crate::world::World;

/// A configured value of an input or of an element of one: for example `N` and `2`, or `a[0]` and
/// `-1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The input, in the notation of reported executions.
    pub name: String,
    /// The value, in the notation of reported executions.
    pub value: String,
}

impl World<'_> {
    /// Returns the condition that an input has the configured value; `None` if the value is not of
    /// its type, or if there is no such input.
    pub(crate) fn given(&mut self, given: &Given, inputs: &[(VarId, Value)]) -> Option<Term> {
        let (name, keys) = match given.name.split_once('[') {
            Some((name, keys)) => (name, Some(keys.strip_suffix(']')?)),
            None => (given.name.as_str(), None),
        };
        let (v, input) = inputs
            .iter()
            .find(|(v, _)| &*self.program.var(*v).name == name)
            .copied()?;
        let ty = self.program.var(v).ty.clone();
        let (Some(keys), Value::Map(map)) = (keys, input) else {
            let value = self.constant_of(&given.value, &ty)?;
            return self.eq(input, value).ok();
        };
        let Type::Map(m) = &ty else { return None };
        let keys: Vec<&str> = keys.split(", ").collect();
        if !m.params.is_empty() || m.args.len() != keys.len() {
            return None;
        }
        let keys: Option<Vec<Value>> = keys
            .iter()
            .zip(&m.args)
            .map(|(k, t)| self.constant_of(k, t))
            .collect();
        let element = element_type(&ty, &[]);
        let value = self.constant_of(&given.value, &element)?;
        let read = self.select(map, &(Vec::new(), keys?), &element).ok()?;
        self.eq(read, value).ok()
    }

    /// Parses a value of a scalar type.
    fn constant_of(&mut self, text: &str, ty: &Type) -> Option<Value> {
        if self.is_numbered(ty) {
            let named =
                self.program.constants.iter().find(|c| {
                    &*self.program.var(**c).name == text && self.program.var(**c).ty == *ty
                });
            if let Some(constant) = named {
                return self.constants.get(constant).copied();
            }
            let number = text.rsplit_once('#')?.1.parse::<BigUint>().ok()?;
            return Some(self.constant(Const::Int(number.into())));
        }
        let c = match ty {
            Type::Bool => Const::Bool(text.parse().ok()?),
            Type::Int => Const::Int(text.parse().ok()?),
            Type::Real => Const::Real(rational(text)?),
            Type::Bv(w) => Const::Bv(*w, text.strip_suffix(&format!("bv{w}"))?.parse().ok()?),
            Type::Float(..)
            | Type::Opaque(_)
            | Type::Constructor(..)
            | Type::Var(_)
            | Type::Map(_)
            | Type::Meta(_) => return None,
        };
        Some(self.constant(c))
    }
}

/// Parses `3.0` or `-1/3`.
fn rational(text: &str) -> Option<BigRational> {
    let (n, d) = match text.split_once('/') {
        Some(parts) => parts,
        None => (text.strip_suffix(".0")?, "1"),
    };
    let (n, d): (BigInt, BigInt) = (n.parse().ok()?, d.parse().ok()?);
    (d != BigInt::from(0)).then(|| BigRational::new(n, d))
}
