//! Bodies with `...`: statements of the refining body are matched with those of the base in order.

use crate::syntax::ast::{Block, Expr, Guard, Stmt, StmtKind};

/// The body of a refining method: the new one with the base's statements put in for every `...`.
pub(super) fn merge_bodies(old: Option<Block>, new: Option<Block>) -> Option<Block> {
    match (old, new) {
        (Some(old), Some(new)) if has_skeleton(&new.stmts) => Some(merge_block(&old, new)),
        (old, new) => new.or(old),
    }
}

fn has_skeleton(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Skeleton => true,
        StmtKind::Assert { cond, .. } | StmtKind::Expect { cond, .. } => cond.is_none(),
        StmtKind::Assume(cond) => cond.is_none(),
        StmtKind::If { guard, then, els } => {
            matches!(guard, Guard::Skeleton) || has_skeleton(&then.stmts) || els.as_deref().is_some_and(|e| has_skeleton(std::slice::from_ref(e)))
        }
        StmtKind::While { guard, body, .. } => matches!(guard, Guard::Skeleton) || body.as_ref().is_some_and(|b| has_skeleton(&b.stmts)),
        StmtKind::Block(b) => has_skeleton(&b.stmts),
        StmtKind::Modify { body, .. } => body.as_ref().is_some_and(|b| has_skeleton(&b.stmts)),
        StmtKind::Print(_)
        | StmtKind::VarDecl(_)
        | StmtKind::VarPattern { .. }
        | StmtKind::Update(_)
        | StmtKind::IfCase(_)
        | StmtKind::WhileCase { .. }
        | StmtKind::For { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Match { .. }
        | StmtKind::Break { .. }
        | StmtKind::Return(_)
        | StmtKind::Yield(_)
        | StmtKind::Reveal(_)
        | StmtKind::Hide(_)
        | StmtKind::Calc { .. }
        | StmtKind::Opaque { .. }
        | StmtKind::By { .. } => false,
    })
}

fn merge_block(old: &Block, new: Block) -> Block {
    let mut old_at = 0;
    let mut stmts = Vec::new();
    let mut rest = new.stmts.into_iter().peekable();
    while let Some(stmt) = rest.next() {
        if matches!(stmt.kind, StmtKind::Skeleton) {
            // Takes statements of the base up to one that the next statement here matches.
            let next = rest.peek();
            while let Some(o) = old.stmts.get(old_at) {
                if next.is_some_and(|n| matches_old(n, o)) {
                    break;
                }
                stmts.push(o.clone());
                old_at += 1;
            }
            continue;
        }
        let counterpart = old.stmts.get(old_at).filter(|o| matches_old(&stmt, o));
        match counterpart {
            Some(o) => {
                old_at += 1;
                stmts.push(merge_stmt(o, stmt));
            }
            None => stmts.push(stmt),
        }
    }
    Block { stmts, divided_at: new.divided_at.or(old.divided_at), span: new.span }
}

/// Whether a statement of the refining body stands for that statement of the base.
fn matches_old(new: &Stmt, old: &Stmt) -> bool {
    let labels = || new.labels.iter().map(|l| &l.name).eq(old.labels.iter().map(|l| &l.name)) || new.labels.is_empty();
    match (&new.kind, &old.kind) {
        (StmtKind::Assert { cond: None, label: n, .. }, StmtKind::Assert { label: o, .. }) => {
            n.is_none() || n.as_ref().map(|l| &l.name) == o.as_ref().map(|l| &l.name)
        }
        (StmtKind::Assert { cond: None, .. }, StmtKind::Assume(_)) => labels(),
        (StmtKind::Assume(None), StmtKind::Assume(_)) | (StmtKind::Expect { cond: None, .. }, StmtKind::Expect { .. }) => labels(),
        (StmtKind::If { guard: Guard::Skeleton, .. }, StmtKind::If { .. }) => labels(),
        (StmtKind::If { guard: Guard::Expr(_), .. }, StmtKind::If { guard: Guard::Star, .. }) => labels(),
        (StmtKind::While { guard: Guard::Skeleton, .. }, StmtKind::While { .. }) => labels(),
        (StmtKind::While { guard: Guard::Expr(_), .. }, StmtKind::While { guard: Guard::Star, .. }) => labels(),
        (StmtKind::Block(_), StmtKind::Block(_)) => labels(),
        (StmtKind::Modify { frame, .. }, StmtKind::Modify { .. }) => frame.is_empty(),
        (StmtKind::VarDecl(n), StmtKind::VarDecl(o)) => n.vars.iter().map(|v| &v.name.name).eq(o.vars.iter().map(|v| &v.name.name)),
        (StmtKind::Update(n), StmtKind::Update(o)) => {
            !n.lhs.is_empty() && n.lhs.iter().map(plain_name).eq(o.lhs.iter().map(plain_name)) && n.lhs.iter().all(|e| plain_name(e).is_some())
        }
        _ => false,
    }
}

fn plain_name(e: &Expr) -> Option<crate::source::Name> {
    match &e.kind {
        crate::syntax::ast::ExprKind::Name { name, .. } => Some(name.name.clone()),
        _ => None,
    }
}

fn merge_stmt(old: &Stmt, new: Stmt) -> Stmt {
    let Stmt { labels, attributes, kind, span } = new;
    let labels = if labels.is_empty() { old.labels.clone() } else { labels };
    let kind = match (kind, &old.kind) {
        (StmtKind::Assert { cond: None, by, .. }, StmtKind::Assert { cond, label, by: old_by }) => {
            StmtKind::Assert { label: label.clone(), cond: cond.clone(), by: by.or_else(|| old_by.clone()) }
        }
        (StmtKind::Assert { cond: None, by, label }, StmtKind::Assume(cond)) => StmtKind::Assert { label, cond: cond.clone(), by },
        (StmtKind::Assume(None), StmtKind::Assume(cond)) => StmtKind::Assume(cond.clone()),
        (StmtKind::Expect { cond: None, message }, StmtKind::Expect { cond, message: old_message }) => {
            StmtKind::Expect { cond: cond.clone(), message: message.or_else(|| old_message.clone()) }
        }
        (StmtKind::If { guard, then, els }, StmtKind::If { guard: og, then: ot, els: oe }) => StmtKind::If {
            guard: merge_guard(guard, og),
            then: merge_block(ot, then),
            els: match (els, oe) {
                (Some(n), Some(o)) => Some(Box::new(merge_stmt(o, *n))),
                (n, o) => n.or_else(|| o.clone()),
            },
        },
        (StmtKind::While { guard, mut spec, body }, StmtKind::While { guard: og, spec: os, body: ob }) => {
            spec.clauses.splice(0..0, os.clauses.iter().cloned());
            let body = match (body, ob) {
                (Some(n), Some(o)) => Some(merge_block(o, n)),
                (n, o) => n.or_else(|| o.clone()),
            };
            StmtKind::While { guard: merge_guard(guard, og), spec, body }
        }
        (StmtKind::Block(n), StmtKind::Block(o)) => StmtKind::Block(merge_block(o, n)),
        (StmtKind::Modify { body, .. }, StmtKind::Modify { frame, body: ob }) => {
            let body = match (body, ob) {
                (Some(n), Some(o)) => Some(merge_block(o, n)),
                (n, o) => n.or_else(|| o.clone()),
            };
            StmtKind::Modify { frame: frame.clone(), body }
        }
        (kind, _) => kind,
    };
    Stmt { labels, attributes, kind, span }
}

fn merge_guard(new: Guard, old: &Guard) -> Guard {
    match new {
        Guard::Skeleton => old.clone(),
        Guard::Expr(_) | Guard::Star | Guard::Binding { .. } => new,
    }
}
