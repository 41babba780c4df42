//! Expressions other than operators (reference manual, "Expressions").

use super::super::ast::{
    Assign, Expr, ExprCase, ExprKind, Guard, Literal, PatternKind, Rhs, RhsKind, Span, Stmt,
    StmtKind, Update,
};
use super::super::ast::{BoundVar, Pattern};
use super::super::literal;
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser};
use dafny_source::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Parses `Expression`.
    pub(super) fn expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.nested(|p| {
            let start = p.start();
            let mut value = p.equiv_expression(mode)?;
            if mode.decreases_to && p.is_decreases_to() {
                let allow_equal = p.decreases_to();
                let to = vec![p.equiv_expression(mode)?];
                value = Expr {
                    kind: ExprKind::DecreasesTo {
                        from: vec![value],
                        to,
                        allow_equal,
                    },
                    span: p.span_from(start),
                };
            }
            if mode.lemma && p.at(T::Semi) && matches!(value.kind, ExprKind::Call { .. }) {
                p.bump();
                let stmt = Box::new(call_statement(value));
                let body = Box::new(p.expression(Mode::new(mode.lemma, mode.lambda))?);
                value = Expr {
                    kind: ExprKind::StmtExpr { stmt, body },
                    span: p.span_from(start),
                };
            }
            Ok(value)
        })
    }

    /// Parses `DecreasesTo`. Returns whether equality is allowed.
    fn decreases_to(&mut self) -> bool {
        let allow_equal = self.bump().kind == T::Nonincreases;
        self.bump();
        allow_equal
    }

    /// Parses `PrimaryExpression`.
    pub(super) fn primary_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let primary = match self.kind() {
            T::Map | T::Imap if self.nth(1) == T::LBracket => self.map_display_expr()?,
            T::LBrace | T::Multiset => self.set_display_expr()?,
            T::Iset if self.nth(1) == T::LBrace => self.set_display_expr()?,
            T::LParen if self.is_lambda(mode) => return self.lambda_expression(mode),
            kind if kind.is_name() && self.is_lambda(mode) => return self.lambda_expression(mode),
            T::If | T::Match | T::Forall | T::Exists | T::Set | T::Iset | T::Map | T::Imap => {
                return self.endless_expression(mode);
            }
            T::Var | T::Ghost | T::Elephant | T::Assert | T::Assume | T::Expect | T::Calc => {
                return self.endless_expression(mode);
            }
            T::Reveal | T::Hide if self.is_reveal() => return self.endless_expression(mode),
            T::Seq | T::LBracket => self.seq_display_expr()?,
            kind if kind.is_name() => self.name_segment()?,
            _ => self.const_atom_expression()?,
        };
        self.suffixes(start, primary)
    }

    /// Parses `ConstAtomExpression`.
    pub(super) fn const_atom_expression(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let kind = match self.kind() {
            T::This => {
                self.bump();
                ExprKind::This
            }
            T::Allocated => {
                self.bump();
                ExprKind::Allocated(Box::new(self.parenthesized()?))
            }
            T::Fresh => {
                self.bump();
                let label = self.opt_at_label()?;
                ExprKind::Fresh {
                    label,
                    expr: Box::new(self.parenthesized()?),
                }
            }
            T::Old => {
                self.bump();
                let label = self.opt_at_label()?;
                ExprKind::Old {
                    label,
                    expr: Box::new(self.parenthesized()?),
                }
            }
            T::Unchanged => {
                self.bump();
                let label = self.opt_at_label()?;
                let open = self.expect(T::LParen)?.span;
                let frame = self.comma_separated(|p| p.frame_expression(Mode::CLAUSE))?;
                self.expect_closing(T::RParen, open)?;
                ExprKind::Unchanged { label, frame }
            }
            T::Assigned => {
                self.bump();
                ExprKind::Assigned(Box::new(self.parenthesized()?))
            }
            T::Bar => {
                let open = self.bump().span;
                let value = self.expression(Mode::INNER.without_bitwise())?;
                self.expect_closing(T::Bar, open)?;
                ExprKind::Cardinality(Box::new(value))
            }
            T::LParen => return self.parens_expression(),
            _ if self.is_literal_start() => return self.literal_expression(),
            T::Star => {
                let failed = Diagnostic::error(
                    "syntax/unexpected-token",
                    self.token(0).span,
                    "expected an expression, found `*`",
                );
                self.report(
                    failed.with_help("`*` can be used as an expression only in guards, in `:=` and in `reads` and `decreases` clauses"),
                );
                return Err(super::Failed);
            }
            _ => {
                let help = self.reserved_word();
                return Err(self.expected_or("an expression", help));
            }
        };
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    fn opt_at_label(&mut self) -> Parsed<Option<super::super::ast::Ident>> {
        if self.eat(T::At) {
            self.ident_or_digits().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Parses `"(" Expression ")"`.
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let open = self.expect(T::LParen)?.span;
        let value = self.expression(Mode::INNER)?;
        self.expect_closing(T::RParen, open)?;
        Ok(value)
    }

    /// Whether the next token begins a literal.
    pub(super) fn is_literal_start(&self) -> bool {
        matches!(
            self.kind(),
            T::True
                | T::False
                | T::Null
                | T::Digits
                | T::HexDigits
                | T::Real
                | T::Char
                | T::String
                | T::VerbatimString
        )
    }

    /// Parses `LiteralExpression`.
    pub(super) fn literal_expression(&mut self) -> Parsed<Expr> {
        let start = self.start();
        if !self.is_literal_start() {
            return Err(self.expected("a literal"));
        }
        let token = self.bump();
        let text = self.text_at(token.span);
        if matches!(token.kind, T::Char | T::String) {
            self.check_escapes(token.span, text);
        }
        let literal = match token.kind {
            T::True => Literal::Bool(true),
            T::False => Literal::Bool(false),
            T::Null => Literal::Null,
            T::Char => Literal::Char(literal::character(text)),
            T::String => Literal::String {
                units: literal::string(text),
                verbatim: false,
            },
            T::VerbatimString => Literal::String {
                units: literal::verbatim_string(text),
                verbatim: true,
            },
            T::Real => self.real_literal(token.span, text),
            T::Digits if self.is_trailing_dot() => {
                self.bump();
                Literal::Real {
                    digits: literal::integer(text),
                    exponent: 0,
                }
            }
            _ => Literal::Int(literal::integer(text)),
        };
        Ok(Expr {
            kind: ExprKind::Literal(literal),
            span: self.span_from(start),
        })
    }

    /// Reports escapes that the kind of `char` excludes: `\u` denotes a code unit, `\U` a
    /// character.
    fn check_escapes(&mut self, span: Span, text: &str) {
        let (other, message, help) = match self.options.unicode_char {
            true => (
                b'u',
                "`\\u` is not an escape sequence where a `char` is a Unicode character",
                "write `\\U{X…}` with up to six hexadecimal digits",
            ),
            false => (
                b'U',
                "`\\U` is not an escape sequence where a `char` is a code unit (`--unicode-char:false`)",
                "write `\\uXXXX`, for each code unit",
            ),
        };
        if literal::escapes(text).any(|kind| kind == other) {
            self.report(Diagnostic::error("syntax/bad-escape", span, message).with_help(help));
        }
    }

    /// Whether `1.` is a real number: the dot is not followed by a possible member.
    fn is_trailing_dot(&self) -> bool {
        self.at(T::Dot)
            && self.adjacent()
            && !self.nth(1).is_name()
            && !matches!(self.nth(1), T::Digits | T::LParen)
    }

    fn real_literal(&mut self, span: Span, text: &str) -> Literal {
        let (digits, exponent) = literal::real(text).unwrap_or_else(|| {
            self.error(
                "syntax/number-too-large",
                span,
                "the exponent of this literal exceeds ±1,000,000",
            );
            Default::default()
        });
        Literal::Real { digits, exponent }
    }

    /// Parses `ParensExpression`: parentheses, tuples, and `(a, b decreases to c)`.
    fn parens_expression(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let open = self.expect(T::LParen)?.span;
        let mut args: Vec<(bool, Expr)> = Vec::new();
        // Both tuples of `decreases to` may be empty.
        if !self.at(T::RParen) && !self.is_decreases_to() {
            args = self.tuple_args()?;
        }
        if self.is_decreases_to() {
            let allow_equal = self.decreases_to();
            let from: Vec<Expr> = args.into_iter().map(|(_, e)| e).collect();
            let mode = Mode::CLAUSE.without_decreases_to();
            let to = if self.at(T::RParen) {
                Vec::new()
            } else {
                self.comma_separated(|p| p.expression(mode))?
            };
            let single = from.len() == 1 && to.len() == 1;
            let inner = Expr {
                kind: ExprKind::DecreasesTo {
                    from,
                    to,
                    allow_equal,
                },
                span: self.span_from(start),
            };
            self.expect_closing(T::RParen, open)?;
            let span = self.span_from(start);
            // The parentheses are part of a list. Around a single comparison, they are an
            // expression of their own.
            return Ok(if single {
                Expr {
                    kind: ExprKind::Paren(Box::new(inner)),
                    span,
                }
            } else {
                Expr { span, ..inner }
            });
        }
        self.expect_closing(T::RParen, open)?;
        let span = self.span_from(start);
        let alone = args.len() == 1 && args.iter().all(|(ghost, _)| !ghost);
        let kind = match args.pop() {
            Some((_, only)) if alone => ExprKind::Paren(Box::new(only)),
            last => {
                args.extend(last);
                ExprKind::Tuple(args)
            }
        };
        Ok(Expr { kind, span })
    }

    /// Parses `TupleArgs`. Components named by index, as in `(1 := a, 0 := b)`, are sorted.
    fn tuple_args(&mut self) -> Parsed<Vec<(bool, Expr)>> {
        let args = self.comma_separated(|p| {
            let ghost = p.at(T::Ghost) && p.nth(1) != T::Var && p.eat(T::Ghost);
            let name = p.opt_binding_name()?;
            Ok((
                name,
                (ghost, p.expression(Mode::INNER.without_decreases_to())?),
            ))
        })?;
        if args.iter().all(|(name, _)| name.is_none()) {
            return Ok(args.into_iter().map(|(_, arg)| arg).collect());
        }
        // Sort components by their indices. Unnamed ones have their position as index.
        let mut slots: Vec<Option<(bool, Expr)>> = args.iter().map(|_| None).collect();
        for (position, (name, arg)) in args.into_iter().enumerate() {
            let index = name
                .as_ref()
                .map_or(Some(position), |n| n.name.parse().ok());
            let span = name.as_ref().map_or(arg.1.span, |n| n.span);
            match index.and_then(|i: usize| slots.get_mut(i)) {
                Some(slot) if slot.is_none() => *slot = Some(arg),
                Some(_) => self.error(
                    "syntax/tuple-component",
                    span,
                    "this component of the tuple is given twice",
                ),
                None => self.error(
                    "syntax/tuple-component",
                    span,
                    "the tuple has no such component: the components are named `0`, `1`, …",
                ),
            }
        }
        Ok(slots.into_iter().flatten().collect())
    }

    /// Parses `SetDisplayExpr`: `{…}`, `iset{…}`, `multiset{…}`, `multiset(e)`.
    fn set_display_expr(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let prefix = self.kind();
        if matches!(prefix, T::Iset | T::Multiset) {
            self.bump();
        }
        if prefix == T::Multiset && self.at(T::LParen) {
            let of = Box::new(self.parenthesized()?);
            return Ok(Expr {
                kind: ExprKind::MultisetFrom(of),
                span: self.span_from(start),
            });
        }
        let elements = self.expressions_between(T::LBrace, T::RBrace)?;
        let kind = match prefix {
            T::Multiset => ExprKind::MultisetDisplay(elements),
            other => ExprKind::SetDisplay {
                infinite: other == T::Iset,
                elements,
            },
        };
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    /// Parses an opening token, `[Expressions]` and the closing token.
    pub(super) fn expressions_between(&mut self, open: T, close: T) -> Parsed<Vec<Expr>> {
        let open = self.expect(open)?.span;
        let elements = if self.at(close) {
            Vec::new()
        } else {
            self.comma_separated(|p| p.expression(Mode::INNER))?
        };
        self.expect_closing(close, open)?;
        Ok(elements)
    }

    /// Parses `SeqDisplayExpr`: `[…]` and `seq(n, f)`.
    fn seq_display_expr(&mut self) -> Parsed<Expr> {
        let start = self.start();
        if self.at(T::LBracket) {
            let elements = self.expressions_between(T::LBracket, T::RBracket)?;
            return Ok(Expr {
                kind: ExprKind::SeqDisplay(elements),
                span: self.span_from(start),
            });
        }
        self.expect(T::Seq)?;
        let mut args = if self.at(T::Lt) {
            self.generic_instantiation()?
        } else {
            Vec::new()
        };
        if let Some(second) = args.get(1) {
            self.error(
                "syntax/type-arguments",
                second.span,
                "`seq` takes one type argument",
            );
        }
        args.truncate(1);
        let elem = args.pop();
        let open = self.expect(T::LParen)?.span;
        let len = Box::new(self.expression(Mode::INNER)?);
        self.expect(T::Comma)?;
        let init = Box::new(self.expression(Mode::INNER)?);
        self.expect_closing(T::RParen, open)?;
        Ok(Expr {
            kind: ExprKind::SeqConstruct { elem, len, init },
            span: self.span_from(start),
        })
    }

    /// Parses `MapDisplayExpr`.
    fn map_display_expr(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let infinite = self.bump().kind == T::Imap;
        let open = self.expect(T::LBracket)?.span;
        let pairs = if self.at(T::RBracket) {
            Vec::new()
        } else {
            self.comma_separated(|p| {
                let key = p.expression(Mode::INNER)?;
                p.expect(T::Gets)?;
                Ok((key, p.expression(Mode::INNER)?))
            })?
        };
        self.expect_closing(T::RBracket, open)?;
        Ok(Expr {
            kind: ExprKind::MapDisplay { infinite, pairs },
            span: self.span_from(start),
        })
    }

    /// Parses `LambdaExpression`.
    fn lambda_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let params = if self.at(T::LParen) {
            let open = self.bump().span;
            let params = if self.at(T::RParen) {
                Vec::new()
            } else {
                self.comma_separated(Self::ident_type_optional)?
            };
            self.expect_closing(T::RParen, open)?;
            params
        } else {
            vec![BoundVar {
                name: self.wild_ident()?,
                ty: None,
            }]
        };
        let spec = self.specification(super::specifications::LAMBDA)?;
        self.expect(T::FatArrow)?;
        let body = Box::new(self.expression(Mode {
            lambda: true,
            decreases_to: true,
            ..mode
        })?);
        Ok(Expr {
            kind: ExprKind::Lambda { params, spec, body },
            span: self.span_from(start),
        })
    }

    /// Parses `EndlessExpression`: the expressions that extend as far to the right as possible.
    fn endless_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let mode = Mode {
            decreases_to: true,
            ..mode
        };
        let start = self.start();
        match self.kind() {
            T::If => self.if_expression(mode),
            T::Match => self.match_expression(mode),
            T::Forall | T::Exists => self.quantifier_expression(mode),
            T::Set | T::Iset => self.set_comprehension_expr(mode),
            T::Map | T::Imap => self.map_comprehension_expr(mode),
            T::Var | T::Ghost | T::Elephant => self.let_expression(mode),
            _ => {
                let stmt = Box::new(self.stmt_in_expr()?);
                let body = Box::new(self.expression(mode)?);
                Ok(Expr {
                    kind: ExprKind::StmtExpr { stmt, body },
                    span: self.span_from(start),
                })
            }
        }
    }

    /// Parses `IfExpression`.
    fn if_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        self.expect(T::If)?;
        let guard = if self.is_binding_guard() {
            self.binding_guard(true)?.0
        } else {
            Guard::Expr(self.expression(Mode::INNER)?)
        };
        self.expect(T::Then)?;
        let then = Box::new(self.expression(Mode::INNER)?);
        self.expect(T::Else)?;
        let els = Box::new(self.expression(mode)?);
        Ok(Expr {
            kind: ExprKind::If {
                guard: Box::new(guard),
                then,
                els,
            },
            span: self.span_from(start),
        })
    }

    /// Parses `MatchExpression`.
    fn match_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        self.expect(T::Match)?;
        let scrutinee = Box::new(self.expression(mode)?);
        let braces = self.at(T::LBrace);
        let mut cases = Vec::new();
        if braces {
            let open = self.bump().span;
            while self.at(T::Case) {
                cases.push(self.case_expression(Mode {
                    lemma: true,
                    lambda: true,
                    ..mode
                })?);
            }
            if !self.at(T::RBrace) && cases.is_empty() {
                return Err(self.expected("`case`"));
            }
            self.expect_closing(T::RBrace, open)?;
        } else {
            while self.at(T::Case) {
                cases.push(self.case_expression(mode)?);
            }
        }
        Ok(Expr {
            kind: ExprKind::Match {
                scrutinee,
                cases,
                braces,
            },
            span: self.span_from(start),
        })
    }

    fn case_expression(&mut self, mode: Mode) -> Parsed<ExprCase> {
        let start = self.start();
        self.expect(T::Case)?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let pattern = self.extended_pattern()?;
        self.expect_case_arrow()?;
        let body = self.expression(mode)?;
        Ok(ExprCase {
            attributes,
            pattern,
            body,
            span: self.span_from(start),
        })
    }

    /// Parses `LetExpression`, with or without a left-hand side.
    fn let_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        if self.eat(T::Elephant) {
            let value = Box::new(self.expression(Mode::PLAIN)?);
            self.semicolon("the value")?;
            let body = Box::new(self.expression(mode)?);
            let kind = ExprKind::LetOrFail {
                ghost: false,
                pattern: None,
                value,
                body,
            };
            return Ok(Expr {
                kind,
                span: self.span_from(start),
            });
        }
        let ghost = self.eat(T::Ghost);
        self.expect(T::Var)?;
        // All forms begin alike. The operator after the patterns tells which form it is.
        let patterns = self.comma_separated(Self::case_pattern)?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let operator = self.let_operator()?;
        let values = self.comma_separated(|p| p.expression(Mode::PLAIN))?;
        self.semicolon("the value of `var`")?;
        let body = Box::new(self.expression(mode)?);
        let span = self.span_from(start);
        let kind = match operator {
            T::SuchThat => {
                let mut values = values.into_iter();
                let Some(cond) = values.next().map(Box::new) else {
                    return Err(self.expected("a condition"));
                };
                if let Some(second) = values.next() {
                    self.error(
                        "syntax/such-that-condition",
                        second.span,
                        "`:|` takes exactly one condition",
                    );
                }
                ExprKind::LetSuchThat {
                    ghost,
                    vars: self.such_that_variables(patterns),
                    attributes,
                    cond,
                    body,
                }
            }
            T::Elephant => {
                let mut patterns = patterns.into_iter();
                let mut values = values.into_iter();
                let pattern = patterns.next().map(Box::new);
                let Some(value) = values.next().map(Box::new) else {
                    return Err(self.expected("a value"));
                };
                if let Some(second) = patterns
                    .next()
                    .map(|p| p.span)
                    .or(values.next().map(|v| v.span))
                {
                    self.error(
                        "syntax/let-or-fail",
                        second,
                        "`:-` in an expression takes exactly one pattern and one value",
                    );
                }
                ExprKind::LetOrFail {
                    ghost,
                    pattern,
                    value,
                    body,
                }
            }
            _ => {
                if values.len() != patterns.len() {
                    let message = format!(
                        "{} on the left of `:=`, but {} on the right",
                        count(patterns.len(), "pattern"),
                        count(values.len(), "value")
                    );
                    self.error("syntax/let-count", span, message);
                }
                ExprKind::Let {
                    ghost,
                    patterns,
                    values,
                    body,
                }
            }
        };
        Ok(Expr { kind, span })
    }

    fn let_operator(&mut self) -> Parsed<T> {
        let kind = self.kind();
        match kind {
            T::Gets | T::SuchThat | T::Elephant => {
                self.bump();
                Ok(kind)
            }
            T::SingleEq => {
                self.assignment_written_as_equals();
                Ok(T::Gets)
            }
            _ => Err(self.expected("`:=`, `:|` or `:-`")),
        }
    }

    /// Reports and consumes `=` where `:=` is required.
    pub(super) fn assignment_written_as_equals(&mut self) {
        let span = self.token(0).span;
        self.report(
            Diagnostic::error("syntax/single-equals", span, "expected `:=`, found `=`")
                .with_help("write `:=`"),
        );
        self.bump();
    }

    fn such_that_variables(&mut self, patterns: Vec<Pattern>) -> Vec<BoundVar> {
        let mut vars = Vec::with_capacity(patterns.len());
        for Pattern { kind, span } in patterns {
            match kind {
                PatternKind::Name { mut path, ty } if path.segments.len() == 1 => {
                    vars.extend(path.segments.pop().map(|name| BoundVar { name, ty }));
                }
                PatternKind::Name { .. }
                | PatternKind::Ctor { .. }
                | PatternKind::Tuple(_)
                | PatternKind::Literal(_)
                | PatternKind::Or(_) => {
                    self.error(
                        "syntax/such-that-pattern",
                        span,
                        "the left-hand side of `:|` must be variables, not a pattern",
                    );
                }
            }
        }
        vars
    }

    /// Parses `StmtInExpr`.
    fn stmt_in_expr(&mut self) -> Parsed<Stmt> {
        match self.kind() {
            T::Assert => self.assert_stmt(),
            T::Expect => self.expect_stmt(),
            T::Assume => self.assume_stmt(),
            T::Calc => self.calc_stmt(),
            _ => self.reveal_stmt(),
        }
    }
}

/// Converts a call before an expression to a statement.
fn call_statement(call: Expr) -> Stmt {
    let span = call.span;
    let rhs = Rhs {
        attributes: Vec::new(),
        kind: RhsKind::Expr(call),
        span,
    };
    let kind = StmtKind::Update(Update {
        lhs: Vec::new(),
        assign: Assign::Rhs(vec![rhs]),
    });
    Stmt {
        labels: Vec::new(),
        attributes: Vec::new(),
        kind,
        span,
    }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
