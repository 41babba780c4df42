//! How Dafny's types and calls look in Rust: the convention of the emitted program, in one place.
//!
//! Values of `Copy` types (`bool`, characters, native integers) are passed as they are, all others by reference; results
//! are owned. Ghost parameters and results are left out, except of specification functions, which keep all.

use std::cell::RefCell;
use std::collections::BTreeSet;

use num_bigint::BigInt;
use proc_macro2::TokenStream;
use quote::quote;

use super::code::{ident, number};
use super::names::Names;
use super::{Placement, Unsupported};
use crate::source::SourceMap;
use crate::typed::{
    Arena, CallableId, CtorId, FieldId, LocalId, ModuleId, NativeType, Program, Span, Substitution, Type, TypeDeclKind, TypeId,
    TypeParamId, Witness,
};

/// Why something has no translation, as the way out of its translation.
pub(super) type Translated<T> = Result<T, Unsupported>;

/// What an item of the translation needs to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Dependency {
    /// A declared type.
    Type(TypeId),
    /// A function or method.
    Callable(CallableId),
    /// A constant.
    Const(FieldId),
}

/// What values are made of at run time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rep {
    /// `bool`.
    Bool,
    /// `Char` or `Char16`.
    Char,
    /// `Int`.
    Int,
    /// A primitive integer.
    Native(NativeType),
    /// `Real`.
    Real,
    /// `Bv<N>`.
    Bv(u32),
    /// `Ordinal`.
    Ordinal,
    /// `Seq<T>`.
    Seq(Type),
    /// `Set<T>`.
    Set(Type),
    /// `Multiset<T>`.
    Multiset(Type),
    /// `Map<K, V>`.
    Map(Type, Type),
    /// A tuple of the components that are not ghost.
    Tuple(Vec<Type>),
    /// `Fun1<A, R>`.
    Arrow(Vec<Type>, Type),
    /// `Array<T>`.
    Array(u32, Type),
    /// A datatype.
    Datatype(TypeId, Vec<Type>),
    /// A reference to an object of a class.
    Class(TypeId, Vec<Type>),
    /// A reference that no single class describes: `object`, a trait.
    Opaque,
    /// A type parameter.
    Param(TypeParamId),
    /// Where resolution failed.
    Error,
}

/// The whole translation's ground: the program, its names and where they go.
pub(super) struct Ground<'p> {
    /// The program.
    pub(super) program: &'p Program,
    /// Its texts.
    pub(super) sources: &'p SourceMap,
    /// Names.
    pub(super) names: Names,
    /// Which Rust file takes which Dafny file.
    pub(super) placement: &'p Placement,
    /// Datatypes that contain each other: for each datatype, the number of its component.
    pub(super) components: Vec<u32>,
}

/// The place from which items are named, and what has been named.
pub(super) struct Scope<'g, 'p> {
    /// The ground.
    pub(super) ground: &'g Ground<'p>,
    /// The Rust module that the code stands in; `None`: in the suite, where everything is named from `subject`.
    pub(super) module: Option<(ModuleId, Vec<String>)>,
    /// Whether the code is a specification: ghost variables exist.
    pub(super) spec: bool,
    /// In the suite of a subject by other hands: specification functions stand in the suite's own module `spec`.
    pub(super) apart: bool,
    /// In the suite: what the type parameters of the unit stand for.
    pub(super) substitution: Substitution,
    /// What was named.
    pub(super) dependencies: RefCell<BTreeSet<Dependency>>,
}

impl NativeType {
    /// The least and the greatest value.
    pub(super) fn bounds(self) -> (BigInt, BigInt) {
        match self {
            Self::U8 => (u8::MIN.into(), u8::MAX.into()),
            Self::I8 => (i8::MIN.into(), i8::MAX.into()),
            Self::U16 => (u16::MIN.into(), u16::MAX.into()),
            Self::I16 => (i16::MIN.into(), i16::MAX.into()),
            Self::U32 => (u32::MIN.into(), u32::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U64 => (u64::MIN.into(), u64::MAX.into()),
            Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U128 => (u128::MIN.into(), u128::MAX.into()),
            Self::I128 => (i128::MIN.into(), i128::MAX.into()),
        }
    }

    /// The primitive.
    pub(super) fn rust_name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::U128 => "u128",
            Self::I128 => "i128",
        }
    }
}

impl<'p> Ground<'p> {
    /// The ground of a program.
    pub(super) fn new(program: &'p Program, sources: &'p SourceMap, placement: &'p Placement) -> Self {
        let names = Names::new(program);
        let components = components(program);
        Self { program, sources, names, placement, components }
    }

    /// What values of the type are made of.
    pub(super) fn rep(&self, ty: &Type) -> Rep {
        match self.program.strip_subset(ty) {
            Type::Bool => Rep::Bool,
            Type::Char => Rep::Char,
            Type::Int => Rep::Int,
            Type::Real => Rep::Real,
            Type::Bv(n) => Rep::Bv(n),
            Type::Ordinal => Rep::Ordinal,
            Type::Seq(e) => Rep::Seq(*e),
            Type::Set { elem, .. } => Rep::Set(*elem),
            Type::Multiset(e) => Rep::Multiset(*e),
            Type::Map { key, value, .. } => Rep::Map(*key, *value),
            Type::Tuple(cs) => Rep::Tuple(cs.into_iter().filter(|(ghost, _)| !ghost).map(|(_, t)| t).collect()),
            Type::Arrow { params, result, .. } => Rep::Arrow(params, *result),
            Type::Array { dims, elem, .. } => Rep::Array(dims, *elem),
            Type::Object { .. } => Rep::Opaque,
            Type::Param(p) => Rep::Param(p),
            Type::Error => Rep::Error,
            Type::Named { decl, args, .. } => match &self.program[decl].kind {
                TypeDeclKind::Datatype { .. } => Rep::Datatype(decl, args),
                TypeDeclKind::Newtype(c) => match c.native {
                    Some(native) => Rep::Native(native),
                    None => self.rep(&c.base.subst(&self.program.substitution(decl, &args))),
                },
                TypeDeclKind::Class => Rep::Class(decl, args),
                TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) | TypeDeclKind::Abstract => Rep::Opaque,
                // `strip_subset` leaves none.
                TypeDeclKind::Subset(c) => self.rep(&c.base.subst(&self.program.substitution(decl, &args))),
            },
        }
    }

    /// Whether the Rust type is `Copy`.
    pub(super) fn is_copy(&self, ty: &Type) -> bool {
        matches!(self.rep(ty), Rep::Bool | Rep::Char | Rep::Native(_))
    }

    /// The character type.
    pub(super) fn char_type(&self) -> &'static str {
        if self.program.options.unicode_char { "Char" } else { "Char16" }
    }

    /// Whether a datatype's field is held through `Rc`, because its type holds the datatype itself.
    pub(super) fn is_boxed(&self, owner: TypeId, ty: &Type) -> bool {
        let mut found = false;
        contained(self.program, ty, &mut |t| found |= self.components.get(t.0 as usize) == self.components.get(owner.0 as usize));
        found
    }

    /// The parameters that exist at run time.
    pub(super) fn formals(&self, callable: CallableId) -> Vec<LocalId> {
        let c = &self.program[callable];
        c.ins.iter().map(|f| f.local).filter(|&l| c.ghost || !self.program[l].ghost).collect()
    }

    /// The results that exist at run time.
    pub(super) fn results(&self, callable: CallableId) -> Vec<LocalId> {
        let c = &self.program[callable];
        c.outs.iter().map(|f| f.local).filter(|&l| c.ghost || !self.program[l].ghost).collect()
    }

    /// The fields of a constructor that exist at run time.
    pub(super) fn ctor_fields(&self, ctor: CtorId) -> Vec<FieldId> {
        self.program[ctor].fields.iter().copied().filter(|&f| !self.program[f].ghost).collect()
    }

    /// The constructors of a datatype that exist at run time.
    pub(super) fn datatype_ctors(&self, ty: TypeId) -> Vec<CtorId> {
        match &self.program[ty].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors.iter().copied().filter(|&c| !self.program[c].ghost).collect(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => Vec::new(),
        }
    }

    /// Whether members of the type are inherent methods with `&self`.
    pub(super) fn has_methods(&self, ty: TypeId) -> bool {
        matches!(self.program[ty].kind, TypeDeclKind::Datatype { .. })
    }

    /// Whether a type parameter of a datatype stands in none of its fields.
    pub(super) fn phantoms(&self, ty: TypeId) -> Vec<TypeParamId> {
        let fields: Vec<FieldId> = self.datatype_ctors(ty).into_iter().flat_map(|c| self.ctor_fields(c)).collect();
        // Rust does not count what a type mentions only by way of itself.
        let unused = |p: &TypeParamId| !fields.iter().any(|&f| self.uses(ty, &self.program[f].ty, *p));
        self.program[ty].type_params.iter().copied().filter(unused).collect()
    }

    /// Whether a field type mentions the declared type that it belongs to, at other type arguments: Rust has no such types.
    pub(super) fn is_irregular(&self, owner: TypeId, ty: &Type) -> bool {
        let own: Vec<Type> = self.program[owner].type_params.iter().map(|&p| Type::Param(p)).collect();
        match self.program.representation(ty) {
            Type::Named { decl, args, .. } => (decl == owner && args != own) || args.iter().any(|t| self.is_irregular(owner, t)),
            Type::Tuple(cs) => cs.iter().any(|(ghost, t)| !ghost && self.is_irregular(owner, t)),
            Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } | Type::Array { elem: e, .. } => self.is_irregular(owner, &e),
            Type::Map { key, value, .. } => self.is_irregular(owner, &key) || self.is_irregular(owner, &value),
            Type::Arrow { params, result, .. } => params.iter().chain([&*result]).any(|t| self.is_irregular(owner, t)),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// Whether a field type mentions a type parameter other than as an argument of the datatype that it belongs to.
    fn uses(&self, owner: TypeId, ty: &Type, param: TypeParamId) -> bool {
        match self.program.representation(ty) {
            Type::Named { decl, args, .. } => {
                let same = self.components.get(decl.0 as usize) == self.components.get(owner.0 as usize);
                !same && args.iter().any(|t| self.uses(owner, t, param))
            }
            Type::Tuple(cs) => cs.iter().any(|(ghost, t)| !ghost && self.uses(owner, t, param)),
            Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } | Type::Array { elem: e, .. } => self.uses(owner, &e, param),
            Type::Map { key, value, .. } => self.uses(owner, &key, param) || self.uses(owner, &value, param),
            Type::Arrow { params, result, .. } => self.uses(owner, &result, param) || params.iter().any(|t| self.uses(owner, t, param)),
            Type::Param(p) => p == param,
            Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal | Type::Object { .. } | Type::Error => false,
        }
    }

    /// The default value of a type in Rust exists.
    pub(super) fn has_default(&self, ty: &Type) -> bool {
        self.defaultable(ty, &mut Vec::new())
    }

    fn defaultable(&self, ty: &Type, within: &mut Vec<TypeId>) -> bool {
        match self.rep(ty) {
            Rep::Bool | Rep::Char | Rep::Int | Rep::Native(_) | Rep::Real | Rep::Bv(_) | Rep::Ordinal => true,
            Rep::Seq(_) | Rep::Set(_) | Rep::Multiset(_) | Rep::Map(..) | Rep::Array(..) | Rep::Class(..) => true,
            Rep::Tuple(ts) => ts.iter().all(|t| self.defaultable(t, within)),
            Rep::Arrow(_, result) => self.defaultable(&result, within),
            Rep::Datatype(decl, args) => args.iter().all(|t| self.defaultable(t, within)) && self.grounding_ctor(decl, within).is_some(),
            Rep::Param(p) => self.program[p].characteristics.auto_init,
            Rep::Opaque | Rep::Error => false,
        }
    }

    /// The constructor of a datatype's default value; its type parameters are taken to have defaults.
    pub(super) fn grounding_ctor(&self, decl: TypeId, within: &mut Vec<TypeId>) -> Option<CtorId> {
        if within.contains(&decl) || matches!(self.program[decl].kind, TypeDeclKind::Datatype { co: true, .. }) {
            return None;
        }
        within.push(decl);
        let params = &self.program[decl].type_params;
        let grounded = |f: &FieldId, within: &mut Vec<TypeId>| match &self.program[*f].ty {
            Type::Param(p) if params.contains(p) => true,
            ty => self.defaultable(ty, within) || self.default_by_params(ty, params, within),
        };
        let found = self.datatype_ctors(decl).into_iter().find(|&c| self.ctor_fields(c).iter().all(|f| grounded(f, within)));
        within.pop();
        found
    }

    /// As [`Self::defaultable`], where these type parameters have defaults.
    fn default_by_params(&self, ty: &Type, params: &[TypeParamId], within: &mut Vec<TypeId>) -> bool {
        let all = params.iter().map(|&p| (p, Type::Int)).collect();
        self.defaultable(&ty.subst(&all), within)
    }
}

impl<'g, 'p> Scope<'g, 'p> {
    /// A place in the translation, or in the suite where there is no module.
    pub(super) fn new(ground: &'g Ground<'p>, module: Option<(ModuleId, Vec<String>)>, spec: bool) -> Self {
        Self { ground, module, spec, apart: false, substitution: Substitution::default(), dependencies: RefCell::default() }
    }

    /// A name of the run-time library.
    pub(super) fn runtime(&self, name: &str) -> TokenStream {
        let id = ident(name);
        match &self.module {
            Some((m, _)) if self.ground.names.declares(*m, name) => quote!(dunit::#id),
            Some(_) | None => quote!(#id),
        }
    }

    /// Notes that something is needed.
    pub(super) fn needs(&self, what: Dependency) {
        self.dependencies.borrow_mut().insert(what);
    }

    /// The path of something declared at `span` in `module`.
    fn path(&self, module: ModuleId, span: Span, name: &str) -> TokenStream {
        let target = self.ground.rust_module(module, span);
        let name = ident(name);
        match &self.module {
            Some((_, here)) if *here == target => quote!(#name),
            Some(_) => {
                let root: TokenStream = self.ground.placement.root.parse().unwrap_or_default();
                let segments = target.iter().map(|s| ident(s));
                quote!(#root #(::#segments)* :: #name)
            }
            None => {
                let segments = target.iter().map(|s| ident(s));
                quote!(subject #(::#segments)* :: #name)
            }
        }
    }

    /// The path of a type, without arguments.
    pub(super) fn type_path(&self, ty: TypeId) -> TokenStream {
        self.needs(Dependency::Type(ty));
        let decl = &self.ground.program[ty];
        self.path(decl.module, decl.span, self.ground.names.type_name(ty))
    }

    /// Whether a function stands in the suite's module `spec`.
    pub(super) fn is_apart(&self, callable: CallableId) -> bool {
        self.apart && self.ground.program[callable].ghost
    }

    /// The name of a function that stands in a module: in `spec`, members are named with their type.
    pub(super) fn function_name(&self, callable: CallableId) -> String {
        let name = self.ground.names.callable(callable);
        match self.ground.program[callable].owner {
            Some(owner) if self.is_apart(callable) && super::in_impl(self.ground, owner) => {
                format!("{}_{name}", super::names::snake_case(self.ground.names.type_name(owner)))
            }
            Some(_) | None => name.to_owned(),
        }
    }

    /// The path of a function that stands in a module rather than in an `impl`.
    pub(super) fn free_function(&self, callable: CallableId) -> TokenStream {
        let c = &self.ground.program[callable];
        if self.is_apart(callable) {
            let segments = self.ground.rust_module(c.module, c.owner.map_or(c.span, |t| self.ground.program[t].span));
            let (segments, name) = (segments.iter().map(|s| ident(s)), ident(&self.function_name(callable)));
            return quote!(crate::spec #(::#segments)* :: #name);
        }
        let span = c.owner.map_or(c.span, |t| self.ground.program[t].span);
        self.path(c.module, span, self.ground.names.callable(callable))
    }

    /// The path of a constant that stands in a module.
    pub(super) fn free_const(&self, field: FieldId) -> TokenStream {
        let f = &self.ground.program[field];
        let span = f.owner.map_or(f.span, |t| self.ground.program[t].span);
        self.path(f.module, span, self.ground.names.field(field))
    }

    /// The Rust type of values of a Dafny type.
    pub(super) fn rust_type(&self, ty: &Type) -> Translated<TokenStream> {
        let program = self.ground.program;
        let ty = &ty.subst(&self.substitution);
        if let Type::Named { decl, args, .. } = ty {
            let kind = &program[*decl].kind;
            let aliased =
                matches!(kind, TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)) && args.is_empty() && program.nat != Some(*decl);
            if aliased {
                return Ok(self.type_path(*decl));
            }
        }
        let list = |ts: &[Type]| ts.iter().map(|t| self.rust_type(t)).collect::<Translated<Vec<_>>>();
        Ok(match self.ground.rep(ty) {
            Rep::Bool => quote!(bool),
            Rep::Char => self.runtime(self.ground.char_type()),
            Rep::Int => self.runtime("Int"),
            Rep::Native(n) => {
                let n = ident(n.rust_name());
                quote!(#n)
            }
            Rep::Real => self.runtime("Real"),
            Rep::Bv(n) => {
                let (bv, n) = (self.runtime("Bv"), number(&n.to_string()));
                quote!(#bv<#n>)
            }
            Rep::Ordinal => self.runtime("Ordinal"),
            Rep::Seq(e) => {
                let (c, e) = (self.runtime("Seq"), self.rust_type(&e)?);
                quote!(#c<#e>)
            }
            Rep::Set(e) => {
                let infinite = matches!(program.representation(ty), Type::Set { finite: false, .. });
                let (c, e) = (self.runtime(if infinite { "ISet" } else { "Set" }), self.rust_type(&e)?);
                quote!(#c<#e>)
            }
            Rep::Multiset(e) => {
                let (c, e) = (self.runtime("Multiset"), self.rust_type(&e)?);
                quote!(#c<#e>)
            }
            Rep::Map(k, v) => {
                let infinite = matches!(program.representation(ty), Type::Map { finite: false, .. });
                let c = self.runtime(if infinite { "IMap" } else { "Map" });
                let (k, v) = (self.rust_type(&k)?, self.rust_type(&v)?);
                quote!(#c<#k, #v>)
            }
            Rep::Tuple(ts) if ts.len() > 12 => return Err(self.unsupported(Span::default(), "a tuple of more than 12 components")),
            Rep::Tuple(ts) => match list(&ts)?.as_slice() {
                [one] => one.clone(),
                many => quote!((#(#many),*)),
            },
            Rep::Arrow(params, result) => {
                let c = self.function_type(params.len())?;
                let (params, result) = (list(&params)?, self.rust_type(&result)?);
                quote!(#c<#(#params,)* #result>)
            }
            Rep::Array(dims, e) => {
                let c = self.array_type(dims)?;
                let e = self.rust_type(&e)?;
                quote!(#c<#e>)
            }
            Rep::Datatype(decl, args) => self.applied(decl, &list(&args)?),
            Rep::Class(decl, args) => {
                let (r, c) = (self.runtime("Ref"), self.applied(decl, &list(&args)?));
                quote!(#r<#c>)
            }
            Rep::Opaque => return Err(self.unsupported(Span::default(), format!("the type `{}`", program.show_type(ty)))),
            Rep::Param(p) => {
                let p = ident(self.ground.names.type_param(p));
                quote!(#p)
            }
            Rep::Error => return Err(self.unsupported(Span::default(), "a type that does not resolve")),
        })
    }

    /// A declared type with arguments.
    fn applied(&self, decl: TypeId, args: &[TokenStream]) -> TokenStream {
        let path = self.type_path(decl);
        if args.is_empty() { path } else { quote!(#path<#(#args),*>) }
    }

    /// `Fun2` for two parameters.
    pub(super) fn function_type(&self, arity: usize) -> Translated<TokenStream> {
        if arity > 8 {
            return Err(self.unsupported(Span::default(), format!("a function value of {arity} parameters")));
        }
        Ok(self.runtime(&format!("Fun{arity}")))
    }

    /// `Array`, `Array2`, ….
    pub(super) fn array_type(&self, dims: u32) -> Translated<TokenStream> {
        match dims {
            1 => Ok(self.runtime("Array")),
            2..=8 => Ok(self.runtime(&format!("Array{dims}"))),
            _ => Err(self.unsupported(Span::default(), format!("an array of {dims} dimensions"))),
        }
    }

    /// `<T: Value, U: Value>`; nothing for none.
    pub(super) fn generics(&self, params: &[TypeParamId]) -> TokenStream {
        if params.is_empty() {
            return TokenStream::new();
        }
        let (value, default) = (self.runtime("Value"), self.runtime("DafnyDefault"));
        let each = params.iter().map(|&p| {
            let name = ident(self.ground.names.type_param(p));
            if self.ground.program[p].characteristics.auto_init { quote!(#name: #value + #default) } else { quote!(#name: #value) }
        });
        quote!(<#(#each),*>)
    }

    /// `<T, U>`; nothing for none.
    pub(super) fn params(&self, params: &[TypeParamId]) -> TokenStream {
        let each = params.iter().map(|&p| ident(self.ground.names.type_param(p)));
        if params.is_empty() { TokenStream::new() } else { quote!(<#(#each),*>) }
    }

    /// The type of a parameter: by value or by reference.
    pub(super) fn parameter_type(&self, ty: &Type) -> Translated<TokenStream> {
        let t = self.rust_type(ty)?;
        Ok(if self.ground.is_copy(ty) { t } else { quote!(&#t) })
    }

    /// The result type of a callable with its arrow; nothing for no result.
    pub(super) fn result_type(&self, callable: CallableId) -> Translated<TokenStream> {
        let outs = self.ground.results(callable);
        let types = outs.iter().map(|&l| self.rust_type(&self.ground.program[l].ty)).collect::<Translated<Vec<_>>>()?;
        Ok(match types.as_slice() {
            [] => TokenStream::new(),
            [one] => quote!(-> #one),
            many => quote!(-> (#(#many),*)),
        })
    }

    /// A reason why there is no translation.
    pub(super) fn unsupported(&self, span: Span, reason: impl Into<String>) -> Unsupported {
        Unsupported { what: String::new(), reason: reason.into(), span }
    }

    /// The compiled witness of a subset type or newtype, or of one that it is based on without a witness of its own.
    /// With it, what the type parameters in it stand for.
    fn witness(&self, ty: &Type) -> Option<(&'p crate::typed::Expr, Substitution)> {
        let Type::Named { decl, args, .. } = ty else { return None };
        let substitution = self.ground.program.substitution(*decl, args);
        match &self.ground.program[*decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => match &c.witness {
                Witness::Compiled(e) => Some((e, substitution)),
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

    /// The default value of a type, if it has one.
    pub(super) fn default_value(&self, ty: &Type) -> Translated<Option<TokenStream>> {
        if let Some((witness, substitution)) = self.witness(&ty.subst(&self.substitution)) {
            let within = Scope { substitution, ..Scope::new(self.ground, self.module.clone(), self.spec) };
            let value = super::expr::Body::new(&within).value(witness)?;
            self.dependencies.borrow_mut().extend(within.dependencies.into_inner());
            return Ok(Some(value));
        }
        if !self.ground.has_default(ty) {
            return Ok(None);
        }
        Ok(Some(match self.ground.rep(ty) {
            Rep::Bool => quote!(false),
            Rep::Int => {
                let int = self.runtime("int");
                quote!(#int(0))
            }
            Rep::Native(n) => number(&format!("0{}", n.rust_name())),
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
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => {
                let t = self.rust_type(ty)?;
                let default = self.runtime("DafnyDefault");
                quote!(<#t as #default>::dafny_default())
            }
        }))
    }
}

/// Whether a type mentions a type parameter.
pub(super) fn mentions(ty: &Type, param: TypeParamId) -> bool {
    match ty {
        Type::Param(p) => *p == param,
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal | Type::Object { .. } | Type::Error => false,
        Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } | Type::Array { elem: e, .. } => mentions(e, param),
        Type::Map { key, value, .. } => mentions(key, param) || mentions(value, param),
        Type::Tuple(cs) => cs.iter().any(|(ghost, t)| !ghost && mentions(t, param)),
        Type::Arrow { params, result, .. } => mentions(result, param) || params.iter().any(|t| mentions(t, param)),
        Type::Named { args, .. } => args.iter().any(|t| mentions(t, param)),
    }
}

/// Calls `f` for every datatype that values of the type hold within themselves.
fn contained(program: &Program, ty: &Type, f: &mut impl FnMut(TypeId)) {
    match program.representation(ty) {
        Type::Tuple(cs) => cs.iter().for_each(|(_, t)| contained(program, t, f)),
        Type::Named { decl, args, .. } => {
            if matches!(program[decl].kind, TypeDeclKind::Datatype { .. }) {
                f(decl);
                args.iter().for_each(|t| contained(program, t, f));
            }
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
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => {}
    }
}

/// The strongly connected components of "holds within itself" over datatypes, by reachability.
fn components(program: &Program) -> Vec<u32> {
    let ids: Vec<TypeId> = program.ids();
    let n = ids.len();
    let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    for &t in &ids {
        if let (TypeDeclKind::Datatype { ctors, .. }, Some(out)) = (&program[t].kind, edges.get_mut(t.0 as usize)) {
            for &f in ctors.iter().flat_map(|&c| &program[c].fields) {
                contained(program, &program[f].ty, &mut |d| {
                    out.insert(d.0 as usize);
                });
            }
        }
    }
    let reach = |from: usize| {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<usize> = edges.get(from).into_iter().flatten().copied().collect();
        while let Some(t) = todo.pop() {
            if seen.insert(t) {
                todo.extend(edges.get(t).into_iter().flatten());
            }
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..n).map(reach).collect();
    let least = |t: usize| {
        let mutual = |&u: &usize| reached.get(u).is_some_and(|r| r.contains(&t));
        reached.get(t).into_iter().flatten().copied().filter(mutual).min().unwrap_or(n + t)
    };
    (0..n).map(|t| least(t) as u32).collect()
}
