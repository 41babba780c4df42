//! `init --convention dafny`: the keys of `dtest.toml` for tests of what `dafny translate rs` wrote.

use std::path::Path;

use super::super::super::{against, config, files};
use super::from::Keys;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;

/// The usual name of the file that Dafny writes for a package.
const USUAL: &str = "implementation_from_dafny.rs";

/// Looks for Dafny's Rust and for the Dafny sources below `root`.
///
/// # Errors
/// There is no file that Dafny wrote.
pub(super) fn keys(root: &Path) -> Result<Keys, Diagnostic> {
    let written = below(&root.join("src"), "rs").into_iter().filter(|path| {
        let text = files::read_text(&root.join("src").join(path)).unwrap_or_default();
        is_of_dafny(&text)
    });
    let mut written: Vec<String> = written.collect();
    // The usual name first, then the shortest path.
    written.sort_by_key(|path| (!path.ends_with(USUAL), path.len()));
    let Some(found) = written.first() else {
        let message = "no file below `src` was written by `dafny translate rs`";
        let help = "translate the program with `--rust-module-name implementation_from_dafny`, copy the file to `src/implementation_from_dafny.rs`, and declare `pub mod implementation_from_dafny;` in src/lib.rs";
        return Err(Diagnostic::global(MessageId::CliConvention, message).with_help(help));
    };
    let path = module_path(found);
    let mut notes = vec![format!("found `{path}` in src/{found}, which Dafny wrote")];
    // What is wrong now is said now; `gen` refuses it.
    for module in against::missing_modules(root, &path, &[Vec::new()]) {
        let problem = if module.is_private {
            "is private"
        } else {
            "is not declared"
        };
        notes.push(format!(
            "`{}` {problem}: declare it as `pub mod` in {}",
            module.path, module.file
        ));
    }
    if let Some((message, help)) = against::wrong_runtime(root) {
        notes.push(format!("{message}: {help}"));
    }
    let sources = below(root, "dfy");
    let mut text = String::new();
    if sources.is_empty() {
        notes.push("found no Dafny sources: set `files` in dtest.toml to their paths".to_owned());
    } else {
        let names = sources.iter().map(|s| format!("`{s}`"));
        notes.push(format!("found {}", names.collect::<Vec<_>>().join(", ")));
        text.extend(config::key("files", &sources));
    }
    text.extend(config::key("against", &[path]));
    text.extend(config::key("convention", &["dafny".to_owned()]));
    Ok(Keys { text, notes })
}

/// Whether a file of Rust is a translation by Dafny.
fn is_of_dafny(text: &str) -> bool {
    text.contains("::dafny_runtime::") && text.contains("pub struct _default {}")
}

/// Returns the Rust path of a file below `src`.
fn module_path(file: &str) -> String {
    let name = file.strip_suffix(".rs").unwrap_or(file);
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" || name == "main" {
        return "crate".to_owned();
    }
    format!("crate::{}", name.replace('/', "::"))
}

/// Returns the files with an extension below a directory, without hidden directories and build
/// products, in order.
fn below(directory: &Path, extension: &str) -> Vec<String> {
    let is_searched = |e: &walkdir::DirEntry| {
        let name = e.file_name().to_string_lossy();
        e.depth() == 0 || (!name.starts_with('.') && name != "target")
    };
    let walk = walkdir::WalkDir::new(directory).sort_by_file_name();
    let entries = walk.into_iter().filter_entry(is_searched).flatten();
    let found = entries.filter(|e| {
        e.file_type().is_file() && e.path().extension().is_some_and(|x| x == extension)
    });
    let relative = found.filter_map(|e| {
        let path = e.path().strip_prefix(directory).ok()?;
        let parts = path.iter().map(|p| p.to_string_lossy());
        Some(parts.collect::<Vec<_>>().join("/"))
    });
    relative.collect()
}

#[cfg(test)]
mod tests {
    use super::module_path;

    #[test]
    fn files_are_modules_by_their_path() {
        assert_eq!(module_path("lib.rs"), "crate");
        assert_eq!(
            module_path("implementation_from_dafny.rs"),
            "crate::implementation_from_dafny"
        );
        assert_eq!(module_path("a/mod.rs"), "crate::a");
        assert_eq!(module_path("a/b.rs"), "crate::a::b");
    }
}
