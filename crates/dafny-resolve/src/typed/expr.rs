//! Typed expressions and patterns.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Block, CallableId, Clause, CtorId, FieldId, Frame, LocalId, Name, Span, Stmt, Type};

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The type as inferred. For subset types, this may be the base type.
    pub ty: Type,
    /// The source range.
    pub span: Span,
}

/// A literal. The type of the expression determines the meaning of an integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Literal {
    /// A boolean.
    Bool(bool),
    /// An integer: of `int`, a newtype, a bitvector or `ORDINAL`.
    Int(BigInt),
    /// A real.
    Real(BigRational),
    /// A character: a code point or, without `--unicode-char`, a UTF-16 code unit.
    Char(u32),
    /// A string: the characters of a `seq<char>` as code points or, without `--unicode-char`,
    /// UTF-16 code units.
    String(Vec<u32>),
    /// The literal `null`.
    Null,
}

/// The forms of a typed expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Local(LocalId),
    /// The receiver `this`.
    This,
    /// A field, constant or destructor. For a static constant, `object` is `None` and `type_args`
    /// has the arguments of its owner.
    Field {
        /// The object or datatype value.
        object: Option<Box<Expr>>,
        /// See [`Call::discarded`].
        discarded: Option<Box<Expr>>,
        /// The field.
        field: FieldId,
        /// Type arguments of the owner, for static constants of generic types.
        type_args: Vec<Type>,
    },
    /// A member that the language defines.
    Builtin {
        /// The member.
        member: BuiltinMember,
        /// The object of the member.
        object: Box<Expr>,
    },
    /// A constructor test `e.C?`.
    CtorTest {
        /// The tested constructor.
        ctor: CtorId,
        /// The datatype value.
        object: Box<Expr>,
    },
    /// A component of a tuple, `t.0`.
    TupleField {
        /// The tuple.
        object: Box<Expr>,
        /// The index of the component.
        index: usize,
    },
    /// A construction `C(args)`. Default values are filled in, and arguments are in the order of
    /// the fields.
    Construct {
        /// The constructor.
        ctor: CtorId,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// An argument of a codatatype constructor that contains a co-recursive call. It is evaluated
    /// when it is first used.
    Delayed(Box<Expr>),
    /// A function call. Inside some statements, also a method call (see [`super::StmtKind::Call`]).
    Call(Call),
    /// A function as a value: `f`, `o.f`.
    FunctionRef {
        /// The function.
        callee: CallableId,
        /// The receiver of an instance function.
        receiver: Option<Box<Expr>>,
        /// See [`Call::discarded`].
        discarded: Option<Box<Expr>>,
        /// The type arguments of owner and function.
        type_args: Vec<Type>,
    },
    /// Application of a function value.
    Apply {
        /// The function.
        function: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A selection `e[i]` from a sequence, map or multiset, or `a[i, j]` from an array (one index
    /// for each dimension).
    Index {
        /// The collection.
        object: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
    },
    /// A slice `e[a..b]` of a sequence or array, which is a sequence.
    Slice {
        /// The collection.
        object: Box<Expr>,
        /// The inclusive start. `None`: 0.
        from: Option<Box<Expr>>,
        /// The exclusive end. `None`: the length.
        to: Option<Box<Expr>>,
    },
    /// A slice by lengths, `e[a : b : c]`: a sequence of sequences.
    SliceLengths {
        /// The collection.
        object: Box<Expr>,
        /// The lengths of the slices.
        lengths: Vec<Expr>,
        /// Whether a last slice takes the remaining elements.
        rest: bool,
    },
    /// An update `e[k := v]` of a sequence, map or multiset.
    Update {
        /// The collection.
        object: Box<Expr>,
        /// The key or index.
        key: Box<Expr>,
        /// The new value.
        value: Box<Expr>,
    },
    /// An update `e.(f := v)` of a datatype value.
    DatatypeUpdate {
        /// The datatype value.
        object: Box<Expr>,
        /// The changed fields with their new values.
        updates: Vec<(FieldId, Expr)>,
        /// The constructors that have all these fields.
        ctors: Vec<CtorId>,
    },
    /// An update `t.(0 := v)` of a tuple.
    TupleUpdate {
        /// The tuple.
        object: Box<Expr>,
        /// The changed components with their new values.
        updates: Vec<(usize, Expr)>,
    },
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator. The types of the operands determine the operation.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A chained comparison `a <= b < c`: every link holds. Each operand is evaluated once, from
    /// left to right.
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// The operators with their right operands.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// A prefix equality `left ==#[limit] right`.
    PrefixEq {
        /// Whether the operator is `!=#[limit]`.
        negated: bool,
        /// The limit.
        limit: Box<Expr>,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// A conversion `e as T`. The target is the type of this expression.
    Convert(Box<Expr>),
    /// A type test `e is T`.
    Is(Box<Expr>, Type),
    /// A cardinality `|e|`.
    Cardinality(Box<Expr>),
    /// A tuple. Its type has the ghostness of the components.
    Tuple(Vec<Expr>),
    /// A sequence display `[a, b]`.
    SeqDisplay(Vec<Expr>),
    /// A set display `{a, b}` or `iset{a, b}`.
    SetDisplay(Vec<Expr>),
    /// A multiset display `multiset{a, b}`.
    MultisetDisplay(Vec<Expr>),
    /// A conversion `multiset(e)` of a set or sequence.
    MultisetFrom(Box<Expr>),
    /// A map display `map[k := v]` or `imap[k := v]`.
    MapDisplay(Vec<(Expr, Expr)>),
    /// A sequence construction `seq(n, f)`.
    SeqConstruct {
        /// The length.
        len: Box<Expr>,
        /// The function from index to element.
        init: Box<Expr>,
    },
    /// A set comprehension `set x | P :: e`, finite or infinite by its type.
    SetComp {
        /// The variables and their range.
        vars: Quantified,
        /// The element.
        term: Box<Expr>,
    },
    /// A map comprehension `map x | P :: k := v`.
    MapComp {
        /// The variables and their range.
        vars: Quantified,
        /// The key.
        key: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// A quantifier `forall` or `exists`.
    Quantifier {
        /// Whether it is `forall`.
        forall: bool,
        /// The variables and their range.
        vars: Quantified,
        /// The body.
        body: Box<Expr>,
    },
    /// A lambda.
    Lambda(Box<Lambda>),
    /// A conditional `if c then a else b`.
    If {
        /// The condition.
        cond: Box<Expr>,
        /// The value if the condition is true.
        then: Box<Expr>,
        /// The value if the condition is false.
        els: Box<Expr>,
    },
    /// A binding conditional `if x :| P then a else b`.
    IfBinding {
        /// The variables. Their range is the condition.
        vars: Quantified,
        /// The value if the condition is satisfiable. The variables are in scope.
        then: Box<Expr>,
        /// The value otherwise.
        els: Box<Expr>,
    },
    /// A `match` expression.
    Match {
        /// The matched value.
        scrutinee: Box<Expr>,
        /// The cases, in source order.
        cases: Vec<ExprCase>,
    },
    /// A binding `var p := e; body`. The bindings are parallel: no value depends on another
    /// pattern's variables.
    Let {
        /// Whether the variables are ghost.
        ghost: bool,
        /// The patterns and their values.
        bindings: Vec<(Pattern, Expr)>,
        /// The body, where the variables are in scope.
        body: Box<Expr>,
    },
    /// A choice `var x :| P; body`.
    LetSuchThat {
        /// Whether the variables are ghost.
        ghost: bool,
        /// The variables. Their range is the condition.
        vars: Quantified,
        /// The body, where the variables are in scope.
        body: Box<Expr>,
    },
    /// A failure binding `var p :- e; body` or `:- e; body`.
    LetOrFail(Box<LetOrFail>),
    /// A statement before an expression.
    StmtExpr {
        /// The statement.
        stmt: Box<Stmt>,
        /// The value.
        body: Box<Expr>,
    },
    /// A value in an earlier state, `old(e)` or `old@L(e)`.
    Old {
        /// The label of the state.
        label: Option<Name>,
        /// The expression to evaluate in the earlier state.
        expr: Box<Expr>,
    },
    /// A freshness test `fresh(e)`.
    Fresh {
        /// The label of the earlier state.
        label: Option<Name>,
        /// The object or collection of objects.
        expr: Box<Expr>,
    },
    /// An allocation test `allocated(e)`.
    Allocated(Box<Expr>),
    /// A comparison of states `unchanged(…)`.
    Unchanged {
        /// The label of the earlier state.
        label: Option<Name>,
        /// The frame.
        frame: Vec<Frame>,
    },
    /// A definite-assignment test `assigned(x)`.
    Assigned(Box<Expr>),
    /// The wildcard `*` of `decreases *` or `if *`.
    Wildcard,
    /// An expression with a reported error.
    Error,
}

/// A member that the language defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinMember {
    /// `Keys` of a map.
    Keys,
    /// `Values` of a map.
    Values,
    /// `Items` of a map.
    Items,
    /// `Floor` of a real.
    Floor,
    /// `Length` of an array, or `Length0` and so on of a multi-dimensional one.
    ArrayLength(u32),
    /// `IsLimit` of an ordinal.
    IsLimit,
    /// `IsSucc` of an ordinal.
    IsSucc,
    /// `Offset` of an ordinal.
    OrdinalOffset,
    /// `IsNat` of an ordinal.
    IsNat,
    /// `requires` of a function value: a function to `bool`.
    FunctionRequires,
    /// `reads` of a function value.
    FunctionReads,
    /// `RotateLeft` of a bitvector, as a function value that is applied immediately.
    RotateLeft,
    /// `RotateRight` of a bitvector.
    RotateRight,
}

/// A resolved call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The called function or method.
    pub callee: CallableId,
    /// The receiver of an instance member.
    pub receiver: Option<Box<Expr>>,
    /// The expression before the dot of a static member. It has to resolve, but is never evaluated.
    pub discarded: Option<Box<Expr>>,
    /// The type arguments of the owner, followed by those of the callee.
    pub type_args: Vec<Type>,
    /// The arguments in the order of the parameters, with default values filled in.
    pub args: Vec<Expr>,
    /// The label of the earlier state in a call `f@L(…)` of a two-state callee.
    pub at_label: Option<Name>,
    /// Whether the call is statically dispatched to the trait's own body, like `super` in other
    /// languages.
    pub is_static_dispatch: bool,
    /// Whether the call is co-recursive: its value is computed on demand, so that its measure need
    /// not decrease.
    pub is_corecursive: bool,
}

/// Bound variables with their range and the domains to enumerate.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// The variables in source order.
    pub vars: Vec<LocalId>,
    /// The conjunction of all ranges and domains (`x <- S` becomes `x in S`). `None`: true.
    pub range: Option<Box<Expr>>,
    /// The domains to enumerate, in the order of nesting. `None` if Dafny's bound discovery finds
    /// no finite domain for some variable. Enumerated candidates may violate `range`.
    pub bounds: Option<Vec<VarBound>>,
    /// The source range.
    pub span: Span,
}

/// The enumeration of one bound variable.
#[derive(Clone, Debug)]
pub struct VarBound {
    /// The variable.
    pub var: LocalId,
    /// The candidates. They depend only on outer variables and on variables earlier in the nesting.
    pub domain: Domain,
}

/// An enumerable domain. The order of enumeration is part of the semantics of `:|` and
/// comprehensions.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `low ≤ x < high`, ascending. Without one of the bounds, `:|` searches outward, and
    /// quantifiers cannot be executed. The bounds have type `int`, even if `x` has a newtype.
    IntRange {
        /// The inclusive lower bound.
        low: Option<Box<Expr>>,
        /// The exclusive upper bound.
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
    /// All values of a finite type: `bool`, `char`, small bitvectors, native newtypes, finite
    /// datatypes, and tuples of these.
    AllValues(Type),
    /// The components of a datatype value, at any depth (`x < y` on datatypes).
    SubtermsOf(Box<Expr>),
}

/// A lambda.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The parameters.
    pub params: Vec<LocalId>,
    /// For each parameter, whether its type is written.
    pub has_type: Vec<bool>,
    /// The preconditions.
    pub requires: Vec<Clause>,
    /// The read frame.
    pub reads: Vec<Frame>,
    /// The body.
    pub body: Expr,
}

/// A failure binding `var p :- e; body` with the members of the failure-compatible type.
#[derive(Clone, Debug)]
pub struct LetOrFail {
    /// Whether the variables are ghost.
    pub ghost: bool,
    /// The pattern. `None` for `:- e;`.
    pub pattern: Option<Pattern>,
    /// The value of failure-compatible type.
    pub value: Expr,
    /// A variable that holds the value. It is the receiver of the member calls below.
    pub temp: LocalId,
    /// The call `temp.IsFailure()`.
    pub is_failure: Expr,
    /// The call `temp.PropagateFailure()`.
    pub propagate: Expr,
    /// The call `temp.Extract()`. `None` if the type has no such member.
    pub extract: Option<Expr>,
    /// The body, where the variables of the pattern are in scope.
    pub body: Expr,
}

/// A case of a match expression.
#[derive(Clone, Debug)]
pub struct ExprCase {
    /// The pattern.
    pub pattern: Pattern,
    /// The value of the case.
    pub body: Expr,
    /// The source range of the whole case.
    pub span: Span,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The form of the pattern.
    pub kind: PatternKind,
    /// The type of the matched value.
    pub ty: Type,
    /// The source range.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// The wildcard `_`.
    Wildcard,
    /// A variable.
    Var(LocalId),
    /// A constructor pattern `C(p, q)`.
    Ctor {
        /// The constructor.
        ctor: CtorId,
        /// One pattern for each field.
        args: Vec<Pattern>,
    },
    /// A tuple pattern `(p, q)`.
    Tuple(Vec<Pattern>),
    /// A literal or constant, which is matched by equality.
    Value(Box<Expr>),
    /// Alternatives `p | q`, which bind no variables.
    Or(Vec<Pattern>),
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!` on `bool`.
    Not,
    /// `!` on a bitvector.
    BitNot,
    /// `-` on a numeric or bitvector type.
    Neg,
}

/// A binary operator. The operands of `Explies` are in written order: the right one is evaluated
/// first, as the reference manual specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `<==>`, the equality of `bool`.
    Iff,
    /// `==>`, which short-circuits.
    Implies,
    /// `<==`, which evaluates its right operand, the antecedent, first and short-circuits.
    Explies,
    /// `&&`, which short-circuits.
    And,
    /// `||`, which short-circuits.
    Or,
    /// The operator `==`.
    Eq,
    /// The operator `!=`.
    Ne,
    /// `<`: less than, proper subset, proper prefix, lesser rank.
    Lt,
    /// `<=`: at most, subset, prefix.
    Le,
    /// The operator `>`.
    Gt,
    /// The operator `>=`.
    Ge,
    /// `decreases to` on two values: the second one is strictly less in Dafny's well-founded order
    /// (reference manual, section 12.7).
    Above,
    /// The operator `in`.
    In,
    /// The operator `!in`.
    NotIn,
    /// The disjointness operator `!!`.
    Disjoint,
    /// The shift `<<`.
    Shl,
    /// The shift `>>`.
    Shr,
    /// `+`: sum, concatenation, union, merge of maps.
    Add,
    /// `-`: difference, or the removal of keys from a map.
    Sub,
    /// `*`: product, intersection.
    Mul,
    /// `/`: division, Euclidean on integers.
    Div,
    /// `%`: Euclidean modulus.
    Mod,
    /// Bitwise `&`.
    BitAnd,
    /// Bitwise `|`.
    BitOr,
    /// Bitwise `^`.
    BitXor,
}

impl BinaryOp {
    /// The symbol of the operator in Dafny.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Iff => "<==>",
            Self::Implies => "==>",
            Self::Explies => "<==",
            Self::And => "&&",
            Self::Or => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Above => "decreases to",
            Self::In => "in",
            Self::NotIn => "!in",
            Self::Disjoint => "!!",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
        }
    }

    /// The relation that is the negation of this one. `None` if the operator is no relation or its
    /// negation is no single relation. `total`: whether the operands are totally ordered.
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

    /// The relation that holds for swapped operands, for `==`, `<`, `<=`, `>` and `>=`.
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

/// A block that proves an expression. It is kept for printing.
pub type Proof = Option<Block>;
