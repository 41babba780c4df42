//! The end of a unit's search: [`Search::settle`] gives every open goal a status,
//! [`Search::finish`] selects, simplifies and strengthens the tests and builds the [`UnitResult`].

use std::time::Instant;

use super::api::{Budget, GoalStatus, Minimize, Spent, Strength, UnitResult};
use super::effort::End;
use super::validate::Candidate;
use super::{
    Search, diversify, infect, local, mutate, outcome, shrink, strengthen, suite, unalias,
};
use dafny_resolve::typed::Type;
use dtest_encode::Scope;
use dtest_ir::reason::{Reason, Reasons, Stopped};
use dtest_ir::{Criterion, GoalId};
use dtest_sorted::SortedSet;

/// A unit is large if it has more goals than this, including those of callees that count for it.
const LARGE_UNIT_GOALS: usize = 40;

/// Divisor of a unit's budget. The solver is asked about mutants only if the terms of the unit's
/// goals cost less than the quotient.
const TERMS_BUDGET_DIVISOR: u64 = 4;

/// Maximum interpreter steps for simplifying the inputs of a unit's tests.
const MAX_SIMPLIFYING_STEPS: u64 = 40_000_000;

/// Maximum interpreter steps for the debug check of proofs.
#[cfg(debug_assertions)]
const MAX_REFUTATION_STEPS: u64 = 4_000_000;

impl Search<'_> {
    /// Gives every goal that is still open its status.
    pub(super) fn settle(&mut self, reasons: &Reasons) {
        if self.type_args.contains(&Type::Bool) {
            // `bool` is a representative of an arbitrary type. A proof for `bool` need not hold for
            // other types, so that the claim is weakened.
            for status in self.status.values_mut() {
                if matches!(
                    status,
                    GoalStatus::UnreachableProved { .. } | GoalStatus::UnreachableAtCaps { .. }
                ) {
                    let scope = if let GoalStatus::UnreachableAtCaps { scope } = status {
                        *scope
                    } else {
                        Scope::default()
                    };
                    *status = GoalStatus::UnreachableWithinBounds { scope };
                }
            }
        }
        for goal in self.graph.goals_from_the_end().collect::<Vec<_>>() {
            if self.covered.contains(&goal) {
                continue;
            }
            let finding = self
                .validator
                .findings
                .iter()
                .position(|f| f.blocks.contains(&goal))
                .or(self.past_findings.get(&goal).copied());
            let open = self
                .status
                .get(&goal)
                .is_none_or(|s| s.is_open() || matches!(s, GoalStatus::UnreachableAtCaps { .. }));
            // A violation takes precedence over a proof: the proof considers only executions that
            // end well.
            if let Some(i) = finding {
                let is_certain = self.validator.findings.get(i).is_some_and(|f| f.certain);
                let undecided =
                    || GoalStatus::Unsupported(Reason::Stopped(Stopped::UndecidedInputs));
                self.status.insert(
                    goal,
                    if is_certain {
                        GoalStatus::OnlyByFinding(i)
                    } else {
                        undecided()
                    },
                );
            }
            if let Some(reason) = self.validator.blocked_goals.get(&goal).filter(|_| open) {
                // An execution reached the goal, but none could be followed to its end.
                let status = self.status.get_mut(&goal);
                if let Some(s) = status.filter(|s| {
                    !matches!(s, GoalStatus::OnlyByFinding(_) | GoalStatus::OnlyByChoice)
                }) {
                    *s = GoalStatus::Unsupported(reason.clone());
                }
            }
            let (late, used_up) = (self.is_spent(), self.used_up());
            let (choices, is_too_large) = (self.choices, self.is_too_large);
            let failing = self.failing.get(&goal).cloned();
            // Precedence for goals without a status: size, unsupported constructs, refuted models,
            // violated assumptions, budgets, choices.
            let (refuted, blocked) = (
                self.refuted.contains_key(&goal),
                self.validator.blocked.clone(),
            );
            self.status
                .entry(goal)
                .or_insert_with(|| match (reasons.first(), blocked) {
                    (_, Some(reason)) if refuted => GoalStatus::Unsupported(reason),
                    // What an encoding that was given up leaves out is not the obstacle.
                    (_, _) if is_too_large => GoalStatus::OutOfBudget(Budget::Terms),
                    (Some(reason), _) => GoalStatus::Unsupported(reason.clone()),
                    (None, Some(reason)) => GoalStatus::Unsupported(reason),
                    (None, None) if refuted => GoalStatus::NotConfirmed,
                    (None, None) if failing.is_some() => GoalStatus::UnreachableGiven {
                        facts: failing.unwrap_or_default(),
                    },
                    (None, None) if self.gave_up.contains(&goal) || late => {
                        GoalStatus::OutOfBudget(used_up)
                    }
                    (None, None) if choices => GoalStatus::Unsupported(Stopped::OtherChoice.into()),
                    (None, None) => GoalStatus::OutOfBudget(used_up),
                });
        }
    }

    /// Debug check of proofs: executes seeds and reports an internal error if one of them reaches a
    /// goal that was proved unreachable.
    #[cfg(debug_assertions)]
    fn refute_proofs(&self, goals: &[(GoalId, GoalStatus)]) -> Option<dafny_source::Name> {
        let proved: Vec<GoalId> = goals
            .iter()
            .filter(|(_, s)| matches!(s, GoalStatus::UnreachableProved { .. }))
            .map(|(b, _)| *b)
            .collect();
        if proved.is_empty() {
            return None;
        }
        let seeds = super::seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            100,
        );
        // The step limit matters where executions do not end.
        let before = self.validator.interp().steps();
        let mut tried = seeds
            .into_iter()
            .take_while(|_| self.validator.interp().steps() - before <= MAX_REFUTATION_STEPS);
        let wrong = tried.find_map(|i| {
            self.validator
                .visits(&i)
                .into_iter()
                .find(|b| proved.contains(b))
                .map(|b| (b, i))
        })?;
        Some(
            format!(
                "internal error: {:?} is reached, but was proved unreachable: {:?}",
                wrong.0, wrong.1.args
            )
            .into(),
        )
    }

    pub(super) fn finish(mut self) -> UnitResult {
        let started = dtest_limits::clock::now();
        if self.is_opaque() {
            let candidates = std::mem::take(&mut self.accepted);
            return self.finish_with(candidates, started);
        }
        suite::reduce(&mut self.accepted);
        let candidates = std::mem::take(&mut self.accepted);
        let before = self.validator.interp().steps();
        // Improvements of tests stop when the time is over; the test at hand is kept as it is.
        self.validator.end = Some(End {
            clock: self.since,
            timeout: self.options.timeout,
            until: self.options.until,
        });
        let mut small = self.simplified(&candidates, before);
        suite::reduce(&mut small);
        let covering = small.len();
        if !self.is_late() && self.validator.interp().steps() - before <= MAX_SIMPLIFYING_STEPS {
            self.strengthened(&mut small);
        }
        // The claim of a minimum is about the tests that cover the goals, so that the tests for
        // mutants are counted in a claim of their own.
        let added = small.len().saturating_sub(covering);
        if self.options.minimize == Minimize::Optimal && added > 0 {
            let tests = match added {
                1 => "1 more test kills".to_owned(),
                n => format!("{n} more tests kill"),
            };
            self.claims
                .push(format!("{tests} mutants that survive these tests").into());
        }
        self.finish_with(small, started)
    }

    /// Simpler inputs for each test. The tests together cover the same goals. `before` is the number
    /// of steps at which the simplification began.
    fn simplified(&mut self, candidates: &[Candidate], before: u64) -> Vec<Candidate> {
        let mut small = Vec::with_capacity(candidates.len());
        // Where some tests have objects of known validity, no test is changed to one without.
        let mut is_made = false;
        for candidate in candidates {
            is_made |= candidate.is_undecided() && !self.validator.is_made_up(candidate);
        }
        self.validator.rejects_made_up = is_made;
        for (i, candidate) in candidates.iter().enumerate() {
            // Goals that only this test covers must stay covered.
            let others: SortedSet<GoalId> = candidates
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .flat_map(|(_, t)| t.covers.iter().copied())
                .collect();
            let keep: SortedSet<GoalId> = candidate
                .covers
                .iter()
                .copied()
                .filter(|b| !others.contains(b))
                .collect();
            let keep = if keep.is_empty() {
                candidate.covers.iter().copied().collect()
            } else {
                keep
            };
            let steps = self.validator.interp().steps() - before;
            small.push(if self.is_late() || steps > MAX_SIMPLIFYING_STEPS {
                candidate.clone()
            } else {
                let candidate = unalias::separate(&mut self.validator, candidate.clone(), &keep);
                let small = shrink::shrink(&mut self.validator, candidate, &keep);
                diversify::vary(&mut self.validator, small)
            });
        }
        // Each simplification keeps the goals that only its test covered. A goal that two tests
        // covered may have been lost by both: their originals are restored.
        let still: SortedSet<GoalId> = small
            .iter()
            .flat_map(|t| t.covers.iter().copied())
            .collect();
        for (old, new) in candidates.iter().zip(small.iter_mut()) {
            if old.covers.iter().any(|b| !still.contains(b)) {
                *new = old.clone();
            }
        }
        small
    }

    /// Moves tests to inputs that kill more mutants, and adds tests for those that survive.
    fn strengthened(&mut self, small: &mut Vec<Candidate>) {
        let mut mutator = mutate::Mutator::new(
            self.program,
            self.procedure,
            &self.type_args,
            self.options.seed,
        );
        let (program, unit, type_args) = (self.program, self.procedure.callable, &self.type_args);
        let (spent, end) = (self.effort.spent.points(), self.validator.end);
        let is_large = program.goals(unit).len() > LARGE_UNIT_GOALS;
        let within = infect::Within {
            bounds: self.bounds,
            is_large,
            options: self.options,
            spent,
            end,
        };
        // If the terms of the goals were this expensive, the terms of the mutants may exhaust
        // the memory. Such units exist because inputs of the pool cover goals that the solver
        // gives up on.
        let is_affordable =
            self.effort.spent.terms < super::effort::most(self.options) / TERMS_BUDGET_DIVISOR;
        let solver = strengthen::Solver {
            local: &|mutants| local::ask(program, unit, type_args, mutants, within),
            outcome: &|mutants| {
                is_affordable
                    .then(|| outcome::ask(program, unit, type_args, mutants, within))
                    .flatten()
            },
            infect: &|mutants, interest| {
                if is_affordable {
                    infect::ask(program, unit, type_args, (mutants, interest), within)
                } else {
                    infect::Infected::default()
                }
            },
        };
        let solver = self.may_add_tests().then_some(&solver);
        // A higher resource limit allows proportionally more steps.
        let effort = u64::from(self.options.rlimit / super::Options::default().rlimit).max(1);
        let result =
            strengthen::strengthen(&mut self.validator, &mut mutator, small, solver, effort);
        (self.equivalent, self.is_cut) = (result.equivalent, result.is_cut);
    }

    /// Whether tests may be added for surviving mutants. The boundary criterion implies it, because
    /// boundary tests are meant to kill mutants at boundaries. A minimum suite gets such tests only
    /// if mutants are configured.
    fn may_add_tests(&self) -> bool {
        let is_implied = self.program.criteria.has(Criterion::Boundary)
            && self.options.minimize == Minimize::Greedy;
        self.options.strength == Strength::Mutants || is_implied
    }

    fn finish_with(mut self, mut candidates: Vec<Candidate>, started: Instant) -> UnitResult {
        let counted: SortedSet<GoalId> = self
            .program
            .goals(self.procedure.callable)
            .into_iter()
            .map(|(g, _)| g)
            .collect();
        // Goals that the search used only internally are not reported.
        for candidate in &mut candidates {
            candidate
                .covers
                .retain(|g| matches!(g, GoalId::Path(_)) || counted.contains(g));
            candidate
                .order
                .retain(|g| matches!(g, GoalId::Path(_)) || counted.contains(g));
        }
        if !self.is_opaque() {
            candidates.retain(|t| !t.covers.is_empty());
        }
        let tests = suite::tests(self.program, self.procedure, candidates);
        let mut goals = Vec::new();
        for (block, _) in self.program.goals(self.procedure.callable) {
            let status = match tests.iter().position(|t| t.covers.contains(&block)) {
                Some(i) => GoalStatus::Covered(i),
                None => self
                    .status
                    .remove(&block)
                    .unwrap_or(GoalStatus::OutOfBudget(self.used_up())),
            };
            goals.push((block, status));
        }
        for path in (0..self.validator.paths.len() as u32).map(GoalId::Path) {
            let test = tests.iter().position(|t| t.covers.contains(&path));
            goals.push((
                path,
                test.map_or(GoalStatus::OutOfBudget(self.used_up()), GoalStatus::Covered),
            ));
        }
        goals.extend(
            std::mem::take(&mut self.status)
                .into_iter()
                .filter(|(g, _)| matches!(g, GoalId::Path(_))),
        );
        self.times.interpreter += started.elapsed();
        self.times.total = self.start.elapsed();
        let spent = Spent {
            instructions: self.effort.spent.instructions + self.validator.interp().steps(),
            ..self.effort.spent
        };
        let mut notes = std::mem::take(&mut self.notes);
        for (p, t) in self.procedure.type_params.iter().zip(&self.type_args) {
            notes.push(
                format!(
                    "type parameter {} is {}",
                    self.program.typed[*p].name,
                    self.program.typed.show_type(t)
                )
                .into(),
            );
        }
        #[cfg(debug_assertions)]
        notes.extend(self.refute_proofs(&goals));
        UnitResult {
            unit: self.procedure.callable,
            tests,
            made: self.validator.take_learned(),
            goals,
            findings: std::mem::take(&mut self.validator.findings),
            equivalent: self.equivalent,
            claims: self.claims,
            least: self.least,
            notes,
            queries: self.queries,
            times: self.times,
            timed_out: self.short.get()
                || self.late.get()
                || self.since.is_past(self.options.timeout)
                || (self.options.until).is_some_and(|end| dtest_limits::clock::now() >= end),
            would_gain: self.is_cut,
            spent,
            transcript: self.transcript,
        }
    }
}
