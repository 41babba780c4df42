//! Values that contain functions. Functions are compared by identity, but different ones may be
//! extensionally equal (reference manual, section "Arrow types"). So two values that differ only in
//! functions may be equal.

use std::sync::Arc;

use super::{DatatypeValue, Value, deeper};
use dtest_sorted::SortedMap;

impl Value {
    /// Whether the value contains a function at any depth.
    pub fn holds_functions(&self) -> bool {
        self.within().any(|v| matches!(v, Self::Function(_)))
    }

    /// Whether two different values may be equal: they differ only in functions.
    pub fn may_equal(&self, other: &Self) -> bool {
        self != other
            && self.holds_functions()
            && other.holds_functions()
            && self.without_functions() == other.without_functions()
    }

    /// Replaces all functions by the same placeholder. Sets and maps may become smaller.
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

    /// Returns the values that the collection compares with each other: elements or keys. Sequences
    /// compare none.
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

    /// Whether different elements or keys of the collection may be equal.
    pub fn may_repeat(&self) -> bool {
        have_twins(self.compared())
    }

    /// Whether `values`, and elements or keys of `collections`, may be equal although they are
    /// different.
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

/// Whether two of the values differ only in functions.
fn have_twins<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    let mut known: SortedMap<Value, &Value> = SortedMap::new();
    values.into_iter().filter(|v| v.holds_functions()).any(|v| {
        match known.insert(v.without_functions(), v) {
            Some(before) => before != v,
            None => false,
        }
    })
}
