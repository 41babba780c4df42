//! The extent of values: their size without sharing. Values share their parts, so that sixty
//! constructors can represent 2⁶⁰ leaves. Traversing, comparing and printing ignore sharing, so
//! that the creation of values limits their extent.

use dafny_resolve::typed::CtorId;

use super::{DatatypeValue, Value};

/// The limit of the extent of values in the search for inputs.
pub const MAX_EXTENT: u64 = 1 << 18;

/// The limit of the extent of values when a program is run. Counting stops there, because sequences
/// of sequences with shared parts are traversed.
pub const LARGEST_EXTENT: u64 = 1 << 23;

/// A [`DatatypeValue`] as stored in cached results.
#[derive(serde::Deserialize)]
pub(super) struct Stored {
    ctor: CtorId,
    args: Vec<Value>,
}

impl From<Stored> for DatatypeValue {
    fn from(Stored { ctor, args }: Stored) -> Self {
        Self::new(ctor, args)
    }
}

impl DatatypeValue {
    /// Creates a constructor application.
    pub(super) fn new(ctor: CtorId, args: Vec<Value>) -> Self {
        let extent = of_all(args.iter()).saturating_add(1);
        Self { ctor, args, extent }
    }
}

impl Value {
    /// Returns the number of values in this one, with shared parts counted repeatedly. Above
    /// [`LARGEST_EXTENT`], the result is only a lower bound. Takes time proportional to the size of
    /// collections; the extent of datatypes is cached.
    pub fn extent(&self) -> u64 {
        match self {
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_)
            | Self::Lazy(_) => 1,
            Self::Datatype(d) => d.extent,
            Self::Newtype(n) => n.value.extent().saturating_add(1),
            Self::Tuple(items) => of_all(items.iter()).saturating_add(1),
            Self::Seq(items) => of_elements(items.len(), items.iter()).saturating_add(1),
            Self::Set(items) => of_elements(items.len(), items.iter()).saturating_add(1),
            Self::Multiset(items) => of_elements(items.len(), items.keys()).saturating_add(1),
            Self::Map(pairs) => {
                let (keys, values) = (
                    of_elements(pairs.len(), pairs.keys()),
                    of_elements(pairs.len(), pairs.values()),
                );
                keys.saturating_add(values).saturating_add(1)
            }
        }
    }

    /// Whether the value has parts.
    fn is_compound(&self) -> bool {
        match self {
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_)
            | Self::Lazy(_) => false,
            Self::Datatype(_)
            | Self::Newtype(_)
            | Self::Seq(_)
            | Self::Tuple(_)
            | Self::Set(_)
            | Self::Multiset(_)
            | Self::Map(_) => true,
        }
    }
}

/// Returns so many copies of an element, or `None` if together they exceed [`MAX_EXTENT`]: a long
/// sequence of long sequences.
pub fn repeated(element: &Value, count: usize) -> Option<Vec<Value>> {
    let extent = element.extent().saturating_mul(count as u64);
    (extent <= MAX_EXTENT).then(|| vec![element.clone(); count])
}

/// Returns the total extent of values. Stops above the largest extent.
fn of_all<'v>(values: impl Iterator<Item = &'v Value>) -> u64 {
    let mut total = 0_u64;
    for value in values {
        total = total.saturating_add(value.extent());
        if total > LARGEST_EXTENT {
            break;
        }
    }
    total
}

/// Returns the extent of elements of the same type. Elements without parts, as in strings, are not
/// inspected one by one.
fn of_elements<'v>(count: usize, mut values: impl Iterator<Item = &'v Value>) -> u64 {
    match values.next() {
        Some(first) if first.is_compound() => first.extent().saturating_add(of_all(values)),
        Some(_) | None => count as u64,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dafny_resolve::typed::CtorId;

    use super::super::Value;
    use super::{MAX_EXTENT, Stored, repeated};

    fn node(parts: Vec<Value>) -> Value {
        Value::datatype(CtorId(0), parts)
    }

    #[test]
    fn copies_are_limited_by_their_extent() {
        let block = Value::seq(vec![Value::int(0); 4096]);
        assert_eq!(
            repeated(&block, 2),
            Some(vec![block.clone(), block.clone()])
        );
        assert_eq!(repeated(&block, 4096), None);
        assert!(repeated(&Value::int(0), 1 << 17).is_some());
    }

    #[test]
    fn shared_values_count_each_time() {
        let leaf = node(Vec::new());
        assert_eq!(leaf.extent(), 1);
        let pair = node(vec![leaf.clone(), leaf]);
        assert_eq!(pair.extent(), 3);
        assert_eq!(node(vec![pair.clone(), Value::int(1), pair]).extent(), 8);
        let many = (0..60).fold(node(Vec::new()), |t, _| node(vec![t.clone(), t]));
        assert!(many.extent() > MAX_EXTENT);
    }

    #[test]
    fn elements_count_with_their_collection() {
        let string = Value::Seq(Arc::new(vec![Value::Char(97); 10]));
        assert_eq!(string.extent(), 11);
        assert_eq!(
            Value::Seq(Arc::new(vec![string.clone(), string])).extent(),
            23
        );
        assert_eq!(Value::Seq(Arc::new(Vec::new())).extent(), 1);
    }

    #[test]
    fn what_was_kept_is_measured_again() {
        let kept = Stored {
            ctor: CtorId(0),
            args: vec![node(Vec::new()), Value::int(3)],
        };
        assert_eq!(Value::Datatype(Arc::new(kept.into())).extent(), 3);
    }
}
