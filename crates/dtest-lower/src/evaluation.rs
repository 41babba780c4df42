//! The mode in which code is lowered, and changes of parts of the state for a while.
//!
//! [`Lowerer::scoped`] is the only place that saves and restores a part of the state; the other
//! functions name the changes that lowering needs.

use super::Lowerer;

/// The mode in which expressions are lowered.
#[derive(Default)]
pub(super) struct Evaluation {
    /// Whether control flow within expressions becomes blocks: in compiled code outside of binders.
    pub(super) is_executed: bool,
    /// Whether an older state is being read.
    pub(super) is_older: bool,
}

impl Lowerer<'_> {
    /// Runs `work` while the part of the state that `part` selects has another value.
    pub(super) fn scoped<V, T>(
        &mut self,
        part: impl Fn(&mut Self) -> &mut V,
        value: V,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(part(self), value);
        let result = work(self);
        *part(self) = outer;
        result
    }

    /// Runs `work` with the control flow of expressions kept in expressions.
    pub(super) fn pure<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.pure_if(true, work)
    }

    /// Applies [`Lowerer::pure`] if `ghost` holds.
    pub(super) fn pure_if<T>(&mut self, ghost: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let is_executed = self.evaluation.is_executed && !ghost;
        self.scoped(|l| &mut l.evaluation.is_executed, is_executed, work)
    }

    /// Lowers an expression that is evaluated in an older state.
    pub(super) fn in_older_state<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|l| &mut l.evaluation.is_older, true, work)
    }

    /// Lowers an expression that is evaluated later, in the state of that time.
    pub(super) fn in_any_state<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|l| &mut l.evaluation.is_older, false, work)
    }

    /// Lowers the expressions of an obligation, which have no obligations themselves.
    pub(super) fn without_obligations<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|l| &mut l.callable.id, None, work)
    }
}
