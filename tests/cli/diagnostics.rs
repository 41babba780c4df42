//! Every kind of error in a program or a command line: the message as users see it, and the exit
//! code.

use super::Package;

fn check(name: &str, files: &[(&str, &str)], arguments: &[&str]) {
    let run = Package::new(files).run(arguments);
    insta::assert_snapshot!(
        name,
        run.shown(),
        &files.iter().map(|f| f.1).collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn several_syntax_errors_are_shown_in_one_run() {
    let text = "module M {\n  function F(x: int): int {\n    x + \n  }\n  method H() {\n    var x = 3;\n  }\n}\n";
    check("syntax_errors", &[("src/lib.dfy", text)], &["gen"]);
}

#[test]
fn an_unknown_name_is_shown_with_the_nearest_known_one() {
    let text = "function Double(value: int): int {\n  vlaue + value\n}\n";
    check("unknown_name", &[("src/lib.dfy", text)], &["gen"]);
}

#[test]
fn a_type_error_has_the_expected_and_the_found_type() {
    let text = "function Half(n: int): int {\n  if n then 1 else true\n}\n";
    check("type_error", &[("src/lib.dfy", text)], &["gen"]);
}

#[test]
fn a_missing_include_is_shown_at_the_directive() {
    check(
        "missing_include",
        &[(
            "src/lib.dfy",
            "include \"nowhere.dfy\"\n\nfunction F(): int { 1 }\n",
        )],
        &["gen"],
    );
}

#[test]
fn a_file_that_is_not_utf8_names_the_line() {
    let package = Package::new(&[]);
    package.write("src/lib.dfy", b"function F(): int { 1 }\n// caf\xe9\n");
    insta::assert_snapshot!("not_utf8", package.run(&["gen"]).shown());
}

#[test]
fn an_empty_file_gives_nothing() {
    check("empty_file", &[("src/lib.dfy", "")], &["gen"]);
}

#[test]
fn a_directory_without_dafny_files_is_reported() {
    check("no_dafny", &[("src/lib.rs", "")], &["gen", "src"]);
}

#[test]
fn without_files_and_without_src_the_help_names_the_possible_arguments() {
    check("no_source", &[], &["gen"]);
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    check("no_such_file", &[], &["gen", "src/none.dfy"]);
}

#[test]
fn an_unknown_key_of_the_configuration_is_refused() {
    let run = Package::new(&[("dtest.toml", "max-sice = 3\n"), ("src/lib.dfy", "")]).run(&["gen"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("unknown key `max-sice`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_project_file_gives_files_options_and_libraries_and_unknown_keys_are_reported() {
    let files = [
        (
            "dafny/dfyconfig.toml",
            "includes = [\"src/**/*\"]\nbase = \"common.toml\"\n[options]\nno-such-option = 1\n",
        ),
        (
            "dafny/common.toml",
            "[options]\nfunction-syntax = 3\nlibrary = \"lib/l.dfy\"\n",
        ),
        (
            "dafny/lib/l.dfy",
            "module L { function method Two(): int { 2 } }",
        ),
        (
            "dafny/src/a.dfy",
            "module M { import L\n function method Four(): int { L.Two() + L.Two() } }",
        ),
    ];
    check("project_file", &files, &["list", "dafny/dfyconfig.toml"]);
}

#[test]
fn a_program_has_one_project_file_at_most() {
    let files = [
        ("a.toml", "includes = [\"a.dfy\"]"),
        ("b.toml", "includes = [\"a.dfy\"]"),
        ("a.dfy", ""),
    ];
    check("two_project_files", &files, &["list", "a.toml", "b.toml"]);
}

#[test]
fn a_program_that_imports_the_standard_libraries_gets_help_on_naming_them() {
    let source =
        "module M { import Std.Wrappers\n function F(): Wrappers.Option<int> { Wrappers.None } }";
    check(
        "standard_libraries_missing",
        &[("src/a.dfy", source)],
        &["list"],
    );
    let files = [
        ("src/a.dfy", source),
        (
            "std/Wrappers.dfy",
            "module Std.Wrappers { datatype Option<T> = None | Some(value: T) class Cell { method M() reads this {} } }",
        ),
        ("std/Files-cs-java.dfy", "this is for other targets"),
    ];
    check(
        "standard_libraries",
        &files,
        &["list", "--standard-libraries=std"],
    );
}

#[test]
fn short_messages_take_a_line_each() {
    let text = "function F(): int { }\nfunction G(): { 1 }\n";
    check(
        "short_format",
        &[("src/lib.dfy", text)],
        &["gen", "--message-format", "short"],
    );
}

#[test]
fn json_messages_are_objects() {
    let run = Package::new(&[("src/lib.dfy", "function F(): int { }\n")]).run(&[
        "gen",
        "--message-format",
        "json",
    ]);
    assert_eq!(run.code, 2);
    let first: serde_json::Value =
        serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["kind"], "diagnostic");
    assert_eq!(first["primary"]["path"], "src/lib.dfy");
}

#[cfg(unix)]
#[test]
fn without_z3_the_launcher_says_how_to_install_it() {
    use std::os::unix::fs::PermissionsExt;
    let package = Package::new(&[]);
    let launcher = package.root().join("cargo-dtest");
    std::fs::copy(env!("CARGO_BIN_EXE_cargo-dtest"), &launcher).unwrap();
    // Simulates the dynamic loader with a missing library.
    let engine = package.root().join("cargo-dtest-engine");
    std::fs::write(
        &engine,
        "#!/bin/sh\necho 'error while loading shared libraries: libz3.so.4' >&2\nexit 127\n",
    )
    .unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = std::process::Command::new(&launcher)
        .arg("gen")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(6));
    insta::assert_snapshot!("z3_missing", String::from_utf8(output.stderr).unwrap());
}

#[test]
fn contradictory_preconditions_are_reported() {
    let text =
        "function F(n: int): int\n  requires n < 0 && n > 3\n{\n  if n == 1 then 2 else 3\n}\n";
    check(
        "contradictory_preconditions",
        &[("src/lib.dfy", text)],
        &["gen"],
    );
}
