//! Validation of violations: executes inputs, determines the obligation that the execution
//! violates, and the assumptions that the violation depends on.
//!
//! [`Validator::validate`] stops at the first violation, [`Validator::validate_on`] continues after
//! violations. The hard part is `weigh`: a failure counts as a violation only if it cannot be an
//! artifact of a stub's result, of an undecided condition, or of a constant without a value. In
//! doubt, the obligation stays undecided.

use std::cell::OnceCell;
use std::sync::Arc;

use super::super::api::Asked;
use super::super::constants::{Constants, Reach};
use super::super::diversify::as_literals;
use super::super::validate::{are_made_up, ill_formed};
use super::{Given, Violation};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr};
use dafny_resolve::typed::{
    Body, Call, Callable, CallableId, CallableKind, Clause, Expr, ExprKind, Field, FieldId,
    FieldKind, IteratorParts, Literal, Program, Type, TypeDeclKind,
};
use dafny_source::Span;
use dtest_desugar::GeneratedCode as _;
use dtest_interp::{
    Answer, Chosen, ClauseResult, Execution, Failure, FailureKind, Inputs, Interp, Outcome,
    Resolution, Truth,
};
use dtest_ir::reason::{Doubt, OpenReason, Reason, Stopped, Unanswered};
use dtest_ir::{GoalId, ObligationKind, Procedure};
use dtest_sorted::SortedSet;

/// The observations of an execution.
#[derive(Default)]
pub(super) struct Seen {
    /// The violation, with the unit's obligation if it is one of its own.
    pub(super) broken: Option<(Option<GoalId>, Violation)>,
    /// Whether the execution made nondeterministic choices.
    pub(super) is_free: bool,
    /// Whether the execution did not end within the limits.
    pub(super) is_endless: bool,
    /// Whether an assumption of the program is false in it.
    pub(super) is_excluded: bool,
    /// The reason why it could not be followed to its end.
    pub(super) blocked: Option<Reason>,
    /// The probes of obligations that it reached.
    pub(super) reached_probes: Vec<u32>,
    /// An obligation that it violates only in doubt, with the reason of the doubt.
    pub(super) doubtful: Option<(GoalId, OpenReason)>,
    /// Whether nothing is unknown of the inputs: the precondition rejects them, or their only
    /// execution was followed to its end, and each condition on the way was decided.
    pub(super) is_whole: bool,
}

/// The start of an execution, and the facts about it that decide about a violation.
struct Start {
    inputs: Inputs,
    /// The reason why it is unknown whether the inputs are valid.
    doubt: Option<Reason>,
    /// The assumptions of the execution.
    given: SortedSet<Given>,
    /// Whether a constant without a value was read.
    reads_open_constants: bool,
    /// Whether a condition was not decided, or depends on all allocated objects.
    has_undecided: bool,
    /// The reason why it is unknown whether an assumption on the way holds.
    undecided: Option<Reason>,
    /// The choices, if they differ from the rule for choices.
    choices: Option<Vec<Chosen>>,
    /// Whether a variable was read before it was assigned.
    is_guessed: bool,
    /// Whether the execution ended in the evaluation of a constant.
    is_in_constant: bool,
    /// Whether an obligation that the execution violates was disregarded.
    has_disregarded: bool,
}

impl Start {
    /// Adds the observations of an execution.
    fn follow(&mut self, execution: &Execution, resolution: &Resolution) {
        self.choices = (*resolution != Resolution::Rule && !execution.deterministic)
            .then(|| execution.chosen.clone());
        self.is_guessed = execution.guessed;
        self.is_in_constant = execution.in_constant;
        self.given
            .extend(execution.answers.iter().map(|a| Given::Answer(a.callee)));
        let given = |(span, why): &(Span, Reason)| Given::Undecided(*span, why.clone());
        self.given.extend(execution.unknown.iter().map(given));
        self.reads_open_constants |= execution.reads_open_constants;
        self.has_undecided |= execution.has_undecided;
        self.undecided = execution
            .undecided_assumptions
            .first()
            .map(|(_, why)| why.clone());
    }

    /// Whether every condition so far was decided by the inputs alone: without stubs, constants
    /// without values, and objects that other code may have allocated.
    fn is_decided(&self) -> bool {
        self.doubt.is_none()
            && !self.has_undecided
            && self.undecided.is_none()
            && self.given.is_empty()
            && !self.reads_open_constants
            && !self.is_in_constant
            && !self.is_guessed
    }
}

/// The state of an execution after the unit has returned: violations, and whether they are all.
#[derive(Default)]
struct After {
    /// The violations, the first one first.
    broken: Vec<Broken>,
    /// Whether each postcondition and the frame were decided, and rest on no stub.
    is_decided: bool,
}

/// A violated obligation, with the stubs' results that it depends on.
struct Broken {
    failure: Failure,
    answers: Vec<Answer>,
    /// Whether a postcondition reads a constant without a value.
    reads_open_constants: bool,
}

/// Facts about the program that the validators of all its units share.
#[derive(Default)]
pub(super) struct ProgramFacts {
    /// Locations whose evaluation may fail although the language does not evaluate them there.
    shaded: SortedSet<Span>,
    /// Functions about which lemmas without a proof say more than their contracts.
    functions_in_lemmas: SortedSet<CallableId>,
    /// Functions that postconditions of declarations without a body mention.
    functions_in_axioms: SortedSet<CallableId>,
    /// Whether lemmas without a proof mention constants without a value.
    lemmas_mention_constants: bool,
    /// Whether there are constants without a value.
    has_open_constants: bool,
    /// Whether there are constants without a value that belong to no object.
    has_free_constants: bool,
}

impl ProgramFacts {
    pub(super) fn new(program: &dtest_ir::Program) -> Self {
        // These facts are expensive, and the same for all units of the program.
        // Claims of lemmas with a proof can be derived from definitions.
        let is_lemma = |c: &Callable| c.kind == CallableKind::Lemma;
        let (functions_in_lemmas, lemma_constants) = mentioned_in_axioms(&program.typed, &is_lemma);
        let (functions_in_axioms, _) = mentioned_in_axioms(&program.typed, &|_| true);
        let lemmas_mention_constants = lemma_constants
            .iter()
            .any(|f| matches!(program.typed[*f].kind, FieldKind::Const(None)));
        let is_free = |f: &Field| {
            f.is_static
                || !f
                    .owner
                    .is_some_and(|t| program.typed.is_reference(&Type::named(t, Vec::new())))
        };
        let mut open = program
            .typed
            .fields
            .iter()
            .filter(|f| matches!(f.kind, FieldKind::Const(None)))
            .peekable();
        Self {
            shaded: super::shade::shaded(&program.typed),
            functions_in_lemmas,
            functions_in_axioms,
            lemmas_mention_constants,
            has_open_constants: open.peek().is_some(),
            has_free_constants: open.any(is_free),
        }
    }
}

pub(super) struct Validator<'p> {
    interp: Interp<'p>,
    /// The interpreter that also checks the contracts of what specifications call, created on
    /// demand.
    strict: OnceCell<Interp<'p>>,
    procedure: &'p Procedure,
    asked: Asked,
    facts: Arc<ProgramFacts>,
    /// The obligations of the unit: goal, kind, location, and location of the clause.
    obligations: Vec<(GoalId, ObligationKind, Span, Option<Span>)>,
    /// Numbers for pseudo-random choices, computed on demand.
    ints: OnceCell<Vec<num_bigint::BigInt>>,
    /// Locations of bodies and clauses of iterators that other units drive.
    driven: Vec<Span>,
    /// Whether postconditions or the frame may depend on constants without a value.
    ensures_constants: bool,
    /// Whether preconditions may depend on constants without a value that belong to no object. Each
    /// evaluation may choose other values for these.
    requires_constants: bool,
}

impl<'p> Validator<'p> {
    pub(super) fn new(interp: Interp<'p>, procedure: &'p Procedure, asked: Asked) -> Self {
        let facts = Arc::new(ProgramFacts::new(interp.program()));
        Self::sharing(facts, interp, procedure, asked)
    }

    /// The validator of a unit, with the facts of its program.
    pub(super) fn sharing(
        facts: Arc<ProgramFacts>,
        interp: Interp<'p>,
        procedure: &'p Procedure,
        asked: Asked,
    ) -> Self {
        let program = interp.program();
        let obligation = |(id, goal): (GoalId, &dtest_ir::Goal)| {
            goal.obligation()
                .map(|(kind, clause)| (id, kind, goal.span, clause))
        };
        let obligations = program
            .goals(procedure.callable)
            .into_iter()
            .filter_map(obligation)
            .collect();
        let spec = &program.typed[procedure.callable].spec;
        let requires_constants = facts.has_free_constants && may_speak_of_constants(&spec.requires);
        let ensures_constants = facts.has_open_constants
            && (may_speak_of_constants(&spec.ensures) || !spec.modifies.is_empty());
        let driven = driven_by_others(&program.typed, procedure.callable);
        Self {
            interp,
            strict: OnceCell::new(),
            procedure,
            asked,
            facts,
            obligations,
            ints: OnceCell::new(),
            driven,
            ensures_constants,
            requires_constants,
        }
    }

    /// Whether the inputs may be valid: no precondition or argument type is known to be false. A
    /// false precondition that depends on the result of a function without a body may hold for
    /// another result.
    pub(super) fn may_be_given(&self, inputs: &Inputs) -> bool {
        let check = self
            .interp
            .check_inputs(self.procedure.callable, &as_literals(inputs));
        let mut depends = false;
        check.types.iter().chain(&check.requires).all(|clause| {
            // Later clauses use the results that were found for earlier ones.
            depends |= !clause.answers.is_empty();
            depends || !clause.truth.is_false()
        })
    }

    pub(super) fn interp(&self) -> &Interp<'p> {
        &self.interp
    }

    /// The steps of all executions.
    pub(super) fn steps(&self) -> u64 {
        self.interp.steps() + self.strict.get().map_or(0, Interp::steps)
    }

    /// Pseudo-random choices.
    pub(super) fn random(&self, seed: u64) -> Resolution {
        // The constants of the program are likely to matter as choices.
        let numbers = || {
            let constants = Constants::of(self.interp.program(), self.procedure, Reach::FAR);
            constants.ints.into_iter().collect()
        };
        Resolution::Random {
            seed,
            ints: self.ints.get_or_init(numbers).clone(),
        }
    }

    /// Executes valid inputs, with choices resolved by `resolution`.
    ///
    /// An execution that violates an obligation is executed again with checks of the contracts of
    /// everything that specifications call. If a callee breaks its contract, this is the first
    /// violation: the other one may rest on it.
    pub(super) fn validate(&self, inputs: &Inputs, resolution: &Resolution) -> Seen {
        let seen = self.validate_with(&self.interp, inputs, resolution);
        if seen.broken.is_none() {
            return seen;
        }
        let strictly = self.validate_with(self.strict(), inputs, resolution);
        // The checks cost steps. What they do not finish shows nothing.
        match strictly.is_endless {
            true => seen,
            false => Seen {
                reached_probes: seen.reached_probes,
                ..strictly
            },
        }
    }

    fn strict(&self) -> &Interp<'p> {
        self.strict.get_or_init(|| {
            Interp::new(self.interp.program(), self.interp.limits()).checking_specifications()
        })
    }

    fn validate_with(&self, interp: &Interp<'p>, inputs: &Inputs, resolution: &Resolution) -> Seen {
        let mut seen = Seen::default();
        // Inputs that are invalid, or for which a contract is ill-formed, show nothing about the
        // body.
        let Some(mut start) = self.start(interp, inputs) else {
            seen.is_whole = self.is_rejected(interp, inputs);
            return seen;
        };
        let execution = interp.run_resolved(self.procedure.callable, &start.inputs, resolution);
        // The configured limit on iterations can only be checked after the execution.
        if !self.asked.allows(self.procedure, &execution) {
            return seen;
        }
        start.follow(&execution, resolution);
        seen.is_free = !execution.deterministic;
        seen.reached_probes.clone_from(&execution.reached_probes);
        let mut is_whole = start.is_decided() && execution.deterministic;
        let failure = match &execution.outcome {
            Outcome::Failed(failure) => Some(Broken {
                failure: failure.clone(),
                answers: execution.answers.clone(),
                reads_open_constants: false,
            }),
            // The values that constants had under other choices are not known after the execution.
            Outcome::Returned(_)
                if start.choices.is_some() && self.ensures_constants
                    || self.is_ambiguous(&execution.answers) =>
            {
                None
            }
            Outcome::Returned(_) => {
                let after = self.after(interp, &start.inputs, &execution);
                is_whole &= after.is_decided;
                after.broken.into_iter().next()
            }
            Outcome::Halted { .. } => None,
            Outcome::Infeasible(_) => {
                is_whole = false;
                seen.is_excluded = true;
                None
            }
            Outcome::OutOfFuel(_) => {
                is_whole = false;
                seen.is_endless = true;
                seen.blocked = Some(Stopped::EndlessExecution.into());
                None
            }
            Outcome::Unsupported(reason) => {
                is_whole = false;
                seen.blocked = Some(reason.clone());
                None
            }
        };
        // The failure is weighed even if the unit returned: its postconditions were checked
        // afterwards.
        if let Some(broken) = failure {
            start.reads_open_constants |= broken.reads_open_constants;
            self.weigh(&start, broken.failure, &broken.answers, &mut seen);
            // A failure that is no violation may hide one.
            is_whole &= seen.broken.is_some();
        }
        seen.is_whole = is_whole;
        seen
    }

    /// Whether the precondition or the types of the parameters reject inputs.
    fn is_rejected(&self, interp: &Interp<'p>, inputs: &Inputs) -> bool {
        let inputs = as_literals(inputs);
        let check = interp.check_inputs(self.procedure.callable, &inputs);
        let mut clauses = check.types.iter().chain(&check.requires);
        self.asked.admits(&inputs)
            && check.verdict().is_false()
            && clauses.all(|c| c.answers.is_empty() && !c.reads_open_constants && !c.has_undecided)
    }

    /// Executes valid inputs, and continues after violations as if the obligations held. Returns
    /// the violations after the first one, each with all earlier ones among its assumptions.
    pub(super) fn validate_on(
        &self,
        inputs: &Inputs,
        resolution: &Resolution,
    ) -> Vec<(GoalId, Violation)> {
        let interp = self.strict();
        let Some(mut start) = self.start(interp, inputs) else {
            return Vec::new();
        };
        // The interpreter continues after each violated obligation and returns all of them.
        let (execution, mut broken) =
            interp.run_on(self.procedure.callable, &start.inputs, resolution);
        if broken.is_empty() || !self.asked.allows(self.procedure, &execution) {
            return Vec::new();
        }
        start.follow(&execution, resolution);
        let mut answers = execution.answers.clone();
        match &execution.outcome {
            Outcome::Failed(failure) => broken.push(failure.clone()),
            Outcome::Returned(_)
                if start.choices.is_some() && self.ensures_constants
                    || self.is_ambiguous(&execution.answers) => {}
            Outcome::Returned(_) => {
                for more in self.after(interp, &start.inputs, &execution).broken {
                    broken.push(more.failure);
                    answers = more.answers;
                    start.reads_open_constants |= more.reads_open_constants;
                }
            }
            Outcome::Halted { .. }
            | Outcome::Infeasible(_)
            | Outcome::OutOfFuel(_)
            | Outcome::Unsupported(_) => {}
        }
        // The first violation only adds to the assumptions; [`Self::validate`] reports it.
        let mut found = Vec::new();
        for failure in broken {
            let disregarded = Given::Disregarded(failure.kind.obligation(), failure.span);
            let mut seen = Seen::default();
            self.weigh(&start, failure, &answers, &mut seen);
            if let Some((Some(obligation), violation)) =
                seen.broken.filter(|_| start.has_disregarded)
            {
                found.push((obligation, violation));
            }
            start.given.insert(disregarded);
            start.has_disregarded = true;
        }
        found
    }

    /// The start of executions from these inputs. `None` if they are not valid, or if a clause of
    /// the contract is not well-formed for them, which is checked as a unit of its own.
    fn start(&self, interp: &Interp<'p>, inputs: &Inputs) -> Option<Start> {
        let unit = self.procedure.callable;
        let inputs = as_literals(inputs);
        if !self.asked.admits(&inputs) {
            return None;
        }
        // Undecided preconditions are allowed, but make violations doubtful.
        let check = interp.check_inputs(unit, &inputs);
        let clauses = || check.types.iter().chain(&check.requires);
        if check.verdict().is_false() || ill_formed(clauses()).is_some() {
            return None;
        }
        let doubt = clauses().find_map(undecided).cloned();
        let given = clauses()
            .flat_map(|c| &c.answers)
            .map(|a| Given::Answer(a.callee))
            .collect();
        Some(Start {
            inputs,
            doubt,
            given,
            reads_open_constants: clauses().any(|c| c.reads_open_constants),
            has_undecided: clauses().any(|c| c.has_undecided),
            undecided: None,
            choices: None,
            is_guessed: false,
            is_in_constant: false,
            has_disregarded: false,
        })
    }

    /// Decides whether a failure is a violation, a doubt, or neither, and records it with its
    /// assumptions.
    fn weigh(&self, start: &Start, failure: Failure, answers: &[Answer], seen: &mut Seen) {
        let program = &self.interp.program().typed;
        let unit = self.procedure.callable;
        // The preconditions were evaluated with other values of such constants.
        if start.choices.is_some() && self.requires_constants {
            return;
        }
        if program.is_bound_contract(unit) && failure.kind != FailureKind::Reads {
            // The contract is checked without preconditions here.
            return;
        }
        // The definition of a constant is checked as a unit of its own. No precondition is
        // evaluated in it.
        if start.is_in_constant {
            return;
        }
        // Whether `Valid` held when the body continued is not known. The iterator is checked as a
        // unit of its own.
        if self
            .driven
            .iter()
            .any(|part| part.start <= failure.span.start && failure.span.end <= part.end)
        {
            return;
        }
        // Each stub's result was chosen for its own values of such constants.
        let speaks = |a: &Answer| may_speak_of_constants(&program[a.callee].spec.ensures);
        if start.choices.is_some() && self.facts.has_free_constants && answers.iter().any(speaks) {
            return;
        }
        if let Some(vague) = answers.iter().find(|a| !a.undecided.is_empty()) {
            seen.blocked =
                Some(Unanswered::Undecided(program.callable_path(vague.callee).into()).into());
            return;
        }
        // Claims are conditions that the user wrote; other failures come from the evaluation.
        let is_claim = matches!(
            failure.kind,
            FailureKind::Assert | FailureKind::Postcondition | FailureKind::Precondition
        );
        let is_narrow = failure.kind == FailureKind::TypeConstraint
            && start.choices.is_some()
            && start.is_guessed;
        let mut doubt = None;
        if is_narrow && program.options.relax_definite_assignment {
            doubt = Some(OpenReason::Doubt(Doubt::NarrowerType));
        } else if !is_claim && self.facts.shaded.contains(&failure.span) {
            doubt = Some(OpenReason::Doubt(Doubt::GuardedBound));
        } else if program.is_claim(unit)
            && (!answers.is_empty() || start.given.iter().any(|g| matches!(g, Given::Answer(_))))
        {
            doubt = Some(OpenReason::Doubt(Doubt::AboutAnswers));
        } else if program.is_claim(unit) && start.reads_open_constants {
            doubt = Some(OpenReason::Doubt(Doubt::AboutConstants));
        } else if answers
            .iter()
            .any(|a| self.facts.functions_in_lemmas.contains(&a.callee))
        {
            doubt = Some(OpenReason::Doubt(Doubt::ToldByLemmas));
        } else if start.reads_open_constants && self.facts.lemmas_mention_constants {
            doubt = Some(OpenReason::Doubt(Doubt::ConstantToldByLemmas));
        } else {
            let is_required =
                failure.kind == FailureKind::Precondition && program.requires_what_it_calls(unit);
            let is_free = |id| self.is_free(id);
            if is_required || are_made_up(self.interp.program(), &start.inputs, answers, &is_free) {
                return;
            }
            // A violation never depends on an undecided precondition or assumption.
            if let Some(why) = &start.doubt {
                doubt = Some(OpenReason::BrokenFromUndecided(why.clone()));
            } else if let Some(why) = &start.undecided {
                doubt = Some(OpenReason::BrokenUnderUndecided(why.clone()));
            }
        }
        // A doubt is recorded only for obligations of the unit.
        if let Some(doubt) = doubt {
            seen.doubtful = self
                .obligation(&failure)
                .map(|obligation| (obligation, doubt));
            return;
        }
        let given: SortedSet<Given> = start
            .given
            .iter()
            .cloned()
            .chain(answers.iter().map(|a| Given::Answer(a.callee)))
            .collect();
        let obligation = self.obligation(&failure);
        let (inputs, choices) = (start.inputs.clone(), start.choices.clone());
        seen.broken = Some((
            obligation,
            Violation {
                inputs,
                failure,
                choices,
                given: given.into_iter().collect(),
            },
        ));
    }

    /// Whether a function without a body may have any results: no postcondition of it, or of another
    /// declaration without a body, says anything about them.
    fn is_free(&self, function: CallableId) -> bool {
        let contract = self.interp.program().contracts.get(&function);
        let is_true = |c: &dtest_ir::Clause| {
            matches!(
                c.cond.kind,
                dtest_ir::ExprKind::Literal(Literal::Bool(true))
            )
        };
        contract.is_some_and(|c| c.ensures.iter().all(is_true))
            && !self.facts.functions_in_axioms.contains(&function)
    }

    /// The violations after the unit has returned: an ill-formed postcondition, or else false
    /// postconditions, the frame, and `older`.
    fn after(&self, interp: &Interp<'p>, inputs: &Inputs, execution: &Execution) -> After {
        let unit = self.procedure.callable;
        // Postconditions over two states were checked where they are evaluated.
        if self.interp.program().is_in_two_states(unit) {
            return After::default();
        }
        let ensures = interp.check_ensures(unit, inputs, execution);
        let answers = || {
            execution
                .answers
                .iter()
                .chain(ensures.iter().flat_map(|c| &c.answers))
                .cloned()
                .collect::<Vec<_>>()
        };
        let reads_open_constants = ensures.iter().any(|c| c.reads_open_constants);
        let broken_by = |failure| Broken {
            failure,
            answers: answers(),
            reads_open_constants,
        };
        // An ill-formed clause is reported alone, because the later clauses depend on it.
        if let Some((failure, true)) = ill_formed(&ensures) {
            return After {
                broken: vec![broken_by(failure)],
                is_decided: true,
            };
        }
        let broken = |clause: &ClauseResult| Failure {
            kind: FailureKind::Postcondition,
            span: clause.span,
            clause: None,
            message: "the postcondition does not hold".to_owned(),
        };
        let clauses = ensures.iter().filter(|c| c.truth.is_false()).map(broken);
        // While an iterator waits, other code may change the heap. The iterator's own writes are
        // checked where they occur.
        let is_iterator = self.interp.program().typed.driven_by(unit).is_some();
        let frame = if is_iterator {
            Ok(Truth::True)
        } else {
            interp.check_frame(unit, inputs, execution)
        };
        let newer = interp.check_older(unit, inputs, execution);
        let is_decided = !is_iterator
            && !matches!(frame, Ok(Truth::Unknown(_)))
            && ensures.iter().all(|c| undecided(c).is_none())
            && answers().is_empty()
            && !reads_open_constants
            && !ensures.iter().any(|c| c.has_undecided);
        let broken = clauses.chain(frame.err()).chain(newer).map(broken_by);
        After {
            broken: broken.collect(),
            is_decided,
        }
    }

    /// Whether stubs of functions returned different results in different states of the heap. Their
    /// results after the execution are unknown then.
    fn is_ambiguous(&self, answers: &[Answer]) -> bool {
        let program = &self.interp.program().typed;
        let of_functions: Vec<&Answer> = answers
            .iter()
            .filter(|a| program[a.callee].kind.is_function())
            .collect();
        let differ = |a: &Answer, b: &Answer| {
            (a.callee, &a.type_args, &a.args) == (b.callee, &b.type_args, &b.args)
                && a.results != b.results
        };
        of_functions
            .iter()
            .enumerate()
            .any(|(i, a)| of_functions.iter().take(i).any(|b| differ(a, b)))
    }

    /// The obligation of the unit that a failure violates.
    fn obligation(&self, failure: &Failure) -> Option<GoalId> {
        let kind = failure.kind.obligation();
        // Several obligations may have the same location, so that kind and clause are compared,
        // too.
        let at = self.obligations.iter().filter(|(_, k, span, clause)| {
            *k == kind
                && *span == failure.span
                && (failure.clause.is_none() || *clause == failure.clause)
        });
        at.map(|(id, ..)| *id).next()
    }
}

fn undecided(clause: &ClauseResult) -> Option<&Reason> {
    match &clause.truth {
        Truth::Unknown(reason) => Some(reason),
        Truth::True | Truth::False => None,
    }
}

/// Locations of the bodies and postconditions of iterators, except of the one that `unit` drives or
/// of which it evaluates the contract.
fn driven_by_others(program: &Program, unit: CallableId) -> Vec<Span> {
    // The iterator's own obligations are those of its body and contract.
    let contract = program.is_contract(unit).then_some(program[unit].span);
    let parts = program.types.iter().filter_map(|decl| match &decl.kind {
        TypeDeclKind::Iterator(parts)
            if parts.members.is_none_or(|m| m.drive != unit) && contract != Some(decl.span) =>
        {
            Some(parts)
        }
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract => None,
        TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => None,
    });
    let obliged = |parts: &IteratorParts| -> Vec<Span> {
        let clauses = parts
            .spec
            .ensures
            .iter()
            .chain(&parts.yield_ensures)
            .map(|clause| clause.span);
        clauses
            .chain(parts.body.as_ref().map(|body| body.span))
            .collect()
    };
    parts.flat_map(obliged).collect()
}

/// Whether clauses may depend on constants, directly or through calls.
fn may_speak_of_constants(clauses: &[Clause]) -> bool {
    struct Speaks(bool);
    impl<'p> Visit<'p> for Speaks {
        fn expr(&mut self, e: &'p Expr) {
            self.0 |= matches!(
                e.kind,
                ExprKind::Field { .. } | ExprKind::FunctionRef { .. } | ExprKind::Apply { .. }
            );
            walk_expr(self, e);
        }
        fn call(&mut self, _: &'p Call) {
            self.0 = true;
        }
    }
    // Fields, function values and calls may depend on constants.
    let mut speaks = Speaks(false);
    clauses.iter().for_each(|clause| speaks.expr(&clause.cond));
    speaks.0
}

/// The functions and constants that lemmas without a proof mention, directly or through other
/// functions and constants.
fn mentioned_in_axioms(
    program: &Program,
    is_axiom: &dyn Fn(&Callable) -> bool,
) -> (SortedSet<CallableId>, SortedSet<FieldId>) {
    #[derive(Default)]
    struct Calls {
        callables: Vec<CallableId>,
        fields: Vec<FieldId>,
    }
    impl<'p> Visit<'p> for Calls {
        fn expr(&mut self, e: &'p Expr) {
            if let ExprKind::FunctionRef { callee, .. } = &e.kind {
                self.callables.push(*callee);
            } else if let ExprKind::Field { field, .. } = &e.kind {
                self.fields.push(*field);
            }
            walk_expr(self, e);
        }
        fn call(&mut self, c: &'p Call) {
            self.callables.push(c.callee);
            walk_call(self, c);
        }
    }
    let mut calls = Calls::default();
    let axioms = program.callables.iter().filter(|c| is_axiom(c));
    for c in axioms.filter(|c| matches!(c.body, Body::None)) {
        c.spec
            .ensures
            .iter()
            .for_each(|clause| calls.expr(&clause.cond));
    }
    let (mut functions_in_lemmas, mut constants) = (SortedSet::new(), SortedSet::new());
    // The bodies of functions and constants may mention further ones.
    loop {
        if let Some(id) = calls.callables.pop() {
            if functions_in_lemmas.insert(id) {
                match &program[id].body {
                    Body::Expr(e) | Body::ByMethod(e, _) => calls.expr(e),
                    Body::None | Body::Block(_) => {}
                }
            }
        } else if let Some(field) = calls.fields.pop() {
            if constants.insert(field)
                && let FieldKind::Const(Some(value)) = &program[field].kind
            {
                calls.expr(value);
            }
        } else {
            return (functions_in_lemmas, constants);
        }
    }
}
