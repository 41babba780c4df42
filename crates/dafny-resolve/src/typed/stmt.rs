//! Typed statements.

use super::{
    Call, CallableId, Clause, Expr, FieldId, Frame, LocalId, Name, Pattern, Quantified, Span, Type,
};

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// For a constructor: how many precede `new;`; all of them where it is left out.
    pub divided_at: Option<usize>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Its labels.
    pub labels: Vec<Name>,
    /// Ghost: not compiled.
    pub ghost: bool,
    /// Where.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`, also an opaque block without a frame.
    Block(Block),
    /// `assert e by { … }`.
    Assert {
        /// The condition.
        cond: Expr,
        /// The label.
        label: Option<Name>,
        /// The proof.
        by: Option<Block>,
    },
    /// `assume e`.
    Assume(Expr),
    /// `expect e, message`.
    Expect {
        /// The condition.
        cond: Expr,
        /// The message.
        message: Option<Expr>,
    },
    /// `print`.
    Print(Vec<Expr>),
    /// Declaration without a value.
    VarDecl(Vec<LocalId>),
    /// Parallel assignment, also of newly declared variables (`declares`). All right-hand sides are
    /// evaluated before the first store. No side is a method call.
    Assign {
        /// Variables declared by this statement (among the targets).
        declares: Vec<LocalId>,
        /// Targets and what they get.
        pairs: Vec<(Target, Rhs)>,
    },
    /// A pattern declaration.
    AssignPattern {
        /// The pattern.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// A call of a method, constructor-less: `x, y := o.M(args)`, or of a lemma. Also a function call used
    /// as a statement is *not* here (that is an error).
    Call {
        /// Variables declared by this statement.
        declares: Vec<LocalId>,
        /// What takes the results: one for each out-parameter (ghost ones included), or none at all.
        targets: Vec<Target>,
        /// The call.
        call: Call,
    },
    /// `x, y :| P`.
    SuchThat {
        /// Variables declared by this statement.
        declares: Vec<LocalId>,
        /// Targets.
        targets: Vec<Target>,
        /// Fresh bound variables, one a target, with the condition over them as range.
        vars: Quantified,
        /// `assume`.
        assume: bool,
    },
    /// `:-` in all forms, with what it means.
    AssignOrFail(Box<AssignOrFail>),
    /// `if`.
    If {
        /// The condition.
        guard: Guard,
        /// Then.
        then: Block,
        /// Else.
        els: Option<Box<Stmt>>,
    },
    /// `if { case … }`: some case whose guard holds; the first in our rule of choices.
    IfCase(Vec<GuardedCase>),
    /// `while`.
    While {
        /// The condition.
        guard: Guard,
        /// Its contract.
        spec: LoopSpec,
        /// The body; `None`: havoc of what it may assign.
        body: Option<Block>,
    },
    /// `while { case … }`.
    WhileCase {
        /// Its contract.
        spec: LoopSpec,
        /// The cases.
        cases: Vec<GuardedCase>,
    },
    /// `for`.
    For {
        /// The index.
        index: LocalId,
        /// From.
        from: Expr,
        /// Downwards.
        down: bool,
        /// To; `None`: without end.
        to: Option<Expr>,
        /// Its contract.
        spec: LoopSpec,
        /// The body.
        body: Option<Block>,
    },
    /// `forall` statement.
    Forall {
        /// Variables and range.
        vars: Quantified,
        /// `ensures`.
        ensures: Vec<Clause>,
        /// The body.
        body: Option<Block>,
    },
    /// `match`.
    Match {
        /// The scrutinee.
        scrutinee: Expr,
        /// The cases.
        cases: Vec<StmtCase>,
    },
    /// `break` or `continue`.
    Break {
        /// `continue`.
        is_continue: bool,
        /// What is left.
        target: BreakTarget,
    },
    /// `return`, after its values were assigned to the out-parameters by statements before it.
    Return,
    /// `yield`, likewise.
    Yield,
    /// `modify`, also an opaque block with a frame.
    Modify {
        /// What may change.
        frame: Vec<Frame>,
        /// The body.
        body: Option<Block>,
    },
    /// `reveal`, `hide`: no effect at run time.
    Reveal(Vec<CallableId>),
    /// `calc`: lines checked as a chain; hints are ghost.
    Calc {
        /// The steps, each a condition.
        steps: Vec<Expr>,
        /// Hints.
        hints: Vec<Block>,
    },
    /// Where resolution failed; a diagnostic was given.
    Error,
}

impl StmtKind {
    /// The variables that the statement by itself declares, apart from those of patterns and the index of a loop.
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

    /// The statements directly within it that are executed with it: its branches, its cases or its body, and what `:-` computes. Those
    /// of proofs are not.
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

    /// What the statement by itself assigns, apart from the variables of patterns and of loops; of `:-` what it extracts.
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

/// A contract of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopSpec {
    /// Invariants.
    pub invariants: Vec<Clause>,
    /// Termination measure.
    pub decreases: Vec<Expr>,
    /// `decreases *`.
    pub decreases_star: bool,
    /// Frame.
    pub modifies: Option<Vec<Frame>>,
}

/// The guard of an `if` or `while`.
#[derive(Clone, Debug)]
pub enum Guard {
    /// A condition.
    Expr(Expr),
    /// `*`.
    Star,
    /// `x :| P`: some values exist; they are in scope in the body.
    Binding(Quantified),
}

/// A case of `if` or `while`.
#[derive(Clone, Debug)]
pub struct GuardedCase {
    /// The guard.
    pub guard: Guard,
    /// What is done.
    pub body: Block,
    /// The whole case.
    pub span: Span,
}

/// A case of a match statement.
#[derive(Clone, Debug)]
pub struct StmtCase {
    /// The pattern.
    pub pattern: Pattern,
    /// What is done.
    pub body: Block,
    /// The whole case.
    pub span: Span,
}

/// Something that is assigned to.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable.
    Local(LocalId),
    /// `o.f` (for `this.f`, the object is `This`; within a constructor also `const` fields).
    Field {
        /// The object.
        object: Expr,
        /// The field.
        field: FieldId,
    },
    /// `a[i, j]`.
    Element {
        /// The array.
        array: Expr,
        /// Indices.
        indices: Vec<Expr>,
    },
    /// The result is dropped (`_`, or a lemma's ghost result).
    Discard(Type),
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Rhs {
    /// A value.
    Expr(Expr),
    /// `*`.
    Havoc(Type),
    /// `new C(args)`: allocation, then the constructor where there is one.
    New {
        /// The class type.
        ty: Type,
        /// The constructor's call; its receiver is left out.
        ctor: Option<Call>,
    },
    /// `new T[n](f)`, `new T[n] [x, y]`.
    NewArray {
        /// Element type.
        elem: Type,
        /// Lengths.
        dims: Vec<Expr>,
        /// Initial contents.
        init: ArrayInit,
    },
}

/// Initial contents of an array.
#[derive(Clone, Debug)]
pub enum ArrayInit {
    /// Default values.
    Default,
    /// A function of the indices.
    Function(Expr),
    /// The elements.
    Elements(Vec<Expr>),
}

/// `:-` in all forms.
#[derive(Clone, Debug)]
pub struct AssignOrFail {
    /// Variables declared by this statement.
    pub declares: Vec<LocalId>,
    /// Statements that compute the value into `temp` and the further right-hand sides into their targets
    /// (an assignment or a call).
    pub compute: Stmt,
    /// The variable of failure-compatible type.
    pub temp: LocalId,
    /// `temp.IsFailure()`.
    pub is_failure: Expr,
    /// What happens on failure.
    pub on_failure: OnFailure,
    /// The first target and `temp.Extract()`; `None` where there is no target.
    pub extract: Option<(Target, Expr)>,
}

/// What `:-` does on failure.
#[derive(Clone, Debug)]
pub enum OnFailure {
    /// Assigns `temp.PropagateFailure()` to the first out-parameter and returns.
    Propagate {
        /// The out-parameter.
        out: LocalId,
        /// The value.
        value: Expr,
    },
    /// `:- expect`: halts.
    Expect,
    /// `:- assert`.
    Assert,
    /// `:- assume`.
    Assume,
}

/// What a `break` or `continue` leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakTarget {
    /// The labelled statement.
    Label(Name),
    /// That many loops outward, from 1.
    Loops(u32),
}
