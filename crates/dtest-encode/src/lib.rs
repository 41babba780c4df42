//! The symbolic interpreter of the IR: encodes a unit as terms over a finite value domain, and
//! decodes models to inputs.
//!
//! The encoder walks the same blocks as the interpreter, over symbolic values, with forward path
//! conditions. States are merged by if-then-else where paths join. Loops are unrolled and calls
//! inlined up to the [`Bounds`]. The [`Mode`] determines the effect of crossing a bound: *cut* ends
//! the path, so that every model is an execution (used to find tests); *havoc* continues with an
//! unconstrained result, so that every execution has a model (used to prove that a block is
//! unreachable).
//!
//! Models are proposals: unsupported constructs are over-approximated by fresh values, the reason
//! is recorded, and the interpreter validates the inputs.
//!
//! Key types: [`Encoding`], the result; [`Encoder`], the state during encoding; [`Sym`], a symbolic
//! value. Key functions: [`encode`] and its variants; [`Encoding::decode`]. The hard part is
//! partiality: [`state::Path::guard`] is the condition under which the current expression is evaluated,
//! and [`state::Path::defined`] the condition under which all evaluation so far succeeded.
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod activation;
mod answer;
mod arbitrary;
mod beyond;
mod bodiless;
mod collection;
mod decode;
mod described;
mod expr;
mod frames;
mod function;
mod heap;
mod input;
mod input_equality;
mod lemmas;
mod operator;
mod order;
mod pairs;
mod quantifier;
mod ration;
mod redefined;
mod reference;
mod relax;
mod shared;
mod state;
mod stmt;
mod two_state;
mod types;
mod value;
mod walk;
mod ways;

#[cfg(test)]
mod tests;

pub use dtest_ir::bounds::{BoundKind, Bounds, Scope};
pub use input::max_elements;
pub use pairs::Pairs;
pub use relax::{Fact, Facts, in_core};
pub use value::{Heap, Sym};

use state::{Assumed, Calls, Choices, External, InputTerms, Objects, Omissions, Path, Rests, Work};
use std::rc::Rc;

use num_bigint::BigInt;

use dafny_resolve::typed::{self, CallableId, Substitution, Type};
use dtest_interp::{Guide, Inputs, Opening};
use dtest_ir::reason::{Reason, Reasons, Stopped};
use dtest_ir::{self as ir, GoalId};
use dtest_smt::{Assignment, Renaming, Term, Terms};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Template, Value};

/// The effect of crossing a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The path ends.
    Cut,
    /// Encoding continues with an unconstrained result.
    Havoc,
}

/// The encoding of a unit as terms.
#[derive(Debug)]
pub struct Encoding<'p> {
    encoder: Encoder<'p>,
    /// Conditions on the inputs: their types and the preconditions.
    pub assumptions: Vec<Term>,
    /// For every goal, the condition that the execution reaches it.
    pub reached: SortedMap<GoalId, Term>,
    /// Goals with a part that cannot be encoded and that nothing else needs, with the reason.
    pub blurred: SortedMap<GoalId, Reason>,
    /// The conditions under which each branch of the unrolled graph is taken.
    pub edges: Vec<Term>,
    /// The number of paths of the unrolled graph from the entry to an end, feasible or not.
    pub paths: u64,
    /// The condition that the execution ends without a failure.
    pub ends: Term,
    /// A literal for each fact that a proof may rest on, if facts were requested.
    pub facts: Facts,
    /// A literal for each unchecked assumption of the program ([`Fact::is_assumed`]) that is not
    /// among [`Self::facts`].
    pub givens: Facts,
    /// For each kind of bound, the literal that no input exceeds it. Under [`Mode::Cut`] it is
    /// true.
    pub limits: SortedMap<BoundKind, Term>,
    /// For each kind of bound, the literal that no execution is cut at it, whatever the size of the
    /// inputs: by another loop iteration, a call that is not inlined, or a collection that the
    /// execution creates. Under [`Mode::Cut`] it is true: cut executions are excluded.
    pub cuts: SortedMap<BoundKind, Term>,
    /// Kinds of bounds that an execution crosses or that limit the inputs.
    pub crossed: SortedSet<BoundKind>,
    /// The subset of [`Self::crossed`] at which executions are cut.
    pub cut: SortedSet<BoundKind>,
    /// Whether some inputs within the bounds are excluded without a literal that represents the
    /// exclusion: objects of further classes.
    pub is_partial: bool,
    /// For every obligation, the condition that an execution reaches it, whether it holds there or
    /// not.
    pub come: SortedMap<GoalId, Term>,
    /// Constructs that were over-approximated because they cannot be encoded.
    pub reasons: Reasons,
    /// Whether the encoding was abandoned because it grew too large.
    pub exhausted: bool,
    /// Whether it was abandoned because too many calls were inlined. [`Bounds::calls`] avoids that.
    pub overflows: bool,
    /// Whether a choice was resolved by the rule for choices although Dafny allows other
    /// resolutions.
    pub choices: bool,
    /// Reasons for excluding inputs that no bound excludes.
    pub narrowed: Reasons,
    /// Whether executions are excluded because they violate an obligation that compiled code does
    /// not check.
    pub relies: bool,
    /// Integer terms of the inputs with their preferred values, used to get small readable values.
    pub hints: Vec<Hint>,
    /// The renamings of the encoding in the last query over several executions.
    pub copies: Vec<Renaming>,
    inputs: Vec<(Sym, Type)>,
    type_args: Vec<Type>,
    heap: Heap,
}

/// The preferred value of an input term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A number near zero.
    Number(Term),
    /// A letter.
    Char(Term),
    /// A short collection.
    Size(Term),
}

/// Encodes `unit` for concrete type arguments.
///
/// # Errors
///
/// A reason in the user's terms if the unit has no body to encode.
pub fn encode<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
    mode: Mode,
) -> Result<Encoding<'p>, Reason> {
    encode_from(Encoder::new(program, bounds, mode), unit, type_args)
}

/// Encodes `unit` like [`encode`]. `pairs` summarize the calls that get no copy of their callee
/// ([`Bounds::calls`]). With `with_inlined_goals`, goals of inlined calls and paths through callees
/// ([`ir::Program::inlined`]) are encoded too; otherwise they count as unreached.
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
    with_inlined_goals: bool,
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, mode);
    (encoder.calls.pairs, encoder.calls.has_inner_goals) = (pairs, with_inlined_goals);
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` like [`encode_for`] under [`Mode::Cut`]. Input sequences and arrays may also have
/// one of `lengths`, which lie beyond the bounds: models for them are guesses, and goals without a
/// model may be reachable.
///
/// # Errors
///
/// As for [`encode`].
pub fn encode_described<'p>(
    program: &'p ir::Program,
    unit: CallableId,
    type_args: &[Type],
    bounds: Bounds,
    lengths: &[u32],
) -> Result<Encoding<'p>, Reason> {
    let mut encoder = Encoder::new(program, bounds, Mode::Cut);
    encoder.inputs.lengths = lengths.to_vec();
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Havoc`] with a literal for every fact that a proof may rest on
/// ([`Encoding::facts`]), including obligations and postconditions of callees. With `definitions`,
/// assigned values get literals too.
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
    encoder.assumed.relax = Some(relax::Relaxed {
        definitions,
        ..relax::Relaxed::default()
    });
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Havoc`] with a literal for every obligation that executions may
/// violate ([`Encoding::facts`]): assertions, well-formedness conditions, postconditions of the
/// unit. An execution without violations has a model in which all literals are true.
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
    encoder.assumed.obligations = Some(Facts::new());
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` under [`Mode::Cut`] with free choices: a model is an execution under some
/// resolution of its choices. `rounds` replaces [`Bounds::unroll`] for loops that choose between
/// leaving and going on.
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
    (encoder.choices.free, encoder.choices.rounds) = (true, rounds);
    encode_from(encoder, unit, type_args)
}

/// Encodes `unit` with a prepared encoder: inputs, preconditions, the walk over its blocks, and what
/// the walk found.
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
        program
            .inlined
            .get(&unit)
            .filter(|_| encoder.calls.has_inner_goals),
    );
    encoder.calls.may_call_anything = system.is_some() || encoder.bounds.is_rationed();
    // Activations are tracked only where something asks for goals of callees, because tracking
    // costs terms for every call.
    if encoder.calls.may_call_anything || inlined.is_some() {
        encoder.calls.activations = Some(activation::Activations::of(unit, (system, inlined), ff));
    }
    let subst: Rc<Substitution> = Rc::new(
        procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect(),
    );
    let inputs = encoder.inputs_of(unit, procedure, &subst);
    encoder.create_existing_results(unit);
    encoder.inputs.objects = encoder.objects.next;
    // The heap of the inputs, which `old` reads and models are decoded from. The walk changes
    // `encoder.heap`.
    let heap = encoder.heap.clone();
    let args: Vec<Sym> = inputs.iter().map(|(v, _)| v.clone()).collect();
    encoder.assume_preconditions(unit, &args, &subst);
    // The walk collects relative conditions of callees in activations. They are settled once all
    // calls are known.
    let mut all = walk::Reached::default();
    let end = encoder.walk(procedure, &args, &subst, tt, Some(&mut all));
    let mut ends = end.ends;
    encoder.oblige_postconditions(unit, &args, &subst, &heap, &end);
    encoder.settle_activations(&mut all, &mut ends);
    encoder.assume_lemmas();
    let walk::Reached {
        goals: mut reached,
        come,
        edges,
        paths,
        ..
    } = all;
    encoder.keep_sought_goals(unit, &mut reached);
    let blurred = encoder.ways(unit, &args, &subst, &heap, &end, &mut reached);
    Ok(Encoding {
        assumptions: std::mem::take(&mut encoder.assumed.facts),
        reached,
        blurred,
        edges,
        paths,
        ends,
        givens: std::mem::take(&mut encoder.assumed.givens),
        facts: encoder
            .assumed
            .relax
            .take()
            .map(|r| r.literals)
            .or(encoder.assumed.obligations.take())
            .unwrap_or_default(),
        limits: encoder.omissions.limits.clone(),
        cuts: encoder.omissions.cuts.clone(),
        crossed: encoder.omissions.crossed.clone(),
        cut: encoder.omissions.cut.clone(),
        is_partial: encoder.omissions.is_partial,
        come,
        reasons: encoder.omissions.reasons.clone(),
        exhausted: encoder.work.exhausted,
        overflows: encoder.work.overflows,
        choices: encoder.omissions.choices,
        narrowed: std::mem::take(&mut encoder.omissions.narrowed),
        relies: encoder.omissions.relies,
        hints: std::mem::take(&mut encoder.inputs.hints),
        copies: Vec::new(),
        inputs,
        type_args: type_args.to_vec(),
        heap,
        encoder,
    })
}

impl<'p> Encoder<'p> {
    /// Creates the inputs of a unit with their types, in the order of its parameters. The receiver
    /// of a constructor is an object without values.
    fn inputs_of(
        &mut self,
        unit: CallableId,
        procedure: &ir::Procedure,
        subst: &Substitution,
    ) -> Vec<(Sym, Type)> {
        let program = self.program;
        let is_constructor = program.typed[unit].kind == typed::CallableKind::Constructor;
        let mut params: Vec<(usize, &str, Type)> = Vec::new();
        for (i, p) in procedure.params.iter().enumerate() {
            let Some(info) = procedure.vars.get(p.0 as usize) else {
                continue;
            };
            params.push((i, &info.name, info.ty.subst(subst)));
        }
        self.objects.distinguished = program.distinguished_types(unit);
        self.inputs.reference_params = params
            .iter()
            .filter(|(_, _, ty)| program.typed.is_reference(ty))
            .count() as u32;
        // An input of type `object` refers to the objects of the other inputs, so those are created
        // first.
        params.sort_by_key(|(_, _, ty)| reference::mentions_object(ty));
        let mut inputs = Vec::new();
        for (i, name, ty) in params {
            if let Some(relax) = &mut self.assumed.relax {
                relax.parameter = Some(i as u32);
            }
            self.inputs.at_parameter = program
                .typed
                .is_reference(&program.typed.representation(&ty));
            let value = if i == 0 && is_constructor {
                self.blank_object(&ty)
            } else {
                self.input(name, &ty)
            };
            inputs.push((i, value, ty));
        }
        // Restore the order of the parameters.
        inputs.sort_by_key(|(i, _, _)| *i);
        inputs
            .into_iter()
            .map(|(_, value, ty)| (value, ty))
            .collect()
    }

    /// Binds the variables of the unit's contract to the inputs, and assumes its preconditions. A
    /// unit in two states starts in the earlier one, but its precondition is about the later one,
    /// so that it is not assumed here.
    fn assume_preconditions(&mut self, unit: CallableId, args: &[Sym], subst: &Rc<Substitution>) {
        let program = self.program;
        let Some(contract) = program
            .contracts
            .get(&unit)
            .filter(|_| !program.is_in_two_states(unit))
        else {
            return;
        };
        let mut frame = Frame::new(&contract.vars, Rc::clone(subst));
        frame.bind(&contract.params, args);
        for (i, clause) in (0..).zip(&contract.requires) {
            let (holds, defined) =
                self.in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
            let both = self.t.and(defined, holds);
            let both = self.relaxed(Fact::Precondition(i), both);
            self.assumed.facts.push(both);
        }
    }

    /// Drops goals that the search does not ask for. Goals that the walk never met are
    /// unreachable.
    fn keep_sought_goals(&self, unit: CallableId, reached: &mut SortedMap<GoalId, Term>) {
        let goals: SortedSet<GoalId> = self.program.sought(unit).into_iter().collect();
        reached.retain(|g, _| goals.contains(g));
        for g in goals {
            reached.entry(g).or_insert(self.t.ff);
        }
    }
}

impl Encoding<'_> {
    /// Returns the terms.
    pub fn terms(&self) -> &Terms {
        &self.encoder.t
    }

    /// Returns the terms for adding further ones.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.encoder.t
    }

    /// Decodes the inputs from a model; `None` if a value has no concrete form (an irrational
    /// number, or a value that the encoding does not represent).
    pub fn decode(&self, model: &Assignment) -> Option<Inputs> {
        decode::Decoder::new(&self.encoder, model, &self.heap).inputs(&self.inputs, &self.type_args)
    }

    /// Decodes the inputs from a model, and the resolution of free choices.
    pub fn decode_freely(&self, model: &Assignment) -> Option<(Inputs, Guide)> {
        decode::Decoder::new(&self.encoder, model, &self.heap).freely(&self.inputs, &self.type_args)
    }

    /// Returns the inputs whose executions the encoding has completely: all within its bounds, if no
    /// execution is cut and nothing is left out.
    pub fn scope(&self) -> Option<Scope> {
        // Every way to leave out an execution disqualifies the encoding.
        let says_all = self.cut.is_empty()
            && !self.is_partial
            && self.reasons.is_empty()
            && !self.choices
            && self.narrowed.is_empty()
            && !self.relies;
        says_all.then(|| Scope::of(&self.least_bounds(), &self.crossed, None))
    }

    /// Returns the bounds of the encoding.
    pub fn bounds(&self) -> Bounds {
        self.encoder.bounds
    }

    /// Returns the bounds with the sizes that every input may have: those of the most restricted
    /// collection and of the class with the fewest objects.
    pub fn least_bounds(&self) -> Bounds {
        Bounds {
            collection: self
                .encoder
                .bounds
                .collection
                .min(self.encoder.omissions.least_size),
            objects: self
                .encoder
                .bounds
                .objects
                .min(self.encoder.omissions.least_objects),
            ..self.encoder.bounds
        }
    }

    /// Whether the encoding is exact: no bound limits it, nothing is excluded or approximated, and
    /// no choice is resolved where Dafny allows others. Then a goal that no model reaches is
    /// unreachable.
    pub fn is_complete(&self) -> bool {
        self.crossed.is_empty()
            && self.reasons.is_empty()
            && !self.choices
            && self.narrowed.is_empty()
            && !self.relies
    }

    /// Whether no model can be decoded, because an input has a type whose values cannot be created.
    pub fn is_undecodable(&self) -> bool {
        self.inputs.iter().any(|(s, _)| *s == Sym::Any)
    }

    /// Returns the leaves of the inputs, whose values distinguish models.
    pub fn leaves(&self) -> Vec<Term> {
        self.encoder.inputs.leaves.clone()
    }

    /// Returns the term that one input equals the given value in all parts that can be compared.
    pub fn pin_one(&mut self, index: usize, value: &Value) -> Term {
        match self.inputs.get(index).cloned() {
            Some((sym, _)) => self.encoder.equals_value(&sym, value),
            None => self.encoder.t.tt,
        }
    }

    /// Returns the term that the inputs equal the given values in all parts that can be compared.
    /// Used for concolic repair.
    pub fn pin(&mut self, values: &[Value]) -> Term {
        let mut all = self.encoder.t.tt;
        for ((sym, _), value) in self.inputs.clone().iter().zip(values) {
            let eq = self.encoder.equals_value(sym, value);
            all = self.encoder.t.and(all, eq);
        }
        all
    }
}

/// A free choice on the way, and its resolution.
#[derive(Debug)]
struct Opened {
    at: Opening,
    /// The condition under which execution reaches the choice and resolves it so.
    when: Term,
    taken: Taken,
}

/// The resolution of a free choice.
#[derive(Debug)]
enum Taken {
    Way(u32),
    Values(Vec<Sym>),
}

/// A function input, or a function without a body, as a table of arguments and results.
#[derive(Debug)]
struct Table {
    result: Type,
    entries: Vec<(Vec<Sym>, Sym)>,
    /// Whether the rows are all arguments for which the function is used.
    complete: bool,
    default: Sym,
    /// The alternative to the table: 0 selects the table, n the n-th template.
    choice: Option<(Term, Vec<Template>)>,
    /// The table of the function's precondition; `None`: total.
    domain: Option<u32>,
}

/// The variables of one activation.
#[derive(Clone, Debug)]
struct Frame<'p> {
    infos: &'p [ir::VarInfo],
    vars: Vec<Sym>,
    subst: Rc<Substitution>,
    /// The heaps that `old` reads, by label. The entry heap has the key `None`.
    snapshots: SortedMap<Option<dafny_source::Name>, Heap>,
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

    /// Whether a variable has this name.
    fn is_named(&self, v: ir::Var, name: &str) -> bool {
        let info = self.infos.get(v.0 as usize);
        info.is_some_and(|i| &*i.name == name)
    }

    /// Returns the concrete type of a variable.
    fn type_of(&self, v: ir::Var) -> Option<Type> {
        self.infos
            .get(v.0 as usize)
            .map(|i| i.ty.subst(&self.subst))
    }
}

/// The key under which equal calls share an encoding: callee, type arguments, arguments, heap
/// version, recursion depth.
type MemoKey = (CallableId, Vec<Type>, Vec<Sym>, u64, u32);
/// The shared result of equal calls: the value, the condition that it is defined, and the encoded
/// activation.
type Memo = (Sym, Term, Option<usize>);

/// The state during encoding.
#[derive(Debug)]
struct Encoder<'p> {
    program: &'p ir::Program,
    t: Terms,
    bounds: Bounds,
    mode: Mode,
    path: Path,
    heap: Heap,
    inputs: InputTerms,
    objects: Objects,
    external: External,
    choices: Choices,
    assumed: Assumed,
    calls: Calls<'p>,
    rests: Rests,
    omissions: Omissions,
    work: Work,
}

/// The limit of collection elements that the operators of one encoding create. They are bounded
/// separately, because they need not be new terms.
const MAX_ELEMENTS: usize = 4_000_000;
/// The limit of nested evaluations of functions.
const MAX_NESTING: u32 = 200;

impl<'p> Encoder<'p> {
    fn new(program: &'p ir::Program, bounds: Bounds, mode: Mode) -> Self {
        let mut t = Terms::new();
        let (path, omissions) = (Path::new(&t), Omissions::new(&mut t, bounds, mode));
        Self {
            program,
            t,
            bounds,
            mode,
            path,
            heap: Heap::default(),
            inputs: InputTerms::default(),
            objects: Objects::default(),
            external: External::default(),
            choices: Choices {
                free: mode == Mode::Havoc,
                ..Choices::default()
            },
            assumed: Assumed::default(),
            calls: Calls::default(),
            rests: Rests::default(),
            omissions,
            work: Work::default(),
        }
    }

    fn typed(&self) -> &'p typed::Program {
        &self.program.typed
    }

    /// Restricts the successful evaluations to those in which `ok` holds.
    fn require(&mut self, ok: Term) {
        if ok == self.t.ff {
            self.path.failed = Some(self.path.guard);
        }
        if ok != self.t.tt {
            let ob = self.t.implies(self.path.guard, ok);
            self.path.defined = self.t.and(self.path.defined, ob);
        }
    }

    /// Cuts the execution at a bound, under the current guard.
    fn cross(&mut self, kind: BoundKind) {
        if self.path.guard == self.t.ff {
            return;
        }
        let beyond = self.uncut(kind);
        self.require(beyond);
    }

    /// Returns the condition that executions are followed past a bound; false under [`Mode::Cut`].
    fn uncut(&mut self, kind: BoundKind) -> Term {
        self.omissions.crossed.insert(kind);
        self.omissions.cut.insert(kind);
        let followed = self.omissions.cuts.get(&kind).copied().unwrap_or(self.t.tt);
        self.t.not(followed)
    }

    /// Evaluates under an additional condition.
    fn under<R>(&mut self, cond: Term, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.path.guard;
        self.path.guard = self.t.and(outer, cond);
        let r = work(self);
        self.path.guard = outer;
        r
    }

    /// Evaluates one of two alternatives, whose values are merged afterwards. An alternative that
    /// never succeeds has no value, so that it does not blur the value of the other one.
    fn alternative(&mut self, cond: Term, work: impl FnOnce(&mut Self) -> Sym) -> Sym {
        if cond == self.t.ff {
            return Sym::Undef;
        }
        // `failed` is reset to find out whether this alternative fails by itself.
        let outer = self.path.failed.take();
        let guard = self.t.and(self.path.guard, cond);
        let value = self.under(cond, work);
        let fails = self.path.failed == Some(guard);
        self.path.failed = outer;
        if fails { Sym::Undef } else { value }
    }

    /// Merges two alternatives. If neither succeeds, the whole does not.
    fn merge_alternatives(&mut self, cond: Term, a: &Sym, b: &Sym) -> Sym {
        if *a == Sym::Undef && *b == Sym::Undef {
            self.path.failed = Some(self.path.guard);
        }
        self.merge(cond, a, b)
    }

    /// Evaluates in isolation: returns the result and the condition under which evaluation
    /// succeeds.
    fn isolated<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, Term) {
        let (guard, defined, failed) =
            (self.path.guard, self.path.defined, self.path.failed.take());
        // Inside, evaluation is unconditional; the definedness of the part is returned separately.
        (self.path.guard, self.path.defined) = (self.t.tt, self.t.tt);
        let r = work(self);
        // A part that fails on every path is never defined.
        let inner = if self.path.failed == Some(self.t.tt) {
            self.t.ff
        } else {
            self.path.defined
        };
        (self.path.guard, self.path.defined, self.path.failed) = (guard, defined, failed);
        (r, inner)
    }

    /// Records the reason for something that cannot be encoded, and returns an arbitrary value of
    /// the type.
    fn unsupported(&mut self, reason: impl Into<Reason>, ty: &Type) -> Sym {
        if self.path.guard != self.t.ff {
            self.omissions.reasons.insert(reason);
        }
        self.any(ty)
    }

    /// Whether the encoding has grown too large. The result is also recorded.
    fn is_exhausted(&mut self) -> bool {
        if self.t.work() > self.bounds.terms as usize * 1_000
            || self.work.elements > MAX_ELEMENTS
            || dtest_limits::memory::is_short()
        {
            self.work.exhausted = true;
        }
        self.work.exhausted
    }

    /// Returns the known interval of an integer term.
    fn interval(&self, t: Term) -> (Option<i64>, Option<i64>) {
        self.interval_at(t, 12)
    }

    fn interval_at(&self, t: Term, depth: u32) -> (Option<i64>, Option<i64>) {
        use dtest_smt::Node;
        use num_traits::{Signed, ToPrimitive};
        if let Some(n) = self.t.as_small(t) {
            return (Some(n), Some(n));
        }
        if let Some(known) = self.inputs.intervals.get(&t) {
            // The depth bounds the time: terms are shared, so that an unbounded traversal could be
            // exponential.
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
                // A merged value lies in the hull of the intervals of both sides.
                ah.zip(bh).map(|(x, y)| x.max(y)),
            )
        } else if let Node::Lin(k, ts) = kind {
            // Interval arithmetic over a linear sum. Overflow makes the bound unknown.
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

    /// Returns the largest code point or code unit, and whether surrogates are excluded.
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
