//! Writes a test function for a test case.
//!
//! [`Writer::test`] writes in order: inputs, checks of the inputs, copies of the state before the
//! call, the call, and the expectations.

use crate::passes::tidy_function;
use crate::rust::{
    self, Attribute, Ident, MacroName, Stmts, Visit as _, expr, function, ident, resolved, stmts,
};
use crate::suite::case::{Case, CaseOutcome, ClauseUse, Oracle};
use crate::suite::functions::Keys;
use crate::suite::mock::{Mocking, is_of_mock};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::code::{Code, Own};
use crate::translation::convention::{Dependency, Scope, Translated, mentions};
use crate::translation::names::snake_case;
use crate::translation::reason::{Missing, Reason, Unsupported};
use crate::translation::traits;
use dafny_resolve::typed::{CallableId, CallableKind, Clause, LocalId, Type};
use dafny_syntax::source::Span;
use dtest_ir::MAX_PRINTED;
use dtest_sorted::SortedSet;
use dtest_value::{Answer, FunctionValue, Value};

use super::expected::After;
use super::steps::{Driven, Said};
use super::{UnitFile, Writer};

/// Maximum length of a clause in a message, in characters.
const MAX_TEXT: usize = 160;

impl Writer<'_, '_> {
    /// Writes a test, and returns it with its oracle.
    pub(super) fn test(
        &self,
        case: &Case,
        name: &str,
        file: &mut UnitFile,
    ) -> Result<(resolved::Item, Oracle), Unsupported> {
        let ground = self.ground;
        let program = ground.program;
        let c = &program[case.unit];
        let driven = program.driven_by(case.unit);
        let called = driven.map_or(case.unit, |(.., members)| members.move_next);
        if !self.translation.callables.contains(&called) {
            let what = program.callable_path(called);
            let found = self
                .translation
                .unsupported
                .iter()
                .find(|u| u.what == what)
                .cloned();
            return Err(found.unwrap_or_else(|| Unsupported {
                what,
                reason: "it is not in the translation".into(),
                span: c.span,
            }));
        }
        let mut scope = Scope::in_suite(ground, false);
        scope.substitution = program
            .all_type_params(case.unit)
            .into_iter()
            .zip(case.type_args.iter().cloned())
            .collect();
        scope.apart = true;
        let scope = scope;
        let failed = |u: Unsupported| Unsupported {
            what: program.callable_path(case.unit),
            span: c.span,
            ..u
        };
        let mut body = Body::new(&scope);
        body.before = Some(false);
        let mut lines = Stmts::new();
        let mut doc = case.doc.clone();

        // The inputs.
        let has_receiver = c.owner.is_some() && !c.is_static;
        let mut values = Values::new(&scope, &case.heap);
        values.keys = Keys::of_case(case);
        let (of_mocks, answers): (Vec<Answer>, Vec<Answer>) = case
            .answers
            .iter()
            .cloned()
            .partition(|a| is_of_mock(a, &values));
        values.mocks = Some(Mocking {
            present: &self.translation.present,
            declared: &file.mocks,
            answers: &of_mocks,
            constructed: &case.constructed,
        });
        for formal in c.ins.iter().chain(&c.outs) {
            values.reserve(&snake_case(&program[formal.local].name));
        }
        ["this", "result", "before"]
            .into_iter()
            .for_each(|n| values.reserve(n));
        let mut args = case.args.iter();
        let mut types: Vec<(Code, Type, String, Span)> = Vec::new();
        if has_receiver {
            let value = args.next();
            if let (Some(value), Some(owner)) = (
                value,
                c.owner.filter(|_| c.kind != CallableKind::Constructor),
            ) {
                let ty = Type::named(
                    owner,
                    program[owner]
                        .type_params
                        .iter()
                        .map(|&p| Type::Param(p))
                        .collect(),
                );
                let this = ident("this");
                self.input(&mut values, &mut lines, &this, value, &ty)
                    .map_err(failed)?;
                let code = Code::named("this", body.copy(&ty));
                types.push((code.clone(), ty, "this".into(), program[owner].span));
                body.this = Some(code);
            }
        }
        let clauses_mention: SortedSet<LocalId> = c
            .spec
            .requires
            .iter()
            .chain(&c.spec.ensures)
            .flat_map(|clause| crate::translation::walk::mentioned(&clause.cond).0)
            .collect();
        let mut actuals = Vec::new();
        // The number of calls of an iterator is the bound of the loop that calls it.
        let calls = driven.and_then(|_| case.args.last());
        for (formal, value) in c
            .ins
            .iter()
            .take(c.ins.len() - usize::from(driven.is_some()))
            .zip(args)
        {
            let local = &program[formal.local];
            let compiled = c.ghost || !local.ghost;
            if !compiled && !clauses_mention.contains(&formal.local) {
                continue;
            }
            let input = body.declare(formal.local, Own::Place);
            match self.input(&mut values, &mut lines, &input, value, &local.ty) {
                Ok(()) => {}
                Err(_) if !compiled => {
                    body.vars.remove(&formal.local);
                    continue;
                }
                Err(u) => return Err(failed(u)),
            }
            let code = Code::variable(&input, body.copy(&local.ty));
            if compiled {
                actuals.push(if ground.is_copy(&local.ty) {
                    code.owned_value()
                } else {
                    code.borrowed()
                });
            }
            types.push((code, local.ty.clone(), local.name.to_string(), local.span));
        }

        self.stubs(&answers, &scope, &mut values, &mut lines, &mut doc)
            .map_err(failed)?;

        if !values.by_fields.is_empty() {
            let names: Vec<String> = values.by_fields.iter().map(ToString::to_string).collect();
            doc.push(format!(
                "Created field by field (no calls were found that create it): {}.",
                names.join(", ")
            ));
        }

        // The checks that the inputs satisfy the constraints of their types.
        for (code, ty, name, span) in &types {
            let ty = ty.subst(&scope.substitution);
            match body
                .constraints(&ty, code, *span)
                .and_then(|t| self.checked(t, &scope))
            {
                Ok(conditions) if conditions.is_empty() => {}
                Ok(conditions) => {
                    let text = format!(
                        "{}: {name} is {}",
                        ground.sources.locate(*span),
                        crate::with_article(&program.show_type(&ty))
                    );
                    lines.push(macro_call(
                        MacroName::Require,
                        [rust::Expr::all(conditions)],
                        &text,
                    ));
                }
                Err(u) => doc.push(format!(
                    "Not checked: that {name} is {} ({}).",
                    crate::with_article(&program.show_type(&ty)),
                    u.reason
                )),
            }
        }
        for clause in &c.spec.requires {
            match self.clause(&mut body, case, clause, &scope) {
                Ok(condition) => lines.push(macro_call(
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

        // The call.
        let outs: Vec<Ident> = self.declare_results(&mut body, case.unit);
        let steps = match driven {
            Some((owner, parts, members)) => {
                let calls = if let Some(Value::Int(n)) = calls {
                    n.to_string()
                } else {
                    "0".into()
                };
                Some(
                    self.steps(
                        &mut body,
                        &Driven {
                            owner,
                            parts,
                            members,
                            calls,
                            case,
                            is_first: file.tests.is_empty(),
                        },
                        &outs,
                        actuals.clone(),
                    )
                    .map_err(failed)?,
                )
            }
            None => None,
        };
        let call = match &steps {
            Some(steps) => steps.block(),
            None => {
                let member = self.through_trait(case).filter(|_| file.tests.is_empty());
                doc.extend(member.and_then(|m| program[m].owner).map(|t| {
                    format!(
                        "Called as a member of the trait `{}`.",
                        program.type_path(t)
                    )
                }));
                self.call(&mut body, (case, member), actuals)
                    .map_err(failed)?
            }
        };
        if let (true, Some(result)) = (
            c.kind.is_function(),
            c.outs.first().and_then(|o| body.vars.get(&o.local)),
        ) {
            body.under_test = Some((
                case.unit,
                c.ins.iter().map(|f| f.local).collect(),
                result.clone(),
            ));
        }
        let mut after = Stmts::new();
        let call_lines;
        let mut valued = false;
        match &case.outcome {
            CaseOutcome::Open => call_lines = stmts!(halted(|| #call);),
            CaseOutcome::Halts { span } => {
                let place = ground.sources.locate_as_dafny(*span);
                call_lines = stmts!(let halt = halted(|| #call););
                let same = expr!(halt.is_some());
                if !self.options.is_translation {
                    after.push(macro_call(
                        MacroName::Expect,
                        [same],
                        &format!("{place}: the `expect` fails"),
                    ));
                } else {
                    after.push(macro_call(
                        MacroName::ExpectEq,
                        [
                            expr!(halt.map(|h| h.location)),
                            expr!(Some(String::from(#place))),
                        ],
                        "the `expect` that fails",
                    ));
                }
            }
            CaseOutcome::Returns(known) => {
                let mut uses = Vec::new();
                let mut said = Said {
                    case,
                    uses: &mut uses,
                    doc: &mut doc,
                };
                let mut each_step = Stmts::new();
                if let Some((owner, parts, members)) = driven {
                    if file.tests.is_empty() {
                        after.extend(self.printed_iterator(&body, owner));
                    }
                    after.extend(self.valid_iterator(&mut body, case, members, &outs));
                    each_step = self.yield_clauses(&mut body, parts, &scope, &mut said);
                    after.extend(self.end_clauses(&mut body, parts, &outs, &scope, &mut said));
                }
                for clause in &c.spec.ensures {
                    if let Some(condition) =
                        self.postcondition_condition(&mut body, clause, &scope, &mut said)
                    {
                        after.push(macro_call(
                            MacroName::Expect,
                            [condition],
                            &self.place_and_text(clause),
                        ));
                    }
                }
                if let Some((lines, reason)) = self.frame(&mut body, case, &values, &scope) {
                    if let Some(first) = c.spec.modifies.first() {
                        uses.push(ClauseUse {
                            span: first.span,
                            not_executed: reason.clone(),
                            is_frame: true,
                        });
                    }
                    doc.extend(reason.map(|r| {
                        format!("Frame not checked: {} ({r}).", self.frame_text(case.unit))
                    }));
                    after.extend(lines);
                }
                let is_asked = |t: &&String| !t.is_empty() || self.prints.contains(&case.unit);
                let printed = case
                    .printed
                    .as_ref()
                    .filter(|t| self.options.is_translation && is_asked(t));
                if printed.is_some_and(|t| t.chars().nth(MAX_PRINTED).is_some()) {
                    doc.push(format!(
                        "Output not checked: it is longer than {MAX_PRINTED} characters."
                    ));
                } else if let Some(printed) = printed {
                    let text = format!(
                        "{}: what {} prints",
                        ground.sources.locate(c.span),
                        name_of(program, case.unit)
                    );
                    after.push(macro_call(
                        MacroName::ExpectPrints,
                        [printed.as_str().into()],
                        &text,
                    ));
                }
                if known.is_some() && self.describes_calls(&answers) {
                    let text = format!(
                        "{}: the calls that {} makes",
                        ground.sources.locate(c.span),
                        name_of(program, case.unit)
                    );
                    after.push(macro_call(MacroName::ExpectCalls, [], &text));
                }
                merge(&mut file.ensures, uses);
                self.result_types(&mut body, case.unit, &scope, &mut after)
                    .map_err(failed)?;
                // For hand-written code, the results of external code are unknown, so no values are
                // expected.
                let known = known
                    .as_ref()
                    .filter(|_| self.options.is_translation || case.answers.is_empty());
                if let Some((results, heap)) = known {
                    // Values are checked first: a wrong result is shown with the right one, before
                    // a clause that it violates.
                    let mut exact = Stmts::new();
                    valued = self.expected(
                        &mut body,
                        &After {
                            case,
                            outs: &outs,
                            results,
                            heap,
                            inputs: &values,
                        },
                        &mut exact,
                    );
                    exact.append(&mut after);
                    after = exact;
                }
                let call = match (steps, outs.is_empty()) {
                    (Some(steps), _) => steps.lines(each_step),
                    (None, true) if c.kind == CallableKind::Constructor => {
                        stmts!(let this = #call;)
                    }
                    (None, true) => stmts!(#call;),
                    (None, false) => {
                        let results = rust::Pat::one_or_tuple(&outs);
                        stmts!(let #results = #call;)
                    }
                };
                if body.before == Some(true) {
                    call_lines = stmts!(let before = Snapshot::take(); #..call);
                } else {
                    call_lines = call;
                }
            }
        }
        let oracle = match (
            valued,
            holds_to_something(&after) || holds_to_something(&call_lines),
        ) {
            (true, _) => Oracle::Values,
            (false, true) => Oracle::Clauses,
            (false, false) => Oracle::Nothing,
        };
        if oracle == Oracle::Nothing {
            doc.insert(0, "Unchecked: no result, no state and no clause is checked; only a panic fails this test.".to_owned());
        }
        let text = program.callable_path(case.unit);
        Ok((
            test_item(name, &text, &doc, [lines, call_lines, after]),
            oracle,
        ))
    }

    /// Writes `let name = value;` after the statements for the objects that it needs.
    fn input(
        &self,
        values: &mut Values<'_, '_, '_>,
        lines: &mut Stmts,
        name: &Ident,
        value: &Value,
        ty: &Type,
    ) -> Translated<()> {
        // A value with the type of a trait is different from the object with the type of its class.
        let named = if let Value::Ref(object) = value
            && values.object_name(*object).is_none()
            && values.is_own_type(*object, ty)
        {
            values.name_object(*object, name.clone());
            true
        } else {
            false
        };
        let value = values.value(value, ty)?;
        lines.extend(values.take_statements());
        if !named {
            lines.extend(stmts!(let #name = #value;));
        }
        Ok(())
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
        scope.dependencies.borrow_mut().clear();
        let written = write()?;
        self.available(scope)?;
        Ok(written)
    }

    /// Checks that everything named since the last call is translated.
    fn available(&self, scope: &Scope<'_, '_>) -> Translated<()> {
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

    /// Declares the names of the results; `result` for the unnamed one of a function.
    fn declare_results(&self, body: &mut Body<'_, '_, '_>, unit: CallableId) -> Vec<Ident> {
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
    fn through_trait(&self, case: &Case) -> Option<CallableId> {
        let (ground, program) = (self.ground, self.ground.program);
        let c = &program[case.unit];
        let first = program.first_declaration(case.unit);
        let owner = c
            .owner
            .filter(|_| !c.is_static && self.options.is_translation)?;
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
    fn call(
        &self,
        body: &mut Body<'_, '_, '_>,
        (case, member): (&Case, Option<CallableId>),
        mut actuals: Vec<rust::Expr>,
    ) -> Translated<rust::Expr> {
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

    /// Writes checks of the constraints of the results' types.
    fn result_types(
        &self,
        body: &mut Body<'_, '_, '_>,
        unit: CallableId,
        scope: &Scope<'_, '_>,
        after: &mut Stmts,
    ) -> Translated<()> {
        let program = self.ground.program;
        for formal in &program[unit].outs {
            let local = &program[formal.local];
            let Some(code) = body.vars.get(&formal.local).cloned() else {
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

/// Returns the name of a unit in the source.
pub(crate) fn name_of(program: &dafny_resolve::typed::Program, unit: CallableId) -> &str {
    program
        .driven_by(unit)
        .map_or(&program[unit].name, |(iterator, ..)| {
            &program[iterator].name
        })
}

/// Whether equality suffices to check the value: it has no references and no functions.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_) => true,
        Value::Seq(es) | Value::Tuple(es) => es.iter().all(is_plain),
        Value::Set(es) => es.iter().all(is_plain),
        Value::Multiset(es) => es.keys().all(is_plain),
        Value::Map(pairs) => pairs.iter().all(|(k, v)| is_plain(k) && is_plain(v)),
        Value::Datatype(d) => d.args.iter().all(is_plain),
        Value::Newtype(n) => is_plain(&n.value),
        Value::Null | Value::Ref(_) | Value::Lazy(_) => false,
        Value::Function(f) => match &**f {
            FunctionValue::Table { .. }
            | FunctionValue::Template(_)
            | FunctionValue::Partial { .. }
            | FunctionValue::Closure { .. }
            | FunctionValue::Named { .. } => false,
        },
    }
}

/// Builds a test from its documentation and groups of statements, which are separated by empty
/// lines.
pub(super) fn test_item(
    name: &str,
    unit: &str,
    doc: &[String],
    parts: impl IntoIterator<Item = Stmts>,
) -> resolved::Item {
    let docs = doc
        .iter()
        .flat_map(|d| d.lines())
        .map(|l| Attribute::Doc(format!(" {}", crate::translation::docs::defused(l))));
    let mut body = Stmts::new();
    for part in parts.into_iter().filter(|p| !p.is_empty()) {
        body.extend((!body.is_empty()).then_some(rust::Stmt::Space));
        body.extend(part);
    }
    let name = ident(name);
    let test = function! {
        #[#..docs]
        #[dunit(unit = #unit)]
        fn #name() {
            #..body
        }
    };
    tidy_function(test)
}

/// Writes `name!(arguments, "text");`.
pub(super) fn macro_call(
    name: MacroName,
    args: impl IntoIterator<Item = rust::Expr>,
    text: &str,
) -> rust::Stmt {
    let args = args
        .into_iter()
        .chain([text.into()])
        .map(rust::Argument::Value)
        .collect();
    rust::Stmt::Run(rust::Expr::Macro(rust::Macro {
        name,
        in_brackets: false,
        args,
    }))
}

/// Whether statements have an expectation that can fail: any but `expect!(true, …)`.
fn holds_to_something(statements: &[rust::Stmt]) -> bool {
    struct Expectations(bool);
    impl rust::Visit<rust::Ident> for Expectations {
        fn expr(&mut self, e: &rust::Expr) {
            if let rust::Expr::Macro(m) = e {
                self.0 |=
                    m.name.expects() && !(m.name == MacroName::Expect && is_true(m.args.first()));
            }
            self.inside_expr(e);
        }
    }
    fn is_true(first: Option<&rust::Argument>) -> bool {
        first
            .and_then(rust::Argument::as_value)
            .is_some_and(|e| matches!(e, rust::Expr::Literal(rust::Literal::Bool(true))))
    }
    let mut found = Expectations(false);
    statements.iter().for_each(|s| found.stmt(s));
    found.0
}

/// Merges the uses of clauses in the tests of a unit: a clause counts as executed if any test
/// executes it.
fn merge(all: &mut Vec<ClauseUse>, uses: Vec<ClauseUse>) {
    if all.is_empty() {
        *all = uses;
        return;
    }
    for (known, new) in all.iter_mut().zip(uses) {
        if new.not_executed.is_none() {
            known.not_executed = None;
        }
    }
}
