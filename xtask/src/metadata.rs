//! The contents of manifests, as cargo reads them (`cargo metadata`).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::process::{self, cargo};

/// The metadata of several packages.
#[derive(Deserialize)]
pub struct Metadata {
    /// The packages, in no particular order.
    pub packages: Vec<Package>,
}

/// The used fields of the manifest of a package.
#[derive(Deserialize)]
pub struct Package {
    /// `name`.
    pub name: String,
    /// `version`.
    pub version: String,
    /// `rust-version`.
    pub rust_version: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `license`.
    pub license: Option<String>,
    /// `repository`.
    pub repository: Option<String>,
    /// `readme`, relative to the manifest's directory.
    pub readme: Option<String>,
    /// `keywords`.
    pub keywords: Vec<String>,
    /// `categories`.
    pub categories: Vec<String>,
    /// `[package.metadata]`.
    pub metadata: Option<serde_json::Value>,
    /// Registries that accept it; `None` for all, empty if it is not published.
    pub publish: Option<Vec<String>>,
    /// The path of the manifest.
    pub manifest_path: PathBuf,
}

/// Returns the packages of the workspace.
///
/// # Errors
/// Cargo's errors about a manifest.
pub fn of_workspace(root: &Path) -> Result<Metadata, String> {
    read(root, &["--no-deps"])
}

/// Returns the packages of the workspace and all their dependencies on this platform.
///
/// # Errors
/// Cargo's errors about a manifest, or about dependencies that cannot be downloaded.
pub fn with_dependencies(root: &Path) -> Result<Metadata, String> {
    // Dependencies of other platforms may be missing.
    read(root, &["--filter-platform", &process::host()?])
}

fn read(root: &Path, options: &[&str]) -> Result<Metadata, String> {
    let mut command = cargo(root, &["metadata", "--format-version", "1"]);
    let output = command
        .args(options)
        .output()
        .map_err(|e| format!("cannot run cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
}
