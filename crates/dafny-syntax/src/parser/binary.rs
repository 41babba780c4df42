//! Operators, from the weakest to the strongest (reference manual, "Expressions"). One method for
//! each level of the grammar.

use super::super::ast::{BinaryOp, Expr, ExprKind, Span, UnaryOp};
use super::super::token::{Token, TokenKind as T};
use super::{Mode, Parsed, Parser};
use dafny_source::diagnostic::Diagnostic;

impl Parser<'_> {
    fn binary(&mut self, start: u32, at: Token, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.anchored(
            start,
            at,
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
        )
    }

    /// Parses `EquivExpression`.
    pub(super) fn equiv_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.implies_explies_expression(mode)?;
            while p.at(T::Iff) {
                let at = p.bump();
                let right = p.implies_explies_expression(mode)?;
                left = p.binary(start, at, BinaryOp::Iff, left, right);
                p.link()?;
            }
            Ok(left)
        })
    }

    /// Parses `ImpliesExpliesExpression`: `==>` is right-associative, `<==` left-associative, and
    /// they do not mix.
    fn implies_explies_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.logical_expression(mode)?;
            if p.at(T::Implies) {
                let at = p.bump();
                let right = p.implies_expression(mode)?;
                p.link()?;
                return Ok(p.binary(start, at, BinaryOp::Implies, left, right));
            }
            while p.at(T::Explies) {
                let at = p.bump();
                let right = p.logical_expression(mode)?;
                left = p.binary(start, at, BinaryOp::Explies, left, right);
                p.link()?;
                if p.at(T::Implies) {
                    p.ambiguous("`<==` and `==>`");
                    let at = p.bump();
                    let right = p.implies_expression(mode)?;
                    left = p.binary(start, at, BinaryOp::Implies, left, right);
                }
            }
            Ok(left)
        })
    }

    /// Parses `ImpliesExpression`: the right operand of `==>`.
    fn implies_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.nested(|p| {
            let start = p.start();
            let left = p.logical_expression(mode)?;
            let op = match p.kind() {
                T::Implies => BinaryOp::Implies,
                T::Explies => {
                    p.ambiguous("`==>` and `<==`");
                    BinaryOp::Explies
                }
                _ => return Ok(left),
            };
            let at = p.bump();
            let right = p.implies_expression(mode)?;
            Ok(p.binary(start, at, op, left, right))
        })
    }

    /// Parses `LogicalExpression`: a chain of `&&` or one of `||`, which may start with its
    /// operator.
    fn logical_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let logical = |kind: T| match kind {
                T::AndAnd => Some(BinaryOp::And),
                T::OrOr => Some(BinaryOp::Or),
                _ => None,
            };
            let mut chain = logical(p.kind());
            if chain.is_some() {
                p.bump();
            }
            let start = p.start();
            let mut left = p.relational_expression(mode)?;
            while let Some(op) = logical(p.kind()) {
                if *chain.get_or_insert(op) != op {
                    p.ambiguous("`&&` and `||`");
                }
                let at = p.bump();
                let right = p.relational_expression(mode)?;
                left = p.binary(start, at, op, left, right);
                p.link()?;
            }
            Ok(left)
        })
    }

    fn ambiguous(&mut self, operators: &str) {
        let message = format!("{operators} cannot be mixed without parentheses");
        let diagnostic =
            Diagnostic::error("syntax/ambiguous-operators", self.token(0).span, message);
        self.report(diagnostic.with_help("add parentheses around one of the operations"));
    }

    /// Parses `RelationalExpression`: one comparison, or a chain of them.
    fn relational_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let first = self.shift_term(mode)?;
        let Some(comparison) = self.opt_rel_op()? else {
            return Ok(first);
        };
        let mut chain = ComparisonChain::starting_with(comparison.op);
        let mut rest = vec![(comparison, self.shift_term(mode)?)];
        let mut ends = Vec::new();
        while let Some(next) = self.opt_rel_op()? {
            // An invalid chain is reported, and then parsed to its end for further errors.
            if let Err(message) = chain.continue_with(next.op) {
                let diagnostic = Diagnostic::error("syntax/bad-chain", next.span, message);
                self.report(diagnostic.with_help(
                    "write two comparisons and join them with `&&`, or use parentheses",
                ));
            }
            ends.push(self.end_of_previous());
            rest.push((next, self.shift_term(mode)?));
        }
        let span = self.span_from(start);
        // A chain with a prefix equality has no node of its own in the syntax tree.
        if rest.len() == 1
            || rest
                .iter()
                .any(|(comparison, _)| comparison.limit.is_some())
        {
            ends.push(span.end);
            return Ok(self.conjunction(start, first, rest.into_iter().zip(ends)));
        }
        let rest = rest
            .into_iter()
            .map(|(comparison, operand)| (comparison.op, operand))
            .collect();
        Ok(Expr {
            kind: ExprKind::Chain {
                first: Box::new(first),
                rest,
            },
            span,
        })
    }

    /// Desugars a chain of comparisons with a prefix equality (or a single comparison) to a
    /// conjunction with one comparison for each operator. Each operator comes with its right
    /// operand and the end of that.
    fn conjunction(
        &mut self,
        start: u32,
        first: Expr,
        rest: impl Iterator<Item = ((Comparison, Expr), u32)>,
    ) -> Expr {
        let mut left = first;
        let mut whole: Option<Expr> = None;
        for ((comparison, right), end) in rest {
            let from = if whole.is_none() {
                start
            } else {
                left.span.start
            };
            let span = Span::new(from, end);
            // Errors of a comparison are reported at its operator.
            self.anchor(span, comparison.span);
            let (before, after) = (
                Box::new(std::mem::replace(&mut left, right.clone())),
                Box::new(right),
            );
            let kind = match comparison.limit {
                Some(limit) => {
                    let negated = comparison.op == BinaryOp::Ne;
                    ExprKind::PrefixEq {
                        negated,
                        limit: Box::new(limit),
                        left: before,
                        right: after,
                    }
                }
                None => ExprKind::Binary(comparison.op, before, after),
            };
            let link = Expr { kind, span };
            whole = Some(match whole {
                None => link,
                Some(before) => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(before), Box::new(link));
                    Expr {
                        kind,
                        span: Span::new(start, end),
                    }
                }
            });
        }
        whole.unwrap_or(left)
    }

    /// Parses `[RelOp]`.
    fn opt_rel_op(&mut self) -> Parsed<Option<Comparison>> {
        let token = self.token(0);
        let op = match token.kind {
            T::Eq => BinaryOp::Eq,
            T::Ne => BinaryOp::Ne,
            T::Lt => BinaryOp::Lt,
            T::Gt => BinaryOp::Gt,
            T::Le => BinaryOp::Le,
            T::Ge => BinaryOp::Ge,
            T::In => BinaryOp::In,
            T::NotIn => BinaryOp::NotIn,
            T::Not if self.nth(1) == T::Not => {
                // The lexer has no token for `!!`, because `!!b` is a double negation.
                self.bump();
                if !self.adjacent() {
                    let span = token.span.to(self.token(0).span);
                    self.error(
                        "syntax/operator",
                        span,
                        "the operator `!!` is written without a space",
                    );
                }
                BinaryOp::Disjoint
            }
            _ => return Ok(None),
        };
        self.bump();
        let span = Span::new(token.span.start, self.end_of_previous());
        let prefix = matches!(op, BinaryOp::Eq | BinaryOp::Ne) && self.at(T::Hash);
        let limit = if prefix {
            Some(self.prefix_limit()?)
        } else {
            None
        };
        Ok(Some(Comparison { op, limit, span }))
    }

    /// Parses `#[k]`.
    pub(super) fn prefix_limit(&mut self) -> Parsed<Expr> {
        self.expect(T::Hash)?;
        self.bracketed_limit()
    }

    /// Parses `[k]` behind `#`.
    pub(super) fn bracketed_limit(&mut self) -> Parsed<Expr> {
        let open = self.expect(T::LBracket)?.span;
        let limit = self.expression(Mode::INNER)?;
        self.expect_closing(T::RBracket, open)?;
        Ok(limit)
    }

    /// Parses `ShiftTerm`.
    fn shift_term(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.term(mode)?;
            while p.is_shift_op() {
                let at = p.bump();
                let op = if at.kind == T::Lt {
                    BinaryOp::Shl
                } else {
                    BinaryOp::Shr
                };
                p.bump();
                let right = p.term(mode)?;
                left = p.binary(start, at, op, left, right);
                p.link()?;
            }
            Ok(left)
        })
    }

    /// Parses `Term`.
    fn term(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.factor(mode)?;
            loop {
                let op = match p.kind() {
                    T::Plus => BinaryOp::Add,
                    T::Minus => BinaryOp::Sub,
                    _ => return Ok(left),
                };
                let at = p.bump();
                let right = p.factor(mode)?;
                left = p.binary(start, at, op, left, right);
                p.link()?;
            }
        })
    }

    /// Parses `Factor`.
    fn factor(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.bitvector_factor(mode)?;
            loop {
                let op = match p.kind() {
                    T::Star => BinaryOp::Mul,
                    T::Slash => BinaryOp::Div,
                    T::Percent => BinaryOp::Mod,
                    _ => return Ok(left),
                };
                let at = p.bump();
                let right = p.bitvector_factor(mode)?;
                left = p.binary(start, at, op, left, right);
                p.link()?;
            }
        })
    }

    /// Parses `BitvectorFactor`. Different bitwise operators do not mix, and `|e|` allows none at
    /// its top level.
    fn bitvector_factor(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut left = p.as_expression(mode)?;
            let mut chain: Option<BinaryOp> = None;
            loop {
                let op = match p.kind() {
                    T::Amp => BinaryOp::BitAnd,
                    T::Bar => BinaryOp::BitOr,
                    T::Caret => BinaryOp::BitXor,
                    _ => return Ok(left),
                };
                if !mode.bitwise {
                    // Inside of `|e|`, a bar ends the expression.
                    return Ok(left);
                }
                if *chain.get_or_insert(op) != op {
                    p.ambiguous("`&`, `|` and `^`");
                }
                let at = p.bump();
                let right = p.as_expression(mode)?;
                left = p.binary(start, at, op, left, right);
                p.link()?;
            }
        })
    }

    /// Parses `AsExpression`: conversions and type tests.
    fn as_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        self.chained(|p| {
            let start = p.start();
            let mut value = p.unary_expression(mode)?;
            loop {
                let test = match p.kind() {
                    T::As => false,
                    T::Is => true,
                    _ => return Ok(value),
                };
                let at = p.bump();
                let ty = p.type_in(true)?;
                let value_box = Box::new(value);
                let kind = if test {
                    ExprKind::Is(value_box, ty)
                } else {
                    ExprKind::As(value_box, ty)
                };
                value = p.anchored(start, at, kind);
                p.link()?;
            }
        })
    }

    /// Parses `UnaryExpression`.
    fn unary_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let op = match self.kind() {
            T::Minus => UnaryOp::Neg,
            T::Not => UnaryOp::Not,
            T::Tilde => {
                let span = self.bump().span;
                let diagnostic = Diagnostic::error(
                    "syntax/approximate-literal",
                    span,
                    "approximate literals (`~`) belong to floating-point types, which are not supported",
                );
                self.report(diagnostic.with_help("bitwise complement is written `!`"));
                return self.nested(|p| p.unary_expression(mode));
            }
            _ => return self.primary_expression(mode),
        };
        self.bump();
        let operand = Box::new(self.nested(|p| p.unary_expression(mode))?);
        Ok(Expr {
            kind: ExprKind::Unary(op, operand),
            span: self.span_from(start),
        })
    }

    /// Returns the next token if it is an operator that may follow an operand.
    pub(super) fn at_binary_operator(&self) -> Option<Token> {
        let token = self.token(0);
        let arithmetic = matches!(
            token.kind,
            T::Plus | T::Minus | T::Star | T::Slash | T::Percent | T::Amp | T::Bar | T::Caret
        );
        let comparison = matches!(
            token.kind,
            T::Eq | T::Ne | T::Lt | T::Gt | T::Le | T::Ge | T::In | T::NotIn
        );
        let logical = matches!(
            token.kind,
            T::AndAnd | T::OrOr | T::Implies | T::Explies | T::Iff | T::As | T::Is
        );
        (arithmetic || comparison || logical).then_some(token)
    }
}

/// A comparison operator with its prefix limit.
struct Comparison {
    op: BinaryOp,
    limit: Option<Expr>,
    span: Span,
}

/// Dafny's rules for chains such as `a == b < c <= d`: one direction, at most one `!=`, and `!!`
/// only with itself.
struct ComparisonChain {
    kind: ChainKind,
    has_ne: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChainKind {
    /// Only `==` so far, and possibly one `!=`.
    Undirected,
    Ascending,
    Descending,
    Disjoint,
    /// An operator that cannot be chained, or an error that has been reported.
    None,
}

impl ComparisonChain {
    fn starting_with(op: BinaryOp) -> Self {
        let kind = match op {
            BinaryOp::Eq | BinaryOp::Ne => ChainKind::Undirected,
            BinaryOp::Lt | BinaryOp::Le => ChainKind::Ascending,
            BinaryOp::Gt | BinaryOp::Ge => ChainKind::Descending,
            BinaryOp::Disjoint => ChainKind::Disjoint,
            BinaryOp::In | BinaryOp::NotIn => ChainKind::None,
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or => ChainKind::None,
            BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod => ChainKind::None,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => ChainKind::None,
        };
        Self {
            kind,
            has_ne: op == BinaryOp::Ne,
        }
    }

    fn continue_with(&mut self, op: BinaryOp) -> Result<(), &'static str> {
        // An equality may continue any chain of comparisons, but not one of `!!` or `in`.
        let directed = matches!(
            self.kind,
            ChainKind::Undirected | ChainKind::Ascending | ChainKind::Descending
        );
        let wrong = match op {
            BinaryOp::Eq if directed => None,
            BinaryOp::Eq => {
                Some("the chain of comparisons before it cannot be continued with `==`")
            }
            BinaryOp::Ne if std::mem::replace(&mut self.has_ne, true) => {
                Some("a chain of comparisons can have one `!=` only")
            }
            BinaryOp::Ne if directed => None,
            BinaryOp::Ne => {
                Some("the chain of comparisons before it cannot be continued with `!=`")
            }
            BinaryOp::Lt | BinaryOp::Le
                if matches!(self.kind, ChainKind::Undirected | ChainKind::Ascending) =>
            {
                self.kind = ChainKind::Ascending;
                None
            }
            BinaryOp::Lt | BinaryOp::Le => Some(
                "a descending chain of comparisons cannot be continued with an ascending operator",
            ),
            BinaryOp::Gt | BinaryOp::Ge
                if matches!(self.kind, ChainKind::Undirected | ChainKind::Descending) =>
            {
                self.kind = ChainKind::Descending;
                None
            }
            BinaryOp::Gt | BinaryOp::Ge => Some(
                "an ascending chain of comparisons cannot be continued with a descending operator",
            ),
            BinaryOp::Disjoint if self.kind == ChainKind::Disjoint => None,
            BinaryOp::Disjoint => Some("`!!` can be chained with itself only"),
            BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => Some("this operator cannot be part of a chain of comparisons"),
        };
        match wrong {
            None => Ok(()),
            Some(message) => {
                self.kind = ChainKind::None;
                Err(message)
            }
        }
    }
}
