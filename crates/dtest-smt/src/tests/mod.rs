//! Tests of terms: folding, normal forms, evaluation and text, and the solver's agreement with
//! them.

mod agreement;
mod folding;
mod models;
mod text;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use crate::{Const, Sort, Term, Terms};

/// Returns an integer constant.
fn int(n: i64) -> Const {
    Const::Int(n.into())
}

/// Returns a rational constant.
fn ratio(n: i64, d: i64) -> Const {
    Const::Real(BigRational::new(BigInt::from(n), BigInt::from(d)))
}

/// Returns a bitvector of four bits.
fn bits(n: u32) -> Const {
    Const::Bv(4, BigUint::from(n))
}

/// Creates variables of one sort.
fn vars<const N: usize>(terms: &mut Terms, sort: Sort) -> [Term; N] {
    std::array::from_fn(|i| terms.fresh(&format!("v{i}"), sort))
}
