//! The fuzz targets, run without cargo-fuzz and without a nightly Rust: libFuzzer only needs the
//! coverage instrumentation of LLVM.

use std::path::Path;

use crate::process::{self, cargo};
use crate::root;

/// The instrumentation flags for LLVM, those of cargo-fuzz.
const INSTRUMENTATION: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1";

/// The targets, with directories of seed texts.
const TARGETS: [(&str, &[&str]); 3] = [
    (
        "parse",
        &["crates/dafny-resolve/tests/diagnostics/syntax", "fixtures"],
    ),
    (
        "resolve",
        &[
            "crates/dafny-resolve/tests/diagnostics/resolve",
            "dtest/tests/verdicts",
            "fixtures",
        ],
    ),
    (
        "interpret",
        &["fixtures", "dtest/tests/agreement/regressions"],
    ),
];

#[derive(clap::Args)]
pub struct Args {
    /// The targets [default: all]
    targets: Vec<String>,
    /// Duration of each target in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Builds the targets and runs each for some time, starting with the programs of the repository and
/// the corpus of earlier runs in `fuzz/corpus/`.
///
/// # Errors
/// A target does not exist, does not build, or found a failure: libFuzzer reports it, and saves the
/// input in `fuzz/artifacts/`.
pub fn run(args: &Args) -> Result<(), String> {
    let root = root();
    if let Some(unknown) = args
        .targets
        .iter()
        .find(|t| TARGETS.iter().all(|(name, _)| name != t))
    {
        return Err(format!(
            "`{unknown}` is no fuzz target; there are {}",
            TARGETS.map(|(name, _)| name).join(", ")
        ));
    }
    for (name, seeds) in TARGETS
        .iter()
        .filter(|(name, _)| args.targets.is_empty() || args.targets.iter().any(|t| t == name))
    {
        fuzz(&root.join("fuzz"), name, seeds, args.seconds)?;
    }
    Ok(())
}

fn fuzz(folder: &Path, name: &str, seeds: &[&str], seconds: u32) -> Result<(), String> {
    for made in ["corpus", "artifacts"] {
        let made = folder.join(made).join(name);
        std::fs::create_dir_all(&made).map_err(|e| format!("{}: {e}", made.display()))?;
    }
    let host = process::host()?;
    // With an explicit target, build scripts and macros are not instrumented.
    let mut command = cargo(
        folder,
        &["run", "--quiet", "--bin", name, "--target", &host, "--"],
    );
    command
        .env("RUSTFLAGS", INSTRUMENTATION)
        .arg(format!("corpus/{name}"))
        .args(seeds.iter().map(|s| format!("../{s}")));
    command
        .arg(format!("-artifact_prefix=artifacts/{name}/"))
        .arg(format!("-max_total_time={seconds}"));
    // The guards against deep recursion assume the stack size of the tool's threads.
    command.args([
        "-timeout=20",
        "-rss_limit_mb=4096",
        "-max_len=8192",
        "-only_ascii=0",
    ]);
    process::run(&mut command)
}
