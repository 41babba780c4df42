//! Dafny's `map` and `imap`, ordered.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Index, Sub, SubAssign};

use crate::forward::forward_consuming;
use crate::int::Int;
use crate::print::DafnyPrint;
use crate::rc::{Rc, nested};
use crate::set::Set;
use crate::value::DafnyDefault;

/// A finite map. Walked in ascending order of keys; a copy takes constant time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Map<K, V>(Rc<BTreeMap<K, V>>);

/// Dafny's `imap`: those that can be compiled are finite.
pub type IMap<K, V> = Map<K, V>;

impl<K: 'static, V: 'static> Map<K, V> {
    /// `map[]`
    pub fn new() -> Map<K, V> {
        Map(Rc::new(BTreeMap::new()))
    }
}

impl<K, V> Map<K, V> {
    /// Dafny's `|m|`.
    pub fn len(&self) -> Int {
        Int::from(self.size())
    }

    /// The number of keys as Rust counts them.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs in ascending order of keys.
    pub fn iter(&self) -> std::collections::btree_map::Iter<'_, K, V> {
        self.0.iter()
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Dafny's `key in m`.
    pub fn contains(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// The value of a key, if it exists.
    pub fn find(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    /// The least key: what `k :| k in m` chooses.
    pub fn least(&self) -> Option<&K> {
        self.0.keys().next()
    }
}

impl<K: Ord + Clone + DafnyPrint, V: Clone> Map<K, V> {
    /// Dafny's `m[key]`; panics if the key is absent. `&m[&key]` gives the value in place.
    pub fn get(&self, key: &K) -> V {
        self[key].clone()
    }
}

impl<K: 'static + Ord + Clone, V: 'static + Clone> Map<K, V> {
    /// Dafny's `m[key := value]`.
    pub fn update(&self, key: K, value: V) -> Map<K, V> {
        self.clone().with(key, value)
    }

    /// `m[key := value]`, in place if the map is not shared.
    pub fn with(mut self, key: K, value: V) -> Map<K, V> {
        Rc::make_mut(&mut self.0).insert(key, value);
        self
    }

    /// Dafny's `m + right`: where both have a key, the value of `right`.
    pub fn merge(&self, right: &Map<K, V>) -> Map<K, V> {
        self.clone().merge_into(right)
    }

    /// The merged map, in place if the left side is not shared.
    fn merge_into(self, right: &Map<K, V>) -> Map<K, V> {
        if self.is_empty() {
            return right.clone();
        }
        let mut merged = self;
        if !right.is_empty() {
            let pairs = Rc::make_mut(&mut merged.0);
            pairs.extend(
                right
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
        }
        merged
    }

    /// Dafny's `m - keys`.
    pub fn minus(&self, keys: &Set<K>) -> Map<K, V> {
        let kept = self.iter().filter(|(key, _)| !keys.contains(key));
        kept.map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Dafny's `m.Keys`.
    pub fn keys(&self) -> Set<K> {
        self.0.keys().cloned().collect()
    }

    /// Dafny's `m.Values`.
    pub fn values(&self) -> Set<V>
    where
        V: Ord,
    {
        self.0.values().cloned().collect()
    }

    /// Dafny's `m.Items`.
    pub fn items(&self) -> Set<(K, V)>
    where
        V: Ord,
    {
        self.iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

forward_consuming!([K: Ord + Clone + 'static, V: Clone + 'static] Map<K, V>: Add add, AddAssign add_assign = Map::merge_into);

macro_rules! minus {
    ($($Left:ty, $Right:ty;)*) => {$(
        impl<K: 'static + Ord + Clone, V: 'static + Clone> Sub<$Right> for $Left {
            type Output = Map<K, V>;
            fn sub(self, keys: $Right) -> Map<K, V> {
                Map::minus(&self, &keys)
            }
        }
    )*};
}

minus! {
    Map<K, V>, Set<K>;
    Map<K, V>, &Set<K>;
    &Map<K, V>, Set<K>;
    &Map<K, V>, &Set<K>;
}

impl<K: 'static + Ord + Clone, V: 'static + Clone> SubAssign<Set<K>> for Map<K, V> {
    fn sub_assign(&mut self, keys: Set<K>) {
        *self = self.minus(&keys);
    }
}

impl<K: Ord + DafnyPrint, V> Index<&K> for Map<K, V> {
    type Output = V;
    fn index(&self, key: &K) -> &V {
        match self.0.get(key) {
            Some(value) => value,
            None => panic!("key {:#} is not in the map", crate::print::Shown(key)),
        }
    }
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Map<K, V> {
        Map(Rc::clone(&self.0))
    }
}

impl<K: 'static, V: 'static> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map::new()
    }
}

impl<K: 'static, V: 'static> DafnyDefault for Map<K, V> {
    fn dafny_default() -> Map<K, V> {
        Map::new()
    }
}

/// If a key occurs twice, the later value applies.
impl<K: 'static + Ord, V: 'static> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Map<K, V> {
        // By insertion: the standard library's way compiles a whole sort for each type of keys and
        // values.
        let mut map = BTreeMap::new();
        map.extend(pairs);
        Map(Rc::new(map))
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::collections::btree_map::Iter<'a, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord + Clone, V: Clone> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::collections::btree_map::IntoIter<K, V>;
    fn into_iter(self) -> Self::IntoIter {
        Rc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<K: DafnyPrint, V: DafnyPrint> DafnyPrint for Map<K, V> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("map[")?;
        for (at, (key, value)) in self.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            nested(|| key.fmt_dafny(f))?;
            f.write_str(" := ")?;
            nested(|| value.fmt_dafny(f))?;
        }
        f.write_str("]")
    }
}

impl<K: DafnyPrint, V: DafnyPrint> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_dafny(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Map, map, set, to_dafny_string};
    use proptest::prelude::*;

    #[test]
    fn a_map_prints_its_keys_in_ascending_order() {
        assert_eq!(
            to_dafny_string(&map! {2 => 'b' as u32, 1 => 97}),
            "map[1 := 97, 2 := 98]"
        );
        assert_eq!(to_dafny_string(&Map::<u8, u8>::new()), "map[]");
    }

    #[test]
    fn keys_values_and_items_are_sets() {
        let m = map! {1 => 5, 2 => 5};
        assert_eq!(
            (m.keys(), m.values(), m.items()),
            (set! {1, 2}, set! {5}, set! {(1, 5), (2, 5)})
        );
    }

    #[test]
    #[should_panic(expected = "key 3 is not in the map")]
    fn an_absent_key_has_no_value() {
        map! {1 => 2}.get(&3);
    }

    proptest! {
        #[test]
        fn a_merge_prefers_the_right_and_a_difference_removes_keys(
            a: std::collections::BTreeMap<u8, u8>,
            b: std::collections::BTreeMap<u8, u8>,
        ) {
            let (x, y): (Map<u8, u8>, Map<u8, u8>) = (a.into_iter().collect(), b.into_iter().collect());
            let merged = &x + &y;
            prop_assert_eq!(merged.keys(), x.keys() + y.keys());
            for key in merged.keys() {
                prop_assert_eq!(merged.get(&key), *y.find(&key).or(x.find(&key)).ok_or(TestCaseError::fail("lost"))?);
            }
            let left = &x - y.keys();
            prop_assert_eq!(left.keys(), x.keys() - y.keys());
            prop_assert_eq!(left + &x, x.clone());
            prop_assert_eq!(x.update(3, 4).get(&3), 4);
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
        }
    }
}
