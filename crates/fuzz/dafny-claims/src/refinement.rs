//! Refinement: recursion that only the refining module closes, modules that replace an abstract
//! import without being a refinement of it, and statements that a refining method adds to a body
//! whose postcondition is not proved again.

use crate::table::{Basis, Options, Stage, Table};

/// Declarations of an abstract module, in which `G` calls `F`, which has no body, by `$R`; their
/// refinement, in which `F` calls `G` by `$C`; both calls, and what stands for the second one in the
/// control. `$U` and `$L` are the measures of `F` and `G`.
const RECURSIONS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "function",
        "function F(n: int): int $U function G(n: int): int $L { $R + 1 }",
        "function F(n: int): int { $C }",
        "G(n)",
        "0",
    ),
    (
        "function-ghost",
        "ghost function F(n: int): int $U ghost function G(n: int): int $L { $R + 1 }",
        "ghost function F(n: int): int { $C }",
        "G(n)",
        "0",
    ),
    (
        "function-opaque",
        "opaque function F(n: int): int $U opaque function G(n: int): int $L { $R + 1 }",
        "opaque function F(n: int): int { $C }",
        "G(n)",
        "0",
    ),
    (
        "function-postcondition",
        "function F(n: int): int ensures F(n) == 3 $U function G(n: int): int ensures G(n) == 3 $L { $R }",
        "function F(n: int): int { $C }",
        "G(n)",
        "3",
    ),
    (
        "function-static",
        "class K { static function F(n: int): int $U static function G(n: int): int $L { $R + 1 } }",
        "class K ... { static function F(n: int): int { $C } }",
        "G(n)",
        "0",
    ),
    (
        "function-member",
        "class K { function F(n: int): int $U function G(n: int): int $L { $R + 1 } }",
        "class K ... { function F(n: int): int { $C } }",
        "G(n)",
        "0",
    ),
    (
        "function-datatype",
        "datatype K = K { function F(n: int): int $U function G(n: int): int $L { $R + 1 } }",
        "datatype K ... { function F(n: int): int { $C } }",
        "G(n)",
        "0",
    ),
    (
        "function-newtype",
        "newtype K = int { function F(n: int): int $U function G(n: int): int $L { $R + 1 } }",
        "newtype K ... { function F(n: int): int { $C } }",
        "G(n)",
        "0",
    ),
    (
        "method",
        "method F(n: int) returns (r: int) ensures r == 3 $U method G(n: int) returns (r: int) ensures r == 3 $L { r := F(n); }",
        "method F(n: int) returns (r: int) { $C }",
        "r := G(n);",
        "r := 3;",
    ),
    (
        "lemma",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { F(n); }",
        "lemma F(n: int) { $C }",
        "G(n);",
        "",
    ),
    (
        "lemma-in-branch",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { if n == n { F(n); } }",
        "lemma F(n: int) { $C }",
        "if n == n { G(n); }",
        "",
    ),
    (
        "lemma-forall",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { forall i: int | i == n ensures $P { F(i); } }",
        "lemma F(n: int) { $C }",
        "G(n);",
        "",
    ),
    (
        "lemma-assertion",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { assert $P by { F(n); } }",
        "lemma F(n: int) { $C }",
        "assert $P by { G(n); }",
        "",
    ),
    (
        "lemma-calculation",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { calc { true; ==> { F(n); } $P; } }",
        "lemma F(n: int) { $C }",
        "calc { true; ==> { G(n); } $P; }",
        "",
    ),
    (
        "lemma-generic",
        "lemma F<X>(n: int, x: X) ensures $P $U lemma G<X>(n: int, x: X) ensures $P $L { F(n, x); }",
        "lemma F<X>(n: int, x: X) { $C }",
        "G(n, x);",
        "",
    ),
    (
        "lemma-member",
        "class K { lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { F(n); } }",
        "class K ... { lemma F(n: int) { $C } }",
        "G(n);",
        "",
    ),
    (
        "lemma-two-state",
        "twostate lemma F(n: int) ensures $P $U twostate lemma G(n: int) ensures $P $L { F(n); }",
        "twostate lemma F(n: int) { $C }",
        "G(n);",
        "",
    ),
    (
        "lemma-of-function",
        "ghost function F(n: int): int ensures $P $U lemma G(n: int) ensures $P $L { var x := F(n); }",
        "ghost function F(n: int): int { $C }",
        "G(n); 0",
        "0",
    ),
    (
        "lemma-of-three",
        "lemma F(n: int) ensures $P $U lemma G(n: int) ensures $P $L { F(n); }",
        "lemma F(n: int) { $C } lemma H(n: int) ensures $P $L, 1 { G(n); }",
        "H(n);",
        "",
    ),
];

/// Measures of the declaration without a body and of its caller.
const MEASURES: &[(&str, &str, &str)] = &[
    ("numbers", "decreases 1", "decreases 0"),
    ("pairs", "decreases 0, 1", "decreases 0, 0"),
    ("parameter", "decreases n, 1", "decreases n, 0"),
    ("booleans", "decreases true", "decreases false"),
    ("sets", "decreases {1, 2}", "decreases {1}"),
    ("sequences", "decreases [1, 2]", "decreases [1]"),
    ("shorter", "decreases 0", "decreases 0, 0"),
    ("equal", "decreases n", "decreases n"),
    ("reversed", "decreases 0", "decreases 1"),
];

/// Calls of `F` in the body of a function.
const CALLS: &[(&str, &str)] = &[
    ("direct", "F(n)"),
    ("let", "(var x := n; F(x))"),
    ("branch", "(if n == n then F(n) else 0)"),
    ("match", "(match n case x => F(x))"),
    ("comprehension", "seq(1, i => F(n))[0]"),
    ("display", "[F(n)][0]"),
];

/// Adds recursion between a declaration of an abstract module and its refinement.
fn recursion(table: &mut Table) {
    for (callable, base, refining, call, control) in RECURSIONS {
        for (measure, upper, lower) in MEASURES {
            for (name, through) in CALLS {
                let with = |call: &str, claim: &str| {
                    format!("abstract module A {{ {base} }} module B refines A {{ {refining} }}")
                        .replace("$R", through)
                        .replace("$C", call)
                        .replace("$P", claim)
                        .replace("$U", upper)
                        .replace("$L", lower)
                };
                table.add(
                    "refined-recursion",
                    &[callable, measure, name],
                    Stage::Verify,
                    Basis::Rule(
                        "Termination: every recursive call must decrease the measure of its caller",
                    ),
                    Options::Default,
                    with(call, "false"),
                    with(control, "true"),
                );
                if !base.contains("$R") {
                    break;
                }
            }
        }
    }
}

/// Members of an interface; members of a module that are no refinement of them; and a proof that
/// follows from the interface of `X`, and is false for the module.
const MEMBERS: &[(&str, &str, &str, &str)] = &[
    (
        "constant",
        "const c: int := 1",
        "const c: int := 0",
        "lemma L() ensures X.c == 1 { }",
    ),
    (
        "constant-type",
        "const c: nat",
        "const c: int := -1",
        "lemma L() ensures X.c >= 0 { }",
    ),
    (
        "constant-of-class",
        "class K { static const c: int := 1 }",
        "class K { static const c: int := 0 }",
        "lemma L() ensures X.K.c == 1 { }",
    ),
    (
        "function",
        "function F(n: int): int { 1 }",
        "function F(n: int): int { 0 }",
        "lemma L() ensures X.F(2) == 1 { }",
    ),
    (
        "function-postcondition",
        "function F(n: int): int ensures F(n) == 1",
        "function F(n: int): int { 0 }",
        "lemma L() ensures X.F(2) == 1 { }",
    ),
    (
        "function-precondition",
        "function F(n: int): int { 1 }",
        "function F(n: int): int requires n > 5 { 1 }",
        "function G(): int { X.F(2) }",
    ),
    (
        "function-result",
        "function F(n: int): nat",
        "function F(n: int): int { -1 }",
        "lemma L() ensures X.F(2) >= 0 { }",
    ),
    (
        "function-of-datatype",
        "datatype D = E { function F(): int { 1 } }",
        "datatype D = E { function F(): int { 0 } }",
        "lemma L() ensures X.D.E.F() == 1 { }",
    ),
    (
        "predicate",
        "ghost predicate P(n: int) { n > 0 }",
        "ghost predicate P(n: int) { n < 0 }",
        "lemma L() ensures X.P(1) { }",
    ),
    (
        "opaque-function",
        "opaque function F(n: int): int { 1 }",
        "opaque function F(n: int): int { 0 }",
        "lemma L() ensures X.F(2) == 1 { reveal X.F(); }",
    ),
    (
        "lemma",
        "lemma F() ensures false",
        "lemma F() { }",
        "lemma L() ensures false { X.F(); }",
    ),
    (
        "lemma-precondition",
        "lemma F(n: int) ensures n == n",
        "lemma F(n: int) requires n > 0 ensures n == n { }",
        "lemma L() { X.F(0); }",
    ),
    (
        "method-postcondition",
        "method F() returns (r: int) ensures r == 1",
        "method F() returns (r: int) { r := 0; }",
        "method L() returns (r: int) ensures r == 1 { r := X.F(); }",
    ),
    (
        "method-precondition",
        "method F(n: int) returns (r: int)",
        "method F(n: int) returns (r: int) requires n > 5 { r := 0; }",
        "method L() returns (r: int) { r := X.F(2); }",
    ),
    (
        "method-frame",
        "method F(a: array<int>)",
        "method F(a: array<int>) modifies a { if a.Length > 0 { a[0] := 0; } }",
        "method L(a: array<int>) requires a.Length > 0 ensures a[0] == old(a[0]) { X.F(a); }",
    ),
    (
        "method-new-object",
        "method F() returns (a: array<int>) ensures fresh(a)",
        "method F() returns (a: array<int>) { a := new int[0]; }",
        "method L() returns (a: array<int>) ensures fresh(a) { a := X.F(); }",
    ),
    (
        "subset",
        "type S = n: int | n > 0 witness 1",
        "type S = n: int | n < 0 witness -1",
        "lemma L(s: X.S) ensures s > 0 { }",
    ),
    (
        "newtype",
        "newtype S = n: int | n > 0 witness 1",
        "newtype S = n: int | n < 0 witness -1",
        "lemma L(s: X.S) ensures s as int > 0 { }",
    ),
    (
        "empty-type",
        "type S = n: int | n > 0 witness 1",
        "type S = n: int | false witness *",
        "lemma L() { var s: X.S :| true; }",
    ),
    (
        "constructors",
        "datatype D = A | B",
        "datatype D = A | B | C",
        "lemma L(d: X.D) ensures d.A? || d.B? { }",
    ),
    (
        "synonym",
        "type S = nat",
        "type S = int",
        "lemma L(s: X.S) ensures s >= 0 { }",
    ),
    (
        "nonempty-type",
        "type S(00)",
        "type S = n: int | false witness *",
        "lemma L() { var s: X.S :| true; }",
    ),
    (
        "type-without-references",
        "type S(!new)",
        "class S { }",
        "twostate lemma L(new s: X.S) ensures old(allocated(s)) { }",
    ),
    (
        "type-with-equality",
        "type S(==)",
        "type S = int -> int",
        "method L(s: X.S, t: X.S) returns (b: bool) { b := s == t; }",
    ),
    (
        "type-with-default",
        "type S(0)",
        "type S = n: int | n > 0 ghost witness 1",
        "method L() returns (s: X.S) { var a := new X.S[1]; s := a[0]; }",
    ),
    (
        "trait",
        "trait K { function F(): int ensures F() == 1 }",
        "trait K { function F(): int }",
        "lemma L(k: X.K) ensures k.F() == 1 { }",
    ),
    (
        "class",
        "class K { const c: int constructor () ensures c == 1 { c := 1; } }",
        "class K { const c: int constructor () { c := 0; } }",
        "method L() { var k := new X.K(); assert k.c == 1; }",
    ),
    (
        "missing",
        "lemma F() ensures false",
        "lemma H() { }",
        "lemma L() ensures false { X.F(); }",
    ),
];

/// Programs with the members `$I` of an interface, `$J` of the module that replaces it, and a proof
/// `$L`.
const REPLACEMENTS: &[(&str, &str)] = &[
    (
        "import",
        "abstract module I { $I } abstract module U { import X : I $L } module J { $J } module V refines U { import X = J }",
    ),
    (
        "import-opened",
        "abstract module I { $I } abstract module U { import opened X : I $L } module J { $J } module V refines U { import opened X = J }",
    ),
    (
        "import-nested",
        "abstract module I { $I } abstract module U { import X : I $L } module N { module J { $J } } module V refines U { import X = N.J }",
    ),
    (
        "import-of-refinement",
        "abstract module I { $I } abstract module U { import X : I $L } abstract module O { } module J refines O { $J } module V refines U { import X = J }",
    ),
    (
        "import-twice-refined",
        "abstract module I { $I } abstract module U { import X : I $L } abstract module W refines U { } module J { $J } module V refines W { import X = J }",
    ),
    (
        "import-abstract",
        "abstract module I { $I } abstract module U { import X : I $L } abstract module J { $J } abstract module V refines U { import X : J }",
    ),
    (
        "nested-module",
        "abstract module U { module X { $I } $L } module V refines U { module X { $J } }",
    ),
];

/// Adds modules that replace an interface without being a refinement of it.
fn replacements(table: &mut Table) {
    for (member, interface, other, proof) in MEMBERS {
        for (replacement, text) in REPLACEMENTS {
            // In the control, the interface is used without a replacement.
            let control = format!(
                "abstract module I {{ {interface} }} abstract module U {{ import X : I {proof} }}"
            );
            table.add(
                "replaced-module",
                &[member, replacement],
                Stage::Verify,
                Basis::Rule(
                    "Module refinement: what replaces an abstract module must be a refinement of it",
                ),
                Options::Default,
                text.replace("$I", interface)
                    .replace("$J", other)
                    .replace("$L", proof),
                control,
            );
        }
    }
}

/// Objects `b` that a method returns.
struct Object {
    name: &'static str,
    /// Declarations of the module `T`.
    imported: &'static str,
    /// Declarations beside the method.
    beside: &'static str,
    type_of: &'static str,
    /// A statement that creates the object.
    create: &'static str,
    /// The location that has the value 1.
    location: &'static str,
    /// The claim about the location.
    claim: &'static str,
}

const OBJECTS: &[Object] = &[
    Object {
        name: "class",
        imported: "class Chest { var a: int constructor (a: int) ensures this.a == a { this.a := a; } }",
        beside: "",
        type_of: "T.Chest",
        create: "b := new T.Chest(1);",
        location: "b.a",
        claim: "b.a == 1",
    },
    Object {
        name: "generic-class",
        imported: "class Chest<X> { var a: X constructor (a: X) ensures this.a == a { this.a := a; } }",
        beside: "",
        type_of: "T.Chest<int>",
        create: "b := new T.Chest<int>(1);",
        location: "b.a",
        claim: "b.a == 1",
    },
    Object {
        name: "trait",
        imported: "trait Chest { var a: int } class Impl extends Chest { constructor (a: int) ensures this.a == a { this.a := a; } }",
        beside: "",
        type_of: "T.Chest",
        create: "b := new T.Impl(1);",
        location: "b.a",
        claim: "b.a == 1",
    },
    Object {
        name: "array",
        imported: "",
        beside: "",
        type_of: "array<int>",
        create: "b := new int[1](i => 1);",
        location: "b[0]",
        claim: "b.Length == 1 && b[0] == 1",
    },
    Object {
        name: "matrix",
        imported: "",
        beside: "",
        type_of: "array2<int>",
        create: "b := new int[1, 1]((i, j) => 1);",
        location: "b[0, 0]",
        claim: "b.Length0 == 1 && b.Length1 == 1 && b[0, 0] == 1",
    },
    Object {
        name: "class-of-module",
        imported: "",
        beside: "class Chest { var a: int constructor (a: int) ensures this.a == a { this.a := a; } }",
        type_of: "Chest",
        create: "b := new Chest(1);",
        location: "b.a",
        claim: "b.a == 1",
    },
];

/// Statements that change `$L`, a location of `b`.
const CHANGES: &[(&str, &str)] = &[
    ("assignment", "$L := 0;"),
    ("branch", "if true { $L := 0; }"),
    ("loop", "for k := 0 to 1 { $L := 0; }"),
    ("block", "{ $L := 0; }"),
    ("opaque-block", "opaque { $L := 0; }"),
    ("pair", "var y: int; $L, y := 0, 1;"),
    ("such-that", "$L :| $L == 0;"),
    ("havoc", "$L := *;"),
    ("modify", "modify b;"),
    ("other-name", "var d := b; $D := 0;"),
    ("forall", "forall k: int | k == 0 { $L := 0; }"),
];

/// Bodies of a method that creates `b` by `$N`, about which it claims `$P`, and additions of `$W` to
/// the body.
const BODIES: &[(&str, &str, &str)] = &[
    ("end", "$N", "...; $W"),
    ("after-assertion", "$N assert $P;", "...; assert ...; $W"),
    (
        "in-branch",
        "$N var i := 0; if i == 0 { i := 1; }",
        "...; if ... { ...; $W }",
    ),
    (
        "in-loop",
        "$N var i := 0; while i < 1 invariant $P { i := i + 1; }",
        "...; while ... { ...; $W }",
    ),
];

/// Adds statements of a refining method that change what the refined method has proved.
fn additions(table: &mut Table) {
    for object in OBJECTS {
        for (change, write) in CHANGES {
            for (body, base, refining) in BODIES {
                let with = |write: &str| {
                    let (imported, beside) = (object.imported, object.beside);
                    let import = match imported.is_empty() {
                        true => "",
                        false => "import T",
                    };
                    format!(
                        "module T {{ {imported} }} abstract module A {{ {import} {beside} \
                         method M() returns (b: {}) ensures fresh(b) && $P {{ {base} }} }} \
                         module B refines A {{ method M ... {{ {refining} }} }}",
                        object.type_of
                    )
                    .replace("$W", write)
                    .replace("$N", object.create)
                    .replace("$P", object.claim)
                    .replace("$D", &object.location.replace('b', "d"))
                    .replace("$L", object.location)
                };
                table.add(
                    "superimposed",
                    &[change, object.name, body],
                    Stage::Verify,
                    Basis::Rule(
                        "Module refinement: a refining method may assign only variables and fields of its own module",
                    ),
                    Options::Default,
                    with(write),
                    with("var z := 0;"),
                );
            }
        }
    }
}

/// Adds claims about refinement.
pub(crate) fn refinement(table: &mut Table) {
    recursion(table);
    replacements(table);
    additions(table);
}
