//! Calls of generic members of traits: values of types that the trait cannot know are erased, and
//! restored in the result.

use super::body::Body;
use super::code::Code;
use super::convention::{Scope, Translated};
use super::conversion::Conversion;
use super::traits;
use crate::rust::{self, Ident, Pat, Stmts, expr, stmts};
use dafny_resolve::typed::{Call, CallableId, Program, Substitution, Type, TypeParamId};

/// Returns the type parameters of a member whose values are erased when it is called through its
/// trait.
pub(crate) fn erased_params(program: &Program, callee: CallableId) -> &[TypeParamId] {
    if traits::is_looked_up(program, callee) {
        &program[program.first_declaration(callee)].type_params
    } else {
        &[]
    }
}

impl Body<'_, '_, '_> {
    /// Translates an argument of a call through a trait.
    pub(super) fn erased_argument(
        &mut self,
        call: &Call,
        formal: &Type,
        code: Code,
    ) -> Translated<Code> {
        let program = self.scope.ground.program;
        // A static call reaches the body itself, which knows the types.
        let params = if call.is_static_dispatch {
            &[]
        } else {
            erased_params(program, call.callee)
        };
        let to = formal.subst(&self.scope.renamed(call, params));
        let converted = self.conversion(
            &code,
            &formal.subst(&actual(program, call)),
            &to,
            Conversion::Erase(params),
            program[call.callee].span,
        )?;
        Ok(converted.unwrap_or(code))
    }

    /// Converts the results of a call through a trait to the types that the caller knows.
    pub(super) fn restored_results(
        &mut self,
        call: &Call,
        results: rust::Expr,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let program = ground.program;
        let params = if call.is_static_dispatch {
            &[]
        } else {
            erased_params(program, call.callee)
        };
        if params.is_empty() {
            return Ok(results);
        }
        let (to, renamed, span) = (
            actual(program, call),
            self.scope.renamed(call, params),
            program[call.callee].span,
        );
        // Values of erased types may need a default during the call; a guard sets it.
        let mut lets = Stmts::new();
        for (i, p) in program[call.callee].type_params.iter().enumerate() {
            let default = if program[*p].characteristics.auto_init {
                self.scope.default_value(&Type::Param(*p).subst(&to))?
            } else {
                None
            };
            if let Some(value) = default {
                let (erased, n, guard) =
                    (self.scope.runtime("Erased"), i, self.make_up("_default"));
                lets.extend(stmts!(let #guard = #erased::<#n>::default_is(#value);));
            }
        }
        // Results whose type mentions an erased parameter are restored; others are passed on.
        let outs = ground.results(call.callee);
        let names: Vec<Ident> = outs.iter().map(|_| self.make_up("result")).collect();
        let mut values = Vec::new();
        for (name, out) in names.iter().zip(&outs) {
            let (own, code) = (&program[*out].ty, Code::variable(name, false));
            let restored = self.conversion(
                &code,
                &own.subst(&renamed),
                &own.subst(&to),
                Conversion::Restore(params),
                span,
            )?;
            values.push(restored.map_or_else(|| name.into(), |c| c.owned_value()));
        }
        let restored = values.iter().zip(&names).any(|(v, n)| *v != n.into());
        let (names, values) = (Pat::one_or_tuple(names), rust::Expr::one_or_tuple(values));
        Ok(match restored {
            false if lets.is_empty() => results,
            false => expr!({ #..lets #..results }),
            true => expr!({ #..lets let #names = #results; #..values }),
        })
    }
}

impl Scope<'_, '_> {
    /// Writes `Erased::<0>::of(value)`.
    pub(super) fn erased_value(&self, code: &Code, n: Option<usize>) -> rust::Expr {
        let (erased, n, value) = (
            self.runtime("Erased"),
            n.unwrap_or_default(),
            code.owned_value(),
        );
        expr!(#erased::<#n>::of(#value))
    }

    /// Writes `value.get::<T>()`.
    pub(super) fn restored_value(
        &self,
        code: &Code,
        n: Option<usize>,
        to: &Type,
    ) -> Translated<rust::Expr> {
        let (erased, n, value, t) = (
            self.runtime("Erased"),
            n.unwrap_or_default(),
            code.borrowed(),
            self.rust_type(to)?,
        );
        Ok(expr!(#erased::<#n>::get::<#t>(#value)))
    }

    /// Returns the type arguments of a call, with its own parameters renamed to those of the first
    /// declaration, whose values are erased.
    fn renamed(&self, call: &Call, params: &[TypeParamId]) -> Substitution {
        let mut map = actual(self.ground.program, call);
        let own = &self.ground.program[call.callee].type_params;
        map.extend(
            own.iter()
                .copied()
                .zip(params.iter().map(|&p| Type::Param(p))),
        );
        map
    }
}

/// Returns the type arguments of a call.
fn actual(program: &Program, call: &Call) -> Substitution {
    program
        .all_type_params(call.callee)
        .into_iter()
        .zip(call.type_args.iter().cloned())
        .collect()
}
