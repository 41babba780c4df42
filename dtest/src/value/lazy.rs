//! Arguments of codatatypes' constructors that are computed when they are first looked at.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;
use crate::typed::Type;

/// A value that is computed at most once. It has no order, equality or hash of its own but that of how it is computed:
/// whether two of them stand for the same value is for the interpreter to find out.
pub struct LazyValue {
    /// How it is computed.
    pub(super) thunk: Thunk,
    pub(super) computed: OnceLock<Result<Value, String>>,
}

/// How a lazy value is computed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Thunk {
    /// By a lambda of the program without parameters.
    Code {
        /// Index of the lambda in [`crate::ir::Program::lambdas`].
        #[serde(with = "crate::ir::lambda_index")]
        lambda: u32,
        /// Values of its captures.
        captured: Vec<Value>,
        /// What the type parameters in scope stand for.
        type_args: Vec<Type>,
    },
    /// It is the default value of a type, which may be infinite.
    Default(Type),
}

impl LazyValue {
    /// A value that nobody has looked at.
    pub fn new(thunk: Thunk) -> Self {
        Self { thunk, computed: OnceLock::new() }
    }

    /// How it is computed.
    pub fn thunk(&self) -> &Thunk {
        &self.thunk
    }

    /// The value if it was computed; an error says why it cannot be known.
    pub fn computed(&self) -> Option<Result<&Value, &str>> {
        self.computed.get().map(|r| r.as_ref().map_err(String::as_str))
    }

    /// Notes the value. What was noted before stays: it is the same.
    pub(crate) fn note(&self, value: Result<Value, String>) {
        let _same = self.computed.set(value);
    }
}

impl Serialize for LazyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.thunk, self.computed.get()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LazyValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (thunk, computed) = <(Thunk, Option<Result<Value, String>>)>::deserialize(deserializer)?;
        Ok(Self { thunk, computed: computed.map_or_else(OnceLock::new, OnceLock::from) })
    }
}
