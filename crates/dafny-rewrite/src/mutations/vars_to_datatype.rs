//! Variables of one declaration become arguments of a value of a new datatype, which assignments update (thesis, 7.2.5).
//!
//! As for maps ([`super::vars_to_map`]): only variables all of whose values are expressions, and a loop that changes the value has as invariants that those
//! arguments stay which it does not assign. Types need not be the same, and keep their constraints.

use crate::mutation::{Place, Work};

/// The scopes with such variables.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    super::vars_to_map::places_of_datatype(work)
}
