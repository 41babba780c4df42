//! `cargo dtest mutants`: the mutants that a suite kills, and tests for survivors.

use crate::package::Package;

/// The least of three numbers, with code in two places.
const PROGRAM: &str = "\
class Counter {
  var count: nat
  var limit: nat
  constructor (limit: nat) ensures count == 0 && this.limit == limit { count := 0; this.limit := limit; }
  method Tick(step: nat) returns (full: bool) modifies this ensures full <==> count == limit {
    count := count + step;
    if limit < count { count := limit; }
    full := count == limit;
  }
}
method Least(a: int, b: int, c: int) returns (r: int) ensures r <= a && r <= b && r <= c { r := a; if b < r { r := b; } if c < r { r := c; } }
";

/// A program that decides whether a number is prime.
const PRIME: &str = "method Prime(n: nat) returns (r: bool) requires n >= 2 { r := true; var i := 2; while i * i <= n { if n % i == 0 { r := false; break; } i := i + 1; } }\n";

fn summary(package: &Package, args: &[&str]) -> serde_json::Value {
    let run = package.run(&[&["mutants", "--message-format", "json"], args].concat());
    run.lines("summary")
        .pop()
        .unwrap_or_else(|| panic!("{}", run.shown()))
}

#[test]
fn a_stronger_suite_kills_more_mutants() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let (weak, strong) = (
        summary(&package, &["--strength", "coverage"]),
        summary(&package, &[]),
    );
    assert_eq!(weak["mutants"], strong["mutants"]);
    let killed = |s: &serde_json::Value| s["killed"].as_u64().unwrap();
    assert!(killed(&weak) < killed(&strong), "{weak} {strong}");
    for s in [&weak, &strong] {
        let statuses = [
            "killed",
            "survived",
            "equivalent",
            "equivalent_within_bounds",
            "untested",
        ];
        let sum: u64 = statuses.iter().map(|f| s[*f].as_u64().unwrap()).sum();
        assert_eq!(
            s["mutants"].as_u64().unwrap(),
            sum,
            "every mutant has a status"
        );
    }
}

#[test]
fn survivors_stand_where_they_are_and_the_gate_counts_them() {
    // The search for further divisors makes no difference, but this is not proved: nothing implies
    // that the rest of the loop always terminates.
    let source = PRIME;
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--message-format", "short", "--fail-under", "99"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    let survivor =
        "warning: no test of `Prime` notices that `break;` is removed [mutants/survived]";
    assert!(
        run.stdout.contains(survivor) || run.stderr.contains(survivor),
        "{}",
        run.shown()
    );
    assert!(
        run.stderr.contains("less than --fail-under 99"),
        "{}",
        run.shown()
    );
    assert_eq!(package.run(&["mutants", "--fail-under", "50"]).code, 0);
}

#[test]
fn an_untested_mutant_is_neither_killed_nor_a_survivor() {
    let source = "type Key(==) method Has(keys: set<Key>, limit: nat) returns (r: bool) { r := |keys| < limit; } method Half(n: nat) returns (r: nat) { r := n / 2; }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--message-format", "json"]);
    let of = |unit: &str| {
        run.lines("mutant")
            .into_iter()
            .filter(|m| m["unit"] == unit)
            .collect::<Vec<_>>()
    };
    assert!(
        !of("Has").is_empty()
            && of("Has")
                .iter()
                .all(|m| m["status"] == "untested" && m["reason"] != ""),
        "{}",
        run.shown()
    );
    assert!(
        of("Half").iter().all(|m| m["status"] == "killed"),
        "{}",
        run.shown()
    );
    let run = package.run(&["mutants", "--message-format", "short"]);
    assert!(
        run.shown()
            .contains("not tried, because `Has` has no test: ")
            && run.shown().contains("[mutants/untested]"),
        "{}",
        run.shown()
    );
    let run = package.run(&["gen"]);
    assert!(
        run.shown()
            .contains("not tried: no test of their units has a known result"),
        "{}",
        run.shown()
    );
}

#[test]
fn the_coverage_report_shows_survivors_where_they_are() {
    let package = Package::new(&[("src/lib.dfy", PRIME)]);
    package.run(&["gen", "--coverage-report", "cov"]);
    let page =
        std::fs::read_to_string(package.root().join("cov/src-lib.dfy.html")).expect("a page");
    assert!(
        page.contains(
            "<code>break;</code> is removed: every test passes <span class=\"in\">Prime</span>"
        ),
        "{page}"
    );
    let index = std::fs::read_to_string(package.root().join("cov/index.html")).expect("a page");
    assert!(index.contains("<p>The suite kills "), "{index}");
}

#[test]
fn a_mutant_is_described_as_a_change_of_the_text() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["mutants", "--message-format", "json", "--filter", "Least"]);
    let mutants = run.lines("mutant");
    let told = mutants
        .iter()
        .find(|m| m["what"] == "`b <= r` instead of `b < r`")
        .unwrap_or_else(|| panic!("{}", run.shown()));
    let r = &told["replacement"];
    assert_eq!(
        (
            r["path"].as_str(),
            r["line"].as_u64(),
            r["column"].as_u64(),
            r["end_column"].as_u64(),
            r["text"].as_str()
        ),
        (
            Some("src/lib.dfy"),
            Some(11),
            Some(103),
            Some(108),
            Some("(b <= r)")
        )
    );
}

#[test]
fn every_killed_mutant_names_a_test_that_kills_it() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["mutants", "--message-format", "json"]);
    let mutants = run.lines("mutant");
    let killed: Vec<_> = mutants.iter().filter(|m| m["status"] == "killed").collect();
    assert!(killed.len() > 30, "{}", run.shown());
    for m in killed {
        assert!(m["test"].as_str().is_some_and(|t| t.contains(": ")), "{m}");
        assert!(
            m["operator"].is_string()
                && m["place"]
                    .as_str()
                    .is_some_and(|p| p.starts_with("src/lib.dfy:")),
            "{m}"
        );
    }
}

#[test]
fn equivalent_mutants_are_distinguished_from_survivors_and_the_last_line_of_gen_counts() {
    // Which of two equal numbers is returned makes no difference.
    let source = "method Max(a: int, b: int) returns (r: int) ensures r >= a && r >= b { if a < b { r := b; } else { r := a; } }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--message-format", "json", "--fail-under", "100"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let equivalent: Vec<_> = run
        .lines("mutant")
        .into_iter()
        .filter(|m| m["status"] == "equivalent")
        .collect();
    assert_eq!(
        equivalent
            .iter()
            .map(|m| m["what"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["`a <= b` instead of `a < b`"]
    );
    let run = package.run(&["gen"]);
    let line = run.stdout.lines().last().unwrap_or_default();
    let (killed, all) = line
        .strip_prefix("kills ")
        .and_then(|l| l.strip_suffix(" mutants")?.split_once(" of "))
        .expect(line);
    assert_eq!(killed, all, "{}", run.shown());
    assert!(
        !package
            .run(&["gen", "--strength", "coverage"])
            .stdout
            .contains("kills")
    );
}

#[test]
fn tests_of_entries_kill_mutants_of_callees() {
    let source = "method Fee(cents: nat, far: bool) returns (r: nat) { var s := Shipping(cents); r := if far then s + s else s; }
method Shipping(cents: nat) returns (r: nat) { if cents + 5 > 700 { r := 0; } else { r := 80 - cents / 10; } }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--entry", "Fee", "--message-format", "json"]);
    let mutants = run.lines("mutant");
    let of = |unit: &str| {
        mutants
            .iter()
            .filter(|m| m["unit"] == unit)
            .collect::<Vec<_>>()
    };
    assert!(
        !of("Fee").is_empty() && !of("Shipping").is_empty(),
        "{}",
        run.shown()
    );
    // Only one number of cents distinguishes `>=` from `>`.
    let by_fee = |m: &serde_json::Value| {
        m["status"] == "killed" && m["test"].as_str().is_some_and(|t| t.starts_with("Fee: "))
    };
    assert!(mutants.iter().all(by_fee), "{}", run.shown());
    package.write("dtest.toml", "entry = [\"Fee\"]\n");
    assert_eq!(
        summary(&package, &[])["mutants"].as_u64(),
        Some(mutants.len() as u64)
    );
}

#[test]
fn a_diff_and_a_shard_choose_the_mutants() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let count = |args: &[&str]| summary(&package, args)["mutants"].as_u64().unwrap();
    let all = count(&[]);
    let (first, second) = (count(&["--shard", "1/2"]), count(&["--shard", "2/2"]));
    assert!(
        first > 0 && second > 0 && first + second == all,
        "{first} {second} {all}"
    );
    let diff = "--- a/src/lib.dfy\n+++ b/src/lib.dfy\n@@ -7,1 +7,1 @@\n-    if limit <= count { count := limit; }\n+    if limit < count { count := limit; }\n";
    package.write("change.diff", diff);
    let run = package.run(&[
        "mutants",
        "--message-format",
        "json",
        "--in-diff",
        "change.diff",
    ]);
    let mutants = run.lines("mutant");
    assert!(
        !mutants.is_empty()
            && mutants.iter().all(|m| m["place"]
                .as_str()
                .is_some_and(|p| p.starts_with("src/lib.dfy:7:"))),
        "{}",
        run.shown()
    );
}

#[test]
fn weak_contracts_are_shown_worst_first_with_the_mutants_that_they_allow() {
    // The first contract requires nearly nothing, the second everything.
    let source = "method Weak(a: array<int>) requires a.Length > 1 modifies a ensures a.Length > 1 { a[0] := 1; a[1] := a[0] + 2; }
method Strong(x: int) returns (r: int) ensures r == x + 1 { r := x + 1; }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--contracts", "--message-format", "json"]);
    let mutants = run.lines("contract-mutant");
    let of = |unit: &str, status: &str| {
        mutants
            .iter()
            .filter(|m| m["unit"] == unit && m["status"] == status)
            .count()
    };
    assert!(of("Weak", "allowed") >= 5, "{}", run.shown());
    assert_eq!(
        (
            of("Strong", "allowed"),
            of("Strong", "same"),
            of("Strong", "not-decided")
        ),
        (0, 0, 0),
        "{}",
        run.shown()
    );
    assert!(of("Strong", "refused") >= 3, "{}", run.shown());
    assert_eq!(mutants[0]["unit"], "Weak");
    let run = package.run(&["mutants", "--contracts", "--message-format", "short"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(
        said.contains("the contract of `Weak` allows that `a[0] := 1;` is removed"),
        "{}",
        run.shown()
    );
}

#[test]
fn the_compiled_suite_confirms_the_verdicts_on_mutants() {
    let source = "\
/** The better of two marks; the second one where they are the same. */
method Best(a: int, b: int) returns (r: int, second: bool) ensures r >= a && r >= b { r, second := b, true; if a > b { r, second := a, false; } }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&[
        "mutants",
        "--compile",
        "3",
        "--strength",
        "coverage",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let compiled = run.lines("compiled-mutant");
    assert!((2..=3).contains(&compiled.len()), "{}", run.shown());
    for m in &compiled {
        assert!(m["agrees"] == true && m["compiled"] != "no-program", "{m}");
    }
    assert!(
        !package.root().join("tests").exists() && !package.root().join("src/lib.rs").exists(),
        "nothing is written but the copy"
    );
}

#[test]
fn a_sample_of_mutants_in_many_positions_is_compiled_too() {
    let source = "\
datatype Op = Plus | Minus | Times
function Match(a: Op, b: Op, n: int): int { match (a, b) case (Plus, Plus) => n + 1 case (Minus, _) => n - 1 case _ => 0 }
method All(b: bv3) returns (r: bool, s: set<int>) { r := forall x: int :: 0 <= x < 10 ==> x + b as int < 14; s := set x: int | 0 <= x < b as int && x != 2 :: x * x; }
method Lambda(n: int) returns (r: int) { var f := (x: int) => if 0 < x < 5 then x + n else x; r := f(2) - f(n); }
method Loop(s: seq<int>) returns (r: int) { r := 0; for i := 0 to |s| { r := r + s[i] * 2; } }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--compile", "12", "--message-format", "json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let compiled = run.lines("compiled-mutant");
    assert!(compiled.len() > 8, "{}", run.shown());
    for m in &compiled {
        assert!(m["agrees"] == true && m["compiled"] != "no-program", "{m}");
    }
}

#[test]
fn a_contract_that_names_its_own_function_means_the_mutant() {
    let source = "\
function Half(n: nat): nat
  ensures Half(n) * 2 <= n < Half(n) * 2 + 2
{
  if n < 2 then 0 else 1 + Half(n - 2)
}
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree) {
  predicate Contains(x: int)
    ensures Contains(x) <==> Node? && (value == x || left.Contains(x) || right.Contains(x))
  {
    Node? && (value == x || left.Contains(x) || right.Contains(x))
  }
}
function Double(n: nat): nat { n + n } by method { return 2 * n; }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--contracts", "--message-format", "json"]);
    let mutants = run.lines("contract-mutant");
    assert!(mutants.len() > 20, "{}", run.shown());
    let allowed: Vec<_> = mutants
        .iter()
        .filter(|m| m["status"] == "allowed")
        .collect();
    assert!(allowed.is_empty(), "{allowed:?}");
    let refused = |unit: &str| {
        mutants
            .iter()
            .any(|m| m["unit"] == unit && m["status"] == "refused")
    };
    assert!(
        refused("Half") && refused("Tree.Contains") && refused("Double"),
        "{}",
        run.shown()
    );
}
