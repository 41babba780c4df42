//! Values that hold functions. Functions are told apart by identity, but equal ones of different identity exist (reference manual, section
//! "Arrow types": equality is extensional), so that two values that differ in functions alone may be equal.

use std::sync::Arc;

use super::{DatatypeValue, Value, deeper};
use dtest_sorted::SortedMap;

impl Value {
    /// Whether a function is the value or a part of it, at any depth.
    pub fn holds_functions(&self) -> bool {
        self.within().any(|v| matches!(v, Self::Function(_)))
    }

    /// Whether two values that are not identical may be equal: they differ in functions alone.
    pub fn may_equal(&self, other: &Self) -> bool {
        self != other
            && self.holds_functions()
            && other.holds_functions()
            && self.without_functions() == other.without_functions()
    }

    /// The value with one and the same placeholder for all functions. Sets and maps may become smaller.
    fn without_functions(&self) -> Self {
        deeper(|| match self {
            Self::Function(_) => Self::Null,
            Self::Seq(items) => Self::seq(items.iter().map(Self::without_functions)),
            Self::Tuple(items) => Self::tuple(items.iter().map(Self::without_functions)),
            Self::Set(items) => Self::set(items.iter().map(Self::without_functions)),
            Self::Multiset(counts) => {
                let mut all = SortedMap::new();
                for (item, n) in counts.iter() {
                    *all.entry(item.without_functions()).or_default() += n;
                }
                Self::Multiset(Arc::new(all))
            }
            Self::Map(pairs) => Self::set(
                pairs
                    .iter()
                    .map(|(k, v)| Self::tuple([k.without_functions(), v.without_functions()])),
            ),
            Self::Datatype(d) => Self::Datatype(Arc::new(DatatypeValue::new(
                d.ctor,
                d.args.iter().map(Self::without_functions).collect(),
            ))),
            Self::Newtype(n) => Self::newtype(n.decl, n.args.clone(), n.value.without_functions()),
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Lazy(_) => self.clone(),
        })
    }

    /// The values that the collection compares with each other: elements, or keys. Sequences compare none of theirs.
    fn compared(&self) -> Vec<&Self> {
        match self {
            Self::Set(items) => items.iter().collect(),
            Self::Multiset(items) => items.keys().collect(),
            Self::Map(pairs) => pairs.keys().collect(),
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Seq(_)
            | Self::Tuple(_)
            | Self::Datatype(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_)
            | Self::Newtype(_)
            | Self::Lazy(_) => Vec::new(),
        }
    }

    /// Whether some elements or keys of a collection may be equal to others of it.
    pub fn may_repeat(&self) -> bool {
        have_twins(self.compared())
    }

    /// Whether `values`, and elements or keys of `collections`, may be equal though they are not identical.
    pub fn may_coincide(values: &[Self], collections: &[Self]) -> bool {
        let elements = collections.iter().flat_map(|c| match c {
            Self::Seq(items) => items.iter().collect(),
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Set(_)
            | Self::Multiset(_)
            | Self::Map(_)
            | Self::Tuple(_)
            | Self::Datatype(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_)
            | Self::Newtype(_)
            | Self::Lazy(_) => c.compared(),
        });
        have_twins(values.iter().chain(elements))
    }
}

/// Whether two of the values differ in functions alone.
fn have_twins<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    let mut known: SortedMap<Value, &Value> = SortedMap::new();
    values.into_iter().filter(|v| v.holds_functions()).any(|v| {
        match known.insert(v.without_functions(), v) {
            Some(before) => before != v,
            None => false,
        }
    })
}
