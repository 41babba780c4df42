//! Shared values that may be nested as deeply as memory allows: a list of a million nodes is dropped in a loop, and comparing or
//! printing it continues on further stacks ([`nested`]).
//!
//! Dropping the last owner of a value drops its contents, which may be the last owners of further
//! values. Down to [`NESTED`] levels this is a recursion, as usual in Rust; deeper values wait in a
//! queue until the outermost value is dropped. Every pointer type in this crate uses this
//! mechanism, so the structure of a deep value does not matter.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc as Shared;

use crate::print::DafnyPrint;
use crate::value::DafnyDefault;

/// Maximum depth of nested drops.
const NESTED: u32 = 32;

thread_local! {
    /// The present depth of nested drops.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The values that wait for the outermost drop.
    static WAITING: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Bytes of stack below which [`nested`] continues on a new one.
const LEAST_STACK: usize = 128 << 10;
/// Bytes of a new stack.
const NEW_STACK: usize = 4 << 20;

/// Looks into a value that another one holds. Where the stack ends, this continues on a new one, so that the depth of a value does
/// not matter.
pub(crate) fn nested<R>(look: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(LEAST_STACK, NEW_STACK, look)
}

/// Drops a value: immediately, or when the outermost value is dropped.
fn retire<T: 'static>(value: T) {
    let depth = DEPTH.try_with(Cell::get).unwrap_or_default();
    if depth >= NESTED {
        let mut value = Some(value);
        // When the thread ends, the queue no longer exists, and the value is dropped immediately.
        let _ = WAITING.try_with(|waiting| {
            let boxed = value.take().map(|v| Box::new(v) as Box<dyn Any>);
            waiting.borrow_mut().extend(boxed);
        });
        return;
    }
    let level = Level::enter(depth);
    drop(value);
    // Each value of the queue is dropped inside the outermost level, and may add others.
    if depth == 0 {
        while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            drop(next);
        }
    }
    drop(level);
}

/// A nesting level of drops, which is also left on a panic.
struct Level(u32);

impl Level {
    fn enter(depth: u32) -> Self {
        let _ = DEPTH.try_with(|d| d.set(depth + 1));
        Level(depth)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|d| d.set(self.0));
    }
}

/// A value that is dropped without recursion through its contents.
#[derive(Clone)]
pub(crate) struct Held<T> {
    /// `Some` until it is dropped.
    value: Option<T>,
    /// [`retire`] for this type. The function pointer keeps the bound `T: 'static`, which `Drop`
    /// cannot have.
    retire: fn(T),
}

impl<T: 'static> Held<T> {
    pub(crate) fn new(value: T) -> Self {
        Held {
            value: Some(value),
            retire,
        }
    }
}

impl<T> Held<T> {
    fn get_mut(&mut self) -> &mut T {
        match &mut self.value {
            Some(value) => value,
            None => unreachable!("the value is there until it is dropped"),
        }
    }

    /// The value itself.
    fn into_inner(mut self) -> T {
        match self.value.take() {
            Some(value) => value,
            None => unreachable!("the value is there until it is dropped"),
        }
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => unreachable!("the value is there until it is dropped"),
        }
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            if std::mem::needs_drop::<T>() {
                (self.retire)(value);
            }
        }
    }
}

/// A shared value like [`std::rc::Rc`] that may be nested as deeply as memory allows, because it is
/// dropped in a loop. Recursive datatypes contain themselves through it.
pub struct Rc<T>(Shared<Held<T>>);

impl<T: 'static> Rc<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Rc(Shared::new(Held::new(value)))
    }
}

impl<T> Rc<T> {
    /// Whether both are the same shared value.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        Shared::ptr_eq(&this.0, &other.0)
    }

    /// The value, or a copy if it is shared.
    pub fn unwrap_or_clone(this: Self) -> T
    where
        T: Clone,
    {
        match Shared::try_unwrap(this.0) {
            Ok(held) => held.into_inner(),
            Err(shared) => T::clone(&shared),
        }
    }

    /// A mutable reference to the value, which is copied first if it is shared.
    pub fn make_mut(this: &mut Self) -> &mut T
    where
        T: Clone,
    {
        Shared::make_mut(&mut this.0).get_mut()
    }
}

impl<T> Clone for Rc<T> {
    fn clone(&self) -> Self {
        Rc(Shared::clone(&self.0))
    }
}

impl<T> Deref for Rc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> AsRef<T> for Rc<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: PartialEq> PartialEq for Rc<T> {
    fn eq(&self, other: &Self) -> bool {
        nested(|| **self == **other)
    }
}

impl<T: Eq> Eq for Rc<T> {}

impl<T: PartialOrd> PartialOrd for Rc<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        nested(|| (**self).partial_cmp(&**other))
    }
}

impl<T: Ord> Ord for Rc<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        // In a total order, a shared value is equal to itself.
        if Rc::ptr_eq(self, other) {
            return Ordering::Equal;
        }
        nested(|| (**self).cmp(&**other))
    }
}

impl<T: DafnyPrint> DafnyPrint for Rc<T> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nested(|| (**self).fmt_dafny(f))
    }
}

impl<T: fmt::Debug> fmt::Debug for Rc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nested(|| (**self).fmt(f))
    }
}

impl<T: DafnyDefault + 'static> DafnyDefault for Rc<T> {
    fn dafny_default() -> Self {
        Rc::new(T::dafny_default())
    }
}

impl<T: 'static> From<T> for Rc<T> {
    fn from(value: T) -> Self {
        Rc::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Rc;
    use crate::{Field, Fun1, Int, Lazy, Map, Object, Ref, Seq, Set, int};

    /// Deeper than any stack allows.
    const DEEP: i64 = 200_000;

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
    enum Deep {
        End,
        Next(Rc<Deep>),
        Two(Rc<Deep>, Int, Rc<Deep>),
        Pair(Rc<(Int, Deep)>),
        Option(Rc<Option<Deep>>),
        Sequence(Seq<Deep>),
        Set(Set<Deep>),
        Map(Map<Int, Deep>),
        Lazy(Lazy<Deep>),
        Function(Fun1<Int, Deep>),
        Object(Ref<Node>),
    }

    impl crate::DafnyPrint for Deep {
        fn fmt_dafny(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                Deep::Next(next) => crate::fmt_constructor(f, "Next", &[&**next]),
                Deep::Sequence(next) => crate::fmt_constructor(f, "Sequence", &[next]),
                Deep::Set(next) => crate::fmt_constructor(f, "Set", &[next]),
                _ => f.write_str("end"),
            }
        }
    }

    struct Node {
        #[expect(dead_code, reason = "it is held to be dropped")]
        next: Field<Deep>,
    }

    impl Object for Node {
        fn class_name(&self) -> &'static str {
            "Node"
        }
    }

    fn deep(around: impl Fn(Deep) -> Deep) -> Deep {
        (0..DEEP).fold(Deep::End, |inner, _| around(inner))
    }

    #[test]
    fn deep_values_of_all_kinds_are_dropped() {
        deep(|d| Deep::Next(Rc::new(d)));
        deep(|d| Deep::Two(Rc::new(d), int(1), Rc::new(Deep::End)));
        deep(|d| Deep::Two(Rc::new(Deep::End), int(1), Rc::new(d)));
        deep(|d| Deep::Pair(Rc::new((int(1), d))));
        deep(|d| Deep::Option(Rc::new(Some(d))));
        deep(|d| Deep::Sequence([d].into_iter().collect()));
        deep(|d| Deep::Lazy(Lazy::ready(d)));
        deep(|d| Deep::Function(Fun1::new(move |_| d.clone())));
        deep(|d| {
            let next = Field::new(d);
            Deep::Object(Ref::new(Node { next }))
        });
        let all = |d: Deep| [d].into_iter().collect::<Set<Deep>>();
        drop(all(deep(|d| Deep::Next(Rc::new(d)))));
        let map: Map<Int, Deep> = [(int(1), deep(|d| Deep::Next(Rc::new(d))))]
            .into_iter()
            .collect();
        drop(map);
    }

    /// Two values that share nothing are compared and printed on the stack of a test, which is far smaller than they are deep.
    fn look_at(around: impl Fn(Deep) -> Deep) {
        let (a, b) = (deep(&around), deep(&around));
        let more = around(a.clone());
        assert!(a == b && a != more && a < more);
        assert!(a.cmp(&b).is_eq() && a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_eq));
        assert!(crate::to_dafny_string(&a).to_string().contains("end"));
    }

    #[test]
    fn deep_values_are_compared_and_printed() {
        look_at(|d| Deep::Next(Rc::new(d)));
        look_at(|d| Deep::Pair(Rc::new((int(1), d))));
        look_at(|d| Deep::Sequence([d].into_iter().collect()));
        look_at(|d| Deep::Set([d].into_iter().collect()));
        look_at(|d| Deep::Map([(int(1), d)].into_iter().collect()));
    }

    #[test]
    fn shared_values_stay() {
        let shared = deep(|d| Deep::Next(Rc::new(d)));
        let (a, b) = (
            Deep::Next(Rc::new(shared.clone())),
            Deep::Next(Rc::new(shared)),
        );
        drop(a);
        let (mut rest, mut count) = (&b, 0);
        while let Deep::Next(next) = rest {
            rest = next;
            count += 1;
        }
        assert_eq!(count, DEEP + 1);
    }

    #[test]
    fn a_value_is_taken_out_or_copied_where_it_is_shared() {
        let mut one = Rc::new(vec![1]);
        Rc::make_mut(&mut one).push(2);
        let other = one.clone();
        Rc::make_mut(&mut one).push(3);
        assert_eq!(
            (Rc::unwrap_or_clone(one), Rc::unwrap_or_clone(other)),
            (vec![1, 2, 3], vec![1, 2])
        );
    }
}
