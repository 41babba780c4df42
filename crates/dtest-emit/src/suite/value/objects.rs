//! Creates the objects of a test.
//!
//! [`Values::object`] returns the variable of an object, after the statements that create it. An
//! object under construction has a variable that cannot be used yet: fields that refer to it wait
//! ([`Values::assign_later`]) until it is made.

use crate::rust::{self, Ident, expr, ident, stmts};
use crate::suite::mock::{Mocked, Mocking};
use crate::translation::body::Body;
use crate::translation::code::Code;
use crate::translation::convention::{Dependency, Translated};
use crate::translation::rep::Rep;
use crate::translation::{class, external};
use dafny_resolve::typed::{
    CallableId, Expr, ExprKind, FieldId, FieldKind, Type, TypeDeclKind, TypeId,
};
use dtest_value::{Construction, Contents, Elements, Object, ObjectId, Value};

use dtest_sorted::SortedMap;

use super::Values;

/// Minimum number of elements of an array whose runs of equal elements are written once.
const LONG_ARRAY: usize = 300;

impl Values<'_, '_, '_> {
    /// Returns the variable of an object, which is created first if needed.
    pub(in crate::suite) fn object(&mut self, id: ObjectId, ty: &Type) -> Translated<Ident> {
        if let Some(name) = self.objects.get(&id) {
            if self.making.contains(&id) {
                return Err(self.no("objects that refer to each other"));
            }
            if self.made(id) {
                return Ok(name.clone());
            }
        }
        let Some(object) = self.heap.objects.get(id.0 as usize) else {
            return Err(self.no("an object that is not in the heap"));
        };
        let name = match self.objects.get(&id).cloned() {
            Some(name) => {
                self.role = None;
                name
            }
            None => self.name_for(&object.ty),
        };
        self.objects.insert(id, name.clone());
        self.making.push(id);
        // Calls are preferred: they show how the program creates such an object.
        let known = self
            .mocks
            .and_then(|m| m.constructed.get(&id).map(|by| (m, by)))
            .filter(|(m, by)| are_present(m, by))
            .map(|(_, by)| by);
        let own = known.and_then(|by| Some((by, self.own_parts(id, by)?)));
        let by_calls = own.as_ref().map(|(by, _)| *by);
        let made = self.created((id, object), &name, by_calls, ty)?;
        // From here on, other values may mention the object.
        self.role = None;
        self.making.pop();
        self.declare(&name, made);
        if let Some((by, parts)) = own {
            for call in &by.then {
                let call = self.called(call.callee, Some(&name), &call.args, &object.ty)?;
                self.lets.extend(stmts!(#call;));
            }
            parts.into_iter().for_each(|part| self.name_part(part));
        }
        self.assign_ready()?;
        Ok(name)
    }

    /// Writes the expression that creates an object: a call, an array, fields, or a mock.
    fn created(
        &mut self,
        (id, object): (ObjectId, &Object),
        name: &Ident,
        by_calls: Option<&Construction>,
        ty: &Type,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        match (by_calls, &object.contents, ground.rep(&object.ty)) {
            (Some(by), ..) => self.called(by.maker, None, &by.args, &object.ty),
            (None, Contents::Elements(elements), Rep::Array(n, elem)) => {
                self.array(elements, n, &elem)
            }
            (None, Contents::Fields(_), Rep::Class(decl, _))
                if matches!(ground.program[decl].kind, TypeDeclKind::Iterator(_)) =>
            {
                Err(self.no("an iterator that has already started"))
            }
            (None, Contents::Fields(_), Rep::Class(decl, _))
                if external::is_linked_type(self.scope, decl) =>
            {
                Err(self.no(format!(
                    "an object of `{}`, which is linked Rust",
                    ground.program.type_path(decl)
                )))
            }
            (None, Contents::Fields(fields), Rep::Class(decl, args)) => {
                self.by_fields(name, (decl, &args), fields)
            }
            (None, Contents::Fields(fields), Rep::Trait(decl, args)) => self.mock(&Mocked {
                id,
                name,
                decl,
                args,
                fields,
                redefined: &object.redefined,
            }),
            (None, Contents::Elements(_) | Contents::Fields(_), _) => {
                Err(self.no(format!("an object of `{}`", ground.program.show_type(ty))))
            }
        }
    }

    /// Writes the struct of an object whose construction by calls is not known. Fields that refer to
    /// objects under construction are assigned later.
    fn by_fields(
        &mut self,
        name: &Ident,
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let program = ground.program;
        let substitution = program.substitution(decl, args);
        let mut inits = Vec::new();
        for f in class::fields(self.scope, decl) {
            let field = &program[f];
            let t = class::field_type(ground, decl, f).subst(&substitution);
            let text = ground.names.field(f);
            let n = ident(text);
            if let Some(v) = fields.get(&f) {
                self.note_role(name, text, v);
            }
            let value = match (fields.get(&f), &field.kind) {
                (_, FieldKind::Const(Some(initial))) => self.initial(initial, &field.name)?,
                (Some(v), FieldKind::Mutable) if self.refers_to_unmade(v) => {
                    let cell = self.scope.runtime("Field");
                    self.assign_later(expr!(#name.#n), v.clone(), t);
                    inits.push((n.to_string(), expr!(#cell::unassigned())));
                    continue;
                }
                (
                    Some(v),
                    FieldKind::Mutable | FieldKind::Const(None) | FieldKind::Destructor(_),
                ) => self.value(v, &t)?,
                (None, FieldKind::Mutable | FieldKind::Const(None) | FieldKind::Destructor(_)) => {
                    self.scope.default_value(&t)?.ok_or_else(|| {
                        self.no(format!("a field `{}` without a value", field.name))
                    })?
                }
            };
            let held = match field.kind {
                FieldKind::Mutable => expr!(Field::new(#value)),
                FieldKind::Const(_) | FieldKind::Destructor(_) => value,
            };
            inits.push((n.to_string(), held));
        }
        // No field determines such a type parameter.
        let mut fish = Vec::new();
        if class::has_phantom(self.scope, decl) {
            let phantom = ident(ground.names.phantom(decl)).to_string();
            inits.push((phantom, expr!(std::marker::PhantomData)));
            fish = self.scope.turbofish(args)?;
        }
        let path = self.scope.type_path(decl);
        self.by_fields.push(name.clone());
        Ok(expr!(Ref::new(#path::<#..fish> { #..inits })))
    }

    /// Assigns the fields that waited for objects which exist now. This happens immediately, because
    /// a constructor may be called with the object next.
    fn assign_ready(&mut self) -> Translated<()> {
        let later = std::mem::take(&mut self.later);
        let (waiting, ready) = later
            .into_iter()
            .partition(|(_, value, _)| self.refers_to_unmade(value));
        self.later = waiting;
        for (place, value, ty) in ready {
            let value = self.value(&value, &ty)?;
            self.lets.extend(stmts!(#place.set(#value);));
        }
        Ok(())
    }

    /// Writes an object that is seen as a trait or as `object`.
    pub(super) fn object_as(&mut self, object: ObjectId, ty: &Type) -> Translated<rust::Expr> {
        let own = self
            .object_type(object)
            .ok_or_else(|| self.no("an object that is not in the heap"))?;
        let name = self.object(object, &own)?;
        if self.is_own_type(object, ty) {
            return Ok(expr!(#name.clone()));
        }
        Body::new(self.scope).seen_as(&Code::variable(&name, false), &own, ty)
    }

    /// Writes `let name = value;`.
    fn declare(&mut self, name: &Ident, value: rust::Expr) {
        self.lets.extend(stmts!(let #name = #value;));
    }

    /// Returns the objects that calls allocate along with an object, each with its holder, which
    /// comes earlier in the list, and the field. `None` if one of them is in no field with its own
    /// type.
    fn own_parts(&self, id: ObjectId, by: &Construction) -> Option<Vec<Part>> {
        let ground = self.scope.ground;
        let mut parts: Vec<Part> = Vec::new();
        // An argument of a call is no part that the call allocates.
        let is_given = |o: &ObjectId| {
            by.args
                .iter()
                .flat_map(Value::within)
                .any(|v| matches!(v, Value::Ref(given) if given == o))
        };
        // Breadth-first over the objects that only this one holds.
        let mut todo = vec![id];
        let mut next = 0;
        while let Some(holder) = todo.get(next).copied() {
            next += 1;
            let object = self.heap.objects.get(holder.0 as usize)?;
            let is_new = |o: &ObjectId| *o != id && !is_given(o) && !self.objects.contains_key(o);
            let fields = match (&object.contents, ground.rep(&object.ty)) {
                (Contents::Fields(fields), Rep::Class(decl, args)) => {
                    let substitution = ground.program.substitution(decl, &args);
                    for f in class::fields(self.scope, decl) {
                        let Some(Value::Ref(part)) = fields.get(&f).filter(|_| {
                            !matches!(ground.program[f].kind, FieldKind::Const(Some(_)))
                        }) else {
                            continue;
                        };
                        if is_new(part) && !todo.contains(part) {
                            let declared = class::field_type(ground, decl, f).subst(&substitution);
                            if !self.is_own_type(*part, &declared) {
                                return None;
                            }
                            todo.push(*part);
                            parts.push(Part {
                                object: *part,
                                holder,
                                field: f,
                            });
                        }
                    }
                    fields
                        .iter()
                        .filter(|(f, _)| !ground.program[**f].ghost)
                        .map(|(_, v)| v)
                        .collect::<Vec<_>>()
                }
                (contents, _) => contents.values().collect(),
            };
            // A new object that is not in a field (but in a collection, for example) has no name by
            // which a test could reach it.
            let held = fields.into_iter().flat_map(Value::within);
            for value in held {
                if let Value::Ref(part) = value
                    && is_new(part)
                    && !todo.contains(part)
                {
                    return None;
                }
            }
        }
        Some(parts)
    }

    /// Stores an object that calls allocated along with another one in a variable.
    fn name_part(&mut self, part: Part) {
        let Some(holder) = self.objects.get(&part.holder).cloned() else {
            return;
        };
        let Some(ty) = self.object_type(part.object) else {
            return;
        };
        let field = self.scope.ground.names.field(part.field);
        self.note_role(&holder, field, &Value::Ref(part.object));
        let name = self.name_for(&ty);
        let field_name = ident(field);
        let got = match self.scope.ground.program[part.field].kind {
            FieldKind::Mutable => expr!(#holder.#field_name.get()),
            FieldKind::Const(_) | FieldKind::Destructor(_) => expr!(#holder.#field_name.clone()),
        };
        self.declare(&name, got);
        self.objects.insert(part.object, name);
    }

    /// Writes the call that creates an object of a class, or of a method of an object with a
    /// variable.
    fn called(
        &mut self,
        callee: CallableId,
        receiver: Option<&Ident>,
        args_of: &[Value],
        ty: &Type,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let program = ground.program;
        let c = &program[callee];
        let type_params = program.all_type_params(callee);
        // A method with a body in a trait is called for the object as one of the trait.
        let own = program.strip_subset(ty);
        let inherited = c.owner.filter(|owner| program.is_trait(*owner));
        let inherited = inherited.and_then(|owner| {
            let args = program.supertype_args(&own, owner)?;
            Some(Type::named(owner, args))
        });
        let mut type_args = Vec::new();
        if let Type::Named { args, .. } = inherited.as_ref().unwrap_or(&own)
            && c.owner.is_some()
            && !type_params.is_empty()
        {
            type_args.clone_from(args);
        }
        let substitution = type_params
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        let mut args: Vec<rust::Expr> = Vec::new();
        if let Some(name) = receiver {
            args.push(match &inherited {
                Some(inherited) => {
                    let object = Code::variable(name, false);
                    let seen = Body::new(self.scope).seen_as(&object, &own, inherited)?;
                    expr!(&#seen)
                }
                None => expr!(&#name),
            });
        }
        for (formal, value) in c.ins.iter().zip(args_of) {
            let local = &program[formal.local];
            if local.ghost {
                continue;
            }
            let ty = local.ty.subst(&substitution);
            let value = self.value(value, &ty)?;
            args.push(if ground.is_copy(&local.ty) {
                value
            } else {
                expr!(&#value)
            });
        }
        args.extend(self.scope.passed_defaults(callee, &type_args)?);
        let path = Body::new(self.scope).callee(callee, &type_args, true)?;
        Ok(expr!(#path(#..args)))
    }

    /// Schedules the assignment of a field for when the objects that it refers to exist.
    pub(in crate::suite) fn assign_later(&mut self, place: rust::Expr, value: Value, ty: Type) {
        self.later.push((place, value, ty));
    }

    /// Whether a value refers to an object under construction.
    pub(in crate::suite) fn refers_to_unmade(&self, value: &Value) -> bool {
        value
            .within()
            .any(|v| matches!(v, Value::Ref(object) if self.making.contains(object)))
    }

    /// Writes the value of a `const` field from its declaration.
    fn initial(&self, value: &Expr, name: &str) -> Translated<rust::Expr> {
        let mut needs_object = false;
        crate::translation::walk::each_expr(value, &mut |e| {
            needs_object |= matches!(e.kind, ExprKind::This)
        });
        if needs_object {
            return Err(self.no(format!(
                "the `const` field `{name}`, whose value depends on its object"
            )));
        }
        Body::new(self.scope).value(value)
    }

    fn made(&self, id: ObjectId) -> bool {
        self.made.contains(&id)
            || self
                .objects
                .get(&id)
                .is_some_and(|n| declares(&self.lets, n))
    }

    fn array(
        &mut self,
        elements: &Elements<Option<Value>>,
        n: u32,
        elem: &Type,
    ) -> Translated<rust::Expr> {
        let all: Option<Vec<Value>> = elements.iter().cloned().collect();
        if let (1, Some(all)) = (n, all.filter(|all| all.len() >= LONG_ARRAY)) {
            // Runs of equal elements are written once.
            let (array, t) = (self.scope.array_type(n)?, self.scope.rust_type(elem)?);
            let elements = self.runs(&all, elem)?;
            return Ok(expr!(#array::<#t>::of((#elements).to_vec())));
        }
        let mut out = Vec::new();
        for e in elements.iter() {
            out.push(match e {
                Some(v) => self.value(v, elem)?,
                None => match self.scope.default_value(elem)? {
                    Some(v) => v,
                    None => return Err(self.no("an array element without a value")),
                },
            });
        }
        let (array, t) = (self.scope.array_type(n)?, self.scope.rust_type(elem)?);
        if n == 1 {
            return Ok(expr!(#array::<#t>::of([#..out])));
        }
        let lengths = elements
            .dims()
            .iter()
            .map(rust::Expr::number)
            .map(|d| expr!(int(#d)));
        Ok(expr!({
            let mut elements = Vec::<#t>::from([#..out]).into_iter();
            #array::init_with([#..lengths], |_| (&mut elements).next().unwrap())
        }))
    }
}

/// An object that is allocated along with another one, which holds it in a field.
struct Part {
    object: ObjectId,
    holder: ObjectId,
    field: FieldId,
}

/// Whether all called members are translated.
fn are_present(mocking: &Mocking<'_>, by: &Construction) -> bool {
    let called = std::iter::once(by.maker).chain(by.then.iter().map(|c| c.callee));
    called
        .into_iter()
        .all(|c| mocking.present.contains(&Dependency::Callable(c)))
}

/// Whether the statements declare the variable.
fn declares(lets: &[rust::Stmt], name: &Ident) -> bool {
    lets.iter()
        .any(|s| matches!(s, rust::Stmt::Let(l) if l.variable().as_ref() == Some(name)))
}
