//! `#[dunit]` and the clauses as a generated suite uses them.

use dunit::prelude::*;

/// The leftmost position of a byte, or the length.
fn find(text: &Seq<u8>, byte: u8) -> Int {
    such_that(range(0, text.len() + int(1)), |i| {
        *i == text.len() || text[i] == byte
    })
}

/// Documentation and attributes are preserved on the test.
#[dunit(unit = "Find")]
fn find_when_the_byte_is_there() {
    let text = seq![7u8, 8, 8];
    let byte = 8u8;
    require!(byte > 0, "src/lib.dfy:2: byte > 0");
    let result = find(&text, byte);
    expect!(
        result == text.len() || text[&result] == byte,
        "src/lib.dfy:3: result == |text| || text[result] == byte"
    );
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

struct Lift {
    floors: Int,
    at: Field<Int>,
}

impl Object for Lift {
    fn class_name(&self) -> &'static str {
        "_module.Lift"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("floors", &self.floors);
        fields.field("at", &self.at);
    }
}

impl Lift {
    fn new(floors: &Int) -> Ref<Lift> {
        Ref::new(Lift {
            floors: floors.clone(),
            at: Field::new(int(0)),
        })
    }
    fn go(this: &Ref<Lift>, floor: &Int) -> Int {
        let was = this.at.get();
        this.at.set(floor.clone());
        was
    }
}

#[dunit(unit = "Lift.Go")]
#[should_panic(
    expected = "  inputs:\n    this = Lift#1 { floors: 5, at: 2 }\n    floor = 3\n  computed:\n    was = 2\n  changed:\n    this = Lift#1 { floors: 5, at: 3 }\n"
)]
fn a_report_shows_objects_before_the_call_and_their_changes() {
    let this = Lift::new(&int(5));
    Lift::go(&this, &int(2));
    let floor = int(3);
    require!(floor < this.floors, "src/lib.dfy:2: floor < floors");
    let before = Snapshot::take();
    let was = Lift::go(&this, &floor);
    expect!(
        this.at.get() == before.old(|| this.at.get()),
        "src/lib.dfy:3: at == old(at)"
    );
    expect_eq!(was, int(3), "value by Dafny's semantics");
}

#[dunit(unit = "Lift.Go")]
#[should_panic(
    expected = "  inputs:\n    this = Lift#1 { floors: 5, at: 0 }\n  computed:\n    was = 0\n  changed:\n    this = Lift#1 {"
)]
fn without_a_precondition_the_code_before_the_first_expectation_is_the_call() {
    let this = Lift::new(&int(5));
    let was = Lift::go(&this, &int(1));
    expect_eq!(was, int(3), "value by Dafny's semantics");
}

#[dunit(unit = "Lift.Go")]
#[should_panic(
    expected = "  inputs:\n    this = Lift#1 { floors: 5, at: 2 }\n  computed:\n    was = 2\n  changed:\n    this = Lift#1 {"
)]
fn a_snapshot_comes_after_the_inputs() {
    let this = Lift::new(&int(5));
    println!("other macros may stand between");
    Lift::go(&this, &int(2));
    let _before = Snapshot::take();
    let was = Lift::go(&this, &int(1));
    halt(format!("{was}"), "src/lib.dfy:9:3");
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
