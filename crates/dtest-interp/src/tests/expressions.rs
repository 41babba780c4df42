//! Tests of the values of expressions. Each table is one program whose `Main` prints every
//! expression; the official Dafny prints the same.

use super::source::printed;

/// Compares the printed values of expressions, with the given declarations before them.
fn check(declarations: &str, table: &[(&str, &str)]) {
    let prints: String = table
        .iter()
        .map(|(e, _)| format!("  print {e}, \"\\n\";\n"))
        .collect();
    let source = format!("{declarations}\nmethod Main() {{\n{prints}}}\n");
    let text = printed(&source);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), table.len(), "{text}");
    for ((e, expected), line) in table.iter().zip(lines) {
        assert_eq!(line, *expected, "{e}");
    }
}

#[test]
fn booleans() {
    check(
        "predicate No() { false }",
        &[
            ("true && false", "false"),
            ("true || No()", "true"),
            ("false ==> No()", "true"),
            ("true ==> false", "false"),
            ("false <== true", "false"),
            ("false <==> false", "true"),
            ("!true", "false"),
            ("true == false", "false"),
            ("true != false", "true"),
            ("1 < 2 < 3", "true"),
            ("1 < 2 <= 2 < 1", "false"),
            ("1 <= 2 == 2 < 3", "true"),
        ],
    );
}

#[test]
fn integer_division_is_euclidean() {
    check(
        "",
        &[
            ("7 / 2", "3"),
            ("-7 / 2", "-4"),
            ("7 / -2", "-3"),
            ("-7 / -2", "4"),
            ("7 % 2", "1"),
            ("-7 % 2", "1"),
            ("7 % -2", "1"),
            ("-7 % -2", "1"),
            ("-6 % 3", "0"),
            ("0 / 5", "0"),
        ],
    );
}

#[test]
fn integers_are_unbounded() {
    check(
        "",
        &[
            ("2 + 3 * 4", "14"),
            ("-(2 - 5)", "3"),
            ("99999999999999999999 + 1", "100000000000000000000"),
            (
                "4294967296 * 4294967296 * 4294967296",
                "79228162514264337593543950336",
            ),
            ("0x1F + 1_000", "1031"),
            ("-3 < -2", "true"),
            ("3 >= 4", "false"),
        ],
    );
}

#[test]
fn reals_are_exact_decimals() {
    check(
        "",
        &[
            ("1.5 + 0.25", "1.75"),
            ("0.1 + 0.2 == 0.3", "true"),
            ("1.0 / 4.0", "0.25"),
            ("1.0 / 3.0", "(1.0 / 3.0)"),
            ("2.0 * 3.5", "7.0"),
            ("-1.5", "-1.5"),
            ("(-1.5).Floor", "-2"),
            ("2.5.Floor", "2"),
            ("1.5 < 1.50", "false"),
            ("1.5 <= 1.50", "true"),
            ("3 as real", "3.0"),
            ("2.0 as int", "2"),
        ],
    );
}

#[test]
fn bitvectors_wrap() {
    check(
        "",
        &[
            ("(250 as bv8) + 10", "4"),
            ("(3 as bv8) - 4", "255"),
            ("(20 as bv8) * 20", "144"),
            ("(200 as bv8) / 7", "28"),
            ("(200 as bv8) % 7", "4"),
            ("-(1 as bv8)", "255"),
            ("!(5 as bv8)", "250"),
            ("(12 as bv8) & 10", "8"),
            ("(12 as bv8) | 10", "14"),
            ("(12 as bv8) ^ 10", "6"),
            ("(129 as bv8) << 1", "2"),
            ("(129 as bv8) >> 1", "64"),
            ("(1 as bv8) << 8", "0"),
            ("(129 as bv8).RotateLeft(1)", "3"),
            ("(129 as bv8).RotateRight(1)", "192"),
            ("(200 as bv8) < 100", "false"),
            ("(200 as bv8) as int + 100", "300"),
        ],
    );
}

#[test]
fn characters_have_code_points() {
    check(
        "",
        &[
            ("'a'", "'a'"),
            ("'\\n'", "'\\n'"),
            ("'a' as int", "97"),
            ("98 as char", "'b'"),
            ("'a' < 'b'", "true"),
            ("'a' + (1 as char)", "'b'"),
            ("'c' - (1 as char)", "'b'"),
            ("'\\U{1F600}' as int", "128512"),
        ],
    );
}

#[test]
fn sequences() {
    check(
        "",
        &[
            ("[1, 2] + [3]", "[1, 2, 3]"),
            ("[1, 2, 3][1]", "2"),
            ("[1, 2, 3][1..]", "[2, 3]"),
            ("[1, 2, 3][..1]", "[1]"),
            ("[1, 2, 3][1..2]", "[2]"),
            ("[1, 2, 3][..]", "[1, 2, 3]"),
            ("[1, 2, 3][1 := 9]", "[1, 9, 3]"),
            ("[1, 2, 3, 4, 5, 6][1:2:3]", "[[1], [2, 3], [4, 5, 6]]"),
            ("[1, 2, 3, 4][1:2:]", "[[1], [2, 3], [4]]"),
            ("|[1, 1, 1]|", "3"),
            ("2 in [1, 2]", "true"),
            ("2 !in [1, 2]", "false"),
            ("[1, 2] <= [1, 2, 3]", "true"),
            ("[1, 3] <= [1, 2, 3]", "false"),
            ("[1, 2] < [1, 2]", "false"),
            ("[1, 2] == [2, 1]", "false"),
            ("seq(3, i => i * i)", "[0, 1, 4]"),
            ("multiset([1, 1])", "multiset{1, 1}"),
            ("\"ab\" + \"c\"", "abc"),
            ("\"ab\"[0]", "'a'"),
            ("[\"ab\"]", "[['a', 'b']]"),
            ("\"\"", ""),
        ],
    );
}

#[test]
fn sets() {
    check(
        "",
        &[
            ("{1, 1}", "{1}"),
            ("|{1, 1, 2}|", "2"),
            ("{1, 2} + {2, 3} == {3, 2, 1}", "true"),
            ("{1, 2} * {2, 3}", "{2}"),
            ("{1, 2} - {2, 3}", "{1}"),
            ("{1} <= {1, 2}", "true"),
            ("{1, 2} < {1, 2}", "false"),
            ("{1, 2} >= {2}", "true"),
            ("{1} !! {2}", "true"),
            ("{1, 2} !! {2}", "false"),
            ("{1} !! {2} !! {1}", "false"),
            ("1 in {1, 2}", "true"),
            ("set x | 0 <= x < 5 && x % 3 == 2", "{2}"),
            ("set x | x in {1, 2} :: x * 0", "{0}"),
            ("set x, y | 0 <= x < 2 && 0 <= y < x :: (x, y)", "{(1, 0)}"),
            ("{} + {1}", "{1}"),
        ],
    );
}

#[test]
fn multisets_count() {
    check(
        "",
        &[
            ("multiset{1, 1}[1]", "2"),
            ("multiset{1, 1}[2]", "0"),
            ("|multiset{1, 1, 2}|", "3"),
            ("multiset{1} + multiset{1}", "multiset{1, 1}"),
            ("multiset{1, 1} - multiset{1}", "multiset{1}"),
            ("multiset{1} - multiset{1, 1}", "multiset{}"),
            ("multiset{1, 1, 2} * multiset{1, 1, 1}", "multiset{1, 1}"),
            ("multiset{1} <= multiset{1, 1}", "true"),
            ("multiset{1, 1} <= multiset{1}", "false"),
            ("multiset{1} !! multiset{2}", "true"),
            ("multiset{1, 1}[1 := 3]", "multiset{1, 1, 1}"),
            ("multiset{1, 1}[1 := 0]", "multiset{}"),
            ("1 in multiset{1}[1 := 0]", "false"),
            ("multiset({1, 1})", "multiset{1}"),
        ],
    );
}

#[test]
fn maps() {
    check(
        "",
        &[
            ("map[1 := 2][1]", "2"),
            ("map[1 := 2, 1 := 3]", "map[1 := 3]"),
            ("map[1 := 2][1 := 5]", "map[1 := 5]"),
            ("|map[1 := 2, 3 := 4]|", "2"),
            ("map[1 := 2].Keys", "{1}"),
            ("map[1 := 2, 3 := 2].Values", "{2}"),
            ("map[1 := 2].Items", "{(1, 2)}"),
            ("map[1 := 2] + map[1 := 3]", "map[1 := 3]"),
            ("map[1 := 2, 3 := 4] - {3}", "map[1 := 2]"),
            ("3 in map[3 := 4]", "true"),
            ("4 in map[3 := 4]", "false"),
            ("map x | x in {2} :: x * x", "map[2 := 4]"),
            ("map x | x in {2} :: -x := x", "map[-2 := 2]"),
            ("map[1 := 2] == map[1 := 2]", "true"),
        ],
    );
}

const DATATYPES: &str = "datatype D = A | B(x: int, y: seq<int>) | C(x: int) datatype W = W(w: int) datatype S = S(s: string, ghost g: int, t: bool) datatype Color = Red | Green";

#[test]
fn datatypes() {
    check(
        DATATYPES,
        &[
            ("A", "D.A"),
            ("B(1, [2])", "D.B(1, [2])"),
            ("B(1, []).x", "1"),
            ("C(4).x", "4"),
            ("B(1, []).(x := 5)", "D.B(5, [])"),
            ("B(1, []).(y := [1], x := 2)", "D.B(2, [1])"),
            ("A.A?", "true"),
            ("A.B?", "false"),
            ("B(1, [2]) == B(1, [2])", "true"),
            ("B(1, []) == C(1)", "false"),
            ("W(3)", "3"),
            ("S(\"ab\", 1, true)", "S.S(\"ab\", true)"),
            ("[Red, Green]", "[Color.Red, Color.Green]"),
            (
                "match C(4) case A => 0 case B(x, _) => x case C(x) => x + 1",
                "5",
            ),
            (
                "match (1, Red) case (1, Green) => 1 case (n, Red) => n + 1 case _ => 0",
                "2",
            ),
        ],
    );
}

#[test]
fn tuples() {
    check(
        "",
        &[
            ("(1, 'c', \"s\")", "(1, 'c', ['s'])"),
            ("(1, 2).1", "2"),
            ("((1, 2), 3).0.1", "2"),
            ("()", "()"),
            ("(1, 2) == (1, 3)", "false"),
            ("(1, ghost 2)", "1"),
        ],
    );
}

#[test]
fn conditionals_and_bindings() {
    check(
        "datatype P = P(a: int, b: int)",
        &[
            ("if 1 < 2 then 3 else 4", "3"),
            ("var x := 2; x * x", "4"),
            ("var x, y := 1, 2; x + y", "3"),
            ("var x := 1; var x := x + 1; x", "2"),
            ("var (a, b) := (3, 4); a * b", "12"),
            ("var P(a, b) := P(5, 2); a - b", "3"),
            ("var x :| x == 7; x", "7"),
            ("assert true; 1", "1"),
        ],
    );
}

#[test]
fn functions_are_applied() {
    check(
        "function Twice(f: int -> int, x: int): int { f(f(x)) } function Add(a: int, b: int := 10): int { a + b } function Id<T>(x: T): T { x }",
        &[
            ("(x => x + 1)(2)", "3"),
            ("Twice(x => x * 3, 2)", "18"),
            ("((x: int, y: int) => x - y)(5, 3)", "2"),
            ("Add(1)", "11"),
            ("Add(b := 1, a := 5)", "6"),
            ("Id(Id([1]))", "[1]"),
            ("var f := Add; f(1, 2)", "3"),
            ("var n := 5; (x => x + n)(1)", "6"),
            ("((x: int) => (y: int) => x - y)(5)(3)", "2"),
        ],
    );
}

#[test]
fn quantifiers_over_finite_ranges() {
    check(
        "",
        &[
            ("forall x :: 0 <= x < 5 ==> x * x < 17", "true"),
            ("forall x :: 0 <= x < 5 ==> x * x < 16", "false"),
            ("exists x :: 0 <= x < 5 && x * x == 9", "true"),
            ("exists x | x in [1, 2] :: x > 2", "false"),
            ("forall x, y | x in {1, 2} && y in {3, 4} :: x < y", "true"),
            ("forall x <- [1, 2, 3] :: x > 0", "true"),
            ("exists b: bool :: !b", "true"),
            ("forall x | 3 <= x < 3 :: false", "true"),
            ("exists x | 3 <= x < 3 :: true", "false"),
        ],
    );
}

#[test]
fn newtypes_and_subset_types_have_bare_values() {
    check(
        "newtype u8 = x: int | 0 <= x < 256 type Even = x: int | x % 2 == 0 newtype R = x: real | x >= 0.0",
        &[
            ("(200 as u8) + 55", "255"),
            ("(7 as u8) / 2", "3"),
            ("(7 as u8) as int - 8", "-1"),
            ("(8 as Even) / 3", "2"),
            ("(1.5 as R) * 2.0", "3.0"),
            ("255 as u8 as bv16 << 4", "4080"),
        ],
    );
}

#[test]
fn members_of_datatypes_and_newtypes() {
    check(
        "datatype L = N | C(h: int, t: L) { function Sum(): int { match this case N => 0 case C(h, t) => h + t.Sum() } static function Of(n: nat): L { if n == 0 then N else C(n, Of(n - 1)) } const k := 7 } newtype T = int { function Double(): T { this + this } }",
        &[
            ("L.Of(3).Sum()", "6"),
            ("C(1, N).k", "7"),
            ("(4 as T).Double()", "8"),
            ("L.Of(2)", "L.C(2, L.C(1, L.N))"),
        ],
    );
}
