//! Values that the user named for types with `[inputs]` ([`ir::Maker`]). Makers are executed, and
//! their values are preferred to all others.
//!
//! [`all`] runs the makers of a type, [`values`] adds their results to a heap, and [`Given`] counts
//! how many values of some inputs are such values or objects in reachable states.

use super::constants::{Constants, Reach};
use super::seeds::{Maker, blank};
use super::shrink::drop_garbage;
use super::states::{self, Reached};
use dafny_resolve::typed::{CallableKind, Program, Substitution, Type};
use dtest_interp::{Execution, Inputs, Interp, Outcome};
use dtest_ir::{self as ir, Procedure};
use dtest_value::{Construction, Contents, Heap, ObjectId, Value, rows};

/// Maximum nesting of makers whose results are arguments of each other.
pub(super) const MAX_NESTING: u32 = 2;
/// Maximum number of argument lists per maker.
const MAX_CHOICES: usize = 24;
/// Maximum number of values per maker.
const MAX_MADE: usize = 8;
/// Maximum number of values of inputs that are counted.
const MAX_LOOKED_AT: usize = 2_000;
/// Maximum nesting of arguments.
const DEPTH: u32 = 2;

/// The value that a maker returns for some arguments, with the heap that it refers to.
///
/// # Errors
/// The execution, if it does not return a value.
pub fn made(
    interp: &Interp<'_>,
    maker: &ir::Maker,
    args: Vec<Value>,
    mut heap: Heap,
) -> Result<(Value, Heap), Box<Execution>> {
    let is_constructor = interp.program().typed[maker.callable].kind == CallableKind::Constructor;
    // A constructor initializes a new object, which is then its result.
    let blank = is_constructor.then(|| blank(&maker.ty, &mut heap));
    let args = blank.iter().cloned().chain(args).collect();
    let inputs = Inputs {
        type_args: maker.type_args.clone(),
        args,
        heap,
        answers: Vec::new(),
    };
    let execution = interp.run(maker.callable, &inputs);
    let Outcome::Returned(results) = &execution.outcome else {
        return Err(Box::new(execution));
    };
    match blank.or_else(|| results.iter().flatten().next().cloned()) {
        Some(value) => Ok((value, execution.heap)),
        None => Err(Box::new(execution)),
    }
}

/// The values that the makers of a type return, added to a heap. `makers` limits the nesting of
/// makers.
pub(super) fn values(
    program: &ir::Program,
    interp: &Interp<'_>,
    ty: &Type,
    makers: u32,
    heap: &mut Heap,
) -> Vec<Value> {
    if program.makers.is_empty() {
        return Vec::new();
    }
    all(program, interp, &named(ty), makers)
        .iter()
        .filter_map(|made| states::put(&made.alone, heap))
        .collect()
}

/// The type for which makers are declared: the non-null variant of a nullable type.
pub(super) fn named(ty: &Type) -> Type {
    if let Type::Named { decl, args, .. } = ty {
        Type::Named {
            decl: *decl,
            args: args.clone(),
            nullable: false,
        }
    } else if let Type::Array { dims, elem, .. } = ty {
        Type::Array {
            dims: *dims,
            nullable: false,
            elem: elem.clone(),
        }
    } else if matches!(ty, Type::Object { .. }) {
        Type::Object { nullable: false }
    } else {
        ty.clone()
    }
}

/// The values that the makers of a type return, without duplicates.
pub(super) fn all(
    program: &ir::Program,
    interp: &Interp<'_>,
    ty: &Type,
    makers: u32,
) -> Vec<Reached> {
    // Every level of nesting uses up one maker.
    let Some(inner) = makers.checked_sub(1) else {
        return Vec::new();
    };
    let mut all: Vec<Reached> = Vec::new();
    for maker in program.makers.iter().filter(|m| m.ty == *ty) {
        let mut count = 0;
        for (args, heap) in arguments(program, interp, maker, inner) {
            let Ok((value, heap)) = made(interp, maker, args.clone(), heap) else {
                continue;
            };
            // At most `MAX_MADE` values per maker, so that none crowds out the others.
            if count == MAX_MADE {
                break;
            }
            let alone = alone(&value, &heap);
            // Equal values of different arguments count once.
            if !all.iter().any(|made| made.alone == alone) {
                all.push(Reached {
                    alone,
                    by: Construction {
                        maker: maker.callable,
                        args,
                        then: Vec::new(),
                    },
                });
                count += 1;
            }
        }
    }
    all
}

/// Argument lists that satisfy the precondition of a maker.
fn arguments(
    program: &ir::Program,
    interp: &Interp<'_>,
    maker: &ir::Maker,
    makers: u32,
) -> Vec<(Vec<Value>, Heap)> {
    let Some(procedure) = program.procedures.get(&maker.callable) else {
        return Vec::new();
    };
    let is_constructor = program.typed[maker.callable].kind == CallableKind::Constructor;
    // Type arguments are those of the declaration in the configuration.
    let subst: Substitution = procedure
        .type_params
        .iter()
        .copied()
        .zip(maker.type_args.iter().cloned())
        .collect();
    let constants = Constants::of(program, procedure, Reach::NEAR);
    // Arguments may be made by other makers, one level deeper.
    let mut values = Maker::within(makers, program, interp, &constants);
    let mut heap = Heap::default();
    let mut columns = Vec::new();
    for param in procedure.params.iter().skip(usize::from(is_constructor)) {
        let Some(info) = procedure.vars.get(param.0 as usize) else {
            return Vec::new();
        };
        columns.push(values.values(&info.ty.subst(&subst), DEPTH, &mut heap));
    }
    if columns.is_empty() {
        return vec![(Vec::new(), heap)];
    }
    // Preconditions are checked with the receiver that the constructor will get.
    let is_admissible = |args: &Vec<Value>| {
        let mut heap = heap.clone();
        let receiver = is_constructor.then(|| blank(&maker.ty, &mut heap));
        let args = receiver.into_iter().chain(args.iter().cloned()).collect();
        let inputs = Inputs {
            type_args: maker.type_args.clone(),
            args,
            heap,
            answers: Vec::new(),
        };
        interp
            .check_inputs(maker.callable, &inputs)
            .verdict()
            .is_true()
    };
    let chosen = rows(&columns)
        .into_iter()
        .take(MAX_CHOICES)
        .filter(is_admissible);
    chosen.map(|args| (args, heap.clone())).collect()
}

/// A value as the only argument of inputs whose heap holds nothing else. Two such inputs are equal
/// if and only if the values are.
pub(super) fn alone(value: &Value, heap: &Heap) -> Inputs {
    drop_garbage(Inputs {
        type_args: Vec::new(),
        args: vec![value.clone()],
        heap: heap.clone(),
        answers: Vec::new(),
    })
}

/// Preferred values: those that the user named, and objects in states that calls lead to.
/// Candidates with more of them are better.
pub(super) struct Given {
    known: Vec<(Type, Vec<Inputs>)>,
    /// States that were found for tests.
    learned: Vec<(Inputs, Construction)>,
}

impl Given {
    /// The preferred values of all types that the user named, and of the classes of a unit's
    /// parameters.
    pub(super) fn new(
        program: &ir::Program,
        interp: &Interp<'_>,
        procedure: &Procedure,
        type_args: &[Type],
    ) -> Self {
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let is_constructor = program.typed[procedure.callable].kind == CallableKind::Constructor;
        let params = procedure.params.iter().skip(usize::from(is_constructor));
        let classes = params
            .filter_map(|p| procedure.vars.get(p.0 as usize))
            .map(|i| named(&i.ty.subst(&subst)));
        let mut types: Vec<(Type, Vec<Inputs>)> = Vec::new();
        // Types that the user named come first. The parameters' classes follow for their reachable
        // states.
        for ty in program.makers.iter().map(|m| m.ty.clone()).chain(classes) {
            if types.iter().any(|(known, _)| *known == ty) {
                continue;
            }
            let mut values = all(program, interp, &ty, MAX_NESTING);
            values.extend(states::reached(program, interp, &ty));
            if !values.is_empty() {
                types.push((ty, values.into_iter().map(|made| made.alone).collect()));
            }
        }
        Self {
            known: types,
            learned: Vec::new(),
        }
    }

    /// Adds a state of a class that calls lead to.
    pub(super) fn learn(&mut self, class: &Type, state: Reached) {
        match self.known.iter_mut().find(|(ty, _)| ty == class) {
            Some((_, states)) => states.push(state.alone.clone()),
            None => self.known.push((class.clone(), vec![state.alone.clone()])),
        }
        self.learned.push((state.alone, state.by));
    }

    /// The states that were added, with the calls that lead to them.
    pub(super) fn into_learned(self) -> Vec<(Inputs, Construction)> {
        self.learned
    }

    /// Whether an object is in a known state.
    pub(super) fn has(&self, inputs: &Inputs, id: ObjectId) -> bool {
        let ty = inputs.heap.objects.get(id.0 as usize).map(|o| &o.ty);
        ty.is_some_and(|ty| self.holds(&Value::Ref(id), ty, &inputs.heap))
    }

    /// The known values of a type.
    pub(super) fn of(&self, ty: &Type) -> Vec<Inputs> {
        let ty = named(ty);
        self.known
            .iter()
            .find(|(known, _)| *known == ty)
            .map(|(_, values)| values.clone())
            .unwrap_or_default()
    }

    /// Number of preferred values in inputs, as arguments and within other values. Parts of a
    /// preferred value are not counted.
    pub(super) fn count(&self, program: &Program, procedure: &Procedure, inputs: &Inputs) -> usize {
        if self.known.is_empty() {
            return 0;
        }
        let subst: Substitution = procedure
            .type_params
            .iter()
            .copied()
            .zip(inputs.type_args.iter().cloned())
            .collect();
        let types = procedure.params.iter().map(|p| {
            procedure
                .vars
                .get(p.0 as usize)
                .map_or(Type::Error, |i| i.ty.subst(&subst))
        });
        // The work list holds arguments and the contents of all objects, with their types.
        let mut work: Vec<(&Value, Type)> = inputs.args.iter().zip(types).collect();
        for object in &inputs.heap.objects {
            match (&object.contents, &object.ty) {
                (Contents::Fields(fields), class) => work.extend(
                    fields
                        .iter()
                        .map(|(f, v)| (v, program.field_type(class, *f))),
                ),
                (Contents::Elements(elements), Type::Array { elem, .. }) => {
                    work.extend(elements.iter().flatten().map(|v| (v, (**elem).clone())));
                }
                (Contents::Elements(_), _) => {}
            }
        }
        let (mut count, mut looked_at) = (0, 0);
        while let Some((value, ty)) = work.pop() {
            looked_at += 1;
            if looked_at > MAX_LOOKED_AT {
                break;
            }
            // A preferred value counts as a whole.
            if self.holds(value, &ty, &inputs.heap) {
                count += 1;
            } else {
                work.extend(parts(program, value, &ty));
            }
        }
        count
    }

    fn holds(&self, value: &Value, ty: &Type, heap: &Heap) -> bool {
        let ty = named(ty);
        self.known
            .iter()
            .any(|(t, known)| *t == ty && known.contains(&alone(value, heap)))
    }
}

/// The parts of a value of a type, with their types.
pub(super) fn parts<'v>(program: &Program, value: &'v Value, ty: &Type) -> Vec<(&'v Value, Type)> {
    match (value, program.representation(ty)) {
        (Value::Seq(xs), Type::Seq(elem)) => xs.iter().map(|x| (x, (*elem).clone())).collect(),
        (Value::Set(xs), Type::Set { elem, .. }) => {
            xs.iter().map(|x| (x, (*elem).clone())).collect()
        }
        (Value::Multiset(xs), Type::Multiset(elem)) => {
            xs.keys().map(|x| (x, (*elem).clone())).collect()
        }
        (Value::Map(xs), Type::Map { key, value, .. }) => xs
            .iter()
            .flat_map(|(k, v)| [(k, (*key).clone()), (v, (*value).clone())])
            .collect(),
        (Value::Tuple(xs), Type::Tuple(types)) => {
            xs.iter().zip(types.into_iter().map(|(_, t)| t)).collect()
        }
        (Value::Datatype(d), Type::Named { decl, args, .. }) => {
            let subst = program.substitution(decl, &args);
            d.args
                .iter()
                .zip(&program[d.ctor].fields)
                .map(|(v, f)| (v, program[*f].ty.subst(&subst)))
                .collect()
        }
        (Value::Newtype(n), _) => vec![(&n.value, n.ty())],
        (_has_no_parts, _) => Vec::new(),
    }
}
