//! The ordered map.
//!
//! [`SortedMap`] is a vector of chunks; `SortedMap::search` finds a key by two binary searches. The
//! hard part is the position after the last entry, which has two representations: behind the last
//! entry of a chunk, and before the first entry of the next.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::{Flatten, Map};
use std::ops::{Bound, Index, RangeBounds};
use std::{slice, vec};

/// The maximal number of entries in a chunk.
pub(crate) const CHUNK: usize = 128;

/// A map ordered by its keys. Two maps are compared like their sequences of entries.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// The chunks, none of which is empty; keys ascend within and across them.
    chunks: Vec<Vec<(K, V)>>,
}

/// A position: a chunk and a place in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct At {
    chunk: usize,
    place: usize,
}

impl<K, V> SortedMap<K, V> {
    /// Creates a map without entries, which allocates no memory.
    pub const fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    /// Returns the number of entries, in time linear in the number of chunks.
    pub fn len(&self) -> usize {
        let mut len = 0;
        for chunk in &self.chunks {
            len += chunk.len();
        }
        len
    }

    /// Whether the map has no entries.
    pub const fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Returns an iterator over the entries, ordered by key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter {
            chunks: &self.chunks,
            front: At { chunk: 0, place: 0 },
            back: At {
                chunk: self.chunks.len(),
                place: 0,
            },
        }
    }

    /// Returns an iterator over the entries with mutable values, ordered by key.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.chunks.iter_mut().flatten().map(|(k, v)| (&*k, v))
    }

    /// Returns an iterator over the keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.iter().map(|(k, _)| k)
    }

    /// Returns an iterator over the values, ordered by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|(_, v)| v)
    }

    /// Returns an iterator over the mutable values, ordered by key.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.iter_mut().map(|(_, v)| v)
    }

    /// Consumes the map and returns an iterator over the keys in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.into_iter().map(|(k, _)| k)
    }

    /// Consumes the map and returns an iterator over the values, ordered by key.
    pub fn into_values(self) -> IntoValues<K, V> {
        self.into_iter().map(|(_, v)| v)
    }

    /// Returns the entry with the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        let (k, v) = self.chunks.first()?.first()?;
        Some((k, v))
    }

    /// Returns the entry with the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        let (k, v) = self.chunks.last()?.last()?;
        Some((k, v))
    }

    /// Removes and returns the entry with the least key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        if self.chunks.is_empty() {
            None
        } else {
            Some(self.remove_at(At { chunk: 0, place: 0 }))
        }
    }

    /// Removes and returns the entry with the greatest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        let chunk = self.chunks.len().checked_sub(1)?;
        Some(self.remove_at(At {
            chunk,
            place: self.chunks[chunk].len() - 1,
        }))
    }

    /// Removes the entries for which `keep` returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        for chunk in &mut self.chunks {
            chunk.retain_mut(|(k, v)| keep(k, v));
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
    }

    fn at(&self, at: At) -> &(K, V) {
        &self.chunks[at.chunk][at.place]
    }

    fn value_at(&mut self, at: At) -> &mut V {
        &mut self.chunks[at.chunk][at.place].1
    }

    /// Removes and returns the entry at a position.
    fn remove_at(&mut self, at: At) -> (K, V) {
        let entry = self.chunks[at.chunk].remove(at.place);
        if self.chunks[at.chunk].is_empty() {
            self.chunks.remove(at.chunk);
        }
        entry
    }

    /// Inserts an entry at the position where its key belongs; returns its position after a
    /// possible split.
    fn insert_at(&mut self, mut at: At, entry: (K, V)) -> At {
        if at.chunk == self.chunks.len() {
            self.chunks.push(Vec::new());
        }
        if self.chunks[at.chunk].len() == CHUNK {
            // A split at the end moves nothing, so keys inserted in order fill their chunks.
            let is_end = at
                == At {
                    chunk: self.chunks.len() - 1,
                    place: CHUNK,
                };
            let middle = if is_end { CHUNK } else { CHUNK / 2 };
            let upper = self.chunks[at.chunk].split_off(middle);
            self.chunks.insert(at.chunk + 1, upper);
            if at.place > middle || is_end {
                at = At {
                    chunk: at.chunk + 1,
                    place: at.place - middle,
                };
            }
        }
        self.chunks[at.chunk].insert(at.place, entry);
        at
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Returns the position of a key, or as an error the position where it belongs, which may be
    /// behind the last entry of a chunk.
    fn search<Q: Ord + ?Sized>(&self, key: &Q) -> Result<At, At>
    where
        K: Borrow<Q>,
    {
        let (mut chunk, mut above) = (0, self.chunks.len());
        if above == 0 {
            return Err(At { chunk: 0, place: 0 });
        }
        // The chunk that may contain the key is the last one whose first key is not greater.
        while above - chunk > 1 {
            let middle = chunk.midpoint(above);
            if self.chunks[middle][0].0.borrow() <= key {
                chunk = middle;
            } else {
                above = middle;
            }
        }
        let entries = &self.chunks[chunk];
        let (mut place, mut above) = (0, entries.len());
        while place < above {
            let middle = place.midpoint(above);
            match entries[middle].0.borrow().cmp(key) {
                Ordering::Less => place = middle + 1,
                Ordering::Equal => {
                    return Ok(At {
                        chunk,
                        place: middle,
                    });
                }
                Ordering::Greater => above = middle,
            }
        }
        Err(At { chunk, place })
    }

    /// Returns the same as `search`, with a single comparison if the key is greater than all
    /// others.
    fn search_to_insert(&self, key: &K) -> Result<At, At> {
        match self.chunks.last() {
            Some(last) if last[last.len() - 1].0 < *key => Err(At {
                chunk: self.chunks.len() - 1,
                place: last.len(),
            }),
            _ => self.search(key),
        }
    }

    /// Whether the map has an entry with the given key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.search(key).is_ok()
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.search(key) {
            Ok(at) => Some(&self.at(at).1),
            Err(_) => None,
        }
    }

    /// Returns a key as it was inserted, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (k, v) = self.at(self.search(key).ok()?);
        Some((k, v))
    }

    /// Returns the mutable value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.search(key) {
            Ok(at) => Some(self.value_at(at)),
            Err(_) => None,
        }
    }

    /// Sets the value of a key and returns the previous value. The key that is already in the map
    /// is kept.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.search_to_insert(&key) {
            Ok(at) => Some(std::mem::replace(self.value_at(at), value)),
            Err(at) => {
                self.insert_at(at, (key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match self.search(key) {
            Ok(at) => Some(self.remove_at(at).1),
            Err(_) => None,
        }
    }

    /// Returns the entry of a key, present or absent.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let at = self.search_to_insert(&key);
        Entry { map: self, key, at }
    }

    /// Moves all entries of another map into this one; its values replace those with equal keys.
    pub fn append(&mut self, other: &mut Self) {
        self.extend(std::mem::take(other));
    }

    /// Returns an iterator over the entries whose keys lie in a range, in order; it is empty if the
    /// start exceeds the end.
    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let all = self.iter();
        let front = match range.start_bound() {
            Bound::Unbounded => all.front,
            Bound::Included(key) => self.following(key, false),
            Bound::Excluded(key) => self.following(key, true),
        };
        let back = match range.end_bound() {
            Bound::Unbounded => all.back,
            Bound::Included(key) => self.following(key, true),
            Bound::Excluded(key) => self.following(key, false),
        };
        let is_empty = (back.chunk, back.place) < (front.chunk, front.place);
        Iter {
            front,
            back: if is_empty { front } else { back },
            ..all
        }
    }

    /// Returns the first position with a key that is at least the given one or, with `beyond`,
    /// greater.
    fn following<Q: Ord + ?Sized>(&self, key: &Q, beyond: bool) -> At
    where
        K: Borrow<Q>,
    {
        let mut at = match self.search(key) {
            Ok(at) => At {
                place: at.place + usize::from(beyond),
                ..at
            },
            Err(at) => at,
        };
        // The position behind the last entry of a chunk is represented by the beginning of the next
        // one.
        if self
            .chunks
            .get(at.chunk)
            .is_some_and(|chunk| at.place == chunk.len())
        {
            at = At {
                chunk: at.chunk + 1,
                place: 0,
            };
        }
        at
    }
}

/// An entry of a map, present or absent, returned by [`SortedMap::entry`].
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    at: Result<At, At>,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// Returns the value, which is inserted if the entry is absent.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.at {
            Ok(at) => at,
            Err(at) => self.map.insert_at(at, (self.key, value())),
        };
        self.map.value_at(at)
    }

    /// Returns the value, which is inserted if the entry is absent.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns the value; the default value is inserted if the entry is absent.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if the entry is present.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.at {
            change(self.map.value_at(at));
        }
        self
    }
}

/// An iterator over entries ordered by key, returned by [`SortedMap::iter`] and
/// [`SortedMap::range`].
pub struct Iter<'a, K, V> {
    chunks: &'a [Vec<(K, V)>],
    /// The position of the next entry.
    front: At,
    /// The position behind the last entry, in the same representation as `front` reaches it: the
    /// beginning of the next chunk instead of the end of a chunk.
    back: At,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.front == self.back {
            return None;
        }
        let chunk = &self.chunks[self.front.chunk];
        let (k, v) = &chunk[self.front.place];
        self.front.place += 1;
        if self.front.place == chunk.len() {
            self.front = At {
                chunk: self.front.chunk + 1,
                place: 0,
            };
        }
        Some((k, v))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let mut len = 0;
        for chunk in &self.chunks[self.front.chunk..self.back.chunk] {
            len += chunk.len();
        }
        let len = len + self.back.place - self.front.place;
        (len, Some(len))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.front == self.back {
            return None;
        }
        if self.back.place == 0 {
            let chunk = self.back.chunk - 1;
            self.back = At {
                chunk,
                place: self.chunks[chunk].len(),
            };
        }
        self.back.place -= 1;
        let (k, v) = &self.chunks[self.back.chunk][self.back.place];
        Some((k, v))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

/// An iterator over entries with mutable values, ordered by key, returned by
/// [`SortedMap::iter_mut`].
pub type IterMut<'a, K, V> =
    Map<Flatten<slice::IterMut<'a, Vec<(K, V)>>>, fn(&'a mut (K, V)) -> (&'a K, &'a mut V)>;

/// An iterator over the entries of a consumed map.
pub type IntoIter<K, V> = vec::IntoIter<(K, V)>;

/// An iterator over the values of a consumed map.
pub type IntoValues<K, V> = Map<IntoIter<K, V>, fn((K, V)) -> V>;

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> Self::IntoIter {
        let mut chunks = self.chunks.into_iter();
        let mut all = chunks.next().unwrap_or_default();
        for mut chunk in chunks {
            all.append(&mut chunk);
        }
        all.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (k, v) in entries {
            self.insert(k, v);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    /// Returns the value of a key.
    ///
    /// # Panics
    ///
    /// Panics if the key has no entry.
    fn index(&self, key: &Q) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => panic!("no entry of this key"),
        }
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let mut others = other.iter();
        for entry in self {
            if others.next() != Some(entry) {
                return false;
            }
        }
        true
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: Ord, V: Ord> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut others = other.iter();
        for entry in self {
            let Some(another) = others.next() else {
                return Ordering::Greater;
            };
            match entry.cmp(&another) {
                Ordering::Equal => {}
                different => return different,
            }
        }
        if others.next().is_some() {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }
}

impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for entry in self {
            entry.hash(state);
        }
    }
}
