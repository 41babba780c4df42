//! Tests of types, constants, functions, procedures and their names.

use crate::test_support::{accepted, errors, program, rejected};

#[test]
fn names_of_one_kind_are_unique() {
    rejected(&[
        ("type A;\ntype A;", "2: type `A` is already declared"),
        (
            "type A = int;\ndatatype A { C() }",
            "2: type `A` is already declared",
        ),
        (
            "const c: int;\nvar c: int;",
            "2: variable or constant `c` is already declared",
        ),
        (
            "function f(): int;\nfunction f(): bool;",
            "2: function `f` is already declared",
        ),
        (
            "procedure P();\nprocedure P();",
            "2: procedure `P` is already declared",
        ),
        (
            "datatype A { C() }\nfunction C(): int;",
            "2: function `C` is already declared",
        ),
        (
            "datatype A { C() }\ndatatype B { C() }",
            "2: function `C` is already declared",
        ),
    ]);
}

#[test]
fn names_of_different_kinds_do_not_interfere() {
    accepted(&[
        "type a; const a: a; function a(x: a): a { x } procedure a(a: a) { assert a(a) == a; }",
    ]);
}

#[test]
fn variables_of_one_scope_are_unique() {
    rejected(&[
        (
            "procedure P(x: int,\nx: int);",
            "2: `x` is already declared",
        ),
        (
            "procedure P(x: int) returns (\nx: int);",
            "2: `x` is already declared",
        ),
        (
            "procedure P(x: int) {\nvar x: int; }",
            "2: `x` is already declared",
        ),
        (
            "function f(x: int,\nx: int): int;",
            "2: parameter `x` is already declared",
        ),
        (
            "function f(x: int) returns (\nx: int);",
            "2: `x` is already declared",
        ),
        (
            "axiom (forall x: int,\nx: int :: true);",
            "2: `x` is bound twice",
        ),
    ]);
}

#[test]
fn inner_scopes_hide_outer_names() {
    accepted(&[
        "const x: bool; axiom (forall x: int :: x == x + 0);",
        "const x: bool; procedure P(x: int) { assert (var x := 1.0; x) == 1.0; }",
        "axiom (forall x: int :: (forall x: bool :: x || !x) && x == x + 0);",
    ]);
}

#[test]
fn types_must_be_declared_with_their_arguments() {
    rejected(&[
        ("const c: T;", "1: type `T` is not declared"),
        (
            "type T a;\nconst c: T;",
            "2: type `T` takes 1 arguments, not 0",
        ),
        (
            "type T;\nconst c: T int;",
            "2: type `T` takes 0 arguments, not 1",
        ),
        (
            "type S a = a;\nconst c: S int int;",
            "2: type `S` takes 1 arguments, not 2",
        ),
        (
            "function f<a>(x: a int): int;",
            "1: type variable `a` takes no arguments",
        ),
    ]);
}

#[test]
fn predefined_types_are_recognized_by_their_names() {
    accepted(&[
        "const a: bv8; const b: bv0; const c: float24e8; const d: string; const e: regex; const f: rmode; const g: Seq int;",
        "type string; const c: string;",
    ]);
    rejected(&[
        ("const c: bv08;", "1: type `bv08` is not declared"),
        ("const c: bv;", "1: type `bv` is not declared"),
        ("const c: float24;", "1: type `float24` is not declared"),
        ("const c: bv8 int;", "1: type `bv8` is not declared"),
    ]);
}

#[test]
fn synonyms_are_expanded() {
    accepted(&[
        "type I = int; const c: I; axiom c + 1 > c;",
        "type Two a = [a]a; const c: Two int; axiom c[1] == 2;",
        "type A = B; type B = bool; const c: A; axiom c && true;",
    ]);
}

#[test]
fn a_synonym_does_not_see_the_type_variables_of_its_use() {
    rejected(&[(
        "type S = [a]int;\nfunction f<a>(x: a, s: S): int;",
        "1: type `a` is not declared",
    )]);
}

#[test]
fn a_synonym_may_not_depend_on_itself() {
    rejected(&[("type A = [int]A;", "1: type synonym `A` depends on itself")]);
    assert_eq!(errors("type A = B;\ntype B = [int]A;").len(), 2);
}

#[test]
fn type_variables_must_be_inferable() {
    rejected(&[
        (
            "function f<\na>(x: int): int;",
            "2: type variable `a` does not occur in the arguments of the function",
        ),
        (
            "procedure P<\na>(x: int);",
            "2: type variable `a` does not occur in the arguments of the procedure",
        ),
        (
            "const c: <\na>[int]int;",
            "2: type variable `a` does not occur in the indices or the element type of the map",
        ),
    ]);
    accepted(&["function f<a>(): a; procedure P<a>() returns (x: a); const c: <a>[int]a;"]);
}

#[test]
fn type_variables_of_one_scope_are_unique() {
    rejected(&[(
        "function f<a>(x: a, m: <\na>[a]int): int;",
        "2: type variable `a` is already declared",
    )]);
    let twice = errors("procedure P<a,\na>(x: a);");
    assert!(
        twice.contains(&"2: type variable `a` is already declared".into()),
        "{twice:?}"
    );
}

#[test]
fn a_definition_has_the_type_of_the_result() {
    rejected(&[
        (
            "function f(): int {\ntrue }",
            "2: the definition must be of type `int`, found `bool`",
        ),
        (
            "var g: int;\nfunction f(): int {\ng }",
            "3: global variable `g` cannot be read here",
        ),
        ("function f(): int {\ng }", "2: `g` is not declared"),
    ]);
    accepted(&["function f<a>(x: a, y: a): bool { x == y } axiom f(1, 2) || f(true, false);"]);
}

#[test]
fn axioms_are_conditions_without_a_state() {
    rejected(&[
        (
            "axiom 1;",
            "1: this axiom must be of type `bool`, found `int`",
        ),
        (
            "var g: bool;\naxiom g;",
            "2: global variable `g` cannot be read here",
        ),
        (
            "const c: bool;\naxiom old(c);",
            "2: `old` is not allowed here: there is only one state",
        ),
        (
            "const c: int uses { axiom\nc; }",
            "2: this axiom must be of type `bool`, found `int`",
        ),
        (
            "function f(): int uses { axiom\nf(); }",
            "2: this axiom must be of type `bool`, found `int`",
        ),
    ]);
}

#[test]
fn preconditions_do_not_see_results_and_the_old_state() {
    rejected(&[
        (
            "procedure P() returns (y: bool);\nrequires y;",
            "2: `y` is not declared",
        ),
        (
            "var g: bool; procedure P();\nrequires old(g);",
            "2: `old` is not allowed here: there is only one state",
        ),
        (
            "procedure P();\nrequires 1;",
            "2: this precondition must be of type `bool`, found `int`",
        ),
        (
            "procedure P();\nensures 1;",
            "2: this postcondition must be of type `bool`, found `int`",
        ),
    ]);
    accepted(&[
        "var g: bool; procedure P(x: bool) returns (y: bool); requires x && g; ensures y && old(g) && x;",
    ]);
}

#[test]
fn conditions_on_variables_are_conditions() {
    rejected(&[
        (
            "var g: int where\n1;",
            "2: this `where` clause must be of type `bool`, found `int`",
        ),
        (
            "procedure P(x: int where\nx);",
            "2: this `where` clause must be of type `bool`, found `int`",
        ),
    ]);
    accepted(&[
        "var g: int where g > h; var h: int; procedure P(x: int where x > g) returns (y: int where y > x);",
    ]);
}

#[test]
fn only_global_variables_can_be_modified() {
    rejected(&[
        (
            "const c: int;\nprocedure P(); modifies\nc;",
            "3: constant `c` cannot be modified",
        ),
        ("procedure P(); modifies\nx;", "2: `x` is not declared"),
    ]);
}

#[test]
fn pure_procedures_do_not_depend_on_the_state() {
    rejected(&[
        (
            "var g: int;\npure procedure P(); modifies g;",
            "2: a pure procedure cannot modify anything",
        ),
        (
            "var g: int;\npure procedure P(); requires g == 0;",
            "2: global variable `g` cannot be read here",
        ),
        (
            "var g: int;\npure procedure P() { g := 1; }",
            "2: global variable `g` cannot be read here",
        ),
        (
            "procedure Q();\npure procedure P() { call Q(); }",
            "2: a pure procedure can call pure procedures only",
        ),
    ]);
    accepted(&[
        "pure procedure Q(x: int) returns (y: int); pure procedure P() returns (z: int) { call z := Q(1); }",
    ]);
}

#[test]
fn a_procedure_has_at_most_one_measure() {
    rejected(&[(
        "procedure P(x: int); measure x; measure x;",
        "1: a procedure can have at most one `measure` clause",
    )]);
}

#[test]
fn implementations_repeat_the_signature_of_their_procedure() {
    rejected(&[
        ("implementation P() { }", "1: procedure `P` is not declared"),
        (
            "procedure P(x: int);\nimplementation P() { }",
            "2: the procedure has 1 parameters, not 0",
        ),
        (
            "procedure P() returns (x: int);\nimplementation P() { }",
            "2: the procedure has 1 results, not 0",
        ),
        (
            "procedure P(x: int);\nimplementation P(y: bool) { }",
            "2: one of the parameters has type `bool`, but type `int` in the procedure",
        ),
        (
            "procedure P<a>(x: a);\nimplementation P(x: int) { }",
            "2: the procedure has 1 type parameters, not 0",
        ),
    ]);
    accepted(&[
        "procedure P<a>(x: a) returns (y: a); implementation P<b>(u: b) returns (v: b) { v := u; }",
        "procedure P(); implementation P() { } implementation P() { }",
    ]);
}

#[test]
fn an_implementation_inherits_the_conditions_on_variables() {
    let all = program("procedure P(x: int where x > 0); implementation P(y: int) { }");
    let y = all.procedures[0].implementations[0].ins[0];
    let clause = all.var(y).where_clause.as_ref().expect("a condition");
    assert_eq!(crate::test_support::expr(&all, clause), "(y > 0)");
}

#[test]
fn constructors_are_functions_of_their_fields() {
    let all = program("datatype L<a> { Nil(), Cons(h: a, t: L a) }");
    let cons = all
        .functions
        .iter()
        .find(|f| &*f.name == "Cons")
        .expect("a function");
    let params: Vec<String> = cons
        .params
        .iter()
        .map(|v| all.type_text(&all.var(*v).ty))
        .collect();
    assert_eq!(
        (params, all.type_text(&cons.result)),
        (vec!["a".into(), "L a".into()], "L a".into())
    );
    assert!(cons.constructor.is_some());
}

#[test]
fn attributes_of_2019_declare_constructors_too() {
    let all = program(
        "type L; function {:constructor} Nil(): L; function {:constructor} Cons(h: int, t: L): L; procedure P(l: L) { assert l is Cons; }",
    );
    let names: Vec<&str> = all.constructors.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["Nil", "Cons"]);
}

#[test]
fn the_order_of_constants_becomes_axioms() {
    let all = program("type T; const b: T; const a: T extends b;");
    let axioms: Vec<String> = all
        .axioms
        .iter()
        .map(|a| crate::test_support::expr(&all, &a.expr))
        .collect();
    assert_eq!(axioms, ["<:<T>(a, b)"]);
}

#[test]
fn unique_constants_are_marked() {
    let all = program("const unique a, b: int; const c: int;");
    let unique: Vec<bool> = all.constants.iter().map(|v| all.var(*v).unique).collect();
    assert_eq!(unique, [true, true, false]);
}

#[test]
fn the_name_of_a_builtin_is_kept() {
    let all = program(
        "function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8; function {:builtin \"f\"} g(): int; function h(): int;",
    );
    let names: Vec<Option<&str>> = all.functions.iter().map(|f| f.builtin.as_deref()).collect();
    assert_eq!(names, [Some("bvadd"), Some("f"), None]);
}

#[test]
fn a_declaration_without_extern_supersedes_the_external_ones() {
    accepted(&[
        "const {:extern} c: bool; const c: int; axiom c == 1;",
        "function {:extern} f(): int; function {:extern} f(): int;",
        "procedure {:extern} P(x: int); procedure P(); procedure Q() { call P(); }",
        "type {:extern} T; type T = int; const c: T; axiom c == 1;",
        "var {:extern} g: bool; var g: int where g == 1;",
    ]);
}
