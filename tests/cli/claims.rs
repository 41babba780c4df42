//! Claims about goals are true: an untried goal is not called unreachable, and the reported reason
//! is correct.

use super::Package;
use super::suite::cargo_test;

const SHAPES: &str = "trait Shape { function Area(): int }
datatype Square extends Shape = Square(side: int) { function Area(): int { side * side } }
datatype Other extends Shape = Line(length: int) | Point { function Area(): int { 0 } }
class Drawn extends Shape { constructor () {} function Area(): int { 3 } }

method Kind(s: Shape) returns (r: int) {
  if s is Square {
    r := 1;
  } else if s is Other {
    if (s as Other).Line? && (s as Other).length == 7719 { r := 2; } else { r := 3; }
  } else if s is Drawn {
    r := 4;
  } else {
    r := 5;
  }
}

method Equal(a: Shape, b: Shape) returns (r: int) {
  r := 0;
  if a is Square && b is Square && a as Square == b as Square && (a as Square).side == 882 { r := 1; }
}

method Never(s: Shape) returns (r: int) {
  r := 0;
  if s is Square && s.Area() == -1 { r := 1; }
}

trait Counted { function Count(): int }
newtype Few extends Counted = x: int | 0 <= x < 10 { function Count(): int { 4 } }

method Test(c: Counted) returns (r: int) {
  if c is Few { r := 1; } else { r := 2; }
}

trait Held { function Count(): int ensures 0 <= Count() }
datatype Pile<X> extends Held = Pile(items: seq<X>) {
  function Count(): int ensures 0 <= Count() { |items| }
}

method Empty(h: Held) returns (r: int) {
  if h.Count() == -1 { r := 1; } else { r := 2; }
}
";

#[test]
fn implementers_of_a_trait_are_its_inputs_and_untried_ones_leave_the_obligation_open() {
    let package = Package::new(&[("src/lib.dfy", SHAPES)]);
    let options = ["--general-traits", "full", "--type-system-refresh"];
    let run = package.run(&[&["gen"][..], &options].concat());
    let open: Vec<&str> = run
        .stdout
        .lines()
        .filter(|l| l.starts_with("src/lib.dfy"))
        .collect();
    assert_eq!(
        open,
        [
            "src/lib.dfy:25:36: Never: `s is Square && s.Area() == -1` holds: unreachable, proved: \
             no execution reaches it, within the bounds (collections 2, depth 2, loops 2, recursion 2, objects 2) or beyond",
            "src/lib.dfy:41:22: Empty: `h.Count() == -1` holds: not supported: not tried with every type that extends `Held`: `Pile`",
        ],
        "{}",
        run.shown()
    );
    let (passed, text) = cargo_test(&package, "claims");
    assert!(passed, "{text}");
    let run = package.run(&[&["dead"][..], &options].concat());
    let shown = run.shown();
    let never: Vec<&str> = shown
        .lines()
        .filter(|l| l.contains("never holds"))
        .collect();
    assert!(
        matches!(&never[..], [one] if one.contains("`s is Square && s.Area() == -1`")),
        "{shown}"
    );
}

const OBJECTS: &str = "class Node { var value: int }
class Other { }
trait Shape extends object { }
class Square extends Shape { }
class Box<T(0)> { var content: T }
trait Holder<T> extends object { }
class Held<T(0)> extends Holder<T> { var held: T }

method Kind(o: object) returns (r: int) {
  if o is Node {
    if (o as Node).value == 98765 { r := 1; } else { r := 2; }
  } else if o is Shape {
    r := 3;
  } else {
    r := 4;
  }
}

method Two(o: object, p: object?) returns (r: int) {
  r := 0;
  if o is Square {
    if p is Node && (p as Node).value > 31 { r := 1; }
  } else if o is Other && p == null {
    r := 2;
  }
}

method Generic(h: Holder<bool>) returns (r: int) {
  if h is Held<bool> && (h as Held<bool>).held { r := 1; } else { r := 2; }
}
";

#[test]
fn an_input_of_type_object_has_every_type_that_the_unit_distinguishes_and_another() {
    let package = Package::new(&[("src/lib.dfy", OBJECTS)]);
    let run = package.run(&["gen"]);
    let open: Vec<&str> = run
        .stdout
        .lines()
        .filter(|l| l.starts_with("src/lib.dfy"))
        .collect();
    assert_eq!(open, [""; 0], "{}", run.shown());
}

const SIZES: &str = "const Most := 80

method Change(a: array<int>) modifies a
  requires a.Length > 100
{
  a[a.Length - 1] := 5;
}

function Trend(days: seq<int>): int {
  if |days| >= 40 then if days[39] == 7 then 1 else days[39] - days[0] else 0
}

method Sum(s: seq<int>) returns (r: int) {
  r := 0;
  for i := 0 to |s| { r := r + s[i]; }
  if |s| > Most && r == 5 { r := 1; }
}

method Many(m: map<int, bool>) returns (r: int) {
  r := 0;
  if |m| > 50 && 3 in m && m[3] { r := 1; }
}

method Beyond(s: seq<int>) returns (r: int) {
  r := 0;
  if |s| > 5000 { r := 1; }
}
";

#[test]
fn collections_grow_to_the_sizes_in_the_unit_within_the_bound() {
    let package = Package::new(&[("src/lib.dfy", SIZES)]);
    let open = |arguments: &[&str]| {
        let run = package.run(&[&["gen", "--no-cache"][..], arguments].concat());
        let lines = run.stdout.lines().filter(|l| l.starts_with("src/lib.dfy"));
        lines
            .map(|l| l.split(": ").skip(1).take(3).collect::<Vec<_>>().join(": "))
            .collect::<Vec<_>>()
    };
    let at = |goal: &str, size: u32| {
        format!(
            "{goal}: unreachable at the highest bounds (collections {size}); raise --max-size to {} or more",
            size + 1
        )
    };
    assert_eq!(open(&[]), [at("Beyond: `|s| > 5000` holds", 32)]);
    // The size that the message names raises the bound.
    let raised = open(&["--max-size", "33"]);
    let beyond = at("Beyond: `|s| > 5000` holds", 33);
    assert!(raised.contains(&beyond), "{raised:?}");
    let bound = open(&["--max-size", "60"]);
    assert_eq!(bound.len(), 4, "{bound:?}");
    assert!(
        bound.iter().all(|l| l.contains("collections 60")),
        "{bound:?}"
    );
    // No violation is found in another way either: no input has more elements, no loop has more
    // iterations.
    let small = open(&["--max-size", "1", "--unroll", "1"]);
    assert!(small.iter().any(|l| l.starts_with("Many: ")), "{small:?}");
    let sum = std::fs::read_to_string(package.root().join("tests/dtest/sum.rs")).unwrap();
    assert!(!sum.contains("int(2)") && !sum.contains("; 2]"), "{sum}");
}
