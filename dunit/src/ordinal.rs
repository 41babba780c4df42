//! Dafny's `ORDINAL` as it is compiled: the finite ordinals.

use std::fmt;

use crate::forward::forward_binary;
use crate::int::Int;

/// A finite ordinal. Dafny's own run-time libraries have no others: limit ordinals are for proofs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ordinal(Int);

impl Ordinal {
    /// The ordinal of a natural number; panics if it is negative.
    pub fn of_int(value: &Int) -> Ordinal {
        assert!(!value.is_negative(), "{value} is not an ordinal");
        Ordinal(value.clone())
    }

    /// Dafny's `.Offset`: the number itself.
    pub fn offset(&self) -> Int {
        self.0.clone()
    }

    /// Dafny's `.IsLimit`: true of 0 only.
    pub fn is_limit(&self) -> bool {
        self.0.is_zero()
    }

    /// Dafny's `.IsSucc`: whether there is a predecessor.
    pub fn is_succ(&self) -> bool {
        !self.is_limit()
    }

    /// Dafny's `.IsNat`: true of every finite ordinal.
    pub fn is_nat(&self) -> bool {
        true
    }

    /// `self + right`
    pub fn plus(&self, right: &Ordinal) -> Ordinal {
        Ordinal(&self.0 + &right.0)
    }

    /// `self - right`; panics if it is negative.
    pub fn minus(&self, right: &Ordinal) -> Ordinal {
        Ordinal::of_int(&(&self.0 - &right.0))
    }
}

forward_binary!(Ordinal: Add add, AddAssign add_assign = Ordinal::plus);
forward_binary!(Ordinal: Sub sub, SubAssign sub_assign = Ordinal::minus);

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
