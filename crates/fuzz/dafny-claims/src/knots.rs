//! Types with values that hold a function over all values of the type.
//!
//! The carrier `C<X>` holds a function from `X`, and values of the type `R` hold a `C<R>`: a type
//! has more functions to `bool` than values, so that a verifier that accepts both proves `false` by
//! diagonalization (K. Rustan M. Leino, *Dafny Power User: Type-parameter modes*, krml280).

use crate::table::{Basis, Options, Stage, Table};

/// A type `C` with a type parameter.
struct Carrier {
    name: &'static str,
    /// The declarations.
    text: &'static str,
    /// Statements that create the value `d` of `C<R>` from the function `g`.
    create: &'static str,
    /// The type with the type argument `R`.
    of_r: &'static str,
    /// The function that the value `$D` holds.
    function: &'static str,
    /// The condition under which `$D` has a function.
    guard: &'static str,
}

const fn carrier(
    name: &'static str,
    text: &'static str,
    create: &'static str,
    of_r: &'static str,
    function: &'static str,
) -> Carrier {
    Carrier {
        name,
        text,
        create,
        of_r,
        function,
        guard: "true",
    }
}

const CARRIERS: &[Carrier] = &[
    carrier(
        "class",
        "class C<X> { const a: X -> bool ghost constructor (a: X -> bool) ensures this.a == a { this.a := a; } }",
        "var d := new C<R>(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "class-ghost-constant",
        "class C<X> { ghost const a: X -> bool ghost constructor (a: X -> bool) ensures this.a == a { this.a := a; } }",
        "var d := new C<R>(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "class-second-parameter",
        "class C<Y, X> { const a: X -> bool ghost constructor (a: X -> bool) ensures this.a == a { this.a := a; } }",
        "var d := new C<int, R>(g);",
        "C<int, R>",
        "$D.a",
    ),
    carrier(
        "class-of-invariant",
        "datatype B<!X> = B(f: X -> bool) class C<X> { const a: B<X> ghost constructor (f: X -> bool) ensures a == B(f) { a := B(f); } }",
        "var d := new C<R>(g);",
        "C<R>",
        "$D.a.f",
    ),
    carrier(
        "class-of-class",
        "class B<X> { const f: X -> bool ghost constructor (f: X -> bool) ensures this.f == f { this.f := f; } } class C<X> { const b: B<X> ghost constructor (b: B<X>) ensures this.b == b { this.b := b; } }",
        "var b := new B<R>(g); var d := new C<R>(b);",
        "C<R>",
        "$D.b.f",
    ),
    Carrier {
        name: "class-of-sequence",
        text: "class C<X> { const a: seq<X -> bool> ghost constructor (f: X -> bool) ensures a == [f] { a := [f]; } }",
        create: "var d := new C<R>(g);",
        of_r: "C<R>",
        function: "$D.a[0]",
        guard: "|$D.a| > 0",
    },
    Carrier {
        name: "nullable-class",
        text: "class C<X> { const a: X -> bool ghost constructor (a: X -> bool) ensures this.a == a { this.a := a; } }",
        create: "var d := new C<R>(g);",
        of_r: "C?<R>",
        function: "$D.a",
        guard: "$D != null",
    },
    carrier(
        "trait",
        "trait C<X> { const a: X -> bool } class K extends C<R> { ghost constructor (a: R -> bool) ensures this.a == a { this.a := a; } }",
        "var d := new K(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "trait-of-generic-class",
        "trait C<X> { const a: X -> bool } class K<Y> extends C<Y> { ghost constructor (a: Y -> bool) ensures this.a == a { this.a := a; } }",
        "var d := new K<R>(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "datatype-invariant",
        "datatype C<!X> = C(a: X -> bool)",
        "var d := C(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "datatype-contravariant",
        "datatype C<-X> = C(a: X -> bool)",
        "var d := C(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "codatatype",
        "codatatype C<!X> = C(a: X -> bool)",
        "var d := C(g);",
        "C<R>",
        "$D.a",
    ),
    carrier(
        "synonym",
        "type C<!X> = X -> bool",
        "var d := g;",
        "C<R>",
        "$D",
    ),
    carrier(
        "subset",
        "type C<!X> = f: X -> bool | true ghost witness x => true",
        "var d: C<R> := g;",
        "C<R>",
        "$D",
    ),
    carrier("function", "", "var d := g;", "R -> bool", "$D"),
];

/// Declarations of the type `R` with `$C`, the type of the carrier; a value of `R` with the carrier
/// `d`; the carrier of `$R`; and the condition under which it has one.
const TYPES: &[(&str, &str, &str, &str, &str)] = &[
    ("datatype", "datatype R = R(c: $C)", "R(d)", "$R.c", "true"),
    (
        "datatype-two-constructors",
        "datatype R = R(c: $C) | N",
        "R(d)",
        "$R.c",
        "$R.R?",
    ),
    (
        "datatype-ghost",
        "datatype R = R(ghost c: $C, n: int)",
        "R(d, 0)",
        "$R.c",
        "true",
    ),
    (
        "datatype-of-tuple",
        "datatype R = R(p: ($C, int))",
        "R((d, 0))",
        "$R.p.0",
        "true",
    ),
    (
        "datatype-of-sequence",
        "datatype R = R(s: seq<$C>)",
        "R([d])",
        "$R.s[0]",
        "|$R.s| > 0",
    ),
    (
        "datatype-of-map",
        "datatype R = R(m: map<int, $C>)",
        "R(map[0 := d])",
        "$R.m[0]",
        "0 in $R.m",
    ),
    (
        "datatype-of-function",
        "datatype R = R(f: int -> $C)",
        "R(i => d)",
        "$R.f(0)",
        "true",
    ),
    (
        "datatype-of-generic",
        "datatype G<X> = G(x: X) datatype R = R(p: G<$C>)",
        "R(G(d))",
        "$R.p.x",
        "true",
    ),
    (
        "datatype-mutual",
        "datatype Q = Q(c: $C) datatype R = R(q: Q)",
        "R(Q(d))",
        "$R.q.c",
        "true",
    ),
    (
        "datatype-of-synonym",
        "type S = $C datatype R = R(c: S)",
        "R(d)",
        "$R.c",
        "true",
    ),
    (
        "datatype-of-subset",
        "type S = c: $C | true witness * datatype R = R(c: S)",
        "R(d)",
        "$R.c",
        "true",
    ),
    (
        "codatatype",
        "codatatype R = R(c: $C)",
        "R(d)",
        "$R.c",
        "true",
    ),
    (
        "codatatype-more",
        "codatatype R = R(c: $C, rest: R) | N",
        "R(d, N)",
        "$R.c",
        "$R.R?",
    ),
];

/// Adds types whose cardinality would exceed itself.
pub(crate) fn cardinalities(table: &mut Table) {
    for carrier in CARRIERS {
        for (name, declaration, create, path, has) in TYPES {
            let held = |value: &str| {
                let path = path.replace("$R", value);
                let guard = carrier.guard.replace("$D", &path);
                let has = has.replace("$R", value);
                (
                    carrier.function.replace("$D", &path),
                    format!("{has} && {guard}"),
                )
            };
            let ((of_e, has_e), (of_r, _)) = (held("e"), held("r"));
            let of_d = carrier.function.replace("$D", "d");
            let declared = declaration.replace("$C", carrier.of_r);
            let carried = carrier.text;
            // The assertions name the terms that the solver needs.
            let text = format!(
                "{carried}\n{declared}\nghost method M() ensures false {{ \
                 var g := (e: R) => if {has_e} then !({of_e})(e) else true; {} assert {of_d} == g; \
                 var r := {create}; assert g(r) == !({of_r})(r); assert g(r) == ({of_r})(r); }}",
                carrier.create
            );
            // In the control, the functions are over other values.
            let other = |text: &str| text.replace("<R>", "<O>").replace("R ->", "O ->");
            let control = format!(
                "{}\n{}\ndatatype O = O\nghost method M() {{ var g := (e: O) => true; {} \
                 assert {of_d} == g; var r := {create}; }}",
                other(carried),
                declaration
                    .replace("$C", &other(carrier.of_r))
                    .replace("int, R>", "int, O>"),
                other(carrier.create).replace("int, R>", "int, O>"),
            );
            table.add(
                "cardinality",
                &[carrier.name, name],
                Stage::Verify,
                Basis::Rule(
                    "Type parameter variance: the values of a type must not hold functions over all of them",
                ),
                Options::Default,
                text,
                control,
            );
        }
    }
}
