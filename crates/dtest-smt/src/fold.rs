//! Construction of terms: constant folding and light simplification.
//!
//! All terms are created here, so that equal terms are identical and constants disappear. Linear
//! integer arithmetic has a normal form ([`Terms::add_scaled`]), in which comparisons of the same
//! difference share one atom. Simplifications must be cheap, because they happen for each term.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::term::{BvOp, Const, Node, Sort, Term, Terms};

/// The limit of links of a conjunction that are searched for a literal or its negation.
const CHAIN: usize = 48;
/// The limit of nested conditionals over constants into which an operator is pushed.
const PUSH: u32 = 24;

impl Terms {
    /// Creates a constant.
    pub fn constant(&mut self, c: Const) -> Term {
        let sort = c.sort();
        self.intern(Node::Const(c), sort)
    }

    /// Returns `true` or `false`.
    pub fn bool(&self, b: bool) -> Term {
        if b { self.tt } else { self.ff }
    }

    /// Creates an integer.
    pub fn int(&mut self, n: impl Into<BigInt>) -> Term {
        self.constant(Const::Int(n.into()))
    }

    /// Creates a negation.
    pub fn not(&mut self, a: Term) -> Term {
        let a = self.expect(a, Sort::Bool, "not");
        let kind = self.node(a);
        if let Node::Const(Const::Bool(b)) = kind {
            self.bool(!b)
        } else if let Node::Not(t) = kind {
            *t
        } else {
            self.intern(Node::Not(a), Sort::Bool)
        }
    }

    /// Whether one condition is syntactically the negation of the other.
    pub fn is_negation(&self, a: Term, b: Term) -> bool {
        matches!(self.node(a), Node::Not(t) if *t == b)
            || matches!(self.node(b), Node::Not(t) if *t == a)
    }

    /// Creates a conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Bool, "and"),
            self.expect(b, Sort::Bool, "and"),
        );
        if a == self.ff || b == self.ff {
            return self.ff;
        }
        if a == self.tt || a == b {
            return b;
        }
        if b == self.tt {
            return a;
        }
        if matches!(self.node(b), Node::And(..)) {
            return self.append(a, b);
        }
        match self.chain_has(a, b) {
            Some(true) => a,
            Some(false) => self.ff,
            None => self.intern(Node::And(a, b), Sort::Bool),
        }
    }

    /// Creates the conjunction of a term and a chain. Chains lean to the left: the literal is always
    /// on the right. They may be longer than the stack allows a recursion to be.
    fn append(&mut self, a: Term, chain: Term) -> Term {
        let is_chain = matches!(self.node(a), Node::And(..));
        let (mut at, mut literals) = (chain, Vec::new());
        let mut all = loop {
            let Node::And(rest, literal) = *self.node(at) else {
                break self.and(a, at);
            };
            // The part of the chain that contains the term already stays as it is.
            if at == a || !is_chain && self.chain_has(at, a) == Some(true) {
                break at;
            }
            literals.push(literal);
            at = rest;
        };
        for literal in literals.into_iter().rev() {
            all = self.and(all, literal);
        }
        all
    }

    /// Returns whether a conjunction contains a literal (`true`) or its negation (`false`); `None`
    /// if neither is found within [`CHAIN`] links.
    fn chain_has(&mut self, chain: Term, literal: Term) -> Option<bool> {
        let negated = self.not(literal);
        let mut at = chain;
        for _ in 0..CHAIN {
            let (rest, last) = if let Node::And(x, y) = *self.node(at) {
                (Some(x), y)
            } else {
                (None, at)
            };
            if last == literal {
                return Some(true);
            }
            if last == negated {
                return Some(false);
            }
            at = rest?;
        }
        None
    }

    /// Creates a disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Bool, "or"),
            self.expect(b, Sort::Bool, "or"),
        );
        if a == self.tt || b == self.tt {
            return self.tt;
        }
        if a == self.ff || a == b {
            return b;
        }
        if b == self.ff {
            return a;
        }
        let not_a = self.not(a);
        if not_a == b {
            return self.tt;
        }
        // p ∧ c  ∨  p ∧ ¬c
        let parts = |t: &Node| {
            if let Node::And(x, y) = t {
                Some((*x, *y))
            } else {
                None
            }
        };
        match (parts(self.node(a)), parts(self.node(b))) {
            (Some((p, c)), Some((q, d))) if p == q => {
                let e = self.or(c, d);
                return self.and(p, e);
            }
            (Some((p, _)), _) if p == b => return b,
            (_, Some((q, _))) if q == a => return a,
            (Some(_) | None, Some(_) | None) => {}
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Or(a, b), Sort::Bool)
    }

    /// Creates the conjunction of all terms.
    pub fn all(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let mut r = self.tt;
        for t in ts {
            r = self.and(r, t);
        }
        r
    }

    /// Creates the disjunction of all terms.
    pub fn any(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let mut r = self.ff;
        for t in ts {
            r = self.or(r, t);
        }
        r
    }

    /// Creates `a ⟹ b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let n = self.not(a);
        self.or(n, b)
    }

    /// Creates a conditional of one sort.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        let c = self.expect(c, Sort::Bool, "ite");
        let sort = self.sort(a);
        let b = self.expect(b, sort, "ite");
        if c == self.tt || a == b {
            return a;
        }
        if c == self.ff {
            return b;
        }
        // A negated condition exchanges the branches.
        if let Node::Not(n) = *self.node(c) {
            return self.ite(n, b, a);
        }
        // A boolean conditional becomes a combination of conjunctions and disjunctions.
        if sort == Sort::Bool {
            if a == self.tt {
                return self.or(c, b);
            }
            if b == self.ff {
                return self.and(c, a);
            }
            let n = self.not(c);
            if a == self.ff {
                return self.and(n, b);
            }
            if b == self.tt {
                return self.or(n, a);
            }
            let (x, y) = (self.and(c, a), self.and(n, b));
            return self.or(x, y);
        }
        // A nested conditional with the same condition is redundant.
        let a = if let Node::Ite(d, x, _) = *self.node(a)
            && d == c
        {
            x
        } else {
            a
        };
        let b = if let Node::Ite(d, _, y) = *self.node(b)
            && d == c
        {
            y
        } else {
            b
        };
        if a == b {
            return a;
        }
        self.intern(Node::Ite(c, a, b), sort)
    }

    /// Creates an equality.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let b = self.expect(b, sort, "=");
        self.eq_at(a, b, PUSH)
    }

    fn eq_at(&mut self, a: Term, b: Term, depth: u32) -> Term {
        if a == b {
            return self.tt;
        }
        if self.as_const(a).is_some() && self.as_const(b).is_some() {
            return self.ff;
        }
        if self.sort(a) == Sort::Bool {
            let (na, nb) = (self.not(a), self.not(b));
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return b,
                (Some(false), _) => return nb,
                (_, Some(true)) => return a,
                (_, Some(false)) => return na,
                (None, None) if na == b => return self.ff,
                (None, None) => {}
            }
        } else {
            // Push a comparison with a constant into conditionals whose leaves are mostly
            // constants.
            let (k, t) = if self.as_const(a).is_some() {
                (a, b)
            } else {
                (b, a)
            };
            if let Some((c, x, y)) = self
                .leafy_ite(t)
                .filter(|_| depth > 0 && self.as_const(k).is_some())
            {
                let (p, q) = (self.eq_at(x, k, depth - 1), self.eq_at(y, k, depth - 1));
                return self.ite(c, p, q);
            }
            if self.sort(a) == Sort::Int {
                let d = self.sub(a, b);
                if let Node::Lin(k, ts) = self.node(d).clone() {
                    let g = ts.iter().fold(BigInt::zero(), |g, (_, c)| g.gcd(c));
                    if !g.is_zero() && !k.is_multiple_of(&g) {
                        return self.ff;
                    }
                }
                if let Some(n) = self.as_int(d) {
                    let zero = n.is_zero();
                    return self.bool(zero);
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    /// Returns the parts of a conditional into which a comparison may be pushed.
    fn leafy_ite(&self, t: Term) -> Option<(Term, Term, Term)> {
        if let Node::Ite(c, x, y) = *self.node(t)
            && self.is_leafy(x)
            && self.is_leafy(y)
        {
            Some((c, x, y))
        } else {
            None
        }
    }

    /// Whether pushing a comparison into the term probably folds.
    fn is_leafy(&self, t: Term) -> bool {
        let kind = self.node(t);
        if matches!(kind, Node::Const(_)) {
            true
        } else if let Node::Ite(_, x, y) = kind {
            self.as_const(*x).is_some() || self.as_const(*y).is_some()
        } else {
            false
        }
    }

    /// Creates `a ≠ b`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let e = self.eq(a, b);
        self.not(e)
    }

    fn linear(&self, t: Term) -> (BigInt, Vec<(Term, BigInt)>) {
        let kind = self.node(t);
        if let Node::Const(Const::Int(n)) = kind {
            (n.clone(), Vec::new())
        } else if let Node::Lin(k, ts) = kind {
            (k.clone(), ts.to_vec())
        } else {
            (BigInt::zero(), vec![(t, BigInt::one())])
        }
    }

    fn linear_term(&mut self, k: BigInt, ts: Vec<(Term, BigInt)>) -> Term {
        match ts.as_slice() {
            [] => self.int(k),
            [(t, c)] if k.is_zero() && c.is_one() => *t,
            _ => self.intern(Node::Lin(k, ts.into_boxed_slice()), Sort::Int),
        }
    }

    /// Creates `a + factor · b` over Int.
    pub fn add_scaled(&mut self, a: Term, factor: &BigInt, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Int, "+"),
            self.expect(b, Sort::Int, "+"),
        );
        let ((ka, ta), (kb, tb)) = (self.linear(a), self.linear(b));
        // Merge two sorted sums, so that equal sums are identical terms.
        let mut out = Vec::with_capacity(ta.len() + tb.len());
        let (mut ta, mut tb) = (ta.into_iter().peekable(), tb.into_iter().peekable());
        loop {
            let order = match (ta.peek(), tb.peek()) {
                (Some(x), Some(y)) => x.0.cmp(&y.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            match order {
                std::cmp::Ordering::Less => out.extend(ta.next()),
                std::cmp::Ordering::Greater => out.extend(tb.next().map(|(t, c)| (t, c * factor))),
                std::cmp::Ordering::Equal => {
                    if let (Some((t, c)), Some((_, d))) = (ta.next(), tb.next()) {
                        let sum = c + d * factor;
                        if !sum.is_zero() {
                            out.push((t, sum));
                        }
                    }
                }
            }
        }
        self.linear_term(ka + kb * factor, out)
    }

    /// Creates the sum of integers.
    pub fn sum(&mut self, ts: impl IntoIterator<Item = Term>) -> Term {
        let mut constant = BigInt::zero();
        let mut all: dtest_sorted::SortedMap<Term, BigInt> = dtest_sorted::SortedMap::new();
        for t in ts {
            let t = self.expect(t, Sort::Int, "+");
            let (k, parts) = self.linear(t);
            constant += k;
            for (t, c) in parts {
                *all.entry(t).or_default() += c;
            }
        }
        self.linear_term(
            constant,
            all.into_iter().filter(|(_, c)| !c.is_zero()).collect(),
        )
    }

    /// Creates `a + b` over Int.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, &BigInt::one(), b)
    }

    /// Creates `a − b` over Int.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, &-BigInt::one(), b)
    }

    /// Creates `a + n` over Int.
    pub fn plus(&mut self, a: Term, n: i64) -> Term {
        let n = self.int(n);
        self.add(a, n)
    }

    /// Creates `a · b` over Int.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Int, "*"),
            self.expect(b, Sort::Int, "*"),
        );
        let zero = self.int(0);
        let scaled = match (self.as_int(a), self.as_int(b)) {
            (Some(n), _) => Some((n.clone(), b)),
            (_, Some(n)) => Some((n.clone(), a)),
            (None, None) => None,
        };
        if let Some((n, t)) = scaled {
            return if n.is_zero() {
                zero
            } else {
                self.add_scaled(zero, &n, t)
            };
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Mul(a, b), Sort::Int)
    }

    /// Creates a Euclidean quotient.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Int, "div"),
            self.expect(b, Sort::Int, "div"),
        );
        match (self.as_int(a), self.as_int(b)) {
            (_, Some(d)) if d.is_one() => a,
            (Some(n), Some(d)) if !d.is_zero() => {
                let q = euclid(n, d).0;
                self.int(q)
            }
            _ => self.intern(Node::Div(a, b), Sort::Int),
        }
    }

    /// Creates a Euclidean remainder.
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Int, "mod"),
            self.expect(b, Sort::Int, "mod"),
        );
        match (self.as_int(a), self.as_int(b)) {
            (_, Some(d)) if d.is_one() => self.int(0),
            (Some(n), Some(d)) if !d.is_zero() => {
                let r = euclid(n, d).1;
                self.int(r)
            }
            _ => self.intern(Node::Mod(a, b), Sort::Int),
        }
    }

    /// Creates `a ≤ b` over Int.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        // Push a comparison with a constant into conditionals over constants.
        for (t, k, left) in [(a, b, true), (b, a, false)] {
            if let Some((c, x, y)) = self.leafy_ite(t).filter(|_| self.as_const(k).is_some()) {
                let (p, q) = if left {
                    (self.le(x, k), self.le(y, k))
                } else {
                    (self.le(k, x), self.le(k, y))
                };
                return self.ite(c, p, q);
            }
        }
        let d = self.sub(b, a);
        self.non_neg(d)
    }

    fn non_neg(&mut self, t: Term) -> Term {
        let (k, ts) = self.linear(t);
        let Some((_, first)) = ts.first() else {
            return self.bool(!k.is_negative());
        };
        let g = ts.iter().fold(BigInt::zero(), |g, (_, c)| g.gcd(c));
        let positive = first.is_positive();
        // 0 ≤ k + g·Σ  iff  0 ≤ ⌊k/g⌋ + Σ;  0 ≤ t  iff  ¬ 0 ≤ −t − 1.
        let k = k.div_floor(&g);
        let (k, sign) = if positive {
            (k, g)
        } else {
            (-k - BigInt::one(), -g)
        };
        let ts = ts.into_iter().map(|(t, c)| (t, c / &sign)).collect();
        let t = self.linear_term(k, ts);
        let atom = self.intern(Node::NonNeg(t), Sort::Bool);
        if positive { atom } else { self.not(atom) }
    }

    /// Creates `a < b` over Int.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        let le = self.le(b, a);
        self.not(le)
    }

    /// Creates `low ≤ t < high`.
    pub fn in_range(&mut self, low: Term, t: Term, high: Term) -> Term {
        let (a, b) = (self.le(low, t), self.lt(t, high));
        self.and(a, b)
    }

    /// Creates `c ? 1 : 0`.
    pub fn count(&mut self, c: Term) -> Term {
        let (one, zero) = (self.int(1), self.int(0));
        self.ite(c, one, zero)
    }

    /// Creates the minimum of two integers.
    pub fn min(&mut self, a: Term, b: Term) -> Term {
        let le = self.le(a, b);
        self.ite(le, a, b)
    }

    fn rational(&self, t: Term) -> Option<&BigRational> {
        match self.as_const(t) {
            Some(Const::Real(r)) => Some(r),
            _ => None,
        }
    }

    /// Creates a rational number.
    pub fn real(&mut self, r: BigRational) -> Term {
        self.constant(Const::Real(r))
    }

    /// Creates `a + b` of reals.
    pub fn radd(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Real, "+"),
            self.expect(b, Sort::Real, "+"),
        );
        match (self.rational(a), self.rational(b)) {
            (Some(x), Some(y)) => {
                let r = x + y;
                self.real(r)
            }
            (Some(x), None) if x.is_zero() => b,
            (None, Some(y)) if y.is_zero() => a,
            _ => self.intern(Node::RAdd(a.min(b), a.max(b)), Sort::Real),
        }
    }

    /// Creates `a − b` of reals.
    pub fn rsub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.real(-BigRational::one());
        let b = self.rmul(minus, b);
        self.radd(a, b)
    }

    /// Creates `a · b` of reals.
    pub fn rmul(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Real, "*"),
            self.expect(b, Sort::Real, "*"),
        );
        match (self.rational(a), self.rational(b)) {
            (Some(x), Some(y)) => {
                let r = x * y;
                self.real(r)
            }
            (Some(x), None) if x.is_one() => b,
            (None, Some(y)) if y.is_one() => a,
            _ => self.intern(Node::RMul(a.min(b), a.max(b)), Sort::Real),
        }
    }

    /// Creates `a / b` of reals.
    pub fn rdiv(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Real, "/"),
            self.expect(b, Sort::Real, "/"),
        );
        match (self.rational(a), self.rational(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let r = x / y;
                self.real(r)
            }
            _ => self.intern(Node::RDiv(a, b), Sort::Real),
        }
    }

    /// Creates `a ≤ b` of reals.
    pub fn rle(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (
            self.expect(a, Sort::Real, "<="),
            self.expect(b, Sort::Real, "<="),
        );
        match (self.rational(a), self.rational(b)) {
            (Some(x), Some(y)) => {
                let r = x <= y;
                self.bool(r)
            }
            _ if a == b => self.tt,
            _ => self.intern(Node::RLe(a, b), Sort::Bool),
        }
    }

    /// Converts an integer to a real.
    pub fn to_real(&mut self, a: Term) -> Term {
        let a = self.expect(a, Sort::Int, "to_real");
        match self.as_int(a) {
            Some(n) => {
                let r = BigRational::from_integer(n.clone());
                self.real(r)
            }
            None => self.intern(Node::ToReal(a), Sort::Real),
        }
    }

    /// Creates the floor of a real.
    pub fn floor(&mut self, a: Term) -> Term {
        let a = self.expect(a, Sort::Real, "floor");
        match (self.rational(a), self.node(a)) {
            (Some(r), _) => {
                let n = r.floor().to_integer();
                self.int(n)
            }
            (None, Node::ToReal(n)) => *n,
            (None, _) => self.intern(Node::Floor(a), Sort::Int),
        }
    }

    fn bits(&self, t: Term) -> Option<(u32, &BigUint)> {
        match self.as_const(t) {
            Some(Const::Bv(w, b)) => Some((*w, b)),
            _ => None,
        }
    }

    /// Creates a bitvector; the bits are reduced modulo 2^width.
    pub fn bv(&mut self, width: u32, bits: BigUint) -> Term {
        let bits = bits % (BigUint::one() << width);
        self.constant(Const::Bv(width, bits))
    }

    /// Creates the application of an operator to bitvectors.
    pub fn bv_op(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let b = self.expect(b, sort, "bitvector operator");
        if let (Some((w, x)), Some((_, y))) = (self.bits(a), self.bits(b)) {
            let bits = bv_value(op, w, x, y);
            return self.bv(w, bits);
        }
        self.intern(Node::Bv(op, a, b), sort)
    }

    /// Creates the complement of a bitvector.
    pub fn bv_not(&mut self, a: Term) -> Term {
        if let Some((w, x)) = self.bits(a) {
            let bits = (BigUint::one() << w) - 1u32 - x;
            return self.bv(w, bits);
        }
        let sort = self.sort(a);
        self.intern(Node::BvNot(a), sort)
    }

    /// Creates the unsigned comparison `a < b`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        let b = self.expect(b, sort, "bvult");
        match (self.bits(a), self.bits(b)) {
            (Some((_, x)), Some((_, y))) => {
                let r = x < y;
                self.bool(r)
            }
            _ if a == b => self.ff,
            _ => self.intern(Node::Ult(a, b), Sort::Bool),
        }
    }

    /// Converts a bitvector to a natural number.
    pub fn bv_to_int(&mut self, a: Term) -> Term {
        if let Some((_, x)) = self.bits(a) {
            let n = BigInt::from(x.clone());
            return self.int(n);
        }
        self.intern(Node::BvToInt(a), Sort::Int)
    }

    /// Converts an integer to a bitvector, modulo 2^width.
    pub fn int_to_bv(&mut self, width: u32, a: Term) -> Term {
        let a = self.expect(a, Sort::Int, "int_to_bv");
        if let Some(n) = self.as_int(a) {
            let bits = n
                .mod_floor(&(BigInt::one() << width))
                .to_biguint()
                .unwrap_or_default();
            return self.bv(width, bits);
        }
        if let Node::BvToInt(b) = *self.node(a)
            && self.sort(b) == Sort::Bv(width)
        {
            b
        } else {
            self.intern(Node::IntToBv(width, a), Sort::Bv(width))
        }
    }
}

/// Returns the Euclidean quotient and remainder; `(0, n)` for a zero divisor.
pub(super) fn euclid(n: &BigInt, d: &BigInt) -> (BigInt, BigInt) {
    if d.is_zero() {
        return (BigInt::zero(), n.clone());
    }
    let r = n.mod_floor(&d.abs());
    ((n - &r) / d, r)
}

/// Returns the value of an operator on bitvectors, not yet reduced modulo 2^width.
pub(super) fn bv_value(op: BvOp, w: u32, x: &BigUint, y: &BigUint) -> BigUint {
    let modulus = BigUint::one() << w;
    let amount = y.to_u32().filter(|&n| n < w);
    let rotate = |left: bool| {
        let n = (y % w).to_u32().unwrap_or(0);
        let n = if left { n } else { (w - n) % w };
        ((x << n) | (x >> (w - n))) % &modulus
    };
    match op {
        BvOp::Add => x + y,
        BvOp::Sub => &modulus + x - y,
        BvOp::Mul => x * y,
        BvOp::Div if y.is_zero() => modulus - 1u32,
        BvOp::Div => x / y,
        BvOp::Rem if y.is_zero() => x.clone(),
        BvOp::Rem => x % y,
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
        BvOp::Shl => amount.map_or_else(BigUint::zero, |n| x << n),
        BvOp::Shr => amount.map_or_else(BigUint::zero, |n| x >> n),
        BvOp::RotateLeft => rotate(true),
        BvOp::RotateRight => rotate(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_one_difference_are_one_atom() {
        let mut t = Terms::new();
        let (x, y) = (t.fresh("x", Sort::Int), t.fresh("y", Sort::Int));
        let a = t.lt(x, y);
        let b = t.le(y, x);
        let c = t.not(b);
        assert_eq!(a, c);
        let both = t.and(a, b);
        assert_eq!(both, t.ff);
    }

    #[test]
    fn sums_cancel_and_tags_fold() {
        let mut t = Terms::new();
        let x = t.fresh("x", Sort::Int);
        let y = t.plus(x, 3);
        let d = t.sub(y, x);
        assert_eq!(t.as_small(d), Some(3));
        let c = t.fresh("c", Sort::Bool);
        let (zero, one) = (t.int(0), t.int(1));
        let tag = t.ite(c, zero, one);
        let is_zero = t.eq(tag, zero);
        assert_eq!(is_zero, c);
        let two = t.int(2);
        let (even, odd) = (t.mul(x, two), t.plus(x, 1));
        let odd = t.add(odd, x);
        let never = t.eq(even, odd);
        assert_eq!(never, t.ff);
    }

    #[test]
    fn division_is_euclidean() {
        let n = |v: i64| BigInt::from(v);
        for (a, b, q, r) in [(7, 3, 2, 1), (-7, 3, -3, 2), (7, -3, -2, 1), (-7, -3, 3, 2)] {
            assert_eq!(euclid(&n(a), &n(b)), (n(q), n(r)));
        }
    }

    #[test]
    fn ill_sorted_terms_are_reported() {
        let mut t = Terms::new();
        let (x, c) = (t.fresh("x", Sort::Int), t.fresh("c", Sort::Bool));
        let _ = t.and(x, c);
        assert_eq!(t.errors().len(), 1);
    }
}
