//! Simplification of all integers of some inputs together: equal integers stay equal, and the order
//! stays the same.
//!
//! Integers that are simplified one by one get stuck on relations: if -2 in `[-3, -3, -2]` has to
//! be a key, neither the element nor the key can change alone.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::diversify::rewrite_keys_too;
use dtest_interp::Inputs;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

/// Maximum number of distinct integers.
const MAX_INTEGERS: usize = 64;

/// Inputs whose integers are all simplified together, the simplest first.
pub(super) fn candidates(inputs: &Inputs) -> Vec<Inputs> {
    // Collects the distinct integers; negative ones are counted separately.
    let mut all = SortedSet::new();
    rewrite_keys_too(inputs, &mut |v| {
        all.extend(as_int(v).cloned());
        None
    });
    if all.is_empty() || all.len() > MAX_INTEGERS {
        return Vec::new();
    }
    let negative = all.iter().filter(|n| n.is_negative()).count();
    let ranks = |first: usize| -> SortedMap<BigInt, BigInt> {
        all.iter()
            .enumerate()
            .map(|(i, n)| (n.clone(), BigInt::from(i) - BigInt::from(first)))
            .collect()
    };
    // Ranks from 0; then ranks with the negative numbers below 0.
    let around = match all.contains(&BigInt::zero()) {
        true => ranks(negative),
        false => all
            .iter()
            .enumerate()
            .map(|(i, n)| {
                (
                    n.clone(),
                    BigInt::from(i) - BigInt::from(negative) + i32::from(!n.is_negative()),
                )
            })
            .collect(),
    };
    // The smallest integer becomes zero, and all distances stay.
    let least = all.first().cloned().unwrap_or_default();
    let shifted = all.iter().map(|n| (n.clone(), n - &least)).collect();
    // Gaps larger than 2 become 2: neighbours stay neighbours, and others do not become neighbours.
    let close = {
        let (mut map, mut at, mut last) = (SortedMap::new(), BigInt::zero(), least.clone());
        for n in &all {
            at += (n - &last).min(BigInt::from(2));
            last = n.clone();
            map.insert(n.clone(), at.clone());
        }
        map
    };
    let before = weight(&all);
    let maps: [SortedMap<BigInt, BigInt>; 4] = [ranks(0), close, around, shifted];
    // Only simpler replacements are candidates.
    let is_smaller =
        |map: &SortedMap<BigInt, BigInt>| weight(&map.values().cloned().collect()) < before;
    maps.iter()
        .filter(|map| is_smaller(map))
        .map(|map| replaced(inputs, map))
        .collect()
}

/// The order of simplicity: the sum of magnitudes, then the number of negative integers.
fn weight(all: &SortedSet<BigInt>) -> (BigInt, usize) {
    (
        all.iter().map(Signed::abs).sum(),
        all.iter().filter(|n| n.is_negative()).count(),
    )
}

fn as_int(v: &Value) -> Option<&BigInt> {
    if let Value::Int(n) = v { Some(n) } else { None }
}

fn replaced(inputs: &Inputs, map: &SortedMap<BigInt, BigInt>) -> Inputs {
    rewrite_keys_too(inputs, &mut |v| {
        as_int(v).and_then(|n| map.get(n)).cloned().map(Value::Int)
    })
}
