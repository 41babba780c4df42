//! Statements (reference manual, "Statements"), except assignments.

use super::super::ast::{
    Attribute, Block, BoundVar, Guard, GuardedCase, Ident, Stmt, StmtCase, StmtKind,
};
use super::super::token::TokenKind as T;
use super::specifications::{LOOP, OPAQUE_BLOCK};
use super::{Mode, Parsed, Parser};

impl Parser<'_> {
    /// Parses `BlockStmt`.
    pub(super) fn block_stmt(&mut self) -> Parsed<Block> {
        self.block(false)
    }

    /// Parses `DividedBlockStmt`: the body of a constructor, with `new;`.
    pub(super) fn divided_block_stmt(&mut self) -> Parsed<Block> {
        self.block(true)
    }

    pub(super) fn block(&mut self, divided: bool) -> Parsed<Block> {
        self.nested(|p| {
            let start = p.start();
            let open = p.expect(T::LBrace)?.span;
            let mut stmts = Vec::new();
            let (mut divided_at, mut division) = (None, None);
            loop {
                p.stmts(&mut stmts);
                if !(p.at(T::New) && p.nth(1) == T::Semi) {
                    break;
                }
                let span = p.bump().span;
                p.bump();
                division = Some(span);
                if !divided {
                    p.error(
                        "syntax/misplaced-new",
                        span,
                        "`new;` is allowed in the body of a constructor only",
                    );
                } else if divided_at.replace(stmts.len()).is_some() {
                    p.error(
                        "syntax/misplaced-new",
                        span,
                        "`new;` can occur only once in a constructor",
                    );
                }
            }
            p.expect_closing(T::RBrace, open)?;
            Ok(Block {
                stmts,
                divided_at,
                division,
                span: p.span_from(start),
            })
        })
    }

    /// Parses statements up to the end of a block or case. A statement with a syntax error is
    /// reported and skipped.
    fn stmts(&mut self, into: &mut Vec<Stmt>) {
        loop {
            let before = self.at;
            match self.kind() {
                T::Eof | T::RBrace | T::Case => return,
                // `new;` divides the body of a constructor.
                T::New if self.nth(1) == T::Semi => return,
                kind if kind.begins_declaration() && !self.at(T::Type) => return,
                _ => {}
            }
            match self.stmt() {
                Ok(stmt) => into.push(stmt),
                Err(_) => self.skip_to_statement(self.unclosed_since(before)),
            }
            // Every round has to consume a token, even after an error.
            if self.at == before {
                self.bump();
            }
        }
    }

    /// The number of braces opened and not closed since token `from`.
    pub(super) fn unclosed_since(&self, from: usize) -> usize {
        let tokens = self.tokens.get(from..self.at).unwrap_or(&[]);
        tokens
            .iter()
            .fold(0, |open: usize, token| match token.kind {
                T::LBrace | T::LBraceColon => open + 1,
                T::RBrace => open.saturating_sub(1),
                _ => open,
            })
    }

    /// Recovers from an error inside `open` unclosed braces: skips past their end, or past the next
    /// `;` or block, or to the start of a statement or declaration or the end of the block.
    fn skip_to_statement(&mut self, mut open: usize) {
        let mut first = true;
        loop {
            match self.kind() {
                T::Eof => return,
                // `open` counts the braces that the failed statement left unclosed.
                T::RBrace if open > 0 => {
                    self.bump();
                    open -= 1;
                    // These tokens continue a statement after its block.
                    if open == 0 && !matches!(self.kind(), T::Else | T::By | T::Semi | T::RParen) {
                        return;
                    }
                }
                T::RBrace | T::Case if open == 0 => return,
                T::Semi if open == 0 => {
                    self.bump();
                    return;
                }
                T::LBrace | T::LBraceColon => {
                    let block = self.at(T::LBrace);
                    self.skip_braces();
                    if block
                        && open == 0
                        && !matches!(self.kind(), T::Else | T::By | T::Semi | T::RParen)
                    {
                        return;
                    }
                }
                // The first token may be the one with the error, so it is always skipped.
                kind if kind.begins_declaration() && !first => return,
                kind if open == 0 && !first && kind.begins_statement() && self.on_new_line() => {
                    return;
                }
                _ => {
                    self.bump();
                }
            }
            first = false;
        }
    }

    /// Skips from an opening brace past the closing one, but not past the start of a declaration.
    pub(super) fn skip_braces(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                T::LBrace | T::LBraceColon => depth += 1,
                T::RBrace => depth = depth.saturating_sub(1),
                T::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Parses `Stmt`, with the labels before it.
    fn stmt(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let start = p.start();
            let mut labels: Vec<Ident> = Vec::new();
            while p.eat(T::Label) {
                labels.push(p.ident_or_digits()?);
                p.expect(T::Colon)?;
            }
            if labels.is_empty() {
                return p.one_stmt();
            }
            // Before other statements, a label marks a position, and is a statement of its own.
            let encloses = match p.kind() {
                T::While | T::For | T::If | T::LBrace => true,
                T::Opaque => p.is_opaque_block(),
                _ => false,
            };
            if !encloses {
                let at = p.end_of_previous();
                let block = Block {
                    stmts: Vec::new(),
                    divided_at: None,
                    division: None,
                    span: super::Span::new(at, at),
                };
                return Ok(Stmt {
                    labels,
                    attributes: Vec::new(),
                    kind: StmtKind::Block(block),
                    span: p.span_from(start),
                });
            }
            let mut stmt = p.one_stmt()?;
            stmt.labels = labels;
            stmt.span = p.span_from(start);
            Ok(stmt)
        })
    }

    /// Parses `OneStmt`.
    fn one_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        match self.kind() {
            T::LBrace => {
                let block = self.block_stmt()?;
                Ok(self.finish_stmt(start, Vec::new(), StmtKind::Block(block)))
            }
            T::Opaque if self.is_opaque_block() => self.opaque_block(),
            T::Reveal | T::Hide if self.is_reveal() => self.reveal_stmt(),
            T::Var | T::Ghost => self.var_decl_statement(),
            T::Return => self.return_stmt(),
            T::If => self.if_stmt(),
            T::While => self.while_stmt(),
            T::For => self.for_loop_stmt(),
            T::Assert => self.assert_stmt(),
            T::Assume => self.assume_stmt(),
            T::Break | T::Continue => self.break_or_continue_stmt(),
            T::Calc => self.calc_stmt(),
            T::Expect => self.expect_stmt(),
            T::Forall => self.forall_stmt(),
            T::Match => self.match_stmt(),
            T::Modify => self.modify_stmt(),
            T::Print => self.print_stmt(),
            T::Ellipsis => self.skeleton_stmt(),
            T::Yield => self.yield_stmt(),
            T::LBraceColon => {
                Err(self.expected("a statement (its attributes follow its first word)"))
            }
            _ => self.assign_statement(),
        }
    }

    pub(super) fn finish_stmt(
        &self,
        start: u32,
        attributes: Vec<Attribute>,
        kind: StmtKind,
    ) -> Stmt {
        Stmt {
            labels: Vec::new(),
            attributes,
            kind,
            span: self.span_from(start),
        }
    }

    pub(super) fn keyword_attributes(&mut self) -> Parsed<Vec<Attribute>> {
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        Ok(attributes)
    }

    /// Parses `OpaqueBlock`.
    fn opaque_block(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        self.bump();
        let spec = self.specification(OPAQUE_BLOCK)?;
        let body = self.block_stmt()?;
        Ok(self.finish_stmt(start, Vec::new(), StmtKind::Opaque { spec, body }))
    }

    /// Parses `SkeletonStmt`.
    fn skeleton_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        self.bump();
        self.semicolon("`...`")?;
        Ok(self.finish_stmt(start, Vec::new(), StmtKind::Skeleton))
    }

    /// Parses `BreakOrContinueStmt`.
    fn break_or_continue_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let mut count = 1;
        let mut label = None;
        let mut attributes = Vec::new();
        let mut is_continue = self.bump().kind == T::Continue;
        if is_continue {
            self.attributes(&mut attributes)?;
        }
        if self.at_name() || self.at(T::Digits) {
            label = Some(self.ident_or_digits()?);
        } else if !is_continue {
            // Each further `break` leaves one more loop. A `continue` may be the last word.
            while self.eat(T::Break) {
                count += 1;
            }
            if self.eat(T::Continue) {
                count += 1;
                is_continue = true;
            }
        }
        self.semicolon(if is_continue { "`continue`" } else { "`break`" })?;
        Ok(self.finish_stmt(
            start,
            attributes,
            StmtKind::Break {
                is_continue,
                count,
                label,
            },
        ))
    }

    /// Parses `ReturnStmt`.
    fn return_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let values = if self.at(T::Semi) || self.at(T::RBrace) {
            Vec::new()
        } else {
            self.comma_separated(Self::rhs)?
        };
        self.semicolon("`return`")?;
        Ok(self.finish_stmt(start, attributes, StmtKind::Return(values)))
    }

    /// Parses `YieldStmt`.
    fn yield_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        self.bump();
        let values = if self.at(T::Semi) || self.at(T::RBrace) {
            Vec::new()
        } else {
            self.comma_separated(Self::rhs)?
        };
        self.semicolon("`yield`")?;
        Ok(self.finish_stmt(start, Vec::new(), StmtKind::Yield(values)))
    }

    /// Parses `IfStmt`.
    fn if_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let mut attributes = self.keyword_attributes()?;
        if self.is_alternative() {
            let cases = self.alternative_block(true)?;
            return Ok(self.finish_stmt(start, attributes, StmtKind::IfCase(cases)));
        }
        let guard = if self.is_binding_guard() {
            let (guard, guard_attributes) = self.binding_guard(true)?;
            attributes.extend(guard_attributes);
            guard
        } else {
            self.guard()?
        };
        if !self.at(T::LBrace) {
            return Err(self.expected_with_help(
                "`{` and the block of `if`",
                "the branches of an `if` statement must be blocks in braces",
            ));
        }
        let then = self.block_stmt()?;
        let els = if self.eat(T::Else) {
            Some(Box::new(self.else_branch()?))
        } else {
            None
        };
        Ok(self.finish_stmt(start, attributes, StmtKind::If { guard, then, els }))
    }

    fn else_branch(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let start = p.start();
            if p.at(T::If) {
                return p.if_stmt();
            }
            let mut attributes = Vec::new();
            p.attributes(&mut attributes)?;
            if !p.at(T::LBrace) {
                return Err(p.expected("`if` or a block in braces after `else`"));
            }
            let block = p.block_stmt()?;
            Ok(p.finish_stmt(start, attributes, StmtKind::Block(block)))
        })
    }

    /// Parses `Guard`, with `...` of refinements.
    fn guard(&mut self) -> Parsed<Guard> {
        if self.eat(T::Ellipsis) {
            return Ok(Guard::Skeleton);
        }
        if self.eat(T::Star) {
            return Ok(Guard::Star);
        }
        if self.is_paren_star() {
            self.bump();
            self.bump();
            self.bump();
            return Ok(Guard::Star);
        }
        Ok(Guard::Expr(self.expression(Mode::INNER)?))
    }

    /// Parses `BindingGuard`, and the attributes before `:|`.
    pub(super) fn binding_guard(&mut self, lambda: bool) -> Parsed<(Guard, Vec<Attribute>)> {
        let vars: Vec<BoundVar> = self.comma_separated(Self::ident_type_optional)?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        self.expect(T::SuchThat)?;
        let cond = self.expression(Mode::new(true, lambda))?;
        Ok((Guard::Binding { vars, cond }, attributes))
    }

    /// Parses `AlternativeBlock`.
    fn alternative_block(&mut self, binding: bool) -> Parsed<Vec<GuardedCase>> {
        let mut cases = Vec::new();
        if self.at(T::LBrace) {
            let open = self.bump().span;
            while self.at(T::Case) {
                cases.push(self.alternative_block_case(binding)?);
            }
            self.expect_closing(T::RBrace, open)?;
        } else {
            while self.at(T::Case) {
                cases.push(self.alternative_block_case(binding)?);
            }
        }
        Ok(cases)
    }

    fn alternative_block_case(&mut self, binding: bool) -> Parsed<GuardedCase> {
        let start = self.start();
        let mut attributes = self.keyword_attributes()?;
        let guard = if binding && self.is_binding_guard() {
            let (guard, guard_attributes) = self.binding_guard(false)?;
            attributes.extend(guard_attributes);
            guard
        } else {
            Guard::Expr(self.expression(Mode::new(true, false))?)
        };
        self.expect(T::FatArrow)?;
        let mut body = Vec::new();
        self.stmts(&mut body);
        Ok(GuardedCase {
            attributes,
            guard,
            body,
            span: self.span_from(start),
        })
    }

    /// Parses `WhileStmt`.
    fn while_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        // A loop without a guard has cases.
        if self.is_loop_spec() || self.is_alternative() {
            let spec = self.specification(LOOP)?;
            // A brace here begins the cases.
            if self.at(T::LBrace) && !matches!(self.nth(1), T::Case | T::RBrace) {
                self.bump();
                self.expected_with_help(
                    "`case` or `}`",
                    "a loop with a block must have a guard before its clauses",
                );
                // Like Dafny, continue as if the loop ended here.
                let cases = Vec::new();
                let kind = StmtKind::WhileCase { spec, cases };
                return Ok(self.finish_stmt(start, attributes, kind));
            }
            if !self.at(T::LBrace) && !self.at(T::Case) {
                return Err(
                    self.expected("`case` or `{`, or a guard before the clauses of the loop")
                );
            }
            let cases = self.alternative_block(false)?;
            return Ok(self.finish_stmt(start, attributes, StmtKind::WhileCase { spec, cases }));
        }
        let guard = self.guard()?;
        let spec = self.specification(LOOP)?;
        let body = self.loop_body()?;
        Ok(self.finish_stmt(start, attributes, StmtKind::While { guard, spec, body }))
    }

    /// Parses the body of a loop. `...` represents the body of the refined loop.
    fn loop_body(&mut self) -> Parsed<Option<Block>> {
        if self.at(T::LBrace) {
            return self.block_stmt().map(Some);
        }
        if !self.at(T::Ellipsis) {
            return Ok(None);
        }
        let start = self.start();
        self.bump();
        let skeleton = self.finish_stmt(start, Vec::new(), StmtKind::Skeleton);
        Ok(Some(Block {
            stmts: vec![skeleton],
            divided_at: None,
            division: None,
            span: self.span_from(start),
        }))
    }

    /// Parses `ForLoopStmt`.
    fn for_loop_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let BoundVar { name: index, ty } = self.ident_type_optional()?;
        if self.at(T::SingleEq) {
            self.assignment_written_as_equals();
        } else {
            self.expect(T::Gets)?;
        }
        let from = self.expression(Mode::CLAUSE)?;
        let down = self.at_word("downto");
        if !down && !self.at_word("to") {
            return Err(self.expected("`to` or `downto`"));
        }
        self.bump();
        let to = if self.eat(T::Star) {
            None
        } else {
            Some(self.expression(Mode::CLAUSE)?)
        };
        let spec = self.specification(LOOP)?;
        let body = if self.at(T::LBrace) {
            Some(self.block_stmt()?)
        } else {
            None
        };
        Ok(self.finish_stmt(
            start,
            attributes,
            StmtKind::For {
                index,
                ty,
                from,
                down,
                to,
                spec,
                body,
            },
        ))
    }

    /// Parses `MatchStmt`.
    fn match_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let scrutinee = self.expression(Mode::INNER)?;
        let braces = self.at(T::LBrace);
        let mut cases = Vec::new();
        if braces {
            let open = self.bump().span;
            while self.at(T::Case) {
                cases.push(self.case_stmt()?);
            }
            if !self.at(T::RBrace) && cases.is_empty() {
                return Err(self.expected("`case`"));
            }
            self.expect_closing(T::RBrace, open)?;
        } else {
            while self.at(T::Case) {
                cases.push(self.case_stmt()?);
            }
        }
        Ok(self.finish_stmt(
            start,
            attributes,
            StmtKind::Match {
                scrutinee,
                cases,
                braces,
            },
        ))
    }

    fn case_stmt(&mut self) -> Parsed<StmtCase> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let pattern = self.extended_pattern()?;
        self.expect_case_arrow()?;
        let mut body = Vec::new();
        self.stmts(&mut body);
        Ok(StmtCase {
            attributes,
            pattern,
            body,
            span: self.span_from(start),
        })
    }

    /// Parses `PrintStmt`.
    fn print_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        self.bump();
        let values = self.comma_separated(|p| p.expression(Mode::PLAIN))?;
        self.semicolon("`print`")?;
        Ok(self.finish_stmt(start, Vec::new(), StmtKind::Print(values)))
    }

    /// Parses `ModifyStmt`. The frame is empty for `modify ...`.
    fn modify_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start();
        let attributes = self.keyword_attributes()?;
        let frame = if self.eat(T::Ellipsis) {
            Vec::new()
        } else {
            self.comma_separated(|p| p.frame_expression(Mode::PLAIN))?
        };
        let body = if self.at(T::LBrace) {
            Some(self.block_stmt()?)
        } else {
            self.semicolon("`modify`")?;
            None
        };
        Ok(self.finish_stmt(start, attributes, StmtKind::Modify { frame, body }))
    }
}
