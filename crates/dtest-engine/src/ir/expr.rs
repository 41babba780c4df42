//! Pure expressions of the IR.

use super::{Clause, Frame, Var};
use crate::reason::Reason;
use dafny_resolve::typed::{CallableId, CtorId, FieldId, Literal, Type};
use dafny_syntax::source::{Name, Span};

/// Indices of [`super::Program::lambdas`] are serialised as what they are, a reference into the program.
pub(crate) mod lambda_index {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct LambdaIndex(u32);

    pub fn serialize<S: Serializer>(index: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        LambdaIndex(*index).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        LambdaIndex::deserialize(deserializer).map(|LambdaIndex(index)| index)
    }
}

/// A part of a contract that is evaluated where its callable is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum ContractPart {
    /// A precondition, by its number: a condition.
    Requires(u32),
    /// A component of the measure, by its number.
    Measure(u32),
    /// The object, or the objects, of a part of the `modifies` clause, by its number.
    Modifies(u32),
    /// The same of the `reads` clause.
    Reads(u32),
    /// A postcondition of a lemma, by its number: a condition. Results are unknown.
    Ensures(u32),
}

/// A pure expression with its type.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type (may be a subset type or newtype; see [`dafny_resolve::typed::Program::representation`]).
    pub ty: Type,
    /// Where it comes from.
    pub span: Span,
}

/// What stands before an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Check {
    /// A proof obligation: evaluation fails where it is false.
    Assert,
    /// That a function which calls itself in its own postcondition does so for smaller arguments: evaluation fails where it is false.
    Termination,
    /// The same, of a value that is to be in its type.
    Type,
    /// The same, of a call that is to have a smaller measure than the caller.
    Decreases,
    /// The same, of something that is to be in the `reads` clause.
    Reads,
    /// The same, of something that is to have been allocated in the state in which it is read.
    Allocated,
    /// The same, of a function value that is to be applied within its precondition.
    Application,
    /// The same, of a map that is to have one value for each key.
    Aliasing,
    /// The same, of the precondition of a call that is delayed; it is the clause at this place.
    Precondition(Span),
    /// Whatever evaluating it violates: its value decides nothing.
    WellFormed,
    /// Executions where it is false do not exist: nobody checks it.
    Assume,
}

/// The forms of an expression.
#[derive(Debug, Clone, serde::Serialize)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Var(Var),
    /// An operator on evaluated operands, left to right. Partial ones fail as [`Op`] says.
    Op(Op, Vec<Expr>),
    /// `a && b`: `b` only where `a` is true.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`.
    Or(Box<Expr>, Box<Expr>),
    /// `a ==> b`.
    Implies(Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `var v := e; body`.
    Let(Var, Box<Expr>, Box<Expr>),
    /// `var vs :| range; body`: the first candidate; none: ill-formed.
    LetSuchThat(Quantified, Box<Expr>),
    /// `if vs :| range then a else b`.
    IfSuchThat(Quantified, Box<Expr>, Box<Expr>),
    /// A call of a function. Dispatches dynamically on the first argument where the callee belongs to a trait.
    Call {
        /// The callee.
        callee: CallableId,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
        /// For two-state callees: the label of the old state (`None`: the method's entry).
        label: Option<Name>,
    },
    /// The value of a constant: an instance constant (with its `object`) that has a value or belongs to no object
    /// of the heap, or a static one. Without a value: any value of its type, always the same.
    Const {
        /// Which.
        field: FieldId,
        /// The owner's type arguments.
        type_args: Vec<Type>,
        /// The receiver.
        object: Option<Box<Expr>>,
    },
    /// `f(args)` of a function value.
    Apply(Box<Expr>, Vec<Expr>),
    /// A lambda with the current values of its captures.
    Lambda {
        /// Index in [`super::Program::lambdas`].
        #[serde(with = "crate::ir::lambda_index")]
        lambda: u32,
        /// Expressions for the captures (variables).
        captures: Vec<Expr>,
    },
    /// An argument of a codatatype's constructor: the value of a lambda without parameters, computed when it is first
    /// looked at. Only destructors give what it stands for.
    Delay {
        /// Index in [`super::Program::lambdas`].
        #[serde(with = "crate::ir::lambda_index")]
        lambda: u32,
        /// Expressions for the captures (variables).
        captures: Vec<Expr>,
    },
    /// A function of the program as a value.
    FunctionRef {
        /// Which.
        callee: CallableId,
        /// Type arguments.
        type_args: Vec<Type>,
        /// Its receiver.
        receiver: Option<Box<Expr>>,
    },
    /// `forall` or `exists`.
    Quantifier {
        /// `forall`.
        forall: bool,
        /// Variables and range.
        vars: Quantified,
        /// The body.
        body: Box<Expr>,
    },
    /// `set vs | range :: term`; a set by its type.
    SetComp(Quantified, Box<Expr>),
    /// `map vs | range :: key := value`.
    MapComp(Quantified, Box<Expr>, Box<Expr>),
    /// `o.f` of a mutable field or of a `const` without a value: a read of the heap; null: ill-formed.
    ReadField(Box<Expr>, FieldId),
    /// `a[i, j]`: a read of the heap; out of bounds: ill-formed.
    ReadElement(Box<Expr>, Vec<Expr>),
    /// `old(e)`, `old@L(e)`: reads the heap of that state.
    Old(Option<Name>, Box<Expr>),
    /// `fresh(e)`: e's objects were not allocated at the label or entry.
    Fresh(Option<Name>, Box<Expr>),
    /// `allocated(e)`.
    Allocated(Box<Expr>),
    /// `unchanged(frame)`.
    Unchanged(Option<Name>, Vec<Frame>),
    /// `e as T`, T being the expression's type; ill-formed where the value is not in T.
    Convert(Box<Expr>),
    /// `e is T`.
    Is(Box<Expr>, Type),
    /// `assert cond; e` and what is like it: ill-formed where the clause is false, or not there at all, as the check says.
    Checked(Check, Box<Clause>, Box<Expr>),
    /// What a callee's contract says of the arguments.
    OfContract {
        /// The callee.
        callee: CallableId,
        /// Which part of its contract.
        part: ContractPart,
        /// Type arguments (owner's, then own).
        type_args: Vec<Type>,
        /// Arguments; the receiver first.
        args: Vec<Expr>,
    },
    /// Something that later stages do not handle yet.
    Unsupported(Reason),
}

/// Bound variables, their range, and loops that enumerate candidates.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Quantified {
    /// The variables in the order of the source.
    pub vars: Vec<Var>,
    /// The condition on them; `None`: true.
    pub range: Option<Box<Expr>>,
    /// Nested loops over candidates, outermost first; `None`: not enumerable.
    pub bounds: Option<Vec<(Var, Domain)>>,
}

/// A domain that can be enumerated, see [`dafny_resolve::typed::Domain`]. Order is ascending.
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
    /// All objects that there are.
    Allocated,
}

/// The arithmetic that a numeric operator works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Num {
    /// Unbounded integers, newtypes over them included (the result type says which).
    Int,
    /// Rationals.
    Real,
    /// Bitvectors of that width, modulo 2^width.
    Bv(u32),
    /// Characters (addition and subtraction of code points; comparison).
    Char,
    /// Ordinals.
    Ordinal,
}

/// The collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[allow(missing_docs)]
pub enum Coll {
    Seq,
    Set,
    Multiset,
    Map,
}

/// Strict operators. "Ill-formed" is a failed well-formedness condition of Dafny.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Op {
    /// `!`.
    Not,
    /// `==` on values of one type: structural, by identity on references, extensional on collections.
    Eq,
    /// `!=`.
    Ne,
    /// `-x`.
    Neg(Num),
    /// `+`.
    Add(Num),
    /// `-`.
    Sub(Num),
    /// `*`.
    Mul(Num),
    /// `/`: Euclidean on integers; zero divisor: ill-formed.
    Div(Num),
    /// `%`: Euclidean; zero divisor: ill-formed.
    Mod(Num),
    /// `<`.
    Lt(Num),
    /// `<=`. (`>` and `>=` are turned round.)
    Le(Num),
    /// `&` of bitvectors.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `!` of a bitvector.
    BitNot,
    /// `<<`; the amount is an int or a bitvector between 0 and the width.
    Shl,
    /// `>>`, logical.
    Shr,
    /// Rotation.
    RotateLeft,
    /// Rotation.
    RotateRight,
    /// `real.Floor`: an int.
    Floor,
    /// `IsLimit`, `IsSucc`, `Offset`, `IsNat` of an ordinal.
    OrdinalIsLimit,
    /// See above.
    OrdinalIsSucc,
    /// See above.
    OrdinalOffset,
    /// See above.
    OrdinalIsNat,
    /// Display of a collection: elements; for maps keys and values in turn.
    Display(Coll),
    /// `|c|`.
    Cardinality(Coll),
    /// `x in c`: for maps in its keys.
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
    /// `c[i]`: out of range or not a key: ill-formed. Multisets: the count.
    Select(Coll),
    /// `c[i := v]`.
    Update(Coll),
    /// `s[a..b]`: sequence, low, high; ill-formed unless `0 ≤ low ≤ high ≤ |s|`.
    Slice,
    /// `a[l..h]` of an array (array, low, high): reads the heap.
    ArraySlice,
    /// Length of a dimension of an array: of a null reference ill-formed.
    ArrayLength(u32),
    /// `multiset(s)`.
    MultisetOf(Coll),
    /// `m.Keys`.
    Keys,
    /// `m.Values`.
    Values,
    /// `m.Items`: a set of pairs.
    Items,
    /// `seq(n, f)`: length and function; ill-formed for negative n.
    SeqInit,
    /// A tuple.
    Tuple,
    /// A component of a tuple.
    TupleField(usize),
    /// A constructor.
    Construct(CtorId),
    /// `C?`.
    CtorTest(CtorId),
    /// A destructor; ill-formed on constructors that lack it.
    Destruct(FieldId),
    /// `==#[k]`: a limit (a natural number or an ordinal) and two values of a codatatype: whether they are the same as far
    /// as that many constructors deep.
    PrefixEq,
    /// `a` is strictly below `b` in Dafny's well-founded order (reference manual, section 12.7), for specifications: `b decreases to a`,
    /// and `a < b` of datatypes.
    Below,
    /// `f.requires(args)`: function, then arguments.
    FunctionRequires,
    /// `f.reads(args)`: a set of objects.
    FunctionReads,
}
