//! Reduction of disagreements: first to a minimal chain of mutations, then to a small program.

use dafny_random::reduce_tree;
use dafny_rewrite::{Rewritten, Step, Subject};

use super::others::{Ask, Tool};
use super::round::{Finding, compiled_alone, own_again, verified_alone, verified_pair};
use super::{Class, Disagreement};

/// Number of earlier positions at which the only mutation of a chain is tried in a smaller program.
const PLACES: usize = 4;

/// Removes mutations from the chain of a disagreement until none can be removed or `is_over` holds.
/// The result has the same class.
pub fn shorten(
    finding: Finding,
    subject: &Subject,
    ask: &dyn Ask,
    is_over: &dyn Fn() -> bool,
) -> Finding {
    let mut best = finding;
    // A compiled program is compared with the interpreter: its chain does not matter.
    let Some((_, mut steps)) = best.rewritten.clone().filter(|_| !is_compiled(&best)) else {
        return best;
    };
    let mut at = 0;
    while at < steps.len() && steps.len() > 1 && !is_over() {
        let fewer: Vec<Step> = steps
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .map(|(_, s)| s.clone())
            .collect();
        match again(subject, Some(&fewer), &best, ask) {
            Some(found) => {
                best = found;
                steps = fewer;
                // A mutation that was necessary before may be removable now, because the positions
                // have shifted.
                at = 0;
            }
            None => at += 1,
        }
    }
    best
}

/// Reduces the program of a disagreement until nothing can be removed or `is_over` holds: first
/// modules, types, members and statements, then expressions. The result has the same class.
pub fn shrink(
    finding: Finding,
    subject: &Subject,
    ask: &dyn Ask,
    is_over: &dyn Fn() -> bool,
) -> Finding {
    let mut best = finding;
    // The rewritten program of a compiler can replace the original.
    let (start, steps) = match best.rewritten.clone() {
        Some((text, _)) if is_compiled(&best) => (text, None),
        Some((_, steps)) => (best.program.clone(), Some(steps)),
        None => (best.program.clone(), None),
    };
    let Ok(start) = subject.same_options(&start) else {
        return best;
    };
    let mut shows = |text: &str| {
        let Ok(smaller) = subject.same_options(text) else {
            return false;
        };
        let found = places(steps.as_deref())
            .into_iter()
            .find_map(|steps| again(&smaller, steps.as_deref(), &best, ask));
        let is_found = found.is_some();
        best = found.unwrap_or_else(|| best.clone());
        is_found
    };
    let small = reduce_tree(
        start.text(),
        Subject::syntax_of(start.options()),
        &mut |text| !is_over() && shows(text),
    );
    // Also tries the program without the empty lines that removed parts leave.
    shows(&small);
    best
}

/// Whether a compiler is involved in a disagreement.
fn is_compiled(finding: &Finding) -> bool {
    let mut asked = finding.asked.iter();
    asked.any(|a| matches!(a.tool, Tool::Compiler(_)))
}

/// Whether the program of a disagreement can be reduced. A claim that only a rule forbids is no
/// claim without its words.
pub fn is_reducible(class: Class) -> bool {
    !matches!(class, Class::Unfit | Class::Panic | Class::Accepted)
}

/// Returns the disagreement of a verifier on the program of a false claim alone, of the same class.
pub fn of_claim(claim: &Finding, subject: &Subject, ask: &dyn Ask) -> Option<Finding> {
    let found = verified_alone(subject, ask).into_iter();
    found.into_iter().find(|f| f.what.class == claim.what.class)
}

/// Returns a chain, and for a single mutation the same at earlier positions: removed code shifts
/// it.
fn places(steps: Option<&[Step]>) -> Vec<Option<Vec<Step>>> {
    match steps {
        Some([one]) => (0..=one.place)
            .rev()
            .take(PLACES)
            .map(|place| {
                Some(vec![Step {
                    place,
                    ..one.clone()
                }])
            })
            .collect(),
        Some(all) => vec![Some(all.to_vec())],
        None => vec![None],
    }
}

/// Reproduces the disagreement in another program, with a chain whose steps have fixed positions.
fn again(
    subject: &Subject,
    steps: Option<&[Step]>,
    like: &Finding,
    ask: &dyn Ask,
) -> Option<Finding> {
    let new: Option<Rewritten> = steps.map(|steps| subject.replay(steps));
    if new
        .as_ref()
        .is_some_and(|new| Some(new.steps.len()) != steps.map(<[Step]>::len))
    {
        return None;
    }
    let found = match (like.asked.first().map(|a| a.tool), new) {
        (None, new) => own_again(subject, new.as_ref()),
        (Some(Tool::Verifier), None) => verified_alone(subject, ask),
        (Some(Tool::Verifier), Some(new)) => {
            verified_pair(subject, &new, ask).into_iter().collect()
        }
        (Some(tool @ Tool::Compiler(_)), _) => {
            compiled_alone(subject, tool, ask).into_iter().collect()
        }
    };
    found.into_iter().find(|f| is_like(&f.what, &like.what))
}

/// Whether two disagreements are of the same kind. Complaints of external tools must be equal;
/// verdicts are identified by their class.
fn is_like(a: &Disagreement, b: &Disagreement) -> bool {
    a.class == b.class
        && match a.class {
            Class::Refused | Class::Crash | Class::NotCompiled => a.message == b.message,
            Class::Proof | Class::Unsound | Class::Accepted | Class::Incomplete => a.key == b.key,
            Class::Unfit
            | Class::Meaning
            | Class::Claim
            | Class::Verdicts
            | Class::Panic
            | Class::Soundness
            | Class::Precision
            | Class::Printed => true,
        }
}
