//! Semantic tokens: names are classified by their definitions, all other tokens by their form.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of tokens have no part in it"
)]

use rustc_hash::FxHashSet;

use dafny_resolve::index::Definition;
use dafny_resolve::typed::{FieldKind, LocalId};
use dafny_source::{FileId, Span};
use dafny_syntax::{KEYWORD_TEXTS, Token, TokenKind};

use crate::{Analysis, Kind};

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// A name of a declaration of this kind.
    Name(Kind),
    /// A parameter of a callable.
    Parameter,
    /// A reserved word.
    Keyword,
    /// A comment.
    Comment,
    /// A string or character.
    String,
    /// A number.
    Number,
    /// A type that the language defines.
    BuiltinType,
}

/// A token with its highlighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// The source range.
    pub span: Span,
    /// The class of the token.
    pub class: TokenClass,
    /// Whether it is the name in a declaration.
    pub is_declaration: bool,
    /// Whether it cannot be assigned to.
    pub is_readonly: bool,
    /// Whether it is ghost, which means not compiled.
    pub is_ghost: bool,
}

impl SemanticToken {
    fn plain(span: Span, class: TokenClass) -> Self {
        Self {
            span,
            class,
            is_declaration: false,
            is_readonly: false,
            is_ghost: false,
        }
    }
}

impl Analysis {
    /// The tokens of a file in source order.
    pub fn tokens(&self, file: FileId) -> Vec<SemanticToken> {
        let Some(source) = self.sources.file(file) else {
            return Vec::new();
        };
        let tokens = dafny_syntax::lex(source.base, &source.text).tokens;
        let callables = self.program.callables.iter();
        let formals: FxHashSet<LocalId> = callables
            .flat_map(|c| c.ins.iter().chain(&c.outs))
            .map(|f| f.local)
            .collect();
        let mut found: Vec<SemanticToken> = comments(source.base, &source.text, &tokens)
            .into_iter()
            .map(|span| SemanticToken::plain(span, TokenClass::Comment))
            .chain(tokens.iter().filter_map(|t| self.token(*t, &formals)))
            .collect();
        found.sort_by_key(|t| t.span.start);
        found
    }

    fn token(&self, token: Token, formals: &FxHashSet<LocalId>) -> Option<SemanticToken> {
        let plain = |class| Some(SemanticToken::plain(token.span, class));
        // Contextual keywords may be names.
        if let Some(name) = self
            .occurrence(token.span.start)
            .filter(|o| o.span == token.span)
        {
            return Some(self.name((name.span, name.definition), name.is_declaration, formals));
        }
        match token.kind {
            TokenKind::Digits | TokenKind::HexDigits | TokenKind::Real => plain(TokenClass::Number),
            TokenKind::Char | TokenKind::String | TokenKind::VerbatimString => {
                plain(TokenClass::String)
            }
            TokenKind::BuiltinType => plain(TokenClass::BuiltinType),
            TokenKind::Ident | TokenKind::Eof | TokenKind::Bad => None,
            _ => {
                if KEYWORD_TEXTS.contains(&self.sources.text(token.span)) {
                    plain(TokenClass::Keyword)
                } else {
                    None
                }
            }
        }
    }

    fn name(
        &self,
        (span, definition): (Span, Definition),
        is_declaration: bool,
        formals: &FxHashSet<LocalId>,
    ) -> SemanticToken {
        let p = &self.program;
        let (is_readonly, is_ghost, is_parameter) = match definition {
            Definition::Local(id) => (!p[id].mutable, p[id].ghost, formals.contains(&id)),
            Definition::Field(id) => (
                matches!(p[id].kind, FieldKind::Const(_) | FieldKind::Destructor(_)),
                p[id].ghost,
                false,
            ),
            Definition::Callable(id) => (false, p[id].ghost, false),
            Definition::Ctor(id) => (false, p[id].ghost, false),
            Definition::Type(id) => (false, p[id].ghost, false),
            Definition::Module(_) | Definition::Synonym(_) | Definition::TypeParam(_) => {
                (false, false, false)
            }
        };
        let class = if is_parameter {
            TokenClass::Parameter
        } else {
            TokenClass::Name(self.kind(definition))
        };
        SemanticToken {
            span,
            class,
            is_declaration,
            is_readonly,
            is_ghost,
        }
    }
}

/// The comments of a text: everything between its tokens except white space. `base` is the position
/// of its first byte.
pub(crate) fn comments(base: u32, text: &str, tokens: &[Token]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut end = 0usize;
    for token in tokens {
        let start = ((token.span.start - base) as usize).min(text.len());
        if let Some(gap) = text.get(end..start) {
            in_gap(gap, base + end as u32, &mut found);
        }
        end = ((token.span.end - base) as usize).min(text.len());
    }
    found
}

fn in_gap(gap: &str, base: u32, found: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(rest) = gap.get(at..) {
        let Some(start) = rest.find('/') else { return };
        let comment = rest.get(start..).unwrap_or_default();
        let length = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else {
            nested(comment)
        };
        let from = at + start;
        found.push(Span::new(base + from as u32, base + (from + length) as u32));
        at = from + length.max(1);
    }
}

/// The length of a comment that may contain nested comments.
fn nested(comment: &str) -> usize {
    let bytes = comment.as_bytes();
    let (mut depth, mut at) = (0usize, 0usize);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth = depth.saturating_sub(1);
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            Some(_) | None => at += 1,
        }
    }
    bytes.len()
}
