//! Tests of the interpreter with callables that have no Dafny code.

use super::super::*;
use super::source::{subject, subject_with, with};
use dafny_resolve::typed::Options;
use dtest_desugar::{Links, TestOptions as _};
use dtest_ir::reason::{Reason, Unanswered};
use dtest_value::Value;

fn int(n: i64) -> Option<Value> {
    Some(Value::int(n))
}

#[test]
fn a_stub_returns_the_first_value_that_satisfies_the_contract() {
    let s = subject(
        "method {:extern} Draw(n: int) returns (r: int) ensures r > n
         function {:extern} Double(n: int): (r: int) ensures r == 2 * n
         method Uses() returns (a: int, b: int) { a := Draw(1); b := Double(21); }",
    );
    let e = s.run("Uses", &with([]));
    assert_eq!(e.outcome, Outcome::Returned(vec![int(2), int(42)]));
    assert!(e.deterministic && !e.linked);
    let asked: Vec<_> = e
        .answers
        .iter()
        .map(|a| (a.args.clone(), a.results.clone()))
        .collect();
    assert_eq!(
        asked,
        [(vec![int(1)], vec![int(2)]), (vec![int(21)], vec![int(42)])]
    );
}

#[test]
fn given_results_are_used_in_order_if_they_satisfy_the_contract() {
    let s = subject(
        "method {:extern} Draw() returns (r: int) ensures r > 0
         method Uses() returns (a: int, b: int, c: int) { a := Draw(); b := Draw(); c := Draw(); }",
    );
    let callee = s.callable("Draw");
    let answer = |n: i64| Answer {
        callee,
        type_args: Vec::new(),
        args: Vec::new(),
        results: vec![int(n)],
        changes: Vec::new(),
        undecided: Vec::new(),
    };
    let inputs = Inputs {
        answers: vec![answer(7), answer(-7), answer(9)],
        ..Inputs::default()
    };
    let e = s.run("Uses", &inputs);
    assert_eq!(e.outcome, Outcome::Returned(vec![int(7), int(1), int(9)]));
    assert_eq!(
        e.answers
            .iter()
            .map(|a| a.results.clone())
            .collect::<Vec<_>>(),
        [vec![int(7)], vec![int(1)], vec![int(9)]]
    );
}

#[test]
fn a_function_answers_the_same_for_the_same_arguments_in_code_and_contract() {
    let s = subject(
        "function {:extern} Price(item: string): (p: nat) ensures p > 0
         method Pay(item: string) returns (sum: int) requires Price(item) < 100 ensures sum == 2 * Price(item)
         { sum := Price(item) + Price(item); }",
    );
    let inputs = with([Value::string("tea")]);
    assert_eq!(s.requires("Pay", &inputs), [Truth::True, Truth::True]);
    assert_eq!(s.run("Pay", &inputs).answers.len(), 1);
    assert_eq!(s.ensures("Pay", &inputs), [Truth::True]);
}

#[test]
fn without_a_postcondition_any_result_is_an_answer() {
    let s = subject(
        "method {:extern} Roll() returns (n: int)
         method {:extern} Log(message: string)
         method Uses(b: bool) returns (r: int) { Log(\"a\"); r := 1; if b { r := Roll(); } }",
    );
    assert_eq!(
        s.run("Uses", &with([Value::Bool(false)])).outcome,
        Outcome::Returned(vec![int(1)])
    );
    let execution = s.run("Uses", &with([Value::Bool(true)]));
    assert!(
        matches!(execution.outcome, Outcome::Returned(_)) && execution.answers.len() == 2,
        "{execution:?}"
    );
}

#[test]
fn a_contract_without_a_small_result_is_reported() {
    let s = subject(
        "method {:extern} Find() returns (n: int) ensures n * n == 1522756
         method Uses() returns (r: int) { r := Find(); }",
    );
    let outcome = s.run("Uses", &with([])).outcome;
    assert!(
        matches!(&outcome, Outcome::Unsupported(Reason::External(Unanswered::NoneFound(name))) if &**name == "Find"),
        "{outcome:?}"
    );
}

#[test]
fn a_frame_may_change_and_nothing_else() {
    let s = subject(
        "class Clock {
           var now: int
           var zone: int
           method {:extern} Tick() modifies this`now ensures now > old(now)
           method Later() returns (n: int) modifies this { n := zone; Tick(); n := now; }
         }",
    );
    let callee = s.callable("Clock.Tick");
    let class = s.ty("Clock");
    let field = |name: &str| {
        let typed = &s.program.typed;
        dafny_resolve::typed::Arena::<FieldId>::ids(&**typed)
            .into_iter()
            .find(|f| &*typed[*f].name == name)
            .expect("declared")
    };
    let fields = [
        (field("now"), Value::int(3)),
        (field("zone"), Value::int(1)),
    ]
    .into();
    let heap = Heap {
        objects: vec![dtest_value::Object::new(
            class,
            dtest_value::Contents::Fields(fields),
        )],
    };
    let this = Value::Ref(dtest_value::ObjectId(0));
    let changes = vec![(
        dtest_value::ObjectId(0),
        Place::Field(field("now")),
        Value::int(8),
    )];
    let given = Answer {
        callee,
        type_args: Vec::new(),
        args: vec![Some(this.clone())],
        results: Vec::new(),
        changes,
        undecided: Vec::new(),
    };
    let inputs = Inputs {
        args: vec![this],
        heap,
        answers: vec![given],
        ..Inputs::default()
    };
    assert_eq!(
        s.run("Clock.Later", &inputs).outcome,
        Outcome::Returned(vec![int(8)])
    );
    // Without given results, the clock would not advance, which the contract forbids.
    let outcome = s
        .run(
            "Clock.Later",
            &Inputs {
                answers: Vec::new(),
                ..inputs
            },
        )
        .outcome;
    assert!(matches!(outcome, Outcome::Unsupported(_)), "{outcome:?}");
}

#[test]
fn linked_code_returns_by_contract_but_is_not_determined() {
    let links: Links = [("Env.Roll".to_owned(), "crate::dice::roll".to_owned())].into();
    let mut options = Options::default();
    options.set_links(links);
    let s = subject_with(
        "module Env {
           method {:extern} Roll() returns (n: int)
         }
         module Game {
           import Env
           method Play() returns (r: int) { r := Env.Roll(); }
         }",
        options,
    );
    let e = s.run("Game.Play", &with([]));
    assert_eq!(e.outcome, Outcome::Returned(vec![int(0)]));
    assert!(e.linked && !e.deterministic);
    let unit = s.run("Env.Roll", &with([]));
    assert!(
        matches!(unit.outcome, Outcome::Returned(_)) && unit.visited.len() == 1,
        "{unit:?}"
    );
}

/// A class of external code whose state ghost functions describe.
const MAC: &str = "class {:extern} Mac {
       ghost function {:extern} Key(): seq<int> reads this
       ghost function {:extern} Size(): nat reads this
       constructor {:extern} (size: nat) ensures Size() == size
       method {:extern} Init(key: seq<int>) modifies this
         ensures Key() == key && Size() == old(Size())
       method {:extern} Result() returns (s: seq<int>) modifies this
         ensures |s| == Size() && Size() == old(Size())
     }
     ghost predicate Signed(n: int)
     method {:extern} Sign(n: int) returns (r: int) ensures n > 0 ==> r == n && Signed(r)\n";

#[test]
fn contracts_state_the_values_of_functions_without_a_body() {
    let s = subject(&format!(
        "{MAC}
         method Uses() returns (n: nat, b: bool) {{
           var m := new Mac(40);
           m.Init([1]);
           label first:
           m.Init([2, 3]);
           var s := m.Result();
           n := |s|;
           var r := Sign(3);
           assert Signed(r) && old@first(m.Key()) == [1] && m.Size() == 40;
           b := r == 3;
         }}"
    ));
    let e = s.run("Uses", &with([]));
    assert_eq!(
        e.outcome,
        Outcome::Returned(vec![int(40), Some(Value::Bool(true))])
    );
    assert!(e.unknown.is_empty(), "{:?}", e.unknown);
}

#[test]
fn a_statement_holds_until_external_code_may_change_the_object() {
    for (last, is_unknown) in [("m.Init([1]);", false), ("var s := m.Result();", true)] {
        let s = subject(&format!(
            "{MAC} method Uses() {{ var m := new Mac(1); m.Init([1]); {last} assert m.Key() == [1]; }}"
        ));
        let e = s.run("Uses", &with([]));
        assert!(matches!(e.outcome, Outcome::Returned(_)), "{e:?}");
        assert_eq!(e.unknown.is_empty(), !is_unknown, "{last}");
    }
    let s = subject(&format!(
        "{MAC} method Uses() {{ var m := new Mac(1); m.Init([1]); m.Init([2]); assert m.Key() == [1]; }}"
    ));
    let e = s.run("Uses", &with([]));
    assert!(matches!(e.outcome, Outcome::Failed(_)), "{e:?}");
}
