//! The shared buffer of sequences: cells that are written once, with free cells at one end.

use std::cell::{Cell, OnceCell};

/// Cells of which exactly those in `low .. high` are filled. A filled cell never changes, so any
/// number of sequences can share the buffer; a sequence that reaches `low` or `high` can grow there
/// in place.
pub(super) struct Buffer<T> {
    cells: Box<[OnceCell<T>]>,
    low: Cell<usize>,
    high: Cell<usize>,
}

impl<T> Buffer<T> {
    /// A buffer without free cells.
    pub(super) fn full(elements: Vec<T>) -> Buffer<T> {
        let cells: Box<[OnceCell<T>]> = elements.into_iter().map(OnceCell::from).collect();
        let high = Cell::new(cells.len());
        Buffer {
            cells,
            low: Cell::new(0),
            high,
        }
    }

    /// The cells of a sequence.
    pub(super) fn cells(&self, start: usize, end: usize) -> &[OnceCell<T>] {
        self.cells.get(start..end).unwrap_or_default()
    }
}

impl<T: Clone> Buffer<T> {
    /// The elements of both, with as many free cells on the side of the shorter one, where the next
    /// growth is expected; and the position of the first element.
    pub(super) fn grown<'a>(
        left: impl ExactSizeIterator<Item = &'a T>,
        right: impl ExactSizeIterator<Item = &'a T>,
    ) -> (Buffer<T>, usize)
    where
        T: 'a,
    {
        let size = left.len() + right.len();
        let before = if left.len() < right.len() { size } else { 0 };
        let mut cells = Vec::with_capacity(2 * size);
        cells.resize_with(before, OnceCell::new);
        cells.extend(left.chain(right).cloned().map(OnceCell::from));
        cells.resize_with(2 * size, OnceCell::new);
        let buffer = Buffer {
            cells: cells.into_boxed_slice(),
            low: Cell::new(before),
            high: Cell::new(before + size),
        };
        (buffer, before)
    }

    /// Fills the cells from `end`, if it is the end of the filled cells and there is space. Returns
    /// the new end.
    pub(super) fn append<'a>(
        &self,
        end: usize,
        elements: impl ExactSizeIterator<Item = &'a T>,
    ) -> Option<usize>
    where
        T: 'a,
    {
        if end != self.high.get() || self.cells.len() - end < elements.len() {
            return None;
        }
        for element in elements {
            let at = self.high.get();
            self.cells.get(at)?.set(element.clone()).ok()?;
            self.high.set(at + 1);
        }
        Some(self.high.get())
    }

    /// Fills the cells before `start`, if it is the start of the filled cells and there is space.
    /// Returns the new start.
    pub(super) fn prepend<'a>(
        &self,
        start: usize,
        elements: impl ExactSizeIterator<Item = &'a T> + DoubleEndedIterator,
    ) -> Option<usize>
    where
        T: 'a,
    {
        if start != self.low.get() || start < elements.len() {
            return None;
        }
        for element in elements.rev() {
            let at = self.low.get().checked_sub(1)?;
            self.cells.get(at)?.set(element.clone()).ok()?;
            self.low.set(at);
        }
        Some(self.low.get())
    }
}
