//! The typed program: arenas of declarations, expressions with types, bodies as basic blocks.

use std::sync::Arc;

use boogie_syntax::ast::{BinOp, Binder};
use dafny_syntax::source::{Name, Span};
use num_bigint::BigUint;
use num_rational::BigRational;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
    )+};
}

ids! {
    /// A type constructor.
    TypeId,
    /// A type variable.
    TypeVar,
    /// A variable: global, constant, parameter, local or bound.
    VarId,
    /// A function.
    FunctionId,
    /// A constructor of a datatype.
    ConstructorId,
    /// A procedure.
    ProcedureId,
    /// A basic block of one body.
    BlockId
}

/// A type. Synonyms are expanded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// `bv8`
    Bv(u32),
    /// `float24e8`: sizes of significand and exponent
    Float(u32, u32),
    /// `string`, `regex` and `rmode`, of which nothing is computed
    Opaque(Name),
    /// A constructor with its arguments
    Constructor(TypeId, Vec<Type>),
    /// A type variable
    Var(TypeVar),
    /// A map
    Map(Arc<MapType>),
    /// To be inferred; in no typed program
    Meta(u32),
}

/// `<a>[S, …]T`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MapType {
    /// Type parameters.
    pub params: Vec<TypeVar>,
    /// Types of indices.
    pub args: Vec<Type>,
    /// Type of elements.
    pub result: Type,
}

/// A type constructor.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// Its name.
    pub name: Name,
    /// How many arguments it takes.
    pub arity: usize,
    /// Its constructors, where it is a datatype.
    pub constructors: Vec<ConstructorId>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// `var` of the program.
    Global,
    /// `const`.
    Constant,
    /// A parameter.
    In,
    /// A result.
    Out,
    /// A local variable.
    Local,
    /// Bound in an expression, or a parameter of a function.
    Bound,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: VarKind,
    /// Where it is declared.
    pub span: Span,
    /// What its values satisfy wherever they are chosen.
    pub where_clause: Option<Expr>,
    /// Of a constant: whether it differs from all other unique ones of its type.
    pub unique: bool,
    /// Whether it is an assumption variable (`{:assumption}`): true at first, and never true again once it is false.
    pub assumption: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Type parameters.
    pub type_params: Vec<TypeVar>,
    /// Parameters.
    pub params: Vec<VarId>,
    /// Type of the result.
    pub result: Type,
    /// Its definition.
    pub body: Option<Expr>,
    /// What `:builtin` or `:bvbuiltin` says it is.
    pub builtin: Option<Name>,
    /// The constructor that it is.
    pub constructor: Option<ConstructorId>,
    /// Where.
    pub span: Span,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Name,
    /// Its datatype.
    pub ty: TypeId,
    /// Type parameters of the datatype.
    pub type_params: Vec<TypeVar>,
    /// Its fields.
    pub fields: Vec<(Name, Type)>,
}

/// An axiom.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// What holds.
    pub expr: Expr,
    /// The keyword's place.
    pub span: Span,
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
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Where its name is.
    pub span: Span,
    /// Type parameters.
    pub type_params: Vec<TypeVar>,
    /// Parameters.
    pub ins: Vec<VarId>,
    /// Results.
    pub outs: Vec<VarId>,
    /// Preconditions.
    pub requires: Vec<Clause>,
    /// Postconditions.
    pub ensures: Vec<Clause>,
    /// Global variables that it may change.
    pub modifies: Vec<VarId>,
    /// Its bodies; mostly one or none.
    pub implementations: Vec<Implementation>,
}

/// A body of a procedure, with names of its own for parameters and results.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// Where its name is.
    pub span: Span,
    /// Type parameters, in the order of the procedure's.
    pub type_params: Vec<TypeVar>,
    /// Parameters.
    pub ins: Vec<VarId>,
    /// Results.
    pub outs: Vec<VarId>,
    /// Local variables.
    pub locals: Vec<VarId>,
    /// Basic blocks; the first is entered.
    pub blocks: Vec<Block>,
    /// Whether the postconditions are taken for granted where the body ends.
    pub free_ensures: bool,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins.
    pub span: Span,
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// How it ends.
    pub end: End,
    /// The loop whose head it is.
    pub head: Option<Loop>,
}

/// A structured loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The keyword's place.
    pub span: Span,
    /// Its invariants.
    pub invariants: Vec<Clause>,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum End {
    /// Any of these blocks follows.
    Goto(Vec<BlockId>),
    /// A condition decides.
    Branch(Expr, BlockId, BlockId),
    /// The body ends.
    Return,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// Part of what `{:print …}` prints.
#[derive(Clone, Debug)]
pub enum Printed {
    /// As it stands.
    Text(Name),
    /// The value of an expression.
    Value(Expr),
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `assert`
    Assert(Expr),
    /// `assert {:subsumption 0}`, which is not taken for granted afterwards
    AssertOnly(Expr),
    /// `assume`
    Assume(Expr),
    /// `{:print …}` of an `assume` or `assert`
    Print(Vec<Printed>),
    /// Variables that get values at once
    Assign(Vec<(VarId, Expr)>),
    /// Variables that get any values
    Havoc(Vec<VarId>),
    /// A call
    Call(Call),
    /// What is not executed: the construct's name
    Unsupported(&'static str),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Whom.
    pub procedure: ProcedureId,
    /// Type arguments.
    pub type_args: Vec<Type>,
    /// Arguments.
    pub args: Vec<Expr>,
    /// Variables that get the results.
    pub outs: Vec<VarId>,
    /// Whether preconditions are taken for granted.
    pub free: bool,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug)]
pub enum Literal {
    /// `true`
    Bool(bool),
    /// `17`
    Int(BigUint),
    /// `1.5`
    Real(BigRational),
    /// `5bv8`
    Bv(BigUint, u32),
    /// Of a type of which nothing is computed, as it is written
    Opaque(Name),
}

/// Kinds of typed expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal
    Literal(Literal),
    /// A variable
    Var(VarId),
    /// A function with type arguments
    Call(FunctionId, Vec<Type>, Vec<Expr>),
    /// `old(e)`
    Old(Box<Expr>),
    /// `int(e)`
    ToInt(Box<Expr>),
    /// `real(e)`
    ToReal(Box<Expr>),
    /// `forall`, `exists`, `lambda`
    Quantifier(Box<Quantifier>),
    /// `(var x := e; body)`
    Let(Vec<VarId>, Vec<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// Two operands
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `m[i, …]`, with type arguments of a polymorphic map
    Select(Box<Expr>, Vec<Type>, Vec<Expr>),
    /// `m[i, … := e]`
    Store(Box<Expr>, Vec<Type>, Vec<Expr>, Box<Expr>),
    /// `e[hi:lo]`
    Extract(Box<Expr>, u32, u32),
    /// `e->f`: the field of the constructors that have it, with its index in each
    Field(Box<Expr>, Vec<(ConstructorId, usize)>),
    /// `e->(f := v)`
    FieldUpdate(Box<Expr>, Vec<(ConstructorId, usize)>, Box<Expr>),
    /// `e is C`
    Is(Box<Expr>, ConstructorId),
    /// `|{ … }|`, which is not executed
    Code,
}

/// A quantifier or a lambda.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// Which.
    pub binder: Binder,
    /// Type parameters.
    pub type_params: Vec<TypeVar>,
    /// Bound variables.
    pub vars: Vec<VarId>,
    /// Triggers.
    pub triggers: Vec<Vec<Expr>>,
    /// The body.
    pub body: Expr,
}

/// A typed program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Type constructors.
    pub types: Vec<TypeDecl>,
    /// Names of type variables.
    pub type_vars: Vec<Name>,
    /// All variables.
    pub vars: Vec<Var>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Constructors of datatypes.
    pub constructors: Vec<Constructor>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// Constants, in the order of the text.
    pub constants: Vec<VarId>,
    /// Global variables, in the order of the text.
    pub globals: Vec<VarId>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
}

#[allow(clippy::indexing_slicing)] // ids are made by the arenas
impl Program {
    /// A type constructor.
    pub fn type_decl(&self, id: TypeId) -> &TypeDecl {
        &self.types[id.0 as usize]
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A constructor.
    pub fn constructor(&self, id: ConstructorId) -> &Constructor {
        &self.constructors[id.0 as usize]
    }

    /// A procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// The procedure of that name.
    pub fn procedure_named(&self, name: &str) -> Option<ProcedureId> {
        self.procedures
            .iter()
            .position(|p| &*p.name == name)
            .map(|i| ProcedureId(i as u32))
    }

    /// A type as it is written.
    pub fn type_text(&self, ty: &Type) -> String {
        self.type_text_in(ty, false)
    }

    fn type_text_in(&self, ty: &Type, is_argument: bool) -> String {
        match ty {
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::Bv(w) => format!("bv{w}"),
            Type::Float(s, e) => format!("float{s}e{e}"),
            Type::Opaque(name) => name.to_string(),
            Type::Var(v) => self
                .type_vars
                .get(v.0 as usize)
                .map_or_else(|| "_".into(), ToString::to_string),
            Type::Meta(_) => "_".into(),
            Type::Constructor(id, args) => {
                let mut text = self.type_decl(*id).name.to_string();
                for arg in args {
                    text.push(' ');
                    text.push_str(&self.type_text_in(arg, true));
                }
                if is_argument && !args.is_empty() {
                    format!("({text})")
                } else {
                    text
                }
            }
            Type::Map(map) => {
                let params: Vec<&str> = map
                    .params
                    .iter()
                    .filter_map(|p| self.type_vars.get(p.0 as usize).map(|n| &**n))
                    .collect();
                let params = if params.is_empty() {
                    String::new()
                } else {
                    format!("<{}>", params.join(", "))
                };
                let args: Vec<String> = map.args.iter().map(|a| self.type_text(a)).collect();
                let text = format!(
                    "{params}[{}]{}",
                    args.join(", "),
                    self.type_text(&map.result)
                );
                if is_argument {
                    format!("({text})")
                } else {
                    text
                }
            }
        }
    }
}
