//! Three meanings of an operator agree: folding of constants, evaluation under an assignment, and
//! the solver's. Each operator is tried with all pairs of some values.

use std::time::Duration;

use super::{bits, int, ratio, vars};
use crate::{Answer, Assignment, Budget, BvOp, Const, Evaluator, Solver, Sort, Term, Terms};

const BUDGET: Budget = Budget {
    rlimit: 10_000_000,
    timeout: Duration::from_secs(20),
};

type Binary = fn(&mut Terms, Term, Term) -> Term;
type Unary = fn(&mut Terms, Term) -> Term;

/// Checks that the operator has the same value for constants, for variables under an assignment,
/// and for the solver, to which all results go as one assertion.
fn agrees(name: &str, values: &[Const], op: Binary) {
    let mut terms = Terms::new();
    let sort = values[0].sort();
    let [x, y] = vars(&mut terms, sort);
    let general = op(&mut terms, x, y);
    let mut all = terms.tt;
    for a in values {
        for b in values {
            let (ka, kb) = (terms.constant(a.clone()), terms.constant(b.clone()));
            let folded = op(&mut terms, ka, kb);
            let assignment = Assignment::from_iter([(x, a.clone()), (y, b.clone())]);
            let value = Evaluator::new(&terms, &assignment).value(general);
            assert_eq!(
                terms.as_const(folded),
                Some(&value),
                "{name} of {a:?} and {b:?}"
            );
            // For the solver, the operands are variables with known values.
            let [p, q] = vars(&mut terms, sort);
            let applied = op(&mut terms, p, q);
            for (t, c) in [(p, ka), (q, kb), (applied, folded)] {
                let same = terms.eq(t, c);
                all = terms.and(all, same);
            }
        }
    }
    assert!(terms.errors().is_empty(), "{:?}", terms.errors());
    let mut solver = Solver::new(0, false);
    solver.assert(&terms, all);
    let answer = solver.check(&terms, &[], BUDGET);
    assert!(matches!(answer, Answer::Sat(_)), "{name}: {answer:?}");
}

/// Like [`agrees`], for an operator with one operand.
fn agrees_of_one(name: &str, values: &[Const], op: Unary) {
    let mut terms = Terms::new();
    let [x] = vars(&mut terms, values[0].sort());
    let general = op(&mut terms, x);
    for a in values {
        let ka = terms.constant(a.clone());
        let folded = op(&mut terms, ka);
        let assignment = Assignment::from_iter([(x, a.clone())]);
        let value = Evaluator::new(&terms, &assignment).value(general);
        assert_eq!(terms.as_const(folded), Some(&value), "{name} of {a:?}");
    }
}

fn ints() -> Vec<Const> {
    (-3..=3).map(int).collect()
}

fn nonzero() -> Vec<Const> {
    [-3, -2, -1, 1, 2, 5].into_iter().map(int).collect()
}

fn reals() -> Vec<Const> {
    [(-3, 2), (-1, 1), (0, 1), (1, 3), (2, 1)]
        .map(|(n, d)| ratio(n, d))
        .to_vec()
}

fn bools() -> Vec<Const> {
    [false, true].map(Const::Bool).to_vec()
}

#[test]
fn connectives() {
    agrees("and", &bools(), Terms::and);
    agrees("or", &bools(), Terms::or);
    agrees("implies", &bools(), Terms::implies);
    agrees("eq", &bools(), Terms::eq);
    agrees("ne", &bools(), Terms::ne);
    agrees_of_one("not", &bools(), Terms::not);
}

#[test]
fn integers() {
    agrees("add", &ints(), Terms::add);
    agrees("sub", &ints(), Terms::sub);
    agrees("mul", &ints(), Terms::mul);
    agrees("le", &ints(), Terms::le);
    agrees("lt", &ints(), Terms::lt);
    agrees("eq", &ints(), Terms::eq);
    agrees("ne", &ints(), Terms::ne);
    agrees("min", &ints(), Terms::min);
    agrees("add twice", &ints(), |t, a, b| {
        t.add_scaled(a, &2.into(), b)
    });
    agrees_of_one("to_real", &ints(), Terms::to_real);
    agrees_of_one("int_to_bv", &ints(), |t, a| t.int_to_bv(4, a));
}

#[test]
fn division_of_integers_is_euclidean() {
    agrees("div", &nonzero(), Terms::div);
    agrees("mod", &nonzero(), Terms::modulo);
}

#[test]
fn reals_of_all_signs() {
    agrees("radd", &reals(), Terms::radd);
    agrees("rsub", &reals(), Terms::rsub);
    agrees("rmul", &reals(), Terms::rmul);
    agrees("rle", &reals(), Terms::rle);
    agrees("eq", &reals(), Terms::eq);
    let divisors: Vec<Const> = reals().into_iter().filter(|r| *r != ratio(0, 1)).collect();
    agrees("rdiv", &divisors, Terms::rdiv);
    agrees_of_one("floor", &reals(), Terms::floor);
}

#[test]
fn bitvectors_of_four_bits() {
    let all: Vec<Const> = [0, 1, 3, 4, 7, 8, 15].map(bits).to_vec();
    for op in [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::Div,
        BvOp::Rem,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
        BvOp::Shl,
        BvOp::Shr,
    ] {
        // A function pointer cannot capture the operator.
        let apply: Binary = match op {
            BvOp::Add => |t, a, b| t.bv_op(BvOp::Add, a, b),
            BvOp::Sub => |t, a, b| t.bv_op(BvOp::Sub, a, b),
            BvOp::Mul => |t, a, b| t.bv_op(BvOp::Mul, a, b),
            BvOp::Div => |t, a, b| t.bv_op(BvOp::Div, a, b),
            BvOp::Rem => |t, a, b| t.bv_op(BvOp::Rem, a, b),
            BvOp::And => |t, a, b| t.bv_op(BvOp::And, a, b),
            BvOp::Or => |t, a, b| t.bv_op(BvOp::Or, a, b),
            BvOp::Xor => |t, a, b| t.bv_op(BvOp::Xor, a, b),
            BvOp::Shl => |t, a, b| t.bv_op(BvOp::Shl, a, b),
            BvOp::Shr => |t, a, b| t.bv_op(BvOp::Shr, a, b),
            BvOp::RotateLeft => |t, a, b| t.bv_op(BvOp::RotateLeft, a, b),
            BvOp::RotateRight => |t, a, b| t.bv_op(BvOp::RotateRight, a, b),
        };
        agrees(&format!("{op:?}"), &all, apply);
    }
    agrees("ult", &all, Terms::ult);
    agrees_of_one("bv_not", &all, Terms::bv_not);
    agrees_of_one("bv_to_int", &all, Terms::bv_to_int);
}

#[test]
fn rotations_by_less_than_the_width() {
    let all: Vec<Const> = [0, 1, 2, 3].map(bits).to_vec();
    agrees("left", &all, |t, a, b| t.bv_op(BvOp::RotateLeft, a, b));
    agrees("right", &all, |t, a, b| t.bv_op(BvOp::RotateRight, a, b));
}

#[test]
fn conditionals_over_constants_are_compared_where_they_fold() {
    // `le` and `eq` are pushed into conditionals; the result is a condition on the guards alone.
    let mut terms = Terms::new();
    let [p, q] = vars(&mut terms, Sort::Bool);
    let constants: Vec<Term> = (0..3).map(|n| terms.int(n)).collect();
    let inner = terms.ite(q, constants[1], constants[2]);
    let tag = terms.ite(p, constants[0], inner);
    for (bound, op) in [
        (0, true),
        (1, true),
        (2, true),
        (0, false),
        (1, false),
        (2, false),
    ] {
        let k = terms.int(bound);
        let condition = if op {
            terms.le(tag, k)
        } else {
            terms.eq(tag, k)
        };
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let assignment = Assignment::from_iter([(p, Const::Bool(a)), (q, Const::Bool(b))]);
            let value = if a {
                0
            } else if b {
                1
            } else {
                2
            };
            let expected = if op { value <= bound } else { value == bound };
            let found = Evaluator::new(&terms, &assignment).holds(condition);
            assert_eq!(found, expected, "{a} {b} {bound} {op}");
        }
    }
}
