//! Termination: only a method with `decreases *` may have loops with `decreases *` and call such
//! methods (reference manual, "Decreases clause").
//!
//! Also checks default values of parameters, which must not depend on themselves.

use crate::typed::{CallableId, Expr, LocalId};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::BodyWork;
use super::{Resolver, bounds};

/// Whether the contract has `decreases *`.
pub(super) fn diverges(spec: &ast::Spec) -> bool {
    star(spec).is_some()
}

/// The span of `*` in a measure.
fn star(spec: &ast::Spec) -> Option<Span> {
    spec.clauses.iter().find_map(|c| match &c.kind {
        ast::ClauseKind::Decreases(es) => es
            .iter()
            .find(|e| matches!(e.kind, ast::ExprKind::Wildcard))
            .map(|e| e.span),
        ast::ClauseKind::Requires(_)
        | ast::ClauseKind::Ensures(_)
        | ast::ClauseKind::Invariant(_)
        | ast::ClauseKind::Reads(_)
        | ast::ClauseKind::Modifies(_) => None,
    })
}

impl Resolver<'_> {
    /// Checks the measure of a loop at `span`. `end`: for a `for` loop, whether it has an upper
    /// bound.
    pub(super) fn loop_ends(&mut self, spec: &ast::Spec, end: Option<bool>, span: Span) {
        let measure = spec.clauses.iter().find_map(|c| match &c.kind {
            ast::ClauseKind::Decreases(es) => Some(es.first().map_or(c.span, |e| e.span)),
            ast::ClauseKind::Requires(_)
            | ast::ClauseKind::Ensures(_)
            | ast::ClauseKind::Invariant(_)
            | ast::ClauseKind::Reads(_)
            | ast::ClauseKind::Modifies(_) => None,
        });
        let endless = match (end, measure) {
            (Some(true), Some(at)) => {
                let message = "a `for` loop can have a `decreases` clause only if it has no upper bound (`to *`)";
                let d = Diagnostic::error("resolve/for-decreases", at, message);
                self.report(d.with_help("remove it: the loop terminates by itself"));
                star(spec)
            }
            (Some(false), None) => Some(span),
            (Some(false) | None, Some(_)) => star(spec),
            (Some(true) | None, None) => None,
        };
        if let Some(at) = endless.filter(|_| !self.st.diverges) {
            let d = Diagnostic::error(
                "resolve/non-termination",
                at,
                "this loop may not terminate, but the enclosing method must",
            );
            self.report(d.with_help(
                "give the loop a termination measure, or declare the method with `decreases *`",
            ));
        }
    }

    /// Reports the call of a method with `decreases *` from code that has to terminate.
    pub(super) fn call_ends(&mut self, callee: CallableId, span: Span) {
        if self.st.diverges {
            return;
        }
        let diverges = match self.callables.get(&callee).and_then(|i| self.work.get(*i)) {
            Some(BodyWork::Method { ast, .. }) => diverges(&ast.spec),
            _ => false,
        };
        if diverges {
            let name = self.cx.program[callee].name.clone();
            let message = format!("`{name}` may not terminate, but the method that calls it must");
            let d = Diagnostic::error("resolve/non-termination", span, message);
            self.report(d.with_help("declare the calling method with `decreases *`"));
        }
    }

    /// Reports cycles among default values, each at its first parameter. The reported cycles have
    /// no parameter in common.
    pub(super) fn default_cycles(&mut self, formals: &[(LocalId, Option<&Expr>)]) {
        let mut search = Search {
            formals,
            path: Vec::new(),
            done: Vec::new(),
            cycles: Vec::new(),
        };
        formals.iter().for_each(|(local, _)| search.visit(*local));
        for cycle in search.cycles {
            let Some(first) = cycle.first() else { continue };
            let names: Vec<&str> = cycle
                .iter()
                .chain([first])
                .map(|l| &*self.cx.program[*l].name)
                .collect();
            let message = format!(
                "cyclic dependency between default values: {}",
                names.join(" -> ")
            );
            let span = self.cx.program[*first].span;
            self.error("resolve/cyclic-default", span, message);
        }
    }
}

/// A search for cycles among default values.
struct Search<'a> {
    formals: &'a [(LocalId, Option<&'a Expr>)],
    path: Vec<LocalId>,
    done: Vec<LocalId>,
    cycles: Vec<Vec<LocalId>>,
}

impl Search<'_> {
    fn visit(&mut self, at: LocalId) {
        if self.done.contains(&at) {
            return;
        }
        if let Some(from) = self.path.iter().position(|l| *l == at) {
            let cycle = self.path.get(from..).unwrap_or_default().to_vec();
            self.done.extend(&cycle);
            self.cycles.push(cycle);
            return;
        }
        let Some((_, Some(default))) = self.formals.iter().find(|(l, _)| *l == at) else {
            return;
        };
        self.path.push(at);
        for (next, _) in self.formals {
            if bounds::mentions(default, &[*next]) {
                self.visit(*next);
            }
        }
        self.path.pop();
        self.done.push(at);
    }
}
