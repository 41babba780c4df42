//! Property tests against the standard library's maps and sets.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Bound;

use proptest::prelude::*;

use super::map::CHUNK;
use super::{SortedMap, SortedSet};

/// A change to a map.
#[derive(Debug, Clone)]
enum Change {
    Insert(u16, u32),
    Remove(u16),
    Add(u16),
    PopFirst,
    PopLast,
    RetainOdd,
    /// The insertion of a number of consecutive keys, from the given one on.
    Run(u16, u16),
}

fn change() -> impl Strategy<Value = Change> {
    let key = 0..1000_u16;
    prop_oneof![
        20 => (key.clone(), any::<u32>()).prop_map(|(k, v)| Change::Insert(k, v)),
        10 => key.clone().prop_map(Change::Remove),
        10 => key.clone().prop_map(Change::Add),
        2 => Just(Change::PopFirst),
        2 => Just(Change::PopLast),
        1 => Just(Change::RetainOdd),
        5 => (key, 0..400_u16).prop_map(|(from, n)| Change::Run(from, n)),
    ]
}

fn apply(change: &Change, mine: &mut SortedMap<u16, u32>, std: &mut BTreeMap<u16, u32>) {
    match *change {
        Change::Insert(k, v) => assert_eq!(mine.insert(k, v), std.insert(k, v)),
        Change::Remove(k) => assert_eq!(mine.remove(&k), std.remove(&k)),
        Change::Add(k) => {
            let (a, b) = (mine.entry(k).or_insert(7), std.entry(k).or_insert(7));
            *a = a.wrapping_add(1);
            *b = b.wrapping_add(1);
            assert_eq!(a, b);
        }
        Change::PopFirst => assert_eq!(mine.pop_first(), std.pop_first()),
        Change::PopLast => assert_eq!(mine.pop_last(), std.pop_last()),
        Change::RetainOdd => {
            mine.retain(|k, _| k % 2 == 1);
            std.retain(|k, _| k % 2 == 1);
        }
        Change::Run(from, n) => {
            mine.extend((from..from + n).map(|k| (k, u32::from(n))));
            std.extend((from..from + n).map(|k| (k, u32::from(n))));
        }
    }
}

/// Asserts that all queries give the same results.
fn same(mine: &SortedMap<u16, u32>, std: &BTreeMap<u16, u32>, bounds: (Bound<u16>, Bound<u16>)) {
    assert_eq!((mine.len(), mine.is_empty()), (std.len(), std.is_empty()));
    assert!(mine.iter().eq(std) && mine.iter().rev().eq(std.iter().rev()));
    assert!(mine.keys().eq(std.keys()) && mine.values().eq(std.values()));
    assert_eq!(
        (mine.first_key_value(), mine.last_key_value()),
        (std.first_key_value(), std.last_key_value())
    );
    assert_eq!(format!("{mine:?}"), format!("{std:?}"));
    for k in 0..1400 {
        assert_eq!(mine.get(&k), std.get(&k));
    }
    // The standard library panics for such a range.
    if let (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) =
        bounds
        && (a > b || a == b && bounds != (Bound::Included(a), Bound::Included(a)))
    {
        assert_eq!(mine.range(bounds).next(), None);
        return;
    }
    assert!(
        mine.range(bounds).eq(std.range(bounds))
            && mine.range(bounds).rev().eq(std.range(bounds).rev())
    );
    assert_eq!(mine.range(bounds).len(), std.range(bounds).count());
}

fn bound() -> impl Strategy<Value = Bound<u16>> {
    prop_oneof![
        Just(Bound::Unbounded),
        (0..1400_u16).prop_map(Bound::Included),
        (0..1400_u16).prop_map(Bound::Excluded)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_map_behaves_like_the_standard_librarys(changes in prop::collection::vec(change(), 0..60), bounds in (bound(), bound())) {
        let (mut mine, mut std) = (SortedMap::new(), BTreeMap::new());
        for change in &changes {
            apply(change, &mut mine, &mut std);
        }
        same(&mine, &std, bounds);
        // The same entries, distributed over chunks differently.
        let again: SortedMap<u16, u32> = std.iter().rev().map(|(k, v)| (*k, *v)).collect();
        let hash = |map: &SortedMap<u16, u32>| BuildHasherDefault::<DefaultHasher>::default().hash_one(map);
        prop_assert_eq!(&again, &mine);
        prop_assert_eq!(hash(&again), hash(&mine));
        let text = serde_json::to_string(&mine).unwrap();
        prop_assert_eq!(&text, &serde_json::to_string(&std).unwrap());
        prop_assert_eq!(&serde_json::from_str::<SortedMap<u16, u32>>(&text).unwrap(), &mine);
        for value in mine.values_mut() {
            *value /= 2;
        }
        prop_assert!(mine.into_iter().eq(std.into_iter().map(|(k, v)| (k, v / 2))));
    }

    #[test]
    fn sets_behave_like_the_standard_librarys(a in prop::collection::btree_set(0..300_u16, 0..300), b in prop::collection::btree_set(0..300_u16, 0..300)) {
        let (x, y): (SortedSet<u16>, SortedSet<u16>) = (a.iter().copied().collect(), b.iter().rev().copied().collect());
        prop_assert!(x.intersection(&y).eq(a.intersection(&b)) && x.difference(&y).eq(a.difference(&b)));
        prop_assert!((&x | &y).iter().eq(a.union(&b)) && (&x - &y).iter().eq(a.difference(&b)));
        prop_assert_eq!((x.is_subset(&y), x.is_disjoint(&y), x.cmp(&y), x == y), (a.is_subset(&b), a.is_disjoint(&b), a.cmp(&b), a == b));
        prop_assert!((&x - &y).is_disjoint(&y) && (&x - &y).is_subset(&x));
        prop_assert!(x.range(100..).eq(a.range(100..)) && x.range(..=100).rev().eq(a.range(..=100).rev()));
        let text = serde_json::to_string(&x).unwrap();
        prop_assert_eq!(&text, &serde_json::to_string(&a).unwrap());
        prop_assert_eq!(serde_json::from_str::<SortedSet<u16>>(&text).unwrap(), x);
    }
}

/// Tests every position at which an insertion splits a full chunk.
#[test]
fn a_full_chunk_is_divided_wherever_the_entry_belongs() {
    let even: Vec<usize> = (0..CHUNK).map(|k| 2 * k).collect();
    for new in 0..=CHUNK {
        let mut set: SortedSet<usize> = even.iter().copied().collect();
        let mut std: BTreeSet<usize> = even.iter().copied().collect();
        // The keys one larger than an existing key; the last one is appended.
        let item = (2 * new).wrapping_sub(1);
        if new > 0 {
            assert!(set.insert(item) && std.insert(item));
        }
        assert!(set.iter().eq(&std) && set.contains(&item) == (new > 0));
    }
}

#[test]
fn the_first_of_equal_items_is_kept() {
    let mut map = SortedMap::from([("a".to_owned(), 1)]);
    let first = map.first_key_value().map(|(k, _)| k.as_ptr());
    assert_eq!(map.insert("a".to_owned(), 2), Some(1));
    assert_eq!(
        (map.first_key_value().map(|(k, _)| k.as_ptr()), map["a"]),
        (first, 2)
    );
}

#[test]
#[should_panic = "no entry of this key"]
fn an_index_without_an_entry_panics() {
    let _ = SortedMap::<u8, u8>::new()[&0];
}
