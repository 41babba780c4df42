//! A program at one moment: its texts, what they mean, and what every name in them denotes.

use std::sync::Arc;

use dafny_resolve::index::{Definition, Index};
use dafny_resolve::typed::{Body, CallableId, CallableKind, Options, Program};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{Name, SourceMap, Span};

/// A text of a program.
#[derive(Debug, Clone)]
pub struct Text {
    /// What it is called in messages.
    pub path: String,
    /// What it says.
    pub text: Arc<str>,
    /// Whether it belongs to the program, rather than to what that includes.
    pub named: bool,
}

impl Text {
    /// A text that belongs to the program.
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            named: true,
        }
    }
}

/// What a program is made of.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// Its texts, in the order of loading.
    pub texts: Vec<Text>,
    /// Options that change meaning.
    pub options: Options,
    /// How texts are read.
    pub syntax: dafny_syntax::Options,
}

/// A name in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Where it stands.
    pub span: Span,
    /// What it denotes.
    pub definition: Definition,
    /// Where that is declared: what is declared at one place is one thing.
    pub place: Span,
    /// Whether it is declared here.
    pub is_declaration: bool,
}

/// An answer about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The name that was asked about.
    pub span: Span,
    /// Where what it denotes has its name.
    pub target: Span,
}

/// A function, method or lemma with a body: what is tested and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its full name.
    pub path: String,
    /// Its name, where it is declared.
    pub span: Span,
    /// The whole declaration.
    pub full: Span,
    /// Whether it is compiled, so that tests can run it.
    pub is_compiled: bool,
}

/// What is known of a program at one moment.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// Its texts.
    pub sources: SourceMap,
    /// The typed program; where there are errors, it has holes.
    pub program: Program,
    /// All that is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) index: Index,
    pub(crate) occurrences: Vec<Occurrence>,
    pub(crate) syntax: dafny_syntax::Options,
}

impl Analysis {
    /// Parses and resolves a program. Texts of 4 GiB together are as many as there are positions: the rest is left out.
    pub fn of(input: &Input) -> Self {
        Self::marked(input, None)
    }

    /// The same, where one text holds a marker that asks for candidates.
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

    /// The same for a program that is parsed already; `diagnostics` are those of reading and parsing it.
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
        let (program, told, index) = dafny_resolve::resolve_indexed(files, options, marker);
        // As on the command line: names are looked at where the text is right.
        if !is_broken {
            diagnostics.extend(told);
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

    /// What it was made of.
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

    /// The name that a position is in, or at the end of.
    pub fn occurrence(&self, at: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|o| o.span.start <= at);
        self.occurrences
            .get(after.checked_sub(1)?)
            .filter(|o| at <= o.span.end)
    }

    /// Where what the name at a position denotes is declared.
    pub fn definition(&self, at: u32) -> Option<Found> {
        let found = self.occurrence(at)?;
        (!is_nowhere(found.place)).then_some(Found {
            span: found.span,
            target: found.place,
        })
    }

    /// All places where what the name at a position denotes is named, in the order of the texts.
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

    /// The names within a span, in their order.
    pub fn occurrences_in(&self, span: Span) -> &[Occurrence] {
        let from = self
            .occurrences
            .partition_point(|o| o.span.start < span.start);
        let to = self
            .occurrences
            .partition_point(|o| o.span.start < span.end);
        self.occurrences.get(from..to).unwrap_or_default()
    }

    /// How its texts were read.
    pub fn input_syntax(&self) -> dafny_syntax::Options {
        self.syntax
    }

    /// The names where something is declared, in the order of the texts.
    pub fn declarations(&self) -> impl Iterator<Item = Occurrence> {
        self.occurrences
            .iter()
            .filter(|o| o.is_declaration)
            .copied()
    }

    /// What can be tested or checked of the program itself, in the order of the text.
    pub fn units(&self) -> Vec<Unit> {
        let ids = (0..self.program.callables.len() as u32).map(CallableId);
        let mut units: Vec<Unit> = ids.filter_map(|id| self.unit(id)).collect();
        units.sort_by_key(|u| u.span.start);
        // A refining module has copies; the first has the name under which the text declares it.
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

    /// All that is declared in the texts, with its name's place.
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
        // What the resolver makes up has no name in a text.
        found.retain(|(span, name, _)| {
            !is_nowhere(*span) && (self.sources.text(*span) == &***name || &***name == "_ctor")
        });
        found
            .into_iter()
            .map(|(span, _, definition)| (span, definition))
            .collect()
    }
}

/// Whether a place is that of what no text declares.
pub(crate) fn is_nowhere(span: Span) -> bool {
    span == Span::default()
}
