//! The call of the unit under test.

use crate::rust::{self, Ident, expr};
use crate::suite::case::Case;
use crate::translation::body::Body;
use crate::translation::code::{Code, Own};
use crate::translation::convention::{Translated, mentions};
use crate::translation::traits;
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dtest_value::Value;

use super::Writer;

impl Writer<'_, '_> {
    /// Declares the names of the results; `result` for the unnamed one of a function.
    pub(super) fn declare_results(
        &self,
        body: &mut Body<'_, '_, '_>,
        unit: CallableId,
    ) -> Vec<Ident> {
        let c = &self.ground.program[unit];
        if c.kind == CallableKind::Constructor {
            body.this = Some(Code::named("this", false));
            return Vec::new();
        }
        let mut names = Vec::new();
        for formal in c
            .outs
            .iter()
            .filter(|f| c.ghost || !self.ground.program[f.local].ghost)
        {
            if formal.unnamed {
                let name = body.make_up("result");
                body.vars.insert(
                    formal.local,
                    Code::variable(&name, body.copy(&self.ground.program[formal.local].ty)),
                );
                names.push(name);
            } else {
                names.push(body.declare(formal.local, Own::Place));
            }
        }
        names
    }

    /// Returns the trait member through which the unit is called, if the receiver's type implements
    /// the member by the unit and both have the same calling convention.
    pub(super) fn through_trait(&self, case: &Case) -> Option<CallableId> {
        let (ground, program) = (self.ground, self.ground.program);
        let c = &program[case.unit];
        let first = program.first_declaration(case.unit);
        let owner = c.owner.filter(|_| {
            !c.is_static && self.options.is_translation && self.options.official.is_none()
        })?;
        // The dynamic type of the receiver decides which implementation is called.
        let of = if let Value::Ref(o) = case.args.first()? {
            let Type::Named { decl, .. } = &case.heap.objects.get(o.0 as usize)?.ty else {
                return None;
            };
            *decl
        } else {
            owner
        };
        // Both declarations must have the same calling convention.
        let taken = |id: CallableId| {
            ground
                .formals(id)
                .into_iter()
                .map(|f| ground.is_copy(&program[f].ty))
                .collect::<Vec<_>>()
        };
        let is_reached = traits::is_looked_up(program, first)
            && program[first].type_params.is_empty()
            && !program.is_trait(of)
            && program.implementation(of, first) == case.unit
            && self.translation.callables.contains(&first)
            && taken(first) == taken(case.unit);
        is_reached.then_some(first)
    }

    /// Writes the call of a test, through a trait member or to the unit itself.
    pub(super) fn call(
        &self,
        body: &mut Body<'_, '_, '_>,
        (case, member): (&Case, Option<CallableId>),
        mut actuals: Vec<rust::Expr>,
    ) -> Translated<rust::Expr> {
        if self.options.official.is_some() {
            return self.official_call(body, case, actuals);
        }
        let program = self.ground.program;
        let c = &program[case.unit];
        let formals = self.ground.formals(case.unit);
        let params = if c
            .owner
            .is_some_and(|t| crate::translation::pieces::in_impl(self.ground, t))
        {
            c.type_params.clone()
        } else {
            program.all_type_params(case.unit)
        };
        if c.owner.is_some_and(|t| program.is_trait(t))
            && !crate::translation::erase::erased_params(program, case.unit).is_empty()
        {
            return Err(body
                .scope
                .unsupported(c.span, "a generic member of a trait as what is called"));
        }
        actuals.extend(body.scope.passed_defaults(case.unit, &case.type_args)?);
        let has_receiver = c.owner.is_some() && !c.is_static && c.kind != CallableKind::Constructor;
        let seen = |p| {
            has_receiver && !c.type_params.contains(&p)
                || formals.iter().any(|&f| mentions(&program[f].ty, p))
        };
        let fish = !params.iter().all(|&p| seen(p));
        match body.this.clone().filter(|_| has_receiver) {
            Some(this) => {
                let ty = c.owner.map_or(Type::Error, |t| {
                    let args = case
                        .type_args
                        .iter()
                        .take(program[t].type_params.len())
                        .cloned()
                        .collect();
                    Type::named(t, args)
                });
                if let Some(member) = member.filter(|_| actuals.len() == formals.len()) {
                    return body.through_trait(
                        (member, &case.type_args, false),
                        (&this, &ty),
                        actuals,
                    );
                }
                // The test calls this body, even if the receiver's class overrides it.
                body.apply_member(
                    (case.unit, &case.type_args, true),
                    (&this, &ty),
                    actuals,
                    fish,
                )
            }
            None => {
                let callee = body.callee(case.unit, &case.type_args, fish)?;
                Ok(expr!(#callee(#..actuals)))
            }
        }
    }
}
