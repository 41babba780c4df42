//! Proposals of clauses that may be missing where an execution violates a frame or a measure.
//! Whether a proposal removes the violation has to be tested by executing the program.

use dafny_resolve::typed::{Arena as _, Callable, CallableId, Local, Type, TypeId};
use dafny_source::{FileId, Span};
use dafny_syntax::TokenKind;
use dafny_syntax::ast::{self, FunctionDecl, Member, MethodDecl, Spec, Stmt, StmtKind};
use dafny_syntax::visit::{Node, Visit};

use crate::{Analysis, Edit};

/// The maximum number of proposals for one violation.
const MOST: usize = 8;

/// The kind of the missing clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A write frame of a method.
    Modifies,
    /// A read frame of a function.
    Reads,
    /// A measure of a callable or loop.
    Decreases,
}

impl Missing {
    fn word(self) -> &'static str {
        match self {
            Self::Modifies => "modifies",
            Self::Reads => "reads",
            Self::Decreases => "decreases",
        }
    }
}

/// A proposed clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The text of the clause.
    pub clause: String,
    /// The edit that adds the clause.
    pub edit: Edit,
}

impl Analysis {
    /// Proposes clauses for the unit with the given path, or for the loop in it that starts at
    /// `at`. `at` is the span of the code that violates an obligation of this kind. Likelier
    /// clauses come first.
    pub fn proposals(&self, unit: &str, at: Span, missing: Missing) -> Vec<Proposal> {
        let ids: Vec<CallableId> = self.program.ids();
        let Some(id) = ids
            .into_iter()
            .find(|id| self.program.callable_path(*id) == unit)
        else {
            return Vec::new();
        };
        let callable = &self.program[id];
        let Some((file, _)) = self.place_in_file(callable.span.start) else {
            return Vec::new();
        };
        let Some((place, is_loop)) = self.gap(file, callable, at, missing) else {
            return Vec::new();
        };
        let values = match missing {
            Missing::Modifies | Missing::Reads => self.objects(callable, at),
            Missing::Decreases if is_loop => {
                self.differences(&self.names_in(self.sources.text(at)))
            }
            Missing::Decreases => self.measures(callable),
        };
        let proposal = |value: String| {
            let clause = format!("{} {value}", missing.word());
            let text = self.laid_out(file, place, &clause);
            Proposal {
                clause,
                edit: Edit {
                    span: Span::new(place, place),
                    text,
                },
            }
        };
        values.into_iter().take(MOST).map(proposal).collect()
    }

    /// The position for a new clause, before the body of the loop at `at` or of the callable, and
    /// whether it is a loop.
    fn gap(
        &self,
        file: FileId,
        callable: &Callable,
        at: Span,
        missing: Missing,
    ) -> Option<(u32, bool)> {
        let source = self.sources.file(file)?;
        let (tree, _) = dafny_syntax::parse_with(source.base, &source.text, self.syntax);
        let mut finder = Finder {
            name: callable.span,
            at,
            missing,
            callable: None,
            around: None,
        };
        tree.decls.iter().for_each(|d| finder.top_decl(d));
        let body = match (finder.around, finder.callable?) {
            (Some(of_loop), _) => return Some((of_loop, true)),
            (None, Body::Braces(start)) => start,
            // The brace before the expression.
            (None, Body::Within(start)) => {
                let tokens = dafny_syntax::lex(source.base, &source.text).tokens;
                tokens
                    .iter()
                    .rev()
                    .find(|t| t.kind == TokenKind::LBrace && t.span.end <= start)?
                    .span
                    .start
            }
        };
        Some((body, false))
    }

    /// Formats a clause on its own line if the following brace is on its own line, otherwise before
    /// the brace.
    fn laid_out(&self, file: FileId, place: u32, clause: &str) -> String {
        let before = self
            .sources
            .text(Span::new(self.file_span(file).start, place));
        let indent = before.rsplit('\n').next().unwrap_or_default();
        if indent.chars().all(char::is_whitespace) {
            format!("  {clause}\n{indent}")
        } else {
            format!("{clause} ")
        }
    }

    /// Frames over the parameters of a callable: the parameters mentioned at `at`, then each
    /// parameter, then all of them.
    fn objects(&self, callable: &Callable, at: Span) -> Vec<String> {
        let named: Vec<String> = self
            .names_in(self.sources.text(at))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let is_class = |t: TypeId| self.program.is_reference(&Type::named(t, Vec::new()));
        let has_this = !callable.is_static && callable.owner.is_some_and(is_class);
        let locals = callable
            .ins
            .iter()
            .map(|f| &self.program[f.local])
            .filter(|l| self.is_framed(&l.ty));
        let mut all: Vec<String> = locals.map(|l| l.name.to_string()).collect();
        all.extend(has_this.then(|| "this".to_owned()));
        let mut values: Vec<String> = all.iter().filter(|n| named.contains(n)).cloned().collect();
        values.extend(all.iter().filter(|n| !named.contains(n)).cloned());
        if all.len() > 1 {
            values.push(all.join(", "));
        }
        values
    }

    /// Whether a value of the type may be in a frame: an object, or a set or sequence of objects
    /// (reference manual, "Framing specifications").
    fn is_framed(&self, ty: &Type) -> bool {
        let ty = self.program.strip_subset(ty);
        let elem = if let Type::Set { elem, .. } | Type::Seq(elem) | Type::Multiset(elem) = &ty {
            elem
        } else {
            &ty
        };
        self.program.is_reference(elem)
    }

    /// Candidate measures: a parameter, or the difference of two numbers.
    fn measures(&self, callable: &Callable) -> Vec<String> {
        let names: Vec<(String, bool)> = callable
            .ins
            .iter()
            .map(|f| self.numbered(&self.program[f.local]))
            .collect();
        let mut values = self.differences(&names);
        values.extend(names.into_iter().map(|(name, _)| name));
        values
    }

    fn numbered(&self, local: &Local) -> (String, bool) {
        (
            local.name.to_string(),
            self.program.strip_subset(&local.ty) == Type::Int,
        )
    }

    /// The differences of pairs of numbers.
    fn differences(&self, names: &[(String, bool)]) -> Vec<String> {
        let numbers: Vec<&String> = names
            .iter()
            .filter(|(_, number)| *number)
            .map(|(n, _)| n)
            .collect();
        let pairs = numbers.iter().flat_map(|a| {
            numbers
                .iter()
                .filter(move |b| *b != a)
                .map(move |b| format!("{b} - {a}"))
        });
        pairs.collect()
    }

    /// The variables mentioned in a text, each with whether it is a number.
    fn names_in(&self, text: &str) -> Vec<(String, bool)> {
        let mut found: Vec<(String, bool)> = Vec::new();
        for token in dafny_syntax::lex(0, text)
            .tokens
            .iter()
            .filter(|t| t.kind == TokenKind::Ident)
        {
            let name = text
                .get(token.span.start as usize..token.span.end as usize)
                .unwrap_or_default();
            let local = self.program.locals.iter().rev().find(|l| &*l.name == name);
            if let Some(local) = local.filter(|_| !found.iter().any(|(n, _)| n == name)) {
                found.push(self.numbered(local));
            }
        }
        found
    }
}

/// The start of a body.
#[derive(Clone, Copy)]
enum Body {
    /// The position of its opening brace.
    Braces(u32),
    /// The position of an expression after an opening brace.
    Within(u32),
}

struct Finder {
    name: Span,
    at: Span,
    missing: Missing,
    callable: Option<Body>,
    /// The start of the body of the loop that begins at `at`.
    around: Option<u32>,
}

impl Finder {
    /// Whether a clause of this kind can be added: a callable has at most one measure.
    fn takes(&self, spec: &Spec) -> bool {
        let has_measure = spec
            .clauses
            .iter()
            .any(|c| matches!(c.kind, ast::ClauseKind::Decreases(_)));
        self.missing != Missing::Decreases || !has_measure
    }

    fn method(&mut self, m: &MethodDecl) {
        if m.name.as_ref().map_or(m.head, |n| n.span) == self.name && self.takes(&m.spec) {
            self.callable = m.body.as_ref().map(|b| Body::Braces(b.span.start));
        }
    }

    fn function(&mut self, f: &FunctionDecl) {
        if f.name.span == self.name && self.takes(&f.spec) {
            self.callable = f.body.as_ref().map(|b| Body::Within(b.span.start));
        }
    }
}

impl<'t> Visit<'t> for Finder {
    fn member(&mut self, node: &'t Member) {
        match node {
            Member::Method(m) => self.method(m),
            Member::Function(f) => self.function(f),
            Member::Field(_) | Member::Const(_) => {}
        }
        node.walk(self);
    }

    fn stmt(&mut self, node: &'t Stmt) {
        if let StmtKind::While {
            spec,
            body: Some(body),
            ..
        } = &node.kind
            && self.missing == Missing::Decreases
            && node.span.start == self.at.start
            && self.takes(spec)
        {
            self.around = Some(body.span.start);
        }
        node.walk(self);
    }
}
