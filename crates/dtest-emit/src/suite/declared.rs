//! The program's own tests: `{:test}` methods and functions (reference manual, 11.2.18).

use super::test::{macro_call, test_item};
use super::{UnitFile, Writer};
use crate::Unsupported;
use crate::rust::{self, MacroName, Stmts, expr, resolved, stmts};
use crate::suite::case::{Declared, Oracle, Suite, Written};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::code::Code;
use crate::translation::convention::{Scope, Translated};
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dtest_sorted::SortedMap;
use dtest_value::Heap;

impl Writer<'_, '_> {
    /// Adds the test for a `{:test}` declaration, or the reason why there is none.
    pub(super) fn declared(
        &self,
        test: &Declared,
        files: &mut SortedMap<CallableId, UnitFile>,
        suite: &mut Suite,
    ) {
        let id = test.callable;
        let written = match &test.refused {
            Some(reason) => Err(self.refused(id, reason)),
            None => {
                let file = files.entry(id).or_default();
                let name = file.unique("passes");
                self.declared_test(test, &name).map(|text| {
                    file.tests.push(text);
                    Written {
                        test: name,
                        oracle: Oracle::Clauses,
                    }
                })
            }
        };
        suite.declared.push((id, written));
    }

    fn refused(&self, id: CallableId, reason: &str) -> Unsupported {
        let program = self.ground.program;
        Unsupported {
            what: program.callable_path(id),
            reason: reason.into(),
            span: program[id].span,
        }
    }

    /// Writes the test that calls it. A returned failure fails the test, any other value is
    /// ignored.
    fn declared_test(&self, test: &Declared, name: &str) -> Result<resolved::Item, Unsupported> {
        let (id, program) = (test.callable, self.ground.program);
        let c = &program[id];
        let is_apart = self.ground.apart.borrow().contains(&id);
        // A test outside of the translation is in the suite's own specification module.
        if !is_apart && !self.translation.callables.contains(&id) {
            let what = program.callable_path(id);
            let found = self
                .translation
                .unsupported
                .iter()
                .find(|u| u.what == what)
                .cloned();
            return Err(found.unwrap_or_else(|| self.refused(id, "it is not in the translation")));
        }
        if is_apart {
            self.specification.borrow_mut().insert(id);
        }
        let scope = Scope::in_suite(self.ground, is_apart);
        let mut body = Body::new(&scope);
        let mut doc: Vec<String> = c.doc.iter().map(|d| d.trim().to_owned()).collect();
        doc.push(format!(
            "The program's own test, at {}.",
            self.ground.sources.locate(c.span)
        ));
        // Answers of callables without a body are given by stubs, as in the execution.
        let heap = Heap::default();
        let (mut values, mut before) = (Values::new(&scope, &heap), Stmts::new());
        values.keys.add_answers(&test.answers);
        self.stubs(&test.answers, &scope, &mut values, &mut before, &mut doc)?;
        // Dafny allows no parameters and no type parameters of such a method.
        let callee = body.callee(id, &[], false)?;
        // A result of a failure-compatible type must not be a failure.
        let failure = match c.outs.first() {
            Some(out) => self.failure(&mut body, &program[out.local].ty)?,
            None => None,
        };
        let call = match failure {
            Some(is_failure) => {
                let text = format!(
                    "{}: {} returns no failure",
                    self.ground.sources.locate(c.span),
                    c.name
                );
                let check = macro_call(MacroName::Expect, [expr!(!#is_failure)], &text);
                stmts!(let result = #callee(); #..check)
            }
            None => stmts!(#callee();),
        };
        Ok(test_item(
            name,
            &program.callable_path(id),
            &doc,
            [before, call],
        ))
    }

    /// Writes `result.is_failure()`, if the type is failure-compatible.
    fn failure(&self, body: &mut Body<'_, '_, '_>, ty: &Type) -> Translated<Option<rust::Expr>> {
        let program = self.ground.program;
        let Type::Named { decl, args, .. } = ty else {
            return Ok(None);
        };
        let is_failure = |&m: &CallableId| {
            &*program[m].name == "IsFailure"
                && program[m].kind == CallableKind::Function
                && !program[m].ghost
        };
        let Some(member) = program[*decl].callables.iter().copied().find(is_failure) else {
            return Ok(None);
        };
        let result = Code::named("result", body.copy(ty));
        body.apply_member((member, args, false), (&result, ty), Vec::new(), false)
            .map(Some)
    }
}
