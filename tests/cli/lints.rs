//! Generated code passes clippy and rustfmt: the packages of `fixtures/`, in one workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::package::runtime;

#[test]
fn generated_code_has_no_warnings_beyond_the_lints_that_it_names_and_is_not_reformatted() {
    if !is_installed("clippy") || !is_installed("fmt") {
        eprintln!("skipped: `cargo clippy` or `cargo fmt` is not installed");
        return;
    }
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints");
    let _ = std::fs::remove_dir_all(workspace.join("members"));
    let members: Vec<PathBuf> = fixtures()
        .iter()
        .map(|f| copied(f, &workspace.join("members")))
        .collect();
    std::thread::scope(|scope| {
        for half in members.chunks(members.len().div_ceil(2)) {
            scope.spawn(move || half.iter().for_each(|m| generate(m)));
        }
    });
    let manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"members/*\"]\n\n[profile.dev]\ndebug = false\nincremental = false\n";
    std::fs::write(workspace.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(
        runtime().join("../Cargo.lock"),
        workspace.join("Cargo.lock"),
    )
    .unwrap();

    let mut clippy = Command::new(env!("CARGO"));
    clippy.args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--keep-going",
        "--quiet",
        "--offline",
        "--",
        "-D",
        "warnings",
    ]);
    let output = clippy
        .current_dir(&workspace)
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let generated: Vec<&PathBuf> = members
        .iter()
        .filter(|m| is_generated(&m.join("src/lib.rs")))
        .collect();
    assert!(generated.len() > 20, "{generated:?}");
    for member in generated {
        let output = Command::new(env!("CARGO"))
            .args(["fmt", "--check"])
            .current_dir(member)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            member.display(),
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

fn is_installed(command: &str) -> bool {
    Command::new(env!("CARGO"))
        .args([command, "--version"])
        .output()
        .is_ok_and(|o| o.status.success())
}

fn is_generated(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.starts_with("// @generated"))
}

fn fixtures() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(runtime().join("../fixtures")).unwrap();
    let mut all: Vec<PathBuf> = entries
        .map(|e| e.unwrap().path())
        .filter(|p| p.join("Cargo.toml").is_file())
        .collect();
    all.sort();
    all
}

/// Copies a fixture as a member of the workspace, without its generated files.
fn copied(fixture: &Path, members: &Path) -> PathBuf {
    let member = members.join(fixture.file_name().unwrap());
    std::fs::create_dir_all(member.join("src")).unwrap();
    let manifest = std::fs::read_to_string(fixture.join("Cargo.toml")).unwrap();
    let repository = runtime().join("..");
    let manifest = manifest
        .replace("[workspace]\n", "")
        .replace("\"../../", &format!("\"{}/", repository.display()));
    std::fs::write(member.join("Cargo.toml"), manifest).unwrap();
    let sources = std::fs::read_dir(fixture.join("src"))
        .unwrap()
        .map(|e| e.unwrap().path());
    for path in sources
        .chain([fixture.join("dtest.toml")])
        .filter(|p| p.is_file())
    {
        let text = std::fs::read_to_string(&path).unwrap();
        if !is_generated(&path) {
            std::fs::write(member.join(path.strip_prefix(fixture).unwrap()), text).unwrap();
        }
    }
    member
}

fn generate(member: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-dtest"));
    let output = command
        .args(["gen", "--quiet"])
        .current_dir(member)
        .env("DTEST_RUNTIME", runtime())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        member.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}
