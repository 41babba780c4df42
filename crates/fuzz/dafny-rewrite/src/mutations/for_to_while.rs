//! Converts `for i := a to b { … }` to `while i != b { …; i := i + 1; }`.
//!
//! Both bounds are evaluated once, before the loop, into variables of the index's type. That the
//! lower bound does not exceed the upper one is asserted, and that the index stays between them is
//! an invariant, as the language specifies (reference manual, section 8.15). The measure is the
//! distance to the end.
//!
//! The index is stepped at the end of the body. If a `continue` would skip that, it is stepped in
//! the first statement, and the body uses a copy. The result is a block, so that no name escapes
//! the loop.

use dafny_resolve::typed::{LocalId, Type};
use dafny_source::Name;
use dafny_syntax::ast::{
    self, BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, Guard, Literal, Spec, Stmt, StmtKind,
};

use crate::build::{
    assert, assign, binary, block, boolean, chain, clause, declare, expr, int, invariant,
    named_type, rhs, stmt, var,
};
use crate::edit::{replace_exprs, replace_stmt};
use crate::jumps::{self, Jump};
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::{Context, Look, scan};
use crate::types::Writer;

/// The `for` loops with a body and an index whose integer type can be written.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Place<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn stmts(&mut self, cx: &Context<'w>, stmts: &'w [Stmt]) {
        let facts = self.work.facts;
        for s in stmts {
            let StmtKind::For {
                index,
                ty,
                body: Some(_),
                ..
            } = &s.kind
            else {
                continue;
            };
            let Some(local) = facts.declared(index) else {
                continue;
            };
            let real = &facts.program[local].ty;
            if facts.program.representation(real) != Type::Int {
                continue;
            }
            let writer = Writer {
                work: self.work,
                cx,
                owner: None,
            };
            let Some(ty) = ty.clone().or_else(|| writer.write(real)) else {
                continue;
            };
            let plain = facts.program.strip_subset(real) == Type::Int;
            let (work, ghost) = (self.work, cx.ghost || facts.is_ghost(s));
            self.found.push(Place::new(s.span, move |rng, names| {
                let mut file = work.file.clone();
                let how = How {
                    work,
                    local,
                    ty: ty.clone(),
                    plain,
                    ghost,
                };
                replace_stmt(&mut file, s.span, |old| vec![how.rewrite(old, rng, names)])
                    .then_some(file)
            }));
        }
    }
}

/// The properties of a loop that the rewriting depends on.
struct How<'w> {
    work: &'w Work<'w>,
    local: LocalId,
    /// The type of the index.
    ty: ast::Type,
    /// Whether the type is `int`, so that differences of values have the type.
    plain: bool,
    ghost: bool,
}

impl How<'_> {
    fn rewrite(&self, old: Stmt, rng: &mut Random, names: &mut Names) -> Stmt {
        let Stmt {
            labels,
            attributes,
            kind,
            span,
        } = old;
        let StmtKind::For {
            index,
            ty,
            from,
            down,
            to,
            spec,
            body,
        } = kind
        else {
            return Stmt {
                labels,
                attributes,
                kind,
                span,
            };
        };
        let Some(body) = body else {
            return Stmt {
                labels,
                attributes,
                kind: StmtKind::For {
                    index,
                    ty,
                    from,
                    down,
                    to,
                    spec,
                    body,
                },
                span,
            };
        };
        // Step 1: evaluate both bounds once. Dafny checks their order for a `for` loop, so assert
        // it.
        let mut before = Vec::new();
        let first = self.bound(from, if down { "high" } else { "low" }, names, &mut before);
        let last =
            to.map(|to| self.bound(to, if down { "low" } else { "high" }, names, &mut before));
        let i = &*index.name;
        let (low, high) = if down {
            (last.clone(), Some(first.clone()))
        } else {
            (Some(first.clone()), last.clone())
        };
        if let (Some(low), Some(high)) = (&low, &high) {
            before.push(assert(binary(BinaryOp::Le, low.clone(), high.clone())));
        }
        // Step 2: choose where the counter is stepped. Counting downwards steps it first in any
        // case. Upwards it has to be stepped first if a `continue` would skip the end of the body,
        // and sometimes is for variety.
        let ahead = !down && (jumps::has(&body, &labels, Jump::Continue) || rng.below(4) == 0);
        let counter = if ahead {
            names.fresh(&format!("next_{i}"))
        } else {
            index.name.clone()
        };
        before.push(declare(
            self.ghost,
            &counter,
            Some(self.ty.clone()),
            rhs(first),
        ));
        // Step 3: the loop with the counter.
        let guard = counting_guard(&counter, last.as_ref(), down, rng);
        let spec = self.spec(
            spec,
            &counter,
            ahead,
            low,
            high,
            last.map(|last| (last, down)),
        );
        let body = self.counting_body(body, i, &counter, ahead, down);
        before.push(Stmt {
            labels,
            attributes,
            kind: StmtKind::While {
                guard: Guard::Expr(guard),
                spec,
                body: Some(body),
            },
            span,
        });
        stmt(StmtKind::Block(block(before)))
    }

    /// Returns the body with the step of the counter. Upwards it sees the value of the counter before
    /// the step, downwards the value after it.
    fn counting_body(
        &self,
        body: Block,
        i: &str,
        counter: &Name,
        ahead: bool,
        down: bool,
    ) -> Block {
        let step = assign(
            var(counter),
            binary(
                if down { BinaryOp::Sub } else { BinaryOp::Add },
                var(counter),
                int(1),
            ),
        );
        match (ahead, down) {
            (true, _) => {
                let seen = declare(self.ghost, i, Some(self.ty.clone()), rhs(var(counter)));
                with(body, vec![seen, step], vec![])
            }
            (false, true) => with(body, vec![step], vec![]),
            (false, false) => with(body, vec![], vec![step]),
        }
    }

    /// A bound: a literal is used directly, any other value is stored in a variable.
    fn bound(&self, value: Expr, wish: &str, names: &mut Names, before: &mut Vec<Stmt>) -> Expr {
        if matches!(value.kind, ExprKind::Literal(Literal::Int(_))) {
            return value;
        }
        let name = names.fresh(wish);
        before.push(declare(
            self.ghost,
            &name,
            Some(self.ty.clone()),
            rhs(value),
        ));
        var(&name)
    }

    /// The contract of the loop: the range of the index first, then the written clauses, then the
    /// measure if the loop has an end.
    fn spec(
        &self,
        old: Spec,
        counter: &str,
        ahead: bool,
        low: Option<Expr>,
        high: Option<Expr>,
        last: Option<(Expr, bool)>,
    ) -> Spec {
        let range = match (low, high) {
            (Some(low), Some(high)) => Some(chain(
                low,
                vec![(BinaryOp::Le, var(counter)), (BinaryOp::Le, high)],
            )),
            (Some(low), None) => Some(binary(BinaryOp::Le, low, var(counter))),
            (None, Some(high)) => Some(binary(BinaryOp::Le, var(counter), high)),
            (None, None) => None,
        };
        let mut clauses: Vec<Clause> = range.map(invariant).into_iter().collect();
        let mut old = old;
        if ahead {
            // At the head of the loop, the index equals the counter.
            replace_exprs(&mut old, &mut |e| {
                (self.work.facts.local(e) == Some(self.local)).then(|| var(counter))
            });
        }
        clauses.extend(old.clauses);
        if let Some((last, down)) = last {
            let (more, less) = if down {
                (var(counter), last)
            } else {
                (last, var(counter))
            };
            clauses.push(clause(ClauseKind::Decreases(vec![binary(
                BinaryOp::Sub,
                self.number(more),
                self.number(less),
            )])));
        }
        Spec { clauses }
    }

    fn number(&self, e: Expr) -> Expr {
        if self.plain {
            e
        } else {
            expr(ExprKind::As(Box::new(e), named_type("int", vec![])))
        }
    }
}

/// Surrounds a body with statements. The body becomes a block, because its declarations may clash
/// with names used there.
fn with(body: Block, before: Vec<Stmt>, after: Vec<Stmt>) -> Block {
    let hides = body
        .stmts
        .iter()
        .any(|s| matches!(s.kind, StmtKind::VarDecl(_) | StmtKind::VarPattern { .. }));
    let inner = if hides {
        vec![stmt(StmtKind::Block(body))]
    } else {
        body.stmts
    };
    block(before.into_iter().chain(inner).chain(after).collect())
}

/// Returns the guard of a loop that counts to `last`. With the invariant on the range, `!=` and an
/// order comparison are equivalent.
fn counting_guard(counter: &Name, last: Option<&Expr>, down: bool, rng: &mut Random) -> Expr {
    match last {
        None => boolean(true),
        Some(last) if rng.flip() => binary(BinaryOp::Ne, var(counter), last.clone()),
        Some(last) => binary(
            if down { BinaryOp::Gt } else { BinaryOp::Lt },
            var(counter),
            last.clone(),
        ),
    }
}
