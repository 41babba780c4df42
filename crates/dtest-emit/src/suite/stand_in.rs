//! What stands in for external code, as a test describes it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::Writer;
use super::test::is_plain;
use crate::code::ident;
use crate::convention::{Scope, Translated};
use crate::rust::Ident;
use crate::value::Values;
use dafny_resolve::typed::{CallableId, CallableKind, External, Substitution, Type};
use dtest_engine::value::{Answer, Place, Value};

impl Writer<'_, '_> {
    /// Descriptions of the stand-ins, and what the test's documentation says of external code.
    pub(super) fn stand_ins(
        &self,
        answers: &[Answer],
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
        lines: &mut TokenStream,
        doc: &mut Vec<String>,
    ) -> Translated<()> {
        let program = self.ground.program;
        // Once for each callable, in the order of the calls.
        let mut said: BTreeSet<CallableId> = BTreeSet::new();
        for answer in answers {
            if program.is_mocked(answer.callee) {
                let path = program.callable_path(answer.callee);
                return Err(scope.unsupported(program[answer.callee].span, format!("a mock whose method `{path}` is called")));
            }
            if said.insert(answer.callee) {
                doc.push(self.sentence(answer.callee));
            }
            if let (Some(External::StandIn), true) = (program.external(answer.callee), self.options.is_translation) {
                for span in &answer.undecided {
                    let place = self.ground.sources.locate(*span);
                    doc.push(format!("Not decided before the test was written: whether the stand-in's answer meets {place}."));
                }
                self.stand_in(answer, scope, values, lines)?;
            }
        }
        Ok(())
    }

    /// Whether calls are described that are made once: those of methods.
    pub(super) fn describes_calls(&self, answers: &[Answer]) -> bool {
        let program = self.ground.program;
        let is_described =
            |a: &Answer| matches!(program.external(a.callee), Some(External::StandIn)) && !program[a.callee].kind.is_function();
        self.options.is_translation && answers.iter().any(is_described)
    }

    fn sentence(&self, callee: CallableId) -> String {
        let path = self.ground.program.callable_path(callee);
        match self.ground.program.external(callee) {
            Some(External::StandIn) if self.options.is_translation => {
                format!("No Rust is linked to `{path}`: a stand-in answers by its contract.")
            }
            Some(External::StandIn | External::Linked(_) | External::Unknown) | None => {
                format!("Calls the Rust for `{path}`: values that depend on it are not asked for.")
            }
        }
    }

    /// `stand_in!("M.F", [a, b] => value);`
    fn stand_in(&self, answer: &Answer, scope: &Scope<'_, '_>, values: &mut Values<'_, '_, '_>, lines: &mut TokenStream) -> Translated<()> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        let substitution: Substitution = program.all_type_params(answer.callee).into_iter().zip(answer.type_args.iter().cloned()).collect();
        let mut args = answer.args.iter();
        let mut described = Vec::new();
        if let Some(owner) = c.owner.filter(|_| !c.is_static) {
            let ty = Type::named(owner, program[owner].type_params.iter().map(|&p| Type::Param(p)).collect());
            let this = args.next();
            if c.kind != CallableKind::Constructor {
                described.push(self.argument(this.and_then(Option::as_ref), &ty.subst(&substitution), values));
            }
        }
        for (formal, value) in c.ins.iter().zip(args) {
            let local = &program[formal.local];
            if !local.ghost {
                described.push(self.argument(value.as_ref(), &local.ty.subst(&substitution), values));
            }
        }
        let (mut results, mut types) = (Vec::new(), Vec::new());
        for (formal, value) in c.outs.iter().zip(&answer.results) {
            let local = &program[formal.local];
            if local.ghost {
                continue;
            }
            let ty = local.ty.subst(&substitution);
            let Some(value) = value else { return Err(scope.unsupported(c.span, "a stand-in whose answer is not known")) };
            results.push(values.value(value, &ty)?.into_token_stream());
            types.push(scope.rust_type(&ty)?.into_token_stream());
        }
        if c.kind == CallableKind::Constructor {
            self.fields_given(answer, &substitution, scope, values, &mut results, &mut types)?;
        }
        let tuple = |parts: &[TokenStream]| match parts {
            [one] => one.clone(),
            many => quote!((#(#many),*)),
        };
        let (stores, captured) = self.changes(answer, scope, values)?;
        let value = match (stores.as_slice(), results.as_slice()) {
            ([], _) => tuple(&results),
            ([one], []) => one.clone(),
            (_, []) => quote!({ #(#stores;)* }),
            (_, _) => {
                let result = tuple(&results);
                quote!({ #(#stores;)* #result })
            }
        };
        // Nothing around an answer says what type arguments it has.
        let value = if types.iter().any(|t| t.to_string().contains('<')) && stores.is_empty() {
            let ty = tuple(&types);
            quote!(std::convert::identity::<#ty>(#value))
        } else {
            value
        };
        let name = ident(if c.kind.is_function() { "stand_in" } else { "stand_in_once" });
        let path = program.callable_path(answer.callee);
        lines.extend(quote!(#name!(#path, [#(#described),*] => #value #(, #captured)*);));
        Ok(())
    }

    /// What a constructor answers: the values of the fields of its object.
    fn fields_given(
        &self,
        answer: &Answer,
        substitution: &Substitution,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
        results: &mut Vec<TokenStream>,
        types: &mut Vec<TokenStream>,
    ) -> Translated<()> {
        let program = self.ground.program;
        let Some(owner) = program[answer.callee].owner else { return Ok(()) };
        let made = answer.args.first().and_then(Option::as_ref);
        for f in program.fields_given(owner) {
            let given = answer.changes.iter().find(|(id, place, _)| made == Some(&Value::Ref(*id)) && *place == Place::Field(f));
            let Some((_, _, value)) = given else {
                let reason = format!("a stand-in that gives `{}` a value that is not known", program[f].name);
                return Err(scope.unsupported(program[answer.callee].span, reason));
            };
            let ty = program[f].ty.subst(substitution);
            results.push(values.value(value, &ty)?.into_token_stream());
            types.push(scope.rust_type(&ty)?.into_token_stream());
        }
        Ok(())
    }

    /// An argument as it is described: what cannot be written down may be anything.
    fn argument(&self, value: Option<&Value>, ty: &Type, values: &mut Values<'_, '_, '_>) -> TokenStream {
        let anything = quote!(Anything);
        match value {
            Some(Value::Ref(object)) => values.object_name(*object).map_or(anything, |name| quote!(#name.clone())),
            Some(value) if is_plain(value) || *value == Value::Null => {
                values.value(value, ty).map_or(anything, |value| value.into_token_stream())
            }
            Some(_) | None => anything,
        }
    }

    /// What the answer changes: statements, and the objects that they name.
    fn changes(
        &self,
        answer: &Answer,
        scope: &Scope<'_, '_>,
        values: &mut Values<'_, '_, '_>,
    ) -> Translated<(Vec<TokenStream>, Vec<Ident>)> {
        let program = self.ground.program;
        let c = &program[answer.callee];
        if c.kind == CallableKind::Constructor {
            // They are what it answers.
            return Ok((Vec::new(), Vec::new()));
        }
        let (mut stores, mut captured) = (Vec::new(), BTreeMap::new());
        for (object, place, value) in &answer.changes {
            let Some(name) = values.object_name(*object).cloned() else {
                return Err(scope.unsupported(c.span, "a stand-in that changes an object which the test did not make"));
            };
            let Some(ty) = values.object_type(*object) else { continue };
            let store = match place {
                Place::Field(f) => {
                    let value = values.value(value, &values_field(program, &ty, *f))?;
                    let field = ident(self.ground.names.field(*f));
                    quote!(#name.#field.set(#value))
                }
                Place::Element(i) => {
                    let Type::Array { elem, dims: 1, .. } = &ty else {
                        return Err(scope.unsupported(c.span, "a stand-in that changes an array of several dimensions"));
                    };
                    let value = values.value(value, elem)?;
                    let i = proc_macro2::Literal::usize_unsuffixed(*i);
                    quote!(#name.set(#i, #value))
                }
            };
            stores.push(store);
            captured.insert(name.to_string(), name);
        }
        Ok((stores, captured.into_values().collect()))
    }
}

/// The type of a field of an object of a class type.
fn values_field(program: &dafny_resolve::typed::Program, class: &Type, field: dafny_resolve::typed::FieldId) -> Type {
    match class {
        Type::Named { decl, args, .. } => program[field].ty.subst(&program.substitution(*decl, args)),
        _ => program[field].ty.clone(),
    }
}
