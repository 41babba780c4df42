//! The gate: the checks that every change must pass.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::declared::{self, Missing};
use crate::process::{self, cargo, configured, succeeds};
use crate::{comments, demo, extension, packages, root, z3};

/// A check with its name.
type Step<'a> = (&'static str, &'a dyn Fn() -> Result<(), String>);

#[derive(clap::Args)]
pub struct Args {
    /// Use this configuration of cargo for the workspace, but not for the packages that tests and
    /// the demo generate
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Runs the checks in order, and prints the duration of each: format, doc comments, lints, declarations in
/// manifests, tests, the extension for VS Code, documentation, the demo.
pub fn run(args: &Args) -> Result<(), String> {
    let config = args.config.as_deref();
    let steps: &[Step<'_>] = &[
        ("Z3", &z3::ensure),
        ("format", &|| {
            process::run(&mut cargo(&root(), &["fmt", "--all", "--check"]))
        }),
        ("doc comments", &comments::check),
        ("lints", &|| {
            process::run(&mut configured(
                config,
                &["clippy"],
                &[
                    "--workspace",
                    "--all-targets",
                    "--quiet",
                    "--",
                    "-D",
                    "warnings",
                ],
            ))
        }),
        ("dependencies", &declared::dependencies),
        ("packages", &packages::run),
        ("oldest Rust", &|| declared::rust_versions(Missing::IsSaid)),
        ("tests", &|| tests(config)),
        ("extension for VS Code", &extension::check),
        ("documentation", &|| {
            process::run(
                configured(config, &["doc"], &["--workspace", "--no-deps", "--quiet"])
                    .env("RUSTDOCFLAGS", "-D warnings"),
            )
        }),
        ("demo", &|| demo::run_all(true, config)),
    ];
    // The first failure ends the run; cheap steps come first.
    let start = Instant::now();
    for (name, step) in steps {
        let began = Instant::now();
        step().map_err(|e| format!("{name}: {e}"))?;
        eprintln!(
            "{name}: passed in {:.0} s, {:.0} s since the start",
            began.elapsed().as_secs_f64(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn tests(config: Option<&Path>) -> Result<(), String> {
    let run = |subcommand: &[&str], args: &[&str]| {
        process::run(&mut configured(config, subcommand, args))
    };
    if succeeds(Command::new("cargo").args(["nextest", "--version"])) {
        run(
            &["nextest", "run"],
            &["--workspace", "--status-level", "fail"],
        )?;
        run(&["test"], &["--workspace", "--doc", "--quiet"])
    } else {
        run(&["test"], &["--workspace", "--quiet"])
    }
}
