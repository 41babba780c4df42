//! Terms: an arena of hash-consed nodes with their sorts.
//!
//! Key types: [`Terms`], [`Term`], [`Node`], [`Sort`], [`Const`].

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

/// A term: an index into its [`Terms`]. Parts have smaller indices than the terms that contain
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(super) u32);

/// The sorts of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// The booleans.
    Bool,
    /// Unbounded integers.
    Int,
    /// Rational numbers.
    Real,
    /// Bitvectors of a width of at least 1.
    Bv(u32),
}

/// A constant of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Const {
    /// A constant of [`Sort::Bool`].
    Bool(bool),
    /// A constant of [`Sort::Int`].
    Int(BigInt),
    /// A constant of [`Sort::Real`].
    Real(BigRational),
    /// A constant of [`Sort::Bv`]: width and bits.
    Bv(u32, BigUint),
}

impl Const {
    /// Returns the sort.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::Real(_) => Sort::Real,
            Self::Bv(w, _) => Sort::Bv(*w),
        }
    }

    /// Returns the value of an unconstrained variable.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Self::Bool(false),
            Sort::Int => Self::Int(BigInt::default()),
            Sort::Real => Self::Real(BigRational::from_integer(BigInt::default())),
            Sort::Bv(w) => Self::Bv(w, BigUint::default()),
        }
    }
}

/// The operators on two bitvectors of the same width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    /// Unsigned division; all ones for a zero divisor, as in SMT-LIB.
    Div,
    /// Unsigned remainder; the dividend for a zero divisor.
    Rem,
    And,
    Or,
    Xor,
    /// The amount has the same width. An amount of at least the width gives zero.
    Shl,
    Shr,
    RotateLeft,
    RotateRight,
}

/// A node of the arena. Only the functions of [`Terms`] create nodes, and maintain the normal
/// forms: sums are [`Node::Lin`], integer comparisons are [`Node::NonNeg`] with a positive first
/// coefficient.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Const(Const),
    /// A variable: an index into the variables of the arena.
    Var(u32),
    /// A negation.
    Not(Term),
    /// A conjunction of two terms.
    And(Term, Term),
    /// A disjunction of two terms.
    Or(Term, Term),
    /// Equality of two terms of one sort.
    Eq(Term, Term),
    /// If-then-else; the branches have one sort, not Bool.
    Ite(Term, Term, Term),
    /// `constant + Σ coefficient · term` over Int, by ascending term, coefficients not zero.
    Lin(BigInt, Box<[(Term, BigInt)]>),
    /// Product of two integers that are not constant.
    Mul(Term, Term),
    /// Euclidean quotient; unspecified for a zero divisor.
    Div(Term, Term),
    /// Euclidean remainder.
    Mod(Term, Term),
    /// `0 ≤ t` over Int.
    NonNeg(Term),
    /// Sum of reals.
    RAdd(Term, Term),
    /// Product of reals.
    RMul(Term, Term),
    /// Quotient of reals.
    RDiv(Term, Term),
    /// `≤` of reals.
    RLe(Term, Term),
    /// An integer as a real.
    ToReal(Term),
    /// The greatest integer at most a real.
    Floor(Term),
    /// A binary operator on bitvectors.
    Bv(BvOp, Term, Term),
    /// Complement of a bitvector.
    BvNot(Term),
    /// Unsigned `<` of bitvectors.
    Ult(Term, Term),
    /// The natural number of a bitvector.
    BvToInt(Term),
    /// An integer modulo 2^width.
    IntToBv(u32, Term),
}

impl Node {
    /// The direct subterms.
    pub fn children(&self) -> Vec<Term> {
        match self {
            Self::Const(_) | Self::Var(_) => Vec::new(),
            Self::Not(a)
            | Self::NonNeg(a)
            | Self::ToReal(a)
            | Self::Floor(a)
            | Self::BvNot(a)
            | Self::BvToInt(a)
            | Self::IntToBv(_, a) => {
                vec![*a]
            }
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Eq(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Mod(a, b)
            | Self::RAdd(a, b)
            | Self::RMul(a, b)
            | Self::RDiv(a, b)
            | Self::RLe(a, b)
            | Self::Bv(_, a, b)
            | Self::Ult(a, b) => vec![*a, *b],
            Self::Ite(a, b, c) => vec![*a, *b, *c],
            Self::Lin(_, ts) => ts.iter().map(|(t, _)| *t).collect(),
        }
    }
}

/// The arena of terms of one encoding.
#[derive(Debug)]
pub struct Terms {
    pub(super) nodes: Vec<Node>,
    sorts: Vec<Sort>,
    index: FxHashMap<Node, Term>,
    /// The names of variables.
    pub(super) vars: Vec<String>,
    errors: Vec<String>,
    work: usize,
    /// The constant `true`.
    pub tt: Term,
    /// The constant `false`.
    pub ff: Term,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// Creates an arena with `true` and `false`.
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: Vec::new(),
            sorts: Vec::new(),
            index: FxHashMap::default(),
            vars: Vec::new(),
            errors: Vec::new(),
            work: 0,
            tt: Term(0),
            ff: Term(1),
        };
        terms.tt = terms.constant(Const::Bool(true));
        terms.ff = terms.constant(Const::Bool(false));
        terms
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the cost of creating terms so far: their sizes, including repeated ones.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Whether the arena is empty, which it never is.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node of a term.
    #[allow(clippy::indexing_slicing)] // terms are made by this arena
    pub fn node(&self, t: Term) -> &Node {
        &self.nodes[t.0 as usize]
    }

    /// Returns the sort of a term.
    #[allow(clippy::indexing_slicing)]
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[t.0 as usize]
    }

    /// Returns the value of a constant.
    pub fn as_const(&self, t: Term) -> Option<&Const> {
        if let Node::Const(c) = self.node(t) {
            Some(c)
        } else {
            None
        }
    }

    /// Returns the truth value of a boolean constant.
    pub fn as_bool(&self, t: Term) -> Option<bool> {
        if t == self.tt {
            Some(true)
        } else if t == self.ff {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the value of an integer constant.
    pub fn as_int(&self, t: Term) -> Option<&BigInt> {
        match self.as_const(t) {
            Some(Const::Int(n)) => Some(n),
            _ => None,
        }
    }

    /// Returns the value of an integer constant that fits in an `i64`.
    pub fn as_small(&self, t: Term) -> Option<i64> {
        use num_traits::ToPrimitive;
        self.as_int(t).and_then(ToPrimitive::to_i64)
    }

    /// Creates a fresh variable.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let id = self.vars.len() as u32;
        let term = self.intern(Node::Var(id), sort);
        self.vars.push(format!("{name}!{id}"));
        term
    }

    /// Returns the sort errors so far. They are internal errors, which are reported instead of
    /// being sent to the solver.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        self.work += if let Node::Lin(_, ts) = &node {
            1 + ts.len()
        } else {
            1
        };
        if let Some(&t) = self.index.get(&node) {
            return t;
        }
        let t = Term(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.index.insert(node, t);
        t
    }

    /// Checks the sort of `t`. On an error, records it and returns a constant of the expected sort,
    /// so that one error is reported once.
    pub(super) fn expect(&mut self, t: Term, sort: Sort, what: &str) -> Term {
        if self.sort(t) == sort {
            return t;
        }
        let found = self.sort(t);
        self.errors.push(format!(
            "{what}: expected {sort:?}, found {found:?} in {:?}",
            self.node(t)
        ));
        self.constant(Const::zero(sort))
    }
}
