//! Tests of larger inputs: features of executions, structural changes, and objects of known
//! validity.

use super::mutate::Mutator;
use super::parts::Scope;
use super::pool::Pool;
use super::{Options, Strength, UnitResult, search_unit_with};
use dafny_resolve::typed::CallableId;
use dtest_interp::{Feature, Inputs, Interp, Limits};
use dtest_ir::{self as ir, Criteria, Criterion};
use dtest_sorted::SortedSet;
use dtest_value::{Heap, Value};

fn lowered(source: &str) -> ir::Program {
    let criteria = Criteria::new([Criterion::Block]).expect("criteria");
    dtest_lower::testing::lowered(source, criteria).1
}

fn callable(program: &ir::Program, path: &str) -> CallableId {
    let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
    ids.find(|id| program.typed.callable_path(*id) == path)
        .expect("declared")
}

fn searched(program: &ir::Program, path: &str) -> UnitResult {
    let options = Options {
        strength: Strength::Mutants,
        ..Options::default()
    };
    let pool = Pool::of(program);
    search_unit_with(program, callable(program, path), &options, Some(&pool))
}

/// The features of an execution of a unit.
fn features(program: &ir::Program, path: &str, args: &[Value]) -> SortedSet<Feature> {
    let interp = Interp::new(program, Limits::default());
    interp.observe(true);
    let inputs = Inputs {
        args: args.to_vec(),
        ..Inputs::default()
    };
    interp.run(callable(program, path), &inputs);
    interp.behaviour()
}

#[test]
fn executions_differ_in_how_often_and_in_what_order_ways_are_taken() {
    let program = lowered(
        "method Count(n: nat) returns (r: nat) { r := 0; while r < n { r := r + 1; } }
         function Chain(s: string): nat { if s == \"\" then 0 else if s[0] == '+' then 1 + Chain(s[1..]) else Chain(s[1..]) }",
    );
    let of = |n: u32| features(&program, "Count", &[Value::int(n)]);
    // More iterations have all features of fewer ones and others, up to a limit.
    for n in 1..3 {
        assert!(of(n).iter().all(|f| of(n + 1).contains(f)), "{n}");
        assert!(of(n).len() < of(n + 1).len(), "{n}");
    }
    assert_eq!(of(7), of(8));
    let of = |s: &str| features(&program, "Chain", &[Value::string(s)]);
    assert_ne!(of("+-"), of("-+"));
    assert_eq!(of("+++++"), of("++++++"));
    // Nothing is recorded of executions that are not observed.
    let interp = Interp::new(&program, Limits::default());
    let inputs = Inputs {
        args: vec![Value::string("+")],
        ..Inputs::default()
    };
    interp.run(callable(&program, "Chain"), &inputs);
    assert!(interp.behaviour().is_empty());
}

#[test]
fn executions_differ_in_the_operands_that_decide_and_in_equal_numbers() {
    let program = lowered(
        "function Both(a: bool, b: bool): int { if a && b then 1 else 0 }
         function Either(a: bool, b: bool): int { if a || b then 1 else 0 }
         function Least(a: int, b: int): int { if a <= b then a else b }",
    );
    let of =
        |path: &str, a: bool, b: bool| features(&program, path, &[Value::Bool(a), Value::Bool(b)]);
    assert_ne!(of("Both", false, true), of("Both", true, false));
    assert_eq!(of("Both", false, true), of("Both", false, false));
    assert_ne!(of("Either", false, true), of("Either", true, false));
    let least = |a: i32, b: i32| features(&program, "Least", &[Value::int(a), Value::int(b)]);
    assert_ne!(least(1, 2), least(2, 2));
    assert_eq!(least(1, 2), least(3, 7));
}

#[test]
fn the_last_of_several_matches_is_told_from_the_first() {
    let program = lowered(
        "method Last(s: seq<(int, int)>, k: int) returns (v: int) {
           v := -1;
           for i := 0 to |s| { if s[i].0 == k && s[i].1 > 0 { v := s[i].1; } }
         }",
    );
    let result = searched(&program, "Last");
    let values = |inputs: &Inputs| -> SortedSet<Value> {
        let (Value::Seq(pairs), key) = (&inputs.args[0], &inputs.args[1]) else {
            return SortedSet::new();
        };
        let matching = pairs.iter().filter_map(|p| match p {
            Value::Tuple(items) if items[0] == *key && items[1] > Value::int(0) => {
                Some(items[1].clone())
            }
            _ => None,
        });
        matching.collect()
    };
    assert!(result.tests.iter().any(|t| values(&t.inputs).len() > 1));
}

#[test]
fn larger_inputs_combine_cases() {
    let program = lowered(
        "function Apply(s: string, n: int): int {
           if s == \"\" then n
           else if s[0] == '+' then Apply(s[1..], n + 1)
           else if s[0] == '*' then Apply(s[1..], 2 * n)
           else n
         }",
    );
    let result = searched(&program, "Apply");
    // Some test has an operator after each of both.
    let is_chain = |t: &crate::TestCase| {
        let Some(Value::Seq(text)) = t.inputs.args.first() else {
            return false;
        };
        let text = text.to_vec();
        let known = |v: &Value| ['+', '*'].iter().any(|c| *v == Value::Char((*c).into()));
        let pairs: SortedSet<(Value, Value)> = text
            .windows(2)
            .filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())))
            .take_while(|(a, b)| known(a) && known(b))
            .collect();
        pairs.len() >= 3
    };
    let inputs: Vec<_> = result.tests.iter().map(|t| &t.inputs.args).collect();
    assert!(result.tests.iter().any(is_chain), "{inputs:?}");
}

#[test]
fn structural_changes_keep_types() {
    let program = lowered(
        "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
         datatype Item = Item(name: string, at: nat)
         function F(t: Tree, items: seq<Item>, m: map<int, Item>, s: set<int>, b: multiset<int>): int { 0 }",
    );
    let unit = callable(&program, "F");
    let interp = Interp::new(&program, Limits::default());
    let procedure = program.procedures.get(&unit).expect("a body");
    let mut mutator = Mutator::new(&program, procedure, &[], 1);
    let types = mutator.types.clone();
    let has_types = |inputs: &Inputs| {
        let all = inputs.args.iter().zip(&types);
        all.into_iter()
            .all(|(v, ty)| !interp.value_has_type(v, ty, &Heap::default()).is_false())
    };
    let empty = || Value::seq(Vec::new());
    let mut all = vec![Inputs {
        args: vec![
            interp
                .default_value(types.first().expect("a tree"))
                .expect("a leaf"),
            empty(),
            Value::map([]),
            Value::set([]),
            Value::multiset([]),
        ],
        ..Inputs::default()
    }];
    let mut changed = 0;
    for round in 0..600 {
        let (inputs, donor) = (
            all[round % all.len()].clone(),
            all[(round * 7) % all.len()].clone(),
        );
        let next = if round % 4 == 0 {
            Some(mutator.changed(&interp, &inputs))
        } else {
            mutator.restructured(&interp, &inputs, Some(&donor), Scope::Objects)
        };
        if let Some(next) = next.filter(|n| n.args.iter().all(|v| v.extent() < 200)) {
            // A natural number may become negative, which the validation rejects.
            if has_types(&next) {
                changed += 1;
                all.push(next);
            }
        }
    }
    assert!(changed > 200, "{changed}");
    let largest = all
        .iter()
        .map(|i| i.args.iter().map(Value::extent).sum::<u64>());
    let largest = largest.max();
    assert!(largest > Some(40), "{largest:?}");
}

#[test]
fn objects_of_undecided_validity_come_from_calls() {
    let program = lowered(
        "class Cache {
           var keys: seq<int>
           const capacity: nat
           ghost predicate Valid() reads this {
             0 < |keys| + capacity && forall f: int -> int :: (forall i :: f(i) == i) ==> forall k <- keys :: f(k) == k
           }
           constructor (capacity: nat) requires capacity > 0 ensures Valid() { this.capacity := capacity; keys := []; }
           method Put(k: int) requires Valid() modifies this ensures Valid() { if k !in keys && |keys| < capacity { keys := keys + [k]; } }
           method Has(k: int) returns (r: bool) requires Valid() { r := false; if |keys| > 1 && k in keys { r := true; } }
         }",
    );
    let result = searched(&program, "Cache.Has");
    assert!(result.tests.len() > 1);
    let mut constructor = super::construct::Constructor::knowing(&program, &result.made);
    for test in &result.tests {
        let made = constructor.constructions(&test.inputs);
        assert!(!made.is_empty(), "{:?}", test.inputs);
    }
}

#[test]
fn parts_of_inputs_coincide() {
    let program = lowered(
        "datatype Vote = Vote(ranking: seq<string>, weight: nat)
         function F(votes: seq<Vote>, names: seq<string>, ages: map<string, int>, name: string): int { 0 }",
    );
    let unit = callable(&program, "F");
    let interp = Interp::new(&program, Limits::default());
    let procedure = program.procedures.get(&unit).expect("a body");
    let mut mutator = Mutator::new(&program, procedure, &[], 1);
    let ctor = dafny_resolve::typed::CtorId(
        (0..program.typed.ctors.len() as u32)
            .find(|c| &*program.typed.ctors[*c as usize].name == "Vote")
            .expect("declared"),
    );
    let vote = |names: &[&str]| {
        let ranking = Value::seq(names.iter().map(|n| Value::string(n)));
        Value::datatype(ctor, vec![ranking, Value::int(1)])
    };
    let inputs = Inputs {
        args: vec![
            Value::seq([vote(&["p", "q"]), vote(&["r"])]),
            Value::seq([Value::string("s"), Value::string("t")]),
            Value::map([(Value::string("u"), Value::int(3))]),
            Value::string("v"),
        ],
        ..Inputs::default()
    };
    let (mut is_looked_up, mut is_voted_for, mut is_unanimous) = (false, false, false);
    for round in 0..200 {
        let next = if round % 2 == 0 {
            mutator.linked(&interp, &inputs, Scope::Arguments)
        } else {
            mutator.mixed(&interp, &inputs, Scope::Arguments)
        };
        let Some(next) = next else { continue };
        let [votes, names, ages, name] = next.args.as_slice() else {
            panic!("four arguments");
        };
        let texts = |v: &Value| -> Vec<Value> {
            let is_text = |v: &&Value| matches!(v, Value::Seq(xs) if xs.iter().any(|c| matches!(c, Value::Char(_))));
            v.within().filter(is_text).cloned().collect()
        };
        is_looked_up |= matches!(ages, Value::Map(pairs) if pairs.contains_key(name));
        is_voted_for |= texts(names).iter().all(|n| texts(votes).contains(n));
        let all = texts(votes);
        is_unanimous |= all.len() == 3 && all.iter().all(|v| Some(v) == all.first());
    }
    assert!(is_looked_up && is_voted_for && is_unanimous);
}
