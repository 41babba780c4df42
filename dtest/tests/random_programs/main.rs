//! Random programs by profile: each profile has its features, and the known bugs of Dafny 4.11.0
//! are reached and can be reduced to small programs.
//!
//! `DTEST_KNOWN_PROGRAMS=5000 cargo test -p dtest --test random_programs -- --nocapture reached`
//! prints the number of programs until each bug is reached.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bugs;

use std::sync::Arc;

use bugs::{BUGS, Bug};
use dafny_random::{Profile, Shape, program, reduce_tree};
use dafny_rewrite::{Dialect, Subject};
use dtest::fuzz::options_of_random;
use dtest::fuzz::own::{End, run};
use dtest_sorted::SortedMap;

fn text(seed: u64, profile: Profile) -> String {
    program(
        seed,
        Shape {
            profile,
            ..Shape::of(seed)
        },
    )
}

fn subject(text: &str) -> Option<Subject> {
    let options = options_of_random(text);
    Subject::new(text, &options, Subject::syntax_of(&options), Dialect::Four).ok()
}

/// The number of programs, if it is set.
fn asked() -> Option<u64> {
    std::env::var("DTEST_KNOWN_PROGRAMS")
        .ok()
        .and_then(|v| v.parse().ok())
}

/// For each bug that `wanted` selects, finds the first program of its profile for which `shows`
/// holds, with its number.
fn reached(
    limit: u64,
    wanted: &dyn Fn(&Bug) -> bool,
    shows: &dyn Fn(&Bug, &Subject) -> bool,
) -> SortedMap<u32, (u64, String)> {
    let mut found = SortedMap::new();
    for profile in Profile::ALL {
        let of_profile: Vec<&Bug> = BUGS
            .iter()
            .filter(|b| b.profile == profile && wanted(b))
            .collect();
        for seed in 0..limit {
            if of_profile.iter().all(|b| found.contains_key(&b.number)) {
                break;
            }
            let subject = subject(&text(seed, profile))
                .unwrap_or_else(|| panic!("{} {seed} does not resolve", profile.name()));
            for bug in &of_profile {
                if !found.contains_key(&bug.number) && shows(bug, &subject) {
                    found.insert(bug.number, (seed + 1, subject.text().to_owned()));
                }
            }
        }
    }
    found
}

/// Whether a program shows a bug and runs to its end. A backend with the bug crashes on it, and
/// agrees with the interpreter on other programs.
fn shows_running(bug: &Bug, subject: &Subject) -> bool {
    let ends = || {
        run(&dtest_lower::lower(Arc::new(subject.program().clone())))
            .is_ok_and(|r| r.end == End::Returned)
    };
    (bug.shows)(subject) && ends()
}

#[test]
fn every_profile_draws_programs_that_resolve() {
    for profile in Profile::ALL {
        for seed in 0..25 {
            let text = text(seed, profile);
            assert!(
                subject(&text).is_some(),
                "{} {seed}:\n{text}",
                profile.name()
            );
        }
    }
}

#[test]
fn nothing_is_left_open_in_deterministic_programs() {
    for seed in 0..60 {
        let text = text(seed, Profile::Deterministic);
        let options = dafny_resolve::typed::Options {
            enforce_determinism: true,
            ..options_of_random(&text)
        };
        if let Err(dafny_rewrite::Error::Wrong(why)) =
            Subject::new(&text, &options, Subject::syntax_of(&options), Dialect::Four)
        {
            panic!("{seed}: {:?}\n{text}", why.first());
        }
    }
}

#[test]
fn the_bugs_of_dafny_4_11_are_reached() {
    // The last bug takes more programs than a test should generate.
    let wanted = |b: &Bug| b.number < 24 || asked().is_some();
    let found = reached(asked().unwrap_or(600), &wanted, &|bug, subject| {
        (bug.shows)(subject)
    });
    found
        .iter()
        .for_each(|(bug, (programs, _))| println!("bug {bug}: program {programs}"));
    let missing: Vec<u32> = BUGS
        .iter()
        .filter(|b| wanted(b) && !found.contains_key(&b.number))
        .map(|b| b.number)
        .collect();
    assert!(missing.is_empty(), "not reached: {missing:?}");
}

/// Returns the programs of the page with their numbers and their output.
fn page() -> Vec<(u32, String, String)> {
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/found-in-dafny-4.11.md"
    ))
    .unwrap();
    let chapters = page.split("```dafny file=found/").skip(1);
    let block = |text: &str| text.split("```").next().unwrap().to_owned();
    chapters
        .map(|c| {
            let (number, rest) = c.split_once(".dfy\n").unwrap();
            (
                number.parse().unwrap(),
                block(rest),
                block(rest.split_once("```text\n").unwrap().1),
            )
        })
        .collect()
}

#[test]
fn the_programs_of_the_page_show_their_bugs_and_print_the_documented_output() {
    let page = page();
    assert_eq!(
        page.iter().map(|(n, ..)| *n).collect::<Vec<_>>(),
        BUGS.map(|b| b.number)
    );
    for ((number, text, printed), bug) in page.iter().zip(&BUGS) {
        let subject = subject(text).unwrap_or_else(|| panic!("{number} does not resolve"));
        assert!((bug.shows)(&subject), "{number} does not show it");
        let done = run(&dtest_lower::lower(Arc::new(subject.program().clone())))
            .unwrap_or_else(|why| panic!("{number} does not run: {why:?}"));
        assert_eq!(
            (&done.printed, done.end),
            (printed, End::Returned),
            "{number}"
        );
    }
}

/// `DTEST_KNOWN_PROGRAMS` selects all bugs, not only those that are reduced quickly.
#[test]
fn programs_that_show_a_bug_become_as_small_as_the_reports() {
    let wanted = |b: &Bug| asked().is_some() || matches!(b.number, 2 | 6 | 7);
    let found = reached(asked().unwrap_or(600), &wanted, &shows_running);
    let mut large = Vec::new();
    for bug in BUGS.iter().filter(|b| wanted(b)) {
        let (_, first) = found.get(&bug.number).expect("it is reached");
        let syntax = Subject::syntax_of(&options_of_random(first));
        let small = reduce_tree(first, syntax, &mut |text| {
            subject(text).is_some_and(|s| shows_running(bug, &s))
        });
        let tokens = |text: &str| dafny_syntax::lex(0, text).tokens.len();
        println!(
            "bug {}: {} tokens of {}, at most {}\n{small}",
            bug.number,
            tokens(&small),
            tokens(first),
            2 * bug.tokens
        );
        large.extend((tokens(&small) > 2 * bug.tokens).then_some((bug.number, tokens(&small))));
    }
    assert!(large.is_empty(), "{large:?}");
}
