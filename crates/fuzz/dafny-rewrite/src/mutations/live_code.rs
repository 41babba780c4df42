//! Saves a variable, assigns another value, and restores it. The variable is initialized, and
//! nothing reads it in between. The other value is that of another variable of the same type, or a
//! literal if the type has no constraint.

use dafny_resolve::typed::Type;
use dafny_syntax::ast::{Expr, File, Span, Stmt, StmtKind};

use super::variables::{Scope, Variable, scopes};
use crate::build::{assign, boolean, declare, int, rhs, var};
use crate::edit::edit_list;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;

/// The scopes with initialized variables.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let place = |scope: Scope<'w>| {
        let first = scope.stmts.first().map(|s| s.span)?;
        Some(Place::new(first, move |rng, names| {
            change(work.file, &scope, rng, names)
        }))
    };
    scopes(work, |_, _, _| true)
        .into_iter()
        .filter_map(place)
        .collect()
}

fn change(file: &File, scope: &Scope<'_>, rng: &mut Random, names: &mut Names) -> Option<File> {
    let one = rng.pick(&scope.variables)?.clone();
    if scope
        .variables
        .iter()
        .any(|v| v.name == one.name && v.local != one.local)
    {
        return None;
    }
    // After the statement that initializes it, and before one that leaves the scope.
    let behind: Vec<(usize, Span)> = scope
        .stmts
        .iter()
        .enumerate()
        .skip(one.ready)
        .take_while(|(_, s)| !leaves(s))
        .map(|(i, s)| (i, s.span))
        .collect();
    let (at, place) = *rng.pick(&behind)?;
    let other = value(&one, scope, at, scope.cx.hidden, rng)?;
    let saved = names.fresh("saved");
    let new = [
        declare(one.ghost, &saved, None, rhs(var(&one.name))),
        assign(var(&one.name), other),
        assign(var(&one.name), var(&saved)),
    ];
    let mut file = file.clone();
    edit_list(&mut file, place, |stmts, at| {
        stmts.splice(at + 1..at + 1, new);
    })
    .then_some(file)
}

fn leaves(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Return(_) | StmtKind::Break { .. })
}

fn value(
    one: &Variable,
    scope: &Scope<'_>,
    at: usize,
    hidden: bool,
    rng: &mut Random,
) -> Option<Expr> {
    let alike = |v: &&Variable| {
        v.local != one.local && v.ty == one.ty && v.ghost == one.ghost && v.ready <= at
    };
    let is_clear = |v: &&Variable| {
        scope
            .variables
            .iter()
            .all(|o| o.name != v.name || o.local == v.local)
    };
    let others: Vec<&Variable> = scope
        .variables
        .iter()
        .filter(alike)
        .filter(is_clear)
        .collect();
    match (rng.pick(&others), &one.ty) {
        (Some(other), _) => Some(var(&other.name)),
        // If the type is not fully visible, neither are its values.
        (None, Type::Int) if !hidden => Some(int(rng.below(10) as i64)),
        (None, Type::Bool) if !hidden => Some(boolean(rng.flip())),
        (None, _) => None,
    }
}
