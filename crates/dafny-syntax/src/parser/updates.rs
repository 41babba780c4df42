//! Assignments, calls and declarations of local variables (reference manual, "Update and Call
//! Statements", "Update with Failure Statement", "Variable Declaration Statement").

use super::super::ast::{
    Assign, Attribute, Expr, ExprKind, FailureKeyword, LocalVar, Rhs, RhsKind, Stmt, StmtKind,
    Update, VarDecl,
};
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Parses `AssignStatement`.
    pub(super) fn assign_statement(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let mut attributes = Vec::new();
        if self.at(T::Elephant) {
            let assign = self.failure_tail(&mut attributes)?;
            let kind = StmtKind::Update(Update {
                lhs: Vec::new(),
                assign,
            });
            return self.finish_update(start, attributes, kind, "`:-`");
        }
        // A call or an expression alone is a statement too. The next token tells which form it is.
        let first = self.lhs()?;
        let is_unfinished = self.is_behind_statement();
        if matches!(self.kind(), T::Semi | T::By | T::LBraceColon) || is_unfinished {
            let mut rhs_attributes = Vec::new();
            self.attributes(&mut rhs_attributes)?;
            let span = first.span;
            let what = if matches!(first.kind, ExprKind::Call { .. }) {
                "the call"
            } else {
                "the expression"
            };
            let rhs = Rhs {
                attributes: rhs_attributes,
                kind: RhsKind::Expr(first),
                span,
            };
            let kind = StmtKind::Update(Update {
                lhs: Vec::new(),
                assign: Assign::Rhs(vec![rhs]),
            });
            if is_unfinished {
                self.missing_semicolon_of(span, what);
                return Ok(self.finish_stmt(start, attributes, kind));
            }
            return self.finish_update(start, attributes, kind, what);
        }
        let mut lhs = vec![first];
        while self.eat(T::Comma) {
            lhs.push(self.lhs()?);
        }
        let assign = match self.kind() {
            T::Gets => {
                self.bump();
                Assign::Rhs(self.comma_separated(Self::rhs)?)
            }
            T::SuchThat => self.such_that_tail(&mut attributes)?,
            T::Elephant => self.failure_tail(&mut attributes)?,
            T::SingleEq => {
                self.assignment_written_as_equals();
                Assign::Rhs(self.comma_separated(Self::rhs)?)
            }
            T::Colon => {
                let message = "expected `:=`, found `:`";
                // Dafny reports the beginning of the statement, as a label without `label`.
                let colon = self.token(0).span;
                let begin = lhs.first().map_or(colon, |e| e.span);
                let diagnostic = Diagnostic::error("syntax/unexpected-token", begin, message);
                self.report(
                    diagnostic.with_secondary(colon, "the colon").with_help(
                        "a label is written `label L:`; a variable is declared with `var`",
                    ),
                );
                return Err(super::Failed);
            }
            _ => {
                let Some(operator) = self.at_binary_operator() else {
                    return Err(self.expected("`:=`, `:|`, `:-` or `;`"));
                };
                let message = format!("expected `:=` or `;`, found {}", operator.kind.describe());
                let diagnostic =
                    Diagnostic::error("syntax/unexpected-token", operator.span, message);
                self.report(diagnostic.with_help(
                    "an expression is not a statement: assign it, assert it or print it",
                ));
                return Err(super::Failed);
            }
        };
        self.finish_update(
            start,
            attributes,
            StmtKind::Update(Update { lhs, assign }),
            "the assignment",
        )
    }

    /// Whether the next token can only follow a complete statement: it begins another statement or
    /// ends the enclosing block.
    fn is_behind_statement(&self) -> bool {
        self.kind().begins_statement()
            || self.at_name()
            || self.is_literal_start()
            || matches!(
                self.kind(),
                T::RBrace
                    | T::LBrace
                    | T::Case
                    | T::Ghost
                    | T::This
                    | T::Old
                    | T::Fresh
                    | T::Allocated
                    | T::Unchanged
                    | T::Assigned
            )
    }

    /// Reports a missing semicolon after an expression. Dafny reports it where the statement
    /// begins, because an expression is a statement only with its semicolon.
    fn missing_semicolon_of(&mut self, statement: Span, after: &str) {
        let end = self.end_of_previous();
        let at = Span::new(end.saturating_sub(1).max(self.base), end);
        let message = format!("expected `;` after {after}, found {}", self.found());
        let diagnostic = Diagnostic::error("syntax/missing-semicolon", statement, message);
        self.report(
            diagnostic
                .with_secondary(at, "`;` is missing after this")
                .with_help("add `;` there"),
        );
    }

    /// Parses the `by` proof or the semicolon at the end of an assignment.
    fn finish_update(
        &mut self,
        start: u32,
        attributes: Vec<Attribute>,
        kind: StmtKind,
        after: &str,
    ) -> Parsed<Stmt> {
        let stmt = self.finish_stmt(start, attributes, kind);
        match self.proof_or_semicolon(after)? {
            None => Ok(Stmt {
                span: self.span_from(start),
                ..stmt
            }),
            Some(proof) => {
                let kind = StmtKind::By {
                    stmt: Box::new(stmt),
                    proof,
                };
                Ok(self.finish_stmt(start, Vec::new(), kind))
            }
        }
    }

    /// Parses `Lhs`.
    fn lhs(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let head = if self.at_name() {
            self.name_segment()?
        } else {
            let begins = matches!(
                self.kind(),
                T::This
                    | T::LParen
                    | T::Old
                    | T::Fresh
                    | T::Allocated
                    | T::Unchanged
                    | T::Assigned
                    | T::Bar
            );
            if !begins && !self.is_literal_start() {
                let help = self.reserved_word();
                return Err(self.expected_or("a statement", help));
            }
            let atom = self.const_atom_expression()?;
            // An expression that is no name is an assignment target or a call, depending on the
            // next token.
            let goes_on = matches!(self.kind(), T::Dot | T::LBracket | T::LParen)
                || self.at_binary_operator().is_some();
            if !goes_on {
                let help = "a statement begins with a variable, a field, an element or a call, without parentheses around it";
                return Err(self.expected_with_help("`.`, `[` or `(`", help));
            }
            atom
        };
        self.suffixes(start, head)
    }

    /// Parses `":|" ["assume"] Expression`.
    fn such_that_tail(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Assign> {
        self.expect(T::SuchThat)?;
        let assume = self.eat(T::Assume);
        if assume {
            self.attributes(attributes)?;
        }
        Ok(Assign::SuchThat {
            assume,
            cond: self.expression(Mode::PLAIN)?,
        })
    }

    /// Parses `":-" [keyword] Expression {"," Rhs}`.
    fn failure_tail(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Assign> {
        self.expect(T::Elephant)?;
        let keyword = match self.kind() {
            T::Expect => Some(FailureKeyword::Expect),
            T::Assert => Some(FailureKeyword::Assert),
            T::Assume => Some(FailureKeyword::Assume),
            _ => None,
        };
        if keyword.is_some() {
            self.bump();
            self.attributes(attributes)?;
        }
        let start = self.start();
        let value = self.expression(Mode::CLAUSE)?;
        let mut rhs_attributes = Vec::new();
        self.attributes(&mut rhs_attributes)?;
        let mut rhs = vec![Rhs {
            attributes: rhs_attributes,
            kind: RhsKind::Expr(value),
            span: self.span_from(start),
        }];
        while self.eat(T::Comma) {
            rhs.push(self.rhs()?);
        }
        Ok(Assign::Failure { keyword, rhs })
    }

    /// Parses `Rhs`.
    pub(super) fn rhs(&mut self) -> Parsed<Rhs> {
        let start = self.start();
        let kind = match self.kind() {
            T::Star => {
                self.bump();
                RhsKind::Havoc
            }
            T::New => {
                self.bump();
                self.new_rhs()?
            }
            _ => RhsKind::Expr(self.expression(Mode::PLAIN)?),
        };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        Ok(Rhs {
            attributes,
            kind,
            span: self.span_from(start),
        })
    }

    /// Parses the right-hand side after `new`.
    fn new_rhs(&mut self) -> Parsed<RhsKind> {
        if self.at(T::LBracket) {
            return self.new_array(None);
        }
        let ty = self.ty()?;
        if self.at(T::LBracket) {
            return self.new_array(Some(ty));
        }
        let args = if self.at(T::LParen) {
            Some(self.parenthesized_arguments()?)
        } else {
            None
        };
        Ok(RhsKind::New { ty, args })
    }

    /// Parses `NewArray`.
    fn new_array(&mut self, elem: Option<super::super::ast::Type>) -> Parsed<RhsKind> {
        let dims: Vec<Expr> = self.expressions_between(T::LBracket, T::RBracket)?;
        let mut init = None;
        let mut elements = None;
        if self.at(T::LBracket) {
            if let [_, second, ..] = dims.as_slice() {
                self.error(
                    "syntax/array-elements",
                    second.span,
                    "only one-dimensional arrays can be initialized from a list of elements",
                );
            }
            elements = Some(self.expressions_between(T::LBracket, T::RBracket)?);
        } else if dims.is_empty() {
            return Err(self.expected("`[` and the elements of the array"));
        } else if self.at(T::LParen) {
            let open = self.bump().span;
            init = Some(self.expression(Mode::INNER)?);
            self.expect_closing(T::RParen, open)?;
        }
        Ok(RhsKind::NewArray {
            elem,
            dims,
            init,
            elements,
        })
    }

    /// Parses `VarDeclStatement`.
    pub(super) fn var_decl_statement(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let ghost = self.eat(T::Ghost);
        self.expect(T::Var)?;
        if self.is_pattern_decl() {
            return self.var_pattern(start, ghost);
        }
        let vars = self.comma_separated(Self::local_var)?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let init = match self.kind() {
            T::Gets => {
                self.bump();
                Some(Assign::Rhs(self.comma_separated(Self::rhs)?))
            }
            T::SingleEq => {
                self.assignment_written_as_equals();
                Some(Assign::Rhs(self.comma_separated(Self::rhs)?))
            }
            T::SuchThat => Some(self.such_that_tail(&mut attributes)?),
            T::Elephant => Some(self.failure_tail(&mut attributes)?),
            _ => None,
        };
        let kind = StmtKind::VarDecl(VarDecl { ghost, vars, init });
        self.finish_update(start, attributes, kind, "the declaration")
    }

    fn local_var(&mut self) -> Parsed<LocalVar> {
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let name = self.wild_ident()?;
        let ty = if self.eat(T::Colon) {
            Some(self.ty()?)
        } else {
            None
        };
        Ok(LocalVar {
            attributes,
            name,
            ty,
        })
    }

    fn var_pattern(&mut self, start: u32, ghost: bool) -> Parsed<Stmt> {
        let pattern = self.case_pattern()?;
        match self.kind() {
            T::Gets => {
                self.bump();
            }
            T::SingleEq => self.assignment_written_as_equals(),
            T::SuchThat => {
                let span = self.bump().span;
                self.error(
                    "syntax/such-that-pattern",
                    span,
                    "the left-hand side of `:|` must be variables, not a pattern",
                );
            }
            _ => return Err(self.expected("`:=`")),
        }
        let value = self.expression(Mode::PLAIN)?;
        let stmt_kind = StmtKind::VarPattern {
            ghost,
            pattern,
            value,
        };
        self.semicolon("the declaration")?;
        Ok(self.finish_stmt(start, Vec::new(), stmt_kind))
    }
}
