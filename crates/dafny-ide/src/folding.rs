//! Folding ranges: braces over several lines, comments, and runs of imports. They are computed from
//! tokens, so that they work on text with syntax errors.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of tokens have no part in it"
)]

use dafny_source::Span;
use dafny_syntax::TokenKind;

use crate::tokens::comments;

/// The kind of a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// The text between braces.
    Block,
    /// A comment, or several on consecutive lines.
    Comment,
    /// Imports and includes.
    Imports,
}

/// A range of lines that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// The span from the first character to the end of the last one.
    pub span: Span,
    /// The kind of the fold.
    pub kind: FoldKind,
}

/// The folds of a text in the order of their starts. The text begins at position 0.
pub fn folds(text: &str) -> Vec<Fold> {
    let tokens = dafny_syntax::lex(0, text).tokens;
    let line = |at: u32| {
        text.get(..at as usize)
            .map_or(0, |t| t.bytes().filter(|b| *b == b'\n').count())
    };
    let mut folds = Vec::new();
    // Braces, and runs of imports. A run ends at a line with anything else.
    let mut open: Vec<u32> = Vec::new();
    let mut imports: Option<Span> = None;
    for token in &tokens {
        match token.kind {
            TokenKind::LBrace | TokenKind::LBraceColon => open.push(token.span.start),
            TokenKind::RBrace => {
                if let Some(start) = open.pop() {
                    folds.push(Fold {
                        span: Span::new(start, token.span.end),
                        kind: FoldKind::Block,
                    });
                }
            }
            TokenKind::Import | TokenKind::Include => {
                let end = text
                    .get(token.span.start as usize..)
                    .and_then(|t| t.find('\n'));
                let end = end.map_or(text.len() as u32, |n| token.span.start + n as u32);
                let follows = imports.is_some_and(|run| {
                    text.get(run.end as usize..token.span.start as usize)
                        .is_some_and(is_blank)
                });
                match &mut imports {
                    Some(run) if follows => run.end = end,
                    Some(_) | None => {
                        folds.extend(imports.map(|span| Fold {
                            span,
                            kind: FoldKind::Imports,
                        }));
                        imports = Some(Span::new(token.span.start, end));
                    }
                }
            }
            _ => {}
        }
    }
    folds.extend(imports.map(|span| Fold {
        span,
        kind: FoldKind::Imports,
    }));
    // Runs of comments on consecutive lines.
    let mut run: Option<Span> = None;
    for comment in comments(0, text, &tokens) {
        let between = run.and_then(|r| text.get(r.end as usize..comment.start as usize));
        if let (Some(r), true) = (
            &mut run,
            between.is_some_and(|t| is_blank(t) && t.matches('\n').count() <= 1),
        ) {
            r.end = comment.end;
            continue;
        }
        folds.extend(run.map(|span| Fold {
            span,
            kind: FoldKind::Comment,
        }));
        run = Some(comment);
    }
    folds.extend(run.map(|span| Fold {
        span,
        kind: FoldKind::Comment,
    }));
    // Only ranges over several lines can be folded.
    folds.retain(|f| line(f.span.start) < line(f.span.end));
    folds.sort_by_key(|f| (f.span.start, f.span.end));
    folds
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
