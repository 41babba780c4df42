//! The grammar in pairs: for each production, a text that belongs to it and one that does not. The
//! verdicts, and the line of the first error, are those of Dafny 4.11.
#![allow(clippy::expect_used, reason = "tests")]

/// Returns the lines of the syntax errors of a text.
fn error_lines(source: &str) -> Vec<u32> {
    let mut sources = dafny_source::SourceMap::new();
    sources.add("test.dfy", source, true).expect("room");
    let (_, diagnostics) = dafny_syntax::parse(0, source);
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let line = |start| sources.line_column(start).map_or(0, |at| at.line);
    errors
        .map(|d| d.span.map_or(0, |s| line(s.start)))
        .collect()
}

/// Checks rows of a context, a text of the grammar instead of its `#`, and one that is not of the grammar.
/// The first error is on the line of the `#`.
#[track_caller]
fn grammar(table: &[(&str, &str, &str)]) {
    for (context, good, bad) in table {
        let (before, _) = context.split_once('#').expect("a place for the text");
        let line = before.matches('\n').count() as u32 + 1;
        let (good, bad) = (context.replace('#', good), context.replace('#', bad));
        assert_eq!(error_lines(&good), [0; 0], "{good}");
        assert_eq!(error_lines(&bad).first(), Some(&line), "{bad}");
    }
}

#[test]
fn names() {
    grammar(&[
        ("const\n# := 1\n", "c", "if"),
        ("const\n# := 1\n", "c'", "1c"),
        ("const\n# := 1\n", "c?", "_c"),
        ("const\n# := 1\n", "set_", "set"),
        ("datatype\n# = A\n", "D", "datatype"),
    ]);
}

#[test]
fn literals() {
    grammar(&[
        ("const c :=\n#", "1_000", "1__"),
        ("const c :=\n#", "0x1F", "0x"),
        ("const c :=\n#", "'\\n'", "'\\q'"),
        ("const c :=\n#", "\"a\\tb\"", "\"a\\qb\""),
        ("const c :=\n#", "@\"a\"\"b\"", "@\"a\" \"b\""),
        ("const c :=\n#", "\"\\U{1F600}\"", "\"\\U{110000}\""),
    ]);
}

#[test]
fn operators() {
    grammar(&[
        ("const c :=\n#", "a + b", "a + "),
        ("const c :=\n#", "(a && b) || d", "a && b || d"),
        ("const c :=\n#", "(a ==> b) <== d", "a ==> b <== d"),
        ("const c :=\n#", "a < b < d", "a < b > d"),
        ("const c :=\n#", "a == b == d", "a != b != d"),
        ("const c :=\n#", "a !in b", "a not in b"),
        ("const c :=\n#", "a & b & d", "a & b | d"),
        ("const c :=\n#", "a as int", "a as 3"),
    ]);
}

#[test]
fn expressions() {
    grammar(&[
        ("const c :=\n#", "if a then b else d", "if a then b"),
        ("const c :=\n#", "var x := 1; x", "var x := 1 x"),
        ("const c :=\n#", "forall x :: x > 0", "forall x : x > 0"),
        ("const c :=\n#", "set x | x in s", "set x |"),
        ("const c :=\n#", "map x | x in s :: x", "map x | x in s"),
        ("const c :=\n#", "s[1..2]", "s[1..2..3]"),
        ("const c :=\n#", "s[1 := 2]", "s[1 = 2]"),
        ("const c :=\n#", "d.(x := 1)", "d.(x = 1)"),
        ("const c :=\n#", "(1, 2)", "(1, 2"),
        ("const c :=\n#", "(x: int) => x", "(x: int) = x"),
        ("const c :=\n#", "match a case 1 => 2", "match a case 1 = 2"),
        ("const c :=\n#", "map[1 := 2]", "map[1 = 2]"),
        ("const c :=\n#", "{1, 2}", "{1, 2]"),
        ("const c :=\n#", "|s|", "|s"),
        ("const c :=\n#", "f(x := 1)", "f(x = 1)"),
        ("const c :=\n#", "seq(3, i => i)", "seq(3)"),
    ]);
}

#[test]
fn types() {
    grammar(&[
        ("const c:\n#", "seq<int>", "seq<int"),
        ("const c:\n#", "map<int, bool>", "map<int, >"),
        ("const c:\n#", "(int, bool)", "(int, )"),
        ("const c:\n#", "int -> bool", "int ->"),
        ("const c:\n#", "(int, int) --> bool", "(int, int) -- bool"),
        ("const c:\n#", "M.T", "M."),
        ("const c:\n#", "bv8", "8"),
        ("type T<\n# >\n", "+A", "A B"),
        ("type T<\n# >\n", "A(==)", "A(=)"),
        ("type T<\n# >\n", "A(!new)", "A(new)"),
    ]);
}

#[test]
fn statements() {
    grammar(&[
        ("method M() {\n# }", "x := 1;", "x := 1"),
        ("method M() {\n# }", "x := 1;", "x = 1;"),
        ("method M() {\n# }", "x := 1;", "x == 1;"),
        ("method M() {\n# }", "var x: int := 1;", "var int x := 1;"),
        ("method M() {\n# }", "if x > 0 { }", "if x > 0 return;"),
        (
            "method M() {\n# }",
            "if x > 0 { } else { }",
            "if x > 0 { } else x := 1;",
        ),
        (
            "method M() {\n# }",
            "for i := 0 to 3 { }",
            "for i := 0 until 3 { }",
        ),
        (
            "method M() {\n# }",
            "for i := 0 to * { }",
            "for i := * to 3 { }",
        ),
        (
            "method M() {\n# }",
            "match x { case 1 => }",
            "match x { 1 => }",
        ),
        ("method M() {\n# }", "assert x by { }", "assert x by"),
        ("method M() {\n# }", "return 1, 2;", "return 1 2;"),
        ("method M() {\n# }", "label l: x := 1;", "label: x := 1;"),
        ("method M() {\n# }", "calc { 1; == 1; }", "calc { 1 == }"),
        (
            "method M() {\n# }",
            "forall i | 0 <= i < 3 { }",
            "forall { i }",
        ),
        ("method M() {\n# }", "x :| x > 0;", "x :| ;"),
        ("method M() {\n# }", "print 1, 2;", "print;"),
        ("method M() {\n# }", "expect x, 1;", "expect x 1;"),
        ("method M() {\n# }", "modify o;", "modify;"),
        ("method M() {\n# }", "var x :- F();", "var x -: F();"),
    ]);
}

#[test]
fn declarations() {
    grammar(&[
        ("\n#", "datatype D = A | B(x: int)", "datatype D = A, B"),
        ("\n#", "datatype D = A", "datatype D"),
        (
            "\n#",
            "newtype T = x: int | x > 0",
            "newtype T = x: | x > 0",
        ),
        (
            "\n#",
            "type T = x: int | x > 0 witness 1",
            "type T = x: int | witness 1",
        ),
        ("\n#", "class C extends T { }", "class C extends { }"),
        ("\n#", "trait T { }", "trait { }"),
        ("\n#", "module M { }", "module { }"),
        ("\n#", "module A refines B { }", "module A refines { }"),
        ("\n#", "import A = B.C", "import A = "),
        ("\n#", "import opened A", "import open A"),
        (
            "\n#",
            "function F(x: int): int { 1 }",
            "function F(x: int) { 1 }",
        ),
        (
            "\n#",
            "function F(x: int): int { 1 }",
            "function F(x): int { 1 }",
        ),
        (
            "\n#",
            "predicate P() { true }",
            "predicate P(): int { true }",
        ),
        (
            "\n#",
            "method M() returns (x: int) { }",
            "method M(): int { }",
        ),
        (
            "\n#",
            "method M(x: int := 1) { }",
            "method M(x: int = 1) { }",
        ),
        ("class C {\n# }", "var x: int", "var x := 1"),
        (
            "class C {\n# }",
            "constructor A() { }",
            "constructor A() returns (x: int) { }",
        ),
        ("class C {\n# }", "const c := 1", "let c := 1"),
        (
            "\n#",
            "iterator I() yields (x: int) { }",
            "iterator I() returns (x: int) { }",
        ),
        (
            "\n#",
            "lemma L() ensures true { }",
            "lemma L() ensure true { }",
        ),
    ]);
}

#[test]
fn specifications() {
    grammar(&[
        ("method M()\n# { }", "requires x > 0", "requires ;"),
        ("method M()\n# { }", "modifies a, b`f", "modifies a b"),
        ("method M()\n# { }", "decreases x, y", "decreases x y"),
        ("function F(): int\n# { 1 }", "reads this", "modifies this"),
        (
            "method M() { while true\n# { } }",
            "invariant x > 0",
            "ensures x > 0",
        ),
        (
            "method M()\n# { }",
            "ensures {:error \"m\"} x",
            "ensures {error \"m\"} x",
        ),
    ]);
}

#[test]
fn comments_nest() {
    grammar(&[("\n#\nconst c := 1", "/* a /* b */ c */", "/* a */ b */")]);
}

/// Lookahead scans fewer levels of a type than the parser accepts.
#[test]
fn types_nest_as_deep_as_the_parser_allows() {
    let program = |levels: usize| {
        format!(
            "method M(x: {}int{})",
            "seq<".repeat(levels),
            ">".repeat(levels)
        )
    };
    for levels in [1, 199, 203, 400, 900] {
        assert_eq!(error_lines(&program(levels)), [0; 0], "{levels} levels");
    }
    let (_, diagnostics) = dafny_syntax::parse(0, &program(5_000));
    let ids: Vec<&str> = diagnostics.iter().map(|d| d.id).collect();
    assert_eq!(ids, ["syntax/too-deep"]);
}

/// A chain of comparisons looks like nested types for longer than lookahead scans.
#[test]
fn long_chains_of_comparisons_are_no_types() {
    let chain: Vec<String> = (0..400).map(|i| format!("a{i}")).collect();
    let source = format!("const c := {}", chain.join(" < "));
    assert_eq!(error_lines(&source), [0; 0]);
}
