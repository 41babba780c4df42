//! Functions that call themselves through an object in which they are stored.
//!
//! The class `K` has a constant that holds a function `g` from values in which objects of the class
//! occur. `g` calls the function of its argument, so that `g`, applied to an object that holds it,
//! calls itself without an end (P. J. Landin's knot). A verifier that accepts it proves `false`.

use crate::table::{Basis, Options, Stage, Table};

/// A type that holds a function of the type `$F`.
struct Holder {
    name: &'static str,
    /// The declarations.
    text: &'static str,
    type_of: &'static str,
    /// Statements that prepare the value.
    prepare: &'static str,
    /// The value that holds `g`.
    value: &'static str,
    /// The function that the value `$A` holds.
    function: &'static str,
    /// The condition under which `$A` has a function.
    guard: &'static str,
}

const fn holder(
    name: &'static str,
    text: &'static str,
    type_of: &'static str,
    value: &'static str,
    function: &'static str,
) -> Holder {
    Holder {
        name,
        text,
        type_of,
        prepare: "",
        value,
        function,
        guard: "true",
    }
}

const HOLDERS: &[Holder] = &[
    holder("function", "", "$F", "g", "$A"),
    holder("datatype", "datatype B = B(f: $F)", "B", "B(g)", "$A.f"),
    holder(
        "generic-datatype",
        "datatype B<X> = B(f: X)",
        "B<$F>",
        "B(g)",
        "$A.f",
    ),
    holder("codatatype", "codatatype B = B(f: $F)", "B", "B(g)", "$A.f"),
    holder("tuple", "", "($F, int)", "(g, 0)", "$A.0"),
    Holder {
        guard: "|$A| > 0",
        ..holder("sequence", "", "seq<$F>", "[g]", "$A[0]")
    },
    Holder {
        guard: "0 in $A",
        ..holder("map", "", "map<int, $F>", "map[0 := g]", "$A[0]")
    },
    Holder {
        guard: "0 in $A",
        ..holder("infinite-map", "", "imap<int, $F>", "imap[0 := g]", "$A[0]")
    },
    holder("function-to-function", "", "int -> $F", "i => g", "$A(0)"),
    holder(
        "subset",
        "type B = f: $F | true ghost witness x => 0",
        "B",
        "g",
        "$A",
    ),
    holder("synonym", "type B = $F", "B", "g", "$A"),
    Holder {
        prepare: "var b := new B(g);",
        ..holder(
            "class",
            "class B { const f: $F constructor (f: $F) ensures this.f == f { this.f := f; } }",
            "B",
            "b",
            "$A.f",
        )
    },
    Holder {
        prepare: "var b := new B<$F>(g);",
        ..holder(
            "generic-class",
            "class B<X> { const f: X constructor (f: X) ensures this.f == f { this.f := f; } }",
            "B<$F>",
            "b",
            "$A.f",
        )
    },
    Holder {
        prepare: "var b := new I(g);",
        ..holder(
            "trait",
            "trait B { const f: $F } class I extends B { constructor (f: $F) ensures this.f == f { this.f := f; } }",
            "B",
            "b",
            "$A.f",
        )
    },
];

/// Types of the argument: the declarations, the type, the value with the object `k`, the object in
/// the argument `e`, and the condition under which there is one.
const ARGUMENTS: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("object", "", "K", "k", "e", "true"),
    ("nullable", "", "K?", "k", "e", "e != null"),
    ("tuple", "", "(K, int)", "(k, 0)", "e.0", "true"),
    ("sequence", "", "seq<K>", "[k]", "e[0]", "|e| > 0"),
    ("map", "", "map<int, K>", "map[0 := k]", "e[0]", "0 in e"),
    ("function", "", "int -> K", "i => k", "e(0)", "true"),
    ("object-type", "", "object", "k", "(e as K)", "e is K"),
    ("trait", "trait T { }", "T", "k", "(e as K)", "e is K"),
    (
        "datatype",
        "datatype P = P(k: K)",
        "P",
        "P(k)",
        "e.k",
        "true",
    ),
    (
        "datatype-two-constructors",
        "datatype P = P(k: K) | N",
        "P",
        "P(k)",
        "e.k",
        "e.P?",
    ),
    (
        "generic-datatype",
        "datatype P<X> = P(k: X)",
        "P<K>",
        "P(k)",
        "e.k",
        "true",
    ),
    (
        "codatatype",
        "codatatype P = P(k: K)",
        "P",
        "P(k)",
        "e.k",
        "true",
    ),
    (
        "datatype-of-object-type",
        "datatype P = P(k: object)",
        "P",
        "P(k)",
        "(e.k as K)",
        "e.k is K",
    ),
    (
        "subset-of-objects",
        "type P = k: K | true witness *",
        "P",
        "k",
        "e",
        "true",
    ),
];

/// Adds functions that are stored in an object to which they are applied.
pub(crate) fn functions(table: &mut Table) {
    for held in HOLDERS {
        for (argument, declared, type_of, value, object, has) in ARGUMENTS {
            let function = |of: &str| held.function.replace("$A", &format!("{of}.a"));
            let guard = held.guard.replace("$A", &format!("{object}.a"));
            let (of_e, of_k) = (function(object), function("k"));
            let extends = match *argument {
                "trait" => " extends T",
                _ => "",
            };
            let with = |of: &str, body: &str, value: &str, claim: &str| {
                format!(
                    "{}\n{declared}\nclass K{extends} {{ const a: $B constructor (a: $B) \
                     ensures this.a == a {{ this.a := a; }} }}\nmethod M(){claim} {{ \
                     var g := (e: {of}) => {body}; {} var k := new K({}); \
                     var e: {of} := {value}; assert {of_k} == g;",
                    held.text, held.prepare, held.value
                )
                .replace("$B", held.type_of)
                .replace("$F", &format!("(({of}) -> int)"))
            };
            let body = format!("if {has} && {guard} then ({of_e})(e) + 1 else 0");
            table.add(
                "stored-function",
                &[held.name, argument],
                Stage::Verify,
                Basis::Rule(
                    "Termination: a function must not call itself through an object in which it is stored",
                ),
                Options::Default,
                format!(
                    "{} assert g(e) == ({of_e})(e) + 1; }}",
                    with(type_of, &body, value, " ensures false")
                ),
                // In the control, the functions are over numbers.
                format!("{} }}", with("int", "0", "0", "")),
            );
        }
    }
}
