//! Whether a word is of a type: its shape at once, the constraints in it one call after the other.

use super::{Iter, Machine, Step, bug};
use crate::interp::code::CodeKey;
use crate::interp::types;
use crate::interp::word::Word;

impl Machine<'_, '_, '_> {
    pub(super) fn type_start(&mut self, ty: u32, end: u32) -> Step<()> {
        let ty = self.concrete(ty)?;
        let word = self.pop()?;
        let value = match word {
            Word::Unknown(_) => {
                self.stack.push(word);
                return self.jump(end);
            }
            other => other.value().ok_or_else(bug)?,
        };
        let program = &self.interp.program.typed;
        let found = types::obligations(program, self.view(), value, &ty);
        let constraints = &self.interp.program.constraints;
        let list = found.map(|mut list| {
            list.retain(|o| constraints.contains_key(&o.decl));
            list
        });
        self.stack.push(Word::Bool(list.is_some()));
        match list {
            Some(list) if !list.is_empty() => {
                self.charge(list.len())?;
                self.iters.push(Iter::Obligations(list.into_iter()));
                Ok(())
            }
            Some(_) | None => self.jump(end),
        }
    }

    pub(super) fn type_next(&mut self, done: u32) -> Step<()> {
        let next = match self.iters.last_mut() {
            Some(Iter::Obligations(list)) => list.next(),
            Some(_) | None => return Err(bug()),
        };
        let Some(o) = next else {
            self.iters.pop();
            return self.jump(done);
        };
        let code = self.interp.code(&CodeKey::Constraint(o.decl)).ok_or_else(bug)?;
        let after = self.frame()?.pc + 1;
        self.protect(after);
        self.stack.push(Word::of(o.value));
        self.enter(code, 1, o.type_args)
    }
}
