//! Dafny programs with one false claim each, for tools that have to refuse them.
//!
//! A claim is combined from parts: a position of the grammar and what must not stand there. An
//! expression that is not well-defined in every position of an expression, a value that violates
//! the constraint of a type in every flow of values, a false postcondition of every kind of
//! callable with every kind of body, recursion by every route, a type argument without the required
//! characteristic in every position of a type argument. Apart from its claim, a program has nothing
//! that a tool could refuse: its *control*, the same combination with a true claim, is accepted.
//!
//! [`claims`] is the table, [`Pack`] puts many claims into one program. The crate does not know the
//! tools, and reads no files and no clock.
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod arithmetic;
mod blocks;
mod callables;
mod captured;
mod characteristics;
mod cycles;
mod early;
mod expressions;
mod extremes;
mod heap;
mod inheritance;
mod knots;
mod logic;
mod nesting;
mod operations;
mod own_results;
mod pack;
mod places;
mod positions;
mod refinement;
mod stored;
mod table;
mod termination;
mod values;

pub use pack::{Pack, Wrapping};
pub use table::{Basis, Claim, Options, Stage};

/// Returns all claims, in a fixed order.
pub fn claims() -> Vec<Claim> {
    let mut table = table::Table::default();
    expressions::ill_defined(&mut table);
    expressions::ghost_in_code(&mut table);
    values::constraints(&mut table);
    operations::operations(&mut table);
    callables::postconditions(&mut table);
    callables::attributes(&mut table);
    callables::assertions(&mut table);
    nesting::faults(&mut table);
    blocks::blocks(&mut table);
    early::constants(&mut table);
    termination::recursion(&mut table);
    characteristics::arguments(&mut table);
    heap::frames(&mut table);
    heap::states(&mut table);
    inheritance::contracts(&mut table);
    logic::conditions(&mut table);
    logic::inhabitants(&mut table);
    arithmetic::arithmetic(&mut table);
    cycles::cycles(&mut table);
    extremes::extremes(&mut table);
    places::places(&mut table);
    own_results::postconditions(&mut table);
    knots::cardinalities(&mut table);
    captured::applications(&mut table);
    stored::functions(&mut table);
    refinement::refinement(&mut table);
    table.into_claims()
}
