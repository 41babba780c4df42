//! The options of Dafny's command lines, and its library archives.

use std::io::Write;
use std::path::Path;

use super::Package;

/// Writes a library archive with this program, built with these options.
fn archive(path: &Path, options: &str, program: &str) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).expect("created"));
    let manifest = format!("doo_file_version = \"1.0\"\n[options]\n{options}");
    for (name, text) in [("manifest.toml", manifest.as_str()), ("program", program)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .expect("an entry");
        zip.write_all(text.as_bytes()).expect("written");
    }
    zip.finish().expect("finished");
}

const LIBRARY: &str = "module Numbers { function Twice(x: int): int { 2 * x } }";
const USER: &str = "import opened Numbers
method M(x: int) returns (r: int) { if Twice(x) == 6 { r := 1; } else { r := 0; } }";

/// An archive serves as a library, named alone or among others, and as a program.
#[test]
fn library_archives_are_read() {
    let package = Package::new(&[
        ("src/a.dfy", USER),
        ("other.dfy", "module Other { function F(): int { 3 } }"),
    ]);
    archive(
        &package.root().join("numbers.doo"),
        "unicode-char = true",
        LIBRARY,
    );
    let run = package.run(&["gen", "--library", "other.dfy,numbers.doo"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("    1      3        3"),
        "{}",
        run.stderr
    );
    let run = package.run(&["list", "numbers.doo"]);
    assert!(run.stdout.contains("Numbers.Twice"), "{}", run.stdout);
}

#[test]
fn an_archive_with_other_characters_is_refused() {
    let package = Package::new(&[("src/a.dfy", USER)]);
    archive(
        &package.root().join("numbers.doo"),
        "unicode-char = false",
        LIBRARY,
    );
    let run = package.run(&["list", "--library", "numbers.doo"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[load/other-options]"),
        "{}",
        run.stderr
    );
    let run = package.run(&[
        "list",
        "--library",
        "numbers.doo",
        "--unicode-char",
        "false",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// The text of an archive has the syntax that its manifest says, whatever the program's is.
#[test]
fn an_archive_has_a_syntax_of_its_own() {
    let package = Package::new(&[("src/a.dfy", USER)]);
    let old = "module Numbers { function method Twice(x: int): int { 2 * x } }";
    let library = package.root().join("numbers.doo");
    archive(&library, "function-syntax = \"3\"", old);
    let run = package.run(&["list", "--library=numbers.doo"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn options_are_spelled_as_on_the_command_lines_of_dafny() {
    let old = "function method F(x: int): int { x }\nfunction G(x: int): int { x }";
    let package = Package::new(&[("src/a.dfy", old)]);
    for spelled in [
        &["--function-syntax:3"][..],
        &["--function-syntax", "3"],
        &["/functionSyntax:3"],
        &[
            "--function-syntax=experimentalDefaultGhost",
            "--unicode-char",
            "True",
        ],
    ] {
        let run = package.run(&[&["list", "src/a.dfy"], spelled].concat());
        assert_eq!(run.code, 0, "{spelled:?}: {}", run.stderr);
    }
    let run = package.run(&["list", "--function-syntax:migration3to4"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let run = package.run(&["list", "--general-newtypes"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[cli/missing-option]"),
        "{}",
        run.stderr
    );
}

/// Runs the tool with the package's directory as the only one on the `PATH`.
fn run_with_path(package: &Package, arguments: &[&str]) -> (i32, String) {
    let mut command = package.command(arguments);
    let output = command
        .env("PATH", package.root())
        .env_remove("DTEST_STANDARD_LIBRARIES")
        .output()
        .expect("run");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), stderr)
}

/// Without an installed Dafny, the option alone says what to do.
#[test]
fn standard_libraries_that_are_not_installed_are_a_message() {
    let package = Package::new(&[("src/a.dfy", "method M() {}")]);
    let (code, stderr) = run_with_path(&package, &["list", "--standard-libraries"]);
    assert_eq!(code, 1, "{}", stderr);
    assert!(stderr.contains("error[cli/no-such-library]"), "{}", stderr);
    assert!(stderr.contains("DTEST_STANDARD_LIBRARIES"), "{}", stderr);
    let library = "module Std.Wrappers { datatype Option<T> = None | Some(value: T) }";
    let tool = package.root().join("DafnyStandardLibraries.doo");
    archive(&tool, "unicode-char = true", library);
    std::fs::write(package.root().join("dafny"), "").expect("written");
    std::fs::write(
        package.root().join("src/a.dfy"),
        "import opened Std.Wrappers\nmethod M(o: Option<int>) { if o.None? { print 1; } }",
    )
    .expect("written");
    let (code, stderr) = run_with_path(&package, &["list", "--standard-libraries"]);
    assert_eq!(code, 0, "{}", stderr);
}
