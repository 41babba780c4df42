//! Checks that compiled code which enumerates a subset type or newtype can test its constraint at
//! run time.

use crate::typed::{
    Arena, Body, CallableId, CallableKind, Comprehension, CtorId, Expr, FieldId, FieldKind,
    Quantified, Stmt, Type, TypeDeclKind, TypeId,
    visit::{self, Visit},
};
use dafny_source::diagnostic::Diagnostic;

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    if c.cx.types.uncompilable.is_empty() {
        return;
    }
    let program = c.program();
    // Dafny does not check members of classes.
    let looks_into = |owner: Option<TypeId>| match owner.map(|o| &program[o].kind) {
        None
        | Some(
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract,
        ) => true,
        Some(TypeDeclKind::Trait { is_reference }) => !is_reference,
        Some(TypeDeclKind::Class | TypeDeclKind::Iterator(_)) => false,
    };
    let mut look = Look { check: c };
    let fields: Vec<FieldId> = program.ids();
    for id in fields {
        let f = &program[id];
        if let FieldKind::Const(Some(e)) = &f.kind
            && !f.ghost
            && looks_into(f.owner)
        {
            look.expr(e);
        }
    }
    let ctors: Vec<CtorId> = program.ids();
    ctors
        .iter()
        .flat_map(|c| program[*c].defaults.iter().flatten())
        .for_each(|e| look.expr(e));
    let callables: Vec<CallableId> = program.ids();
    for id in callables {
        let callable = &program[id];
        if callable.kind == CallableKind::Constructor || !looks_into(callable.owner) {
            continue;
        }
        if let Body::ByMethod(_, b) = &callable.body {
            look.block(b);
        }
        if callable.ghost {
            continue;
        }
        callable
            .ins
            .iter()
            .filter_map(|f| f.default.as_ref())
            .for_each(|e| look.expr(e));
        match &callable.body {
            Body::Expr(e) => look.expr(e),
            Body::Block(b) => look.block(b),
            Body::None | Body::ByMethod(..) => {}
        }
    }
}

struct Look<'a, 'b> {
    check: &'a mut Check<'b>,
}

impl Look<'_, '_> {
    fn bound(&mut self, q: &Quantified, word: &str) {
        let program = self.check.program();
        for v in &q.vars {
            let local = &program[*v];
            if let Type::Named { decl, .. } = &local.ty
                && self.check.cx.types.uncompilable.contains(decl)
            {
                let (ty, kind) = (program.show_type(&local.ty), self.check.kind_of(*decl));
                let message = format!(
                    "the variable `{}` of this {word} ranges over the {kind} `{ty}`, whose constraint can be evaluated in ghost code only",
                    local.name
                );
                let d = Diagnostic::error("resolve/ghost-constraint", local.span, message);
                self.check.found.push(d.with_help("make the functions that the constraint uses compiled, or quantify over the base type"));
            }
        }
    }
}

impl<'t> Visit<'t> for Look<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        match e.kind.comprehension() {
            Some(Comprehension::Quantifier { forall, vars, .. }) => {
                self.bound(vars, if forall { "`forall`" } else { "`exists`" })
            }
            Some(Comprehension::Set { vars, .. }) => self.bound(vars, "set"),
            Some(Comprehension::Map { vars, .. }) => self.bound(vars, "map"),
            Some(Comprehension::If(_)) | None => {}
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if !s.ghost {
            visit::walk_stmt(self, s);
        }
    }

    fn loop_spec(&mut self, _: &'t crate::typed::LoopSpec) {}
}
