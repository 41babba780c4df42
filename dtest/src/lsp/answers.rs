//! Answers to questions about programs: converts positions of the protocol to those of `dafny-ide`,
//! and back.
//!
//! A [`Question`] is about a document. Editor texts may be newer than the resolved programs, so
//! positions are carried over between the texts ([`Question::places`], [`Question::range_in`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dafny_ide::{Analysis, Completion, FoldKind, Kind, Occurrence, Symbol, TokenClass};
use dafny_source::diagnostic::{self, Severity};
use dafny_source::{FileId, Span};
use dtest_sorted::SortedMap;
use lsp_types as lsp;

use super::documents::{Document, Encoding, Lines, carried, uri_of};
use super::error::RequestError;
use super::programs::Known;

/// A question about a document: its present text, and the known states of its programs, the newest
/// first.
pub struct Question<'q> {
    /// The open documents.
    pub documents: &'q SortedMap<PathBuf, Document>,
    /// The newest state, and the last state without syntax errors.
    pub states: Vec<Arc<Known>>,
    /// The unit of columns.
    pub encoding: Encoding,
    /// The document.
    pub path: PathBuf,
}

/// A position in a state of a program.
struct At<'q> {
    known: &'q Known,
    file: FileId,
    position: u32,
}

impl Question<'_> {
    /// The text of the document.
    fn text(&self) -> Option<&Arc<str>> {
        self.documents.get(&self.path).map(|d| &d.text)
    }

    /// Returns the position in each state that corresponds to a position of the document.
    fn places(&self, at: lsp::Position) -> Vec<At<'_>> {
        let Some(text) = self.text() else {
            return Vec::new();
        };
        let offset = Lines::of(text, self.encoding).offset(at);
        let place = |known: &'_ Arc<Known>| {
            let file = known.file(&self.path)?;
            let offset = carried(text, &known.text(file), offset)?;
            Some((file, known.analysis.position(file, offset)?))
        };
        self.states
            .iter()
            .filter_map(|k| {
                place(k).map(|(file, position)| At {
                    known: k,
                    file,
                    position,
                })
            })
            .collect()
    }

    /// Returns the first answer among the states.
    fn first<T>(&self, at: lsp::Position, ask: impl Fn(&At<'_>) -> Option<T>) -> Option<T> {
        self.places(at).iter().find_map(ask)
    }

    /// Returns the present location of a span of a state.
    fn location(&self, known: &Known, span: Span) -> Option<lsp::Location> {
        let (path, file, bytes) = known.place(span)?;
        let (uri, range) = self.range_in(path, &known.text(file), bytes)?;
        Some(lsp::Location { uri, range })
    }

    /// Converts a byte range of a text of `path` to a range of the text in the editor.
    pub fn range_in(
        &self,
        path: &Path,
        text: &str,
        bytes: std::ops::Range<usize>,
    ) -> Option<(lsp::Uri, lsp::Range)> {
        match self.documents.get(path) {
            Some(document) => {
                let (start, end) = (
                    carried(text, &document.text, bytes.start)?,
                    carried(text, &document.text, bytes.end)?,
                );
                Some((
                    document.uri.clone(),
                    Lines::of(&document.text, self.encoding).range(start..end),
                ))
            }
            None => Some((uri_of(path)?, Lines::of(text, self.encoding).range(bytes))),
        }
    }

    /// Answers `textDocument/definition`.
    pub fn definition(&self, at: lsp::Position) -> Option<lsp::Location> {
        self.first(at, |a| {
            self.location(a.known, a.known.analysis.definition(a.position)?.target)
        })
    }

    /// Answers `textDocument/references`.
    pub fn references(
        &self,
        at: lsp::Position,
        with_declaration: bool,
    ) -> Option<Vec<lsp::Location>> {
        self.first(at, |a| {
            let found = a.known.analysis.references(a.position);
            let wanted = found
                .iter()
                .filter(|o| with_declaration || !o.is_declaration);
            let found: Vec<_> = wanted
                .filter_map(|o| self.location(a.known, o.span))
                .collect();
            (!found.is_empty()).then_some(found)
        })
    }

    /// Answers `textDocument/documentHighlight`.
    pub fn highlights(&self, at: lsp::Position) -> Option<Vec<lsp::DocumentHighlight>> {
        self.first(at, |a| {
            let span = a.known.analysis.file_span(a.file);
            let found = a.known.analysis.references(a.position);
            let here = found.iter().filter(|o| span.contains_span(o.span));
            let found: Vec<_> = here
                .filter_map(|o| self.location(a.known, o.span))
                .collect();
            let highlight = |l: lsp::Location| lsp::DocumentHighlight {
                range: l.range,
                kind: None,
            };
            (!found.is_empty()).then(|| found.into_iter().map(highlight).collect())
        })
    }

    /// Answers `textDocument/hover`.
    pub fn hover(&self, at: lsp::Position) -> Option<lsp::Hover> {
        self.first(at, |a| {
            let hover = a.known.analysis.hover(a.position)?;
            let mut text = String::new();
            if !hover.container.is_empty() {
                text.push_str(&format!("*{}*\n\n", hover.container));
            }
            text.push_str(&format!("```dafny\n{}\n```\n", hover.code));
            if let Some(doc) = &hover.doc {
                text.push_str(&format!("\n---\n\n{doc}\n"));
            }
            let range = self.location(a.known, hover.span).map(|l| l.range);
            Some(lsp::Hover {
                contents: lsp::HoverContents::Markup(markdown(text)),
                range,
            })
        })
    }

    /// Answers `textDocument/signatureHelp`.
    pub fn signature(&self, at: lsp::Position) -> Option<lsp::SignatureHelp> {
        self.first(at, |a| {
            let (_, offset) = a.known.analysis.place_in_file(a.position)?;
            let help = a.known.analysis.signature_help(a.file, offset)?;
            let width = |bytes: usize| {
                help.label
                    .get(..bytes)
                    .map_or(0, |t| t.encode_utf16().count() as u32)
            };
            let parameter = |r: &std::ops::Range<usize>| lsp::ParameterInformation {
                label: lsp::ParameterLabel::LabelOffsets([width(r.start), width(r.end)]),
                documentation: None,
            };
            let information = lsp::SignatureInformation {
                label: help.label.clone(),
                documentation: help
                    .doc
                    .clone()
                    .map(|d| lsp::Documentation::MarkupContent(markdown(d))),
                parameters: Some(help.parameters.iter().map(parameter).collect()),
                active_parameter: Some(help.active as u32),
            };
            Some(lsp::SignatureHelp {
                signatures: vec![information],
                active_signature: Some(0),
                active_parameter: Some(help.active as u32),
            })
        })
    }

    /// Answers `textDocument/completion`. Resolves the program again.
    pub fn completion(&self, at: lsp::Position) -> Option<lsp::CompletionList> {
        let text = self.text()?;
        let known = self.states.first()?;
        let file = known.file(&self.path)?;
        let mut input = known.analysis.input();
        input.texts.get_mut(file.0 as usize)?.text = text.clone();
        let lines = Lines::of(text, self.encoding);
        let (bytes, found) = dafny_ide::complete(&input, file, lines.offset(at));
        let range = lines.range(bytes);
        let items = found
            .into_iter()
            .map(|c| completion_item(c, range))
            .collect();
        Some(lsp::CompletionList {
            is_incomplete: false,
            items,
        })
    }

    /// Answers `textDocument/prepareRename`.
    ///
    /// # Errors
    /// The reason why nothing can be renamed at the position.
    pub fn renamable(&self, at: lsp::Position) -> Result<Option<lsp::Range>, RequestError> {
        let place = self.current(at)?;
        let span = place
            .known
            .analysis
            .renamable(place.position)
            .map_err(|r| RequestError::Rename(r.0))?;
        Ok(self.location(place.known, span).map(|l| l.range))
    }

    /// Answers `textDocument/rename`. Resolves the program again.
    ///
    /// # Errors
    /// The reason why the rename would change the meaning of the program.
    pub fn rename(&self, at: lsp::Position, new: &str) -> Result<lsp::WorkspaceEdit, RequestError> {
        let place = self.current(at)?;
        // Edits are grouped by file; the version makes the client refuse edits of a changed
        // document.
        let mut changes: Vec<lsp::TextDocumentEdit> = Vec::new();
        for edit in place
            .known
            .analysis
            .rename(place.position, new)
            .map_err(|r| RequestError::Rename(r.0))?
        {
            let at = self
                .location(place.known, edit.span)
                .ok_or(RequestError::Changed)?;
            let one = lsp::OneOf::Left(lsp::TextEdit {
                range: at.range,
                new_text: edit.text,
            });
            match changes.iter_mut().find(|c| c.text_document.uri == at.uri) {
                Some(file) => file.edits.push(one),
                None => {
                    let version = self
                        .documents
                        .values()
                        .find(|d| d.uri == at.uri)
                        .map(|d| d.version);
                    let text_document = lsp::OptionalVersionedTextDocumentIdentifier {
                        uri: at.uri,
                        version,
                    };
                    changes.push(lsp::TextDocumentEdit {
                        text_document,
                        edits: vec![one],
                    });
                }
            }
        }
        Ok(lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(changes)),
            ..lsp::WorkspaceEdit::default()
        })
    }

    /// Returns a position in the newest state, whose texts must be the present ones.
    fn current(&self, at: lsp::Position) -> Result<At<'_>, RequestError> {
        let newest = self.states.first().ok_or(RequestError::NotResolved)?;
        if !newest.is_readable {
            return Err(RequestError::SyntaxErrors);
        }
        let is_newest = |a: &At<'_>| std::ptr::eq(a.known, &**newest);
        self.places(at)
            .into_iter()
            .find(is_newest)
            .ok_or(RequestError::NotResolved)
    }

    /// Answers `textDocument/documentSymbol`.
    pub fn symbols(&self) -> Option<Vec<lsp::DocumentSymbol>> {
        let text = self.text()?;
        let syntax = self
            .states
            .first()
            .map_or_else(dafny_syntax::Options::default, |k| {
                k.analysis.input_syntax()
            });
        let lines = Lines::of(text, self.encoding);
        Some(
            dafny_ide::symbols(text, syntax)
                .iter()
                .map(|s| document_symbol(s, &lines))
                .collect(),
        )
    }

    /// Answers `textDocument/foldingRange`.
    pub fn folds(&self) -> Option<Vec<lsp::FoldingRange>> {
        let text = self.text()?;
        let lines = Lines::of(text, self.encoding);
        let fold = |f: &dafny_ide::Fold| {
            let range = lines.range(f.span.start as usize..f.span.end as usize);
            let kind = match f.kind {
                FoldKind::Block => None,
                FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Imports => Some(lsp::FoldingRangeKind::Imports),
            };
            // The line of the closing brace stays visible.
            let end_line = if f.kind == FoldKind::Block {
                range.end.line.saturating_sub(1)
            } else {
                range.end.line
            };
            lsp::FoldingRange {
                start_line: range.start.line,
                start_character: None,
                end_line: end_line.max(range.start.line),
                end_character: None,
                kind,
                collapsed_text: None,
            }
        };
        Some(dafny_ide::folds(text).iter().map(fold).collect())
    }

    /// Answers `textDocument/semanticTokens/full`.
    pub fn tokens(&self) -> Option<lsp::SemanticTokens> {
        let text = self.text()?;
        let known = self.states.first()?;
        let file = known.file(&self.path)?;
        let old = known.text(file);
        if **text != *old {
            return None;
        }
        let base = known.analysis.file_span(file).start;
        let lines = Lines::of(text, self.encoding);
        let mut data = Vec::new();
        let mut last = lsp::Position::new(0, 0);
        for token in known.analysis.tokens(file) {
            let (kind, modifiers) = token_type(&token);
            let mut start = (token.span.start - base) as usize;
            let end = (token.span.end - base) as usize;
            // The protocol requires that a token lies on one line.
            while start < end {
                let stop = lines.line_end(start).min(end);
                let range = lines.range(start..stop);
                if stop > start {
                    let delta_line = range.start.line - last.line;
                    let delta_start =
                        range.start.character - if delta_line == 0 { last.character } else { 0 };
                    let length = range.end.character - range.start.character;
                    data.push(lsp::SemanticToken {
                        delta_line,
                        delta_start,
                        length,
                        token_type: kind,
                        token_modifiers_bitset: modifiers,
                    });
                    last = range.start;
                }
                start = text
                    .get(stop..end)
                    .and_then(|rest| rest.find('\n'))
                    .map_or(end, |n| stop + n + 1);
            }
        }
        Some(lsp::SemanticTokens {
            result_id: None,
            data,
        })
    }

    /// Returns the messages of the parser and the resolver about one file of the newest state.
    pub fn diagnostics(&self, known: &Known, file: FileId) -> Vec<lsp::Diagnostic> {
        let span = known.analysis.file_span(file);
        let own = known.analysis.diagnostics.iter().filter(|d| match d.span {
            Some(at) => span.start <= at.start && at.start <= span.end,
            // A message without a location is shown in the first file.
            None => file.0 == 0,
        });
        own.filter_map(|d| self.diagnostic(known, file, d))
            .collect()
    }

    /// Returns the messages that belong to no file of a program; they are shown in the document
    /// itself.
    pub fn homeless(&self, known: &Known) -> Vec<lsp::Diagnostic> {
        let range = lsp::Range::default();
        let all = known
            .analysis
            .diagnostics
            .iter()
            .filter(|_| known.paths.is_empty());
        all.map(|d| lsp::Diagnostic { range, ..said(d) }).collect()
    }

    fn diagnostic(
        &self,
        known: &Known,
        file: FileId,
        d: &diagnostic::Diagnostic,
    ) -> Option<lsp::Diagnostic> {
        let range = match d.span {
            Some(span) => self.location(known, span)?.range,
            None => Lines::of(&known.text(file), self.encoding).range(0..0),
        };
        let related: Vec<_> = d
            .labels
            .iter()
            .filter_map(|l| {
                Some(lsp::DiagnosticRelatedInformation {
                    location: self.location(known, l.span)?,
                    message: l.message.clone(),
                })
            })
            .collect();
        Some(lsp::Diagnostic {
            range,
            related_information: (!related.is_empty()).then_some(related),
            ..said(d)
        })
    }
}

/// Converts a diagnostic without its locations.
fn said(d: &diagnostic::Diagnostic) -> lsp::Diagnostic {
    let mut message = d.message.clone();
    d.notes
        .iter()
        .for_each(|n| message.push_str(&format!("\nnote: {n}")));
    d.help
        .iter()
        .for_each(|h| message.push_str(&format!("\nhelp: {h}")));
    lsp::Diagnostic {
        severity: Some(match d.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(d.id.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        ..lsp::Diagnostic::default()
    }
}

/// The source of our diagnostics.
pub const SOURCE: &str = "dtest";

/// Answers `workspace/symbol`: declarations whose names contain the letters of the query in this
/// order.
pub fn workspace_symbols(
    states: &[Arc<Known>],
    question: &Question<'_>,
    query: &str,
) -> Vec<lsp::SymbolInformation> {
    /// Maximum number of symbols.
    const MOST: usize = 500;
    let mut found = Vec::new();
    for known in states {
        for Occurrence {
            span, definition, ..
        } in known.analysis.declarations()
        {
            // Local names are too many, and not unique.
            let name = known.analysis.sources.text(span);
            let kind = known.analysis.kind(definition);
            if matches!(kind, Kind::Variable | Kind::TypeParam) || !has_letters(name, query) {
                continue;
            }
            let Some(location) = question.location(known, span) else {
                continue;
            };
            let container = known.analysis.container_of(definition);
            #[allow(deprecated)] // the type cannot be made without it
            found.push(lsp::SymbolInformation {
                name: name.to_owned(),
                kind: symbol_kind(kind),
                tags: None,
                deprecated: None,
                location,
                container_name: (!container.is_empty()).then_some(container),
            });
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

fn has_letters(name: &str, query: &str) -> bool {
    let mut rest = name.chars().flat_map(char::to_lowercase);
    query
        .chars()
        .flat_map(char::to_lowercase)
        .all(|c| rest.any(|r| r == c))
}

/// Creates Markdown text.
pub fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent {
        kind: lsp::MarkupKind::Markdown,
        value,
    }
}

fn completion_item(c: Completion, range: lsp::Range) -> lsp::CompletionItem {
    let kind = match c.kind {
        Kind::Module => lsp::CompletionItemKind::MODULE,
        Kind::Class => lsp::CompletionItemKind::CLASS,
        Kind::Trait => lsp::CompletionItemKind::INTERFACE,
        Kind::Datatype => lsp::CompletionItemKind::ENUM,
        Kind::Type => lsp::CompletionItemKind::STRUCT,
        Kind::TypeParam => lsp::CompletionItemKind::TYPE_PARAMETER,
        Kind::Ctor => lsp::CompletionItemKind::ENUM_MEMBER,
        Kind::Constructor => lsp::CompletionItemKind::CONSTRUCTOR,
        Kind::Function => lsp::CompletionItemKind::FUNCTION,
        Kind::Method | Kind::Lemma => lsp::CompletionItemKind::METHOD,
        Kind::Field => lsp::CompletionItemKind::FIELD,
        Kind::Constant => lsp::CompletionItemKind::CONSTANT,
        Kind::Variable => lsp::CompletionItemKind::VARIABLE,
        Kind::Keyword => lsp::CompletionItemKind::KEYWORD,
    };
    // Keywords are sorted last.
    let rank = if c.kind == Kind::Keyword { '1' } else { '0' };
    lsp::CompletionItem {
        kind: Some(kind),
        detail: (!c.detail.is_empty()).then_some(c.detail),
        documentation: c
            .doc
            .map(|d| lsp::Documentation::MarkupContent(markdown(d))),
        sort_text: Some(format!("{rank}{}", c.name)),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
            range,
            new_text: c.name.clone(),
        })),
        label: c.name,
        ..lsp::CompletionItem::default()
    }
}

fn symbol_kind(kind: Kind) -> lsp::SymbolKind {
    match kind {
        Kind::Module => lsp::SymbolKind::MODULE,
        Kind::Class => lsp::SymbolKind::CLASS,
        Kind::Trait => lsp::SymbolKind::INTERFACE,
        Kind::Datatype => lsp::SymbolKind::ENUM,
        Kind::Type => lsp::SymbolKind::STRUCT,
        Kind::TypeParam => lsp::SymbolKind::TYPE_PARAMETER,
        Kind::Ctor => lsp::SymbolKind::ENUM_MEMBER,
        Kind::Constructor => lsp::SymbolKind::CONSTRUCTOR,
        Kind::Function => lsp::SymbolKind::FUNCTION,
        Kind::Method | Kind::Lemma => lsp::SymbolKind::METHOD,
        Kind::Field => lsp::SymbolKind::FIELD,
        Kind::Constant => lsp::SymbolKind::CONSTANT,
        Kind::Variable => lsp::SymbolKind::VARIABLE,
        Kind::Keyword => lsp::SymbolKind::KEY,
    }
}

fn document_symbol(s: &Symbol, lines: &Lines<'_>) -> lsp::DocumentSymbol {
    let range = |span: Span| lines.range(span.start as usize..span.end as usize);
    #[allow(deprecated)] // the type cannot be made without it
    lsp::DocumentSymbol {
        name: s.name.to_string(),
        detail: None,
        kind: symbol_kind(s.kind),
        tags: None,
        deprecated: None,
        range: range(s.full),
        selection_range: range(s.span),
        children: (!s.children.is_empty()).then(|| {
            s.children
                .iter()
                .map(|c| document_symbol(c, lines))
                .collect()
        }),
    }
}

/// The types of semantic tokens, in the order of their numbers.
pub fn token_types() -> Vec<lsp::SemanticTokenType> {
    use lsp::SemanticTokenType as T;
    vec![
        T::NAMESPACE,
        T::CLASS,
        T::INTERFACE,
        T::ENUM,
        T::TYPE,
        T::TYPE_PARAMETER,
        T::ENUM_MEMBER,
        T::FUNCTION,
        T::METHOD,
        T::PROPERTY,
        T::VARIABLE,
        T::KEYWORD,
        T::PARAMETER,
        T::COMMENT,
        T::STRING,
        T::NUMBER,
    ]
}

/// The modifiers of semantic tokens, in the order of their bits.
pub fn token_modifiers() -> Vec<lsp::SemanticTokenModifier> {
    use lsp::SemanticTokenModifier as M;
    vec![
        M::DECLARATION,
        M::READONLY,
        M::DEFAULT_LIBRARY,
        M::new("ghost"),
    ]
}

fn token_type(token: &dafny_ide::SemanticToken) -> (u32, u32) {
    use lsp::SemanticTokenType as T;
    let (kind, builtin) = match token.class {
        TokenClass::Name(kind) => (
            match kind {
                Kind::Module => T::NAMESPACE,
                Kind::Class => T::CLASS,
                Kind::Trait => T::INTERFACE,
                Kind::Datatype => T::ENUM,
                Kind::Type => T::TYPE,
                Kind::TypeParam => T::TYPE_PARAMETER,
                Kind::Ctor => T::ENUM_MEMBER,
                Kind::Function => T::FUNCTION,
                Kind::Constructor | Kind::Method | Kind::Lemma => T::METHOD,
                Kind::Field | Kind::Constant => T::PROPERTY,
                Kind::Variable => T::VARIABLE,
                Kind::Keyword => T::KEYWORD,
            },
            false,
        ),
        TokenClass::Parameter => (T::PARAMETER, false),
        TokenClass::Keyword => (T::KEYWORD, false),
        TokenClass::Comment => (T::COMMENT, false),
        TokenClass::String => (T::STRING, false),
        TokenClass::Number => (T::NUMBER, false),
        TokenClass::BuiltinType => (T::TYPE, true),
    };
    let number = token_types().iter().position(|t| *t == kind).unwrap_or(0) as u32;
    // The order of the bits is that of the modifiers in the legend.
    let bits = [
        token.is_declaration,
        token.is_readonly,
        builtin,
        token.is_ghost,
    ];
    (
        number,
        bits.iter()
            .enumerate()
            .map(|(i, on)| u32::from(*on) << i)
            .sum(),
    )
}

/// Returns the unit of a file whose declaration contains a byte offset.
pub fn unit_at(analysis: &Analysis, file: FileId, offset: usize) -> Option<dafny_ide::Unit> {
    let at = analysis.position(file, offset)?;
    analysis
        .units()
        .into_iter()
        .filter(|u| u.full.start <= at && at <= u.full.end)
        .min_by_key(|u| u.full.end - u.full.start)
}
