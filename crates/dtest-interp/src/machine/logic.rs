//! Kleene's logic: connectives, conditionals, accumulators of quantifiers.

use super::{Machine, Step, Takes, bug};
use crate::code::Ins;
use crate::word::{Condition, Word};
use dtest_ir::reason::Unbounded;

impl Machine<'_, '_, '_> {
    /// Executes instructions on truth values.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`step`, which names every instruction, hands on none but these"
    )]
    pub(super) fn logic(&mut self, ins: Ins) -> Step<()> {
        match ins {
            Ins::If { els, end } => match self.pop_condition()? {
                Condition::True => {}
                Condition::False => self.jump(els)?,
                Condition::Unknown(reason) => {
                    self.stack.push(Word::Unknown(reason));
                    self.jump(end)?;
                }
            },
            // If the left operand is unknown, the right one may still decide, so that it is
            // evaluated under a handler.
            Ins::AndLeft(end) | Ins::OrLeft(end) | Ins::ImpliesLeft(end) => {
                let implies = matches!(ins, Ins::ImpliesLeft(_));
                let decided = matches!(ins, Ins::OrLeft(_));
                let left = self.top()?;
                if let Word::Bool(b) = *left {
                    if b == decided {
                        if implies {
                            *left = Word::Bool(true);
                        }
                        self.jump(end)?;
                    }
                } else if matches!(left, Word::Unknown(_)) {
                    self.protect_left(end)?;
                } else {
                    return Err(bug());
                }
            }
            Ins::AndEnd | Ins::OrEnd | Ins::ImpliesEnd => {
                let right = self.pop()?;
                let deciding = !matches!(ins, Ins::AndEnd);
                let protected = matches!(self.top()?, Word::Unknown(_));
                if protected {
                    self.handlers.pop();
                    if matches!(right, Word::Bool(b) if b == deciding) {
                        *self.top()? = right;
                    }
                } else {
                    *self.top()? = right;
                }
            }
            Ins::Not => {
                let word = self.top()?;
                if let Word::Bool(b) = word {
                    *b = !*b;
                } else if !matches!(word, Word::Unknown(_)) {
                    return Err(bug());
                }
            }
            Ins::Quantify { forall, exit } => {
                let b = self.pop()?;
                match b.condition().ok_or_else(bug)? {
                    Condition::True if forall => {}
                    Condition::False if !forall => {}
                    Condition::True | Condition::False => {
                        *self.top()? = Word::Bool(!forall);
                        self.jump(exit)?;
                    }
                    Condition::Unknown(reason) => *self.top()? = Word::Unknown(reason),
                }
            }
            Ins::Guard {
                next,
                unknown,
                depth,
            } => match self.pop_condition()? {
                Condition::True => {}
                Condition::False => self.jump(next)?,
                Condition::Unknown(reason) => {
                    self.end_iterations(depth);
                    *self.top()? = Word::Unknown(reason);
                    self.jump(unknown)?;
                }
            },
            Ins::Prune(next) => {
                if let Word::Bool(false) = self.pop()? {
                    self.jump(next)?;
                }
            }
            Ins::ProbeEnd { forall } => {
                let decided = self.pop()?;
                let all = matches!(self.pop()?, Word::Bool(true));
                // Samples that do not refute (or satisfy) leave the quantifier undecided.
                let open = !all && matches!(decided, Word::Bool(b) if b == forall);
                self.stack.push(if open {
                    Word::unknown(Unbounded::Quantifier)
                } else {
                    decided
                });
            }
            _others => return Err(bug()),
        }
        Ok(())
    }

    /// Starts the evaluation of the right operand with an unknown left one: a failure makes the
    /// result unknown. The handler pushes the reason in place of the left operand.
    fn protect_left(&mut self, end: u32) -> Step<()> {
        self.protect(end, Takes::Failures);
        if let Some(h) = self.handlers.last_mut() {
            h.stack -= 1;
        }
        Ok(())
    }
}
