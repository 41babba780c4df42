//! States of objects that calls lead to: one of the class's constructors, or what the user named for the class, and then a few calls of its
//! methods. Whoever uses the class meets such states; of those that are made field by field nobody knows.

use super::constants::{Constants, Reach};
use super::given;
use super::seeds::{Maker, blank};
use super::shrink::{drop_garbage, renumbered};
use super::specimen;
use crate::interp::{Execution, Inputs, Interp, Outcome};
use crate::ir::{self, Procedure};
use crate::value::{Call, Construction, Heap, ObjectId, Value, rows};
use dafny_resolve::typed::{Body, CallableId, CallableKind, Substitution, Type, TypeDeclKind};

/// States of one class, at most.
const MAX_STATES: usize = 40;
/// Calls after the one that makes the object, at most.
const MAX_CALLS: usize = 4;
/// Choices of arguments that are tried for one call, at most.
const MAX_CHOICES: usize = 4;
/// Steps of the interpreter for one class.
const MAX_STEPS: u64 = 60_000;
/// Inputs of a unit that are made of states, at most.
const MAX_INPUTS: usize = 24;
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
    let typed = &program.typed;
    let Type::Named { decl, args, nullable: false } = class else { return Vec::new() };
    if !matches!(typed[*decl].kind, TypeDeclKind::Class) || typed.type_link(*decl).is_some() {
        return Vec::new();
    }
    let mut explorer = Explorer { program, interp, until: interp.steps() + MAX_STEPS, found: Vec::new() };
    let is_callable = |c: &CallableId| {
        let c = (*c, &typed[*c]);
        !c.1.ghost && c.1.type_params.is_empty() && !matches!(c.1.body, Body::None) && !typed.is_linked(c.0)
    };
    let members: Vec<CallableId> = typed[*decl].callables.iter().copied().filter(is_callable).collect();
    for made in given::all(program, interp, class, given::NESTING) {
        explorer.meet(made.alone, made.by);
    }
    for ctor in members.iter().copied().filter(|c| typed[*c].kind == CallableKind::Constructor) {
        explorer.construct(class, args, ctor);
    }
    let changes = |c: &CallableId| typed[*c].kind == CallableKind::Method && !typed[*c].is_static && !typed[*c].spec.modifies.is_empty();
    let methods: Vec<CallableId> = members.into_iter().filter(changes).collect();
    let mut next = 0;
    while let Some(from) = explorer.found.get(next).cloned() {
        next += 1;
        if from.by.then.len() < MAX_CALLS {
            methods.iter().for_each(|m| explorer.call(&from, *m, args));
        }
    }
    explorer.found
}

struct Explorer<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    /// Steps of the interpreter after which nothing more is tried.
    until: u64,
    found: Vec<Reached>,
}

impl Explorer<'_, '_> {
    fn goes_on(&self) -> bool {
        self.found.len() < MAX_STATES && self.interp.steps() < self.until
    }

    fn meet(&mut self, alone: Inputs, by: Construction) {
        if self.goes_on() && !self.found.iter().any(|r| r.alone == alone) {
            self.found.push(Reached { alone, by });
        }
    }

    /// The objects that a constructor makes.
    fn construct(&mut self, class: &Type, type_args: &[Type], ctor: CallableId) {
        let mut heap = Heap::default();
        blank(class, &mut heap);
        for args in self.arguments(ctor, type_args, 0).into_iter().take(MAX_CHOICES) {
            if let Some(alone) = self.after(ctor, type_args, heap.clone(), &args) {
                self.meet(alone, Construction { maker: ctor, args, then: Vec::new() });
            }
        }
    }

    /// The state after a call of a method: after one call, so that states differ by what was called, and arguments from call to call.
    fn call(&mut self, from: &Reached, method: CallableId, type_args: &[Type]) {
        for args in self.arguments(method, type_args, from.by.then.len()) {
            if let Some(alone) = self.after(method, type_args, from.alone.heap.clone(), &args) {
                let mut by = from.by.clone();
                by.then.push(Call { callee: method, args });
                return self.meet(alone, by);
            }
        }
    }

    /// The state of the first object of a heap after a call on it that does the same every time and is seen nowhere else.
    fn after(&self, callee: CallableId, type_args: &[Type], heap: Heap, args: &[Value]) -> Option<Inputs> {
        if !self.goes_on() {
            return None;
        }
        let all = std::iter::once(Value::Ref(ObjectId(0))).chain(args.iter().cloned()).collect();
        let inputs = Inputs { type_args: type_args.to_vec(), args: all, heap, answers: Vec::new() };
        if !self.interp.check_inputs(callee, &inputs).requires.iter().all(|c| c.truth.is_true()) {
            return None;
        }
        let execution = self.interp.run(callee, &inputs);
        is_plain(&execution).then(|| given::alone(&Value::Ref(ObjectId(0)), &execution.heap))
    }

    /// Arguments without references: such as tell apart what is done with them, others for another number of calls before, then the smallest.
    fn arguments(&self, callee: CallableId, type_args: &[Type], calls: usize) -> Vec<Vec<Value>> {
        let Some(procedure) = self.program.procedures.get(&callee) else { return Vec::new() };
        let typed = &self.program.typed;
        let subst: Substitution = procedure.type_params.iter().copied().zip(type_args.iter().cloned()).collect();
        let constants = Constants::of(self.program, procedure, Reach::OWN);
        let mut maker = Maker::new(self.program, self.interp, &constants);
        let mut columns = Vec::new();
        for param in procedure.params.iter().skip(1) {
            let Some(info) = procedure.vars.get(param.0 as usize) else { return Vec::new() };
            let ty = info.ty.subst(&subst);
            if !typed.holds_no_references(&ty) {
                return Vec::new();
            }
            columns.push(maker.values(&ty, DEPTH, &mut Heap::default()));
        }
        if columns.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let mut all: Vec<Vec<Value>> = specimen::rows(&columns, calls + MAX_CHOICES / 2).skip(calls).collect();
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
    let subst: Substitution = procedure.type_params.iter().copied().zip(type_args.iter().cloned()).collect();
    let types = procedure.params.iter().filter_map(|p| procedure.vars.get(p.0 as usize)).map(|i| i.ty.subst(&subst));
    let types: Vec<(Type, Vec<Inputs>)> = types.map(|ty| (ty.clone(), states(&ty))).collect();
    if types.iter().all(|(_, of_type)| of_type.is_empty()) {
        return Vec::new();
    }
    let constants = Constants::of(program, procedure, Reach::NEAR);
    let mut maker = Maker::new(program, interp, &constants);
    let mut heap = Heap::default();
    let mut columns = Vec::new();
    for (ty, of_type) in types {
        let of_class: Vec<Value> = of_type.iter().filter_map(|state| put(state, &mut heap)).collect();
        let values = if of_class.is_empty() { maker.values(&ty, DEPTH + 1, &mut heap) } else { of_class };
        if values.is_empty() {
            return Vec::new();
        }
        columns.push(values);
    }
    let all = super::seeds::combined(&columns, MAX_INPUTS).into_iter();
    all.map(|args| drop_garbage(Inputs { type_args: type_args.to_vec(), args, heap: heap.clone(), answers: Vec::new() })).collect()
}

/// The only argument of some inputs, put into a heap.
pub(super) fn put(state: &Inputs, heap: &mut Heap) -> Option<Value> {
    let by = heap.objects.len() as u32;
    let moved = renumbered(state, &|id| Some(ObjectId(id.0 + by)));
    heap.objects.extend(moved.heap.objects);
    moved.args.into_iter().next()
}
