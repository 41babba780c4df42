//! Defines a fingerprint of the sources that the program was built from, so that it does not reuse
//! results that another build cached.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The directory with the crates of the stages. In a checkout it is beside this crate; a published
/// crate identifies them by their versions.
const CRATES: &str = "../crates";

fn main() {
    let mut hasher = DefaultHasher::new();
    let mut roots = vec![PathBuf::from("Cargo.toml"), PathBuf::from("src")];
    // Every stage counts: a crate that is added later must not be forgotten.
    let stages = std::fs::read_dir(CRATES).into_iter().flatten().flatten();
    let mut stages: Vec<_> = stages.map(|stage| stage.path().join("src")).collect();
    stages.sort();
    roots.extend(stages.into_iter().filter(|source| source.is_dir()));
    for root in roots {
        println!("cargo::rerun-if-changed={}", root.display());
        if let Err(e) = hash(&root, &mut hasher) {
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
