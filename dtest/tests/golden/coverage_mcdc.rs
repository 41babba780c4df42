use dunit::prelude::*;

/// From src/coverage_mcdc.dfy:2.
pub fn allowed(admin: bool, owner: bool) -> Int {
    if admin || owner { int(1) } else { int(0) }
}
