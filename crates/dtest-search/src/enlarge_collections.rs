//! Enlargement of collections: those with few elements get distinct ones, wherever inputs hold
//! them: in arguments, fields that the unit reads, arrays, datatypes, and other collections.
//!
//! Most mutants survive on empty collections, because all empty collections are equal. [`grown`] is
//! the entry point.

use std::sync::Arc;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::constants::Constants;
use super::seeds::Maker;
use super::shrink::drop_garbage;
use super::validate::Validator;
use dafny_resolve::typed::{Substitution, Type};
use dtest_interp::{Inputs, Interp};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Elements, Heap, Value};

/// Minimum number of elements after enlargement.
const MIN_ELEMENTS: usize = 3;
/// Maximum nesting of the new elements.
const DEPTH: u32 = 2;
/// Nesting of values that are searched for collections.
const MAX_NESTING: u32 = 3;
/// Number of values of a type that are used last: the first ones are trivial and neutral for most
/// operations.
const TRIVIAL_VALUES: usize = 3;

/// The places of inputs whose collections are enlarged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places {
    /// Every place.
    All,
    /// Only the place with this number.
    One(usize),
}

/// Inputs with enlarged collections.
pub(super) struct Grown {
    /// The inputs without other changes.
    pub(super) plain: Inputs,
    /// The inputs with integer arguments and fields adjusted: those that were the length of an
    /// enlarged sequence or array are its length again. `None` if there are none.
    pub(super) followed: Option<Inputs>,
    /// Number of places whose collections can be enlarged: arguments, fields and arrays.
    pub(super) places: usize,
}

/// Enlarges the collections of inputs at the given places.
pub(super) fn grown(validator: &Validator<'_>, inputs: &Inputs, places: Places) -> Grown {
    let (interp, procedure) = (validator.interp(), validator.procedure());
    let typed = &interp.program().typed;
    let subst: Substitution = procedure
        .type_params
        .iter()
        .copied()
        .zip(inputs.type_args.iter().cloned())
        .collect();
    let constants = Constants::default();
    // New elements are created in the heap of the inputs.
    let mut grower = Grower {
        interp,
        constants: &constants,
        known: FxHashMap::default(),
        heap: inputs.heap.clone(),
        places,
        count: 0,
        lengths: SortedSet::new(),
    };
    let mut out = inputs.clone();
    // Every argument is a place.
    for (param, arg) in procedure.params.iter().zip(&mut out.args) {
        let Some(info) = procedure.vars.get(param.0 as usize) else {
            continue;
        };
        grower.place(arg, &info.ty.subst(&subst));
    }
    for (i, object) in inputs.heap.objects.iter().enumerate() {
        let mut object = object.clone();
        match (&mut object.contents, &object.ty) {
            (Contents::Fields(fields), ty) => {
                // Fields that the unit does not read do not matter.
                for (field, value) in fields.iter_mut().filter(|(f, _)| validator.reads(**f)) {
                    grower.place(value, &typed.field_type(ty, *field));
                }
            }
            (Contents::Elements(elements), Type::Array { elem, .. }) => {
                // Arrays with unassigned elements are left alone.
                if let [_] = elements.dims()
                    && let Some(known) = elements.iter().cloned().collect::<Option<Vec<Value>>>()
                {
                    let mut all = Value::seq(known);
                    grower.place(&mut all, &Type::Seq(elem.clone()));
                    if let Value::Seq(all) = &all {
                        *elements = Elements::row(all.iter().cloned().map(Some).collect());
                    }
                }
            }
            (Contents::Elements(_), _) => {}
        }
        if let Some(slot) = grower.heap.objects.get_mut(i) {
            *slot = object;
        }
    }
    out.heap = grower.heap;
    // Elements that were created but not used are removed.
    let plain = drop_garbage(out);
    Grown {
        followed: followed(&plain, &grower.lengths),
        plain,
        places: grower.count,
    }
}

/// The inputs with each integer argument or field that is one of the old `lengths` replaced by the
/// new length. `None` if there is none.
fn followed(inputs: &Inputs, lengths: &SortedSet<usize>) -> Option<Inputs> {
    let mut out = inputs.clone();
    // Only lengths that occurred at enlarged places are adjusted.
    let follow = |v: &mut Value| {
        if let Value::Int(n) = v
            && n.to_usize().is_some_and(|n| n > 0 && lengths.contains(&n))
        {
            *v = Value::int(MIN_ELEMENTS);
        }
    };
    out.args.iter_mut().for_each(follow);
    for object in &mut out.heap.objects {
        if let Contents::Fields(fields) = &mut object.contents {
            fields.values_mut().for_each(follow);
        }
    }
    (out != *inputs).then_some(out)
}

struct Grower<'a, 'p> {
    interp: &'a Interp<'p>,
    constants: &'a Constants,
    /// New elements by type.
    known: FxHashMap<Type, Arc<[Value]>>,
    heap: Heap,
    places: Places,
    /// Number of places found so far.
    count: usize,
    /// Old lengths of sequences and arrays at enlarged places.
    lengths: SortedSet<usize>,
}

impl Grower<'_, '_> {
    /// Enlarges the collections at one place if it is among the selected places.
    fn place(&mut self, value: &mut Value, ty: &Type) {
        let Some(grown) = self.grown(value, ty, MAX_NESTING) else {
            return;
        };
        let is_asked = match self.places {
            Places::All => true,
            Places::One(at) => at == self.count,
        };
        self.count += 1;
        if is_asked {
            if let Value::Seq(xs) = &value {
                self.lengths.insert(xs.len());
            }
            *value = grown;
        }
    }

    /// The value with more elements. `None` if it has enough, or cannot have any.
    fn grown(&mut self, value: &Value, ty: &Type, nesting: u32) -> Option<Value> {
        let typed = &self.interp.program().typed;
        let nesting = nesting.checked_sub(1)?;
        match (value, typed.representation(ty)) {
            (Value::Seq(xs), Type::Seq(elem)) => {
                // Existing elements are enlarged first, then new ones are appended.
                let inner = self.all_grown(xs.iter().map(|x| (x, &*elem)), nesting);
                let missing = MIN_ELEMENTS.saturating_sub(xs.len());
                let more = self.elements(&elem, missing, |_| false);
                let all = inner
                    .clone()
                    .unwrap_or_else(|| xs.to_vec())
                    .into_iter()
                    .chain(more.iter().cloned().cycle().take(missing));
                (inner.is_some() || !more.is_empty()).then(|| Value::seq(all.collect::<Vec<_>>()))
            }
            (Value::Set(xs), Type::Set { elem, .. }) => {
                // Sets and multisets grow by elements that they do not have yet.
                let more = self.elements(&elem, MIN_ELEMENTS.saturating_sub(xs.len()), |x| {
                    xs.contains(x)
                });
                (!more.is_empty()).then(|| Value::set(xs.iter().cloned().chain(more)))
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let more = self.elements(&elem, MIN_ELEMENTS.saturating_sub(counts.len()), |x| {
                    counts.contains_key(x)
                });
                let mut counts = (!more.is_empty()).then(|| (**counts).clone())?;
                counts.extend(more.into_iter().map(|x| (x, 1u32.into())));
                Some(Value::Multiset(Arc::new(counts)))
            }
            (Value::Map(pairs), Type::Map { key, value, .. }) => {
                // Values of existing keys are enlarged, and new keys are added.
                let inner = self.all_grown(pairs.values().map(|v| (v, &*value)), nesting);
                let keys = self.elements(&key, MIN_ELEMENTS.saturating_sub(pairs.len()), |k| {
                    pairs.contains_key(k)
                });
                let values = self.elements(&value, keys.len(), |_| false);
                let more: Vec<(Value, Value)> = match values.is_empty() {
                    true => Vec::new(),
                    false => keys
                        .into_iter()
                        .zip(values.iter().cycle().cloned())
                        .collect(),
                };
                let values = inner.as_deref();
                let old = pairs.iter().enumerate().map(|(i, (k, v))| {
                    (
                        k.clone(),
                        values.and_then(|vs| vs.get(i)).unwrap_or(v).clone(),
                    )
                });
                (inner.is_some() || !more.is_empty()).then(|| Value::map(old.chain(more)))
            }
            (Value::Tuple(xs), Type::Tuple(types)) => self
                .all_grown(xs.iter().zip(types.iter().map(|(_, ty)| ty)), nesting)
                .map(Value::tuple),
            (Value::Datatype(d), Type::Named { decl, args, .. }) => {
                // The arguments of a constructor are enlarged; the constructor stays.
                let subst = typed.substitution(decl, &args);
                let types: Vec<Type> = typed[d.ctor]
                    .fields
                    .iter()
                    .map(|f| typed[*f].ty.subst(&subst))
                    .collect();
                self.all_grown(d.args.iter().zip(&types), nesting)
                    .map(|args| Value::datatype(d.ctor, args))
            }
            (Value::Newtype(n), _) => self
                .grown(&n.value, &n.ty(), nesting)
                .map(|value| n.with(value)),
            (_holds_none, _) => None,
        }
    }

    /// All values, enlarged where possible. `None` if none can be enlarged.
    fn all_grown<'v>(
        &mut self,
        values: impl Iterator<Item = (&'v Value, &'v Type)>,
        nesting: u32,
    ) -> Option<Vec<Value>> {
        let mut any = false;
        let mut all = Vec::new();
        for (value, ty) in values {
            let grown = self.grown(value, ty, nesting);
            any |= grown.is_some();
            all.push(grown.unwrap_or_else(|| value.clone()));
        }
        any.then_some(all)
    }

    /// At most `count` distinct values of a type that are not there yet.
    fn elements(
        &mut self,
        ty: &Type,
        count: usize,
        is_there: impl Fn(&Value) -> bool,
    ) -> Vec<Value> {
        if count == 0 {
            return Vec::new();
        }
        let known = match self.known.get(ty) {
            Some(known) => Arc::clone(known),
            None => {
                let mut maker = Maker::new(self.interp.program(), self.interp, self.constants);
                let mut values = maker.values(ty, DEPTH, &mut self.heap);
                if values.is_empty() {
                    values.extend(self.interp.default_value(ty));
                }
                // The trivial first values are moved to the end.
                let by = TRIVIAL_VALUES.min(values.len().saturating_sub(1));
                values.rotate_left(by);
                let known: Arc<[Value]> = values.into();
                self.known.insert(ty.clone(), Arc::clone(&known));
                known
            }
        };
        let mut seen = SortedSet::new();
        known
            .iter()
            .filter(|v| **v != Value::Null && !is_there(v) && seen.insert(*v))
            .take(count)
            .cloned()
            .collect()
    }
}
