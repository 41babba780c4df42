//! Proof obligations of Dafny's verifier in the executions of tests.
//!
//! The search for tests executes compiled code and the clauses about it. Frames, measures, definite
//! assignment and other obligations exist only in the program of `check`, in which nothing is
//! ghost. Every test is therefore executed there too: a test that violates an obligation becomes a
//! violation that `gen` reports.

use super::Solved;
use super::work::in_parallel;
use dafny_resolve::typed::CallableId;
use dtest_interp::{Failure, Inputs};
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units::Unit;
use dtest_search::check::{Replay, Replayer};
use dtest_search::{Finding, GoalStatus, UnitResult};
use dtest_sorted::SortedMap;

/// A program with all of its proof obligations.
pub struct Obligations {
    program: ir::Program,
    /// Maximum number of steps of one execution.
    fuel: u64,
}

impl Obligations {
    /// Lowers a program with its obligations. `fuel` is the maximum number of steps of one
    /// execution.
    pub fn of(program: &ir::Program, fuel: u64) -> Self {
        let typed = (*program.typed).clone();
        Self {
            program: super::lower(typed, Criteria::obligations()),
            fuel,
        }
    }

    /// Removes the tests whose executions violate an obligation, on `jobs` threads. Each becomes a
    /// violation of its unit.
    pub fn apply(&self, units: &[Unit], results: &mut [Solved], jobs: usize) {
        let replayer = Replayer::new(&self.program, self.fuel);
        let by_unit: SortedMap<CallableId, &Solved> =
            results.iter().map(|s| (s.result.unit, s)).collect();
        let replay = |unit: &Unit| {
            let result = by_unit.get(&unit.callable).map(|s| &s.result);
            let tests = result.into_iter().flat_map(|r| &r.tests);
            let findings = result.into_iter().flat_map(|r| &r.findings);
            (
                replayer.replay(unit.callable, tests.map(|t| &t.inputs)),
                replayer.replay(unit.callable, findings.map(|f| &f.inputs)),
            )
        };
        let replays = in_parallel("obligations", &self.program, units, jobs, &replay, &|_| {});
        for (solved, replays) in results.iter_mut().zip(replays) {
            // An internal error leaves the tests as the search found them.
            let (tests, findings) = replays.unwrap_or_default();
            // Assumptions of ghost code are not executed by the search. A violation behind a false
            // one is none.
            if findings.iter().any(|r| matches!(r, Replay::Excluded)) {
                remove_findings(&mut solved.result, &findings);
            }
            let is_kept = |r: &Replay| matches!(r, Replay::Kept | Replay::Excluded);
            if !tests.iter().all(is_kept) {
                remove(solved, tests);
            }
        }
    }

    /// Returns the violations in the executions of the program's own tests.
    pub fn of_own_tests(
        &self,
        tests: impl Iterator<Item = CallableId>,
    ) -> SortedMap<CallableId, Failure> {
        let replayer = Replayer::new(&self.program, self.fuel);
        let violated = |test: CallableId| {
            let replays = replayer.replay(test, [&Inputs::default()]);
            replays.into_iter().find_map(|replay| match replay {
                Replay::Violates(violation) => Some((test, violation.failure)),
                Replay::Kept | Replay::NotAdmissible | Replay::Excluded => None,
            })
        };
        tests.filter_map(violated).collect()
    }
}

/// Removes violations of executions about which the program makes no claim. Their goals are not
/// confirmed.
fn remove_findings(result: &mut UnitResult, replays: &[Replay]) {
    let mut numbers = Vec::new();
    let mut kept = Vec::new();
    for (finding, replay) in std::mem::take(&mut result.findings)
        .into_iter()
        .zip(replays)
    {
        let is_kept = !matches!(replay, Replay::Excluded);
        numbers.push(is_kept.then_some(kept.len()));
        if is_kept {
            kept.push(finding);
        }
    }
    result.findings = kept;
    for (_, status) in &mut result.goals {
        if let GoalStatus::OnlyByFinding(number) = status {
            *status = match numbers.get(*number) {
                Some(Some(number)) => GoalStatus::OnlyByFinding(*number),
                Some(None) | None => GoalStatus::NotConfirmed,
            };
        }
    }
}

/// Removes tests. Their goals become goals of other tests or of violations, or open.
fn remove(solved: &mut Solved, replays: Vec<Replay>) {
    let result = &mut solved.result;
    let tests = std::mem::take(&mut result.tests);
    let constructions = std::mem::take(&mut solved.constructions);
    for ((test, construction), replay) in tests.into_iter().zip(constructions).zip(replays) {
        let failure = match replay {
            Replay::Kept | Replay::Excluded => {
                result.tests.push(test);
                solved.constructions.push(construction);
                continue;
            }
            Replay::NotAdmissible => {
                lose(result, &test.covers, &GoalStatus::NotConfirmed);
                continue;
            }
            Replay::Violates(violation) => violation.failure,
        };
        let known = result.findings.iter_mut().enumerate().find(|(_, f)| {
            f.certain && f.failure.span == failure.span && f.failure.kind == failure.kind
        });
        let number = match known {
            Some((number, known)) => {
                known.blocks.extend(test.covers.iter().copied());
                known.blocks.sort();
                known.blocks.dedup();
                number
            }
            None => {
                result.findings.push(Finding {
                    unit: result.unit,
                    inputs: test.inputs,
                    failure,
                    blocks: test.covers.clone(),
                    certain: true,
                });
                result.findings.len() - 1
            }
        };
        lose(result, &test.covers, &GoalStatus::OnlyByFinding(number));
    }
    // The indices of tests have changed.
    for (goal, status) in &mut result.goals {
        if let Some(test) = result.tests.iter().position(|t| t.covers.contains(goal)) {
            *status = GoalStatus::Covered(test);
        }
    }
    // Claims about the suite were about all its tests, so they no longer apply.
    result.claims.clear();
    result.least = None;
}

/// Sets the status of goals that a removed test covered.
fn lose(result: &mut UnitResult, covered: &[ir::GoalId], status: &GoalStatus) {
    for (goal, known) in &mut result.goals {
        if covered.contains(goal) && known.is_covered() {
            *known = status.clone();
        }
    }
}
