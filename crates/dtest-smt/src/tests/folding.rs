//! Tests of simplifications: terms that are identical because they mean the same.

use super::{int, vars};
use crate::{Const, Sort, Term, Terms};

#[test]
fn connectives_with_constants_and_themselves() {
    let mut t = Terms::new();
    let [a, b] = vars(&mut t, Sort::Bool);
    let (tt, ff, na) = (t.tt, t.ff, t.not(a));
    let pairs = [
        (t.and(a, tt), a),
        (t.and(tt, a), a),
        (t.and(a, ff), ff),
        (t.and(a, a), a),
        (t.and(a, na), ff),
        (t.or(a, ff), a),
        (t.or(a, tt), tt),
        (t.or(a, a), a),
        (t.or(a, na), tt),
        (t.not(na), a),
        (t.implies(a, a), tt),
        (t.implies(ff, a), tt),
        (t.implies(tt, a), a),
        (t.eq(a, tt), a),
        (t.eq(a, ff), na),
        (t.eq(a, a), tt),
        (t.eq(a, na), ff),
        (t.ne(a, a), ff),
    ];
    for (i, (found, expected)) in pairs.into_iter().enumerate() {
        assert_eq!(found, expected, "row {i}");
    }
    assert!(t.is_negation(a, na) && t.is_negation(na, a) && !t.is_negation(a, b));
}

#[test]
fn a_literal_of_a_conjunction_is_not_added_again() {
    let mut t = Terms::new();
    let [a, b, c] = vars(&mut t, Sort::Bool);
    let all = t.all([a, b, c]);
    assert_eq!(t.and(all, b), all);
    assert_eq!(t.and(b, all), all);
    let nb = t.not(b);
    assert_eq!(t.and(all, nb), t.ff);
}

#[test]
fn conjunctions_lean_to_the_left() {
    let mut t = Terms::new();
    let [a, b, c] = vars(&mut t, Sort::Bool);
    let (ab, bc) = (t.and(a, b), t.and(b, c));
    assert_eq!(t.and(a, bc), t.and(ab, c));
}

#[test]
fn a_disjunction_of_both_cases_is_their_common_part() {
    let mut t = Terms::new();
    let [p, c] = vars(&mut t, Sort::Bool);
    let nc = t.not(c);
    let (x, y) = (t.and(p, c), t.and(p, nc));
    assert_eq!(t.or(x, y), p);
    assert_eq!(t.or(x, p), p);
    assert_eq!(t.or(p, y), p);
}

#[test]
fn operands_of_commutative_operators_are_ordered() {
    let mut t = Terms::new();
    let [a, b] = vars(&mut t, Sort::Bool);
    let [x, y] = vars(&mut t, Sort::Int);
    let [r, s] = vars(&mut t, Sort::Real);
    assert_eq!(t.or(a, b), t.or(b, a));
    assert_eq!(t.eq(x, y), t.eq(y, x));
    assert_eq!(t.add(x, y), t.add(y, x));
    assert_eq!(t.mul(x, y), t.mul(y, x));
    assert_eq!(t.radd(r, s), t.radd(s, r));
    assert_eq!(t.rmul(r, s), t.rmul(s, r));
}

#[test]
fn sums_have_a_normal_form() {
    let mut t = Terms::new();
    let [x, y, z] = vars(&mut t, Sort::Int);
    // (x + 2) + (y - x) + z  =  y + z + 2
    let (a, b) = (t.plus(x, 2), t.sub(y, x));
    let left = t.add(a, b);
    let left = t.add(left, z);
    let yz = t.add(y, z);
    assert_eq!(left, t.plus(yz, 2));
    assert_eq!(t.sum([z, y]), yz);
    let zero = t.sub(left, left);
    assert_eq!(t.as_small(zero), Some(0));
    let minus = t.int(-1);
    let negative = t.mul(minus, x);
    assert_eq!(t.sum([x, negative, y]), y);
}

#[test]
fn units_of_products_disappear() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let [r] = vars(&mut t, Sort::Real);
    let (zero, one) = (t.int(0), t.int(1));
    assert_eq!(t.mul(x, one), x);
    assert_eq!(t.mul(zero, x), zero);
    assert_eq!(t.div(x, one), x);
    assert_eq!(t.modulo(x, one), zero);
    let (rzero, rone) = (t.to_real(zero), t.to_real(one));
    assert_eq!(t.rmul(r, rone), r);
    assert_eq!(t.radd(rzero, r), r);
}

#[test]
fn a_zero_divisor_is_left_to_the_solver() {
    let mut t = Terms::new();
    let (five, zero) = (t.int(5), t.int(0));
    let q = t.div(five, zero);
    assert_eq!(t.as_const(q), None);
    let r = t.modulo(five, zero);
    assert_eq!(t.as_const(r), None);
}

#[test]
fn comparisons_of_one_difference_share_an_atom() {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let a = t.le(x, y);
    // x <= y  <=>  !(y < x)  <=>  x + 3 <= y + 3  <=>  2x <= 2y + 1
    let b = t.lt(y, x);
    assert_eq!(t.not(b), a);
    let (p, q) = (t.plus(x, 3), t.plus(y, 3));
    assert_eq!(t.le(p, q), a);
    let (p, q) = (t.add(x, x), t.add(y, y));
    let q = t.plus(q, 1);
    assert_eq!(t.le(p, q), a);
}

#[test]
fn comparisons_that_cannot_hold_fold() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let next = t.plus(x, 1);
    assert_eq!(t.lt(x, next), t.tt);
    assert_eq!(t.le(next, x), t.ff);
    assert_eq!(t.eq(next, x), t.ff);
    // 2x = 4y + 1 has no solution.
    let [y] = vars(&mut t, Sort::Int);
    let (two, four) = (t.int(2), t.int(4));
    let (even, other) = (t.mul(two, x), t.mul(four, y));
    let odd = t.plus(other, 1);
    assert_eq!(t.eq(even, odd), t.ff);
}

#[test]
fn a_range_is_two_comparisons() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let (low, high) = (t.int(3), t.int(3));
    assert_eq!(t.in_range(low, x, high), t.ff);
    let (k, high) = (t.int(3), t.int(4));
    assert_eq!(t.in_range(low, k, high), t.tt);
}

#[test]
fn conditionals_fold_by_condition_and_branches() {
    let mut t = Terms::new();
    let [c] = vars(&mut t, Sort::Bool);
    let [x, y] = vars(&mut t, Sort::Int);
    let (tt, ff, nc) = (t.tt, t.ff, t.not(c));
    assert_eq!(t.ite(tt, x, y), x);
    assert_eq!(t.ite(ff, x, y), y);
    assert_eq!(t.ite(c, x, x), x);
    let one = t.ite(c, x, y);
    assert_eq!(t.ite(nc, y, x), one);
    // Within a branch, the condition is known.
    assert_eq!(t.ite(c, one, y), one);
    assert_eq!(t.ite(c, x, one), one);
}

#[test]
fn boolean_conditionals_are_connectives() {
    let mut t = Terms::new();
    let [c, a, b] = vars(&mut t, Sort::Bool);
    let (tt, ff, nc) = (t.tt, t.ff, t.not(c));
    assert_eq!(t.ite(c, tt, b), t.or(c, b));
    assert_eq!(t.ite(c, a, ff), t.and(c, a));
    assert_eq!(t.ite(c, ff, b), t.and(nc, b));
    assert_eq!(t.ite(c, a, tt), t.or(nc, a));
    assert_eq!(t.ite(c, tt, ff), c);
}

#[test]
fn conversions_there_and_back_disappear() {
    let mut t = Terms::new();
    let [x] = vars(&mut t, Sort::Int);
    let [v] = vars(&mut t, Sort::Bv(4));
    let r = t.to_real(x);
    assert_eq!(t.floor(r), x);
    let n = t.bv_to_int(v);
    assert_eq!(t.int_to_bv(4, n), v);
    // Another width is another value.
    assert_ne!(t.int_to_bv(5, n), v);
}

#[test]
fn counting_and_minimum() {
    let mut t = Terms::new();
    let (tt, three, four) = (t.tt, t.int(3), t.int(4));
    let one = t.count(tt);
    assert_eq!(t.as_small(one), Some(1));
    assert_eq!(t.min(four, three), three);
}

#[test]
fn bits_are_reduced_to_the_width() {
    let mut t = Terms::new();
    let v = t.bv(4, 19u32.into());
    assert_eq!(t.as_const(v), Some(&Const::Bv(4, 3u32.into())));
}

#[test]
fn fresh_variables_differ_although_they_share_a_name() {
    let mut t = Terms::new();
    assert_ne!(t.fresh("x", Sort::Int), t.fresh("x", Sort::Int));
}

#[test]
fn each_sort_has_a_value_of_unconstrained_variables() {
    for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::Bv(7)] {
        assert_eq!(Const::zero(sort).sort(), sort);
    }
    assert_eq!(Const::zero(Sort::Int), int(0));
}

#[test]
fn ill_sorted_terms_are_reported_and_replaced() {
    type Build = fn(&mut Terms, Term, Term) -> Term;
    let builds: [(&str, Build); 9] = [
        ("and", |t, n, _| t.and(n, n)),
        ("not", |t, n, _| t.not(n)),
        ("ite", |t, n, b| t.ite(b, n, b)),
        ("=", |t, n, b| t.eq(n, b)),
        ("+", |t, n, b| t.add(n, b)),
        ("*", |t, n, _| t.rmul(n, n)),
        ("to_real", |t, _, b| t.to_real(b)),
        ("floor", |t, n, _| t.floor(n)),
        ("int_to_bv", |t, _, b| t.int_to_bv(4, b)),
    ];
    for (name, build) in builds {
        let mut t = Terms::new();
        let [b] = vars(&mut t, Sort::Bool);
        let [n] = vars(&mut t, Sort::Int);
        build(&mut t, n, b);
        let errors = t.errors();
        assert!(!errors.is_empty(), "{name}");
        assert!(
            errors.iter().all(|e| e.starts_with(name)),
            "{name}: {errors:?}"
        );
    }
}

#[test]
fn long_conjunctions_are_joined_in_any_order() {
    let mut t = Terms::new();
    let literals: Vec<Term> = (0..20_000).map(|_| t.fresh("a", Sort::Bool)).collect();
    let all = t.all(literals);
    let [b] = vars(&mut t, Sort::Bool);
    let joined = t.and(b, all);
    assert_eq!(t.sort(joined), Sort::Bool);
}

#[test]
fn the_cost_counts_repeated_terms() {
    let mut t = Terms::new();
    let [x, y] = vars(&mut t, Sort::Int);
    let before = (t.len(), t.work());
    t.mul(x, y);
    let middle = (t.len(), t.work());
    t.mul(x, y);
    assert!(middle.0 > before.0 && middle.1 > before.1);
    assert_eq!(t.len(), middle.0);
    assert!(t.work() > middle.1);
}
