//! Fields of codatatypes: computed when they are first read.

use std::cell::LazyCell;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::heap::next_identity;
use crate::print::DafnyPrint;

/// A value that is computed once, when it is first needed, so that a codatatype can be infinite. Dafny compares
/// codatatypes in proofs only; here a lazy value equals its copies, and they are ordered by when they were made.
pub struct Lazy<T> {
    identity: u64,
    value: Rc<LazyCell<T, Thunk<T>>>,
}

type Thunk<T> = Box<dyn FnOnce() -> T>;

impl<T> Lazy<T> {
    /// The value that `compute` will give.
    pub fn new(compute: impl FnOnce() -> T + 'static) -> Lazy<T> {
        Lazy { identity: next_identity(), value: Rc::new(LazyCell::new(Box::new(compute))) }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        Lazy { identity: self.identity, value: Rc::clone(&self.value) }
    }
}

impl<T> PartialEq for Lazy<T> {
    fn eq(&self, other: &Lazy<T>) -> bool {
        self.identity == other.identity
    }
}

impl<T> Eq for Lazy<T> {}

impl<T> PartialOrd for Lazy<T> {
    fn partial_cmp(&self, other: &Lazy<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Lazy<T> {
    fn cmp(&self, other: &Lazy<T>) -> Ordering {
        self.identity.cmp(&other.identity)
    }
}

/// An infinite value has no printed form: Dafny prints the constructor of a codatatype without its fields, and a lazy
/// field by itself is an ellipsis.
impl<T> DafnyPrint for Lazy<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("...")
    }
}

#[cfg(test)]
mod tests {
    use super::Lazy;
    use crate::{Int, int};

    struct Stream {
        head: Int,
        tail: Lazy<Stream>,
    }

    fn up_from(head: Int) -> Stream {
        let next = &head + int(1);
        Stream { head, tail: Lazy::new(move || up_from(next)) }
    }

    #[test]
    fn a_stream_goes_as_far_as_it_is_read() {
        let stream = up_from(int(5));
        assert_eq!(stream.head, int(5));
        assert_eq!(stream.tail.tail.head, int(7));
        assert!(stream.tail == stream.tail.clone() && stream.tail != stream.tail.tail);
    }
}
