//! Validation of claims about all executions: dead code, equivalent mutants and determined values
//! are checked on random executions of random programs, with random choices.

use std::time::Duration;

use dafny_resolve::typed::Program;
use dtest_interp::{Execution, Interp, Limits, Outcome, Runnable};
use dtest_ir::{Criteria, Criterion, GoalId};
use dtest_lower::units::units;
use dtest_mutants::Mutation;
use dtest_search::dead::{Strength, Verdict, dead_unit};
use dtest_search::random::Random;
use dtest_search::resolutions::resolutions;
use dtest_search::{Bounds, Equivalence, GoalStatus, Options, Strength as Noticed, search_unit};
use dtest_sorted::SortedSet;

/// The counts of a validation.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of programs.
    pub programs: usize,
    /// Blocks that are proved unreachable, or passed only by failing executions.
    pub sure: usize,
    /// Mutants that are proved equivalent.
    pub equivalent: usize,
    /// Tests whose value is claimed to be determined.
    pub determined: usize,
    /// Executions that claims were checked on.
    pub executions: usize,
    /// Descriptions of false claims.
    pub wrong: Vec<String>,
    /// The longest duration, and its seed.
    pub slowest: (Duration, u64),
}

impl Tally {
    /// Adds the counts of a program, with its duration and seed.
    pub fn add(&mut self, one: Tally, took: (Duration, u64)) {
        self.programs += one.programs;
        self.sure += one.sure;
        self.equivalent += one.equivalent;
        self.determined += one.determined;
        self.executions += one.executions;
        self.wrong.extend(one.wrong);
        self.slowest = self.slowest.max(took);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            programs,
            sure,
            equivalent,
            determined,
            executions,
            ..
        } = self;
        let (seconds, seed) = (self.slowest.0.as_secs_f64(), self.slowest.1);
        write!(
            f,
            "{programs} programs, {sure} blocks proved unreachable, {equivalent} equivalent mutants, {determined} determined values, "
        )?;
        write!(
            f,
            "{executions} executions, {} wrong claims; the slowest program, {seed}, took {seconds:.1} s",
            self.wrong.len()
        )
    }
}

/// Number of resolutions of choices that are tried for each input.
const RESOLUTIONS: u64 = 8;

/// Searches for dead blocks of a program with the solver alone, at the smallest bounds, so that as
/// much as possible is left to proofs. Then executes every unit with a claim on `inputs` random
/// inputs. With `mutants`, proofs of equivalence are validated too. `text` is the text of the
/// program, for messages.
pub fn hold(typed: Program, text: &str, inputs: usize, mutants: bool, tally: &mut Tally) {
    tally.programs += 1;
    let program = super::super::lower(typed, Criteria::new([Criterion::Flow]).unwrap_or_default());
    let timeout = Duration::from_secs(5);
    let strength = if mutants {
        Noticed::Mutants
    } else {
        Noticed::Coverage
    };
    let options = Options {
        seeds: 0,
        enumerate: 0,
        caps: Bounds::START,
        rlimit: 200_000,
        timeout,
        ..Options::default()
    };
    let interp = Interp::new(
        &program,
        Limits {
            steps: 20_000,
            ..Limits::default()
        },
    );
    for unit in units(&program.typed, |_| true) {
        let is_sure = |v: &Verdict| {
            matches!(
                v,
                Verdict::Dead {
                    strength: Strength::Proved | Strength::GivenAssertions,
                    ..
                }
            )
        };
        let result = dead_unit(&program, unit.callable, &options);
        let mut sure: SortedSet<GoalId> = result
            .goals
            .iter()
            .filter(|(_, v)| is_sure(v))
            .map(|(g, _)| *g)
            .collect();
        let Some(procedure) = program.procedures.get(&unit.callable) else {
            continue;
        };
        let ways = resolutions(&program, procedure, RESOLUTIONS);
        let tests = search_unit(
            &program,
            unit.callable,
            &Options {
                seeds: 12,
                strength,
                ..options.clone()
            },
        );
        let is_proved = |s: &GoalStatus| matches!(s, GoalStatus::UnreachableProved { .. });
        sure.extend(
            tests
                .goals
                .iter()
                .filter(|(_, s)| is_proved(s))
                .map(|(g, _)| *g),
        );
        for test in tests.tests.iter().filter(|t| t.deterministic) {
            tally.determined += 1;
            for way in &ways {
                let other = interp.run_resolved(unit.callable, &test.inputs, way);
                let same =
                    interp.may_end_alike(unit.callable, &test.inputs, &test.execution, &other);
                if !same && !matches!(other.outcome, Outcome::OutOfFuel(_)) {
                    let (args, a, b) = (&test.inputs.args, &test.execution.outcome, &other.outcome);
                    tally.wrong.push(format!(
                        "{}: {args:?} gives {a:?}, and with {way:?} {b:?}\n{text}",
                        unit.path
                    ));
                    break;
                }
            }
        }
        let fails: SortedSet<GoalId> = result
            .goals
            .iter()
            .filter(|(_, v)| matches!(v, Verdict::AlwaysFails { .. }))
            .map(|(g, _)| *g)
            .collect();
        let proved = |m: &Mutation| {
            tests
                .equivalent
                .iter()
                .any(|(e, how)| e == m && *how == Equivalence::Proved)
        };
        let equivalent = interp
            .mutants(unit.callable)
            .into_iter()
            .filter(|m| proved(&m.mutation));
        let equivalent: Vec<Runnable> = equivalent.filter_map(|m| interp.runnable(m)).collect();
        tally.equivalent += equivalent.len();
        if sure.is_empty() && fails.is_empty() && equivalent.is_empty() {
            continue;
        }
        tally.sure += sure.len() + fails.len();
        let Some(mut random) = Random::new(&program, &interp, unit.callable, 7) else {
            continue;
        };
        for _ in 0..inputs {
            let Some(mut inputs) = random.inputs() else {
                break;
            };
            if !interp
                .check_inputs(unit.callable, &inputs)
                .verdict()
                .is_true()
            {
                continue;
            }
            // The first execution uses the rule for choices. Without choices it is the only one.
            let mut executions = vec![interp.run(unit.callable, &inputs)];
            if executions.iter().any(|e| !e.deterministic) {
                executions.extend(
                    ways.iter()
                        .map(|w| interp.run_resolved(unit.callable, &inputs, w)),
                );
            }
            executions
                .retain(|e| !matches!(e.outcome, Outcome::Unsupported(_)) && e.unknown.is_empty());
            tally.executions += executions.len();
            let blocks = executions
                .iter()
                .flat_map(|e| &e.visited)
                .map(|b| GoalId::Block(*b));
            let mut reached = blocks.chain(
                executions
                    .iter()
                    .flat_map(|e| &e.shown)
                    .map(|i| GoalId::Probe(*i)),
            );
            if let Some(goal) = reached.find(|g| sure.contains(g)) {
                let place = program.goal(unit.callable, goal).map_or(0, |g| {
                    1 + text
                        .bytes()
                        .take(g.span.start as usize)
                        .filter(|b| *b == b'\n')
                        .count()
                });
                tally.wrong.push(format!(
                    "{}: line {place} is reached with {:?}\n{text}",
                    unit.path, inputs.args
                ));
                break;
            }
            let settled = executions
                .first()
                .filter(|e| e.deterministic && matches!(e.outcome, Outcome::Returned(_)));
            // Stubs for code without a body answer the calls of the unit.
            inputs.answers = settled.map(|e| e.answers.clone()).unwrap_or_default();
            let differs = |m: &&Runnable| {
                settled.is_some_and(|e| interp.tells_apart(unit.callable, m, &inputs, e))
            };
            if let Some(mutant) = equivalent.iter().find(differs) {
                let (path, mutation) = (&unit.path, &mutant.mutant.mutation);
                tally.wrong.push(format!(
                    "{path}: with {:?}, {mutation:?} is not equivalent\n{text}",
                    inputs.args
                ));
                break;
            }
            let ends_well = |e: &&Execution| match &e.outcome {
                Outcome::Returned(_) => !interp
                    .check_ensures(unit.callable, &inputs, e)
                    .iter()
                    .any(|c| c.truth.is_false()),
                Outcome::Halted { .. } => true,
                Outcome::Failed(_)
                | Outcome::OutOfFuel(_)
                | Outcome::Infeasible(_)
                | Outcome::Unsupported(_) => false,
            };
            let passed = executions
                .iter()
                .filter(|e| e.visited.iter().any(|b| fails.contains(&GoalId::Block(*b))));
            if passed.filter(ends_well).count() > 0 {
                tally.wrong.push(format!(
                    "{}: succeeds with {:?}, although every execution that gets there is said to fail\n{text}",
                    unit.path, inputs.args
                ));
                break;
            }
        }
    }
}
