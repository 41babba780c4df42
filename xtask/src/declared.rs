//! The checks of declarations in manifests: the oldest supported Rust version of each crate, and
//! the licences of dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::metadata::Package;
use crate::process::{self, cargo, succeeds};
use crate::{metadata, root};

/// The behaviour if a program that a check needs is not installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The check fails, with instructions for installing it.
    Fails,
    /// The check is skipped with a message.
    IsSaid,
}

/// Builds every crate of the workspace with the oldest Rust that its manifest names
/// (`rust-version`), if rustup has it.
///
/// # Errors
/// A crate does not build, or a toolchain is not installed and `missing` requires it.
pub fn rust_versions(missing: Missing) -> Result<(), String> {
    let root = root();
    let metadata = metadata::of_workspace(&root)?;
    let mut by_version: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        let version = package
            .rust_version
            .as_deref()
            .ok_or_else(|| format!("`{}` names no rust-version", package.name))?;
        by_version.entry(version).or_default().push(&package.name);
    }
    // Each version checks all packages that declare it.
    for (version, names) in by_version {
        let installed = ["", ".0"].map(|end| format!("{version}{end}"));
        let found = installed
            .iter()
            .find(|v| succeeds(Command::new("rustup").args(["run", v, "cargo", "--version"])));
        let Some(toolchain) = found else {
            let message = format!(
                "Rust {version}, with which {} are to build, is not installed",
                names.join(", ")
            );
            match missing {
                Missing::Fails => {
                    return Err(format!(
                        "{message}: `rustup toolchain install {version}.0 --profile minimal`"
                    ));
                }
                Missing::IsSaid => eprintln!("not checked: {message}"),
            }
            continue;
        };
        let packages = names.iter().flat_map(|name| ["-p", name]);
        let mut command = Command::new("rustup");
        command
            .args([
                "run",
                toolchain,
                "cargo",
                "check",
                "--quiet",
                "--target-dir",
                "target/rust-versions",
            ])
            .args(packages);
        process::run(
            command
                .current_dir(&root)
                .env_remove("CARGO")
                .env_remove("RUSTC")
                .env_remove("RUSTUP_TOOLCHAIN"),
        )?;
    }
    Ok(())
}

/// Checks the dependencies against `deny.toml`: with cargo-deny if it is installed, otherwise their
/// licences alone.
///
/// # Errors
/// The dependencies that are not allowed.
pub fn dependencies() -> Result<(), String> {
    let root = root();
    // `cargo deny` checks more; without it, only the licences are checked.
    if succeeds(Command::new("cargo").args(["deny", "--version"])) {
        return process::run(&mut cargo(
            &root,
            &["deny", "check", "licenses", "bans", "sources"],
        ));
    }
    let text =
        std::fs::read_to_string(root.join("deny.toml")).map_err(|e| format!("deny.toml: {e}"))?;
    let file: toml::Table = text.parse().map_err(|e| format!("deny.toml: {e}"))?;
    let listed = file
        .get("licenses")
        .and_then(|l| l.get("allow"))
        .and_then(toml::Value::as_array);
    let allowed: BTreeSet<&str> = listed
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
        .collect();
    let metadata = metadata::with_dependencies(&root)?;
    // A package may offer several licences; one of them must be in the list.
    let refused = |p: &&Package| {
        !p.license
            .as_deref()
            .is_some_and(|l| is_allowed(l, &allowed))
    };
    let refused: Vec<String> = metadata
        .packages
        .iter()
        .filter(refused)
        .map(|p| {
            format!(
                "{} {}: {}",
                p.name,
                p.version,
                p.license.as_deref().unwrap_or("no licence")
            )
        })
        .collect();
    if refused.is_empty() {
        eprintln!(
            "licences of {} packages are among those of deny.toml",
            metadata.packages.len()
        );
        Ok(())
    } else {
        Err(format!(
            "licences that deny.toml does not allow: {}",
            refused.join("; ")
        ))
    }
}

/// Whether allowed licences satisfy a licence expression (SPDX, or with the older `/` for `OR`).
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let one = |text: &str| allowed.contains(text.trim_matches([' ', '(', ')']));
    let either = |text: &str| text.replace('/', " OR ").split(" OR ").any(one);
    // Without nested parentheses, which no dependency has, the operands of AND are alternatives.
    expression.split(" AND ").all(either)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::is_allowed;

    #[test]
    fn licences_are_alternatives_and_all_of_several() {
        let allowed = BTreeSet::from(["MIT", "Unicode-3.0"]);
        for expression in [
            "MIT",
            "MIT/Apache-2.0",
            "Unlicense OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "GPL-3.0 OR MIT",
        ] {
            assert!(is_allowed(expression, &allowed), "{expression}");
        }
        for expression in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "Apache-2.0",
            "MPL-2.0 OR LGPL-3.0",
        ] {
            assert!(!is_allowed(expression, &allowed), "{expression}");
        }
    }
}
