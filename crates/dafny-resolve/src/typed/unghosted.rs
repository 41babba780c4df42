//! The program in which ghost code is executed like any other: what the search for violations looks at.

use std::collections::BTreeSet;

use super::rewrite::{self, Rewrite};
use super::{Body, Callable, CallableId, CallableKind, Expr, ExprKind, FieldKind, LetOrFail, Program, Span, Stmt, TypeDeclKind, Witness};

impl Program {
    /// The same program with nothing ghost in it: callables, variables, fields and statements. Lemmas without a body, and
    /// extreme predicates and two-state functions, whose values no execution computes from blocks, stay as they are; what else has no
    /// body is answered for by its contract, even if that says nothing. Values of static
    /// constants and witnesses, contracts and constraints are code of their own.
    #[must_use]
    pub fn unghosted(self) -> Self {
        let extreme = self.extreme_lemmas();
        let mut program = self.with_contracts().with_initial_values();
        for (id, c) in (0..).map(CallableId).zip(&mut program.callables) {
            if extreme.contains(&id) {
                continue;
            }
            let has_blocks = match c.kind {
                CallableKind::Function | CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => true,
                CallableKind::TwostateFunction | CallableKind::LeastPredicate | CallableKind::GreatestPredicate => false,
            };
            let is_claim = c.kind == CallableKind::Lemma && matches!(c.body, Body::None);
            // A prefix predicate has no body because nobody unfolds it.
            let is_prefix = c.name.ends_with('#');
            c.ghost &= is_claim || is_prefix || !has_blocks;
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
        program.is_unghosted = true;
        program.locals.iter_mut().for_each(|l| l.ghost = false);
        for f in &mut program.fields {
            f.ghost = false;
            if let FieldKind::Const(Some(value)) = &mut f.kind {
                Unghost.expr(value);
            }
        }
        for t in &mut program.types {
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
        program
    }

    /// Least and greatest lemmas: what they claim is proved of their prefix lemmas, whose bodies the resolver does not make. A prefix
    /// lemma has the name of its lemma with a `#` after it, and its place.
    fn extreme_lemmas(&self) -> BTreeSet<CallableId> {
        let prefixes: BTreeSet<(Span, &str)> = self.callables.iter().filter_map(|c| Some((c.span, c.name.strip_suffix('#')?))).collect();
        let is_extreme = |c: &Callable| c.kind == CallableKind::Lemma && prefixes.contains(&(c.span, &*c.name));
        (0..).map(CallableId).zip(&self.callables).filter(|(_, c)| is_extreme(c)).map(|(id, _)| id).collect()
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
