//! `cargo dev search`: searches tests for every unit of Dafny programs and prints the results for
//! the goals.
//!
//! `cargo dev search [--one] [--function-syntax N] [--filter TEXT] [--unit TEXT] [--verbose]
//! [--tests] [--objects] [--written] [--jobs N] DIR-OR-FILE…`
//!
//! With `--written`, a goal whose test the suite's writer rejects counts as unsupported, as in the
//! tool. With `--objects`, only units are searched whose receiver or a parameter is a reference or
//! may contain one.
//!
//! A directory with a `manifest.json` contains the programs listed there, with their options.
//! Otherwise every `.dfy` file below is a program. Only units of the named files are searched.

use crate::Args;
use crate::support;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dafny_resolve::typed::{CallableId, CallableKind, Program, Substitution, Type};
use dafny_source::SourceMap;
use dtest::cli::args::DafnyArgs;
use dtest::pipeline::Solved;
use dtest_emit::case::{SuiteOptions, TestId, TestRole, Tests};
use dtest_emit::{Placement, suite, translate};
use dtest_search::{GoalStatus, Options as SearchOptions, Spent, UnitResult, search_unit};
use dtest_sorted::SortedMap;
use dtest_value::{Contents, Heap, Object};

#[derive(Default)]
struct Totals {
    units: usize,
    goals: usize,
    covered: usize,
    proved: usize,
    at_caps: usize,
    within: usize,
    budget: usize,
    unconfirmed: usize,
    by_finding: usize,
    unsupported: usize,
    tests: usize,
    findings: usize,
    unknown_requires: usize,
    deterministic: usize,
    clauses: usize,
    clauses_true: usize,
    queries: u64,
    spent: Spent,
    encoding: f64,
    solver: f64,
    interpreter: f64,
    total: f64,
    reasons: SortedMap<String, usize>,
}

pub(crate) fn run(mut args: Args) {
    // The options and paths of the command line.
    let (mut one, mut verbose, mut show_tests, mut objects, mut written) =
        (false, false, false, false, false);
    let (mut filter, mut unit_filter, mut paths) = (String::new(), String::new(), Vec::new());
    let mut settings = DafnyArgs::default();
    let mut search = SearchOptions::default();
    let mut threads = 2;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--one" => one = true,
            "--verbose" => verbose = true,
            "--tests" => show_tests = true,
            "--objects" => objects = true,
            "--written" => written = true,
            "--transcript" => search.transcript = true,
            "--optimal" => search.minimize = dtest_search::Minimize::Optimal,
            "--no-proofs" => search.prove = false,
            "--timeout" => {
                search.timeout = std::time::Duration::from_secs(
                    args.next().and_then(|v| v.parse().ok()).unwrap_or(20),
                )
            }
            "--jobs" => threads = args.next().and_then(|v| v.parse().ok()).unwrap_or(1),
            "--filter" => filter = args.next().unwrap_or_default(),
            "--unit" => unit_filter = args.next().unwrap_or_default(),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut jobs = support::all_jobs(&paths, &settings, one);
    jobs.retain(|j| {
        j.files
            .iter()
            .any(|f| f.to_string_lossy().contains(&filter))
    });
    let mut totals = Totals::default();
    let (mut resolved, mut unresolved) = (0, 0);
    let start = Instant::now();
    print_header();
    // Search each program that resolves, print its row, and add the row to the totals.
    for job in &jobs {
        let Some((map, typed)) = job.resolve() else {
            unresolved += 1;
            continue;
        };
        resolved += 1;
        let program = dtest_lower::lower(Arc::new(typed));
        let is_named = |s: dafny_source::Span| map.file_at(s.start).is_some_and(|(_, f)| f.named);
        let mut units = dtest_lower::units::units(&program.typed, is_named);
        units.retain(|u| {
            u.path.contains(&unit_filter) && (!objects || takes_objects(&program.typed, u.callable))
        });
        let results = search_all(&program, &units, &search, threads);
        let refused = if written {
            unwritten(&program, &map, &results)
        } else {
            Unwritten::new()
        };
        let mut row = Totals::default();
        for (unit, result) in units.iter().zip(&results) {
            row.add(result, &refused);
            if verbose {
                show(&map, &program, &unit.path, result, show_tests);
            }
        }
        row.print(&job.name().to_string());
        totals.merge(&row);
    }
    println!("----");
    totals.print("total");
    println!("{resolved} programs resolved, {unresolved} not");
    totals.print_details(start.elapsed());
}

/// Prints the names of the columns.
fn print_header() {
    println!(
        "{:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>7}",
        "units",
        "goals",
        "cover",
        "prove",
        "caps",
        "bound",
        "budgt",
        "unsup",
        "unconf",
        "find",
        "tests",
        "ms"
    );
}

impl Totals {
    /// Prints the numbers that are not in the table, the resources, and the reasons of open goals.
    fn print_details(&self, wall: Duration) {
        println!(
            "{} tests with unknown preconditions, {} with one certain result; {} of {} postconditions executed",
            self.unknown_requires, self.deterministic, self.clauses_true, self.clauses
        );
        println!("{} findings, {} queries", self.findings, self.queries);
        println!(
            "encoding {:.2} s, solver {:.2} s, interpreter {:.2} s, search {:.2} s of CPU; wall {:.2} s",
            self.encoding,
            self.solver,
            self.interpreter,
            self.total,
            wall.as_secs_f64()
        );
        let Spent {
            terms,
            solver,
            instructions,
        } = self.spent;
        println!(
            "{terms} terms, {solver} of the solver's resources, {instructions} instructions: {} points",
            self.spent.points()
        );
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(r, n)| (std::cmp::Reverse(**n), (*r).clone()));
        for (reason, n) in reasons {
            println!("{n:6} {reason}");
        }
    }
}

/// The tests that cannot be written, by unit and number, with the reason.
type Unwritten = SortedMap<TestId, String>;

/// The tests that the suite's writer rejects.
fn unwritten(program: &dtest_ir::Program, map: &SourceMap, results: &[UnitResult]) -> Unwritten {
    let placement = Placement::single("src/lib.rs", "crate", "// Written to be counted.");
    let translation = translate(&program.typed, map, &placement);
    let solved: Vec<Solved> = results
        .iter()
        .map(|r| Solved::new(program, r.clone()))
        .collect();
    let cases = dtest::pipeline::cases(program, map, &solved, false);
    let options = SuiteOptions {
        header: "// Written to be counted.".into(),
        subject: "subject".into(),
        is_translation: true,
        official: None,
        directory: "tests/dtest".into(),
    };
    let suite = suite(
        &program.typed,
        map,
        &placement,
        &translation,
        &Tests {
            cases: &cases,
            declared: &[],
            datatypes: &[],
            classes: &[],
        },
        &options,
    );
    dtest::pipeline::unwritten(&suite)
        .into_iter()
        .map(|(id, reason)| (id, format!("not written: {reason}")))
        .collect()
}

/// Whether the receiver or a parameter of a callable is a reference or may contain one, with
/// numbers as type arguments.
fn takes_objects(program: &Program, id: CallableId) -> bool {
    let callable = &program[id];
    let params = program.all_type_params(id);
    let subst: Substitution = params.iter().map(|p| (*p, Type::Int)).collect();
    let receiver = callable
        .owner
        .filter(|_| !callable.is_static && callable.kind != CallableKind::Constructor);
    let receiver = receiver.map(|t| {
        Type::named(
            t,
            program[t]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect(),
        )
    });
    let types = receiver
        .into_iter()
        .chain(callable.ins.iter().map(|f| program[f.local].ty.clone()));
    types
        .into_iter()
        .any(|t| !program.holds_no_references(&t.subst(&subst)))
}

/// Searches units in parallel. Returns the results in the order of the units.
fn search_all(
    program: &dtest_ir::Program,
    units: &[dtest_lower::units::Unit],
    options: &SearchOptions,
    threads: u32,
) -> Vec<UnitResult> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, UnitResult)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut out = Vec::new();
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(unit) = units.get(i) else { return out };
                        out.push((i, search_unit(program, unit.callable, options)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap_or_default())
            .collect()
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, r)| r).collect()
}

/// The objects of a heap with their contents, by number.
fn heap(program: &dtest_ir::Program, heap: &Heap) -> String {
    let object = |(i, o): (usize, &Object)| {
        let contents = match &o.contents {
            Contents::Fields(fields) => fields
                .iter()
                .map(|(f, v)| format!("{}: {v:?}", program.typed[*f].name))
                .collect(),
            Contents::Elements(elements) => {
                vec![format!("{:?} {:?}", elements.dims(), &**elements)]
            }
        };
        format!(
            "{i}: {} {{{}}}",
            program.typed.show_type(&o.ty),
            contents.join(", ")
        )
    };
    heap.objects
        .iter()
        .enumerate()
        .map(object)
        .collect::<Vec<_>>()
        .join("; ")
}

fn show(map: &SourceMap, program: &dtest_ir::Program, path: &str, r: &UnitResult, tests: bool) {
    let ms = r.times.total.as_secs_f64() * 1000.0;
    let Spent {
        terms,
        solver,
        instructions,
    } = r.spent;
    println!(
        "  {path}: {} goals, {} tests, {} queries, {ms:.0} ms; {terms} terms, {solver} solver, {instructions} interpreter",
        r.goals.len(),
        r.tests.len(),
        r.queries
    );
    for (block, status) in &r.goals {
        if !status.is_covered() {
            let goal = program.goal(r.unit, *block);
            let at = goal.map_or_else(String::new, |g| {
                format!(
                    "{} {:?}",
                    map.locate(g.span),
                    map.text(g.span).chars().take(40).collect::<String>()
                )
            });
            println!("    {status:?}: {block:?} {at}");
        }
    }
    for note in r
        .notes
        .iter()
        .filter(|n| n.contains("internal") || n.contains("tests: "))
    {
        println!("    NOTE {note}");
    }
    for f in &r.findings {
        println!(
            "    finding: {:?} at {}: {} with {:?}",
            f.failure.kind,
            map.locate(f.failure.span),
            f.failure.message,
            f.inputs.args
        );
    }
    if tests {
        for t in &r.tests {
            println!(
                "    test {:?} covers {:?} heap {} {:?} -> {:?}",
                t.goal,
                t.covers,
                heap(program, &t.inputs.heap),
                t.inputs.args,
                t.execution.outcome
            );
        }
    }
    if let Some(text) = &r.transcript {
        println!("{text}");
    }
}

impl Totals {
    fn add(&mut self, r: &UnitResult, refused: &Unwritten) {
        self.units += 1;
        self.goals += r.goals.len();
        self.tests += r.tests.len();
        self.findings += r.findings.len();
        for t in &r.tests {
            self.unknown_requires += usize::from(t.requires.iter().any(|c| !c.truth.is_true()));
            self.deterministic += usize::from(t.deterministic);
            self.clauses += t.ensures.len();
            self.clauses_true += t.ensures.iter().filter(|c| c.truth.is_true()).count();
        }
        self.queries += r.queries;
        self.spend(r.spent);
        self.encoding += r.times.encoding.as_secs_f64();
        self.solver += r.times.solver.as_secs_f64();
        self.interpreter += r.times.interpreter.as_secs_f64();
        self.total += r.times.total.as_secs_f64();
        for (_, status) in &r.goals {
            match status {
                GoalStatus::Covered(test) => match refused.get(&TestId {
                    unit: r.unit,
                    role: TestRole::Covering(*test),
                }) {
                    Some(reason) => self.refuse(reason.clone()),
                    None => self.covered += 1,
                },
                GoalStatus::OnlyByFinding(_) => self.by_finding += 1,
                GoalStatus::OnlyByChoice => {
                    *self
                        .reasons
                        .entry("only by another choice".into())
                        .or_default() += 1
                }
                GoalStatus::UnreachableProved { .. } => self.proved += 1,
                GoalStatus::UnreachableGiven { .. } => {
                    *self
                        .reasons
                        .entry("given what is assumed".into())
                        .or_default() += 1
                }
                GoalStatus::UnreachableAtCaps { .. } => self.at_caps += 1,
                GoalStatus::UnreachableWithinBounds { .. } => self.within += 1,
                GoalStatus::PathsLeft { .. } | GoalStatus::Cut(_) | GoalStatus::OutOfBudget(_) => {
                    self.budget += 1
                }
                GoalStatus::NotConfirmed => self.unconfirmed += 1,
                GoalStatus::Unsupported(reason) => self.refuse(reason.to_string()),
            }
        }
    }

    fn refuse(&mut self, reason: String) {
        self.unsupported += 1;
        *self.reasons.entry(reason).or_default() += 1;
    }

    fn spend(&mut self, spent: Spent) {
        self.spent.terms += spent.terms;
        self.spent.solver += spent.solver;
        self.spent.instructions += spent.instructions;
    }

    fn merge(&mut self, o: &Totals) {
        self.units += o.units;
        self.goals += o.goals;
        self.covered += o.covered;
        self.proved += o.proved;
        self.at_caps += o.at_caps;
        self.within += o.within;
        self.budget += o.budget;
        self.unconfirmed += o.unconfirmed;
        self.by_finding += o.by_finding;
        self.unsupported += o.unsupported;
        self.tests += o.tests;
        self.findings += o.findings;
        self.unknown_requires += o.unknown_requires;
        self.deterministic += o.deterministic;
        self.clauses += o.clauses;
        self.clauses_true += o.clauses_true;
        self.queries += o.queries;
        self.spend(o.spent);
        self.encoding += o.encoding;
        self.solver += o.solver;
        self.interpreter += o.interpreter;
        self.total += o.total;
        for (reason, n) in &o.reasons {
            *self.reasons.entry(reason.clone()).or_default() += n;
        }
    }

    fn print(&self, name: &str) {
        println!(
            "{:5} {:5} {:5} {:5} {:5} {:5} {:5} {:5} {:5} {:5} {:5} {:7.0} {name}",
            self.units,
            self.goals,
            self.covered,
            self.proved,
            self.at_caps,
            self.within,
            self.budget,
            self.unsupported,
            self.unconfirmed,
            self.by_finding,
            self.tests,
            self.total * 1000.0
        );
    }
}
