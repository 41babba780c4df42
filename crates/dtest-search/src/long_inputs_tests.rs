//! Tests of inputs of demanded lengths, and of external code whose state ghost functions describe.

use super::{GoalStatus, Options, search_unit};
use dtest_ir::Criteria;

/// The goals without a test by their source text, and the violations.
fn open(source: &str) -> (Vec<(String, GoalStatus)>, Vec<String>) {
    let (map, program) = dtest_lower::testing::lowered(source, Criteria::default());
    let (mut goals, mut findings) = (Vec::new(), Vec::new());
    for unit in dtest_lower::units::units(&program.typed, |_| true) {
        let result = search_unit(&program, unit.callable, &Options::default());
        findings.extend(result.findings.iter().map(|f| f.failure.message.clone()));
        for (id, status) in result.goals {
            let goal = program.goal(unit.callable, id);
            if !status.is_covered() {
                let text = goal.map_or_else(String::new, |g| map.text(g.span).to_owned());
                goals.push((text, status));
            }
        }
    }
    (goals, findings)
}

fn assert_covered(source: &str) {
    let (goals, findings) = open(source);
    assert!(
        goals.is_empty() && findings.is_empty(),
        "{source}: {goals:?} {findings:?}"
    );
}

#[test]
fn sequences_have_the_lengths_that_types_demand() {
    assert_covered(
        "newtype byte = x: int | 0 <= x < 256
         const SIZE := 8 * 512
         type Block = b: seq<byte> | |b| == SIZE witness *
         method First(b: Block) returns (r: byte) {
           if b[0] == 7 { return 1; }
           if b[4095] == 9 { return 2; }
           return 0;
         }
         method Same(b: Block, c: Block, i: nat) returns (r: bool) requires i < 4000 {
           if b[i] == c[i + 1] && b[i] > 100 { return true; }
           return false;
         }",
    );
}

#[test]
fn sequences_have_the_lengths_that_preconditions_demand() {
    assert_covered(
        "predicate IsBlock(b: seq<bv8>) { |b| == 4096 }
         method Read(b: seq<bv8>, i: nat) returns (r: bv8) requires IsBlock(b) && i < 4000 {
           var c := b[10..][i := 3];
           if c[4000] == 5 { return 1; }
           if i > 100 && b[i] == 9 { return 2; }
           return 0;
         }
         method Pad(b: seq<bv8>) returns (r: bv8) requires |b| >= 1000 {
           var c := [1, 2] + b;
           if c[701] == 77 { return 1; }
           return c[2];
         }",
    );
}

#[test]
fn arrays_have_the_lengths_that_preconditions_demand() {
    assert_covered(
        "method Count(a: array<int>, k: int) returns (n: nat) requires a.Length == 5000 {
           n := 0;
           if a[4000] == 12345 { return 1; }
           for i := 0 to a.Length { if a[i] == k { n := n + 1; } }
           return n;
         }",
    );
}

#[test]
fn collections_hold_blocks() {
    assert_covered(
        "newtype byte = x: int | 0 <= x < 256
         type Block = b: seq<byte> | |b| == 4096 witness *
         datatype Entry = Entry(block: Block, dirty: bool)
         method Pair(e: Entry, all: seq<Entry>) returns (r: int) {
           if e.dirty && e.block[3000] == 7 { return 1; }
           if |all| == 2 && all[1].block[0] == 9 { return 2; }
           return 0;
         }
         method Many(all: seq<Block>) returns (r: int) requires |all| == 10 {
           if all[9][10] == 3 { return 1; }
           return 0;
         }",
    );
}

#[test]
fn tables_hold_keys_of_demanded_lengths() {
    // 64 and 128 are below the bounds of parameters and beyond those of nested sequences.
    assert_covered(
        "newtype byte = x: int | 0 <= x < 256
         type Key = k: seq<byte> | |k| == 64 witness *
         type Hash = h: seq<byte> | |h| == 128 witness *
         datatype Entry = Entry(key: Key, hash: Hash, size: nat)
         method Find(entries: seq<Entry>, k: Key) returns (r: int) {
           if |entries| < 2 { return 0; }
           if entries[1].hash[127] == 200 { return 1; }
           if entries[1].key[63] == 7 && k[62] == 8 { return 2; }
           return 3;
         }",
    );
}

#[test]
fn parameters_have_the_lengths_of_their_types() {
    assert_covered(
        "type Key = k: seq<bv8> | |k| == 64 witness *
         method First(k: Key) returns (r: int) {
           if k[62] == 200 { return 1; }
           return 3;
         }",
    );
}

#[test]
fn long_keys_are_equal_to_those_that_are_compared_with_them() {
    assert_covered(
        "type Key = k: seq<bv8> | |k| == 64 witness *
         datatype Entry = Entry(key: Key, size: nat)
         method Find(entries: seq<Entry>, k: Key) returns (r: int) {
           if |entries| < 2 { return 0; }
           if entries[1].key == k && k[63] == 7 { return 1; }
           if k[62] == 3 && entries[0].key == k && entries[0].size == 9 { return 2; }
           return 3;
         }",
    );
}

#[test]
fn fields_have_the_lengths_that_invariants_demand() {
    assert_covered(
        "class Inode {
           var data: seq<bv8>
           const size: nat := 100
           constructor() ensures Valid() { data := seq(100, i => 0); }
           ghost predicate Valid() reads this { |data| == size }
           method Last() returns (r: int) requires Valid() modifies this {
             if data[99] == 3 { return 1; }
             return 0;
           }
         }",
    );
}

#[test]
fn disks_have_the_blocks_that_their_invariant_demands() {
    assert_covered(
        "newtype uint64 = x: int | 0 <= x < 0x1_0000_0000_0000_0000
         type Block = b: seq<bv8> | |b| == 4096 witness *
         class {:extern} Disk {
           ghost var contents: map<uint64, Block>
           const {:extern} size: uint64
           ghost predicate Valid() reads this { forall a | 0 <= a < size :: a in contents }
           method {:extern} Read(a: uint64) returns (b: Block)
             requires Valid() && a < size
             ensures b == contents[a]
         }
         method First(d: Disk, a: uint64) returns (b: Block) requires d.Valid() && d.size > a {
           b := d.Read(a);
         }
         method Kind(d: Disk, a: uint64) returns (r: int) requires d.Valid() && d.size > 0 {
           if a < d.size {
             var b := d.Read(a);
             return |b|;
           }
           return 0;
         }",
    );
}

#[test]
fn contracts_state_the_values_of_functions_without_a_body() {
    assert_covered(
        "class {:extern} Mac {
           ghost function {:extern} Key(): seq<int> reads this
           ghost function {:extern} IsLong(): bool reads this
           static method {:extern} Build(isLong: bool) returns (mac: Mac)
             ensures fresh(mac) && mac.IsLong() == isLong
           method {:extern} Init(key: seq<int>)
             requires 0 < |key|
             modifies this
             ensures Key() == key && IsLong() == old(IsLong())
           method {:extern} Result() returns (s: seq<int>)
             requires 0 < |Key()|
             modifies this
             ensures |s| == Length(IsLong())
             ensures Key() == old(Key()) && IsLong() == old(IsLong())
         }
         function Length(isLong: bool): nat { if isLong then 64 else 32 }
         method Extract(mac: Mac, ghost isLong: bool) returns (r: seq<int>)
           requires mac.IsLong() == isLong
           modifies mac
           ensures |r| == Length(isLong)
         {
           mac.Init([0]);
           r := mac.Result();
         }
         method Derive(isLong: bool) returns (r: int) {
           var mac := Mac.Build(isLong);
           var s := Extract(mac, isLong);
           mac.Init(s);
           assert mac.Key() == s;
           s := mac.Result();
           if s[31] == 7 { return 1; }
           return 0;
         }",
    );
}

#[test]
fn a_failure_behind_a_result_that_may_violate_its_contract_is_no_finding() {
    let (goals, findings) = open(
        "ghost predicate IsGood(n: int)
         lemma {:axiom} GoodIsLarge(n: int) requires IsGood(n) ensures n > 5
         method {:extern} Pick() returns (n: int) ensures IsGood(n + 0) && forall k: int :: k * k + n > 5
         method Use() returns (r: int) {
           r := Pick();
           GoodIsLarge(r);
           assert r > 5;
         }",
    );
    assert!(findings.is_empty(), "{findings:?}");
    assert!(goals.iter().all(|(_, s)| s.is_open()), "{goals:?}");
}

#[test]
fn sizes_that_functions_return_are_tried() {
    assert_covered(
        "datatype Kind = Short | Long
         function Size(kind: Kind): nat { match kind case Short => 33 case Long => 49 }
         method {:extern} Make(kind: Kind) returns (key: seq<bv8>)
         method Use(kind: Kind) returns (r: int) {
           var key := Make(kind);
           if |key| as int != Size(kind) as int { return 1; }
           return 2;
         }",
    );
}

#[test]
fn external_code_returns_objects_of_type_object() {
    assert_covered(
        "datatype Error = Text(message: string) | Opaque(obj: object)
         type OpaqueError = e: Error | e.Opaque? witness *
         datatype Result<+T, +R> = Success(value: T) | Failure(error: R)
         method {:extern} Random(n: nat) returns (r: Result<seq<bv8>, OpaqueError>)
         method Use(n: nat) returns (r: Result<seq<bv8>, Error>) requires n < 4 {
           var found := Random(n);
           if found.Failure? { return found; }
           if |found.value| != n { return Failure(Text(\"length\")); }
           return found;
         }",
    );
}

#[test]
fn mocks_answer_predicates_as_the_contracts_of_their_methods_state() {
    assert_covered(
        "datatype Result<+T> = Success(value: T) | Failure(error: string)
         class History { ghost var calls: seq<(int, Result<int>)> constructor () { calls := []; } }
         trait Client {
           ghost const history: History
           ghost predicate Valid() reads this, history
           ghost predicate EncryptEnsures(input: int, output: Result<int>)
           method Encrypt(input: int) returns (output: Result<int>)
             requires Valid()
             modifies history
             ensures Valid()
             ensures EncryptEnsures(input, output)
             ensures history.calls == old(history.calls) + [(input, output)]
         }
         method Wrap(client: Client, input: int) returns (r: int)
           requires client.Valid()
           modifies client.history
         {
           var output := client.Encrypt(input);
           if output.Failure? { return 1; }
           if output.value == input { return 2; }
           return 3;
         }",
    );
}
