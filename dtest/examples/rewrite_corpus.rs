//! Rewrites the programs of a corpus, or random ones, and holds every unit of a rewritten program against the seed's, on the inputs that the
//! search finds: a tool for developers.
//!
//! `cargo run -p dtest --example rewrite_corpus -- [--count N] [--order N] [--mutations A,B] [--each] [--seed S] [--limit N]
//! [--filter TEXT] [--show] [--alone] [--dialect 2|4] [--function-syntax N] DIR-OR-FILE…`
//!
//! `--each` takes one mutation after the other, each `--count` times at `--order`. `--alone` resolves only and runs nothing.

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dafny_rewrite::{Chain, Dialect, Mutation, Subject, one_file};
use dtest::cli::settings::Settings;
use dtest::pipeline::equivalent::{Comparison, Twins};
use dtest_engine::interp::{Inputs, Limits};
use dtest_engine::search::{Options as SearchOptions, search_unit};

#[derive(Default)]
struct Totals {
    programs: usize,
    skipped: usize,
    places: usize,
    rewritten: usize,
    steps: usize,
    unfit: usize,
    units: usize,
    same: usize,
    open: BTreeMap<String, usize>,
    different: usize,
    by_mutation: BTreeMap<&'static str, (usize, usize)>,
    time: Duration,
}

struct Asked {
    count: u64,
    order: usize,
    seed: u64,
    mutations: Vec<Mutation>,
    each: bool,
    show: bool,
    alone: bool,
    dialect: Dialect,
}

fn main() {
    support::on_large_stack(run);
}

fn run() {
    let mut args = std::env::args().skip(1);
    let mut asked = Asked {
        count: 1,
        order: 1,
        seed: 0,
        mutations: Mutation::ALL.to_vec(),
        each: false,
        show: false,
        alone: false,
        dialect: Dialect::Four,
    };
    let (mut limit, mut filter, mut paths) = (usize::MAX, String::new(), Vec::new());
    let mut settings = Settings::default();
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|v| v.parse().ok()).unwrap_or(1);
        match arg.as_str() {
            "--count" => asked.count = number(),
            "--order" => asked.order = number() as usize,
            "--seed" => asked.seed = number(),
            "--limit" => limit = number() as usize,
            "--each" => asked.each = true,
            "--show" => asked.show = true,
            "--alone" => asked.alone = true,
            "--dialect" => asked.dialect = if number() == 2 { Dialect::Two } else { Dialect::Four },
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
    for job in jobs.into_iter().take(limit) {
        program(&job, &asked, &mut totals);
    }
    report(&totals);
}

fn program(job: &support::Job, asked: &Asked, totals: &mut Totals) {
    let support::Program { sources: _, trees, errors } = job.load();
    if !errors.is_empty() {
        totals.skipped += 1;
        return;
    }
    let options = job.settings.options();
    let text = dafny_syntax::file_to_string(&one_file(trees));
    let Ok(subject) = Subject::new(&text, &options, job.settings.syntax(), asked.dialect) else {
        totals.skipped += 1;
        return;
    };
    totals.programs += 1;
    let chains: Vec<Vec<Mutation>> =
        if asked.each { asked.mutations.iter().map(|m| vec![*m]).collect() } else { vec![asked.mutations.clone()] };
    let mut inputs: Option<Tests> = None;
    for mutations in chains {
        for k in 0..asked.count {
            let start = Instant::now();
            let chain = Chain { order: asked.order, seed: asked.seed.wrapping_add(k), mutations: mutations.clone() };
            let new = subject.chain(&chain);
            totals.time += start.elapsed();
            for (step, why) in &new.unfit {
                totals.unfit += 1;
                totals.by_mutation.entry(step.mutation.name()).or_default().1 += 1;
                let shown = if asked.show { why.as_str() } else { why.lines().next().unwrap_or_default() };
                println!("UNFIT {} seed {}: {step}: {shown}", job.name(), chain.seed);
            }
            if new.steps.is_empty() {
                break;
            }
            totals.rewritten += 1;
            totals.steps += new.steps.len();
            new.steps.iter().for_each(|s| totals.by_mutation.entry(s.mutation.name()).or_default().0 += 1);
            if asked.alone {
                continue;
            }
            let seed = inputs.get_or_insert_with(|| Tests::of(&subject));
            compare(job, asked, &chain, seed, &new, &options, job.settings.syntax(), totals);
        }
    }
}

/// The inputs of a program's units.
struct Tests {
    program: dtest_engine::ir::Program,
    inputs: Vec<(dafny_resolve::typed::CallableId, String, Vec<Inputs>)>,
}

impl Tests {
    fn of(subject: &Subject) -> Self {
        let program = dtest_engine::lower::lower(Arc::new(subject.program().clone()));
        let options =
            SearchOptions { timeout: Duration::from_secs(3), rlimit: 200_000, queries: 6, prove: false, ..SearchOptions::default() };
        let mut inputs = Vec::new();
        for unit in dtest_engine::lower::units::units(&program.typed, |_| true) {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| search_unit(&program, unit.callable, &options)));
            let Ok(found) = found else { continue };
            let of_tests = found.tests.into_iter().map(|t| t.inputs).chain(found.findings.into_iter().map(|f| f.inputs));
            inputs.push((unit.callable, unit.path, of_tests.collect()));
        }
        Self { program, inputs }
    }
}

#[allow(clippy::too_many_arguments)]
fn compare(
    job: &support::Job,
    asked: &Asked,
    chain: &Chain,
    seed: &Tests,
    new: &dafny_rewrite::Rewritten,
    options: &dafny_resolve::typed::Options,
    syntax: dafny_syntax::Options,
    totals: &mut Totals,
) {
    let (file, _) = dafny_syntax::parse_with(0, &new.text, syntax);
    let (typed, diagnostics) = dafny_resolve::resolve(vec![file], options.clone());
    assert!(!diagnostics.iter().any(|d| d.is_error()), "a rewritten program that does not resolve: {}", new.text);
    let other = dtest_engine::lower::lower(Arc::new(typed));
    let twins = Twins::new(&seed.program, &other);
    for (unit, path, inputs) in &seed.inputs {
        totals.units += 1;
        for (i, one) in inputs.iter().enumerate() {
            match twins.compare(*unit, one, Limits { steps: 200_000, ..Limits::default() }) {
                Comparison::Same => totals.same += 1,
                Comparison::Open(why) => *totals.open.entry(why.chars().take(80).collect()).or_default() += 1,
                Comparison::Different(how) => {
                    totals.different += 1;
                    let steps: Vec<String> = new.steps.iter().map(ToString::to_string).collect();
                    println!("DIFFERENT {} seed {}: `{path}`, input {i}: {how} after {}", job.name(), chain.seed, steps.join(", "));
                    if asked.show {
                        println!("{}", new.text);
                    }
                    break;
                }
            }
        }
    }
}

fn report(t: &Totals) {
    println!(
        "{} programs ({} skipped), {} rewritten by {} steps in {:.1} s",
        t.programs,
        t.skipped,
        t.rewritten,
        t.steps,
        t.time.as_secs_f64()
    );
    println!("{} changes did not resolve; {} places", t.unfit, t.places);
    t.by_mutation.iter().for_each(|(name, (applied, unfit))| println!("  {name}: {applied}, {unfit} unfit"));
    println!("{} units, {} executions the same, {} different", t.units, t.same, t.different);
    t.open.iter().for_each(|(why, n)| println!("  open {n}: {why}"));
}
