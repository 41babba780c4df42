//! Explanations of dead code: the facts of the program that exclude every execution to a goal, as a
//! minimal unsatisfiable core.
//!
//! [`core`] is the entry point. A core is not unique: facts are dropped in an order that makes the
//! remaining claim as strong, and then as informative, as possible.

use super::super::session::Session;
use dtest_encode::{self as encode, Fact};
use dtest_ir::GoalId;
use dtest_smt::{Answer, Term};
use dtest_sorted::SortedSet;

/// The facts that a proof may use besides those that compiled code enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// No others.
    Nothing,
    /// Assumptions of the program, which are not checked.
    Assumptions,
    /// Proof obligations of the unit and postconditions of its callees; if that does not suffice,
    /// also assumptions of the program.
    Assertions,
    /// The facts that no bound is crossed.
    Bounds,
}

/// Maximum number of queries per explanation.
const MAX_QUERIES: usize = 60;

/// A minimal set of facts that excludes the goal. `None` if the facts do not exclude it, or the
/// solver does not find out.
pub(super) fn core(session: &mut Session<'_>, goal: GoalId, rest: Rest) -> Option<Vec<Fact>> {
    let facts = session.encoding.facts.clone();
    let mut always = vec![session.trap(goal)];
    let mut facts = facts;
    if rest == Rest::Bounds {
        always.extend(session.encoding.limits.values());
        always.extend(session.encoding.cuts.values());
        // Under bounds, code that crosses one counts as ill-formed. Such facts would say nothing
        // about the program, so that they are assumed without being named.
        always.extend(
            facts
                .iter()
                .filter(|(f, _)| ends_execution(**f))
                .map(|(_, t)| *t),
        );
        facts.retain(|f, _| !ends_execution(*f));
    }
    // The classes of facts are tried in ascending order: a claim that needs fewer facts is
    // stronger.
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
    // Deletion-based minimization: a fact without which the rest is still unsatisfiable is not
    // needed.
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

/// Filters for the facts that may be relied upon, in ascending order.
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

/// The order in which facts are dropped: first those that weaken the claim, then those that tell a
/// reader least.
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
