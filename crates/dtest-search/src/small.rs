//! Bounded-exhaustive enumeration of small inputs, as in Korat (Boyapati, Khurshid, Marinov,
//! *Korat: Automated Testing Based on Java Predicates*, ISSTA 2002).
//!
//! The size of a value is the number of its constructors and elements; numbers are a few small ones
//! and have size 0. Values of a parameter that its type or a precondition about it alone excludes
//! are dropped before they are combined with those of other parameters: few trees satisfy an
//! invariant. [`Enumeration::of_size`] yields inputs in ascending order of size; `Lister` lists the
//! values of a type.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::constants::{Constants, Reach};
use super::seeds::Maker;
use super::shrink;
use dafny_resolve::typed::{
    CallableId, CallableKind, CtorId, Program, Substitution, Type, TypeDeclKind,
};
use dtest_interp::{Inputs, Interp};
use dtest_ir::{self as ir, Procedure, ctors_of};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Elements, Heap, Object, ObjectId, Value};

/// Maximum size of a value.
pub(super) const MAX_SIZE: u32 = 4;
/// Maximum number of values of one type and size. If there are more, fewer numbers are used.
const MAX_VALUES: usize = 4_096;
/// Maximum number of values of one parameter that its preconditions allow.
const MAX_ALLOWED: usize = 512;
/// Maximum number of values of a type that is not enumerated.
const MAX_OTHERS: usize = 6;
/// The integers in values, in the order of preference.
const INTEGERS: [i64; 5] = [0, 1, 2, -1, 3];
/// Minimum number of these integers.
const MIN_INTEGERS: usize = 3;

/// Enumerates the small inputs of a unit that the types and the preconditions about single
/// parameters allow, by size.
pub(super) struct Enumeration<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    procedure: &'a Procedure,
    type_args: &'a [Type],
    /// The types of the parameters; `None` if the values are not enumerated.
    types: Vec<Option<Type>>,
    /// The values of each parameter, up to the last size.
    columns: Vec<Vec<Sized>>,
}

impl<'a, 'p> Enumeration<'a, 'p> {
    /// Prepares the enumeration. `None` if a parameter has no values.
    pub(super) fn new(
        program: &'a ir::Program,
        interp: &'a Interp<'p>,
        procedure: &'a Procedure,
        type_args: &'a [Type],
    ) -> Option<Self> {
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        // Types that are not enumerated get a few seeds instead.
        let constants = Constants::of(program, procedure, Reach::NEAR);
        let is_constructor = program.typed[procedure.callable].kind == CallableKind::Constructor;
        let (mut types, mut columns) = (Vec::new(), Vec::new());
        for (i, p) in procedure.params.iter().enumerate() {
            let ty = procedure.vars.get(p.0 as usize)?.ty.subst(&subst);
            let is_blank = i == 0 && is_constructor;
            if !is_blank && is_enumerated(program, interp, &ty) {
                types.push(Some(ty));
                columns.push(Vec::new());
                continue;
            }
            // Each value has a heap of its own, which is merged into that of the inputs later.
            let mut heap = Heap::default();
            let values = match is_blank {
                true => vec![super::seeds::blank(&ty, &mut heap)],
                false => Maker::new(program, interp, &constants).values(&ty, 2, &mut heap),
            };
            let one = |value| Sized {
                size: 0,
                value,
                heap: heap.clone(),
            };
            let column: Vec<Sized> = values.into_iter().take(MAX_OTHERS).map(one).collect();
            if column.is_empty() {
                return None;
            }
            types.push(None);
            columns.push(column);
        }
        Some(Self {
            program,
            interp,
            procedure,
            type_args,
            types,
            columns,
        })
    }

    /// The inputs whose largest argument has the given size, the smallest first, at most `most`.
    /// Sizes must be requested in ascending order. `None` if there are too many values of that
    /// size. `afford` returns whether more checks may be executed.
    pub(super) fn of_size(
        &mut self,
        size: u32,
        most: usize,
        afford: &dyn Fn() -> bool,
    ) -> Option<Vec<Inputs>> {
        // Values of earlier sizes are in the columns already.
        for (at, ty) in self.types.clone().into_iter().enumerate() {
            let Some(ty) = ty else { continue };
            let of_size = listed(self.program, self.interp, &ty, size)?;
            let allowed = self.allowed(at, of_size, afford);
            self.columns.get_mut(at)?.extend(allowed);
        }
        // The Cartesian product of the columns, in the order of the sum of the sizes.
        let mut all: Vec<(u32, Vec<&Sized>)> = vec![(0, Vec::new())];
        for column in &self.columns {
            let longer = all.iter().flat_map(|(sum, row)| {
                column.iter().map(move |value| {
                    let row = row.iter().copied().chain([value]).collect();
                    (sum + value.size, row)
                })
            });
            // Only the smallest rows of a large product are kept.
            let mut next: Vec<(u32, Vec<&Sized>)> = longer.take(most.saturating_mul(16)).collect();
            next.sort_by_key(|(sum, _)| *sum);
            all = next;
        }
        // Only rows with a new value of this size are new.
        let is_new = |row: &[&Sized]| row.iter().map(|v| v.size).max().unwrap_or(0) == size;
        let new = all.into_iter().filter(|(_, row)| is_new(row)).take(most);
        Some(new.map(|(_, row)| self.assembled(&row)).collect())
    }

    fn assembled(&self, row: &[&Sized]) -> Inputs {
        let mut heap = Heap::default();
        let args = row.iter().map(|value| value.place(&mut heap)).collect();
        Inputs {
            type_args: self.type_args.to_vec(),
            args,
            heap,
            answers: Vec::new(),
        }
    }

    /// The values of a parameter that its type and every precondition about it alone allow.
    fn allowed(&self, at: usize, values: Vec<Sized>, afford: &dyn Fn() -> bool) -> Vec<Sized> {
        // Preconditions about a single parameter are checked before its values are combined with
        // others, which prunes the most.
        let Some(contract) = self.program.contracts.get(&self.procedure.callable) else {
            return Vec::new();
        };
        let others: Vec<_> = (0..)
            .zip(&contract.params)
            .filter(|(i, _)| *i != at)
            .map(|(_, p)| *p)
            .collect();
        // A clause is about this parameter alone if it mentions no other one.
        let alone: Vec<usize> = (0..)
            .zip(&contract.requires)
            .filter(|(_, clause)| !clause.cond.mentions(&others))
            .map(|(i, _)| i)
            .collect();
        // The other parameters get an arbitrary value, which such a precondition does not mention.
        let mut samples: Vec<Option<Sized>> = Vec::new();
        for (i, column) in self.columns.iter().enumerate() {
            let other = self
                .types
                .get(i)
                .and_then(Option::as_ref)
                .filter(|_| i != at);
            let small = || {
                listed(self.program, self.interp, other?, 0)?
                    .into_iter()
                    .next()
            };
            samples.push(column.first().cloned().or_else(small));
        }
        let is_allowed = |value: &Sized| {
            let row: Vec<&Sized> = (0..)
                .zip(&samples)
                .filter_map(|(i, sample)| {
                    if i == at {
                        Some(value)
                    } else {
                        sample.as_ref()
                    }
                })
                .collect();
            // Without samples for all other parameters, nothing can be checked here.
            if row.len() != samples.len() {
                return true;
            }
            let inputs = self.assembled(&row);
            let check = self.interp.check_inputs(self.procedure.callable, &inputs);
            let is_of_type = check.types.get(at).is_none_or(|c| !c.truth.is_false());
            // Unknown clauses keep the value: it is only a candidate.
            is_of_type
                && alone.iter().all(|i| {
                    let clause = check.requires.get(*i);
                    clause.is_none_or(|c| !c.truth.is_false())
                })
        };
        let affordable = values.into_iter().take_while(|_| afford());
        affordable.filter(is_allowed).take(MAX_ALLOWED).collect()
    }
}

/// A value with its objects and its size.
#[derive(Clone)]
struct Sized {
    size: u32,
    value: Value,
    heap: Heap,
}

impl Sized {
    /// Adds the value, with objects of its own, to a heap.
    fn place(&self, heap: &mut Heap) -> Value {
        let offset = heap.objects.len() as u32;
        let alone = Inputs {
            type_args: Vec::new(),
            args: vec![self.value.clone()],
            heap: self.heap.clone(),
            answers: Vec::new(),
        };
        let moved = shrink::renumbered(&alone, &|ObjectId(id)| Some(ObjectId(id + offset)));
        heap.objects.extend(moved.heap.objects);
        moved.args.into_iter().next().unwrap_or(Value::Null)
    }
}

/// Whether the values of a type are enumerated.
fn is_enumerated(program: &ir::Program, interp: &Interp<'_>, ty: &Type) -> bool {
    (0..=1).any(|size| listed(program, interp, ty, size).is_some_and(|all| !all.is_empty()))
}

/// The values of a type and size, with as many integers as the limit on values allows. `None` if
/// there are too many even so, or if the type is not enumerated.
fn listed(program: &ir::Program, interp: &Interp<'_>, ty: &Type, size: u32) -> Option<Vec<Sized>> {
    // As many integers as the limit on values allows.
    let values = (MIN_INTEGERS..=INTEGERS.len()).rev().find_map(|integers| {
        let lister = Lister {
            program: &program.typed,
            interp,
            integers,
        };
        lister.values(ty, size).ok()
    });
    let one = |(value, heap)| Sized { size, value, heap };
    Some(values??.into_iter().map(one).collect())
}

/// The error that a type has more values than the limit.
struct TooMany;

/// Values with their objects; `None` if the type is not enumerated.
type Listed = Result<Option<Vec<(Value, Heap)>>, TooMany>;

/// Lists the values of a size.
struct Lister<'a, 'p> {
    program: &'a Program,
    interp: &'a Interp<'p>,
    /// Number of integers that values are made of.
    integers: usize,
}

impl Lister<'_, '_> {
    /// All values of a type and size.
    fn values(&self, ty: &Type, size: u32) -> Listed {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.values_here(ty, size))
    }

    fn values_here(&self, ty: &Type, size: u32) -> Listed {
        let base = self.program.representation(ty);
        let values = match self.scalars(&base) {
            // Scalars have size 0.
            Some(all) if size == 0 => all.into_iter().map(|v| (v, Heap::default())).collect(),
            Some(_) => Vec::new(),
            None => match self.composites(&base, size)? {
                Some(all) => all,
                None => return Ok(None),
            },
        };
        // A subset type or newtype excludes values of its representation. Different rows can give
        // equal values, except for arrays, which are new objects.
        let mut seen = SortedSet::new();
        let is_constrained = base != *ty;
        let of_type = |(value, heap): &(Value, Heap)| {
            !is_constrained || !self.interp.value_has_type(value, ty, heap).is_false()
        };
        let mut values: Vec<(Value, Heap)> = values.into_iter().filter(of_type).collect();
        if !matches!(base, Type::Array { .. }) {
            values.retain(|(value, _)| seen.insert(value.clone()));
        }
        match values.len() > MAX_VALUES {
            true => Err(TooMany),
            false => Ok(Some(values)),
        }
    }

    /// The values of a type whose values have no parts. `None` for other types.
    fn scalars(&self, base: &Type) -> Option<Vec<Value>> {
        let integers = INTEGERS.iter().take(self.integers);
        Some(match base {
            Type::Bool => [false, true].map(Value::Bool).to_vec(),
            Type::Char => ['a', 'b'].map(|c| Value::Char(c as u32)).to_vec(),
            Type::Int => integers.map(|n| Value::int(*n)).collect(),
            Type::Real => {
                let real = |n: &i64| Value::Real(BigRational::from(BigInt::from(*n)));
                integers.map(real).collect()
            }
            Type::Bv(width) => {
                let all = (BigUint::from(1u32) << *width) - 1u32;
                let few = [0u32, 1, 2]
                    .map(BigUint::from)
                    .into_iter()
                    .filter(|n| *n < all);
                let value = |bits| Value::Bv {
                    width: *width,
                    bits,
                };
                few.chain([all.clone()]).map(value).collect()
            }
            Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => return None,
        })
    }

    /// The values of a size whose parts are listed in turn.
    fn composites(&self, base: &Type, size: u32) -> Listed {
        Ok(Some(match base {
            Type::Tuple(parts) => {
                let types: Vec<Type> = parts.iter().map(|(_, t)| t.clone()).collect();
                let Some(all) = self.rows(&types, size)? else {
                    return Ok(None);
                };
                all.into_iter()
                    .map(|row| (Value::tuple(row), Heap::default()))
                    .collect()
            }
            Type::Seq(elem) => {
                let Some(all) = self.sequences(elem, size)? else {
                    return Ok(None);
                };
                all.into_iter()
                    .map(|row| (Value::seq(row), Heap::default()))
                    .collect()
            }
            Type::Set { elem, .. } => {
                let Some(all) = self.sequences(elem, size)? else {
                    return Ok(None);
                };
                // A set is listed once, as its sorted sequence without repetitions.
                let sorted = all.into_iter().filter(|row| row.is_sorted_by(|a, b| a < b));
                sorted
                    .map(|row| (Value::set(row), Heap::default()))
                    .collect()
            }
            Type::Multiset(elem) => {
                let Some(all) = self.sequences(elem, size)? else {
                    return Ok(None);
                };
                // A multiset is listed once, as its sorted sequence.
                let sorted = all.into_iter().filter(|row| row.is_sorted());
                sorted
                    .map(|row| (Value::multiset(row), Heap::default()))
                    .collect()
            }
            Type::Map { key, value, .. } => return self.maps(key, value, size),
            // Only arrays of one dimension are enumerated.
            Type::Array {
                dims: 1,
                nullable,
                elem,
            } => {
                let Some(all) = self.sequences(elem, size)? else {
                    return Ok(None);
                };
                let array = |row: Vec<Value>| {
                    let ty = Type::Array {
                        dims: 1,
                        nullable: false,
                        elem: elem.clone(),
                    };
                    let elements = Elements::row(row.into_iter().map(Some).collect());
                    let object = Object::new(ty, Contents::Elements(elements));
                    let heap = Heap {
                        objects: vec![object],
                    };
                    (Value::Ref(ObjectId(0)), heap)
                };
                let null = (*nullable && size == 0).then(|| (Value::Null, Heap::default()));
                null.into_iter().chain(all.into_iter().map(array)).collect()
            }
            Type::Named { decl, args, .. } => {
                // Codatatypes have infinite values, and classes are made by calls instead.
                if !matches!(
                    self.program[*decl].kind,
                    TypeDeclKind::Datatype { co: false, .. }
                ) {
                    return Ok(None);
                }
                let subst = self.program.substitution(*decl, args);
                let mut all = Vec::new();
                for ctor in ctors_of(self.program, *decl) {
                    let Some(of_ctor) = self.constructed(*ctor, &subst, size)? else {
                        return Ok(None);
                    };
                    all.extend(of_ctor);
                    if all.len() > MAX_VALUES {
                        return Err(TooMany);
                    }
                }
                all
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => return Ok(None),
        }))
    }

    fn maps(&self, key: &Type, value: &Type, size: u32) -> Listed {
        let pair = Type::Tuple(vec![(false, key.clone()), (false, value.clone())]);
        let Some(all) = self.sequences(&pair, size)? else {
            return Ok(None);
        };
        let maps = all.into_iter().filter_map(ascending_map);
        Ok(Some(maps.map(|map| (map, Heap::default())).collect()))
    }

    /// The values of a constructor. A constructor with arguments adds 1 to the size.
    fn constructed(&self, ctor: CtorId, subst: &Substitution, size: u32) -> Listed {
        let types: Vec<Type> = self.program[ctor]
            .fields
            .iter()
            .map(|f| self.program[*f].ty.subst(subst))
            .collect();
        // The constructor itself uses up one unit of size.
        let Some(left) = size.checked_sub(u32::from(!types.is_empty())) else {
            return Ok(Some(Vec::new()));
        };
        let Some(all) = self.rows(&types, left)? else {
            return Ok(None);
        };
        let value = |row| (Value::datatype(ctor, row), Heap::default());
        Ok(Some(all.into_iter().map(value).collect()))
    }

    /// The rows of values of these types whose sizes have the given sum. `None` if a value has
    /// objects, which cannot be within other values here.
    fn rows(&self, types: &[Type], size: u32) -> Result<Option<Vec<Vec<Value>>>, TooMany> {
        let Some((first, rest)) = types.split_first() else {
            return Ok(Some(if size == 0 {
                vec![Vec::new()]
            } else {
                Vec::new()
            }));
        };
        let mut all = Vec::new();
        // Distributes the size over the first type and the rest.
        for own in 0..=size {
            let Some(heads) = self.values(first, own)? else {
                return Ok(None);
            };
            if heads.is_empty() {
                continue;
            }
            if heads.iter().any(|(_, heap)| !heap.objects.is_empty()) {
                return Ok(None);
            }
            let Some(tails) = self.rows(rest, size - own)? else {
                return Ok(None);
            };
            // The limit is checked before the rows are made.
            if heads.len().saturating_mul(tails.len()) + all.len() > MAX_VALUES {
                return Err(TooMany);
            }
            let heads: Vec<Value> = heads.into_iter().map(|(value, _)| value).collect();
            let longer = heads.iter().flat_map(|head| {
                tails
                    .iter()
                    .map(move |tail| std::iter::once(head).chain(tail).cloned().collect())
            });
            all.extend(longer);
        }
        Ok(Some(all))
    }

    /// The sequences of a size. Each element adds 1 to its own size.
    fn sequences(&self, elem: &Type, size: u32) -> Result<Option<Vec<Vec<Value>>>, TooMany> {
        let mut all = Vec::new();
        for length in 0..=size {
            let types = vec![elem.clone(); length as usize];
            let Some(rows) = self.rows(&types, size - length)? else {
                return Ok(None);
            };
            all.extend(rows);
            if all.len() > MAX_VALUES {
                return Err(TooMany);
            }
        }
        Ok(Some(all))
    }
}

/// Returns the map with these pairs. `None` unless their keys ascend, so that each map is listed
/// once.
pub(super) fn ascending_map(row: Vec<Value>) -> Option<Value> {
    let pair = |pair: Value| {
        let Value::Tuple(parts) = pair else {
            return None;
        };
        Some((parts.first()?.clone(), parts.get(1)?.clone()))
    };
    let pairs: Vec<(Value, Value)> = row.into_iter().map(pair).collect::<Option<_>>()?;
    let is_ascending = pairs.is_sorted_by(|(a, _), (b, _)| a < b);
    is_ascending.then(|| Value::map(pairs))
}

/// Small inputs of a unit, in ascending order of size, at most `most` of each size; all of them if
/// there are no more.
pub fn inputs(
    program: &ir::Program,
    interp: &Interp<'_>,
    unit: CallableId,
    most: usize,
) -> Vec<Inputs> {
    inputs_within(program, interp, unit, most, &|| true)
}

/// The same, as long as `afford` returns that more conditions may be executed.
pub fn inputs_within(
    program: &ir::Program,
    interp: &Interp<'_>,
    unit: CallableId,
    most: usize,
    afford: &dyn Fn() -> bool,
) -> Vec<Inputs> {
    let (Some(procedure), Ok(type_args)) = (
        program.procedures.get(&unit),
        super::type_arguments(program, unit),
    ) else {
        return Vec::new();
    };
    let Some(mut all) = Enumeration::new(program, interp, procedure, &type_args) else {
        return Vec::new();
    };
    (0..=MAX_SIZE)
        .map_while(|size| all.of_size(size, most, afford))
        .flatten()
        .collect()
}
