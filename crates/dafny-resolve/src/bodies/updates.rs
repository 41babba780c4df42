//! Updates of values: `s[i := v]` and `d.(f := v)`.

use crate::typed::{CtorId, Expr, ExprKind, FieldId, Type, TypeDeclKind, TypeId};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::Member;
use super::super::index::Definition;
use super::Resolver;
use super::expr::{boxed, mk};
use super::needs::Kind;

impl Resolver<'_> {
    pub(super) fn update(
        &mut self,
        object: &ast::Expr,
        key: &ast::Expr,
        value: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let object = self.expr(object, hint);
        let mut shape = self.representation(&object.ty);
        if self.st.inf.is_unbound(&shape) {
            // Pending constraints may determine the collection; otherwise the expected type does.
            self.settle();
            if let (true, Some(h)) = (self.st.inf.is_unbound(&object.ty), hint) {
                self.flow(h, &object.ty);
            }
            shape = self.representation(&object.ty);
        }
        // The result is a join: the update may have a wider element type than the old collection.
        let result = self.fresh();
        self.flow(&object.ty, &result);
        // An update of a newtype over a collection has that newtype.
        let is_open = !matches!(self.base(&object.ty), Type::Named { .. });
        let (key, value) = match shape {
            Type::Seq(e) => {
                let (key, value) = (self.integer(key), self.expr(value, Some(&e)));
                self.expect_subtype(&value.ty, &e, value.span);
                if is_open {
                    self.expect_type(&Type::Seq(Box::new(value.ty.clone())), &result, value.span);
                }
                (key, value)
            }
            Type::Map {
                finite,
                key: k,
                value: v,
            } => {
                let (key, value) = (self.expr(key, Some(&k)), self.expr(value, Some(&v)));
                self.expect_subtype(&key.ty, &k, key.span);
                self.expect_subtype(&value.ty, &v, value.span);
                let one = Type::Map {
                    finite,
                    key: Box::new(key.ty.clone()),
                    value: Box::new(value.ty.clone()),
                };
                if is_open {
                    self.expect_type(&one, &result, span);
                }
                (key, value)
            }
            Type::Multiset(e) => {
                let key = self.expr(key, Some(&e));
                self.expect_subtype(&key.ty, &e, key.span);
                if is_open {
                    let one = Type::Multiset(Box::new(key.ty.clone()));
                    self.expect_type(&one, &result, key.span);
                }
                let value = self.integer(value);
                self.need(
                    Kind::Integer,
                    &value.ty,
                    "the number of occurrences",
                    value.span,
                );
                (key, value)
            }
            Type::Error => (self.expr(key, None), self.expr(value, None)),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Param(_)
            | Type::Set { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. } => {
                self.wrong_operand(
                    span,
                    format!(
                        "an update requires a sequence, map or multiset, found {}",
                        self.show(&object.ty)
                    ),
                );
                (self.expr(key, None), self.expr(value, None))
            }
        };
        mk(
            ExprKind::Update {
                object: boxed(object),
                key: boxed(key),
                value: boxed(value),
            },
            result,
            span,
        )
    }

    /// Resolves `t.(0 := v)`: the updated components take the types of their new values.
    fn tuple_update(
        &mut self,
        object: Expr,
        mut parts: Vec<(bool, Type)>,
        updates: &[(ast::Ident, ast::Expr)],
        span: Span,
    ) -> Expr {
        let mut typed = Vec::new();
        for (name, value) in updates {
            let value = self.expr(value, None);
            match name
                .name
                .parse::<usize>()
                .ok()
                .and_then(|i| parts.get_mut(i).map(|p| (i, p)))
            {
                Some((i, part)) => {
                    part.1 = value.ty.clone();
                    typed.push((i, value));
                }
                None => self.error(
                    "resolve/unknown-member",
                    name.span,
                    format!("the tuple has no component `{}`", name.name),
                ),
            }
        }
        mk(
            ExprKind::TupleUpdate {
                object: boxed(object),
                updates: typed,
            },
            Type::Tuple(parts),
            span,
        )
    }

    /// The field that an update names. Reports a name that is no field.
    fn updated_field(&mut self, decl: TypeId, name: &ast::Ident, ty: &Type) -> Option<FieldId> {
        let found = self.cx.lookup_member(decl, &name.name).map(|f| f.member);
        if let Some(Member::Field(field)) = found {
            self.cx.notes.note(name.span, Definition::Field(field));
            return Some(field);
        }
        self.error(
            "resolve/unknown-member",
            name.span,
            format!("`{}` is not a field of `{}`", name.name, self.show(ty)),
        );
        None
    }

    pub(super) fn datatype_update(
        &mut self,
        object: &ast::Expr,
        updates: &[(ast::Ident, ast::Expr)],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let object = self.expr(object, hint);
        let ty = self.base(&object.ty);
        if let Type::Tuple(parts) = &ty {
            self.tuple_update(object, parts.clone(), updates, span)
        } else if let Type::Named { decl, args, .. } = &ty {
            let TypeDeclKind::Datatype { ctors, .. } = &self.cx.program[*decl].kind else {
                self.wrong_operand(
                    span,
                    format!(
                        "an update `.(…)` requires a datatype value, found {}",
                        self.show(&object.ty)
                    ),
                );
                return self.broken(span);
            };
            // Only constructors that have all updated fields remain possible.
            let mut ctors = ctors.clone();
            let old = self.cx.program.substitution(*decl, args);
            // Type arguments may change if every field that mentions them is updated.
            let args: Vec<Type> = args.iter().map(|_| self.fresh()).collect();
            let new = self.cx.program.substitution(*decl, &args);
            let mut typed: Vec<(FieldId, Expr)> = Vec::new();
            for (i, (name, value)) in updates.iter().enumerate() {
                if updates.iter().take(i).any(|(n, _)| n.name == name.name) {
                    self.error(
                        "resolve/duplicate",
                        name.span,
                        format!("`{}` is updated twice", name.name),
                    );
                    self.expr(value, None);
                    continue;
                }
                let Some(field) = self.updated_field(*decl, name, &object.ty) else {
                    self.expr(value, None);
                    continue;
                };
                let declared = self.cx.program[field].ty.clone();
                let expected = declared.subst(&old);
                let value = self.expr(value, Some(&expected));
                self.expect_type(&value.ty, &declared.subst(&new), value.span);
                if !ctors
                    .iter()
                    .any(|c| self.cx.program[*c].fields.contains(&field))
                {
                    let message = format!(
                        "no constructor has `{}` together with the other updated fields",
                        name.name
                    );
                    self.error("resolve/update-constructors", name.span, message);
                    continue;
                }
                ctors.retain(|c| self.cx.program[*c].fields.contains(&field));
                typed.push((field, value));
            }
            for ctor in &ctors {
                let c = &self.cx.program[*ctor];
                if c.named.iter().any(|named| !named) {
                    let message = format!(
                        "the constructor `{}` has a parameter without a name, so that its values cannot be updated",
                        c.name
                    );
                    let d = Diagnostic::error("resolve/update-constructors", span, message);
                    self.report(d.with_help("give all parameters of the constructor names"));
                }
            }
            self.keep_fields(&ctors, &typed, &old, &new);
            let ty = Type::named(*decl, args);
            self.flow(&object.ty, &ty);
            mk(
                ExprKind::DatatypeUpdate {
                    object: boxed(object),
                    updates: typed,
                    ctors,
                },
                ty,
                span,
            )
        } else if matches!(&ty, Type::Error) {
            self.broken(span)
        } else {
            self.wrong_operand(
                span,
                format!(
                    "an update `.(…)` requires a datatype value, found {}",
                    self.show(&object.ty)
                ),
            );
            self.broken(span)
        }
    }

    fn keep_fields(
        &mut self,
        ctors: &[CtorId],
        updated: &[(FieldId, Expr)],
        old: &crate::typed::Substitution,
        new: &crate::typed::Substitution,
    ) {
        // The types of fields that keep their values constrain the new type arguments.
        let kept: Vec<FieldId> = ctors
            .iter()
            .flat_map(|c| self.cx.program[*c].fields.clone())
            .collect();
        for f in kept
            .into_iter()
            .filter(|f| !updated.iter().any(|(u, _)| u == f))
        {
            let ty = self.cx.program[f].ty.clone();
            self.flow(&ty.subst(old), &ty.subst(new));
        }
    }
}
