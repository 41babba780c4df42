//! Mutants of units, run by the interpreter on the tests that the search found: which of them the suite notices.

use std::collections::BTreeMap;

use super::work::in_parallel;
use super::{Caption, Solved, captions};
use crate::report::mutants::{Fate, MutantReport, MutantsReport};
use dafny_resolve::typed::CallableId;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::SourceMap;
use dtest_engine::describe;
use dtest_engine::interp::{Interp, Limits, Runnable};
use dtest_engine::ir;
use dtest_engine::lower::units::Unit;
use dtest_engine::mutants::{Mutant, Mutation, MutationKind};
use dtest_engine::search::{Equivalence, TestCase};

/// Tests of other units that a mutant is tried on, at most: those that come to its unit.
const MAX_FOREIGN: usize = 200;

/// The suite of a program, and the names of its tests.
struct Suite<'s> {
    units: &'s [Unit],
    solved: &'s [Solved],
    captions: Vec<Vec<Caption>>,
    /// For each callable, the units whose executions may come to it.
    callers: BTreeMap<CallableId, Vec<usize>>,
}

impl<'s> Suite<'s> {
    fn new(program: &ir::Program, sources: &SourceMap, units: &'s [Unit], solved: &'s [Solved]) -> Self {
        let mut callers: BTreeMap<CallableId, Vec<usize>> = BTreeMap::new();
        for (i, unit) in units.iter().enumerate() {
            for callee in program.callees(unit.callable) {
                callers.entry(callee).or_default().push(i);
            }
        }
        let captions = solved.iter().map(|s| captions(program, sources, &s.result)).collect();
        Self { units, solved, captions, callers }
    }

    /// The tests that may notice what is wrong in a unit, its own first, with the unit that they call and their names. What a test
    /// expects must be known: it is not where something was chosen, or Rust that is linked answered.
    fn tests(&self, own: usize) -> Vec<(CallableId, &'s TestCase, String)> {
        let callers = self.units.get(own).and_then(|u| self.callers.get(&u.callable)).into_iter().flatten();
        let foreign = callers.copied().filter(|i| *i != own);
        let of = |i: usize| {
            let tests = self.solved.get(i).map_or(&[][..], |s| s.result.tests.as_slice());
            let path = self.units.get(i).map_or("", |u| u.path.as_str());
            let name = move |n: usize| self.captions.get(i).and_then(|c| c.get(n)).map_or("", |c| c.name.as_str());
            let is_known = |t: &TestCase| t.execution.deterministic && !t.execution.linked;
            tests.iter().enumerate().filter(move |(_, t)| is_known(t)).map(move |(n, t)| (t.unit, t, format!("{path}: {}", name(n))))
        };
        of(own).chain(foreign.flat_map(of).take(MAX_FOREIGN)).collect()
    }
}

/// Runs the mutants of all units on the tests that were found, `jobs` units at a time; what is reported is in the order of `units` and of
/// their code. `done` is told the number of finished units after each.
pub fn run(
    program: &ir::Program,
    sources: &SourceMap,
    (units, solved): (&[Unit], &[Solved]),
    limits: Limits,
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> MutantsReport {
    let suite = Suite::new(program, sources, units, solved);
    let index: BTreeMap<CallableId, usize> = units.iter().enumerate().map(|(i, u)| (u.callable, i)).collect();
    let look = |unit: &Unit| {
        let interp = Interp::new(program, limits);
        let own = index.get(&unit.callable).copied().unwrap_or(usize::MAX);
        let tests = suite.tests(own);
        let mutants = interp.mutants_of(unit.callable).into_iter().filter_map(|m| interp.runnable(m));
        let equivalent = solved.get(own).map_or(&[][..], |s| s.result.equivalent.as_slice());
        mutants.map(|m| (fate(&interp, &m, &tests, equivalent), m.mutant)).collect::<Vec<_>>()
    };
    let found = in_parallel(program, units, jobs, &look, done);
    let mut report = MutantsReport { units: units.len(), ..MutantsReport::default() };
    for (unit, mutants) in units.iter().zip(found) {
        match mutants {
            Some(mutants) => report.mutants.extend(mutants.into_iter().map(|(fate, m)| describe_mutant(program, sources, &m, fate))),
            None => report.failed.push(unit.path.clone()),
        }
    }
    report
}

/// What becomes of a mutant that is tried on tests, where some are known to do the same as the unit.
fn fate(interp: &Interp<'_>, mutant: &Runnable, tests: &[(CallableId, &TestCase, String)], equivalent: &[(Mutation, Equivalence)]) -> Fate {
    let notices = |(unit, test, _): &&(CallableId, &TestCase, String)| interp.tells_apart(*unit, mutant, &test.inputs, &test.execution);
    match tests.iter().find(notices) {
        Some((_, _, name)) => return Fate::Killed { test: name.clone() },
        None => {}
    }
    match equivalent.iter().find(|(m, _)| *m == mutant.mutant.mutation) {
        Some((_, Equivalence::Proved)) => Fate::Equivalent,
        Some((_, Equivalence::WithinBounds { bounds })) => Fate::EquivalentWithin { bounds: bounds.to_string() },
        None if tests.is_empty() => Fate::Untested,
        None => Fate::Survived,
    }
}

fn describe_mutant(program: &ir::Program, sources: &SourceMap, mutant: &Mutant, fate: Fate) -> MutantReport {
    let mutation = &mutant.mutation;
    let unit = program.typed.callable_path(mutant.callable).to_string();
    let what = describe::mutation(mutation, sources);
    let is_clause = matches!(mutation.kind, MutationKind::Statement | MutationKind::Default);
    let message = format!("no test of `{unit}` notices {}{what}", if is_clause { "that " } else { "" });
    let label = match (mutation.kind, describe::instead(mutation, sources)) {
        (MutationKind::Statement, _) => "left out, and every test passes".to_owned(),
        (MutationKind::Default, _) => "does nothing, and every test passes".to_owned(),
        (_, instead) if instead.is_empty() => "changed, and every test passes".to_owned(),
        (_, instead) => format!("with `{instead}` here, every test passes"),
    };
    let diagnostic = Diagnostic::warning("mutants/survived", mutation.span, message).with_label(label);
    MutantReport { unit, place: sources.locate(mutation.span).to_string(), operator: mutation.kind, what, fate, diagnostic }
}
