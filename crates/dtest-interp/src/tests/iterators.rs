//! Tests of the interpreter with iterators.

use super::source::printed;

const TAKE: &str = "method Take(g: Gen, n: nat) modifies g, g._modifies, g._new requires g.Valid() {
  for i := 0 to n { var more := g.MoveNext(); if !more { print \"end\"; return; } print g.x, \" \"; } }";

fn taken(iterator: &str, made: &str, n: u32) -> String {
    printed(&format!(
        "{iterator} {TAKE} method Main() {{ var g := new {made}; Take(g, {n}); }}"
    ))
}

#[test]
fn a_body_resumes_where_it_was_suspended() {
    let body =
        "{ yield start; x := x + 10; yield; var y := x; while y < 100 { y := y * 2; yield y; } }";
    assert_eq!(
        taken(
            &format!("iterator Gen(start: int) yields (x: int) {body}"),
            "Gen(3)",
            20
        ),
        "3 13 26 52 104 end"
    );
}

#[test]
fn loops_within_loops_keep_their_variables() {
    let body = "{ for i := 0 to n { for j := i downto 0 { if j == 1 { continue; } yield i * 10 + j; } if i == 3 { break; } } }";
    assert_eq!(
        taken(
            &format!("iterator Gen(n: nat) yields (x: int) {body}"),
            "Gen(9)",
            20
        ),
        "10 20 32 30 end"
    );
}

#[test]
fn a_variable_that_only_some_paths_assign_is_kept() {
    let body = "{ var z: int; if b { z := 7; } yield 1; if b { yield z; } match b { case true => yield 2; case _ => } }";
    let iterator = format!("iterator Gen(b: bool) yields (x: int) {body}");
    assert_eq!(taken(&iterator, "Gen(true)", 20), "1 7 2 end");
    assert_eq!(taken(&iterator, "Gen(false)", 20), "1 end");
}

#[test]
fn several_iterators_take_turns() {
    let text = printed(
        "iterator Count(step: int) yields (n: int) { n := 0; while true { yield n + step; } }
         method Main() {
           var a := new Count(1); var b := new Count(100);
           for i := 0 to 3 { var _ := a.MoveNext(); var _ := b.MoveNext(); print a.n, \" \", b.n, \" \"; }
         }",
    );
    assert_eq!(text, "1 100 2 200 3 300 ");
}

#[test]
fn the_history_and_the_frames_are_there_for_specifications() {
    let text = printed(
        "class Cell { var v: int }
         iterator Gen(c: Cell) yields (x: int) modifies c reads c decreases c.v { yield c.v; c.v := c.v + 1; yield c.v; }
         method Main() {
           var c := new Cell; c.v := 4;
           var g := new Gen(c);
           var m := g.MoveNext(); m := g.MoveNext();
           assert g.xs == [4, 5] && g._modifies == {c} && g._reads == {c} && g._new == {} && g._decreases0 == 4 && g.Valid();
           m := g.MoveNext();
           assert !g.Valid();
           print m;
         }",
    );
    assert_eq!(text, "false");
}

#[test]
fn a_method_may_be_the_main_method_with_ghost_parameters_and_an_object() {
    assert_eq!(
        printed(
            "class C { var x: int  method Main(ghost u: int) returns (ghost r: bool) { print x; r := u > 0; } }"
        ),
        "0"
    );
    let enumeration =
        "datatype D = A | B { method Main(args: seq<string>) { print this, |args|; } }";
    assert_eq!(printed(enumeration), "D.A1");
}
