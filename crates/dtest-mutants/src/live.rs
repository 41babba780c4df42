//! Live variables: those that an execution may read before it assigns them (Aho, Lam, Sethi and
//! Ullman, *Compilers*, section 9.2.5). Ghost code reads variables, too. Assertions do not, because
//! compiled code does not evaluate them.

use super::defined::is_total;
use super::unused::Unused;
use dtest_ir::{AssertKind, BlockId, Expr, ExprKind, Procedure, Stmt, StmtKind, Terminator, Var};
use dtest_sorted::SortedSet;

/// The live variables at the start of each block.
pub(super) struct Live(Vec<SortedSet<Var>>);

impl Live {
    /// The live variables of a procedure. Arguments for `unused` parameters are not read.
    pub(super) fn new(procedure: &Procedure, unused: &Unused) -> Self {
        let mut live = Self(vec![SortedSet::new(); procedure.blocks.len()]);
        // Iterates to the least fixed point, from the last block backwards.
        let mut again = true;
        while again {
            again = false;
            for (at, block) in procedure.blocks.iter().enumerate().rev() {
                // Everything that is live at the start of a successor is live at the end.
                let next = block.terminator.successors();
                let mut vars: SortedSet<Var> = next.into_iter().flat_map(|b| live.at(b)).collect();
                match &block.terminator {
                    Terminator::Branch { cond, .. } => read(cond, &mut vars, unused),
                    Terminator::Choose { open, .. } => {
                        open.iter().for_each(|e| read(e, &mut vars, unused))
                    }
                    Terminator::Return => vars.extend(&procedure.outs),
                    Terminator::Goto(_) | Terminator::Stop => {}
                }
                block
                    .stmts
                    .iter()
                    .rev()
                    .for_each(|stmt| step_back(stmt, &mut vars, unused));
                if let Some(before) = live.0.get_mut(at).filter(|before| **before != vars) {
                    *before = vars;
                    again = true;
                }
            }
        }
        live
    }

    /// The live variables at the start of a block.
    pub(super) fn at(&self, block: BlockId) -> SortedSet<Var> {
        self.0.get(block.0 as usize).cloned().unwrap_or_default()
    }
}

/// Updates the live variables from after a statement to before it.
fn step_back(stmt: &Stmt, live: &mut SortedSet<Var>, unused: &Unused) {
    // The value of a variable that is not read may still fail.
    let is_unread = matches!(&stmt.kind, StmtKind::Assign { var, value } if !live.contains(var) && is_total(value));
    let is_assertion =
        matches!(&stmt.kind, StmtKind::Assert { kind, .. } if *kind != AssertKind::MissingCase);
    let is_note = matches!(
        stmt.kind,
        StmtKind::Assume { .. } | StmtKind::Probe { .. } | StmtKind::Snapshot(_)
    );
    if is_unread || is_assertion || is_note {
        return;
    }
    // An assigned variable is dead before the statement, unless its operands read it.
    stmt.assigned().iter().for_each(|v| {
        live.remove(v);
    });
    let operands = if let StmtKind::Call { callee, args, .. } = &stmt.kind {
        unused.used_arguments(*callee, args)
    } else {
        stmt.operands()
    };
    operands.into_iter().for_each(|e| read(e, live, unused));
}

/// Adds the variables that an expression mentions.
fn read(e: &Expr, vars: &mut SortedSet<Var>, unused: &Unused) {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let ExprKind::Var(v) = &e.kind {
            vars.insert(*v);
        }
        work.extend(unused.used_parts(e));
    }
}
