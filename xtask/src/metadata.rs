//! What manifests say, as cargo reads them (`cargo metadata`).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::process::{self, cargo};

/// What cargo says of several packages.
#[derive(Deserialize)]
pub struct Metadata {
    /// In no particular order.
    pub packages: Vec<Package>,
}

/// A package, as far as its manifest is looked at here.
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
    /// `readme`, below the manifest's folder.
    pub readme: Option<String>,
    /// `keywords`.
    pub keywords: Vec<String>,
    /// `categories`.
    pub categories: Vec<String>,
    /// `[package.metadata]`.
    pub metadata: Option<serde_json::Value>,
    /// Registries that take it; `None`: all, none: it is not published.
    pub publish: Option<Vec<String>>,
    /// Where the manifest is.
    pub manifest_path: PathBuf,
    /// What it depends upon.
    pub dependencies: Vec<Dependency>,
}

/// A dependency.
#[derive(Deserialize)]
pub struct Dependency {
    /// Of which package.
    pub name: String,
    /// Its folder, where it is one of the workspace.
    pub path: Option<String>,
}

/// The packages of the workspace.
///
/// # Errors
/// What cargo says against a manifest.
pub fn of_workspace(root: &Path) -> Result<Metadata, String> {
    read(root, &["--no-deps"])
}

/// Those, and all that they depend upon on this machine.
///
/// # Errors
/// What cargo says against a manifest, or what it cannot get.
pub fn with_dependencies(root: &Path) -> Result<Metadata, String> {
    // What other systems need need not be there.
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
