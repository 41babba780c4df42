//! Tests of longer sequences of calls.

use super::pool::Pool;
use super::{GoalStatus, Options, Strength, UnitResult, search_unit_with};
use dafny_resolve::typed::CallableId;
use dtest_ir::{self as ir, Criteria, Criterion};

fn lowered(source: &str) -> ir::Program {
    let criteria = Criteria::new([Criterion::Block]).expect("criteria");
    dtest_lower::testing::lowered(source, criteria).1
}

fn searched(program: &ir::Program, path: &str) -> UnitResult {
    let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
    let unit = ids
        .find(|id| program.typed.callable_path(*id) == path)
        .expect("declared");
    let options = Options {
        strength: Strength::Mutants,
        ..Options::default()
    };
    let pool = Pool::of(program);
    search_unit_with(program, unit, &options, Some(&pool))
}

/// A ring buffer whose validity cannot be evaluated, so that objects come from calls only.
const RING: &str = "
    class Ring {
      var items: seq<int>
      var first: nat
      const capacity: nat := 12
      ghost predicate Valid() reads this {
        first < capacity && |items| <= capacity
        && forall f: int -> int :: (forall i :: f(i) == i) ==> forall k <- items :: f(k) == k
      }
      constructor () ensures Valid() { items := []; first := 0; }
      method Push(x: int) requires Valid() modifies this ensures Valid() {
        if |items| < capacity { items := items + [x]; } else { items := items[1..] + [x]; first := (first + 1) % capacity; }
      }
      method Place() returns (at: int) requires Valid() {
        if |items| == capacity && first > 1 { at := first - 1; } else { at := |items|; }
      }
    }";

#[test]
fn as_many_calls_as_the_capacity_lead_to_the_states_after_it() {
    let program = lowered(RING);
    let result = searched(&program, "Ring.Place");
    let is_covered = |s: &GoalStatus| matches!(s, GoalStatus::Covered(_));
    assert!(
        result.goals.iter().all(|(_, s)| is_covered(s)),
        "{:?}",
        result.goals
    );
    // Each object is written as the calls that lead to it.
    let mut constructor = super::construct::Constructor::knowing(&program, &result.made);
    for test in &result.tests {
        assert!(
            !constructor.constructions(&test.inputs).is_empty(),
            "{:?}",
            test.inputs
        );
    }
    // Equal results from run to run.
    let again = searched(&program, "Ring.Place");
    let inputs = |r: &UnitResult| r.tests.iter().map(|t| t.inputs.clone()).collect::<Vec<_>>();
    assert_eq!(inputs(&result), inputs(&again));
}

#[test]
fn functions_are_applied_again_to_reach_larger_values() {
    let program = lowered(
        "datatype Log = Log(entries: seq<int>, check: nat)
         function Check(entries: seq<int>): nat {
           if entries == [] then 17 else (31 * Check(entries[..|entries| - 1]) + Abs(entries[|entries| - 1])) % 1009
         }
         function Abs(x: int): nat { if x < 0 then -x else x }
         function Add(l: Log, x: int): Log requires l.check == Check(l.entries) { Log(l.entries + [x], Check(l.entries + [x])) }
         method IsFull(l: Log) returns (r: int) requires l.check == Check(l.entries) {
           r := 0;
           if |l.entries| > 7 { r := l.entries[7]; }
         }",
    );
    let result = searched(&program, "IsFull");
    let is_covered = |s: &GoalStatus| matches!(s, GoalStatus::Covered(_));
    assert!(
        result.goals.iter().all(|(_, s)| is_covered(s)),
        "{:?}",
        result.goals
    );
}
