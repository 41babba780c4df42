//! Calls: of callables, of function values, of preconditions.
//!
//! Key functions: [`Machine::enter`] and [`Machine::leave`]; [`Machine::call`];
//! [`Machine::dispatch`]; [`Machine::apply`].

use std::rc::Rc;
use std::sync::Arc;

use super::{Frame, Guarded, Machine, Memo, States, Step, bug, function, substitute, unsupported};
use crate::api::{Failure, FailureKind, Outcome};
use crate::code::{Code, CodeKey, Mode, Site, Target, TypeArgs};
use crate::constants::{Constant, Values};
use crate::types;
use crate::word::{Condition, Word};
use dafny_resolve::typed::{Body, CallableId, FieldId, Type};
use dtest_desugar::ExternalCode as _;
use dtest_ir::reason::{Limit, NoValue, Reason};
use dtest_value::{FunctionValue, LazyValue, Template, Thunk, Value};

/// The limit of frames, which bounds recursion.
const MAX_FRAMES: usize = 4_000_000;

/// The share of all steps that the computation of a constant may take (one in this number),
/// independent of the steps left to the execution that reads it.
const COMPUTING: u64 = 4;

/// The limit of parts of a type. Polymorphic recursion creates ever larger types.
const MAX_TYPE: usize = 2_000;

fn is_large(ty: &Type, max: usize) -> bool {
    let mut work = vec![ty];
    let mut size = 0;
    while let Some(ty) = work.pop() {
        size += 1;
        work.extend(ty.parts());
        if size > max {
            return true;
        }
    }
    false
}

/// A constant whose value is being computed.
pub(super) struct Computed {
    field: FieldId,
    /// The cache for the value.
    keep: Option<Rc<Values>>,
    /// Whether the execution was deterministic before.
    pub(super) was_deterministic: bool,
    /// The steps before the computation and their limit: the cost of the constant is counted
    /// separately.
    before: u64,
    limit: u64,
}

impl Machine<'_, '_, '_> {
    /// Begins an activation. The arguments are on the stack.
    pub(super) fn enter(&mut self, code: Rc<Code>, argc: usize, type_args: Rc<[Type]>) -> Step<()> {
        if argc != code.params as usize {
            return Err(unsupported(NoValue::Arguments));
        }
        let base = self.stack.len().checked_sub(argc).ok_or_else(bug)?;
        let slots = code.slots as usize;
        if base + slots > self.interp.limits.stack || self.frames.len() >= MAX_FRAMES {
            return Err(Box::new(Outcome::OutOfFuel(Limit::Recursion)));
        }
        self.stack.resize(base + slots, Word::Unset);
        // An expression shares the older states of the code around it; a body starts with the
        // current heap.
        let extra = code.needs_entry.then(|| {
            Box::new(if code.blocks.is_empty() {
                self.caller_entry()
            } else {
                let made = match self.stack.get(base) {
                    Some(Word::Ref(id)) if code.constructs => Some(*id),
                    Some(_) | None => None,
                };
                States::since(self.heap.clone()).making(made)
            })
        });
        let by = self.calling.take();
        if code.mode == Mode::Compiled && self.behaviour.is_some() && !self.is_in_ghost() {
            let depth = self.frames.len() + 1;
            self.behaviour
                .iter_mut()
                .for_each(|b| b.begin(depth, code.callable));
        }
        self.frames.push(Frame {
            code,
            pc: 0,
            base: base as u32,
            type_args,
            extra,
            memo: Memo::No,
            by,
        });
        Ok(())
    }

    /// Returns the older states of an expression: those of the code around it.
    fn caller_entry(&self) -> States {
        let states = self.frames.last().and_then(|f| f.extra.as_ref());
        states.map_or_else(States::default, |s| States {
            entry: s.entry.clone(),
            made: s.made,
            ..States::default()
        })
    }

    /// Ends an activation with `n` results on top of the stack.
    pub(super) fn leave(&mut self, n: u32) -> Step<()> {
        let mut frame = self.frames.pop().ok_or_else(bug)?;
        if let Some(behaviour) = &mut self.behaviour {
            behaviour.end(self.frames.len() + 1);
        }
        let base = frame.base as usize;
        // The summary of the activation is recorded while its frame is still known.
        if let Memo::Summary(begun) = frame.memo {
            frame.memo = Memo::No;
            let at = self.stack.len().checked_sub(n as usize).ok_or_else(bug)?;
            let results = self.stack.get(at..).unwrap_or_default().to_vec();
            self.summarise(*begun, &results);
        }
        if let Memo::Dispatched(call) = frame.memo {
            frame.memo = Memo::No;
            let at = self.stack.len().checked_sub(n as usize).ok_or_else(bug)?;
            let results = self.stack.get(at..).unwrap_or_default().to_vec();
            self.after_dispatch(*call, &results)?;
        }
        if n == 1 {
            let result = self.pop()?;
            self.stack.truncate(base);
            // The result may be used by the machine itself instead of the caller.
            match frame.memo {
                Memo::Lazy(lazy) => {
                    lazy.note(if let Word::Unknown(reason) = result {
                        Err(reason.into())
                    } else {
                        Ok(result.value().ok_or_else(bug)?)
                    });
                    return Ok(());
                }
                Memo::Guard(guarded) => return self.guarded(*guarded, result),
                Memo::Constant(computed) => self.keep_constant(*computed, &result),
                Memo::Summary(_) | Memo::Dispatched(_) | Memo::No => {}
            }
            self.stack.push(result);
        } else {
            let results = self.pop_many(n)?;
            self.stack.truncate(base);
            self.stack.extend(results);
        }
        Ok(())
    }

    pub(super) fn site_types(&self, site: &Site) -> Step<Rc<[Type]>> {
        let frame = self.frames.last().ok_or_else(bug)?;
        Ok(match &site.type_args {
            TypeArgs::Same => frame.type_args.clone(),
            TypeArgs::Fixed(types) => types.clone(),
            TypeArgs::Open(types) => {
                let types: Rc<[Type]> = types.iter().map(|t| substitute(frame, t)).collect();
                if types.iter().any(|t| is_large(t, MAX_TYPE)) {
                    return Err(Box::new(Outcome::OutOfFuel(Limit::Types)));
                }
                types
            }
        })
    }

    pub(super) fn call(&mut self, site: u32, code: &Code) -> Step<()> {
        let site = code.sites.get(site as usize).ok_or_else(bug)?;
        let type_args = self.site_types(site)?;
        let argc = site.argc as usize;
        // A specification's code is entered directly; functions and methods go through dynamic
        // dispatch.
        match &site.target {
            Target::Code(key) => {
                if let CodeKey::Constant(field) = key {
                    return self.constant(*field, argc, type_args, self.mode(code));
                }
                let code = self.interp.code(key).ok_or_else(bug)?;
                self.enter(code, argc, type_args)
            }
            Target::Function(callee) => {
                let state = match site.label {
                    Some(label) => Some(self.state(label)?),
                    None => None,
                };
                let named = self.before_dispatch(*callee, argc, &type_args);
                let Some((callee, type_args)) =
                    self.dispatch(*callee, argc, type_args, self.mode(code))?
                else {
                    return Ok(());
                };
                // Where calls are distinguished, the callee records its goals by the call.
                self.calling = self.told_apart(callee);
                self.call_function(callee, argc, type_args, self.mode(code))?;
                self.calling = None;
                self.dispatched(named, callee);
                // A two-state function refers to the state of the label as the older one.
                if let (Some(entry), Some(frame)) = (state, self.frames.last_mut())
                    && frame.pc == 0
                {
                    frame.extra = Some(Box::new(States::since(entry)));
                }
                Ok(())
            }
            Target::Method(callee) => {
                let named = self.before_dispatch(*callee, argc, &type_args);
                let Some((callee, type_args)) =
                    self.dispatch(*callee, argc, type_args, self.mode(code))?
                else {
                    return Ok(());
                };
                self.record_linked_call(callee);
                self.calling = self.told_apart(callee);
                match self.interp.code(&CodeKey::Procedure(callee)) {
                    Some(found) => {
                        self.enter_callee(callee, found, argc, type_args, self.mode(code))?
                    }
                    None if self.interp.program.typed[callee].kind.is_function() => {
                        self.call_function(callee, argc, type_args, self.mode(code))?;
                    }
                    None => {
                        return Err(unsupported(Reason::without_body(
                            &self.interp.program.typed,
                            callee,
                        )));
                    }
                }
                self.calling = None;
                self.dispatched(named, callee);
                Ok(())
            }
        }
    }

    /// Pushes the cached value of a constant, or begins to compute it.
    fn constant(
        &mut self,
        field: FieldId,
        argc: usize,
        type_args: Rc<[Type]>,
        mode: Mode,
    ) -> Step<()> {
        let Constant { known, code, keep } = self.interp.constant_for(field, mode);
        let is_one = argc == 0 && type_args.is_empty();
        if let Some((word, is_determined)) = known.filter(|_| is_one && self.resolver.is_none()) {
            self.deterministic &= is_determined;
            // The value may depend on a constant without a value.
            if !is_determined {
                self.read_open_constant();
            }
            self.stack.push(word);
            return Ok(());
        }
        self.enter(code.ok_or_else(bug)?, argc, type_args)?;
        if is_one {
            // Determinism and fuel are tracked separately while the constant is computed.
            let was_deterministic = std::mem::replace(&mut self.deterministic, true);
            let (before, limit) = (self.steps, self.limit);
            self.limit = limit.max(before.saturating_add(self.interp.limits().steps / COMPUTING));
            self.frame()?.memo = Memo::Constant(Box::new(Computed {
                field,
                keep,
                was_deterministic,
                before,
                limit,
            }));
        }
        Ok(())
    }

    /// Caches the computed value of a constant. A value that is not cached is computed again each
    /// time, and its cost counts.
    fn keep_constant(&mut self, computed: Computed, result: &Word) {
        if let Some(values) = computed
            .keep
            .filter(|_| !matches!(result, Word::Unknown(_)) && self.resolver.is_none())
        {
            values.keep(computed.field, result.clone(), self.deterministic);
            // The steps of the computation are counted separately, so that the fuel does not depend
            // on the order of executions.
            self.apart += self.steps - computed.before;
            self.steps = computed.before;
        }
        self.deterministic &= computed.was_deterministic;
        self.limit = computed.limit;
    }

    fn call_function(
        &mut self,
        callee: CallableId,
        argc: usize,
        type_args: Rc<[Type]>,
        mode: Mode,
    ) -> Step<()> {
        // The procedure of an external function calls its stub.
        let found = match (&self.interp.program.typed[callee].body, mode) {
            (Body::ByMethod(..), Mode::Compiled) | (Body::None, _) => {
                self.interp.code(&CodeKey::Procedure(callee))
            }
            // The blocks of a function are equivalent to its expression, and record the reached
            // goals.
            (Body::Expr(_), Mode::Compiled) if self.counts(callee) || self.follows(callee) => {
                self.interp.code(&CodeKey::Procedure(callee))
            }
            (Body::ByMethod(..), Mode::Spec) | (Body::Expr(_) | Body::Block(_), _) => None,
        };
        match found.or_else(|| self.interp.code(&CodeKey::Function(callee, mode))) {
            Some(code) => self.enter_callee(callee, code, argc, type_args, mode),
            None => {
                let args = self.pop_many(argc as u32)?;
                if mode == Mode::Spec
                    && let Some(known) = self.stated_value(callee, &type_args, &args)
                {
                    self.stack.push(known);
                    return Ok(());
                }
                let reason = Reason::without_body(&self.interp.program.typed, callee);
                match (mode, self.interp.program.typed.is_linked(callee)) {
                    // Nothing can run in place of the function, whether its result matters or not.
                    (Mode::Compiled, false) => return Err(unsupported(reason)),
                    (Mode::Compiled, true) => self.deterministic = false,
                    (Mode::Spec, false) => self.script.note_unanswered(&reason),
                    (Mode::Spec, true) => {}
                }
                self.stack.push(Word::unknown(reason));
                Ok(())
            }
        }
    }

    /// Returns the callee for the receiver on the stack. `None` if the call is complete: the
    /// receiver is unknown, or a redefinition applies.
    fn dispatch(
        &mut self,
        callee: CallableId,
        argc: usize,
        type_args: Rc<[Type]>,
        mode: Mode,
    ) -> Step<Option<(CallableId, Rc<[Type]>)>> {
        let program = &self.interp.program.typed;
        if program[callee].is_static || program[callee].owner.is_none() {
            return Ok(Some((callee, type_args)));
        }
        let at = self.stack.len().checked_sub(argc).ok_or_else(bug)?;
        if let Some(function) = self.redefinition(callee, at) {
            let guarded = Guarded {
                callee,
                argc,
                type_args,
                mode,
                function,
            };
            // A redefinition with a precondition applies only where it holds: evaluate it first.
            if self.answers_all(&guarded.function) {
                self.answer_itself(guarded)?;
            } else {
                self.stack.push(Word::Function(guarded.function.clone()));
                self.stack.extend_from_within(at + 1..at + argc);
                self.apply_requires(argc.saturating_sub(1) as u32)?;
                self.frame()?.memo = Memo::Guard(Box::new(guarded));
            }
            return Ok(None);
        }
        self.look_up(callee, argc, type_args)
    }

    /// Whether a redefinition has no precondition.
    fn answers_all(&self, function: &FunctionValue) -> bool {
        match function {
            FunctionValue::Closure { lambda, .. } => self
                .interp
                .program
                .lambdas
                .get(*lambda as usize)
                .is_none_or(|l| l.requires.is_empty()),
            FunctionValue::Table { .. }
            | FunctionValue::Template(_)
            | FunctionValue::Named { .. } => true,
            FunctionValue::Partial { .. } => false,
        }
    }

    /// Applies the redefinition of the receiver, which is on the stack with the arguments.
    fn answer_itself(&mut self, guarded: Guarded) -> Step<()> {
        let Guarded {
            argc,
            mode,
            function,
            ..
        } = guarded;
        let at = self.stack.len().checked_sub(argc).ok_or_else(bug)?;
        *self.stack.get_mut(at).ok_or_else(bug)? = Word::Function(function);
        self.apply(argc.saturating_sub(1) as u32, mode)
    }

    /// Continues a call after the precondition of a redefinition was evaluated.
    fn guarded(&mut self, guarded: Guarded, answers: Word) -> Step<()> {
        // The redefinition applies to arguments that satisfy its precondition.
        if matches!(answers, Word::Bool(true)) {
            self.answer_itself(guarded)
        } else if matches!(answers, Word::Bool(false)) {
            let Guarded {
                callee,
                argc,
                type_args,
                mode,
                ..
            } = guarded;
            // Otherwise, the usual dispatch takes place.
            let Some((callee, type_args)) = self.look_up(callee, argc, type_args)? else {
                return Ok(());
            };
            self.call_function(callee, argc, type_args, mode)
        } else if let unknown @ Word::Unknown(_) = answers {
            self.pop_many(guarded.argc as u32)?;
            self.stack.push(unknown);
            Ok(())
        } else {
            Err(bug())
        }
    }

    /// Returns the implementation for the dynamic type of the receiver. `None` if the receiver is
    /// unknown: then the result is unknown.
    fn look_up(
        &mut self,
        callee: CallableId,
        argc: usize,
        type_args: Rc<[Type]>,
    ) -> Step<Option<(CallableId, Rc<[Type]>)>> {
        let program = &self.interp.program.typed;
        let at = self.stack.len().checked_sub(argc).ok_or_else(bug)?;
        if !types::dispatches(program, callee) {
            return Ok(Some((callee, type_args)));
        }
        let receiver = self.stack.get(at).ok_or_else(bug)?;
        let dynamic = match receiver {
            Word::Ref(id) => self
                .view()
                .get(id.0 as usize)
                .or_else(|| self.heap.get(id.0 as usize))
                .map(|c| c.ty.clone()),
            Word::Datatype(d) => {
                let decl = program[d.ctor].datatype;
                let params = program[decl]
                    .type_params
                    .iter()
                    .map(|p| Type::Param(*p))
                    .collect();
                Some(Type::named(decl, params))
            }
            Word::Boxed(v) => match &**v {
                Value::Newtype(n) => Some(n.ty()),
                Value::Bool(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Real(_)
                | Value::Bv { .. }
                | Value::Ordinal(_)
                | Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Datatype(_)
                | Value::Null
                | Value::Ref(_)
                | Value::Function(_)
                | Value::Lazy(_) => None,
            },
            Word::Null => return self.fail(FailureKind::Null, "a call on null"),
            Word::Unknown(_) => {
                let unknown = receiver.clone();
                self.pop_many(argc as u32)?;
                self.stack.push(unknown);
                return Ok(None);
            }
            Word::Unset
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_) => None,
            Word::Multiset(_) | Word::Map(_) | Word::Tuple(_) | Word::Function(_) => None,
        };
        let Some(ty @ Type::Named { decl, .. }) = &dynamic else {
            return Ok(Some((callee, type_args)));
        };
        let target = self.interp.overriding(*decl, callee);
        // The type arguments are those of the implementing type, then those of the member itself.
        let own = program[callee].type_params.len();
        let own_args = type_args
            .get(type_args.len().saturating_sub(own)..)
            .unwrap_or_default();
        let owner_args = program[target]
            .owner
            .and_then(|owner| types::supertype_args(program, ty, owner))
            .unwrap_or_default();
        if program[target]
            .owner
            .is_some_and(|owner| !program.is_trait(owner))
            && let Some(slot @ Word::Boxed(_)) = self.stack.get_mut(at)
            && let Word::Boxed(v) = slot
            && let Value::Newtype(n) = &**v
        {
            // Members of a newtype get the bare value as `this`.
            *slot = Word::of(n.value.clone());
        }
        Ok(Some((
            target,
            owner_args.iter().chain(own_args).cloned().collect(),
        )))
    }

    /// Returns the redefinition of the function by the receiver at a place on the stack.
    fn redefinition(&self, callee: CallableId, at: usize) -> Option<Arc<FunctionValue>> {
        let Some(Word::Ref(id)) = self.stack.get(at) else {
            return None;
        };
        let cell = self
            .heap
            .get(id.0 as usize)
            .filter(|c| !c.redefined.is_empty())?;
        let first = self.interp.program.typed.first_declaration(callee);
        cell.redefined
            .iter()
            .find(|(c, _)| *c == first)
            .map(|(_, f)| f.clone())
    }

    pub(super) fn call_precondition(
        &mut self,
        site: u32,
        part: Option<u32>,
        code: &Code,
    ) -> Step<()> {
        let site = code.sites.get(site as usize).ok_or_else(bug)?;
        let (Target::Function(callee) | Target::Method(callee)) = site.target else {
            return Err(bug());
        };
        let type_args = self.site_types(site)?;
        let key = part.map_or(CodeKey::Pre(callee), |i| {
            CodeKey::Requires(callee, i as usize)
        });
        let pre = self.interp.code(&key).ok_or_else(bug)?;
        let at = self
            .stack
            .len()
            .checked_sub(site.argc as usize)
            .ok_or_else(bug)?;
        // The precondition is evaluated on a copy of the arguments; the call itself follows.
        self.stack.extend_from_within(at..);
        let entry = match site.label {
            Some(label) => Some(self.state(label)?),
            None => None,
        };
        self.enter(pre, site.argc as usize, type_args)?;
        if let (Some(entry), Some(frame)) = (entry, self.frames.last_mut()) {
            frame.extra = Some(Box::new(States::since(entry)));
        }
        Ok(())
    }

    pub(super) fn check_precondition(
        &mut self,
        site: u32,
        part: Option<u32>,
        code: &Code,
    ) -> Step<()> {
        match self.pop_condition()? {
            Condition::True => {}
            // A variant of the unit is executed without this check.
            Condition::False if self.interp.runs_variant() => {}
            Condition::False => {
                let site = code.sites.get(site as usize).ok_or_else(bug)?;
                let (Target::Function(callee) | Target::Method(callee)) = site.target else {
                    return Err(bug());
                };
                let name = self.interp.program.typed.callable_path(callee);
                let message = format!("precondition of `{name}` does not hold");
                let requires = self
                    .interp
                    .program
                    .contracts
                    .get(&callee)
                    .map(|c| c.requires.as_slice())
                    .unwrap_or_default();
                let clause = part.and_then(|i| requires.get(i as usize)).map(|c| c.span);
                // A violated precondition is the failure of the caller, at the place of the call.
                self.broken_by(Failure {
                    kind: FailureKind::Precondition,
                    span: self.span(),
                    clause,
                    message,
                })?;
            }
            Condition::Unknown(reason) => self.undecided(code, &reason),
        }
        self.after_obligation();
        Ok(())
    }

    pub(super) fn closure(&mut self, lambda: u32, captures: u32) -> Step<()> {
        let captured = self.pop_many(captures)?;
        // A closure with an unknown part is unknown as a whole.
        if let Some(unknown) = captured.iter().find(|w| matches!(w, Word::Unknown(_))) {
            self.stack.push(unknown.clone());
            return Ok(());
        }
        let captured: Option<Vec<Value>> = captured.into_iter().map(Word::value).collect();
        let lambda_params = self
            .interp
            .program
            .lambdas
            .get(lambda as usize)
            .map(|l| l.type_params.as_slice())
            .unwrap_or_default();
        let frame = self.frames.last().ok_or_else(bug)?;
        // The type parameters of the lambda are those of the enclosing callable.
        let type_args = lambda_params
            .iter()
            .map(|p| substitute(frame, &Type::Param(*p)))
            .collect();
        self.stack.push(function(FunctionValue::Closure {
            lambda,
            captured: captured.ok_or_else(bug)?,
            type_args,
        }));
        Ok(())
    }

    /// Creates a lazy value from a lambda without parameters.
    pub(super) fn delay(&mut self, lambda: u32, captures: u32) -> Step<()> {
        self.closure(lambda, captures)?;
        // The closure just created becomes the code of a delayed value.
        if let Word::Function(f) = self.top()?
            && let FunctionValue::Closure {
                lambda,
                captured,
                type_args,
            } = &**f
        {
            let thunk = Thunk::Code {
                lambda: *lambda,
                captured: captured.clone(),
                type_args: type_args.clone(),
            };
            *self.top()? = Word::of(Value::Lazy(std::sync::Arc::new(LazyValue::new(thunk))));
        }
        Ok(())
    }

    pub(super) fn named(&mut self, site: u32, receiver: bool, code: &Code) -> Step<()> {
        let site = code.sites.get(site as usize).ok_or_else(bug)?;
        let type_args = self.site_types(site)?.to_vec();
        let Target::Function(callee) = site.target else {
            return Err(bug());
        };
        // A function value with an unknown receiver is unknown.
        let receiver = match receiver.then(|| self.pop()).transpose()? {
            Some(word @ Word::Unknown(_)) => {
                self.stack.push(word);
                return Ok(());
            }
            Some(word) => Some(word.value().ok_or_else(bug)?),
            None => None,
        };
        self.stack.push(function(FunctionValue::Named {
            callee,
            receiver,
            type_args,
        }));
        Ok(())
    }

    /// Pops a function and its arguments. If the function is unknown, pushes the unknown result and
    /// returns `None`.
    fn take_application(&mut self, argc: u32) -> Step<Option<(Arc<FunctionValue>, Vec<Word>)>> {
        let args = self.pop_many(argc)?;
        match self.pop()? {
            Word::Function(f) => Ok(Some((f, args))),
            word @ Word::Unknown(_) => {
                self.stack.push(word);
                Ok(None)
            }
            // The default value of partial function types.
            Word::Null => {
                self.stack.push(Word::unknown(NoValue::Function));
                Ok(None)
            }
            Word::Unset
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_) => Err(bug()),
            Word::Multiset(_)
            | Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Ref(_)
            | Word::Boxed(_) => Err(bug()),
        }
    }

    fn push_values(&mut self, values: &[Value]) -> usize {
        self.stack.extend(values.iter().map(Word::of_ref));
        values.len()
    }

    pub(super) fn apply(&mut self, argc: u32, mode: Mode) -> Step<()> {
        let Some((f, args)) = self.take_application(argc)? else {
            return Ok(());
        };
        self.apply_function(&f, args, mode)
    }

    fn apply_function(&mut self, f: &FunctionValue, args: Vec<Word>, mode: Mode) -> Step<()> {
        match f {
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let may_be = self.may_be_applied(*elsewhere, exceptions, &args)?;
                match may_be.condition().ok_or_else(bug)? {
                    Condition::True => self.apply_function(function, args, mode),
                    Condition::False => self.fail(
                        FailureKind::Application,
                        "the function's precondition does not hold",
                    ),
                    Condition::Unknown(reason) => {
                        self.stack.push(Word::Unknown(reason));
                        Ok(())
                    }
                }
            }
            // A closure runs its lambda with the captured values before the arguments.
            FunctionValue::Closure {
                lambda,
                captured,
                type_args,
            } => {
                let code = self
                    .interp
                    .code(&CodeKey::Lambda(*lambda, mode))
                    .ok_or_else(bug)?;
                let n = self.push_values(captured) + args.len();
                self.stack.extend(args);
                self.enter(code, n, Rc::from(type_args.as_slice()))
            }
            FunctionValue::Named {
                callee,
                receiver,
                type_args,
            } => {
                let n = self.push_values(receiver.as_slice()) + args.len();
                self.stack.extend(args);
                let Some((callee, type_args)) =
                    self.dispatch(*callee, n, Rc::from(type_args.as_slice()), mode)?
                else {
                    return Ok(());
                };
                self.call_function(callee, n, type_args, mode)
            }
            // Tables and templates occur in inputs only; their results need no code.
            FunctionValue::Table { entries, default } => {
                self.charge(entries.len())?;
                if let Some(unknown) = args.iter().find(|w| matches!(w, Word::Unknown(_))) {
                    self.stack.push(unknown.clone());
                    return Ok(());
                }
                let args: Option<Vec<Value>> = args.into_iter().map(Word::value).collect();
                let args = args.ok_or_else(bug)?;
                let found = entries
                    .iter()
                    .find(|(a, _)| *a == args)
                    .map_or(default, |(_, r)| r);
                self.stack.push(Word::of_ref(found));
                Ok(())
            }
            FunctionValue::Template(t) => self.template(*t, args),
        }
    }

    /// Returns whether a partial function may be applied: true, false, or unknown.
    fn may_be_applied(
        &mut self,
        elsewhere: bool,
        exceptions: &[Vec<Value>],
        args: &[Word],
    ) -> Step<Word> {
        self.charge(exceptions.len())?;
        if let Some(unknown) = args.iter().find(|w| matches!(w, Word::Unknown(_))) {
            return Ok(unknown.clone());
        }
        let args: Option<Vec<Value>> = args.iter().cloned().map(Word::value).collect();
        Ok(Word::Bool(FunctionValue::may_be_applied(
            elsewhere,
            exceptions,
            &args.ok_or_else(bug)?,
        )))
    }

    fn template(&mut self, template: Template, args: Vec<Word>) -> Step<()> {
        use dtest_ir::{Num, Op};
        if let Some(unknown) = args.iter().find(|w| matches!(w, Word::Unknown(_))) {
            self.stack.push(unknown.clone());
            return Ok(());
        }
        // The type parameter of a template is instantiated with a numeric type, which the argument
        // reveals.
        let num = match args.first() {
            Some(Word::Boxed(v)) => {
                if matches!(&**v, Value::Real(_)) {
                    Num::Real
                } else if let Value::Bv { width, .. } = &**v {
                    Num::Bv(*width)
                } else if matches!(&**v, Value::Ordinal(_)) {
                    Num::Ordinal
                } else {
                    Num::Int
                }
            }
            Some(Word::Char(_)) => Num::Char,
            _integers => Num::Int,
        };
        let one = match num {
            Num::Real => Word::of(Value::Real(num_rational::BigRational::from_integer(
                1.into(),
            ))),
            Num::Bv(width) => Word::of(Value::Bv {
                width,
                bits: 1u32.into(),
            }),
            Num::Ordinal => Word::of(Value::Ordinal(1u32.into())),
            Num::Char => Word::Char(1),
            Num::Int => Word::Int(1),
        };
        if template == Template::Mix {
            self.stack.extend(args.first().cloned());
        }
        self.stack.extend(args);
        match template {
            Template::Mix => {
                // Adds the last two operands, then the first: the order of a sum does not matter.
                self.operator(&Op::Add(num), 2)?;
                self.operator(&Op::Add(num), 2)
            }
            Template::Odd => {
                self.stack.push(Word::Int(2));
                self.operator(&Op::Mod(num), 2)?;
                self.stack.push(Word::Int(1));
                self.operator(&Op::Eq, 2)
            }
            Template::Identity => Ok(()),
            Template::Less => self.operator(&Op::Lt(num), 2),
            Template::AtMost => self.operator(&Op::Le(num), 2),
            Template::Equal => self.operator(&Op::Eq, 2),
            Template::Add => self.operator(&Op::Add(num), 2),
            Template::Successor => {
                self.stack.push(one);
                self.operator(&Op::Add(num), 2)
            }
        }
    }

    /// Evaluates `f.requires(args)`.
    pub(super) fn apply_requires(&mut self, argc: u32) -> Step<()> {
        let Some((f, args)) = self.take_application(argc)? else {
            return Ok(());
        };
        // A closure and a named function have code for their preconditions; other functions are
        // total or know their domain.
        match &*f {
            FunctionValue::Closure {
                lambda,
                captured,
                type_args,
            } => {
                let code = self
                    .interp
                    .code(&CodeKey::LambdaRequires(*lambda))
                    .ok_or_else(bug)?;
                let n = self.push_values(captured) + args.len();
                self.stack.extend(args);
                self.enter(code, n, Rc::from(type_args.as_slice()))
            }
            FunctionValue::Named {
                callee,
                receiver,
                type_args,
            } => match self.interp.code(&CodeKey::Pre(*callee)) {
                Some(code) => {
                    let n = self.push_values(receiver.as_slice()) + args.len();
                    self.stack.extend(args);
                    self.enter(code, n, Rc::from(type_args.as_slice()))
                }
                None => {
                    self.stack.push(Word::Bool(true));
                    Ok(())
                }
            },
            FunctionValue::Table { .. } | FunctionValue::Template(_) => {
                self.stack.push(Word::Bool(true));
                Ok(())
            }
            FunctionValue::Partial {
                elsewhere,
                exceptions,
                ..
            } => {
                let may = self.may_be_applied(*elsewhere, exceptions, &args)?;
                self.stack.push(may);
                Ok(())
            }
        }
    }

    /// Evaluates `f.reads(args)`.
    pub(super) fn apply_reads(&mut self, argc: u32) -> Step<()> {
        let Some((f, args)) = self.take_application(argc)? else {
            return Ok(());
        };
        // Closures and named functions have code for their `reads` clauses; other functions read
        // nothing.
        match &*f {
            FunctionValue::Closure {
                lambda,
                captured,
                type_args,
            } => {
                let code = self
                    .interp
                    .code(&CodeKey::LambdaReads(*lambda))
                    .ok_or_else(bug)?;
                let n = self.push_values(captured) + args.len();
                self.stack.extend(args);
                self.enter(code, n, Rc::from(type_args.as_slice()))
            }
            FunctionValue::Named {
                callee,
                receiver,
                type_args,
            } => match self.interp.code(&CodeKey::Reads(*callee)) {
                Some(code) => {
                    let n = self.push_values(receiver.as_slice()) + args.len();
                    self.stack.extend(args);
                    self.enter(code, n, Rc::from(type_args.as_slice()))
                }
                None => {
                    self.stack.push(Word::of(Value::set([])));
                    Ok(())
                }
            },
            FunctionValue::Table { .. }
            | FunctionValue::Template(_)
            | FunctionValue::Partial { .. } => {
                self.stack.push(Word::of(Value::set([])));
                Ok(())
            }
        }
    }
}
