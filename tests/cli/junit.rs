//! `--message-format junit`: every finding is a test case of its unit.

use crate::package::{Package, Run};

const PROGRAM: &str = "\
method Half(n: int) returns (h: int)
  ensures h < n
{
  h := n / 2;
}
method Pick(n: nat) returns (m: nat) {
  if n < 0 { m := 1; } else { m := n; }
}
method {:test} Works() { expect 1 + 1 == 2; print \"<done>\"; }
method {:test} Fails() { expect 1 + 1 == 3, \"no & no\"; }
";

/// The attributes of the root: tests, skipped, failures, errors.
fn counts(run: &Run) -> [usize; 4] {
    let root = run
        .stdout
        .lines()
        .nth(1)
        .unwrap_or_else(|| panic!("{}", run.shown()));
    let count = |name: &str| {
        let (_, rest) = root.split_once(&format!("{name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    ["tests", "skipped", "failures", "errors"].map(count)
}

#[test]
fn findings_are_failing_cases_and_everything_else_passes() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["check", "--message-format", "junit"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    let [tests, _, failures, errors] = counts(&run);
    assert_eq!((failures, errors), (1, 0), "{}", run.shown());
    assert!(tests > 1, "{}", run.shown());
    for line in [
        "<testcase name=\"postcondition `h &lt; n`\" classname=\"Half\" file=\"src/lib.dfy\"",
        "type=\"check/postcondition\"",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.shown());
    }
    // People read the log beside it.
    assert!(
        run.stderr.contains("error[check/postcondition]"),
        "{}",
        run.shown()
    );
    // An allowed one is skipped.
    package.write(
        "dtest.toml",
        "[violations]\nallow = [{ key = \"Half\", reason = \"known\" }]\n",
    );
    let run = package.run(&["check", "--message-format", "junit"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(counts(&run)[1..], [1, 0, 0], "{}", run.shown());
    assert!(
        run.stdout
            .contains("<skipped message=\"allowed by &quot;Half&quot; in dtest.toml: known\"/>"),
        "{}",
        run.shown()
    );
}

#[test]
fn dead_blocks_survivors_and_tests_are_cases() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let run = package.run(&["dead", "--message-format", "junit"]);
    assert_eq!(run.code, 5, "{}", run.shown());
    assert_eq!(counts(&run)[2], 1, "{}", run.shown());
    assert!(
        run.stdout.contains("<testsuite name=\"Pick\"") && run.stdout.contains("dead/proved"),
        "{}",
        run.shown()
    );
    let run = package.run(&["run", "--test", "--message-format", "junit"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert_eq!(counts(&run), [2, 0, 1, 0], "{}", run.shown());
    assert!(run.stdout.contains("no &amp; no"), "{}", run.shown());
    assert!(
        run.stdout.contains("<system-out>&lt;done&gt;</system-out>"),
        "{}",
        run.shown()
    );
    let json = package.run(&["mutants", "--message-format", "json"]);
    let of = |status: &str| {
        json.lines("mutant")
            .iter()
            .filter(|m| m["status"] == status)
            .count()
    };
    let run = package.run(&["mutants", "--message-format", "junit"]);
    let [tests, skipped, failures, _] = counts(&run);
    assert_eq!(tests, json.lines("mutant").len(), "{}", run.shown());
    assert_eq!(
        (skipped, failures),
        (of("untested") + of("not-run"), of("survived")),
        "{}",
        run.shown()
    );
    let run = package.run(&["gen", "--message-format", "junit", "--out", "made"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert!(counts(&run)[2] > 0, "{}", run.shown());
}

#[test]
fn an_error_of_the_program_or_the_command_line_is_a_case_with_an_error() {
    let package = Package::new(&[("src/lib.dfy", "function F(n: int): int { m }\n")]);
    let run = package.run(&["check", "--message-format", "junit"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(counts(&run), [1, 0, 0, 1], "{}", run.shown());
    assert!(
        run.stdout
            .contains("<testcase name=\"src/lib.dfy:1:27: resolve/unknown-name\""),
        "{}",
        run.shown()
    );
    let run = package.run(&["check", "missing.dfy", "--message-format", "junit"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert_eq!(counts(&run), [1, 0, 0, 1], "{}", run.shown());
}
