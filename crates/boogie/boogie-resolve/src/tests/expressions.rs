//! Tests of the types of expressions, and of ill-typed ones.

use crate::test_support::{accepted, rejected, type_of};

const DECLARATIONS: &str = "const i: int; const r: real; const b: bool; const x: bv8; const y: bv4; const m: [int]bool; const n: [int, bool]real; const f: float24e8; const p: <a>[a]a; datatype L<a> { Nil(), Cons(h: a, t: L a) } const l: L int; function id<a>(x: a): a; function none<a>(): L a;";

#[test]
fn each_form_has_its_type() {
    for (text, ty) in [
        ("1", "int"),
        ("1.5", "real"),
        ("true", "bool"),
        ("5bv8", "bv8"),
        ("0NaN24e8", "float24e8"),
        ("RNE", "rmode"),
        ("i + 1", "int"),
        ("r * r", "real"),
        ("f + f", "float24e8"),
        ("i div 2", "int"),
        ("i / 2", "real"),
        ("i / r", "real"),
        ("f / f", "float24e8"),
        ("r ** r", "real"),
        ("-i", "int"),
        ("-r", "real"),
        ("!b", "bool"),
        ("i < 2", "bool"),
        ("r >= r", "bool"),
        ("i == 2", "bool"),
        ("b <==> b", "bool"),
        ("x ++ y", "bv12"),
        ("x[8:4]", "bv4"),
        ("x[3:3]", "bv0"),
        ("int(r)", "int"),
        ("real(i)", "real"),
        ("if b then i else 1", "int"),
        ("(var z := r; z)", "real"),
        ("m[1]", "bool"),
        ("n[1, true]", "real"),
        ("m[1 := false]", "[int]bool"),
        ("p[i]", "int"),
        ("p[m]", "[int]bool"),
        ("l->h", "int"),
        ("l->t", "L int"),
        ("l->(h := 2)", "L int"),
        ("l is Cons", "bool"),
        ("Cons(true, Nil())", "L bool"),
        ("id(i)", "int"),
        ("id(id(m))", "[int]bool"),
        ("none(): L real", "L real"),
        ("(lambda j: int :: j > 0)", "[int]bool"),
        ("(lambda<a> z: a :: z)", "<a>[a]a"),
        ("(lambda j: int, k: bool :: r)", "[int, bool]real"),
        ("(forall j: int :: j > 0)", "bool"),
        ("(exists<a> z: a :: z == z)", "bool"),
    ] {
        assert_eq!(type_of(DECLARATIONS, text), ty, "{text}");
    }
}

/// Checks the only message of expressions, which stand on line 2.
fn wrong(table: &[(&str, &str)]) {
    let texts: Vec<(String, String)> = table
        .iter()
        .map(|(text, message)| {
            let body = format!("{DECLARATIONS}\naxiom (var it := {text}; true);");
            (body, format!("2: {message}"))
        })
        .collect();
    let table: Vec<(&str, &str)> = texts
        .iter()
        .map(|(t, m)| (t.as_str(), m.as_str()))
        .collect();
    rejected(&table);
}

#[test]
fn operators_reject_operands_of_other_types() {
    wrong(&[
        ("i + r", "`+` is not defined for `int` and `real`"),
        ("b + b", "`+` is not defined for `bool` and `bool`"),
        ("x + x", "`+` is not defined for `bv8` and `bv8`"),
        ("i < b", "`<` is not defined for `int` and `bool`"),
        ("i && b", "`&&` is not defined for `int` and `bool`"),
        ("b ==> 1", "`==>` is not defined for `bool` and `int`"),
        ("i == b", "`==` is not defined for `int` and `bool`"),
        (
            "m != n",
            "`!=` is not defined for `[int]bool` and `[int, bool]real`",
        ),
        ("r div r", "`div` is not defined for `real` and `real`"),
        ("r mod i", "`mod` is not defined for `real` and `int`"),
        ("b / r", "`/` is not defined for `bool` and `real`"),
        ("i ** i", "`**` is not defined for `int` and `int`"),
        ("i ++ x", "`++` is not defined for `int` and `bv8`"),
        ("!i", "`!` is not defined for `int`"),
        ("-b", "`-` is not defined for `bool`"),
        ("int(i)", "`int(…)` takes a `real`, not a `int`"),
        ("real(b)", "`real(…)` takes a `int`, not a `bool`"),
    ]);
}

#[test]
fn parts_must_fit_together() {
    wrong(&[
        (
            "if i then 1 else 2",
            "the condition must be of type `bool`, found `int`",
        ),
        (
            "if b then 1 else r",
            "the branch after `else` must be of type `int`, found `real`",
        ),
        ("i: real", "this must be of type `real`, found `int`"),
        (
            "(forall j: int :: j)",
            "the body of a quantifier must be of type `bool`, found `int`",
        ),
        ("m[b]", "this index must be of type `int`, found `bool`"),
        ("m[1, 2]", "this map takes 1 indices, not 2"),
        (
            "i[0]",
            "only maps can be indexed, and this is of type `int`",
        ),
        (
            "m[0 := 1]",
            "the new element must be of type `bool`, found `int`",
        ),
        (
            "p[i := b]",
            "the new element must be of type `int`, found `bool`",
        ),
        ("l->x", "`L int` has no field `x`"),
        (
            "i->h",
            "only datatypes have fields, and this is of type `int`",
        ),
        (
            "l->(h := true)",
            "the new value must be of type `int`, found `bool`",
        ),
        ("l is C", "`L int` has no constructor `C`"),
        (
            "Cons(1, Cons(true, Nil()))",
            "argument 2 of `Cons` must be of type `L int`, found `L bool`",
        ),
        ("id(1, 2)", "function `id` takes 1 arguments, not 2"),
        ("g(1)", "function `g` is not declared"),
        ("z", "`z` is not declared"),
        ("(var u, v := 1; u)", "2 names are bound to 1 values"),
    ]);
}

#[test]
fn literals_must_fit_in_their_types() {
    wrong(&[
        ("256bv8", "this number does not fit in 8 bits"),
        (
            "0NaN1e8",
            "significand and exponent must have at least two bits",
        ),
        (
            "0x100000.0e99f24e8",
            "this number is too large for its type",
        ),
    ]);
    accepted(&["axiom 255bv8 == 255bv8 && 0bv0 == 0bv0;"]);
}

#[test]
fn extractions_stay_within_the_bits() {
    wrong(&[
        (
            "x[9:0]",
            "an extraction up to bit 9 requires a bitvector of at least that many bits, not `bv8`",
        ),
        (
            "x[2:4]",
            "the end of a bitvector extraction is less than its start",
        ),
        (
            "i[2:1]",
            "an extraction up to bit 2 requires a bitvector of at least that many bits, not `int`",
        ),
    ]);
}

#[test]
fn values_of_a_let_do_not_see_its_names() {
    wrong(&[("(var u := u; 1)", "`u` is not declared")]);
}

#[test]
fn polymorphic_maps_are_equal_up_to_the_names_of_parameters() {
    accepted(&["const s: <a>[a]a; const t: <b>[b]b; axiom s == t;"]);
    rejected(&[(
        "const s: <a>[a]a; const t: <a>[a]int;\naxiom s == t;",
        "2: `==` is not defined for `<a>[a]a` and `<a>[a]int`",
    )]);
}

#[test]
fn a_type_variable_may_equal_any_type_in_an_equality() {
    accepted(&["function f<a>(x: a): bool { x == 1 }"]);
    rejected(&[(
        "function f<a>(x: a): bool {\nx + 1 == 2 }",
        "2: `+` is not defined for `a` and `int`",
    )]);
}

#[test]
fn errors_of_names_hide_errors_of_types() {
    rejected(&[("axiom 1;\naxiom d;", "2: `d` is not declared")]);
}

#[test]
fn one_wrong_operand_is_one_error() {
    rejected(&[(
        "axiom (1 + true) * 2 < 3 && 1 < 2;",
        "1: `+` is not defined for `int` and `bool`",
    )]);
}

#[test]
fn triggers_are_patterns_with_all_variables() {
    for (trigger, message) in [
        ("{x}", "`x` alone is not a pattern"),
        ("{f(y)}", "the trigger does not mention `x`"),
        (
            "{!p(x), f(y)}",
            "boolean operators are not allowed in triggers",
        ),
        (
            "{p(x) && p(y)}",
            "boolean operators are not allowed in triggers",
        ),
        ("{f(x) == f(y)}", "equality is not allowed in triggers"),
        (
            "{f(x) < f(y)}",
            "comparisons of numbers are not allowed in triggers",
        ),
    ] {
        let text = format!(
            "function f(z: int): int; function p(z: int): bool;\naxiom (forall x, y: int ::\n{trigger} true);"
        );
        let found = crate::test_support::errors(&text);
        assert!(
            found.contains(&format!("3: {message}")),
            "{trigger}: {found:?}"
        );
    }
    accepted(&[
        "function f(z: int): int; const m: [int]int; axiom (forall x, y: int :: {f(x), f(y)} {f(x + y)} {m[x][y := 1]: int, f(x)} true);".replace("{m[x][y := 1]: int, f(x)}", "{m[x := y]}").as_str(),
        "function f(z: int): int; axiom (forall x, y: int :: {:nopats f(x)} true);",
    ]);
}

#[test]
fn triggers_must_fix_type_variables() {
    rejected(&[(
        "type T a; function f(z: int): int; axiom (forall<a> x: int ::\n{f(x)} (exists y: T a :: y == y));",
        "2: the trigger does not mention the type `a`",
    )]);
}

#[test]
fn quantifiers_are_not_patterns() {
    rejected(&[(
        "function p(b: bool, z: int): bool; axiom (forall x: int ::\n{p((exists y: int :: y == 0), x)} true);",
        "2: quantifiers are not allowed in triggers",
    )]);
}
