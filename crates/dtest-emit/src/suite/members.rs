//! Checks of members that are not part of the constructed values: computed constants, and fields
//! that are read through traits.

use super::Writer;
use super::looks::reads;
use crate::rust::Stmts;
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::code::Code;
use crate::translation::convention::Dependency;
use dafny_resolve::typed::{Expr, ExprKind, FieldId, FieldKind, Type};
use dtest_value::{Contents, Heap, Value};

impl Writer<'_, '_> {
    /// Checks the values of constants of `this`, of type `ty`; without `this`, of static ones of
    /// the type. Constants that the translation lacks are left out.
    pub(super) fn constants(
        &self,
        (this, ty): (Option<&Code>, &Type),
        constants: &[(FieldId, Value)],
        values: &mut Values<'_, '_, '_>,
    ) -> Stmts {
        let program = self.ground.program;
        let mut checks = Stmts::new();
        let mut body = Body::new(values.scope);
        body.this = this.cloned();
        for (field, value) in constants
            .iter()
            .filter(|(f, _)| self.translation.present.contains(&Dependency::Const(*f)))
        {
            // A static constant is read through the type, so it needs the type arguments.
            let type_args = if let (None, Type::Named { args, .. }) = (this, ty) {
                args.clone()
            } else {
                Vec::new()
            };
            let of = this.map(|_| {
                Box::new(Expr {
                    kind: ExprKind::This,
                    ty: ty.clone(),
                    span: program[*field].span,
                })
            });
            let kind = ExprKind::Field {
                object: of.clone(),
                discarded: None,
                field: *field,
                type_args: type_args.clone(),
            };
            let e = Expr {
                kind,
                ty: program.field_type(ty, *field),
                span: program[*field].span,
            };
            // The constant is read like in the program, by the translation of a field access.
            if let Ok(code) = body.field(&e, of.as_deref(), *field, &type_args) {
                checks.extend(reads(
                    (&code.looked_at(), &code.receiver()),
                    (value, &e.ty),
                    &self.member_text(ty, *field),
                    values,
                ));
            }
        }
        checks
    }

    /// Checks that the traits of an object's class see the fields that it was created with.
    pub(super) fn seen_by_traits(
        &self,
        (this, ty): (&Code, &Type),
        object: &Value,
        heap: &Heap,
        values: &mut Values<'_, '_, '_>,
    ) -> Stmts {
        let program = self.ground.program;
        let mut checks = Stmts::new();
        let (Type::Named { decl, .. }, Value::Ref(object)) = (ty, object) else {
            return checks;
        };
        let Some(Contents::Fields(held)) = heap.objects.get(object.0 as usize).map(|o| &o.contents)
        else {
            return checks;
        };
        let mut body = Body::new(values.scope);
        // A field of a trait is read through the trait: the translation has an accessor for it.
        for (owner, _) in program.ancestors(*decl) {
            for field in program[owner].fields.iter().filter(|f| {
                !program[**f].ghost && !matches!(program[**f].kind, FieldKind::Const(Some(_)))
            }) {
                let Some(value) = held.get(field) else {
                    continue;
                };
                let e = Expr {
                    kind: ExprKind::This,
                    ty: program.field_type(ty, *field),
                    span: program[*field].span,
                };
                if let Ok(code) = body.trait_field(&e, this, ty, *field) {
                    let text = format!(
                        "{}, seen as `{}`",
                        self.member_text(ty, *field),
                        program[owner].name
                    );
                    checks.extend(reads(
                        (&code.looked_at(), &code.receiver()),
                        (value, &e.ty),
                        &text,
                        values,
                    ));
                }
            }
        }
        checks
    }

    fn member_text(&self, ty: &Type, field: FieldId) -> String {
        let program = self.ground.program;
        format!(
            "{}: {}.{}",
            self.ground.sources.locate(program[field].span),
            program.show_type(ty),
            program[field].name
        )
    }
}
