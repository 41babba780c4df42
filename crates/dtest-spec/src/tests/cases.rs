//! Tests of verdicts on cases.

use dafny_resolve::typed::{Arena as _, CallableId, Expr, FieldId, FieldKind, Program};

use super::resolved;
use crate::{Case, CaseTruth, case_variables, judge};

/// The value of the constant with the name.
fn value(program: &Program, name: &str) -> Expr {
    let ids: Vec<FieldId> = program.ids();
    let id = ids
        .into_iter()
        .find(|f| &*program[*f].name == name)
        .unwrap();
    match &program[id].kind {
        FieldKind::Const(Some(e)) => (**e).clone(),
        FieldKind::Mutable | FieldKind::Const(None) | FieldKind::Destructor(_) => unreachable!(),
    }
}

/// The truths of the clauses of the first callable for the values of constants; `-` is no value.
fn judged(text: &str, path: &str, values: &[&str]) -> Vec<CaseTruth> {
    let program = resolved(text);
    let ids: Vec<CallableId> = program.ids();
    let is_unit = |id: &CallableId| program.callable_path(*id) == path;
    let unit = ids.into_iter().find(is_unit).unwrap();
    let values = values.iter().map(|name| match *name {
        "-" => None,
        name => Some(value(&program, name)),
    });
    let case = Case {
        values: values.collect(),
    };
    assert_eq!(
        case_variables(&program, unit).map(|v| v.len()),
        Some(case.values.len())
    );
    let verdicts = judge(&program, unit, &[case]);
    verdicts.into_iter().flatten().map(|v| v.truth).collect()
}

const SORT: &str = "method Sort(s: seq<int>) returns (r: seq<int>)
  requires s != []
  ensures |r| == |s|
  ensures forall i, j :: 0 <= i < j < |r| ==> r[i] <= r[j]
{ r := s; }
const none: seq<int> := []
const one: seq<int> := [1]
const down: seq<int> := [2, 1]
const up: seq<int> := [1, 2]
";

#[test]
fn each_clause_has_a_verdict() {
    use CaseTruth::{Accepts, Rejects};
    assert_eq!(
        judged(SORT, "Sort", &["down", "up"]),
        [Accepts, Accepts, Accepts]
    );
    assert_eq!(
        judged(SORT, "Sort", &["down", "one"]),
        [Accepts, Rejects, Accepts]
    );
    assert_eq!(
        judged(SORT, "Sort", &["none", "down"]),
        [Rejects, Rejects, Rejects]
    );
}

#[test]
fn the_body_has_the_results_of_a_case_without_results() {
    use CaseTruth::{Accepts, Rejects};
    assert_eq!(
        judged(SORT, "Sort", &["down", "-"]),
        [Accepts, Accepts, Rejects]
    );
    assert_eq!(
        judged(SORT, "Sort", &["up", "-"]),
        [Accepts, Accepts, Accepts]
    );
}

#[test]
fn postconditions_of_functions_are_about_the_result_of_the_case() {
    use CaseTruth::{Accepts, Rejects, WrongType};
    let half = "opaque function Half(n: nat): int\n  ensures Half(n) * 2 <= n\n{ n / 2 }\nconst five: int := 5\nconst two: int := 2\nconst three: int := 3\nconst minus: int := -1\n";
    assert_eq!(judged(half, "Half", &["five", "two"]), [Accepts]);
    assert_eq!(judged(half, "Half", &["five", "three"]), [Rejects]);
    assert_eq!(judged(half, "Half", &["five", "-"]), [Accepts]);
    assert_eq!(judged(half, "Half", &["minus", "minus"]), [WrongType]);
}

#[test]
fn arrays_have_the_elements_of_sequences() {
    use CaseTruth::{Accepts, Rejects};
    let text = "method First(a: array<int>) returns (r: array<int>)\n requires a.Length > 0\n ensures fresh(r) && r.Length == 1 && r[0] == a[0]\nconst down: seq<int> := [2, 1]\nconst one: seq<int> := [1]\nconst two: seq<int> := [2]\n";
    assert_eq!(judged(text, "First", &["down", "two"]), [Accepts, Accepts]);
    assert_eq!(judged(text, "First", &["down", "one"]), [Accepts, Rejects]);
}

#[test]
fn a_clause_that_is_not_defined_is_not_decided() {
    let text = "method M(s: seq<int>) returns (r: int)\n ensures s[r] == 0\nconst none: seq<int> := []\nconst zero: int := 0\n";
    let truths = judged(text, "M", &["none", "zero"]);
    assert!(
        matches!(truths[..], [CaseTruth::Undecided(_)]),
        "{truths:?}"
    );
}
