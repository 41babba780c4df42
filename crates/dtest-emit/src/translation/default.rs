//! Translates default values.
//!
//! The initial value of a type may differ from the default of its Rust type: a subset type has its
//! witness, and a nullable array is null where others are empty. If a generic function uses the
//! default of a type parameter, its caller passes it: `default_t: &T`. The set of these functions
//! is found by translating until nothing changes. If such a parameter is impossible (members of
//! traits, instance members of generic classes), the default of the Rust type is used, and code
//! that needs a different one is not translated.

use super::body::Body;
use super::code::{self, number};
use super::convention::{Dependency, Scope, Translated};
use super::rep::primitive;
use super::rep::{Ground, Rep};
use crate::rust::{self, FnParam, Ident, expr, ident, path, ty};
use dafny_resolve::typed::{
    ArrowKind, Attributes, CallableId, CallableKind, Span, Substitution, Type, TypeDeclKind,
    TypeId, TypeParamId, Witness,
};
use dtest_sorted::{SortedMap, SortedSet};

/// The callables that use defaults of type parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Defaults {
    /// The type parameters whose default is passed to each callable, in this order.
    passed: SortedMap<CallableId, SortedSet<TypeParamId>>,
    /// Type parameters whose default is used without being passed.
    fixed: SortedSet<TypeParamId>,
}

impl Defaults {
    /// Adds the defaults that the translation of an item used.
    pub(super) fn learn(
        &mut self,
        ground: &Ground<'_>,
        item: Dependency,
        wanted: &SortedSet<TypeParamId>,
        fixed: &SortedSet<TypeParamId>,
    ) {
        self.fixed.extend(fixed);
        for &param in wanted {
            match item {
                Dependency::Callable(c) if takes_defaults(ground, c, param) => {
                    self.passed.entry(c).or_default().insert(param);
                }
                // There is no place for a parameter, so the default of the Rust type is used.
                Dependency::Callable(_) | Dependency::Type(_) | Dependency::Const(_) => {
                    self.fixed.insert(param);
                }
            }
        }
    }
}

/// Whether a function can have a parameter for the default of a type parameter.
fn takes_defaults(ground: &Ground<'_>, callable: CallableId, param: TypeParamId) -> bool {
    let c = &ground.program[callable];
    // Overrides must have the parameters of the trait, and external functions those of the linked
    // Rust.
    let has_place = c.overrides.is_empty() && c.attribute("extern").is_none();
    let of_owner = match c.owner.map(|t| &ground.program[t].kind) {
        None => true,
        Some(
            TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_),
        ) => true,
        Some(TypeDeclKind::Class) => {
            c.is_static || c.kind == CallableKind::Constructor || c.type_params.contains(&param)
        }
        Some(TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) | TypeDeclKind::Abstract) => {
            false
        }
    };
    has_place && of_owner
}

impl<'p> Scope<'_, 'p> {
    /// Returns the compiled witness of a subset type or newtype, or of a base type if it has none
    /// of its own, with the type arguments in it.
    fn witness(&self, ty: &Type) -> Option<(&'p dafny_resolve::typed::Expr, Substitution)> {
        let Type::Named { decl, args, .. } = ty else {
            return None;
        };
        let substitution = self.ground.program.substitution(*decl, args);
        match &self.ground.program[*decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => match &c.witness {
                Witness::Compiled(e) => Some((e, substitution)),
                // Without a witness of its own, the type has the default of its base.
                Witness::Default => self.witness(&c.base.subst(&substitution)),
                Witness::Opt | Witness::Ghost(_) => None,
            },
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => None,
        }
    }

    /// Whether the default value of a type is that of its Rust type.
    pub(super) fn is_plain(&self, ty: &Type) -> bool {
        if self.witness(ty).is_some() {
            return false;
        }
        match self.ground.program.strip_subset(ty) {
            Type::Param(_) => false,
            Type::Array { nullable, .. } => !nullable,
            // The default of a total function is constant; a partial one is nowhere defined.
            Type::Arrow { kind, result, .. } => kind == ArrowKind::Total && self.is_plain(&result),
            Type::Tuple(components) => components
                .iter()
                .all(|(ghost, t)| *ghost || self.is_plain(t)),
            Type::Named { decl, args, .. } => match &self.ground.program[decl].kind {
                // Fields with other defaults are handled by the implementation of `DafnyDefault`.
                TypeDeclKind::Datatype { .. } => args.iter().all(|t| self.is_plain(t)),
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    self.is_plain(&c.base.subst(&self.ground.program.substitution(decl, &args)))
                }
                TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_)
                | TypeDeclKind::Abstract => true,
            },
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
            | Type::Object { .. }
            | Type::Error => true,
        }
    }

    /// Returns the default value of a type, if it has one.
    pub(crate) fn default_value(&self, ty: &Type) -> Translated<Option<rust::Expr>> {
        let ty = &ty.subst(&self.substitution);
        // The witness of a subset type wins over the default of its base.
        if let Some((witness, substitution)) = self.witness(ty) {
            // Dependencies found inside belong to the item that uses the default.
            let within = Scope {
                substitution,
                ..Scope::new(self.ground, self.module.clone(), self.spec)
            };
            within
                .defaults
                .borrow_mut()
                .clone_from(&self.defaults.borrow());
            let value = Body::new(&within).value(witness)?;
            self.dependencies
                .borrow_mut()
                .extend(within.dependencies.into_inner());
            self.wanted.borrow_mut().extend(within.wanted.into_inner());
            return Ok(Some(value));
        }
        if !self.ground.has_default(ty) {
            return Ok(None);
        }
        // Only the caller knows the type.
        if let Type::Param(p) = ty {
            return self.default_of(*p).map(Some);
        }
        // The default of a plain type is that of its Rust type; others are composed of parts.
        if !self.is_plain(ty)
            && let Some(value) = self.default_by_parts(ty)?
        {
            return Ok(Some(value));
        }
        Ok(Some(match self.ground.rep(ty) {
            Rep::Bool => expr!(false),
            Rep::Int => {
                let int = self.runtime("int");
                expr!(#int(0))
            }
            Rep::Native(n) => number(&format!("0{}", primitive(n))),
            Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Char
            | Rep::Real
            | Rep::Bv(_)
            | Rep::Ordinal
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Array(..)
            | Rep::Datatype(..)
            | Rep::Class(..)
            | Rep::Trait(..)
            | Rep::Object
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => self.default_in_rust(ty)?,
        }))
    }

    fn default_in_rust(&self, ty: &Type) -> Translated<rust::Expr> {
        let (t, default) = (self.rust_type(ty)?, self.runtime("DafnyDefault"));
        Ok(expr!(<#t as #default>::dafny_default()))
    }

    /// Returns the default of a type parameter: the passed one, or else that of its Rust type.
    fn default_of(&self, param: TypeParamId) -> Translated<rust::Expr> {
        self.wanted.borrow_mut().insert(param);
        if let Some(name) = self.defaults.borrow().get(&param) {
            return Ok(expr!(#name.clone()));
        }
        self.default_in_rust(&Type::Param(param))
    }

    /// Returns the default value of a type with parts whose defaults differ from those of their
    /// Rust types.
    fn default_by_parts(&self, ty: &Type) -> Translated<Option<rust::Expr>> {
        let none = || {
            self.unsupported(
                Span::default(),
                format!("the default of `{}`", self.ground.program.show_type(ty)),
            )
        };
        Ok(Some(match self.ground.program.strip_subset(ty) {
            Type::Array { nullable: true, .. } => {
                let t = self.rust_type(ty)?;
                expr!(<#t>::null())
            }
            Type::Arrow {
                kind: ArrowKind::Partial | ArrowKind::General,
                ..
            } => {
                let t = self.rust_type(ty)?;
                expr!(<#t>::undefined())
            }
            Type::Arrow {
                kind: ArrowKind::Total,
                result,
                ..
            } => {
                let (t, value) = (
                    self.rust_type(ty)?,
                    self.default_value(&result)?.ok_or_else(none)?,
                );
                expr!(<#t>::constant(#value))
            }
            Type::Tuple(components) => {
                let mut parts = Vec::new();
                for (_, t) in components.iter().filter(|(ghost, _)| !ghost) {
                    parts.push(self.default_value(t)?.ok_or_else(none)?);
                }
                code::tuple(parts)
            }
            Type::Named { decl, args, .. }
                if matches!(
                    self.ground.program[decl].kind,
                    TypeDeclKind::Datatype { co: false, .. }
                ) =>
            {
                // The constructor that Dafny chooses, whose arguments have defaults.
                let Some(ctor) = self.ground.grounding_ctor(decl) else {
                    return Ok(None);
                };
                let map = self.ground.program.substitution(decl, &args);
                let mut inits = Vec::new();
                for f in self.ground.ctor_fields(ctor) {
                    let value = self.default_value(&self.ground.program[f].ty.subst(&map))?;
                    inits.push((f, value.ok_or_else(none)?));
                }
                let (path, variant) = (self.type_path(decl), ident(self.ground.names.ctor(ctor)));
                let body = Body::new(self);
                let fish = body.scope.turbofish(&args)?;
                body.scope
                    .construct(ctor, decl, path!(#path::<#..fish>::#variant), inits)
            }
            Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal => {
                return Ok(None);
            }
            Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } => {
                return Ok(None);
            }
            Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => return Ok(None),
        }))
    }

    /// Checks that no type parameter with an unpassed default has an argument with a default of its
    /// own.
    ///
    /// # Errors
    /// The first such type parameter.
    pub(super) fn check_fixed(
        &self,
        owner: Option<TypeId>,
        callable: Option<CallableId>,
        type_args: &[Type],
    ) -> Translated<()> {
        let program = self.ground.program;
        let defaults = self.ground.defaults.borrow();
        let map = self.arguments_of(owner, callable, type_args);
        for (param, ty) in map.iter().filter(|(p, _)| defaults.fixed.contains(p)) {
            // The argument is itself a parameter, so the restriction passes to its callers.
            if let Type::Param(p) = ty {
                self.fixed.borrow_mut().insert(*p);
            } else if !self.is_plain(ty) {
                let (p, shown) = (&program[*param].name, program.show_type(ty));
                return Err(self.unsupported(
                    Span::default(),
                    format!("the default of `{shown}` for the type parameter `{p}`"),
                ));
            }
        }
        Ok(())
    }

    /// Returns the type arguments of a type and of a member of it.
    fn arguments_of(
        &self,
        owner: Option<TypeId>,
        callable: Option<CallableId>,
        type_args: &[Type],
    ) -> Vec<(TypeParamId, Type)> {
        let program = self.ground.program;
        let own: &[TypeParamId] = callable.map_or(&[], |c| &program[c].type_params);
        let outer: &[TypeParamId] = owner.map_or(&[], |t| &program[t].type_params);
        let (of_owner, of_callable) = type_args.split_at(type_args.len().saturating_sub(own.len()));
        let pairs = outer
            .iter()
            .zip(of_owner)
            .chain(own.iter().zip(of_callable));
        pairs
            .map(|(p, t)| (*p, t.subst(&self.substitution)))
            .collect()
    }

    /// Returns the defaults that a call passes after its other arguments.
    ///
    /// # Errors
    /// A type without a default.
    pub(crate) fn passed_defaults(
        &self,
        callee: CallableId,
        type_args: &[Type],
    ) -> Translated<Vec<rust::Expr>> {
        let owner = self.ground.program[callee].owner;
        self.check_fixed(owner, Some(callee), type_args)?;
        let defaults = self.ground.defaults.borrow();
        let Some(params) = defaults.passed.get(&callee) else {
            return Ok(Vec::new());
        };
        let arguments: SortedMap<TypeParamId, Type> = self
            .arguments_of(owner, Some(callee), type_args)
            .into_iter()
            .collect();
        let mut passed = Vec::new();
        for param in params {
            let ty = arguments.get(param).cloned().unwrap_or(Type::Param(*param));
            // A default that was passed to the caller is passed on.
            if let Type::Param(p) = &ty
                && let Some(name) = self.defaults.borrow().get(p)
            {
                self.wanted.borrow_mut().insert(*p);
                passed.push(name.into());
                continue;
            }
            let shown = || {
                self.unsupported(
                    Span::default(),
                    format!("the default of `{}`", self.ground.program.show_type(&ty)),
                )
            };
            let value = self.default_value(&ty)?.ok_or_else(shown)?;
            passed.push(expr!(&#value));
        }
        Ok(passed)
    }
}

impl Body<'_, '_, '_> {
    /// Declares the parameters for the defaults that a function uses.
    pub(super) fn default_parameters(&mut self, callable: CallableId) -> Vec<FnParam> {
        let params = self
            .scope
            .ground
            .defaults
            .borrow()
            .passed
            .get(&callable)
            .cloned()
            .unwrap_or_default();
        let mut declared = Vec::new();
        for param in params {
            let t = self.scope.ground.names.type_param(param).to_owned();
            let name: Ident = self.make_up(&format!("default_{}", super::names::snake_case(&t)));
            let t = ident(&t);
            declared.push(((&name).into(), ty!(&#t)));
            self.scope.defaults.borrow_mut().insert(param, name);
        }
        declared
    }
}
