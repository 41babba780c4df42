//! Recorded executions, for `run --replay`.

use std::fmt;

use crate::report::explore::Kept;
use dafny_resolve::typed::CallableId;
use dtest_interp::{Chosen, Inputs};
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::portable::{self, Closures};

/// The version of the format of recorded executions.
const FORMAT: &str = "execution 2";

/// Records executions of a program's units.
pub struct Keeper {
    closures: Closures,
}

impl Keeper {
    /// Creates a recorder for these units.
    pub fn new(program: &ir::Program, units: &[Unit]) -> Self {
        let context = format!("{FORMAT} {}", env!("CARGO_PKG_VERSION"));
        Self {
            closures: Closures::new(program, units.iter().map(|u| u.callable), &context),
        }
    }

    /// Records an execution as text; `None` if it refers to a declaration outside of the unit's
    /// closure.
    pub fn keep(&self, unit: CallableId, inputs: &Inputs, chosen: &[Chosen]) -> Option<Kept> {
        let closure = self.closures.of(unit)?;
        let bytes = portable::to_bytes(&(inputs, chosen), &closure).ok()?;
        let data = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Some(Kept {
            key: closure.key().to_string(),
            data,
        })
    }

    /// Reads a recorded execution.
    ///
    /// # Errors
    /// The program has changed, or the text was modified.
    pub fn read(
        &self,
        unit: CallableId,
        kept: &Kept,
    ) -> Result<(Inputs, Vec<Chosen>), RecordError> {
        let closure = self.closures.of(unit).ok_or(RecordError::NotRecorded)?;
        if closure.key().to_string() != kept.key {
            return Err(RecordError::Outdated);
        }
        let bytes = bytes(&kept.data).ok_or(RecordError::Damaged)?;
        portable::from_bytes(&bytes, &closure).map_err(|_| RecordError::Damaged)
    }
}

/// The reason why a recorded execution cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordError {
    /// Executions of the unit are not recorded.
    NotRecorded,
    /// The program, or the version of the tool, is another than that of the record.
    Outdated,
    /// The record was modified.
    Damaged,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotRecorded => "it cannot be recorded",
            Self::Outdated => {
                "the program has changed since, or it was written by another version: run `check` again"
            }
            Self::Damaged => "its data is damaged",
        })
    }
}

impl std::error::Error for RecordError {}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _odd => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}
