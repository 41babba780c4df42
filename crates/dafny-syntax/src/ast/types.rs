//! Types as written, and type parameters.

use super::{Ident, Span};

/// A formal type parameter: `+T(==, 0, !new)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    /// The name.
    pub name: Ident,
    /// `+`, `-`, `*`, `!` or none.
    pub variance: Variance,
    /// What is in parentheses.
    pub characteristics: Characteristics,
    /// `extends Trait` bounds.
    pub bounds: Vec<Type>,
}

/// Variance and cardinality preservation of a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
pub enum Variance {
    /// Nothing written: non-variant, cardinality-preserving.
    #[default]
    Invariant,
    /// `+`.
    Covariant,
    /// `*`.
    CovariantAny,
    /// `-`.
    Contravariant,
    /// `!`.
    InvariantAny,
}

/// Type characteristics in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Characteristics {
    /// `(==)`.
    pub equality: bool,
    /// `(0)`: auto-initialisable.
    pub auto_init: bool,
    /// `(00)`: nonempty.
    pub nonempty: bool,
    /// `(!new)`: holds no references.
    pub no_new: bool,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Which.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// A named type with arguments at any segment: `A.B<C>`, `T?`, built-in names such as `int`,
    /// `nat`, `string`, `ORDINAL`, `object?`, `bv8`, `array2<T>`, `seq<T>`, `set<T>`. Built-in names
    /// are not distinguished by the parser, except that they are keywords where Dafny says so.
    Named(Vec<TypeSegment>),
    /// `(A, ghost B)`, `()`; never one component without `ghost`.
    Tuple(Vec<TupleComponent>),
    /// `A -> B`, `A --> B`, `A ~> B`.
    Arrow {
        /// Which arrow.
        kind: ArrowKind,
        /// The parameters: `(A, B) -> C` has two.
        params: Vec<Type>,
        /// The result.
        result: Box<Type>,
    },
}

/// A component of a tuple type.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleComponent {
    /// `ghost`.
    pub ghost: bool,
    /// Its type.
    pub ty: Type,
}

/// `Name<Args>` within a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSegment {
    /// The name.
    pub name: Ident,
    /// Its arguments; `None` when no brackets are written.
    pub args: Option<Vec<Type>>,
}

/// The three arrows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum ArrowKind {
    /// `->`: total, reads nothing.
    Total,
    /// `-->`: partial, reads nothing.
    Partial,
    /// `~>`: may have a precondition and read the heap.
    General,
}
