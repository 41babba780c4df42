//! Sample values of a type, for quantifiers over more values than can be listed.
//!
//! A sample may refute a `forall` or be a witness of an `exists`. If none does, nothing is decided.

use std::sync::Arc;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::heap::{Cell, State};
use super::types::supertype_args;
use super::word::Word;
use dafny_resolve::typed::{ArrowKind, CtorId, FieldKind, Program, Type, TypeDeclKind};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{FunctionValue, ObjectId, Value};

/// The limit of samples of one type. A nest of three variables enumerates this to the third power.
const MOST: usize = 12;
/// The nesting depth of samples with parts.
const DEPTH: u32 = 2;
/// The number of samples that parts are taken from.
const PARTS: usize = 3;

/// Returns samples of a type, the smallest first, with distinct parts. References are those of
/// `heap`. Constraints of subset types and newtypes are not checked.
pub(super) fn probes(program: &Program, heap: &State, ty: &Type) -> Vec<Value> {
    Prober {
        program,
        heap,
        known: SortedMap::new(),
    }
    .values(ty, DEPTH)
}

struct Prober<'a> {
    program: &'a Program,
    heap: &'a State,
    /// The samples by type and depth.
    known: SortedMap<(Type, u32), Vec<Value>>,
}

impl Prober<'_> {
    fn values(&mut self, ty: &Type, depth: u32) -> Vec<Value> {
        if let Some(values) = self.known.get(&(ty.clone(), depth)) {
            return values.clone();
        }
        let mut values = self.all(ty, depth);
        values.truncate(MOST);
        self.known.insert((ty.clone(), depth), values.clone());
        values
    }

    fn all(&mut self, ty: &Type, depth: u32) -> Vec<Value> {
        match ty {
            // Small values, because bodies call recursive functions with them.
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Char => ['a', 'b', '0'].map(|c| Value::Char(c as u32)).into(),
            Type::Int => [0, 1, -1, 2, -2, 3, 4].map(Value::int).into(),
            Type::Real => [(-1, 1), (0, 1), (1, 2), (1, 1), (2, 1)]
                .map(|(n, d)| Value::Real(BigRational::new(n.into(), d.into())))
                .into(),
            Type::Bv(width) => bits(*width),
            Type::Ordinal => [0u32, 1, 2].map(|n| Value::Ordinal(n.into())).into(),
            Type::Seq(elem) => {
                self.collected(elem, depth, |items| Value::seq(items.iter().cloned()), true)
            }
            Type::Set { elem, .. } => self.collected(
                elem,
                depth,
                |items| Value::set(items.iter().cloned()),
                false,
            ),
            Type::Multiset(elem) => self.collected(
                elem,
                depth,
                |items| Value::multiset(items.iter().cloned()),
                false,
            ),
            Type::Map { key, value, .. } => self.maps(key, value, depth),
            Type::Tuple(kinds) => {
                let kinds: Vec<Type> = kinds.iter().map(|(_, t)| t.clone()).collect();
                self.rows(&kinds, depth)
                    .into_iter()
                    .map(Value::tuple)
                    .collect()
            }
            Type::Arrow { result, kind, .. } if self.is_plain(result) => {
                let constant = |default| FunctionValue::Table {
                    entries: Vec::new(),
                    default,
                };
                let constants: Vec<FunctionValue> = self
                    .parts(result, depth)
                    .into_iter()
                    .map(constant)
                    .collect();
                // A partial function may be undefined everywhere.
                let nowhere = constants
                    .first()
                    .filter(|_| *kind != ArrowKind::Total)
                    .map(|f| FunctionValue::Partial {
                        function: Box::new(f.clone()),
                        elsewhere: false,
                        exceptions: Vec::new(),
                    });
                nowhere
                    .into_iter()
                    .chain(constants)
                    .map(|f| Value::Function(Arc::new(f)))
                    .collect()
            }
            Type::Array { nullable, .. } | Type::Object { nullable } => {
                self.references(ty, *nullable)
            }
            Type::Named { decl, .. } if Some(*decl) == self.program.nat => {
                (0..=4).map(Value::int).collect()
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => match &self.program[*decl].kind {
                TypeDeclKind::Datatype { co: false, ctors } => {
                    let map = self.program.substitution(*decl, args);
                    let fields = |ctor: &CtorId| {
                        self.program[*ctor]
                            .fields
                            .iter()
                            .map(|f| self.program[*f].ty.subst(&map))
                            .collect()
                    };
                    let ctors: Vec<(CtorId, Vec<Type>)> =
                        ctors.iter().map(|c| (*c, fields(c))).collect();
                    let of_ctors: Vec<Vec<Value>> = ctors
                        .iter()
                        .map(|(ctor, fields)| self.constructed(*ctor, fields, depth))
                        .collect();
                    in_turn(&of_ctors)
                }
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    let base = c.base.subst(&self.program.substitution(*decl, args));
                    self.all(&base, depth)
                }
                TypeDeclKind::Class
                | TypeDeclKind::Trait { is_reference: true }
                | TypeDeclKind::Iterator(_) => self.references(ty, *nullable),
                TypeDeclKind::Trait {
                    is_reference: false,
                } => {
                    let datatypes = self.program.implementing_datatypes(*decl, args);
                    let mut of_types: Vec<Vec<Value>> =
                        datatypes.iter().map(|t| self.parts(t, depth)).collect();
                    for newtype in self.program.implementing_newtypes(*decl, args) {
                        let Type::Named { decl, args, .. } = &newtype else {
                            continue;
                        };
                        of_types.push(
                            self.parts(&newtype, depth)
                                .into_iter()
                                .map(|v| Value::newtype(*decl, args.clone(), v))
                                .collect(),
                        );
                    }
                    in_turn(&of_types)
                }
                TypeDeclKind::Datatype { co: true, .. } | TypeDeclKind::Abstract => Vec::new(),
            },
            Type::Arrow { .. } | Type::Param(_) | Type::Error => Vec::new(),
        }
    }

    /// Whether values of the right shape certainly belong to the type. The results of functions are
    /// not checked again.
    fn is_plain(&self, ty: &Type) -> bool {
        if let Type::Named { decl, .. } = ty {
            Some(*decl) == self.program.nat
        } else if matches!(
            ty,
            Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Param(_)
                | Type::Error
        ) {
            false
        } else {
            ty.parts().into_iter().all(|part| self.is_plain(part))
        }
    }

    /// Returns the samples that parts are taken from.
    fn parts(&mut self, ty: &Type, depth: u32) -> Vec<Value> {
        let mut parts = depth
            .checked_sub(1)
            .map_or_else(Vec::new, |inner| self.values(ty, inner));
        parts.truncate(PARTS);
        parts
    }

    /// Returns collections with no element, one element, two different elements, and the same
    /// element twice.
    fn collected(
        &mut self,
        elem: &Type,
        depth: u32,
        make: impl Fn(&[Value]) -> Value,
        is_ordered: bool,
    ) -> Vec<Value> {
        let elems = self.parts(elem, depth);
        // Small collections in increasing size: empty, one element, two different and two equal
        // ones.
        let mut all = vec![make(&[])];
        all.extend(elems.iter().map(|e| make(std::slice::from_ref(e))));
        if let [a, b, ..] = elems.as_slice() {
            all.push(make(&[a.clone(), b.clone()]));
            all.extend(is_ordered.then(|| make(&[b.clone(), a.clone()])));
        }
        all.extend(elems.first().map(|a| make(&[a.clone(), a.clone()])));
        all.extend((elems.len() > 2).then(|| make(&elems)));
        distinct(all)
    }

    fn maps(&mut self, key: &Type, value: &Type, depth: u32) -> Vec<Value> {
        let (keys, values) = (self.parts(key, depth), self.parts(value, depth));
        let mut all = vec![Value::map([])];
        all.extend(
            keys.first()
                .into_iter()
                .flat_map(|k| values.iter().map(|v| Value::map([(k.clone(), v.clone())]))),
        );
        all.extend(
            keys.iter()
                .skip(1)
                .filter_map(|k| Some(Value::map([(k.clone(), values.first()?.clone())]))),
        );
        all.push(Value::map(
            keys.iter().cloned().zip(values.iter().cycle().cloned()),
        ));
        distinct(all)
    }

    fn constructed(&mut self, ctor: CtorId, fields: &[Type], depth: u32) -> Vec<Value> {
        let inner = if fields.is_empty() {
            Some(depth)
        } else {
            depth.checked_sub(1)
        };
        let rows = inner.map_or_else(Vec::new, |inner| self.rows(fields, inner));
        rows.into_iter()
            .map(|row| Value::datatype(ctor, row))
            .collect()
    }

    /// Returns rows of one value for each type: the first of each, then each varied alone, then
    /// rows of distinct values.
    fn rows(&mut self, types: &[Type], depth: u32) -> Vec<Vec<Value>> {
        let columns: Vec<Vec<Value>> = types.iter().map(|t| self.values(t, depth)).collect();
        distinct(dtest_value::rows(&columns))
    }

    /// Returns the existing objects and arrays of a type, if all of their fields have values.
    /// Others may be under construction.
    fn references(&self, ty: &Type, nullable: bool) -> Vec<Value> {
        let there = (0..)
            .zip(self.heap.iter())
            .filter(|(_, cell)| self.is_of(&cell.ty, ty) && self.is_whole(cell));
        let there = there.map(|(id, _)| Value::Ref(ObjectId(id)));
        nullable
            .then_some(Value::Null)
            .into_iter()
            .chain(there)
            .take(MOST)
            .collect()
    }

    fn is_whole(&self, cell: &Cell) -> bool {
        let Type::Named { decl, .. } = &cell.ty else {
            return true;
        };
        // Fields of extended traits belong to the object as well.
        let ancestors = self.program.ancestors(*decl);
        let types = std::iter::once(*decl).chain(ancestors.iter().map(|(t, _)| *t));
        let mut fields = types.flat_map(|t| &self.program[t].fields).filter(|f| {
            let field = &self.program[**f];
            !field.is_static && matches!(field.kind, FieldKind::Mutable | FieldKind::Const(None))
        });
        fields.all(|f| {
            cell.field(*f)
                .is_some_and(|word| !matches!(word, Word::Unset))
        })
    }

    /// Whether objects with the dynamic type `own` belong to the reference type `wanted`.
    fn is_of(&self, own: &Type, wanted: &Type) -> bool {
        match (own, wanted) {
            (_, Type::Object { .. }) => true,
            (
                Type::Array { dims, elem, .. },
                Type::Array {
                    dims: wanted_dims,
                    elem: wanted_elem,
                    ..
                },
            ) => (dims, elem) == (wanted_dims, wanted_elem),
            (_, Type::Named { decl, args, .. }) => {
                supertype_args(self.program, own, *decl).as_ref() == Some(args)
            }
            (_, _) => false,
        }
    }
}

/// Returns the smallest bitvectors and the largest.
fn bits(width: u32) -> Vec<Value> {
    let all = (BigUint::from(1u32) << width) - 1u32;
    let small = [0u32, 1, 2]
        .into_iter()
        .map(BigUint::from)
        .filter(|n| *n < all);
    small
        .chain([all.clone()])
        .map(|bits| Value::Bv { width, bits })
        .collect()
}

/// Interleaves lists: the first elements of all lists, then the second ones, and so on.
fn in_turn(lists: &[Vec<Value>]) -> Vec<Value> {
    let most = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..most)
        .flat_map(|i| lists.iter().filter_map(move |list| list.get(i).cloned()))
        .collect()
}

/// Removes repeated elements.
fn distinct<T: Ord + Clone>(mut all: Vec<T>) -> Vec<T> {
    let mut seen = SortedSet::new();
    all.retain(|v| seen.insert(v.clone()));
    all
}
