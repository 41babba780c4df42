//! The lints that generated code turns off, each with its reason. All others hold: `cargo clippy -- -D warnings` passes.

/// Lints on names: what Dafny names is called so in Rust, in the case that Rust asks for where that is not a type's.
const NAMES: &[&str] = &[
    // Types and constructors keep their names: `datatype tree`.
    "non_camel_case_types",
    // A variable that is called like a constructor; patterns name constructors by their paths.
    "bindings_with_variant_name",
    // `foo`, `bar`.
    "clippy::disallowed_names",
    // A module within the file that is named like it.
    "clippy::module_inception",
    // `constructor Heap` of `class Heap`.
    "clippy::self_named_constructors",
    // Comments carry over as they are.
    "clippy::doc_lazy_continuation",
];

/// Lints on what a program says: the translation has the statements and conditions of the source.
const SHAPE: &[&str] = &[
    // `if` as the only statement of a case.
    "clippy::collapsible_match",
    // `x == x`.
    "clippy::eq_op",
    // `if a then b else if c then b else d`.
    "clippy::if_same_then_else",
    // `lo <= x <= hi`.
    "clippy::manual_range_contains",
    // `var t := x; x := y; y := t;`.
    "clippy::manual_swap",
    // `a && b ==> c` is `!(a && b) || c`.
    "clippy::nonminimal_bool",
    // A parameter that matters to specifications alone, and is passed on.
    "clippy::only_used_in_recursion",
    "clippy::too_many_arguments",
    // A function without end, under `decreases *`.
    "unconditional_recursion",
    // A case behind one that takes all of its values; Dafny warns of it too.
    "unreachable_patterns",
];

/// Lints on how the translation is written.
const STYLE: &[&str] = &[
    // Patterns look through `Rc` a step at a time; conditions that bind variables, which would do it at once, need the
    // edition of 2024.
    "clippy::collapsible_if",
    // What a lazy field holds is taken out where it is needed: `&*xs`.
    "clippy::explicit_auto_deref",
];

/// The attributes, as lines of text. `cargo fmt` leaves the file as it is: what is generated anew would differ from it. (The attribute
/// of today, `#![rustfmt::skip]`, is not stable at the head of a file.)
pub(crate) fn header() -> String {
    let mut text = "#![cfg_attr(rustfmt, rustfmt_skip)]\n".to_owned();
    for (reason, lints) in [
        ("Names as in Dafny.", NAMES),
        ("Statements and conditions as in Dafny.", SHAPE),
        ("Fields behind `Rc` and `Lazy`.", STYLE),
    ] {
        text.push_str(&format!("// {reason}\n#![allow({})]\n", lints.join(", ")));
    }
    text
}
