//! Restrictions of `ORDINAL`: it cannot be a type argument in the types of variables, nor a type
//! argument of a call, and extreme predicates have no bound variables of it (reference manual,
//! "Extreme predicates": the unfoldings of their definition are counted by ordinals).

use crate::typed::{
    Arena, CallableId, CtorId, Expr, ExprKind, FieldId, FieldKind, LocalId, Origin, Pattern,
    PatternKind, Stmt, StmtKind, Type, TypeDeclKind, TypeId, Witness,
    visit::{self, Visit},
};
use dafny_source::{Span, diagnostic::Diagnostic};

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    bound_in_extreme_predicates(c);
    let mut ordinals = Ordinals { check: c };
    for id in Arena::<CallableId>::ids(program) {
        let callable = &program[id];
        // Members of an iterator are derived from its declaration, which is checked.
        if callable
            .owner
            .is_some_and(|o| matches!(program[o].kind, TypeDeclKind::Iterator(_)))
        {
            continue;
        }
        let defaults = callable.ins.iter().filter_map(|f| f.default.as_ref());
        defaults.for_each(|e| ordinals.expr(e));
        visit::walk_callable(&mut ordinals, callable);
    }
    for id in Arena::<FieldId>::ids(program) {
        if let FieldKind::Const(Some(e)) = &program[id].kind {
            ordinals.expr(e);
        }
    }
    for id in Arena::<CtorId>::ids(program) {
        let defaults = program[id].defaults.iter().flatten();
        defaults.for_each(|e| ordinals.expr(e));
    }
    for id in Arena::<TypeId>::ids(program) {
        match &program[id].kind {
            TypeDeclKind::Newtype(t) | TypeDeclKind::Subset(t) => {
                t.constraint.iter().for_each(|e| ordinals.expr(e));
                match &t.witness {
                    Witness::Compiled(e) | Witness::Ghost(e) => ordinals.expr(e),
                    Witness::Default | Witness::Opt => {}
                }
            }
            TypeDeclKind::Iterator(parts) => {
                let clauses = parts.spec.requires.iter().chain(&parts.spec.ensures);
                clauses.for_each(|c| ordinals.clause(c));
                parts.body.iter().for_each(|b| ordinals.block(b));
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => {}
        }
    }
}

/// Checks the bound variables of extreme predicates. The definitions of subset types count, the
/// fields of datatypes do not.
fn bound_in_extreme_predicates(c: &mut Check<'_>) {
    let program = c.program();
    for local in &c.cx.variables.bound_in_extreme_predicates {
        let local = &program[*local];
        let mut mentions = |t: &Type| has_ordinal(&program.strip_subset(t));
        if local.ty.any(&mut mentions) {
            let message = format!(
                "the type of `{}` mentions `ORDINAL`, which bound variables in extreme predicates cannot have",
                local.name
            );
            c.found.push(Diagnostic::error(
                "resolve/ordinal-argument",
                local.span,
                message,
            ));
        }
    }
}

struct Ordinals<'a, 'b> {
    check: &'a mut Check<'b>,
}

impl Ordinals<'_, '_> {
    fn variable(&mut self, local: LocalId) {
        let local = &self.check.program()[local];
        self.arguments(&local.ty, local.span);
    }

    /// Reports `ORDINAL` in the arguments of a type. The type itself may be `ORDINAL`.
    fn arguments(&mut self, ty: &Type, span: Span) {
        if ty.parts().any(has_ordinal) {
            self.check.error(
                "resolve/ordinal-argument",
                span,
                "`ORDINAL` cannot be a type argument".into(),
            );
        }
    }

    /// Checks the variables of a `var` pattern. Dafny checks neither the patterns of cases nor
    /// quantifiers.
    fn bound(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Var(local) => self.variable(*local),
            PatternKind::Ctor { args, .. } | PatternKind::Tuple(args) | PatternKind::Or(args) => {
                args.iter().for_each(|p| self.bound(p));
            }
            PatternKind::Value(_) | PatternKind::Wildcard => {}
        }
    }

    fn called(&mut self, callee: CallableId, type_args: &[Type], span: Span) {
        if type_args.iter().any(has_ordinal) {
            let name = &self.check.program()[callee].name;
            let message = format!("a type argument of `{name}` cannot be or mention `ORDINAL`");
            self.check.error("resolve/ordinal-argument", span, message);
        }
    }
}

fn has_ordinal(ty: &Type) -> bool {
    ty.any(&mut |t| *t == Type::Ordinal)
}

impl<'t> Visit<'t> for Ordinals<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        match e.kind.origin() {
            Some(Origin::Call(call)) => self.called(call.callee, &call.type_args, e.span),
            Some(Origin::Function(callee)) => {
                if let ExprKind::FunctionRef { type_args, .. } = &e.kind {
                    self.called(callee, type_args, e.span);
                }
            }
            Some(Origin::Ctor(..) | Origin::Field(_) | Origin::Local(_)) | None => {}
        }
        if let ExprKind::Lambda(_) = &e.kind {
            self.arguments(&e.ty, e.span);
        }
        if let ExprKind::Let { bindings, .. } = &e.kind {
            bindings.iter().for_each(|(p, _)| self.bound(p));
        } else if let ExprKind::LetSuchThat { vars, .. } = &e.kind {
            vars.vars.iter().for_each(|v| self.variable(*v));
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        let declared: &[LocalId] = match &s.kind {
            StmtKind::VarDecl(locals) => locals,
            StmtKind::Assign { declares, .. }
            | StmtKind::Call { declares, .. }
            | StmtKind::SuchThat { declares, .. } => declares,
            StmtKind::AssignOrFail(a) => &a.declares,
            StmtKind::AssignPattern { .. }
            | StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::While { .. }
            | StmtKind::WhileCase { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Modify { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Error => &[],
        };
        declared.iter().for_each(|l| self.variable(*l));
        if let StmtKind::AssignPattern { pattern, .. } = &s.kind {
            self.bound(pattern);
        }
        if let StmtKind::Forall { vars, .. } = &s.kind {
            vars.vars.iter().for_each(|l| self.variable(*l));
        }
        if let StmtKind::Call { call, .. } = &s.kind {
            self.called(call.callee, &call.type_args, s.span);
        }
        visit::walk_stmt(self, s);
    }
}
