//! States of objects that calls lead to: one of the class's constructors, or what the user named for the class, and then a few calls of its
//! methods. Whoever uses the class meets such states; of those that are made field by field nobody knows.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::configured_inputs;
use super::constants::{Constants, Reach};
use super::seeds::{Maker, blank};
use super::shrink::{drop_garbage, renumbered};
use super::specimen;
use crate::interp::{Execution, Inputs, Interp, Outcome};
use crate::ir::{self, Procedure};
use crate::value::{Call, Construction, Contents, Heap, Object, ObjectId, Value, rows};
use dafny_resolve::typed::{Body, CallableId, CallableKind, Substitution, Type, TypeDeclKind};
use dtest_sorted::SortedSet;

/// States of one class, at most.
const MAX_STATES: usize = 40;
/// Calls after the one that makes the object, at most.
const MAX_CALLS: usize = 4;
/// Choices of arguments that are tried for one call, at most.
const MAX_CHOICES: usize = 4;
/// The same where one state is searched for.
const MAX_STATES_NEAR: usize = 160;
/// Steps of the interpreter for one class.
const MAX_STEPS: u64 = 60_000;
/// Inputs of a unit that are made of states, at most.
const MAX_INPUTS: usize = 24;
/// Values of some inputs that are tried for one parameter, at most.
const MAX_FITTING: usize = 4;
/// Choices of such values that are tried for one call, at most.
const MAX_ROWS: usize = 60;
/// Values that are looked at for that, at most.
const MAX_POOL: usize = 200;
/// Nesting of arguments.
const DEPTH: u32 = 2;

/// An object in a state that calls lead to.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// It is the only argument, and nothing else is in the heap: inputs are equal where states are.
    pub(super) alone: Inputs,
    /// The calls.
    pub(super) by: Construction,
}

/// The states of a class, those first to which the fewest calls lead. There are none of what is no class, has no constructor, or is linked.
pub(super) fn reached(program: &ir::Program, interp: &Interp<'_>, class: &Type) -> Vec<Reached> {
    explored(program, interp, class, None)
}

/// States of the class of an object among some inputs to which calls lead that take values which these inputs hold: those first that are most
/// like the object's.
pub(super) fn near(
    program: &ir::Program,
    interp: &Interp<'_>,
    inputs: &Inputs,
    object: ObjectId,
) -> Vec<Reached> {
    let Some(like) = inputs.heap.objects.get(object.0 as usize) else {
        return Vec::new();
    };
    let pool = held(inputs, object);
    let mut found = explored(program, interp, &like.ty, Some(Near { like, pool: &pool }));
    found.sort_by_key(|state| Reverse(state.likeness(like)));
    found
}

impl Reached {
    /// How much the object is like another one of its class.
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

/// How much two values have in common: the same is 100.
fn likeness(a: &Value, b: &Value) -> usize {
    let of = |common: usize, all: usize| 100 * common / all.max(1);
    match (a, b) {
        _ if a == b => 100,
        (Value::Seq(a), Value::Seq(b)) => of(
            a.iter().zip(b.iter()).take_while(|(a, b)| a == b).count(),
            a.len().max(b.len()),
        ),
        (Value::Set(a), Value::Set(b)) => {
            let common = a.intersection(b).count();
            of(common, a.len() + b.len() - common)
        }
        (Value::Map(a), Value::Map(b)) => of(
            a.iter().filter(|(k, v)| b.get(*k) == Some(v)).count(),
            a.len().max(b.len()),
        ),
        _ => 0,
    }
}

/// Some inputs with another state of one object, wherever they refer to it.
pub(super) fn exchanged(inputs: &Inputs, object: ObjectId, state: &Reached) -> Option<Inputs> {
    let mut other = inputs.clone();
    let Some(Value::Ref(new)) = put(&state.alone, &mut other.heap) else {
        return None;
    };
    let moved = renumbered(&other, &|id| Some(if id == object { new } else { id }));
    Some(drop_garbage(moved))
}

/// The values without references that some inputs hold: those of the object first, the larger before their parts.
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

/// The states of a class, by calls with arguments that tell apart what is done with them, or in search of one state.
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
    let is_callable = |c: &CallableId| {
        let c = (*c, &typed[*c]);
        !c.1.ghost
            && c.1.type_params.is_empty()
            && !matches!(c.1.body, Body::None)
            && !typed.is_linked(c.0)
    };
    let members: Vec<CallableId> = typed[*decl]
        .callables
        .iter()
        .copied()
        .filter(is_callable)
        .collect();
    if near.is_none() {
        for made in configured_inputs::all(program, interp, class, configured_inputs::NESTING) {
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
    let changes = |c: &CallableId| {
        typed[*c].kind == CallableKind::Method
            && !typed[*c].is_static
            && !typed[*c].spec.modifies.is_empty()
    };
    let methods: Vec<CallableId> = members.into_iter().filter(changes).collect();
    let mut done = SortedSet::new();
    while let Some((next, from)) = explorer.next(&done).filter(|_| explorer.goes_on()) {
        done.insert(next);
        if from.by.then.len() < MAX_CALLS {
            methods.iter().for_each(|m| explorer.call(&from, *m, args));
        }
    }
    explorer.found
}

/// A state that is searched for.
#[derive(Clone, Copy)]
struct Near<'a> {
    like: &'a Object,
    /// The values that arguments are taken from.
    pool: &'a [Value],
}

struct Explorer<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    /// What is searched for, where that is a state.
    near: Option<Near<'a>>,
    /// Steps of the interpreter after which nothing more is tried.
    until: u64,
    found: Vec<Reached>,
}

impl Explorer<'_, '_> {
    /// The state to go on from: the first, or, every other time, the one that is most like what is searched for.
    fn next(&self, done: &SortedSet<usize>) -> Option<(usize, Reached)> {
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

    /// Whether the state is one that was not known.
    fn meet(&mut self, alone: Inputs, by: Construction) -> bool {
        let is_new = self.goes_on() && !self.found.iter().any(|r| r.alone == alone);
        if is_new {
            self.found.push(Reached { alone, by });
        }
        is_new
    }

    /// The objects that a constructor makes.
    fn construct(&mut self, class: &Type, type_args: &[Type], ctor: CallableId) {
        let mut heap = Heap::default();
        blank(class, &mut heap);
        for args in self
            .arguments(ctor, type_args, 0)
            .into_iter()
            .take(MAX_CHOICES)
        {
            if let Some(alone) = self.after(ctor, type_args, heap.clone(), &args) {
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

    /// The states after a call of a method. Where no state is searched for that is one, so that states differ by what was called, and arguments from call to call.
    fn call(&mut self, from: &Reached, method: CallableId, type_args: &[Type]) {
        let mut left = if self.near.is_some() { MAX_CHOICES } else { 1 };
        for args in self.arguments(method, type_args, from.by.then.len()) {
            if let Some(alone) = self.after(method, type_args, from.alone.heap.clone(), &args) {
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

    /// The state of the first object of a heap after a call on it that does the same every time and is seen nowhere else.
    fn after(
        &self,
        callee: CallableId,
        type_args: &[Type],
        heap: Heap,
        args: &[Value],
    ) -> Option<Inputs> {
        if !self.goes_on() {
            return None;
        }
        let all = std::iter::once(Value::Ref(ObjectId(0)))
            .chain(args.iter().cloned())
            .collect();
        let inputs = Inputs {
            type_args: type_args.to_vec(),
            args: all,
            heap,
            answers: Vec::new(),
        };
        if !self
            .interp
            .check_inputs(callee, &inputs)
            .requires
            .iter()
            .all(|c| c.truth.is_true())
        {
            return None;
        }
        let execution = self.interp.run(callee, &inputs);
        is_plain(&execution)
            .then(|| configured_inputs::alone(&Value::Ref(ObjectId(0)), &execution.heap))
    }

    /// Arguments without references: such as tell apart what is done with them, others for another number of calls before, then the smallest.
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
        for param in procedure.params.iter().skip(1) {
            let Some(info) = procedure.vars.get(param.0 as usize) else {
                return Vec::new();
            };
            let ty = info.ty.subst(&subst);
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
        if self.near.is_some() {
            return rows(&columns).into_iter().take(MAX_ROWS).collect();
        }
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
    /// The first values of a pool that are of a type, and the type's default value.
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

/// Whether an execution ends well, does the same every time, and is seen in the heap alone.
pub(super) fn is_plain(execution: &Execution) -> bool {
    matches!(execution.outcome, Outcome::Returned(_))
        && execution.determined
        && execution.answers.is_empty()
        && execution.printed.is_empty()
        && execution.unknown_contents.is_empty()
}

/// Inputs of a unit in which objects of classes are in states that calls lead to, the first states first; other arguments are small.
/// None where no parameter takes such an object.
pub(super) fn inputs(
    program: &ir::Program,
    interp: &Interp<'_>,
    procedure: &Procedure,
    type_args: &[Type],
    states: &dyn Fn(&Type) -> Vec<Inputs>,
) -> Vec<Inputs> {
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

/// The only argument of some inputs, put into a heap.
pub(super) fn put(state: &Inputs, heap: &mut Heap) -> Option<Value> {
    let by = heap.objects.len() as u32;
    let moved = renumbered(state, &|id| Some(ObjectId(id.0 + by)));
    heap.objects.extend(moved.heap.objects);
    moved.args.into_iter().next()
}
