//! Assignment of fields in constructors, where obligations are goals: fields whose types have no value that can be assumed are assigned before
//! `new;` (reference manual, "Divided block statement" and "Definite assignment rules").
//!
//! A variable that the source does not have says whether a field was assigned.

use super::{Lowerer, build};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::{AssertKind, Expr, ExprKind, StmtKind, Var};

impl Lowerer<'_> {
    /// Begins to follow the fields that a constructor has to assign.
    pub(super) fn follow_fields(&mut self, id: CallableId) {
        self.callable.field_flags.clear();
        let program = self.program;
        let c = &program[id];
        let (CallableKind::Constructor, Some(class)) = (c.kind, c.owner) else {
            return;
        };
        if !matches!(program[class].kind, TypeDeclKind::Class) {
            return;
        }
        let in_ghost = program.ghost_callables.contains(&id);
        let own = program[class].type_params.iter().copied().map(Type::Param);
        let mut types = vec![(class, own.collect())];
        types.extend(program.ancestors(class));
        let mut fields: Vec<FieldId> = Vec::new();
        for (owner, args) in types {
            // Fields of traits have the types that the class instantiates them with.
            let map = program.substitution(owner, &args);
            fields.extend(program[owner].fields.iter().filter(|f| {
                let ty = program[**f].ty.subst(&map);
                !program[**f].is_static && !program.may_stay_unassigned(**f, &ty, in_ghost)
            }));
        }
        for field in fields {
            let flag = self.temp("$assigned", Type::Bool, c.span);
            let value = build::boolean(false, c.span);
            self.execute(StmtKind::Assign { var: flag, value }, c.span);
            self.callable.field_flags.push((field, flag));
        }
    }

    /// Notes that a field is assigned.
    pub(super) fn field_assigned(&mut self, object: &Expr, field: FieldId, span: Span) {
        let Some((_, flag)) = self
            .callable
            .field_flags
            .iter()
            .find(|(f, _)| *f == field)
            .copied()
        else {
            return;
        };
        let this = self.this(span);
        let is_this =
            matches!((&object.kind, &this.kind), (ExprKind::Var(a), ExprKind::Var(b)) if a == b);
        if is_this {
            let value = build::boolean(true, span);
            self.execute(StmtKind::Assign { var: flag, value }, span);
        }
    }

    /// Asserts that the fields are assigned, at `new;`.
    pub(super) fn oblige_fields(&mut self, span: Span) {
        let flags: Vec<Var> = std::mem::take(&mut self.callable.field_flags)
            .into_iter()
            .map(|(_, flag)| flag)
            .collect();
        for flag in flags {
            let cond = build::expr(ExprKind::Var(flag), Type::Bool, span);
            self.assert(cond, AssertKind::Assigned);
        }
    }
}
