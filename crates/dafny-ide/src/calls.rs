//! Signature help: the callee and the current argument of a call that is being typed.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of tokens have no part in it"
)]

use dafny_resolve::index::Definition;
use dafny_source::{FileId, Span};
use dafny_syntax::TokenKind;

use crate::{Analysis, Input};

/// The marker, a name that no program has.
const MARKER: &str = "ide'writes'here";

/// The signature of the callee at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The declaration on one line.
    pub label: String,
    /// The byte ranges of the parameters in `label`.
    pub parameters: Vec<std::ops::Range<usize>>,
    /// The index of the current parameter. It may be past the last one.
    pub active: usize,
    /// The doc comment.
    pub doc: Option<String>,
}

impl Analysis {
    /// The signature of the call around a byte offset in a file.
    pub fn signature_help(&self, file: FileId, at: usize) -> Option<SignatureHelp> {
        let source = self.sources.file(file)?;
        let (callee, active) = open_call(&source.text, at)?;
        let here = self.occurrence(source.base + callee.start);
        if let Some(help) = here.and_then(|o| self.help(o.definition, active)) {
            return Some(help);
        }
        // Unfinished text does not parse, so the call is closed for the analysis.
        let mut input = self.input();
        closed(&mut input, file, at);
        let analysis = Analysis::of(&input);
        let base = analysis.sources.file(file)?.base;
        let found = analysis.occurrence(base + callee.start)?;
        analysis.help(found.definition, active)
    }

    fn help(&self, definition: Definition, active: usize) -> Option<SignatureHelp> {
        let parts = match definition {
            Definition::Callable(id) => self.formals(&self.program[id].ins),
            Definition::Ctor(id) => {
                let c = &self.program[id];
                let one = |(f, named): (&dafny_resolve::typed::FieldId, &bool)| {
                    let ty = self.program.show_type(&self.program[*f].ty);
                    if *named {
                        format!("{}: {ty}", self.program[*f].name)
                    } else {
                        ty
                    }
                };
                c.fields.iter().zip(&c.named).map(one).collect()
            }
            Definition::Module(_)
            | Definition::Type(_)
            | Definition::Synonym(_)
            | Definition::TypeParam(_)
            | Definition::Field(_)
            | Definition::Local(_) => return None,
        };
        let label = self.line(definition);
        let mut parameters = Vec::new();
        let mut from = label.find('(').map_or(0, |i| i + 1);
        for part in parts {
            let at = from + label.get(from..)?.find(&part)?;
            from = at + part.len();
            parameters.push(at..from);
        }
        Some(SignatureHelp {
            label,
            parameters,
            active,
            doc: self.doc_of(definition),
        })
    }

    pub(crate) fn doc_of(&self, definition: Definition) -> Option<String> {
        let p = &self.program;
        let doc = match definition {
            Definition::Module(id) => p[id].doc.as_ref(),
            Definition::Type(id) => p[id].doc.as_ref(),
            Definition::Ctor(id) => p[id].doc.as_ref(),
            Definition::Field(id) => p[id].doc.as_ref(),
            Definition::Callable(id) => p[id].doc.as_ref(),
            Definition::Synonym(_) | Definition::TypeParam(_) | Definition::Local(_) => None,
        };
        doc.map(|d| crate::describe::tidy(d))
    }
}

/// The name before the innermost unclosed parenthesis at a byte offset, and the number of commas
/// after the parenthesis.
fn open_call(text: &str, at: usize) -> Option<(Span, usize)> {
    let tokens = dafny_syntax::lex(0, text).tokens;
    let before: Vec<_> = tokens
        .iter()
        .take_while(|t| (t.span.end as usize) <= at && t.kind != TokenKind::Eof)
        .collect();
    let (mut depth, mut commas) = (0usize, 0usize);
    for (i, token) in before.iter().enumerate().rev() {
        match token.kind {
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => depth += 1,
            TokenKind::LParen if depth == 0 => {
                let name = before.get(i.checked_sub(1)?)?;
                return (name.kind == TokenKind::Ident).then_some((name.span, commas));
            }
            TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => {
                depth = depth.checked_sub(1)?
            }
            TokenKind::Comma if depth == 0 => commas += 1,
            TokenKind::Semi if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Closes the call around a byte offset in a file.
fn closed(input: &mut Input, file: FileId, at: usize) {
    if let Some(text) = input.texts.get_mut(file.0 as usize) {
        let (before, after) = (
            text.text.get(..at).unwrap_or_default(),
            text.text.get(at..).unwrap_or_default(),
        );
        text.text = format!("{before}{MARKER});{after}").into();
    }
}
