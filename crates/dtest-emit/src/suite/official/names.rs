//! The names that Dafny 4.11.0 gives the items of a program in Rust.
//!
//! A name stays as it is where Rust allows it. Otherwise it is escaped as for all of Dafny's
//! backends (`_` by `__`, `'` by `_k`, `?` by `_q`), with `_` in front.

use dafny_resolve::typed::{ModuleId, Program};

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
        let mut out = String::from("_");
        for c in name.chars() {
            match c {
                '_' => out.push_str("__"),
                '\'' => out.push_str("_k"),
                '?' => out.push_str("_q"),
                c => out.push(c),
            }
        }
        return out;
    }
    if RAW.contains(&name) || MORE_RAW.contains(&name) {
        return format!("r#{name}");
    }
    if PATHS.contains(&name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("_{name}");
    }
    name.to_owned()
}

/// Returns the Rust modules of a Dafny module, outermost first.
pub(super) fn modules(program: &Program, module: ModuleId) -> Vec<String> {
    let path = program.module_path(module);
    if path.is_empty() {
        return vec!["_module".to_owned()];
    }
    path.iter().map(|name| escaped(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::escaped;

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
}
