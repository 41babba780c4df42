//! The typed program: arenas of declarations, expressions with types, bodies as basic blocks.
//!
//! [`Program`] owns the arenas, which are indexed by the id types.

use std::sync::Arc;

use boogie_syntax::ast::{BinOp, Binder};
use dafny_source::{Name, Span};
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
    /// The index of a type constructor.
    TypeId,
    /// The index of a type variable.
    TypeVar,
    /// The index of a variable: global, constant, parameter, local or bound.
    VarId,
    /// The index of a function.
    FunctionId,
    /// The index of a constructor of a datatype.
    ConstructorId,
    /// The index of a procedure.
    ProcedureId,
    /// The index of a basic block in its body.
    BlockId
}

/// A type, with synonyms expanded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// The booleans, `bool`.
    Bool,
    /// The integers, `int`.
    Int,
    /// The real numbers, `real`.
    Real,
    /// A bitvector type such as `bv8`, with its width.
    Bv(u32),
    /// A floating-point type such as `float24e8`, with the sizes of significand and exponent.
    Float(u32, u32),
    /// `string`, `regex` or `rmode`, types without operations.
    Opaque(Name),
    /// A type constructor with its arguments.
    Constructor(TypeId, Vec<Type>),
    /// A type variable.
    Var(TypeVar),
    /// A map type.
    Map(Arc<MapType>),
    /// An inference variable, which occurs in no typed program.
    Meta(u32),
}

/// A map type, `<a>[S, …]T`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MapType {
    /// The type parameters.
    pub params: Vec<TypeVar>,
    /// The types of the indices.
    pub args: Vec<Type>,
    /// The type of the elements.
    pub result: Type,
}

/// A type constructor.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// The name of the type.
    pub name: Name,
    /// The number of arguments.
    pub arity: usize,
    /// The constructors, if it is a datatype.
    pub constructors: Vec<ConstructorId>,
}

/// The kinds of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// A global variable, `var`.
    Global,
    /// A constant, `const`.
    Constant,
    /// A parameter of a procedure.
    In,
    /// A result of a procedure.
    Out,
    /// A local variable.
    Local,
    /// A variable bound in an expression, or a parameter of a function.
    Bound,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// The name of the variable.
    pub name: Name,
    /// The type of the variable.
    pub ty: Type,
    /// The kind of the variable.
    pub kind: VarKind,
    /// The place of its declaration.
    pub span: Span,
    /// The condition on arbitrary values of the variable.
    pub where_clause: Option<Expr>,
    /// Whether a constant differs from all other unique constants of its type.
    pub unique: bool,
    /// Whether it is an assumption variable (`{:assumption}`), which is initially true and stays
    /// false once it is false.
    pub assumption: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name of the function.
    pub name: Name,
    /// The type parameters.
    pub type_params: Vec<TypeVar>,
    /// The parameters.
    pub params: Vec<VarId>,
    /// The type of the result.
    pub result: Type,
    /// The definition, if there is one.
    pub body: Option<Expr>,
    /// The built-in operation that `:builtin` or `:bvbuiltin` names.
    pub builtin: Option<Name>,
    /// The datatype constructor that the function represents.
    pub constructor: Option<ConstructorId>,
    /// The place of its name.
    pub span: Span,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The name of the constructor.
    pub name: Name,
    /// The datatype.
    pub ty: TypeId,
    /// The type parameters of the datatype.
    pub type_params: Vec<TypeVar>,
    /// The fields with their types.
    pub fields: Vec<(Name, Type)>,
}

/// An axiom.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The condition that holds.
    pub expr: Expr,
    /// The place of the keyword.
    pub span: Span,
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
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name of the procedure.
    pub name: Name,
    /// The place of the name.
    pub span: Span,
    /// The type parameters.
    pub type_params: Vec<TypeVar>,
    /// The parameters.
    pub ins: Vec<VarId>,
    /// The results.
    pub outs: Vec<VarId>,
    /// The preconditions.
    pub requires: Vec<Clause>,
    /// The postconditions.
    pub ensures: Vec<Clause>,
    /// The global variables that it may modify.
    pub modifies: Vec<VarId>,
    /// The bodies, usually one or none.
    pub implementations: Vec<Implementation>,
}

/// A body of a procedure, with its own variables for parameters and results.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// The place of the name.
    pub span: Span,
    /// The type parameters, in the order of the procedure's.
    pub type_params: Vec<TypeVar>,
    /// The parameters.
    pub ins: Vec<VarId>,
    /// The results.
    pub outs: Vec<VarId>,
    /// The local variables.
    pub locals: Vec<VarId>,
    /// The basic blocks, of which the first is the entry.
    pub blocks: Vec<Block>,
    /// Whether the postconditions are assumed, not checked, at the end of the body.
    pub free_ensures: bool,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The place of its beginning.
    pub span: Span,
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The end of the block.
    pub end: End,
    /// The loop of which the block is the head.
    pub head: Option<Loop>,
}

/// A structured loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The place of the keyword.
    pub span: Span,
    /// The invariants.
    pub invariants: Vec<Clause>,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub enum End {
    /// A jump to any of these blocks.
    Goto(Vec<BlockId>),
    /// A branch on a condition: the successor if it is true, then the one if it is false.
    Branch(Expr, BlockId, BlockId),
    /// The return from the body.
    Return,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind of the statement.
    pub kind: StmtKind,
    /// The place of the statement.
    pub span: Span,
}

/// A part of the output of `{:print …}`.
#[derive(Clone, Debug)]
pub enum Printed {
    /// A literal text.
    Text(Name),
    /// The value of an expression.
    Value(Expr),
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An assertion, `assert`.
    Assert(Expr),
    /// An assertion that is not assumed afterwards, `assert {:subsumption 0}`.
    AssertOnly(Expr),
    /// An assumption, `assume`.
    Assume(Expr),
    /// The output requested by `{:print …}` on an `assume` or `assert`.
    Print(Vec<Printed>),
    /// A parallel assignment.
    Assign(Vec<(VarId, Expr)>),
    /// The assignment of arbitrary values.
    Havoc(Vec<VarId>),
    /// A procedure call.
    Call(Call),
    /// A construct that is not executed, with its name.
    Unsupported(&'static str),
}

/// A procedure call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The callee.
    pub procedure: ProcedureId,
    /// The type arguments.
    pub type_args: Vec<Type>,
    /// The arguments.
    pub args: Vec<Expr>,
    /// The variables that receive the results.
    pub outs: Vec<VarId>,
    /// Whether preconditions are assumed instead of checked.
    pub free: bool,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of the expression.
    pub kind: ExprKind,
    /// The type of the expression.
    pub ty: Type,
    /// The place of the expression.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug)]
pub enum Literal {
    /// A boolean literal, `true` or `false`.
    Bool(bool),
    /// An integer literal, `17`.
    Int(BigUint),
    /// A real literal, `1.5`.
    Real(BigRational),
    /// A bitvector literal, `5bv8`: value and width.
    Bv(BigUint, u32),
    /// A literal of a type without operations, as it is written.
    Opaque(Name),
}

/// The kinds of typed expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Var(VarId),
    /// The application of a function to type arguments and arguments.
    Call(FunctionId, Vec<Type>, Vec<Expr>),
    /// The value in the pre-state, `old(e)`
    Old(Box<Expr>),
    /// A conversion to an integer, `int(e)`
    ToInt(Box<Expr>),
    /// A conversion to a real, `real(e)`
    ToReal(Box<Expr>),
    /// A quantified expression or a lambda.
    Quantifier(Box<Quantifier>),
    /// A local binding, `(var x := e; body)`
    Let(Vec<VarId>, Vec<Expr>, Box<Expr>),
    /// A conditional, `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A negation, `!e`
    Not(Box<Expr>),
    /// An arithmetic negation, `-e`
    Neg(Box<Expr>),
    /// A binary operator with its operands.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// A map selection `m[i, …]`, with the type arguments of a polymorphic map.
    Select(Box<Expr>, Vec<Type>, Vec<Expr>),
    /// A map update `m[i, … := e]`, with the type arguments of a polymorphic map.
    Store(Box<Expr>, Vec<Type>, Vec<Expr>, Box<Expr>),
    /// The extraction of bits, `e[hi:lo]`
    Extract(Box<Expr>, u32, u32),
    /// A field `e->f`: the constructors that have it, with its index in each.
    Field(Box<Expr>, Vec<(ConstructorId, usize)>),
    /// The update of a field, `e->(f := v)`, with the constructors that have it.
    FieldUpdate(Box<Expr>, Vec<(ConstructorId, usize)>, Box<Expr>),
    /// A constructor test, `e is C`
    Is(Box<Expr>, ConstructorId),
    /// A code expression `|{ … }|`, which is not executed.
    Code,
}

/// A quantifier or a lambda.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The kind of the binder.
    pub binder: Binder,
    /// The type parameters.
    pub type_params: Vec<TypeVar>,
    /// The bound variables.
    pub vars: Vec<VarId>,
    /// The triggers.
    pub triggers: Vec<Vec<Expr>>,
    /// The body.
    pub body: Expr,
}

/// A typed program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The type constructors.
    pub types: Vec<TypeDecl>,
    /// The names of the type variables.
    pub type_vars: Vec<Name>,
    /// All variables.
    pub vars: Vec<Var>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The constructors of datatypes.
    pub constructors: Vec<Constructor>,
    /// The axioms.
    pub axioms: Vec<Axiom>,
    /// The constants, in the order of the text.
    pub constants: Vec<VarId>,
    /// The global variables, in the order of the text.
    pub globals: Vec<VarId>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
}

#[allow(clippy::indexing_slicing)] // ids are made by the arenas
impl Program {
    /// Returns a type constructor.
    pub fn type_decl(&self, id: TypeId) -> &TypeDecl {
        &self.types[id.0 as usize]
    }

    /// Returns a variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// Returns a function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// Returns a constructor.
    pub fn constructor(&self, id: ConstructorId) -> &Constructor {
        &self.constructors[id.0 as usize]
    }

    /// Returns a procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// Returns the procedure with the given name.
    pub fn procedure_named(&self, name: &str) -> Option<ProcedureId> {
        self.procedures
            .iter()
            .position(|p| &*p.name == name)
            .map(|i| ProcedureId(i as u32))
    }

    /// Returns the notation of a type.
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
