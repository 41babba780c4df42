//! The judge: runs inputs and says which promise the execution breaks, and what that rests on.

use std::collections::BTreeSet;

use super::super::api::Asked;
use super::super::constants::{Constants, Reach};
use super::super::trial::{are_made_up, ill_formed};
use super::super::vary::as_literals;
use super::{Given, Violation};
use crate::interp::{Answer, Chosen, ClauseResult, Execution, Failure, FailureKind, Inputs, Interp, Outcome, Resolution, Truth};
use crate::ir::{GoalId, Procedure, PromiseKind, StmtKind};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr};
use dafny_resolve::typed::{Body, Call, CallableId, CallableKind, Expr, ExprKind, FieldKind, Program};
use dafny_syntax::source::Span;

/// What an execution showed.
#[derive(Default)]
pub(super) struct Seen {
    /// What it breaks: the promise of the unit, if it is one, and how.
    pub(super) broken: Option<(Option<GoalId>, Violation)>,
    /// Whether it depends on choices.
    pub(super) is_free: bool,
    /// Whether it does not end within the limits.
    pub(super) is_endless: bool,
    /// Why it could not be followed to its end.
    pub(super) blocked: Option<String>,
    /// A promise that it breaks, and why it is not known whether the inputs may be given.
    pub(super) doubtful: Option<(GoalId, String)>,
}

pub(super) struct Judge<'p> {
    interp: Interp<'p>,
    procedure: &'p Procedure,
    asked: Asked,
    /// The promises of the unit.
    promises: Vec<(GoalId, PromiseKind, Span, Option<Span>)>,
    /// Where something is taken for granted: `assume`, and calls of lemmas.
    granted: BTreeSet<Span>,
    /// Numbers that are worth choosing.
    ints: Vec<num_bigint::BigInt>,
    /// Places whose evaluation may fail where the language evaluates nothing.
    shaded: BTreeSet<Span>,
    /// Functions of which lemmas without a proof say more than their contracts.
    told: BTreeSet<CallableId>,
    /// Whether there are constants without a value.
    has_open_constants: bool,
}

impl<'p> Judge<'p> {
    pub(super) fn new(interp: Interp<'p>, procedure: &'p Procedure, asked: Asked) -> Self {
        let program = interp.program();
        let promise = |(id, goal): (GoalId, &crate::ir::Goal)| goal.promise().map(|(kind, clause)| (id, kind, goal.span, clause));
        let promises = program.goals(procedure.callable).into_iter().filter_map(promise).collect();
        let mut granted = BTreeSet::new();
        for stmt in program.procedures.values().flat_map(|p| &p.blocks).flat_map(|b| &b.stmts) {
            if let StmtKind::Assume { cond, .. } = &stmt.kind {
                granted.extend([stmt.span, cond.span]);
            } else if matches!(&stmt.kind, StmtKind::Call { callee, .. } if program.typed[*callee].kind == CallableKind::Lemma) {
                granted.insert(stmt.span);
            }
        }
        let ints = Constants::of(program, procedure, Reach::FAR).ints.into_iter().collect();
        let has_open_constants = program.typed.fields.iter().any(|f| matches!(f.kind, FieldKind::Const(None)));
        let told = told_by_lemmas(&program.typed);
        let shaded = super::shade::shaded(&program.typed);
        Self { interp, procedure, asked, shaded, told, promises, granted, ints, has_open_constants }
    }

    pub(super) fn interp(&self) -> &Interp<'p> {
        &self.interp
    }

    /// Choices that look random.
    pub(super) fn random(&self, seed: u64) -> Resolution {
        Resolution::Random { seed, ints: self.ints.clone() }
    }

    /// Executes inputs that may be given; choices are resolved as `resolution` says.
    pub(super) fn judge(&self, inputs: &Inputs, resolution: &Resolution) -> Seen {
        let mut seen = Seen::default();
        let unit = self.procedure.callable;
        let inputs = as_literals(inputs);
        if !self.asked.admits(&inputs) {
            return seen;
        }
        let check = self.interp.check_inputs(unit, &inputs);
        let clauses = || check.types.iter().chain(&check.requires);
        if check.verdict().is_false() {
            return seen;
        }
        // What makes contracts well-formed is looked at by itself.
        if ill_formed(clauses()).is_some() {
            return seen;
        }
        let doubts: Vec<(Span, &str)> = clauses().filter_map(undecided).collect();
        let mut given: BTreeSet<Given> = clauses().flat_map(|c| &c.answers).map(|a| Given::Answer(a.callee)).collect();
        let execution = self.interp.run_resolved(unit, &inputs, resolution);
        let choices = (*resolution != Resolution::Rule && !execution.deterministic).then(|| execution.chosen.clone());
        if !self.asked.allows(self.procedure, &execution) {
            return seen;
        }
        seen.is_free = !execution.deterministic;
        given.extend(execution.answers.iter().map(|a| Given::Answer(a.callee)));
        given.extend(execution.unknown.iter().filter(|(s, _)| self.granted.contains(s)).map(|(s, why)| Given::Condition(*s, why.clone())));
        let failure = match &execution.outcome {
            Outcome::Failed(failure) => Some((failure.clone(), execution.answers.clone())),
            // What constants are taken to be for other choices is not known afterwards.
            Outcome::Returned(_) if choices.is_some() && self.has_open_constants => None,
            Outcome::Returned(_) => self.after(&inputs, &execution),
            Outcome::Halted { .. } | Outcome::Infeasible(_) => None,
            Outcome::OutOfFuel(_) => {
                seen.is_endless = true;
                seen.blocked = Some("an execution that does not end within the limits".into());
                None
            }
            Outcome::Unsupported(reason) => {
                seen.blocked = Some(reason.clone());
                None
            }
        };
        let Some((failure, answers)) = failure else { return seen };
        if self.interp.program().typed.is_bound_contract(unit) && failure.kind != FailureKind::Reads {
            return seen; // looked at without preconditions
        }
        if let Some(vague) = answers.iter().find(|a| !a.undecided.is_empty()) {
            let callee = self.interp.program().typed.callable_path(vague.callee);
            seen.blocked = Some(format!("extern: whether an answer of `{callee}` meets its contract is not known"));
            return seen;
        }
        let is_relaxed = self.interp.program().typed.options.relax_definite_assignment;
        if failure.kind == FailureKind::TypeConstraint && choices.is_some() && is_relaxed && execution.guessed {
            seen.doubtful = self.promise(&failure).map(|promise| (promise, NARROWER.to_owned()));
            return seen;
        }
        let is_claim = matches!(failure.kind, FailureKind::Assert | FailureKind::Postcondition | FailureKind::Precondition);
        if !is_claim && self.shaded.contains(&failure.span) {
            let reason = "a bound of a quantifier has no value, where a condition may stand before it".to_owned();
            seen.doubtful = self.promise(&failure).map(|promise| (promise, reason));
            return seen;
        }
        if answers.iter().any(|a| self.told.contains(&a.callee)) {
            let reason = "an answer of code without a body breaks it, of which lemmas say more than its contract".to_owned();
            seen.doubtful = self.promise(&failure).map(|promise| (promise, reason));
            return seen;
        }
        let is_required = failure.kind == FailureKind::Precondition && self.interp.program().typed.requires_what_it_calls(unit);
        if is_required || are_made_up(self.interp.program(), &inputs, &answers) {
            return seen;
        }
        if let Some((_, why)) = doubts.first() {
            let reason = format!("inputs were found that break it, but whether a precondition holds for them is not known: {why}");
            seen.doubtful = self.promise(&failure).map(|promise| (promise, reason));
            return seen;
        }
        given.extend(answers.iter().map(|a| Given::Answer(a.callee)));
        seen.broken = Some(self.violation(&inputs, failure, choices, given));
        seen
    }

    /// What is broken where the unit has returned: a postcondition, or the frame.
    fn after(&self, inputs: &Inputs, execution: &Execution) -> Option<(Failure, Vec<Answer>)> {
        let unit = self.procedure.callable;
        let ensures = self.interp.check_ensures(unit, inputs, execution);
        let answers = || execution.answers.iter().chain(ensures.iter().flat_map(|c| &c.answers)).cloned().collect::<Vec<_>>();
        if let Some((failure, true)) = ill_formed(&ensures) {
            return Some((failure, answers()));
        }
        if let Some(broken) = ensures.iter().find(|c| c.truth.is_false()) {
            let message = "the postcondition does not hold".to_owned();
            return Some((Failure { kind: FailureKind::Postcondition, span: broken.span, message }, answers()));
        }
        match self.interp.check_frame(unit, inputs, execution) {
            Ok(_) => None,
            Err(failure) => Some((failure, answers())),
        }
    }

    fn violation(
        &self,
        inputs: &Inputs,
        failure: Failure,
        choices: Option<Vec<Chosen>>,
        given: BTreeSet<Given>,
    ) -> (Option<GoalId>, Violation) {
        let promise = self.promise(&failure);
        let violation = Violation { inputs: inputs.clone(), failure, choices, given: given.into_iter().collect() };
        (promise, violation)
    }

    /// The promise of the unit that a failure breaks.
    fn promise(&self, failure: &Failure) -> Option<GoalId> {
        let kind = failure.kind.promise();
        let at = self.promises.iter().filter(|(_, k, span, _)| *k == kind && *span == failure.span);
        at.map(|(id, ..)| *id).next()
    }
}

/// Why a value that is not in a type may be none of the program's.
const NARROWER: &str = "a variable that was never assigned has a value outside of the type, but Dafny may infer a narrower type for it";

fn undecided(clause: &ClauseResult) -> Option<(Span, &str)> {
    match &clause.truth {
        Truth::Unknown(reason) => Some((clause.span, reason)),
        Truth::True | Truth::False => None,
    }
}

/// The functions that claims of lemmas without a proof speak of, by way of others too.
fn told_by_lemmas(program: &Program) -> BTreeSet<CallableId> {
    struct Calls(Vec<CallableId>);
    impl<'p> Visit<'p> for Calls {
        fn expr(&mut self, e: &'p Expr) {
            if let ExprKind::FunctionRef { callee, .. } = &e.kind {
                self.0.push(*callee);
            }
            walk_expr(self, e);
        }
        fn call(&mut self, c: &'p Call) {
            self.0.push(c.callee);
            walk_call(self, c);
        }
    }
    let mut calls = Calls(Vec::new());
    for c in program.callables.iter().filter(|c| c.kind == CallableKind::Lemma && matches!(c.body, Body::None)) {
        c.spec.ensures.iter().for_each(|clause| calls.expr(&clause.cond));
    }
    let mut told = BTreeSet::new();
    while let Some(id) = calls.0.pop() {
        if told.insert(id) {
            match &program[id].body {
                Body::Expr(e) | Body::ByMethod(e, _) => calls.expr(e),
                Body::None | Body::Block(_) => {}
            }
        }
    }
    told
}
