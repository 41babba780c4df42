//! Tests of what remains of the heap behind code that is not followed.

use super::claims;

const CLOCK: &str = "trait Clock { var log: nat method Now() returns (t: nat) modifies this ensures log >= old(log) } \
     class C { var hits: nat const clock: Clock const size: nat \
     constructor (c: Clock) { clock := c; hits := 0; size := 3; } ";

/// The verdict on the assertion in a method of a class with a clock.
fn verdict(method: &str) -> String {
    let said = claims(&format!("{CLOCK}{method} }}"));
    assert_eq!(said.len(), 1, "{said:?}");
    said.concat()
}

#[test]
fn a_call_by_contract_changes_only_what_its_frame_covers() {
    let by_contract = "holds assuming";
    // A clock is no `C`, so that the caller's fields remain.
    assert_eq!(
        verdict(
            "method Get() modifies this, clock { hits := 1; var t := clock.Now(); assert hits == 1; }"
        ),
        by_contract
    );
    assert_eq!(
        verdict(
            "method Get() modifies this, clock { var s := size; var t := clock.Now(); assert s == size; }"
        ),
        "holds"
    );
    // The covered field is a value of its type that satisfies the postcondition, and no more.
    let log = |claim: &str| {
        verdict(&format!(
            "method Get() modifies clock {{ var b := clock.log; var t := clock.Now(); assert {claim}; }}"
        ))
    };
    assert_eq!(log("clock.log >= b"), "within objects 8");
    assert_eq!(log("clock.log == b"), "violated");
}

#[test]
fn other_objects_of_the_same_type_may_be_the_one_that_a_call_changes() {
    let other = |requires: &str| {
        verdict(&format!(
            "method Both(a: Clock, b: Clock) {requires} modifies a {{ var s := b.log; var t := a.Now(); assert b.log == s; }}"
        ))
    };
    assert_eq!(other(""), "violated");
    assert_eq!(other("requires a != b"), "holds assuming");
}

#[test]
fn a_recursive_call_keeps_what_its_code_does_not_write() {
    let source = "class D { var x: int var y: nat \
         method Down(n: nat) modifies this { if n > 0 { x := x + 1; Down(n - 1); } } \
         method Use(n: nat) modifies this { y := 7; Down(n); assert y == 7; } \
         method Fails(n: nat) modifies this { x := 7; Down(n); assert x == 7; } }";
    assert_eq!(claims(source), ["holds", "violated"]);
}

#[test]
fn an_object_under_construction_is_fresh() {
    let source = "class D { var x: int constructor () ensures fresh(this) { x := 0; new; assert fresh(this); } } \
         method M() { var d := new D(); assert fresh(d); } \
         method N(e: D) { assert fresh(e); }";
    assert_eq!(claims(source), ["holds", "holds", "violated"]);
}

#[test]
fn a_mock_changes_fields_that_its_contract_defines_by_the_result() {
    let clock = "trait Clock { var log: seq<nat> method Now() returns (t: nat) modifies this ensures log == old(log) + [t] } ";
    let said = claims(&format!(
        "{clock} method M(c: Clock) requires c.log == [] modifies c {{ var t := c.Now(); assert |c.log| == 1; var u := c.Now(); assert c.log == [t, u]; assert u != 3; }}"
    ));
    assert_eq!(said, ["within objects 8", "within objects 8", "violated"]);
}

/// A parameter whose type is a trait may denote an object of a class that is not known.
#[test]
fn objects_of_unknown_classes_have_contents() {
    let said = |body: &str| {
        claims(&format!(
            "trait Clock {{ var log: nat var other: int }} class D {{ var x: int }} \
             method M(c: Clock, e: Clock, d: D, n: nat) modifies c, e, d {{ {body} }}"
        ))
    };
    assert_eq!(said("var a := c.log; assert a == c.log;"), ["holds"]);
    assert_eq!(said("assert c.log >= 0;"), ["holds"]);
    assert_eq!(said("c.log := 3; assert c.log == 3;"), ["holds"]);
    assert_eq!(
        said("var a := c.log; d.x := 4; c.other := 5; var f := new D; assert a == c.log;"),
        ["holds"]
    );
    assert_eq!(
        said("c.log := 3; e.log := 4; assert c.log == 3;"),
        ["violated"]
    );
    assert_eq!(
        said("c.log := 3; if c != e { e.log := 4; assert c.log == 3; }"),
        ["holds"]
    );
    assert_eq!(
        said("c.log := 3; if n > 5 { c.log := 4; } assert c.log >= 3; assert c.log == 3;"),
        ["holds", "violated"]
    );
    assert_eq!(
        said("c.log := 3; var i := 0; while i < n { i := i + 1; d.x := i; } assert c.log == 3;"),
        ["holds"]
    );
    assert_eq!(
        said("c.log := 3; var i := 0; while i < n { i := i + 1; e.log := i; } assert c.log == 3;"),
        ["violated"]
    );
}

#[test]
fn parameters_denote_objects_that_exist() {
    let said = |body: &str| {
        claims(&format!(
            "trait T {{ var t: T? }} method M(c: T) requires c.t != null modifies c {{ {body} }}"
        ))
    };
    assert_eq!(said("assert allocated(c);"), ["holds"]);
    assert_eq!(said("assert !fresh(c);"), ["holds"]);
    assert_eq!(said("assert fresh(c);"), ["violated"]);
    assert_eq!(said("label L: assert !fresh@L(c);"), ["holds"]);
}
