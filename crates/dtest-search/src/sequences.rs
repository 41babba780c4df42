//! Longer sequences of calls: states of objects that only many calls lead to, and values that a
//! function makes when it is applied again and again.
//!
//! A ring buffer wraps, a cache evicts and a lock counts its failures only after as many calls as
//! their capacity. The states of [`states::reached`] and of the pool are a few calls deep.
//! [`Sequences::extended`] proposes the next inputs for the search for surviving mutants
//! (`super::hunt`), which keeps those on which the effect of a mutant gets furthest, and extends
//! these again. A sequence is extended by a further call, by repetitions of a call or of its last
//! calls, and it loses or exchanges calls. This is feedback-directed generation (Pacheco, Lahiri,
//! Ernst and Ball, *Feedback-Directed Random Test Generation*, 2007) with the operators of EvoSuite
//! (Fraser and Arcuri, *Whole Test Suite Generation*, 2013).
//!
//! The number of repetitions is what makes the difference. It is drawn from the numbers that the
//! class compares with and that the object holds, since these are its capacities and limits.

use std::cmp::Reverse;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::coherent::Few;
use super::configured_inputs::alone;
use super::constants::{Constants, Reach};
use super::mutate::Mutator;
use super::pool;
use super::seeds::{Maker, blank};
use super::states::{self, Reached, Undecided};
use super::validate::Validator;
use dafny_resolve::typed::{Body, CallableId, CallableKind, Substitution, Type, TypeDeclKind};
use dtest_desugar::ExternalCode as _;
use dtest_interp::{Inputs, Interp, Outcome};
use dtest_ir as ir;
use dtest_value::{Call, Construction, Contents, Heap, ObjectId, Value};

/// Maximum number of calls of a sequence after the construction.
const MAX_CALLS: usize = 20;
/// Maximum number of parts of a state. Larger ones are unreadable in a test.
const MAX_EXTENT: u64 = 90;
/// Maximum number of classes whose calls are prepared.
const MAX_CLASSES: usize = 8;
/// Limits of the numbers that are tried as numbers of repetitions.
const REPETITIONS: std::ops::RangeInclusive<usize> = 2..=16;
/// Maximum nesting and maximum number of the small values of a parameter.
const DEPTH: u32 = 2;
const MAX_VALUES: usize = 24;
/// Maximum number of held values that an argument is chosen from.
const MAX_HELD: usize = 40;
/// Maximum number of functions that are applied to values.
const MAX_FUNCTIONS: usize = 24;
/// Maximum number of similar states that are kept, and number of sequences that are tried to find
/// more similar ones.
const MAX_SIMILAR: usize = 12;
const MAX_STEPS_TOWARD: usize = 120;
/// Sizes from here on count as equal.
const MAX_SIZE: u64 = 1 << 20;
/// Maximum number of methods of a new sequence, minimum number of its calls, and number of further
/// ones that it may have.
const MAX_CHOSEN: usize = 3;
const MIN_ANEW: usize = 2;
const MAX_ANEW: usize = 8;
/// Maximum number of attempts to shorten a sequence.
const MAX_ATTEMPTS: usize = 40;

/// A method or function with the values that its parameters can take.
struct Callee {
    callable: CallableId,
    /// The types of the parameters. An object that is the receiver is not among them.
    types: Vec<Type>,
    /// Small values of each parameter.
    columns: Vec<Vec<Value>>,
}

/// The calls that change objects of a class.
struct Class {
    ty: Type,
    callees: Vec<Callee>,
    constructors: Vec<Callee>,
    /// Numbers of repetitions.
    counts: Vec<usize>,
}

/// The sources of longer sequences for one unit.
#[derive(Default)]
pub(super) struct Sequences {
    classes: Vec<Class>,
    /// Functions that return a value of the type of one of their parameters, with the number of
    /// this parameter.
    functions: Option<Vec<(Callee, Type, usize)>>,
}

impl Sequences {
    /// The inputs with an object in another state that calls lead to, or with a value that a
    /// function makes of it. The other arguments may be changed to values that the new state
    /// holds. `None` if there is no object of known calls and no such function.
    pub(super) fn extended(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        basis: &Inputs,
    ) -> Option<Inputs> {
        let objects: Vec<ObjectId> = (0..basis.heap.objects.len() as u32)
            .map(ObjectId)
            .filter(|id| basis.args.contains(&Value::Ref(*id)))
            .filter(|id| {
                let object = basis.heap.objects.get(id.0 as usize);
                object.is_some_and(|o| {
                    matches!(o.contents, Contents::Fields(_)) && o.redefined.is_empty()
                })
            })
            .collect();
        let Some(id) = mutator.random.pick(&objects).copied() else {
            return self.applied(validator, mutator, basis);
        };
        let class = self.class(validator, basis, id)?;
        let state = next_state(validator, mutator, class, basis, id)?;
        let mut inputs = states::exchanged(basis, id, &state)?;
        if mutator.random.flip() {
            let at = mutator.random.below(inputs.args.len());
            relate(validator, mutator, &mut inputs, at);
        }
        validator.make_known(&class.ty, state);
        Some(inputs)
    }

    /// States of the class of an object that are similar to it, the most similar one first.
    /// Sequences of calls are extended as long as they lead to more similar states.
    pub(super) fn toward(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        inputs: &Inputs,
        id: ObjectId,
    ) -> Vec<Reached> {
        let Some(class) = self.class(validator, inputs, id) else {
            return Vec::new();
        };
        let goal = alone(&Value::Ref(id), &inputs.heap);
        let mut best: Vec<(u64, Reached)> = validator
            .made_of(&class.ty)
            .map(|state| (closeness(&state.alone, &goal), state.clone()))
            .collect();
        best.sort_by_key(|(close, _)| Reverse(*close));
        best.truncate(MAX_SIMILAR);
        for _ in 0..MAX_STEPS_TOWARD {
            let at = mutator.random.below(best.len());
            let at = at.min(mutator.random.below(best.len()));
            let Some((_, from)) = best.get(at) else {
                break;
            };
            let by = changed(validator.interp(), mutator, class, inputs, from, None);
            let state = by.and_then(|by| replayed(validator.interp(), &class.ty, &by));
            let Some(state) = state.filter(|s| best.iter().all(|(_, b)| b.alone != s.alone)) else {
                continue;
            };
            let close = closeness(&state.alone, &goal);
            let at = best.partition_point(|(other, _)| *other >= close);
            best.insert(at, (close, state));
            best.truncate(MAX_SIMILAR);
        }
        best.into_iter().map(|(_, state)| state).collect()
    }

    /// The calls that change the objects of the class of an object.
    fn class(
        &mut self,
        validator: &mut Validator<'_>,
        inputs: &Inputs,
        id: ObjectId,
    ) -> Option<&Class> {
        let ty = &inputs.heap.objects.get(id.0 as usize)?.ty;
        if !self.classes.iter().any(|c| c.ty == *ty) {
            if self.classes.len() >= MAX_CLASSES {
                return None;
            }
            let (program, interp) = (validator.interp().program(), validator.interp());
            self.classes.push(Class::new(program, interp, ty));
            for state in states::reached(program, interp, ty) {
                validator.make_known(ty, state);
            }
        }
        let class = self.classes.iter().find(|c| c.ty == *ty);
        class.filter(|c| !c.callees.is_empty())
    }

    /// The inputs with one argument replaced by the result of a function that takes and returns
    /// values of its type, applied once or several times.
    fn applied(
        &mut self,
        validator: &Validator<'_>,
        mutator: &mut Mutator<'_>,
        basis: &Inputs,
    ) -> Option<Inputs> {
        let (program, interp) = (validator.interp().program(), validator.interp());
        let types = mutator.types.clone();
        let functions = self
            .functions
            .get_or_insert_with(|| makers(program, interp, &types));
        let at = mutator.random.below(basis.args.len());
        let ty = program.typed.representation(types.get(at)?);
        let fitting: Vec<&(Callee, Type, usize)> =
            functions.iter().filter(|(_, t, _)| *t == ty).collect();
        let (callee, _, own) = mutator.random.pick(&fitting)?;
        let mut value = basis.args.get(at)?.clone();
        let times = 1 + mutator.random.below(4) * mutator.random.below(3);
        let mut few = Few::of(mutator.program, &types, basis);
        for _ in 0..times {
            let held: Vec<&Value> = basis.args.iter().flat_map(Value::within).collect();
            let mut args = arguments(interp, mutator, callee, &held, &mut few)?;
            *args.get_mut(*own)? = value.clone();
            let inputs = Inputs {
                args,
                ..Inputs::default()
            };
            let check = interp.check_inputs(callee.callable, &inputs);
            if !check.verdict().is_true() {
                break;
            }
            let execution = interp.run(callee.callable, &inputs);
            if !states::is_plain(&execution) {
                break;
            }
            let Outcome::Returned(results) = execution.outcome else {
                break;
            };
            let result = results.into_iter().next().flatten()?;
            if result.extent() > MAX_EXTENT || !result.within().all(pool::is_plain) {
                break;
            }
            value = result;
        }
        let mut inputs = basis.clone();
        inputs.answers.clear();
        *inputs.args.get_mut(at)? = value;
        (inputs != *basis).then_some(inputs)
    }
}

impl Class {
    fn new(program: &ir::Program, interp: &Interp<'_>, ty: &Type) -> Self {
        let mut class = Self {
            ty: ty.clone(),
            callees: Vec::new(),
            constructors: Vec::new(),
            counts: Vec::new(),
        };
        let Type::Named { decl, args, .. } = ty else {
            return class;
        };
        let typed = &program.typed;
        if !matches!(typed[*decl].kind, TypeDeclKind::Class) || typed.type_link(*decl).is_some() {
            return class;
        }
        let mut numbers: Vec<usize> = vec![2, 3];
        for &callable in &typed[*decl].callables {
            if let Some(procedure) = program.procedures.get(&callable) {
                let constants = Constants::of(program, procedure, Reach::FAR);
                numbers.extend(constants.ints.iter().filter_map(ToPrimitive::to_usize));
            }
            let of_kind = if typed[callable].kind == CallableKind::Constructor {
                &mut class.constructors
            } else if states::changes_objects(program, callable) {
                &mut class.callees
            } else {
                continue;
            };
            of_kind.extend(Callee::new(program, interp, callable, args, 1));
        }
        class.counts = counts(numbers);
        class
    }

    /// A random number of repetitions: from the class, or from the numbers that a state holds.
    fn times(&self, mutator: &mut Mutator<'_>, state: &Inputs) -> usize {
        let held = state.heap.contents().filter_map(|v| {
            if let Value::Int(n) = v {
                n.to_usize()
            } else {
                None
            }
        });
        let held = counts(held.collect());
        let from = if mutator.random.flip() && !held.is_empty() {
            &held
        } else {
            &self.counts
        };
        mutator.random.pick(from).copied().unwrap_or(2)
    }
}

/// The numbers and their neighbours that are numbers of repetitions, in ascending order.
fn counts(numbers: Vec<usize>) -> Vec<usize> {
    let mut all: Vec<usize> = numbers
        .into_iter()
        .filter(|n| *n <= REPETITIONS.end() + 1)
        .flat_map(|n| [n.saturating_sub(1), n, n + 1])
        .filter(|n| REPETITIONS.contains(n))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Callee {
    /// `None` if a parameter after the first `skipped` ones takes references or has no known value.
    fn new(
        program: &ir::Program,
        interp: &Interp<'_>,
        callable: CallableId,
        type_args: &[Type],
        skipped: usize,
    ) -> Option<Self> {
        let typed = &program.typed;
        let procedure = program.procedures.get(&callable)?;
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let constants = Constants::of(program, procedure, Reach::NEAR);
        let mut maker = Maker::new(program, interp, &constants);
        let (mut types, mut columns) = (Vec::new(), Vec::new());
        for param in procedure.params.iter().skip(skipped) {
            let ty = procedure.vars.get(param.0 as usize)?.ty.subst(&subst);
            if !typed.holds_no_references(&ty) {
                return None;
            }
            let mut values = maker.values(&ty, DEPTH, &mut Heap::default());
            values.truncate(MAX_VALUES);
            if values.is_empty() {
                return None;
            }
            types.push(ty);
            columns.push(values);
        }
        Some(Self {
            callable,
            types,
            columns,
        })
    }
}

/// Functions and methods that return a value of the type of one of their
/// parameters, for the types of a unit's parameters.
fn makers(
    program: &ir::Program,
    interp: &Interp<'_>,
    types: &[Type],
) -> Vec<(Callee, Type, usize)> {
    let typed = &program.typed;
    let types: Vec<Type> = types
        .iter()
        .filter(|ty| typed.holds_no_references(ty))
        .map(|ty| typed.representation(ty))
        .filter(|ty| !pool::is_scalar(ty))
        .collect();
    let mut found = Vec::new();
    for id in (0..typed.callables.len() as u32).map(CallableId) {
        let declared = &typed[id];
        let is_function = matches!(declared.kind, CallableKind::Function | CallableKind::Method);
        if !is_function
            || declared.ghost
            || !declared.type_params.is_empty()
            || matches!(declared.body, Body::None)
            || typed.is_linked(id)
        {
            continue;
        }
        let Some(procedure) = program.procedures.get(&id) else {
            continue;
        };
        let ty = |v: &ir::Var| {
            let info = procedure.vars.get(v.0 as usize)?;
            Some(typed.representation(&info.ty))
        };
        let Some(result) = procedure.outs.first().and_then(ty) else {
            continue;
        };
        let own = procedure
            .params
            .iter()
            .position(|p| ty(p).as_ref() == Some(&result));
        if let Some(own) = own.filter(|_| types.contains(&result))
            && let Some(callee) = Callee::new(program, interp, id, &[], 0)
        {
            found.push((callee, result, own));
        }
        if found.len() >= MAX_FUNCTIONS {
            break;
        }
    }
    found
}

/// Arguments of a call: small values, values that are held, and their neighbours, or values built
/// from the few that all calls share.
fn arguments(
    interp: &Interp<'_>,
    mutator: &mut Mutator<'_>,
    callee: &Callee,
    held: &[&Value],
    few: &mut Few,
) -> Option<Vec<Value>> {
    let mut args = Vec::with_capacity(callee.types.len());
    // The arguments of each call may be large.
    few.extent = 0;
    for (ty, column) in callee.types.iter().zip(&callee.columns) {
        if mutator.random.flip()
            && let Some(value) = mutator.built(interp, few, ty, 1)
        {
            args.push(value);
            continue;
        }
        let again: Vec<&Value> = if mutator.random.flip() {
            let is_one = |v: &&&Value| interp.value_has_type(v, ty, &Heap::default()).is_true();
            held.iter().filter(is_one).take(MAX_HELD).copied().collect()
        } else {
            Vec::new()
        };
        let value = match mutator.random.pick(&again) {
            Some(value) => (*value).clone(),
            None => mutator.random.pick(column)?.clone(),
        };
        args.push(
            if let Value::Int(n) = &value
                && mutator.random.below(4) == 0
            {
                let by = BigInt::from(mutator.random.below(3)) - 1;
                Value::Int(n + by)
            } else {
                value
            },
        );
    }
    Some(args)
}

/// A state of an object's class that further or other calls lead to.
fn next_state(
    validator: &Validator<'_>,
    mutator: &mut Mutator<'_>,
    class: &Class,
    basis: &Inputs,
    id: ObjectId,
) -> Option<Reached> {
    // Objects that were created field by field have no calls to extend.
    let own = validator.made(basis, id).map(|(_, state)| state);
    let from = match own {
        Some(own) if mutator.random.below(4) > 0 => own,
        Some(_) | None => {
            let all: Vec<&Reached> = validator.made_of(&class.ty).collect();
            *mutator.random.pick(&all)?
        }
    };
    let others: Vec<&Reached> = validator.made_of(&class.ty).collect();
    let other = mutator.random.pick(&others).map(|s| &s.by);
    let interp = validator.interp();
    let by = changed(interp, mutator, class, basis, from, other)?;
    let state = replayed(interp, &class.ty, &by)?;
    let extent = state.alone.heap.contents().map(Value::extent);
    let extent = extent.fold(0u64, u64::saturating_add);
    (state.alone != from.alone && extent <= MAX_EXTENT).then_some(state)
}

/// Another sequence of calls.
fn changed(
    interp: &Interp<'_>,
    mutator: &mut Mutator<'_>,
    class: &Class,
    basis: &Inputs,
    from: &Reached,
    other: Option<&Construction>,
) -> Option<Construction> {
    let mut by = from.by.clone();
    let length = by.then.len();
    // The arguments of earlier calls come first: calls interact if they have the same ones.
    let earlier = from.by.then.iter().rev().flat_map(|c| &c.args);
    let earlier = earlier.chain(&from.by.args);
    let held: Vec<&Value> = earlier
        .chain(&basis.args)
        .chain(from.alone.heap.contents())
        .chain(basis.heap.contents())
        .flat_map(Value::within)
        .collect();
    let mut few = Few::of(
        mutator.program,
        std::slice::from_ref(&class.ty),
        &from.alone,
    );
    let mut call = |mutator: &mut Mutator<'_>, callee: &Callee| {
        Some(Call {
            callee: callee.callable,
            args: arguments(interp, mutator, callee, &held, &mut few)?,
        })
    };
    let at = mutator.random.below(length + 1);
    match mutator.random.below(10) {
        // Other calls from the start, of a few methods: where all methods take turns, some undo
        // what others do (swarm testing: Groce, Zhang, Eide, Chen and Regehr, *Swarm Testing*, 2012).
        8 | 9 => {
            anew(mutator, class, &mut by, &mut call)?;
        }
        // A further call, or one in between.
        0 | 1 => {
            let callee = mutator.random.pick(&class.callees)?;
            let at = if mutator.random.below(3) == 0 {
                at
            } else {
                length
            };
            let new = call(mutator, callee)?;
            by.then.insert(at, new);
        }
        // A call many times, with the same or with other arguments.
        2..=4 => {
            let callee = mutator.random.pick(&class.callees)?;
            let times = class.times(mutator, &from.alone);
            let is_same = mutator.random.below(3) == 0;
            let first = call(mutator, callee)?;
            for i in 0..times {
                let next = if is_same {
                    first.clone()
                } else if mutator.random.flip() {
                    shifted(interp, callee, &first, i)
                } else {
                    call(mutator, callee)?
                };
                by.then.push(next);
            }
        }
        // The last calls again.
        5 => {
            let size = 1 + mutator.random.below(3.min(length));
            let block = by.then.get(length.checked_sub(size)?..)?.to_vec();
            let times = class.times(mutator, &from.alone).div_ceil(size);
            for _ in 0..times {
                by.then.extend(block.iter().cloned());
            }
        }
        // Fewer calls.
        6 => {
            let end = (at + 1 + mutator.random.below(3)).min(length);
            by.then.drain(at.min(end)..end);
        }
        // The end of another sequence.
        _ => {
            let other = other?;
            let from = mutator.random.below(other.then.len());
            by.then.extend(other.then.get(from..)?.iter().cloned());
        }
    }
    by.then.truncate(MAX_CALLS);
    (by != from.by).then_some(by)
}

/// Replaces all calls of a sequence by calls of a few methods. `None` if there is no method or no
/// argument.
fn anew(
    mutator: &mut Mutator<'_>,
    class: &Class,
    by: &mut Construction,
    call: &mut impl FnMut(&mut Mutator<'_>, &Callee) -> Option<Call>,
) -> Option<()> {
    if let Some(constructor) = class.constructors.iter().find(|c| c.callable == by.maker)
        && mutator.random.flip()
    {
        by.args = call(mutator, constructor)?.args;
    }
    let chosen: Vec<&Callee> = (0..=mutator.random.below(MAX_CHOSEN))
        .filter_map(|_| mutator.random.pick(&class.callees))
        .collect();
    by.then.clear();
    for _ in 0..MIN_ANEW + mutator.random.below(MAX_ANEW) {
        let callee = *mutator.random.pick(&chosen)?;
        by.then.push(call(mutator, callee)?);
    }
    Some(())
}

/// A call with numbers that are greater by `by`, as far as their types allow.
fn shifted(interp: &Interp<'_>, callee: &Callee, call: &Call, by: usize) -> Call {
    let args = call.args.iter().zip(&callee.types).map(|(value, ty)| {
        if let Value::Int(n) = value {
            let new = Value::Int(n + BigInt::from(by));
            if interp.value_has_type(&new, ty, &Heap::default()).is_true() {
                return new;
            }
        }
        value.clone()
    });
    Call {
        callee: call.callee,
        args: args.collect(),
    }
}

/// The state that calls lead to. Calls are left out whose precondition does not hold, or that do
/// not end well. `None` if the construction is one of them.
fn replayed(interp: &Interp<'_>, class: &Type, by: &Construction) -> Option<Reached> {
    let Type::Named {
        args: type_args, ..
    } = class
    else {
        return None;
    };
    let mut heap = Heap::default();
    blank(class, &mut heap);
    // Other makers are named by the user, and their objects are taken as they are.
    if interp.program().typed[by.maker].kind != CallableKind::Constructor {
        return None;
    }
    let after = |heap: &Heap, callee: CallableId, args: &[Value]| {
        states::after_call(interp, callee, type_args, heap, args, Undecided::Accepted)
    };
    let mut state = after(&heap, by.maker, &by.args)?;
    let mut then = Vec::with_capacity(by.then.len());
    for call in &by.then {
        if let Some(next) = after(&state.heap, call.callee, &call.args) {
            then.push(call.clone());
            state = next;
        }
    }
    Some(Reached {
        alone: state,
        by: Construction {
            maker: by.maker,
            args: by.args.clone(),
            then,
        },
    })
}

/// Replaces an argument by a value that the other arguments or the objects hold.
fn relate(validator: &Validator<'_>, mutator: &mut Mutator<'_>, inputs: &mut Inputs, at: usize) {
    let (program, interp) = (validator.interp().program(), validator.interp());
    let Some(ty) = mutator.types.get(at) else {
        return;
    };
    let related = pool::related(program, interp, ty, at, &inputs.args, &inputs.heap);
    if let (Some(value), Some(slot)) = (
        mutator.random.pick(&related).cloned(),
        inputs.args.get_mut(at),
    ) {
        *slot = value;
    }
}

/// The inputs with shorter sequences of calls that are still `good`.
pub(super) fn shortened(
    validator: &mut Validator<'_>,
    inputs: &Inputs,
    mut good: impl FnMut(&mut Validator<'_>, &Inputs) -> bool,
) -> Inputs {
    let mut best = inputs.clone();
    let mut left = MAX_ATTEMPTS;
    let of_calls: Vec<(Type, Reached)> = (0..inputs.heap.objects.len() as u32)
        .filter_map(|id| validator.made(inputs, ObjectId(id)))
        .map(|(class, state)| (class.clone(), state.clone()))
        .collect();
    for (class, mut state) in of_calls {
        // Larger parts first, as in delta debugging (Zeller and Hildebrandt 2002).
        let mut size = state.by.then.len().div_ceil(2);
        while size > 0 {
            let mut at = state.by.then.len();
            while at > 0 && left > 0 {
                left -= 1;
                at = at.min(state.by.then.len()).saturating_sub(size);
                let mut by = state.by.clone();
                let end = (at + size).min(by.then.len());
                by.then.drain(at..end);
                let shorter = replayed(validator.interp(), &class, &by);
                // Numbers of objects change with every exchange.
                let Some((shorter, id)) = shorter.zip(find(&best, &state)) else {
                    continue;
                };
                if let Some(inputs) = states::exchanged(&best, id, &shorter) {
                    validator.make_known(&class, shorter.clone());
                    if good(validator, &inputs) {
                        (best, state) = (inputs, shorter);
                    }
                }
            }
            size /= 2;
        }
    }
    best
}

/// The similarity of two states of a class: over their values in order, high for equal ones and
/// lower for ones of similar size.
fn closeness(a: &Inputs, b: &Inputs) -> u64 {
    let size = |v: &Value| {
        if let Value::Int(n) = v {
            n.magnitude().to_u64().unwrap_or(u64::MAX)
        } else {
            v.extent()
        }
    };
    let values = a.heap.contents().zip(b.heap.contents());
    let of = |(a, b): (&Value, &Value)| {
        if a == b {
            return 200;
        }
        let (a, b) = (size(a).min(MAX_SIZE), size(b).min(MAX_SIZE));
        100 * (1 + a.min(b)) / (1 + a.max(b))
    };
    values.map(of).sum()
}

/// The object of inputs that is in a state.
fn find(inputs: &Inputs, state: &Reached) -> Option<ObjectId> {
    let mut ids = (0..inputs.heap.objects.len() as u32).map(ObjectId);
    ids.find(|id| alone(&Value::Ref(*id), &inputs.heap) == state.alone)
}
