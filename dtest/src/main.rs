//! `cargo-dtest`: starts the engine, which stands beside this program and links Z3.
//!
//! The dynamic loader ends a program whose libraries are missing before its first line runs. This
//! launcher links no Z3, so that a machine without it gets a message that helps, and exit code 6.

use std::process::{Command, ExitCode};

/// What ld.so and dyld exit with, or are killed by, when a library is missing.
const LOADER_FAILED: [Option<i32>; 2] = [Some(127), None];

fn main() -> ExitCode {
    let engine = match std::env::current_exe() {
        Ok(me) => me.with_file_name(format!("cargo-dtest-engine{}", std::env::consts::EXE_SUFFIX)),
        Err(e) => return fail(&format!("cannot find my own path: {e}"), 70),
    };
    match Command::new(&engine).args(std::env::args_os().skip(1)).status() {
        Ok(status) if LOADER_FAILED.contains(&status.code()) && !loads(&engine) => fail(
            "Z3 is missing: its library (libz3) could not be loaded [cli/z3-missing]\n  \
             = note: versions 4.8.12 and newer are supported\n  \
             = help: install it with `apt-get install libz3-4`, `brew install z3`, or build with \
             `cargo install dtest --features vendored`",
            6,
        ),
        Ok(status) => ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(70)),
        Err(e) => fail(&format!("cannot start {}: {e}\n  = help: install both programs with `cargo install dtest`", engine.display()), 70),
    }
}

/// Whether the engine starts at all.
fn loads(engine: &std::path::Path) -> bool {
    Command::new(engine).arg("--version").output().is_ok_and(|o| o.status.success())
}

fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(code)
}
