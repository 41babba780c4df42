//! Moves the variables of one declaration to the arguments of a value of a new datatype, which
//! assignments update (thesis, 7.2.5).
//!
//! As for maps ([`super::vars_to_map`]), all values have to be expressions, and a loop that changes
//! the value gets invariants that the arguments which it does not assign stay equal. The types may
//! differ, and keep their constraints.

use crate::mutation::{Place, Work};

/// The scopes with such variables.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    super::vars_to_map::places_of_datatype(work)
}
