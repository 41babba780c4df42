//! The contents of a suite: test cases from the results of a search, the program's own tests, and
//! values of its types.
//!
//! [`cases`] converts the tests that the search found. The hard part is what a test may compare:
//! [`case`] asserts only values that the semantics of Dafny determines.

use super::captions::{Caption, captions};
use super::{Solved, answers, check, scenarios};
use dafny_resolve::typed::{self, CallableId, FieldId, FieldKind, Type, TypeId};
use dafny_source::SourceMap;
use dtest_desugar::{External, ExternalCode as _};
use dtest_emit::case::{
    Case, CaseOutcome, ClassCase, DatatypeCase, Declared, FrameKept, MadeValue, TestRole,
};
use dtest_interp::{FailureKind, Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir as ir;
use dtest_ir::reason::Reason;
use dtest_lower as lower;
use dtest_search::portable::Closures;
use dtest_search::{self as search, describe};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, Construction, FunctionValue, Heap, ObjectId, Value, print};
use regex_lite::Regex;

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
    let is_wanted = |span: dafny_source::Span| {
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
    let is_external = |id: CallableId| matches!(typed.external(id), Some(External::Stub));
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
                    "extern: the test does not pass with the stub for `{}`, which has no linked Rust implementation",
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
    let is_wanted = |span: dafny_source::Span| {
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
    let is_wanted = |span: dafny_source::Span| {
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
        | FailureKind::Witness
        | FailureKind::Inhabited => false,
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
pub(super) fn redefined(program: &typed::Program, inputs: &Inputs) -> (Heap, Vec<Answer>) {
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
