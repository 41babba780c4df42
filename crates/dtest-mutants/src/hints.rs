//! Changes that are no mutants: they stand for errors that the mutation operators do not make, and
//! guide the search for inputs only. Too many of them are equivalent to the program for survivors to
//! be of interest.

use super::stmts::{is_argument_compiled, roots};
use super::{Change, Finder, Mutant, Mutation, MutationKind, Piece, Place, clones, semantics};
use dafny_source::Span;
use dtest_ir::{Block, BlockId, Decision, Expr, GoalReason, Program, Simple, Terminator};

use dafny_resolve::typed::CallableId;

/// The hints of a callable in the order of its code. A hint is used like a mutant, but not shown to
/// users as one.
pub fn hints(program: &Program, callable: CallableId) -> Vec<Mutant> {
    let Some((mut finder, lambdas)) = Finder::of(program, callable) else {
        return Vec::new();
    };
    for (i, block) in finder.procedure.blocks.iter().enumerate() {
        finder.first_instead_of_last(BlockId(i as u32), block);
    }
    finder.slips();
    finder.other_semantics(&lambdas);
    finder.for_few(&lambdas);
    finder.combined(&lambdas);
    finder.orders(&lambdas);
    finder.uses(&lambdas);
    for hint in &mut finder.found {
        hint.mutation.is_hint = true;
    }
    finder.found
}

impl<'p> Finder<'p> {
    /// The expressions of compiled code whose values are observable, with their places.
    pub(super) fn compiled_roots(&self, lambdas: &[u32]) -> Vec<(Place, usize, &'p Expr)> {
        let mut found: Vec<(Place, usize, &Expr)> = Vec::new();
        for (i, block) in self.procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            for (at, stmt) in block.stmts.iter().enumerate() {
                if !self.seen.matters(id, at) || !self.is_compiled(stmt) {
                    continue;
                }
                let roots = roots(stmt).into_iter().enumerate();
                let compiled = roots.filter(|(n, _)| is_argument_compiled(self.program, stmt, *n));
                found.extend(compiled.map(|(n, e)| (Place::Stmt(id, at), n, e)));
            }
            if let Terminator::Branch { cond, .. } = &block.terminator {
                found.push((Place::End(id), 0, cond));
            }
        }
        found.extend(lambdas.iter().filter_map(|l| {
            let lambda = self.program.lambdas.get(*l as usize)?;
            Some((Place::Lambda(*l), 0, &lambda.body))
        }));
        found
    }

    /// Replaces operators by those of other languages ([`semantics`]). One number that is too large
    /// for a word shows that numbers are unbounded, so that only one operation wraps around.
    fn other_semantics(&mut self, lambdas: &[u32]) {
        let program = self.program;
        let mut wraps = false;
        for (place, root, whole) in self.compiled_roots(lambdas) {
            let mut found: Vec<(Vec<usize>, semantics::Elsewhere, Span)> = Vec::new();
            clones::parts(program, whole, &mut |path, e| {
                let mut others = semantics::elsewhere(program, e);
                if !wraps && let Some(wrapped) = semantics::wrapped(program, e) {
                    wraps = true;
                    others.push(wrapped);
                }
                found.extend(others.into_iter().map(|o| (path.to_vec(), o, e.span)));
            });
            for (path, (instead, text), span) in found {
                self.meaning((place, root, whole), path, instead, (span, text));
            }
        }
    }

    /// Adds a hint that replaces a part of a root and its clones.
    pub(super) fn meaning(
        &mut self,
        root: (Place, usize, &Expr),
        path: Vec<usize>,
        instead: Expr,
        (span, text): (Span, Vec<Piece>),
    ) {
        let mutation = Mutation::new(span, MutationKind::Operator, text);
        // The clones of a part are changed with it.
        if self.found.iter().any(|h| h.mutation == mutation) {
            return;
        }
        let Some(mut changes) = self.clones.changes(root, path, instead) else {
            return;
        };
        let also = changes.split_off(1);
        self.found
            .extend(changes.into_iter().map(|(place, change)| Mutant {
                callable: self.procedure.callable,
                place,
                change,
                also: also.clone(),
                mutation: mutation.clone(),
            }));
    }

    /// Leaves a loop after an assignment in a branch of its body: the first element that satisfies a
    /// condition is taken instead of the last one, or only one of several is counted.
    fn first_instead_of_last(&mut self, head: BlockId, block: &Block) {
        let Some(exit) = block.loop_head.as_ref().and_then(|info| self.exit(info)) else {
            return;
        };
        let (_, inside) = self.iterations(head);
        let read = self.read_outside(head, &inside);
        for id in inside {
            let Some(block) = self.procedure.block(id).filter(|b| is_branch(b)) else {
                continue;
            };
            let Terminator::Goto(next) = block.terminator else {
                continue;
            };
            let assigned = block.stmts.iter().enumerate().rev().find(|(at, stmt)| {
                let is_read =
                    matches!(stmt.simple(), Some(Simple::Assigns(var, _)) if read.contains(&var));
                is_read && self.seen.matters(id, *at) && !roots(stmt).is_empty()
            });
            let Some((_, stmt)) = assigned else {
                continue;
            };
            self.found.push(Mutant {
                callable: self.procedure.callable,
                place: Place::End(id),
                change: Change::Leave { head: next, exit },
                also: Vec::new(),
                mutation: Mutation::new(stmt.span, MutationKind::Iteration, Vec::new()),
            });
        }
    }
}

/// Whether a block is entered by a condition or a case of a `match`.
pub(super) fn is_branch(block: &Block) -> bool {
    block.goal.as_ref().is_some_and(|goal| {
        let is_if = matches!(
            goal.reason,
            GoalReason::Branch {
                decision: Decision::If,
                ..
            }
        );
        is_if || goal.is_case()
    })
}
