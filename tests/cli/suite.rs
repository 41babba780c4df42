//! Generated suites, compiled and run.

use std::process::Command;

use super::Package;

const GRADES: &str = "\
/** What a number of points is worth. */
function Grade(points: nat): (grade: string)
  requires points <= 100
  ensures grade == \"pass\" ==> points >= 50
{
  if points < 50 then \"fail\" else \"pass\"
}
";

/// Runs `cargo test` in the package. Returns whether it passed, with its output.
///
/// Cargo identifies packages by name, so concurrent tests must build in different directories: each
/// in that of its slot, where dependencies are built once, or, if the runner is not nextest, in the
/// one named `alone`.
pub(super) fn cargo_test(package: &Package, alone: &str) -> (bool, String) {
    let directory = std::env::var("NEXTEST_TEST_GLOBAL_SLOT")
        .map_or_else(|_| alone.to_owned(), |slot| format!("slot-{slot}"));
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--quiet", "--offline"])
        .current_dir(package.root())
        .env("CARGO_TARGET_DIR", target);
    let output = command.output().unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.success(), text)
}

#[test]
fn a_generated_suite_passes_and_catches_a_changed_operator() {
    let package = Package::new(&[("src/lib.dfy", GRADES)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (passed, text) = cargo_test(&package, "suites");
    assert!(passed, "{text}");

    let translation = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    assert_eq!(translation.matches(" < ").count(), 1, "{translation}");
    package.write("src/lib.rs", translation.replace(" < ", " <= "));
    let (passed, text) = cargo_test(&package, "suites");
    assert!(!passed, "{text}");
    for expected in ["src/lib.dfy:2:10", "points = 50", "\"fail\"", "\"pass\""] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn printed_output_is_compared() {
    let source =
        "method Tell(name: string, parts: seq<char>) {\n  print name, \": \", parts, \"\\n\";\n}\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (passed, text) = cargo_test(&package, "printed");
    assert!(passed, "{text}");

    let translation = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    assert!(translation.contains("\": \""), "{translation}");
    package.write("src/lib.rs", translation.replace("\": \"", "\"; \""));
    let (passed, text) = cargo_test(&package, "printed");
    assert!(
        !passed && text.contains("src/lib.dfy:1:8: what Tell prints") && text.contains("want: \""),
        "{text}"
    );
}

/// Prints variables that are read before they are assigned, one of each kind of type.
const DEFAULT_VALUES: &str = include_str!("default_values.dfy");

/// The output of the official Dafny 4.11 for Python, C# and JavaScript.
const PRINTED_DEFAULT_VALUES: &str = "\
0 0 0.0 false 0 0 true
[] {} map[] multiset{} []
(0, false) Pair.Pair(0, Pair.Pair(false, [])) Color.Red Late.End(0)
Shells.Atom(0) Shells.Atom(Shells.Atom(0)) Shells.Atom(Shells.Atom(Pair.Pair(5, 7)))
5 0 7 []
true true true
0 false true
5 Pair.Pair(0, Color.Red)
Shells.Atom(Shells.Atom(0)) [] 5 5
0 0 
";

#[test]
fn default_values_are_those_of_dafny_in_the_interpreter_and_the_translation() {
    let package = Package::new(&[("src/lib.dfy", DEFAULT_VALUES)]);
    let strict = package.run(&["run"]);
    assert_eq!(strict.code, 7, "{}", strict.shown());
    let run = package.run(&["run", "--relax-definite-assignment"]);
    assert_eq!(run.stdout, PRINTED_DEFAULT_VALUES, "{}", run.shown());
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen", "--relax-definite-assignment", "--filter", "^Main$"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // For the suite, such a value is a choice of the program, which a test does not compare.
    let path = "tests/dtest/main_.rs";
    let test = std::fs::read_to_string(package.root().join(path)).unwrap();
    let call = "subject::main();";
    assert!(test.contains(call), "{test}");
    let check = format!("{call} expect_prints!({PRINTED_DEFAULT_VALUES:?}, \"what Main prints\");");
    package.write(path, test.replace(call, &check));
    let (passed, text) = cargo_test(&package, "default-values");
    assert!(passed, "{text}");
    package.write(
        path,
        test.replace(call, &check.replace("Color.Red", "Color.Green")),
    );
    let (passed, _) = cargo_test(&package, "default-values");
    assert!(!passed, "the output is compared");
}

#[test]
fn a_function_that_a_call_gives_is_asked() {
    let source = "function Less(n: int): int -> int { (x: int) => x - n }\n";
    let package = Package::new(&[("src/lib.dfy", source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    assert_eq!(package.run(&["gen"]).code, 0);
    let (passed, text) = cargo_test(&package, "asked");
    assert!(passed, "{text}");

    let translation = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    assert!(translation.contains("x - &n"), "{translation}");
    package.write("src/lib.rs", translation.replace("x - &n", "x + &n"));
    let (passed, text) = cargo_test(&package, "asked");
    assert!(
        !passed && text.contains("Less by Dafny's semantics"),
        "{text}"
    );
}

#[test]
fn the_same_input_gives_the_same_bytes_and_check_finds_stale_files() {
    let package = Package::new(&[("src/lib.dfy", GRADES)]);
    assert_eq!(package.run(&["gen", "--check"]).code, 3);
    assert_eq!(package.run(&["gen"]).code, 0);
    assert_eq!(package.run(&["gen", "--check", "--jobs", "1"]).code, 0);
    package.write("src/lib.dfy", GRADES.replace("50", "60"));
    let stale = package.run(&["gen", "--check"]);
    assert_eq!(stale.code, 3);
    assert!(stale.stderr.contains("60"), "{}", stale.stderr);
}

#[test]
fn hand_written_files_are_never_overwritten() {
    let package = Package::new(&[
        ("src/lib.dfy", GRADES),
        ("src/lib.rs", "// mine\n"),
        ("tests/dtest/main.rs", "// mine too\n"),
    ]);
    let run = package.run(&["gen"]);
    assert!(
        run.stderr
            .contains("`src/lib.rs` is hand-written, and was not changed"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("`tests/dtest/main.rs` is hand-written, and was not changed"),
        "{}",
        run.stderr
    );
    assert_eq!(
        std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap(),
        "// mine\n"
    );
    assert_eq!(
        std::fs::read_to_string(package.root().join("tests/dtest/main.rs")).unwrap(),
        "// mine too\n"
    );
    assert_eq!(run.code, 1);
}

#[test]
fn clean_removes_the_files_of_gen_and_nothing_else() {
    let package = Package::new(&[("src/lib.dfy", GRADES), ("tests/mine.rs", "// mine\n")]);
    assert_eq!(package.run(&["gen"]).code, 0);
    assert!(package.root().join("tests/dtest/main.rs").exists());
    assert_eq!(package.run(&["clean"]).code, 0);
    assert!(
        !package.root().join("tests/dtest").exists() && !package.root().join("src/lib.rs").exists()
    );
    assert!(
        package.root().join("tests/mine.rs").exists()
            && package.root().join("src/lib.dfy").exists()
    );
}

#[test]
fn contradictory_preconditions_are_proved_to_leave_nothing_to_test() {
    let text =
        "function F(n: int): int\n  requires n < 0 && n > 3\n{\n  if n == 1 then 2 else 3\n}\n";
    let package = Package::new(&[("src/lib.dfy", text)]);
    let run = package.run(&["gen", "--message-format", "json"]);
    assert_eq!(run.code, 4, "{}", run.shown());
    let summary: serde_json::Value =
        serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(summary["proved_unreachable"], summary["goals"], "{summary}");
}

#[test]
fn a_broken_postcondition_of_the_program_is_a_finding() {
    let text =
        "function Cap(n: nat): (h: nat)\n  ensures h <= 10\n{\n  if n > 10 then n else 0\n}\n";
    let package = Package::new(&[("src/lib.dfy", text)]);
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert!(
        run.stdout.contains("finding: src/lib.dfy:2:"),
        "{}",
        run.shown()
    );
    assert!(run.stdout.contains("in Cap with n = "), "{}", run.shown());
}

#[test]
fn a_clause_that_has_no_value_is_a_finding_and_an_endless_one_is_left_out() {
    let source = "\
method First(a: array<int>, s: seq<int>) returns (r: int)
  ensures r == s[a.Length]
{
  if a.Length < |s| { r := s[a.Length]; } else { r := 0; }
}

ghost function Down(n: int): int { if n == 0 then 0 else Down(n - 1) }

method Zero(n: int) returns (r: int)
  ensures n < 0 ==> r == Down(n)
{
  if n < 0 { r := 0; } else { r := 1; }
}

ghost function Last(n: nat): nat { if n == 0 then 0 else Last(n - 1) }

method Long(n: int) returns (r: int)
  ensures n < 0 ==> r == Last(0x1_0000_0000)
{
  if n < 0 { r := 0; } else { r := 1; }
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 7, "{}", run.shown());
    assert!(
        run.stdout.contains("src/lib.dfy:2:16: index"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("in First with a = array<int> ["),
        "{}",
        run.stdout
    );
    // The recursion of `Down` violates its measure: a violation, and no test.
    assert!(
        run.stdout.contains(
            "finding: src/lib.dfy:7:58: the measure does not decrease\n  in Zero with n = -1"
        ),
        "{}",
        run.stdout
    );
    let zero = std::fs::read_to_string(package.root().join("tests/dtest/zero.rs")).unwrap();
    assert!(
        !zero.contains("let n = int(-") && zero.contains("fn when_n_is_at_least_0()"),
        "{zero}"
    );
    let tests = std::fs::read_to_string(package.root().join("tests/dtest/long.rs")).unwrap();
    assert_eq!(
        tests
            .matches("n < 0 ==> r == Last(0x1_0000_0000) (its evaluation does not terminate within")
            .count(),
        1,
        "{tests}"
    );
    let (passed, text) = cargo_test(&package, "ill-formed");
    assert!(passed, "{text}");
}

#[test]
fn a_gate_on_coverage_sets_the_exit_code() {
    let text = "function F(n: int): int {\n  if n * n < 0 then 1 else 2\n}\n";
    let package = Package::new(&[("src/lib.dfy", text)]);
    assert_eq!(package.run(&["gen", "--fail-under", "0"]).code, 0);
    let package = Package::new(&[(
        "src/lib.dfy",
        "type Token(==)\n\nfunction Same(a: Token, b: Token): int {\n  if a == b then 1 else 0\n}\n",
    )]);
    let run = package.run(&["gen", "--fail-under", "100"]);
    assert!(
        run.stderr.contains("less than --fail-under 100"),
        "{}",
        run.shown()
    );
}

#[test]
fn an_object_that_takes_the_place_of_another_has_a_name_of_its_own() {
    let dafny = "\
class Node { var value: int constructor (v: int) ensures value == v { value := v; } }
class Cell {
  var head: Node
  ghost var repr: set<object>
  constructor () { head := new Node(0); repr := {this}; }
  ghost predicate Valid() reads this { this in repr && head in repr }
  method Replace(v: int)
    requires Valid()
    modifies this
    ensures Valid() && fresh(head) && old(head) in repr
  {
    head := new Node(v);
    repr := repr + {head};
  }
}
";
    let package = Package::new(&[("src/lib.dfy", dafny)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let test = std::fs::read_to_string(package.root().join("tests/dtest/cell_replace.rs")).unwrap();
    assert!(
        test.contains("let head_of_this_after = this.head.get();"),
        "{test}"
    );
    let (passed, text) = cargo_test(&package, "replaced");
    assert!(passed, "{text}");
}
