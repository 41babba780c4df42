//! Recording of traces.

use super::{Code, Frame, Machine, substitute};
use crate::interp::trace::{Activation, Trace, TraceStep, Variable, variable};

impl Machine<'_, '_, '_> {
    /// Records where the program is. What specifications execute is no step of the program.
    pub(super) fn note(&mut self, of_loop: bool, code: &Code, base: usize) {
        // Whoever watches takes no time of what is watched.
        self.steps = self.steps.saturating_sub(1);
        let (span, depth) = (self.span(), self.frames.len());
        let Some(callable) = code.callable.filter(|_| self.handlers.is_empty()) else { return };
        let at = self.frames.last().map_or(0, |f| f.pc.saturating_sub(1));
        let variables = self.frames.last().map(|f| self.variables(f, code.watched.iter().copied(), base)).unwrap_or_default();
        let Some(mut tracer) = self.tracer.take() else { return };
        if !self.deterministic {
            tracer.note_choice();
        }
        tracer.is_free |= !self.deterministic;
        self.deterministic = true;
        let heap = tracer.heap(&self.heap);
        tracer.add(TraceStep { callable, depth, span, turn: None, variables, heap, chooses: false }, at, of_loop);
        self.tracer = Some(tracer);
    }

    fn variables(&self, frame: &Frame, slots: impl Iterator<Item = u32>, base: usize) -> Vec<Variable> {
        let shown = |slot: u32| {
            let (name, ty) = frame.code.slot_names.get(slot as usize)?;
            variable(name, substitute(frame, ty), self.stack.get(base + slot as usize)?)
        };
        slots.filter_map(shown).collect()
    }

    /// The trace up to where control is.
    pub(in crate::interp) fn finish_trace(&mut self) -> Trace {
        let Some(mut tracer) = self.tracer.take() else { return Trace::default() };
        if !self.deterministic {
            tracer.note_choice();
        }
        self.deterministic &= !tracer.is_free;
        let heap = tracer.heap(&self.heap);
        let activation = |frame: &Frame| {
            let span = frame.code.spans.get((frame.pc as usize).saturating_sub(1)).copied().unwrap_or_default();
            let arguments = self.variables(frame, 0..frame.code.params, frame.base as usize);
            Some(Activation { callable: frame.code.origin?, span, arguments, heap: heap.clone() })
        };
        let stack = self.frames.iter().filter_map(activation).collect();
        tracer.finish(stack)
    }
}
