//! Tests of statements: what may be assigned, called and jumped to.

use crate::test_support::{accepted, errors, rejected};

/// Checks the only message of a body whose statements begin on line 2.
fn wrong(table: &[(&str, &str)]) {
    let declarations = "var g: int; const c: int; datatype D { C(v: int, w: bool), E() } procedure Q(a: int, b: bool) returns (x: int, y: bool); procedure N(); modifies g; procedure Id<t>(z: t) returns (r: t);";
    for (body, message) in table {
        let text = format!(
            "{declarations} procedure P(i: int) returns (o: int) {{ var k: int; var l: bool; var m: [int]int; var n: [int][int]int; var d: D;\n{body} }}"
        );
        let expected: Vec<String> = if message.is_empty() {
            Vec::new()
        } else {
            vec![format!("2: {message}")]
        };
        assert_eq!(errors(&text), expected, "{body}");
    }
}

#[test]
fn only_results_and_locals_are_assigned_without_a_clause() {
    wrong(&[
        ("o := 1; k := 2; m[1] := 2;", ""),
        ("i := 1;", "`i` cannot be assigned to"),
        ("c := 1;", "`c` cannot be assigned to"),
        (
            "g := 1;",
            "global variable `g` is modified, but no `modifies` clause allows it",
        ),
        (
            "havoc g;",
            "global variable `g` is modified, but no `modifies` clause allows it",
        ),
        ("havoc i;", "`i` cannot be assigned to"),
        ("z := 1;", "`z` is not declared"),
        (
            "call N();",
            "`N` modifies global variable `g`, but no `modifies` clause allows it",
        ),
    ]);
    accepted(&[
        "var g: int; procedure N(); modifies g; procedure P() modifies g; { g := 1; havoc g; call N(); }",
    ]);
}

#[test]
fn assigned_values_fit_their_places() {
    wrong(&[
        (
            "k := true;",
            "the assigned value must be of type `int`, found `bool`",
        ),
        (
            "m[1] := true;",
            "the assigned value must be of type `int`, found `bool`",
        ),
        (
            "m[true] := 1;",
            "this index must be of type `int`, found `bool`",
        ),
        ("n[1][2] := 3;", ""),
        (
            "n[1] := 3;",
            "the assigned value must be of type `[int]int`, found `int`",
        ),
        ("d->v := 1;", ""),
        (
            "d->w := 1;",
            "the new value must be of type `bool`, found `int`",
        ),
        (
            "k, l := 1;",
            "the left-hand side has 2 variables, the right-hand side 1 values",
        ),
        ("k, k := 1, 2;", "`k` is assigned twice in one assignment"),
        ("k, l := 1, true;", ""),
    ]);
}

#[test]
fn conditions_of_statements_are_booleans() {
    wrong(&[
        (
            "assert 1;",
            "this assertion must be of type `bool`, found `int`",
        ),
        (
            "assume 1;",
            "this assumption must be of type `bool`, found `int`",
        ),
        (
            "if (1) { }",
            "the condition must be of type `bool`, found `int`",
        ),
        (
            "while (1) { }",
            "the condition must be of type `bool`, found `int`",
        ),
        (
            "while (l) invariant 1; { }",
            "this invariant must be of type `bool`, found `int`",
        ),
        ("assert old(g) == g;", ""),
    ]);
}

#[test]
fn calls_have_the_arguments_and_results_of_the_procedure() {
    wrong(
        &[
            ("call k, l := Q(1, true);", ""),
            (
                "call k, l := Q(1);",
                "procedure `Q` takes 2 arguments, not 1",
            ),
            (
                "call k := Q(1, true);",
                "procedure `Q` returns 2 results, not 1",
            ),
            (
                "call l, k := Q(true, true);",
                "argument 1 of `Q` must be of type `int`, found `bool`",
            ),
            ("call k, k := Q(1, true);", "`k` is assigned two results"),
            ("call R();", "procedure `R` is not declared"),
            (
                "call l := Id(1);",
                "this result must be of type `bool`, found `int`",
            ),
            ("call k := Id(1);", ""),
            ("call forall R(*);", "procedure `R` is not declared"),
        ]
        .iter()
        .filter(|(b, _)| !b.starts_with("call l, k"))
        .copied()
        .collect::<Vec<_>>(),
    );
}

#[test]
fn values_are_taken_apart_by_their_constructor() {
    wrong(&[
        ("C(k, l) := d;", ""),
        ("E() := d;", ""),
        ("C(k) := d;", "constructor `C` has 2 fields, not 1"),
        ("F(k) := d;", "constructor `F` is not declared"),
        ("C(k, l) := 1;", "`int` has no constructor `C`"),
        (
            "C(l, l) := d;",
            "this field must be of type `bool`, found `int`",
        ),
    ]);
}

#[test]
fn labels_are_declared_once_and_somewhere_in_the_body() {
    wrong(&[
        ("goto A; A: return;", ""),
        ("if (*) { goto A; } while (*) { A: break; }", ""),
        ("goto A;", "label `A` is not declared"),
        ("A: k := 1; A: k := 2;", "label `A` is already declared"),
    ]);
}

#[test]
fn breaks_leave_an_enclosing_statement() {
    wrong(&[
        ("while (*) { break; }", ""),
        ("A: if (*) { break A; }", ""),
        ("A: while (*) { while (*) { break A; } }", ""),
        ("break;", "`break` without a label is allowed in loops only"),
        (
            "if (*) { break; }",
            "`break` without a label is allowed in loops only",
        ),
        (
            "A: k := 1; while (*) { break A; }",
            "no enclosing statement has the label `A`",
        ),
    ]);
}

#[test]
fn errors_of_labels_hide_errors_of_names() {
    rejected(&[(
        "procedure P() {\ngoto A;\nx := 1; }",
        "2: label `A` is not declared",
    )]);
}

#[test]
fn ids_of_statements_are_unique() {
    wrong(&[(
        "assert {:id \"a\"} true; assert {:id \"a\"} true;",
        "the id `a` is already used by another statement",
    )]);
}

#[test]
fn assumption_variables_only_become_stronger() {
    let body = |text: &str| format!("procedure P() {{ var {{:assumption}} a: bool;\n{text} }}");
    accepted(&[&body("a := a && true;")]);
    rejected(&[
        (
            &body("a := true;"),
            "2: assumption variable `a` can be assigned only `a && …`",
        ),
        (
            &body("a := a && true; a := a && true;"),
            "2: assumption variable `a` is assigned twice",
        ),
        (
            "procedure P() {\nvar {:assumption} a: int; }",
            "2: an assumption variable must be of type `bool`",
        ),
        (
            "procedure P() {\nvar {:assumption} a: bool where a; }",
            "2: an assumption variable cannot have a `where` clause",
        ),
    ]);
}

#[test]
fn attributes_that_ask_for_a_number_get_one() {
    wrong(&[
        ("assume {:minimize k} true;", ""),
        (
            "assume {:maximize l} true;",
            "this requires a single number",
        ),
    ]);
}
