//! Attributes that assert a property of their declaration: `{:print}` on compiled methods, and
//! `{:abstemious}` on functions that return codatatype values (reference manual, `{:print}`,
//! `{:abstemious}`).

use crate::typed::{
    Arena, AttributeArg, Attributes, BinaryOp, Body, CallableId, Expr, ExprKind, FieldKind,
    LocalId, Program, Stmt, Type, TypeDeclKind,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::super::bodies::constructs;
use super::Check;

/// Checks that `{:print}` is on a compiled method and has no arguments.
pub(super) fn printing(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let Some(attribute) = callable.attribute("print") else {
            continue;
        };
        if !attribute.args.is_empty() {
            c.error(
                "resolve/print-attribute",
                attribute.span,
                "`{:print}` takes no arguments".into(),
            );
        }
        let may_print = |id: &CallableId| program[*id].attribute("print").is_some();
        let message = if callable.kind.is_function() {
            "a function has no effects, so `{:print}` is not allowed on it"
        } else if callable.ghost {
            "a ghost method cannot print, so `{:print}` is not allowed on it"
        } else if callable.overrides.first().is_some_and(|o| !may_print(o)) {
            "this method may print, but the method that it overrides may not"
        } else {
            continue;
        };
        c.error("resolve/print-attribute", callable.span, message.into());
    }
}

/// Checks that an abstemious function constructs a codatatype value, and destructs only codatatype
/// values that are its parameters.
pub(super) fn abstemious(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        let claimed = callable
            .attribute("abstemious")
            .is_some_and(|a| a.args != [AttributeArg::Bool(false)]);
        let (true, true, Body::Expr(body) | Body::ByMethod(body, _)) =
            (claimed, callable.kind.is_function(), &callable.body)
        else {
            continue;
        };
        if constructs(program, id, body) == 0 {
            let message =
                "the value of an abstemious function must come from a constructor of a codatatype";
            let d = Diagnostic::error("resolve/abstemious", callable.span, message);
            c.found.push(d.with_help("remove `{:abstemious}`"));
            continue;
        }
        let formals = callable.ins.iter().map(|f| f.local).collect();
        let mut looks = Looks {
            program,
            formals,
            found: Vec::new(),
        };
        looks.expr(body);
        for (span, what) in looks.found {
            c.error(
                "resolve/abstemious",
                span,
                format!("an abstemious function {what}"),
            );
        }
    }
}

/// Finds the destructed codatatype values.
struct Looks<'p> {
    program: &'p Program,
    formals: Vec<LocalId>,
    found: Vec<(Span, &'static str)>,
}

impl Looks<'_> {
    fn is_codatatype(&self, ty: &Type) -> bool {
        let is_co = |kind: &TypeDeclKind| matches!(kind, TypeDeclKind::Datatype { co: true, .. });
        matches!(self.program.strip_subset(ty), Type::Named { decl, .. } if is_co(&self.program[decl].kind))
    }

    /// The codatatype value that the expression destructs or tests for its constructor.
    fn destructured<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let object = if let ExprKind::Field {
            object: Some(object),
            field,
            ..
        } = &e.kind
        {
            matches!(self.program[*field].kind, FieldKind::Destructor(_)).then_some(object)
        } else if let ExprKind::CtorTest { object, .. } = &e.kind {
            Some(object)
        } else {
            None
        };
        object.map(|o| &**o).filter(|o| self.is_codatatype(&o.ty))
    }

    fn compares(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, _) if self.is_codatatype(&left.ty))
    }

    fn is_formal(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Local(l) if self.formals.contains(l))
    }
}

impl<'t> Visit<'t> for Looks<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let Some(object) = self.destructured(e) {
            if !self.is_formal(object) {
                self.found
                    .push((e.span, "may destructure only its parameters"));
            }
        } else if let ExprKind::Match { scrutinee, .. } = &e.kind
            && self.is_codatatype(&scrutinee.ty)
            && !self.is_formal(scrutinee)
        {
            self.found
                .push((scrutinee.span, "may match on its parameters only"));
        } else if self.compares(e) {
            self.found
                .push((e.span, "may not compare values of codatatypes"));
        } else {
            visit::walk_expr(self, e);
        }
    }

    fn stmt(&mut self, _: &'t Stmt) {}
}
