//! Validation of candidates by execution.
//!
//! [`Validator::validate`] checks proposed inputs against types and preconditions, runs the unit in
//! the interpreter, and checks its postconditions and frame. Inputs that pass become a
//! [`Candidate`]; violations become findings. The interpreter is the authority: nothing that the
//! solver claims about inputs is used here. The hard part is a stub whose results may be weaker
//! than what the program proves elsewhere: a failure that depends on one is no finding
//! ([`are_made_up`]).

use std::cell::OnceCell;

use super::api::{Asked, Finding};
use super::configured_inputs::Given;
use super::diversify::as_literals;
use super::effort::End;
use super::parts::Scope;
use super::pool::{self, Pool};
use super::states::Reached;
use dafny_resolve::typed::{Body, CallableId, CallableKind, FieldId, Type, TypeId};
use dtest_desugar::ExternalCode as _;
use dtest_interp::{
    Answer, ClauseResult, Comparison, Execution, Failure, FailureKind, InputCheck, Inputs, Interp,
    Obstacle, Outcome, Resolved, Truth,
};
use dtest_ir::reason::{Limit, Reason, Stopped, Unanswered};
use dtest_ir::{BlockId, GoalId, Procedure};
use dtest_limits::memory;
use dtest_mutants::Mutation;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Construction, Contents, ObjectId, Value};

/// Inputs that the interpreter accepted, with its observations.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The inputs, with the results of stubs that the preconditions, the execution and the
    /// postconditions used.
    pub(super) inputs: Inputs,
    /// The goals that were reached, in ascending order.
    pub(super) covers: Vec<GoalId>,
    /// The same goals in the order in which they were first reached. Goals at a place in the
    /// program come before the others.
    pub(super) order: Vec<GoalId>,
    pub(super) execution: Execution,
    pub(super) requires: Vec<ClauseResult>,
    pub(super) ensures: Vec<ClauseResult>,
    /// Truth of the `modifies` clause: true or unknown.
    pub(super) frame: Truth,
    /// The mutant that this candidate was added to kill, if that is its purpose.
    pub(super) sole_kill: Option<Mutation>,
    /// Whether the inputs are larger ones, which kill mutants that at most one other test kills.
    pub(super) is_larger: bool,
    /// Number of values in the inputs that the user named or that are objects in states that calls
    /// lead to.
    pub(super) given: usize,
}

/// Maximum number of findings per unit.
const MAX_FINDINGS: usize = 8;

/// Maximum number of executions for which the enumeration of choices fails because there are too
/// many. After that, it is not tried again.
const MAX_OPEN: u32 = 24;
/// Steps of a short execution, and the factor by which executions may be longer than those of the
/// candidates if these are not short.
const SHORT_STEPS: u64 = 100_000;
const LONGER: u64 = 4;
/// Maximum number of states that the search for surviving mutants knows at a time.
const MAX_MADE: usize = 300;

/// Observations of the last inputs, valid or not.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Whether no type and no precondition is known not to hold.
    pub(super) is_admitted: bool,
    /// The number of types of arguments before the first that does not hold, or, if all arguments and
    /// objects have their types, a greater one that also counts the preconditions.
    pub(super) held: usize,
    /// The comparisons of the execution, or of the types and preconditions if one does not hold.
    pub(super) comparisons: Vec<Comparison>,
    /// The end of the first type or precondition that does not hold.
    pub(super) obstacle: Obstacle,
    /// The results of external code.
    pub(super) answers: Vec<Answer>,
    /// The goals that the execution reached.
    pub(super) goals: Vec<GoalId>,
}

/// Executes candidates and collects findings.
pub(super) struct Validator<'p> {
    interp: Interp<'p>,
    procedure: &'p Procedure,
    goals: SortedSet<GoalId>,
    /// Configured bounds. Inputs beyond them are rejected.
    asked: Asked,
    /// The paths of accepted candidates with their numbers, if paths are goals.
    pub(super) paths: SortedMap<Vec<(CallableId, BlockId, BlockId)>, u32>,
    /// Violations, one per source location.
    pub(super) findings: Vec<Finding>,
    /// The index of the finding that the last validated inputs led to, if they did.
    pub(super) last: Option<usize>,
    /// Number of executions that did not end within the limits.
    pub(super) endless: u32,
    /// Number of executions that were cut because they take long ([`Self::keep_short`]).
    pub(super) cut: u32,
    /// The first reason why an execution could not be followed to its end.
    pub(super) blocked: Option<Reason>,
    /// Goals that such executions reached, with the reason.
    pub(super) blocked_goals: SortedMap<GoalId, Reason>,
    /// Whether some execution depended on more than its inputs: on a nondeterministic choice or on
    /// a stub.
    pub(super) is_free: bool,
    /// Number of executions for which the enumeration of choices failed.
    open: u32,
    /// The end of the time in which candidates are validated.
    pub(super) end: Option<End>,
    /// Fields that the unit and its callees read, computed on demand.
    fields: OnceCell<SortedSet<FieldId>>,
    /// Values that the user named and states of objects that calls lead to, computed on demand.
    given: OnceCell<Given>,
    /// The pool of inputs from the program itself, if there is one.
    pub(super) pool: Option<&'p Pool>,
    /// States of objects that the search for surviving mutants reached by calls.
    made: Vec<(Type, Reached)>,
    /// Whether inputs are rejected whose precondition is undecided and whose objects were created
    /// field by field ([`Self::is_made_up`]).
    pub(super) rejects_made_up: bool,
    /// Whether [`Self::watched`] is recorded.
    pub(super) watches: bool,
    /// The observations of the last inputs.
    pub(super) watched: Option<Watched>,
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
            cut: 0,
            blocked: None,
            blocked_goals: SortedMap::new(),
            is_free: false,
            open: 0,
            end: None,
            fields: OnceCell::new(),
            given: OnceCell::new(),
            pool: None,
            made: Vec::new(),
            rejects_made_up: false,
            watches: false,
            watched: None,
        }
    }

    /// Whether the unit or a callee reads this field of an object.
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

    /// Values that the user named and states of objects that calls lead to. The type arguments are
    /// the same for all inputs of a unit, so that the result is computed once.
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

    /// The inputs that the pool has for the unit.
    pub(super) fn pooled(&self) -> &'p [Inputs] {
        self.pool
            .map_or(&[], |pool| pool.inputs(self.procedure.callable))
    }

    /// The calls that lead to the state of an object, from the pool and from the search for
    /// surviving mutants.
    pub(super) fn made(&self, inputs: &Inputs, id: ObjectId) -> Option<(&Type, &Reached)> {
        let of_pool = self.pool.and_then(|pool| pool.made(inputs, id));
        of_pool.or_else(|| pool::made(&self.made, inputs, id))
    }

    /// The states of objects of a class, with the calls that lead to them.
    pub(super) fn made_of(&self, class: &Type) -> impl Iterator<Item = &Reached> {
        let of_pool = self.pool.into_iter().flat_map(move |p| p.made_of(class));
        let own = self.made.iter().filter(move |(ty, _)| ty == class);
        of_pool.chain(own.map(|(_, state)| state))
    }

    /// The values that structural changes of inputs apply to. Objects that calls lead to keep their
    /// states.
    pub(super) fn scope(&self, inputs: &Inputs) -> Scope {
        let mut ids = (0..inputs.heap.objects.len() as u32).map(ObjectId);
        if ids.any(|id| self.made(inputs, id).is_some()) {
            Scope::Arguments
        } else {
            Scope::Objects
        }
    }

    /// Records a state that the search for surviving mutants reached by calls. Of too many, the
    /// oldest ones are forgotten.
    pub(super) fn make_known(&mut self, class: &Type, state: Reached) {
        if self
            .made
            .iter()
            .any(|(_, known)| known.alone == state.alone)
        {
            return;
        }
        if self.made.len() >= MAX_MADE {
            self.made.remove(0);
        }
        self.made.push((class.clone(), state));
    }

    /// Adds the states of a test's objects to the preferred ones, if the calls that lead to them
    /// are known.
    pub(super) fn learn_calls(&mut self, inputs: &Inputs) {
        for id in (0..inputs.heap.objects.len() as u32).map(ObjectId) {
            let found = self.made(inputs, id).map(|(c, s)| (c.clone(), s.clone()));
            if let Some((class, state)) = found
                && !self.given(&inputs.type_args).has(inputs, id)
            {
                self.learn(&inputs.type_args, &class, state);
            }
        }
    }

    /// Number of values in the inputs that the user named or that are objects in states that calls
    /// lead to.
    pub(super) fn given_in(&self, inputs: &Inputs) -> usize {
        self.given(&inputs.type_args)
            .count(&self.interp.program().typed, self.procedure, inputs)
    }

    /// Records a further state of a class that calls lead to.
    pub(super) fn learn(&mut self, type_args: &[Type], class: &Type, state: Reached) {
        self.given(type_args);
        self.given
            .get_mut()
            .into_iter()
            .for_each(|given| given.learn(class, state.clone()));
    }

    /// Takes the recorded states of objects with the calls that lead to them.
    pub(super) fn take_learned(&mut self) -> Vec<(Inputs, Construction)> {
        self.given
            .take()
            .map(Given::into_learned)
            .unwrap_or_default()
    }

    /// Keeps executions short while many inputs are tried: not much longer than those of the
    /// candidates.
    pub(super) fn keep_short<'c>(&self, candidates: impl IntoIterator<Item = &'c Candidate>) {
        let longest = candidates.into_iter().map(|t| t.execution.steps).max();
        let steps = longest.unwrap_or(0).saturating_mul(LONGER).max(SHORT_STEPS);
        self.interp.keep_short(Some(steps));
    }

    /// Raises the limit of [`Self::keep_short`]. Returns whether it was below the general limit.
    pub(super) fn lengthen(&self) -> bool {
        self.interp.lengthen(LONGER)
    }

    /// Whether no time or memory is left for improvements of tests.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| end.is_past()) || memory::is_short()
    }

    /// Validates inputs: returns a candidate if they satisfy the precondition and the execution
    /// ends as it should. A violation is recorded as a finding, an execution without an end as a
    /// blocked goal.
    pub(super) fn validate(&mut self, inputs: Inputs) -> Option<Candidate> {
        // Improvements stop here when the time is over, whoever asked for them.
        if self.is_over() {
            return None;
        }
        let unit = self.procedure.callable;
        // Reals are normalized to the form that the test will have, because their printed form
        // depends on it.
        let inputs = as_literals(&inputs);
        if !self.asked.admits(&inputs) {
            return None;
        }
        // The values of proposals were checked in the meantime.
        if self.watches {
            self.interp.take_comparisons();
        }
        // Types and preconditions first: an execution from other inputs shows nothing.
        let check = self.interp.check_inputs(unit, &inputs);
        let verdict = check.verdict();
        self.watch_check(&check, &verdict);
        // A clause that was cut is not undecided: it may be false.
        let is_cut = self.interp.is_last_check_cut();
        self.cut += u32::from(is_cut && !verdict.is_false());
        if is_cut {
            // No lead: others come as far with less.
            self.watched = None;
        }
        if is_cut || verdict.is_false() {
            return None;
        }
        // An ill-formed precondition is a violation of the contract itself.
        if let Some((failure, certain)) = ill_formed(check.types.iter().chain(&check.requires)) {
            self.found(inputs, failure, Vec::new(), certain);
            return None;
        }
        let mut execution = self.interp.run(unit, &inputs);
        if let Some(watched) = &mut self.watched {
            watched.comparisons = self.interp.take_comparisons();
            watched.answers.extend(execution.answers.iter().cloned());
        }
        // The configured limit on iterations can only be checked after the execution.
        if !self.asked.allows(self.procedure, &execution) {
            return None;
        }
        // A choice does not matter if all of its candidates lead to the same result. Then the
        // result can be expected.
        if !execution.determined && self.open < MAX_OPEN {
            let resolved = self.interp.resolved(unit, &inputs, &execution);
            self.open += u32::from(resolved == Resolved::Open);
            execution.determined = resolved == Resolved::Alike;
        }
        // An execution that depends on its inputs alone makes claims about all executions possible.
        self.is_free |= depends_on_more(&execution);
        let order = self.reached(&inputs, &execution);
        if let Some(watched) = &mut self.watched {
            watched.goals = order.clone();
        }
        let mut covers = order.clone();
        covers.sort();
        let certain = verdict.is_true();
        // A stub may return a result that the program excludes elsewhere, so that the failure is
        // not the program's.
        let is_made_up = matches!(&execution.outcome, Outcome::Failed(_))
            && are_unreliable(self.interp.program(), &inputs, &execution.answers);
        let doubt = self.doubt_of(&execution.answers);
        match &execution.outcome {
            // The failure may be that of the stub, whose result may violate its contract.
            Outcome::Failed(_) if doubt.is_some() => {
                doubt.iter().for_each(|why| self.block(why, &covers));
                None
            }
            Outcome::Failed(_) if is_made_up => {
                self.block(&Unanswered::StrongerSpecificationElsewhere.into(), &covers);
                None
            }
            Outcome::Returned(_) => {
                self.returned(inputs, (covers, order), check, execution, (doubt, certain))
            }
            Outcome::Halted { .. } => self.candidate(
                inputs,
                (covers, order),
                check,
                execution,
                (Vec::new(), Truth::True),
            ),
            Outcome::Failed(failure) => {
                // With `{:autoReq}`, the preconditions of callees are the unit's own, so that such
                // inputs are not valid.
                let is_required = failure.kind == FailureKind::Precondition
                    && self.interp.program().typed.requires_what_it_calls(unit);
                if !is_required {
                    self.found(inputs, failure.clone(), covers, certain);
                }
                None
            }
            // Nothing is claimed of an execution that was cut because it takes long.
            Outcome::OutOfFuel(_) if self.interp.is_kept_short() => {
                self.cut += 1;
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
            // The goals stay open with the reason of the first obstacle.
            Outcome::Unsupported(reason) => {
                self.block(reason, &covers);
                None
            }
        }
    }

    /// The candidate of an execution that returned, if it satisfies the postconditions and the frame.
    /// `doubt` is the reason why a violation may be that of a stub; without one, a violation is
    /// `certain` if the precondition holds.
    fn returned(
        &mut self,
        inputs: Inputs,
        (covers, order): (Vec<GoalId>, Vec<GoalId>),
        check: InputCheck,
        execution: Execution,
        (doubt, certain): (Option<Reason>, bool),
    ) -> Option<Candidate> {
        let unit = self.procedure.callable;
        // Postconditions are checked in the state after the execution.
        let ensures = self.interp.check_ensures(unit, &inputs, &execution);
        let answers = execution
            .answers
            .iter()
            .chain(ensures.iter().flat_map(|c| &c.answers));
        let are_made_up = are_unreliable(self.interp.program(), &inputs, answers);
        if let Some(broken) = ensures.iter().find(|c| c.truth.is_false()) {
            if let Some(why) = &doubt {
                self.block(why, &covers);
                return None;
            }
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
        // A later clause is well-formed only if those before it hold.
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
                self.candidate(inputs, (covers, order), check, execution, (ensures, frame))
            }
            Err(failure) => {
                self.found(inputs, failure, covers, certain);
                None
            }
        }
    }

    /// Records the check of the inputs, if inputs are watched.
    fn watch_check(&mut self, check: &InputCheck, verdict: &Truth) {
        if !self.watches {
            return;
        }
        // Of the contents of objects, only those that may have the wrong type are listed. All of them
        // come before the first precondition.
        let holding = |all: &[ClauseResult]| all.iter().take_while(|c| !c.truth.is_false()).count();
        let (types, args) = (holding(&check.types), self.procedure.params.len());
        let held = match types < check.types.len() {
            true => types.min(args),
            false => args + 1 + holding(&check.requires),
        };
        self.watched = Some(Watched {
            is_admitted: !verdict.is_false(),
            held,
            comparisons: self.interp.take_comparisons(),
            obstacle: check.obstacle.clone().unwrap_or_default(),
            answers: check
                .requires
                .iter()
                .flat_map(|c| c.answers.iter().cloned())
                .collect(),
            goals: Vec::new(),
        });
    }

    /// The reason for doubt in a failure: it could not be decided whether a stub's result satisfies
    /// its contract.
    fn doubt_of(&self, answers: &[Answer]) -> Option<Reason> {
        let vague = answers.iter().find(|a| !a.undecided.is_empty())?;
        let typed = &self.interp.program().typed;
        Some(Unanswered::Undecided(typed.callable_path(vague.callee).into()).into())
    }

    /// The goals that an execution reaches, in the order in which it reaches them.
    fn reached(&self, inputs: &Inputs, execution: &Execution) -> Vec<GoalId> {
        let mut blocks: Vec<GoalId> =
            Vec::with_capacity(execution.visited.len() + execution.inner.len());
        let mut inner = execution.inner.iter().peekable();
        // Goals in callees are recorded with the number of own blocks that were visited before.
        for (i, block) in (1..).zip(&execution.visited) {
            blocks.push(GoalId::Block(*block));
            while let Some((_, goal)) = inner.next_if(|(after, _)| *after == i) {
                blocks.push(*goal);
            }
        }
        let probes = execution.shown.iter().map(|i| GoalId::Probe(*i));
        let mut seen = SortedSet::new();
        // Each goal counts once, at its first visit.
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

    fn candidate(
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
        // The same function must give the same result everywhere in the test.
        let Some(answers) = self.together(before.chain(&execution.answers).chain(after)) else {
            self.block(&Unanswered::ReadsHeap.into(), &covers);
            return None;
        };
        // Only the results of stubs that were used belong to the inputs.
        inputs.answers = answers;
        let given = self.given_in(&inputs);
        let candidate = Candidate {
            inputs,
            covers,
            order,
            execution,
            requires,
            ensures,
            frame,
            sole_kill: None,
            is_larger: false,
            given,
        };
        (!self.rejects_made_up || !self.is_made_up(&candidate)).then_some(candidate)
    }

    /// Whether the precondition of a candidate is undecided, and an object among its arguments was
    /// created field by field. Objects that constructors and methods leave satisfy the contracts of
    /// these, which usually include what could not be evaluated; of others, nothing is known.
    pub(super) fn is_made_up(&mut self, candidate: &Candidate) -> bool {
        if !candidate.is_undecided() {
            return false;
        }
        // While mutants are searched for, most states are tried only once.
        if self.made.is_empty() {
            self.learn_calls(&candidate.inputs);
        }
        let program = self.interp.program();
        let is_constructor =
            program.typed[self.procedure.callable].kind == CallableKind::Constructor;
        let inputs = &candidate.inputs;
        let is_by_hand = |id: ObjectId| {
            let is_plain = inputs.heap.objects.get(id.0 as usize).is_some_and(|o| {
                matches!(o.contents, Contents::Fields(_)) && o.redefined.is_empty()
            });
            is_plain
                && self.made(inputs, id).is_none()
                && !self.given(&inputs.type_args).has(inputs, id)
        };
        let args = inputs.args.iter().skip(usize::from(is_constructor));
        args.filter_map(|v| {
            if let Value::Ref(id) = v {
                Some(*id)
            } else {
                None
            }
        })
        .any(is_by_hand)
    }

    /// Merges the results of stubs. A function has one result for the same arguments; `None` if two
    /// results differ, which means that the function reads the heap.
    fn together<'a>(&self, all: impl Iterator<Item = &'a Answer>) -> Option<Vec<Answer>> {
        let mut kept: Vec<Answer> = Vec::new();
        // Methods may return different results at each call.
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

    /// The goals that an execution from valid inputs reaches, however it ends.
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
        // A limited number of findings per unit is enough; further ones only extend known findings.
        let full = self.findings.len() >= MAX_FINDINGS;
        let known = self
            .findings
            .iter()
            .position(|f| f.failure.span == failure.span && f.failure.kind == failure.kind);
        self.last = known.or((!full).then_some(self.findings.len()));
        // A certain finding replaces an uncertain one at the same location.
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
                // The same location was reached in a different way: the goals on that way belong to
                // the finding, too.
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

/// Whether a stub's result is chosen with less knowledge than the program has: results of a
/// function that reads the heap are chosen for each state separately, and lemmas of a trait relate
/// the results of its functions. A failure that depends on such results says nothing about the
/// program. `is_free` has the functions about which the program says nothing, so that any results
/// are possible.
pub(super) fn are_made_up<'a>(
    program: &dtest_ir::Program,
    inputs: &Inputs,
    answers: impl IntoIterator<Item = &'a Answer>,
    is_free: &dyn Fn(CallableId) -> bool,
) -> bool {
    let typed = &program.typed;
    let is_lemma = |c: &CallableId| {
        typed[*c].kind == CallableKind::Lemma && matches!(typed[*c].body, Body::None)
    };
    // The lemmas of a trait may be inherited.
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
    // Only results of mocks are concerned: classes implement the functions that their lemmas
    // describe.
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
            && !is_free(a.callee)
    };
    answers
        .into_iter()
        .any(|a| typed[a.callee].kind.is_function() && (reads(a) || obligations(a)))
}

/// Whether a failure says nothing about the program because it may depend on a stub's result. This
/// includes stubs of functions without postconditions, which are unconstrained.
fn are_unreliable<'a>(
    program: &dtest_ir::Program,
    inputs: &Inputs,
    answers: impl IntoIterator<Item = &'a Answer>,
) -> bool {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let says_nothing = |a: &&Answer| {
        let c = &program.typed[a.callee];
        c.kind.is_function() && c.spec.ensures.is_empty() && !program.typed.is_mocked(a.callee)
    };
    answers.iter().any(says_nothing) || are_made_up(program, inputs, answers, &|_| false)
}

/// Whether an execution depends on more than its inputs.
fn depends_on_more(execution: &Execution) -> bool {
    let is_unanswered =
        matches!(&execution.outcome, Outcome::Unsupported(reason) if reason.is_unanswered());
    !execution.deterministic || execution.linked || !execution.answers.is_empty() || is_unanswered
}

/// The failure of the first ill-formed clause, and whether all clauses before it are known to hold.
/// These may exclude the failure: a clause must be well-formed only if those before it hold
/// (reference manual, "Specification clauses").
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
    /// Whether the truth of a type or precondition is unknown.
    pub(super) fn is_undecided(&self) -> bool {
        let is_unknown = |c: &ClauseResult| matches!(c.truth, Truth::Unknown(_));
        self.requires.iter().any(is_unknown)
    }

    /// Number of types, preconditions and postconditions with unknown truth.
    pub(super) fn unknowns(&self) -> usize {
        self.requires
            .iter()
            .chain(&self.ensures)
            .filter(|c| matches!(c.truth, Truth::Unknown(_)))
            .count()
    }
}
