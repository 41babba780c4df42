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
use crate::translation::convention::{Scope, Translated};
use crate::translation::names::snake_case;
use crate::translation::reason::Unsupported;
use crate::translation::two_state::States;
use dafny_resolve::typed::{CallableId, CallableKind, LocalId, Program, Type};
use dafny_source::Span;
use dtest_ir::MAX_PRINTED;
use dtest_sorted::SortedSet;
use dtest_value::{Answer, FunctionValue, Heap, Value};

use super::annotations;
use super::expected::After;
use super::steps::{Driven, Said, Steps};
use super::{UnitFile, Writer};

/// The parts of a test, in order, and its documentation.
struct Draft {
    inputs: Stmts,
    call: Stmts,
    expectations: Stmts,
    doc: Vec<String>,
}

impl Draft {
    /// Returns the oracle of the test, and adds to its documentation if there is none.
    fn oracle(&mut self, is_valued: bool) -> Oracle {
        if is_valued {
            return Oracle::Values;
        }
        if holds_to_something(&self.expectations) || holds_to_something(&self.call) {
            return Oracle::Clauses;
        }
        let text = "Unchecked: no result, no state and no clause is checked; only a panic fails this test.";
        self.doc.insert(0, text.to_owned());
        Oracle::Nothing
    }
}

/// An input of a test, or its receiver.
pub(super) struct Input {
    pub(super) code: Code,
    pub(super) ty: Type,
    /// The name in the source.
    pub(super) name: String,
    pub(super) span: Span,
}

/// A call that is expected to return.
struct Returning<'a> {
    case: &'a Case,
    /// The answers of stubs for external functions.
    answers: &'a [Answer],
    outs: &'a [Ident],
    call: rust::Expr,
    /// For an iterator: its calls.
    steps: Option<Steps>,
    /// The expected results and state, if they are determined.
    known: Option<&'a (Vec<Option<Value>>, Heap)>,
    is_first: bool,
}

impl<'w, 'p> Writer<'w, 'p> {
    /// Writes a test, and returns it with its oracle.
    pub(super) fn test(
        &self,
        case: &Case,
        name: &str,
        file: &mut UnitFile,
    ) -> Result<(resolved::Item, Oracle), Unsupported> {
        self.require_translated(case)?;
        let program = self.ground.program;
        let c = &program[case.unit];
        let failed = |u: Unsupported| Unsupported {
            what: program.callable_path(case.unit),
            span: c.span,
            ..u
        };
        let scope = self.scope_of(case);
        let mut body = Body::new(&scope);
        body.states = States::with_before();
        let mut draft = Draft {
            inputs: Stmts::new(),
            call: Stmts::new(),
            expectations: Stmts::new(),
            doc: case.doc.clone(),
        };

        let mut values = Values::new(&scope, &case.heap);
        values.keys = Keys::of_case(case);
        let (of_mocks, answers): (Vec<Answer>, Vec<Answer>) = case
            .answers
            .iter()
            .cloned()
            .partition(|a| is_of_mock(a, &values));
        // Answers of mocks belong to the mock's builder, all others to stubs.
        values.mocks = Some(Mocking {
            present: &self.translation.present,
            declared: &file.mocks,
            answers: &of_mocks,
            constructed: &case.constructed,
        });
        let (inputs, actuals) = self
            .inputs(&mut body, &mut values, case, &mut draft)
            .map_err(failed)?;
        let Draft {
            inputs: lines, doc, ..
        } = &mut draft;
        self.stubs(&answers, &scope, &mut values, lines, doc)
            .map_err(failed)?;
        lines.extend(allocated_by_stubs(program, case, &values));
        doc.extend(created_by_fields(&values));
        lines.extend(self.input_types(&mut body, &inputs, doc));
        lines.extend(self.preconditions(&mut body, case, doc));

        // Some checks do not depend on the case; the first test of the unit has them.
        let is_first = file.tests.is_empty();
        let outs: Vec<Ident> = self.declare_results(&mut body, case.unit);
        let (steps, call) = self
            .call_or_steps(&mut body, (case, is_first), (&outs, actuals), doc)
            .map_err(failed)?;
        if let (true, Some(result)) = (
            c.kind.is_function(),
            c.outs.first().and_then(|o| body.vars.get(o.local)),
        ) {
            // A postcondition that calls the function itself refers to the result of the call.
            body.under_test = Some((
                case.unit,
                c.ins.iter().map(|f| f.local).collect(),
                result.clone(),
            ));
        }
        let mut is_valued = false;
        match &case.outcome {
            CaseOutcome::Open => draft.call = stmts!(halted(|| #call);),
            CaseOutcome::Halts { span } => self.halting(*span, call, &mut draft),
            CaseOutcome::Returns(known) => {
                let returning = Returning {
                    case,
                    answers: &answers,
                    outs: &outs,
                    call,
                    steps,
                    known: known.as_ref(),
                    is_first,
                };
                is_valued = self
                    .returning(
                        &mut body,
                        returning,
                        &values,
                        (&mut draft, &mut file.ensures),
                    )
                    .map_err(failed)?;
            }
        }
        let oracle = draft.oracle(is_valued);
        let text = program.callable_path(case.unit);
        let parts = [draft.inputs, draft.call, draft.expectations];
        let annotations = annotations::of(self.ground.sources, c.full_span);
        let item = annotated_test(name, &text, (&draft.doc, &annotations), parts);
        Ok((item, oracle))
    }

    /// Checks that the callable that a test calls is translated.
    fn require_translated(&self, case: &Case) -> Result<(), Unsupported> {
        let program = self.ground.program;
        let driven = program.driven_by(case.unit);
        let called = driven.map_or(case.unit, |(.., members)| members.move_next);
        if self.translation.callables.contains(&called) {
            return Ok(());
        }
        let what = program.callable_path(called);
        let found = self
            .translation
            .unsupported
            .iter()
            .find(|u| u.what == what)
            .cloned();
        Err(found.unwrap_or_else(|| Unsupported {
            what,
            reason: "it is not in the translation".into(),
            span: program[case.unit].span,
        }))
    }

    /// Returns the place of a test, with the type arguments of its case.
    fn scope_of(&self, case: &Case) -> Scope<'w, 'p> {
        let mut scope = Scope::in_suite(self.ground, false);
        scope.substitution = self
            .ground
            .program
            .all_type_params(case.unit)
            .into_iter()
            .zip(case.type_args.iter().cloned())
            .collect();
        scope.apart = true;
        scope
    }

    /// Writes the receiver and the arguments of a test. Returns them, and the actual arguments of
    /// the call.
    fn inputs(
        &self,
        body: &mut Body<'_, '_, '_>,
        values: &mut Values<'_, '_, '_>,
        case: &Case,
        draft: &mut Draft,
    ) -> Translated<(Vec<Input>, Vec<rust::Expr>)> {
        let (ground, program) = (self.ground, self.ground.program);
        let c = &program[case.unit];
        let lines = &mut draft.inputs;
        for formal in c.ins.iter().chain(&c.outs) {
            values.reserve(&snake_case(&program[formal.local].name));
        }
        ["this", "result", "before"]
            .into_iter()
            .for_each(|n| values.reserve(n));
        let mut args = case.args.iter();
        let mut inputs: Vec<Input> = Vec::new();
        // A constructor's receiver is among the arguments, but does not exist before the call.
        let has_receiver = c.owner.is_some() && !c.is_static;
        let receiver = if has_receiver { args.next() } else { None };
        if let (Some(value), Some(owner)) = (
            receiver,
            c.owner.filter(|_| c.kind != CallableKind::Constructor),
        ) {
            let type_params = &program[owner].type_params;
            let ty = Type::named(owner, type_params.iter().map(|&p| Type::Param(p)).collect());
            let this = ident("this");
            self.input(values, lines, &this, value, &ty)?;
            let code = Code::named("this", body.copy(&ty));
            body.this = Some(code.clone());
            inputs.push(Input {
                code,
                ty,
                name: "this".into(),
                span: program[owner].span,
            });
        }
        let clauses_mention: SortedSet<LocalId> = c
            .spec
            .requires
            .iter()
            .chain(&c.spec.ensures)
            .flat_map(|clause| crate::translation::walk::mentioned(&clause.cond).0)
            .collect();
        let mut actuals = Vec::new();
        // The last argument of an iterator is not a parameter, but the number of its calls.
        let is_driven = program.driven_by(case.unit).is_some();
        let formals = c.ins.iter().take(c.ins.len() - usize::from(is_driven));
        for (formal, value) in formals.zip(args) {
            let local = &program[formal.local];
            let compiled = c.ghost || !local.ghost;
            if !compiled && !clauses_mention.contains(&formal.local) {
                continue;
            }
            let input = body.declare(formal.local, Own::Place);
            match self.input(values, lines, &input, value, &local.ty) {
                Ok(()) => {}
                // Clauses that mention a ghost argument without a value are not executed.
                Err(_) if !compiled => {
                    body.vars.remove(formal.local);
                    continue;
                }
                Err(u) => return Err(u),
            }
            let code = Code::variable(&input, body.copy(&local.ty));
            if compiled {
                actuals.push(if ground.is_copy(&local.ty) {
                    code.owned_value()
                } else {
                    code.borrowed()
                });
            }
            inputs.push(Input {
                code,
                ty: local.ty.clone(),
                name: local.name.to_string(),
                span: local.span,
            });
        }
        Ok((inputs, actuals))
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

    /// Writes the call of a test; for an iterator, its calls of `MoveNext`.
    fn call_or_steps(
        &self,
        body: &mut Body<'_, '_, '_>,
        (case, is_first): (&Case, bool),
        (outs, actuals): (&[Ident], Vec<rust::Expr>),
        doc: &mut Vec<String>,
    ) -> Translated<(Option<Steps>, rust::Expr)> {
        let program = self.ground.program;
        if self.options.official.is_some() && program.driven_by(case.unit).is_some() {
            let reason = "`--convention dafny` converts values, not iterators";
            return Err(body.scope.unsupported(program[case.unit].span, reason));
        }
        let Some((owner, parts, members)) = program.driven_by(case.unit) else {
            // The first test of a unit calls it through its trait, so that both ways are tested.
            let member = self.through_trait(case).filter(|_| is_first);
            doc.extend(member.and_then(|m| program[m].owner).map(|t| {
                format!(
                    "Called as a member of the trait `{}`.",
                    program.type_path(t)
                )
            }));
            return Ok((None, self.call(body, (case, member), actuals)?));
        };
        // The number of calls of an iterator is the bound of the loop that calls it.
        let calls = if let Some(Value::Int(n)) = case.args.last() {
            n.to_string()
        } else {
            "0".into()
        };
        let driven = Driven {
            owner,
            parts,
            members,
            calls,
            case,
            is_first,
        };
        let steps = self.steps(body, &driven, outs, actuals)?;
        let call = steps.block();
        Ok((Some(steps), call))
    }

    /// Writes the call and the expectations of a test in which an `expect` at `span` fails.
    fn halting(&self, span: Span, call: rust::Expr, draft: &mut Draft) {
        let place = self.ground.sources.locate_as_dafny(span);
        // What Dafny translates a failing `expect` to is any panic.
        if self.options.official.is_some() {
            draft.call = stmts!(let halts = crate::official::panics(|| #call););
            let text = format!("{place}: the `expect` fails");
            let check = macro_call(MacroName::Expect, [expr!(halts)], &text);
            return draft.expectations.push(check);
        }
        draft.call = stmts!(let halt = halted(|| #call););
        // Hand-written code may word its panic as it likes.
        draft.expectations.push(if self.options.is_translation {
            let location = expr!(halt.map(|h| h.location));
            let expected = expr!(Some(String::from(#place)));
            macro_call(
                MacroName::ExpectEq,
                [location, expected],
                "the `expect` that fails",
            )
        } else {
            let text = format!("{place}: the `expect` fails");
            macro_call(MacroName::Expect, [expr!(halt.is_some())], &text)
        });
    }

    /// Writes the call and the expectations of a test that returns. Returns whether all results are
    /// compared with values.
    fn returning(
        &self,
        body: &mut Body<'_, '_, 'p>,
        returning: Returning<'_>,
        values: &Values<'_, '_, '_>,
        (draft, ensures): (&mut Draft, &mut Vec<ClauseUse>),
    ) -> Translated<bool> {
        let (scope, program) = (body.scope, self.ground.program);
        let Returning {
            case,
            answers,
            outs,
            call,
            steps,
            known,
            is_first,
        } = returning;
        let c = &program[case.unit];
        let mut after = Stmts::new();
        let mut uses = Vec::new();
        let mut said = Said {
            case,
            uses: &mut uses,
            doc: &mut draft.doc,
        };
        let mut each_step = Stmts::new();
        if program.driven_by(case.unit).is_some() {
            each_step = self.iterator_clauses(body, (outs, is_first), &mut said, &mut after);
        }
        for clause in &c.spec.ensures {
            if let Some(condition) = self.postcondition_condition(body, clause, scope, &mut said) {
                let text = self.place_and_text(clause);
                after.push(macro_call(MacroName::Expect, [condition], &text));
            }
        }
        after.extend(self.frame_check(body, values, &mut said));
        let printed = self.official_output(case, &call, &mut draft.doc);
        if self.options.official.is_none() {
            after.extend(self.output(case, &mut draft.doc));
        }
        if known.is_some() && self.describes_calls(answers) {
            let text = format!(
                "{}: the calls that {} makes",
                self.ground.sources.locate(c.span),
                name_of(program, case.unit)
            );
            after.push(macro_call(MacroName::ExpectCalls, [], &text));
        }
        merge(ensures, uses);
        self.result_types(body, case.unit, scope, &mut after)?;
        // For hand-written code, the results of external code are unknown, so no values are
        // expected.
        let known = known.filter(|_| self.options.is_translation || case.answers.is_empty());
        let mut is_valued = false;
        if let Some((results, heap)) = known {
            // Values are checked first: a wrong result is shown with the right one, before a clause
            // that it violates.
            let mut exact = Stmts::new();
            let state = After {
                case,
                outs,
                results,
                heap,
                inputs: values,
            };
            is_valued = self.expected(body, &state, &mut exact);
            exact.append(&mut after);
            after = exact;
        }
        let is_constructor = c.kind == CallableKind::Constructor;
        let call = call_lines((steps, each_step), call, outs, is_constructor);
        draft.call = if body.states.is_before_needed() {
            stmts!(let before = Snapshot::take(); #..call)
        } else {
            call
        };
        if let Some((print, check)) = printed {
            draft.call.insert(0, print);
            after.push(check);
        }
        draft.expectations = after;
        Ok(is_valued)
    }

    /// Writes the checks of an iterator: into `after` those of its end, and as the result those of
    /// each `yield`.
    fn iterator_clauses(
        &self,
        body: &mut Body<'_, '_, 'p>,
        (outs, is_first): (&[Ident], bool),
        said: &mut Said<'_>,
        after: &mut Stmts,
    ) -> Stmts {
        let Some((owner, parts, members)) = self.ground.program.driven_by(said.case.unit) else {
            return Stmts::new();
        };
        let scope = body.scope;
        if is_first {
            after.extend(self.printed_iterator(body, owner));
        }
        after.extend(self.valid_iterator(body, said.case, members, outs));
        let each_step = self.yield_clauses(body, parts, scope, said);
        after.extend(self.end_clauses(body, parts, outs, scope, said));
        each_step
    }

    /// Writes the check that only objects of the frame change, and notes why if it is not executed.
    fn frame_check(
        &self,
        body: &mut Body<'_, '_, 'p>,
        values: &Values<'_, '_, '_>,
        said: &mut Said<'_>,
    ) -> Stmts {
        let case = said.case;
        let Some((lines, reason)) = self.frame(body, case, values, body.scope) else {
            return Stmts::new();
        };
        if let Some(first) = self.ground.program[case.unit].spec.modifies.first() {
            said.uses.push(ClauseUse {
                span: first.span,
                not_executed: reason.clone(),
                is_frame: true,
            });
        }
        said.doc.extend(
            reason.map(|r| format!("Frame not checked: {} ({r}).", self.frame_text(case.unit))),
        );
        lines
    }

    /// Returns the text that the unit prints, if it is checked, with the description of the check.
    pub(super) fn output_text<'c>(
        &self,
        case: &'c Case,
        doc: &mut Vec<String>,
    ) -> Option<(&'c str, String)> {
        let is_asked = |t: &&String| !t.is_empty() || self.prints.contains(&case.unit);
        let printed = case
            .printed
            .as_ref()
            .filter(|t| self.options.is_translation && is_asked(t))?;
        if printed.chars().nth(MAX_PRINTED).is_some() {
            doc.push(format!(
                "Output not checked: it is longer than {MAX_PRINTED} characters."
            ));
            return None;
        }
        let program = self.ground.program;
        let text = format!(
            "{}: what {} prints",
            self.ground.sources.locate(program[case.unit].span),
            name_of(program, case.unit)
        );
        Some((printed, text))
    }

    /// Writes the check of the unit's output.
    fn output(&self, case: &Case, doc: &mut Vec<String>) -> Option<rust::Stmt> {
        let (printed, text) = self.output_text(case, doc)?;
        let args = [printed.into()];
        Some(macro_call(MacroName::ExpectPrints, args, &text))
    }
}

/// Returns the sentence about objects whose construction by calls is not known.
fn created_by_fields(values: &Values<'_, '_, '_>) -> Option<String> {
    let names: Vec<String> = values.by_fields.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Created field by field (no calls were found that create it): {}.",
            names.join(", ")
        )
    })
}

/// Writes the call, or the calls of an iterator, and stores the results in variables.
fn call_lines(
    (steps, each_step): (Option<Steps>, Stmts),
    call: rust::Expr,
    outs: &[Ident],
    is_constructor: bool,
) -> Stmts {
    match (steps, outs.is_empty()) {
        (Some(steps), _) => steps.lines(each_step),
        (None, true) if is_constructor => stmts!(let this = #call;),
        (None, true) => stmts!(#call;),
        (None, false) => {
            let results = rust::Pat::one_or_tuple(outs);
            stmts!(let #results = #call;)
        }
    }
}

/// Returns the name of a unit in the source.
pub(crate) fn name_of(program: &Program, unit: CallableId) -> &str {
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
    annotated_test(name, unit, (doc, &[]), parts)
}

/// [`test_item`] with annotations of requirements.
fn annotated_test(
    name: &str,
    unit: &str,
    (doc, annotations): (&[String], &[String]),
    parts: impl IntoIterator<Item = Stmts>,
) -> resolved::Item {
    let annotations = annotations.iter().cloned().map(Attribute::Comment);
    let docs = doc
        .iter()
        .flat_map(|d| d.lines())
        .map(|l| Attribute::Doc(format!(" {}", crate::translation::docs::defused(l))))
        .chain(annotations);
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

/// Writes that the objects of stubs count as allocated later: postconditions may say that they are
/// fresh.
fn allocated_by_stubs(program: &Program, case: &Case, values: &Values<'_, '_, '_>) -> Stmts {
    if program[case.unit].spec.ensures.is_empty() {
        return Stmts::new();
    }
    case.created_by_stubs(program)
        .into_iter()
        .filter_map(|object| values.object_name(object))
        .flat_map(|name| stmts!(dunit::stub::allocate_later(&#name);))
        .collect()
}
