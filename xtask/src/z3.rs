//! Finding Z3's library and header, or installing them.

use std::process::Command;

use crate::process;

/// Ensures that Z3 can be linked; installs it with the system's package manager if it is missing.
pub fn ensure() -> Result<(), String> {
    if linkable() {
        return Ok(());
    }
    eprintln!("Z3 (4.8.12 or newer) is not installed; installing it");
    if has("apt-get") {
        let prefix = if is_root() { vec![] } else { vec!["sudo"] };
        let apt = |args: &[&str]| {
            let words: Vec<&str> = prefix
                .iter()
                .copied()
                .chain(["apt-get"])
                .chain(args.iter().copied())
                .collect();
            let (program, rest) = words.split_first().unwrap_or((&"apt-get", &[]));
            process::run(
                Command::new(program)
                    .args(rest)
                    .env("DEBIAN_FRONTEND", "noninteractive"),
            )
        };
        apt(&["update", "-q"])?;
        apt(&[
            "install",
            "-y",
            "-q",
            "--no-install-recommends",
            "libz3-dev",
            "pkg-config",
        ])?;
    } else if has("brew") {
        process::run(Command::new("brew").args(["install", "z3", "pkg-config"]))?;
    } else {
        return Err(
            "found neither apt-get nor brew: install Z3 4.8.12 or newer with its header".into(),
        );
    }
    if linkable() {
        Ok(())
    } else {
        Err("Z3 was installed but cannot be linked; try `--features vendored`".into())
    }
}

/// Compiles and links a minimal program against Z3.
fn linkable() -> bool {
    let Ok(directory) = tempfile::tempdir() else {
        return false;
    };
    let (source, program) = (directory.path().join("z3.c"), directory.path().join("z3"));
    let text = "#include <z3.h>\nint main(void) { unsigned a, b, c, d; Z3_get_version(&a, &b, &c, &d); return a < 4; }\n";
    if std::fs::write(&source, text).is_err() {
        return false;
    }
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    process::succeeds(
        Command::new(compiler)
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .args(flags())
            .arg("-lz3"),
    ) && process::succeeds(&mut Command::new(program))
}

/// Returns the flags of pkg-config for Z3, if it is found.
fn flags() -> Vec<String> {
    let output = Command::new("pkg-config")
        .args(["--cflags", "--libs-only-L", "z3"])
        .output();
    let text = output
        .ok()
        .filter(|o| o.status.success())
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    text.unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn has(program: &str) -> bool {
    process::succeeds(Command::new(program).arg("--version"))
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|o| o.stdout.starts_with(b"0"))
}
