//! The gate: what every change must pass.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::process::{self, cargo, succeeds};
use crate::promised::{self, Missing};
use crate::{demo, extension, packages, root, z3};

/// What is done, and its name.
type Step<'a> = (&'static str, &'a dyn Fn() -> Result<(), String>);

/// Format, lints, what manifests promise, tests, the extension for VS Code, documentation, the demo; and how long each takes.
pub fn run() -> Result<(), String> {
    let root = root();
    let run = |args: &[&str]| process::run(&mut cargo(&root, args));
    let steps: &[Step<'_>] = &[
        ("Z3", &z3::ensure),
        ("format", &|| run(&["fmt", "--all", "--check"])),
        ("lints", &|| run(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])),
        ("dependencies", &promised::dependencies),
        ("packages", &packages::run),
        ("oldest Rust", &|| promised::rust_versions(Missing::IsSaid)),
        ("tests", &|| tests(&root)),
        ("extension for VS Code", &extension::check),
        ("documentation", &|| {
            process::run(cargo(&root, &["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
        }),
        ("demo", &|| demo::run_all(true)),
    ];
    let start = Instant::now();
    for (name, step) in steps {
        let began = Instant::now();
        step().map_err(|e| format!("{name}: {e}"))?;
        eprintln!("{name}: passed in {:.0} s, {:.0} s since the start", began.elapsed().as_secs_f64(), start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn tests(root: &Path) -> Result<(), String> {
    if succeeds(Command::new("cargo").args(["nextest", "--version"])) {
        process::run(&mut cargo(root, &["nextest", "run", "--workspace", "--status-level", "fail"]))?;
        process::run(&mut cargo(root, &["test", "--workspace", "--doc", "--quiet"]))
    } else {
        process::run(&mut cargo(root, &["test", "--workspace", "--quiet"]))
    }
}
