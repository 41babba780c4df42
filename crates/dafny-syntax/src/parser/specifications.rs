//! Clauses of contracts and loops (reference manual, "Specification Clauses"), attributes and
//! frames.

use super::super::ast::{
    Argument, Attribute, Clause, ClauseKind, Expr, ExprKind, FrameExpr, Ident, Spec,
};
use super::super::token::TokenKind as T;
use super::{Mode, Parsed, Parser};
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;

/// The clauses that a construct allows, and the context of their expressions.
#[derive(Clone, Copy)]
pub(super) struct Clauses {
    /// The noun for the construct, for messages.
    pub(super) what: &'static str,
    requires: bool,
    ensures: bool,
    invariant: bool,
    modifies: bool,
    reads: bool,
    decreases: bool,
    yields: bool,
    /// Whether `reads *` is allowed.
    reads_star: bool,
    /// Whether `reads **` is allowed.
    reads_two_stars: bool,
    /// Whether `decreases *` is allowed.
    decreases_star: bool,
    /// Whether `x => e` in a clause is a lambda.
    lambda: bool,
    /// Whether a semicolon may end a clause.
    old_semi: bool,
}

const NOTHING: Clauses = Clauses {
    what: "",
    requires: false,
    ensures: false,
    invariant: false,
    modifies: false,
    reads: false,
    decreases: false,
    yields: false,
    reads_star: false,
    reads_two_stars: false,
    decreases_star: false,
    lambda: false,
    old_semi: true,
};

/// Clauses of a ghost method.
pub(super) const LEMMA: Clauses = Clauses {
    what: "a lemma",
    requires: true,
    ensures: true,
    modifies: true,
    reads: true,
    decreases: true,
    reads_star: true,
    reads_two_stars: true,
    ..NOTHING
};
/// Clauses of `MethodSpec`.
pub(super) const METHOD: Clauses = Clauses {
    what: "a method",
    decreases_star: true,
    ..LEMMA
};
/// Clauses of `FunctionSpec`.
pub(super) const FUNCTION: Clauses = Clauses {
    what: "a function",
    modifies: false,
    ..LEMMA
};
/// Clauses of `IteratorSpec`.
pub(super) const ITERATOR: Clauses = Clauses {
    what: "an iterator",
    yields: true,
    reads_star: false,
    reads_two_stars: false,
    ..LEMMA
};
/// Clauses of `LoopSpec`.
pub(super) const LOOP: Clauses = Clauses {
    what: "a loop",
    invariant: true,
    modifies: true,
    decreases: true,
    decreases_star: true,
    lambda: true,
    ..NOTHING
};
/// The `ensures` clauses of a `forall` statement.
pub(super) const FORALL: Clauses = Clauses {
    what: "a `forall` statement",
    ensures: true,
    lambda: true,
    ..NOTHING
};
/// The clauses of an opaque block.
pub(super) const OPAQUE_BLOCK: Clauses = Clauses {
    what: "an opaque block",
    ensures: true,
    modifies: true,
    ..NOTHING
};
/// Clauses of `LambdaSpec`.
pub(super) const LAMBDA: Clauses = Clauses {
    what: "a lambda expression",
    requires: true,
    reads: true,
    reads_star: true,
    old_semi: false,
    ..NOTHING
};

impl Parser<'_> {
    /// Parses all following clauses. A clause that the construct does not allow is reported and
    /// kept.
    pub(super) fn specification(&mut self, clauses: Clauses) -> Parsed<Spec> {
        let mut spec = Spec::default();
        while self.at_clause(clauses) {
            let clause = self.clause(clauses)?;
            self.check_measure(&spec, &clause);
            spec.clauses.push(clause);
        }
        Ok(spec)
    }

    fn at_clause(&self, clauses: Clauses) -> bool {
        match self.kind() {
            T::Requires | T::Ensures | T::Modifies | T::Reads | T::Decreases | T::Invariant => true,
            T::Yield => clauses.yields && matches!(self.nth(1), T::Requires | T::Ensures),
            T::Ident => {
                self.at_word("free")
                    && matches!(
                        self.nth(1),
                        T::Requires | T::Ensures | T::Modifies | T::Invariant
                    )
            }
            _ => false,
        }
    }

    fn clause(&mut self, clauses: Clauses) -> Parsed<Clause> {
        let start = self.start();
        // A clause that is not allowed is reported and parsed, for errors in its expression.
        if self.at_word("free") {
            let span = self.bump().span;
            let diagnostic = Diagnostic::error(
                "syntax/free-clause",
                span,
                "`free` clauses are no longer part of Dafny",
            );
            self.report(diagnostic.with_help(
                "state unchecked assumptions with `assume`, or with `{:axiom}` on the declaration",
            ));
        }
        let is_yield = self.eat(T::Yield);
        let keyword = self.bump();
        let allowed = match keyword.kind {
            T::Requires => clauses.requires,
            T::Ensures => clauses.ensures,
            T::Modifies => clauses.modifies,
            T::Reads => clauses.reads,
            T::Decreases => clauses.decreases,
            _ => clauses.invariant,
        };
        if !allowed {
            let word = self.text_at(keyword.span);
            let message = format!("{} cannot have a `{word}` clause", clauses.what);
            self.error("syntax/clause-not-allowed", keyword.span, message);
        }
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let label = if keyword.kind == T::Requires && self.is_label() {
            let label = self.ident_or_digits()?;
            self.bump();
            Some(label)
        } else {
            None
        };
        // The construct determines whether `x => e` is a lambda, and whether a semicolon may end
        // the clause.
        let mode = Mode {
            lambda: clauses.lambda,
            ..Mode::CLAUSE
        };
        let in_lambda = Mode {
            lemma: !clauses.old_semi,
            ..mode
        };
        let kind = match keyword.kind {
            T::Requires => ClauseKind::Requires(self.expression(in_lambda)?),
            T::Ensures => ClauseKind::Ensures(self.expression(mode)?),
            T::Reads => {
                let frame = self.comma_separated(|p| {
                    p.possibly_wild_frame_expression(
                        mode,
                        clauses.reads_star,
                        clauses.reads_two_stars,
                    )
                })?;
                self.check_alone(frame.len(), frame.iter().filter_map(|f| f.object.as_ref()));
                ClauseKind::Reads(frame)
            }
            T::Modifies => ClauseKind::Modifies(
                self.comma_separated(|p| p.possibly_wild_frame_expression(mode, false, false))?,
            ),
            T::Decreases => {
                let measure = self.comma_separated(|p| {
                    p.possibly_wild_expression(mode, clauses.decreases_star)
                })?;
                self.check_alone(measure.len(), measure.iter());
                ClauseKind::Decreases(measure)
            }
            _ => ClauseKind::Invariant(self.expression(Mode {
                lambda: true,
                ..mode
            })?),
        };
        let span = self.span_from(start);
        if clauses.old_semi {
            self.old_semi();
        }
        Ok(Clause {
            kind,
            is_yield,
            attributes,
            label,
            span,
        })
    }

    fn check_wildcard(&mut self, allowed: bool) {
        if !allowed {
            let span = self.token(0).span;
            self.error("syntax/wildcard", span, "`*` is not allowed in this clause");
        }
    }

    /// Checks `*` among several `decreases` clauses, which form one measure: with `*`, nothing else
    /// is allowed.
    fn check_measure(&mut self, before: &Spec, clause: &Clause) {
        let star = |es: &[Expr]| es.iter().any(|e| matches!(e.kind, ExprKind::Wildcard));
        if let ClauseKind::Reads(now) = &clause.kind {
            return self.check_reads(before, now);
        }
        let ClauseKind::Decreases(now) = &clause.kind else {
            return;
        };
        let mut earlier = before.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Decreases(es) => Some(es),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Invariant(_)
            | ClauseKind::Reads(_)
            | ClauseKind::Modifies(_) => None,
        });
        let alone = earlier.clone().next().is_none();
        if !alone && (star(now) || earlier.any(|es| star(es))) {
            let at = now.last().map_or(clause.span, |e| e.span);
            self.error(
                "syntax/wildcard",
                at,
                "a measure that contains `*` cannot contain anything else",
            );
        }
    }

    /// Checks `*` among several `reads` clauses, which form one frame.
    fn check_reads(&mut self, before: &Spec, now: &[FrameExpr]) {
        let star =
            |f: &&FrameExpr| matches!(&f.object, Some(e) if matches!(e.kind, ExprKind::Wildcard));
        let earlier: Vec<&FrameExpr> = before
            .clauses
            .iter()
            .filter_map(|c| {
                if let ClauseKind::Reads(fs) = &c.kind {
                    Some(fs)
                } else {
                    None
                }
            })
            .flatten()
            .collect();
        let found = earlier.iter().copied().find(star).or(now.iter().find(star));
        if let Some(found) = found.filter(|_| !earlier.is_empty()) {
            self.error(
                "syntax/wildcard",
                found.span,
                "a `reads` clause that contains `*` cannot contain anything else, and there is another clause",
            );
        }
    }

    /// Checks that `*` is the only item of its clause.
    fn check_alone<'e>(&mut self, length: usize, mut items: impl Iterator<Item = &'e Expr>) {
        if length > 1
            && let Some(star) = items.find(|e| matches!(e.kind, ExprKind::Wildcard))
        {
            self.error(
                "syntax/wildcard",
                star.span,
                "a clause that contains `*` cannot contain anything else",
            );
        }
    }

    /// Parses `PossiblyWildExpression`.
    fn possibly_wild_expression(&mut self, mode: Mode, wild: bool) -> Parsed<Expr> {
        if self.at(T::Star) {
            self.check_wildcard(wild);
            let span = self.bump().span;
            return Ok(Expr {
                kind: ExprKind::Wildcard,
                span,
            });
        }
        self.expression(mode)
    }

    /// Parses `PossiblyWildFrameExpression`.
    fn possibly_wild_frame_expression(
        &mut self,
        mode: Mode,
        wild: bool,
        wild_twice: bool,
    ) -> Parsed<FrameExpr> {
        if self.at(T::Star) {
            self.check_wildcard(wild);
            let start = self.start();
            self.bump();
            let twice = self.eat(T::Star);
            let span = self.span_from(start);
            if twice && !wild_twice {
                self.error(
                    "syntax/wildcard",
                    span,
                    "`**` is not allowed in this clause",
                );
            }
            return Ok(FrameExpr {
                object: Some(Expr {
                    kind: ExprKind::Wildcard,
                    span,
                }),
                field: None,
                span,
            });
        }
        self.frame_expression(mode)
    }

    /// Parses `FrameExpression`.
    pub(super) fn frame_expression(&mut self, mode: Mode) -> Parsed<FrameExpr> {
        let start = self.start();
        let object = if self.at(T::Backtick) {
            None
        } else {
            Some(self.expression(mode)?)
        };
        let field = if self.eat(T::Backtick) {
            Some(self.ident_or_digits()?)
        } else {
            None
        };
        Ok(FrameExpr {
            object,
            field,
            span: self.span_from(start),
        })
    }

    /// Parses all following attributes in braces, `{Attribute}`.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        while self.at(T::LBraceColon) {
            let attribute = self.attribute()?;
            into.push(attribute);
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.start();
        let open = self.expect(T::LBraceColon)?.span;
        // Reserved words may be names of attributes: `{:opaque}`, `{:print}`.
        let is_word = self
            .text_at(self.token(0).span)
            .starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_word && !self.at_name() {
            return Err(self.expected("the name of an attribute"));
        }
        let token = self.bump();
        let name = self.ident_of(token);
        let args = if self.at(T::RBrace) {
            Vec::new()
        } else {
            self.comma_separated(|p| {
                Ok(Argument {
                    name: None,
                    value: p.expression(Mode::INNER)?,
                })
            })?
        };
        self.expect_closing(T::RBrace, open)?;
        Ok(Attribute {
            name,
            at: false,
            args,
            span: self.span_from(start),
        })
    }

    /// Parses all following `@Name(args)` attributes, `{AtAttribute}`.
    pub(super) fn at_attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        while self.at(T::At) {
            let start = self.start();
            self.bump();
            // The grammar allows any expression here. Anything but a name or a call is reported
            // below.
            let value = self.expression(Mode::CLAUSE.without_bitwise())?;
            let span = self.span_from(start);
            let (name, args) = match value {
                Expr {
                    kind: ExprKind::Name { name, .. },
                    ..
                } => (name, Vec::new()),
                Expr {
                    kind:
                        ExprKind::Call {
                            callee,
                            args,
                            at_label: None,
                        },
                    span,
                } => {
                    if let ExprKind::Name { name, .. } = callee.kind {
                        (name, args)
                    } else {
                        let value = Expr {
                            kind: ExprKind::Call {
                                callee,
                                args,
                                at_label: None,
                            },
                            span,
                        };
                        (
                            Ident {
                                name: Name::from(""),
                                span,
                            },
                            vec![Argument { name: None, value }],
                        )
                    }
                }
                value => (
                    Ident {
                        name: Name::from(""),
                        span: value.span,
                    },
                    vec![Argument { name: None, value }],
                ),
            };
            into.push(Attribute {
                name,
                at: true,
                args,
                span,
            });
        }
        Ok(())
    }
}
