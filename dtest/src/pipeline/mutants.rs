//! Mutation testing of the suite: the interpreter runs the mutants of units on the tests that the
//! search found.
//!
//! [`run`] reports the mutants that the suite kills, [`contracts`] those that the contracts of
//! units reject. A mutant of a callee is also run on the tests of its callers ([`Suite::tests`]).

use super::obligations::Obligations;
use super::progress::Begin;
use super::work::in_parallel;
use super::{Caption, Change, Kept, Solved, Unwritten, captions};
use crate::message::MessageId;
use crate::report::contracts::{ContractMutant, ContractStatus, ContractsReport};
use crate::report::key::{Key, text_of};
use crate::report::mutants::{MutantReport, MutantStatus, MutantsReport, Replacement};
use crate::report::place::Place;
use dafny_resolve::typed::{Body, CallableId};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span};
use dtest_emit::case::{TestId, TestRole};
use dtest_interp::{ByContract, Execution, Inputs, Interp, Limits, Outcome, Runnable};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_mutants::{Mutant, Mutation, MutationKind};
use dtest_search::describe;
use dtest_search::random::Random;
use dtest_search::{Equivalence, GoalStatus, Options, TestCase};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

/// Maximum number of tests of callers that a mutant is run on.
const MAX_FOREIGN: usize = 200;

/// The results of the search for some units.
#[derive(Clone, Copy)]
pub struct Tested<'a> {
    /// The units.
    pub units: &'a [Unit],
    /// The result of the search for each unit.
    pub solved: &'a [Solved],
    /// The reasons why tests of these units are not in the suite.
    pub unwritten: &'a Unwritten,
}

/// The suite of a program, with the names of its tests.
struct Suite<'s> {
    tested: Tested<'s>,
    captions: Vec<Vec<Caption>>,
    /// For each callable, the indices of the units whose executions may reach it.
    callers: SortedMap<CallableId, Vec<usize>>,
}

impl<'s> Suite<'s> {
    fn new(program: &ir::Program, sources: &SourceMap, tested: Tested<'s>) -> Self {
        let mut callers: SortedMap<CallableId, Vec<usize>> = SortedMap::new();
        for (i, unit) in tested.units.iter().enumerate() {
            for callee in program.runs(unit.callable) {
                callers.entry(callee).or_default().push(i);
            }
        }
        let captions = tested
            .solved
            .iter()
            .map(|s| captions(program, sources, &s.result))
            .collect();
        Self {
            tested,
            captions,
            callers,
        }
    }

    /// Returns the tests that may kill mutants of a callable whose goals belong to the unit `own`:
    /// the tests of that unit first, each with its unit and its name. Only tests with an oracle
    /// count: a determined result, or a postcondition after a nondeterministic choice. Tests whose
    /// result depends on linked Rust code are left out.
    fn tests(
        &self,
        program: &ir::Program,
        own: usize,
        callable: CallableId,
    ) -> Vec<(CallableId, &'s TestCase, String)> {
        let callers = self.callers.get(&callable).into_iter().flatten();
        let foreign = callers.copied().filter(|i| *i != own);
        // Only tests with a known result or a checked postcondition can kill a mutant.
        let has_postcondition = |unit: CallableId| {
            program
                .contracts
                .get(&unit)
                .is_some_and(|c| !c.ensures.is_empty())
        };
        let is_known = |t: &TestCase| {
            !t.execution.linked && (t.execution.determined || has_postcondition(t.unit))
        };
        // Tests that are not written to the suite do not count.
        let of = |i: usize| {
            let tests = self
                .tested
                .solved
                .get(i)
                .map_or(&[][..], |s| s.result.tests.as_slice());
            let path = self.tested.units.get(i).map_or("", |u| u.path.as_str());
            let name = move |n: usize| {
                self.captions
                    .get(i)
                    .and_then(|c| c.get(n))
                    .map_or("", |c| c.name.as_str())
            };
            let is_written = move |n: usize, t: &TestCase| {
                let id = TestId {
                    unit: t.unit,
                    role: TestRole::Covering(n),
                };
                !self.tested.unwritten.contains_key(&id)
            };
            tests
                .iter()
                .enumerate()
                .filter(move |(n, t)| is_written(*n, t) && is_known(t))
                .map(move |(n, t)| (t.unit, t, format!("{path}: {}", name(n))))
        };
        of(own)
            .chain(foreign.flat_map(of).take(MAX_FOREIGN))
            .collect()
    }

    /// Returns the reason why no test of a unit can kill a mutant.
    fn why_untested(&self, unit: usize) -> String {
        let Some(result) = self.tested.solved.get(unit).map(|s| &s.result) else {
            return "it was not searched".into();
        };
        let mut unwritten = self.tested.unwritten.iter();
        if let Some((_, reason)) = unwritten.find(|(id, _)| id.unit == result.unit) {
            return format!("its tests cannot be written: {reason}");
        }
        if result.tests.iter().any(|t| t.execution.linked) {
            return "the expected results depend on linked Rust code".into();
        }
        if !result.tests.is_empty() {
            return "the expected results depend on nondeterministic choices of the program".into();
        }
        let unsupported = result.goals.iter().find_map(|(_, status)| {
            let GoalStatus::Unsupported(reason) = status else {
                return None;
            };
            Some(reason.to_string())
        });
        match unsupported {
            _ if !result.findings.is_empty() => {
                "every execution found violates an obligation".into()
            }
            Some(reason) => format!("no inputs were found: {reason}"),
            None => "no inputs were found".into(),
        }
    }
}

/// The selection of mutants, and the budget for running them.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The units of the mutants.
    pub units: &'a [Unit],
    /// Only mutants of text that this change affects.
    pub change: Option<&'a Change>,
    /// The limits of one execution.
    pub limits: Limits,
    /// The budget of interpreter steps for the mutants of one unit; mutants beyond it are not run.
    pub steps: u64,
}

impl<'a> Asked<'a> {
    /// Selects all mutants of some units, with the largest budget that the search for tests may
    /// use.
    pub fn all(units: &'a [Unit], options: &Options) -> Self {
        let limits = Limits {
            steps: options.fuel,
            ..Limits::default()
        };
        Self {
            units,
            change: None,
            limits,
            steps: options.fuel.saturating_mul(STEPS),
        }
    }
}

impl Asked<'_> {
    /// Returns the mutants of a callable with their keys. Keys are counted over all mutants, also
    /// those that the change does not affect, in the order of the source.
    fn keyed_mutants(
        &self,
        interp: &Interp<'_>,
        sources: &SourceMap,
        callable: CallableId,
    ) -> Vec<(Runnable, Key)> {
        let all = interp.mutants_of(callable);
        let unit = interp.program().typed.callable_path(callable).to_string();
        let mut in_order: Vec<(Span, usize)> =
            all.iter().map(|m| m.mutation.span).zip(0..).collect();
        in_order.sort();
        let mut seen: SortedMap<String, usize> = SortedMap::new();
        let mut keys: Vec<Option<Key>> = all.iter().map(|_| None).collect();
        for (_, i) in in_order {
            let Some(mutant) = all.get(i) else { continue };
            let what = describe::mutation(&mutant.mutation, sources);
            let text = format!("{}: {}", name(mutant.mutation.kind), text_of(&what));
            let count = seen.entry(text.clone()).or_default();
            *count += 1;
            if let Some(key) = keys.get_mut(i) {
                *key = Some(Key {
                    unit: unit.clone(),
                    text,
                    occurrence: *count,
                });
            }
        }
        let is_meant = |m: &Mutant| self.change.is_none_or(|c| c.touches(m.mutation.span));
        all.into_iter()
            .zip(keys)
            .filter(|(m, _)| is_meant(m))
            .filter_map(|(m, key)| Some((interp.runnable(m)?, key?)))
            .collect()
    }

    fn mutants_of<'i>(
        &self,
        interp: &'i Interp<'_>,
        callable: CallableId,
    ) -> impl Iterator<Item = Runnable> + 'i {
        let change = self.change.cloned();
        let is_meant = move |m: &Mutant| change.as_ref().is_none_or(|c| c.touches(m.mutation.span));
        interp
            .mutants_of(callable)
            .into_iter()
            .filter(is_meant)
            .filter_map(|m| interp.runnable(m))
    }
}

/// Returns the callables whose mutants count for each unit: the unit, and for an entry its callees.
/// Each callable counts once.
fn counted(program: &ir::Program, units: &[Unit]) -> SortedMap<CallableId, Vec<CallableId>> {
    let mut seen = SortedSet::new();
    let of = |unit: &Unit| {
        let callees = program
            .systems
            .get(&unit.callable)
            .map_or(&[][..], |s| s.callees.as_slice());
        let all = std::iter::once(unit.callable).chain(callees.iter().copied());
        (unit.callable, all.filter(|c| seen.insert(*c)).collect())
    };
    units.iter().map(of).collect()
}

/// Budget for the mutants of a unit, as a multiple of the steps of the largest execution.
const STEPS: u64 = 5;

/// Returns the units whose tests may kill mutants of some units: the units themselves, and their
/// callers.
pub fn with_callers(program: &ir::Program, all: Vec<Unit>, some: &[Unit]) -> Vec<Unit> {
    let wanted: SortedSet<CallableId> = some.iter().map(|u| u.callable).collect();
    let is_near = |u: &Unit| {
        wanted.contains(&u.callable) || program.runs(u.callable).iter().any(|c| wanted.contains(c))
    };
    all.into_iter().filter(is_near).collect()
}

/// Searches the units whose tests mutants of `wanted` run on: these, and their callers among `all`.
/// Returns them with their tests. Tests that violate an obligation are removed, as `gen` does, so
/// that mutants run against the tests that `gen` writes.
pub fn search(
    program: &ir::Program,
    all: Vec<Unit>,
    wanted: &[Unit],
    options: &Options,
    (jobs, kept): (usize, Option<Kept<'_>>),
    begin: Begin<'_>,
) -> (Vec<Unit>, Vec<Solved>) {
    let units = with_callers(program, all, wanted);
    let progress = begin("searching units", units.len());
    let mut solved = super::search(program, &units, options, jobs, kept, &|done| {
        progress.set(done);
    });
    progress.finish();
    if solved.iter().any(|s| !s.result.tests.is_empty()) {
        Obligations::of(program, options.fuel).apply(&units, &mut solved, jobs);
    }
    (units, solved)
}

/// Runs mutants on the tests that were found and written, on `jobs` threads. The report is in the
/// order of the units and of their code. `done` is called with the number of finished units after
/// each unit.
pub fn run(
    program: &ir::Program,
    sources: &SourceMap,
    tested: Tested<'_>,
    asked: Asked<'_>,
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> MutantsReport {
    let suite = Suite::new(program, sources, tested);
    let Tested { units, solved, .. } = tested;
    // Mutants of a callable are counted once, for one unit that runs it.
    let index: SortedMap<CallableId, usize> = units
        .iter()
        .enumerate()
        .map(|(i, u)| (u.callable, i))
        .collect();
    let counted = counted(program, asked.units);
    // All tests that run the callable are tried, those of other units too.
    let look = |unit: &Unit| {
        let interp = Interp::new(program, asked.limits);
        let own = index.get(&unit.callable).copied().unwrap_or(usize::MAX);
        let equivalent = solved
            .get(own)
            .map_or(&[][..], |s| s.result.equivalent.as_slice());
        let mut statuses = Vec::new();
        for callable in counted.get(&unit.callable).into_iter().flatten() {
            let tests = suite.tests(program, own, *callable);
            let mutants = asked.keyed_mutants(&interp, sources, *callable);
            let why = || suite.why_untested(own);
            statuses.extend(mutants.into_iter().map(|(m, key)| {
                let status = status(&interp, &m, &tests, (equivalent, &why), asked.steps);
                (status, m.mutant, key)
            }));
        }
        statuses
    };
    let found = in_parallel("mutants", program, asked.units, jobs, &look, done);
    // Units that panicked or exceeded a limit have no mutants; the report names them.
    let mut report = MutantsReport {
        units: asked.units.len(),
        ..MutantsReport::default()
    };
    for (unit, mutants) in asked.units.iter().zip(found) {
        match mutants {
            Ok(mutants) => report.mutants.extend(
                mutants
                    .into_iter()
                    .map(|(status, m, key)| describe_mutant(program, sources, &m, (status, key))),
            ),
            Err(stopped) => report.failed.push((unit.path.clone(), stopped.to_string())),
        }
    }
    report
}

/// Returns the status of a mutant on tests, as long as the interpreter has steps left. `equivalent`
/// has the known equivalent mutants of the unit; `why_untested` describes a missing test.
fn status(
    interp: &Interp<'_>,
    mutant: &Runnable,
    tests: &[(CallableId, &TestCase, String)],
    (equivalent, why_untested): (&[(Mutation, Equivalence)], &dyn Fn() -> String),
    steps: u64,
) -> MutantStatus {
    // The first test that kills the mutant decides; the budget is checked before each run.
    for (unit, test, name) in tests {
        if interp.steps() >= steps {
            return MutantStatus::NotRun;
        }
        if interp.is_noticed(*unit, mutant, &test.inputs, &test.execution) {
            return MutantStatus::Killed { test: name.clone() };
        }
    }
    // Survivors that the search proved equivalent are no weakness of the suite.
    match equivalent
        .iter()
        .find(|(m, _)| *m == mutant.mutant.mutation)
    {
        Some((_, Equivalence::Proved)) => MutantStatus::Equivalent,
        Some((_, Equivalence::WithinBounds { scope })) => MutantStatus::EquivalentWithin {
            bounds: scope.to_string(),
        },
        None if tests.is_empty() => MutantStatus::Untested {
            reason: why_untested(),
        },
        None => MutantStatus::Survived,
    }
}

/// Runs mutants on the inputs of their own units' tests, and checks them against their contracts.
pub fn contracts(
    program: &ir::Program,
    sources: &SourceMap,
    (units, solved): (&[Unit], &[Solved]),
    asked: Asked<'_>,
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> ContractsReport {
    let index: SortedMap<CallableId, usize> = units
        .iter()
        .enumerate()
        .map(|(i, u)| (u.callable, i))
        .collect();
    // Only the unit's own tests are tried: the question is about its contract.
    let look = |unit: &Unit| {
        let interp = Interp::new(program, asked.limits);
        let own = index.get(&unit.callable).and_then(|i| solved.get(*i));
        let tests = own.map_or(&[][..], |s| s.result.tests.as_slice());
        let mutants = asked.mutants_of(&interp, unit.callable);
        mutants
            .map(|m| contract_mutant(&interp, sources, &m, tests, asked.steps))
            .collect::<Vec<_>>()
    };
    let found = in_parallel("contracts", program, asked.units, jobs, &look, done);
    let mut report = ContractsReport::default();
    for (unit, mutants) in asked.units.iter().zip(found) {
        match mutants {
            Ok(mutants) => report.append(ContractsReport {
                units: vec![mutants],
                failed: Vec::new(),
            }),
            Err(stopped) => report.failed.push((unit.path.clone(), stopped.to_string())),
        }
    }
    report
}

fn contract_mutant(
    interp: &Interp<'_>,
    sources: &SourceMap,
    mutant: &Runnable,
    tests: &[TestCase],
    steps: u64,
) -> ContractMutant {
    let (program, mutation) = (interp.program(), &mutant.mutant.mutation);
    let callable = mutant.mutant.callable;
    let unit = program.typed.callable_path(callable).to_string();
    let what = describe::mutation(mutation, sources);
    let callee = &program.typed[callable];
    let has_postcondition = program
        .contracts
        .get(&callable)
        .is_some_and(|c| !c.ensures.is_empty());
    let is_transparent =
        matches!(callee.body, Body::Expr(_)) && !callee.opaque && !has_postcondition;
    let mut status = match (is_transparent, tests.is_empty()) {
        (true, _) => ContractStatus::Transparent,
        (false, true) => ContractStatus::NotDecided,
        (false, false) => ContractStatus::Same,
    };
    for test in tests.iter().filter(|_| !is_transparent) {
        let inputs = || describe::inputs(program, callable, &test.inputs);
        let by = if interp.steps() < steps {
            interp.by_contract(test.unit, mutant, &test.inputs, &test.execution)
        } else {
            ByContract::Unknown
        };
        match by {
            ByContract::Refused => {
                status = ContractStatus::Refused { inputs: inputs() };
                break;
            }
            ByContract::Unknown => status = ContractStatus::NotDecided,
            ByContract::Allowed(other) if status == ContractStatus::Same => {
                let gives = |e: &Execution| outcome(program, callable, &test.inputs, e);
                status = ContractStatus::Allowed {
                    inputs: inputs(),
                    unit_gives: gives(&test.execution),
                    mutant_gives: gives(&other),
                };
            }
            ByContract::Allowed(_) | ByContract::Same => {}
        }
    }
    // The inputs of the suite may satisfy the contract by accident, so parts of them and random ones
    // are tried before the contract is called too weak.
    if matches!(status, ContractStatus::Allowed { .. })
        && let Some(inputs) = refuted_on_parts(interp, mutant, tests, steps)
            .or_else(|| refuted_at_random(interp, mutant, steps))
    {
        status = ContractStatus::Refused {
            inputs: describe::inputs(program, callable, &inputs),
        };
    }
    let diagnostic = match &status {
        ContractStatus::Allowed {
            inputs,
            unit_gives,
            mutant_gives,
        } => {
            let with = if inputs.is_empty() {
                "no inputs".to_owned()
            } else {
                inputs.join(", ")
            };
            let that = if is_clause(mutation.kind) {
                "that "
            } else {
                ""
            };
            let message = format!("the contract of `{unit}` allows {that}{what}");
            let allowed = Diagnostic::warning(MessageId::MutantsContract, mutation.span, message)
                .with_label("changed, and every `ensures` holds");
            Some(allowed.with_note(format!(
                "with {with}: {unit_gives}; changed: {mutant_gives}"
            )))
        }
        ContractStatus::Refused { .. }
        | ContractStatus::Same
        | ContractStatus::Transparent
        | ContractStatus::NotDecided => None,
    };
    ContractMutant {
        unit,
        place: Place::of(sources, mutation.span),
        operator: mutation.kind,
        what,
        status,
        diagnostic,
    }
}

/// Number of random inputs, the same for each mutant of a unit, that are tried before a contract is
/// reported to allow a mutant.
const TRIED: usize = 300;

/// Returns inputs of a test with a part of an argument instead of the argument, on which a mutant
/// violates the contract of its unit: recursive code treats the parts like the whole.
fn refuted_on_parts(
    interp: &Interp<'_>,
    mutant: &Runnable,
    tests: &[TestCase],
    steps: u64,
) -> Option<Inputs> {
    let typed = &interp.program().typed;
    for test in tests {
        for (at, whole) in test.inputs.args.iter().enumerate() {
            let Value::Datatype(data) = whole else {
                continue;
            };
            let datatype = typed[data.ctor].datatype;
            let is_alike = |part: &&Value| matches!(part, Value::Datatype(d) if typed[d.ctor].datatype == datatype);
            for part in whole.within().skip(1).filter(is_alike) {
                let mut inputs = test.inputs.clone();
                if let Some(arg) = inputs.args.get_mut(at) {
                    *arg = part.clone();
                }
                if is_refuted_on(interp, mutant, &inputs, steps) {
                    return Some(inputs);
                }
            }
        }
    }
    None
}

/// Whether a mutant violates the contract of its unit on valid inputs.
fn is_refuted_on(interp: &Interp<'_>, mutant: &Runnable, inputs: &Inputs, steps: u64) -> bool {
    let unit = mutant.mutant.callable;
    if interp.steps() >= steps || !interp.check_inputs(unit, inputs).verdict().is_true() {
        return false;
    }
    let execution = interp.run(unit, inputs);
    execution.deterministic
        && matches!(execution.outcome, Outcome::Returned(_))
        && matches!(
            interp.by_contract(unit, mutant, inputs, &execution),
            ByContract::Refused
        )
}

/// Returns random inputs on which a mutant violates the contract of its unit.
fn refuted_at_random(interp: &Interp<'_>, mutant: &Runnable, steps: u64) -> Option<Inputs> {
    let unit = mutant.mutant.callable;
    let mut random = Random::new(interp.program(), interp, unit, 7)?;
    for _ in 0..TRIED {
        let inputs = random.inputs().filter(|_| interp.steps() < steps)?;
        if is_refuted_on(interp, mutant, &inputs, steps) {
            return Some(inputs);
        }
    }
    None
}

/// Describes the outcome of an execution: results, and the changes of existing objects.
fn outcome(
    program: &ir::Program,
    unit: CallableId,
    inputs: &Inputs,
    execution: &Execution,
) -> String {
    let Outcome::Returned(values) = &execution.outcome else {
        return "it does not return".to_owned();
    };
    // Results, and objects that the execution changed.
    let mut parts = describe::results(program, unit, &inputs.type_args, values, &execution.heap);
    let before = describe::inputs(program, unit, inputs);
    let after = describe::inputs(
        program,
        unit,
        &Inputs {
            heap: execution.heap.clone(),
            ..inputs.clone()
        },
    );
    parts.extend(
        before
            .into_iter()
            .zip(after)
            .filter(|(b, a)| b != a)
            .map(|(_, a)| format!("{a} then")),
    );
    if parts.is_empty() {
        "nothing changes".to_owned()
    } else {
        parts.join(", ")
    }
}

/// The name of a mutation operator, as in JSON.
fn name(kind: MutationKind) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// Whether the description of a mutation of this kind is a clause rather than a noun phrase.
fn is_clause(kind: MutationKind) -> bool {
    matches!(kind, MutationKind::Statement | MutationKind::Default)
}

fn describe_mutant(
    program: &ir::Program,
    sources: &SourceMap,
    mutant: &Mutant,
    (status, key): (MutantStatus, Key),
) -> MutantReport {
    let mutation = &mutant.mutation;
    let unit = program.typed.callable_path(mutant.callable).to_string();
    let what = describe::mutation(mutation, sources);
    let message = format!(
        "no test of `{unit}` notices {}{what}",
        if is_clause(mutation.kind) {
            "that "
        } else {
            ""
        }
    );
    let label = match (mutation.kind, describe::instead(mutation, sources)) {
        (MutationKind::Statement, _) => "removed, and every test passes".to_owned(),
        (MutationKind::Default, _) => "has no effect, and every test passes".to_owned(),
        (_, instead) if instead.is_empty() => "changed, and every test passes".to_owned(),
        (_, instead) => format!("with `{instead}` here, every test passes"),
    };
    let diagnostic =
        Diagnostic::warning(MessageId::MutantsSurvived, mutation.span, message).with_label(label);
    let replacement = describe::replacement(mutation, sources)
        .and_then(|text| Replacement::new(mutation.span, text, sources));
    MutantReport {
        unit,
        place: Place::of(sources, mutation.span),
        key,
        allowed: None,
        operator: mutation.kind,
        what,
        status,
        diagnostic,
        replacement,
    }
}
