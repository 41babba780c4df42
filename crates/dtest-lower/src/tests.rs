//! Tests of lowering: Dafny programs and the blocks that result from them.

use crate::testing::lowered;
use crate::units::units;
use dtest_ir::Criteria;
use dtest_ir::print::Printer;

/// Returns the blocks of all units, and the lambdas.
fn blocks(source: &str) -> String {
    let (map, program) = lowered(source, Criteria::default());
    let printer = Printer::new(&program, Some(&map));
    let mut text: String = program
        .lambdas
        .iter()
        .enumerate()
        .map(|(i, l)| printer.lambda(i, l))
        .collect();
    for unit in units(&program.typed, |_| true) {
        text += &program
            .procedures
            .get(&unit.callable)
            .map_or_else(String::new, |p| printer.procedure(p));
    }
    text
}

/// Returns the functions as expressions, and the lambdas.
fn functions(source: &str) -> String {
    let (map, program) = lowered(source, Criteria::default());
    let printer = Printer::new(&program, Some(&map));
    let mut text: String = program
        .lambdas
        .iter()
        .enumerate()
        .map(|(i, l)| printer.lambda(i, l))
        .collect();
    for (id, f) in program.functions.iter() {
        text += &printer.function(&program.typed.callable_path(*id), f);
    }
    text
}

/// Returns a line for each goal, with its reason and its place.
fn goals(source: &str) -> String {
    let (map, program) = lowered(source, Criteria::default());
    let printer = Printer::new(&program, Some(&map));
    let mut text = String::new();
    for unit in units(&program.typed, |_| true) {
        for (_, goal) in program
            .procedures
            .get(&unit.callable)
            .into_iter()
            .flat_map(|p| p.goal_blocks())
        {
            text += &format!(
                "{}: {} ~ {}\n",
                map.locate(goal.span),
                printer.reason(goal),
                map.text(goal.span)
            );
        }
    }
    text
}

#[test]
fn every_operand_that_may_be_skipped_is_a_goal() {
    insta::assert_snapshot!(goals(
        "predicate P(a: bool, b: bool, c: bool) { (a || (b && c)) ==> !(c <== b) }
         method M(a: bool, b: bool) { if a && !b { print 1; } else if a || b { print 2; } }"
    ));
}

#[test]
fn an_if_without_else_and_the_end_of_a_loop_are_goals() {
    insta::assert_snapshot!(blocks(
        "method M(n: int) returns (r: int) {
           r := 0;
           if n < 0 { return -1; }
           while r < n && r != 7
             invariant r >= 0
           { if r == 3 { break; } r := r + 1; if r == 5 { continue; } r := r + 2; }
         }"
    ));
}

#[test]
fn for_loops_evaluate_their_bounds_once_and_count_past_continue() {
    insta::assert_snapshot!(blocks(
        "method Up(n: nat) returns (s: int) { s := 0; for i := 0 to n { if i == 2 { continue; } s := s + i; } }
         method Down(n: nat) returns (s: int) { s := 0; for i := n downto 0 { s := s + i; } }
         method Forever() decreases * { for i := 0 to * { if i == 9 { break; } } }"
    ));
}

#[test]
fn the_arms_of_a_match_are_tried_in_order() {
    insta::assert_snapshot!(blocks(
        "datatype T = Leaf | Node(left: T, value: int, right: T)
         function Depth(t: T): nat {
           match t
           case Leaf => 0
           case Node(Leaf, _, Leaf) => 1
           case Node(l, _, r) => if Depth(l) > Depth(r) then Depth(l) + 1 else Depth(r) + 1
         }
         method Word(n: int, t: T) returns (s: string) {
           match (n, t) { case (0, Leaf) | (1, Leaf) => return \"few\"; case (_, Node(_, 7, _)) => s := \"seven\"; case _ => s := \"\"; }
         }"
    ));
}

#[test]
fn functions_stay_expressions_where_they_are_terms() {
    insta::assert_snapshot!(functions(
        "datatype D = A(x: int, y: int) | B(x: int) | C
         function Shift(d: D): D requires !d.C? { d.(x := d.x + 1) }
         function Pick(d: D): int { match d case A(x, y) => x + y case B(0) => 1 case _ => 2 }
         predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
         function Tail(s: seq<int>): seq<int> { if s == [] then s else s[1..] }
         function Swap(p: (int, bool)): (bool, int) { var (n, b) := p; (b, n) }
         function Between(a: int, b: int, c: int): bool { a < b + 1 <= c }
         function Least(s: set<int>): int requires s != {} { var x :| x in s; x }
         function Checked(a: int): int { assert a > 0 || a <= 0; a }"
    ));
}

#[test]
fn lambdas_list_their_captures() {
    insta::assert_snapshot!(functions(
        "class C {
           const k: int
           constructor() { k := 1; }
           function Add(n: int): int -> int { m => m + n + k }
           function Curry(a: int): int -> int -> int { b => c => a + b + c }
         }"
    ));
}

#[test]
fn conditional_values_go_through_variables() {
    insta::assert_snapshot!(blocks(
        "function F(x: int, b: bool): nat { (if x > 0 then x else -x) + (if b then 1 else 0) }
         method M(x: int, y: int) returns (a: int, b: int) { a, b := y, x; a, b := b, if a < b then a else 0; }"
    ));
}

#[test]
fn objects_and_arrays_are_allocated_before_their_constructor_runs() {
    insta::assert_snapshot!(blocks(
        "class Cell { var v: int constructor(v: int) { this.v := v; } method Put(w: int) returns (old_: int) modifies this { old_ := v; v := w; } }
         method M(n: nat) returns (c: Cell, a: array<int>) {
           c := new Cell(n);
           a := new int[n](i => i * 2);
           if n > 1 { a[0], a[1] := a[1], a[0]; }
           var before := c.Put(5);
           forall i | 0 <= i < n { a[i] := before; }
         }"
    ));
}

#[test]
fn failures_are_two_goals() {
    insta::assert_snapshot!(blocks(
        "datatype R<T> = Ok(value: T) | No(why: string) {
           predicate IsFailure() { No? }
           function PropagateFailure<U>(): R<U> requires No? { No(why) }
           function Extract(): T requires Ok? { value }
         }
         function Half(n: int): R<int> { if n % 2 == 0 then Ok(n / 2) else No(\"odd\") }
         function Quarter(n: int): R<int> { var h :- Half(n); Half(h) }
         method M(n: int) returns (r: R<int>) { var h :- Half(n); var k :- expect Half(h); return Ok(k); }"
    ));
}

#[test]
fn ghost_code_gives_no_goals_and_proofs_leave_nothing() {
    insta::assert_snapshot!(blocks(
        "lemma L(n: int) {}
         method M(n: int) returns (r: int) {
           ghost var g := if n > 0 then 1 else 2;
           if n == 3 { assert n == 3; L(n); }
           if n > 5 { g := 7; }
           assert g > 0 || n > 0;
           calc { n; == n + 0; }
           r := n;
         }"
    ));
}

#[test]
fn goals_after_return_are_kept() {
    insta::assert_snapshot!(blocks(
        "method M(n: int) returns (r: int) { return 1; if n > 0 { r := 2; } }"
    ));
}

#[test]
fn alternatives_and_choices() {
    insta::assert_snapshot!(blocks(
        "method M(n: int) returns (r: int) decreases * {
           if { case n > 0 => r := 1; case n < 0 => r := 2; case n == 0 => r := 3; }
           while { case r > 0 => r := r - 1; case r < 0 => r := r + 1; }
           if * { r := 9; }
           if x :| 0 <= x < n && x * x == n { r := x; }
           var y :| y in {1, 2};
           label top: { if r == y { break top; } r := 0; }
         }"
    ));
}

#[test]
fn a_broken_constraint_is_asserted_where_a_value_is_stored() {
    insta::assert_snapshot!(blocks(
        "type Small = x: int | 0 <= x < 10 witness 3
         function F(n: int): Small requires n < 9 { n + 1 }
         method M(n: int) returns (s: Small) { var k: nat := 4; s := k; }"
    ));
}

#[test]
fn snapshots_are_kept_for_labels_that_something_reads() {
    insta::assert_snapshot!(blocks(
        "class C { var x: int }
         method M(c: C) modifies c ensures c.x >= old(c.x) {
           label before: c.x := c.x + 1;
           label unread: c.x := c.x + 1;
           assert old@before(c.x) < c.x;
         }"
    ));
}

#[test]
fn by_method_functions_are_their_block_and_their_specification() {
    let source = "function Sum(n: nat): nat { if n == 0 then 0 else n + Sum(n - 1) } by method {
           r := 0;
           for i := 0 to n { r := r + i; }
         }";
    let source = &source.replace("(n: nat): nat", "(n: nat): (r: nat)");
    insta::assert_snapshot!(format!("{}{}", functions(source), blocks(source)));
}

#[test]
fn assignment_targets_are_evaluated_before_the_failure_check() {
    insta::assert_snapshot!(blocks(
        "datatype O = No | Some(int) {
           predicate IsFailure() { No? }
           function PropagateFailure(): O { No }
           function Extract(): int requires Some? { match this case Some(n) => n }
         }
         class D { var v: int }
         method M(o: O, d: D, e: D) returns (r: O) modifies d { var c := d; c.v, c :- o, e; return No; }"
    ));
}

#[test]
fn units_are_compiled_callables_with_bodies_of_named_files() {
    let source = "
        method {:test} T() {}
        method Main() {}
        ghost function G(): int { 1 }
        lemma L() {}
        method {:extern} E()
        method {:compile false} N() {}
        abstract module A { method Inherited() {} }
        module B refines A { class C { constructor() {} method Own() {} static function S(): int { 3 } } }
        module {:compile false} X { method Hidden() {} }";
    let (_, program) = lowered(source, Criteria::default());
    let paths = |named: &dyn Fn(dafny_source::Span) -> bool| -> Vec<String> {
        units(&program.typed, named)
            .into_iter()
            .map(|u| u.path)
            .collect()
    };
    assert_eq!(
        paths(&|_| true),
        ["Main", "B.Inherited", "B.C._ctor", "B.C.Own", "B.C.S"]
    );
    assert!(paths(&|_| false).is_empty());
}

#[test]
fn an_iterator_is_a_unit_that_runs_its_body_straight_through() {
    insta::assert_snapshot!(blocks(
        "iterator Count(n: nat) yields (x: int)
           requires n > 2
           yield requires x < 9
           yield ensures x > 0
           ensures |xs| == n
         {
           while true { if x == n { break; } yield x + 1; }
         }"
    ));
}

#[test]
fn move_next_resumes_through_loop_heads() {
    let (map, program) = lowered(
        "iterator Count(n: nat) yields (x: int) {
           yield 7;
           for i := 0 to n { var k := i; while k > 0 { yield k; k := k - 1; } }
         }",
        Criteria::default(),
    );
    let printer = Printer::new(&program, Some(&map));
    let found = program
        .procedures
        .values()
        .find(|p| &*program.typed[p.callable].name == "MoveNext");
    insta::assert_snapshot!(found.map_or_else(String::new, |p| printer.procedure(p)));
}

#[test]
fn an_entry_narrows_the_units() {
    let (_, program) = lowered(
        "method A() {} method {:testEntry} B() {} function C(): int { 1 }",
        Criteria::default(),
    );
    assert_eq!(
        units(&program.typed, |_| true)
            .into_iter()
            .map(|u| u.path)
            .collect::<Vec<_>>(),
        ["B"]
    );
}
