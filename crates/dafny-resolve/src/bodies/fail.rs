//! Statements that propagate failure: `x :- e` (reference manual, "Update with Failure Statement").

use crate::typed::{AssignOrFail, ExprKind, LocalId, OnFailure, Stmt, StmtKind, Target, Type};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::Member;
use super::Resolver;
use super::assign::{Right, RightKind};
use super::expr::mk;
use super::stmt::stmt;

impl Resolver<'_> {
    /// Resolves the right-hand sides of `:-`. The first target receives the result of `Extract`, so
    /// its type is no hint for the first right-hand side.
    pub(super) fn failing(
        &mut self,
        rhs: &[ast::Rhs],
        types: &[Type],
        targets: usize,
    ) -> Vec<Right> {
        let skip = usize::from(targets > 0);
        rhs.iter()
            .enumerate()
            .map(|(i, r)| {
                self.right(
                    r,
                    if i == 0 {
                        None
                    } else {
                        types.get(i - 1 + skip)
                    },
                )
            })
            .collect()
    }

    /// Whether the type has a ghost function `Extract`.
    fn is_ghost_extract(&mut self, ty: &Type) -> bool {
        match self.find_member(ty, "Extract") {
            Some(((Member::Callable(c), _), _)) => self.cx.program[c].ghost,
            Some(((Member::Field(_) | Member::Ctor(_) | Member::CtorTest(_), _), _)) | None => {
                false
            }
        }
    }

    /// Whether a target of `:-` at `statement` can be ghost: it is declared ghost, or declared by this
    /// statement, which makes it ghost.
    fn takes_ghost_value(&self, target: &Target, statement: Span) -> bool {
        match target {
            Target::Local(l) => {
                let local = &self.cx.program[*l];
                let is_declared_here =
                    statement.start <= local.span.start && local.span.end <= statement.end;
                local.ghost || is_declared_here
            }
            Target::Field { field, .. } => self.cx.program[*field].ghost,
            Target::Element { .. } => false,
            Target::Discard(_) => true,
        }
    }

    pub(super) fn assign_or_fail(
        &mut self,
        declares: Vec<LocalId>,
        targets: Vec<(Target, Type)>,
        keyword: Option<ast::FailureKeyword>,
        mut rights: Vec<Right>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        if rights.is_empty() {
            return;
        }
        // The first value has the failure-compatible type: its members decide how the statement
        // continues.
        let first = rights.remove(0);
        let status = match &first.kind {
            RightKind::Value(_, t) => t.clone(),
            RightKind::Call(call, outs) => match outs.first() {
                Some(t) => t.clone(),
                None => {
                    let name = self.cx.program[call.callee].name.clone();
                    self.error(
                        "resolve/not-failure-compatible",
                        span,
                        format!("`{name}` returns no result for `:-` to check"),
                    );
                    return;
                }
            },
        };
        if keyword.is_none() && self.st.outs.is_empty() {
            return self.nowhere_to_fail(span);
        }
        let shape = self.base(&status);
        let has_extract = self.find_member(&shape, "Extract").is_some();
        if !self.counts_agree(&first.kind, rights.len(), targets.len(), &status, span) {
            return;
        }
        // The first value is stored in a compiled temporary variable, on which `IsFailure`,
        // `PropagateFailure` and `Extract` are called.
        let temp = self
            .cx
            .add_local("_fail".into(), status.clone(), false, true, span);
        let this = mk(ExprKind::Local(temp), status.clone(), span);
        let Some((is_failure, propagate)) = self.failure_members(&this, keyword.is_none(), span)
        else {
            return;
        };
        if let Some((target, _)) = targets.first()
            && self.is_ghost_extract(&shape)
            && !self.takes_ghost_value(target, span)
        {
            let message = "the ghost function `Extract` can give its value to ghost variables only";
            self.error("resolve/ghost-in-compiled", span, message);
        }
        let mut targets = targets.into_iter();
        let extract = if has_extract {
            match targets.next() {
                Some((target, ty)) => self.member_call(&this, "Extract", span).map(|value| {
                    self.expect_type(&value.ty, &ty, span);
                    (target, value)
                }),
                None => None,
            }
        } else {
            None
        };
        let rest: Vec<(Target, Type)> = targets.collect();
        let Some(compute) = self.compute_values((first, rights), (temp, status), rest, span) else {
            return;
        };
        // Without a keyword, a failure is assigned to the first out-parameter and the method
        // returns.
        let on_failure = match keyword {
            Some(ast::FailureKeyword::Expect) => OnFailure::Expect,
            Some(ast::FailureKeyword::Assert) => OnFailure::Assert,
            Some(ast::FailureKeyword::Assume) => OnFailure::Assume,
            None => match self.st.outs.first().copied() {
                Some(out) => {
                    let Some(value) = propagate else { return };
                    let ty = self.cx.program[out].ty.clone();
                    self.expect(&value, &ty);
                    OnFailure::Propagate { out, value }
                }
                None => return,
            },
        };
        let parts = AssignOrFail {
            declares,
            compute,
            temp,
            is_failure,
            on_failure,
            extract,
        };
        out.push(stmt(StmtKind::AssignOrFail(Box::new(parts)), span));
    }

    /// Reports `:-` without a keyword in a method that has no place for the failure.
    fn nowhere_to_fail(&mut self, span: Span) {
        let d = Diagnostic::error(
            "resolve/no-out-parameter",
            span,
            "`:-` requires the enclosing method to have an out-parameter that receives the failure",
        );
        self.report(d.with_help("add `returns (r: …)`, or write `:- expect`"));
    }

    /// Whether `:-` has as many values as its targets take. It consumes the first value unless
    /// the type of that has `Extract`.
    fn counts_agree(
        &mut self,
        first: &RightKind,
        further: usize,
        targets: usize,
        status: &Type,
        span: Span,
    ) -> bool {
        let shape = self.base(status);
        let has_extract = self.find_member(&shape, "Extract").is_some();
        let values = match first {
            RightKind::Call(_, outs) if further == 0 => outs.len(),
            RightKind::Value(..) | RightKind::Call(..) => 1 + further,
        };
        let taken = if has_extract { targets } else { targets + 1 };
        // A type without `IsFailure` is reported as such.
        if self.find_member(&shape, "IsFailure").is_none() || values == taken {
            return true;
        }
        let shown = self.show(status);
        let extracted = if has_extract { "with" } else { "without" };
        let message = format!(
            "the right-hand side has {values} values, the left-hand side {targets}: {shown} is a type {extracted} `Extract`"
        );
        self.error("resolve/value-count", span, message);
        false
    }

    /// Builds the statement that assigns the first value to the temporary variable, and the other
    /// values as `:=` does, by one call or by one value each. Returns `None` after an error.
    fn compute_values(
        &mut self,
        (first, rights): (Right, Vec<Right>),
        (temp, status): (LocalId, Type),
        rest: Vec<(Target, Type)>,
        span: Span,
    ) -> Option<Stmt> {
        match first.kind {
            RightKind::Call(call, outs) => {
                if outs.len() != rest.len() + 1 || !rights.is_empty() {
                    let name = self.cx.program[call.callee].name.clone();
                    let message = format!(
                        "`{name}` returns {} results; besides the one that `:-` checks, {} are assigned",
                        outs.len(),
                        rest.len()
                    );
                    self.error("resolve/value-count", span, message);
                    return None;
                }
                for (o, (_, t)) in outs.iter().skip(1).zip(&rest) {
                    self.expect_type(o, t, span);
                }
                let targets = std::iter::once(Target::Local(temp))
                    .chain(rest.into_iter().map(|(t, _)| t))
                    .collect();
                let declares = vec![temp];
                let kind = StmtKind::Call {
                    declares,
                    targets,
                    call,
                };
                Some(stmt(kind, span))
            }
            RightKind::Value(rhs, ty) => {
                let mut all = vec![(Target::Local(temp), status)];
                all.extend(rest);
                let mut values = vec![Right {
                    kind: RightKind::Value(rhs, ty),
                    span: first.span,
                }];
                values.extend(rights);
                let mut compute = Vec::new();
                self.assign(vec![temp], all, values, span, span, &mut compute);
                compute.pop()
            }
        }
    }
}
