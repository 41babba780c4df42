//! Summaries of callables: what they gave for which arguments.
//!
//! A tree of calls may be too large to execute, though it makes few different calls. What a pure callable gave is kept for its
//! arguments with what it reached (input and output pairs: Christ, Hoenicke, Schäf 2012, section 6), so that an equal call costs nothing.
//! The steps that it would have cost are counted all the same: a test makes them in Rust.
//!
//! What a method of objects gave is kept for one execution, with its footprint: the fields that it read, which make another call equal
//! to it, and those that it wrote.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::code::Mode;
use super::word::Word;
use crate::ir::{Effects, GoalId, Program};
use crate::value::{ObjectId, Value};
use dafny_resolve::typed::{CallableId, FieldId, Type};

/// Pairs of one callee with a footprint that are kept, at most.
const MAX_PAIRS: usize = 200;
/// Summaries that are kept, at most.
const MAX_SUMMARIES: usize = 200_000;
/// Steps of one execution, those that summaries save included: a second or two in Rust.
pub(super) const MAX_SAVED: u64 = 1_000_000_000;

/// A call: what is the same about calls that give the same.
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

/// For how long what a callable gives is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It gives the same in every execution.
    Always,
    /// What it gives depends on fields, and it may write some.
    InThisExecution,
}

/// What a call reads and writes of the objects that were there before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Footprint {
    /// What it found in the fields that it read.
    pub(super) reads: FxHashMap<(ObjectId, FieldId), Word>,
    /// What it left in those that it wrote.
    pub(super) writes: FxHashMap<(ObjectId, FieldId), Word>,
    /// Whether it did more with the heap than that.
    pub(super) is_opaque: bool,
}

impl Footprint {
    pub(super) fn read(&mut self, place: (ObjectId, FieldId), word: &Word) {
        if !self.writes.contains_key(&place) {
            self.reads.entry(place).or_insert_with(|| word.clone());
        }
    }

    /// Takes in that of a call which was made now.
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

/// What a call gave.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) results: Vec<Word>,
    /// Goals that it reached, where they count.
    pub(super) goals: Rc<[GoalId]>,
    /// Steps that it cost.
    pub(super) steps: u64,
    /// What it did with the heap.
    pub(super) footprint: Rc<Footprint>,
}

/// What is known of calls.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    known: RefCell<FxHashMap<Call, Summary>>,
    kinds: RefCell<FxHashMap<CallableId, Option<Kept>>>,
    /// Pairs with a footprint, of all executions.
    of_objects: RefCell<FxHashMap<CallableId, Vec<Pair>>>,
}

impl Summaries {
    /// Puts what another one knows in the place of what this one does, and gives that.
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

    /// The call as it would be kept; `None`: it is not kept, since the callee does more than give results and change fields, or an
    /// argument is no scalar.
    pub(super) fn call(
        &self,
        program: &Program,
        callee: CallableId,
        mode: Mode,
        type_args: &Rc<[Type]>,
        args: &[Word],
    ) -> Option<(Call, Kept)> {
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

    /// Notes what a call gave and did to fields, where other executions can tell a call like it: what it read and wrote are scalars
    /// of the one object among its arguments.
    pub(super) fn note(&self, call: &Call, summary: &Summary) {
        let mut of_objects = self.of_objects.borrow_mut();
        let noted = of_objects.entry(call.callee).or_default();
        if noted.len() >= MAX_PAIRS {
            return;
        }
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

    /// Pairs of compiled code: for every callee the arguments, the results and the goals, in an order of their own.
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
        // In the order of the executions; the sort below keeps it.
        pairs.extend(self.of_objects.borrow().values().flatten().cloned());
        pairs.sort_by(|a, b| (a.callee, &a.args).cmp(&(b.callee, &b.args)));
        pairs
    }
}

/// A reference stands for an object of one execution.
fn value(s: &Scalar) -> Value {
    match s {
        Scalar::Bool(b) => Value::Bool(*b),
        Scalar::Int(n) => Value::Int(BigInt::from(*n)),
        Scalar::Char(c) => Value::Char(*c),
        Scalar::Null => Value::Null,
        Scalar::Ref(id) => Value::Ref(*id),
    }
}

/// How long what a callable gives is kept; `None`: not at all.
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

/// What a call found in the fields of an object and left in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnObject {
    /// Which argument the object is; the others are none.
    pub receiver: usize,
    /// Fields that it read, with what they held.
    pub reads: Vec<(FieldId, Value)>,
    /// Fields that it wrote, with what they hold afterwards.
    pub writes: Vec<(FieldId, Value)>,
}

/// An input and output pair of a callable that is pure, or does no more than read and write fields of one argument.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Whose.
    pub callee: CallableId,
    /// Its type arguments.
    pub type_args: Vec<Type>,
    /// The arguments; an object is that of one execution, and says nothing.
    pub args: Vec<Value>,
    /// What it did with an object.
    pub on: Option<OnObject>,
    /// The results.
    pub results: Vec<Value>,
    /// Goals of the entry under test that the call reaches.
    pub goals: Vec<GoalId>,
}
