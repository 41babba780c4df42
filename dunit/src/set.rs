//! Dafny's `set` and `iset`, ordered.

use std::collections::BTreeSet;
use std::fmt;

use crate::forward::{forward_binary, forward_consuming};
use crate::int::Int;
use crate::multiset::Multiset;
use crate::print::{DafnyPrint, fmt_separated};
use crate::rc::Rc;
use crate::seq::Seq;
use crate::value::{DafnyDefault, Value};

/// A finite set. Walked in ascending order; a copy takes constant time. Rust's order is
/// lexicographic over the ascending elements; Dafny's `<=` is [`is_subset_of`](Set::is_subset_of).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Set<T>(Rc<BTreeSet<T>>);

/// Dafny's `iset`: those that can be compiled are finite.
pub type ISet<T> = Set<T>;

impl<T: 'static> Set<T> {
    /// `{}`
    pub fn new() -> Set<T> {
        Set(Rc::new(BTreeSet::new()))
    }
}

impl<T> Set<T> {
    /// Dafny's `|s|`.
    pub fn len(&self) -> Int {
        Int::from(self.size())
    }

    /// The number of elements as Rust counts them.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in ascending order.
    pub fn iter(&self) -> std::collections::btree_set::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Ord> Set<T> {
    /// Dafny's `value in s`.
    pub fn contains(&self, value: &T) -> bool {
        self.0.contains(value)
    }

    /// The least element: what `x :| x in s` chooses.
    pub fn least(&self) -> Option<&T> {
        self.0.first()
    }

    /// Dafny's `s <= other`.
    pub fn is_subset_of(&self, other: &Set<T>) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Dafny's `s < other`.
    pub fn is_proper_subset_of(&self, other: &Set<T>) -> bool {
        self.size() < other.size() && self.is_subset_of(other)
    }

    /// Dafny's `s !! other`.
    pub fn is_disjoint_from(&self, other: &Set<T>) -> bool {
        self.0.is_disjoint(&other.0)
    }
}

impl<T: 'static + Ord + Clone> Set<T> {
    /// Dafny's `s + right`.
    pub fn union(&self, right: &Set<T>) -> Set<T> {
        self.clone().union_into(right)
    }

    /// Dafny's `s * right`.
    pub fn intersection(&self, right: &Set<T>) -> Set<T> {
        self.0.intersection(&right.0).cloned().collect()
    }

    /// Dafny's `s - right`.
    pub fn difference(&self, right: &Set<T>) -> Set<T> {
        self.clone().difference_into(right)
    }

    /// The union, in place if the larger set is not shared.
    fn union_into(self, right: &Set<T>) -> Set<T> {
        if self.size() < right.size() {
            return right.clone().union_into(&self);
        }
        let mut union = self;
        if !right.is_subset_of(&union) {
            Rc::make_mut(&mut union.0).extend(right.iter().cloned());
        }
        union
    }

    /// The difference, in place if the set is not shared and few elements are removed.
    fn difference_into(self, right: &Set<T>) -> Set<T> {
        if self.is_disjoint_from(right) {
            return self;
        }
        if right.size() >= self.size() {
            return self.0.difference(&right.0).cloned().collect();
        }
        let mut difference = self;
        let elements = Rc::make_mut(&mut difference.0);
        for element in right {
            elements.remove(element);
        }
        difference
    }

    /// `s + {value}`
    pub fn with(mut self, value: T) -> Set<T> {
        if !self.contains(&value) {
            Rc::make_mut(&mut self.0).insert(value);
        }
        self
    }

    /// `s - {value}`
    pub fn without(mut self, value: &T) -> Set<T> {
        if self.contains(value) {
            Rc::make_mut(&mut self.0).remove(value);
        }
        self
    }

    /// Every subset, from `{}` to the set itself; a subset comes after its own subsets.
    pub fn subsets(&self) -> impl Iterator<Item = Set<T>> + use<T> {
        let elements: Vec<T> = self.iter().cloned().collect();
        let mut next = Some(vec![false; elements.len()]);
        std::iter::from_fn(move || {
            let chosen = next.take()?;
            let members = elements.iter().zip(&chosen).filter(|(_, inside)| **inside);
            let subset = members.map(|(element, _)| element.clone()).collect();
            // Binary counting: the lowest absent element is added, and those below it are removed.
            if let Some(out) = chosen.iter().position(|inside| !inside) {
                let count = |(at, inside): (usize, bool)| {
                    if at < out { false } else { at == out || inside }
                };
                next = Some(chosen.into_iter().enumerate().map(count).collect());
            }
            Some(subset)
        })
    }
}

impl<T: Value> Set<T> {
    /// Dafny's `multiset(s)`.
    pub fn to_multiset(&self) -> Multiset<T> {
        self.iter().cloned().collect()
    }

    /// The elements in ascending order.
    pub fn to_seq(&self) -> Seq<T> {
        self.iter().cloned().collect()
    }
}

forward_consuming!([T: Ord + Clone + 'static] Set<T>: Add add, AddAssign add_assign = Set::union_into);
forward_consuming!([T: Ord + Clone + 'static] Set<T>: Sub sub, SubAssign sub_assign = Set::difference_into);
forward_binary!([T: Ord + Clone + 'static] Set<T>: Mul mul, MulAssign mul_assign = Set::intersection);

impl<T> Clone for Set<T> {
    fn clone(&self) -> Set<T> {
        Set(Rc::clone(&self.0))
    }
}

impl<T: 'static> Default for Set<T> {
    fn default() -> Set<T> {
        Set::new()
    }
}

impl<T: 'static> DafnyDefault for Set<T> {
    fn dafny_default() -> Set<T> {
        Set::new()
    }
}

impl<T: 'static + Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Set<T> {
        // By insertion: the standard library's implementation compiles a whole sort for each
        // element type.
        let mut set = BTreeSet::new();
        set.extend(elements);
        Set(Rc::new(set))
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::collections::btree_set::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Ord + Clone> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::collections::btree_set::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        Rc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<T: DafnyPrint> DafnyPrint for Set<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        fmt_separated(&mut self.iter(), f)?;
        f.write_str("}")
    }
}

impl<T: DafnyPrint> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_dafny(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Set, set, to_dafny_string};
    use proptest::prelude::*;

    #[test]
    fn a_set_prints_in_ascending_order() {
        assert_eq!(to_dafny_string(&set! {2, 1, 2}), "{1, 2}");
        assert_eq!(to_dafny_string(&Set::<u8>::new()), "{}");
    }

    #[test]
    fn subsets_come_after_their_own_subsets() {
        let subsets: Vec<Set<u8>> = set! {1, 2}.subsets().collect();
        assert_eq!(subsets, [set! {}, set! {1}, set! {2}, set! {1, 2}]);
        assert_eq!(Set::<u8>::new().subsets().count(), 1);
    }

    proptest! {
        #[test]
        fn the_algebra_of_sets_holds(
            a: std::collections::BTreeSet<u8>,
            b: std::collections::BTreeSet<u8>,
            c: std::collections::BTreeSet<u8>,
        ) {
            let [x, y, z]: [Set<u8>; 3] = [a, b, c].map(|elements| elements.into_iter().collect());
            prop_assert_eq!(&x + &y, &y + &x);
            prop_assert_eq!(&x * &y, &y * &x);
            prop_assert_eq!(&x * (&y + &z), (&x * &y) + (&x * &z));
            prop_assert_eq!(&x - (&y + &z), (&x - &y) - &z);
            prop_assert_eq!((&x - &y) + (&x * &y), x.clone());
            prop_assert_eq!(x.is_disjoint_from(&y), (&x * &y).is_empty());
            prop_assert_eq!(x.is_subset_of(&y), &x + &y == y);
            prop_assert_eq!(x.is_proper_subset_of(&y), x.is_subset_of(&y) && x != y);
            prop_assert_eq!((&x + &y).len() + (&x * &y).len(), x.len() + y.len());
            prop_assert_eq!(x.clone().with(7).without(&7), &x - set! {7});
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
            prop_assert!(x.iter().is_sorted());
        }
    }
}
