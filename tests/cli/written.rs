//! `check --write`: a violation becomes a test that fails, and passes once the program is fixed.

use super::Package;
use super::suite::cargo_test;

const WRONG: &str = "method Last(s: seq<int>) returns (x: int)
  requires |s| > 1
  ensures x == s[|s| - 1]
{
  x := s[|s| - 2];
}

method Sum(n: nat) returns (s: nat)
{
  var i := 0;
  s := 0;
  while i < n
    invariant s == i
  {
    s, i := s + 2, i + 1;
  }
}

method At(s: seq<int>, i: nat) returns (x: int) {
  x := s[i];
}

lemma Half(n: nat)
  ensures n / 2 * 2 == n
{
}
";

#[test]
fn violations_are_tests_that_pass_once_the_program_is_mended() {
    let package = Package::new(&[("src/lib.dfy", WRONG)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["check", "--write"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    // An obligation that compiled code does not check has no test, which is reported.
    for expected in [
        "src/lib.dfy:13:15 (Sum): compiled code does not check it",
        "src/lib.dfy:24:11 (Half): this is not compiled",
    ] {
        assert!(
            run.stderr.contains(expected),
            "{expected} in {}",
            run.stderr
        );
    }
    let (passed, text) = cargo_test(&package, "written");
    assert!(
        !passed && text.contains("    last::postcondition\n") && text.contains("    at::index\n"),
        "{text}"
    );

    package.write(
        "src/lib.dfy",
        WRONG
            .replace("|s| - 2", "|s| - 1")
            .replace(
                "i: nat) returns (x: int)",
                "i: nat) returns (x: int) requires i < |s|",
            )
            .replace("s + 2", "s + 1"),
    );
    let run = package.run(&["check", "--write", "--fail-on", "none"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (_, text) = cargo_test(&package, "written");
    // Inputs that the fix excludes fail as before.
    assert!(
        !text.contains("    last::postcondition\n") && text.contains("    at::index\n"),
        "{text}"
    );
}

#[test]
fn annotations_of_requirements_are_repeated_in_the_tests() {
    let source = "\
/** The rest of `balance`. */
function Pay(balance: nat, price: nat): nat {
  //= specs/pay.md#balance
  //# The balance MUST NOT become negative.
  if price > balance then 0 else balance - price
}
//= specs/pay.md#later
//= type=todo
//# Interest MAY be paid.
function Other(n: nat): nat { n }
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = package.files();
    let annotation =
        "//= specs/pay.md#balance\n//= type=test\n//# The balance MUST NOT become negative.\n";
    let suite = &files["tests/dtest/pay.rs"];
    let tests = suite.matches("#[dunit(").count();
    assert!(tests > 1, "{suite}");
    let before = format!("{annotation}#[dunit(");
    assert_eq!(suite.matches(&before).count(), tests, "{suite}");
    assert!(!files["tests/dtest/other.rs"].contains("//="));
    let run = package.run(&["gen", "--emit", "dafny", "--out", "dafny"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = package.files();
    let text: String = files
        .iter()
        .filter(|(path, _)| path.starts_with("dafny/"))
        .map(|(_, text)| text.as_str())
        .collect();
    let annotation = annotation.replace("//", "  //");
    let before = format!("{annotation}  static method {{:test}} Pay");
    assert!(text.contains(&before), "{text}");
}
