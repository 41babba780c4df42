//! Tests of the list of assumptions, of dependents and of evidence.

use dafny_resolve::typed::Program;
use dtest_search::Options;
use dtest_search::describe::one_line;

use super::{Assumption, AssumptionKind, Dependents, Evidence, Subject, assumptions, evidence};
use crate::tests::{listed, resolved};

fn subject(program: &Program, subject: Subject) -> String {
    match subject {
        Subject::Callable(id) => program.callable_path(id),
        Subject::Type(id) => program.type_path(id),
        Subject::Field(id) => program[id].name.to_string(),
    }
}

/// The list, one line for each assumption.
fn listing(text: &str) -> Vec<String> {
    let program = resolved(text);
    let line = |a: &Assumption| format!("{} {:?}", subject(&program, a.subject), a.kind);
    assumptions(&program).iter().map(line).collect()
}

/// The evidence on each assumption, in source order.
fn tried(text: &str) -> Vec<String> {
    let program = resolved(text);
    let line = |a: &Assumption| {
        let found = evidence(&program, std::slice::from_ref(a), &Options::default());
        let said = match found.first() {
            Some(Evidence::Refuted(inputs)) => format!("refuted by {}", listed(inputs)),
            Some(Evidence::Proved) => "proved".to_owned(),
            Some(Evidence::Supported { executions, .. }) => {
                assert!(*executions > 0, "{text}");
                "supported".to_owned()
            }
            Some(Evidence::NotExecutable(reason)) => format!("not executable: {reason}"),
            Some(Evidence::Undecided(reason)) => format!("undecided: {reason}"),
            None => String::new(),
        };
        one_line(&format!("{} {said}", subject(&program, a.subject)))
    };
    assumptions(&program).iter().map(line).collect()
}

#[test]
fn declarations_without_proofs_are_listed() {
    let found = listing(
        "lemma NoProof(x: int) ensures x * x >= 0
         lemma {:axiom} Axiom(x: int) requires x > 0 ensures x > 0
         method NoCode(x: int)
         method SubsetResult() returns (r: nat)
         function {:extern} External(x: int): int requires x > 0 ensures External(x) > 0
         method {:verify false} Unverified() ensures false {}
         method Endless() decreases * {}
         abstract module Abstract { lemma Later() ensures false }",
    );
    let expected = [
        "NoProof NoBody",
        "Axiom Axiom",
        "SubsetResult NoBody",
        "External ExternalFunction",
        "External ExternalEnsures",
        "External ExternalRequires",
        "Unverified NotVerified",
        "Endless MayNotTerminate",
    ];
    assert_eq!(found, expected);
}

#[test]
fn statements_that_assume_are_listed() {
    let found = listing(
        "method M(n: int) returns (r: int) {
           assume {:axiom} n > 0;
           r :| assume r > n;
           forall x | 0 <= x < n ensures x < n
           while r > n
             invariant true
         }
         function F(n: int): int { assume n > 0; n }",
    );
    let expected = [
        "M Assume",
        "M AssumedChoice",
        "M ForallWithoutBody",
        "M LoopWithoutBody",
        "F Assume",
    ];
    assert_eq!(found, expected);
}

#[test]
fn false_assumptions_are_refuted_by_an_accepted_input() {
    let found = tried(
        "lemma Wrong(x: int) requires x > 4 ensures x > 5
         lemma {:axiom} Right(x: int) ensures x * 2 == x + x
         method M(n: int) requires n >= 7 { assume n > 7; }
         function Impossible(x: int): int requires x == 3 ensures Impossible(x) > x > Impossible(x)
         method {:verify false} Code(x: int) returns (r: int) ensures r > x { r := x; }",
    );
    let expected = [
        "Wrong refuted by x = 5",
        "Right proved",
        "M refuted by n = 7",
        "Impossible refuted by x = 3",
        "Code refuted by x = 0",
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_assumption_behind_another_one_is_judged_where_that_one_holds() {
    let found = tried("method M(n: int) { assume n > 7; assume n > 5; assume n > 8; }");
    assert_eq!(found[0], "M refuted by n = 0");
    assert_eq!(found[1], "M proved");
    assert_eq!(found[2], "M refuted by n = 8");
}

#[test]
fn dependents_include_callers_of_callers_and_of_overridden_members() {
    let program = resolved(
        "lemma Assumed() ensures 1 < 2
         lemma User() { Assumed(); }
         method Main() { User(); }
         method Other() {}
         trait T { method P() }
         class C extends T { method P() { assume 1 > 0; } }
         method Caller(t: T) { t.P(); }",
    );
    let dependents = Dependents::new(&program);
    let lines: Vec<String> = assumptions(&program)
        .iter()
        .map(|a: &Assumption| {
            let users = dependents.of(a).into_iter();
            let users: Vec<String> = users.map(|id| program.callable_path(id)).collect();
            format!("{:?}: {}", a.kind, users.join(", "))
        })
        .collect();
    assert_eq!(
        lines[0],
        format!("{:?}: User, Main", AssumptionKind::NoBody)
    );
    assert!(
        lines[1].contains("C.P") && lines[1].contains("T.P"),
        "{lines:?}"
    );
    assert!(lines[1].contains("Caller"), "{lines:?}");
}

#[test]
fn a_violation_that_depends_on_another_assumption_refutes_nothing() {
    let found = tried(
        "ghost function Unknown(x: int): int
         lemma About(x: int) ensures Unknown(x) > 0
         method Dead(n: int) requires n > 4 { if n < 3 { assume false; } }",
    );
    let reason = "an execution that violates it depends on other assumptions";
    assert_eq!(
        found,
        [
            format!("About undecided: {reason}"),
            "Dead proved".to_owned()
        ]
    );
}

#[test]
fn nothing_is_proved_of_a_body_of_which_a_part_is_not_examined() {
    let evidence = tried(
        "method {:axiom} Type(n: int) returns (r: nat) ensures r > n { r := n + 1; }
         method {:axiom} Assertion(n: int) returns (r: int) ensures r == 7 { assert n > 0; r := 7; }
         method {:verify false} Contract(s: seq<int>) requires s[0] == 1 { assert 1 + 1 == 2; }
         method {:verify false} Measure(n: int) decreases 1 / n { assert 1 + 1 == 2; }
         method {:verify false} Right(n: int) returns (r: int) requires n > 0 ensures r > n { r := n + 1; }",
    );
    assert!(evidence[0].starts_with("Type refuted by"), "{evidence:#?}");
    assert!(
        evidence[1].starts_with("Assertion refuted by"),
        "{evidence:#?}"
    );
    assert!(
        evidence[2].starts_with("Contract undecided"),
        "{evidence:#?}"
    );
    assert!(
        evidence[3].starts_with("Measure undecided"),
        "{evidence:#?}"
    );
    assert_eq!(evidence[4], "Right proved", "{evidence:#?}");
}

#[test]
fn bodies_of_iterators_and_types_are_searched_and_values_of_functions_are_uses() {
    let found = listing(
        "iterator I(n: int) yields (x: int) { assume {:axiom} n > 0; yield; }
         newtype {:verify false} N = x: int | 0 <= x < 8",
    );
    assert!(found.iter().any(|l| l.ends_with("Assume")), "{found:#?}");
    assert!(found.contains(&"N NotVerified".to_owned()), "{found:#?}");
    let program = resolved(
        "function {:axiom} Ax(n: int): int ensures Ax(n) > n
         function Value(): int -> int { Ax }",
    );
    let all = assumptions(&program);
    let of = Dependents::new(&program).of(&all[0]);
    let names: Vec<String> = of.iter().map(|c| program.callable_path(*c)).collect();
    assert_eq!(names, ["Value"]);
}
