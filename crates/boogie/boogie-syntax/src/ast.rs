//! The syntax tree of a program, before names and types are resolved.
//!
//! [`Program`] is the root. Declarations, statements, expressions and types have a node type each,
//! whose variants are named after the constructs of the language.

use dafny_source::{Name, Span};
use num_bigint::BigUint;
use num_rational::BigRational;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name, without a leading backslash.
    pub name: Name,
    /// The place of the name.
    pub span: Span,
}

/// A program: its declarations, whose order is irrelevant.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The declarations.
    pub decls: Vec<Decl>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// A type constructor or synonym: `type T a b;` or `type S a = …;`
    Type(TypeDecl),
    /// A `datatype` declaration.
    Datatype(DatatypeDecl),
    /// A `const` declaration.
    Const(ConstDecl),
    /// A `function` declaration.
    Function(FunctionDecl),
    /// An `axiom` declaration.
    Axiom(AxiomDecl),
    /// A `var` declaration of global variables.
    Globals(VarsDecl),
    /// A `procedure` declaration, with or without a body.
    Procedure(ProcedureDecl),
    /// An `implementation` declaration.
    Implementation(ProcedureDecl),
}

/// An attribute, `{:name parameter, …}`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name, without the colon.
    pub name: Ident,
    /// The parameters; strings are [`ExprKind::String`].
    pub args: Vec<Expr>,
}

/// A type constructor or a synonym.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The name of the type.
    pub name: Ident,
    /// The type parameters.
    pub params: Vec<Ident>,
    /// The type denoted by a synonym; `None` for a constructor.
    pub body: Option<Type>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A datatype, `datatype T<a> { C(x: int), … }`.
#[derive(Clone, Debug)]
pub struct DatatypeDecl {
    /// The name of the datatype.
    pub name: Ident,
    /// The type parameters.
    pub params: Vec<Ident>,
    /// The constructors with their fields.
    pub constructors: Vec<(Ident, Vec<Binding>)>,
}

/// A declaration of constants, `const unique a, b: T;`
#[derive(Clone, Debug)]
pub struct ConstDecl {
    /// The constants.
    pub names: Vec<Ident>,
    /// Their common type.
    pub ty: Type,
    /// Whether the constants differ from all other unique constants of their type.
    pub unique: bool,
    /// The parents in the partial order, if the declaration specifies it (`extends`, Boogie 2 of
    /// 2008).
    pub parents: Option<Vec<Ident>>,
    /// The axioms of a `uses` clause.
    pub uses: Vec<AxiomDecl>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A function, `function f<a>(x: int): bool { … }`.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// The name of the function.
    pub name: Ident,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The parameters; names may be missing.
    pub params: Vec<(Option<Ident>, Type)>,
    /// The name of the result, if it has one.
    pub result_name: Option<Ident>,
    /// The type of the result.
    pub result: Type,
    /// Its definition.
    pub body: Option<Expr>,
    /// The axioms of a `uses` clause.
    pub uses: Vec<AxiomDecl>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// An axiom, `axiom e;`
#[derive(Clone, Debug)]
pub struct AxiomDecl {
    /// The condition that holds.
    pub expr: Expr,
    /// The place of the keyword.
    pub span: Span,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A declaration of global variables, `var x, y: T where e;`
#[derive(Clone, Debug)]
pub struct VarsDecl {
    /// The variables.
    pub bindings: Vec<Binding>,
}

/// A variable with its type.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name of the variable.
    pub name: Ident,
    /// The type of the variable.
    pub ty: Type,
    /// The condition on arbitrary values of the variable.
    pub where_clause: Option<Expr>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A procedure or an implementation.
#[derive(Clone, Debug)]
pub struct ProcedureDecl {
    /// The name of the procedure.
    pub name: Ident,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The parameters.
    pub ins: Vec<Binding>,
    /// The results.
    pub outs: Vec<Binding>,
    /// The contract; empty for an implementation.
    pub specs: Vec<Spec>,
    /// The body.
    pub body: Option<Body>,
    /// Whether it is declared `pure`.
    pub pure: bool,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub enum Spec {
    /// A precondition, `requires`.
    Requires(Clause),
    /// A postcondition, `ensures`.
    Ensures(Clause),
    /// The global variables that may be modified, `modifies`.
    Modifies(Vec<Ident>),
    /// A termination measure, `measure`.
    Measure(Vec<Expr>),
}

/// A condition of a contract or a loop.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The condition that holds.
    pub expr: Expr,
    /// Whether the condition is assumed without a check.
    pub free: bool,
    /// The place of the keyword.
    pub span: Span,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// A body, `{ var …; statements }`.
#[derive(Clone, Debug)]
pub struct Body {
    /// The local variables.
    pub locals: Vec<Binding>,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The place of the closing brace.
    pub end: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind of the statement.
    pub kind: StmtKind,
    /// The place of the statement; for a label, that of its name.
    pub span: Span,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A label, `label:`
    Label(Ident),
    /// An assertion, `assert`.
    Assert(Expr),
    /// An assumption, `assume`.
    Assume(Expr),
    /// The assignment of arbitrary values, `havoc`.
    Havoc(Vec<Ident>),
    /// A parallel assignment, `l, … := e, …;`
    Assign(Vec<Target>, Vec<Expr>),
    /// The destructuring of a datatype value, `C(x, y) := e;`
    Unpack(Ident, Vec<Ident>, Expr),
    /// A procedure call, `call`.
    Call(Call),
    /// An instantiation of a lemma, `call forall` (Boogie 2 of 2008); `None` for `*`.
    CallForall(Ident, Vec<Option<Expr>>),
    /// An `if` statement; the guard is `None` for `*`.
    If(Option<Expr>, Vec<Stmt>, Option<Vec<Stmt>>),
    /// A `while` loop; the guard is `None` for `*`.
    While(Option<Expr>, Vec<Clause>, Vec<Stmt>),
    /// A `break` statement, with an optional label.
    Break(Option<Ident>),
    /// A jump to one of several labels, `goto`.
    Goto(Vec<Ident>),
    /// The return from a procedure, `return`.
    Return,
    /// The result of a code expression, `return e`.
    ReturnExpr(Expr),
    /// A hint to the verifier: `hide`, `reveal`, `push`, `pop` or `measure`.
    Hint,
}

/// A procedure call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The variables that receive the results.
    pub outs: Vec<Ident>,
    /// The name of the callee.
    pub procedure: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Whether preconditions are assumed instead of checked.
    pub free: bool,
}

/// The left-hand side of an assignment.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub name: Ident,
    /// The indices and fields, from the variable outwards.
    pub path: Vec<Access>,
}

/// A step into a value.
#[derive(Clone, Debug)]
pub enum Access {
    /// A selection by indices, `[i, …]`, with the place of the bracket.
    Index(Vec<Expr>, Span),
    /// A field, `->field`.
    Field(Ident),
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The kind of the type.
    pub kind: TypeKind,
    /// The place of the type.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// The booleans, `bool`.
    Bool,
    /// The integers, `int`.
    Int,
    /// The real numbers, `real`.
    Real,
    /// A name with arguments: a constructor, synonym, type variable, bitvector or float.
    Named(Name, Vec<Type>),
    /// A map type, `<a>[S, …]T`.
    Map(Vec<Ident>, Vec<Type>, Box<Type>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of the expression.
    pub kind: ExprKind,
    /// The place of the expression.
    pub span: Span,
}

/// A binary operator.
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
    /// The partial order of Boogie 2 of 2008, `<:`
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    /// The division of reals, `/`
    RealDiv,
    /// The exponentiation of reals, `**`
    Pow,
}

impl BinOp {
    /// Returns the notation of the operator.
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

/// The kinds of binders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binder {
    /// The universal quantifier, `forall`.
    Forall,
    /// The existential quantifier, `exists`.
    Exists,
    /// The map abstraction, `lambda`.
    Lambda,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A boolean literal, `true` or `false`.
    Bool(bool),
    /// An integer literal, `17`.
    Int(BigUint),
    /// A real literal, `1.5` or `15e-1`.
    Real(BigRational),
    /// A bitvector literal, `5bv8`: value and width.
    Bv(BigUint, u32),
    /// A floating-point literal, whose text includes the sizes of exponent and significand.
    Float(Name),
    /// A rounding mode, such as `RNE`.
    Rounding(Name),
    /// A string literal.
    String(Name),
    /// A variable or constant.
    Ident(Name),
    /// The application of a function, `f(…)`
    Call(Ident, Vec<Expr>),
    /// The value in the pre-state, `old(e)`
    Old(Box<Expr>),
    /// A conversion to an integer, `int(e)`
    ToInt(Box<Expr>),
    /// A conversion to a real, `real(e)`
    ToReal(Box<Expr>),
    /// A quantified expression or a lambda.
    Quantifier(Box<Quantifier>),
    /// A local binding, `(var x := e; body)`
    Let(Vec<Ident>, Vec<Expr>, Box<Expr>),
    /// A conditional, `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A code expression, `|{ … }|`
    Code(Box<Body>),
    /// A negation, `!e`
    Not(Box<Expr>),
    /// An arithmetic negation, `-e`
    Neg(Box<Expr>),
    /// A binary operator with its operands, and the place of the operator.
    Binary(BinOp, Box<Expr>, Box<Expr>, Span),
    /// A map selection `m[i, …]`, with the place of the bracket.
    Select(Box<Expr>, Vec<Expr>, Span),
    /// A map update `m[i, … := e]`, with the place of the bracket.
    Store(Box<Expr>, Vec<Expr>, Box<Expr>, Span),
    /// The extraction of bits, `e[hi:lo]`
    Extract(Box<Expr>, u32, u32),
    /// A type coercion, `e: T`
    Coerce(Box<Expr>, Type),
    /// A field of a datatype value, `e->f`
    Field(Box<Expr>, Ident),
    /// The update of a field, `e->(f := v)`
    FieldUpdate(Box<Expr>, Ident, Box<Expr>),
    /// A constructor test, `e is C`
    Is(Box<Expr>, Ident),
}

/// A quantified expression, `(forall<a> x: int :: {trigger} body)`.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The kind of the binder.
    pub binder: Binder,
    /// The type parameters.
    pub type_params: Vec<Ident>,
    /// The bound variables.
    pub vars: Vec<Binding>,
    /// The triggers with their places and whether they are positive (`nopats` are not).
    pub triggers: Vec<(bool, Vec<Expr>, Span)>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The body.
    pub body: Expr,
}
