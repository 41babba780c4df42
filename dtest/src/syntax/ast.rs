//! The parsed tree: what the text says, with no name looked up.
//!
//! One type for each family of productions of the Dafny grammar (reference manual, appendix
//! "Dafny Grammar"). Every node carries its [`Span`]. Both Dafny 4 spellings and Dafny 3's
//! (`function method`, semicolons after clauses) parse into the same tree; the differences of
//! meaning are kept in [`FunctionKind`] and settled by the resolver. Order of clauses and members
//! is the order in the text.

use num_bigint::BigInt;

pub use crate::source::{Name, Span};

/// An identifier at its place. The name is without escapes; `?` and `'` belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// One parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// `include "path"` directives in order.
    pub includes: Vec<Include>,
    /// Everything else at top level, in order. Members of the default class are [`TopDecl::Member`].
    pub decls: Vec<TopDecl>,
    /// The whole file.
    pub span: Span,
}

/// `include "path"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Include {
    /// The path as written, unescaped.
    pub path: String,
    /// The directive.
    pub span: Span,
}

/// A declaration of a file or of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum TopDecl {
    /// `module M { … }`.
    Module(ModuleDecl),
    /// `import …`.
    Import(Import),
    /// `export …`.
    Export(Export),
    /// `class`, `trait`.
    Class(ClassDecl),
    /// `datatype`, `codatatype`.
    Datatype(DatatypeDecl),
    /// `newtype`.
    Newtype(NewtypeDecl),
    /// `type T = …`, subset types and abstract types.
    Type(TypeDecl),
    /// `iterator`.
    Iterator(IteratorDecl),
    /// A member of the module's default class.
    Member(Member),
}

/// Attributes and modifiers that precede or follow a declaration's keyword.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Modifiers {
    /// `{:name args}` and `@Name(args)` in order.
    pub attributes: Vec<Attribute>,
    /// `abstract`.
    pub is_abstract: bool,
    /// `ghost`.
    pub ghost: bool,
    /// `static`.
    pub is_static: bool,
    /// `opaque`.
    pub opaque: bool,
    /// `replaceable`.
    pub replaceable: bool,
    /// Doc comment (`/** … */` before the declaration), without its delimiters.
    pub doc: Option<Name>,
}

/// `{:name args}` or `@Name(args)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, possibly with dots.
    pub name: Ident,
    /// Whether it was written with `@`.
    pub at: bool,
    /// Its arguments; named ones only with `@`.
    pub args: Vec<Argument>,
    /// The whole attribute.
    pub span: Span,
}

/// A dotted name, for modules.
#[derive(Clone, Debug, PartialEq)]
pub struct QualifiedName {
    /// The segments, at least one.
    pub segments: Vec<Ident>,
    /// From the first to the last.
    pub span: Span,
}

/// `module A.B refines C { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleDecl {
    /// Attributes, `abstract`, `replaceable`.
    pub modifiers: Modifiers,
    /// The declared name; `module A.B` has two segments.
    pub name: QualifiedName,
    /// `refines M` or `replaces M`.
    pub base: Option<(ModuleBase, QualifiedName)>,
    /// The contents in order.
    pub decls: Vec<TopDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// How a module relates to its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleBase {
    /// `refines`.
    Refines,
    /// `replaces`.
    Replaces,
}

/// `import opened A = B.C`, `import A : B`, with export sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// `opened`.
    pub opened: bool,
    /// The local name when one is given.
    pub alias: Option<Ident>,
    /// `:` instead of `=`: an abstract import.
    pub is_abstract: bool,
    /// The module that is meant.
    pub target: QualifiedName,
    /// Export sets: `` `E `` or `` `{E, F} ``.
    pub exports: Vec<Ident>,
    /// The whole import.
    pub span: Span,
}

/// `export E extends F provides a, b reveals c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Its name; `None` is the default export set.
    pub name: Option<Ident>,
    /// `extends`.
    pub extends: Vec<Ident>,
    /// `provides`; `None` stands for `*`.
    pub provides: Vec<ExportId>,
    /// `reveals`.
    pub reveals: Vec<ExportId>,
    /// `provides *`.
    pub provides_all: bool,
    /// `reveals *`.
    pub reveals_all: bool,
    /// `...` after the name (refinement).
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `Id` or `Type.Id` in an export set.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportId {
    /// The type, for a member.
    pub prefix: Option<Ident>,
    /// The name.
    pub name: Ident,
}

/// A formal type parameter: `+T(==, 0, !new)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    /// The name.
    pub name: Ident,
    /// `+`, `-`, `*`, `!` or none.
    pub variance: Variance,
    /// What is in parentheses.
    pub characteristics: Characteristics,
    /// `extends Trait` bounds.
    pub bounds: Vec<Type>,
}

/// Variance and cardinality preservation of a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Variance {
    /// Nothing written: non-variant, cardinality-preserving.
    #[default]
    Invariant,
    /// `+`.
    Covariant,
    /// `*`.
    CovariantAny,
    /// `-`.
    Contravariant,
    /// `!`.
    InvariantAny,
}

/// Type characteristics in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Characteristics {
    /// `(==)`.
    pub equality: bool,
    /// `(0)`: auto-initialisable.
    pub auto_init: bool,
    /// `(00)`: nonempty.
    pub nonempty: bool,
    /// `(!new)`: holds no references.
    pub no_new: bool,
}

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
    /// `decreases es`; `*` is [`ExprKind::Wildcard`].
    Decreases(Vec<Expr>),
}

/// `e`, `` e`f `` or `` `f `` or `*` in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameExpr {
    /// The objects; `None` for `` `f ``. `*` is [`ExprKind::Wildcard`].
    pub object: Option<Expr>,
    /// The field.
    pub field: Option<Ident>,
    /// The whole.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Which.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// A named type with arguments at any segment: `A.B<C>`, `T?`, built-in names such as `int`,
    /// `nat`, `string`, `ORDINAL`, `object?`, `bv8`, `array2<T>`, `seq<T>`, `set<T>`. Built-in names
    /// are not distinguished by the parser, except that they are keywords where Dafny says so.
    Named(Vec<TypeSegment>),
    /// `(A, ghost B)`, `()`; never one component without `ghost`.
    Tuple(Vec<TupleComponent>),
    /// `A -> B`, `A --> B`, `A ~> B`.
    Arrow {
        /// Which arrow.
        kind: ArrowKind,
        /// The parameters: `(A, B) -> C` has two.
        params: Vec<Type>,
        /// The result.
        result: Box<Type>,
    },
}

/// A component of a tuple type.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleComponent {
    /// `ghost`.
    pub ghost: bool,
    /// Its type.
    pub ty: Type,
}

/// `Name<Args>` within a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSegment {
    /// The name.
    pub name: Ident,
    /// Its arguments; `None` when no brackets are written.
    pub args: Option<Vec<Type>>,
}

/// The three arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrowKind {
    /// `->`: total, reads nothing.
    Total,
    /// `-->`: partial, reads nothing.
    Partial,
    /// `~>`: may have a precondition and read the heap.
    General,
}

/// `{ … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// For a constructor: how many statements precede `new;`. `None` where there is no `new;`.
    pub divided_at: Option<usize>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// `label L:` before it, possibly several.
    pub labels: Vec<Ident>,
    /// Attributes before or inside it.
    pub attributes: Vec<Attribute>,
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ … }`.
    Block(Block),
    /// `assert e by { … }`.
    Assert {
        /// The label in `assert L: e`.
        label: Option<Ident>,
        /// The condition; `None` for `...`.
        cond: Option<Expr>,
        /// `by { … }`.
        by: Option<Block>,
    },
    /// `assume e`.
    Assume(Option<Expr>),
    /// `expect e, message`.
    Expect {
        /// The condition; `None` for `...`.
        cond: Option<Expr>,
        /// What to say.
        message: Option<Expr>,
    },
    /// `print e, …`.
    Print(Vec<Expr>),
    /// `var x: T, y := rhs`; also `ghost var`, `var x :| P`, `var x :- e`.
    VarDecl(VarDecl),
    /// `var (a, b) := e` or `var C(a, _) := e`.
    VarPattern {
        /// `ghost`.
        ghost: bool,
        /// The pattern; never a plain variable.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// `lhs, … := rhs, …`, `:|`, `:-`, and a call or expression on its own (no `lhs`, one `rhs`).
    Update(Update),
    /// `if g { … } else …`; a `None` block is `...`.
    If {
        /// The guard; `None` is `*`, or `...` with `is_skeleton`.
        guard: Guard,
        /// Then.
        then: Block,
        /// Else: a block or another `if`.
        els: Option<Box<Stmt>>,
    },
    /// `if { case g => … }`.
    IfCase(Vec<GuardedCase>),
    /// `while g spec { … }`.
    While {
        /// The guard.
        guard: Guard,
        /// Invariants and the like.
        spec: Spec,
        /// The body; `None` when left out or `...`.
        body: Option<Block>,
    },
    /// `while spec { case g => … }`.
    WhileCase {
        /// Invariants and the like.
        spec: Spec,
        /// The cases.
        cases: Vec<GuardedCase>,
    },
    /// `for i: T := a to b spec { … }`.
    For {
        /// The index.
        index: Ident,
        /// Its type, when written.
        ty: Option<Type>,
        /// From.
        from: Expr,
        /// `downto` instead of `to`.
        down: bool,
        /// To; `None` is `*`.
        to: Option<Expr>,
        /// Invariants and the like.
        spec: Spec,
        /// The body.
        body: Option<Block>,
    },
    /// `forall x | P ensures Q { … }`.
    Forall {
        /// Bound variables and range.
        vars: QuantifiedVars,
        /// `ensures` clauses.
        spec: Spec,
        /// The body.
        body: Option<Block>,
    },
    /// `match e { case p => … }`.
    Match {
        /// The scrutinee.
        scrutinee: Expr,
        /// The cases.
        cases: Vec<StmtCase>,
        /// Whether the cases are in braces.
        braces: bool,
    },
    /// `break`, `break break`, `break L`; `continue` likewise.
    Break {
        /// `continue` instead of `break`.
        is_continue: bool,
        /// How many `break` words (with `continue` counted as the last), at least 1.
        count: u32,
        /// The label.
        label: Option<Ident>,
    },
    /// `return rhs, …`.
    Return(Vec<Rhs>),
    /// `yield rhs, …`.
    Yield(Vec<Rhs>),
    /// `modify fs { … }`.
    Modify {
        /// What is modified.
        frame: Vec<FrameExpr>,
        /// The body.
        body: Option<Block>,
    },
    /// `reveal a, b()`.
    Reveal(Vec<Expr>),
    /// `hide *`, `hide a, b`.
    Hide(Vec<Expr>),
    /// `calc op { … }`.
    Calc {
        /// The operator of the whole.
        op: Option<CalcOp>,
        /// The lines with what follows each.
        lines: Vec<CalcLine>,
    },
    /// `opaque spec { … }` (opaque block).
    Opaque {
        /// Its contract.
        spec: Spec,
        /// Its body.
        body: Block,
    },
    /// `...;` of a refinement.
    Skeleton,
    /// A call with a proof: `f(x) by { … }`, `x := f(y) by { … }`.
    By {
        /// The statement proved.
        stmt: Box<Stmt>,
        /// The proof.
        proof: Block,
    },
}

/// The guard of an `if` or `while`.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// A condition.
    Expr(Expr),
    /// `*`.
    Star,
    /// `x, y: T :| P`.
    Binding {
        /// The variables.
        vars: Vec<BoundVar>,
        /// The condition.
        cond: Expr,
    },
    /// `...` of a refinement.
    Skeleton,
}

/// `case g => stmts`.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardedCase {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The guard.
    pub guard: Guard,
    /// What is done.
    pub body: Vec<Stmt>,
    /// The whole case.
    pub span: Span,
}

/// `case p => stmts` of a match statement.
#[derive(Clone, Debug, PartialEq)]
pub struct StmtCase {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The pattern.
    pub pattern: Pattern,
    /// What is done.
    pub body: Vec<Stmt>,
    /// The whole case.
    pub span: Span,
}

/// Declaration of local variables.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// `ghost`.
    pub ghost: bool,
    /// The variables.
    pub vars: Vec<LocalVar>,
    /// What they start as.
    pub init: Option<Assign>,
}

/// A declared local variable.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalVar {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
}

/// An update statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The left-hand sides; may be empty.
    pub lhs: Vec<Expr>,
    /// What is assigned.
    pub assign: Assign,
}

/// The right part of an update or of a variable declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Assign {
    /// `:= rhs, …`; also a call or expression on its own.
    Rhs(Vec<Rhs>),
    /// `:| assume e`.
    SuchThat {
        /// `assume`, possibly with attributes.
        assume: bool,
        /// The condition.
        cond: Expr,
    },
    /// `:- [expect|assert|assume] rhs, …`.
    Failure {
        /// `expect`, `assert`, `assume`.
        keyword: Option<FailureKeyword>,
        /// The values, the first of failure-compatible type.
        rhs: Vec<Rhs>,
    },
}

/// The word after `:-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKeyword {
    /// `expect`.
    Expect,
    /// `assert`.
    Assert,
    /// `assume`.
    Assume,
}

/// A right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub struct Rhs {
    /// Attributes after it.
    pub attributes: Vec<Attribute>,
    /// Which.
    pub kind: RhsKind,
    /// Where.
    pub span: Span,
}

/// The forms of a right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub enum RhsKind {
    /// An expression, a method call included.
    Expr(Expr),
    /// `*`.
    Havoc,
    /// `new C`, `new C.Init(args)`; the type's last segment may be the constructor's name.
    New {
        /// The path.
        ty: Type,
        /// Arguments, when parentheses are written.
        args: Option<Vec<Argument>>,
    },
    /// `new T[a, b](init)`, `new T[n] [x, y]`, `new [n]`, `new T[] [..]`.
    NewArray {
        /// Element type, when written.
        elem: Option<Type>,
        /// Dimensions; empty when `[]` is followed by elements.
        dims: Vec<Expr>,
        /// `(e)`: the initialiser function.
        init: Option<Expr>,
        /// `[x, y]`: the elements.
        elements: Option<Vec<Expr>>,
    },
}

/// The operator of a calculation.
#[derive(Clone, Debug, PartialEq)]
pub enum CalcOp {
    /// A binary operator.
    Binary(BinaryOp),
    /// `==#[k]`.
    PrefixEq(Box<Expr>),
}

/// A line of a calculation with what follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct CalcLine {
    /// The expression.
    pub expr: Expr,
    /// The operator to the next line, when written.
    pub op: Option<CalcOp>,
    /// The hints: blocks and calculations.
    pub hints: Vec<Stmt>,
}

/// `x: T <- D | P, y …` with the range.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVars {
    /// The variables, each with domain and range of its own (per-variable ranges).
    pub vars: Vec<QuantifiedVar>,
    /// Attributes after the variables.
    pub attributes: Vec<Attribute>,
    /// The range of the whole: `| P`, also where it belongs to the last variable.
    pub range: Option<Box<Expr>>,
}

/// One quantified variable.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVar {
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
    /// `<- e`.
    pub domain: Option<Expr>,
    /// `| P` before a comma.
    pub range: Option<Expr>,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundVar {
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
}

/// A pattern of `match`, of `var`, and of `case` in expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Which.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// A name without arguments: a variable, a constructor or a constant; the resolver decides.
    /// `_` is a name too.
    Name {
        /// The dotted name; a variable has one segment.
        path: QualifiedName,
        /// `: T`.
        ty: Option<Type>,
    },
    /// `C(p, q)`.
    Ctor {
        /// The constructor, possibly qualified.
        path: QualifiedName,
        /// Its arguments.
        args: Vec<Pattern>,
    },
    /// `(p, q)`, with `ghost` never written; `(p)` takes apart the tuple of one ghost component.
    Tuple(Vec<Pattern>),
    /// A literal, possibly negated.
    Literal(Box<Expr>),
    /// `p | q`.
    Or(Vec<Pattern>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// A positional or named argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `name :=`.
    pub name: Option<Ident>,
    /// The value.
    pub value: Expr,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// `this`.
    This,
    /// A name, possibly with type arguments: `x`, `f<int>`. Also `_` placeholders.
    Name {
        /// The name.
        name: Ident,
        /// Type arguments, when written.
        type_args: Option<Vec<Type>>,
    },
    /// `e.f`, `e.f<T>`, `e.0`, `e.C?`; `e.requires`, `e.reads` of a function.
    Select {
        /// The left part.
        object: Box<Expr>,
        /// The name; digits for a tuple component.
        member: Ident,
        /// Type arguments, when written.
        type_args: Option<Vec<Type>>,
    },
    /// `e.(f := v, …)`.
    DatatypeUpdate {
        /// The value updated.
        object: Box<Expr>,
        /// Field names (digits for tuples) and values.
        updates: Vec<(Ident, Expr)>,
    },
    /// `f(args)`, with `@L` before the parentheses for a two-state call.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// `@L`.
        at_label: Option<Ident>,
        /// The arguments.
        args: Vec<Argument>,
    },
    /// `e[i]`, `a[i, j]`.
    Index {
        /// The collection.
        object: Box<Expr>,
        /// The indices, at least one.
        indices: Vec<Expr>,
    },
    /// `e[a..b]`.
    Slice {
        /// The collection.
        object: Box<Expr>,
        /// From.
        from: Option<Box<Expr>>,
        /// To.
        to: Option<Box<Expr>>,
    },
    /// `e[a : b : c]`, lengths of the slices.
    SliceLengths {
        /// The collection.
        object: Box<Expr>,
        /// The lengths.
        lengths: Vec<Expr>,
        /// Whether a final `:` asks for the rest.
        rest: bool,
    },
    /// `e[k := v]`.
    Update {
        /// The collection.
        object: Box<Expr>,
        /// The key or index.
        key: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `e#[k](…)`: the callee with its prefix argument.
    Prefix {
        /// The extreme predicate or lemma.
        object: Box<Expr>,
        /// The limit.
        limit: Box<Expr>,
    },
    /// `!e`, `-e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a == b < c`: at least two operators. (A single comparison is [`ExprKind::Binary`].)
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// Operators and operands.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `a ==#[k] b` or `a !=#[k] b`.
    PrefixEq {
        /// `!=`.
        negated: bool,
        /// The limit.
        limit: Box<Expr>,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `e as T`.
    As(Box<Expr>, Type),
    /// `e is T`.
    Is(Box<Expr>, Type),
    /// `|e|`.
    Cardinality(Box<Expr>),
    /// `(e)`: kept so that printing gives back what was written.
    Paren(Box<Expr>),
    /// `(a, ghost b)`, `()`.
    Tuple(Vec<(bool, Expr)>),
    /// `[a, b]`.
    SeqDisplay(Vec<Expr>),
    /// `{a, b}`, `iset{a, b}`.
    SetDisplay {
        /// `iset`.
        infinite: bool,
        /// The elements.
        elements: Vec<Expr>,
    },
    /// `multiset{a, b}`.
    MultisetDisplay(Vec<Expr>),
    /// `multiset(e)`.
    MultisetFrom(Box<Expr>),
    /// `map[k := v]`, `imap[…]`.
    MapDisplay {
        /// `imap`.
        infinite: bool,
        /// The pairs.
        pairs: Vec<(Expr, Expr)>,
    },
    /// `seq<T>(n, f)`.
    SeqConstruct {
        /// `<T>`.
        elem: Option<Type>,
        /// The length.
        len: Box<Expr>,
        /// The function.
        init: Box<Expr>,
    },
    /// `set x | P :: e`, `iset …`.
    SetComp {
        /// `iset`.
        infinite: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The term; the variable itself when left out.
        term: Option<Box<Expr>>,
    },
    /// `map x | P :: k := v`, `imap …`.
    MapComp {
        /// `imap`.
        infinite: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The key, when given.
        key: Option<Box<Expr>>,
        /// The value.
        value: Box<Expr>,
    },
    /// `forall x | P :: Q`, `exists …`.
    Quantifier {
        /// `forall`.
        forall: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The body.
        body: Box<Expr>,
    },
    /// `(x, y) requires P reads F => e`.
    Lambda {
        /// Parameters.
        params: Vec<BoundVar>,
        /// `requires` and `reads`.
        spec: Spec,
        /// The body.
        body: Box<Expr>,
    },
    /// `if g then a else b`, with binding guards.
    If {
        /// The guard; never [`Guard::Star`].
        guard: Box<Guard>,
        /// Then.
        then: Box<Expr>,
        /// Else.
        els: Box<Expr>,
    },
    /// `match e case p => …`.
    Match {
        /// The scrutinee.
        scrutinee: Box<Expr>,
        /// The cases.
        cases: Vec<ExprCase>,
        /// Whether the cases are in braces.
        braces: bool,
    },
    /// `var p := e; body`, `ghost var …`.
    Let {
        /// `ghost`.
        ghost: bool,
        /// Patterns on the left; plain variables are [`PatternKind::Name`].
        patterns: Vec<Pattern>,
        /// Values, as many as patterns.
        values: Vec<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var x: T :| P; body`.
    LetSuchThat {
        /// `ghost`.
        ghost: bool,
        /// The variables.
        vars: Vec<BoundVar>,
        /// Attributes.
        attributes: Vec<Attribute>,
        /// The condition.
        cond: Box<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var x :- e; body` or `:- e; body`.
    LetOrFail {
        /// `ghost`.
        ghost: bool,
        /// The pattern; `None` for a bare `:- e;`.
        pattern: Option<Box<Pattern>>,
        /// The value of failure-compatible type.
        value: Box<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// A statement before an expression: `assert P; e`, `assume`, `expect`, `reveal`, `calc`, a lemma call.
    StmtExpr {
        /// The statement.
        stmt: Box<Stmt>,
        /// The expression.
        body: Box<Expr>,
    },
    /// `old(e)`, `old@L(e)`.
    Old {
        /// The label.
        label: Option<Ident>,
        /// What is evaluated in the old state.
        expr: Box<Expr>,
    },
    /// `fresh(e)`, `fresh@L(e)`.
    Fresh {
        /// The label.
        label: Option<Ident>,
        /// The objects.
        expr: Box<Expr>,
    },
    /// `allocated(e)`.
    Allocated(Box<Expr>),
    /// `unchanged(fs)`, `unchanged@L(fs)`.
    Unchanged {
        /// The label.
        label: Option<Ident>,
        /// The frame.
        frame: Vec<FrameExpr>,
    },
    /// `assigned(x)`.
    Assigned(Box<Expr>),
    /// `*` where the grammar has a wildcard (`decreases *`, `reads *`, `if *` in an expression).
    Wildcard,
    /// `` e`f `` outside a frame (memory locations), rarely used.
    Location {
        /// The object.
        object: Box<Expr>,
        /// The field.
        field: Ident,
    },
    /// `a, b decreases to c, d`; `nonincreases to`.
    DecreasesTo {
        /// Left.
        from: Vec<Expr>,
        /// Right.
        to: Vec<Expr>,
        /// `nonincreases`: equality is allowed.
        allow_equal: bool,
    },
    /// Where the parser recovered from an error; a diagnostic was given.
    Error,
}

/// `case p => e` of a match expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprCase {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The pattern.
    pub pattern: Pattern,
    /// The value.
    pub body: Expr,
    /// The whole case.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true`, `false`.
    Bool(bool),
    /// A natural number.
    Int(BigInt),
    /// `digits · 10^exponent`, for `1.50` (150, -2) and `1e3`.
    Real {
        /// All digits as an integer.
        digits: BigInt,
        /// The power of ten.
        exponent: i64,
    },
    /// `'c'`, unescaped: a Unicode scalar value, or a UTF-16 code unit from `\uXXXX`.
    Char(u32),
    /// `"…"` or `@"…"`, as code points or code units; the resolver turns it into `seq<char>`.
    String {
        /// Code points; lone surrogates from `\uXXXX` are kept as they are.
        units: Vec<u32>,
        /// `@"…"`.
        verbatim: bool,
    },
    /// `null`.
    Null,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`: of bool or bitwise.
    Not,
    /// `-`.
    Neg,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `<==>`.
    Iff,
    /// `==>`.
    Implies,
    /// `<==`: operands stand as written.
    Explies,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `in`.
    In,
    /// `!in`.
    NotIn,
    /// `!!`.
    Disjoint,
    /// `<<`.
    Shl,
    /// `>>`.
    Shr,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
}
