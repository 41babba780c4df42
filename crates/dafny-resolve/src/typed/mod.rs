//! The typed program: all names resolved, all expressions typed, and ghostness decided.
//!
//! Declarations are in arenas of [`Program`] and refer to each other by index. Refinement and
//! synonyms are expanded: no [`Type`] mentions a synonym, and a refining module contains the
//! declarations that it inherits (with the spans of the original text). The local variables of all
//! callables share one arena, so that a [`LocalId`] has one meaning in the whole program.

mod characteristics;
mod expr;
mod inheritance;
mod options;
pub mod rewrite;
mod shape;
mod stmt;
mod subtypes;
mod types;
pub mod visit;
mod walk;

pub use expr::*;
pub use options::{GeneralTraits, Options};
pub use shape::*;
pub use stmt::*;
pub use types::*;

use std::collections::{BTreeMap, BTreeSet};

pub use dafny_source::{Name, Span};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident => $field:ident: $item:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
        pub struct $id(pub u32);

        impl std::ops::Index<$id> for Program {
            type Output = $item;
            #[allow(clippy::indexing_slicing)] // ids are made with their item by `Program::add_*` only
            fn index(&self, id: $id) -> &$item {
                &self.$field[id.0 as usize]
            }
        }

        impl std::ops::IndexMut<$id> for Program {
            #[allow(clippy::indexing_slicing)]
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.$field[id.0 as usize]
            }
        }

        impl Arena<$id> for Program {
            type Item = $item;
            fn add(&mut self, item: $item) -> $id {
                self.$field.push(item);
                $id(self.$field.len() as u32 - 1)
            }
            fn ids(&self) -> Vec<$id> {
                (0..self.$field.len() as u32).map($id).collect()
            }
        }
    )*};
}

/// Access to one arena of a [`Program`].
pub trait Arena<Id> {
    /// The item type of the arena.
    type Item;
    /// Adds an item and returns its id.
    fn add(&mut self, item: Self::Item) -> Id;
    /// Returns all ids in the order of insertion.
    fn ids(&self) -> Vec<Id>;
}

ids! {
    /// A module.
    ModuleId => modules: Module;
    /// A type declaration.
    TypeId => types: TypeDecl;
    /// A type parameter.
    TypeParamId => type_params: TypeParam;
    /// A constructor of a datatype.
    CtorId => ctors: Ctor;
    /// A field, constant or destructor.
    FieldId => fields: Field;
    /// A function, method, lemma or constructor of a class.
    CallableId => callables: Callable;
    /// A local variable, parameter or bound variable.
    LocalId => locals: Local;
}

/// A resolved program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Modules, with outer ones before inner ones. The first one is the default module.
    pub modules: Vec<Module>,
    /// Type declarations. The built-in `nat` is [`Program::nat`].
    pub types: Vec<TypeDecl>,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// Datatype constructors.
    pub ctors: Vec<Ctor>,
    /// Fields, constants and destructors.
    pub fields: Vec<Field>,
    /// Functions, methods, lemmas and constructors of classes.
    pub callables: Vec<Callable>,
    /// Local variables, parameters and bound variables.
    pub locals: Vec<Local>,
    /// The built-in subset type `nat`.
    pub nat: Option<TypeId>,
    /// The entry point (reference manual, "Main method"), if any.
    pub main: Option<CallableId>,
    /// For each callable, the numbers of the call cycles that contain it and its by-method body.
    /// Callables that may call each other have the same number.
    pub circles: Vec<(u32, u32)>,
    /// The functions in clusters with co-recursive calls, each with the first component of its
    /// default measure: 1 if all calls in the cluster are co-recursive, otherwise 0.
    pub corecursive: BTreeMap<CallableId, u8>,
    /// Places of compiled expressions that Dafny can compile only under a condition: `:|` has to have
    /// one value, and a value whose constructor matters must not have a ghost one.
    pub compiled: BTreeSet<Span>,
    /// Bodies of compiled functions before proof-only branches were removed. [`Callable::body`]
    /// lacks these branches.
    pub whole_bodies: BTreeMap<CallableId, Expr>,
    /// The places of literals that are not written as their values are printed: `0xC2`, `1_000`, and
    /// strings with escapes. Other literals with a text of another length are not in the source.
    pub other_spellings: BTreeSet<Span>,
    /// Whether no callable with a body is ghost (`dtest_desugar::unghosted`). All others are then
    /// implemented by stubs.
    pub is_unghosted: bool,
    /// Local variables that were ghost, or declared in ghost code, before `dtest_desugar::unghosted`.
    pub ghost_locals: BTreeSet<LocalId>,
    /// Callables that the source declares as ghost (`dtest_desugar::unghosted`).
    pub ghost_callables: BTreeSet<CallableId>,
    /// Fields that the source declares as ghost (`dtest_desugar::unghosted`).
    pub ghost_fields: BTreeSet<FieldId>,
    /// The options that affect the semantics.
    pub options: Options,
    /// The spans of libraries that were built with options of their own.
    pub prebuilt: Vec<Span>,
}

/// A module after refinement.
#[derive(Debug, Clone)]
pub struct Module {
    /// The name. Empty for the default module.
    pub name: Name,
    /// The enclosing module.
    pub parent: Option<ModuleId>,
    /// Whether the module is abstract: it is not compiled, and its items are not units.
    pub is_abstract: bool,
    /// The items in source order.
    pub items: Vec<Item>,
    /// The attributes of the module.
    pub attributes: Vec<Attribute>,
    /// The doc comment.
    pub doc: Option<Name>,
    /// The source range of the module's head.
    pub span: Span,
}

/// An item of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A nested module.
    Module(ModuleId),
    /// A type.
    Type(TypeId),
    /// A constant of the default class.
    Const(FieldId),
    /// A function or method of the default class.
    Callable(CallableId),
}

/// An attribute with its evaluated arguments.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Attribute {
    /// The name: `test` for both `{:test}` and `@Test`, otherwise as written.
    pub name: Name,
    /// The arguments.
    pub args: Vec<AttributeArg>,
    /// The source range.
    pub span: Span,
}

impl Attribute {
    /// The maximum nesting of activations from `{:testInline N}`; 1 without `N`. `None` if the
    /// argument is not a single positive number.
    pub fn unrolling(&self) -> Option<u32> {
        match self.args.as_slice() {
            [] => Some(1),
            [AttributeArg::Int(n)] => u32::try_from(n).ok().filter(|n| *n > 0),
            [_, ..] => None,
        }
    }
}

impl Program {
    /// Whether a type is a datatype with a ghost constructor.
    pub fn has_ghost_constructor(&self, ty: TypeId) -> bool {
        matches!(&self[ty].kind, TypeDeclKind::Datatype { ctors, .. } if ctors.iter().any(|c| self[*c].ghost))
    }

    /// Whether the precondition of a function includes those of its callees: the nearest enclosing
    /// `{:autoReq}` decides (reference manual, section 11.2.2).
    pub fn requires_what_it_calls(&self, id: CallableId) -> bool {
        let said = |attributes: &[Attribute]| {
            attributes
                .iter()
                .find(|a| &*a.name == "autoReq")
                .map(|a| a.args != [AttributeArg::Bool(false)])
        };
        let mut said_of_it = said(&self[id].attributes);
        let mut level = Some(self[id].module);
        while let (None, Some(module)) = (said_of_it, level) {
            said_of_it = said(&self[module].attributes);
            level = self[module].parent;
        }
        self[id].kind.is_function() && said_of_it == Some(true)
    }
}

/// An argument of an attribute.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum AttributeArg {
    /// The literal `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(num_bigint::BigInt),
    /// A string.
    String(String),
    /// Any other expression, as written.
    Other(String),
}

/// Items with attributes, which can be looked up by name.
pub trait Attributes {
    /// Returns the attributes.
    fn attributes(&self) -> &[Attribute];
    /// Returns the first attribute with the name.
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes().iter().find(|a| &*a.name == name)
    }
}

impl Attributes for Callable {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

impl Attributes for TypeDecl {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

impl Attributes for Module {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

/// A declared type.
#[derive(Debug, Clone)]
pub struct TypeDecl {
    /// The declared name.
    pub name: Name,
    /// The module that contains the declaration.
    pub module: ModuleId,
    /// The type parameters.
    pub type_params: Vec<TypeParamId>,
    /// The kind of the declaration, with its definition.
    pub kind: TypeDeclKind,
    /// The `const` and `var` members in source order. Destructors belong to the constructors.
    pub fields: Vec<FieldId>,
    /// The functions and methods in source order.
    pub callables: Vec<CallableId>,
    /// The extended traits with their type arguments.
    pub parents: Vec<Type>,
    /// Whether the type is ghost: its values exist for proofs only.
    pub ghost: bool,
    /// The characteristics: declared for abstract types, otherwise inferred.
    pub characteristics: Characteristics,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// The doc comment.
    pub doc: Option<Name>,
    /// The span of the declared name.
    pub span: Span,
}

/// The characteristics that all values of a type have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Characteristics {
    /// Whether `==` can be compiled.
    pub equality: bool,
    /// Whether compiled code has a default value.
    pub auto_init: bool,
    /// Whether the type has a value.
    pub nonempty: bool,
    /// Whether no value contains a reference.
    pub no_new: bool,
}

/// The kinds of declared types.
#[derive(Debug, Clone)]
pub enum TypeDeclKind {
    /// A `datatype` or `codatatype`.
    Datatype {
        /// Whether it is a `codatatype`.
        co: bool,
        /// The constructors in source order.
        ctors: Vec<CtorId>,
    },
    /// A `newtype`: a distinct type over a base.
    Newtype(Constrained),
    /// A subset type: values of the base that satisfy a constraint.
    Subset(Constrained),
    /// An abstract type.
    Abstract,
    /// A class.
    Class,
    /// A trait.
    Trait {
        /// Whether values are references. Always true without general traits.
        is_reference: bool,
    },
    /// An iterator, as the class that it is desugared to.
    Iterator(IteratorParts),
}

/// Base, constraint and witness of a newtype or subset type.
#[derive(Debug, Clone)]
pub struct Constrained {
    /// The base type.
    pub base: Type,
    /// The bound variable. `None` if there is no constraint.
    pub var: Option<LocalId>,
    /// The constraint over `var`.
    pub constraint: Option<Expr>,
    /// The witness.
    pub witness: Witness,
    /// For a newtype over `int`, the range `low ≤ v < high` from constant bounds in the constraint.
    pub range: Option<(num_bigint::BigInt, num_bigint::BigInt)>,
    /// For a newtype over `int`, the native type that `range` or `{:nativeType}` selects.
    pub native: Option<NativeType>,
}

/// The native representations of a newtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[allow(missing_docs)]
pub enum NativeType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    U128,
    I128,
}

impl NativeType {
    /// The smallest and the largest value.
    pub fn range(self) -> (num_bigint::BigInt, num_bigint::BigInt) {
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
}

/// The witness of a newtype or subset type.
#[derive(Debug, Clone)]
pub enum Witness {
    /// No clause: a default value of the base satisfies the constraint.
    Default,
    /// `witness *`: the type may be empty.
    Opt,
    /// A compiled `witness e`.
    Compiled(Box<Expr>),
    /// A `ghost witness e`.
    Ghost(Box<Expr>),
}

/// The parts of an iterator besides the members of its class (reference manual, "Iterator types").
///
/// The body and the postconditions refer to the parameters as fields of `this`. The preconditions
/// refer to the parameters of the constructor.
#[derive(Debug, Clone, Default)]
pub struct IteratorParts {
    /// Fields for the in-parameters, parallel to the constructor's parameters.
    pub ins: Vec<FieldId>,
    /// Fields for the yield-parameters.
    pub yields: Vec<FieldId>,
    /// Ghost fields with the values yielded so far (`xs` for `x`), parallel to `yields`.
    pub histories: Vec<FieldId>,
    /// The ghost fields `_reads`, `_modifies` and `_new`.
    pub frames: Option<IteratorFrames>,
    /// The ghost fields `_decreases0`, `_decreases1`, …, parallel to the measure in `spec`. Without
    /// a measure, they are parallel to the in-parameters whose types have an order
    /// ([`Program::has_order`]).
    pub decreases: Vec<FieldId>,
    /// The contract. Postconditions hold at the end of the iteration and refer to fields. All other
    /// clauses refer to the constructor's parameters. The contracts of `MoveNext` and the
    /// constructor are derived from it.
    pub spec: Spec,
    /// `yield requires`: conditions that hold when control returns to the body.
    pub yield_requires: Vec<Clause>,
    /// `yield ensures`: conditions that hold when the body yields.
    pub yield_ensures: Vec<Clause>,
    /// The body.
    pub body: Option<Block>,
    /// The generated members.
    pub members: Option<IteratorMembers>,
}

/// The frames of an iterator as ghost fields.
#[derive(Debug, Clone, Copy)]
pub struct IteratorFrames {
    /// The field `_reads`.
    pub reads: FieldId,
    /// The field `_modifies`.
    pub modifies: FieldId,
    /// The field `_new` with the objects that the body has allocated.
    pub new: FieldId,
}

/// The generated callables of an iterator.
#[derive(Debug, Clone, Copy)]
pub struct IteratorMembers {
    /// The anonymous constructor.
    pub constructor: CallableId,
    /// `Valid`: whether the iterator has not ended.
    pub valid: CallableId,
    /// `MoveNext`: runs the body to its next `yield` and returns true, or to its end and returns
    /// false.
    pub move_next: CallableId,
    /// The static driver for tests, which no program can name. Its parameters are those of the
    /// iterator and a number of calls. It creates an iterator and calls `MoveNext` that many times,
    /// or until it returns false. It returns the last result, and the yielded values of each
    /// compiled yield-parameter.
    pub drive: CallableId,
}

/// A type parameter.
#[derive(Debug, Clone)]
pub struct TypeParam {
    /// The declared name.
    pub name: Name,
    /// The variance.
    pub variance: dafny_syntax::ast::Variance,
    /// The declared and inferred characteristics.
    pub characteristics: Characteristics,
    /// The `extends` bounds.
    pub bounds: Vec<Type>,
    /// The span of the declared name.
    pub span: Span,
}

/// A datatype constructor.
#[derive(Debug, Clone)]
pub struct Ctor {
    /// The declared name.
    pub name: Name,
    /// The datatype that contains the constructor.
    pub datatype: TypeId,
    /// Whether the constructor is ghost.
    pub ghost: bool,
    /// The destructors in order. Unnamed parameters have generated names (`0`, `1`, …). A
    /// destructor shared by several constructors is one [`FieldId`].
    pub fields: Vec<FieldId>,
    /// The default values of parameters, as in [`Formal::default`], parallel to `fields`. They
    /// refer to earlier parameters through `params`.
    pub defaults: Vec<Option<Expr>>,
    /// The parameters as variables, for `defaults`, parallel to `fields`.
    pub params: Vec<LocalId>,
    /// For each parameter, whether it has a written name.
    pub named: Vec<bool>,
    /// The doc comment.
    pub doc: Option<Name>,
    /// The span of the declared name.
    pub span: Span,
}

/// A field, constant or destructor.
#[derive(Debug, Clone)]
pub struct Field {
    /// The declared name.
    pub name: Name,
    /// The kind of the field.
    pub kind: FieldKind,
    /// The type that contains the field. `None` for constants of a module.
    pub owner: Option<TypeId>,
    /// The module that contains the field.
    pub module: ModuleId,
    /// The type, over the owner's type parameters.
    pub ty: Type,
    /// Whether the field is ghost.
    pub ghost: bool,
    /// Whether the field is static. Constants of a module are.
    pub is_static: bool,
    /// The attributes of the field.
    pub attributes: Vec<Attribute>,
    /// The doc comment.
    pub doc: Option<Name>,
    /// The span of the declared name.
    pub span: Span,
}

/// The kinds of fields.
#[derive(Debug, Clone)]
pub enum FieldKind {
    /// A mutable field, `var`.
    Mutable,
    /// A constant, `const`, with its value if one is written.
    Const(Option<Box<Expr>>),
    /// A destructor of the given constructors. The owner is a datatype.
    Destructor(Vec<CtorId>),
}

impl FieldKind {
    /// Whether the field is declared with `var`.
    pub fn is_mutable(&self) -> bool {
        match self {
            Self::Mutable => true,
            Self::Const(_) | Self::Destructor(_) => false,
        }
    }
}

/// The kinds of callables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum CallableKind {
    /// A function or predicate.
    Function,
    /// A two-state function or predicate.
    TwostateFunction,
    /// A least predicate.
    LeastPredicate,
    /// A greatest predicate.
    GreatestPredicate,
    /// A method.
    Method,
    /// A constructor of a class.
    Constructor,
    /// A lemma of any kind.
    Lemma,
}

impl CallableKind {
    /// Whether it is a function, whose calls are expressions.
    pub fn is_function(self) -> bool {
        match self {
            Self::Function
            | Self::TwostateFunction
            | Self::LeastPredicate
            | Self::GreatestPredicate => true,
            Self::Method | Self::Constructor | Self::Lemma => false,
        }
    }

    /// Whether it is a least or greatest predicate.
    pub fn is_extreme(self) -> bool {
        match self {
            Self::LeastPredicate | Self::GreatestPredicate => true,
            Self::Function
            | Self::TwostateFunction
            | Self::Method
            | Self::Constructor
            | Self::Lemma => false,
        }
    }
}

/// A function, method, lemma or constructor.
#[derive(Debug, Clone)]
pub struct Callable {
    /// The name. `_ctor` for an anonymous constructor.
    pub name: Name,
    /// The kind of the callable.
    pub kind: CallableKind,
    /// Whether it is declared with `predicate`.
    pub is_predicate: bool,
    /// Whether it is declared `twostate`: it refers to an earlier state too.
    pub is_two_state: bool,
    /// The module that contains the declaration.
    pub module: ModuleId,
    /// The type that contains the declaration. `None` for members of a module.
    pub owner: Option<TypeId>,
    /// Whether it has no receiver. Members of a module are static.
    pub is_static: bool,
    /// Whether it is ghost, which means not compiled.
    pub ghost: bool,
    /// Whether it is `opaque` or has `{:opaque}`.
    pub opaque: bool,
    /// The type parameters of the callable itself, without the owner's.
    pub type_params: Vec<TypeParamId>,
    /// The in-parameters.
    pub ins: Vec<Formal>,
    /// The out-parameters. A function has exactly one, named or not.
    pub outs: Vec<Formal>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Body,
    /// The overridden members of parent traits.
    pub overrides: Vec<CallableId>,
    /// The attributes of the declaration.
    pub attributes: Vec<Attribute>,
    /// The doc comment.
    pub doc: Option<Name>,
    /// The span of the declared name.
    pub span: Span,
    /// The source range of the whole declaration.
    pub full_span: Span,
}

/// The body of a callable.
#[derive(Debug, Clone)]
pub enum Body {
    /// No body: the callable is abstract, external or an axiom.
    None,
    /// The expression of a function.
    Expr(Box<Expr>),
    /// The statements of a method.
    Block(Block),
    /// A function-by-method: the specification and the statements that implement it.
    ByMethod(Box<Expr>, Block),
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Formal {
    /// The variable.
    pub local: LocalId,
    /// The default value, over other parameters.
    pub default: Option<Expr>,
    /// Whether it is `nameonly`.
    pub nameonly: bool,
    /// Whether it has no name, as the result of a function may.
    pub unnamed: bool,
    /// `new` parameter of a two-state callable: the argument need not have been allocated in the
    /// earlier state.
    pub is_new: bool,
    /// `older` parameter of a predicate: if the predicate holds, the argument was allocated before
    /// some other argument.
    pub older: bool,
}

impl Formal {
    /// Creates a parameter without modifiers and default value.
    pub fn new(local: LocalId) -> Self {
        Self {
            local,
            default: None,
            nameonly: false,
            unnamed: false,
            is_new: false,
            older: false,
        }
    }
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Local {
    /// The declared name.
    pub name: Name,
    /// The type of the variable.
    pub ty: Type,
    /// Whether the variable is ghost.
    pub ghost: bool,
    /// Whether it can be assigned after its declaration.
    pub mutable: bool,
    /// Whether its type is inferred. Dafny may infer a narrower type.
    pub inferred: bool,
    /// The span of the declared name.
    pub span: Span,
}

/// The contract of a callable.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The preconditions in order.
    pub requires: Vec<Clause>,
    /// The postconditions in order.
    pub ensures: Vec<Clause>,
    /// The read frame.
    pub reads: Vec<Frame>,
    /// The write frame.
    pub modifies: Vec<Frame>,
    /// The termination measure. Empty: the default measure. `decreases *` is represented by
    /// `decreases_star`.
    pub decreases: Vec<Expr>,
    /// Whether there is a clause `decreases *`.
    pub decreases_star: bool,
}

/// A condition of a contract or of a loop.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The condition.
    pub cond: Expr,
    /// The label, if any.
    pub label: Option<Name>,
    /// The source range of the condition.
    pub span: Span,
}

/// A part of a frame.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The object, a collection of objects, or a function that returns one of these. `None` for
    /// `*`, and for `this` in a bare `` `f ``.
    pub object: Option<Expr>,
    /// The only field in the frame, if one is named.
    pub field: Option<FieldId>,
    /// Whether the part is `*`.
    pub star: bool,
    /// The source range.
    pub span: Span,
}

impl Program {
    /// Exchanges compiled bodies and bodies with proof-only branches ([`Program::whole_bodies`]).
    pub fn exchange_whole_bodies(&mut self) {
        for (id, whole) in std::mem::take(&mut self.whole_bodies) {
            let body = std::mem::replace(&mut self[id].body, Body::Expr(Box::new(whole)));
            if let Body::Expr(compiled) = body {
                self.whole_bodies.insert(id, *compiled);
            } else {
                self[id].body = body;
            }
        }
    }

    /// Whether the source declares the variable as ghost.
    fn is_ghost_in_source(&self, local: LocalId) -> bool {
        self[local].ghost || self.ghost_locals.contains(&local)
    }

    /// The path of a module. Empty for the default module.
    pub fn module_path(&self, id: ModuleId) -> Vec<Name> {
        let module = &self[id];
        let mut path = module.parent.map_or_else(Vec::new, |p| self.module_path(p));
        if !module.name.is_empty() {
            path.push(module.name.clone());
        }
        path
    }

    /// Returns the iterator whose body a callable resumes: the callable is its `MoveNext`.
    pub fn resumed_by(&self, id: CallableId) -> Option<&IteratorParts> {
        let owner = self[id].owner?;
        match &self[owner].kind {
            TypeDeclKind::Iterator(parts) => {
                let members = parts.members?;
                (members.move_next == id).then_some(parts)
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => None,
        }
    }

    /// The iterator that the callable drives, if it is an [`IteratorMembers::drive`].
    pub fn driven_by(&self, id: CallableId) -> Option<(TypeId, &IteratorParts, IteratorMembers)> {
        let owner = self[id].owner?;
        match &self[owner].kind {
            TypeDeclKind::Iterator(parts) => parts
                .members
                .filter(|m| m.drive == id)
                .map(|m| (owner, parts, m)),
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => None,
        }
    }

    /// The full name of a callable: `Module.Type.Name`. The driver of an iterator has the name of
    /// the iterator.
    pub fn callable_path(&self, id: CallableId) -> String {
        let c = &self[id];
        if let Some((owner, ..)) = self.driven_by(id) {
            return self.type_path(owner);
        }
        let mut path = self.module_path(c.module);
        path.extend(c.owner.map(|t| self[t].name.clone()));
        path.push(c.name.clone());
        path.join(".")
    }

    /// The full name of a type: `Module.Type`.
    pub fn type_path(&self, id: TypeId) -> String {
        let mut path = self.module_path(self[id].module);
        path.push(self[id].name.clone());
        path.join(".")
    }

    /// Whether a module or an enclosing one is abstract.
    pub fn is_in_abstract_module(&self, id: ModuleId) -> bool {
        self[id].is_abstract
            || self[id]
                .parent
                .is_some_and(|p| self.is_in_abstract_module(p))
    }

    /// The type parameters in scope of a callable's signature: the owner's, followed by its own.
    pub fn all_type_params(&self, id: CallableId) -> Vec<TypeParamId> {
        let c = &self[id];
        let owner = c.owner.map_or(&[][..], |t| &self[t].type_params);
        owner.iter().chain(&c.type_params).copied().collect()
    }
}
