//! Traces: the steps of an execution, recorded to explain its outcome.
//!
//! Only a tracing interpreter ([`super::Interp::tracing`]) compiles the recording instructions.
//! Other code is unaffected.
//!
//! Key types: [`Trace`], [`TraceStep`], [`Tracer`].

use std::collections::VecDeque;
use std::rc::Rc;

use super::heap::{State, write_out};
use super::word::Word;
use dafny_resolve::typed::{CallableId, Type};
use dafny_source::{Name, Span};
use dtest_sorted::SortedMap;
use dtest_value::{Heap, Value};

/// The number of recorded steps at the beginning, and at the end.
const FIRST: usize = 150;
const LAST: usize = 250;
/// The number of recorded activations of a call stack, outermost and innermost.
const OUTER: usize = 10;
const INNER: usize = 30;
/// The size of a heap, in objects and elements, beyond which it is not recorded.
const LARGE: usize = 10_000;

/// The recorded steps of an execution.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps of all activations, in order. Of a long execution, those at the beginning and at
    /// the end.
    pub steps: Vec<TraceStep>,
    /// The position of the gap in [`Self::steps`], and the number of omitted steps.
    pub omitted: Option<(usize, u64)>,
    /// The active activations at the end, the unit's first. Empty if the execution returned.
    pub stack: Vec<Activation>,
    /// The position of the gap in [`Self::stack`], and the number of omitted activations.
    pub deeper: Option<(usize, usize)>,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A statement that is about to be executed.
    Statement,
    /// The head of a loop is reached after this number of iterations.
    Loop(u64),
    /// The activation is about to end.
    Return,
}

/// A step, with the state of the execution before it.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The callable that contains the statement.
    pub callable: CallableId,
    /// The number of enclosing activations.
    pub depth: usize,
    /// The statement, the loop, or the end of the body.
    pub span: Span,
    /// The kind of the step.
    pub kind: StepKind,
    /// The variables with a value, in declaration order.
    pub variables: Vec<Variable>,
    /// The contents of objects.
    pub heap: Rc<Heap>,
    /// Whether the step makes a choice, so that other executions may continue differently.
    pub chooses: bool,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name in the source.
    pub name: Name,
    /// The type.
    pub ty: Type,
    /// The value; `None` if it could not be computed.
    pub value: Option<Value>,
}

/// An active activation of a callable.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The callable.
    pub callable: CallableId,
    /// The current place: the call of the next activation, or the end of the execution.
    pub span: Span,
    /// The parameters.
    pub arguments: Vec<Variable>,
    /// The contents of objects.
    pub heap: Rc<Heap>,
}

/// A recorder of traces.
#[derive(Default)]
pub(super) struct Tracer {
    first: Vec<TraceStep>,
    last: VecDeque<TraceStep>,
    omitted: u64,
    /// The iterations of active loops, by depth and place in the code.
    turns: SortedMap<(usize, u32), u64>,
    /// The last recorded state of the heap, with its values.
    written: Option<(State, Rc<Heap>)>,
    /// Whether a choice was made.
    pub(super) is_free: bool,
}

impl Tracer {
    /// Adds a step. `at` is the place in the code of the activation.
    pub(super) fn add(&mut self, mut step: TraceStep, at: u32) {
        if at == 0 {
            self.turns.retain(|(depth, _), _| *depth < step.depth);
        }
        if let StepKind::Loop(turn) = &mut step.kind {
            // A later loop in the same activation starts again at iteration zero.
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

    /// Records that a choice was made since the last step.
    pub(super) fn note_choice(&mut self) {
        self.is_free = true;
        if let Some(step) = self.last.back_mut().or(self.first.last_mut()) {
            step.chooses = true;
        }
    }

    /// Returns the heap as values, shared by equal states.
    pub(super) fn heap(&mut self, state: &State) -> Rc<Heap> {
        // The same state is written only once.
        if let Some((known, heap)) = &self.written
            && Rc::ptr_eq(known, state)
        {
            return Rc::clone(heap);
        }
        // A large heap would make the trace too big.
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

/// Returns a variable with the value of its slot; `None` if it has none.
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
