//! Symbolic values: finite shapes whose leaves are terms.
//!
//! A symbolic value represents the concrete values that its terms take under an assignment.
//! [`Sym::Any`] represents an unknown value; an unknown scalar is a fresh variable instead.
//!
//! Key types: [`Sym`], [`SymSeq`], [`SymData`], [`SymFunc`], [`Heap`]. Collections have slots, each
//! with the condition that it is present.

use std::rc::Rc;

use dafny_resolve::typed::{CallableId, FieldId, Type, TypeId};
use dtest_smt::Term;
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
    /// A bitvector. A bitvector of width 0 is the integer 0.
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
    /// A lazy argument of a codatatype's constructor.
    Lazy(Rc<SymLazy>),
    /// A value of a newtype, converted to a trait that the newtype extends.
    Newtype(Rc<SymNewtype>),
    /// A value of a trait with several possible types: alternatives of different types or kinds,
    /// each under a condition. Exactly one of the conditions holds.
    OneOf(Rc<Vec<(Term, Sym)>>),
    /// A reference: 0 is null, n + 1 is the object with number n.
    Ref(Term),
    /// An unknown value of the expected type.
    Any,
    /// The absence of a value, before the first assignment.
    Undef,
}

impl Sym {
    /// Returns the number of values in this one, counting shared parts repeatedly. Merging,
    /// comparing and decoding traverse values without sharing, so that the extent of datatypes,
    /// which nest without a bound, is limited to [`dtest_value::MAX_EXTENT`].
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

    /// Returns the number of slots of a collection; 0 for other values.
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

/// The elements beyond the slots of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// None: the length never exceeds the number of slots.
    Nothing,
    /// Possibly further, unknown elements. They are equal in sequences with the same number of
    /// slots and the same number here.
    Unknown(u32),
}

/// The operation that derived a partly unknown value. Equal operations on equal operands give equal
/// values.
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

/// A sequence: the first `len` slots. An open sequence may be longer than its slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymSeq {
    /// The length.
    pub len: Term,
    /// The elements.
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

/// A set: the elements of the present slots, which are pairwise different.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymSet {
    /// The conditions that the slots are present, and their elements.
    pub slots: Vec<(Term, Sym)>,
    /// The condition that there may be further elements.
    pub more: Term,
}

/// A multiset: the sum of its slots, whose elements may repeat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymMultiset {
    /// The multiplicities, which are not negative, and the elements.
    pub slots: Vec<(Term, Sym)>,
    /// The condition that there may be further elements.
    pub more: Term,
}

/// A map: the pairs of the present slots, whose keys are pairwise different.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymMap {
    /// The conditions that the slots are present, and their keys and values.
    pub slots: Vec<(Term, Sym, Sym)>,
    /// The condition that there may be further pairs.
    pub more: Term,
}

/// A datatype value: the index of its constructor, and arguments for each possible constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymData {
    /// The datatype.
    pub ty: TypeId,
    /// The index of the constructor.
    pub tag: Term,
    /// The arguments by constructor; `None`: impossible or unknown.
    pub args: Vec<Option<Rc<Vec<Sym>>>>,
    extent: u64,
}

impl SymData {
    /// Creates a datatype value.
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

/// A value of a newtype, converted to a trait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymNewtype {
    /// The newtype.
    pub decl: TypeId,
    /// The type arguments of the newtype.
    pub args: Vec<Type>,
    /// The value.
    pub value: Sym,
}

/// A function value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymFunc {
    /// A table that grows with each new application: an index into the encoder's tables.
    Table(u32),
    /// A lambda.
    Lambda {
        /// The index of the lambda in the program.
        lambda: u32,
        /// The captured values.
        captures: Vec<Sym>,
        /// The type arguments of the scope.
        type_args: Vec<Type>,
    },
    /// A function of the program.
    Named {
        /// The function.
        callee: CallableId,
        /// The type arguments.
        type_args: Vec<Type>,
        /// The receiver of an instance function.
        receiver: Option<Sym>,
    },
    /// A conditional function value.
    If(Term, Sym, Sym),
}

/// The delayed value of a lazy argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymLazy {
    /// The result of a lambda without parameters.
    Code {
        /// The index of the lambda in the program.
        lambda: u32,
        /// The captured values.
        captures: Vec<Sym>,
        /// The type arguments of the scope.
        type_args: Vec<Type>,
    },
    /// The part of an input beyond the depth bound: the default value of the type, which the
    /// encoder does not inspect.
    Rest(Type),
    /// A conditional value; each side may be lazy or not.
    If(Term, Sym, Sym),
}

/// An object of the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymObject {
    /// The dynamic type.
    pub ty: Type,
    /// The contents.
    pub contents: SymContents,
}

/// The contents of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymContents {
    /// Fields. A missing field has no value yet.
    Fields(SortedMap<FieldId, Sym>),
    /// An array of one dimension.
    Array(Rc<SymSeq>),
    /// An array of several dimensions.
    Grid(Rc<SymGrid>),
}

/// The limit of slots of an array of several dimensions.
const MAX_CELLS: usize = 512;

/// The contents of an array of several dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymGrid {
    /// The lengths of the dimensions.
    pub dims: Vec<Term>,
    /// The number of slots along each dimension.
    pub caps: Vec<usize>,
    /// The elements in row-major order of `caps`.
    pub slots: Vec<Sym>,
}

impl SymGrid {
    /// Returns the number of slots along each dimension, at most `wanted`. The product of the
    /// dimensions grows exponentially: beyond [`MAX_CELLS`], later dimensions get fewer slots.
    pub fn caps(wanted: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut cells: usize = 1;
        let limited = wanted.into_iter().map(|n| {
            let cap = n.min((MAX_CELLS / cells).max(1));
            // A dimension without slots must not make the product zero: later dimensions would be
            // unlimited.
            cells *= cap.max(1);
            cap
        });
        limited.collect()
    }

    /// Returns the indices of all slots.
    pub fn places(&self) -> Vec<Vec<usize>> {
        self.caps.iter().fold(vec![Vec::new()], |rows, n| {
            rows.iter()
                .flat_map(|r| (0..*n).map(move |i| r.iter().copied().chain([i]).collect()))
                .collect()
        })
    }
}

/// A heap: objects by number. Heaps with the same version are equal.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// The version, which changes with every store.
    pub version: u64,
    /// The objects by number.
    pub objects: Rc<SortedMap<u32, Rc<SymObject>>>,
}

impl Sym {
    /// Creates a tuple.
    pub fn tuple(components: Vec<Sym>) -> Self {
        Self::Tuple(Rc::new(components))
    }

    /// Creates a sequence.
    pub fn seq(len: Term, slots: Vec<Sym>, rest: Rest) -> Self {
        Self::Seq(Rc::new(SymSeq { len, slots, rest }))
    }

    /// Creates a set.
    pub fn set(slots: Vec<(Term, Sym)>, more: Term) -> Self {
        Self::Set(Rc::new(SymSet { slots, more }))
    }

    /// Creates a multiset.
    pub fn multiset(slots: Vec<(Term, Sym)>, more: Term) -> Self {
        Self::Multiset(Rc::new(SymMultiset { slots, more }))
    }

    /// Creates a map.
    pub fn map(slots: Vec<(Term, Sym, Sym)>, more: Term) -> Self {
        Self::Map(Rc::new(SymMap { slots, more }))
    }

    /// Whether the value contains an unknown part.
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

    /// Returns the term of a scalar or reference.
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
