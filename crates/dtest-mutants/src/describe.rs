//! Descriptions of mutations in words, and their text as edits of the source.
//!
//! [`mutation`] is a phrase, [`instead`] the text that is written instead, and [`replacement`] the
//! same as an edit that turns the program into the mutant. [`mutation_name`] names a test.

use crate::{Mutation, MutationKind, Piece};
use dafny_source::SourceMap;
use dtest_ir::describe::{one_line, shorten, words};

/// Describes a mutation in a phrase: the original text and its replacement.
pub fn mutation(mutation: &Mutation, sources: &SourceMap) -> String {
    let text = one_line(sources.text(mutation.span));
    let instead = instead(mutation, sources);
    match (mutation.kind, instead.is_empty()) {
        (MutationKind::Statement, _) => format!("`{text}` is removed"),
        (MutationKind::Default, true) => {
            format!("`{text}` has no effect and returns a default value")
        }
        (MutationKind::Default, false) => format!("`{text}` has no effect and returns {instead}"),
        (MutationKind::Iteration, _) if is_brace(mutation) => {
            "`break;` at the end of the loop".into()
        }
        (MutationKind::Iteration, _) => format!("`break;` after the assignment of `{text}`"),
        (_, false) => format!("`{instead}` instead of `{text}`"),
        (MutationKind::Operator, true) => format!("another operator in `{text}`"),
        (MutationKind::Negation, true) => format!("the negation of `{text}`"),
        (MutationKind::Decision, true) => format!("`{text}` always true, or always false"),
        (MutationKind::Connective, true) => format!("`&&` and `||` exchanged after `{text}`"),
        (MutationKind::Constant, true) => format!("another constant for `{text}`"),
        (MutationKind::Variable, true) => format!("another variable for `{text}`"),
        (MutationKind::Field, true) => format!("another field for `{text}`"),
        (MutationKind::Constructor, true) => format!("another constructor in `{text}`"),
        (MutationKind::Callee, true) => format!("another callee in `{text}`"),
        (MutationKind::Order, true) => format!("parts of `{text}` exchanged"),
        (MutationKind::Operand, true) => format!("only a part of `{text}`"),
        (MutationKind::Quantifier, true) => format!("`forall` and `exists` exchanged in `{text}`"),
    }
}

/// Whether a mutation replaces the brace at the end of a loop.
fn is_brace(mutation: &Mutation) -> bool {
    mutation.kind == MutationKind::Iteration && matches!(mutation.instead.as_slice(), [_])
}

/// Returns the replacement in a mutant as text; empty if there is none or it cannot be shown.
pub fn instead(mutation: &Mutation, sources: &SourceMap) -> String {
    one_line(&pieces(mutation, sources))
}

/// The text of all pieces; empty if one of them has no text.
fn pieces(mutation: &Mutation, sources: &SourceMap) -> String {
    let piece = |p: &Piece| match p {
        Piece::Source(span) => Some(sources.text(*span).to_owned()),
        Piece::Operand(span) => Some(operand(sources.text(*span))),
        Piece::Renamed {
            head,
            from,
            to,
            is_last,
        } => renamed(sources.text(*head), (from, to), *is_last),
        Piece::Text(text) => Some(text.clone()),
    };
    let all: Option<String> = mutation.instead.iter().map(piece).collect();
    all.unwrap_or_default()
}

/// Replaces a word. `None` if it does not occur, or if a named argument follows the last one.
fn renamed(head: &str, (from, to): (&str, &str), is_last: bool) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_'?".contains(c);
    let is_word = |at: &usize| {
        let before = head.get(..*at).and_then(|t| t.chars().next_back());
        let after = head.get(at + from.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    let mut words = head.match_indices(from).map(|(at, _)| at).filter(is_word);
    let at = if is_last {
        words.last()?
    } else {
        words.next()?
    };
    let (before, after) = (head.get(..at)?, head.get(at + from.len()..)?);
    let is_named = is_last && after.contains(":=");
    (!is_named).then(|| format!("{before}{to}{after}"))
}

/// Returns a text as an operand: in parentheses, unless it is a name, a literal, a call or similar.
fn operand(text: &str) -> String {
    let mut depth = 0_u32;
    let mut is_plain = true;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 || c.is_alphanumeric() || "_'?#.".contains(c) => {}
            _ => is_plain = false,
        }
    }
    if is_plain {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Returns the text that turns the program into the mutant; `None` if the mutation has no text.
pub fn replacement(mutation: &Mutation, sources: &SourceMap) -> Option<String> {
    // The lowering may move a binding out of an operand, so that an operation begins in its middle.
    if !is_brace(mutation) && !is_balanced(sources.text(mutation.span)) {
        return None;
    }
    let text = pieces(mutation, sources);
    if mutation.kind == MutationKind::Statement {
        Some(text)
    } else if mutation.kind == MutationKind::Default || text.is_empty() {
        // The text of a default result is only for readers.
        None
    } else if mutation.is_bare {
        Some(text)
    } else {
        Some(format!("({text})"))
    }
}

/// Whether every bracket in a text has its counterpart there. Brackets in literals count, too.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    text.chars().all(|c| match c {
        '(' => {
            open.push(')');
            true
        }
        '[' => {
            open.push(']');
            true
        }
        '{' => {
            open.push('}');
            true
        }
        ')' | ']' | '}' => open.pop() == Some(c),
        _ => true,
    }) && open.is_empty()
}

/// Returns the name of a test that kills a mutant.
pub fn mutation_name(mutation: &Mutation, sources: &SourceMap) -> String {
    let text = words(sources.text(mutation.span));
    if mutation.is_hint {
        return shorten(&if mutation.kind == MutationKind::Iteration {
            "depends_on_later_iterations".to_owned()
        } else {
            format!("depends_on_{text}")
        });
    }
    shorten(&match mutation.kind {
        MutationKind::Operator => format!("kills_another_operator_in_{text}"),
        MutationKind::Negation => format!("kills_the_reverse_of_{text}"),
        MutationKind::Decision => format!("kills_a_constant_for_{text}"),
        MutationKind::Connective => format!("kills_another_connective_after_{text}"),
        MutationKind::Default => "kills_a_default_value".into(),
        MutationKind::Constant => format!("kills_another_constant_than_{text}"),
        MutationKind::Variable => format!("kills_another_variable_than_{text}"),
        MutationKind::Field => format!("kills_another_field_than_{text}"),
        MutationKind::Constructor => format!("kills_another_constructor_than_{text}"),
        MutationKind::Callee => format!("kills_another_callee_in_{text}"),
        MutationKind::Order => format!("kills_another_order_in_{text}"),
        MutationKind::Operand => format!("kills_a_part_of_{text}"),
        MutationKind::Quantifier => format!("kills_another_quantifier_in_{text}"),
        MutationKind::Statement => format!("kills_the_removal_of_{text}"),
        MutationKind::Iteration => "kills_a_loop_that_ends_early".into(),
    })
}
