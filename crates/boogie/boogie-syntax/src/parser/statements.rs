//! Parsing of statements.
//!
//! `Parser::statement` is the entry point; it dispatches on the first word.

use super::{Parsed, Parser};
use crate::ast::{Access, Body, Call, Clause, Expr, Ident, Stmt, StmtKind, Target};

impl Parser<'_> {
    /// Parses a body, `{ var …; statements }`.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        self.expect("{")?;
        let mut locals = Vec::new();
        while self.is_word("var") {
            locals.extend(self.variables()?);
        }
        let stmts = self.statements()?;
        let end = self.expect("}")?;
        Ok(Body { locals, stmts, end })
    }

    fn statements(&mut self) -> Parsed<Vec<Stmt>> {
        let mut out = Vec::new();
        while !self.is("}") && !self.is_end() {
            out.push(self.statement()?);
        }
        Ok(out)
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let out = self.statements()?;
        self.expect("}")?;
        Ok(out)
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(Self::statement_inner)
    }

    fn statement_inner(&mut self) -> Parsed<Stmt> {
        let span = self.span();
        // Contextual keywords are names if an assignment or label follows.
        let next_is_assignment = [":=", "[", ",", "->", ":", "("]
            .iter()
            .any(|s| self.is_at(1, s));
        let (kind, attributes) = match self.word_at(0) {
            "assert" => {
                self.bump();
                let attributes = self.attributes()?;
                (StmtKind::Assert(self.closed(Self::expression)?), attributes)
            }
            "assume" => {
                self.bump();
                let attributes = self.attributes()?;
                (StmtKind::Assume(self.closed(Self::expression)?), attributes)
            }
            "havoc" => {
                self.bump();
                (StmtKind::Havoc(self.closed(Self::idents)?), Vec::new())
            }
            "call" => return self.call(false),
            "free" => {
                self.bump();
                return self.call(true);
            }
            "if" => {
                self.bump();
                let attributes = self.attributes()?;
                (self.conditional_statement()?, attributes)
            }
            "while" => {
                self.bump();
                (self.loop_statement()?, Vec::new())
            }
            "break" => {
                self.bump();
                let label = if self.is(";") {
                    None
                } else {
                    Some(self.ident()?)
                };
                self.expect(";")?;
                (StmtKind::Break(label), Vec::new())
            }
            "goto" => {
                self.bump();
                let attributes = self.attributes()?;
                (StmtKind::Goto(self.closed(Self::idents)?), attributes)
            }
            "return" => {
                self.bump();
                let attributes = self.attributes()?;
                self.expect(";")?;
                (StmtKind::Return, attributes)
            }
            "yield" | "par" | "async" if !next_is_assignment => return self.concurrent(),
            "hide" | "reveal" if !next_is_assignment => {
                self.bump();
                if !self.eat("*") {
                    self.ident()?;
                }
                self.expect(";")?;
                (StmtKind::Hint, Vec::new())
            }
            "push" | "pop" if self.is_at(1, ";") => {
                self.bump();
                self.bump();
                (StmtKind::Hint, Vec::new())
            }
            "measure" if !next_is_assignment => {
                self.bump();
                let attributes = self.attributes()?;
                self.closed(Self::expressions)?;
                (StmtKind::Hint, attributes)
            }
            _ => return self.label_or_assignment(),
        };
        Ok(Stmt {
            kind,
            span,
            attributes,
        })
    }

    /// Reports a construct of the concurrent extension as unsupported.
    pub(super) fn concurrent<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        let word = self.text_of(span).to_owned();
        self.diagnostics.push(
            dafny_source::diagnostic::Diagnostic::error(
                "boogie/concurrent",
                span,
                format!("`{word}` belongs to Boogie's concurrent extension (CIVL), which is not supported"),
            )
            .with_help("programs without `yield`, `par`, `async`, actions and layers can be read"),
        );
        Err(super::Failed)
    }

    fn closed<T>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let out = production(self)?;
        self.expect(";")?;
        Ok(out)
    }

    fn guard(&mut self) -> Parsed<Option<Expr>> {
        self.expect("(")?;
        let guard = if self.eat("*") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(")")?;
        Ok(guard)
    }

    fn conditional_statement(&mut self) -> Parsed<StmtKind> {
        let guard = self.guard()?;
        let then = self.block()?;
        if !self.eat_word("else") {
            return Ok(StmtKind::If(guard, then, None));
        }
        if !self.is_word("if") {
            return Ok(StmtKind::If(guard, then, Some(self.block()?)));
        }
        let nested = self.statement()?;
        Ok(StmtKind::If(guard, then, Some(vec![nested])))
    }

    fn loop_statement(&mut self) -> Parsed<StmtKind> {
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        let mut measures = 0;
        loop {
            let free = self.is_word("free");
            let keyword = usize::from(free);
            match self.word_at(keyword) {
                "invariant" => {
                    if free {
                        self.bump();
                    }
                    let span = self.bump();
                    let attributes = self.attributes()?;
                    if self.is_word("call") {
                        return self.concurrent();
                    }
                    let expr = self.closed(Self::expression)?;
                    invariants.push(Clause {
                        expr,
                        free,
                        span,
                        attributes,
                    });
                }
                "measure" if !free => {
                    let span = self.bump();
                    measures += 1;
                    if measures > 1 {
                        self.error(span, "a loop can have at most one `measure` clause");
                    }
                    self.attributes()?;
                    self.closed(Self::expressions)?;
                }
                _ => break,
            }
        }
        Ok(StmtKind::While(guard, invariants, self.block()?))
    }

    fn call(&mut self, free: bool) -> Parsed<Stmt> {
        let span = self.expect_word("call")?;
        let attributes = self.attributes()?;
        if self.eat_word("forall") {
            let procedure = self.ident()?;
            self.expect("(")?;
            let mut args = Vec::new();
            while !self.is(")") {
                args.push(if self.eat("*") {
                    None
                } else {
                    Some(self.expression()?)
                });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
            self.expect(";")?;
            return Ok(Stmt {
                kind: StmtKind::CallForall(procedure, args),
                span,
                attributes,
            });
        }
        let first = self.ident()?;
        // Results are present unless the parenthesis follows the first name.
        let (outs, procedure) = if self.is("(") {
            (Vec::new(), first)
        } else {
            let mut outs = vec![first];
            while self.eat(",") {
                outs.push(self.ident()?);
            }
            self.expect(":=")?;
            (outs, self.ident()?)
        };
        self.expect("(")?;
        let args = if self.is(")") {
            Vec::new()
        } else {
            self.expressions()?
        };
        self.expect(")")?;
        // A bar would begin the next branch of a parallel call.
        if self.is("|") {
            return self.concurrent();
        }
        self.expect(";")?;
        Ok(Stmt {
            kind: StmtKind::Call(Call {
                outs,
                procedure,
                args,
                free,
            }),
            span,
            attributes,
        })
    }

    fn label_or_assignment(&mut self) -> Parsed<Stmt> {
        if !self.is_ident_at(0) {
            return self.expected("a statement");
        }
        let name = self.ident()?;
        let span = name.span;
        if self.is(":") {
            self.bump();
            return Ok(Stmt {
                kind: StmtKind::Label(name),
                span,
                attributes: Vec::new(),
            });
        }
        if self.is("(") {
            return self.unpack(name);
        }
        let mut targets = vec![self.target(name)?];
        while self.eat(",") {
            let name = self.ident()?;
            targets.push(self.target(name)?);
        }
        let span = self.expect(":=")?;
        let attributes = self.attributes()?;
        let values = self.closed(Self::expressions)?;
        Ok(Stmt {
            kind: StmtKind::Assign(targets, values),
            span,
            attributes,
        })
    }

    fn unpack(&mut self, constructor: Ident) -> Parsed<Stmt> {
        self.expect("(")?;
        let fields = if self.is(")") {
            Vec::new()
        } else {
            self.idents()?
        };
        self.expect(")")?;
        let span = self.expect(":=")?;
        let attributes = self.attributes()?;
        let value = self.closed(Self::expression)?;
        Ok(Stmt {
            kind: StmtKind::Unpack(constructor, fields, value),
            span,
            attributes,
        })
    }

    fn target(&mut self, name: Ident) -> Parsed<Target> {
        let mut path = Vec::new();
        loop {
            if self.is("[") {
                let at = self.bump();
                let indices = if self.is("]") {
                    Vec::new()
                } else {
                    self.expressions()?
                };
                self.expect("]")?;
                path.push(Access::Index(indices, at));
            } else if self.eat("->") {
                path.push(Access::Field(self.ident()?));
            } else {
                return Ok(Target { name, path });
            }
        }
    }
}
