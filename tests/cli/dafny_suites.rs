//! `gen --emit dafny` and `run --test`: test suites in Dafny, run by our interpreter, and by Dafny
//! if `DTEST_DAFNY` is set.

use super::Package;

/// Values, objects, arrays, `old`, ghost state, a mock, a class without constructor, a hidden
/// function and output.
const SHOP: &str = "\
module Shop {
  export
    reveals Item, Kind, Price, IsSorted, Cell, Till, Feed
    provides Sort, Total, Cell.value, Move, Till.sum, Till.history, Till.Till, Till.Add, Feed.Next, Sum

  datatype Kind = Plain | Rare(factor: nat)
  datatype Item = Item(name: string, kind: Kind, price: int)

  function Price(item: Item): int {
    match item.kind
    case Plain => item.price
    case Rare(f) => item.price * f
  }

  function Hidden(x: int): int {
    if x > 3 then x else 3
  }

  ghost predicate IsSorted(s: seq<int>) {
    forall i, j | 0 <= i < j < |s| :: s[i] <= s[j]
  }

  method Sort(a: array<int>)
    requires a.Length <= 2
    modifies a
    ensures IsSorted(a[..])
    ensures multiset(a[..]) == multiset(old(a[..]))
    ensures forall i | 0 <= i < a.Length :: a[i] == old(a[i]) || a[i] == old(a[a.Length - 1 - i])
  {
    if a.Length == 2 && a[1] < a[0] {
      a[0], a[1] := a[1], a[0];
    }
  }

  function Total(items: seq<Item>): int
    ensures |items| == 0 ==> Total(items) == 0
  {
    if |items| == 0 then 0 else Price(items[0]) + Total(items[1..])
  }

  class Cell {
    var value: int
  }

  method Move(from: Cell, to: Cell)
    requires from != to
    modifies from, to
    ensures to.value == old(from.value) && from.value == 0
  {
    to.value := from.value;
    from.value := 0;
  }

  class Till {
    var sum: int
    ghost var history: seq<int>

    constructor Till(start: int)
      ensures sum == start
    {
      sum := start;
      history := [];
    }

    method Add(x: int) returns (isLarge: bool)
      modifies this
      ensures sum == old(sum) + x
      ensures history == old(history) + [x]
    {
      sum := sum + x;
      history := history + [x];
      print x, \"\\n\";
      isLarge := sum > 100;
    }
  }

  trait Feed {
    method Next() returns (x: int)
      modifies this
      ensures x > 0
  }

  method Sum(feed: Feed) returns (sum: int)
    modifies feed
  {
    var a := feed.Next();
    var b := feed.Next();
    if a == b + 5 {
      return 0;
    }
    sum := a + b;
  }
}
";

/// Returns the lines after the header, which has hashes and versions.
fn body(package: &Package, path: &str) -> String {
    let text = std::fs::read_to_string(package.root().join(path)).unwrap();
    text.lines().skip(3).map(|l| format!("{l}\n")).collect()
}

#[test]
fn a_suite_in_dafny_reads_like_one_that_a_person_writes() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    let run = package.run(&["gen", "shop.dfy", "--emit", "dafny", "--out", "tests"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    insta::assert_snapshot!(body(&package, "tests/shop.tests.dfy"));
}

#[test]
fn the_interpreter_runs_the_written_suite_and_all_tests_pass() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    package.run(&["gen", "shop.dfy", "--emit", "dafny", "--out", "tests"]);
    let run = package.run(&["run", "--test", "tests/shop.tests.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains(", 0 failed"), "{}", run.shown());
    assert!(!run.stdout.contains("FAILED"), "{}", run.shown());
}

#[test]
fn a_planted_bug_fails_the_suite_in_dafny() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    package.run(&["gen", "shop.dfy", "--emit", "dafny", "--out", "tests"]);
    package.write(
        "shop.dfy",
        SHOP.replace("sum := sum + x;", "sum := sum - x;"),
    );
    let run = package.run(&["run", "--test", "tests/shop.tests.dfy"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert!(
        run.stdout.contains("Add by Dafny's semantics"),
        "{}",
        run.shown()
    );
}

#[test]
fn names_hidden_by_an_export_are_reported_with_the_reason() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    let run = package.run(&[
        "gen",
        "shop.dfy",
        "--emit",
        "dafny",
        "--out",
        "tests",
        "--message-format",
        "json",
    ]);
    let units = run.lines("unit");
    let hidden = units.iter().find(|u| u["unit"] == "Shop.Hidden").unwrap();
    assert_eq!(hidden["tests"].as_array().unwrap().len(), 0, "{hidden}");
    let reason = hidden["not_emitted"].to_string();
    assert!(reason.contains("Hidden"), "{reason}");
}

#[test]
fn a_hand_written_file_is_not_replaced() {
    let package = Package::new(&[("shop.dfy", SHOP), ("tests/shop.tests.dfy", "// mine\n")]);
    let run = package.run(&["gen", "shop.dfy", "--emit", "dafny", "--out", "tests"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let text = std::fs::read_to_string(package.root().join("tests/shop.tests.dfy")).unwrap();
    assert_eq!(text, "// mine\n");
}

#[test]
fn options_that_need_dafny_as_the_language_are_refused_without_it() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    let run = package.run(&["gen", "shop.dfy", "--target", "cs", "--out", "o"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.stderr.contains("apply to `--emit dafny`"),
        "{}",
        run.shown()
    );
    let run = package.run(&[
        "gen", "shop.dfy", "--emit", "dafny", "--target", "cobol", "--out", "o",
    ]);
    assert_eq!(run.code, 1, "{}", run.shown());
}

#[test]
fn without_dafny_run_says_what_to_install() {
    let package = Package::new(&[("shop.dfy", SHOP)]);
    let mut command = package.command(&[
        "gen", "shop.dfy", "--emit", "dafny", "--out", "t", "--run", "py",
    ]);
    let output = command
        .env("DTEST_DAFNY", "/nowhere/dafny")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("set DTEST_DAFNY"), "{text}");
}

#[test]
fn expressions_that_a_target_miscompiles_are_left_out_with_the_reason() {
    let bits = "method Mask(x: bv32) returns (y: bv32) ensures y == x & 7 { y := x & 7; }\nfunction Half(n: nat): nat { n / 2 }\n";
    let package = Package::new(&[("bits.dfy", bits)]);
    let run = package.run(&[
        "gen", "bits.dfy", "--emit", "dafny", "--out", ".", "--target", "js",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let text = body(&package, "bits.tests.dfy");
    assert!(
        text.contains("// Left out: MaskRuns (js: JavaScript computes"),
        "{text}"
    );
    assert!(text.contains("method {:test} HalfRuns"), "{text}");
    assert!(!text.contains("method {:test} Mask"), "{text}");
    let run = package.run(&[
        "gen", "bits.dfy", "--emit", "dafny", "--out", ".", "--target", "cs",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(body(&package, "bits.tests.dfy").contains("method {:test} Mask"));
}

/// Runs the suite with Dafny, if it is installed.
#[test]
fn dafny_accepts_the_suite_and_its_backends_pass_it() {
    if std::env::var_os("DTEST_DAFNY").is_none() {
        return;
    }
    let package = Package::new(&[("shop.dfy", SHOP)]);
    let run = package.run(&[
        "gen", "shop.dfy", "--emit", "dafny", "--out", "tests", "--run", "py,js",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("Shop.Till.Add"), "{}", run.shown());
}

const TESTS: &str = "\
datatype R = Ok(v: int) | Bad(m: string) {
  predicate IsFailure() { Bad? }
}
method {:test} Compares() { expect 1 == 2, \"one is two\"; }
method {:test} Fails() returns (r: R) { r := Bad(\"luck\"); }
method {:test} Crashes() { var s := [1]; print \"hi \", s[|s|]; }
method {:test} Passes() returns (r: R) { r := Ok(1); print \"x\\n\"; }
method {:test} Loops() decreases * { while true decreases * { } }
method {:test} PassesToo() { expect true; }
";

#[test]
fn run_test_goes_on_after_failures_of_every_kind() {
    let package = Package::new(&[("t.dfy", TESTS)]);
    let run = package.run(&["run", "--test", "t.dfy", "--fuel", "100000"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert_eq!(
        run.stdout,
        "\
Compares: FAILED
\tt.dfy:4:29: one is two
Fails: FAILED
\tt.dfy:5:16: R.Bad(\"luck\")
Crashes: hi FAILED
\tt.dfy:6:55: index 1 of 1 elements
Passes: x
PASSED
Loops: FAILED
\tt.dfy:8:16: the test reached a limit of the interpreter: steps
PassesToo: PASSED
2 passed, 4 failed
"
    );
    let run = package.run(&["run", "--test", "t.dfy", "--filter", "^Passes"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout.ends_with("2 passed, 0 failed\n"),
        "{}",
        run.shown()
    );
}

#[test]
fn run_test_without_tests_says_so() {
    let package = Package::new(&[("n.dfy", "method M() {}\n")]);
    let run = package.run(&["run", "--test", "n.dfy"]);
    assert_eq!(run.code, 4, "{}", run.shown());
    assert!(
        run.stderr.contains("declare no `{:test}` methods"),
        "{}",
        run.shown()
    );
}

/// Infinite values: of two types, of types that refer to each other, within a datatype.
const SIGNALS: &str = "\
codatatype Signal<T> = Sample(now: T, later: Signal<T>)

datatype Reading = Reading(celsius: real, mark: char, pair: (int, bool))

codatatype Ping = Ping(reply: Pong)
codatatype Pong = Pong(count: int, next: Ping)

datatype Station = Station(name: string, readings: Signal<Reading>)

function Nth<T>(s: Signal<T>, n: nat): T {
  if n == 0 then s.now else Nth(s.later, n - 1)
}

method Alarm(station: Station, limit: real) returns (late: bool)
  ensures late ==> station.readings.later.now.celsius > limit
{
  var first := station.readings.now;
  if first.celsius > limit {
    return false;
  }
  late := station.readings.later.now.celsius > limit;
}

function SecondCount(p: Ping): int {
  if p.reply.count > 5 then p.reply.next.reply.count else -1
}
";

#[test]
fn the_ends_of_infinite_inputs_are_calls_of_functions() {
    let package = Package::new(&[("signals.dfy", SIGNALS)]);
    let run = package.run(&["gen", "signals.dfy", "--emit", "dafny", "--out", "tests"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!run.stderr.contains("not supported"), "{}", run.shown());
    let text = body(&package, "tests/signals.tests.dfy");
    for function in [
        "DefaultOfSignal(): Signal<int>\n  {\n    Sample(0, DefaultOfSignal())\n  }",
        "DefaultOfSignal2(): Signal<Reading>\n  {\n    Sample(Reading(0.0, 'D', (0, false)), DefaultOfSignal2())\n  }",
        "DefaultOfPing(): Ping\n  {\n    Ping(DefaultOfPong())\n  }",
        "DefaultOfPong(): Pong\n  {\n    Pong(0, DefaultOfPing())\n  }",
    ] {
        assert!(text.contains(function), "{function}\n{text}");
    }
    let run = package.run(&["run", "--test", "tests/signals.tests.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    package.write(
        "signals.dfy",
        SIGNALS.replace("Nth(s.later, n - 1)", "Nth(s, n - 1)"),
    );
    let run = package.run(&["run", "--test", "tests/signals.tests.dfy"]);
    assert_eq!(run.code, 7, "{}", run.shown());
}
