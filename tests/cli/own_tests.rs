//! The program's own tests: `{:test}` methods become tests of the suite.

use super::Package;
use super::suite::cargo_test;

const TESTS: &str = "\
module Results {
  datatype Result<T> = Ok(value: T) | Error(message: string) {
    predicate IsFailure() { Error? }
  }
}

import opened Results

function Half(n: int): Result<int> {
  if n % 2 == 0 then Ok(n / 2) else Error(\"odd\")
}

/** Halves of even numbers exist. */
method {:test} HalvesOfEvenNumbers() {
  print \"halving\\n\";
  expect Half(6) == Ok(3), \"half of six\";
}

@Test
method HalfOfThree() returns (r: Result<int>) {
  r := Half(3);
}

method {:test} HalfOfFive() {
  var half := Half(5);
  expect half == Ok(2), \"half of five\";
}

function {:test} Ignored(): int {
  7
}

method {:test} WithInput(n: int) {
  expect n == n;
}
";

#[test]
fn each_test_method_is_a_test_and_fails_on_its_own_with_message_and_location() {
    let package = Package::new(&[("src/lib.dfy", TESTS)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout
            .contains("4 of the program's own tests are in the suite"),
        "{}",
        run.shown()
    );
    let refused = "no test is generated for this declaration: a test cannot have parameters";
    assert!(
        run.stderr.contains(refused) && run.stderr.contains("src/lib.dfy:33:16"),
        "{}",
        run.shown()
    );

    let (passed, text) = cargo_test(&package, "own-tests");
    assert!(!passed, "{text}");
    let has = |expected: &str| assert!(text.contains(expected), "{expected} is not in\n{text}");
    has("test result: FAILED. ");
    has("2 failed");
    // A returned failure, with its value.
    has("HalfOfThree: expectation failed");
    has("src/lib.dfy:20:8: HalfOfThree returns no failure");
    has("Error(\"odd\")");
    // An `expect` of the program.
    has("HalfOfFive: halted");
    has("src/lib.dfy(26,2)");
    has("half of five");
}

#[test]
fn a_program_of_nothing_but_tests_has_a_suite() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "method {:test} T() {\n  expect 1 + 1 == 2;\n}\n",
    )]);
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(package.root().join("tests/dtest/t.rs").exists());
}

#[test]
fn a_test_that_needs_unlinked_code_is_reported_or_gets_a_stub() {
    let text = "\
class Die { var side: int }

method {:extern} Roll() returns (n: int)

method {:extern} Draw() returns (n: int) ensures n > 0

method {:extern} Make() returns (die: Die) ensures fresh(die)

method {:test} Rolls() {
  var n := Roll();
}

method {:test} Draws() {
  var n := Draw();
  expect n > 0;
}

method {:test} Makes() {
  var die := Make();
}
";
    let package = Package::new(&[("src/lib.dfy", text)]);
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr.contains(
            "no test is generated for this declaration: extern: no result of `Make` was found that satisfies its contract"
        ) && run.stderr.contains("src/lib.dfy:18:16"),
        "{}",
        run.shown()
    );
    assert!(!package.root().join("tests/dtest/makes.rs").exists());
    // Without a postcondition, any value is a result, as with `ensures true`.
    let rolls = std::fs::read_to_string(package.root().join("tests/dtest/rolls.rs")).unwrap();
    for line in [
        "stub_once!(\"Roll\", [] => int(0));",
        "/// No Rust is linked to `Roll`, which has no postcondition: a stub returns any value.",
    ] {
        assert!(rolls.contains(line), "{line} is not in\n{rolls}");
    }
    let draws = std::fs::read_to_string(package.root().join("tests/dtest/draws.rs")).unwrap();
    assert!(
        draws.contains("stub_once!(\"Draw\", [] => int(1));"),
        "{draws}"
    );
    assert!(
        draws.contains(
            "/// No Rust is linked to `Draw`: a stub returns results according to its contract."
        ),
        "{draws}"
    );
}

#[test]
fn a_test_that_depends_on_an_arbitrary_answer_of_a_stub_is_not_written() {
    let package = Package::new(&[(
        "src/lib.dfy",
        "module {:extern} Clock { method {:extern} Now() returns (t: nat) ensures t > 3 }
method {:test} ItIsFive() { var t := Clock.Now(); expect t == 5; }
method {:test} ItIsLate() { var t := Clock.Now(); expect t > 3; }
",
    )]);
    let run = package.run(&["gen"]);
    assert!(
        run.stdout
            .contains("1 of the program's own tests is in the suite"),
        "{}",
        run.shown()
    );
    let reason = "extern: the test does not pass with the stub for `Clock.Now`, which has no linked Rust implementation";
    assert!(
        run.stderr.contains(reason) && run.stderr.contains("src/lib.dfy:2:16"),
        "{}",
        run.shown()
    );
}
