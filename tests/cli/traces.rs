//! `check`: the traces of violations.

use super::Package;

const CALLS: &str = "class Node {
  var next: Node?
  constructor () { next := null; }
}

function Down(n: nat): int {
  if n == 0 then 10 / n else Down(n - 1)
}

method Link(a: Node, b: Node)
  modifies a
{
  a.next := b;
}

method Start(n: nat) {
  var a := new Node();
  Link(a, a);
  if n > 1 {
    assert a.next == a;
    var d := Down(n);
  }
}

method Count(n: nat) returns (s: nat)
  ensures s == n
{
  s := 0;
  var i := 0;
  while i < n
    invariant i <= n
  {
    s := s + i;
    i := i + 1;
  }
}

method Any() returns (r: int) {
  var x: int :| 0 <= x < 10;
  if * {
    x := x + 1;
  }
  assert x != 4;
  return x;
}
";

#[test]
fn the_calls_the_last_iterations_and_the_choices_are_shown() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    let said = package.run(&["check"]).stderr;
    for expected in [
        "= note: in `Down` with n = 0\n",
        "= note: iterations of the loop at src/lib.dfy:30:3:\n             before the first: s = 0, i = 0\n             after 1: s = 0, i = 1\n",
        "= note: nondeterministic choices:\n             `var x: int :| 0 <= x < 10;` at src/lib.dfy:39:3: x = ",
    ] {
        assert!(said.contains(expected), "{expected} in\n{said}");
    }
    let start = package.run(&["check", "--filter", "^Start$"]).stderr;
    assert!(
        start.contains(
            "call stack:\n            `Down` at src/lib.dfy:21:14 with n = 2\n            `Down` at src/lib.dfy:7:30 with n = 1\n"
        ),
        "{start}"
    );
}

#[test]
fn every_step_is_shown_where_that_is_asked_for() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    let said = package
        .run(&["check", "--filter", "^Start$", "--trace"])
        .stderr;
    let steps: Vec<&str> = said
        .lines()
        .map(str::trim)
        .filter(|l| l.starts_with("src/lib.dfy:"))
        .collect();
    assert_eq!(
        steps,
        [
            "src/lib.dfy:17:3  var a := new Node();  [n = 2]",
            "src/lib.dfy:3:20  next := null;  [this = Node]",
            "src/lib.dfy:3:34  return  [this = Node { next: null }]",
            "src/lib.dfy:18:3  Link(a, a);  [a = Node { next: null }]",
            "src/lib.dfy:13:3  a.next := b;  [a = Node#1 { next: null }, b = Node#1]",
            "src/lib.dfy:14:1  return  [a = Node#1 { next: Node#1 }]",
            "src/lib.dfy:19:6  n > 1  [a = Node#1 { next: Node#1 }]",
            "src/lib.dfy:20:12  assert a.next == a;",
            "src/lib.dfy:21:14  var d := Down(n);",
        ],
        "{said}"
    );
}

#[test]
fn records_and_logs_have_the_steps() {
    let package = Package::new(&[("src/lib.dfy", CALLS)]);
    let records = package
        .run(&["check", "--filter", "^Count$", "--message-format", "json"])
        .stdout;
    let records: Vec<serde_json::Value> = records
        .lines()
        .map(|l| serde_json::from_str(l).expect("a record"))
        .collect();
    let violated = records
        .iter()
        .find(|r| r["standing"] == "violated")
        .expect("a violation");
    let trace = &violated["trace"];
    let turns: Vec<u64> = trace["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|s| s["iteration"].as_u64())
        .collect();
    assert_eq!(turns, [0, 1], "{trace}");
    assert_eq!(trace["end"], serde_json::json!(["s = 0", "i = 1"]));
    let log = package
        .run(&["check", "--filter", "^Count$", "--message-format", "sarif"])
        .stdout;
    let log: serde_json::Value = serde_json::from_str(&log).expect("a log");
    let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let last = steps.as_array().and_then(|s| s.last()).expect("steps");
    assert_eq!(
        last["location"]["physicalLocation"]["region"]["startLine"], 26,
        "{last}"
    );
}

#[test]
fn of_a_long_execution_the_beginning_and_the_end_are_kept() {
    let source = "method Long() {\n  var i := 0;\n  while i < 2000 {\n    i := i + 1;\n  }\n  assert i == 0;\n}\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let records = package.run(&["check", "--message-format", "json"]).stdout;
    let violated = records
        .lines()
        .find(|l| l.contains("\"violated\""))
        .expect("a violation");
    let trace = &serde_json::from_str::<serde_json::Value>(violated).unwrap()["trace"];
    let steps = trace["steps"].as_array().unwrap().len() as u64;
    assert!(
        steps < 500 && trace["omitted"]["count"].as_u64().unwrap() > 2000,
        "{}",
        trace["omitted"]
    );
    assert_eq!(trace["end"], serde_json::json!(["i = 2000"]));
}

#[test]
fn each_activation_begins_with_all_that_it_knows() {
    let text = "method Next(x: int) returns (y: int) {\n  y := x + 1;\n}\nmethod Twice(x: int) {\n  var a := Next(x); var b := Next(x);\n  assert a != 1;\n}\n";
    let package = Package::new(&[("src/lib.dfy", text)]);
    let said = package.run(&["check", "--trace"]).stderr;
    assert_eq!(said.matches("y := x + 1;  [x = 0]").count(), 2, "{said}");
}
