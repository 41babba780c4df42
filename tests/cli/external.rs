//! External code: linked, replaced by a stub, or reported; and the program's own tests.

use super::Package;
use super::suite::cargo_test;

fn fixture() -> Package {
    let package = Package::new(&[
        (
            "dtest.toml",
            include_str!("../../fixtures/external/dtest.toml"),
        ),
        (
            "src/lib.dfy",
            include_str!("../../fixtures/external/src/lib.dfy"),
        ),
        (
            "src/chance.rs",
            include_str!("../../fixtures/external/src/chance.rs"),
        ),
    ]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    package
}

fn read(package: &Package, path: &str) -> String {
    std::fs::read_to_string(package.root().join(path)).unwrap()
}

#[test]
fn linked_code_is_called_and_stubs_are_described() {
    let package = fixture();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(!run.stdout.contains("not supported"), "{}", run.shown());
    // A missing `ensures` means `ensures true`.
    let restore = read(&package, "tests/dtest/game/restore.rs");
    assert!(
        restore.contains(
            "/// No Rust is linked to `Store.Load`, which has no postcondition: a stub returns any value."
        ),
        "{restore}"
    );

    let translation = read(&package, "src/lib.rs");
    assert!(
        translation.contains("chance::roll(sides)") && translation.contains("\npub mod chance;\n"),
        "{translation}"
    );
    let open = read(&package, "tests/dtest/game/is_open.rs");
    assert!(open.contains("/// No Rust is linked to `Clock.Now`: a stub returns results according to its contract."), "{open}");
    let watch = read(&package, "tests/dtest/game/await_.rs");
    // The answer distinguishes `until - w.seconds` from `until + w.seconds`.
    assert!(
        watch.contains("[w.clone(), int(3)] => w.seconds.set(int(5))"),
        "{watch}"
    );
    let throw = read(&package, "tests/dtest/game/throw.rs");
    assert!(
        throw.contains(
            "/// Calls the linked Rust for `Dice.Roll`: values that depend on it are not checked."
        ),
        "{throw}"
    );
    assert!(
        !throw.contains("expect_eq!") && throw.contains("expect!(win <= 3 * &bet"),
        "{throw}"
    );

    let (passed, text) = cargo_test(&package, "external");
    assert!(passed, "{text}");
}

#[test]
fn a_described_call_that_is_not_made_is_caught() {
    let package = fixture();
    assert_eq!(package.run(&["gen", "--filter", "IsOpen"]).code, 0);
    let right = read(&package, "src/lib.rs");
    assert!(right.contains("        store::log(city);\n"), "{right}");
    package.write(
        "src/lib.rs",
        right.replace("        store::log(city);\n", ""),
    );
    let (passed, text) = cargo_test(&package, "calls");
    assert!(
        !passed && text.contains("the expected call `Store.Log(\"\")` was not made"),
        "{text}"
    );
}

#[test]
fn linked_code_that_breaks_its_contract_is_caught() {
    let package = fixture();
    package.write(
        "src/chance.rs",
        include_str!("../../fixtures/external/src/chance.rs")
            .replace("% sides + int(1)", "% sides"),
    );
    assert_eq!(package.run(&["gen", "--filter", "^Dice"]).code, 0);
    let (passed, text) = cargo_test(&package, "broken");
    assert!(
        !passed && text.contains("src/lib.dfy:27:13: 1 <= n <= sides"),
        "{text}"
    );
}

#[test]
fn a_link_to_an_unknown_name_is_reported() {
    let toml = "[extern]\n\"Clock.Nwo\" = \"crate::chance::now\"\n\"Game\" = \"crate::chance\"\n";
    let files = [
        ("dtest.toml", toml),
        (
            "src/lib.dfy",
            include_str!("../../fixtures/external/src/lib.dfy"),
        ),
    ];
    let run = Package::new(&files).run(&["list"]);
    let said = |text: &str| assert!(run.stderr.contains(text), "{}", run.shown());
    said(
        "`Clock.Nwo` under [extern] in dtest.toml is unused: the program has no declaration of that name",
    );
    said("`Game` under [extern] in dtest.toml is unused: it has no external members");
}

#[test]
fn a_link_into_the_translation_itself_is_refused() {
    let toml = "[extern]\n\"Dice\" = \"crate::dice\"\n";
    let run = Package::new(&[
        ("dtest.toml", toml),
        (
            "src/lib.dfy",
            include_str!("../../fixtures/external/src/lib.dfy"),
        ),
    ])
    .run(&["translate"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains(
            "`crate::dice` under [extern] in dtest.toml is a module of the translation itself"
        ),
        "{}",
        run.shown()
    );
}

#[test]
fn classes_and_abstract_types_link_to_rust_types_and_a_body_behind_extern_gives_the_values() {
    let dafny = "\
module Store {
  class Disk {
    constructor {:extern} ()
    method {:extern} Grow(n: nat) returns (m: nat) ensures m >= n
  }
  type {:extern} Handle
  method {:extern} Open(name: string) returns (h: Handle)
  function {:extern} Twice(n: int): int { 2 * n }
}
module Client {
  import Store
  method Fill(n: nat) returns (m: nat) ensures m >= n {
    var d := new Store.Disk();
    m := d.Grow(n);
    if m > 3 { m := m + 1; }
  }
  method {:test} Opens() { var h := Store.Open(\"a\"); expect Store.Twice(2) == 4; }
}
";
    let disk = "\
use dunit::prelude::*;
pub struct Disk { size: Field<Int> }
impl Object for Disk { fn class_name(&self) -> &'static str { \"Store.Disk\" } }
impl Disk {
    pub fn new() -> Ref<Disk> { Ref::new(Disk { size: Field::new(int(0)) }) }
    pub fn grow(this: &Ref<Disk>, by: &Int) -> Int { this.size.set(this.size.get() + by); this.size.get() }
}
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handle(usize);
impl DafnyPrint for Handle {
    fn fmt_dafny(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"handle {}\", self.0) }
}
pub fn open(name: &Seq<Char>) -> Handle { Handle(name.size()) }
pub fn twice(n: &Int) -> Int { n + n }
";
    let toml = "\
[extern]
\"Store.Disk\" = \"crate::disk::Disk\"
\"Store.Handle\" = \"crate::disk::Handle\"
\"Store.Open\" = \"crate::disk::open\"
\"Store.Twice\" = \"crate::disk::twice\"
";
    let package = Package::new(&[
        ("dtest.toml", toml),
        ("src/lib.dfy", dafny),
        ("src/disk.rs", disk),
    ]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout.contains(
            "Store.Disk.Grow: no test written: an object of `Store.Disk`, which is linked Rust"
        ),
        "{}",
        run.shown()
    );
    let twice = read(&package, "tests/dtest/store/twice.rs");
    assert!(twice.contains("by Dafny's semantics"), "{twice}");
    let (passed, text) = cargo_test(&package, "linked-types");
    assert!(passed, "{text}");
}

#[test]
fn a_clause_that_calls_a_function_without_postcondition_is_no_finding() {
    let dafny = "\
function Divisor(a: nat, b: nat): nat
predicate Chosen(a: nat)
method Reduce(a: nat, b: nat) returns (r: nat)
  requires a < 3 || Chosen(a)
  ensures Divisor(a, b) == r || a == 0
  ensures r <= b
{
  if a == 0 { r := b; } else { r := b / a; }
}
";
    let package = Package::new(&[("src/lib.dfy", dafny)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert!(!run.stdout.contains("finding"), "{}", run.shown());
    let tests = read(&package, "tests/dtest/reduce.rs");
    assert!(tests.contains("expect!(r <= b,"), "{tests}");
    let (passed, text) = cargo_test(&package, "unanswered");
    assert!(passed, "{text}");
}

/// Whether or not the generated answers satisfy the postcondition of `Put`, the program is not to
/// blame.
#[test]
fn answers_made_up_for_each_state_of_the_heap_are_no_finding() {
    let source = "\
class {:extern} Store<K(==), V(==)> {
  constructor {:extern} () ensures Content() == map[]
  function {:extern} Content(): map<K, V> reads this
  method {:extern} Put(k: K, v: V) modifies this
    ensures Content() == old(Content())[k := v]
    ensures k !in old(Content()) ==> Content().Values == old(Content()).Values + {v}
  function {:extern} Keys(): (keys: set<K>) reads this ensures keys == Content().Keys
  function {:extern} Select(k: K): (v: V) reads this requires k in Content() ensures v == Content()[k]
}

method Use() returns (v: string) {
  var store := new Store<string, string>();
  expect store.Keys() == {};
  store.Put(\"key\", \"value\");
  v := store.Select(\"key\");
  store.Put(\"key\", \"other\");
  expect store.Keys() == {\"key\"};
}
";
    let run = Package::new(&[("src/lib.dfy", source)]).run(&["gen"]);
    assert!(!run.stdout.contains("finding"), "{}", run.shown());
    assert!([0, 4].contains(&run.code), "{}", run.shown());
}

/// A class without Dafny code whose contracts speak of ghost state, and methods that return objects.
const OBJECTS: &str = "\
module {:extern} Machine {
  type byte = x: int | 0 <= x < 256
  class {:extern} Bytes {
    ghost var data: seq<byte>
    constructor {:extern} (n: nat) ensures data == seq(n, _ => 0)
    function {:extern} Len(): (n: nat) reads this ensures n == |data|
    method {:extern} Set(i: nat, b: byte)
      requires i < |data|
      modifies this
      ensures data == old(data)[i := b]
    method {:extern} Append(b: byte) modifies this ensures data == old(data) + [b]
  }
  method {:extern} Copy(b: Bytes) returns (c: Bytes) ensures fresh(c) && c.data == b.data
  class {:extern} Socket {
    var open: bool
    constructor {:extern} ()
    method {:extern} Itself() returns (s: Socket) ensures s == this
  }
  class Node {
    var next: Node?
    var v: int
    constructor (v: int) ensures this.v == v { this.v := v; next := null; }
    method {:extern} Bump() modifies this
  }
  method {:extern} Pair() returns (n: Node, m: Node)
    ensures fresh({n, m}) && n.next == m && m.next == n
  function {:extern} Find(k: int): Node?
}
module App {
  import opened Machine
  method Make(k: byte) returns (b: Bytes)
    ensures fresh(b) && b.data == [0, k, 7]
  {
    b := new Bytes(2);
    b.Set(1, k);
    if k > 200 { b.Set(0, 0); }
    b.Append(7);
  }
  method Double(b: Bytes) returns (r: int)
    requires |b.data| > 1
    modifies b
    ensures r == |old(b.data)| + 1
  {
    var c := Copy(b);
    c.Append(3);
    b.Set(0, 9);
    var n := c.Len();
    if n > 3 { r := n; } else { r := 3; }
  }
  method Connect() returns (r: int) {
    var s := new Socket();
    var t := s.Itself();
    if t.open { r := 1; } else { r := 2; }
  }
  method Pairs() returns (n: Node)
    ensures fresh(n)
  {
    var m;
    n, m := Pair();
    if n.v > m.v { n.v := m.v; }
    m.next := null;
  }
  method Bumps() returns (r: bool) {
    var n := new Node(3);
    n.Bump();
    r := n.v == 5;
    if r { n.Bump(); r := n.v == 3; }
  }
  method Search(k: int) returns (r: bool) {
    var n := Find(k);
    r := n != null && n.v == 4;
    if r { r := n.next == n; }
  }
}
";

#[test]
fn stubs_return_objects_and_keep_ghost_state() {
    let package = Package::new(&[("src/lib.dfy", OBJECTS)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for word in [
        "finding",
        ": not supported",
        "no test written",
        ": out of budget",
    ] {
        assert!(!run.stdout.contains(word), "{}", run.shown());
    }
    // The object of the stub counts as new, in the frame and in postconditions.
    let pairs = read(&package, "tests/dtest/app/pairs.rs");
    assert!(
        pairs.contains("dunit::stub::allocate_later(&node0);")
            && pairs.contains("next_of_node0.next.set(node0.clone());"),
        "{pairs}"
    );
    // The stub changes an object that the unit creates.
    let bumps = read(&package, "tests/dtest/app/bumps.rs");
    assert!(
        bumps.contains("dunit::stub::received::<Ref<Node>>(0).v.set(int(5))"),
        "{bumps}"
    );
    let connect = read(&package, "tests/dtest/app/connect.rs");
    assert!(
        connect.contains("dunit::stub::received::<Ref<Socket>>(0)"),
        "{connect}"
    );
    let (passed, text) = cargo_test(&package, "stubbed-objects");
    assert!(passed, "{text}");
    let right = read(&package, "src/lib.rs");
    let wrong = right.replace("Bytes::set(b, &int(0), &int(9));", "");
    assert!(right != wrong, "{right}");
    package.write("src/lib.rs", wrong);
    let (passed, text) = cargo_test(&package, "stubbed-objects");
    assert!(
        !passed && text.contains("App.Double: expectation failed"),
        "{text}"
    );
}

/// Ghost functions without a body, in every place where clauses and ghost code call them.
const UNINTERPRETED: &str = "\
type byte = x | 0 <= x < 256
ghost function Decode(b: seq<byte>): nat
ghost predicate Valid(x: int)
lemma {:axiom} ValidIsPositive(x: int) requires Valid(x) ensures x > 0
lemma {:axiom} DecodeIsSmall(b: seq<byte>) ensures Decode(b) < 1000
method Next(x: int) returns (r: int)
  requires Valid(x)
  ensures r > x || r == 10
{
  if x > 9 { r := 10; } else if x < 0 { r := 0; } else { r := x + 1; }
}
method {:verify false} Read(b: seq<byte>) returns (n: nat)
  requires |b| == 2 && Decode(b) > 3
  ensures n >= 3 && n == Decode(b)
{
  DecodeIsSmall(b);
  if b[0] > b[1] { n := 4; } else { n := 5; }
}
method Both(x: int) returns (n: int) {
  n := 0;
  if x > 1 {
    assume {:axiom} Valid(x);
    n := Next(x);
    ghost var v := Valid(n) && Decode([]) == 3;
  }
  if n > 4 { n := 3; }
}
";

#[test]
fn ghost_functions_without_a_body_are_assumed_and_the_tests_say_so() {
    let package = Package::new(&[("src/lib.dfy", UNINTERPRETED)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen"]);
    for word in ["finding", ": not supported", ": out of budget"] {
        assert!(!run.stdout.contains(word), "{}", run.shown());
    }
    // The axiom excludes such inputs, for the solver and for every other source of inputs.
    assert!(
        run.stdout.contains(
            "`x < 0` holds: not reached, given the contract of `ValidIsPositive` (src/lib.dfy:4:"
        ),
        "{}",
        run.shown()
    );
    let next = read(&package, "tests/dtest/next.rs");
    assert!(
        next.contains(
            "Precondition not executed: src/lib.dfy:7:12: Valid(x) (`Valid` has no body)"
        ) && next.contains("expect!(r > x || r == 10"),
        "{next}"
    );
    assert!(
        !next.contains("let x = int(-") && !next.contains("let x = int(0)"),
        "{next}"
    );
    let read_ = read(&package, "tests/dtest/read.rs");
    assert!(
        read_.contains(
            "Postcondition not executed: src/lib.dfy:14:21: n == Decode(b) (`Decode` has no body)"
        ) && read_.contains("expect!(n >= 3"),
        "{read_}"
    );
    let (passed, text) = cargo_test(&package, "uninterpreted");
    assert!(passed, "{text}");
}

/// A program with an external class and an external method.
const COUNTED: &str = "module Env {
  class {:extern} Counter {
    ghost var count: nat
    constructor {:extern} ()
      ensures count == 0
    method {:extern} Add(n: nat) returns (total: nat)
      modifies this
      ensures count == old(count) + n && total == count
  }
  method {:extern} Now() returns (seconds: nat)
}
module Client {
  import opened Env
  method Twice(n: nat) returns (total: nat)
    ensures total == 2 * n
  {
    var counter := new Counter();
    total := counter.Add(n);
    if total > 10 { print \"large\"; }
    total := counter.Add(n);
  }
  method IsLate(limit: nat) returns (late: bool) {
    var now := Now();
    if now > limit { return true; }
    return false;
  }
}
";

#[test]
fn a_model_stands_for_external_code_and_is_checked() {
    let model = |added: &str| {
        format!(
            "class Counter {{
               var count: nat
               constructor () {{ count := 0; }}
               method Add(n: nat) returns (total: nat) {{ count := count + {added}; total := count; }}
             }}"
        )
    };
    let (right, wrong) = (model("n"), model("n + 1"));
    let package = Package::new(&[
        (
            "dtest.toml",
            "[model]\n\"Env.Counter\" = \"models/counter.dfy\"\n\"Env.No\" = \"models/counter.dfy\"\n",
        ),
        ("src/lib.dfy", COUNTED),
        ("models/counter.dfy", &right),
    ]);
    let check = package.run(&["check", "--fail-on", "violated"]);
    assert_eq!(check.code, 0, "{}", check.shown());
    let run = package.run(&["gen"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stderr
            .contains("`Env.No` under [model] in dtest.toml is unused"),
        "{}",
        run.shown()
    );
    let twice = read(&package, "tests/dtest/client/twice.rs");
    assert!(!twice.contains("stub"), "{twice}");
    std::fs::write(package.root().join("models/counter.dfy"), wrong).unwrap();
    let check = package.run(&["check", "--fail-on", "violated"]);
    assert!(
        check.code != 0 && check.stderr.contains("check/postcondition"),
        "{}",
        check.shown()
    );
}

#[test]
fn a_stub_can_be_forbidden() {
    let package = Package::new(&[
        ("dtest.toml", "[extern]\n\"Env.Now\" = false\n"),
        ("src/lib.dfy", COUNTED),
    ]);
    let run = package.run(&["gen"]);
    assert!(
        run.stdout.contains("`Env.Now` has no body"),
        "{}",
        run.shown()
    );
}
