//! The output of `gen` agrees with `check`, with `dead` and with the translation.

use super::package::{Package, Run};
use super::suite::cargo_test;

/// Creates a package with one Dafny file, generates its suite and runs it.
fn passes(source: &str, target: &str) -> (Package, Run) {
    let package = Package::new(&[("src/lib.dfy", source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert!([0, 7].contains(&run.code), "{}", run.shown());
    let (passed, text) = cargo_test(&package, target);
    assert!(passed, "{text}");
    assert!(!text.contains("warning: "), "{text}");
    (package, run)
}

#[test]
fn arrays_of_any_length_and_functions_as_arguments_of_functions_pass_on_the_translation() {
    let source = "\
method First(arr: array<bool>) returns (r: bool) requires arr.Length == 10 { r := arr[0]; }
datatype Three = A | B | C
method Seven(arr: array<Three>) returns (r: bool) requires arr.Length == 7 { r := arr[6].B?; }
method Grid(g: array2<bool>) returns (r: bool) requires g.Length0 == 5 && g.Length1 == 2 { r := g[4, 1]; }
type Bits = nat -> bool
datatype Outcome<V> = Outcome(value: V, rest: Bits) { predicate Rest(property: Bits -> bool) { property(rest) } }
function Apply(f: (int -> int) -> int, g: int -> int): int { f(g) }
datatype Holder = Holder(f: int -> int, n: int)
function InSeq(f: seq<int -> int> -> int, s: seq<int -> int>): int { if |s| > 1 then f(s) else 0 }
function InData(f: Holder -> int, b: Holder): int { if f(b) > 3 then f(b) else b.n }
function Result(f: (int -> int) -> int, h: int -> (int -> int)): int { if f(h(3)) == 7 then 1 else if f(h(4)) > 100 then 5 else 2 }
function Two(f: (int -> int, int -> int) -> bool, g: int -> int, h: int -> int): int { if f(g, h) then 1 else if f(h, g) then 2 else 3 }
trait T { function Ask(f: int -> bool): int }
method Mocked(t: T, f: int -> bool) returns (r: int) { if t.Ask(f) == 9 { r := 1; } else { r := 0; } }
function Part(f: (int -> int) --> int, g: int -> int, h: int -> int): int requires f.requires(g) && !f.requires(h) { if f(g) == 5 then 1 else 2 }
trait A { function N(): int }
class B extends A { constructor () {} function N(): int { 3 } }
method Cast(g: (B -> int) -> int, a: A -> int) returns (r: int) { if g(a) == 3 { r := 1; } else { r := 0; } }
";
    let (_, run) = passes(source, "agreement");
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn gen_reports_the_violations_of_check_for_the_inputs_of_its_tests() {
    let source = "\
class C {
  var x: int
  method Set(v: int) { x := v; }
}
function Down(n: int): int { if n == 0 then 0 else Down(n / 2 - 1 + 1) }
method Half(n: int) returns (h: int)
  requires n % 2 == 0
  ensures h + h == n
{
  h := n / 2;
}
method {:test} GoodCall() { var h := Half(8); expect h == 4; }
method {:test} {:verify false} BadCall() {
  var h := Half(7);
  expect h == 3;
}
";
    let (package, run) = passes(source, "agreement");
    assert_eq!(run.code, 7, "{}", run.shown());
    let findings: Vec<&str> = run
        .stdout
        .lines()
        .filter(|l| l.starts_with("finding: "))
        .collect();
    assert!(
        findings.contains(&"finding: src/lib.dfy:3:24: this is not in the `modifies` clause"),
        "{}",
        run.shown()
    );
    assert!(
        run.stdout.contains(
            "finding: src/lib.dfy:14:3: precondition of `Half` does not hold\n  in BadCall with no inputs"
        ),
        "{}",
        run.shown()
    );
    assert!(!package.root().join("tests/dtest/c_set.rs").exists());
    let json = package.run(&["gen", "--message-format", "json"]);
    assert!(
        json.stdout
            .lines()
            .any(|l| l.contains("\"own-test\"") && l.contains("\"finding\"")),
        "{}",
        json.shown()
    );
}

#[test]
fn a_suite_without_units_names_nothing_of_the_crate() {
    let (package, _) = passes(
        "method {:test} Plain() { expect 1 + 1 == 2; }\n",
        "agreement",
    );
    let main = std::fs::read_to_string(package.root().join("tests/dtest/main.rs")).unwrap();
    assert!(!main.contains("as subject"), "{main}");
}

#[test]
fn clean_leaves_no_manifest_that_cargo_rejects() {
    let package = Package::new(&[("f.dfy", "function F(x: int): int { x + 1 }\n")]);
    std::fs::remove_file(package.root().join("Cargo.toml")).unwrap_or_default();
    let run = package.run(&["gen", "f.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = package.run(&["clean"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for gone in ["Cargo.toml", "src", "tests"] {
        assert!(!package.root().join(gone).exists(), "{gone}");
    }
    // A modified manifest stays.
    let run = package.run(&["gen", "f.dfy"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let path = package.root().join("Cargo.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "\n[features]\n").unwrap();
    package.run(&["clean"]);
    assert!(path.exists());
}

#[test]
fn a_list_of_many_nodes_is_run() {
    let source = "\
datatype List = Nil | Cons(head: int, tail: List)
function Build(n: nat, acc: List): List { if n == 0 then acc else Build(n - 1, Cons(n, acc)) }
method Main() {
  var m := Build(200000, Nil);
  var n := 0;
  while m.Cons? decreases m { m := m.tail; n := n + 1; }
  print n, \"\\n\";
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["run", "src/lib.dfy"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "200000\n"),
        "{}",
        run.shown()
    );
    let package = Package::new(&[("src/lib.dfy", &source.replace("200000", "20000000"))]);
    let run = package.run(&["run", "src/lib.dfy"]);
    assert!(
        run.stderr
            .contains("`cargo dtest translate` writes the program in Rust")
            && !run.stderr.contains("--fuel"),
        "{}",
        run.shown()
    );
}

#[test]
fn against_hand_written_code_missing_modules_are_one_error_and_frames_of_arrays_are_checked() {
    let source = "\
module Steps {
  method Raise(a: array<int>, step: int)
    modifies a
    ensures forall i :: 0 <= i < a.Length ==> a[i] == old(a[i]) + step
  {
    for i := 0 to a.Length
      invariant forall k :: 0 <= k < i ==> a[k] == old(a[k]) + step
      invariant forall k :: i <= k < a.Length ==> a[k] == old(a[k])
    {
      a[i] := a[i] + step;
    }
  }
}
";
    let package = Package::new(&[
        ("src/model.dfy", source),
        ("src/lib.rs", "pub mod steps;\n"),
    ]);
    let run = package.run(&["gen", "--against", "crate"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert_eq!(
        run.stderr.matches("error[cli/no-module]").count(),
        1,
        "{}",
        run.shown()
    );
    assert!(
        run.stderr
            .contains("the module `crate::model`, which src/lib.rs does not declare"),
        "{}",
        run.shown()
    );
    std::fs::write(
        package.root().join("src/lib.rs"),
        "pub mod model { pub mod steps {} }\n",
    )
    .unwrap();
    let run = package.run(&["gen", "--against", "crate"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!run.stdout.contains("not executed"), "{}", run.shown());
    let raise = package.root().join("tests/dtest/steps/raise.rs");
    let text = std::fs::read_to_string(raise).unwrap();
    assert!(text.contains("expect_frame!(before, [a], [a]"), "{text}");
}
