//! The interpreter and the translation agree on random well-typed programs, and on programs on
//! which they once disagreed.
//!
//! `DTEST_AGREEMENT_PROGRAMS=10000 cargo test -p dtest --test agreement -- --nocapture random` runs
//! that many programs. `DTEST_DEAD_PROGRAMS=2000 cargo test -p dtest --test agreement --
//! --nocapture claimed` validates claims about all executions in that many programs, and prints its
//! progress after every hundred (use `--release` for thousands). `DTEST_AGREEMENT_SEED` sets the
//! first seed, `DTEST_AGREEMENT_REDUCE=1` reduces disagreements, and `DTEST_AGREEMENT_OUT` names a
//! directory for them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod driver;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use dafny_random::{Shape, program, reduce};
use driver::{Bench, Verdict, prepare_all};
use dtest::fuzz::claims::{self, Tally};
use dtest::fuzz::options_of_random;
use dtest_sorted::SortedMap;

/// Number of programs per crate.
const BATCH: u64 = 250;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

#[test]
fn random_programs_print_the_same_on_both_roads() {
    let (count, first) = (
        number("DTEST_AGREEMENT_PROGRAMS", 40),
        number("DTEST_AGREEMENT_SEED", 0),
    );
    let bench = Bench::new("agreement");
    let out = std::env::var("DTEST_AGREEMENT_OUT").ok();
    let mut kinds: SortedMap<String, Vec<u64>> = SortedMap::new();
    let (mut too_long, mut broken, mut shown) = (0, 0, 0);
    // While one batch is compiled, the next one is generated and interpreted.
    let (sender, batches) = std::sync::mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let mut start = first;
        while start < first + count {
            let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
            start += BATCH;
            let programs: Vec<String> = seeds.iter().map(|&s| program(s, Shape::of(s))).collect();
            let prepared = prepare_all(&programs);
            if sender.send((seeds, programs, prepared)).is_err() {
                return;
            }
        }
    });
    let mut done = 0;
    for (seeds, programs, prepared) in batches {
        done += seeds.len();
        for ((seed, text), verdict) in seeds.iter().zip(&programs).zip(bench.finish(prepared)) {
            let d = match verdict {
                // The generator guards partial operations, so a program fails only if its shape
                // says so.
                Verdict::Agrees { broken: true, note } if !Shape::of(*seed).fails => {
                    driver::Disagreement {
                        kind: "ill-defined".into(),
                        detail: note,
                    }
                }
                Verdict::Agrees { broken: b, .. } => {
                    broken += usize::from(b);
                    continue;
                }
                Verdict::TooLong => {
                    too_long += 1;
                    continue;
                }
                Verdict::Disagrees(d) => d,
            };
            println!("seed {seed}: {}: {}", d.kind, d.detail);
            let of_kind = kinds.entry(d.kind.clone()).or_default();
            of_kind.push(*seed);
            if let Some(out) = &out {
                std::fs::create_dir_all(out).unwrap();
                std::fs::write(Path::new(out).join(format!("{seed}.dfy")), text).unwrap();
                if number("DTEST_AGREEMENT_REDUCE", 0) > 0 && of_kind.len() <= 2 && shown < 30 {
                    shown += 1;
                    let same = |v: &Verdict| matches!(v, Verdict::Disagrees(other) if other.kind == d.kind);
                    let small = reduce(text, &mut |texts| {
                        bench.judge(texts).iter().map(same).collect()
                    });
                    std::fs::write(Path::new(out).join(format!("{seed}.small.dfy")), small)
                        .unwrap();
                }
            }
        }
        println!("{done} programs done: {kinds:?}");
    }
    assert_eq!(done as u64, count, "programs were lost on the way");
    println!(
        "{count} programs: {broken} stopped on purpose without a message, {too_long} too long"
    );
    assert!(
        too_long * 50 <= count as usize,
        "{too_long} of {count} programs take too many steps"
    );
    assert!(kinds.is_empty(), "{kinds:?}");
}

/// Writes the programs to the directory `DTEST_AGREEMENT_OUT`, for `cargo xtask corpus`, which
/// generates, compiles and runs their suites.
#[test]
#[ignore = "writes files"]
fn programs_are_written_to_a_folder() {
    let out = std::env::var("DTEST_AGREEMENT_OUT").expect("DTEST_AGREEMENT_OUT names a folder");
    let (count, first) = (
        number("DTEST_AGREEMENT_PROGRAMS", 40),
        number("DTEST_AGREEMENT_SEED", 0),
    );
    std::fs::create_dir_all(&out).unwrap();
    let mut manifest = Vec::new();
    for seed in first..first + count {
        let (path, text) = (format!("p{seed}.dfy"), program(seed, Shape::of(seed)));
        let options = text
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("// options:"))
            .unwrap_or_default();
        let flags = options
            .split_whitespace()
            .chain(["--type-system-refresh", "--general-newtypes:true"]);
        manifest.push(serde_json::json!({ "path": path, "flags": flags.collect::<Vec<_>>() }));
        std::fs::write(Path::new(&out).join(path), text).unwrap();
    }
    std::fs::write(
        Path::new(&out).join("manifest.json"),
        serde_json::Value::from(manifest).to_string(),
    )
    .unwrap();
}

/// Each of these programs once showed a disagreement, or was rejected by one of the backends.
#[test]
fn programs_on_which_the_roads_parted_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement/regressions");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    let programs: Vec<String> = paths
        .iter()
        .map(|p| std::fs::read_to_string(p).unwrap())
        .collect();
    let verdicts = Bench::new("agreement-regressions").judge(&programs);
    let mut failed = Vec::new();
    for (path, verdict) in paths.iter().zip(verdicts) {
        match verdict {
            Verdict::Agrees { broken, note } => assert!(!broken, "{}: {note}", path.display()),
            Verdict::TooLong => panic!("{} takes too many steps", path.display()),
            Verdict::Disagrees(d) => {
                failed.push(format!("{}: {}: {}", path.display(), d.kind, d.detail))
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn no_execution_of_a_random_program_refutes_a_proof() {
    let (count, first) = (
        number("DTEST_DEAD_PROGRAMS", 20),
        number("DTEST_AGREEMENT_SEED", 0),
    );
    let (next, tally, start) = (
        AtomicU64::new(first),
        Mutex::new(Tally::default()),
        Instant::now(),
    );
    // Programs are independent, so they run on all processors.
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    // Half of the programs make many nondeterministic choices.
                    let shape = Shape {
                        chooses: seed % 2 == 0,
                        ..Shape::of(seed)
                    };
                    let began = Instant::now();
                    let mut found = Tally::default();
                    // Mutants take most of the time, so only a sample has them.
                    hold_claims(&program(seed, shape), seed % 5 == 1, &mut found);
                    found
                        .wrong
                        .iter()
                        .for_each(|w| println!("seed {seed}: {w}"));
                    let mut tally = tally.lock().unwrap();
                    tally.add(found, (began.elapsed(), seed));
                    if tally.programs % 100 == 0 {
                        println!("{:.0} s: {tally}", start.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{tally}");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn hold_claims(text: &str, mutants: bool, tally: &mut Tally) {
    let options = options_of_random(text);
    let syntax = dafny_syntax::Options {
        unicode_char: options.unicode_char,
        ..dafny_syntax::Options::default()
    };
    let (file, diagnostics) = dafny_syntax::parse_with(0, text, syntax);
    let (typed, more) = dafny_resolve::resolve(vec![file], options);
    match diagnostics.iter().chain(&more).find(|d| d.is_error()) {
        Some(error) => tally
            .wrong
            .push(format!("not a program: {}\n{text}", error.message)),
        None => claims::hold(typed, text, 60, mutants, tally),
    }
}
