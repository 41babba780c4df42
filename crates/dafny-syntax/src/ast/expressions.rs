//! Expressions, patterns, quantified variables and literals.

use num_bigint::BigInt;

use super::{Argument, Attribute, FrameExpr, Guard, Ident, QualifiedName, Span, Spec, Stmt, Type};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

impl Expr {
    /// What stands within parentheses; an expression without them is that itself.
    pub fn without_parens(&self) -> &Self {
        let mut e = self;
        while let ExprKind::Paren(inner) = &e.kind {
            e = inner;
        }
        e
    }
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// `this`.
    This,
    /// A name, possibly with type arguments: `x`, `f<int>`. Also `_` placeholders.
    Name {
        /// The name.
        name: Ident,
        /// Type arguments, when written.
        type_args: Option<Vec<Type>>,
    },
    /// `e.f`, `e.f<T>`, `e.0`, `e.C?`; `e.requires`, `e.reads` of a function.
    Select {
        /// The left part.
        object: Box<Expr>,
        /// The name; digits for a tuple component.
        member: Ident,
        /// Type arguments, when written.
        type_args: Option<Vec<Type>>,
    },
    /// `e.(f := v, …)`.
    DatatypeUpdate {
        /// The value updated.
        object: Box<Expr>,
        /// Field names (digits for tuples) and values.
        updates: Vec<(Ident, Expr)>,
    },
    /// `f(args)`, with `@L` before the parentheses for a two-state call.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// `@L`.
        at_label: Option<Ident>,
        /// The arguments.
        args: Vec<Argument>,
    },
    /// `e[i]`, `a[i, j]`.
    Index {
        /// The collection.
        object: Box<Expr>,
        /// The indices, at least one.
        indices: Vec<Expr>,
    },
    /// `e[a..b]`.
    Slice {
        /// The collection.
        object: Box<Expr>,
        /// From.
        from: Option<Box<Expr>>,
        /// To.
        to: Option<Box<Expr>>,
    },
    /// `e[a : b : c]`, lengths of the slices.
    SliceLengths {
        /// The collection.
        object: Box<Expr>,
        /// The lengths.
        lengths: Vec<Expr>,
        /// Whether a final `:` asks for the rest.
        rest: bool,
    },
    /// `e[k := v]`.
    Update {
        /// The collection.
        object: Box<Expr>,
        /// The key or index.
        key: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `e#[k](…)`: the callee with its prefix argument.
    Prefix {
        /// The extreme predicate or lemma.
        object: Box<Expr>,
        /// The limit.
        limit: Box<Expr>,
    },
    /// `!e`, `-e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a == b < c`: at least two operators. (A single comparison is [`ExprKind::Binary`].)
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// Operators and operands.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `a ==#[k] b` or `a !=#[k] b`.
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
    /// `e as T`.
    As(Box<Expr>, Type),
    /// `e is T`.
    Is(Box<Expr>, Type),
    /// `|e|`.
    Cardinality(Box<Expr>),
    /// `(e)`: kept so that printing gives back what was written.
    Paren(Box<Expr>),
    /// `(a, ghost b)`, `()`.
    Tuple(Vec<(bool, Expr)>),
    /// `[a, b]`.
    SeqDisplay(Vec<Expr>),
    /// `{a, b}`, `iset{a, b}`.
    SetDisplay {
        /// `iset`.
        infinite: bool,
        /// The elements.
        elements: Vec<Expr>,
    },
    /// `multiset{a, b}`.
    MultisetDisplay(Vec<Expr>),
    /// `multiset(e)`.
    MultisetFrom(Box<Expr>),
    /// `map[k := v]`, `imap[…]`.
    MapDisplay {
        /// `imap`.
        infinite: bool,
        /// The pairs.
        pairs: Vec<(Expr, Expr)>,
    },
    /// `seq<T>(n, f)`.
    SeqConstruct {
        /// `<T>`.
        elem: Option<Type>,
        /// The length.
        len: Box<Expr>,
        /// The function.
        init: Box<Expr>,
    },
    /// `set x | P :: e`, `iset …`.
    SetComp {
        /// `iset`.
        infinite: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The term; the variable itself when left out.
        term: Option<Box<Expr>>,
    },
    /// `map x | P :: k := v`, `imap …`.
    MapComp {
        /// `imap`.
        infinite: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The key, when given.
        key: Option<Box<Expr>>,
        /// The value.
        value: Box<Expr>,
    },
    /// `forall x | P :: Q`, `exists …`.
    Quantifier {
        /// `forall`.
        forall: bool,
        /// Variables and range.
        vars: QuantifiedVars,
        /// The body.
        body: Box<Expr>,
    },
    /// `(x, y) requires P reads F => e`.
    Lambda {
        /// Parameters.
        params: Vec<BoundVar>,
        /// `requires` and `reads`.
        spec: Spec,
        /// The body.
        body: Box<Expr>,
    },
    /// `if g then a else b`, with binding guards.
    If {
        /// The guard; never [`Guard::Star`].
        guard: Box<Guard>,
        /// Then.
        then: Box<Expr>,
        /// Else.
        els: Box<Expr>,
    },
    /// `match e case p => …`.
    Match {
        /// The scrutinee.
        scrutinee: Box<Expr>,
        /// The cases.
        cases: Vec<ExprCase>,
        /// Whether the cases are in braces.
        braces: bool,
    },
    /// `var p := e; body`, `ghost var …`.
    Let {
        /// `ghost`.
        ghost: bool,
        /// Patterns on the left; plain variables are [`PatternKind::Name`].
        patterns: Vec<Pattern>,
        /// Values, as many as patterns.
        values: Vec<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var x: T :| P; body`.
    LetSuchThat {
        /// `ghost`.
        ghost: bool,
        /// The variables.
        vars: Vec<BoundVar>,
        /// Attributes.
        attributes: Vec<Attribute>,
        /// The condition.
        cond: Box<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// `var x :- e; body` or `:- e; body`.
    LetOrFail {
        /// `ghost`.
        ghost: bool,
        /// The pattern; `None` for a bare `:- e;`.
        pattern: Option<Box<Pattern>>,
        /// The value of failure-compatible type.
        value: Box<Expr>,
        /// The rest.
        body: Box<Expr>,
    },
    /// A statement before an expression: `assert P; e`, `assume`, `expect`, `reveal`, `calc`, a lemma call.
    StmtExpr {
        /// The statement.
        stmt: Box<Stmt>,
        /// The expression.
        body: Box<Expr>,
    },
    /// `old(e)`, `old@L(e)`.
    Old {
        /// The label.
        label: Option<Ident>,
        /// What is evaluated in the old state.
        expr: Box<Expr>,
    },
    /// `fresh(e)`, `fresh@L(e)`.
    Fresh {
        /// The label.
        label: Option<Ident>,
        /// The objects.
        expr: Box<Expr>,
    },
    /// `allocated(e)`.
    Allocated(Box<Expr>),
    /// `unchanged(fs)`, `unchanged@L(fs)`.
    Unchanged {
        /// The label.
        label: Option<Ident>,
        /// The frame.
        frame: Vec<FrameExpr>,
    },
    /// `assigned(x)`.
    Assigned(Box<Expr>),
    /// `*` where the grammar has a wildcard (`decreases *`, `reads *`, `if *` in an expression).
    Wildcard,
    /// `a, b decreases to c, d`; `nonincreases to`.
    DecreasesTo {
        /// Left.
        from: Vec<Expr>,
        /// Right.
        to: Vec<Expr>,
        /// `nonincreases`: equality is allowed.
        allow_equal: bool,
    },
    /// Where the parser recovered from an error; a diagnostic was given.
    Error,
}

/// `case p => e` of a match expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprCase {
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The pattern.
    pub pattern: Pattern,
    /// The value.
    pub body: Expr,
    /// The whole case.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true`, `false`.
    Bool(bool),
    /// A natural number.
    Int(BigInt),
    /// `digits · 10^exponent`, for `1.50` (150, -2) and `1e3`.
    Real {
        /// All digits as an integer.
        digits: BigInt,
        /// The power of ten.
        exponent: i64,
    },
    /// `'c'`, unescaped: a Unicode scalar value, or a UTF-16 code unit from `\uXXXX`.
    Char(u32),
    /// `"…"` or `@"…"`, as code points or code units; the resolver turns it into `seq<char>`.
    String {
        /// Code points; lone surrogates from `\uXXXX` are kept as they are.
        units: Vec<u32>,
        /// `@"…"`.
        verbatim: bool,
    },
    /// `null`.
    Null,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`: of bool or bitwise.
    Not,
    /// `-`.
    Neg,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `<==>`.
    Iff,
    /// `==>`.
    Implies,
    /// `<==`: operands stand as written.
    Explies,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
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
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
}

/// `x: T <- D | P, y …` with the range.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVars {
    /// The variables, each with domain and range of its own (per-variable ranges).
    pub vars: Vec<QuantifiedVar>,
    /// Attributes after the variables.
    pub attributes: Vec<Attribute>,
    /// The range of the whole: `| P`, also where it belongs to the last variable.
    pub range: Option<Box<Expr>>,
}

/// One quantified variable.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVar {
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
    /// `<- e`.
    pub domain: Option<Expr>,
    /// `| P` before a comma.
    pub range: Option<Expr>,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundVar {
    /// The name.
    pub name: Ident,
    /// Its type, when written.
    pub ty: Option<Type>,
}

/// A pattern of `match`, of `var`, and of `case` in expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Which.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// A name without arguments: a variable, a constructor or a constant; the resolver decides.
    /// `_` is a name too.
    Name {
        /// The dotted name; a variable has one segment.
        path: QualifiedName,
        /// `: T`.
        ty: Option<Type>,
    },
    /// `C(p, q)`.
    Ctor {
        /// The constructor, possibly qualified.
        path: QualifiedName,
        /// Its arguments.
        args: Vec<Pattern>,
    },
    /// `(p, q)`, with `ghost` never written; `(p)` takes apart the tuple of one ghost component.
    Tuple(Vec<Pattern>),
    /// A literal, possibly negated.
    Literal(Box<Expr>),
    /// `p | q`.
    Or(Vec<Pattern>),
}
