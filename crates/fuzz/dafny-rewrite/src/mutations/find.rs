//! Search for places of mutations that change a single statement or expression.

use dafny_resolve::typed::visit::{Visit as VisitTyped, walk_call, walk_callable};
use dafny_resolve::typed::{Call, CallableId, CallableKind, Program};
use dafny_syntax::ast::{Expr, Stmt};
use dafny_syntax::visit::{Node, Visit};
use rustc_hash::FxHashSet;

use crate::mutation::{Place, Work};
use crate::scan::{Context, Look, scan};

/// Places among statements. `place` receives each statement list and an index in it. Constructors
/// are skipped, because they have two phases, and so are proofs.
pub(crate) fn in_lists<'w>(
    work: &'w Work<'w>,
    place: impl Fn(&Context<'w>, &'w [Stmt], usize) -> Option<Place<'w>>,
) -> Vec<Place<'w>> {
    struct Find<'w, F> {
        work: &'w Work<'w>,
        place: F,
        found: Vec<Place<'w>>,
    }
    impl<'w, F: Fn(&Context<'w>, &'w [Stmt], usize) -> Option<Place<'w>>> Look<'w> for Find<'w, F> {
        fn stmts(&mut self, cx: &Context<'w>, stmts: &'w [Stmt]) {
            let Some(callable) = cx.callable else { return };
            let constructs = self.work.facts.program[callable].kind == CallableKind::Constructor;
            if !(cx.proof || cx.spec || cx.apart || cx.bound || constructs) {
                self.found
                    .extend((0..stmts.len()).filter_map(|at| (self.place)(cx, stmts, at)));
            }
        }
    }
    let mut find = Find {
        work,
        place,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

/// Places among expressions that are compiled or specified. Skips expressions that determine the
/// enumeration of values, triggers of quantifiers, and measures that the verifier infers, and code
/// where types may be known by name only.
pub(crate) fn in_exprs<'w>(
    work: &'w Work<'w>,
    place: impl Fn(&Context<'w>, &'w Expr) -> Option<Place<'w>>,
) -> Vec<Place<'w>> {
    struct Find<'w, F> {
        work: &'w Work<'w>,
        place: F,
        found: Vec<Place<'w>>,
    }
    impl<'w, F: Fn(&Context<'w>, &'w Expr) -> Option<Place<'w>>> Look<'w> for Find<'w, F> {
        fn expr(&mut self, cx: &Context<'w>, e: &'w Expr) -> bool {
            if cx.hidden || cx.apart || cx.bound || cx.proof || cx.measured || cx.before_new {
                return false;
            }
            let Some(callable) = cx.callable.map(|c| &self.work.facts.program[c]) else {
                return false;
            };
            let fits = match callable.kind {
                CallableKind::Function
                | CallableKind::Method
                | CallableKind::Lemma
                | CallableKind::Constructor => !callable.is_two_state,
                CallableKind::TwostateFunction
                | CallableKind::LeastPredicate
                | CallableKind::GreatestPredicate => false,
            };
            if !fits
                || callable
                    .attributes
                    .iter()
                    .any(|a| matches!(&*a.name, "tailrecursion" | "abstemious"))
            {
                return false;
            }
            self.found.extend((self.place)(cx, e));
            true
        }
    }
    let mut find = Find {
        work,
        place,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

/// Whether the statement or a nested one has a label, or asserts something with a name.
pub(crate) fn has_labels(s: &Stmt) -> bool {
    struct Labels(bool);
    impl<'t> Visit<'t> for Labels {
        fn stmt(&mut self, node: &'t Stmt) {
            self.0 |= !node.labels.is_empty()
                || matches!(
                    &node.kind,
                    dafny_syntax::ast::StmtKind::Assert { label: Some(_), .. }
                );
            node.walk(self);
        }
        fn clause(&mut self, node: &'t dafny_syntax::ast::Clause) {
            self.0 |= node.label.is_some();
            node.walk(self);
        }
    }
    let mut labels = Labels(false);
    s.accept(&mut labels);
    labels.0
}

/// All callables that executions and proofs of a callable may reach by calls. It includes the
/// callable itself only if it is recursive.
pub(crate) fn reached(program: &Program, from: CallableId) -> FxHashSet<CallableId> {
    struct Calls(Vec<CallableId>);
    impl<'t> VisitTyped<'t> for Calls {
        fn call(&mut self, c: &'t Call) {
            self.0.push(c.callee);
            walk_call(self, c);
        }
        fn expr(&mut self, e: &'t dafny_resolve::typed::Expr) {
            if let dafny_resolve::typed::ExprKind::FunctionRef { callee, .. } = &e.kind {
                self.0.push(*callee);
            }
            dafny_resolve::typed::visit::walk_expr(self, e);
        }
    }
    let calls = |id: CallableId| {
        let mut calls = Calls(Vec::new());
        walk_callable(&mut calls, &program[id]);
        calls.0
    };
    let mut found = FxHashSet::default();
    let mut todo = calls(from);
    while let Some(next) = todo.pop() {
        if found.insert(next) {
            todo.extend(calls(next));
        }
    }
    found
}
