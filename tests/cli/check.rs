//! `check`: executions that violate obligations, the verdicts on other obligations, and the
//! selection of obligations by place.

use super::Package;

const SAMPLE: &str = "method Abs(x: int) returns (y: int)
  ensures y >= 0
{
  if x < 0 { y := -x - 1; } else { y := x - 1; }
}

lemma Square(x: int)
  requires x > 3
  ensures x * x > 16
{
}

method Sum(n: nat) returns (s: nat) {
  s := 0;
  var i := 0;
  while i < n
    invariant i <= n
    invariant s == 2 * i
  {
    s := s + i;
    i := i + 1;
  }
}

method {:extern} Get() returns (x: int)
  ensures x > 0

method Use() {
  var x := Get();
  assert x > 5;
  Square(x + 5);
  Square(2);
}
";

#[test]
fn violations_are_shown_with_their_inputs_and_assumptions() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let run = package.run(&["check"]);
    assert_eq!(run.code, 7, "{}", run.stderr);
    let short = package.run(&["check", "--message-format", "short"]).stderr;
    for expected in [
        "src/lib.dfy:2:11: error: this postcondition does not hold [check/postcondition]",
        "src/lib.dfy:9:11: error: this postcondition does not hold [check/postcondition]",
        "src/lib.dfy:18:15: error: this loop invariant does not hold after an iteration [check/invariant-kept]",
        "src/lib.dfy:30:10: warning: this assertion does not hold [check/assertion]",
    ] {
        assert!(short.contains(expected), "{expected} in\n{short}");
    }
    assert!(run.stderr.contains("in `Abs` with x = 0"), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("assuming a result of `Get`, whose code is unknown"),
        "{}",
        run.stderr
    );
    assert_eq!(package.run(&["check", "--fail-on", "none"]).code, 0);
}

#[test]
fn every_obligation_is_a_record_and_a_second_run_says_the_same() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let records = || package.run(&["check", "--message-format", "json"]).stdout;
    let first = records();
    let lines: Vec<serde_json::Value> = first
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let (summary, obligations) = lines.split_last().unwrap();
    assert_eq!(
        (summary["kind"].as_str(), summary["obligations"].as_u64()),
        (Some("summary"), Some(obligations.len() as u64))
    );
    assert!(
        obligations
            .iter()
            .any(|p| p["standing"] == "holds" && p["text"] == "i <= n"),
        "{first}"
    );
    assert_eq!(records(), first);
}

#[test]
fn obligations_are_selected_by_place_and_by_the_output_of_dafny() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    let at = package.run(&["check", "--at", "lib.dfy:17", "--message-format", "short"]);
    assert_eq!(at.code, 0, "{}", at.stderr);
    assert_eq!(
        at.stderr
            .lines()
            .filter(|l| l.contains("lib.dfy:17:15"))
            .count(),
        2,
        "{}",
        at.stderr
    );
    let nothing = package.run(&["check", "--at", "src/lib.dfy:13"]);
    assert!(
        nothing.code == 1
            && nothing
                .stderr
                .contains("there is no obligation at src/lib.dfy:13"),
        "{}",
        nothing.stderr
    );
    assert!(
        nothing
            .stderr
            .contains("the nearest obligations are at src/lib.dfy:"),
        "{}",
        nothing.stderr
    );
    package.write(
        "dafny.txt",
        "src/lib.dfy(10,0): Error: a postcondition could not be proved on this return path\nsrc/lib.dfy(9,10): Related location: this\n",
    );
    let reported = package.run(&[
        "check",
        "--from-dafny",
        "dafny.txt",
        "--message-format",
        "short",
    ]);
    assert_eq!(
        (
            reported.code,
            reported
                .stderr
                .lines()
                .filter(|l| l.contains("error"))
                .count()
        ),
        (7, 1),
        "{}",
        reported.stderr
    );
    package.write(
        "dafny.txt",
        "Dafny program verifier finished with 2 verified, 0 errors\n",
    );
    assert_eq!(package.run(&["check", "--from-dafny", "dafny.txt"]).code, 0);
    assert_eq!(package.run(&["check", "--at", "nowhere"]).code, 1);
}

#[test]
fn counterexamples_of_the_verifier_are_real_or_spurious() {
    let source = "method M(m: int, n: int)\n  requires n > 0\n{\n  var k := 0;\n  while k < n\n    invariant k >= 0\n  { k := k + 1; }\n  assert m != 3;\n  assert k == n;\n}\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let printed = |line: u32, assumed: &str| {
        format!(
            "src/lib.dfy({line},11): Error: assertion might not hold\nRelated counterexample:\nWARNING: it may be invalid\nsrc/lib.dfy(3,0): initial state:\nassume {assumed};\n"
        )
    };
    let check = |line: u32, assumed: &str| {
        package.write("dafny.txt", printed(line, assumed));
        package.run(&["check", "--from-dafny", "dafny.txt"]).stderr
    };
    let real = check(8, "3 == m && 1 == n");
    assert!(real.contains("note[check/counterexample]: Dafny's counterexample for src/lib.dfy:8:12 (`3 == m && 1 == n`) is real: `M` violates the obligation with m = 3, n = 1"), "{real}");
    let spurious = check(9, "0 == m && 2 == n");
    assert!(
        spurious
            .contains("is spurious: no execution of `M` from these values violates the obligation"),
        "{spurious}"
    );
    let partly = check(8, "3 == m && m#7 == n");
    assert!(
        partly.contains("is real") && partly.contains("not understood, and ignored: `m#7 == n`"),
        "{partly}"
    );
    assert!(check(8, "m#7 == n").contains("is not decided: its values could not be interpreted"));
}

#[test]
fn a_violation_behind_another_one_is_a_warning() {
    let source = "method Add(x: int) returns (y: int)
  ensures y > x
{
  assert x != x;
  y := x;
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check"]);
    assert_eq!(run.code, 7, "{}", run.stderr);
    for expected in [
        "error[check/assertion]: this assertion does not hold",
        "warning[check/postcondition]: this postcondition does not hold",
        "assuming an earlier violated obligation, as if it held: this assertion (src/lib.dfy:4:10)",
    ] {
        assert!(
            run.stderr.contains(expected),
            "{expected} in\n{}",
            run.stderr
        );
    }
}

#[test]
fn unknown_names_and_places_are_reported_with_known_ones() {
    let package = Package::new(&[
        ("src/lib.dfy", SAMPLE),
        ("ok.dfy", "method Main() { assert 1 < 2; }\n"),
    ]);
    for (arguments, expected) in [
        (
            &["check", "--at", "nosuch.dfy:3"][..],
            "the files that are checked: `src/lib.dfy`",
        ),
        (
            &["check", "--by-contract", "Abz", "--entry", "Use"],
            "did you mean `Abs`?",
        ),
        (
            &["check", "--filter", "Summ"],
            "`--filter Summ` matches no unit",
        ),
        (&["gen", "--filter", "Summ"], "did you mean `Sum`?"),
        (
            &["run", "ok.dfy", "--entry", "Foo"],
            "a Dafny program starts at `Main`",
        ),
    ] {
        let run = package.run(arguments);
        assert!(
            run.stderr.contains(expected),
            "{arguments:?}\n{}",
            run.shown()
        );
    }
    std::fs::write(
        package.root().join("said.txt"),
        "Dafny program verifier finished with 1 verified, 0 errors\n",
    )
    .unwrap();
    let run = package.run(&["check", "ok.dfy", "--from-dafny", "said.txt"]);
    assert!(
        run.code == 0 && run.stderr.contains("Dafny reports no error"),
        "{}",
        run.shown()
    );
    std::fs::write(package.root().join("said.txt"), "").unwrap();
    assert_eq!(
        package
            .run(&["check", "ok.dfy", "--from-dafny", "said.txt"])
            .code,
        1
    );
}

#[test]
fn a_obligation_that_a_caller_breaks_is_violated_for_whom_asks_for_it_alone() {
    let source = "method Step(n: nat, k: int) returns (r: int)
  requires k >= 0
  ensures r < 300
{
  var i := 0;
  while i < n
    invariant i <= 40 || k < 100
  {
    i := i + 1;
  }
  r := k;
}

method Far() {
  var i := 0;
  while i < 60 {
    var r := Step(i, i * 5);
    i := i + 1;
  }
}

method Farther() {
  Far();
  var r := Step(0, 301);
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    for line in [3, 7] {
        let run = package.run(&[
            "check",
            "--at",
            &format!("src/lib.dfy:{line}"),
            "--message-format",
            "short",
        ]);
        assert!(
            run.code == 7 && run.stderr.contains(&format!("src/lib.dfy:{line}:")),
            "{}",
            run.shown()
        );
        assert!(
            run.stderr
                .lines()
                .all(|l| !l.contains("error") || l.contains(&format!(":{line}:"))),
            "{}",
            run.shown()
        );
    }
}

#[test]
fn options_that_raise_a_bound_are_named_with_a_value() {
    let source = "newtype Low = x: int | 5 <= x < 10 witness 12
method Count(n: nat) returns (r: nat) {
  r := 0;
  while r < n {
    r := r + 2;
    assert r != 40001;
  }
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check", "--all"]);
    assert!(
        run.stderr
            .contains("help: use `--unroll 17` or more to search further"),
        "{}",
        run.shown()
    );
    assert!(
        run.stderr.contains(
            "error[check/witness]: this witness is not a value of its type\n --> src/lib.dfy:1:44"
        ),
        "{}",
        run.shown()
    );
}

#[test]
fn a_false_lemma_without_a_proof_is_refuted_by_an_execution() {
    let source = "lemma {:axiom} Grows(x: int)
  ensures x * x > x
lemma Halves(n: nat)
  requires n % 2 == 0
  ensures n / 2 * 2 == n
function F(x: int): int
lemma {:axiom} Even(x: int)
  ensures F(x) % 2 == 0
lemma {:axiom} Root(x: nat) returns (y: nat)
  ensures y * y == x
trait Shape {
  function Area(): int
  lemma Positive()
    ensures Area() > 0
}
class Log {
  var size: nat
  twostate lemma {:axiom} OnlyGrows()
    ensures old(size) <= size
}
method Use(x: int) returns (y: int)
  ensures y > 0
{
  Grows(x);
  y := x * x - x;
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check", "--message-format", "short"]);
    let lines: Vec<&str> = run
        .stderr
        .lines()
        .filter(|l| l.contains("error") || l.contains("warning"))
        .collect();
    assert_eq!(
        lines,
        [
            "src/lib.dfy:2:11: error: this lemma without a proof is false [check/claim]",
            "src/lib.dfy:19:13: error: this lemma without a proof is false [check/claim]",
        ],
        "{}",
        run.shown()
    );
    assert_eq!(run.code, 7);
    let said = package.run(&["check", "--at", "src/lib.dfy:2"]).stderr;
    assert!(said.contains("in `Grows.claim` with x = 0"), "{said}");
}

#[test]
fn obligations_that_are_not_decided_are_counted_and_candidates_are_shown() {
    let source = "method First(s: seq<int>, k: int) returns (r: int)
  requires forall x: int :: x * k >= 0
{
  r := s[0];
}

greatest predicate Up(n: int) { n > 0 && Up(n + 1) }

method Climb() {
  assert Up(1);
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for expected in [
        "note[check/not-decided]: not decided: that this is in range\n --> src/lib.dfy:4:8",
        "inputs were found that violate it, but it could not be decided whether a precondition holds for them",
        "2 obligations are not decided: `--all` shows them, with the reasons",
    ] {
        assert!(
            run.stderr.contains(expected),
            "{expected} in {}",
            run.shown()
        );
    }
    assert!(!run.stderr.contains("src/lib.dfy:10:10"), "{}", run.shown());
    let all = package.run(&["check", "--all"]);
    assert!(
        all.stderr.contains(
            "executions with recursion of more than 8 calls (`--inline`) were not followed to their end"
        ),
        "{}",
        all.shown()
    );
    assert!(!all.stderr.contains("`--all` shows"), "{}", all.shown());
}

#[test]
fn code_behind_a_call_that_always_fails_is_not_reached() {
    let source = "function Partial(x: int): int requires x != 0 { 10 / x }
method Call() {
  var y := Partial(0);
  var z: nat := -1;
  var w := 1 / z;
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check", "--all", "--message-format", "short"]);
    for expected in [
        "src/lib.dfy:3:12: error: a precondition of this call does not hold",
        "src/lib.dfy:4:17: note: not reached: that this value is a member of its type [check/not-reached]",
        "src/lib.dfy:5:12: note: not reached: that the divisor is not zero [check/not-reached]",
    ] {
        assert!(
            run.stderr.contains(expected),
            "{expected} in {}",
            run.shown()
        );
    }
    assert!(run.stdout.contains("not reached"), "{}", run.shown());
}

/// A branch that only changes ghost parameters is left out of the compiled code; one that changes
/// nothing never terminates.
#[test]
fn a_recursive_call_that_changes_nothing_does_not_terminate() {
    let source = "function Same(n: nat): int { if n > 5 then Same(n) else 0 }
function Ghostly(n: nat, ghost k: nat): nat { if k > 0 then Ghostly(n, k - 1) else n + 1 }
method Main() {
  print Ghostly(3, 2), \"\\n\";
  print Same(6);
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["check", "--message-format", "short"]);
    let expected = "src/lib.dfy:1:44: error: the termination measure does not decrease";
    assert!(run.stderr.contains(expected), "{}", run.shown());
    let run = package.run(&["run", "--fuel", "100000"]);
    assert_eq!(run.stdout, "4\n", "{}", run.shown());
    assert!(run.stderr.contains("run/out-of-fuel"), "{}", run.shown());
}

#[test]
fn orders_witnesses_and_type_arguments_are_those_of_the_language() {
    let source = "codatatype Stream = Cons(head: int, tail: Stream)
method Orders(s: Stream, i: iset<int>, m: imap<int, int>, n: imap<int, int>) {
  assert !(s decreases to s.tail);
  assert !(i decreases to iset{1});
  assert !(m decreases to n);
}
function Odd(n: nat): (s: Stream) ensures s.head == n { Cons(n, Odd(n + 1)) }
function Night(): Stream { Cons(0, Night()) }
newtype Small = x: nat | x < 10 witness -5
class G<X> { ghost var v: X constructor (x: X) { v := x; } }
method Arguments() {
  var h: object := new G<nat>(3);
  assert !(h is G<int>);
  assert h is G<nat>;
  var a: object := new nat[3];
  assert !(a is array<int>);
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let options = [
        "check",
        "--message-format",
        "short",
        "--type-system-refresh",
    ];
    let run = package.run(&options);
    let errors: Vec<&str> = run
        .stderr
        .lines()
        .filter_map(|l| l.split_once(": error: ").map(|(place, _)| place))
        .collect();
    // The obligations that Dafny 4.11 reports, except line 3, which it cannot prove.
    assert_eq!(
        errors,
        ["src/lib.dfy:7:65", "src/lib.dfy:9:41"],
        "{}",
        run.shown()
    );
}
