//! Types, members and their contracts.

use super::{Attribute, Block, Characteristics, Expr, Ident, Modifiers, Span, Type, TypeParam};

/// A class or trait.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassDecl {
    /// Whether it is a trait.
    pub is_trait: bool,
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The types in the `extends` clause.
    pub extends: Vec<Type>,
    /// The members in source order.
    pub members: Vec<Member>,
    /// Whether `...` follows the header, in a refining module.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A `datatype` or `codatatype`.
#[derive(Clone, Debug, PartialEq)]
pub struct DatatypeDecl {
    /// Whether it is a `codatatype`.
    pub co: bool,
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The types in the `extends` clause.
    pub extends: Vec<Type>,
    /// The constructors. Empty only for `datatype D ...` in a refining module.
    pub ctors: Vec<Ctor>,
    /// The members in braces.
    pub members: Vec<Member>,
    /// Whether `...` follows the header.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A datatype constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct Ctor {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// The formals. Unnamed ones have `name: None`.
    pub formals: Vec<Formal>,
    /// The source range of name and formals.
    pub span: Span,
}

/// A newtype `newtype N = x: int | P witness w { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewtypeDecl {
    /// The attributes.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// The type parameters, with general newtypes.
    pub type_params: Vec<TypeParam>,
    /// The types in the `extends` clause.
    pub extends: Vec<Type>,
    /// The right-hand side. `None` only with `...`.
    pub definition: Option<Constrained>,
    /// The members in braces.
    pub members: Vec<Member>,
    /// Whether `...` follows the header.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// The definition `T` or `x: T | P witness w` of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constrained {
    /// The bound variable, if there is a constraint.
    pub var: Option<Ident>,
    /// The base type. It may be omitted if it can be inferred (`x | P(x)`).
    pub base: Option<Type>,
    /// The constraint.
    pub constraint: Option<Expr>,
    /// The witness, which shows that the type has a value.
    pub witness: Witness,
}

/// A `witness` clause.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Witness {
    /// No clause: Dafny tries its default candidates.
    #[default]
    Default,
    /// `witness *`: the type may be empty.
    Star,
    /// A compiled `witness e`.
    Compiled(Box<Expr>),
    /// A `ghost witness e`.
    Ghost(Box<Expr>),
}

/// A type declaration `type T(==)<A> = …` or `type T { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// The characteristics after the name.
    pub characteristics: Characteristics,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The types in the `extends` clause of an abstract type.
    pub extends: Vec<Type>,
    /// The definition: a synonym if it has no `var`, otherwise a subset type. `None`: an abstract
    /// type.
    pub definition: Option<Constrained>,
    /// The members of an abstract type.
    pub members: Vec<Member>,
    /// Whether `...` follows the header.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// An iterator.
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorDecl {
    /// The attributes.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The in-parameters.
    pub ins: Vec<Formal>,
    /// The `yields` parameters.
    pub yields: Vec<Formal>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Option<Block>,
    /// Whether `...` follows the header.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A member of a class-like declaration or of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// A field `var x: T`. Each name has a node of its own.
    Field(FieldDecl),
    /// A constant `const c: T := e`.
    Const(ConstDecl),
    /// A method, constructor or lemma.
    Method(MethodDecl),
    /// A function or predicate.
    Function(FunctionDecl),
}

/// A mutable field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// The type of the field.
    pub ty: Type,
    /// The source range of name and type.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDecl {
    /// Attributes, `ghost`, `static`, `opaque`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// The type, if written.
    pub ty: Option<Type>,
    /// The value, if written.
    pub value: Option<Expr>,
    /// Whether it ends in `...`, in a refining module.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// The kinds of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// A plain method.
    Method,
    /// A constructor of a class.
    Constructor,
    /// A lemma of one state.
    Lemma,
    /// A `twostate lemma`.
    TwostateLemma,
    /// A `least lemma` (or `inductive lemma`).
    LeastLemma,
    /// A `greatest lemma` (or `colemma`).
    GreatestLemma,
}

/// A method, lemma or constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDecl {
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The kind of the method.
    pub kind: MethodKind,
    /// The name. `None` for an anonymous constructor.
    pub name: Option<Ident>,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The type `[nat]` or `[ORDINAL]` of the steps of an extreme lemma.
    pub k_type: Option<Type>,
    /// The in-parameters.
    pub ins: Vec<Formal>,
    /// The out-parameters.
    pub outs: Vec<Formal>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Option<Block>,
    /// Whether `...` replaces the signature, in a refining module.
    pub is_refining: bool,
    /// The source range of keyword and name, for messages.
    pub head: Span,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// The kinds of functions, by their keywords. The function syntax determines which of them are
/// ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `function`: ghost in Dafny 3, compiled in Dafny 4.
    Function,
    /// `function method`: compiled (Dafny 3).
    FunctionMethod,
    /// `predicate`: like `function`, with result type `bool`.
    Predicate,
    /// `predicate method`: compiled (Dafny 3).
    PredicateMethod,
    /// A `twostate function`.
    TwostateFunction,
    /// A `twostate predicate`.
    TwostatePredicate,
    /// A `least predicate` (or `inductive predicate`).
    LeastPredicate,
    /// A `greatest predicate` (or `copredicate`).
    GreatestPredicate,
}

impl FunctionKind {
    /// Whether it is declared `twostate`.
    pub fn is_two_state(self) -> bool {
        matches!(self, Self::TwostateFunction | Self::TwostatePredicate)
    }

    /// Whether it is declared `least` or `greatest`.
    pub fn is_extreme(self) -> bool {
        matches!(self, Self::LeastPredicate | Self::GreatestPredicate)
    }

    /// Whether it is a predicate, whose result type is `bool`.
    pub fn is_predicate(self) -> bool {
        match self {
            Self::Function | Self::FunctionMethod | Self::TwostateFunction => false,
            Self::Predicate
            | Self::PredicateMethod
            | Self::TwostatePredicate
            | Self::LeastPredicate
            | Self::GreatestPredicate => true,
        }
    }
}

/// A function or predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The kind of the function.
    pub kind: FunctionKind,
    /// Whether the function is ghost, by its keywords and the function syntax of its module. A
    /// function-by-method is not.
    pub ghost: bool,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// The type `[nat]` or `[ORDINAL]` of the steps of an extreme predicate.
    pub k_type: Option<Type>,
    /// The in-parameters. `None` for `predicate P ...` in a refining module.
    pub ins: Vec<Formal>,
    /// The name of the result in `: (r: T)`.
    pub result_name: Option<Ident>,
    /// The result type. `None` for predicates.
    pub result: Option<Type>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Option<Expr>,
    /// The statements of `by method { … }`.
    pub by_method: Option<Block>,
    /// Whether `...` replaces the signature, in a refining module.
    pub is_refining: bool,
    /// The source range of keyword and name, for messages.
    pub head: Span,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A formal parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Formal {
    /// The attributes of the parameter.
    pub attributes: Vec<Attribute>,
    /// The name. Only parameters of constructors may omit it.
    pub name: Option<Ident>,
    /// The type of the parameter.
    pub ty: Type,
    /// Whether it is `ghost`.
    pub ghost: bool,
    /// Whether it is `new`, in a two-state declaration.
    pub is_new: bool,
    /// Whether it is `older`.
    pub older: bool,
    /// Whether it is `nameonly`.
    pub nameonly: bool,
    /// The default value after `:=`.
    pub default: Option<Expr>,
    /// The source range of the whole parameter.
    pub span: Span,
}

/// A contract: its clauses in source order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Spec {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// One clause of a contract or of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The kind of the clause.
    pub kind: ClauseKind,
    /// Whether it is a `yield` clause, or a `free` clause of Dafny 1.
    pub is_yield: bool,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The label before the expression.
    pub label: Option<Ident>,
    /// The source range of the whole clause.
    pub span: Span,
}

/// The kinds of clauses.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// A precondition `requires e`.
    Requires(Expr),
    /// A postcondition `ensures e`.
    Ensures(Expr),
    /// A loop invariant `invariant e`.
    Invariant(Expr),
    /// A read frame `reads fs`.
    Reads(Vec<FrameExpr>),
    /// A write frame `modifies fs`.
    Modifies(Vec<FrameExpr>),
    /// A measure `decreases es`. `*` is [`super::ExprKind::Wildcard`].
    Decreases(Vec<Expr>),
}

/// A part of a frame: `e`, `` e`f ``, `` `f `` or `*`.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameExpr {
    /// The objects. `None` for `` `f ``. `*` is [`super::ExprKind::Wildcard`].
    pub object: Option<Expr>,
    /// The field, if one is selected.
    pub field: Option<Ident>,
    /// The source range of the whole expression.
    pub span: Span,
}
