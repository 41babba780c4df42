//! Further inputs without the solver: inputs that led somewhere are changed a little, and those that lead somewhere new are
//! changed again (coverage-guided mutation, as fuzzers do it, over typed values instead of bytes).
//!
//! What parsers and other functions over sequences ask for is easily met this way, and hard to solve for: their encodings
//! grow with every turn of a recursion, an execution does not.

use std::collections::BTreeSet;
use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::Search;
use super::constants::{Constants, Reach};
use super::seeds::Maker;
use super::trial::Trial;
use super::vary::rewrite_inputs;
use crate::interp::{Inputs, Interp};
use crate::ir::{self, BlockId, Procedure};
use crate::typed::{Program, Substitution, Type};
use crate::value::{Contents, FunctionValue, Heap, Value};

/// Executions, at most.
const MAX_TRIALS: usize = 6_000;
/// Executions without anything new, at most.
const MAX_IDLE: usize = 2_000;
/// Steps of the interpreter, at most.
const MAX_STEPS: u64 = 3_000_000;
/// They cost no more than one of so many parts of what the unit may.
const PARTS: u64 = 16;
/// Inputs that are changed further, at most.
const MAX_POOL: usize = 64;
/// Elements of a sequence that is made longer, at most.
const MAX_LENGTH: usize = 24;
/// Nesting of the values that take another's place.
const DEPTH: u32 = 2;

/// What tells executions apart: the path of the outermost activation, and how long it all takes, roughly.
type Signature = (Vec<(BlockId, BlockId)>, u32);

impl Search<'_> {
    /// Changes inputs of accepted trials until nothing is open, or nothing new is met.
    pub(super) fn mutate(&mut self) {
        if self.accepted.is_empty() || self.options.enumerate == 0 || self.is_opaque() {
            return;
        }
        let before = self.judge.interp().steps();
        let most = MAX_STEPS.min(self.effort.instructions_of_part(PARTS));
        let mut mutator = Mutator::new(self.program, self.procedure, &self.type_args, self.options.seed);
        let mut pool: Vec<Inputs> = self.accepted.iter().map(|t| t.inputs.clone()).collect();
        let mut met: BTreeSet<Signature> = self.accepted.iter().map(signature).collect();
        let mut idle = 0;
        for _ in 0..MAX_TRIALS {
            let steps = self.judge.interp().steps() - before;
            if self.open().is_empty() || idle >= MAX_IDLE || steps > most || self.is_over() {
                break;
            }
            idle += 1;
            let at = mutator.random.below(pool.len());
            let Some(inputs) = pool.get(at).map(|inputs| mutator.changed(self.judge.interp(), inputs)) else { break };
            let Some(trial) = self.judge.judge(inputs) else { continue };
            let covers_more = trial.covers.iter().any(|g| !self.covered.contains(g));
            if covers_more || met.insert(signature(&trial)) && pool.len() < MAX_POOL {
                idle = 0;
                pool.push(trial.inputs.clone());
            }
            if covers_more {
                self.accept(trial);
            }
        }
    }
}

fn signature(trial: &Trial) -> Signature {
    (trial.execution.trace.clone(), trial.execution.steps.checked_ilog2().unwrap_or(0))
}

/// Numbers that look random and are always the same (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`; 0 where there is none.
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16).checked_rem(n as u64).map_or(0, |r| r as usize)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// One of the first as often as one of the others.
    fn pick_near<'a, T>(&mut self, [near, far]: &'a [Vec<T>; 2]) -> Option<&'a T> {
        let from = if self.flip() && !near.is_empty() { near } else { far };
        self.pick(from)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

pub(super) struct Mutator<'p> {
    program: &'p Program,
    /// Types of the parameters.
    types: Vec<Type>,
    constants: Constants,
    /// Numbers, characters and strings of the unit itself, and of all that it leads to.
    numbers: [Vec<BigInt>; 2],
    chars: [Vec<u32>; 2],
    texts: [Vec<Vec<u32>>; 2],
    /// Small values of a type.
    small: FxHashMap<Type, Rc<Vec<Value>>>,
    random: Random,
    /// The last change of a sequence's length.
    resized: Option<(usize, usize)>,
}

impl<'p> Mutator<'p> {
    pub(super) fn new(program: &'p ir::Program, procedure: &Procedure, type_args: &[Type], seed: u32) -> Self {
        let subst: Substitution = procedure.type_params.iter().copied().zip(type_args.iter().cloned()).collect();
        let ty = |p: &ir::Var| procedure.vars.get(p.0 as usize).map_or(Type::Error, |i| i.ty.subst(&subst));
        let (own, constants) = (Constants::of(program, procedure, Reach::OWN), Constants::of(program, procedure, Reach::FAR));
        let codes = |c: &u32| BigInt::from(*c);
        let numbers =
            |c: &Constants| c.ints.iter().cloned().chain(c.chars.iter().map(codes)).chain([0, 1, 2, 255].map(BigInt::from)).collect();
        let letters = [' ', 'a', 'Z', '0', '9', '.', '-', '"', '\\', '\n'].map(u32::from);
        let chars = |c: &Constants| c.chars.iter().copied().chain(letters).collect();
        let texts = |c: &Constants| c.strings.iter().cloned().collect();
        Self {
            program: &program.typed,
            types: procedure.params.iter().map(ty).collect(),
            numbers: [numbers(&own), numbers(&constants)],
            chars: [chars(&own), chars(&constants)],
            texts: [texts(&own), texts(&constants)],
            constants,
            small: FxHashMap::default(),
            random: Random(0x9E37_79B9_7F4A_7C15 ^ u64::from(seed)),
            resized: None,
        }
    }

    /// The inputs with a few changes.
    pub(super) fn changed(&mut self, interp: &Interp<'_>, inputs: &Inputs) -> Inputs {
        let mut out = Inputs { answers: Vec::new(), ..inputs.clone() };
        self.resized = None;
        for _ in 0..=self.random.below(3) {
            self.change_place(interp, &mut out);
        }
        match self.resized {
            // Where a number was the length of what has another length now, it may have to follow.
            Some((old, new)) if self.random.flip() => {
                let (old, new) = (Value::int(old), Value::int(new));
                rewrite_inputs(&out, &mut |v| (*v == old && self.random.flip()).then(|| new.clone()))
            }
            Some(_) | None => out,
        }
    }

    /// Changes an argument, or what an object holds.
    fn change_place(&mut self, interp: &Interp<'_>, inputs: &mut Inputs) {
        let at = self.random.below(inputs.args.len() + inputs.heap.objects.len());
        if let Some(arg) = inputs.args.get_mut(at) {
            if let Some(ty) = self.types.get(at).cloned() {
                *arg = self.change(interp, arg, &ty);
            }
            return;
        }
        let Some(object) = inputs.heap.objects.get_mut(at - inputs.args.len()) else { return };
        match (&mut object.contents, &object.ty) {
            (Contents::Fields(fields), ty) => {
                let field = self.random.below(fields.len());
                if let Some((field, value)) = fields.iter_mut().nth(field) {
                    let ty = self.program.field_type(ty, *field);
                    *value = self.change(interp, value, &ty);
                }
            }
            (Contents::Elements { dims, elements }, Type::Array { elem, .. }) if dims.len() == 1 => {
                let known: Option<Vec<Value>> = elements.iter().cloned().collect();
                if let Some(changed) = known.map(|values| self.change_elements(interp, values, elem)) {
                    *dims = vec![changed.len()];
                    *elements = changed.into_iter().map(Some).collect();
                }
            }
            (Contents::Elements { .. }, _) => {}
        }
    }

    /// Another value of a concrete type, near the given one.
    fn change(&mut self, interp: &Interp<'_>, value: &Value, ty: &Type) -> Value {
        if self.random.below(8) == 0
            && let Some(v) = self.any_small(interp, ty)
        {
            return v;
        }
        let rep = self.program.representation(ty);
        match (value, &rep) {
            (Value::Bool(b), _) => Value::Bool(!b),
            (Value::Char(_), _) => self.random.pick_near(&self.chars).map_or_else(|| value.clone(), |c| Value::Char(*c)),
            (Value::Int(n), _) => Value::Int(self.number(n)),
            (Value::Real(r), _) => {
                let by = BigRational::new(BigInt::from(self.random.below(5) as i64 - 2), BigInt::from(2));
                Value::Real(r + by)
            }
            (Value::Bv { width, bits }, _) => {
                let bit = BigUint::from(1u32) << self.random.below(*width as usize);
                Value::Bv { width: *width, bits: bits ^ bit }
            }
            (Value::Seq(xs), Type::Seq(elem)) => Value::seq(self.change_elements(interp, xs.to_vec(), elem)),
            (Value::Set(xs), Type::Set { elem, .. }) => {
                let xs = self.change_elements(interp, xs.iter().cloned().collect(), elem);
                Value::set(xs)
            }
            (Value::Map(pairs), Type::Map { key, value, .. }) => self.change_map(interp, pairs.iter().collect(), key, value),
            (Value::Tuple(xs), Type::Tuple(types)) => {
                let mut xs = xs.to_vec();
                let at = self.random.below(xs.len());
                if let (Some(x), Some((_, ty))) = (xs.get_mut(at), types.get(at)) {
                    *x = self.change(interp, x, ty);
                }
                Value::tuple(xs)
            }
            (Value::Datatype(d), Type::Named { decl, args, .. }) if !d.args.is_empty() => {
                let subst = self.program.substitution(*decl, args);
                let at = self.random.below(d.args.len());
                let mut values = d.args.clone();
                if let (Some(x), Some(field)) = (values.get_mut(at), self.program[d.ctor].fields.get(at)) {
                    let ty = self.program[*field].ty.subst(&subst);
                    *x = self.change(interp, x, &ty);
                }
                Value::datatype(d.ctor, values)
            }
            (Value::Function(f), Type::Arrow { result, .. }) => match &**f {
                FunctionValue::Table { entries, default } => {
                    let table = FunctionValue::Table { entries: entries.clone(), default: self.change(interp, default, result) };
                    Value::Function(std::sync::Arc::new(table))
                }
                FunctionValue::Template(_) | FunctionValue::Closure { .. } | FunctionValue::Named { .. } => value.clone(),
            },
            (_, _) => self.any_small(interp, ty).unwrap_or_else(|| value.clone()),
        }
    }

    fn number(&mut self, n: &BigInt) -> BigInt {
        match self.random.below(4) {
            0 => n + 1,
            1 => n - 1,
            _ => self.random.pick_near(&self.numbers).cloned().unwrap_or_default(),
        }
    }

    /// The elements of a sequence, set or array with one change: one more, one less, another one, a constant of the program
    /// among them, or a part twice.
    fn change_elements(&mut self, interp: &Interp<'_>, mut xs: Vec<Value>, elem: &Type) -> Vec<Value> {
        let length = xs.len();
        let at = self.random.below(length + 1);
        match self.random.below(7) {
            0 | 1 if length < MAX_LENGTH => {
                let near = self.random.pick(&xs).cloned();
                let new = match near {
                    Some(x) if self.random.flip() => Some(self.change(interp, &x, elem)),
                    other => self.any_small(interp, elem).or(other),
                };
                new.into_iter().for_each(|x| xs.insert(at, x));
            }
            2 => drop((at < length).then(|| xs.remove(at))),
            3 if length < MAX_LENGTH => {
                if let Some(text) = self.text(elem) {
                    if self.random.flip() {
                        xs.clear();
                    }
                    let at = at.min(xs.len());
                    xs.splice(at..at, text);
                }
            }
            4 if length < MAX_LENGTH => {
                let end = at + self.random.below(length - at + 1);
                let part: Vec<Value> = xs.get(at..end).map(<[Value]>::to_vec).unwrap_or_default();
                xs.splice(end..end, part);
            }
            _ => {
                if let Some(x) = xs.get(at).cloned() {
                    let new = self.change(interp, &x, elem);
                    xs.get_mut(at).into_iter().for_each(|x| *x = new.clone());
                }
            }
        }
        if xs.len() != length {
            self.resized = Some((length, xs.len()));
        }
        xs
    }

    /// A string of the program, as characters or as their codes.
    fn text(&mut self, elem: &Type) -> Option<Vec<Value>> {
        let text = self.random.pick_near(&self.texts)?;
        match self.program.representation(elem) {
            Type::Char => Some(text.iter().map(|c| Value::Char(*c)).collect()),
            Type::Int => Some(text.iter().map(|c| Value::int(*c)).collect()),
            _ => None,
        }
    }

    fn change_map(&mut self, interp: &Interp<'_>, pairs: Vec<(&Value, &Value)>, key: &Type, value: &Type) -> Value {
        let mut pairs: Vec<(Value, Value)> = pairs.into_iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        let at = self.random.below(pairs.len());
        match self.random.below(4) {
            0 | 1 => {
                let pair = self.any_small(interp, key).zip(self.any_small(interp, value));
                pairs.extend(pair);
            }
            2 => drop((at < pairs.len()).then(|| pairs.remove(at))),
            _ => {
                if let Some((_, v)) = pairs.get_mut(at) {
                    *v = self.change(interp, v, value);
                }
            }
        }
        Value::map(pairs)
    }

    /// A small value of a type that holds no references.
    fn any_small(&mut self, interp: &Interp<'_>, ty: &Type) -> Option<Value> {
        let values = match self.small.get(ty) {
            Some(values) => Rc::clone(values),
            None => {
                let values = if self.program.holds_no_references(ty) {
                    Maker::new(interp.program(), interp, &self.constants).values(ty, DEPTH, &mut Heap::default())
                } else {
                    Vec::new()
                };
                let values = Rc::new(values);
                self.small.insert(ty.clone(), Rc::clone(&values));
                values
            }
        };
        self.random.pick(&values).cloned()
    }
}
