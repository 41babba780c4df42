//! Tests of whole programs: rules that several declarations share.

use dafny_source::SourceMap;

/// Returns the lines of the errors, and the first message.
fn verdict(text: &str) -> (Vec<u32>, String) {
    let mut sources = SourceMap::new();
    let _ = sources.add("t.bpl", text, true);
    let (program, diagnostics) = boogie_syntax::parse(0, text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let found = crate::resolve(&program).err().unwrap_or_default();
    let line = |d: &dafny_source::diagnostic::Diagnostic| {
        d.span
            .and_then(|s| sources.line_column(s.start))
            .map_or(0, |l| l.line)
    };
    (
        found.iter().map(line).collect(),
        found
            .first()
            .map_or_else(String::new, |d| d.message.clone()),
    )
}

fn accepted(text: &str) {
    assert_eq!(verdict(text), (Vec::new(), String::new()), "{text}");
}

#[test]
fn polymorphic_maps_and_functions_are_inferred() {
    accepted(
        "type Ref; type Field a; type Heap = <a>[Ref, Field a]a; const unique f: Field int; const unique g: Field bool;
         function read<a>(h: Heap, r: Ref, x: Field a): a { h[r, x] } function none<a>(): [int]a;
         procedure P(h: Heap, r: Ref) returns (k: Heap, s: [int]Ref) {
           assert read(h, r, f) + 1 > h[r, f] && (read(h, r, g) <==> h[r, g]);
           k := h[r, f := 3][r, g := true]; s := none(); s := (lambda i: int :: if i == 0 then r else s[i]); }",
    );
    accepted(
        "axiom (forall<a> m: [a]int, x: a :: {m[x]} m[x := 1][x] == 1); axiom (forall x: bv8 :: x[8:4] ++ x[4:0] == x);",
    );
    accepted(
        "datatype List<a> { Nil(), Cons(head: a, tail: List a) }\nprocedure P(l: List int) returns (h: int, t: List int)
              { h := 0; if (l is Cons) { Cons(h, t) := l; t->head := l->head + h; } }",
    );
}

#[test]
fn type_variables_are_instantiated_in_equalities() {
    accepted("type F a; const i: F int; function Q<a>(x: F a): bool { x == i }");
    assert_eq!(
        verdict("type F a; const i: F int; const b: F bool;\naxiom i == b;").0,
        [2]
    );
}

#[test]
fn type_errors_are_reported_only_if_names_resolve() {
    assert_eq!(verdict("const c: int;\naxiom c && true;\naxiom d;").0, [3]);
    assert_eq!(
        verdict("const c: int;\naxiom c && true;").1,
        "`&&` is not defined for `int` and `bool`"
    );
}

#[test]
fn modifies_clauses_are_enforced() {
    let program = "var g: int;\nprocedure Q(); modifies g;\nprocedure P(x: int) {\ng := 1;\nx := 2;\nhavoc g;\ncall Q();\n}";
    assert_eq!(verdict(program).0, [4, 5, 6, 7]);
    assert_eq!(verdict("var g: int;\naxiom g == 0;").0, [2]);
    assert_eq!(
        verdict("var g: int;\nprocedure P();\nrequires old(g) == 0;").0,
        [3]
    );
}

#[test]
fn label_errors_come_first() {
    assert_eq!(verdict("procedure P() {\ngoto A;\nB: B: x := 1;\n}").0, [2]);
    assert_eq!(
        verdict("procedure P() {\nA: if (*) { break A; }\nwhile (*) { break; }\n}").0,
        Vec::<u32>::new()
    );
    assert_eq!(verdict("procedure P() {\nbreak;\n}").0, [2]);
}

#[test]
fn triggers_must_mention_bound_variables() {
    assert_eq!(
        verdict("function f(x: int): int;\naxiom (forall x, y: int ::\n{f(x)} f(x) == y);").0,
        [3]
    );
    assert_eq!(verdict("axiom (forall x: int ::\n{x > 0} x == x);").0, [2]);
}

#[test]
fn cyclic_synonyms_are_rejected() {
    assert_eq!(verdict("type A = B;\ntype B = [int]A;").0.len(), 2);
    accepted("type A a = [int]a; type B = A (A bool); const b: B; axiom b[1][2];");
}

#[test]
fn declarations_marked_extern_are_superseded() {
    accepted(
        "const {:extern} c: bool; const c: int; axiom c == 1; function {:extern} f(): int; function {:extern} f(): int;",
    );
}
