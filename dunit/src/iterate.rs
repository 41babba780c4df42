//! The domains of quantifiers, comprehensions and choices.

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

/// The integers below `hi`, descending without end.
pub fn range_down_from(hi: impl Into<Int>) -> impl Iterator<Item = Int> {
    let mut above = hi.into();
    std::iter::repeat_with(move || {
        above -= Int::ONE;
        above.clone()
    })
}

/// Every integer, outwards without end: 0, 1, -1, 2, -2, …
pub fn all_ints() -> impl Iterator<Item = Int> {
    let mut next = Int::ZERO;
    std::iter::repeat_with(move || {
        let following = if next > Int::ZERO {
            -&next
        } else {
            Int::ONE - &next
        };
        std::mem::replace(&mut next, following)
    })
}

fn step(next: &mut Int) -> Int {
    let successor = &*next + Int::ONE;
    std::mem::replace(next, successor)
}

/// `forall i | lo <= i < hi :: holds(i)`
pub fn forall_in(
    lo: impl Into<Int>,
    hi: impl Into<Int>,
    mut holds: impl FnMut(&Int) -> bool,
) -> bool {
    range(lo, hi).all(|i| holds(&i))
}

/// `exists i | lo <= i < hi :: holds(i)`
pub fn exists_in(
    lo: impl Into<Int>,
    hi: impl Into<Int>,
    mut holds: impl FnMut(&Int) -> bool,
) -> bool {
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

/// Dafny's `x :| x in candidates && holds(x)`: the first candidate that holds, which is the least
/// where candidates ascend, as those of every collection and range do. Panics if there is none.
pub fn such_that<T>(
    candidates: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(&T) -> bool,
) -> T {
    match candidates.into_iter().find(|candidate| holds(candidate)) {
        Some(chosen) => chosen,
        None => panic!("no value satisfies the condition of an assign-such-that statement"),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        all_bools, all_ints, exists_in, forall_in, range, range_down, range_down_from, range_from,
        such_that,
    };
    use crate::{Int, int, set};

    #[test]
    fn ranges_exclude_their_upper_end() {
        assert_eq!(
            range(-1, 2).collect::<Vec<Int>>(),
            [int(-1), int(0), int(1)]
        );
        assert_eq!(
            range_down(-1, 2).collect::<Vec<Int>>(),
            [int(1), int(0), int(-1)]
        );
        assert_eq!(range(3, 3).count() + range_down(3, 1).count(), 0);
        assert_eq!(
            range_down_from(1).take(2).collect::<Vec<Int>>(),
            [int(0), int(-1)]
        );
        assert_eq!(
            range_from(5).take(2).collect::<Vec<Int>>(),
            [int(5), int(6)]
        );
        assert_eq!(
            all_ints().take(5).collect::<Vec<Int>>(),
            [0, 1, -1, 2, -2].map(int)
        );
        assert_eq!(all_bools().collect::<Vec<bool>>(), [false, true]);
    }

    #[test]
    fn quantifiers_over_nothing_are_true_and_false() {
        assert!(forall_in(0, 0, |_| false) && !exists_in(0, 0, |_| true));
        assert!(forall_in(0, 3, |i| *i < int(3)) && exists_in(0, 3, |i| *i == int(2)));
    }

    #[test]
    fn the_least_value_is_chosen() {
        assert_eq!(such_that(set! {5, 3, 4}, |x| *x > 3), 4);
        assert_eq!(such_that(range_from(0), |x| x * x > int(50)), int(8));
    }

    #[test]
    #[should_panic(expected = "no value satisfies")]
    fn a_choice_needs_a_value() {
        such_that(set! {1}, |x| *x > 1);
    }
}
