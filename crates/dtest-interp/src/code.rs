//! The flat code that the machine runs.
//!
//! Key types: [`Code`], [`CodeKey`] (what it was compiled from), [`Ins`] (the instructions of a
//! stack machine).

use std::rc::Rc;

use num_bigint::BigInt;

use super::facts::{Part, Side};
use super::word::Word;
use dafny_resolve::typed::{CallableId, FieldId, Type, TypeId, TypeParamId};
use dafny_source::{Name, Span};
use dtest_ir::reason::Reason;
use dtest_ir::{AssertKind, BlockId, Op};

/// The mode of code: specification or compiled. Compiled code checks the preconditions of its
/// callees, runs the `by method` bodies of functions and records its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    Spec,
    Compiled,
}

/// The source of compiled code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CodeKey {
    /// The expression of a function.
    Function(CallableId, Mode),
    /// The blocks of a callable.
    Procedure(CallableId),
    /// The body of a lambda.
    Lambda(u32, Mode),
    /// The precondition of a lambda, as a condition.
    LambdaRequires(u32),
    /// The frame of a lambda, as a set of objects.
    LambdaReads(u32),
    /// The conjunction of all preconditions of a callable.
    Pre(CallableId),
    /// The objects that a function reads, as a set.
    Reads(CallableId),
    /// The objects that a method modifies, as a set.
    Modifies(CallableId),
    /// One part of a `modifies` clause, as a set of objects.
    Frame(CallableId, usize),
    /// The value of an out-parameter that the postconditions define by an equation, over the
    /// parameters.
    Defined(CallableId, usize),
    /// The value of a field that the postconditions define by an equation, over the parameters. The
    /// number is that of the parameter or out-parameter that is the object, parameters first.
    DefinedField(CallableId, usize, FieldId),
    /// The same over the parameters and the out-parameters, if the equation mentions one of these:
    /// `log == old(log) + [result]`.
    FieldOfResults(CallableId, usize, FieldId),
    /// The object of an update that the postconditions state ([`super::compile::updates`]), over
    /// the parameters.
    Updated(CallableId, usize),
    /// The new value of the field of that object, over the parameters and the out-parameters.
    UpdatedTo(CallableId, usize),
    /// One precondition.
    Requires(CallableId, usize),
    /// A component of the measure.
    Measure(CallableId, usize),
    /// One part of a `modifies` clause: an object or a collection of objects.
    Modified(CallableId, usize),
    /// One part of a `reads` clause.
    Read(CallableId, usize),
    /// One postcondition, over parameters and out-parameters.
    Ensures(CallableId, usize),
    /// An argument of a condition of the precondition that is a call, by the number of the
    /// condition ([`dtest_ir::Contract::requires`], split at `&&`) and of the argument.
    Assumed(CallableId, usize, usize),
    /// A part of a statement about a function without a body, by the number of the statement
    /// ([`super::facts::statements`]).
    Stated(CallableId, Side, usize, Part),
    /// The value of a constant.
    Constant(FieldId),
    /// The constraint of a subset type or newtype.
    Constraint(TypeId),
    /// The witness of a type.
    Witness(TypeId),
    /// A way in which the contract holds: over the parameters, for a postcondition also over the
    /// out-parameters.
    Way(CallableId, usize),
    /// The test whether a word is a value of the type.
    HasType(Type),
}

impl CodeKey {
    /// Returns the callable that the code belongs to.
    pub(super) fn callable(&self) -> Option<CallableId> {
        match self {
            Self::Function(id, _)
            | Self::Procedure(id)
            | Self::Pre(id)
            | Self::Reads(id)
            | Self::Modifies(id)
            | Self::Frame(id, _)
            | Self::Defined(id, _)
            | Self::DefinedField(id, ..)
            | Self::FieldOfResults(id, ..)
            | Self::Updated(id, _)
            | Self::UpdatedTo(id, _)
            | Self::Requires(id, _)
            | Self::Measure(id, _)
            | Self::Modified(id, _)
            | Self::Read(id, _)
            | Self::Ensures(id, _)
            | Self::Assumed(id, ..)
            | Self::Stated(id, ..)
            | Self::Way(id, _) => Some(*id),
            Self::Lambda(..)
            | Self::LambdaRequires(_)
            | Self::LambdaReads(_)
            | Self::Constant(_)
            | Self::Constraint(_)
            | Self::Witness(_)
            | Self::HasType(_) => None,
        }
    }
}

/// A unit of compiled code.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) ins: Vec<Ins>,
    /// The source of each instruction.
    pub(super) spans: Vec<Span>,
    /// The number of slots of a frame; parameters come first.
    pub(super) slots: u32,
    /// The number of parameters.
    pub(super) params: u32,
    pub(super) type_params: Vec<TypeParamId>,
    pub(super) mode: Mode,
    /// The callable whose blocks these are.
    pub(super) callable: Option<CallableId>,
    /// The callable that the code belongs to, including its contract.
    pub(super) origin: Option<CallableId>,
    /// The slots that a trace shows, with the declarations.
    pub(super) watched: Vec<(u32, Span)>,
    /// Whether the code reads the heap at its entry.
    pub(super) needs_entry: bool,
    /// Whether the code is a constructor, whose first parameter is the new object.
    pub(super) constructs: bool,
    /// Whether the code is a compiled constant. It is computed like a specification, but its
    /// choices belong to the program.
    pub(super) is_constant: bool,
    pub(super) consts: Vec<Word>,
    pub(super) ops: Vec<Op>,
    pub(super) types: Vec<Type>,
    pub(super) names: Vec<Name>,
    /// The reasons of [`Ins::Unsupported`].
    pub(super) reasons: Vec<Reason>,
    pub(super) sites: Vec<Site>,
    pub(super) iters: Vec<IterSite>,
    /// The clauses of [`Ins::Precondition`].
    pub(super) clauses: Vec<Span>,
    pub(super) choices: Vec<Choice>,
    pub(super) ranges: Vec<Range>,
    /// The first instruction of each block; empty for expressions.
    pub(super) blocks: Vec<u32>,
    /// The choices of successors.
    pub(super) alternatives: Vec<Alternatives>,
    /// The declarations of the slots.
    pub(super) slot_names: Vec<SlotInfo>,
}

/// The declaration of a slot.
#[derive(Debug, Clone)]
pub(super) struct SlotInfo {
    /// The name, for messages.
    pub(super) name: Name,
    pub(super) ty: Type,
    /// Whether the slot must be assigned before it is read, whatever the rules of definite
    /// assignment.
    pub(super) definite: bool,
    /// Whether the type was inferred.
    pub(super) inferred: bool,
}

/// The successors of a choice.
#[derive(Debug, Clone)]
pub(super) struct Alternatives {
    pub(super) among: Vec<BlockId>,
    /// Whether the word on the stack decides if a successor other than the first is possible.
    pub(super) asks: bool,
}

/// The variables of a `:|`.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) slots: Vec<u32>,
    /// Whether all variables are ghost.
    pub(super) ghost: bool,
}

/// A range of integers, `low ≤ v < high`.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
    /// The same range in machine integers, with the last element inclusive. It decides every number
    /// that fits.
    pub(super) small: (i64, i64),
    pub(super) ty: Type,
}

impl Range {
    pub(super) fn new(low: Option<BigInt>, high: Option<BigInt>, ty: Type) -> Self {
        use num_traits::ToPrimitive;
        let clamp = |n: &Option<BigInt>, none: i64| match n {
            None => none,
            Some(n) => n
                .to_i64()
                .unwrap_or(if n.sign() == num_bigint::Sign::Minus {
                    i64::MIN
                } else {
                    i64::MAX
                }),
        };
        // An upper bound beyond `i64` admits every small integer; `small.1` is inclusive.
        let last = high.as_ref().map(|h| h - 1);
        let small = (clamp(&low, i64::MIN), clamp(&last, i64::MAX));
        Self {
            low,
            high,
            small,
            ty,
        }
    }

    pub(super) fn contains(&self, word: &Word) -> Option<bool> {
        if let Word::Int(n) = word {
            return Some(self.small.0 <= *n && *n <= self.small.1);
        }
        let n = word.as_int()?;
        Some(self.low.as_ref().is_none_or(|l| *l <= n) && self.high.as_ref().is_none_or(|h| n < *h))
    }
}

/// A call site.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) target: Target,
    pub(super) type_args: TypeArgs,
    pub(super) argc: u32,
    /// For two-state callees: the label of the older state.
    pub(super) label: Option<u32>,
}

/// The target of a call.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// A function in an expression.
    Function(CallableId),
    /// A method or constructor, or a function in statement position.
    Method(CallableId),
    /// Other code, for example a clause.
    Code(CodeKey),
}

/// The type arguments of a call.
#[derive(Debug, Clone)]
pub(super) enum TypeArgs {
    /// The type arguments of the caller.
    Same,
    /// Concrete types.
    Fixed(Rc<[Type]>),
    /// Types over the caller's type parameters.
    Open(Vec<Type>),
}

/// The domain of an iteration. Operands are taken from the stack.
#[derive(Debug, Clone)]
pub(super) enum IterKind {
    /// The integers from the first operand up to the second, exclusive.
    Ints,
    /// The integers from the operand upwards, without end.
    Up,
    /// The integers from the operand minus one downwards, without end.
    Down,
    /// The integers 0, 1, -1, 2, -2, … without end.
    Outward,
    /// The operand alone.
    Exact,
    /// The elements of the operand.
    Elements,
    /// The subsets of the operand.
    Subsets,
    /// The prefixes of the operand.
    Prefixes,
    /// All values of a type, by its index.
    AllValues(u32),
    /// The values within the operand that belong to a type.
    Subterms(u32),
    /// All allocated objects, and null if `nullable`.
    Allocated { nullable: bool },
    /// All values of a type if there are at most `max`; otherwise a few values that may refute.
    Probe { ty: u32, max: usize },
}

/// The start of an iteration.
#[derive(Debug, Clone)]
pub(super) struct IterSite {
    pub(super) kind: IterKind,
    /// The number of active iterations of the same nest.
    pub(super) depth: u32,
    /// The target if the operand is unknown, which makes the accumulator unknown too.
    pub(super) unknown: u32,
}

/// The events that a trace records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    /// A statement is about to be executed.
    Statement,
    /// A loop is entered.
    Loop,
    /// The activation is about to end.
    Return,
}

/// An instruction. Stack effects are written `before -- after`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ins {
    /// `-- constant`
    Push(u32),
    PushInt(i64),
    PushBool(bool),
    /// `-- slot`
    Load(u32),
    /// `-- slot`, moved out because it is not read again.
    Take(u32),
    /// `-- slot`, which may be unassigned: an out-parameter at the end.
    Out(u32),
    /// `w --`
    Store(u32),
    Pop,
    /// `w -- w w`
    Dup,
    Jump(u32),
    /// `cond --`; if unknown, pushes unknown and jumps to `end`.
    If {
        els: u32,
        end: u32,
    },
    /// `a -- a`; if `a` decides the result, jumps to `end`.
    AndLeft(u32),
    OrLeft(u32),
    ImpliesLeft(u32),
    /// `a b -- c`
    AndEnd,
    OrEnd,
    ImpliesEnd,
    Not,
    AddInt,
    SubInt,
    MulInt,
    LtInt,
    LeInt,
    Same,
    Differ,
    /// `a b -- bool`; different functions are not known to differ.
    SameFunctions {
        negate: bool,
    },
    /// `operands -- result`; an operator that compares values of the type, which may contain
    /// functions.
    OpOnFunctions {
        op: u32,
        argc: u32,
        ty: u32,
    },
    /// `value -- value`; fails if the value is null or contains null.
    NonNull,
    /// `value -- value`; unknown if elements or keys of the value contain functions, so that their
    /// equality is undecided.
    Settle(u32),
    /// `a b -- bool`; unknown for two trait values that differ only in their newtypes, which
    /// Dafny's verifier considers equal.
    SameSeen {
        negate: bool,
    },
    /// `operands -- result`
    Op {
        op: u32,
        argc: u32,
    },
    /// `n -- n`; fails outside of the range.
    CheckRange(u32),
    /// `n -- bool`
    TestRange(u32),
    /// `w -- converted` to the representation of a type.
    Convert(u32),
    /// `w -- w`; adds or removes the types of newtype values in it, according to the change from
    /// one type to the other.
    Retype {
        from: u32,
        to: u32,
    },
    /// `w -- converted`; if the conversion is impossible, pushes false and jumps to `end`.
    TestConvert {
        ty: u32,
        end: u32,
    },
    /// `f args -- f args bool`: whether the function may be applied to the arguments.
    ApplyPre(u32),
    /// `bool --`; fails if false: the function is applied outside its precondition.
    ApplyCheck,
    /// `bool --`; fails if false: the word below is not of the type.
    CheckType(u32),
    /// `w -- true`, and starts an iteration over the constraints in it; or `w -- false` and jumps
    /// to `end`.
    TypeStart {
        ty: u32,
        end: u32,
    },
    /// Calls the next constraint; without one, ends the iteration and jumps to `done`.
    TypeNext(u32),
    Call(u32),
    /// `args -- args bool`: evaluates the precondition, or one clause of it.
    CallPre {
        site: u32,
        part: Option<u32>,
    },
    /// `bool --`; fails if false: the precondition of the call, or that clause, is violated.
    PreCheck {
        site: u32,
        part: Option<u32>,
    },
    /// `f args -- result`
    Apply(u32),
    ApplyRequires(u32),
    ApplyReads(u32),
    /// `captures -- f`
    Closure {
        lambda: u32,
        captures: u32,
    },
    /// `captures -- lazy value`
    Delay {
        lambda: u32,
        captures: u32,
    },
    /// `value -- argument` of a codatatype's constructor, possibly lazy.
    Look(FieldId),
    /// `w -- w`; computes a lazy value.
    Force,
    /// `w -- w`; computes the lazy values that its printed form shows.
    ForceShown,
    /// `a b -- bool`; compares codatatypes to the depth that the interpreter inspects.
    SameDeeply {
        negate: bool,
    },
    /// `limit a b -- bool`
    PrefixEq,
    /// `receiver? -- f`
    Named {
        site: u32,
        receiver: bool,
    },
    IterNew(u32),
    /// Assigns the next candidate to the slot; without one, ends the iteration and jumps to `done`.
    IterNext {
        slot: u32,
        done: u32,
    },
    PopIters(u32),
    /// `acc bool -- acc`; if decided, jumps to `exit`.
    Quantify {
        forall: bool,
        exit: u32,
    },
    /// `acc bool -- acc`; if false, jumps to `next`; if unknown, ends `depth` iterations and jumps
    /// to `unknown`.
    Guard {
        next: u32,
        unknown: u32,
        depth: u32,
    },
    /// `bool --`; if false, jumps to the next candidate.
    Prune(u32),
    /// `all acc -- acc`; the result is unknown if the iteration listed only a few values and did
    /// not decide.
    ProbeEnd {
        forall: bool,
    },
    /// `set w -- set`
    SetInsert,
    /// `map k v -- map`
    MapInsert,
    /// `seq w -- seq`
    SeqPush,
    /// `n -- n`; fails if negative or too long.
    CheckLength,
    /// `acc -- acc`: records that the slots of the choice are a candidate.
    Found {
        choice: u32,
        exit: u32,
    },
    /// Assigns the resolution of the choice to its slots; if there is none, jumps to `none`.
    Advise {
        choice: u32,
        none: u32,
    },
    /// `holds -- acc`: checks the resolution in the slots of the choice, which may be undecided.
    Advised(u32),
    /// `acc -- acc`; gives up the search for a second candidate after a while: ends `depth`
    /// iterations and jumps to `end`.
    Tick {
        end: u32,
        depth: u32,
    },
    /// `acc --`; stores the candidate, or fails without one.
    Chosen(u32),
    /// `acc --`; stores the candidate; without one, jumps to `els`; if unknown, pushes unknown and
    /// jumps to `end`.
    ChosenOr {
        choice: u32,
        els: u32,
        end: u32,
    },
    /// Starts a section in which a failure pushes unknown and jumps to the target. [`Ins::Untry`]
    /// ends it.
    Try(u32),
    /// Like [`Self::Try`], only for unsupported constructs. Failures propagate.
    TrySupported(u32),
    Untry,
    /// Starts a section in which running out of fuel pushes unknown and jumps to the target.
    /// [`Ins::Unbudget`] ends it. Ghost code may cost more than the code that it specifies.
    Budget(u32),
    Unbudget,
    /// Skips a postcondition: jumps if the activation is the outermost one, whose postconditions
    /// the caller of the interpreter evaluates, or if postconditions used up their share of the
    /// fuel.
    Ensure(u32),
    /// Records the cost of a postcondition.
    Ensured,
    /// Reads the heap of another state (0 is the entry, otherwise a label) until [`Ins::PopHeap`].
    PushHeap(u32),
    PopHeap,
    /// `w -- bool`
    Fresh(u32),
    Allocated,
    /// `acc w -- acc`: whether the objects in `w` are unchanged.
    Unchanged {
        label: u32,
        field: Option<FieldId>,
    },
    /// `set w -- set`; adds the objects in `w`.
    AddObjects,
    /// `object -- value`
    ReadField(FieldId),
    /// `object -- contents`, which may be unassigned.
    Contents(FieldId),
    /// `array indices -- value`
    ReadElement(u32),
    /// `object value --`
    SetField(FieldId),
    /// `object function --`; redefines a function for the object.
    Redefine(CallableId),
    /// `array indices value --`
    SetElement(u32),
    /// `-- object`
    New(u32),
    /// `lengths -- array`
    NewArray {
        ty: u32,
        dims: u32,
    },
    /// `array elements -- array`
    Fill(u32),
    StoresBegin,
    /// `object value --`
    LaterField(FieldId),
    /// `array indices value --`
    LaterElement(u32),
    StoresCommit,
    Snapshot(u32),
    HavocHeap(Option<FieldId>),
    /// Gives arbitrary values to all objects.
    HavocAll,
    /// Reads a constant without a value: an arbitrary value of its type, the same at every read.
    AnyConstant {
        field: FieldId,
        ty: u32,
    },
    Havoc {
        slot: u32,
        ty: u32,
    },
    /// `w --`
    Print(u32),
    /// `cond --`; if true, jumps over the message.
    Expect(u32),
    /// `message --`; halts.
    Halt(u32),
    /// `cond --`
    Assume,
    /// Drops the truth value of a condition that was evaluated for its failures alone.
    WellFormed,
    Assert(AssertKind),
    /// Checks a precondition of a callee as an obligation: the clause with this number.
    Precondition(u32),
    /// Calls a lemma, of which only the precondition matters: `args --`.
    Lemma(u32),
    /// `args -- results`; calls external code.
    Answer(CallableId),
    Enter(BlockId),
    /// Records the current place.
    Note(Noted),
    /// Continues with a probe in activations that record probes; otherwise jumps.
    Probing(u32),
    /// `cond --`; records whether a probe is covered.
    Shown(u32),
    /// Records that control reached a probe, where obligations are goals.
    ComeTo(u32),
    /// Jumps to a block.
    Goto(BlockId),
    /// `cond --`
    Branch {
        then: BlockId,
        els: BlockId,
    },
    Choose(u32),
    /// Stops at a construct that cannot be executed.
    Unsupported(u32),
    /// Ends the execution after a failed assertion.
    Stop,
    /// Returns this number of words from the top of the stack.
    Return(u32),
}

impl Ins {
    /// Returns the jump targets of the instruction itself.
    pub(super) fn targets(&mut self) -> Vec<&mut u32> {
        match self {
            Self::Jump(t)
            | Self::AndLeft(t)
            | Self::OrLeft(t)
            | Self::ImpliesLeft(t)
            | Self::TypeNext(t)
            | Self::Expect(t)
            | Self::Prune(t)
            | Self::Try(t)
            | Self::TrySupported(t)
            | Self::Probing(t)
            | Self::Budget(t)
            | Self::Ensure(t) => vec![t],
            Self::If { els, end } => vec![els, end],
            Self::TypeStart { end, .. }
            | Self::TestConvert { end, .. }
            | Self::Tick { end, .. } => vec![end],
            Self::IterNext { done, .. } => vec![done],
            Self::Quantify { exit, .. } | Self::Found { exit, .. } => vec![exit],
            Self::Guard { next, unknown, .. } => vec![next, unknown],
            Self::ChosenOr { els, end, .. } => vec![els, end],
            Self::Advise { none, .. } => vec![none],
            Self::Push(_)
            | Self::PushInt(_)
            | Self::PushBool(_)
            | Self::Load(_)
            | Self::Take(_)
            | Self::Out(_)
            | Self::Store(_)
            | Self::Pop
            | Self::Dup
            | Self::AndEnd
            | Self::OrEnd
            | Self::ImpliesEnd
            | Self::Not
            | Self::AddInt
            | Self::SubInt
            | Self::MulInt
            | Self::LtInt
            | Self::LeInt
            | Self::Same
            | Self::Differ
            | Self::SameFunctions { .. }
            | Self::OpOnFunctions { .. }
            | Self::Settle(_)
            | Self::NonNull
            | Self::SameSeen { .. }
            | Self::Op { .. }
            | Self::CheckRange(_)
            | Self::TestRange(_)
            | Self::Convert(_)
            | Self::Retype { .. }
            | Self::CheckType(_)
            | Self::Call(_)
            | Self::CallPre { .. }
            | Self::PreCheck { .. }
            | Self::Apply(_)
            | Self::ApplyRequires(_)
            | Self::ApplyPre(_)
            | Self::ApplyCheck
            | Self::ApplyReads(_)
            | Self::Closure { .. }
            | Self::Delay { .. }
            | Self::Look(_)
            | Self::Force
            | Self::ForceShown
            | Self::SameDeeply { .. }
            | Self::PrefixEq
            | Self::Named { .. }
            | Self::IterNew(_)
            | Self::PopIters(_)
            | Self::ProbeEnd { .. }
            | Self::SetInsert
            | Self::MapInsert
            | Self::SeqPush
            | Self::CheckLength
            | Self::Chosen(_)
            | Self::Advised(_)
            | Self::Untry
            | Self::Unbudget
            | Self::Ensured
            | Self::PushHeap(_)
            | Self::PopHeap
            | Self::Fresh(_)
            | Self::Allocated
            | Self::Unchanged { .. }
            | Self::AddObjects
            | Self::ReadField(_)
            | Self::Contents(_)
            | Self::ReadElement(_)
            | Self::SetField(_)
            | Self::Redefine(_)
            | Self::SetElement(_)
            | Self::New(_)
            | Self::NewArray { .. }
            | Self::Fill(_)
            | Self::StoresBegin
            | Self::LaterField(_)
            | Self::LaterElement(_)
            | Self::StoresCommit
            | Self::Snapshot(_)
            | Self::HavocHeap(_)
            | Self::HavocAll
            | Self::AnyConstant { .. }
            | Self::Havoc { .. }
            | Self::Print(_)
            | Self::Halt(_)
            | Self::Assume
            | Self::WellFormed
            | Self::Assert(_)
            | Self::Precondition(_)
            | Self::Lemma(_)
            | Self::Answer(_)
            | Self::Enter(_)
            | Self::Note(_)
            | Self::Shown(_)
            | Self::ComeTo(_)
            | Self::Goto(_)
            | Self::Branch { .. }
            | Self::Choose(_)
            | Self::Unsupported(_)
            | Self::Stop
            | Self::Return(_) => Vec::new(),
        }
    }

    /// Whether control never continues with the next instruction.
    pub(super) fn ends(&self) -> bool {
        matches!(
            self,
            Self::Jump(_)
                | Self::Goto(_)
                | Self::Branch { .. }
                | Self::Choose(_)
                | Self::Unsupported(_)
                | Self::Stop
                | Self::Return(_)
                | Self::Halt(_)
        )
    }
}
