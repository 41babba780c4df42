//! Tests of accepted and rejected input, and of robustness.

use super::*;
use crate::ast::Decl;

fn errors(text: &str) -> Vec<String> {
    parse(0, text).1.into_iter().map(|d| d.message).collect()
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
fn parameter_names_share_a_type() {
    let (program, diagnostics) = parse(0, "function f(a, b: int, c: bool): int;");
    assert!(diagnostics.is_empty());
    let Some(Decl::Function(f)) = program.decls.first() else {
        panic!("a function")
    };
    assert_eq!(f.params.len(), 3);
    assert!(f.params.iter().all(|(name, _)| name.is_some()));
}

#[test]
fn concurrent_constructs_are_rejected() {
    let found = errors(
        "yield procedure P() { }\nprocedure Q() { par A() | B(); }\nconst c: int;\naction R() { }",
    );
    assert!(
        found.iter().all(|m| m.contains("CIVL")) && found.len() == 3,
        "{found:?}"
    );
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

#[test]
fn errors_are_located_and_the_rest_is_parsed() {
    let (program, diagnostics) = parse(
        0,
        "procedure P( ] }\nconst c: int;\naxiom (1;\nconst d: int;",
    );
    assert_eq!(diagnostics.len(), 2);
    assert_eq!(program.decls.len(), 2);
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
