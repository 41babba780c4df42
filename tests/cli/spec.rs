//! `spec`: tests of contracts.

use std::io::Write as _;
use std::process::Stdio;

use super::Package;

const CONTRACTS: &str = "method Sort(s: seq<int>) returns (r: seq<int>)
  ensures |r| == |s|
  ensures forall i, j :: 0 <= i < j < |r| ==> r[i] <= r[j]

method Between(x: int) returns (r: int)
  requires x > 2
  ensures r > x
  ensures r < x + 1

method Never(x: int) returns (r: int)
  requires x > 2
  requires x < 2
  ensures r == x

method Twice(x: int) returns (r: int)
  requires x >= 0
  ensures r == 2 * x
  ensures r >= 0
";

/// Returns the records of a run by unit.
fn record(package: &Package, unit: &str, arguments: &[&str]) -> serde_json::Value {
    let run = package.run(&[&["spec", "--message-format", "json"], arguments].concat());
    let mut records = run.lines("specification");
    records.retain(|r| r["unit"] == unit);
    assert_eq!(records.len(), 1, "{}", run.stdout);
    records.remove(0)
}

#[test]
fn weak_contradictory_and_unimplementable_contracts_are_reported() {
    let package = Package::new(&[("src/lib.dfy", CONTRACTS)]);
    let run = package.run(&["spec", "--message-format", "short"]);
    assert_eq!(run.code, 7);
    let said = run.shown();
    for line in [
        "lib.dfy:1:8: warning: `Sort` accepts `[0]` and `[1]` for `s = [0]` [spec/open]",
        "lib.dfy:5:8: error: `Between` accepts no result for `x = 3` [spec/not-implementable]",
        "lib.dfy:10:8: error: no input satisfies the precondition of `Never` [spec/contradictory]",
        "lib.dfy:18:11: warning: the rest of the contract implies this postcondition [spec/redundant]",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(!said.contains("Twice"), "{said}");
    let all = package.run(&["spec", "--message-format", "short", "--all"]);
    assert!(
        all.shown()
            .contains("`Twice` determines its result [spec/determined]"),
        "{}",
        all.shown()
    );
}

#[test]
fn records_have_stable_keys() {
    let package = Package::new(&[("src/lib.dfy", CONTRACTS)]);
    let sort = record(&package, "Sort", &[]);
    assert_eq!(sort["satisfiable"]["verdict"], "yes");
    assert_eq!(sort["implementable"]["verdict"], "yes");
    assert_eq!(sort["implementable"]["proved"], false);
    assert_eq!(sort["completeness"]["verdict"], "open");
    assert_eq!(sort["examples"][1]["inputs"]["s"], "[0]");
    assert_eq!(sort["examples"][1]["results"][0]["r"], "[0]");
    assert_eq!(sort["examples"][1]["results"][1]["r"], "[1]");
    assert_eq!(sort["clauses"][0]["text"], "|r| == |s|");
    assert_eq!(sort["clauses"][0]["place"], "src/lib.dfy:2:11");
    assert_eq!(sort["clauses"][0]["idle"], false);
    let between = record(&package, "Between", &[]);
    assert_eq!(between["implementable"]["verdict"], "no");
    assert_eq!(between["implementable"]["proved"], true);
    assert_eq!(
        between["implementable"]["conflict"],
        serde_json::json!(["r > x", "r < x + 1"])
    );
    assert_eq!(between["score"], 0.0);
    let never = record(&package, "Never", &[]);
    assert_eq!(never["satisfiable"]["verdict"], "no");
    assert_eq!(never["satisfiable"]["proved"], true);
    let twice = record(&package, "Twice", &[]);
    assert_eq!(twice["completeness"]["verdict"], "determined");
    assert_eq!(twice["clauses"][2]["redundant"], true);
    assert_eq!(twice["score"], 100.0);
    // The same input gives the same bytes.
    let run = || package.run(&["spec", "--message-format", "json"]).stdout;
    assert_eq!(run(), run());
}

#[test]
fn gates_decide_the_exit_code() {
    let open = "method M(x: int) returns (r: int)\n  ensures r >= x\n";
    let package = Package::new(&[("src/lib.dfy", open)]);
    let code = |arguments: &[&str]| package.run(&[&["spec"], arguments].concat()).code;
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--fail-on", "open"]), 7);
    assert_eq!(code(&["--fail-on", "open", "--allow", "M"]), 0);
    assert_eq!(code(&["--fail-under", "50"]), 5);
    assert_eq!(code(&["--fail-under", "50", "--allow", "M"]), 0);
    assert_eq!(code(&["--allow", "N"]), 1);
    package.write(
        "dtest.toml",
        "[spec]\nallow = [\"M\"]\nfail-on = \"open\"\n",
    );
    assert_eq!(code(&[]), 0);
    package.write("src/lib.dfy", "lemma L(x: int)\n  ensures x * x > x\n");
    package.write("dtest.toml", "");
    assert_eq!(code(&[]), 7);
    assert_eq!(code(&["--fail-on", "none"]), 0);
}

#[test]
fn a_program_is_read_from_standard_input() {
    let package = Package::new(&[]);
    let run = |text: &str| {
        let mut command = package.command(&["spec", "--stdin", "--message-format", "short"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let (code, said) = run("method M(x: int) returns (r: int)\n  ensures r > x && r < x\n");
    assert_eq!(code, Some(7), "{said}");
    assert!(
        said.contains("<stdin>:1:8: error: `M` accepts no result for `x = 0`"),
        "{said}"
    );
    let (code, said) = run("method M(x: int) returns (r: int)\n  ensures r > y\n");
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn boogie_programs_have_other_means() {
    let package = Package::new(&[("a.bpl", "procedure P();\n")]);
    let run = package.run(&["spec", "a.bpl"]);
    assert_eq!(run.code, 1);
    assert!(run.shown().contains("--modular"), "{}", run.shown());
}

const OLD: &str = "predicate Small(x: int) { x < 10 }

method M(x: int) returns (r: int)
  requires x > 0
  ensures r > x

method N(x: int) returns (r: int)
  requires Small(x)
  ensures r == x

method Same(x: int) returns (r: int)
  ensures r > x

method Gone(x: int)
  requires x > 0
";

const NEW: &str = "predicate Small(x: int) { x < 9 }

// The comment moves everything, and changes nothing.
method M(x: int) returns (r: int)
  requires x >= 0
  ensures r >= x

method N(x: int) returns (r: int)
  requires Small(x)
  ensures x == r

method Same(x: int) returns (r: int)
  ensures r > x

method Fresh(x: int)
  requires x > 0
";

#[test]
fn versions_of_a_contract_are_compared() {
    let package = Package::new(&[("src/lib.dfy", NEW), ("old/lib.dfy", OLD)]);
    let run = package.run(&[
        "spec",
        "--message-format",
        "short",
        "--diff",
        "old/lib.dfy",
        "src/lib.dfy",
    ]);
    assert_eq!(run.code, 7, "{}", run.shown());
    for line in [
        "src/lib.dfy:4:8: note: `M` now accepts `x = 0` [spec/newly-accepted]",
        "src/lib.dfy:4:8: warning: `M` now allows `1` for `x = 1` [spec/newly-allowed]",
        "src/lib.dfy:8:8: warning: `N` no longer accepts `x = 9` [spec/newly-rejected]",
    ] {
        assert!(run.shown().contains(line), "{line}\n{}", run.shown());
    }
    assert!(!run.shown().contains("`Same`"), "{}", run.shown());
    let json = |arguments: &[&str]| {
        let run = package.run(&[&["spec", "--message-format", "json"], arguments].concat());
        run.lines("specification-difference")
    };
    let records = json(&["--diff", "old", "src"]);
    let of = |name: &str| records.iter().find(|r| r["unit"] == name);
    assert!(of("Same").is_none());
    let gone = of("Gone").unwrap();
    assert_eq!(gone["status"], "removed");
    assert_eq!(gone["place"], "old/lib.dfy:14:8");
    assert_eq!(of("Fresh").unwrap()["status"], "added");
    let m = of("M").unwrap();
    assert_eq!(m["accepted"]["example"]["inputs"]["x"], "0");
    assert_eq!(m["rejected"]["verdict"], "no");
    assert_eq!(m["rejected"]["proved"], true);
    assert_eq!(m["allowed"]["example"]["results"][0]["r"], "1");
    assert_eq!(m["forbidden"]["verdict"], "no");
    // A unit without clauses allows everything.
    package.write("src/lib.dfy", "method M(x: int) returns (r: int)\n");
    let records = json(&["--diff", "old", "src"]);
    let m = records.iter().find(|r| r["unit"] == "M").unwrap();
    assert_eq!(m["status"], "changed");
    assert_eq!(m["accepted"]["verdict"], "yes");
    assert_eq!(m["allowed"]["verdict"], "yes");
    // A difference that does not affect callers.
    package.write("src/lib.dfy", "method M(x: int)\n  requires x >= 0\n");
    package.write("old/lib.dfy", "method M(x: int)\n  requires x > 0\n");
    let code = |fail_on: &str| {
        let arguments = ["spec", "--diff", "old", "--fail-on", fail_on, "src"];
        package.run(&arguments).code
    };
    assert_eq!([code("faulty"), code("open"), code("none")], [0, 7, 0]);
}

#[test]
fn a_revision_of_git_is_an_old_version() {
    let package = Package::new(&[("src/lib.dfy", OLD)]);
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(package.root()).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "src"]);
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    git(&[&identity[..], &["commit", "--quiet", "-m", "old"]].concat());
    package.write("src/lib.dfy", NEW);
    package.write("src/more.dfy", "method More(x: int)\n  requires x > 0\n");
    let run = package.run(&["spec", "--message-format", "short", "--diff", "HEAD"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let line = "src/lib.dfy:8:8: warning: `N` no longer accepts `x = 9` [spec/newly-rejected]";
    assert!(run.shown().contains(line), "{}", run.shown());
    let run = package.run(&["spec", "--message-format", "json", "--diff", "HEAD"]);
    let records = run.lines("specification-difference");
    let gone = records.iter().find(|r| r["unit"] == "Gone").unwrap();
    assert_eq!(gone["place"], "HEAD:src/lib.dfy:14:8");
    let more = records.iter().find(|r| r["unit"] == "More").unwrap();
    assert_eq!(more["status"], "added");
    // A file that the old version lacks.
    let run = package.run(&["spec", "--diff", "HEAD", "src/more.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = package.run(&["spec", "--diff", "mian"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.shown().contains("`mian` is not a revision"),
        "{}",
        run.shown()
    );
}

#[test]
fn clauses_are_changed_and_missing_ones_are_suggested() {
    let text = "method Reverse(s: seq<int>) returns (r: seq<int>)
  ensures |r| >= |s| && |r| <= |s|
{
  r := [];
  for i := 0 to |s|
    invariant |r| == i
  {
    r := [s[i]] + r;
  }
}

method Next(x: int) returns (r: int)
  requires x > 0 && x > 5
  ensures r >= x
{
  r := x + 1;
}
";
    let package = Package::new(&[("src/lib.dfy", text)]);
    let run = package.run(&[
        "spec",
        "--message-format",
        "short",
        "--mutants",
        "--suggest",
    ]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for line in [
        "src/lib.dfy:1:8: note: the body of `Reverse` also satisfies `ensures multiset(r) == multiset(s)`, which rejects `[1]` for `s = [0]` [spec/candidate]",
        "src/lib.dfy:13:12: note: without `x > 0`, the contract of `Next` accepts nothing more [spec/idle-part]",
        "src/lib.dfy:14:11: note: the body of `Next` also satisfies this clause with `>` instead of `>=` in `r >= x`, which rejects `10` for `x = 10` [spec/stronger]",
    ] {
        assert!(run.shown().contains(line), "{line}\n{}", run.shown());
    }
    let run = package.run(&["spec", "--message-format", "json", "--mutants", "--suggest"]);
    let mutants = run.lines("specification-mutant");
    let dropped = mutants
        .iter()
        .find(|m| m["what"] == "without `x > 0`")
        .unwrap();
    assert_eq!(dropped["status"], "same");
    assert_eq!(dropped["proved"], true);
    let candidates = run.lines("specification-candidate");
    assert_eq!(candidates[0]["text"], "multiset(r) == multiset(s)");
    assert!(
        candidates[0]["rejected"].as_u64() > Some(0),
        "{candidates:?}"
    );
}

#[test]
fn cases_are_judged_by_clause() {
    let package = Package::new(&[
        (
            "src/lib.dfy",
            "datatype Color = Red | Green\nmodule M {\n  method Sort(s: seq<int>) returns (r: seq<int>)\n    ensures |r| == |s|\n    ensures forall i, j :: 0 <= i < j < |r| ==> r[i] <= r[j]\n  {\n    r := s;\n  }\n}\nmethod Other(c: Color) returns (d: Color)\n  ensures d != c\n",
        ),
        (
            "spec/cases.json",
            r#"[
              {"unit": "M.Sort",
               "accept": [
                 {"inputs": {"s": "[2, 1]"}, "results": {"r": "[1, 2]"}},
                 {"inputs": {"s": "[2, 1]"}, "results": {"r": "[2, 1]"}},
                 {"inputs": {"s": "[2, 1]"}}],
               "reject": [{"inputs": {"s": "[1]"}, "results": {"r": "[3]"}}]},
              {"unit": "Other", "reject": [{"inputs": {"c": "Red"}, "results": {"d": "Red"}}]}
            ]"#,
        ),
    ]);
    let arguments = ["spec", "--cases", "spec/cases.json", "--message-format"];
    let run = package.run(&[&arguments[..], &["json"]].concat());
    assert_eq!(run.code, 7, "{}", run.shown());
    let records = run.lines("specification-case");
    let verdicts: Vec<&str> = records
        .iter()
        .map(|r| r["verdict"].as_str().unwrap())
        .collect();
    let expected = ["accepted", "rejected", "rejected", "accepted", "rejected"];
    assert_eq!(verdicts, expected, "{}", run.shown());
    let order = "forall i, j :: 0 <= i < j < |r| ==> r[i] <= r[j]";
    assert_eq!(records[1]["clauses"], serde_json::json!([order]));
    let run = package.run(&[&arguments[..], &["short"]].concat());
    for message in [
        "spec/cases.json: `M.Sort` wrongly rejects `[2, 1]` for `s = [2, 1]` [spec/wrongly-rejects]",
        "`M.Sort` wrongly rejects the result of the body for `s = [2, 1]` [spec/wrongly-rejects]",
        "`M.Sort` wrongly accepts `[3]` for `s = [1]` [spec/wrongly-accepts]",
    ] {
        assert!(run.shown().contains(message), "{message}\n{}", run.shown());
    }
    // Wrong names, wrong values and unknown units are named.
    let code = |cases: &str, part: &str| {
        package.write("spec/cases.json", cases);
        let run = package.run(&[&arguments[..], &["short"]].concat());
        assert!(run.shown().contains(part), "{part}\n{}", run.shown());
        run.code
    };
    let case = |inputs: &str| {
        format!(
            r#"[{{"unit": "Other", "reject": [{{"inputs": {{{inputs}}}, "results": {{"d": "Red"}}}}]}}]"#
        )
    };
    assert_eq!(code(&case(r#""c": "Blue""#), "the case is not judged"), 5);
    assert_eq!(code(&case(""), "it has no value for `c`"), 5);
    assert_eq!(code("[{}]", "missing field `unit`"), 1);
    assert_eq!(
        code(
            r#"[{"unit": "N", "accept": [{}]}]"#,
            "no contract of the name `N`"
        ),
        5
    );
}

const ACCOUNTS: &str = "class Account {
  var balance: nat
  constructor (b: nat)
    ensures balance == b
  { balance := b; }
  method Withdraw(amount: nat)
    requires amount < balance
    modifies this
    ensures balance == old(balance) - amount
  { balance := balance - amount; }
  method Move(to: Account, amount: nat)
    requires amount <= balance
    modifies this, to
    ensures to != this ==> to.balance == old(to.balance) + amount
    ensures to == this ==> balance == old(balance)
  { balance := balance - amount; to.balance := to.balance + amount; }
}
method Fill(a: array<int>, x: int)
  modifies a
  ensures forall i :: 0 <= i < a.Length ==> a[i] > x
{ for i := 0 to a.Length { a[i] := x; } }
method Make(x: nat) returns (r: Account)
  ensures fresh(r)
  ensures r.balance == x
{ r := new Account(x); }
";

/// The verdicts on cases, and the shown text.
fn cases(package: &Package, arguments: &[&str]) -> (Vec<(String, String)>, String, i32) {
    let start = ["spec", "--message-format"];
    let json = package.run(&[&start[..], &["json"], arguments].concat());
    let records = json.lines("specification-case");
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    let verdicts = records
        .iter()
        .map(|r| (text(&r["unit"]), text(&r["verdict"])));
    let short = package.run(&[&start[..], &["short"], arguments].concat());
    (verdicts.collect(), short.shown(), json.code)
}

#[test]
fn calls_of_tests_are_cases_with_objects_and_arrays() {
    let tests = "method {:test} Withdraws()
{
  var a := new Account(5);
  a.Withdraw(3);
  a.Withdraw(2);
  var b := new Account(1);
  b.Move(a, 1);
  b.Move(b, 0);
  var xs := new int[2];
  Fill(xs, 4);
  var made := Make(3);
  expect made.balance == 3;
}
";
    let package = Package::new(&[("src/lib.dfy", &format!("{ACCOUNTS}{tests}"))]);
    let (verdicts, shown, code) = cases(&package, &["--test-cases", "--filter", "Withdraw"]);
    assert_eq!(code, 7, "{shown}");
    let expected = [
        ("Account._ctor", "accepted"),
        ("Account.Withdraw", "accepted"),
        ("Account.Withdraw", "rejected"),
        ("Account._ctor", "accepted"),
        ("Account.Move", "accepted"),
        ("Account.Move", "accepted"),
        ("Fill", "rejected"),
        ("Make", "accepted"),
        ("Account._ctor", "accepted"),
    ];
    let expected = expected.map(|(unit, verdict)| (unit.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts, expected, "{shown}");
    for message in [
        "test Withdraws: `Account.Withdraw` wrongly rejects `this.balance = 0` for `amount = 2, this.balance = 2`",
        "test Withdraws: `Fill` wrongly rejects `a[..] = [4, 4]` for `a.Length = 2, x = 4`",
    ] {
        assert!(shown.contains(message), "{message}\n{shown}");
    }
}

#[test]
fn cases_have_objects_arrays_and_final_states() {
    let package = Package::new(&[
        ("src/lib.dfy", ACCOUNTS),
        (
            "spec/cases.json",
            r#"[
              {"unit": "Account.Withdraw",
               "accept": [
                 {"inputs": {"this.balance": "5", "amount": "2"}, "results": {"this.balance": "3"}},
                 {"inputs": {"this.balance": "5", "amount": "5"}, "results": {"this.balance": "0"}},
                 {"inputs": {"this.balance": "5", "amount": "2"}}],
               "reject": [
                 {"inputs": {"this.balance": "5", "amount": "2"}, "results": {"this.balance": "4"}}]},
              {"unit": "Account.Move",
               "accept": [
                 {"inputs": {"this.balance": "1", "to": "this", "amount": "1"}, "results": {"this.balance": "1"}}],
               "reject": [
                 {"inputs": {"this.balance": "1", "to.balance": "0", "amount": "1"},
                  "results": {"this.balance": "0", "to.balance": "0"}},
                 {"inputs": {"this.balance": "1", "to.balance": "0", "amount": "1"},
                  "results": {"this.balance": "1", "to.balance": "1"}}]},
              {"unit": "Fill",
               "accept": [{"inputs": {"a[..]": "[1, 2]", "x": "0"}, "results": {"a[..]": "[1, 1]"}}],
               "reject": [{"inputs": {"a[..]": "[1, 2]", "x": "1"}, "results": {"a[..]": "[2, 1]"}}]},
              {"unit": "Make",
               "accept": [{"inputs": {"x": "2"}, "results": {"r.balance": "2"}}],
               "reject": [{"inputs": {"x": "2"}, "results": {"r.balance": "1"}}]}
            ]"#,
        ),
    ]);
    let (verdicts, shown, code) = cases(&package, &["--cases", "spec/cases.json"]);
    let verdicts: Vec<&str> = verdicts.iter().map(|(_, v)| v.as_str()).collect();
    let expected = [
        "accepted", "rejected", "accepted", "rejected", // Withdraw
        "accepted", "rejected", "accepted", // Move
        "accepted", "rejected", // Fill
        "accepted", "rejected", // Make
    ];
    assert_eq!(verdicts, expected, "{shown}");
    assert_eq!(code, 7);
    // The contract of `Move` forgets the balance of the receiver.
    let message = "`Account.Move` wrongly accepts `this.balance = 1, to.balance = 1` for";
    assert!(shown.contains(message), "{shown}");
    // Values that are no states are named.
    for (case, part) in [
        (r#""this.size": "1""#, "has no variable `this.size`"),
        (r#""this.balanse": "1""#, "did you mean `this.balance`?"),
        (
            r#""this.balance": "1", "amont": "1""#,
            "did you mean `amount`?",
        ),
        (r#""this.balance": "1""#, "it has no value for `amount`"),
        (
            r#""this.balance": "1", "amount": "-1""#,
            "wrongly rejects `this.balance = 1`",
        ),
    ] {
        let text = format!(
            r#"[{{"unit": "Account.Withdraw", "accept": [{{"inputs": {{{case}}}, "results": {{"this.balance": "1"}}}}]}}]"#
        );
        package.write("spec/cases.json", &text);
        let (_, shown, _) = cases(&package, &["--cases", "spec/cases.json"]);
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}

#[test]
fn a_state_that_the_frame_forbids_is_rejected() {
    let package = Package::new(&[
        (
            "src/lib.dfy",
            "class Cell { var value: int }\nmethod Set(c: Cell, d: Cell)\n  modifies c\n  ensures c.value == 1\n{ c.value := 1; }\n",
        ),
        (
            "cases.json",
            r#"[{"unit": "Set", "accept": [
                 {"inputs": {"c.value": "0", "d.value": "0"}, "results": {"c.value": "1"}},
                 {"inputs": {"c.value": "0", "d": "c"}, "results": {"d.value": "1"}},
                 {"inputs": {"c.value": "0", "d.value": "0"}, "results": {"c.value": "1", "d.value": "1"}}]}]"#,
        ),
    ]);
    let (verdicts, shown, _) = cases(&package, &["--cases", "cases.json"]);
    let verdicts: Vec<&str> = verdicts.iter().map(|(_, v)| v.as_str()).collect();
    assert_eq!(verdicts, ["accepted", "accepted", "rejected"], "{shown}");
}

#[test]
fn the_results_of_a_reference_are_cases() {
    let package = Package::new(&[
        (
            "src/lib.dfy",
            "function Largest(a: int, b: int): int { if a < b then b else a }
method Max(a: int, b: int) returns (r: int)
  ensures r >= a && r >= b
method Above(a: int, b: int) returns (r: int)
  ensures r > a
method Other(a: int) returns (r: int)
  ensures r > a
",
        ),
        (
            "cases.json",
            r#"[{"unit": "Max", "reference": "Largest"},
                {"unit": "Above", "reference": "Largest"},
                {"unit": "Other", "reference": "Largest"}]"#,
        ),
    ]);
    let (verdicts, shown, code) = cases(&package, &["--cases", "cases.json", "--fail-on", "none"]);
    let verdicts: Vec<&str> = verdicts.iter().map(|(_, v)| v.as_str()).collect();
    assert_eq!(verdicts, ["accepted", "rejected", "undecided"], "{shown}");
    assert_eq!(code, 7);
    let message = "`Above` wrongly rejects `0`, the result of `Largest` for `a = 0, b = 0`";
    assert!(shown.contains(message), "{shown}");
}

const ASSUMPTIONS: &str = "lemma Bigger(x: int)
  requires x > 4
  ensures x > 5

lemma {:axiom} Square(x: int)
  ensures x * 2 == x + x

method {:extern} Read() returns (r: int)
  ensures r > 0

method User(x: int)
  requires x > 4
{
  Bigger(x);
}

method Caller() {
  User(5);
}
";

#[test]
fn assumptions_are_listed_with_evidence_and_dependents() {
    let package = Package::new(&[("src/lib.dfy", ASSUMPTIONS)]);
    let run = package.run(&["spec", "--assumptions", "--message-format", "json"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let records = run.lines("specification-assumption");
    let shown: Vec<String> = records
        .iter()
        .map(|r| format!("{} {} {}", r["place"], r["assumption"], r["evidence"]))
        .collect();
    let expected = [
        r#""src/lib.dfy:1:7" "no-body" "refuted""#,
        r#""src/lib.dfy:5:16" "axiom" "proved""#,
        r#""src/lib.dfy:8:18" "external-ensures" "not-executable""#,
    ];
    assert_eq!(shown, expected);
    assert_eq!(records[0]["inputs"]["x"], "5");
    assert_eq!(
        records[0]["dependents"],
        serde_json::json!(["Caller", "User"])
    );
    let summary = &run.lines("summary")[0];
    assert_eq!(summary["refuted"], 1);
    assert_eq!(summary["assumptions"], 3);
}

#[test]
fn refuted_assumptions_determine_the_exit_code() {
    let package = Package::new(&[("src/lib.dfy", ASSUMPTIONS)]);
    let run = |arguments: &[&str]| package.run(&[&["spec", "--assumptions"], arguments].concat());
    let refuted = run(&["--message-format", "short"]);
    assert_eq!(refuted.code, 7);
    let line = "lib.dfy:1:7: error: the contract without a body `Bigger` is refuted for `x = 5` [spec/refuted-assumption]";
    assert!(refuted.shown().contains(line), "{}", refuted.shown());
    assert_eq!(run(&["--fail-on", "none"]).code, 0);
    assert_eq!(run(&["--filter", "Square"]).code, 0);
    assert_eq!(run(&["--filter", "Square", "--fail-on", "open"]).code, 0);
    // Nothing is known of external code.
    assert_eq!(run(&["--filter", "Read"]).code, 0);
    assert_eq!(run(&["--filter", "Read", "--fail-on", "open"]).code, 7);
}
