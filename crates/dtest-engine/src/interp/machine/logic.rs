//! Kleene's logic: connectives, conditionals, what quantifiers accumulate.

use super::{Machine, Step, Takes, bug};
use crate::interp::code::Ins;
use crate::interp::word::Word;
use crate::reason::Unbounded;

impl Machine<'_, '_, '_> {
    /// Instructions that decide on truth values.
    pub(super) fn logic(&mut self, ins: Ins) -> Step<()> {
        match ins {
            Ins::If { els, end } => match self.pop()? {
                Word::Bool(true) => {}
                Word::Bool(false) => self.jump(els)?,
                word @ Word::Unknown(_) => {
                    self.stack.push(word);
                    self.jump(end)?;
                }
                _other => return Err(bug()),
            },
            Ins::AndLeft(end) | Ins::OrLeft(end) | Ins::ImpliesLeft(end) => {
                let implies = matches!(ins, Ins::ImpliesLeft(_));
                let decided = matches!(ins, Ins::OrLeft(_));
                match self.top()? {
                    Word::Bool(b) if *b == decided => {
                        if implies {
                            *self.top()? = Word::Bool(true);
                        }
                        self.jump(end)?;
                    }
                    Word::Bool(_) => {}
                    Word::Unknown(_) => self.protect_left(end)?,
                    _other => return Err(bug()),
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
            Ins::Not => match self.top()? {
                Word::Bool(b) => *b = !*b,
                Word::Unknown(_) => {}
                _other => return Err(bug()),
            },
            Ins::Quantify { forall, exit } => {
                let b = self.pop()?;
                match b {
                    Word::Bool(b) if b == forall => {}
                    Word::Bool(_) => {
                        *self.top()? = b;
                        self.jump(exit)?;
                    }
                    Word::Unknown(_) => *self.top()? = b,
                    _other => return Err(bug()),
                }
            }
            Ins::Guard { next, unknown, depth } => match self.pop()? {
                Word::Bool(true) => {}
                Word::Bool(false) => self.jump(next)?,
                word @ Word::Unknown(_) => {
                    self.end_iterations(depth);
                    *self.top()? = word;
                    self.jump(unknown)?;
                }
                _other => return Err(bug()),
            },
            Ins::Prune(next) => {
                if let Word::Bool(false) = self.pop()? {
                    self.jump(next)?;
                }
            }
            Ins::ProbeEnd { forall } => {
                let decided = self.pop()?;
                let all = matches!(self.pop()?, Word::Bool(true));
                let open = !all && matches!(decided, Word::Bool(b) if b == forall);
                self.stack.push(if open { Word::unknown(Unbounded::Quantifier) } else { decided });
            }
            _others => return Err(bug()),
        }
        Ok(())
    }

    /// Evaluates the right operand with the left one unknown: a failure leaves it unknown. The handler
    /// pushes the reason, so the left operand makes room for it.
    fn protect_left(&mut self, end: u32) -> Step<()> {
        self.protect(end, Takes::Failures);
        if let Some(h) = self.handlers.last_mut() {
            h.stack -= 1;
        }
        Ok(())
    }
}
