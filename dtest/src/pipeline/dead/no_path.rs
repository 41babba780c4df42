//! The reasons why the source has no path to a block: jumps and patterns before it.

use dafny_resolve::typed::visit::{Visit, walk_block, walk_expr, walk_stmt};
use dafny_resolve::typed::{Block, Body, Expr, ExprKind, Pattern, PatternKind, Stmt, StmtKind};
use dafny_source::Span;
use dtest_ir::{Goal, GoalReason};

/// Returns the locations that keep control from the goal, each with its effect.
pub(super) fn reasons(body: &Body, goal: &Goal) -> Vec<(Span, &'static str)> {
    let mut search = Search {
        goal,
        found: Vec::new(),
    };
    match body {
        Body::None => {}
        Body::Expr(e) => search.expr(e),
        Body::Block(b) | Body::ByMethod(_, b) => search.block(b),
    }
    search.found
}

struct Search<'g> {
    goal: &'g Goal,
    /// The reasons of the innermost construct that has some.
    found: Vec<(Span, &'static str)>,
}

impl Search<'_> {
    /// If the goal is one of these cases: finds the earlier cases that cover it.
    fn cases(&mut self, patterns: &[&Pattern]) {
        let GoalReason::Case { pattern } = self.goal.reason else {
            return;
        };
        let Some(at) = patterns.iter().position(|p| p.span == pattern) else {
            return;
        };
        let Some((own, earlier)) = patterns.get(at).zip(patterns.get(..at)) else {
            return;
        };
        self.found = match earlier.iter().find(|p| covers(p, own)) {
            Some(p) => vec![(p.span, "this case already matches all values of that one")],
            None => earlier
                .iter()
                .map(|p| (p.span, "this case comes first"))
                .collect(),
        };
    }
}

impl<'t> Visit<'t> for Search<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Match { cases, .. } = &e.kind {
            self.cases(&cases.iter().map(|c| &c.pattern).collect::<Vec<_>>());
        }
        walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Match { cases, .. } = &s.kind {
            self.cases(&cases.iter().map(|c| &c.pattern).collect::<Vec<_>>());
        }
        walk_stmt(self, s);
    }

    fn block(&mut self, b: &'t Block) {
        let at = b.stmts.iter().position(|s| {
            s.span.start <= self.goal.span.start && self.goal.span.start <= s.span.end
        });
        let before = at.and_then(|at| b.stmts.get(..at)).unwrap_or_default();
        if let Some(leaving) = before.iter().find(|s| leaves(s)) {
            self.found = vec![(leaving.span, "control flow does not continue after this")];
        }
        walk_block(self, b);
    }
}

/// Whether `earlier` matches every value that `own` matches, judged by their shapes.
fn covers(earlier: &Pattern, own: &Pattern) -> bool {
    match (&earlier.kind, &own.kind) {
        (PatternKind::Wildcard | PatternKind::Var(_), _) => true,
        (PatternKind::Ctor { ctor: a, args: xs }, PatternKind::Ctor { ctor: b, args: ys }) => {
            a == b && xs.iter().zip(ys).all(|(x, y)| covers(x, y))
        }
        (PatternKind::Tuple(xs), PatternKind::Tuple(ys)) => {
            xs.iter().zip(ys).all(|(x, y)| covers(x, y))
        }
        (PatternKind::Or(ps), _) => ps.iter().any(|p| covers(p, own)),
        (_, PatternKind::Or(ps)) => ps.iter().all(|p| covers(earlier, p)),
        (PatternKind::Value(a), PatternKind::Value(b)) => {
            matches!((&a.kind, &b.kind), (ExprKind::Literal(a), ExprKind::Literal(b)) if a == b)
        }
        (PatternKind::Ctor { .. } | PatternKind::Tuple(_) | PatternKind::Value(_), _) => false,
    }
}

/// Whether control never reaches the end of a statement, judged by jumps.
fn leaves(s: &Stmt) -> bool {
    let block = |b: &Block| b.stmts.iter().any(leaves);
    match &s.kind {
        StmtKind::Return | StmtKind::Break { .. } => true,
        StmtKind::Block(b) => s.labels.is_empty() && block(b),
        StmtKind::If { then, els, .. } => {
            s.labels.is_empty() && block(then) && els.as_deref().is_some_and(leaves)
        }
        StmtKind::IfCase(cases) => s.labels.is_empty() && cases.iter().all(|c| block(&c.body)),
        StmtKind::Match { cases, .. } => {
            s.labels.is_empty() && cases.iter().all(|c| block(&c.body))
        }
        StmtKind::Assert { .. }
        | StmtKind::Assume(_)
        | StmtKind::Expect { .. }
        | StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::Assign { .. }
        | StmtKind::AssignPattern { .. }
        | StmtKind::Call { .. }
        | StmtKind::SuchThat { .. }
        | StmtKind::AssignOrFail(_)
        | StmtKind::While { .. }
        | StmtKind::WhileCase { .. }
        | StmtKind::For { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Yield
        | StmtKind::Modify { .. }
        | StmtKind::Reveal(_)
        | StmtKind::Calc { .. }
        | StmtKind::Error => false,
    }
}
