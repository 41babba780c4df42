//! Inlined calls: calls that the criteria *inlined block* and *path* treat as part of the unit.
//!
//! [`inline`] computes them for all units of a program.

use super::units;
use dafny_resolve::typed::{Arena, Attributes, CallableId};
use dafny_source::Span;
use dtest_ir as ir;
use dtest_sorted::SortedSet;

/// Records the inlined calls of every unit, for criteria that distinguish calls.
///
/// Calls are followed into compiled code of the user's files; for an entry, into the callees that
/// count in addition. `inline` is the maximal number of simultaneous activations of a callable
/// without `{:testInline N}`. Must run after [`super::entries::enter`]; `named` has the same
/// meaning as in [`units::units`].
pub fn inline(program: &mut ir::Program, inline: Option<u32>, named: impl Fn(Span) -> bool) {
    if !program.criteria.tells_calls_apart() {
        return;
    }
    let typed = program.typed.clone();
    let nested = |c: CallableId| {
        typed[c]
            .attribute("testInline")
            .and_then(|a| a.unrolling())
            .or(inline)
            .unwrap_or(1)
    };
    for unit in Arena::<CallableId>::ids(&*typed)
        .into_iter()
        .filter(|id| units::is_unit(&typed, *id))
    {
        let followed: SortedSet<CallableId> = match program.systems.get(&unit) {
            Some(system) => system.callees.iter().copied().collect(),
            None => {
                let counts =
                    |c: &CallableId| units::has_goals(&typed, *c) && named(units::home(&typed, *c));
                program.callees(unit).into_iter().filter(counts).collect()
            }
        };
        program.inline(unit, followed, nested);
    }
}
