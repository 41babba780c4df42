//! Statements of proofs (reference manual, "Statements"): `assert`, `expect`, `assume`, `reveal`,
//! `forall` and `calc`.

use dafny_source::diagnostic::Diagnostic;

use super::super::ast::{
    BinaryOp, Block, CalcLine, CalcOp, Expr, ExprKind, QuantifiedVars, Spec, Stmt, StmtKind,
};
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser};

impl Parser<'_> {
    /// Parses `AssertStmt`.
    pub(super) fn assert_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        if self.eat(T::Ellipsis) {
            self.semicolon("`assert ...`")?;
            return Ok(self.finish_stmt(
                start,
                attributes,
                StmtKind::Assert {
                    label: None,
                    cond: None,
                    by: None,
                },
            ));
        }
        let label = if self.is_label() {
            let label = self.ident_or_digits()?;
            self.bump();
            Some(label)
        } else {
            None
        };
        let cond = Some(self.expression(Mode::PLAIN)?);
        let by = match self.kind() {
            T::By | T::Semi => self.proof_or_semicolon("the assertion")?,
            _ => {
                self.unended_assertion()?;
                None
            }
        };
        Ok(self.finish_stmt(start, attributes, StmtKind::Assert { label, cond, by }))
    }

    /// Reports a missing semicolon after an assertion. If the next token could follow a semicolon,
    /// Dafny reports the end of the assertion.
    fn unended_assertion(&mut self) -> Parsed<()> {
        let next = self.kind();
        let expression = self.is_literal_start()
            || self.at_name()
            || matches!(next, T::LBrace | T::Not | T::This | T::Old | T::Fresh);
        if !expression
            && !next.begins_statement()
            && !matches!(
                next,
                T::RBrace | T::Case | T::Ghost | T::New | T::Opaque | T::Hide | T::Ellipsis
            )
        {
            return Err(self.expected("`;` or `by`"));
        }
        let previous = self
            .at
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(self.token(0).span, |t| t.span);
        let message = format!(
            "expected `;` or `by` after the assertion, found {}",
            self.found()
        );
        self.report(
            Diagnostic::error("syntax/missing-semicolon", previous, message)
                .with_help("add `;` here"),
        );
        Ok(())
    }

    /// Parses `"by" BlockStmt | ";"`.
    pub(super) fn proof_or_semicolon(&mut self, after: &str) -> Parsed<Option<Block>> {
        if self.eat(T::By) {
            return self.block_stmt().map(Some);
        }
        self.semicolon(after)?;
        Ok(None)
    }

    /// Parses `ExpectStmt`.
    pub(super) fn expect_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let cond = if self.eat(T::Ellipsis) {
            None
        } else {
            Some(self.expression(Mode::PLAIN)?)
        };
        let message = if self.eat(T::Comma) {
            Some(self.expression(Mode::PLAIN)?)
        } else {
            None
        };
        self.semicolon("`expect`")?;
        Ok(self.finish_stmt(start, attributes, StmtKind::Expect { cond, message }))
    }

    /// Parses `AssumeStmt`.
    pub(super) fn assume_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let cond = if self.eat(T::Ellipsis) {
            None
        } else {
            Some(self.expression(Mode::CLAUSE)?)
        };
        self.semicolon("the assumption")?;
        Ok(self.finish_stmt(start, attributes, StmtKind::Assume(cond)))
    }

    /// Parses `RevealStmt`: `reveal` and `hide`.
    pub(super) fn reveal_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let hide = self.bump().kind == T::Hide;
        let names = if self.at(T::Star) {
            let span = self.bump().span;
            vec![Expr {
                kind: ExprKind::Wildcard,
                span,
            }]
        } else {
            self.comma_separated(|p| p.expression(Mode::PLAIN))?
        };
        self.semicolon(if hide { "`hide`" } else { "`reveal`" })?;
        let kind = if hide {
            StmtKind::Hide(names)
        } else {
            StmtKind::Reveal(names)
        };
        Ok(self.finish_stmt(start, Vec::new(), kind))
    }

    /// Parses `ForallStmt`.
    pub(super) fn forall_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        self.bump();
        let none = QuantifiedVars {
            vars: Vec::new(),
            attributes: Vec::new(),
            range: None,
        };
        let vars = if self.at(T::LParen) {
            let open = self.bump().span;
            let vars = if self.at(T::RParen) {
                none
            } else {
                self.quantifier_domain(Mode::INNER)?
            };
            self.expect_closing(T::RParen, open)?;
            vars
        } else if self.at_name() {
            self.quantifier_domain(Mode::INNER)?
        } else {
            none
        };
        let (spec, body): (Spec, Option<Block>) = self.forall_statement_ensures_and_body()?;
        Ok(self.finish_stmt(start, Vec::new(), StmtKind::Forall { vars, spec, body }))
    }

    /// Parses `CalcStmt`.
    pub(super) fn calc_stmt(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let start = p.start();
            let attributes = p.keyword_attributes()?;
            let at = p.token(0).span;
            let op = p.opt_calc_op()?;
            if matches!(op, Some(CalcOp::Binary(BinaryOp::Ne))) {
                p.error(
                    "syntax/calc-operator",
                    at,
                    "the main operator of a calculation must be transitive",
                );
            }
            // Check that the operators of all steps combine to one conclusion.
            let main = op.as_ref().and_then(calc_binary).unwrap_or(BinaryOp::Eq);
            let open = p.expect(T::LBrace)?.span;
            let mut lines = Vec::new();
            let (mut so_far, mut dangling) = (Some(BinaryOp::Eq), None);
            while !p.at(T::RBrace) && !p.at(T::Eof) {
                let expr = p.expression(Mode::PLAIN)?;
                p.semicolon("a line of a calculation")?;
                let at = p.token(0).span;
                let op = p.opt_calc_op()?;
                let step = op.as_ref().map_or(Some(main), calc_binary);
                if let (Some(before), Some(step)) = (so_far, step)
                    && op.is_some()
                {
                    so_far = calc_result(before, step);
                    if so_far.is_none() {
                        p.error(
                            "syntax/calc-operator",
                            at,
                            "this operator cannot continue this calculation",
                        );
                    }
                }
                let mut hints = Vec::new();
                while matches!(p.kind(), T::LBrace | T::Calc) {
                    let hint_start = p.start();
                    if p.at(T::Calc) {
                        hints.push(p.calc_stmt()?);
                    } else {
                        let block = p.block_stmt()?;
                        hints.push(p.finish_stmt(hint_start, Vec::new(), StmtKind::Block(block)));
                    }
                }
                // An operator after the last line has no right operand.
                dangling = (op.is_some() && hints.is_empty()).then_some(at);
                lines.push(CalcLine { expr, op, hints });
            }
            if let Some(at) = dangling {
                p.error(
                    "syntax/calc-operator",
                    at,
                    "a calculation cannot end with an operator",
                );
            }
            p.expect_closing(T::RBrace, open)?;
            Ok(p.finish_stmt(start, attributes, StmtKind::Calc { op, lines }))
        })
    }

    /// Parses `[CalcOp]`.
    fn opt_calc_op(&mut self) -> Parsed<Option<CalcOp>> {
        let op = match self.kind() {
            T::Eq => BinaryOp::Eq,
            T::Ne => BinaryOp::Ne,
            T::Lt => BinaryOp::Lt,
            T::Gt => BinaryOp::Gt,
            T::Le => BinaryOp::Le,
            T::Ge => BinaryOp::Ge,
            T::Iff => BinaryOp::Iff,
            T::Implies => BinaryOp::Implies,
            T::Explies => BinaryOp::Explies,
            _ => return Ok(None),
        };
        self.bump();
        if op == BinaryOp::Eq && self.at(T::Hash) {
            let limit = Box::new(self.prefix_limit()?);
            return Ok(Some(CalcOp::PrefixEq(limit)));
        }
        Ok(Some(CalcOp::Binary(op)))
    }
}

/// The operator of a step. `None` for `==#[k]`, which is not checked.
fn calc_binary(op: &CalcOp) -> Option<BinaryOp> {
    match op {
        CalcOp::Binary(op) => Some(*op),
        CalcOp::PrefixEq(_) => None,
    }
}

/// The operator of the conclusion from two steps (reference manual, "Calc Statement"). `None` if
/// there is none.
fn calc_result(first: BinaryOp, second: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::{Eq, Explies, Ge, Gt, Iff, Implies, Le, Lt};
    match (first, second) {
        (Eq | Iff, op) | (op, Eq | Iff) => Some(op),
        (Implies, Implies) | (Explies, Explies) | (Le, Le) | (Ge, Ge) => Some(first),
        (Lt, Lt | Le) | (Le, Lt) => Some(Lt),
        (Gt, Gt | Ge) | (Ge, Gt) => Some(Gt),
        _ => None,
    }
}
