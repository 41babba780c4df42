//! Concrete Dafny values: what a model becomes, what the interpreter computes, what a test is written from.
//!
//! Values are totally ordered by structure, which is the order in which choices are made ("the least")
//! and in which sets and maps are walked. Cloning is cheap. A value does not know its static type; what
//! needs it (printing a `seq<char>`, writing a literal) is given the type beside it.

mod answer;
mod deep;
mod elements;
mod extent;
mod functions;
mod lazy;
mod newtype;
mod print;
pub mod real;

pub use answer::{Answer, Call, Construction, Place};
pub use deep::deeper;
pub use elements::Elements;
pub use extent::{LARGEST_EXTENT, MAX_EXTENT};
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
    /// An integer, also of a newtype where its type is known.
    Int(BigInt),
    /// A rational number, also of a newtype.
    Real(BigRational),
    /// A bitvector; `bits < 2^width`.
    Bv {
        /// Its width.
        width: u32,
        /// Its bits.
        bits: BigUint,
    },
    /// A finite ordinal.
    Ordinal(BigUint),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A set or a finite iset.
    Set(Arc<SortedSet<Value>>),
    /// A multiset: counts are positive.
    Multiset(Arc<SortedMap<Value, BigUint>>),
    /// A map or a finite imap.
    Map(Arc<SortedMap<Value, Value>>),
    /// A tuple; ghost components are present.
    Tuple(Arc<Vec<Value>>),
    /// A datatype value; ghost arguments are present.
    Datatype(Arc<DatatypeValue>),
    /// `null`.
    Null,
    /// An object or array of a heap, by its number there.
    Ref(ObjectId),
    /// A function.
    Function(Arc<FunctionValue>),
    /// A value of a newtype where it is seen as a trait that the newtype extends. Where its type is known, it is the value alone.
    Newtype(Arc<NewtypeValue>),
    /// A value of a codatatype, or an argument of one of its constructors, that is computed when it is looked at.
    Lazy(Arc<LazyValue>),
}

/// An object's number, unique within a heap, in the order of allocation.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct ObjectId(pub u32);

/// A constructor with its arguments.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(from = "extent::Stored")]
pub struct DatatypeValue {
    /// The constructor.
    pub ctor: CtorId,
    /// One argument for each of its fields.
    pub args: Vec<Value>,
    /// See [`Value::extent`].
    #[serde(skip)]
    extent: u64,
}

/// A function as a value.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub enum FunctionValue {
    /// A finite table with a default: what inputs of function type are.
    Table {
        /// Arguments and result, in the order in which they are asked.
        entries: Vec<(Vec<Value>, Value)>,
        /// The result for all other arguments.
        default: Value,
    },
    /// A function with known laws, for preconditions that speak of all arguments.
    Template(Template),
    /// A function that may not be applied to all arguments: an input of a type `-->` or `~>`.
    Partial {
        /// What it gives where it may be applied.
        function: Box<FunctionValue>,
        /// Whether it may be applied to arguments that are no exception.
        elsewhere: bool,
        /// The arguments for which the opposite holds.
        exceptions: Vec<Vec<Value>>,
    },
    /// A lambda of the program with what it captured.
    Closure {
        /// Index of the lambda in [`crate::ir::Program::lambdas`].
        #[serde(with = "crate::ir::lambda_index")]
        lambda: u32,
        /// Values of its captures.
        captured: Vec<Value>,
        /// What the type parameters in scope stand for.
        type_args: Vec<Type>,
    },
    /// A function of the program.
    Named {
        /// Which.
        callee: CallableId,
        /// Its receiver.
        receiver: Option<Value>,
        /// Type arguments of owner and function.
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
    /// The function where its arguments are told apart by value alone: `requires` holds for `args` if this says so.
    pub fn may_be_applied(elsewhere: bool, exceptions: &[Vec<Value>], args: &[Value]) -> bool {
        elsewhere != exceptions.iter().any(|a| a == args)
    }
}

impl Template {
    /// The function as Dafny writes it.
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
    /// An integer.
    pub fn int(n: impl Into<BigInt>) -> Self {
        Self::Int(n.into())
    }

    /// A sequence.
    pub fn seq(elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Seq(Arc::new(elements.into_iter().collect()))
    }

    /// A sequence of characters given by code points.
    pub fn string(text: &str) -> Self {
        Self::seq(text.chars().map(|c| Self::Char(c as u32)))
    }

    /// A set.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Set(Arc::new(elements.into_iter().collect()))
    }

    /// A multiset; equal elements are counted.
    pub fn multiset(elements: impl IntoIterator<Item = Value>) -> Self {
        let mut counts = SortedMap::new();
        for e in elements {
            *counts.entry(e).or_insert_with(BigUint::default) += 1u32;
        }
        Self::Multiset(Arc::new(counts))
    }

    /// A map; later pairs win.
    pub fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Self {
        Self::Map(Arc::new(pairs.into_iter().collect()))
    }

    /// A tuple.
    pub fn tuple(components: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(Arc::new(components.into_iter().collect()))
    }

    /// The values that a collection, tuple, datatype value or value of a newtype holds; of functions and lazy values none.
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

    /// The value and what it holds at any depth, each before its parts; what is held twice comes twice.
    pub fn within(&self) -> impl Iterator<Item = &Self> {
        let mut work = vec![self];
        std::iter::from_fn(move || {
            let value = work.pop()?;
            work.extend(value.parts());
            Some(value)
        })
    }

    /// A datatype value.
    pub fn datatype(ctor: CtorId, args: Vec<Value>) -> Self {
        Self::Datatype(Arc::new(DatatypeValue::new(ctor, args)))
    }
}

/// A heap: objects and arrays by number. Inputs of a test are values together with the heap that they point into.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Heap {
    /// Objects in the order of allocation.
    pub objects: Vec<Object>,
}

impl Heap {
    /// What fields and elements hold.
    pub fn contents(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().flat_map(|o| o.contents.values())
    }
}

/// An object or array.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Object {
    /// Its dynamic type: a class type or an array type. A trait: the object is a mock of it, of a class that the program
    /// does not have; its contents are the trait's fields. What it does not redefine and has no body is answered by the
    /// [`Answer`]s that go with the heap: the object is their first argument.
    pub ty: Type,
    /// Contents.
    pub contents: Contents,
    /// Functions that the object answers itself, whatever their bodies say: those of a mock. The key is the declaration
    /// that overrides no other ([`dafny_resolve::typed::Program::first_declaration`]), the value takes the arguments without the
    /// receiver: of a test's inputs a [`FunctionValue::Table`], of a `{:synthesize}` method a closure. What is not here
    /// does what its body says, or cannot be called if it has none.
    pub redefined: SortedMap<CallableId, FunctionValue>,
}

impl Contents {
    /// The values that are held.
    pub fn values(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self {
            Self::Fields(fields) => Box::new(fields.values()),
            Self::Elements(elements) => Box::new(elements.iter().flatten()),
        }
    }
}

impl Object {
    /// An object all of whose functions are those of its type.
    pub fn new(ty: Type, contents: Contents) -> Self {
        Self {
            ty,
            contents,
            redefined: SortedMap::new(),
        }
    }
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Contents {
    /// Fields by id; a field that is not there was never assigned.
    Fields(SortedMap<dafny_resolve::typed::FieldId, Value>),
    /// Array elements; `None`: not yet assigned.
    Elements(Elements<Option<Value>>),
}

/// Rows of one value a column: the first of each, then each column varied alone, then a diagonal.
pub(crate) fn rows(columns: &[Vec<Value>]) -> Vec<Vec<Value>> {
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
