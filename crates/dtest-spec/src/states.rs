//! Cases with states: receivers, objects and arrays, before and after a call.
//!
//! The values of a case have the names that examples have: `this.balance`, `a[..]`, `to = this`.
//! They become a heap for the inputs and a heap for the end of the call, and the interpreter
//! evaluates the clauses on both. What a result does not name is unchanged.

use std::collections::BTreeMap;
use std::fmt;

use dafny_resolve::typed::{
    Callable, CallableId, CallableKind, FieldId, Program, Type, TypeDeclKind,
};
use dafny_source::Name;
use dtest_interp::{Execution, Inputs, Interp, Outcome, Truth};
use dtest_value::{Contents, Elements, Heap, Object, ObjectId, Value};

use crate::ClauseKind;
use crate::cases::{CaseTruth, CaseVerdict};
use crate::contract::Contract;
use crate::examine::lower;
use crate::recorded;
use crate::tried::limits;

/// Maximum number of names that refer to each other in a row.
const MAX_ALIASES: usize = 16;

/// A variable of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// The receiver.
    This,
    /// A parameter, by its index.
    In(usize),
    /// A result, by its index.
    Out(usize),
}

/// The name of a value: a variable, and the fields that lead from it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueName {
    root: Root,
    fields: Vec<FieldId>,
    /// Whether it is the elements of an array.
    is_elements: bool,
}

/// A value of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateValue {
    /// The value of this constant.
    Constant(FieldId),
    /// The object of another name.
    Same(ValueName),
    /// A set or sequence of the objects of other names.
    Objects(Vec<ValueName>),
    /// `null`.
    Null,
}

/// The names and values of a case.
#[derive(Clone, Debug, Default)]
pub struct StateCase {
    /// Before the call.
    pub inputs: Vec<(ValueName, StateValue)>,
    /// After the call; `None` if the body is executed.
    pub results: Option<Vec<(ValueName, StateValue)>>,
}

/// Why the values of a case are no state. Names are as the case writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    /// A value without which there is no state is missing.
    NoValue(String),
    /// The unit has no value of this name.
    UnknownName(String),
    /// The name stands for a value that has no fields.
    NoObject(String),
    /// Nothing is allocated where the name leads.
    NothingThere(String),
    /// The object that has this field is an array.
    NoField(String),
    /// The elements of an array are no sequence.
    NoSequence(String),
    /// The interpreter cannot compute the value.
    NotComputed(String),
    /// The name refers to itself.
    Circular(String),
    /// A call cannot change a value of this kind.
    NotChangeable(String),
    /// The array, which is no field, has another length after the call.
    OtherLength(String),
    /// No object of this type can be made.
    NotMade {
        /// The name of the object.
        name: String,
        /// Its type, as text.
        ty: String,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(name) => write!(f, "it has no value for `{name}`"),
            Self::UnknownName(name) => write!(f, "there is no value `{name}`"),
            Self::NoObject(name) => write!(f, "`{name}` is no object"),
            Self::NothingThere(name) => write!(f, "there is no object at `{name}`"),
            Self::NoField(name) => write!(f, "`{name}` is no field of an object"),
            Self::NoSequence(name) => write!(f, "`{name}` is no sequence"),
            Self::NotComputed(name) => write!(f, "the value of `{name}` cannot be computed"),
            Self::Circular(name) => write!(f, "`{name}` refers to itself"),
            Self::NotChangeable(name) => write!(f, "`{name}` is no value that a call changes"),
            Self::OtherLength(name) => {
                write!(f, "`{name}` has another length after the call")
            }
            Self::NotMade { name, ty } => write!(
                f,
                "an object of the type `{ty}` cannot be made for `{name}`"
            ),
        }
    }
}

impl std::error::Error for StateError {}

/// Returns the meaning of a name, and the type of its value. `None` if the unit has no such value.
pub fn value_name(program: &Program, unit: CallableId, text: &str) -> Option<(ValueName, Type)> {
    let callable = &program[unit];
    let (text, is_elements) = match text.strip_suffix("[..]") {
        Some(array) => (array, true),
        None => (text, false),
    };
    let mut parts = text.split('.');
    let first = parts.next()?;
    let (root, mut ty) = root(program, callable, first)?;
    let mut fields = Vec::new();
    for part in parts {
        let (field, field_ty) = fields_of(program, &ty)
            .into_iter()
            .find(|(f, _)| *program[*f].name == *part)?;
        ty = field_ty;
        fields.push(field);
    }
    if is_elements {
        let Type::Array { dims: 1, elem, .. } = program.representation(&ty) else {
            return None;
        };
        ty = Type::Seq(elem);
    }
    let name = ValueName {
        root,
        fields,
        is_elements,
    };
    Some((name, ty))
}

/// Returns the fields of the objects of a type, with their types.
fn fields_of(program: &Program, ty: &Type) -> Vec<(FieldId, Type)> {
    let Type::Named { decl, args, .. } = program.representation(ty) else {
        return Vec::new();
    };
    let parents = program[decl].parents.iter().filter_map(|p| {
        if let Type::Named { decl, .. } = program.representation(p) {
            Some(decl)
        } else {
            None
        }
    });
    let substitution = program.substitution(decl, &args);
    std::iter::once(decl)
        .chain(parents)
        .flat_map(|owner| program[owner].fields.iter().copied())
        .map(|f| (f, program[f].ty.subst(&substitution)))
        .collect()
}

/// Returns the names that can stand instead of one that has no value: those of the variables of the
/// unit or, where a variable is known, of the fields of the last object on the way.
pub fn names_instead_of(program: &Program, unit: CallableId, text: &str) -> Vec<Name> {
    let plain = text.strip_suffix("[..]").unwrap_or(text);
    let mut known = plain;
    while let Some((before, _)) = known.rsplit_once('.') {
        known = before;
        if let Some((_, ty)) = value_name(program, unit, known) {
            let fields = fields_of(program, &ty).into_iter();
            let named = fields.map(|(f, _)| format!("{known}.{}", program[f].name));
            return named.map(Name::from).collect();
        }
    }
    let callable = &program[unit];
    let formals = callable.ins.iter().chain(&callable.outs);
    let mut names: Vec<Name> = formals.map(|f| program[f.local].name.clone()).collect();
    if !callable.is_static && callable.owner.is_some() {
        names.push(Name::from("this"));
    }
    if callable.kind.is_function() {
        names.push(Name::from("result"));
    }
    names
}

fn root(program: &Program, callable: &Callable, name: &str) -> Option<(Root, Type)> {
    if name == "this" {
        let owner = callable.owner.filter(|_| !callable.is_static)?;
        return Some((Root::This, Type::named(owner, Vec::new())));
    }
    let named = |formals: &[dafny_resolve::typed::Formal]| {
        let found = formals.iter().enumerate();
        let mut found = found.map(|(i, f)| (i, &program[f.local]));
        found
            .find(|(_, l)| *l.name == *name)
            .map(|(i, l)| (i, l.ty.clone()))
    };
    if let Some((i, ty)) = named(&callable.ins) {
        return Some((Root::In(i), ty));
    }
    let outs = named(&callable.outs);
    let result = callable
        .outs
        .first()
        .filter(|_| name == "result" && callable.kind.is_function());
    let result = result.map(|f| (0, program[f.local].ty.clone()));
    outs.or(result).map(|(i, ty)| (Root::Out(i), ty))
}

/// Returns the verdicts of each clause on a case.
///
/// # Errors
/// The values of the case are no state.
pub fn judge_states(
    program: &Program,
    unit: CallableId,
    case: &StateCase,
) -> Result<Vec<CaseVerdict>, StateError> {
    let lowered = lower(program.clone());
    let interp = Interp::new(&lowered, limits());
    let mut states = States {
        program,
        unit,
        interp: &interp,
        given: case.inputs.iter().cloned().collect(),
        heap: Heap::default(),
        objects: BTreeMap::new(),
        depth: 0,
    };
    let inputs = states.inputs()?;
    let Some(results) = &case.results else {
        return Ok(recorded::judged(&lowered, unit, &inputs).verdicts);
    };
    let outs = states.results(&inputs, results)?;
    let mut verdicts = recorded::requires(&interp, unit, &inputs);
    let is_function = program[unit].kind.is_function();
    let mut execution = Execution::before(&inputs, Outcome::Returned(outs.clone()));
    execution.heap = states.heap.clone();
    if is_function {
        // The contract of a function speaks of the function itself.
        let executed = interp.run(unit, &inputs);
        verdicts.push(CaseVerdict {
            kind: ClauseKind::Ensures,
            span: program[unit].span,
            truth: match &executed.outcome {
                Outcome::Returned(values) if *values == outs => CaseTruth::Accepts,
                Outcome::Returned(_) => CaseTruth::Rejects,
                Outcome::Failed(_)
                | Outcome::Halted { .. }
                | Outcome::OutOfFuel(_)
                | Outcome::Infeasible(_)
                | Outcome::Unsupported(_) => {
                    CaseTruth::Undecided("the function cannot be executed".to_owned())
                }
            },
        });
        return Ok(verdicts);
    }
    verdicts.extend(recorded::ensures(&interp, unit, &inputs, &execution));
    let frame = program[unit].spec.modifies.first();
    verdicts.push(CaseVerdict {
        kind: ClauseKind::Ensures,
        span: frame.map_or(program[unit].span, |f| f.span),
        truth: match interp.check_frame(unit, &inputs, &execution) {
            Ok(Truth::True) => CaseTruth::Accepts,
            Ok(Truth::False) | Err(_) => CaseTruth::Rejects,
            Ok(Truth::Unknown(reason)) => CaseTruth::Undecided(reason.to_string()),
        },
    });
    Ok(verdicts)
}

/// The heaps of a case in construction.
struct States<'a> {
    program: &'a Program,
    unit: CallableId,
    interp: &'a Interp<'a>,
    given: BTreeMap<ValueName, StateValue>,
    heap: Heap,
    /// The objects of names, in the state before the call.
    objects: BTreeMap<ValueName, ObjectId>,
    /// The number of names that are followed.
    depth: usize,
}

impl States<'_> {
    fn show(&self, name: &ValueName) -> String {
        let callable = &self.program[self.unit];
        let formal = |all: &[dafny_resolve::typed::Formal], i: usize| {
            all.get(i)
                .map_or_else(String::new, |f| self.program[f.local].name.to_string())
        };
        let mut text = match name.root {
            Root::This => "this".to_owned(),
            Root::In(i) => formal(&callable.ins, i),
            Root::Out(_) if callable.kind.is_function() => "result".to_owned(),
            Root::Out(i) => formal(&callable.outs, i),
        };
        for field in &name.fields {
            text.push('.');
            text.push_str(&self.program[*field].name);
        }
        if name.is_elements {
            text.push_str("[..]");
        }
        text
    }

    fn ty(&self, name: &ValueName) -> Result<Type, StateError> {
        let text = self.show(name);
        let found = value_name(self.program, self.unit, &text);
        found.map(|(_, ty)| ty).ok_or(StateError::UnknownName(text))
    }

    /// The inputs, with a heap of the objects that are named.
    fn inputs(&mut self) -> Result<Inputs, StateError> {
        let callable = &self.program[self.unit];
        let mut args = Vec::new();
        if !callable.is_static {
            let this = name(Root::This);
            args.push(self.value(&this)?);
        }
        for i in 0..callable.ins.len() {
            args.push(self.value(&name(Root::In(i)))?);
        }
        // Fields, shorter names first: an object is made before its fields.
        let mut fields: Vec<ValueName> = self.given.keys().cloned().collect();
        fields.sort_by_key(|n| (n.fields.len(), n.clone()));
        for field in fields {
            if !field.fields.is_empty() && !field.is_elements {
                let value = self.value(&field)?;
                self.assign(&field, value)?;
            } else if field.is_elements {
                let array = owner_of_elements(&field);
                let value = self.value(&array)?;
                if !array.fields.is_empty() {
                    self.assign(&array, value)?;
                }
            }
        }
        Ok(Inputs {
            type_args: Vec::new(),
            args,
            heap: self.heap.clone(),
            answers: Vec::new(),
        })
    }

    /// Sets the field that a name ends with.
    fn assign(&mut self, name: &ValueName, value: Value) -> Result<(), StateError> {
        let mut owner = name.clone();
        let Some(field) = owner.fields.pop() else {
            return Ok(());
        };
        let Value::Ref(id) = self.value(&owner)? else {
            return Err(StateError::NoObject(self.show(&owner)));
        };
        // The objects on the way are reachable by their names.
        self.assign(&owner, Value::Ref(id))?;
        self.set(id, field, value)
    }

    fn set(&mut self, id: ObjectId, field: FieldId, value: Value) -> Result<(), StateError> {
        let object = self.heap.objects.get_mut(id.0 as usize);
        match object.map(|o| &mut o.contents) {
            Some(Contents::Fields(fields)) => {
                fields.insert(field, value);
                Ok(())
            }
            Some(Contents::Elements(_)) | None => {
                Err(StateError::NoField(self.program[field].name.to_string()))
            }
        }
    }

    /// The value of a name before the call. An object without a value of its own is made.
    fn value(&mut self, name: &ValueName) -> Result<Value, StateError> {
        if let Some(id) = self.objects.get(name) {
            return Ok(Value::Ref(*id));
        }
        let given = self.given.get(name).cloned();
        if let Some(given) = given {
            return self.given_value(name, &given);
        }
        let ty = self.ty(name)?;
        if !self.program.is_reference(&ty) {
            return Err(StateError::NoValue(self.show(name)));
        }
        let id = self.allocate(name, &ty)?;
        self.objects.insert(name.clone(), id);
        Ok(Value::Ref(id))
    }

    fn given_value(&mut self, name: &ValueName, given: &StateValue) -> Result<Value, StateError> {
        let ty = self.ty(name)?;
        match given {
            StateValue::Null => Ok(Value::Null),
            StateValue::Constant(field) => {
                let value = self
                    .interp
                    .constant(*field, None, &[], &Heap::default())
                    .ok_or_else(|| StateError::NotComputed(self.show(name)))?;
                Ok(value)
            }
            StateValue::Same(other) => self.followed(other),
            StateValue::Objects(names) => {
                let values = names.iter().map(|n| self.followed(n));
                let values: Vec<Value> = values.collect::<Result<_, _>>()?;
                let is_sequence = matches!(self.program.representation(&ty), Type::Seq(_));
                Ok(match is_sequence {
                    true => Value::seq(values),
                    false => Value::set(values),
                })
            }
        }
    }

    /// The value of another name.
    fn followed(&mut self, other: &ValueName) -> Result<Value, StateError> {
        if self.depth >= MAX_ALIASES {
            return Err(StateError::Circular(self.show(other)));
        }
        self.depth += 1;
        let value = self.value(other);
        self.depth -= 1;
        value
    }

    /// Allocates the object or array of a name.
    fn allocate(&mut self, name: &ValueName, ty: &Type) -> Result<ObjectId, StateError> {
        let ty = self.program.representation(ty);
        let contents = if let Type::Array { dims: 1, .. } = &ty {
            let elements = ValueName {
                is_elements: true,
                ..name.clone()
            };
            let given = self.given.get(&elements).cloned();
            let given = given.ok_or_else(|| StateError::NoValue(self.show(&elements)))?;
            let Value::Seq(all) = self.given_value(&elements, &given)? else {
                return Err(StateError::NoSequence(self.show(&elements)));
            };
            Contents::Elements(Elements::row(all.iter().cloned().map(Some).collect()))
        } else if let Type::Named { decl, .. } = &ty
            && matches!(self.program[*decl].kind, TypeDeclKind::Class)
        {
            Contents::Fields(Default::default())
        } else {
            return Err(StateError::NotMade {
                name: self.show(name),
                ty: self.program.show_type(&ty),
            });
        };
        // Objects have the types that are not null.
        let ty = crate::frame::not_null(self.program, &ty).unwrap_or(ty);
        let id = ObjectId(u32::try_from(self.heap.objects.len()).unwrap_or(u32::MAX));
        self.heap.objects.push(Object {
            ty,
            contents,
            redefined: Default::default(),
        });
        Ok(id)
    }

    /// Changes the heap to that after the call, and returns the results.
    fn results(
        &mut self,
        inputs: &Inputs,
        results: &[(ValueName, StateValue)],
    ) -> Result<Vec<Option<Value>>, StateError> {
        let outs = self.program[self.unit].outs.len();
        // Names in results: those of inputs are the objects before the call, others are new.
        self.given
            .extend(results.iter().filter(|(n, _)| is_out(n)).cloned());
        let mut values = Vec::new();
        for i in 0..outs {
            values.push(Some(self.value(&name(Root::Out(i)))?));
        }
        let mut ordered: Vec<&(ValueName, StateValue)> = results.iter().collect();
        ordered.sort_by_key(|(n, _)| (n.fields.len(), n.clone()));
        for (target, given) in ordered {
            if is_out(target) {
                if !target.fields.is_empty() && !target.is_elements {
                    let value = self.value(target)?;
                    self.assign(target, value)?;
                }
                continue;
            }
            let value = self.given_value(target, given)?;
            self.change(inputs, target, value)?;
        }
        Ok(values)
    }

    /// Changes what a name of the inputs refers to. An array with another length is a new one.
    fn change(
        &mut self,
        inputs: &Inputs,
        target: &ValueName,
        value: Value,
    ) -> Result<(), StateError> {
        let mut path = target.fields.clone();
        let last = match target.is_elements {
            true => None,
            false => path.pop(),
        };
        let position = match target.root {
            Root::This => 0,
            Root::In(i) => i + usize::from(!self.program[self.unit].is_static),
            Root::Out(_) => return Ok(()),
        };
        let shown = self.show(target);
        let missing = || StateError::NothingThere(shown.clone());
        let mut at = inputs.args.get(position).cloned().ok_or_else(missing)?;
        let mut owner = None;
        for field in path {
            let Value::Ref(id) = at else {
                return Err(missing());
            };
            let object = self.heap.objects.get(id.0 as usize).ok_or_else(missing)?;
            let Contents::Fields(fields) = &object.contents else {
                return Err(missing());
            };
            owner = Some((id, field));
            at = fields.get(&field).cloned().ok_or_else(missing)?;
        }
        let Value::Ref(id) = at else {
            return Err(missing());
        };
        if let Some(field) = last {
            return self.set(id, field, value);
        }
        let Value::Seq(all) = &value else {
            return Err(StateError::NotChangeable(shown));
        };
        let new = Elements::row(all.iter().cloned().map(Some).collect());
        let Some(object) = self.heap.objects.get_mut(id.0 as usize) else {
            return Err(missing());
        };
        match &mut object.contents {
            Contents::Elements(elements) if elements.len() == new.len() => {
                *elements = new;
                Ok(())
            }
            Contents::Elements(_) => {
                let object = Object {
                    contents: Contents::Elements(new),
                    ..object.clone()
                };
                let (owner, field) = owner.ok_or_else(|| StateError::OtherLength(shown.clone()))?;
                let id = ObjectId(u32::try_from(self.heap.objects.len()).unwrap_or(u32::MAX));
                self.heap.objects.push(object);
                self.set(owner, field, Value::Ref(id))
            }
            Contents::Fields(_) => Err(missing()),
        }
    }
}

fn name(root: Root) -> ValueName {
    ValueName {
        root,
        fields: Vec::new(),
        is_elements: false,
    }
}

fn owner_of_elements(name: &ValueName) -> ValueName {
    ValueName {
        is_elements: false,
        ..name.clone()
    }
}

fn is_out(name: &ValueName) -> bool {
    matches!(name.root, Root::Out(_))
}

/// Whether cases of the callable can be judged: not those with type parameters, or of two states.
pub fn has_states(program: &Program, unit: CallableId) -> bool {
    let callable = &program[unit];
    !callable.is_two_state
        && program.all_type_params(unit).is_empty()
        && !matches!(
            callable.kind,
            CallableKind::LeastPredicate | CallableKind::GreatestPredicate
        )
        && Contract::new(program, unit).unit == unit
}
