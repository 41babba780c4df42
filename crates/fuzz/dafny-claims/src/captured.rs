//! Function values that hold a new object, in states in which it is not allocated.
//!
//! Functions may be applied only in states in which all objects that they hold are allocated. A
//! verifier that accepts another application proves that the new object is old.

use crate::table::{Basis, Options, Stage, Table};

/// The prelude of all programs.
const CELL: &str = "class N { const k: int constructor (k: int) ensures this.k == k { this.k := k; } function Get(): N { this } function Same(n: int): N { this } }";

/// Statements that create the value `f` from the new object `c`, and the object that it holds.
const VALUES: &[(&str, &str, &str)] = &[
    ("lambda", "var f := () => c;", "f()"),
    ("lambda-of-argument", "var f := (i: int) => c;", "f(0)"),
    ("lambda-let", "var f := () => var x := c; x;", "f()"),
    ("partial", "var f: int --> N := (i: int) => c;", "f(0)"),
    ("reading", "var f: int ~> N := (i: int) => c;", "f(0)"),
    (
        "lambda-with-precondition",
        "var f := (i: int) requires i == 0 => c;",
        "f(0)",
    ),
    (
        "lambda-with-frame",
        "var f := (i: int) reads {} => c;",
        "f(0)",
    ),
    (
        "lambda-reading-object",
        "var f := (i: int) reads c => c;",
        "f(0)",
    ),
    ("lambda-to-tuple", "var f := () => (c, 1);", "f().0"),
    ("lambda-to-sequence", "var f := () => [c];", "f()[0]"),
    ("lambda-to-lambda", "var f := () => (() => c);", "f()()"),
    ("member", "var f := c.Get;", "f()"),
    ("member-of-argument", "var f := c.Same;", "f(0)"),
    ("in-tuple", "var f := (() => c, 1);", "f.0()"),
    ("in-sequence", "var f := [() => c];", "f[0]()"),
    ("in-map", "var f := map[0 := () => c];", "f[0]()"),
    ("in-datatype", "var f := Bearer(() => c);", "f.f()"),
    ("in-generic-datatype", "var f := Wrapped(() => c);", "f.x()"),
    ("function-result", "var f := Constantly(c);", "f()"),
    ("sequence", "var f := [c];", "f[0]"),
    ("tuple", "var f := (c, 1);", "f.0"),
    ("generic-datatype", "var f := Wrapped(c);", "f.x"),
];

/// Methods with the statements `$F` and a claim about the object that `$O` denotes.
const STATES: &[(&str, &str)] = &[
    (
        "old",
        "method M() { var c := new N(5); $F assert $O == c; ghost var d := old($O); assert d == c; assert old(allocated(c)); }",
    ),
    (
        "old-in-assertion",
        "method M() { var c := new N(5); $F assert $O == c; assert old($O) == c; assert old(allocated(c)); }",
    ),
    (
        "label",
        "method M() { label L: var c := new N(5); $F assert $O == c; ghost var d := old@L($O); assert d == c; assert old@L(allocated(c)); }",
    ),
    (
        "label-later",
        "method M() { var b := new N(4); label L: var c := new N(5); $F assert $O == c; ghost var d := old@L($O); assert d == c; assert old@L(allocated(c)); }",
    ),
    (
        "old-constant",
        "method M() { var c := new N(5); $F assert $O == c; ghost var d := old($O.k); assert d == 5; assert old(allocated($O)); assert old(allocated(c)); }",
    ),
    (
        "old-argument",
        "function Id(n: N): N { n } method M() { var c := new N(5); $F assert $O == c; ghost var d := old(Id($O)); assert d == c; assert old(allocated(c)); }",
    ),
    (
        "old-let",
        "method M() { var c := new N(5); $F assert $O == c; ghost var d := old(var x := $O; x); assert d == c; assert old(allocated(c)); }",
    ),
    (
        "old-sequence",
        "method M() { var c := new N(5); $F assert $O == c; ghost var d := old([$O]); assert d[0] == c; assert old(allocated(d)); assert old(allocated(c)); }",
    ),
    (
        "old-set",
        "method M() { var c := new N(5); $F assert $O == c; ghost var d := old({$O}); assert c in d; assert old(allocated(d)); assert old(allocated(c)); }",
    ),
    (
        "postcondition",
        "method M() returns (c: N) ensures old(allocated(c)) { c := new N(5); $F assert $O == c; ghost var d := old($O); assert d == c; }",
    ),
    (
        "constructor",
        "class K { constructor () { var c := new N(5); $F new; assert $O == c; ghost var d := old($O); assert d == c; assert old(allocated(c)); } }",
    ),
    (
        "iterator",
        "iterator I() { var c := new N(5); $F assert $O == c; ghost var d := old($O); assert d == c; assert old(allocated(c)); }",
    ),
];

/// Adds applications of functions before the objects that they hold exist.
pub(crate) fn applications(table: &mut Table) {
    let helpers = "datatype Bearer = Bearer(f: () -> N)\ndatatype Wrapped<X> = Wrapped(x: X)\nfunction Constantly(n: N): () -> N { () => n }";
    for (value, create, object) in VALUES {
        for (state, text) in STATES {
            let program = text.replace("$F", create).replace("$O", object);
            // In the control, the state is the current one.
            let control = program.replace("old@L(", "(").replace("old(", "(");
            table.add(
                "captured",
                &[value, state],
                Stage::Verify,
                Basis::Rule(
                    "Old and old@ expressions: a value must be allocated in the state in which it is used",
                ),
                Options::Default,
                format!("{program}\n{CELL}\n{helpers}"),
                format!("{control}\n{CELL}\n{helpers}"),
            );
        }
    }
}
