//! Statements that a refining body adds, and their syntactic restrictions.

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{Block, Clause, ClauseKind, Ident, Spec, Stmt, StmtKind};

use super::check::may_diverge;

/// The statements of a refining body without a counterpart in the refined body.
#[derive(Default)]
pub(super) struct Added {
    /// The spans of the statements.
    pub(super) statements: Vec<Span>,
    /// The errors in these statements and in matched ones.
    pub(super) found: Vec<Diagnostic>,
}

impl Added {
    /// Records an added statement with its labels. It must not yield, nor jump out of itself.
    pub(super) fn statement(&mut self, s: &Stmt, labels: &[Ident]) {
        self.statements.push(s.span);
        self.look(s, &mut labels.iter().map(|l| l.name.clone()).collect(), 0);
    }

    /// Reports a refined statement, described by `what`, whose body the refining statement omits.
    pub(super) fn body_left_out(&mut self, what: &str, span: Span) {
        let message = format!("the refined {what} has a body, so this one must have one, too");
        self.found.push(
            Diagnostic::error("resolve/refinement", span, message)
                .with_help("write `{ ...; }` to keep the body"),
        );
    }

    /// Reports a refining loop with a measure, unless the refined loop has `decreases *`.
    pub(super) fn measure(&mut self, old: &Spec, new: &Spec, span: Span) {
        let is_measured = |c: &Clause| matches!(c.kind, ClauseKind::Decreases(_));
        if new.clauses.iter().any(is_measured) && !may_diverge(old) {
            self.wrong(
                span,
                "a refining loop can have a `decreases` clause only if the refined loop has `decreases *`",
            );
        }
    }

    fn look(&mut self, s: &Stmt, labels: &mut Vec<Name>, loops: u32) {
        let outer = labels.len();
        labels.extend(s.labels.iter().map(|l| l.name.clone()));
        match &s.kind {
            StmtKind::Yield(_) => self.wrong(s.span, "a refining body cannot add a `yield`"),
            StmtKind::Break {
                is_continue,
                count,
                label,
            } => {
                let stays = match label {
                    Some(label) => labels.contains(&label.name),
                    None => *count <= loops,
                };
                if !stays {
                    let word = if *is_continue { "continue" } else { "break" };
                    self.wrong(
                        s.span,
                        &format!(
                            "a `{word}` in an added statement cannot leave the added statements"
                        ),
                    );
                }
            }
            StmtKind::Block(b) | StmtKind::Opaque { body: b, .. } => self.block(b, labels, loops),
            StmtKind::If { then, els, .. } => {
                self.block(then, labels, loops);
                els.iter().for_each(|s| self.look(s, labels, loops));
            }
            StmtKind::IfCase(cases) => cases.iter().for_each(|c| self.all(&c.body, labels, loops)),
            StmtKind::While { body, .. } => {
                body.iter().for_each(|b| self.block(b, labels, loops + 1))
            }
            StmtKind::WhileCase { cases, .. } => cases
                .iter()
                .for_each(|c| self.all(&c.body, labels, loops + 1)),
            StmtKind::For { body, .. }
            | StmtKind::Forall { body, .. }
            | StmtKind::Modify { body, .. } => {
                body.iter().for_each(|b| self.block(b, labels, loops));
            }
            StmtKind::Match { cases, .. } => {
                cases.iter().for_each(|c| self.all(&c.body, labels, loops))
            }
            StmtKind::By { stmt, .. } => self.look(stmt, labels, loops),
            StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::VarPattern { .. }
            | StmtKind::Update(_)
            | StmtKind::Return(_)
            | StmtKind::Reveal(_)
            | StmtKind::Hide(_)
            | StmtKind::Calc { .. }
            | StmtKind::Skeleton => {}
        }
        labels.truncate(outer);
    }

    fn block(&mut self, b: &Block, labels: &mut Vec<Name>, loops: u32) {
        self.all(&b.stmts, labels, loops);
    }

    fn all(&mut self, stmts: &[Stmt], labels: &mut Vec<Name>, loops: u32) {
        stmts.iter().for_each(|s| self.look(s, labels, loops));
    }

    fn wrong(&mut self, span: Span, message: &str) {
        self.found
            .push(Diagnostic::error("resolve/refinement", span, message));
    }
}
