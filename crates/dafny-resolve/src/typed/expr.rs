//! Typed expressions and patterns.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Block, CallableId, Clause, CtorId, FieldId, Frame, LocalId, Name, Span, Stmt, Type};

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type; for subset types as inferred, which may be the base type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// A literal; the type of the expression says what an integer stands for (int, a newtype, a bitvector).
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Literal {
    /// A boolean.
    Bool(bool),
    /// An integer: of `int`, a newtype, a bitvector or `ORDINAL`.
    Int(BigInt),
    /// A real.
    Real(BigRational),
    /// A character: a code point, or a UTF-16 code unit without `--unicode-char`.
    Char(u32),
    /// A string: the characters of a `seq<char>`, in code points or code units as the options say.
    String(Vec<u32>),
    /// `null`.
    Null,
}

/// The forms of a typed expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Local(LocalId),
    /// `this`.
    This,
    /// A field, constant or destructor. For static constants `object` is `None` and `type_args` are the owner's.
    Field {
        /// The object or datatype value.
        object: Option<Box<Expr>>,
        /// See [`Call::discarded`].
        discarded: Option<Box<Expr>>,
        /// Which.
        field: FieldId,
        /// Type arguments of the owner, for static constants of generic types.
        type_args: Vec<Type>,
    },
    /// A member that the language defines.
    Builtin {
        /// Which.
        member: BuiltinMember,
        /// Of what.
        object: Box<Expr>,
    },
    /// `e.C?`.
    CtorTest {
        /// Which constructor.
        ctor: CtorId,
        /// The value.
        object: Box<Expr>,
    },
    /// `t.0`.
    TupleField {
        /// The tuple.
        object: Box<Expr>,
        /// Which component.
        index: usize,
    },
    /// `C(args)`; defaults are filled in, and arguments are in the order of the fields.
    Construct {
        /// The constructor.
        ctor: CtorId,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// An argument of a codatatype's constructor that holds a co-recursive call: it is computed when it is first
    /// looked at.
    Delayed(Box<Expr>),
    /// A call of a function; within statements only, also of a method (see [`super::StmtKind::Call`]).
    Call(Call),
    /// A function as a value: `f`, `o.f`.
    FunctionRef {
        /// The function.
        callee: CallableId,
        /// Its receiver.
        receiver: Option<Box<Expr>>,
        /// See [`Call::discarded`].
        discarded: Option<Box<Expr>>,
        /// Type arguments of owner and function.
        type_args: Vec<Type>,
    },
    /// Application of a function value.
    Apply {
        /// The function.
        function: Box<Expr>,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `e[i]` of a sequence, map, multiset; `a[i, j]` of an array (as many indices as dimensions).
    Index {
        /// The collection.
        object: Box<Expr>,
        /// Indices.
        indices: Vec<Expr>,
    },
    /// `e[a..b]` of a sequence or array: a sequence.
    Slice {
        /// The collection.
        object: Box<Expr>,
        /// From.
        from: Option<Box<Expr>>,
        /// To.
        to: Option<Box<Expr>>,
    },
    /// `e[a : b : c]`: a tuple-like sequence of sequences.
    SliceLengths {
        /// The collection.
        object: Box<Expr>,
        /// Lengths.
        lengths: Vec<Expr>,
        /// Whether a last slice takes the rest.
        rest: bool,
    },
    /// `e[k := v]` of a sequence, map or multiset.
    Update {
        /// The collection.
        object: Box<Expr>,
        /// Key or index.
        key: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `e.(f := v)` of a datatype.
    DatatypeUpdate {
        /// The value.
        object: Box<Expr>,
        /// What changes.
        updates: Vec<(FieldId, Expr)>,
        /// The constructors that have all these fields.
        ctors: Vec<CtorId>,
    },
    /// `t.(0 := v)` of a tuple.
    TupleUpdate {
        /// The tuple.
        object: Box<Expr>,
        /// What changes.
        updates: Vec<(usize, Expr)>,
    },
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator; the operands' types say which operation it is.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a <= b < c`: every link holds; each operand is evaluated once, from left to right.
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// Operators and operands.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `==#[k]`.
    PrefixEq {
        /// `!=`.
        negated: bool,
        /// The limit.
        limit: Box<Expr>,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `e as T`; the target is the expression's type.
    Convert(Box<Expr>),
    /// `e is T`.
    Is(Box<Expr>, Type),
    /// `|e|`.
    Cardinality(Box<Expr>),
    /// A tuple; ghostness is in the type.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    SeqDisplay(Vec<Expr>),
    /// `{a, b}` or `iset{a, b}`.
    SetDisplay(Vec<Expr>),
    /// `multiset{a, b}`.
    MultisetDisplay(Vec<Expr>),
    /// `multiset(e)` of a set or sequence.
    MultisetFrom(Box<Expr>),
    /// `map[k := v]` or `imap[k := v]`.
    MapDisplay(Vec<(Expr, Expr)>),
    /// `seq(n, f)`.
    SeqConstruct {
        /// Length.
        len: Box<Expr>,
        /// The function.
        init: Box<Expr>,
    },
    /// `set x | P :: e`, finite or not by its type.
    SetComp {
        /// Variables and range.
        vars: Quantified,
        /// The element.
        term: Box<Expr>,
    },
    /// `map x | P :: k := v`.
    MapComp {
        /// Variables and range.
        vars: Quantified,
        /// The key.
        key: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `forall`, `exists`.
    Quantifier {
        /// `forall`.
        forall: bool,
        /// Variables and range.
        vars: Quantified,
        /// The body.
        body: Box<Expr>,
    },
    /// A lambda.
    Lambda(Box<Lambda>),
    /// `if c then a else b`.
    If {
        /// The condition.
        cond: Box<Expr>,
        /// Then.
        then: Box<Expr>,
        /// Else.
        els: Box<Expr>,
    },
    /// `if x :| P then a else b`.
    IfBinding {
        /// Variables; the condition is the range.
        vars: Quantified,
        /// Then, where the variables are in scope.
        then: Box<Expr>,
        /// Else.
        els: Box<Expr>,
    },
    /// `match`.
    Match {
        /// The scrutinee.
        scrutinee: Box<Expr>,
        /// Cases in order.
        cases: Vec<ExprCase>,
    },
    /// `var p := e; body`, one pattern after the other (parallel: no pattern sees another's variables).
    Let {
        /// Ghost.
        ghost: bool,
        /// Patterns and values.
        bindings: Vec<(Pattern, Expr)>,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var x :| P; body`.
    LetSuchThat {
        /// Ghost.
        ghost: bool,
        /// Variables; the condition is the range.
        vars: Quantified,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var p :- e; body`, `:- e; body`.
    LetOrFail(Box<LetOrFail>),
    /// A statement before an expression.
    StmtExpr {
        /// The statement.
        stmt: Box<Stmt>,
        /// The value.
        body: Box<Expr>,
    },
    /// `old(e)`, `old@L(e)`.
    Old {
        /// The label.
        label: Option<Name>,
        /// What is evaluated in the old state.
        expr: Box<Expr>,
    },
    /// `fresh(e)`.
    Fresh {
        /// The label.
        label: Option<Name>,
        /// The object or collection of objects.
        expr: Box<Expr>,
    },
    /// `allocated(e)`.
    Allocated(Box<Expr>),
    /// `unchanged(…)`.
    Unchanged {
        /// The label.
        label: Option<Name>,
        /// The frame.
        frame: Vec<Frame>,
    },
    /// `assigned(x)`.
    Assigned(Box<Expr>),
    /// `*` in `decreases *`, or a havoc in an expression position (`if *`).
    Wildcard,
    /// A place where resolution failed; a diagnostic was given.
    Error,
}

/// Members that the language defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinMember {
    /// `map.Keys`.
    Keys,
    /// `map.Values`.
    Values,
    /// `map.Items`.
    Items,
    /// `real.Floor`.
    Floor,
    /// `array.Length`; `arrayN.Length0` and so on.
    ArrayLength(u32),
    /// `ORDINAL.IsLimit`.
    IsLimit,
    /// `ORDINAL.IsSucc`.
    IsSucc,
    /// `ORDINAL.Offset`.
    OrdinalOffset,
    /// `ORDINAL.IsNat`.
    IsNat,
    /// `f.requires` as a function value: its type is the arrow to bool.
    FunctionRequires,
    /// `f.reads`.
    FunctionReads,
    /// `bv.RotateLeft`, as a function value that is applied at once.
    RotateLeft,
    /// `bv.RotateRight`.
    RotateRight,
}

/// A resolved call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: CallableId,
    /// The receiver of an instance member.
    pub receiver: Option<Box<Expr>>,
    /// What is written before the dot of a static member: it must be an expression that may stand here, and is never evaluated.
    pub discarded: Option<Box<Expr>>,
    /// Type arguments of the owner, then of the callee.
    pub type_args: Vec<Type>,
    /// Arguments in the order of the parameters, defaults filled in.
    pub args: Vec<Expr>,
    /// `f@L(…)`: the label of the old state of a two-state callee.
    pub at_label: Option<Name>,
    /// `super`-like static dispatch: calls the trait's own body.
    pub is_static_dispatch: bool,
    /// Whether it is co-recursive: its value is computed when it is looked at, so that it need not get smaller.
    pub is_corecursive: bool,
}

/// Bound variables with their range and the domains that can be enumerated.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// Variables in the order of the source.
    pub vars: Vec<LocalId>,
    /// All ranges and domains conjoined (`x <- S` gives `x in S`); `None`: true.
    pub range: Option<Box<Expr>>,
    /// How to enumerate candidates, in the order in which the loops nest; `None` where Dafny's bound
    /// discovery finds no finite domain for some variable. Candidates may fail `range`.
    pub bounds: Option<Vec<VarBound>>,
    /// Where they stand.
    pub span: Span,
}

/// How the values of one bound variable are enumerated.
#[derive(Clone, Debug)]
pub struct VarBound {
    /// The variable.
    pub var: LocalId,
    /// Its candidates. Expressions speak of outer variables and of variables earlier in the nest only.
    pub domain: Domain,
}

/// A domain that can be enumerated; order of enumeration is part of the meaning of `:|` and comprehensions.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `low ≤ x < high`, ascending; either end may be missing: then it is searched outward for `:|`
    /// and quantifiers cannot be executed. The ends are of type `int`, also where `x` is of a newtype.
    IntRange {
        /// Inclusive.
        low: Option<Box<Expr>>,
        /// Exclusive.
        high: Option<Box<Expr>>,
    },
    /// Exactly one value.
    Exact(Box<Expr>),
    /// The elements of a set, multiset, sequence, or the keys of a map.
    Elements(Box<Expr>),
    /// All subsets of a set.
    SubsetsOf(Box<Expr>),
    /// All prefixes of a sequence.
    PrefixesOf(Box<Expr>),
    /// All values of a finite type: bool, char, small bitvectors, native newtypes, finite datatypes, tuples of them.
    AllValues(Type),
    /// Values of the destructors in a datatype value (`x < y` on datatypes).
    SubtermsOf(Box<Expr>),
}

/// A lambda.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Parameters.
    pub params: Vec<LocalId>,
    /// Of each parameter, whether its type is written.
    pub has_type: Vec<bool>,
    /// Preconditions.
    pub requires: Vec<Clause>,
    /// Reads.
    pub reads: Vec<Frame>,
    /// The body.
    pub body: Expr,
}

/// `var p :- e; body` with the members of the failure-compatible type.
#[derive(Clone, Debug)]
pub struct LetOrFail {
    /// Ghost.
    pub ghost: bool,
    /// The pattern; `None` for `:- e;`.
    pub pattern: Option<Pattern>,
    /// The value of failure-compatible type.
    pub value: Expr,
    /// A variable that holds the value; the member calls below have it as receiver.
    pub temp: LocalId,
    /// `temp.IsFailure()`.
    pub is_failure: Expr,
    /// `temp.PropagateFailure()`.
    pub propagate: Expr,
    /// `temp.Extract()`; `None` where the type has none.
    pub extract: Option<Expr>,
    /// The rest.
    pub body: Expr,
}

/// A case of a match expression.
#[derive(Clone, Debug)]
pub struct ExprCase {
    /// The pattern.
    pub pattern: Pattern,
    /// The value.
    pub body: Expr,
    /// The whole case.
    pub span: Span,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Which.
    pub kind: PatternKind,
    /// The type of what is matched.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// A variable.
    Var(LocalId),
    /// `C(p, q)`.
    Ctor {
        /// The constructor.
        ctor: CtorId,
        /// One for each field.
        args: Vec<Pattern>,
    },
    /// `(p, q)`.
    Tuple(Vec<Pattern>),
    /// A literal, or a constant: matched by equality.
    Value(Box<Expr>),
    /// `p | q`: no variables.
    Or(Vec<Pattern>),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!` of bool.
    Not,
    /// `!` of a bitvector.
    BitNot,
    /// `-` of int, real, newtypes, bitvectors.
    Neg,
}

/// Binary operators. `Explies` is already turned round by the resolver (operands swapped, evaluation
/// order kept as the manual says).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `<==>`, equality of bool.
    Iff,
    /// `==>`, short-circuit.
    Implies,
    /// `<==`, written order: left is the consequent; short-circuit evaluates the right operand first.
    Explies,
    /// `&&`, short-circuit.
    And,
    /// `||`, short-circuit.
    Or,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`: less, proper subset, proper prefix, rank.
    Lt,
    /// `<=`: at most, subset, prefix.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `decreases to` of two values: the second is strictly below the first in Dafny's well-founded order (reference manual, section 12.7).
    Above,
    /// `in`.
    In,
    /// `!in`.
    NotIn,
    /// `!!`.
    Disjoint,
    /// `<<`.
    Shl,
    /// `>>`.
    Shr,
    /// `+`: sum, concatenation, union, merge of maps.
    Add,
    /// `-`: difference; map minus set.
    Sub,
    /// `*`: product, intersection.
    Mul,
    /// `/`: Euclidean on integers.
    Div,
    /// `%`: Euclidean.
    Mod,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
}

impl BinaryOp {
    /// The relation that holds where this one does not; `None` where it is not one, or no single relation says so. `total`: of two
    /// operands that are not equal, one is below the other.
    pub fn negated(self, total: bool) -> Option<Self> {
        match self {
            Self::Eq | Self::Iff => Some(Self::Ne),
            Self::Ne => Some(Self::Eq),
            Self::In => Some(Self::NotIn),
            Self::NotIn => Some(Self::In),
            Self::Lt => total.then_some(Self::Ge),
            Self::Le => total.then_some(Self::Gt),
            Self::Gt => total.then_some(Self::Le),
            Self::Ge => total.then_some(Self::Lt),
            Self::Implies
            | Self::Explies
            | Self::And
            | Self::Or
            | Self::Above
            | Self::Disjoint
            | Self::Shl
            | Self::Shr => None,
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Mod
            | Self::BitAnd
            | Self::BitOr
            | Self::BitXor => None,
        }
    }

    /// The relation that holds of two operands where this one holds of them in the other order, if both are `==`, `<`, `<=`, `>` or `>=`.
    pub fn mirrored(self) -> Option<Self> {
        match self {
            Self::Eq => Some(Self::Eq),
            Self::Lt => Some(Self::Gt),
            Self::Le => Some(Self::Ge),
            Self::Gt => Some(Self::Lt),
            Self::Ge => Some(Self::Le),
            Self::Ne
            | Self::Iff
            | Self::Implies
            | Self::Explies
            | Self::And
            | Self::Or
            | Self::Above => None,
            Self::In
            | Self::NotIn
            | Self::Disjoint
            | Self::Shl
            | Self::Shr
            | Self::BitAnd
            | Self::BitOr
            | Self::BitXor => None,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Mod => None,
        }
    }
}

/// A block used as an expression's proof; kept so that a printer can show it.
pub type Proof = Option<Block>;
