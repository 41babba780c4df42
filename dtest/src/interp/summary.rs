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
use crate::typed::{CallableId, FieldId, Type};
use crate::value::{ObjectId, Value};

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
        inner.reads.iter().for_each(|(place, word)| self.read(*place, word));
        self.writes.extend(inner.writes.iter().map(|(place, word)| (*place, word.clone())));
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
}

impl Summaries {
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
            _other => None,
        };
        let args: Vec<Scalar> = args.iter().map(scalar).collect::<Option<_>>()?;
        let kept = (*self.kinds.borrow_mut().entry(callee).or_insert_with(|| kind(program, callee)))?;
        let is_compiled = mode == Mode::Compiled;
        (kept == Kept::Always || is_compiled).then(|| (Call { callee, mode, type_args: type_args.clone(), args }, kept))
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

    /// Pairs of compiled code: for every callee the arguments, the results and the goals, in an order of their own.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let known = self.known.borrow();
        let value = |s: &Scalar| match s {
            Scalar::Bool(b) => Value::Bool(*b),
            Scalar::Int(n) => Value::Int(BigInt::from(*n)),
            Scalar::Char(c) => Value::Char(*c),
            Scalar::Null => Value::Null,
            Scalar::Ref(id) => Value::Ref(*id),
        };
        let pair = |(call, summary): (&Call, &Summary)| {
            let results = summary.results.iter().map(|w| w.clone().value()).collect::<Option<_>>()?;
            let args = call.args.iter().map(value).collect();
            Some(Pair { callee: call.callee, type_args: call.type_args.to_vec(), args, results, goals: summary.goals.to_vec() })
        };
        let mut pairs: Vec<Pair> = known.iter().filter(|(c, _)| c.mode == Mode::Compiled).filter_map(pair).collect();
        pairs.sort_by(|a, b| (a.callee, &a.args).cmp(&(b.callee, &b.args)));
        pairs
    }
}

/// How long what a callable gives is kept; `None`: not at all.
fn kind(program: &Program, callee: CallableId) -> Option<Kept> {
    if program.is_pure(callee) {
        return Some(Kept::Always);
    }
    let Effects { fields: _, written: _, reads_arrays, writes_arrays, allocates, dispatches: _, is_observable, is_opaque } =
        program.effects(callee);
    let more = reads_arrays || writes_arrays || allocates || is_observable || is_opaque;
    (!more).then_some(Kept::InThisExecution)
}

/// An input and output pair of a pure callable.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Whose.
    pub callee: CallableId,
    /// Its type arguments.
    pub type_args: Vec<Type>,
    /// The arguments.
    pub args: Vec<Value>,
    /// The results.
    pub results: Vec<Value>,
    /// Goals of the entry under test that the call reaches.
    pub goals: Vec<GoalId>,
}
