//! The run-time support for expansions of the macros.

use std::marker::PhantomData;

use dunit::DafnyDefault;

/// Detects whether a type has a default value: [`WithDefault`] takes precedence if both traits
/// apply.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    #[allow(missing_docs, clippy::new_without_default)]
    #[must_use]
    pub fn new() -> Probe<T> {
        Probe(PhantomData)
    }
}

/// The result for types with a default value.
pub trait WithDefault<T> {
    /// The value.
    fn default_value(&self) -> Option<T>;
}

impl<T: DafnyDefault> WithDefault<T> for Probe<T> {
    fn default_value(&self) -> Option<T> {
        Some(T::dafny_default())
    }
}

/// The result for all other types.
pub trait WithoutDefault<T> {
    /// Returns `None`.
    fn default_value(&self) -> Option<T>;
}

impl<T> WithoutDefault<T> for &Probe<T> {
    fn default_value(&self) -> Option<T> {
        None
    }
}

/// Panics because a constant of a class was not set, and its type has no default value.
#[track_caller]
pub fn untold_constant(class: &str, field: &str) -> ! {
    panic!(
        "the mock of `{class}` has no value for `{field}`, a constant whose type has no default value"
    )
}
