//! Programs that need more time or memory than available: each affects its unit alone, which
//! reports the reason.

use std::time::{Duration, Instant};

use super::Package;
use super::package::Run;

/// A unit that is independent of the others.
const SIGN: &str =
    "method Sign(x: int) returns (r: int) { if x < 0 { r := -1; } else { r := 1; } }\n";

/// Generates a suite in a process whose data is limited to `mebibytes`; allocations beyond that
/// fail, and the run with them.
fn bounded(source: &str, mebibytes: u64) -> (Run, Package) {
    let package = Package::new(&[("src/lib.dfy", &format!("{SIGN}{source}"))]);
    let tool = env!("CARGO_BIN_EXE_cargo-dtest");
    let script = format!(
        "ulimit -d {}; exec {tool} gen --timeout 10 --message-format json",
        mebibytes << 10
    );
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(package.root())
        .env("DTEST_RUNTIME", super::package::runtime());
    let start = Instant::now();
    let output = command.output().unwrap();
    let run = Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(
        start.elapsed() < Duration::from_secs(120),
        "{:?}",
        start.elapsed()
    );
    let covered = run.lines("unit").iter().any(|u| {
        u["unit"] == "Sign"
            && u["goals"]
                .as_array()
                .unwrap()
                .iter()
                .all(|g| g["status"] == "covered")
    });
    assert!(covered, "{}", run.shown());
    (run, package)
}

#[test]
fn a_unit_that_exhausts_the_memory_costs_only_itself() {
    let long = "abcdefghijklmnopqrstuvwxyz012345".repeat(1000);
    let programs = [
        format!("method Literal(s: string) returns (r: int) {{ if s == \"{long}\" {{ r := 1; }} else {{ r := 0; }} }}"),
        "method Doubled(n: nat) returns (s: string) { s := \"ab\"; for i := 0 to 50 { s := s + s; } }".to_owned(),
        "method Printed() { var m := multiset{7}[7 := 50_000_000_000]; print m; }".to_owned(),
        "method Nested() { var t: seq<seq<int>> := [[1]]; for i := 0 to 40 { t := t + t; } print t; }".to_owned(),
    ];
    for source in &programs {
        let (run, _) = bounded(source, 3072);
        assert!(
            [0, 7].contains(&run.code),
            "{}: {}",
            source.get(..60).unwrap(),
            run.shown()
        );
    }
}

#[test]
fn deeply_nested_datatypes_end_in_time() {
    let mut source = "datatype T0 = Leaf(n: int)\n".to_owned();
    for i in 1..=30 {
        source += &format!(
            "datatype T{i} = Both{i}(left: T{j}, right: T{j}) | Neither{i}\n",
            j = i - 1
        );
    }
    source += "method Deep(t: T30) returns (r: int) { if t.Both30? && t.left.Neither29? { r := 1; } else { r := 2; } }\n";
    let (run, _) = bounded(&source, 3072);
    assert!([0, 7].contains(&run.code), "{}", run.shown());
}

#[test]
fn values_that_share_their_parts_are_given_up_with_the_reason() {
    let doubled = "  t := Both(t, t);\n".repeat(60);
    let source = format!(
        "datatype T = Leaf | Both(left: T, right: T)\n\
         method Blown() returns (t: T) {{\n  t := Leaf;\n{doubled}}}\n\
         method Given(u: T) returns (t: T) {{\n  t := u;\n{doubled}}}\n"
    );
    let (run, _) = bounded(&source, 3072);
    assert_eq!(run.code, 0, "{}", run.shown());
    for unit in ["Blown", "Given"] {
        let lines = run.lines("unit");
        let goals = lines
            .iter()
            .find(|u| u["unit"] == unit)
            .map(|u| u["goals"].to_string())
            .unwrap_or_default();
        assert!(
            goals.contains("values that are too large"),
            "{unit}: {}",
            run.shown()
        );
    }
}
