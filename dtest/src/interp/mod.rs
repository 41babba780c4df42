//! Executes the IR on concrete values: which blocks run, what fails, whether a clause holds.
//!
//! A model of the solver is only a proposal; what this module computes decides. Expressions and blocks
//! are compiled to flat code once (`compile`) and run on a machine with a frame stack of its own
//! (`machine`), so that the program's recursion never uses the host's stack.
//!
//! Specifications are evaluated in three values ([`Truth`]): what cannot be computed (an unbounded
//! quantifier, a function without a body) is unknown, and Kleene's logic carries it on.

mod api;

pub use api::*;

use crate::ir;
use crate::typed::{CallableId, Type};
use crate::value::Value;

/// An interpreter of one program. Code is compiled when it is first run, and kept.
pub struct Interp<'p> {
    program: &'p ir::Program,
    limits: Limits,
}

impl<'p> Interp<'p> {
    /// An interpreter of `program` within `limits`.
    pub fn new(program: &'p ir::Program, limits: Limits) -> Self {
        Self { program, limits }
    }

    /// The program that it executes.
    pub fn program(&self) -> &'p ir::Program {
        self.program
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether the inputs are such that `unit` may be called: every argument is a value of its type, every
    /// precondition holds.
    pub fn check_inputs(&self, unit: CallableId, inputs: &Inputs) -> InputCheck {
        let _ = (unit, inputs);
        InputCheck::default()
    }

    /// Executes the blocks of `unit`, from the state that `inputs` describe.
    pub fn run(&self, unit: CallableId, inputs: &Inputs) -> Execution {
        let _ = unit;
        Execution::before(inputs, Outcome::Unsupported("not built yet".into()))
    }

    /// The postconditions of `unit` after `execution` returned; `old` reads the heap of the inputs.
    pub fn check_ensures(&self, unit: CallableId, inputs: &Inputs, execution: &Execution) -> Vec<ClauseResult> {
        let _ = (unit, inputs, execution);
        Vec::new()
    }

    /// Whether a value is one of the (concrete) type: its shape, and the constraints of subset types and
    /// newtypes wherever they are nested. References are looked up in `heap`.
    pub fn value_has_type(&self, value: &Value, ty: &Type, heap: &crate::value::Heap) -> Truth {
        let _ = (value, ty, heap);
        Truth::Unknown("not built yet".into())
    }

    /// A value of a (concrete) type that is as small as can be: a subset type's witness, a datatype's grounding
    /// constructor. `None` for types without values that can be made without a heap.
    pub fn default_value(&self, ty: &Type) -> Option<Value> {
        let _ = ty;
        None
    }

    /// Runs the program's `Main` with the command line's arguments; what it prints goes to `sink` as it comes.
    /// The exit status is Dafny's: 0, or 3 where the program halted.
    pub fn run_main(&self, args: &[String], sink: &mut dyn FnMut(&str)) -> MainResult {
        let _ = (args, sink);
        MainResult { status: 3, outcome: Outcome::Unsupported("not built yet".into()) }
    }
}
