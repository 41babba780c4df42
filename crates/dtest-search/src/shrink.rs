//! Simplification of inputs: smaller, more readable inputs that reach the same goals, each
//! validated by the interpreter.
//!
//! [`shrink`] simplifies a candidate, [`shrink_inputs`] inputs under any predicate.
//! [`simpler`] defines the order; it is well-founded, so that the loops end. [`drop_garbage`] normalizes heaps.

use std::sync::Arc;

use super::shrink_integers;
use super::simpler::simpler;
use super::validate::{Candidate, Validator};
use dtest_interp::{Answer, Inputs};
use dtest_ir::GoalId;
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Elements, FunctionValue, Heap, LazyValue, ObjectId, Thunk, Value};

/// Maximum number of executions per test.
const MAX_CANDIDATES: u32 = 160;

/// The simplest candidate that was found that covers `keep` and is as good as the given one.
pub(super) fn shrink(
    validator: &mut Validator<'_>,
    mut best: Candidate,
    keep: &SortedSet<GoalId>,
) -> Candidate {
    let findings = validator.findings.len();
    let blocked = validator.blocked.clone();
    let mut left = MAX_CANDIDATES;
    let mut progress = true;
    while progress && left > 0 {
        progress = false;
        // Slots are visited in order. A round that simplified something is repeated, because a
        // later slot may have enabled an earlier one.
        let mut slot = 0;
        while left > 0 {
            let Some(candidates) = candidates_at(&best.inputs, slot) else {
                break;
            };
            let mut better = None;
            // The first acceptable candidate is taken, because the candidates are ordered by
            // simplicity.
            for inputs in candidates {
                if left == 0 {
                    break;
                }
                left -= 1;
                // Removed references may leave unreachable objects.
                let Some(candidate) = validator.validate(drop_garbage(inputs)) else {
                    continue;
                };
                if is_as_good(&candidate, &best, keep) && candidate.inputs != best.inputs {
                    better = Some(candidate);
                    break;
                }
            }
            match better {
                // A slot is simplified as long as possible before the next one.
                Some(candidate) => {
                    best = candidate;
                    progress = true;
                }
                None => slot += 1,
            }
        }
    }
    // Candidates that were validated on the way are not inputs that the search was asked for: their
    // violations are dropped.
    validator.findings.truncate(findings);
    validator.blocked = blocked;
    best
}

/// The result of `validate` for the simplest inputs that were found, or `None` if it accepts none
/// that are simpler.
pub(super) fn shrink_inputs<T>(
    mut best: Inputs,
    mut validate: impl FnMut(&Inputs) -> Option<T>,
) -> Option<T> {
    let (mut left, mut slot, mut kept) = (MAX_CANDIDATES, 0, None);
    // All integers are simplified together at the beginning and at the end: conditions often relate
    // them.
    for inputs in shrink_integers::candidates(&best) {
        left -= 1;
        if let Some(result) = validate(&inputs) {
            (best, kept) = (inputs, Some(result));
            break;
        }
    }
    while left > 0 {
        let Some(candidates) = candidates_at(&best, slot) else {
            break;
        };
        let mut better = None;
        for inputs in candidates.take(left as usize) {
            left -= 1;
            let inputs = drop_garbage(inputs);
            if inputs != best
                && let Some(result) = validate(&inputs)
            {
                better = Some((inputs, result));
                break;
            }
        }
        match better {
            // A slot is simplified as long as possible before the next one.
            Some((inputs, result)) => (best, kept) = (inputs, Some(result)),
            None => slot += 1,
        }
    }
    for inputs in shrink_integers::candidates(&best) {
        if let Some(result) = validate(&inputs) {
            return Some(result);
        }
    }
    kept
}

/// Whether a candidate covers `keep` and checks no less than another one: no more unknown
/// conditions, an expected value, and no fewer values that the user named.
pub(super) fn is_as_good<'g>(
    candidate: &Candidate,
    best: &Candidate,
    keep: impl IntoIterator<Item = &'g GoalId>,
) -> bool {
    keep.into_iter().all(|b| candidate.covers.contains(b))
        && candidate.given >= best.given
        && candidate.unknowns() <= best.unknowns()
        && (candidate.execution.determined || !best.execution.determined)
}

/// Inputs with a simpler value at one slot: an argument, an element or field of an object, or a
/// stub's result. `None` if there is no such slot.
fn candidates_at(inputs: &Inputs, slot: usize) -> Option<Box<dyn Iterator<Item = Inputs> + '_>> {
    // First the arguments.
    if let Some(arg) = inputs.args.get(slot) {
        let with = move |v: Value| {
            let mut out = inputs.clone();
            if let Some(a) = out.args.get_mut(slot) {
                *a = v;
            }
            out
        };
        return Some(Box::new(simpler(arg).map(with)));
    }
    // Slots are numbered over the arguments, then the objects, then the stubs' results.
    let mut at = slot - inputs.args.len();
    // Then the fields and elements of the objects.
    for (i, object) in inputs.heap.objects.iter().enumerate() {
        match &object.contents {
            Contents::Fields(fields) => {
                if let Some((field, value)) = fields.iter().nth(at) {
                    let with = move |v: Value| {
                        let mut out = inputs.clone();
                        if let Some(Contents::Fields(fs)) =
                            out.heap.objects.get_mut(i).map(|o| &mut o.contents)
                        {
                            fs.insert(*field, v);
                        }
                        out
                    };
                    return Some(Box::new(simpler(value).map(with)));
                }
                at -= fields.len();
            }
            Contents::Elements(elements) => {
                // An array has one slot more than elements. That slot has no simpler values.
                let places = elements.len() + 1;
                if at < places {
                    // Only arrays of one dimension can lose an element.
                    let ([_], Some(Some(value))) = (elements.dims(), elements.get(at)) else {
                        return Some(Box::new(std::iter::empty()));
                    };
                    let without = std::iter::once_with(move || {
                        with_elements(inputs, i, |es| drop(es.remove(at)))
                    });
                    let with = move |v: Value| {
                        with_elements(inputs, i, |es| {
                            if let Some(e) = es.get_mut(at) {
                                *e = Some(v);
                            }
                        })
                    };
                    return Some(Box::new(without.chain(simpler(value).map(with))));
                }
                at -= places;
            }
        }
    }
    // At last the results of stubs.
    let (which, result) = places_of_answers(inputs).nth(at)?;
    let value = inputs
        .answers
        .get(which)
        .and_then(|a| a.results.get(result))?
        .as_ref()?;
    let with = move |v: Value| {
        let mut out = inputs.clone();
        if let Some(r) = out
            .answers
            .get_mut(which)
            .and_then(|a| a.results.get_mut(result))
        {
            *r = Some(v);
        }
        out
    };
    Some(Box::new(simpler(value).map(with)))
}

/// The results of stubs, as indices of the answer and of the result in it.
fn places_of_answers(inputs: &Inputs) -> impl Iterator<Item = (usize, usize)> + '_ {
    let known_results = |(i, a): (usize, &Answer)| {
        let known: Vec<(usize, usize)> = a
            .results
            .iter()
            .enumerate()
            .filter(|(_, r)| r.is_some())
            .map(|(j, _)| (i, j))
            .collect();
        known
    };
    inputs.answers.iter().enumerate().flat_map(known_results)
}

/// The inputs with other elements in an array of one dimension.
fn with_elements(
    inputs: &Inputs,
    object: usize,
    change: impl FnOnce(&mut Vec<Option<Value>>),
) -> Inputs {
    let mut out = inputs.clone();
    if let Some(Contents::Elements(elements)) =
        out.heap.objects.get_mut(object).map(|o| &mut o.contents)
    {
        let mut changed = elements.to_vec();
        change(&mut changed);
        *elements = Elements::row(changed);
    }
    out
}

/// The inputs without unreachable objects. Objects are numbered in the order in which the arguments
/// reach them, so that isomorphic inputs become equal.
pub(super) fn drop_garbage(inputs: Inputs) -> Inputs {
    // Depth-first from the arguments and then the results of stubs, in a fixed order.
    let mut order: Vec<u32> = Vec::new();
    let answered = inputs.answers.iter().flat_map(|answer| {
        let changed = answer.changes.iter().map(|(_, _, value)| value);
        answer.results.iter().flatten().chain(changed)
    });
    let mut work: Vec<Value> = inputs.args.iter().chain(answered).cloned().collect();
    work.reverse();
    while let Some(v) = work.pop() {
        if let Value::Ref(id) = &v {
            if !order.contains(&id.0) {
                // The unit created the object if it is not there: a stub returned it.
                if let Some(o) = inputs.heap.objects.get(id.0 as usize) {
                    order.push(id.0);
                    match &o.contents {
                        Contents::Fields(fs) => work.extend(fs.values().rev().cloned()),
                        Contents::Elements(elements) => {
                            work.extend(elements.iter().rev().flatten().cloned())
                        }
                    }
                }
            }
        } else {
            work.extend(parts(&v));
        }
    }
    // Normalized inputs are returned unchanged.
    if order.len() == inputs.heap.objects.len() && order.windows(2).all(|w| w.first() < w.last()) {
        return inputs;
    }
    let number = |id: ObjectId| {
        order
            .iter()
            .position(|o| *o == id.0)
            .map(|i| ObjectId(i as u32))
    };
    let reached = order
        .iter()
        .filter_map(|o| inputs.heap.objects.get(*o as usize))
        .cloned()
        .collect();
    renumbered(
        &Inputs {
            heap: Heap { objects: reached },
            ..inputs
        },
        &number,
    )
}

/// The inputs with objects renumbered. References to objects without a number become null.
pub(super) fn renumbered(
    inputs: &Inputs,
    number: &impl Fn(ObjectId) -> Option<ObjectId>,
) -> Inputs {
    let args = inputs.args.iter().map(|v| renumber(v, number)).collect();
    let mut heap = inputs.heap.clone();
    for object in &mut heap.objects {
        match &mut object.contents {
            Contents::Fields(fs) => fs.values_mut().for_each(|v| *v = renumber(v, number)),
            Contents::Elements(elements) => elements
                .iter_mut()
                .flatten()
                .for_each(|v| *v = renumber(v, number)),
        }
    }
    // The results of stubs refer to objects as well.
    let answer = |a: &Answer| {
        let renumber_all = |vs: &[Option<Value>]| {
            vs.iter()
                .map(|v| v.as_ref().map(|v| renumber(v, number)))
                .collect()
        };
        // An object that the unit creates has another number in each execution, but the same
        // position among the arguments.
        let position = |id: ObjectId| {
            let is_it = |arg: &Option<Value>| *arg == Some(Value::Ref(id));
            ObjectId::argument(a.args.iter().position(is_it)?)
        };
        let renumbered = |(id, place, v): &(ObjectId, dtest_value::Place, Value)| {
            let object = match id.as_argument() {
                Some(_) => Some(*id),
                None => number(*id).or_else(|| position(*id)),
            };
            Some((object?, *place, renumber(v, number)))
        };
        let changes = a.changes.iter().filter_map(renumbered).collect();
        Answer {
            args: renumber_all(&a.args),
            results: renumber_all(&a.results),
            changes,
            ..a.clone()
        }
    };
    let answers = inputs.answers.iter().map(answer).collect();
    Inputs {
        type_args: inputs.type_args.clone(),
        args,
        heap,
        answers,
    }
}

/// The immediate parts of a value.
fn parts(v: &Value) -> Vec<Value> {
    match v {
        Value::Seq(xs) | Value::Tuple(xs) => xs.to_vec(),
        Value::Set(xs) => xs.iter().cloned().collect(),
        Value::Multiset(xs) => xs.keys().cloned().collect(),
        Value::Map(xs) => xs
            .iter()
            .flat_map(|(k, v)| [k.clone(), v.clone()])
            .collect(),
        Value::Datatype(d) => d.args.clone(),
        Value::Newtype(n) => vec![n.value.clone()],
        Value::Function(f) => match &**f {
            FunctionValue::Table { entries, default } => entries
                .iter()
                .flat_map(|(a, r)| a.iter().chain([r]))
                .chain([default])
                .cloned()
                .collect(),
            FunctionValue::Closure { captured, .. } => captured.clone(),
            FunctionValue::Named { receiver, .. } => receiver.iter().cloned().collect(),
            FunctionValue::Template(_) => Vec::new(),
            FunctionValue::Partial {
                function,
                exceptions,
                ..
            } => {
                let inner = parts(&Value::Function(Arc::new(FunctionValue::clone(function))));
                inner
                    .into_iter()
                    .chain(exceptions.iter().flatten().cloned())
                    .collect()
            }
        },
        Value::Lazy(l) => match l.thunk() {
            Thunk::Code { captured, .. } => captured.clone(),
            Thunk::Default(_) => Vec::new(),
        },
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Null
        | Value::Ref(_) => Vec::new(),
    }
}

fn renumber_function(
    f: &FunctionValue,
    number: &impl Fn(ObjectId) -> Option<ObjectId>,
) -> FunctionValue {
    let all = |xs: &[Value]| xs.iter().map(|x| renumber(x, number)).collect::<Vec<_>>();
    match f {
        FunctionValue::Table { entries, default } => FunctionValue::Table {
            entries: entries
                .iter()
                .map(|(a, r)| (all(a), renumber(r, number)))
                .collect(),
            default: renumber(default, number),
        },
        FunctionValue::Closure {
            lambda,
            captured,
            type_args,
        } => FunctionValue::Closure {
            lambda: *lambda,
            captured: all(captured),
            type_args: type_args.clone(),
        },
        FunctionValue::Named {
            callee,
            receiver,
            type_args,
        } => FunctionValue::Named {
            callee: *callee,
            receiver: receiver.as_ref().map(|r| renumber(r, number)),
            type_args: type_args.clone(),
        },
        FunctionValue::Template(t) => FunctionValue::Template(*t),
        FunctionValue::Partial {
            function,
            elsewhere,
            exceptions,
        } => FunctionValue::Partial {
            function: Box::new(renumber_function(function, number)),
            elsewhere: *elsewhere,
            exceptions: exceptions.iter().map(|a| all(a)).collect(),
        },
    }
}

fn renumber(v: &Value, number: &impl Fn(ObjectId) -> Option<ObjectId>) -> Value {
    let all = |xs: &[Value]| xs.iter().map(|x| renumber(x, number)).collect::<Vec<_>>();
    match v {
        Value::Ref(id) => number(*id).map_or(Value::Null, Value::Ref),
        Value::Seq(xs) => Value::seq(all(xs)),
        Value::Tuple(xs) => Value::tuple(all(xs)),
        Value::Set(xs) => Value::set(xs.iter().map(|x| renumber(x, number))),
        Value::Multiset(xs) => Value::Multiset(Arc::new(
            xs.iter()
                .map(|(x, n)| (renumber(x, number), n.clone()))
                .collect(),
        )),
        Value::Map(xs) => Value::map(
            xs.iter()
                .map(|(k, v)| (renumber(k, number), renumber(v, number))),
        ),
        Value::Datatype(d) => Value::datatype(d.ctor, all(&d.args)),
        Value::Newtype(n) => n.with(renumber(&n.value, number)),
        Value::Function(f) => Value::Function(Arc::new(renumber_function(f, number))),
        Value::Lazy(l) => Value::Lazy(Arc::new(LazyValue::new(match l.thunk() {
            Thunk::Code {
                lambda,
                captured,
                type_args,
            } => Thunk::Code {
                lambda: *lambda,
                captured: all(captured),
                type_args: type_args.clone(),
            },
            default @ Thunk::Default(_) => default.clone(),
        }))),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Null => v.clone(),
    }
}
