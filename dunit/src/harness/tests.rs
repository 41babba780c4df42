//! Tests of the texts of reports.

use std::panic::panic_any;

use super::run::{Case, attempt};
use crate::{Int, Seq, expect, expect_eq, halt, int, require, seq, str};

/// Records variables like `#[dunit]`.
macro_rules! record_all {
    ($is_input:literal: $($name:ident),*) => {
        $({
            use super::RecordValue as _;
            (&&&super::Probe(&$name)).record(stringify!($name), $is_input);
        })*
    };
}

const CASE: Case = Case {
    unit: "M.Find",
    file: "tests/find.rs",
    line: 7,
    stack: None,
    timeout: None,
};

/// Returns the report of a body that fails, with `@` in place of line numbers of this file.
fn report(body: fn()) -> String {
    let text = attempt(&CASE, body).map_or_else(|e| e.to_string(), |()| String::new());
    let without_lines = |line: &str| match line.split_once("at: dunit/src/") {
        Some((before, _)) => format!("{before}at: @"),
        None => line.to_owned(),
    };
    text.lines()
        .map(without_lines)
        .collect::<Vec<String>>()
        .join("\n")
}

#[test]
fn a_test_that_passes_has_no_report() {
    assert!(attempt(&CASE, || expect!(true, "always")).is_ok());
}

#[test]
fn a_failed_comparison_shows_both_sides_and_all_values() {
    let text = report(|| {
        let (x, n) = (seq![1u8, 2], int(1));
        record_all!(true: x, n);
        require!(n <= x.len(), "src/lib.dfy:2: n <= |x|");
        let result = int(3);
        record_all!(false: result);
        expect!(
            int(0) <= result && result < x.len(),
            "src/lib.dfy:3: 0 <= result < |x|"
        );
    });
    assert_eq!(
        text,
        "M.Find: expectation failed
  clause: src/lib.dfy:3: 0 <= result < |x|
  fails: result < x.len()
  left: 3    from result
  right: 2    from x.len()
  inputs:
    x = [1, 2]
    n = 1
  computed:
    result = 3
  test: tests/find.rs:7"
    );
}

#[test]
fn a_wrong_value_is_shown_beside_the_right_one() {
    let text = report(|| expect_eq!(str("ab"), str("a\n"), "value by Dafny's semantics"));
    assert_eq!(
        text,
        "M.Find: expectation failed
  clause: value by Dafny's semantics
  got: \"ab\"    from str(\"ab\")
  want: \"a\\n\"    from str(\"a\\n\")
  test: tests/find.rs:7"
    );
}

#[test]
fn a_broken_precondition_makes_the_test_unreliable() {
    let text = report(|| require!(Seq::<Int>::new().contains(&int(1)), "src/lib.dfy:2: 1 in x"));
    assert_eq!(
        text,
        "M.Find: precondition not met: this test is unreliable and says nothing about the unit
  clause: src/lib.dfy:2: 1 in x
  test: tests/find.rs:7"
    );
}

#[test]
fn a_clause_that_panics_is_named() {
    let divide = || expect!(int(1) / int(0) == int(1), "src/lib.dfy:3: 1 / n == 1");
    assert_eq!(
        report(divide),
        "M.Find: expectation cannot be evaluated
  message: division by zero: 1 / 0
  at: @
  in clause: src/lib.dfy:3: 1 / n == 1
  test: tests/find.rs:7"
    );
    let index = || require!(seq![1u8][3] == 1, "src/lib.dfy:2: x[3] == 1");
    assert!(
        report(index)
            .starts_with("M.Find: precondition cannot be evaluated: this test is unreliable")
    );
}

#[test]
fn a_panic_outside_of_clauses_has_a_message_and_a_place() {
    let text = report(|| {
        require!(true, "src/lib.dfy:2: true");
        drop(int(1) % int(0));
    });
    assert_eq!(
        text,
        "M.Find: panicked\n  message: division by zero: 1 / 0\n  at: @\n  test: tests/find.rs:7"
    );
    assert!(report(|| panic_any(5)).contains("a panic with a payload that is not text"));
}

#[test]
fn a_failing_expect_statement_halts_the_test() {
    assert_eq!(
        report(|| halt("expectation violation", "src/lib.dfy:9:3")),
        "M.Find: halted\n  at: src/lib.dfy:9:3\n  message: expectation violation\n  test: tests/find.rs:7"
    );
}

#[test]
fn a_test_that_takes_too_long_fails_with_its_inputs() {
    let endless = || {
        let n = int(0);
        record_all!(true: n);
        let clause = super::enter(super::ClauseKind::Expect, "src/lib.dfy:3: Slow(n)");
        std::thread::sleep(std::time::Duration::from_secs(3));
        drop(clause);
    };
    let text = attempt(
        &Case {
            timeout: Some(1),
            ..CASE
        },
        endless,
    )
    .map_or_else(|e| e.to_string(), |()| String::new());
    assert_eq!(
        text,
        "M.Find: no result within 1 seconds (DUNIT_TIMEOUT sets the limit)
  in clause: src/lib.dfy:3: Slow(n)
  inputs:
    n = 0
  test: tests/find.rs:7"
    );
}

#[test]
fn recursion_may_be_deep() {
    fn depth(n: u64) -> u64 {
        if n == 0 {
            0
        } else {
            1 + std::hint::black_box(depth(n - 1))
        }
    }
    assert!(attempt(&CASE, || expect_eq!(depth(1_000_000), 1_000_000, "depth")).is_ok());
}

#[test]
fn without_a_text_the_clause_is_its_source() {
    let text = report(|| expect!(1 + 1 == 3));
    assert!(
        text.contains("harness/tests.rs:") && text.contains(": 1 + 1 == 3"),
        "{text}"
    );
}

#[test]
fn a_clause_does_not_capture_the_names_of_the_test() {
    let same = || {
        let (clause, left, right) = (1, 2, 3);
        expect!(clause < left && left + clause == right, "sums");
        expect_eq!(left, right - clause, "differences");
    };
    assert!(attempt(&CASE, same).is_ok());
}
