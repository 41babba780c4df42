//! Patterns (reference manual, "Case and Extended Patterns").

use super::super::ast::{Expr, ExprKind, Pattern, PatternKind, QualifiedName, UnaryOp};
use super::super::token::TokenKind as T;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Parses `ExtendedPattern`: the pattern of a case, possibly with alternatives.
    pub(super) fn extended_pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|p| {
            let start = p.start();
            p.eat(T::Bar);
            let first = p.single_extended_pattern()?;
            if !p.at(T::Bar) {
                return Ok(first);
            }
            let mut branches = vec![first];
            while p.eat(T::Bar) {
                branches.push(p.single_extended_pattern()?);
            }
            Ok(Pattern {
                kind: PatternKind::Or(branches),
                span: p.span_from(start),
            })
        })
    }

    fn single_extended_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.start();
        if self.is_literal_start() || self.at(T::Minus) {
            let value = self.possibly_negated_literal_expr()?;
            return Ok(Pattern {
                kind: PatternKind::Literal(Box::new(value)),
                span: self.span_from(start),
            });
        }
        self.structured_pattern(Self::extended_pattern)
    }

    /// Parses `CasePattern`: a pattern on the left of `:=`.
    pub(super) fn case_pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|p| p.structured_pattern(Self::case_pattern))
    }

    /// Parses a tuple, a constructor with arguments, or a name with an optional type.
    fn structured_pattern(&mut self, inner: fn(&mut Self) -> Parsed<Pattern>) -> Parsed<Pattern> {
        let start = self.start();
        let kind = if self.at(T::LParen) {
            PatternKind::Tuple(self.pattern_arguments(inner)?)
        } else if self.at_name() {
            let path = self.pattern_name()?;
            if self.at(T::LParen) {
                PatternKind::Ctor {
                    path,
                    args: self.pattern_arguments(inner)?,
                }
            } else {
                let ty = if self.eat(T::Colon) {
                    Some(self.ty()?)
                } else {
                    None
                };
                PatternKind::Name { path, ty }
            }
        } else {
            return Err(self.expected("a pattern"));
        };
        Ok(Pattern {
            kind,
            span: self.span_from(start),
        })
    }

    /// Parses a name. A pattern never qualifies a constructor by its type.
    fn pattern_name(&mut self) -> Parsed<QualifiedName> {
        let name = self.wild_ident()?;
        let span = name.span;
        if self.at(T::Dot) {
            return Err(self.expected_with_help(
                "`=>` or another pattern",
                "constructors and constants are not qualified in patterns: write the name alone",
            ));
        }
        Ok(QualifiedName {
            segments: vec![name],
            span,
        })
    }

    fn pattern_arguments(
        &mut self,
        inner: fn(&mut Self) -> Parsed<Pattern>,
    ) -> Parsed<Vec<Pattern>> {
        let open = self.expect(T::LParen)?.span;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        let patterns = self.comma_separated(inner)?;
        self.expect_closing(T::RParen, open)?;
        Ok(patterns)
    }

    fn possibly_negated_literal_expr(&mut self) -> Parsed<Expr> {
        let start = self.start();
        if !self.eat(T::Minus) {
            return self.literal_expression();
        }
        let value = Box::new(self.literal_expression()?);
        Ok(Expr {
            kind: ExprKind::Unary(UnaryOp::Neg, value),
            span: self.span_from(start),
        })
    }
}
