//! The second stage of `check`: obligations that no execution violates, and that the specifications
//! of callees and loops do not imply. Every program was given to Dafny 4.11 (the last one with
//! `--isolate-assertions`, without which `hide` has no effect), which reports exactly
//! the errors that the tests expect an answer to.

use super::Package;

/// The obligations that the specifications do not imply: unit, place and abstractions.
fn not_implied(stdout: &str) -> Vec<(String, String, Vec<String>, Vec<String>)> {
    let records = stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).expect("a record"));
    records
        .filter(|r| r["kind"] == "obligation" && r["not_implied"].is_object())
        .map(|r| {
            let by = r["not_implied"]["by"].as_array().unwrap();
            let by = by.iter().map(|a| {
                let name = a["name"].as_str().or(a["place"].as_str());
                format!("{} {}", a["kind"].as_str().unwrap(), name.unwrap())
            });
            let states = r["not_implied"]["states"].as_array().unwrap();
            let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
            (
                text(&r["unit"]),
                text(&r["place"]),
                by.collect(),
                states.iter().map(text).collect(),
            )
        })
        .collect()
}

const LOOPS: &str = "method Sum(n: nat) returns (sum: int)
  ensures sum == n
{
  sum := 0;
  var i := 0;
  while i < n
    invariant i <= n
  {
    sum := sum + 1;
    i := i + 1;
  }
}

method Fill(a: array<int>)
  modifies a
  ensures a.Length > 0 ==> a[0] == 7
{
  var i := 0;
  while i < a.Length
    invariant 0 <= i <= a.Length
  {
    a[i] := 7;
    i := i + 1;
  }
}

// The verifier infers the bounds of `s` and `j`.
method Inferred(n: nat) returns (s: int)
  ensures s >= 0
{
  s := 0;
  var j := 2;
  for i := 0 to n
    invariant j != 3
  {
    s := s + i;
    j := j - 2;
  }
}
";

#[test]
fn loops_whose_invariants_are_too_weak_are_named_with_a_state() {
    let package = Package::new(&[("src/lib.dfy", LOOPS)]);
    let run = package.run(&["check", "--message-format", "json"]);
    let found = not_implied(&run.stdout);
    let units: Vec<(&str, &[String])> = found.iter().map(|f| (&*f.0, &*f.2)).collect();
    assert_eq!(
        units,
        [
            ("Sum", &["invariants src/lib.dfy:6:3".to_owned()][..]),
            ("Fill", &["invariants src/lib.dfy:19:3".to_owned()]),
        ],
        "{}",
        run.shown()
    );
    let sum = &found[0].3[0];
    assert!(
        sum.starts_with("after the loop at src/lib.dfy:6:3, the invariants allow sum = ")
            && sum.ends_with(": they say nothing about `sum`"),
        "{sum}"
    );
    let fill = &found[1].3[0];
    assert!(fill.contains("allow a = array<int> ["), "{fill}");
    // It is a note, unless the user wants it to fail.
    assert_eq!(run.code, 0, "{}", run.shown());
    let fails = package.run(&["check", "--fail-on", "not-implied"]);
    assert_eq!(fails.code, 5, "{}", fails.shown());
    assert!(
        fails.stderr.contains(
            "note[check/not-implied]: not implied by the specifications: this postcondition"
        ) && fails
            .stderr
            .contains("although no execution from these inputs breaks it"),
        "{}",
        fails.shown()
    );
}

const HEAP_LOOPS: &str = "class Cell {
  var data: int
}

method Climb(c: Cell, n: nat) returns (y: int)
  modifies c
{
  y := 0;
  c.data := 0;
  var i := 0;
  while i < n
    invariant y <= 100
    invariant c.data <= 100
  {
    if y < 100 {
      y := y + 1;
      c.data := c.data + 1;
    }
    i := i + 1;
  }
}

iterator Numbers(n: nat) yields (x: int)
{
  var i := 0;
  while i < n {
    yield i;
    i := i + 1;
  }
}

method Drain(n: nat) {
  var numbers := new Numbers(n);
  var s := 0;
  var i := 0;
  while i < n
    invariant i <= n
  {
    s := s + 1;
    i := i + 1;
  }
  assert s == n;
}
";

#[test]
fn invariants_over_the_heap_are_broken_by_a_state_that_they_allow() {
    let package = Package::new(&[("src/lib.dfy", HEAP_LOOPS)]);
    package.write(
        "dafny.txt",
        "src/lib.dfy(13,14): Error: this invariant could not be proved to be maintained by the loop
src/lib.dfy(42,9): Error: assertion could not be proved
",
    );
    let run = package.run(&["check", "--from-dafny", "dafny.txt"]);
    for row in [
        "src/lib.dfy:13:15  not implied  before an iteration of the loop at src/lib.dfy:11:3, the \
         invariants allow c = Cell { data: 100 }, y = ",
        // The object of an iterator in the state belongs to the abstracted program.
        "src/lib.dfy:42:10  not implied  after the loop at src/lib.dfy:36:3, the invariants allow ",
    ] {
        assert!(run.stdout.contains(row), "{row}\n{}", run.shown());
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.shown());
}

const RELATED: &str = "ghost predicate Small(x: int) {
  x < 10
}

method Related(x: int)
  decreases x
{
  var y: nat := 3;
  assert Small(x);
}
";

#[test]
fn an_error_is_about_an_obligation_of_its_kind() {
    let package = Package::new(&[("src/lib.dfy", RELATED)]);
    package.write(
        "dafny.txt",
        "src/lib.dfy(9,14): Error: assertion could not be proved
src/lib.dfy(2,4): Related location: this proposition could not be proved
src/lib.dfy(8,16): Error: cannot prove termination; try supplying a decreases clause
",
    );
    let run = package.run(&["check", "--from-dafny", "dafny.txt"]);
    for row in [
        "src/lib.dfy:9:15  violated       `Related` with x = 10",
        // That 3 is a `nat` is no answer.
        "src/lib.dfy:8:17  no obligation  there is no obligation here",
    ] {
        assert!(run.stdout.contains(row), "{row}\n{}", run.shown());
    }
}

const CALLS: &str = "method Low(x: int) returns (r: int)
  ensures r >= x
{
  return x + 1;
}

method High(x: int) returns (r: int)
  ensures r <= x
{
  return x - 1;
}

method Exact(x: int) returns (r: int)
  ensures r == x
{
  return x;
}

method One(x: int) {
  var a := Exact(x);
  var b := Low(a);
  var c := High(x);
  assert b != a + 5;
  assert b + c != 2 * x + 7 || c != x - 4;
}

method Twice(n: nat) returns (r: int)
  ensures r % 2 == 0
{
  if n == 0 {
    return 0;
  }
  r := Twice(n - 1);
  assert r >= 0;
  r := r + 2;
}

class Counter {
  var n: int

  constructor()
    ensures n == 0
  {
    n := 0;
  }

  method Inc()
    modifies this
    ensures n > old(n)
  {
    n := n + 1;
  }
}

method Count() {
  var c := new Counter();
  c.Inc();
  assert c.n == 1;
}

opaque function Double(x: int): int {
  x + x
}

method Hidden() {
  assert Double(3) == 6;
}

method Shown() {
  reveal Double();
  assert Double(3) == 6;
}

method Wrong(x: int) {
  assert x != 4;
}

function Triangle(n: nat): nat {
  if n == 0 then 0 else n + Triangle(n - 1)
}

method Gauss(n: nat)
  requires n < 7
{
  assert 2 * Triangle(n) == n * (n + 1);
}
";

#[test]
fn errors_of_the_verifier_are_answered_one_by_one() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    let lines = [23, 24, 34, 58, 66, 75, 85];
    let said: String = lines
        .iter()
        .map(|line| format!("src/lib.dfy({line},2): Error: assertion might not hold\n"))
        .collect();
    package.write("dafny.txt", said);
    let run = package.run(&[
        "check",
        "--from-dafny",
        "dafny.txt",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    // A smallest set of abstractions: one contract, or both that are needed together.
    let by: Vec<(String, Vec<String>)> = not_implied(&run.stdout)
        .into_iter()
        .map(|(unit, _, by, _)| (unit, by))
        .collect();
    let expected = [
        ("One", &["contract Low"][..]),
        ("One", &["contract Low", "contract High"]),
        ("Twice", &["contract Twice"]),
        ("Count", &["contract Counter.Inc"]),
        ("Hidden", &["opaque Double"]),
    ];
    let expected: Vec<(String, Vec<String>)> = expected
        .iter()
        .map(|(unit, by)| {
            (
                unit.to_string(),
                by.iter().map(ToString::to_string).collect(),
            )
        })
        .collect();
    assert_eq!(by, expected, "{}", run.shown());
    // One record for each error, in their order, by position.
    let answers: Vec<(String, String)> = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).expect("a record"))
        .filter(|r| r["kind"] == "verifier-error")
        .map(|r| {
            let text = |key: &str| r[key].as_str().unwrap().to_owned();
            (text("place"), text("answer"))
        })
        .collect();
    let kinds = [
        "not-implied",
        "not-implied",
        "not-implied",
        "not-implied",
        "not-implied",
        "violated",
        "proved",
    ];
    let expected: Vec<(String, String)> = lines
        .iter()
        .zip(kinds)
        .map(|(line, kind)| (format!("src/lib.dfy:{line}:3"), kind.to_owned()))
        .collect();
    assert_eq!(answers, expected, "{}", run.shown());
    let table = package.run(&["check", "--from-dafny", "dafny.txt"]);
    for row in [
        "src/lib.dfy:58:3  not implied  `Counter.Inc(c)` may leave c.n = ",
        "src/lib.dfy:66:3  not implied  `Double(3)` may be ",
        "src/lib.dfy:75:3  violated     `Wrong` with x = 4",
        "src/lib.dfy:85:3  proved       ",
    ] {
        assert!(table.stdout.contains(row), "{row}\n{}", table.shown());
    }
    assert!(
        table
            .stdout
            .contains("or more fuel, for a recursive function, or nonlinear arithmetic"),
        "{}",
        table.shown()
    );
}

#[test]
fn the_verifier_is_run_on_the_files_of_the_program() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    // A verifier that reports one error in the file that it gets.
    package.write(
        "verify.sh",
        "test \"$1\" = --cores=1 && echo \"$2(75,2): Error: assertion might not hold\"",
    );
    let run = package.run(&["check", "--dafny-command", "sh verify.sh --cores=1 {}"]);
    assert!(
        run.code == 7
            && run
                .stdout
                .contains("src/lib.dfy:75:3  violated  `Wrong` with x = 4"),
        "{}",
        run.shown()
    );
    let run = package.run(&["check", "--dafny-command", "sh verify.sh --cores=1"]);
    assert!(run.stdout.contains("violated  `Wrong`"), "{}", run.shown());
    // Errors say what to change.
    let missing = package.run(&["check", "--dafny-command", "no-dafny verify"]);
    assert!(
        missing.code == 1 && missing.stderr.contains("command `no-dafny` not found"),
        "{}",
        missing.shown()
    );
    let silent = package.run(&["check", "--dafny-command", "echo CLI: unknown option"]);
    assert!(
        silent.code == 1
            && silent
                .stderr
                .contains("verified nothing; its output begins:")
            && silent.stderr.contains("CLI: unknown option"),
        "{}",
        silent.shown()
    );
}

#[test]
fn a_function_that_the_unit_reveals_is_not_abstracted() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    package.write(
        "dafny.txt",
        "src/lib.dfy(71,2): Error: assertion might not hold\n",
    );
    let run = package.run(&["check", "--from-dafny", "dafny.txt"]);
    assert!(
        run.code == 0 && run.stdout.contains("src/lib.dfy:71:3  proved"),
        "{}",
        run.shown()
    );
}

const HIDDEN: &str = "opaque function Secret(x: int): int {
  x + 1
}

method Scoped(x: int) {
  if x > 0 {
    reveal Secret();
    assert Secret(1) == 2;
  }
  assert Secret(2) == 3;
  assert Secret(5) == 6 by {
    reveal Secret();
  }
  assert Secret(5) == 6;
}

function Open(x: int): int {
  x + 2
}

method Hides(x: int) {
  assert Open(x) == x + 2;
  hide Open;
  assert Open(x + 1) == x + 3;
}

method Labelled(x: int) returns (r: int)
  requires P: x > 0
  ensures r > 0
{
  assert x > 0;
  assert Q: x * x > 0 by {
    reveal P;
  }
  reveal P;
  return x;
}
";

#[test]
fn functions_and_labels_are_hidden_where_the_verifier_does_not_know_them() {
    let package = Package::new(&[("src/lib.dfy", HIDDEN)]);
    let run = package.run(&["check", "--modular", "--message-format", "json"]);
    let weak: Vec<(String, String)> = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).expect("a record"))
        .filter(|r| r["kind"] == "weak-specification")
        .map(|r| {
            let place = r["place"].as_str().unwrap().to_owned();
            (place, r["by"][0]["kind"].as_str().unwrap().to_owned())
        })
        .collect();
    // The second assertion about `Secret(5)` follows from the first one.
    let expected = [
        ("src/lib.dfy:10:10", "opaque"),
        ("src/lib.dfy:24:10", "opaque"),
        ("src/lib.dfy:31:10", "label"),
    ];
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(place, kind)| (place.to_string(), kind.to_string()))
        .collect();
    assert_eq!((run.code, weak), (0, expected), "{}", run.shown());
}
