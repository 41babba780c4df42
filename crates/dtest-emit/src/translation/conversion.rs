//! Conversions of values to another type by their parts: elements, components, arguments and
//! results.
//!
//! Three conversions recurse in the same way and differ at the leaves ([`Conversion`]): a cast
//! between classes, traits and `object` ([`super::object`]), and the erasure of the types that a
//! call through a trait cannot know, in both directions ([`super::erase`]).

use super::body::Body;
use super::code::Code;
use super::convention::{Scope, Translated, mentions};
use super::rep::{Holder, Rep};
use crate::rust::{self, Arm, Ident, Pat, Path, expr, ident, path, ty};
use dafny_resolve::typed::{CtorId, Span, Type, TypeId, TypeParamId};
use dtest_desugar::casts::needs_cast;

/// The kind of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion<'a> {
    /// To another type of the same value.
    Cast,
    /// Erases the values of the types that replace these parameters of the target.
    Erase(&'a [TypeParamId]),
    /// Restores erased values, if the source has the parameters.
    Restore(&'a [TypeParamId]),
}

impl<'a> Conversion<'a> {
    /// Returns the conversion of a function's arguments, if this one converts the function.
    fn reversed(self) -> Self {
        match self {
            Self::Cast => Self::Cast,
            Self::Erase(params) => Self::Restore(params),
            Self::Restore(params) => Self::Erase(params),
        }
    }

    /// Returns the type parameters that represent erased types.
    fn erased(self) -> &'a [TypeParamId] {
        match self {
            Self::Cast => &[],
            Self::Erase(params) | Self::Restore(params) => params,
        }
    }
}

impl Body<'_, '_, '_> {
    /// Converts a value to another of its types, if the Rust types differ.
    pub(super) fn object_cast(
        &mut self,
        code: &Code,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Translated<Option<Code>> {
        self.conversion(code, from, to, Conversion::Cast, span)
    }

    /// Converts a value to another type; `None` if the Rust types are equal.
    pub(super) fn conversion(
        &mut self,
        code: &Code,
        from: &Type,
        to: &Type,
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<Option<Code>> {
        let (from, to) = (
            from.subst(&self.scope.substitution),
            to.subst(&self.scope.substitution),
        );
        let program = self.scope.ground.program;
        // Most conversions are the identity, because both types have the same representation.
        let is_other = match how {
            Conversion::Cast => needs_cast(program, &from, &to),
            Conversion::Erase(params) => params.iter().any(|&p| mentions(&to, p)),
            Conversion::Restore(params) => params.iter().any(|&p| mentions(&from, p)),
        };
        if !is_other {
            return Ok(None);
        }
        let number = |p: TypeParamId| how.erased().iter().position(|&q| q == p);
        // Collections convert element by element, functions by wrapping.
        let tokens = match (self.rep(&from), self.rep(&to), how) {
            (_, Rep::Param(p), Conversion::Erase(_)) if number(p).is_some() => {
                self.scope.erased_value(code, number(p))
            }
            (Rep::Param(p), _, Conversion::Restore(_)) if number(p).is_some() => {
                self.scope.restored_value(code, number(p), &to)?
            }
            (Rep::Seq(a), Rep::Seq(b), _) => self.elements(code, "Seq", (&a, &b), how, span)?,
            (Rep::Set(a), Rep::Set(b), _) => self.elements(code, "Set", (&a, &b), how, span)?,
            (Rep::Multiset(a), Rep::Multiset(b), _) => {
                self.elements(code, "Multiset", (&a, &b), how, span)?
            }
            (Rep::Map(k, v), Rep::Map(l, w), _) => {
                self.entries(code, (&k, &l), (&v, &w), how, span)?
            }
            (Rep::Tuple(a), Rep::Tuple(b), _) => self.components(code, &a, &b, how, span)?,
            (Rep::Arrow(a, r), Rep::Arrow(b, s), _) => {
                self.function(code, (&a, &r), (&b, &s), how, span)?
            }
            // A datatype whose type arguments differ: each constructor is built anew.
            (Rep::Datatype(a, _), Rep::Datatype(b, _), _) if a == b => {
                self.constructors(code, a, (&from, &to), how, span)?
            }
            (_, _, Conversion::Cast) => self.seen_as(code, &from, &to)?,
            (_, _, Conversion::Erase(_) | Conversion::Restore(_)) => {
                let ty = program.show_type(if matches!(how, Conversion::Erase(_)) {
                    &to
                } else {
                    &from
                });
                return Err(self.scope.unsupported(
                    span,
                    format!("a value of `{ty}` in a call of a generic member of a trait"),
                ));
            }
        };
        Ok(Some(Code::owned(tokens, self.copy(&to))))
    }

    /// Converts a part of a value, given by reference; returns it unchanged if its type stays.
    fn part(
        &mut self,
        part: &Ident,
        from: &Type,
        to: &Type,
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let code = Code::reference(part, self.copy(from));
        let cast = self.conversion(&code, from, to, how, span)?;
        Ok(cast.unwrap_or(code).owned_value())
    }

    fn elements(
        &mut self,
        code: &Code,
        name: &str,
        (a, b): (&Type, &Type),
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let (o, element, collection) = (
            code.receiver(),
            self.make_up("element"),
            self.scope.runtime(name),
        );
        let (one, t) = (
            self.part(&element, a, b, how, span)?,
            self.scope.side(b, how)?,
        );
        Ok(expr!(#o.iter().map(|#element| #one).collect::<#collection<#t>>()))
    }

    fn entries(
        &mut self,
        code: &Code,
        (k, l): (&Type, &Type),
        (v, w): (&Type, &Type),
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let (o, key, value, map) = (
            code.receiver(),
            self.make_up("key"),
            self.make_up("value"),
            self.scope.runtime("Map"),
        );
        let (one, other) = (
            self.part(&key, k, l, how, span)?,
            self.part(&value, v, w, how, span)?,
        );
        let (l, w) = (self.scope.side(l, how)?, self.scope.side(w, how)?);
        Ok(expr!(#o.iter().map(|(#key, #value)| (#one, #other)).collect::<#map<#l, #w>>()))
    }

    fn components(
        &mut self,
        code: &Code,
        a: &[Type],
        b: &[Type],
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let (value, names): (_, Vec<Ident>) = (
            code.borrowed(),
            a.iter().map(|_| self.make_up("part")).collect(),
        );
        let mut parts = Vec::new();
        for ((name, x), y) in names.iter().zip(a).zip(b) {
            parts.push(self.part(name, x, y, how, span)?);
        }
        let (names, parts) = (Pat::one_or_tuple(names), rust::Expr::one_or_tuple(parts));
        Ok(expr!({ let #names = #value; #..parts }))
    }

    fn function(
        &mut self,
        code: &Code,
        (a, r): (&[Type], &Type),
        (b, s): (&[Type], &Type),
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let (fun, inner, value) = (
            self.scope.function_type(b.len())?,
            &self.make_up("function"),
            code.owned_value(),
        );
        // The new function has the parameters of the target, and calls the old one.
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (x, y) in a.iter().zip(b) {
            let (name, t) = (self.make_up("a"), self.scope.side(y, how)?);
            let code = Code::reference(&name, self.copy(y));
            // Arguments are converted in the opposite direction.
            args.push(
                self.conversion(&code, y, x, how.reversed(), span)?
                    .map_or_else(|| (&name).into(), |c| c.borrowed()),
            );
            params.push((name.into(), Some(ty!(&#t))));
        }
        let called = Code::owned(expr!(#inner.call(#..args)), self.copy(r));
        let result = self
            .conversion(&called, r, s, how, span)?
            .unwrap_or(called)
            .owned_value();
        // Tables find a function by its identity, which a cast preserves.
        let identity = &self.make_up("identity");
        Ok(expr!({
            let #inner = #value;
            let #identity = #inner.identity();
            #fun::new(move |#..params| #result).with_identity(#identity)
        }))
    }

    /// Converts a datatype's value by constructor, in a function, because its fields may have
    /// values of the same type.
    fn constructors(
        &mut self,
        code: &Code,
        decl: TypeId,
        (from, to): (&Type, &Type),
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<rust::Expr> {
        let program = self.scope.ground.program;
        let value = code.borrowed();
        if let Some((_, name)) = self
            .converting
            .iter()
            .find(|(types, _)| types.0 == *from && types.1 == *to)
        {
            // The value is recursive: the enclosing function converts it.
            return Ok(expr!(#name(#value)));
        }
        let name = self.make_up(&format!(
            "convert_{}",
            super::names::snake_case(&program[decl].name)
        ));
        self.converting
            .push(((from.clone(), to.clone()), name.clone()));
        let arms = self.arms(decl, (from, to), how, span);
        self.converting.pop();
        let (arms, generics) = (
            arms?,
            self.scope.generics(&params_of(&[from, to], how.erased())),
        );
        let (given, result) = (self.scope.side(from, how)?, self.scope.side(to, how)?);
        let body = rust::Expr::matching(expr!(value), arms);
        Ok(expr!({
            fn #name<#..generics>(value: &#given) -> #result {
                #body
            }
            #name(#value)
        }))
    }

    fn arms(
        &mut self,
        decl: TypeId,
        (from, to): (&Type, &Type),
        how: Conversion<'_>,
        span: Span,
    ) -> Translated<Vec<Arm>> {
        let ground = self.scope.ground;
        let path = self.scope.type_path(decl);
        let args = |ty: &Type| {
            if let Type::Named { decl, args, .. } = ground.program.representation(ty) {
                ground.program.substitution(decl, &args)
            } else {
                Default::default()
            }
        };
        let (old, new) = (args(from), args(to));
        let mut arms = Vec::new();
        for ctor in ground.datatype_ctors(decl) {
            let (mut bound, mut inits) = (Vec::new(), Vec::new());
            for field in ground.ctor_fields(ctor) {
                let (n, own) = (ident(ground.names.field(field)), &ground.program[field].ty);
                let part = &self.make_up("part");
                let (x, y) = (own.subst(&old), own.subst(&new));
                // A pattern binds a reference to the holder of a field.
                let code = match ground.holder(decl, own) {
                    Holder::Plain => Code::reference(part, self.copy(&x)),
                    Holder::Rc => Code::reference(expr!(&**#part), self.copy(&x)),
                    Holder::Lazy => Code::lazy_variable(part, true),
                };
                let converted = self.conversion(&code, &x, &y, how, span)?;
                inits.push((
                    field,
                    match (code.lazy(), converted) {
                        (Some(lazy), None) => expr!(#lazy.clone()),
                        // A lazy field is converted only when it is evaluated.
                        (Some(_), Some(converted)) => {
                            let (lazy, value) =
                                (self.scope.runtime("Lazy"), converted.owned_value());
                            let value = expr!(#lazy::new(move || { let #part = &#part; #..value }));
                            expr!({ let #part = #part.clone(); #..value })
                        }
                        (None, converted) => {
                            self.scope
                                .wrapped(decl, field, converted.unwrap_or(code).owned_value())
                        }
                    },
                ));
                bound.push(rust::FieldPat {
                    member: n.to_string(),
                    pat: part.into(),
                    is_short: false,
                });
            }
            let value = self
                .scope
                .construct(ctor, decl, self.variant_path(&path, ctor), inits);
            let pattern = self.scope.ctor_pattern(ctor, bound, true);
            arms.push(Arm {
                pat: pattern,
                guard: None,
                body: value,
            });
        }
        Ok(arms)
    }

    fn variant_path(&self, path: &Path, ctor: CtorId) -> Path {
        let variant = self.scope.variant(ctor);
        path!(#path::#variant)
    }
}

impl Scope<'_, '_> {
    /// Returns the Rust type on one side of a conversion.
    fn side(&self, ty: &Type, how: Conversion<'_>) -> Translated<rust::Type> {
        // Parameters that represent erased types are written `Erased<n>` on their side.
        let scope = Scope {
            substitution: self.substitution.clone(),
            erased: how.erased().to_vec(),
            ..Scope::new(self.ground, self.module.clone(), self.spec)
        };
        let tokens = scope.rust_type(ty);
        self.dependencies
            .borrow_mut()
            .extend(scope.dependencies.into_inner());
        tokens
    }

    fn variant(&self, ctor: CtorId) -> Ident {
        ident(self.ground.names.ctor(ctor))
    }
}

/// Returns the type parameters in the types, without those that represent erased types.
fn params_of(types: &[&Type], erased: &[TypeParamId]) -> Vec<TypeParamId> {
    let mut out = Vec::new();
    let mut collect = |ty: &Type| {
        if let Type::Param(p) = ty
            && !out.contains(p)
            && !erased.contains(p)
        {
            out.push(*p);
        }
        false
    };
    types.iter().for_each(|t| {
        t.any(&mut collect);
    });
    out
}
