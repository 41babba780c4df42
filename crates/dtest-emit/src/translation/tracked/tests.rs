use crate::{Placement, Translation, translate, translate_erased};
use dafny_resolve::typed::{Options, Program};
use dafny_source::SourceMap;

/// Resolves a program and translates it with `how`.
fn translated(
    source: &str,
    how: fn(&Program, &SourceMap, &Placement) -> Translation,
) -> Translation {
    let (sources, program, diagnostics) =
        dafny_resolve::resolve_text("test.dfy", source, Options::default());
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    let translation = how(
        &program,
        &sources,
        &Placement::single("lib.rs", "crate", ""),
    );
    assert_eq!(translation.unsupported, vec![]);
    translation
}

fn text(translation: &Translation) -> String {
    translation
        .files
        .iter()
        .map(|(_, text)| text.as_str())
        .collect()
}

/// Checks that the translation contains all of `there` and nothing of `not_there`.
fn check(source: &str, there: &[&str], not_there: &[&str]) {
    let translation = translated(source, translate);
    let text = text(&translation);
    assert_eq!(translation.clauses, Default::default());
    for part in there {
        assert!(text.contains(part), "without `{part}`:\n{text}");
    }
    for part in not_there {
        assert!(!text.contains(part), "with `{part}`:\n{text}");
    }
}

#[test]
fn ghost_state_that_no_clause_reads_is_left_out() {
    let source = "class C { var n: int ghost var log: seq<int> method M() modifies this { n := 1; log := log + [n]; } }";
    let (kept, erased) = (
        translated(source, translate),
        translated(source, translate_erased),
    );
    assert_eq!(text(&kept), text(&erased));
    assert!(!text(&kept).contains("log"), "{}", text(&kept));
}

#[test]
fn a_field_that_a_clause_reads_is_kept_with_its_assignments() {
    check(
        "class C { var n: int ghost var log: seq<int> ghost var other: int
           method M() modifies this ensures log == old(log) + [n] { n := 1; log := log + [n]; other := 2; } }",
        &["pub log: Field<Seq<Int>>", "this.log.set("],
        &["other"],
    );
}

#[test]
fn a_field_is_read_by_way_of_functions() {
    check(
        "class C { var n: int ghost var Repr: set<object>
           ghost predicate Valid() reads this { this in Repr }
           constructor () ensures Valid() { n := 0; Repr := {this}; } }",
        &["pub repr: Field<Set<AnyObject>>", "this.repr.set("],
        // A function that only clauses call is in the suite.
        &["fn valid("],
    );
}

#[test]
fn variables_conditions_and_parameters_that_an_assignment_needs_are_kept() {
    check(
        "class C { ghost var g: int
           method M(ghost p: int, ghost spare: int) modifies this ensures g >= 0
           { ghost var d := p * 2; ghost var lost := spare; if d > 3 { g := d; } else { g := 0; } }
           method N() modifies this { M(7, 8); } }",
        &[
            "pub fn m(this: &Ref<C>, p: &Int)",
            "if d > 3",
            "this.g.set(",
            "C::m(this, &int(7))",
        ],
        &["spare", "lost"],
    );
}

#[test]
fn ghost_loops_are_kept_with_their_jumps() {
    check(
        "class C { ghost var g: int
           method M() modifies this ensures g == 3
           { g := 0; ghost var i := 0; while i < 10 { if i == 3 { break; } g := g + 1; i := i + 1; } } }",
        &["break", "this.g.set("],
        &[],
    );
}

#[test]
fn ghost_methods_with_effects_are_kept_and_lemmas_are_not() {
    check(
        "class C { ghost var g: int
           ghost method Set(x: int, y: int) modifies this { if y > 100 { } g := x; }
           lemma Nothing() { }
           method M() modifies this ensures g == 3 { Nothing(); Set(3, 4); } }",
        &[
            "pub fn set(this: &Ref<C>, x: &Int)",
            "C::set(this, &int(3))",
        ],
        &["nothing", "y: &Int"],
    );
}

#[test]
fn a_ghost_result_that_a_clause_reads_is_kept() {
    check(
        "method M(x: int) returns (r: int, ghost twice: int, ghost lost: int) ensures twice == 2 * r { r := x; twice := x + x; lost := 1; }
         method N() { var r, t, l := M(3); }",
        &["pub fn m(x: &Int) -> (Int, Int)"],
        &["lost"],
    );
}

#[test]
fn a_field_whose_assignment_cannot_be_executed_is_not_kept_and_the_clause_says_why() {
    let source = "class C { var n: int ghost var g: bool ghost var h: int
           method M() modifies this ensures g ensures h == 1 { g := forall x: int :: x * 0 == n; h := 1; } }";
    let translation = translated(source, translate);
    let reasons: Vec<String> = translation
        .clauses
        .values()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        ["the ghost field `g`: a quantifier without an upper bound"]
    );
    let text = text(&translation);
    assert!(
        text.contains("this.h.set(int(1))") && !text.contains("pub g:"),
        "{text}"
    );
}

#[test]
fn the_dependencies_of_a_field_are_transitive() {
    let source = "class C { ghost var g: bool ghost var h: bool
           method M() modifies this ensures h { h := g; }
           method N() modifies this { g := forall x: int :: x * 0 == 0; } }";
    let translation = translated(source, translate);
    let reasons: Vec<String> = translation
        .clauses
        .values()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        [
            "the ghost field `h`, which needs the ghost field `g`: a quantifier without an upper bound"
        ]
    );
    assert_eq!(
        text(&translation),
        text(&translated(source, translate_erased))
    );
}

#[test]
fn a_clause_that_cannot_be_executed_anyway_keeps_nothing() {
    let source = |operator: &str| {
        format!(
            "class C {{ ghost var g: int method M() modifies this ensures g == 1 {operator} forall x: int :: x * 0 == 0 {{ g := 1; }} }}"
        )
    };
    let keeps = |operator| text(&translated(&source(operator), translate)).contains("pub g");
    assert!(!keeps("||"));
    assert!(!keeps("<=="));
    // Its conjuncts are separate clauses.
    assert!(keeps("&&"));
}

#[test]
fn fields_of_traits_are_kept() {
    check(
        "trait T { ghost var g: int method Set() modifies this ensures g == 1 }
         class C extends T { method Set() modifies this ensures g == 1 { g := 1; } }
         method Use(t: T) modifies t ensures t.g == 1 { t.Set(); }",
        &["g: Field<Int>", "this.g.set(int(1))"],
        &[],
    );
}
