//! The inputs of one callable, and the values of one type: what is new among them is kept, within bounds.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::xorshift::Xorshift;
use crate::interp::{Execution, Inputs, Outcome};
use crate::value::{Construction, Value};

/// Inputs of one callable, at most.
const MAX_INPUTS: usize = 48;
/// Recorded inputs of one callable that wait, at most.
const MAX_RECORDED: usize = 64;
/// Values of one type that calls gave, at most, and those of one form.
const MAX_VALUES: usize = 64;
const MAX_OF_FORM: usize = 6;

/// A value with the heap that it points into.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// It is the only argument, and nothing else is in the heap.
    pub(super) alone: Inputs,
    /// The calls that lead to an object in this state, where these are known.
    pub(super) by: Option<Construction>,
}

/// The values of one type.
#[derive(Default)]
pub(super) struct Column {
    /// Those that there are at first.
    first: Vec<Entry>,
    /// Those that calls gave.
    grown: Vec<Entry>,
    of_form: FxHashMap<u64, usize>,
}

impl Column {
    pub(super) fn add_first(&mut self, entry: Entry) {
        if !self.first.iter().any(|e| e.alone == entry.alone) {
            self.first.push(entry);
        }
    }

    /// Adds a value, unless there are enough of its form.
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

    /// Any of the values: those that calls gave more often than the others, and of these the later more often.
    pub(super) fn pick(&self, random: &mut Xorshift) -> Option<&Entry> {
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
    inputs: Vec<Inputs>,
    /// What tells executions apart ([`signature`]), and inputs.
    met: FxHashSet<u64>,
    tried: FxHashSet<u64>,
    /// What it was called with, and not executed on yet.
    recorded: Vec<Inputs>,
}

impl Corpus {
    /// Whether the callable was not executed on these inputs so far.
    pub(super) fn is_untried(&mut self, inputs: &Inputs) -> bool {
        let mut hasher = FxHasher::default();
        inputs.args.hash(&mut hasher);
        for object in &inputs.heap.objects {
            object.ty.hash(&mut hasher);
            object.contents.values().for_each(|v| v.hash(&mut hasher));
        }
        self.tried.insert(hasher.finish())
    }

    /// Adds inputs whose execution is like none before; whether it is.
    pub(super) fn add(&mut self, inputs: &Inputs, execution: &Execution) -> bool {
        let is_new =
            self.inputs.len() < MAX_INPUTS && self.met.insert(signature(inputs, execution));
        if is_new {
            self.inputs.push(inputs.clone());
        }
        is_new
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

    /// Any of the inputs, the later more often.
    pub(super) fn pick(&self, random: &mut Xorshift) -> Option<&Inputs> {
        let at = random
            .below(self.inputs.len())
            .max(random.below(self.inputs.len()));
        self.inputs.get(at)
    }

    pub(super) fn into_inputs(self) -> Vec<Inputs> {
        self.inputs
    }
}

/// What tells executions apart: which branches the outermost activation took how often, roughly; how long it all took, roughly; and the form of
/// what came out.
fn signature(inputs: &Inputs, execution: &Execution) -> u64 {
    let mut counts: FxHashMap<_, u32> = FxHashMap::default();
    for edge in &execution.trace {
        *counts.entry(*edge).or_default() += 1;
    }
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
    hasher.finish()
}

/// A number to two binary digits.
fn roughly(n: u64) -> u64 {
    match n.checked_ilog2() {
        None | Some(0) => n,
        Some(log) => (n >> (log - 1)) << (log - 1),
    }
}

/// The form of a value: its outermost constructor or kind, how large it is, roughly, and whether something is in it twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    kind: u32,
    size: u64,
    has_twins: bool,
}

impl Form {
    /// Whether a value is of the same kind: numbers of one kind, sequences, values of datatypes.
    pub(super) fn of_kind(&self, value: &Value) -> bool {
        kind(value) == self.kind || self.kind >= FIRST_CTOR && kind(value) >= FIRST_CTOR
    }
}

/// Kinds from here on are constructors.
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

/// The form of a value with those of the objects that it leads to.
fn form_of_all(alone: &Inputs) -> u64 {
    let mut hasher = FxHasher::default();
    alone.args.iter().for_each(|v| form(v).hash(&mut hasher));
    alone.heap.objects.len().hash(&mut hasher);
    for value in alone.heap.contents() {
        form(value).hash(&mut hasher);
    }
    hasher.finish()
}
