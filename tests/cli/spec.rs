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
