//! Summaries of callables: what they gave for which arguments.
//!
//! A tree of calls may be too large to execute, though it makes few different calls. What a pure callable gave is kept for its
//! arguments with what it reached (input and output pairs: Christ, Hoenicke, Schäf 2012, section 6), so that an equal call costs nothing.
//! The steps that it would have cost are counted all the same: a test makes them in Rust.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::code::Mode;
use super::word::Word;
use crate::ir::{GoalId, Program};
use crate::typed::{CallableId, Type};
use crate::value::Value;

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
}

/// What a call gave.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) results: Vec<Word>,
    /// Goals that it reached, where they count.
    pub(super) goals: Rc<[GoalId]>,
    /// Steps that it cost.
    pub(super) steps: u64,
}

/// What is known of calls.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    known: RefCell<FxHashMap<Call, Summary>>,
    pure: RefCell<FxHashMap<CallableId, bool>>,
}

impl Summaries {
    /// The call as it would be kept; `None`: it is not kept, since the callee is not pure, or an argument is no scalar.
    pub(super) fn call(&self, program: &Program, callee: CallableId, mode: Mode, type_args: &Rc<[Type]>, args: &[Word]) -> Option<Call> {
        let scalar = |w: &Word| match w {
            Word::Bool(b) => Some(Scalar::Bool(*b)),
            Word::Int(n) => Some(Scalar::Int(*n)),
            Word::Char(c) => Some(Scalar::Char(*c)),
            _other => None,
        };
        let args: Vec<Scalar> = args.iter().map(scalar).collect::<Option<_>>()?;
        let is_pure = *self.pure.borrow_mut().entry(callee).or_insert_with(|| program.is_pure(callee));
        is_pure.then(|| Call { callee, mode, type_args: type_args.clone(), args })
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
