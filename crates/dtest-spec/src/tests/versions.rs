//! Tests of differences between two versions of a contract.

use dafny_resolve::typed::{Arena as _, CallableId, Program};
use dtest_search::Options;

use super::{certainty, resolved, shown};
use crate::{Found, Versions};

fn callable(program: &Program, path: &str) -> CallableId {
    let ids: Vec<CallableId> = program.ids();
    let is_wanted = |id: &CallableId| program.callable_path(*id) == path;
    ids.into_iter().find(is_wanted).unwrap()
}

fn found(found: &Found) -> String {
    match found {
        Found::Example(example) => shown(example),
        Found::Nothing(c) => certainty(c),
        Found::Undecided(reason) => format!("? {reason}"),
    }
}

/// The answers on the callable `path`: accepted, rejected, allowed and forbidden.
fn compared(old: &str, new: &str, path: &str) -> [String; 4] {
    let (old, new) = (resolved(old), resolved(new));
    let versions = Versions::new(&old, &new);
    let (o, n) = (callable(&old, path), callable(&new, path));
    assert_eq!(versions.namesake(o), Some(n));
    assert!(!versions.is_unchanged(o));
    let d = versions.difference(o, n, &Options::default());
    [&d.accepted, &d.rejected, &d.allowed, &d.forbidden].map(found)
}

fn is_unchanged(old: &str, new: &str, path: &str) -> bool {
    let (old, new) = (resolved(old), resolved(new));
    Versions::new(&old, &new).is_unchanged(callable(&old, path))
}

#[test]
fn inputs_and_results_that_one_version_accepts_are_found() {
    let old = "method M(x: int) returns (r: int)\n requires x > 0\n ensures r >= x\n";
    let new = "method M(x: int) returns (r: int)\n requires x >= 0\n ensures r > x\n";
    assert_eq!(
        compared(old, new, "M"),
        ["x = 0 -> ", "proved", "proved", "x = 1 -> r = 1"]
    );
    assert_eq!(
        compared(new, old, "M"),
        ["proved", "x = 0 -> ", "x = 1 -> r = 1", "proved"]
    );
}

#[test]
fn layout_and_equivalent_clauses_are_no_difference() {
    let old = "method M(x: int) returns (r: int)\n requires x > 0\n ensures r > x\n";
    let spaced = "// M\nmethod M(x: int) returns (r: int)\n  requires x>0\n  ensures (r > x)\n";
    assert!(is_unchanged(old, spaced, "M"));
    let equivalent = "method M(x: int) returns (r: int)\n requires x >= 1\n ensures r - x > 0\n";
    assert_eq!(compared(old, equivalent, "M"), ["proved"; 4]);
}

#[test]
fn changed_functions_change_the_contracts_that_call_them() {
    let program = |order: &str| {
        format!(
            "predicate Sorted(s: seq<int>) {{\n forall i, j :: 0 <= i < j < |s| ==> s[i] {order} s[j]\n}}\n\
             predicate Both(s: seq<int>, t: seq<int>) {{ Sorted(s) && Sorted(t) }}\n\
             method Sort(s: seq<int>) returns (r: seq<int>)\n ensures Both(r, []) && |r| == |s|\n\
             method Other(s: seq<int>) returns (r: seq<int>)\n ensures |r| == |s|\n"
        )
    };
    let (old, new) = (program("<="), program("<"));
    assert_eq!(
        compared(&old, &new, "Sort"),
        [
            "proved",
            "proved",
            "within collections 8",
            "s = [0, 0] -> r = [1, 1]"
        ]
    );
    assert!(is_unchanged(&old, &new, "Other"));
}

#[test]
fn bodies_of_functions_are_compared_as_callers_see_them() {
    let old = "function F(x: int): int { if x > 2 then x else 0 }\nfunction G(x: int): int\n requires x > 0\n{ F(x) }\n";
    let new = "function F(x: int): int { if x > 1 then x else 0 }\nfunction G(x: int): int\n requires x > 0\n{ F(x) }\n";
    assert_eq!(
        compared(old, new, "G"),
        [
            "proved",
            "proved",
            "x = 2 -> result = 2",
            "x = 2 -> result = 0"
        ]
    );
    let opaque =
        |body: &str| format!("opaque function F(x: int): int\n ensures F(x) >= x\n{{ {body} }}\n");
    assert!(is_unchanged(&opaque("x"), &opaque("x + 1"), "F"));
}

#[test]
fn postconditions_of_a_function_name_the_function() {
    let old = "function Half(n: nat): nat\n ensures Half(n) * 2 <= n\n";
    let new = "function Half(n: nat): nat\n ensures Half(n) * 2 <= n <= Half(n) * 2 + 1\n";
    let [accepted, rejected, allowed, forbidden] = compared(old, new, "Half");
    assert_eq!([accepted, rejected, allowed], ["proved"; 3]);
    assert_eq!(forbidden, "n = 2 -> result = 0");
}

#[test]
fn a_larger_frame_allows_more() {
    let class = "class C {\n var a: int\n var b: int\n method M()\n";
    let old = format!("{class}  modifies this`a\n  ensures a == old(a) + 1\n}}\n");
    let new = format!("{class}  modifies this\n  ensures a == old(a) + 1\n}}\n");
    let answers = compared(&old, &new, "C.M");
    assert_eq!(
        answers,
        [
            "proved",
            "proved",
            "this.a = 2, this.b = 0 -> this.a = 3, this.b = 1",
            "proved"
        ]
    );
    // An alias of an object in the frame may change.
    let method = "class C { var a: int }\nmethod M(c: C, d: C)\n requires c == d\n modifies c";
    let old = format!("{method}\n ensures c.a == 1\n");
    let new = format!("{method}, d\n ensures c.a == 1\n");
    let [_, _, allowed, forbidden] = compared(&old, &new, "M");
    assert_eq!([allowed, forbidden], ["proved"; 2]);
}

#[test]
fn types_that_differ_are_not_compared() {
    let old = "datatype D = A | B\nmethod M(d: D) returns (r: D)\n ensures r != d\n";
    let new = "datatype D = A | B | C\nmethod M(d: D) returns (r: D)\n ensures r == d\n";
    let reason = "? the types of the parameters or of the class differ";
    assert_eq!(compared(old, new, "M"), [reason; 4]);
    // A type that no parameter has is imported.
    let program = |low: &str| {
        format!(
            "type Small = x: int | {low} <= x < 10 witness 5\n\
             method M(x: int)\n requires exists y: Small | 0 <= y < 20 :: y == x\n"
        )
    };
    let [accepted, rejected, ..] = compared(&program("0"), &program("1"), "M");
    assert_eq!([&*accepted, &*rejected], ["proved", "x = 0 -> "]);
}

#[test]
fn recursive_functions_that_are_the_same_are_one_function() {
    let program = |clause: &str| {
        format!(
            "function Sum(s: seq<int>): int {{ if s == [] then 0 else s[0] + Sum(s[1..]) }}\n\
             method M(s: seq<int>) returns (r: int)\n ensures r {clause} Sum(s)\n"
        )
    };
    let (old, new) = (program("=="), program(">="));
    let [_, _, allowed, forbidden] = compared(&old, &new, "M");
    assert_eq!(allowed, "s = [] -> r = 1");
    assert_eq!(forbidden, "proved");
}
