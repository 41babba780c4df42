//! Syntactic forms that the IR shows only in parts: patterns and chains of comparisons. A change
//! that gives a valid IR need not give a valid text: `0 <= x` of the chain `0 <= x < n` cannot be
//! negated, and a pattern is not a condition.
//!
//! [`Forms::fitted`] rejects such mutations or adapts their text.

use super::{Mutation, MutationKind, Piece};
use dafny_resolve::typed::visit::{Visit, walk_callable, walk_expr};
use dafny_resolve::typed::{CallableId, Expr, ExprKind, Pattern};
use dafny_syntax::source::Span;
use dtest_ir::Program;
use rustc_hash::FxHashMap;

/// The patterns and chains of a callable.
#[derive(Default)]
pub(super) struct Forms {
    patterns: Vec<Span>,
    /// The comparisons of chains, by their location.
    links: FxHashMap<Span, Link>,
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
        let mut forms = Self::default();
        walk_callable(&mut forms, &program.typed[callable]);
        forms
    }

    /// Whether a location is within a pattern.
    pub(super) fn is_in_pattern(&self, span: Span) -> bool {
        self.patterns.iter().any(|p| p.contains_span(span))
    }

    /// The mutation, adapted to the source. `None` if the source has no such mutation.
    pub(super) fn fitted(&self, mutation: Mutation) -> Option<Mutation> {
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
                    ..mutation
                })
            }
            (_, _) => None,
        }
    }
}

impl<'p> Visit<'p> for Forms {
    fn pattern(&mut self, p: &'p Pattern) {
        self.patterns.push(p.span);
    }

    fn expr(&mut self, e: &'p Expr) {
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
                    self.links.insert(left.span.to(right.span), link);
                }
                left = right;
            }
        }
        walk_expr(self, e);
    }
}
