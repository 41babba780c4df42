//! Typed trees as text, for the comparison of two programs.
//!
//! Two trees have the same text if and only if they differ in nothing but positions, provided that
//! their references were replaced by the same numbers.

use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::{Block, Expr, ExprKind, Frame, Span, Stmt, StmtKind, Type};
use std::fmt::Write as _;

/// The text of trees.
#[derive(Default)]
pub(crate) struct Shape {
    text: String,
}

impl Shape {
    /// Returns the text of the trees that were visited.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Adds a part of a frame.
    pub(crate) fn whole_frame(&mut self, mut frame: Frame) {
        rewrite::walk_frame(self, &mut frame);
        self.add(&frame);
    }

    /// Adds the debug format of a node whose children are leaves, without positions.
    fn add(&mut self, node: &dyn std::fmt::Debug) {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = write!(text, "{node:?}");
        self.text.push_str(&without_spans(&text));
        self.text.push('\n');
    }
}

/// Replaces each span, which is written as `12..15`, by `..`.
fn without_spans(text: &str) -> String {
    let mut parts = text.split("..");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let start = result.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        result.truncate(start);
        result.push_str("..");
        result.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

// Children come first, and are leaves when their parent is written: the text of a deep tree needs
// no deep recursion.
impl Rewrite for Shape {
    fn expr(&mut self, e: &mut Expr) {
        rewrite::walk_expr(self, e);
        self.add(e);
        *e = Expr {
            kind: ExprKind::Wildcard,
            ty: Type::Bool,
            span: Span::default(),
        };
    }

    fn stmt(&mut self, s: &mut Stmt) {
        rewrite::walk_stmt(self, s);
        self.add(s);
        s.kind = StmtKind::Return;
        s.labels.clear();
    }

    fn block(&mut self, b: &mut Block) {
        rewrite::walk_block(self, b);
        self.add(b);
        b.stmts.clear();
    }
}
