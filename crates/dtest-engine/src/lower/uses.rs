//! Which variables a block reads as other blocks left them.

use std::collections::BTreeSet;

use crate::ir::{ArrayInit, Block, Expr, ExprKind, Quantified, Stmt, StmtKind, StoreTarget, Terminator, Var};

/// Adds the variables that a block reads before it assigns them.
pub(super) fn exposed(block: &Block, into: &mut BTreeSet<Var>) {
    let mut reads = Reads { assigned: BTreeSet::new(), into };
    for stmt in &block.stmts {
        reads.stmt(stmt);
    }
    match &block.terminator {
        Terminator::Branch { cond, .. } | Terminator::Choose { open: Some(cond), .. } => reads.expr(cond),
        Terminator::Goto(_) | Terminator::Choose { open: None, .. } | Terminator::Return | Terminator::Stop => {}
    }
}

struct Reads<'a> {
    assigned: BTreeSet<Var>,
    into: &'a mut BTreeSet<Var>,
}

impl Reads<'_> {
    fn expr(&mut self, e: &Expr) {
        let (mut read, mut bound) = (BTreeSet::new(), BTreeSet::new());
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::Var(v) => {
                    read.insert(*v);
                }
                ExprKind::Let(v, ..) => {
                    bound.insert(*v);
                }
                ExprKind::LetSuchThat(q, _)
                | ExprKind::IfSuchThat(q, ..)
                | ExprKind::SetComp(q, _)
                | ExprKind::MapComp(q, ..)
                | ExprKind::Quantifier { vars: q, .. } => bound.extend(&q.vars),
                ExprKind::Literal(_)
                | ExprKind::Op(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Implies(..)
                | ExprKind::If(..)
                | ExprKind::Call { .. }
                | ExprKind::Const { .. }
                | ExprKind::Apply(..)
                | ExprKind::Lambda { .. }
                | ExprKind::Delay { .. }
                | ExprKind::FunctionRef { .. }
                | ExprKind::ReadField(..)
                | ExprKind::ReadElement(..)
                | ExprKind::Old(..)
                | ExprKind::Fresh(..)
                | ExprKind::Allocated(_)
                | ExprKind::Unchanged(..)
                | ExprKind::Convert(_)
                | ExprKind::Is(..)
                | ExprKind::Checked(..)
                | ExprKind::OfContract { .. }
                | ExprKind::Unsupported(_) => {}
            }
            work.extend(e.children());
        }
        self.into.extend(read.into_iter().filter(|v| !bound.contains(v) && !self.assigned.contains(v)));
    }

    fn exprs<'e>(&mut self, es: impl IntoIterator<Item = &'e Expr>) {
        es.into_iter().for_each(|e| self.expr(e));
    }

    /// Bound variables have no value outside of `work`.
    fn binding(&mut self, q: &Quantified, work: impl FnOnce(&mut Self)) {
        let before = self.assigned.clone();
        self.assigned.extend(&q.vars);
        self.exprs(q.bounds.iter().flatten().flat_map(|(_, d)| d.operands()));
        self.exprs(q.range.as_deref());
        work(self);
        self.assigned = before;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assume { cond: e, .. } | StmtKind::Assert { cond: e, .. } => self.expr(e),
            StmtKind::Assign { var, value } => {
                self.expr(value);
                self.assigned.insert(*var);
            }
            StmtKind::Havoc(var) | StmtKind::New { var, .. } => {
                self.assigned.insert(*var);
            }
            StmtKind::Call { args, outs, .. } => {
                self.exprs(args);
                self.assigned.extend(outs.iter().flatten());
            }
            StmtKind::NewArray { var, dims, init, .. } => {
                self.exprs(dims);
                match init {
                    ArrayInit::Default => {}
                    ArrayInit::Function(f) => self.expr(f),
                    ArrayInit::Elements(es) => self.exprs(es),
                }
                self.assigned.insert(*var);
            }
            StmtKind::SetField { object, value, .. } | StmtKind::Redefine { object, value, .. } => self.exprs([object, value]),
            StmtKind::SetElement { array, indices, value } => self.exprs([array, value].into_iter().chain(indices)),
            StmtKind::ForallStore { vars, target, value } => self.binding(vars, |r| {
                match target {
                    StoreTarget::Field(o, _) => r.expr(o),
                    StoreTarget::Element(a, is) => r.exprs([a].into_iter().chain(is)),
                }
                r.expr(value);
            }),
            StmtKind::SuchThat(q) => {
                self.binding(q, |_| ());
                self.assigned.extend(&q.vars);
            }
            StmtKind::Print(es) => self.exprs(es),
            StmtKind::Expect { cond, message } => self.exprs([cond].into_iter().chain(message)),
            StmtKind::HavocHeap(frames) => self.exprs(frames.iter().filter_map(|f| f.object.as_ref())),
            StmtKind::Save { object, .. } => self.expr(object),
            StmtKind::Answer { params, outs, .. } => {
                self.into.extend(params.iter().filter(|v| !self.assigned.contains(v)));
                self.assigned.extend(outs);
            }
            StmtKind::Restore { object, vars } => {
                self.expr(object);
                self.assigned.extend(vars.iter().map(|(_, v)| *v));
            }
            StmtKind::Probe { cond, .. } => self.expr(cond),
            StmtKind::Snapshot(_) | StmtKind::Unsupported { .. } => {}
        }
    }
}
