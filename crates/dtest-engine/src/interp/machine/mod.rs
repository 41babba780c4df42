//! The machine: an operand stack, a stack of frames, iterators and handlers. Nothing of the program's
//! recursion lies on the host's stack.

mod answer;
mod calls;
mod check;
pub(super) mod choose;
mod control;
mod functions;
mod inside;
mod iterate;
mod lazy;
mod logic;
mod objects;
mod resolve;
mod summarise;
mod tracing;

pub(super) use iterate::Iter;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Interp;
use super::answers::Script;
use super::api::{Failure, FailureKind, Opening, Outcome, Resolution};
use super::code::{Code, Ins, Mode};
use super::heap::State;
use super::ops::{self, OpError};
use super::trace::Tracer;
use super::word::{Condition, Word};
use crate::ir::{self, BlockId, CallId, Coll, GoalId, Num, Op};
use crate::reason::{Equality, Limit, NoValue, Reason};
use crate::value::{FunctionValue, LazyValue, ObjectId, Value};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::SortedSet;

/// Why execution stops short of a result. (`Outcome::Returned` is never one of these.)
pub(super) type Stop = Box<Outcome>;
type Step<T> = Result<T, Stop>;

/// An activation.
struct Frame {
    code: Rc<Code>,
    pc: u32,
    /// Where its slots begin on the stack.
    base: u32,
    /// What the code's type parameters stand for.
    type_args: Rc<[Type]>,
    extra: Option<Box<States>>,
    memo: Memo,
    /// The call by way of which it was entered, where that is told apart.
    by: Option<CallId>,
}

/// Where the result of an activation is kept.
enum Memo {
    /// Nowhere.
    No,
    /// It is the value of a constant.
    Constant(Box<calls::Computed>),
    /// It is what a lazy value stands for; nothing is left on the stack.
    Lazy(Arc<LazyValue>),
    /// It says whether an object answers the call itself, whose receiver and arguments are on the stack.
    Guard(Box<Guarded>),
    /// It is what the callee gives for its arguments.
    Summary(Box<summarise::Summarised>),
}

/// A call that waits to know who answers it.
struct Guarded {
    callee: CallableId,
    argc: usize,
    type_args: Rc<[Type]>,
    mode: Mode,
    /// What the object does.
    function: Arc<FunctionValue>,
}

/// States of the heap that a frame refers to.
#[derive(Clone, Default)]
pub(super) struct States {
    /// At the entry.
    entry: Option<State>,
    /// At labels.
    labels: Vec<(Name, State)>,
    /// The object that a constructor makes: not allocated at the entry, though the heap has it.
    made: Option<ObjectId>,
}

impl States {
    /// With that state at the entry.
    pub(super) fn since(entry: State) -> Self {
        Self {
            entry: Some(entry),
            ..Self::default()
        }
    }

    /// In a constructor of that object.
    pub(super) fn making(self, made: Option<ObjectId>) -> Self {
        Self { made, ..self }
    }
}

/// Postconditions of what is called may take this part of all steps; those behind are not asked for.
const ENSURING: u64 = 4;

/// Where to go on after a failure in a condition whose value may be unknown.
struct Handler {
    frames: usize,
    stack: usize,
    iters: usize,
    views: usize,
    pending: usize,
    target: u32,
    /// The limit of steps outside.
    limit: u64,
    /// What makes the condition unknown.
    takes: Takes,
}

/// What a handler takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Failures, and what is not supported.
    Failures,
    /// What is not supported, and no failure.
    Unsupported,
    /// Running out of fuel.
    Fuel,
}

/// A store of a `forall` statement.
enum Store {
    Field(Word, FieldId, Word),
    Element(Word, Vec<Word>, Word),
}

/// What an execution does, recorded: its outermost activation and, of an entry, what it calls.
#[derive(Default)]
pub(super) struct Record<'p> {
    pub(super) visited: Vec<BlockId>,
    pub(super) trace: Vec<(BlockId, BlockId)>,
    /// Probes that were shown, in the order in which they first were.
    pub(super) shown: Vec<u32>,
    /// Probes that were come to before anything was broken.
    pub(super) come_to: SortedSet<u32>,
    seen: FxHashSet<BlockId>,
    /// The block that control is in.
    current: Option<BlockId>,
    /// Goals that inner activations reached, with how many blocks were visited before.
    pub(super) inner: Vec<(u32, GoalId)>,
    reached_inside: FxHashSet<GoalId>,
    /// What calls under way reached whose summaries are to be kept, innermost last.
    collecting: Vec<FxHashSet<GoalId>>,
    /// The unit, where it is an entry, and what counts beside it.
    pub(super) entry: Option<(CallableId, &'p ir::System)>,
    /// What of other callables counts as the unit's own code.
    inlined: Option<&'p ir::Inlined>,
    /// The branches that were taken in it, where paths are goals.
    pub(super) path: Vec<(CallableId, BlockId, BlockId)>,
    wants_path: bool,
}

/// A machine with its state.
pub(super) struct Machine<'i, 'p, 's> {
    pub(super) interp: &'i Interp<'p>,
    stack: Vec<Word>,
    frames: Vec<Frame>,
    iters: Vec<Iter>,
    handlers: Vec<Handler>,
    pub(super) heap: State,
    /// Older states that are being read.
    views: Vec<State>,
    pending: Vec<Vec<Store>>,
    scratch: Vec<Word>,
    pub(super) steps: u64,
    /// Steps that constants cost: an execution is the same whether their values were known before it or not.
    pub(super) apart: u64,
    /// Steps that summaries saved.
    saved: u64,
    /// Summaries of this execution.
    here: summarise::Here,
    limit: u64,
    pub(super) record: Option<Record<'p>>,
    pub(super) tracer: Option<Box<Tracer>>,
    /// Whether nothing was chosen on which more rests than the truth of an obligation that was kept.
    pub(super) deterministic: bool,
    /// Whether something was chosen on which only that rests.
    pub(super) obligations_chose: bool,
    /// [`Self::deterministic`] before the ghost code at hand, or the last.
    before_ghost: Option<bool>,
    pub(super) unknown: Vec<(Span, Reason)>,
    /// Assumptions that could not be decided, of specifications too.
    pub(super) undecided_assumptions: Vec<(Span, Reason)>,
    /// Whether a constant without a value was read.
    pub(super) reads_open_constants: bool,
    /// The number of conditions that could not be decided.
    undecided_count: u64,
    pub(super) printed: String,
    pub(super) script: Script,
    pub(super) linked: bool,
    /// Whether a variable whose type nobody wrote was read before it was assigned.
    pub(super) guessed: bool,
    /// The call that is being made, where it is told apart.
    calling: Option<CallId>,
    /// What chooses, where that is not the rule for choices.
    resolver: Option<resolve::Resolver>,
    /// Which candidates to take where the rule for choices takes the first, and how many there were.
    pub(super) listing: Option<choose::Listing>,
    /// Obligations that the execution broke and that were disregarded, each once; `None`: it ends with the first.
    pub(super) disregarded: Option<Vec<Failure>>,
    /// What postconditions of callees cost so far, and when the one at hand began.
    ensuring: (u64, u64),
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
            deterministic: true,
            obligations_chose: false,
            before_ghost: None,
            unknown: Vec::new(),
            undecided_assumptions: Vec::new(),
            reads_open_constants: false,
            undecided_count: 0,
            printed: String::new(),
            script: Script::default(),
            linked: false,
            guessed: false,
            calling: None,
            resolver: None,
            listing: None,
            disregarded: None,
            ensuring: (0, 0),
            sink: None,
        }
    }

    /// Resolves choices so.
    pub(super) fn resolving(mut self, resolution: &Resolution) -> Self {
        self.resolver = resolve::Resolver::of(resolution);
        self
    }

    /// Sends what is printed to `sink`.
    pub(super) fn print_to(&mut self, sink: &'s mut dyn FnMut(&str)) {
        self.sink = Some(sink);
    }

    /// Runs code on arguments; gives the words it returns.
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

    /// Goes on at the innermost handler, if the stop is one that makes a condition unknown.
    fn handle(&mut self, stop: Stop) -> Step<()> {
        let (reason, by): (Reason, &[Takes]) = match &*stop {
            Outcome::Failed(f) => (
                Reason::Failed(f.message.as_str().into()),
                &[Takes::Failures],
            ),
            Outcome::Unsupported(reason) => {
                (reason.clone(), &[Takes::Failures, Takes::Unsupported])
            }
            Outcome::OutOfFuel(which) => (Reason::OutOfFuel(*which), &[Takes::Fuel]),
            Outcome::Returned(_) | Outcome::Halted { .. } | Outcome::Infeasible(_) => {
                return Err(stop);
            }
        };
        let Some(at) = self.handlers.iter().rposition(|h| by.contains(&h.takes)) else {
            return Err(stop);
        };
        let Some(h) = self.handlers.drain(at..).next() else {
            return Err(stop);
        };
        self.limit = h.limit;
        if self.steps > self.limit {
            return Err(stop);
        }
        for frame in self.frames.drain(h.frames.min(self.frames.len())..) {
            if let Memo::Constant(computed) = &frame.memo {
                self.deterministic &= computed.was_deterministic;
            }
        }
        self.stack.truncate(h.stack);
        self.iters.truncate(h.iters);
        self.views.truncate(h.views);
        self.pending.truncate(h.pending);
        self.stack.push(Word::unknown(reason));
        self.frame()?.pc = h.target;
        Ok(())
    }

    fn protect(&mut self, target: u32, takes: Takes) {
        self.handlers.push(Handler {
            frames: self.frames.len(),
            stack: self.stack.len(),
            iters: self.iters.len(),
            views: self.views.len(),
            pending: self.pending.len(),
            target,
            limit: self.limit,
            takes,
        });
    }

    /// Gives a part of the remaining steps to ghost code.
    fn budget(&mut self, target: u32) {
        if !self.is_in_ghost() {
            self.before_ghost = Some(self.deterministic);
        }
        self.protect(target, Takes::Fuel);
        let part = self.limit.saturating_sub(self.steps) / 8;
        self.limit = self.steps.saturating_add(part);
    }

    /// Goes past a postcondition that nobody is to ask for, else begins with it.
    fn ensure(&mut self, end: u32) -> Step<()> {
        if self.frames.len() == 1 || self.ensuring.0 > self.interp.limits.steps / ENSURING {
            return self.jump(end);
        }
        self.ensuring.1 = self.steps;
        Ok(())
    }

    /// What kind of code is under way: within compiled code, ghost expressions are specification, and what they call is.
    fn mode(&self, code: &Code) -> Mode {
        if self.is_in_ghost() {
            Mode::Spec
        } else {
            code.mode
        }
    }

    /// Whether a ghost expression of compiled code is under way.
    fn is_in_ghost(&self) -> bool {
        self.handlers.iter().any(|h| h.takes == Takes::Fuel)
    }

    /// Execution goes on after an obligation: what its condition chose, nothing rests on. Not where choices are what is looked at.
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

    /// The condition on top, taken off.
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

    /// The heap that is read.
    fn view(&self) -> &State {
        self.views.last().unwrap_or(&self.heap)
    }

    fn charge(&mut self, steps: usize) -> Step<()> {
        self.steps = self.steps.saturating_add(steps as u64);
        if steps > 0 && crate::memory::is_short() {
            return Err(Box::new(Outcome::OutOfFuel(Limit::Memory)));
        }
        if self.steps > self.limit {
            Err(Box::new(Outcome::OutOfFuel(Limit::Steps)))
        } else {
            Ok(())
        }
    }

    /// A type of the code, as it is written.
    fn written(&self, ty: u32) -> Step<Type> {
        let frame = self.frames.last().ok_or_else(bug)?;
        frame.code.types.get(ty as usize).cloned().ok_or_else(bug)
    }

    /// A type of the code, with the frame's type arguments.
    fn concrete(&self, ty: u32) -> Step<Type> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let ty = frame.code.types.get(ty as usize).ok_or_else(bug)?;
        Ok(substitute(frame, ty))
    }

    /// The source of the instruction under way.
    fn span(&self) -> Span {
        let at = |f: &Frame| f.code.spans.get((f.pc as usize).saturating_sub(1)).copied();
        self.frames.last().and_then(at).unwrap_or_default()
    }

    fn fail<T>(&self, kind: FailureKind, message: impl Into<String>) -> Step<T> {
        Err(Box::new(Outcome::Failed(Failure {
            kind,
            span: self.span(),
            clause: None,
            message: message.into(),
        })))
    }

    /// Whether a constant is being computed.
    pub(in crate::interp) fn is_in_constant(&self) -> bool {
        self.frames.iter().any(|f| f.code.is_constant)
    }

    /// An obligation is broken after which execution can go on. It does where obligations are disregarded and a failure would end it.
    fn broken(&mut self, kind: FailureKind, message: impl Into<String>) -> Step<()> {
        self.broken_by(Failure {
            kind,
            span: self.span(),
            clause: None,
            message: message.into(),
        })
    }

    fn broken_by(&mut self, failure: Failure) -> Step<()> {
        let is_end = self.handlers.iter().all(|h| h.takes == Takes::Fuel);
        match self.disregarded.as_mut().filter(|_| is_end) {
            Some(all) => {
                if !all.iter().any(|f| {
                    (f.kind, f.span, f.clause) == (failure.kind, failure.span, failure.clause)
                }) {
                    all.push(failure);
                }
                Ok(())
            }
            None => Err(Box::new(Outcome::Failed(failure))),
        }
    }

    fn op_error<T>(&self, error: OpError) -> Step<T> {
        match error {
            OpError::Failed(kind, message) => self.fail(kind, message),
            OpError::Open(reason) => Err(unsupported(reason)),
            OpError::TooLarge => Err(Box::new(Outcome::OutOfFuel(Limit::Memory))),
            OpError::Shape => Err(bug()),
        }
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
                // the common instructions; none of them fails or looks at the frame
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
                            if !b {
                                pc = els as usize;
                            }
                            self.stack.pop();
                            continue;
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
                            self.stack.pop();
                            if let Some(top) = self.stack.last_mut() {
                                *top = Word::Bool(result);
                            }
                            continue;
                        }
                    }
                    _slow => {}
                }
                let depth_before = depth;
                if let Some(f) = self.frames.last_mut() {
                    f.pc = pc as u32;
                }
                self.step(ins, &code, base)?;
                // What returns may call at once, so that the depth is the same again.
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

    fn jump(&mut self, target: u32) -> Step<()> {
        self.frame()?.pc = target;
        Ok(())
    }

    fn step(&mut self, ins: Ins, code: &Rc<Code>, base: usize) -> Step<()> {
        match ins {
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
            Ins::Ensured => self.ensuring.0 += self.steps - self.ensuring.1,
            Ins::PushHeap(state) => {
                let state = self.state(state)?;
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

    /// What a variable has that was never assigned: with relaxed rules, any value of its type; in a mutant, of which nobody asks that
    /// variables are assigned, the value that compiled code begins with.
    fn never_assigned(&mut self, code: &Code, slot: u32) -> Step<Word> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let info = code.slot_names.get(slot as usize);
        let ty = info.map_or(Type::Error, |slot| substitute(frame, &slot.ty));
        if info.is_some_and(|slot| slot.definite) {
            return Ok(Word::Unset);
        }
        if self.interp.runs_variant() {
            return Ok(self.interp.default_value(&ty).map_or(Word::Unset, Word::of));
        }
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

    fn binary(&mut self, op: &Op) -> Step<()> {
        self.operator(op, 2)
    }

    fn operator(&mut self, op: &Op, argc: u32) -> Step<()> {
        let at = self
            .stack
            .len()
            .checked_sub(argc as usize)
            .ok_or_else(bug)?;
        let mut args = std::mem::take(&mut self.scratch);
        args.clear();
        args.extend(self.stack.drain(at..));
        let result = if let Some(unknown) = args.iter().find(|w| matches!(w, Word::Unknown(_))) {
            Ok(unknown.clone())
        } else {
            if matches!(op, Op::ArraySlice) {
                self.array_slice(&args)
            } else if let Op::ArrayLength(d) = op {
                self.array_length(&args, *d)
            } else {
                let cost = cost(op, &args);
                self.charge(cost)?;
                match ops::apply(self.op_context(), op, &mut args) {
                    Err(OpError::Open(reason)) => Ok(Word::unknown(reason)),
                    result => result.or_else(|e| self.op_error(e)),
                }
            }
        };
        args.clear();
        self.scratch = args;
        self.stack.push(result?);
        Ok(())
    }

    /// A state that an operand of code names.
    fn state(&self, state: u32) -> Step<State> {
        let frame = self.frames.last().ok_or_else(bug)?;
        let states = frame.extra.as_deref();
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

/// What an operator on collections costs: copies of shared ones, and walks.
fn cost(op: &Op, args: &[Word]) -> usize {
    let size = |word: &Word| match word {
        Word::Seq(s) | Word::Tuple(s) => (s.len() / 2, Arc::strong_count(s)),
        Word::Set(s) => (s.len(), Arc::strong_count(s)),
        Word::Multiset(s) => (s.len(), Arc::strong_count(s)),
        Word::Map(s) => (s.len(), Arc::strong_count(s)),
        Word::Unset | Word::Unknown(_) | Word::Bool(_) | Word::Char(_) | Word::Int(_) => (0, 0),
        Word::Datatype(_) | Word::Null | Word::Ref(_) | Word::Function(_) | Word::Boxed(_) => {
            (0, 0)
        }
    };
    let copies = || {
        args.iter()
            .map(|w| if size(w).1 > 1 { size(w).0 } else { 0 })
            .sum()
    };
    match op {
        Op::Union(Coll::Seq) => match args {
            // Moving is cheaper than copying.
            [Word::Seq(a), Word::Seq(b)] if !a.is_empty() && !b.is_empty() => {
                copies() + a.len().min(b.len()) / 8 + b.len() / 64
            }
            _one_of_them => 0,
        },
        Op::Union(_)
        | Op::Intersect(_)
        | Op::Difference(_)
        | Op::Update(_)
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items => copies(),
        Op::Slice => match args {
            [_, low, high] => {
                high.as_index()
                    .unwrap_or(0)
                    .saturating_sub(low.as_index().unwrap_or(0))
                    / 2
            }
            _ill_formed => 0,
        },
        Op::Subset(_) | Op::SubsetEq(_) | Op::Disjoint(_) => {
            args.first().map_or(0, |w| size(w).0 / 4)
        }
        Op::In(Coll::Seq) => args.last().map_or(0, |w| size(w).0 / 4),
        Op::Eq | Op::Ne => args.first().map_or(0, |w| size(w).0 / 16),
        Op::Not
        | Op::Neg(_)
        | Op::Add(_)
        | Op::Sub(_)
        | Op::Mul(_)
        | Op::Div(_)
        | Op::Mod(_)
        | Op::Lt(_)
        | Op::Le(_)
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::BitNot
        | Op::Shl
        | Op::Shr
        | Op::RotateLeft
        | Op::RotateRight
        | Op::Floor
        | Op::OrdinalIsLimit
        | Op::OrdinalIsSucc
        | Op::OrdinalOffset
        | Op::OrdinalIsNat
        | Op::Display(_)
        | Op::Cardinality(_)
        | Op::In(_)
        | Op::Select(_)
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_)
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => 0,
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

/// An inconsistency that no well-typed program leads to.
#[track_caller]
fn bug() -> Stop {
    unsupported(Reason::ill_typed())
}

/// The end of an execution that cannot be followed.
fn unsupported(reason: impl Into<Reason>) -> Stop {
    Box::new(Outcome::Unsupported(reason.into()))
}

/// The same where an operand is unknown that has to be known.
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

/// A function value as a word.
fn function(f: FunctionValue) -> Word {
    Word::Function(Arc::new(f))
}
