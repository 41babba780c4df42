//! A pool of inputs from the program itself, for all of its callables: values that its functions,
//! constructors and methods return in sequences of calls, and the arguments of the calls that these
//! make.
//!
//! Every callable has a corpus of inputs. In each round, it is executed on further inputs:
//! arguments that callers passed, combinations of values that others returned, and small changes of
//! inputs in its corpus. If an execution takes a new path through the callable or has a result of a
//! new form, its inputs are added to the corpus, and its results and the objects that it leaves are
//! added to the values of their types (feedback-directed random testing: Pacheco, Lahiri, Ernst and
//! Ball 2007; novelty is decided as in greybox fuzzers). So trees get several nodes, maps have the
//! keys that are looked up, and parsers get the texts that printers return.
//!
//! [`Pool::of`] grows the pool once for a program, before its units are searched. It depends on
//! nothing but the program.

mod build;
mod corpus;
mod journeys;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::configured_inputs::{alone, named};
use super::constants::{Constants, Reach};
use super::instantiate::type_arguments;
use super::mutate::Mutator;
use super::parts::{self, Scope};
use super::seeds::{Maker, blank, stored_fields};
use super::shrink::drop_garbage;
use super::states::{self, Reached};
use build::Builder;
pub(super) use corpus::is_scalar;
use corpus::{Column, Columns, Corpus, Entry, Form, form};
use dafny_resolve::typed::{
    self, Attributes, Body, CallableId, CallableKind, Substitution, Type, TypeDeclKind,
};
use dtest_desugar::ExternalCode as _;
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Execution, Inputs, Interp, Limits, Outcome};
use dtest_ir::{self as ir, Procedure};
use dtest_sorted::SortedMap;
use dtest_value::{Call, Construction, Contents, FunctionValue, Heap, ObjectId, Value};

/// Maximum number of rounds.
const ROUNDS: usize = 16;
/// The same after the journeys.
const ROUNDS_AFTER_JOURNEYS: usize = 4;
/// Maximum number of inputs of one callable per round, by source: recorded calls, combinations,
/// changes.
const RECORDED: usize = 6;
const COMBINED: usize = 10;
const CHANGED: usize = 6;
/// Number of rounds without anything new after which a callable is executed only on recorded calls.
const MAX_IDLE: usize = 3;
/// Maximum interpreter steps for the whole pool, and per callable.
const MAX_STEPS: u64 = 8_000_000;
const MAX_STEPS_OF_CALLABLE: u64 = 250_000;
/// Maximum interpreter steps of one execution.
const MAX_STEPS_OF_RUN: u64 = 20_000;
/// Maximum number of parts of inputs, including the objects that they lead to, and maximum number
/// of these objects. Larger inputs are unreadable in a test.
const MAX_EXTENT: u64 = 90;
const MAX_OBJECTS: usize = 20;
/// Maximum number of parts of one value in the pool.
const MAX_VALUE: u64 = 60;
/// Maximum number of values that are considered as related arguments.
const MAX_RELATED: usize = 60;
/// Maximum number of parts of inputs that structural changes choose from.
const MAX_STRUCTURES: usize = 40;
/// Maximum number of elements of a built collection, and maximum nesting of built values.
const MAX_BUILT: usize = 8;
const MAX_NESTING: u32 = 4;
/// Maximum number of calls on an object after its constructor.
const MAX_CALLS: usize = 8;
/// Maximum number of types that are searched for the objects that values hold.
const MAX_PARTS: usize = 64;
/// Maximum nesting and maximum number of the small values of a type.
const DEPTH: u32 = 2;
const MAX_FIRST: usize = 14;

/// Inputs for the callables of a program.
#[derive(Debug, Default)]
pub struct Pool {
    inputs: SortedMap<CallableId, Vec<Inputs>>,
    /// States of objects with the calls that lead to them. Each state is the only argument of its
    /// inputs.
    made: Vec<(Type, Reached)>,
}

impl Pool {
    /// Grows the pool of a program.
    pub fn of(program: &ir::Program) -> Self {
        let interp = Interp::new(
            program,
            Limits {
                steps: MAX_STEPS_OF_RUN,
                ..Limits::default()
            },
        );
        interp.record_calls();
        interp.observe(true);
        let mut grower = Grower::new(program, &interp);
        grower.begin();
        grower.grow(ROUNDS);
        grower.travel();
        // What callees were called with.
        grower.grow(ROUNDS_AFTER_JOURNEYS);
        grower.finished()
    }

    /// The inputs of a unit. Each one has an execution that differs from those before it.
    pub fn inputs(&self, unit: CallableId) -> &[Inputs] {
        self.inputs.get(&unit).map_or(&[], Vec::as_slice)
    }

    /// The units that the pool has inputs for, with these inputs.
    pub fn units(&self) -> impl Iterator<Item = (CallableId, &[Inputs])> {
        self.inputs
            .iter()
            .map(|(unit, all)| (*unit, all.as_slice()))
    }

    /// The states of objects of a class with the calls that lead to them.
    pub(super) fn made_of(&self, class: &Type) -> impl Iterator<Item = &Reached> {
        let of_class = self.made.iter().filter(move |(ty, _)| ty == class);
        of_class.map(|(_, state)| state)
    }

    /// The calls that lead to the state of an object, if they are known.
    pub(super) fn made(&self, inputs: &Inputs, id: ObjectId) -> Option<(&Type, &Reached)> {
        made(&self.made, inputs, id)
    }
}

/// The state that an object is in, of states with the calls that lead to them.
pub(super) fn made<'s>(
    states: &'s [(Type, Reached)],
    inputs: &Inputs,
    id: ObjectId,
) -> Option<(&'s Type, &'s Reached)> {
    let ty = &inputs.heap.objects.get(id.0 as usize)?.ty;
    // Comparing states is expensive, so that it is skipped for types without known states.
    let mut of_type = states.iter().filter(|(t, _)| t == ty).peekable();
    of_type.peek()?;
    let state = alone(&Value::Ref(id), &inputs.heap);
    let found = of_type.find(|(_, made)| made.alone == state);
    found.map(|(ty, made)| (ty, made))
}

/// A callable that is executed for the pool.
struct Producer<'p> {
    procedure: &'p Procedure,
    type_args: Vec<Type>,
    params: Vec<Type>,
    /// The types of the results; `None` for a ghost result.
    outs: Vec<Option<Type>>,
    is_constructor: bool,
    mutator: Mutator<'p>,
    random: Xorshift,
    corpus: Corpus,
    idle: usize,
    steps: u64,
}

impl<'p> Producer<'p> {
    /// Prepares a callable. `None` if it cannot be executed by itself, or if its type arguments are
    /// unknown.
    fn new(program: &'p ir::Program, callable: CallableId) -> Option<Self> {
        let typed = &program.typed;
        let declared = &typed[callable];
        let procedure = program.procedures.get(&callable)?;
        let is_constructor = declared.kind == CallableKind::Constructor;
        let is_executed = matches!(
            declared.kind,
            CallableKind::Function | CallableKind::Method | CallableKind::Constructor
        ) && !declared.ghost
            && !matches!(declared.body, Body::None)
            && !typed.is_linked(callable)
            && !typed.is_left_out(callable)
            && !program.makers.iter().any(|m| m.callable == callable);
        if !is_executed {
            return None;
        }
        let type_args = type_arguments(program, callable).ok()?;
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let info = |v: &ir::Var| procedure.vars.get(v.0 as usize);
        let params = procedure
            .params
            .iter()
            .map(|p| Some(info(p)?.ty.subst(&subst)))
            .collect::<Option<Vec<_>>>()?;
        let outs = procedure
            .outs
            .iter()
            .map(|o| info(o).filter(|i| !i.ghost).map(|i| i.ty.subst(&subst)))
            .collect();
        // The random sequence of a callable depends on its name, so that it does not change when
        // other callables are added.
        let name = typed.callable_path(callable);
        let seed = name.bytes().fold(Xorshift::START, |seed, b| {
            (seed ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3)
        });
        Some(Self {
            procedure,
            mutator: Mutator::new(program, procedure, &type_args, seed as u32),
            type_args,
            params,
            outs,
            is_constructor,
            random: Xorshift::new(seed),
            corpus: Corpus::default(),
            idle: 0,
            steps: 0,
        })
    }
}

struct Grower<'a, 'p> {
    program: &'p ir::Program,
    interp: &'a Interp<'p>,
    producers: Vec<Producer<'p>>,
    numbers: FxHashMap<CallableId, usize>,
    /// The values of each parameter type.
    columns: Columns,
    /// Traits among the parameter types, in a fixed order.
    traits: Vec<Type>,
    /// States that journeys met, with the calls that lead to them.
    travelled: Vec<(Type, Reached)>,
}

impl<'a, 'p> Grower<'a, 'p> {
    fn new(program: &'p ir::Program, interp: &'a Interp<'p>) -> Self {
        let ids = (0..program.typed.callables.len() as u32).map(CallableId);
        let producers: Vec<Producer<'p>> =
            ids.filter_map(|id| Producer::new(program, id)).collect();
        let numbers = producers
            .iter()
            .map(|p| p.procedure.callable)
            .zip(0..)
            .collect();
        let mut grower = Self {
            program,
            interp,
            producers,
            numbers,
            columns: Columns::default(),
            traits: Vec::new(),
            travelled: Vec::new(),
        };
        for i in 0..grower.producers.len() {
            grower.add_columns(i);
        }
        grower
    }

    /// The type under which values are kept: without subset types, and non-null.
    fn key(&self, ty: &Type) -> Type {
        named(&self.program.typed.representation(ty))
    }

    /// Adds the small values of a callable's parameter types.
    fn add_columns(&mut self, producer: usize) {
        let Some(producer) = self.producers.get(producer) else {
            return;
        };
        let (procedure, types) = (producer.procedure, producer.params.clone());
        let skip = usize::from(producer.is_constructor);
        let constants = Constants::of(self.program, procedure, Reach::NEAR);
        for ty in types.iter().skip(skip) {
            let key = self.key(ty);
            let mut heap = Heap::default();
            let is_class = matches!(&key, Type::Named { decl, .. }
                if matches!(self.program.typed[*decl].kind, TypeDeclKind::Class)
                    && self.program.typed.type_link(*decl).is_none());
            // Objects are only created by calls.
            let values = if is_class {
                Vec::new()
            } else {
                Maker::new(self.program, self.interp, &constants).values(&key, DEPTH, &mut heap)
            };
            // Objects in datatype values and collections are kept as well, to build these.
            for inner in references_in(&self.program.typed, &key) {
                self.add_trait(&inner);
                self.columns.entry(procedure.callable, inner);
            }
            self.add_trait(&key);
            let column = self.columns.entry(procedure.callable, key);
            for value in values.iter().filter(|v| is_plain(v)).take(MAX_FIRST) {
                column.add_first(Entry {
                    alone: alone(value, &heap),
                    by: None,
                });
            }
        }
    }

    fn add_trait(&mut self, ty: &Type) {
        if matches!(ty, Type::Named { decl, .. } if self.program.typed.is_trait(*decl))
            && !self.traits.contains(ty)
        {
            self.traits.push(ty.clone());
        }
    }

    /// Executes `Main` and the program's own tests, and records their calls.
    fn begin(&mut self) {
        let typed = &self.program.typed;
        let ids = (0..typed.callables.len() as u32).map(CallableId);
        let is_own = |id: &CallableId| {
            let c = &typed[*id];
            (typed.main == Some(*id) || c.attribute("test").is_some())
                && !c.ghost
                && c.ins.is_empty()
                && c.is_static
                && self.program.procedures.contains_key(id)
        };
        let own: Vec<CallableId> = ids.filter(is_own).collect();
        // These callables have no parameters, so that one execution each is enough.
        for id in own {
            if let Ok(type_args) = type_arguments(self.program, id) {
                self.interp.run(
                    id,
                    &Inputs {
                        type_args,
                        ..Inputs::default()
                    },
                );
                self.take_calls();
            }
        }
    }

    fn grow(&mut self, rounds: usize) {
        // Rounds go over all callables, so that each can use what the others returned in the round
        // before.
        let limit = self.interp.steps() + MAX_STEPS;
        for _ in 0..rounds {
            let mut is_idle = true;
            for i in 0..self.producers.len() {
                if self.interp.steps() >= limit || dtest_limits::memory::is_short() {
                    return;
                }
                is_idle &= !self.round(i);
            }
            if is_idle {
                return;
            }
        }
    }

    /// Executes a callable on some further inputs. Returns whether it was executed.
    fn round(&mut self, i: usize) -> bool {
        let Some(producer) = self.producers.get_mut(i) else {
            return false;
        };
        // Recorded calls first: they are what the callable is used for.
        let recorded = producer.corpus.take_recorded(RECORDED);
        let is_done = producer.idle >= MAX_IDLE && recorded.is_empty();
        if is_done || producer.steps >= MAX_STEPS_OF_CALLABLE {
            return false;
        }
        let before = self.interp.steps();
        let mut is_new = false;
        for inputs in recorded {
            is_new |= self.run(i, inputs, None);
        }
        for _ in 0..COMBINED {
            let Some((inputs, receiver)) = self.combined(i) else {
                break;
            };
            is_new |= self.run(i, inputs, receiver);
        }
        for _ in 0..CHANGED {
            let Some(inputs) = self.changed(i) else {
                break;
            };
            is_new |= self.run(i, inputs, None);
        }
        // Only new executions keep a callable active.
        if let Some(producer) = self.producers.get_mut(i) {
            producer.steps += self.interp.steps() - before;
            producer.idle = if is_new { 0 } else { producer.idle + 1 };
        }
        true
    }

    /// Inputs combined from values of the pool, with the calls that lead to the receiver, if they
    /// are known. Some arguments may be related to others: a part of another argument, a
    /// neighbouring number, or the same value.
    fn combined(&mut self, i: usize) -> Option<(Inputs, Option<Construction>)> {
        let producer = self.producers.get_mut(i)?;
        let (mut args, mut heap) = (Vec::new(), Heap::default());
        let mut receiver = None;
        for (at, ty) in producer.params.iter().enumerate() {
            if at == 0 && producer.is_constructor {
                args.push(blank(ty, &mut heap));
                continue;
            }
            let key = named(&self.program.typed.representation(ty));
            let entry = self
                .columns
                .get(producer.procedure.callable, &key)
                .and_then(|c| c.pick(&mut producer.random));
            // Other types than those of objects may be built instead.
            let is_built =
                entry.is_none() || producer.random.flip() && !self.program.typed.is_reference(&key);
            let built = if is_built {
                let mut builder = Builder {
                    program: self.program,
                    columns: &self.columns,
                    callable: producer.procedure.callable,
                    random: &mut producer.random,
                    heap: &mut heap,
                };
                builder.value(ty, MAX_BUILT, MAX_NESTING)
            } else {
                None
            };
            match (built, entry) {
                (Some(value), _) => args.push(value),
                (None, Some(entry)) => {
                    args.push(states::put(&entry.alone, &mut heap)?);
                    if at == 0 {
                        receiver.clone_from(&entry.by);
                    }
                }
                (None, None) => return None,
            }
        }
        let from = usize::from(producer.is_constructor);
        // Up to two arguments are replaced by related ones.
        for _ in 0..producer.random.below(3) {
            let at = from + producer.random.below(args.len().saturating_sub(from));
            let Some(ty) = producer.params.get(at) else {
                break;
            };
            let related = related(self.program, self.interp, ty, at, &args, &heap);
            if let (Some(value), Some(slot)) =
                (producer.random.pick(&related).cloned(), args.get_mut(at))
            {
                *slot = if let Value::Int(n) = &value
                    && producer.random.below(4) == 0
                {
                    Value::Int(n + 1)
                } else {
                    value
                };
            }
        }
        let inputs = drop_garbage(Inputs {
            type_args: producer.type_args.clone(),
            args,
            heap,
            answers: Vec::new(),
        });
        // Values that are drawn one by one rarely coincide.
        let coherent = if producer.random.flip() {
            producer.mutator.coherent(self.interp, &inputs)
        } else {
            None
        };
        Some((coherent.unwrap_or(inputs), receiver))
    }

    /// Inputs of the callable's corpus with a small change: either a part replaced by another one
    /// of its type, or a change by the mutator.
    fn changed(&mut self, i: usize) -> Option<Inputs> {
        let producer = self.producers.get_mut(i)?;
        let random = &mut producer.random;
        let inputs = producer.corpus.pick(random)?;
        // The fields of an object are related by its methods, so that they are not changed here.
        if !inputs.heap.objects.is_empty() {
            return None;
        }
        match random.below(4) {
            0 => return Some(producer.mutator.changed(self.interp, inputs)),
            // Structural changes move whole subtrees, which small changes never do.
            1 | 2 => {
                let donor = producer.corpus.pick(random);
                return producer
                    .mutator
                    .restructured(self.interp, inputs, donor, Scope::Arguments)
                    .or_else(|| Some(producer.mutator.changed(self.interp, inputs)));
            }
            _ => {}
        }
        let found = parts::structures(
            &self.program.typed,
            &producer.params,
            inputs,
            Scope::Arguments,
            MAX_STRUCTURES,
        );
        let place = random.pick(&found)?;
        let key = |ty: &Type| self.program.typed.representation(ty);
        let of_type = key(&place.ty);
        let same: Vec<Value> = found
            .iter()
            .filter(|p| p.value != place.value && key(&p.ty) == of_type)
            .map(|p| p.value.clone())
            .collect();
        let other = match random.pick(&same) {
            Some(other) if random.below(3) > 0 => other.clone(),
            Some(_) | None => {
                let callable = producer.procedure.callable;
                let entry = self.columns.get(callable, &named(&of_type))?.pick(random)?;
                let value = entry.alone.args.first()?;
                entry.alone.heap.objects.is_empty().then(|| value.clone())?
            }
        };
        parts::with(inputs, place, other)
    }

    /// Executes a callable. Returns whether the execution was new. `receiver` has the calls that
    /// lead to the receiver, if they are known.
    fn run(&mut self, i: usize, inputs: Inputs, receiver: Option<Construction>) -> bool {
        let Some(producer) = self.producers.get_mut(i) else {
            return false;
        };
        let callable = producer.procedure.callable;
        if !is_readable(&inputs) || !producer.corpus.is_untried(&inputs) {
            return false;
        }
        let verdict = self.interp.check_inputs(callable, &inputs).verdict();
        // An undecided precondition is acceptable if the objects were left in their state by
        // methods of their class.
        if verdict.is_false() || !verdict.is_true() && inputs.heap.objects.is_empty() {
            return false;
        }
        let execution = self.interp.run(callable, &inputs);
        let calls = self.interp.take_calls();
        let features = self.interp.behaviour();
        let is_over = match &execution.outcome {
            Outcome::Returned(_) | Outcome::Halted { .. } => true,
            Outcome::Failed(_)
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => false,
        };
        if !is_over {
            return false;
        }
        let is_new = producer.corpus.add(&inputs, &execution, features);
        if is_new {
            self.take(i, &inputs, execution, receiver);
            self.record(calls);
        }
        is_new
    }

    fn complete(&self, heap: &mut Heap, made: Option<ObjectId>) -> bool {
        complete(self.interp, heap, made)
    }

    /// Adds the results of an execution, and the objects as it left them, to the pool.
    fn take(
        &mut self,
        i: usize,
        inputs: &Inputs,
        mut execution: Execution,
        receiver: Option<Construction>,
    ) {
        let by = self
            .producers
            .get(i)
            .and_then(|p| made_by(p, inputs, &execution, receiver, MAX_CALLS));
        // Values with unknown contents cannot be written in a test.
        if !execution.unknown_contents.is_empty() || !self.complete(&mut execution.heap, None) {
            return;
        }
        let Some(producer) = self.producers.get(i) else {
            return;
        };
        let mut found: Vec<(Value, Type, Option<Construction>)> = Vec::new();
        if let Outcome::Returned(results) = &execution.outcome {
            let results = results.iter().zip(&producer.outs);
            found.extend(results.filter_map(|(v, ty)| Some((v.clone()?, ty.clone()?, None))));
        }
        // Objects among the arguments are in a new state now.
        for (at, (value, ty)) in inputs.args.iter().zip(&producer.params).enumerate() {
            if matches!(value, Value::Ref(_)) {
                let by = by.as_ref().filter(|_| at == 0).cloned();
                found.push((value.clone(), ty.clone(), by));
            }
        }
        let mut next = 0;
        while let Some((value, ty, by)) = found.get(next).cloned() {
            next += 1;
            self.keep(&value, &ty, by, &execution.heap);
            // A part of a result may be a value that a parameter takes.
            if found.len() < MAX_RELATED {
                let inner = super::configured_inputs::parts(&self.program.typed, &value, &ty);
                found.extend(inner.into_iter().map(|(v, ty)| (v.clone(), ty, None)));
            }
        }
    }

    /// Adds a value to those of its type, if some parameter takes it.
    fn keep(&mut self, value: &Value, ty: &Type, by: Option<Construction>, heap: &Heap) {
        let mut keys = vec![self.key(ty)];
        // An object is also a value of its class and of the traits that it implements.
        if let Value::Ref(id) = value
            && let Some(object) = heap.objects.get(id.0 as usize)
        {
            let dynamic = &object.ty;
            let is_super = |t: &&Type| {
                matches!(t, Type::Named { decl, args, .. }
                    if self.program.typed.supertype_args(dynamic, *decl).as_ref() == Some(args))
            };
            keys.push(dynamic.clone());
            keys.extend(self.traits.iter().filter(is_super).cloned());
        }
        keys.retain(|key| self.columns.shared.contains_key(key));
        if keys.is_empty() || !is_plain(value) || value.extent() > MAX_VALUE {
            return;
        }
        let entry = Entry {
            alone: alone(value, heap),
            by,
        };
        if !is_readable(&entry.alone) {
            return;
        }
        keys.dedup();
        for key in keys {
            if let Some(column) = self.columns.shared.get_mut(&key) {
                column.add(entry.clone());
            }
        }
    }

    /// Records calls for the callables that were called.
    fn record(&mut self, calls: Vec<(CallableId, Inputs)>) {
        for (callee, mut inputs) in calls {
            let is_constructor = self.program.typed[callee].kind == CallableKind::Constructor;
            let made = match inputs.args.first() {
                Some(Value::Ref(id)) if is_constructor => Some(*id),
                Some(_) | None => None,
            };
            if !self.complete(&mut inputs.heap, made) {
                continue;
            }
            let Some(producer) = self
                .numbers
                .get(&callee)
                .and_then(|i| self.producers.get_mut(*i))
            else {
                continue;
            };
            if producer.type_args == inputs.type_args {
                let inputs = drop_garbage(inputs);
                if is_readable(&inputs) {
                    producer.corpus.record(inputs);
                }
            }
        }
    }

    fn take_calls(&mut self) {
        let calls = self.interp.take_calls();
        self.record(calls);
    }

    fn finished(self) -> Pool {
        let mut made = Vec::new();
        let mut types: Vec<(&Type, &Column)> = self.columns.shared.iter().collect();
        // In a fixed order, because that of the hash map is arbitrary.
        types.sort_by_key(|(ty, _)| self.program.typed.show_type(ty));
        for (ty, column) in types {
            made.extend(column.entries().filter_map(|e| {
                let by = e.by.clone()?;
                let alone = e.alone.clone();
                Some((ty.clone(), Reached { alone, by }))
            }));
        }
        made.extend(self.travelled);
        let inputs = self
            .producers
            .into_iter()
            .map(|p| (p.procedure.callable, p.corpus.into_inputs()))
            .filter(|(_, inputs)| !inputs.is_empty())
            .collect();
        Pool { inputs, made }
    }
}

/// Sets unassigned fields to their default values, except those of an object that a constructor
/// initializes. Returns whether all of them have values now.
pub(super) fn complete(interp: &Interp<'_>, heap: &mut Heap, made: Option<ObjectId>) -> bool {
    let typed = &interp.program().typed;
    let mut ids = 0u32..;
    for object in &mut heap.objects {
        let is_made = ids.next().map(ObjectId) == made;
        let Contents::Fields(fields) = &mut object.contents else {
            continue;
        };
        if is_made {
            continue;
        }
        let (stored, is_complete) = stored_fields(typed, &object.ty);
        if !is_complete {
            return false;
        }
        for (field, ty) in stored {
            if fields.get(&field).is_none() {
                let Some(value) = interp.default_value(&ty) else {
                    return false;
                };
                fields.insert(field, value);
            }
        }
    }
    true
}

/// The classes and traits of the objects that values of a type may hold directly: in datatype
/// values and collections, but not behind other objects.
fn references_in(typed: &typed::Program, ty: &Type) -> Vec<Type> {
    let (mut todo, mut seen) = (vec![ty.clone()], Vec::new());
    let mut found = Vec::new();
    while let Some(ty) = todo.pop() {
        let rep = named(&typed.representation(&ty));
        if seen.len() >= MAX_PARTS || seen.contains(&rep) {
            continue;
        }
        seen.push(rep.clone());
        if let Type::Named { decl, args, .. } = &rep {
            match &typed[*decl].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    let subst = typed.substitution(*decl, args);
                    let fields = ctors.iter().flat_map(|c| &typed[*c].fields);
                    todo.extend(fields.map(|f| typed[*f].ty.subst(&subst)));
                }
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } if seen.len() > 1 => {
                    found.push(rep);
                }
                TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Iterator(_) => {}
            }
        } else {
            todo.extend(rep.parts().cloned());
        }
    }
    found
}

/// The calls that lead to the first argument in the state after a call. `None` if they are not
/// known, if they are more than `most`, or if the call is not determined or takes references.
fn made_by(
    producer: &Producer<'_>,
    inputs: &Inputs,
    execution: &Execution,
    receiver: Option<Construction>,
    most: usize,
) -> Option<Construction> {
    let args: Vec<Value> = inputs.args.iter().skip(1).cloned().collect();
    let is_ref = |v: &Value| matches!(v, Value::Ref(_));
    if !states::is_plain(execution)
        || producer.params.is_empty()
        || args.iter().flat_map(Value::within).any(is_ref)
    {
        return None;
    }
    let callee = producer.procedure.callable;
    if producer.is_constructor {
        return Some(Construction {
            maker: callee,
            args,
            then: Vec::new(),
        });
    }
    let mut by = receiver.filter(|by| by.then.len() < most)?;
    by.then.push(Call { callee, args });
    Some(by)
}

/// Values of a type that other arguments hold and that may replace the argument at `at`.
pub(super) fn related(
    program: &ir::Program,
    interp: &Interp<'_>,
    ty: &Type,
    at: usize,
    args: &[Value],
    heap: &Heap,
) -> Vec<Value> {
    if !program.typed.holds_no_references(ty) {
        return Vec::new();
    }
    let others = args
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != at)
        .map(|(_, v)| v)
        .chain(heap.contents());
    let Some(form) = args.get(at).map(form) else {
        return Vec::new();
    };
    let mut found: Vec<Value> = Vec::new();
    for value in others.flat_map(Value::within).take(MAX_RELATED) {
        let may_be = Form::of_kind(&form, value) && !found.contains(value);
        if may_be && interp.value_has_type(value, ty, &Heap::default()).is_true() {
            found.push(value.clone());
        }
    }
    found
}

/// Whether inputs are small enough to be read in a test, and can be written as code.
fn is_readable(inputs: &Inputs) -> bool {
    let values = || inputs.args.iter().chain(inputs.heap.contents());
    let extent = values().fold(0u64, |n, v| n.saturating_add(v.extent()));
    extent <= MAX_EXTENT
        && inputs.heap.objects.len() <= MAX_OBJECTS
        && inputs.heap.objects.iter().all(|o| match &o.contents {
            Contents::Fields(_) => o.redefined.is_empty(),
            Contents::Elements(_) => true,
        })
        && values().all(is_plain)
}

/// Whether a value can be written anywhere: it holds no closures and no lazy values.
pub(super) fn is_plain(value: &Value) -> bool {
    value.within().all(|v| match v {
        Value::Function(f) => match &**f {
            FunctionValue::Table { .. } | FunctionValue::Template(_) => true,
            FunctionValue::Partial { .. }
            | FunctionValue::Closure { .. }
            | FunctionValue::Named { .. } => false,
        },
        Value::Lazy(_) => false,
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Seq(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Map(_)
        | Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Newtype(_) => true,
    })
}
