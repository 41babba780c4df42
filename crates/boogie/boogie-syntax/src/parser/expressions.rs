//! Parsing of expressions.
//!
//! Each level of precedence has a function, from the loosest operator (`equivalence`) to the atoms.
//! The hard part is that `==>` and `<==` associate differently and may not be mixed, and neither
//! may `&&` and `||`.

use dafny_source::Span;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::{Parsed, Parser};
use crate::ast::{BinOp, Binder, Binding, Body, Expr, ExprKind, Ident, Quantifier, Stmt, StmtKind};
use crate::lexer::Token;

/// The maximal exponent of a literal; the value of a larger one would exhaust the memory.
const MAX_EXPONENT: u32 = 10_000;

fn binary(op: BinOp, a: Expr, b: Expr, at: Span) -> Expr {
    let span = a.span.to(b.span);
    Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b), at),
        span,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(Self::equivalence)
    }

    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut out = vec![self.expression()?];
        while self.eat(",") {
            out.push(self.expression()?);
        }
        Ok(out)
    }

    /// Parses expressions up to and including a closing symbol.
    fn arguments(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let out = if self.is(close) {
            Vec::new()
        } else {
            self.expressions()?
        };
        self.expect(close)?;
        Ok(out)
    }

    /// Parses a left-associative chain of operators of one level.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Expr>,
        ops: &[(&str, BinOp)],
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        self.chain_from(first, operand, ops)
    }

    fn chain_from(
        &mut self,
        first: Expr,
        operand: fn(&mut Self) -> Parsed<Expr>,
        ops: &[(&str, BinOp)],
    ) -> Parsed<Expr> {
        let mut left = first;
        let mut links = 0;
        while let Some((_, op)) = ops
            .iter()
            .find(|(text, _)| self.is(text) || self.is_word(text))
        {
            // A long chain becomes a deep tree, so its length is limited as well.
            links += 1;
            if links > 2 * super::MAX_DEPTH {
                return self.fail("this expression has too many operators");
            }
            let at = self.bump();
            let right = operand(self)?;
            left = binary(*op, left, right, at);
        }
        Ok(left)
    }

    fn equivalence(&mut self) -> Parsed<Expr> {
        self.chain(|p| p.implication(false), &[("<==>", BinOp::Iff)])
    }

    fn implication(&mut self, is_right: bool) -> Parsed<Expr> {
        let mut left = self.logical()?;
        if self.is("==>") {
            let at = self.bump();
            let right = self.nested(|p| p.implication(true))?;
            return Ok(binary(BinOp::Implies, left, right, at));
        }
        // `==>` associates to the right, `<==` to the left; without parentheses, a mixture would be
        // ambiguous.
        if self.is("<==") && is_right {
            let span = self.span();
            self.error(span, "`==>` and `<==` are mixed without parentheses");
        }
        while self.is("<==") {
            let at = self.bump();
            let right = self.logical()?;
            left = binary(BinOp::Implies, right, left, at);
        }
        Ok(left)
    }

    /// Parses a chain of `&&` or of `||`; the first operator determines the only one allowed.
    fn logical(&mut self) -> Parsed<Expr> {
        let left = self.relation()?;
        let op = if self.is("&&") {
            ("&&", BinOp::And)
        } else if self.is("||") {
            ("||", BinOp::Or)
        } else {
            return Ok(left);
        };
        self.chain_from(left, Self::relation, &[op])
    }

    fn relation(&mut self) -> Parsed<Expr> {
        const OPS: [(&str, BinOp); 7] = [
            ("==", BinOp::Eq),
            ("!=", BinOp::Ne),
            ("<", BinOp::Lt),
            ("<=", BinOp::Le),
            (">", BinOp::Gt),
            (">=", BinOp::Ge),
            ("<:", BinOp::Below),
        ];
        let left = self.concatenation()?;
        let Some((_, op)) = OPS.iter().find(|(text, _)| self.is(text)) else {
            return Ok(left);
        };
        let at = self.bump();
        let right = self.concatenation()?;
        Ok(binary(*op, left, right, at))
    }

    fn concatenation(&mut self) -> Parsed<Expr> {
        self.chain(Self::sum, &[("++", BinOp::Concat)])
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.chain(Self::product, &[("+", BinOp::Add), ("-", BinOp::Sub)])
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.chain(
            Self::power,
            &[
                ("*", BinOp::Mul),
                ("div", BinOp::Div),
                ("mod", BinOp::Mod),
                ("/", BinOp::RealDiv),
            ],
        )
    }

    fn power(&mut self) -> Parsed<Expr> {
        let left = self.membership()?;
        if !self.is("**") {
            return Ok(left);
        }
        let at = self.bump();
        let right = self.nested(Self::power)?;
        Ok(binary(BinOp::Pow, left, right, at))
    }

    fn membership(&mut self) -> Parsed<Expr> {
        let left = self.unary()?;
        if !self.is_word("is") {
            return Ok(left);
        }
        self.bump();
        let name = self.ident()?;
        let span = left.span.to(name.span);
        Ok(Expr {
            kind: ExprKind::Is(Box::new(left), name),
            span,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat("!") {
            let e = self.nested(Self::unary)?;
            let span = start.to(e.span);
            return Ok(Expr {
                kind: ExprKind::Not(Box::new(e)),
                span,
            });
        }
        if self.eat("-") {
            let e = self.nested(Self::unary)?;
            let span = start.to(e.span);
            return Ok(Expr {
                kind: ExprKind::Neg(Box::new(e)),
                span,
            });
        }
        self.coercion()
    }

    fn coercion(&mut self) -> Parsed<Expr> {
        let mut e = self.suffixes()?;
        // A colon before digits belongs to `e[hi:lo]`, which is parsed with the bracket.
        while self.is(":") && self.token_at(1).0 != Token::Digits {
            self.bump();
            let ty = self.ty()?;
            let span = e.span.to(ty.span);
            e = Expr {
                kind: ExprKind::Coerce(Box::new(e), ty),
                span,
            };
        }
        Ok(e)
    }

    fn suffixes(&mut self) -> Parsed<Expr> {
        let mut e = self.atom()?;
        let mut links = 0;
        loop {
            links += 1;
            if links > super::MAX_DEPTH {
                return self.fail("this expression has too many indices");
            }
            if self.is("[") {
                e = self.index(e)?;
            } else if self.is("->") {
                e = self.field(e)?;
            } else {
                return Ok(e);
            }
        }
    }

    fn field(&mut self, e: Expr) -> Parsed<Expr> {
        self.expect("->")?;
        let start = e.span;
        if !self.eat("(") {
            let name = self.ident()?;
            let span = start.to(name.span);
            return Ok(Expr {
                kind: ExprKind::Field(Box::new(e), name),
                span,
            });
        }
        let name = self.ident()?;
        self.expect(":=")?;
        let value = self.expression()?;
        let end = self.expect(")")?;
        Ok(Expr {
            kind: ExprKind::FieldUpdate(Box::new(e), name, Box::new(value)),
            span: start.to(end),
        })
    }

    fn index(&mut self, e: Expr) -> Parsed<Expr> {
        let at = self.expect("[")?;
        let start = e.span;
        // The bounds of an extraction are literals, unlike the indices of a map.
        if self.token() == Token::Digits
            && self.is_at(1, ":")
            && self.token_at(2).0 == Token::Digits
        {
            let (high, _) = (self.small()?, self.bump());
            let low = self.small()?;
            let end = self.expect("]")?;
            return Ok(Expr {
                kind: ExprKind::Extract(Box::new(e), high, low),
                span: start.to(end),
            });
        }
        let mut indices = if self.is("]") || self.is(":=") {
            Vec::new()
        } else {
            self.expressions()?
        };
        // An error of its own for extractions with other bounds, which would otherwise be a
        // puzzling syntax error.
        if self.is(":") && self.token_at(1).0 == Token::Digits {
            let span = indices.pop().map_or(at, |i| i.span);
            self.error(
                span,
                "the bounds of a bitvector extraction must be integer literals",
            );
            return Err(super::Failed);
        }
        let kind = if self.eat(":=") {
            let value = self.expression()?;
            ExprKind::Store(Box::new(e), indices, Box::new(value), at)
        } else {
            ExprKind::Select(Box::new(e), indices, at)
        };
        let end = self.expect("]")?;
        Ok(Expr {
            kind,
            span: start.to(end),
        })
    }

    fn small(&mut self) -> Parsed<u32> {
        let span = self.span();
        match self.text_of(span).parse() {
            Ok(n) if self.token() == Token::Digits => {
                self.bump();
                Ok(n)
            }
            _ => self.expected("a number"),
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.token() {
            Token::Digits => {
                self.bump();
                ExprKind::Int(
                    BigUint::parse_bytes(self.text_of(span).as_bytes(), 10).unwrap_or_default(),
                )
            }
            Token::Bv => return self.bitvector(),
            Token::Decimal => return self.decimal(),
            Token::Float => {
                self.bump();
                ExprKind::Float(self.name(span))
            }
            Token::Str => {
                self.bump();
                ExprKind::String(self.unquoted(span))
            }
            Token::Word => return self.word_atom(),
            Token::Sym("(") => return self.parenthesis(),
            Token::Sym("|{") => return self.code(),
            Token::Sym(_) | Token::Bad | Token::Eof => return self.expected("an expression"),
        };
        Ok(Expr { kind, span })
    }

    fn bitvector(&mut self) -> Parsed<Expr> {
        let span = self.bump();
        let text = self.text_of(span);
        let (value, width) = text.split_once("bv").unwrap_or((text, ""));
        let value = BigUint::parse_bytes(value.as_bytes(), 10).unwrap_or_default();
        let Ok(width) = width.parse::<u32>() else {
            self.error(span, "this width is too large");
            return Err(super::Failed);
        };
        Ok(Expr {
            kind: ExprKind::Bv(value, width),
            span,
        })
    }

    fn decimal(&mut self) -> Parsed<Expr> {
        let span = self.bump();
        let text = self.text_of(span);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits =
            BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10).unwrap_or_default();
        let exponent = exponent
            .parse::<i64>()
            .ok()
            .map(|e| e - fraction.len() as i64);
        let Some(exponent) = exponent.filter(|e| e.unsigned_abs() <= u64::from(MAX_EXPONENT))
        else {
            self.error(
                span,
                format!("exponents beyond {MAX_EXPONENT} are not supported"),
            );
            return Err(super::Failed);
        };
        let power = BigInt::from(10).pow(exponent.unsigned_abs() as u32);
        let value = if exponent >= 0 {
            BigRational::from_integer(digits * power)
        } else {
            BigRational::new(digits, power)
        };
        Ok(Expr {
            kind: ExprKind::Real(value),
            span,
        })
    }

    fn word_atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.word_at(0) {
            "false" | "true" => {
                let value = self.is_word("true");
                self.bump();
                ExprKind::Bool(value)
            }
            "roundNearestTiesToEven"
            | "RNE"
            | "roundNearestTiesToAway"
            | "RNA"
            | "roundTowardPositive"
            | "RTP"
            | "roundTowardNegative"
            | "RTN"
            | "roundTowardZero"
            | "RTZ" => {
                self.bump();
                ExprKind::Rounding(self.name(span))
            }
            // `old` and the conversions look like functions, but are keywords.
            word @ ("old" | "int" | "real") => {
                let make = match word {
                    "old" => ExprKind::Old,
                    "int" => ExprKind::ToInt,
                    _ => ExprKind::ToReal,
                };
                self.bump();
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                make(Box::new(inner))
            }
            "if" => return self.conditional(),
            _ => {
                let name = self.ident()?;
                if self.eat("(") {
                    ExprKind::Call(name, self.arguments(")")?)
                } else {
                    ExprKind::Ident(name.name)
                }
            }
        };
        Ok(Expr {
            kind,
            span: span.to(self.previous()),
        })
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.bump();
        let c = self.expression()?;
        self.expect_word("then")?;
        let a = self.expression()?;
        self.expect_word("else")?;
        let b = self.expression()?;
        let span = start.to(b.span);
        Ok(Expr {
            kind: ExprKind::If(Box::new(c), Box::new(a), Box::new(b)),
            span,
        })
    }

    fn parenthesis(&mut self) -> Parsed<Expr> {
        let start = self.expect("(")?;
        let binder = match (self.word_at(0), self.token()) {
            ("forall", _) | (_, Token::Sym("forall")) => Some(Binder::Forall),
            ("exists", _) | (_, Token::Sym("exists")) => Some(Binder::Exists),
            ("lambda", _) | (_, Token::Sym("lambda")) => Some(Binder::Lambda),
            _ => None,
        };
        let mut inner = if let Some(binder) = binder {
            self.bump();
            self.quantifier(binder, start)?
        } else if self.is_word("var") {
            self.binding()?
        } else {
            self.expression()?
        };
        let end = self.expect(")")?;
        if binder.is_some() {
            inner.span = start.to(end);
        }
        Ok(inner)
    }

    fn quantifier(&mut self, binder: Binder, start: Span) -> Parsed<Expr> {
        let type_params = self.type_params()?;
        let vars = if self.is("::") && !type_params.is_empty() {
            Vec::new()
        } else {
            self.bindings(Some("bound variables"))?
        };
        self.expect("::")?;
        let (mut triggers, mut attributes) = (Vec::new(), Vec::new());
        while self.is("{") {
            let span = self.span();
            if self.is_at(1, ":") {
                let (attribute, _) = self.attribute()?;
                // `nopats` is an attribute in form, but a negative trigger in meaning.
                if &*attribute.name.name == "nopats" {
                    let is_pattern = attribute.args.len() == 1
                        && !matches!(
                            attribute.args.first().map(|a| &a.kind),
                            Some(ExprKind::String(_))
                        );
                    if is_pattern {
                        triggers.push((false, attribute.args, span));
                    } else {
                        self.error(span, "`:nopats` takes one expression");
                    }
                } else {
                    attributes.push(attribute);
                }
            } else {
                self.bump();
                let parts = self.expressions()?;
                self.expect("}")?;
                triggers.push((true, parts, span));
            }
        }
        if binder == Binder::Lambda
            && let Some((_, _, span)) = triggers.first()
        {
            let span = *span;
            self.error(span, "a lambda cannot have triggers");
        }
        let body = self.expression()?;
        let span = start.to(body.span);
        let quantifier = Quantifier {
            binder,
            type_params,
            vars,
            triggers,
            attributes,
            body,
        };
        Ok(Expr {
            kind: ExprKind::Quantifier(Box::new(quantifier)),
            span,
        })
    }

    fn binding(&mut self) -> Parsed<Expr> {
        let start = self.expect_word("var")?;
        let mut names: Vec<Ident> = Vec::new();
        loop {
            self.attributes()?;
            names.push(self.ident()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":=")?;
        let values = self.expressions()?;
        self.expect(";")?;
        self.attributes()?;
        let body = self.expression()?;
        let span = start.to(body.span);
        Ok(Expr {
            kind: ExprKind::Let(names, values, Box::new(body)),
            span,
        })
    }

    /// Parses a code expression, `|{ var x: int; A: …; return e; }|`.
    fn code(&mut self) -> Parsed<Expr> {
        let start = self.expect("|{")?;
        let mut locals: Vec<Binding> = Vec::new();
        while self.is_word("var") {
            locals.extend(self.variables()?);
        }
        let mut stmts: Vec<Stmt> = Vec::new();
        while !self.is("}|") && !self.is_end() {
            let span = self.span();
            // Only in code expressions, `return` has a value.
            if self.is_word("return") && !self.is_at(1, ";") {
                self.bump();
                let attributes = self.attributes_only()?;
                let value = self.expression()?;
                self.expect(";")?;
                stmts.push(Stmt {
                    kind: StmtKind::ReturnExpr(value),
                    span,
                    attributes,
                });
            } else {
                stmts.push(self.statement()?);
            }
        }
        let end = self.expect("}|")?;
        Ok(Expr {
            kind: ExprKind::Code(Box::new(Body { locals, stmts, end })),
            span: start.to(end),
        })
    }
}
