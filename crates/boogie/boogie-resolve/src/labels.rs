//! Check of labels: their declarations, and the targets of `goto` and `break`.

use boogie_syntax::ast::{Ident, Stmt, StmtKind};
use dafny_source::Name;

use crate::checker::Checker;

/// The labels that a statement may refer to.
#[derive(Default)]
struct Around {
    /// All labels of the body.
    all: Vec<Name>,
    /// The labels of the enclosing statements, and whether each is a loop.
    enclosing: Vec<(Vec<Name>, bool)>,
}

impl Checker<'_> {
    /// Checks the labels of a body.
    pub(crate) fn labels(&mut self, stmts: &[Stmt]) {
        let mut seen: Vec<Name> = Vec::new();
        let mut around = Around::default();
        collect(stmts, &mut around.all);
        self.list(stmts, &mut around, &mut seen);
    }

    fn list(&mut self, stmts: &[Stmt], around: &mut Around, seen: &mut Vec<Name>) {
        for stmt in stmts {
            if let StmtKind::Label(label) = &stmt.kind {
                if seen.contains(&label.name) {
                    self.name_error(
                        label.span,
                        format!("label `{}` is already declared", label.name),
                    );
                }
                seen.push(label.name.clone());
            }
        }
        let mut labels: Vec<Name> = Vec::new();
        for stmt in stmts {
            if let StmtKind::Label(label) = &stmt.kind {
                labels = vec![label.name.clone()];
                continue;
            }
            self.statement_labels(stmt, &labels, around, seen);
            labels.clear();
        }
    }

    fn statement_labels(
        &mut self,
        stmt: &Stmt,
        labels: &[Name],
        around: &mut Around,
        seen: &mut Vec<Name>,
    ) {
        match &stmt.kind {
            // Labels may be declared anywhere in the body.
            StmtKind::Goto(targets) => {
                for target in targets {
                    if !around.all.contains(&target.name) {
                        self.structure_error(
                            stmt.span,
                            format!("label `{}` is not declared", target.name),
                        );
                    }
                }
            }
            StmtKind::Break(label) => self.break_label(stmt, label.as_ref(), around),
            StmtKind::If(_, then, other) => {
                around.enclosing.push((labels.to_vec(), false));
                self.list(then, around, seen);
                if let Some(other) = other {
                    self.list(other, around, seen);
                }
                around.enclosing.pop();
            }
            // Only a loop can be left without a label.
            StmtKind::While(_, _, body) => {
                around.enclosing.push((labels.to_vec(), true));
                self.list(body, around, seen);
                around.enclosing.pop();
            }
            StmtKind::Label(_)
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assign(..)
            | StmtKind::Unpack(..)
            | StmtKind::Call(_)
            | StmtKind::CallForall(..)
            | StmtKind::Return
            | StmtKind::ReturnExpr(_)
            | StmtKind::Hint => {}
        }
    }

    fn break_label(&mut self, stmt: &Stmt, label: Option<&Ident>, around: &Around) {
        match label {
            None if !around.enclosing.iter().any(|(_, is_loop)| *is_loop) => {
                self.structure_error(
                    stmt.span,
                    "`break` without a label is allowed in loops only",
                );
            }
            Some(label)
                if !around
                    .enclosing
                    .iter()
                    .any(|(labels, _)| labels.contains(&label.name)) =>
            {
                self.structure_error(
                    stmt.span,
                    format!("no enclosing statement has the label `{}`", label.name),
                );
            }
            None | Some(_) => {}
        }
    }
}

fn collect(stmts: &[Stmt], out: &mut Vec<Name>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Label(label) => out.push(label.name.clone()),
            StmtKind::If(_, then, other) => {
                collect(then, out);
                collect(other.as_deref().unwrap_or_default(), out);
            }
            StmtKind::While(_, _, body) => collect(body, out),
            StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assign(..)
            | StmtKind::Unpack(..)
            | StmtKind::Call(_)
            | StmtKind::CallForall(..)
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return
            | StmtKind::ReturnExpr(_)
            | StmtKind::Hint => {}
        }
    }
}
