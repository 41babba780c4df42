//! What the search for dead code is sure of, held against random executions of random programs.

use std::collections::BTreeSet;
use std::sync::Arc;

use dtest::interp::{Interp, Limits, Outcome};
use dtest::ir::{Criteria, Criterion, GoalId};
use dtest::lower::{lower_for, units::units};
use dtest::search::dead::{Strength, Verdict, dead_unit};
use dtest::search::random::Random;
use dtest::search::{Bounds, Options};

/// What was looked at.
#[derive(Debug, Default)]
pub struct Tally {
    pub programs: usize,
    pub sure: usize,
    pub executions: usize,
    /// Programs with a block that is called dead and is reached.
    pub wrong: Vec<String>,
}

/// Looks for dead blocks with the solver alone, at the smallest bounds, so that as much as can be is left to proofs; then
/// executes every unit with a claim on `inputs` random inputs.
pub fn hold(text: &str, inputs: usize, tally: &mut Tally) {
    let (file, diagnostics) = dtest::syntax::parse(0, text);
    let (typed, more) = dtest::resolve::resolve(vec![file], dtest::typed::Options::default());
    if diagnostics.iter().chain(&more).any(|d| d.is_error()) {
        return; // programs under other options
    }
    tally.programs += 1;
    let program = lower_for(Arc::new(typed), Criteria::new([Criterion::Flow]).unwrap());
    let timeout = std::time::Duration::from_secs(5);
    let options = Options { seeds: 0, enumerate: 0, caps: Bounds::START, rlimit: 200_000, timeout, ..Options::default() };
    let interp = Interp::new(&program, Limits { steps: 20_000, ..Limits::default() });
    for unit in units(&program.typed, |_| true) {
        let is_sure = |v: &Verdict| matches!(v, Verdict::Dead { strength: Strength::Proved | Strength::GivenAssertions, .. });
        let result = dead_unit(&program, unit.callable, &options);
        let sure: BTreeSet<GoalId> = result.goals.iter().filter(|(_, v)| is_sure(v)).map(|(g, _)| *g).collect();
        if sure.is_empty() {
            continue;
        }
        tally.sure += sure.len();
        let Some(mut random) = Random::new(&program, &interp, unit.callable, 7) else { continue };
        for _ in 0..inputs {
            let Some(inputs) = random.inputs() else { break };
            if !interp.check_inputs(unit.callable, &inputs).verdict().is_true() {
                continue;
            }
            let execution = interp.run(unit.callable, &inputs);
            if matches!(execution.outcome, Outcome::Unsupported(_)) || !execution.unknown.is_empty() {
                continue;
            }
            tally.executions += 1;
            let blocks = execution.visited.iter().map(|b| GoalId::Block(*b));
            let mut reached = blocks.chain(execution.shown.iter().map(|i| GoalId::Probe(*i)));
            if let Some(goal) = reached.find(|g| sure.contains(g)) {
                let place = program.goal(unit.callable, goal).map_or(0, |g| text[..g.span.start as usize].lines().count());
                tally.wrong.push(format!("{}: line {place} is reached with {:?}\n{text}", unit.path, inputs.args));
                break;
            }
        }
    }
}
