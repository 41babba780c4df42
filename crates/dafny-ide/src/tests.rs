//! Queries on small programs. `$` in a text marks the position of the query.

use dafny_source::FileId;

use crate::{Analysis, Completion, FoldKind, Input, Kind, Missing, Text, complete, folds, symbols};

/// A program with one text, and the position of its `$`, which is removed.
fn asked(text: &str) -> (Analysis, u32) {
    let at = text.find('$').expect("a `$`");
    let text = text.replacen('$', "", 1);
    (
        Analysis::of(&Input {
            texts: vec![Text::new("a.dfy", text)],
            ..Input::default()
        }),
        at as u32,
    )
}

#[track_caller]
fn goes_to(text: &str, expected: &str) {
    let (program, at) = asked(text);
    let found = program
        .definition(at)
        .map(|f| program.sources.locate(f.target));
    assert_eq!(
        found.as_deref(),
        Some(expected),
        "{:?}",
        program.diagnostics
    );
}

/// The text after a rename at `$`, or the reason for refusing it.
fn renamed(text: &str, new: &str) -> Result<String, String> {
    let (program, at) = asked(text);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    let edits = program.rename(at, new).map_err(|r| r.0)?;
    let mut text = text.replacen('$', "", 1);
    edits
        .iter()
        .rev()
        .for_each(|e| text.replace_range(e.span.start as usize..e.span.end as usize, &e.text));
    Ok(text)
}

fn completions(text: &str) -> Vec<Completion> {
    let at = text.find('$').expect("a `$`");
    let text = text.replacen('$', "", 1);
    complete(
        &Input {
            texts: vec![Text::new("a.dfy", text)],
            ..Input::default()
        },
        FileId(0),
        at,
    )
    .1
}

#[track_caller]
fn offers(text: &str, wanted: &[&str], unwanted: &[&str]) {
    let found: Vec<String> = completions(text).into_iter().map(|c| c.name).collect();
    let missing: Vec<_> = wanted
        .iter()
        .filter(|w| !found.iter().any(|f| f == *w))
        .collect();
    let spurious: Vec<_> = unwanted
        .iter()
        .filter(|w| found.iter().any(|f| f == *w))
        .collect();
    assert!(
        missing.is_empty() && spurious.is_empty(),
        "missing {missing:?}, spurious {spurious:?} in {found:?}"
    );
}

#[test]
fn names_lead_to_their_declarations() {
    goes_to("method M(x: int) { var y := $x; }", "a.dfy:1:10");
    goes_to(
        "module A { const c := 1 }\nmodule B { import A\n  const d := A.$c }",
        "a.dfy:1:18",
    );
    goes_to(
        "module A { const c := 1 }\nmodule B { import C = $A }",
        "a.dfy:1:8",
    );
    goes_to(
        "datatype D = X(v: int) | Y(v: int)\nfunction F(d: D): int { d.$v }",
        "a.dfy:1:16",
    );
    goes_to(
        "datatype D = X(v: int) | Y\nfunction F(d: D): int { match d case $X(u) => u case Y => 0 }",
        "a.dfy:1:14",
    );
    goes_to(
        "datatype D = X(v: int) | Y\npredicate P(d: D) { d.$Y? }",
        "a.dfy:1:26",
    );
    goes_to(
        "class C { constructor Make() {} }\nmethod M() { var c := new C.$Make(); }",
        "a.dfy:1:23",
    );
    goes_to("class C {}\nmethod M(c: $C?) {}", "a.dfy:1:7");
    goes_to(
        "class C { var f: int method M() modifies `$f {} }",
        "a.dfy:1:15",
    );
    goes_to(
        "function F(x: int): int { x }\nconst c := F($x := 3)",
        "a.dfy:1:12",
    );
    goes_to("type S = int\nconst c: $S := 1", "a.dfy:1:6");
    goes_to(
        "module A { export provides $F\n function F(): int { 1 } }",
        "a.dfy:2:11",
    );
    goes_to("module A { type T }\nmodule B refines $A {}", "a.dfy:1:8");
    goes_to(
        "datatype D = X(v: int)\nfunction F(d: D): D { d.($v := 1) }",
        "a.dfy:1:16",
    );
    goes_to("function F<T>(x: $T): T { x }", "a.dfy:1:12");
    goes_to(
        "opaque function F(): int { 1 }\nlemma L() { reveal $F(); }",
        "a.dfy:1:17",
    );
}

#[test]
fn a_broken_declaration_leaves_the_others_alone() {
    goes_to(
        "method Broken() { var x := ; }\nfunction F(): int { 1 }\nconst c := $F()",
        "a.dfy:2:10",
    );
}

#[test]
fn references_are_all_uses_and_the_declaration() {
    let (program, at) = asked(
        "function $F(x: int): int { x }\nconst c := F(1) + F(2)\nfunction G(F: int): int { F }",
    );
    let lines: Vec<String> = program
        .references(at)
        .iter()
        .map(|o| program.sources.locate(o.span))
        .collect();
    assert_eq!(lines, ["a.dfy:1:10", "a.dfy:2:12", "a.dfy:2:19"]);
}

#[test]
fn destructors_of_several_constructors_are_one() {
    let (program, at) = asked("datatype D = X(v: int) | Y($v: int)\nconst c := X(1).v");
    assert_eq!(program.references(at).len(), 3);
}

#[test]
fn hovers_show_signature_contract_and_documentation() {
    let (program, at) = asked(
        "module A {\n  /** Half of a number.\n   * Rounded down. */\n  method Half(n: nat) returns (h: nat)\n    requires n > 1\n    ensures h <= n\n  { h := n / 2; }\n  method M() { var x := $Half(4); }\n}",
    );
    let hover = program.hover(at).expect("a hover");
    assert_eq!(
        hover.code,
        "method Half(n: nat) returns (h: nat)\n  requires n > 1\n  ensures h <= n"
    );
    assert_eq!(hover.container, "A");
    assert_eq!(
        hover.doc.as_deref(),
        Some("Half of a number.\nRounded down.")
    );
    let (program, at) = asked("method M(s: seq<int>) { var $first := s[..1]; }");
    assert_eq!(
        program.hover(at).map(|h| h.code).as_deref(),
        Some("first: seq<int>")
    );
}

#[test]
fn a_rename_reaches_all_uses() {
    let text = "class C { var $f: int method M() modifies `f { f := this.f + 1; } }\nmethod N(c: C) modifies c { c.f := 2; }";
    let expected = "class C { var g: int method M() modifies `g { g := this.g + 1; } }\nmethod N(c: C) modifies c { c.g := 2; }";
    assert_eq!(renamed(text, "g").as_deref(), Ok(expected));
    let text = "datatype D = $X(v: int) | Y\npredicate P(d: D) { d.X? && d == D.X(1) && match d case X(_) => true case Y => false }";
    let expected = "datatype D = Z(v: int) | Y\npredicate P(d: D) { d.Z? && d == D.Z(1) && match d case Z(_) => true case Y => false }";
    assert_eq!(renamed(text, "Z").as_deref(), Ok(expected));
    let text = "class $C {}\nmethod M(c: C?) returns (d: C) { d := new C; }";
    assert_eq!(
        renamed(text, "D").as_deref(),
        Ok("class D {}\nmethod M(c: D?) returns (d: D) { d := new D; }")
    );
}

#[test]
fn overriding_members_are_renamed_together() {
    let text =
        "trait T { method M() }\nclass C extends T { method $M() {} }\nmethod N(t: T) { t.M(); }";
    let expected =
        "trait T { method K() }\nclass C extends T { method K() {} }\nmethod N(t: T) { t.K(); }";
    assert_eq!(renamed(text, "K").as_deref(), Ok(expected));
}

#[test]
fn a_rename_that_changes_a_meaning_is_refused() {
    let captured =
        renamed("const $a := 1\nfunction F(b: int): int { a + b }", "b").expect_err("captured");
    assert!(captured.contains("would change what"), "{captured}");
    let duplicate = renamed("const $a := 1\nconst b := 2", "b").expect_err("a duplicate");
    assert!(duplicate.contains("duplicate name"), "{duplicate}");
    assert!(renamed("const $a := 1", "while").is_err() && renamed("const $a := 1", "a b").is_err());
}

#[test]
fn completions_follow_the_scope() {
    offers(
        "module A { const shown := 1 export provides shown const hidden := 2 }\nmodule B { import A\n const c := A.$ }",
        &["shown"],
        &["hidden", "if"],
    );
    offers(
        "method M(first: int) { var second := 2; { var third := 3; } var x := f$; }",
        &["first", "second", "M", "if"],
        &["third"],
    );
    offers(
        "class C { var field: int method Go() {} static const s := 1 }\nmethod M(c: C) { c.$ }",
        &["field", "Go"],
        &["s", "c"],
    );
    offers(
        "datatype D = X(v: int) | Y { function G(): int { 1 } }\nmethod M(d: D) { var z := d.$\n}",
        &["v", "X?", "Y?", "G"],
        &["X"],
    );
    offers("class C<T> {}\nmethod M(x: $) {}", &["C"], &["M"]);
    offers(
        "method M(m: map<int, bool>) { print m.$; }",
        &["Keys", "Values", "Items"],
        &[],
    );
}

#[test]
fn signature_help_shows_the_call_being_typed() {
    let (program, at) = asked(
        "/** Adds. */ function Add(x: int, y: int): int { x + y }\nmethod M() { var z := Add(1, $ }",
    );
    let help = program
        .signature_help(FileId(0), at as usize)
        .expect("help");
    assert_eq!(
        (help.label.as_str(), help.active),
        ("function Add(x: int, y: int): int", 1)
    );
    assert_eq!(
        help.parameters
            .iter()
            .map(|r| &help.label[r.clone()])
            .collect::<Vec<_>>(),
        ["x: int", "y: int"]
    );
    assert_eq!(help.doc.as_deref(), Some("Adds."));
}

#[test]
fn missing_clauses_are_proposed_where_they_belong() {
    let proposed = |text: &str, unit: &str, missing: Missing| {
        let (program, at) = asked(text);
        let end = text[at as usize..]
            .find('\n')
            .map_or(text.len() as u32, |n| at + n as u32);
        let first = program
            .proposals(unit, dafny_source::Span::new(at, end), missing)
            .into_iter()
            .next()
            .expect("a proposal");
        let mut text = text.replacen('$', "", 1);
        text.insert_str(first.edit.span.start as usize, &first.edit.text);
        text
    };
    let text =
        "class C { var f: int }\nmethod M(d: C, c: C)\n  requires d.f > 0\n{\n  $c.f := 1;\n}\n";
    let expected = "class C { var f: int }\nmethod M(d: C, c: C)\n  requires d.f > 0\n  modifies c\n{\n  c.f := 1;\n}\n";
    assert_eq!(proposed(text, "M", Missing::Modifies), expected);
    let text = "class C { var f: int }\nfunction F(c: C): int { $c.f }";
    assert_eq!(
        proposed(text, "F", Missing::Reads),
        "class C { var f: int }\nfunction F(c: C): int reads c { c.f }"
    );
    let text = "function Up(lo: int, hi: int): int { if lo < hi then 1 + $Up(lo + 1, hi) else 0 }";
    assert!(proposed(text, "Up", Missing::Decreases).contains("int decreases hi - lo {"));
    let text =
        "method M(n: nat) {\n  var i := 0;\n  $while i != n && true\n  {\n    i := i + 1;\n  }\n}";
    assert!(
        proposed(text, "M", Missing::Decreases)
            .contains("  while i != n && true\n    decreases n - i\n  {")
    );
}

#[test]
fn symbols_are_a_tree() {
    let found = symbols(
        "module A { class C { var f: int constructor () {} } datatype D = X | Y }\nlemma L() {}",
        dafny_syntax::Options::default(),
    );
    let names: Vec<_> = found
        .iter()
        .map(|s| (&*s.name, s.kind, s.children.len()))
        .collect();
    assert_eq!(names, [("A", Kind::Module, 2), ("L", Kind::Lemma, 0)]);
}

#[test]
fn braces_comments_and_imports_fold() {
    let found = folds(
        "module A {\n  import B\n  import C\n  // one\n  // two\n  method M() {\n    /* a\n b */\n  }\n}\n",
    );
    let kinds: Vec<_> = found.iter().map(|f| f.kind).collect();
    assert_eq!(
        kinds,
        [
            FoldKind::Block,
            FoldKind::Imports,
            FoldKind::Comment,
            FoldKind::Block,
            FoldKind::Comment
        ]
    );
}

#[test]
fn tokens_are_classified_by_their_definitions() {
    let (program, _) = asked("// A comment.\nfunction F(x: int): int { x + 1 }$");
    let shown: Vec<String> = program
        .tokens(FileId(0))
        .iter()
        .map(|t| format!("{} {:?}", program.sources.text(t.span), t.class))
        .collect();
    assert_eq!(
        shown,
        [
            "// A comment. Comment",
            "function Keyword",
            "F Name(Function)",
            "x Parameter",
            "int BuiltinType",
            "int BuiltinType",
            "x Parameter",
            "1 Number"
        ]
    );
}
