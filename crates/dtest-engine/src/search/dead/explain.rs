//! Which facts of the program leave no way to a goal: a minimal unsatisfiable core.

use super::super::session::Session;
use crate::encode::{self, Fact};
use crate::ir::GoalId;
use crate::smt::{Answer, Term};
use dtest_sorted::SortedSet;

/// What a proof may use besides the facts that compiled code enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    Nothing,
    /// What the program takes for granted and nobody checks.
    Assumptions,
    /// Proof obligations of the unit and postconditions of what it calls; then what the program takes for granted, too.
    Assertions,
    /// That no bound is crossed.
    Bounds,
}

/// Queries that one explanation may cost.
const MAX_QUERIES: usize = 60;

/// A minimal set of facts that excludes the goal; `None` where that is not so, or the solver does not see it.
pub(super) fn core(session: &mut Session<'_>, goal: GoalId, rest: Rest) -> Option<Vec<Fact>> {
    let facts = session.encoding.facts.clone();
    let mut always = vec![session.trap(goal)];
    let mut facts = facts;
    if rest == Rest::Bounds {
        always.extend(session.encoding.limits.values());
        always.extend(session.encoding.cuts.values());
        // What crosses a bound is not well-formed here: that says nothing of the program.
        always.extend(
            facts
                .iter()
                .filter(|(f, _)| ends_execution(**f))
                .map(|(_, t)| *t),
        );
        facts.retain(|f, _| !ends_execution(*f));
    }
    // As few facts as suffice: the claim is stronger.
    let core = kinds(rest).iter().find_map(|suffices| {
        let relied: Vec<Term> = facts
            .iter()
            .filter(|(f, _)| suffices(f))
            .map(|(_, t)| *t)
            .collect();
        match session.check_with(&always, &relied) {
            Answer::Unsat(core) => Some(core),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    })?;
    let mut core: SortedSet<Fact> = encode::in_core(&facts, &core);
    let mut order: Vec<Fact> = core.iter().copied().collect();
    order.sort_by_key(|f| (cost(*f), *f));
    for fact in order.into_iter().take(MAX_QUERIES) {
        if !core.contains(&fact) {
            continue;
        }
        let others: Vec<Term> = core
            .iter()
            .filter(|f| **f != fact)
            .filter_map(|f| facts.get(f))
            .copied()
            .collect();
        if let Answer::Unsat(smaller) = session.check_with(&always, &others) {
            core = encode::in_core(&facts, &smaller);
        }
    }
    Some(core.into_iter().collect())
}

/// Which facts are relied upon, the fewest first.
fn kinds(rest: Rest) -> &'static [fn(&Fact) -> bool] {
    match rest {
        Rest::Nothing => &[|f| f.is_enforced()],
        Rest::Assumptions | Rest::Bounds => &[|f| f.is_enforced(), |f| !f.is_obligation()],
        Rest::Assertions => &[|f| f.is_enforced(), |f| !f.is_assumed(), |_| true],
    }
}

fn ends_execution(fact: Fact) -> bool {
    matches!(fact, Fact::WellFormed(_) | Fact::Returns(_))
}

/// What is left out first where there is a choice: what makes the claim weaker, then what says least to a reader.
fn cost(fact: Fact) -> u8 {
    match fact {
        Fact::Assume(_) | Fact::Contract(..) => 0,
        Fact::Postcondition(..) => 1,
        Fact::Assertion(..) | Fact::Variable(_) => 2,
        Fact::Definition(..) => 3,
        Fact::WellFormed(_) | Fact::Returns(_) => 4,
        Fact::Expect(_) => 5,
        Fact::Decision(_) => 6,
        Fact::InputType(_) => 7,
        Fact::Precondition(_) => 8,
    }
}
