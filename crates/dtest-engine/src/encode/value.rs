//! Symbolic values: finite shapes whose leaves are terms.
//!
//! A value stands for the concrete values that its terms take under an assignment. What is not known at all
//! is [`Sym::Any`] (a scalar that is not known is a fresh variable instead).

use std::rc::Rc;

use crate::smt::Term;
use dafny_resolve::typed::{CallableId, FieldId, Type, TypeId};
use dtest_sorted::SortedMap;

/// A symbolic value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sym {
    /// A boolean.
    Bool(Term),
    /// An integer.
    Int(Term),
    /// A character, as an integer.
    Char(Term),
    /// A real.
    Real(Term),
    /// A bitvector; of width 0 the integer 0.
    Bv(Term),
    /// A finite ordinal, as a natural number.
    Ordinal(Term),
    /// A sequence.
    Seq(Rc<SymSeq>),
    /// A set.
    Set(Rc<SymSet>),
    /// A multiset.
    Multiset(Rc<SymMultiset>),
    /// A map.
    Map(Rc<SymMap>),
    /// A tuple.
    Tuple(Rc<Vec<Sym>>),
    /// A datatype value.
    Data(Rc<SymData>),
    /// A function.
    Func(Rc<SymFunc>),
    /// An argument of a codatatype's constructor that is computed when it is looked at.
    Lazy(Rc<SymLazy>),
    /// A value of a newtype, seen as a trait that the newtype extends.
    Newtype(Rc<SymNewtype>),
    /// A value of a trait that may be of several types: one of these, which are of different types or kinds, each under a condition. Exactly
    /// one of the conditions holds.
    OneOf(Rc<Vec<(Term, Sym)>>),
    /// A reference: 0 is null, n + 1 the object n of the table.
    Ref(Term),
    /// Any value of the type at hand.
    Any,
    /// No value yet.
    Undef,
}

impl Sym {
    /// The number of values in it, what is held twice counted twice. Merging, comparing and decoding take values apart, so that
    /// those of datatypes, which nest without a bound, are kept within [`crate::value::MAX_EXTENT`].
    pub fn extent(&self) -> u64 {
        let all = |parts: &mut dyn Iterator<Item = &Sym>| {
            parts.fold(1, |sum: u64, x| sum.saturating_add(x.extent()))
        };
        match self {
            Self::Data(d) => d.extent,
            Self::Tuple(xs) => all(&mut xs.iter()),
            Self::Seq(s) => all(&mut s.slots.iter()),
            Self::Set(s) => all(&mut s.slots.iter().map(|(_, x)| x)),
            Self::Multiset(s) => all(&mut s.slots.iter().map(|(_, x)| x)),
            Self::Map(m) => all(&mut m.slots.iter().flat_map(|(_, k, v)| [k, v])),
            Self::Newtype(n) => n.value.extent().saturating_add(1),
            Self::OneOf(all_of) => all(&mut all_of.iter().map(|(_, x)| x)),
            Self::Bool(_)
            | Self::Int(_)
            | Self::Char(_)
            | Self::Real(_)
            | Self::Bv(_)
            | Self::Ordinal(_)
            | Self::Func(_)
            | Self::Lazy(_)
            | Self::Ref(_)
            | Self::Any
            | Self::Undef => 1,
        }
    }

    /// How many elements it holds as a collection.
    pub fn elements(&self) -> usize {
        match self {
            Self::Seq(s) => s.slots.len(),
            Self::Set(s) => s.slots.len(),
            Self::Multiset(s) => s.slots.len(),
            Self::Map(s) => s.slots.len(),
            Self::Bool(_)
            | Self::Int(_)
            | Self::Char(_)
            | Self::Real(_)
            | Self::Bv(_)
            | Self::Ordinal(_)
            | Self::Tuple(_)
            | Self::Data(_)
            | Self::Newtype(_)
            | Self::OneOf(_)
            | Self::Func(_)
            | Self::Lazy(_)
            | Self::Ref(_)
            | Self::Any
            | Self::Undef => 0,
        }
    }
}

/// What lies beyond the slots of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// Nothing: the length never exceeds the slots.
    Nothing,
    /// Perhaps something, of which nothing is known but that it is the same in sequences with as many slots and this number.
    Unknown(u32),
}

/// How a value of which not all is known comes from others: what is the same of both gives the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Made {
    Update,
    Concat,
    Slice,
    Merge,
    Intersection,
    Difference,
    Elements,
    Values,
}

/// A sequence: its first `len` slots. Where it is open, the length may exceed the slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymSeq {
    /// The length.
    pub len: Term,
    /// Elements.
    pub slots: Vec<Sym>,
    /// The elements beyond the slots.
    pub rest: Rest,
}

impl SymSeq {
    /// Whether there may be elements beyond the slots.
    pub fn is_open(&self) -> bool {
        self.rest != Rest::Nothing
    }
}

/// A set: the elements of the slots that are present, pairwise different.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymSet {
    /// Present, element.
    pub slots: Vec<(Term, Sym)>,
    /// Whether there may be further elements.
    pub more: Term,
}

/// A multiset: the sum of its slots; elements may repeat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymMultiset {
    /// Count (not negative), element.
    pub slots: Vec<(Term, Sym)>,
    /// Whether there may be further elements.
    pub more: Term,
}

/// A map: the pairs of the slots that are present, keys pairwise different.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymMap {
    /// Present, key, value.
    pub slots: Vec<(Term, Sym, Sym)>,
    /// Whether there may be further pairs.
    pub more: Term,
}

/// A datatype value: the constructor's index and, for each constructor that it can be, the arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymData {
    /// The datatype.
    pub ty: TypeId,
    /// Index of the constructor.
    pub tag: Term,
    /// Arguments by constructor; `None`: cannot be, or not known.
    pub args: Vec<Option<Rc<Vec<Sym>>>>,
    extent: u64,
}

impl SymData {
    /// A datatype value.
    pub fn new(ty: TypeId, tag: Term, args: Vec<Option<Rc<Vec<Sym>>>>) -> Self {
        let extent = args
            .iter()
            .flatten()
            .flat_map(|xs| xs.iter())
            .fold(1, |sum: u64, x| sum.saturating_add(x.extent()));
        Self {
            ty,
            tag,
            args,
            extent,
        }
    }
}

/// A value of a newtype, seen as a trait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymNewtype {
    /// The newtype.
    pub decl: TypeId,
    /// Its type arguments.
    pub args: Vec<Type>,
    /// The value.
    pub value: Sym,
}

/// A function value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymFunc {
    /// A table that grows as it is asked: an index into the encoder's tables.
    Table(u32),
    /// A lambda.
    Lambda {
        /// Index in the program.
        lambda: u32,
        /// Captured values.
        captures: Vec<Sym>,
        /// Type arguments of the scope.
        type_args: Vec<Type>,
    },
    /// A function of the program.
    Named {
        /// Which.
        callee: CallableId,
        /// Type arguments.
        type_args: Vec<Type>,
        /// Receiver.
        receiver: Option<Sym>,
    },
    /// One or the other.
    If(Term, Sym, Sym),
}

/// What a lazy argument stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymLazy {
    /// What a lambda without parameters computes.
    Code {
        /// Index in the program.
        lambda: u32,
        /// Captured values.
        captures: Vec<Sym>,
        /// Type arguments of the scope.
        type_args: Vec<Type>,
    },
    /// Of an input beyond the bound on depth: the default value of the type, which the encoder does not look into.
    Rest(Type),
    /// One or the other, each lazy or not.
    If(Term, Sym, Sym),
}

/// An object of the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymObject {
    /// Its dynamic type.
    pub ty: Type,
    /// What it holds.
    pub contents: SymContents,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymContents {
    /// Fields; one that is not there has no value yet.
    Fields(SortedMap<FieldId, Sym>),
    /// An array of one dimension.
    Array(Rc<SymSeq>),
    /// An array of several dimensions.
    Grid(Rc<SymGrid>),
}

/// Slots of an array of several dimensions, at most.
const MAX_CELLS: usize = 512;

/// The contents of an array of several dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymGrid {
    /// Lengths.
    pub dims: Vec<Term>,
    /// How many slots there are along each dimension.
    pub caps: Vec<usize>,
    /// Elements in row-major order of the caps.
    pub slots: Vec<Sym>,
}

impl SymGrid {
    /// The caps for so many slots along each dimension, in their order. Their product is the number of slots, which grows exponentially with
    /// the number of dimensions: beyond [`MAX_CELLS`], later dimensions get fewer.
    pub fn caps(wanted: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut cells: usize = 1;
        let limited = wanted.into_iter().map(|n| {
            let cap = n.min((MAX_CELLS / cells).max(1));
            // A dimension without slots leaves nothing to count.
            cells *= cap.max(1);
            cap
        });
        limited.collect()
    }

    /// The indices of every slot.
    pub fn places(&self) -> Vec<Vec<usize>> {
        self.caps.iter().fold(vec![Vec::new()], |rows, n| {
            rows.iter()
                .flat_map(|r| (0..*n).map(move |i| r.iter().copied().chain([i]).collect()))
                .collect()
        })
    }
}

/// A heap: objects by number. Two heaps of one version are equal.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// Changes with every store.
    pub version: u64,
    /// Objects.
    pub objects: Rc<SortedMap<u32, Rc<SymObject>>>,
}

impl Sym {
    /// A tuple.
    pub fn tuple(components: Vec<Sym>) -> Self {
        Self::Tuple(Rc::new(components))
    }

    /// A sequence.
    pub fn seq(len: Term, slots: Vec<Sym>, rest: Rest) -> Self {
        Self::Seq(Rc::new(SymSeq { len, slots, rest }))
    }

    /// A set.
    pub fn set(slots: Vec<(Term, Sym)>, more: Term) -> Self {
        Self::Set(Rc::new(SymSet { slots, more }))
    }

    /// A multiset.
    pub fn multiset(slots: Vec<(Term, Sym)>, more: Term) -> Self {
        Self::Multiset(Rc::new(SymMultiset { slots, more }))
    }

    /// A map.
    pub fn map(slots: Vec<(Term, Sym, Sym)>, more: Term) -> Self {
        Self::Map(Rc::new(SymMap { slots, more }))
    }

    /// Whether something in it is not known at all.
    pub fn is_vague(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Bool(_)
            | Self::Int(_)
            | Self::Char(_)
            | Self::Real(_)
            | Self::Bv(_)
            | Self::Ordinal(_)
            | Self::Ref(_)
            | Self::Undef => false,
            Self::Seq(s) => s.slots.iter().any(Self::is_vague),
            Self::Set(s) => s.slots.iter().any(|(_, x)| x.is_vague()),
            Self::Multiset(s) => s.slots.iter().any(|(_, x)| x.is_vague()),
            Self::Map(m) => m.slots.iter().any(|(_, k, v)| k.is_vague() || v.is_vague()),
            Self::Tuple(xs) => xs.iter().any(Self::is_vague),
            Self::Data(d) => d
                .args
                .iter()
                .flatten()
                .any(|xs| xs.iter().any(Self::is_vague)),
            Self::Newtype(n) => n.value.is_vague(),
            Self::OneOf(all) => all.iter().any(|(_, x)| x.is_vague()),
            Self::Func(f) => match &**f {
                SymFunc::Table(_) => false,
                SymFunc::Lambda { captures, .. } => captures.iter().any(Self::is_vague),
                SymFunc::Named { receiver, .. } => receiver.as_ref().is_some_and(Self::is_vague),
                SymFunc::If(_, a, b) => a.is_vague() || b.is_vague(),
            },
            Self::Lazy(l) => match &**l {
                SymLazy::Code { captures, .. } => captures.iter().any(Self::is_vague),
                SymLazy::Rest(_) => false,
                SymLazy::If(_, a, b) => a.is_vague() || b.is_vague(),
            },
        }
    }

    /// The term of a number, character or reference.
    pub fn scalar(&self) -> Option<Term> {
        match self {
            Self::Bool(t)
            | Self::Int(t)
            | Self::Char(t)
            | Self::Real(t)
            | Self::Bv(t)
            | Self::Ordinal(t)
            | Self::Ref(t) => Some(*t),
            Self::Seq(_)
            | Self::Set(_)
            | Self::Multiset(_)
            | Self::Map(_)
            | Self::Tuple(_)
            | Self::Data(_)
            | Self::Newtype(_)
            | Self::OneOf(_)
            | Self::Func(_)
            | Self::Lazy(_)
            | Self::Any
            | Self::Undef => None,
        }
    }
}
