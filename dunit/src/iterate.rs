//! What quantifiers, comprehensions and choices range over.

use crate::chars::{Char, Char16};
use crate::int::Int;

/// The integers in `lo .. hi`, ascending.
pub fn range(lo: impl Into<Int>, hi: impl Into<Int>) -> impl Iterator<Item = Int> {
    let (mut next, hi) = (lo.into(), hi.into());
    std::iter::from_fn(move || (next < hi).then(|| step(&mut next)))
}

/// The integers in `lo .. hi`, descending: `for i := hi downto lo`.
pub fn range_down(lo: impl Into<Int>, hi: impl Into<Int>) -> impl Iterator<Item = Int> {
    let (lo, mut above) = (lo.into(), hi.into());
    std::iter::from_fn(move || {
        (lo < above).then(|| {
            above -= Int::ONE;
            above.clone()
        })
    })
}

/// The integers from `lo` up, without end.
pub fn range_from(lo: impl Into<Int>) -> impl Iterator<Item = Int> {
    let mut next = lo.into();
    std::iter::repeat_with(move || step(&mut next))
}

fn step(next: &mut Int) -> Int {
    let successor = &*next + Int::ONE;
    std::mem::replace(next, successor)
}

/// `forall i | lo <= i < hi :: holds(i)`
pub fn forall_in(lo: impl Into<Int>, hi: impl Into<Int>, mut holds: impl FnMut(&Int) -> bool) -> bool {
    range(lo, hi).all(|i| holds(&i))
}

/// `exists i | lo <= i < hi :: holds(i)`
pub fn exists_in(lo: impl Into<Int>, hi: impl Into<Int>, mut holds: impl FnMut(&Int) -> bool) -> bool {
    range(lo, hi).any(|i| holds(&i))
}

/// Both booleans, `false` first.
pub fn all_bools() -> impl Iterator<Item = bool> {
    [false, true].into_iter()
}

/// Every Unicode scalar value, ascending.
pub fn all_chars() -> impl Iterator<Item = Char> {
    ('\0'..=char::MAX).map(Char)
}

/// Every UTF-16 code unit, ascending.
pub fn all_chars16() -> impl Iterator<Item = Char16> {
    (0..=u16::MAX).map(Char16)
}

/// Dafny's `x :| x in candidates && holds(x)`: the first candidate that holds, which is the least where candidates
/// ascend, as those of every collection and range do. Panics if there is none.
pub fn such_that<T>(candidates: impl IntoIterator<Item = T>, mut holds: impl FnMut(&T) -> bool) -> T {
    match candidates.into_iter().find(|candidate| holds(candidate)) {
        Some(chosen) => chosen,
        None => panic!("no value satisfies the condition of an assign-such-that statement"),
    }
}
