//! Tests of transcripts: each operator as SMT-LIB text.

use super::{bits, int, ratio, vars};
use crate::{Answer, Budget, BvOp, Const, Solver, Sort, Term, Terms, Transcript};

/// Returns the definitions of a condition, without the header and the declarations.
fn definitions(terms: &Terms, t: Term) -> Vec<String> {
    let mut log = Transcript::new();
    log.assert(terms, t);
    let lines = log.text().lines().filter(|l| l.starts_with("(define-fun"));
    let body = |l: &str| {
        l.split_once("() ")
            .map_or_else(String::new, |(_, b)| b.to_owned())
    };
    lines.map(body).collect()
}

type Build = fn(&mut Terms, Term, Term) -> Term;

/// Checks the first definition of an operator applied to the first two variables of a sort.
fn check(sort: Sort, table: &[(Build, &str)]) {
    for (build, expected) in table {
        let mut t = Terms::new();
        let [x, y] = vars(&mut t, sort);
        let built = build(&mut t, x, y);
        let condition = if t.sort(built) == Sort::Bool {
            built
        } else {
            let zero = t.constant(Const::zero(t.sort(built)));
            t.eq(built, zero)
        };
        let found = definitions(&t, condition);
        assert_eq!(found.first().map(String::as_str), Some(*expected));
    }
}

#[test]
fn connectives() {
    check(
        Sort::Bool,
        &[
            (|t, a, _| t.not(a), "Bool (not |v0!0|))"),
            (|t, a, b| t.and(a, b), "Bool (and |v0!0| |v1!1|))"),
            (|t, a, b| t.or(a, b), "Bool (or |v0!0| |v1!1|))"),
            (|t, a, b| t.eq(a, b), "Bool (= |v0!0| |v1!1|))"),
        ],
    );
}

#[test]
fn integers() {
    check(
        Sort::Int,
        &[
            (
                |t, x, y| t.add(x, y),
                "Int (+ 0 (* 1 |v0!0|) (* 1 |v1!1|)))",
            ),
            (
                |t, x, y| t.sub(x, y),
                "Int (+ 0 (* 1 |v0!0|) (* (- 1) |v1!1|)))",
            ),
            (|t, x, y| t.mul(x, y), "Int (* |v0!0| |v1!1|))"),
            (|t, x, y| t.div(x, y), "Int (div |v0!0| |v1!1|))"),
            (|t, x, y| t.modulo(x, y), "Int (mod |v0!0| |v1!1|))"),
            (|t, x, _| t.to_real(x), "Real (to_real |v0!0|))"),
            (
                |t, x, _| t.int_to_bv(4, x),
                "(_ BitVec 4) ((_ int2bv 4) |v0!0|))",
            ),
        ],
    );
}

#[test]
fn reals() {
    check(
        Sort::Real,
        &[
            (|t, x, y| t.radd(x, y), "Real (+ |v0!0| |v1!1|))"),
            (|t, x, y| t.rmul(x, y), "Real (* |v0!0| |v1!1|))"),
            (|t, x, y| t.rdiv(x, y), "Real (/ |v0!0| |v1!1|))"),
            (|t, x, y| t.rle(x, y), "Bool (<= |v0!0| |v1!1|))"),
            (|t, x, _| t.floor(x), "Int (to_int |v0!0|))"),
        ],
    );
}

#[test]
fn bitvectors() {
    check(
        Sort::Bv(4),
        &[
            (
                |t, x, y| t.bv_op(BvOp::Add, x, y),
                "(_ BitVec 4) (bvadd |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Sub, x, y),
                "(_ BitVec 4) (bvsub |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Mul, x, y),
                "(_ BitVec 4) (bvmul |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Div, x, y),
                "(_ BitVec 4) (bvudiv |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Rem, x, y),
                "(_ BitVec 4) (bvurem |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::And, x, y),
                "(_ BitVec 4) (bvand |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Or, x, y),
                "(_ BitVec 4) (bvor |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Xor, x, y),
                "(_ BitVec 4) (bvxor |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Shl, x, y),
                "(_ BitVec 4) (bvshl |v0!0| |v1!1|))",
            ),
            (
                |t, x, y| t.bv_op(BvOp::Shr, x, y),
                "(_ BitVec 4) (bvlshr |v0!0| |v1!1|))",
            ),
            (|t, x, _| t.bv_not(x), "(_ BitVec 4) (bvnot |v0!0|))"),
            (|t, x, y| t.ult(x, y), "Bool (bvult |v0!0| |v1!1|))"),
            (|t, x, _| t.bv_to_int(x), "Int (bv2nat |v0!0|))"),
        ],
    );
}

#[test]
fn constants_of_every_sort() {
    for (c, expected) in [
        (int(5), "5"),
        (int(-5), "(- 5)"),
        (ratio(3, 1), "3.0"),
        (ratio(-1, 3), "(/ (- 1.0) 3.0)"),
        (bits(9), "(_ bv9 4)"),
    ] {
        let mut t = Terms::new();
        let [x] = vars(&mut t, c.sort());
        let k = t.constant(c);
        let fact = t.eq(x, k);
        let found = definitions(&t, fact);
        let last = found.last().expect("a definition");
        assert!(last.contains(expected), "{last} has no {expected}");
    }
}

#[test]
fn names_with_bars_are_quoted_without_them() {
    let mut t = Terms::new();
    let x = t.fresh("a|b", Sort::Bool);
    let mut log = Transcript::new();
    log.assert(&t, x);
    assert!(
        log.text().contains("(declare-const |a_b!0| Bool)"),
        "{}",
        log.text()
    );
}

#[test]
fn a_shared_term_is_defined_once() {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let product = t.mul(x, y);
    let (one, two) = (t.int(1), t.int(2));
    let facts = [t.lt(one, product), t.lt(two, product)];
    let mut log = Transcript::new();
    facts.iter().for_each(|f| log.assert(&t, *f));
    assert_eq!(log.text().matches("(* |v0!0| |v1!1|)").count(), 1);
    assert_eq!(log.text().matches("(assert ").count(), 2);
}

#[test]
fn a_query_is_recorded_with_its_assumptions_and_answer() {
    let mut t = Terms::new();
    let [a, b] = vars(&mut t, Sort::Bool);
    let mut log = Transcript::new();
    log.check(&t, &[a, b], "unsat");
    let query: Vec<&str> = log.text().lines().skip_while(|l| *l != "(push)").collect();
    assert_eq!(
        query,
        [
            "(push)",
            "(assert |v0!0|)",
            "(assert |v1!1|)",
            "(check-sat) ; unsat",
            "(pop)"
        ]
    );
}

#[test]
fn a_solver_keeps_a_transcript_if_it_is_asked_to() {
    let mut t = Terms::new();
    let [a] = vars(&mut t, Sort::Bool);
    let budget = Budget {
        rlimit: 100_000,
        timeout: std::time::Duration::from_secs(5),
    };
    let mut with = Solver::new(0, true);
    with.assert(&t, a);
    assert!(matches!(with.check(&t, &[], budget), Answer::Sat(_)));
    let text = with.transcript().expect("a transcript");
    assert!(text.ends_with("(check-sat) ; sat\n(pop)\n"), "{text}");
    assert_eq!(Solver::new(0, false).transcript(), None);
}
