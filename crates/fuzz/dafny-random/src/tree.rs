//! Reduction of programs by their syntax trees: hierarchical delta debugging (Misherghi and Su,
//! *HDD: Hierarchical Delta Debugging*, 2006).
//!
//! Declarations are deleted first, then members, statements, clauses and cases, and parameters:
//! many at once and ever fewer (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing
//! Input*, 2002). Then statements are replaced by the contents of their blocks, and expressions by
//! subexpressions or literals. All changes are made in the text, at the spans of nodes, so that the
//! remaining text is unchanged.

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast::{
    Attribute, Block, Clause, Expr, ExprCase, ExprKind, File, Formal, GuardedCase, Literal, Member,
    Stmt, StmtCase, TopDecl,
};
use dafny_syntax::visit::{Node, Visit};
use dafny_syntax::{Options, parse_with};

/// Returns the smallest program found that satisfies `shows`, by deleting and replacing parts of
/// the tree of `text`, parsed with `options`. `shows` is called with texts that parse. A text that
/// satisfies it is reduced further.
pub fn reduce_tree(text: &str, options: Options, shows: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    loop {
        let before = best.clone();
        for level in Level::ALL {
            best = without(best, options, level, shows);
        }
        best = replaced(best, options, shows);
        if best.len() >= before.len() {
            return tidy(&before);
        }
    }
}

/// Removes the empty lines that deletions leave.
fn tidy(text: &str) -> String {
    text.lines()
        .map(str::trim_end)
        .filter(|l| !l.is_empty())
        .flat_map(|l| [l, "\n"])
        .collect()
}

/// The kinds of nodes that are deleted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Declarations,
    Members,
    Statements,
    /// Clauses, cases and attributes.
    Parts,
    /// Parameters, each with an adjacent comma.
    Parameters,
}

impl Level {
    const ALL: [Self; 5] = [
        Self::Declarations,
        Self::Members,
        Self::Statements,
        Self::Parts,
        Self::Parameters,
    ];
}

fn parsed(text: &str, options: Options) -> Option<File> {
    let (file, diagnostics) = parse_with(0, text, options);
    (!diagnostics.iter().any(Diagnostic::is_error)).then_some(file)
}

/// Deletes nodes of a level: half of them, a quarter, and at the end each node alone.
fn without(
    mut text: String,
    options: Options,
    level: Level,
    shows: &mut dyn FnMut(&str) -> bool,
) -> String {
    let spans =
        |text: &str| parsed(text, options).map_or_else(Vec::new, |file| nodes(&file, text, level));
    let mut all = spans(&text);
    let mut size = all.len();
    while size > 0 {
        let mut at = 0;
        while at < all.len() {
            let some = all.get(at..(at + size).min(all.len())).unwrap_or_default();
            let smaller = cut(&text, some);
            if smaller.len() < text.len() && parsed(&smaller, options).is_some() && shows(&smaller)
            {
                text = smaller;
                // The nodes before it are unchanged.
                all = spans(&text);
            } else {
                at += size;
            }
        }
        size = if size == 1 {
            0
        } else {
            size.div_ceil(2).min(all.len().max(1))
        };
        if all.is_empty() {
            break;
        }
    }
    text
}

/// The nodes of a level in source order. A field that is declared alone is deleted with its `var`.
fn nodes(file: &File, text: &str, level: Level) -> Vec<Span> {
    struct Nodes(Level, Vec<Span>);
    impl Nodes {
        fn add(&mut self, level: Level, span: Span) {
            if self.0 == level {
                self.1.push(span);
            }
        }
    }
    impl<'t> Visit<'t> for Nodes {
        fn top_decl(&mut self, node: &'t TopDecl) {
            self.add(Level::Declarations, declared(node));
            node.walk(self);
        }
        fn member(&mut self, node: &'t Member) {
            self.add(Level::Members, of_member(node));
            node.walk(self);
        }
        fn stmt(&mut self, node: &'t Stmt) {
            self.add(Level::Statements, node.span);
            node.walk(self);
        }
        fn clause(&mut self, node: &'t Clause) {
            self.add(Level::Parts, node.span);
            node.walk(self);
        }
        fn guarded_case(&mut self, node: &'t GuardedCase) {
            self.add(Level::Parts, node.span);
            node.walk(self);
        }
        fn stmt_case(&mut self, node: &'t StmtCase) {
            self.add(Level::Parts, node.span);
            node.walk(self);
        }
        fn expr_case(&mut self, node: &'t ExprCase) {
            self.add(Level::Parts, node.span);
            node.walk(self);
        }
        fn attribute(&mut self, node: &'t Attribute) {
            self.add(Level::Parts, node.span);
        }
        fn formal(&mut self, node: &'t Formal) {
            self.add(Level::Parameters, node.span);
        }
    }
    let mut nodes = Nodes(level, Vec::new());
    file.decls.walk(&mut nodes);
    // Extend the spans by text that would remain incomplete.
    for span in &mut nodes.1 {
        let before = text
            .get(..span.start as usize)
            .unwrap_or_default()
            .trim_end();
        if level == Level::Members && before.ends_with("var") {
            span.start = (before.len() - "var".len()) as u32;
        }
        let behind = text.get(span.end as usize..).unwrap_or_default();
        if level == Level::Parameters && behind.trim_start().starts_with(',') {
            span.end += (behind.len() - behind.trim_start().len() + 1) as u32;
        } else if level == Level::Parameters && before.ends_with(',') {
            span.start = (before.len() - 1) as u32;
        }
    }
    nodes.1.retain(|s| s.start < s.end);
    nodes.1.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
    nodes.1.dedup();
    nodes.1
}

fn declared(decl: &TopDecl) -> Span {
    match decl {
        TopDecl::Module(d) => d.span,
        TopDecl::Import(d) => d.span,
        TopDecl::Export(d) => d.span,
        TopDecl::Class(d) => d.span,
        TopDecl::Datatype(d) => d.span,
        TopDecl::Newtype(d) => d.span,
        TopDecl::Type(d) => d.span,
        TopDecl::Iterator(d) => d.span,
        TopDecl::Member(m) => of_member(m),
    }
}

fn of_member(member: &Member) -> Span {
    match member {
        Member::Field(m) => m.span,
        Member::Const(m) => m.span,
        Member::Method(m) => m.span,
        Member::Function(m) => m.span,
    }
}

/// Deletes spans, which are in source order and may be nested, from a text.
fn cut(text: &str, spans: &[Span]) -> String {
    let mut out = String::new();
    let mut from = 0;
    for span in spans {
        let start = (span.start as usize).max(from);
        out += text.get(from..start).unwrap_or_default();
        from = from.max(span.end as usize);
    }
    out + text.get(from..).unwrap_or_default()
}

/// Replaces nodes by shorter texts, one after the other, with those that save most first.
fn replaced(mut text: String, options: Options, shows: &mut dyn FnMut(&str) -> bool) -> String {
    let mut at = 0;
    loop {
        let Some(file) = parsed(&text, options) else {
            return text;
        };
        let edits = edits(&file, &text);
        let mut next = None;
        for (i, (span, by)) in edits.iter().enumerate().skip(at) {
            let (before, behind) = (
                text.get(..span.start as usize),
                text.get(span.end as usize..),
            );
            let smaller = [before.unwrap_or_default(), by, behind.unwrap_or_default()].concat();
            if parsed(&smaller, options).is_some() && shows(&smaller) {
                next = Some((i, smaller));
                break;
            }
        }
        let Some((i, smaller)) = next else {
            return text;
        };
        // Edits that save more were tried already, and most of them are still the same.
        at = i.saturating_sub(1);
        text = smaller;
    }
}

/// The shorter replacements of statements and expressions.
fn edits(file: &File, text: &str) -> Vec<(Span, String)> {
    struct Edits<'a> {
        text: &'a str,
        found: Vec<(Span, String)>,
    }
    impl Edits<'_> {
        fn of(&self, span: Span) -> String {
            self.text
                .get(span.start as usize..span.end as usize)
                .unwrap_or_default()
                .to_owned()
        }
    }
    impl<'t> Visit<'t> for Edits<'_> {
        fn stmt(&mut self, node: &'t Stmt) {
            let mut blocks = Blocks(Vec::new());
            node.walk(&mut blocks);
            for block in blocks.0 {
                let whole = self.of(block);
                let inner = whole
                    .trim()
                    .trim_start_matches('{')
                    .trim_end_matches('}')
                    .trim()
                    .to_owned();
                self.found.push((node.span, inner));
            }
            node.walk(self);
        }
        fn expr(&mut self, node: &'t Expr) {
            let mut parts = Parts(Vec::new());
            node.walk(&mut parts);
            for part in parts.0 {
                self.found.push((node.span, self.of(part)));
            }
            // A literal cannot be simplified any further.
            if !matches!(
                node.kind,
                ExprKind::Literal(Literal::Bool(_) | Literal::Int(_))
            ) {
                self.found
                    .extend(["true", "false", "0"].map(|l| (node.span, l.to_owned())));
            }
            node.walk(self);
        }
    }
    let mut edits = Edits {
        text,
        found: Vec::new(),
    };
    file.decls.walk(&mut edits);
    let saved = |(span, by): &(Span, String)| {
        (span.end as usize)
            .saturating_sub(span.start as usize)
            .checked_sub(by.len())
    };
    edits.found.retain(|e| saved(e).is_some_and(|n| n > 0));
    edits.found.sort_by_key(|e| std::cmp::Reverse(saved(e)));
    edits.found
}

/// Collects the blocks directly below a node.
struct Blocks(Vec<Span>);

impl<'t> Visit<'t> for Blocks {
    fn block(&mut self, node: &'t Block) {
        self.0.push(node.span);
    }
    fn expr(&mut self, _: &'t Expr) {}
}

/// Collects the expressions directly below a node.
struct Parts(Vec<Span>);

impl<'t> Visit<'t> for Parts {
    fn expr(&mut self, node: &'t Expr) {
        self.0.push(node.span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "datatype D = A | B(x: int)
function Other(n: nat): nat { n + 1 }
class C { var f: int method N() modifies this { f := 1; } method O() { } }
method M(a: int) returns (r: int)
  requires a > 0
  ensures r > 1
{
  var y := 4;
  if a > 3 && Other(3) > 2 {
    while y > 0
      invariant y >= 0
    {
      y := y - 1;
      r := (a + y) * 2 + 7 / a;
    }
  } else {
    print \"no\";
  }
}
";

    fn reduce(shows: impl Fn(&str) -> bool) -> (String, usize) {
        let mut asked = 0;
        let small = reduce_tree(PROGRAM, Options::default(), &mut |t| {
            asked += 1;
            shows(t)
        });
        (small, asked)
    }

    #[test]
    fn irrelevant_declarations_statements_and_expressions_are_removed() {
        let (small, asked) = reduce(|t| t.contains("method M") && t.contains("7 / a"));
        assert_eq!(small, "method M() returns ()\n{\n  r := 7 / a;\n}\n");
        assert!(asked < 60, "{asked}");
    }

    #[test]
    fn irrelevant_parameters_and_cases_are_removed() {
        let text = "method M(a: int, b: bool, c: int) returns (r: int, s: int) {\n  s := match c case 0 => 1 case 1 => 7 case _ => 3;\n}\n";
        let small = reduce_tree(text, Options::default(), &mut |t| {
            t.contains("c: int") && t.contains("case _") && t.contains("s: int")
        });
        assert_eq!(
            small,
            "method M(  c: int) returns ( s: int) {\n  s := match c   case _ => 3;\n}\n"
        );
    }

    #[test]
    fn a_member_of_a_class_stays_with_its_class() {
        let (small, _) = reduce(|t| t.contains("method O"));
        assert_eq!(small, "class C {   method O() { } }\n");
    }

    #[test]
    fn a_program_that_fails_the_predicate_is_only_tidied() {
        let (small, _) = reduce(|_| false);
        assert_eq!(small, PROGRAM);
    }
}
