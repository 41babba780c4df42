//! Reports of shards, written by `gen --shard` and read by `merge`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{self, FileError};
use crate::message::MessageId;
use crate::pipeline::{Memory, Part, Shard};
use dafny_source::diagnostic::Diagnostic;
use dtest_search::portable::Key;
use dtest_sorted::{SortedMap, SortedSet};

/// The kind that identifies the file.
const KIND: &str = "cargo dtest shard";

/// The report of a shard. Only the version that wrote the results can read them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShardReport {
    kind: String,
    versions: String,
    shard: Shard,
    /// The arguments of `gen`.
    arguments: Vec<String>,
    /// The units of each program.
    units: Vec<Vec<ShardUnit>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ShardUnit {
    unit: String,
    key: Option<String>,
    result: Option<String>,
}

impl ShardReport {
    /// Creates the report of a shard that searched `parts`, grouped by program.
    pub fn new(versions: &str, shard: Shard, arguments: &[String], parts: Vec<Vec<Part>>) -> Self {
        let unit = |part: Part| {
            let (key, result) = part
                .found
                .map(|(key, bytes)| (key.to_string(), to_hex(&bytes)))
                .unzip();
            ShardUnit {
                unit: part.unit,
                key,
                result,
            }
        };
        let units = parts
            .into_iter()
            .map(|p| p.into_iter().map(unit).collect())
            .collect();
        Self {
            kind: KIND.into(),
            versions: versions.into(),
            shard,
            arguments: arguments.to_vec(),
            units,
        }
    }

    /// Writes the report to a file.
    ///
    /// # Errors
    /// The file cannot be written, or is something else.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let is_ours = |old: &[u8]| old.starts_with(format!("{{\"kind\":{KIND:?}").as_bytes());
        if files::read_bytes(path).is_ok_and(|old| !old.is_empty() && !is_ours(&old)) {
            return Err(FileError::NoShardReport(path.into()));
        }
        let text = serde_json::to_string(self).map_err(|source| FileError::Serialize {
            path: path.into(),
            source,
        })?;
        files::write_atomically(path, &(text + "\n")).map_err(|source| FileError::Write {
            path: path.into(),
            source,
        })
    }
}

/// The results of all shards of a search.
pub struct Shards {
    /// The arguments of `gen`.
    pub arguments: Vec<String>,
    found: SortedMap<Key, Vec<u8>>,
    /// For each program, its units with the keys of those whose results are present.
    units: Vec<SortedMap<String, Option<String>>>,
}

impl Shards {
    /// Reads the reports of all shards of one search.
    ///
    /// # Errors
    /// A diagnostic without a location: a file cannot be read or is not a report, a shard is
    /// missing or duplicated, or the reports come from other versions or from different searches.
    pub fn read(
        paths: &[PathBuf],
        versions: &str,
        same_search: impl Fn(&[String], &[String]) -> bool,
    ) -> Result<Self, Diagnostic> {
        let fail = |message: String| Diagnostic::global(MessageId::CliShards, message);
        let mut shards = Self {
            arguments: Vec::new(),
            found: SortedMap::new(),
            units: Vec::new(),
        };
        let mut first: Option<(&Path, ShardReport)> = None;
        let mut seen: SortedSet<Shard> = SortedSet::new();
        for path in paths {
            let shown = path.display();
            let text =
                files::read_text(path).map_err(|e| fail(format!("cannot read `{shown}`: {e}")))?;
            let mut report: ShardReport = serde_json::from_str(&text)
                .ok()
                .filter(|r: &ShardReport| r.kind == KIND)
                .ok_or_else(|| {
                    fail(format!("`{shown}` is not a shard report"))
                        .with_help("create one with `cargo dtest gen --shard K/N --report FILE`")
                })?;
            // Results are only comparable if the same program with the same solver found them.
            if report.versions != versions {
                let message = format!(
                    "`{shown}` was written by {}, but this is {versions}",
                    report.versions
                );
                return Err(fail(message).with_help("use the same build of cargo dtest, and the same Z3, for all shards and for `merge`"));
            }
            if !seen.insert(report.shard) {
                return Err(fail(format!("duplicate shard {}: `{shown}`", report.shard)));
            }
            // All shards must divide the same search, each one once.
            if let Some((other, of_first)) = &first
                && (of_first.shard.of != report.shard.of
                    || !same_search(&of_first.arguments, &report.arguments))
            {
                return Err(fail(format!(
                    "`{shown}` and `{}` are from different searches",
                    other.display()
                )));
            }
            shards
                .add(&mut report)
                .ok_or_else(|| fail(format!("`{shown}` is damaged")))?;
            first.get_or_insert((path, report));
        }
        let Some((_, report)) = first else {
            return Err(fail("no shard reports are given".into()));
        };
        // No shard may be missing.
        let of = report.shard.of;
        let missing: Vec<String> = (1..=of)
            .map(|index| Shard { index, of })
            .filter(|s| !seen.contains(s))
            .map(|s| s.to_string())
            .collect();
        if !missing.is_empty() {
            return Err(fail(format!(
                "the report of shard {} is missing",
                missing.join(", ")
            )));
        }
        shards.arguments = report.arguments;
        Ok(shards)
    }

    fn add(&mut self, report: &mut ShardReport) -> Option<()> {
        for (program, units) in report.units.iter_mut().enumerate() {
            if self.units.len() <= program {
                self.units.push(SortedMap::new());
            }
            for ShardUnit { unit, key, result } in units.drain(..) {
                if let Some(key) = &key {
                    self.found
                        .insert(Key(from_hex(key)?.try_into().ok()?), from_hex(&result?)?);
                }
                self.units.get_mut(program)?.insert(unit, key);
            }
        }
        Some(())
    }

    /// Returns the units of a program for which the shards have no result, or only one for
    /// different code. `units` are paths with keys.
    pub fn unknown<'u>(
        &self,
        program: usize,
        units: impl Iterator<Item = (&'u str, Option<Key>)>,
    ) -> Vec<&'u str> {
        let known = self.units.get(program);
        let is_known = |unit: &str, key: Option<Key>| {
            known
                .and_then(|k| k.get(unit))
                .is_some_and(|k| *k == key.map(|k| k.to_string()))
        };
        units
            .filter(|(unit, key)| !is_known(unit, *key))
            .map(|(unit, _)| unit)
            .collect()
    }
}

impl Memory for Shards {
    fn recall(&self, key: Key) -> Option<Vec<u8>> {
        self.found.get(&key).cloned()
    }

    fn keep(&self, _: Key, _: &[u8]) {}
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |n: u8| DIGITS.get(usize::from(n)).copied().unwrap_or('0');
    bytes
        .iter()
        .flat_map(|b| [digit(b >> 4), digit(b & 15)])
        .collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            if let [high, low] = pair {
                Some(digit(*high)? << 4 | digit(*low)?)
            } else {
                None
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{from_hex, to_hex};

    #[test]
    fn bytes_survive_as_digits() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        assert!(from_hex("abc").is_none() && from_hex("zz").is_none());
    }
}
