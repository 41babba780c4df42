//! Branches that only assign local variables and meet again: taking the wrong one makes no
//! difference if both assign the same values.

use super::defined;
use dafny_resolve::typed::Type;
use dtest_ir::{
    AssertKind, Block, BlockId, Expr, ExprKind, Op, Procedure, Program, Stmt, StmtKind, Terminator,
    Var, build,
};
use dtest_sorted::SortedMap;

/// Maximum number of blocks of a branch.
const MAX_BLOCKS: usize = 4;

/// The condition, in the state at the end of the block, that its branches leave different values at
/// their join. `None` if they do more than assign variables, or if a branch may fail that the
/// decision does not lead to.
pub(super) fn arms_differ(program: &Program, procedure: &Procedure, block: &Block) -> Option<Expr> {
    let Terminator::Branch { cond, then, els } = &block.terminator else {
        return None;
    };
    // The join is the first block on both ways.
    let (on_true, on_false) = (way(procedure, *then), way(procedure, *els));
    let join = on_true.iter().find(|b| on_false.contains(b))?;
    let is_defined = |value: &Expr| defined::is_total_after(value, cond);
    let on_true = effect(procedure, &on_true, *join, &is_defined)?;
    let on_false = effect(procedure, &on_false, *join, &is_defined)?;
    let mut vars: Vec<Var> = on_true.keys().chain(on_false.keys()).copied().collect();
    vars.sort();
    vars.dedup();
    // Compares all variables that either branch assigns; the other branch leaves the old value.
    let mut differ = build::boolean(false, cond.span);
    for var in vars {
        let info = procedure.vars.get(var.0 as usize)?;
        // Ghost variables do not exist in compiled code.
        if info.ghost {
            continue;
        }
        if !program.typed.supports_equality(&info.ty) {
            return None;
        }
        let left = |arm: &SortedMap<Var, Expr>| {
            arm.get(&var)
                .cloned()
                .unwrap_or_else(|| build::var(var, info.ty.clone(), cond.span))
        };
        let unequal = build::op(
            Op::Ne,
            vec![left(&on_true), left(&on_false)],
            Type::Bool,
            cond.span,
        );
        differ = build::or(differ, unequal);
    }
    Some(differ)
}

/// The blocks that follow each other from `from` on, without a decision.
fn way(procedure: &Procedure, from: BlockId) -> Vec<BlockId> {
    let mut way = vec![from];
    // Only unconditional jumps are followed.
    while let Some(Terminator::Goto(next)) = way
        .last()
        .and_then(|b| procedure.block(*b))
        .map(|b| &b.terminator)
        && way.len() < MAX_BLOCKS
        && !way.contains(next)
    {
        way.push(*next);
    }
    way
}

/// The values that variables have at the join, in terms of the state before the branch. `None` if
/// the branch does more than assign variables.
fn effect(
    procedure: &Procedure,
    way: &[BlockId],
    join: BlockId,
    is_defined: &dyn Fn(&Expr) -> bool,
) -> Option<SortedMap<Var, Expr>> {
    let mut effect: SortedMap<Var, Expr> = SortedMap::new();
    for id in way.iter().take_while(|b| **b != join) {
        // Loops and jumps end the effect of a branch.
        let block = procedure
            .block(*id)
            .filter(|b| b.loop_head.is_none() && b.jump.is_none())?;
        for stmt in &block.stmts {
            let Some((var, value)) = assigned(stmt)? else {
                continue;
            };
            let is_ghost = procedure.vars.get(var.0 as usize).is_none_or(|v| v.ghost);
            if is_ghost {
                continue;
            }
            // The value must be in terms of the state before the branch, and the mutant must not
            // fail where the unit does not evaluate it.
            if reads_any(value, &effect) || !is_defined(value) {
                return None;
            }
            effect.insert(var, value.clone());
        }
    }
    Some(effect)
}

/// The variable and value that a statement assigns; `Some(None)` if compiled code does nothing
/// there; `None` if it has other effects.
fn assigned(stmt: &Stmt) -> Option<Option<(Var, &Expr)>> {
    match &stmt.kind {
        StmtKind::Assign { var, value } => Some(Some((*var, value))),
        // Compiled code fails if no case applies.
        StmtKind::Assert {
            kind: AssertKind::MissingCase,
            ..
        } => None,
        StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Probe { .. }
        | StmtKind::Snapshot(_) => Some(None),
        StmtKind::Havoc(_)
        | StmtKind::Call { .. }
        | StmtKind::New { .. }
        | StmtKind::NewArray { .. }
        | StmtKind::SetField { .. }
        | StmtKind::SetElement { .. }
        | StmtKind::Redefine { .. }
        | StmtKind::ForallStore { .. }
        | StmtKind::Print(_)
        | StmtKind::SuchThat(_)
        | StmtKind::Expect { .. }
        | StmtKind::HavocHeap(..)
        | StmtKind::Answer { .. }
        | StmtKind::Save { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Unsupported { .. } => None,
    }
}

/// Whether an expression reads a variable that has been assigned.
fn reads_any(e: &Expr, changed: &SortedMap<Var, Expr>) -> bool {
    matches!(&e.kind, ExprKind::Var(v) if changed.contains_key(v))
        || e.children().into_iter().any(|c| reads_any(c, changed))
}
