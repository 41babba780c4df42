//! The guide's workflow with shards for GitHub Actions: runs its commands as written.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Package;
use super::package::runtime;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Returns the commands of the workflow that run this tool, in order, one for each value of the
/// matrix.
fn commands() -> Vec<String> {
    let chapter = std::fs::read_to_string(repository().join("docs/ci.md")).unwrap();
    let workflow = chapter
        .split("```yaml shards\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let list = workflow
        .lines()
        .find_map(|l| l.trim().strip_prefix("shard: ["))
        .unwrap()
        .trim_end_matches(']');
    let shards: Vec<&str> = list.split(", ").collect();
    let runs = workflow
        .lines()
        .filter_map(|l| l.trim().strip_prefix("- run: "))
        .filter(|r| r.starts_with("cargo dtest "));
    let of_matrix = |run: &str| match run.contains("${{ matrix.shard }}") {
        true => shards
            .iter()
            .map(|s| run.replace("${{ matrix.shard }}", s))
            .collect(),
        false => vec![run.to_owned()],
    };
    runs.flat_map(of_matrix).collect()
}

/// Runs a line in a shell, with the tool on the path, as after `cargo install`.
fn shell(package: &Package, line: &str) -> (i32, String) {
    let tool = Path::new(env!("CARGO_BIN_EXE_cargo-dtest"))
        .parent()
        .unwrap();
    let path = std::env::join_paths(
        [tool.to_path_buf()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(package.root())
        .env("PATH", path.unwrap())
        .env("DTEST_RUNTIME", runtime());
    for name in [
        "CARGO_TARGET_DIR",
        "CARGO_TERM_COLOR",
        "DTEST_MESSAGE_FORMAT",
        "DTEST_CACHE_DIR",
    ] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
#[cfg(unix)]
fn the_workflow_with_shards_accepts_a_fresh_suite_and_refuses_a_stale_one() {
    let source = std::fs::read_to_string(repository().join("fixtures/base64/src/lib.dfy")).unwrap();
    let package = Package::new(&[("src/lib.dfy", &source)]);
    assert_eq!(package.run(&["gen"]).code, 0);

    let commands = commands();
    assert_eq!(commands.len(), 5, "{commands:?}");
    for line in &commands {
        let (code, stderr) = shell(&package, line);
        assert_eq!(code, 0, "{line}: {stderr}");
    }
    let sarif = std::fs::read_to_string(package.root().join("dtest.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(
        (&sarif["version"], sarif["runs"].as_array().map(Vec::len)),
        (&"2.1.0".into(), Some(1)),
        "{sarif}"
    );
    let lcov = std::fs::read_to_string(package.root().join("target/coverage/lcov.info")).unwrap();
    assert!(
        lcov.contains("SF:") && lcov.contains("src/lib.dfy") && lcov.contains("\nDA:"),
        "{lcov}"
    );

    package.write("src/lib.dfy", source.replace("char", "char  "));
    let codes: Vec<i32> = commands
        .iter()
        .map(|line| shell(&package, line).0)
        .collect();
    assert_eq!(codes, [0, 0, 0, 0, 3]);
}
