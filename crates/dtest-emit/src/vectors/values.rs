//! Converts values and objects to JSON.
//!
//! Every value that is not a boolean, an integer or `null` is an object whose first member names
//! its kind, so that a reader needs no types. Ghost parts are left out, as in compiled code.
//! [`Values::value`] converts values, and notes the objects that they refer to;
//! [`Values::objects`] converts these, and the objects that they refer to in turn.

use dafny_resolve::typed::{CallableId, FieldId, FieldKind, LocalId, Program, Type};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{
    Answer, Construction, Contents, DatatypeValue, FunctionValue, Heap, ObjectId, Place, Template,
    Value,
};
use num_bigint::BigInt;

use super::json::Json;
use crate::Reason;
use crate::dafny::fields_of;

/// Maximum number of parts of all values of a test.
const MAX_PARTS: usize = 65_536;
/// Maximum nesting depth of values: readers recurse.
const MAX_NESTING: usize = 100;

/// Text, or the reason why there is none.
type Written<T> = Result<T, Reason>;

/// The role of values, which decides about parts without a neutral form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Inputs: every part is needed, so that such a part is an error.
    Input,
    /// Expected values: such a part is not compared.
    Expected,
}

/// Converts the values of one state of a test.
pub(super) struct Values<'a> {
    pub(super) program: &'a Program,
    pub(super) heap: &'a Heap,
    pub(super) role: Role,
    /// Objects that were met, in order.
    met: Vec<ObjectId>,
    known: SortedSet<ObjectId>,
    parts: usize,
    depth: usize,
}

impl<'a> Values<'a> {
    pub(super) fn new(program: &'a Program, heap: &'a Heap, role: Role) -> Self {
        Self {
            program,
            heap,
            role,
            met: Vec::new(),
            known: SortedSet::new(),
            parts: 0,
            depth: 0,
        }
    }

    /// Converts a value of a type without type parameters.
    pub(super) fn value(&mut self, value: &Value, ty: &Type) -> Written<Json> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(format!("values of more than {MAX_PARTS} parts").into());
        }
        if self.depth >= MAX_NESTING {
            return Err(format!("values within each other, more than {MAX_NESTING} deep").into());
        }
        self.depth += 1;
        let written = dtest_value::deeper(|| self.value_within(value, ty));
        self.depth -= 1;
        written
    }

    fn value_within(&mut self, value: &Value, ty: &Type) -> Written<Json> {
        let rep = self.program.representation(ty);
        match (value, &rep) {
            (Value::Bool(b), _) => Ok(Json::Bool(*b)),
            (Value::Null, _) => Ok(Json::Null),
            (Value::Int(n), Type::Real) => Ok(real(n, &BigInt::from(1))),
            (Value::Int(n), _) => Ok(Json::integer(n)),
            (Value::Char(c), _) => Ok(Json::object([("char", code_point(*c))])),
            (Value::Real(r), _) => Ok(real(r.numer(), r.denom())),
            (Value::Bv { width, bits }, _) => Ok(Json::object([
                ("bv", Json::integer(&BigInt::from(bits.clone()))),
                ("width", Json::Number(i64::from(*width))),
            ])),
            (Value::Ordinal(n), _) => Ok(Json::object([(
                "ordinal",
                Json::integer(&BigInt::from(n.clone())),
            )])),
            (Value::Seq(es), Type::Seq(elem)) => self.sequence(es, elem),
            (Value::Set(es), Type::Set { elem, .. }) => {
                let elements = es.iter().map(|e| self.value(e, elem));
                let elements = elements.collect::<Written<_>>()?;
                Ok(Json::object([("set", Json::List(elements))]))
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let pair = |(e, n): (&Value, &num_bigint::BigUint)| {
                    let count = Json::integer(&BigInt::from(n.clone()));
                    Ok(Json::List(vec![self.value(e, elem)?, count]))
                };
                let pairs = counts.iter().map(pair).collect::<Written<_>>()?;
                Ok(Json::object([("multiset", Json::List(pairs))]))
            }
            (Value::Map(pairs), Type::Map { key, value, .. }) => {
                let pair = |(k, v): (&Value, &Value)| {
                    Ok(Json::List(vec![self.value(k, key)?, self.value(v, value)?]))
                };
                let pairs = pairs.iter().map(pair).collect::<Written<_>>()?;
                Ok(Json::object([("map", Json::List(pairs))]))
            }
            (Value::Tuple(cs), Type::Tuple(types)) => {
                let compiled = cs.iter().zip(types).filter(|(_, (ghost, _))| !ghost);
                let components = compiled.map(|(c, (_, t))| self.value(c, t));
                let components = components.collect::<Written<_>>()?;
                Ok(Json::object([("tuple", Json::List(components))]))
            }
            (Value::Datatype(d), _) => self.datatype(d, &rep),
            (Value::Newtype(n), _) => {
                let own = n.ty();
                Ok(Json::object([
                    ("newtype", Json::text(self.program.type_path(n.decl))),
                    ("value", self.value(&n.value, &own)?),
                ]))
            }
            (Value::Ref(object), _) => Ok(self.reference(*object)),
            (Value::Function(f), Type::Arrow { params, result, .. }) => match self.role {
                Role::Input => Ok(Json::object([(
                    "function",
                    self.function(f, params, result)?,
                )])),
                // Only applications could tell whether two functions are equal.
                Role::Expected => Ok(any("a function")),
            },
            (Value::Lazy(_), _) => match (value.settled(), self.role) {
                (Some(settled), _) if !settled.holds_lazy() => self.value(&settled, ty),
                (_, Role::Expected) => Ok(any("a value that is computed lazily")),
                (_, Role::Input) => Err("a value that is computed lazily".into()),
            },
            (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Function(_),
                _,
            ) => Err(format!("a value of `{}`", self.program.show_type(ty)).into()),
        }
    }

    /// Converts a reference, and notes the object.
    pub(super) fn reference(&mut self, object: ObjectId) -> Json {
        // In the results of a stub, an object may be an argument of the call.
        if let Some(position) = object.as_argument() {
            return Json::object([("argument", Json::size(position))]);
        }
        if self.known.insert(object) {
            self.met.push(object);
        }
        Json::object([("ref", Json::Number(i64::from(object.0)))])
    }

    fn sequence(&mut self, es: &[Value], elem: &Type) -> Written<Json> {
        if self.program.representation(elem) != Type::Char {
            let elements = es.iter().map(|e| self.value(e, elem));
            let elements = elements.collect::<Written<_>>()?;
            return Ok(Json::object([("seq", Json::List(elements))]));
        }
        self.parts = self.parts.saturating_add(es.len());
        let chars = es.iter().map(|e| match e {
            Value::Char(c) => Ok(code_point(*c)),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Seq(_)
            | Value::Set(_)
            | Value::Multiset(_)
            | Value::Map(_)
            | Value::Tuple(_)
            | Value::Datatype(_)
            | Value::Null
            | Value::Ref(_)
            | Value::Function(_)
            | Value::Newtype(_)
            | Value::Lazy(_) => Err(Reason::from("a character without a value")),
        });
        let chars = chars.collect::<Written<_>>()?;
        Ok(Json::object([("chars", Json::List(chars))]))
    }

    fn datatype(&mut self, d: &DatatypeValue, rep: &Type) -> Written<Json> {
        let program = self.program;
        let ctor = &program[d.ctor];
        if ctor.ghost {
            return Err(format!("a value of the ghost constructor `{}`", ctor.name).into());
        }
        // For a value with the type of a trait, the type arguments are those of the datatype that
        // implements it.
        let own = |t: &Type| matches!(t, Type::Named { decl, .. } if *decl == ctor.datatype);
        let seen = if let Type::Named { decl, args, .. } = rep
            && !own(rep)
        {
            let mut all = program.implementing_datatypes(*decl, args).into_iter();
            all.find(own).unwrap_or(Type::Error)
        } else {
            rep.clone()
        };
        let args = if let Type::Named { args, .. } = seen {
            args
        } else {
            Vec::new()
        };
        let substitution = program.substitution(ctor.datatype, &args);
        let mut fields = Vec::new();
        for (&f, value) in ctor.fields.iter().zip(&d.args) {
            let field = &program[f];
            if !field.ghost {
                let value = self.value(value, &field.ty.subst(&substitution))?;
                fields.push((field.name.to_string(), value));
            }
        }
        Ok(Json::object([
            ("constructor", Json::text(&*ctor.name)),
            ("datatype", Json::text(program.type_path(ctor.datatype))),
            ("fields", Json::Object(fields)),
        ]))
    }

    fn function(
        &mut self,
        function: &FunctionValue,
        params: &[Type],
        result: &Type,
    ) -> Written<Json> {
        Ok(match function {
            FunctionValue::Table { entries, default } => {
                let mut table = Vec::new();
                for (args, value) in entries {
                    let args = self.all(args, params)?;
                    table.push(Json::List(vec![args, self.value(value, result)?]));
                }
                Json::object([
                    ("table", Json::List(table)),
                    ("default", self.value(default, result)?),
                ])
            }
            FunctionValue::Template(template) => {
                Json::object([("law", Json::text(law(*template)))])
            }
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let inner = self.function(function, params, result)?;
                let exceptions = exceptions.iter().map(|args| self.all(args, params));
                let exceptions = exceptions.collect::<Written<_>>()?;
                Json::object([
                    ("partial", inner),
                    ("defined", Json::Bool(*elsewhere)),
                    ("except", Json::List(exceptions)),
                ])
            }
            FunctionValue::Named {
                callee, receiver, ..
            } => {
                let mut members = vec![(
                    "unit".to_owned(),
                    Json::text(self.program.callable_path(*callee)),
                )];
                if let Some(receiver) = receiver {
                    let Value::Ref(object) = receiver else {
                        return Err("a member of a value as an input".into());
                    };
                    members.push(("receiver".to_owned(), self.reference(*object)));
                }
                Json::Object(members)
            }
            FunctionValue::Closure { .. } => {
                return Err("a lambda expression of the program as an input".into());
            }
        })
    }

    fn all(&mut self, values: &[Value], types: &[Type]) -> Written<Json> {
        let all = values.iter().zip(types).map(|(v, t)| self.value(v, t));
        Ok(Json::List(all.collect::<Written<_>>()?))
    }

    /// Converts the objects that were met, and those that they refer to.
    pub(super) fn objects(
        &mut self,
        constructed: &SortedMap<ObjectId, Construction>,
    ) -> Written<Json> {
        let mut out = Vec::new();
        let mut at = 0;
        // The list grows while it is walked.
        while let Some(&id) = self.met.get(at) {
            at += 1;
            let Some(object) = self.heap.objects.get(id.0 as usize) else {
                return Err("an object that is not there".into());
            };
            let mut members = vec![("id".to_owned(), Json::Number(i64::from(id.0)))];
            match &object.contents {
                Contents::Elements(elements) => {
                    let Type::Array { elem, .. } = self.program.strip_subset(&object.ty) else {
                        return Err("an array without a type".into());
                    };
                    let lengths = elements.dims().iter().map(|n| Json::size(*n)).collect();
                    let values = elements.iter().map(|e| match e {
                        Some(e) => self.value(e, &elem),
                        None => Ok(any("unassigned")),
                    });
                    let values = values.collect::<Written<_>>()?;
                    members.push(("array".to_owned(), Json::List(lengths)));
                    members.push(("elements".to_owned(), Json::List(values)));
                }
                Contents::Fields(fields) => {
                    members.extend(self.fields(&object.ty, fields)?);
                    if !object.redefined.is_empty() {
                        let functions = self.redefined(&object.redefined, &object.ty)?;
                        members.push(("functions".to_owned(), functions));
                    }
                    if let Some(by) = constructed.get(&id) {
                        members.push(("made_by".to_owned(), self.construction(by, &object.ty)?));
                    }
                }
            }
            out.push(Json::Object(members));
        }
        Ok(Json::List(out))
    }

    /// Converts the class of an object, and the fields that have a value.
    fn fields(
        &mut self,
        ty: &Type,
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<Vec<(String, Json)>> {
        let program = self.program;
        let Type::Named { decl, .. } = program.strip_subset(ty) else {
            // An object of type `object`.
            let class = ("class".to_owned(), Json::text("object"));
            return Ok(vec![class, ("fields".to_owned(), Json::Object(Vec::new()))]);
        };
        let kind = if program.is_trait(decl) {
            "trait"
        } else {
            "class"
        };
        let mut values = Vec::new();
        for f in fields_of(program, decl) {
            let field = &program[f];
            // A constant with an expression is computed by the class itself.
            let is_stored = match field.kind {
                FieldKind::Mutable | FieldKind::Const(None) => true,
                FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => false,
            };
            if let Some(value) = fields.get(&f).filter(|_| is_stored && !field.ghost) {
                let value = self.value(value, &program.field_type(ty, f))?;
                values.push((field.name.to_string(), value));
            }
        }
        Ok(vec![
            (kind.to_owned(), Json::text(program.type_path(decl))),
            ("fields".to_owned(), Json::Object(values)),
        ])
    }

    /// Converts the functions of a mock.
    fn redefined(
        &mut self,
        redefined: &SortedMap<CallableId, FunctionValue>,
        ty: &Type,
    ) -> Written<Json> {
        let program = self.program;
        let mut out = Vec::new();
        for (id, function) in redefined {
            let member = &program[*id];
            let args = member.owner.and_then(|o| program.supertype_args(ty, o));
            let owner_args = args.unwrap_or_default();
            let Some(owner) = member.owner else { continue };
            let substitution = program.substitution(owner, &owner_args);
            let ty_of = |local: LocalId| program[local].ty.subst(&substitution);
            let params: Vec<Type> = member.ins.iter().map(|p| ty_of(p.local)).collect();
            let Some(result) = member.outs.first().map(|o| ty_of(o.local)) else {
                continue;
            };
            let function = self.function(function, &params, &result)?;
            out.push((member.name.to_string(), function));
        }
        Ok(Json::Object(out))
    }

    /// Converts the calls that construct an object.
    fn construction(&mut self, by: &Construction, ty: &Type) -> Written<Json> {
        let type_args = if let Type::Named { args, .. } = self.program.strip_subset(ty) {
            args
        } else {
            Vec::new()
        };
        let mut members = self.call(by.maker, &by.args, &type_args)?;
        if !by.then.is_empty() {
            let calls = by.then.iter().map(|c| {
                let call = self.call(c.callee, &c.args, &type_args)?;
                Ok(Json::Object(call))
            });
            let calls = calls.collect::<Written<_>>()?;
            members.push(("then".to_owned(), Json::List(calls)));
        }
        Ok(Json::Object(members))
    }

    fn call(
        &mut self,
        callee: CallableId,
        args: &[Value],
        type_args: &[Type],
    ) -> Written<Vec<(String, Json)>> {
        let program = self.program;
        let mut values = Vec::new();
        for (formal, value) in program[callee].ins.iter().zip(args) {
            let local = &program[formal.local];
            if !local.ghost {
                let ty = instantiated(program, callee, type_args, &local.ty);
                values.push(self.value(value, &ty)?);
            }
        }
        Ok(vec![
            ("unit".to_owned(), Json::text(program.callable_path(callee))),
            ("args".to_owned(), Json::List(values)),
        ])
    }

    /// Converts the answer of a stub, or of a method of a mock.
    pub(super) fn answer(&mut self, answer: &Answer) -> Written<Json> {
        let program = self.program;
        let callee = &program[answer.callee];
        let types = &answer.type_args;
        let mut members = vec![(
            "unit".to_owned(),
            Json::text(program.callable_path(answer.callee)),
        )];
        let mut args = answer.args.iter();
        if callee.owner.is_some()
            && !callee.is_static
            && let Some(Some(Value::Ref(object))) = args.next()
        {
            members.push(("receiver".to_owned(), self.reference(*object)));
        }
        for (name, formals, values) in [
            ("args", &callee.ins, args.as_slice()),
            ("results", &callee.outs, answer.results.as_slice()),
        ] {
            let mut list = Vec::new();
            for (formal, value) in formals.iter().zip(values) {
                let local = &program[formal.local];
                if let Some(value) = value.as_ref().filter(|_| !local.ghost) {
                    let ty = instantiated(program, answer.callee, types, &local.ty);
                    list.push(self.value(value, &ty)?);
                }
            }
            members.push((name.to_owned(), Json::List(list)));
        }
        let mut changes = Vec::new();
        for (object, place, value) in &answer.changes {
            if let Some(change) = self.change(*object, *place, value, answer)? {
                changes.push(change);
            }
        }
        if !changes.is_empty() {
            members.push(("changes".to_owned(), Json::List(changes)));
        }
        Ok(Json::Object(members))
    }

    /// Converts a change of an object by a stub; `None` for a ghost field.
    fn change(
        &mut self,
        object: ObjectId,
        place: Place,
        value: &Value,
        answer: &Answer,
    ) -> Written<Option<Json>> {
        let program = self.program;
        // The object may be an argument that the unit created; its type is that of the parameter.
        let position = object.as_argument();
        let argument = position.and_then(|p| match answer.args.get(p) {
            Some(Some(Value::Ref(object))) => Some(*object),
            Some(_) | None => None,
        });
        let found = self.heap.objects.get(argument.unwrap_or(object).0 as usize);
        let ty = match (found, position) {
            (Some(found), _) => found.ty.clone(),
            (None, _) => return Err("a stub that changes an object of the unit".into()),
        };
        let (place, ty) = match (place, program.strip_subset(&ty)) {
            (Place::Field(f), _) if program[f].ghost => return Ok(None),
            (Place::Field(f), _) => (
                ("field", Json::text(&*program[f].name)),
                program.field_type(&ty, f),
            ),
            (Place::Element(i), Type::Array { elem, .. }) => (("element", Json::size(i)), *elem),
            (Place::Element(_), _) => return Err("a change of an array without a type".into()),
        };
        Ok(Some(Json::object([
            ("object", self.reference(object)),
            place,
            ("value", self.value(value, &ty)?),
        ])))
    }
}

/// Returns a type with the type arguments of a callable, its owner's first.
pub(super) fn instantiated(
    program: &Program,
    callable: CallableId,
    type_args: &[Type],
    ty: &Type,
) -> Type {
    let params = program.all_type_params(callable).into_iter();
    ty.subst(&params.zip(type_args.iter().cloned()).collect())
}

/// Creates the expected part that is not compared.
pub(super) fn any(reason: &str) -> Json {
    Json::object([("any", Json::text(reason))])
}

fn code_point(c: u32) -> Json {
    Json::Number(i64::from(c))
}

fn real(numerator: &BigInt, denominator: &BigInt) -> Json {
    Json::object([(
        "real",
        Json::List(vec![Json::integer(numerator), Json::integer(denominator)]),
    )])
}

/// Returns the name of a function with known laws.
fn law(template: Template) -> &'static str {
    match template {
        Template::Identity => "identity",
        Template::Less => "less",
        Template::AtMost => "at most",
        Template::Equal => "equal",
        Template::Add => "add",
        Template::Successor => "successor",
        Template::Mix => "mix",
        Template::Odd => "odd",
    }
}
