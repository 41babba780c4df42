//! Comparison of the ends of two executions on the same inputs, in what a test can observe:
//! results, and everything reachable from them and from the inputs. New objects are compared by
//! their shape, as tests compare them, because their numbers depend on other allocations.

use std::collections::VecDeque;

use super::{Execution, Inputs, Interp, Outcome};
use dafny_resolve::typed::{CallableId, FieldId, Program};
use dtest_ir::MAX_PRINTED;
use dtest_sorted::SortedMap;
use dtest_value::{Contents, Heap, Object, ObjectId, Value};

impl Interp<'_> {
    /// Whether two executions of a unit on the same inputs may have the same end: results,
    /// reachable state, output. True if it cannot be decided (for functions, and sets of new
    /// objects).
    pub fn may_end_alike(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        a: &Execution,
        b: &Execution,
    ) -> bool {
        self.compare(unit, inputs, a, b) != Alike::No
    }

    /// Whether two executions of a unit on the same inputs certainly have the same end, so that no
    /// caller can distinguish them.
    pub(super) fn end_alike(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        a: &Execution,
        b: &Execution,
    ) -> bool {
        self.compare(unit, inputs, a, b) == Alike::Yes
    }

    fn compare(&self, unit: CallableId, inputs: &Inputs, a: &Execution, b: &Execution) -> Alike {
        let is_printed_alike = a.printed == b.printed;
        if !is_printed_alike && a.printed.chars().nth(MAX_PRINTED).is_none() {
            return Alike::No;
        }
        let (Outcome::Returned(results), Outcome::Returned(others)) = (&a.outcome, &b.outcome)
        else {
            return if a.outcome == b.outcome {
                Alike::Perhaps
            } else {
                Alike::No
            };
        };
        // Ghost results are invisible to tests.
        let procedure = self.program.procedures.get(&unit);
        let is_ghost = |i: usize| {
            procedure
                .and_then(|p| p.vars.get(p.outs.get(i)?.0 as usize))
                .is_some_and(|v| v.ghost)
        };
        let compiled = results
            .iter()
            .zip(others)
            .enumerate()
            .filter(|(i, _)| !is_ghost(*i))
            .map(|(_, pair)| pair);
        let mut ends = Ends::new(
            &self.program.typed,
            inputs.heap.objects.len(),
            (&a.heap, &b.heap),
        );
        match compiled
            .into_iter()
            .all(|(a, b)| ends.add(a.as_ref(), b.as_ref()))
            && ends.match_up()
        {
            false => Alike::No,
            true if ends.is_certain && is_printed_alike => Alike::Yes,
            true => Alike::Perhaps,
        }
    }
}

/// The comparison of two ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alike {
    Yes,
    No,
    /// It is undecided.
    Perhaps,
}

/// Two heaps with a partial bijection between their new objects.
struct Ends<'a> {
    program: &'a Program,
    /// The number of input objects, which have the same numbers in both heaps.
    known: usize,
    heaps: (&'a Heap, &'a Heap),
    partners: SortedMap<ObjectId, ObjectId>,
    /// The inverse of `partners`.
    back: SortedMap<ObjectId, ObjectId>,
    objects: VecDeque<(ObjectId, ObjectId)>,
    values: Vec<(&'a Value, &'a Value)>,
    /// Whether equality is certain so far.
    is_certain: bool,
}

impl<'a> Ends<'a> {
    fn new(program: &'a Program, known: usize, heaps: (&'a Heap, &'a Heap)) -> Self {
        let objects = (0..known as u32)
            .map(|i| (ObjectId(i), ObjectId(i)))
            .collect();
        Self {
            program,
            known,
            heaps,
            partners: SortedMap::new(),
            back: SortedMap::new(),
            objects,
            values: Vec::new(),
            is_certain: true,
        }
    }

    /// Adds two values that have to be equal; false if only one exists.
    fn add(&mut self, a: Option<&'a Value>, b: Option<&'a Value>) -> bool {
        if let (Some(a), Some(b)) = (a, b) {
            self.values.push((a, b));
        }
        a.is_some() == b.is_some()
    }

    /// Whether all added values, and everything reachable from them, may be equal.
    fn match_up(&mut self) -> bool {
        loop {
            // Values are compared first, because they may add pairs of objects.
            if let Some((a, b)) = self.values.pop() {
                if !self.value(a, b) {
                    return false;
                }
            } else if let Some((a, b)) = self.objects.pop_front() {
                let (first, second) = self.heaps;
                let object = |heap: &'a Heap, id: ObjectId| heap.objects.get(id.0 as usize);
                if !self.object(object(first, a), object(second, b)) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    fn value(&mut self, a: &'a Value, b: &'a Value) -> bool {
        match (a, b) {
            (Value::Ref(a), Value::Ref(b)) => self.partner(*a, *b),
            (Value::Seq(xs), Value::Seq(ys)) | (Value::Tuple(xs), Value::Tuple(ys)) => {
                self.values.extend(xs.iter().zip(ys.iter()));
                xs.len() == ys.len()
            }
            (Value::Datatype(x), Value::Datatype(y)) => {
                let fields = &self.program[x.ctor].fields;
                let is_ghost = |i: usize| fields.get(i).is_some_and(|f| self.program[*f].ghost);
                let args = x
                    .args
                    .iter()
                    .zip(&y.args)
                    .enumerate()
                    .filter(|(i, _)| !is_ghost(*i))
                    .map(|(_, pair)| pair);
                self.values.extend(args);
                x.ctor == y.ctor && x.args.len() == y.args.len()
            }
            (Value::Newtype(x), Value::Newtype(y)) => {
                self.values.push((&x.value, &y.value));
                x.decl == y.decl
            }
            (Value::Map(xs), Value::Map(ys)) if xs.keys().eq(ys.keys()) => {
                // Equal numbers of new objects need not denote the same objects.
                self.hold_made(a, b);
                self.values.extend(xs.values().zip(ys.values()));
                true
            }
            (Value::Map(xs), Value::Map(ys)) => self.hold_made(a, b) && xs.len() == ys.len(),
            (Value::Set(xs), Value::Set(ys)) => {
                (self.hold_made(a, b) || xs == ys) && xs.len() == ys.len()
            }
            (Value::Multiset(xs), Value::Multiset(ys)) => {
                (self.hold_made(a, b) || xs == ys) && xs.values().eq(ys.values())
            }
            (Value::Function(_), Value::Function(_)) => {
                self.is_certain = false;
                a == b || self.has_made()
            }
            (Value::Lazy(x), Value::Lazy(y)) => {
                // Two values that were not computed may be equal however they are computed.
                match (x.computed(), y.computed()) {
                    (Some(Ok(x)), Some(Ok(y))) => self.values.push((x, y)),
                    (Some(_) | None, _) => self.is_certain = false,
                }
                true
            }
            (_, _) => a == b,
        }
    }

    /// Whether two references may correspond; the objects are compared later.
    fn partner(&mut self, a: ObjectId, b: ObjectId) -> bool {
        let is_known = |id: ObjectId| (id.0 as usize) < self.known;
        // Objects that existed before must be the same; new ones correspond one to one.
        if is_known(a) || is_known(b) {
            return a == b;
        }
        match (self.partners.get(&a), self.back.get(&b)) {
            // The contents of new objects are compared later.
            (None, None) => {
                self.partners.insert(a, b);
                self.back.insert(b, a);
                self.objects.push_back((a, b));
                true
            }
            (Some(partner), _) => *partner == b,
            (None, Some(_)) => false,
        }
    }

    fn object(&mut self, a: Option<&'a Object>, b: Option<&'a Object>) -> bool {
        let (Some(a), Some(b)) = (a, b) else {
            return a.is_none() == b.is_none();
        };
        match (&a.contents, &b.contents) {
            (Contents::Fields(xs), Contents::Fields(ys)) => {
                let program = self.program;
                // Ghost fields are invisible.
                let compiled = |f: &(&FieldId, &'a Value)| !program[*f.0].ghost;
                let (xs, ys) = (xs.iter().filter(compiled), ys.iter().filter(compiled));
                a.ty == b.ty && xs.clone().map(|(f, _)| f).eq(ys.clone().map(|(f, _)| f)) && {
                    self.values
                        .extend(xs.zip(ys).map(|((_, a), (_, b))| (a, b)));
                    true
                }
            }
            (Contents::Elements(elements), Contents::Elements(others)) => {
                let mut pairs = elements.iter().zip(others.iter());
                a.ty == b.ty
                    && elements.dims() == others.dims()
                    && pairs.all(|(a, b)| self.add(a.as_ref(), b.as_ref()))
            }
            (Contents::Fields(_), Contents::Elements(_))
            | (Contents::Elements(_), Contents::Fields(_)) => false,
        }
    }

    /// Whether either execution allocated objects.
    fn has_made(&self) -> bool {
        self.heaps.0.objects.len().max(self.heaps.1.objects.len()) > self.known
    }

    /// Whether both collections contain new objects, whose correspondence is then undecided.
    fn hold_made(&mut self, a: &Value, b: &Value) -> bool {
        let known = self.known;
        let is_made = |v: &Value| matches!(v, Value::Ref(ObjectId(id)) if *id as usize >= known);
        let hold = self.has_made() && a.within().any(is_made) && b.within().any(is_made);
        self.is_certain &= !hold;
        hold
    }
}
