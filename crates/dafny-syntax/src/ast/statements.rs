//! Statements and right-hand sides.

use super::{
    Argument, Attribute, BinaryOp, BoundVar, Expr, FrameExpr, Ident, Pattern, QuantifiedVars, Span,
    Spec, Type,
};

/// A block `{ … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// For a constructor, the number of statements before `new;`. `None` if there is no `new;`.
    pub divided_at: Option<usize>,
    /// The source range of the keyword `new` of `new;`.
    pub division: Option<Span>,
    /// The source range, including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The labels before the statement.
    pub labels: Vec<Ident>,
    /// The attributes before or inside the statement.
    pub attributes: Vec<Attribute>,
    /// The form of the statement.
    pub kind: StmtKind,
    /// The source range.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// A block `{ … }`.
    Block(Block),
    /// An assertion `assert e by { … }`.
    Assert {
        /// The label in `assert L: e`.
        label: Option<Ident>,
        /// The condition. `None` for `...`.
        cond: Option<Expr>,
        /// The proof after `by`.
        by: Option<Block>,
    },
    /// An assumption `assume e`. `None` for `...`.
    Assume(Option<Expr>),
    /// A run-time check `expect e, message`.
    Expect {
        /// The condition. `None` for `...`.
        cond: Option<Expr>,
        /// The message, if written.
        message: Option<Expr>,
    },
    /// An output `print e, …`.
    Print(Vec<Expr>),
    /// A declaration `var x: T, y := rhs`, also `ghost var`, `var x :| P` and `var x :- e`.
    VarDecl(VarDecl),
    /// A declaration `var (a, b) := e` or `var C(a, _) := e`.
    VarPattern {
        /// Whether it is `ghost`.
        ghost: bool,
        /// The pattern, never a plain variable.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// An assignment with `:=`, `:|` or `:-`. A call or expression statement has no `lhs` and one
    /// `rhs`.
    Update(Update),
    /// A conditional `if g { … } else …`.
    If {
        /// The guard. [`Guard::Skeleton`] is `...`.
        guard: Guard,
        /// The statements if the guard holds.
        then: Block,
        /// The `else` branch: a block or another `if`.
        els: Option<Box<Stmt>>,
    },
    /// A conditional `if { case g => … }`.
    IfCase(Vec<GuardedCase>),
    /// A loop `while g spec { … }`.
    While {
        /// The guard.
        guard: Guard,
        /// The invariants and other clauses.
        spec: Spec,
        /// The body. `None` if omitted or `...`.
        body: Option<Block>,
    },
    /// A loop `while spec { case g => … }`.
    WhileCase {
        /// The invariants and other clauses.
        spec: Spec,
        /// The cases.
        cases: Vec<GuardedCase>,
    },
    /// A loop `for i: T := a to b spec { … }`.
    For {
        /// The index variable.
        index: Ident,
        /// The type of the index, if written.
        ty: Option<Type>,
        /// The start value.
        from: Expr,
        /// Whether it is `downto` and not `to`.
        down: bool,
        /// The end value. `None` for `*`.
        to: Option<Expr>,
        /// The invariants and other clauses.
        spec: Spec,
        /// The body.
        body: Option<Block>,
    },
    /// A statement `forall x | P ensures Q { … }`.
    Forall {
        /// The variables and their range.
        vars: QuantifiedVars,
        /// The `ensures` clauses.
        spec: Spec,
        /// The body.
        body: Option<Block>,
    },
    /// A statement `match e { case p => … }`.
    Match {
        /// The matched value.
        scrutinee: Expr,
        /// The cases.
        cases: Vec<StmtCase>,
        /// Whether the cases are in braces.
        braces: bool,
    },
    /// A jump `break`, `break break`, `break L`, and the same with `continue`.
    Break {
        /// Whether it is `continue` and not `break`.
        is_continue: bool,
        /// The number of `break` keywords, at least 1. A final `continue` counts.
        count: u32,
        /// The label, if written.
        label: Option<Ident>,
    },
    /// A `return rhs, …`.
    Return(Vec<Rhs>),
    /// A `yield rhs, …`.
    Yield(Vec<Rhs>),
    /// A statement `modify fs { … }`.
    Modify {
        /// The frame.
        frame: Vec<FrameExpr>,
        /// The body.
        body: Option<Block>,
    },
    /// A statement `reveal a, b()`.
    Reveal(Vec<Expr>),
    /// A statement `hide *` or `hide a, b`.
    Hide(Vec<Expr>),
    /// A calculation `calc op { … }`.
    Calc {
        /// The default operator.
        op: Option<CalcOp>,
        /// The lines, each with the operator and hints after it.
        lines: Vec<CalcLine>,
    },
    /// An opaque block `opaque spec { … }`.
    Opaque {
        /// The contract.
        spec: Spec,
        /// The statements.
        body: Block,
    },
    /// The statement `...;` of a refining module.
    Skeleton,
    /// A call with a proof: `f(x) by { … }` or `x := f(y) by { … }`.
    By {
        /// The statement with the call.
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
    /// A nondeterministic choice `*`.
    Star,
    /// A binding guard `x, y: T :| P`.
    Binding {
        /// The variables.
        vars: Vec<BoundVar>,
        /// The condition.
        cond: Expr,
    },
    /// The guard `...` of a refining module.
    Skeleton,
}

/// A case `case g => stmts`.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardedCase {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The guard.
    pub guard: Guard,
    /// The statements of the case.
    pub body: Vec<Stmt>,
    /// The source range of the whole case.
    pub span: Span,
}

/// A case `case p => stmts` of a match statement.
#[derive(Clone, Debug, PartialEq)]
pub struct StmtCase {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The pattern.
    pub pattern: Pattern,
    /// The statements of the case.
    pub body: Vec<Stmt>,
    /// The source range of the whole case.
    pub span: Span,
}

/// A declaration of local variables.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// Whether it is `ghost`.
    pub ghost: bool,
    /// The variables.
    pub vars: Vec<LocalVar>,
    /// The initialization, if written.
    pub init: Option<Assign>,
}

/// A declared local variable.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalVar {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The name.
    pub name: Ident,
    /// The type, if written.
    pub ty: Option<Type>,
}

/// An assignment statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The left-hand sides. May be empty.
    pub lhs: Vec<Expr>,
    /// The operator and the right-hand sides.
    pub assign: Assign,
}

/// The operator and the right-hand sides of an assignment or of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Assign {
    /// A plain assignment `:= rhs, …`, or a call or expression statement.
    Rhs(Vec<Rhs>),
    /// A choice `:| e` or `:| assume e`.
    SuchThat {
        /// Whether it has `assume`, possibly with attributes.
        assume: bool,
        /// The condition.
        cond: Expr,
    },
    /// A failure assignment `:- [expect|assert|assume] rhs, …`.
    Failure {
        /// The keyword `expect`, `assert` or `assume`, if written.
        keyword: Option<FailureKeyword>,
        /// The values. The first one has a failure-compatible type.
        rhs: Vec<Rhs>,
    },
}

/// The keyword after `:-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKeyword {
    /// `:- expect`, which halts on failure.
    Expect,
    /// `:- assert`, which requires a proof that there is no failure.
    Assert,
    /// `:- assume`, which assumes that there is no failure.
    Assume,
}

/// A right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub struct Rhs {
    /// The attributes after the right-hand side.
    pub attributes: Vec<Attribute>,
    /// The form of the right-hand side.
    pub kind: RhsKind,
    /// The source range.
    pub span: Span,
}

/// The forms of a right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub enum RhsKind {
    /// An expression, or a call of a method.
    Expr(Expr),
    /// An arbitrary value `*`.
    Havoc,
    /// An allocation `new C` or `new C.Init(args)`. The last segment of the type may be the name of
    /// the constructor.
    New {
        /// The path of the class, possibly with the constructor.
        ty: Type,
        /// The arguments, if there are parentheses.
        args: Option<Vec<Argument>>,
    },
    /// An array allocation `new T[a, b](init)`, `new T[n] [x, y]`, `new [n]` or `new T[] [x, y]`.
    NewArray {
        /// The element type, if written.
        elem: Option<Type>,
        /// The dimensions. Empty if `[]` is followed by elements.
        dims: Vec<Expr>,
        /// The initializer function in parentheses.
        init: Option<Expr>,
        /// The elements in brackets.
        elements: Option<Vec<Expr>>,
    },
}

/// The operator of a calculation.
#[derive(Clone, Debug, PartialEq)]
pub enum CalcOp {
    /// A binary operator.
    Binary(BinaryOp),
    /// A prefix equality `==#[k]`.
    PrefixEq(Box<Expr>),
}

/// A line of a calculation.
#[derive(Clone, Debug, PartialEq)]
pub struct CalcLine {
    /// The expression.
    pub expr: Expr,
    /// The operator to the next line, if written.
    pub op: Option<CalcOp>,
    /// The hints after the line: blocks and calculations.
    pub hints: Vec<Stmt>,
}
