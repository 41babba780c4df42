//! Seeds: small inputs by type, without the solver. They are cheap first tests, and the fallback if
//! the unit cannot be encoded.
//!
//! [`seeds`] combines small values of each parameter; [`Maker`] makes the values of a type and is
//! used by many other stages.

use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use super::configured_inputs;
use super::constants::{Constants, MAX_SIZE, Reach};
use super::shrink::drop_garbage;
use super::steer::constrained::Steering;
use dafny_resolve::typed::{ArrowKind, CallableKind, FieldKind, Type, TypeDeclKind, TypeId};
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Inputs, Interp};
use dtest_ir::{self as ir, Procedure, ctors_of};
use dtest_sorted::SortedSet;
use dtest_value::{
    Contents, Elements, FunctionValue, Heap, Object, ObjectId, Template, Value, repeated, rows,
};

/// Maximum number of values of one type.
const MAX_VALUES: usize = 40;
/// Maximum number of types that `object` is instantiated with, and of datatypes and newtypes that a
/// trait is instantiated with.
const MAX_INSTANCES: usize = 8;

/// Maximum number of instructions of the check of one value, and of those of one constrained type.
/// Short values, which are cheap to check, come first.
const MAX_STEPS_OF_CHECK: u64 = 250_000;
const MAX_STEPS_OF_CHECKS: u64 = 400_000;

/// Number of objects of all seeds from which on only one of each class is made for a field.
const MAX_MADE: usize = 400;
/// Number of objects from which on an object of the same class is used again. Each class whose
/// fields need objects multiplies their number, so that a client of clients would have millions.
const MAX_DISTINCT: usize = 1_200;
/// Maximum number of values nested beyond their depth, each in another one.
const MAX_BEYOND: u32 = 6;
/// Maximum number of objects that all seeds have, including those that other seeds are made of.
const MAX_SHARED: usize = 60;

/// At most `count` inputs of a unit. Inputs of values that the user named come first, then inputs
/// with small arguments, then combinations in a fixed pseudo-random order.
pub(super) fn seeds(
    program: &ir::Program,
    interp: &Interp<'_>,
    procedure: &Procedure,
    type_args: &[Type],
    count: usize,
) -> Vec<Inputs> {
    inputs_of(program, interp, procedure, type_args, (count, false))
}

/// At most `count` inputs of a unit in which collections have lengths beyond the bounds, where the
/// program demands such lengths.
pub(super) fn long_seeds(
    program: &ir::Program,
    interp: &Interp<'_>,
    procedure: &Procedure,
    type_args: &[Type],
    count: usize,
) -> Vec<Inputs> {
    inputs_of(program, interp, procedure, type_args, (count, true))
}

fn inputs_of(
    program: &ir::Program,
    interp: &Interp<'_>,
    procedure: &Procedure,
    type_args: &[Type],
    (count, prefers_long): (usize, bool),
) -> Vec<Inputs> {
    let subst = procedure
        .type_params
        .iter()
        .copied()
        .zip(type_args.iter().cloned())
        .collect();
    let constants = Constants::of(program, procedure, Reach::NEAR);
    let mut maker = Maker::new(program, interp, &constants);
    let shortest = constants.lengths.first().filter(|_| prefers_long);
    if let Some(shortest) = shortest {
        maker.long_from = *shortest as usize;
    }
    let is_constructor = program.typed[procedure.callable].kind == CallableKind::Constructor;
    let (mut columns, mut named): (Vec<Vec<Value>>, Vec<Vec<Value>>) = (Vec::new(), Vec::new());
    let mut heap = Heap::default();
    // All parameters share one heap, of which each test keeps only what its arguments reach.
    for (i, p) in procedure.params.iter().enumerate() {
        let Some(info) = procedure.vars.get(p.0 as usize) else {
            return Vec::new();
        };
        let ty = info.ty.subst(&subst);
        let is_blank = i == 0 && is_constructor;
        let values = if is_blank {
            vec![blank(&ty, &mut heap)]
        } else {
            maker.values(&ty, 3, &mut heap)
        };
        if values.is_empty() {
            return Vec::new();
        }
        let long: Vec<Value> = match prefers_long {
            true => values
                .iter()
                .filter(|v| is_long(v, &heap, maker.long_from))
                .cloned()
                .collect(),
            false => Vec::new(),
        };
        let values = if long.is_empty() { values } else { long };
        // Columns of the values that the user named, if there are any.
        if !program.makers.is_empty() {
            let only = if is_blank {
                Vec::new()
            } else {
                configured_inputs::values(
                    program,
                    interp,
                    &ty,
                    configured_inputs::MAX_NESTING,
                    &mut heap,
                )
            };
            named.push(only);
        }
        columns.push(values);
    }
    let mut out = Vec::new();
    // Half of the inputs prefer values that the user named.
    if named.iter().any(|n| !n.is_empty()) {
        let narrow: Vec<Vec<Value>> = named
            .into_iter()
            .zip(&columns)
            .map(|(n, c)| if n.is_empty() { c.clone() } else { n })
            .collect();
        out.extend(combined(&narrow, count.div_ceil(2)));
    }
    out.extend(combined(&columns, count - out.len()));
    // Inputs with few objects are cleaned up only if they become tests.
    let is_large = heap.objects.len() > MAX_SHARED;
    let inputs = out.into_iter().map(|args| Inputs {
        type_args: type_args.to_vec(),
        args,
        heap: heap.clone(),
        answers: Vec::new(),
    });
    match is_large {
        true => inputs.map(drop_garbage).collect(),
        false => inputs.collect(),
    }
}

/// Whether a value has a sequence or array of at least `from` elements.
fn is_long(value: &Value, heap: &Heap, from: usize) -> bool {
    let length = |v: &Value| {
        if let Value::Seq(xs) = v {
            return xs.len();
        }
        let Value::Ref(id) = v else { return 0 };
        match heap.objects.get(id.0 as usize).map(|o| &o.contents) {
            Some(Contents::Elements(elements)) => elements.iter().count(),
            Some(Contents::Fields(_)) | None => 0,
        }
    };
    value.within().any(|v| length(v) >= from)
}

/// At most `count` combinations of one value of each column, without duplicates.
pub(super) fn combined(columns: &[Vec<Value>], count: usize) -> Vec<Vec<Value>> {
    // Combinations are drawn without repetition. The number of rounds is limited, because
    // repetitions become frequent towards the end.
    let mut picks: SortedSet<Vec<usize>> = SortedSet::new();
    let mut out = Vec::new();
    let mut random = Xorshift::new(Xorshift::START);
    let total = columns
        .iter()
        .fold(1usize, |n, c| n.saturating_mul(c.len()));
    for round in 0..count.saturating_mul(4) {
        if out.len() >= count || picks.len() >= total {
            break;
        }
        let pick: Vec<usize> = columns
            .iter()
            .enumerate()
            .map(|(i, c)| {
                if round < c.len() {
                    // First along the diagonal, with the columns shifted against each other.
                    (round + i * (round % 3)) % c.len()
                } else {
                    (random.next() % c.len() as u64) as usize
                }
            })
            .collect();
        if !picks.insert(pick.clone()) {
            continue;
        }
        let args: Option<Vec<Value>> = columns
            .iter()
            .zip(&pick)
            .map(|(c, i)| c.get(*i).cloned())
            .collect();
        out.extend(args);
    }
    out
}

/// Makes small values.
pub(super) struct Maker<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    constants: &'a Constants,
    /// Maximum nesting of makers whose results are arguments of each other.
    makers: u32,
    /// Number of values around this one that are nested beyond their depth.
    beyond: u32,
    /// The length from which on a sequence or array is long: an object of each class has such ones.
    long_from: usize,
    /// Classes without objects of a depth, at a nesting beyond it.
    without: FxHashSet<(Type, u32, u32)>,
    /// The values of types without references, by depth and nesting beyond it.
    plain_values: FxHashMap<(Type, u32, u32), Vec<Value>>,
    /// The constrained types whose values are searched by executions at the moment.
    open: Vec<Type>,
}

impl<'a, 'p> Maker<'a, 'p> {
    pub(super) fn new(
        program: &'a ir::Program,
        interp: &'a Interp<'p>,
        constants: &'a Constants,
    ) -> Self {
        Self {
            program,
            interp,
            constants,
            makers: configured_inputs::MAX_NESTING,
            beyond: 0,
            long_from: MAX_SIZE as usize,
            without: FxHashSet::default(),
            plain_values: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// A maker of arguments for configured makers, at most `makers` of them nested.
    pub(super) fn within(
        makers: u32,
        program: &'a ir::Program,
        interp: &'a Interp<'p>,
        constants: &'a Constants,
    ) -> Self {
        Self {
            program,
            interp,
            constants,
            makers,
            beyond: 0,
            long_from: MAX_SIZE as usize,
            without: FxHashSet::default(),
            plain_values: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// A maker of parts of values of the constrained types `open`, whose values are searched.
    pub(super) fn of_open(
        program: &'a ir::Program,
        interp: &'a Interp<'p>,
        constants: &'a Constants,
        open: &[Type],
    ) -> Self {
        Self {
            open: open.to_vec(),
            ..Self::new(program, interp, constants)
        }
    }

    /// Values of a concrete type: those that the user named, then the smallest first. Constraints
    /// of subset types and newtypes hold.
    pub(super) fn values(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        // Values without references depend on the type alone. Datatypes have the same types in many
        // fields, and the check of a long value is expensive.
        let key = (ty.clone(), depth, self.beyond);
        if let Some(known) = self.plain_values.get(&key) {
            return known.clone();
        }
        let values = self.fresh_values(ty, depth, heap);
        if self.program.typed.holds_no_references(ty) {
            self.plain_values.insert(key, values.clone());
        }
        values
    }

    /// The same for a type whose values are not known yet.
    fn fresh_values(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let typed = &self.program.typed;
        // Values that the user named come first.
        let mut out = configured_inputs::values(self.program, self.interp, ty, self.makers, heap);
        let is_constrained = |d: &dafny_resolve::typed::TypeId| {
            matches!(
                typed[*d].kind,
                TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)
            )
        };
        // The witness of a constrained type is often the only value that is easy to find.
        if matches!(ty, Type::Named { decl, .. } if is_constrained(decl)) {
            out.extend(self.interp.default_value(ty));
        }
        let rep = typed.representation(ty);
        out.extend(self.plain(&rep, depth, heap));
        let constrained = rep != *ty || !out.is_empty();
        // Values of the representation may violate the constraint.
        let mut seen = SortedSet::new();
        let end = self.interp.steps() + MAX_STEPS_OF_CHECKS;
        out.retain(|v| {
            let is_checked = || self.interp.steps() < end && self.may_be(v, ty, heap);
            seen.insert(v.clone()) && (!constrained || is_checked())
        });
        out.truncate(MAX_VALUES);
        // A type may have no value of this depth: without a witness, or with a required object.
        if out.is_empty() && depth == 0 && self.beyond < MAX_BEYOND {
            self.beyond += 1;
            out = self.plain(&rep, 1, heap);
            self.beyond -= 1;
            out.retain(|v| rep == *ty || self.may_be(v, ty, heap));
            out.truncate(1);
        }
        if out.is_empty() {
            out = self.steered(ty);
        }
        out
    }

    /// Values of a constrained type that no small value is one of: the checks of small values say
    /// how to change them.
    fn steered(&self, ty: &Type) -> Vec<Value> {
        if let Some(known) = self.interp.found_values(ty) {
            return known;
        }
        let Some(steering) = Steering::new(self.program, self.interp, ty, &self.open) else {
            return Vec::new();
        };
        let values = steering.values();
        // A search for the sake of another type lacks values of that type, so that its failure says
        // nothing about other searches.
        if self.open.is_empty() || !values.is_empty() {
            self.interp.keep_found_values(ty.clone(), values.clone());
        }
        values
    }

    /// Whether a value may have a type.
    fn may_be(&self, value: &Value, ty: &Type, heap: &Heap) -> bool {
        // The interpreter reads all of a heap, which values without references do not need.
        match self.program.typed.holds_no_references(ty) {
            true => {
                let truth = self
                    .interp
                    .value_has_type_within(value, ty, MAX_STEPS_OF_CHECK);
                // The check of a long value may take more than all executions of the unit.
                truth.is_some_and(|truth| !truth.is_false())
            }
            false => !self.interp.value_has_type(value, ty, heap).is_false(),
        }
    }

    fn plain(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let typed = &self.program.typed;
        let small = few(depth);
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Char => self.chars(),
            Type::Int => self.integers(),
            Type::Real => [(0, 1), (1, 1), (-1, 1), (1, 2), (5, 2)]
                .iter()
                .map(|(n, d)| Value::Real(BigRational::new(BigInt::from(*n), BigInt::from(*d))))
                .collect(),
            Type::Bv(w) => bitvectors(*w),
            Type::Ordinal => [0u32, 1, 2]
                .iter()
                .map(|n| Value::Ordinal((*n).into()))
                .collect(),
            Type::Seq(elem) => self.sequences(elem, depth, heap),
            Type::Set { elem, .. } => {
                let mut out = vec![Value::set([])];
                if depth > 0 {
                    let es = self.values(elem, depth - 1, heap);
                    out.extend(
                        (1..=3.min(es.len())).map(|n| Value::set(es.iter().take(n).cloned())),
                    );
                }
                out
            }
            Type::Multiset(elem) => {
                let mut out = vec![Value::multiset([])];
                if depth > 0 {
                    let es = self.values(elem, depth - 1, heap);
                    out.extend(
                        (1..=3.min(es.len())).map(|n| Value::multiset(es.iter().take(n).cloned())),
                    );
                    out.extend(es.first().map(|e| Value::multiset([e.clone(), e.clone()])));
                }
                out
            }
            Type::Map { key, value, .. } => self.maps(key, value, depth, heap),
            Type::Tuple(ts) => {
                let columns: Vec<Vec<Value>> = ts
                    .iter()
                    .map(|(_, t)| self.values(t, depth, heap))
                    .collect();
                rows(&columns).into_iter().map(Value::tuple).collect()
            }
            Type::Arrow {
                params,
                result,
                kind,
            } => self.functions(params, result, kind, depth, heap),
            Type::Array {
                dims,
                nullable,
                elem,
            } => self.arrays(*dims, *nullable, elem, depth, (heap, true)),
            Type::Object { nullable } => self.any_objects(*nullable, depth, heap),
            Type::Named {
                decl,
                args,
                nullable,
            } => match &typed[*decl].kind {
                TypeDeclKind::Datatype { .. } => self.datatype_values(ty, *decl, args, depth, heap),
                TypeDeclKind::Class => {
                    let mut out = Vec::new();
                    if *nullable {
                        out.push(Value::Null);
                    }
                    if depth > 0 {
                        out.extend(self.objects(ty, depth - 1, heap));
                    }
                    out
                }
                TypeDeclKind::Trait { .. } => {
                    self.implementations(*decl, args, *nullable, depth, heap)
                }
                // An abstract type may be any type that satisfies its bounds. Here it is a type
                // with a few opaque values.
                TypeDeclKind::Abstract
                    if self.program.criteria.has(ir::Criterion::Obligation)
                        && typed[*decl].parents.is_empty() =>
                {
                    (0..small).map(|n| Value::tuple([Value::int(n)])).collect()
                }
                TypeDeclKind::Iterator(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_) => Vec::new(),
            },
            Type::Param(_) | Type::Error => Vec::new(),
        }
    }

    /// Short sequences in all orders, then sizes that the program compares with, then its
    /// strings.
    fn sequences(&mut self, elem: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let small = few(depth);
        let mut out = vec![Value::seq([])];
        if depth > 0 {
            let es = self.values(elem, depth - 1, heap);
            out.extend(es.iter().take(small).map(|e| Value::seq([e.clone()])));
            for (i, a) in es.iter().enumerate().take(small) {
                for b in es.iter().skip(i).take(2) {
                    out.push(Value::seq([a.clone(), b.clone()]));
                    out.push(Value::seq([b.clone(), a.clone()]));
                }
            }
            out.push(Value::seq(es.iter().take(3).cloned()));
            out.push(Value::seq(es.iter().take(3).rev().cloned()));
            out.push(Value::seq(es.iter().take(5).cloned()));
            let long = self.constants.lengths.iter();
            let long = long.filter(|n| **n as usize >= self.long_from);
            let sizes = long.chain(self.constants.sizes.iter().filter(|n| **n > 5));
            out.extend(sizes.filter_map(|n| Some(Value::seq(repeated(es.first()?, *n as usize)?))));
            if self.program.typed.representation(elem) == Type::Char {
                out.extend(
                    self.constants
                        .strings
                        .iter()
                        .map(|s| Value::seq(s.iter().map(|c| Value::Char(*c)))),
                );
            }
            out.extend(es.iter().skip(small).map(|e| Value::seq([e.clone()])));
        }
        out
    }

    /// Maps of up to three keys.
    fn maps(&mut self, key: &Type, value: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let mut out = vec![Value::map([])];
        if depth > 0 {
            let (ks, vs) = (
                self.values(key, depth - 1, heap),
                self.values(value, depth - 1, heap),
            );
            if !vs.is_empty() {
                out.extend((1..=3.min(ks.len())).map(|n| {
                    Value::map(ks.iter().take(n).cloned().zip(vs.iter().cycle().cloned()))
                }));
            }
        }
        out
    }

    /// Constant functions, and relations with the usual laws.
    fn functions(
        &mut self,
        params: &[Type],
        result: &Type,
        kind: &ArrowKind,
        depth: u32,
        heap: &mut Heap,
    ) -> Vec<Value> {
        // A partial function matters only if the obligation that it may be applied is a
        // goal.
        let is_partial = !matches!(kind, ArrowKind::Total)
            && self.program.criteria.has(ir::Criterion::Obligation);
        // Constant functions first.
        let mut out: Vec<Value> = self
            .values(result, depth.min(1), heap)
            .into_iter()
            .take(3)
            .map(|default| {
                function(FunctionValue::Table {
                    entries: Vec::new(),
                    default,
                })
            })
            .collect();
        let typed = &self.program.typed;
        match params {
            [a] if a == result => out.push(function(FunctionValue::Template(Template::Identity))),
            // Relations that satisfy the usual laws of orders and equivalences.
            [a, b] if a == b && *result == Type::Bool && typed.supports_equality(a) => {
                let numeric =
                    matches!(typed.representation(a), Type::Int | Type::Real | Type::Char);
                let laws = if numeric {
                    &[Template::AtMost, Template::Less, Template::Equal][..]
                } else {
                    &[Template::Equal][..]
                };
                for t in laws {
                    out.insert(0, function(FunctionValue::Template(*t)));
                }
            }
            _ => {}
        }
        // A function that is nowhere defined.
        let nowhere = |f: &Value| {
            if let Value::Function(f) = f {
                let inner = Box::new(FunctionValue::clone(f));
                Some(function(FunctionValue::Partial {
                    function: inner,
                    elsewhere: false,
                    exceptions: Vec::new(),
                }))
            } else {
                None
            }
        };
        if is_partial {
            out.extend(out.first().and_then(nowhere));
        }
        out
    }

    /// Arrays of up to three elements, or of lengths that the program compares with unless only
    /// small ones are wanted.
    fn arrays(
        &mut self,
        dims: u32,
        nullable: bool,
        elem: &Type,
        depth: u32,
        (heap, has_large): (&mut Heap, bool),
    ) -> Vec<Value> {
        let mut out = Vec::new();
        // Arrays of several dimensions have no seeds.
        if dims == 1 {
            let es = if depth == 0 {
                Vec::new()
            } else {
                self.values(elem, depth - 1, heap)
            };
            let large = self
                .constants
                .lengths
                .iter()
                .filter(|n| **n as usize >= self.long_from)
                .chain(&self.constants.sizes)
                .map(|n| *n as usize)
                .filter(|n| {
                    let fits = || es.first().is_some_and(|e| repeated(e, *n).is_some());
                    has_large && *n > 3 && depth > 0 && fits()
                });
            for n in (0..=3.min(es.len())).chain(large) {
                // The first three values, then the first one repeated up to the length.
                let elements = (0..n)
                    .filter_map(|i| es.get(i).filter(|_| i < 3).or_else(|| es.first()))
                    .cloned()
                    .map(Some)
                    .collect();
                let ty = Type::Array {
                    dims: 1,
                    nullable: false,
                    elem: Box::new(elem.clone()),
                };
                out.push(place(
                    heap,
                    Object::new(ty, Contents::Elements(Elements::row(elements))),
                ));
            }
        }
        if nullable {
            out.push(Value::Null);
        }
        out
    }

    /// Objects of several classes.
    fn any_objects(&mut self, nullable: bool, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let mut out = Vec::new();
        if nullable {
            out.push(Value::Null);
        }
        // An `object` may be of any reference type: the classes that the unit tests for,
        // and an array.
        let tested = self
            .constants
            .objects
            .iter()
            .filter(|t| !matches!(t, Type::Object { .. }))
            .take(MAX_INSTANCES)
            .cloned();
        let depth = depth.saturating_sub(1).max(1);
        let first = |values: Vec<Value>| {
            let objects = values.into_iter().filter(|v| *v != Value::Null);
            objects.take(2)
        };
        for class in tested.collect::<Vec<_>>() {
            out.extend(first(self.plain(&class, depth, heap)));
        }
        // No code depends on the length of this array, and every input would hold a copy of it.
        let arrays = self.arrays(1, false, &Type::Int, depth, (heap, false));
        out.extend(first(arrays));
        out
    }

    /// Values of each constructor.
    fn datatype_values(
        &mut self,
        ty: &Type,
        decl: TypeId,
        args: &[Type],
        depth: u32,
        heap: &mut Heap,
    ) -> Vec<Value> {
        let typed = &self.program.typed;
        let subst = typed.substitution(decl, args);
        let mut out = Vec::new();
        // At depth 0, only constructors without arguments end the recursion.
        for ctor in ctors_of(typed, decl) {
            let types: Vec<Type> = typed[*ctor]
                .fields
                .iter()
                .map(|f| typed[*f].ty.subst(&subst))
                .collect();
            if depth == 0 && !types.is_empty() {
                continue;
            }
            let columns: Vec<Vec<Value>> = types
                .iter()
                .map(|t| self.values(t, depth.saturating_sub(1), heap))
                .collect();
            out.extend(
                rows(&columns)
                    .into_iter()
                    .take(8)
                    .map(|r| Value::datatype(*ctor, r)),
            );
        }
        if out.is_empty() {
            out.extend(self.interp.default_value(ty));
        }
        out
    }

    /// Values of the classes, datatypes and newtypes that implement a trait.
    fn implementations(
        &mut self,
        decl: TypeId,
        args: &[Type],
        nullable: bool,
        depth: u32,
        heap: &mut Heap,
    ) -> Vec<Value> {
        let typed = &self.program.typed;
        let mut out = Vec::new();
        if nullable {
            out.push(Value::Null);
        }
        // Classes, datatypes and newtypes may implement a trait.
        let mut classes = typed.implementing_classes(decl, args);
        for datatype in typed
            .implementing_datatypes(decl, args)
            .iter()
            .take(MAX_INSTANCES)
        {
            out.extend(self.values(datatype, depth, heap).into_iter().take(4));
        }
        for newtype in typed
            .implementing_newtypes(decl, args)
            .iter()
            .take(MAX_INSTANCES)
        {
            let Type::Named { decl, args, .. } = newtype else {
                continue;
            };
            let values = self.values(newtype, depth, heap).into_iter().take(4);
            out.extend(values.map(|v| Value::newtype(*decl, args.clone(), v)));
        }
        // A mock is used only if no class implements the trait.
        if classes.is_empty() && out.is_empty() {
            classes.push(Type::named(decl, args.to_vec()));
        }
        if depth > 0 {
            let (most, each) = if self.beyond > 0 { (1, 1) } else { (3, 2) };
            let classes = classes.iter().take(most);
            out.extend(
                classes
                    .flat_map(|class| self.objects(class, depth - 1, heap).into_iter().take(each)),
            );
        }
        out
    }

    /// Letters, digits, and characters with a special meaning in many formats.
    fn chars(&self) -> Vec<Value> {
        let plain = ['a', 'b', ' ', '0', 'Z', '\n', '"', '\\', '-', '.']
            .iter()
            .map(|c| *c as u32);
        plain
            .chain(self.constants.chars.iter().copied())
            // Non-ASCII characters, a surrogate, and one beyond the basic plane.
            .chain([0xE9, 0x20AC, 0xD800, 0x1F600])
            .map(Value::Char)
            .collect()
    }

    /// Small and common numbers, and the constants of the program.
    fn integers(&self) -> Vec<Value> {
        let mut out: Vec<Value> = [0, 1, -1, 2, 3, 5, 10, -2, 7]
            .iter()
            .map(|n| Value::int(*n))
            .collect();
        // Each constant of the program, and its neighbours.
        for n in &self.constants.ints {
            out.extend([n.clone(), n - 1, n + 1].map(Value::Int));
        }
        out.extend([100, 255, 1000].iter().map(|n| Value::int(*n)));
        out
    }

    /// Objects of a class with small values in their fields.
    fn objects(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Vec<Value> {
        let Type::Named { decl, args, .. } = ty else {
            return Vec::new();
        };
        // Fields of unknown value would make the object unusable.
        let (fields, complete) = stored_fields(&self.program.typed, ty);
        if !complete {
            return Vec::new();
        }
        if heap.objects.len() > MAX_DISTINCT {
            // The receiver of a constructor has no fields yet.
            let is_filled = |o: &Object| o.contents.values().next().is_some();
            let is_known = |o: &Object| o.ty == *ty && is_filled(o);
            if let Some(id) = heap.objects.iter().rposition(is_known) {
                return vec![Value::Ref(ObjectId(id as u32))];
            }
        }
        let key = (ty.clone(), depth, self.beyond);
        if self.without.contains(&key) {
            return Vec::new();
        }
        let mut columns = Vec::new();
        for (_, field_ty) in &fields {
            let values = self.values(field_ty, depth, heap);
            if values.is_empty() {
                self.without.insert(key);
                return Vec::new();
            }
            columns.push(values);
        }
        let ty = Type::named(*decl, args.clone());
        let mut out = Vec::new();
        // One more object has the long collections that the program demands.
        let is_any_long = columns
            .iter()
            .flatten()
            .any(|v| is_long(v, heap, self.long_from));
        let long_row: Option<Vec<Value>> = match is_any_long {
            true => columns
                .iter()
                .map(|c| {
                    c.iter()
                        .find(|v| is_long(v, heap, self.long_from))
                        .or(c.first())
                        .cloned()
                })
                .collect(),
            false => None,
        };
        let is_enough = self.beyond > 0 || heap.objects.len() > MAX_MADE;
        let most = if is_enough { 1 } else { 4 };
        let picked = rows(&columns).into_iter().take(most).chain(long_row);
        for row in picked {
            let contents = Contents::Fields(fields.iter().map(|(f, _)| *f).zip(row).collect());
            out.push(place(heap, Object::new(ty.clone(), contents)));
        }
        out
    }
}

/// A new object of a class without field values: the receiver of a constructor.
pub(super) fn blank(class: &Type, heap: &mut Heap) -> Value {
    place(
        heap,
        Object::new(
            class.clone(),
            Contents::Fields(dtest_sorted::SortedMap::new()),
        ),
    )
}

fn function(f: FunctionValue) -> Value {
    Value::Function(std::sync::Arc::new(f))
}

fn place(heap: &mut Heap, object: Object) -> Value {
    heap.objects.push(object);
    Value::Ref(ObjectId(heap.objects.len() as u32 - 1))
}

/// The stored fields of a class and its parents, with their types. False if the hierarchy is too
/// deep, so that fields may be missing.
pub(super) fn stored_fields(
    typed: &dafny_resolve::typed::Program,
    ty: &Type,
) -> (Vec<(dafny_resolve::typed::FieldId, Type)>, bool) {
    let mut out = Vec::new();
    let mut work = vec![ty.clone()];
    // The limit guards against hierarchies that grow by instantiation.
    let mut steps = 0;
    while let Some(class) = work.pop() {
        steps += 1;
        if steps > 64 {
            return (out, false);
        }
        let Type::Named { decl, args, .. } = &class else {
            continue;
        };
        let subst = typed.substitution(*decl, args);
        for f in &typed[*decl].fields {
            let field = &typed[*f];
            if !field.is_static
                && matches!(field.kind, FieldKind::Mutable | FieldKind::Const(None))
                && !out.iter().any(|(g, _)| g == f)
            {
                out.push((*f, field.ty.subst(&subst)));
            }
        }
        work.extend(typed[*decl].parents.iter().map(|p| p.subst(&subst)));
    }
    (out, true)
}
/// Small numbers, and the largest one.
fn bitvectors(w: u32) -> Vec<Value> {
    // All bits set is the largest value.
    let all = (num_bigint::BigUint::from(1u32) << w) - 1u32;
    let mut bits: Vec<num_bigint::BigUint> = [0u32, 1, 2, 3, 128]
        .iter()
        .map(|n| (*n).into())
        .filter(|b| *b <= all)
        .collect();
    bits.push(all);
    bits.into_iter()
        .map(|bits| Value::Bv { width: w, bits })
        .collect()
}

/// Number of values of each part of a value.
fn few(depth: u32) -> usize {
    if depth == 0 { 1 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::super::constants::{Constants, Reach};
    use super::{MAX_DISTINCT, Maker};
    use dafny_resolve::typed::{Type, TypeId};
    use dtest_interp::{Interp, Limits};
    use dtest_ir::Criteria;
    use dtest_value::Heap;

    /// The number of values of the class `Client`, and of the objects that they are made of.
    fn clients(source: &str) -> (usize, usize) {
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let interp = Interp::new(&program, Limits::default());
        let mut ids = (0..program.typed.types.len() as u32).map(TypeId);
        let class = ids
            .find(|id| &*program.typed[*id].name == "Client")
            .expect("declared");
        let constants = Constants::default();
        let mut heap = Heap::default();
        let mut maker = Maker::new(&program, &interp, &constants);
        let values = maker.values(&Type::named(class, Vec::new()), 3, &mut heap);
        (values.len(), heap.objects.len())
    }

    #[test]
    fn clients_of_clients_share_objects() {
        // Without sharing, the lowest class would have 6^7 objects.
        let mut source = String::from(
            "class Level0 { const id: int constructor(id: int) { this.id := id; } }\n",
        );
        for level in 1..=7 {
            let name = if level == 7 {
                "Client".to_owned()
            } else {
                format!("Level{level}")
            };
            let fields: String = (0..6)
                .map(|i| format!("const f{i}: Level{} ", level - 1))
                .collect();
            let sets: String = (0..6).map(|i| format!("f{i} := x; ")).collect();
            source += &format!(
                "class {name} {{ {fields} constructor(x: Level{}) {{ {sets} }} }}\n",
                level - 1
            );
        }
        let (values, objects) = clients(&source);
        assert!(values > 0);
        assert!(objects < 2 * MAX_DISTINCT, "{objects}");
    }

    #[test]
    fn objects_of_any_type_are_no_long_arrays() {
        let source = "class Client { const frame: set<object> constructor() { frame := {}; } }
             method Send(c: Client, block: array<int>) requires block.Length == 65536 { }";
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let interp = Interp::new(&program, Limits::default());
        let mut all = program.procedures.values();
        let send = all.find(|p| p.params.len() == 2).expect("declared");
        let constants = Constants::of(&program, send, Reach::NEAR);
        let longest = |ty: &Type| {
            let mut heap = Heap::default();
            let mut maker = Maker::new(&program, &interp, &constants);
            maker.values(ty, 3, &mut heap);
            let lengths = heap.objects.iter().map(|o| o.contents.values().count());
            lengths.max()
        };
        let types: Vec<&Type> = send.vars.iter().map(|v| &v.ty).collect();
        let of_arrays = types.iter().filter(|ty| matches!(ty, Type::Array { .. }));
        assert!(of_arrays.filter_map(|ty| longest(ty)).max() > Some(60_000));
        let of_classes = types.iter().filter(|ty| matches!(ty, Type::Named { .. }));
        assert!(of_classes.filter_map(|ty| longest(ty)).max() < Some(10));
    }

    #[test]
    fn few_objects_are_distinct() {
        let (values, objects) = clients(
            "class Log { var lines: seq<int> constructor() { lines := []; } }
             class Client { const log: Log var count: int
               constructor(log: Log) { this.log := log; count := 0; } }",
        );
        assert!(values > 1 && objects > values, "{values} {objects}");
    }
}
