//! `cargo dev rewrite`: rewrites the programs of a corpus, or random ones, and compares every unit
//! of a rewritten program with the original, on the inputs that the search finds.
//!
//! `cargo dev rewrite [--count N] [--order N] [--mutations A,B] [--each] [--programs N] [--check]
//! [--seed S] [--limit N] [--filter TEXT] [--show] [--alone] [--dialect 2|4] [--function-syntax N]
//! [--random N] [--part I/N] [DIR-OR-FILE…]`
//!
//! `--each` applies one mutation after the other, each `--count` times with `--order`, to
//! `--programs` of the programs with a place for it. `--alone` only resolves the results. `--check`
//! also searches both programs for violations. `--random N` draws N programs. `--part I/N` takes
//! every N-th program.

use crate::Args;
use crate::support;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dafny_random::Shape;
use dafny_rewrite::{Chain, Dialect, Mutation, Subject, one_file};
use dtest::cli::args::DafnyArgs;
use dtest::fuzz::options_of_random;
use dtest::fuzz::own::Checked;
use dtest::pipeline::equivalent::{Comparison, Twins};
use dtest_interp::{Inputs, Limits};
use dtest_search::{Options as SearchOptions, search_unit};
use dtest_sorted::SortedMap;

/// The results of one mutation, or of all if they are combined.
#[derive(Default)]
struct Row {
    programs: usize,
    rewritten: usize,
    steps: usize,
    unfit: usize,
    units: usize,
    same: usize,
    open: usize,
    different: usize,
    checked: usize,
    verdicts: usize,
    time: Duration,
}

#[derive(Default)]
struct Totals {
    programs: usize,
    skipped: usize,
    rows: SortedMap<&'static str, Row>,
    open: SortedMap<String, usize>,
}

struct Asked {
    count: u64,
    order: usize,
    seed: u64,
    mutations: Vec<Mutation>,
    each: bool,
    programs: usize,
    show: bool,
    alone: bool,
    check: bool,
    dialect: Dialect,
}

pub(crate) fn run(mut args: Args) {
    let mut asked = Asked {
        count: 1,
        order: 1,
        seed: 0,
        mutations: Mutation::ALL.to_vec(),
        each: false,
        programs: usize::MAX,
        show: false,
        alone: false,
        check: false,
        dialect: Dialect::Four,
    };
    let (mut limit, mut filter, mut paths) = (usize::MAX, String::new(), Vec::new());
    let (mut random, mut part, mut parts) = (0, 0, 1);
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|v| v.parse().ok()).unwrap_or(1);
        match arg.as_str() {
            "--count" => asked.count = number(),
            "--order" => asked.order = number() as usize,
            "--seed" => asked.seed = number(),
            "--limit" => limit = number() as usize,
            "--programs" => asked.programs = number() as usize,
            "--random" => random = number(),
            "--part" => {
                let text = args.next().unwrap_or_default();
                let both = text
                    .split_once('/')
                    .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                (part, parts) = both.unwrap_or((0, 1));
            }
            "--each" => asked.each = true,
            "--show" => asked.show = true,
            "--alone" => asked.alone = true,
            "--check" => asked.check = true,
            "--dialect" => {
                asked.dialect = if number() == 2 {
                    Dialect::Two
                } else {
                    Dialect::Four
                }
            }
            "--filter" => filter = args.next().unwrap_or_default(),
            "--mutations" => {
                let names = args.next().unwrap_or_default();
                asked.mutations = names.split(',').filter_map(Mutation::named).collect();
            }
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut jobs = support::all_jobs(&paths, &settings, false);
    jobs.retain(|j| j.name().contains(&filter));
    let mut totals = Totals::default();
    // Programs of the paths, then random ones. `--part` takes every `parts`-th program.
    for job in jobs.into_iter().take(limit).skip(part).step_by(parts) {
        match of_job(&job, asked.dialect) {
            Some(subject) => program(&job.name(), &subject, &asked, &mut totals),
            None => totals.skipped += 1,
        }
        if totals.programs.is_multiple_of(100) {
            report(&totals);
        }
    }
    for seed in (asked.seed..asked.seed + random).skip(part).step_by(parts) {
        let text = dafny_random::program(seed, Shape::of(seed));
        let options = options_of_random(&text);
        match Subject::new(&text, &options, Subject::syntax_of(&options), asked.dialect) {
            Ok(subject) => program(&format!("random {seed}"), &subject, &asked, &mut totals),
            Err(_) => totals.skipped += 1,
        }
        if (seed + 1).is_multiple_of(200) {
            report(&totals);
        }
    }
    report(&totals);
}

fn of_job(job: &support::Job, dialect: Dialect) -> Option<Subject> {
    let support::Program {
        sources: _,
        trees,
        errors,
    } = job.load();
    let text = dafny_syntax::file_to_string(&one_file(trees));
    errors
        .is_empty()
        .then(|| {
            Subject::new(
                &text,
                &job.settings.options(),
                job.settings.syntax(),
                dialect,
            )
            .ok()
        })
        .flatten()
}

fn program(name: &str, subject: &Subject, asked: &Asked, totals: &mut Totals) {
    totals.programs += 1;
    let chains: Vec<(&'static str, Vec<Mutation>)> = if asked.each {
        asked
            .mutations
            .iter()
            .map(|m| (m.name(), vec![*m]))
            .collect()
    } else {
        vec![("all", asked.mutations.clone())]
    };
    let mut tests: Option<Tests> = None;
    for (row, mutations) in chains {
        for k in 0..asked.count {
            let of = totals.rows.entry(row).or_default();
            if of.programs >= asked.programs {
                break;
            }
            let start = Instant::now();
            let chain = Chain {
                order: asked.order,
                seed: asked.seed.wrapping_add(k),
                mutations: mutations.clone(),
            };
            let new = subject.chain(&chain);
            of.time += start.elapsed();
            for (step, why) in &new.unfit {
                of.unfit += 1;
                let shown = if asked.show {
                    why.as_str()
                } else {
                    why.lines().next().unwrap_or_default()
                };
                println!("UNFIT {name} seed {}: {step}: {shown}", chain.seed);
            }
            if new.steps.is_empty() {
                break;
            }
            of.programs += usize::from(k == 0);
            of.rewritten += 1;
            of.steps += new.steps.len();
            if asked.alone {
                continue;
            }
            let seed = tests.get_or_insert_with(|| Tests::of(subject, asked.check));
            compare(name, subject, asked, (row, &chain), seed, &new, totals);
        }
    }
}

/// The inputs of a program's units, and the verdicts of `check`.
struct Tests {
    program: dtest_ir::Program,
    inputs: Vec<(dafny_resolve::typed::CallableId, String, Vec<Inputs>)>,
    checked: Option<Checked>,
}

impl Tests {
    fn of(subject: &Subject, check: bool) -> Self {
        let program = dtest_lower::lower(Arc::new(subject.program().clone()));
        let options = SearchOptions {
            timeout: Duration::from_secs(3),
            rlimit: 200_000,
            queries: 6,
            prove: false,
            ..SearchOptions::default()
        };
        let mut inputs = Vec::new();
        for unit in dtest_lower::units::units(&program.typed, |_| true) {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                search_unit(&program, unit.callable, &options)
            }));
            let Ok(found) = found else { continue };
            let of_tests = found
                .tests
                .into_iter()
                .map(|t| t.inputs)
                .chain(found.findings.into_iter().map(|f| f.inputs));
            inputs.push((unit.callable, unit.path, of_tests.collect()));
        }
        Self {
            program,
            inputs,
            checked: check.then(|| Checked::of(subject.program().clone())),
        }
    }
}

fn compare(
    name: &str,
    subject: &Subject,
    asked: &Asked,
    (row, chain): (&'static str, &Chain),
    seed: &Tests,
    new: &dafny_rewrite::Rewritten,
    totals: &mut Totals,
) {
    let Ok(resolved) = subject.same_options(&new.text) else {
        panic!("a rewritten program that does not resolve: {}", new.text);
    };
    let other = dtest_lower::lower(Arc::new(resolved.program().clone()));
    let twins = Twins::new(&seed.program, &other);
    let steps: Vec<String> = new.steps.iter().map(ToString::to_string).collect();
    let steps = steps.join(", ");
    let of = totals.rows.entry(row).or_default();
    // Execute each unit on the same inputs in both programs.
    for (unit, path, inputs) in &seed.inputs {
        of.units += 1;
        for (i, one) in inputs.iter().enumerate() {
            match twins.compare(
                *unit,
                one,
                Limits {
                    steps: 200_000,
                    ..Limits::default()
                },
            ) {
                Comparison::Same => of.same += 1,
                Comparison::Open(why) => {
                    of.open += 1;
                    *totals
                        .open
                        .entry(why.chars().take(80).collect())
                        .or_default() += 1;
                }
                Comparison::Different(how) => {
                    of.different += 1;
                    println!(
                        "DIFFERENT {name} seed {}: `{path}`, input {i}: {how} after {steps}",
                        chain.seed
                    );
                    if asked.show {
                        println!("{}", new.text);
                    }
                    break;
                }
            }
        }
    }
    // Compare the verdicts of the checker, too.
    if let Some(before) = &seed.checked {
        of.checked += before.units();
        for d in before.against(&Checked::of(resolved.program().clone()), &steps) {
            of.verdicts += 1;
            println!("VERDICTS {name} seed {}: {}", chain.seed, d.detail);
            if asked.show {
                println!("{}", new.text);
            }
        }
    }
}

fn report(t: &Totals) {
    println!("{} programs ({} skipped)", t.programs, t.skipped);
    for (name, r) in &t.rows {
        let Row {
            programs,
            rewritten,
            steps,
            unfit,
            units,
            same,
            open,
            different,
            checked,
            verdicts,
            time,
        } = r;
        println!(
            "  {name}: {programs} programs, {rewritten} rewritten by {steps} steps in {:.1} s, {unfit} unfit; {units} units, {same} executions \
             the same, {open} open, {different} different; {checked} units checked, {verdicts} verdicts that cannot be",
            time.as_secs_f64()
        );
    }
    t.open
        .iter()
        .for_each(|(why, n)| println!("  open {n}: {why}"));
}
