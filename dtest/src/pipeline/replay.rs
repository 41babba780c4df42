//! Recorded executions, for `run --replay`.

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
    /// A reason for the user: the program has changed, or the text was modified.
    pub fn read(&self, unit: CallableId, kept: &Kept) -> Result<(Inputs, Vec<Chosen>), String> {
        let closure = self.closures.of(unit).ok_or("it cannot be recorded")?;
        if closure.key().to_string() != kept.key {
            return Err("the program has changed since, or it was written by another version: run `check` again".into());
        }
        let bytes = bytes(&kept.data).ok_or("its data is damaged")?;
        portable::from_bytes(&bytes, &closure).map_err(|_| "its data is damaged".into())
    }
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _odd => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}
