//! The header of every generated file: the marker, the command, versions, and a hash of the inputs.

use sha2::{Digest, Sha256};

use super::files::MARKER;
use dafny_resolve::typed::Options;
use dafny_syntax::source::SourceMap;

/// Returns the comment lines of the header, terminated by a newline. `solver` is Z3's version if
/// the file depends on it.
pub fn header(
    command: &str,
    sources: &SourceMap,
    options: &Options,
    settings: &str,
    solver: Option<&str>,
) -> String {
    let with = solver.map_or_else(String::new, |v| format!(" with Z3 {v}"));
    let hash = hash(sources, options, settings);
    format!(
        "{MARKER} {}{with}; do not edit\n// {command}\n// inputs {hash}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// SHA-256, truncated to 16 bytes, of every source text with its path and of every option that
/// affects the result.
fn hash(sources: &SourceMap, options: &Options, settings: &str) -> String {
    let mut hasher = Sha256::new();
    // The scenarios follow from the other texts.
    let given = sources
        .files()
        .filter(|(_, f)| f.path != crate::pipeline::scenarios::FILE);
    for (_, file) in given {
        for part in [
            file.path.as_str(),
            &file.text,
            if file.named { "named" } else { "included" },
        ] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.update(format!("{options:?}{settings}"));
    hasher
        .finalize()
        .iter()
        .take(16)
        .map(|b| format!("{b:02x}"))
        .collect()
}
