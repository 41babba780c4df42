//! The parts of the encoder's state, each with its invariant.
//!
//! [`Path`] says under which condition the current expression is evaluated, [`Assumed`] what the
//! encoding takes for granted, [`Omissions`] what it does not have. The others number and remember
//! what was created on the way.

use std::cell::OnceCell;
use std::rc::Rc;

use dafny_resolve::typed::{self, CallableId, Type, TypeId};
use dtest_ir::bounds::{BoundKind, Bounds};
use dtest_ir::{self as ir};
use dtest_smt::{Sort, Term, Terms};
use dtest_sorted::{SortedMap, SortedSet};
use rustc_hash::FxHashMap;

use super::collection::Member;
use super::pairs::Pairs;
use super::relax::Relaxed;
use super::value::{self, Made, Rest, SymObject, SymSeq};
use super::{
    Fact, Facts, Hint, Memo, MemoKey, Mode, Opened, Reasons, Sym, Table, activation, answer,
    ration, shared,
};

/// The conditions under which the current expression is evaluated.
#[derive(Debug)]
pub(crate) struct Path {
    /// The condition under which the current expression is evaluated, relative to the innermost
    /// isolated evaluation.
    pub guard: Term,
    /// The condition under which evaluation succeeded so far.
    pub defined: Term,
    /// The last guard under which evaluation does not succeed at all, because a bound was crossed.
    pub failed: Option<Term>,
    /// The path conditions of the active activations.
    pub conditions: Vec<Term>,
    /// The nesting depth of specifications under evaluation.
    pub specifying: u32,
}

impl Path {
    /// Creates the path at the start of a unit.
    pub fn new(t: &Terms) -> Self {
        Self {
            guard: t.tt,
            defined: t.tt,
            failed: None,
            conditions: Vec::new(),
            specifying: 0,
        }
    }
}

/// The facts that hold in every model, and the literals by which facts can be dropped.
#[derive(Debug, Default)]
pub(crate) struct Assumed {
    /// Facts about fresh variables, types of inputs, and preconditions.
    pub facts: Vec<Term>,
    /// The literal of each unchecked assumption of the program.
    pub givens: Facts,
    /// The fact that justifies the type of the next input, if that input is the result of external
    /// code.
    pub answered_by: Option<Fact>,
    /// The literals of facts, if facts were requested.
    pub relax: Option<Relaxed>,
    /// The literals of obligations, if obligations were requested.
    pub obligations: Option<Facts>,
}

/// Executions and inputs that the encoding does not have, and what of it can be seen in a model.
#[derive(Clone, Debug)]
pub(crate) struct Omissions {
    /// For each kind of bound, the literal that inputs are within it.
    pub limits: SortedMap<BoundKind, Term>,
    /// For each kind of bound, the literal that executions are not cut by it.
    pub cuts: SortedMap<BoundKind, Term>,
    /// The kinds of bounds that an execution crosses or that limit the inputs.
    pub crossed: SortedSet<BoundKind>,
    /// The kinds of bounds that cut an execution.
    pub cut: SortedSet<BoundKind>,
    /// Whether some inputs within the bounds are excluded without a literal that represents them.
    pub is_partial: bool,
    /// The size of the most restricted collection among the inputs. It is below the bound where
    /// collections are nested.
    pub least_size: u32,
    /// The number of objects of the most restricted class or array type. Arrays are costly.
    pub least_objects: u32,
    /// The reasons why something could not be encoded.
    pub reasons: Reasons,
    /// Whether a choice was resolved in one of several possible ways.
    pub choices: bool,
    /// The reasons why something was encoded for some values only.
    pub narrowed: Reasons,
    /// Whether the encoding relies on contracts that are not checked.
    pub relies: bool,
}

impl Omissions {
    /// Creates the omissions of an encoding that has everything so far.
    pub fn new(t: &mut Terms, bounds: Bounds, mode: Mode) -> Self {
        // Under cut nothing past a bound exists, so the literals are constant and cost the solver
        // nothing.
        let mut literals = |name: &str| -> SortedMap<BoundKind, Term> {
            let mut literal = |k| match mode {
                Mode::Cut => t.tt,
                Mode::Havoc => t.fresh(&format!("{name}_{k:?}"), Sort::Bool),
            };
            BoundKind::ALL
                .into_iter()
                .map(|k| (k, literal(k)))
                .collect()
        };
        let (limits, cuts) = (literals("within"), literals("followed"));
        Self {
            limits,
            cuts,
            crossed: SortedSet::new(),
            cut: SortedSet::new(),
            is_partial: false,
            least_size: bounds.collection,
            least_objects: bounds.objects,
            reasons: Reasons::default(),
            choices: false,
            narrowed: Reasons::default(),
            relies: false,
        }
    }
}

/// Counts of work, which end an encoding that becomes too large.
#[derive(Debug)]
pub(crate) struct Work {
    /// Whether the encoding was given up.
    pub exhausted: bool,
    /// The number of collection elements that operators created.
    pub elements: usize,
    /// The number of inlined activations of each callee.
    pub copies: FxHashMap<CallableId, u32>,
    /// The number of inlined activations in total.
    pub activated: u32,
    /// Whether the calls are too many to be inlined.
    pub overflows: bool,
    /// The number of activations of each callable that are being encoded.
    pub active: FxHashMap<CallableId, u32>,
    /// The nesting depth of evaluations of functions.
    pub nesting: u32,
    /// The product of the path counts of the callees entered since it was last reset: an upper
    /// bound.
    pub inner_paths: u64,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            exhausted: false,
            elements: 0,
            copies: FxHashMap::default(),
            activated: 0,
            overflows: false,
            active: FxHashMap::default(),
            nesting: 0,
            inner_paths: 1,
        }
    }
}

/// The parts of collections beyond the bound: a fresh variable for each collection.
#[derive(Debug, Default)]
pub(crate) struct Rests {
    /// The last number used for [`Rest::Unknown`].
    pub last: u32,
    /// The remainder of each collection that an operator made of these operands.
    pub known: FxHashMap<(Made, Vec<Sym>), Rest>,
    /// The sequences that others are slices of, by their rest.
    pub slices: FxHashMap<Rest, Rc<SymSeq>>,
    /// The operations that made sequences, by the rest of the result, in encodings of described
    /// sequences.
    pub derived: FxHashMap<Rest, (Made, Vec<Sym>)>,
    /// The number of such operations that the element being encoded went through.
    pub nesting: u32,
    /// The elements of sequences at places beyond the slots.
    pub elements: FxHashMap<(SymSeq, Term), Sym>,
    /// Described sequences that were compared, with the condition under which they are equal.
    pub compared: Vec<(SymSeq, SymSeq, Term)>,
    /// Membership of elements and keys beyond the slots of a set or map.
    pub members: FxHashMap<(usize, Sym), Member>,
    /// The condition that the remainder of a collection has further elements.
    pub fewer: FxHashMap<(Made, Vec<Sym>), Term>,
}

/// The collections of objects that a call of a function without a body reads.
#[derive(Clone, Debug)]
pub(crate) struct FrameAsked {
    /// The collections, and the field that is read if it is only one.
    pub parts: Vec<(value::Sym, Option<typed::FieldId>)>,
    /// The heap in which they are read.
    pub heap: value::Heap,
    /// The same number for calls that read the same.
    pub number: Term,
}

/// Objects, by number: inputs first, then those that are allocated.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// The number of heaps so far.
    pub heap_versions: u64,
    /// The next object number.
    pub next: u32,
    /// The reference types that the unit distinguishes. Inputs of type `object` have these dynamic
    /// types.
    pub distinguished: Vec<Type>,
    /// The numbers of the objects of each type.
    pub by_type: SortedMap<Type, Vec<u32>>,
    /// The results of unknown functions, by arguments.
    pub tables: Vec<Table>,
    /// The redefined functions of objects that were allocated on the way, by object number and
    /// first declaration of the function.
    pub redefined: SortedMap<(u32, CallableId), Sym>,
    /// The heaps in which functions without bodies that may read the whole heap were called.
    pub heaps_asked: Vec<value::Heap>,
    /// The frames of calls of functions without bodies that read collections of objects, by function
    /// and type arguments.
    pub frames_asked: SortedMap<(CallableId, Vec<Type>), Vec<FrameAsked>>,
    /// Known contents of objects beyond the table, by the version of the heap.
    pub beyond: FxHashMap<u64, super::beyond::Places>,
    /// Whether references in new values mean objects of the current heap instead of those of the
    /// inputs.
    pub in_copy: bool,
}

/// The variables of the inputs, and what is known of them.
#[derive(Debug, Default)]
pub(crate) struct InputTerms {
    /// Preferences for small and plain inputs.
    pub hints: Vec<Hint>,
    /// The scalar variables of the inputs.
    pub leaves: Vec<Term>,
    /// Known intervals of terms: lengths of inputs.
    pub intervals: FxHashMap<Term, (Option<i64>, Option<i64>)>,
    /// The number of parameters of the unit that are references.
    pub reference_params: u32,
    /// Whether the next reference is a parameter of the unit itself.
    pub at_parameter: bool,
    /// The number of input objects. They have the smallest object numbers.
    pub objects: u32,
    /// The lengths beyond the bounds that input sequences and arrays may have.
    pub lengths: Vec<u32>,
}

/// Results of external code.
#[derive(Debug, Default)]
pub(crate) struct External {
    /// The results of external code, in call order on every path.
    pub answers: Vec<answer::Answered>,
    /// The table of each external function.
    pub tables: SortedMap<(CallableId, Vec<Type>), u32>,
    /// The objects that results created, with their contents at that time. A test creates them
    /// before the call, where nothing but the stub refers to them.
    pub made: SortedMap<u32, Rc<SymObject>>,
    /// While a result is created: the number of new objects whose contents are being created.
    pub answering: Option<u32>,
    /// The arguments of the call whose result is created, which the result may refer to.
    pub passed: Vec<Term>,
    /// The classes whose objects code without a body may modify; `None` for all classes.
    pub hidden: OnceCell<Option<SortedSet<TypeId>>>,
}

/// Resolutions of the program's choices.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// Whether choices are free: any possible resolution is taken instead of that of the rule for
    /// choices.
    pub free: bool,
    /// The unrolling bound of loops that choose between leaving and going on.
    pub rounds: Option<u32>,
    /// Free choices, in execution order.
    pub opened: Vec<Opened>,
}

/// Calls: results that equal calls share, copies of callees, and facts about callees.
#[derive(Debug)]
pub(crate) struct Calls<'p> {
    /// The results of equal applications of functions.
    pub memo: FxHashMap<MemoKey, Memo>,
    /// The shared results of equal calls of methods that do not change the heap.
    pub returned: FxHashMap<MemoKey, ration::Returned>,
    /// Shared copies of callees, by callee, type arguments and recursion depth.
    pub shared: FxHashMap<(CallableId, Vec<Type>, u32), Vec<shared::Shared>>,
    /// The observed calls, which summarize calls without a copy.
    pub pairs: Pairs,
    /// The values of constants.
    pub constants: FxHashMap<(typed::FieldId, Vec<Type>), Sym>,
    /// A cache of [`ir::Program::effects`].
    pub effects: FxHashMap<CallableId, Rc<ir::Effects>>,
    /// A cache of [`ir::Program::is_small`]: small callees are always inlined.
    pub small: FxHashMap<CallableId, bool>,
    /// The table of callables that may choose.
    pub choosers: ir::Choosers,
    /// Whether an unknown function may call a callable whose goals count.
    pub may_call_anything: bool,
    /// The activations of the entry's callees and of inlined calls, if they have goals.
    pub activations: Option<activation::Activations<'p>>,
    /// Whether goals of inlined calls and branches in callees are encoded.
    pub has_inner_goals: bool,
}

impl Default for Calls<'_> {
    fn default() -> Self {
        Self {
            memo: FxHashMap::default(),
            returned: FxHashMap::default(),
            shared: FxHashMap::default(),
            pairs: Pairs::default(),
            constants: FxHashMap::default(),
            effects: FxHashMap::default(),
            small: FxHashMap::default(),
            choosers: ir::Choosers::default(),
            may_call_anything: false,
            activations: None,
            has_inner_goals: true,
        }
    }
}
