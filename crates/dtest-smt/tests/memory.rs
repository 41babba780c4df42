//! The limit of the solvers' memory. It belongs to the process, so that its test has one of its own.

use std::time::Duration;

use dtest_smt::{Answer, Budget, Solver, Sort, Terms, limit_memory, with_fresh_context};

const BUDGET: Budget = Budget {
    rlimit: 100_000,
    timeout: Duration::from_secs(60),
};

/// Asserts facts until the memory is used up, at most a given number. Returns the answer of the
/// solver to the last query.
fn asked_about(facts: u64) -> Answer {
    let mut t = Terms::new();
    let mut solver = Solver::new(0, false);
    let mut last = t.fresh("x", Sort::Int);
    for i in 0..facts {
        let next = t.fresh(&format!("x{i}"), Sort::Int);
        let product = t.mul(last, next);
        let fact = t.lt(product, next);
        solver.assert(&t, fact);
        last = next;
    }
    let truth = t.tt;
    solver.check(&t, &[truth], BUDGET)
}

#[test]
fn a_solver_without_memory_answers_nothing_and_leaves_the_memory_to_others() {
    limit_memory(256);
    let few = || with_fresh_context(|| asked_about(2));
    assert!(matches!(few(), Answer::Sat(_)));
    let many = with_fresh_context(|| asked_about(60_000));
    assert_eq!(
        many,
        Answer::Unknown("the solver's memory is used up".into())
    );
    assert!(matches!(few(), Answer::Sat(_)));
    assert!(dtest_limits::memory::solver_shortages() > 0);
}
