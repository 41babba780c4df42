//! Translates branches, loops and jumps.

use super::body::Body;
use super::code::Own;
use super::convention::Translated;
use super::jumps::Jump;
use super::names::snake_case;
use super::rep::Rep;
use super::rep::primitive;
use super::stmt::flat;
use crate::rust::{self, LoopHead, Stmts, expr, ident, stmts, without_raw};
use dafny_resolve::typed::{
    Block, BreakTarget, Expr, ExprKind, Guard, GuardedCase, Literal, Name, Quantified, Rhs, Stmt,
    StmtKind, Target,
};

impl Body<'_, '_, '_> {
    /// Translates `while guard { … }`.
    pub(super) fn while_loop(
        &mut self,
        guard: &Guard,
        body: Option<&Block>,
        s: &Stmt,
    ) -> Translated<Stmts> {
        let body = body.ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
        let head = match guard {
            Guard::Expr(e) if matches!(e.kind, ExprKind::Literal(Literal::Bool(true))) => {
                LoopHead::Always
            }
            Guard::Expr(e) => LoopHead::While(self.value(e)?),
            // As in compiled Dafny, a loop that may be skipped is skipped.
            Guard::Star => LoopHead::While(expr!(false)),
            Guard::Binding(vars) => LoopHead::While(self.found(vars)?),
        };
        self.looped(s, head, |b| b.block(body, false))
    }

    /// Writes `let Some(x) = …` for a binding guard, and brings its variables into scope.
    fn found(&mut self, vars: &Quantified) -> Translated<rust::Expr> {
        let found = self.find(vars)?;
        let pattern = self.found_pattern(vars);
        Ok(expr!(let #pattern = #found))
    }

    /// Translates `for index := from to to { … }` and its other forms.
    pub(super) fn for_loop(&mut self, s: &Stmt) -> Translated<Stmts> {
        let StmtKind::For {
            index,
            from,
            down,
            to,
            body,
            ..
        } = &s.kind
        else {
            return Ok(Vec::new());
        };

        let body = body
            .as_ref()
            .ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
        let ty = self.scope.ground.program[*index].ty.clone();
        // The ends are copied, because the body may assign their variables.
        let end = |b: &mut Self, e: &Expr| {
            if matches!(e.kind, ExprKind::Literal(_)) {
                b.index(e)
            } else {
                b.value(e)
            }
        };
        // Both ends are evaluated once, before the first iteration.
        let from_code = end(self, from)?;
        let to_code = to.as_ref().map(|t| end(self, t)).transpose()?;
        let name = self.declare(*index, Own::Place);
        let iterator = match (self.rep(&ty), to_code) {
            (Rep::Int, to) => {
                let range = self.scope.runtime(match (down, to.is_some()) {
                    (false, true) => "range",
                    (true, true) => "range_down",
                    (false, false) => "range_from",
                    (true, false) => "range_down_from",
                });
                let ends = if *down {
                    [to, Some(from_code)]
                } else {
                    [Some(from_code), to]
                };
                let ends = ends.into_iter().flatten();
                expr!(#range(#..ends))
            }
            (Rep::Native(_), Some(to)) if *down => expr!((#to..#from_code).rev()),
            (Rep::Native(_), Some(to)) => expr!(#from_code..#to),
            // The loop must end before its index overflows its type.
            (Rep::Native(native), None) => {
                let native = ident(primitive(native));
                if *down {
                    expr!((#native::MIN..#from_code).rev())
                } else {
                    expr!(#from_code..=#native::MAX)
                }
            }
            _ => {
                return Err(self.scope.unsupported(
                    s.span,
                    "a `for` loop over a type that is not an integer type",
                ));
            }
        };
        self.looped(s, LoopHead::For(name.into(), iterator), |b| {
            b.block(body, false)
        })
    }

    pub(super) fn if_stmt(
        &mut self,
        guard: &Guard,
        then: &Block,
        els: Option<&Stmt>,
        at_end: bool,
    ) -> Translated<Stmts> {
        let cond = match guard {
            Guard::Expr(e) => self.value(e)?,
            // As in compiled Dafny, a branch that can be skipped is skipped.
            Guard::Star => els.is_some().into(),
            Guard::Binding(vars) => self.found(vars)?,
        };
        let then = self.block(then, at_end)?;
        let els = match els.filter(|e| !e.ghost) {
            None => None,
            Some(e) => {
                let inner = if let StmtKind::Block(b) = &e.kind
                    && e.labels.is_empty()
                {
                    self.block(b, at_end)?
                } else {
                    self.end.is_next = at_end;
                    self.stmt(e)?
                };
                (!inner.is_empty()).then(|| rust::Expr::block(inner))
            }
        };
        Ok(vec![rust::Stmt::Value(rust::Expr::branch(cond, then, els))])
    }

    pub(super) fn guarded(
        &mut self,
        cases: &[GuardedCase],
        none: rust::Expr,
        at_end: bool,
    ) -> Translated<Stmts> {
        let mut branches = Vec::new();
        for case in cases {
            let cond = match &case.guard {
                Guard::Expr(e) => self.value(e)?,
                Guard::Star => expr!(true),
                Guard::Binding(vars) => self.found(vars)?,
            };
            // The first case whose guard holds is chosen, as in compiled Dafny.
            branches.push((cond, self.block(&case.body, at_end)?));
        }
        let branched = branches.into_iter().rev().fold(none, |rest, (cond, body)| {
            rust::Expr::branch(cond, body, Some(rest))
        });
        Ok(vec![rust::Stmt::Value(branched)])
    }

    pub(super) fn looped(
        &mut self,
        s: &Stmt,
        head: LoopHead,
        body: impl FnOnce(&mut Self) -> Translated<Stmts>,
    ) -> Translated<Stmts> {
        let name = self.label(&s.labels);
        let inner = self.with_jump(Jump::Loop(s.labels.clone(), name.clone()), body)?;
        let label = self.jumps.is_used(&name).then_some(name);
        let body = rust::Block { stmts: inner };
        Ok(vec![rust::Stmt::Value(rust::Expr::Loop(Box::new(
            rust::Loop { label, head, body },
        )))])
    }

    /// Writes a label: its Dafny name if it has one.
    pub(super) fn label(&mut self, labels: &[Name]) -> String {
        let word = labels
            .first()
            .map_or_else(|| "outer".to_owned(), |l| snake_case(l));
        let word = if word.starts_with(|c: char| c.is_ascii_digit()) {
            format!("l{word}")
        } else {
            word
        };
        // Unlike a variable, a label cannot be a raw identifier.
        let word = if ident(&word).to_string().starts_with("r#") {
            format!("{word}_")
        } else {
            word
        };
        without_raw(&self.make_up(&word).to_string()).to_owned()
    }

    pub(super) fn jump(
        &mut self,
        is_continue: bool,
        target: &BreakTarget,
        s: &Stmt,
    ) -> Translated<Stmts> {
        let label = self.jumps.resolve(target).ok_or_else(|| {
            self.scope
                .unsupported(s.span, "a jump out of an enclosing construct")
        })?;
        Ok(vec![rust::Stmt::Run(if is_continue {
            rust::Expr::Continue(label)
        } else {
            rust::Expr::Break(label, None)
        })])
    }

    /// Translates `forall x | P { a[x] := e; }`: all values are computed before the first store.
    pub(super) fn forall(
        &mut self,
        vars: &Quantified,
        body: &Block,
        s: &Stmt,
    ) -> Translated<Stmts> {
        // Supported is one assignment; all values are computed before the first one is stored.
        let stmts = flat(&body.stmts);
        let [
            Stmt {
                kind: StmtKind::Assign { declares, pairs },
                ..
            },
        ] = stmts.as_slice()
        else {
            if stmts.is_empty() {
                return Ok(Vec::new());
            }
            return Err(self
                .scope
                .unsupported(s.span, "a `forall` statement with this body"));
        };
        let ([(target, Rhs::Expr(value))], true) = (pairs.as_slice(), declares.is_empty()) else {
            return Err(self
                .scope
                .unsupported(s.span, "a `forall` statement with this body"));
        };
        // A value may read an element that another iteration assigns.
        let updates = &self.make_up("updates");
        let mut store = Vec::new();
        let filling = self.loops(vars, &mut |b| {
            let v = b.value(value)?;
            match target {
                Target::Element { array, indices } => {
                    let array = b.value(array)?;
                    let mut at = Vec::new();
                    for i in indices {
                        at.push(b.value(i)?);
                    }
                    let at = rust::Expr::one_or_tuple(at);
                    store =
                        stmts!(for (array, index, value) in #updates { array.set(index, value); });
                    Ok(stmts!((&mut #updates).push((#array, #at, #v));))
                }
                Target::Field { object, field } => {
                    let object = b.value(object)?;
                    let name = ident(b.scope.ground.names.field(*field));
                    store = stmts!(for (object, value) in #updates { object.#name.set(value); });
                    Ok(stmts!((&mut #updates).push((#object, #v));))
                }
                Target::Local(_) | Target::Discard(_) => Err(b
                    .scope
                    .unsupported(s.span, "a `forall` statement with this body")),
            }
        })?;
        Ok(stmts!({ let mut #updates = std::vec::Vec::new(); #..filling #..store }))
    }
}
