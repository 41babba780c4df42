//! The header of every generated file: the marker, the command, versions, and a hash of the inputs.

use sha2::{Digest, Sha256};

use super::files::MARKER;
use dafny_resolve::typed::{Options, Program};
use dafny_source::SourceMap;
use dtest_desugar::TestOptions as _;

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

/// Returns the first line of a file of test vectors.
pub fn vectors(
    command: &str,
    program: &Program,
    sources: &SourceMap,
    settings: &str,
    solver: &str,
) -> String {
    let tool = format!(
        "{} with Z3 {solver}; do not edit",
        env!("CARGO_PKG_VERSION")
    );
    let hash = hash(sources, &program.options, settings);
    dtest_emit::vectors::header(&tool, command, &hash, program)
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
    hasher.update(format!("{}{settings}", text(options)));
    hasher
        .finalize()
        .iter()
        .take(16)
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// The options as text. Files that were written by an earlier version keep their hash as long as
/// this text stays the same.
fn text(options: &Options) -> String {
    let Options {
        function_syntax,
        unicode_char,
        relax_definite_assignment,
        enforce_determinism,
        reads_clauses_on_methods,
        type_system_refresh,
        general_newtypes,
        general_traits,
        tables: _,
    } = options;
    let (links, mocks) = (options.links(), options.mocks());
    let unstubbed = match options.unstubbed() {
        none if none.is_empty() => String::new(),
        some => format!(", unstubbed: {some:?}"),
    };
    format!(
        "Options {{ function_syntax: {function_syntax:?}, unicode_char: {unicode_char:?}, \
         relax_definite_assignment: {relax_definite_assignment:?}, \
         enforce_determinism: {enforce_determinism:?}, \
         reads_clauses_on_methods: {reads_clauses_on_methods:?}, \
         type_system_refresh: {type_system_refresh:?}, general_newtypes: {general_newtypes:?}, \
         general_traits: {general_traits:?}, links: {links:?}, mocks: {mocks:?}{unstubbed} }}"
    )
}
