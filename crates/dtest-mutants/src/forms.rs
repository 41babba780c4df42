//! Syntactic forms that the IR shows only in parts: patterns, chains of comparisons, updates of
//! datatypes, ends of loops, targets of calls, and variables within operands. A change that gives a
//! valid IR need not give a valid text: `0 <= x` of the chain `0 <= x < n` cannot be negated, a
//! pattern is not a condition, and the lowering may declare the variable of the operand
//! `(var k := n + 1; k * k)` before the operation.
//!
//! [`Forms::fitted`] rejects such mutations or adapts their text.

use super::{Mutation, MutationKind, Piece};
use dafny_resolve::typed::visit::{Visit, walk_block, walk_callable, walk_expr, walk_stmt};
use dafny_resolve::typed::{
    CallableId, Expr, ExprKind, Guard, LocalId, Pattern, Stmt, StmtKind, Target,
};
use dafny_source::Span;
use dtest_ir::Program;
use rustc_hash::FxHashMap;

/// The patterns, chains, updates, loops and calls of a callable.
#[derive(Default)]
pub(super) struct Forms {
    patterns: Vec<Span>,
    /// The objects of datatype updates, by the location of the update.
    updates: FxHashMap<Span, Span>,
    /// The closing braces of loops without `continue`, by the location of the loop.
    loops: FxHashMap<Span, Span>,
    /// The targets of calls with one result, by the location of the statement.
    targets: FxHashMap<Span, Vec<Piece>>,
    /// The comparisons of chains, by their location.
    links: FxHashMap<Span, Link>,
    /// The locations of bindings, by those of their bodies.
    bindings: FxHashMap<Span, Span>,
}

/// A comparison of a chain.
struct Link {
    /// The locations of its operands.
    left: Span,
    right: Span,
    /// The location of the chain.
    whole: Span,
    is_first: bool,
    is_last: bool,
}

impl Forms {
    pub(super) fn of(program: &Program, callable: CallableId) -> Self {
        let mut collector = Collector {
            program,
            forms: Self::default(),
            continues: 0,
        };
        walk_callable(&mut collector, &program.typed[callable]);
        // The body of an iterator does not belong to the callable that runs it.
        let driven = program.typed.driven_by(callable);
        if let Some(body) = driven.and_then(|(_, parts, _)| parts.body.as_ref()) {
            walk_block(&mut collector, body);
        }
        collector.forms
    }

    /// The locations that texts of mutants may mention and the IR does not, in ascending order.
    pub(super) fn places(&self) -> Vec<Span> {
        let pair = |(a, b): (&Span, &Span)| [*a, *b];
        let of_targets = self.targets.values().flatten().filter_map(Piece::span);
        let mut places: Vec<Span> = self
            .updates
            .iter()
            .chain(&self.bindings)
            .flat_map(pair)
            .chain(self.loops.values().copied())
            .chain(self.patterns.iter().copied())
            .chain(of_targets)
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Whether a location is that of a comparison of a chain.
    pub(super) fn is_link(&self, span: Span) -> bool {
        self.links.contains_key(&span)
    }

    /// The location of the object of a datatype update.
    pub(super) fn updated(&self, update: Span) -> Option<Span> {
        self.updates.get(&update).copied()
    }

    /// The closing brace of a loop with a guard and without `continue`.
    pub(super) fn end_of_loop(&self, whole: Span) -> Option<Span> {
        self.loops.get(&whole).copied()
    }

    /// The text of an assignment to the target of a call, up to the value.
    pub(super) fn target(&self, call: Span) -> Option<&[Piece]> {
        self.targets.get(&call).map(Vec::as_slice)
    }

    /// Whether a variable is in scope at a place, by the location of its declaration: a variable of
    /// a binding is in scope in the binding's body. The lowering may declare it before an operation
    /// of which the binding is an operand.
    pub(super) fn is_in_scope(&self, declaration: Span, place: Span) -> bool {
        let declares = |body: &Span, whole: &Span| {
            whole.contains_span(declaration) && !body.contains_span(declaration)
        };
        // The innermost binding around the declaration is its own.
        self.bindings
            .iter()
            .filter(|(body, whole)| declares(body, whole))
            .min_by_key(|(_, whole)| whole.end - whole.start)
            .is_none_or(|(body, _)| body.contains_span(place))
    }

    /// Whether a location is within a pattern.
    pub(super) fn is_in_pattern(&self, span: Span) -> bool {
        self.patterns.iter().any(|p| p.contains_span(span))
    }

    /// The mutation, adapted to the source. `None` if the source has no such mutation.
    pub(super) fn fitted(&self, mutation: Mutation) -> Option<Mutation> {
        let mutation = self.with_bindings(mutation);
        if self.is_in_pattern(mutation.span) {
            // Only a literal that is not negative can replace a literal in a pattern.
            let is_literal = mutation.kind == MutationKind::Constant
                && matches!(mutation.instead.as_slice(), [Piece::Text(t)] if !t.starts_with('-'));
            return is_literal.then_some(mutation);
        }
        let Some(link) = self.links.get(&mutation.span) else {
            return Some(mutation);
        };
        match (mutation.kind, mutation.instead.as_slice()) {
            (MutationKind::Operator, [_, ..]) => Some(Mutation {
                is_bare: true,
                is_hint: false,
                ..mutation
            }),
            // The chain is an operand of a disjunction that is removed.
            (MutationKind::Operand, [Piece::Text(value)]) if value == "false" => Some(Mutation {
                span: link.whole,
                ..mutation
            }),
            // The comparison is an operand of the conjunction that the chain stands for: without
            // its first comparison, `0 <= x < n` is `x < n`.
            (MutationKind::Operand, [Piece::Text(_)]) => {
                let rest = match (link.is_first, link.is_last) {
                    (true, _) => Some(link.right),
                    (_, true) => Some(link.left),
                    (false, false) => None,
                };
                Some(Mutation {
                    instead: rest.map(Piece::Source).into_iter().collect(),
                    is_bare: true,
                    is_hint: false,
                    ..mutation
                })
            }
            (_, _) => None,
        }
    }
}

impl Forms {
    /// The mutation with the bodies of bindings replaced by the whole bindings. Without text, if
    /// its text would separate a body from the variables that it mentions.
    fn with_bindings(&self, mutation: Mutation) -> Mutation {
        let whole = mutation.span;
        let is_inside = |b: &Span| whole.contains_span(*b) && *b != whole;
        let inside = || self.bindings.values().filter(|b| is_inside(b));
        if inside().next().is_none() {
            return mutation;
        }
        let fits = |span: Span| {
            let is_apart = |b: &Span| span.end <= b.start || b.end <= span.start;
            inside().all(|b| is_apart(b) || span.contains_span(*b))
        };
        let widened = |span: Span| {
            let mut span = span;
            while let Some(binding) = self
                .bindings
                .get(&span)
                .filter(|b| is_inside(b) && **b != span)
            {
                span = *binding;
            }
            fits(span).then_some(span)
        };
        let piece = |piece: &Piece| match piece {
            Piece::Source(span) => match widened(*span)? {
                same if same == *span => Some(Piece::Source(same)),
                // A binding extends as far as possible, and is delimited by parentheses.
                binding => Some(Piece::Operand(binding)),
            },
            Piece::Operand(span) => widened(*span).map(Piece::Operand),
            Piece::Renamed { head, .. } => fits(*head).then(|| piece.clone()),
            Piece::Text(_) => Some(piece.clone()),
        };
        let instead: Option<Vec<Piece>> = mutation.instead.iter().map(piece).collect();
        Mutation {
            instead: instead.unwrap_or_default(),
            ..mutation
        }
    }
}

/// Collects the forms of a callable.
struct Collector<'p> {
    program: &'p Program,
    forms: Forms,
    /// Number of `continue` statements so far.
    continues: usize,
}

impl Collector<'_> {
    /// The text of an assignment to a target. `None` if the target has no text.
    fn target(&self, target: &Target, declares: &[LocalId]) -> Option<Vec<Piece>> {
        let typed = &self.program.typed;
        let text = |s: String| Piece::Text(s);
        Some(match target {
            Target::Local(local) => {
                let keyword = if declares.contains(local) { "var " } else { "" };
                vec![text(format!("{keyword}{} := ", typed[*local].name))]
            }
            Target::Field { object, field } => {
                let name = &typed[*field].name;
                let object = if matches!(object.kind, ExprKind::This) {
                    text("this".into())
                } else {
                    Piece::Source(object.span)
                };
                vec![object, text(format!(".{name} := "))]
            }
            Target::Element { array, indices } => {
                let mut pieces = vec![Piece::Source(array.span), text("[".into())];
                for (i, index) in indices.iter().enumerate() {
                    pieces.extend((i > 0).then(|| text(", ".into())));
                    pieces.push(Piece::Source(index.span));
                }
                pieces.push(text("] := ".into()));
                pieces
            }
            Target::Discard(_) => return None,
        })
    }
}

impl<'p> Visit<'p> for Collector<'p> {
    fn pattern(&mut self, p: &'p Pattern) {
        self.forms.patterns.push(p.span);
    }

    fn stmt(&mut self, s: &'p Stmt) {
        let before = self.continues;
        walk_stmt(self, s);
        if let StmtKind::Break {
            is_continue: true, ..
        } = &s.kind
        {
            self.continues += 1;
        } else if let StmtKind::While {
            guard: Guard::Expr(_),
            body: Some(body),
            ..
        }
        | StmtKind::For {
            body: Some(body),
            to: Some(_),
            ..
        } = &s.kind
            && before == self.continues
            && body.span.start < body.span.end
        {
            // A `continue` at the end of the body would not lead to its closing brace.
            let brace = Span::new(body.span.end - 1, body.span.end);
            self.forms.loops.insert(s.span, brace);
        } else if let StmtKind::Call {
            declares, targets, ..
        } = &s.kind
            && let [target] = targets.as_slice()
            && let Some(pieces) = self.target(target, declares)
        {
            self.forms.targets.insert(s.span, pieces);
        }
    }

    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::DatatypeUpdate { object, .. } = &e.kind {
            self.forms.updates.insert(e.span, object.span);
        }
        if let ExprKind::Let { body, .. } | ExprKind::LetSuchThat { body, .. } = &e.kind {
            self.forms.bindings.insert(body.span, e.span);
        }
        if let ExprKind::LetOrFail(binding) = &e.kind {
            self.forms.bindings.insert(binding.body.span, e.span);
        }
        if let ExprKind::Chain { first, rest } = &e.kind {
            let mut left: &Expr = first;
            for (i, (_, right)) in rest.iter().enumerate() {
                let link = Link {
                    left: left.span,
                    right: right.span,
                    whole: e.span,
                    is_first: i == 0,
                    is_last: i + 1 == rest.len(),
                };
                // A single comparison is not a chain.
                if rest.len() > 1 {
                    self.forms.links.insert(left.span.to(right.span), link);
                }
                left = right;
            }
        }
        walk_expr(self, e);
    }
}
