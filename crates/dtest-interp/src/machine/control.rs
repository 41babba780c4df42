//! Statements: assumptions and assertions, output, jumps between blocks.
//!
//! `Machine::control` executes the instructions. It also records the blocks and branches that the
//! execution reaches. A condition may be unknown, in which case the execution continues under an
//! undecided assumption, or ends if it is a branch.

use super::{Machine, States, Step, bug, unsupported};
use crate::api::{Execution, Failure, FailureKind, Opening, Outcome, Truth};
use crate::code::{Alternatives, Code, CodeKey, Ins, Mode, Target};
use crate::word::{Condition, Word};
use dafny_source::Span;
use dtest_ir::reason::{Limit, NoValue, Reason};
use dtest_ir::{AssertKind, BlockId, Criterion, GoalId};
use dtest_value::{ObjectId, Value};

impl Machine<'_, '_, '_> {
    /// Executes instructions of statements and terminators.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`step`, which names every instruction, hands on none but these"
    )]
    pub(super) fn control(&mut self, ins: Ins, code: &Code, base: usize) -> Step<()> {
        match ins {
            Ins::Snapshot(name) => {
                let (name, heap) = (
                    code.names.get(name as usize).cloned().ok_or_else(bug)?,
                    self.heap.clone(),
                );
                // A label that is reached again replaces its earlier state.
                let states = self.frame()?.extra.get_or_insert_default();
                states.labels.retain(|(n, _)| *n != name);
                states.labels.push((name, heap));
            }
            Ins::HavocHeap(field) => {
                let part = self.pop()?;
                self.modify(&part, field)?;
            }
            Ins::HavocAll => {
                let ids = (0..self.heap.len() as u32).map(|i| Value::Ref(ObjectId(i)));
                self.modify(&Word::of(Value::seq(ids)), None)?;
            }
            Ins::Havoc { slot, ty } => {
                let ty = self.concrete(ty)?;
                // An arbitrary value; if none is known, an existing object.
                let at = Opening::At(self.span());
                let word = match self.any_value(Some(&at), &ty)? {
                    Some(word) => Some(word),
                    None => self.some_object(&ty),
                };
                // A type without a known value leaves the variable as it is.
                let word = match word {
                    Some(word) => word,
                    None if code
                        .slot_names
                        .get(slot as usize)
                        .is_some_and(|info| !info.definite) =>
                    {
                        self.no_known_value(&ty)
                    }
                    None => return Ok(()),
                };
                *self.stack.get_mut(base + slot as usize).ok_or_else(bug)? = word;
            }
            // A constant without a value has one value in an execution, whatever resolves it.
            Ins::AnyConstant { field, ty } => {
                let ty = self.concrete(ty)?;
                let known = self
                    .resolver
                    .as_ref()
                    .and_then(|r| r.constants.get(&(field, ty.clone())).cloned());
                let word = match known {
                    Some(word) => word,
                    None => self
                        .any_value(Some(&Opening::Field(field)), &ty)?
                        .unwrap_or_else(|| self.unknown_constant(field)),
                };
                self.read_open_constant();
                self.deterministic = false;
                if let Some(resolver) = &mut self.resolver {
                    resolver.constants.insert((field, ty), word.clone());
                }
                self.stack.push(word);
            }
            Ins::Print(ty) => {
                let text = self.shown(ty)?;
                match &mut self.sink {
                    Some(sink) => sink(&text),
                    None => {
                        self.charge(text.len())?;
                        self.printed.push_str(&text);
                    }
                }
            }
            Ins::Expect(end) => {
                if self.condition()? {
                    // The message follows only if the condition is false.
                    self.jump(end)?;
                }
            }
            Ins::Halt(ty) => {
                let message = self.shown(ty)?;
                return Err(Box::new(Outcome::Halted {
                    span: self.span(),
                    message,
                }));
            }
            Ins::Assume => match self.pop_condition()? {
                Condition::True => {}
                // Under a false assumption, the execution does not count.
                Condition::False => return Err(Box::new(Outcome::Infeasible(self.span()))),
                Condition::Unknown(reason) => self.undecided_assumption(code, &reason),
            },
            Ins::WellFormed => {
                if let Word::Unknown(_) = self.pop()? {
                    self.undecided_count += 1;
                }
            }
            Ins::Assert(kind) => self.obligation(kind, None, code)?,
            Ins::Precondition(i) => {
                let clause = *code.clauses.get(i as usize).ok_or_else(bug)?;
                self.obligation(AssertKind::CallPrecondition, Some(clause), code)?
            }
            Ins::Lemma(site) => self.lemma(site, code)?,
            // Entering a block of the outermost activation records it; in inner activations it may
            // be a goal.
            Ins::Enter(block) => {
                if self.frames.len() == 1
                    && let Some(r) = &mut self.record
                {
                    r.current = Some(block);
                    if r.seen.insert(block) {
                        r.visited.push(block);
                    }
                } else if let Some(callable) = code.callable {
                    self.reach_inside(callable, |unit| GoalId::block_of(unit, callable, block));
                    self.reach_by_call(callable, block);
                }
            }
            Ins::Probing(end) => {
                let is_counted = match (code.callable, self.frames.len()) {
                    (_, 1) => self.record.is_some(),
                    (Some(callable), _) => self.counts(callable),
                    (None, _) => false,
                };
                if !is_counted {
                    self.jump(end)?;
                }
            }
            Ins::Shown(probe) => {
                let holds = matches!(self.pop()?, Word::Bool(true));
                if !holds {
                    return Ok(());
                }
                if self.frames.len() > 1 {
                    if let Some(callable) = code.callable {
                        self.reach_inside(callable, |unit| GoalId::probe_of(unit, callable, probe));
                    }
                } else if let Some(r) = &mut self.record
                    && !r.shown.contains(&probe)
                {
                    r.shown.push(probe);
                }
            }
            Ins::ComeTo(probe) => {
                let is_clean = self.disregarded.as_ref().is_none_or(Vec::is_empty);
                if let Some(r) = self
                    .record
                    .as_mut()
                    .filter(|_| is_clean && self.frames.len() == 1)
                {
                    r.reached_probes.insert(probe);
                }
            }
            Ins::Goto(block) => self.go_to(block, code, false)?,
            Ins::Branch { then, els } => {
                let target = if self.condition()? { then } else { els };
                self.go_to(target, code, true)?;
            }
            // Without the condition of an open choice, all alternatives are possible.
            Ins::Choose(c) => {
                let Alternatives { among, asks } =
                    code.alternatives.get(c as usize).ok_or_else(bug)?;
                let is_open = !asks || !matches!(self.pop()?, Word::Bool(false));
                if among.len() > 1 && is_open {
                    self.deterministic = false;
                }
                let at = code
                    .callable
                    .zip(among.first().copied())
                    .map(|(callable, first)| Opening::Ways(callable, first));
                let taken = match (&mut self.resolver, at) {
                    (Some(resolver), Some(at)) if is_open && among.len() > 1 => {
                        resolver.way(&at, among.len())
                    }
                    (Some(_) | None, _) => 0,
                };
                match among.get(taken) {
                    Some(block) => self.go_to(*block, code, true)?,
                    None => return self.fail(FailureKind::MissingCase, "no case applies"),
                }
            }
            Ins::Unsupported(reason) => {
                return Err(unsupported(
                    code.reasons.get(reason as usize).ok_or_else(bug)?.clone(),
                ));
            }
            Ins::Stop => return Err(unsupported(NoValue::Undecided)),
            _others => return Err(bug()),
        }
        Ok(())
    }

    /// Calls a lemma, which changes nothing. Where obligations are goals, the postconditions of a
    /// lemma without a proof are assumptions: if one is false, the execution does not exist. The
    /// postconditions of a lemma with a proof are its obligations.
    fn lemma(&mut self, site: u32, code: &Code) -> Step<()> {
        let site = code.sites.get(site as usize).ok_or_else(bug)?;
        let args = self.pop_many(site.argc)?;
        let program = self.interp.program;
        // Assumed lemmas contribute their claims; proved ones are checked only as obligations.
        let Target::Method(callee) = site.target else {
            return Ok(());
        };
        let is_granted = program.assumed_lemmas.contains(&callee);
        let is_claimed = program.criteria.has(Criterion::Obligation)
            && (is_granted || !program.is_in_two_states(callee));
        let Some(contract) = program.contracts.get(&callee).filter(|_| is_claimed) else {
            return Ok(());
        };
        let type_args = self.site_types(site)?;
        let old = match site.label {
            Some(label) => self.state(label)?,
            None => self.heap.clone(),
        };
        // The results of a lemma are unknown, since it is not executed.
        let results = contract
            .outs
            .iter()
            .map(|_| Word::unknown(NoValue::LemmaResult));
        let words: Vec<Word> = args.into_iter().chain(results).collect();
        for (i, clause) in contract.ensures.iter().enumerate() {
            let (heap, states) = (self.heap.clone(), States::since(old.clone()));
            // A claim that is false refutes the proof; if the lemma is assumed, the execution does
            // not count.
            match self.aside(
                &CodeKey::Ensures(callee, i),
                words.clone(),
                &type_args,
                heap,
                states,
            )? {
                Truth::True => {}
                Truth::False if is_granted => {
                    return Err(Box::new(Outcome::Infeasible(self.span())));
                }
                Truth::False => self.broken_by(Failure {
                    kind: FailureKind::Postcondition,
                    span: clause.span,
                    clause: None,
                    message: "the postcondition does not hold".to_owned(),
                })?,
                Truth::Unknown(reason) if is_granted => self.undecided_assumption(code, &reason),
                Truth::Unknown(reason) => {
                    let known = self.unknown.iter().any(|(span, _)| *span == clause.span);
                    if self.interp.checks_specifications && !known {
                        self.unknown.push((clause.span, reason));
                    }
                }
            }
        }
        Ok(())
    }

    /// Pops a condition that decides the control flow.
    fn condition(&mut self) -> Step<bool> {
        match self.pop()? {
            Word::Bool(b) => Ok(b),
            Word::Unknown(reason) => Err(unsupported(reason)),
            Word::Unset
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_)
            | Word::Multiset(_)
            | Word::Map(_) => Err(bug()),
            Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Null
            | Word::Ref(_)
            | Word::Function(_)
            | Word::Boxed(_) => Err(bug()),
        }
    }

    fn go_to(&mut self, block: BlockId, code: &Code, decision: bool) -> Step<()> {
        // A decision of the outermost activation belongs to the trace of the goal's path.
        if decision {
            self.note_branch(code, block);
        }
        if decision
            && self.frames.len() == 1
            && let Some(r) = &mut self.record
            && let (Some(from), true) = (r.current, r.trace.len() < Execution::MAX_TRACE)
        {
            r.trace.push((from, block));
        }
        if self.behaviour.is_some() {
            self.note_step(code, block, decision);
        }
        let pc = code.blocks.get(block.0 as usize).copied().ok_or_else(bug)?;
        self.jump(pc)
    }

    /// Notes a decision, and the begin of an iteration, where executions are observed.
    #[cold]
    fn note_step(&mut self, code: &Code, block: BlockId, decision: bool) {
        if decision {
            self.note_decision(code, block);
        }
        let procedure = code
            .callable
            .and_then(|callable| self.interp.program.procedures.get(&callable));
        let is_head = procedure
            .and_then(|p| p.block(block))
            .is_some_and(|b| b.loop_head.is_some());
        let depth = self.frames.len();
        if let Some(behaviour) = self.behaviour.as_mut().filter(|_| is_head) {
            behaviour.iterate(depth, block);
        }
    }

    /// Records a condition of compiled code that could not be decided; also of specifications where
    /// these are checked. Execution continues as if it held.
    pub(super) fn undecided(&mut self, code: &Code, reason: &Reason) {
        let span = self.span();
        self.undecided_count += 1;
        let known = self.unknown.iter().any(|(s, _)| *s == span);
        let is_counted = self.mode(code) == Mode::Compiled || self.interp.checks_specifications;
        if is_counted && !known {
            self.unknown.push((span, reason.clone()));
        }
    }

    /// Records an undecided assumption. A later violation is then not known to occur in an
    /// execution of the program.
    fn undecided_assumption(&mut self, code: &Code, reason: &Reason) {
        let span = self.span();
        self.undecided(code, reason);
        if !self.undecided_assumptions.iter().any(|(s, _)| *s == span) {
            self.undecided_assumptions.push((span, reason.clone()));
        }
    }

    /// Pops a value and prints it.
    fn shown(&mut self, ty: u32) -> Step<String> {
        let (written, concrete) = (self.written(ty)?, self.concrete(ty)?);
        // An unknown value has no text.
        let word = self.pop()?;
        if let Word::Unknown(reason) = word {
            return Err(unsupported(reason));
        }
        let value = word.value().ok_or_else(bug)?;
        let object = |id: dtest_value::ObjectId| self.heap.get(id.0 as usize).map(|c| c.ty.clone());
        let text = dtest_value::print_within(
            &self.interp.program.typed,
            &object,
            &value,
            &written,
            &concrete,
        );
        text.ok_or_else(|| Box::new(Outcome::OutOfFuel(Limit::Memory)))
    }

    /// Handles the value of an obligation: continues, or fails.
    fn obligation(&mut self, kind: AssertKind, clause: Option<Span>, code: &Code) -> Step<()> {
        match self.pop_condition()? {
            Condition::True => {}
            Condition::False if kind != AssertKind::MissingCase && self.interp.runs_variant() => {}
            Condition::False => {
                let (kind, message) = failure_of(kind);
                if matches!(kind, FailureKind::MissingCase | FailureKind::Unassigned) {
                    return self.fail(kind, message);
                }
                self.broken_by(Failure {
                    kind,
                    span: self.span(),
                    clause,
                    message: message.into(),
                })?;
            }
            // The result of a specification does not depend on measures and frames.
            Condition::Unknown(_)
                if self.mode(code) == Mode::Spec
                    && matches!(
                        kind,
                        AssertKind::Decreases | AssertKind::Termination | AssertKind::Reads
                    ) =>
            {
                self.undecided_count += 1;
            }
            Condition::Unknown(reason) => self.undecided(code, &reason),
        }
        // Compiled code evaluates which case applies; other obligations have no effect on it.
        if kind != AssertKind::MissingCase {
            self.after_obligation();
        }
        Ok(())
    }
}

/// Returns the kind and the message of a failed assertion.
fn failure_of(kind: AssertKind) -> (FailureKind, &'static str) {
    match kind {
        AssertKind::Assert => (FailureKind::Assert, "assertion does not hold"),
        AssertKind::Invariant => (FailureKind::Invariant, "loop invariant does not hold"),
        AssertKind::InvariantKept => (
            FailureKind::InvariantKept,
            "loop invariant does not hold after an iteration",
        ),
        AssertKind::Frame => (
            FailureKind::Modifies,
            "this is not in the `modifies` clause",
        ),
        AssertKind::Reads => (FailureKind::Reads, "this is not in the `reads` clause"),
        AssertKind::Decreases => (FailureKind::Decreases, "the measure does not decrease"),
        AssertKind::CallPrecondition => (
            FailureKind::Precondition,
            "precondition of the call does not hold",
        ),
        AssertKind::LoopRange => (
            FailureKind::LoopRange,
            "the lower bound of the loop exceeds the upper one",
        ),
        AssertKind::Termination => (
            FailureKind::Termination,
            "the function calls itself in its own postcondition, with arguments that are not smaller",
        ),
        AssertKind::TypeConstraint => (
            FailureKind::TypeConstraint,
            "the value is not a member of its type",
        ),
        AssertKind::MissingCase => (FailureKind::MissingCase, "no case applies"),
        AssertKind::Aliasing => (
            FailureKind::Aliasing,
            "one location, or one key of a map, is assigned two different values",
        ),
        AssertKind::Unique => (
            FailureKind::NotUnique,
            "several values satisfy the condition of a compiled expression",
        ),
        AssertKind::Constructor => (
            FailureKind::Destructor,
            "the value was created by a ghost constructor, which compiled code cannot tell",
        ),
        AssertKind::Postcondition => (
            FailureKind::Postcondition,
            "the postcondition does not hold",
        ),
        AssertKind::Application => (
            FailureKind::Application,
            "the function's precondition does not hold",
        ),
        AssertKind::Allocated => (
            FailureKind::Allocated,
            "this was not allocated in that state",
        ),
        AssertKind::Assigned => (
            FailureKind::Unassigned,
            "a variable or result that is used here was never assigned",
        ),
        AssertKind::Witness => (
            FailureKind::Witness,
            "the constraint of the type does not hold for it",
        ),
        AssertKind::Inhabited => (
            FailureKind::Inhabited,
            "no value of the type is known: a `witness` clause is missing",
        ),
        AssertKind::Size => (
            FailureKind::Domain,
            "the size of the array does not agree with its elements, or they have no initial value",
        ),
        AssertKind::Override => (
            FailureKind::Override,
            "the postcondition of the overridden declaration does not hold",
        ),
    }
}
