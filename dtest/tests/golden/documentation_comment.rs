use dunit::prelude::*;

/// The price with tax, in cents.
///
/// From src/documentation_comment.dfy:2.
pub fn gross(net: &Int) -> Int {
    net + net / 5
}
