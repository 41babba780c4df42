//! The units that a change of the sources affects.

use dafny_source::Span;
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::portable::Closures;

/// A change of the sources, in positions of the new version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Added or replaced text; not empty.
    pub edited: Vec<Span>,
    /// Positions where text was removed.
    pub removed: Vec<u32>,
    /// Whether something changed that all units depend on, such as an option.
    pub is_general: bool,
}

impl Change {
    /// Whether the change overlaps a text.
    pub fn touches(&self, text: Span) -> bool {
        self.is_general
            || self
                .edited
                .iter()
                .any(|e| e.start < text.end && text.start < e.end)
            || self
                .removed
                .iter()
                .any(|p| text.start < *p && *p < text.end)
    }
}

/// Returns for each unit whether the change affects it: its declaration, body or contract, or those
/// of its dependencies (transitive callees, types, constants, overriding members).
pub fn touched(program: &ir::Program, units: &[Unit], change: &Change) -> Vec<bool> {
    let closures = Closures::new(program, units.iter().map(|u| u.callable), "");
    let is_touched = |unit: &Unit| {
        closures
            .of(unit.callable)
            .is_none_or(|c| c.texts(program).any(|text| change.touches(text)))
    };
    units.iter().map(is_touched).collect()
}
