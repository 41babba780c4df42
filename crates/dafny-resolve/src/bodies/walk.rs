//! Substitution in typed trees.

use rustc_hash::FxHashMap;

use crate::typed::rewrite::{Rewrite, walk_expr};
use crate::typed::{Expr, ExprKind, LocalId, Substitution, Type};

/// Replaces type parameters, parameters and `this`, to instantiate a default value at a call.
pub(super) struct Instantiate<'a> {
    pub(super) types: &'a Substitution,
    pub(super) locals: &'a FxHashMap<LocalId, Expr>,
    pub(super) this: Option<&'a Expr>,
}

impl Instantiate<'_> {
    pub(super) fn apply(&mut self, e: &mut Expr) {
        self.expr(e);
    }
}

impl Rewrite for Instantiate<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = ty.subst(self.types);
    }

    fn expr(&mut self, e: &mut Expr) {
        let value = if let ExprKind::Local(l) = &e.kind {
            self.locals.get(l)
        } else if let ExprKind::This = &e.kind {
            self.this
        } else {
            None
        };
        match value {
            Some(value) => *e = value.clone(),
            None => walk_expr(self, e),
        }
    }
}

/// Replaces places by variables.
pub(super) struct Replace<'a> {
    pub(super) places: &'a [(Expr, LocalId)],
    pub(super) found: fn(&Expr, &Expr) -> bool,
}

impl Replace<'_> {
    pub(super) fn apply(&mut self, e: &mut Expr) {
        if !self.places.is_empty() {
            self.expr(e);
        }
    }
}

impl Rewrite for Replace<'_> {
    fn expr(&mut self, e: &mut Expr) {
        match self.places.iter().find(|(p, _)| (self.found)(p, e)) {
            Some((_, local)) => e.kind = ExprKind::Local(*local),
            None => walk_expr(self, e),
        }
    }
}

/// Whether two expressions denote the same place by the same syntax.
pub(super) fn same_place(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::This, ExprKind::This) => true,
        (ExprKind::Literal(x), ExprKind::Literal(y)) => x == y,
        (
            ExprKind::Field {
                object: o,
                field: f,
                ..
            },
            ExprKind::Field {
                object: p,
                field: g,
                ..
            },
        ) => {
            f == g
                && match (o, p) {
                    (Some(o), Some(p)) => same_place(o, p),
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                }
        }
        (
            ExprKind::Index {
                object: o,
                indices: i,
            },
            ExprKind::Index {
                object: p,
                indices: j,
            },
        ) => {
            same_place(o, p) && i.len() == j.len() && i.iter().zip(j).all(|(x, y)| same_place(x, y))
        }
        (ExprKind::Binary(p, a, b), ExprKind::Binary(q, c, d)) => {
            p == q && same_place(a, c) && same_place(b, d)
        }
        _ => false,
    }
}
