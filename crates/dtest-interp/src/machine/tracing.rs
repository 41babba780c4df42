//! Recording of traces.

use super::{Code, Frame, Machine, substitute};
use crate::code::Noted;
use crate::trace::{Activation, StepKind, Trace, TraceStep, Variable, variable};
use dafny_source::Span;

impl Machine<'_, '_, '_> {
    /// Records the current place. Specifications are no steps of the program.
    pub(super) fn note(&mut self, what: Noted, code: &Code, base: usize) {
        // Recording must not count as a step of the execution.
        self.steps = self.steps.saturating_sub(1);
        let Some(callable) = code.callable.filter(|_| self.handlers.is_empty()) else {
            return;
        };
        let (span, depth) = (self.span(), self.frames.len());
        let at = self.frames.last().map_or(0, |f| f.pc.saturating_sub(1));
        let variables = self
            .frames
            .last()
            .map(|f| self.watched(f, code, span, base))
            .unwrap_or_default();
        let Some(mut tracer) = self.tracer.take() else {
            return;
        };
        self.note_choices(&mut tracer);
        let heap = tracer.heap(&self.heap);
        let kind = match what {
            Noted::Statement => StepKind::Statement,
            Noted::Loop => StepKind::Loop(0),
            Noted::Return => StepKind::Return,
        };
        tracer.add(
            TraceStep {
                callable,
                depth,
                span,
                kind,
                variables,
                heap,
                chooses: false,
            },
            at,
        );
        self.tracer = Some(tracer);
    }

    /// Records whether a choice was made since the last step.
    fn note_choices(&mut self, tracer: &mut super::Tracer) {
        if !self.deterministic {
            tracer.note_choice();
            self.deterministic = true;
        }
    }

    /// Returns the variables that a trace shows at a place: of variables with the same name, the
    /// last one declared before it.
    fn watched(&self, frame: &Frame, code: &Code, place: Span, base: usize) -> Vec<Variable> {
        let mut shown: Vec<(Variable, Span)> = Vec::new();
        // Of several variables with the same name, the innermost declaration before the place is
        // shown.
        for (slot, declared) in &code.watched {
            let Some(found) = self.variable(frame, *slot, base) else {
                continue;
            };
            match shown.iter_mut().find(|(v, _)| v.name == found.name) {
                Some(other) if declared.start <= place.start && other.1.start < declared.start => {
                    *other = (found, *declared)
                }
                Some(_) => {}
                None => shown.push((found, *declared)),
            }
        }
        shown.into_iter().map(|(v, _)| v).collect()
    }

    fn variable(&self, frame: &Frame, slot: u32, base: usize) -> Option<Variable> {
        let info = frame.code.slot_names.get(slot as usize)?;
        variable(
            &info.name,
            substitute(frame, &info.ty),
            self.stack.get(base + slot as usize)?,
        )
    }

    /// Ends the recording and returns the trace.
    pub(crate) fn finish_trace(&mut self) -> Trace {
        let Some(mut tracer) = self.tracer.take() else {
            return Trace::default();
        };
        self.note_choices(&mut tracer);
        self.deterministic = !tracer.is_free;
        let heap = tracer.heap(&self.heap);
        // The activations on the stack are those in which the execution failed.
        let activation = |frame: &Frame| {
            let span = frame
                .code
                .spans
                .get((frame.pc as usize).saturating_sub(1))
                .copied()
                .unwrap_or_default();
            let arguments = (0..frame.code.params)
                .filter_map(|slot| self.variable(frame, slot, frame.base as usize))
                .collect();
            Some(Activation {
                callable: frame.code.origin?,
                span,
                arguments,
                heap: heap.clone(),
            })
        };
        let stack = self.frames.iter().filter_map(activation).collect();
        tracer.finish(stack)
    }
}
