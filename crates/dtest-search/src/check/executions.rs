//! Executions without the solver's help: small inputs, other resolutions of choices, and executions
//! that go on behind violations.

use super::{Executed, MAX_ENDLESS, MAX_INPUTS_OTHERWISE, MIN_INPUTS, Search, Violation};
use crate::{seeds, small};
use dtest_interp::{Guide, Inputs, Resolution};
use dtest_ir::GoalId;

/// Maximum number of small inputs per size; divisor of the unit's budget for them; minimum number
/// of interpreter instructions for them.
const MAX_SMALL: usize = 2_048;
const SMALL_BUDGET_DIVISOR: u64 = 8;
const MIN_SMALL: u64 = 8_000_000;
/// Maximum number of inputs that are kept for other resolutions of choices.
const MAX_INPUTS: usize = 16;
/// Number of small inputs, and of resolutions of choices, in the search for violations behind
/// others.
const MAX_BEHIND: usize = 16;
/// Number of resolutions per input.
const MAX_RESOLUTIONS: u64 = 24;

impl Search<'_, '_> {
    pub(super) fn try_seeds(&mut self, count: usize) {
        let all = seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            count,
        );
        for (tried, inputs) in all.into_iter().enumerate() {
            // A complete check executes a minimum number of inputs even if no obligation is open.
            let is_enough = self.open().is_empty()
                && (tried >= MIN_INPUTS || !self.is_whole && !self.wanted.is_empty());
            if is_enough || self.is_over() || self.found.endless >= MAX_ENDLESS {
                break;
            }
            self.execute(&inputs, &Resolution::Rule);
        }
    }

    /// Executes all small inputs within the budget. They satisfy preconditions that the solver
    /// cannot follow, such as recursive ones over a tree.
    pub(super) fn try_small(&mut self) {
        if self.open().is_empty() || self.is_late() {
            return;
        }
        let steps = self.validator.steps();
        // The enumeration has a budget of its own, at least a fixed one.
        let most = steps
            + self
                .effort
                .instructions_of_part(SMALL_BUDGET_DIVISOR)
                .max(MIN_SMALL);
        for size in 0..=small::MAX_SIZE {
            let (clock, timeout) = (self.clock, self.options.timeout);
            let interp = self.validator.interp();
            // The limits hold for the validation of preconditions, too.
            let afford = || interp.steps() < most && !clock.is_past(timeout);
            let (program, procedure) = (self.program, self.procedure);
            let mut all = small::Enumeration::new(program, interp, procedure, &self.type_args);
            let listed = all.as_mut().and_then(|all| {
                // The smaller sizes are needed first, because other parameters may have smaller
                // values.
                (0..size).try_for_each(|smaller| all.of_size(smaller, 0, &afford).map(|_| ()))?;
                all.of_size(size, MAX_SMALL, &afford)
            });
            let Some(listed) = listed else { return };
            // The listed inputs satisfy the preconditions about single parameters; the validator
            // checks the rest.
            for inputs in listed {
                let is_affordable = self.validator.steps() < most && !self.is_late();
                if self.open().is_empty() || !is_affordable || self.found.endless >= MAX_ENDLESS {
                    return;
                }
                self.execute(&inputs, &Resolution::Rule);
            }
        }
    }

    /// Searches for violations behind known ones: executions continue after a violation as if the
    /// obligation held. Obligations that are proved and that some execution reaches are left
    /// alone: they hold because earlier ones do.
    pub(super) fn search_behind_violations(&mut self) {
        if self.found.violations.is_empty() && self.found.others.is_empty() {
            return;
        }
        let again = |v: &Violation| {
            (
                v.inputs.clone(),
                v.choices
                    .clone()
                    .map_or(Resolution::Rule, Resolution::Again),
            )
        };
        // The inputs and choices of known violations come first.
        let mut all: Vec<(Inputs, Resolution)> = self
            .found
            .violations
            .values()
            .chain(&self.found.others)
            .map(again)
            .collect();
        let random = all.first().map(|(inputs, _)| inputs.clone());
        let seeds = seeds::seeds(
            self.program,
            self.validator.interp(),
            self.procedure,
            &self.type_args,
            MAX_BEHIND,
        );
        // Small inputs and other choices may violate several obligations, too.
        all.extend(seeds.into_iter().map(|inputs| (inputs, Resolution::Rule)));
        all.extend(
            random
                .into_iter()
                .flat_map(|inputs| (0..MAX_BEHIND as u64).map(move |seed| (inputs.clone(), seed)))
                .map(|(inputs, seed)| (inputs, self.validator.random(seed))),
        );
        for (inputs, choices) in all {
            if self.is_late() || !self.wanted.iter().any(|goal| self.is_hidden(*goal)) {
                return;
            }
            // Results of such executions depend on assumptions and never replace other violations.
            self.found.executions += 1;
            for (obligation, violation) in self.validator.validate_on(&inputs, &choices) {
                if self.is_hidden(obligation) {
                    self.found.violations.insert(obligation, violation);
                    self.found.holds.remove(&obligation);
                }
            }
        }
    }

    /// Whether an obligation may have a violation behind others.
    pub(super) fn is_hidden(&self, goal: GoalId) -> bool {
        let is_kept = self.found.holds.contains(&goal) && self.found.reached.contains(&goal);
        !is_kept && !self.found.violations.contains_key(&goal)
    }

    /// Executes inputs and records the violation, if there is one.
    pub(super) fn execute(&mut self, inputs: &Inputs, choices: &Resolution) -> Executed {
        let started = dtest_limits::clock::now();
        let seen = self.validator.validate(inputs, choices);
        self.found.times.interpreter += started.elapsed();
        self.found.executions += 1;
        // Inputs of executions with choices are kept for other resolutions.
        if seen.is_free && *choices == Resolution::Rule && self.found.inputs.len() < MAX_INPUTS {
            self.found.inputs.push(inputs.clone());
        }
        self.found.endless += u32::from(seen.is_endless);
        // The execution ends with the violated obligation, before those that follow it in the
        // statement.
        let behind = seen
            .broken
            .as_ref()
            .and_then(|(goal, _)| self.behind.get(&(*goal)?));
        self.found.reached.extend(
            seen.reached_probes
                .iter()
                .map(|probe| GoalId::Probe(*probe))
                .filter(|goal| behind.is_none_or(|behind| !behind.contains(goal))),
        );
        self.found.reasons.extend(seen.blocked);
        if let Some((obligation, reason)) = seen.doubtful {
            // An uncertain violation is recorded as a doubt, not as a verdict.
            self.found.doubtful.entry(obligation).or_insert(reason);
        }
        let (is_free, is_whole) = (seen.is_free, seen.is_whole);
        let nothing = Executed {
            broken: None,
            is_free,
            is_whole,
        };
        let Some((obligation, violation)) = seen.broken else {
            return nothing;
        };
        let Some(obligation) = obligation else {
            self.found.add_elsewhere(violation);
            return Executed {
                is_whole: false,
                ..nothing
            };
        };
        // A violation without assumptions replaces one with assumptions.
        let is_better = self
            .found
            .violations
            .get(&obligation)
            .is_none_or(|known| violation.is_certain() && !known.is_certain());
        if is_better {
            self.found.violations.insert(obligation, violation);
        }
        // An execution takes precedence over a proof.
        self.found.holds.remove(&obligation);
        Executed {
            broken: Some(obligation),
            is_free,
            is_whole,
        }
    }

    /// Executes the inputs of a model: first by the rule for choices, then by the model's choices,
    /// then by pseudo-random ones. Returns whether the obligation was violated.
    pub(super) fn follow(&mut self, inputs: &Inputs, guide: Guide, goal: GoalId) -> bool {
        // The rule for choices first, because the tests follow it.
        let by_rule = self.execute(inputs, &Resolution::Rule);
        by_rule.broken == Some(goal)
            || by_rule.is_free
                && (self.execute(inputs, &Resolution::Guided(guide)).broken == Some(goal)
                    || self.execute_freely(inputs, goal))
    }

    /// Executes inputs with pseudo-random choices, until the obligation is violated.
    pub(super) fn execute_freely(&mut self, inputs: &Inputs, goal: GoalId) -> bool {
        for seed in 0..MAX_RESOLUTIONS {
            if self.is_over() {
                break;
            }
            let resolution = self.validator.random(seed);
            if self.execute(inputs, &resolution).broken == Some(goal) {
                return true;
            }
        }
        false
    }

    /// Searches for violations under other resolutions of choices.
    pub(super) fn resolve_otherwise(&mut self) {
        for inputs in self.found.inputs.clone() {
            for seed in 0..MAX_RESOLUTIONS {
                if self.is_over() {
                    return;
                }
                if self.open().is_empty() {
                    return self.choose_otherwise();
                }
                let resolution = self.validator.random(seed);
                self.execute(&inputs, &resolution);
            }
        }
    }

    /// Searches for violations under other choices that are not obligations of the unit, or are not
    /// known statically, such as a read of an unassigned variable. Only a few executions, because
    /// no open obligation depends on them.
    pub(super) fn choose_otherwise(&mut self) {
        if !self.is_whole {
            return;
        }
        for inputs in self
            .found
            .inputs
            .iter()
            .take(MAX_INPUTS_OTHERWISE)
            .cloned()
            .collect::<Vec<_>>()
        {
            for seed in 0..MAX_RESOLUTIONS {
                if self.is_over() || self.found.endless >= MAX_ENDLESS {
                    return;
                }
                let resolution = self.validator.random(seed);
                self.execute(&inputs, &resolution);
            }
        }
    }
}
