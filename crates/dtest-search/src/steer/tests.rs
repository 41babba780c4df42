//! Tests of the search by executions alone: no test asks the solver.

use super::super::{Options, Search};
use dafny_resolve::typed::CallableId;
use dtest_ir::Criteria;

/// The goals of `unit` without a test after seeds and this search, by their source text, and the
/// violations.
fn open(source: &str, unit: &str) -> (Vec<String>, Vec<String>) {
    let (map, program) = dtest_lower::testing::lowered(source, Criteria::default());
    let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
    let unit = ids
        .find(|id| program.typed.callable_path(*id) == unit)
        .expect("declared");
    let procedure = program.procedures.get(&unit).expect("a body");
    let options = Options::default();
    let mut search = Search::new(&program, procedure, Vec::new(), &options);
    search.try_seeds(20);
    let before = search.open().len();
    search.steer();
    let open = search.open();
    assert!(before > 0, "seeds cover all goals: {source}");
    let text = |g| {
        let goal = program.goal(unit, g);
        goal.map_or_else(String::new, |g| map.text(g.span).to_owned())
    };
    let findings = search.validator.findings.iter();
    (
        open.into_iter().map(text).collect(),
        findings.map(|f| f.failure.message.clone()).collect(),
    )
}

fn assert_covered(source: &str, unit: &str) {
    let (goals, findings) = open(source, unit);
    assert!(
        goals.is_empty() && findings.is_empty(),
        "{source}: {goals:?} {findings:?}"
    );
}

#[test]
fn values_become_those_that_they_are_compared_with() {
    assert_covered(
        "datatype Suite = Plain | Keyed(id: int, name: string)
         method F(s: Suite, n: int) returns (r: int) {
           if s.Keyed? && s.name == \"aes-gcm\" && s.id == n + 170_003 && n > 9_000 { return 1; }
           return 0;
         }",
        "F",
    );
}

#[test]
fn sequences_get_lengths_prefixes_and_parts() {
    assert_covered(
        "method F(s: seq<int>, t: string) returns (r: int) {
           r := 0;
           if |s| == 37 && s[5..8] == [7, 8, 9] { r := 1; }
           if \"arn:\" <= t && |t| > 9 && t[8] == '/' { r := r + 2; }
         }",
        "F",
    );
}

#[test]
fn lengths_that_bytes_encode_agree_with_what_follows() {
    assert_covered(
        "newtype byte = x: int | 0 <= x < 256
         method F(s: seq<byte>) returns (r: int) {
           if |s| < 2 { return 0; }
           var length := s[0] as int * 256 + s[1] as int;
           if |s| - 2 < length { return 1; }
           if length > 20 && s[2..2 + length] == s[2..] { return 2; }
           return 3;
         }",
        "F",
    );
}

#[test]
fn texts_become_what_their_codes_are_compared_with() {
    assert_covered(
        "function Codes(s: string): (r: seq<int>) ensures |r| == |s|
         { seq(|s|, i requires 0 <= i < |s| => s[i] as int) }
         method F(s: string) returns (r: bool) {
           if Codes(s) == [97, 119, 115, 45, 107, 109, 115] { return true; }
           return false;
         }",
        "F",
    );
}

#[test]
fn keys_and_members_are_found_or_missing() {
    assert_covered(
        "method F(m: map<string, seq<int>>, names: set<string>, all: seq<int>) returns (r: int) {
           r := 0;
           if \"region\" in m && \"user\" in m.Keys && m[\"user\"] == [4, 4] { r := 1; }
           if {\"a\", \"key\"} <= names && \"x\" !in names && 55 in all { r := r + 2; }
         }",
        "F",
    );
}

#[test]
fn preconditions_are_satisfied_clause_by_clause() {
    assert_covered(
        "class Ring {
           const name: string
           const key: seq<int>
           var uses: nat
           predicate Valid() reads this { |key| == 32 && \"aws\" <= name && uses == |name| * 3 }
           constructor(name: string, key: seq<int>) { this.name := name; this.key := key; }
         }
         method F(ring: Ring, sizes: map<string, nat>) returns (r: int)
           requires ring.Valid() && ring.name in sizes && sizes[ring.name] == 4_096
         { if ring.key[3] == 1_001 { return 1; } return 0; }",
        "F",
    );
}

#[test]
fn every_address_of_a_disk_has_a_block() {
    assert_covered(
        "newtype byte = x: int | 0 <= x < 256
         type Addr = a: int | 0 <= a < 24
         class Disk {
           var data: map<Addr, seq<byte>>
           predicate Valid() reads this {
             (forall a: Addr :: a in data) && (forall a: Addr | a in data :: |data[a]| == 40)
           }
         }
         method F(d: Disk, a: Addr) returns (r: int)
           requires d.Valid()
         { if d.data[a][39] == 7 { return 1; } return 0; }",
        "F",
    );
}

#[test]
fn a_range_of_addresses_is_mapped_and_others_are_not() {
    assert_covered(
        "datatype Inode = Inode(size: int, blocks: seq<int>)
         predicate Valid(m: map<int, Inode>, n: int) {
           && n > 10
           && (forall i | 3 <= i < n :: i in m)
           && (forall i | i in m :: 3 <= i < n)
           && (forall i | i in m :: m[i].size == |m[i].blocks| + 4)
         }
         method F(m: map<int, Inode>, n: int, i: int) returns (r: int)
           requires Valid(m, n)
         { if i in m { return 1; } return 0; }",
        "F",
    );
}

/// External code and mocks, whose results are chosen like inputs.
const CLIENT: &str = "
    datatype Result<T> = Success(value: T) | Failure(error: string) {
      predicate IsFailure() { Failure? }
      function PropagateFailure<U>(): Result<U> requires Failure? { Failure(error) }
      function Extract(): T requires Success? { value }
    }
    method {:extern} {:axiom} Random(n: nat) returns (r: Result<seq<int>>)
      ensures r.Success? ==> |r.value| == n
    datatype Key = Plain(bytes: seq<int>) | Wrapped(bytes: seq<int>, owner: string)
    trait Ring {
      predicate Valid()
      method Wrap(k: Key) returns (r: Result<Key>)
        requires Valid()
        ensures r.Success? ==> |r.value.bytes| == |k.bytes|
    }";

#[test]
fn results_of_external_code_succeed_and_fail_one_after_the_other() {
    assert_covered(
        &format!(
            "{CLIENT}
             method F(n: nat) returns (r: Result<nat>) {{
               var a :- Random(n);
               var b :- Random(32);
               var c :- Random(12);
               if b[0] == 9 && c[1] == b[2] + 1 {{ return Success(|a|); }}
               return Success(0);
             }}"
        ),
        "F",
    );
}

#[test]
fn results_of_mocks_have_every_constructor() {
    assert_covered(
        &format!(
            "{CLIENT}
             method F(ring: Ring, k: Key) returns (r: Result<nat>) requires ring.Valid() {{
               var one :- ring.Wrap(k);
               var two :- ring.Wrap(one);
               if two.Wrapped? && two.owner == \"kms\" && |two.bytes| == 16 {{ return Success(1); }}
               return Success(2);
             }}"
        ),
        "F",
    );
}

#[test]
fn the_same_inputs_are_found_again() {
    let source = "method F(s: seq<int>, t: string) returns (r: int) {
           r := 0;
           if |s| == 37 && s[5..8] == [7, 8, 9] { r := 1; }
           if \"arn:\" <= t && |t| > 9 && t[8] == '/' { r := r + 2; }
         }";
    let tests = || {
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let procedure = program.procedures.values().next().expect("a body");
        let options = Options::default();
        let mut search = Search::new(&program, procedure, Vec::new(), &options);
        search.steer();
        let inputs = search.accepted.into_iter().map(|t| t.inputs.args);
        inputs.collect::<Vec<_>>()
    };
    let first = tests();
    assert!(first.len() > 1);
    assert_eq!(first, tests());
}

#[test]
fn mocks_record_their_calls_in_objects_that_they_refer_to() {
    assert_covered(
        "class Log { var calls: seq<nat> }
         trait Client {
           const log: Log
           method Call(n: nat) returns (r: bool)
             modifies log
             ensures log.calls == old(log.calls) + [n]
         }
         method F(c: Client, n: nat) returns (r: int)
           modifies c.log
           ensures |c.log.calls| == old(|c.log.calls|) + 2
         {
           var a := c.Call(n);
           var b := c.Call(n + 1);
           if a && !b && |c.log.calls| > 3 { return 1; }
           return 0;
         }",
        "F",
    );
}

#[test]
fn values_without_a_witness_and_required_objects_are_nested_deeply() {
    assert_covered(
        "type Id = s: string | 1 <= |s| <= 20 witness *
         type Size = n: int | 1 <= n <= 32 witness *
         datatype Cipher = Gcm(size: Size)
         datatype Suite = Suite(id: Id, cipher: Cipher)
         datatype Materials = Materials(suite: Suite)
         datatype Input = Input(materials: Materials)
         class History { var calls: seq<Id> }
         class Primitives {
           const history: History
           const name: Id
           constructor(h: History, n: Id) { history := h; name := n; }
         }
         class Ring {
           const primitives: Primitives
           const suite: Suite
           constructor(p: Primitives, s: Suite) { primitives := p; suite := s; }
         }
         class Client { const ring: Ring constructor(r: Ring) { ring := r; } }
         class User { const client: Client constructor(c: Client) { client := c; } }
         method F(user: User, input: Input) returns (r: int)
           requires |user.client.ring.primitives.name| > 2
         {
           if user.client.ring.suite == input.materials.suite { return 1; }
           if input.materials.suite.cipher.size == 16 { return 2; }
           return 0;
         }",
        "F",
    );
}

#[test]
fn long_executions_are_tried_when_short_ones_lead_nowhere() {
    assert_covered(
        "method F(n: nat, k: nat) returns (r: int) {
           r := 0;
           var i := 0;
           while i < n { i := i + 1; }
           if k == 5 && n == 17 * k + 30_011 { r := 1; }
         }",
        "F",
    );
}

#[test]
fn changes_that_break_the_type_of_a_value_are_completed() {
    assert_covered(
        "datatype Id = A | B | C | D | E | F
         datatype Suite = Suite(id: Id, key: seq<int>, version: int, name: string)
         type Known = s: Suite |
           match s.id
             case A => s.version == 1 && s.name == \"gcm-128\" && |s.key| == 1
             case B => s.version == 2 && s.name == \"gcm-192\" && |s.key| == 2
             case C => s.version == 3 && s.name == \"gcm-256\" && |s.key| == 3
             case D => s.version == 4 && s.name == \"cbc-128\" && |s.key| == 4
             case E => s.version == 5 && s.name == \"cbc-192\" && |s.key| == 5
             case F => s.version == 6 && s.name == \"cbc-256\" && |s.key| == 6
           witness *
         datatype Request = Request(suites: seq<Known>, count: int)
         method F(r: Request, n: int) returns (code: int) {
           if |r.suites| != 2 { return 0; }
           if r.suites[0].version == 6 && r.suites[1].name == \"cbc-192\" {
             if r.suites[1].key[4] == 170_003 { return 2; }
             return 1;
           }
           return 3;
         }",
        "F",
    );
}

#[test]
fn truth_values_of_mocks_change_before_what_a_large_input_compares() {
    // The type of the input makes hundreds of comparisons that all have one result.
    let excluded: Vec<String> = (0..300).map(|i| format!("r.id != {}", 100 + i)).collect();
    let source = format!(
        "trait Link {{
           ghost predicate Valid()
           predicate IsOpen()
           method Send(n: int) returns (done: bool)
         }}
         datatype Request = Request(id: int, size: int)
         predicate Allowed(r: Request) {{ {} }}
         type Checked = r: Request | Allowed(r) witness *
         method F(link: Link, request: Checked) returns (r: int)
           requires link.Valid() && request.size == 77_001 && link.IsOpen()
         {{
           var done := link.Send(request.size);
           if done {{ return 1; }}
           return 2;
         }}",
        excluded.join(" && ")
    );
    assert_covered(&source, "F");
}
