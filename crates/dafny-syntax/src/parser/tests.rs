//! Tests of the parser: accepted programs, their trees, and error recovery.
#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "tests")]

use super::super::ast::{File, Span};
use super::super::erase::EraseSpans;
use super::super::printer::file_to_string;
use super::{FunctionSyntax, Options, QuantifierSyntax, parse, parse_with};
use dafny_source::diagnostic::Diagnostic;

/// Programs that contain every production of the grammar.
pub(super) const PROGRAMS: &[(&str, &str)] = &[
    ("declarations", include_str!("../programs/declarations.dfy")),
    ("statements", include_str!("../programs/statements.dfy")),
    ("expressions", include_str!("../programs/expressions.dfy")),
    ("dafny3", include_str!("../programs/dafny3.dfy")),
];

fn erased(mut file: File) -> File {
    file.erase_spans();
    file
}

/// The tree of a text without errors, and its printed form. Checks that the printed form has the
/// same tree.
#[track_caller]
pub(super) fn accepts(name: &str, text: &str) -> (File, String) {
    let options = match name {
        "dafny3" => Options {
            function_syntax: FunctionSyntax::Version3,
            ..Options::default()
        },
        _ => Options::default(),
    };
    let (file, diagnostics) = parse_with(0, text, options);
    assert_eq!(excerpts(text, &diagnostics), Vec::<String>::new(), "{name}");
    let printed = file_to_string(&file);
    let (again, diagnostics) = parse_with(0, &printed, options);
    assert_eq!(
        excerpts(&printed, &diagnostics),
        Vec::<String>::new(),
        "{name}, printed"
    );
    assert!(
        erased(file.clone()) == erased(again),
        "{name} prints as another tree:\n{printed}"
    );
    (file, printed)
}

/// Formats each diagnostic as `id at "source text": message (help)`.
pub(super) fn excerpts(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let at = |s: Span| {
        text.get(s.start as usize..s.end as usize)
            .unwrap_or("<outside>")
    };
    let one = |d: &Diagnostic| {
        let mut line = format!("{} at {:?}: {}", d.id, d.span.map_or("", at), d.message);
        for label in &d.labels {
            line += &format!(" [{:?}: {}]", at(label.span), label.message);
        }
        for note in &d.notes {
            line += &format!(" [{note}]");
        }
        if let Some(help) = &d.help {
            line += &format!(" ({help})");
        }
        line
    };
    diagnostics.iter().map(one).collect()
}

#[test]
fn every_production_parses_and_prints_back() {
    for (name, text) in PROGRAMS {
        let (_, printed) = accepts(name, text);
        let (_, twice) = accepts(name, &printed);
        assert_eq!(printed, twice, "{name}");
    }
}

#[test]
fn programs_print_as_dafny() {
    for (name, text) in PROGRAMS {
        insta::assert_snapshot!(*name, accepts(name, text).1);
    }
}

/// Parses an expression and shows the grouping of its operators by brackets around every operation.
fn grouping(text: &str) -> String {
    use super::super::ast::{Expr, ExprKind, Member, TopDecl};
    use super::super::printer::expr_to_string;
    fn show(e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(_, l, r) => {
                let whole = expr_to_string(e);
                let (left, right) = (expr_to_string(l), expr_to_string(r));
                let op = whole
                    .strip_prefix(&left)
                    .and_then(|t| t.strip_suffix(&right))
                    .unwrap_or(" ? ");
                format!("[{}{op}{}]", show(l), show(r))
            }
            ExprKind::Chain { .. } => format!("[{}]", expr_to_string(e)),
            ExprKind::Unary(_, e) => format!("[~ {}]", show(e)),
            ExprKind::As(e, ty) => format!(
                "[{} as {}]",
                show(e),
                super::super::printer::type_to_string(ty)
            ),
            ExprKind::Call { callee, args, .. } => {
                let args: Vec<_> = args.iter().map(|a| show(&a.value)).collect();
                format!("{}({})", show(callee), args.join("; "))
            }
            ExprKind::Quantifier { body, .. } => format!("[all {}]", show(body)),
            ExprKind::Lambda { body, .. } => format!("[fn {}]", show(body)),
            ExprKind::Cardinality(e) => format!("|{}|", show(e)),
            _ => expr_to_string(e),
        }
    }
    let program = format!("const c := {text}");
    match accepts(text, &program).0.decls.into_iter().next() {
        Some(TopDecl::Member(Member::Const(c))) => c.value.map_or(String::new(), |e| show(&e)),
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_group_as_in_the_manual() {
    for (text, expected) in [
        ("a <==> b <==> c", "[[a <==> b] <==> c]"),
        ("a ==> b ==> c", "[a ==> [b ==> c]]"),
        ("a <== b <== c", "[[a <== b] <== c]"),
        ("a && b && c ==> d || e", "[[[a && b] && c] ==> [d || e]]"),
        ("&& a && b", "[a && b]"),
        ("a < b == c", "[a < b == c]"),
        ("a + b - c * d % e", "[[a + b] - [[c * d] % e]]"),
        ("a + b << c >> d", "[[[a + b] << c] >> d]"),
        ("a * b & c", "[a * [b & c]]"),
        ("a & b == c", "[[a & b] == c]"),
        ("-a as int + b", "[[[~ a] as int] + b]"),
        ("!a && b", "[[~ a] && b]"),
        ("a && forall x :: b && c", "[a && [all [b && c]]]"),
        ("x => x + 1", "[fn [x + 1]]"),
        ("f(a < b, c > (d))", "f(a<b, c>(d))"),
        ("f(a < b, c > d)", "f([a < b]; [c > d])"),
        ("|a| + |b|", "[|a| + |b|]"),
        ("a as int < b", "[[a as int] < b]"),
        ("a < -b", "[a < [~ b]]"),
        ("x in s ==> y !in t", "[[x in s] ==> [y !in t]]"),
    ] {
        assert_eq!(grouping(text), expected, "{text}");
    }
}

#[test]
fn spans_cover_what_they_name() {
    use super::super::ast::{Member, TopDecl};
    let text = "module M { /** d */ method {:a} Foo(x: int) requires x > 0; { x := x + 1; } }";
    let base = 100;
    let (file, diagnostics) = parse(base, text);
    assert_eq!(diagnostics, []);
    let at = |s: Span| &text[(s.start - base) as usize..(s.end - base) as usize];
    let [TopDecl::Module(module)] = file.decls.as_slice() else {
        panic!("no module")
    };
    assert_eq!(at(module.span), text);
    let [TopDecl::Member(Member::Method(method))] = module.decls.as_slice() else {
        panic!("no method")
    };
    assert_eq!(method.modifiers.doc.as_deref(), Some(" d "));
    assert_eq!(at(method.head), "method {:a} Foo");
    assert_eq!(
        at(method.span),
        "method {:a} Foo(x: int) requires x > 0; { x := x + 1; }"
    );
    assert_eq!(at(method.spec.clauses[0].span), "requires x > 0");
    let body = method.body.as_ref().expect("a body");
    assert_eq!(at(body.stmts[0].span), "x := x + 1;");
}

#[test]
fn comments_directly_above_a_declaration_document_it() {
    use super::super::ast::{Member, TopDecl};
    let text = "// far\n\n// one\n/// two */\nmethod A()\nmethod B() // behind\nmethod C()\n/*** banner ***/\nmethod D()";
    let (file, diagnostics) = parse(0, text);
    assert_eq!(diagnostics, []);
    let docs: Vec<_> = (file.decls.iter())
        .map(|d| match d {
            TopDecl::Member(Member::Method(m)) => m.modifiers.doc.as_deref(),
            _ => panic!("no method"),
        })
        .collect();
    assert_eq!(docs, [Some("one\ntwo * / "), None, None, None]);
    // Comments at the start of a file are about the file.
    let (file, _) = parse(0, "\n// Copyright\n// one\nmethod A()");
    assert!(
        matches!(&file.decls[..], [TopDecl::Member(Member::Method(m))] if m.modifiers.doc.is_none())
    );
}

#[test]
fn errors_without_end_are_cut_off() {
    let (_, diagnostics) = parse(0, &"method M() { x = 1; }\n".repeat(1_000));
    assert_eq!(diagnostics.len(), super::MAX_ERRORS + 1);
    assert_eq!(
        diagnostics.last().map(|d| d.id),
        Some("syntax/too-many-errors")
    );
}

#[test]
fn a_range_ends_the_variables_in_version_3_only() {
    let text = "const c := f(set x | x in s, y)";
    let count = |quantifier_syntax| {
        parse_with(
            0,
            text,
            Options {
                quantifier_syntax,
                ..Options::default()
            },
        )
        .1
        .len()
    };
    assert_eq!(count(QuantifierSyntax::Version3), 0);
    let version_4 = "const c := set x <- s | x > 0, y <- t :: x + y";
    assert_eq!(parse(0, version_4).1, []);
}

/// Programs with one syntax error each, with all reported errors: their number matters.
const SYNTAX_ERRORS: &[&str] = &[
    "method M(x: int) { if x = 1 { } }",
    "method M(x: int) { assert x = 1; }",
    "method M(x: int) { if x =< 1 { } }",
    "method M(c: Color) { match c { case Red = x := 1; } }",
    "function F(c: Color): int { match c case Red -> 1 case Blue => 2 }",
    "datatype D = D(by: int)",
    "method M() { x = 5; }",
    "method M() { var x = 5; }",
    "method M() { x := 5 }",
    "method M() { x := 5\n y := 6\n if x > y { } }",
    "method M() { x := 5 y := 6; z := 7; }",
    "method M() { x := ; y := ); z := 3; }",
    "method M() { if x > 0 return; }",
    "method M() { while x > 0 { x := x - 1; }",
    "method M() { x == 5; }",
    "method M() { L: x := 5; }",
    "method M() { {:attr} x := 5; }",
    "method M() { assert a && b || c; }",
    "method M() { assert a ==> b <== c; }",
    "method M() { assert a & b | c; }",
    "method M() { assert a < b > c; }",
    "method M() { assert a != b != c; }",
    "method M() { assert a in b in c; }",
    "method M() { assert a !! b == c; }",
    "method M() { assert forall x; }",
    "method M() { print 1 + ; }",
    "method M() { var s := [1, 2; }",
    "method M() { f(1, 2; }",
    "method M() { match x { } 1 }",
    "method M() { for i := 0 until 10 { } }",
    "method M() { var (a, b) :| a == b; }",
    "method M() { new; }",
    "method M(x) { }",
    "method M(x: int := ) { }",
    "method M(x: int = 3) { }",
    "method M() returns (r: int := 3)",
    "method M() invariant x > 0",
    "method M() modifies *",
    "method M<+T>()",
    "method M[nat]()",
    "method () { }",
    "lemma L() decreases *",
    "function F(x: int) { x }",
    "function F(x: int): int modifies x { x }",
    "function F(): (ghost r: int)",
    "function F(): int { var x, y := 1; x }",
    "function F(): int { var C(x) :| x > 0; x }",
    "function F(): int { if a then b }",
    "function F(): int { }",
    "predicate P(): int",
    "greatest predicate method P()",
    "least x",
    "type T = x: int",
    "newtype N",
    "datatype D",
    "datatype D = ... A",
    "datatype D = A | { }",
    "class C { var x: int := 3 }",
    "class C { var x }",
    "class C { x: int }",
    "class C { method M() { } ",
    "var x: int",
    "module M { constructor () }",
    "module M { method A() { } } }",
    "import",
    "ghost import A",
    "static static method M()",
    "protected predicate P()",
    "const _x := 1",
    "const c := 1 ++ 2",
    "const c := a ≤ b",
    "const c := ~x",
    "const c := (a, 2 := b)",
    "const c := (a: int)",
    "const c := 1e9999999999",
    "const c := \"abc",
    "const c := *",
    "iterator I() returns (x: int)",
    "method M() { foo bar baz; x := 1; } method N() { y = 2; } function F(): int { 1 + }",
    "methd M() { } method N() { x = 1; }",
    "method M() free requires x",
    "abstract const c := 4",
    "opaque ghost static module M { }",
    "ghost least predicate P()",
    "ghost function F(): int { 1 } by method { return 1; }",
    "predicate method P(): bool { true } by method { return true; }",
    "ghost function method F(): int",
    "export provides M",
    "module M { export provides a, reveals b }",
    "module {:options x} M { }",
    "datatype D = D(nameonly int)",
    "class C { constructor () returns (r: int) }",
    "function F(): int reads a, *",
    "method M() modifies **",
    "least predicate P(n: nat) decreases n",
    "method M() { var a := new int[2, 2] [1, 2, 3, 4]; }",
    "method M() { var f := (x: object) reads ** => 3; }",
    "method M() { calc != { 1; 2; } }",
    "method M() { calc { 1; != 2; != 3; } }",
    "method M() { calc { 1; < 2; >= 3; } }",
    "method M() { calc { 1; == } }",
    "const c := s ! ! s",
    "const c := seq<int, int>(5, i => i)",
];

#[test]
fn syntax_errors_are_explained() {
    let mut report = String::new();
    for text in SYNTAX_ERRORS {
        let (_, diagnostics) = parse(0, text);
        assert!(!diagnostics.is_empty(), "no message for {text}");
        report += text;
        for line in excerpts(text, &diagnostics) {
            report += "\n  ";
            report += &line;
        }
        report += "\n\n";
    }
    insta::assert_snapshot!(report);
}

/// Programs with constructs nested or chained `n` deep, for every recursive construct of the
/// grammar.
fn deep(n: usize) -> Vec<(&'static str, String)> {
    let around = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(n), close.repeat(n))
    };
    let expr =
        |name, open: &str, close: &str| (name, format!("const c := {}", around(open, "1", close)));
    let stmt = |name, open: &str, close: &str| {
        (
            name,
            format!("method M() {{ {} }}", around(open, "x := 1;", close)),
        )
    };
    vec![
        expr("parentheses", "(", ")"),
        expr("open parentheses", "(", ""),
        expr("sequences", "[", "]"),
        expr("sets", "{", "}"),
        expr("calls", "f(", ")"),
        expr("not", "!", ""),
        expr("minus", "- ", ""),
        expr("cardinality", "|(", ")|"),
        expr("left-deep sum", "1 + ", ""),
        expr("left-deep conjunction", "a && ", ""),
        expr("left-deep equivalence", "a <==> ", ""),
        expr("implications", "a ==> ", ""),
        expr("explications", "a <== ", ""),
        expr("comparisons", "1 < ", ""),
        expr("bits", "1 & ", ""),
        expr("members", "", ".f"),
        expr("indices", "", "[0]"),
        expr("applications", "", "()"),
        expr("updates", "", "[0 := 1]"),
        expr("conversions", "", " as int"),
        expr("quantifiers", "forall x :: ", ""),
        expr("lambdas", "x => ", ""),
        expr("conditionals", "if a then b else ", ""),
        expr("conditionals inside", "if ", " then 1 else 2"),
        expr("lets", "var x := 1; ", ""),
        expr("assertions", "assert true; ", ""),
        expr("lemma calls", "f(); ", ""),
        expr("matches", "match x case _ => ", ""),
        expr("comprehensions", "set x | ", ""),
        expr("tuples", "(1, ", ")"),
        expr("less-than of names", "a<", ""),
        ("types", format!("type T = {}", around("seq<", "int", ">"))),
        (
            "arrow types",
            format!("type T = {}", around("int -> ", "int", "")),
        ),
        (
            "tuple types",
            format!("type T = {}", around("(int, ", "int", ")")),
        ),
        (
            "patterns",
            format!(
                "method M() {{ match x {{ case {} => }} }}",
                around("C(", "y", ")")
            ),
        ),
        stmt("blocks", "{", "}"),
        stmt("open blocks", "{", ""),
        stmt("ifs", "if a {", "}"),
        stmt("else ifs", "if a { } else ", ""),
        stmt("loops", "while a {", "}"),
        stmt("foralls", "forall x {", "}"),
        stmt("calculations", "calc { 1; {", "} }"),
        stmt("proofs", "assert a by {", "}"),
        stmt("labels", "label L: ", ""),
        stmt("cases", "match x case _ => ", ""),
        ("modules", around("module M {", "", "}")),
        ("comments", around("/*", "", "*/")),
        (
            "attributes",
            format!("method {} M()", around("{:a ", "1", "}")),
        ),
        ("braces", around("{", "", "}")),
        ("closing braces", around("}", "", "")),
    ]
}

fn on_a_thread_of_2_mb(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("no panic and no overflow");
}

#[test]
fn a_hundred_thousand_levels_neither_overflow_nor_take_long() {
    on_a_thread_of_2_mb(|| {
        for (name, text) in deep(100_000) {
            let started = std::time::Instant::now();
            let (file, diagnostics) = parse(0, &text);
            let flat = ["comparisons", "comments", "labels", "less-than of names"].contains(&name);
            assert!(flat || !diagnostics.is_empty(), "{name}");
            assert!(
                diagnostics.len() < 5,
                "{name}: {} messages",
                diagnostics.len()
            );
            drop(file);
            let seconds = started.elapsed().as_secs_f64();
            assert!(seconds < 2.0, "{name} took {seconds} s in a debug build");
        }
    });
}

#[test]
fn trees_of_maximum_depth_can_be_printed_visited_and_dropped() {
    on_a_thread_of_2_mb(|| {
        for (name, text) in deep(super::MAX_DEPTH as usize - 50) {
            let (mut file, _) = parse(0, &text);
            let printed = file_to_string(&file);
            let (again, _) = parse(0, &printed);
            assert_eq!(file_to_string(&again), printed, "{name}");
            file.erase_spans();
        }
    });
}

#[test]
fn a_reserved_word_in_place_of_a_name_is_explained() {
    for (text, word) in [
        ("method M() returns (opened: bool) { }", "opened"),
        ("method M() {\n  opened := true;\n}", "opened"),
        ("function F(refines: int): int { 3 }", "refines"),
        ("method M() { var int := 3; }", "int"),
        ("const c := 3 + provides", "provides"),
    ] {
        let (_, diagnostics) = parse(0, text);
        let advice = diagnostics.first().and_then(|d| d.help.clone());
        let wanted = format!("`{word}` is a reserved word and cannot be a name");
        assert_eq!(advice, Some(wanted), "{text}");
    }
    // A word on a new line begins something else.
    let (_, diagnostics) = parse(0, "method\nmethod M() { }");
    assert!(diagnostics.first().is_some_and(|d| d.help.is_none()));
    // These words are reserved in some positions only.
    let (_, diagnostics) = parse(0, "method M(least: int, older: int, hide: int) { }");
    assert!(diagnostics.is_empty());
}
