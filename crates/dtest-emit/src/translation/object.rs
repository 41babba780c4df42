//! Translates casts between classes, traits and `object`, and access to members of traits.

use super::body::Body;
use super::code::Code;
use super::convention::{Dependency, Scope, Translated};
use super::rep::Rep;
use super::traits;
use crate::rust::{self, Ident, Path, expr, ident, path};
use dafny_resolve::typed::{
    Call, CallableId, Expr, FieldId, FieldKind, Type, TypeDeclKind, TypeId,
};
use dtest_desugar::casts::{is_upcast, needs_cast};

impl Body<'_, '_, '_> {
    /// Returns the type that the run-time library searches for in a value.
    fn sought(&mut self, ty: &Type) -> Translated<rust::Type> {
        match self.newtype_wrapper(ty)? {
            Some(wrapper) => Ok(wrapper.into()),
            None => self.scope.rust_type(ty),
        }
    }

    /// Returns the wrapper of a newtype that extends traits, with its type arguments.
    fn newtype_wrapper(&self, ty: &Type) -> Translated<Option<Path>> {
        let program = self.scope.ground.program;
        if let Type::Named { decl, args, .. } = program.strip_subset(ty)
            && matches!(program[decl].kind, TypeDeclKind::Newtype(_))
        {
            let (wrapper, args) = (self.scope.wrapper_path(decl), self.scope.turbofish(&args)?);
            Ok(Some(path!(#wrapper::<#..args>)))
        } else {
            Ok(None)
        }
    }

    /// Converts a value to a reference to a type that implements its traits.
    fn dynamic(&self, code: &Code, ty: &Type) -> Translated<rust::Expr> {
        Ok(match self.newtype_wrapper(ty)? {
            // A newtype's values are those of its base in Rust, which implements no trait of the
            // program.
            Some(wrapper) => {
                let value = code.owned_value();
                expr!(&#wrapper(#value))
            }
            None => code.borrowed(),
        })
    }

    /// Converts a single value to another of its types.
    pub(crate) fn seen_as(
        &mut self,
        code: &Code,
        from: &Type,
        to: &Type,
    ) -> Translated<rust::Expr> {
        let value = self.dynamic(code, from)?;
        let (upcast, downcast) = (self.scope.runtime("upcast"), self.scope.runtime("downcast"));
        let up = is_upcast(self.scope.ground.program, from, to);
        let rep = self.rep(to);
        // Casts to `object` and to a known supertype cannot fail; all others are looked up at run
        // time.
        if rep == Rep::Object {
            let dynamic = self.scope.runtime("Dynamic");
            Ok(expr!(#upcast::<dyn #dynamic, _>(#value)))
        } else if let Rep::Trait(decl, args) = rep
            && up
        {
            let target = self.scope.dyn_trait(decl, &args)?;
            Ok(expr!(#upcast::<#target, _>(#value)))
        } else {
            let target = self.sought(to)?;
            let seen = expr!(#downcast::<#target, _>(#value));
            Ok(if self.newtype_wrapper(to)?.is_some() {
                expr!(#seen.0)
            } else {
                seen
            })
        }
    }

    /// Translates `e is T` for classes, traits and `object`; `None` for other types.
    pub(super) fn object_is(&mut self, inner: &Expr, ty: &Type) -> Translated<Option<Code>> {
        let program = self.scope.ground.program;
        let (from, to) = (
            inner.ty.subst(&self.scope.substitution),
            ty.subst(&self.scope.substitution),
        );
        let base = program.strip_subset(&to);
        // The constraint of the subset type may use members of the base, so the value is cast
        // first.
        if base != to && needs_cast(program, &from, &base) {
            return self.object_is_within(inner, (&from, &base, &to)).map(Some);
        }
        if base != to {
            return Ok(None);
        }
        let code = self.expr(inner)?;
        self.seen_is(&code, &from, &to)
    }

    /// Translates `e is T` for a subset type of a class, trait or `object`: the base type is tested
    /// first.
    fn object_is_within(
        &mut self,
        inner: &Expr,
        (from, base, to): (&Type, &Type, &Type),
    ) -> Translated<Code> {
        // The value is tested twice, and evaluated once.
        let (name, value) = (self.make_up("value"), self.expr(inner)?.owned_value());
        let variable = Code::variable(&name, self.copy(from));
        let Some(is_base) = self.seen_is(&variable, from, base)? else {
            return Err(self
                .scope
                .unsupported(inner.span, "a type test of a subset type"));
        };
        let seen = self.seen_as(&variable, from, base)?;
        let own = self.make_up("own");
        let conditions =
            self.type_test(&Code::variable(&own, self.copy(base)), base, to, inner.span)?;
        let first = is_base.owned_value();
        Ok(Code::owned(
            expr!({ let #name = #value; #first && { let #own = #seen; #&&conditions } }),
            true,
        ))
    }

    /// Tests whether a value has another type among classes, traits and `object`; `None` for other
    /// types.
    fn seen_is(&mut self, code: &Code, from: &Type, to: &Type) -> Translated<Option<Code>> {
        let program = self.scope.ground.program;
        // A cast to a type without `null` must also exclude `null`.
        let nullable = |t: &Type| match program.strip_subset(t) {
            Type::Named { nullable, .. }
            | Type::Array { nullable, .. }
            | Type::Object { nullable } => nullable,
            Type::Param(p) => program[p]
                .bounds
                .iter()
                .any(|b| may_be_null(&program.strip_subset(b))),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_) => false,
            Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Error => false,
        };
        let loses_null = nullable(from) && !nullable(to) && program.is_reference(to);
        // A test that always succeeds is omitted.
        if !needs_cast(program, from, to) && !loses_null {
            return Ok(None);
        }
        let value = &self.dynamic(code, from)?;
        let test = if is_upcast(program, from, to) {
            expr!(true)
        } else {
            let (target, instance_of) = (self.sought(to)?, self.scope.runtime("instance_of"));
            expr!(#instance_of::<#target, _>(#value))
        };
        let tokens = if loses_null {
            let dynamic = self.scope.runtime("Dynamic");
            let there = expr!(!#dynamic::is_null_reference(#value));
            if test == true.into() {
                there
            } else {
                expr!(#there && #test)
            }
        } else {
            test
        };
        Ok(Some(Code::owned(tokens, true)))
    }

    /// Writes a call of a function of the Rust trait, as a method if the trait is in scope.
    fn trait_function(
        &mut self,
        owner: TypeId,
        name: &Ident,
        (receiver, ty): (&Code, &Type),
        args: Vec<rust::Expr>,
    ) -> Translated<rust::Expr> {
        let ty = ty.subst(&self.scope.substitution);
        // Method syntax needs the trait in scope, which a trait of another module is not.
        let path = self.scope.type_path(owner);
        let in_scope = path.segments.len() == 1;
        let rep = self.rep(&ty);
        // The receiver in two forms: for a method call, and as an argument of the trait's function.
        // The latter is needed if the trait is not in scope.
        let (held, object) = if matches!(rep, Rep::Trait(..) | Rep::Object) {
            let place = receiver.looked_at();
            (receiver.receiver(), expr!(&*#place))
        } else if matches!(rep, Rep::Param(_)) {
            let bound = self
                .scope
                .ground
                .program
                .supertype_args(&ty, owner)
                .unwrap_or_default();
            let seen = self.seen_as(receiver, &ty, &Type::named(owner, bound))?;
            (seen.clone(), expr!(&*#seen))
        } else if self.newtype_wrapper(&ty)?.is_some() {
            let wrapped = self.dynamic(receiver, &ty)?;
            (wrapped.clone(), wrapped)
        } else {
            (receiver.receiver(), receiver.borrowed())
        };
        Ok(if in_scope {
            expr!(#held.#name(#..args))
        } else {
            expr!(#path::#name(#object, #..args))
        })
    }

    /// Writes a call of a trait member; the arguments have the form that the first declaration of
    /// the member takes.
    pub(crate) fn through_trait(
        &mut self,
        call: (CallableId, &[Type], bool),
        (receiver, ty): (&Code, &Type),
        args: Vec<rust::Expr>,
    ) -> Translated<rust::Expr> {
        let (callee, type_args, is_static_dispatch) = call;
        let program = self.scope.ground.program;
        let Some(owner) = program[callee].owner else {
            return Err(self
                .scope
                .unsupported(program[callee].span, "a receiver of a function without one"));
        };
        // A member with several bodies is called dynamically, by its first declaration.
        if traits::is_looked_up(program, callee) && !is_static_dispatch {
            let first = program.first_declaration(callee);
            let Some(owner) = program[first].owner else {
                return Err(self
                    .scope
                    .unsupported(program[first].span, "a receiver of a function without one"));
            };
            self.scope.needs(Dependency::Callable(first));
            let name = ident(self.scope.ground.names.callable(first));
            return self.trait_function(owner, &name, (receiver, ty), args);
        }
        // A member with one body is a function of the trait object's type.
        let path = self.callee(callee, type_args, true)?;
        let ty = ty.subst(&self.scope.substitution);
        let own = program.supertype_args(&ty, owner).unwrap_or_default();
        let seen = self.object_cast(
            receiver,
            &ty,
            &Type::named(owner, own),
            program[callee].span,
        )?;
        let this = seen.as_ref().unwrap_or(receiver).borrowed();
        Ok(expr!(#path(#this, #..args)))
    }

    /// Translates access to a field or constant of a trait, for an object whose class is unknown.
    pub(crate) fn trait_field(
        &mut self,
        e: &Expr,
        object: &Code,
        ty: &Type,
        field: FieldId,
    ) -> Translated<Code> {
        let ground = self.scope.ground;
        let decl = &ground.program[field];
        let Some(owner) = decl.owner else {
            return Err(self.scope.unsupported(e.span, "a field without an owner"));
        };
        // The trait has an accessor for a constant only if its value is translated.
        if matches!(decl.kind, FieldKind::Const(Some(_))) {
            self.scope.needs(Dependency::Const(field));
        }
        let name = ident(ground.names.field(field));
        let read = self.trait_function(owner, &name, (object, ty), Vec::new())?;
        Ok(match decl.kind {
            FieldKind::Mutable => Code::owned(expr!(#read.get()), self.copy(&e.ty)),
            FieldKind::Const(_) | FieldKind::Destructor(_) => Code::owned(read, self.copy(&e.ty)),
        })
    }

    /// Translates the target of an assignment to a field of an object with the type of a trait.
    pub(super) fn trait_place(
        &mut self,
        object: &Code,
        ty: &Type,
        field: FieldId,
    ) -> Translated<rust::Expr> {
        let decl = &self.scope.ground.program[field];
        let Some(owner) = decl.owner else {
            return Err(self
                .scope
                .unsupported(decl.span, "a field without an owner"));
        };
        let name = ident(self.scope.ground.names.field(field));
        self.trait_function(owner, &name, (object, ty), Vec::new())
    }
}

impl Scope<'_, '_> {
    /// Returns the declaration that determines how the arguments of a call are passed.
    pub(super) fn convention_of(&self, call: &Call) -> CallableId {
        let program = self.ground.program;
        if traits::is_looked_up(program, call.callee) && !call.is_static_dispatch {
            program.first_declaration(call.callee)
        } else {
            call.callee
        }
    }
}

fn may_be_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Named { nullable: true, .. }
            | Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
    )
}
