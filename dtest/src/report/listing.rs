//! The source texts of a report, with the regions that are never compiled.

use std::ops::Range;
use std::sync::Arc;

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{self, Body, LoopSpec};
use dafny_source::{SourceMap, Span};

/// A source text. Positions are byte offsets in it.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The path as shown to the user.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
    /// Whether the user named the file.
    pub named: bool,
    /// Ghost code within compiled code.
    pub ghost: Vec<Range<usize>>,
    /// Comments, in order.
    pub comments: Vec<Range<usize>>,
}

/// Returns all texts of a program, in loading order.
pub fn listings(program: &typed::Program, sources: &SourceMap) -> Vec<Listing> {
    let mut ghosts = Ghosts(Vec::new());
    for callable in &program.callables {
        match &callable.body {
            Body::Expr(e) => ghosts.expr(e),
            Body::Block(b) | Body::ByMethod(_, b) => ghosts.block(b),
            Body::None => {}
        }
    }
    let listing = |(_, file): (_, &dafny_source::SourceFile)| {
        let whole = file.span();
        let local = |s: &Span| (s.start - file.base) as usize..(s.end - file.base) as usize;
        // The keyword before an obligation belongs to its region.
        let with_word = |r: Range<usize>| {
            let before = file.text.get(..r.start).unwrap_or("").trim_end();
            let word = ["invariant", "decreases", "modifies"]
                .into_iter()
                .find(|w| before.ends_with(w));
            word.map_or(r.start, |w| before.len() - w.len())..r.end
        };
        let inside = |s: &&Span| whole.start <= s.start && s.start < s.end && s.end <= whole.end;
        Listing {
            path: file.path.clone(),
            text: Arc::clone(&file.text),
            named: file.named,
            ghost: ghosts
                .0
                .iter()
                .filter(inside)
                .map(local)
                .map(with_word)
                .collect(),
            comments: comments(&file.text),
        }
    };
    sources.files().map(listing).collect()
}

/// Finds the comments of a text.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    for token in dafny_syntax::lex(0, text).tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let between = text.get(at..start).unwrap_or("");
        let skipped = between.trim();
        if !skipped.is_empty() {
            let first = at + (between.len() - between.trim_start().len());
            out.push(first..first + skipped.len());
        }
        at = end;
    }
    out
}

/// Collects ghost statements, obligations of loops, and ghost variables of `let`.
struct Ghosts(Vec<Span>);

impl<'t> Visit<'t> for Ghosts {
    fn stmt(&mut self, s: &'t typed::Stmt) {
        if s.ghost {
            self.0.push(s.span);
        } else {
            visit::walk_stmt(self, s);
        }
    }

    fn loop_spec(&mut self, s: &'t LoopSpec) {
        self.0.extend(s.invariants.iter().map(|c| c.span));
        self.0.extend(s.decreases.iter().map(|e| e.span));
        self.0.extend(s.modifies.iter().flatten().map(|f| f.span));
    }

    fn expr(&mut self, e: &'t typed::Expr) {
        if let typed::ExprKind::Let {
            ghost: true,
            bindings,
            ..
        } = &e.kind
        {
            self.0.extend(bindings.iter().map(|(_, value)| value.span));
        }
        visit::walk_expr(self, e);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_the_text_between_tokens() {
        let text = "// a\nmethod M() /* b */ { } // é\n";
        let found: Vec<&str> = comments(text).into_iter().map(|r| &text[r]).collect();
        assert_eq!(found, ["// a", "/* b */", "// é"]);
    }
}
