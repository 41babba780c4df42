//! Words: the values of the machine, in two machine words.
//!
//! Small integers are unboxed, and collections are the shared ones of [`Value`]: loops do not
//! allocate, and a collection with a single owner is updated in place. An integer that fits in an
//! `i64` is always [`Word::Int`].

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

use dtest_ir::reason::Reason;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{DatatypeValue, FunctionValue, ObjectId, Value};

/// A value on the machine, or its absence.
#[derive(Clone, Debug)]
pub(super) enum Word {
    /// Never assigned.
    Unset,
    /// Not computable, for this reason. Strict operators propagate it.
    Unknown(Arc<Reason>),
    Bool(bool),
    Char(u32),
    Int(i64),
    Seq(Arc<Vec<Value>>),
    Set(Arc<SortedSet<Value>>),
    Multiset(Arc<SortedMap<Value, BigUint>>),
    Map(Arc<SortedMap<Value, Value>>),
    Tuple(Arc<Vec<Value>>),
    Datatype(Arc<DatatypeValue>),
    Null,
    Ref(ObjectId),
    Function(Arc<FunctionValue>),
    /// Large integers, reals, bitvectors, ordinals, values of newtypes converted to traits, and
    /// lazy values.
    Boxed(Arc<Value>),
}

/// The three-valued truth of a word.
pub(super) enum Condition {
    True,
    False,
    /// Not computable.
    Unknown(Arc<Reason>),
}

impl Word {
    /// Returns the truth of a word; `None` if it is no boolean, which is an internal error.
    #[inline]
    pub(super) fn condition(self) -> Option<Condition> {
        if let Self::Bool(b) = self {
            Some(if b { Condition::True } else { Condition::False })
        } else if let Self::Unknown(reason) = self {
            Some(Condition::Unknown(reason))
        } else {
            None
        }
    }

    /// The value of a boxed word.
    pub(super) fn boxed(&self) -> Option<&Value> {
        if let Self::Boxed(value) = self {
            Some(value)
        } else {
            None
        }
    }

    /// Creates a word that could not be computed.
    pub(super) fn unknown(reason: impl Into<Reason>) -> Self {
        Self::Unknown(Arc::new(reason.into()))
    }

    /// Creates an integer.
    pub(super) fn int(n: BigInt) -> Self {
        match n.to_i64() {
            Some(small) => Self::Int(small),
            None => Self::Boxed(Arc::new(Value::Int(n))),
        }
    }

    /// Creates a length.
    pub(super) fn length(n: usize) -> Self {
        i64::try_from(n).map_or_else(|_| Self::int(BigInt::from(n)), Self::Int)
    }

    /// Converts a value to a word.
    pub(super) fn of(value: Value) -> Self {
        match value {
            Value::Bool(b) => Self::Bool(b),
            Value::Char(c) => Self::Char(c),
            Value::Int(n) => Self::int(n),
            Value::Seq(s) => Self::Seq(s),
            Value::Set(s) => Self::Set(s),
            Value::Multiset(s) => Self::Multiset(s),
            Value::Map(m) => Self::Map(m),
            Value::Tuple(t) => Self::Tuple(t),
            Value::Datatype(d) => Self::Datatype(d),
            Value::Null => Self::Null,
            Value::Ref(id) => Self::Ref(id),
            Value::Function(f) => Self::Function(f),
            other @ (Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Newtype(_)
            | Value::Lazy(_)) => Self::Boxed(Arc::new(other)),
        }
    }

    /// Converts a borrowed value to a word.
    pub(super) fn of_ref(value: &Value) -> Self {
        match value {
            Value::Int(n) => match n.to_i64() {
                Some(small) => Self::Int(small),
                None => Self::Boxed(Arc::new(value.clone())),
            },
            Value::Bool(_)
            | Value::Char(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Newtype(_)
            | Value::Seq(_)
            | Value::Set(_)
            | Value::Multiset(_)
            | Value::Map(_)
            | Value::Tuple(_)
            | Value::Datatype(_)
            | Value::Null
            | Value::Ref(_)
            | Value::Function(_)
            | Value::Lazy(_) => Self::of(value.clone()),
        }
    }

    /// Converts a word to a value; `None` if it has none.
    pub(super) fn value(self) -> Option<Value> {
        Some(match self {
            Self::Unset | Self::Unknown(_) => return None,
            Self::Bool(b) => Value::Bool(b),
            Self::Char(c) => Value::Char(c),
            Self::Int(n) => Value::Int(BigInt::from(n)),
            Self::Seq(s) => Value::Seq(s),
            Self::Set(s) => Value::Set(s),
            Self::Multiset(s) => Value::Multiset(s),
            Self::Map(m) => Value::Map(m),
            Self::Tuple(t) => Value::Tuple(t),
            Self::Datatype(d) => Value::Datatype(d),
            Self::Null => Value::Null,
            Self::Ref(id) => Value::Ref(id),
            Self::Function(f) => Value::Function(f),
            Self::Boxed(v) => Arc::unwrap_or_clone(v),
        })
    }

    /// Whether both words have the same value.
    pub(super) fn same(&self, other: &Word) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Char(a), Self::Char(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Seq(a), Self::Seq(b)) | (Self::Tuple(a), Self::Tuple(b)) => a == b,
            (Self::Set(a), Self::Set(b)) => a == b,
            (Self::Multiset(a), Self::Multiset(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Datatype(a), Self::Datatype(b)) => a == b,
            (Self::Null, Self::Null) => true,
            (Self::Ref(a), Self::Ref(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => a == b,
            (Self::Boxed(a), Self::Boxed(b)) => a == b,
            (
                Self::Bool(_)
                | Self::Char(_)
                | Self::Int(_)
                | Self::Seq(_)
                | Self::Set(_)
                | Self::Multiset(_)
                | Self::Map(_),
                _,
            )
            | (
                Self::Tuple(_)
                | Self::Datatype(_)
                | Self::Null
                | Self::Ref(_)
                | Self::Function(_)
                | Self::Boxed(_),
                _,
            )
            | (Self::Unset | Self::Unknown(_), _) => false,
        }
    }

    /// Returns an integer of any size.
    pub(super) fn as_int(&self) -> Option<BigInt> {
        match self {
            Self::Int(n) => Some(BigInt::from(*n)),
            Self::Boxed(v) => {
                if let Value::Int(n) = &**v {
                    Some(n.clone())
                } else {
                    None
                }
            }
            Self::Unset
            | Self::Unknown(_)
            | Self::Bool(_)
            | Self::Char(_)
            | Self::Seq(_)
            | Self::Set(_)
            | Self::Multiset(_) => None,
            Self::Map(_)
            | Self::Tuple(_)
            | Self::Datatype(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_) => None,
        }
    }

    /// Returns an integer, bitvector or ordinal as an integer: for shift amounts and indices.
    pub(super) fn as_number(&self) -> Option<BigInt> {
        if let Self::Boxed(v) = self {
            if let Value::Int(n) = &**v {
                Some(n.clone())
            } else if let Value::Bv { bits, .. } | Value::Ordinal(bits) = &**v {
                Some(BigInt::from(bits.clone()))
            } else {
                None
            }
        } else {
            self.as_int()
        }
    }

    /// Returns an index of a host collection.
    pub(super) fn as_index(&self) -> Option<usize> {
        if let Self::Int(n) = self {
            usize::try_from(*n).ok()
        } else {
            self.as_number()?.to_usize()
        }
    }

    /// Returns the order of integers; `None` if one of the words is no integer.
    pub(super) fn compare_ints(&self, other: &Word) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (_, _) => Some(self.as_int()?.cmp(&other.as_int()?)),
        }
    }

    /// Describes a word for messages.
    pub(super) fn show(&self) -> String {
        match self {
            Self::Unset => "a value that was never assigned".to_owned(),
            Self::Unknown(reason) => format!("an unknown value ({reason})"),
            Self::Bool(b) => b.to_string(),
            Self::Char(c) => {
                char::from_u32(*c).map_or_else(|| format!("'\\u{{{c:x}}}'"), |c| format!("{c:?}"))
            }
            Self::Int(n) => n.to_string(),
            Self::Null => "null".to_owned(),
            Self::Boxed(v) => match &**v {
                Value::Int(n) => n.to_string(),
                Value::Real(r) => r.to_string(),
                Value::Bv { bits, .. } | Value::Ordinal(bits) => bits.to_string(),
                Value::Bool(_) | Value::Char(_) | Value::Seq(_) | Value::Set(_) => {
                    "a value".to_owned()
                }
                Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Datatype(_)
                | Value::Newtype(_) => "a value".to_owned(),
                Value::Null | Value::Ref(_) | Value::Function(_) | Value::Lazy(_) => {
                    "a value".to_owned()
                }
            },
            Self::Seq(s) => format!("a sequence of length {}", s.len()),
            Self::Set(s) => format!("a set of {} elements", s.len()),
            Self::Multiset(_) => "a multiset".to_owned(),
            Self::Map(m) => format!("a map of {} keys", m.len()),
            Self::Tuple(_) => "a tuple".to_owned(),
            Self::Datatype(_) => "a datatype value".to_owned(),
            Self::Ref(_) => "an object".to_owned(),
            Self::Function(_) => "a function".to_owned(),
        }
    }
}
