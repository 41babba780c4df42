//! The search of `:|`: records candidates, and decides whether the choice is determined.
//!
//! The accumulator of a search is a tuple of the candidate's values, followed by numbers that
//! depend on the kind of search: the step at which it was found, its rank, or the number of
//! candidates.

use super::{Machine, Step, bug, unsupported};
use crate::api::{FailureKind, Opening};
use crate::code::{Choice, Code, Ins, Mode};
use crate::word::Word;
use dtest_ir::reason::Unbounded;
use dtest_value::Value;

/// The limit of steps that the search for a second candidate may take.
const SECOND: u64 = 20_000;
/// The limit of counted candidates of one choice.
const MAX_LISTED: u64 = 24;

/// The candidates to take for each `:|` of compiled code, by number and in execution order. Choices
/// after the end of the list take the first candidate.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The remaining numbers.
    pub(crate) script: std::collections::VecDeque<u32>,
    /// The number of candidates of each choice so far.
    pub(crate) counts: Vec<u32>,
}

impl Machine<'_, '_, '_> {
    /// Handles a candidate: the first one becomes the accumulator, together with the current step.
    /// A second, different one shows that the choice is not determined.
    pub(super) fn found(&mut self, choice: u32, exit: u32, code: &Code, base: usize) -> Step<()> {
        let Choice { slots, ghost } = code.choices.get(choice as usize).ok_or_else(bug)?;
        let mut values = Vec::with_capacity(slots.len() + 1);
        for s in slots {
            let word = self
                .stack
                .get(base + *s as usize)
                .cloned()
                .ok_or_else(bug)?;
            values.push(word.value().ok_or_else(bug)?);
        }
        // With a resolver, all candidates compete.
        if self.resolver.is_some() && !*ghost {
            return self.found_one_of_many(values, exit);
        }
        let is_constant = self.is_in_constant();
        if !*ghost && !is_constant && self.listing.is_some() && self.mode(code) == Mode::Compiled {
            return self.found_listed(values, exit);
        }
        let word = self.top()?;
        if let Word::Tuple(first) = word
            && first.get(..slots.len()) == Some(values.as_slice())
        {
            Ok(())
        } else if matches!(word, Word::Tuple(_)) {
            self.deterministic = false;
            self.jump(exit)
        } else {
            values.push(Value::int(self.steps));
            *self.top()? = Word::Tuple(std::sync::Arc::new(values));
            if *ghost || self.mode(code) == Mode::Spec && !is_constant {
                self.jump(exit)
            } else {
                Ok(())
            }
        }
    }

    /// Handles a counted candidate: keeps the one with the wanted number, or the last one before
    /// it, with the count and the current step.
    fn found_listed(&mut self, mut values: Vec<Value>, exit: u32) -> Step<()> {
        let wanted = u64::from(
            self.listing
                .as_ref()
                .and_then(|l| l.script.front().copied())
                .unwrap_or(0),
        );
        let n = values.len();
        let steps = self.steps;
        // The accumulator holds the kept candidate and the number of candidates so far.
        let before = if let Word::Tuple(kept) = self.top()? {
            let count = kept
                .get(n)
                .map(Word::of_ref)
                .and_then(|w| w.as_index())
                .unwrap_or(0) as u64;
            if count > wanted {
                values = kept.get(..n).map(<[Value]>::to_vec).unwrap_or(values);
            }
            count
        } else {
            0
        };
        values.extend([Value::int(before + 1), Value::int(steps)]);
        *self.top()? = Word::Tuple(std::sync::Arc::new(values));
        // A long enumeration is cut off; its result then depends on the limit.
        if before + 1 > MAX_LISTED {
            self.deterministic = false;
            return self.jump(exit);
        }
        Ok(())
    }

    /// Handles a candidate when any may be taken: keeps the one with the highest rank, with its
    /// rank, the count, and the step at which it was found.
    fn found_one_of_many(&mut self, values: Vec<Value>, exit: u32) -> Step<()> {
        // The top of the stack holds the best candidate so far: its values, its rank, the number of
        // candidates, and the number of steps after which it was found.
        let at = Opening::At(self.span());
        let is_first = !matches!(self.top()?, Word::Tuple(_));
        let asked = is_first.then(|| self.functional_choice()).flatten();
        let Some(resolver) = &mut self.resolver else {
            return Err(bug());
        };
        if is_first {
            resolver.begin(&at, asked.as_ref());
        }
        // If the resolution is given, all other candidates are skipped.
        let wanted = resolver.is_wanted(&values);
        if wanted == Some(false) && !is_first {
            return Ok(());
        }
        // Otherwise, ranks decide. In a function, the rank depends only on the place and the
        // values, so that equal candidates have the same resolution.
        let place = self.is_functional().then(|| self.span().start);
        let rank = self.resolver.as_mut().map_or(0, |r| r.rank(place, &values));
        let number =
            |v: Option<&Value>| v.map(Word::of_ref).and_then(|w| w.as_index()).unwrap_or(0) as u64;
        let steps = self.steps;
        let (count, kept) = if let Word::Tuple(best) = self.top()? {
            let (before, known) = (
                number(best.get(values.len())),
                number(best.get(values.len() + 1)),
            );
            (known + 1, (before >= rank).then(|| best.to_vec()))
        } else {
            (1, None)
        };
        // The candidate with the highest rank is kept, unless this one is the given resolution.
        let kept = kept.filter(|_| wanted != Some(true));
        let time = kept
            .as_ref()
            .and_then(|k| k.last().cloned())
            .unwrap_or_else(|| Value::int(steps));
        let n = values.len();
        let mut tuple =
            kept.unwrap_or_else(|| values.into_iter().chain([Value::int(rank)]).collect());
        tuple.truncate(n + 1);
        tuple.extend([Value::int(count), time]);
        *self.top()? = Word::Tuple(std::sync::Arc::new(tuple));
        // With several candidates, the result depends on the choice.
        self.deterministic &= count < 2 && wanted.is_none();
        if wanted == Some(true) || count >= super::resolve::MAX_CANDIDATES {
            self.jump(exit)
        } else {
            Ok(())
        }
    }

    /// Handles a choice whose candidates cannot be enumerated: assigns the values of the
    /// resolution, if they belong to the types of the variables.
    pub(super) fn advise(&mut self, choice: u32, none: u32, code: &Code, base: usize) -> Step<()> {
        let Choice { slots, ghost } = code.choices.get(choice as usize).ok_or_else(bug)?;
        let at = Opening::At(self.span());
        // A choice without a finite domain depends on its resolution.
        self.deterministic &= *ghost;
        let asked = self.functional_choice();
        let Some(resolver) = self.resolver.as_mut().filter(|_| !ghost) else {
            return self.jump(none);
        };
        // Without a usable resolution, the choice remains open.
        resolver.begin(&at, asked.as_ref());
        let Some(values) = resolver.take_wanted().filter(|v| v.len() == slots.len()) else {
            return self.jump(none);
        };
        for (slot, value) in slots.iter().zip(&values) {
            let info = code.slot_names.get(*slot as usize).ok_or_else(bug)?;
            // The given values must have the types of the variables.
            let ty = super::substitute(self.frames.last().ok_or_else(bug)?, &info.ty);
            if !self.interp.has_type(value, &ty, &self.heap).is_true() {
                return self.jump(none);
            }
        }
        self.store_found(slots, &values, base);
        Ok(())
    }

    /// Checks whether the assigned values satisfy the condition.
    pub(super) fn advised(&mut self, choice: u32, code: &Code, base: usize) -> Step<()> {
        let Choice { slots, .. } = code.choices.get(choice as usize).ok_or_else(bug)?;
        let unknown = self.pop()?;
        // The candidate is accepted if its condition holds; otherwise the choice stays open.
        let word = if matches!(unknown, Word::Bool(true)) {
            let mut values = Vec::with_capacity(slots.len());
            for s in slots {
                let word = self
                    .stack
                    .get(base + *s as usize)
                    .cloned()
                    .ok_or_else(bug)?;
                values.push(word.value().ok_or_else(bug)?);
            }
            Word::Tuple(std::sync::Arc::new(values))
        } else if matches!(unknown, Word::Bool(false)) {
            Word::unknown(Unbounded::Choice)
        } else {
            unknown
        };
        self.stack.push(word);
        Ok(())
    }

    fn store_found(&mut self, slots: &[u32], found: &[Value], base: usize) {
        for (s, v) in slots.iter().zip(found) {
            if let Some(slot) = self.stack.get_mut(base + *s as usize) {
                *slot = Word::of_ref(v);
            }
        }
    }

    /// Gives up the search for a second candidate after a number of steps.
    pub(super) fn tick(&mut self, end: u32, depth: u32) -> Step<()> {
        if let Word::Tuple(found) = self.top()? {
            // Between candidates, the machine checks whether the search for a second one has taken
            // too long.
            let since = found
                .last()
                .map(Word::of_ref)
                .and_then(|w| w.as_index())
                .unwrap_or(0) as u64;
            if self.steps.saturating_sub(since) > SECOND {
                self.deterministic = false;
                self.end_iterations(depth);
                return self.jump(end);
            }
        }
        Ok(())
    }

    /// Ends a search: assigns the candidate, or continues at the target for no candidate or an
    /// undecided condition.
    pub(super) fn choose(&mut self, ins: Ins, code: &Code, base: usize) -> Step<()> {
        let (Ins::Chosen(choice) | Ins::ChosenOr { choice, .. }) = ins else {
            return Err(bug());
        };
        let Choice { slots, ghost } = code.choices.get(choice as usize).ok_or_else(bug)?;
        // The result of the search is a tuple of values, false if there is none, or unknown.
        match (self.pop()?, ins) {
            (Word::Tuple(found), _) => {
                let asked = self.functional_choice();
                // The choice is recorded, so that the execution can be repeated.
                if let Some(resolver) = self.resolver.as_mut().filter(|_| !ghost) {
                    resolver.took(asked, found.iter().take(slots.len()).cloned().collect());
                }
                if let (Some(listing), [_, ..]) = (
                    &mut self.listing,
                    found.get(slots.len() + 1..).unwrap_or_default(),
                ) {
                    listing.script.pop_front();
                    let count = found
                        .get(slots.len())
                        .map(Word::of_ref)
                        .and_then(|w| w.as_index())
                        .unwrap_or(1);
                    listing.counts.push(count as u32);
                }
                self.store_found(slots, &found, base);
            }
            (word @ Word::Unknown(_), Ins::ChosenOr { end, .. }) => {
                self.stack.push(word);
                self.jump(end)?;
            }
            (Word::Bool(_), Ins::ChosenOr { els, .. }) => self.jump(els)?,
            (Word::Bool(_), _) => {
                return self.fail(
                    FailureKind::NoCandidate,
                    "no value satisfies the condition of `:|`",
                );
            }
            // A compiled variable cannot be unknown.
            (Word::Unknown(reason), _) if self.mode(code) == Mode::Compiled && !ghost => {
                return Err(unsupported(reason));
            }
            (word @ Word::Unknown(_), _) => {
                for s in slots {
                    *self.stack.get_mut(base + *s as usize).ok_or_else(bug)? = word.clone();
                }
            }
            (_, _) => return Err(bug()),
        }
        Ok(())
    }
}
