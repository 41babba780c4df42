//! Values built from values of the pool by constructors and displays: collections of several
//! elements, some of which are equal, and datatype values a few levels deep.
//!
//! Executions alone return few values in which several things coincide. [`Builder::value`] is the
//! entry point.

use num_bigint::BigInt;

use super::super::configured_inputs::named;
use super::super::states::put;
use super::corpus::Columns;
use dafny_resolve::typed::{CallableId, Type, TypeDeclKind};
use dtest_interp::xorshift::Xorshift;
use dtest_ir::{self as ir, ctors_of};
use dtest_value::{Heap, Value};

/// Maximum number of distinct elements of a collection that repeats its elements.
const MAX_DIFFERENT: usize = 3;
/// Exclusive upper bound of integers, if the pool has none.
const MAX_INT: usize = 7;

/// Builds values. The objects that they refer to are those of the pool.
pub(super) struct Builder<'a> {
    pub(super) program: &'a ir::Program,
    pub(super) columns: &'a Columns,
    /// The callable that takes the values.
    pub(super) callable: CallableId,
    pub(super) random: &'a mut Xorshift,
    /// The heap that objects are added to.
    pub(super) heap: &'a mut Heap,
}

impl Builder<'_> {
    /// A value of a type with at most `most` elements per collection and `nesting` levels of
    /// values. Constraints of subset types are not checked.
    pub(super) fn value(&mut self, ty: &Type, most: usize, nesting: u32) -> Option<Value> {
        let rep = self.program.typed.representation(ty);
        // The outermost value is always built, because the pool has the others.
        if nesting < super::MAX_NESTING && (nesting == 0 || self.random.flip()) {
            let column = self.columns.get(self.callable, &named(&rep));
            let entry = column.and_then(|c| c.pick(self.random));
            if let Some(entry) = entry {
                return put(&entry.alone, self.heap);
            }
        }
        let inner = nesting.checked_sub(1);
        match &rep {
            Type::Bool => Some(Value::Bool(self.random.flip())),
            Type::Int => Some(Value::int(BigInt::from(self.random.below(MAX_INT)))),
            Type::Char => {
                let letters = ['a', 'b', 'c', '1', '2', ' '];
                self.random
                    .pick(&letters)
                    .map(|c| Value::Char(u32::from(*c)))
            }
            Type::Seq(elem) => Some(Value::seq(self.elements(elem, most, inner?)?)),
            Type::Set { elem, .. } => Some(Value::set(self.elements(elem, most, inner?)?)),
            Type::Multiset(elem) => Some(Value::multiset(self.elements(elem, most, inner?)?)),
            Type::Map { key, value, .. } => {
                let keys = self.elements(key, most, inner?)?;
                let values = keys.iter().map(|_| self.value(value, most / 2, inner?));
                let values = values.collect::<Option<Vec<_>>>()?;
                Some(Value::map(keys.into_iter().zip(values)))
            }
            Type::Tuple(types) => {
                let parts = types.iter().map(|(_, ty)| self.value(ty, most, inner?));
                Some(Value::tuple(parts.collect::<Option<Vec<_>>>()?))
            }
            Type::Named { decl, args, .. }
                if matches!(
                    self.program.typed[*decl].kind,
                    TypeDeclKind::Datatype { co: false, .. }
                ) =>
            {
                let typed = &self.program.typed;
                let subst = typed.substitution(*decl, args);
                // At the last level, only constructors without arguments are possible.
                let ctors: Vec<_> = ctors_of(typed, *decl)
                    .iter()
                    .filter(|c| {
                        !typed[**c].ghost && (inner.is_some() || typed[**c].fields.is_empty())
                    })
                    .collect();
                let ctor = **self.random.pick(&ctors)?;
                let fields = typed[ctor].fields.iter();
                let fields: Vec<Type> = fields.map(|f| typed[*f].ty.subst(&subst)).collect();
                let parts = fields.iter().map(|ty| self.value(ty, most / 2 + 1, inner?));
                Some(Value::datatype(ctor, parts.collect::<Option<Vec<_>>>()?))
            }
            Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => {
                // Values of other types are taken from the pool.
                let entry = self
                    .columns
                    .get(self.callable, &named(&rep))?
                    .pick(self.random)?;
                put(&entry.alone, self.heap)
            }
        }
    }

    /// Up to `most` values of a type. In half of the cases, a few distinct values are repeated.
    fn elements(&mut self, elem: &Type, most: usize, nesting: u32) -> Option<Vec<Value>> {
        let count = self.random.below(most + 1);
        let different = if self.random.flip() {
            count
        } else {
            1 + self.random.below(MAX_DIFFERENT)
        };
        let mut known: Vec<Value> = Vec::new();
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            if known.len() >= different {
                all.push(self.random.pick(&known)?.clone());
            } else {
                let value = self.value(elem, most / 2, nesting)?;
                known.push(value.clone());
                all.push(value);
            }
        }
        Some(all)
    }
}
