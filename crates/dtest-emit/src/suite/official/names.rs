//! The names that Dafny 4.11.0 gives the items of a program in Rust.
//!
//! A name stays as it is where Rust allows it. Otherwise it is escaped as for all of Dafny's
//! backends (`_` by `__`, `'` by `_k`, `?` by `_q`), with `_` in front. The argument of `{:extern}`
//! replaces the name.

use dafny_resolve::typed::{
    Attribute, AttributeArg, Attributes as _, CallableId, ModuleId, Program, TypeId,
};

/// Keywords of Rust that are names with `r#`.
const RAW: [&str; 45] = [
    "as", "async", "await", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "static", "struct", "trait", "true", "type", "union", "unsafe", "use",
    "where", "while", "abstract", "become", "box", "final", "macro", "override", "priv", "typeof",
    "unsized",
];
/// Further keywords that are names with `r#`.
const MORE_RAW: [&str; 3] = ["virtual", "yield", "try"];
/// Keywords that are no names with `r#`.
const PATHS: [&str; 4] = ["self", "Self", "super", "crate"];

/// Returns the name of a declaration, as Dafny's Rust backend writes it.
pub(super) fn escaped(name: &str) -> String {
    if name.contains(['\'', '?']) {
        return format!("_{}", in_full(name));
    }
    if RAW.contains(&name) || MORE_RAW.contains(&name) {
        return format!("r#{name}");
    }
    if PATHS.contains(&name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("_{name}");
    }
    name.to_owned()
}

/// Returns a name with all of its special characters escaped.
fn in_full(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '_' => out.push_str("__"),
            '\'' => out.push_str("_k"),
            '?' => out.push_str("_q"),
            c => out.push(c),
        }
    }
    out
}

/// Returns the name of the Rust field that holds a constant of a class.
pub(super) fn constant(name: &str) -> String {
    format!("__i_{}", in_full(name))
}

/// Returns the Rust modules of a Dafny module, outermost first. With `has_suffixes`, they end in
/// `_Compile`, which Dafny then escapes.
pub(super) fn modules(program: &Program, module: ModuleId, has_suffixes: bool) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = Some(module);
    while let Some(id) = at {
        let declared = &program[id];
        let attribute = declared.attribute("extern");
        let segments: Vec<String> = match external(attribute) {
            Some(name) => name.split('.').map(escaped).collect(),
            None if declared.name.is_empty() => Vec::new(),
            None if has_suffixes && attribute.is_none() => {
                vec![format!("_{}_Compile", in_full(&declared.name))]
            }
            None => vec![escaped(&declared.name)],
        };
        path.splice(0..0, segments);
        // An external module is at the root, also if it is declared in another one.
        at = declared.parent.filter(|_| attribute.is_none());
    }
    if path.is_empty() {
        path.push("_module".to_owned());
    }
    path
}

/// Returns the name of a type.
pub(super) fn type_name(program: &Program, decl: TypeId) -> String {
    let declared = &program[decl];
    external(declared.attribute("extern")).map_or_else(|| escaped(&declared.name), escaped)
}

/// Returns the name of a function, method or constructor.
pub(super) fn callable_name(program: &Program, callable: CallableId) -> String {
    let declared = &program[callable];
    external(declared.attribute("extern")).map_or_else(|| escaped(&declared.name), escaped)
}

/// Returns the name that `{:extern}` gives: its last argument.
fn external(attribute: Option<&Attribute>) -> Option<&str> {
    match attribute?.args.last()? {
        AttributeArg::String(name) => Some(name),
        AttributeArg::Bool(_) | AttributeArg::Int(_) | AttributeArg::Other(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{constant, escaped};

    /// As in what `dafny translate rs` of Dafny 4.11.0 writes for these names.
    #[test]
    fn names_are_those_of_dafny_4_11() {
        for (name, expected) in [
            ("Data_One'", "_Data__One_k"),
            ("Make_It", "Make_It"),
            ("x_y", "x_y"),
            ("z'", "_z_k"),
            ("f_", "f_"),
            ("fn", "r#fn"),
            ("loop", "r#loop"),
            ("self", "_self"),
            ("Is?", "_Is_q"),
            ("Is'x", "_Is_kx"),
            ("3", "_3"),
            ("match_", "match_"),
        ] {
            assert_eq!(escaped(name), expected, "{name}");
        }
    }

    #[test]
    fn constants_of_classes_are_escaped_in_full() {
        for (name, expected) in [
            ("start", "__i_start"),
            ("y_z", "__i_y__z"),
            ("x'", "__i_x_k"),
        ] {
            assert_eq!(constant(name), expected, "{name}");
        }
    }
}
