//! The intermediate representation: procedures of basic blocks over pure typed expressions.
//!
//! Boogie-shaped, but over Dafny's own types ([`dafny_resolve::typed::Type`], generic: calls carry type
//! arguments, and readers carry a substitution). It has three kinds of readers (the interpreter, the
//! encoder, and printers), so that a block means the same to all. Ghost code stays in.
//!
//! What lowering has already done: patterns are tests and destructors, chained comparisons and datatype
//! updates are spelled out, defaults and receivers are ordinary arguments (`this` is the first
//! parameter), lambdas are closed (their captures are listed), short-circuit operators of code under
//! test are blocks. What it has *not* done: loops are cycles (see [`Block::loop_head`]), calls are calls.

pub(crate) mod build;
mod choice;
mod effects;
mod expr;
mod goal;
mod inlined;
mod maker;
mod objects;
pub mod print;
mod system;
mod walk;

pub use choice::Choosers;
pub use effects::Effects;
pub(crate) use expr::lambda_index;
pub use expr::*;
pub use goal::*;
pub use inlined::*;
pub use maker::Maker;
pub use system::*;
pub use walk::Simple;

use std::sync::Arc;

use crate::reason::Reason;
use dafny_resolve::typed::{self, CallableId, CtorId, FieldId, Type, TypeId, TypeParamId};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::{SortedMap, SortedSet};

/// A lowered program. A copy shares what is not changed in it.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it was lowered from: types, constructors, fields and names are looked up there.
    pub typed: Arc<typed::Program>,
    /// Every function with a body, ghost ones too, as an expression.
    pub functions: Arc<SortedMap<CallableId, Function>>,
    /// Every compiled function and method with a body, as blocks; also constructors, and external ones that are linked or
    /// have a contract. Ghost methods are here
    /// too, without goals, so that calls of them have a meaning.
    pub procedures: SortedMap<CallableId, Arc<Procedure>>,
    /// Contracts of all callables.
    pub contracts: SortedMap<CallableId, Arc<Contract>>,
    /// Initial values of constants; instance constants take `this` (of a datatype or newtype: the value).
    pub constants: Arc<SortedMap<FieldId, Function>>,
    /// Constraints of subset types and newtypes, as a function of the value (one layer: the base's
    /// own constraints are checked on their own).
    pub constraints: Arc<SortedMap<TypeId, Function>>,
    /// Compiled or ghost witnesses of subset types and newtypes.
    pub witnesses: Arc<SortedMap<TypeId, Function>>,
    /// Lambdas, by the index that [`ExprKind::Lambda`] gives.
    pub lambdas: Arc<Vec<Lambda>>,
    /// What the goals were chosen by.
    pub criteria: Criteria,
    /// The only units, where some are named as entries.
    pub entries: Option<Vec<CallableId>>,
    /// What counts beside each entry of a system test ([`Program::make_entry`]).
    pub systems: SortedMap<CallableId, System>,
    /// What of other callables counts as a unit's own code, call by call, where a criterion asks for it ([`Program::inline`]).
    pub inlined: SortedMap<CallableId, Inlined>,
    /// What gives inputs that the user named, in that order.
    pub makers: Vec<Maker>,
    /// The lemmas whose postconditions rest on assumptions, so that callers assume them; where obligations are goals.
    pub assumed_lemmas: Arc<SortedSet<CallableId>>,
}

impl Program {
    /// Whether a unit begins in the earlier of two states, and looks at its contract itself.
    pub fn is_in_two_states(&self, unit: CallableId) -> bool {
        self.criteria.has(Criterion::Obligation) && self.typed[unit].is_two_state
    }
}

/// A variable of a function, procedure, contract or lambda: an index into its `vars`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Var(pub u32);

/// What is known of a variable.
#[derive(Clone, Debug, serde::Serialize)]
pub struct VarInfo {
    /// The name in the source, or a generated one that starts with `$`.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Ghost.
    pub ghost: bool,
    /// Whether nobody may read it before it is assigned, even under relaxed rules of definite assignment: its type need not have a value
    /// that a variable without one could have.
    pub definite: bool,
    /// Whether nobody wrote its type: Dafny may infer a narrower one.
    pub inferred: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A pure function as an expression over its parameters.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Function {
    /// Type parameters in the order of a call's type arguments (owner's, then own).
    pub type_params: Vec<TypeParamId>,
    /// All variables, let- and quantifier-bound ones too.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` first.
    pub params: Vec<Var>,
    /// The value.
    pub body: Expr,
}

/// A closed lambda.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Lambda {
    /// Type parameters in scope.
    pub type_params: Vec<TypeParamId>,
    /// All variables.
    pub vars: Vec<VarInfo>,
    /// Variables that take the captured values, in the order of [`ExprKind::Lambda`]'s captures.
    pub captures: Vec<Var>,
    /// Parameters.
    pub params: Vec<Var>,
    /// Its precondition.
    pub requires: Vec<Clause>,
    /// Its frame: expressions for objects or sets of objects.
    pub reads: Vec<Expr>,
    /// The value.
    pub body: Expr,
    /// Where it stands.
    pub span: Span,
}

/// A contract, over variables of its own.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Contract {
    /// Type parameters (owner's, then own).
    pub type_params: Vec<TypeParamId>,
    /// All variables.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` first.
    pub params: Vec<Var>,
    /// Out-parameters; a function has one. In a function's `ensures`, calls of the function on its own
    /// arguments stay calls.
    pub outs: Vec<Var>,
    /// Preconditions.
    pub requires: Vec<Clause>,
    /// Postconditions; [`ExprKind::Old`] refers to the state at the call.
    pub ensures: Vec<Clause>,
    /// What may be modified: objects or sets of objects, with a field where only that may change.
    pub modifies: Vec<Frame>,
    /// What is read.
    pub reads: Vec<Frame>,
    /// What gets smaller from call to call, given or by default; only where obligations are goals.
    pub measure: Vec<Expr>,
    /// The ways in which its clauses can hold, where [`Criterion::Spec`] asks for them.
    pub ways: Vec<Way>,
}

/// A way in which a clause of a contract can hold: a condition over the variables of the contract.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Way {
    /// Whether it is of a postcondition: evaluated where the callable returns, else where it is called.
    pub post: bool,
    /// The condition.
    pub clause: Clause,
    /// As a goal.
    pub goal: Goal,
}

/// Part of a frame; no object: everything (`*`).
#[derive(Debug, Clone, serde::Serialize)]
pub struct Frame {
    /// The object, set or sequence of objects.
    pub object: Option<Expr>,
    /// Only this field.
    pub field: Option<FieldId>,
    /// Where.
    pub span: Span,
}

/// A condition with its place.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Clause {
    /// The condition.
    pub cond: Expr,
    /// Where it stands in the source.
    pub span: Span,
}

/// A method, constructor or function as blocks.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Procedure {
    /// What it was lowered from.
    pub callable: CallableId,
    /// Type parameters (owner's, then own).
    pub type_params: Vec<TypeParamId>,
    /// All variables.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` first. They are never assigned.
    pub params: Vec<Var>,
    /// Out-parameters; a function has one.
    pub outs: Vec<Var>,
    /// Blocks; the first is the entry. Every block is reachable from it in the graph, except for goals in
    /// code that no path of the source leads to (after `return`, say) and what follows them: these come last.
    pub blocks: Vec<Block>,
    /// What its [`StmtKind::Probe`]s are to show, by their numbers.
    pub probes: Vec<Goal>,
}

/// A block: an index into [`Procedure::blocks`].
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct BlockId(pub u32);

/// A basic block.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Block {
    /// Statements in order.
    pub stmts: Vec<Stmt>,
    /// How it ends.
    pub terminator: Terminator,
    /// What a test that reaches it has shown; `None` for joins and other blocks that the source does not name.
    pub goal: Option<Goal>,
    /// The loop that it is the head of: the target of the loop's back edges.
    pub loop_head: Option<LoopInfo>,
    /// The source that it stands for.
    pub span: Span,
    /// The statements of compiled source that are begun here: who enters the block executes them, unless an earlier one
    /// fails. Of those that leave no trace (`break`, a declaration) some are in no block.
    pub begins: Vec<Span>,
    /// The compiled `break`, `continue` or `return` that it ends with, where execution would go on without.
    pub jump: Option<Jump>,
}

/// A jump of the source, at the end of a block.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Jump {
    /// The statement.
    pub statement: Span,
    /// Where execution would go on without it.
    pub without: BlockId,
}

/// A loop, known at its head.
#[derive(Debug, Clone, serde::Serialize)]
pub struct LoopInfo {
    /// Invariants; never assumed while looking for tests.
    pub invariants: Vec<Clause>,
    /// That the index of a `for` loop is within its bounds, once these are in order: an invariant of the language.
    pub range: Vec<Clause>,
    /// Variables that the loop assigns.
    pub assigned: Vec<Var>,
    /// Whether it may write the heap.
    pub writes_heap: bool,
    /// The loop statement.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where it comes from.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Debug, Clone, serde::Serialize)]
pub enum StmtKind {
    /// Executions where the condition is false do not exist.
    Assume {
        /// The condition.
        cond: Expr,
        /// Why it holds.
        by: Assumed,
    },
    /// A proof obligation of the source or of the language. False: a finding (the program is wrong), and
    /// execution ends.
    Assert {
        /// The condition.
        cond: Expr,
        /// What it is.
        kind: AssertKind,
    },
    /// `v := e`.
    Assign {
        /// The variable.
        var: Var,
        /// The value.
        value: Expr,
    },
    /// `v := *`.
    Havoc(Var),
    /// A call of a method or constructor (by then `this` is allocated), or of a function in statement
    /// position. Dispatches dynamically on the first argument where the callee belongs to a trait.
    Call {
        /// The callee.
        callee: CallableId,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
        /// What takes the results; `None`: dropped.
        outs: Vec<Option<Var>>,
        /// Of a two-state lemma: the label of its earlier state; `None`: the entry of the caller.
        label: Option<Name>,
    },
    /// `v := new C`: allocates; fields have no value yet.
    New {
        /// The variable.
        var: Var,
        /// The class type.
        ty: Type,
    },
    /// `v := new T[dims]`.
    NewArray {
        /// The variable.
        var: Var,
        /// Element type.
        elem: Type,
        /// Lengths.
        dims: Vec<Expr>,
        /// Contents.
        init: ArrayInit,
    },
    /// `o.f := e`.
    SetField {
        /// The object.
        object: Expr,
        /// The field.
        field: FieldId,
        /// The value.
        value: Expr,
    },
    /// `a[i, j] := e`.
    SetElement {
        /// The array.
        array: Expr,
        /// Indices.
        indices: Vec<Expr>,
        /// The value.
        value: Expr,
    },
    /// From here on the object answers a function of its class itself, where the precondition of `value` holds.
    Redefine {
        /// The object.
        object: Expr,
        /// The function.
        function: CallableId,
        /// What it does: a function of the arguments without the receiver.
        value: Expr,
    },
    /// A `forall` statement: all right sides are evaluated for all values before the first store.
    ForallStore {
        /// Variables, range and how to enumerate them.
        vars: Quantified,
        /// What is stored to.
        target: StoreTarget,
        /// The value.
        value: Expr,
    },
    /// `x, y :| P`: the first candidate by the one rule for choices; the variables are those of `vars`.
    /// No candidate: a finding.
    SuchThat(Quantified),
    /// `print`.
    Print(Vec<Expr>),
    /// `expect`: false halts the program.
    Expect {
        /// The condition.
        cond: Expr,
        /// The message: a value of any type, printed.
        message: Option<Expr>,
    },
    /// `label L:`: the heap here is what `old@L` reads.
    Snapshot(Name),
    /// `modify`: what the frame covers gets arbitrary values.
    HavocHeap(Vec<Frame>),
    /// The body of a callable whose code is not Dafny: somebody answers by its contract. The out-parameters, and what its
    /// frame covers, get such values that the postconditions hold.
    Answer {
        /// Whose.
        callee: CallableId,
        /// Its parameters.
        params: Vec<Var>,
        /// Its out-parameters.
        outs: Vec<Var>,
    },
    /// Keeps variables of a body that waits in hidden fields of its iterator, whether they have a value or not.
    Save {
        /// The iterator.
        object: Expr,
        /// Fields, and what they take.
        vars: Vec<(FieldId, Var)>,
    },
    /// Gives variables what [`StmtKind::Save`] kept.
    Restore {
        /// The iterator.
        object: Expr,
        /// Fields, and the variables that take their contents.
        vars: Vec<(FieldId, Var)>,
    },
    /// Changes nothing: an execution that comes here while the condition holds has shown the procedure's goal of that
    /// number (a label, Bardin et al. 2014).
    Probe {
        /// Index in [`Procedure::probes`].
        probe: u32,
        /// The condition.
        cond: Expr,
    },
    /// Something that later stages do not handle yet: executions that reach it are cut, and the goals
    /// behind it stay open with this reason.
    Unsupported {
        /// Why.
        reason: Reason,
    },
}

/// Where a `forall` statement stores.
#[derive(Debug, Clone, serde::Serialize)]
pub enum StoreTarget {
    /// `o.f`.
    Field(Expr, FieldId),
    /// `a[i, j]`.
    Element(Expr, Vec<Expr>),
}

/// Initial contents of an array.
#[derive(Debug, Clone, serde::Serialize)]
pub enum ArrayInit {
    /// Default values of the element type where it has them; else no value yet.
    Default,
    /// A function of the indices.
    Function(Expr),
    /// The elements.
    Elements(Vec<Expr>),
}

/// Why what is assumed holds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Assumed {
    /// The program says so (`assume`, `:- assume`): nobody checks it.
    Statement,
    /// A contract says so, of code that is not Dafny's: nobody checks it.
    Contract(CallableId),
    /// Whoever uses the iterator has to see to it: a `yield requires`.
    Caller,
}

/// What an assertion stands for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum AssertKind {
    /// `assert` in the source.
    Assert,
    /// A loop invariant; where both are told apart, when the loop is come to.
    Invariant,
    /// A loop invariant after an iteration.
    InvariantKept,
    /// The measure of a loop after an iteration, or of a callee, is below the one before.
    Decreases,
    /// What is written is in the `modifies` clause, or new.
    Frame,
    /// What is read is in the `reads` clause.
    Reads,
    /// A precondition of a callee.
    CallPrecondition,
    /// The lower bound of a `for` loop does not exceed the upper one.
    LoopRange,
    /// A function that calls itself in its own postcondition does so for smaller arguments.
    Termination,
    /// A constraint of a subset type or newtype that a value must meet.
    TypeConstraint,
    /// No case of a match or alternative applies.
    MissingCase,
    /// Places that one statement assigns different values are different.
    Aliasing,
    /// What is read or passed in an older state was allocated there.
    Allocated,
    /// What an overridden declaration ensures.
    Override,
    /// The constraint of a type, of its witness.
    Witness,
    /// The size of a new array is that of its elements, or it is empty where its elements have no initial value.
    Size,
    /// A function value is applied within its precondition.
    Application,
    /// A postcondition of the callable at hand, where its body ends.
    Postcondition,
    /// A variable that is read, or a result where a body ends, was assigned.
    Assigned,
}

/// How a block ends.
#[derive(Debug, Clone, serde::Serialize)]
pub enum Terminator {
    /// To one block.
    Goto(BlockId),
    /// By a condition.
    Branch {
        /// The condition.
        cond: Expr,
        /// Where it is true.
        then: BlockId,
        /// Where it is false.
        els: BlockId,
    },
    /// Any of them may follow; the rule for choices takes the first.
    Choose {
        /// The blocks.
        among: Vec<BlockId>,
        /// Where it is false, the first follows and no other; `None`: it is always left open which.
        open: Option<Expr>,
        /// The source.
        span: Span,
    },
    /// The procedure returns.
    Return,
    /// Control cannot be here (after a failed assertion of the language).
    Stop,
}

impl Terminator {
    /// The blocks that may follow.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Self::Goto(b) => vec![*b],
            Self::Branch { then, els, .. } => vec![*then, *els],
            Self::Choose { among, .. } => among.clone(),
            Self::Return | Self::Stop => Vec::new(),
        }
    }
}

impl Terminator {
    /// Goes to `to` wherever it went to `from`.
    pub fn redirect(&mut self, from: BlockId, to: BlockId) {
        let turn = |b: &mut BlockId| {
            if *b == from {
                *b = to;
            }
        };
        match self {
            Self::Goto(b) => turn(b),
            Self::Branch { then, els, .. } => {
                turn(then);
                turn(els);
            }
            Self::Choose { among, .. } => among.iter_mut().for_each(turn),
            Self::Return | Self::Stop => {}
        }
    }
}

impl Procedure {
    /// The block of that id.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.0 as usize)
    }

    /// From which blocks each one is entered.
    pub fn predecessors(&self) -> SortedMap<BlockId, Vec<BlockId>> {
        let mut before: SortedMap<BlockId, Vec<BlockId>> = SortedMap::new();
        for (id, block) in (0..).map(BlockId).zip(&self.blocks) {
            for to in block.terminator.successors() {
                before.entry(to).or_default().push(id);
            }
        }
        before
    }

    /// Blocks that are goals, in order.
    pub fn goal_blocks(&self) -> impl Iterator<Item = (BlockId, &Goal)> {
        self.blocks
            .iter()
            .enumerate()
            .filter_map(|(i, b)| b.goal.as_ref().map(|g| (BlockId(i as u32), g)))
    }
}

/// The constructors of a datatype, for readers.
pub fn ctors_of(program: &typed::Program, ty: TypeId) -> &[CtorId] {
    match &program[ty].kind {
        typed::TypeDeclKind::Datatype { ctors, .. } => ctors,
        typed::TypeDeclKind::Newtype(_)
        | typed::TypeDeclKind::Subset(_)
        | typed::TypeDeclKind::Abstract
        | typed::TypeDeclKind::Class
        | typed::TypeDeclKind::Trait { .. }
        | typed::TypeDeclKind::Iterator(_) => &[],
    }
}
