//! `cover`: the measured coverage of the suite.

use std::path::Path;

use super::Package;
use super::coverage_report::SHOP;
use super::package::Run;

/// Every construct that has goals, in a program with tests for all of it.
const CONSTRUCTS: &str = "\
module Things {
  datatype Result<T> = Success(value: T) | Failure(error: string) {
    predicate IsFailure() { Failure? }
    function PropagateFailure<U>(): Result<U> requires Failure? { Failure(error) }
    function Extract(): T requires Success? { value }
  }

  function Half(n: int): Result<int> {
    if n % 2 == 0 then Success(n / 2) else Failure(\"odd\")
  }

  function Quarter(n: int): Result<int> {
    var half :- Half(n);
    Half(half)
  }

  method Eighth(n: int) returns (r: Result<int>) {
    var quarter :- Quarter(n);
    var rest :- Half(quarter);
    return Success(rest);
  }

  method Count(n: nat, stop: nat) returns (r: nat)
    requires n <= 3
  {
    r := 0;
    for i := 0 to n {
      r := r + 1;
    }
    for i := 0 to n {
      if i == stop {
        break;
      }
      r := r + 2;
    }
    var j := 0;
    while j < n && j != stop
      decreases n - j
    {
      j := j + 1;
    }
    if {
      case j == 0 => r := r + 5;
      case j > 0 => r := r + 6;
    }
  }

  class Cell {
    var full: bool
    constructor (full: bool)
      ensures this.full == full
    {
      this.full := full;
      new;
      if full {
        print \"full\\n\";
      }
    }
  }

  predicate Logic(a: bool, b: bool, c: bool) {
    (a ==> b) && (c <== b || a)
  }

  function Length(n: nat): nat {
    match n
    case 0 => 0
    case _ => if n > 2 then 2 else 1
  }
}
";

fn package(text: &str) -> Package {
    let package = Package::new(&[("src/lib.dfy", text)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    package
}

/// Runs `cover`; its build products are shared by the tests.
fn cover(package: &Package, arguments: &[&str]) -> Run {
    package.run(
        &[
            &["cover", "--message-format", "json"],
            arguments,
            &["--", "--offline"],
        ]
        .concat(),
    )
}

/// Returns the counts at the end of a run.
fn counts(run: &Run) -> serde_json::Value {
    let last = run
        .stdout
        .lines()
        .last()
        .unwrap_or_else(|| panic!("{}", run.shown()));
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", run.shown()))
}

/// Returns the goals of all units.
fn goals(run: &Run) -> Vec<serde_json::Value> {
    let units = run
        .stdout
        .lines()
        .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok())
        .filter(|v| v["kind"] == "unit");
    units
        .flat_map(|u| u["goals"].as_array().unwrap().clone())
        .collect()
}

#[test]
fn the_generated_suite_covers_the_expected_goals_and_hand_written_tests_count() {
    let package = package(CONSTRUCTS);
    let by_hand =
        "#[test]\nfn by_hand() {\n    let _ = sample::things::length(&dunit::int(7));\n}\n";
    package.write("tests/mine.rs", by_hand);
    let run = cover(&package, &["--coverage-report", "cov"]);
    let counts = counts(&run);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(
        (&counts["missing"], &counts["entered"]),
        (&0.into(), &counts["expected"]),
        "{}",
        run.shown()
    );
    assert!(counts["expected"].as_u64().unwrap() > 30, "{counts}");
    // All goals except the end of the one loop that a jump may leave.
    let unmeasured: Vec<_> = goals(&run)
        .into_iter()
        .filter(|g| g["actual"].is_null())
        .collect();
    assert_eq!(unmeasured.len(), 1, "{unmeasured:?}");
    assert!(
        unmeasured[0]["goal"]
            .as_str()
            .unwrap()
            .contains("runs to completion"),
        "{unmeasured:?}"
    );
    let mine = goals(&run)
        .iter()
        .filter(|g| {
            g["actual"]
                .as_array()
                .is_some_and(|ts| ts.contains(&"by_hand".into()))
        })
        .count();
    assert!(
        mine >= 3,
        "the test by hand enters a body, a case and a branch: {mine}"
    );

    // Arguments after a second `--` belong to the test executables: here a filter of tests.
    let one = package.run(&[
        "cover",
        "--message-format",
        "json",
        "--",
        "--offline",
        "--",
        "--exact",
        "by_hand",
    ]);
    let came: std::collections::BTreeSet<String> = goals(&one)
        .iter()
        .flat_map(|g| g["actual"].as_array().cloned().unwrap_or_default())
        .map(|t| t.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(came, ["by_hand".to_owned()].into(), "{}", one.shown());

    // The user's files are unchanged, and the output of `gen` has no probes.
    assert!(
        !package.root().join("src/lib.rs").exists() && !package.root().join("tests/dtest").exists()
    );
    package.run(&["gen"]);
    assert!(
        !std::fs::read_to_string(package.root().join("src/lib.rs"))
            .unwrap()
            .contains("hit")
    );

    let page = std::fs::read_to_string(package.root().join("cov/src-lib.dfy.html")).unwrap();
    assert!(
        page.contains("<th scope=\"col\">entered by</th>")
            && page.contains("<td>not measured</td>"),
        "{page}"
    );
    let lcov = std::fs::read_to_string(package.root().join("cov/lcov.info")).unwrap();
    let line = CONSTRUCTS
        .lines()
        .position(|l| l.contains("if n > 2 then 2"))
        .unwrap()
        + 1;
    let count: usize = lcov
        .lines()
        .find_map(|l| l.strip_prefix(&format!("DA:{line},")))
        .unwrap()
        .parse()
        .unwrap();
    assert!(
        count >= 3,
        "two generated tests and the one by hand come to line {line}: {count}"
    );
}

#[test]
fn a_block_that_is_expected_and_not_entered_is_an_error() {
    // Linked Rust that violates its contract does not meet the interpreter's expectation.
    let text = "method {:extern} Flip(b: bool) returns (r: bool)\n  ensures r == !b\n\nmethod M(b: bool) returns (n: nat) {\n  n := 0;\n  \
                var r := Flip(b);\n  if r {\n    n := 1;\n  }\n}\n";
    let package = package(text);
    package.write("dtest.toml", "[extern]\nFlip = \"crate::flip::flip\"\n");
    package.write(
        "src/flip.rs",
        "pub fn flip(_: bool) -> bool {\n    false\n}\n",
    );
    let run = package.run(&["cover", "--coverage-report", "cov", "--", "--offline"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    assert!(
        run.stdout.contains(
            "missing: src/lib.dfy:7:8: M: `r` holds: expected from m::when_r, but not entered"
        ),
        "{}",
        run.shown()
    );
    assert!(
        run.stderr
            .contains("goals that tests are expected to enter were not entered"),
        "{}",
        run.shown()
    );
    let page = std::fs::read_to_string(package.root().join("cov/src-lib.dfy.html")).unwrap();
    assert!(
        page.contains("covered, but no test entered it when they were run"),
        "{page}"
    );
}

#[test]
fn nothing_to_measure_is_reported() {
    let package = package(SHOP);
    for (arguments, message) in [
        (
            &["cover", "--against", "crate::mine"][..],
            "there is nothing to measure: with `--against`",
        ),
        (&["cover", "--check"], "`cover` does not write a suite"),
    ] {
        let run = package.run(arguments);
        assert!(
            run.code == 1 && run.stderr.contains(message),
            "{}",
            run.shown()
        );
    }
    assert!(!Path::new(&package.root().join("target/dtest/cover")).exists());
}
