//! Fields of codatatypes: computed when they are first read.

use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

use crate::print::DafnyPrint;
use crate::rc::Rc;
use crate::value::DafnyDefault;

/// Maximum nesting depth of lazy values in a comparison.
const MAX_COMPARED: u32 = 1_000;

/// A value that is computed once, when it is first needed, so that a codatatype can be infinite.
/// Copies share it.
///
/// Dafny compares infinite values in proofs only. Here two lazy values are compared by their
/// contents, up to a nesting depth of 1,000; a deeper comparison panics with a message.
pub struct Lazy<T>(Rc<Node<T>>);

struct Node<T> {
    value: OnceCell<T>,
    compute: Cell<Option<Box<dyn FnOnce() -> T>>>,
}

impl<T: 'static> Lazy<T> {
    /// A value that `compute` returns when it is needed.
    pub fn new(compute: impl FnOnce() -> T + 'static) -> Lazy<T> {
        Lazy(Rc::new(Node {
            value: OnceCell::new(),
            compute: Cell::new(Some(Box::new(compute))),
        }))
    }

    /// A value that is already computed.
    pub fn ready(value: T) -> Lazy<T> {
        Lazy(Rc::new(Node {
            value: OnceCell::from(value),
            compute: Cell::new(None),
        }))
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    /// The value, which is computed now if necessary.
    ///
    /// # Panics
    ///
    /// The value depends on itself.
    fn deref(&self) -> &T {
        self.0.value.get_or_init(|| match self.0.compute.take() {
            Some(compute) => compute(),
            None => panic!("the computation of a codatatype value depends on itself"),
        })
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        Lazy(Rc::clone(&self.0))
    }
}

thread_local! {
    static COMPARED: Cell<u32> = const { Cell::new(0) };
}

/// Runs a comparison one level deeper.
fn deeper<R>(compare: impl FnOnce() -> R) -> R {
    struct Level;
    impl Drop for Level {
        fn drop(&mut self) {
            COMPARED.set(COMPARED.get() - 1);
        }
    }
    COMPARED.set(COMPARED.get() + 1);
    let _level = Level;
    if COMPARED.get() > MAX_COMPARED {
        panic!(
            "equality of codatatype values is not decided: they are the same {MAX_COMPARED} constructors deep, and may be infinite"
        );
    }
    compare()
}

impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Lazy<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || deeper(|| **self == **other)
    }
}

impl<T: Eq> Eq for Lazy<T> {}

impl<T: PartialOrd> PartialOrd for Lazy<T> {
    fn partial_cmp(&self, other: &Lazy<T>) -> Option<Ordering> {
        if Rc::ptr_eq(&self.0, &other.0) {
            Some(Ordering::Equal)
        } else {
            deeper(|| (**self).partial_cmp(&**other))
        }
    }
}

impl<T: Ord> Ord for Lazy<T> {
    fn cmp(&self, other: &Lazy<T>) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) {
            Ordering::Equal
        } else {
            deeper(|| (**self).cmp(&**other))
        }
    }
}

/// An infinite value has no printed form: Dafny prints the constructor of a codatatype without its
/// fields, and a lazy field is an ellipsis.
impl<T> DafnyPrint for Lazy<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("...")
    }
}

impl<T: DafnyDefault + 'static> DafnyDefault for Lazy<T> {
    fn dafny_default() -> Lazy<T> {
        Lazy::new(T::dafny_default)
    }
}

#[cfg(test)]
mod tests {
    use super::Lazy;
    use crate::{DafnyDefault, Int, int};

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    struct Stream {
        head: Int,
        tail: Lazy<Stream>,
    }

    impl DafnyDefault for Stream {
        fn dafny_default() -> Stream {
            Stream {
                head: DafnyDefault::dafny_default(),
                tail: DafnyDefault::dafny_default(),
            }
        }
    }

    fn up_from(head: Int) -> Stream {
        let next = &head + int(1);
        Stream {
            head,
            tail: Lazy::new(move || up_from(next)),
        }
    }

    #[test]
    fn a_stream_goes_as_far_as_it_is_read() {
        let stream = up_from(int(5));
        assert_eq!(stream.head, int(5));
        assert_eq!(stream.tail.tail.head, int(7));
        assert!(stream.tail == stream.tail.clone() && stream.tail != stream.tail.tail);
        assert_eq!(Stream::dafny_default().tail.tail.head, int(0));
    }

    #[test]
    fn a_value_is_computed_once() {
        let count = std::rc::Rc::new(std::cell::Cell::new(0));
        let lazy = Lazy::new({
            let count = count.clone();
            move || count.replace(count.get() + 1)
        });
        let copy = lazy.clone();
        assert_eq!((*lazy, *copy, count.get()), (0, 0, 1));
    }

    #[test]
    fn a_long_chain_is_dropped() {
        let first = up_from(int(0));
        let mut stream = first.clone();
        for _ in 0..300_000 {
            let next = (*stream.tail).clone();
            stream = next;
        }
        assert_eq!(stream.head, int(300_000));
        drop(first);
        let built = (0..300_000).fold(up_from(int(0)), |tail, n| Stream {
            head: int(n),
            tail: Lazy::ready(tail),
        });
        drop(built);
    }

    #[test]
    #[should_panic(expected = "the same 1000 constructors deep")]
    fn a_comparison_of_infinite_values_ends() {
        let _undecided = up_from(int(0)) == up_from(int(0));
    }

    #[test]
    #[should_panic(expected = "depends on itself")]
    fn a_value_that_needs_itself_says_so() {
        let own: std::rc::Rc<std::cell::OnceCell<Lazy<Int>>> = std::rc::Rc::default();
        let inner = own.clone();
        let lazy = Lazy::new(move || (**inner.get().unwrap()).clone());
        let _set = own.set(lazy.clone());
        let _value = lazy.clone();
        let _never = *lazy == int(0);
    }
}
