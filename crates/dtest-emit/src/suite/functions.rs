//! Functions as arguments in tables of functions.
//!
//! In Rust, a function equals only its own copies, so a table with a function as an argument finds
//! an entry only for a copy of that function. Each such function becomes a variable of the test,
//! and both the entry and the passed argument are copies of it.

use dtest_sorted::SortedSet;
use dtest_value::{Answer, FunctionValue, Heap, Value};

use super::case::Case;

/// The functions that tables compare their arguments with.
#[derive(Default)]
pub(super) struct Keys(SortedSet<FunctionValue>);

impl Keys {
    /// Collects the functions that the tables of these values and of the heap's objects compare
    /// their arguments with.
    pub(super) fn of_values<'v>(values: impl Iterator<Item = &'v Value>, heap: &Heap) -> Self {
        let mut keys = Self::default();
        let objects = &heap.objects;
        values.for_each(|v| keys.add(v));
        heap.contents().for_each(|v| keys.add(v));
        let mocks = objects.iter().flat_map(|o| o.redefined.values());
        mocks.for_each(|f| keys.add_function(f));
        keys
    }

    /// Collects the functions that the tables of a test's inputs compare their arguments with.
    pub(super) fn of_case(case: &Case) -> Self {
        let mut keys = Self::of_values(case.args.iter(), &case.heap);
        // Objects that are created by calls take their functions as arguments of these.
        for made in case.constructed.values() {
            let later = made.then.iter().flat_map(|c| &c.args);
            made.args.iter().chain(later).for_each(|v| keys.add(v));
        }
        keys.add_answers(&case.answers);
        keys
    }

    /// Adds the functions that tables in the results of stubs and mocks compare their arguments
    /// with.
    pub(super) fn add_answers(&mut self, answers: &[Answer]) {
        for answer in answers {
            // Arguments of a described call are compared too, but a function there matches any.
            let changes = answer.changes.iter().map(|(.., v)| v);
            let results = answer.results.iter().flatten();
            results.chain(changes).for_each(|v| self.add(v));
        }
    }

    /// Whether a table compares its arguments with the function.
    pub(super) fn has(&self, function: &FunctionValue) -> bool {
        self.0.contains(function)
    }

    fn add(&mut self, value: &Value) {
        for part in value.within() {
            if let Value::Function(f) = part {
                self.add_function(f);
            }
        }
    }

    fn add_function(&mut self, function: &FunctionValue) {
        match function {
            FunctionValue::Table { entries, default } => {
                for (args, result) in entries {
                    self.add_arguments(args);
                    self.add(result);
                }
                self.add(default);
            }
            FunctionValue::Partial {
                function,
                exceptions,
                ..
            } => {
                // Exceptions are compared with the arguments, like the entries of a table.
                exceptions.iter().for_each(|args| self.add_arguments(args));
                self.add_function(function);
            }
            FunctionValue::Closure { captured, .. } => captured.iter().for_each(|v| self.add(v)),
            FunctionValue::Named { receiver, .. } => receiver.iter().for_each(|v| self.add(v)),
            FunctionValue::Template(_) => {}
        }
    }

    /// Adds the arguments of a table: functions in them are compared as a whole, and may be tables
    /// themselves.
    fn add_arguments(&mut self, args: &[Value]) {
        for part in args.iter().flat_map(Value::within) {
            if let Value::Function(f) = part {
                self.0.insert(FunctionValue::clone(f));
                self.add_function(f);
            }
        }
    }
}
