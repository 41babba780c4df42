//! Text mutants of programs, with one or two changes of tokens, names, types, clauses or
//! statements.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "of all tokens, brackets and semicolons alone matter"
)]

use dafny_rewrite::Random;
use dafny_syntax::{Token, TokenKind as T, lex};

/// The mutation operators. Those that more often keep programs well-formed are listed several
/// times, because a syntax error hides all rules of the resolver.
const CHANGES: &[fn(&Tokens<'_>, &mut Random) -> Option<Edit>] = &[
    token_deleted,
    token_doubled,
    tokens_swapped,
    word_replaced,
    word_replaced,
    word_replaced,
    name_replaced,
    name_replaced,
    name_replaced,
    name_replaced,
    type_replaced,
    type_replaced,
    type_replaced,
    literal_replaced,
    statement_deleted,
    statement_deleted,
    statement_copied,
    statement_copied,
    statement_copied,
    clause_deleted,
    clause_copied,
    clause_copied,
    modifier_changed,
    modifier_changed,
    kind_changed,
    expression_replaced,
    expression_replaced,
    attribute_added,
    type_characteristics_changed,
    declaration_deleted,
    declaration_deleted,
    arguments_swapped,
    arguments_swapped,
    argument_deleted,
    ghostness_changed,
    ghostness_changed,
];

/// A range of the text with its replacement.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// Returns a mutant of `text`. One in four has a second change.
pub(super) fn mutant(text: &str, random: &mut Random) -> String {
    let changes = if random.below(4) == 0 { 2 } else { 1 };
    let mut text = text.to_owned();
    for _ in 0..changes {
        // A change may be impossible or have no effect. Then another one is tried.
        for _ in 0..20 {
            let tokens = Tokens::new(&text);
            let Some(change) = CHANGES.get(random.below(CHANGES.len())) else {
                break;
            };
            let Some(edit) = change(&tokens, random) else {
                continue;
            };
            if text.get(edit.start..edit.end) == Some(&edit.text) {
                continue;
            }
            text.replace_range(edit.start..edit.end, &edit.text);
            break;
        }
    }
    text
}

struct Tokens<'a> {
    text: &'a str,
    list: Vec<Token>,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        let mut list = lex(0, text).tokens;
        // Without the final `Eof`.
        list.pop();
        Self { text, list }
    }

    fn kind(&self, i: usize) -> Option<T> {
        self.list.get(i).map(|t| t.kind)
    }

    fn word(&self, i: usize) -> &'a str {
        self.range(i, i)
    }

    /// The text from one token to another, inclusive.
    fn range(&self, from: usize, to: usize) -> &'a str {
        let (start, end) = self.place(from, to);
        self.text.get(start..end).unwrap_or_default()
    }

    fn place(&self, from: usize, to: usize) -> (usize, usize) {
        let start = self.list.get(from).map_or(0, |t| t.span.start as usize);
        let end = self.list.get(to).map_or(start, |t| t.span.end as usize);
        (start, end.max(start))
    }

    fn edit(&self, from: usize, to: usize, text: impl Into<String>) -> Option<Edit> {
        let (start, end) = self.place(from, to);
        Some(Edit {
            start,
            end,
            text: text.into(),
        })
    }

    /// The indices of the tokens that satisfy the predicate.
    fn such(&self, holds: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.list.len()).filter(|i| holds(*i)).collect()
    }

    fn any(&self, random: &mut Random, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let all = self.such(holds);
        all.get(random.below(all.len())).copied()
    }

    /// The index of the bracket that closes the one at `i`.
    fn closing(&self, i: usize) -> Option<usize> {
        let mut depth = 0usize;
        for j in i..self.list.len() {
            match self.kind(j)? {
                T::LBrace | T::LBraceColon | T::LParen | T::LBracket => depth += 1,
                T::RBrace | T::RParen | T::RBracket => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(j);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// A random statement after a `;`, `{` or `}`, up to its semicolon outside of braces.
    fn statement(&self, random: &mut Random) -> Option<(usize, usize)> {
        let starts =
            |i: usize| i > 0 && matches!(self.kind(i - 1), Some(T::Semi | T::LBrace | T::RBrace));
        let from = self.any(random, starts)?;
        let mut at = from;
        while let Some(kind) = self.kind(at) {
            match kind {
                T::Semi => return Some((from, at)),
                T::LBrace | T::LBraceColon | T::LParen | T::LBracket => at = self.closing(at)?,
                T::RBrace => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// A random clause: from its keyword to the next keyword or the body.
    fn clause(&self, random: &mut Random) -> Option<(usize, usize)> {
        let is_clause = |w: &str| {
            matches!(
                w,
                "requires" | "ensures" | "modifies" | "reads" | "decreases" | "invariant"
            )
        };
        let from = self.any(random, |i| is_clause(self.word(i)))?;
        let mut at = from + 1;
        while at < self.list.len() {
            match self.kind(at)? {
                T::LParen | T::LBracket => at = self.closing(at)?,
                T::LBrace | T::RBrace => break,
                _ if is_clause(self.word(at)) => break,
                _ => {}
            }
            at += 1;
        }
        (at > from + 1).then_some((from, at - 1))
    }

    /// The ranges of types: names with arguments after a colon.
    fn types(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for i in self.such(|i| self.kind(i) == Some(T::Colon)) {
            let mut at = i + 1;
            if !self
                .word(at)
                .starts_with(|c: char| c.is_alphabetic() || c == '_')
            {
                continue;
            }
            if self.word(at + 1) == "<" {
                // Skip the type arguments.
                let mut depth = 0i32;
                while at + 1 < self.list.len() {
                    at += 1;
                    depth += match self.word(at) {
                        "<" => 1,
                        ">" => -1,
                        ";" | "{" | "}" => break,
                        _ => 0,
                    };
                    if depth == 0 {
                        break;
                    }
                }
                if depth != 0 {
                    continue;
                }
            }
            found.push((i + 1, at));
        }
        found
    }
}

fn token_deleted(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let i = t.any(random, |_| true)?;
    t.edit(i, i, "")
}

fn token_doubled(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let i = t.any(random, |_| true)?;
    t.edit(i, i, format!("{} {}", t.word(i), t.word(i)))
}

fn tokens_swapped(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let i = t.any(random, |i| i + 1 < t.list.len())?;
    t.edit(i, i + 1, format!("{} {}", t.word(i + 1), t.word(i)))
}

/// Groups of words and symbols that are replaced by each other.
const WORDS: &[&[&str]] = &[
    &[
        "method",
        "lemma",
        "function",
        "predicate",
        "constructor",
        "ghost method",
        "ghost function",
        "twostate lemma",
        "twostate predicate",
        "least predicate",
        "greatest lemma",
        "iterator",
    ],
    &[
        "class",
        "trait",
        "datatype",
        "codatatype",
        "module",
        "newtype",
        "type",
        "abstract module",
    ],
    &["var", "const", "ghost var", "ghost const", "static const"],
    &[
        "assert",
        "assume",
        "expect",
        "print",
        "return",
        "reveal",
        "assume {:axiom}",
    ],
    &[
        "requires",
        "ensures",
        "modifies",
        "reads",
        "decreases",
        "invariant",
    ],
    &["while", "if", "for", "forall"],
    &["forall", "exists", "set", "iset", "map", "imap", "seq"],
    &[
        "+", "-", "*", "/", "%", "&&", "||", "==>", "<==>", "<==", "==", "!=", "<", "<=", ">",
        ">=", "in", "!in", "!!", "&", "|", "^", "<<", ">>",
    ],
    &[":=", ":|", ":-", "=="],
    &["->", "-->", "~>"],
    &[
        "int",
        "nat",
        "bool",
        "real",
        "char",
        "string",
        "object",
        "object?",
        "ORDINAL",
        "bv8",
        "array<int>",
        "seq<int>",
        "set<nat>",
        "(int, bool)",
    ],
    &["old", "fresh", "allocated", "unchanged"],
    &["this", "null", "true", "0"],
    &["as", "is"],
    &["break", "continue", "return"],
    &["provides", "reveals"],
    &["opened", ""],
    &["set", "multiset", "seq", "iset", "array"],
    &["(==)", "(0)", "(00)", "(!new)", ""],
    &["extends", "refines"],
    &["?", "!", ""],
];

fn word_replaced(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let groups = |i: usize| WORDS.iter().filter(move |g| g.contains(&t.word(i)));
    let i = t.any(random, |i| groups(i).next().is_some())?;
    let all: Vec<&&[&str]> = groups(i).collect();
    let group = all.get(random.below(all.len()))?;
    t.edit(i, i, random.pick(group).copied()?)
}

fn name_replaced(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let is_name = |i: usize| t.kind(i) == Some(T::Ident);
    let (i, j) = (t.any(random, is_name)?, t.any(random, is_name)?);
    t.edit(i, i, t.word(j))
}

fn type_replaced(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let all = t.types();
    let (from, to) = *all.get(random.below(all.len()))?;
    let (other, end) = *all.get(random.below(all.len()))?;
    const MORE: &[&str] = &[
        "int",
        "nat",
        "bool",
        "real",
        "char",
        "string",
        "object",
        "object?",
        "bv8",
        "bv0",
        "ORDINAL",
        "int -> int",
        "int ~> bool",
        "(int, ghost bool)",
        "()",
        "array<int>",
        "array2<bool>",
        "array?<nat>",
        "seq<nat>",
        "set<int>",
        "iset<int>",
        "map<int, bool>",
        "imap<int, int>",
        "multiset<nat>",
        "seq<seq<int>>",
    ];
    let text = match random.below(3) {
        0 => (*random.pick(MORE)?).to_owned(),
        1 => format!("seq<{}>", t.range(other, end)),
        _ => t.range(other, end).to_owned(),
    };
    t.edit(from, to, text)
}

fn literal_replaced(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let is_literal = |i: usize| {
        matches!(
            t.kind(i),
            Some(T::Digits | T::HexDigits | T::Real | T::Char | T::String | T::VerbatimString)
        ) || matches!(t.word(i), "true" | "false" | "null" | "this")
    };
    let i = t.any(random, is_literal)?;
    const LITERALS: &[&str] = &[
        "0",
        "-1",
        "256",
        "1.5",
        "true",
        "null",
        "this",
        "'a'",
        "\"x\"",
        "[]",
        "{}",
        "map[]",
        "multiset{}",
        "(1, 2)",
        "iset{}",
        "*",
        "x => x",
        "[1, 2]",
    ];
    t.edit(i, i, *LITERALS.get(random.below(LITERALS.len()))?)
}

fn statement_deleted(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let (from, to) = t.statement(random)?;
    t.edit(from, to, "")
}

fn statement_copied(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let (from, to) = t.statement(random)?;
    let (before, _) = t.statement(random)?;
    t.edit(
        before,
        before,
        format!("{} {}", t.range(from, to), t.word(before)),
    )
}

fn clause_deleted(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let (from, to) = t.clause(random)?;
    t.edit(from, to, "")
}

fn clause_copied(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let (from, to) = t.clause(random)?;
    let (before, _) = t.clause(random)?;
    t.edit(
        before,
        before,
        format!("{}\n{}", t.range(from, to), t.word(before)),
    )
}

/// Replaces the keyword of a function, method or lemma, with its modifiers.
fn kind_changed(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    const KINDS: &[&str] = &[
        "function",
        "predicate",
        "ghost predicate",
        "twostate function",
        "least predicate",
        "greatest predicate",
        "method",
        "lemma",
        "twostate lemma",
        "least lemma",
        "greatest lemma",
    ];
    const MODIFIERS: &[&str] = &["ghost", "twostate", "least", "greatest"];
    let is_kind = |i| matches!(t.word(i), "function" | "predicate" | "method" | "lemma");
    let keyword = t.any(random, is_kind)?;
    let mut from = keyword;
    while from > 0 && MODIFIERS.contains(&t.word(from - 1)) {
        from -= 1;
    }
    t.edit(from, keyword, random.pick(KINDS).copied()?)
}

fn modifier_changed(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    const MODIFIERS: &[&str] = &[
        "ghost", "static", "opaque", "abstract", "nameonly", "older", "new",
    ];
    const BEFORE: &[&str] = &[
        "method",
        "function",
        "predicate",
        "lemma",
        "var",
        "const",
        "class",
        "trait",
        "module",
        "datatype",
        "constructor",
    ];
    let written = |i: usize| MODIFIERS.contains(&t.word(i));
    if random.below(3) == 0
        && let Some(i) = t.any(random, written)
    {
        return t.edit(i, i, "");
    }
    if random.below(3) == 0 {
        // The token before a parameter.
        let i = t.any(random, |i| {
            t.kind(i) == Some(T::Ident) && t.kind(i + 1) == Some(T::Colon)
        })?;
        return t.edit(
            i,
            i,
            format!("{} {}", random.pick(MODIFIERS).copied()?, t.word(i)),
        );
    }
    let i = t.any(random, |i| BEFORE.contains(&t.word(i)))?;
    t.edit(
        i,
        i,
        format!("{} {}", random.pick(MODIFIERS).copied()?, t.word(i)),
    )
}

/// Replaces the content of parentheses, or an operand after `:=`, by another one.
fn expression_replaced(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let inner = |random: &mut Random| {
        let open = t.any(random, |i| t.kind(i) == Some(T::LParen))?;
        let close = t.closing(open)?;
        (close > open + 1).then_some((open + 1, close - 1))
    };
    let (from, to) = inner(random)?;
    let (other, end) = inner(random)?;
    let text = t.range(other, end);
    let text = match random.below(6) {
        0 => format!("old({text})"),
        1 => format!("{}, {text}", t.range(from, to)),
        2 => format!("!{text}"),
        3 => format!("|{text}|"),
        _ => text.to_owned(),
    };
    t.edit(from, to, text)
}

fn attribute_added(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    const ATTRIBUTES: &[&str] = &[
        "{:axiom}",
        "{:extern}",
        "{:tailrecursion}",
        "{:test}",
        "{:main}",
        "{:opaque}",
        "{:fuel 2}",
        "{:induction x}",
        "{:trigger x}",
        "{:autocontracts}",
        "{:print}",
        "{:rlimit 100}",
        "{:resource_limit 3}",
        "{:timeLimit 3}",
        "{:nativeType \"byte\"}",
        "{:termination false}",
        "{:abstemious}",
        "{:synthesize}",
        "{:inline}",
        "{:isolate_assertions}",
        "{:verify false}",
        "{:concurrent}",
        "{:compile false}",
        "{:only}",
        "{:split_here}",
        "{:nosuch 3}",
    ];
    const BEHIND: &[&str] = &[
        "method",
        "function",
        "predicate",
        "lemma",
        "var",
        "const",
        "class",
        "trait",
        "module",
        "datatype",
        "constructor",
        "assert",
        "requires",
        "ensures",
        "invariant",
        "decreases",
        "newtype",
        "type",
        "expect",
        "while",
        "assume",
        "forall",
    ];
    let i = t.any(random, |i| BEHIND.contains(&t.word(i)))?;
    t.edit(
        i,
        i,
        format!("{} {}", t.word(i), random.pick(ATTRIBUTES).copied()?),
    )
}

/// Words that begin a declaration.
const DECLARATIONS: &[&str] = &[
    "method",
    "function",
    "predicate",
    "lemma",
    "const",
    "class",
    "trait",
    "datatype",
    "codatatype",
    "newtype",
    "type",
    "import",
    "constructor",
    "iterator",
];

/// Removes a declaration, up to the next declaration or the end of the enclosing block.
fn declaration_deleted(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    const BEFORE: &[&str] = &[
        "ghost", "static", "opaque", "abstract", "twostate", "least", "greatest", "opened",
    ];
    let begins = |i: usize| DECLARATIONS.contains(&t.word(i)) || BEFORE.contains(&t.word(i));
    let mut from = t.any(random, |i| DECLARATIONS.contains(&t.word(i)))?;
    let mut at = from + 1;
    while from > 0 && BEFORE.contains(&t.word(from - 1)) {
        from -= 1;
    }
    while let Some(kind) = t.kind(at) {
        match kind {
            T::LBrace | T::LBraceColon | T::LParen | T::LBracket => at = t.closing(at)?,
            T::RBrace => break,
            _ if begins(at) => break,
            _ => {}
        }
        at += 1;
    }
    t.edit(from, at - 1, "")
}

/// The arguments or parameters in a pair of parentheses that has at least two.
fn arguments(t: &Tokens<'_>, random: &mut Random) -> Option<Vec<(usize, usize)>> {
    let open = t.any(random, |i| t.kind(i) == Some(T::LParen))?;
    let close = t.closing(open)?;
    let (mut parts, mut from, mut at) = (Vec::new(), open + 1, open + 1);
    while at < close {
        match t.kind(at)? {
            T::LBrace | T::LBraceColon | T::LParen | T::LBracket => at = t.closing(at)?,
            T::Comma => {
                parts.push((from, at.checked_sub(1)?));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push((from, close.checked_sub(1)?));
    (parts.len() > 1 && parts.iter().all(|(from, to)| from <= to)).then_some(parts)
}

fn arguments_swapped(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let parts = arguments(t, random)?;
    let first = random.below(parts.len() - 1);
    let ((from, end), (start, to)) = (*parts.get(first)?, *parts.get(first + 1)?);
    let text = format!("{}, {}", t.range(start, to), t.range(from, end));
    t.edit(from, to, text)
}

fn argument_deleted(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let parts = arguments(t, random)?;
    let index = random.below(parts.len());
    let (from, to) = *parts.get(index)?;
    // The comma goes with it: the one before, or behind the first.
    if index == 0 {
        t.edit(from, to + 1, "")
    } else {
        t.edit(from - 1, to, "")
    }
}

/// Removes `ghost`, or adds it to a declaration, a local variable or a parameter.
fn ghostness_changed(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    let written = |i: usize| t.word(i) == "ghost";
    if random.below(2) == 0
        && let Some(i) = t.any(random, written)
    {
        return t.edit(i, i, "");
    }
    const MAY_BE_GHOST: &[&str] = &["method", "function", "predicate", "var", "const"];
    let i = t.any(random, |i| {
        MAY_BE_GHOST.contains(&t.word(i))
            || (t.kind(i) == Some(T::Ident) && t.kind(i + 1) == Some(T::Colon))
    })?;
    t.edit(i, i, format!("ghost {}", t.word(i)))
}

fn type_characteristics_changed(t: &Tokens<'_>, random: &mut Random) -> Option<Edit> {
    const MARKS: &[&str] = &["(==)", "(0)", "(00)", "(!new)", "(==, 0)"];
    let behind = |i: usize| i > 0 && matches!(t.word(i - 1), "<" | "," | "type" | "+");
    let i = t.any(random, |i| {
        t.kind(i) == Some(T::Ident) && behind(i) && matches!(t.word(i + 1), ">" | "," | "(" | "=")
    })?;
    t.edit(
        i,
        i,
        format!("{}{}", t.word(i), random.pick(MARKS).copied()?),
    )
}
