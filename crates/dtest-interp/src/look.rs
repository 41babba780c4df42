//! Inspection of the values that a test shows: codatatypes, constants, functions.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::Interp;
use super::code::{Code, CodeKey, Mode};
use super::heap::{State, read_in};
use super::machine::Machine;
use super::word::Word;
use dafny_resolve::typed::{FieldId, Type};
use dtest_value::{FunctionValue, Heap, LazyValue, Thunk, Value};

/// The limit of lazy values that are computed for one value.
const MAX_LOOKS: usize = 6;

/// The limit of lazy values within each other.
const MAX_DEPTH: usize = 3;

/// The limit of steps for one lazy value.
const MAX_STEPS: u64 = 100_000;

impl Interp<'_> {
    /// Computes the first lazy values of `value` in `heap`, level by level: at most six, and at
    /// most three within each other. A value whose computation fails, takes more than 100,000
    /// steps, or is not determined by Dafny's semantics stays lazy.
    pub fn look_into(&self, value: &Value, heap: &Heap) {
        let mut state = None;
        let mut looks = 0;
        let mut work = VecDeque::from([(value.clone(), 0)]);
        while let Some((value, depth)) = work.pop_front() {
            // Delayed values may be anywhere inside a value.
            let Value::Lazy(lazy) = &value else {
                work.extend(
                    value
                        .parts()
                        .into_iter()
                        .filter(|p| p.holds_lazy())
                        .map(|p| (p.clone(), depth)),
                );
                continue;
            };
            // Codatatype values may be infinite, so depth and number are bounded.
            if depth == MAX_DEPTH || looks == MAX_LOOKS {
                continue;
            }
            looks += 1;
            if lazy.computed().is_none() {
                self.compute(lazy, state.get_or_insert_with(|| read_in(heap)));
            }
            if let Some(Ok(found)) = lazy.computed() {
                work.push_back((found.clone(), depth + 1));
            }
        }
    }

    /// Returns the value of a static constant or of a constant of an object or value, if Dafny's
    /// semantics determines it. `type_args` are those of its owner.
    pub fn constant(
        &self,
        field: FieldId,
        of: Option<&Value>,
        type_args: &[Type],
        heap: &Heap,
    ) -> Option<Value> {
        let code = self.code(&CodeKey::Constant(field))?;
        let value = self.determined(
            code,
            of.into_iter().map(Word::of_ref).collect(),
            type_args,
            read_in(heap),
        )?;
        self.look_into(&value, heap);
        Some(value)
    }

    /// Applies a function of the program to arguments of its types in `heap`. `None` if its
    /// precondition is not known to hold, or if Dafny's semantics allows several results. Function
    /// inputs of a test are not applied.
    pub fn applied(&self, function: &FunctionValue, args: &[Value], heap: &Heap) -> Option<Value> {
        // Only functions with code can be applied.
        let (requires, code, first, type_args) = match function {
            FunctionValue::Closure {
                lambda,
                captured,
                type_args,
            } => {
                let code = self.code(&CodeKey::Lambda(*lambda, Mode::Compiled))?;
                (
                    self.code(&CodeKey::LambdaRequires(*lambda)),
                    code,
                    captured.as_slice(),
                    type_args,
                )
            }
            FunctionValue::Named {
                callee,
                receiver: None,
                type_args,
            } => {
                let code = self.code(&CodeKey::Function(*callee, Mode::Compiled))?;
                (self.code(&CodeKey::Pre(*callee)), code, &[][..], type_args)
            }
            FunctionValue::Named { .. }
            | FunctionValue::Table { .. }
            | FunctionValue::Template(_)
            | FunctionValue::Partial { .. } => {
                return None;
            }
        };
        let (state, words) = (read_in(heap), || {
            first
                .iter()
                .chain(args)
                .map(Word::of_ref)
                .collect::<Vec<_>>()
        });
        // Outside of its precondition, a function has no result.
        let is_defined = match requires {
            Some(requires) => {
                self.determined(requires, words(), type_args, state.clone())
                    == Some(Value::Bool(true))
            }
            None => true,
        };
        if is_defined {
            self.determined(code, words(), type_args, state)
        } else {
            None
        }
    }

    /// Computes a lazy value in isolation.
    fn compute(&self, lazy: &Arc<LazyValue>, state: &State) {
        let found = match lazy.thunk() {
            Thunk::Default(ty) => self.fresh_default(ty),
            Thunk::Code {
                lambda,
                captured,
                type_args,
            } => self
                .code(&CodeKey::Lambda(*lambda, Mode::Compiled))
                .and_then(|code| {
                    self.determined(
                        code,
                        captured.iter().map(Word::of_ref).collect(),
                        type_args,
                        state.clone(),
                    )
                }),
        };
        if let Some(found) = found {
            lazy.note(Ok(found));
        }
    }

    /// Evaluates code within [`MAX_STEPS`]. Returns the result if Dafny's semantics determines it.
    fn determined(
        &self,
        code: Rc<Code>,
        args: Vec<Word>,
        type_args: &[Type],
        state: State,
    ) -> Option<Value> {
        let mut machine = Machine::new(self, state, MAX_STEPS);
        let words = machine.execute(code, args, Rc::from(type_args), None);
        self.count(&machine);
        let is_determined =
            machine.deterministic && !machine.linked && machine.script.take().is_empty();
        words
            .ok()
            .filter(|_| is_determined)
            .and_then(|mut words| words.pop())
            .and_then(Word::value)
    }
}
