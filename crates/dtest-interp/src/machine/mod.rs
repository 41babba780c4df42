//! The machine that runs flat code: an operand stack, and stacks of frames, iterators and handlers.
//! Recursion of the program never uses the host's stack.
//!
//! Key type: [`Machine`]. Key functions: [`Machine::execute`], the outer loop that also handles
//! failures; [`Machine::advance`], the fast path of common instructions; [`Machine::step`], all
//! other instructions. Submodules implement groups of instructions.

mod answer;
mod calls;
mod check;
pub(super) mod choose;
mod control;
mod facts;
mod functions;
mod handlers;
mod inside;
mod iterate;
mod lazy;
mod logic;
mod objects;
mod operators;
mod overridden;
mod resolve;
mod summarise;
mod tracing;

pub(super) use iterate::Iter;

use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Interp;
use super::answers::Script;
use super::api::{Failure, FailureKind, Opening, Outcome, Resolution};
use super::behaviour::Behaviour;
use super::code::{Code, Ins, Mode};
use super::comparisons::{NotedCode, Relation};
use super::heap::State;
use super::ops;
use super::trace::Tracer;
use super::word::{Condition, Word};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_source::{Name, Span};
use dtest_ir::reason::{Equality, Limit, NoValue, Reason};
use dtest_ir::{self as ir, BlockId, CallId, GoalId, Num, Op};
use dtest_sorted::SortedSet;
use dtest_value::{FunctionValue, LazyValue, ObjectId, Value};

/// The reason why execution stops without a result. It is never `Outcome::Returned`.
pub(super) type Stop = Box<Outcome>;
type Step<T> = Result<T, Stop>;

/// An activation.
struct Frame {
    code: Rc<Code>,
    pc: u32,
    /// The stack position of the first slot.
    base: u32,
    /// The arguments of the code's type parameters.
    type_args: Rc<[Type]>,
    extra: Option<Box<States>>,
    memo: Memo,
    /// The call that entered the activation, where calls are distinguished.
    by: Option<CallId>,
}

/// The use of an activation's result besides pushing it on the stack.
enum Memo {
    /// No other use.
    No,
    /// The value of a constant, which is cached.
    Constant(Box<calls::Computed>),
    /// The value of a lazy value. It is stored there and not pushed.
    Lazy(Arc<LazyValue>),
    /// The decision whether an object's redefinition answers a call. Receiver and arguments of the
    /// call are on the stack.
    Guard(Box<Guarded>),
    /// The results of a dispatched call, which the declaration that the caller names constrains.
    Dispatched(Box<overridden::Dispatched>),
    /// The result of a callable for its arguments, which is cached as a summary.
    Summary(Box<summarise::Summarised>),
}

/// A call that waits for the precondition of a redefinition.
struct Guarded {
    callee: CallableId,
    argc: usize,
    type_args: Rc<[Type]>,
    mode: Mode,
    /// The redefinition of the object.
    function: Arc<FunctionValue>,
}

/// The older heap states that a frame refers to.
#[derive(Clone, Default)]
pub(super) struct States {
    /// The state at the entry.
    entry: Option<State>,
    /// The states at labels.
    labels: Vec<(Name, State)>,
    /// The object that a constructor initializes. It is not allocated at the entry, although the
    /// heap contains it.
    made: Option<ObjectId>,
}

impl States {
    /// Creates states with this one at the entry.
    pub(super) fn since(entry: State) -> Self {
        Self {
            entry: Some(entry),
            ..Self::default()
        }
    }

    /// Sets the object that a constructor initializes.
    pub(super) fn making(self, made: Option<ObjectId>) -> Self {
        Self { made, ..self }
    }
}

/// The share of all steps that postconditions of callees may take (one in this number). Further
/// postconditions are skipped.
const ENSURING: u64 = 4;

/// A handler: the point of continuation after a failure in a condition that may be unknown.
struct Handler {
    frames: usize,
    stack: usize,
    iters: usize,
    views: usize,
    pending: usize,
    target: u32,
    /// The limit of steps outside of the protected section.
    limit: u64,
    /// The outcomes that make the condition unknown.
    takes: Takes,
    /// Whether the section, or one around it, is ghost code with a budget. Handlers are as many as
    /// calls are deep: none looks through those around it.
    is_in_ghost: bool,
    /// Whether the section, or one around it, catches more than running out of fuel.
    tolerates: bool,
}

/// The outcomes that a handler catches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Failures and unsupported constructs.
    Failures,
    /// Unsupported constructs only.
    Unsupported,
    /// Running out of fuel.
    Fuel,
}

/// A delayed store of a `forall` statement.
enum Store {
    Field(Word, FieldId, Word),
    Element(Word, Vec<Word>, Word),
}

/// The record of an execution: its outermost activation and, for an entry, inner activations.
#[derive(Default)]
pub(super) struct Record<'p> {
    pub(super) visited: Vec<BlockId>,
    pub(super) trace: Vec<(BlockId, BlockId)>,
    /// The covered probes, in the order of first coverage.
    pub(super) shown: Vec<u32>,
    /// The probes that were reached before any violation.
    pub(super) reached_probes: SortedSet<u32>,
    seen: FxHashSet<BlockId>,
    /// The current block.
    current: Option<BlockId>,
    /// The goals that inner activations reached, each with the number of blocks visited before.
    pub(super) inner: Vec<(u32, GoalId)>,
    reached_inside: FxHashSet<GoalId>,
    /// The goals that active summarized calls reached, innermost last.
    collecting: Vec<FxHashSet<GoalId>>,
    /// The unit with its system, if it is an entry.
    pub(super) entry: Option<(CallableId, &'p ir::System)>,
    /// The inlined calls of the unit.
    inlined: Option<&'p ir::Inlined>,
    /// The branches of the unit and its inlined callees, if paths are goals.
    pub(super) path: Vec<(CallableId, BlockId, BlockId)>,
    wants_path: bool,
}

/// The machine and its state.
pub(super) struct Machine<'i, 'p, 's> {
    pub(super) interp: &'i Interp<'p>,
    stack: Vec<Word>,
    frames: Vec<Frame>,
    iters: Vec<Iter>,
    handlers: Vec<Handler>,
    pub(super) heap: State,
    /// The older states that are being read, innermost last.
    views: Vec<State>,
    pending: Vec<Vec<Store>>,
    scratch: Vec<Word>,
    pub(super) steps: u64,
    /// The steps that constants cost. They are counted separately, so that an execution does not
    /// depend on which constants are cached.
    pub(super) apart: u64,
    /// The steps that summaries saved.
    saved: u64,
    /// The summaries of this execution.
    here: summarise::Here,
    limit: u64,
    pub(super) record: Option<Record<'p>>,
    pub(super) tracer: Option<Box<Tracer>>,
    /// The observation of compiled code, if executions are observed.
    pub(super) behaviour: Option<Box<Behaviour>>,
    /// The code whose comparisons are noted, if they are.
    pub(super) noted: Option<NotedCode>,
    /// Whether the contract of a result of external code is being evaluated.
    is_judging: bool,
    /// Whether no choice was made, apart from choices that only affect obligations that held.
    pub(super) deterministic: bool,
    /// Whether a choice was made that only affects such obligations.
    pub(super) obligations_chose: bool,
    /// The value of [`Self::deterministic`] before the current or last ghost code.
    before_ghost: Option<bool>,
    pub(super) unknown: Vec<(Span, Reason)>,
    /// Undecided assumptions, including those of specifications.
    pub(super) undecided_assumptions: Vec<(Span, Reason)>,
    /// Whether a constant without a value was read.
    pub(super) reads_open_constants: bool,
    /// The number of undecided conditions, and of those that depend on all allocated objects.
    pub(super) undecided_count: u64,
    pub(super) printed: String,
    pub(super) script: Script,
    /// The state after the last result of external code that was accepted.
    accepted: Option<State>,
    pub(super) linked: bool,
    /// Whether a variable with an inferred type was read before it was assigned.
    pub(super) guessed: bool,
    /// The call that is being made, where calls are distinguished.
    calling: Option<CallId>,
    /// The resolver of choices, if the rule for choices does not apply.
    resolver: Option<resolve::Resolver>,
    /// The candidates to take for `:|`, and the number of candidates of each.
    pub(super) listing: Option<choose::Listing>,
    /// The ignored violations, each once; `None`: the execution ends at the first violation.
    pub(super) disregarded: Option<Vec<Failure>>,
    /// The cost of postconditions of callees so far, and the step at which the current one began.
    ensuring: (u64, u64),
    /// Whether the postcondition of a callee is being evaluated.
    is_ensuring: bool,
    sink: Option<&'s mut dyn FnMut(&str)>,
}

impl<'i, 'p, 's> Machine<'i, 'p, 's> {
    pub(super) fn new(interp: &'i Interp<'p>, heap: State, limit: u64) -> Self {
        Self {
            interp,
            stack: Vec::new(),
            frames: Vec::new(),
            iters: Vec::new(),
            handlers: Vec::new(),
            heap,
            views: Vec::new(),
            pending: Vec::new(),
            scratch: Vec::new(),
            steps: 0,
            apart: 0,
            saved: 0,
            here: summarise::Here::default(),
            limit,
            record: None,
            tracer: None,
            behaviour: None,
            noted: None,
            is_judging: false,
            deterministic: true,
            obligations_chose: false,
            before_ghost: None,
            unknown: Vec::new(),
            undecided_assumptions: Vec::new(),
            reads_open_constants: false,
            undecided_count: 0,
            printed: String::new(),
            script: Script::default(),
            accepted: None,
            linked: false,
            guessed: false,
            calling: None,
            resolver: None,
            listing: None,
            disregarded: None,
            ensuring: (0, 0),
            is_ensuring: false,
            sink: None,
        }
    }

    /// Sets the resolution of choices.
    pub(super) fn resolving(mut self, resolution: &Resolution) -> Self {
        self.resolver = resolve::Resolver::of(resolution);
        self
    }

    /// Sends output to `sink`.
    pub(super) fn print_to(&mut self, sink: &'s mut dyn FnMut(&str)) {
        self.sink = Some(sink);
    }

    /// Runs code on arguments and returns its results.
    pub(super) fn execute(
        &mut self,
        code: Rc<Code>,
        args: Vec<Word>,
        type_args: Rc<[Type]>,
        states: Option<States>,
    ) -> Step<Vec<Word>> {
        let argc = args.len();
        self.stack.extend(args);
        self.enter(code, argc, type_args)?;
        if let (Some(states), Some(frame)) = (states, self.frames.last_mut()) {
            frame.extra = Some(Box::new(states));
        }
        loop {
            match self.advance() {
                Ok(()) => return Ok(std::mem::take(&mut self.stack)),
                Err(stop) => self.handle(stop)?,
            }
        }
    }

    /// Skips a postcondition that need not be evaluated, or starts evaluating it.
    fn ensure(&mut self, end: u32) -> Step<()> {
        // Postconditions within postconditions are skipped: a function's postcondition usually calls
        // the function.
        let is_costly = self.ensuring.0 > self.interp.limits.steps / ENSURING;
        if self.frames.len() == 1 || self.is_ensuring || is_costly {
            return self.jump(end);
        }
        self.ensuring.1 = self.steps;
        self.is_ensuring = true;
        Ok(())
    }

    /// Returns the current mode. Ghost expressions within compiled code are specifications, and so
    /// is everything that they call.
    fn mode(&self, code: &Code) -> Mode {
        if self.is_in_ghost() {
            Mode::Spec
        } else {
            code.mode
        }
    }

    /// Whether a ghost expression of compiled code is being evaluated.
    fn is_in_ghost(&self) -> bool {
        self.handlers.last().is_some_and(|h| h.is_in_ghost)
    }

    /// Ends the evaluation of an obligation that held: choices in its condition do not affect the
    /// execution. Not applied if the choices themselves are under investigation.
    fn after_obligation(&mut self) {
        if self.is_in_ghost() || self.resolver.is_some() || self.tracer.is_some() {
            return;
        }
        if self.before_ghost.take() == Some(true) && !self.deterministic {
            (self.deterministic, self.obligations_chose) = (true, true);
        }
    }

    fn frame(&mut self) -> Step<&mut Frame> {
        self.frames.last_mut().ok_or_else(bug)
    }

    fn pop(&mut self) -> Step<Word> {
        self.stack.pop().ok_or_else(bug)
    }

    /// Pops a condition.
    #[inline]
    fn pop_condition(&mut self) -> Step<Condition> {
        self.pop()?.condition().ok_or_else(bug)
    }

    fn top(&mut self) -> Step<&mut Word> {
        self.stack.last_mut().ok_or_else(bug)
    }

    fn pop_many(&mut self, n: u32) -> Step<Vec<Word>> {
        let at = self.stack.len().checked_sub(n as usize).ok_or_else(bug)?;
        Ok(self.stack.split_off(at))
    }

    /// Returns the heap state that is being read.
    fn view(&self) -> &State {
        self.views.last().unwrap_or(&self.heap)
    }

    fn charge(&mut self, steps: usize) -> Step<()> {
        self.steps = self.steps.saturating_add(steps as u64);
        if steps > 0 && dtest_limits::memory::is_short() {
            return Err(Box::new(Outcome::OutOfFuel(Limit::Memory)));
        }
        if self.steps > self.limit {
            Err(Box::new(Outcome::OutOfFuel(Limit::Steps)))
        } else {
            Ok(())
        }
    }

    /// Returns a type of the code without substitution.
    fn written(&self, ty: u32) -> Step<Type> {
        let frame = self.frames.last().ok_or_else(bug)?;
        frame.code.types.get(ty as usize).cloned().ok_or_else(bug)
    }

    /// Returns a type of the code with the frame's type arguments.
    fn concrete(&self, ty: u32) -> Step<Type> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let ty = frame.code.types.get(ty as usize).ok_or_else(bug)?;
        Ok(substitute(frame, ty))
    }

    /// Returns the source of the current instruction.
    fn span(&self) -> Span {
        let at = |f: &Frame| f.code.spans.get((f.pc as usize).saturating_sub(1)).copied();
        self.frames.last().and_then(at).unwrap_or_default()
    }

    /// Whether a constant is being computed.
    pub(crate) fn is_in_constant(&self) -> bool {
        self.frames.iter().any(|f| f.code.is_constant)
    }

    fn op_context(&self) -> ops::Context<'p> {
        ops::Context {
            program: &self.interp.program.typed,
            max_elements: self.interp.limits.objects,
            max_extent: self.interp.limits.extent,
        }
    }

    /// Runs until the outermost frame returns.
    fn advance(&mut self) -> Step<()> {
        'frame: loop {
            let frame = self.frames.last().ok_or_else(bug)?;
            let (code, base, depth) = (frame.code.clone(), frame.base as usize, self.frames.len());
            let mut pc = frame.pc as usize;
            loop {
                let Some(&ins) = code.ins.get(pc) else {
                    return Err(bug());
                };
                pc += 1;
                self.steps += 1;
                if self.steps > self.limit {
                    return Err(Box::new(Outcome::OutOfFuel(Limit::Steps)));
                }
                // The fast path: common instructions that neither fail nor access the frame.
                #[expect(
                    clippy::wildcard_enum_match_arm,
                    reason = "these are done at once, all others by `step`, which names every one"
                )]
                match ins {
                    Ins::PushInt(n) => {
                        self.stack.push(Word::Int(n));
                        continue;
                    }
                    Ins::PushBool(b) => {
                        self.stack.push(Word::Bool(b));
                        continue;
                    }
                    Ins::Push(c) => {
                        self.stack
                            .push(code.consts.get(c as usize).cloned().unwrap_or(Word::Unset));
                        continue;
                    }
                    Ins::Load(s) => {
                        let word = self
                            .stack
                            .get(base + s as usize)
                            .cloned()
                            .unwrap_or(Word::Unset);
                        if !matches!(word, Word::Unset) {
                            self.stack.push(word);
                            continue;
                        }
                    }
                    Ins::Take(s) => {
                        let word = self
                            .stack
                            .get_mut(base + s as usize)
                            .map_or(Word::Unset, |w| std::mem::replace(w, Word::Unset));
                        if !matches!(word, Word::Unset) {
                            self.stack.push(word);
                            continue;
                        }
                    }
                    Ins::Store(s) => {
                        let word = self.stack.pop().unwrap_or(Word::Unset);
                        if let Some(slot) = self.stack.get_mut(base + s as usize) {
                            *slot = word;
                        }
                        continue;
                    }
                    Ins::Jump(t) => {
                        pc = t as usize;
                        continue;
                    }
                    Ins::If { els, .. } => {
                        if let Some(Word::Bool(b)) = self.stack.last() {
                            let holds = *b;
                            if self.behaviour.is_some() {
                                self.note_decision(&code, (pc, holds));
                            }
                            if !holds {
                                pc = els as usize;
                            }
                            self.stack.pop();
                            continue;
                        }
                    }
                    // Which side decides is a decision of its own; `step` executes it.
                    Ins::AndLeft(_) | Ins::OrLeft(_) | Ins::ImpliesLeft(_)
                        if self.behaviour.is_some() =>
                    {
                        if let Some(Word::Bool(b)) = self.stack.last() {
                            let holds = *b;
                            self.note_decision(&code, (pc, holds));
                        }
                    }
                    Ins::AddInt | Ins::SubInt | Ins::MulInt => {
                        if let [.., Word::Int(a), Word::Int(b)] = self.stack.as_mut_slice() {
                            let result = if matches!(ins, Ins::AddInt) {
                                a.checked_add(*b)
                            } else if matches!(ins, Ins::SubInt) {
                                a.checked_sub(*b)
                            } else {
                                a.checked_mul(*b)
                            };
                            if let Some(n) = result {
                                *a = n;
                                self.stack.pop();
                                continue;
                            }
                        }
                    }
                    Ins::LtInt | Ins::LeInt => {
                        if let [.., Word::Int(a), Word::Int(b)] = self.stack.as_slice() {
                            let result = if matches!(ins, Ins::LtInt) {
                                a < b
                            } else {
                                a <= b
                            };
                            // Equal numbers are a case of their own, whatever the comparison says.
                            if a == b && self.behaviour.is_some() {
                                self.note_decision(&code, (pc, "equal"));
                            }
                            if self.noted.is_some() {
                                self.note_numbers(ins, &code, pc, result);
                            }
                            self.stack.pop();
                            if let Some(top) = self.stack.last_mut() {
                                *top = Word::Bool(result);
                            }
                            continue;
                        }
                    }
                    _slow => {}
                }
                // The slow path may use or change the frame, so that the program counter is saved
                // before it and reloaded after it.
                let depth_before = depth;
                if let Some(f) = self.frames.last_mut() {
                    f.pc = pc as u32;
                }
                self.step(ins, &code, base)?;
                // A return may be followed by a call at once, so that the same depth does not mean
                // the same frame.
                if self.frames.len() != depth_before || matches!(ins, Ins::Return(_)) {
                    if self.frames.is_empty() {
                        return Ok(());
                    }
                    continue 'frame;
                }
                pc = self.frames.last().map_or(0, |f| f.pc as usize);
            }
        }
    }

    /// Notes a decision of compiled code that is not ghost.
    #[cold]
    fn note_decision(&mut self, code: &Code, place: impl Hash) {
        if self.mode(code) == Mode::Compiled {
            let depth = self.frames.len();
            self.behaviour
                .iter_mut()
                .for_each(|b| b.decide(depth, &place));
        }
    }

    /// Notes the comparison of the two numbers on top of the stack, which precedes `pc`.
    #[cold]
    fn note_numbers(&self, ins: Ins, code: &Code, pc: usize, holds: bool) {
        let relation = match matches!(ins, Ins::LtInt) {
            true => Relation::Less,
            false => Relation::AtMost,
        };
        if let [.., left, right] = self.stack.as_slice()
            && self.notes(code)
        {
            let place = code.spans.get(pc.saturating_sub(1)).copied();
            let (left, right) = (left.clone(), Some(right.clone()));
            let places = [place, self.span_of_caller()];
            self.interp
                .note_comparison(places, (relation, holds), left, right);
        }
    }

    /// Whether comparisons of this code are noted.
    fn notes(&self, code: &Code) -> bool {
        match self.noted {
            None => false,
            Some(NotedCode::All) => true,
            Some(NotedCode::Compiled) => self.mode(code) == Mode::Compiled && !self.is_ensuring,
        }
    }

    /// Returns the source of the call that the current activation is of.
    fn span_of_caller(&self) -> Option<Span> {
        let caller = self.frames.iter().rev().nth(1)?;
        let at = (caller.pc as usize).saturating_sub(1);
        caller.code.spans.get(at).copied()
    }

    fn jump(&mut self, target: u32) -> Step<()> {
        self.frame()?.pc = target;
        Ok(())
    }

    fn step(&mut self, ins: Ins, code: &Rc<Code>, base: usize) -> Step<()> {
        match ins {
            // The main loop handles the frequent instructions for the usual operands; they arrive
            // here only in the remaining cases.
            Ins::Load(s) | Ins::Take(s) => {
                let word = self.never_assigned(code, s)?;
                if let Word::Unset = word {
                    let name = code
                        .slot_names
                        .get(s as usize)
                        .map_or("a variable", |slot| &*slot.name);
                    return self.fail(
                        FailureKind::Unassigned,
                        format!("`{name}` was never assigned"),
                    );
                }
                *self.stack.get_mut(base + s as usize).ok_or_else(bug)? = word.clone();
                self.stack.push(word);
            }
            Ins::Out(s) => {
                let word = self
                    .stack
                    .get_mut(base + s as usize)
                    .map_or(Word::Unset, |w| std::mem::replace(w, Word::Unset));
                let word = if let Word::Unset = word {
                    self.never_assigned(code, s)?
                } else {
                    word
                };
                self.stack.push(word);
            }
            Ins::Push(_) | Ins::PushInt(_) | Ins::PushBool(_) | Ins::Store(_) | Ins::Jump(_) => {
                return Err(bug());
            }
            Ins::Pop => drop(self.pop()?),
            Ins::Dup => {
                let word = self.top()?.clone();
                self.stack.push(word);
            }
            // Operands that are not machine integers take the general path.
            Ins::AddInt => self.binary(&Op::Add(Num::Int))?,
            Ins::SubInt => self.binary(&Op::Sub(Num::Int))?,
            Ins::MulInt => self.binary(&Op::Mul(Num::Int))?,
            Ins::LtInt => self.binary(&Op::Lt(Num::Int))?,
            Ins::LeInt => self.binary(&Op::Le(Num::Int))?,
            Ins::Same => self.binary(&Op::Eq)?,
            Ins::Differ => self.binary(&Op::Ne)?,
            Ins::SameFunctions { negate } => self.same_functions(negate)?,
            Ins::OpOnFunctions { op, argc, ty } => {
                let op = code.ops.get(op as usize).ok_or_else(bug)?;
                self.op_on_functions(op, argc, ty)?;
            }
            Ins::NonNull => self.not_null()?,
            Ins::Settle(ty) => {
                let ty = self.concrete(ty)?;
                if self.interp.program.typed.may_hold_functions(&ty) {
                    self.settle()?;
                }
            }
            // Two values seen as a trait may differ in their newtypes although their base values
            // are equal.
            Ins::SameSeen { negate } => {
                let differ = if let [.., Word::Boxed(a), Word::Boxed(b)] = self.stack.as_slice()
                    && let (Value::Newtype(a), Value::Newtype(b)) = (&**a, &**b)
                {
                    a.decl != b.decl && a.value == b.value
                } else {
                    false
                };
                self.binary(&Op::Eq)?;
                let top = self.top()?;
                if differ {
                    *top = Word::unknown(Equality::Newtypes);
                } else if let Word::Bool(same) = top {
                    *same ^= negate;
                }
            }
            Ins::Op { op, argc } => {
                let op = code.ops.get(op as usize).ok_or_else(bug)?;
                self.operator(op, argc)?;
            }
            Ins::TypeStart { ty, end } => self.type_start(ty, end)?,
            Ins::TypeNext(done) => self.type_next(done)?,
            Ins::Call(site) => self.call(site, code)?,
            Ins::CallPre { site, part } => self.call_precondition(site, part, code)?,
            Ins::PreCheck { site, part } => self.check_precondition(site, part, code)?,
            Ins::Apply(n) => self.apply(n, self.mode(code))?,
            Ins::ApplyRequires(n) => self.apply_requires(n)?,
            // The precondition is evaluated on a copy of function and arguments.
            Ins::ApplyPre(n) => {
                let at = self
                    .stack
                    .len()
                    .checked_sub(n as usize + 1)
                    .ok_or_else(bug)?;
                self.stack.extend_from_within(at..);
                self.apply_requires(n)?;
            }
            Ins::ApplyCheck => match self.pop_condition()? {
                Condition::True => {}
                // A variant of the unit is executed without this check.
                Condition::False if self.interp.runs_variant() => {}
                Condition::False => self.broken(
                    FailureKind::Application,
                    "the function's precondition does not hold",
                )?,
                Condition::Unknown(reason) => self.undecided(code, &reason),
            },
            Ins::ApplyReads(n) => self.apply_reads(n)?,
            Ins::Closure { lambda, captures } => self.closure(lambda, captures)?,
            Ins::Delay { lambda, captures } => self.delay(lambda, captures)?,
            Ins::Look(field) => self.look(field, self.mode(code))?,
            Ins::Force => self.force(self.mode(code))?,
            Ins::ForceShown => self.force_shown(self.mode(code))?,
            Ins::SameDeeply { negate } => self.same_deeply(negate, self.mode(code))?,
            Ins::PrefixEq => self.prefix_equal(self.mode(code))?,
            Ins::Named { site, receiver } => self.named(site, receiver, code)?,
            Ins::IterNew(site) => self.iter_new(site, code)?,
            // The iterator stays on its stack until it is exhausted.
            Ins::IterNext { slot, done } => match self.iters.last_mut().ok_or_else(bug)?.next() {
                Some(word) => *self.stack.get_mut(base + slot as usize).ok_or_else(bug)? = word,
                None => {
                    self.iters.pop();
                    self.jump(done)?;
                }
            },
            Ins::PopIters(n) => self.end_iterations(n),
            Ins::Found { choice, exit } => self.found(choice, exit, code, base)?,
            Ins::Advise { choice, none } => self.advise(choice, none, code, base)?,
            Ins::Advised(choice) => self.advised(choice, code, base)?,
            Ins::Tick { end, depth } => self.tick(end, depth)?,
            Ins::Chosen(_) | Ins::ChosenOr { .. } => self.choose(ins, code, base)?,
            // Handlers determine where execution continues after a failure inside an expression.
            Ins::Try(target) => self.protect(target, Takes::Failures),
            Ins::TrySupported(target) => self.protect(target, Takes::Unsupported),
            Ins::Untry => drop(self.handlers.pop()),
            Ins::Budget(target) => self.budget(target),
            Ins::Unbudget => {
                if let Some(h) = self.handlers.pop() {
                    self.limit = h.limit;
                }
            }
            Ins::Ensure(end) => self.ensure(end)?,
            Ins::Ensured => {
                self.ensuring.0 += self.steps - self.ensuring.1;
                self.is_ensuring = false;
            }
            Ins::PushHeap(state) => {
                let state = self.state(state)?;
                // Expressions in an older state read through the topmost view.
                self.views.push(state);
            }
            Ins::PopHeap => drop(self.views.pop()),
            Ins::Fresh(_)
            | Ins::Allocated
            | Ins::Unchanged { .. }
            | Ins::AddObjects
            | Ins::ReadField(_)
            | Ins::Contents(_)
            | Ins::ReadElement(_)
            | Ins::SetField(_)
            | Ins::Redefine(_)
            | Ins::SetElement(_)
            | Ins::New(_)
            | Ins::NewArray { .. }
            | Ins::Fill(_)
            | Ins::StoresBegin
            | Ins::LaterField(_)
            | Ins::LaterElement(_)
            | Ins::StoresCommit => self.object(ins)?,
            Ins::If { .. }
            | Ins::AndLeft(_)
            | Ins::OrLeft(_)
            | Ins::ImpliesLeft(_)
            | Ins::AndEnd
            | Ins::OrEnd
            | Ins::ImpliesEnd
            | Ins::Not
            | Ins::Quantify { .. }
            | Ins::Guard { .. }
            | Ins::Prune(_)
            | Ins::ProbeEnd { .. } => self.logic(ins)?,
            Ins::SetInsert | Ins::SeqPush | Ins::MapInsert | Ins::CheckLength => {
                self.accumulate(ins)?
            }
            Ins::CheckRange(_)
            | Ins::TestRange(_)
            | Ins::Convert(_)
            | Ins::Retype { .. }
            | Ins::TestConvert { .. }
            | Ins::CheckType(_) => self.typing(ins, code)?,
            Ins::Snapshot(_)
            | Ins::HavocHeap(_)
            | Ins::HavocAll
            | Ins::AnyConstant { .. }
            | Ins::Havoc { .. }
            | Ins::Print(_)
            | Ins::Expect(_)
            | Ins::Halt(_)
            | Ins::Assume
            | Ins::WellFormed
            | Ins::Assert(_)
            | Ins::Precondition(_)
            | Ins::Lemma(_)
            | Ins::Enter(_)
            | Ins::Probing(_)
            | Ins::Shown(_)
            | Ins::ComeTo(_)
            | Ins::Goto(_)
            | Ins::Branch { .. }
            | Ins::Choose(_)
            | Ins::Unsupported(_)
            | Ins::Stop => self.control(ins, code, base)?,
            Ins::Note(what) => self.note(what, code, base),
            Ins::Answer(callee) => self.answer(callee, code)?,
            Ins::Return(n) => self.leave(n)?,
        }
        Ok(())
    }

    /// Returns the value of an unassigned variable: with relaxed rules, an arbitrary value of its
    /// type; in a mutant, the initial value of compiled code, because definite assignment is not
    /// checked for mutants.
    fn never_assigned(&mut self, code: &Code, slot: u32) -> Step<Word> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let info = code.slot_names.get(slot as usize);
        let ty = info.map_or(Type::Error, |slot| substitute(frame, &slot.ty));
        // A variable with definite assignment gets no arbitrary value: the read is an error.
        if info.is_some_and(|slot| slot.definite) {
            return Ok(Word::Unset);
        }
        // A variant may read a variable that the unit assigns.
        if self.interp.runs_variant() {
            return Ok(self.interp.default_value(&ty).map_or(Word::Unset, Word::of));
        }
        // Otherwise, only the relaxed rules allow a read without an assignment.
        if !self.interp.program.typed.options.relax_definite_assignment {
            return Ok(Word::Unset);
        }
        let name = info.map(|slot| slot.name.clone());
        self.guessed |= info.is_some_and(|slot| slot.inferred);
        let at = code
            .callable
            .zip(name)
            .map(|(callable, name)| Opening::Variable(callable, name));
        let word = self.any_value(at.as_ref(), &ty)?;
        Ok(word.unwrap_or_else(|| self.no_known_value(&ty)))
    }

    /// Returns the state that an operand of the code denotes.
    fn state(&self, state: u32) -> Step<State> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let states = frame.extra.as_deref();
        // State 0 is that of the entry of the activation.
        let found = match state.checked_sub(1) {
            None => states.and_then(|s| s.entry.clone()),
            Some(label) => {
                let name = frame.code.names.get(label as usize).ok_or_else(bug)?;
                states.and_then(|s| {
                    s.labels
                        .iter()
                        .find(|(n, _)| n == name)
                        .map(|(_, s)| s.clone())
                })
            }
        };
        found.ok_or_else(|| unsupported(NoValue::OldState))
    }
}

fn substitute(frame: &Frame, ty: &Type) -> Type {
    if frame.type_args.is_empty() || !super::compile::mentions_param(ty) {
        return ty.clone();
    }
    let map = frame
        .code
        .type_params
        .iter()
        .copied()
        .zip(frame.type_args.iter().cloned())
        .collect();
    ty.subst(&map)
}

/// The outcome of an inconsistency that no well-typed program leads to: an internal error.
#[track_caller]
fn bug() -> Stop {
    unsupported(Reason::ill_typed())
}

/// The outcome of an unsupported construct.
fn unsupported(reason: impl Into<Reason>) -> Stop {
    Box::new(Outcome::Unsupported(reason.into()))
}

/// The outcome of an unknown operand that has to be known.
fn unknown_operand(word: &Word) -> Stop {
    match word {
        Word::Unknown(reason) => unsupported(Reason::Operand(Box::new(Reason::clone(reason)))),
        Word::Unset
        | Word::Bool(_)
        | Word::Char(_)
        | Word::Int(_)
        | Word::Seq(_)
        | Word::Set(_)
        | Word::Multiset(_) => bug(),
        Word::Map(_)
        | Word::Tuple(_)
        | Word::Datatype(_)
        | Word::Null
        | Word::Ref(_)
        | Word::Function(_)
        | Word::Boxed(_) => bug(),
    }
}

/// Creates the word of a function value.
fn function(f: FunctionValue) -> Word {
    Word::Function(Arc::new(f))
}
