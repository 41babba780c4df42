//! Tests of contracts whose frames are not examined in full.

use super::{completeness, examined, implementable};

const NODES: &str = "class C {
  var n: int
  ghost var Repr: set<object>
  method M() returns (r: int)
    modifies Repr
";

#[test]
fn a_receiver_in_a_set_of_objects_is_changed() {
    let open = examined(&format!(
        "{NODES}    requires this in Repr\n    ensures n >= old(n) && r == 0 && Repr == old(Repr)\n}}"
    ));
    assert_eq!(
        completeness(&open),
        "open: this.n = 0, this.Repr = {this} -> this.n = 0, this.Repr = {this}, r = 0 | this.n = 1, this.Repr = {this}, r = 0"
    );
    // Other objects may have any final state.
    let determined = examined(&format!(
        "{NODES}    requires this in Repr\n    ensures n == old(n) && r == 0 && Repr == old(Repr)\n}}"
    ));
    let answer = completeness(&determined);
    assert!(
        answer.starts_with("determined up to identity, within")
            && answer.contains("inputs whose frame contains the receiver")
            && answer.contains("final states in which only named objects change"),
        "{answer}"
    );
}

#[test]
fn a_result_that_needs_a_new_object_is_not_excluded() {
    let spec = examined(&format!(
        "{NODES}    requires this in Repr\n    ensures n == 1 && r == 0 && Repr > old(Repr) && fresh(Repr - old(Repr))\n}}"
    ));
    assert!(
        implementable(&spec).starts_with("implementable?"),
        "{}",
        implementable(&spec)
    );
    assert!(
        completeness(&spec).starts_with("determined?"),
        "{}",
        completeness(&spec)
    );
}

#[test]
fn objects_that_may_be_null_are_examined_where_they_are_not() {
    let spec = examined(
        "class C { var n: int }\nmethod M(c: C?)\n  modifies c\n  ensures c != null ==> c.n > old(c.n)\n",
    );
    assert_eq!(completeness(&spec), "open: c.n = 0 -> c.n = 1 | c.n = 2");
    let spec = examined(
        "class C { var n: int }\nmethod M(c: C?)\n  modifies c\n  ensures c != null ==> c.n == old(c.n)\n",
    );
    assert!(
        completeness(&spec).contains("inputs with `c != null`"),
        "{}",
        completeness(&spec)
    );
}

#[test]
fn a_precondition_that_excludes_null_leaves_no_limit() {
    let spec = examined(
        "method M(a: array?<int>)\n  requires a != null && a.Length == 1\n  modifies a\n  ensures a[0] == 1\n",
    );
    assert_eq!(completeness(&spec), "determined, proved");
    let spec = examined(
        "method M(a: array?<int>)\n  requires null != a\n  modifies a\n  ensures a.Length > 0 ==> a[0] > 0\n",
    );
    assert_eq!(
        completeness(&spec),
        "open: a[..] = [0] -> a[..] = [1] | a[..] = [2]"
    );
    let spec = examined(
        "method M(a: array?<int>)\n  modifies a\n  ensures a != null && a.Length == 1 ==> a[0] == 1\n  ensures a != null && a.Length != 1 ==> a[..] == old(a[..])\n",
    );
    assert!(
        completeness(&spec).contains("inputs with `a != null`"),
        "{}",
        completeness(&spec)
    );
    let spec = examined(
        "class C { var n: int }\nmethod M(c: C?)\n  requires c != null\n  modifies c\n  ensures c.n == 1\n",
    );
    assert_eq!(completeness(&spec), "determined, proved");
}

#[test]
fn arrays_with_two_dimensions_have_final_states() {
    let fill = |ensures: &str| {
        examined(&format!(
            "method Fill(g: array2<bool>)\n  requires g.Length0 == 1 && g.Length1 == 2\n  modifies g\n  ensures {ensures}\n"
        ))
    };
    let open = fill("g[0, 0]");
    assert_eq!(
        completeness(&open),
        "open: g[.., ..] = [[false, false]] -> g[.., ..] = [[true, true]] | g[.., ..] = [[true, false]]"
    );
    let determined = fill("g[0, 0] && g[0, 1] == old(g[0, 0])");
    let answer = completeness(&determined);
    assert!(answer.starts_with("determined, "), "{answer}");
    let none = fill("g[0, 0] && !g[0, 0]");
    assert!(
        implementable(&none).starts_with("no result for "),
        "{}",
        implementable(&none)
    );
}

/// A stack over an array, as a class with ghost state.
const STACK: &str = "class Stack {
  ghost var items: seq<int>
  ghost var Repr: set<object>
  var cells: array<int>
  var size: nat
  ghost predicate Valid()
    reads this, Repr
  {
    this in Repr && cells in Repr && size <= cells.Length && items == cells[..size]
  }
";

#[test]
fn arrays_of_the_receiver_in_a_set_of_objects_are_changed() {
    let push = |ensures: &str| {
        examined(&format!(
            "{STACK}  method Push(x: int)
    requires Valid() && size < cells.Length
    modifies Repr
    ensures Valid() && Repr == old(Repr) && cells == old(cells) && size == old(size) + 1
    ensures {ensures}
}}"
        ))
    };
    // Only an array with other elements shows this.
    let open = completeness(&push("|items| == |old(items)| + 1"));
    assert!(open.starts_with("open:"), "{open}");
    // Callers know the items, and not the elements after `size`.
    let determined = completeness(&push("items == old(items) + [x]"));
    assert!(determined.starts_with("determined"), "{determined}");
}

#[test]
fn arrays_of_the_receiver_are_results_if_no_ghost_field_describes_them() {
    let spec = examined(
        "class C {
  ghost var Repr: set<object>
  var cells: array<int>
  method M()
    requires this in Repr && cells in Repr
    modifies Repr
    ensures Repr == old(Repr) && cells == old(cells)
}",
    );
    let answer = completeness(&spec);
    assert!(
        answer.starts_with("open:") && answer.contains("this.cells[..]"),
        "{answer}"
    );
}

#[test]
fn arrays_outside_the_set_of_objects_stay_as_they_are() {
    let spec = examined(
        "class C {
  ghost var Repr: set<object>
  var cells: array<int>
  method M()
    requires this in Repr && cells !in Repr
    modifies Repr
    ensures Repr == old(Repr) && cells == old(cells)
}",
    );
    let answer = completeness(&spec);
    assert!(answer.starts_with("determined"), "{answer}");
}

#[test]
fn a_constructor_allocates_the_arrays_of_its_object() {
    let constructor = |ensures: &str| {
        examined(&format!(
            "{STACK}  constructor (capacity: nat)
    ensures Valid() && fresh(Repr)
    ensures {ensures}
}}"
        ))
    };
    let open = completeness(&constructor("cells.Length == capacity"));
    assert!(open.starts_with("open:"), "{open}");
    assert!(open.contains("this.items = [0]"), "{open}");
}

#[test]
fn a_constructed_object_is_no_parameter() {
    let spec = examined(
        "class Node {
  var next: Node?
  var value: int
  constructor (next: Node)
    ensures this.next == next
    ensures value == if next == this then 1 else 0
}",
    );
    let answer = completeness(&spec);
    assert!(!answer.contains("next = this"), "{answer}");
    let accepted = spec.accepted.as_ref().map(super::shown);
    assert!(
        accepted.is_some_and(|a| a.contains("value = 0")),
        "{spec:?}"
    );
}

#[test]
fn texts_of_the_contract_fit_into_results() {
    let spec = examined(
        "datatype Result = Success(value: nat) | Failure(error: string)
method Withdraw(balance: nat, amount: nat) returns (r: Result)
  ensures r.Success? ==> amount <= balance && r.value == balance - amount
  ensures r.Failure? ==> r.error == \"insufficient funds\"
",
    );
    let answer = completeness(&spec);
    assert!(answer.contains("insufficient funds"), "{answer}");
}
