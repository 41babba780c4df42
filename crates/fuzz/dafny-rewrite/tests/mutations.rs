//! Tests of the mutations on the programs beside this file: one snapshot per mutation, and
//! properties of all results.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "tests"
)]

use dafny_resolve::typed::Options;
use dafny_rewrite::{Chain, Dialect, Mutation, Subject};

/// The programs by name.
fn programs() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|p| {
            (
                p.file_stem().unwrap().to_string_lossy().into_owned(),
                std::fs::read_to_string(p).unwrap(),
            )
        })
        .collect()
}

fn subject(text: &str) -> Subject {
    let options = Options::default();
    Subject::new(text, &options, Subject::syntax_of(&options), Dialect::Four)
        .unwrap_or_else(|e| panic!("{e:?}"))
}

fn chain(order: usize, seed: u64, mutations: &[Mutation]) -> Chain {
    Chain {
        order,
        seed,
        mutations: mutations.to_vec(),
    }
}

#[test]
fn mutations_match_their_snapshots() {
    for mutation in Mutation::ALL {
        let mut shown = String::new();
        for (name, text) in programs() {
            let subject = subject(&text);
            for seed in 0..3 {
                let new = subject.chain(&chain(1, seed, &[*mutation]));
                assert!(new.unfit.is_empty(), "{}: {:?}", mutation.name(), new.unfit);
                for step in &new.steps {
                    shown += &format!(
                        "// {name}, seed {seed}: {step}\n{}\n",
                        changed(&dafny_syntax::file_to_string(subject.file()), &new.text)
                    );
                }
            }
        }
        insta::assert_snapshot!(mutation.name(), shown);
    }
}

/// The added and removed lines, each with the lines around it.
fn changed(old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count()
        .min(a.len() - front)
        .min(b.len() - front);
    b[front.saturating_sub(1)..(b.len() - back + 1).min(b.len())].join("\n")
}

#[test]
fn chains_of_all_mutations_resolve_and_are_functions_of_the_seed() {
    for (name, text) in programs() {
        let subject = subject(&text);
        for seed in 0..12 {
            let of = chain(8, seed, Mutation::ALL);
            let new = subject.chain(&of);
            assert!(new.unfit.is_empty(), "{name} {seed}: {:#?}", new.unfit);
            assert_eq!(new, subject.chain(&of), "{name} {seed}");
            assert_eq!(new, subject.replay(&new.steps), "{name} {seed}");
            self::subject(&new.text);
        }
    }
}

#[test]
fn orders_are_drawn_as_the_thesis_draws_them() {
    let mut rng = dafny_rewrite::Random::new(1);
    let orders: Vec<usize> = (0..10_000)
        .map(|_| dafny_rewrite::draw_order(100, &mut rng))
        .collect();
    let share =
        |low: usize, high: usize| orders.iter().filter(|o| (low..=high).contains(*o)).count() / 100;
    assert_eq!(
        [share(1, 10), share(11, 50), share(51, 90), share(91, 100)]
            .iter()
            .sum::<usize>()
            / 10,
        9
    );
    assert!(
        (18..=22).contains(&share(1, 10)) && (47..=53).contains(&share(11, 50)),
        "{orders:?}"
    );
    assert!((0..100).all(|_| (1..=3).contains(&dafny_rewrite::draw_order(3, &mut rng))));
}

#[test]
fn no_function_joins_a_class_whose_members_all_require_valid() {
    let subject = subject(
        "class {:autocontracts} Pair {
           var a: int  var b: int
           ghost predicate Valid() { a < b }
           constructor () { a := 0; b := 1; }
           method Move(d: nat) { a := a + d; b := b + d; }
         }",
    );
    for seed in 0..20 {
        let new = subject.chain(&chain(2, seed, &[Mutation::ExprToFunc]));
        assert!(
            !new.steps.is_empty() && !new.text.contains("this.F"),
            "{}",
            new.text
        );
    }
}
