//! `#[dunit]` and the clauses as a generated suite uses them.

use dunit::prelude::*;

/// The leftmost position of a byte, or the length.
fn find(text: &Seq<u8>, byte: u8) -> Int {
    such_that(range(0, text.len() + int(1)), |i| *i == text.len() || text[i] == byte)
}

/// Documentation and attributes stay with the test.
#[dunit(unit = "Find")]
fn find_when_the_byte_is_there() {
    let text = seq![7u8, 8, 8];
    let byte = 8u8;
    require!(byte > 0, "src/lib.dfy:2: byte > 0");
    let result = find(&text, byte);
    expect!(result == text.len() || text[&result] == byte, "src/lib.dfy:3: result == |text| || text[result] == byte");
    expect_eq!(result, int(1), "value by Dafny's semantics");
}

#[dunit(unit = "Find", stack = "16M", timeout = 5, record = false)]
fn find_when_the_byte_is_not_there() {
    let closure = |text: &Seq<u8>| find(text, 1);
    expect_eq!(closure(&seq![]), int(0), "value by Dafny's semantics");
}

#[dunit]
fn values_without_a_printed_form_are_left_out() {
    struct Opaque(u8);
    let opaque = Opaque(1);
    let Opaque(inside) = opaque;
    expect_eq!(inside, 1u8, "the field");
}

#[dunit(unit = "Find")]
#[should_panic(expected = "precondition not met: this test is unreliable")]
fn a_broken_precondition_fails_the_test() {
    let n = int(-1);
    require!(n >= Int::ZERO, "src/lib.dfy:2: 0 <= n");
}

#[dunit(unit = "Find")]
#[should_panic(expected = "  inputs:\n    n = -1\n  computed:\n    result = 2\n")]
fn a_report_shows_the_variables() {
    let n = int(-1);
    require!(true, "src/lib.dfy:2: true");
    let result: Int = n + int(3);
    expect_eq!(result, int(0), "value by Dafny's semantics");
}

#[dunit]
#[should_panic(expected = "halted\n  at: src/lib.dfy:9:3\n  message: expectation violation")]
fn an_expect_statement_fails_the_test() {
    halt("expectation violation", "src/lib.dfy:9:3");
}

#[dunit]
fn a_test_may_return_early() {
    if find(&seq![1u8], 1) == int(0) {
        return;
    }
    expect!(false, "not reached");
}
