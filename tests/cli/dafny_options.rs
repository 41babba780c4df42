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

/// Runs the tool with this text on standard input.
fn run_with_input(package: &Package, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = package
        .command(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("started");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("written");
    drop(pipe);
    let output = child.wait_with_output().expect("run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A list of `include`s names files, whose units are tested; what they include themselves is not.
#[test]
fn a_list_of_includes_on_standard_input_names_the_files_of_a_program() {
    let package = Package::new(&[
        (
            "a/one.dfy",
            "include \"two.dfy\"\nfunction One(n: int): int { if n < 0 then Two(n) else n }",
        ),
        ("a/two.dfy", "function Two(n: int): int { n }"),
        (
            "b.dfy",
            "method Main() { expect 1 < 2; print \"done\\n\"; }\nmethod Three() { assert false; }",
        ),
    ]);
    let list = "include \"a/one.dfy\"\ninclude \"b.dfy\"\n";
    let (code, stdout, stderr) = run_with_input(&package, &["list", "--stdin"], list);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("One  (a/one.dfy:2:10)"), "{stdout}");
    assert!(!stdout.contains("Two  ("), "{stdout}");
    assert!(stdout.contains("Three"), "{stdout}");
    let (code, stdout, stderr) = run_with_input(&package, &["run", "--stdin"], list);
    assert_eq!((code, &*stdout), (0, "done\n"), "{stderr}");
    let (code, _, stderr) = run_with_input(&package, &["check", "--stdin"], list);
    assert_eq!(code, 7, "{stderr}");
    let (code, _, stderr) = run_with_input(&package, &["mutants", "--stdin"], list);
    assert_eq!(code, 0, "{stderr}");
    // Its own declarations are tested, too, and another text gives another suite.
    for value in ["1", "22"] {
        let text = format!("{list}function Own(): int {{ {value} }}");
        let (code, _, stderr) = run_with_input(&package, &["gen", "--stdin"], &text);
        assert_eq!(code, 7, "{stderr}");
        let suite = &package.files()["tests/dtest/own.rs"];
        assert!(suite.contains(&format!("int({value})")), "{suite}");
    }
    let (code, _, stderr) = run_with_input(&package, &["list", "--stdin"], "include \"c.dfy\"");
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("--> <stdin>:1:1"), "{stderr}");
    let (code, stdout, stderr) = run_with_input(&package, &["eval", "Two(3)", "--stdin"], list);
    assert_eq!((code, &*stdout), (0, "3\n"), "{stderr}");
    for arguments in [&["eval", "--stdin"][..], &["watch", "check", "--stdin"]] {
        let (code, _, stderr) = run_with_input(&package, arguments, list);
        assert_eq!(code, 1, "{stderr}");
    }
}

const DATATYPES: &str = "trait Shape { function Area(): int }
datatype Square extends Shape = Square(side: int) { function Area(): int { side * side } }
newtype Flag = b: bool | true
method M(s: Square) returns (a: int) { if s.side < 0 { a := 0; } else { a := s.Area(); } }
";

#[test]
fn the_defaults_are_those_of_the_version() {
    let package = Package::new(&[("src/a.dfy", DATATYPES)]);
    let run = package.run(&["list"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("--general-traits"), "{}", run.shown());
    let run = package.run(&["list", "--dafny-version", "5.0.0"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = package.run(&["list", "--dafny-version", "4.11"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    let run = package.run(&["list", "--dafny-version", "new"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    package.write("dfyconfig.toml", "dafny-version = \"5.0.0\"\n");
    let run = package.run(&["list", "dfyconfig.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    package.write("dtest.toml", "dafny-version = \"5.0.0\"\n");
    assert_eq!(package.run(&["list"]).code, 0);
}

#[test]
fn a_message_names_every_option_that_is_missing() {
    let newtype = "newtype Flag = b: bool | true\n";
    let package = Package::new(&[("src/a.dfy", newtype)]);
    let run = package.run(&["list"]);
    let both = "`--type-system-refresh` and `--general-newtypes` allow";
    assert!(run.stderr.contains(both), "{}", run.shown());
    let run = package.run(&["list", "--type-system-refresh"]);
    assert!(
        run.stderr.contains("help: `--general-newtypes` allows"),
        "{}",
        run.shown()
    );
    package.write("dfyconfig.toml", "[options]\nreferrers = true\n");
    let run = package.run(&["list", "dfyconfig.toml"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.stderr
            .contains("dfyconfig.toml:2:1: option `referrers` is not supported"),
        "{}",
        run.shown()
    );
}

#[test]
fn the_keys_of_a_package_are_those_of_its_build() {
    let old = "function method F(x: int): int { if x < 0 then 0 else x }\n";
    let files = [("dafny/a.dfy", old), ("lib/b.dfy", "module B {}\n")];
    let line =
        "dafny translate rs --function-syntax:3 dafny/*.dfy --library lib/b.dfy --output out";
    let makefile = "include common.mk\nSRC := dafny\nFLAGS = --function-syntax:3\n\nverify:\n\tdafny verify x.dfy\n\nbuild: $(SRC)/a.dfy\n\t$(DAFNY) translate rs $(FLAGS) $(shell pwd) $< --library:lib/b.dfy\n";
    for (from, wanted) in [(line, "dafny/*.dfy"), ("Makefile", "dafny/a.dfy")] {
        let package = Package::new(&files);
        package.write("Makefile", makefile);
        let run = package.run(&["init", "--from", from]);
        assert_eq!(run.code, 0, "{}", run.shown());
        let text = &package.files()["dtest.toml"];
        let keys =
            format!("files = [\"{wanted}\"]\nfunction-syntax = \"3\"\nlibrary = [\"lib/b.dfy\"]\n");
        assert!(text.contains(&keys), "{text}");
        let run = package.run(&["list"]);
        assert_eq!(run.code, 0, "{}", run.shown());
        assert!(run.stdout.contains("F  (dafny/a.dfy"), "{}", run.shown());
        // The file is the user's now.
        let run = package.run(&["init", "--from", from]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(
            run.stderr.contains(&keys.lines().next().unwrap()[..5]),
            "{}",
            run.shown()
        );
    }
    let package = Package::new(&files);
    package.write("Makefile", makefile);
    let run = package.run(&["init", "--from", "Makefile"]);
    for said in [
        "`$(shell pwd)` has no known value",
        "the included makefile `common.mk` is not read",
    ] {
        assert!(run.stderr.contains(said), "{}", run.shown());
    }
    let run = package.run(&["init", "--from", "make build"]);
    assert_eq!(run.code, 1, "{}", run.shown());
}
