//! What the expansions of the macros call.

use std::marker::PhantomData;

use dunit::DafnyDefault;

/// Finds out whether a type has a default value: [`WithDefault`] comes first where both apply.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    #[allow(missing_docs, clippy::new_without_default)]
    #[must_use]
    pub fn new() -> Probe<T> {
        Probe(PhantomData)
    }
}

/// The answer for types with a default value.
pub trait WithDefault<T> {
    /// The value.
    fn default_value(&self) -> Option<T>;
}

impl<T: DafnyDefault> WithDefault<T> for Probe<T> {
    fn default_value(&self) -> Option<T> {
        Some(T::dafny_default())
    }
}

/// The answer for all others.
pub trait WithoutDefault<T> {
    /// None.
    fn default_value(&self) -> Option<T>;
}

impl<T> WithoutDefault<T> for &Probe<T> {
    fn default_value(&self) -> Option<T> {
        None
    }
}

/// A constant of a class that the builder was not told, and whose type has no default value.
#[track_caller]
pub fn untold_constant(class: &str, field: &str) -> ! {
    panic!(
        "the mock of `{class}` has no value for `{field}`, a constant whose type has no default value"
    )
}
