//! Prints Rust items as text.
//!
//! `prettyplease` formats expressions, but not the arguments of macros. Calls of the run-time
//! library's macros are therefore passed to it as calls of functions with marked names
//! ([`macro_function`]), and converted back in its output ([`restored`]).

use proc_macro2::{Ident, Span, TokenStream};
use syn::BinOp;

use super::{resolved, write};

/// The mark at the end of a macro's name while it is a function: a letter in Rust that no Dafny
/// program uses.
const MARK: char = 'ǃ';

/// Formats items.
pub(crate) fn print_items(items: Vec<resolved::Item>) -> String {
    formatted(write(items))
}

/// Formats items, with an empty line between them and between the members of an `impl`.
pub(crate) fn print_spaced(items: Vec<resolved::Item>) -> String {
    let mut out: Vec<syn::Item> = Vec::new();
    let mut follows_import = false;
    for item in items {
        // Imports stay together, except those that the module exports.
        let stays = follows_import && matches!(item, resolved::Item::Use(_));
        if !out.is_empty() && !stays {
            out.push(empty_line());
        }
        follows_import = matches!(&item, resolved::Item::Use(u) if !u.is_public);
        out.extend(write(vec![item]).into_iter().map(with_spaced_members));
    }
    formatted(out)
}

fn formatted(items: Vec<syn::Item>) -> String {
    restored(&prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items,
    }))
}

/// Returns the item that `prettyplease` prints as an empty line.
pub(super) fn empty_line() -> syn::Item {
    syn::Item::Verbatim(TokenStream::new())
}

/// Puts an empty line before every public or documented function of an `impl` or a trait that
/// follows a function with a body.
fn with_spaced_members(mut item: syn::Item) -> syn::Item {
    if let syn::Item::Impl(i) = &mut item {
        let mut after_body = false;
        for member in std::mem::take(&mut i.items) {
            if let syn::ImplItem::Fn(f) = &member {
                let is_public = matches!(f.vis, syn::Visibility::Public(_));
                if after_body && (is_public || !f.attrs.is_empty()) {
                    i.items.push(syn::ImplItem::Verbatim(TokenStream::new()));
                }
                after_body = !f.block.stmts.is_empty();
            } else {
                after_body = false;
            }
            i.items.push(member);
        }
    } else if let syn::Item::Trait(t) = &mut item {
        let mut after_body = false;
        for member in std::mem::take(&mut t.items) {
            if let syn::TraitItem::Fn(f) = &member {
                if after_body && !f.attrs.is_empty() {
                    t.items.push(syn::TraitItem::Verbatim(TokenStream::new()));
                }
                after_body = f.default.as_ref().is_some_and(|b| !b.stmts.is_empty());
            } else {
                after_body = false;
            }
            t.items.push(member);
        }
    }
    item
}

/// Returns the documentation that represents a comment.
pub(super) fn comment(text: &str) -> String {
    format!("{MARK}{text}")
}

/// Returns the name of the function that represents a macro.
pub(crate) fn macro_function(name: &str, in_brackets: bool) -> Ident {
    let marks = if in_brackets { 2 } else { 1 };
    Ident::new(
        &format!("{name}{}", MARK.to_string().repeat(marks)),
        Span::call_site(),
    )
}

/// Returns the operator that represents the arrow in an argument of a macro. It has the lowest
/// precedence, and the translation does not use it otherwise.
pub(crate) fn arrow() -> BinOp {
    BinOp::ShrAssign(Default::default())
}

/// Returns the operator that represents the semicolon in an argument of a macro.
pub(crate) fn semicolon() -> BinOp {
    BinOp::ShlAssign(Default::default())
}

/// An open parenthesis.
struct Open {
    /// The closing character.
    close: char,
    /// Whether it belongs to a macro, in which `>>=` is an arrow and `<<=` a semicolon.
    is_macro: bool,
    /// Whether a trailing comma is removed.
    ends_bare: bool,
}

/// Replaces marked calls by macros.
fn restored(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut open: Vec<Open> = Vec::new();
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_end(rest),
            'r' if raw_string_end(rest).is_some()
                && !out.ends_with(|p: char| p.is_alphanumeric() || p == '_') =>
            {
                raw_string_end(rest).unwrap_or(1)
            }
            '\'' => char_end(rest),
            _ => 0,
        };
        if taken > 0 {
            let (head, tail) = rest.split_at(taken);
            match head.strip_prefix("///").and_then(|l| l.strip_prefix(MARK)) {
                Some(comment) => out.extend(["//", comment]),
                None => out.push_str(head),
            }
            rest = tail;
            continue;
        }
        let marks = rest.chars().take_while(|&c| c == MARK).count();
        if marks > 0 {
            rest = rest.get(marks * MARK.len_utf8()..).unwrap_or("");
            let (opening, close) = if marks == 1 { ("!(", ')') } else { ("![", ']') };
            rest = rest.strip_prefix('(').unwrap_or(rest);
            out.push_str(opening);
            open.push(Open {
                close,
                is_macro: true,
                ends_bare: false,
            });
            continue;
        }
        if rest.starts_with(">>=") && open.last().is_some_and(|o| o.is_macro) {
            out.push_str("=>");
            rest = rest.get(3..).unwrap_or("");
            continue;
        }
        if let Some(open) = open
            .last_mut()
            .filter(|o| o.is_macro && rest.starts_with("<<="))
        {
            open.ends_bare = true;
            out.truncate(out.trim_end().len());
            out.push(';');
            rest = rest.get(3..).unwrap_or("");
            continue;
        }
        match c {
            '(' => {
                open.push(Open {
                    close: ')',
                    is_macro: false,
                    ends_bare: false,
                });
                out.push(c);
            }
            ')' => {
                let closed = open.pop().unwrap_or(Open {
                    close: ')',
                    is_macro: false,
                    ends_bare: false,
                });
                if closed.ends_bare {
                    let text = out.trim_end();
                    let (end, bare) = (text.len(), text.trim_end_matches(',').len());
                    out.replace_range(bare..end, "");
                }
                out.push(closed.close);
            }
            _ => out.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or("");
    }
    out
}

/// Returns the length of the string literal at the start of the text.
fn string_end(text: &str) -> usize {
    let mut escaped = true;
    for (i, c) in text.char_indices() {
        match c {
            '"' if !escaped => return i + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
        if i == 0 {
            escaped = false;
        }
    }
    text.len()
}

/// Returns the length of the raw string literal at the start of the text, if there is one.
fn raw_string_end(text: &str) -> Option<usize> {
    let hashes = text.get(1..)?.chars().take_while(|&c| c == '#').count();
    let body = text.get(1 + hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(1 + hashes + 1 + body.find(&end).map_or(body.len(), |at| at + end.len()))
}

/// Returns the length of the character literal at the start of the text, or of the quote of a
/// lifetime.
fn char_end(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, c))) => text
            .get(at + c.len_utf8()..)
            .and_then(|t| t.find('\''))
            .map_or(1, |n| at + c.len_utf8() + n + 1),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tidy;
    use crate::rust::{Expr, Macro, MacroName, Stmt, Stmts, expr, items, stmts};
    use dtest_sorted::SortedSet;

    fn printed(body: Stmts) -> String {
        let text = print_items(tidy(items!(fn f() { #..body }), &SortedSet::new()));
        let inner = text
            .strip_prefix("fn f() {\n")
            .and_then(|t| t.strip_suffix("}\n"))
            .unwrap();
        inner
            .lines()
            .map(|l| l.strip_prefix("    ").unwrap_or(l))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn parentheses_stand_where_precedence_needs_them() {
        let sum = &expr!(a + b);
        let value = |e: Expr| {
            printed(stmts!(let _ = #e;))
                .replace("let _ = ", "")
                .replace(';', "")
        };
        assert_eq!(value(expr!(#sum * c)), "(a + b) * c");
        assert_eq!(value(expr!(#sum + c)), "a + b + c");
        assert_eq!(value(expr!(#sum.len())), "(a + b).len()");
        assert_eq!(value(expr!(&#sum)), "&(a + b)");
        assert_eq!(
            value(expr!(seq![#sum * c, x.len()])),
            "seq![(a + b) * c, x.len()]"
        );
    }

    #[test]
    fn macros_are_laid_out_like_calls() {
        assert_eq!(
            printed(stmts!(let _ = seq![&a, f::<u8, u8>(-1), Plate { text: b }];)),
            "let _ = seq![&a, f::<u8, u8>(-1), Plate { text: b }];"
        );
        assert_eq!(
            printed(stmts!(let _ = map![int(-1) => seq![ch('(')], b => c];)),
            "let _ = map![int(-1) => seq![ch('(')], b => c];"
        );
        assert_eq!(
            printed(stmts!(let _ = seq![Plate { a: seq![0u8; 32] }; 9];)),
            "let _ = seq![Plate { a: seq![0u8; 32] }; 9];"
        );
        assert_eq!(
            printed(stmts!(expect!(*x == seq![], "x)(] \" // y");)),
            "expect!(*x == seq![], \"x)(] \\\" // y\");"
        );
        let args = vec![expr!(Text(&x)).into(), expr!(y >> 2).into()];
        let print = Stmt::Run(Expr::Macro(Macro {
            name: MacroName::DafnyPrint,
            in_brackets: false,
            args,
        }));
        assert_eq!(printed(vec![print]), "dafny_print!(Text(&x), y >> 2);");
    }

    #[test]
    fn macros_that_do_not_fit_are_broken() {
        let long = stmts!(expect!(seq![aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb].contains(c), "a message"););
        assert_eq!(
            printed(long),
            "expect!(\n    seq![aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]\n        .contains(c),\n    \"a message\",\n);"
        );
    }

    #[test]
    fn repetitions_end_without_a_comma() {
        let long = stmts!(let _ = seq![Plate { aaaaaaaaaaaaaaaaaaaaaaaa: bbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc: seq![0u8; 32] }; 8192];);
        let lines = [
            "let _ = seq![",
            "    Plate {",
            "        aaaaaaaaaaaaaaaaaaaaaaaa: bbbbbbbbbbbbbbbbbbbbbbb,",
            "        cccccccccccccccccccccc: seq![0u8; 32],",
            "    }; 8192",
            "];",
        ];
        assert_eq!(printed(long), lines.join("\n"));
    }

    #[test]
    fn lifetimes_are_no_characters() {
        assert_eq!(
            printed(stmts!('a: loop {
                f('(', '\'', "'");
                break 'a;
            })),
            "'a: loop {\n    f('(', '\\'', \"'\");\n    break 'a;\n}"
        );
    }

    #[test]
    fn empty_lines_are_kept() {
        let empty = vec![Stmt::Space];
        assert_eq!(printed(stmts!(a(); #..empty b();)), "a();\n\nb();");
    }
}
