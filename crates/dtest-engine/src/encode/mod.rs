//! The symbolic interpreter of the IR: a unit becomes terms over a finite value domain, a model becomes inputs.
//!
//! The encoder walks the same blocks as the interpreter, over symbolic values, with forward path conditions
//! and states merged by if-then-else where paths join. Loops are unrolled and calls inlined up to the bounds.
//! Where a bound is crossed, the [`Mode`] says what happens: *cut* ends the path, so that every model is an
//! execution (used to find tests); *havoc* goes on with an unconstrained result, so that every execution has a
//! model (used to prove that nothing reaches a block).
//!
//! Models are proposals: what cannot be encoded is over-approximated by fresh values with the reason on record, and
//! the interpreter decides.

mod activation;
mod answer;
mod bounds;
mod collection;
mod decode;
mod expr;
mod function;
mod heap;
mod input;
mod operator;
mod order;
mod pairs;
mod quantifier;
mod ration;
mod redefined;
mod relax;
mod shared;
mod two_state;
mod value;
mod walk;
mod ways;

pub use bounds::{Bounds, Scope};
pub use pairs::Pairs;
pub use relax::{Fact, Facts, in_core};
pub use value::{Heap, Sym};

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::interp::{Guide, Inputs, Opening};
use crate::ir::{self, GoalId};
use crate::reason::{Reason, Reasons, Stopped, Unencoded};
use crate::smt::{Assignment, Renaming, Sort, Term, Terms};
use crate::value::{Template, Value};
use dafny_resolve::typed::{self, CallableId, Substitution, Type};
use dtest_sorted::{SortedMap, SortedSet};

/// What crossing a bound means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The path ends.
    Cut,
    /// The result is unconstrained.
    Havoc,
}

/// The kinds of bounds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum BoundKind {
    /// [`Bounds::collection`].
    Collection,
    /// [`Bounds::depth`].
    Depth,
    /// [`Bounds::unroll`].
    Unroll,
    /// [`Bounds::inline`].
    Inline,
    /// [`Bounds::objects`].
    Objects,
    /// [`Bounds::calls`].
    Calls,
}

impl BoundKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Collection,
        Self::Depth,
        Self::Unroll,
        Self::Inline,
        Self::Objects,
        Self::Calls,
    ];
}

/// A unit as terms.
#[derive(Debug)]
pub struct Encoding<'p> {
    encoder: Encoder<'p>,
    /// Conditions on the inputs: types and preconditions.
    pub assumptions: Vec<Term>,
    /// For every goal: that the execution reaches it.
    pub reached: SortedMap<GoalId, Term>,
    /// Goals of which something could not be encoded that nothing else needs, with the reason.
    pub blurred: SortedMap<GoalId, Reason>,
    /// That each branch of the unrolled graph is taken.
    pub edges: Vec<Term>,
    /// Paths of the unrolled graph from the entry to an end, feasible or not.
    pub paths: u64,
    /// That the execution ends without a failure.
    pub ends: Term,
    /// Literals of what a proof may rest on, where they were asked for.
    pub facts: Facts,
    /// Literals of what the program takes for granted and nobody checks ([`Fact::is_assumed`]), unless they are among [`Self::facts`].
    pub givens: Facts,
    /// Literals that say that no input is beyond a bound of the kind; under [`Mode::Cut`] none is.
    pub limits: SortedMap<BoundKind, Term>,
    /// Literals that say that no execution is cut at a bound of the kind, however small its inputs are: a loop that goes on, a call
    /// that is not followed, a collection that is made on the way. Under [`Mode::Cut`] every such execution is left out.
    pub cuts: SortedMap<BoundKind, Term>,
    /// Kinds of bounds that something crosses or that limit the inputs.
    pub crossed: SortedSet<BoundKind>,
    /// Kinds of bounds at which executions are cut, among [`Self::crossed`].
    pub cut: SortedSet<BoundKind>,
    /// Whether inputs within the bounds are left out which no literal stands for: objects of further classes.
    pub is_partial: bool,
    /// For every obligation: that an execution comes to it, whether it is kept or broken there.
    pub come: SortedMap<GoalId, Term>,
    /// What was over-approximated because it cannot be encoded.
    pub reasons: Reasons,
    /// Whether the encoding was given up because it grew too large.
    pub exhausted: bool,
    /// Whether that was because too many calls were followed: [`Bounds::calls`] helps.
    pub overflows: bool,
    /// Whether something was chosen by the rule for choices where Dafny allows others.
    pub choices: bool,
    /// Why inputs are left out that no bound excludes.
    pub narrowed: Reasons,
    /// Whether executions are left out that violate an obligation which compiled code does not check.
    pub relies: bool,
    /// Integer terms of the inputs with how they read best: for small values.
    pub hints: Vec<Hint>,
    /// Copies of the encoding in the last query over several executions.
    pub copies: Vec<Renaming>,
    inputs: Vec<(Sym, Type)>,
    type_args: Vec<Type>,
    heap: Heap,
}

/// What a person likes to see in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A number near zero.
    Number(Term),
    /// A letter.
    Char(Term),
    /// A short collection.
    Size(Term),
}

/// Encodes `unit` with the given type arguments (concrete types).
///
/// # Errors
///
/// A reason in the user's terms where there is nothing to encode.
pub fn encode<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
    mode: Mode,
) -> Result<Encoding<'p>, Reason> {
    encode_from(Encoder::new(program, bounds, mode), unit, type_args)
}

/// Encodes `unit` as [`encode`] does, with pairs for calls that find no copy of their callee ([`Bounds::calls`]), if `tells_apart` for goals by
/// way of calls and paths through callees too ([`ir::Program::inlined`]); else these are as if nothing reached them.
///
/// # Errors
///
/// As for [`encode`].
pub fn encode_for<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    (bounds, mode): (Bounds, Mode),
    pairs: Pairs,
    tells_apart: bool,
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, mode);
    (encoder.pairs, encoder.tells_apart) = (pairs, tells_apart);
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Havoc`] with a literal for every fact that a proof may rest on ([`Encoding::facts`]),
/// proof obligations and postconditions of callees among them; with `definitions` also for the values that variables get.
///
/// # Errors
///
/// As for [`encode`].
pub fn encode_facts<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
    definitions: bool,
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, Mode::Havoc);
    encoder.relax = Some(relax::Relaxed {
        definitions,
        ..relax::Relaxed::default()
    });
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Havoc`] with a literal for every obligation that executions may break ([`Encoding::facts`]): proof
/// obligations, what has to be well-formed, the postconditions of the unit. An execution that breaks none has a model in which all hold.
///
/// # Errors
///
/// As for [`encode`].
pub fn encode_obligations<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, Mode::Havoc);
    encoder.obligations = Some(Facts::new());
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Cut`] with every choice free: a model is an execution under some resolution of its choices. `rounds`:
/// iterations of a loop that may be left or go on by choice, where they are other than those of other loops.
///
/// # Errors
///
/// As for [`encode`].
pub fn encode_free<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
    rounds: Option<u32>,
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, Mode::Cut);
    (encoder.free, encoder.rounds) = (true, rounds);
    encode_from(encoder, unit, type_args)
}

fn encode_from<'p>(
    mut encoder: Encoder<'p>,
    unit: CallableId,
    type_args: &[Type],
) -> Result<Encoding<'p>, Reason> {
    let program = encoder.program;
    let procedure = program.procedures.get(&unit).ok_or(Stopped::NoBody)?;
    let (tt, ff) = (encoder.t.tt, encoder.t.ff);
    let (system, inlined) = (
        program.systems.get(&unit),
        program.inlined.get(&unit).filter(|_| encoder.tells_apart),
    );
    encoder.may_call_anything = system.is_some() || encoder.bounds.is_rationed();
    if encoder.may_call_anything || inlined.is_some() {
        encoder.activations = Some(activation::Activations::of(unit, (system, inlined), ff));
    }
    let subst: Rc<Substitution> = Rc::new(
        procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect(),
    );
    let is_constructor = program.typed[unit].kind == typed::CallableKind::Constructor;
    let mut params: Vec<(usize, &str, Type)> = Vec::new();
    for (i, p) in procedure.params.iter().enumerate() {
        let Some(info) = procedure.vars.get(p.0 as usize) else {
            continue;
        };
        params.push((i, &info.name, info.ty.subst(&subst)));
    }
    encoder.told = program.told_objects(unit);
    encoder.reference_params = params
        .iter()
        .filter(|(_, _, ty)| program.typed.is_reference(ty))
        .count() as u32;
    // `object` means the objects of the other inputs: those come first.
    params.sort_by_key(|(_, _, ty)| input::mentions_object(ty));
    let mut inputs = Vec::new();
    for (i, name, ty) in params {
        if let Some(relax) = &mut encoder.relax {
            relax.parameter = Some(i as u32);
        }
        encoder.at_parameter = program
            .typed
            .is_reference(&program.typed.representation(&ty));
        let value = if i == 0 && is_constructor {
            encoder.blank_object(&ty)
        } else {
            encoder.input(name, &ty)
        };
        inputs.push((i, value, ty));
    }
    inputs.sort_by_key(|(i, _, _)| *i);
    let inputs: Vec<(Sym, Type)> = inputs
        .into_iter()
        .map(|(_, value, ty)| (value, ty))
        .collect();
    encoder.input_objects = encoder.next_object;
    let heap = encoder.heap.clone();
    let args: Vec<Sym> = inputs.iter().map(|(v, _)| v.clone()).collect();
    // What begins in the earlier of two states asks for its precondition in the later one.
    if let Some(contract) = program
        .contracts
        .get(&unit)
        .filter(|_| !program.is_in_two_states(unit))
    {
        let mut frame = Frame::new(&contract.vars, Rc::clone(&subst));
        frame.bind(&contract.params, &args);
        for (i, clause) in (0..).zip(&contract.requires) {
            let (holds, defined) =
                encoder.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            let both = encoder.t.and(defined, holds);
            let both = encoder.relaxed(Fact::Precondition(i), both);
            encoder.facts.push(both);
        }
    }
    let mut all = walk::Reached::default();
    let end = encoder.walk(procedure, &args, &subst, tt, Some(&mut all));
    let mut ends = end.ends;
    encoder.oblige_postconditions(unit, &args, &subst, &heap, &end);
    encoder.settle_activations(&mut all, &mut ends);
    let walk::Reached {
        goals: mut reached,
        come,
        edges,
        paths,
        ..
    } = all;
    let goals: SortedSet<GoalId> = program.sought(unit).into_iter().collect();
    reached.retain(|g, _| goals.contains(g));
    for g in goals {
        reached.entry(g).or_insert(encoder.t.ff);
    }
    let blurred = encoder.ways(unit, &args, &subst, &heap, &end, &mut reached);
    Ok(Encoding {
        assumptions: std::mem::take(&mut encoder.facts),
        reached,
        blurred,
        edges,
        paths,
        ends,
        givens: std::mem::take(&mut encoder.givens),
        facts: encoder
            .relax
            .take()
            .map(|r| r.literals)
            .or(encoder.obligations.take())
            .unwrap_or_default(),
        limits: encoder.limits.clone(),
        cuts: encoder.cuts.clone(),
        crossed: encoder.crossed.clone(),
        cut: encoder.cut.clone(),
        is_partial: encoder.is_partial,
        come,
        reasons: encoder.reasons.clone(),
        exhausted: encoder.exhausted,
        overflows: encoder.overflows,
        choices: encoder.choices,
        narrowed: std::mem::take(&mut encoder.narrowed),
        relies: encoder.relies,
        hints: std::mem::take(&mut encoder.hints),
        copies: Vec::new(),
        inputs,
        type_args: type_args.to_vec(),
        heap,
        encoder,
    })
}

impl Encoding<'_> {
    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.encoder.t
    }

    /// The terms, to make further ones.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.encoder.t
    }

    /// The inputs that a model stands for; `None` where a value has no concrete form (an irrational number, a
    /// value that the encoding knows nothing of).
    pub fn decode(&self, model: &Assignment) -> Option<Inputs> {
        decode::Decoder::new(&self.encoder, model, &self.heap).inputs(&self.inputs, &self.type_args)
    }

    /// The inputs that a model stands for, and what it takes where something is left open.
    pub fn decode_freely(&self, model: &Assignment) -> Option<(Inputs, Guide)> {
        decode::Decoder::new(&self.encoder, model, &self.heap).freely(&self.inputs, &self.type_args)
    }

    /// The bounds in force.
    pub fn bounds(&self) -> Bounds {
        self.encoder.bounds
    }

    /// The bounds in force, with the sizes that every input may have: those of the smallest collection and of the class with the fewest
    /// objects.
    pub fn least_bounds(&self) -> Bounds {
        Bounds {
            collection: self.encoder.bounds.collection.min(self.encoder.least_size),
            objects: self.encoder.bounds.objects.min(self.encoder.least_objects),
            ..self.encoder.bounds
        }
    }

    /// Whether the encoding says all: no bound limits it, nothing is left out, and nothing is chosen where Dafny allows others. Then what
    /// no model reaches, no execution does.
    pub fn is_complete(&self) -> bool {
        self.crossed.is_empty()
            && self.reasons.is_empty()
            && !self.choices
            && self.narrowed.is_empty()
            && !self.relies
    }

    /// Whether no model has a concrete form: an input of a type whose values cannot be made.
    pub fn is_undecodable(&self) -> bool {
        self.inputs.iter().any(|(s, _)| *s == Sym::Any)
    }

    /// Leaves of the inputs: a model is told from another one by their values.
    pub fn leaves(&self) -> Vec<Term> {
        self.encoder.leaves.clone()
    }

    /// The term that says that an input has that value where it can be told apart.
    pub fn pin_one(&mut self, index: usize, value: &Value) -> Term {
        match self.inputs.get(index).cloned() {
            Some((sym, _)) => self.encoder.equals_value(&sym, value),
            None => self.encoder.t.tt,
        }
    }

    /// The term that says that inputs have the given values where they can be told apart; for concolic repair.
    pub fn pin(&mut self, values: &[Value]) -> Term {
        let mut all = self.encoder.t.tt;
        for ((sym, _), value) in self.inputs.clone().iter().zip(values) {
            let eq = self.encoder.equals_value(sym, value);
            all = self.encoder.t.and(all, eq);
        }
        all
    }
}

/// Something that is left open, and what is taken there.
#[derive(Debug)]
struct Opened {
    at: Opening,
    /// Under which condition execution comes there, and takes it.
    when: Term,
    taken: Taken,
}

/// What is taken where something is left open.
#[derive(Debug)]
enum Taken {
    Way(u32),
    Values(Vec<Sym>),
}

/// A function that is an input, or has no body: what it was asked and what it answered.
#[derive(Debug)]
struct Table {
    result: Type,
    entries: Vec<(Vec<Sym>, Sym)>,
    /// Whether every row is there.
    complete: bool,
    default: Sym,
    /// Which template it is instead: 0 none, else one of these.
    choice: Option<(Term, Vec<Template>)>,
    /// The table that says where it may be applied; everywhere, where there is none.
    domain: Option<u32>,
}

/// The variables of one activation.
#[derive(Clone, Debug)]
struct Frame<'p> {
    infos: &'p [ir::VarInfo],
    vars: Vec<Sym>,
    subst: Rc<Substitution>,
    /// Heaps that `old` reads: the entry under `None`.
    snapshots: SortedMap<Option<dafny_syntax::source::Name>, Heap>,
}

impl<'p> Frame<'p> {
    fn new(infos: &'p [ir::VarInfo], subst: Rc<Substitution>) -> Self {
        Self {
            infos,
            vars: vec![Sym::Undef; infos.len()],
            subst,
            snapshots: SortedMap::new(),
        }
    }

    fn bind(&mut self, params: &[ir::Var], args: &[Sym]) {
        for (p, a) in params.iter().zip(args) {
            self.set(*p, a.clone());
        }
    }

    fn get(&self, v: ir::Var) -> Sym {
        self.vars.get(v.0 as usize).cloned().unwrap_or(Sym::Undef)
    }

    fn set(&mut self, v: ir::Var, value: Sym) {
        if let Some(slot) = self.vars.get_mut(v.0 as usize) {
            *slot = value;
        }
    }

    /// The concrete type of a variable.
    fn type_of(&self, v: ir::Var) -> Option<Type> {
        self.infos
            .get(v.0 as usize)
            .map(|i| i.ty.subst(&self.subst))
    }
}

/// What a call is the same by: callee, type arguments, arguments, heap, depth of recursion.
type MemoKey = (CallableId, Vec<Type>, Vec<Sym>, u64, u32);
/// What it gives: the value, when it is defined, and the activation that was encoded.
type Memo = (Sym, Term, Option<usize>);

/// The state of an encoding under way.
#[derive(Debug)]
struct Encoder<'p> {
    program: &'p ir::Program,
    t: Terms,
    bounds: Bounds,
    mode: Mode,
    /// Whether choices are free: what is chosen is any of what there is, and not what the rule for choices takes.
    free: bool,
    /// Iterations of a loop that may be left or go on by choice.
    rounds: Option<u32>,
    /// Where facts are literals: those.
    relax: Option<relax::Relaxed>,
    /// Where obligations are literals: those.
    obligations: Option<Facts>,
    /// Condition under which the expression at hand is evaluated, relative to the innermost isolated evaluation.
    guard: Term,
    /// Under which conditions evaluation so far succeeded.
    defined: Term,
    /// The last guard under which evaluation does not succeed at all: a bound was crossed.
    failed: Option<Term>,
    /// Facts about fresh variables, types of inputs and preconditions.
    facts: Vec<Term>,
    /// The literal of each thing that the program takes for granted.
    givens: Facts,
    /// What the type of the next input rests on, where it is an answer.
    answered_by: Option<Fact>,
    limits: SortedMap<BoundKind, Term>,
    cuts: SortedMap<BoundKind, Term>,
    crossed: SortedSet<BoundKind>,
    cut: SortedSet<BoundKind>,
    is_partial: bool,
    /// Elements that the smallest collection of the inputs may have: fewer than the bound where collections are nested.
    least_size: u32,
    /// Objects of the class or array type that has the fewest: arrays are costly.
    least_objects: u32,
    reasons: Reasons,
    exhausted: bool,
    /// Elements of the collections that operators made.
    elements: usize,
    choices: bool,
    narrowed: Reasons,
    relies: bool,
    /// Numbers that were given to what lies beyond the slots of sequences.
    rests: u32,
    known_rests: FxHashMap<(value::Made, Vec<Sym>), value::Rest>,
    /// The sequences of which others are slices, by what lies beyond these.
    slices: FxHashMap<value::Rest, std::rc::Rc<value::SymSeq>>,
    /// Whether there is more in what is left of a collection.
    fewer: FxHashMap<(value::Made, Vec<Sym>), Term>,
    hints: Vec<Hint>,
    leaves: Vec<Term>,
    heap: Heap,
    heap_versions: u64,
    next_object: u32,
    /// The reference types that the unit tells apart: objects of them are inputs of type `object`.
    told: Vec<Type>,
    /// How many parameters of the unit are references.
    reference_params: u32,
    /// Whether the next reference is a parameter of the unit itself.
    at_parameter: bool,
    object_tables: SortedMap<Type, Vec<u32>>,
    tables: Vec<Table>,
    extern_tables: SortedMap<(CallableId, Vec<Type>), u32>,
    /// States of the heap in which functions without bodies were asked that may read all of it.
    heaps_asked: Vec<value::Heap>,
    /// What objects that were made on the way answer themselves, by their numbers and the functions' first declarations.
    redefined: SortedMap<(u32, CallableId), Sym>,
    /// What stands in for external code, in the order of the calls on every path.
    answers: Vec<answer::Answered>,
    /// Objects of the inputs have smaller numbers.
    input_objects: u32,
    /// Path conditions of the activations under way.
    conditions: Vec<Term>,
    /// What the entry calls, where the unit is one, and what is inlined in it.
    activations: Option<activation::Activations<'p>>,
    /// Whether a function that is not known may call what counts.
    may_call_anything: bool,
    /// Whether goals by way of calls, and branches in callees, are looked at.
    tells_apart: bool,
    /// Paths through what was called since this was last looked at, at most.
    inner_paths: u64,
    memo: FxHashMap<MemoKey, Memo>,
    /// The same for methods that leave the heap as it is.
    returned: FxHashMap<MemoKey, ration::Returned>,
    /// Copies of callees that several calls share, by callee, type arguments and depth of recursion.
    shared: FxHashMap<(CallableId, Vec<Type>, u32), Vec<shared::Shared>>,
    /// What is known of calls.
    pairs: Pairs,
    /// What callables do beside giving results, as far as somebody asked.
    effects: FxHashMap<CallableId, Rc<ir::Effects>>,
    /// Whether a callee is so small that it is followed wherever it is called, as far as somebody asked.
    small: FxHashMap<CallableId, bool>,
    /// What is left open, in the order of execution.
    opened: Vec<Opened>,
    /// How many specifications are being evaluated, one within the other.
    specifying: u32,
    /// In which callables a choice lies.
    choosers: ir::Choosers,
    /// Whether references of new values mean objects of the heap at hand, not those of the inputs.
    in_copy: bool,
    /// How often each callee was followed, and all together.
    copies: FxHashMap<CallableId, u32>,
    activated: u32,
    overflows: bool,
    constants: FxHashMap<(typed::FieldId, Vec<Type>), Sym>,
    active: FxHashMap<CallableId, u32>,
    nesting: u32,
    /// Intervals of terms that are known: lengths of inputs.
    intervals: FxHashMap<Term, (Option<i64>, Option<i64>)>,
}

/// Elements of collections that operators of one encoding make, which need not be new terms.
const MAX_ELEMENTS: usize = 4_000_000;
/// Nested evaluations of functions, at most.
const MAX_NESTING: u32 = 200;

impl<'p> Encoder<'p> {
    fn new(program: &'p ir::Program, bounds: Bounds, mode: Mode) -> Self {
        let mut t = Terms::new();
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
            program,
            guard: t.tt,
            defined: t.tt,
            failed: None,
            t,
            bounds,
            mode,
            free: mode == Mode::Havoc,
            rounds: None,
            relax: None,
            obligations: None,
            facts: Vec::new(),
            givens: Facts::new(),
            answered_by: None,
            limits,
            cuts,
            crossed: SortedSet::new(),
            cut: SortedSet::new(),
            is_partial: false,
            least_size: bounds.collection,
            least_objects: bounds.objects,
            reasons: Reasons::default(),
            exhausted: false,
            elements: 0,
            choices: false,
            narrowed: Reasons::default(),
            relies: false,
            rests: 0,
            known_rests: FxHashMap::default(),
            slices: FxHashMap::default(),
            fewer: FxHashMap::default(),
            opened: Vec::new(),
            specifying: 0,
            hints: Vec::new(),
            leaves: Vec::new(),
            heap: Heap::default(),
            heap_versions: 0,
            next_object: 0,
            told: Vec::new(),
            reference_params: 0,
            at_parameter: false,
            object_tables: SortedMap::new(),
            tables: Vec::new(),
            extern_tables: SortedMap::new(),
            heaps_asked: Vec::new(),
            redefined: SortedMap::new(),
            answers: Vec::new(),
            input_objects: 0,
            conditions: Vec::new(),
            activations: None,
            may_call_anything: false,
            tells_apart: true,
            inner_paths: 1,
            memo: FxHashMap::default(),
            returned: FxHashMap::default(),
            shared: FxHashMap::default(),
            pairs: Pairs::default(),
            effects: FxHashMap::default(),
            small: FxHashMap::default(),
            choosers: ir::Choosers::default(),
            in_copy: false,
            copies: FxHashMap::default(),
            activated: 0,
            overflows: false,
            constants: FxHashMap::default(),
            active: FxHashMap::default(),
            nesting: 0,
            intervals: FxHashMap::default(),
        }
    }

    fn typed(&self) -> &'p typed::Program {
        &self.program.typed
    }

    /// Evaluation succeeds only where `ok` holds.
    fn require(&mut self, ok: Term) {
        if ok == self.t.ff {
            self.failed = Some(self.guard);
        }
        if ok != self.t.tt {
            let ob = self.t.implies(self.guard, ok);
            self.defined = self.t.and(self.defined, ob);
        }
    }

    /// An execution is cut at a bound where the guard holds.
    fn cross(&mut self, kind: BoundKind) {
        if self.guard == self.t.ff {
            return;
        }
        let beyond = self.uncut(kind);
        self.require(beyond);
    }

    /// That executions are followed past a bound; under [`Mode::Cut`] none is.
    fn uncut(&mut self, kind: BoundKind) -> Term {
        self.crossed.insert(kind);
        self.cut.insert(kind);
        let followed = self.cuts.get(&kind).copied().unwrap_or(self.t.tt);
        self.t.not(followed)
    }

    /// Evaluates under a further condition; does nothing where it is false.
    fn under<R>(&mut self, cond: Term, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.guard;
        self.guard = self.t.and(outer, cond);
        let r = work(self);
        self.guard = outer;
        r
    }

    /// Evaluates one of two alternatives, whose values are merged afterwards. One that never succeeds has no value: what it
    /// would give must not blur the other's.
    fn alternative(&mut self, cond: Term, work: impl FnOnce(&mut Self) -> Sym) -> Sym {
        if cond == self.t.ff {
            return Sym::Undef;
        }
        let outer = self.failed.take();
        let guard = self.t.and(self.guard, cond);
        let value = self.under(cond, work);
        let fails = self.failed == Some(guard);
        self.failed = outer;
        if fails { Sym::Undef } else { value }
    }

    /// Two alternatives, merged: where neither succeeds, neither does the whole.
    fn merge_alternatives(&mut self, cond: Term, a: &Sym, b: &Sym) -> Sym {
        if *a == Sym::Undef && *b == Sym::Undef {
            self.failed = Some(self.guard);
        }
        self.merge(cond, a, b)
    }

    /// Evaluates on its own: the result, and the condition under which evaluation succeeds.
    fn isolated<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, Term) {
        let (guard, defined, failed) = (self.guard, self.defined, self.failed.take());
        (self.guard, self.defined) = (self.t.tt, self.t.tt);
        let r = work(self);
        let inner = if self.failed == Some(self.t.tt) {
            self.t.ff
        } else {
            self.defined
        };
        (self.guard, self.defined, self.failed) = (guard, defined, failed);
        (r, inner)
    }

    /// Something that cannot be encoded: any value of the type, with the reason on record.
    fn unsupported(&mut self, reason: impl Into<Reason>, ty: &Type) -> Sym {
        if self.guard != self.t.ff {
            self.reasons.insert(reason);
        }
        self.any(ty)
    }

    /// Any value of a concrete type, without its constraints: a fresh variable where it is a scalar.
    fn any(&mut self, ty: &Type) -> Sym {
        match self.typed().representation(ty) {
            Type::Bool => Sym::Bool(self.t.fresh("any", Sort::Bool)),
            Type::Int => Sym::Int(self.t.fresh("any", Sort::Int)),
            Type::Char => Sym::Char(self.t.fresh("any", Sort::Int)),
            Type::Real => Sym::Real(self.t.fresh("any", Sort::Real)),
            Type::Ordinal if self.mode == Mode::Cut => {
                self.narrowed.insert(Unencoded::Naturals);
                Sym::Ordinal(self.t.fresh("any", Sort::Int))
            }
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.t.fresh("any", Sort::Bv(w))),
            ty if self.typed().is_reference(&ty) => Sym::Ref(self.t.fresh("any", Sort::Int)),
            Type::Tuple(cs) => {
                let cs = cs.iter().map(|(_, t)| self.any(t)).collect();
                Sym::tuple(cs)
            }
            Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => Sym::Any,
        }
    }

    /// Whether the encoding has grown too large.
    fn is_exhausted(&mut self) -> bool {
        if self.t.work() > self.bounds.terms as usize * 1_000
            || self.elements > MAX_ELEMENTS
            || crate::memory::is_short()
        {
            self.exhausted = true;
        }
        self.exhausted
    }

    /// The interval of an integer term as far as it is known.
    fn interval(&self, t: Term) -> (Option<i64>, Option<i64>) {
        self.interval_at(t, 12)
    }

    fn interval_at(&self, t: Term, depth: u32) -> (Option<i64>, Option<i64>) {
        use crate::smt::Node;
        use num_traits::{Signed, ToPrimitive};
        if let Some(n) = self.t.as_small(t) {
            return (Some(n), Some(n));
        }
        if let Some(known) = self.intervals.get(&t) {
            return *known;
        }
        if depth == 0 {
            return (None, None);
        }
        let kind = self.t.node(t);
        if let Node::Ite(_, a, b) = kind {
            let ((al, ah), (bl, bh)) = (
                self.interval_at(*a, depth - 1),
                self.interval_at(*b, depth - 1),
            );
            (
                al.zip(bl).map(|(x, y)| x.min(y)),
                ah.zip(bh).map(|(x, y)| x.max(y)),
            )
        } else if let Node::Lin(k, ts) = kind {
            let k = k.to_i64();
            let mut sum = (k, k);
            for (t, c) in ts {
                let (low, high) = self.interval_at(*t, depth - 1);
                let (low, high) = if c.is_negative() {
                    (high, low)
                } else {
                    (low, high)
                };
                let add = |sum: Option<i64>, x: Option<i64>| {
                    sum.zip(x)
                        .zip(c.to_i64())
                        .and_then(|((s, x), c)| s.checked_add(x.checked_mul(c)?))
                };
                sum = (add(sum.0, low), add(sum.1, high));
            }
            sum
        } else {
            (None, None)
        }
    }

    /// The range of code points or code units; whether surrogates are left out.
    fn char_range(&self) -> (u32, bool) {
        if self.typed().options.unicode_char {
            (0x10_FFFF, true)
        } else {
            (0xFFFF, false)
        }
    }

    fn int(&mut self, n: impl Into<BigInt>) -> Sym {
        Sym::Int(self.t.int(n))
    }
}
