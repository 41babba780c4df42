//! Comparison of a rewritten program with its seed: executes both on the same inputs and compares
//! results and heaps. Declarations are matched by name.

use std::sync::Arc;

use dafny_resolve::typed::{Arena, CallableId, CtorId, FieldId, Program, Type, TypeId};
use dafny_syntax::ast::Name;
use dtest_interp::{Execution, Inputs, Interp, Limits, Outcome, Place, Resolution};
use dtest_ir as ir;
use dtest_ir::reason::Limit;
use dtest_sorted::SortedMap;
use dtest_value::{Contents, FunctionValue, Heap, Object, ObjectId, Value};

/// Two programs whose declarations have the same names.
pub struct Twins<'p> {
    seed: &'p ir::Program,
    other: &'p ir::Program,
    types: SortedMap<TypeId, TypeId>,
    ctors: SortedMap<CtorId, CtorId>,
    fields: SortedMap<FieldId, FieldId>,
    callables: SortedMap<CallableId, CallableId>,
}

/// The result of comparing two executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The executions agree.
    Same,
    /// Undecided, for this reason: a choice, an undecided condition, or a limit.
    Open(String),
    /// The executions differ, as described.
    Different(String),
}

impl<'p> Twins<'p> {
    /// Matches the declarations of a program with those of a rewritten one.
    pub fn new(seed: &'p ir::Program, other: &'p ir::Program) -> Self {
        let (a, b) = (&*seed.typed, &*other.typed);
        Self {
            seed,
            other,
            types: pairs(a, b, |p: &Program, id: TypeId| p.type_path(id)),
            ctors: pairs(a, b, |p: &Program, id: CtorId| {
                format!("{}.{}", p.type_path(p[id].datatype), p[id].name)
            }),
            fields: pairs(a, b, field_path),
            callables: pairs(a, b, |p: &Program, id: CallableId| p.callable_path(id)),
        }
    }

    /// Returns the unit of the rewritten program that corresponds to a unit of the seed.
    pub fn unit(&self, unit: CallableId) -> Option<CallableId> {
        self.callables.get(&unit).copied()
    }

    /// Runs a unit on the same inputs in both programs.
    pub fn compare(&self, unit: CallableId, inputs: &Inputs, limits: Limits) -> Comparison {
        let before = Interp::new(self.seed, limits).run(unit, inputs);
        if let Some(why) = open(&before) {
            return Comparison::Open(why);
        }
        let Some(twin) = self.unit(unit) else {
            return Comparison::Different("the rewritten program does not have the unit".into());
        };
        let Some(inputs) = self.inputs((unit, twin), inputs) else {
            return Comparison::Open("the inputs have no counterpart".into());
        };
        // A rewritten program may take more steps.
        let limits = Limits {
            steps: limits.steps.saturating_mul(20),
            ..limits
        };
        let after = Interp::new(self.other, limits).run_resolved(twin, &inputs, &Resolution::Rule);
        self.judge(inputs.heap.objects.len(), &before, &after)
    }

    /// Compares an execution of a unit that returned with one of its counterpart that runs like
    /// compiled code, without the checks of specifications.
    pub fn compare_compiled(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        before: &Execution,
        limits: Limits,
    ) -> Comparison {
        // The program after the change has other ids: unit and inputs are translated.
        let Some(twin) = self.unit(unit) else {
            return Comparison::Different("the other program does not have the unit".into());
        };
        let Some(inputs) = self.inputs((unit, twin), inputs) else {
            return Comparison::Open("the inputs have no counterpart".into());
        };
        let interp = Interp::new(self.other, limits);
        let after = interp.run_compiled(twin, &inputs, before.steps);
        // Obligations are ghost, so a violated one says nothing about compiled behavior.
        match after.as_ref().map(|e| &e.outcome) {
            Some(Outcome::Failed(failure)) if !failure.kind.is_compiled() => {
                return Comparison::Open("the other program violates an obligation".into());
            }
            Some(Outcome::OutOfFuel(Limit::Steps | Limit::Recursion)) => {
                return Comparison::Different("does not end".into());
            }
            Some(_) | None => {}
        }
        let Some(after) = after else {
            return Comparison::Open("it is not known whether the other program ends".into());
        };
        // Functions and lazy values have no observable equality, so that "same" would claim too
        // much.
        match self.judge(inputs.heap.objects.len(), before, &after) {
            Comparison::Same if is_opaque(before) || is_opaque(&after) => {
                Comparison::Open("functions, and values that are lazy, are not compared".into())
            }
            compared => compared,
        }
    }

    fn judge(&self, inputs: usize, before: &Execution, after: &Execution) -> Comparison {
        if !after.unknown.is_empty() {
            return Comparison::Open("a condition is not decided in the rewritten program".into());
        }
        if let Some(why) = unfinished(&after.outcome) {
            return Comparison::Open(format!("the rewritten program: {why}"));
        }
        if before.printed != after.printed {
            return Comparison::Different(format!(
                "prints {:?} instead of {:?}",
                after.printed, before.printed
            ));
        }
        let mut matching = Matching {
            twins: self,
            pairs: SortedMap::new(),
            back: SortedMap::new(),
            before,
            after,
            todo: Vec::new(),
        };
        // Objects of the inputs have the same ids in both heaps.
        let same_inputs = (0..inputs as u32)
            .map(ObjectId)
            .all(|o| matching.objects(o, o));
        let same = match (&before.outcome, &after.outcome) {
            (Outcome::Returned(a), Outcome::Returned(b)) => {
                same_inputs && matching.optional(a, b) && matching.heaps()
            }
            (Outcome::Halted { message: a, .. }, Outcome::Halted { message: b, .. }) => a == b,
            // The first failure may differ: for example, the precondition of an extracted function.
            (Outcome::Failed(_), Outcome::Failed(_))
            | (Outcome::Infeasible(_), Outcome::Infeasible(_)) => true,
            (_, _) => false,
        };
        if same {
            Comparison::Same
        } else {
            Comparison::Different(format!(
                "{:?} instead of {:?}",
                after.outcome, before.outcome
            ))
        }
    }

    /// Converts the inputs of a unit to the rewritten program: its ids, and its order of
    /// parameters.
    fn inputs(&self, (unit, twin): (CallableId, CallableId), inputs: &Inputs) -> Option<Inputs> {
        if !inputs.answers.is_empty() {
            return None;
        }
        let parameters = |program: &Program, id: CallableId| -> Vec<Name> {
            program[id]
                .ins
                .iter()
                .map(|f| program[f.local].name.clone())
                .collect()
        };
        let (before, after) = (
            parameters(&self.seed.typed, unit),
            parameters(&self.other.typed, twin),
        );
        if before.len() != after.len() {
            return None;
        }
        let (receiver, values) = inputs
            .args
            .split_at(inputs.args.len().checked_sub(before.len())?);
        let mut args = self.values(receiver)?;
        for name in &after {
            let at = before.iter().position(|n| n == name)?;
            args.push(self.value(values.get(at)?)?);
        }
        Some(Inputs {
            type_args: inputs
                .type_args
                .iter()
                .map(|t| self.ty(t))
                .collect::<Option<_>>()?,
            args,
            heap: Heap {
                objects: inputs
                    .heap
                    .objects
                    .iter()
                    .map(|o| self.object(o))
                    .collect::<Option<_>>()?,
            },
            answers: Vec::new(),
        })
    }

    fn ty(&self, ty: &Type) -> Option<Type> {
        if let Type::Named {
            decl,
            args,
            nullable,
        } = ty
        {
            let args = args.iter().map(|t| self.ty(t)).collect::<Option<_>>()?;
            Some(Type::Named {
                decl: *self.types.get(decl)?,
                args,
                nullable: *nullable,
            })
        } else if matches!(ty, Type::Param(_)) {
            None
        } else {
            let mut known = true;
            let new = ty.map_parts(&mut |t| {
                let new = self.ty(t);
                known &= new.is_some();
                new.unwrap_or(Type::Error)
            });
            known.then_some(new)
        }
    }

    fn values(&self, values: &[Value]) -> Option<Vec<Value>> {
        values.iter().map(|v| self.value(v)).collect()
    }

    fn value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Null
            | Value::Ref(_) => value.clone(),
            Value::Seq(vs) => Value::seq(self.values(vs)?),
            Value::Set(vs) => Value::set(
                vs.iter()
                    .map(|v| self.value(v))
                    .collect::<Option<Vec<_>>>()?,
            ),
            Value::Multiset(vs) => {
                let counted = vs
                    .iter()
                    .map(|(v, n)| Some((self.value(v)?, n.clone())))
                    .collect::<Option<_>>()?;
                Value::Multiset(Arc::new(counted))
            }
            Value::Map(vs) => Value::map(
                vs.iter()
                    .map(|(k, v)| Some((self.value(k)?, self.value(v)?)))
                    .collect::<Option<Vec<_>>>()?,
            ),
            Value::Tuple(vs) => Value::tuple(self.values(vs)?),
            Value::Datatype(d) => Value::datatype(*self.ctors.get(&d.ctor)?, self.values(&d.args)?),
            Value::Newtype(n) => {
                let args = n.args.iter().map(|t| self.ty(t)).collect::<Option<_>>()?;
                Value::newtype(*self.types.get(&n.decl)?, args, self.value(&n.value)?)
            }
            Value::Function(f) => Value::Function(Arc::new(self.function(f)?)),
            Value::Lazy(_) => return None,
        })
    }

    fn function(&self, f: &FunctionValue) -> Option<FunctionValue> {
        match f {
            FunctionValue::Table { entries, default } => {
                let entries = entries
                    .iter()
                    .map(|(args, v)| Some((self.values(args)?, self.value(v)?)))
                    .collect::<Option<_>>()?;
                Some(FunctionValue::Table {
                    entries,
                    default: self.value(default)?,
                })
            }
            FunctionValue::Template(t) => Some(FunctionValue::Template(*t)),
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => Some(FunctionValue::Partial {
                function: Box::new(self.function(function)?),
                elsewhere: *elsewhere,
                exceptions: exceptions
                    .iter()
                    .map(|args| self.values(args))
                    .collect::<Option<_>>()?,
            }),
            FunctionValue::Closure { .. } | FunctionValue::Named { .. } => None,
        }
    }

    fn object(&self, object: &Object) -> Option<Object> {
        if !object.redefined.is_empty() {
            return None;
        }
        let contents = match &object.contents {
            Contents::Fields(fields) => Contents::Fields(
                fields
                    .iter()
                    .map(|(f, v)| Some((*self.fields.get(f)?, self.value(v)?)))
                    .collect::<Option<_>>()?,
            ),
            Contents::Elements(elements) => {
                let element =
                    |e: &Option<Value>| e.as_ref().map_or(Some(None), |v| self.value(v).map(Some));
                Contents::Elements(elements.try_map(element)?)
            }
        };
        Some(Object::new(self.ty(&object.ty)?, contents))
    }
}

/// Whether results or objects contain functions or lazy values.
fn is_opaque(execution: &Execution) -> bool {
    let results = match &execution.outcome {
        Outcome::Returned(results) => results.as_slice(),
        Outcome::Halted { .. }
        | Outcome::Failed(_)
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => &[],
    };
    let mut values = results.iter().flatten().chain(execution.heap.contents());
    values.any(|v| {
        v.within()
            .any(|v| matches!(v, Value::Function(_) | Value::Lazy(_)))
    })
}

fn field_path(program: &Program, id: FieldId) -> String {
    let field = &program[id];
    match field.owner {
        Some(owner) => format!("{}.{}", program.type_path(owner), field.name),
        None => {
            let mut path = program.module_path(field.module);
            path.push(field.name.clone());
            path.join(".")
        }
    }
}

/// Pairs declarations with equal paths; if several have the same path, the first. If no path is
/// equal, a unique path with the same end is taken, because a declaration may have moved into a
/// module.
fn pairs<Id: Copy + Ord>(
    a: &Program,
    b: &Program,
    path: impl Fn(&Program, Id) -> String,
) -> SortedMap<Id, Id>
where
    Program: Arena<Id>,
{
    // Paths are compared first as a whole, then without the outermost module, if that is unique.
    let mut there: SortedMap<String, Id> = SortedMap::new();
    let mut inner: SortedMap<String, Option<Id>> = SortedMap::new();
    for id in Arena::<Id>::ids(b) {
        let path = path(b, id);
        if let Some((_, rest)) = path.split_once('.') {
            inner
                .entry(rest.to_owned())
                .and_modify(|known| *known = None)
                .or_insert(Some(id));
        }
        there.entry(path).or_insert(id);
    }
    let twin = |path: &String| {
        there
            .get(path)
            .copied()
            .or_else(|| inner.get(path).copied().flatten())
    };
    Arena::<Id>::ids(a)
        .into_iter()
        .filter_map(|id| Some((id, twin(&path(a, id))?)))
        .collect()
}

/// Returns the reason why the results of an execution cannot be compared, if there is one.
fn open(execution: &Execution) -> Option<String> {
    if !execution.deterministic || execution.guessed {
        return Some("it depends on a nondeterministic choice".into());
    }
    if !execution.unknown.is_empty() {
        return Some("a condition is not decided".into());
    }
    unfinished(&execution.outcome)
}

fn unfinished(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::OutOfFuel(limit) => Some(limit.to_string()),
        Outcome::Unsupported(why) => Some(why.to_string()),
        Outcome::Returned(_)
        | Outcome::Halted { .. }
        | Outcome::Failed(_)
        | Outcome::Infeasible(_) => None,
    }
}

/// A matching of the objects of two heaps.
struct Matching<'a, 'p> {
    twins: &'a Twins<'p>,
    pairs: SortedMap<ObjectId, ObjectId>,
    back: SortedMap<ObjectId, ObjectId>,
    before: &'a Execution,
    after: &'a Execution,
    todo: Vec<(ObjectId, ObjectId)>,
}

impl Matching<'_, '_> {
    /// Whether all matched objects have equal contents.
    fn heaps(&mut self) -> bool {
        // Pairs of corresponding objects, which comparing values adds to.
        while let Some((a, b)) = self.todo.pop() {
            let (Some(old), Some(new)) = (
                self.before.heap.objects.get(a.0 as usize),
                self.after.heap.objects.get(b.0 as usize),
            ) else {
                return false;
            };
            let same = match (&old.contents, &new.contents) {
                (Contents::Fields(x), Contents::Fields(y)) => x.iter().all(|(f, v)| {
                    let Some(twin) = self.twins.fields.get(f) else {
                        return false;
                    };
                    // A field with unknown contents says nothing.
                    let unknown = self
                        .before
                        .unknown_contents
                        .contains(&(a, Place::Field(*f)))
                        || self
                            .after
                            .unknown_contents
                            .contains(&(b, Place::Field(*twin)));
                    unknown || y.get(twin).is_some_and(|w| self.value(v, w))
                }),
                (Contents::Elements(xs), Contents::Elements(ys)) => {
                    xs.dims() == ys.dims() && self.optional(xs, ys)
                }
                (Contents::Fields(_), Contents::Elements(_))
                | (Contents::Elements(_), Contents::Fields(_)) => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn value(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Ref(a), Value::Ref(b)) => self.objects(*a, *b),
            (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => self.all(a, b),
            (Value::Datatype(a), Value::Datatype(b)) => {
                self.twins.ctors.get(&a.ctor) == Some(&b.ctor) && self.all(&a.args, &b.args)
            }
            (Value::Set(x), Value::Set(y)) if a.within().any(is_object) => x.len() == y.len(),
            (Value::Map(x), Value::Map(y)) if a.within().any(is_object) => x.len() == y.len(),
            (Value::Multiset(x), Value::Multiset(y)) if a.within().any(is_object) => {
                x.len() == y.len()
            }
            // Functions and lazy values cannot be compared.
            (Value::Function(_), Value::Function(_))
            | (Value::Lazy(_), _)
            | (_, Value::Lazy(_)) => true,
            (a, b)
                if a.within()
                    .any(|v| matches!(v, Value::Function(_) | Value::Lazy(_))) =>
            {
                std::mem::discriminant(a) == std::mem::discriminant(b)
            }
            (a, b) => self.twins.value(a).is_none_or(|a| a == *b),
        }
    }

    fn optional(&mut self, a: &[Option<Value>], b: &[Option<Value>]) -> bool {
        let same = |(a, b): (&Option<Value>, &Option<Value>)| match (a, b) {
            (Some(a), Some(b)) => self.value(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    fn all(&mut self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.value(a, b))
    }

    fn objects(&mut self, a: ObjectId, b: ObjectId) -> bool {
        match (self.pairs.get(&a), self.back.get(&b)) {
            (Some(known), Some(_)) => *known == b,
            (None, None) => {
                self.pairs.insert(a, b);
                self.back.insert(b, a);
                self.todo.push((a, b));
                true
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Ref(_))
}
