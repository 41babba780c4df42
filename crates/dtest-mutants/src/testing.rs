//! Hints of small programs, for tests.

use crate::describe;
use dtest_ir::Criteria;
use dtest_lower::testing::lowered;
use dtest_lower::units;

/// The descriptions of the hints of the first unit. Each of them can be applied.
pub(crate) fn hints(source: &str) -> Vec<String> {
    let (sources, program) = lowered(source, Criteria::default());
    let unit = units::units(&program.typed, |_| true)[0].callable;
    let hints = crate::hints(&program, unit);
    assert!(hints.iter().all(|h| h.applied(&program).is_some()));
    hints
        .iter()
        .map(|h| describe::mutation(&h.mutation, &sources))
        .collect()
}
