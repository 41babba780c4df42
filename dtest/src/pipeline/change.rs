//! Which units a change of the sources touches.

use dafny_syntax::source::Span;
use dtest_engine::ir;
use dtest_engine::lower::units::Unit;
use dtest_engine::portable::Closures;

/// What a change does to the sources, in places of the changed ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Text that was added, or took the place of other text; not empty.
    pub edited: Vec<Span>,
    /// Positions where text was removed.
    pub removed: Vec<u32>,
    /// Whether something changed on which everything depends: an option, say.
    pub is_general: bool,
}

impl Change {
    /// Whether it is in, or goes through, that text.
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

/// For each unit, whether the change touches its declaration, its body or its contract, or those of what it reaches: callees and
/// theirs, types, constants, what overrides what it calls.
pub fn touched(program: &ir::Program, units: &[Unit], change: &Change) -> Vec<bool> {
    let closures = Closures::new(program, units.iter().map(|u| u.callable), "");
    let is_touched = |unit: &Unit| {
        closures
            .of(unit.callable)
            .is_none_or(|c| c.texts(program).any(|text| change.touches(text)))
    };
    units.iter().map(is_touched).collect()
}
