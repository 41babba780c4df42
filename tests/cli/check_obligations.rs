//! Programs on which the tool once made a false claim, or generated suites that did not compile,
//! failed or did not terminate.

use super::Package;
use super::package::Run;
use super::suite::cargo_test;

/// Generates the suite of programs, compiles it and expects it to pass.
fn passes(files: &[(&str, &str)], target: &str, options: &[&str]) -> (Package, Run) {
    let package = Package::new(files);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&[&["gen"][..], options].concat());
    assert!([0, 7].contains(&run.code), "{}", run.shown());
    let (passed, text) = cargo_test(&package, target);
    assert!(passed, "{text}");
    (package, run)
}

fn read(package: &Package, file: &str) -> String {
    std::fs::read_to_string(package.root().join(file)).unwrap()
}

fn findings(run: &Run) -> Vec<&str> {
    run.stdout
        .lines()
        .filter(|l| l.starts_with("finding: "))
        .collect()
}

const ENDLESS: &str = "\
method Count(first: int, last: int) returns (turns: int) {
  turns := 0;
  for i := first to last { turns := turns + 1; }
}
method Descend(low: int, high: int) returns (turns: int) {
  turns := 0;
  for i := high downto low { turns := turns + 1; }
}
method Ordered(low: nat, high: nat) returns (turns: int) requires low <= high {
  turns := 0;
  for i := low to high { turns := turns + 1; }
  for i := high downto low { turns := turns + 1; }
  for i := low to * decreases * { if i == high { break; } }
}
function Next(n: int): int ensures Next(n + 1) > Next(n) { n }
function Steps(n: nat, s: seq<int>): nat decreases |s|, n
  ensures s != [] ==> Steps(n + 5, s[1..]) <= Steps(n, s) + 5
  ensures n > 0 ==> Steps(n - 1, s) <= Steps(n, s)
{ n }
datatype List = Nil | Cons(head: int, tail: List)
function Length(l: List): nat ensures l.Cons? ==> Length(l) == 1 + Length(l.tail) {
  match l case Nil => 0 case Cons(_, rest) => 1 + Length(rest)
}
";

#[test]
fn loops_that_begin_beyond_their_end_and_postconditions_that_go_round_in_circles_are_findings() {
    let source = ENDLESS.replace("turns: int) requires", "turns: int) decreases * requires");
    let run = Package::new(&[("src/lib.dfy", &source)]).run(&["gen"]);
    assert_eq!(
        findings(&run),
        [
            "finding: src/lib.dfy:3:7: the lower bound of the loop exceeds the upper one",
            "finding: src/lib.dfy:7:7: the lower bound of the loop exceeds the upper one",
            "finding: src/lib.dfy:15:36: the function calls itself in its own postcondition, with arguments that are not smaller",
        ],
        "{}",
        run.shown()
    );
    let dead = Package::new(&[(
        "src/lib.dfy",
        "method M(a: int, b: int) returns (r: int) {\n  r := 0;\n  for i := a to b { r := r + 1; }\n  if a > b { r := 7; }\n}\n",
    )])
    .run(&["dead"]);
    assert!(
        dead.shown()
            .contains("given that the lower bound of this loop does not exceed the upper one"),
        "{}",
        dead.shown()
    );
}

#[test]
fn in_older_programs_variables_have_a_value_from_the_start() {
    let source = "\
method Total(s: seq<int>) returns (total: int) {
  var sum: int;
  for i := 0 to |s| { sum := sum + s[i]; }
  total := sum;
}
method Late(b: bool) returns (r: bool) { if b { r := true; } }
function method Twice(n: int): int { 2 * n }
";
    let (_, run) = passes(
        &[("src/lib.dfy", source)],
        "obligations-older",
        &["--function-syntax", "3"],
    );
    assert!(findings(&run).is_empty(), "{}", run.shown());
    let run = Package::new(&[("src/lib.dfy", source)]).run(&[
        "gen",
        "--function-syntax",
        "3",
        "--relax-definite-assignment=false",
    ]);
    assert!(!findings(&run).is_empty(), "{}", run.shown());
}

const MEMBERS: &str = "\
class Book {
  var pages: int
  constructor (pages: int) { this.pages := pages; }
  function cover(): int { 7 }
  method reveal_pages() returns (n: int) { n := pages; }
  method reveal_cover() modifies this { pages := pages + 1; }
  function reveal_all(): int reads this { pages }
}
method Open(n: int) returns (r: int, s: int) {
  var book := new Book(n);
  book.reveal_cover();
  r := book.reveal_pages();
  s := book.reveal_all();
}
opaque function Hidden(n: int): int { n }
method Known(n: int) returns (r: int) ensures r == n { r := Hidden(n); reveal_Hidden(); }
method Assumes(n: int) returns (r: int) {
  ghost var {:assumption} small: bool;
  small := small && n < 1000;
  assert small || n >= 1000;
  r := n;
}
";

const ARGUMENTS: &str = "\
datatype Inner = Inner(x: int, y: string)
datatype Outer = Outer(inner: Inner, rest: seq<Outer>)
datatype Pair = Pair(a: int, b: string)
class Shelf {
  var top: Outer
  const kept: Outer
  constructor (n: int) { top := Make(n); kept := Make(n); }
  function Itself(): Shelf { this }
  function Number(): int { 3 }
}
function Make(n: int): Outer { Outer(Inner(n, \"a\"), []) }
function Use(p: Pair): int { p.a + |p.b| }
function Let(n: int): int { Use(var t := Make(n).inner; Pair(t.x, t.y)) }
function Element(n: int): int { Use(var t := [Make(n)][0].inner; Pair(t.x, t.y)) }
function Matched(n: int): int { Use(match Make(n).inner case Inner(x, y) => (var z := y; Pair(x, z))) }
function Equal(n: int): bool { (var t := Make(n).inner; Pair(t.x, t.y)) == Pair(n, \"a\") }
function Field(n: int): string { (var t := Make(n).inner; Pair(t.x, t.y)).b }
method Objects(shelf: Shelf) returns (r: int) {
  r := Use(var t := shelf.Itself(); Pair(t.Number(), t.top.inner.y)) + Use(var t := shelf.Itself().kept.inner; Pair(t.x, t.y));
  var all := seq(2, i => var t := Make(i).inner; Pair(t.x, t.y));
  r := r + |all| + |set x | x in {1, 2} :: var t := Make(x).inner; Pair(t.x, t.y)|;
}
";

const OUTSIDE: &str = "\
module Host {
  function {:extern} Version(): int
  function {:extern} Range(): (r: int) ensures 5 <= r < 9
}
const Base: int := Host.Version()
class Counter {
  const since: int := Base + 1
  const max: int := Host.Range()
  const half: int := max / 2
  var count: int
  constructor (count: int) { this.count := count; }
  method Add(n: int) modifies this { if n > max { count := max; } else { count := count + n; } }
  function Half(): int { half }
  function Age(now: int): int { now - since }
}
class {:extern} Wire {
  const name: string
  var ends: seq<int>
  var live: bool
  constructor {:extern} (name: string, live: bool) ensures this.name == name && this.live == live && ends == [1, 2]
}
method Connect(name: string) returns (n: int) {
  var wire := new Wire(name, true);
  n := if wire.live then |wire.name| + |wire.ends| else -1;
}
";

const INFINITE: &str = "\
predicate Large(n: int) { n > 3 }
method Plain(n: int) returns (b: bool) ensures b <==> n in iset k | Large(k) { b := Large(n); }
method Shifted(n: int) returns (b: bool) ensures b <==> n in iset k: int | Large(k) :: k + 1 { b := Large(n - 1); }
method Either(n: int) returns (b: bool) ensures b <==> n in (iset k | Large(k)) + iset{1} { b := Large(n) || n == 1; }
method Neither(n: int) returns (b: bool) ensures b <==> n !in (iset k: int | k > 7) + (iset k: int | k < 0) { b := 0 <= n <= 7; }
method Key(n: int) returns (b: bool) ensures n in (imap k: int | Large(k) :: 2 * k) <==> b { b := Large(n); }
method Looked(n: int) returns (m: int) requires Large(n) ensures m == (imap k: int | Large(k) :: 2 * k)[n] { m := 2 * n; }
method Typed(n: int) returns (b: bool) ensures b <==> n in iset k: nat | k != 3 { b := n >= 0 && n != 3; }
method Paired(n: int) returns (b: bool) ensures b <==> (n, 1) in iset p: (int, int) | Large(p.0) && p.1 == 1 { b := Large(n); }
method Whole(n: int) returns (b: bool) ensures b ==> (iset k: int | k > n) != iset{} { b := true; }
";

/// Members with names `reveal_…` are called, and assumption variables start as true. Values that
/// are created in an argument live as long as their borrows. Objects are created even if no answer
/// exists for their constants, and external constructors return field values. Membership in an
/// infinite set is decided by its condition.
#[test]
fn programs_whose_suites_did_not_compile_or_failed_or_never_ended_have_suites_that_pass() {
    let files = [
        ("src/members.dfy", MEMBERS),
        ("src/arguments.dfy", ARGUMENTS),
        ("src/outside.dfy", OUTSIDE),
        ("src/infinite.dfy", INFINITE),
    ];
    let (package, run) = passes(&files, "obligations", &[]);
    assert!(findings(&run).is_empty(), "{}", run.shown());
    assert!(
        read(&package, "src/members.rs").contains("Book::reveal_cover(&book)"),
        "{}",
        read(&package, "src/members.rs")
    );
    outside_answers(&package, &run);
    infinite_sets(&package);
}

fn outside_answers(package: &Package, run: &Run) {
    let open: Vec<&str> = run
        .stdout
        .lines()
        .filter(|l| l.starts_with("src/outside.dfy") && !l.contains("Counter.Age"))
        .collect();
    let reason = "not reached, given the contract of `Wire._ctor` (src/outside.dfy:20:60), which is not checked";
    assert_eq!(
        open,
        [format!(
            "src/outside.dfy:24:57: Connect: `wire.live` does not hold: {reason}"
        )],
        "{}",
        run.shown()
    );
    assert!(
        read(package, "tests/dtest/connect.rs").contains("Seq<Int>"),
        "{}",
        read(package, "tests/dtest/connect.rs")
    );
}

fn infinite_sets(package: &Package) {
    for (unit, clause) in [
        ("plain", "b == infinite::large(&n)"),
        ("either", "infinite::large(&n) || "),
        ("key", "infinite::large(&n) == b"),
        ("looked", "m == 2 * &n"),
    ] {
        let text = read(package, &format!("tests/dtest/{unit}.rs"));
        assert!(text.contains(clause), "{text}");
    }
    let whole = read(package, "tests/dtest/whole.rs");
    assert!(
        whole.contains("/// Postcondition not executed: src/infinite.dfy:10:48:"),
        "{whole}"
    );
}

#[test]
fn paths_alone_are_followed_as_far_as_the_blocks_need_it_and_no_criterion_takes_from_another() {
    let source = "\
method Turns(n: nat) returns (r: int) {
  var i := 0;
  while i < n { i := i + 1; }
  if i == 5 { r := 1; } else { r := 0; }
}
method {:timeLimit 1} Cubes(x: int, y: int, z: int) returns (found: bool) {
  found := x < y;
  if x * x * x + y * y * y + z * z * z == 33 { found := true; }
}
";
    let package = Package::new(&[("src/lib.dfy", source)]);
    let run = package.run(&["gen", "--filter", "Turns", "--coverage", "path"]);
    assert!(
        read(&package, "tests/dtest/turns.rs").contains("i == 5."),
        "{}",
        run.shown()
    );
    let covered = |criteria: &str| -> Vec<String> {
        let run = package.run(&[
            "gen",
            "--filter",
            "Turns",
            "--rlimit",
            "2000",
            "--coverage",
            criteria,
            "--message-format",
            "json",
        ]);
        let goals = run
            .lines("unit")
            .iter()
            .flat_map(|u| u["goals"].as_array().unwrap().clone())
            .collect::<Vec<_>>();
        goals
            .iter()
            .filter(|g| g["status"] == "covered")
            .map(|g| format!("{} {}", g["place"], g["goal"]))
            .collect()
    };
    let (few, many) = (
        covered("block"),
        covered("block,inlined-block,boundary,mcdc,path"),
    );
    assert!(few.iter().all(|g| many.contains(g)), "{few:?} {many:?}");
    // Its own limit applies, whatever the others are allowed.
    let start = std::time::Instant::now();
    let run = package.run(&[
        "gen",
        "--filter",
        "Cubes",
        "--rlimit",
        "90000000",
        "--timeout",
        "300",
    ]);
    assert!(
        run.stdout.contains("the unit ran out of time"),
        "{}",
        run.shown()
    );
    assert!(
        start.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn elements_and_arguments_outside_of_their_types_are_findings_of_gen_too() {
    let source = "\
type Pos = x: int | x > 0 witness 1
datatype Opt<T> = None | Some(v: T)
method Elements(x: int) returns (r: seq<nat>) { r := [x - 900]; }
method Pair(x: int) returns (r: (nat, int)) { r := (x - 900, 3); }
method Wrapped(x: int) returns (r: Opt<nat>) { r := Some(x - 900); }
method Filled(x: int) returns (r: array<nat>) { r := new nat[3](i => x - 900); }
method Listed(x: int) returns (r: array<Pos>) { r := new Pos[] [x]; }
function Members(x: int): set<nat> { {x - 900} }
function Size(s: seq<nat>): nat { |s| }
method Argument(x: int) returns (r: int) { r := Size([x - 900]); }
class Box<T> { var held: T constructor (t: T) { held := t; } }
method Field(b: Box<nat>, x: int) modifies b { b.held := x - 900; }
method Fine(x: nat) returns (r: seq<nat>) { var t: seq<int> := [x]; r := t; }
";
    let run = Package::new(&[("src/lib.dfy", source)]).run(&["gen"]);
    let expected: Vec<String> = [
        (3, 54),
        (4, 52),
        (5, 58),
        (6, 49),
        (7, 65),
        (8, 38),
        (10, 54),
        (12, 58),
    ]
    .iter()
    .map(|(line, column)| {
        format!("finding: src/lib.dfy:{line}:{column}: the value is not a member of its type")
    })
    .collect();
    assert_eq!(findings(&run), expected, "{}", run.shown());
}

#[test]
fn a_violation_behind_an_axiom_that_is_false_for_the_inputs_is_no_finding() {
    let source = "\
newtype byte = x: int | 0 <= x < 256
lemma {:axiom} Fits(value: nat) ensures value < 256
function Add(x: byte, y: byte): (r: byte)
  ensures r as nat == x as nat + y as nat
{ Fits(x as nat + y as nat); x + y }
method Sum(n: byte) returns (r: byte) {
  if n > 200 { r := Add(n, 100); } else { r := Add(n, 1); }
}
method Other(n: byte) returns (r: byte) { r := n; if n > 100 { r := n + 200; } }
";
    let run = Package::new(&[("src/lib.dfy", source)]).run(&["gen"]);
    let found = findings(&run);
    assert_eq!(found.len(), 1, "{}", run.shown());
    assert!(found[0].starts_with("finding: src/lib.dfy:9:"), "{found:?}");
}
