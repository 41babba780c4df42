//! The calling convention of the translation: the Rust types of Dafny types, and the form of calls.
//!
//! Values of `Copy` types (`bool`, characters, native integers) are passed by value, all others by
//! reference; results are owned. Ghost parameters and results are left out, except in specification
//! functions, which keep all.
//!
//! [`Scope`] is the place from which items are named; it records the items that the code depends
//! on.

use std::cell::RefCell;

use super::code::{self, MOST_COMPONENTS};
use super::reason::{Reason, Unsupported};
use super::rep::primitive;
use super::rep::{Ground, Rep};
use crate::rust::{self, Bound, GenericParam, Ident, Path, ident, path, ty};
use dafny_resolve::typed::{
    CallableId, FieldId, ModuleId, Program, Span, Substitution, Type, TypeDeclKind, TypeId,
    TypeParamId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};

/// The result of a translation, or the reason why there is none.
pub(crate) type Translated<T> = Result<T, Unsupported>;

/// An item that another item of the translation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Dependency {
    /// A declared type.
    Type(TypeId),
    /// A function or method.
    Callable(CallableId),
    /// A constant.
    Const(FieldId),
}

/// The place from which items are named, with a record of the named items.
pub(crate) struct Scope<'g, 'p> {
    /// The program and its names.
    pub(crate) ground: &'g Ground<'p>,
    /// The Rust module of the code; `None` in the suite, in which all items are named from
    /// `subject`.
    pub(super) module: Option<(ModuleId, Vec<String>)>,
    /// Whether the code is a specification, in which ghost variables exist.
    pub(super) spec: bool,
    /// Whether the code is in the suite, whose module `spec` has the specification functions that
    /// only clauses call.
    pub(crate) apart: bool,
    /// In the suite: the type arguments of the unit.
    pub(crate) substitution: Substitution,
    /// Type parameters of a member of a trait whose values are erased.
    pub(super) erased: Vec<TypeParamId>,
    /// The named items.
    pub(crate) dependencies: RefCell<SortedSet<Dependency>>,
    /// The function parameters that hold the defaults of type parameters.
    pub(super) defaults: RefCell<SortedMap<TypeParamId, Ident>>,
    /// The type parameters whose default is used.
    pub(super) wanted: RefCell<SortedSet<TypeParamId>>,
    /// The type parameters whose arguments must have the default of their Rust type.
    pub(super) fixed: RefCell<SortedSet<TypeParamId>>,
}

impl<'g, 'p> Scope<'g, 'p> {
    /// Creates a scope in a module of the translation, or without a module: all items are then
    /// named from `subject`.
    pub(super) fn new(
        ground: &'g Ground<'p>,
        module: Option<(ModuleId, Vec<String>)>,
        spec: bool,
    ) -> Self {
        Self {
            ground,
            module,
            spec,
            apart: false,
            substitution: Substitution::default(),
            erased: Vec::new(),
            dependencies: RefCell::default(),
            defaults: RefCell::default(),
            wanted: RefCell::default(),
            fixed: RefCell::default(),
        }
    }

    /// Creates a scope in the suite. With `calls_apart`, it uses the specification functions and
    /// tests of the suite.
    pub(crate) fn in_suite(ground: &'g Ground<'p>, calls_apart: bool) -> Self {
        Self {
            apart: calls_apart,
            ..Self::new(ground, None, true)
        }
    }

    /// Returns the path of an item of the run-time library.
    pub(crate) fn runtime(&self, name: &str) -> Path {
        match &self.module {
            // A declaration of the module hides the prelude's.
            Some((m, _)) if self.ground.names.declares(*m, name) => path!(dunit::#name),
            Some(_) | None => name.into(),
        }
    }

    /// Whether values of the type are `Copy` in Rust.
    pub(super) fn is_copy(&self, ty: &Type) -> bool {
        self.ground.is_copy(&ty.subst(&self.substitution))
    }

    /// Returns the representation of the type's values.
    pub(super) fn rep(&self, ty: &Type) -> Rep {
        self.ground.rep(&ty.subst(&self.substitution))
    }

    /// Records that the code needs an item.
    pub(crate) fn needs(&self, what: Dependency) {
        self.dependencies.borrow_mut().insert(what);
    }

    /// Returns the path of an item that is declared at `span` in `module`.
    fn path(&self, module: ModuleId, span: Span, name: &str) -> Path {
        let target = self.ground.rust_module(module, span);
        let name = ident(name);
        match &self.module {
            // Full paths; imports shorten them when the file is assembled.
            Some((_, here)) if *here == target => name.into(),
            Some(_) => {
                let root = self.ground.placement.root.split("::").map(str::trim);
                Path::of(
                    root.map(Ident::new)
                        .chain(target.iter().map(|s| ident(s)))
                        .chain([name]),
                )
            }
            None => Path::of(
                [Ident::new("subject")]
                    .into_iter()
                    .chain(target.iter().map(|s| ident(s)))
                    .chain([name]),
            ),
        }
    }

    /// Returns the path of a type, without arguments.
    pub(crate) fn type_path(&self, ty: TypeId) -> Path {
        self.needs(Dependency::Type(ty));
        let decl = &self.ground.program[ty];
        self.path(decl.module, decl.span, self.ground.names.type_name(ty))
    }

    /// Returns the path of the wrapper of a newtype that extends traits.
    pub(super) fn wrapper_path(&self, ty: TypeId) -> Path {
        self.needs(Dependency::Type(ty));
        let decl = &self.ground.program[ty];
        self.path(decl.module, decl.span, &self.ground.wrapper(ty).to_string())
    }

    /// Whether a function is in the suite's module `spec`.
    pub(super) fn is_apart(&self, callable: CallableId) -> bool {
        self.apart && self.ground.apart.borrow().contains(&callable)
    }

    /// Returns the name of a function in a module; in `spec`, members have the name of their type
    /// as a prefix.
    pub(super) fn function_name(&self, callable: CallableId) -> String {
        let name = self.ground.names.callable(callable);
        // The trait has the name; the body that implementations share has a name of its own.
        if super::traits::is_looked_up(self.ground.program, callable) && !self.is_apart(callable) {
            return super::traits::body_name(name);
        }
        match self.ground.program[callable].owner {
            Some(owner)
                if self.is_apart(callable) && super::pieces::in_impl(self.ground, owner) =>
            {
                format!(
                    "{}_{name}",
                    super::names::snake_case(self.ground.names.type_name(owner))
                )
            }
            Some(_) | None => name.to_owned(),
        }
    }

    /// Returns the path of a function that is in a module rather than in an `impl`.
    pub(super) fn free_function(&self, callable: CallableId) -> Path {
        let c = &self.ground.program[callable];
        if self.is_apart(callable) {
            let segments = self.ground.rust_module(
                c.module,
                c.owner.map_or(c.span, |t| self.ground.program[t].span),
            );
            let start = ["crate", "spec"].into_iter().map(Ident::new);
            return Path::of(
                start
                    .chain(segments.iter().map(|s| ident(s)))
                    .chain([ident(&self.function_name(callable))]),
            );
        }
        let span = c.owner.map_or(c.span, |t| self.ground.program[t].span);
        self.path(c.module, span, self.ground.names.callable(callable))
    }

    /// Returns the path of a constant in a module.
    pub(super) fn free_const(&self, field: FieldId) -> Path {
        let f = &self.ground.program[field];
        let span = f.owner.map_or(f.span, |t| self.ground.program[t].span);
        self.path(f.module, span, self.ground.names.field(field))
    }

    /// Translates a type.
    pub(crate) fn rust_type(&self, ty: &Type) -> Translated<rust::Type> {
        let program = self.ground.program;
        let ty = &ty.subst(&self.substitution);
        if let Some(alias) = self.alias(ty)? {
            return Ok(alias);
        }
        let list = |ts: &[Type]| {
            ts.iter()
                .map(|t| self.rust_type(t))
                .collect::<Translated<Vec<_>>>()
        };
        Ok(match self.ground.rep(ty) {
            Rep::Bool => ty!(bool),
            Rep::Char => self.runtime(self.ground.char_type()).into(),
            Rep::Int => self.runtime("Int").into(),
            Rep::Native(n) => {
                let n = ident(primitive(n));
                ty!(#n)
            }
            Rep::Real => self.runtime("Real").into(),
            Rep::Bv(n) => {
                let bv = self.runtime("Bv");
                ty!(#bv<#n>)
            }
            Rep::Ordinal => self.runtime("Ordinal").into(),
            Rep::Seq(e) => {
                let (c, e) = (self.runtime("Seq"), self.rust_type(&e)?);
                ty!(#c<#e>)
            }
            Rep::Set(e) => {
                let (c, e) = (self.runtime(set_type(program, ty)), self.rust_type(&e)?);
                ty!(#c<#e>)
            }
            Rep::Multiset(e) => {
                let (c, e) = (self.runtime("Multiset"), self.rust_type(&e)?);
                ty!(#c<#e>)
            }
            Rep::Map(k, v) => {
                let c = self.runtime(map_type(program, ty));
                let (k, v) = (self.rust_type(&k)?, self.rust_type(&v)?);
                ty!(#c<#k, #v>)
            }
            Rep::Tuple(ts) if ts.len() > MOST_COMPONENTS => {
                return Err(self.unsupported(
                    Span::default(),
                    format!("a tuple of more than {MOST_COMPONENTS} components"),
                ));
            }
            Rep::Tuple(ts) => code::tuple_type(list(&ts)?),
            Rep::Arrow(params, result) => {
                let c = self.function_type(params.len())?;
                let (params, result) = (list(&params)?, self.rust_type(&result)?);
                ty!(#c<#..params, #result>)
            }
            Rep::Array(dims, e) => {
                let c = self.array_type(dims)?;
                let e = self.rust_type(&e)?;
                ty!(#c<#e>)
            }
            Rep::Datatype(decl, args) => self.applied(decl, list(&args)?),
            Rep::Class(decl, args) => {
                let (r, c) = (self.runtime("Ref"), self.applied(decl, list(&args)?));
                ty!(#r<#c>)
            }
            Rep::Trait(decl, args) => {
                let (d, t) = (self.runtime("Dyn"), self.dyn_trait(decl, &args)?);
                ty!(#d<#t>)
            }
            Rep::Object => self.runtime("AnyObject").into(),
            // An external type is a type in hand-written Rust.
            Rep::Opaque => {
                if let Type::Named { decl, args, .. } = ty
                    && program.type_link(*decl).is_some()
                {
                    let (path, args) = (self.type_path(*decl), list(args)?);
                    ty!(#path<#..args>)
                } else {
                    let text = format!("the type `{}`", program.show_type(ty));
                    return Err(self.unsupported(Span::default(), text));
                }
            }
            Rep::Param(p) => match self.erased.iter().position(|&q| q == p) {
                Some(n) => {
                    let erased = self.runtime("Erased");
                    ty!(#erased<#n>)
                }
                None => {
                    let p = ident(self.ground.names.type_param(p));
                    ty!(#p)
                }
            },
            Rep::Error => {
                return Err(self.unsupported(Span::default(), "a type that does not resolve"));
            }
        })
    }

    /// Returns the alias of a subset type or newtype without type parameters, which has its name. An
    /// alias stands for a representation alone, so bounds are checked before it is used.
    fn alias(&self, ty: &Type) -> Translated<Option<rust::Type>> {
        let program = self.ground.program;
        let Type::Named { decl, args, .. } = ty else {
            return Ok(None);
        };
        self.has_no_newtype_within_bounds(&program[*decl].type_params, args)?;
        let kind = &program[*decl].kind;
        let is_aliased = matches!(kind, TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_))
            && args.is_empty()
            && program.nat != Some(*decl);
        Ok(is_aliased.then(|| self.type_path(*decl).into()))
    }

    /// Returns a declared type with arguments.
    pub(super) fn applied(&self, decl: TypeId, args: Vec<rust::Type>) -> rust::Type {
        self.applied_path(decl, args).into()
    }

    /// Returns the path of a declared type with arguments.
    pub(super) fn applied_path(&self, decl: TypeId, args: Vec<rust::Type>) -> Path {
        let path = self.type_path(decl);
        path!(#path::<#..args>)
    }

    /// Checks that no newtype is the argument of a type parameter with bounds: its values can be
    /// converted to a trait only if the newtype is statically known.
    pub(super) fn has_no_newtype_within_bounds(
        &self,
        params: &[TypeParamId],
        args: &[Type],
    ) -> Translated<()> {
        let program = self.ground.program;
        let is_newtype = |ty: &Type| match program.strip_subset(&ty.subst(&self.substitution)) {
            Type::Named { decl, .. } => matches!(program[decl].kind, TypeDeclKind::Newtype(_)),
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
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        };
        match params
            .iter()
            .zip(args)
            .find(|(p, arg)| !program[**p].bounds.is_empty() && is_newtype(arg))
        {
            Some((p, _)) => Err(self.unsupported(
                program[*p].span,
                "a newtype in the place of a type parameter with bounds",
            )),
            None => Ok(()),
        }
    }

    /// Returns the type of functions: `Fun2` for two parameters.
    pub(crate) fn function_type(&self, arity: usize) -> Translated<Path> {
        if arity > 8 {
            return Err(self.unsupported(
                Span::default(),
                format!("a function value of {arity} parameters"),
            ));
        }
        Ok(self.runtime(&format!("Fun{arity}")))
    }

    /// Returns the type of arrays: `Array`, `Array2`, ….
    pub(crate) fn array_type(&self, dims: u32) -> Translated<Path> {
        match dims {
            1 => Ok(self.runtime("Array")),
            2..=8 => Ok(self.runtime(&format!("Array{dims}"))),
            _ => Err(self.unsupported(Span::default(), format!("an array of {dims} dimensions"))),
        }
    }

    /// Returns generic parameters with bounds: `T: Value, U: Value`.
    pub(super) fn generics(&self, params: &[TypeParamId]) -> Vec<GenericParam> {
        let param = |p: &TypeParamId| {
            let decl = &self.ground.program[*p];
            // `T(0)` has a default, and a `T` that extends a trait can be cast to it.
            let default = decl.characteristics.auto_init.then_some("DafnyDefault");
            let dynamic = (!decl.bounds.is_empty()).then_some("Dynamic");
            let bounds = ["Value"]
                .into_iter()
                .chain(default)
                .chain(dynamic)
                .map(|name| Bound::Trait(self.runtime(name)));
            GenericParam {
                name: ident(self.ground.names.type_param(*p)).to_string(),
                bounds: bounds.collect(),
            }
        };
        params.iter().map(param).collect()
    }

    /// Returns generic parameters as arguments: `T, U`.
    pub(super) fn params(&self, params: &[TypeParamId]) -> Vec<Ident> {
        params
            .iter()
            .map(|&p| ident(self.ground.names.type_param(p)))
            .collect()
    }

    /// Returns generic parameters in the declaration of their type: `T: 'static, U`.
    pub(super) fn declared_params(&self, params: &[TypeParamId]) -> Vec<GenericParam> {
        let param = |p: &TypeParamId| {
            let bound = self
                .ground
                .static_params
                .contains(p)
                .then(|| Bound::Lifetime("static".to_owned()));
            GenericParam {
                name: ident(self.ground.names.type_param(*p)).to_string(),
                bounds: bound.into_iter().collect(),
            }
        };
        params.iter().map(param).collect()
    }

    /// Returns the type of a parameter: by value or by reference.
    pub(super) fn parameter_type(&self, ty: &Type) -> Translated<rust::Type> {
        let t = self.rust_type(ty)?;
        Ok(if self.ground.is_copy(ty) { t } else { ty!(&#t) })
    }

    /// Returns the result type of a callable, if it has results.
    pub(super) fn result_type(&self, callable: CallableId) -> Translated<Option<rust::Type>> {
        let outs = self.ground.results(callable);
        let types = outs
            .iter()
            .map(|&l| self.rust_type(&self.ground.program[l].ty))
            .collect::<Translated<Vec<_>>>()?;
        Ok((!types.is_empty()).then(|| rust::Type::one_or_tuple(types)))
    }

    /// Creates a reason why there is no translation.
    pub(crate) fn unsupported(&self, span: Span, reason: impl Into<Reason>) -> Unsupported {
        Unsupported {
            what: String::new(),
            reason: reason.into(),
            span,
        }
    }
}

/// Whether a type mentions a type parameter.
pub(crate) fn mentions(ty: &Type, param: TypeParamId) -> bool {
    *ty == Type::Param(param) || ty.compiled_parts().into_iter().any(|t| mentions(t, param))
}

/// Returns the run-time type of a set type.
fn set_type(program: &Program, ty: &Type) -> &'static str {
    let is_infinite = matches!(program.representation(ty), Type::Set { finite: false, .. });
    if is_infinite { "ISet" } else { "Set" }
}

/// Returns the run-time type of a map type.
fn map_type(program: &Program, ty: &Type) -> &'static str {
    let is_infinite = matches!(program.representation(ty), Type::Map { finite: false, .. });
    if is_infinite { "IMap" } else { "Map" }
}
