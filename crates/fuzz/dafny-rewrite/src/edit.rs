//! Edits of a syntax tree at a given place.

use dafny_source::Span;
use dafny_syntax::ast::{Block, Expr, File, GuardedCase, Stmt, StmtCase, TopDecl};
use dafny_syntax::visit::{Node, VisitMut};

/// Edits the statement list that contains the statement at `place`. `edit` receives the list and
/// the index of the statement. Returns whether the statement was found.
pub(crate) fn edit_list(
    file: &mut File,
    place: Span,
    edit: impl FnOnce(&mut Vec<Stmt>, usize),
) -> bool {
    struct Lists<F> {
        place: Span,
        edit: Option<F>,
    }
    impl<F: FnOnce(&mut Vec<Stmt>, usize)> Lists<F> {
        fn list(&mut self, stmts: &mut Vec<Stmt>) -> Option<usize> {
            let at = stmts.iter().position(|s| s.span == self.place)?;
            let edit = self.edit.take()?;
            edit(stmts, at);
            Some(at)
        }
    }
    impl<F: FnOnce(&mut Vec<Stmt>, usize)> VisitMut for Lists<F> {
        fn block(&mut self, node: &mut Block) {
            let before: Vec<Span> = node.stmts.iter().map(|s| s.span).collect();
            match self.list(&mut node.stmts) {
                // Statements before `new;` in a constructor stay before it.
                Some(at) => {
                    let now = |span: Option<&Span>| {
                        span.and_then(|s| node.stmts.iter().position(|n| n.span == *s))
                    };
                    let divided = |d: usize| {
                        let by_count = || {
                            if at < d {
                                (d + node.stmts.len()).saturating_sub(before.len())
                            } else {
                                d
                            }
                        };
                        let behind = || {
                            d.checked_sub(1)
                                .and_then(|b| now(before.get(b)))
                                .map(|b| b + 1)
                        };
                        now(before.get(d)).or_else(behind).unwrap_or_else(by_count)
                    };
                    node.divided_at = node.divided_at.map(divided);
                }
                None => node.walk_mut(self),
            }
        }
        fn guarded_case(&mut self, node: &mut GuardedCase) {
            if self.list(&mut node.body).is_none() {
                node.walk_mut(self);
            }
        }
        fn stmt_case(&mut self, node: &mut StmtCase) {
            if self.list(&mut node.body).is_none() {
                node.walk_mut(self);
            }
        }
        fn expr(&mut self, _: &mut Expr) {}
    }
    let mut lists = Lists {
        place,
        edit: Some(edit),
    };
    file.decls.walk_mut(&mut lists);
    lists.edit.is_none()
}

/// Replaces the statement at a place by others. Returns whether it was found.
pub(crate) fn replace_stmt(
    file: &mut File,
    place: Span,
    by: impl FnOnce(Stmt) -> Vec<Stmt>,
) -> bool {
    edit_list(file, place, |stmts, at| {
        let old = stmts.remove(at);
        stmts.splice(at..at, by(old));
    })
}

/// Replaces the expressions below a node for which `by` returns another one. Does not descend into
/// replaced expressions.
pub(crate) fn replace_exprs<T: Node>(node: &mut T, by: &mut dyn FnMut(&Expr) -> Option<Expr>) {
    struct Replace<'a>(&'a mut dyn FnMut(&Expr) -> Option<Expr>);
    impl VisitMut for Replace<'_> {
        fn expr(&mut self, node: &mut Expr) {
            match (self.0)(node) {
                Some(new) => *node = new,
                None => node.walk_mut(self),
            }
        }
    }
    node.accept_mut(&mut Replace(by));
}
/// Replaces the expression at a place. Returns whether it was found.
pub(crate) fn replace_expr(file: &mut File, place: Span, by: impl FnOnce(Expr) -> Expr) -> bool {
    let mut by = Some(by);
    replace_exprs(&mut file.decls, &mut |e| {
        if e.span == place {
            by.take().map(|by| by(e.clone()))
        } else {
            None
        }
    });
    by.is_none()
}

/// Adds a declaration to the module at a place, or to the file. Returns whether the module was
/// found.
pub(crate) fn add_decl(file: &mut File, module: Option<Span>, decl: TopDecl) -> bool {
    struct Add(Option<Span>, Option<TopDecl>);
    impl VisitMut for Add {
        fn top_decl(&mut self, node: &mut TopDecl) {
            if let TopDecl::Module(m) = node {
                if Some(m.span) == self.0 {
                    m.decls.extend(self.1.take());
                } else {
                    m.decls.walk_mut(self);
                }
            }
        }
    }
    let Some(module) = module else {
        file.decls.push(decl);
        return true;
    };
    let mut add = Add(Some(module), Some(decl));
    file.decls.walk_mut(&mut add);
    add.1.is_none()
}
