//! Concrete Dafny values: decoded from models, computed by the interpreter, and written into tests.
//!
//! Values are totally ordered by structure. This is the order of choices ("the least"), and the
//! iteration order of sets and maps. Cloning is cheap. A value does not know its static type;
//! operations that need it (printing a `seq<char>`, writing a literal) take it as an argument.
//!
//! Key types: [`Value`], [`Heap`], [`Object`], [`FunctionValue`].
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod answer;
mod deep;
mod elements;
mod extent;
mod functions;
mod lazy;
mod newtype;
mod print;
pub mod real;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Call, Construction, Place};
pub use deep::deeper;
pub use elements::Elements;
pub use extent::{LARGEST_EXTENT, MAX_EXTENT, repeated};
pub use lazy::{LazyValue, Thunk};
pub use newtype::NewtypeValue;
pub use print::{print, print_within, show, show_inputs};
pub use print::{shown_as, shown_name};

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use dafny_resolve::typed::{CallableId, CtorId, Type};
use dtest_sorted::{SortedMap, SortedSet};

/// A value.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// A code point, or a UTF-16 code unit without `--unicode-char`.
    Char(u32),
    /// An integer, or the bare value of an integer newtype.
    Int(BigInt),
    /// A rational number, or the bare value of a real newtype.
    Real(BigRational),
    /// A bitvector; `bits < 2^width`.
    Bv {
        /// The width.
        width: u32,
        /// The bits.
        bits: BigUint,
    },
    /// A finite ordinal.
    Ordinal(BigUint),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A set or a finite iset.
    Set(Arc<SortedSet<Value>>),
    /// A multiset; multiplicities are positive.
    Multiset(Arc<SortedMap<Value, BigUint>>),
    /// A map or a finite imap.
    Map(Arc<SortedMap<Value, Value>>),
    /// A tuple, including ghost components.
    Tuple(Arc<Vec<Value>>),
    /// A datatype value, including ghost arguments.
    Datatype(Arc<DatatypeValue>),
    /// The reference `null`.
    Null,
    /// A reference to an object or array, by its number in a heap.
    Ref(ObjectId),
    /// A function.
    Function(Arc<FunctionValue>),
    /// A value of a newtype, converted to a trait that the newtype extends. Otherwise a newtype
    /// value is its bare value.
    Newtype(Arc<NewtypeValue>),
    /// A lazy value of a codatatype, or a lazy argument of one of its constructors.
    Lazy(Arc<LazyValue>),
}

/// The number of an object, unique within a heap, in allocation order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The number of arguments with a number of their own.
    const ARGUMENTS: u32 = 64;

    /// Returns the number of an argument of a call, by position, in the changes and results of an
    /// [`Answer`]: for an object that the unit created, whose number is not known before the
    /// execution. `None` for a position beyond the first 64.
    pub fn argument(position: usize) -> Option<Self> {
        let position = u32::try_from(position).ok()?;
        (position < Self::ARGUMENTS).then(|| Self(u32::MAX - position))
    }

    /// Returns the position of the argument that the number stands for.
    pub fn as_argument(self) -> Option<usize> {
        let position = u32::MAX - self.0;
        (position < Self::ARGUMENTS).then_some(position as usize)
    }
}

/// A constructor with its arguments.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(from = "extent::Stored")]
pub struct DatatypeValue {
    /// The constructor.
    pub ctor: CtorId,
    /// One argument for each of its fields.
    pub args: Vec<Value>,
    /// The cached extent, see [`Value::extent`].
    #[serde(skip)]
    extent: u64,
}

/// A function value.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub enum FunctionValue {
    /// A finite table with a default: an input of function type.
    Table {
        /// The arguments and results, in the order of application.
        entries: Vec<(Vec<Value>, Value)>,
        /// The result for all other arguments.
        default: Value,
    },
    /// A function with known laws, for preconditions about all arguments.
    Template(Template),
    /// A partial function: an input of type `-->` or `~>`.
    Partial {
        /// The function within its domain.
        function: Box<FunctionValue>,
        /// Whether it is defined for arguments that are no exception.
        elsewhere: bool,
        /// The arguments for which the opposite holds.
        exceptions: Vec<Vec<Value>>,
    },
    /// A lambda of the program with its captured values.
    Closure {
        /// The index of the lambda in [`dtest_ir::Program::lambdas`].
        #[serde(with = "dtest_ir::lambda_index")]
        lambda: u32,
        /// The captured values.
        captured: Vec<Value>,
        /// The arguments of the type parameters in scope.
        type_args: Vec<Type>,
    },
    /// A function of the program.
    Named {
        /// The function.
        callee: CallableId,
        /// The receiver, for instance functions.
        receiver: Option<Value>,
        /// The type arguments: the owner's, then its own.
        type_args: Vec<Type>,
    },
}

/// Functions with known laws, usable as inputs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Template {
    /// `x => x`.
    Identity,
    /// `(x, y) => x < y` of numbers and characters: a strict total order.
    Less,
    /// `(x, y) => x <= y`: a total order.
    AtMost,
    /// `(x, y) => x == y`: an equivalence.
    Equal,
    /// `(x, y) => x + y` of numbers.
    Add,
    /// `x => x + 1` of numbers: an injection.
    Successor,
    /// `(x, y) => x + x + y` of integers: neither commutative nor associative.
    Mix,
    /// `x => x % 2 == 1` of integers.
    Odd,
}

impl FunctionValue {
    /// Whether a partial function is defined for `args`.
    pub fn may_be_applied(elsewhere: bool, exceptions: &[Vec<Value>], args: &[Value]) -> bool {
        elsewhere != exceptions.iter().any(|a| a == args)
    }
}

impl Template {
    /// Returns the function in Dafny syntax.
    pub fn text(self) -> &'static str {
        match self {
            Self::Identity => "x => x",
            Self::Less => "(x, y) => x < y",
            Self::AtMost => "(x, y) => x <= y",
            Self::Equal => "(x, y) => x == y",
            Self::Add => "(x, y) => x + y",
            Self::Successor => "x => x + 1",
            Self::Mix => "(x, y) => x + x + y",
            Self::Odd => "x => x % 2 == 1",
        }
    }
}

impl Value {
    /// Creates an integer.
    pub fn int(n: impl Into<BigInt>) -> Self {
        Self::Int(n.into())
    }

    /// Creates a sequence.
    pub fn seq(elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Seq(Arc::new(elements.into_iter().collect()))
    }

    /// Creates a sequence of characters from code points.
    pub fn string(text: &str) -> Self {
        Self::seq(text.chars().map(|c| Self::Char(c as u32)))
    }

    /// Creates a set.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Set(Arc::new(elements.into_iter().collect()))
    }

    /// Creates a multiset; equal elements are counted.
    pub fn multiset(elements: impl IntoIterator<Item = Value>) -> Self {
        let mut counts = SortedMap::new();
        for e in elements {
            *counts.entry(e).or_insert_with(BigUint::default) += 1u32;
        }
        Self::Multiset(Arc::new(counts))
    }

    /// Creates a map; for equal keys, the last pair counts.
    pub fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Self {
        Self::Map(Arc::new(pairs.into_iter().collect()))
    }

    /// Creates a tuple.
    pub fn tuple(components: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(Arc::new(components.into_iter().collect()))
    }

    /// Returns the direct parts of a collection, tuple, datatype value or converted newtype value.
    /// Functions and lazy values have none.
    pub fn parts(&self) -> Vec<&Value> {
        match self {
            Self::Seq(items) | Self::Tuple(items) => items.iter().collect(),
            Self::Set(items) => items.iter().collect(),
            Self::Multiset(items) => items.keys().collect(),
            Self::Map(pairs) => pairs.iter().flat_map(|(k, v)| [k, v]).collect(),
            Self::Datatype(d) => d.args.iter().collect(),
            Self::Newtype(n) => vec![&n.value],
            Self::Bool(_)
            | Self::Char(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Bv { .. }
            | Self::Ordinal(_)
            | Self::Null
            | Self::Ref(_)
            | Self::Function(_)
            | Self::Lazy(_) => Vec::new(),
        }
    }

    /// Returns the value and all of its parts at any depth, each before its own parts. Shared parts
    /// are repeated.
    pub fn within(&self) -> impl Iterator<Item = &Self> {
        let mut work = vec![self];
        std::iter::from_fn(move || {
            let value = work.pop()?;
            work.extend(value.parts());
            Some(value)
        })
    }

    /// Creates a datatype value.
    pub fn datatype(ctor: CtorId, args: Vec<Value>) -> Self {
        Self::Datatype(Arc::new(DatatypeValue::new(ctor, args)))
    }
}

/// A heap: objects and arrays by number. The inputs of a test are values together with their heap.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Heap {
    /// The objects in allocation order.
    pub objects: Vec<Object>,
}

impl Heap {
    /// Returns the values of all fields and elements.
    pub fn contents(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().flat_map(|o| o.contents.values())
    }
}

/// An object or array.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Object {
    /// The dynamic type: a class or array type. If it is a trait, the object is a mock of the
    /// trait, without a class in the program; its contents are the trait's fields. A function of a
    /// mock that has no body and is not redefined is answered by the [`Answer`]s of the heap, whose
    /// first argument is the object.
    pub ty: Type,
    /// The contents.
    pub contents: Contents,
    /// The redefined functions of the object, which ignore the declared bodies: those of a mock.
    /// The key is the first declaration ([`dafny_resolve::typed::Program::first_declaration`]); the
    /// value takes the arguments without the receiver. It is a [`FunctionValue::Table`] for inputs
    /// of a test, and a closure for `{:synthesize}` methods. Other functions have their declared
    /// bodies, or cannot be called without one.
    pub redefined: SortedMap<CallableId, FunctionValue>,
}

impl Heap {
    /// Returns the objects that these values do not refer to, directly or through other objects,
    /// in ascending order.
    pub fn unreached<'v>(&'v self, roots: impl Iterator<Item = &'v Value>) -> Vec<ObjectId> {
        let mut reached = vec![false; self.objects.len()];
        let mut work: Vec<&Value> = roots.collect();
        while let Some(value) = work.pop() {
            for part in value.within() {
                let Value::Ref(id) = part else { continue };
                let at = id.0 as usize;
                let Some((object, seen)) = self.objects.get(at).zip(reached.get_mut(at)) else {
                    continue;
                };
                if !std::mem::replace(seen, true) {
                    work.extend(object.contents.values());
                    for function in object.redefined.values() {
                        if let FunctionValue::Table { entries, default } = function {
                            let results = entries.iter().map(|(_, result)| result);
                            work.extend(results.chain([default]));
                        }
                    }
                }
            }
        }
        let ids = (0..).map(ObjectId).zip(reached);
        ids.filter(|(_, reached)| !reached)
            .map(|(id, _)| id)
            .collect()
    }
}

impl Contents {
    /// Returns the values of all fields or elements.
    pub fn values(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self {
            Self::Fields(fields) => Box::new(fields.values()),
            Self::Elements(elements) => Box::new(elements.iter().flatten()),
        }
    }
}

impl Object {
    /// Creates an object without redefined functions.
    pub fn new(ty: Type, contents: Contents) -> Self {
        Self {
            ty,
            contents,
            redefined: SortedMap::new(),
        }
    }
}

/// The contents of an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Contents {
    /// Fields by id. A missing field is unassigned.
    Fields(SortedMap<dafny_resolve::typed::FieldId, Value>),
    /// Array elements; `None`: unassigned.
    Elements(Elements<Option<Value>>),
}

/// Returns rows of one value for each column: the first values, then each column varied alone, then
/// a diagonal.
pub fn rows(columns: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let first: Option<Vec<Value>> = columns.iter().map(|c| c.first().cloned()).collect();
    let Some(first) = first else {
        return Vec::new();
    };
    let mut out = vec![first.clone()];
    for (i, c) in columns.iter().enumerate() {
        for v in c.iter().skip(1).take(3) {
            let mut row = first.clone();
            if let Some(slot) = row.get_mut(i) {
                *slot = v.clone();
            }
            out.push(row);
        }
    }
    for n in 1..3 {
        out.push(
            columns
                .iter()
                .filter_map(|c| c.get(n % c.len().max(1)).cloned())
                .collect(),
        );
    }
    out.retain(|r| r.len() == columns.len());
    out.dedup();
    out
}
