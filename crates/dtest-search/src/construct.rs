//! Constructions of the objects in a test's inputs: calls of the program's own constructors and
//! methods.
//!
//! [`Constructor::construction`] searches for the calls from the object's state alone. Candidates
//! are cheap guesses: arguments are values of the object's fields. Each one is confirmed by
//! execution.

use super::configured_inputs;
use super::states::{self, Reached};
use dafny_resolve::typed::{
    Body, CallableId, CallableKind, FieldId, FieldKind, Type, TypeDeclKind,
};
use dtest_desugar::ExternalCode as _;
use dtest_interp::{Inputs, Interp, Limits, Outcome};
use dtest_ir as ir;
use dtest_sorted::SortedMap;
use dtest_value::{Construction, Contents, Heap, Object, ObjectId, Value};

/// Maximum number of calls per object.
const MAX_CALLS: usize = 48;
/// Maximum number of values per parameter.
const MAX_VALUES: usize = 4;
/// Maximum interpreter steps of one call.
const MAX_STEPS: u64 = 20_000;

/// Searches for calls that construct objects.
pub struct Constructor<'p> {
    program: &'p ir::Program,
    interp: Interp<'p>,
    /// The reachable states of classes, computed on demand.
    reached: SortedMap<Type, Vec<Reached>>,
    /// States that were found for tests.
    made: Vec<(Inputs, Construction)>,
}

impl<'p> Constructor<'p> {
    /// A constructor without known states.
    pub fn new(program: &'p ir::Program) -> Self {
        let interp = Interp::new(
            program,
            Limits {
                steps: MAX_STEPS,
                ..Limits::default()
            },
        );
        Self {
            program,
            interp,
            reached: SortedMap::new(),
            made: Vec::new(),
        }
    }

    /// A constructor that knows these states, each the only argument of its inputs, and the calls
    /// that lead to them.
    pub fn knowing(program: &'p ir::Program, made: &[(Inputs, Construction)]) -> Self {
        let mut known = Self::new(program);
        known.made = made.to_vec();
        known
    }

    /// The constructions that [`Self::construction`] finds for the objects of a test's heap.
    pub fn constructions(&mut self, inputs: &Inputs) -> SortedMap<ObjectId, Construction> {
        let ids = (0..inputs.heap.objects.len() as u32).map(ObjectId);
        ids.filter_map(|id| Some((id, self.construction(inputs, id)?)))
            .collect()
    }

    /// Calls that construct an object of a test's heap exactly as it is and are determined, or
    /// `None`. Either one call of a constructor that allocates and changes nothing else, whose
    /// arguments are values of the object's fields and default values. Or a state that a few calls
    /// lead to ([`super::states`]), if nothing else refers to its parts.
    pub fn construction(&mut self, inputs: &Inputs, id: ObjectId) -> Option<Construction> {
        // A single constructor call is the most readable construction.
        by_one_call(self.program, &self.interp, &inputs.heap, id)
            .or_else(|| self.by_calls(inputs, id))
    }

    fn by_calls(&mut self, inputs: &Inputs, id: ObjectId) -> Option<Construction> {
        let object = inputs.heap.objects.get(id.0 as usize)?;
        // The state must be self-contained: the calls create all of its objects.
        if !matches!(object.contents, Contents::Fields(_))
            || !object.redefined.is_empty()
            || !is_its_own(inputs, id)
        {
            return None;
        }
        let (program, interp) = (self.program, &self.interp);
        let states = self
            .reached
            .entry(object.ty.clone())
            .or_insert_with(|| states::reached(program, interp, &object.ty));
        let alone = configured_inputs::alone(&Value::Ref(id), &inputs.heap);
        let is_ref = |v: &Value| matches!(v, Value::Ref(_));
        let known = states
            .iter()
            .map(|state| (&state.alone, &state.by))
            .chain(self.made.iter().map(|(state, by)| (state, by)));
        let found = known
            .into_iter()
            .find(|(state, _)| **state == alone)
            .map(|(_, by)| by.clone());
        // Calls with references as arguments would need these objects first.
        found.filter(|by| !by.args.iter().flat_map(Value::within).any(is_ref))
    }
}

/// Whether the objects that are reachable from an object are reachable from nothing else.
fn is_its_own(inputs: &Inputs, id: ObjectId) -> bool {
    // `own` is the work list and the set of reachable objects at once.
    let mut own = vec![id];
    let mut next = 0;
    while let Some(object) = own
        .get(next)
        .and_then(|o| inputs.heap.objects.get(o.0 as usize))
    {
        next += 1;
        for value in object.contents.values().flat_map(Value::within) {
            if let Value::Ref(part) = value
                && !own.contains(part)
            {
                own.push(*part);
            }
        }
    }
    let is_part = |v: &Value| matches!(v, Value::Ref(part) if *part != id && own.contains(part));
    let others = inputs
        .heap
        .objects
        .iter()
        .enumerate()
        .filter(|(i, _)| !own.contains(&ObjectId(*i as u32)))
        .map(|(_, o)| &o.contents);
    let of_others = others
        .flat_map(Contents::values)
        .flat_map(Value::within)
        .any(is_part);
    !of_others && !inputs.args.iter().flat_map(Value::within).any(is_part)
}

fn by_one_call(
    program: &ir::Program,
    interp: &Interp<'_>,
    heap: &Heap,
    id: ObjectId,
) -> Option<Construction> {
    let typed = &program.typed;
    let object = heap.objects.get(id.0 as usize)?;
    let (
        Type::Named {
            decl,
            args: type_args,
            ..
        },
        Contents::Fields(wanted),
    ) = (&object.ty, &object.contents)
    else {
        return None;
    };
    if !matches!(typed[*decl].kind, TypeDeclKind::Class)
        || !object.redefined.is_empty()
        || wanted.is_empty()
    {
        return None;
    }
    // The constructor must be executable: compiled, and with a Dafny body.
    let has_body = |c: &CallableId| {
        !matches!(typed[*c].body, Body::None) && !typed[*c].ghost && !typed.is_linked(*c)
    };
    let ctors = typed[*decl]
        .callables
        .iter()
        .copied()
        .filter(|&c| typed[c].kind == CallableKind::Constructor)
        .filter(has_body);
    // The object before its construction has no fields.
    let mut blank = heap.clone();
    *blank.objects.get_mut(id.0 as usize)? =
        Object::new(object.ty.clone(), Contents::Fields(SortedMap::new()));
    for ctor in ctors.filter(|&c| typed[c].type_params.is_empty()) {
        let substitution = typed.substitution(*decl, type_args);
        let mut candidates = Vec::new();
        // Per parameter, the values of the fields that have its type, and its default value. A
        // value that leads to the object itself cannot exist before the object.
        for formal in &typed[ctor].ins {
            let ty = typed[formal.local].ty.subst(&substitution);
            let mut values: Vec<Value> = Vec::new();
            for value in wanted.values().cloned().chain(interp.default_value(&ty)) {
                let fits = !values.contains(&value)
                    && !reaches(heap, &value, id)
                    && interp.value_has_type(&value, &ty, heap).is_true();
                if fits && values.len() < MAX_VALUES {
                    values.push(value);
                }
            }
            candidates.push(values);
        }
        for args in choices(&candidates).take(MAX_CALLS) {
            let all = std::iter::once(Value::Ref(id))
                .chain(args.iter().cloned())
                .collect();
            let inputs = Inputs {
                type_args: type_args.clone(),
                args: all,
                heap: blank.clone(),
                answers: Vec::new(),
            };
            // The interpreter checks the precondition, then the resulting heap is compared.
            if !interp
                .check_inputs(ctor, &inputs)
                .requires
                .iter()
                .all(|c| c.truth.is_true())
            {
                continue;
            }
            let run = interp.run(ctor, &inputs);
            let same = matches!(run.outcome, Outcome::Returned(_))
                && run.determined
                && is_same(program, heap, &run.heap, id);
            // The constructor must have no other effects that the test would show.
            if same && run.answers.is_empty() && run.printed.is_empty() {
                return Some(Construction {
                    maker: ctor,
                    args,
                    then: Vec::new(),
                });
            }
        }
    }
    None
}

/// All combinations of one value of each list. The first list varies fastest.
fn choices(candidates: &[Vec<Value>]) -> impl Iterator<Item = Vec<Value>> {
    let total = candidates
        .iter()
        .try_fold(1usize, |n, c| n.checked_mul(c.len()))
        .unwrap_or(usize::MAX);
    // Counts in a mixed radix system: each digit selects the value of one parameter.
    (0..total).map(move |mut n| {
        let pick = |values: &Vec<Value>| {
            let value = values.get(n % values.len().max(1)).cloned();
            n /= values.len().max(1);
            value
        };
        candidates.iter().map_while(pick).collect()
    })
}

/// Whether the constructor produced the wanted heap. Constants with a declared value are not
/// compared, and neither are ghost fields that are not in the wanted object.
fn is_same(program: &ir::Program, wanted: &Heap, got: &Heap, made: ObjectId) -> bool {
    let given = |f: &FieldId| matches!(program.typed[*f].kind, FieldKind::Const(Some(_)));
    let differs = |(at, (a, b)): (usize, (&Object, &Object))| {
        if at as u32 != made.0 {
            return a != b;
        }
        match (&a.contents, &b.contents) {
            (Contents::Fields(a), Contents::Fields(b)) => a.keys().chain(b.keys()).any(|f| {
                !given(f) && (!program.typed[*f].ghost || a.contains_key(f)) && a.get(f) != b.get(f)
            }),
            (Contents::Elements(_) | Contents::Fields(_), _) => true,
        }
    };
    wanted.objects.len() == got.objects.len()
        && !wanted
            .objects
            .iter()
            .zip(&got.objects)
            .enumerate()
            .any(differs)
}

/// Whether an object is reachable from a value.
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
            Some(Contents::Elements(elements)) => work.extend(elements.iter().flatten()),
            None => {}
        }
    }
    false
}
