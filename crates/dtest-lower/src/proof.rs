//! Ghost statements that only prove something and can therefore be omitted.
//!
//! A ghost `if` whose arms only assert or call lemmas would still cost a branch, and its guard may
//! not be executable. [`is_only_proof`] recognizes such statements; the assertions inside are
//! omitted with them.

use rustc_hash::FxHashSet;

use dafny_resolve::typed::{Block, LocalId, Stmt, StmtKind, Target};

/// Whether a compound ghost statement neither assigns a variable that outlives it nor jumps out of
/// it.
pub(super) fn is_only_proof(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::If { .. }
        | StmtKind::IfCase(_)
        | StmtKind::While { .. }
        | StmtKind::WhileCase { .. }
        | StmtKind::For { .. }
        | StmtKind::Match { .. } => {
            let mut own = FxHashSet::default();
            !has_effect(stmt, &mut own)
        }
        StmtKind::Forall { body, .. } => !body
            .as_ref()
            .is_some_and(|b| block_has_effect(b, &mut FxHashSet::default())),
        StmtKind::Block(_)
        | StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Assign { .. }
        | StmtKind::AssignPattern { .. }
        | StmtKind::Call { .. }
        | StmtKind::SuchThat { .. }
        | StmtKind::AssignOrFail(_)
        | StmtKind::Break { .. }
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Modify { .. }
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => false,
    }
}

fn block_has_effect(block: &Block, own: &mut FxHashSet<LocalId>) -> bool {
    block.stmts.iter().any(|s| has_effect(s, own))
}

/// Whether a statement has an effect outside of itself. `own` are the variables declared so far
/// inside the compound statement.
fn has_effect(stmt: &Stmt, own: &mut FxHashSet<LocalId>) -> bool {
    stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &stmt.kind {
        StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::VarDecl(_) => {
            if let StmtKind::VarDecl(locals) = &stmt.kind {
                own.extend(locals);
            }
            false
        }
        // An assignment to a pattern only declares variables.
        StmtKind::AssignPattern { .. } => false,
        StmtKind::Assign { declares, pairs } => {
            own.extend(declares);
            pairs.iter().any(|(t, _)| outlives(t, own))
        }
        StmtKind::Call {
            declares,
            targets,
            call: _,
        }
        | StmtKind::SuchThat {
            declares, targets, ..
        } => {
            own.extend(declares);
            targets.iter().any(|t| outlives(t, own))
        }
        StmtKind::Block(b) => block_has_effect(b, own),
        StmtKind::If { then, els, .. } => {
            block_has_effect(then, own) || els.as_ref().is_some_and(|e| has_effect(e, own))
        }
        StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => {
            cases.iter().any(|c| block_has_effect(&c.body, own))
        }
        StmtKind::While { body, .. } => body.as_ref().is_none_or(|b| block_has_effect(b, own)),
        StmtKind::For { index, body, .. } => {
            own.insert(*index);
            body.as_ref().is_none_or(|b| block_has_effect(b, own))
        }
        StmtKind::Forall { body, .. } => body.as_ref().is_some_and(|b| block_has_effect(b, own)),
        StmtKind::Match { cases, .. } => cases.iter().any(|c| block_has_effect(&c.body, own)),
        StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::AssignOrFail(_)
        | StmtKind::Return
        | StmtKind::Yield
        | StmtKind::Modify { .. }
        | StmtKind::Error => true,
        // A ghost statement that is omitted as a whole can only leave a ghost loop.
        StmtKind::Break { .. } => false,
    })
}

fn outlives(target: &Target, own: &FxHashSet<LocalId>) -> bool {
    match target {
        Target::Local(local) => !own.contains(local),
        Target::Field { .. } | Target::Element { .. } => true,
        Target::Discard(_) => false,
    }
}
