//! Values whose type a call through a trait cannot know.
//!
//! A member of a trait with type parameters of its own is dispatched at run time, which Rust
//! supports only for functions without type parameters. Such a call passes the values of those
//! types as [`Erased`], one type for each parameter, and restores them in the result.

use std::any::Any;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use crate::print::DafnyPrint;
use crate::rc::nested;
use crate::value::{DafnyDefault, Value};

thread_local! {
    /// The defaults of the types that active calls have erased, innermost last, with the number of
    /// the parameter.
    static DEFAULTS: RefCell<Vec<(usize, Rc<dyn AnyValue>)>> = const { RefCell::new(Vec::new()) };
}

/// A value of the type that is the argument for the `N`th type parameter of a member.
pub struct Erased<const N: usize>(Rc<dyn AnyValue>);

/// The operations on a value of any type.
trait AnyValue: DafnyPrint {
    fn as_any(&self) -> &dyn Any;
    fn compare(&self, other: &dyn AnyValue) -> Ordering;
}

impl<T: Value> AnyValue for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn compare(&self, other: &dyn AnyValue) -> Ordering {
        match other.as_any().downcast_ref::<T>() {
            Some(other) => self.cmp(other),
            None => panic!("values of different types are compared"),
        }
    }
}

impl<const N: usize> Erased<N> {
    /// Erases the type of a value.
    pub fn of<T: Value>(value: T) -> Erased<N> {
        Erased(Rc::new(value))
    }

    /// The value; panics if it is of another type.
    pub fn get<T: Value>(&self) -> T {
        match (*self.0).as_any().downcast_ref::<T>() {
            Some(value) => value.clone(),
            None => panic!("an erased value is of a different type"),
        }
    }

    /// Sets the default of the erased type until the result is dropped.
    pub fn default_is<T: Value>(value: T) -> ErasedDefault {
        DEFAULTS.with(|defaults| defaults.borrow_mut().push((N, Rc::new(value))));
        ErasedDefault(())
    }
}

/// A guard for the default of an erased type; see [`Erased::default_is`].
#[must_use]
pub struct ErasedDefault(());

impl Drop for ErasedDefault {
    fn drop(&mut self) {
        DEFAULTS.with(|defaults| drop(defaults.borrow_mut().pop()));
    }
}

impl<const N: usize> DafnyDefault for Erased<N> {
    fn dafny_default() -> Erased<N> {
        let found = DEFAULTS.with(|defaults| {
            defaults
                .borrow()
                .iter()
                .rev()
                .find(|(n, _)| *n == N)
                .map(|(_, value)| Rc::clone(value))
        });
        match found {
            Some(value) => Erased(value),
            None => panic!("an erased type has no default value"),
        }
    }
}

impl<const N: usize> Clone for Erased<N> {
    fn clone(&self) -> Erased<N> {
        Erased(Rc::clone(&self.0))
    }
}

impl<const N: usize> PartialEq for Erased<N> {
    fn eq(&self, other: &Erased<N>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<const N: usize> Eq for Erased<N> {}

impl<const N: usize> PartialOrd for Erased<N> {
    fn partial_cmp(&self, other: &Erased<N>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Erased<N> {
    fn cmp(&self, other: &Erased<N>) -> Ordering {
        nested(|| self.0.compare(&*other.0))
    }
}

impl<const N: usize> DafnyPrint for Erased<N> {
    fn fmt_dafny(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nested(|| self.0.fmt_dafny(f))
    }
}

#[cfg(test)]
mod tests {
    use super::Erased;
    use crate::{DafnyDefault, Seq, int, seq, to_dafny_string};

    #[test]
    fn an_erased_value_is_a_value_like_any_other() {
        let (a, b) = (Erased::<0>::of(int(1)), Erased::<0>::of(int(2)));
        assert!(a < b && a == a.clone());
        let all: Seq<Erased<0>> = seq![a, b.clone()];
        assert_eq!(to_dafny_string(&all), "[1, 2]");
        assert_eq!(b.get::<crate::Int>(), int(2));
    }

    #[test]
    fn the_innermost_default_of_a_parameter_holds() {
        let _outer = Erased::<0>::default_is(int(1));
        {
            let _inner = Erased::<0>::default_is(true);
            let _other = Erased::<1>::default_is(int(3));
            assert!(Erased::<0>::dafny_default().get::<bool>());
        }
        assert_eq!(Erased::<0>::dafny_default().get::<crate::Int>(), int(1));
    }

    #[test]
    #[should_panic(expected = "an erased value is of a different type")]
    fn a_value_has_the_type_that_was_erased() {
        let _: bool = Erased::<0>::of(int(1)).get();
    }
}
