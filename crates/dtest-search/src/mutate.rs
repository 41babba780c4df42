//! Coverage-guided mutation of inputs, as in fuzzers, but over typed values instead of bytes:
//! inputs that reached something new are changed again.
//!
//! This complements the solver. Goals of parsers and other functions over sequences are easily
//! reached by small changes and hard to solve for, because their encodings grow with every
//! recursive call. [`Mutator`] makes the changes, also for other stages of the search;
//! `Search::mutate` is the loop.

use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::Search;
use super::constants::{Constants, Reach};
use super::diversify::rewrite_inputs;
use super::parts;
use super::seeds::Maker;
use super::sequences::Sequences;
use super::validate::Candidate;
use dafny_resolve::typed::{Program, Substitution, Type};
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Inputs, Interp};
use dtest_ir::{self as ir, BlockId, Procedure};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Elements, FunctionValue, Heap, Value};

/// Maximum number of executions.
const MAX_CANDIDATES: usize = 6_000;
/// Maximum number of consecutive executions without anything new.
const MAX_IDLE: usize = 2_000;
/// Maximum number of interpreter steps.
const MAX_STEPS: u64 = 3_000_000;
/// Divisor of the unit's budget: the executions may use one of so many parts.
const BUDGET_DIVISOR: u64 = 16;
/// One of so many changes is by further calls.
const CALLED: usize = 4;
/// Maximum number of inputs in the pool.
const MAX_POOL: usize = 64;
/// Maximum number of elements of a sequence that is extended.
const MAX_LENGTH: usize = 24;
/// The same of a text.
const MAX_TEXT: usize = 48;
/// Maximum side length of an array of several dimensions that is extended, and maximum number of
/// its elements.
const MAX_SIDE: usize = 6;
const MAX_CELLS: usize = 64;
/// Factors of numbers.
const MULTIPLES: [i32; 5] = [-1, 3, 10, -10, 100];
/// Maximum nesting of values that replace others.
const DEPTH: u32 = 2;

/// The novelty criterion for executions: the trace of the outermost activation, and the logarithm
/// of the number of steps.
type Signature = (Vec<(BlockId, BlockId)>, u32);

impl Search<'_> {
    /// Changes inputs of accepted candidates until no goal is open or nothing new is found.
    pub(super) fn mutate(&mut self) {
        // Without an accepted candidate there is nothing to start from.
        if self.accepted.is_empty() || self.options.enumerate == 0 || self.is_opaque() {
            return;
        }
        let before = self.validator.interp().steps();
        // The share of the budget leaves enough for queries.
        let most = MAX_STEPS.min(self.effort.instructions_of_part(BUDGET_DIVISOR));
        let mut mutator = Mutator::new(
            self.program,
            self.procedure,
            &self.type_args,
            self.options.seed,
        );
        // The pool starts with the accepted candidates.
        let mut pool: Vec<Inputs> = self.accepted.iter().map(|t| t.inputs.clone()).collect();
        let mut met: SortedSet<Signature> = self.accepted.iter().map(signature).collect();
        let mut sequences = Sequences::default();
        let mut idle = 0;
        self.validator.keep_short(&self.accepted);
        for _ in 0..MAX_CANDIDATES {
            let steps = self.validator.interp().steps() - before;
            if self.open().is_empty() || idle >= MAX_IDLE || steps > most || self.is_over() {
                break;
            }
            idle += 1;
            // The inputs are drawn uniformly, so that old ones are not forgotten.
            let at = mutator.random.below(pool.len());
            let Some(basis) = pool.get(at) else {
                break;
            };
            // Calls keep what a precondition asks of a structure, which other changes break.
            let called = if mutator.random.below(CALLED) == 0 {
                sequences.extended(&mut self.validator, &mut mutator, basis)
            } else {
                None
            };
            let inputs = called.unwrap_or_else(|| mutator.changed(self.validator.interp(), basis));
            let Some(candidate) = self.validator.validate(inputs) else {
                continue;
            };
            // Only candidates with new goals become tests; a new signature is enough to be changed
            // further.
            let covers_more = candidate.covers.iter().any(|g| !self.covered.contains(g));
            if covers_more || met.insert(signature(&candidate)) && pool.len() < MAX_POOL {
                idle = 0;
                pool.push(candidate.inputs.clone());
            }
            if covers_more {
                self.accept(candidate);
            }
        }
        self.validator.interp().keep_short(None);
    }
}

fn signature(candidate: &Candidate) -> Signature {
    (
        candidate.execution.trace.clone(),
        candidate.execution.steps.checked_ilog2().unwrap_or(0),
    )
}

/// Makes small changes to inputs of one unit, directed by the types of its parameters. The same
/// seed makes the same changes.
pub(super) struct Mutator<'p> {
    pub(super) program: &'p Program,
    /// Types of the parameters.
    pub(super) types: Vec<Type>,
    constants: Constants,
    /// Constants of the unit itself, then those of all callees.
    pub(super) numbers: [Vec<BigInt>; 2],
    pub(super) chars: [Vec<u32>; 2],
    pub(super) texts: [Vec<Vec<u32>>; 2],
    /// Cached small values by type.
    small: FxHashMap<Type, Rc<Vec<Value>>>,
    pub(super) random: Xorshift,
    /// The numbers in the inputs that are being changed.
    present: Vec<BigInt>,
    /// The old and the new length of the last sequence that changed its length.
    resized: Option<(usize, usize)>,
}

impl<'p> Mutator<'p> {
    pub(super) fn new(
        program: &'p ir::Program,
        procedure: &Procedure,
        type_args: &[Type],
        seed: u32,
    ) -> Self {
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let ty = |p: &ir::Var| {
            procedure
                .vars
                .get(p.0 as usize)
                .map_or(Type::Error, |i| i.ty.subst(&subst))
        };
        // Constants of the unit itself are preferred to those of its callees.
        let (own, constants) = (
            Constants::of(program, procedure, Reach::OWN),
            Constants::of(program, procedure, Reach::FAR),
        );
        let codes = |c: &u32| BigInt::from(*c);
        let numbers = |c: &Constants| {
            c.ints
                .iter()
                .cloned()
                .chain(c.chars.iter().map(codes))
                .chain([0, 1, 2, 255].map(BigInt::from))
                .collect()
        };
        // Characters with a special meaning in many formats.
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
            random: Xorshift::new(Xorshift::START ^ u64::from(seed)),
            present: Vec::new(),
            resized: None,
        }
    }

    /// The inputs with a few changes: either a different result of a stub, or different arguments
    /// and objects. Stubs' results are discarded in the latter case, because they belong to the old
    /// arguments.
    pub(super) fn changed(&mut self, interp: &Interp<'_>, inputs: &Inputs) -> Inputs {
        self.present.clear();
        // A stub's result is changed alone, because other changes would discard it.
        if !inputs.answers.is_empty() && self.random.flip() {
            return self.with_other_answer(interp, inputs);
        }
        let mut out = rewrite_inputs(inputs, &mut |v| {
            if let Value::Int(n) = v {
                self.present.push(n.clone());
            }
            None
        });
        out.answers.clear();
        self.resized = None;
        // Up to three changes at once: some goals need two values to change together.
        for _ in 0..=self.random.below(3) {
            self.change_place(interp, &mut out);
        }
        match self.resized {
            // A number that was the length of a sequence may have to follow its new length.
            Some((old, new)) if self.random.flip() => {
                let (old, new) = (Value::int(old), Value::int(new));
                rewrite_inputs(&out, &mut |v| {
                    (*v == old && self.random.flip()).then(|| new.clone())
                })
            }
            Some(_) | None => out,
        }
    }

    /// The inputs with the part of that number changed ([`parts`]). If there is no other value for
    /// it, the inputs are returned unchanged. `None` if there is no such part.
    pub(super) fn with_part(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        at: usize,
    ) -> Option<Inputs> {
        self.present.clear();
        let part = parts::parts(self.program, &self.types, inputs, at + 1)
            .into_iter()
            .nth(at)?;
        // A constructor cannot be derived from the current value, so that any small value replaces
        // it.
        let other = if matches!(part.value, Value::Datatype(_)) {
            self.any_small(interp, &part.ty)
        } else {
            Some(self.change(interp, &part.value, &part.ty))
        };
        Some(
            other
                .and_then(|other| parts::with(inputs, &part, other))
                .unwrap_or_else(|| inputs.clone()),
        )
    }

    /// The inputs with one stub result changed. Whether the contract allows it is checked when it
    /// is used.
    fn with_other_answer(&mut self, interp: &Interp<'_>, inputs: &Inputs) -> Inputs {
        let mut out = inputs.clone();
        let at = self.random.below(out.answers.len());
        let Some(answer) = out.answers.get_mut(at).filter(|a| a.type_args.is_empty()) else {
            return out;
        };
        let formals = &self.program[answer.callee].outs;
        let at = self.random.below(answer.results.len());
        if let (Some(Some(result)), Some(formal)) = (answer.results.get_mut(at), formals.get(at)) {
            *result = self.change(interp, result, &self.program[formal.local].ty);
        }
        out
    }

    /// Changes an argument, a field or the elements of an array.
    fn change_place(&mut self, interp: &Interp<'_>, inputs: &mut Inputs) {
        // Arguments and objects are drawn with the same probability.
        let at = self
            .random
            .below(inputs.args.len() + inputs.heap.objects.len());
        if let Some(arg) = inputs.args.get_mut(at) {
            if let Some(ty) = self.types.get(at).cloned() {
                *arg = self.change(interp, arg, &ty);
            }
            return;
        }
        let Some(object) = inputs.heap.objects.get_mut(at - inputs.args.len()) else {
            return;
        };
        match (&mut object.contents, &object.ty) {
            (Contents::Fields(fields), ty) => {
                let field = self.random.below(fields.len());
                if let Some((field, value)) = fields.iter_mut().nth(field) {
                    let ty = self.program.field_type(ty, *field);
                    *value = self.change(interp, value, &ty);
                }
            }
            (Contents::Elements(elements), Type::Array { elem, .. }) => {
                // Arrays with unassigned elements are left alone.
                let Some(known) = elements.iter().cloned().collect::<Option<Vec<Value>>>() else {
                    return;
                };
                let assigned = |values: Vec<Value>| values.into_iter().map(Some).collect();
                // Arrays of several dimensions change by whole layers.
                let changed = match elements.dims() {
                    [_] => Some(Elements::row(assigned(
                        self.change_elements(interp, known, elem),
                    ))),
                    dims => {
                        let mut dims = dims.to_vec();
                        let values = self.change_grid(interp, &mut dims, known, elem);
                        Elements::new(dims, assigned(values))
                    }
                };
                if let Some(changed) = changed {
                    *elements = changed;
                }
            }
            (Contents::Elements(_), _) => {}
        }
    }

    /// A different value of a concrete type, near the given one.
    pub(super) fn change(&mut self, interp: &Interp<'_>, value: &Value, ty: &Type) -> Value {
        // From time to time, an unrelated small value escapes local optima.
        if self.random.below(8) == 0
            && let Some(v) = self.any_small(interp, ty)
        {
            return v;
        }
        let rep = self.program.representation(ty);
        // The representation decides which changes are possible.
        match (value, &rep) {
            (Value::Bool(b), _) => Value::Bool(!b),
            (Value::Char(_), _) => self
                .random
                .pick_near(&self.chars)
                .map_or_else(|| value.clone(), |c| Value::Char(*c)),
            (Value::Int(n), _) => Value::Int(self.number(n)),
            (Value::Real(r), _) => {
                let by = BigRational::new(
                    BigInt::from(self.random.below(5) as i64 - 2),
                    BigInt::from(2),
                );
                Value::Real(r + by)
            }
            (Value::Bv { width, bits }, _) => {
                let bit = BigUint::from(1u32) << self.random.below(*width as usize);
                Value::Bv {
                    width: *width,
                    bits: bits ^ bit,
                }
            }
            (Value::Seq(xs), Type::Seq(elem)) => {
                Value::seq(self.change_elements(interp, xs.to_vec(), elem))
            }
            (Value::Set(xs), Type::Set { elem, .. }) => {
                let xs = self.change_elements(interp, xs.iter().cloned().collect(), elem);
                Value::set(xs)
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let all = counts.iter().flat_map(|(x, n)| {
                    std::iter::repeat_n(x, n.to_usize().unwrap_or(0).min(MAX_LENGTH))
                });
                let xs = self.change_elements(interp, all.cloned().collect(), elem);
                Value::multiset(xs)
            }
            (Value::Ordinal(n), _) => {
                Value::Ordinal(if self.random.flip() && *n > BigUint::default() {
                    n - 1u32
                } else {
                    n + 1u32
                })
            }
            (Value::Map(pairs), Type::Map { key, value, .. }) => {
                self.change_map(interp, pairs.iter().collect(), key, value)
            }
            (Value::Tuple(xs), Type::Tuple(types)) => {
                let mut xs = xs.to_vec();
                let at = self.random.below(xs.len());
                if let (Some(x), Some((_, ty))) = (xs.get_mut(at), types.get(at)) {
                    *x = self.change(interp, x, ty);
                }
                Value::tuple(xs)
            }
            // One argument of the constructor changes. The constructor itself is replaced by the
            // rule above.
            (Value::Datatype(d), Type::Named { decl, args, .. }) if !d.args.is_empty() => {
                let subst = self.program.substitution(*decl, args);
                let at = self.random.below(d.args.len());
                let mut values = d.args.clone();
                if let (Some(x), Some(field)) =
                    (values.get_mut(at), self.program[d.ctor].fields.get(at))
                {
                    let ty = self.program[*field].ty.subst(&subst);
                    *x = self.change(interp, x, &ty);
                }
                Value::datatype(d.ctor, values)
            }
            (Value::Newtype(n), _) => n.with(self.change(interp, &n.value, &n.ty())),
            (Value::Function(f), Type::Arrow { result, .. }) => {
                self.changed_function(interp, f, result)
            }
            (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Datatype(_),
                _,
            )
            | (Value::Function(_) | Value::Null | Value::Ref(_) | Value::Lazy(_), _) => {
                self.any_small(interp, ty).unwrap_or_else(|| value.clone())
            }
        }
    }

    /// Changes only the default result of a table; its entries stay.
    fn changed_function(&mut self, interp: &Interp<'_>, f: &FunctionValue, result: &Type) -> Value {
        match f {
            FunctionValue::Table { entries, default } => {
                let table = FunctionValue::Table {
                    entries: entries.clone(),
                    default: self.change(interp, default, result),
                };
                Value::Function(std::sync::Arc::new(table))
            }
            FunctionValue::Template(_)
            | FunctionValue::Partial { .. }
            | FunctionValue::Closure { .. }
            | FunctionValue::Named { .. } => Value::Function(std::sync::Arc::new(f.clone())),
        }
    }

    fn number(&mut self, n: &BigInt) -> BigInt {
        // Neighbours, multiples, numbers that the inputs hold, and constants of the program. Large
        // multiples make loops count further than the constants do.
        match self.random.below(7) {
            0 => n + 1,
            1 => n - 1,
            2 => n * 2,
            3 => self
                .random
                .pick(&self.present)
                .cloned()
                .unwrap_or_else(|| -n),
            4 => n * self.random.pick(&MULTIPLES).copied().unwrap_or(1),
            _ => self.boundary(n),
        }
    }

    /// A constant of the program, its neighbour, or the sum, difference or product of it and
    /// another constant or the number itself: conditions compare with such values.
    fn boundary(&mut self, n: &BigInt) -> BigInt {
        let mut pick = || {
            let number = self.random.pick_near(&self.numbers);
            number.cloned().unwrap_or_default()
        };
        let (one, other) = (pick(), pick());
        let other = if self.random.flip() { n } else { &other };
        let number = match self.random.below(8) {
            0 => one + other,
            1 => one - other,
            2 => one * other,
            _ => one,
        };
        match self.random.below(6) {
            0 => number + 1,
            1 => number - 1,
            _ => number,
        }
    }

    /// The elements of a sequence, set or array with one change: an insertion, a removal, another
    /// value, a constant of the program spliced in, a part repeated, or elements exchanged.
    fn change_elements(
        &mut self,
        interp: &Interp<'_>,
        mut xs: Vec<Value>,
        elem: &Type,
    ) -> Vec<Value> {
        // Sizes are limited here, not by the caller, because changes accumulate.
        let length = xs.len();
        let at = self.random.below(length + 1);
        // Texts are read as a whole, so that they may be longer.
        let most = if self.program.representation(elem) == Type::Char {
            MAX_TEXT
        } else {
            MAX_LENGTH
        };
        match self.random.below(8) {
            0 | 1 if length < most => {
                let near = self.random.pick(&xs).cloned();
                let new = match near {
                    Some(x) if self.random.flip() => Some(self.change(interp, &x, elem)),
                    other => self.any_small(interp, elem).or(other),
                };
                new.into_iter().for_each(|x| xs.insert(at, x));
            }
            2 => drop((at < length).then(|| xs.remove(at))),
            3 if length < most => {
                if self.random.flip()
                    && let Some(text) = self.recomposed(&xs, elem)
                {
                    xs = text;
                } else if let Some(text) = self.text(elem) {
                    if self.random.flip() {
                        xs.clear();
                    }
                    let at = at.min(xs.len());
                    xs.splice(at..at, text);
                }
            }
            4 if length < MAX_LENGTH => {
                // Either all of it or a part is repeated.
                let whole = self.random.flip();
                let at = if whole { 0 } else { at };
                let end = if whole {
                    length
                } else {
                    at + self.random.below(length - at + 1)
                };
                let part: Vec<Value> = xs.get(at..end).map(<[Value]>::to_vec).unwrap_or_default();
                xs.splice(end..end, part);
            }
            5 => {
                // Two elements become equal or are exchanged.
                let other = self.random.below(length);
                if self.random.flip() && at < length {
                    xs.swap(at, other);
                } else if let Some(x) = xs.get(other).cloned() {
                    xs.get_mut(at)
                        .into_iter()
                        .for_each(|slot| *slot = x.clone());
                }
            }
            _ => self.change_element(interp, &mut xs, elem),
        }
        // The caller may adapt a number that was the old length.
        if xs.len() != length {
            self.resized = Some((length, xs.len()));
        }
        xs
    }

    /// The elements of an array of several dimensions with one change: another element, or one
    /// layer of an axis more or less. A square often stays a square.
    fn change_grid(
        &mut self,
        interp: &Interp<'_>,
        dims: &mut [usize],
        mut xs: Vec<Value>,
        elem: &Type,
    ) -> Vec<Value> {
        let kind = self.random.below(4);
        if kind > 1 && !xs.is_empty() {
            self.change_element(interp, &mut xs, elem);
            return xs;
        }
        let axis = self.random.below(dims.len());
        let old = dims.to_vec();
        // Squares are common inputs, such as matrices and boards.
        let is_square = old.iter().all(|length| Some(length) == old.first());
        match dims.get_mut(axis) {
            Some(length) if is_square && self.random.flip() => {
                let side = 1 + self.random.below(*length + 1).min(MAX_SIDE - 1);
                dims.fill(side);
            }
            Some(length) if kind == 0 && *length > 0 => *length -= 1,
            Some(length) if *length < MAX_SIDE => *length += 1,
            Some(_) | None => return xs,
        }
        // The limit is checked before elements are allocated.
        let size = dims
            .iter()
            .try_fold(1usize, |n, d| n.checked_mul(*d))
            .unwrap_or(usize::MAX);
        if size > MAX_CELLS {
            dims.copy_from_slice(&old);
            return xs;
        }
        self.resized = old.get(axis).copied().zip(dims.get(axis).copied());
        // Elements keep their indices, new ones get small values.
        let mut out = Vec::with_capacity(size);
        for place in 0..size {
            let kept = replaced(place, dims, &old)
                .and_then(|at| xs.get(at))
                .cloned();
            let Some(value) = kept
                .or_else(|| self.any_small(interp, elem))
                .or_else(|| interp.default_value(elem))
            else {
                dims.copy_from_slice(&old);
                return xs;
            };
            out.push(value);
        }
        out
    }

    /// Replaces one element.
    fn change_element(&mut self, interp: &Interp<'_>, xs: &mut [Value], elem: &Type) {
        let at = self.random.below(xs.len());
        if let Some(x) = xs.get_mut(at) {
            *x = self.change(interp, x, elem);
        }
    }

    /// A string of the program, as characters or as their codes.
    fn text(&mut self, elem: &Type) -> Option<Vec<Value>> {
        let text = self.random.pick_near(&self.texts)?;
        let ty = self.program.representation(elem);
        if matches!(ty, Type::Char) {
            Some(text.iter().map(|c| Value::Char(*c)).collect())
        } else if matches!(ty, Type::Int) {
            Some(text.iter().map(|c| Value::int(*c)).collect())
        } else {
            None
        }
    }

    /// A string composed anew, or `None` if the elements are not characters.
    pub(super) fn recomposed(&mut self, xs: &[Value], elem: &Type) -> Option<Vec<Value>> {
        if self.program.representation(elem) != Type::Char {
            return None;
        }
        let code = |v: &Value| {
            if let Value::Char(c) = v {
                Some(*c)
            } else {
                None
            }
        };
        let text: Option<Vec<u32>> = xs.iter().map(code).collect();
        let text = self.composed(&text?)?;
        Some(text.into_iter().map(Value::Char).collect())
    }

    fn change_map(
        &mut self,
        interp: &Interp<'_>,
        pairs: Vec<(&Value, &Value)>,
        key: &Type,
        value: &Type,
    ) -> Value {
        let mut pairs: Vec<(Value, Value)> = pairs
            .into_iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let at = self.random.below(pairs.len());
        match self.random.below(4) {
            0 | 1 => {
                let pair = self
                    .any_small(interp, key)
                    .zip(self.any_small(interp, value));
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

    /// A small value of a type without references, or `None`.
    pub(super) fn any_small(&mut self, interp: &Interp<'_>, ty: &Type) -> Option<Value> {
        let values = match self.small.get(ty) {
            Some(values) => Rc::clone(values),
            None => {
                let values = if self.program.holds_no_references(ty) {
                    // Values with references would need objects in the heap.
                    Maker::new(interp.program(), interp, &self.constants).values(
                        ty,
                        DEPTH,
                        &mut Heap::default(),
                    )
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

/// The old position (row-major) of the element at a position of an array whose dimensions changed,
/// or `None` if it is new.
fn replaced(place: usize, dims: &[usize], old: &[usize]) -> Option<usize> {
    let (mut rest, mut scale, mut at) = (place, 1, 0);
    for (length, before) in dims.iter().zip(old).rev() {
        let index = rest.checked_rem(*length)?;
        if index >= *before {
            return None;
        }
        (rest, at, scale) = (rest / length, at + index * scale, scale * before);
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn elements_keep_their_place_when_a_dimension_grows_or_shrinks() {
        let all = |dims: &[usize], old: &[usize]| {
            (0..dims.iter().product())
                .map(|p| replaced(p, dims, old))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            all(&[2, 3], &[2, 2]),
            [Some(0), Some(1), None, Some(2), Some(3), None]
        );
        assert_eq!(
            all(&[3, 2], &[2, 2]),
            [Some(0), Some(1), Some(2), Some(3), None, None]
        );
        assert_eq!(all(&[1, 2], &[2, 3]), [Some(0), Some(1)]);
        assert_eq!(all(&[0, 2], &[1, 2]), []);
    }
}
