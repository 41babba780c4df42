//! Statements and right-hand sides.

use super::{
    Argument, Attribute, BinaryOp, BoundVar, Expr, FrameExpr, Ident, Pattern, QuantifiedVars, Span,
    Spec, Type,
};

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
