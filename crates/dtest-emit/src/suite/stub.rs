//! Stubs for external code in a test.

use super::Writer;
use super::test::is_plain;
use crate::rust::{self, Argument, Ident, MacroName, Stmts, expr, ident};
use crate::suite::value::Values;
use crate::translation::convention::{Scope, Translated};
use dafny_resolve::typed::{CallableId, CallableKind, Substitution, Type};
use dtest_desugar::{External, ExternalCode as _};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, ObjectId, Place, Value};

impl Writer<'_, '_> {
    /// Writes the stubs of a test, and the lines of its documentation about external code.
    pub(super) fn stubs(
        &self,
        answers: &[Answer],
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
        lines: &mut Stmts,
        doc: &mut Vec<String>,
    ) -> Translated<()> {
        let program = self.ground.program;
        // Each callable is documented once, in the order of the calls.
        let mut said: SortedSet<CallableId> = SortedSet::new();
        for answer in answers {
            if program.is_mocked(answer.callee) {
                let path = program.callable_path(answer.callee);
                return Err(scope.unsupported(
                    program[answer.callee].span,
                    format!("a mock whose method `{path}` is called"),
                ));
            }
            // Each function is described once, however often it is called.
            if said.insert(answer.callee) {
                doc.push(self.sentence(answer.callee));
            }
            if let (Some(External::Stub), true) =
                (program.external(answer.callee), self.options.is_translation)
            {
                for span in &answer.undecided {
                    let place = self.ground.sources.locate(*span);
                    doc.push(format!("Undecided when the test was written: whether the stub's result satisfies {place}."));
                }
                self.stub(answer, scope, values, lines)?;
            }
        }
        Ok(())
    }

    /// Whether some of the described calls are made once: calls of methods.
    pub(super) fn describes_calls(&self, answers: &[Answer]) -> bool {
        let program = self.ground.program;
        let is_described = |a: &Answer| {
            matches!(program.external(a.callee), Some(External::Stub))
                && !program[a.callee].kind.is_function()
        };
        self.options.is_translation && answers.iter().any(is_described)
    }

    fn sentence(&self, callee: CallableId) -> String {
        let path = self.ground.program.callable_path(callee);
        match self.ground.program.external(callee) {
            Some(External::Stub)
                if self.options.is_translation
                    && self.ground.program[callee].spec.ensures.is_empty()
                    && !self.ground.program[callee].outs.is_empty() =>
            {
                format!(
                    "No Rust is linked to `{path}`, which has no postcondition: a stub returns any value. A postcondition limits it to results that can occur."
                )
            }
            Some(External::Stub) if self.options.is_translation => {
                format!(
                    "No Rust is linked to `{path}`: a stub returns results according to its contract."
                )
            }
            Some(External::Stub | External::Linked(_)) | None => {
                format!(
                    "Calls the linked Rust for `{path}`: values that depend on it are not checked."
                )
            }
        }
    }

    /// Writes `stub!("M.F", [a, b] => value);`.
    fn stub(
        &self,
        answer: &Answer,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
        lines: &mut Stmts,
    ) -> Translated<()> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        let substitution: Substitution = program
            .all_type_params(answer.callee)
            .into_iter()
            .zip(answer.type_args.iter().cloned())
            .collect();
        let described = self.described(answer, &substitution, values);
        let (mut results, mut types) =
            self.results_of_answer(answer, &substitution, scope, values)?;
        if c.kind == CallableKind::Constructor {
            self.fields_given(
                answer,
                &substitution,
                scope,
                values,
                &mut results,
                &mut types,
            )?;
        }
        let (stores, mut captured) = self.changes(answer, scope, values)?;
        // The results are created at each call, from the objects that they refer to.
        let returned = answer.results.iter().flatten();
        for object in returned.chain(answer.changes.iter().map(|(_, _, value)| value)) {
            for part in object.within() {
                if let Value::Ref(id) = part
                    && let Some(name) = values.object_name(*id)
                {
                    captured.insert(name.to_string(), name.clone());
                }
            }
        }
        lines.extend(values.take_statements());
        let stores_nothing = stores.is_empty();
        let value = stores_then_result(stores, results);
        // The context of an answer does not determine its type arguments.
        let value = if stores_nothing && types.iter().any(rust::Type::has_arguments) {
            let ty = rust::Type::one_or_tuple(types);
            expr!(std::convert::identity::<#ty>(#value))
        } else {
            value
        };
        let name = if c.kind.is_function() {
            MacroName::Stub
        } else {
            MacroName::StubOnce
        };
        let path = program.callable_path(answer.callee);
        let answers = Argument::Pair(expr!([#..described]), value);
        let args = [Argument::Value(path.into()), answers].into_iter().chain(
            captured
                .into_values()
                .map(|name| Argument::Value(name.into())),
        );
        lines.push(rust::Stmt::Run(rust::Expr::Macro(rust::Macro {
            name,
            in_brackets: false,
            args: args.collect(),
        })));
        Ok(())
    }

    /// Writes the compiled results of an answer, with their types.
    fn results_of_answer(
        &self,
        answer: &Answer,
        substitution: &Substitution,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
    ) -> Translated<(Vec<rust::Expr>, Vec<rust::Type>)> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        let (mut results, mut types) = (Vec::new(), Vec::new());
        for (formal, value) in c.outs.iter().zip(&answer.results) {
            let local = &program[formal.local];
            if local.ghost {
                continue;
            }
            let ty = local.ty.subst(substitution);
            let Some(value) = value else {
                return Err(scope.unsupported(c.span, "a stub with an unknown result"));
            };
            // The unit created the object, and the stub returns it.
            let received = if let Value::Ref(object) = value
                && values.object_type(*object).is_none()
            {
                Some(self.received(answer, *object, scope)?.1)
            } else {
                None
            };
            results.push(match received {
                Some(received) => received,
                None => values.value(value, &ty)?,
            });
            types.push(scope.rust_type(&ty)?);
        }
        Ok((results, types))
    }

    /// Writes the arguments that an answer is for.
    fn described(
        &self,
        answer: &Answer,
        substitution: &Substitution,
        values: &mut Values<'_, '_, '_>,
    ) -> Vec<rust::Expr> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        let mut args = answer.args.iter();
        let mut described = Vec::new();
        if let Some(owner) = c.owner.filter(|_| !c.is_static) {
            let ty = Type::named(
                owner,
                program[owner]
                    .type_params
                    .iter()
                    .map(|&p| Type::Param(p))
                    .collect(),
            );
            let this = args.next();
            // The object of a constructor does not exist before the call.
            if c.kind != CallableKind::Constructor {
                described.push(self.argument(
                    this.and_then(Option::as_ref),
                    &ty.subst(substitution),
                    values,
                ));
            }
        }
        for (formal, value) in c.ins.iter().zip(args) {
            let local = &program[formal.local];
            if !local.ghost {
                described.push(self.argument(
                    value.as_ref(),
                    &local.ty.subst(substitution),
                    values,
                ));
            }
        }
        described
    }

    /// Returns the answer of a constructor: the values of the fields of its object.
    fn fields_given(
        &self,
        answer: &Answer,
        substitution: &Substitution,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
        results: &mut Vec<rust::Expr>,
        types: &mut Vec<rust::Type>,
    ) -> Translated<()> {
        let program = self.ground.program;
        let Some(owner) = program[answer.callee].owner else {
            return Ok(());
        };
        let made = answer.args.first().and_then(Option::as_ref);
        for f in program.fields_given(owner) {
            let given = answer
                .changes
                .iter()
                .find(|(id, place, _)| made == Some(&Value::Ref(*id)) && *place == Place::Field(f));
            let Some((_, _, value)) = given else {
                let reason = format!(
                    "a stub that assigns an unknown value to `{}`",
                    program[f].name
                );
                return Err(scope.unsupported(program[answer.callee].span, reason));
            };
            let ty = program[f].ty.subst(substitution);
            results.push(values.value(value, &ty)?);
            types.push(scope.rust_type(&ty)?);
        }
        Ok(())
    }

    /// Writes an argument of a described call; an argument that cannot be written matches any
    /// value.
    fn argument(
        &self,
        value: Option<&Value>,
        ty: &Type,
        values: &mut Values<'_, '_, '_>,
    ) -> rust::Expr {
        let anything = expr!(Anything);
        match value {
            // An object without a variable was created by the unit, so a test cannot name it.
            Some(Value::Ref(object)) => values
                .object_name(*object)
                .map_or(anything, |name| expr!(#name.clone())),
            // Functions are equal only to their copies, and lazy values may be infinite.
            Some(value) if is_plain(value) || *value == Value::Null => {
                values.value(value, ty).unwrap_or(anything)
            }
            Some(_) | None => anything,
        }
    }

    /// Returns the type of an object that the unit created, and the argument of the call that it is.
    fn received(
        &self,
        answer: &Answer,
        object: ObjectId,
        scope: &Scope<'_, '_>,
    ) -> Translated<(Type, rust::Expr)> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        let unknown = || {
            scope.unsupported(
                c.span,
                "a stub that modifies an object which the test did not create",
            )
        };
        let substitution: Substitution = program
            .all_type_params(answer.callee)
            .into_iter()
            .zip(answer.type_args.iter().cloned())
            .collect();
        let this = c.owner.filter(|_| !c.is_static).map(|owner| {
            let type_params = &program[owner].type_params;
            Type::named(owner, type_params.iter().map(|&p| Type::Param(p)).collect())
        });
        // Ghost parameters are not passed.
        let declared = c.ins.iter().map(|formal| {
            let local = &program[formal.local];
            (!local.ghost, local.ty.clone())
        });
        let params = this.map(|ty| (true, ty)).into_iter().chain(declared);
        let mut passed = params
            .zip(&answer.args)
            .filter(|((is_passed, _), _)| *is_passed);
        let is_it = |(_, arg): ((bool, Type), &Option<Value>)| *arg == Some(Value::Ref(object));
        let position = passed.clone().position(is_it).ok_or_else(unknown)?;
        let ((_, ty), _) = passed.nth(position).ok_or_else(unknown)?;
        let ty = ty.subst(&substitution);
        let is_plain = match &ty {
            Type::Array { nullable, .. } => !nullable,
            Type::Named {
                decl,
                nullable: false,
                ..
            } => {
                matches!(
                    program[*decl].kind,
                    dafny_resolve::typed::TypeDeclKind::Class
                )
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Named { nullable: true, .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        };
        if !is_plain {
            return Err(unknown());
        }
        let (rust_type, position) = (scope.rust_type(&ty)?, rust::Expr::number(position));
        Ok((ty, expr!(dunit::stub::received::<#rust_type>(#position))))
    }

    /// Returns the changes that an answer makes: statements, and the objects that they use.
    fn changes(
        &self,
        answer: &Answer,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
    ) -> Translated<(Vec<rust::Expr>, SortedMap<String, Ident>)> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        if c.kind == CallableKind::Constructor {
            // The fields of a constructor's object are its answer.
            return Ok((Vec::new(), SortedMap::new()));
        }
        let (mut stores, mut captured) = (Vec::new(), SortedMap::new());
        // The translation has no ghost fields but those that clauses read.
        let is_ghost = |place: &Place| matches!(place, Place::Field(f) if program[*f].ghost);
        let changes = answer.changes.iter();
        for (object, place, value) in changes.filter(|(_, place, _)| !is_ghost(place)) {
            let name = values.object_name(*object).cloned();
            let known = values.object_type(*object).zip(name.as_ref());
            let (ty, target) = match known {
                Some((ty, name)) => (ty, expr!(#name)),
                None => self.received(answer, *object, scope)?,
            };
            // The stub outlives the statement, so it has copies of the references to the objects.
            captured.extend(name.map(|name| (name.to_string(), name)));
            let store = match place {
                Place::Field(f) => {
                    let value = values.value(value, &values_field(program, &ty, *f))?;
                    let field = ident(self.ground.names.field(*f));
                    expr!(#target.#field.set(#value))
                }
                Place::Element(i) => {
                    let Type::Array { elem, dims: 1, .. } = &ty else {
                        return Err(scope.unsupported(
                            c.span,
                            "a stub that modifies an array of several dimensions",
                        ));
                    };
                    let value = values.value(value, elem)?;
                    let i = rust::Expr::number(i);
                    expr!(#target.set(#i, #value))
                }
            };
            stores.push(store);
        }
        Ok((stores, captured))
    }
}

/// Returns the type of a field of an object of a class type.
fn values_field(
    program: &dafny_resolve::typed::Program,
    class: &Type,
    field: dafny_resolve::typed::FieldId,
) -> Type {
    if let Type::Named { decl, args, .. } = class {
        program[field].ty.subst(&program.substitution(*decl, args))
    } else {
        program[field].ty.clone()
    }
}

/// Writes the value of a stub: its changes of objects, then its results. A stub that only changes
/// objects returns nothing, which needs no value after the changes.
fn stores_then_result(stores: Vec<rust::Expr>, results: Vec<rust::Expr>) -> rust::Expr {
    let has_result = !results.is_empty() || stores.is_empty();
    let result = has_result.then(|| rust::Expr::one_or_tuple(results));
    match (stores.len(), result) {
        (0, Some(result)) => result,
        (1, None) => rust::Expr::one_or_tuple(stores),
        (_, result) => rust::Expr::block(
            stores
                .into_iter()
                .map(rust::Stmt::Run)
                .chain(result.map(rust::Stmt::Value))
                .collect(),
        ),
    }
}
