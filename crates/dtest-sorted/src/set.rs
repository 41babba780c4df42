//! Sets.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitOr, RangeBounds, Sub};

use crate::map::{self, SortedMap};

/// A set in the order of its items. Two sets are equal, and ordered, as their sequences of items.
#[derive(Clone)]
pub struct SortedSet<T> {
    items: SortedMap<T, ()>,
}

impl<T> SortedSet<T> {
    /// A set without items, which takes no memory.
    pub const fn new() -> Self {
        Self {
            items: SortedMap::new(),
        }
    }

    /// How many items it has: in time of the number of chunks.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has no items.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The items in their order.
    pub fn iter(&self) -> Items<'_, T> {
        Items {
            items: self.items.iter(),
        }
    }

    /// The least item.
    pub fn first(&self) -> Option<&T> {
        let (item, ()) = self.items.first_key_value()?;
        Some(item)
    }

    /// The greatest item.
    pub fn last(&self) -> Option<&T> {
        let (item, ()) = self.items.last_key_value()?;
        Some(item)
    }

    /// Removes the least item.
    pub fn pop_first(&mut self) -> Option<T> {
        let (item, ()) = self.items.pop_first()?;
        Some(item)
    }

    /// Removes the greatest item.
    pub fn pop_last(&mut self) -> Option<T> {
        let (item, ()) = self.items.pop_last()?;
        Some(item)
    }

    /// Keeps the items for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.items.retain(|item, ()| keep(item));
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether an item is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.contains_key(item)
    }

    /// The item that is equal to one.
    pub fn get<Q: Ord + ?Sized>(&self, item: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        let (item, ()) = self.items.get_key_value(item)?;
        Some(item)
    }

    /// Adds an item. Whether it is new: of two that are equal, the first is kept.
    pub fn insert(&mut self, item: T) -> bool {
        self.items.insert(item, ()).is_none()
    }

    /// Removes an item. Whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.remove(item).is_some()
    }

    /// Moves the items of another set here.
    pub fn append(&mut self, other: &mut Self) {
        self.items.append(&mut other.items);
    }

    /// The items in a range, in their order. None, if its start is behind its end.
    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> Items<'_, T>
    where
        T: Borrow<Q>,
    {
        Items {
            items: self.items.range(range),
        }
    }

    /// The items that are in both, in their order.
    pub fn intersection<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl DoubleEndedIterator<Item = &'a T> + Clone {
        self.iter().filter(|item| other.contains(*item))
    }

    /// The items that are not in the other, in their order.
    pub fn difference<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl DoubleEndedIterator<Item = &'a T> + Clone {
        self.iter().filter(|item| !other.contains(*item))
    }

    /// Whether all items are in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|item| other.contains(item))
    }

    /// Whether no item is in the other.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|item| other.contains(item))
    }
}

/// Items in their order: [`SortedSet::iter`], [`SortedSet::range`].
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

/// The items of a set that is given up.
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

    /// The items that are in one of the two.
    fn bitor(self, other: Self) -> SortedSet<T> {
        let mut all = self.clone();
        all.extend(other.iter().cloned());
        all
    }
}

impl<T: Ord + Clone> Sub for &SortedSet<T> {
    type Output = SortedSet<T>;

    /// The items that are not in the other.
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
