//! Boogie programs: executions, obligations, messages.

use std::path::{Path, PathBuf};

use super::package::{Package, Run};

const MAX: &str = "procedure Max(N: int, a: [int]int) returns (max: int)
  ensures (forall j: int :: 0 <= j && j < N ==> a[j] <= max);
  ensures (exists j: int :: 0 <= j && j < N && a[j] == max);
{
  var i: int;
  i := 0;
  max := 0;
  while (i < N) {
    if (a[i] > max) { max := a[i]; }
    i := i + 1;
  }
}
";

fn run(text: &str, arguments: &[&str]) -> Run {
    let package = Package::new(&[("t.bpl", text)]);
    let (command, rest) = arguments.split_first().unwrap();
    package.run(&[&[*command, "t.bpl"], rest].concat())
}

/// Returns the path of a program of the fixtures.
fn fixture(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/boogie")
        .join(kind)
        .join(format!("{name}.bpl"))
}

fn run_fixture(kind: &str, name: &str, entry: &str, arguments: &[&str]) -> Run {
    run(
        &std::fs::read_to_string(fixture(kind, name)).unwrap(),
        &[&["run", "--entry", entry], arguments].concat(),
    )
}

#[test]
fn the_dialogue_about_the_largest_element() {
    let first = run(
        MAX,
        &["run", "--failing", "--show", "1", "--executions", "20"],
    );
    assert_eq!(first.code, 7);
    assert!(
        first.stdout.starts_with(
            "failed: postcondition t.bpl:3:3 is violated\n  with N = 0\n  ends with max = 0\n"
        ),
        "{}",
        first.stdout
    );
    let not_empty = MAX.replacen("  ensures", "  requires N > 0;\n  ensures", 1);
    let second = run(
        &not_empty,
        &["run", "--failing", "--show", "1", "--executions", "20"],
    );
    let expected = "failed: postcondition t.bpl:4:3 is violated\n  with N = 1, a[0] = -1\n  ends with max = 0\n";
    assert!(second.stdout.starts_with(expected), "{}", second.stdout);
    let right = not_empty.replace("max := 0;", "max := a[0];");
    let third = run(&right, &["run", "--summary"]);
    assert_eq!(third.code, 0);
    assert!(
        third
            .stdout
            .starts_with("Max: 1024 executions passed, 0 failed;"),
        "{}",
        third.stdout
    );
}

#[test]
fn no_execution_rests_on_a_fact_that_was_not_decided() {
    let text = "procedure Main() { var a: [int]int; assume (forall i, j: int :: i < j ==> a[i] < a[j]); assume a[0] == 0 && a[1000] == 1; }";
    let run = run(text, &["run"]);
    assert!(
        run.stdout.starts_with("not decided: t.bpl:1:"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("Main: 0 executions passed, 0 failed"),
        "{}",
        run.stdout
    );
}

/// The programs of the paper with their procedures, and the option that shows the bug.
const PROGRAMS: [(&str, &str, &str); 12] = [
    ("ArrayMax", "Max", "N = 0"),
    ("ArraySum", "Add", "N = 1"),
    ("BinarySearch", "Find", "N = 0"),
    ("BubbleSort", "Sort", "N = 2"),
    ("DutchFlag", "Arrange", "n = 1"),
    ("Fibonacci", "Compute", "n = 0"),
    ("Invert", "Invert", "N = 2"),
    ("LinkedListTraversal", "Length", "next["),
    ("ListInsert", "Grow", "n = 1"),
    ("QuickSort", "Sort", "N = 2"),
    ("QuickSortPartial", "Sort", "N = 2"),
    ("TuringFactorial", "Compute", "n = "),
];

#[test]
fn correct_programs_have_passing_executions_and_no_failing_ones() {
    for (name, entry, _) in PROGRAMS {
        let run = run_fixture("correct", name, entry, &["--executions", "4", "--summary"]);
        assert_eq!(run.code, 0, "{name}: {}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.contains("executions passed, 0 failed")
                && !run.stdout.contains(": 0 executions"),
            "{name}: {}",
            run.stdout
        );
    }
}

#[test]
fn bugs_are_shown_at_their_smallest_size() {
    for (name, entry, shown) in PROGRAMS {
        let run = run_fixture(
            "buggy",
            name,
            entry,
            &["--failing", "--show", "1", "--executions", "12"],
        );
        assert_eq!(run.code, 7, "{name}: {}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.contains("failed: ") && run.stdout.contains(shown),
            "{name}: {}",
            run.stdout
        );
    }
}

#[test]
fn specifications_without_code_are_solved() {
    let split = run_fixture("correct", "Split", "Main", &["--executions", "1"]);
    assert!(
        split.stdout.contains("ends with h = 26, m = 3, s = 4"),
        "{}",
        split.stdout
    );
    let money = run_fixture("correct", "SendMoreMoney", "Main", &["--executions", "1"]);
    assert!(
        money
            .stdout
            .contains("S = 9, E = 5, N = 6, D = 7, M = 1, O = 0, R = 8, Y = 2"),
        "{}",
        money.stdout
    );
    let primes = run_fixture("correct", "Primes", "Main", &["--executions", "1"]);
    assert!(
        primes
            .stdout
            .contains("p[0] = 2, p[1] = 3, p[2] = 5, p[3] = 7, p[4] = 11, p[5] = 13"),
        "{}",
        primes.stdout
    );
    let queens = run_fixture("correct", "NQueens", "Main", &["--executions", "1"]);
    assert!(queens.stdout.contains("column[7] = "), "{}", queens.stdout);
}

#[test]
fn obligations_have_verdicts_and_blocks_may_be_dead() {
    let text = "procedure P(x: int) returns (y: int)\n  ensures y >= 0;\n{\n  if (x < 0) { y := -x; } else { y := x; }\n\
                if (y < 0) { y := 1; }\n  assert y != 5;\n}\n";
    let check = run(text, &["check", "--all"]);
    assert_eq!(check.code, 7);
    assert!(
        check
            .stdout
            .contains("holds by contracts and invariants: postcondition t.bpl:2:3"),
        "{}",
        check.stdout
    );
    assert!(
        check.stderr.contains("violates this assertion") && check.stderr.contains("with x = 5"),
        "{}",
        check.stderr
    );
    let dead = run(text, &["dead"]);
    assert_eq!(
        (dead.code, dead.stdout.as_str()),
        (5, "t.bpl:5:16: P: dead: every path was tried\n  y := 1;\n")
    );
    let dead = run(text, &["dead", "--message-format", "json"]);
    assert_eq!(
        dead.stdout,
        "{\"kind\":\"dead\",\"procedure\":\"P\",\"place\":\"t.bpl:5:16\",\"text\":\"y := 1;\",\"sure\":true}\n"
    );
    let listed = "P (t.bpl:1:11)\n  t.bpl:2:3 postcondition: ensures y >= 0;\n  t.bpl:6:3 assertion: assert y != 5;\n";
    assert_eq!(run(text, &["list"]).stdout, listed);
    let json: serde_json::Value =
        serde_json::from_str(&run(text, &["list", "--message-format", "json"]).stdout).unwrap();
    assert_eq!(
        (
            json["procedure"].as_str(),
            json["obligations"][1]["text"].as_str()
        ),
        (Some("P"), Some("assert y != 5;"))
    );
    let generated = run(text, &["gen"]);
    assert_eq!(generated.code, 1);
    assert!(
        [
            "Boogie programs are not compiled",
            "--message-format json",
            "run --replay"
        ]
        .iter()
        .all(|t| generated.stderr.contains(t)),
        "{}",
        generated.stderr
    );
}

#[test]
fn a_loop_may_be_known_by_its_invariant_and_a_procedure_by_its_contract() {
    let text = "procedure Up(x: int) returns (y: int)\n  ensures y > x;\n{ y := x + 1; }\n\
                procedure P(n: int)\n  requires 0 <= n && n < 3;\n{\n  var i: int;\n  i := 0;\n  while (i < n)\n    invariant i <= n;\n  \
                { call i := Up(i); }\n  assert i == n;\n}\n";
    assert_eq!(run(text, &["check", "--entry", "P"]).code, 0);
    let by_contract = run(text, &["check", "--entry", "P", "--by-contract", "Up"]);
    assert!(
        by_contract.stderr.contains("violates this invariant"),
        "{}",
        by_contract.stderr
    );
    assert_eq!(
        run(
            text,
            &["check", "--entry", "P", "--by-invariant", "t.bpl:9"]
        )
        .code,
        0
    );
}

#[test]
fn errors_have_places() {
    let types = run("const c: int;\naxiom c && true;\n", &["run"]);
    assert_eq!(types.code, 2);
    assert!(
        types.stderr.contains("t.bpl:2:9")
            && types
                .stderr
                .contains("`&&` is not defined for `int` and `bool`"),
        "{}",
        types.stderr
    );
    let concurrent = run("yield procedure P() { }\n", &["run"]);
    assert!(
        concurrent.stderr.contains("concurrent extension (CIVL)"),
        "{}",
        concurrent.stderr
    );
    assert_eq!(run("procedure P();", &["run", "--entry", "Q"]).code, 1);
}

#[test]
fn executions_print_and_are_data() {
    let text = "procedure P(x: int) { assume x > 2; assume {:print \"x is \", x} true; }";
    let json = run(
        text,
        &["run", "--message-format", "json", "--executions", "1"],
    );
    let first: serde_json::Value =
        serde_json::from_str(json.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["ending"], "passed");
    assert_eq!(first["printed"][0], "x is 3");
    assert_eq!(first["inputs"][0][1], "3");
}

#[test]
fn a_loop_abstracted_by_its_invariant_keeps_variables_of_the_outer_loop() {
    let text = "procedure P(m: int)\n  requires m >= 0;\n{\n  var n, p: int;\n  n := m;\n  while (n > 0)\n    invariant n >= 0;\n  {\n    n := n - 1;\n    \
                p := 0;\n    while (p < n)\n      invariant p <= n;\n    { p := p + 1; }\n    assert n >= 0;\n  }\n}\n";
    let checked = run(
        text,
        &[
            "check",
            "--by-invariant",
            "t.bpl:6",
            "--by-invariant",
            "t.bpl:11",
        ],
    );
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn states_that_where_clauses_rule_out_are_none_of_a_loop() {
    let text = "procedure P() {\n  var x: int where x >= 0;\n  x := 1;\n  while (*) {\n    assert x >= 0;\n    x := x - 1;\n  }\n}\n";
    assert_eq!(run(text, &["check"]).code, 0);
}

#[test]
fn an_assumption_variable_is_true_until_it_is_false() {
    let text = "procedure P(n: int) {\n  var {:assumption} a: bool;\n  assert a;\n  a := a && n > 0;\n  assert n > 0 ==> a;\n  assert a;\n}\n";
    let checked = run(text, &["check", "--all"]);
    assert!(
        checked.stdout.contains("1 violated, 2 hold"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
}

#[test]
fn assertions_without_subsumption_are_not_assumed() {
    let text = "procedure P(x: int) {\n  assert {:subsumption 0} x == 2;\n  assert x == 2;\n  assert x == 2;\n}\n";
    assert!(
        run(text, &["check"])
            .stdout
            .contains("3 obligations: 2 violated")
    );
    let text = "procedure P(x: int) {\n  assert {:subsumption 0} x == 2;\n  assert x != 3;\n}\n";
    let checked = run(text, &["check"]);
    assert!(
        checked.stdout.contains("2 obligations: 2 violated")
            && checked.stderr.contains("with x = 3"),
        "{}",
        checked.stderr
    );
}

#[test]
fn the_cost_of_a_run_is_limited() {
    let text = "procedure P(n: int) { var i: int; i := n; while (i != 0) { i := i - 1; } }";
    let shown = run(text, &["run", "--effort", "1", "--summary"]);
    assert!(
        shown.stdout.contains("stopped by the limit of effort"),
        "{}",
        shown.stdout
    );
}

#[test]
fn an_undefined_type_may_be_finite() {
    // Boogie proves the first assertion alone.
    let text = "type Finite; const f1: Finite; axiom (forall x: Finite :: x == f1);
procedure Fin(x: Finite) { assert x == f1; assert false; }
type T; const unique a: T; const unique b: T; axiom (forall t: T :: t == a || t == b);
procedure Two(t: T) returns (r: int) ensures r == 1; { if (t == a) { r := 1; } else { r := 2; } }
type U;
procedure P(s: U, t: U) requires (forall x: U :: x == s || x == t); { assert s == t; }
type V; function f(v: V): V; axiom (forall v: V :: f(v) != v);
procedure Q(v: V) requires (forall x: V :: x == v || x == f(v)); { assert f(f(v)) != v; }
";
    let checked = run(text, &["check", "--all"]);
    let lines = [
        "Fin: 2 obligations: 1 violated, 1 hold",
        "Two: 1 obligations: 1 violated, 0 hold",
        "P: 1 obligations: 1 violated, 0 hold",
        "Q: 1 obligations: 1 violated, 0 hold",
    ];
    for line in lines {
        assert!(checked.stdout.contains(line), "{}", checked.stdout);
    }
    let dead = run(text, &["dead"]);
    assert!(
        !dead.stdout.contains("every path was tried"),
        "{}",
        dead.stdout
    );
}

#[test]
fn an_axiom_that_makes_a_type_infinite_is_no_contradiction() {
    let text = "type T; const zero: T; function s(t: T): T;
axiom (forall t: T :: s(t) != zero); axiom (forall t, u: T :: s(t) == s(u) ==> t == u);
procedure P() { assert s(s(zero)) != zero; assert false; }
";
    let checked = run(text, &["check", "--all"]);
    assert!(!checked.stdout.contains("2 hold"), "{}", checked.stdout);
}

#[test]
fn code_verified_elsewhere_is_assumed() {
    let text = "procedure P(x: int, y: int) requires x > 0; { assert {:verified_under x > 0} y > 0; assert y > 0; }
procedure {:selective_checking} Q(x: int) returns (r: int) ensures r > 7;
{
  r := x;
  assert r > 0;
  while (r > 100) invariant r > 3; { r := r - 1; }
  if (x < 10) {
    assume {:start_checking_here} true;
    assert r > 0;
    assert r > 5;
  }
}
procedure {:selective_checking} R(x: int) ensures x > 2; { assert x == 0; call S(x); }
procedure S(x: int); requires x > 9;
";
    let checked = run(text, &["check", "--all"]);
    for line in [
        "P: 2 obligations: 0 violated, 2 hold",
        "Q: 3 obligations: 2 violated, 1 hold",
        "R: 0 obligations",
    ] {
        assert!(checked.stdout.contains(line), "{}", checked.stdout);
    }
}

#[test]
fn a_run_without_options_ends_and_names_the_option_that_ended_it() {
    let text = "function G(x: int): int { if x <= 0 then 0 else 1 + G(x - 1) }
procedure GG(n: int) { assert G(n) >= 0; }
";
    let shown = run(text, &["run", "--effort", "2", "--summary"]);
    assert!(shown.stdout.contains("raise --effort"), "{}", shown.stdout);
}

#[test]
fn printed_values_satisfy_later_assumptions() {
    let text = "procedure P(x: int) { assume {:print \"x is \", x} true; assume x > 2; }";
    let shown = run(text, &["run", "--executions", "1"]);
    assert!(
        shown.stdout.contains("x is 3") && shown.stdout.contains("with x = 3"),
        "{}",
        shown.stdout
    );
}

#[test]
fn every_body_of_a_procedure_is_executed() {
    let text = "procedure P(x: int) returns (y: int);\n  ensures y > x;\nimplementation P(x: int) returns (y: int) { y := x + 1; }\n\
                implementation P(x: int) returns (y: int) { y := x; assert x == x; }\n\
                procedure Q() { var y: int; call y := P(1); assert y == 2; }\n";
    let checked = run(text, &["check", "--entry", "P", "--all"]);
    assert!(
        checked.stdout.contains("2 obligations: 1 violated, 1 hold"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    assert_eq!(run(text, &["check", "--entry", "Q"]).code, 7);
}

#[test]
fn obligations_implied_by_contracts_and_invariants_hold() {
    let text = "procedure Up(x: int) returns (y: int);\n  ensures y > x;\nprocedure P(n: int)\n  requires 0 <= n;\n{\n  var i: int;\n  i := 0;\n  \
                while (i < n)\n    invariant 0 <= i;\n  { call i := Up(i); }\n  assert i >= n;\n}\n";
    let checked = run(text, &["check", "--all"]);
    assert!(
        checked.stdout.contains("3 obligations: 0 violated, 3 hold"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    assert!(
        checked
            .stdout
            .contains("holds by contracts and invariants: assertion t.bpl:11:3"),
        "{}",
        checked.stdout
    );
    let wrong = run(
        &text.replace("assert i >= n;", "assert i == n;"),
        &["check", "--all"],
    );
    assert_eq!(wrong.code, 7, "{}{}", wrong.stdout, wrong.stderr);
    assert!(
        wrong.stdout.contains("1 violated, 2 hold"),
        "{}",
        wrong.stdout
    );
}

#[test]
fn nothing_follows_from_what_comes_after_the_end() {
    // The postconditions at the end of a body say nothing about a loop before it.
    let text = "procedure P(n: int) returns (i: int)\n  requires 0 <= n;\n  ensures i == 0;\n{\n  i := n;\n  while (i > 0)\n    \
                invariant i <= 3;\n  { i := i - 1; }\n}\n";
    let checked = run(text, &["check", "--all"]);
    assert!(
        checked.stderr.contains("violates this invariant at entry"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
}

#[test]
fn facts_about_all_types_are_used_for_those_that_occur() {
    let text = "type Field a;\ntype Heap = <a>[Field a]a;\nvar H: Heap;\nconst unique f: Field int;\nconst unique g: Field bool;\n\
                function box<a>(x: a): int;\naxiom (forall<a> x: a, y: a :: {box(x), box(y)} box(x) == box(y) ==> x == y);\n\
                procedure P(x: int, y: int)\n  modifies H;\n{\n  H[f] := x;\n  H[g] := x == y;\n  assert H[f] == x;\n  \
                assert box(x) == box(y) ==> H[g];\n  assert (forall<a> h: Field a :: old(H)[h] == old(H)[h]);\n}\n";
    let checked = run(text, &["check", "--all"]);
    assert!(
        checked.stdout.contains("3 obligations: 0 violated, 3 hold"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    let wrong = run(
        &text.replace("assert H[f] == x;", "assert H[f] == y;"),
        &["check", "--all"],
    );
    assert!(
        wrong.stdout.contains("not decided: assertion t.bpl:13:3") || wrong.code == 7,
        "{}{}",
        wrong.stdout,
        wrong.stderr
    );
    // A statement about all types applies to each.
    let all = text.replace("old(H)[h] == old(H)[h]", "H[h] == old(H)[h]");
    assert!(
        run(&all, &["check"]).stdout.contains("0 violated, 2 hold"),
        "{}",
        run(&all, &["check", "--all"]).stdout
    );
    let all = text.replace("old(H)[h] == old(H)[h]", "h != f");
    assert!(
        !run(&all, &["check"]).stdout.contains("3 hold"),
        "{}",
        run(&all, &["check", "--all"]).stdout
    );
}

#[test]
fn a_body_may_leave_values_that_violate_a_where_clause() {
    let text = "var g: int where g >= 0;\nprocedure Set()\n  modifies g;\n{ g := -1; }\nprocedure P()\n  modifies g;\n{\n  call Set();\n  \
                assert g >= 0;\n}\n";
    let checked = run(text, &["check", "--entry", "P"]);
    assert!(
        checked.code == 7 && checked.stderr.contains("violates this assertion"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    let text = "procedure P()\n{\n  var x: int where x >= 0;\n  x := -1;\nhead:\n  assert x >= -1;\n  goto again, out;\nagain:\n  x := -1;\n  \
                goto head;\nout:\n  assert x >= 0;\n}\n";
    assert!(
        run(text, &["check"]).stdout.contains("1 violated, 1 hold"),
        "{}",
        run(text, &["check", "--all"]).stdout
    );
}

#[test]
fn an_invariant_that_rounds_keep_is_asked_for_where_its_loop_begins_again() {
    let text = "procedure P()\n{\n  var i: int;\n  var j: int;\n  i := 0;\n  j := 0;\n  while (i < 2)\n  {\n    while (j < 1)\n      \
                invariant j <= 1;\n    {\n      j := j + 1;\n    }\n    i := i + 1;\n    j := 7;\n  }\n}\n";
    let checked = run(text, &["check"]);
    assert!(
        checked.code == 7 && checked.stderr.contains("t.bpl:10:7"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
}

#[test]
fn executions_are_repeated_from_their_inputs_step_by_step() {
    let package = Package::new(&[("t.bpl", MAX)]);
    let kept = package.run(&[
        "run",
        "t.bpl",
        "--failing",
        "--show",
        "1",
        "--executions",
        "20",
        "--message-format",
        "json",
    ]);
    package.write("kept.json", &kept.stdout);
    let again = package.run(&["run", "t.bpl", "--replay", "kept.json", "--trace"]);
    let expected = "failed: postcondition t.bpl:3:3 is violated\n  with N = 0\n  ends with max = 0\n  t.bpl:6:5  i := 0;  [i = 0]\n  \
                    t.bpl:7:7  max := 0;  [max = 0]\n  t.bpl:8:3  the loop, after 0 iterations\n  t.bpl:8:10  i < N is false\n";
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (7, expected),
        "{}",
        again.stderr
    );
    // The corrected program has no such execution any more.
    package.write(
        "t.bpl",
        MAX.replacen("  ensures", "  requires N > 0;\n  ensures", 1),
    );
    let mended = package.run(&["run", "t.bpl", "--replay", "kept.json"]);
    assert!(
        mended
            .stderr
            .contains("no execution of `Max` from these inputs failed any longer"),
        "{}{}",
        mended.stdout,
        mended.stderr
    );
}

#[test]
fn violations_of_check_are_repeated() {
    let package = Package::new(&[("t.bpl", "procedure P(x: int) { assert x != 5; }")]);
    let checked = package.run(&["check", "t.bpl", "--message-format", "json"]);
    package.write("kept.json", &checked.stdout);
    let again = package.run(&["run", "t.bpl", "--replay", "kept.json"]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (
            7,
            "failed: assertion t.bpl:1:23 is violated\n  with x = 5\n"
        ),
        "{}",
        again.stderr
    );
    let nothing = package.run(&["run", "t.bpl", "--replay", "t.bpl"]);
    assert!(
        nothing.stderr.contains("it contains no execution"),
        "{}",
        nothing.stderr
    );
}

/// Translates the programs of `fixtures/boogie/dafny` with Debian's Dafny 2.3; `None` if it is not
/// installed.
fn translated(name: &str, package: &Package) -> Option<String> {
    let source = fixture("dafny", name).with_extension("dfy");
    let target = package.root().join(format!("{name}.bpl"));
    let print = format!("/print:{}", target.display());
    let done = std::process::Command::new("dafny")
        .args(["/noVerify", "/compile:0", &print])
        .arg(source)
        .output()
        .ok()?;
    let is_old = String::from_utf8_lossy(&done.stdout).contains("finished with");
    std::fs::read_to_string(target).ok().filter(|_| is_old)
}

#[test]
fn boogie_programs_of_dafny_are_read_and_hold() {
    let programs = [
        ("Counter", 6),
        ("List", 5),
        ("Maps", 4),
        ("Numbers", 5),
        ("Queue", 8),
        ("Shapes", 15),
        ("Sorting", 5),
        ("Squares", 3),
        ("Stack", 7),
        ("Tree", 4),
    ];
    for (name, procedures) in programs {
        let package = Package::new(&[]);
        let Some(_) = translated(name, &package) else {
            return eprintln!("skipped: no Dafny 2 is installed");
        };
        let checked = package.run(&["check", &format!("{name}.bpl")]);
        assert_eq!(
            checked.code, 0,
            "{name}: {}{}",
            checked.stdout, checked.stderr
        );
        let lines: Vec<&str> = checked.stdout.lines().collect();
        assert_eq!(lines.len(), procedures, "{name}: {}", checked.stdout);
        // Boogie 2.4.1 verifies them all.
        let decided = lines
            .iter()
            .filter(|l| l.contains(" 0 violated") && l.ends_with(" 0 not decided"))
            .count();
        assert!(decided + 1 >= procedures, "{name}: {}", checked.stdout);
    }
}
