//! The program in which ghost code is executed like any other: what the search for violations looks at.

use super::rewrite::{self, Rewrite};
use super::{Body, CallableKind, Expr, ExprKind, FieldKind, LetOrFail, Program, Stmt, TypeDeclKind, Witness};

impl Program {
    /// The same program with nothing ghost in it that has a body: callables, variables, fields and statements. Whatever has no body, and
    /// extreme predicates and two-state functions, whose values no execution computes from blocks, stay as they are.
    #[must_use]
    pub fn unghosted(mut self) -> Self {
        for c in &mut self.callables {
            let has_blocks = match c.kind {
                CallableKind::Function | CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => true,
                CallableKind::TwostateFunction | CallableKind::LeastPredicate | CallableKind::GreatestPredicate => false,
            };
            c.ghost &= matches!(c.body, Body::None) || !has_blocks;
            match &mut c.body {
                Body::None => {}
                Body::Expr(e) => Unghost.expr(e),
                Body::Block(b) => Unghost.block(b),
                Body::ByMethod(e, b) => {
                    Unghost.expr(e);
                    Unghost.block(b);
                }
            }
        }
        self.locals.iter_mut().for_each(|l| l.ghost = false);
        for f in &mut self.fields {
            f.ghost = false;
            if let FieldKind::Const(Some(value)) = &mut f.kind {
                Unghost.expr(value);
            }
        }
        for t in &mut self.types {
            match &mut t.kind {
                TypeDeclKind::Iterator(parts) => parts.body.iter_mut().for_each(|b| Unghost.block(b)),
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    if let Witness::Compiled(e) | Witness::Ghost(e) = &mut c.witness {
                        Unghost.expr(e);
                    }
                }
                TypeDeclKind::Datatype { .. } | TypeDeclKind::Abstract | TypeDeclKind::Class | TypeDeclKind::Trait { .. } => {}
            }
        }
        self
    }
}

struct Unghost;

impl Rewrite for Unghost {
    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Let { ghost, .. } | ExprKind::LetSuchThat { ghost, .. } => *ghost = false,
            ExprKind::LetOrFail(l) => {
                let LetOrFail { ghost, .. } = &mut **l;
                *ghost = false;
            }
            _ => {}
        }
        rewrite::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        s.ghost = false;
        rewrite::walk_stmt(self, s);
    }
}
