//! A recursive-descent parser from tokens to the syntax tree.
//!
//! There is one method for each production of the Dafny grammar, named after it:
//! `ImpliesExpliesExpression` is [`Parser::implies_explies_expression`]. A production that cannot
//! use the next token reports it and returns [`Failed`]. Statements, members and declarations
//! handle that: they skip to the next possible start and continue.
//!
//! Matches over tokens end in `_`, because most tokens end most productions. The tree never nests
//! deeper than about [`MAX_DEPTH`], so that later passes may be recursive.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever token is not part of a production ends it, or is an error"
)]

mod binary;
mod declarations;
mod expressions;
mod formals;
mod lookahead;
mod members;
mod patterns;
mod proofs;
mod quantifiers;
mod specifications;
mod statements;
mod suffixes;
mod types;
mod updates;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use super::ast::{Expr, ExprKind, File, Ident};
use super::lexer::{self, Lexed};
use super::token::{Token, TokenKind as T};

/// The maximum depth of a tree: the sum of nested productions and of the longest left-deep chains
/// inside.
///
/// A program beyond it is reported as `syntax/too-deep`, and the rest is not parsed. The deepest of
/// 3,000 real programs has fewer than 300 levels. Parsing, printing, erasing spans and dropping fit
/// on a thread of the test harness. Passes with larger frames (a derived `Clone` in a debug build
/// needs 4 KB per level) run on the tool's large stack.
pub const MAX_DEPTH: u32 = 1_000;

/// The maximum number of errors in a file. The rest of the file is not parsed.
pub const MAX_ERRORS: usize = 200;

/// The stack space, in bytes, that must remain before a production. It is more than a production
/// needs until the next check.
const RED_ZONE: usize = 256 * 1024;
const STACK_PIECE: usize = 4 * 1024 * 1024;

/// The meaning of `| P` before a comma in quantified variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum QuantifierSyntax {
    /// The range ends the variables. Dafny 3's default.
    Version3,
    /// Every variable may have its own range. Dafny 4's default.
    #[default]
    Version4,
}

/// The values of `--function-syntax`, which determines the ghost functions by their keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FunctionSyntax {
    /// Functions are ghost, except `function method` and `predicate method`.
    Version3,
    /// Functions have to be declared as `ghost function` or `function method`.
    Migration3To4,
    /// Functions are ghost, except `function method`. `ghost function` is allowed.
    DefaultGhost,
    /// Functions are compiled, except `ghost function`. `function method` is allowed.
    DefaultCompiled,
    /// Like [`Self::Version4`], but predicates are ghost.
    PredicateAlwaysGhost,
    /// Functions are compiled, except `ghost function`.
    #[default]
    Version4,
}

impl FunctionSyntax {
    /// The default syntax of a Dafny version.
    pub fn of_version(version: u8) -> Self {
        if version == 3 {
            Self::Version3
        } else {
            Self::Version4
        }
    }

    /// The value of the option.
    pub fn value(self) -> &'static str {
        match self {
            Self::Version3 => "3",
            Self::Version4 => "4",
            Self::Migration3To4 => "migration3to4",
            Self::DefaultGhost => "experimentalDefaultGhost",
            Self::DefaultCompiled => "experimentalDefaultCompiled",
            Self::PredicateAlwaysGhost => "experimentalPredicateAlwaysGhost",
        }
    }

    /// All values.
    pub const ALL: [Self; 6] = [
        Self::Version3,
        Self::Version4,
        Self::Migration3To4,
        Self::DefaultGhost,
        Self::DefaultCompiled,
        Self::PredicateAlwaysGhost,
    ];

    /// Parses the value of the option. Returns `None` for an unknown value.
    pub fn of_value(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|syntax| syntax.value() == value)
    }
}

/// Dafny's options that affect parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The option `--function-syntax`.
    pub function_syntax: FunctionSyntax,
    /// The option `--quantifier-syntax`.
    pub quantifier_syntax: QuantifierSyntax,
    /// The option `--unicode-char`: characters are written `\U{…}` if true, code units `\u`
    /// otherwise.
    pub unicode_char: bool,
    /// `--general-traits`.
    pub general_traits: GeneralTraits,
}

/// The types that may extend traits, besides classes and traits (`--general-traits`). Dafny's
/// parser rejects other types, so that these errors stand next to syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneralTraits {
    /// No others.
    Legacy,
    /// Datatypes and abstract types.
    Datatype,
    /// Newtypes, too.
    Full,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            function_syntax: FunctionSyntax::default(),
            quantifier_syntax: QuantifierSyntax::default(),
            unicode_char: true,
            // A text that is parsed without a program has no such option.
            general_traits: GeneralTraits::Full,
        }
    }
}

/// Parses a text with Dafny 4's default options. `file_base` is the position of its first byte.
///
/// Always returns a tree. After errors, the tree lacks the parts that could not be parsed.
pub fn parse(file_base: u32, text: &str) -> (File, Vec<Diagnostic>) {
    parse_with(file_base, text, Options::default())
}

/// Like [`parse`], with options.
pub fn parse_with(file_base: u32, text: &str, options: Options) -> (File, Vec<Diagnostic>) {
    let lexed = lexer::lex(file_base, text);
    let mut parser = Parser::new(file_base, text, lexed, options);
    let file = parser.dafny();
    (file, parser.finish())
}

/// The error of a production that cannot use the next token. The diagnostic has been reported.
#[derive(Debug)]
struct Failed;

/// The result of a production.
type Parsed<T> = Result<T, Failed>;

/// The state of parsing one text.
struct Parser<'a> {
    base: u32,
    text: &'a str,
    tokens: Vec<Token>,
    docs: Vec<(usize, Span)>,
    /// The index of the next token.
    at: usize,
    /// The number of nested productions around the next token.
    depth: u32,
    /// The height of the tallest subtree that the current production has parsed.
    height: u32,
    /// Whether parsing was given up: every token is the end of the file, and nothing more is
    /// reported.
    gave_up: bool,
    diagnostics: Vec<Diagnostic>,
    /// See [`super::ast::Anchors`].
    anchors: Vec<(Span, Span)>,
    names: FxHashMap<&'a str, Name>,
    /// Cached lookahead: for the index of a `<`, the index after its `>` if a list of types is
    /// between them.
    type_lists: FxHashMap<usize, Result<usize, lookahead::NoTypes>>,
    options: Options,
}

/// The context of an expression, which determines how far it extends.
#[derive(Clone, Copy)]
struct Mode {
    /// Whether `call; e` may follow: the context itself does not end with a semicolon.
    lemma: bool,
    /// Whether `x => e` is a lambda.
    lambda: bool,
    /// Whether `&`, `|` and `^` are operators at the top level: not inside `|e|`.
    bitwise: bool,
    /// Whether `e decreases to e` is allowed.
    decreases_to: bool,
}

impl Mode {
    const fn new(lemma: bool, lambda: bool) -> Self {
        Self {
            lemma,
            lambda,
            bitwise: true,
            decreases_to: true,
        }
    }

    /// Inside brackets: everything is allowed.
    const INNER: Mode = Mode::new(true, true);
    /// Before a semicolon.
    const PLAIN: Mode = Mode::new(false, true);
    /// In a clause of a contract, or where `=>` follows.
    const CLAUSE: Mode = Mode::new(false, false);

    fn without_bitwise(self) -> Self {
        Self {
            bitwise: false,
            ..self
        }
    }

    fn without_decreases_to(self) -> Self {
        Self {
            decreases_to: false,
            ..self
        }
    }
}

impl<'a> Parser<'a> {
    fn new(base: u32, text: &'a str, lexed: Lexed, options: Options) -> Self {
        let Lexed {
            mut tokens,
            docs,
            diagnostics,
        } = lexed;
        // The parser relies on a final `Eof`.
        if tokens.last().is_none_or(|t| t.kind != T::Eof) {
            let end = base.saturating_add(text.len() as u32);
            tokens.push(Token {
                kind: T::Eof,
                span: Span::new(end, end),
            });
        }
        let names = FxHashMap::default();
        Self {
            base,
            text,
            tokens,
            docs,
            at: 0,
            depth: 0,
            height: 0,
            gave_up: false,
            diagnostics,
            anchors: Vec::new(),
            names,
            type_lists: FxHashMap::default(),
            options,
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| d.span.map(|s| s.start));
        self.diagnostics
    }

    // Inspecting tokens.

    fn token(&self, ahead: usize) -> Token {
        let last = self.tokens.len().saturating_sub(1);
        let index = if self.gave_up {
            last
        } else {
            (self.at + ahead).min(last)
        };
        self.tokens.get(index).copied().unwrap_or(Token {
            kind: T::Eof,
            span: Span::default(),
        })
    }

    fn kind(&self) -> T {
        self.token(0).kind
    }

    fn nth(&self, ahead: usize) -> T {
        self.token(ahead).kind
    }

    fn at(&self, kind: T) -> bool {
        self.kind() == kind
    }

    fn at_name(&self) -> bool {
        self.kind().is_name()
    }

    /// Whether the next token is this word, which is not a keyword.
    fn at_word(&self, word: &str) -> bool {
        self.at(T::Ident) && self.text_at(self.token(0).span) == word
    }

    fn text_at(&self, span: Span) -> &'a str {
        let local = |p: u32| p.saturating_sub(self.base) as usize;
        self.text
            .get(local(span.start)..local(span.end))
            .unwrap_or("")
    }

    /// The end position of the last consumed token.
    fn end_of_previous(&self) -> u32 {
        let previous = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        previous.map_or(self.base, |t| t.span.end)
    }

    /// The start position of the next token.
    fn start(&self) -> u32 {
        self.token(0).span.start
    }

    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.end_of_previous().max(start))
    }

    /// Builds an expression that began at `start` and is represented by its token `at` in messages.
    fn anchored(&mut self, start: u32, at: Token, kind: ExprKind) -> Expr {
        let span = self.span_from(start);
        self.anchor(span, at.span);
        Expr { kind, span }
    }

    /// Records the token of an expression if it is on a later line than the start.
    fn anchor(&mut self, span: Span, at: Span) {
        if self
            .text_at(Span::new(span.start, at.start.max(span.start)))
            .contains('\n')
        {
            self.anchors.push((span, at));
        }
    }

    /// Whether the next token directly follows the last one.
    fn adjacent(&self) -> bool {
        self.at > 0 && self.start() == self.end_of_previous()
    }

    /// Whether there is a line break between the last token and the next.
    fn on_new_line(&self) -> bool {
        self.text_at(Span::new(self.end_of_previous(), self.start()))
            .contains('\n')
    }

    // Consuming tokens.

    fn bump(&mut self) -> Token {
        let token = self.token(0);
        if token.kind != T::Eof {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: T) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: T) -> Parsed<Token> {
        if self.at(kind) {
            Ok(self.bump())
        } else {
            Err(self.expected(kind.describe()))
        }
    }

    /// Like [`Self::expect`], for the arrow after the pattern of a case. Other languages write `=`,
    /// `:` or `->` there.
    fn expect_case_arrow(&mut self) -> Parsed<Token> {
        if self.at(T::FatArrow) {
            return Ok(self.bump());
        }
        let arrow = T::FatArrow.describe();
        let message = format!("expected {arrow}, found {}", self.found());
        self.report(
            Diagnostic::error("syntax/unexpected-token", self.token(0).span, message)
                .with_help(format!("{arrow} follows the pattern of a case")),
        );
        Err(Failed)
    }

    /// Like [`Self::expect`], for the token that closes a bracket opened at `open`.
    fn expect_closing(&mut self, kind: T, open: Span) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let found = self.found();
        let message = format!("expected {}, found {found}", kind.describe());
        let diagnostic = Diagnostic::error("syntax/unexpected-token", self.token(0).span, message)
            .with_secondary(open, "opened here");
        self.report(diagnostic);
        Err(Failed)
    }

    /// Parses `item {"," item}`.
    fn comma_separated<R>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsed<R>,
    ) -> Parsed<Vec<R>> {
        let mut items = vec![item(self)?];
        while self.eat(T::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn name_of(&mut self, token: Token) -> Name {
        let text = self.text_at(token.span);
        self.names
            .entry(text)
            .or_insert_with(|| Arc::from(text))
            .clone()
    }

    fn ident_of(&mut self, token: Token) -> Ident {
        Ident {
            name: self.name_of(token),
            span: token.span,
        }
    }

    /// Parses `Ident`, including leading underscores.
    fn ident(&mut self) -> Parsed<Ident> {
        if self.at_name() {
            let token = self.bump();
            return Ok(self.ident_of(token));
        }
        let help = self.reserved_word();
        Err(self.expected_or("an identifier", help))
    }

    /// Parses `NoUSIdent`, the name of a declaration.
    fn no_us_ident(&mut self) -> Parsed<Ident> {
        let ident = self.ident()?;
        self.check_no_underscore(&ident);
        Ok(ident)
    }

    /// Parses `WildIdent`, the name of a variable or `_`.
    fn wild_ident(&mut self) -> Parsed<Ident> {
        let ident = self.ident()?;
        if &*ident.name != "_" {
            self.check_no_underscore(&ident);
        }
        Ok(ident)
    }

    /// Parses `NoUSIdentOrDigits`.
    fn ident_or_digits(&mut self) -> Parsed<Ident> {
        if self.at(T::Digits) {
            let token = self.bump();
            return Ok(self.ident_of(token));
        }
        self.no_us_ident()
    }

    fn check_no_underscore(&mut self, ident: &Ident) {
        if ident.name.starts_with('_') {
            let message = format!(
                "cannot declare `{}`: a name may not begin with an underscore",
                ident.name
            );
            self.report(Diagnostic::error(
                "syntax/leading-underscore",
                ident.span,
                message,
            ));
        }
    }

    /// Consumes `OldSemi`, a semicolon that earlier Dafny versions required.
    fn old_semi(&mut self) {
        self.eat(T::Semi);
    }

    /// Reports a semicolon after a declaration, which earlier Dafny versions required.
    fn no_semicolon(&mut self, after: &str) {
        if self.at(T::Semi) {
            let span = self.bump().span;
            let diagnostic = Diagnostic::error(
                "syntax/unexpected-token",
                span,
                format!("unexpected `;` after {after}"),
            );
            self.report(diagnostic.with_help("remove it"));
            // Dafny reads nothing after a token that begins no declaration.
            self.gave_up = true;
        }
    }

    /// Consumes the semicolon at the end of a statement. If only the semicolon is missing, reports
    /// that and continues.
    fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(T::Semi) {
            return Ok(());
        }
        let next = self.kind();
        // Before these tokens, the statement lacks nothing but the semicolon.
        let missing =
            self.on_new_line() || next == T::RBrace || next == T::Eof || next.begins_statement();
        if !missing {
            return Err(self.expected("`;`"));
        }
        let end = self.end_of_previous();
        let at = Span::new(end.saturating_sub(1).max(self.base), end);
        let message = format!("expected `;` after {after}, found {}", self.found());
        let diagnostic = Diagnostic::error("syntax/missing-semicolon", self.token(0).span, message);
        self.report(
            diagnostic
                .with_secondary(at, "`;` is missing after this")
                .with_help("add `;` there"),
        );
        Ok(())
    }

    // Reporting errors.

    /// The next token as messages name it.
    fn found(&self) -> String {
        let token = self.token(0);
        let text = self.text_at(token.span);
        match token.kind {
            T::Ident => format!("`{text}`"),
            T::Digits | T::HexDigits | T::Real | T::Char if text.len() <= 24 => format!("`{text}`"),
            T::BuiltinType => format!("the type `{text}`"),
            kind => kind.describe().to_owned(),
        }
    }

    fn expected(&mut self, what: &str) -> Failed {
        self.expected_or(what, None)
    }

    fn expected_with_help(&mut self, what: &str, help: &str) -> Failed {
        self.expected_or(what, Some(help.to_owned()))
    }

    fn expected_or(&mut self, what: &str, help: Option<String>) -> Failed {
        let message = format!("expected {what}, found {}", self.found());
        let mut diagnostic =
            Diagnostic::error("syntax/unexpected-token", self.token(0).span, message);
        // Other languages write one of these as `=`.
        let is_equal = self.at(T::SingleEq);
        let is_joined = self.token(0).span.end == self.token(1).span.start;
        let is_at_most = is_equal && is_joined && self.nth(1) == T::Lt;
        diagnostic.help = match (is_equal, is_at_most) {
            (true, true) => Some("\"at most\" is written `<=`".to_owned()),
            (true, false) => Some("equality is written `==`, and an assignment `:=`".to_owned()),
            (false, _) => help,
        };
        self.report(diagnostic);
        Failed
    }

    /// The advice where a name or an expression is required and a word is next that cannot be a
    /// name. A word on a new line is more likely to begin something else.
    fn reserved_word(&self) -> Option<String> {
        let text = self.text_at(self.token(0).span);
        let is_reserved = self.at(T::BuiltinType) || super::token::KEYWORD_TEXTS.contains(&text);
        let is_used_as_name = matches!(
            self.nth(1),
            T::Gets | T::SuchThat | T::Elephant | T::Comma | T::Colon | T::Dot
        );
        (is_reserved && (is_used_as_name || !self.on_new_line()))
            .then(|| format!("`{text}` is a reserved word and cannot be a name"))
    }

    /// Like [`Self::expected`] for a required keyword. Suggests a keyword that is similar to the
    /// next word.
    fn expected_keyword(&mut self, what: &str) -> Failed {
        let token = self.token(0);
        let similar = if token.kind == T::Ident {
            similar_keyword(self.text_at(token.span))
        } else {
            None
        };
        self.expected_or(what, similar.map(|k| format!("did you mean `{k}`?")))
    }

    /// Reports a diagnostic unless parsing was given up or the same position has an error already.
    fn report(&mut self, diagnostic: Diagnostic) {
        let same_place = |d: &Diagnostic| {
            d.is_error() && d.span.map(|s| s.start) == diagnostic.span.map(|s| s.start)
        };
        // The lexer has reported the malformed token.
        let bad_token = self.at(T::Bad) && diagnostic.id == "syntax/unexpected-token";
        if !self.gave_up && !bad_token && !self.diagnostics.last().is_some_and(same_place) {
            let at = diagnostic.span.unwrap_or_default();
            self.diagnostics.push(diagnostic);
            if self.diagnostics.len() == MAX_ERRORS {
                let message =
                    format!("{MAX_ERRORS} errors: the rest of the file has not been read");
                self.diagnostics
                    .push(Diagnostic::error("syntax/too-many-errors", at, message));
                self.gave_up = true;
            }
        }
    }

    fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(id, span, message));
    }

    // Limiting the depth.

    /// Runs a production one level deeper.
    fn nested<R>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<R>) -> Parsed<R> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        // Measure the height of the production alone, then combine it with that of its siblings.
        let around = std::mem::take(&mut self.height);
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || production(self));
        self.height = around.max(self.height + 1);
        self.depth -= 1;
        result
    }

    /// Runs a production that builds a left-deep chain. It calls [`Self::link`] for every link.
    fn chained<R>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<R>) -> Parsed<R> {
        let around = std::mem::take(&mut self.height);
        let result = production(self);
        self.height = self.height.max(around);
        result
    }

    /// Adds a link to a chain: everything parsed so far in the chain sinks by one level.
    fn link(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.depth + self.height >= MAX_DEPTH {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    fn too_deep(&mut self) -> Failed {
        let message = format!("this is nested more than {MAX_DEPTH} levels deep");
        let diagnostic = Diagnostic::error("syntax/too-deep", self.token(0).span, message)
            .with_help("split it into smaller parts");
        self.report(diagnostic.with_note("the rest of the file has not been read"));
        self.gave_up = true;
        Failed
    }
}

/// The keyword that a word misspells by one wrong, missing, additional or swapped letter.
fn similar_keyword(word: &str) -> Option<&'static str> {
    let is_near = |keyword: &str| {
        let (short, long) = if word.len() <= keyword.len() {
            (word, keyword)
        } else {
            (keyword, word)
        };
        let (short, long) = (short.as_bytes(), long.as_bytes());
        let prefix = short.iter().zip(long).take_while(|(a, b)| a == b).count();
        let suffix = short
            .iter()
            .rev()
            .zip(long.iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let swapped = |i: usize| short.get(i) == long.get(i + 1) && short.get(i + 1) == long.get(i);
        // One different letter, two swapped neighbours, or one additional letter.
        match long.len() - short.len() {
            0 => {
                prefix + suffix + 1 >= long.len()
                    || (prefix + suffix + 2 == long.len() && swapped(prefix))
            }
            1 => prefix + suffix >= short.len(),
            _ => false,
        }
    };
    let declares = |k: &&&str| super::token::TokenKind::of_word(k).begins_declaration();
    super::token::KEYWORD_TEXTS
        .iter()
        .filter(declares)
        .find(|k| word.len() >= 4 && is_near(k))
        .copied()
}
