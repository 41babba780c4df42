//! Smaller disagreements: of the chain as few mutations as show the same, then of the program as little as does.

use dafny_random::reduce_tree;
use dafny_rewrite::{Rewritten, Step, Subject};

use super::others::{Ask, Tool};
use super::round::{Finding, compiled_alone, own_again, verified_alone, verified_pair};
use super::{Class, Disagreement};

/// Places of the one mutation of a chain that are tried in a smaller program.
const PLACES: usize = 4;

/// A disagreement of the same class, as small as it was found before `is_over`. Of one that `is_known`, after its chain was made shorter, no program is
/// made smaller.
pub fn reduce(
    finding: Finding,
    subject: &Subject,
    ask: &dyn Ask,
    is_known: &dyn Fn(&Disagreement) -> bool,
    is_over: &dyn Fn() -> bool,
) -> Finding {
    if is_known(&finding.what) || matches!(finding.what.class, Class::Unfit | Class::Panic) {
        return finding;
    }
    let mut best = finding;
    let is_compiled = best
        .asked
        .iter()
        .any(|a| matches!(a.tool, Tool::Compiler(_)));
    // What a compiler makes of a rewritten program is held against the interpreter: it is as good as any.
    let (start, mut steps) = match best.rewritten.clone() {
        Some((text, _)) if is_compiled => (text, None),
        Some((_, steps)) => (best.program.clone(), Some(steps)),
        None => (best.program.clone(), None),
    };
    let Ok(start) = subject.same_options(&start) else {
        return best;
    };
    let mut at = 0;
    while let Some(all) = steps
        .as_mut()
        .filter(|all| at < all.len() && all.len() > 1 && !is_over())
    {
        let fewer: Vec<Step> = all
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .map(|(_, s)| s.clone())
            .collect();
        match again(&start, Some(&fewer), &best, ask) {
            Some(found) => {
                best = found;
                *all = fewer;
                // What could not go before it may go now: its place has another number without the others.
                at = 0;
            }
            None => at += 1,
        }
    }
    if is_known(&best.what) {
        return best;
    }
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
    // Without the empty lines that parts leave behind.
    shows(&small);
    best
}

/// A chain, and where it is one mutation the same at earlier places: what was taken away moves it.
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

/// The same disagreement in another program, with a chain of which every step has a place.
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

/// Whether two disagreements are of one kind. What others complain of has to be the same, but for verdicts, which are told by their class.
fn is_like(a: &Disagreement, b: &Disagreement) -> bool {
    a.class == b.class
        && match a.class {
            Class::Refused | Class::Crash | Class::NotCompiled => a.message == b.message,
            Class::Proof | Class::Unsound | Class::Incomplete => a.key == b.key,
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
