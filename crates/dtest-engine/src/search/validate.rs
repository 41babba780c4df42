//! The judge: runs proposed inputs in the interpreter and says what they are worth.

use std::cell::OnceCell;
use std::time::Instant;

use super::api::{Asked, Finding};
use super::configured_inputs::Given;
use super::diversify::as_literals;
use super::pool::Pool;
use super::states::Reached;
use crate::interp::{
    Answer, ClauseResult, Execution, Failure, FailureKind, InputCheck, Inputs, Interp, Outcome,
    Resolved, Truth,
};
use crate::ir::{BlockId, GoalId, Procedure};
use crate::memory;
use crate::mutants::Mutation;
use crate::reason::{Limit, Reason, Stopped, Unanswered};
use crate::value::{Construction, ObjectId, Value};
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldId, Type, TypeId};
use dtest_sorted::{SortedMap, SortedSet};

/// Inputs that the interpreter accepted, with what it saw.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// With what stood in for external code in the preconditions, the execution and the postconditions.
    pub(super) inputs: Inputs,
    /// Goals that were reached, in ascending order.
    pub(super) covers: Vec<GoalId>,
    /// The same in the order in which they were first reached, those that lie at a place before the others.
    pub(super) order: Vec<GoalId>,
    pub(super) execution: Execution,
    pub(super) requires: Vec<ClauseResult>,
    pub(super) ensures: Vec<ClauseResult>,
    /// Whether it is known that no more was changed than the `modifies` clause allows.
    pub(super) frame: Truth,
    /// The mistake that it is to notice, where that is what it is for.
    pub(super) notices: Option<Mutation>,
    /// How many values of its inputs the user named, or are objects in states that calls lead to.
    pub(super) given: usize,
}

/// Findings of one unit that are kept.
const MAX_FINDINGS: usize = 8;

/// Executions that leave more open than candidates that can be counted after which these are counted no more.
const MAX_OPEN: u32 = 24;

/// Runs inputs and collects findings.
pub(super) struct Validator<'p> {
    interp: Interp<'p>,
    procedure: &'p Procedure,
    goals: SortedSet<GoalId>,
    /// Bounds beyond which no inputs are accepted.
    asked: Asked,
    /// Paths that accepted trials take, by their numbers, where paths are goals.
    pub(super) paths: SortedMap<Vec<(CallableId, BlockId, BlockId)>, u32>,
    /// Where the program is wrong; one a place.
    pub(super) findings: Vec<Finding>,
    /// Which finding the inputs led to that were judged last, if they did.
    pub(super) last: Option<usize>,
    /// How many executions did not end within the limits.
    pub(super) endless: u32,
    /// Why an execution could not be followed to its end, where that happened.
    pub(super) blocked: Option<Reason>,
    /// Goals that such executions reached, with the reason.
    pub(super) blocked_goals: SortedMap<GoalId, Reason>,
    /// Whether some execution depended on more than its inputs: on a choice, or on what stands in for external code.
    pub(super) is_free: bool,
    /// How often what is left open has been more than candidates that can be counted.
    open: u32,
    /// When no more inputs are tried.
    pub(super) until: Option<Instant>,
    /// Fields that the unit reads, with all that it calls.
    fields: OnceCell<SortedSet<FieldId>>,
    /// What the user named, and states of objects that calls lead to.
    given: OnceCell<Given>,
    /// Inputs that come from the program itself.
    pub(super) pool: Option<&'p Pool>,
}

impl<'p> Validator<'p> {
    pub(super) fn new(interp: Interp<'p>, procedure: &'p Procedure, asked: Asked) -> Self {
        let goals = interp
            .program()
            .sought(procedure.callable)
            .into_iter()
            .collect();
        Self {
            interp,
            procedure,
            goals,
            asked,
            paths: SortedMap::new(),
            findings: Vec::new(),
            last: None,
            endless: 0,
            blocked: None,
            blocked_goals: SortedMap::new(),
            is_free: false,
            open: 0,
            until: None,
            fields: OnceCell::new(),
            given: OnceCell::new(),
            pool: None,
        }
    }

    /// Whether the unit, with all that it calls, reads a field of some object.
    pub(super) fn reads(&self, field: FieldId) -> bool {
        let fields = || {
            self.interp
                .program()
                .effects(self.procedure.callable)
                .fields
        };
        self.fields.get_or_init(fields).contains(&field)
    }

    pub(super) fn procedure(&self) -> &'p Procedure {
        self.procedure
    }

    pub(super) fn interp(&self) -> &Interp<'p> {
        &self.interp
    }

    /// What the user named, and states of objects that calls lead to; the unit's type parameters stand for the same in all inputs.
    pub(super) fn given(&self, type_args: &[Type]) -> &Given {
        self.given.get_or_init(|| {
            Given::new(
                self.interp.program(),
                &self.interp,
                self.procedure,
                type_args,
            )
        })
    }

    /// Inputs of the unit that come from the program itself.
    pub(super) fn pooled(&self) -> &'p [Inputs] {
        self.pool
            .map_or(&[], |pool| pool.inputs(self.procedure.callable))
    }

    /// Takes the calls that lead to the objects of a test, where they are known from the pool, as known ones.
    pub(super) fn learn_calls(&mut self, inputs: &Inputs) {
        let Some(pool) = self.pool else {
            return;
        };
        for id in (0..inputs.heap.objects.len() as u32).map(ObjectId) {
            if let Some((class, state)) = pool.made(inputs, id)
                && !self.given(&inputs.type_args).has(inputs, id)
            {
                self.learn(&inputs.type_args, class, state.clone());
            }
        }
    }

    /// How many values of some inputs the user named, or are objects in states that calls lead to.
    pub(super) fn given_in(&self, inputs: &Inputs) -> usize {
        self.given(&inputs.type_args)
            .count(&self.interp.program().typed, self.procedure, inputs)
    }

    /// Takes a state of a class that calls lead to as one that is known.
    pub(super) fn learn(&mut self, type_args: &[Type], class: &Type, state: Reached) {
        self.given(type_args);
        self.given
            .get_mut()
            .into_iter()
            .for_each(|given| given.learn(class, state.clone()));
    }

    /// The states of objects that were found for tests, and the calls that lead to them.
    pub(super) fn take_learned(&mut self) -> Vec<(Inputs, Construction)> {
        self.given
            .take()
            .map(Given::into_learned)
            .unwrap_or_default()
    }

    /// Whether there is no time or memory for what only makes tests better.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| crate::clock::now() > until) || memory::is_short()
    }

    /// A trial where the inputs are admissible and the execution ends as it should.
    pub(super) fn judge(&mut self, inputs: Inputs) -> Option<Candidate> {
        if self.is_over() {
            return None;
        }
        let unit = self.procedure.callable;
        let inputs = as_literals(&inputs);
        if !self.asked.admits(&inputs) {
            return None;
        }
        let check = self.interp.check_inputs(unit, &inputs);
        let verdict = check.verdict();
        if verdict.is_false() {
            return None;
        }
        if let Some((failure, certain)) = ill_formed(check.types.iter().chain(&check.requires)) {
            self.found(inputs, failure, Vec::new(), certain);
            return None;
        }
        let mut execution = self.interp.run(unit, &inputs);
        if !self.asked.allows(self.procedure, &execution) {
            return None;
        }
        if !execution.determined && self.open < MAX_OPEN {
            let resolved = self.interp.resolved(unit, &inputs, &execution);
            self.open += u32::from(resolved == Resolved::Open);
            execution.determined = resolved == Resolved::Alike;
        }
        self.is_free |=
            !execution.deterministic || execution.linked || !execution.answers.is_empty();
        let order = self.reached(&inputs, &execution);
        let mut covers = order.clone();
        covers.sort();
        let certain = verdict.is_true();
        let is_made_up = matches!(&execution.outcome, Outcome::Failed(_))
            && are_unreliable(self.interp.program(), &inputs, &execution.answers);
        match &execution.outcome {
            Outcome::Failed(_) if is_made_up => {
                self.block(&Unanswered::StrongerSpecificationElsewhere.into(), &covers);
                None
            }
            Outcome::Returned(_) => {
                let ensures = self.interp.check_ensures(unit, &inputs, &execution);
                let answers = execution
                    .answers
                    .iter()
                    .chain(ensures.iter().flat_map(|c| &c.answers));
                let are_made_up = are_unreliable(self.interp.program(), &inputs, answers);
                if let Some(broken) = ensures.iter().find(|c| c.truth.is_false()) {
                    if are_made_up {
                        self.block(&Unanswered::StrongerSpecificationElsewhere.into(), &covers);
                        return None;
                    }
                    let failure = Failure {
                        kind: FailureKind::Postcondition,
                        span: broken.span,
                        clause: None,
                        message: "the postcondition is false".into(),
                    };
                    self.found(inputs, failure, covers, certain);
                    return None;
                }
                if let Some((failure, so_far)) = ill_formed(&ensures) {
                    if are_made_up {
                        self.block(&Unanswered::StrongerSpecificationElsewhere.into(), &covers);
                    } else {
                        self.found(inputs, failure, covers, certain && so_far);
                    }
                    return None;
                }
                match self.interp.check_frame(unit, &inputs, &execution) {
                    Ok(frame) => {
                        self.trial(inputs, (covers, order), check, execution, (ensures, frame))
                    }
                    Err(failure) => {
                        self.found(inputs, failure, covers, certain);
                        None
                    }
                }
            }
            Outcome::Halted { .. } => self.trial(
                inputs,
                (covers, order),
                check,
                execution,
                (Vec::new(), Truth::True),
            ),
            Outcome::Failed(failure) => {
                let is_required = failure.kind == FailureKind::Precondition
                    && self.interp.program().typed.requires_what_it_calls(unit);
                if !is_required {
                    self.found(inputs, failure.clone(), covers, certain);
                }
                None
            }
            Outcome::OutOfFuel(limit) => {
                self.endless += 1;
                let stopped = if *limit == Limit::Memory {
                    Stopped::TooLarge
                } else {
                    Stopped::Endless
                };
                self.block(&stopped.into(), &covers);
                None
            }
            Outcome::Infeasible(_) => None,
            Outcome::Unsupported(reason) => {
                self.block(reason, &covers);
                None
            }
        }
    }

    /// The goals that an execution reaches, in the order in which it does.
    fn reached(&self, inputs: &Inputs, execution: &Execution) -> Vec<GoalId> {
        let mut blocks: Vec<GoalId> =
            Vec::with_capacity(execution.visited.len() + execution.inner.len());
        let mut inner = execution.inner.iter().peekable();
        for (i, block) in (1..).zip(&execution.visited) {
            blocks.push(GoalId::Block(*block));
            while let Some((_, goal)) = inner.next_if(|(after, _)| *after == i) {
                blocks.push(*goal);
            }
        }
        let probes = execution.shown.iter().map(|i| GoalId::Probe(*i));
        let mut seen = SortedSet::new();
        let mut order: Vec<GoalId> = blocks
            .into_iter()
            .chain(probes)
            .filter(|g| self.goals.contains(g) && seen.insert(*g))
            .collect();
        let ways = self.interp.ways(self.procedure.callable, inputs, execution);
        order.extend(ways.into_iter().map(GoalId::Way));
        order.extend(self.paths.get(&execution.path).map(|i| GoalId::Path(*i)));
        order
    }

    fn trial(
        &mut self,
        mut inputs: Inputs,
        (covers, order): (Vec<GoalId>, Vec<GoalId>),
        check: InputCheck,
        execution: Execution,
        (ensures, frame): (Vec<ClauseResult>, Truth),
    ) -> Option<Candidate> {
        let requires: Vec<ClauseResult> = check.types.into_iter().chain(check.requires).collect();
        let before = requires.iter().flat_map(|c| &c.answers);
        let after = ensures.iter().flat_map(|c| &c.answers);
        let Some(answers) = self.together(before.chain(&execution.answers).chain(after)) else {
            self.block(&Unanswered::ReadsHeap.into(), &covers);
            return None;
        };
        // What was asked is all that matters of what was given.
        inputs.answers = answers;
        let given = self.given_in(&inputs);
        Some(Candidate {
            inputs,
            covers,
            order,
            execution,
            requires,
            ensures,
            frame,
            notices: None,
            given,
        })
    }

    /// All answers, a function's once for the same arguments; `None` where they differ.
    fn together<'a>(&self, all: impl Iterator<Item = &'a Answer>) -> Option<Vec<Answer>> {
        let mut kept: Vec<Answer> = Vec::new();
        for a in all {
            if self.interp.program().typed[a.callee].kind.is_function() {
                let same = |k: &&Answer| {
                    k.callee == a.callee && k.type_args == a.type_args && k.args == a.args
                };
                match kept.iter().find(same) {
                    Some(known) if known.results == a.results => continue,
                    Some(_) => return None,
                    None => {}
                }
            }
            kept.push(a.clone());
        }
        Some(kept)
    }

    fn block(&mut self, reason: &Reason, covers: &[GoalId]) {
        self.blocked.get_or_insert_with(|| reason.clone());
        for b in covers {
            self.blocked_goals
                .entry(*b)
                .or_insert_with(|| reason.clone());
        }
    }

    /// The goals that an execution from admissible inputs reaches, however it ends.
    #[cfg(debug_assertions)]
    pub(super) fn visits(&self, inputs: &Inputs) -> Vec<GoalId> {
        let unit = self.procedure.callable;
        if !self.interp.check_inputs(unit, inputs).verdict().is_true() {
            return Vec::new();
        }
        let execution = self.interp.run(unit, inputs);
        self.reached(inputs, &execution)
    }

    fn found(&mut self, inputs: Inputs, failure: Failure, blocks: Vec<GoalId>, certain: bool) {
        let full = self.findings.len() >= MAX_FINDINGS;
        let known = self
            .findings
            .iter()
            .position(|f| f.failure.span == failure.span && f.failure.kind == failure.kind);
        self.last = known.or((!full).then_some(self.findings.len()));
        match known.and_then(|i| self.findings.get_mut(i)) {
            Some(known) if certain && !known.certain => {
                *known = Finding {
                    unit: self.procedure.callable,
                    inputs,
                    failure,
                    blocks,
                    certain,
                };
            }
            Some(known) => {
                // The same place by another way: remember what else lies on it.
                for b in blocks {
                    if !known.blocks.contains(&b) {
                        known.blocks.push(b);
                    }
                }
            }
            None if !full => {
                self.findings.push(Finding {
                    unit: self.procedure.callable,
                    inputs,
                    failure,
                    blocks,
                    certain,
                });
            }
            None => {}
        }
    }
}

/// Whether some answer is made up where more would have to be known: of a function that reads the heap, for each state alone; of
/// a mock of a trait that has lemmas, which say how its functions belong together. Nothing is wrong with the program if such
/// answers do not fit what it proves.
pub(super) fn are_made_up<'a>(
    program: &crate::ir::Program,
    inputs: &Inputs,
    answers: impl IntoIterator<Item = &'a Answer>,
) -> bool {
    let typed = &program.typed;
    let is_lemma = |c: &CallableId| {
        typed[*c].kind == CallableKind::Lemma && matches!(typed[*c].body, Body::None)
    };
    let has_lemmas = |mock: TypeId| {
        let lineage = typed
            .ancestors(mock)
            .into_iter()
            .map(|(t, _)| t)
            .chain([mock]);
        lineage
            .into_iter()
            .any(|t| typed[t].callables.iter().any(is_lemma))
    };
    let obligations = |a: &Answer| match a.args.first() {
        Some(Some(Value::Ref(object))) => {
            match inputs.heap.objects.get(object.0 as usize).map(|o| &o.ty) {
                Some(Type::Named { decl, .. }) => typed.is_trait(*decl) && has_lemmas(*decl),
                Some(_) | None => false,
            }
        }
        Some(_) | None => false,
    };
    let reads = |a: &Answer| {
        program
            .contracts
            .get(&a.callee)
            .is_some_and(|c| !c.reads.is_empty())
    };
    answers
        .into_iter()
        .any(|a| typed[a.callee].kind.is_function() && (reads(a) || obligations(a)))
}

/// Whether a failure says nothing of the program, since it may depend on an answer that is made up: also on one of a function
/// of whose results no postcondition says anything.
fn are_unreliable<'a>(
    program: &crate::ir::Program,
    inputs: &Inputs,
    answers: impl IntoIterator<Item = &'a Answer>,
) -> bool {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let says_nothing = |a: &&Answer| {
        let c = &program.typed[a.callee];
        c.kind.is_function() && c.spec.ensures.is_empty() && !program.typed.is_mocked(a.callee)
    };
    answers.iter().any(says_nothing) || are_made_up(program, inputs, answers)
}

/// What makes a clause ill-formed, and whether it is certain that the clauses before, which may keep it from that, hold.
/// (Each clause of a contract is to be well-formed where those before it hold: reference manual, "Specification clauses".)
pub(super) fn ill_formed<'c>(
    clauses: impl IntoIterator<Item = &'c ClauseResult>,
) -> Option<(Failure, bool)> {
    let mut certain = true;
    for clause in clauses {
        if let Some(failure) = &clause.failure {
            return Some((failure.clone(), certain));
        }
        certain &= clause.truth.is_true();
    }
    None
}

impl Candidate {
    /// Types, preconditions and postconditions that could not be decided.
    pub(super) fn unknowns(&self) -> usize {
        self.requires
            .iter()
            .chain(&self.ensures)
            .filter(|c| matches!(c.truth, Truth::Unknown(_)))
            .count()
    }
}
