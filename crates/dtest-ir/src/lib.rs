//! The intermediate representation: procedures of basic blocks over pure typed expressions.
//!
//! The IR is shaped like Boogie, but over Dafny's own types ([`dafny_resolve::typed::Type`]). It is
//! generic: calls carry type arguments, and readers carry a substitution. The interpreter, the
//! encoder and the printers all read the same IR, so that a block means the same to all. Ghost code
//! stays in.
//!
//! Lowering has already replaced patterns by tests and destructors, and spelled out chained
//! comparisons and datatype updates. Defaults and receivers are ordinary arguments (`this` is the
//! first parameter). Lambdas are closed: their captures are listed. Short-circuit operators of code
//! under test are blocks. Loops are still cycles (see [`Block::loop_head`]), and calls are still
//! calls.
//!
//! Key types: [`Program`], [`Procedure`], [`Block`], [`Stmt`], [`Expr`], [`Contract`], [`Goal`],
//! [`GoalId`].
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod bounds;
pub mod build;
mod choice;
pub mod describe;
mod effects;
mod expr;
mod goal;
mod inlined;
mod lemmas;
mod maker;
mod objects;
pub mod print;
pub mod reason;
mod system;
#[cfg(test)]
mod tests;
mod walk;

pub use choice::Choosers;
pub use effects::{Effects, Writes};
pub use expr::lambda_index;
pub use expr::*;
pub use goal::*;
pub use inlined::*;
pub use lemmas::LemmaCall;
pub use maker::Maker;
pub use system::*;
pub use walk::Simple;

use std::sync::Arc;

use crate::reason::Reason;
use dafny_resolve::typed::{self, CallableId, CtorId, FieldId, Type, TypeId, TypeParamId};
use dafny_source::{Name, Span};
use dtest_sorted::{SortedMap, SortedSet};

/// The limit of output that a test compares, in characters. Output beyond it is ignored.
pub const MAX_PRINTED: usize = 16_000;

/// A lowered program. Clones share the parts that are not changed.
#[derive(Debug, Clone)]
pub struct Program {
    /// The typed program that it was lowered from: types, constructors, fields and names are looked
    /// up there.
    pub typed: Arc<typed::Program>,
    /// Every function with a body as an expression, ghost functions included.
    pub functions: Arc<SortedMap<CallableId, Function>>,
    /// Callables as blocks: every compiled function and method with a body, constructors, and
    /// external callables that are linked or have a contract. Ghost methods are included without
    /// goals, so that calls of them have a meaning.
    pub procedures: SortedMap<CallableId, Arc<Procedure>>,
    /// Contracts of all callables.
    pub contracts: SortedMap<CallableId, Arc<Contract>>,
    /// Initial values of constants. Instance constants take `this`; for a datatype or newtype that
    /// is the value.
    pub constants: Arc<SortedMap<FieldId, Function>>,
    /// Constraints of subset types and newtypes, each as a function of the value. A constraint
    /// covers one layer: the constraints of the base type are separate.
    pub constraints: Arc<SortedMap<TypeId, Function>>,
    /// Witnesses of subset types and newtypes, compiled or ghost.
    pub witnesses: Arc<SortedMap<TypeId, Function>>,
    /// Lambdas, indexed by [`ExprKind::Lambda`].
    pub lambdas: Arc<Vec<Lambda>>,
    /// The coverage criteria that determine the goals.
    pub criteria: Criteria,
    /// The entries that the user named; then these are the only units.
    pub entries: Option<Vec<CallableId>>,
    /// The additional goals of each entry of a system test ([`Program::make_entry`]).
    pub systems: SortedMap<CallableId, System>,
    /// The inlined callees of each unit, call by call, where a criterion needs them
    /// ([`Program::inline`]).
    pub inlined: SortedMap<CallableId, Inlined>,
    /// The sources of inputs that the user configured, in the configured order.
    pub makers: Vec<Maker>,
    /// Lemmas whose postconditions rest on assumptions. Callers assume their postconditions. Only
    /// filled where obligations are goals.
    pub assumed_lemmas: Arc<SortedSet<CallableId>>,
}

impl Program {
    /// Whether `unit` is a two-state lemma or function that starts in its earlier state and checks
    /// its own contract.
    pub fn is_in_two_states(&self, unit: CallableId) -> bool {
        self.criteria.has(Criterion::Obligation) && self.typed[unit].is_two_state
    }
}

/// A variable of a function, procedure, contract or lambda: an index into its `vars`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Var(pub u32);

/// The declaration of a variable.
#[derive(Clone, Debug, serde::Serialize)]
pub struct VarInfo {
    /// The name in the source, or a generated name that starts with `$`.
    pub name: Name,
    /// The type of the variable.
    pub ty: Type,
    /// Whether the variable is ghost.
    pub ghost: bool,
    /// Whether the variable must be assigned before it is read, even under relaxed
    /// definite-assignment rules: its type may have no value that an unassigned variable could
    /// have.
    pub definite: bool,
    /// Whether the type was inferred: Dafny may infer a narrower one.
    pub inferred: bool,
    /// The declaration in the source.
    pub span: Span,
}

/// A pure function as an expression over its parameters.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Function {
    /// Type parameters in the order of a call's type arguments: the owner's, then its own.
    pub type_params: Vec<TypeParamId>,
    /// All variables, including those bound by `let` and quantifiers.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` is the first.
    pub params: Vec<Var>,
    /// The value of the function.
    pub body: Expr,
}

/// A closed lambda.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Lambda {
    /// Type parameters in scope.
    pub type_params: Vec<TypeParamId>,
    /// All variables, including parameters and bound ones.
    pub vars: Vec<VarInfo>,
    /// Variables that receive the captured values, in the order of the captures of
    /// [`ExprKind::Lambda`].
    pub captures: Vec<Var>,
    /// The parameters.
    pub params: Vec<Var>,
    /// The precondition.
    pub requires: Vec<Clause>,
    /// The `reads` frame: expressions for objects or sets of objects.
    pub reads: Vec<Expr>,
    /// The value of the lambda.
    pub body: Expr,
    /// The lambda in the source.
    pub span: Span,
}

/// A contract, over its own variables.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Contract {
    /// Type parameters: the owner's, then its own.
    pub type_params: Vec<TypeParamId>,
    /// All variables, including parameters and bound ones.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` is the first.
    pub params: Vec<Var>,
    /// Out-parameters; a function has one. In a function's `ensures`, calls of the function on its
    /// own arguments remain calls.
    pub outs: Vec<Var>,
    /// The preconditions.
    pub requires: Vec<Clause>,
    /// Postconditions; [`ExprKind::Old`] refers to the state at the call.
    pub ensures: Vec<Clause>,
    /// The `modifies` frame: objects or sets of objects, with a field where only that field may
    /// change.
    pub modifies: Vec<Frame>,
    /// The `reads` frame.
    pub reads: Vec<Frame>,
    /// The termination measure, explicit or default. Only filled where obligations are goals.
    pub measure: Vec<Expr>,
    /// The ways in which the clauses can hold. Only filled under [`Criterion::Spec`].
    pub ways: Vec<Way>,
}

/// One way in which a clause of a contract can hold: a condition over the variables of the
/// contract.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Way {
    /// Whether the clause is a postcondition. A postcondition is evaluated where the callable
    /// returns, a precondition where it is called.
    pub post: bool,
    /// The condition and its source.
    pub clause: Clause,
    /// The goal that the condition holds.
    pub goal: Goal,
}

/// A part of a frame. Without an object, it covers everything (`*`).
#[derive(Debug, Clone, serde::Serialize)]
pub struct Frame {
    /// The object, set or sequence of objects.
    pub object: Option<Expr>,
    /// The only field that is covered; `None`: all fields.
    pub field: Option<FieldId>,
    /// The frame expression in the source.
    pub span: Span,
}

/// A condition with its source.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Clause {
    /// The condition.
    pub cond: Expr,
    /// The clause in the source.
    pub span: Span,
}

/// A method, constructor or function as basic blocks.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Procedure {
    /// The callable that it was lowered from.
    pub callable: CallableId,
    /// Type parameters: the owner's, then its own.
    pub type_params: Vec<TypeParamId>,
    /// All variables, including parameters and bound ones.
    pub vars: Vec<VarInfo>,
    /// Parameters; `this` is the first. They are never assigned.
    pub params: Vec<Var>,
    /// Out-parameters; a function has one.
    pub outs: Vec<Var>,
    /// Blocks; the first is the entry. Every block is reachable from it in the graph. The exception
    /// are goals in source code that no path leads to (after `return`, for example) and the blocks
    /// after them: these come last.
    pub blocks: Vec<Block>,
    /// The goals of [`StmtKind::Probe`] statements, by probe number.
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
    /// The end of the block.
    pub terminator: Terminator,
    /// The goal of entering the block; `None` for joins and other blocks without source of their
    /// own.
    pub goal: Option<Goal>,
    /// Set if the block is the target of a loop's back edges.
    pub loop_head: Option<LoopInfo>,
    /// The source of the block.
    pub span: Span,
    /// The statements of compiled source that begin in this block. Entering the block executes
    /// them, unless an earlier one fails. Statements without effect (`break`, a declaration) may be
    /// missing.
    pub begins: Vec<Span>,
    /// The compiled `break`, `continue` or `return` that ends the block, if execution would go on
    /// without it.
    pub jump: Option<Jump>,
}

/// A jump of the source at the end of a block.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Jump {
    /// The jump statement.
    pub statement: Span,
    /// The block where execution would go on without the jump.
    pub without: BlockId,
}

/// The properties of a loop, attached to its head.
#[derive(Debug, Clone, serde::Serialize)]
pub struct LoopInfo {
    /// Invariants. The search for tests never assumes them.
    pub invariants: Vec<Clause>,
    /// The implicit invariant of a `for` loop: the index is within the bounds, if the bounds are in
    /// order.
    pub range: Vec<Clause>,
    /// Variables that the loop assigns.
    pub assigned: Vec<Var>,
    /// Whether the loop may write the heap.
    pub writes_heap: bool,
    /// The objects that the iterations may change, if the loop may write the heap. Only filled
    /// where obligations are goals.
    pub frame: Vec<Frame>,
    /// The loop statement.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Stmt {
    /// The form of the statement.
    pub kind: StmtKind,
    /// The statement in the source.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Debug, Clone, serde::Serialize)]
pub enum StmtKind {
    /// Excludes executions in which the condition is false.
    Assume {
        /// The condition.
        cond: Expr,
        /// The origin of the assumption.
        by: Assumed,
    },
    /// A proof obligation of the source or of the language. If it is false, the program violates
    /// it, and execution ends.
    Assert {
        /// The condition.
        cond: Expr,
        /// The kind of obligation.
        kind: AssertKind,
    },
    /// An assignment, `v := e`.
    Assign {
        /// The variable.
        var: Var,
        /// The value.
        value: Expr,
    },
    /// The assignment of an arbitrary value, `v := *`.
    Havoc(Var),
    /// A call of a method, of a constructor (whose `this` is already allocated), or of a function
    /// in statement position. Dispatches dynamically on the first argument if the callee belongs to
    /// a trait.
    Call {
        /// The callee.
        callee: CallableId,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
        /// The variables that receive the results; `None`: the result is dropped.
        outs: Vec<Option<Var>>,
        /// For a two-state lemma, the label of its earlier state; `None`: the entry of the caller.
        label: Option<Name>,
    },
    /// `v := new C`: allocates an object whose fields have no value yet.
    New {
        /// The variable.
        var: Var,
        /// The class type.
        ty: Type,
    },
    /// The allocation of an array, `v := new T[dims]`.
    NewArray {
        /// The variable.
        var: Var,
        /// The element type.
        elem: Type,
        /// The length of each dimension.
        dims: Vec<Expr>,
        /// The initial contents.
        init: ArrayInit,
    },
    /// The assignment of a field, `o.f := e`.
    SetField {
        /// The object.
        object: Expr,
        /// The field.
        field: FieldId,
        /// The value.
        value: Expr,
    },
    /// The assignment of an array element, `a[i, j] := e`.
    SetElement {
        /// The array.
        array: Expr,
        /// The indices.
        indices: Vec<Expr>,
        /// The value.
        value: Expr,
    },
    /// Redefines a function for one object: where the precondition of `value` holds, calls on the
    /// object use `value`. Mocks are built this way.
    Redefine {
        /// The object.
        object: Expr,
        /// The function.
        function: CallableId,
        /// The new definition: a function of the arguments without the receiver.
        value: Expr,
    },
    /// A `forall` statement. All right-hand sides are evaluated for all values before the first
    /// store.
    ForallStore {
        /// The variables, their range, and the loops that enumerate them.
        vars: Quantified,
        /// The target of the store.
        target: StoreTarget,
        /// The stored value.
        value: Expr,
    },
    /// `x, y :| P`: assigns the first candidate by the rule for choices to `vars`. Having no
    /// candidate is a violation.
    SuchThat(Quantified),
    /// An output, `print`.
    Print(Vec<Expr>),
    /// `expect`: halts the program if the condition is false.
    Expect {
        /// The condition.
        cond: Expr,
        /// The message: a value of any type, which is printed.
        message: Option<Expr>,
    },
    /// `label L:`: records the heap for `old@L`.
    Snapshot(Name),
    /// Gives arbitrary values to everything that the frame covers.
    HavocHeap(Vec<Frame>, Changed),
    /// The body of a callable whose code is not Dafny. The out-parameters, and the heap within the
    /// frame, get values that satisfy the postconditions.
    Answer {
        /// The external callable.
        callee: CallableId,
        /// The parameters.
        params: Vec<Var>,
        /// The out-parameters.
        outs: Vec<Var>,
    },
    /// Saves variables of a suspended iterator body in hidden fields of its iterator, including the
    /// fact that a variable has no value.
    Save {
        /// The iterator.
        object: Expr,
        /// Pairs of a hidden field and the variable that is saved in it.
        vars: Vec<(FieldId, Var)>,
    },
    /// Restores the variables that [`StmtKind::Save`] saved.
    Restore {
        /// The iterator.
        object: Expr,
        /// Pairs of a hidden field and the variable that receives its value.
        vars: Vec<(FieldId, Var)>,
    },
    /// Records a goal without any effect: an execution that reaches the statement while the
    /// condition holds has covered the procedure's goal of that number (a label, Bardin et al.
    /// 2014).
    Probe {
        /// The index in [`Procedure::probes`].
        probe: u32,
        /// The condition.
        cond: Expr,
    },
    /// A construct that later stages do not support. Executions that reach it are cut, and the
    /// goals behind it stay open with this reason.
    Unsupported {
        /// The reason.
        reason: Reason,
    },
}

/// The target of a store in a `forall` statement.
#[derive(Debug, Clone, serde::Serialize)]
pub enum StoreTarget {
    /// A field of an object, `o.f`.
    Field(Expr, FieldId),
    /// An element of an array, `a[i, j]`.
    Element(Expr, Vec<Expr>),
}

/// Initial contents of an array.
#[derive(Debug, Clone, serde::Serialize)]
pub enum ArrayInit {
    /// Default values if the element type has them, otherwise no value yet.
    Default,
    /// A function of the indices.
    Function(Expr),
    /// The elements.
    Elements(Vec<Expr>),
}

/// The code that changes the heap arbitrarily.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Changed {
    /// A `modify` statement, code without a body, or earlier iterations of a loop. The search looks
    /// for the contents that violate an obligation.
    Here,
    /// Any code that runs while an iterator waits. It may change so much that the search leaves the
    /// contents to the interpreter.
    Elsewhere,
}

/// The origin of an assumption.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Assumed {
    /// An `assume` in the program (`assume`, `:- assume`). Nothing checks it.
    Statement,
    /// A contract of code outside Dafny. Nothing checks it.
    Contract(CallableId),
    /// An obligation of the code that uses the callable: a `yield requires`, a precondition about
    /// two states, the types of objects made between these.
    Caller,
}

/// The kind of an assertion.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum AssertKind {
    /// `assert` in the source.
    Assert,
    /// A loop invariant. Where entry and preservation are distinguished: on entry to the loop.
    Invariant,
    /// A loop invariant after an iteration.
    InvariantKept,
    /// A measure decreases: of a loop after an iteration, or of a callee below its caller.
    Decreases,
    /// A written location is in the `modifies` clause or is newly allocated.
    Frame,
    /// A read location is in the `reads` clause.
    Reads,
    /// A precondition of a callee.
    CallPrecondition,
    /// The lower bound of a `for` loop is at most the upper bound.
    LoopRange,
    /// A function that calls itself in its own postcondition does so for smaller arguments.
    Termination,
    /// A value satisfies the constraint of its subset type or newtype.
    TypeConstraint,
    /// Reached if no case of a match or alternative applies.
    MissingCase,
    /// Places to which one statement assigns different values are different.
    Aliasing,
    /// A `:|` of a compiled expression has only one value.
    Unique,
    /// A value was not created by a ghost constructor, where compiled code depends on it.
    Constructor,
    /// A location read, or a value passed, in an older state was allocated there.
    Allocated,
    /// A declaration ensures the postconditions of the declaration that it overrides.
    Override,
    /// A witness satisfies the constraint of its type.
    Witness,
    /// A type without a `witness` clause has a value that Dafny tries.
    Inhabited,
    /// The size of a new array equals the number of its elements. An array whose elements have no
    /// initial value is empty.
    Size,
    /// A function value is applied within its precondition.
    Application,
    /// A postcondition of this callable, at the end of its body.
    Postcondition,
    /// A variable has been assigned before it is read; a result, before the body ends.
    Assigned,
}

/// The end of a block.
#[derive(Debug, Clone, serde::Serialize)]
pub enum Terminator {
    /// A jump to one block.
    Goto(BlockId),
    /// A branch by a condition.
    Branch {
        /// The condition.
        cond: Expr,
        /// The successor if the condition is true.
        then: BlockId,
        /// The successor if the condition is false.
        els: BlockId,
    },
    /// A nondeterministic choice of the successor. The rule for choices takes the first.
    Choose {
        /// The possible successors.
        among: Vec<BlockId>,
        /// If this is false, only the first block follows; `None`: the choice is always open.
        open: Option<Expr>,
        /// The source of the choice.
        span: Span,
    },
    /// A return from the procedure.
    Return,
    /// An unreachable end, after a failed assertion of the language.
    Stop,
}

impl Terminator {
    /// Returns the blocks that may follow.
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
    /// Replaces the successor `from` by `to`.
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
    /// Returns the block with this id.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.0 as usize)
    }

    /// Returns the predecessors of each block.
    pub fn predecessors(&self) -> SortedMap<BlockId, Vec<BlockId>> {
        let mut before: SortedMap<BlockId, Vec<BlockId>> = SortedMap::new();
        for (id, block) in (0..).map(BlockId).zip(&self.blocks) {
            for to in block.terminator.successors() {
                before.entry(to).or_default().push(id);
            }
        }
        before
    }

    /// Returns the blocks that are goals, in order.
    pub fn goal_blocks(&self) -> impl Iterator<Item = (BlockId, &Goal)> {
        self.blocks
            .iter()
            .enumerate()
            .filter_map(|(i, b)| b.goal.as_ref().map(|g| (BlockId(i as u32), g)))
    }
}

/// Returns the constructors of a datatype; empty for other types.
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
