//! Targets of `break` and `continue` in the body of a loop.

use dafny_syntax::ast::{Block, Expr, GuardedCase, Ident, Stmt, StmtCase, StmtKind};
use dafny_syntax::visit::{Node, VisitMut};

/// A jump out of the body of a loop, or to its next iteration. Jumps to loops inside the body are
/// not included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Jump {
    /// A `break` of this loop.
    Break,
    /// A `continue` of this loop.
    Continue,
    /// A jump to an enclosing loop whose count of loops includes this one.
    Beyond,
}

/// Replaces statements that jump out of the body of a loop with these labels. Jumps to labels of
/// other statements are unchanged.
pub(crate) fn replace(
    body: &mut Block,
    labels: &[Ident],
    by: &mut dyn FnMut(Jump, &Stmt) -> Option<Vec<Stmt>>,
) {
    body.accept_mut(&mut Replace {
        labels,
        depth: 0,
        by,
    });
}

/// Whether the body contains a jump of this kind.
pub(crate) fn has(body: &Block, labels: &[Ident], wanted: Jump) -> bool {
    let mut found = false;
    replace(&mut body.clone(), labels, &mut |jump, _| {
        found |= jump == wanted;
        None
    });
    found
}

struct Replace<'a> {
    labels: &'a [Ident],
    /// The number of loops of the body around the current statement.
    depth: u32,
    by: &'a mut dyn FnMut(Jump, &Stmt) -> Option<Vec<Stmt>>,
}

impl Replace<'_> {
    fn list(&mut self, stmts: &mut Vec<Stmt>) {
        let mut i = 0;
        while let Some(stmt) = stmts.get_mut(i) {
            let new = self.jump(stmt).and_then(|jump| (self.by)(jump, stmt));
            match new {
                Some(new) => {
                    let length = new.len();
                    stmts.splice(i..=i, new);
                    i += length;
                }
                None => {
                    stmt.accept_mut(self);
                    i += 1;
                }
            }
        }
    }

    fn jump(&self, stmt: &Stmt) -> Option<Jump> {
        let StmtKind::Break {
            is_continue,
            count,
            label,
        } = &stmt.kind
        else {
            return None;
        };
        let exact = if *is_continue {
            Jump::Continue
        } else {
            Jump::Break
        };
        match label {
            Some(label) => self
                .labels
                .iter()
                .any(|l| l.name == label.name)
                .then_some(exact),
            None if *count <= self.depth => None,
            None if *count == self.depth + 1 => Some(exact),
            None => Some(Jump::Beyond),
        }
    }
}

impl VisitMut for Replace<'_> {
    fn block(&mut self, node: &mut Block) {
        self.list(&mut node.stmts);
    }
    fn guarded_case(&mut self, node: &mut GuardedCase) {
        self.list(&mut node.body);
    }
    fn stmt_case(&mut self, node: &mut StmtCase) {
        self.list(&mut node.body);
    }
    fn stmt(&mut self, node: &mut Stmt) {
        let is_loop = matches!(
            node.kind,
            StmtKind::While { .. } | StmtKind::WhileCase { .. } | StmtKind::For { .. }
        );
        self.depth += u32::from(is_loop);
        node.walk_mut(self);
        self.depth -= u32::from(is_loop);
    }
    fn expr(&mut self, _: &mut Expr) {}
}
