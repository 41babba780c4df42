//! Enumeration of all values of a finite type in ascending order, as Rust iterators.

use super::body::Body;
use super::code::{self, Code, Own, number};
use super::convention::{Scope, Translated};
use super::rep::Rep;
use super::rep::primitive;
use crate::rust::{self, Ident, expr, ident, path, stmts};
use dafny_resolve::typed::{FieldId, Span, Type, TypeDeclKind, TypeId};

impl Body<'_, '_, '_> {
    /// Returns an iterator over the values of a type, including those that only its constraint
    /// excludes.
    pub(super) fn all_values(&mut self, ty: &Type, span: Span) -> Translated<rust::Expr> {
        match self.rep(ty) {
            Rep::Bool => {
                let f = self.scope.runtime("all_bools");
                Ok(expr!(#f()))
            }
            Rep::Char => {
                let f = self
                    .scope
                    .runtime(if self.scope.ground.program.options.unicode_char {
                        "all_chars"
                    } else {
                        "all_chars16"
                    });
                Ok(expr!(#f()))
            }
            Rep::Native(n) => {
                // A newtype may have fewer values than its native type.
                let range = if let Type::Named { decl, .. } = ty {
                    match &self.scope.ground.program[*decl].kind {
                        TypeDeclKind::Newtype(c) => c.range.clone(),
                        TypeDeclKind::Datatype { .. }
                        | TypeDeclKind::Subset(_)
                        | TypeDeclKind::Abstract
                        | TypeDeclKind::Class
                        | TypeDeclKind::Trait { .. }
                        | TypeDeclKind::Iterator(_) => None,
                    }
                } else {
                    None
                };
                let n = ident(primitive(n));
                Ok(match range {
                    Some((low, high)) => {
                        let (low, high) =
                            (number(&low.to_string()), number(&(high - 1u32).to_string()));
                        expr!((#low..=#high as #n))
                    }
                    None => expr!((#n::MIN..=#n::MAX)),
                })
            }
            Rep::Bv(width) if width <= 16 => {
                let (range, bv) = (self.scope.runtime("range"), self.scope.runtime("Bv"));
                let end = rust::Expr::number(1u32 << width);
                Ok(expr!(#range(0, #end).map(|n| #bv::<#width>::of_int(&n))))
            }
            Rep::Tuple(components) => self.all_of(&components, span, &code::tuple),
            Rep::Datatype(decl, args) => self.all_constructed(ty, (decl, &args), span),
            Rep::Int
            | Rep::Real
            | Rep::Bv(_)
            | Rep::Ordinal
            | Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => Err(self.scope.no_values(ty, span)),
        }
    }

    /// Returns an iterator over the values of a datatype.
    fn all_constructed(
        &mut self,
        ty: &Type,
        (decl, args): (TypeId, &[Type]),
        span: Span,
    ) -> Translated<rust::Expr> {
        let (path, fish) = (self.scope.type_path(decl), self.scope.turbofish(args)?);
        let map = self.scope.ground.program.substitution(decl, args);
        let ctors = self.scope.ground.datatype_ctors(decl);
        // Enumerations become an array; constructors with fields become chained iterators.
        let is_plain = ctors
            .iter()
            .all(|&c| self.scope.ground.ctor_fields(c).is_empty());
        let mut each = Vec::new();
        for ctor in ctors {
            let variant = ident(self.scope.ground.names.ctor(ctor));
            let fields: Vec<FieldId> = self.scope.ground.ctor_fields(ctor);
            let types: Vec<Type> = fields
                .iter()
                .map(|f| self.scope.ground.program[*f].ty.subst(&map))
                .collect();
            let made = |body: &Self, parts: Vec<rust::Expr>| {
                let (path, fish) = (&path, fish.clone());
                let inits = fields.iter().copied().zip(parts).collect();
                body.scope
                    .construct(ctor, decl, path!(#path::<#..fish>::#variant), inits)
            };
            if is_plain {
                each.push(made(self, Vec::new()));
                continue;
            }
            // The constructor is written inside a closure that also borrows the body.
            let shared = Body::new(self.scope);
            each.push(self.all_of(&types, span, &|parts| made(&shared, parts))?);
        }
        if is_plain && !each.is_empty() {
            return Ok(expr!([#..each].into_iter()));
        }
        each.into_iter()
            .reduce(|first, other| expr!(#first.chain(#other)))
            .ok_or_else(|| self.scope.no_values(ty, span))
    }

    /// Returns an iterator over the results of `make` for all combinations of values of the types;
    /// the first varies slowest.
    fn all_of(
        &mut self,
        types: &[Type],
        span: Span,
        make: &dyn Fn(Vec<rust::Expr>) -> rust::Expr,
    ) -> Translated<rust::Expr> {
        let Some((last, before)) = types.split_last() else {
            let made = make(Vec::new());
            return Ok(expr!(std::iter::once(#made)));
        };
        let names: Vec<Ident> = types.iter().map(|_| self.make_up("part")).collect();
        let copies: Vec<bool> = types.iter().map(|t| self.copy(t)).collect();
        let Some((name, others)) = names.split_last() else {
            return Err(self.scope.no_values(last, span));
        };
        let parts = others
            .iter()
            .zip(&copies)
            .map(|(n, copy)| if *copy { expr!(#n) } else { expr!(#n.clone()) });
        let (made, values) = (
            make(parts.chain([name.into()]).collect()),
            self.admitted(last, span)?,
        );
        let mut all = expr!(#values.map(move |#name| #made));
        for (i, ty) in before.iter().enumerate().rev() {
            let Some(name) = names.get(i) else { continue };
            // Each nested closure owns its copies.
            let kept = names
                .iter()
                .zip(&copies)
                .take(i + 1)
                .filter(|(_, copy)| !**copy)
                .flat_map(|(n, _)| stmts!(let #n = #n.clone();))
                .collect::<rust::Stmts>();
            let values = self.admitted(ty, span)?;
            all = expr!(#values.flat_map(move |#name| { #..kept #..all }));
        }
        Ok(all)
    }

    /// Returns the values of a type that satisfy its constraint.
    fn admitted(&mut self, ty: &Type, span: Span) -> Translated<rust::Expr> {
        let values = self.all_values(ty, span)?;
        let name = self.make_up("value");
        let code = Code::reference(&name, self.copy(ty));
        let conditions = self.constraints(ty, &code, span)?;
        debug_assert!(code.own() == Own::Ref);
        Ok(if conditions.is_empty() {
            values
        } else {
            expr!(#values.filter(|#name| #&&conditions))
        })
    }
}

impl Scope<'_, '_> {
    fn no_values(&self, ty: &Type, span: Span) -> super::Unsupported {
        self.unsupported(
            span,
            format!("all values of `{}`", self.ground.program.show_type(ty)),
        )
    }
}
