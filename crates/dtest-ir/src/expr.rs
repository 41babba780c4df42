//! Pure expressions of the IR.
//!
//! Key types: [`Expr`] and its [`ExprKind`]; [`Op`], the strict operators; [`Quantified`], bound
//! variables with the loops that enumerate them. An expression whose well-formedness condition
//! fails has no value: it is *ill-formed*, and its evaluation fails.

use super::{Clause, Frame, Var};
use crate::reason::Reason;
use dafny_resolve::typed::{CallableId, CtorId, FieldId, Literal, Type};
use dafny_source::{Name, Span};

/// Serialization of indices into [`super::Program::lambdas`]. The newtype marks them as references
/// into the program.
pub mod lambda_index {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct LambdaIndex(u32);

    /// Writes the number of a lambda.
    ///
    /// # Errors
    ///
    /// Returns the errors of the serializer.
    pub fn serialize<S: Serializer>(index: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        LambdaIndex(*index).serialize(serializer)
    }

    /// Reads the number of a lambda.
    ///
    /// # Errors
    ///
    /// Returns the errors of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        LambdaIndex::deserialize(deserializer).map(|LambdaIndex(index)| index)
    }
}

/// A part of a callee's contract that is evaluated at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum ContractPart {
    /// The precondition with this number: a condition.
    Requires(u32),
    /// The component of the measure with this number.
    Measure(u32),
    /// The objects of the `modifies` clause with this number.
    Modifies(u32),
    /// The objects of the `reads` clause with this number.
    Reads(u32),
    /// The postcondition of a lemma with this number: a condition. The results of the lemma are
    /// unknown.
    Ensures(u32),
}

/// A pure expression with its type.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The type. It may be a subset type or newtype; see
    /// [`dafny_resolve::typed::Program::representation`].
    pub ty: Type,
    /// The expression in the source.
    pub span: Span,
}

/// The kind of check that guards an expression ([`ExprKind::Checked`]). Except for
/// [`Check::Assume`] and [`Check::WellFormed`], evaluation fails where the condition is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Check {
    /// An assertion of the source.
    Assert,
    /// A function that calls itself in its own postcondition does so for smaller arguments.
    Termination,
    /// A value is in its type.
    Type,
    /// The value of a function or constant is in its declared type. It is evaluated only where the
    /// contracts of callees of specifications are: elsewhere, the callee's own obligation shows it.
    Result,
    /// A call has a smaller measure than its caller.
    Decreases,
    /// A location is in the `reads` clause.
    Reads,
    /// A location or object was allocated in the state in which it is read.
    Allocated,
    /// A function value is applied within its precondition.
    Application,
    /// A map comprehension gives one value to each key.
    Aliasing,
    /// A case of a match applies, or a pattern of a binding fits.
    Case,
    /// A `:|` of a compiled expression has only one value.
    Unique,
    /// A value was not created by a ghost constructor, where compiled code depends on it.
    Constructor,
    /// The precondition of a delayed call, which is the callee's clause at this place.
    Precondition(Span),
    /// An expression that is evaluated only for the obligations in it: its value is ignored.
    WellFormed,
    /// An assumption, which nothing checks: executions in which it is false do not exist.
    Assume,
}

/// The forms of an expression.
#[derive(Debug, Clone, serde::Serialize)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Var(Var),
    /// A strict operator. Operands are evaluated from left to right; partial operators fail as
    /// documented at [`Op`].
    Op(Op, Vec<Expr>),
    /// `a && b`: `b` is evaluated only if `a` is true.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`: `b` is evaluated only if `a` is false.
    Or(Box<Expr>, Box<Expr>),
    /// `a ==> b`: `b` is evaluated only if `a` is true.
    Implies(Box<Expr>, Box<Expr>),
    /// A conditional, `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A local binding, `var v := e; body`.
    Let(Var, Box<Expr>, Box<Expr>),
    /// `var vs :| range; body`: binds the first candidate; ill-formed without one.
    LetSuchThat(Quantified, Box<Expr>),
    /// `if vs :| range then a else b`.
    IfSuchThat(Quantified, Box<Expr>, Box<Expr>),
    /// A call of a function. Dispatches dynamically on the first argument if the callee belongs to
    /// a trait.
    Call {
        /// The callee.
        callee: CallableId,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
        /// For a two-state callee, the label of the old state; `None`: the entry of the method.
        label: Option<Name>,
    },
    /// The value of a static constant, or of an instance constant (with its `object`) that has an
    /// initial value or belongs to no object of the heap. A constant without an initial value has
    /// an arbitrary value of its type, always the same.
    Const {
        /// The constant.
        field: FieldId,
        /// The owner's type arguments.
        type_args: Vec<Type>,
        /// The receiver.
        object: Option<Box<Expr>>,
    },
    /// `f(args)`, the application of a function value.
    Apply(Box<Expr>, Vec<Expr>),
    /// A lambda with the current values of its captures.
    Lambda {
        /// Index in [`super::Program::lambdas`].
        #[serde(with = "crate::lambda_index")]
        lambda: u32,
        /// Captured variables.
        captures: Vec<Expr>,
    },
    /// A lazy argument of a codatatype's constructor: the value of a lambda without parameters,
    /// computed when a destructor first reads it.
    Delay {
        /// Index in [`super::Program::lambdas`].
        #[serde(with = "crate::lambda_index")]
        lambda: u32,
        /// Captured variables.
        captures: Vec<Expr>,
    },
    /// A function of the program as a value.
    FunctionRef {
        /// The function.
        callee: CallableId,
        /// Type arguments.
        type_args: Vec<Type>,
        /// The receiver, for instance functions.
        receiver: Option<Box<Expr>>,
    },
    /// A quantifier, `forall` or `exists`.
    Quantifier {
        /// Whether it is `forall`.
        forall: bool,
        /// Variables and range.
        vars: Quantified,
        /// The body.
        body: Box<Expr>,
    },
    /// `set vs | range :: term`. The type distinguishes `set` from `iset`.
    SetComp(Quantified, Box<Expr>),
    /// A map comprehension, `map vs | range :: key := value`.
    MapComp(Quantified, Box<Expr>, Box<Expr>),
    /// `o.f` of a mutable field, or of a `const` without an initial value: a read of the heap;
    /// ill-formed on null.
    ReadField(Box<Expr>, FieldId),
    /// `a[i, j]`: a read of the heap; ill-formed out of bounds.
    ReadElement(Box<Expr>, Vec<Expr>),
    /// `old(e)`, `old@L(e)`: evaluates `e` in the heap of that state.
    Old(Option<Name>, Box<Expr>),
    /// `fresh(e)`: the objects of `e` were not allocated at the label or entry.
    Fresh(Option<Name>, Box<Expr>),
    /// The allocation predicate, `allocated(e)`.
    Allocated(Box<Expr>),
    /// The comparison of a frame with an older state, `unchanged(frame)`.
    Unchanged(Option<Name>, Vec<Frame>),
    /// `e as T`, where T is the type of the expression; ill-formed if the value is not in T.
    Convert(Box<Expr>),
    /// A type test, `e is T`.
    Is(Box<Expr>, Type),
    /// `assert cond; e` and the implicit checks of the language. If the condition is false, the
    /// expression is ill-formed, or, for an assumption, the execution does not exist.
    Checked(Check, Box<Clause>, Box<Expr>),
    /// A part of a callee's contract, evaluated on the arguments of a call.
    OfContract {
        /// The callee.
        callee: CallableId,
        /// The part of its contract.
        part: ContractPart,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
    },
    /// A construct that later stages do not support.
    Unsupported(Reason),
}

/// Bound variables with their range, and the loops that enumerate candidates.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Quantified {
    /// The variables in source order.
    pub vars: Vec<Var>,
    /// The condition on them; `None`: no condition.
    pub range: Option<Box<Expr>>,
    /// Nested loops over candidates, outermost first; `None`: the candidates cannot be enumerated.
    pub bounds: Option<Vec<(Var, Domain)>>,
}

/// An enumerable domain, see [`dafny_resolve::typed::Domain`]. The order is ascending.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)]
pub enum Domain {
    IntRange {
        low: Option<Box<Expr>>,
        high: Option<Box<Expr>>,
    },
    Exact(Box<Expr>),
    Elements(Box<Expr>),
    SubsetsOf(Box<Expr>),
    PrefixesOf(Box<Expr>),
    AllValues(Type),
    SubtermsOf(Box<Expr>),
    /// All allocated objects.
    Allocated,
}

/// The arithmetic of a numeric operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Num {
    /// Unbounded integers and newtypes over them. The result type distinguishes them.
    Int,
    /// Rational numbers.
    Real,
    /// Bitvectors of this width, modulo 2^width.
    Bv(u32),
    /// Characters: addition, subtraction and comparison of code points.
    Char,
    /// Ordinal numbers.
    Ordinal,
}

/// The kinds of collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[allow(missing_docs)]
pub enum Coll {
    Seq,
    Set,
    Multiset,
    Map,
}

/// The name of a quantified variable that stands for the state in which deferred code is evaluated.
/// The quantified expression reads an arbitrary later state.
pub const LATER_STATE: &str = "$state";

/// Strict operators. "Ill-formed" means that a well-formedness condition of Dafny fails.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Op {
    /// Negation of a boolean, `!`.
    Not,
    /// Equality `==` of values of one type: structural, by identity on references, extensional on
    /// collections.
    Eq,
    /// Inequality, `!=`.
    Ne,
    /// Arithmetic negation, `-x`.
    Neg(Num),
    /// Addition, `+`.
    Add(Num),
    /// Subtraction, `-`.
    Sub(Num),
    /// Multiplication, `*`.
    Mul(Num),
    /// `/`: Euclidean on integers; ill-formed for a zero divisor.
    Div(Num),
    /// `%`: Euclidean; ill-formed for a zero divisor.
    Mod(Num),
    /// The strict order, `<`.
    Lt(Num),
    /// `<=`. Lowering turns `>` and `>=` around.
    Le(Num),
    /// Bitwise conjunction, `&`.
    BitAnd,
    /// `|` of bitvectors.
    BitOr,
    /// `^` of bitvectors.
    BitXor,
    /// Bitwise negation, `!`.
    BitNot,
    /// `<<`; the amount is an int or a bitvector between 0 and the width.
    Shl,
    /// The logical shift to the right, `>>`.
    Shr,
    /// `x.RotateLeft(n)` of a bitvector.
    RotateLeft,
    /// `x.RotateRight(n)` of a bitvector.
    RotateRight,
    /// The integer part of a real, `real.Floor`: an int.
    Floor,
    /// `o.IsLimit` of an ordinal.
    OrdinalIsLimit,
    /// `o.IsSucc` of an ordinal.
    OrdinalIsSucc,
    /// `o.Offset` of an ordinal.
    OrdinalOffset,
    /// `o.IsNat` of an ordinal.
    OrdinalIsNat,
    /// The display of a collection. Operands are the elements; for maps, keys and values alternate.
    Display(Coll),
    /// The size of a collection, `|c|`.
    Cardinality(Coll),
    /// `x in c`; for maps, `x` is a key.
    In(Coll),
    /// Concatenation, union, multiset union, merge of maps.
    Union(Coll),
    /// `*` of sets and multisets.
    Intersect(Coll),
    /// `-` of sets and multisets; for maps: map minus a set of keys.
    Difference(Coll),
    /// `!!` of sets and multisets.
    Disjoint(Coll),
    /// `<=`: subset, or prefix for sequences.
    SubsetEq(Coll),
    /// `<`: proper subset, proper prefix.
    Subset(Coll),
    /// `c[i]`: ill-formed out of range or for a missing key. For a multiset: the multiplicity.
    Select(Coll),
    /// The update of a collection, `c[i := v]`.
    Update(Coll),
    /// `s[a..b]`: sequence, low, high; ill-formed unless `0 ≤ low ≤ high ≤ |s|`.
    Slice,
    /// `a[l..h]` of an array, with the operands array, low, high: reads the heap.
    ArraySlice,
    /// The length of one dimension of an array; ill-formed on null.
    ArrayLength(u32),
    /// The conversion to a multiset, `multiset(s)`.
    MultisetOf(Coll),
    /// The set of keys, `m.Keys`.
    Keys,
    /// The set of values, `m.Values`.
    Values,
    /// `m.Items`: a set of pairs.
    Items,
    /// `seq(n, f)`, with the operands length and function; ill-formed for negative n.
    SeqInit,
    /// A tuple display.
    Tuple,
    /// A component of a tuple.
    TupleField(usize),
    /// The application of a constructor.
    Construct(CtorId),
    /// The test for a constructor, `C?`.
    CtorTest(CtorId),
    /// A destructor; ill-formed for constructors without the field.
    Destruct(FieldId),
    /// `==#[k]`, with the operands limit (a natural number or an ordinal) and two values of a
    /// codatatype: whether the values agree to the depth of that many constructors.
    PrefixEq,
    /// Dafny's well-founded order (reference manual, section 12.7), for specifications: whether `a`
    /// is strictly below `b`. Used for `b decreases to a`, and for `a < b` of datatypes.
    Below,
    /// `f.requires(args)`, with the operands function and arguments.
    FunctionRequires,
    /// `f.reads(args)`: a set of objects.
    FunctionReads,
}
