//! Suffixes of primary expressions: members, calls, indices, updates (reference manual,
//! "Suffixes").

use super::super::ast::{Argument, Expr, ExprKind, Ident};
use super::super::token::{Token, TokenKind as T};
use super::{Mode, Parsed, Parser};

impl Parser<'_> {
    /// Parses `NameSegment`: a name with type arguments, a prefix limit or a state label.
    pub(super) fn name_segment(&mut self) -> Parsed<Expr> {
        let token = self.token(0);
        let name = self.ident()?;
        self.name_tail(token.span.start, token, |type_args| ExprKind::Name {
            name,
            type_args,
        })
    }

    /// Parses the tokens that may directly follow a name: `<T>`, `#[k](…)` or `@L(…)`.
    fn name_tail(
        &mut self,
        start: u32,
        name: Token,
        make: impl FnOnce(Option<Vec<super::super::ast::Type>>) -> ExprKind,
    ) -> Parsed<Expr> {
        // The type arguments of a prefix call are after `#`.
        if self.at(T::Hash) {
            self.bump();
            let type_args = if self.at(T::Lt) {
                Some(self.generic_instantiation()?)
            } else {
                None
            };
            let object = Box::new(Expr {
                kind: make(type_args),
                span: self.span_from(start),
            });
            let limit = Box::new(self.bracketed_limit()?);
            let callee = Box::new(Expr {
                kind: ExprKind::Prefix { object, limit },
                span: self.span_from(start),
            });
            let open = self.token(0);
            let args = self.parenthesized_arguments()?;
            return Ok(self.anchored(
                start,
                open,
                ExprKind::Call {
                    callee,
                    at_label: None,
                    args,
                },
            ));
        }
        let type_args = self.opt_generic_instantiation(true)?;
        let named = self.anchored(start, name, make(type_args));
        if !self.is_at_call() {
            return Ok(named);
        }
        self.bump();
        let at_label = Some(self.ident_or_digits()?);
        let open = self.token(0);
        let args = self.parenthesized_arguments()?;
        Ok(self.anchored(
            start,
            open,
            ExprKind::Call {
                callee: Box::new(named),
                at_label,
                args,
            },
        ))
    }

    /// Parses all following suffixes, `{Suffix}`.
    pub(super) fn suffixes(&mut self, start: u32, object: Expr) -> Parsed<Expr> {
        self.chained(|p| {
            let mut object = object;
            loop {
                object = match p.kind() {
                    T::Dot => p.dot_suffix(start, object)?,
                    T::LBracket => p.bracket_suffix(start, object)?,
                    T::LParen => {
                        let open = p.token(0);
                        let args = p.parenthesized_arguments()?;
                        p.anchored(
                            start,
                            open,
                            ExprKind::Call {
                                callee: Box::new(object),
                                at_label: None,
                                args,
                            },
                        )
                    }
                    _ => return Ok(object),
                };
                p.link()?;
            }
        })
    }

    fn dot_suffix(&mut self, start: u32, object: Expr) -> Parsed<Expr> {
        let dot = self.expect(T::Dot)?;
        let object = Box::new(object);
        if self.at(T::LParen) {
            let open = self.bump().span;
            let updates = self.comma_separated(Self::member_binding_update)?;
            self.expect_closing(T::RParen, open)?;
            return Ok(self.anchored(start, dot, ExprKind::DatatypeUpdate { object, updates }));
        }
        let named = self.at_name() || matches!(self.kind(), T::Digits | T::Requires | T::Reads);
        if !named {
            return Err(self.expected("the name of a member"));
        }
        let token = self.bump();
        let member = self.ident_of(token);
        self.name_tail(start, token, |type_args| ExprKind::Select {
            object,
            member,
            type_args,
        })
    }

    /// Parses `MemberBindingUpdate`.
    fn member_binding_update(&mut self) -> Parsed<(Ident, Expr)> {
        let field = self.ident_or_digits()?;
        self.expect(T::Gets)?;
        Ok((field, self.expression(Mode::INNER)?))
    }

    fn bracket_suffix(&mut self, start: u32, object: Expr) -> Parsed<Expr> {
        let bracket = self.expect(T::LBracket)?;
        let open = bracket.span;
        let object = Box::new(object);
        // `s[..b]` begins without an expression. All other forms are distinguished after the first
        // one.
        let kind = if self.eat(T::DotDot) {
            let to = self.opt_bound()?;
            ExprKind::Slice {
                object,
                from: None,
                to,
            }
        } else {
            let first = self.expression(Mode::INNER)?;
            match self.kind() {
                T::DotDot => {
                    self.bump();
                    let to = self.opt_bound()?;
                    ExprKind::Slice {
                        object,
                        from: Some(Box::new(first)),
                        to,
                    }
                }
                T::Gets => {
                    self.bump();
                    let value = Box::new(self.expression(Mode::INNER)?);
                    ExprKind::Update {
                        object,
                        key: Box::new(first),
                        value,
                    }
                }
                T::Colon => {
                    let mut lengths = vec![first];
                    // `s[a:b:]`: after a final colon, the rest is the last part.
                    let mut rest = false;
                    while self.eat(T::Colon) {
                        if self.at(T::RBracket) {
                            rest = true;
                            break;
                        }
                        lengths.push(self.expression(Mode::INNER)?);
                    }
                    ExprKind::SliceLengths {
                        object,
                        lengths,
                        rest,
                    }
                }
                _ => {
                    let mut indices = vec![first];
                    while self.eat(T::Comma) {
                        indices.push(self.expression(Mode::INNER)?);
                    }
                    ExprKind::Index { object, indices }
                }
            }
        };
        self.expect_closing(T::RBracket, open)?;
        Ok(self.anchored(start, bracket, kind))
    }

    fn opt_bound(&mut self) -> Parsed<Option<Box<Expr>>> {
        if self.at(T::RBracket) {
            Ok(None)
        } else {
            Ok(Some(Box::new(self.expression(Mode::INNER)?)))
        }
    }

    /// Parses `"(" [ActualBindings] ")"`.
    pub(super) fn parenthesized_arguments(&mut self) -> Parsed<Vec<Argument>> {
        let open = self.expect(T::LParen)?.span;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        let args = self.comma_separated(Self::actual_binding)?;
        self.expect_closing(T::RParen, open)?;
        Ok(args)
    }

    /// Parses `ActualBinding`.
    fn actual_binding(&mut self) -> Parsed<Argument> {
        let name = self.opt_binding_name()?;
        Ok(Argument {
            name,
            value: self.expression(Mode::INNER)?,
        })
    }

    /// Parses `x :=`.
    pub(super) fn opt_binding_name(&mut self) -> Parsed<Option<Ident>> {
        if !self.is_binding() {
            return Ok(None);
        }
        let name = self.ident_or_digits()?;
        let _gets: Token = self.expect(T::Gets)?;
        Ok(Some(name))
    }
}
