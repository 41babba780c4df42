//! Conditions under which a mutant makes a difference. If one never holds, the mutant is
//! equivalent.

use super::apply::put;
use super::{
    Change, Mutant, Place, bisimulation, defined, joins, known, redundant_loops, stmts, symbolic,
};
use dafny_resolve::typed::Type;
use dtest_ir::{BlockId, Expr, ExprKind, Op, Program, Terminator, build};

impl Mutant {
    /// The changed place by block and statement, and the condition under which the change makes a
    /// difference there, or at the join of a decision's branches. `None` if that is not a condition
    /// over the unit's state.
    pub fn difference(&self, program: &Program) -> Option<(BlockId, usize, Expr)> {
        let procedure = program.procedures.get(&self.callable)?;
        let block = procedure.block(self.block()?)?;
        // The expression at the changed place, before and after the change.
        let (at, before, after) = match (self.place, &self.change) {
            (Place::Stmt(_, at), Change::LeftOut) => {
                let (before, after) = stmts::written(block.stmts.get(at)?)?;
                (at, before, after)
            }
            // The variables of a `forall` statement have values only within its expressions.
            (Place::Stmt(_, at), Change::Expr { .. })
                if block.stmts.get(at)?.quantified().is_some() =>
            {
                return None;
            }
            (Place::Stmt(_, at), Change::Expr { path, instead, .. }) => {
                let before = self.root(program)?.clone();
                let mut after = before.clone();
                put(&mut after, path, instead)?;
                (at, before, after)
            }
            (Place::End(_), Change::Expr { path, instead, .. }) => {
                let cond = self.root(program)?;
                let mut after = cond.clone();
                put(&mut after, path, instead)?;
                (block.stmts.len(), cond.clone(), after)
            }
            (Place::Stmt(..), Change::Stmt(_) | Change::Swapped(_))
            | (Place::End(_), Change::Branch { .. } | Change::Next(_)) => {
                return None;
            }
            (Place::End(_), Change::Arms(_) | Change::Leave { .. }) => return None,
            // Such changes do not occur at these places.
            (
                Place::Stmt(..),
                Change::Branch { .. }
                | Change::Next(_)
                | Change::Arms(_)
                | Change::Leave { .. }
                | Change::Results(_),
            ) => return None,
            (
                Place::End(_),
                Change::Stmt(_) | Change::LeftOut | Change::Swapped(_) | Change::Results(_),
            ) => return None,
            (Place::Whole | Place::Lambda(_), _) => return None,
        };
        // Equality must be computable for the type of the expression.
        let span = before.span;
        let is_comparable = program.typed.supports_equality(&before.ty);
        let kind = ExprKind::Op(Op::Ne, vec![before, after]);
        let mut differs = Expr {
            kind,
            ty: Type::Bool,
            span,
        };
        // A wrong decision makes no difference if its branches leave the same values.
        if let Place::End(_) = self.place
            && let Some(arms_differ) = joins::arms_differ(program, procedure, block)
        {
            differs = build::and(differs, arms_differ);
        }
        is_comparable.then(|| (self.block().unwrap_or(BlockId(0)), at, differs))
    }

    /// The condition of [`Self::difference`], under everything that is known whenever execution
    /// reaches the changed place.
    pub fn difference_in_known_states(&self, program: &Program) -> Option<Expr> {
        let procedure = program.procedures.get(&self.callable)?;
        let (block, at, differs) = self.difference(program)?;
        // The facts are assumptions: the condition is their conjunction with the difference.
        let known = known::at(program, procedure, (block, at));
        Some(
            known
                .into_iter()
                .rev()
                .fold(differs, |all, fact| symbolic::both(fact, all)),
        )
    }

    /// For a removed jump out of a loop whose rest has no effect: the condition, in a state of the
    /// loop, under which an expression of the loop fails. If it never holds, the mutant is
    /// equivalent. `None` if the loop is of another kind.
    pub fn goes_wrong(&self, program: &Program) -> Option<Expr> {
        redundant_loops::goes_wrong(program, self)
    }

    /// The condition, in the state at the changed place, under which the mutant's execution fails
    /// or does not join the unit's again before a difference is observable. If it never holds, the
    /// mutant is equivalent. `None` if the executions cannot be compared.
    pub fn parts(&self, program: &Program) -> Option<Expr> {
        bisimulation::parts(program, self)
    }

    /// Whether the mutant does not fail at the changed place unless the unit does. If so, and
    /// [`Self::difference`] never holds, the mutant is equivalent.
    pub fn is_defined_alike(&self, program: &Program) -> bool {
        // Only removed statements and replaced expressions can be compared.
        match &self.change {
            _ if !self.also.is_empty() => false,
            Change::LeftOut => true,
            Change::Expr { path, instead, .. } => self
                .root(program)
                .is_some_and(|root| defined::alike(root, path, instead)),
            Change::Stmt(_)
            | Change::Branch { .. }
            | Change::Next(_)
            | Change::Arms(_)
            | Change::Swapped(_)
            | Change::Leave { .. }
            | Change::Results(_) => false,
        }
    }

    /// The expression of the unit that contains the change.
    pub(super) fn root<'p>(&self, program: &'p Program) -> Option<&'p Expr> {
        let Change::Expr { root, .. } = &self.change else {
            return None;
        };
        // `Self::block` is `None` for changes at several places.
        let block = program
            .procedures
            .get(&self.callable)?
            .block(self.block()?)?;
        match (self.place, &block.terminator) {
            (Place::Stmt(_, at), _) => stmts::roots(block.stmts.get(at)?).into_iter().nth(*root),
            (Place::End(_), Terminator::Branch { cond, .. }) => Some(cond),
            (Place::Whole | Place::Lambda(_) | Place::End(_), _) => None,
        }
    }
}
