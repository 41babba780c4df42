//! Quantified variables: their domains and ranges (reference manual, "Quantifier Domains").

use super::super::ast::{
    Attribute, BoundVar, Expr, ExprKind, QuantifiedVar, QuantifiedVars, Spec, Stmt, StmtKind,
};
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser, QuantifierSyntax};

impl Parser<'_> {
    /// Parses `IdentTypeOptional`.
    pub(super) fn ident_type_optional(&mut self) -> Parsed<BoundVar> {
        let name = self.wild_ident()?;
        let ty = if self.eat(T::Colon) {
            Some(self.ty()?)
        } else {
            None
        };
        Ok(BoundVar { name, ty })
    }

    /// Parses `QuantifierDomain`. The range of the last variable becomes the range of all.
    pub(super) fn quantifier_domain(&mut self, mode: Mode) -> Parsed<QuantifiedVars> {
        let mut attributes = Vec::new();
        let mut vars = Vec::new();
        loop {
            let var = self.quantifier_variable_decl(mode, &mut attributes)?;
            let ends_here =
                var.range.is_some() && self.options.quantifier_syntax == QuantifierSyntax::Version3;
            vars.push(var);
            if ends_here || !self.at(T::Comma) || !self.nth(1).is_name() {
                break;
            }
            self.bump();
        }
        let range = vars.last_mut().and_then(|v| v.range.take()).map(Box::new);
        Ok(QuantifiedVars {
            vars,
            attributes,
            range,
        })
    }

    fn quantifier_variable_decl(
        &mut self,
        mode: Mode,
        attributes: &mut Vec<Attribute>,
    ) -> Parsed<QuantifiedVar> {
        let BoundVar { name, ty } = self.ident_type_optional()?;
        let mut domain = None;
        if self.is_from_arrow() {
            self.bump();
            self.bump();
            domain = Some(self.expression(mode.without_bitwise())?);
        }
        self.attributes(attributes)?;
        let range = if self.eat(T::Bar) {
            Some(self.expression(mode)?)
        } else {
            None
        };
        Ok(QuantifiedVar {
            name,
            ty,
            domain,
            range,
        })
    }

    /// Parses `QuantifierExpression`. A `forall` with a body is a statement before an expression.
    pub(super) fn quantifier_expression(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let forall = self.bump().kind == T::Forall;
        let inner = Mode {
            bitwise: true,
            decreases_to: true,
            ..mode
        };
        let vars = self.quantifier_domain(Mode::INNER)?;
        if forall && matches!(self.kind(), T::Ensures | T::LBrace) {
            let (spec, body) = self.forall_statement_ensures_and_body()?;
            let kind = StmtKind::Forall { vars, spec, body };
            let stmt = Box::new(Stmt {
                labels: Vec::new(),
                attributes: Vec::new(),
                kind,
                span: self.span_from(start),
            });
            let body = Box::new(self.expression(inner)?);
            return Ok(Expr {
                kind: ExprKind::StmtExpr { stmt, body },
                span: self.span_from(start),
            });
        }
        if !self.at(T::ColonColon) {
            return Err(self.expected("`::` and the body of the quantifier"));
        }
        self.bump();
        let body = Box::new(self.expression(inner)?);
        Ok(Expr {
            kind: ExprKind::Quantifier { forall, vars, body },
            span: self.span_from(start),
        })
    }

    /// Parses `SetComprehensionExpr`.
    pub(super) fn set_comprehension_expr(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let infinite = self.bump().kind == T::Iset;
        let vars = self.quantifier_domain(mode)?;
        let term = if self.eat(T::ColonColon) {
            Some(Box::new(self.expression(Mode {
                bitwise: mode.bitwise || infinite,
                ..mode
            })?))
        } else {
            None
        };
        Ok(Expr {
            kind: ExprKind::SetComp {
                infinite,
                vars,
                term,
            },
            span: self.span_from(start),
        })
    }

    /// Parses `MapComprehensionExpr`.
    pub(super) fn map_comprehension_expr(&mut self, mode: Mode) -> Parsed<Expr> {
        let start = self.start();
        let infinite = self.bump().kind == T::Imap;
        let vars = self.quantifier_domain(Mode::INNER)?;
        if !self.at(T::ColonColon) {
            return Err(self.expected("`::` and the values of the map"));
        }
        self.bump();
        let first = Box::new(self.expression(mode)?);
        let (key, value) = if self.eat(T::Gets) {
            (
                Some(first),
                Box::new(self.expression(Mode {
                    bitwise: mode.bitwise || infinite,
                    ..mode
                })?),
            )
        } else {
            (None, first)
        };
        Ok(Expr {
            kind: ExprKind::MapComp {
                infinite,
                vars,
                key,
                value,
            },
            span: self.span_from(start),
        })
    }

    /// Parses `ForallStatementEnsuresAndBody`.
    pub(super) fn forall_statement_ensures_and_body(
        &mut self,
    ) -> Parsed<(Spec, Option<super::super::ast::Block>)> {
        let spec = self.specification(super::specifications::FORALL)?;
        let body = if self.at(T::LBrace) {
            Some(self.block_stmt()?)
        } else {
            None
        };
        Ok((spec, body))
    }
}
