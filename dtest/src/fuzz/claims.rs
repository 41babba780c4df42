//! Validation of claims about all executions: dead code, equivalent mutants and determined values
//! are checked on random executions of random programs, with random choices.

use std::time::Duration;

use dafny_resolve::typed::Program;
use dtest_interp::{Execution, Inputs, Interp, Limits, Outcome, Resolution, Runnable};
use dtest_ir::{Criteria, Criterion, GoalId};
use dtest_lower::units::{Unit, units};
use dtest_mutants::Mutation;
use dtest_search::dead::{Strength, Verdict, dead_unit};
use dtest_search::random::Random;
use dtest_search::resolutions::resolutions;
use dtest_search::{
    Bounds, Equivalence, GoalStatus, Options, Strength as Noticed, TestCase, UnitResult,
    search_unit,
};
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
    let program =
        crate::pipeline::lower(typed, Criteria::new([Criterion::Flow]).unwrap_or_default());
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
        hold_unit(&interp, &unit, &options, strength, (text, inputs), tally);
    }
}

/// Validates the claims about one unit. `inputs` is the number of random inputs.
fn hold_unit(
    interp: &Interp<'_>,
    unit: &Unit,
    options: &Options,
    strength: Noticed,
    (text, inputs): (&str, usize),
    tally: &mut Tally,
) {
    let program = interp.program();
    let result = dead_unit(program, unit.callable, options);
    let Some(procedure) = program.procedures.get(&unit.callable) else {
        return;
    };
    let ways = resolutions(program, procedure, RESOLUTIONS);
    let tests = search_unit(
        program,
        unit.callable,
        &Options {
            seeds: 12,
            strength,
            ..options.clone()
        },
    );
    for test in tests.tests.iter().filter(|t| t.deterministic) {
        tally.determined += 1;
        tally
            .wrong
            .extend(undetermined(interp, unit, test, &ways, text));
    }
    let claims = Claims::of(interp, unit, &result.goals, &tests);
    tally.equivalent += claims.equivalent.len();
    if claims.sure.is_empty() && claims.fails.is_empty() && claims.equivalent.is_empty() {
        return;
    }
    tally.sure += claims.sure.len() + claims.fails.len();
    let Some(mut random) = Random::new(program, interp, unit.callable, 7) else {
        return;
    };
    for _ in 0..inputs {
        let Some(inputs) = random.inputs() else {
            break;
        };
        if !interp
            .check_inputs(unit.callable, &inputs)
            .verdict()
            .is_true()
        {
            continue;
        }
        let executions = executions(interp, unit, &inputs, &ways);
        tally.executions += executions.len();
        if let Some(wrong) = claims.refutation(inputs, &executions, text) {
            tally.wrong.push(wrong);
            break;
        }
    }
}

/// A message if another resolution of choices gives another result than a test whose result is
/// claimed to be determined.
fn undetermined(
    interp: &Interp<'_>,
    unit: &Unit,
    test: &TestCase,
    ways: &[Resolution],
    text: &str,
) -> Option<String> {
    ways.iter().find_map(|way| {
        let other = interp.run_resolved(unit.callable, &test.inputs, way);
        let same = interp.may_end_alike(unit.callable, &test.inputs, &test.execution, &other);
        if same || matches!(other.outcome, Outcome::OutOfFuel(_)) {
            return None;
        }
        let (args, a, b) = (&test.inputs.args, &test.execution.outcome, &other.outcome);
        Some(format!(
            "{}: {args:?} gives {a:?}, and with {way:?} {b:?}\n{text}",
            unit.path
        ))
    })
}

/// Executes a unit. The first execution uses the rule for choices. Without choices it is the only
/// one.
fn executions(
    interp: &Interp<'_>,
    unit: &Unit,
    inputs: &Inputs,
    ways: &[Resolution],
) -> Vec<Execution> {
    let mut executions = vec![interp.run(unit.callable, inputs)];
    if executions.iter().any(|e| !e.deterministic) {
        executions.extend(
            ways.iter()
                .map(|w| interp.run_resolved(unit.callable, inputs, w)),
        );
    }
    executions.retain(|e| !matches!(e.outcome, Outcome::Unsupported(_)) && e.unknown.is_empty());
    executions
}

/// The claims about all executions of a unit.
struct Claims<'c, 'p> {
    interp: &'c Interp<'p>,
    unit: &'c Unit,
    /// Goals that no execution reaches.
    sure: SortedSet<GoalId>,
    /// Goals after which every execution fails.
    fails: SortedSet<GoalId>,
    /// Mutants without an execution that differs.
    equivalent: Vec<Runnable>,
}

impl<'c, 'p> Claims<'c, 'p> {
    fn of(
        interp: &'c Interp<'p>,
        unit: &'c Unit,
        dead: &[(GoalId, Verdict)],
        tests: &UnitResult,
    ) -> Self {
        let is_sure = |v: &Verdict| {
            matches!(
                v,
                Verdict::Dead {
                    strength: Strength::Proved | Strength::GivenAssertions,
                    ..
                }
            )
        };
        let of_verdicts = |is: &dyn Fn(&Verdict) -> bool| -> SortedSet<GoalId> {
            dead.iter()
                .filter(|(_, v)| is(v))
                .map(|(g, _)| *g)
                .collect()
        };
        let mut sure = of_verdicts(&is_sure);
        let is_proved = |s: &GoalStatus| matches!(s, GoalStatus::UnreachableProved { .. });
        sure.extend(
            tests
                .goals
                .iter()
                .filter(|(_, s)| is_proved(s))
                .map(|(g, _)| *g),
        );
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
        Self {
            interp,
            unit,
            sure,
            fails: of_verdicts(&|v| matches!(v, Verdict::AlwaysFails { .. })),
            equivalent: equivalent.filter_map(|m| interp.runnable(m)).collect(),
        }
    }

    /// A message if the executions from these inputs refute a claim.
    fn refutation(
        &self,
        mut inputs: Inputs,
        executions: &[Execution],
        text: &str,
    ) -> Option<String> {
        let (interp, unit) = (self.interp, self.unit);
        let blocks = executions
            .iter()
            .flat_map(|e| &e.visited)
            .map(|b| GoalId::Block(*b));
        let probes = executions
            .iter()
            .flat_map(|e| &e.shown)
            .map(|i| GoalId::Probe(*i));
        if let Some(goal) = blocks.chain(probes).find(|g| self.sure.contains(g)) {
            let goal = interp.program().goal(unit.callable, goal);
            let line = goal.map_or(0, |g| line_of(text, g.span.start));
            return Some(format!(
                "{}: line {line} is reached with {:?}\n{text}",
                unit.path, inputs.args
            ));
        }
        let settled = executions
            .first()
            .filter(|e| e.deterministic && matches!(e.outcome, Outcome::Returned(_)));
        // Stubs for code without a body answer the calls of the unit.
        inputs.answers = settled.map(|e| e.answers.clone()).unwrap_or_default();
        let differs =
            |m: &&Runnable| settled.is_some_and(|e| interp.kills(unit.callable, m, &inputs, e));
        if let Some(mutant) = self.equivalent.iter().find(differs) {
            return Some(format!(
                "{}: with {:?}, {:?} is not equivalent\n{text}",
                unit.path, inputs.args, mutant.mutant.mutation
            ));
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
        let is_said_to_fail = |e: &&Execution| {
            let mut visited = e.visited.iter();
            visited.any(|b| self.fails.contains(&GoalId::Block(*b)))
        };
        let passed = executions.iter().filter(is_said_to_fail);
        (passed.filter(ends_well).count() > 0).then(|| {
            format!(
                "{}: succeeds with {:?}, although every execution that gets there is said to fail\n{text}",
                unit.path, inputs.args
            )
        })
    }
}

/// The number of the line at an offset, from 1.
fn line_of(text: &str, offset: u32) -> usize {
    let before = text.bytes().take(offset as usize);
    1 + before.filter(|b| *b == b'\n').count()
}
