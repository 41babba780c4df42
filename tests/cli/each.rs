//! `--each`: every file is a separate program with its own package.

use super::Package;

const A: &str = "function F(n: int): int { if n < 0 then 1 else 2 }\n";
const B: &str =
    "function F(b: bool): bool { if b then false else true }\nmethod Main() { print F(true); }\n";

#[test]
fn every_program_has_a_package_of_its_own() {
    let package = Package::new(&[("src/a.dfy", A), ("src/deep/a.dfy", B), ("src/a/c.dfy", A)]);
    let run = package.run(&["gen", "--each", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = package.files();
    for path in ["made/a", "made/deep/a", "made/a-c"] {
        for file in [
            "Cargo.toml",
            "src/lib.rs",
            "tests/dtest/main.rs",
            "tests/dtest/f.rs",
        ] {
            assert!(
                files.contains_key(&format!("{path}/{file}")),
                "{path}/{file} is not among {:?}",
                files.keys()
            );
        }
    }
    assert!(
        files["made/a/tests/dtest/f.rs"].contains("let n = int(0);"),
        "{}",
        files["made/a/tests/dtest/f.rs"]
    );
    assert!(
        files["made/deep/a/tests/dtest/f.rs"].contains("let b = true;"),
        "{}",
        files["made/deep/a/tests/dtest/f.rs"]
    );
    assert_eq!(
        package
            .run(&["gen", "--each", "--out", "made", "--check"])
            .code,
        0
    );
    package.write(
        "src/deep/a.dfy",
        B.replace("false else true", "true else false"),
    );
    let stale = package.run(&["gen", "--each", "--out", "made", "--check"]);
    assert_eq!(stale.code, 3, "{}", stale.shown());

    let run = package.run(&["translate", "--each", "--out", "translated"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        package
            .files()
            .contains_key("translated/deep/a/src/main.rs")
    );
}

#[test]
fn several_programs_do_not_go_into_one_package() {
    let package = Package::new(&[("src/a.dfy", A), ("src/b.dfy", B)]);
    for command in ["gen", "translate"] {
        let run = package.run(&[command, "--each"]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(
            run.stderr.contains("2 programs") && run.stderr.contains("--out DIR"),
            "{}",
            run.stderr
        );
        assert!(!package.root().join("src/lib.rs").exists());
    }
}

#[test]
fn packages_of_files_with_one_name_are_called_by_their_folders() {
    let package = Package::new(&[
        ("src/x/lib.dfy", A),
        ("src/y/lib.dfy", A),
        ("src/z/main.dfy", B),
    ]);
    let run = package.run(&["gen", "--each", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = package.files();
    for (folder, name) in [("x/lib", "x"), ("y/lib", "y"), ("z/main", "z")] {
        let manifest = &files[&format!("made/{folder}/Cargo.toml")];
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{manifest}"
        );
        let main = &files[&format!("made/{folder}/tests/dtest/main.rs")];
        assert!(main.contains(&format!("use {name} as subject;")), "{main}");
    }
    // Cargo accepts the packages as members of one workspace.
    package.write(
        "made/Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"*/*\"]\n",
    );
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let output = cargo
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(package.root().join("made"))
        .output();
    let output = output.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_package_is_never_within_another_nor_called_like_one() {
    let package = Package::new(&[
        ("src/x.dfy", A),
        ("src/x/lib.dfy", B),
        ("src/x/deep/y.dfy", A),
        ("src/y.dfy", A),
    ]);
    let run = package.run(&["gen", "--each", "--out", "made"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let files = package.files();
    for (folder, name) in [
        ("x", "x"),
        ("x-lib", "x-lib"),
        ("x-deep-y", "x-deep-y"),
        ("y", "y"),
    ] {
        assert!(
            files[&format!("made/{folder}/Cargo.toml")].contains(&format!("name = \"{name}\"")),
            "{folder}"
        );
        let main = &files[&format!("made/{folder}/tests/dtest/main.rs")];
        assert!(
            main.contains(&format!("use {} as subject;", name.replace('-', "_"))),
            "{main}"
        );
    }
    let manifests = files
        .keys()
        .filter(|f| f.ends_with("Cargo.toml") && f.starts_with("made/"))
        .count();
    assert_eq!(manifests, 4, "{:?}", files.keys());
    assert_eq!(
        package
            .run(&["gen", "--each", "--out", "made", "--check"])
            .code,
        0
    );
}

#[test]
fn each_program_has_a_row_in_the_table_and_a_line_of_json() {
    let package = Package::new(&[("src/a.dfy", A), ("src/deep/a.dfy", B)]);
    for command in [
        &["gen", "--out", "made"][..],
        &["check"],
        &["dead"],
        &["mutants"],
        &["list"],
    ] {
        let command = [command, &["--each"]].concat();
        let run = package.run(&command);
        for program in ["src/a.dfy", "src/deep/a.dfy"] {
            let rows = run.stdout.lines().filter(|l| {
                let rest = l.strip_prefix(program);
                rest.is_some_and(|r| r.starts_with("  ") || r.ends_with(" goals"))
            });
            assert_eq!(rows.count(), 1, "{command:?}\n{}", run.shown());
        }
        let run = package.run(&[&command[..], &["--message-format", "json"]].concat());
        let units: Vec<_> = run
            .lines("program")
            .iter()
            .map(|p| (p["program"].clone(), p["units"].as_u64().unwrap()))
            .collect();
        assert_eq!(
            units
                .iter()
                .map(|(p, _)| p.as_str().unwrap())
                .collect::<Vec<_>>(),
            ["src/a.dfy", "src/deep/a.dfy"],
            "{command:?}"
        );
        let total = run
            .lines("summary")
            .pop()
            .or(run.lines("total").pop())
            .unwrap();
        assert_eq!(
            units.iter().map(|(_, n)| n).sum::<u64>(),
            total["units"].as_u64().unwrap()
        );
    }
    // A cached run has the same rows.
    let again = package.run(&["gen", "--out", "made", "--each", "--message-format", "json"]);
    assert_eq!(again.lines("program").len(), 2, "{}", again.shown());
    // One program is what the table is about.
    let run = package.run(&["check", "src/a.dfy"]);
    assert!(!run.stdout.contains("program"), "{}", run.shown());
}
