//! Removal of aliasing and cycles that a test does not need, each step validated by the
//! interpreter.
//!
//! The solver prefers few objects: two parameters refer to one object, or the end of a list is its
//! beginning. Here, a reference to an object that an earlier reference already leads to is replaced
//! by null or by a copy of the object, with copies of everything behind it. Sharing stays if the
//! precondition or the path requires it. [`separate`] is the entry point; `Heaps` walks and
//! rewrites the references.

use super::shrink::{drop_garbage, is_as_good};
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::{Program, Type};
use dtest_interp::Inputs;
use dtest_ir::{self as ir, GoalId};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, ObjectId, Value};

/// Maximum number of executions per test.
const MAX_CANDIDATES: u32 = 60;
/// Maximum number of objects of a heap with copies.
const MAX_OBJECTS: usize = 40;
/// Depths at which a copied structure is cut off: beyond so many objects in a row, nullable
/// references become null.
const DEPTHS: [u32; 7] = [0, 1, 2, 3, 4, 6, 8];

/// The candidate with the least sharing that was found and that still covers `keep`.
pub(super) fn separate(
    validator: &mut Validator<'_>,
    mut best: Candidate,
    keep: &SortedSet<GoalId>,
) -> Candidate {
    let (program, procedure) = (validator.interp().program(), validator.procedure());
    let (findings, blocked) = (validator.findings.len(), validator.blocked.clone());
    let mut left = MAX_CANDIDATES;
    let mut edge = 0;
    while left > 0 {
        // The edges are numbered anew after each success, because the inputs have changed.
        let shared = Heaps::new(&program.typed, procedure, &best.inputs).shared();
        let Some(at) = shared.into_iter().find(|e| *e >= edge) else {
            break;
        };
        let mut better = None;
        for inputs in replacements(&program.typed, procedure, &best.inputs, at) {
            if left == 0 {
                break;
            }
            left -= 1;
            let candidate = validator
                .validate(drop_garbage(inputs))
                .filter(|t| is_as_good(t, &best, keep));
            if candidate.is_some() {
                better = candidate;
                break;
            }
        }
        match better {
            // Replacing an edge renumbers the later ones, so that the shared edges are computed
            // again.
            Some(candidate) => best = candidate,
            None => edge = at + 1,
        }
    }
    validator.findings.truncate(findings);
    validator.blocked = blocked;
    best
}

/// The inputs with one edge replaced: by null, or by a copy of the object.
fn replacements(
    program: &Program,
    procedure: &ir::Procedure,
    inputs: &Inputs,
    edge: usize,
) -> Vec<Inputs> {
    let mut out: Vec<Inputs> = Vec::new();
    let mut add = |inputs: Inputs| {
        if !out.contains(&inputs) {
            out.push(inputs);
        }
    };
    // Null first: it removes the sharing and the structure behind it.
    let mut heaps = Heaps::new(program, procedure, inputs);
    if heaps.replace(edge, None) {
        add(heaps.inputs);
    }
    // Small copies first. Deep copies are tried because invariants may require a whole structure.
    for depth in DEPTHS {
        // An object that is a member of a set, such as a representation set, often needs its copy
        // to be a member, too.
        for members in [true, false] {
            let mut heaps = Heaps::new(program, procedure, inputs);
            if heaps.replace(edge, Some(depth)) {
                if members {
                    heaps.join_sets();
                }
                add(heaps.inputs);
            }
        }
    }
    out
}

/// Inputs whose references are walked in a fixed order: those of the arguments, then those of each
/// object in the order of discovery. References in sets, keys of maps and functions are not edges:
/// they describe which objects belong together.
struct Heaps<'a> {
    program: &'a Program,
    types: Vec<Type>,
    inputs: Inputs,
    /// Pairs of an original and its copy.
    copies: Vec<(ObjectId, ObjectId)>,
}

/// A rewriting of a value of a type: the new value, and the references in it.
type Visit<'v, 'a> = dyn FnMut(&mut Heaps<'a>, &Value, &Type) -> (Value, Vec<ObjectId>) + 'v;

impl<'a> Heaps<'a> {
    fn new(program: &'a Program, procedure: &ir::Procedure, inputs: &Inputs) -> Self {
        let map = procedure
            .type_params
            .iter()
            .copied()
            .zip(inputs.type_args.iter().cloned())
            .collect();
        let ty = |v: &ir::Var| {
            procedure
                .vars
                .get(v.0 as usize)
                .map_or(Type::Error, |i| i.ty.subst(&map))
        };
        Self {
            program,
            types: procedure.params.iter().map(ty).collect(),
            inputs: inputs.clone(),
            copies: Vec::new(),
        }
    }

    /// The edges to objects that an earlier edge leads to.
    fn shared(mut self) -> Vec<usize> {
        let mut seen = SortedSet::new();
        let mut shared = Vec::new();
        let mut n = 0;
        self.walk(&mut |_, id, _| {
            if !seen.insert(id) {
                shared.push(n);
            }
            n += 1;
            None
        });
        shared
    }

    /// Replaces the target of an edge: by null if the type allows it, or by a copy with a given
    /// depth. Returns false if that is impossible.
    fn replace(&mut self, edge: usize, depth: Option<u32>) -> bool {
        // The edge is found by counting, in the same order as in [`Self::shared`].
        let (mut n, mut done) = (0, false);
        self.walk(&mut |heaps, id, nullable| {
            n += 1;
            if n != edge + 1 {
                return None;
            }
            let value = match depth {
                None => nullable.then_some(Value::Null)?,
                Some(depth) => heaps.copy(id, depth)?,
            };
            done = true;
            Some(value)
        });
        done
    }

    /// Calls `each` for every edge, with whether the reference is nullable. Its result replaces the
    /// reference.
    fn walk(&mut self, each: &mut dyn FnMut(&mut Self, ObjectId, bool) -> Option<Value>) {
        let mut order: Vec<ObjectId> = Vec::new();
        // Collects the references that a value leads to after its rewriting.
        let mut visit = |heaps: &mut Self, value: &Value, ty: &Type| {
            let mut met = Vec::new();
            let new = heaps.map(value, ty, &mut |heaps, id, nullable| {
                let value = each(heaps, id, nullable).unwrap_or(Value::Ref(id));
                met.extend(if let Value::Ref(id) = value {
                    Some(id)
                } else {
                    None
                });
                value
            });
            (new, met)
        };
        for i in 0..self.inputs.args.len() {
            let (Some(arg), Some(ty)) =
                (self.inputs.args.get(i).cloned(), self.types.get(i).cloned())
            else {
                continue;
            };
            let (new, met) = visit(self, &arg, &ty);
            if let Some(slot) = self.inputs.args.get_mut(i) {
                *slot = new;
            }
            order.extend(met);
        }
        // Breadth-first: objects are visited in the order in which references to them were met.
        let (mut at, mut done) = (0, SortedSet::new());
        while let Some(id) = order.get(at).copied() {
            at += 1;
            if !done.insert(id) {
                continue;
            }
            let met = self.rewrite(id, &mut visit);
            order.extend(met);
        }
    }

    /// Rewrites everything that an object holds with `visit`. Returns the references met.
    fn rewrite(&mut self, id: ObjectId, visit: &mut Visit<'_, 'a>) -> Vec<ObjectId> {
        let Some(mut object) = self.inputs.heap.objects.get(id.0 as usize).cloned() else {
            return Vec::new();
        };
        let mut all = Vec::new();
        match &mut object.contents {
            Contents::Fields(fields) => {
                for (field, value) in fields {
                    let ty = self.program.field_type(&object.ty, *field);
                    let (new, met) = visit(self, value, &ty);
                    *value = new;
                    all.extend(met);
                }
            }
            // Elements of an array all have the element type.
            Contents::Elements(elements) => {
                let ty = if let Type::Array { elem, .. } = &object.ty {
                    (**elem).clone()
                } else {
                    Type::Error
                };
                for value in elements.iter_mut().flatten() {
                    let (new, met) = visit(self, value, &ty);
                    *value = new;
                    all.extend(met);
                }
            }
        }
        if let Some(slot) = self.inputs.heap.objects.get_mut(id.0 as usize) {
            *slot = object;
        }
        all
    }

    /// A value with its references rewritten.
    fn map(
        &mut self,
        value: &Value,
        ty: &Type,
        each: &mut dyn FnMut(&mut Self, ObjectId, bool) -> Value,
    ) -> Value {
        // Only positions that may hold references are visited.
        let ty = self.program.representation(ty);
        match (value, &ty) {
            (Value::Ref(id), ty) => {
                let nullable = matches!(
                    ty,
                    Type::Named { nullable: true, .. }
                        | Type::Array { nullable: true, .. }
                        | Type::Object { nullable: true }
                );
                each(self, *id, nullable)
            }
            (Value::Seq(xs), Type::Seq(elem)) => Value::seq(
                xs.iter()
                    .map(|x| self.map(x, elem, each))
                    .collect::<Vec<_>>(),
            ),
            (Value::Tuple(xs), Type::Tuple(kinds)) => Value::tuple(
                xs.iter()
                    .zip(kinds)
                    .map(|(x, (_, ty))| self.map(x, ty, each))
                    .collect::<Vec<_>>(),
            ),
            (Value::Map(pairs), Type::Map { value: ty, .. }) => Value::map(
                pairs
                    .iter()
                    .map(|(k, v)| (k.clone(), self.map(v, ty, each)))
                    .collect::<Vec<_>>(),
            ),
            (Value::Datatype(d), Type::Named { decl, args, .. }) => {
                let substitution = self.program.substitution(*decl, args);
                let fields = self.program[d.ctor].fields.clone();
                let arg = |(x, f): (&Value, &dafny_resolve::typed::FieldId)| {
                    let ty = self.program[*f].ty.subst(&substitution);
                    self.map(x, &ty, each)
                };
                Value::datatype(d.ctor, d.args.iter().zip(&fields).map(arg).collect())
            }
            (Value::Newtype(n), _) => n.with(self.map(&n.value, &n.ty(), each)),
            (other, _) => other.clone(),
        }
    }

    /// Copies an object and everything behind it. `None` if the heap would become too large.
    fn copy(&mut self, id: ObjectId, depth: u32) -> Option<Value> {
        // The copy gets the contents of the original, then its references are redirected to copies
        // of their targets.
        let original = self.inputs.heap.objects.get(id.0 as usize)?.clone();
        let objects = &mut self.inputs.heap.objects;
        if objects.len() >= MAX_OBJECTS {
            return None;
        }
        let copy = ObjectId(objects.len() as u32);
        objects.push(original);
        self.copies.push((id, copy));
        // References deeper than `depth` become null if they may; others are copied regardless of
        // the depth.
        let mut complete = true;
        self.rewrite(copy, &mut |heaps, value, ty| {
            let new = heaps.map(value, ty, &mut |heaps, id, nullable| {
                if depth == 0 && nullable {
                    return Value::Null;
                }
                let below = heaps.copy(id, depth.saturating_sub(1));
                complete &= below.is_some();
                below.unwrap_or(Value::Ref(id))
            });
            (new, Vec::new())
        });
        complete.then_some(Value::Ref(copy))
    }

    /// Adds the copies to the sets that their originals are members of.
    fn join_sets(&mut self) {
        let copies = std::mem::take(&mut self.copies);
        // Only sets in arguments and fields are extended. Deeper ones are not representation sets.
        let join = |v: &Value| {
            if let Value::Set(xs) = v {
                let new = copies
                    .iter()
                    .filter(|(original, _)| xs.contains(&Value::Ref(*original)))
                    .map(|(_, copy)| Value::Ref(*copy));
                Value::set(xs.iter().cloned().chain(new))
            } else {
                v.clone()
            }
        };
        for arg in &mut self.inputs.args {
            *arg = join(arg);
        }
        for object in &mut self.inputs.heap.objects {
            if let Contents::Fields(fields) = &mut object.contents {
                fields.values_mut().for_each(|v| *v = join(v));
            }
        }
    }
}
