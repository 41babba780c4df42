//! The flat code that the machine runs.

use std::rc::Rc;

use num_bigint::BigInt;

use super::word::Word;
use crate::ir::{AssertKind, BlockId, Op};
use crate::reason::Reason;
use dafny_resolve::typed::{CallableId, FieldId, Type, TypeId, TypeParamId};
use dafny_syntax::source::{Name, Span};

/// Whether code belongs to a specification or to what is compiled. Compiled code checks the preconditions of what
/// it calls, runs the `by method` bodies of functions and counts its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    Spec,
    Compiled,
}

/// What code was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CodeKey {
    /// A function's expression.
    Function(CallableId, Mode),
    /// A callable's blocks.
    Procedure(CallableId),
    /// A lambda's body.
    Lambda(u32, Mode),
    /// A lambda's precondition, as a condition.
    LambdaRequires(u32),
    /// A lambda's frame, as a set of objects.
    LambdaReads(u32),
    /// All preconditions of a callable, as a condition.
    Pre(CallableId),
    /// What a function reads, as a set of objects.
    Reads(CallableId),
    /// What a method modifies, as a set of objects.
    Modifies(CallableId),
    /// One part of a `modifies` clause, as a set of objects.
    Frame(CallableId, usize),
    /// The value that the postconditions give an out-parameter by an equation, over the parameters.
    Defined(CallableId, usize),
    /// The value that the postconditions of a constructor give a field of its object by an equation, over the parameters.
    DefinedField(CallableId, FieldId),
    /// One precondition.
    Requires(CallableId, usize),
    /// A component of the measure.
    Measure(CallableId, usize),
    /// What one part of a `modifies` clause says: an object or a collection of objects.
    Modified(CallableId, usize),
    /// What one part of a `reads` clause says.
    Read(CallableId, usize),
    /// One postcondition, over parameters and out-parameters.
    Ensures(CallableId, usize),
    /// A constant.
    Constant(FieldId),
    /// A constraint of a subset type or newtype.
    Constraint(TypeId),
    /// A witness.
    Witness(TypeId),
    /// A way in which the contract holds: of a precondition over parameters, of a postcondition with out-parameters too.
    Way(CallableId, usize),
    /// Whether a word is a value of the type.
    HasType(Type),
}

impl CodeKey {
    /// The callable that the code belongs to.
    pub(super) fn callable(&self) -> Option<CallableId> {
        match self {
            Self::Function(id, _)
            | Self::Procedure(id)
            | Self::Pre(id)
            | Self::Reads(id)
            | Self::Modifies(id)
            | Self::Frame(id, _)
            | Self::Defined(id, _)
            | Self::DefinedField(id, _)
            | Self::Requires(id, _)
            | Self::Measure(id, _)
            | Self::Modified(id, _)
            | Self::Read(id, _)
            | Self::Ensures(id, _)
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

/// Compiled code.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) ins: Vec<Ins>,
    /// The source of each instruction.
    pub(super) spans: Vec<Span>,
    /// Slots of a frame; parameters come first.
    pub(super) slots: u32,
    /// How many of them are parameters.
    pub(super) params: u32,
    pub(super) type_params: Vec<TypeParamId>,
    pub(super) mode: Mode,
    /// Whose blocks these are.
    pub(super) callable: Option<CallableId>,
    /// The callable that it belongs to, its contract included.
    pub(super) origin: Option<CallableId>,
    /// Slots that a trace shows, with the places of their declarations.
    pub(super) watched: Vec<(u32, Span)>,
    /// Whether the heap at the entry is asked for.
    pub(super) needs_entry: bool,
    /// Whether it is a constructor's: the first parameter is the object that it makes.
    pub(super) constructs: bool,
    /// Whether it is the value of a constant of compiled code, which is computed like specifications, but chosen in the program.
    pub(super) is_constant: bool,
    pub(super) consts: Vec<Word>,
    pub(super) ops: Vec<Op>,
    pub(super) types: Vec<Type>,
    pub(super) names: Vec<Name>,
    /// Why what stands here is not executed.
    pub(super) reasons: Vec<Reason>,
    pub(super) sites: Vec<Site>,
    pub(super) iters: Vec<IterSite>,
    /// Clauses of [`Ins::Precondition`].
    pub(super) clauses: Vec<Span>,
    pub(super) choices: Vec<Choice>,
    pub(super) ranges: Vec<Range>,
    /// Where each block begins; empty for expressions.
    pub(super) blocks: Vec<u32>,
    /// Where control may go on by a choice.
    pub(super) alternatives: Vec<Alternatives>,
    /// What is known of the slots.
    pub(super) slot_names: Vec<SlotInfo>,
}

/// What is known of a slot.
#[derive(Debug, Clone)]
pub(super) struct SlotInfo {
    /// Its name, for messages.
    pub(super) name: Name,
    pub(super) ty: Type,
    /// Whether nobody may read it before it is assigned, whatever the rules of definite assignment.
    pub(super) definite: bool,
    /// Whether nobody wrote its type.
    pub(super) inferred: bool,
}

/// Blocks of which any may follow.
#[derive(Debug, Clone)]
pub(super) struct Alternatives {
    pub(super) among: Vec<BlockId>,
    /// Whether the word on the stack says if another than the first may.
    pub(super) asks: bool,
}

/// The variables of a `:|`.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) slots: Vec<u32>,
    /// Whether all are ghost.
    pub(super) ghost: bool,
}

/// A range of integers, `low ≤ v < high`.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
    /// The same in machine integers, where everything that fits there is told apart by it.
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
        // an upper bound beyond i64 admits every small integer; `small.1` is inclusive
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

/// A call.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) target: Target,
    pub(super) type_args: TypeArgs,
    pub(super) argc: u32,
    /// For two-state callees: the state that is their old one.
    pub(super) label: Option<u32>,
}

/// What is called.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// A function in an expression.
    Function(CallableId),
    /// A method or constructor, or a function in statement position.
    Method(CallableId),
    /// Other code.
    Code(CodeKey),
}

/// Type arguments of a call.
#[derive(Debug, Clone)]
pub(super) enum TypeArgs {
    /// Those of the caller.
    Same,
    /// These.
    Fixed(Rc<[Type]>),
    /// These, over the caller's parameters.
    Open(Vec<Type>),
}

/// What an iteration runs over; operands are taken from the stack.
#[derive(Debug, Clone)]
pub(super) enum IterKind {
    /// From the first operand up to the second, exclusive.
    Ints,
    /// Upwards without end.
    Up,
    /// Downwards without end, from the operand minus one.
    Down,
    /// 0, 1, -1, 2, -2, …
    Outward,
    /// The operand alone.
    Exact,
    /// The elements of the operand.
    Elements,
    /// The subsets of the operand.
    Subsets,
    /// The prefixes of the operand.
    Prefixes,
    /// All values of a type.
    AllValues(u32),
    /// Values within the operand that are of a type.
    Subterms(u32),
    /// All objects that there are.
    Allocated,
    /// All values of a type if there are at most `max`; else a few, to refute with.
    Probe { ty: u32, max: usize },
}

/// The start of an iteration.
#[derive(Debug, Clone)]
pub(super) struct IterSite {
    pub(super) kind: IterKind,
    /// Iterations of the same nest that are under way.
    pub(super) depth: u32,
    /// Where to go on when the operand is unknown; the accumulator is then unknown too.
    pub(super) unknown: u32,
}

/// What a trace records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    /// A statement is about to be executed.
    Statement,
    /// A loop is come to.
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
    /// `-- slot`, which is not read again.
    Take(u32),
    /// `-- slot`, assigned or not: an out-parameter at the end.
    Out(u32),
    /// `w --`
    Store(u32),
    Pop,
    /// `w -- w w`
    Dup,
    Jump(u32),
    /// `cond --`; unknown: pushes unknown and goes to `end`.
    If {
        els: u32,
        end: u32,
    },
    /// `a -- a`; decided: goes to `end`.
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
    /// `a b -- bool`; functions that are not the same one are not known to differ.
    SameFunctions {
        negate: bool,
    },
    /// `operands -- result`; an operator that compares values of the type, which may hold functions.
    OpOnFunctions {
        op: u32,
        argc: u32,
        ty: u32,
    },
    /// `value -- value`; fails where the value is null, or null is an element of it.
    NonNull,
    /// `value -- value`; unknown where elements or keys of the value, which is of the type, may be equal or not: they hold functions.
    Settle(u32),
    /// `a b -- bool`; of two values of a trait that differ in their newtypes alone it is not known: Dafny's verifier calls them equal.
    SameSeen {
        negate: bool,
    },
    /// `operands -- result`
    Op {
        op: u32,
        argc: u32,
    },
    /// `n -- n`; fails outside the range.
    CheckRange(u32),
    /// `n -- bool`
    TestRange(u32),
    /// `w -- converted`, to a type's representation.
    Convert(u32),
    /// `w -- w`: values of newtypes in it are given their types, or lose them, on the way from one type to another.
    Retype {
        from: u32,
        to: u32,
    },
    /// `w -- converted`, or `w -- false` and to `end` where it cannot be converted.
    TestConvert {
        ty: u32,
        end: u32,
    },
    /// `f args -- f args bool`: whether the function may be applied.
    ApplyPre(u32),
    /// `bool --`; false: the function may not be applied.
    ApplyCheck,
    /// `bool --`; false: the word below is not of the type.
    CheckType(u32),
    /// `w -- true` and begins to check the constraints in it, or `w -- false` and goes to `end`.
    TypeStart {
        ty: u32,
        end: u32,
    },
    /// Calls the next constraint; none: ends the iteration and goes to `done`.
    TypeNext(u32),
    Call(u32),
    /// `args -- args bool`: calls the precondition, or one clause of it.
    CallPre {
        site: u32,
        part: Option<u32>,
    },
    /// `bool --`; false: the precondition of the call, or that clause of it, is broken.
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
    /// `value -- argument` of a codatatype's constructor.
    Look(FieldId),
    /// `w -- w`, computed where it is lazy.
    Force,
    /// `w -- w`, with what its printed form shows computed.
    ForceShown,
    /// `a b -- bool`, by what the values are as far as the interpreter looks into codatatypes.
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
    /// Next candidate into the slot; none: ends the iteration and goes to `done`.
    IterNext {
        slot: u32,
        done: u32,
    },
    PopIters(u32),
    /// `acc bool -- acc`; decided: goes to `exit`.
    Quantify {
        forall: bool,
        exit: u32,
    },
    /// `acc bool -- acc`; false: to `next`; unknown: ends `depth` iterations, to `unknown`.
    Guard {
        next: u32,
        unknown: u32,
        depth: u32,
    },
    /// `bool --`; false: to that candidate.
    Prune(u32),
    /// `all acc -- acc`: what a loop over a few probes, not all values, has not decided is unknown.
    ProbeEnd {
        forall: bool,
    },
    /// `set w -- set`
    SetInsert,
    /// `map k v -- map`
    MapInsert,
    /// `seq w -- seq`
    SeqPush,
    /// `n -- n`; negative or too long: fails.
    CheckLength,
    /// `acc -- acc`: the slots of the choice satisfy it.
    Found {
        choice: u32,
        exit: u32,
    },
    /// Gives the slots of the choice the values that somebody says it takes; nobody says: goes to `none`.
    Advise {
        choice: u32,
        none: u32,
    },
    /// `holds -- acc`: the slots of the choice satisfy it, or whether they do is not known.
    Advised(u32),
    /// `acc -- acc`: gives up looking for a second candidate after a while: ends `depth` iterations, to `end`.
    Tick {
        end: u32,
        depth: u32,
    },
    /// `acc --`: stores what was found; nothing: fails.
    Chosen(u32),
    /// `acc --`: stores what was found; nothing: goes to `els`; unknown: pushes unknown and goes to `end`.
    ChosenOr {
        choice: u32,
        els: u32,
        end: u32,
    },
    /// A failure before [`Ins::Untry`] pushes unknown and goes there.
    Try(u32),
    /// As [`Self::Try`], of what is not supported: failures go on.
    TrySupported(u32),
    Untry,
    /// What runs out of fuel before [`Ins::Unbudget`] pushes unknown and goes there: ghost code may cost more than
    /// the code that it is about.
    Budget(u32),
    Unbudget,
    /// Before a postcondition of the activation at hand is evaluated: goes there where nobody is to ask for it, since it is the outermost
    /// one, of which who runs it asks, or since postconditions took their part of the fuel.
    Ensure(u32),
    /// What a postcondition cost is noted.
    Ensured,
    /// Reads the heap of a state (0: the entry, else a label) until [`Ins::PopHeap`].
    PushHeap(u32),
    PopHeap,
    /// `w -- bool`
    Fresh(u32),
    Allocated,
    /// `acc w -- acc`: whether the objects in `w` are as they were.
    Unchanged {
        label: u32,
        field: Option<FieldId>,
    },
    /// `set w -- set`: adds the objects in `w`.
    AddObjects,
    /// `object -- value`
    ReadField(FieldId),
    /// `object -- contents`, which may be unset.
    Contents(FieldId),
    /// `array indices -- value`
    ReadElement(u32),
    /// `object value --`
    SetField(FieldId),
    /// `object function --`: the object answers the function itself.
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
    /// Gives all objects other values.
    HavocAll,
    /// A constant without a value: any value of its type, the same wherever it is read.
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
    /// `cond --`; false: goes on to the message.
    Expect(u32),
    /// `message --`: halts.
    Halt(u32),
    /// `cond --`
    Assume,
    Assert(AssertKind),
    /// An obligation that is a callee's precondition: the clause of this number.
    Precondition(u32),
    /// A call of a lemma, of which only the precondition matters: `args --`.
    Lemma(u32),
    /// `args -- results`: what stands in for external code answers.
    Answer(CallableId),
    Enter(BlockId),
    /// Records where control is.
    Note(Noted),
    /// Goes on where probes are recorded: in the outermost activation; else jumps.
    Probing(u32),
    /// `cond --`: a probe and whether it is shown.
    Shown(u32),
    /// Records that control has come to a probe, where obligations are goals.
    ComeTo(u32),
    /// To a block.
    Goto(BlockId),
    /// `cond --`
    Branch {
        then: BlockId,
        els: BlockId,
    },
    Choose(u32),
    /// Something that cannot be executed.
    Unsupported(u32),
    /// After a failed assertion.
    Stop,
    /// Returns the upper words.
    Return(u32),
}

impl Ins {
    /// The jump targets of the instruction itself.
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

    /// Whether control never goes on to the next instruction.
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
