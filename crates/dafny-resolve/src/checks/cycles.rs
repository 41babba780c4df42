//! Cyclic definitions. The constraint of a type must not depend on the type, nor the value of a
//! constant on the constant. A function must not be used as a value in its own definition, nor
//! called in its own measure.

use rustc_hash::FxHashSet;

use crate::typed::{
    Arena, Body, Call, CallableId, Expr, ExprKind, FieldId, FieldKind, TypeDeclKind, TypeId,
    visit::{self, Visit},
};
use dafny_source::diagnostic::Diagnostic;

use super::super::graph::{Declaration, Graph};
use super::Check;

/// Reports types whose own constraint mentions them.
pub(super) fn own_constraints(c: &mut Check<'_>) {
    for id in constrained(c) {
        if c.cx.types.written.contains(&(Declaration::Type(id), id)) {
            report_type(c, id);
        }
    }
}

/// Reports types whose constraints depend on them, once per cycle, and constants whose values
/// mention them.
pub(super) fn before_ghosts(c: &mut Check<'_>, graph: &Graph) {
    let program = c.program();
    for id in Arena::<FieldId>::ids(program) {
        if matches!(program[id].kind, FieldKind::Const(_))
            && graph.mentions_itself(Declaration::Const(id))
        {
            let name = &program[id].name;
            c.error(
                "resolve/cyclic-constant",
                program[id].span,
                format!("the value of the constant `{name}` depends on `{name}` itself"),
            );
        }
    }
    types(c, graph, &mut FxHashSet::default());
}

/// Reports all cyclic definitions, including those through function-by-method bodies, once per
/// cycle.
pub(super) fn all(c: &mut Check<'_>, graph: &Graph) {
    let program = c.program();
    let mut reported = FxHashSet::default();
    for id in Arena::<FieldId>::ids(program) {
        let FieldKind::Const(Some(_)) = &program[id].kind else {
            continue;
        };
        if graph
            .circle(Declaration::Const(id))
            .is_some_and(|circle| reported.insert(circle))
        {
            let name = &program[id].name;
            let message = format!(
                "the value of the constant `{name}` depends on `{name}` itself, through other declarations"
            );
            let d = Diagnostic::error("resolve/cyclic-constant", program[id].span, message);
            c.found
                .push(d.with_note("a constant's value cannot depend on the constant itself"));
        }
    }
    types(c, graph, &mut reported);
}

fn types(c: &mut Check<'_>, graph: &Graph, reported: &mut FxHashSet<usize>) {
    for id in constrained(c) {
        if graph
            .circle(Declaration::Type(id))
            .is_some_and(|circle| reported.insert(circle))
        {
            report_type(c, id);
        }
    }
}

fn constrained(c: &Check<'_>) -> Vec<TypeId> {
    let mut ids: Vec<TypeId> = c.program().ids();
    ids.retain(|id| {
        matches!(
            c.program()[*id].kind,
            TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)
        )
    });
    ids
}

fn report_type(c: &mut Check<'_>, id: TypeId) {
    let message = format!(
        "recursive constraint dependency involving a {}: {}",
        c.kind_of(id),
        c.program()[id].name
    );
    let d = Diagnostic::error("resolve/cyclic-constraint", c.program()[id].span, message);
    c.found
        .push(d.with_note("the constraint of a type cannot depend on the type itself"));
}

/// Reports functions that are used as values in their own definition, and measures that call
/// functions depending on them.
pub(super) fn functions(c: &mut Check<'_>, graph: &Graph) {
    let program = c.program();
    for id in Arena::<CallableId>::ids(program) {
        let function = &program[id];
        if !function.kind.is_function() {
            continue;
        }
        let mut uses = FunctionUses {
            check: c,
            graph,
            within: id,
            in_decreases: false,
        };
        visit::walk_clauses(&mut uses, &function.spec.requires);
        visit::walk_frames(&mut uses, &function.spec.reads);
        visit::walk_clauses(&mut uses, &function.spec.ensures);
        match &function.body {
            Body::Expr(e) | Body::ByMethod(e, _) => uses.expr(e),
            Body::None | Body::Block(_) => {}
        }
        uses.in_decreases = true;
        function.spec.decreases.iter().for_each(|e| uses.expr(e));
    }
}

struct FunctionUses<'a, 'c, 'g> {
    check: &'a mut Check<'c>,
    graph: &'g Graph,
    within: CallableId,
    in_decreases: bool,
}

impl FunctionUses<'_, '_, '_> {
    fn depends(&self, other: CallableId) -> bool {
        self.graph.together(
            Declaration::Callable(self.within),
            Declaration::Callable(other),
        )
    }
}

impl<'t> Visit<'t> for FunctionUses<'_, '_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        let program = self.check.program();
        if let ExprKind::FunctionRef { callee, .. } = &e.kind
            && self.depends(*callee)
        {
            let message = format!(
                "`{}` is used as a value in its own definition",
                program[*callee].name
            );
            let d = Diagnostic::error("resolve/recursive-function-value", e.span, message);
            self.check
                .found
                .push(d.with_help("apply it to arguments, as in `x => F(x)`"));
        } else if let ExprKind::Call(Call { callee, .. }) = &e.kind
            && self.in_decreases
            && self.depends(*callee)
        {
            let (own, name) = (&program[self.within].name, &program[*callee].name);
            let message = match *callee == self.within {
                true => format!("the `decreases` clause of `{own}` cannot call `{own}` itself"),
                false => format!(
                    "the `decreases` clause of `{own}` cannot call `{name}`, which depends on `{own}`"
                ),
            };
            self.check
                .error("resolve/recursive-decreases", e.span, message);
        }
        visit::walk_expr(self, e);
    }
}
