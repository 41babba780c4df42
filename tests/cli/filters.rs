//! `--filter`, `--entry` and `--in-diff` that mean nothing.

use crate::package::Package;

const PROGRAM: &str = "\
module Stack {
  function Push(s: seq<int>, x: int): seq<int> { s + [x] }
  function Peek(s: seq<int>): int { if |s| == 0 then 0 else s[|s| - 1] }
  lemma Law(s: seq<int>) ensures |Push(s, 0)| > 0 { }
  method {:test} Works() { expect Peek([1]) == 1; }
}
";

#[test]
fn a_filter_that_matches_nothing_is_an_error_with_near_names() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    for command in [
        &["gen"][..],
        &["gen", "--check"],
        &["list"],
        &["check"],
        &["dead"],
        &["mutants"],
        &["cover"],
    ] {
        let run = package.run(&[command, &["--filter", "^Psuh$"]].concat());
        assert_eq!(run.code, 1, "{command:?}\n{}", run.shown());
        for said in [
            "error[cli/filter]: `--filter ^Psuh$` matches no unit",
            "did you mean `Stack.Push`?",
        ] {
            assert!(run.stderr.contains(said), "{command:?}\n{}", run.shown());
        }
        let run = package.run(&[command, &["--filter", "Completely"]].concat());
        assert_eq!(run.code, 1, "{command:?}\n{}", run.shown());
        assert!(run.stderr.contains("there are `Stack."), "{}", run.shown());
    }
    let run = package.run(&["run", "--test", "--filter", "Wroks"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    for said in ["matches no test", "did you mean `Stack.Works`?"] {
        assert!(run.stderr.contains(said), "{}", run.shown());
    }
    assert_eq!(package.run(&["check", "--filter", "Pu|Pe"]).code, 0);
}

#[test]
fn a_name_that_another_command_or_file_has_is_not_called_misspelled() {
    let package = Package::new(&[
        ("lib/stack.dfy", PROGRAM),
        (
            "src/lib.dfy",
            "include \"../lib/stack.dfy\"\nfunction Own(n: int): int { n }\nlemma Fact() ensures Own(1) == 1 { }\n",
        ),
    ]);
    let run = package.run(&["gen", "--filter", "Push"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let said = "it matches `Stack.Push` of an included file: add `--included`";
    assert!(run.stderr.contains(said), "{}", run.shown());
    let run = package.run(&["mutants", "--filter", "Fact"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let said = "it matches `Fact`, which only `check` looks at";
    assert!(run.stderr.contains(said), "{}", run.shown());
}

#[test]
fn a_filter_of_the_package_is_only_a_warning() {
    let package = Package::new(&[
        ("src/lib.dfy", PROGRAM),
        ("dtest.toml", "filter = \"Elsewhere\"\n"),
    ]);
    let run = package.run(&["check"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr.contains("warning[cli/filter]"),
        "{}",
        run.shown()
    );
}

#[test]
fn a_diff_of_another_directory_is_noticed() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    let diff = |path: &str| {
        format!("--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,1 @@\n-module Stack\n+module Stack {{\n")
    };
    package.write("here.diff", diff("src/lib.dfy"));
    package.write("there.diff", diff("project/src/lib.dfy"));
    for command in ["check", "mutants", "gen"] {
        let run = package.run(&[command, "--in-diff", "there.diff"]);
        let said = "the diff names `project/src/lib.dfy`, which is not a file of the program";
        assert!(run.stderr.contains(said), "{}", run.shown());
        assert!(
            run.stderr.contains("if it means `src/lib.dfy`"),
            "{}",
            run.shown()
        );
        let run = package.run(&[command, "--in-diff", "here.diff"]);
        assert!(!run.stderr.contains("cli/in-diff"), "{}", run.shown());
    }
}
