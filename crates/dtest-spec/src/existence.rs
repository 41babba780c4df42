//! Whether every accepted input has an accepted result.
//!
//! The question alternates quantifiers, so that it is not one query. It is proved by a witness:
//! results as expressions, from clauses such as `r == e`, or the body. It is refuted by an input for
//! which the question of a result is proved to have no answer.

use dafny_resolve::typed::{BinaryOp, Body, CallableKind, Expr, ExprKind, LocalId};
use dtest_interp::{Inputs, Interp};
use dtest_ir::{self as ir, ObligationKind};
use dtest_search::check::{Verdict, check_obligations};
use dtest_sorted::SortedSet;

use crate::contract::{Contract, conjuncts};
use crate::examine::{Answer, Examination, Results, lower};
use crate::examples::listed;
use crate::questions::{Question, Questions};
use crate::substitution::Mentions;
use crate::tried::{Tried, limits};
use crate::{Certainty, Implementable, Satisfiable, Undecided};

/// Maximum number of inputs for which results are searched by the solver.
const MAX_INPUTS_SOLVED: usize = 6;

impl Contract<'_> {
    /// Results as expressions over the inputs, from clauses that define them. `None` if a result is
    /// not defined.
    pub(crate) fn witness(&self) -> Option<Vec<Expr>> {
        if !self.is_pure() {
            return None;
        }
        let results: SortedSet<LocalId> = self.outputs.iter().map(|o| o.local).collect();
        let substitution = self.substitution(|e| Some(e.clone()));
        let clauses: Vec<Expr> = self
            .ensures()
            .iter()
            .map(|c| substitution.of(&c.cond))
            .collect();
        let definition = |local: LocalId| {
            let parts = clauses.iter().flat_map(conjuncts);
            parts.filter_map(|e| defined(e, local)).find(|e| {
                let mentions = Mentions::of(e);
                !mentions.locals.iter().any(|l| results.contains(l))
                    && !mentions.callees.contains(&self.unit)
            })
        };
        self.outputs
            .iter()
            .map(|o| definition(o.local).cloned())
            .collect()
    }
}

impl Examination<'_, '_> {
    pub(crate) fn implementable(
        &self,
        program: &ir::Program,
        results: &Results,
        (satisfiable, accepted, tried): (&Satisfiable, &Answer, &Tried),
    ) -> Implementable {
        match satisfiable {
            Satisfiable::Yes(_) => {}
            Satisfiable::No { .. } => return Implementable::Undecided(Undecided::NoInputs),
            Satisfiable::Undecided(_) => {
                return Implementable::Undecided(Undecided::Precondition);
            }
        }
        if self.contract.is_transparent() {
            return self.by_definition(program);
        }
        if self.contract.ensures().is_empty() && self.contract.outputs.is_empty() {
            return Implementable::Yes(Certainty::Proved);
        }
        // A witness is a proof. Without results, the clauses themselves are the question.
        if let Some(witness) = &results.witness {
            match self.ask_of(program, witness, ObligationKind::Postcondition) {
                Answer::Nothing(Certainty::Proved) => {
                    return Implementable::Yes(Certainty::Proved);
                }
                Answer::Example(inputs) if self.contract.outputs.is_empty() => {
                    return self.refuted(program, witness, &inputs);
                }
                Answer::Nothing(Certainty::Within(bounds)) => {
                    return Implementable::Yes(Certainty::Within(bounds));
                }
                Answer::Undecided(reason) if self.contract.outputs.is_empty() => {
                    return Implementable::Undecided(reason);
                }
                Answer::Example(_) | Answer::Undecided(_) => {}
            }
        }
        // Inputs without a result refute it, even if only one is found.
        let answer = self.of_inputs(accepted, satisfiable, tried);
        if !matches!(answer, Implementable::No { .. }) && self.is_implemented(program) {
            return Implementable::Yes(Certainty::Proved);
        }
        answer
    }

    /// Whether the body of a function satisfies its postconditions.
    fn by_definition(&self, program: &ir::Program) -> Implementable {
        if self.contract.ensures().is_empty() || self.is_implemented(program) {
            return Implementable::Yes(Certainty::Proved);
        }
        let own = Question {
            callable: self.contract.unit,
            alternatives: Vec::new(),
        };
        match self.ask_of(program, &own, ObligationKind::Postcondition) {
            Answer::Example(inputs) => self.refuted(program, &own, &inputs),
            // The proof does not cover termination.
            Answer::Nothing(Certainty::Proved) => {
                Implementable::Yes(Certainty::Within("executions that end".to_owned()))
            }
            Answer::Nothing(within) => Implementable::Yes(within),
            Answer::Undecided(reason) => Implementable::Undecided(reason),
        }
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
        let is_false = |(_, c): &(usize, &dtest_interp::ClauseResult)| c.truth.is_false();
        let clauses = truths.iter().enumerate().filter(is_false).map(|(i, _)| i);
        Implementable::No {
            example: self.example(program, question, inputs),
            certainty: Certainty::Proved,
            clauses: clauses.collect(),
        }
    }

    /// Whether the body of the callable is proved to satisfy the postconditions and to terminate.
    /// Callees count by their contracts.
    fn is_implemented(&self, program: &ir::Program) -> bool {
        let unit = self.contract.unit;
        let callable = &self.contract.program[unit];
        // A body that ends only under assumptions is no implementation.
        if matches!(callable.body, Body::None)
            || callable.kind == CallableKind::Constructor
            || self.contract.rests_on_assumptions()
        {
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
        let result = check_obligations(program, unit, &self.options, &is_wanted, None);
        let mut has_postcondition = false;
        for (goal, verdict) in &result.obligations {
            let Some((kind, _)) = program.goal(unit, *goal).and_then(|g| g.obligation()) else {
                return false;
            };
            has_postcondition |= kind == ObligationKind::Postcondition;
            if !matches!(verdict, Verdict::Holds) {
                return false;
            }
        }
        has_postcondition || self.contract.ensures().is_empty()
    }

    /// Looks for accepted inputs without an accepted result among small inputs.
    fn of_inputs(
        &self,
        accepted: &Answer,
        satisfiable: &Satisfiable,
        tried: &Tried,
    ) -> Implementable {
        let all: Vec<usize> = (0..self.contract.ensures().len()).collect();
        let partial = self.contract.is_partial();
        // No input at all has a result.
        if let (Answer::Nothing(_), Some(reason)) = (accepted, &partial) {
            return Implementable::Undecided(reason.clone());
        }
        if let (Answer::Nothing(certainty), Satisfiable::Yes(example)) = (accepted, satisfiable) {
            let clauses = self.core(all, certainty, &|questions, chosen| {
                questions.accepted_results(chosen)
            });
            return Implementable::No {
                example: example.clone(),
                certainty: certainty.clone(),
                clauses,
            };
        }
        // Inputs without a result among the small ones may have a larger one.
        let mut unknown = None;
        let without = tried.inputs.iter().filter(|i| i.results == 0);
        for input in without.take(MAX_INPUTS_SOLVED) {
            let Some(pins) = &input.pins else {
                unknown = Some(Undecided::Inputs);
                continue;
            };
            let mut questions = Questions::new(self.contract);
            let asked = questions.result_at(pins, &all);
            let lowered = lower(questions.program);
            match self.ask(&lowered, &asked) {
                Answer::Example(_) => {}
                Answer::Nothing(certainty)
                    if partial.is_none()
                        && (certainty == Certainty::Proved
                            || self.contract.has_results_without_size()) =>
                {
                    let clauses = self.core(all, &certainty, &|questions, chosen| {
                        questions.result_at(pins, chosen)
                    });
                    return Implementable::No {
                        example: input.example(),
                        certainty,
                        clauses,
                    };
                }
                // A result beyond the bounds may exist.
                Answer::Nothing(_) | Answer::Undecided(_) => {
                    unknown = unknown.or_else(|| Some(Undecided::NoResult(listed(&input.named))));
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
