//! Corpora of the pool: the inputs of one callable ([`Corpus`]) and the values of one type
//! ([`Column`]).
//!
//! Both keep only what is new and are bounded. Inputs are new if their execution has a new
//! signature; values are limited per [`Form`], so that no form crowds out the others.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use dafny_resolve::typed::{CallableId, Type};
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Execution, Feature, Inputs, Outcome};
use dtest_sorted::SortedSet;
use dtest_value::{Construction, Value};

/// Maximum number of inputs per callable.
const MAX_INPUTS: usize = 48;
/// Maximum number of further inputs of journeys.
const MAX_FAR: usize = 16;
/// Maximum number of ways in sequence of a feature that makes inputs new.
const MAX_ORDER: u8 = 2;
/// Maximum number of recorded inputs per callable that wait for their execution.
const MAX_RECORDED: usize = 64;
/// Maximum number of values of one type that executions returned, in total and per form.
const MAX_VALUES: usize = 64;
const MAX_OF_FORM: usize = 6;

/// A value with the heap that it refers to.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Inputs with the value as the only argument and nothing else in the heap.
    pub(super) alone: Inputs,
    /// The calls that lead to an object in this state, if they are known.
    pub(super) by: Option<Construction>,
}

/// The values of the types that parameters have.
///
/// Collections, datatype values and objects are shared by all callables that take them. Scalars are
/// kept per callable: otherwise the inputs of every callable would depend on the constants of all
/// others, and an edit anywhere would invalidate every cached result.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) shared: FxHashMap<Type, Column>,
    scalars: FxHashMap<(CallableId, Type), Column>,
}

impl Columns {
    /// Returns the values that a callable can take for a type.
    pub(super) fn get(&self, callable: CallableId, ty: &Type) -> Option<&Column> {
        if is_scalar(ty) {
            self.scalars.get(&(callable, ty.clone()))
        } else {
            self.shared.get(ty)
        }
    }

    /// Returns the values that a callable can take for a type, to add others.
    pub(super) fn entry(&mut self, callable: CallableId, ty: Type) -> &mut Column {
        if is_scalar(&ty) {
            self.scalars.entry((callable, ty)).or_default()
        } else {
            self.shared.entry(ty).or_default()
        }
    }
}

/// Whether a type has values without parts.
pub(in super::super) fn is_scalar(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool | Type::Int | Type::Char | Type::Real | Type::Bv(_) | Type::Ordinal
    )
}

/// The values of one type.
#[derive(Default)]
pub(super) struct Column {
    /// Small values, which are there before any execution.
    first: Vec<Entry>,
    /// Values that executions returned, in the order of discovery.
    grown: Vec<Entry>,
    of_form: FxHashMap<u64, usize>,
}

impl Column {
    pub(super) fn add_first(&mut self, entry: Entry) {
        if !self.first.iter().any(|e| e.alone == entry.alone) {
            self.first.push(entry);
        }
    }

    /// Adds a value, unless there are enough of its form. A known value may get the calls that lead
    /// to it.
    pub(super) fn add(&mut self, entry: Entry) {
        let known = |e: &Entry| e.alone == entry.alone;
        if let Some(known) = self.grown.iter_mut().find(|e| e.alone == entry.alone) {
            if known.by.is_none() {
                known.by = entry.by;
            }
            return;
        }
        let count = self.of_form.entry(form_of_all(&entry.alone)).or_default();
        if *count < MAX_OF_FORM && self.grown.len() < MAX_VALUES && !self.first.iter().any(known) {
            *count += 1;
            self.grown.push(entry);
        }
    }

    /// A random value. Returned values are preferred to small ones, and recent ones to older ones.
    pub(super) fn pick(&self, random: &mut Xorshift) -> Option<&Entry> {
        // The maximum of two random indices prefers the end, which has the values of later rounds.
        let at = if random.flip() {
            random
                .below(self.grown.len())
                .max(random.below(self.grown.len()))
        } else {
            random.below(self.grown.len())
        };
        if random.below(3) > 0 {
            self.grown.get(at).or_else(|| random.pick(&self.first))
        } else {
            random.pick(&self.first).or_else(|| self.grown.get(at))
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.first.iter().chain(&self.grown)
    }
}

/// The inputs of one callable.
#[derive(Default)]
pub(super) struct Corpus {
    /// Inputs, with the number of features of their executions.
    inputs: Vec<(Inputs, usize)>,
    /// The features of all executions ([`Feature`]).
    features: FxHashSet<Feature>,
    /// Hashes of the signatures of executions ([`signature`]).
    met: FxHashSet<u64>,
    tried: FxHashSet<u64>,
    /// Number of inputs of journeys.
    far: usize,
    /// Arguments of recorded calls that were not executed yet.
    recorded: Vec<Inputs>,
}

impl Corpus {
    /// Whether the callable was not executed on these inputs before. Marks them as executed.
    pub(super) fn is_untried(&mut self, inputs: &Inputs) -> bool {
        // Only hashes are kept. A collision loses an input, which does no harm.
        let mut hasher = FxHasher::default();
        inputs.args.hash(&mut hasher);
        for object in &inputs.heap.objects {
            object.ty.hash(&mut hasher);
            object.contents.values().for_each(|v| v.hash(&mut hasher));
        }
        self.tried.insert(hasher.finish())
    }

    /// Adds inputs whose execution has a new signature or new features. Returns whether it has.
    /// In a full corpus, they replace inputs with fewer features.
    pub(super) fn add(
        &mut self,
        inputs: &Inputs,
        execution: &Execution,
        features: SortedSet<Feature>,
    ) -> bool {
        let count = features.len();
        let is_full = self.inputs.len() >= MAX_INPUTS;
        let poorest = (0..self.inputs.len()).min_by_key(|i| self.inputs.get(*i).map(|(_, n)| *n));
        let replaced = poorest.filter(|i| {
            let least = self.inputs.get(*i).map_or(0, |(_, n)| *n);
            is_full && least < count
        });
        if is_full && replaced.is_none() {
            return false;
        }
        // Long combinations alone make no input new: there are too many of them.
        let is_known = |f: &Feature| f.order > MAX_ORDER || self.features.contains(f);
        let has_new = !features.iter().all(is_known);
        let is_new = self.met.insert(signature(inputs, execution)) || has_new;
        if is_new {
            self.features.extend(features);
            if let Some(i) = replaced {
                self.inputs.remove(i);
            }
            self.inputs.push((inputs.clone(), count));
        }
        is_new
    }

    /// Adds inputs of a journey if their execution has new features. Returns whether it has.
    pub(super) fn add_far(&mut self, inputs: &Inputs, features: SortedSet<Feature>) -> bool {
        let is_known = |f: &Feature| f.order > MAX_ORDER || self.features.contains(f);
        if self.far >= MAX_FAR || features.iter().all(is_known) {
            return false;
        }
        self.far += 1;
        let count = features.len();
        self.features.extend(features);
        self.inputs.push((inputs.clone(), count));
        true
    }

    pub(super) fn record(&mut self, inputs: Inputs) {
        if self.recorded.len() < MAX_RECORDED && !self.recorded.contains(&inputs) {
            self.recorded.push(inputs);
        }
    }

    pub(super) fn take_recorded(&mut self, most: usize) -> Vec<Inputs> {
        let count = self.recorded.len().min(most);
        self.recorded.drain(..count).collect()
    }

    /// A random input. Recent ones are preferred.
    pub(super) fn pick(&self, random: &mut Xorshift) -> Option<&Inputs> {
        let at = random
            .below(self.inputs.len())
            .max(random.below(self.inputs.len()));
        self.inputs.get(at).map(|(inputs, _)| inputs)
    }

    pub(super) fn into_inputs(self) -> Vec<Inputs> {
        self.inputs.into_iter().map(|(inputs, _)| inputs).collect()
    }
}

/// A hash of the properties that distinguish executions: the rounded number of times that the
/// outermost activation took each branch, the rounded number of steps, and the form of the results.
///
/// Counts are rounded, as in greybox fuzzers, so that loops with slightly different numbers of
/// iterations are the same.
fn signature(inputs: &Inputs, execution: &Execution) -> u64 {
    let mut counts: FxHashMap<_, u32> = FxHashMap::default();
    for edge in &execution.trace {
        *counts.entry(*edge).or_default() += 1;
    }
    // Sorted, because the order of the hash map is arbitrary.
    let mut edges: Vec<_> = counts
        .into_iter()
        .map(|(edge, count)| (edge, roughly(u64::from(count))))
        .collect();
    edges.sort_unstable();
    let mut hasher = FxHasher::default();
    edges.hash(&mut hasher);
    roughly(execution.steps / 8).hash(&mut hasher);
    if let Outcome::Returned(results) = &execution.outcome {
        for result in results.iter().flatten() {
            form(result).hash(&mut hasher);
        }
    }
    execution.heap.objects.len().hash(&mut hasher);
    let sizes = inputs.args.iter().map(|v| roughly(v.extent()));
    sizes.for_each(|s| s.hash(&mut hasher));
    // Calls of one method in different states of its object take the same path.
    for value in inputs.heap.contents() {
        form(value).hash(&mut hasher);
    }
    hasher.finish()
}

/// A number rounded down to its two leading binary digits.
fn roughly(n: u64) -> u64 {
    match n.checked_ilog2() {
        None | Some(0) => n,
        Some(log) => (n >> (log - 1)) << (log - 1),
    }
}

/// The form of a value: its outermost constructor or kind, its rounded size, and whether two of its
/// parts are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    kind: u32,
    size: u64,
    has_twins: bool,
}

impl Form {
    /// Whether a value has the same kind: numbers of the same type, collections of the same kind,
    /// or values of any datatypes.
    pub(super) fn of_kind(&self, value: &Value) -> bool {
        kind(value) == self.kind || self.kind >= FIRST_CTOR && kind(value) >= FIRST_CTOR
    }
}

/// Kinds from here on are constructors of datatypes.
const FIRST_CTOR: u32 = 32;

fn kind(value: &Value) -> u32 {
    match value {
        Value::Bool(_) => 0,
        Value::Char(_) => 2,
        Value::Int(_) => 3,
        Value::Real(_) => 4,
        Value::Bv { .. } => 5,
        Value::Ordinal(_) => 6,
        Value::Seq(_) => 7,
        Value::Set(_) => 8,
        Value::Multiset(_) => 9,
        Value::Map(_) => 10,
        Value::Tuple(_) => 11,
        Value::Null => 12,
        Value::Ref(_) => 13,
        Value::Function(_) => 14,
        Value::Newtype(_) => 15,
        Value::Lazy(_) => 16,
        Value::Datatype(d) => FIRST_CTOR + d.ctor.0,
    }
}

pub(super) fn form(value: &Value) -> Form {
    let parts = value.parts();
    let mut seen: FxHashSet<&Value> = FxHashSet::default();
    Form {
        kind: kind(value),
        // Small scalars differ by their sign only, composite values by their size.
        size: match value {
            Value::Bool(b) => u64::from(*b),
            Value::Int(n) => u64::from(n.sign() == num_bigint::Sign::Plus),
            Value::Char(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Seq(_)
            | Value::Set(_)
            | Value::Multiset(_)
            | Value::Map(_)
            | Value::Tuple(_)
            | Value::Datatype(_)
            | Value::Null
            | Value::Ref(_)
            | Value::Function(_)
            | Value::Newtype(_)
            | Value::Lazy(_) => roughly(value.extent()),
        },
        has_twins: parts.into_iter().any(|p| !seen.insert(p)),
    }
}

/// A hash of the forms of a value and of the objects that it leads to.
pub(super) fn form_of_all(alone: &Inputs) -> u64 {
    let mut hasher = FxHasher::default();
    alone.args.iter().for_each(|v| form(v).hash(&mut hasher));
    alone.heap.objects.len().hash(&mut hasher);
    for value in alone.heap.contents() {
        form(value).hash(&mut hasher);
    }
    hasher.finish()
}
