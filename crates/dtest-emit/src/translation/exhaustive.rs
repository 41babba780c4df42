//! Exhaustiveness of the cases of a `match`, as Rust judges it.

use super::body::Body;
use super::convention::Scope;
use dafny_resolve::typed::{CtorId, ExprKind, Literal, Pattern, PatternKind};

/// The shape of a pattern.
#[derive(Clone)]
enum Shape {
    /// Matches all values.
    Any,
    /// A constructor, a tuple or a Boolean, with its arguments.
    Of(Head, Vec<Shape>),
    /// One of several alternatives.
    Or(Vec<Shape>),
    /// A constant of a type with too many values to enumerate.
    One,
}

/// The head of a pattern: the outermost constructor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Ctor(CtorId),
    Tuple,
    Bool(bool),
}

impl Body<'_, '_, '_> {
    /// Whether patterns without guards cover all values of their type.
    pub(super) fn covers_all(&self, patterns: &[&Pattern]) -> bool {
        let rows = patterns.iter().map(|p| vec![self.shape(p)]).collect();
        self.exhaustive(rows, 1)
    }

    fn shape(&self, p: &Pattern) -> Shape {
        match &p.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => Shape::Any,
            PatternKind::Tuple(ps) => {
                let parts = self
                    .scope
                    .compiled_parts(&p.ty, ps)
                    .into_iter()
                    .map(|p| self.shape(p))
                    .collect();
                Shape::Of(Head::Tuple, parts)
            }
            PatternKind::Ctor { ctor, args } => {
                let fields = &self.scope.ground.program[*ctor].fields;
                let there = fields
                    .iter()
                    .zip(args)
                    // A ghost argument is no column: its pattern is not written in Rust.
                    .filter(|(f, _)| !self.scope.ground.program[**f].ghost);
                Shape::Of(
                    Head::Ctor(*ctor),
                    there.map(|(_, a)| self.shape(a)).collect(),
                )
            }
            PatternKind::Value(e) => {
                if let ExprKind::Literal(Literal::Bool(b)) = &e.kind {
                    Shape::Of(Head::Bool(*b), Vec::new())
                } else {
                    Shape::One
                }
            }
            PatternKind::Or(ps) => Shape::Or(ps.iter().map(|p| self.shape(p)).collect()),
        }
    }

    /// Whether rows with `columns` columns cover all values: the algorithm of Maranget, "Warnings
    /// for pattern matching" (2007), §3.
    fn exhaustive(&self, rows: Vec<Vec<Shape>>, columns: usize) -> bool {
        if columns == 0 {
            // Without columns, any row that is left matches.
            return !rows.is_empty();
        }
        let rows: Vec<(Shape, Vec<Shape>)> = rows.into_iter().flat_map(split).collect();
        // A head in the first column shows which heads its type has.
        let first = rows.iter().find_map(|(s, _)| match s {
            Shape::Of(head, parts) => Some((*head, parts.len())),
            Shape::Any | Shape::Or(_) | Shape::One => None,
        });
        let Some((head, arity)) = first else {
            // Constants cover no type with too many values to enumerate, so only rows that match
            // anything count.
            let rest = rows
                .into_iter()
                .filter(|(s, _)| matches!(s, Shape::Any))
                .map(|(_, rest)| rest)
                .collect();
            return self.exhaustive(rest, columns - 1);
        };
        self.scope
            .heads(head, arity)
            .into_iter()
            // Each head must be covered by the rows that match it; its arguments become columns.
            .all(|(head, arity)| {
                let within = rows.iter().filter_map(|(shape, rest)| {
                    let parts = match shape {
                        Shape::Any => vec![Shape::Any; arity],
                        Shape::Of(h, parts) if *h == head => parts.clone(),
                        Shape::Of(..) | Shape::Or(_) | Shape::One => return None,
                    };
                    Some(parts.into_iter().chain(rest.iter().cloned()).collect())
                });
                self.exhaustive(within.collect(), arity + columns - 1)
            })
    }
}

impl Scope<'_, '_> {
    /// Returns all heads of values of the type of this head, which has `arity` arguments, with
    /// their numbers of arguments.
    fn heads(&self, of: Head, arity: usize) -> Vec<(Head, usize)> {
        let ground = self.ground;
        match of {
            Head::Bool(_) => vec![(Head::Bool(false), 0), (Head::Bool(true), 0)],
            Head::Tuple => vec![(Head::Tuple, arity)],
            Head::Ctor(c) => {
                let all = ground.datatype_ctors(ground.program[c].datatype);
                all.into_iter()
                    .map(|c| (Head::Ctor(c), ground.ctor_fields(c).len()))
                    .collect()
            }
        }
    }
}

/// Splits a row with alternatives in its first column into several rows. Returns the first column
/// and the others.
fn split(row: Vec<Shape>) -> Vec<(Shape, Vec<Shape>)> {
    let mut columns = row.into_iter();
    match columns.next() {
        None => Vec::new(),
        Some(Shape::Or(alternatives)) => {
            let rest: Vec<Shape> = columns.collect();
            let rows = alternatives
                .into_iter()
                .map(|a| std::iter::once(a).chain(rest.iter().cloned()).collect());
            rows.flat_map(split).collect()
        }
        Some(first) => vec![(first, columns.collect())],
    }
}
