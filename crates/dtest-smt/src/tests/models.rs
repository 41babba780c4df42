//! Tests of the solver's answers: models, cores and budgets.

use std::time::Duration;

use super::{bits, int, ratio, vars};
use crate::{
    Answer, Assignment, Budget, BvOp, Const, Evaluator, Renaming, Script, Solver, Sort, Term,
    Terms, with_fresh_context,
};

const BUDGET: Budget = Budget {
    rlimit: 1_000_000,
    timeout: Duration::from_secs(5),
};

/// Returns a model of a condition that the solver found, after evaluating the condition in it.
fn model(terms: &Terms, condition: Term) -> Assignment {
    let mut solver = Solver::new(0, false);
    solver.assert(terms, condition);
    match solver.check(terms, &[], BUDGET) {
        Answer::Sat(model) => {
            assert!(Evaluator::new(terms, &model).holds(condition));
            model
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn models_have_values_of_every_sort() {
    let mut t = Terms::new();
    let (b, x, r, v) = (
        t.fresh("b", Sort::Bool),
        t.fresh("x", Sort::Int),
        t.fresh("r", Sort::Real),
        t.fresh("v", Sort::Bv(4)),
    );
    let (k, q, w) = (t.int(-7), t.constant(ratio(1, 3)), t.constant(bits(9)));
    let facts = [b, t.eq(x, k), t.eq(r, q), t.eq(v, w)];
    let all = t.all(facts);
    let found = model(&t, all);
    assert_eq!(found.get(&b), Some(&Const::Bool(true)));
    assert_eq!(found.get(&x), Some(&int(-7)));
    assert_eq!(found.get(&r), Some(&ratio(1, 3)));
    assert_eq!(found.get(&v), Some(&bits(9)));
}

#[test]
fn models_of_arithmetic_are_checked_by_evaluation() {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let [v, w] = vars(&mut t, Sort::Bv(4));
    let (ten, three) = (t.int(10), t.int(3));
    let (q, m, p) = (t.div(x, three), t.modulo(x, three), t.mul(x, y));
    let (sum, shifted) = (t.bv_op(BvOp::Add, v, w), t.bv_op(BvOp::Shl, v, w));
    let (two, thirty) = (t.int(2), t.int(30));
    let zero_bits = t.constant(bits(0));
    let facts = [
        t.eq(q, three),
        t.le(x, ten),
        t.eq(p, thirty),
        t.eq(sum, zero_bits),
        t.ne(shifted, zero_bits),
        t.ne(m, two),
    ];
    let all = t.all(facts);
    model(&t, all);
}

#[test]
fn a_contradiction_is_unsatisfiable_without_assumptions() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let (three, five) = (t.int(3), t.int(5));
    let (low, high) = (t.lt(five, x), t.lt(x, three));
    let mut solver = Solver::new(0, false);
    solver.assert(&t, low);
    solver.assert(&t, high);
    assert_eq!(solver.check(&t, &[], BUDGET), Answer::Unsat(Vec::new()));
}

#[test]
fn assumptions_hold_for_one_query_only() {
    let mut t = Terms::new();
    let [a] = vars(&mut t, Sort::Bool);
    let na = t.not(a);
    let mut solver = Solver::new(0, false);
    solver.assert(&t, a);
    assert_eq!(solver.check(&t, &[na], BUDGET), Answer::Unsat(vec![na]));
    assert!(matches!(solver.check(&t, &[], BUDGET), Answer::Sat(_)));
}

#[test]
fn a_false_assumption_is_its_own_core() {
    let mut t = Terms::new();
    let [a] = vars(&mut t, Sort::Bool);
    let mut solver = Solver::new(0, false);
    let ff = t.ff;
    let Answer::Unsat(core) = solver.check(&t, &[a, ff], BUDGET) else {
        panic!("a contradiction")
    };
    assert_eq!(core, [ff]);
}

#[test]
fn queries_are_counted() {
    let mut t = Terms::new();
    let [a] = vars(&mut t, Sort::Bool);
    let mut solver = Solver::new(0, false);
    solver.check(&t, &[a], BUDGET);
    solver.check(&t, &[], BUDGET);
    assert_eq!((solver.stats().queries, solver.stats().unknown), (2, 0));
}

#[test]
fn a_query_beyond_its_budget_is_unknown() {
    let mut t = Terms::new();
    let [x, y, z] = vars(&mut t, Sort::Int);
    // x³ + y³ = 3z³ + 4 with large x has no easy model.
    let cube = |t: &mut Terms, v: Term| {
        let square = t.mul(v, v);
        t.mul(square, v)
    };
    let (a, b, c) = (cube(&mut t, x), cube(&mut t, y), cube(&mut t, z));
    let three = t.int(3);
    let (left, right) = (t.add(a, b), t.mul(three, c));
    let right = t.plus(right, 4);
    let big = t.int(1_000_000);
    let facts = [t.eq(left, right), t.lt(big, x), t.lt(big, y)];
    let all = t.all(facts);
    let mut solver = Solver::new(0, false);
    solver.assert(&t, all);
    let little = Budget {
        rlimit: 1_000,
        ..BUDGET
    };
    assert!(matches!(solver.check(&t, &[], little), Answer::Unknown(_)));
    assert_eq!(solver.stats().unknown, 1);
}

#[test]
fn the_same_queries_have_the_same_answers() {
    // In one context, an answer may depend on earlier queries.
    let ask = || with_fresh_context(first_of_two);
    assert_eq!(ask(), ask());
}

/// Returns the values that the solver finds for two numbers whose sum is 10.
fn first_of_two() -> (Option<Const>, Option<Const>) {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let (sum, ten) = (t.add(x, y), t.int(10));
    let fact = t.eq(sum, ten);
    let mut solver = Solver::new(7, false);
    solver.assert(&t, fact);
    let Answer::Sat(model) = solver.check(&t, &[], BUDGET) else {
        panic!("a model")
    };
    (model.get(&x).cloned(), model.get(&y).cloned())
}

#[test]
fn a_missing_variable_has_the_value_zero() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let next = t.plus(x, 5);
    let none = Assignment::default();
    assert_eq!(Evaluator::new(&t, &none).value(next), int(5));
    assert_eq!(Evaluator::new(&t, &none).int(next), 5.into());
}

#[test]
fn an_evaluator_is_resumed_with_its_results() {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let (a, b) = (t.plus(x, 1), t.mul(x, y));
    let before = Assignment::from_iter([(x, int(2))]);
    let mut first = Evaluator::new(&t, &before);
    assert_eq!(first.value(a), int(3));
    let values = first.into_values();
    let now = Assignment::from_iter([(x, int(2)), (y, int(4))]);
    let mut second = Evaluator::resumed(&t, &now, values);
    assert_eq!((second.value(a), second.value(b)), (int(3), int(8)));
}

#[test]
fn a_deep_term_is_evaluated() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let two = t.int(2);
    let deep = (0..10_000).fold(x, |e, _| {
        let half = t.div(e, two);
        t.plus(half, 1)
    });
    let assignment = Assignment::from_iter([(x, int(9))]);
    assert_eq!(Evaluator::new(&t, &assignment).value(deep), int(2));
}

#[test]
fn a_renamed_condition_is_independent_of_the_original() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let zero = t.int(0);
    let positive = t.lt(zero, x);
    let mut renaming = Renaming::default();
    let copy = t.renamed(positive, &mut renaming);
    let negative = t.not(copy);
    let both = t.and(positive, negative);
    let found = model(&t, both);
    let pairs: Vec<(Term, Term)> = renaming.variables(&t).collect();
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0].0, x);
    assert_ne!(found.get(&pairs[0].0), found.get(&pairs[0].1));
}

#[test]
fn a_script_refutes_by_instances() {
    let text = "(declare-fun f (Int) Int) (declare-const g Bool) (declare-const h Bool)
        (assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))
        (assert (=> g (<= (f 3) 3))) (assert (=> h (<= (f 3) 4)))";
    let mut script = Script::new(text);
    assert!(script.refutes("g", [], BUDGET).0);
    assert!(!script.refutes("h", [], BUDGET).0);
    // The other constants are false: they refute nothing by themselves.
    assert!(script.refutes("g", ["h"], BUDGET).0);
}

#[test]
fn an_unreadable_script_refutes_nothing() {
    let mut script = Script::new("(assert (no such");
    assert!(!script.refutes("g", [], BUDGET).0);
}
