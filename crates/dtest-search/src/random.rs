//! Random well-typed inputs of a unit, of all sizes. They test claims about all executions, without
//! the bias of inputs that were chosen for a goal.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::constants::{Constants, Reach};
use super::instantiate::type_arguments;
use super::mutate::Mutator;
use super::seeds::stored_fields;
use dafny_resolve::typed::{CallableId, CallableKind, Substitution, Type, TypeDeclKind, TypeId};
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Inputs, Interp};
use dtest_ir::{self as ir, Procedure, ctors_of};
use dtest_sorted::SortedMap;
use dtest_value::{Contents, Elements, FunctionValue, Heap, Object, ObjectId, Template, Value};

/// Maximum number of draws for a constrained type before values are derived from its default value.
const MAX_DRAWS: usize = 12;
/// Maximum number of elements of an array of several dimensions.
const MAX_CELLS: usize = 64;
/// Maximum nesting of values.
const MAX_DEPTH: u32 = 5;
/// Maximum nesting of datatypes. At the maximum depth of values, the smallest constructors may
/// still need values of each other.
const MAX_NESTED: u32 = 10;
/// Maximum nesting of a value that replaces one in a field.
const MAX_FIELD_DEPTH: u32 = 2;

/// A source of random inputs of one unit. The same seed gives the same inputs.
pub struct Random<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    procedure: &'a Procedure,
    type_args: Vec<Type>,
    constants: Constants,
    random: Xorshift,
    mutator: Mutator<'p>,
    /// Current nesting of datatype values under construction.
    nested: u32,
}

impl<'a, 'p> Random<'a, 'p> {
    /// A source for `unit`. `None` if it has no body or a type parameter has no argument.
    pub fn new(
        program: &'a ir::Program,
        interp: &'a Interp<'p>,
        unit: CallableId,
        seed: u64,
    ) -> Option<Self> {
        let procedure = program.procedures.get(&unit)?;
        let type_args = type_arguments(program, unit).ok()?;
        // Multiplication spreads small seeds over the state.
        let random = Xorshift::new(seed.wrapping_mul(Xorshift::START) | 1);
        let mutator = Mutator::new(interp.program(), procedure, &type_args, seed as u32);
        Some(Self {
            program,
            interp,
            procedure,
            type_args,
            constants: Constants::of(program, procedure, Reach::NEAR),
            random,
            mutator,
            nested: 0,
        })
    }

    /// Random inputs by the types of the parameters. Preconditions are not checked. `None` if some
    /// type has no known value.
    pub fn inputs(&mut self) -> Option<Inputs> {
        let mut inputs = Inputs {
            type_args: self.type_args.clone(),
            ..Inputs::default()
        };
        for i in 0..self.procedure.params.len() {
            let value = self.argument(i, &mut inputs.heap)?;
            inputs.args.push(value);
        }
        Some(inputs)
    }

    /// Inputs that differ from the given ones in a few places ([`Mutator`]), or in a whole argument
    /// or field.
    pub fn mutated(&mut self, from: &Inputs) -> Inputs {
        let mut inputs = from.clone();
        inputs.answers.clear();
        // Mostly small mutations, sometimes a new argument or field.
        if self.below(4) != 0 {
            return self.mutator.changed(self.interp, &inputs);
        }
        // Arguments and objects are drawn with the same probability.
        let args = inputs.args.len();
        let at = self.below(args + inputs.heap.objects.len());
        if at < args {
            if let Some(value) = self.argument(at, &mut inputs.heap)
                && let Some(slot) = inputs.args.get_mut(at)
            {
                *slot = value;
            }
        } else {
            self.redraw_field(at - args, &mut inputs.heap);
        }
        inputs
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// Whether the parameter is the object that a constructor initializes.
    fn is_blank(&self, parameter: usize) -> bool {
        parameter == 0
            && self.program.typed[self.procedure.callable].kind == CallableKind::Constructor
    }

    fn argument(&mut self, i: usize, heap: &mut Heap) -> Option<Value> {
        let param = self.procedure.params.get(i)?;
        let subst: Substitution = self
            .procedure
            .type_params
            .iter()
            .copied()
            .zip(self.type_args.iter().cloned())
            .collect();
        let ty = self.procedure.vars.get(param.0 as usize)?.ty.subst(&subst);
        if self.is_blank(i) {
            let Type::Named { decl, args, .. } = ty else {
                return None;
            };
            return Some(place(
                heap,
                Object::new(Type::named(decl, args), Contents::Fields(SortedMap::new())),
            ));
        }
        self.value(&ty, MAX_DEPTH, heap)
    }

    fn value(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let rep = self.program.typed.representation(ty);
        // Types without a constraint need no checks.
        if rep == *ty {
            return self.plain(&rep, depth, heap);
        }
        // A few draws are often enough for weak constraints.
        for _ in 0..MAX_DRAWS {
            let value = self.plain(&rep, depth, heap)?;
            if !self.interp.value_has_type(&value, ty, heap).is_false() {
                return Some(value);
            }
        }
        // Small steps from a value of the type stay within the type more often than fresh draws.
        let mut value = self.interp.default_value(ty)?;
        for _ in 0..MAX_DRAWS {
            let other = self.mutator.change(self.interp, &value, ty);
            if !self.interp.value_has_type(&other, ty, heap).is_false() {
                value = other;
            }
        }
        Some(value)
    }

    fn values(&mut self, n: usize, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Vec<Value>> {
        (0..n).map(|_| self.value(ty, depth, heap)).collect()
    }

    /// A random number of elements, mostly small.
    fn size(&mut self, depth: u32) -> usize {
        if depth == 0 {
            return 0;
        }
        // Sizes are skewed towards small ones; large collections occur only at the top.
        let most = match self.below(16) {
            0..4 => 2,
            4..11 => 5,
            11..15 => 9,
            _ if depth == MAX_DEPTH => 70,
            _ => 12,
        };
        self.below(most)
    }

    fn int(&mut self) -> BigInt {
        let known: Vec<BigInt> = self.constants.ints.iter().cloned().collect();
        let near = BigInt::from(self.below(3)) - 1;
        // Small numbers mostly; also constants of the unit and their neighbours, and the boundaries
        // of machine integers.
        match self.below(10) {
            0..4 => BigInt::from(self.below(12)) - 3,
            4 => BigInt::from(self.below(300)) - 100,
            5 | 6 if !known.is_empty() => {
                self.random.pick(&known).cloned().unwrap_or_default() + near
            }
            7 => {
                let bits = [7u32, 8, 15, 16, 31, 32, 63, 64, 128];
                let n: BigInt =
                    (BigInt::from(1) << self.random.pick(&bits).copied().unwrap_or(8)) + near;
                if self.below(3) == 0 { -n } else { n }
            }
            8 => BigInt::from(self.random.next() as i64),
            _ => BigInt::from(self.below(5000)) - 1000,
        }
    }

    fn char(&mut self) -> u32 {
        let known: Vec<u32> = self.constants.chars.iter().copied().collect();
        // Constants of the unit, printable characters, and the boundaries of code points.
        match self.below(8) {
            0..3 if !known.is_empty() => self.random.pick(&known).copied().unwrap_or(97),
            0..6 => 32 + self.below(95) as u32,
            6 => self.below(0x250) as u32,
            _ if self.program.typed.options.unicode_char => self
                .random
                .pick(&[0x20AC, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10_FFFF])
                .copied()
                .unwrap_or(97),
            _ => self
                .random
                .pick(&[0x20AC, 0xD800, 0xDBFF, 0xDC00, 0xFFFF])
                .copied()
                .unwrap_or(97),
        }
    }

    fn plain(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let below = depth.saturating_sub(1);
        Some(match ty {
            Type::Bool => Value::Bool(self.below(2) == 0),
            Type::Int => Value::Int(self.int()),
            Type::Char => Value::Char(self.char()),
            Type::Real => Value::Real(BigRational::new(
                self.int(),
                BigInt::from(1 + self.below(7)),
            )),
            Type::Bv(width) => Value::Bv {
                width: *width,
                bits: self.bits(*width),
            },
            Type::Ordinal => Value::Ordinal(BigUint::from(self.below(9))),
            // Strings of the program are drawn often, because random strings rarely equal them.
            Type::Seq(elem) => {
                let strings: Vec<Vec<u32>> = self.constants.strings.iter().cloned().collect();
                if **elem == Type::Char && !strings.is_empty() && self.below(4) == 0 {
                    let text = self.random.pick(&strings).cloned().unwrap_or_default();
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
            Type::Tuple(parts) => Value::tuple(
                parts
                    .iter()
                    .map(|(_, t)| self.value(t, depth, heap))
                    .collect::<Option<Vec<_>>>()?,
            ),
            Type::Arrow { params, result, .. } => self.function(params, result, below, heap)?,
            Type::Array {
                dims,
                nullable,
                elem,
            } => self.array(*dims, *nullable, elem, depth, heap)?,
            // `object?` gains nothing from an actual object.
            Type::Object { nullable: true } => Value::Null,
            Type::Object { nullable: false } => self.known_object(ty, heap)?,
            Type::Named {
                decl,
                args,
                nullable,
            } => match &self.program.typed[*decl].kind {
                TypeDeclKind::Datatype { .. } => self.data(ty, depth, heap)?,
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {
                    self.instance(ty, (*decl, args, *nullable), depth, heap)?
                }
                TypeDeclKind::Iterator(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_) => return None,
            },
            Type::Param(_) | Type::Error => return None,
        })
    }

    /// An instance of a class or trait, perhaps one that the heap has.
    fn instance(
        &mut self,
        ty: &Type,
        (decl, args, nullable): (TypeId, &[Type], bool),
        depth: u32,
        heap: &mut Heap,
    ) -> Option<Value> {
        // Nullable references end the recursion at depth 0.
        if nullable && (depth == 0 || self.below(4) == 0) {
            return Some(Value::Null);
        }
        // Sharing objects is as likely as creating them.
        if self.below(2) == 0
            && let Some(known) = self.known_object(ty, heap)
        {
            return Some(known);
        }
        // Every type that implements the trait is possible; a mock if there is none.
        let mut classes = self.program.typed.implementing_classes(decl, args);
        classes.extend(self.program.typed.implementing_datatypes(decl, args));
        classes.extend(self.program.typed.implementing_newtypes(decl, args));
        if classes.is_empty() {
            classes.push(Type::named(decl, args.to_vec()));
        }
        let class = self.random.pick(&classes).cloned()?;
        let is_datatype =
            |t: &TypeId| matches!(self.program.typed[*t].kind, TypeDeclKind::Datatype { .. });
        if matches!(&class, Type::Named { decl, .. } if is_datatype(decl)) {
            return self.value(&class, depth.saturating_sub(1), heap);
        }
        if let Type::Named { decl, args, .. } = &class
            && matches!(self.program.typed[*decl].kind, TypeDeclKind::Newtype(_))
        {
            let value = self.value(&class, depth.saturating_sub(1), heap)?;
            return Some(Value::newtype(*decl, args.clone(), value));
        }
        match self.object(&class, depth, heap) {
            None if nullable => Some(Value::Null),
            made => made,
        }
    }

    fn bits(&mut self, width: u32) -> BigUint {
        // Random bits for any width.
        let all = (BigUint::from(1u32) << width) - 1u32;
        let random = BigUint::from(self.random.next()) << 64 | BigUint::from(self.random.next());
        match self.below(4) {
            0 => BigUint::from(self.below(6)) & all,
            1 => all,
            _ => random & all,
        }
    }

    fn data(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        // Mutually recursive datatypes are cut at the maximum nesting.
        if self.nested == MAX_NESTED {
            return self.interp.default_value(ty);
        }
        self.nested += 1;
        let value = self.constructed(ty, depth, heap);
        self.nested -= 1;
        value
    }

    fn constructed(&mut self, ty: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let Type::Named { decl, args, .. } = ty else {
            return None;
        };
        let typed = &self.program.typed;
        let subst = typed.substitution(*decl, args);
        let ctors = ctors_of(typed, *decl);
        let start = self.below(ctors.len());
        // At depth 0, constructors with few fields come first.
        let mut order: Vec<_> = ctors
            .iter()
            .cycle()
            .skip(start)
            .take(ctors.len())
            .copied()
            .collect();
        if depth == 0 {
            order.sort_by_key(|c| typed[*c].fields.len());
        }
        for ctor in order {
            let types: Vec<Type> = typed[ctor]
                .fields
                .iter()
                .map(|f| typed[*f].ty.subst(&subst))
                .collect();
            // A directly recursive constructor cannot end the recursion.
            if depth == 0
                && types
                    .iter()
                    .any(|t| matches!(t, Type::Named { decl: d, .. } if d == decl))
            {
                continue;
            }
            let args: Option<Vec<Value>> = types
                .iter()
                .map(|t| self.value(t, depth.saturating_sub(1), heap))
                .collect();
            if let Some(args) = args {
                return Some(Value::datatype(ctor, args));
            }
        }
        self.interp.default_value(ty)
    }

    fn function(
        &mut self,
        params: &[Type],
        result: &Type,
        depth: u32,
        heap: &mut Heap,
    ) -> Option<Value> {
        let templates: &[Template] = match params {
            [a] if a == result && *a == Type::Int => &[Template::Identity, Template::Successor],
            [a] if a == result => &[Template::Identity],
            [a, b]
                if a == b
                    && *result == Type::Bool
                    && matches!(a, Type::Int | Type::Real | Type::Char) =>
            {
                &[Template::AtMost, Template::Less, Template::Equal]
            }
            [a, b]
                if a == b && *result == Type::Bool && self.program.typed.supports_equality(a) =>
            {
                &[Template::Equal]
            }
            _ => &[],
        };
        // Templates are drawn often, because a random table rarely satisfies a law.
        if self.below(2) == 0
            && let Some(template) = self.random.pick(templates)
        {
            return Some(Value::Function(Arc::new(FunctionValue::Template(
                *template,
            ))));
        }
        let default = self.value(result, depth, heap)?;
        let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
        // A table with few entries, so that most arguments get the default.
        for _ in 0..self.below(5) {
            let row: Option<Vec<Value>> =
                params.iter().map(|p| self.value(p, depth, heap)).collect();
            let (row, answer) = (row?, self.value(result, depth, heap)?);
            if entries.iter().all(|(r, _)| *r != row) {
                entries.push((row, answer));
            }
        }
        Some(Value::Function(Arc::new(FunctionValue::Table {
            entries,
            default,
        })))
    }

    fn array(
        &mut self,
        dims: u32,
        nullable: bool,
        elem: &Type,
        depth: u32,
        heap: &mut Heap,
    ) -> Option<Value> {
        if nullable && self.below(4) == 0 {
            return Some(Value::Null);
        }
        let ty = Type::Array {
            dims,
            nullable: false,
            elem: Box::new(elem.clone()),
        };
        // Arrays may be shared between arguments.
        if self.below(3) == 0
            && let Some(known) = self.known_object(&ty, heap)
        {
            return Some(known);
        }
        // The number of elements is the product of the lengths, which must stay within the limit.
        let mut cells = 1;
        let lengths: Vec<usize> = (0..dims)
            .map(|_| {
                let length = if dims == 1 {
                    self.size(depth)
                } else {
                    self.below(4).min((MAX_CELLS / cells).max(1))
                };
                cells *= length.max(1);
                length
            })
            .collect();
        let elements = self.values(
            lengths.iter().product(),
            elem,
            depth.saturating_sub(1),
            heap,
        )?;
        let elements = Elements::new(lengths, elements.into_iter().map(Some).collect())?;
        Some(place(heap, Object::new(ty, Contents::Elements(elements))))
    }

    /// An object of the type that is already in the heap: inputs may share objects and have cycles.
    fn known_object(&mut self, ty: &Type, heap: &Heap) -> Option<Value> {
        let ids = (0..heap.objects.len() as u32).map(|i| Value::Ref(ObjectId(i)));
        let fitting: Vec<Value> = ids
            .filter(|v| self.interp.value_has_type(v, ty, heap).is_true())
            .collect();
        self.random.pick(&fitting).cloned()
    }

    fn object(&mut self, class: &Type, depth: u32, heap: &mut Heap) -> Option<Value> {
        let Type::Named { decl, args, .. } = class else {
            return None;
        };
        let (fields, complete) = stored_fields(&self.program.typed, class);
        if !complete || depth == 0 {
            return None;
        }
        // The object is in the heap before its fields have values, so that these may refer to it.
        let made = place(
            heap,
            Object::new(
                Type::named(*decl, args.clone()),
                Contents::Fields(SortedMap::new()),
            ),
        );
        let Value::Ref(id) = made else { return None };
        for (field, ty) in fields {
            let value = self.value(&ty, depth - 1, heap)?;
            if let Some(Object {
                contents: Contents::Fields(all),
                ..
            }) = heap.objects.get_mut(id.0 as usize)
            {
                all.insert(field, value);
            }
        }
        Some(made)
    }

    /// Replaces the value of a random field of an object.
    fn redraw_field(&mut self, at: usize, heap: &mut Heap) {
        let Some(Object {
            ty,
            contents: Contents::Fields(fields),
            ..
        }) = heap.objects.get(at)
        else {
            return;
        };
        let keys: Vec<_> = fields.keys().copied().collect();
        let Some(key) = self.random.pick(&keys).copied() else {
            return;
        };
        let field = self.program.typed.field_type(ty, key);
        // The new value may refer to any object of the heap, so that cycles are possible.
        let Some(value) = self.value(&field, MAX_FIELD_DEPTH, heap) else {
            return;
        };
        if let Some(Object {
            contents: Contents::Fields(fields),
            ..
        }) = heap.objects.get_mut(at)
        {
            fields.insert(key, value);
        }
    }
}

fn place(heap: &mut Heap, object: Object) -> Value {
    heap.objects.push(object);
    Value::Ref(ObjectId(heap.objects.len() as u32 - 1))
}
