//! Formats traces of executions.

use std::rc::Rc;

use crate::report::place::Place;
use crate::report::trace::{ActivationReport, LeftOut, Shown, StepReport, TraceReport};
use dafny_source::{SourceMap, Span};
use dtest_interp::{StepKind, Trace, TraceStep, Variable};
use dtest_ir as ir;
use dtest_search::describe;
use dtest_sorted::SortedMap;
use dtest_value::{Heap, show_inputs};

/// Converts a trace to a report.
pub fn describe(program: &ir::Program, sources: &SourceMap, trace: &Trace) -> TraceReport {
    let mut steps: Vec<StepReport> = Vec::new();
    // The active calls by depth: the location, the shown variables, and the index of the last step.
    let mut under_way: SortedMap<usize, (Span, Vec<Shown>, usize)> = SortedMap::new();
    for step in &trace.steps {
        under_way.retain(|depth, _| *depth <= step.depth);
        let before = under_way.get(&step.depth);
        let here = line(sources, step.span);
        if step.kind == StepKind::Statement && is_loop(program, step) {
            // The checks of a loop outside of its guard and body are not steps of the source.
            steps
                .last_mut()
                .into_iter()
                .for_each(|last| last.chooses |= step.chooses);
            continue;
        }
        if let (Some((_, _, at)), StepKind::Statement) =
            (before.filter(|(place, ..)| *place == here), step.kind)
        {
            // Steps inside one statement are merged into one.
            if let Some(known) = steps.get_mut(*at) {
                known.chooses |= step.chooses;
                if step.span.contains_span(known.span) && known.iteration.is_none() {
                    known.text =
                        describe::one_line(sources.text(statement(program, sources, step)));
                    (known.place, known.span) = (Place::of(sources, step.span), step.span);
                }
            }
            continue;
        }
        let shown = shown(program, &step.variables, &step.heap);
        let is_whole = matches!(step.kind, StepKind::Loop(_));
        let is_new = |v: &&Shown| is_whole || before.is_none_or(|(_, known, _)| !known.contains(v));
        let variables = shown.iter().filter(is_new).cloned().collect();
        match step.kind {
            StepKind::Statement | StepKind::Loop(_) => {
                under_way.insert(step.depth, (here, shown, steps.len()))
            }
            // The next step at this depth belongs to another call.
            StepKind::Return => under_way.remove(&step.depth),
        };
        steps.push(StepReport {
            unit: program.typed.callable_path(step.callable).to_string(),
            depth: step.depth,
            place: Place::of(sources, step.span),
            text: match step.kind {
                StepKind::Statement | StepKind::Loop(_) => {
                    describe::one_line(sources.text(statement(program, sources, step)))
                }
                StepKind::Return => "return".to_owned(),
            },
            iteration: if let StepKind::Loop(turn) = step.kind {
                Some(turn)
            } else {
                None
            },
            variables,
            chooses: step.chooses,
            span: step.span,
        });
    }
    let activation = |a: &dtest_interp::Activation| ActivationReport {
        unit: program.typed.callable_path(a.callable).to_string(),
        place: Place::of(sources, a.span),
        arguments: shown(program, &a.arguments, &a.heap),
        span: a.span,
    };
    let first = trace
        .steps
        .first()
        .map(|s| shown(program, &s.variables, &s.heap))
        .unwrap_or_default();
    let last = trace
        .steps
        .last()
        .map(|s| shown(program, &s.variables, &s.heap))
        .unwrap_or_default();
    TraceReport {
        end: last.into_iter().filter(|v| !first.contains(v)).collect(),
        stack: trace.stack.iter().map(activation).collect(),
        deeper: trace.deeper.map(|(after, count)| LeftOut {
            after,
            count: count as u64,
        }),
        steps,
        omitted: trace.omitted.map(|(after, count)| LeftOut { after, count }),
    }
}

/// Whether the location of a step is a loop as a whole.
fn is_loop(program: &ir::Program, step: &TraceStep) -> bool {
    let blocks = program
        .procedures
        .get(&step.callable)
        .map_or(&[][..], |p| &p.blocks);
    blocks
        .iter()
        .filter_map(|b| b.loop_head.as_ref())
        .any(|head| head.span == step.span)
}

/// Returns the innermost statement around a step if it fits on one line, or else the span of the
/// step itself.
fn statement(program: &ir::Program, sources: &SourceMap, step: &TraceStep) -> Span {
    let innermost = program
        .procedures
        .get(&step.callable)
        .and_then(|p| p.statement_around(step.span));
    innermost
        .filter(|s| !sources.text(*s).contains('\n'))
        .unwrap_or(step.span)
}

/// Returns the line on which a span begins.
fn line(sources: &SourceMap, span: Span) -> Span {
    let file = sources.file_at(span.start).map(|(id, _)| id);
    match (file, sources.line_column(span.start)) {
        (Some(file), Some(at)) => sources.line(file, at.line),
        (_, _) => span,
    }
}

/// Formats variables with their values.
fn shown(program: &ir::Program, variables: &[Variable], heap: &Rc<Heap>) -> Vec<Shown> {
    let with_values: Vec<_> = variables
        .iter()
        .filter_map(|v| Some((v, v.value.as_ref()?)))
        .collect();
    let values: Vec<_> = with_values
        .iter()
        .map(|(v, value)| (*value, v.ty.clone()))
        .collect();
    let texts = show_inputs(&program.typed, heap, &values);
    with_values
        .iter()
        .zip(texts)
        .map(|((v, _), value)| Shown {
            name: v.name.to_string(),
            value,
        })
        .collect()
}
