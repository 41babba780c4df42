//! Sharding: the division of units among several machines, and the exchange of results.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Solved;
use super::work::order;
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::portable::{Closures, Key, to_bytes};

/// One of several equal parts of the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// The index of the shard, from 1.
    pub index: u32,
    /// The number of shards.
    pub of: u32,
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that is not a [`Shard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoShard;

impl std::fmt::Display for NoShard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a shard must be K/N, with K from 1 to N")
    }
}

impl std::error::Error for NoShard {}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let numbers = text
            .split_once('/')
            .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if 1 <= index && index <= of => Ok(Self { index, of }),
            Some(_) | None => Err(NoShard),
        }
    }
}

/// Returns the units of a shard in source order. Units are dealt in turn, expensive ones first, so
/// that the shards take about the same time. The division depends on the program alone.
pub fn deal(program: &ir::Program, units: Vec<Unit>, shard: Shard) -> Vec<Unit> {
    let mut own: Vec<usize> = order(program, &units)
        .into_iter()
        .skip(shard.index as usize - 1)
        .step_by(shard.of as usize)
        .collect();
    own.sort_unstable();
    let mut own = own.into_iter().peekable();
    units
        .into_iter()
        .enumerate()
        .filter(|(i, _)| own.next_if_eq(i).is_some())
        .map(|(_, unit)| unit)
        .collect()
}

/// A unit with its result.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its Dafny path.
    pub unit: String,
    /// The key and the serialized result; `None` if the closure of the unit cannot be serialized,
    /// so that `merge` searches the unit itself.
    pub found: Option<(Key, Vec<u8>)>,
}

/// Serializes the results of a search, to be reused in another run with the same versions, options
/// and program.
pub fn parts(
    program: &ir::Program,
    units: &[Unit],
    results: &[Solved],
    versions: &str,
    options: &dtest_search::Options,
) -> Vec<Part> {
    let closures = Closures::new(
        program,
        units.iter().map(|u| u.callable),
        &super::work::context(versions, options),
    )
    .with_pool(program, super::work::pool(program, options).as_ref());
    let part = |(unit, solved): (&Unit, &Solved)| {
        let found = closures
            .of(unit.callable)
            .and_then(|c| Some((c.key(), to_bytes(solved, &c).ok()?)));
        Part {
            unit: unit.path.clone(),
            found,
        }
    };
    units.iter().zip(results).map(part).collect()
}

/// Returns the keys of the results of units.
pub fn keys(
    program: &ir::Program,
    units: &[Unit],
    versions: &str,
    options: &dtest_search::Options,
) -> Vec<Option<Key>> {
    let closures = Closures::new(
        program,
        units.iter().map(|u| u.callable),
        &super::work::context(versions, options),
    )
    .with_pool(program, super::work::pool(program, options).as_ref());
    units
        .iter()
        .map(|u| closures.of(u.callable).map(|c| c.key()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn a_shard_is_one_of_several() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "1", "1/0", "a/b", "-1/2", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
