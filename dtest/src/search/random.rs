//! Random well-typed inputs of a unit, of all sizes: to hold claims against executions that nobody chose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::constants::{Constants, Reach};
use super::seeds::stored_fields;
use super::type_arguments;
use crate::interp::{Inputs, Interp};
use crate::ir::{self, Procedure, ctors_of};
use crate::typed::{CallableId, CallableKind, Substitution, Type, TypeDeclKind};
use crate::value::{Contents, FunctionValue, Heap, Object, ObjectId, Template, Value};

/// Draws of a value of a constrained type before its default value is taken.
const TRIES: usize = 12;
/// Nesting of values, at most.
const DEPTH: u32 = 5;

/// A source of random inputs of one unit; the same seed gives the same inputs.
pub struct Random<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    procedure: &'a Procedure,
    type_args: Vec<Type>,
    constants: Constants,
    state: u64,
}

impl<'a, 'p> Random<'a, 'p> {
    /// A source for `unit`; `None` where it has no body or its type parameters stand for nothing.
    pub fn new(program: &'a ir::Program, interp: &'a Interp<'p>, unit: CallableId, seed: u64) -> Option<Self> {
        let procedure = program.procedures.get(&unit)?;
        let type_args = type_arguments(program, unit).ok()?;
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Some(Self { program, interp, procedure, type_args, constants: Constants::of(program, procedure, Reach::NEAR), state })
    }

    /// Inputs drawn by the types of the parameters; whether preconditions hold is not known. `None`: no value of some type
    /// can be made.
    pub fn inputs(&mut self) -> Option<Inputs> {
        let mut inputs = Inputs { type_args: self.type_args.clone(), ..Inputs::default() };
        for i in 0..self.procedure.params.len() {
            let value = self.argument(i, &mut inputs.heap)?;
            inputs.args.push(value);
        }
        Some(inputs)
    }

    /// Inputs that differ from the given ones in a few places: numbers, elements, fields of objects, whole arguments.
    pub fn mutated(&mut self, from: &Inputs) -> Inputs {
        let mut inputs = from.clone();
        inputs.answers.clear();
        for _ in 0..1 + self.below(3) {
            let (args, objects) = (inputs.args.len(), inputs.heap.objects.len());
            let at = self.below((args + objects).max(1));
            if at >= args {
                self.mutate_object(at - args, &mut inputs.heap);
            } else if self.below(4) == 0 {
                if let Some(value) = self.argument(at, &mut inputs.heap)
                    && let Some(slot) = inputs.args.get_mut(at)
                {
                    *slot = value;
                }
            } else if let Some(value) = inputs.args.get(at).cloned()
                && !self.is_blank(at)
            {
                let value = self.mutate(&value, DEPTH);
                inputs.args[at..=at].fill(value);
            }
        }
        inputs
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.below(of.len()))
    }

    /// Whether the parameter is an object that its constructor is to fill.
    fn is_blank(&self, parameter: usize) -> bool {
        parameter == 0 && self.program.typed[self.procedure.callable].kind == CallableKind::Constructor
    }

    fn argument(&mut self, i: usize, heap: &mut Heap) -> Option<Value> {
        let param = self.procedure.params.get(i)?;
        let subst: Substitution = self.procedure.type_params.iter().copied().zip(self.type_args.iter().cloned()).collect();
        let ty = self.procedure.vars.get(param.0 as usize)?.ty.subst(&subst);
        if self.is_blank(i) {
            let Type::Named { decl, args, .. } = ty else { return None };
            return Some(place(heap, Object::new(Type::named(decl, args), Contents::Fields(BTreeMap::new()))));
        }
        self.value(&ty, DEPTH, heap)
    }

    fn value(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let rep = self.program.typed.representation(ty);
        if rep == *ty {
            return self.plain(&rep, depth, heap);
        }
        for _ in 0..TRIES {
            let value = self.plain(&rep, depth, heap)?;
            if !self.interp.value_has_type(&value, ty, heap).is_false() {
                return Some(value);
            }
        }
        // From a value that is in the type, in small steps.
        let mut value = self.interp.default_value(ty)?;
        for _ in 0..TRIES {
            let other = self.mutate(&value, depth);
            if !self.interp.value_has_type(&other, ty, heap).is_false() {
                value = other;
            }
        }
        Some(value)
    }

    fn values(&mut self, n: usize, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Vec<Value>> {
        (0..n).map(|_| self.value(ty, depth, heap)).collect()
    }

    /// How many elements a collection has: mostly few.
    fn size(&mut self, depth: u32) -> usize {
        if depth == 0 {
            return 0;
        }
        let most = match self.below(16) {
            0..4 => 2,
            4..11 => 5,
            11..15 => 9,
            _ if depth == DEPTH => 70,
            _ => 12,
        };
        self.below(most)
    }

    fn int(&mut self) -> BigInt {
        let known: Vec<BigInt> = self.constants.ints.iter().cloned().collect();
        let near = BigInt::from(self.below(3)) - 1;
        match self.below(10) {
            0..4 => BigInt::from(self.below(12)) - 3,
            4 => BigInt::from(self.below(300)) - 100,
            5 | 6 if !known.is_empty() => self.pick(&known).cloned().unwrap_or_default() + near,
            7 => {
                let bits = [7u32, 8, 15, 16, 31, 32, 63, 64, 128];
                let n: BigInt = (BigInt::from(1) << self.pick(&bits).copied().unwrap_or(8)) + near;
                if self.below(3) == 0 { -n } else { n }
            }
            8 => BigInt::from(self.next() as i64),
            _ => BigInt::from(self.below(5000)) - 1000,
        }
    }

    fn char(&mut self) -> u32 {
        let known: Vec<u32> = self.constants.chars.iter().copied().collect();
        match self.below(8) {
            0..3 if !known.is_empty() => self.pick(&known).copied().unwrap_or(97),
            0..6 => 32 + self.below(95) as u32,
            6 => self.below(0x250) as u32,
            _ if self.program.typed.options.unicode_char => {
                self.pick(&[0x20AC, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10_FFFF]).copied().unwrap_or(97)
            }
            _ => self.pick(&[0x20AC, 0xD800, 0xDBFF, 0xDC00, 0xFFFF]).copied().unwrap_or(97),
        }
    }

    fn plain(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let below = depth.saturating_sub(1);
        Some(match ty {
            Type::Bool => Value::Bool(self.below(2) == 0),
            Type::Int => Value::Int(self.int()),
            Type::Char => Value::Char(self.char()),
            Type::Real => Value::Real(BigRational::new(self.int(), BigInt::from(1 + self.below(7)))),
            Type::Bv(width) => Value::Bv { width: *width, bits: self.bits(*width) },
            Type::Ordinal => Value::Ordinal(BigUint::from(self.below(9))),
            Type::Seq(elem) => {
                let strings: Vec<Vec<u32>> = self.constants.strings.iter().cloned().collect();
                if **elem == Type::Char && !strings.is_empty() && self.below(4) == 0 {
                    let text = self.pick(&strings).cloned().unwrap_or_default();
                    return Some(Value::seq(text.into_iter().map(Value::Char)));
                }
                let n = self.size(depth);
                Value::seq(self.values(n, elem, below, heap)?)
            }
            Type::Set { elem, .. } => {
                let n = self.size(depth);
                Value::set(self.values(n, elem, below, heap)?)
            }
            Type::Multiset(elem) => {
                let n = self.size(depth);
                Value::multiset(self.values(n, elem, below, heap)?)
            }
            Type::Map { key, value, .. } => {
                let n = self.size(depth);
                let keys = self.values(n, key, below, heap)?;
                Value::map(keys.into_iter().zip(self.values(n, value, below, heap)?))
            }
            Type::Tuple(parts) => Value::tuple(parts.iter().map(|(_, t)| self.value(t, depth, heap)).collect::<Option<Vec<_>>>()?),
            Type::Arrow { params, result, .. } => self.function(params, result, below, heap)?,
            Type::Array { dims, nullable, elem } => self.array(*dims, *nullable, elem, depth, heap)?,
            Type::Object { nullable: true } => Value::Null,
            Type::Object { nullable: false } => self.known_object(ty, heap)?,
            Type::Named { decl, args, nullable } => match &self.program.typed[*decl].kind {
                TypeDeclKind::Datatype { .. } => self.data(ty, depth, heap)?,
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {
                    if *nullable && (depth == 0 || self.below(4) == 0) {
                        return Some(Value::Null);
                    }
                    if self.below(2) == 0
                        && let Some(known) = self.known_object(ty, heap)
                    {
                        return Some(known);
                    }
                    let mut classes = self.program.typed.implementing_classes(*decl, args);
                    if classes.is_empty() {
                        classes.push(Type::named(*decl, args.clone()));
                    }
                    let class = self.pick(&classes).cloned()?;
                    match self.object(&class, depth, heap) {
                        None if *nullable => Value::Null,
                        made => made?,
                    }
                }
                TypeDeclKind::Iterator(_) | TypeDeclKind::Abstract | TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => return None,
            },
            Type::Param(_) | Type::Error => return None,
        })
    }

    fn bits(&mut self, width: u32) -> BigUint {
        let all = (BigUint::from(1u32) << width) - 1u32;
        let random = BigUint::from(self.next()) << 64 | BigUint::from(self.next());
        match self.below(4) {
            0 => BigUint::from(self.below(6)) & all,
            1 => all,
            _ => random & all,
        }
    }

    fn data(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let Type::Named { decl, args, .. } = ty else { return None };
        let typed = &self.program.typed;
        let subst = typed.substitution(*decl, args);
        let ctors = ctors_of(typed, *decl);
        let start = self.below(ctors.len());
        // Near the end of the nesting, constructors without arguments first.
        let mut order: Vec<_> = ctors.iter().cycle().skip(start).take(ctors.len()).copied().collect();
        if depth == 0 {
            order.sort_by_key(|c| typed[*c].fields.len());
        }
        for ctor in order {
            let types: Vec<Type> = typed[ctor].fields.iter().map(|f| typed[*f].ty.subst(&subst)).collect();
            if depth == 0 && types.iter().any(|t| matches!(t, Type::Named { decl: d, .. } if d == decl)) {
                continue;
            }
            let args: Option<Vec<Value>> = types.iter().map(|t| self.value(t, depth.saturating_sub(1), heap)).collect();
            if let Some(args) = args {
                return Some(Value::datatype(ctor, args));
            }
        }
        self.interp.default_value(ty)
    }

    fn function(&mut self, params: &[Type], result: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let templates: &[Template] = match params {
            [a] if a == result && *a == Type::Int => &[Template::Identity, Template::Successor],
            [a] if a == result => &[Template::Identity],
            [a, b] if a == b && *result == Type::Bool && matches!(a, Type::Int | Type::Real | Type::Char) => {
                &[Template::AtMost, Template::Less, Template::Equal]
            }
            [a, b] if a == b && *result == Type::Bool => &[Template::Equal],
            _ => &[],
        };
        if self.below(2) == 0
            && let Some(template) = self.pick(templates)
        {
            return Some(Value::Function(Arc::new(FunctionValue::Template(*template))));
        }
        let default = self.value(result, depth, heap)?;
        let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
        for _ in 0..self.below(5) {
            let row: Option<Vec<Value>> = params.iter().map(|p| self.value(p, depth, heap)).collect();
            let (row, answer) = (row?, self.value(result, depth, heap)?);
            if entries.iter().all(|(r, _)| *r != row) {
                entries.push((row, answer));
            }
        }
        Some(Value::Function(Arc::new(FunctionValue::Table { entries, default })))
    }

    fn array(&mut self, dims: u32, nullable: bool, elem: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        if nullable && self.below(4) == 0 {
            return Some(Value::Null);
        }
        let ty = Type::Array { dims, nullable: false, elem: Box::new(elem.clone()) };
        if self.below(3) == 0
            && let Some(known) = self.known_object(&ty, heap)
        {
            return Some(known);
        }
        let lengths: Vec<usize> = (0..dims).map(|_| if dims == 1 { self.size(depth) } else { self.below(4) }).collect();
        let elements = self.values(lengths.iter().product(), elem, depth.saturating_sub(1), heap)?;
        let elements = elements.into_iter().map(Some).collect();
        Some(place(heap, Object::new(ty, Contents::Elements { dims: lengths, elements })))
    }

    /// An object of the type that is there already: inputs may share objects and have cycles.
    fn known_object(&mut self, ty: &Type, heap: &Heap) -> Option<Value> {
        let ids = (0..heap.objects.len() as u32).map(|i| Value::Ref(ObjectId(i)));
        let fitting: Vec<Value> = ids.filter(|v| self.interp.value_has_type(v, ty, heap).is_true()).collect();
        self.pick(&fitting).cloned()
    }

    fn object(&mut self, class: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let Type::Named { decl, args, .. } = class else { return None };
        let (fields, complete) = stored_fields(&self.program.typed, class);
        if !complete || depth == 0 {
            return None;
        }
        // The object is there before its fields are, so that they can mean it.
        let made = place(heap, Object::new(Type::named(*decl, args.clone()), Contents::Fields(BTreeMap::new())));
        let Value::Ref(id) = made else { return None };
        for (field, ty) in fields {
            let value = self.value(&ty, depth - 1, heap)?;
            if let Some(Object { contents: Contents::Fields(all), .. }) = heap.objects.get_mut(id.0 as usize) {
                all.insert(field, value);
            }
        }
        Some(made)
    }

    fn mutate_object(&mut self, at: usize, heap: &mut Heap) {
        let Some(object) = heap.objects.get(at).cloned() else { return };
        let mut contents = object.contents.clone();
        match &mut contents {
            Contents::Fields(fields) => {
                let keys: Vec<_> = fields.keys().copied().collect();
                let Some(key) = self.pick(&keys).copied() else { return };
                let ty = self.program.typed.field_type(&object.ty, key);
                let redrawn = if self.below(2) == 0 { self.value(&ty, 2, heap) } else { None };
                if let Some(slot) = fields.get_mut(&key) {
                    *slot = redrawn.unwrap_or_else(|| self.mutate(slot, DEPTH));
                }
            }
            Contents::Elements { dims, elements } => {
                if let ([n], true) = (dims.as_mut_slice(), self.below(4) == 0) {
                    let mut items: Vec<Value> = elements.iter().flatten().cloned().collect();
                    self.mutate_items(&mut items, DEPTH);
                    *n = items.len();
                    *elements = items.into_iter().map(Some).collect();
                } else {
                    let i = self.below(elements.len());
                    if let Some(Some(slot)) = elements.get_mut(i) {
                        *slot = self.mutate(slot, DEPTH);
                    }
                }
            }
        }
        if let Some(object) = heap.objects.get_mut(at) {
            object.contents = contents;
        }
    }

    /// A value of the same shape that differs in one place, mostly by little.
    fn mutate(&mut self, value: &Value, depth: u32) -> Value {
        if depth == 0 {
            return value.clone();
        }
        match value {
            Value::Bool(b) => Value::Bool(!b),
            Value::Char(c) => Value::Char(if self.below(2) == 0 { self.char() } else { c.saturating_add(1) }),
            Value::Int(n) => Value::Int(match self.below(6) {
                0 => n + 1,
                1 => n - 1,
                2 => -n,
                3 => n * 2,
                _ => self.int(),
            }),
            Value::Real(r) => Value::Real(match self.below(3) {
                0 => r + BigRational::from_integer(1.into()),
                1 => r / BigRational::from_integer(2.into()),
                _ => -r,
            }),
            Value::Bv { width, .. } => Value::Bv { width: *width, bits: self.bits(*width) },
            Value::Ordinal(n) => Value::Ordinal(n + 1u32),
            Value::Seq(items) => {
                let mut items = items.to_vec();
                self.mutate_items(&mut items, depth);
                Value::seq(items)
            }
            Value::Set(items) => {
                let mut items: Vec<Value> = items.iter().cloned().collect();
                self.mutate_items(&mut items, depth);
                Value::Set(Arc::new(items.into_iter().collect::<BTreeSet<_>>()))
            }
            Value::Multiset(counts) => {
                let mut items: Vec<Value> = counts.keys().cloned().collect();
                self.mutate_items(&mut items, depth);
                Value::multiset(items)
            }
            Value::Map(pairs) => {
                let mut pairs: Vec<(Value, Value)> = pairs.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                let at = self.below(pairs.len());
                if self.below(3) == 0 && !pairs.is_empty() {
                    pairs.remove(at);
                } else if let Some((k, v)) = pairs.get_mut(at) {
                    if self.below(2) == 0 {
                        *k = self.mutate(k, depth - 1);
                    } else {
                        *v = self.mutate(v, depth - 1);
                    }
                }
                Value::map(pairs)
            }
            Value::Tuple(parts) => {
                let mut parts = parts.to_vec();
                self.mutate_one(&mut parts, depth);
                Value::tuple(parts)
            }
            Value::Datatype(d) => {
                let mut args = d.args.clone();
                self.mutate_one(&mut args, depth);
                Value::datatype(d.ctor, args)
            }
            Value::Null | Value::Ref(_) | Value::Function(_) | Value::Lazy(_) => value.clone(),
        }
    }

    fn mutate_one(&mut self, items: &mut [Value], depth: u32) {
        let at = self.below(items.len());
        if let Some(slot) = items.get_mut(at) {
            *slot = self.mutate(slot, depth - 1);
        }
    }

    fn mutate_items(&mut self, items: &mut Vec<Value>, depth: u32) {
        let at = self.below(items.len());
        let Some(item) = items.get(at).cloned() else { return };
        match self.below(5) {
            0 => {
                items.remove(at);
            }
            1 => items.insert(at, item),
            2 => {
                let other = self.below(items.len());
                items.swap(at, other);
            }
            3 => items.push(self.mutate(&item, depth - 1)),
            _ => self.mutate_one(items, depth),
        }
    }
}

fn place(heap: &mut Heap, object: Object) -> Value {
    heap.objects.push(object);
    Value::Ref(ObjectId(heap.objects.len() as u32 - 1))
}
