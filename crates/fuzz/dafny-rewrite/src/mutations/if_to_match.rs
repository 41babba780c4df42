//! Converts an `if` statement or expression to a `match` over its condition. Dafny 2 supports
//! matches over datatypes only.

use dafny_syntax::ast::{
    Block, Expr, ExprCase, ExprKind, File, Guard, Pattern, PatternKind, Span, Stmt, StmtCase,
    StmtKind,
};

use super::find::{in_exprs, in_lists};
use crate::build::{boolean, expr, paren};
use crate::driver::Dialect;
use crate::edit::{replace_expr, replace_stmt};
use crate::mutation::{Place, Work};

/// The `if` statements and expressions with a condition.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    if work.dialect == Dialect::Two {
        return Vec::new();
    }
    let mut found = in_lists(work, |_, stmts, at| {
        let s = stmts.get(at)?;
        let new = statement(s)?;
        Some(Place::new(s.span, move |_, _| {
            let mut file = work.file.clone();
            replace_stmt(&mut file, s.span, |_| vec![new.clone()]).then_some(file)
        }))
    });
    found.extend(in_exprs(work, |_, e| {
        let new = expression(e)?;
        Some(Place::new(e.span, move |_, _| {
            changed(work.file, e.span, &new)
        }))
    }));
    found.sort_by_key(|p| p.span);
    found
}

fn changed(file: &File, place: Span, new: &Expr) -> Option<File> {
    let mut file = file.clone();
    replace_expr(&mut file, place, |_| paren(new.clone())).then_some(file)
}

fn truth(b: bool) -> Pattern {
    Pattern {
        kind: PatternKind::Literal(Box::new(boolean(b))),
        span: Span::default(),
    }
}

fn statement(s: &Stmt) -> Option<Stmt> {
    let StmtKind::If {
        guard: Guard::Expr(cond),
        then,
        els,
    } = &s.kind
    else {
        return None;
    };
    let case = |b: bool, body: Vec<Stmt>| StmtCase {
        attributes: Vec::new(),
        pattern: truth(b),
        body,
        span: Span::default(),
    };
    let otherwise = match els.as_deref() {
        None => Vec::new(),
        Some(Stmt {
            kind: StmtKind::Block(Block { stmts, .. }),
            labels,
            attributes,
            ..
        }) if labels.is_empty() && attributes.is_empty() => stmts.clone(),
        Some(other) => vec![other.clone()],
    };
    let cases = vec![case(true, then.stmts.clone()), case(false, otherwise)];
    let kind = StmtKind::Match {
        scrutinee: cond.clone(),
        cases,
        braces: true,
    };
    // Attributes of an `if`, for example about its verification, need not be valid on a `match`.
    s.attributes.is_empty().then(|| Stmt { kind, ..s.clone() })
}

fn expression(e: &Expr) -> Option<Expr> {
    let ExprKind::If { guard, then, els } = &e.kind else {
        return None;
    };
    let Guard::Expr(cond) = &**guard else {
        return None;
    };
    let case = |b: bool, body: &Expr| ExprCase {
        attributes: Vec::new(),
        pattern: truth(b),
        body: body.clone(),
        span: Span::default(),
    };
    let cases = vec![case(true, then), case(false, els)];
    Some(expr(ExprKind::Match {
        scrutinee: Box::new(cond.clone()),
        cases,
        braces: true,
    }))
}
