//! The code of a mutant: the change in a copy of the unit's code, alone ([`Mutant::applied`]) or
//! under a condition ([`Mutant::put_where`]).

use super::{Change, Mutant, Place, ends, stmts};
use dafny_resolve::typed::Type;
use dtest_ir::{BlockId, Expr, ExprKind, Lambda, Op, Procedure, Program, Stmt, Terminator};
use dtest_value::Value;

impl Mutant {
    /// Puts the change into `code`, a copy of the unit's code that may contain other mutants, under
    /// the condition `chosen`. Returns whether that is possible.
    pub fn put_where(&self, code: &mut Procedure, unit: &Procedure, chosen: &Expr) -> bool {
        self.put_in(code, unit, chosen).is_some()
    }

    /// Puts the change into `code`, as [`Self::put_where`]; `None` if that is not possible.
    fn put_in(&self, code: &mut Procedure, unit: &Procedure, chosen: &Expr) -> Option<()> {
        let id = self.block()?;
        let own = unit.block(id)?;
        let block = code.blocks.get_mut(id.0 as usize)?;
        // The changed expression becomes a conditional, so that `chosen` selects between both
        // versions.
        let choose = |at: &mut Expr, instead: Expr| {
            let (ty, span) = (at.ty.clone(), at.span);
            let was = std::mem::replace(at, instead.clone());
            at.kind = ExprKind::If(Box::new(chosen.clone()), Box::new(instead), Box::new(was));
            (at.ty, at.span) = (ty, span);
        };
        match (self.place, &self.change) {
            (Place::Stmt(_, at), Change::LeftOut) => {
                // A removed assignment assigns the old value instead.
                let (before, _) = stmts::written(own.stmts.get(at)?)?;
                choose(stmts::written_mut(block.stmts.get_mut(at)?)?, before);
            }
            (
                Place::Stmt(_, at),
                Change::Expr {
                    root,
                    path,
                    instead,
                },
            ) => {
                let mut other = stmts::roots(own.stmts.get(at)?)
                    .into_iter()
                    .nth(*root)?
                    .clone();
                put(&mut other, path, instead)?;
                choose(
                    stmts::roots_mut(block.stmts.get_mut(at)?)
                        .into_iter()
                        .nth(*root)?,
                    other,
                );
            }
            // A removed jump becomes a branch.
            (Place::End(_), Change::Next(without)) => {
                let Terminator::Goto(next) = own.terminator else {
                    return None;
                };
                // The statements of a `return` cannot be removed under a condition.
                if own
                    .stmts
                    .iter()
                    .any(|s| self.mutation.span.contains_span(s.span))
                {
                    return None;
                }
                block.terminator = Terminator::Branch {
                    cond: chosen.clone(),
                    then: *without,
                    els: next,
                };
            }
            // A changed decision becomes a conditional of both conditions.
            (Place::End(_), change) => {
                let Terminator::Branch { cond, .. } = &mut block.terminator else {
                    return None;
                };
                choose(cond, changed_decision(&own.terminator, change)?);
            }
            (Place::Whole | Place::Lambda(_) | Place::Stmt(..), _) => return None,
        }
        Some(())
    }

    /// The changed code. `None` if there is no such place.
    pub fn applied(&self, program: &Program) -> Option<Mutated<'_>> {
        if let Change::Results(results) = &self.change {
            return Some(Mutated::Results(results));
        }
        // The unit's code is copied, because mutants must not affect each other.
        let mut code = ChangedCode {
            procedure: Procedure::clone(program.procedures.get(&self.callable)?),
            lambdas: Vec::new(),
        };
        let mut changes: Vec<(Place, &Change)> = vec![(self.place, &self.change)];
        changes.extend(self.also.iter().map(|(place, change)| (*place, change)));
        // Changes are applied from the end of a block, because removing a statement moves those
        // after it.
        changes.sort_by_key(|(place, _)| std::cmp::Reverse(place.order()));
        for (place, change) in changes {
            self.apply(program, &mut code, place, change)?;
        }
        Some(Mutated::Code(Box::new(code)))
    }

    pub(super) fn apply(
        &self,
        program: &Program,
        code: &mut ChangedCode,
        place: Place,
        change: &Change,
    ) -> Option<()> {
        // Lambdas are changed in a copy of their own.
        if let Place::Lambda(index) = place {
            let mut lambda = program.lambdas.get(index as usize)?.clone();
            let Change::Expr { path, instead, .. } = change else {
                return None;
            };
            put(&mut lambda.body, path, instead)?;
            code.lambdas.push((index, lambda));
            return Some(());
        }
        let procedure = &mut code.procedure;
        match place {
            Place::Stmt(block, at) => {
                let block = procedure.blocks.get_mut(block.0 as usize)?;
                apply_to_stmt(&mut block.stmts, at, change)
            }
            Place::End(block) => self.apply_to_end(procedure, block, change),
            Place::Whole | Place::Lambda(_) => None,
        }
    }

    /// Applies a change to the end of a block.
    fn apply_to_end(&self, procedure: &mut Procedure, id: BlockId, change: &Change) -> Option<()> {
        let block = procedure.blocks.get_mut(id.0 as usize)?;
        match change {
            Change::Expr { path, instead, .. } => {
                let Terminator::Branch { cond, .. } = &mut block.terminator else {
                    return None;
                };
                put(cond, path, instead)?;
            }
            Change::Branch {
                then: on_true,
                els: on_false,
                flipped,
            } => {
                // The branch itself may be redirected, and a decided constant flipped.
                let Terminator::Branch { then, els, .. } = &mut block.terminator else {
                    return None;
                };
                (*then, *els) = (*on_true, *on_false);
                if let Some(flipped) = flipped {
                    *ends::decided(procedure.blocks.get_mut(flipped.0 as usize)?)? ^= true;
                }
            }
            // The statements of the jump, such as assigned results, are removed with it.
            Change::Next(without) => {
                block
                    .stmts
                    .retain(|s| !self.mutation.span.contains_span(s.span));
                block.terminator = Terminator::Goto(*without);
            }
            Change::Leave { head, exit } => {
                block.terminator.redirect(*head, *exit);
            }
            // Only the targets change: the tests of the cases stay where they are.
            Change::Arms(second) => {
                let then_of = |p: &Procedure, b: BlockId| match &p.block(b)?.terminator {
                    Terminator::Branch { then, .. } => Some(*then),
                    Terminator::Goto(_)
                    | Terminator::Choose { .. }
                    | Terminator::Return
                    | Terminator::Stop => None,
                };
                let (a, b) = (then_of(procedure, id)?, then_of(procedure, *second)?);
                for (block, instead) in [(id, b), (*second, a)] {
                    if let Terminator::Branch { then, .. } =
                        &mut procedure.blocks.get_mut(block.0 as usize)?.terminator
                    {
                        *then = instead;
                    }
                }
            }
            Change::Stmt(_) | Change::LeftOut | Change::Swapped(_) | Change::Results(_) => {
                return None;
            }
        }
        Some(())
    }
}

/// The executable form of a mutant.
pub enum Mutated<'m> {
    /// Changed code.
    Code(Box<ChangedCode>),
    /// No code: it returns these results.
    Results(&'m [Option<Value>]),
}

/// The changed code that replaces the unit's.
pub struct ChangedCode {
    /// The blocks. They are the unit's own if only lambdas are changed.
    pub procedure: Procedure,
    /// The changed lambdas, by their numbers.
    pub lambdas: Vec<(u32, Lambda)>,
}

/// Replaces the part of an expression at a path.
pub(super) fn put(root: &mut Expr, path: &[usize], instead: &Expr) -> Option<()> {
    let mut at = root;
    for step in path {
        at = at.children_mut().into_iter().nth(*step)?;
    }
    *at = instead.clone();
    Some(())
}

/// Applies a change to a statement of a block.
fn apply_to_stmt(all: &mut Vec<Stmt>, at: usize, change: &Change) -> Option<()> {
    match change {
        Change::LeftOut => {
            (at < all.len()).then(|| all.remove(at))?;
        }
        // The places are valid, because all changes refer to the unit's own code.
        Change::Stmt(instead) => *all.get_mut(at)? = (**instead).clone(),
        Change::Swapped(other) => {
            (at < all.len() && *other < all.len()).then(|| all.swap(at, *other))?;
        }
        Change::Expr {
            root,
            path,
            instead,
        } => {
            // The part is replaced within the statement.
            put(
                stmts::roots_mut(all.get_mut(at)?).into_iter().nth(*root)?,
                path,
                instead,
            )?;
        }
        Change::Branch { .. }
        | Change::Next(_)
        | Change::Arms(_)
        | Change::Leave { .. }
        | Change::Results(_) => return None,
    }
    Some(())
}

/// The condition of a decision with a change: another condition, or, for exchanged branches, the
/// negation.
fn changed_decision(decision: &Terminator, change: &Change) -> Option<Expr> {
    let Terminator::Branch { cond, then, els } = decision else {
        return None;
    };
    let mut other = cond.clone();
    match change {
        Change::Expr { path, instead, .. } => put(&mut other, path, instead)?,
        Change::Branch {
            then: t,
            els: e,
            flipped: None,
        } if (t, e) == (els, then) => {
            let span = other.span;
            other = Expr {
                kind: ExprKind::Op(Op::Not, vec![other]),
                ty: Type::Bool,
                span,
            };
        }
        Change::Branch { .. }
        | Change::Stmt(_)
        | Change::LeftOut
        | Change::Next(_)
        | Change::Arms(_)
        | Change::Swapped(_)
        | Change::Leave { .. }
        | Change::Results(_) => return None,
    }
    Some(other)
}
