use super::Pool;
use crate::{Options, Strength, search_unit_with};
use dafny_resolve::typed::CallableId;
use dtest_interp::Inputs;
use dtest_ir::{self as ir, Criteria, Criterion};
use dtest_value::{Contents, ObjectId, Value};

fn lowered(source: &str) -> ir::Program {
    let criteria = Criteria::new([Criterion::Block]).expect("criteria");
    dtest_lower::testing::lowered(source, criteria).1
}

fn callable(program: &ir::Program, path: &str) -> CallableId {
    let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
    ids.find(|id| program.typed.callable_path(*id) == path)
        .expect("declared")
}

fn pooled(source: &str, path: &str) -> Vec<Inputs> {
    let program = lowered(source);
    Pool::of(&program).inputs(callable(&program, path)).to_vec()
}

/// The integers in a value, each as often as it is there.
fn ints(value: &Value) -> Vec<&Value> {
    value
        .within()
        .filter(|v| matches!(v, Value::Int(_)))
        .collect()
}

const TREE: &str = "
    datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
    function Insert(t: Tree, x: int): Tree {
      match t
      case Leaf => Node(Leaf, x, Leaf)
      case Node(l, k, r) => if x < k then Node(Insert(l, x), k, r) else if x > k then Node(l, k, Insert(r, x)) else t
    }
    predicate Contains(t: Tree, x: int) {
      match t
      case Leaf => false
      case Node(l, k, r) => if x < k then Contains(l, x) else if x > k then Contains(r, x) else true
    }";

#[test]
fn trees_have_several_nodes_and_keys_are_looked_up_in_them() {
    let inputs = pooled(TREE, "Contains");
    let is_deep = |i: &&Inputs| {
        let [tree, key] = i.args.as_slice() else {
            return false;
        };
        let keys = ints(tree);
        // Not the root's: the first that is met is the last of the node's arguments.
        keys.len() >= 3 && keys.contains(&key) && {
            let Value::Datatype(root) = tree else {
                return false;
            };
            root.args.get(1) != Some(key)
        }
    };
    assert!(inputs.iter().any(|i| is_deep(&i)), "{inputs:?}");
}

#[test]
fn objects_are_in_states_that_sequences_of_calls_lead_to() {
    let source = "
        class Queue {
          var items: seq<int>
          var taken: nat
          constructor () ensures items == [] && taken == 0 { items, taken := [], 0; }
          method Push(x: int) modifies this ensures items == old(items) + [x] { items := items + [x]; }
          method Pop() returns (x: int) requires items != [] modifies this ensures items == old(items)[1..] {
            x := items[0]; items := items[1..]; taken := taken + 1;
          }
        }";
    let program = lowered(source);
    let pool = Pool::of(&program);
    let inputs = pool.inputs(callable(&program, "Queue.Pop"));
    let is_long = |i: &Inputs| {
        let Some(Contents::Fields(fields)) = i.heap.objects.first().map(|o| &o.contents) else {
            return false;
        };
        let long = |v: &Value| matches!(v, Value::Seq(xs) if xs.len() >= 3);
        let taken = |v: &Value| matches!(v, Value::Int(n) if *n > 0.into());
        fields.values().any(long) && fields.values().any(taken)
    };
    let state = inputs.iter().find(|i| is_long(i)).expect("a long queue");
    let (_, made) = pool.made(state, ObjectId(0)).expect("made by calls");
    assert!(made.by.then.len() >= 4, "{:?}", made.by);
}

#[test]
fn callees_are_executed_on_what_callers_call_them_with() {
    let source = "
        method Scan(text: string) returns (n: nat) { n := 0; for i := 0 to |text| { if text[i] == '[' { n := n + 1; } } }
        method {:test} OfReaders() { var n := Scan(\"[[nested]]\"); expect n == 2; }";
    let inputs = pooled(source, "Scan");
    let wanted = Value::string("[[nested]]");
    assert!(
        inputs.iter().any(|i| i.args.contains(&wanted)),
        "{inputs:?}"
    );
}

#[test]
fn parsers_get_what_printers_give() {
    let source = "
        datatype Expr = Num(n: nat) | Plus(a: Expr, b: Expr)
        function Digit(n: nat): string { [(n % 10) as char + '0'] }
        function Print(e: Expr): string {
          match e case Num(n) => Digit(n) case Plus(a, b) => \"(\" + Print(a) + \"+\" + Print(b) + \")\"
        }
        function Depth(s: string, open: nat): nat {
          if s == \"\" then open
          else if s[0] == '(' then Depth(s[1..], open + 1)
          else if s[0] == ')' && open > 0 then Depth(s[1..], open - 1)
          else Depth(s[1..], open)
        }";
    let source = source.replace("(n % 10) as char + '0'", "'0' + (n % 10) as char");
    let inputs = pooled(&source, "Depth");
    let opens = |v: &Value| {
        v.within()
            .filter(|c| **c == Value::Char('('.into()))
            .count()
    };
    let closes = |v: &Value| {
        v.within()
            .filter(|c| **c == Value::Char(')'.into()))
            .count()
    };
    let is_nested = |i: &Inputs| {
        i.args
            .first()
            .is_some_and(|s| opens(s) >= 2 && opens(s) == closes(s))
    };
    assert!(inputs.iter().any(is_nested), "{inputs:?}");
}

#[test]
fn preconditions_hold_of_all_inputs() {
    let source = "
        predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
        function Add(s: seq<int>, x: int): seq<int> requires Sorted(s) {
          if s == [] || x <= s[0] then [x] + s else [s[0]] + Add(s[1..], x)
        }";
    let inputs = pooled(source, "Add");
    let is_sorted = |i: &Inputs| matches!(i.args.first(), Some(Value::Seq(xs)) if xs.is_sorted());
    assert!(
        inputs.len() > 3 && inputs.iter().all(is_sorted),
        "{inputs:?}"
    );
    let is_long = |i: &Inputs| matches!(i.args.first(), Some(Value::Seq(xs)) if xs.len() > 3);
    assert!(inputs.iter().any(is_long), "{inputs:?}");
}

#[test]
fn a_pool_is_the_same_each_time() {
    let program = lowered(TREE);
    let (a, b) = (Pool::of(&program), Pool::of(&program));
    assert!(a.units().eq(b.units()));
}

#[test]
fn tests_are_added_from_the_pool_with_calls_that_make_their_objects() {
    let source = "
        class Stack {
          var items: seq<int>
          var most: nat
          ghost predicate Valid() reads this { |items| <= most && most <= 5 }
          constructor () ensures Valid() { items, most := [], 5; }
          method Push(x: int) requires Valid() && |items| < 5 modifies this ensures Valid() { items := items + [x]; }
          method Third() returns (x: int) requires Valid() { x := 0; if |items| > 3 { x := items[2]; } }
        }";
    let program = lowered(source);
    let pool = Pool::of(&program);
    let unit = callable(&program, "Stack.Third");
    let options = Options {
        strength: Strength::Mutants,
        ..Options::default()
    };
    let result = search_unit_with(&program, unit, &options, Some(&pool));
    let is_third = |t: &crate::TestCase| {
        matches!(&t.execution.outcome, dtest_interp::Outcome::Returned(results)
            if results.iter().flatten().any(|v| *v != Value::int(0)))
    };
    let test = result.tests.iter().find(|t| is_third(t)).expect("a test");
    let mut constructor = crate::construct::Constructor::knowing(&program, &result.made);
    let made = constructor.constructions(&test.inputs);
    assert!(made.contains_key(&ObjectId(0)), "{:?}", test.inputs);
}

#[test]
fn datatype_values_hold_objects_that_calls_made() {
    let inputs = pooled(
        "class Client {
           const limit: int
           var calls: nat
           ghost predicate Valid() reads this { limit == 7 * calls + 50 }
           constructor () ensures Valid() { limit := 50; calls := 0; }
         }
         trait Ring { var name: string method Name() returns (n: string) { n := name; } }
         class Plain extends Ring { constructor () { name := \"a\"; } }
         datatype Option<T> = None | Some(value: T)
         datatype Config = Config(client: Client, ring: Option<Ring>)
         method Open(config: Config, rings: seq<Ring>) returns (r: int)
           requires config.client.Valid()
         {
           if config.ring.Some? { return 1; }
           if |rings| > 1 { return 2; }
           return config.client.limit;
         }",
        "Open",
    );
    // Objects that were created field by field would violate the precondition.
    assert!(
        inputs.len() > 1 && inputs.iter().any(|i| i.heap.objects.len() > 1),
        "{inputs:?}"
    );
}

#[test]
fn journeys_meet_states_that_need_several_calls_with_the_same_values() {
    // A book is lost after it was bought, lent to a member that joined, and asked for twice.
    let program = lowered(
        "class Desk {
           var books: set<int>
           var members: set<int>
           var lent: map<int, int>
           var asked: map<int, int>
           constructor () { books, members, lent, asked := {}, {}, map[], map[]; }
           method Buy(book: int) modifies this { books := books + {book}; }
           method Join(member: int) modifies this { members := members + {member}; }
           method Lend(book: int, member: int) returns (ok: bool) modifies this {
             ok := book in books && member in members && book !in lent;
             if ok { lent := lent[book := member]; asked := asked[book := 0]; }
           }
           method Ask(book: int) modifies this {
             if book in lent && book in asked { asked := asked[book := asked[book] + 1]; }
           }
           method GiveBack(book: int) modifies this { lent, asked := lent - {book}, asked - {book}; }
           method Close() modifies this { lent, asked := map[], map[]; }
           method Report(book: int, member: int) returns (lost: bool) modifies this {
             lost := book in lent && lent[book] == member && book in asked && asked[book] >= 2;
             if lost { books, members, lent := books - {book}, members - {member}, lent - {book}; }
           }
         }",
    );
    let pool = Pool::of(&program);
    let unit = callable(&program, "Desk.Report");
    let interp = dtest_interp::Interp::new(&program, dtest_interp::Limits::default());
    let is_loss = |i: &&Inputs| {
        let outcome = interp.run(unit, i).outcome;
        matches!(outcome, dtest_interp::Outcome::Returned(results) if results.contains(&Some(Value::Bool(true))))
    };
    let loss = pool.inputs(unit).iter().find(is_loss).expect("a loss");
    let (_, made) = pool.made(loss, ObjectId(0)).expect("made by calls");
    assert!(made.by.then.len() >= 5, "{:?}", made.by);
}

#[test]
fn a_class_with_one_method_that_changes_it_needs_no_journeys() {
    let program = lowered(
        "class Counter {
           var n: nat
           constructor () { n := 0; }
           method Add() modifies this { n := n + 1; }
         }",
    );
    let pool = Pool::of(&program);
    assert!(!pool.inputs(callable(&program, "Counter.Add")).is_empty());
    let other = Pool::of(&program);
    assert!(pool.units().eq(other.units()));
}
