//! Removal of spans, so that trees from different texts can be compared.

use super::ast::{Anchors, Span};
use super::visit::{Node, VisitMut};

/// A part of the tree whose spans can be erased.
pub trait EraseSpans {
    /// Replaces every span inside by the empty span.
    fn erase_spans(&mut self);
}

struct Erase;

impl VisitMut for Erase {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }
    fn anchors(&mut self, anchors: &mut Anchors) {
        anchors.0.clear();
    }
}

impl<T: Node> EraseSpans for T {
    fn erase_spans(&mut self) {
        self.accept_mut(&mut Erase);
    }
}
