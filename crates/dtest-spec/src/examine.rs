//! The order of the questions about a contract, and the answers from the verdicts on them.
//!
//! [`examine`] first asks about the precondition and each clause, then about two results. Whether
//! every input has a result is not one question, because it alternates quantifiers: it is proved by
//! a witness (results as expressions, from clauses such as `r == e`, or the body), and refuted by an
//! input for which the question of a result is proved to have no answer.

use dafny_resolve::typed::{
    BinaryOp, Body, CallableId, CallableKind, Clause, Expr, ExprKind, LocalId, Program,
};
use dtest_interp::{Inputs, Interp, Limits};
use dtest_ir::reason::{OpenReason, Stopped};
use dtest_ir::{self as ir, Criteria, ObligationKind};
use dtest_search::check::{Given, Verdict, check_obligations};
use dtest_search::{Options, small};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;
use std::sync::Arc;

use crate::contract::{Contract, conjuncts};
use crate::questions::{Question, Questions};
use crate::substitution::Mentions;
use crate::{
    Certainty, ClauseAnswer, ClauseKind, Completeness, Contribution, Equivalence, Example,
    Implementable, Satisfiable, Specification, Undecided, examples, values,
};

/// Maximum number of inputs with results that are tried per size.
const MAX_TRIED: usize = 256;
/// Maximum number of interpreter steps for one tried input.
const MAX_STEPS: u64 = 200_000;
/// Maximum number of inputs for which results are searched by the solver.
const MAX_INPUTS_SOLVED: usize = 6;
/// Divisor of the budget of a question: a contract has many questions.
const BUDGET_DIVISOR: u32 = 4;

/// The answer to a question.
#[derive(Clone, Debug)]
enum Answer {
    /// These inputs of the question were confirmed by an execution.
    Example(Inputs),
    /// There is no example.
    Nothing(Certainty),
    Undecided(Undecided),
}

/// Examines the contract of a callable. The program must not have been desugared.
pub fn examine(program: &Program, unit: CallableId, options: &Options) -> Specification {
    let contract = Contract::new(program, unit);
    Examination {
        contract: &contract,
        options: options.in_part(options.part.saturating_mul(BUDGET_DIVISOR)),
    }
    .run()
}

struct Examination<'c, 'p> {
    contract: &'c Contract<'p>,
    options: Options,
}

/// The questions of the first round.
struct First {
    inputs: Question,
    preconditions: Vec<Question>,
    results: Option<Results>,
}

/// The questions about results.
struct Results {
    accepted: Question,
    postconditions: Vec<Question>,
    two: Option<Question>,
    up_to_order: Option<Question>,
    witness: Option<Question>,
}

impl Examination<'_, '_> {
    fn run(&self) -> Specification {
        let mut questions = Questions::new(self.contract);
        let first = self.first(&mut questions);
        let program = lower(questions.program);
        let satisfiable = self.satisfiable(&program, &first.inputs);
        let kinds = (ClauseKind::Requires, ClauseKind::Ensures);
        let is_contradictory = matches!(satisfiable, Satisfiable::No { .. });
        let mut clauses = self.clauses(&program, kinds.0, &first.preconditions);
        let mut accepted = None;
        let (implementable, completeness, tried) = match &first.results {
            // Nothing can be said about results of inputs that do not exist.
            Some(_) if is_contradictory => {
                let reason = Undecided::NoInputs;
                clauses.extend(self.undecided_postconditions(&reason));
                (
                    Implementable::Undecided(reason.clone()),
                    Completeness::Undecided(reason),
                    None,
                )
            }
            Some(results) => {
                clauses.extend(self.clauses(&program, kinds.1, &results.postconditions));
                let tried = self.tried(&program, results);
                let kind = question_kind(&program, &results.accepted);
                let answer = self.ask(&program, &results.accepted, kind);
                if let Answer::Example(inputs) = &answer {
                    accepted = Some(self.example(&program, &results.accepted, inputs));
                }
                let known = (&satisfiable, &answer, &tried);
                let implementable = self.implementable(&program, results, known);
                let completeness = match answer {
                    Answer::Nothing(_) => Completeness::Undecided(Undecided::NoResults),
                    Answer::Example(_) | Answer::Undecided(_) => {
                        self.completeness(&program, results)
                    }
                };
                (implementable, completeness, Some(tried.counts()))
            }
            None => {
                let reason = self.contract.obstacle().unwrap_or(Undecided::NothingTried);
                clauses.extend(self.undecided_postconditions(&reason));
                (
                    Implementable::Undecided(reason.clone()),
                    Completeness::Undecided(reason),
                    None,
                )
            }
        };
        Specification {
            satisfiable,
            implementable,
            completeness,
            accepted,
            clauses,
            has_results: self.contract.has_visible_parts(),
            tried,
        }
    }

    /// The postconditions as clauses that are undecided for the same reason.
    fn undecided_postconditions(&self, reason: &Undecided) -> Vec<ClauseAnswer> {
        let undecided = |c: &Clause| ClauseAnswer {
            kind: ClauseKind::Ensures,
            span: c.span,
            contribution: Contribution::Undecided(reason.clone()),
        };
        self.contract.ensures().iter().map(undecided).collect()
    }

    /// Asks the questions of the first round.
    fn first(&self, questions: &mut Questions<'_, '_>) -> First {
        let (requires, ensures) = (self.contract.requires(), self.contract.ensures());
        let all: Vec<usize> = (0..requires.len()).collect();
        let inputs = questions.accepted_inputs(&all);
        let preconditions = (0..requires.len())
            .map(|i| questions.rejected_inputs(i))
            .collect();
        let results = self.contract.obstacle().is_none().then(|| {
            let all: Vec<usize> = (0..ensures.len()).collect();
            let has_results = !self.is_settled_without_results();
            Results {
                accepted: questions.accepted_results(&all),
                postconditions: (0..ensures.len())
                    .map(|i| questions.rejected_results(i))
                    .collect(),
                two: has_results.then(|| questions.two_results()),
                up_to_order: has_results
                    .then(|| questions.two_results_up_to_order())
                    .flatten(),
                witness: self
                    .witness()
                    .map(|witness| questions.refuted_witness(&witness)),
            }
        });
        First {
            inputs,
            preconditions,
            results,
        }
    }

    /// Whether there are no results to compare, or the body of a function is part of what callers
    /// know.
    fn is_settled_without_results(&self) -> bool {
        let has_no_results = self.contract.is_pure() && self.contract.outputs.is_empty();
        has_no_results || self.is_transparent()
    }

    /// Whether callers know the body.
    fn is_transparent(&self) -> bool {
        let callable = &self.contract.program[self.contract.unit];
        callable.kind.is_function() && !callable.opaque && !matches!(callable.body, Body::None)
    }

    fn satisfiable(&self, program: &ir::Program, question: &Question) -> Satisfiable {
        match self.ask(program, question, question_kind(program, question)) {
            Answer::Example(inputs) => Satisfiable::Yes(self.example(program, question, &inputs)),
            Answer::Nothing(certainty) => {
                let all: Vec<usize> = (0..self.contract.requires().len()).collect();
                let clauses = self.core(all, &certainty, &|questions, chosen| {
                    questions.accepted_inputs(chosen)
                });
                Satisfiable::No { certainty, clauses }
            }
            Answer::Undecided(reason) => Satisfiable::Undecided(reason),
        }
    }

    /// Removes clauses as long as the remaining ones have no example with the same certainty.
    fn core(
        &self,
        mut clauses: Vec<usize>,
        certainty: &Certainty,
        question: &dyn Fn(&mut Questions<'_, '_>, &[usize]) -> Question,
    ) -> Vec<usize> {
        for i in clauses.clone() {
            let fewer: Vec<usize> = clauses.iter().copied().filter(|c| *c != i).collect();
            let mut questions = Questions::new(self.contract);
            let asked = question(&mut questions, &fewer);
            let program = lower(questions.program);
            let kind = question_kind(&program, &asked);
            let answer = self.ask(&program, &asked, kind);
            let is_as_certain = match (&answer, certainty) {
                (Answer::Nothing(Certainty::Proved), _) => true,
                (Answer::Nothing(Certainty::Within(_)), Certainty::Within(_)) => true,
                (_, _) => false,
            };
            if is_as_certain {
                clauses = fewer;
            }
        }
        clauses
    }

    fn clauses(
        &self,
        program: &ir::Program,
        kind: ClauseKind,
        questions: &[Question],
    ) -> Vec<ClauseAnswer> {
        let clauses = match kind {
            ClauseKind::Requires => self.contract.requires(),
            ClauseKind::Ensures => self.contract.ensures(),
        };
        clauses
            .iter()
            .zip(questions)
            .map(|(clause, question)| {
                if let Some(reason) = self.contract.obstacle_of(clause) {
                    return ClauseAnswer {
                        kind,
                        span: clause.span,
                        contribution: Contribution::Undecided(reason),
                    };
                }
                let kind_of = question_kind(program, question);
                let contribution = match self.ask(program, question, kind_of) {
                    Answer::Example(inputs) => {
                        Contribution::Decisive(self.example(program, question, &inputs))
                    }
                    Answer::Nothing(Certainty::Proved) => Contribution::Redundant,
                    Answer::Nothing(Certainty::Within(bounds)) => Contribution::Idle(bounds),
                    Answer::Undecided(reason) => Contribution::Undecided(reason),
                };
                ClauseAnswer {
                    kind,
                    span: clause.span,
                    contribution,
                }
            })
            .collect()
    }

    fn completeness(&self, program: &ir::Program, results: &Results) -> Completeness {
        let Some(two) = &results.two else {
            return Completeness::Determined(Certainty::Proved);
        };
        let open = match self.ask(program, two, question_kind(program, two)) {
            Answer::Nothing(certainty) if self.contract.has_hidden_parts() => {
                return Completeness::UpTo(Equivalence::Identity, certainty);
            }
            Answer::Nothing(certainty) => return Completeness::Determined(certainty),
            Answer::Undecided(reason) => return Completeness::Undecided(reason),
            Answer::Example(inputs) => self.example(program, two, &inputs),
        };
        let Some(order) = &results.up_to_order else {
            return Completeness::Open(open);
        };
        match self.ask(program, order, question_kind(program, order)) {
            Answer::Nothing(certainty) => Completeness::UpTo(Equivalence::Order(open), certainty),
            // An example of more than another order says more.
            Answer::Example(inputs) => Completeness::Open(self.example(program, order, &inputs)),
            Answer::Undecided(_) => Completeness::Open(open),
        }
    }

    /// Results as expressions over the inputs, from clauses that define them. `None` if a result is
    /// not defined.
    fn witness(&self) -> Option<Vec<Expr>> {
        if !self.contract.is_pure() {
            return None;
        }
        let results: SortedSet<LocalId> = self.contract.outputs.iter().map(|o| o.local).collect();
        let substitution = self.contract.substitution(|e| Some(e.clone()));
        let clauses: Vec<Expr> = self
            .contract
            .ensures()
            .iter()
            .map(|c| substitution.of(&c.cond))
            .collect();
        let definition = |local: LocalId| {
            let parts = clauses.iter().flat_map(conjuncts);
            parts.filter_map(|e| defined(e, local)).find(|e| {
                let mentions = Mentions::of(e);
                !mentions.locals.iter().any(|l| results.contains(l))
                    && !mentions.callees.contains(&self.contract.unit)
            })
        };
        self.contract
            .outputs
            .iter()
            .map(|o| definition(o.local).cloned())
            .collect()
    }

    fn implementable(
        &self,
        program: &ir::Program,
        results: &Results,
        (satisfiable, accepted, tried): (&Satisfiable, &Answer, &Tried),
    ) -> Implementable {
        if !matches!(satisfiable, Satisfiable::Yes(_)) {
            return Implementable::Undecided(match satisfiable {
                Satisfiable::No { .. } => Undecided::NoInputs,
                Satisfiable::Yes(_) | Satisfiable::Undecided(_) => Undecided::Precondition,
            });
        }
        // A witness is a proof. Without results, the clauses themselves are the question.
        if let Some(witness) = &results.witness {
            match self.ask(program, witness, ObligationKind::Postcondition) {
                Answer::Nothing(Certainty::Proved) => {
                    return Implementable::Yes(Certainty::Proved);
                }
                Answer::Example(inputs) if self.contract.outputs.is_empty() => {
                    return self.refuted(program, witness, &inputs);
                }
                Answer::Nothing(Certainty::Within(bounds)) => {
                    return Implementable::Yes(Certainty::Within(bounds));
                }
                Answer::Example(_) | Answer::Undecided(_) => {}
            }
        }
        // Inputs without a result refute it, even if only one is found.
        let answer = self.results_of(accepted, satisfiable, tried);
        if matches!(answer, Implementable::No { .. }) {
            return answer;
        }
        if self.is_implemented(program) {
            return Implementable::Yes(Certainty::Proved);
        }
        answer
    }

    /// The answer from an input for which a clause without results is false.
    fn refuted(
        &self,
        program: &ir::Program,
        question: &Question,
        inputs: &Inputs,
    ) -> Implementable {
        let interp = Interp::new(program, limits());
        let execution = interp.run(question.callable, inputs);
        let truths = interp.check_ensures(question.callable, inputs, &execution);
        let clauses = truths
            .iter()
            .enumerate()
            .filter(|(_, c)| c.truth.is_false())
            .map(|(i, _)| i)
            .collect();
        Implementable::No {
            example: self.example(program, question, inputs),
            certainty: Certainty::Proved,
            clauses,
        }
    }

    /// Whether the body of the callable is proved to satisfy the postconditions and to terminate,
    /// and no loop, choice or callee without a body is involved.
    fn is_implemented(&self, program: &ir::Program) -> bool {
        let unit = self.contract.unit;
        let callable = &self.contract.program[unit];
        if matches!(callable.body, Body::None) || callable.kind == CallableKind::Constructor {
            return false;
        }
        let wanted = [
            ObligationKind::Postcondition,
            ObligationKind::Decreases,
            ObligationKind::Frame,
        ];
        let is_wanted = |goal: &ir::Goal| {
            goal.obligation()
                .is_some_and(|(kind, _)| wanted.contains(&kind))
        };
        let result = check_obligations(program, unit, &self.options, &is_wanted);
        let mut ensured = 0;
        for (goal, verdict) in &result.obligations {
            let Some(goal) = program.goal(unit, *goal) else {
                return false;
            };
            if let Some((kind, _)) = goal.obligation() {
                ensured += usize::from(kind == ObligationKind::Postcondition);
            }
            if !matches!(verdict, Verdict::Holds) {
                return false;
            }
        }
        ensured >= self.contract.ensures().len().min(1)
    }

    /// Looks for accepted inputs without an accepted result among small inputs.
    fn results_of(
        &self,
        accepted: &Answer,
        satisfiable: &Satisfiable,
        tried: &Tried,
    ) -> Implementable {
        // No input at all has a result.
        if let (Answer::Nothing(certainty), Satisfiable::Yes(example)) = (accepted, satisfiable) {
            let all: Vec<usize> = (0..self.contract.ensures().len()).collect();
            let clauses = self.core(all, certainty, &|questions, chosen| {
                questions.accepted_results(chosen)
            });
            return Implementable::No {
                example: example.clone(),
                certainty: certainty.clone(),
                clauses,
            };
        }
        let mut unknown = None;
        let without = tried.inputs.iter().filter(|i| i.results == 0);
        for input in without.take(MAX_INPUTS_SOLVED) {
            let all: Vec<usize> = (0..self.contract.ensures().len()).collect();
            let Some(values) = &input.values else {
                unknown = Some(Undecided::Inputs);
                continue;
            };
            let mut questions = Questions::new(self.contract);
            let asked = questions.result_at(values, &all);
            let lowered = lower(questions.program);
            match self.ask(&lowered, &asked, ObligationKind::Postcondition) {
                Answer::Example(_) => {}
                Answer::Nothing(Certainty::Proved) => {
                    let clauses = self.core(all, &Certainty::Proved, &|questions, chosen| {
                        questions.result_at(values, chosen)
                    });
                    return Implementable::No {
                        example: Example {
                            inputs: input.example.inputs.clone(),
                            results: Vec::new(),
                        },
                        certainty: Certainty::Proved,
                        clauses,
                    };
                }
                Answer::Nothing(Certainty::Within(_)) | Answer::Undecided(_) => {
                    let shown: Vec<String> = input
                        .example
                        .inputs
                        .iter()
                        .map(|n| format!("{} = {}", n.name, n.value))
                        .collect();
                    unknown = unknown.or(Some(Undecided::NoResult(shown.join(", "))));
                }
            }
        }
        let open = tried.inputs.iter().filter(|i| i.results == 0).count();
        match unknown {
            Some(reason) => Implementable::Undecided(reason),
            None if tried.inputs.is_empty() => Implementable::Undecided(Undecided::NothingTried),
            None => {
                let count = tried.inputs.len() - open.saturating_sub(MAX_INPUTS_SOLVED);
                let inputs = if count == 1 { "input" } else { "inputs" };
                Implementable::Yes(Certainty::Within(format!("{count} small {inputs}")))
            }
        }
    }

    /// Executes small inputs with small results.
    fn tried(&self, program: &ir::Program, results: &Results) -> Tried {
        let question = &results.accepted;
        let interp = Interp::new(program, limits());
        let alternatives: SortedSet<LocalId> = question
            .alternatives
            .iter()
            .flatten()
            .map(|(l, _)| *l)
            .collect();
        let mut all: SortedMap<Vec<Value>, usize> = SortedMap::new();
        let mut tried = Tried::default();
        // Results of contracts with effects are values of the heap, which are not enumerated.
        if !self.contract.is_pure() {
            return tried;
        }
        let is_input = |local: Option<LocalId>| local.is_none_or(|l| !alternatives.contains(&l));
        let mut seen: Vec<SortedSet<Vec<Value>>> = Vec::new();
        for inputs in small::inputs(program, &interp, question.callable, MAX_TRIED) {
            let arguments = examples::arguments(program, question, &inputs);
            let (own, others): (Vec<_>, Vec<_>) =
                arguments.iter().partition(|(local, ..)| is_input(*local));
            let has_heap = own
                .iter()
                .any(|(_, _, v)| v.within().any(|v| matches!(v, Value::Ref(_))));
            if has_heap {
                continue;
            }
            let check = interp.check_inputs(question.callable, &inputs);
            let count = self.contract.requires().len();
            let holds = |clauses: &[dtest_interp::ClauseResult]| {
                clauses
                    .iter()
                    .all(|c| c.truth.is_true() && c.answers.is_empty())
            };
            let (before, after) = check.requires.split_at(count.min(check.requires.len()));
            if !holds(&check.types) || !holds(before) {
                continue;
            }
            let key: Vec<Value> = own.iter().map(|(_, _, v)| (*v).clone()).collect();
            let at = match all.get(&key) {
                Some(at) => *at,
                None => {
                    let span = program.typed[question.callable].span;
                    let values = own
                        .iter()
                        .map(|(local, ty, v)| {
                            let e = values::expression(&program.typed, v, ty, span)?;
                            Some(((*local)?, e))
                        })
                        .collect();
                    tried.inputs.push(Input {
                        example: self.example(program, question, &inputs),
                        values,
                        results: 0,
                    });
                    seen.push(SortedSet::new());
                    all.insert(key, seen.len() - 1);
                    seen.len() - 1
                }
            };
            if holds(after)
                && let (Some(results), Some(input)) = (seen.get_mut(at), tried.inputs.get_mut(at))
            {
                results.insert(others.iter().map(|(_, _, v)| (*v).clone()).collect());
                input.results = results.len();
            }
        }
        tried
    }

    fn example(&self, program: &ir::Program, question: &Question, inputs: &Inputs) -> Example {
        let callable = &self.contract.program[self.contract.unit];
        let has_receiver = callable.kind != CallableKind::Constructor;
        examples::example(program, question, inputs, has_receiver)
    }

    /// Asks a question: searches for violations of its obligations of the kind.
    fn ask(&self, program: &ir::Program, question: &Question, kind: ObligationKind) -> Answer {
        let unit = question.callable;
        let is_wanted = |goal: &ir::Goal| goal.obligation().is_some_and(|(k, _)| k == kind);
        let result = check_obligations(program, unit, &self.options, &is_wanted);
        let mut answer: Option<Answer> = None;
        for (goal, verdict) in result.obligations {
            if !program.goal(unit, goal).is_some_and(|g| is_wanted(&g)) {
                continue;
            }
            let next = self.answer(program, verdict);
            answer = Some(match (answer, next) {
                // One example is enough; a claim needs all obligations.
                (Some(Answer::Example(inputs)), _) | (_, Answer::Example(inputs)) => {
                    Answer::Example(inputs)
                }
                (Some(Answer::Undecided(reason)), _) | (_, Answer::Undecided(reason)) => {
                    Answer::Undecided(reason)
                }
                (Some(Answer::Nothing(Certainty::Within(bounds))), _)
                | (_, Answer::Nothing(Certainty::Within(bounds))) => {
                    Answer::Nothing(Certainty::Within(bounds))
                }
                (_, Answer::Nothing(Certainty::Proved)) => Answer::Nothing(Certainty::Proved),
            });
        }
        let nothing = || OpenReason::LeftOut(Stopped::NoBody.into());
        answer.unwrap_or_else(|| Answer::Undecided(Undecided::Search(nothing())))
    }

    fn answer(&self, program: &ir::Program, verdict: Verdict) -> Answer {
        match verdict {
            Verdict::Violated(v) if v.is_certain() && v.choices.is_none() => {
                Answer::Example(v.inputs)
            }
            Verdict::Violated(v) => {
                let callee = v.given.iter().find_map(|given| match given {
                    Given::Answer(callee) => Some(*callee),
                    Given::Undecided(..) | Given::Disregarded(..) => None,
                });
                Answer::Undecided(match callee {
                    Some(callee) => {
                        Undecided::Assumption(program.typed.callable_path(callee).into())
                    }
                    None => Undecided::Precondition,
                })
            }
            // New arrays stand for every array that the contract may allow as a result.
            Verdict::Holds | Verdict::NotReached if self.contract.has_arrays_that_may_be_old() => {
                Answer::Nothing(Certainty::Within("results that are new arrays".into()))
            }
            Verdict::Holds | Verdict::NotReached => Answer::Nothing(Certainty::Proved),
            Verdict::HoldsWithin { scope, .. } => {
                Answer::Nothing(Certainty::Within(scope.to_string()))
            }
            Verdict::Open(OpenReason::NotReached(scope)) => {
                Answer::Nothing(Certainty::Within(scope.to_string()))
            }
            Verdict::Open(reason) => Answer::Undecided(Undecided::Search(reason)),
        }
    }
}

/// Inputs that satisfy the precondition, with the number of their results.
#[derive(Default)]
struct Tried {
    inputs: Vec<Input>,
}

struct Input {
    /// The input with some result that need not be accepted.
    example: Example,
    /// The input as expressions, if it can be written so.
    values: Option<Vec<(LocalId, Expr)>>,
    /// The number of accepted results among those tried.
    results: usize,
}

impl Tried {
    /// The number of inputs with results, and the number of those with exactly one.
    fn counts(&self) -> (usize, usize) {
        let with_results = self.inputs.iter().filter(|i| i.results > 0);
        let unique = self.inputs.iter().filter(|i| i.results == 1);
        (with_results.count(), unique.count())
    }
}

/// The kind of the obligation of a question: lemmas have a postcondition, methods an assertion.
fn question_kind(program: &ir::Program, question: &Question) -> ObligationKind {
    match program.typed[question.callable].kind {
        CallableKind::Lemma => ObligationKind::Postcondition,
        CallableKind::Function
        | CallableKind::TwostateFunction
        | CallableKind::LeastPredicate
        | CallableKind::GreatestPredicate
        | CallableKind::Method
        | CallableKind::Constructor => ObligationKind::Assertion,
    }
}

/// Returns the expression that a condition defines the variable by: `v == e`, `v <==> e` or
/// `e == v`.
fn defined(e: &Expr, variable: LocalId) -> Option<&Expr> {
    let is_variable = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == variable);
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = &e.kind else {
        return None;
    };
    if is_variable(left) {
        Some(right)
    } else if is_variable(right) {
        Some(left)
    } else {
        None
    }
}

fn limits() -> Limits {
    Limits {
        steps: MAX_STEPS,
        ..Limits::default()
    }
}

/// Lowers a program in which nothing is ghost, with obligations as goals.
fn lower(program: Program) -> ir::Program {
    let program = dtest_desugar::unghosted(program);
    dtest_lower::lower_for(Arc::new(program), Criteria::obligations())
}
