//! Typed statements.

use super::{
    Call, CallableId, Clause, Expr, FieldId, Frame, LocalId, Name, Pattern, Quantified, Span, Type,
};

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// For a constructor, the number of statements before `new;`. If `new;` is omitted, all of
    /// them.
    pub divided_at: Option<usize>,
    /// The source range of the keyword `new` of `new;`, if it is written.
    pub division: Option<Span>,
    /// The source range, including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The form of the statement.
    pub kind: StmtKind,
    /// The labels.
    pub labels: Vec<Name>,
    /// Whether the statement is ghost, which means not compiled.
    pub ghost: bool,
    /// The source range.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A block `{ … }`, including an opaque block without a frame.
    Block(Block),
    /// An assertion `assert e by { … }`.
    Assert {
        /// The condition.
        cond: Expr,
        /// The label, if any.
        label: Option<Name>,
        /// The proof, if any.
        by: Option<Block>,
    },
    /// An assumption `assume e`.
    Assume(Expr),
    /// A run-time check `expect e, message`.
    Expect {
        /// The condition.
        cond: Expr,
        /// The message, if any.
        message: Option<Expr>,
    },
    /// A `print` statement.
    Print(Vec<Expr>),
    /// A declaration without values.
    VarDecl(Vec<LocalId>),
    /// A parallel assignment, also to newly declared variables (`declares`). All right-hand sides
    /// are evaluated before the first store. No right-hand side is a method call.
    Assign {
        /// The targets that this statement declares.
        declares: Vec<LocalId>,
        /// The targets with their right-hand sides.
        pairs: Vec<(Target, Rhs)>,
    },
    /// A declaration with a pattern.
    AssignPattern {
        /// The pattern.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// A call `x, y := o.M(args)` of a method or lemma. Constructors are called by [`Rhs::New`].
    Call {
        /// The targets that this statement declares.
        declares: Vec<LocalId>,
        /// The targets of the results: one for each out-parameter, including ghost ones, or none at
        /// all.
        targets: Vec<Target>,
        /// The call.
        call: Call,
    },
    /// A choice `x, y :| P`.
    SuchThat {
        /// The targets that this statement declares.
        declares: Vec<LocalId>,
        /// The targets.
        targets: Vec<Target>,
        /// One bound variable for each target. Their range is the condition.
        vars: Quantified,
        /// Whether the condition is assumed to be satisfiable (`:| assume`).
        assume: bool,
    },
    /// A failure assignment `:-`, desugared.
    AssignOrFail(Box<AssignOrFail>),
    /// A conditional.
    If {
        /// The condition.
        guard: Guard,
        /// The statements if the condition is true.
        then: Block,
        /// The statement if the condition is false.
        els: Option<Box<Stmt>>,
    },
    /// `if { case … }`: executes some case whose guard holds; in tests, the first one.
    IfCase(Vec<GuardedCase>),
    /// A loop with a guard.
    While {
        /// The condition.
        guard: Guard,
        /// The contract of the loop.
        spec: LoopSpec,
        /// The body. `None`: the loop assigns arbitrary values to everything that it may assign.
        body: Option<Block>,
    },
    /// A loop `while { case … }`.
    WhileCase {
        /// The contract of the loop.
        spec: LoopSpec,
        /// The cases.
        cases: Vec<GuardedCase>,
    },
    /// A `for` loop.
    For {
        /// The index.
        index: LocalId,
        /// The start value.
        from: Expr,
        /// Whether the loop counts downwards.
        down: bool,
        /// The end value. `None`: the loop has no end.
        to: Option<Expr>,
        /// The contract of the loop.
        spec: LoopSpec,
        /// The body.
        body: Option<Block>,
    },
    /// A `forall` statement.
    Forall {
        /// The variables and their range.
        vars: Quantified,
        /// The postconditions.
        ensures: Vec<Clause>,
        /// The body.
        body: Option<Block>,
    },
    /// A `match` statement.
    Match {
        /// The matched value.
        scrutinee: Expr,
        /// The cases.
        cases: Vec<StmtCase>,
    },
    /// `break` or `continue`.
    Break {
        /// Whether it is `continue`.
        is_continue: bool,
        /// The statement that is left.
        target: BreakTarget,
    },
    /// A `return`. Preceding statements assign its values to the out-parameters.
    Return,
    /// A `yield`. Preceding statements assign its values to the fields of the yield-parameters.
    Yield,
    /// A `modify` statement, or an opaque block with a frame.
    Modify {
        /// The objects and fields that may change.
        frame: Vec<Frame>,
        /// The body.
        body: Option<Block>,
    },
    /// A `reveal` or `hide` statement, which has no effect at run time.
    Reveal(Revealed),
    /// A `calc` statement, checked as a chain of steps. Hints are ghost.
    Calc {
        /// The steps, each a condition.
        steps: Vec<Expr>,
        /// The hints.
        hints: Vec<Block>,
    },
    /// A statement with a reported error.
    Error,
}

impl StmtKind {
    /// The variables that the statement itself declares, except those of patterns and loop indices.
    pub fn declares(&self) -> &[LocalId] {
        match self {
            Self::VarDecl(locals) => locals,
            Self::Assign { declares, .. }
            | Self::Call { declares, .. }
            | Self::SuchThat { declares, .. } => declares,
            Self::AssignOrFail(a) => &a.declares,
            Self::Block(_)
            | Self::Assert { .. }
            | Self::Assume(_)
            | Self::Expect { .. }
            | Self::Print(_)
            | Self::AssignPattern { .. } => &[],
            Self::If { .. }
            | Self::IfCase(_)
            | Self::While { .. }
            | Self::WhileCase { .. }
            | Self::For { .. }
            | Self::Forall { .. } => &[],
            Self::Match { .. }
            | Self::Break { .. }
            | Self::Return
            | Self::Yield
            | Self::Modify { .. }
            | Self::Reveal(_) => &[],
            Self::Calc { .. } | Self::Error => &[],
        }
    }

    /// The statements directly inside that are executed as a part of this one: branches, cases,
    /// bodies, and the computation of `:-`. Proofs are not included.
    pub fn inner(&self) -> Vec<&Stmt> {
        match self {
            Self::Block(b) => b.stmts.iter().collect(),
            Self::If { then, els, .. } => then.stmts.iter().chain(els.as_deref()).collect(),
            Self::IfCase(cases) | Self::WhileCase { cases, .. } => {
                cases.iter().flat_map(|c| &c.body.stmts).collect()
            }
            Self::While { body, .. }
            | Self::For { body, .. }
            | Self::Forall { body, .. }
            | Self::Modify { body, .. } => body.iter().flat_map(|b| &b.stmts).collect(),
            Self::Match { cases, .. } => cases.iter().flat_map(|c| &c.body.stmts).collect(),
            Self::AssignOrFail(a) => vec![&a.compute],
            Self::Assert { .. }
            | Self::Assume(_)
            | Self::Expect { .. }
            | Self::Print(_)
            | Self::VarDecl(_)
            | Self::Assign { .. } => Vec::new(),
            Self::AssignPattern { .. }
            | Self::Call { .. }
            | Self::SuchThat { .. }
            | Self::Break { .. }
            | Self::Return => Vec::new(),
            Self::Yield | Self::Reveal(_) | Self::Calc { .. } | Self::Error => Vec::new(),
        }
    }

    /// The targets that the statement itself assigns, except variables of patterns and loops. For
    /// `:-`, the target of the extracted value.
    pub fn targets(&self) -> Vec<&Target> {
        match self {
            Self::Assign { pairs, .. } => pairs.iter().map(|(target, _)| target).collect(),
            Self::Call { targets, .. } | Self::SuchThat { targets, .. } => targets.iter().collect(),
            Self::AssignOrFail(a) => a.extract.iter().map(|(target, _)| target).collect(),
            Self::VarDecl(_) | Self::AssignPattern { .. } => Vec::new(),
            Self::Block(_)
            | Self::Assert { .. }
            | Self::Assume(_)
            | Self::Expect { .. }
            | Self::Print(_)
            | Self::If { .. }
            | Self::IfCase(_)
            | Self::While { .. }
            | Self::WhileCase { .. }
            | Self::For { .. }
            | Self::Forall { .. }
            | Self::Match { .. }
            | Self::Break { .. }
            | Self::Return
            | Self::Yield
            | Self::Modify { .. }
            | Self::Reveal(_)
            | Self::Calc { .. }
            | Self::Error => Vec::new(),
        }
    }
}

/// The contract of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopSpec {
    /// The invariants.
    pub invariants: Vec<Clause>,
    /// The termination measure.
    pub decreases: Vec<Expr>,
    /// Whether there is a clause `decreases *`.
    pub decreases_star: bool,
    /// The write frame. `None` if there is no `modifies` clause.
    pub modifies: Option<Vec<Frame>>,
}

/// The guard of an `if` or `while`.
#[derive(Clone, Debug)]
pub enum Guard {
    /// A condition.
    Expr(Expr),
    /// A nondeterministic choice `*`.
    Star,
    /// A binding guard `x :| P`: whether values exist. The variables are in scope in the body.
    Binding(Quantified),
}

/// A case of an `if` or `while` statement.
#[derive(Clone, Debug)]
pub struct GuardedCase {
    /// The guard.
    pub guard: Guard,
    /// The statements of the case.
    pub body: Block,
    /// The source range of the whole case.
    pub span: Span,
}

/// A case of a match statement.
#[derive(Clone, Debug)]
pub struct StmtCase {
    /// The pattern.
    pub pattern: Pattern,
    /// The statements of the case.
    pub body: Block,
    /// The source range of the whole case.
    pub span: Span,
}

/// The target of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable.
    Local(LocalId),
    /// A field `o.f`. For `this.f`, the object is `This`. In a constructor, also a `const` field.
    Field {
        /// The object.
        object: Expr,
        /// The field.
        field: FieldId,
    },
    /// An array element `a[i, j]`.
    Element {
        /// The array.
        array: Expr,
        /// The indices.
        indices: Vec<Expr>,
    },
    /// No target: the value is discarded (`_`, or the ghost result of a lemma).
    Discard(Type),
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug)]
pub enum Rhs {
    /// A value.
    Expr(Expr),
    /// An arbitrary value `*` of the type.
    Havoc(Type),
    /// An allocation `new C(args)`, followed by the constructor call, if any.
    New {
        /// The class type.
        ty: Type,
        /// The call of the constructor. It has no receiver.
        ctor: Option<Call>,
    },
    /// An array allocation `new T[n](f)` or `new T[n] [x, y]`.
    NewArray {
        /// The element type.
        elem: Type,
        /// The length of each dimension.
        dims: Vec<Expr>,
        /// The initial elements.
        init: ArrayInit,
    },
}

/// The initial elements of an array.
#[derive(Clone, Debug)]
pub enum ArrayInit {
    /// Default values.
    Default,
    /// A function of the indices.
    Function(Expr),
    /// The elements in order.
    Elements(Vec<Expr>),
}

/// A failure assignment `:-`.
#[derive(Clone, Debug)]
pub struct AssignOrFail {
    /// The targets that this statement declares.
    pub declares: Vec<LocalId>,
    /// The statement (an assignment or a call) that assigns the value to `temp`, and the remaining
    /// right-hand sides to their targets.
    pub compute: Stmt,
    /// The variable of failure-compatible type.
    pub temp: LocalId,
    /// The call `temp.IsFailure()`.
    pub is_failure: Expr,
    /// The action on failure.
    pub on_failure: OnFailure,
    /// The first target and the call `temp.Extract()`. `None` if there is no target.
    pub extract: Option<(Target, Expr)>,
}

/// The action of `:-` on failure.
#[derive(Clone, Debug)]
pub enum OnFailure {
    /// Assigns `temp.PropagateFailure()` to the first out-parameter and returns.
    Propagate {
        /// The out-parameter.
        out: LocalId,
        /// The propagated value.
        value: Expr,
    },
    /// `:- expect`: halts the program.
    Expect,
    /// `:- assert`: requires a proof that the value is no failure.
    Assert,
    /// `:- assume`: assumes that the value is no failure.
    Assume,
}

/// The target of a `break` or `continue`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakTarget {
    /// The statement with the label.
    Label(Name),
    /// The n-th enclosing loop, counted from 1.
    Loops(u32),
}

/// The operands of a `reveal` or `hide` statement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Revealed {
    /// Whether the statement hides its operands.
    pub hides: bool,
    /// Whether it concerns all functions (`hide *`).
    pub all: bool,
    /// The functions.
    pub functions: Vec<CallableId>,
    /// The labels of assertions and preconditions.
    pub labels: Vec<Name>,
}

impl Revealed {
    /// Whether the statement concerns a function.
    pub fn mentions(&self, function: CallableId) -> bool {
        self.all || self.functions.contains(&function)
    }
}
