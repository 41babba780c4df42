//! Expressions, patterns, quantified variables and literals.

use num_bigint::BigInt;

use super::{Argument, Attribute, FrameExpr, Guard, Ident, QualifiedName, Span, Spec, Stmt, Type};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The source range.
    pub span: Span,
}

impl Expr {
    /// The expression without its enclosing parentheses, if any.
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
    /// The receiver `this`.
    This,
    /// A name, possibly with type arguments: `x`, `f<int>`. Also the placeholder `_`.
    Name {
        /// The name.
        name: Ident,
        /// The type arguments, if written.
        type_args: Option<Vec<Type>>,
    },
    /// A selection `e.f`, `e.f<T>`, `e.0` or `e.C?`, including `e.requires` and `e.reads` of a
    /// function.
    Select {
        /// The expression before the dot.
        object: Box<Expr>,
        /// The selected name. Digits for a tuple component.
        member: Ident,
        /// The type arguments, if written.
        type_args: Option<Vec<Type>>,
    },
    /// An update `e.(f := v, …)` of a datatype or tuple value.
    DatatypeUpdate {
        /// The updated value.
        object: Box<Expr>,
        /// The field names (digits for tuples) with their new values.
        updates: Vec<(Ident, Expr)>,
    },
    /// A call `f(args)`, with `@L` before the parentheses for a two-state callee.
    Call {
        /// The called expression.
        callee: Box<Expr>,
        /// The label after `@`.
        at_label: Option<Ident>,
        /// The arguments.
        args: Vec<Argument>,
    },
    /// A selection `e[i]` or `a[i, j]`.
    Index {
        /// The collection.
        object: Box<Expr>,
        /// The indices, at least one.
        indices: Vec<Expr>,
    },
    /// A slice `e[a..b]`.
    Slice {
        /// The collection.
        object: Box<Expr>,
        /// The start, if written.
        from: Option<Box<Expr>>,
        /// The end, if written.
        to: Option<Box<Expr>>,
    },
    /// A slice by lengths, `e[a : b : c]`.
    SliceLengths {
        /// The collection.
        object: Box<Expr>,
        /// The lengths of the slices.
        lengths: Vec<Expr>,
        /// Whether a final `:` adds the remaining elements as a last slice.
        rest: bool,
    },
    /// An update `e[k := v]`.
    Update {
        /// The collection.
        object: Box<Expr>,
        /// The key or index.
        key: Box<Expr>,
        /// The new value.
        value: Box<Expr>,
    },
    /// A prefix callee `e#[k]`, before its arguments.
    Prefix {
        /// The extreme predicate or lemma.
        object: Box<Expr>,
        /// The number of steps.
        limit: Box<Expr>,
    },
    /// A unary operation `!e` or `-e`.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operation `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A chained comparison `a == b < c` with at least two operators. A single comparison is
    /// [`ExprKind::Binary`].
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// The operators with their right operands.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// A prefix equality `a ==#[k] b` or `a !=#[k] b`.
    PrefixEq {
        /// Whether the operator is `!=#[k]`.
        negated: bool,
        /// The number of steps.
        limit: Box<Expr>,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// A conversion `e as T`.
    As(Box<Expr>, Type),
    /// A type test `e is T`.
    Is(Box<Expr>, Type),
    /// A cardinality `|e|`.
    Cardinality(Box<Expr>),
    /// A parenthesized expression `(e)`, kept so that printing reproduces the text.
    Paren(Box<Expr>),
    /// A tuple `(a, ghost b)` or `()`. The flag marks ghost components.
    Tuple(Vec<(bool, Expr)>),
    /// A sequence display `[a, b]`.
    SeqDisplay(Vec<Expr>),
    /// A set display `{a, b}` or `iset{a, b}`.
    SetDisplay {
        /// Whether it is `iset`.
        infinite: bool,
        /// The elements.
        elements: Vec<Expr>,
    },
    /// A multiset display `multiset{a, b}`.
    MultisetDisplay(Vec<Expr>),
    /// A conversion `multiset(e)`.
    MultisetFrom(Box<Expr>),
    /// A map display `map[k := v]` or `imap[k := v]`.
    MapDisplay {
        /// Whether it is `imap`.
        infinite: bool,
        /// The pairs of keys and values.
        pairs: Vec<(Expr, Expr)>,
    },
    /// A sequence construction `seq<T>(n, f)`.
    SeqConstruct {
        /// The element type in `<T>`.
        elem: Option<Type>,
        /// The length.
        len: Box<Expr>,
        /// The function from index to element.
        init: Box<Expr>,
    },
    /// A set comprehension `set x | P :: e` or `iset x | P :: e`.
    SetComp {
        /// Whether it is `iset`.
        infinite: bool,
        /// The variables and their range.
        vars: QuantifiedVars,
        /// The term. If omitted, the variable itself.
        term: Option<Box<Expr>>,
    },
    /// A map comprehension `map x | P :: k := v` or `imap x | P :: k := v`.
    MapComp {
        /// Whether it is `imap`.
        infinite: bool,
        /// The variables and their range.
        vars: QuantifiedVars,
        /// The key, if written.
        key: Option<Box<Expr>>,
        /// The value.
        value: Box<Expr>,
    },
    /// A quantifier `forall x | P :: Q` or `exists x | P :: Q`.
    Quantifier {
        /// Whether it is `forall`.
        forall: bool,
        /// The variables and their range.
        vars: QuantifiedVars,
        /// The body.
        body: Box<Expr>,
    },
    /// A lambda `(x, y) requires P reads F => e`.
    Lambda {
        /// The parameters.
        params: Vec<BoundVar>,
        /// The `requires` and `reads` clauses.
        spec: Spec,
        /// The body.
        body: Box<Expr>,
    },
    /// A conditional `if g then a else b`, possibly with a binding guard.
    If {
        /// The guard, never [`Guard::Star`].
        guard: Box<Guard>,
        /// The value if the guard holds.
        then: Box<Expr>,
        /// The value otherwise.
        els: Box<Expr>,
    },
    /// A match expression `match e case p => …`.
    Match {
        /// The matched value.
        scrutinee: Box<Expr>,
        /// The cases.
        cases: Vec<ExprCase>,
        /// Whether the cases are in braces.
        braces: bool,
    },
    /// A binding `var p := e; body` or `ghost var p := e; body`.
    Let {
        /// Whether it is `ghost`.
        ghost: bool,
        /// The patterns. Plain variables are [`PatternKind::Name`].
        patterns: Vec<Pattern>,
        /// The values, as many as patterns.
        values: Vec<Expr>,
        /// The body, where the variables are in scope.
        body: Box<Expr>,
    },
    /// A choice `var x: T :| P; body`.
    LetSuchThat {
        /// Whether it is `ghost`.
        ghost: bool,
        /// The variables.
        vars: Vec<BoundVar>,
        /// The attributes.
        attributes: Vec<Attribute>,
        /// The condition.
        cond: Box<Expr>,
        /// The body, where the variables are in scope.
        body: Box<Expr>,
    },
    /// A failure binding `var x :- e; body` or `:- e; body`.
    LetOrFail {
        /// Whether it is `ghost`.
        ghost: bool,
        /// The pattern. `None` for a bare `:- e;`.
        pattern: Option<Box<Pattern>>,
        /// The value of failure-compatible type.
        value: Box<Expr>,
        /// The body, where the variables are in scope.
        body: Box<Expr>,
    },
    /// A statement before an expression: `assert P; e`, `assume`, `expect`, `reveal`, `calc`, or a
    /// lemma call.
    StmtExpr {
        /// The statement.
        stmt: Box<Stmt>,
        /// The expression.
        body: Box<Expr>,
    },
    /// A value in an earlier state, `old(e)` or `old@L(e)`.
    Old {
        /// The label after `@`.
        label: Option<Ident>,
        /// The expression to evaluate in the earlier state.
        expr: Box<Expr>,
    },
    /// A freshness test `fresh(e)` or `fresh@L(e)`.
    Fresh {
        /// The label after `@`.
        label: Option<Ident>,
        /// The object or collection of objects.
        expr: Box<Expr>,
    },
    /// An allocation test `allocated(e)`.
    Allocated(Box<Expr>),
    /// A comparison of states `unchanged(fs)` or `unchanged@L(fs)`.
    Unchanged {
        /// The label after `@`.
        label: Option<Ident>,
        /// The frame.
        frame: Vec<FrameExpr>,
    },
    /// A definite-assignment test `assigned(x)`.
    Assigned(Box<Expr>),
    /// The wildcard `*` where the grammar allows it (`decreases *`, `reads *`, `if *` in an
    /// expression).
    Wildcard,
    /// A comparison `a, b decreases to c, d` or `a, b nonincreases to c, d`.
    DecreasesTo {
        /// The left tuple.
        from: Vec<Expr>,
        /// The right tuple.
        to: Vec<Expr>,
        /// Whether it is `nonincreases`, which allows equality.
        allow_equal: bool,
    },
    /// An expression with a syntax error that has been reported.
    Error,
}

/// A case `case p => e` of a match expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprCase {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The pattern.
    pub pattern: Pattern,
    /// The value of the case.
    pub body: Expr,
    /// The source range of the whole case.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// The literal `true` or `false`.
    Bool(bool),
    /// A natural number.
    Int(BigInt),
    /// A real number `digits · 10^exponent`, for example `1.50` (150, -2) and `1e3` (1, 3).
    Real {
        /// All digits as an integer.
        digits: BigInt,
        /// The power of ten.
        exponent: i64,
    },
    /// A character `'c'` without escapes: a Unicode scalar value, or a UTF-16 code unit from
    /// `\uXXXX`.
    Char(u32),
    /// A string `"…"` or `@"…"` as code points or code units. The resolver gives it the type
    /// `seq<char>`.
    String {
        /// The code points. Lone surrogates from `\uXXXX` are kept.
        units: Vec<u32>,
        /// Whether it is verbatim, `@"…"`.
        verbatim: bool,
    },
    /// The literal `null`.
    Null,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`: logical or bitwise negation.
    Not,
    /// The negation `-`.
    Neg,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// The equivalence `<==>`.
    Iff,
    /// The implication `==>`.
    Implies,
    /// The reverse implication `<==`, with the operands in written order.
    Explies,
    /// The conjunction `&&`.
    And,
    /// The disjunction `||`.
    Or,
    /// The operator `==`.
    Eq,
    /// The operator `!=`.
    Ne,
    /// The operator `<`.
    Lt,
    /// The operator `<=`.
    Le,
    /// The operator `>`.
    Gt,
    /// The operator `>=`.
    Ge,
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
    /// The operator `+`.
    Add,
    /// The operator `-`.
    Sub,
    /// The operator `*`.
    Mul,
    /// The operator `/`.
    Div,
    /// The operator `%`.
    Mod,
    /// Bitwise `&`.
    BitAnd,
    /// Bitwise `|`.
    BitOr,
    /// Bitwise `^`.
    BitXor,
}

impl BinaryOp {
    /// The symbol of the operator.
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
}

/// The variables `x: T <- D | P, y …` of a quantifier or comprehension, with their range.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVars {
    /// The variables, each with its own domain and range.
    pub vars: Vec<QuantifiedVar>,
    /// The attributes after the variables.
    pub attributes: Vec<Attribute>,
    /// The range `| P` of all variables. A range of the last variable counts as this one.
    pub range: Option<Box<Expr>>,
}

/// One quantified variable.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantifiedVar {
    /// The name.
    pub name: Ident,
    /// The type, if written.
    pub ty: Option<Type>,
    /// The domain after `<-`.
    pub domain: Option<Expr>,
    /// The range after `|` and before a comma.
    pub range: Option<Expr>,
}

/// A bound variable.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundVar {
    /// The name.
    pub name: Ident,
    /// The type, if written.
    pub ty: Option<Type>,
}

/// A pattern of `match`, of `var`, or of `case` in expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The form of the pattern.
    pub kind: PatternKind,
    /// The source range.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// A name without arguments, which the resolver classifies as variable, constructor or
    /// constant. `_` is a name too.
    Name {
        /// The dotted name. A variable has one segment.
        path: QualifiedName,
        /// The type after `:`, if written.
        ty: Option<Type>,
    },
    /// A constructor pattern `C(p, q)`.
    Ctor {
        /// The name of the constructor, possibly qualified.
        path: QualifiedName,
        /// The arguments.
        args: Vec<Pattern>,
    },
    /// A tuple pattern `(p, q)`. `ghost` is never written. `(p)` matches a tuple with one ghost
    /// component.
    Tuple(Vec<Pattern>),
    /// A literal, possibly negated.
    Literal(Box<Expr>),
    /// Alternatives `p | q`.
    Or(Vec<Pattern>),
}
