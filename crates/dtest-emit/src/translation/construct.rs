//! Translates field access, constructors and displays.

use super::body::Body;
use super::code::{self, Code, MOST_COMPONENTS, Own};
use super::convention::{Dependency, Scope, Translated, mentions};
use super::rep::{Holder, Rep};
use crate::rust::{self, MacroName, Path, expr, ident, path, stmts};
use dafny_resolve::typed::{
    Control, CtorId, Expr, ExprKind, FieldId, FieldKind, Lambda, Literal, Type, TypeId, TypeParamId,
};
use dtest_sorted::SortedMap;

impl Body<'_, '_, '_> {
    pub(crate) fn field(
        &mut self,
        e: &Expr,
        object: Option<&Expr>,
        field: FieldId,
        type_args: &[Type],
    ) -> Translated<Code> {
        let (copy, ground) = (self.copy(&e.ty), self.scope.ground);
        let decl = &ground.program[field];
        if decl.ghost && (!self.scope.spec || ground.foreign.get()) {
            return Err(self
                .scope
                .unsupported(e.span, format!("the ghost field `{}`", decl.name)));
        }
        let name = ident(ground.names.field(field));
        let Some(object) = object else {
            let callee = self.scope.static_constant(field, type_args)?;
            return Ok(Code::owned(expr!(#callee()), copy));
        };
        // In a constructor before `new;`, fields are variables.
        if matches!(object.kind, ExprKind::This)
            && let Some(code) = self.before_new.get(&field)
        {
            return Ok(code.clone());
        }
        // The object does not exist yet.
        if let (ExprKind::This, FieldKind::Const(Some(value)), true) =
            (&object.kind, &decl.kind, self.this.is_none())
        {
            return self.expr(value);
        }
        let (of, object) = (object.ty.clone(), self.expr(object)?);
        let is_stored = super::class::is_stored(ground.program, field);
        let in_trait = decl.owner.is_some_and(|t| ground.program.is_trait(t));
        if in_trait && decl.ghost {
            return Err(self
                .scope
                .unsupported(e.span, format!("the ghost field `{}`", decl.name)));
        }
        // Only a class is known to store the field; any other type is asked through the trait.
        if in_trait && !(is_stored && matches!(self.rep(&of), Rep::Class(..))) {
            return self.trait_field(e, &object, &of, field);
        }
        let o = &object.receiver();
        match &decl.kind {
            FieldKind::Destructor(_) if decl.ghost => Err(self
                .scope
                .unsupported(e.span, format!("the ghost field `{}`", decl.name))),
            // Destructors return a `Copy` value, or a reference into the value.
            FieldKind::Destructor(_) if ground.is_copy(&decl.ty) => {
                Ok(Code::owned(expr!(#o.#name()), copy))
            }
            FieldKind::Destructor(_) => {
                let value = Code::within(expr!(#o.#name()), Own::Ref, copy, &object);
                let lazy = ident(ground.names.lazy(field));
                Ok(if ground.is_lazy(field) {
                    value.held_by(expr!(#o.#lazy()))
                } else {
                    value
                })
            }
            FieldKind::Mutable if decl.ghost => Err(self
                .scope
                .unsupported(e.span, format!("the ghost field `{}`", decl.name))),
            // The field may change, so its value is copied out.
            FieldKind::Mutable => Ok(Code::owned(expr!(#o.#name.get()), copy)),
            FieldKind::Const(_) => self.constant(e, &object, field, is_stored),
        }
    }

    /// Translates a constant of an object, which is a field of the struct or a function.
    fn constant(
        &mut self,
        e: &Expr,
        object: &Code,
        field: FieldId,
        is_stored: bool,
    ) -> Translated<Code> {
        let (copy, ground) = (self.copy(&e.ty), self.scope.ground);
        let decl = &ground.program[field];
        let name = ident(ground.names.field(field));
        let o = &object.receiver();
        match decl.owner {
            Some(owner) if self.scope.is_class(owner) && !is_stored && !decl.ghost => {
                self.scope.needs(Dependency::Const(field));
                let (path, object) = (self.scope.type_path(owner), object.borrowed());
                Ok(Code::owned(expr!(#path::#name(#object)), copy))
            }
            Some(owner)
                if (self.scope.is_class(owner) || ground.program.is_trait(owner))
                    && !decl.ghost =>
            {
                Ok(Code::within(expr!(#o.#name), Own::Place, copy, object))
            }
            Some(owner) if ground.has_methods(owner) => {
                self.scope.needs(Dependency::Const(field));
                Ok(Code::owned(expr!(#o.#name()), copy))
            }
            Some(owner) if !self.scope.is_class(owner) && !ground.program.is_trait(owner) => {
                self.scope.needs(Dependency::Const(field));
                let path = self.scope.free_const(field);
                let arg = self.receiver_argument(owner, object);
                Ok(Code::owned(expr!(#path(#arg)), copy))
            }
            Some(_) | None => Err(self
                .scope
                .unsupported(e.span, format!("the ghost constant `{}`", decl.name))),
        }
    }

    pub(super) fn ctor_path(
        &mut self,
        ctor: CtorId,
        decl: TypeId,
        type_args: &[Type],
        args: &[Expr],
    ) -> Translated<Path> {
        let ground = self.scope.ground;
        if ground.program[ctor].ghost {
            return Err(self.scope.unsupported(
                ground.program[ctor].span,
                format!("the ghost constructor `{}`", ground.program[ctor].name),
            ));
        }
        let path = self.scope.type_path(decl);
        let variant = ident(ground.names.ctor(ctor));
        let fields = &ground.program[ctor].fields;
        // Ghost arguments determine nothing in Rust.
        let formals: Vec<(&Type, &Expr)> = fields
            .iter()
            .zip(args)
            .filter(|(f, _)| !ground.program[**f].ghost)
            .map(|(&f, a)| (&ground.program[f].ty, a))
            .collect();
        // Type arguments are omitted if the fields determine them.
        let fish = if self.inferred(&ground.program[decl].type_params, &formals) {
            Vec::new()
        } else {
            self.scope.turbofish(type_args)?
        };
        Ok(path!(#path::<#..fish>::#variant))
    }

    /// Translates a constructor's argument to the form in which its field holds it.
    fn hold(&mut self, decl: TypeId, field: FieldId, arg: &Expr) -> Translated<rust::Expr> {
        if self
            .scope
            .ground
            .holder(decl, &self.scope.ground.program[field].ty)
            != Holder::Lazy
        {
            let value = self.value(arg)?;
            return Ok(self.scope.wrapped(decl, field, value));
        }
        // An argument that the resolver does not mark as delayed is evaluated anyway.
        if let ExprKind::Delayed(inner) = &arg.kind {
            return self.delayed(inner);
        }
        let code = self.expr(arg)?;
        Ok(match code.lazy() {
            Some(lazy) => expr!(#lazy.clone()),
            None => self.scope.wrapped(decl, field, code.owned_value()),
        })
    }

    /// Whether Rust infers the type parameters from the arguments.
    pub(super) fn inferred(&self, params: &[TypeParamId], formals: &[(&Type, &Expr)]) -> bool {
        params.iter().all(|&p| {
            formals
                .iter()
                .any(|(ty, e)| mentions(ty, p) && self.shows_its_type(e))
        })
    }

    /// Whether the translation of an expression determines its own type.
    pub(super) fn shows_its_type(&self, e: &Expr) -> bool {
        match e.control() {
            Control::Let { body, .. } | Control::StmtExpr { body, .. } => self.shows_its_type(body),
            Control::If { then, els, .. } => self.shows_its_type(then) || self.shows_its_type(els),
            Control::Match { cases, .. } => cases.iter().any(|c| self.shows_its_type(&c.body)),
            Control::Strict => {
                if let ExprKind::SeqDisplay(es)
                | ExprKind::SetDisplay(es)
                | ExprKind::MultisetDisplay(es)
                | ExprKind::Tuple(es) = &e.kind
                {
                    es.iter().all(|e| self.shows_its_type(e))
                } else {
                    !matches!(
                        &e.kind,
                        ExprKind::Literal(Literal::Null)
                            | ExprKind::Lambda(_)
                            | ExprKind::FunctionRef { .. }
                            | ExprKind::Wildcard
                            | ExprKind::Error
                    )
                }
            }
            Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. }
            | Control::IfBinding { .. } => true,
            Control::LetSuchThat { .. } | Control::LetOrFail(_) | Control::Delayed(_) => true,
        }
    }

    pub(super) fn display(
        &mut self,
        name: MacroName,
        collection: &str,
        elements: &[Expr],
        ty: &Type,
    ) -> Translated<Code> {
        if elements.is_empty() {
            let collection = self.scope.runtime(collection);
            let rep = self.rep(ty);
            let args = if let Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) = rep {
                self.scope.turbofish(&[e])?
            } else if let Rep::Map(k, v) = rep {
                self.scope.turbofish(&[k, v])?
            } else {
                Vec::new()
            };
            // The macro without elements would leave the element type open.
            return Ok(Code::owned(expr!(#collection::<#..args>::new()), false));
        }
        // A type without a Rust equivalent makes the value untranslatable.
        self.scope.rust_type(ty)?;
        let mut values = Vec::new();
        for e in elements {
            values.push(self.value(e)?);
        }
        let args = values.into_iter().map(rust::Argument::Value).collect();
        Ok(Code::owned(
            rust::Expr::Macro(rust::Macro {
                name,
                in_brackets: true,
                args,
            }),
            false,
        ))
    }

    pub(super) fn datatype_update(
        &mut self,
        e: &Expr,
        object: &Expr,
        updates: &[(FieldId, Expr)],
        ctors: &[CtorId],
    ) -> Translated<Code> {
        let ground = self.scope.ground;
        let Rep::Datatype(decl, type_args) = self.rep(&e.ty) else {
            return Err(self
                .scope
                .unsupported(e.span, "an update of a value that is not a datatype value"));
        };
        // The source is read once for each field that stays.
        let mut source = self.expr(object)?;
        let mut lets = Vec::new();
        if !source.is_stable() || !matches!(object.kind, ExprKind::Local(_) | ExprKind::This) {
            let (name, value) = (&self.make_up("before"), source.borrowed());
            lets = stmts!(#[borrows] let #name = #value;);
            source = Code::reference(name, false);
        }
        let mut values = SortedMap::new();
        for (field, value) in updates {
            if ground.program[*field].ghost {
                continue;
            }
            let code = self.value(value)?;
            // With several constructors, the value is used in each branch.
            if ctors.len() > 1 {
                let name = &self.make_up("new");
                lets.extend(stmts!(let #name = #code;));
                values.insert(*field, name.into());
            } else {
                values.insert(*field, code);
            }
        }
        // The fields do not always determine the type parameters.
        let shown: Vec<&Type> = ctors
            .iter()
            .flat_map(|&c| ground.ctor_fields(c))
            .map(|f| &ground.program[f].ty)
            .collect();
        let is_shown = |p: &TypeParamId| shown.iter().any(|t| mentions(t, *p));
        let is_inferred = ground.program[decl].type_params.iter().all(is_shown);
        let fish = if is_inferred {
            Vec::new()
        } else {
            self.scope.turbofish(&type_args)?
        };
        let path = self.scope.type_path(decl);
        let path = &path!(#path::<#..fish>);
        let mut branches = Vec::new();
        for &ctor in ctors.iter().filter(|c| !ground.program[**c].ghost) {
            let variant = ident(ground.names.ctor(ctor));
            let mut inits = Vec::new();
            for field in ground.ctor_fields(ctor) {
                let (o, name, ty) = (
                    source.receiver(),
                    ident(ground.names.field(field)),
                    &ground.program[field].ty,
                );
                let lazy = ident(ground.names.lazy(field));
                let held = match values.get(&field) {
                    Some(value) => self.scope.wrapped(decl, field, value.clone()),
                    None if ground.is_lazy(field) => expr!(#o.#lazy().clone()),
                    None if ground.is_copy(ty) => {
                        self.scope.wrapped(decl, field, expr!(#o.#name()))
                    }
                    None => self.scope.wrapped(decl, field, expr!(#o.#name().clone())),
                };
                inits.push((field, held));
            }
            let tester = ident(ground.names.tester(ctor));
            branches.push((
                tester,
                self.scope
                    .construct(ctor, decl, path!(#path::#variant), inits),
            ));
        }
        let o = &source.receiver();
        let Some(((_, last), others)) = branches.split_last() else {
            return Err(self.scope.unsupported(
                e.span,
                "an update of fields that no constructor has together",
            ));
        };
        // The source has one of these constructors, so the last one needs no test.
        let body = others.iter().rev().fold(
            last.clone(),
            |rest, (tester, value)| expr!(if #o.#tester() { #..value } else { #..rest }),
        );
        Ok(Code::owned(
            if lets.is_empty() {
                body
            } else {
                expr!({ #..lets #..body })
            },
            false,
        ))
    }

    /// Translates the application of a constructor.
    pub(super) fn constructed(
        &mut self,
        e: &Expr,
        ctor: CtorId,
        args: &[Expr],
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let decl = self.scope.ground.program[ctor].datatype;
        let Type::Named {
            args: type_args, ..
        } = self.scope.ground.program.representation(&e.ty)
        else {
            return Err(self
                .scope
                .unsupported(e.span, "a constructor of an unknown datatype"));
        };
        let path = self.ctor_path(ctor, decl, &type_args, args)?;
        let fields = self.scope.ground.program[ctor].fields.clone();
        let mut inits = Vec::new();
        for (&field, arg) in fields.iter().zip(args) {
            if self.scope.ground.program[field].ghost {
                continue;
            }
            let value = self.hold(decl, field, arg)?;
            inits.push((field, value));
        }
        owned(self.scope.construct(ctor, decl, path, inits))
    }

    /// Translates `object.Ctor?`.
    pub(super) fn ctor_test(&mut self, e: &Expr, ctor: CtorId, object: &Expr) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        if self.scope.ground.program[ctor].ghost {
            return Err(self.scope.unsupported(
                e.span,
                format!(
                    "the ghost constructor `{}`",
                    self.scope.ground.program[ctor].name
                ),
            ));
        }
        let object = self.expr(object)?.receiver();
        let tester = ident(self.scope.ground.names.tester(ctor));
        owned(expr!(#object.#tester()))
    }

    /// Translates a tuple to one of its compiled components.
    pub(super) fn tuple(&mut self, e: &Expr, components: &[Expr]) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let ghosts: Vec<bool> =
            if let Type::Tuple(cs) = self.scope.ground.program.representation(&e.ty) {
                cs.iter().map(|(ghost, _)| *ghost).collect()
            } else {
                Vec::new()
            };
        let mut parts = Vec::new();
        for (i, c) in components.iter().enumerate() {
            if !ghosts.get(i).copied().unwrap_or(false) {
                parts.push(self.value(c)?);
            }
        }
        if parts.len() > MOST_COMPONENTS {
            return Err(self.scope.unsupported(
                e.span,
                format!("a tuple of more than {MOST_COMPONENTS} components"),
            ));
        }
        owned(code::tuple(parts))
    }

    /// Translates `map[k := v, …]`.
    pub(super) fn map_display(&mut self, e: &Expr, pairs: &[(Expr, Expr)]) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        if pairs.is_empty() {
            return self.display(MacroName::Map, "Map", &[], &e.ty);
        }
        let mut out = Vec::new();
        for (k, v) in pairs {
            let (k, v) = (self.value(k)?, self.value(v)?);
            out.push(expr!((#k, #v)));
        }
        let map = self.scope.runtime("Map");
        owned(expr!(#map::from_iter([#..out])))
    }

    /// Translates `seq(len, init)`.
    pub(super) fn seq_construct(&mut self, e: &Expr, len: &Expr, init: &Expr) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let len = self.expr(len)?.operand();
        let seq = self.scope.runtime("Seq");
        // A lambda that is called at once needs no function value.
        let function = if let ExprKind::Lambda(l) = &init.kind
            && l.params.len() == 1
            && self.scope.rep_of_param(l) == Some(Rep::Int)
        {
            self.closure(l)?
        } else {
            let f = self.expr(init)?.receiver();
            expr!(|i| #f.call(i))
        };
        owned(expr!(#seq::init(#len, #function)))
    }
}

impl Scope<'_, '_> {
    /// Returns the function for a static constant: Dafny evaluates it at each use, and it may depend
    /// on type arguments.
    fn static_constant(&self, field: FieldId, type_args: &[Type]) -> Translated<Path> {
        let ground = self.ground;
        let name = ident(ground.names.field(field));
        self.needs(Dependency::Const(field));
        Ok(match ground.program[field].owner {
            Some(owner) if ground.program.is_trait(owner) => {
                let path = self.dyn_trait(owner, type_args)?;
                path!(<#path>::#name)
            }
            Some(owner) if ground.has_methods(owner) || self.is_class(owner) => {
                let (path, args) = (self.type_path(owner), self.turbofish(type_args)?);
                path!(#path::<#..args>::#name)
            }
            Some(_) | None => self.free_const(field),
        })
    }

    pub(super) fn rep_of_param(&self, l: &Lambda) -> Option<Rep> {
        l.params
            .first()
            .map(|&p| self.rep(&self.ground.program[p].ty))
    }

    /// Returns the position of a tuple's component in Rust: `None` for a ghost one, `Some(None)`
    /// for a single component without a tuple.
    pub(super) fn component(&self, ty: &Type, index: usize) -> Option<Option<usize>> {
        let Type::Tuple(components) = self.ground.program.representation(ty) else {
            return None;
        };
        if components.get(index).is_none_or(|(ghost, _)| *ghost) {
            return None;
        }
        let compiled = components.iter().filter(|(ghost, _)| !ghost).count();
        let before = components
            .iter()
            .take(index)
            .filter(|(ghost, _)| !ghost)
            .count();
        Some((compiled > 1).then_some(before))
    }

    pub(super) fn is_class(&self, ty: TypeId) -> bool {
        self.ground.is_class(ty)
    }

    /// Writes type arguments: `::<A, B>`.
    pub(crate) fn turbofish(&self, args: &[Type]) -> Translated<Vec<rust::Type>> {
        args.iter().map(|t| self.rust_type(t)).collect()
    }

    /// Wraps a value in the holder of its field.
    pub(crate) fn wrapped(&self, decl: TypeId, field: FieldId, value: rust::Expr) -> rust::Expr {
        match self.ground.holder(decl, &self.ground.program[field].ty) {
            Holder::Plain => value,
            Holder::Rc => {
                let rc = self.runtime("Rc");
                expr!(#rc::new(#value))
            }
            Holder::Lazy => {
                let lazy = self.runtime("Lazy");
                expr!(#lazy::ready(#value))
            }
        }
    }

    /// Writes a constructor with its compiled fields, each in its holder.
    pub(crate) fn construct(
        &self,
        ctor: CtorId,
        decl: TypeId,
        path: Path,
        inits: Vec<(FieldId, rust::Expr)>,
    ) -> rust::Expr {
        let ground = self.ground;
        let phantom = super::datatype::has_phantom(ground, decl, ctor);
        // A variant without compiled fields has no braces.
        if inits.is_empty() && !phantom {
            return path.into();
        }
        let fields = inits
            .into_iter()
            .map(|(f, value)| (ident(ground.names.field(f)).to_string(), value));
        let fields = fields.chain(phantom.then(|| {
            let name = ident(ground.names.phantom(decl)).to_string();
            (name, expr!(std::marker::PhantomData))
        }));
        expr!(#path { #..fields })
    }

    /// Translates `null` of the given reference type.
    pub(super) fn null(&self, e: &Expr) -> Translated<Code> {
        let copy = self.is_copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));
        let rep = self.rep(&e.ty);
        if let Rep::Array(dims, _) = rep {
            let array = self.array_type(dims)?;
            owned(expr!(#array::null()))
        } else {
            let library_type = self.runtime(if matches!(rep, Rep::Trait(..) | Rep::Object) {
                "Dyn"
            } else {
                "Ref"
            });
            owned(expr!(#library_type::null()))
        }
    }
}
