//! Inputs that are built from few values, so that their parts refer to each other.
//!
//! Records name each other by keys: the names on a ballot are those of candidates, an event has the
//! number of an account, two bookings have the same room. Parts that are drawn one by one from all
//! values of a type almost never coincide, and such inputs only show the cases in which nothing is
//! found. [`Mutator::coherent`] draws a few values of each type first, and builds all arguments of
//! them: keys are found, repeated and missing, numbers are equal or neighbours, records agree in all
//! parts but one, and lists list all keys in some order. This is random testing within a small scope
//! (Jackson and Damon, *Elements of Style: Analyzing a Software Design Feature with a Counterexample
//! Detector*, 1996).

use std::sync::Arc;

use num_bigint::BigInt;

use super::add_tests::Adding;
use super::mutate::Mutator;
use super::parts;
use super::sequences::Sequences;
use super::strengthen::Table;
use super::structural::MAX_CHARACTERS;
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::{Program, Type, TypeDeclKind, TypeId};
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Inputs, Interp};
use dtest_ir::ctors_of;
use dtest_value::{FunctionValue, Heap, Value};

/// Minimum and maximum number of values of one type without parts.
const MIN_FEW: usize = 2;
const MAX_FEW: usize = 4;
/// Maximum number of held values that the few values are chosen from.
const MAX_HELD: usize = 60;
/// Number of parts of the inputs after which collections are empty.
const MAX_EXTENT: usize = 45;
/// Sizes of collections: of the outer ones, and of those within others.
const SIZES: [usize; 9] = [0, 1, 2, 3, 3, 4, 4, 5, 6];
const INNER_SIZES: [usize; 6] = [0, 1, 2, 2, 3, 3];
/// Nesting from which on datatype values have no parts if possible, and collections are empty, and
/// nesting at which a value is given up.
const MAX_NESTING: u32 = 5;
const MAX_DEPTH: u32 = 8;
/// Maximum number of draws for a value that satisfies the constraint of its type.
const MAX_DRAWS: usize = 4;
/// Maximum number of entries of a function that is a table.
const MAX_ENTRIES: usize = 2;
/// Maximum number of words of a text, after the first two.
const MAX_WORDS: usize = 4;
/// Largest number of the program that is one of the few.
const MAX_NUMBER: u32 = 10_000;

/// Interpreter steps for tests whose arguments share a few values, per share, the maximum number of
/// rounds, and the number of inputs per round.
const COHERENT_STEPS: u64 = 1_000_000;
const COHERENT_ROUNDS: usize = 4;
const COHERENT_INPUTS: usize = 40;

/// The few values that inputs are built from.
pub(super) struct Few {
    /// Values that the kept parts of the inputs hold.
    held: Vec<(Value, Type)>,
    /// The values of each type without parts.
    leaves: Vec<(Type, Vec<Value>)>,
    /// The composite values that were built so far.
    built: Vec<(Type, Value)>,
    /// Whether texts are names that occur in several arguments.
    has_names: bool,
    /// The number of parts that were built so far.
    pub(super) extent: usize,
}

impl Few {
    /// The few values of inputs whose arguments have these types. Some are values that the inputs
    /// hold.
    pub(super) fn of(program: &Program, types: &[Type], inputs: &Inputs) -> Self {
        let with_text = types
            .iter()
            .filter(|ty| mentions_text(program, ty, &mut Vec::new()));
        Self {
            has_names: with_text.count() > 1,
            held: parts::all_values(program, types, inputs, MAX_HELD),
            leaves: Vec::new(),
            built: Vec::new(),
            extent: 0,
        }
    }

    /// Leaves at most so many of the few values of each type without parts.
    pub(super) fn narrow(&mut self, most: usize) {
        for (_, values) in &mut self.leaves {
            values.truncate(most);
        }
    }
}

impl Table {
    /// Adds tests whose arguments share a few values, within a step limit of their own. Ends with
    /// the first round that adds none.
    pub(super) fn add_coherent(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut Vec<Candidate>,
        adding: &mut Adding,
    ) {
        let left = self.limit.saturating_sub(validator.interp().steps());
        self.allow(validator, COHERENT_STEPS);
        let mut sequences = Sequences::default();
        for _ in 0..COHERENT_ROUNDS {
            let before = candidates.len();
            let mut proposed = Vec::with_capacity(COHERENT_INPUTS);
            for _ in 0..COHERENT_INPUTS {
                let Some(basis) = mutator.random.pick(&adding.pool) else {
                    break;
                };
                // Objects get other states first, because arguments are built from what they hold.
                let has_objects = basis.args.iter().any(|v| matches!(v, Value::Ref(_)));
                let other = if has_objects {
                    sequences.extended(validator, mutator, basis)
                } else {
                    None
                };
                let basis = other.as_ref().unwrap_or(basis);
                proposed.extend(mutator.coherent(validator.interp(), basis).or(other));
            }
            self.add_best(validator, candidates, adding, proposed);
            if candidates.len() == before || !self.goes_on(validator, adding, candidates) {
                break;
            }
        }
        self.limit = validator.interp().steps() + left;
    }
}

impl Mutator<'_> {
    /// The inputs with new arguments that are built from few values, some of them values that the
    /// old ones hold. Arguments with references stay. `None` if there is nothing to build.
    pub(super) fn coherent(&mut self, interp: &Interp<'_>, inputs: &Inputs) -> Option<Inputs> {
        let mut few = Few::of(self.program, &self.types, inputs);
        let mut out = inputs.clone();
        out.answers.clear();
        for (arg, ty) in out.args.iter_mut().zip(self.types.clone()) {
            if self.program.holds_no_references(&ty)
                && let Some(value) = self.built(interp, &mut few, &ty, 0)
            {
                *arg = value;
            }
        }
        self.bound(interp, &mut out);
        (out != *inputs).then_some(out)
    }

    /// Makes some of the numbers among the arguments sizes of the others: the length of a sequence,
    /// or the smallest number that is greater than all numbers elsewhere, which are indices below it.
    fn bound(&mut self, interp: &Interp<'_>, inputs: &mut Inputs) {
        for at in 0..inputs.args.len() {
            let Some(ty) = self.types.get(at).cloned() else {
                continue;
            };
            let is_number = self.program.representation(&ty) == Type::Int;
            if !is_number || self.random.flip() {
                continue;
            }
            let others = inputs.args.iter().enumerate().filter(|(i, _)| *i != at);
            let within = others.flat_map(|(_, v)| v.within());
            let size = if self.random.below(3) == 0 {
                let lengths = within.filter_map(|v| {
                    if let Value::Seq(xs) = v {
                        Some(BigInt::from(xs.len()))
                    } else {
                        None
                    }
                });
                let lengths: Vec<BigInt> = lengths.collect();
                self.random.pick(&lengths).cloned()
            } else {
                let numbers = within.filter_map(|v| {
                    if let Value::Int(n) = v {
                        Some(n + 1)
                    } else {
                        None
                    }
                });
                numbers.max()
            };
            let size = size
                .map(Value::Int)
                .filter(|n| interp.value_has_type(n, &ty, &Heap::default()).is_true());
            if let (Some(size), Some(arg)) = (size, inputs.args.get_mut(at)) {
                *arg = size;
            }
        }
    }

    /// A value of a type, built from the few values. Outer collections are larger: those that are
    /// not nested into others.
    pub(super) fn built(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        ty: &Type,
        nesting: u32,
    ) -> Option<Value> {
        few.extent += 1;
        // Types may be nested without an end, and double in size at each level.
        if nesting > MAX_DEPTH || few.extent > 4 * MAX_EXTENT {
            return None;
        }
        let rep = self.program.representation(ty);
        // Constraints of types hold more often if they are checked part by part.
        for _ in 0..MAX_DRAWS {
            let value = self.built_once(interp, few, &rep, nesting)?;
            if rep == *ty
                || interp
                    .value_has_type(&value, ty, &Heap::default())
                    .is_true()
            {
                return Some(value);
            }
        }
        self.any_small(interp, ty)
    }

    fn built_once(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        rep: &Type,
        nesting: u32,
    ) -> Option<Value> {
        if self.is_leaf(rep) {
            return self.leaf(interp, few, rep, nesting);
        }
        let again: Vec<&Value> = few
            .built
            .iter()
            .filter(|(t, _)| t == rep)
            .map(|(_, v)| v)
            .collect();
        // A value again, or one that agrees with it in all parts but one.
        let again = self.random.pick(&again).map(|v| (*v).clone());
        if let Some(again) = again.filter(|_| nesting > 0) {
            match self.random.below(8) {
                0 => return Some(again),
                1 | 2 => return self.varied(interp, few, &again, rep, nesting),
                _ => {}
            }
        }
        let value = self.composite(interp, few, rep, nesting)?;
        few.built.push((rep.clone(), value.clone()));
        Some(value)
    }

    fn composite(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        rep: &Type,
        nesting: u32,
    ) -> Option<Value> {
        Some(match rep {
            Type::Seq(elem) => {
                let xs = self.all(interp, few, elem, nesting)?;
                Value::seq(self.arranged(interp, few, xs, elem))
            }
            Type::Set { elem, .. } => Value::set(self.all(interp, few, elem, nesting)?),
            Type::Multiset(elem) => Value::multiset(self.all(interp, few, elem, nesting)?),
            Type::Map { key, value, .. } => {
                let keys = self.all(interp, few, key, nesting)?;
                let values = keys
                    .iter()
                    .map(|_| self.built(interp, few, value, nesting + 1));
                let values = values.collect::<Option<Vec<_>>>()?;
                Value::map(keys.into_iter().zip(values))
            }
            Type::Tuple(types) => {
                let items = types
                    .iter()
                    .map(|(_, ty)| self.built(interp, few, ty, nesting + 1));
                Value::tuple(items.collect::<Option<Vec<_>>>()?)
            }
            Type::Named { decl, args, .. }
                if matches!(
                    self.program[*decl].kind,
                    TypeDeclKind::Datatype { co: false, .. }
                ) =>
            {
                let subst = self.program.substitution(*decl, args);
                let is_nested = |ty: &Type| self.program.representation(ty) == *rep;
                let fields = |ctor: &dafny_resolve::typed::CtorId| {
                    let fields = self.program[*ctor].fields.iter();
                    fields
                        .map(|f| self.program[*f].ty.subst(&subst))
                        .collect::<Vec<Type>>()
                };
                let is_deep = nesting >= MAX_NESTING || few.extent >= MAX_EXTENT;
                let mut ctors: Vec<_> = ctors_of(self.program, *decl)
                    .iter()
                    .filter(|c| !self.program[**c].ghost)
                    .map(|c| (*c, fields(c)))
                    .collect();
                // The end of a recursion, which may be mutual: without parts, or else without parts
                // of the same type.
                if is_deep {
                    if ctors.iter().any(|(_, fields)| fields.is_empty()) {
                        ctors.retain(|(_, fields)| fields.is_empty());
                    } else {
                        ctors.retain(|(_, fields)| !fields.iter().any(is_nested));
                    }
                }
                // Values with parts of their own type are preferred near the top: the smallest
                // values of a recursive type are common enough.
                let nested: Vec<_> = ctors
                    .iter()
                    .filter(|(_, fields)| nesting < 2 && fields.iter().any(is_nested))
                    .collect();
                let (ctor, types) = match self.random.pick(&nested) {
                    Some(ctor) if self.random.below(3) > 0 => (*ctor).clone(),
                    Some(_) | None => self.random.pick(&ctors)?.clone(),
                };
                let values = types
                    .iter()
                    .map(|ty| self.built(interp, few, ty, nesting + 1));
                Value::datatype(ctor, values.collect::<Option<Vec<_>>>()?)
            }
            Type::Arrow { params, result, .. } if self.random.flip() => {
                self.table(interp, few, params, result, nesting)?
            }
            Type::Arrow { .. }
            | Type::Bool
            | Type::Int
            | Type::Char
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => self.any_small(interp, rep)?,
        })
    }

    /// A function with other results for some of the few arguments.
    fn table(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        params: &[Type],
        result: &Type,
        nesting: u32,
    ) -> Option<Value> {
        // Results are smaller than other values: a test has to show the whole table.
        let depth = nesting + 2;
        let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
        for _ in 0..self.random.below(MAX_ENTRIES + 1) {
            let args = params.iter().map(|ty| self.built(interp, few, ty, depth));
            let args = args.collect::<Option<Vec<_>>>()?;
            if entries.iter().all(|(known, _)| *known != args) {
                entries.push((args, self.built(interp, few, result, depth)?));
            }
        }
        let default = self.built(interp, few, result, depth)?;
        let table = FunctionValue::Table { entries, default };
        Some(Value::Function(Arc::new(table)))
    }

    /// The elements of a collection.
    fn all(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        elem: &Type,
        nesting: u32,
    ) -> Option<Vec<Value>> {
        let sizes: &[usize] = if nesting == 0 { &SIZES } else { &INNER_SIZES };
        let mut size = self.random.pick(sizes).copied().unwrap_or_default();
        if few.extent >= MAX_EXTENT || nesting >= MAX_NESTING {
            size = 0;
        }
        (0..size)
            .map(|_| self.built(interp, few, elem, nesting + 1))
            .collect()
    }

    /// The elements of a sequence in an order that programs expect: sorted, with a key of its own for
    /// each element, or with one component that all have in common, so that they form a group.
    fn arranged(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        mut xs: Vec<Value>,
        elem: &Type,
    ) -> Vec<Value> {
        match self.random.below(6) {
            0 => xs.sort(),
            1..=3 => {
                let rep = self.program.representation(elem);
                let Some((at, key)) = self.key_of(&rep, xs.first()) else {
                    return xs;
                };
                let mut keys = self.few(interp, few, &key);
                shuffle(&mut self.random, &mut keys);
                // Only as many elements as there are keys.
                xs.truncate(keys.len());
                for (x, key) in xs.iter_mut().zip(keys) {
                    if let Some(new) = with_component(x, at, key) {
                        *x = new;
                    }
                }
            }
            4 => {
                let Some(first) = xs.first().cloned() else {
                    return xs;
                };
                let at = self.random.below(components(&first).len());
                let Some(common) = components(&first).get(at).cloned() else {
                    return xs;
                };
                let is_alike = |x: &Value| match (x, &first) {
                    (Value::Datatype(a), Value::Datatype(b)) => a.ctor == b.ctor,
                    (_, _) => true,
                };
                for x in xs.iter_mut().filter(|x| is_alike(x)) {
                    if let Some(new) = with_component(x, Some(at), common.clone()) {
                        *x = new;
                    }
                }
            }
            _ => {}
        }
        xs
    }

    /// The component of an element that may be its key, with its type: the element itself if it has
    /// no parts, a text if it has one, else a number.
    fn key_of(&self, rep: &Type, element: Option<&Value>) -> Option<(Option<usize>, Type)> {
        if self.is_leaf(rep) {
            return Some((None, rep.clone()));
        }
        let types: Vec<Type> = match (rep, element?) {
            (Type::Tuple(types), _) => types.iter().map(|(_, ty)| ty.clone()).collect(),
            (Type::Named { decl, args, .. }, Value::Datatype(d)) => {
                let subst = self.program.substitution(*decl, args);
                let fields = self.program[d.ctor].fields.iter();
                fields.map(|f| self.program[*f].ty.subst(&subst)).collect()
            }
            (_, _) => return None,
        };
        let types: Vec<Type> = types
            .iter()
            .map(|t| self.program.representation(t))
            .collect();
        let text = types
            .iter()
            .position(|t| matches!(t, Type::Seq(_)) && self.is_leaf(t));
        let at = text.or_else(|| types.iter().position(|t| matches!(t, Type::Int)))?;
        Some((Some(at), types.get(at)?.clone()))
    }

    /// The value with one of its components built anew.
    fn varied(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        value: &Value,
        rep: &Type,
        nesting: u32,
    ) -> Option<Value> {
        match (value, rep) {
            (Value::Datatype(d), Type::Named { decl, args, .. }) if !d.args.is_empty() => {
                let at = self.random.below(d.args.len());
                let field = *self.program[d.ctor].fields.get(at)?;
                let ty = self.program[field]
                    .ty
                    .subst(&self.program.substitution(*decl, args));
                let new = self.built(interp, few, &ty, nesting + 1)?;
                with_component(value, Some(at), new)
            }
            (Value::Tuple(items), Type::Tuple(types)) if !items.is_empty() => {
                let at = self.random.below(items.len());
                let new = self.built(interp, few, &types.get(at)?.1, nesting + 1)?;
                with_component(value, Some(at), new)
            }
            (Value::Seq(xs), Type::Seq(elem)) if !xs.is_empty() => {
                let at = self.random.below(xs.len());
                let new = self.built(interp, few, elem, nesting + 1)?;
                let mut xs = xs.to_vec();
                match self.random.below(3) {
                    0 => drop(xs.remove(at)),
                    1 => xs.insert(at, new),
                    _ => *xs.get_mut(at)? = new,
                }
                Some(Value::seq(xs))
            }
            (_, _) => Some(value.clone()),
        }
    }

    /// Whether values of a type are keys and not built of others: scalars, texts, and values of
    /// datatypes whose constructors have no parameters.
    fn is_leaf(&self, rep: &Type) -> bool {
        match rep {
            Type::Bool | Type::Int | Type::Char | Type::Real | Type::Bv(_) | Type::Ordinal => true,
            Type::Seq(elem) => self.program.representation(elem) == Type::Char,
            Type::Named { decl, .. } => {
                let ctors = match &self.program[*decl].kind {
                    TypeDeclKind::Datatype {
                        co: false, ctors, ..
                    } => ctors,
                    TypeDeclKind::Datatype { .. }
                    | TypeDeclKind::Newtype(_)
                    | TypeDeclKind::Subset(_)
                    | TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => return false,
                };
                ctors.iter().all(|c| self.program[*c].fields.is_empty())
            }
            Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// One of the few values of a type without parts. A text that is an argument of its own may also
    /// be composed, but rarely if other arguments hold texts: it is a name then.
    fn leaf(
        &mut self,
        interp: &Interp<'_>,
        few: &mut Few,
        rep: &Type,
        nesting: u32,
    ) -> Option<Value> {
        let known = self.few(interp, few, rep);
        let composed = if few.has_names { 8 } else { 2 };
        if nesting == 0
            && let Some(Value::Seq(text)) = self.random.pick(&known)
            && self.random.below(composed) == 0
        {
            if self.random.flip() {
                let text = text.to_vec();
                return self.recomposed(&text, &Type::Char).map(Value::seq);
            }
            return self.joined(&known);
        }
        let value = self.random.pick(&known).cloned()?;
        // Long texts are a large part of the inputs.
        if let Value::Seq(text) = &value {
            few.extent += text.len() / 2;
        }
        Some(value)
    }

    /// Some of the few texts as words of one.
    fn joined(&mut self, words: &[Value]) -> Option<Value> {
        let separator = self.separator(&[]).map(Value::Char);
        let mut text: Vec<Value> = Vec::new();
        for i in 0..=1 + self.random.below(MAX_WORDS) {
            if i > 0 {
                text.extend(separator.clone());
            }
            if let Value::Seq(word) = self.random.pick(words)? {
                text.extend(word.to_vec());
            }
        }
        (text.len() <= MAX_CHARACTERS).then(|| Value::seq(text))
    }

    /// The few values of a type without parts. They are drawn when the first one is needed.
    fn few(&mut self, interp: &Interp<'_>, few: &mut Few, rep: &Type) -> Vec<Value> {
        if let Some((_, known)) = few.leaves.iter().find(|(t, _)| t == rep) {
            return known.clone();
        }
        let most = MIN_FEW + self.random.below(MAX_FEW - MIN_FEW + 1);
        let mut found: Vec<Value> = Vec::new();
        let add = |found: &mut Vec<Value>, value: Value| {
            if !found.contains(&value) {
                found.push(value);
            }
        };
        // Some are values that the inputs hold, so that objects are asked for what is in them.
        let held: Vec<Value> = few
            .held
            .iter()
            .filter(|(_, t)| t == rep)
            .map(|(v, _)| v.clone())
            .collect();
        for _ in 0..self.random.below(most + 1) {
            if let Some(value) = self.random.pick(&held) {
                add(&mut found, value.clone());
            }
        }
        match rep {
            Type::Int => {
                let from = self.random.below(3);
                let step = [1, 1, 2, 5];
                let step = self.random.pick(&step).copied().unwrap_or(1);
                // One more than for other types: numbers are also compared by order.
                (0..=most).for_each(|i| add(&mut found, Value::int(from + i * step)));
                found.truncate(most + 1);
                if self.random.flip()
                    && let Some(n) = self.number_of_program()
                {
                    add(&mut found, Value::Int(n));
                }
            }
            Type::Char => {
                for _ in 0..2 {
                    let letter = self.random.pick_near(&self.chars).copied();
                    letter
                        .into_iter()
                        .for_each(|c| add(&mut found, Value::Char(c)));
                }
                "abc"
                    .chars()
                    .for_each(|c| add(&mut found, Value::Char(u32::from(c))));
                found.truncate(most);
            }
            Type::Seq(_) => {
                let text = |text: &[u32]| Value::seq(text.iter().map(|c| Value::Char(*c)));
                if self.random.flip()
                    && let Some(own) = self.random.pick_near(&self.texts)
                {
                    add(&mut found, text(own));
                }
                let names = ["a", "b", "c", "ab"];
                let names = names.map(|n| n.chars().map(u32::from).collect::<Vec<u32>>());
                names.iter().for_each(|n| add(&mut found, text(n)));
                found.truncate(most);
                if self.random.below(4) == 0 {
                    add(&mut found, text(&[]));
                }
            }
            Type::Bool
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => {
                for _ in 0..2 * most {
                    let small = self.any_small(interp, rep);
                    small.into_iter().for_each(|v| add(&mut found, v));
                }
            }
        }
        few.leaves.push((rep.clone(), found.clone()));
        found
    }

    /// A number that the program mentions, or its neighbour.
    fn number_of_program(&mut self) -> Option<BigInt> {
        let by = BigInt::from(self.random.below(3)) - 1;
        let n = self.random.pick_near(&self.numbers)?;
        (n.magnitude() <= &MAX_NUMBER.into()).then(|| n + by)
    }
}

/// The components of a record.
fn components(value: &Value) -> &[Value] {
    if let Value::Datatype(d) = value {
        &d.args
    } else if let Value::Tuple(items) = value {
        items
    } else {
        &[]
    }
}

/// The value with another component; the component itself if there is no position.
fn with_component(value: &Value, at: Option<usize>, component: Value) -> Option<Value> {
    let Some(at) = at else {
        return Some(component);
    };
    if let Value::Datatype(d) = value {
        let mut args = d.args.clone();
        *args.get_mut(at)? = component;
        Some(Value::datatype(d.ctor, args))
    } else if let Value::Tuple(items) = value {
        let mut items = items.to_vec();
        *items.get_mut(at)? = component;
        Some(Value::tuple(items))
    } else {
        None
    }
}

/// Whether values of a type hold texts. The datatypes in `seen` are not looked into again, with
/// whatever arguments: their number may be infinite.
fn mentions_text(program: &Program, ty: &Type, seen: &mut Vec<TypeId>) -> bool {
    let rep = program.representation(ty);
    if let Type::Named { decl, .. } = &rep {
        if seen.contains(decl) {
            return false;
        }
        seen.push(*decl);
    }
    let mut within = |ty: &Type| mentions_text(program, ty, seen);
    match &rep {
        Type::Seq(elem) => program.representation(elem) == Type::Char || within(elem),
        Type::Set { elem, .. } | Type::Multiset(elem) => within(elem),
        Type::Map { key, value, .. } => within(key) || within(value),
        Type::Tuple(types) => types.iter().any(|(_, ty)| within(ty)),
        Type::Named { decl, args, .. } => {
            let subst = program.substitution(*decl, args);
            let is_of_datatype = matches!(program[*decl].kind, TypeDeclKind::Datatype { .. });
            args.iter().any(&mut within)
                || is_of_datatype
                    && ctors_of(program, *decl).iter().any(|c| {
                        let mut fields = program[*c].fields.iter();
                        fields.any(|f| within(&program[*f].ty.subst(&subst)))
                    })
        }
        Type::Bool
        | Type::Int
        | Type::Char
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}

/// Puts values into a random order.
fn shuffle(random: &mut Xorshift, values: &mut [Value]) {
    for i in (1..values.len()).rev() {
        values.swap(i, random.below(i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutate::Mutator;
    use dafny_resolve::typed::CallableId;
    use dtest_interp::{Inputs, Interp, Limits};
    use dtest_ir::{Criteria, Criterion};
    use dtest_value::{FunctionValue, Value};

    /// Inputs of `F` that are built one after the other, each from the one before.
    fn built(source: &str, count: usize) -> Vec<Inputs> {
        let criteria = Criteria::new([Criterion::Block]).expect("criteria");
        let program = dtest_lower::testing::lowered(source, criteria).1;
        let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
        let unit = ids
            .find(|id| program.typed.callable_path(*id) == "F")
            .expect("declared");
        let procedure = program.procedures.get(&unit).expect("a body");
        let interp = Interp::new(&program, Limits::default());
        let mut mutator = Mutator::new(&program, procedure, &[], 1);
        let mut inputs = Inputs {
            args: vec![Value::seq([]); procedure.params.len()],
            ..Inputs::default()
        };
        let mut all = Vec::new();
        for _ in 0..count {
            if let Some(next) = mutator.coherent(&interp, &inputs) {
                assert!(
                    !interp.check_inputs(unit, &next).verdict().is_false(),
                    "{next:?}"
                );
                inputs = next.clone();
                all.push(next);
            }
        }
        all
    }

    fn elements(value: &Value) -> Vec<Value> {
        let Value::Seq(xs) = value else {
            panic!("a sequence, not {value:?}");
        };
        xs.to_vec()
    }

    fn component(value: &Value, at: usize) -> Value {
        let Value::Datatype(d) = value else {
            panic!("a record, not {value:?}");
        };
        d.args[at].clone()
    }

    #[test]
    fn records_name_each_other_repeat_names_and_agree_in_all_parts_but_one() {
        let all = built(
            "datatype Item = Item(name: string, price: nat, isNew: bool)
             function F(items: seq<Item>, order: seq<string>): nat { |items| + |order| }",
            300,
        );
        let count = |what: &dyn Fn(&[Value], &[Value]) -> bool| {
            let each = all
                .iter()
                .map(|i| (elements(&i.args[0]), elements(&i.args[1])));
            each.filter(|(items, order)| what(items, order)).count()
        };
        let name = |item: &Value| component(item, 0);
        let price = |item: &Value| component(item, 1);
        let pairs = |items: &[Value], holds: &dyn Fn(&Value, &Value) -> bool| {
            (0..items.len()).any(|i| (0..i).any(|j| holds(&items[i], &items[j])))
        };
        let is_listed = |items: &[Value], n: &Value| items.iter().any(|i| name(i) == *n);
        // Each of these cases is common, not only possible.
        let cases = [
            count(&|items, order| order.len() > 1 && order.iter().all(|n| is_listed(items, n))),
            count(&|items, order| order.iter().any(|n| !is_listed(items, n))),
            count(&|items, _| items.len() > 2 && !pairs(items, &|a, b| name(a) == name(b))),
            count(&|items, _| pairs(items, &|a, b| name(a) == name(b) && price(a) != price(b))),
            count(&|items, _| pairs(items, &|a, b| name(a) != name(b) && price(a) == price(b))),
            count(&|_, order| pairs(order, &|a, b| a == b)),
        ];
        assert!(cases.iter().all(|n| *n >= 15), "{cases:?} of {}", all.len());
        assert!(count(&|items, _| items.len() > 8) == 0);
    }

    #[test]
    fn recursive_values_have_several_levels_and_constraints_hold() {
        let all = built(
            "datatype Tree = Leaf | Node(left: Tree, key: Even, right: Tree)
             type Even = n: nat | n % 2 == 0
             function F(tree: Tree): nat { if tree.Node? then tree.key else 0 }",
            200,
        );
        fn depth(tree: &Value) -> usize {
            let Value::Datatype(d) = tree else {
                return 0;
            };
            let of_children = d.args.iter().map(depth).max();
            of_children.map_or(0, |n| n + 1)
        }
        let is_deep = |inputs: &&Inputs| depth(&inputs.args[0]) > 3;
        assert!(all.iter().filter(is_deep).count() > 20);
    }

    #[test]
    fn types_without_an_end_and_functions_over_keys_have_values() {
        let all = built(
            "datatype Perfect<A> = Leaf | Node(value: A, rest: Perfect<(A, A)>)
             datatype Odd = Odd(rest: Even) datatype Even = None | Even(rest: Odd)
             function F(p: Perfect<int>, e: Even, keep: string -> bool, word: string): bool { keep(word) }",
            200,
        );
        assert!(all.len() > 150, "{}", all.len());
        // Some functions distinguish the word from others.
        let is_entry = |inputs: &&Inputs| {
            let Value::Function(f) = &inputs.args[2] else {
                return false;
            };
            matches!(&**f, FunctionValue::Table { entries, default }
                if entries.iter().any(|(args, r)| args[0] == inputs.args[3] && r != default))
        };
        assert!(all.iter().filter(is_entry).count() > 5);
    }
}
