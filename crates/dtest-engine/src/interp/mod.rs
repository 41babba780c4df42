//! Executes the IR on concrete values: which blocks run, what fails, whether a clause holds.
//!
//! A model of the solver is only a proposal; what this module computes decides. Expressions and blocks
//! are compiled to flat code once (`compile`) and run on a machine with a frame stack of its own
//! (`machine`), so that the program's recursion never uses the host's stack.
//!
//! Specifications are evaluated in three values ([`Truth`]): what cannot be computed (an unbounded
//! quantifier, a function without a body) is unknown, and Kleene's logic carries it on.

mod answers;
mod api;
mod choices;
mod code;
mod compile;
mod constants;
mod ends;
mod frame;
mod heap;
mod liveness;
mod look;
mod machine;
mod mutants;
mod newtypes;
mod older;
mod ops;
mod probes;
mod recorder;
mod summary;
mod trace;
mod types;
mod word;

#[cfg(test)]
mod tests;

pub use api::*;
pub use choices::Resolved;
pub use mutants::{ByContract, Runnable};
pub use summary::Pair;
pub use trace::{Activation, StepKind, Trace, TraceStep, Variable};

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ir;
use crate::reason::{NoValue, Reason};
use crate::value::{Contents, Heap, Object, ObjectId, Value};
use answers::Script;
use code::{Code, CodeKey, Mode};
use constants::Constant;
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldId, Type, TypeId};
use heap::State;
use machine::{Machine, Record, States, Stop};
use word::Word;

/// Code that was compiled, or is not there; `None`: not asked for.
type Cached = Option<Option<Rc<Code>>>;

/// Callables whose code is kept together.
const CHUNK: usize = 64;

/// The code of so many.
type Chunk = [[Cached; 3]; CHUNK];

/// How deep witnesses may need each other.
const MAX_NESTING: u32 = 32;

/// An interpreter of one program. Code is compiled when it is first run, and kept.
pub struct Interp<'p> {
    program: &'p ir::Program,
    limits: Limits,
    /// Code of callables: function for specifications, function for compiled code, procedure. In chunks, so that an interpreter that
    /// runs little of a large program costs little.
    callables: RefCell<Vec<Option<Box<Chunk>>>>,
    others: RefCell<FxHashMap<CodeKey, Option<Rc<Code>>>>,
    constants: Rc<constants::Values>,
    origins: constants::Origins,
    /// Callables that are known to call themselves on the way, or not to.
    alone: RefCell<FxHashMap<CallableId, bool>>,
    dispatch: RefCell<FxHashMap<(TypeId, CallableId), CallableId>>,
    defaults: RefCell<FxHashMap<Type, Option<Value>>>,
    nesting: Cell<u32>,
    /// Steps of all executions so far.
    steps: Cell<u64>,
    summaries: summary::Summaries,
    summarises: Cell<bool>,
    /// What is run in the place of other code: a mutant that is being tried.
    variant: RefCell<Option<mutants::Variant>>,
    /// The calls that executions make, where these are recorded.
    recorder: RefCell<Option<recorder::Recorder>>,
    /// Whether code records what it does.
    traces: bool,
    /// Whether the program has codatatypes.
    has_codatatypes: OnceCell<bool>,
}

impl<'p> Interp<'p> {
    /// An interpreter of `program` within `limits`.
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
            steps: Cell::new(0),
            summaries: summary::Summaries::default(),
            summarises: Cell::new(false),
            variant: RefCell::default(),
            recorder: RefCell::default(),
            traces: false,
            has_codatatypes: OnceCell::new(),
        }
    }

    /// An interpreter that records what executions do ([`Self::trace`]).
    #[must_use]
    pub fn tracing(self) -> Self {
        Self {
            traces: true,
            ..self
        }
    }

    /// From now on, what pure callables give is kept: equal calls are made once. For trees of calls that are too large to execute.
    pub fn summarise(&self) {
        self.summarises.set(true);
    }

    /// What is kept of executions so far.
    pub fn pairs(&self) -> Vec<Pair> {
        self.summaries.pairs()
    }

    /// The program that it executes.
    pub fn program(&self) -> &'p ir::Program {
        self.program
    }

    /// Steps of all executions and evaluations of clauses so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn count(&self, machine: &Machine<'_, '_, '_>) {
        self.steps
            .set(self.steps.get() + machine.steps + machine.apart);
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether the inputs are such that `unit` may be called: every argument, and all that objects hold, is a value of its
    /// type, every precondition holds.
    pub fn check_inputs(&self, unit: CallableId, inputs: &Inputs) -> InputCheck {
        let script = Script::of(inputs);
        let Some(contract) = self.program.contracts.get(&unit) else {
            return InputCheck::default();
        };
        let state = heap::read_in(&inputs.heap);
        let map = contract
            .type_params
            .iter()
            .copied()
            .zip(inputs.type_args.iter().cloned())
            .collect();
        let mut check = InputCheck::default();
        for (param, arg) in contract.params.iter().zip(&inputs.args) {
            let Some(var) = contract.vars.get(param.0 as usize) else {
                continue;
            };
            let truth = self.has_type(arg, &var.ty.subst(&map), &state);
            check.types.push(ClauseResult {
                span: var.span,
                truth,
                failure: None,
                answers: Vec::new(),
                unanswered: None,
                reads_open_constants: false,
            });
        }
        check.types.extend(self.check_heap(&inputs.heap, &state));
        // What speaks of two states is asked where both are there.
        let requires = if self.program.is_in_two_states(unit) {
            &[][..]
        } else {
            &contract.requires
        };
        for (i, clause) in requires.iter().enumerate() {
            let args = inputs.args.iter().map(Word::of_ref).collect();
            let states = States::since(state.clone());
            let key = CodeKey::Requires(unit, i);
            let evaluated = self.evaluated(
                &key,
                args,
                &inputs.type_args,
                state.clone(),
                states,
                &script,
            );
            check
                .requires
                .push(clause_result(clause.span, evaluated, &script));
        }
        check
    }

    /// What objects hold and is not known to be of its type.
    fn check_heap(&self, heap: &Heap, state: &State) -> Vec<ClauseResult> {
        let program = &self.program.typed;
        let mut found = Vec::new();
        let mut check = |value: &Value, ty: &Type, span| {
            let truth = self.has_type(value, ty, state);
            if !truth.is_true() {
                found.push(ClauseResult {
                    span,
                    truth,
                    failure: None,
                    answers: Vec::new(),
                    unanswered: None,
                    reads_open_constants: false,
                });
            }
        };
        for object in &heap.objects {
            match (&object.contents, &object.ty) {
                (Contents::Fields(fields), ty) => {
                    for (field, value) in fields {
                        check(value, &program.field_type(ty, *field), program[*field].span);
                    }
                }
                (Contents::Elements(elements), Type::Array { elem, .. }) => {
                    elements.iter().flatten().for_each(|value| {
                        check(value, elem, dafny_syntax::source::Span::default())
                    });
                }
                (Contents::Elements(_), _) => {}
            }
        }
        found
    }

    /// Executes the blocks of `unit`, from the state that `inputs` describe.
    pub fn run(&self, unit: CallableId, inputs: &Inputs) -> Execution {
        let Some(code) = self.code(&CodeKey::Procedure(unit)) else {
            let name = self.program.typed.callable_path(unit);
            return Execution::before(inputs, Outcome::Unsupported(Reason::NoBody(name.into())));
        };
        self.run_code(unit, code, inputs, self.limits.steps, &Resolution::Rule)
    }

    /// The same with choices resolved in another way.
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

    /// The same, going on after obligations that it breaks as if they held. What these are, each once; the outcome is the first that nothing
    /// can go on after.
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

    /// The same where compiled code takes such candidates of `:|`, by their numbers, in order, and the first where no more are said; and how
    /// many candidates there were each time. It is determined where nothing else was left open, and all candidates were counted.
    pub(super) fn run_listed(
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

    /// Executes the blocks of `unit` and tells how it came to its end, where this interpreter is [`Self::tracing`].
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

    /// Executes blocks of `unit`, its own or what stands for them, in so many steps at most.
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
        let mut machine =
            Machine::new(self, heap::read_in(&inputs.heap), steps).resolving(resolution);
        machine.tracer = trace.is_some().then(Box::default);
        machine.disregarded = broken.is_some().then(Vec::new);
        machine.script = Script::of(inputs);
        machine.listing = listed.as_ref().map(|(script, _)| machine::choose::Listing {
            script: script.iter().copied().collect(),
            counts: Vec::new(),
        });
        machine.record = Some(Record::of(self.program, unit));
        let args = inputs.args.iter().map(Word::of_ref).collect();
        let result = machine.execute(code, args, Rc::from(inputs.type_args.as_slice()), None);
        self.count(&machine);
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
            come_to: record.come_to.into_iter().collect(),
            inner: record.inner,
            trace: record.trace,
            path: record.path,
            outcome,
            deterministic: machine.deterministic && !machine.obligations_chose,
            determined: machine.deterministic,
            unknown: std::mem::take(&mut machine.unknown),
            undecided_assumptions: std::mem::take(&mut machine.undecided_assumptions),
            reads_open_constants: machine.reads_open_constants,
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

    /// A unit whose code is linked Rust: that its answer is not found here does not mean that there is none.
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
            if out.is_some_and(|v| !v.ghost)
                && let Word::Unknown(reason) = word
            {
                return Outcome::Unsupported(reason.into());
            }
            values.push(word.value());
        }
        Outcome::Returned(values)
    }

    /// The postconditions of `unit` after `execution` returned; `old` reads the heap of the inputs.
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
        // What a function answered while the unit ran, it answers again.
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

    /// The ways in which the contract of `unit` is known to hold ([`ir::Contract::ways`]): those of preconditions for the
    /// inputs, those of postconditions where the execution returned.
    pub fn ways(&self, unit: CallableId, inputs: &Inputs, execution: &Execution) -> Vec<u32> {
        let Some(contract) = self
            .program
            .contracts
            .get(&unit)
            .filter(|c| !c.ways.is_empty())
        else {
            return Vec::new();
        };
        let holds = |i: usize, post: bool| {
            let script = Script::following(inputs, execution);
            let key = CodeKey::Way(unit, i);
            let truth = if post {
                let (states, now, args) = self.after(unit, inputs, execution)?;
                self.clause(&key, args, &inputs.type_args, now, states, &script)
            } else {
                let state = heap::read_in(&inputs.heap);
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

    /// What a postcondition is evaluated in: the older states, the heap, parameters and results. `None` where the unit did
    /// not return.
    fn after(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Option<(States, State, Vec<Word>)> {
        let Outcome::Returned(outs) = &execution.outcome else {
            return None;
        };
        let (old, mut now) = (heap::read_in(&inputs.heap), heap::read_in(&execution.heap));
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
        let made = match inputs.args.first() {
            Some(Value::Ref(id)) if is_constructor => Some(*id),
            Some(_) | None => None,
        };
        Some((States::since(old).making(made), now, args))
    }

    /// Whether a value is one of the (concrete) type: its shape, and the constraints of subset types and
    /// newtypes wherever they are nested. References are looked up in `heap`.
    pub fn value_has_type(&self, value: &Value, ty: &Type, heap: &Heap) -> Truth {
        self.has_type(value, ty, &heap::read_in(heap))
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

    /// A value of a (concrete) type that is as small as can be: a subset type's witness, a datatype's grounding
    /// constructor. `None` for types without values that can be made without a heap.
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

    /// A default value that shares nothing with others: what stands in a lazy value must not hold that itself.
    fn fresh_default(&self, ty: &Type) -> Option<Value> {
        if self.nesting.get() >= MAX_NESTING {
            return None;
        }
        self.nesting.set(self.nesting.get() + 1);
        let value = types::default_value(&self.program.typed, self, ty);
        self.nesting.set(self.nesting.get() - 1);
        value
    }

    /// Runs the program's `Main` with the command line's arguments; what it prints goes to `sink` as it comes.
    /// The exit status is Dafny's: 0, or 1 where the program halted.
    pub fn run_main(&self, args: &[String], sink: &mut dyn FnMut(&str)) -> MainResult {
        let stop = |outcome| MainResult {
            status: 1,
            outcome,
            deterministic: false,
        };
        let Some(main) = self.program.typed.main else {
            return stop(Outcome::Unsupported(NoValue::Main.into()));
        };
        let Some(code) = self.code(&CodeKey::Procedure(main)) else {
            return stop(Outcome::Unsupported(NoValue::MainBody.into()));
        };
        // What is generic is run at `int`.
        let type_args = vec![Type::Int; self.program.typed.all_type_params(main).len()];
        let Some((state, words)) = self.main_arguments(main, args, &type_args) else {
            return stop(Outcome::Unsupported(NoValue::MainObject.into()));
        };
        let mut machine = Machine::new(self, state, self.limits.steps);
        machine.print_to(sink);
        match machine.execute(code, words, Rc::from(type_args), None) {
            Ok(_) => MainResult {
                status: 0,
                outcome: Outcome::Returned(Vec::new()),
                deterministic: machine.deterministic,
            },
            Err(outcome) => MainResult {
                status: 1,
                outcome: *outcome,
                deterministic: machine.deterministic,
            },
        }
    }

    /// What `Main` is called with (reference manual, "Main method"): a default receiver, the arguments of the command
    /// line, and nothing known for ghost parameters.
    fn main_arguments(
        &self,
        main: CallableId,
        args: &[String],
        type_args: &[Type],
    ) -> Option<(State, Vec<Word>)> {
        let program = &self.program.typed;
        let method = &program[main];
        let mut heap = Heap::default();
        let mut words = Vec::new();
        if let Some(owner) = method.owner.filter(|_| !method.is_static) {
            let ty = Type::named(
                owner,
                type_args
                    .iter()
                    .take(program[owner].type_params.len())
                    .cloned()
                    .collect(),
            );
            if program.is_reference(&ty) {
                words.push(Word::Ref(ObjectId(0)));
                heap.objects
                    .push(Object::new(ty, Contents::Fields(Default::default())));
            } else {
                words.push(Word::of(self.default_value(&ty)?));
            }
        }
        for formal in &method.ins {
            words.push(if program[formal.local].ghost {
                Word::unknown(NoValue::GhostArgument)
            } else {
                let name = [String::from("dafny")];
                Word::of(Value::seq(
                    name.iter()
                        .chain(args)
                        .map(|a| text(a, program.options.unicode_char)),
                ))
            });
        }
        Some((heap::read_in(&heap), words))
    }

    /// A condition as code; what stops its evaluation makes it unknown.
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

    /// As [`Self::clause`], with what stopped the evaluation, if something did.
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
            };
        };
        let mut machine = Machine::new(self, state, self.limits.steps);
        machine.script = script.clone();
        let result = machine.execute(code, args, Rc::from(type_args), Some(states));
        self.count(&machine);
        let (truth, stop) = match result.map(|mut words| words.pop()) {
            // An assumption on the way may not hold, and then the clause says nothing.
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
        }
    }

    /// The code that a key names, compiled when it is first asked for.
    fn code(&self, key: &CodeKey) -> Option<Rc<Code>> {
        if let Some(code) = self
            .variant
            .borrow()
            .as_ref()
            .and_then(|v| v.instead_of(key))
        {
            return Some(code);
        }
        let compile = || {
            compile::compile(self.program, key, self.limits.check_calls, self.traces).map(Rc::new)
        };
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
            | CodeKey::Requires(..)
            | CodeKey::Measure(..)
            | CodeKey::Modified(..)
            | CodeKey::Read(..)
            | CodeKey::Ensures(..)
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

    /// Whether a variant of the program runs, as compiled code does: what only specifications ask for is not looked at.
    fn runs_variant(&self) -> bool {
        self.variant.borrow().is_some()
    }

    /// What is known of a constant that is asked for in compiled code or in a specification: a variant has its own values of those that rest
    /// on it.
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
                (false, _) => Constant {
                    known: known.or_else(|| variant.constants().get(field)),
                    code,
                    keep: Some(variant.constants()),
                },
                (true, Mode::Spec) => Constant {
                    known,
                    code,
                    keep: None,
                },
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

/// How blocks are executed.
struct How<'a> {
    /// What chooses.
    resolution: &'a Resolution,
    /// What takes the steps.
    trace: Option<&'a mut Trace>,
    /// What takes the obligations that are broken, after which execution goes on; `None`: it does not.
    broken: Option<&'a mut Vec<Failure>>,
    /// Which candidates of `:|` are taken, and what takes how many there were.
    listed: Option<(&'a [u32], &'a mut Vec<u32>)>,
}

/// The value of a clause.
struct Evaluated {
    truth: Truth,
    /// The reason why the evaluation stopped, if it did.
    stop: Option<Stop>,
    /// Whether a constant without a value was read.
    reads_open_constants: bool,
}

/// A clause that was evaluated, with what its evaluation asked for.
fn clause_result(
    span: dafny_syntax::source::Span,
    evaluated: Evaluated,
    script: &Script,
) -> ClauseResult {
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
    }
}

/// Why a clause has no value.
fn why(stop: &Stop) -> Reason {
    match &**stop {
        Outcome::Failed(f) => Reason::IllFormed(f.message.as_str().into()),
        Outcome::OutOfFuel(limit) => Reason::OutOfFuel(*limit),
        Outcome::Unsupported(reason) => reason.clone(),
        Outcome::Returned(_) | Outcome::Halted { .. } | Outcome::Infeasible(_) => Reason::Halts,
    }
}

/// A string, in code points or code units.
fn text(s: &str, unicode: bool) -> Value {
    if unicode {
        Value::string(s)
    } else {
        Value::seq(s.encode_utf16().map(|u| Value::Char(u.into())))
    }
}
