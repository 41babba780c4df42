//! All integers of inputs made smaller at once: what is equal stays equal, and the order stays.
//!
//! One by one, `[-3, -3, -2]` with a key of -2 does not get smaller where it matters that the key is an element.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::interp::Inputs;
use crate::value::{Contents, Value};

/// Different integers that are looked at, at most.
const MOST: usize = 64;

/// Inputs whose integers are smaller all together, the simplest first.
pub(super) fn candidates(inputs: &Inputs) -> Vec<Inputs> {
    let mut all = BTreeSet::new();
    values(inputs).for_each(|v| note(v, &mut all));
    if all.is_empty() || all.len() > MOST {
        return Vec::new();
    }
    let negative = all.iter().filter(|n| n.is_negative()).count();
    let ranks = |first: usize| -> BTreeMap<BigInt, BigInt> {
        all.iter().enumerate().map(|(i, n)| (n.clone(), BigInt::from(i) - BigInt::from(first))).collect()
    };
    // From 0 on; then with what is negative below 0, and 0 where it is.
    let around = match all.contains(&BigInt::zero()) {
        true => ranks(negative),
        false => all
            .iter()
            .enumerate()
            .map(|(i, n)| (n.clone(), BigInt::from(i) - BigInt::from(negative) + i32::from(!n.is_negative())))
            .collect(),
    };
    let least = all.first().cloned().unwrap_or_default();
    let shifted = all.iter().map(|n| (n.clone(), n - &least)).collect();
    let close = {
        let (mut map, mut at, mut last) = (BTreeMap::new(), BigInt::zero(), least.clone());
        for n in &all {
            at += (n - &last).min(BigInt::from(2));
            last = n.clone();
            map.insert(n.clone(), at.clone());
        }
        map
    };
    let before = weight(&all);
    let maps: [BTreeMap<BigInt, BigInt>; 4] = [ranks(0), close, around, shifted];
    let is_smaller = |map: &BTreeMap<BigInt, BigInt>| weight(&map.values().cloned().collect()) < before;
    maps.iter().filter(|map| is_smaller(map)).map(|map| replaced(inputs, map)).collect()
}

/// How large numbers read.
fn weight(all: &BTreeSet<BigInt>) -> (BigInt, usize) {
    (all.iter().map(Signed::abs).sum(), all.iter().filter(|n| n.is_negative()).count())
}

fn values(inputs: &Inputs) -> impl Iterator<Item = &Value> {
    let held = inputs.heap.objects.iter().flat_map(|o| match &o.contents {
        Contents::Fields(fields) => fields.values().collect::<Vec<_>>(),
        Contents::Elements { elements, .. } => elements.iter().flatten().collect(),
    });
    inputs.args.iter().chain(held)
}

fn note(v: &Value, all: &mut BTreeSet<BigInt>) {
    match v {
        Value::Int(n) => drop(all.insert(n.clone())),
        Value::Seq(xs) | Value::Tuple(xs) => xs.iter().for_each(|x| note(x, all)),
        Value::Set(xs) => xs.iter().for_each(|x| note(x, all)),
        Value::Multiset(xs) => xs.keys().for_each(|x| note(x, all)),
        Value::Map(xs) => xs.iter().for_each(|(k, x)| {
            note(k, all);
            note(x, all);
        }),
        _other => {}
    }
}

fn replaced(inputs: &Inputs, map: &BTreeMap<BigInt, BigInt>) -> Inputs {
    let mut out = inputs.clone();
    out.args.iter_mut().for_each(|v| *v = replace(v, map));
    for object in &mut out.heap.objects {
        match &mut object.contents {
            Contents::Fields(fields) => fields.values_mut().for_each(|v| *v = replace(v, map)),
            Contents::Elements { elements, .. } => elements.iter_mut().flatten().for_each(|v| *v = replace(v, map)),
        }
    }
    out
}

fn replace(v: &Value, map: &BTreeMap<BigInt, BigInt>) -> Value {
    match v {
        Value::Int(n) => Value::Int(map.get(n).unwrap_or(n).clone()),
        Value::Seq(xs) => Value::seq(xs.iter().map(|x| replace(x, map))),
        Value::Tuple(xs) => Value::tuple(xs.iter().map(|x| replace(x, map))),
        Value::Set(xs) => Value::set(xs.iter().map(|x| replace(x, map))),
        Value::Multiset(xs) => Value::Multiset(Arc::new(xs.iter().map(|(x, n)| (replace(x, map), n.clone())).collect())),
        Value::Map(xs) => Value::map(xs.iter().map(|(k, x)| (replace(k, map), replace(x, map)))),
        other => other.clone(),
    }
}
