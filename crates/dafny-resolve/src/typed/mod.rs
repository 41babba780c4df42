//! The typed program: every name looked up, every expression with its type, ghostness settled.
//!
//! Declarations live in arenas of [`Program`] and refer to each other by index. Refinement and
//! synonyms are already expanded: no [`Type`] mentions a synonym, and a refining module holds what
//! it inherits (with the spans of the text that it came from). Local variables of all callables
//! share one arena, so that a [`LocalId`] means the same everywhere.

mod by_contract;
pub mod casts;
mod characteristics;
mod claims;
mod contracts;
mod expr;
mod external;
mod inheritance;
mod initial;
mod overrides;
mod printed;
pub mod rewrite;
mod shape;
mod stmt;
mod subtypes;
mod synthesize;
mod types;
mod unghosted;
pub mod visit;
mod walk;

pub use expr::*;
pub use external::*;
pub use shape::*;
pub use stmt::*;
pub use synthesize::*;
pub use types::*;

use std::collections::{BTreeMap, BTreeSet};

pub use dafny_syntax::source::{Name, Span};

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

/// Adding to, and walking over, one of the arenas of a [`Program`].
pub trait Arena<Id> {
    /// What the arena holds.
    type Item;
    /// Adds an item.
    fn add(&mut self, item: Self::Item) -> Id;
    /// All ids in the order of adding.
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
    /// Modules, outer before inner; the first is the default module.
    pub modules: Vec<Module>,
    /// Type declarations; the built-in `nat` is [`Program::nat`].
    pub types: Vec<TypeDecl>,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// Datatype constructors.
    pub ctors: Vec<Ctor>,
    /// Fields, constants and destructors.
    pub fields: Vec<Field>,
    /// Functions, methods, lemmas, constructors.
    pub callables: Vec<Callable>,
    /// Variables.
    pub locals: Vec<Local>,
    /// The built-in subset type `nat`.
    pub nat: Option<TypeId>,
    /// The method that `run` starts (reference manual, "Main method"), where there is one.
    pub main: Option<CallableId>,
    /// For each callable, the numbers of the circles of calls that it and the method that computes it are part of: those that may call
    /// each other have the same.
    pub circles: Vec<(u32, u32)>,
    /// Functions of clusters with co-recursive calls, with what comes first in their default measures: 1 where all calls in the cluster are
    /// co-recursive, else 0.
    pub corecursive: BTreeMap<CallableId, u8>,
    /// Whether nothing that has a body is ghost ([`Program::unghosted`]): then whatever has none is answered for.
    pub is_unghosted: bool,
    /// Local variables that were ghost, or stood in ghost code, before nothing was any more ([`Program::unghosted`]).
    pub ghost_locals: BTreeSet<LocalId>,
    /// Options that change meaning.
    pub options: Options,
    /// Files of libraries that were built with options of their own.
    pub prebuilt: Vec<Span>,
}

/// Dafny's options that change meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `--function-syntax`: 3 or 4.
    pub function_syntax: u8,
    /// `--unicode-char`: whether `char` is a Unicode scalar value rather than a UTF-16 code unit.
    pub unicode_char: bool,
    /// `--relax-definite-assignment`.
    pub relax_definite_assignment: bool,
    /// `--enforce-determinism`.
    pub enforce_determinism: bool,
    /// `--reads-clauses-on-methods`.
    pub reads_clauses_on_methods: bool,
    /// `--type-system-refresh`.
    pub type_system_refresh: bool,
    /// `--general-newtypes`.
    pub general_newtypes: bool,
    /// `--general-traits`: `legacy`, `datatype` or `full`.
    pub general_traits: GeneralTraits,
    /// Rust for external declarations, from `dtest.toml`.
    pub links: Links,
    /// Classes that have builders of `dmock` in the translation, by their Dafny paths; `*`: all.
    pub mocks: Vec<String>,
}

/// `--general-traits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeneralTraits {
    /// Every trait is a reference type.
    Legacy,
    /// Datatypes and newtypes may extend traits.
    Datatype,
    /// A trait is a reference type only when it extends `object`.
    Full,
}

impl GeneralTraits {
    /// The option as the parser has it.
    pub fn syntax(self) -> dafny_syntax::GeneralTraits {
        match self {
            Self::Legacy => dafny_syntax::GeneralTraits::Legacy,
            Self::Datatype => dafny_syntax::GeneralTraits::Datatype,
            Self::Full => dafny_syntax::GeneralTraits::Full,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            function_syntax: 4,
            unicode_char: true,
            relax_definite_assignment: false,
            enforce_determinism: false,
            reads_clauses_on_methods: false,
            type_system_refresh: false,
            general_newtypes: false,
            general_traits: GeneralTraits::Legacy,
            links: Links::new(),
            mocks: Vec::new(),
        }
    }
}

impl Options {
    /// The options with which further text of the program is parsed.
    pub fn syntax(&self) -> dafny_syntax::Options {
        dafny_syntax::Options {
            function_syntax: dafny_syntax::FunctionSyntax::of_version(self.function_syntax),
            unicode_char: self.unicode_char,
            general_traits: self.general_traits.syntax(),
            ..dafny_syntax::Options::default()
        }
    }
}

/// A module after refinement.
#[derive(Debug, Clone)]
pub struct Module {
    /// Its own name; empty for the default module.
    pub name: Name,
    /// The enclosing module.
    pub parent: Option<ModuleId>,
    /// `abstract module`: not compiled, and its items are not units.
    pub is_abstract: bool,
    /// Its items in the order of the source.
    pub items: Vec<Item>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Doc comment.
    pub doc: Option<Name>,
    /// The module's head.
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

/// An attribute with its arguments as far as they matter here.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Attribute {
    /// Its name: `{:test}` and `@Test` both are `test`; otherwise as written.
    pub name: Name,
    /// Arguments.
    pub args: Vec<AttributeArg>,
    /// Where it stands.
    pub span: Span,
}

impl Attribute {
    /// What `{:testInline N}` says: how many activations of the callable may lie within each other; without `N`, one. `None`: it
    /// does not say so in the form of one positive number.
    pub fn unrolling(&self) -> Option<u32> {
        match self.args.as_slice() {
            [] => Some(1),
            [AttributeArg::Int(n)] => u32::try_from(n).ok().filter(|n| *n > 0),
            [_, ..] => None,
        }
    }
}

impl Program {
    /// Whether a function's precondition is strengthened by those of what it calls: `{:autoReq}` at the nearest level that has it
    /// (reference manual, section 11.2.2).
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
    /// `true`, `false`.
    Bool(bool),
    /// An integer.
    Int(num_bigint::BigInt),
    /// A string.
    String(String),
    /// Anything else, as written.
    Other(String),
}

/// Attributes, looked up by name.
pub trait Attributes {
    /// The attributes.
    fn attributes(&self) -> &[Attribute];
    /// The first of that name.
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
    /// Its name.
    pub name: Name,
    /// Its module.
    pub module: ModuleId,
    /// Type parameters.
    pub type_params: Vec<TypeParamId>,
    /// Which kind, with what it is made of.
    pub kind: TypeDeclKind,
    /// `const` and `var` members in the order of the source (destructors are with the constructors).
    pub fields: Vec<FieldId>,
    /// Functions and methods in the order of the source.
    pub callables: Vec<CallableId>,
    /// Traits that it extends, with their arguments.
    pub parents: Vec<Type>,
    /// Whether values of the type exist at run time only for proofs (`ghost type`, all-ghost).
    pub ghost: bool,
    /// Characteristics: declared (abstract types) or inferred.
    pub characteristics: Characteristics,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Doc comment.
    pub doc: Option<Name>,
    /// The name where it is declared.
    pub span: Span,
}

/// What is known of every value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Characteristics {
    /// Compiled equality.
    pub equality: bool,
    /// A compiled default value.
    pub auto_init: bool,
    /// At least one value.
    pub nonempty: bool,
    /// Holds no references.
    pub no_new: bool,
}

/// The kinds of declared types.
#[derive(Debug, Clone)]
pub enum TypeDeclKind {
    /// `datatype`, `codatatype`.
    Datatype {
        /// Whether `codatatype`.
        co: bool,
        /// Constructors in order.
        ctors: Vec<CtorId>,
    },
    /// `newtype`: a type of its own over a base.
    Newtype(Constrained),
    /// A subset type: values of the base that satisfy a constraint.
    Subset(Constrained),
    /// An abstract type.
    Abstract,
    /// `class`.
    Class,
    /// `trait`.
    Trait {
        /// Whether values are references (always, unless general traits are on).
        is_reference: bool,
    },
    /// `iterator`, as the class that it stands for.
    Iterator(IteratorParts),
}

/// Base, constraint and witness of a newtype or subset type.
#[derive(Debug, Clone)]
pub struct Constrained {
    /// The base type.
    pub base: Type,
    /// The bound variable; `None`: no constraint.
    pub var: Option<LocalId>,
    /// The constraint over `var`.
    pub constraint: Option<Expr>,
    /// The witness.
    pub witness: Witness,
    /// For newtypes over `int`: the range that constant bounds of the constraint give, `low ≤ v < high`.
    pub range: Option<(num_bigint::BigInt, num_bigint::BigInt)>,
    /// For newtypes over `int`: the native type that `range` or `{:nativeType}` selects.
    pub native: Option<NativeType>,
}

/// Native representations of a newtype.
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
    /// The least and the greatest value.
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

/// A witness of a newtype or subset type.
#[derive(Debug, Clone)]
pub enum Witness {
    /// No clause: a default value of the base satisfies the constraint.
    Default,
    /// `witness *`: perhaps empty.
    Opt,
    /// `witness e`.
    Compiled(Box<Expr>),
    /// `ghost witness e`.
    Ghost(Box<Expr>),
}

/// What an iterator declares beyond the members of its class (reference manual, "Iterator types").
///
/// The body and the contract speak of the parameters as fields of `this`; what is asked for when the iterator
/// is made speaks of the constructor's parameters.
#[derive(Debug, Clone, Default)]
pub struct IteratorParts {
    /// Fields for the in-parameters, parallel to the constructor's.
    pub ins: Vec<FieldId>,
    /// Fields for the yield-parameters.
    pub yields: Vec<FieldId>,
    /// Ghost fields with all that was yielded (`xs` for `x`), parallel to `yields`.
    pub histories: Vec<FieldId>,
    /// The ghost fields `_reads`, `_modifies` and `_new`.
    pub frames: Option<IteratorFrames>,
    /// The ghost fields `_decreases0`, `_decreases1`, …, parallel to the measure in `spec`.
    pub decreases: Vec<FieldId>,
    /// Contract. Postconditions hold when the iterator has ended, over the fields; all else is over the constructor's
    /// parameters. (`MoveNext` and the constructor have contracts of their own, made of it.)
    pub spec: Spec,
    /// `yield requires`: holds when control comes back to the body.
    pub yield_requires: Vec<Clause>,
    /// `yield ensures`: holds when the body yields.
    pub yield_ensures: Vec<Clause>,
    /// Body.
    pub body: Option<Block>,
    /// The members that the language defines.
    pub members: Option<IteratorMembers>,
}

/// The frames of an iterator as ghost fields.
#[derive(Debug, Clone, Copy)]
pub struct IteratorFrames {
    /// `_reads`.
    pub reads: FieldId,
    /// `_modifies`.
    pub modifies: FieldId,
    /// `_new`: what the body has allocated.
    pub new: FieldId,
}

/// The callables of an iterator.
#[derive(Debug, Clone, Copy)]
pub struct IteratorMembers {
    /// The anonymous constructor.
    pub constructor: CallableId,
    /// `Valid`: whether the iterator has not ended.
    pub valid: CallableId,
    /// `MoveNext`: runs the body to its next `yield`; false: to its end.
    pub move_next: CallableId,
    /// What tests drive; no program can name it. Static; takes the iterator's parameters and a number of calls, makes an
    /// iterator and calls `MoveNext` that many times, or until it gives false. Gives the last answer, and
    /// what was yielded to each yield-parameter that is compiled.
    pub drive: CallableId,
}

/// A type parameter.
#[derive(Debug, Clone)]
pub struct TypeParam {
    /// Its name.
    pub name: Name,
    /// Variance.
    pub variance: dafny_syntax::ast::Variance,
    /// Declared and inferred characteristics.
    pub characteristics: Characteristics,
    /// `extends` bounds.
    pub bounds: Vec<Type>,
    /// Where.
    pub span: Span,
}

/// A datatype constructor.
#[derive(Debug, Clone)]
pub struct Ctor {
    /// Its name.
    pub name: Name,
    /// The datatype.
    pub datatype: TypeId,
    /// Ghost constructor.
    pub ghost: bool,
    /// Destructors, in order; unnamed arguments have generated names (`0`, `1`, …). A destructor that
    /// several constructors share is one [`FieldId`].
    pub fields: Vec<FieldId>,
    /// Default values of arguments, as in [`Formal::default`]; parallel to `fields`. They may speak of
    /// earlier arguments through `params`.
    pub defaults: Vec<Option<Expr>>,
    /// The arguments as variables, for `defaults`; parallel to `fields`.
    pub params: Vec<LocalId>,
    /// Which arguments were written with a name.
    pub named: Vec<bool>,
    /// Doc comment.
    pub doc: Option<Name>,
    /// Where.
    pub span: Span,
}

/// A field, constant or destructor.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Which.
    pub kind: FieldKind,
    /// The type that it belongs to; `None` for constants of a module.
    pub owner: Option<TypeId>,
    /// Its module.
    pub module: ModuleId,
    /// Its type, over the owner's type parameters.
    pub ty: Type,
    /// Ghost.
    pub ghost: bool,
    /// Static (constants of modules are).
    pub is_static: bool,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Doc comment.
    pub doc: Option<Name>,
    /// The name where it is declared.
    pub span: Span,
}

/// The kinds of fields.
#[derive(Debug, Clone)]
pub enum FieldKind {
    /// `var`.
    Mutable,
    /// `const`, with its value when one is given.
    Const(Option<Box<Expr>>),
    /// A destructor of these constructors (owner is a datatype).
    Destructor(Vec<CtorId>),
}

impl FieldKind {
    /// Whether it is a `var`.
    pub fn is_mutable(&self) -> bool {
        match self {
            Self::Mutable => true,
            Self::Const(_) | Self::Destructor(_) => false,
        }
    }
}

/// Kinds of callables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum CallableKind {
    /// A function or predicate.
    Function,
    /// `twostate function` or `predicate`.
    TwostateFunction,
    /// `least predicate`.
    LeastPredicate,
    /// `greatest predicate`.
    GreatestPredicate,
    /// A method.
    Method,
    /// A constructor of a class.
    Constructor,
    /// Lemmas of all sorts.
    Lemma,
}

impl CallableKind {
    /// Whether it is a function: its calls are expressions.
    pub fn is_function(self) -> bool {
        match self {
            Self::Function
            | Self::TwostateFunction
            | Self::LeastPredicate
            | Self::GreatestPredicate => true,
            Self::Method | Self::Constructor | Self::Lemma => false,
        }
    }
}

/// A function, method, lemma or constructor.
#[derive(Debug, Clone)]
pub struct Callable {
    /// Its name; `_ctor` for an anonymous constructor.
    pub name: Name,
    /// Which kind.
    pub kind: CallableKind,
    /// Whether it was declared with `predicate`.
    pub is_predicate: bool,
    /// `twostate`: it speaks of an earlier state too.
    pub is_two_state: bool,
    /// Its module.
    pub module: ModuleId,
    /// The type that it belongs to.
    pub owner: Option<TypeId>,
    /// No receiver. Members of a module are static.
    pub is_static: bool,
    /// Ghost: not compiled.
    pub ghost: bool,
    /// `opaque` or `{:opaque}`.
    pub opaque: bool,
    /// Own type parameters (without the owner's).
    pub type_params: Vec<TypeParamId>,
    /// In-parameters.
    pub ins: Vec<Formal>,
    /// Out-parameters; a function has exactly one, named or not.
    pub outs: Vec<Formal>,
    /// Contract.
    pub spec: Spec,
    /// Body.
    pub body: Body,
    /// What it overrides in parent traits.
    pub overrides: Vec<CallableId>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Doc comment.
    pub doc: Option<Name>,
    /// The name where it is declared.
    pub span: Span,
    /// The whole declaration.
    pub full_span: Span,
}

/// A body.
#[derive(Debug, Clone)]
pub enum Body {
    /// None: abstract, extern, or an axiom.
    None,
    /// A function's expression.
    Expr(Box<Expr>),
    /// A method's statements.
    Block(Block),
    /// A function whose compiled form is a method: the specification and the code.
    ByMethod(Box<Expr>, Block),
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Formal {
    /// The variable.
    pub local: LocalId,
    /// Default value, over earlier parameters.
    pub default: Option<Expr>,
    /// `nameonly`.
    pub nameonly: bool,
    /// Unnamed (only the result of a function).
    pub unnamed: bool,
    /// `new`: of a two-state callable, what it stands for need not have been allocated in the earlier state.
    pub is_new: bool,
    /// `older`: of a predicate, what it stands for was allocated before some other argument where the predicate holds.
    pub older: bool,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Ghost.
    pub ghost: bool,
    /// Whether it can be assigned after its declaration.
    pub mutable: bool,
    /// Whether nobody wrote its type: Dafny may infer a narrower one.
    pub inferred: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A contract.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// Preconditions in order.
    pub requires: Vec<Clause>,
    /// Postconditions in order.
    pub ensures: Vec<Clause>,
    /// Frame of reads (functions) or modifies (methods).
    pub reads: Vec<Frame>,
    /// What may be modified.
    pub modifies: Vec<Frame>,
    /// Termination measure; empty: default. `decreases *` is `decreases_star`.
    pub decreases: Vec<Expr>,
    /// `decreases *`.
    pub decreases_star: bool,
}

/// A condition of a contract or of a loop.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The condition.
    pub cond: Expr,
    /// Its label.
    pub label: Option<Name>,
    /// Where the condition stands.
    pub span: Span,
}

/// Part of a frame.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The object, or a collection of objects, or a function that gives one. `None`: `*`, or
    /// `this` for a bare `` `f ``.
    pub object: Option<Expr>,
    /// Only this field.
    pub field: Option<FieldId>,
    /// `*`.
    pub star: bool,
    /// Where.
    pub span: Span,
}

impl Program {
    /// The dotted path of a module; empty for the default module.
    pub fn module_path(&self, id: ModuleId) -> Vec<Name> {
        let module = &self[id];
        let mut path = module.parent.map_or_else(Vec::new, |p| self.module_path(p));
        if !module.name.is_empty() {
            path.push(module.name.clone());
        }
        path
    }

    /// The iterator that a callable drives, if it is an [`IteratorMembers::drive`].
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

    /// The full name of a callable: `Module.Type.Name`; what drives an iterator goes by the iterator's name.
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

    /// Whether a module, or one around it, is abstract.
    pub fn is_in_abstract_module(&self, id: ModuleId) -> bool {
        self[id].is_abstract
            || self[id]
                .parent
                .is_some_and(|p| self.is_in_abstract_module(p))
    }

    /// The type parameters that a callable's signature may mention: the owner's, then its own.
    pub fn all_type_params(&self, id: CallableId) -> Vec<TypeParamId> {
        let c = &self[id];
        let owner = c.owner.map_or(&[][..], |t| &self[t].type_params);
        owner.iter().chain(&c.type_params).copied().collect()
    }
}
