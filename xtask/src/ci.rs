//! The gate: what every change must pass.

use std::process::Command;

use crate::process::{self, cargo, succeeds};
use crate::promised::{self, Missing};
use crate::{demo, extension, packages, root, z3};

/// Format, lints, what manifests promise, tests, the extension for VS Code, documentation, the demo.
pub fn run() -> Result<(), String> {
    z3::ensure()?;
    let root = root();
    process::run(&mut cargo(&root, &["fmt", "--all", "--check"]))?;
    process::run(&mut cargo(&root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    promised::dependencies()?;
    packages::run()?;
    promised::rust_versions(Missing::IsSaid)?;
    if succeeds(Command::new("cargo").args(["nextest", "--version"])) {
        process::run(&mut cargo(&root, &["nextest", "run", "--workspace", "--status-level", "fail"]))?;
        process::run(&mut cargo(&root, &["test", "--workspace", "--doc", "--quiet"]))?;
    } else {
        process::run(&mut cargo(&root, &["test", "--workspace", "--quiet"]))?;
    }
    extension::check()?;
    process::run(cargo(&root, &["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    demo::run_all(true)
}
