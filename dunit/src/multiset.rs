//! Dafny's `multiset`, ordered.

use std::collections::BTreeMap;
use std::fmt;

use crate::forward::{forward_binary, forward_consuming};
use crate::int::Int;
use crate::print::{DafnyPrint, fmt_separated};
use crate::rc::Rc;
use crate::set::Set;
use crate::value::DafnyDefault;

/// A finite multiset: elements with their multiplicities. Iterated in ascending order, each element
/// as often as it occurs.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Multiset<T>(Rc<BTreeMap<T, Int>>); // every count is above 0

impl<T: 'static> Multiset<T> {
    /// `multiset{}`
    pub fn new() -> Multiset<T> {
        Multiset(Rc::new(BTreeMap::new()))
    }
}

impl<T> Multiset<T> {
    /// Dafny's `|m|`: the number of elements, with their multiplicities.
    pub fn len(&self) -> Int {
        self.0.values().sum()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in ascending order, each as often as it occurs.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.counts().flat_map(|(element, count)| {
            // A count that exceeds `usize` is never iterated to its end.
            std::iter::repeat_n(element, count.to_usize().unwrap_or(usize::MAX))
        })
    }

    /// The distinct elements in ascending order, each with its count, above 0.
    pub fn counts(&self) -> impl Iterator<Item = (&T, &Int)> {
        self.0.iter()
    }
}

impl<T: Ord> Multiset<T> {
    /// Dafny's `m[value]`.
    pub fn count(&self, value: &T) -> Int {
        self.0.get(value).cloned().unwrap_or(Int::ZERO)
    }

    /// Dafny's `value in m`.
    pub fn contains(&self, value: &T) -> bool {
        self.0.contains_key(value)
    }

    /// The least element: what `x :| x in m` chooses.
    pub fn least(&self) -> Option<&T> {
        self.0.keys().next()
    }

    /// Dafny's `m <= other`.
    pub fn is_subset_of(&self, other: &Multiset<T>) -> bool {
        self.counts()
            .all(|(element, count)| *count <= other.count(element))
    }

    /// Dafny's `m < other`.
    pub fn is_proper_subset_of(&self, other: &Multiset<T>) -> bool {
        self.is_subset_of(other) && self != other
    }

    /// Dafny's `m !! other`.
    pub fn is_disjoint_from(&self, other: &Multiset<T>) -> bool {
        self.0.keys().all(|element| !other.contains(element))
    }
}

impl<T: 'static + Ord + Clone> Multiset<T> {
    /// Dafny's `m[value := count]`; panics if the count is negative.
    pub fn update(&self, value: T, count: impl Into<Int>) -> Multiset<T> {
        let count = count.into();
        assert!(
            !count.is_negative(),
            "a multiset cannot hold {count} of an element"
        );
        let mut changed = self.clone();
        let counts = Rc::make_mut(&mut changed.0);
        if count.is_zero() {
            counts.remove(&value);
        } else {
            counts.insert(value, count);
        }
        changed
    }

    /// Dafny's `m + right`: the counts are added.
    pub fn union(&self, right: &Multiset<T>) -> Multiset<T> {
        self.clone().union_into(right)
    }

    /// The sum, in place if the left side is not shared.
    fn union_into(self, right: &Multiset<T>) -> Multiset<T> {
        let mut sum = self;
        let counts = Rc::make_mut(&mut sum.0);
        for (element, count) in right.counts() {
            *counts.entry(element.clone()).or_default() += count;
        }
        sum
    }

    /// Dafny's `m * right`: the minimum of the counts.
    pub fn intersection(&self, right: &Multiset<T>) -> Multiset<T> {
        self.recounted(|element, count| count.min(&right.count(element)).clone())
    }

    /// Dafny's `m - right`: the counts are subtracted, down to 0.
    pub fn difference(&self, right: &Multiset<T>) -> Multiset<T> {
        self.recounted(|element, count| count - right.count(element))
    }

    /// The distinct elements.
    pub fn to_set(&self) -> Set<T> {
        self.0.keys().cloned().collect()
    }

    fn recounted(&self, recount: impl Fn(&T, &Int) -> Int) -> Multiset<T> {
        let counted = self
            .counts()
            .map(|(element, count)| (element, recount(element, count)));
        let positive = counted.filter(|(_, count)| *count > Int::ZERO);
        let mut counts = BTreeMap::new();
        counts.extend(positive.map(|(element, count)| (element.clone(), count)));
        Multiset(Rc::new(counts))
    }
}

forward_consuming!([T: Ord + Clone + 'static] Multiset<T>: Add add, AddAssign add_assign = Multiset::union_into);
forward_binary!([T: Ord + Clone + 'static] Multiset<T>: Sub sub, SubAssign sub_assign = Multiset::difference);
forward_binary!([T: Ord + Clone + 'static] Multiset<T>: Mul mul, MulAssign mul_assign = Multiset::intersection);

impl<T> Clone for Multiset<T> {
    fn clone(&self) -> Multiset<T> {
        Multiset(Rc::clone(&self.0))
    }
}

impl<T: 'static> Default for Multiset<T> {
    fn default() -> Multiset<T> {
        Multiset::new()
    }
}

impl<T: 'static> DafnyDefault for Multiset<T> {
    fn dafny_default() -> Multiset<T> {
        Multiset::new()
    }
}

impl<T: 'static + Ord> FromIterator<T> for Multiset<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Multiset<T> {
        let mut counts: BTreeMap<T, Int> = BTreeMap::new();
        for element in elements {
            *counts.entry(element).or_default() += Int::ONE;
        }
        Multiset(Rc::new(counts))
    }
}

impl<T: DafnyPrint> DafnyPrint for Multiset<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("multiset{")?;
        fmt_separated(&mut self.iter(), f)?;
        f.write_str("}")
    }
}

impl<T: DafnyPrint> fmt::Debug for Multiset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_dafny(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Int, Multiset, int, multiset, to_dafny_string};
    use proptest::prelude::*;

    #[test]
    fn elements_print_as_often_as_they_are_there() {
        assert_eq!(to_dafny_string(&multiset! {2, 1, 1}), "multiset{1, 1, 2}");
        assert_eq!(to_dafny_string(&Multiset::<u8>::new()), "multiset{}");
    }

    #[test]
    fn a_count_may_be_larger_than_memory() {
        let m = multiset! {b'a'}.update(7, "100000000000000000000");
        assert_eq!(m.len(), int("100000000000000000001"));
        assert_eq!(m.update(7, 0), multiset! {b'a'});
    }

    proptest! {
        #[test]
        fn counts_obey_the_laws_of_multisets(a: Vec<bool>, b: Vec<bool>) {
            let (x, y): (Multiset<bool>, Multiset<bool>) = (a.into_iter().collect(), b.into_iter().collect());
            let (sum, common, rest) = (&x + &y, &x * &y, &x - &y);
            for element in [false, true] {
                let (i, j) = (x.count(&element), y.count(&element));
                prop_assert_eq!(sum.count(&element), &i + &j);
                prop_assert_eq!(common.count(&element), i.clone().min(j.clone()));
                prop_assert_eq!(rest.count(&element), (i - j).max(Int::ZERO));
            }
            prop_assert_eq!(&rest + &common, x.clone());
            prop_assert_eq!(sum.len(), x.len() + y.len());
            prop_assert!(common.is_subset_of(&x) && common.is_subset_of(&y) && x.is_subset_of(&sum));
            prop_assert_eq!(x.is_disjoint_from(&y), common.is_empty());
            prop_assert_eq!(x.is_proper_subset_of(&y), x.is_subset_of(&y) && !y.is_subset_of(&x));
            prop_assert_eq!(Int::from(x.iter().count()), x.len());
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
        }
    }
}
