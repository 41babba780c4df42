//! Tests of the grammar: the tree of each construct, rejected input, and robustness.

use super::*;
use crate::ast::{Decl, Spec};
use crate::test_support::{clause, decls, errors, expr, shape, stmt_shape, stmts, ty, type_shape};

/// Compares the tree of each text, in the notation of `test_support`.
fn check(parse: impl Fn(&str) -> String, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(parse(text), *expected, "{text}");
    }
}

/// Checks texts that have the same tree with and without parentheses or abbreviations.
fn same(table: &[(&str, &str)]) {
    for (text, other) in table {
        assert_eq!(expr(text), expr(other), "{text}");
    }
}

// Expressions.

#[test]
fn operators_bind_by_their_levels() {
    check(
        expr,
        &[
            ("a + b * c", "(a + (b * c))"),
            ("a * b + c", "((a * b) + c)"),
            ("a ++ b + c", "(a ++ (b + c))"),
            ("a < b + c", "(a < (b + c))"),
            ("a < b && c", "((a < b) && c)"),
            ("a && b ==> c", "((a && b) ==> c)"),
            ("a ==> b <==> c", "((a ==> b) <==> c)"),
            ("a * b ** c", "(a * (b ** c))"),
            ("a ** b is C", "(a ** (b is C))"),
            ("-a is C", "(-a is C)"),
            ("!a && b", "(!a && b)"),
            ("-a + b", "(-a + b)"),
            ("-a[i]", "-a[i]"),
            ("-a: int", "-(a: int)"),
        ],
    );
}

#[test]
fn operators_of_one_level_associate_to_the_left() {
    check(
        expr,
        &[
            ("a - b - c", "((a - b) - c)"),
            ("a - b + c", "((a - b) + c)"),
            ("a div b mod c", "((a div b) mod c)"),
            ("a / b * c", "((a / b) * c)"),
            ("a ++ b ++ c", "((a ++ b) ++ c)"),
            ("a <==> b <==> c", "((a <==> b) <==> c)"),
            ("a && b && c", "((a && b) && c)"),
            ("a || b || c", "((a || b) || c)"),
        ],
    );
}

#[test]
fn implication_and_power_associate_to_the_right() {
    check(
        expr,
        &[
            ("a ==> b ==> c", "(a ==> (b ==> c))"),
            ("a ** b ** c", "(a ** (b ** c))"),
        ],
    );
}

#[test]
fn a_reversed_implication_is_an_implication_from_right_to_left() {
    check(
        expr,
        &[
            ("a <== b", "(b ==> a)"),
            ("a <== b <== c", "(c ==> (b ==> a))"),
        ],
    );
}

#[test]
fn mixtures_without_parentheses_are_rejected() {
    assert_eq!(
        errors("axiom a ==> b <== c;"),
        ["1:15: `==>` and `<==` are mixed without parentheses"]
    );
    assert_eq!(
        errors("axiom a && b || c;"),
        ["1:14: expected `;`, found `||`"]
    );
    assert_eq!(
        errors("axiom a < b < c;"),
        ["1:13: expected `;`, found `<`"]
    );
    assert_eq!(expr("(a && b) || c"), "((a && b) || c)");
}

#[test]
fn each_relation_is_an_operator() {
    for op in ["==", "!=", "<", "<=", ">", ">=", "<:"] {
        assert_eq!(expr(&format!("a {op} b")), format!("(a {op} b)"));
    }
}

#[test]
fn literals_have_their_values() {
    check(
        expr,
        &[
            ("true", "true"),
            ("false", "false"),
            ("007", "7"),
            (
                "340282366920938463463374607431768211456",
                "340282366920938463463374607431768211456",
            ),
            ("1.50", "3/2r"),
            ("25e-1", "5/2r"),
            ("2.5e3", "2500r"),
            ("5bv8", "5bv8"),
            ("0NaN24e8", "0NaN24e8"),
            ("0x1.0e3f24e8", "0x1.0e3f24e8"),
            ("RNE", "RNE"),
            ("roundTowardZero", "roundTowardZero"),
            ("\"a\"", "\"a\""),
        ],
    );
}

#[test]
fn exponents_and_widths_are_bounded() {
    assert_eq!(
        errors("axiom 1e99999 == x;"),
        ["1:7: exponents beyond 10000 are not supported"]
    );
    assert_eq!(
        errors("axiom 1bv99999999999 == x;"),
        ["1:7: this width is too large"]
    );
}

#[test]
fn maps_are_read_and_updated_by_brackets() {
    check(
        expr,
        &[
            ("m[i]", "m[i]"),
            ("m[]", "m[]"),
            ("m[i, j]", "m[i, j]"),
            ("m[i][j]", "m[i][j]"),
            ("m[i := v]", "m[i := v]"),
            ("m[i, j := v][k]", "m[i, j := v][k]"),
            ("m[ := v]", "m[ := v]"),
        ],
    );
}

#[test]
fn bits_are_extracted_by_literal_bounds_only() {
    assert_eq!(expr("x[8:4]"), "x[8:4]");
    assert_eq!(expr("x[8:4][2:0]"), "x[8:4][2:0]");
    assert_eq!(
        errors("axiom x[i:2];"),
        ["1:9: the bounds of a bitvector extraction must be integer literals"]
    );
}

#[test]
fn a_colon_coerces_to_a_type() {
    check(
        expr,
        &[
            ("x: int", "(x: int)"),
            ("x: int: real", "((x: int): real)"),
            ("f(x: int, y)", "f((x: int), y)"),
        ],
    );
}

#[test]
fn datatype_values_have_fields_updates_and_tests() {
    check(
        expr,
        &[
            ("d->f", "d->f"),
            ("d->f->g[0]", "d->f->g[0]"),
            ("d->(f := 1)", "d->(f := 1)"),
            ("d->(f := 1)->g", "d->(f := 1)->g"),
            ("d->f is C", "(d->f is C)"),
        ],
    );
}

#[test]
fn keywords_with_parentheses_are_not_functions() {
    check(
        expr,
        &[
            ("old(g)", "old(g)"),
            ("int(r)", "int(r)"),
            ("real(i)", "real(i)"),
            ("f()", "f()"),
            ("f(old(g), real(1))", "f(old(g), real(1))"),
        ],
    );
    assert_eq!(errors("axiom old g;"), ["1:11: expected `(`, found `g`"]);
}

#[test]
fn the_branch_of_a_conditional_extends_to_the_right() {
    check(
        expr,
        &[
            ("if c then a else b + 1", "(if c then a else (b + 1))"),
            (
                "if c then a else if d then b else e",
                "(if c then a else (if d then b else e))",
            ),
            ("(if c then a else b) + 1", "((if c then a else b) + 1)"),
        ],
    );
    assert_eq!(
        errors("axiom if c then a;"),
        ["1:18: expected `else`, found `;`"]
    );
}

#[test]
fn a_let_binds_several_names() {
    assert_eq!(
        expr("(var x, y := 1, 2; x + y)"),
        "(var x, y := 1, 2; (x + y))"
    );
}

#[test]
fn binders_have_variables_types_and_triggers() {
    check(
        expr,
        &[
            ("(forall x: int :: p(x))", "(forall x: int :: p(x))"),
            (
                "(exists x, y: int :: x < y)",
                "(exists x: int, y: int :: (x < y))",
            ),
            (
                "(lambda x: int, b: bool :: b)",
                "(lambda x: int, b: bool :: b)",
            ),
            ("(forall<a> x: a :: p(x))", "(forall<a> x: a :: p(x))"),
            ("(forall<a> :: true)", "(forall<a>  :: true)"),
            (
                "(forall x: int :: {f(x), g(x)} {h(x)} p(x))",
                "(forall x: int :: {f(x), g(x)} {h(x)} p(x))",
            ),
            (
                "(forall x: int :: {:nopats f(x)} p(x))",
                "(forall x: int :: {not f(x)} p(x))",
            ),
            (
                "(forall x: int :: {:weight 3} p(x))",
                "(forall x: int :: p(x))",
            ),
            ("(∀ x: int • p(x))", "(forall x: int :: p(x))"),
        ],
    );
}

#[test]
fn the_body_of_a_binder_extends_to_the_parenthesis() {
    same(&[(
        "(forall x: int :: p(x) ==> q(x) && r(x))",
        "(forall x: int :: (p(x) ==> (q(x) && r(x))))",
    )]);
}

#[test]
fn binders_reject_conditions_and_misplaced_triggers() {
    assert_eq!(
        errors("axiom (forall x: int where x > 0 :: true);"),
        ["1:32: bound variables cannot have a `where` clause"]
    );
    assert_eq!(
        errors("axiom (lambda x: int :: {f(x)} x) == m;"),
        ["1:25: a lambda cannot have triggers"]
    );
    assert_eq!(
        errors("axiom (forall x: int :: {:nopats \"a\"} true);"),
        ["1:25: `:nopats` takes one expression"]
    );
}

#[test]
fn a_code_expression_contains_statements() {
    assert_eq!(
        expr("|{ A: goto A; return x > 0; }|"),
        "|{ A:, goto A;, return (x > 0); }|"
    );
}

#[test]
fn an_escaped_keyword_is_a_name() {
    assert_eq!(expr("\\old + \\int"), "(old + int)");
}

// Types.

#[test]
fn the_arguments_of_a_type_are_atoms() {
    check(
        ty,
        &[
            ("int", "int"),
            ("T", "T"),
            ("bv8", "bv8"),
            ("Pair int bool", "Pair int bool"),
            ("Pair A B", "Pair A B"),
            ("Seq (Seq int)", "Seq (Seq int)"),
            ("(int)", "int"),
        ],
    );
}

#[test]
fn a_map_type_extends_to_the_right() {
    check(
        ty,
        &[
            ("[int]bool", "[int]bool"),
            ("[int, bool]T", "[int, bool]T"),
            ("[int][int]bool", "[int][int]bool"),
            ("[]int", "[]int"),
            ("<a>[Field a]a", "<a>[Field a]a"),
            ("Seq [int]T", "Seq [int]T"),
        ],
    );
    assert_eq!(
        errors("const c: [int];"),
        ["1:15: expected a type, found `;`"]
    );
}

// Statements.

#[test]
fn each_simple_statement_is_parsed() {
    for text in [
        "assert x;",
        "assume x;",
        "havoc x, y;",
        "x := 1;",
        "x, y := y, x;",
        "m[i] := 1;",
        "m[i, j][k] := 1;",
        "d->f := 1;",
        "m[i]->f, x := 1, 2;",
        "C(x, y) := e;",
        "C() := e;",
        "call P();",
        "call P(1, x);",
        "call x := P();",
        "call x, y := P(1);",
        "free call P();",
        "call forall L(*, 1);",
        "goto A, B;",
        "A:",
        "break;",
        "break A;",
        "return;",
    ] {
        assert_eq!(stmts(text), [text]);
    }
}

#[test]
fn branches_and_loops_nest() {
    check(
        |text| stmts(text).join(" "),
        &[
            ("if (c) { x := 1; }", "if (c) { x := 1; }"),
            (
                "if (*) { } else { x := 1; }",
                "if (*) {  } else { x := 1; }",
            ),
            (
                "if (c) { } else if (d) { } else { return; }",
                "if (c) {  } else { if (d) {  } else { return; } }",
            ),
            ("while (*) { break; }", "while (*) { break; }"),
            (
                "while (c) invariant p; free invariant q; { }",
                "while (c) invariant p; free invariant q; {  }",
            ),
        ],
    );
}

#[test]
fn hints_to_the_verifier_are_kept_as_one_statement() {
    assert_eq!(
        stmts("hide f; hide *; reveal f; push; pop; measure x;"),
        ["hint;"; 6]
    );
}

#[test]
fn the_words_of_hints_are_names_before_an_assignment() {
    assert_eq!(
        stmts("push := 1; hide[0] := 1; measure, x := 1, 2;").len(),
        3
    );
    assert_eq!(stmts("reveal: hide := 1;"), ["reveal:", "hide := 1;"]);
}

#[test]
fn attributes_of_statements_are_kept() {
    let text = "procedure P() { assert {:id \"a\", 1} {:focus} x; }";
    let [Decl::Procedure(p)] = &decls(text)[..] else {
        panic!("a procedure")
    };
    let stmt = &p.body.as_ref().unwrap().stmts[0];
    let attribute = |a: &Attribute| {
        let args: Vec<String> = a.args.iter().map(shape).collect();
        format!("{}({})", a.name.name, args.join(", "))
    };
    let attributes: Vec<String> = stmt.attributes.iter().map(attribute).collect();
    assert_eq!(attributes, ["id(\"a\", 1)", "focus()"]);
    assert_eq!(stmt_shape(stmt), "assert x;");
}

#[test]
fn triggers_are_rejected_where_only_attributes_are_allowed() {
    let message = "a trigger is not allowed here, only attributes are";
    assert_eq!(errors("axiom {f(1)} true;"), [format!("1:7: {message}")]);
    assert_eq!(
        errors("axiom {:nopats f(1)} true;"),
        [format!("1:9: {message}")]
    );
}

#[test]
fn statements_report_what_was_expected() {
    for (body, message) in [
        ("x = 1;", "1:19: expected `:=`, found `=`"),
        ("assert ;", "1:24: expected an expression, found `;`"),
        ("call ;", "1:22: expected a name, found `;`"),
        ("havoc 1;", "1:23: expected a name, found `1`"),
        ("if c { }", "1:20: expected `(`, found `c`"),
        (
            "while (c) invariant { }",
            "1:37: a trigger is not allowed here, only attributes are",
        ),
        ("goto;", "1:21: expected a name, found `;`"),
        ("1;", "1:17: expected a statement, found `1`"),
        ("x := 1", "1:24: expected `;`, found `}`"),
    ] {
        let found = errors(&format!("procedure P() {{ {body} }}"));
        assert_eq!(found.first().map(String::as_str), Some(message), "{body}");
    }
}

#[test]
fn an_unfinished_body_ends_with_the_file() {
    assert_eq!(
        errors("procedure P() { x := 1;"),
        ["1:24: expected `}`, found the end of the file"]
    );
}

// Declarations.

#[test]
fn type_declarations_have_parameters_and_definitions() {
    let shown = |d: &Decl| match d {
        Decl::Type(t) => {
            let params: String = t.params.iter().map(|p| format!(" {}", p.name)).collect();
            let body = t
                .body
                .as_ref()
                .map_or(String::new(), |b| format!(" = {}", type_shape(b)));
            format!("{}{params}{body}", t.name.name)
        }
        other => panic!("{other:?}"),
    };
    let all: Vec<String> =
        decls("type A; type B a b; type C a = [a]B a int; type D, E; type finite F;")
            .iter()
            .map(shown)
            .collect();
    assert_eq!(all, ["A", "B a b", "C a = [a]B a int", "D", "E", "F"]);
}

#[test]
fn constants_may_be_unique_ordered_and_defined() {
    let text = "const unique a, b: int; const c: T extends a, unique b complete; const d: int uses { axiom d == 1; axiom true; }";
    let shown = |d: &Decl| match d {
        Decl::Const(c) => (
            c.names.len(),
            c.unique,
            c.parents.as_ref().map(Vec::len),
            c.uses.len(),
        ),
        other => panic!("{other:?}"),
    };
    let all: Vec<_> = decls(text).iter().map(shown).collect();
    assert_eq!(
        all,
        [
            (2, true, None, 0),
            (1, false, Some(2), 0),
            (1, false, None, 2)
        ]
    );
}

#[test]
fn a_constant_that_extends_nothing_is_below_nothing() {
    let [Decl::Const(c)] = &decls("const c: T extends;")[..] else {
        panic!("a constant")
    };
    assert_eq!(c.parents.as_ref().map(Vec::len), Some(0));
}

/// Returns the signature of a function.
fn signature(text: &str) -> String {
    let all = decls(text);
    let [Decl::Function(f)] = &all[..] else {
        panic!("{text}")
    };
    let param = |(name, ty): &(Option<Ident>, crate::ast::Type)| match name {
        Some(name) => format!("{}: {}", name.name, type_shape(ty)),
        None => type_shape(ty),
    };
    let params: Vec<String> = f.params.iter().map(param).collect();
    let body = f
        .body
        .as_ref()
        .map_or(String::new(), |b| format!(" {{ {} }}", shape(b)));
    format!(
        "{}({}): {}{body}",
        f.name.name,
        params.join(", "),
        type_shape(&f.result)
    )
}

#[test]
fn parameters_of_functions_may_lack_names_or_share_types() {
    check(
        signature,
        &[
            ("function f(): int;", "f(): int"),
            ("function f(int, bool): int;", "f(int, bool): int"),
            (
                "function f(x: int, b: bool): int;",
                "f(x: int, b: bool): int",
            ),
            (
                "function f(a, b: int, c: bool): int;",
                "f(a: int, b: int, c: bool): int",
            ),
            ("function f(x: int) returns (bool);", "f(x: int): bool"),
            ("function f(x: int) returns (r: bool);", "f(x: int): bool"),
            (
                "function f(x: int): int { x + 1 }",
                "f(x: int): int { (x + 1) }",
            ),
            ("revealed function f(x: int): int;", "f(x: int): int"),
        ],
    );
}

#[test]
fn malformed_parameters_are_located() {
    for (text, message) in [
        (
            "function f(a: int, b): int;",
            "1:20: the type of the last parameter is missing",
        ),
        (
            "function f(int, b: bool): int;",
            "1:12: expected the name of a parameter",
        ),
        (
            "function f(int: bool): int;",
            "1:12: expected a name before `:`",
        ),
        ("function f(x: int);", "1:19: expected `:`, found `;`"),
        (
            "function f(x: int): int",
            "1:24: expected `;`, found the end of the file",
        ),
    ] {
        assert_eq!(errors(text), [message], "{text}");
    }
}

#[test]
fn attributes_of_definitions_exclude_each_other() {
    assert_eq!(
        errors("function {:inline} {:define} f(): int { 1 }"),
        ["1:43: a function can have at most one of `:inline` and `:define`"]
    );
    assert_eq!(
        errors("function {:define} f<a>(x: a): int { 1 }"),
        ["1:20: a function with `:define` cannot have type parameters"]
    );
}

#[test]
fn axioms_of_functions_are_kept_with_them() {
    let [Decl::Function(f)] =
        &decls("function f(): int { 1 } uses { axiom f() == 1; hideable axiom true; }")[..]
    else {
        panic!("a function")
    };
    assert_eq!(f.uses.len(), 2);
}

#[test]
fn a_contract_is_a_list_of_clauses() {
    let text = "procedure P(x: int) returns (y: int); requires x > 0; free requires q; modifies g, h; ensures y > x; free ensures r; modifies; measure x, y;";
    let all = decls(text);
    let [Decl::Procedure(p)] = &all[..] else {
        panic!("a procedure")
    };
    let shown = |s: &Spec| match s {
        Spec::Requires(c) => clause("requires", c),
        Spec::Ensures(c) => clause("ensures", c),
        Spec::Modifies(names) => format!("modifies {}", names.len()),
        Spec::Measure(es) => format!("measure {}", es.len()),
    };
    let specs: Vec<String> = p.specs.iter().map(shown).collect();
    assert_eq!(
        specs,
        [
            "requires (x > 0)",
            "free requires q",
            "modifies 2",
            "ensures (y > x)",
            "free ensures r",
            "modifies 0",
            "measure 2"
        ]
    );
    assert!(p.body.is_none());
}

#[test]
fn a_body_follows_the_contract_unless_a_semicolon_ends_the_header() {
    let all = decls(
        "procedure P() requires true; { } procedure Q(); requires true; pure procedure R() { }",
    );
    let shown = |d: &Decl| match d {
        Decl::Procedure(p) => (p.body.is_some(), p.pure),
        other => panic!("{other:?}"),
    };
    let found: Vec<_> = all.iter().map(shown).collect();
    assert_eq!(found, [(true, false), (false, false), (true, true)]);
}

#[test]
fn conditions_on_variables_are_allowed_where_values_are_arbitrary() {
    assert!(errors("var x, y: int where x > y; procedure P(a: int where a > 0) returns (b: int where b > a) { var c: int where c > 0; }").is_empty());
    for (text, message) in [
        (
            "implementation P(a: int where a > 0) { }",
            "1:35: the parameters of an implementation cannot have a `where` clause",
        ),
        (
            "datatype D { C(a: int where true) }",
            "1:29: the fields of a constructor cannot have a `where` clause",
        ),
    ] {
        assert_eq!(errors(text), [message]);
    }
}

#[test]
fn datatypes_list_constructors_with_fields() {
    let [Decl::Datatype(d)] = &decls("datatype L<a> { Nil(), Cons(h: a, t: L a) }")[..] else {
        panic!("a datatype")
    };
    let shown: Vec<(&str, usize)> = d
        .constructors
        .iter()
        .map(|(n, f)| (&*n.name, f.len()))
        .collect();
    assert_eq!(shown, [("Nil", 0), ("Cons", 2)]);
    assert_eq!(
        errors("datatype D { C(), C() }"),
        ["1:19: constructor `C` is declared twice"]
    );
}

#[test]
fn both_generations_of_the_language_are_parsed() {
    let old = "type finite T; const unique a: T extends b complete; function f<a>(x, y: a) returns (r: bool); axiom a <: b;\n\
               procedure P(); implementation P() { call forall L(*, 1); goto A, B; A: return; B: havoc x; }";
    assert_eq!(errors(old), Vec::<String>::new());
    let new = "datatype L<a> { Nil(), Cons(h: a, t: L a) } function {:inline} g(l: L int): int uses { axiom true; }\n\
               pure procedure Q(l: L int) returns (n: int) { assert {:id \"a\"} l is Cons && l->h == (var z := 1; z); push; pop; hide *; n := l->(h := 2)->h; }";
    assert_eq!(errors(new), Vec::<String>::new());
}

#[test]
fn a_loop_has_at_most_one_measure() {
    assert_eq!(
        errors("procedure P() { while (c) measure x; measure y; { } }"),
        ["1:38: a loop can have at most one `measure` clause"]
    );
}

// Errors and robustness.

#[test]
fn concurrent_constructs_are_rejected() {
    let found = errors(
        "yield procedure P() { }\nprocedure Q() { par A() | B(); }\nconst c: int;\naction R() { }\nprocedure S() { call A() | B(); }",
    );
    let concurrent = |place: &str, word: &str| {
        format!(
            "{place}: `{word}` belongs to Boogie's concurrent extension (CIVL), which is not supported"
        )
    };
    assert_eq!(
        found,
        [
            concurrent("1:1", "yield"),
            concurrent("2:17", "par"),
            concurrent("4:1", "action"),
            concurrent("5:26", "|"),
        ]
    );
}

#[test]
fn parsing_continues_with_the_declaration_on_the_next_line() {
    let text = "procedure P( ] }\nconst c: int;\naxiom (1;\nconst d: int;";
    let (program, diagnostics) = parse(0, text);
    assert_eq!(diagnostics.len(), 2);
    let names: Vec<String> = program
        .decls
        .iter()
        .map(|d| match d {
            Decl::Const(c) => c.names[0].name.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["c", "d"]);
}

#[test]
fn a_word_inside_a_broken_body_does_not_begin_a_declaration() {
    let (program, diagnostics) = parse(0, "procedure P() { x := (var const }\nconst d: int;");
    assert_eq!((program.decls.len(), diagnostics.len()), (1, 1));
}

#[test]
fn texts_that_are_no_tokens_are_errors() {
    for text in [
        "axiom 1bv99999999999 == 1bv1;",
        "axiom 1e99999999999 == 0.0;",
        "\"abc",
        "/* /* */",
        "axiom x[1:2",
        "∀§",
        "axiom a ==> b <== c;",
    ] {
        assert!(!errors(text).is_empty(), "{text}");
    }
}

#[test]
fn a_bad_token_is_reported_once() {
    assert_eq!(errors("axiom § ;"), ["1:7: unexpected character"]);
}

#[test]
fn the_number_of_errors_is_bounded() {
    let text = "axiom ;\n".repeat(10 * MAX_ERRORS);
    assert_eq!(errors(&text).len(), MAX_ERRORS);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for text in [
        format!("axiom {}true{};", "(".repeat(50_000), ")".repeat(50_000)),
        format!("axiom {}true;", "!".repeat(50_000)),
        format!("axiom 0 == 0{};", " + 1".repeat(50_000)),
        format!("var x: {}int;", "[int]".repeat(50_000)),
        format!("procedure P() {{ {} }}", "if (*) {".repeat(50_000)),
    ] {
        assert_eq!(errors(&text).len(), 1, "{}", text.get(..30).unwrap_or(""));
    }
}
