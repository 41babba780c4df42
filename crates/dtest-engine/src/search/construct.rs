//! Calls of the program's own constructors that yield the objects of a test's inputs: a cheap search, confirmed by execution.

use std::collections::BTreeMap;

use crate::interp::{Inputs, Interp, Limits, Outcome};
use crate::ir;
use crate::value::{Construction, Contents, Heap, Object, ObjectId, Value};
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldId, FieldKind, Type, TypeDeclKind};

/// Calls that are tried for one object.
const MAX_CALLS: usize = 48;
/// Values that are tried for one parameter.
const MAX_VALUES: usize = 4;
/// Steps of one call.
const MAX_STEPS: u64 = 20_000;

/// For those objects of the heap for which one is found: a call that makes it as it is. The call allocates nothing else, changes nothing
/// else, and does the same every time. Its arguments are values of the object's fields and default values.
pub fn constructions(program: &ir::Program, heap: &Heap) -> BTreeMap<ObjectId, Construction> {
    if heap.objects.is_empty() {
        return BTreeMap::new();
    }
    let interp = Interp::new(program, Limits { steps: MAX_STEPS, ..Limits::default() });
    let ids = (0..heap.objects.len() as u32).map(ObjectId);
    ids.filter_map(|id| Some((id, construction(program, &interp, heap, id)?))).collect()
}

fn construction(program: &ir::Program, interp: &Interp<'_>, heap: &Heap, id: ObjectId) -> Option<Construction> {
    let typed = &program.typed;
    let object = heap.objects.get(id.0 as usize)?;
    let (Type::Named { decl, args: type_args, .. }, Contents::Fields(wanted)) = (&object.ty, &object.contents) else { return None };
    if !matches!(typed[*decl].kind, TypeDeclKind::Class) || !object.redefined.is_empty() || wanted.is_empty() {
        return None;
    }
    let has_body = |c: &CallableId| !matches!(typed[*c].body, Body::None) && !typed[*c].ghost && !typed.is_linked(*c);
    let ctors = typed[*decl].callables.iter().copied().filter(|&c| typed[c].kind == CallableKind::Constructor).filter(has_body);
    let mut blank = heap.clone();
    *blank.objects.get_mut(id.0 as usize)? = Object::new(object.ty.clone(), Contents::Fields(BTreeMap::new()));
    for ctor in ctors.filter(|&c| typed[c].type_params.is_empty()) {
        let substitution = typed.substitution(*decl, type_args);
        let mut candidates = Vec::new();
        for formal in &typed[ctor].ins {
            let ty = typed[formal.local].ty.subst(&substitution);
            let mut values: Vec<Value> = Vec::new();
            for value in wanted.values().cloned().chain(interp.default_value(&ty)) {
                let fits = !values.contains(&value) && !reaches(heap, &value, id) && interp.value_has_type(&value, &ty, heap).is_true();
                if fits && values.len() < MAX_VALUES {
                    values.push(value);
                }
            }
            candidates.push(values);
        }
        for args in choices(&candidates).take(MAX_CALLS) {
            let all = std::iter::once(Value::Ref(id)).chain(args.iter().cloned()).collect();
            let inputs = Inputs { type_args: type_args.clone(), args: all, heap: blank.clone(), answers: Vec::new() };
            if !interp.check_inputs(ctor, &inputs).requires.iter().all(|c| c.truth.is_true()) {
                continue;
            }
            let run = interp.run(ctor, &inputs);
            let same = matches!(run.outcome, Outcome::Returned(_)) && run.deterministic && is_same(program, heap, &run.heap, id);
            if same && run.answers.is_empty() && run.printed.is_empty() {
                return Some(Construction { ctor, args });
            }
        }
    }
    None
}

/// All ways to take one of each, the first of all first.
fn choices(candidates: &[Vec<Value>]) -> impl Iterator<Item = Vec<Value>> {
    let total = candidates.iter().try_fold(1usize, |n, c| n.checked_mul(c.len())).unwrap_or(usize::MAX);
    (0..total).map(move |mut n| {
        let pick = |values: &Vec<Value>| {
            let value = values.get(n % values.len().max(1)).cloned();
            n /= values.len().max(1);
            value
        };
        candidates.iter().map_while(pick).collect()
    })
}

/// Whether the constructor made of the heap what is wanted. Constants that their declaration gives a value need no comparison.
fn is_same(program: &ir::Program, wanted: &Heap, got: &Heap, made: ObjectId) -> bool {
    let given = |f: &FieldId| matches!(program.typed[*f].kind, FieldKind::Const(Some(_)));
    let differs = |(at, (a, b)): (usize, (&Object, &Object))| {
        if at as u32 != made.0 {
            return a != b;
        }
        match (&a.contents, &b.contents) {
            (Contents::Fields(a), Contents::Fields(b)) => {
                a.keys().chain(b.keys()).any(|f| !given(f) && (!program.typed[*f].ghost || a.contains_key(f)) && a.get(f) != b.get(f))
            }
            (Contents::Elements { .. } | Contents::Fields(_), _) => true,
        }
    };
    wanted.objects.len() == got.objects.len() && !wanted.objects.iter().zip(&got.objects).enumerate().any(differs)
}

/// Whether a value leads to an object.
fn reaches(heap: &Heap, value: &Value, target: ObjectId) -> bool {
    let (mut work, mut seen) = (vec![value], Vec::new());
    while let Some(value) = work.pop() {
        work.extend(value.parts());
        let Value::Ref(id) = value else { continue };
        if *id == target {
            return true;
        }
        if seen.contains(id) {
            continue;
        }
        seen.push(*id);
        match heap.objects.get(id.0 as usize).map(|o| &o.contents) {
            Some(Contents::Fields(fields)) => work.extend(fields.values()),
            Some(Contents::Elements { elements, .. }) => work.extend(elements.iter().flatten()),
            None => {}
        }
    }
    false
}
