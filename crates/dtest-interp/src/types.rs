//! Values and types: shape tests with the constraints to check, dynamic types, default values,
//! enumeration of finite types.
//!
//! Key functions: [`obligations`], [`default_value`], [`all_values`], [`overriding`].

use std::rc::Rc;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use super::heap::{State, Words};
use super::in_place::Constraints;
use dafny_resolve::typed::{
    self, ArrowKind, CallableId, Program, Type, TypeDeclKind, TypeId, Witness,
};
use dtest_value::{FunctionValue, LazyValue, ObjectId, Thunk, Value};

/// A constraint of a subset type or newtype that a value must satisfy.
#[derive(Debug)]
pub(super) struct Obligation {
    pub(super) decl: TypeId,
    pub(super) type_args: Rc<[Type]>,
    pub(super) value: Value,
}

/// The result of a test of the shape of a value.
pub(super) struct Shape {
    /// The constraints that remain to be checked, inner ones first; `None` if the shape is wrong or
    /// a constraint is violated.
    pub(super) constraints: Option<Vec<Obligation>>,
    /// The number of values that were examined: the cost of the test.
    pub(super) examined: usize,
}

/// Checks the shape of a value against a type, and the constraints that need no call.
pub(super) fn obligations(
    program: &Program,
    constraints: Constraints<'_>,
    heap: &State,
    value: Value,
    ty: &Type,
) -> Shape {
    let mut found = Vec::new();
    let mut work = vec![(value, ty.clone())];
    let mut examined = 0;
    let mut is_value = true;
    while is_value && let Some((value, ty)) = work.pop() {
        examined += 1;
        is_value = shape(program, constraints, heap, value, ty, &mut work, &mut found);
    }
    found.reverse();
    Shape {
        constraints: is_value.then_some(found),
        examined,
    }
}

/// The elements of a sequence, each run of the same value once: a long sequence often consists of
/// few runs.
fn distinct(items: &[Value]) -> impl Iterator<Item = &Value> {
    let before = std::iter::once(None).chain(items.iter().map(Some));
    let pairs = items.iter().zip(before);
    pairs.filter_map(|(item, before)| {
        let is_repeated = before.is_some_and(|before| is_same(before, item));
        (!is_repeated).then_some(item)
    })
}

/// Whether two values are the same at a glance: equal scalars, or shared compound values.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Char(a), Value::Char(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bv { width: m, bits: a }, Value::Bv { width: n, bits: b }) => m == n && a == b,
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Datatype(a), Value::Datatype(b)) => Arc::ptr_eq(a, b),
        (Value::Ref(a), Value::Ref(b)) => a == b,
        (Value::Null, Value::Null) => true,
        (
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Seq(_)
            | Value::Set(_)
            | Value::Multiset(_),
            _,
        )
        | (
            Value::Map(_)
            | Value::Tuple(_)
            | Value::Datatype(_)
            | Value::Null
            | Value::Ref(_)
            | Value::Function(_)
            | Value::Newtype(_)
            | Value::Lazy(_),
            _,
        ) => false,
    }
}

fn shape(
    program: &Program,
    constraints: Constraints<'_>,
    heap: &State,
    value: Value,
    ty: Type,
    work: &mut Vec<(Value, Type)>,
    found: &mut Vec<Obligation>,
) -> bool {
    match (value, ty) {
        // A lazy value has its declared type.
        (_, Type::Param(_) | Type::Error) | (Value::Lazy(_), _) => true,
        (Value::Bool(_), Type::Bool)
        | (Value::Int(_), Type::Int)
        | (Value::Real(_), Type::Real) => true,
        (Value::Char(c), Type::Char) => {
            if program.options.unicode_char {
                char::from_u32(c).is_some()
            } else {
                c <= 0xFFFF
            }
        }
        (Value::Bv { width, bits }, Type::Bv(n)) => width == n && bits.bits() <= u64::from(n),
        (Value::Ordinal(_), Type::Ordinal) => true,
        (Value::Seq(items), Type::Seq(elem)) => {
            work.extend(distinct(&items).map(|v| (v.clone(), (*elem).clone())));
            true
        }
        (Value::Set(items), Type::Set { elem, .. }) => {
            work.extend(items.iter().map(|v| (v.clone(), (*elem).clone())));
            true
        }
        (Value::Multiset(items), Type::Multiset(elem)) => {
            work.extend(items.keys().map(|v| (v.clone(), (*elem).clone())));
            items.values().all(|n| !n.is_zero())
        }
        (Value::Map(pairs), Type::Map { key, value, .. }) => {
            for (k, v) in pairs.iter() {
                work.push((k.clone(), (*key).clone()));
                work.push((v.clone(), (*value).clone()));
            }
            true
        }
        (Value::Tuple(items), Type::Tuple(kinds)) => {
            work.extend(
                items
                    .iter()
                    .cloned()
                    .zip(kinds.iter().map(|(_, t)| t.clone())),
            );
            items.len() == kinds.len()
        }
        (Value::Function(f), Type::Arrow { params, result, .. }) => {
            function_shape(&f, &params, &result, work)
        }
        (
            Value::Null,
            Type::Arrow {
                kind: ArrowKind::Partial | ArrowKind::General,
                ..
            },
        ) => true,
        (Value::Null, Type::Array { nullable, .. } | Type::Object { nullable }) => nullable,
        (Value::Ref(id), ty @ (Type::Array { .. } | Type::Object { .. })) => {
            is_instance(program, heap, id, &ty)
        }
        (Value::Newtype(n), ty @ Type::Named { .. }) if newtype_under(program, &ty).is_some() => {
            if newtype_under(program, &ty) != Some(n.decl) {
                return false;
            }
            work.push((n.value.clone(), ty));
            true
        }
        (
            value,
            Type::Named {
                decl,
                args,
                nullable,
            },
        ) => match &program[decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                // The other constraints are evaluated later, since they need the machine.
                let decided = constraints.decide(decl, &value);
                if decided.is_none() {
                    found.push(Obligation {
                        decl,
                        type_args: Rc::from(args.as_slice()),
                        value: value.clone(),
                    });
                }
                work.push((value, c.base.subst(&program.substitution(decl, &args))));
                decided != Some(false)
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => {
                named_shape(program, heap, value, (decl, args, nullable), work)
            }
        },
        (
            _,
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
            | Type::Object { .. },
        ) => false,
    }
}

/// Whether a value has the shape of a named type without a constraint. Its parts remain to be checked.
fn named_shape(
    program: &Program,
    heap: &State,
    value: Value,
    (decl, args, nullable): (TypeId, Vec<Type>, bool),
    work: &mut Vec<(Value, Type)>,
) -> bool {
    match (&program[decl].kind, value) {
        // The fields must belong to their declared types.
        (TypeDeclKind::Datatype { .. }, Value::Datatype(d)) => {
            let ctor = &program[d.ctor];
            let map = program.substitution(decl, &args);
            work.extend(
                d.args
                    .iter()
                    .cloned()
                    .zip(ctor.fields.iter().map(|f| program[*f].ty.subst(&map))),
            );
            ctor.datatype == decl && ctor.fields.len() == d.args.len()
        }
        (TypeDeclKind::Abstract, _) => true,
        (
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_),
            Value::Null,
        ) => nullable,
        (
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_),
            Value::Ref(id),
        ) => is_instance(
            program,
            heap,
            id,
            &Type::Named {
                decl,
                args,
                nullable,
            },
        ),
        // A trait that is no reference type may have values other than objects.
        (
            TypeDeclKind::Trait {
                is_reference: false,
            },
            Value::Datatype(d),
        ) => {
            let own = Type::named(program[d.ctor].datatype, Vec::new());
            supertype_args(program, &own, decl).is_some()
        }
        (
            TypeDeclKind::Trait {
                is_reference: false,
            },
            Value::Newtype(n),
        ) => {
            let own = n.ty();
            let extends = supertype_args(program, &own, decl).is_some();
            work.push((n.value.clone(), own));
            extends
        }
        // A bare value of a newtype, which is not converted to the trait yet.
        (
            TypeDeclKind::Trait {
                is_reference: false,
            },
            _,
        ) => true,
        (
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_),
            _,
        ) => false,
    }
}

/// Whether the entries of a function have the right number of arguments; their types remain to be
/// checked. Functions of inputs are tables or templates.
fn function_shape(
    f: &FunctionValue,
    params: &[Type],
    result: &Type,
    work: &mut Vec<(Value, Type)>,
) -> bool {
    let (f, exceptions) = match f {
        FunctionValue::Partial {
            function,
            exceptions,
            ..
        } => (&**function, exceptions.as_slice()),
        total @ (FunctionValue::Table { .. } | FunctionValue::Template(_)) => (total, &[][..]),
        total @ (FunctionValue::Closure { .. } | FunctionValue::Named { .. }) => (total, &[][..]),
    };
    for args in exceptions {
        if args.len() != params.len() {
            return false;
        }
        work.extend(args.iter().cloned().zip(params.iter().cloned()));
    }
    if let FunctionValue::Table { entries, default } = f {
        for (args, r) in entries {
            if args.len() != params.len() {
                return false;
            }
            work.extend(args.iter().cloned().zip(params.iter().cloned()));
            work.push((r.clone(), result.clone()));
        }
        work.push((default.clone(), result.clone()));
    }
    true
}

fn is_instance(program: &Program, heap: &State, id: ObjectId, ty: &Type) -> bool {
    let Some(cell) = heap.get(id.0 as usize) else {
        return false;
    };
    match (ty, &cell.contents) {
        (Type::Object { .. }, _) => true,
        (Type::Array { .. }, Words::Elements(_)) | (Type::Named { .. }, Words::Fields(_)) => {
            program.is_instance(&cell.ty, ty)
        }
        (_, _) => false,
    }
}

/// Returns the newtype that a newtype or subset type is based on.
fn newtype_under(program: &Program, ty: &Type) -> Option<TypeId> {
    match program.strip_subset(ty) {
        Type::Named { decl, .. } if matches!(program[decl].kind, TypeDeclKind::Newtype(_)) => {
            Some(decl)
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
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}

/// Returns the type arguments of the supertype `decl` of a declared type or of the newtype that it
/// is based on; `None` if it is no supertype.
pub(super) fn supertype_args(program: &Program, ty: &Type, decl: TypeId) -> Option<Vec<Type>> {
    let mut work = vec![ty.clone()];
    while let Some(ty) = work.pop() {
        let Type::Named {
            decl: own, args, ..
        } = ty
        else {
            continue;
        };
        if own == decl {
            return Some(args);
        }
        let map = program.substitution(own, &args);
        // The newtype's base and the parents of a type may extend the trait.
        work.extend(program.newtype_base(own).map(|base| base.subst(&map)));
        work.extend(program[own].parents.iter().map(|p| p.subst(&map)));
    }
    None
}

/// Returns the declaration that a call of a trait's member runs for receivers of type `decl`.
pub(super) fn overriding(program: &Program, decl: TypeId, callee: CallableId) -> CallableId {
    let mut work = vec![decl];
    while let Some(decl) = work.pop() {
        if let Some(c) = program[decl]
            .callables
            .iter()
            .find(|c| overrides(program, **c, callee))
        {
            return *c;
        }
        let parents = program[decl].parents.iter().rev();
        work.extend(parents.filter_map(|p| {
            if let Type::Named { decl, .. } = p {
                Some(*decl)
            } else {
                None
            }
        }));
        // A newtype inherits the members of the newtype that it is based on.
        work.extend(program.newtype_base(decl).and_then(|base| {
            if let Type::Named { decl, .. } = base {
                Some(decl)
            } else {
                None
            }
        }));
    }
    callee
}

fn overrides(program: &Program, c: CallableId, callee: CallableId) -> bool {
    let mut work = program[c].overrides.clone();
    while let Some(o) = work.pop() {
        if o == callee {
            return true;
        }
        work.extend(program[o].overrides.iter().copied());
    }
    false
}

/// The evaluation of witnesses and constraints for [`default_value`].
pub(super) trait Evaluate {
    /// Returns the value of a witness.
    fn witness(&self, decl: TypeId, args: &[Type]) -> Option<Value>;
    /// Whether a value is not known to violate its type.
    fn admits(&self, value: &Value, ty: &Type) -> bool;
    /// Whether an opaque value may be used for an abstract type.
    fn makes_up_abstract_values(&self) -> bool;
}

/// Returns the simplest value of a type.
pub(super) fn default_value(program: &Program, cx: &dyn Evaluate, ty: &Type) -> Option<Value> {
    Defaults {
        program,
        cx,
        open: Vec::new(),
        guarded: false,
    }
    .default_of(ty)
}

struct Defaults<'a> {
    program: &'a Program,
    cx: &'a dyn Evaluate,
    /// The datatypes under construction, with the size of their type arguments. A value of a
    /// datatype must not need a value of the same datatype, unless its type arguments are smaller.
    open: Vec<(TypeId, usize)>,
    /// Whether the value is inside a lazy argument of a codatatype: then values of the codatatypes
    /// under construction exist.
    guarded: bool,
}

impl Defaults<'_> {
    fn default_of(&mut self, ty: &Type) -> Option<Value> {
        match ty {
            Type::Bool => Some(Value::Bool(false)),
            Type::Char => Some(Value::Char('D' as u32)),
            Type::Int => Some(Value::int(0)),
            Type::Real => Some(Value::Real(BigRational::zero())),
            Type::Bv(width) => Some(Value::Bv {
                width: *width,
                bits: BigUint::zero(),
            }),
            Type::Ordinal => Some(Value::Ordinal(BigUint::zero())),
            Type::Seq(_) => Some(Value::seq([])),
            Type::Set { .. } => Some(Value::set([])),
            Type::Multiset(_) => Some(Value::multiset([])),
            Type::Map { .. } => Some(Value::map([])),
            Type::Tuple(kinds) => kinds
                .iter()
                .map(|(_, t)| self.default_of(t))
                .collect::<Option<Vec<_>>>()
                .map(Value::tuple),
            // Such a function must not be applied before it is assigned.
            Type::Arrow {
                kind: ArrowKind::Partial | ArrowKind::General,
                ..
            } => Some(Value::Null),
            Type::Arrow {
                result,
                kind: ArrowKind::Total,
                ..
            } => {
                let default = self.default_of(result)?;
                Some(Value::Function(Arc::new(FunctionValue::Table {
                    entries: Vec::new(),
                    default,
                })))
            }
            Type::Array { nullable, .. } | Type::Object { nullable } => {
                nullable.then_some(Value::Null)
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => self.declared(ty, *decl, args, *nullable),
            Type::Param(_) | Type::Error => None,
        }
    }

    /// Returns an argument of a codatatype's constructor: lazy if it contains the value under
    /// construction.
    fn lazily(&mut self, ty: &Type) -> Option<Value> {
        self.default_of(ty).or_else(|| {
            let outside = std::mem::replace(&mut self.guarded, true);
            let exists = self.default_of(ty).is_some();
            self.guarded = outside;
            exists.then(|| Value::Lazy(Arc::new(LazyValue::new(Thunk::Default(ty.clone())))))
        })
    }

    fn declared(
        &mut self,
        ty: &Type,
        decl: TypeId,
        args: &[Type],
        nullable: bool,
    ) -> Option<Value> {
        match &self.program[decl].kind {
            TypeDeclKind::Datatype { co, .. } => {
                let size = args.iter().map(size_of).sum();
                if self.open.iter().any(|(d, n)| *d == decl && size >= *n) {
                    // Here only the existence of a value matters.
                    return (*co && self.guarded).then_some(Value::Null);
                }
                self.open.push((decl, size));
                let map = self.program.substitution(decl, args);
                let fields = |c: &typed::CtorId| {
                    self.program[*c]
                        .fields
                        .iter()
                        .map(|f| self.program[*f].ty.subst(&map))
                        .collect()
                };
                let made = self.program.grounding_ctors(decl).iter().find_map(|c| {
                    let fields: Vec<Type> = fields(c);
                    let values: Option<Vec<Value>> = fields
                        .iter()
                        .map(|t| {
                            if *co {
                                self.lazily(t)
                            } else {
                                self.default_of(t)
                            }
                        })
                        .collect();
                    values.map(|values| Value::datatype(*c, values))
                });
                self.open.pop();
                made
            }
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => match &c.witness {
                Witness::Compiled(_) | Witness::Ghost(_) => self.cx.witness(decl, args),
                Witness::Default | Witness::Opt => {
                    let value =
                        self.default_of(&c.base.subst(&self.program.substitution(decl, args)))?;
                    self.cx.admits(&value, ty).then_some(value)
                }
            },
            TypeDeclKind::Class | TypeDeclKind::Iterator(_) | TypeDeclKind::Trait { .. } => {
                nullable.then_some(Value::Null)
            }
            // Inputs of abstract types are opaque values too, so that the default is one of them.
            TypeDeclKind::Abstract => {
                let of_type = self.program.characteristics_of(ty);
                let has_value = of_type.auto_init || of_type.nonempty;
                (has_value
                    && self.program[decl].parents.is_empty()
                    && self.cx.makes_up_abstract_values())
                .then(|| Value::tuple([Value::int(0)]))
            }
        }
    }
}

/// Returns the number of types that a type consists of.
fn size_of(ty: &Type) -> usize {
    1 + ty.parts().map(size_of).sum::<usize>()
}

/// Returns all values of a finite type in ascending order if there are at most `max`. Constraints
/// are not checked.
pub(super) fn all_values(program: &Program, ty: &Type, max: usize) -> Option<Vec<Value>> {
    let mut values = values_of(program, ty, max, 0)?;
    values.sort();
    Some(values)
}

/// Returns the values of [`all_values`], unsorted. Nested types are followed to a bounded depth.
fn values_of(program: &Program, ty: &Type, max: usize, depth: u32) -> Option<Vec<Value>> {
    // Nested types are followed to a bounded depth; a recursive datatype has no finite
    // enumeration.
    if depth > 16 {
        return None;
    }
    let values = match ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Char if max < 70_000 => return None,
        Type::Char => {
            let all: Vec<u32> = if program.options.unicode_char {
                ('\0'..=char::MAX).map(|c| c as u32).collect()
            } else {
                (0..=0xFFFF).collect()
            };
            all.into_iter().map(Value::Char).collect()
        }
        Type::Bv(width) if *width < 32 && 1usize << width <= max => (0..1u32 << width)
            .map(|n| Value::Bv {
                width: *width,
                bits: n.into(),
            })
            .collect(),
        Type::Tuple(kinds) => {
            let kinds: Vec<Type> = kinds.iter().map(|(_, t)| t.clone()).collect();
            product(program, &kinds, max, depth)?
                .into_iter()
                .map(Value::tuple)
                .collect()
        }
        Type::Named { decl, args, .. } => values_of_named(program, *decl, args, max, depth)?,
        Type::Set { elem, .. } => {
            let elems = values_of(program, elem, max, depth + 1)?;
            if elems.len() > 12 {
                return None;
            }
            // Each bit of the mask selects an element.
            let subset = |mask: u32| {
                Value::set(
                    elems
                        .iter()
                        .enumerate()
                        .filter(|(i, _)| mask >> i & 1 == 1)
                        .map(|(_, e)| e.clone()),
                )
            };
            (0..1u32 << elems.len()).map(subset).collect()
        }
        Type::Bv(_)
        | Type::Int
        | Type::Real
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => return None,
    };
    (values.len() <= max).then_some(values)
}

/// Returns the values of a datatype, newtype or subset type.
fn values_of_named(
    program: &Program,
    decl: TypeId,
    args: &[Type],
    max: usize,
    depth: u32,
) -> Option<Vec<Value>> {
    let map = program.substitution(decl, args);
    Some(match &program[decl].kind {
        TypeDeclKind::Datatype { ctors, .. } => {
            let mut all = Vec::new();
            for c in ctors {
                let fields: Vec<Type> = program[*c]
                    .fields
                    .iter()
                    .map(|f| program[*f].ty.subst(&map))
                    .collect();
                all.extend(
                    product(program, &fields, max, depth)?
                        .into_iter()
                        .map(|args| Value::datatype(*c, args)),
                );
            }
            all
        }
        TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => match &c.range {
            Some((low, high)) => {
                let count = usize::try_from(high - low).ok().filter(|n| *n <= max)?;
                (0..count)
                    .map(|i| Value::Int(low + BigInt::from(i)))
                    .collect()
            }
            None => values_of(program, &c.base.subst(&map), max, depth + 1)?,
        },
        TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => return None,
    })
}

/// Returns all combinations of values of some types.
fn product(program: &Program, types: &[Type], max: usize, depth: u32) -> Option<Vec<Vec<Value>>> {
    let mut rows = vec![Vec::new()];
    for ty in types {
        let values = values_of(program, ty, max, depth + 1)?;
        if rows.len().saturating_mul(values.len()) > max {
            return None;
        }
        rows = rows
            .iter()
            .flat_map(|r: &Vec<Value>| {
                values
                    .iter()
                    .map(move |v| r.iter().chain([v]).cloned().collect())
            })
            .collect();
    }
    Some(rows)
}

/// Whether calls of a callable are dispatched on the receiver, because it belongs to a trait.
pub(super) fn dispatches(program: &Program, callee: CallableId) -> bool {
    let c = &program[callee];
    !c.is_static
        && c.owner
            .is_some_and(|t| matches!(program[t].kind, typed::TypeDeclKind::Trait { .. }))
}
