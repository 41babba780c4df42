//! The representation of Dafny's types in Rust, and the context of a translation ([`Ground`]).

use std::cell::{Cell, RefCell};

use super::default::Defaults;
use super::names::Names;
use crate::package::Placement;
use dafny_resolve::typed::{
    Arena, CallableId, CtorId, FieldId, FieldKind, LocalId, NativeType, Program, Type,
    TypeDeclKind, TypeId, TypeParamId,
};
use dafny_source::SourceMap;
use dtest_desugar::Syntheses as _;
use dtest_sorted::{SortedMap, SortedSet};

/// The representation of a type's values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rep {
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
    /// A value of a trait.
    Trait(TypeId, Vec<Type>),
    /// `object`.
    Object,
    /// An abstract type or an iterator.
    Opaque,
    /// A type parameter.
    Param(TypeParamId),
    /// A type that failed to resolve.
    Error,
}

impl Rep {
    /// Whether values are references, which have an identity.
    pub(super) fn is_reference(&self) -> bool {
        matches!(
            self,
            Self::Array(..) | Self::Class(..) | Self::Trait(..) | Self::Object
        )
    }
}

/// The context of a whole translation: the program, its names and their placement.
pub(crate) struct Ground<'p> {
    /// The program.
    pub(crate) program: &'p Program,
    /// The source texts.
    pub(crate) sources: &'p SourceMap,
    /// The names of its items.
    pub(crate) names: Names,
    /// The Rust file of each Dafny file.
    pub(super) placement: &'p Placement,
    /// The callables that use defaults of type parameters; those known so far.
    pub(super) defaults: RefCell<Defaults>,
    /// Specification functions that are in the suite.
    pub(crate) apart: RefCell<SortedSet<CallableId>>,
    /// Whether the code under test is hand-written, and has nothing that is ghost.
    pub(super) foreign: Cell<bool>,
    /// The constructors of default values that were computed so far.
    grounding: RefCell<SortedMap<TypeId, Option<CtorId>>>,
    /// The components of mutually recursive datatypes: for each datatype, the number of its
    /// component.
    pub(super) components: Vec<u32>,
    /// The components if elements of collections count as contained.
    wide_components: Vec<u32>,
    /// Classes whose objects `{:synthesize}` methods create.
    pub(super) synthesized_classes: SortedSet<TypeId>,
    /// Type parameters that are declared as `'static`.
    pub(super) static_params: SortedSet<TypeParamId>,
}

/// The holder of a datatype's field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// No holder: the field has the value itself.
    Plain,
    /// `Rc`: the field's type contains the datatype itself.
    Rc,
    /// `Lazy`: as `Rc`, for a codatatype, whose values may be infinite.
    Lazy,
}

/// Returns the primitive type of Rust.
pub(super) fn primitive(native: NativeType) -> &'static str {
    match native {
        NativeType::U8 => "u8",
        NativeType::I8 => "i8",
        NativeType::U16 => "u16",
        NativeType::I16 => "i16",
        NativeType::U32 => "u32",
        NativeType::I32 => "i32",
        NativeType::U64 => "u64",
        NativeType::I64 => "i64",
        NativeType::U128 => "u128",
        NativeType::I128 => "i128",
    }
}

impl<'p> Ground<'p> {
    /// Creates the context of a program.
    pub(crate) fn new(
        program: &'p Program,
        sources: &'p SourceMap,
        placement: &'p Placement,
    ) -> Self {
        let names = Names::new(program);
        let (components, wide_components) = (components(program, false), components(program, true));
        let static_params = super::lifetimes::static_params(program);
        Self {
            program,
            sources,
            names,
            placement,
            defaults: RefCell::default(),
            apart: RefCell::default(),
            foreign: Cell::default(),
            components,
            grounding: RefCell::default(),
            wide_components,
            synthesized_classes: program.synthesized_classes().into_iter().collect(),
            static_params,
        }
    }

    /// Returns the representation of a type's values.
    pub(crate) fn rep(&self, ty: &Type) -> Rep {
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
            Type::Tuple(cs) => Rep::Tuple(
                cs.into_iter()
                    .filter(|(ghost, _)| !ghost)
                    .map(|(_, t)| t)
                    .collect(),
            ),
            Type::Arrow { params, result, .. } => Rep::Arrow(params, *result),
            Type::Array { dims, elem, .. } => Rep::Array(dims, *elem),
            Type::Object { .. } => Rep::Object,
            Type::Param(p) => Rep::Param(p),
            Type::Error => Rep::Error,
            Type::Named { decl, args, .. } => match &self.program[decl].kind {
                TypeDeclKind::Datatype { .. } => Rep::Datatype(decl, args),
                // A newtype has a representation of its own only if it is a native integer.
                TypeDeclKind::Newtype(c) => match c.native {
                    Some(native) => Rep::Native(native),
                    None => self.rep(&c.base.subst(&self.program.substitution(decl, &args))),
                },
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => Rep::Class(decl, args),
                TypeDeclKind::Trait { .. } => Rep::Trait(decl, args),
                TypeDeclKind::Abstract => Rep::Opaque,
                // Unreachable: `strip_subset` removes subset types.
                TypeDeclKind::Subset(c) => {
                    self.rep(&c.base.subst(&self.program.substitution(decl, &args)))
                }
            },
        }
    }

    /// Whether the Rust type is `Copy`.
    pub(crate) fn is_copy(&self, ty: &Type) -> bool {
        matches!(self.rep(ty), Rep::Bool | Rep::Char | Rep::Native(_))
    }

    /// Returns the character type.
    pub(super) fn char_type(&self) -> &'static str {
        if self.program.options.unicode_char {
            "Char"
        } else {
            "Char16"
        }
    }

    /// The holder of a datatype's field.
    pub(super) fn holder(&self, owner: TypeId, ty: &Type) -> Holder {
        let co = self.program.is_codatatype(owner);
        // A value of a codatatype may be infinite through collections, too, which a finite one
        // cannot.
        let components = if co {
            &self.wide_components
        } else {
            &self.components
        };
        // A field that contains its own datatype, also through others, would make the type
        // infinitely large.
        let mut found = false;
        contained(self.program, ty, co, &mut |t| {
            found |= components.get(t.0 as usize) == components.get(owner.0 as usize)
        });
        match (found, co) {
            (false, _) => Holder::Plain,
            (true, false) => Holder::Rc,
            (true, true) => Holder::Lazy,
        }
    }

    /// Whether a destructor's field is held by `Lazy`.
    pub(crate) fn is_lazy(&self, field: FieldId) -> bool {
        let field = &self.program[field];
        matches!(field.kind, FieldKind::Destructor(_))
            && field
                .owner
                .is_some_and(|t| self.holder(t, &field.ty) == Holder::Lazy)
    }

    /// Returns the parameters that exist at run time.
    pub(crate) fn formals(&self, callable: CallableId) -> Vec<LocalId> {
        let c = &self.program[callable];
        c.ins
            .iter()
            .map(|f| f.local)
            .filter(|&l| c.ghost || !self.program[l].ghost)
            .collect()
    }

    /// Returns the results that exist at run time.
    pub(crate) fn results(&self, callable: CallableId) -> Vec<LocalId> {
        let c = &self.program[callable];
        c.outs
            .iter()
            .map(|f| f.local)
            .filter(|&l| c.ghost || !self.program[l].ghost)
            .collect()
    }

    /// Returns the fields of a constructor that exist at run time.
    pub(super) fn ctor_fields(&self, ctor: CtorId) -> Vec<FieldId> {
        self.program[ctor]
            .fields
            .iter()
            .copied()
            .filter(|&f| !self.program[f].ghost)
            .collect()
    }

    /// Returns the constructors of a datatype that exist at run time.
    pub(crate) fn datatype_ctors(&self, ty: TypeId) -> Vec<CtorId> {
        match &self.program[ty].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .copied()
                .filter(|&c| !self.program[c].ghost)
                .collect(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => Vec::new(),
        }
    }

    /// Whether the type's objects are a struct behind `Ref`, and its members associated functions.
    pub(super) fn is_class(&self, ty: TypeId) -> bool {
        matches!(
            self.program[ty].kind,
            TypeDeclKind::Class | TypeDeclKind::Iterator(_)
        )
    }

    /// Whether members of the type are inherent methods with `&self`.
    pub(super) fn has_methods(&self, ty: TypeId) -> bool {
        matches!(self.program[ty].kind, TypeDeclKind::Datatype { .. })
    }

    /// Returns the type parameters of a datatype that none of its fields mentions.
    pub(crate) fn phantoms(&self, ty: TypeId) -> Vec<TypeParamId> {
        let fields: Vec<FieldId> = self
            .datatype_ctors(ty)
            .into_iter()
            .flat_map(|c| self.ctor_fields(c))
            .collect();
        // Rust does not count occurrences in recursive uses of the type.
        let unused = |p: &TypeParamId| {
            !fields
                .iter()
                .any(|&f| self.uses(ty, &self.program[f].ty, *p))
        };
        self.program[ty]
            .type_params
            .iter()
            .copied()
            .filter(unused)
            .collect()
    }

    /// Whether a field type mentions its own declared type with other type arguments, which Rust
    /// does not allow.
    pub(super) fn is_irregular(&self, owner: TypeId, ty: &Type) -> bool {
        let own: Vec<Type> = self.program[owner]
            .type_params
            .iter()
            .map(|&p| Type::Param(p))
            .collect();
        match self.program.representation(ty) {
            // Irregular: the datatype occurs in itself with other type arguments.
            Type::Named { decl, args, .. } => {
                (decl == owner && args != own) || args.iter().any(|t| self.is_irregular(owner, t))
            }
            Type::Tuple(cs) => cs
                .iter()
                .any(|(ghost, t)| !ghost && self.is_irregular(owner, t)),
            Type::Seq(e)
            | Type::Multiset(e)
            | Type::Set { elem: e, .. }
            | Type::Array { elem: e, .. } => self.is_irregular(owner, &e),
            Type::Map { key, value, .. } => {
                self.is_irregular(owner, &key) || self.is_irregular(owner, &value)
            }
            Type::Arrow { params, result, .. } => params
                .iter()
                .chain([&*result])
                .any(|t| self.is_irregular(owner, t)),
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

    /// Whether a field type mentions a type parameter other than as an argument of its own
    /// datatype.
    fn uses(&self, owner: TypeId, ty: &Type, param: TypeParamId) -> bool {
        match self.program.representation(ty) {
            Type::Named { decl, args, .. } => {
                // Arguments of mutually recursive types are disregarded: they pass parameters
                // around.
                let same =
                    self.components.get(decl.0 as usize) == self.components.get(owner.0 as usize);
                !same && args.iter().any(|t| self.uses(owner, t, param))
            }
            Type::Tuple(cs) => cs
                .iter()
                .any(|(ghost, t)| !ghost && self.uses(owner, t, param)),
            Type::Seq(e)
            | Type::Multiset(e)
            | Type::Set { elem: e, .. }
            | Type::Array { elem: e, .. } => self.uses(owner, &e, param),
            Type::Map { key, value, .. } => {
                self.uses(owner, &key, param) || self.uses(owner, &value, param)
            }
            Type::Arrow { params, result, .. } => {
                self.uses(owner, &result, param)
                    || params.iter().any(|t| self.uses(owner, t, param))
            }
            Type::Param(p) => p == param,
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Object { .. }
            | Type::Error => false,
        }
    }

    /// Whether the Rust type has a default value.
    pub(crate) fn has_default(&self, ty: &Type) -> bool {
        self.defaultable(ty, &mut Within::default())
    }

    fn defaultable(&self, ty: &Type, within: &mut Within) -> bool {
        match self.rep(ty) {
            Rep::Bool
            | Rep::Char
            | Rep::Int
            | Rep::Native(_)
            | Rep::Real
            | Rep::Bv(_)
            | Rep::Ordinal => true,
            Rep::Seq(_)
            | Rep::Set(_)
            | Rep::Multiset(_)
            | Rep::Map(..)
            | Rep::Array(..)
            | Rep::Class(..) => true,
            Rep::Trait(..) | Rep::Object => true,
            Rep::Tuple(ts) => ts.iter().all(|t| self.defaultable(t, within)),
            // The default of a function is constant.
            Rep::Arrow(_, result) => self.defaultable(&result, within),
            Rep::Datatype(decl, args) => {
                args.iter().all(|t| self.defaultable(t, within))
                    && self.grounding(decl, within).is_some()
            }
            Rep::Param(p) => self.program[p].characteristics.auto_init,
            Rep::Opaque | Rep::Error => false,
        }
    }

    /// Returns the constructor of a datatype's default value; its type parameters are assumed to
    /// have defaults.
    pub(super) fn grounding_ctor(&self, decl: TypeId) -> Option<CtorId> {
        self.grounding(decl, &mut Within::default())
    }

    fn grounding(&self, decl: TypeId, within: &mut Within) -> Option<CtorId> {
        if let Some(known) = self.grounding.borrow().get(&decl) {
            return *known;
        }
        // A datatype within its own search has no default by this constructor; another one may
        // have.
        if let Some(at) = within.path.iter().position(|d| *d == decl) {
            within.rests_on = within.rests_on.min(at);
            return None;
        }
        let (depth, outside) = (
            within.path.len(),
            std::mem::replace(&mut within.rests_on, usize::MAX),
        );
        within.path.push(decl);
        let params = &self.program[decl].type_params;
        let grounded = |f: &FieldId, within: &mut Within| {
            let ty = &self.program[*f].ty;
            if matches!(ty, Type::Param(p) if params.contains(p)) {
                true
            // A lazy default is not computed here, so its own type does not need to be finite.
            } else if self.holder(decl, ty) == Holder::Lazy {
                let all = params.iter().map(|&p| (p, Type::Int)).collect();
                self.program.characteristics_of(&ty.subst(&all)).auto_init
            } else {
                self.defaultable(ty, within) || self.default_by_params(ty, params, within)
            }
        };
        let ctors = self
            .program
            .grounding_ctors(decl)
            .into_iter()
            .filter(|&c| !self.program[c].ghost);
        let found = ctors
            .into_iter()
            .find(|&c| self.ctor_fields(c).iter().all(|f| grounded(f, within)));
        within.path.pop();
        if within.rests_on >= depth {
            // The answer does not depend on an enclosing search, so it is cached.
            self.grounding.borrow_mut().insert(decl, found);
            within.rests_on = outside;
        } else {
            within.rests_on = within.rests_on.min(outside);
        }
        found
    }

    /// [`Self::defaultable`], assuming that these type parameters have defaults.
    fn default_by_params(&self, ty: &Type, params: &[TypeParamId], within: &mut Within) -> bool {
        let all = params.iter().map(|&p| (p, Type::Int)).collect();
        self.defaultable(&ty.subst(&all), within)
    }
}

/// The stack of datatypes whose default values are being searched.
struct Within {
    path: Vec<TypeId>,
    /// The outermost index of `path` that the present answer depends on because of recursion;
    /// `usize::MAX` if none.
    rests_on: usize,
}

impl Default for Within {
    fn default() -> Self {
        Self {
            path: Vec::new(),
            rests_on: usize::MAX,
        }
    }
}

/// Calls `f` for every datatype that values of the type contain; with `wide`, also in collections.
fn contained(program: &Program, ty: &Type, wide: bool, f: &mut impl FnMut(TypeId)) {
    match program.representation(ty) {
        Type::Tuple(cs) => cs.iter().for_each(|(_, t)| contained(program, t, wide, f)),
        Type::Named { decl, args, .. } => {
            if matches!(program[decl].kind, TypeDeclKind::Datatype { .. }) {
                f(decl);
                args.iter().for_each(|t| contained(program, t, wide, f));
            }
        }
        Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } if wide => {
            contained(program, &e, wide, f)
        }
        Type::Map { key, value, .. } if wide => [key, value]
            .iter()
            .for_each(|t| contained(program, t, wide, f)),
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

/// Computes the strongly connected components of the containment relation of datatypes, by
/// reachability.
fn components(program: &Program, wide: bool) -> Vec<u32> {
    let ids: Vec<TypeId> = program.ids();
    // An edge for each datatype that a field contains directly.
    let n = ids.len();
    let mut edges: Vec<SortedSet<usize>> = vec![SortedSet::new(); n];
    for &t in &ids {
        if let (TypeDeclKind::Datatype { ctors, .. }, Some(out)) =
            (&program[t].kind, edges.get_mut(t.0 as usize))
        {
            for &f in ctors.iter().flat_map(|&c| &program[c].fields) {
                contained(program, &program[f].ty, wide, &mut |d| {
                    out.insert(d.0 as usize);
                });
            }
        }
    }
    // Two datatypes are in the same component if each reaches the other; its smallest member is its
    // number. Datatypes that do not reach themselves get a number of their own.
    let reach = |from: usize| {
        let mut seen = SortedSet::new();
        let mut todo: Vec<usize> = edges.get(from).into_iter().flatten().copied().collect();
        while let Some(t) = todo.pop() {
            if seen.insert(t) {
                todo.extend(edges.get(t).into_iter().flatten());
            }
        }
        seen
    };
    // Programs have few datatypes, so the simple algorithm is fast enough.
    let reached: Vec<SortedSet<usize>> = (0..n).map(reach).collect();
    let least = |t: usize| {
        let mutual = |&u: &usize| reached.get(u).is_some_and(|r| r.contains(&t));
        reached
            .get(t)
            .into_iter()
            .flatten()
            .copied()
            .filter(mutual)
            .min()
            .unwrap_or(n + t)
    };
    (0..n).map(|t| least(t) as u32).collect()
}
