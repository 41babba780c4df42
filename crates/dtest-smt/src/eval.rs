//! Evaluation of terms under an assignment, without the solver.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::fold::{bv_value, euclid};
use super::term::{Const, Node, Term, Terms};

/// Values of variables. A missing variable has the value [`Const::zero`].
pub type Assignment = FxHashMap<Term, Const>;

/// An evaluator of terms under one assignment. Shared terms are evaluated once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    memo: FxHashMap<Term, Const>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Self {
            terms,
            assignment,
            memo: FxHashMap::default(),
        }
    }

    /// Creates an evaluator with the results of an earlier one for the same terms and a smaller
    /// assignment ([`Self::into_values`]). Only terms whose variables had values then may be among
    /// them.
    pub fn resumed(
        terms: &'a Terms,
        assignment: &'a Assignment,
        values: FxHashMap<Term, Const>,
    ) -> Self {
        Self {
            terms,
            assignment,
            memo: values,
        }
    }

    /// Returns the computed values.
    pub fn into_values(self) -> FxHashMap<Term, Const> {
        self.memo
    }

    /// Whether a boolean term is true.
    pub fn holds(&mut self, t: Term) -> bool {
        matches!(self.value(t), Const::Bool(true))
    }

    /// Returns the value of an integer term; zero for other sorts.
    pub fn int(&mut self, t: Term) -> BigInt {
        match self.value(t) {
            Const::Int(n) => n,
            Const::Bool(_) | Const::Real(_) | Const::Bv(..) => BigInt::zero(),
        }
    }

    /// Returns the value of a term.
    pub fn value(&mut self, t: Term) -> Const {
        if let Node::Const(c) = self.terms.node(t) {
            return c.clone();
        }
        if let Some(c) = self.memo.get(&t) {
            return c.clone();
        }
        let value = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.compute(t));
        self.memo.insert(t, value.clone());
        value
    }

    fn real(&mut self, t: Term) -> BigRational {
        match self.value(t) {
            Const::Real(r) => r,
            Const::Bool(_) | Const::Int(_) | Const::Bv(..) => BigRational::zero(),
        }
    }

    fn bits(&mut self, t: Term) -> (u32, BigUint) {
        match self.value(t) {
            Const::Bv(w, b) => (w, b),
            Const::Bool(_) | Const::Int(_) | Const::Real(_) => (1, BigUint::zero()),
        }
    }

    fn compute(&mut self, t: Term) -> Const {
        let terms = self.terms;
        // Operands are evaluated on demand, and results are remembered by the caller.
        match terms.node(t) {
            Node::Const(c) => c.clone(),
            Node::Var(_) => self
                .assignment
                .get(&t)
                .cloned()
                .unwrap_or_else(|| Const::zero(terms.sort(t))),
            Node::Not(a) => Const::Bool(!self.holds(*a)),
            Node::And(a, b) => Const::Bool(self.holds(*a) && self.holds(*b)),
            Node::Or(a, b) => Const::Bool(self.holds(*a) || self.holds(*b)),
            Node::Eq(a, b) => Const::Bool(self.value(*a) == self.value(*b)),
            Node::Ite(c, a, b) => {
                if self.holds(*c) {
                    self.value(*a)
                } else {
                    self.value(*b)
                }
            }
            Node::Lin(k, ts) => Const::Int(
                ts.iter()
                    .fold(k.clone(), |sum, (t, c)| sum + c * self.int(*t)),
            ),
            Node::Mul(a, b) => Const::Int(self.int(*a) * self.int(*b)),
            Node::Div(a, b) => Const::Int(euclid(&self.int(*a), &self.int(*b)).0),
            Node::Mod(a, b) => Const::Int(euclid(&self.int(*a), &self.int(*b)).1),
            Node::NonNeg(a) => Const::Bool(!self.int(*a).is_negative()),
            Node::RAdd(a, b) => Const::Real(self.real(*a) + self.real(*b)),
            Node::RMul(a, b) => Const::Real(self.real(*a) * self.real(*b)),
            Node::RDiv(a, b) => {
                let d = self.real(*b);
                Const::Real(if d.is_zero() { d } else { self.real(*a) / d })
            }
            Node::RLe(a, b) => Const::Bool(self.real(*a) <= self.real(*b)),
            Node::ToReal(a) => Const::Real(BigRational::from_integer(self.int(*a))),
            Node::Floor(a) => Const::Int(self.real(*a).floor().to_integer()),
            Node::Bv(op, a, b) => {
                let ((w, x), (_, y)) = (self.bits(*a), self.bits(*b));
                Const::Bv(w, bv_value(*op, w, &x, &y) % (BigUint::one() << w))
            }
            Node::BvNot(a) => {
                let (w, x) = self.bits(*a);
                Const::Bv(w, (BigUint::one() << w) - 1u32 - x)
            }
            Node::Ult(a, b) => Const::Bool(self.bits(*a).1 < self.bits(*b).1),
            Node::BvToInt(a) => Const::Int(self.bits(*a).1.into()),
            Node::IntToBv(w, a) => {
                let n = self.int(*a).mod_floor(&(BigInt::one() << *w));
                Const::Bv(*w, n.to_biguint().unwrap_or_default())
            }
        }
    }
}
