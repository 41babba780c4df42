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
