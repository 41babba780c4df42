//! Descriptions in words: names of tests, goals and obligations.
//!
//! [`phrase`] and [`never()`] describe goals, [`broken`] and [`obligation`] obligations. [`name`]
//! derives the name of a test from a goal: the hard part is to turn a condition in the source into a
//! short identifier, which `condition_name` does token by token.

use crate::{self as ir, Decision, Goal, GoalId, GoalReason, ObligationKind, Relation};
use dafny_resolve::typed::{CallableId, Type, TypeParamId};
use dafny_source::{Name, SourceMap, Span};

/// The limit of the part of a test's name that comes from a condition, in bytes.
const MAX_NAME: usize = 60;

/// Describes the argument of a type parameter.
pub fn type_argument(program: &ir::Program, param: TypeParamId, argument: &Type) -> Name {
    format!(
        "type parameter {} is {}",
        program.typed[param].name,
        program.typed.show_type(argument)
    )
    .into()
}

/// Describes the goal in a phrase without its place, for lists and documentation.
pub fn phrase(goal: &Goal, sources: &SourceMap) -> String {
    let text = |span: Span| format!("`{}`", one_line(sources.text(span)));
    match &goal.reason {
        GoalReason::Entry => "the body is entered".into(),
        GoalReason::Branch {
            cond,
            value,
            decision,
        } => match (decision, value) {
            (Decision::If, true) => format!("{} holds", text(*cond)),
            (Decision::If, false) => format!("{} does not hold", text(*cond)),
            (Decision::Loop, true) if is_for(sources.text(*cond)) => {
                format!("the body of the loop {} runs", text(*cond))
            }
            (Decision::Loop, false) if is_for(sources.text(*cond)) => {
                format!("the loop {} runs to completion", text(*cond))
            }
            (Decision::Loop, true) => format!("the loop is entered: {} holds", text(*cond)),
            (Decision::Loop, false) => format!("the loop is exited: {} does not hold", text(*cond)),
            (Decision::Operand, true) => {
                format!("{} holds, so the next operand is evaluated", text(*cond))
            }
            (Decision::Operand, false) => format!(
                "{} does not hold, so the next operand is evaluated",
                text(*cond)
            ),
            (Decision::Outcome, true) => format!("{} holds", text(*cond)),
            (Decision::Outcome, false) => format!("{} does not hold", text(*cond)),
        },
        GoalReason::Case { pattern } => format!("case {}", text(*pattern)),
        GoalReason::Alternative { guard } => format!("alternative {}", text(*guard)),
        GoalReason::Failure {
            value,
            failed: true,
        } => format!("{} is a failure", text(*value)),
        GoalReason::Failure {
            value,
            failed: false,
        } => format!("{} is not a failure", text(*value)),
        GoalReason::Boundary {
            left,
            right,
            relation,
        } => {
            let (left, right) = (text(*left), text(*right));
            match relation {
                Relation::Equal => format!("{left} equals {right}"),
                Relation::OneLess => format!("{left} is one less than {right}"),
                Relation::OneMore => format!("{left} is one more than {right}"),
                Relation::Different => format!("{left} differs from {right} and has the same size"),
            }
        }
        GoalReason::Decides {
            cond,
            value,
            decision,
        } => {
            let holds = if *value { "holds" } else { "does not hold" };
            if cond == decision {
                format!("{} {holds}", text(*cond))
            } else {
                format!(
                    "{} {holds} and alone decides {}",
                    text(*cond),
                    text(*decision)
                )
            }
        }
        GoalReason::Clause { post, part, value } => {
            let (clause, holds) = (
                if *post {
                    "postcondition"
                } else {
                    "precondition"
                },
                if *value { "holds" } else { "does not hold" },
            );
            format!("{clause}: {} {holds}", text(*part))
        }
        GoalReason::Path => "a path through the body".into(),
        GoalReason::After { stmt } => {
            format!("execution continues after `{}`", head(sources.text(*stmt)))
        }
        GoalReason::Broken { obligation, .. } => broken(*obligation).into(),
        GoalReason::Differs => "a mutant differs here".into(),
    }
}

/// Describes in a phrase that the goal is unreachable.
pub fn never(goal: &Goal, sources: &SourceMap) -> String {
    let text = |span: Span| format!("`{}`", one_line(sources.text(span)));
    match &goal.reason {
        GoalReason::Entry => "no call can enter the body".into(),
        GoalReason::Branch {
            cond,
            value,
            decision,
        } => {
            let is_for = is_for(sources.text(*cond));
            match (decision, value) {
                (Decision::Loop, true) if is_for => {
                    format!("the body of the loop {} never runs", text(*cond))
                }
                (Decision::Loop, false) if is_for => {
                    format!("the loop {} never runs to completion", text(*cond))
                }
                (Decision::Loop, true) => format!(
                    "the body of the loop never runs: {} never holds here",
                    text(*cond)
                ),
                (Decision::Loop, false) => format!(
                    "the loop is never exited: {} always holds here",
                    text(*cond)
                ),
                (Decision::Operand, true) => format!(
                    "the next operand is never evaluated: {} never holds here",
                    text(*cond)
                ),
                (Decision::Operand, false) => format!(
                    "the next operand is never evaluated: {} always holds here",
                    text(*cond)
                ),
                (Decision::If | Decision::Outcome, true) => {
                    format!("{} never holds here", text(*cond))
                }
                (Decision::If | Decision::Outcome, false) => {
                    format!("{} always holds here", text(*cond))
                }
            }
        }
        GoalReason::Case { pattern } => format!("no value reaches case {}", text(*pattern)),
        GoalReason::Alternative { guard } => format!("alternative {} is never taken", text(*guard)),
        GoalReason::Failure {
            value,
            failed: true,
        } => format!("{} is never a failure here", text(*value)),
        GoalReason::Failure {
            value,
            failed: false,
        } => format!("{} is always a failure here", text(*value)),
        GoalReason::Boundary { .. }
        | GoalReason::Decides { .. }
        | GoalReason::Clause { .. }
        | GoalReason::Path
        | GoalReason::Broken { .. }
        | GoalReason::Differs => {
            format!("it never happens that {}", phrase(goal, sources))
        }
        GoalReason::After { stmt } => format!(
            "execution never continues after `{}`",
            head(sources.text(*stmt))
        ),
    }
}

/// Describes the violation of an obligation in a phrase that can stand alone.
pub fn broken(obligation: ObligationKind) -> &'static str {
    match obligation {
        ObligationKind::Assertion => "this assertion does not hold",
        ObligationKind::InvariantOnEntry => {
            "this loop invariant does not hold on entry to the loop"
        }
        ObligationKind::InvariantKept => "this loop invariant does not hold after an iteration",
        ObligationKind::Decreases => {
            "the termination measure does not decrease, or is not bounded below"
        }
        ObligationKind::Precondition => "a precondition of this call does not hold",
        ObligationKind::Postcondition => "this postcondition does not hold",
        ObligationKind::LoopRange => "the lower bound of this loop exceeds the upper one",
        ObligationKind::Frame => "this modifies something outside of the frame",
        ObligationKind::Reads => "this reads something outside of the `reads` clause",
        ObligationKind::Type => "this value is not a member of its type",
        ObligationKind::Case => "no case applies here",
        ObligationKind::Aliasing => "one location is assigned two different values",
        ObligationKind::Uniqueness => "several values satisfy this condition",
        ObligationKind::Index => "this is out of range",
        ObligationKind::Key => "this key is not in the map",
        ObligationKind::Divisor => "this divides by zero",
        ObligationKind::Constructor => "the value was created by a different constructor",
        ObligationKind::NonNull => "this is null",
        ObligationKind::Domain => "an operand is outside of the operator's domain",
        ObligationKind::Existence => "no value satisfies this condition",
        ObligationKind::Assigned => "this was never assigned",
        ObligationKind::Application => "the precondition of this function value does not hold",
        ObligationKind::Allocated => "this is not yet allocated in the state in which it is used",
        ObligationKind::Override => {
            "this does not satisfy the postcondition of the overridden declaration"
        }
        ObligationKind::Witness => "this witness is not a value of its type",
        ObligationKind::Inhabited => "this type has no witness",
    }
}

/// Describes the obligation in a phrase.
pub fn obligation(obligation: ObligationKind) -> &'static str {
    match obligation {
        ObligationKind::Assertion => "this assertion",
        ObligationKind::InvariantOnEntry => "this loop invariant on entry to the loop",
        ObligationKind::InvariantKept => "this loop invariant after every iteration",
        ObligationKind::Decreases => "that the termination measure decreases and is bounded below",
        ObligationKind::Precondition => "a precondition of this call",
        ObligationKind::Postcondition => "this postcondition",
        ObligationKind::LoopRange => {
            "that the lower bound of this loop does not exceed the upper one"
        }
        ObligationKind::Frame => "that only the frame is modified",
        ObligationKind::Reads => "that only the `reads` clause is read",
        ObligationKind::Type => "that this value is a member of its type",
        ObligationKind::Case => "that a case applies here",
        ObligationKind::Aliasing => "that no location is assigned two different values",
        ObligationKind::Uniqueness => "that only one value satisfies this condition",
        ObligationKind::Index => "that this is in range",
        ObligationKind::Key => "that this key is in the map",
        ObligationKind::Divisor => "that the divisor is not zero",
        ObligationKind::Constructor => {
            "that the value was created by a constructor with this field"
        }
        ObligationKind::NonNull => "that this is not null",
        ObligationKind::Domain => "that the operands are in the operator's domain",
        ObligationKind::Existence => "that some value satisfies this condition",
        ObligationKind::Assigned => "that this was assigned",
        ObligationKind::Application => "the precondition of this function value",
        ObligationKind::Allocated => "that this is allocated in the state in which it is used",
        ObligationKind::Override => {
            "that this satisfies the postcondition of the overridden declaration"
        }
        ObligationKind::Witness => "that the witness is a value of its type",
        ObligationKind::Inhabited => "that this type has a witness",
    }
}

/// Returns the head of a statement: the text before its body.
fn head(text: &str) -> String {
    let first = text.split(['{', ';', '\n']).next().unwrap_or(text);
    one_line(if first.trim().is_empty() { text } else { first })
}

/// Returns the part of a test's name that identifies its goal, for example `when_n_is_len_x`.
pub fn name(goal: &Goal, sources: &SourceMap) -> String {
    let name = match &goal.reason {
        GoalReason::Entry => "runs".into(),
        GoalReason::Branch { cond, value, .. } => condition_name(sources.text(*cond), *value),
        // A pattern without words matches everything.
        GoalReason::Case { pattern } => match pattern_words(sources.text(*pattern)).as_str() {
            "" | "any" => "otherwise".into(),
            w => format!("in_case_{w}"),
        },
        GoalReason::Alternative { guard } => condition_name(sources.text(*guard), true),
        GoalReason::Failure { value, failed } => {
            format!(
                "when_{}_{}",
                words(sources.text(*value)),
                if *failed { "fails" } else { "succeeds" }
            )
        }
        GoalReason::Boundary {
            left,
            right,
            relation,
        } => {
            let is = match relation {
                Relation::Equal => "is",
                Relation::OneLess => "is_one_less_than",
                Relation::OneMore => "is_one_more_than",
                Relation::Different => "differs_from",
            };
            format!(
                "when_{}_{is}_{}",
                words(sources.text(*left)),
                words(sources.text(*right))
            )
        }
        GoalReason::Decides { cond, value, .. } => {
            format!("{}_decides", condition_name(sources.text(*cond), *value))
        }
        GoalReason::Clause { post, part, value } => {
            format!(
                "{}_{}",
                if *post { "gives" } else { "given" },
                condition_name(sources.text(*part), *value)
            )
        }
        GoalReason::Path => "takes_a_path_of_its_own".into(),
        GoalReason::After { .. } => "goes_on".into(),
        GoalReason::Broken { .. } => "violates_an_obligation".into(),
        GoalReason::Differs => "kills_a_mutant".into(),
    };
    // Names of tests have a bounded length.
    shorten(&name)
}

/// Returns the name of a test for a goal in a callee, for example `discount_when_price_is_0`.
pub fn inner_name(callee: &str, goal: &Goal, sources: &SourceMap) -> String {
    shorten(&format!("{}_{}", plain(callee), name(goal, sources)))
}

/// Returns the name of a test for a block that is a goal for each call. If the unit reaches the
/// callee by several calls, it contains the number of the call, for example `ite_call_2_when_c`.
pub fn inner_name_by_call(
    program: &ir::Program,
    unit: CallableId,
    call: ir::CallId,
    goal: &Goal,
    sources: &SourceMap,
) -> String {
    let calls = program
        .inlined
        .get(&unit)
        .map_or(&[][..], |i| i.calls.as_slice());
    let Some(callee) = calls.get(call.0 as usize).map(|c| c.callee) else {
        return name(goal, sources);
    };
    let alike: Vec<u32> = (0..)
        .zip(calls)
        .filter(|(_, c)| c.callee == callee)
        .map(|(i, _)| i)
        .collect();
    let own = plain(&program.typed[callee].name);
    match alike.iter().position(|i| *i == call.0) {
        Some(i) if alike.len() > 1 => {
            shorten(&format!("{own}_call_{}_{}", i + 1, name(goal, sources)))
        }
        Some(_) | None => shorten(&format!("{own}_{}", name(goal, sources))),
    }
}

/// Returns the chain of calls through which a unit reaches a goal, where goals are distinguished by
/// calls: the place of each call, the unit's own first.
pub fn calls(
    program: &ir::Program,
    unit: CallableId,
    goal: GoalId,
    sources: &SourceMap,
) -> Vec<String> {
    let GoalId::BlockBy(call, ..) = goal else {
        return Vec::new();
    };
    let chain = program
        .inlined
        .get(&unit)
        .map_or_else(Vec::new, |i| i.chain(call));
    chain.iter().map(|c| sources.locate(c.site)).collect()
}

/// Describes such a chain of calls, for use after the callee's name; empty for none.
pub fn called_at(calls: &[String]) -> String {
    let Some((last, before)) = calls.split_last() else {
        return String::new();
    };
    let outer = if before.is_empty() {
        String::new()
    } else {
        format!(" through {}", before.join(", "))
    };
    format!(", called at {last}{outer}")
}

/// Describes the calls whose blocks are not separate goals.
pub fn calls_left_out(program: &ir::Program, unit: CallableId) -> Option<String> {
    let left_out = program.inlined.get(&unit).map_or(0, |i| i.left_out);
    let calls = if left_out == 1 {
        "1 call leads".to_owned()
    } else {
        format!("{left_out} calls lead")
    };
    (left_out > 0).then(|| {
        format!(
            "{calls} to blocks that are not separate goals: a unit has at most {} goals that are distinguished by call",
            ir::MAX_INLINED
        )
    })
}

/// Returns the name of a test for a path, from its last decision.
pub fn path_name(cond: Span, value: bool, sources: &SourceMap) -> String {
    shorten(&format!(
        "path_{}",
        condition_name(sources.text(cond), value)
    ))
}

/// Describes a condition and its value for documentation: `n != |x|`.
pub fn condition(cond: Span, value: bool, sources: &SourceMap) -> String {
    let text = one_line(sources.text(cond));
    if is_for(&text) {
        return format!("loop {text} {}", if value { "runs" } else { "ends" });
    }
    if value {
        return text;
    }
    match negated(&text) {
        Some(negated) => negated,
        None if text
            .chars()
            .all(|c| c.is_alphanumeric() || "_?'.".contains(c)) =>
        {
            format!("!{text}")
        }
        None => format!("!({text})"),
    }
}

/// Returns the position of a goal among those of its unit, as in "block 7 of 9".
pub fn ordinal(goals: &[GoalId], goal: GoalId) -> usize {
    goals.iter().position(|g| *g == goal).map_or(0, |i| i + 1)
}

/// Folds white space; comments stay.
pub fn one_line(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.chars().count() > 100 {
        folded.chars().take(97).chain("...".chars()).collect()
    } else {
        folded
    }
}

fn condition_name(text: &str, value: bool) -> String {
    if is_for(text) {
        return format!(
            "{}_{}",
            if value { "for" } else { "after" },
            words(&text.replace(":=", " "))
        );
    }
    match (value, negated(text)) {
        (true, _) => format!("when_{}", words(text)),
        (false, Some(negated)) => format!("when_{}", words(&negated)),
        (false, None) => format!("unless_{}", words(text)),
    }
}

/// Whether the "condition" is the head of a `for` loop: no expression contains `:=` outside of
/// brackets, except after `var`.
fn is_for(text: &str) -> bool {
    let mut depth = 0i32;
    let tokens = tokens(text);
    let is_head = |t: &&str| {
        depth += i32::from(["(", "[", "{"].contains(t)) - i32::from([")", "]", "}"].contains(t));
        depth == 0 && *t == ":="
    };
    !matches!(tokens.first(), Some(&("var" | "ghost"))) && tokens.iter().any(is_head)
}

/// Returns the negation of a single comparison or of a negation; `None` for other conditions.
fn negated(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let turned = [("==", "!="), ("<", ">="), ("<=", ">"), ("in", "!in")];
    let opposite = |t: &str| {
        turned.iter().find_map(|&(a, b)| {
            if t == a {
                Some(b)
            } else {
                (t == b).then_some(a)
            }
        })
    };
    let is_connective = |t: &str| {
        [
            "&&", "||", "==>", "<==>", "<==", "forall", "exists", "if", "match", "::", "=>", "var",
        ]
        .contains(&t)
    };
    if tokens.iter().any(|t| is_connective(t)) {
        return None;
    }
    let comparisons: Vec<usize> = tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| opposite(t).is_some())
        .map(|(i, _)| i)
        .collect();
    match (comparisons.as_slice(), tokens.split_first()) {
        ([at], _) => {
            // Replace the operator and keep the rest of the text.
            let offset = tokens.get(*at)?.as_ptr() as usize - text.as_ptr() as usize;
            let operator = *tokens.get(*at)?;
            Some(format!(
                "{}{}{}",
                text.get(..offset)?,
                opposite(operator)?,
                text.get(offset + operator.len()..)?
            ))
        }
        ([], Some((&"!", rest))) if !rest.is_empty() => Some(
            text.trim_start()
                .trim_start_matches('!')
                .trim_start()
                .to_owned(),
        ),
        ([], _) | ([_, ..], _) => None,
    }
}

/// Returns the tokens that matter for names, borrowed from the text.
fn tokens(text: &str) -> Vec<&str> {
    const OPERATORS: [&str; 20] = [
        "<==>", "==>", "<==", "!in", "==", "!=", "<=", ">=", "&&", "||", "=>", "::", ":|", ":-",
        "..", "<<", ">>", "!!", ":=", "<-",
    ];
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '?';
        // String and character literals are single tokens, with escaped quotes inside.
        let len = if c.is_whitespace() {
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        } else if c == '"' || c == '\'' {
            rest.char_indices()
                .skip(1)
                .scan(false, |escaped, (i, d)| {
                    let end = d == c && !*escaped;
                    *escaped = d == '\\' && !*escaped;
                    Some((i, end))
                })
                .find(|&(_, end)| end)
                .map_or(rest.len(), |(i, _)| i + 1)
        } else if is_word(c) {
            rest.find(|d| !is_word(d)).unwrap_or(rest.len())
        } else {
            // `!in` is an operator only if no identifier continues after it.
            OPERATORS
                .iter()
                .find(|o| {
                    rest.starts_with(**o)
                        && (**o != "!in" || !rest.get(3..).is_some_and(|r| r.starts_with(is_word)))
                })
                .map_or(c.len_utf8(), |o| o.len())
        };
        let Some((token, tail)) = rest.split_at_checked(len) else {
            break;
        };
        out.push(token);
        rest = tail;
    }
    out
}

/// Returns the text as words joined by `_`: `x[n] <= |y|` becomes `x_at_n_is_at_most_len_y`.
pub fn words(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut open_bars = 0;
    let tokens = tokens(text);
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).copied();
        // If an operand ends before this token, the token is a binary operator or a closing
        // bracket.
        let is_after_operand = i
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|t| ends_operand(t));
        let word: &str = match *token {
            "[" | "{" if matches!(next, Some("]" | "}")) => "empty",
            "==" => "is",
            "!=" => "is_not",
            "<" => "is_less_than",
            "<=" => "is_at_most",
            ">" => "is_greater_than",
            ">=" => "is_at_least",
            "in" => "is_in",
            "!in" => "is_not_in",
            "<-" => "in",
            ":=" => "becomes",
            // Short operands of comparisons have words of their own.
            "\"\"" => "empty",
            "<<" => "shifted_left_by",
            ">>" => "shifted_right_by",
            "&" => "bitand",
            "^" => "xor",
            "!!" => "is_disjoint_from",
            "::" => "such_that",
            "&&" => "and",
            "||" => "or",
            "==>" => "implies",
            "<==" => "if",
            "<==>" => "iff",
            "!" => "not",
            "+" => "plus",
            "-" => "minus",
            "*" if is_after_operand => "times",
            "*" => "star",
            "/" => "over",
            "%" => "mod",
            "[" => "at",
            "_" => "any",
            ".." => "to",
            "|" if !is_after_operand => {
                open_bars += 1;
                "len"
            }
            "|" if open_bars > 0 => {
                open_bars -= 1;
                ""
            }
            "|" => "bitor",
            t => {
                let word = plain(t);
                let is_literal = t.starts_with(['"', '\'']);
                let is_escape = t.len() == 4 && t.get(1..2) == Some("\\");
                out.push(if is_literal && (word.is_empty() || is_escape) {
                    spelled(t)
                } else {
                    word
                });
                continue;
            }
        };
        out.push(word.to_owned());
    }
    out.retain(|w| !w.is_empty());
    out.join("_").trim_matches('_').to_owned()
}

/// Returns the words of a pattern, whose bars separate alternatives: `Sat | Sun` becomes
/// `sat_or_sun`.
fn pattern_words(text: &str) -> String {
    let bars = tokens(text).into_iter().filter(|t| *t == "|");
    let mut alternatives = Vec::new();
    let mut start = 0;
    for bar in bars {
        let at = bar.as_ptr() as usize - text.as_ptr() as usize;
        alternatives.push(words(text.get(start..at).unwrap_or_default()));
        start = at + bar.len();
    }
    alternatives.push(words(text.get(start..).unwrap_or_default()));
    alternatives.join("_or_")
}

/// Returns the words for a literal of characters that are no letters.
fn spelled(literal: &str) -> String {
    let inner = literal.get(1..literal.len() - 1).unwrap_or_default();
    let word = match inner {
        " " => "space",
        "\\n" => "newline",
        "\\r" => "carriage_return",
        "\\t" => "tab",
        "." => "dot",
        "," => "comma",
        ":" => "colon",
        ";" => "semicolon",
        "+" => "plus",
        "-" => "dash",
        "_" => "underscore",
        "*" => "star",
        "/" => "slash",
        "\\\\" => "backslash",
        "\\\"" | "\"" => "quote",
        "\\'" => "apostrophe",
        "(" => "open_parenthesis",
        ")" => "closing_parenthesis",
        "[" => "open_bracket",
        "]" => "closing_bracket",
        "{" => "open_brace",
        "}" => "closing_brace",
        "=" => "equals_sign",
        _punctuation => "signs",
    };
    word.to_owned()
}

/// Whether an operand may end with the token.
fn ends_operand(token: &str) -> bool {
    let is_word = token.starts_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c));
    let is_operator = [
        "in", "to", "downto", "if", "then", "else", "case", "match", "forall", "exists", "var",
        "is", "as", "old",
    ]
    .contains(&token);
    (is_word && !is_operator) || [")", "]", "}", "|"].contains(&token)
}

/// Returns one token as lower-case letters and digits; empty for punctuation.
fn plain(token: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in token.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_lower {
                out.push('_');
            }
            after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
            out.push(c.to_ascii_lowercase());
        } else if !matches!(c, '\'' | '?') && !out.is_empty() {
            out.push('_');
            after_lower = false;
        }
    }
    while out.contains("__") {
        out = out.replace("__", "_");
    }
    out.trim_matches('_').to_owned()
}

/// Shortens a name to [`MAX_NAME`] bytes, cut between words.
pub fn shorten(name: &str) -> String {
    if name.len() <= MAX_NAME {
        return name.to_owned();
    }
    let cut = name.get(..MAX_NAME).unwrap_or(name);
    cut.rfind('_')
        .and_then(|i| cut.get(..i))
        .unwrap_or(cut)
        .trim_end_matches('_')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_become_names() {
        let cases = [
            ("Cons(x, Nil)", "cons_x_nil"),
            ("Sat | Sun", "sat_or_sun"),
            ("Add(0 | 1, \"a|b\")", "add_0_or_1_a_b"),
        ];
        for (pattern, name) in cases {
            assert_eq!(pattern_words(pattern), name);
        }
    }

    #[test]
    fn conditions_become_names() {
        let cases = [
            ("n == |x|", true, "when_n_is_len_x"),
            ("n == |x|", false, "when_n_is_not_len_x"),
            ("x[n] < y[n]", false, "when_x_at_n_is_at_least_y_at_n"),
            ("!IsValid(s)", false, "when_is_valid_s"),
            ("a && b", false, "unless_a_and_b"),
            ("c == 'a'", true, "when_c_is_a"),
            ("k !in m", false, "when_k_is_in_m"),
            ("s == \"a < b\"", false, "when_s_is_not_a_b"),
            ("a == []", false, "when_a_is_not_empty"),
            ("i := 0 to |s|", false, "after_i_0_to_len_s"),
            ("s == \"\"", true, "when_s_is_empty"),
            ("s == \"\"", false, "when_s_is_not_empty"),
            ("b & 1 != 0", true, "when_b_bitand_1_is_not_0"),
            (
                "b >> 1 == c << 2",
                true,
                "when_b_shifted_right_by_1_is_c_shifted_left_by_2",
            ),
            ("b | 1 == c ^ 3", true, "when_b_bitor_1_is_c_xor_3"),
            ("a * b == 6", true, "when_a_times_b_is_6"),
            ("if *", false, "unless_if_star"),
            ("|a| | 1 == |b|", true, "when_len_a_bitor_1_is_len_b"),
            (
                "|s[|t| - 1]| == 2",
                true,
                "when_len_s_at_len_t_minus_1_is_2",
            ),
            (
                "exists c <- s :: c > 3",
                true,
                "when_exists_c_in_s_such_that_c_is_greater_than_3",
            ),
            ("m[1 := 2] == w", true, "when_m_at_1_becomes_2_is_w"),
            ("c == ' '", true, "when_c_is_space"),
            ("s == \"\\n\"", true, "when_s_is_newline"),
            ("a !! b", true, "when_a_is_disjoint_from_b"),
            ("i: nat := 3 downto n", true, "for_i_nat_3_downto_n"),
            ("0 <= i < n", false, "unless_0_is_at_most_i_is_less_than_n"),
        ];
        for (text, value, expected) in cases {
            assert_eq!(condition_name(text, value), expected, "{text} {value}");
        }
    }

    #[test]
    fn a_condition_that_failed_is_shown_negated() {
        let mut sources = SourceMap::new();
        sources.add("a.dfy", "x[n] < y[n] && b Valid?", true);
        assert_eq!(condition(Span::new(0, 11), false, &sources), "x[n] >= y[n]");
        assert_eq!(
            condition(Span::new(0, 16), false, &sources),
            "!(x[n] < y[n] && b)"
        );
        assert_eq!(condition(Span::new(17, 23), false, &sources), "!Valid?");
    }

    #[test]
    fn long_names_are_cut_between_words() {
        let long = format!("when_{}", vec!["word"; 30].join("_"));
        assert!(shorten(&long).len() <= MAX_NAME);
        assert!(shorten(&long).ends_with("_word"));
    }
}
