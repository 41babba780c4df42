//! `check` on the programs of `dafny-claims`, which have one false claim each, and on their
//! controls.
//!
//! A program with a false claim is refused, or some obligation of it is violated or at least not
//! decided; it is never said to hold. Its control, the same program with a true claim, has no
//! violation. The programs are combined from constructs and positions by a table that does not know
//! this tool, so that a place where an obligation is not made shows without a test of its own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use dafny_claims::{Claim, Options as ClaimOptions, claims};
use dafny_resolve::typed::{GeneralTraits, Options as Resolving, Program};
use dtest_search::Options;
use dtest_search::check::{CheckResult, Verdict};

/// The number of claims of each family that are checked, evenly spaced in the table.
const PER_FAMILY: usize = 12;

/// Claims that `check` is known to accept, by family and the beginning of the name.
const NOT_FOUND_YET: [(&str, &str); 4] = [
    // A precondition that calls its own function is not executed.
    ("cycle", "requires-self"),
    // Contracts of two-state lemmas and functions are checked at their calls only.
    ("ill-defined", "decreases-twostate"),
    ("override", "requires-more-twostate"),
    // A constant that is read before the fields on which it depends are assigned is no violation by
    // itself. What is claimed about it is violated.
    ("early", "without-proof"),
];

fn options(claim: &Claim) -> Resolving {
    match claim.options {
        ClaimOptions::Default => Resolving::default(),
        ClaimOptions::General => Resolving {
            type_system_refresh: true,
            general_newtypes: true,
            general_traits: GeneralTraits::Full,
            ..Resolving::default()
        },
    }
}

/// Returns the program of a text, unless it is refused.
fn resolved(text: &str, options: Resolving) -> Option<Program> {
    let (file, syntax) = dafny_syntax::parse(0, text);
    let (typed, found) = dafny_resolve::resolve(vec![file], options);
    let mut all = syntax.iter().chain(&found);
    (!all.any(|d| d.is_error())).then_some(typed)
}

fn check(typed: Program) -> Vec<CheckResult> {
    let program = dtest::pipeline::lower(typed, dtest_ir::Criteria::obligations());
    let units = dtest_lower::units::units_with_obligations(&program.typed, |_| true);
    dtest::pipeline::check::search(
        &program,
        &units,
        &Options::default(),
        1,
        None,
        &|_, _| true,
        &|_| {},
    )
}

/// Whether `check` says of every obligation that it holds, and mentions no other violation.
fn all_holds(results: &[CheckResult]) -> bool {
    let holds = |verdict: &Verdict| match verdict {
        Verdict::Holds | Verdict::HoldsAssuming(_) | Verdict::NotReached => true,
        // A bound that is stated may exclude the only violation.
        Verdict::HoldsWithin { .. } | Verdict::Violated(_) | Verdict::Open(_) => false,
    };
    results.iter().all(|result| {
        result.others.is_empty() && result.obligations.iter().all(|(_, verdict)| holds(verdict))
    })
}

/// Whether `check` shows a violation that rests on no assumption.
fn is_violated(results: &[CheckResult]) -> bool {
    results.iter().any(|result| {
        let mut verdicts = result.obligations.iter();
        let shown = verdicts.any(|(_, v)| matches!(v, Verdict::Violated(v) if v.is_certain()));
        shown || result.others.iter().any(|v| v.is_certain())
    })
}

/// Returns claims of each family, evenly spaced in the table.
fn sample(all: &[Claim]) -> Vec<&Claim> {
    let mut families: BTreeMap<&str, Vec<&Claim>> = BTreeMap::new();
    for claim in all {
        families.entry(claim.family).or_default().push(claim);
    }
    let spaced = |claims: &Vec<&'_ Claim>| -> Vec<usize> {
        let count = PER_FAMILY.min(claims.len());
        (0..count).map(|k| k * claims.len() / count).collect()
    };
    let mut chosen = Vec::new();
    for claims in families.values() {
        chosen.extend(spaced(claims).into_iter().map(|at| claims[at]));
    }
    chosen
}

/// Runs `work` on a stack as large as the tool's own.
fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let worker = std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(work)
        .expect("a thread");
    worker.join().expect("no panic")
}

#[test]
fn no_false_claim_is_said_to_hold() {
    let accepted = on_large_stack(|| {
        let mut accepted = Vec::new();
        for claim in sample(&claims()) {
            let is_known = NOT_FOUND_YET
                .iter()
                .any(|(family, name)| claim.family == *family && claim.name.starts_with(name));
            let Some(program) = resolved(&claim.text, options(claim)).filter(|_| !is_known) else {
                continue;
            };
            if all_holds(&check(program)) {
                accepted.push(format!("{} {}\n{}", claim.family, claim.name, claim.text));
            }
        }
        accepted
    });
    assert!(accepted.is_empty(), "{}", accepted.join("\n\n"));
}

#[test]
fn no_true_claim_is_violated() {
    let violated = on_large_stack(|| {
        let mut violated = Vec::new();
        for claim in sample(&claims()) {
            let Some(program) = resolved(&claim.control, options(claim)) else {
                violated.push(format!("{} {} is refused", claim.family, claim.name));
                continue;
            };
            if is_violated(&check(program)) {
                violated.push(format!(
                    "{} {}\n{}",
                    claim.family, claim.name, claim.control
                ));
            }
        }
        violated
    });
    assert!(violated.is_empty(), "{}", violated.join("\n\n"));
}
