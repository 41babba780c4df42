//! Tests of the values of expressions. All of them are printed by one execution.

use crate::test_support::{check, endings, evaluate};

#[test]
fn boolean_operators_have_their_truth_tables() {
    let mut table = Vec::new();
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        for (op, value) in [
            ("&&", a && b),
            ("||", a || b),
            ("==>", !a || b),
            ("<==", a || !b),
            ("<==>", a == b),
            ("==", a == b),
            ("!=", a != b),
        ] {
            table.push((format!("{a} {op} {b}"), value.to_string()));
        }
    }
    let table: Vec<(&str, &str)> = table
        .iter()
        .map(|(e, v)| (e.as_str(), v.as_str()))
        .collect();
    check("", &table);
    check("", &[("!true", "false"), ("!false", "true")]);
}

#[test]
fn integers_have_no_bounds() {
    check(
        "",
        &[
            ("2 + 3", "5"),
            ("2 - 3", "-1"),
            ("-(2 - 5)", "3"),
            ("4294967296 * 4294967296", "18446744073709551616"),
            ("2 < 3", "true"),
            ("3 < 3", "false"),
            ("3 <= 3", "true"),
            ("3 > 3", "false"),
            ("3 >= 3", "true"),
            ("3 == 3", "true"),
            ("3 != 3", "false"),
        ],
    );
}

#[test]
fn division_of_integers_is_euclidean() {
    check(
        "",
        &[
            ("7 div 2", "3"),
            ("7 mod 2", "1"),
            ("-7 div 2", "-4"),
            ("-7 mod 2", "1"),
            ("7 div -2", "-3"),
            ("7 mod -2", "1"),
            ("-7 div -2", "4"),
            ("-7 mod -2", "1"),
        ],
    );
}

#[test]
fn division_by_zero_is_an_unknown_function_of_the_dividend() {
    // The same dividend has the same quotient, and two dividends may have different ones.
    assert_eq!(
        endings("procedure P() {\nassert 1 div 0 == 1 div 0;\nassert 1 div 0 == 2 div 0;\n}"),
        ["failed assertion 3 at 3", "passed"]
    );
    assert_eq!(
        endings("procedure P(x: int) {\nassume x == 1;\nassert x mod 0 == 1 mod 0;\n}"),
        ["passed"]
    );
}

#[test]
fn real_numbers_are_exact() {
    check(
        "",
        &[
            ("1.5 + 1.5", "3.0"),
            ("0.1 + 0.2 == 0.3", "true"),
            ("1.0 / 3.0", "1/3"),
            ("1 / 3", "1/3"),
            ("1.0 / 3.0 * 3.0", "1.0"),
            ("1.5 - 2.0", "-1/2"),
            ("-1.5", "-3/2"),
            ("1.5 < 2.0", "true"),
            ("1.5 > 1.5", "false"),
            ("1.5 <= 1.5", "true"),
            ("1.5 >= 2.0", "false"),
        ],
    );
}

#[test]
fn conversions_round_down() {
    check(
        "",
        &[
            ("int(1.5)", "1"),
            ("int(-1.5)", "-2"),
            ("int(-2.0)", "-2"),
            ("real(2)", "2.0"),
            ("real(int(2.9))", "2.0"),
        ],
    );
}

#[test]
fn bitvectors_are_concatenated_and_extracted() {
    check(
        "",
        &[
            ("5bv4 ++ 3bv4", "83bv8"),
            ("83bv8[8:4]", "5bv4"),
            ("83bv8[4:0]", "3bv4"),
            ("5bv4 == 5bv4", "true"),
            ("5bv4 != 6bv4", "true"),
        ],
    );
}

const BITS: &str = "
function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8; function {:bvbuiltin \"bvsub\"} sub(x: bv8, y: bv8): bv8;
function {:bvbuiltin \"bvmul\"} mul(x: bv8, y: bv8): bv8; function {:bvbuiltin \"bvudiv\"} quot(x: bv8, y: bv8): bv8;
function {:bvbuiltin \"bvurem\"} rem(x: bv8, y: bv8): bv8; function {:bvbuiltin \"bvand\"} conj(x: bv8, y: bv8): bv8;
function {:bvbuiltin \"bvor\"} disj(x: bv8, y: bv8): bv8; function {:bvbuiltin \"bvxor\"} xor(x: bv8, y: bv8): bv8;
function {:bvbuiltin \"bvshl\"} shl(x: bv8, y: bv8): bv8; function {:bvbuiltin \"bvlshr\"} shr(x: bv8, y: bv8): bv8;
function {:bvbuiltin \"bvnot\"} inv(x: bv8): bv8; function {:bvbuiltin \"bvneg\"} neg(x: bv8): bv8;
function {:bvbuiltin \"bvult\"} ult(x: bv8, y: bv8): bool; function {:bvbuiltin \"bvule\"} ule(x: bv8, y: bv8): bool;
function {:bvbuiltin \"bvugt\"} ugt(x: bv8, y: bv8): bool; function {:bvbuiltin \"bvuge\"} uge(x: bv8, y: bv8): bool;
function {:bvbuiltin \"bvslt\"} slt(x: bv8, y: bv8): bool; function {:bvbuiltin \"bvsle\"} sle(x: bv8, y: bv8): bool;
function {:bvbuiltin \"bvsgt\"} sgt(x: bv8, y: bv8): bool; function {:bvbuiltin \"bvsge\"} sge(x: bv8, y: bv8): bool;
function {:bvbuiltin \"bv2nat\"} nat(x: bv8): int; function {:bvbuiltin \"(_ int2bv 8)\"} bits(x: int): bv8;
function {:bvbuiltin \"zero_extend 8\"} zero(x: bv8): bv16; function {:bvbuiltin \"sign_extend 8\"} sign(x: bv8): bv16;";

#[test]
fn arithmetic_of_bitvectors_wraps() {
    check(
        BITS,
        &[
            ("add(250bv8, 10bv8)", "4bv8"),
            ("sub(3bv8, 4bv8)", "255bv8"),
            ("mul(20bv8, 20bv8)", "144bv8"),
            ("neg(1bv8)", "255bv8"),
            ("quot(20bv8, 3bv8)", "6bv8"),
            ("rem(20bv8, 3bv8)", "2bv8"),
        ],
    );
}

#[test]
fn division_of_bitvectors_by_zero_is_as_in_smt_lib() {
    check(
        BITS,
        &[
            ("quot(20bv8, 0bv8)", "255bv8"),
            ("rem(20bv8, 0bv8)", "20bv8"),
        ],
    );
}

#[test]
fn bitwise_operators_and_shifts() {
    check(
        BITS,
        &[
            ("conj(12bv8, 10bv8)", "8bv8"),
            ("disj(12bv8, 10bv8)", "14bv8"),
            ("xor(12bv8, 10bv8)", "6bv8"),
            ("inv(12bv8)", "243bv8"),
            ("shl(129bv8, 1bv8)", "2bv8"),
            ("shr(129bv8, 1bv8)", "64bv8"),
            ("shl(1bv8, 8bv8)", "0bv8"),
            ("shr(255bv8, 200bv8)", "0bv8"),
        ],
    );
}

#[test]
fn bitvectors_are_compared_with_and_without_sign() {
    // 200 is -56 as a signed number of eight bits.
    let mut table = Vec::new();
    for (x, y, signed, unsigned) in [
        (
            "1bv8",
            "200bv8",
            std::cmp::Ordering::Greater,
            std::cmp::Ordering::Less,
        ),
        (
            "200bv8",
            "201bv8",
            std::cmp::Ordering::Less,
            std::cmp::Ordering::Less,
        ),
        (
            "7bv8",
            "7bv8",
            std::cmp::Ordering::Equal,
            std::cmp::Ordering::Equal,
        ),
    ] {
        for (prefix, order) in [("s", signed), ("u", unsigned)] {
            for (name, value) in [
                ("lt", order.is_lt()),
                ("le", order.is_le()),
                ("gt", order.is_gt()),
                ("ge", order.is_ge()),
            ] {
                table.push((format!("{prefix}{name}({x}, {y})"), value.to_string()));
            }
        }
    }
    let table: Vec<(&str, &str)> = table
        .iter()
        .map(|(e, v)| (e.as_str(), v.as_str()))
        .collect();
    check(BITS, &table);
}

#[test]
fn bitvectors_are_converted_to_other_widths_and_numbers() {
    check(
        BITS,
        &[
            ("nat(200bv8)", "200"),
            ("bits(300)", "44bv8"),
            ("bits(-1)", "255bv8"),
            ("zero(200bv8)", "200bv16"),
            ("sign(200bv8)", "65480bv16"),
            ("sign(100bv8)", "100bv16"),
        ],
    );
}

#[test]
fn a_conditional_has_the_value_of_one_branch() {
    check(
        "",
        &[
            ("if 1 < 2 then 3 else 4", "3"),
            ("if 2 < 1 then 3 else 4", "4"),
            (
                "(if true then (lambda i: int :: i) else (lambda i: int :: 0))[5]",
                "5",
            ),
        ],
    );
}

#[test]
fn a_let_evaluates_its_values_in_the_outer_scope() {
    check(
        "",
        &[
            ("(var x := 2; x * x)", "4"),
            ("(var x := 1; (var x, y := x + 1, x; x * 10 + y))", "21"),
        ],
    );
}

#[test]
fn an_update_of_a_map_changes_one_element() {
    check(
        "",
        &[
            ("(lambda i: int :: i * 2)[21]", "42"),
            ("(lambda i: int :: i)[1 := 7][1]", "7"),
            ("(lambda i: int :: i)[1 := 7][2]", "2"),
            ("(lambda i: int :: i)[1 := 7][1 := 8][1]", "8"),
            ("(lambda i, j: int :: i - j)[5, 3]", "2"),
            ("(lambda i: int :: (lambda j: int :: i + j))[1][2]", "3"),
        ],
    );
}

#[test]
fn a_lambda_captures_the_values_of_its_environment() {
    check(
        "",
        &[(
            "(var m := (var k := 10; (lambda i: int :: i + k)); m[1])",
            "11",
        )],
    );
    assert_eq!(
        endings(
            "procedure P() { var k: int; var m: [int]int; k := 1; m := (lambda i: int :: i + k); k := 5;\nassert m[1] == 2; }"
        ),
        ["passed"]
    );
}

#[test]
fn maps_are_equal_if_all_their_elements_are() {
    check(
        "",
        &[
            ("(lambda i: int :: i) == (lambda i: int :: i + 0)", "true"),
            (
                "(lambda i: int :: i) == (lambda i: int :: i)[3 := 3]",
                "true",
            ),
            (
                "(lambda i: int :: i) == (lambda i: int :: i)[3 := 4]",
                "false",
            ),
        ],
    );
}

#[test]
fn a_map_is_printed_by_its_updates_in_the_order_of_indices() {
    assert_eq!(
        evaluate("", &["(lambda i: int :: 0)[3 := 1][-1 := 2][3 := 4]"]),
        ["[-1 -> 2, 3 -> 4]"]
    );
}

const DATATYPE: &str =
    "datatype L<a> { Nil(), Cons(h: a, t: L a) } datatype E { A(v: int), B(w: bool, v: int) }";

#[test]
fn values_of_datatypes_are_equal_by_constructor_and_fields() {
    check(
        DATATYPE,
        &[
            ("Cons(1, Nil())", "Cons(1, Nil())"),
            ("Cons(1, Nil()) == Cons(1, Nil())", "true"),
            ("Cons(1, Nil()) == Cons(2, Nil())", "false"),
            ("Cons(1, Nil()) != Nil()", "true"),
            ("Cons(1, Cons(2, Nil()))->t->h", "2"),
            ("Nil(): L int is Nil", "true"),
            ("Cons(1, Nil()) is Nil", "false"),
        ],
    );
}

#[test]
fn a_field_of_several_constructors_is_read_and_updated_in_each() {
    check(
        DATATYPE,
        &[
            ("A(1)->v", "1"),
            ("B(true, 2)->v", "2"),
            ("A(1)->(v := 5)", "A(5)"),
            ("B(true, 2)->(v := 5)", "B(true, 5)"),
            ("B(true, 2)->(w := false)", "B(false, 2)"),
        ],
    );
}

#[test]
fn the_missing_field_of_a_constructor_is_unknown() {
    // `A` has no field `w`, so that nothing is known about its value.
    assert_eq!(
        endings(&format!("{DATATYPE} procedure P() {{\nassert A(1)->w;\n}}")),
        ["failed assertion 2 at 2", "passed"]
    );
}

#[test]
fn unsupported_operations_are_named() {
    for (expression, what) in [
        ("2.0 ** 3.0 == 8.0", "`**`"),
        ("5bv8[4:4] == 0bv0", "bitvectors without bits"),
        ("|{ A: return true; }|", "code expressions"),
    ] {
        assert_eq!(
            endings(&format!("procedure P() {{\nassume {expression};\n}}")),
            [format!("undecided: unsupported {what}")],
            "{expression}"
        );
    }
}
