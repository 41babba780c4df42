//! Checks that sets and maps are finite, and that definitions of functions and types do not depend
//! on the allocated objects (reference manual, "Set comprehension", "Older parameters").

use crate::typed::{
    Arena, Body, CallableId, CallableKind, Comprehension, Expr, ExprKind, FieldId, FieldKind, Spec,
    Type, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};
use dafny_source::Span;

use super::super::bodies::pools::{self, Pools};
use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let callables: Vec<CallableId> = program.ids();
    for id in callables {
        let callable = &program[id];
        let what = match callable.kind {
            CallableKind::Function
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => Some(if callable.is_predicate {
                "a predicate"
            } else {
                "a function"
            }),
            CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => None,
        };
        let mut look = Look { check: c, what };
        callable
            .spec
            .reads
            .iter()
            .for_each(|f| look.read_everywhere(f));
        contract(&mut look, &callable.spec);
        callable
            .ins
            .iter()
            .filter_map(|f| f.default.as_ref())
            .for_each(|e| look.expr(e));
        match &callable.body {
            Body::None => {}
            Body::Expr(e) => look.expr(e),
            Body::Block(b) => look.block(b),
            Body::ByMethod(e, b) => {
                look.expr(e);
                // The body of the method may depend on the allocated objects.
                look.what = None;
                look.block(b);
            }
        }
    }
    let fields: Vec<FieldId> = program.ids();
    for id in fields {
        if let FieldKind::Const(Some(e)) = &program[id].kind {
            Look {
                check: c,
                what: Some("a constant"),
            }
            .expr(e);
        }
    }
    let types: Vec<TypeId> = program.ids();
    for id in types {
        match &program[id].kind {
            TypeDeclKind::Newtype(t) | TypeDeclKind::Subset(t) => {
                let what = Some(if matches!(program[id].kind, TypeDeclKind::Newtype(_)) {
                    "a newtype"
                } else {
                    "a subset type"
                });
                let mut look = Look { check: c, what };
                t.constraint.iter().for_each(|e| look.expr(e));
                match &t.witness {
                    Witness::Compiled(e) | Witness::Ghost(e) => look.expr(e),
                    Witness::Default | Witness::Opt => {}
                }
            }
            TypeDeclKind::Iterator(parts) => {
                let mut look = Look {
                    check: c,
                    what: None,
                };
                contract(&mut look, &parts.spec);
                visit::walk_clauses(&mut look, &parts.yield_requires);
                visit::walk_clauses(&mut look, &parts.yield_ensures);
                parts.body.iter().for_each(|b| look.block(b));
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => {}
        }
    }
}

fn contract(look: &mut Look<'_, '_>, spec: &Spec) {
    visit::walk_clauses(look, &spec.requires);
    visit::walk_clauses(look, &spec.ensures);
    visit::walk_frames(look, &spec.reads);
    visit::walk_frames(look, &spec.modifies);
    spec.decreases.iter().for_each(|e| look.expr(e));
}

struct Look<'a, 'b> {
    check: &'a mut Check<'b>,
    /// The construct that has to be independent of the allocated objects, as text.
    what: Option<&'static str>,
}

impl Look<'_, '_> {
    /// Checks a function in a frame: it represents the union of its results for all arguments.
    fn read_everywhere(&mut self, frame: &crate::typed::Frame) {
        let program = self.check.program();
        let (Some(what), Some(object)) = (self.what, &frame.object) else {
            return;
        };
        let Type::Arrow { params, .. } = program.strip_subset(&object.ty) else {
            return;
        };
        for ty in params.iter().filter(|t| !program.holds_no_references(t)) {
            let shown = program.show_type(ty);
            let message = format!(
                "{what} cannot depend on which objects are allocated, and this frame holds what the function gives for all values of {shown}, which may be or hold objects"
            );
            let d = dafny_source::diagnostic::Diagnostic::error(
                "resolve/depends-on-allocation",
                frame.span,
                message,
            );
            self.check
                .found
                .push(d.with_help("apply the function: `reads f.reads(x)`"));
        }
    }

    fn check_pools(&mut self, found: &Pools, word: &str, must_be_finite: bool, span: Span) {
        let program = self.check.program();
        if let Some(what) = self.what {
            for (v, pool) in found {
                if !pool.as_ref().is_some_and(|p| p.independent) {
                    let (name, ty) = (&program[*v].name, program.show_type(&program[*v].ty));
                    let message = format!(
                        "{what} cannot depend on which objects are allocated, and the values of `{name}` (of type `{ty}`) in this {word} may be or hold objects"
                    );
                    let help = if matches!(program.strip_subset(&program[*v].ty), Type::Param(_)) {
                        format!("declare the type parameter as `{ty}(!new)`")
                    } else {
                        format!("bound `{name}` by a set, sequence or map")
                    };
                    let d = dafny_source::diagnostic::Diagnostic::error(
                        "resolve/depends-on-allocation",
                        span,
                        message,
                    );
                    self.check.found.push(d.with_help(help));
                }
            }
        }
        if must_be_finite {
            for (v, pool) in found {
                if !pool.as_ref().is_some_and(|p| p.finite) {
                    let name = &program[*v].name;
                    let message = format!(
                        "this {word} must be finite, but the values of `{name}` are not bounded"
                    );
                    let d = dafny_source::diagnostic::Diagnostic::error(
                        "resolve/not-finite",
                        span,
                        message,
                    );
                    self.check.found.push(d.with_help(format!(
                        "bound `{name}` by a range or a collection, or use an i{word}"
                    )));
                }
            }
        }
    }
}

impl<'t> Visit<'t> for Look<'_, '_> {
    fn ty(&mut self, _: &'t Type) {}

    fn expr(&mut self, e: &'t Expr) {
        let (program, older) = (self.check.program(), &self.check.cx.variables.older);
        match e.kind.comprehension() {
            Some(Comprehension::Quantifier { forall, vars, body }) => {
                let found = pools::of_quantifier(program, older, forall, vars, body);
                self.check_pools(
                    &found,
                    if forall { "`forall`" } else { "`exists`" },
                    false,
                    e.span,
                );
            }
            Some(Comprehension::Set { vars, .. }) => {
                let found = pools::of_comprehension(program, older, vars);
                let finite = matches!(program.strip_subset(&e.ty), Type::Set { finite: true, .. });
                self.check_pools(
                    &found,
                    "set",
                    finite && !pools::finitely_many(program, &e.ty),
                    e.span,
                );
            }
            Some(Comprehension::Map { vars, .. }) => {
                let found = pools::of_comprehension(program, older, vars);
                let finite = matches!(program.strip_subset(&e.ty), Type::Map { finite: true, .. });
                self.check_pools(
                    &found,
                    "map",
                    finite && !pools::finitely_many(program, &e.ty),
                    e.span,
                );
            }
            Some(Comprehension::If(vars)) => {
                let found = pools::of_comprehension(program, older, vars);
                self.check_pools(&found, "`exists`", false, e.span);
            }
            None => {}
        }
        if let ExprKind::Lambda(lambda) = &e.kind {
            // Dafny checks the body first and the frame last.
            let outer = self.what.replace("a function value");
            self.expr(&lambda.body);
            visit::walk_clauses(self, &lambda.requires);
            lambda.reads.iter().for_each(|f| self.read_everywhere(f));
            visit::walk_frames(self, &lambda.reads);
            self.what = outer;
        } else {
            visit::walk_expr(self, e);
        }
    }
}
