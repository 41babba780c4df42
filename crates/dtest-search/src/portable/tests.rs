use super::{Closures, Key, from_bytes, to_bytes};
use crate::{self as search, Options, UnitResult};
use dtest_ir as ir;
use dtest_lower::testing;
use dtest_lower::units;
use dtest_sorted::SortedMap;

const PROGRAM: &str = "
datatype Shape = Dot | Line(length: nat)
class Counter {
  var n: int
  constructor (start: int) ensures n == start { n := start; }
  method Add(k: int) modifies this ensures n == old(n) + k { if k > 3 { n := n + 1; n := n + k - 1; } else { n := n + k; } }
}
const LIMIT := 7
function Twice(x: int): int { x + x }
function Size(s: Shape): int { match s case Dot => 0 case Line(l) => if l < LIMIT then Twice(l) else 1 }
method Alone(s: seq<int>) returns (r: int) ensures r >= 0 { r := 0; for i := 0 to |s| { if s[i] == 5 { r := r + 1; } } }
method Given(f: int -> int) returns (r: bool) { if f(3) == 8 { r := true; } else { r := false; } }
";

fn lowered(text: &str) -> ir::Program {
    testing::lowered(text, ir::Criteria::default()).1
}

fn keys(text: &str) -> SortedMap<String, Key> {
    let program = lowered(text);
    let units = units::units(&program.typed, |_| true);
    let closures = Closures::new(&program, units.iter().map(|u| u.callable), "test");
    units
        .iter()
        .map(|u| {
            (
                u.path.clone(),
                closures.of(u.callable).expect("it has a key").key(),
            )
        })
        .collect()
}

/// Returns the units whose key an edit changes.
fn touched(from: &str, to: &str) -> Vec<String> {
    let before = keys(PROGRAM);
    let edited = PROGRAM.replacen(from, to, 1);
    assert_ne!(edited, PROGRAM);
    keys(&edited)
        .into_iter()
        .filter(|(unit, key)| before.get(unit) != Some(key))
        .map(|(unit, _)| unit)
        .collect()
}

#[test]
fn an_edit_changes_the_keys_of_its_dependents_only() {
    assert_eq!(touched("x + x", "2 * x"), ["Size", "Twice"]);
    assert_eq!(touched("s[i] == 5", "s[i] == 6"), ["Alone"]);
    assert_eq!(touched("LIMIT := 7", "LIMIT := 8"), ["Size"]);
    assert_eq!(touched("length: nat", "length: int"), ["Size"]);
    assert_eq!(
        touched("n := start;", "n := start + 0;"),
        ["Counter.Add", "Counter._ctor"]
    );
    assert_eq!(
        touched(
            "\ndatatype",
            "\nfunction New(x: int): int { if x == 1 then 2 else 3 }\n// and a line\ndatatype"
        ),
        ["New"]
    );
    assert_eq!(
        touched(
            "\nfunction Twice",
            "\n/** Now with a comment. */\nfunction Twice"
        ),
        Vec::<String>::new()
    );
}

#[test]
fn an_implementing_class_affects_users_of_the_trait() {
    let text = "trait T { function F(x: int): int } method M(t: T) returns (r: int) { r := t.F(3); } class A extends T { function F(x: int): int { x } }";
    let more = format!("{text} class B extends T {{ function F(x: int): int {{ x + 1 }} }}");
    assert_ne!(keys(text).get("M"), keys(&more).get("M"));
    let changed = text.replace("{ x }", "{ x - 1 }");
    assert_ne!(keys(text).get("M"), keys(&changed).get("M"));
}

#[test]
fn results_are_restored_after_the_source_moved() {
    let program = lowered(PROGRAM);
    let moved = lowered(&format!(
        "// Something above,\nfunction Other(n: int): int {{ n }}\nclass D {{ var z: int }}\n{PROGRAM}"
    ));
    let (old, new) = (
        units::units(&program.typed, |_| true),
        units::units(&moved.typed, |_| true),
    );
    let here = Closures::new(&program, old.iter().map(|u| u.callable), "test");
    let there = Closures::new(&moved, new.iter().map(|u| u.callable), "test");
    for unit in &old {
        let twin = new
            .iter()
            .find(|u| u.path == unit.path)
            .expect("it is there");
        let (from, to) = (
            here.of(unit.callable).expect("a key"),
            there.of(twin.callable).expect("a key"),
        );
        assert_eq!(from.key(), to.key(), "{}", unit.path);
        let solved = search::search_unit(&program, unit.callable, &Options::default());
        let bytes = to_bytes(&solved, &from).expect("it can be kept");
        let read: UnitResult = from_bytes(&bytes, &to).expect("it can be read");
        let fresh = search::search_unit(&moved, twin.callable, &Options::default());
        assert_eq!(shown(&read), shown(&fresh), "{}", unit.path);
        let back: UnitResult =
            from_bytes(&to_bytes(&read, &to).expect("kept"), &from).expect("read");
        assert_eq!(shown(&back), shown(&solved));
    }
}

/// Prints everything except times.
fn shown(result: &UnitResult) -> String {
    format!(
        "{:?}",
        UnitResult {
            times: search::Times::default(),
            ..result.clone()
        }
    )
}

#[test]
fn unknown_bytes_are_rejected() {
    let program = lowered(PROGRAM);
    let units = units::units(&program.typed, |_| true);
    let closures = Closures::new(&program, units.iter().map(|u| u.callable), "test");
    let unit = units.first().expect("a unit").callable;
    let closure = closures.of(unit).expect("a key");
    let solved = search::search_unit(&program, unit, &Options::default());
    let bytes = to_bytes(&solved, &closure).expect("kept");
    assert!(from_bytes::<UnitResult>(&bytes, &closure).is_ok());
    for at in (0..bytes.len()).step_by(7) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        assert!(
            from_bytes::<UnitResult>(&broken, &closure).is_err(),
            "byte {at}"
        );
        assert!(
            from_bytes::<UnitResult>(&bytes[..at], &closure).is_err(),
            "{at} bytes"
        );
        // Bytes behind the checksum are safe to read as well.
        let _any = super::read::read::<UnitResult>(&broken[super::CHECKSUM..], &closure);
    }
}

/// Results name the mutants that their tests kill. A mutant whose text is at a place that nothing
/// mentions would leave its unit out of the cache and of the reports of shards.
#[test]
fn every_mutant_can_be_stored() {
    let program = lowered(
        "datatype Pair = Pair(a: int, b: int) | Other(a: int, b: int)
        class Cell { var n: int }
        function Moved(p: Pair): Pair { p.(a := p.a + 1, b := 7) }
        function Made(x: int): Pair { if x < 3 then Pair(x, 2) else Other(x, x + 1) }
        function All(s: seq<int>): bool { (forall i | 0 <= i < |s| :: s[i] > 0) }
        function Lets(n: int): int { (var k := n + 1; k * k) - 3 }
        method Next(n: int) returns (r: int) { r := n + 1; }
        method Loops(s: seq<int>, c: Cell, a: array<int>) returns (r: int) requires a.Length > 2 modifies c, a {
          r := 0;
          for i := 0 to |s| { if s[i] == 5 { r := r + 1; } }
          while r < 4 { r := Next(r); }
          c.n := Next(r);
          a[1] := Next(c.n);
          match Made(r) case Pair(3, _) => r := 1; case Pair(_, b) => r := b; case Other(_, _) => r := 2;
        }",
    );
    let units = units::units(&program.typed, |_| true);
    let closures = Closures::new(&program, units.iter().map(|u| u.callable), "test");
    let mut count = 0;
    for unit in &units {
        let closure = closures.of(unit.callable).expect("it has a key");
        for mutant in dtest_mutants::of(&program, unit.callable) {
            let bytes = to_bytes(&mutant.mutation, &closure)
                .unwrap_or_else(|e| panic!("{:?}: {e}", mutant.mutation));
            let read: dtest_mutants::Mutation = from_bytes(&bytes, &closure).expect("readable");
            assert_eq!(read, mutant.mutation);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}
