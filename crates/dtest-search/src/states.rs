//! States of objects that calls lead to: a constructor of the class, or a value that the user named
//! for it, followed by a few calls of its methods.
//!
//! Real programs meet only such states; an object that is created field by field may be in a state
//! that no program reaches. [`reached`] explores the states of a class breadth-first, [`near`]
//! searches for states similar to a given object, and [`inputs`] makes inputs of a unit from them.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::configured_inputs;
use super::constants::{Constants, Reach};
use super::seeds::{Maker, blank};
use super::shrink::{drop_garbage, renumbered};
use super::specimen;
use dafny_resolve::typed::{Body, CallableId, CallableKind, Substitution, Type, TypeDeclKind};
use dtest_desugar::ExternalCode as _;
use dtest_interp::{Execution, Inputs, Interp, Outcome};
use dtest_ir::{self as ir, Procedure};
use dtest_sorted::SortedSet;
use dtest_value::{Call, Construction, Contents, Heap, Object, ObjectId, Value, rows};

/// Maximum number of states of a class.
const MAX_STATES: usize = 40;
/// Maximum number of calls after the construction.
const MAX_CALLS: usize = 4;
/// Maximum number of argument lists per call.
const MAX_CHOICES: usize = 4;
/// Maximum number of states in the search for a similar state.
const MAX_STATES_NEAR: usize = 160;
/// Maximum interpreter steps per class.
const MAX_STEPS: u64 = 60_000;
/// Maximum number of inputs of a unit that are made from states.
const MAX_INPUTS: usize = 24;
/// Maximum number of pool values per parameter.
const MAX_FITTING: usize = 4;
/// Maximum number of combinations of such values per call.
const MAX_ROWS: usize = 60;
/// Maximum number of values in the pool.
const MAX_POOL: usize = 200;
/// Maximum nesting of arguments.
const DEPTH: u32 = 2;

/// An object in a state that calls lead to.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// Inputs with the object as the only argument and nothing else in the heap, so that two states
    /// are equal if and only if these are.
    pub(super) alone: Inputs,
    /// The calls.
    pub(super) by: Construction,
}

/// The states of a class, in the order of the number of calls. Empty if the type is not a class,
/// has no constructor, or is linked.
pub(super) fn reached(program: &ir::Program, interp: &Interp<'_>, class: &Type) -> Vec<Reached> {
    explored(program, interp, class, None)
}

/// States of the class of an object, reached by calls whose arguments are values that the inputs
/// hold. The states most similar to the object come first.
pub(super) fn near(
    program: &ir::Program,
    interp: &Interp<'_>,
    inputs: &Inputs,
    object: ObjectId,
) -> Vec<Reached> {
    let Some(like) = inputs.heap.objects.get(object.0 as usize) else {
        return Vec::new();
    };
    // Arguments are taken from the values of the inputs, because the object probably got its values
    // from there.
    let pool = held(inputs, object);
    let mut found = explored(program, interp, &like.ty, Some(Near { like, pool: &pool }));
    found.sort_by_key(|state| Reverse(state.likeness(like)));
    found
}

impl Reached {
    /// The similarity to another object of the class: the sum over its fields.
    fn likeness(&self, like: &Object) -> usize {
        let Some(Value::Ref(id)) = self.alone.args.first() else {
            return 0;
        };
        match (
            self.alone
                .heap
                .objects
                .get(id.0 as usize)
                .map(|o| &o.contents),
            &like.contents,
        ) {
            (Some(Contents::Fields(fields)), Contents::Fields(others)) => fields
                .iter()
                .filter_map(|(f, v)| Some(likeness(v, others.get(f)?)))
                .sum(),
            (Some(Contents::Fields(_) | Contents::Elements(_)) | None, _) => 0,
        }
    }
}

/// The similarity of two values, from 0 to 100 for equal ones.
fn likeness(a: &Value, b: &Value) -> usize {
    let percent = |common: usize, all: usize| 100 * common / all.max(1);
    match (a, b) {
        _ if a == b => 100,
        (Value::Seq(a), Value::Seq(b)) => percent(
            a.iter().zip(b.iter()).take_while(|(a, b)| a == b).count(),
            a.len().max(b.len()),
        ),
        (Value::Set(a), Value::Set(b)) => {
            let common = a.intersection(b).count();
            percent(common, a.len() + b.len() - common)
        }
        (Value::Map(a), Value::Map(b)) => percent(
            a.iter().filter(|(k, v)| b.get(*k) == Some(v)).count(),
            a.len().max(b.len()),
        ),
        _ => 0,
    }
}

/// The inputs with the object replaced by one in another state, in all references to it.
pub(super) fn exchanged(inputs: &Inputs, object: ObjectId, state: &Reached) -> Option<Inputs> {
    // The new state is added beside the old object, references are redirected, and the old object
    // becomes garbage.
    let mut other = inputs.clone();
    let Some(Value::Ref(new)) = put(&state.alone, &mut other.heap) else {
        return None;
    };
    let moved = renumbered(&other, &|id| Some(if id == object { new } else { id }));
    Some(drop_garbage(moved))
}

/// Values without references that the inputs hold. Values of the object come first, and values come
/// before their parts.
fn held(inputs: &Inputs, object: ObjectId) -> Vec<Value> {
    let others = inputs
        .heap
        .objects
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != object.0 as usize)
        .map(|(_, o)| o);
    let objects = inputs
        .heap
        .objects
        .get(object.0 as usize)
        .into_iter()
        .chain(others);
    // Breadth-first, so that whole values come before their parts.
    let mut work: VecDeque<&Value> = objects
        .flat_map(|o| o.contents.values())
        .chain(&inputs.args)
        .collect();
    let mut pool: Vec<Value> = Vec::new();
    while let Some(value) = work.pop_front().filter(|_| pool.len() < MAX_POOL) {
        if !value.within().any(|v| matches!(v, Value::Ref(_))) && !pool.contains(value) {
            pool.push(value.clone());
        }
        work.extend(value.parts());
    }
    pool
}

/// Explores the states of a class. Without `near`, calls get discriminating arguments; with it,
/// arguments from the pool.
fn explored(
    program: &ir::Program,
    interp: &Interp<'_>,
    class: &Type,
    near: Option<Near<'_>>,
) -> Vec<Reached> {
    let typed = &program.typed;
    let Type::Named {
        decl,
        args,
        nullable: false,
    } = class
    else {
        return Vec::new();
    };
    if !matches!(typed[*decl].kind, TypeDeclKind::Class) || typed.type_link(*decl).is_some() {
        return Vec::new();
    }
    let mut explorer = Explorer {
        program,
        interp,
        near,
        until: interp.steps() + MAX_STEPS,
        found: Vec::new(),
    };
    let members: Vec<CallableId> = typed[*decl]
        .callables
        .iter()
        .copied()
        .filter(|c| is_callable(program, *c))
        .collect();
    // Values that the user named are starting points, unless a similar state is searched for.
    if near.is_none() {
        for made in configured_inputs::all(program, interp, class, configured_inputs::MAX_NESTING) {
            explorer.meet(made.alone, made.by);
        }
    }
    for ctor in members
        .iter()
        .copied()
        .filter(|c| typed[*c].kind == CallableKind::Constructor)
    {
        explorer.construct(class, args, ctor);
    }
    let methods: Vec<CallableId> = members
        .into_iter()
        .filter(|c| changes_objects(program, *c))
        .collect();
    let mut done = SortedSet::new();
    // Work list: each state is extended once by every method that may change it.
    while let Some((next, from)) = explorer.next(&done).filter(|_| explorer.goes_on()) {
        done.insert(next);
        if from.by.then.len() < MAX_CALLS {
            methods.iter().for_each(|m| explorer.call(&from, *m, args));
        }
    }
    explorer.found
}

/// Whether a callable can be called with known effects: it is not external, generic or ghost.
fn is_callable(program: &ir::Program, callable: CallableId) -> bool {
    let declared = &program.typed[callable];
    !declared.ghost
        && declared.type_params.is_empty()
        && !matches!(declared.body, Body::None)
        && !program.typed.is_linked(callable)
}

/// Whether calls of a member lead to new states of its object. A method without a `modifies` clause
/// leads to none.
pub(super) fn changes_objects(program: &ir::Program, callable: CallableId) -> bool {
    let declared = &program.typed[callable];
    declared.kind == CallableKind::Method
        && !declared.is_static
        && !declared.spec.modifies.is_empty()
        && is_callable(program, callable)
}

/// The treatment of preconditions that cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undecided {
    /// Calls need preconditions that are known to hold.
    Refused,
    /// Calls are made if no precondition is known not to hold: the contracts of earlier calls
    /// usually include what could not be evaluated.
    Accepted,
}

/// The state of the heap's first object after a call on it. `None` if the precondition does not
/// hold, or if the call has other effects or depends on choices.
pub(super) fn after_call(
    interp: &Interp<'_>,
    callee: CallableId,
    type_args: &[Type],
    heap: &Heap,
    args: &[Value],
    undecided: Undecided,
) -> Option<Inputs> {
    let all = std::iter::once(Value::Ref(ObjectId(0)))
        .chain(args.iter().cloned())
        .collect();
    let inputs = Inputs {
        type_args: type_args.to_vec(),
        args: all,
        heap: heap.clone(),
        answers: Vec::new(),
    };
    // The precondition must be known to hold: a state after an invalid call is not reachable.
    let requires = interp.check_inputs(callee, &inputs).requires;
    let may_be_called = requires.iter().all(|c| match undecided {
        Undecided::Refused => c.truth.is_true(),
        Undecided::Accepted => !c.truth.is_false(),
    });
    if !may_be_called {
        return None;
    }
    let execution = interp.run(callee, &inputs);
    is_plain(&execution)
        .then(|| configured_inputs::alone(&Value::Ref(ObjectId(0)), &execution.heap))
}

/// The object that is searched for.
#[derive(Clone, Copy)]
struct Near<'a> {
    like: &'a Object,
    /// The values for arguments.
    pool: &'a [Value],
}

struct Explorer<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    /// The target of a search for a similar state, or `None`.
    near: Option<Near<'a>>,
    /// Interpreter steps after which nothing more is tried.
    until: u64,
    found: Vec<Reached>,
}

impl Explorer<'_, '_> {
    /// The state to extend next: the first one; in a search for a similar state, alternately the
    /// most similar one.
    fn next(&self, done: &SortedSet<usize>) -> Option<(usize, Reached)> {
        // States that were not extended yet.
        let mut left = self
            .found
            .iter()
            .enumerate()
            .filter(|(i, _)| !done.contains(i));
        let next = match self.near {
            Some(near) if done.len() % 2 == 1 => {
                left.max_by_key(|(i, state)| (state.likeness(near.like), Reverse(*i)))
            }
            Some(_) | None => left.next(),
        };
        next.map(|(i, state)| (i, state.clone()))
    }

    fn goes_on(&self) -> bool {
        let most = if self.near.is_some() {
            MAX_STATES_NEAR
        } else {
            MAX_STATES
        };
        self.found.len() < most && self.interp.steps() < self.until
    }

    /// Records a state. Returns whether it was new.
    fn meet(&mut self, alone: Inputs, by: Construction) -> bool {
        // States are compared as normalized inputs, so that equal objects are found independently
        // of their history.
        let is_new = self.goes_on() && !self.found.iter().any(|r| r.alone == alone);
        if is_new {
            self.found.push(Reached { alone, by });
        }
        is_new
    }

    /// Records the states after construction.
    fn construct(&mut self, class: &Type, type_args: &[Type], ctor: CallableId) {
        let mut heap = Heap::default();
        blank(class, &mut heap);
        for args in self
            .arguments(ctor, type_args, 0)
            .into_iter()
            .take(MAX_CHOICES)
        {
            if let Some(alone) = self.after(ctor, type_args, &heap, &args) {
                self.meet(
                    alone,
                    Construction {
                        maker: ctor,
                        args,
                        then: Vec::new(),
                    },
                );
            }
        }
    }

    /// Records the states after a call of a method. Without a target, one state is enough, so that
    /// the states differ in the methods called; the arguments change with the number of calls.
    fn call(&mut self, from: &Reached, method: CallableId, type_args: &[Type]) {
        let mut left = if self.near.is_some() { MAX_CHOICES } else { 1 };
        // Different calls in a row get different arguments.
        for args in self.arguments(method, type_args, from.by.then.len()) {
            if let Some(alone) = self.after(method, type_args, &from.alone.heap, &args) {
                let mut by = from.by.clone();
                by.then.push(Call {
                    callee: method,
                    args,
                });
                let is_new = self.meet(alone, by);
                left -= usize::from(is_new || self.near.is_none());
                if left == 0 {
                    return;
                }
            }
        }
    }

    fn after(
        &self,
        callee: CallableId,
        type_args: &[Type],
        heap: &Heap,
        args: &[Value],
    ) -> Option<Inputs> {
        self.goes_on()
            .then(|| {
                let refused = Undecided::Refused;
                after_call(self.interp, callee, type_args, heap, args, refused)
            })
            .flatten()
    }

    /// Argument lists without references: discriminating ones, which differ for another number of
    /// previous calls, then the smallest ones.
    fn arguments(&self, callee: CallableId, type_args: &[Type], calls: usize) -> Vec<Vec<Value>> {
        let Some(procedure) = self.program.procedures.get(&callee) else {
            return Vec::new();
        };
        let typed = &self.program.typed;
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let constants = Constants::of(self.program, procedure, Reach::OWN);
        let mut maker = Maker::new(self.program, self.interp, &constants);
        let mut columns = Vec::new();
        // The receiver is the object itself.
        for param in procedure.params.iter().skip(1) {
            let Some(info) = procedure.vars.get(param.0 as usize) else {
                return Vec::new();
            };
            let ty = info.ty.subst(&subst);
            // Arguments with references would connect the state to other objects.
            if !typed.holds_no_references(&ty) {
                return Vec::new();
            }
            columns.push(match self.near {
                Some(near) => self.fitting(near.pool, &ty),
                None => maker.values(&ty, DEPTH, &mut Heap::default()),
            });
        }
        if columns.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        // A search for a similar state tries all combinations of fitting values.
        if self.near.is_some() {
            return rows(&columns).into_iter().take(MAX_ROWS).collect();
        }
        // Discriminating arguments are shifted by the number of calls, so that repeated calls
        // differ.
        let mut all: Vec<Vec<Value>> = specimen::rows(&columns, calls + MAX_CHOICES / 2)
            .skip(calls)
            .collect();
        all.extend(rows(&columns).into_iter().take(MAX_CHOICES));
        let mut seen: Vec<Vec<Value>> = Vec::new();
        all.retain(|row| {
            !seen.contains(row) && {
                seen.push(row.clone());
                true
            }
        });
        all
    }
}

impl Explorer<'_, '_> {
    /// The first values of a pool that have a type, and the type's default value.
    fn fitting(&self, pool: &[Value], ty: &Type) -> Vec<Value> {
        let is_one = |v: &&Value| {
            self.interp
                .value_has_type(v, ty, &Heap::default())
                .is_true()
        };
        let mut values: Vec<Value> = pool
            .iter()
            .filter(is_one)
            .take(MAX_FITTING)
            .cloned()
            .collect();
        values.extend(
            self.interp
                .default_value(ty)
                .filter(|v| !values.contains(v)),
        );
        values
    }
}

/// Whether an execution ends well, is determined, and has effects only in the heap.
pub(super) fn is_plain(execution: &Execution) -> bool {
    matches!(execution.outcome, Outcome::Returned(_))
        && execution.determined
        && execution.answers.is_empty()
        && execution.printed.is_empty()
        && execution.unknown_contents.is_empty()
}

/// Inputs of a unit with objects in states that calls lead to, in the order of the states; other
/// arguments are small. Empty if no parameter takes such an object.
pub(super) fn inputs(
    program: &ir::Program,
    interp: &Interp<'_>,
    procedure: &Procedure,
    type_args: &[Type],
    states: &dyn Fn(&Type) -> Vec<Inputs>,
) -> Vec<Inputs> {
    // The receiver of a constructor has no state yet.
    if program.typed[procedure.callable].kind == CallableKind::Constructor {
        return Vec::new();
    }
    let subst: Substitution = procedure
        .type_params
        .iter()
        .copied()
        .zip(type_args.iter().cloned())
        .collect();
    let types = procedure
        .params
        .iter()
        .filter_map(|p| procedure.vars.get(p.0 as usize))
        .map(|i| i.ty.subst(&subst));
    let types: Vec<(Type, Vec<Inputs>)> = types.map(|ty| (ty.clone(), states(&ty))).collect();
    if types.iter().all(|(_, of_type)| of_type.is_empty()) {
        return Vec::new();
    }
    let constants = Constants::of(program, procedure, Reach::NEAR);
    let mut maker = Maker::new(program, interp, &constants);
    let mut heap = Heap::default();
    let mut columns = Vec::new();
    for (ty, of_type) in types {
        // All states are put into one heap, of which each input keeps only the objects that it
        // reaches.
        let of_class: Vec<Value> = of_type
            .iter()
            .filter_map(|state| put(state, &mut heap))
            .collect();
        let values = if of_class.is_empty() {
            maker.values(&ty, DEPTH + 1, &mut heap)
        } else {
            of_class
        };
        if values.is_empty() {
            return Vec::new();
        }
        columns.push(values);
    }
    let all = super::seeds::combined(&columns, MAX_INPUTS).into_iter();
    all.map(|args| {
        drop_garbage(Inputs {
            type_args: type_args.to_vec(),
            args,
            heap: heap.clone(),
            answers: Vec::new(),
        })
    })
    .collect()
}

/// Adds the only argument of `state`, with its objects, to a heap.
pub(super) fn put(state: &Inputs, heap: &mut Heap) -> Option<Value> {
    let by = heap.objects.len() as u32;
    // Object numbers are shifted past those of the heap.
    let moved = renumbered(state, &|id| Some(ObjectId(id.0 + by)));
    heap.objects.extend(moved.heap.objects);
    moved.args.into_iter().next()
}
