//! Clauses of contracts and constraints of types, as checks in tests.

use crate::rust::{self, MacroName, Stmts};
use crate::suite::case::Case;
use crate::translation::body::Body;
use crate::translation::convention::{Dependency, Scope, Translated};
use crate::translation::reason::{Missing, Reason};
use dafny_resolve::typed::{CallableId, Clause};
use dafny_source::Span;

use super::Writer;
use super::test::{Input, macro_call};

/// Maximum length of a clause in a message, in characters.
const MAX_TEXT: usize = 160;

impl Writer<'_, '_> {
    /// Writes the checks that inputs satisfy the constraints of their types. `doc` gets a line for
    /// each one that is left out.
    pub(super) fn input_types(
        &self,
        body: &mut Body<'_, '_, '_>,
        inputs: &[Input],
        doc: &mut Vec<String>,
    ) -> Stmts {
        let (scope, program) = (body.scope, self.ground.program);
        let mut checks = Stmts::new();
        for Input {
            code,
            ty,
            name,
            span,
        } in inputs
        {
            let ty = ty.subst(&scope.substitution);
            let shown = crate::with_article(&program.show_type(&ty));
            match body
                .constraints(&ty, code, *span)
                .and_then(|t| self.checked(t, scope))
            {
                Ok(conditions) if conditions.is_empty() => {}
                Ok(conditions) => {
                    let place = self.ground.sources.locate(*span);
                    checks.push(macro_call(
                        MacroName::Require,
                        [rust::Expr::all(conditions)],
                        &format!("{place}: {name} is {shown}"),
                    ));
                }
                Err(u) => doc.push(format!(
                    "Not checked: that {name} is {shown} ({}).",
                    u.reason
                )),
            }
        }
        checks
    }

    /// Writes the checks of the preconditions. `doc` gets a line for each one that is left out.
    pub(super) fn preconditions(
        &self,
        body: &mut Body<'_, '_, '_>,
        case: &Case,
        doc: &mut Vec<String>,
    ) -> Stmts {
        let scope = body.scope;
        let mut checks = Stmts::new();
        for clause in &self.ground.program[case.unit].spec.requires {
            match self.clause(body, case, clause, scope) {
                Ok(condition) => checks.push(macro_call(
                    MacroName::Require,
                    [condition],
                    &self.place_and_text(clause),
                )),
                Err(u) => doc.push(format!(
                    "Precondition not executed: {} ({}).",
                    self.place_and_text(clause),
                    u.reason
                )),
            }
        }
        checks
    }

    /// Returns the conditions if everything that they need is translated.
    fn checked(
        &self,
        conditions: Vec<rust::Expr>,
        scope: &Scope<'_, '_>,
    ) -> Translated<Vec<rust::Expr>> {
        self.available(scope)?;
        Ok(conditions)
    }

    /// Writes a clause, if it can be executed.
    pub(super) fn clause(
        &self,
        body: &mut Body<'_, '_, '_>,
        case: &Case,
        clause: &Clause,
        scope: &Scope<'_, '_>,
    ) -> Translated<rust::Expr> {
        if let Some((span, reason)) = case
            .unanswered
            .iter()
            .find(|(span, _)| *span == clause.cond.span || *span == clause.span)
        {
            return Err(scope.unsupported(*span, reason.clone()));
        }
        self.executed(clause.cond.span, scope, || body.value(&clause.cond))
    }

    /// Writes the clause or frame at `span`, if it can be executed.
    pub(super) fn executed(
        &self,
        span: Span,
        scope: &Scope<'_, '_>,
        write: impl FnOnce() -> Translated<rust::Expr>,
    ) -> Translated<rust::Expr> {
        match self.translation.clauses.get(&span) {
            Some(reason @ (Reason::Needs(..) | Reason::Untracked(_))) => {
                return Err(scope.unsupported(span, reason.clone()));
            }
            // The suite may contain declarations that the library lacks.
            Some(Reason::Feature(_)) | None => {}
        }
        // Only what this clause names decides whether it can be executed.
        scope.dependencies.borrow_mut().clear();
        let written = write()?;
        self.available(scope)?;
        Ok(written)
    }

    /// Checks that everything named since the last call is translated.
    fn available(&self, scope: &Scope<'_, '_>) -> Translated<()> {
        // Specification functions of the suite exist as soon as a clause names them.
        let needs = std::mem::take(&mut *scope.dependencies.borrow_mut());
        self.specification
            .borrow_mut()
            .extend(needs.iter().filter_map(|n| self.callable_apart(*n)));
        for need in needs {
            if self.translation.present.contains(&need)
                || matches!(need, Dependency::Type(t) if self.ground.program.nat == Some(t))
            {
                continue;
            }
            let what = self.ground.describe(need);
            let known = self.translation.unsupported.iter().find(|u| u.what == what);
            let missing = known.map_or(Missing::NotExecutable, |u| {
                Missing::Untranslated(Box::new(u.reason.clone()))
            });
            return Err(scope.unsupported(Span::default(), Reason::Needs(what, missing)));
        }
        Ok(())
    }

    pub(super) fn place_and_text(&self, clause: &Clause) -> String {
        format!(
            "{}: {}",
            self.ground.sources.locate(clause.cond.span),
            self.text_at(clause.cond.span)
        )
    }

    /// Returns the source text at a span, on one line and shortened.
    pub(super) fn text_at(&self, span: Span) -> String {
        let text = self
            .ground
            .sources
            .text(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if text.chars().count() > MAX_TEXT {
            text.chars()
                .take(MAX_TEXT - 3)
                .chain("...".chars())
                .collect()
        } else {
            text
        }
    }

    /// Writes checks of the constraints of the results' types.
    pub(super) fn result_types(
        &self,
        body: &mut Body<'_, '_, '_>,
        unit: CallableId,
        scope: &Scope<'_, '_>,
        after: &mut Stmts,
    ) -> Translated<()> {
        let program = self.ground.program;
        for formal in &program[unit].outs {
            let local = &program[formal.local];
            let Some(code) = body.vars.get(formal.local).cloned() else {
                continue;
            };
            let ty = local.ty.subst(&scope.substitution);
            // Dependencies of an earlier result would make this condition seem unavailable.
            scope.dependencies.borrow_mut().clear();
            let conditions = body
                .constraints(&ty, &code, local.span)
                .and_then(|t| self.checked(t, scope));
            if let Ok(conditions) = conditions.map(|c| if c.is_empty() { None } else { Some(c) })
                && let Some(conditions) = conditions
            {
                let name = if formal.unnamed {
                    "the result".to_owned()
                } else {
                    local.name.to_string()
                };
                let text = format!(
                    "{}: {name} is {}",
                    self.ground.sources.locate(local.span),
                    crate::with_article(&program.show_type(&ty))
                );
                after.push(macro_call(
                    MacroName::Expect,
                    [rust::Expr::all(conditions)],
                    &text,
                ));
            }
        }
        Ok(())
    }
}
