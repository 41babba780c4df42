//! Tests of the parts of the IR that need no program: bounds, criteria, descriptions of goals,
//! and expressions built by hand.

mod bounds;
mod expressions;
mod goals;
