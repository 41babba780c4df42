//! Arguments of codatatypes' constructors that are computed when they are first looked at.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;
use super::deep::deeper;
use crate::reason::Reason;
use dafny_resolve::typed::Type;

/// A value that is computed at most once. It has no order, equality or hash of its own but that of how it is computed:
/// whether two of them stand for the same value is for the interpreter to find out.
pub struct LazyValue {
    /// How it is computed.
    pub(super) thunk: Thunk,
    pub(super) computed: OnceLock<Result<Value, Reason>>,
}

/// How a lazy value is computed.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
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
        Self {
            thunk,
            computed: OnceLock::new(),
        }
    }

    /// How it is computed.
    pub fn thunk(&self) -> &Thunk {
        &self.thunk
    }

    /// The value if it was computed; an error says why it cannot be known.
    pub fn computed(&self) -> Option<Result<&Value, &Reason>> {
        self.computed.get().map(Result::as_ref)
    }

    /// Notes the value. What was noted before stays: it is the same.
    pub fn note(&self, value: Result<Value, Reason>) {
        let _same = self.computed.set(value);
    }
}

/// How many constructors a value is written out with, at most, where lazy values stand among them.
const MAX_SETTLED: usize = 64;

impl Value {
    /// Whether a lazy value is among its parts.
    pub fn holds_lazy(&self) -> bool {
        self.within().any(|v| matches!(v, Self::Lazy(_)))
    }

    /// The value with what lazy values stand for in their places. `None` where one of them was not computed, where one
    /// is in a set or a key, and where that makes more than 64 values of datatypes: it may be endless.
    pub fn settled(&self) -> Option<Self> {
        self.settled_within(&mut 0)
    }

    fn settled_within(&self, count: &mut usize) -> Option<Self> {
        if !self.holds_lazy() {
            return Some(self.clone());
        }
        deeper(|| match self {
            Self::Lazy(lazy) => lazy.computed()?.ok()?.settled_within(count),
            Self::Datatype(d) => {
                *count += 1;
                if *count > MAX_SETTLED {
                    None
                } else {
                    Some(Self::datatype(d.ctor, settled_all(&d.args, count)?))
                }
            }
            Self::Newtype(n) => Some(n.with(n.value.settled_within(count)?)),
            Self::Seq(items) => Some(Self::seq(settled_all(items.iter(), count)?)),
            Self::Tuple(items) => Some(Self::tuple(settled_all(items.iter(), count)?)),
            Self::Map(pairs) if !pairs.keys().any(Self::holds_lazy) => pairs
                .iter()
                .map(|(k, v)| Some((k.clone(), v.settled_within(count)?)))
                .collect::<Option<Vec<_>>>()
                .map(Self::map),
            Self::Map(_) | Self::Set(_) | Self::Multiset(_) => None,
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_) => Some(self.clone()),
        })
    }
}

fn settled_all<'v>(
    values: impl IntoIterator<Item = &'v Value>,
    count: &mut usize,
) -> Option<Vec<Value>> {
    values
        .into_iter()
        .map(|v| v.settled_within(count))
        .collect()
}

impl Serialize for LazyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.thunk, self.computed.get()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LazyValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (thunk, computed) =
            <(Thunk, Option<Result<Value, Reason>>)>::deserialize(deserializer)?;
        Ok(Self {
            thunk,
            computed: computed.map_or_else(OnceLock::new, OnceLock::from),
        })
    }
}
