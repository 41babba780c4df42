//! Types, members and their contracts.

use super::{Attribute, Block, Characteristics, Expr, Ident, Modifiers, Span, Type, TypeParam};

/// `class` or `trait`.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassDecl {
    /// Which.
    pub is_trait: bool,
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// `extends`.
    pub extends: Vec<Type>,
    /// The members in order.
    pub members: Vec<Member>,
    /// `class C ...` of a refinement (`...` after the header).
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `datatype` or `codatatype`.
#[derive(Clone, Debug, PartialEq)]
pub struct DatatypeDecl {
    /// Whether `codatatype`.
    pub co: bool,
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// `extends Trait`.
    pub extends: Vec<Type>,
    /// Constructors; empty only for `datatype D ...` of a refinement.
    pub ctors: Vec<Ctor>,
    /// Members in braces.
    pub members: Vec<Member>,
    /// `...` after the header.
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq)]
pub struct Ctor {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Its formals; unnamed ones have `name: None`.
    pub formals: Vec<Formal>,
    /// Name and formals.
    pub span: Span,
}

/// `newtype N = x: int | P witness w { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewtypeDecl {
    /// Attributes.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters (general newtypes).
    pub type_params: Vec<TypeParam>,
    /// `extends Trait`.
    pub extends: Vec<Type>,
    /// The right-hand side; `None` only with `...`.
    pub definition: Option<Constrained>,
    /// Members in braces.
    pub members: Vec<Member>,
    /// `...` after the header.
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `T` or `x: T | P witness w`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constrained {
    /// The bound variable, when there is a constraint.
    pub var: Option<Ident>,
    /// The base type; may be left out where it can be inferred (`x | P(x)`).
    pub base: Option<Type>,
    /// The constraint.
    pub constraint: Option<Expr>,
    /// What shows that the type has a value.
    pub witness: Witness,
}

/// The `witness` clause.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Witness {
    /// No clause: Dafny tries its usual candidates.
    #[default]
    Default,
    /// `witness *`: possibly empty.
    Star,
    /// `witness e`.
    Compiled(Box<Expr>),
    /// `ghost witness e`.
    Ghost(Box<Expr>),
}

/// `type T(==)<A> = …`, `type T { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Characteristics after the name.
    pub characteristics: Characteristics,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// `extends` (abstract types).
    pub extends: Vec<Type>,
    /// Synonym (no `var`) or subset type; `None`: an abstract type.
    pub definition: Option<Constrained>,
    /// Members of an abstract type.
    pub members: Vec<Member>,
    /// `...` after the header.
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `iterator`.
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorDecl {
    /// Attributes.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// In-parameters.
    pub ins: Vec<Formal>,
    /// `yields` parameters.
    pub yields: Vec<Formal>,
    /// Its contract.
    pub spec: Spec,
    /// Its body.
    pub body: Option<Block>,
    /// `...` after the header.
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// A member of a class-like declaration or of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// `var x: T` (one node a name).
    Field(FieldDecl),
    /// `const c: T := e`.
    Const(ConstDecl),
    /// `method`, `constructor`, `lemma` and their relatives.
    Method(MethodDecl),
    /// `function`, `predicate` and their relatives.
    Function(FunctionDecl),
}

/// A mutable field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// Attributes and `ghost`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Name and type.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDecl {
    /// Attributes, `ghost`, `static`, `opaque`.
    pub modifiers: Modifiers,
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
    /// Its value, when written.
    pub value: Option<Expr>,
    /// `...` of a refinement.
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// Which kind of method a declaration introduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// `method`.
    Method,
    /// `constructor`.
    Constructor,
    /// `lemma`.
    Lemma,
    /// `twostate lemma`.
    TwostateLemma,
    /// `least lemma` (or `inductive lemma`).
    LeastLemma,
    /// `greatest lemma` (or `colemma`).
    GreatestLemma,
}

/// A method, lemma or constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDecl {
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// Which kind.
    pub kind: MethodKind,
    /// The name; `None` for an anonymous constructor.
    pub name: Option<Ident>,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// `[nat]` or `[ORDINAL]` of an extreme lemma.
    pub k_type: Option<Type>,
    /// In-parameters.
    pub ins: Vec<Formal>,
    /// Out-parameters.
    pub outs: Vec<Formal>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Option<Block>,
    /// `...` in place of the signature (refinement).
    pub is_refining: bool,
    /// Keyword and name, for messages.
    pub head: Span,
    /// The whole declaration.
    pub span: Span,
}

/// Which kind of function a declaration introduces, before ghostness is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `function`: ghost in Dafny 3, compiled in Dafny 4.
    Function,
    /// `function method`: compiled (Dafny 3).
    FunctionMethod,
    /// `predicate`.
    Predicate,
    /// `predicate method`.
    PredicateMethod,
    /// `twostate function`.
    TwostateFunction,
    /// `twostate predicate`.
    TwostatePredicate,
    /// `least predicate` (or `inductive predicate`).
    LeastPredicate,
    /// `greatest predicate` (or `copredicate`).
    GreatestPredicate,
}

/// A function or predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    /// Attributes and modifiers.
    pub modifiers: Modifiers,
    /// Which kind.
    pub kind: FunctionKind,
    /// Whether it is ghost, by its words and the function syntax of its module. A function by method is not.
    pub ghost: bool,
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// `[nat]` or `[ORDINAL]` of an extreme predicate.
    pub k_type: Option<Type>,
    /// In-parameters; `None` in `predicate P ...` of a refinement.
    pub ins: Vec<Formal>,
    /// The name of the result, in `: (r: T)`.
    pub result_name: Option<Ident>,
    /// The result type; absent for predicates.
    pub result: Option<Type>,
    /// The contract.
    pub spec: Spec,
    /// The body.
    pub body: Option<Expr>,
    /// `by method { … }`.
    pub by_method: Option<Block>,
    /// `...` in place of the signature (refinement).
    pub is_refining: bool,
    /// Keyword and name, for messages.
    pub head: Span,
    /// The whole declaration.
    pub span: Span,
}

/// A formal parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Formal {
    /// Attributes of the parameter.
    pub attributes: Vec<Attribute>,
    /// The name; only constructors may leave it out.
    pub name: Option<Ident>,
    /// The type.
    pub ty: Type,
    /// `ghost`.
    pub ghost: bool,
    /// `new` (two-state).
    pub is_new: bool,
    /// `older`.
    pub older: bool,
    /// `nameonly`.
    pub nameonly: bool,
    /// `:= e`.
    pub default: Option<Expr>,
    /// The whole formal.
    pub span: Span,
}

/// A contract: its clauses in order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Spec {
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// One clause of a contract or of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Which clause.
    pub kind: ClauseKind,
    /// `free` (Dafny 1) or `yield`.
    pub is_yield: bool,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// `label:` before the expression.
    pub label: Option<Ident>,
    /// The whole clause.
    pub span: Span,
}

/// What a clause says.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `requires e`.
    Requires(Expr),
    /// `ensures e`.
    Ensures(Expr),
    /// `invariant e`.
    Invariant(Expr),
    /// `reads fs`.
    Reads(Vec<FrameExpr>),
    /// `modifies fs`.
    Modifies(Vec<FrameExpr>),
    /// `decreases es`; `*` is [`super::ExprKind::Wildcard`].
    Decreases(Vec<Expr>),
}

/// `e`, `` e`f `` or `` `f `` or `*` in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameExpr {
    /// The objects; `None` for `` `f ``. `*` is [`super::ExprKind::Wildcard`].
    pub object: Option<Expr>,
    /// The field.
    pub field: Option<Ident>,
    /// The whole.
    pub span: Span,
}
