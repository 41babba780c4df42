//! The order of the questions about a contract, and the answers from the verdicts on them.
//!
//! [`examine`] first asks about the precondition and each clause, then about the existence of results
//! ([`crate::existence`]), and at last about two results.

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    Body, Call, CallableId, CallableKind, Clause, Expr, ExprKind, Literal, Program,
};
use dtest_interp::Inputs;
use dtest_ir::reason::{OpenReason, Stopped};
use dtest_ir::{self as ir, Criteria, ObligationKind};
use dtest_search::Options;
use dtest_search::check::{Given, Verdict, check_obligations};
use std::sync::Arc;

use crate::contract::Contract;
use crate::questions::{Question, Questions, Rejected};
use crate::tried::Tried;
use crate::{
    Certainty, ClauseAnswer, ClauseKind, Completeness, Contribution, Equivalence, Example,
    Implementable, Satisfiable, Specification, Undecided, examples,
};

/// Divisor of the budget of a question: a contract has many questions.
const BUDGET_DIVISOR: u32 = 4;
/// Maximum number of elements of a collection, unless the user sets another one.
const MAX_COLLECTION: u32 = 8;
/// Maximum length of a text in a contract up to which results are searched that contain it.
const MAX_TEXT: u32 = 64;

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// These inputs of the question were confirmed by an execution.
    Example(Inputs),
    /// There is no example.
    Nothing(Certainty),
    Undecided(Undecided),
}

/// Examines the contract of a callable. The program must not have been desugared.
pub fn examine(program: &Program, unit: CallableId, options: &Options) -> Specification {
    let contract = Contract::new(program, unit);
    Examination::new(&contract, options).run()
}

/// The options of one question. Larger collections than the bound are searched if the user asks for
/// them.
pub(crate) fn limited(options: &Options) -> Options {
    let mut limited = options.in_part(options.part.saturating_mul(BUDGET_DIVISOR));
    if options.asked.collection.is_none() {
        limited.caps.collection = limited.caps.collection.min(MAX_COLLECTION);
    }
    limited
}

/// The length of the longest text in the postconditions and the functions that they call.
fn longest_text(contract: &Contract<'_>) -> u32 {
    struct Texts<'p> {
        program: &'p Program,
        callees: Vec<CallableId>,
        longest: usize,
    }
    impl<'p> Visit<'p> for Texts<'p> {
        fn expr(&mut self, e: &'p Expr) {
            if let ExprKind::Literal(Literal::String(text)) = &e.kind {
                self.longest = self.longest.max(text.len());
            }
            visit::walk_expr(self, e);
        }

        fn call(&mut self, c: &'p Call) {
            if !self.callees.contains(&c.callee) {
                self.callees.push(c.callee);
            }
            visit::walk_call(self, c);
        }
    }
    let mut texts = Texts {
        program: contract.program,
        callees: Vec::new(),
        longest: 0,
    };
    for clause in contract.ensures() {
        texts.expr(&clause.cond);
    }
    let mut next = 0;
    while let Some(callee) = texts.callees.get(next).copied() {
        next += 1;
        let program = texts.program;
        match &program[callee].body {
            Body::Expr(e) | Body::ByMethod(e, _) => texts.expr(e),
            Body::None | Body::Block(_) => {}
        }
    }
    u32::try_from(texts.longest).unwrap_or(u32::MAX)
}

pub(crate) struct Examination<'c, 'p> {
    pub(crate) contract: &'c Contract<'p>,
    pub(crate) options: Options,
    /// The inputs and results that claims about results cover, if these are not all.
    pub(crate) limits: Vec<String>,
}

/// The questions of the first round.
struct First {
    inputs: Question,
    preconditions: Vec<Rejected>,
    results: Option<Results>,
}

/// The questions about results.
pub(crate) struct Results {
    accepted: Question,
    postconditions: Vec<Rejected>,
    two: Option<Question>,
    up_to_order: Option<Question>,
    pub(crate) witness: Option<Question>,
}

impl<'c, 'p> Examination<'c, 'p> {
    pub(crate) fn new(contract: &'c Contract<'p>, options: &Options) -> Self {
        let mut limited = limited(options);
        if options.asked.collection.is_none() {
            // A result that has to be a text of the contract is as long as the text.
            let longest = longest_text(contract).min(MAX_TEXT);
            limited.caps.collection = limited.caps.collection.max(longest);
        }
        Self {
            contract,
            options: limited,
            limits: contract.limits(contract.ensures()),
        }
    }
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
                let tried = Tried::new(&program, self.contract, &results.accepted);
                let answer = self.ask(&program, &results.accepted);
                if let Answer::Example(inputs) = &answer {
                    accepted = Some(self.example(&program, &results.accepted, inputs));
                }
                let known = (&satisfiable, &answer, &tried);
                let implementable = self.implementable(&program, results, known);
                let completeness = match answer {
                    Answer::Nothing(_) => Completeness::Undecided(
                        self.contract.is_partial().unwrap_or(Undecided::NoResults),
                    ),
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
            has_results: self.contract.leaves_results(),
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
            let has_results = self.contract.leaves_results();
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
                    .contract
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

    fn satisfiable(&self, program: &ir::Program, question: &Question) -> Satisfiable {
        match self.ask(program, question) {
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
    pub(crate) fn core(
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
            let answer = self.ask(&program, &asked);
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
        questions: &[Rejected],
    ) -> Vec<ClauseAnswer> {
        let clauses = match kind {
            ClauseKind::Requires => self.contract.requires(),
            ClauseKind::Ensures => self.contract.ensures(),
        };
        clauses
            .iter()
            .zip(questions)
            .map(|(clause, question)| {
                let answer = |contribution| ClauseAnswer {
                    kind,
                    span: clause.span,
                    contribution,
                };
                if kind == ClauseKind::Ensures && !self.contract.leaves_results() {
                    return answer(Contribution::Claim);
                }
                if let Some(reason) = self.contract.obstacle_of(clause) {
                    return answer(Contribution::Undecided(reason));
                }
                answer(self.contribution(program, question))
            })
            .collect()
    }

    fn contribution(&self, program: &ir::Program, rejected: &Rejected) -> Contribution {
        let certainty = match self.ask(program, &rejected.by_all) {
            Answer::Example(inputs) => {
                let example = self.example(program, &rejected.by_all, &inputs);
                return Contribution::Decisive(example);
            }
            Answer::Undecided(reason) => return Contribution::Undecided(reason),
            Answer::Nothing(certainty) => certainty,
        };
        // The other clauses imply this one where they are defined. Some may be defined only if this
        // one holds.
        let certainty = match &rejected.by_defined {
            None => certainty,
            Some(question) => match self.ask(program, question) {
                Answer::Example(_) => return Contribution::Guard,
                Answer::Undecided(reason) => return Contribution::Undecided(reason),
                Answer::Nothing(certainty) => certainty,
            },
        };
        match certainty {
            Certainty::Proved => Contribution::Redundant,
            Certainty::Within(bounds) => Contribution::Idle(bounds),
        }
    }

    fn completeness(&self, program: &ir::Program, results: &Results) -> Completeness {
        let Some(two) = &results.two else {
            return Completeness::Determined(Certainty::Proved);
        };
        // Clauses `r == e` leave one result, whether or not the solver can compare its definition with
        // itself.
        if results.witness.is_some() && self.limits.is_empty() {
            return Completeness::Determined(Certainty::Proved);
        }
        let open = match self.ask(program, two) {
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
        match self.ask(program, order) {
            Answer::Nothing(certainty) => Completeness::UpTo(Equivalence::Order(open), certainty),
            // An example of more than another order says more.
            Answer::Example(inputs) => Completeness::Open(self.example(program, order, &inputs)),
            Answer::Undecided(_) => Completeness::Open(open),
        }
    }

    pub(crate) fn example(
        &self,
        program: &ir::Program,
        question: &Question,
        inputs: &Inputs,
    ) -> Example {
        examples::example(program, self.contract, question, inputs)
    }

    /// Asks a question.
    pub(crate) fn ask(&self, program: &ir::Program, question: &Question) -> Answer {
        self.ask_of(program, question, question_kind(program, question))
    }

    /// Asks a question: searches for violations of its obligations of the kind.
    pub(crate) fn ask_of(
        &self,
        program: &ir::Program,
        question: &Question,
        kind: ObligationKind,
    ) -> Answer {
        let unit = question.callable;
        let is_wanted = |goal: &ir::Goal| goal.obligation().is_some_and(|(k, _)| k == kind);
        let result = check_obligations(program, unit, &self.options, &is_wanted, None);
        let mut answer: Option<Answer> = None;
        for (goal, verdict) in result.obligations {
            if !program.goal(unit, goal).is_some_and(is_wanted) {
                continue;
            }
            let next = self.answer(program, question, verdict);
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

    fn answer(&self, program: &ir::Program, question: &Question, verdict: Verdict) -> Answer {
        let is_limited = !question.alternatives.is_empty() && !self.limits.is_empty();
        let within = |scope: Option<String>| match is_limited {
            false => scope,
            true => Some(
                scope
                    .into_iter()
                    .chain(self.limits.iter().cloned())
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        };
        let proved = Answer::Nothing(match within(None) {
            Some(limits) => Certainty::Within(limits),
            None => Certainty::Proved,
        });
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
            // Questions need not cover every final state that the contract may allow.
            Verdict::Holds | Verdict::NotReached => proved,
            // The premises of a question are `assume` statements of its code.
            ref by_statements if by_statements.holds_by_statements() => proved,
            Verdict::HoldsAssuming(_) => {
                let scope = String::from("code without a body that keeps its contract");
                Answer::Nothing(Certainty::Within(
                    within(Some(scope.clone())).unwrap_or(scope),
                ))
            }
            Verdict::HoldsWithin { scope, .. } | Verdict::Open(OpenReason::NotReached(scope)) => {
                let scope = scope.to_string();
                Answer::Nothing(Certainty::Within(
                    within(Some(scope.clone())).unwrap_or(scope),
                ))
            }
            Verdict::Open(reason) => Answer::Undecided(Undecided::Search(reason)),
        }
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

/// Lowers a program in which nothing is ghost, with obligations as goals.
pub(crate) fn lower(program: Program) -> ir::Program {
    let program = dtest_desugar::unghosted(program);
    dtest_lower::lower_for(Arc::new(program), Criteria::obligations())
}
