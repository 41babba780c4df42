//! Inserts a copy of a statement that is never executed, `if false { … }`, before the statement.
//! Declarations in the copy are local to it. Statements with labels are not copied.

use dafny_syntax::ast::{BinaryOp, Expr, Guard, Stmt, StmtKind};

use super::find::{has_labels, in_lists};
use crate::build::{binary, block, boolean, if_then, int};
use crate::edit::edit_list;
use crate::mutation::{Place, Work};
use crate::random::Random;

/// The statements that declare nothing for later statements.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    in_lists(work, |_, stmts, at| {
        let s = stmts.get(at)?;
        let is_closed = !matches!(
            s.kind,
            StmtKind::VarDecl(_)
                | StmtKind::VarPattern { .. }
                | StmtKind::Reveal(_)
                | StmtKind::Hide(_)
        );
        if !is_closed || has_labels(s) {
            return None;
        }
        Some(Place::new(s.span, move |rng, _| {
            let (mut file, never) = (work.file.clone(), never(s, rng));
            edit_list(&mut file, s.span, |stmts, at| {
                let copy = if_then(never, block(vec![s.clone()]));
                stmts.insert(at, copy);
            })
            .then_some(file)
        }))
    })
}

/// A condition that is never true. For an `if`, sometimes the conjunction of its condition and the
/// negation.
fn never(s: &Stmt, rng: &mut Random) -> Expr {
    if let StmtKind::If {
        guard: Guard::Expr(cond),
        ..
    } = &s.kind
        && rng.flip()
    {
        let cond = crate::build::paren(cond.clone());
        return binary(BinaryOp::And, cond.clone(), crate::build::not(cond));
    }
    match rng.below(3) {
        0 => boolean(false),
        1 => binary(BinaryOp::Gt, int(0), int(1)),
        _other => binary(BinaryOp::Eq, boolean(true), boolean(false)),
    }
}
