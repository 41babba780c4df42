//! The stages in order: parsed files → typed program → IR → test cases → report.
//!
//! [`front`] resolves, [`lower()`] lowers, [`search()`] searches units, [`cases`] converts the
//! results to test cases for the emitter, and [`unit_reports`] reports the outcome of every goal.
//! The submodules have the other commands.
//!
//! The module is pure: it takes texts and returns values. Files, the terminal and options belong to
//! [`crate::cli`].

mod answers;
pub mod boogie;
mod change;
pub mod check;
pub mod configured_inputs;
pub mod counterexample;
pub mod dafny_suite;
pub mod dafny_test;
pub mod dead;
pub mod equivalent;
pub mod explore;
pub mod findings;
pub mod fuzz;
pub mod generate;
pub mod isolation;
pub mod modular;
pub mod mutants;
pub mod obligations;
mod regions;
pub mod replay;
pub mod scenarios;
mod shard;
pub mod test_methods;
pub mod trace;
mod work;

use std::sync::Arc;

use regex_lite::Regex;

use crate::report::{
    CalleeReport, ClauseReport, FindingReport, GoalOutcome, GoalReport, OwnTestReport, UnitReport,
};
pub use change::{Change, touched};
use dafny_resolve::typed::{self, CallableId, FieldId, FieldKind, Options, Type, TypeId};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::SourceMap;
use dtest_desugar::{External, ExternalCode as _};
use dtest_emit::Unsupported;
use dtest_emit::case::{
    Case, CaseOutcome, ClassCase, ClauseUse, DatatypeCase, Declared, FrameKept, MadeValue, Oracle,
    Suite, TestId, TestRole, Written,
};
use dtest_encode::Fact;
use dtest_interp::{Failure, FailureKind, Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir::reason::Reason;
use dtest_ir::{self as ir, Criteria, GoalId};
use dtest_lower::{self as lower, units::Unit};
use dtest_search::describe;
use dtest_search::portable::Closures;
use dtest_search::{self as search, GoalStatus, UnitResult};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, Construction, FunctionValue, Heap, ObjectId, Value, print};
pub use shard::{Part, Shard, deal, keys, parts};
pub use work::{Kept, Memory, Solved, search};

/// Resolves parsed files. Returns the program and warnings.
///
/// # Errors
/// All diagnostics, if one of them is an error.
pub fn front(
    files: Vec<ast::File>,
    options: Options,
) -> Result<(typed::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (program, diagnostics) = dafny_resolve::resolve(files, options);
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(diagnostics)
    } else {
        Ok((program, diagnostics))
    }
}

/// The parser options for additional text of a program.
fn syntax(options: &Options) -> dafny_syntax::Options {
    options.syntax()
}

/// The name of the constant whose value is the evaluated expression. Programs cannot use this name.
const EVALUATED: &str = "evaluated'by'dtest";

/// Builds a program without ghost code whose `Main` prints the value of `expression`. The
/// expression has the scope of the top level; its text is added to `sources`.
///
/// # Errors
/// Errors in the expression or in the program.
pub fn evaluating(
    mut files: Vec<ast::File>,
    sources: &mut SourceMap,
    options: Options,
    expression: &str,
) -> Result<ir::Program, Vec<Diagnostic>> {
    // A ghost constant may have any expression, also one that cannot be compiled.
    let text = format!("ghost const {EVALUATED} :=\n{expression}\n");
    let too_large = || {
        vec![Diagnostic::global(
            "load/too-large",
            "the program's texts are larger than 4 GiB together",
        )]
    };
    let id = sources
        .add("expression", text.as_str(), false)
        .ok_or_else(too_large)?;
    let base = sources.file(id).map_or(0, |f| f.base);
    let (parsed, diagnostics) = dafny_syntax::parse_with(base, &text, syntax(&options));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    files.push(parsed);
    let (program, _) = front(files, options)?;
    let nothing = || {
        vec![Diagnostic::global(
            "eval/no-value",
            "this is not an expression",
        )]
    };
    Ok(lower(
        dtest_desugar::printing(program, EVALUATED).ok_or_else(nothing)?,
        Criteria::obligations(),
    ))
}

/// Replaces the text of the file that begins at `base` and resolves the program again; `None` if it
/// has errors then.
pub(crate) fn edited(
    program: &typed::Program,
    sources: &SourceMap,
    base: u32,
    text: &str,
) -> Option<(SourceMap, typed::Program)> {
    let syntax = syntax(&program.options);
    let mut map = SourceMap::new();
    let mut files = Vec::new();
    for (_, file) in sources.files() {
        let text = if file.base == base { text } else { &*file.text };
        let id = map.add(file.path.as_str(), text, file.named)?;
        let (parsed, diagnostics) = dafny_syntax::parse_with(map.file(id)?.base, text, syntax);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        files.push(parsed);
    }
    let (typed, _) = front(files, program.options.clone()).ok()?;
    Some((map, typed))
}

/// Lowers a typed program with the goals of the given criteria. If obligations are goals, ghost
/// code is treated as compiled code, because obligations occur in it.
pub fn lower(program: typed::Program, criteria: Criteria) -> ir::Program {
    let program = if criteria.has(ir::Criterion::Obligation) {
        dtest_desugar::unghosted(program)
    } else {
        program
    };
    lower::lower_for(Arc::new(program), criteria)
}

/// Makes the named callables the entries of system tests ([`lower::entries::enter`]). If a
/// criterion distinguishes calls, inlines them up to the depth `inline`
/// ([`lower::inline::inline`]). Returns the names that the program lacks.
pub fn enter(
    program: &mut ir::Program,
    sources: &SourceMap,
    included: bool,
    names: &[String],
    inline: Option<u32>,
) -> Vec<String> {
    let is_wanted = |span: dafny_syntax::source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    let missing = lower::entries::enter(program, names, is_wanted);
    lower::inline::inline(program, inline, is_wanted);
    missing
}

/// Returns the entries, if there are any. Otherwise returns the units of the named files (of all
/// files if `included`) whose path matches `filter`, in source order.
pub fn units(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&Regex>,
) -> Vec<Unit> {
    let is_wanted = |span: dafny_syntax::source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    let all = match &program.entries {
        Some(entries) => lower::units::units_of(&program.typed, entries.clone()),
        None => lower::units::units(&program.typed, is_wanted),
    };
    all.into_iter()
        .filter(|u| filter.is_none_or(|f| f.is_match(&u.path)))
        .collect()
}

/// Converts the results to test cases for the emitter, in the order of units and tests. With
/// `keep_failing`, the tests of a unit are followed by one for each of its violations, which is
/// expected to fail.
pub fn cases(
    program: &ir::Program,
    sources: &SourceMap,
    results: &[Solved],
    keep_failing: bool,
) -> Vec<Case> {
    let interp = Interp::new(program, Limits::default());
    let of_unit = |solved: &Solved| {
        let result = &solved.result;
        let captions = captions(program, sources, result);
        let tests = result.tests.iter().zip(&solved.constructions).zip(captions);
        let tests = tests
            .enumerate()
            .map(|(i, ((test, constructed), caption))| {
                case(&interp, (i, test), constructed, caption)
            });
        let findings = result
            .findings
            .iter()
            .filter(|f| keep_failing && f.certain)
            .enumerate()
            .map(|(i, f)| failing_case(i, f, sources));
        tests.chain(findings).collect::<Vec<_>>()
    };
    results.iter().flat_map(of_unit).collect()
}

/// Returns the program's own tests in the named files (in all files if `included`) whose path
/// matches `filter`, with the answers of the stubs for external code that they call.
pub fn own_tests(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&Regex>,
) -> Vec<Declared> {
    let typed = &program.typed;
    let is_wanted = |span: dafny_syntax::source::Span| {
        included
            || sources
                .file_at(span.start)
                .is_some_and(|(_, f)| f.named || f.path == scenarios::FILE)
    };
    let ids = lower::units::own_tests(typed, is_wanted);
    let ids: Vec<CallableId> = ids
        .into_iter()
        .filter(|id| filter.is_none_or(|f| f.is_match(&typed.callable_path(*id))))
        .collect();
    // External code that is linked to Rust needs no stub.
    let is_external = |id: CallableId| matches!(typed.external(id), Some(External::StandIn));
    let closures = Closures::new(program, ids.iter().copied(), "");
    let has_external = |test: CallableId| {
        closures
            .of(test)
            .is_none_or(|c| c.callables().any(is_external))
    };
    let interp = Interp::new(program, Limits::default());
    let declared = |callable: CallableId| {
        let mut test = Declared {
            callable,
            answers: Vec::new(),
            refused: lower::units::no_test(typed, callable).map(str::to_owned),
        };
        // Without external code, no answers are needed: the test passes or fails in Rust.
        if test.refused.is_none() && has_external(callable) {
            let execution = interp.run(callable, &Inputs::default());
            let made_up = execution
                .answers
                .iter()
                .find(|_| !execution.linked)
                .map(|a| a.callee);
            test.refused = match (execution.outcome, made_up) {
                (Outcome::Unsupported(reason @ Reason::External(_)), _) => Some(reason.to_string()),
                (Outcome::Halted { .. } | Outcome::Failed(_), Some(callee)) => Some(format!(
                    "extern: the test does not pass with the stand-in for `{}`, which has no linked Rust implementation",
                    typed.callable_path(callee)
                )),
                (
                    Outcome::Unsupported(_)
                    | Outcome::Returned(_)
                    | Outcome::Failed(_)
                    | Outcome::Halted { .. }
                    | Outcome::OutOfFuel(_)
                    | Outcome::Infeasible(_),
                    _,
                ) => None,
            };
            test.answers = execution.answers;
        }
        test
    };
    ids.into_iter().map(declared).collect()
}

/// Returns values of the datatypes of the named files (of all files if `included`) whose path
/// matches `filter`.
pub fn datatypes(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&Regex>,
) -> Vec<DatatypeCase> {
    let typed = &program.typed;
    let is_wanted = |span: dafny_syntax::source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    // A value becomes part of a test with its printed form; lazy parts are evaluated first.
    let interp = Interp::new(program, Limits::default());
    let case = |found: search::specimen::Specimens| {
        let ty = Type::named(found.decl, found.type_args.clone());
        let dynamic = |object: ObjectId| {
            found
                .heap
                .objects
                .get(object.0 as usize)
                .map(|o| o.ty.clone())
        };
        let made = |(_, value): &(_, Value)| {
            interp.look_into(value, &found.heap);
            let printed = print(typed, &dynamic, value, &ty, &ty);
            MadeValue {
                value: value.clone(),
                printed,
                constants: constants(&interp, Some(value), &ty, &found.heap),
            }
        };
        let values = found.values.iter().map(made).collect();
        let constants = constants(&interp, None, &ty, &found.heap);
        // The comment of the test also names the constructors that it does not cover.
        let place = sources.locate(typed[found.decl].span);
        let mut doc = vec![format!(
            "Values of the constructors at {place}: discriminators, fields, printed form."
        )];
        doc.extend(found.missing.iter().map(|c| {
            format!(
                "Not covered: `{}` (no arguments for it are known).",
                typed[*c].name
            )
        }));
        DatatypeCase {
            decl: found.decl,
            values,
            constants,
            doc,
            type_args: found.type_args,
            heap: found.heap,
        }
    };
    lower::units::datatypes(typed, is_wanted)
        .into_iter()
        .filter(|&id| filter.is_none_or(|f| f.is_match(&typed.type_path(id))))
        .filter_map(|id| search::specimen::specimens(program, &interp, id))
        .map(case)
        .collect()
}

/// Returns objects of the classes of the named files (of all files if `included`) whose path
/// matches `filter`.
pub fn classes(
    program: &ir::Program,
    sources: &SourceMap,
    included: bool,
    filter: Option<&Regex>,
) -> Vec<ClassCase> {
    let typed = &program.typed;
    let is_wanted = |span: dafny_syntax::source::Span| {
        included || sources.file_at(span.start).is_some_and(|(_, f)| f.named)
    };
    let interp = Interp::new(program, Limits::default());
    let case = |found: search::specimen::Objects| {
        let place = sources.locate(typed[found.decl].span);
        let doc = "printed form, changes of fields, the view through its traits, constants.";
        let ty = Type::named(found.decl, found.type_args.clone());
        // An object is added only if one of its constants has a truth value that no earlier object
        // has.
        let mut seen = SortedSet::new();
        let mut objects: Vec<(Value, Vec<(FieldId, Value)>)> = Vec::new();
        for object in found.objects {
            let constants = constants(&interp, Some(&object), &ty, &found.heap);
            let truths = constants
                .iter()
                .filter(|(_, v)| matches!(v, Value::Bool(_)));
            if truths.fold(objects.is_empty(), |new, truth| {
                seen.insert(truth.clone()) || new
            }) {
                objects.push((object, constants));
            }
        }
        ClassCase {
            decl: found.decl,
            type_args: found.type_args,
            objects,
            constants: constants(&interp, None, &ty, &found.heap),
            heap: found.heap,
            doc: vec![format!("An object of the class at {place}: {doc}")],
        }
    };
    lower::units::classes(typed, is_wanted)
        .into_iter()
        .filter(|&id| filter.is_none_or(|f| f.is_match(&typed.type_path(id))))
        .filter_map(|id| search::specimen::objects(program, &interp, id))
        .map(case)
        .collect()
}

/// Returns the compiled constants, with their values, in the declaration of a type and of its
/// traits: the instance constants of a value `of`, or the static constants of the type.
fn constants(
    interp: &Interp<'_>,
    of: Option<&Value>,
    ty: &Type,
    heap: &Heap,
) -> Vec<(FieldId, Value)> {
    let typed = &interp.program().typed;
    let Type::Named { decl, args, .. } = ty else {
        return Vec::new();
    };
    let substitution = typed.substitution(*decl, args);
    let traits = typed
        .ancestors(*decl)
        .into_iter()
        .map(|(t, args)| (t, args.iter().map(|a| a.subst(&substitution)).collect()));
    // Static constants belong to the type alone; instance constants are inherited from traits.
    let owners = std::iter::once((*decl, args.clone())).chain(traits.filter(|_| of.is_some()));
    let found = owners.flat_map(|(owner, args): (TypeId, Vec<Type>)| {
        let wanted = |f: &&FieldId| {
            let field = &typed[**f];
            matches!(field.kind, FieldKind::Const(Some(_)))
                && !field.ghost
                && field.is_static == of.is_none()
        };
        let value = |f: &FieldId| Some((*f, interp.constant(*f, of, &args, heap)?));
        typed[owner]
            .fields
            .iter()
            .filter(wanted)
            .filter_map(value)
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// Reports on types after their tests are written, from [`Suite::datatypes`] or [`Suite::classes`].
pub fn type_reports(
    program: &ir::Program,
    sources: &SourceMap,
    tests: &[(TypeId, Result<Written, Unsupported>)],
) -> Vec<OwnTestReport> {
    let report = |(id, written): &(TypeId, Result<Written, Unsupported>)| OwnTestReport {
        name: program.typed.type_path(*id),
        place: sources.locate(program.typed[*id].span),
        test: written.as_ref().ok().map(|w| w.test.clone()),
        not_written: written.as_ref().err().map(|u| u.reason.to_string()),
        finding: None,
    };
    tests.iter().map(report).collect()
}

/// Reports on the program's own tests after they are written; `findings` has the violations in
/// their executions.
pub fn own_test_reports(
    program: &ir::Program,
    sources: &SourceMap,
    suite: &Suite,
    findings: &SortedMap<CallableId, Failure>,
) -> Vec<OwnTestReport> {
    let report = |(id, written): &(CallableId, Result<Written, Unsupported>)| OwnTestReport {
        name: program.typed.callable_path(*id),
        place: sources.locate(program.typed[*id].span),
        test: written.as_ref().ok().map(|w| w.test.clone()),
        not_written: written.as_ref().err().map(|u| u.reason.to_string()),
        finding: findings.get(id).map(|failure| FindingReport {
            place: sources.locate(failure.span),
            message: failure.message.clone(),
            inputs: Vec::new(),
        }),
    };
    suite.declared.iter().map(report).collect()
}

/// Builds the test of a violation, which fails until the program is fixed. `program` is the one
/// without ghost code; `index` numbers the violations of a suite.
pub fn violated_case(
    program: &ir::Program,
    sources: &SourceMap,
    unit: CallableId,
    (index, violation): (usize, &search::check::Violation),
) -> Case {
    let inputs = describe::inputs(program, unit, &violation.inputs);
    let with = if inputs.is_empty() {
        String::new()
    } else {
        format!(" with {}", inputs.join(", "))
    };
    let message = format!(
        "Violates an obligation{with}: {}: {}.",
        sources.locate(violation.failure.span),
        violation.failure.message
    );
    let finding = search::Finding {
        unit,
        inputs: violation.inputs.clone(),
        failure: violation.failure.clone(),
        blocks: Vec::new(),
        certain: true,
    };
    let name = check::test_name(violation.failure.kind.obligation()).to_owned();
    Case {
        name,
        doc: vec![
            message,
            "It passes once the program is fixed. If the fix excludes these inputs, delete it."
                .into(),
        ],
        ..failing_case(index, &finding, sources)
    }
}

/// Whether compiled code or a test that calls it detects a failure. Assertions, invariants, frames,
/// measures and constraints are proved by the verifier, and not checked at run time.
pub fn shows_when_compiled(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Postcondition
        | FailureKind::Index
        | FailureKind::Key
        | FailureKind::Division
        | FailureKind::Destructor
        | FailureKind::Null
        | FailureKind::Domain
        | FailureKind::NoCandidate
        | FailureKind::MissingCase => true,
        FailureKind::Assert
        | FailureKind::Invariant
        | FailureKind::InvariantKept
        | FailureKind::Decreases
        | FailureKind::Reads
        | FailureKind::Precondition
        | FailureKind::Modifies
        | FailureKind::LoopRange
        | FailureKind::Termination
        | FailureKind::TypeConstraint
        | FailureKind::Aliasing
        | FailureKind::NotUnique
        | FailureKind::Unassigned
        | FailureKind::Application
        | FailureKind::Allocated
        | FailureKind::Override
        | FailureKind::Witness => false,
    }
}

fn failing_case(index: usize, finding: &search::Finding, sources: &SourceMap) -> Case {
    let place = sources.locate(finding.failure.span);
    Case {
        unit: finding.unit,
        role: TestRole::Violating(index),
        type_args: finding.inputs.type_args.clone(),
        args: finding.inputs.args.clone(),
        heap: finding.inputs.heap.clone(),
        constructed: SortedMap::new(),
        name: "finding".into(),
        doc: vec![format!(
            "A finding, kept by --keep-failing: {place}: {}.",
            finding.failure.message
        )],
        outcome: CaseOutcome::Returns(None),
        printed: None,
        frame: FrameKept::Kept,
        answers: finding.inputs.answers.clone(),
        unanswered: Vec::new(),
    }
}

fn case(
    interp: &Interp<'_>,
    (index, test): (usize, &search::TestCase),
    constructed: &SortedMap<ObjectId, Construction>,
    caption: Caption,
) -> Case {
    // A result is asserted only if the execution is deterministic and runs only code of the
    // program.
    let outcome = match &test.execution.outcome {
        Outcome::Halted { .. } if test.execution.linked => CaseOutcome::Open,
        Outcome::Halted { span, .. } => CaseOutcome::Halts { span: *span },
        Outcome::Returned(values) if test.deterministic => {
            let heap = &test.execution.heap;
            values
                .iter()
                .flatten()
                .chain(heap.contents())
                .for_each(|value| interp.look_into(value, heap));
            CaseOutcome::Returns(Some((
                answers::answered(interp, test, values),
                heap.clone(),
            )))
        }
        Outcome::Returned(_)
        | Outcome::Failed(_)
        | Outcome::OutOfFuel(_)
        | Outcome::Infeasible(_)
        | Outcome::Unsupported(_) => CaseOutcome::Returns(None),
    };
    // Clauses that the interpreter could not answer are listed in the test.
    let clauses = test.requires.iter().chain(&test.ensures);
    let unanswered = clauses.filter_map(|c| {
        c.unanswered
            .as_ref()
            .map(|reason| (c.span, reason.to_string()))
    });
    let (heap, answers) = redefined(&interp.program().typed, &test.inputs);
    Case {
        unit: test.unit,
        role: TestRole::Covering(index),
        type_args: test.type_args.clone(),
        args: test.inputs.args.clone(),
        heap,
        constructed: constructed.clone(),
        name: caption.name,
        doc: caption.doc,
        outcome,
        printed: test.deterministic.then(|| test.execution.printed.clone()),
        frame: match &test.frame {
            Truth::True | Truth::False => FrameKept::Kept,
            Truth::Unknown(reason) => FrameKept::Unknown(reason.to_string()),
        },
        answers,
        unanswered: unanswered.collect(),
    }
}

/// The results of a function for its arguments.
type Rows = Vec<(Vec<Value>, Value)>;

/// Moves the answers of mocked functions into the tables of their objects in the heap. Also returns
/// the other answers: those of methods and of external code.
fn redefined(program: &typed::Program, inputs: &Inputs) -> (Heap, Vec<Answer>) {
    let mut heap = inputs.heap.clone();
    let mut tables: SortedMap<(ObjectId, CallableId), Rows> = SortedMap::new();
    let mut others = Vec::new();
    for answer in &inputs.answers {
        let c = &program[answer.callee];
        if !program.is_mocked(answer.callee) || !c.kind.is_function() || !c.type_params.is_empty() {
            others.push(answer.clone());
            continue;
        }
        let known =
            |values: &[Option<Value>]| values.iter().cloned().collect::<Option<Vec<Value>>>();
        match (
            answer
                .args
                .split_first()
                .map(|(mock, args)| (mock, known(args))),
            answer.results.as_slice(),
        ) {
            (Some((Some(Value::Ref(mock)), Some(args))), [Some(result)]) => {
                tables
                    .entry((*mock, program.first_declaration(answer.callee)))
                    .or_default()
                    .push((args, result.clone()));
            }
            (_, _) => others.push(answer.clone()),
        }
    }
    for ((mock, function), entries) in tables {
        let count = |v: &Value| entries.iter().filter(|(_, r)| r == v).count();
        // The most common result becomes the default; ties go to the least.
        let Some(default) = entries
            .iter()
            .map(|(_, r)| r)
            .max_by_key(|r| (count(r), std::cmp::Reverse(*r)))
            .cloned()
        else {
            continue;
        };
        let mut entries: Vec<_> = entries.into_iter().filter(|(_, r)| *r != default).collect();
        entries.sort();
        if let Some(object) = heap.objects.get_mut(mock.0 as usize) {
            object
                .redefined
                .insert(function, FunctionValue::Table { entries, default });
        }
    }
    (heap, others)
}

/// Reports on every unit after its tests are written; `suite` is the result of emitting [`cases`]
/// of the same results.
pub fn unit_reports(
    program: &ir::Program,
    sources: &SourceMap,
    units: &[Unit],
    results: &[Solved],
    suite: &Suite,
) -> Vec<UnitReport> {
    let report = |(unit, solved)| unit_report(program, sources, unit, solved, suite);
    units.iter().zip(results).map(report).collect()
}

/// The reasons why tests that the search found are not in a suite. Tests that are there have no
/// entry.
pub type Unwritten = SortedMap<TestId, String>;

/// Returns the reasons why tests of the units are not in the suite.
pub fn unwritten(suite: &Suite) -> Unwritten {
    suite
        .tests
        .iter()
        .filter(|(id, _)| matches!(id.role, TestRole::Covering(_)))
        .filter_map(|(id, written)| Some((*id, written.as_ref().err()?.reason.to_string())))
        .collect()
}

/// The tests of a unit, each with what became of it in the suite.
struct UnitTests<'a> {
    result: &'a UnitResult,
    suite: &'a Suite,
}

impl<'a> UnitTests<'a> {
    /// Returns the fate of a test, by its index among the tests of the unit; `None` if it is not a
    /// case of the suite.
    fn get(&self, index: usize) -> Option<&'a Result<Written, Unsupported>> {
        self.suite.tests.get(&TestId {
            unit: self.result.unit,
            role: TestRole::Covering(index),
        })
    }

    /// Returns the tests that are cases of the suite.
    fn iter(
        &self,
    ) -> impl Iterator<Item = (&'a search::TestCase, &'a Result<Written, Unsupported>)> {
        let tests = self.result.tests.iter().enumerate();
        tests.filter_map(|(i, test)| Some((test, self.get(i)?)))
    }
}

fn unit_report(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    solved: &Solved,
    suite: &Suite,
) -> UnitReport {
    let name_of_unit = program.typed[unit.callable].span;
    let result = &solved.result;
    let written = UnitTests { result, suite };
    let goal = |(id, status): &(GoalId, GoalStatus)| {
        let goal = id;
        let callable = goal.callee().map(|c| program.typed.callable_path(c));
        let tests = reaching(*goal, &written);
        let block = goal.block(unit.callable);
        let goal = program.goal(unit.callable, *goal)?;
        let is_path = goal.reason == ir::GoalReason::Path;
        let span = if is_path { name_of_unit } else { goal.span };
        Some(GoalReport {
            place: sources.locate(span),
            region: sources.region(if is_path { span } else { goal.source() }),
            decision: goal.decided().and_then(|s| sources.region(s)),
            criterion: program.criterion(unit.callable, *id)?,
            goal: describe::phrase(goal, sources),
            outcome: outcome(program, sources, status, &written, &tests),
            tests,
            actual: None,
            block,
            callable,
            calls: describe::calls(program, unit.callable, *id, sources),
        })
    };
    let unknown = |t: &search::TestCase| {
        t.requires
            .iter()
            .filter(|c| matches!(c.truth, Truth::Unknown(_)))
            .count()
    };
    // If the precondition is undecided, the inputs may be illegal, so the violation becomes a note.
    let doubts = result.findings.iter().filter(|f| !f.certain).map(|f| {
        let place = sources.locate(f.failure.span);
        format!(
            "{place}: {}, for inputs whose precondition could not be decided",
            f.failure.message
        )
    });
    let callee = |id: &CallableId| CalleeReport {
        callable: program.typed.callable_path(*id),
        place: sources.locate(program.typed[*id].span),
    };
    let clauses = suite
        .ensures
        .iter()
        .find(|(id, _)| *id == unit.callable)
        .map_or(&[][..], |(_, clauses)| clauses);
    let clause = |c: &ClauseUse| ClauseReport {
        place: sources.locate(c.span),
        text: describe::one_line(sources.text(c.span)),
        not_executed: c.not_executed.clone(),
        is_frame: c.is_frame,
    };
    UnitReport {
        unit: unit.path.clone(),
        module: program
            .typed
            .module_path(program.typed[unit.callable].module)
            .join("."),
        place: sources.locate(name_of_unit),
        region: sources.region(name_of_unit),
        callees: program
            .systems
            .get(&unit.callable)
            .map_or_else(Vec::new, |s| s.callees.iter().map(callee).collect()),
        goals: result.goals.iter().filter_map(goal).collect(),
        regions: regions::regions(program, sources, &written),
        tests: written
            .iter()
            .filter_map(|(_, w)| w.as_ref().ok().map(|w| w.test.clone()))
            .collect(),
        ensures: clauses.iter().map(clause).collect(),
        preconditions_unknown: result.tests.iter().map(unknown).sum(),
        valued_tests: written
            .iter()
            .filter(|(_, w)| w.as_ref().is_ok_and(|w| w.oracle == Oracle::Values))
            .count(),
        unchecked: written
            .iter()
            .filter_map(|(_, w)| {
                w.as_ref()
                    .ok()
                    .filter(|w| w.oracle == Oracle::Nothing)
                    .map(|w| w.test.clone())
            })
            .collect(),
        deterministic_tests: written.iter().filter(|(t, w)| is_determined(t, w)).count(),
        findings: result
            .findings
            .iter()
            .filter(|f| f.certain)
            .map(|f| finding(program, sources, unit, f))
            .collect(),
        not_emitted: written
            .iter()
            .find_map(|(_, w)| w.as_ref().err().map(|u| u.reason.to_string())),
        claims: result
            .claims
            .iter()
            .map(ToString::to_string)
            .chain(describe::calls_left_out(program, unit.callable))
            .collect(),
        notes: result
            .notes
            .iter()
            .map(ToString::to_string)
            .chain(doubts)
            .collect(),
        cached: solved.cached,
        seconds: result.times.total.as_secs_f64(),
        timed_out: result.timed_out,
    }
}

/// Returns the written tests that reach a goal, first the test that was generated for it.
fn reaching(goal: GoalId, written: &UnitTests<'_>) -> Vec<String> {
    let all = written
        .iter()
        .filter(|(test, _)| test.covers.contains(&goal));
    let (own, others): (Vec<_>, Vec<_>) = all.partition(|(test, _)| test.goal == goal);
    own.into_iter()
        .chain(others)
        .filter_map(|(_, w)| w.as_ref().ok().map(|w| w.test.clone()))
        .collect()
}

/// Whether Dafny's semantics determines a value that a written test could compare: a result, or a
/// field of an object.
fn is_determined(test: &search::TestCase, written: &Result<Written, Unsupported>) -> bool {
    let has_results = matches!(&test.execution.outcome, Outcome::Returned(values) if values.iter().any(Option::is_some));
    written
        .as_ref()
        .is_ok_and(|w| test.deterministic && (has_results || w.oracle == Oracle::Values))
}

/// Converts the status of a goal to its outcome. `tests` are the written tests that reach the goal.
fn outcome(
    program: &ir::Program,
    sources: &SourceMap,
    status: &GoalStatus,
    written: &UnitTests<'_>,
    tests: &[String],
) -> GoalOutcome {
    // `Covered` names the first test that was written; a covered goal without a written test is
    // reported as not supported, with the reason.
    match status {
        GoalStatus::Covered(i) => match (written.get(*i), tests.first()) {
            (Some(Ok(test)), _) => GoalOutcome::Covered {
                test: test.test.clone(),
            },
            (Some(Err(_)) | None, Some(other)) => GoalOutcome::Covered {
                test: other.clone(),
            },
            (Some(Err(left_out)), None) => GoalOutcome::Unsupported {
                reason: format!(
                    "inputs were found, but the test cannot be written: {}",
                    left_out.reason
                ),
            },
            (None, None) => GoalOutcome::Unsupported {
                reason: "inputs were found, but the test was not written".into(),
            },
        },
        GoalStatus::OnlyByFinding(_) => GoalOutcome::Finding,
        GoalStatus::OnlyByChoice => GoalOutcome::Choice,
        GoalStatus::UnreachableProved { why } => GoalOutcome::Unreachable {
            reason: why.clone(),
        },
        GoalStatus::UnreachableGiven { facts } => {
            let said: Vec<String> = facts
                .iter()
                .filter_map(|f| given(program, sources, *f))
                .collect();
            GoalOutcome::Given {
                reason: said.join(" and "),
            }
        }
        GoalStatus::UnreachableAtCaps { scope } => GoalOutcome::UnreachableAtCaps {
            bound: scope.to_string(),
        },
        GoalStatus::UnreachableWithinBounds { scope } => GoalOutcome::UnreachableWithinBounds {
            bound: scope.to_string(),
        },
        GoalStatus::Cut(cut) => GoalOutcome::OutOfBudget {
            reason: cut.to_string(),
        },
        GoalStatus::PathsLeft { most, stopped } => {
            let more = if *most == 1 {
                "at most 1 more path".to_owned()
            } else {
                format!("at most {most} more paths")
            };
            GoalOutcome::OutOfBudget {
                reason: format!("{more} within the bounds; {}", stopped.text()),
            }
        }
        GoalStatus::OutOfBudget(budget) => GoalOutcome::OutOfBudget {
            reason: budget.text().into(),
        },
        GoalStatus::NotConfirmed => GoalOutcome::OutOfBudget {
            reason: "the interpreter could not confirm any model".into(),
        },
        GoalStatus::Unsupported(reason) => GoalOutcome::Unsupported {
            reason: reason.to_string(),
        },
    }
}

/// Describes an assumption that a claim rests on, with its location; `None` if it needs no mention.
fn given(program: &ir::Program, sources: &SourceMap, fact: Fact) -> Option<String> {
    match fact {
        Fact::Assume(span) => {
            let text = sources
                .text(span)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            Some(format!(
                "`{}` ({})",
                text.trim_end_matches(';'),
                sources.locate(span)
            ))
        }
        Fact::Contract(callee, span) => Some(format!(
            "the contract of `{}` ({}), which is not checked",
            program.typed.callable_path(callee),
            sources.locate(span)
        )),
        Fact::Postcondition(callee, span) => Some(format!(
            "the postcondition of `{}` ({}), which compiled code does not check",
            program.typed.callable_path(callee),
            sources.locate(span)
        )),
        Fact::Precondition(_)
        | Fact::InputType(_)
        | Fact::Decision(_)
        | Fact::Definition(..)
        | Fact::WellFormed(_)
        | Fact::Returns(_)
        | Fact::Expect(_)
        | Fact::Assertion(..)
        | Fact::Variable(_) => None,
    }
}

fn finding(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    finding: &search::Finding,
) -> FindingReport {
    FindingReport {
        place: sources.locate(finding.failure.span),
        message: finding.failure.message.clone(),
        inputs: describe::inputs(program, unit.callable, &finding.inputs),
    }
}

/// The name and documentation of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The name of the test, unique within the unit.
    pub name: String,
    /// The lines of its documentation.
    pub doc: Vec<String>,
}

/// Maximum number of decisions of a path in the documentation.
const MAX_PATH: usize = 12;

/// Returns a caption for each test of a unit, named after the condition that decides its goal and
/// the value of that condition.
pub fn captions(program: &ir::Program, sources: &SourceMap, result: &UnitResult) -> Vec<Caption> {
    let goals: Vec<GoalId> = result.goals.iter().map(|(g, _)| *g).collect();
    let noun = if program.criteria.is_default() {
        "block"
    } else {
        "goal"
    };
    let mut taken = dtest_sorted::SortedSet::new();
    let caption = |test: &search::TestCase| {
        let goal = program.goal(test.unit, test.goal)?;
        // A path is named after its last decision.
        let name = match (&test.notices, &goal.reason, test.path.last()) {
            (None, _, _) if test.is_larger => "larger_input".to_owned(),
            (Some(mutation), _, _) => describe::mutation_name(mutation, sources),
            (None, ir::GoalReason::Path, Some(last)) => {
                describe::path_name(last.cond, last.value, sources)
            }
            (None, _, _) => match (test.goal, test.goal.callee()) {
                (GoalId::BlockBy(call, ..), _) => {
                    describe::inner_name_by_call(program, test.unit, call, goal, sources)
                }
                (_, Some(callee)) => {
                    describe::inner_name(&program.typed[callee].name, goal, sources)
                }
                (_, None) => describe::name(goal, sources),
            },
        };
        Some(Caption {
            name: unique(name, &mut taken),
            doc: doc(program, goal, test, &goals, noun, sources),
        })
    };
    result.tests.iter().map_while(caption).collect()
}

fn unique(name: String, taken: &mut dtest_sorted::SortedSet<String>) -> String {
    let mut candidate = name.clone();
    let mut n = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{n}");
        n += 1;
    }
    candidate
}

fn doc(
    program: &ir::Program,
    goal: &ir::Goal,
    test: &search::TestCase,
    goals: &[GoalId],
    noun: &str,
    sources: &SourceMap,
) -> Vec<String> {
    // First line: the goal of the test, its position among the goals, and the other goals covered.
    let number = |g: GoalId| describe::ordinal(goals, g);
    let others: Vec<String> = test
        .covers
        .iter()
        .filter(|b| **b != test.goal)
        .map(|b| number(*b).to_string())
        .collect();
    let also = match others.as_slice() {
        [] => String::new(),
        [one] => format!("; also {noun} {one}"),
        [..] => format!("; also {noun}s {}", others.join(", ")),
    };
    let place = format!("{noun} {} of {}", number(test.goal), goals.len());
    let called = describe::called_at(&describe::calls(program, test.unit, test.goal, sources));
    let inside = test
        .goal
        .callee()
        .map(|c| format!("in `{}`{called}, ", program.typed.callable_path(c)))
        .unwrap_or_default();
    let phrase = describe::phrase(goal, sources);
    let at = if goal.reason == ir::GoalReason::Path {
        program.typed[test.unit].span
    } else {
        goal.span
    };
    let reached = format!(
        "Reaches {}: {inside}{phrase} ({place}){also}.",
        sources.locate(at)
    );
    // A test that was added to kill a mutant says so first.
    let killed = test.notices.as_ref().map(|mutation| {
        let what = describe::mutation(mutation, sources);
        format!(
            "Kills a mutant that survives the other tests of `{}`: {what} ({}).",
            program.typed.callable_path(test.unit),
            sources.locate(mutation.span)
        )
    });
    let larger = test.is_larger.then(|| {
        "A larger input, for combinations that the smaller ones lack; values of the program's own functions."
            .to_owned()
    });
    let mut lines: Vec<String> = killed.into_iter().chain(larger).chain([reached]).collect();
    // The conditions on the path, and the preconditions that were not decided.
    let mut path: Vec<String> = test
        .path
        .iter()
        .take(MAX_PATH)
        .map(|s| describe::condition(s.cond, s.value, sources))
        .collect();
    if test.path.len() > MAX_PATH {
        path.push("...".into());
    }
    if !path.is_empty() {
        lines.push(format!("Path: {}.", path.join(", ")));
    }
    for clause in &test.requires {
        if let Truth::Unknown(reason) = &clause.truth {
            lines.push(format!(
                "Undecided when the test was written: {} ({reason}).",
                sources.locate(clause.span)
            ));
        }
    }
    lines
}
