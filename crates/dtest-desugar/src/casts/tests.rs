//! Tests of the implicit conversions between newtypes and traits that the pass makes explicit.

use super::explicit_newtypes;
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    Callable, Expr, ExprKind, FieldKind, GeneralTraits, Options, Program, TypeDeclKind,
};
use dafny_source::SourceMap;

struct Conversions<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    found: Vec<String>,
}

impl<'t> Visit<'t> for Conversions<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Convert(inner) = &e.kind {
            let (from, to) = (
                self.program.show_type(&inner.ty),
                self.program.show_type(&e.ty),
            );
            self.found
                .push(format!("{}: {from} -> {to}", self.sources.text(e.span)));
        }
        visit::walk_expr(self, e);
    }
}

/// The conversions in a program after those of newtypes are inserted, in the order of its
/// declarations.
fn conversions(source: &str) -> Vec<String> {
    let options = Options {
        type_system_refresh: true,
        general_newtypes: true,
        general_traits: GeneralTraits::Full,
        ..Options::default()
    };
    let (sources, program, diagnostics) = dafny_resolve::resolve_text("t.dfy", source, options);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    let program = explicit_newtypes(&program);
    let again = explicit_newtypes(&program);
    let written = written(&program, &sources);
    assert_eq!(
        written,
        self::written(&again, &sources),
        "what is explicit stays as it is"
    );
    written
}

fn written(program: &Program, sources: &SourceMap) -> Vec<String> {
    let mut found = Conversions {
        program,
        sources,
        found: Vec::new(),
    };
    program
        .callables
        .iter()
        .for_each(|c: &Callable| visit::walk_callable(&mut found, c));
    for f in &program.fields {
        if let FieldKind::Const(Some(e)) = &f.kind {
            found.expr(e);
        }
    }
    for t in &program.types {
        if let TypeDeclKind::Subset(c) = &t.kind {
            c.constraint.iter().for_each(|e| found.expr(e));
        }
    }
    found.found
}

const DECLARED: &str = "trait T { const k: int := 3 function F(): int function G(): int { F() } }
    newtype N extends T = int { function F(): int { 1 } }
    class C { var t: T constructor (t: T) { this.t := t; } }
    datatype O<+X> = Some(x: X)\n";

fn of(source: &str) -> Vec<String> {
    conversions(&format!("{DECLARED}{source}"))
}

#[test]
fn a_newtype_is_cast_to_a_trait_when_assigned_passed_returned_and_stored() {
    assert_eq!(
        of("method M(n: N) returns (t: T) { t := n; }"),
        ["n: N -> T"]
    );
    assert_eq!(
        of("method M(n: N) { var c := new C(n); c.t := n; }"),
        ["n: N -> T", "n: N -> T"]
    );
    assert_eq!(
        of("function F(b: bool, n: N, t: T): T { if b then n else t }"),
        ["n: N -> T"]
    );
    assert_eq!(
        of("function F(n: N, t: T): seq<T> { [n, t] }"),
        ["n: N -> T"]
    );
    assert_eq!(
        of("function F(n: N): int { H(n) } function H(t: T): int { t.F() }"),
        ["n: N -> T"]
    );
    assert_eq!(
        of("const c: T := 3 as N"),
        ["3 as N: N -> T", "3 as N: int -> N"]
    );
    assert_eq!(
        of(
            "method M(n: N) returns (t: T) { t := P(n); } method P(n: N) returns (m: N) { m := n; }"
        ),
        ["t := P(n);: N -> T"]
    );
}

#[test]
fn containers_of_newtypes_become_containers_of_traits() {
    assert_eq!(
        of("function F(s: seq<N>): int { H(s) } function H(s: seq<T>): int { |s| }"),
        ["s: seq<N> -> seq<T>"]
    );
    assert_eq!(of("function F(o: O<N>): O<T> { o }"), ["o: O<N> -> O<T>"]);
    assert_eq!(
        of("function F(): int -> T { (i: int) => i as N }"),
        ["i as N: N -> T", "i as N: int -> N"]
    );
}

#[test]
fn function_values_convert_their_arguments_and_results() {
    assert_eq!(of("function F(f: int -> N): int -> T { f }"), ["f: N -> T"]);
    assert_eq!(
        of("function F(f: T -> N): N -> T { f }"),
        ["f: N -> T", "f: N -> T"]
    );
    assert_eq!(
        of("function F(f: int --> N): int --> T { f }"),
        ["f: int --> N -> int --> T"]
    );
}

#[test]
fn receivers_of_trait_members_are_cast_to_the_trait() {
    assert_eq!(
        of("function H(n: N): int { n.F() }"),
        [""; 0],
        "the newtype's own"
    );
    assert_eq!(of("function H(n: N): int { n.G() }"), ["n: N -> T"]);
    assert_eq!(of("function H(n: N): int { n.k }"), ["n: N -> T"]);
    // A value of a type parameter has no members of its bound.
    assert_eq!(
        of("method M<X extends T>(x: X) { var t: T := x; var i := t.F(); }"),
        ["x: X -> T"]
    );
}

#[test]
fn ghost_code_and_comparisons_count_too() {
    assert_eq!(
        of("method M(n: N, t: T) requires t == n { assert n == t; }"),
        ["n: N -> T", "n: N -> T"]
    );
    assert_eq!(
        of(
            "method M(n: N, ghost s: set<T>) { assert n in s; while true invariant n.G() == 1 { } }"
        ),
        ["n: N -> T", "n: N -> T"]
    );
    assert_eq!(
        of("method M(t: T) { var n := t as N; }"),
        ["t as N: T -> N"]
    );
}

#[test]
fn a_program_without_newtypes_that_extend_traits_is_unchanged() {
    let (_, program, _) = dafny_resolve::resolve_text(
        "t.dfy",
        "trait T { } class C extends T { } method M(c: C) { var t: T := c; }",
        Options::default(),
    );
    assert!(matches!(
        explicit_newtypes(&program),
        std::borrow::Cow::Borrowed(_)
    ));
}
