//! Variables that a block reads before it assigns them.

use dtest_ir::{Block, Expr, ExprKind, Stmt, StmtKind, Terminator, Var};
use dtest_sorted::SortedSet;

/// Adds the variables that a block reads before it assigns them.
pub(super) fn exposed(block: &Block, into: &mut SortedSet<Var>) {
    let mut reads = Reads {
        assigned: SortedSet::new(),
        into,
    };
    for stmt in &block.stmts {
        reads.stmt(stmt);
    }
    match &block.terminator {
        Terminator::Branch { cond, .. }
        | Terminator::Choose {
            open: Some(cond), ..
        } => reads.expr(cond, &[]),
        Terminator::Goto(_)
        | Terminator::Choose { open: None, .. }
        | Terminator::Return
        | Terminator::Stop => {}
    }
}

struct Reads<'a> {
    assigned: SortedSet<Var>,
    into: &'a mut SortedSet<Var>,
}

impl Reads<'_> {
    /// Adds the free variables of an expression, except those in `outer`.
    fn expr(&mut self, e: &Expr, outer: &[Var]) {
        let (mut read, mut bound) = (SortedSet::new(), SortedSet::<Var>::new());
        bound.extend(outer);
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if let ExprKind::Var(v) = &e.kind {
                read.insert(*v);
            }
            bound.extend(e.bound());
            work.extend(e.children());
        }
        self.into.extend(
            read.into_iter()
                .filter(|v| !bound.contains(v) && !self.assigned.contains(v)),
        );
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let bound = stmt.quantified().map_or(&[][..], |q| &q.vars);
        stmt.operands()
            .into_iter()
            .for_each(|e| self.expr(e, bound));
        if let StmtKind::Answer { params, .. } = &stmt.kind {
            self.into
                .extend(params.iter().filter(|v| !self.assigned.contains(v)));
        }
        self.assigned.extend(stmt.assigned());
    }
}
