//! Written types, and type parameters.

use super::{Ident, Span};

/// A type parameter `+T(==, 0, !new)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    /// The name.
    pub name: Ident,
    /// The variance `+`, `-`, `*`, `!` or none.
    pub variance: Variance,
    /// The characteristics in parentheses.
    pub characteristics: Characteristics,
    /// The bounds in `extends Trait`.
    pub bounds: Vec<Type>,
}

/// The variance of a type parameter, and whether it preserves cardinality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
pub enum Variance {
    /// No annotation: invariant, cardinality-preserving.
    #[default]
    Invariant,
    /// `+`: covariant, cardinality-preserving.
    Covariant,
    /// `*`: covariant, not necessarily cardinality-preserving.
    CovariantAny,
    /// `-`: contravariant, not necessarily cardinality-preserving.
    Contravariant,
    /// `!`: invariant, not necessarily cardinality-preserving.
    InvariantAny,
}

/// The type characteristics in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Characteristics {
    /// `(==)`: supports equality.
    pub equality: bool,
    /// `(0)`: auto-initializable.
    pub auto_init: bool,
    /// `(00)`: nonempty.
    pub nonempty: bool,
    /// `(!new)`: contains no references.
    pub no_new: bool,
}

/// A written type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The form of the type.
    pub kind: TypeKind,
    /// The source range.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// A named type with arguments at any segment: `A.B<C>`, `T?`, or a built-in name such as
    /// `int`, `nat`, `string`, `ORDINAL`, `object?`, `bv8`, `array2<T>`, `seq<T>` and `set<T>`. The
    /// parser does not distinguish built-in names, except that some of them are keywords.
    Named(Vec<TypeSegment>),
    /// A tuple type `(A, ghost B)` or `()`. A single component is always `ghost`.
    Tuple(Vec<TupleComponent>),
    /// A function type `A -> B`, `A --> B` or `A ~> B`.
    Arrow {
        /// The kind of arrow.
        kind: ArrowKind,
        /// The parameter types. `(A, B) -> C` has two.
        params: Vec<Type>,
        /// The result type.
        result: Box<Type>,
    },
}

/// A component of a tuple type.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleComponent {
    /// Whether it is `ghost`.
    pub ghost: bool,
    /// The type of the component.
    pub ty: Type,
}

/// A segment `Name<Args>` of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSegment {
    /// The name.
    pub name: Ident,
    /// The type arguments. `None` if there are no brackets.
    pub args: Option<Vec<Type>>,
}

/// The kinds of function types.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum ArrowKind {
    /// `->`: total, does not read the heap.
    Total,
    /// `-->`: partial, does not read the heap.
    Partial,
    /// `~>`: may have a precondition and read the heap.
    General,
}
