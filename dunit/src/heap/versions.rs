//! Versioned values: mutable values, and their states at snapshots of the heap.
//!
//! Time is counted in epochs: taking a snapshot ends one. A cell remembers the epoch of its last
//! assignment, and keeps a replaced value only if a snapshot can still see it. Without snapshots
//! nothing is kept.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

thread_local! {
    /// The present epoch.
    static NOW: Cell<u64> = const { Cell::new(0) };
    /// The epoch whose end is read, inside of [`Snapshot::old`].
    static READING: Cell<Option<u64>> = const { Cell::new(None) };
    /// The identities of objects that a test created on behalf of the code under test.
    static LATER: RefCell<BTreeSet<u64>> = const { RefCell::new(BTreeSet::new()) };
}

/// Makes an object fresh since every snapshot, whenever it was created.
pub(crate) fn allocate_later(identity: u64) {
    LATER.with_borrow_mut(|later| later.insert(identity));
}

/// The heap as it was at one moment: what `old(..)` and `old@L(..)` read.
///
/// ```
/// use dunit::prelude::*;
/// use dunit::heap::Snapshot;
///
/// let count = Field::new(int(1));
/// let before = Snapshot::take();
/// count.set(int(5));
/// assert_eq!(before.old(|| count.get()), int(1));
/// assert_eq!(count.get(), int(5));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    epoch: u64,
    last_identity: u64,
}

impl Snapshot {
    /// Takes a snapshot of the present heap. It costs one copy of each field and array, at the
    /// first assignment afterwards.
    pub fn take() -> Snapshot {
        let epoch = NOW.with(|now| now.replace(now.get() + 1));
        Snapshot {
            epoch,
            last_identity: super::last_identity(),
        }
    }

    /// Evaluates an expression in the heap of the snapshot. Objects that were allocated since have
    /// their present state. The expression must be evaluated completely before it returns: a lazy
    /// iterator would read the later heap.
    pub fn old<R>(&self, expression: impl FnOnce() -> R) -> R {
        let _restore = Restore(READING.with(|reading| reading.replace(Some(self.epoch))));
        expression()
    }

    /// Dafny's `fresh`: whether the object of this [`identity`](super::Ref::identity) was allocated
    /// since; null is not.
    pub fn is_fresh(&self, identity: u64) -> bool {
        identity > self.last_identity || LATER.with_borrow(|later| later.contains(&identity))
    }
}

/// Restores the heap that was read before, even if the expression panics.
struct Restore(Option<u64>);

impl Drop for Restore {
    fn drop(&mut self) {
        READING.with(|reading| reading.set(self.0));
    }
}

/// A mutable value, with the versions that snapshots can see.
pub(crate) struct Versioned<T> {
    current: RefCell<T>,
    /// The epoch in which the current value was assigned.
    written: Cell<u64>,
    /// Replaced values and the epochs in which they were assigned, ascending.
    history: RefCell<Vec<(u64, T)>>,
}

impl<T> Versioned<T> {
    pub(crate) fn new(value: T) -> Versioned<T> {
        let written = Cell::new(NOW.with(Cell::get));
        Versioned {
            current: RefCell::new(value),
            written,
            history: RefCell::new(Vec::new()),
        }
    }

    /// Reads the value: the present one, or that of the snapshot in which an expression is being
    /// evaluated.
    pub(crate) fn read<R>(&self, reader: impl FnOnce(&T) -> R) -> R {
        if let Some(epoch) = READING.with(Cell::get) {
            if self.written.get() > epoch {
                let history = self.history.borrow();
                if let Some((_, old)) = history.iter().rev().find(|(written, _)| *written <= epoch)
                {
                    return reader(old);
                }
            }
        }
        reader(&self.current.borrow())
    }
}

impl<T: Clone> Versioned<T> {
    /// Changes the present value. Returns the result of the change.
    pub(crate) fn write<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let now = NOW.with(Cell::get);
        let mut current = self.current.borrow_mut();
        if self.written.get() < now {
            self.history
                .borrow_mut()
                .push((self.written.get(), current.clone()));
            self.written.set(now);
        }
        change(&mut current)
    }
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, Versioned};

    fn value(cell: &Versioned<u32>) -> u32 {
        cell.read(|value| *value)
    }

    fn assign(cell: &Versioned<u32>, value: u32) {
        cell.write(|current| *current = value);
    }

    #[test]
    fn every_snapshot_sees_its_own_values() {
        let cell = Versioned::new(1);
        let first = Snapshot::take();
        assign(&cell, 2);
        assign(&cell, 3);
        let second = Snapshot::take();
        let third = Snapshot::take();
        assign(&cell, 4);
        assert_eq!(first.old(|| value(&cell)), 1);
        assert_eq!(second.old(|| value(&cell)), 3);
        assert_eq!(third.old(|| value(&cell)), 3);
        assert_eq!(
            second.old(|| (value(&cell), first.old(|| value(&cell)), value(&cell))),
            (3, 1, 3)
        );
        assert_eq!(value(&cell), 4);
    }

    #[test]
    fn objects_allocated_since_are_read_in_their_present_state() {
        let before = Snapshot::take();
        let cell = Versioned::new(1);
        Snapshot::take();
        assign(&cell, 2);
        assert_eq!(before.old(|| value(&cell)), 2);
    }

    #[test]
    fn without_a_snapshot_nothing_is_kept() {
        let cell = Versioned::new(1);
        assign(&cell, 2);
        assert!(cell.history.borrow().is_empty());
    }
}
