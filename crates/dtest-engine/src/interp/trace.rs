//! What an execution does, step by step, for who wants to see how it came to its end.
//!
//! Only an interpreter that was made for it ([`super::Interp::tracing`]) has the instructions that record: code of any other is the
//! same as if there were no traces.

use std::collections::VecDeque;
use std::rc::Rc;

use super::heap::{State, write_out};
use super::word::Word;
use crate::value::{Heap, Value};
use dafny_resolve::typed::{CallableId, Type};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::SortedMap;

/// Steps that are kept from the beginning, and up to the end.
const FIRST: usize = 150;
const LAST: usize = 250;
/// Activations of a call stack that are kept from the outside, and from the inside.
const OUTER: usize = 10;
const INNER: usize = 30;
/// Objects and elements beyond which a state of the heap is not kept.
const LARGE: usize = 10_000;

/// The way of an execution to its end.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps of all activations of statements, in order; of a long execution those at the beginning and at the end.
    pub steps: Vec<TraceStep>,
    /// How many steps are left out, and after how many of [`Self::steps`].
    pub omitted: Option<(usize, u64)>,
    /// The activations under way at the end, the unit's first. Empty where the execution returned.
    pub stack: Vec<Activation>,
    /// How many of those are left out, and after how many of [`Self::stack`].
    pub deeper: Option<(usize, usize)>,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A statement that is about to be executed.
    Statement,
    /// The head of a loop that is come to after so many iterations.
    Loop(u64),
    /// The activation is about to end.
    Return,
}

/// Where an execution is, with what it knows there.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// Whose statement it is.
    pub callable: CallableId,
    /// How many activations are around it.
    pub depth: usize,
    /// The statement, the loop, or the end of the body.
    pub span: Span,
    /// What it is.
    pub kind: StepKind,
    /// Variables that have a value, in the order of their declaration.
    pub variables: Vec<Variable>,
    /// What objects hold.
    pub heap: Rc<Heap>,
    /// Whether something is chosen in it: another execution may go on otherwise.
    pub chooses: bool,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in the source.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its value; `None`: it could not be computed.
    pub value: Option<Value>,
}

/// An activation of a callable that is under way.
#[derive(Clone, Debug)]
pub struct Activation {
    /// Of what.
    pub callable: CallableId,
    /// Where control is in it: the call of the next one, or the end of the execution.
    pub span: Span,
    /// Its parameters.
    pub arguments: Vec<Variable>,
    /// What objects hold.
    pub heap: Rc<Heap>,
}

/// Records a trace.
#[derive(Default)]
pub(super) struct Tracer {
    first: Vec<TraceStep>,
    last: VecDeque<TraceStep>,
    omitted: u64,
    /// Iterations of the loops of activations: by depth and place in the code.
    turns: SortedMap<(usize, u32), u64>,
    /// The state of the heap that was written out last.
    written: Option<(State, Rc<Heap>)>,
    /// Whether something was chosen.
    pub(super) is_free: bool,
}

impl Tracer {
    /// Adds a step. `at`: where the code of the activation comes to it.
    pub(super) fn add(&mut self, mut step: TraceStep, at: u32) {
        if at == 0 {
            self.turns.retain(|(depth, _), _| *depth < step.depth);
        }
        if let StepKind::Loop(turn) = &mut step.kind {
            // A loop that stands further on is come to anew.
            self.turns
                .retain(|(depth, pc), _| (*depth, *pc) <= (step.depth, at));
            *turn = *self
                .turns
                .entry((step.depth, at))
                .and_modify(|n| *n += 1)
                .or_default();
        }
        if self.first.len() < FIRST {
            return self.first.push(step);
        }
        if self.last.len() >= LAST {
            self.last.pop_front();
            self.omitted += 1;
        }
        self.last.push_back(step);
    }

    /// Notes that something was chosen since the last step.
    pub(super) fn note_choice(&mut self) {
        self.is_free = true;
        if let Some(step) = self.last.back_mut().or(self.first.last_mut()) {
            step.chooses = true;
        }
    }

    /// The heap as values; the same one for the same state.
    pub(super) fn heap(&mut self, state: &State) -> Rc<Heap> {
        if let Some((known, heap)) = &self.written
            && Rc::ptr_eq(known, state)
        {
            return Rc::clone(heap);
        }
        let size: usize = state.iter().map(|cell| 1 + cell.size()).sum();
        let heap = Rc::new(if size > LARGE {
            Heap::default()
        } else {
            write_out(state)
        });
        self.written = Some((Rc::clone(state), Rc::clone(&heap)));
        heap
    }

    pub(super) fn finish(self, stack: Vec<Activation>) -> Trace {
        let mut steps = self.first;
        let omitted = (self.omitted > 0).then_some((steps.len(), self.omitted));
        steps.extend(self.last);
        let mut stack = stack;
        let left = stack.len().saturating_sub(OUTER + INNER);
        stack.drain(
            OUTER.min(stack.len())..(OUTER + left).min(stack.len()).max(OUTER.min(stack.len())),
        );
        Trace {
            steps,
            omitted,
            stack,
            deeper: (left > 0).then_some((OUTER, left)),
        }
    }
}

/// A variable with what is in its slot; `None`: it has no value.
pub(super) fn variable(name: &Name, ty: Type, word: &Word) -> Option<Variable> {
    if matches!(word, Word::Unset) {
        None
    } else {
        Some(Variable {
            name: name.clone(),
            ty,
            value: word.clone().value(),
        })
    }
}
