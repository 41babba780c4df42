//! The published packages.

use std::path::Path;

use crate::metadata::{self, Package};
use crate::process::{self, cargo, succeeds};
use crate::root;

/// Checks each crate's manifest for the metadata of a registry, and packages all crates as
/// `cargo publish --workspace` would. Cargo finds the order, and rejects crates that need each
/// other. Nothing is built or sent.
///
/// # Errors
/// Missing metadata; errors of `cargo package`.
pub fn run() -> Result<(), String> {
    let root = root();
    let mut members = metadata::of_workspace(&root)?.packages;
    members.retain(|p| {
        p.publish
            .as_ref()
            .is_none_or(|registries| !registries.is_empty())
    });
    let lacking: Vec<String> = members
        .iter()
        .flat_map(|p| {
            lacks(p)
                .into_iter()
                .map(|what| format!("`{}` has no {what}", p.name))
        })
        .collect();
    if !lacking.is_empty() {
        return Err(format!(
            "what a registry shows is missing: {}",
            lacking.join("; ")
        ));
    }
    let names = members.iter().flat_map(|p| ["-p", p.name.as_str()]);
    let package = |network: &[&str]| {
        let mut command = cargo(
            &root,
            &["package", "--no-verify", "--allow-dirty", "--quiet"],
        );
        command.args(network).args(names.clone());
        command
    };
    // The network is not used if all dependencies are present, as after a build.
    if succeeds(&mut package(&["--offline"])) {
        Ok(())
    } else {
        process::run(&mut package(&[]))
    }
}

/// Returns the entries and files that a manifest lacks.
fn lacks(package: &Package) -> Vec<&'static str> {
    let directory = package.manifest_path.parent().unwrap_or(Path::new("."));
    let has_docs = package
        .metadata
        .as_ref()
        .is_some_and(|m| m.pointer("/docs/rs").is_some());
    let has_readme = package
        .readme
        .as_ref()
        .is_some_and(|r| directory.join(r).is_file());
    let has_licences = ["LICENSE-MIT", "LICENSE-APACHE"]
        .iter()
        .all(|name| directory.join(name).is_file());
    let wanted = [
        (package.description.is_some(), "description"),
        (package.license.is_some(), "licence"),
        (package.repository.is_some(), "repository"),
        (
            !package.keywords.is_empty() && package.keywords.len() <= 5,
            "keywords, or more than five",
        ),
        (
            !package.categories.is_empty() && package.categories.len() <= 5,
            "categories, or more than five",
        ),
        (has_readme, "README.md that it names"),
        (
            has_licences,
            "texts of its licences beside its manifest (links to those of the repository)",
        ),
        (has_docs, "[package.metadata.docs.rs]"),
    ];
    wanted
        .into_iter()
        .filter_map(|(is_there, what)| (!is_there).then_some(what))
        .collect()
}
