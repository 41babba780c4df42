//! Summaries: cached results of callables for equal arguments.
//!
//! A call tree may be too large to execute although it makes few distinct calls. The result of a
//! pure callable is cached with its arguments and the goals that it reached (input-output pairs:
//! Christ, Hoenicke, Schäf 2012, section 6), so that an equal call costs nothing. The saved steps
//! still count, because a test executes them in Rust.
//!
//! The result of a method of objects is cached for one execution with its footprint: the fields
//! that it read, which another call has to find unchanged, and the fields that it wrote.
//!
//! Key types: [`Summaries`], [`Call`], [`Footprint`], [`Pair`].

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::code::Mode;
use super::word::Word;
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dtest_ir::{Effects, GoalId, Program};
use dtest_value::{ObjectId, Value};

/// The limit of pairs with a footprint for each callee.
const MAX_PAIRS: usize = 200;
/// The limit of cached summaries.
const MAX_SUMMARIES: usize = 200_000;
/// The limit of steps of one execution, including saved ones: a second or two in Rust.
pub(super) const MAX_SAVED: u64 = 1_000_000_000;

/// The key of a summary: equal calls have equal results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Call {
    callee: CallableId,
    mode: Mode,
    type_args: Rc<[Type]>,
    args: Vec<Scalar>,
}

/// An argument that is cheap to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scalar {
    Bool(bool),
    Int(i64),
    Char(u32),
    Null,
    Ref(ObjectId),
}

/// The lifetime of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The result is the same in every execution.
    Always,
    /// The result depends on fields, and the call may write fields.
    InThisExecution,
}

/// The fields that a call reads and writes, of objects that existed before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Footprint {
    /// The fields that were read, with the values found.
    pub(super) reads: FxHashMap<(ObjectId, FieldId), Word>,
    /// The fields that were written, with the values left.
    pub(super) writes: FxHashMap<(ObjectId, FieldId), Word>,
    /// Whether the call accessed the heap in any other way.
    pub(super) is_opaque: bool,
}

impl Footprint {
    pub(super) fn read(&mut self, place: (ObjectId, FieldId), word: &Word) {
        if !self.writes.contains_key(&place) {
            self.reads.entry(place).or_insert_with(|| word.clone());
        }
    }

    /// Includes the footprint of a call that was just made.
    pub(super) fn follow(&mut self, inner: &Self) {
        inner
            .reads
            .iter()
            .for_each(|(place, word)| self.read(*place, word));
        self.writes.extend(
            inner
                .writes
                .iter()
                .map(|(place, word)| (*place, word.clone())),
        );
        self.is_opaque |= inner.is_opaque;
    }
}

/// The cached result of a call.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) results: Vec<Word>,
    /// The goals that the call reached, if they count.
    pub(super) goals: Rc<[GoalId]>,
    /// The steps that the call cost.
    pub(super) steps: u64,
    /// The effect on the heap.
    pub(super) footprint: Rc<Footprint>,
}

/// The cache of summaries.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    known: RefCell<FxHashMap<Call, Summary>>,
    kinds: RefCell<FxHashMap<CallableId, Option<Kept>>>,
    /// Pairs with a footprint, of all executions.
    of_objects: RefCell<FxHashMap<CallableId, Vec<Pair>>>,
}

impl Summaries {
    /// Replaces the contents by those of `other` and returns the old contents.
    pub(super) fn exchange(&self, other: Self) -> Self {
        Self {
            known: self.known.replace(other.known.into_inner()).into(),
            kinds: self.kinds.replace(other.kinds.into_inner()).into(),
            of_objects: self
                .of_objects
                .replace(other.of_objects.into_inner())
                .into(),
        }
    }

    /// Returns the key of a call; `None` if it cannot be cached because an argument is no scalar,
    /// or because the callee does more than return results and access fields.
    pub(super) fn call(
        &self,
        program: &Program,
        callee: CallableId,
        mode: Mode,
        type_args: &Rc<[Type]>,
        args: &[Word],
    ) -> Option<(Call, Kept)> {
        // Summaries are kept for scalars only, because larger values would have to be compared.
        let scalar = |w: &Word| match w {
            Word::Bool(b) => Some(Scalar::Bool(*b)),
            Word::Int(n) => Some(Scalar::Int(*n)),
            Word::Char(c) => Some(Scalar::Char(*c)),
            Word::Null => Some(Scalar::Null),
            Word::Ref(id) => Some(Scalar::Ref(*id)),
            Word::Unset | Word::Unknown(_) | Word::Seq(_) | Word::Set(_) | Word::Multiset(_) => {
                None
            }
            Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Function(_)
            | Word::Boxed(_) => None,
        };
        let args: Vec<Scalar> = args.iter().map(scalar).collect::<Option<_>>()?;
        // The kind of the callee is determined once.
        let kept = (*self
            .kinds
            .borrow_mut()
            .entry(callee)
            .or_insert_with(|| kind(program, callee)))?;
        let is_compiled = mode == Mode::Compiled;
        (kept == Kept::Always || is_compiled).then(|| {
            (
                Call {
                    callee,
                    mode,
                    type_args: type_args.clone(),
                    args,
                },
                kept,
            )
        })
    }

    pub(super) fn find(&self, call: &Call) -> Option<Summary> {
        self.known.borrow().get(call).cloned()
    }

    pub(super) fn keep(&self, call: Call, summary: Summary) {
        let mut known = self.known.borrow_mut();
        if known.len() < MAX_SUMMARIES {
            known.insert(call, summary);
        }
    }

    /// Records a call with its effect on fields for other executions. Only calls are recorded whose
    /// accesses are scalars of the only object among the arguments.
    pub(super) fn note(&self, call: &Call, summary: &Summary) {
        let mut of_objects = self.of_objects.borrow_mut();
        let noted = of_objects.entry(call.callee).or_default();
        // The number of summaries per callable is bounded.
        if noted.len() >= MAX_PAIRS {
            return;
        }
        // Pairs are recorded for calls with exactly one object among their arguments.
        let is_object = |s: &&Scalar| matches!(s, Scalar::Ref(_));
        let Some(receiver) = call.args.iter().position(|s| is_object(&s)) else {
            return;
        };
        let (Some(Scalar::Ref(object)), 1) = (
            call.args.get(receiver),
            call.args.iter().filter(is_object).count(),
        ) else {
            return;
        };
        let scalar = |w: &Word| match w {
            Word::Bool(_) | Word::Int(_) | Word::Char(_) => w.clone().value(),
            Word::Unset
            | Word::Unknown(_)
            | Word::Seq(_)
            | Word::Set(_)
            | Word::Multiset(_)
            | Word::Map(_) => None,
            Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Null
            | Word::Ref(_)
            | Word::Function(_)
            | Word::Boxed(_) => None,
        };
        // Reads and writes must concern that object alone.
        let contents =
            |words: &FxHashMap<(ObjectId, FieldId), Word>| -> Option<Vec<(FieldId, Value)>> {
                let place = |((id, field), word): (&(ObjectId, FieldId), &Word)| {
                    (id == object).then(|| Some((*field, scalar(word)?)))?
                };
                let mut all = words.iter().map(place).collect::<Option<Vec<_>>>()?;
                all.sort_by_key(|(field, _)| *field);
                Some(all)
            };
        let (Some(reads), Some(writes)) = (
            contents(&summary.footprint.reads),
            contents(&summary.footprint.writes),
        ) else {
            return;
        };
        let Some(results) = summary.results.iter().map(scalar).collect() else {
            return;
        };
        noted.push(Pair {
            callee: call.callee,
            type_args: call.type_args.to_vec(),
            args: call.args.iter().map(value).collect(),
            on: Some(OnObject {
                receiver,
                reads,
                writes,
            }),
            results,
            goals: summary.goals.to_vec(),
        });
    }

    /// Returns the pairs of compiled code: arguments, results and goals of each callee, in a fixed
    /// order.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let known = self.known.borrow();
        let pair = |(call, summary): (&Call, &Summary)| {
            let results = summary
                .results
                .iter()
                .map(|w| w.clone().value())
                .collect::<Option<_>>()?;
            let args = call.args.iter().map(value).collect();
            Some(Pair {
                callee: call.callee,
                type_args: call.type_args.to_vec(),
                args,
                on: None,
                results,
                goals: summary.goals.to_vec(),
            })
        };
        let mut pairs: Vec<Pair> = known
            .iter()
            .filter(|(c, _)| c.mode == Mode::Compiled)
            .filter_map(pair)
            .collect();
        // Pairs with a footprint stay in the order of the executions: the sort below is stable.
        pairs.extend(self.of_objects.borrow().values().flatten().cloned());
        pairs.sort_by(|a, b| (a.callee, &a.args).cmp(&(b.callee, &b.args)));
        pairs
    }
}

/// Returns the value of a scalar. A reference is only meaningful in its execution.
fn value(s: &Scalar) -> Value {
    match s {
        Scalar::Bool(b) => Value::Bool(*b),
        Scalar::Int(n) => Value::Int(BigInt::from(*n)),
        Scalar::Char(c) => Value::Char(*c),
        Scalar::Null => Value::Null,
        Scalar::Ref(id) => Value::Ref(*id),
    }
}

/// Returns the lifetime of summaries of a callee; `None` if it cannot be summarized.
fn kind(program: &Program, callee: CallableId) -> Option<Kept> {
    if program.is_pure(callee) {
        return Some(Kept::Always);
    }
    let Effects {
        fields: _,
        written: _,
        reads_arrays,
        writes_arrays,
        allocates,
        dispatches: _,
        is_observable,
        is_heard: _,
        is_opaque,
    } = program.effects(callee);
    let more = reads_arrays || writes_arrays || allocates || is_observable || is_opaque;
    (!more).then_some(Kept::InThisExecution)
}

/// The fields of an object that a call read and wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnObject {
    /// The index of the argument. No other argument is an object.
    pub receiver: usize,
    /// The fields that were read, with the values found.
    pub reads: Vec<(FieldId, Value)>,
    /// The fields that were written, with the values left.
    pub writes: Vec<(FieldId, Value)>,
}

/// An input-output pair of a callable that is pure, or that only accesses fields of one argument.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The callable.
    pub callee: CallableId,
    /// The type arguments.
    pub type_args: Vec<Type>,
    /// The arguments. An object is that of one execution and does not identify the call.
    pub args: Vec<Value>,
    /// The effect on an object.
    pub on: Option<OnObject>,
    /// The results.
    pub results: Vec<Value>,
    /// The goals of the tested entry that the call reaches.
    pub goals: Vec<GoalId>,
}
