//! The parsed tree: what the text says, before names and types are known.

use dafny_syntax::source::{Name, Span};
use num_bigint::BigUint;
use num_rational::BigRational;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name, without a backslash before it.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// A program: its declarations, whose order means nothing.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The declarations.
    pub decls: Vec<Decl>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `type T a b;` or `type S a = …;`
    Type(TypeDecl),
    /// `datatype`
    Datatype(DatatypeDecl),
    /// `const`
    Const(ConstDecl),
    /// `function`
    Function(FunctionDecl),
    /// `axiom`
    Axiom(AxiomDecl),
    /// `var`
    Globals(VarsDecl),
    /// `procedure`, with its body where it has one
    Procedure(ProcedureDecl),
    /// `implementation`
    Implementation(ProcedureDecl),
}

/// `{:name parameter, …}`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name, without the colon.
    pub name: Ident,
    /// Its parameters; strings are [`ExprKind::String`].
    pub args: Vec<Expr>,
}

/// A type constructor, or a synonym.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub params: Vec<Ident>,
    /// What it stands for, where it is a synonym.
    pub body: Option<Type>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `datatype T<a> { C(x: int), … }`.
#[derive(Clone, Debug)]
pub struct DatatypeDecl {
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub params: Vec<Ident>,
    /// Constructors with their fields.
    pub constructors: Vec<(Ident, Vec<Binding>)>,
}

/// `const unique a, b: T;`
#[derive(Clone, Debug)]
pub struct ConstDecl {
    /// The constants.
    pub names: Vec<Ident>,
    /// Their type.
    pub ty: Type,
    /// Whether they differ from all other unique constants of their type.
    pub unique: bool,
    /// Parents in the partial order, where an order is given (`extends`, Boogie 2 of 2008).
    pub parents: Option<Vec<Ident>>,
    /// Axioms of a `uses` clause.
    pub uses: Vec<AxiomDecl>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `function f<a>(x: int): bool { … }`.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<Ident>,
    /// Parameters; names may be missing.
    pub params: Vec<(Option<Ident>, Type)>,
    /// The name of the result, where it has one.
    pub result_name: Option<Ident>,
    /// The type of the result.
    pub result: Type,
    /// Its definition.
    pub body: Option<Expr>,
    /// Axioms of a `uses` clause.
    pub uses: Vec<AxiomDecl>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `axiom e;`
#[derive(Clone, Debug)]
pub struct AxiomDecl {
    /// What holds.
    pub expr: Expr,
    /// The keyword's place.
    pub span: Span,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `var x, y: T where e;`
#[derive(Clone, Debug)]
pub struct VarsDecl {
    /// The variables.
    pub bindings: Vec<Binding>,
}

/// A variable with its type.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// What its values satisfy wherever they are chosen.
    pub where_clause: Option<Expr>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// A procedure or an implementation.
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    /// Its name.
    pub name: Ident,
    /// Type parameters.
    pub type_params: Vec<Ident>,
    /// Parameters.
    pub ins: Vec<Binding>,
    /// Results.
    pub outs: Vec<Binding>,
    /// The contract; empty for an implementation.
    pub specs: Vec<Spec>,
    /// The body.
    pub body: Option<Body>,
    /// Whether it is declared `pure`.
    pub pure: bool,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub enum Spec {
    /// `requires`
    Requires(Clause),
    /// `ensures`
    Ensures(Clause),
    /// `modifies`
    Modifies(Vec<Ident>),
    /// `measure`
    Measure(Vec<Expr>),
}

/// A condition of a contract or a loop.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What holds.
    pub expr: Expr,
    /// Whether it is taken for granted.
    pub free: bool,
    /// The keyword's place.
    pub span: Span,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `{ var …; statements }`.
#[derive(Clone, Debug)]
pub struct Body {
    /// Local variables.
    pub locals: Vec<Binding>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where; of a declaration of a label its name.
    pub span: Span,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `label:`
    Label(Ident),
    /// `assert`
    Assert(Expr),
    /// `assume`
    Assume(Expr),
    /// `havoc`
    Havoc(Vec<Ident>),
    /// `l, … := e, …;`
    Assign(Vec<Target>, Vec<Expr>),
    /// `C(x, y) := e;`
    Unpack(Ident, Vec<Ident>, Expr),
    /// `call`
    Call(Call),
    /// `call forall` (Boogie 2 of 2008): `None` for `*`
    CallForall(Ident, Vec<Option<Expr>>),
    /// `if`; `None` for `*`
    If(Option<Expr>, Vec<Stmt>, Option<Vec<Stmt>>),
    /// `while`; `None` for `*`
    While(Option<Expr>, Vec<Clause>, Vec<Stmt>),
    /// `break`, perhaps with a label
    Break(Option<Ident>),
    /// `goto`
    Goto(Vec<Ident>),
    /// `return`
    Return,
    /// `return e` (in code expressions)
    ReturnExpr(Expr),
    /// `hide`, `reveal`, `push`, `pop`, `measure`: hints to the verifier
    Hint,
}

/// A procedure call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Variables that get the results.
    pub outs: Vec<Ident>,
    /// Whom.
    pub procedure: Ident,
    /// Arguments.
    pub args: Vec<Expr>,
    /// Whether preconditions are taken for granted.
    pub free: bool,
}

/// The left-hand side of an assignment.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub name: Ident,
    /// Indices and fields, from the variable outwards.
    pub path: Vec<Access>,
}

/// A step into a value.
#[derive(Clone, Debug)]
pub enum Access {
    /// `[i, …]`, with the place of the bracket
    Index(Vec<Expr>, Span),
    /// `->field`
    Field(Ident),
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// Kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// A name with arguments: constructors, synonyms, type variables, bitvectors, floats
    Named(Name, Vec<Type>),
    /// `<a>[S, …]T`
    Map(Vec<Ident>, Vec<Type>, Box<Type>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// Operators on two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Iff,
    Implies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`, the partial order of Boogie 2 of 2008
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    /// `/`
    RealDiv,
    /// `**`
    Pow,
}

impl BinOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Iff => "<==>",
            Self::Implies => "==>",
            Self::And => "&&",
            Self::Or => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Below => "<:",
            Self::Concat => "++",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "div",
            Self::Mod => "mod",
            Self::RealDiv => "/",
            Self::Pow => "**",
        }
    }
}

/// Binders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// `17`
    Int(BigUint),
    /// `1.5`, `15e-1`
    Real(BigRational),
    /// `5bv8`: value and width
    Bv(BigUint, u32),
    /// A floating-point literal: exponent and significand sizes are in its text
    Float(Name),
    /// `RNE` and the like
    Rounding(Name),
    /// A string literal
    String(Name),
    /// A variable or constant
    Ident(Name),
    /// `f(…)`
    Call(Ident, Vec<Expr>),
    /// `old(e)`
    Old(Box<Expr>),
    /// `int(e)`
    ToInt(Box<Expr>),
    /// `real(e)`
    ToReal(Box<Expr>),
    /// A binder
    Quantifier(Box<Quantifier>),
    /// `(var x := e; body)`
    Let(Vec<Ident>, Vec<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `|{ … }|`
    Code(Box<Body>),
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// Two operands, with the place of the operator
    Binary(BinOp, Box<Expr>, Box<Expr>, Span),
    /// `m[i, …]`, with the place of the bracket
    Select(Box<Expr>, Vec<Expr>, Span),
    /// `m[i, … := e]`
    Store(Box<Expr>, Vec<Expr>, Box<Expr>, Span),
    /// `e[hi:lo]`
    Extract(Box<Expr>, u32, u32),
    /// `e: T`
    Coerce(Box<Expr>, Type),
    /// `e->f`
    Field(Box<Expr>, Ident),
    /// `e->(f := v)`
    FieldUpdate(Box<Expr>, Ident, Box<Expr>),
    /// `e is C`
    Is(Box<Expr>, Ident),
}

/// `(forall<a> x: int :: {trigger} body)`.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// Which.
    pub binder: Binder,
    /// Type parameters.
    pub type_params: Vec<Ident>,
    /// Bound variables.
    pub vars: Vec<Binding>,
    /// Triggers, with whether they are positive (`nopats` are not).
    pub triggers: Vec<(bool, Vec<Expr>, Span)>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The body.
    pub body: Expr,
}
