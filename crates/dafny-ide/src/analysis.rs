//! The analysis of a program: its texts, the typed program, its diagnostics, and the definition of
//! every name.

use std::sync::Arc;

use dafny_resolve::index::{Definition, Index};
use dafny_resolve::typed::{Body, CallableId, CallableKind, Options, Program};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, SourceMap, Span};
use dafny_syntax::ast;

/// A source text.
#[derive(Debug, Clone)]
pub struct Text {
    /// The path in messages.
    pub path: String,
    /// The contents.
    pub text: Arc<str>,
    /// Whether the text belongs to the program itself, as opposed to an included file.
    pub named: bool,
}

impl Text {
    /// Creates a text that belongs to the program itself.
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            named: true,
        }
    }
}

/// The input of an analysis.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// The texts, in load order.
    pub texts: Vec<Text>,
    /// The options that affect the semantics.
    pub options: Options,
    /// The options of the parser.
    pub syntax: dafny_syntax::Options,
}

/// An occurrence of a name in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The source range.
    pub span: Span,
    /// The definition that the name denotes.
    pub definition: Definition,
    /// The span of the name in the declaration. It identifies the definition.
    pub place: Span,
    /// Whether this occurrence is the declaration.
    pub is_declaration: bool,
}

/// The answer to a query about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The name at the queried position.
    pub span: Span,
    /// The span of the name in the declaration.
    pub target: Span,
}

/// A function, method or lemma with a body, which can be tested or checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The full name.
    pub path: String,
    /// The span of the name in the declaration.
    pub span: Span,
    /// The source range of the whole declaration.
    pub full: Span,
    /// Whether it is compiled, so that tests can execute it.
    pub is_compiled: bool,
}

/// A program with everything known about it.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// The source texts.
    pub sources: SourceMap,
    /// The typed program. It is incomplete if there are errors.
    pub program: Program,
    /// All diagnostics of the program.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) index: Index,
    pub(crate) occurrences: Vec<Occurrence>,
    pub(crate) syntax: dafny_syntax::Options,
}

impl Analysis {
    /// Parses and resolves a program. Texts beyond a total of 4 GiB are omitted, because positions
    /// are 32-bit.
    pub fn of(input: &Input) -> Self {
        Self::marked(input, None)
    }

    /// Like [`Self::of`], for a text with a marker at which completions are requested.
    pub(crate) fn marked(input: &Input, marker: Option<&str>) -> Self {
        let mut sources = SourceMap::new();
        let (mut files, mut diagnostics) = (Vec::new(), Vec::new());
        for text in &input.texts {
            let Some(id) = sources.add(text.path.clone(), text.text.clone(), text.named) else {
                break;
            };
            let base = sources.file(id).map_or(0, |f| f.base);
            let (file, errors) = dafny_syntax::parse_with(base, &text.text, input.syntax);
            files.push(file);
            diagnostics.extend(errors);
        }
        Self::resolved(
            sources,
            files,
            diagnostics,
            (input.options.clone(), input.syntax),
            marker,
        )
    }

    /// Creates the analysis of a parsed program. `diagnostics` are the errors of loading and
    /// parsing it.
    pub fn new(
        sources: SourceMap,
        files: Vec<ast::File>,
        diagnostics: Vec<Diagnostic>,
        options: (Options, dafny_syntax::Options),
    ) -> Self {
        Self::resolved(sources, files, diagnostics, options, None)
    }

    fn resolved(
        sources: SourceMap,
        files: Vec<ast::File>,
        mut diagnostics: Vec<Diagnostic>,
        (options, syntax): (Options, dafny_syntax::Options),
        marker: Option<&str>,
    ) -> Self {
        let is_broken = diagnostics.iter().any(Diagnostic::is_error);
        let (program, resolved, index) = dafny_resolve::resolve_indexed(files, options, marker);
        // As on the command line: a program with syntax errors is not resolved.
        if !is_broken {
            diagnostics.extend(resolved);
        }
        let mut analysis = Self {
            sources,
            program,
            diagnostics,
            index,
            occurrences: Vec::new(),
            syntax,
        };
        analysis.occurrences = analysis.all_occurrences();
        analysis
    }

    /// The input of this analysis.
    pub fn input(&self) -> Input {
        let texts = self.sources.files().map(|(_, f)| Text {
            path: f.path.clone(),
            text: f.text.clone(),
            named: f.named,
        });
        Input {
            texts: texts.collect(),
            options: self.program.options.clone(),
            syntax: self.syntax,
        }
    }

    /// The occurrence that contains the position or ends there.
    pub fn occurrence(&self, at: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|o| o.span.start <= at);
        self.occurrences
            .get(after.checked_sub(1)?)
            .filter(|o| at <= o.span.end)
    }

    /// The declaration of the name at the position.
    pub fn definition(&self, at: u32) -> Option<Found> {
        let found = self.occurrence(at)?;
        (!is_nowhere(found.place)).then_some(Found {
            span: found.span,
            target: found.place,
        })
    }

    /// All occurrences of the definition at the position, in source order.
    pub fn references(&self, at: u32) -> Vec<Occurrence> {
        let Some(wanted) = self.occurrence(at).map(|o| o.place) else {
            return Vec::new();
        };
        self.occurrences
            .iter()
            .filter(|o| o.place == wanted)
            .copied()
            .collect()
    }

    /// The occurrences inside a span, in source order.
    pub fn occurrences_in(&self, span: Span) -> &[Occurrence] {
        let from = self
            .occurrences
            .partition_point(|o| o.span.start < span.start);
        let to = self
            .occurrences
            .partition_point(|o| o.span.start < span.end);
        self.occurrences.get(from..to).unwrap_or_default()
    }

    /// The options of the parser.
    pub fn input_syntax(&self) -> dafny_syntax::Options {
        self.syntax
    }

    /// The occurrences that are declarations, in source order.
    pub fn declarations(&self) -> impl Iterator<Item = Occurrence> {
        self.occurrences
            .iter()
            .filter(|o| o.is_declaration)
            .copied()
    }

    /// The functions, methods and lemmas of the program that can be tested or checked, in source
    /// order.
    pub fn units(&self) -> Vec<Unit> {
        let ids = (0..self.program.callables.len() as u32).map(CallableId);
        let mut units: Vec<Unit> = ids.filter_map(|id| self.unit(id)).collect();
        units.sort_by_key(|u| u.span.start);
        // A refining module contains copies. The first one has the name of the written declaration.
        units.dedup_by_key(|u| u.span);
        units
    }

    fn unit(&self, id: CallableId) -> Option<Unit> {
        let c = &self.program[id];
        let has_body = match &c.body {
            Body::None => false,
            Body::Expr(_) | Body::Block(_) | Body::ByMethod(..) => true,
        };
        let (_, file) = self.sources.file_at(c.span.start)?;
        let is_wanted =
            has_body && !is_nowhere(c.full_span) && file.named && c.full_span.contains_span(c.span);
        let is_lemma = c.kind == CallableKind::Lemma;
        let is_compiled = !c.ghost && !is_lemma && !self.program.is_in_abstract_module(c.module);
        is_wanted.then(|| Unit {
            path: self.program.callable_path(id),
            span: c.span,
            full: c.full_span,
            is_compiled,
        })
    }

    fn all_occurrences(&self) -> Vec<Occurrence> {
        let mut all: Vec<Occurrence> = Vec::with_capacity(self.index.uses.len());
        for (span, definition) in self.declared() {
            let place = self.index.place(&self.program, definition);
            all.push(Occurrence {
                span,
                definition,
                place,
                is_declaration: true,
            });
        }
        for &(span, definition) in &self.index.uses {
            let place = self.index.place(&self.program, definition);
            all.push(Occurrence {
                span,
                definition,
                place,
                is_declaration: false,
            });
        }
        all.sort_by_key(|o| (o.span.start, o.span.end));
        all.dedup_by_key(|o| o.span);
        all
    }

    /// All declarations in the texts, with the spans of their names.
    pub(crate) fn declared(&self) -> Vec<(Span, Definition)> {
        let p = &self.program;
        let mut found: Vec<(Span, &Name, Definition)> = Vec::new();
        macro_rules! each {
            ($field:ident, $id:ident, $variant:ident) => {
                found.extend(p.$field.iter().enumerate().map(|(i, d)| {
                    (
                        d.span,
                        &d.name,
                        Definition::$variant(dafny_resolve::typed::$id(i as u32)),
                    )
                }));
            };
        }
        each!(modules, ModuleId, Module);
        each!(types, TypeId, Type);
        each!(type_params, TypeParamId, TypeParam);
        each!(ctors, CtorId, Ctor);
        each!(fields, FieldId, Field);
        each!(callables, CallableId, Callable);
        each!(locals, LocalId, Local);
        let synonyms = self.index.synonyms.iter().enumerate();
        let synonym = |i: usize| Definition::Synonym(dafny_resolve::context::SynonymId(i as u32));
        found.extend(synonyms.map(|(i, s)| (s.span, &s.name, synonym(i))));
        // Generated declarations have no name in a text.
        found.retain(|(span, name, _)| {
            !is_nowhere(*span) && (self.sources.text(*span) == &***name || &***name == "_ctor")
        });
        found
            .into_iter()
            .map(|(span, _, definition)| (span, definition))
            .collect()
    }
}

/// Whether the span belongs to a declaration that is in no text.
pub(crate) fn is_nowhere(span: Span) -> bool {
    span == Span::default()
}
