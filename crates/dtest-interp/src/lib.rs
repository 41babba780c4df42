//! The interpreter: executes the IR on concrete values. It records the blocks that run and the
//! failures, and evaluates clauses.
//!
//! A model of the solver is only a proposal; the interpreter validates it. Expressions and blocks
//! are compiled to flat code once (`compile`) and run on a machine with a frame stack of its own
//! (`machine`), so that recursion of the program never uses the host's stack.
//!
//! Specifications are evaluated in three-valued logic ([`Truth`]): what cannot be computed (an
//! unbounded quantifier, a function without a body) is unknown, and Kleene's logic propagates it.
//!
//! Key types: [`Interp`], [`Inputs`], [`Execution`], [`Outcome`]. Key functions: [`Interp::run`],
//! [`Interp::check_inputs`], [`Interp::check_ensures`].
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod admission;
mod answers;
mod api;
mod behaviour;
mod choices;
mod code;
mod comparisons;
mod compile;
mod constants;
pub mod describe;
mod ends;
mod facts;
mod frame;
mod heap;
mod in_place;
mod lemmas;
mod liveness;
mod look;
mod machine;
mod main_method;
mod mutants;
mod newtypes;
mod older;
mod ops;
mod probes;
mod questions;
mod recorder;
mod summary;
mod trace;
mod types;
mod within;
mod word;
pub mod xorshift;

#[cfg(test)]
mod tests;

pub use api::*;
pub use behaviour::Feature;
pub use choices::Resolved;
pub use comparisons::{Comparison, Obstacle, Relation};
pub use mutants::{ByContract, Effect, Runnable};
pub use summary::Pair;
pub use trace::{Activation, StepKind, Trace, TraceStep, Variable};

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use answers::Script;
use code::{Code, CodeKey, Mode};
use comparisons::NotedCode;
use constants::Constant;
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldId, Type, TypeId};
use dtest_desugar::ExternalCode as _;
use dtest_ir as ir;
use dtest_ir::reason::{NoValue, Reason};
use dtest_sorted::SortedSet;
use dtest_value::{Heap, Value};
use heap::State;
use machine::{Machine, Record, States, Stop};
use word::Word;

/// Compiled code: `None` is not compiled yet, `Some(None)` is code that does not exist.
type Cached = Option<Option<Rc<Code>>>;

/// The number of callables in a chunk of the code cache.
const CHUNK: usize = 64;

/// The cached code of [`CHUNK`] callables.
type Chunk = [[Cached; 3]; CHUNK];

/// Steps of a precondition per step of an execution, while executions are kept short.
const CLAUSE_FACTOR: u64 = 8;

/// The limit of values that are known to need too many steps.
const MAX_CUT_CHECKS: usize = 64;

/// The limit of witnesses that need each other.
const MAX_NESTING: u32 = 32;

/// An interpreter of one program. Code is compiled on first use and cached.
pub struct Interp<'p> {
    program: &'p ir::Program,
    limits: Limits,
    /// Code of callables: function for specifications, function for compiled code, procedure.
    /// Chunks keep an interpreter cheap that runs little of a large program.
    callables: RefCell<Vec<Option<Box<Chunk>>>>,
    others: RefCell<FxHashMap<CodeKey, Option<Rc<Code>>>>,
    constants: Rc<constants::Values>,
    origins: constants::Origins,
    /// A cache of the callables that are not recursive ([`Self::is_outermost_alone`]).
    alone: RefCell<FxHashMap<CallableId, bool>>,
    dispatch: RefCell<FxHashMap<(TypeId, CallableId), CallableId>>,
    defaults: RefCell<FxHashMap<Type, Option<Value>>>,
    nesting: Cell<u32>,
    /// The steps of all executions so far.
    steps: Cell<u64>,
    /// A limit of the steps of one execution below the general one, if there is one at the moment.
    short: Cell<Option<u64>>,
    /// Whether preconditions are evaluated at the moment, which that limit concerns, too.
    checks_inputs: Cell<bool>,
    /// Whether that limit cut the evaluation of a precondition in the last check of inputs.
    is_check_cut: Cell<bool>,
    summaries: summary::Summaries,
    summarises: Cell<bool>,
    /// The mutant that replaces parts of the program at the moment.
    variant: RefCell<Option<mutants::Variant>>,
    /// The calls that executions make, while they are recorded.
    recorder: RefCell<Option<recorder::Recorder>>,
    /// The features of the last execution, while executions are observed.
    behaviour: RefCell<Option<SortedSet<Feature>>>,
    /// The comparisons of executions, while they are noted.
    comparisons: RefCell<Option<comparisons::Notes>>,
    /// Values of types without a known witness, found by the search.
    found_values: RefCell<FxHashMap<Type, Vec<Value>>>,
    /// Values whose check for a type needed too many steps.
    cut_checks: RefCell<Vec<(Value, Type)>>,
    /// Whether compiled code records a trace.
    traces: bool,
    /// Whether the contracts of the functions that specifications call are checked.
    checks_specifications: bool,
    /// Whether the program has codatatypes.
    has_codatatypes: OnceCell<bool>,
    /// The lemmas about functions without bodies, stubs and mocks.
    lemmas: OnceCell<Vec<ir::LemmaCall<'p>>>,
}

impl<'p> Interp<'p> {
    /// Creates an interpreter of `program` within `limits`.
    pub fn new(program: &'p ir::Program, limits: Limits) -> Self {
        Self {
            program,
            limits,
            callables: RefCell::new(vec![None; program.typed.callables.len().div_ceil(CHUNK)]),
            others: RefCell::default(),
            constants: Rc::default(),
            origins: constants::Origins::default(),
            alone: RefCell::default(),
            dispatch: RefCell::default(),
            defaults: RefCell::default(),
            nesting: Cell::new(0),
            short: Cell::new(None),
            checks_inputs: Cell::new(false),
            is_check_cut: Cell::new(false),
            steps: Cell::new(0),
            summaries: summary::Summaries::default(),
            summarises: Cell::new(false),
            variant: RefCell::default(),
            recorder: RefCell::default(),
            behaviour: RefCell::default(),
            comparisons: RefCell::default(),
            found_values: RefCell::default(),
            cut_checks: RefCell::default(),
            traces: false,
            checks_specifications: false,
            has_codatatypes: OnceCell::new(),
            lemmas: OnceCell::new(),
        }
    }

    /// Makes this an interpreter that records traces ([`Self::trace`]).
    #[must_use]
    pub fn tracing(self) -> Self {
        Self {
            traces: true,
            ..self
        }
    }

    /// Makes this an interpreter that also checks the contracts of the functions that
    /// specifications call, and those of overridden declarations. It is slower, and tells whether a
    /// violation rests on a callee that breaks its own contract.
    #[must_use]
    pub fn checking_specifications(self) -> Self {
        Self {
            checks_specifications: true,
            ..self
        }
    }

    /// Enables the reuse of results of pure callables: equal calls are executed once. For call
    /// trees that are too large to execute.
    pub fn summarise(&self) {
        self.summarises.set(true);
    }

    /// Returns the recorded pairs of arguments and results.
    pub fn pairs(&self) -> Vec<Pair> {
        self.summaries.pairs()
    }

    /// Returns the program.
    pub fn program(&self) -> &'p ir::Program {
        self.program
    }

    /// Returns the steps of all executions and evaluations of clauses so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn count(&self, machine: &Machine<'_, '_, '_>) {
        self.steps
            .set(self.steps.get() + machine.steps + machine.apart);
    }

    /// Limits the steps of each execution by [`Self::run`] further, or no longer, and in proportion
    /// those of each precondition. Searches that try many inputs do not wait for those that take
    /// long. Postconditions are not limited: few inputs come that far, and they are the oracle.
    pub fn keep_short(&self, steps: Option<u64>) {
        self.short.set(steps);
    }

    /// Raises the limit of [`Self::keep_short`] by a factor. Returns `false`, and changes nothing,
    /// if there is no such limit below the general one.
    pub fn lengthen(&self, factor: u64) -> bool {
        let short = self.short.get().filter(|steps| *steps < self.limits.steps);
        let Some(steps) = short else { return false };
        self.short.set(Some(steps.saturating_mul(factor)));
        true
    }

    /// Returns whether the last [`Self::check_inputs`] was cut because of [`Self::keep_short`]. The
    /// truth of some precondition is then unknown only because of that limit.
    pub fn is_last_check_cut(&self) -> bool {
        self.is_check_cut.get()
    }

    /// The limit of steps of a clause. Specifications are often defined by slower functions than
    /// those that are executed, so that it is larger than that of an execution.
    fn steps_of_clause(&self) -> u64 {
        let short = self.short.get().filter(|_| self.checks_inputs.get());
        let steps = short.map_or(u64::MAX, |steps| steps.saturating_mul(CLAUSE_FACTOR));
        steps.min(self.limits.steps)
    }

    /// Returns whether executions are limited further than by the general limits.
    pub fn is_kept_short(&self) -> bool {
        self.short.get().is_some()
    }

    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Executes the blocks of `unit` on `inputs`.
    pub fn run(&self, unit: CallableId, inputs: &Inputs) -> Execution {
        let Some(code) = self.code(&CodeKey::Procedure(unit)) else {
            let name = self.program.typed.callable_path(unit);
            return Execution::before(inputs, Outcome::Unsupported(Reason::NoBody(name.into())));
        };
        let steps = self.short.get().unwrap_or(u64::MAX).min(self.limits.steps);
        self.run_code(unit, code, inputs, steps, &Resolution::Rule)
    }

    /// Executes `unit` with another resolution of its choices.
    pub fn run_resolved(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        resolution: &Resolution,
    ) -> Execution {
        match self.code(&CodeKey::Procedure(unit)) {
            Some(code) => self.run_code(unit, code, inputs, self.limits.steps, resolution),
            None => self.run(unit, inputs),
        }
    }

    /// Executes `unit` and continues after violations as if the obligations held. Returns the
    /// violations, each once. The outcome is the first failure that makes continuing impossible.
    pub fn run_on(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        resolution: &Resolution,
    ) -> (Execution, Vec<Failure>) {
        let Some(code) = self.code(&CodeKey::Procedure(unit)) else {
            return (self.run(unit, inputs), Vec::new());
        };
        let mut broken = Vec::new();
        let how = How {
            resolution,
            trace: None,
            broken: Some(&mut broken),
            listed: None,
        };
        let execution = self.run_so(unit, code, inputs, self.limits.steps / 16, how);
        (execution, broken)
    }

    /// Executes `unit` with the listed candidates of each `:|` in compiled code; the first
    /// candidate after the end of the list. Returns the number of candidates of each `:|`. The
    /// execution is determined if nothing else was open and all candidates were counted.
    pub(crate) fn run_listed(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        script: &[u32],
        steps: u64,
    ) -> Option<(Execution, Vec<u32>)> {
        let code = self.code(&CodeKey::Procedure(unit))?;
        let mut counts = Vec::new();
        let listed = Some((script, &mut counts));
        let how = How {
            resolution: &Resolution::Rule,
            trace: None,
            broken: None,
            listed,
        };
        let execution = self.run_so(unit, code, inputs, steps.min(self.limits.steps), how);
        Some((execution, counts))
    }

    /// Executes `unit` and records a trace. Requires a [`Self::tracing`] interpreter.
    pub fn trace(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        resolution: &Resolution,
    ) -> (Execution, Trace) {
        let mut trace = Trace::default();
        let execution = match self.code(&CodeKey::Procedure(unit)) {
            Some(code) => {
                let how = How {
                    resolution,
                    trace: Some(&mut trace),
                    broken: None,
                    listed: None,
                };
                self.run_so(unit, code, inputs, self.limits.steps, how)
            }
            None => self.run(unit, inputs),
        };
        (execution, trace)
    }

    /// Executes blocks of `unit`, its own or those of a mutant, within a number of steps.
    fn run_code(
        &self,
        unit: CallableId,
        code: Rc<Code>,
        inputs: &Inputs,
        steps: u64,
        resolution: &Resolution,
    ) -> Execution {
        self.run_so(
            unit,
            code,
            inputs,
            steps,
            How {
                resolution,
                trace: None,
                broken: None,
                listed: None,
            },
        )
    }

    fn run_so(
        &self,
        unit: CallableId,
        code: Rc<Code>,
        inputs: &Inputs,
        steps: u64,
        how: How<'_>,
    ) -> Execution {
        let How {
            resolution,
            trace,
            broken,
            listed,
        } = how;
        // Configure the machine: everything that is recorded is requested before the run.
        let mut machine = Machine::new(self, heap::read_inputs(&self.program.typed, inputs), steps)
            .resolving(resolution);
        machine.tracer = trace.is_some().then(Box::default);
        machine.disregarded = broken.is_some().then(Vec::new);
        machine.script = Script::of(inputs);
        machine.listing = listed.as_ref().map(|(script, _)| machine::choose::Listing {
            script: script.iter().copied().collect(),
            counts: Vec::new(),
        });
        machine.record = Some(Record::of(self.program, unit));
        machine.behaviour = self.new_behaviour();
        machine.noted = self.notes_comparisons().then_some(NotedCode::Compiled);
        let args: Vec<Word> = inputs.args.iter().map(Word::of_ref).collect();
        // Preconditions that call functions without a body are assumed.
        let heap = machine.heap.clone();
        let told = machine.learn(
            (unit, facts::Side::Requires),
            &args,
            &inputs.type_args,
            (&heap, &States::since(heap.clone())),
        );
        let result = match told {
            Ok(_) => machine.execute(code, args, Rc::from(inputs.type_args.as_slice()), None),
            Err(stop) => Err(stop),
        };
        self.count(&machine);
        self.observed(machine.behaviour.take());
        // Take over what the machine recorded, whatever the outcome.
        if let Some(trace) = trace {
            *trace = machine.finish_trace();
        }
        if let (Some((_, counts)), Some(listing)) = (listed, machine.listing.take()) {
            *counts = listing.counts;
        }
        if let Some(broken) = broken {
            *broken = machine.disregarded.take().unwrap_or_default();
        }
        let outcome = match result {
            Ok(words) => self.returned(unit, words),
            Err(stop) => *stop,
        };
        let outcome = self.outside(unit, outcome);
        let record = machine.record.take().unwrap_or_default();
        Execution {
            visited: record.visited,
            shown: record.shown,
            reached_probes: record.reached_probes.into_iter().collect(),
            inner: record.inner,
            trace: record.trace,
            path: record.path,
            outcome,
            deterministic: machine.deterministic && !machine.obligations_chose,
            determined: machine.deterministic,
            unknown: std::mem::take(&mut machine.unknown),
            undecided_assumptions: std::mem::take(&mut machine.undecided_assumptions),
            reads_open_constants: machine.reads_open_constants,
            has_undecided: machine.undecided_count > 0,
            heap: heap::write_out(&machine.heap),
            unknown_contents: heap::unknown_contents(&machine.heap),
            printed: std::mem::take(&mut machine.printed),
            answers: machine.script.take(),
            linked: machine.linked,
            steps: machine.steps,
            chosen: machine.chosen(),
            guessed: machine.guessed,
            in_constant: machine.is_in_constant(),
        }
    }

    /// Adjusts the outcome of a unit that is linked Rust: not finding a result here does not mean
    /// that there is none.
    fn outside(&self, unit: CallableId, outcome: Outcome) -> Outcome {
        let c = &self.program.typed[unit];
        match (&outcome, &c.body) {
            (
                Outcome::Unsupported(_) | Outcome::OutOfFuel(_) | Outcome::Infeasible(_),
                Body::None,
            ) if self.program.typed.is_linked(unit) => Outcome::Returned(vec![None; c.outs.len()]),
            (_, _) => outcome,
        }
    }

    fn returned(&self, unit: CallableId, words: Vec<Word>) -> Outcome {
        let procedure = self.program.procedures.get(&unit);
        let mut values = Vec::new();
        for (i, word) in words.into_iter().enumerate() {
            let out = procedure.and_then(|p| p.vars.get(p.outs.get(i)?.0 as usize));
            // An unknown compiled result makes the execution unusable.
            if out.is_some_and(|v| !v.ghost)
                && let Word::Unknown(reason) = word
            {
                return Outcome::Unsupported(reason.into());
            }
            values.push(word.value());
        }
        Outcome::Returned(values)
    }

    /// Evaluates the postconditions of `unit` after `execution` returned; `old` reads the heap of
    /// the inputs.
    pub fn check_ensures(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Vec<ClauseResult> {
        let Some(contract) = self.program.contracts.get(&unit) else {
            return Vec::new();
        };
        let Some((states, now, args)) = self.after(unit, inputs, execution) else {
            return Vec::new();
        };
        // Functions return in clauses what they returned while the unit ran.
        let script = Script::following(inputs, execution);
        let check = |(i, clause): (usize, &ir::Clause)| {
            let key = CodeKey::Ensures(unit, i);
            let evaluated = self.evaluated(
                &key,
                args.clone(),
                &inputs.type_args,
                now.clone(),
                states.clone(),
                &script,
            );
            clause_result(clause.span, evaluated, &script)
        };
        contract.ensures.iter().enumerate().map(check).collect()
    }

    /// Returns the ways in which the contract of `unit` is known to hold ([`ir::Contract::ways`]):
    /// of preconditions for the inputs, of postconditions if the execution returned.
    pub fn ways(&self, unit: CallableId, inputs: &Inputs, execution: &Execution) -> Vec<u32> {
        let Some(contract) = self
            .program
            .contracts
            .get(&unit)
            .filter(|c| !c.ways.is_empty())
        else {
            return Vec::new();
        };
        // A clause about the final state is evaluated after the execution, others before it.
        let holds = |i: usize, post: bool| {
            let script = Script::following(inputs, execution);
            let key = CodeKey::Way(unit, i);
            let truth = if post {
                let (states, now, args) = self.after(unit, inputs, execution)?;
                self.clause(&key, args, &inputs.type_args, now, states, &script)
            } else {
                let state = heap::read_inputs(&self.program.typed, inputs);
                let args = inputs.args.iter().map(Word::of_ref).collect();
                self.clause(
                    &key,
                    args,
                    &inputs.type_args,
                    state.clone(),
                    States::since(state),
                    &script,
                )
            };
            Some(truth.is_true())
        };
        let ways = contract
            .ways
            .iter()
            .enumerate()
            .filter(|(i, w)| holds(*i, w.post) == Some(true));
        ways.map(|(i, _)| i as u32).collect()
    }

    /// Returns the context of a postcondition: the older states, the heap, parameters and results.
    /// `None` if the unit did not return.
    fn after(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Option<(States, State, Vec<Word>)> {
        let Outcome::Returned(outs) = &execution.outcome else {
            return None;
        };
        let (old, mut now) = (
            heap::read_inputs(&self.program.typed, inputs),
            heap::read_in(&execution.heap),
        );
        // Contents that the execution left unknown must not be assumed.
        heap::forget(&mut now, &execution.unknown_contents);
        let out = |v: &Option<Value>| {
            v.as_ref()
                .map_or_else(|| Word::unknown(NoValue::Result), Word::of_ref)
        };
        let args: Vec<Word> = inputs
            .args
            .iter()
            .map(Word::of_ref)
            .chain(outs.iter().map(out))
            .collect();
        let is_constructor = self.program.typed[unit].kind == CallableKind::Constructor;
        // The object under construction counts as new.
        let made = match inputs.args.first() {
            Some(Value::Ref(id)) if is_constructor => Some(*id),
            Some(_) | None => None,
        };
        Some((States::since(old).making(made), now, args))
    }

    /// Returns whether a value belongs to a concrete type: its shape, and the constraints of nested
    /// subset types and newtypes. References are looked up in `heap`.
    pub fn value_has_type(&self, value: &Value, ty: &Type, heap: &Heap) -> Truth {
        self.has_type(value, ty, &heap::read_in(heap))
    }

    /// The same for a value without references, within a number of steps. `None` if the check needs
    /// more, or if an earlier one did.
    pub fn value_has_type_within(&self, value: &Value, ty: &Type, steps: u64) -> Option<Truth> {
        let is_same = |(known, known_ty): &(Value, Type)| known == value && known_ty == ty;
        if self.cut_checks.borrow().iter().any(is_same) {
            return None;
        }
        let short = self.short.replace(Some(steps.div_ceil(CLAUSE_FACTOR)));
        let checks_inputs = self.checks_inputs.replace(true);
        let is_cut = self.is_check_cut.replace(false);
        let truth = self.value_has_type(value, ty, &Heap::default());
        self.short.set(short);
        self.checks_inputs.set(checks_inputs);
        if !self.is_check_cut.replace(is_cut) {
            return Some(truth);
        }
        let mut cut = self.cut_checks.borrow_mut();
        if cut.len() < MAX_CUT_CHECKS {
            cut.push((value.clone(), ty.clone()));
        }
        None
    }

    fn has_type(&self, value: &Value, ty: &Type, state: &State) -> Truth {
        let key = CodeKey::HasType(ty.clone());
        self.clause(
            &key,
            vec![Word::of_ref(value)],
            &[],
            state.clone(),
            States::default(),
            &Script::default(),
        )
    }

    /// Returns the simplest value of a concrete type: the witness of a subset type, the grounding
    /// constructor of a datatype. `None` for types without values that can be created without a
    /// heap.
    pub fn default_value(&self, ty: &Type) -> Option<Value> {
        if let Some(known) = self.defaults.borrow().get(ty) {
            return known.clone();
        }
        if self.nesting.get() >= MAX_NESTING {
            return None;
        }
        let value = self.fresh_default(ty);
        self.defaults.borrow_mut().insert(ty.clone(), value.clone());
        value
    }

    /// Returns the values that were kept for a type ([`Self::keep_found_values`]).
    pub fn found_values(&self, ty: &Type) -> Option<Vec<Value>> {
        self.found_values.borrow().get(ty).cloned()
    }

    /// Keeps the values that a search found for a type, or that it found none.
    pub fn keep_found_values(&self, ty: Type, values: Vec<Value>) {
        self.found_values.borrow_mut().insert(ty, values);
    }

    /// Creates a default value that shares nothing with others. A lazy value must not contain
    /// itself, so that it cannot use the cache.
    fn fresh_default(&self, ty: &Type) -> Option<Value> {
        if self.nesting.get() >= MAX_NESTING {
            return None;
        }
        self.nesting.set(self.nesting.get() + 1);
        let value = types::default_value(&self.program.typed, self, ty);
        self.nesting.set(self.nesting.get() - 1);
        value
    }

    /// Evaluates a condition. If its evaluation stops, it is unknown.
    fn clause(
        &self,
        key: &CodeKey,
        args: Vec<Word>,
        type_args: &[Type],
        state: State,
        states: States,
        script: &Script,
    ) -> Truth {
        self.evaluated(key, args, type_args, state, states, script)
            .truth
    }

    /// Evaluates a condition like [`Self::clause`], with the reason why the evaluation stopped.
    fn evaluated(
        &self,
        key: &CodeKey,
        args: Vec<Word>,
        type_args: &[Type],
        state: State,
        states: States,
        script: &Script,
    ) -> Evaluated {
        let Some(code) = self.code(key) else {
            return Evaluated {
                truth: Truth::Unknown(NoValue::Clause.into()),
                stop: None,
                reads_open_constants: false,
                has_undecided: false,
            };
        };
        let steps = self.steps_of_clause();
        let mut machine = Machine::new(self, state, steps);
        machine.script = script.clone();
        machine.noted = self.notes_comparisons().then_some(NotedCode::All);
        let result = machine.execute(code, args, Rc::from(type_args), Some(states));
        self.count(&machine);
        let is_out_of_steps = matches!(&result, Err(stop)
            if matches!(**stop, Outcome::OutOfFuel(ir::reason::Limit::Steps)));
        if is_out_of_steps && steps < self.limits.steps {
            self.is_check_cut.set(true);
        }
        let (truth, stop) = match result.map(|mut words| words.pop()) {
            // If an assumption during the evaluation could not be decided, a false clause may be
            // vacuous.
            Ok(Some(Word::Bool(false))) if !machine.undecided_assumptions.is_empty() => {
                let reason = machine.undecided_assumptions.first();
                let reason = reason.map_or(NoValue::Truth.into(), |(_, why)| why.clone());
                (Truth::Unknown(reason), None)
            }
            Ok(Some(Word::Bool(b))) => (Truth::from(b), None),
            Ok(Some(Word::Unknown(reason))) => (Truth::Unknown(reason.into()), None),
            Ok(_) => (Truth::Unknown(NoValue::Truth.into()), None),
            Err(stop) => (Truth::Unknown(why(&stop)), Some(stop)),
        };
        Evaluated {
            truth,
            stop,
            reads_open_constants: machine.reads_open_constants,
            has_undecided: machine.undecided_count > 0,
        }
    }

    /// Returns the code for a key, compiled on first use.
    fn code(&self, key: &CodeKey) -> Option<Rc<Code>> {
        if let Some(code) = self
            .variant
            .borrow()
            .as_ref()
            .and_then(|v| v.instead_of(key))
        {
            return Some(code);
        }
        // Callables have an indexed cache, because calls look up their code.
        let with = compile::Extras {
            check_calls: self.limits.check_calls,
            check_specifications: self.checks_specifications,
            traces: self.traces,
        };
        let compile = || compile::compile(self.program, key, with).map(Rc::new);
        let place = match key {
            CodeKey::Function(id, Mode::Spec) => Some((id, 0)),
            CodeKey::Function(id, Mode::Compiled) => Some((id, 1)),
            CodeKey::Procedure(id) => Some((id, 2)),
            CodeKey::Lambda(..)
            | CodeKey::LambdaRequires(_)
            | CodeKey::LambdaReads(_)
            | CodeKey::Pre(_)
            | CodeKey::Reads(_)
            | CodeKey::Modifies(_)
            | CodeKey::Frame(..)
            | CodeKey::Defined(..)
            | CodeKey::DefinedField(..)
            | CodeKey::FieldOfResults(..)
            | CodeKey::Updated(..)
            | CodeKey::UpdatedTo(..)
            | CodeKey::Requires(..)
            | CodeKey::Measure(..)
            | CodeKey::Modified(..)
            | CodeKey::Read(..)
            | CodeKey::Ensures(..)
            | CodeKey::Assumed(..)
            | CodeKey::Stated(..)
            | CodeKey::Way(..)
            | CodeKey::Constant(_)
            | CodeKey::Constraint(_)
            | CodeKey::Witness(_)
            | CodeKey::HasType(_) => None,
        };
        match place {
            Some((id, column)) => {
                let mut rows = self.callables.borrow_mut();
                let at = id.0 as usize;
                let chunk = rows
                    .get_mut(at / CHUNK)?
                    .get_or_insert_with(|| Box::new([const { [const { None }; 3] }; CHUNK]));
                let cell = chunk.get_mut(at % CHUNK)?.get_mut(column)?;
                cell.get_or_insert_with(compile).clone()
            }
            None => {
                if let Some(code) = self.others.borrow().get(key) {
                    return code.clone();
                }
                let code = compile();
                self.others.borrow_mut().insert(key.clone(), code.clone());
                code
            }
        }
    }

    /// Whether a mutant is running. Like compiled code, it evaluates no specifications.
    fn runs_variant(&self) -> bool {
        self.variant.borrow().is_some()
    }

    /// Returns the constraints that are decided without a call.
    fn constraints(&self) -> in_place::Constraints<'p> {
        in_place::Constraints::new(self.program, !self.runs_variant())
            .explaining(self.notes_comparisons())
    }

    /// Returns what is known of a constant for compiled code or for a specification. A mutant has
    /// its own values of the constants that depend on it.
    fn constant_for(&self, field: FieldId, mode: Mode) -> Constant {
        let code = self.code(&CodeKey::Constant(field));
        let known = self.constants.get(field);
        match &*self.variant.borrow() {
            None => Constant {
                known,
                code,
                keep: Some(self.constants.clone()),
            },
            Some(variant) => match (
                self.origins.are_of(self.program, field, variant.callable()),
                mode,
            ) {
                // The constant does not depend on the mutant, so that the known value is valid.
                (false, _) => Constant {
                    known: known.or_else(|| variant.constants().get(field)),
                    code,
                    keep: Some(variant.constants()),
                },
                // Specifications mean the constant of the unchanged program.
                (true, Mode::Spec) => Constant {
                    known,
                    code,
                    keep: None,
                },
                // The mutant computes the constant as compiled code does.
                (true, Mode::Compiled) => {
                    let code = code.map(|c| {
                        Rc::new(Code {
                            mode,
                            ..Code::clone(&c)
                        })
                    });
                    Constant {
                        known: variant.constants().get(field),
                        code,
                        keep: Some(variant.constants()),
                    }
                }
            },
        }
    }

    fn overriding(&self, decl: TypeId, callee: CallableId) -> CallableId {
        *self
            .dispatch
            .borrow_mut()
            .entry((decl, callee))
            .or_insert_with(|| types::overriding(&self.program.typed, decl, callee))
    }
}

impl types::Evaluate for Interp<'_> {
    fn makes_up_abstract_values(&self) -> bool {
        self.program.criteria.has(ir::Criterion::Obligation)
    }

    fn witness(&self, decl: TypeId, args: &[Type]) -> Option<Value> {
        let code = self.code(&CodeKey::Witness(decl))?;
        let mut machine = Machine::new(self, State::default(), self.limits.steps / 10);
        machine
            .execute(code, Vec::new(), Rc::from(args), None)
            .ok()?
            .pop()?
            .value()
    }

    fn admits(&self, value: &Value, ty: &Type) -> bool {
        !self.has_type(value, ty, &State::default()).is_false()
    }
}

/// The options of an execution.
struct How<'a> {
    /// The resolution of choices.
    resolution: &'a Resolution,
    /// The receiver of the trace.
    trace: Option<&'a mut Trace>,
    /// The receiver of violations, after which the execution continues; `None`: it stops.
    broken: Option<&'a mut Vec<Failure>>,
    /// The candidates to take for each `:|`, and the receiver of their numbers.
    listed: Option<(&'a [u32], &'a mut Vec<u32>)>,
}

/// The result of evaluating a clause.
struct Evaluated {
    truth: Truth,
    /// The outcome that stopped the evaluation.
    stop: Option<Stop>,
    /// Whether a constant without a value was read.
    reads_open_constants: bool,
    /// Whether a condition on the way was not decided, or depends on all allocated objects.
    has_undecided: bool,
}

/// Creates the result of an evaluated clause, including the results of external code.
fn clause_result(span: dafny_source::Span, evaluated: Evaluated, script: &Script) -> ClauseResult {
    let (failure, endless) = match evaluated.stop.as_deref() {
        Some(Outcome::Failed(failure)) => (Some(failure.clone()), None),
        Some(Outcome::OutOfFuel(limit)) => (None, Some(Reason::Endless(*limit))),
        Some(
            Outcome::Unsupported(_)
            | Outcome::Returned(_)
            | Outcome::Halted { .. }
            | Outcome::Infeasible(_),
        )
        | None => (None, None),
    };
    ClauseResult {
        span,
        truth: evaluated.truth,
        failure,
        answers: script.take(),
        unanswered: script.take_unanswered().or(endless),
        reads_open_constants: evaluated.reads_open_constants,
        has_undecided: evaluated.has_undecided,
    }
}

/// Returns the reason why a clause has no value.
fn why(stop: &Stop) -> Reason {
    match &**stop {
        Outcome::Failed(f) => Reason::IllFormed(f.message.as_str().into()),
        Outcome::OutOfFuel(limit) => Reason::OutOfFuel(*limit),
        Outcome::Unsupported(reason) => reason.clone(),
        Outcome::Returned(_) | Outcome::Halted { .. } | Outcome::Infeasible(_) => Reason::Halts,
    }
}
