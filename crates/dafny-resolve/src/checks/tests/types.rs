//! Rules on types and members that several uses show together: for each rule, a program with uses
//! that are accepted and uses that are refused. `tests/rules` has the rules that one use shows.
//!
//! Dafny 4.11 reports an error in the marked lines of each program, and in no other. Dafny stops
//! after the first pass with an error, so that all errors of one program belong to one pass.

use super::check;

#[test]
fn comparisons_take_ordered_or_comparable_types() {
    check(
        r#"
        datatype D = A | B(x: int)
        method M(d: D, s: seq<int>, t: set<int>, m: map<int, int>, p: bool, i: int, c: char) {
          var a1 := i < 3;
          var a2 := c < 'd';
          var a3 := s < s + [1];
          var a4 := t < {1, 2};
          var a5 := m < m;                           // error
          var a6 := p < true;                        // error
          var a7 := d == A;
          var a8 := d == 3;                          // error
          var a9 := s == {};                         // error
          var a10 := i in s;
          var a11 := p in s;                         // error
          var a12 := i in m;
          var a13 := i in i;                         // error
          var a14 := t !! {7};
          var a15 := s !! s;                         // error
        }
        "#,
    );
}

#[test]
fn strings_are_sequences_of_characters() {
    check(
        r#"
        method M(s: string, c: char) {
          var a1: seq<char> := s;
          var a2 := s + "x";
          var a3 := s + 'x';                         // error
          var a4 := s[0] == 'x';
          var a5 := s[0] == "x";                     // error
          var a6 := s + [c, 'd'];
          var a7 := |s|;
          var a8 := |c|;                             // error
          var a9: string := ['a', 'b'];
          var a10: string := "a" == "b";             // error
        }
        "#,
    );
}

#[test]
fn a_newtype_has_the_operators_of_its_base() {
    check(
        r#"
        newtype Celsius = r: real | -273.15 <= r
        newtype Index = i: int | 0 <= i < 10
        method M(c: Celsius, d: Celsius, i: Index) {
          var a1 := c + d;
          var a2 := c + 1.5;
          var a3 := c + 1;                           // error
          var a4 := c % d;                           // error
          var a5 := i % 3;
          var a6 := i < 5;
          var a7: int := i;                          // error
          var a8 := i as int + 4;
          var a9 := c.Floor;
          var a10 := i.Floor;                        // error
        }
        "#,
    );
}

#[test]
fn is_and_as_relate_types_with_common_values() {
    check(
        r#"
        trait T extends object { }
        class A extends T { constructor() { } }
        class B { constructor() { } }
        method M(t: T, a: A, b: B, i: int) {
          var a1 := t is A;
          var a2 := a is T;
          var a3 := b is A;                          // error
          var a4 := a as T;
          var a5 := i is nat;
          var a6 := i is bool;                       // error
          var a7 := a as B;                          // error
          var a8 := i as bool;                       // error
          var a9 := i as ORDINAL;
        }
        "#,
    );
}

#[test]
fn types_are_written_with_as_many_arguments_as_parameters() {
    check(
        r#"
        datatype Pair<A, B> = Pair(a: A, b: B)
        type Same<T> = Pair<T, T>
        const a: Pair<int, int>
        const b: Pair<int>                           // error
        const c: Pair<int, int, int>                 // error
        const d: Same<bool>
        const e: Same<bool, int>                     // error
        const h: Missing                             // error
        const i: Same<Missing>                       // error
        "#,
    );
}

#[test]
fn type_arguments_are_as_many_as_parameters() {
    check(
        r#"
        datatype Pair<A, B> = Pair(a: A, b: B)
        function Id<T>(t: T): T { t }
        method M(p: Pair<int, bool>) {
          var a1: Pair<int, int> := Pair(1, 2);
          var a2 := Pair<int, bool>.Pair(1, true);
          var a4 := Id<int>(3);
          var a5 := Id<int, bool>(3);                // error
          var a6 := Id<int>;
          var a7 := Id<int, bool>(true);             // error
        }
        "#,
    );
}

#[test]
fn functions_are_values_of_arrow_types() {
    check(
        r#"
        function Inc(n: int): int { n + 1 }
        function Half(n: int): int requires n % 2 == 0 { n / 2 }
        method M(f: int -> int) returns (r: int) {
          r := f(1);
          r := f(true);                              // error
          r := f(1, 2);                              // error
          var g: int -> int := Inc;
          var h: int --> int := Half;
          var k: bool -> int := Inc;                 // error
          var l: int -> int := x => x + 1;
          var m: int -> int := x => x > 1;           // error
          var n: (int, int) -> int := (x, y) => x + y;
          var o: int -> int := (x, y) => x + y;      // error
          var p := r(1);                             // error
        }
        "#,
    );
}

#[test]
fn map_comprehensions_and_set_comprehensions_have_the_type_of_their_terms() {
    check(
        r#"
        method M(s: set<int>) {
          var a1: set<int> := set x | x in s;
          var a2: set<bool> := set x | x in s;       // error
          var a3: set<bool> := set x | x in s :: x > 0;
          var a4: map<int, bool> := map x | x in s :: x > 0;
          var a5: map<int, int> := map x | x in s :: x > 0;  // error
          var a6: map<bool, int> := map x | x in s :: x > 0 := x;
          var a7 := seq(3, i => i + 1);
          var a8: seq<bool> := seq(3, i => i + 1);   // error
          var a9: iset<int> := iset x: int | x > 0;
          var a10: set<int> := iset x: int | x > 0;  // error
        }
        "#,
    );
}

#[test]
fn two_state_expressions_refer_to_labels_before_them() {
    check(
        r#"
        class Cell { var v: int constructor() { v := 0; } }
        method M(c: Cell) modifies c {
          label A: c.v := 1;
          assert old@A(c.v) == 0 || true;
          assert old@B(c.v) == 0;                    // error
          if c.v > 0 { label C: c.v := 2; }
          assert old@C(c.v) == 0;                    // error
          label D: c.v := 4;
          assert unchanged@D(c) || true;
        }
        "#,
    );
}

#[test]
fn a_function_with_a_body_is_not_overridden_but_a_method_is() {
    check(
        r#"
        trait Shape {
          method Name() returns (s: string) { s := "shape"; }
          function Corners(): nat { 4 }
          method Draw()
        }
        class Square extends Shape {
          constructor() { }
          method Draw() { }
        }
        class Circle extends Shape {
          constructor() { }
          method Name() returns (s: string) { s := "circle"; }
          function Corners(): nat { 0 }              // error
          method Draw() { }
        }
        "#,
    );
}

#[test]
fn a_parameter_with_a_default_may_come_before_one_without() {
    check(
        r#"
        function F(a: int := 1, b: int): int { a + b }
        datatype D = D(x: int := 1, y: int)
        method M() returns (r: int) {
          r := F(1, 2);
          r := F(b := 2);
          r := F(2);                                 // error
          var d := D(y := 3);
          var e := D(3);                             // error
        }
        "#,
    );
}
