//! Checks that two-state expressions (`old`, `fresh`, `unchanged`, calls of two-state functions)
//! are only used where there are two states (reference manual, "Old and Old@ Expressions",
//! "Two-state lemmas and functions", "Labeled Statements").

use crate::typed::{
    Arena, Body, Call, CallableId, CallableKind, Expr, FieldId, FieldKind, Origin, Spec, Stmt,
    StmtKind, Temporal, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};
use dafny_source::Span;

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let callables: Vec<CallableId> = program.ids();
    for id in callables {
        callable(c, id);
    }
    let fields: Vec<FieldId> = program.ids();
    for id in fields {
        if let FieldKind::Const(Some(e)) = &program[id].kind {
            Contexts {
                no_allocation: Some("a constant"),
                ..Contexts::new(c, false)
            }
            .expr(e);
        }
    }
    let types: Vec<TypeId> = program.ids();
    for id in types {
        match &program[id].kind {
            TypeDeclKind::Newtype(t) | TypeDeclKind::Subset(t) => {
                let what = if matches!(program[id].kind, TypeDeclKind::Newtype(_)) {
                    "a newtype"
                } else {
                    "a subset type"
                };
                let mut one = Contexts {
                    no_allocation: Some(what),
                    ..Contexts::new(c, false)
                };
                t.constraint.iter().for_each(|e| one.expr(e));
                match &t.witness {
                    Witness::Compiled(e) | Witness::Ghost(e) => one.expr(e),
                    Witness::Default | Witness::Opt => {}
                }
            }
            TypeDeclKind::Iterator(parts) => {
                contract(c, &parts.spec, false, true, None);
                visit::walk_clauses(&mut Contexts::new(c, false), &parts.yield_requires);
                let mut two = Contexts::new(c, true);
                visit::walk_clauses(&mut two, &parts.yield_ensures);
                parts
                    .body
                    .iter()
                    .for_each(|b| visit::walk_block(&mut two, b));
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => {}
        }
    }
}

fn callable(c: &mut Check<'_>, id: CallableId) {
    let callable = &c.program()[id];
    // The contracts of an iterator's members were checked with the iterator.
    if callable
        .owner
        .is_some_and(|o| matches!(c.program()[o].kind, TypeDeclKind::Iterator(_)))
    {
        return;
    }
    let function = callable.kind.is_function();
    let two_state = callable.kind == CallableKind::TwostateFunction
        || c.cx.callables.two_state_lemmas.contains(&id);
    // A method ends in another state than it begins in; a function has one state, unless it is
    // `twostate`.
    let body = two_state || !function;
    let no_allocation = function.then_some("a function");
    contract(c, &callable.spec, two_state, body, no_allocation);
    for formal in &callable.ins {
        formal.default.iter().for_each(|e| {
            Contexts {
                no_allocation,
                ..Contexts::new(c, two_state)
            }
            .expr(e)
        });
    }
    let mut inside = Contexts {
        no_allocation,
        ..Contexts::new(c, body)
    };
    match &callable.body {
        Body::None => {}
        Body::Expr(e) => inside.expr(e),
        Body::Block(b) => inside.block(b),
        Body::ByMethod(e, b) => {
            inside.expr(e);
            // The statements of a function-by-method are those of a method.
            Contexts::new(c, true).block(b);
        }
    }
}

fn contract(
    c: &mut Check<'_>,
    spec: &Spec,
    before: bool,
    after: bool,
    no_allocation: Option<&'static str>,
) {
    let mut one = Contexts {
        no_allocation,
        ..Contexts::new(c, before)
    };
    visit::walk_clauses(&mut one, &spec.requires);
    // Frames are evaluated at the beginning, where there is no earlier state, even for two-state
    // callables.
    one.two_state = false;
    visit::walk_frames(&mut one, &spec.reads);
    visit::walk_frames(&mut one, &spec.modifies);
    one.two_state = before;
    spec.decreases.iter().for_each(|e| one.expr(e));
    let mut two = Contexts {
        no_allocation,
        ..Contexts::new(c, after)
    };
    visit::walk_clauses(&mut two, &spec.ensures);
}

struct Contexts<'a, 'b> {
    check: &'a mut Check<'b>,
    /// Whether there is an earlier state.
    two_state: bool,
    /// The construct that has to be independent of the allocated objects, as text.
    no_allocation: Option<&'static str>,
}

impl<'a, 'b> Contexts<'a, 'b> {
    fn new(check: &'a mut Check<'b>, two_state: bool) -> Self {
        Self {
            check,
            two_state,
            no_allocation: None,
        }
    }

    /// Runs `act` in the state of an `old` expression, which has no earlier one. Dafny lets a
    /// function depend on allocation there.
    fn in_one_state(&mut self, act: impl FnOnce(&mut Self)) {
        let outer = (
            std::mem::replace(&mut self.two_state, false),
            self.no_allocation.take_if(|what| *what == "a function"),
        );
        act(self);
        self.two_state = outer.0;
        self.no_allocation = self.no_allocation.or(outer.1);
    }

    fn needs_two_states(&mut self, what: &str, span: Span) {
        if !self.two_state {
            self.check.error(
                "resolve/two-state",
                span,
                format!("{what} not allowed in this context"),
            );
        }
    }
}

impl<'t> Visit<'t> for Contexts<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        if e.kind.comprehension().is_some() {
            // Arguments of attributes are not part of the tree; those of a comprehension are found
            // by position.
            let cx = self.check.cx;
            let within = cx
                .text
                .attribute_exprs
                .iter()
                .filter(|a| e.span.contains_span(a.span));
            within.for_each(|a| self.expr(a));
        }
        match e.kind.temporal() {
            Some(Temporal::Old(inner)) => {
                self.needs_two_states("old expressions are", e.span);
                self.in_one_state(|c| c.expr(inner));
                return;
            }
            Some(Temporal::Fresh(_)) => self.needs_two_states("fresh expressions are", e.span),
            Some(Temporal::Unchanged(_)) => {
                self.needs_two_states("unchanged expressions are", e.span)
            }
            Some(Temporal::Allocated(_)) => {
                if let Some(what) = self.no_allocation {
                    let message = format!("{what} cannot depend on which objects are allocated");
                    self.check
                        .error("resolve/depends-on-allocation", e.span, message);
                }
            }
            None => {}
        }
        let is_two_state =
            |c: CallableId| self.check.program()[c].kind == CallableKind::TwostateFunction;
        match e.kind.origin() {
            Some(Origin::Call(Call { callee, .. })) if is_two_state(*callee) => {
                let what = format!(
                    "a call of the two-state function '{}' is",
                    self.check.program()[*callee].name
                );
                self.needs_two_states(&what, e.span);
            }
            Some(Origin::Function(callee)) if is_two_state(callee) => {
                let what = format!(
                    "the two-state function '{}' is",
                    self.check.program()[callee].name
                );
                self.needs_two_states(&what, e.span);
            }
            Some(
                Origin::Call(_)
                | Origin::Function(_)
                | Origin::Local(_)
                | Origin::Field(_)
                | Origin::Ctor(..),
            )
            | None => {}
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Call { call, .. } = &s.kind
            && !self.two_state
            && self
                .check
                .cx
                .callables
                .two_state_lemmas
                .contains(&call.callee)
        {
            let name = &self.check.program()[call.callee].name;
            self.check.error(
                "resolve/two-state",
                s.span,
                format!("the two-state lemma `{name}` can be called only in a two-state context"),
            );
            visit::walk_stmt(self, s);
        } else {
            visit::walk_stmt(self, s)
        }
    }
}
