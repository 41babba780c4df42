//! Exactness of each form of expression and statement: for all small arguments, a unit that
//! branches on it takes the same blocks under the encoding as under the interpreter.

use super::*;
use dtest_interp::{Execution, Outcome};

const DECLARATIONS: &str = "
    datatype Color = Red | Green | Blue
    datatype List = Nil | Cons(head: int, tail: List)
    newtype Small = x: int | -100 <= x < 100
    class Cell { var v: int constructor(v: int) { this.v := v; } }
    function Twice(x: int): int { x + x }
    function Fact(n: nat): nat { if n == 0 then 1 else n * Fact(n - 1) }
    function Length(l: List): nat { match l case Nil => 0 case Cons(_, t) => 1 + Length(t) }
    function Of(n: int): Color { if n < 0 then Red else if n == 0 then Green else Blue }";

/// Checks that for all arguments from -3 to 4, a unit reaches the same blocks under the encoding as
/// under the interpreter. One solver answers all queries.
#[track_caller]
fn assert_exact(source: &str) {
    let (_, program) = program(source);
    let callable = unit(&program, "M");
    let interp = Interp::new(&program, Limits::default());
    let bounds = Bounds {
        collection: 6,
        unroll: 6,
        inline: 6,
        ..SMALL
    };
    let mut encoding = encoded(&program, "M", bounds, Mode::Cut);
    let runs: Vec<(i64, Term, Execution)> = (-3..=4)
        .map(|n: i64| {
            let argument = Value::Int(n.into());
            let fixed = encoding.pin(std::slice::from_ref(&argument));
            let inputs = Inputs {
                args: vec![argument],
                ..Inputs::default()
            };
            (n, fixed, interp.run(callable, &inputs))
        })
        .collect();
    let mut solver = Solver::new(0, false);
    let givens = encoding.givens.iter().map(|(_, literal)| literal);
    for fact in encoding.assumptions.iter().chain(givens) {
        solver.assert(encoding.terms(), *fact);
    }
    for (n, fixed, execution) in runs {
        assert!(
            matches!(execution.outcome, Outcome::Returned(_)),
            "{n}: {:?}",
            execution.outcome
        );
        for (id, reached) in &encoding.reached {
            let GoalId::Block(block) = id else { continue };
            let modelled = match solver.check(encoding.terms(), &[fixed, *reached], BUDGET) {
                Answer::Sat(_) => true,
                Answer::Unsat(_) => false,
                Answer::Unknown(why) => panic!("undecided: {why}"),
            };
            assert_eq!(
                modelled,
                execution.visited.contains(block),
                "{n} at {block:?} of {source}"
            );
        }
    }
}

/// Checks a unit that branches on each of the conditions on `n` in turn.
#[track_caller]
fn conditions(all: &[&str]) {
    let branches: String = all
        .iter()
        .map(|c| format!("if {c} {{ r := r + 1; }} else {{ r := r - 1; }} "))
        .collect();
    assert_exact(&format!(
        "{DECLARATIONS} method M(n: int) returns (r: int) {{ r := 0; {branches} }}"
    ));
}

/// Checks a unit that runs statements, which set `r`, and then branches on `r`.
#[track_caller]
fn statements(all: &[&str]) {
    for body in all {
        assert_exact(&format!(
            "{DECLARATIONS} method M(n: int) returns (r: int) {{ r := 0; {body} if r > 2 {{ print 1; }} else if r < 0 {{ print 2; }} else if r == 1 {{ print 3; }} }}"
        ));
    }
}

#[test]
fn comparisons_and_arithmetic() {
    conditions(&[
        "n < 2",
        "n <= -1",
        "n == 3",
        "n != 0",
        "2 * n + 1 > n - 2",
        "n / 2 == 1",
        "n / -2 == 1",
        "n % 3 == 1",
        "-n > 2",
        "n * n == 4",
        "(-3 <= n < 2) != (n == 1)",
    ]);
}

#[test]
fn connectives_with_and_without_a_skipped_operand() {
    conditions(&[
        "n > 0 && n < 3",
        "n < 0 || n > 2",
        "n > 0 ==> n > 2",
        "n > 2 <== n > 0",
        "n > 0 <==> n > 2",
        "!(n > 1)",
        "n != 0 && 6 / n == 3",
        "n == 0 || 6 / n < 3",
    ]);
}

#[test]
fn reals_and_conversions() {
    conditions(&[
        "(n as real) / 2.0 > 1.0",
        "((n as real) / 2.0).Floor == -1",
        "(n as real) * 1.5 == 3.0",
        "(n as Small) as int == n",
    ]);
}

#[test]
fn bitvectors() {
    conditions(&[
        "n >= 0 && (n as bv4) << 2 == 8",
        "n >= 0 && ((n as bv4) & 1) == 1",
        "n >= 0 && ((n as bv4) - 3) > 8",
        "n >= 0 && !(n as bv4) == 12",
        "n >= 0 && ((n as bv4) as int) > 2",
        "n >= 0 && ((n as bv4) * 5) == 4",
    ]);
}

#[test]
fn conditionals_and_bindings() {
    conditions(&[
        "(if n > 0 then n else -n) == 2",
        "(var k := n + 1; k * k) == 4",
        "(var (a, b) := (n, 2); a - b) > 0",
    ]);
}

#[test]
fn sequences() {
    conditions(&[
        "[n, 2][0] == 1",
        "0 <= n < 3 && [5, 6, 7][n] == 6",
        "[1, 2] + [n] == [1, 2, 3]",
        "|[1, 2, 3][1..]| + n == 3",
        "n in [1, 3]",
        "n !in [0, 2]",
        "[n] <= [1, 2]",
        "[n] < [1]",
        "[1, 2][0 := n] == [3, 2]",
        "0 <= n <= 3 && [4, 5, 6][..n] == [4, 5]",
    ]);
}

#[test]
fn sets_multisets_and_maps() {
    conditions(&[
        "n in {1, 2}",
        "{n} <= {1, 2}",
        "{n, 1} == {1}",
        "|{n, 1, 2}| == 2",
        "{1, 2} * {n} == {}",
        "{1, 2} - {n} == {2}",
        "{n} !! {0, 1}",
        "multiset{n, 1}[1] == 2",
        "multiset{n} <= multiset{1, 1}",
        "|multiset{n, 1} - multiset{1}| == 1",
        "n in map[1 := 2, 3 := 4]",
        "n in map[1 := 2] && map[1 := 2][n] == 2",
        "map[1 := 2][n := 3] == map[1 := 3]",
        "(map[1 := 2] - {n}) == map[]",
    ]);
}

#[test]
fn datatypes() {
    conditions(&[
        "Of(n) == Green",
        "Of(n).Blue?",
        "Cons(n, Nil) == Cons(2, Nil)",
        "(if n > 0 then Cons(n, Nil) else Nil).Cons?",
        "Cons(n, Nil).head > 1",
        "Cons(1, Nil).(head := n) == Cons(3, Nil)",
        "Length(Cons(1, if n > 0 then Cons(n, Nil) else Nil)) == 2",
        "match Of(n) case Red => false case Green => true case Blue => n > 2",
        "(n, Of(n)) == (0, Green)",
    ]);
}

#[test]
fn functions_and_quantifiers() {
    conditions(&[
        "Twice(n) == 4",
        "n >= 0 && Fact(n) > 5",
        "((x: int) => x + n)(1) == 3",
        "forall i | 0 <= i < 3 :: i != n",
        "exists i | 0 <= i < n :: i * i == 4",
        "(set i | 0 <= i < 3 && i < n) == {0, 1}",
        "seq(3, i => i + n)[2] == 4",
    ]);
}

#[test]
fn assignments_and_branches() {
    statements(&[
        "r := n; r := r + 1;",
        "var a, b := n, 1; a, b := b, a; r := b - a;",
        "if n > 0 { r := n; } else if n < -1 { r := -1; } else { r := 1; }",
        "if { case n > 1 => r := 3; case n <= 1 => r := 1; }",
        "match Of(n) { case Red => r := -1; case Green => r := 1; case Blue => r := n; }",
        "r := n; if r > 1 { return 1; } r := 3;",
    ]);
}

#[test]
fn loops() {
    statements(&[
        "var i := 0; while i < n { i := i + 1; r := r + i; }",
        "var i := 0; while i < 4 { i := i + 1; if i == n { break; } r := r + 1; }",
        "var i := 0; while i < 4 { i := i + 1; if i == n { continue; } r := r + 1; }",
        "if n >= 0 { for i := 0 to n { r := r + i; } }",
        "if n >= 0 { for i := n downto 0 { r := r - i; } }",
        "label l: for i := 0 to 3 { for j := 0 to 3 { if j == n { break l; } r := r + 1; } }",
    ]);
}

#[test]
fn arrays_and_objects() {
    statements(&[
        "var a := new int[3](i => i); a[1] := n; r := a[0] + a[1];",
        "var a := new int[3](i => 2 * i); if 0 <= n < 3 { a[n] := 5; r := a[2]; }",
        "var a := new int[3](i => i); forall i | 0 <= i < 3 { a[i] := a[2 - i] + n; } r := a[0];",
        "var c := new Cell(n); c.v := c.v + 1; r := c.v;",
        "var c := new Cell(1); var d := new Cell(2); if n > 0 { d := c; } d.v := 7; r := c.v;",
        "var m := new int[2, 2]((i, j) => i + j); m[1, 0] := n; r := m[1, 0] + m[1, 1];",
    ]);
}

#[test]
fn calls() {
    for body in [
        "r := Q(n);",
        "var k := Q(n); r := Q(k);",
        "r := Down(if n < 0 then 0 else n);",
    ] {
        assert_exact(&format!(
            "method Q(k: int) returns (q: int) {{ if k > 1 {{ return 3; }} q := k - 1; }} method Down(k: nat) returns (q: int) {{ if k == 0 {{ return 0; }} q := Down(k - 1); q := q + 1; }} method M(n: int) returns (r: int) {{ {body} if r > 2 {{ print 1; }} else if r < 0 {{ print 2; }} }}"
        ));
    }
}

/// Declarations with state, dispatch and failures, for the units of [`members`].
const MEMBERS: &str = "
    trait Shape extends object { var size: int function Area(k: int): int reads this method Grow(k: int) modifies this ensures size == old(size) + k { size := size + k; } }
    class Square extends Shape { constructor(s: int) { size := s; } function Area(k: int): int reads this { size * size + k } }
    class Line extends Shape { constructor(s: int) { size := s; } function Area(k: int): int reads this { k } }
    datatype Result = Ok(value: int) | Err(code: int) {
      predicate IsFailure() { Err? }
      function PropagateFailure(): Result requires Err? { Err(code + 1) }
      function Extract(): int requires Ok? { value }
    }
    function Check(x: int): Result { if x > 1 then Ok(x) else Err(x) }
    const Limit: int := 2
    function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }
    function Square2(x: int): int { x * x } by method { var y := x; return x * y; }";

/// Checks units as [`statements`] does, with other declarations.
#[track_caller]
fn members(all: &[&str]) {
    for body in all {
        assert_exact(&format!(
            "{MEMBERS} method M(n: int) returns (r: int) {{ r := 0; {body} if r > 2 {{ print 1; }} else if r < 0 {{ print 2; }} else if r == 1 {{ print 3; }} }}"
        ));
    }
}

#[test]
fn quantifiers_over_finite_types() {
    conditions(&[
        "forall b: bool :: b || n > 0",
        "exists b: bool :: b && n > 0",
        "exists c: Color :: c == Of(n) && !c.Red?",
        "forall c: Color, b: bool :: c.Blue? || b || n < 2",
        "exists a: bool, b: bool :: a != b && (a ==> n == 1) && (b ==> n == 2)",
        "(set c: Color | c != Of(n)) == {Red, Blue}",
        "|set b: bool | b || n > 0| == 2",
    ]);
}

#[test]
fn values_within_values() {
    conditions(&[
        "[[n], []][0] == [1]",
        "|[{n}, {1}][0] + {1}| == 1",
        "{[n], [1]} == {[1]}",
        "map[Of(n) := n][Of(n)] > 1",
        "map[n := 1, 1 := 2][1] == 2 && n in map[1 := 2]",
        "(n, (n + 1, true)).1.0 == 3",
        "[Cons(n, Nil), Nil][0].head == 2",
        "multiset([n, 1, 1])[1] == 3",
        "multiset{n} <= multiset{1, 2}",
        "multiset{1, 1, n} - multiset{1} == multiset{1, n}",
    ]);
}

#[test]
fn bindings_and_choices_with_one_value() {
    conditions(&[
        "var (a, b) := (n, n + 1); a * b == 2",
        "var x := n; var x := x + 1; x == 2",
        "var x :| x == n + 1; x > 2",
        "exists x | 0 <= x < 4 :: x == n && x % 2 == 0",
        "(var f := (x: int) => x + n; f(f(1))) == 5",
        "(var f: int -> int -> int := x => y => x - y; f(n)(1)) == 2",
        "match (Of(n), n) case (Blue, 1) => true case (Blue, k) => k > 2 case _ => false",
        "match Cons(n, Cons(1, Nil)) case Cons(x, Cons(y, _)) => x == y case _ => false",
    ]);
}

#[test]
fn characters_and_strings() {
    conditions(&[
        "('a' as int + (n + 3)) as char == 'd'",
        "\"abcdefgh\"[n + 3] > 'd'",
        "\"abcdefgh\"[..n + 3] == \"abc\"",
        "['a', 'b'] + \"c\" == \"abc\" && n > 0",
        "'c' in \"abcdefgh\"[n + 3..]",
        "\"ab\" < \"abcdefgh\"[..n + 3]",
    ]);
}

#[test]
fn members_are_found_by_the_type_of_the_receiver() {
    members(&[
        "var s: Shape; if n > 0 { s := new Square(n); } else { s := new Line(n); } r := s.Area(1);",
        "var s: Shape := new Line(1); s.Grow(n); r := s.size;",
        "var s := new Square(1); var t: Shape := s; t.Grow(n); r := s.Area(0);",
        "var s: Shape := new Square(n); if s is Line { r := 1; } else { r := n; }",
        "var s: Shape? := null; if n > 0 { s := new Line(n); } r := if s == null then 1 else s.size;",
    ]);
}

#[test]
fn failures_end_a_method_or_give_a_value() {
    members(&[
        "var x := Check(n); r := if x.IsFailure() then x.code else x.value;",
        "var x := Check(n); if x.IsFailure() { r := x.PropagateFailure().code; } else { r := x.Extract(); }",
        "var x: Result := var y :- Check(n); Ok(y + 1); r := if x.Ok? then x.value else x.code;",
    ]);
}

#[test]
fn constants_recursion_and_bodies_by_method() {
    members(&[
        "r := Limit + n;",
        "r := Sum([n, 1, Limit]);",
        "r := Square2(n) - 4;",
        "ghost var g := n; r := n; assert g == r;",
        "r := n; { var r := 5; } r := r + 1;",
    ]);
}

#[test]
fn arrays_of_objects_and_aliases() {
    statements(&[
        "var c := new Cell(n); var a := new Cell[2](i => c); a[0].v := 4; r := a[1].v;",
        "var a := new int[2](i => i); var b := a; b[0] := n; r := a[0];",
        "var a := new int[4](i => i); r := |a[..]| + a[..][n % 4];",
        "var a := new int[3](i => i); a[0], a[1] := a[1], n; r := a[0] + a[1];",
        "var c := new Cell(1); var d := new Cell(1); r := |{c, d, if n > 0 then c else d}| + n;",
        "var m := new int[2, 3]((i, j) => 3 * i + j); r := m.Length0 * m.Length1 - n + m[1, 2];",
    ]);
}
