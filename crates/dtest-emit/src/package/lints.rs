//! The lints that generated code allows, each with a reason. All others are satisfied: `cargo
//! clippy -- -D warnings` passes.

/// Lints on names: Rust items keep the names that they have in Dafny, with Rust's capitalization
/// except for types.
const NAMES: &[&str] = &[
    // Types and constructors keep their names: `datatype tree`.
    "non_camel_case_types",
    // A variable that has the name of a constructor; patterns use paths for constructors.
    "bindings_with_variant_name",
    // `foo`, `bar`.
    "clippy::disallowed_names",
    // A module that has the name of its file.
    "clippy::module_inception",
    // `constructor Heap` of `class Heap`.
    "clippy::self_named_constructors",
    // Comments carry over as they are.
    "clippy::doc_lazy_continuation",
];

/// Lints on the contents of a program: the translation has the statements and conditions of the
/// source.
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
    // A parameter that only specifications use, and that is passed on.
    "clippy::only_used_in_recursion",
    "clippy::too_many_arguments",
    // A function that never returns, under `decreases *`.
    "unconditional_recursion",
    // A case after one that matches all of its values; Dafny warns of it too.
    "unreachable_patterns",
];

/// Lints on the style of the translation.
const STYLE: &[&str] = &[
    // Patterns dereference `Rc` one step at a time. Conditions that bind variables would do it at
    // once, but require the 2024 edition.
    "clippy::collapsible_if",
    // The content of a lazy field is dereferenced explicitly: `&*xs`.
    "clippy::explicit_auto_deref",
];

/// Returns the attributes, as lines of text. `cargo fmt` must not change the file, because the
/// regenerated file would differ. (The modern attribute, `#![rustfmt::skip]`, is not stable at the
/// head of a file.)
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
