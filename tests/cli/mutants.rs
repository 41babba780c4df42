//! `cargo dtest mutants`: what a suite notices, and tests for what it lets pass.

use crate::package::Package;

/// The least of three, with what is done in two places of it.
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

fn summary(package: &Package, args: &[&str]) -> serde_json::Value {
    let run = package.run(&[&["mutants", "--message-format", "json"], args].concat());
    run.lines("summary").pop().unwrap_or_else(|| panic!("{}", run.shown()))
}

#[test]
fn a_stronger_suite_kills_more_mutants() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let (weak, strong) = (summary(&package, &[]), summary(&package, &["--strength", "mutants"]));
    assert_eq!(weak["mutants"], strong["mutants"]);
    let killed = |s: &serde_json::Value| s["killed"].as_u64().unwrap();
    assert!(killed(&weak) < killed(&strong), "{weak} {strong}");
    for s in [&weak, &strong] {
        let sum = killed(s) + s["survived"].as_u64().unwrap() + s["untested"].as_u64().unwrap();
        assert_eq!(s["mutants"].as_u64().unwrap(), sum, "every mutant has a fate");
    }
}

#[test]
fn survivors_stand_where_they_are_and_the_gate_counts_them() {
    // Whether the bounds are equal makes no difference.
    let source = "method Max(a: int, b: int) returns (r: int) ensures r >= a && r >= b { if a < b { r := b; } else { r := a; } }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["mutants", "--message-format", "short", "--strength", "mutants", "--fail-under", "99"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    let survivor = "src/lib.dfy:1:75: warning: no test of `Max` notices `a <= b` instead of `a < b` [mutants/survived]";
    assert!(run.stdout.contains(survivor) || run.stderr.contains(survivor), "{}", run.shown());
    assert!(run.stderr.contains("less than --fail-under 99"), "{}", run.shown());
    assert_eq!(package.run(&["mutants", "--fail-under", "50"]).code, 0);
}

#[test]
fn every_mutant_says_what_kills_it() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["mutants", "--strength", "mutants", "--message-format", "json"]);
    let mutants = run.lines("mutant");
    let killed: Vec<_> = mutants.iter().filter(|m| m["fate"] == "killed").collect();
    assert!(killed.len() > 30, "{}", run.shown());
    for m in killed {
        assert!(m["test"].as_str().is_some_and(|t| t.contains(": ")), "{m}");
        assert!(m["operator"].is_string() && m["place"].as_str().is_some_and(|p| p.starts_with("src/lib.dfy:")), "{m}");
    }
}
