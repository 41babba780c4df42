//! The published packages, in publishing order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::metadata::{self, Package};
use crate::process::{self, cargo, succeeds};
use crate::root;

/// Checks each crate's manifest for the metadata of a registry, and packages all crates, in
/// publishing order. Nothing is built or sent.
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
    let order = order(&members)?;
    eprintln!(
        "in the order in which they can be published: {}",
        order.join(", ")
    );
    let packages = order.iter().flat_map(|name| ["-p", name]);
    let package = |network: &[&str]| {
        let mut command = cargo(
            &root,
            &["package", "--no-verify", "--allow-dirty", "--quiet"],
        );
        command.args(network).args(packages.clone());
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

/// Returns an order in which each crate comes after its dependencies, by name otherwise.
fn order(members: &[Package]) -> Result<Vec<&str>, String> {
    let names: BTreeSet<&str> = members.iter().map(|p| p.name.as_str()).collect();
    let mut open: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in members {
        let needed = package
            .dependencies
            .iter()
            .filter(|d| d.path.is_some())
            .map(|d| d.name.as_str());
        open.insert(
            &package.name,
            needed.filter(|d| names.contains(d)).collect(),
        );
    }
    let mut order = Vec::new();
    while !open.is_empty() {
        let Some(next) = open
            .iter()
            .find(|(_, needs)| needs.iter().all(|n| order.contains(n)))
            .map(|(name, _)| *name)
        else {
            return Err(format!(
                "these crates need each other: {}",
                open.keys().copied().collect::<Vec<_>>().join(", ")
            ));
        };
        open.remove(next);
        order.push(next);
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::{Package, order};
    use crate::metadata::Dependency;

    fn package(name: &str, needs: &[&str]) -> Package {
        let dependency = |name: &&str| Dependency {
            name: (*name).to_owned(),
            path: Some("..".to_owned()),
        };
        Package {
            name: name.to_owned(),
            version: String::new(),
            rust_version: None,
            description: None,
            license: None,
            repository: None,
            readme: None,
            keywords: Vec::new(),
            categories: Vec::new(),
            metadata: None,
            publish: None,
            manifest_path: "Cargo.toml".into(),
            dependencies: needs.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn dependencies_are_published_first() {
        let members = [
            package("tool", &["engine", "syntax", "not-ours"]),
            package("engine", &["syntax"]),
            package("syntax", &[]),
            package("a", &[]),
        ];
        assert_eq!(order(&members), Ok(vec!["a", "syntax", "engine", "tool"]));
    }

    #[test]
    fn crates_that_need_each_other_have_no_order() {
        assert!(order(&[package("a", &["b"]), package("b", &["a"])]).is_err());
    }
}
