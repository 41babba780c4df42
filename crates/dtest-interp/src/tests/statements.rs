//! Tests of statements: what a program prints. The official Dafny prints the same.

use super::source::printed;

/// Checks the output of the body of `Main`.
fn runs(body: &str, expected: &str) {
    assert_eq!(
        printed(&format!("method Main() {{ {body} }}")),
        expected,
        "{body}"
    );
}

#[test]
fn a_parallel_assignment_reads_the_old_values() {
    runs("var a, b := 1, 2; a, b := b, a + b; print a, b;", "23");
    runs(
        "var s := [1, 2]; var i := 0; i, s := 1, s[i := 9]; print i, s;",
        "1[9, 2]",
    );
}

#[test]
fn elements_of_arrays_are_assigned_together() {
    runs(
        "var a := new int[2] [1, 2]; a[0], a[1] := a[1], a[0]; print a[..];",
        "[2, 1]",
    );
    runs(
        "var a := new int[2] [1, 2]; var i := 0; i, a[i] := 1, 7; print i, a[..];",
        "1[7, 2]",
    );
}

#[test]
fn branches_are_chosen_by_their_conditions() {
    runs(
        "var x := 5; if x < 3 { print 1; } else if x < 6 { print 2; } else { print 3; }",
        "2",
    );
    runs(
        "var x := 5; if { case x < 3 => print 1; case x > 3 => print 2; case x == 3 => print 3; }",
        "2",
    );
    runs("if x :| x in {3} { print x; } else { print 0; }", "3");
    runs(
        "if x :| x in {3} && x > 5 { print x; } else { print 0; }",
        "0",
    );
}

#[test]
fn loops_end_by_condition_break_and_return() {
    runs("var i := 0; while i < 3 { print i; i := i + 1; }", "012");
    runs(
        "var i := 0; while true decreases 5 - i { if i == 2 { break; } i := i + 1; } print i;",
        "2",
    );
    runs(
        "var i := 0; while i < 5 { i := i + 1; if i % 2 == 0 { continue; } print i; }",
        "135",
    );
    runs(
        "var i := 3; while { case i > 0 => print i; i := i - 1; }",
        "321",
    );
}

#[test]
fn for_loops_count_up_and_down() {
    runs("for i := 0 to 3 { print i; }", "012");
    runs("for i := 3 downto 0 { print i; }", "210");
    runs("for i := 2 to 2 { print i; } print \"-\";", "-");
    runs("var n := 2; for i := 0 to n { n := 9; print i; }", "01");
    runs(
        "for i := 0 to 4 { if i == 1 { continue; } if i == 3 { break; } print i; }",
        "02",
    );
}

#[test]
fn breaks_leave_several_loops() {
    runs(
        "for i := 0 to 3 { for j := 0 to 3 { if j == 1 { break break; } print i, j, \" \"; } }",
        "00 ",
    );
    runs(
        "label outer: for i := 0 to 3 { for j := 0 to 3 { if j == 1 { continue outer; } print i, j, \" \"; } }",
        "00 10 20 ",
    );
    runs(
        "label l: { print 1; if true { break l; } print 2; } print 3;",
        "13",
    );
}

#[test]
fn matches_try_their_cases_in_order() {
    let declarations = "datatype D = A | B(x: int)";
    let source = |d: &str| {
        format!(
            "{declarations} method Main() {{ match {d} {{ case B(0) => print \"zero\"; case B(x) => print x; case A => print \"A\"; }} }}"
        )
    };
    for (d, expected) in [("A", "A"), ("B(0)", "zero"), ("B(7)", "7")] {
        assert_eq!(printed(&source(d)), expected);
    }
}

#[test]
fn a_forall_statement_assigns_after_reading_everything() {
    runs(
        "var a := new int[3](i => i); forall i | 0 <= i < 3 { a[i] := a[2 - i]; } print a[..];",
        "[2, 1, 0]",
    );
    runs(
        "var a := new int[4](i => 0); forall i | 0 <= i < 4 && i % 2 == 0 { a[i] := i; } print a[..];",
        "[0, 0, 2, 0]",
    );
}

#[test]
fn arrays_have_lengths_rows_and_initial_values() {
    runs(
        "var a := new int[3] [7, 8, 9]; print a.Length, a[1], a[1..], a[..2];",
        "38[8, 9][7, 8]",
    );
    runs(
        "var m := new int[2, 3]((i, j) => 10 * i + j); m[1, 2] := 5; print m.Length0, m.Length1, m[1, 1], m[1, 2];",
        "23115",
    );
}

#[test]
fn methods_return_their_out_parameters() {
    let source = "method Two(n: int) returns (a: int, b: int) { a := n; if n > 5 { return 0, 0; } b := n + 1; }
        method Main() { var a, b := Two(3); print a, b; a, b := Two(6); print a, b; var _, c := Two(1); print c; }";
    assert_eq!(printed(source), "34002");
}

#[test]
fn recursive_methods_have_their_own_variables() {
    let source = "method Down(n: nat) { if n > 0 { var m := n - 1; Down(m); print n; } } method Main() { Down(3); }";
    assert_eq!(printed(source), "123");
}

#[test]
fn objects_are_shared_by_their_references() {
    let source = "class C { var n: int constructor(n: int) { this.n := n; } method Add(k: int) modifies this { n := n + k; } function Get(): int reads this { n } }
        method Main() { var c := new C(1); var d := c; d.Add(4); print c.Get(), c == d; var e := new C(5); print e == c, e.n; }";
    assert_eq!(printed(source), "5truefalse5");
}

#[test]
fn a_constructor_has_two_phases() {
    let source = "class C { var a: int const b: int constructor() { a := 1; b := 2; new; a := a + b; Show(); } method Show() { print a, b; } } method Main() { var c := new C(); }";
    assert_eq!(printed(source), "32");
}

#[test]
fn methods_of_traits_are_dispatched_by_the_object() {
    let source = "trait T { function F(): int method M() { print \"T\", F(); } } class A extends T { constructor() {} function F(): int { 1 } } class B extends T { constructor() {} function F(): int { 2 } method M() { print \"B\"; } }
        method Main() { var ts: seq<T> := []; var a := new A(); var b := new B(); ts := [a, b]; for i := 0 to 2 { ts[i].M(); } var t: T := ts[1]; print a is A, (t is A); }";
    assert_eq!(printed(source), "T1Btruefalse");
}

#[test]
fn failures_are_propagated_or_extracted() {
    let source = "datatype R = Ok(v: int) | No(e: string) { predicate IsFailure() { No? } function PropagateFailure(): R requires No? { this } function Extract(): int requires Ok? { v } }
        function Half(n: int): R { if n % 2 == 0 then Ok(n / 2) else No(\"odd\") }
        method Quarter(n: int) returns (r: R) { var h :- Half(n); var q :- Half(h); return Ok(q); }
        method Main() { var a := Quarter(8); var b := Quarter(6); print a, b; var c :- expect Half(4); print c; }";
    assert_eq!(printed(source), "R.Ok(2)R.No(\"odd\")2");
}

#[test]
fn constants_are_computed_on_first_use() {
    let source = "const A: int := B + 1 const B := 2 class C { static const K := A * 10 const own := 5 constructor() {} } method Main() { var c := new C(); print A, C.K, c.own; }";
    assert_eq!(printed(source), "3305");
}

#[test]
fn modules_and_refinement() {
    let source = "abstract module I { function F(): int method Show() { print F(); } } module A refines I { function F(): int { 1 } } module B { import A function G(): int { A.F() + 1 } } method Main() { A.Show(); print B.G(); }";
    assert_eq!(printed(source), "12");
}

#[test]
fn ghost_code_is_not_printed_and_changes_nothing() {
    runs(
        "ghost var g := 1; g := g + 1; assert g == 2; var x := 3; print x;",
        "3",
    );
}

#[test]
fn an_assignment_by_choice_takes_the_least_candidate() {
    runs("var x :| x in {4}; print x;", "4");
    runs("var x: nat :| x == 7; print x;", "7");
}
