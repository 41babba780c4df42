//! Tests of iterators.

use super::{assert_said, check};

#[test]
fn iterators_write_what_their_modifies_clause_names() {
    let source = "class Cell { var v: int constructor () {} }
iterator Fill(c: Cell) yields (x: int) modifies c reads c { c.v := 1; yield 1; c.v := 2; yield 2; }
iterator Other(c: Cell, d: Cell) yields (x: int) modifies c reads c {
  var e := new Cell(); e.v := 3; c.v := 1; yield 1; d.v := 2; yield 2;
}
iterator Loop(a: array<int>, b: array<int>) yields (x: int) modifies a, b reads a, b requires a != b {
  for i := 0 to a.Length modifies a { a[i] := i; yield i; if b.Length > 2 { b[0] := 1; } }
}
";
    assert_said(
        source,
        &[
            "Other: Frame `d.v := 2;`: violated: c = Cell { v: 0 }, d = Cell { v: 0 }, calls of MoveNext = 2",
            "Loop: Frame `a[i] := i;`: within bounds",
            "Loop: Index `a[i] := i;`: within bounds",
            "Loop: Frame `b[0] := 1;`: violated: a = array<int> [0], b = array<int> [0, 0, 0], calls of MoveNext = 2",
            "Loop: Index `b[0] := 1;`: open: no execution within the bounds comes to it (collections 4)",
        ],
    );
}

#[test]
fn an_iterator_remembers_the_state_in_which_it_was_made() {
    let said = check(
        "class Cell { var v: int }
iterator Keeps(c: Cell) modifies c reads c yield ensures c.v == old(c.v) ensures c.v == old(c.v) + 1 { yield; c.v := c.v + 1; }
iterator Loses(c: Cell) modifies c reads c yield ensures c.v == old(c.v) { c.v := c.v + 1; yield; }
iterator Makes() yields (c: Cell?) yield ensures c != null && fresh(c) { c := new Cell; yield; }",
    );
    let broken: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("violated") || line.contains("elsewhere"))
        .collect();
    assert_eq!(
        broken,
        ["Loses: Assertion `c.v == old(c.v)`: violated: c = Cell { v: 0 }, calls of MoveNext = 1"],
        "{said}"
    );
}

#[test]
fn other_code_runs_while_an_iterator_waits() {
    let class = "class Cell { var data: int } ";
    let said = |source: &str, expected: &[&str]| assert_said(&format!("{class}{source}"), expected);
    said(
        "iterator I(c: Cell) { var now := c.data; yield; assert now == c.data; }",
        &[
            "I: Assertion `now == c.data`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 2",
        ],
    );
    said(
        "iterator I(c: Cell) reads c { var now := c.data; yield; assert now == c.data; }",
        &[],
    );
    let kept = check(&format!(
        "{class} iterator I() {{ var c := new Cell; c.data := 3; yield; assert c.data == 3; }}"
    ));
    assert!(!kept.contains("violated"), "{kept}");
    // The `yield ensures` clause is an obligation of its own.
    said(
        "iterator I(c: Cell) modifies c yield ensures c.data == old(c.data) { c.data := *; if * { yield; } assert c.data == 0; }",
        &[
            "I: Assertion `c.data == old(c.data)`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 1",
            "I: Assertion `c.data == 0`: violated by choice: c = Cell { data: 0 }, calls of MoveNext = 1",
        ],
    );
}

#[test]
fn iterators_know_what_they_have_allocated() {
    let class = "class Cell { constructor () {} } method Make() returns (c: Cell) ensures fresh(c) { c := new Cell(); } ";
    let said = |body: &str| check(&format!("{class} iterator I(u: Cell) {{ {body} }}"));
    let kept = |body: &str| assert!(!said(body).contains("violated"), "{}", said(body));
    kept("var c := new Cell(); assert _new == {c};");
    kept("var c := Make(); assert c in _new && u !in _new; yield; assert _new == {c};");
    let broken = said("_new := _new + {u};");
    assert!(
        broken.contains("Frame `_new := _new + {u};`: violated"),
        "{broken}"
    );
    let broken = said("var c := new Cell(); _new := _new - {c}; assert c in _new;");
    assert!(
        broken.contains("Assertion `c in _new`: violated"),
        "{broken}"
    );
}

/// The verifier reports the same lines (Dafny 4.11.0).
#[test]
fn calls_of_an_iterator_on_a_cycle_make_its_measure_smaller() {
    let said = check(
        "iterator Down(n: nat) decreases n { if n > 0 { var d := new Down(n - 1); var more := d.MoveNext(); } }
iterator Up(n: nat) decreases n { var u := new Up(n + 1); var more := u.MoveNext(); }
iterator Made(n: nat) { var m := new Made(n); }
iterator Calls(n: nat) { Called(n); }
method Called(n: nat) { var c := new Calls(n); var more := c.MoveNext(); }
iterator Lexical(n: nat) decreases n { Longer(n); }
method Longer(n: nat) decreases n, 1 { if n > 0 { var l := new Lexical(n - 1); var more := l.MoveNext(); } }",
    );
    let broken: Vec<&str> = said.lines().filter(|l| l.contains("Decreases")).collect();
    assert_eq!(
        broken,
        [
            "Up: Decreases `var more := u.MoveNext();`: violated: n = 0, calls of MoveNext = 1",
            "Calls: Decreases `Called(n);`: violated: n = 0, calls of MoveNext = 1",
            "Called: Decreases `var more := c.MoveNext();`: violated: n = 0",
        ],
        "{said}"
    );
}

#[test]
fn a_loop_of_an_iterator_ends_unless_it_yields() {
    let said = check(
        "iterator Spins(n: nat) { while true { } }
iterator Waits(n: nat) { while true { yield; } }
iterator Stays(n: nat) { var i := 0; while i < n decreases n - i { } }
iterator Inner(n: nat) { while true { yield; while n > 0 { } } }",
    );
    let broken: Vec<&str> = said.lines().filter(|l| l.contains("Decreases")).collect();
    let units: Vec<&str> = broken.iter().filter_map(|l| l.split(':').next()).collect();
    assert_eq!(units, ["Spins", "Stays", "Inner"], "{said}");
}
