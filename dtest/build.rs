//! Defines a fingerprint of the sources that the program was built from, so that it does not reuse
//! results that another build cached.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// The sources that results depend on. In a checkout the crates of the stages are siblings of this
/// one; a published crate identifies them by their versions.
const ROOTS: [&str; 16] = [
    "Cargo.toml",
    "src",
    "../crates/dafny-syntax/src",
    "../crates/dafny-resolve/src",
    "../crates/dtest-encode/src",
    "../crates/dtest-interp/src",
    "../crates/dtest-ir/src",
    "../crates/dtest-limits/src",
    "../crates/dtest-lower/src",
    "../crates/dtest-mutants/src",
    "../crates/dtest-search/src",
    "../crates/dtest-smt/src",
    "../crates/dtest-value/src",
    "../crates/dtest-sorted/src",
    "../crates/dtest-emit/src",
    "../crates/dtest-emit-macros/src",
];

fn main() {
    let mut hasher = DefaultHasher::new();
    for root in ROOTS.map(Path::new).into_iter().filter(|r| r.exists()) {
        println!("cargo::rerun-if-changed={}", root.display());
        if let Err(e) = hash(root, &mut hasher) {
            println!("cargo::error=cannot read {}: {e}", root.display());
        }
    }
    println!("cargo::rustc-env=DTEST_SOURCES={:016x}", hasher.finish());
}

/// Paths and contents, in the order of the names.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries = std::fs::read_dir(path)?.collect::<std::io::Result<Vec<_>>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        return entries
            .iter()
            .try_for_each(|entry| hash(&entry.path(), hasher));
    }
    path.to_string_lossy().hash(hasher);
    std::fs::read(path)?.hash(hasher);
    Ok(())
}
