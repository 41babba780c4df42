//! Splits and joins conjunctions: `requires A && B` is equivalent to `requires A` and `requires B`,
//! `assert A && B;` to two assertions, and `if A && B { … }` without `else` to nested `if`
//! statements.
//!
//! In both forms, `B` is evaluated only if `A` holds. Clauses with labels or attributes are
//! unchanged. So are contracts of extreme predicates and lemmas, from which the language derives
//! others.

use dafny_syntax::ast::{
    BinaryOp, Clause, ClauseKind, Expr, ExprKind, File, FunctionKind, Guard, Member, MethodKind,
    Span, Spec, Stmt, StmtKind,
};
use dafny_syntax::visit::{Node, VisitMut};

use super::find::in_lists;
use crate::build::{assert, binary, block, if_then, paren};
use crate::edit::replace_stmt;
use crate::mutation::{Place, Work};
use crate::scan::{Context, Look, scan};

/// Clauses, assertions and conditions that are conjunctions, and clauses after others of the same
/// kind.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    let mut found = find.found;
    found.extend(in_lists(work, |_, stmts, at| {
        statement(work, stmts.get(at)?)
    }));
    found.sort_by_key(|p| p.span);
    found
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Place<'w>>,
}

impl<'w> Find<'w> {
    fn spec(&mut self, spec: &'w Spec) {
        let work = self.work;
        for (at, clause) in spec.clauses.iter().enumerate() {
            let Some(cond) = condition(clause) else {
                continue;
            };
            if halves(cond).is_some() {
                self.found.push(Place::new(clause.span, move |_, _| {
                    edit_clauses(work.file, clause.span, split)
                }));
            }
            let before = at.checked_sub(1).and_then(|b| spec.clauses.get(b));
            let is_alike = |b: &Clause| {
                condition(b).is_some()
                    && std::mem::discriminant(&b.kind) == std::mem::discriminant(&clause.kind)
            };
            if before.is_some_and(|b| is_alike(b) && b.is_yield == clause.is_yield) {
                self.found.push(Place::new(clause.span, move |_, _| {
                    edit_clauses(work.file, clause.span, join)
                }));
            }
        }
    }
}

impl<'w> Look<'w> for Find<'w> {
    fn member(&mut self, _: &Context<'w>, member: &'w Member) {
        if let Some(spec) = contract(member) {
            self.spec(spec);
        }
    }

    fn stmts(&mut self, _: &Context<'w>, stmts: &'w [Stmt]) {
        for s in stmts {
            if let StmtKind::While { spec, .. }
            | StmtKind::WhileCase { spec, .. }
            | StmtKind::For { spec, .. } = &s.kind
            {
                self.spec(spec);
            }
        }
    }
}

fn contract(member: &Member) -> Option<&Spec> {
    match member {
        Member::Method(m)
            if !matches!(m.kind, MethodKind::LeastLemma | MethodKind::GreatestLemma) =>
        {
            Some(&m.spec)
        }
        Member::Function(f)
            if !matches!(
                f.kind,
                FunctionKind::LeastPredicate | FunctionKind::GreatestPredicate
            ) =>
        {
            Some(&f.spec)
        }
        Member::Method(_) | Member::Function(_) | Member::Field(_) | Member::Const(_) => None,
    }
}

/// The condition of a clause that can be split.
fn condition(clause: &Clause) -> Option<&Expr> {
    if !clause.attributes.is_empty() || clause.label.is_some() {
        return None;
    }
    match &clause.kind {
        ClauseKind::Requires(e) | ClauseKind::Ensures(e) | ClauseKind::Invariant(e) => Some(e),
        ClauseKind::Reads(_) | ClauseKind::Modifies(_) | ClauseKind::Decreases(_) => None,
    }
}

fn halves(e: &Expr) -> Option<(&Expr, &Expr)> {
    if let ExprKind::Binary(BinaryOp::And, a, b) = &e.without_parens().kind {
        Some((a, b))
    } else {
        None
    }
}

fn with(clause: &Clause, cond: Expr) -> Clause {
    let kind = match &clause.kind {
        ClauseKind::Requires(_) => ClauseKind::Requires(cond),
        ClauseKind::Ensures(_) => ClauseKind::Ensures(cond),
        ClauseKind::Invariant(_) => ClauseKind::Invariant(cond),
        other @ (ClauseKind::Reads(_) | ClauseKind::Modifies(_) | ClauseKind::Decreases(_)) => {
            other.clone()
        }
    };
    Clause {
        kind,
        ..clause.clone()
    }
}

fn split(clauses: &mut Vec<Clause>, at: usize) -> Option<()> {
    let clause = clauses.get(at)?.clone();
    let (a, b) = halves(condition(&clause)?)?;
    clauses.splice(
        at..=at,
        [with(&clause, a.clone()), with(&clause, b.clone())],
    );
    Some(())
}

fn join(clauses: &mut Vec<Clause>, at: usize) -> Option<()> {
    let (before, clause) = (
        clauses.get(at.checked_sub(1)?)?.clone(),
        clauses.get(at)?.clone(),
    );
    let both = binary(
        BinaryOp::And,
        paren(condition(&before)?.clone()),
        paren(condition(&clause)?.clone()),
    );
    clauses.splice(at - 1..=at, [with(&before, both)]);
    Some(())
}

/// Edits the contract that contains the clause at a place.
fn edit_clauses(
    file: &File,
    place: Span,
    edit: fn(&mut Vec<Clause>, usize) -> Option<()>,
) -> Option<File> {
    struct Edit(Span, fn(&mut Vec<Clause>, usize) -> Option<()>, Option<()>);
    impl Edit {
        fn spec(&mut self, spec: &mut Spec) {
            if let Some(at) = spec
                .clauses
                .iter()
                .position(|c| c.span == self.0)
                .filter(|_| self.2.is_none())
            {
                self.2 = (self.1)(&mut spec.clauses, at);
            }
        }
    }
    impl VisitMut for Edit {
        fn member(&mut self, node: &mut Member) {
            match node {
                Member::Method(m) => self.spec(&mut m.spec),
                Member::Function(f) => self.spec(&mut f.spec),
                Member::Field(_) | Member::Const(_) => {}
            }
            node.walk_mut(self);
        }
        fn stmt(&mut self, node: &mut Stmt) {
            if let StmtKind::While { spec, .. }
            | StmtKind::WhileCase { spec, .. }
            | StmtKind::For { spec, .. } = &mut node.kind
            {
                self.spec(spec);
            }
            node.walk_mut(self);
        }
        fn expr(&mut self, _: &mut Expr) {}
    }
    let mut file = file.clone();
    let mut change = Edit(place, edit, None);
    file.decls.walk_mut(&mut change);
    change.2.map(|()| file)
}

/// The place of an assertion of a conjunction, or of an `if` with one.
fn statement<'w>(work: &'w Work<'w>, s: &'w Stmt) -> Option<Place<'w>> {
    if !s.attributes.is_empty() || !s.labels.is_empty() {
        return None;
    }
    let new = if let StmtKind::Assert {
        label: None,
        cond: Some(cond),
        by: None,
    } = &s.kind
    {
        let (a, b) = halves(cond)?;
        vec![assert(a.clone()), assert(b.clone())]
    } else if let StmtKind::If {
        guard: Guard::Expr(cond),
        then,
        els: None,
    } = &s.kind
    {
        let (a, b) = halves(cond)?;
        vec![if_then(
            a.clone(),
            block(vec![if_then(b.clone(), then.clone())]),
        )]
    } else {
        return None;
    };
    Some(Place::new(s.span, move |_, _| {
        let mut file = work.file.clone();
        replace_stmt(&mut file, s.span, |_| new.clone()).then_some(file)
    }))
}
