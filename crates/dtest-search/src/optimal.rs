//! Suites with the minimum number of tests, proved within the bounds.
//!
//! Two goals are in conflict if no execution reaches both. A clique of conflicts is a lower bound
//! on the number of tests. If the greedy suite is larger than the bound, one query asks for n
//! executions at once that together reach all goals; each goal of the clique is pinned to an
//! execution of its own, which removes symmetric solutions. If the query is unsatisfiable, at least
//! n + 1 tests are needed. [`improve`] is the entry point.

use super::api::{Minimize, Options};
use super::graph::Graph;
use super::session::{Session, budget};
use super::validate::{Candidate, Validator};
use super::{Search, suite};
use dtest_encode::Encoding;
use dtest_ir::GoalId;
use dtest_smt::{Answer, Assignment, Renaming, Solver, Term};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum number of goals that are compared pairwise.
const MAX_GOALS: usize = 60;
/// Maximum steps of the search for a clique.
const MAX_STEPS: u32 = 20_000;
/// Maximum number of executions in one query.
const MAX_COPIES: usize = 12;

/// Bounds on the size of a suite.
pub(super) struct Outcome {
    /// A suite that is smaller than the given one, if there is one.
    pub(super) smaller: Option<Vec<Candidate>>,
    /// A lower bound: no suite has fewer tests, within the bounds.
    pub(super) least: usize,
}

impl Search<'_> {
    /// Searches for the minimum suite if [`Minimize::Optimal`] is set, and claims the result.
    pub(super) fn minimize(&mut self) {
        if self.options.minimize != Minimize::Optimal
            || self.is_opaque()
            || self.accepted.is_empty()
        {
            return;
        }
        suite::reduce(&mut self.accepted);
        // Each test takes exactly one path. With a test for every path, the suite cannot be
        // smaller.
        let is_minimal =
            self.accepted.len() < 2 || self.validator.paths.len() == self.accepted.len();
        let least = if is_minimal {
            self.accepted.len()
        } else {
            // Only the solver can show whether fewer tests suffice.
            match self.cut() {
                Ok(encoding) if !encoding.exhausted && !self.wants_paths() => {
                    let mut session = Session::new(encoding, self.options);
                    let known = &self.accepted;
                    let outcome = improve(
                        &mut session,
                        &mut self.validator,
                        &self.graph,
                        known,
                        self.options,
                    );
                    self.close(&mut session);
                    if let Some(candidates) = outcome.smaller {
                        self.accepted = candidates;
                    }
                    outcome.least
                }
                Ok(_) | Err(_) => 1,
            }
        };
        self.least = Some(least);
        let count = self.accepted.len();
        let tests = if count == 1 {
            "1 test".to_owned()
        } else {
            format!("{count} tests")
        };
        self.claims.push(match least.cmp(&count) {
            std::cmp::Ordering::Less => {
                format!("{tests}, of which at least {least} are needed").into()
            }
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => format!(
                "{tests}, the minimum that reaches these goals within the bounds ({})",
                self.bounds
            )
            .into(),
        });
    }
}

/// Searches for a suite with fewer tests than `candidates` that reaches the same goals.
pub(super) fn improve(
    session: &mut Session<'_>,
    validator: &mut Validator<'_>,
    graph: &Graph,
    candidates: &[Candidate],
    options: &Options,
) -> Outcome {
    let covered: SortedSet<GoalId> = candidates
        .iter()
        .flat_map(|t| t.covers.iter().copied())
        .collect();
    let goals = graph.essential(&covered);
    let conflicts = conflicts(
        session,
        graph,
        candidates,
        goals.get(..MAX_GOALS).unwrap_or(&goals),
    );
    let clique = largest_clique(&goals, &conflicts);
    let mut least = clique.len().max(1);
    // Invariant: no suite with fewer than `least` tests reaches all goals.
    while least < candidates.len() && least <= MAX_COPIES {
        match together(&mut session.encoding, &goals, &clique, least, options) {
            Answer::Unsat(_) => least += 1,
            Answer::Unknown(_) => break,
            Answer::Sat(model) => {
                // The model is a candidate like any other: the suite is accepted only if its
                // executions in the interpreter reach all goals.
                let inputs = copies_of(&session.encoding, &model, least);
                let found: Vec<Candidate> = inputs
                    .into_iter()
                    .filter_map(|i| validator.validate(i?))
                    .collect();
                let reached: SortedSet<GoalId> = found
                    .iter()
                    .flat_map(|t| t.covers.iter().copied())
                    .collect();
                return Outcome {
                    smaller: covered.is_subset(&reached).then_some(found),
                    least,
                };
            }
        }
    }
    Outcome {
        smaller: None,
        least,
    }
}

/// The pairs of goals that no execution reaches together, as a symmetric relation. A pair that one
/// known test reaches needs no query.
fn conflicts(
    session: &mut Session<'_>,
    graph: &Graph,
    candidates: &[Candidate],
    goals: &[GoalId],
) -> SortedMap<GoalId, SortedSet<GoalId>> {
    let mut conflicts: SortedMap<GoalId, SortedSet<GoalId>> = SortedMap::new();
    for (i, a) in goals.iter().enumerate() {
        for b in goals.iter().skip(i + 1) {
            if candidates
                .iter()
                .any(|t| t.covers.contains(a) && t.covers.contains(b))
            {
                continue;
            }
            if !graph.compatible(*a, *b) || session.excludes(*a, *b) {
                conflicts.entry(*a).or_default().insert(*b);
                conflicts.entry(*b).or_default().insert(*a);
            }
        }
    }
    conflicts
}

/// Renamings for the copies 1 to n - 1 of the encoding in one query. Copy 0 is the encoding itself.
fn renamings(encoding: &mut Encoding<'_>, n: usize) -> Vec<Renaming> {
    let roots: Vec<Term> = encoding
        .assumptions
        .iter()
        .chain(encoding.givens.values())
        .copied()
        .chain([encoding.ends])
        .chain(encoding.reached.values().copied())
        .collect();
    let mut all = Vec::new();
    for _ in 1..n {
        let mut r = Renaming::default();
        for t in &roots {
            let _ = encoding.terms_mut().renamed(*t, &mut r);
        }
        for leaf in encoding.leaves() {
            let _ = encoding.terms_mut().renamed(leaf, &mut r);
        }
        all.push(r);
    }
    encoding.copies = all;
    std::mem::take(&mut encoding.copies)
}

/// Asks for n executions that together reach all goals.
fn together(
    encoding: &mut Encoding<'_>,
    goals: &[GoalId],
    clique: &[GoalId],
    n: usize,
    options: &Options,
) -> Answer {
    let mut all = renamings(encoding, n);
    let mut solver = Solver::new(options.seed, false);
    let (assumptions, ends, reached) = (
        encoding.assumptions.clone(),
        encoding.ends,
        encoding.reached.clone(),
    );
    let givens = encoding.givens.clone();
    // Every copy is a complete execution that ends well.
    for i in 0..n {
        for fact in assumptions.iter().chain(givens.values()).chain([&ends]) {
            let fact = copy_of(encoding, &mut all, i, *fact);
            solver.assert(encoding.terms(), fact);
        }
    }
    for (i, goal) in clique.iter().enumerate() {
        if let Some(t) = reached.get(goal) {
            let pinned = copy_of(encoding, &mut all, i, *t);
            solver.assert(encoding.terms(), pinned);
        }
    }
    // Every goal is reached by at least one copy.
    for goal in goals {
        let Some(t) = reached.get(goal) else { continue };
        let mut some = encoding.terms().ff;
        for i in 0..n {
            let here = copy_of(encoding, &mut all, i, *t);
            some = encoding.terms_mut().or(some, here);
        }
        solver.assert(encoding.terms(), some);
    }
    let answer = solver.check(encoding.terms(), &[], budget(options));
    encoding.copies = all;
    answer
}

fn copy_of(encoding: &mut Encoding<'_>, all: &mut [Renaming], i: usize, t: Term) -> Term {
    match i.checked_sub(1).and_then(|i| all.get_mut(i)) {
        Some(r) => encoding.terms_mut().renamed(t, r),
        None => t,
    }
}

/// The inputs of each execution in a model.
fn copies_of(
    encoding: &Encoding<'_>,
    model: &Assignment,
    n: usize,
) -> Vec<Option<dtest_interp::Inputs>> {
    let mut out = vec![encoding.decode(model)];
    for r in encoding.copies.iter().take(n.saturating_sub(1)) {
        let own: Assignment = r
            .variables(encoding.terms())
            .filter_map(|(t, c)| model.get(&c).map(|v| (t, v.clone())))
            .collect();
        out.push(encoding.decode(&own));
    }
    out
}

/// A largest set of pairwise conflicting goals. If the search is cut short, a large one.
fn largest_clique(
    goals: &[GoalId],
    conflicts: &SortedMap<GoalId, SortedSet<GoalId>>,
) -> Vec<GoalId> {
    fn extend(
        chosen: &mut Vec<GoalId>,
        candidates: &SortedSet<GoalId>,
        conflicts: &SortedMap<GoalId, SortedSet<GoalId>>,
        best: &mut Vec<GoalId>,
        steps: &mut u32,
    ) {
        if chosen.len() > best.len() {
            best.clone_from(chosen);
        }
        let mut left = candidates.clone();
        // Branch and bound: a branch is cut when all remaining candidates together cannot exceed
        // the best clique.
        while *steps > 0 && chosen.len() + left.len() > best.len() {
            *steps -= 1;
            let degree = |b: &GoalId| {
                conflicts
                    .get(b)
                    .map_or(0, |c| c.intersection(&left).count())
            };
            let Some(next) = left
                .iter()
                .copied()
                .max_by_key(|b| (degree(b), std::cmp::Reverse(*b)))
            else {
                return;
            };
            left.remove(&next);
            let below = conflicts
                .get(&next)
                .map(|c| c.intersection(&left).copied().collect())
                .unwrap_or_default();
            chosen.push(next);
            extend(chosen, &below, conflicts, best, steps);
            chosen.pop();
        }
    }
    let (mut best, mut steps) = (Vec::new(), MAX_STEPS);
    extend(
        &mut Vec::new(),
        &goals.iter().copied().collect(),
        conflicts,
        &mut best,
        &mut steps,
    );
    best
}
