//! Renames a local variable, sometimes to a word with a meaning in a target language of Dafny's
//! compilers.

use dafny_resolve::typed::LocalId;
use dafny_syntax::ast::{Expr, ExprKind, File, Name, Stmt, StmtKind, Update, VarDecl};
use dafny_syntax::visit::{Node, VisitMut};

use super::variables::{Scope, scopes};
use crate::build::{ident, var};
use crate::edit::edit_list;
use crate::facts::Facts;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;

/// Reserved words of other languages, and names that compilers generate.
const WISHES: [&str; 20] = [
    "self",
    "default",
    "func",
    "lambda",
    "def",
    "object_",
    "params",
    "arguments",
    "fn",
    "mut",
    "base",
    "range",
    "len",
    "super",
    "value",
    "result",
    "Length",
    "toString",
    "x'",
    "it",
];

/// The scopes with variables all of whose occurrences are known.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let place = |scope: Scope<'w>| {
        let first = scope.stmts.first().map(|s| s.span)?;
        Some(Place::new(first, move |rng, names| {
            change(work, &scope, rng, names)
        }))
    };
    scopes(work, |_, _, _| true)
        .into_iter()
        .filter_map(place)
        .collect()
}

fn change(work: &Work<'_>, scope: &Scope<'_>, rng: &mut Random, names: &mut Names) -> Option<File> {
    let one = rng.pick(&scope.variables)?;
    let to = names.fresh(rng.pick(&WISHES)?);
    let mut rename = Rename {
        facts: work.facts,
        local: one.local,
        to,
        replaced: 0,
    };
    let mut file = work.file.clone();
    edit_list(&mut file, scope.stmts.first()?.span, |stmts, _| {
        stmts.iter_mut().for_each(|s| s.accept_mut(&mut rename))
    });
    (rename.replaced == work.facts.uses(one.local)).then_some(file)
}

struct Rename<'a> {
    facts: &'a Facts<'a>,
    local: LocalId,
    to: Name,
    /// The number of replaced reads.
    replaced: usize,
}

impl VisitMut for Rename<'_> {
    fn stmt(&mut self, node: &mut Stmt) {
        let targets = self.facts.targets(node).unwrap_or_default();
        if let StmtKind::VarDecl(VarDecl { vars, .. }) = &mut node.kind {
            for v in vars
                .iter_mut()
                .filter(|v| self.facts.declared(&v.name) == Some(self.local))
            {
                v.name = ident(&self.to);
            }
        } else if let StmtKind::Update(Update { lhs, .. }) = &mut node.kind {
            for (e, target) in lhs.iter_mut().zip(targets) {
                if target == Some(self.local)
                    && matches!(e.without_parens().kind, ExprKind::Name { .. })
                {
                    *e = var(&self.to);
                }
            }
        }
        node.walk_mut(self);
    }

    fn expr(&mut self, node: &mut Expr) {
        if matches!(node.kind, ExprKind::Name { .. }) && self.facts.local(node) == Some(self.local)
        {
            *node = var(&self.to);
            self.replaced += 1;
        } else {
            node.walk_mut(self);
        }
    }
}
