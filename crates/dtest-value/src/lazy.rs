//! Lazy values: arguments of codatatypes' constructors that are computed when they are first
//! needed.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;
use super::deep::deeper;
use dafny_resolve::typed::Type;
use dtest_ir::reason::Reason;

/// A value that is computed at most once. Order, equality and hash are those of its computation;
/// the interpreter decides whether two lazy values are equal.
pub struct LazyValue {
    /// The computation.
    pub(super) thunk: Thunk,
    pub(super) computed: OnceLock<Result<Value, Reason>>,
}

/// The computation of a lazy value.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Thunk {
    /// A lambda of the program without parameters.
    Code {
        /// The index of the lambda in [`dtest_ir::Program::lambdas`].
        #[serde(with = "dtest_ir::lambda_index")]
        lambda: u32,
        /// The captured values.
        captured: Vec<Value>,
        /// The arguments of the type parameters in scope.
        type_args: Vec<Type>,
    },
    /// The default value of a type, which may be infinite.
    Default(Type),
}

impl LazyValue {
    /// Creates a lazy value that is not computed yet.
    pub fn new(thunk: Thunk) -> Self {
        Self {
            thunk,
            computed: OnceLock::new(),
        }
    }

    /// Returns the computation.
    pub fn thunk(&self) -> &Thunk {
        &self.thunk
    }

    /// Returns the value if it was computed; an error is the reason why it is unknown.
    pub fn computed(&self) -> Option<Result<&Value, &Reason>> {
        self.computed.get().map(Result::as_ref)
    }

    /// Stores the value. A value that was stored before stays, because it is the same.
    pub fn note(&self, value: Result<Value, Reason>) {
        let _same = self.computed.set(value);
    }
}

/// The limit of constructors when lazy values are replaced by their values.
const MAX_SETTLED: usize = 64;

impl Value {
    /// Whether the value contains a lazy value.
    pub fn holds_lazy(&self) -> bool {
        self.within().any(|v| matches!(v, Self::Lazy(_)))
    }

    /// Replaces lazy values by their values. `None` if one was not computed, if one is in a set or
    /// a key, or if the result has more than 64 datatype values: it may be infinite.
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
