//! The ordered set, a [`SortedMap`] without values.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitOr, RangeBounds, Sub};

use crate::map::{self, SortedMap};

/// A set of items in order. Two sets are compared like their sequences of items.
#[derive(Clone)]
pub struct SortedSet<T> {
    items: SortedMap<T, ()>,
}

impl<T> SortedSet<T> {
    /// Creates a set without items, which allocates no memory.
    pub const fn new() -> Self {
        Self {
            items: SortedMap::new(),
        }
    }

    /// Returns the number of items, in time linear in the number of chunks.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the set has no items.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Returns an iterator over the items in order.
    pub fn iter(&self) -> Items<'_, T> {
        Items {
            items: self.items.iter(),
        }
    }

    /// Returns the least item.
    pub fn first(&self) -> Option<&T> {
        let (item, ()) = self.items.first_key_value()?;
        Some(item)
    }

    /// Returns the greatest item.
    pub fn last(&self) -> Option<&T> {
        let (item, ()) = self.items.last_key_value()?;
        Some(item)
    }

    /// Removes and returns the least item.
    pub fn pop_first(&mut self) -> Option<T> {
        let (item, ()) = self.items.pop_first()?;
        Some(item)
    }

    /// Removes and returns the greatest item.
    pub fn pop_last(&mut self) -> Option<T> {
        let (item, ()) = self.items.pop_last()?;
        Some(item)
    }

    /// Removes the items for which `keep` returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.items.retain(|item, ()| keep(item));
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether the set contains an item.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.contains_key(item)
    }

    /// Returns the item of the set that equals the given one.
    pub fn get<Q: Ord + ?Sized>(&self, item: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        let (item, ()) = self.items.get_key_value(item)?;
        Some(item)
    }

    /// Adds an item; returns whether it is new. Of two equal items, the first is kept.
    pub fn insert(&mut self, item: T) -> bool {
        self.items.insert(item, ()).is_none()
    }

    /// Removes an item; returns whether it was present.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.remove(item).is_some()
    }

    /// Moves all items of another set into this one.
    pub fn append(&mut self, other: &mut Self) {
        self.items.append(&mut other.items);
    }

    /// Returns an iterator over the items in a range, in order; it is empty if the start exceeds
    /// the end.
    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> Items<'_, T>
    where
        T: Borrow<Q>,
    {
        Items {
            items: self.items.range(range),
        }
    }

    /// Returns an iterator over the items of both sets, in order.
    pub fn intersection<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl DoubleEndedIterator<Item = &'a T> + Clone {
        self.iter().filter(|item| other.contains(*item))
    }

    /// Returns an iterator over the items that are not in the other set, in order.
    pub fn difference<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl DoubleEndedIterator<Item = &'a T> + Clone {
        self.iter().filter(|item| !other.contains(*item))
    }

    /// Whether all items are in the other set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|item| other.contains(item))
    }

    /// Whether no item is in the other set.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|item| other.contains(item))
    }
}

/// An iterator over items in order, returned by [`SortedSet::iter`] and [`SortedSet::range`].
pub struct Items<'a, T> {
    items: map::Iter<'a, T, ()>,
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self {
            items: self.items.clone(),
        }
    }
}

impl<'a, T> Iterator for Items<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<Self::Item> {
        let (item, ()) = self.items.next()?;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<T> DoubleEndedIterator for Items<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (item, ()) = self.items.next_back()?;
        Some(item)
    }
}

impl<T> ExactSizeIterator for Items<'_, T> {}

/// An iterator over the items of a consumed set.
pub struct IntoItems<T> {
    items: map::IntoIter<T, ()>,
}

impl<T> Iterator for IntoItems<T> {
    type Item = T;

    fn next(&mut self) -> Option<Self::Item> {
        let (item, ()) = self.items.next()?;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<T> DoubleEndedIterator for IntoItems<T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (item, ()) = self.items.next_back()?;
        Some(item)
    }
}

impl<T> ExactSizeIterator for IntoItems<T> {}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = IntoItems<T>;

    fn into_iter(self) -> Self::IntoIter {
        IntoItems {
            items: self.items.into_iter(),
        }
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        for item in items {
            self.insert(*item);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Ord + Clone> BitOr for &SortedSet<T> {
    type Output = SortedSet<T>;

    /// Returns the items of either set.
    fn bitor(self, other: Self) -> SortedSet<T> {
        let mut all = self.clone();
        all.extend(other.iter().cloned());
        all
    }
}

impl<T: Ord + Clone> Sub for &SortedSet<T> {
    type Output = SortedSet<T>;

    /// Returns the items that are not in the other set.
    fn sub(self, other: Self) -> SortedSet<T> {
        self.difference(other).cloned().collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for SortedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T: Eq> Eq for SortedSet<T> {}

impl<T: Ord> PartialOrd for SortedSet<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for SortedSet<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.items.cmp(&other.items)
    }
}

impl<T: Hash> Hash for SortedSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}
