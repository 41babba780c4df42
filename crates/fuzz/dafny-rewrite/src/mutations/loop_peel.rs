//! Moves the first iteration of a `while` loop before it, into an `if`.
//!
//! The invariants are asserted before the `if`, since the original loop checks them there. The
//! remaining loop keeps its whole contract, so that measure and frame are checked as before. In the
//! copied body, jumps whose count includes this loop count one less. A `continue` of the loop
//! leaves the `if` by a label. So does a `break`, which also sets a flag such that the remaining
//! loop is not entered. Jumps by the loop's own label are treated alike, which figures 7.3 to 7.7
//! of the thesis omit. A loop whose label names a state (`old@L`) is unchanged.

use dafny_syntax::ast::{
    Clause, ClauseKind, Expr, ExprKind, File, Guard, Ident, Name, Stmt, StmtKind,
};
use dafny_syntax::visit::{Node, Visit};

use crate::build::{
    assert, assign, block, boolean, break_to, declare, ident, if_then, not, rhs, stmt, var,
};
use crate::edit::replace_stmt;
use crate::jumps::{self, Jump};
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::scan::{Context, Look, scan};

/// The `while` loops with a condition and a body.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        states: states(work.file),
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

struct Find<'w> {
    work: &'w Work<'w>,
    states: Vec<Name>,
    found: Vec<Place<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn stmts(&mut self, cx: &Context<'w>, stmts: &'w [Stmt]) {
        for s in stmts {
            let StmtKind::While {
                guard: Guard::Expr(_),
                body: Some(_),
                ..
            } = &s.kind
            else {
                continue;
            };
            if s.labels.iter().any(|l| self.states.contains(&l.name)) {
                continue;
            }
            let (work, ghost) = (self.work, cx.ghost || self.work.facts.is_ghost(s));
            self.found.push(Place::new(s.span, move |_, names| {
                let mut file = work.file.clone();
                replace_stmt(&mut file, s.span, |old| peel(old, ghost, names)).then_some(file)
            }));
        }
    }
}

/// The labels that expressions use for states.
fn states(file: &File) -> Vec<Name> {
    #[derive(Default)]
    struct States(Vec<Name>);
    impl<'t> Visit<'t> for States {
        fn expr(&mut self, node: &'t Expr) {
            let label: Option<&Ident> = if let ExprKind::Old { label, .. }
            | ExprKind::Fresh { label, .. }
            | ExprKind::Unchanged { label, .. } = &node.kind
            {
                label.as_ref()
            } else if let ExprKind::Call { at_label, .. } = &node.kind {
                at_label.as_ref()
            } else {
                None
            };
            self.0.extend(label.map(|l| l.name.clone()));
            node.walk(self);
        }
    }
    let mut states = States::default();
    file.walk(&mut states);
    states.0
}

fn peel(old: Stmt, ghost: bool, names: &mut Names) -> Vec<Stmt> {
    let StmtKind::While {
        guard: Guard::Expr(cond),
        spec,
        body: Some(body),
    } = &old.kind
    else {
        return vec![old];
    };
    let invariants = spec
        .clauses
        .iter()
        .filter_map(|Clause { kind, .. }| match kind {
            ClauseKind::Invariant(e) => Some(assert(e.clone())),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Reads(_)
            | ClauseKind::Modifies(_)
            | ClauseKind::Decreases(_) => None,
        });
    // The loop checks its invariants on entry, so the copy has to as well.
    let mut new: Vec<Stmt> = invariants.collect();
    let (breaks, continues) = (
        jumps::has(body, &old.labels, Jump::Break),
        jumps::has(body, &old.labels, Jump::Continue),
    );
    // Jumps of the peeled iteration leave the `if` by a label. A `break` also skips the remaining
    // loop.
    let label = (breaks || continues).then(|| names.fresh("iteration"));
    let flag = breaks.then(|| names.fresh("left"));
    let mut copy = body.clone();
    jumps::replace(&mut copy, &old.labels, &mut |jump, s| match jump {
        Jump::Break => {
            let note = flag.iter().map(|f| assign(var(f), boolean(true)));
            Some(note.chain(label.iter().map(|l| break_to(l))).collect())
        }
        Jump::Continue => Some(label.iter().map(|l| break_to(l)).collect()),
        Jump::Beyond => {
            let StmtKind::Break {
                is_continue,
                count,
                label,
            } = &s.kind
            else {
                return None;
            };
            let kind = StmtKind::Break {
                is_continue: *is_continue,
                count: count.saturating_sub(1),
                label: label.clone(),
            };
            Some(vec![stmt(kind)])
        }
    });
    new.extend(
        flag.iter()
            .map(|f| declare(ghost, f, None, rhs(boolean(false)))),
    );
    let mut peeled = if_then(cond.clone(), copy);
    peeled.labels.extend(label.iter().map(|l| ident(l)));
    new.push(peeled);
    new.push(match flag {
        Some(flag) => if_then(not(var(&flag)), block(vec![old])),
        None => old,
    });
    new
}
