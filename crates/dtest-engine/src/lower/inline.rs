//! Which calls are inlined: what the criteria *inlined block* and *path* count as a unit's own code.

use super::units;
use crate::ir;
use dafny_resolve::typed::{Arena, Attributes, CallableId};
use dafny_syntax::source::Span;
use dtest_sorted::SortedSet;

/// Follows calls of every unit into compiled code of the user's files, where a criterion tells calls apart; of an entry, into what counts
/// beside it. `inline`: how many activations of one callable may be under way, where `{:testInline N}` does not say so. Comes after
/// [`super::entries::enter`]; `named` is as for [`units::units`].
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
