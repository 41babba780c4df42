//! The tree of generated Rust code: built by the translation, and transformed by the passes.
//!
//! The translation builds the tree with the templates of `dtest-emit-macros` ([`items!`],
//! [`expr!`], [`stmts!`], …), with names as text ([`Ident`]). [`mod@resolve`] converts each
//! function ([`FnItem`]) to one whose names are in a table ([`Function`]): a variable is then one
//! [`NameId`], even if others have the same name, and can be renamed in one place. [`resolved`]
//! names the nodes of that tree. The tree expresses the use of a value explicitly: [`Expr::Name`]
//! is the variable itself, [`Expr::Take`] takes ownership of its value, and [`Method::changes`]
//! tells that a call changes its receiver.
//!
//! [`mod@write`] converts the tree to `syn`, which `prettyplease` formats ([`print`]). [`read`]
//! parses paths in the user's settings and the items of an existing suite, and [`source`] the
//! hand-written files of a package. Only these four modules depend on `syn`.

mod branches;
mod build;
mod item;
mod names;
mod paths;
pub(crate) mod print;
mod read;
mod resolve;
pub(crate) mod resolved;
pub mod source;
mod types;
mod walk;
mod write;

use dtest_sorted::SortedSet;

pub(crate) use build::{FieldValue, IntoStmts, Param};
pub(crate) use dtest_emit_macros::{expr, function, items, pat, path, signature, stmts, ty};
pub(crate) use item::{
    Alias, Attribute, AttributeArgument, Enum, Field, Fields, FnItem, FnParam, Function,
    GenericParam, Head, Impl, Item, Member, Module, Signature, Struct, Trait, Use, Used, Variant,
};
pub(crate) use names::{
    Ident, NAMELESS, NameId, NameTable, Names, ident, is_plain_name, without_raw,
};
pub(crate) use paths::{each_path, type_params};
pub(crate) use read::{Kept, is_name, kept_items, parse_path};
pub(crate) use resolve::resolve;
pub(crate) use types::{Bound, GenericArgument, Generics, Path, Segment, SelfType, Type};
pub(crate) use walk::{Visit, VisitMut};
pub(crate) use write::write;

/// `{ … }`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block<N = Ident> {
    pub(crate) stmts: Vec<Stmt<N>>,
}

impl<N> Default for Block<N> {
    fn default() -> Self {
        Self { stmts: Vec::new() }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt<N = Ident> {
    Let(Box<Let<N>>),
    /// An expression whose value is ignored: `e;`.
    Run(Expr<N>),
    /// The value of a block, or its last expression without `;`: `e`.
    Value(Expr<N>),
    /// An empty line.
    Space,
    /// A nested function, on which the passes run separately.
    Fn(Box<FnItem<N>>),
}

/// The statements of a block.
pub(crate) type Stmts = Vec<Stmt>;

/// `let pattern: Type = value else { … };`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Let<N = Ident> {
    pub(crate) pat: Pat<N>,
    pub(crate) ty: Option<Type>,
    pub(crate) value: Option<Expr<N>>,
    pub(crate) or_else: Option<Expr<N>>,
    /// Whether the variable is a reference into a variable that its value mentions.
    pub(crate) borrows: bool,
    /// Whether the value is not one of the program's: at most the type's default, which Rust
    /// requires.
    pub(crate) unassigned: bool,
    /// Whether the value is never read.
    pub(crate) is_dead: bool,
}

impl<N: Clone> Let<N> {
    /// Creates `let pattern: Type = value;`.
    pub(crate) fn new(pat: Pat<N>, ty: Option<Type>, value: Expr<N>) -> Self {
        Self {
            pat,
            ty,
            value: Some(value),
            or_else: None,
            borrows: false,
            unassigned: false,
            is_dead: false,
        }
    }

    /// Returns the variable, if the pattern just binds one.
    pub(crate) fn variable(&self) -> Option<N> {
        match &self.pat {
            Pat::Bind(Bind {
                name,
                by_ref: false,
                inner: None,
                ..
            }) => Some(name.clone()),
            Pat::Wild | Pat::Bind(_) | Pat::Tuple(_) | Pat::Slice(_) | Pat::TupleStruct(..) => None,
            Pat::Struct { .. }
            | Pat::Or(_)
            | Pat::Reference(_)
            | Pat::Path(_)
            | Pat::Literal(_) => None,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr<N = Ident> {
    /// A variable, a function or a constant, used in place.
    Name(N),
    /// The owned value of a variable: moved at the last use, cloned before.
    Take(N),
    /// `module::f`, `<T as Trait>::f`, `f::<T>`
    Path(Path),
    Literal(Literal),
    Macro(Macro<N>),
    Call(Box<Call<N>>),
    Method(Box<Method<N>>),
    /// `base.member`
    Field(Box<Expr<N>>, String),
    Index(Box<Expr<N>>, Box<Expr<N>>),
    Unary(UnaryOp, Box<Expr<N>>),
    Binary(BinaryOp, Box<Expr<N>>, Box<Expr<N>>),
    /// `&e`, `&mut e`
    Reference {
        mutable: bool,
        of: Box<Expr<N>>,
    },
    Cast(Box<Expr<N>>, Type),
    Paren(Box<Expr<N>>),
    Tuple(Vec<Expr<N>>),
    Array(Vec<Expr<N>>),
    Range {
        from: Option<Box<Expr<N>>>,
        to: Option<Box<Expr<N>>>,
        inclusive: bool,
    },
    Struct {
        path: Path,
        fields: Vec<(String, Expr<N>)>,
        rest: Option<Box<Expr<N>>>,
    },
    /// `place = value`
    Assign(Box<Assign<N>>),
    /// `place += value` and its like.
    Update(BinaryOp, Box<Expr<N>>, Box<Expr<N>>),
    /// `_`, where something is assigned.
    Ignored,
    Block {
        label: Option<String>,
        block: Block<N>,
    },
    If(Box<If<N>>),
    /// `let pattern = e`, in a condition.
    Let(Box<Pat<N>>, Box<Expr<N>>),
    Match(Box<Expr<N>>, Vec<Arm<N>>),
    Loop(Box<Loop<N>>),
    Closure(Box<Closure<N>>),
    Await(Box<Expr<N>>),
    Return(Option<Box<Expr<N>>>),
    Break(Option<String>, Option<Box<Expr<N>>>),
    Continue(Option<String>),
}

impl<N> Expr<N> {
    /// Returns the block, if the expression is one without a label.
    pub(crate) fn plain_block(&self) -> Option<&Block<N>> {
        if let Self::Block { label: None, block } = self {
            Some(block)
        } else {
            None
        }
    }

    /// Whether control does not continue after the call: `halt`, `panic!` or `unreachable!`.
    pub(crate) fn diverges(&self) -> bool {
        matches!(self, Self::Macro(m) if matches!(m.name, MacroName::Panic | MacroName::Unreachable))
            || matches!(self, Self::Call(c) if c.diverges)
    }

    /// Returns the expression inside parentheses, or the expression itself.
    pub(crate) fn without_parens(&self) -> &Self {
        if let Self::Paren(e) = self {
            e.without_parens()
        } else {
            self
        }
    }

    /// Creates `{ statements }`.
    pub(crate) fn block(stmts: Vec<Stmt<N>>) -> Self {
        Self::Block {
            label: None,
            block: Block { stmts },
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    Char(char),
    Text(String),
    /// A number, as text.
    Number(String),
}

/// The call of a macro.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Macro<N = Ident> {
    pub(crate) name: MacroName,
    /// Whether the call has brackets, `seq![…]`, instead of parentheses.
    pub(crate) in_brackets: bool,
    pub(crate) args: Vec<Argument<N>>,
}

/// An argument of a macro.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument<N = Ident> {
    Value(Expr<N>),
    /// `key => value`
    Pair(Expr<N>, Expr<N>),
    /// `value; count`
    Times(Expr<N>, Expr<N>),
    Pattern(Pat<N>),
    Type(Type),
}

impl<N> Argument<N> {
    /// Returns the expression, if the argument is a plain value.
    pub(crate) fn as_value(&self) -> Option<&Expr<N>> {
        match self {
            Self::Value(e) => Some(e),
            Self::Pair(..) | Self::Times(..) | Self::Pattern(_) | Self::Type(_) => None,
        }
    }
}

/// The macros that generated code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MacroName {
    DafnyPrint,
    Expect,
    ExpectCalls,
    ExpectDistinct,
    ExpectEq,
    ExpectFrame,
    ExpectPrints,
    Format,
    Map,
    Matches,
    Multiset,
    Offer,
    Panic,
    Require,
    Seq,
    Set,
    Stub,
    StubOnce,
    Unreachable,
}

impl MacroName {
    /// Whether the macro checks an expectation of a test.
    pub(crate) fn expects(self) -> bool {
        match self {
            Self::Expect
            | Self::ExpectCalls
            | Self::ExpectDistinct
            | Self::ExpectEq
            | Self::ExpectFrame
            | Self::ExpectPrints => true,
            Self::DafnyPrint
            | Self::Panic
            | Self::Require
            | Self::Stub
            | Self::StubOnce
            | Self::Unreachable => false,
            Self::Format
            | Self::Map
            | Self::Matches
            | Self::Multiset
            | Self::Offer
            | Self::Seq
            | Self::Set => false,
        }
    }

    /// Whether it takes more than expressions, so that it is formatted on one line.
    pub(crate) fn is_on_one_line(self) -> bool {
        matches!(self, Self::Format | Self::Matches | Self::Offer)
    }
}

/// `func(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call<N = Ident> {
    pub(crate) func: Expr<N>,
    pub(crate) args: Vec<Expr<N>>,
    /// Whether the call diverges: it is one of the run-time library's `halt`.
    pub(crate) diverges: bool,
}

/// `receiver.name::<T>(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Method<N = Ident> {
    pub(crate) receiver: Expr<N>,
    /// Whether the call changes its receiver.
    pub(crate) changes: bool,
    pub(crate) name: String,
    pub(crate) generics: Generics,
    pub(crate) args: Vec<Expr<N>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Deref,
    Not,
    Neg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    BitXor,
    BitAnd,
    BitOr,
    Shl,
    Shr,
    Eq,
    Lt,
    Le,
    Ne,
    Ge,
    Gt,
}

impl BinaryOp {
    /// Whether the right operand is evaluated only if the left one does not determine the result.
    pub(crate) fn is_lazy(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    pub(crate) fn is_comparison(self) -> bool {
        self.negation().is_some()
    }

    pub(crate) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem
        )
    }

    pub(crate) fn is_bitwise(self) -> bool {
        matches!(
            self,
            Self::BitAnd | Self::BitOr | Self::BitXor | Self::Shl | Self::Shr
        )
    }

    /// Returns the negated comparison, for a total order.
    pub(crate) fn negation(self) -> Option<Self> {
        Some(match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem | Self::And | Self::Or => {
                return None;
            }
            Self::BitXor | Self::BitAnd | Self::BitOr | Self::Shl | Self::Shr => return None,
        })
    }
}

/// `place = value`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assign<N = Ident> {
    pub(crate) place: Expr<N>,
    pub(crate) value: Expr<N>,
    /// Whether the value is never read.
    pub(crate) is_dead: bool,
}

/// `if cond { … } else …`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct If<N = Ident> {
    pub(crate) cond: Expr<N>,
    pub(crate) then: Block<N>,
    pub(crate) els: Option<Expr<N>>,
}

/// `pattern if guard => body`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arm<N = Ident> {
    pub(crate) pat: Pat<N>,
    pub(crate) guard: Option<Expr<N>>,
    pub(crate) body: Expr<N>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Loop<N = Ident> {
    pub(crate) label: Option<String>,
    pub(crate) head: LoopHead<N>,
    pub(crate) body: Block<N>,
}

/// The head of a loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LoopHead<N = Ident> {
    /// `loop`
    Always,
    /// `while condition`
    While(Expr<N>),
    /// `for pattern in values`
    For(Pat<N>, Expr<N>),
}

/// `move |a, b: T| -> R body`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Closure<N = Ident> {
    pub(crate) moves: bool,
    pub(crate) params: Vec<(Pat<N>, Option<Type>)>,
    pub(crate) result: Option<Type>,
    pub(crate) body: Expr<N>,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pat<N = Ident> {
    /// `_`
    Wild,
    Bind(Bind<N>),
    Tuple(Vec<Pat<N>>),
    /// `[a, b]`
    Slice(Vec<Pat<N>>),
    TupleStruct(Path, Vec<Pat<N>>),
    Struct {
        path: Path,
        fields: Vec<FieldPat<N>>,
        has_rest: bool,
    },
    Or(Vec<Pat<N>>),
    Reference(Box<Pat<N>>),
    /// A constant.
    Path(Path),
    Literal(Literal),
}

/// `ref mut name @ inner`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bind<N = Ident> {
    pub(crate) name: N,
    pub(crate) by_ref: bool,
    pub(crate) mutable: bool,
    pub(crate) inner: Option<Box<Pat<N>>>,
}

/// `member: pattern`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldPat<N = Ident> {
    pub(crate) member: String,
    pub(crate) pat: Pat<N>,
    /// Whether the variable has the name of the field, which is then written once.
    pub(crate) is_short: bool,
}

/// Returns the names that a pattern binds.
pub(crate) fn bound<N: Clone + Ord>(p: &Pat<N>) -> SortedSet<N> {
    struct Bound<N>(SortedSet<N>);
    impl<N: Clone + Ord> Visit<N> for Bound<N> {
        fn pat(&mut self, p: &Pat<N>) {
            if let Pat::Bind(b) = p {
                self.0.insert(b.name.clone());
            }
            self.inside_pat(p);
        }

        fn expr(&mut self, _: &Expr<N>) {}
    }
    let mut found = Bound(SortedSet::new());
    found.pat(p);
    found.0
}

/// Returns the names, not paths, that an expression mentions.
pub(crate) fn mentions<N: Clone + Ord>(e: &Expr<N>) -> SortedSet<N> {
    let mut found = Mentions(SortedSet::new());
    found.expr(e);
    found.0
}

/// Returns the names, not paths, that a statement mentions.
pub(crate) fn stmt_mentions<N: Clone + Ord>(s: &Stmt<N>) -> SortedSet<N> {
    let mut found = Mentions(SortedSet::new());
    found.stmt(s);
    found.0
}

struct Mentions<N>(SortedSet<N>);

impl<N: Clone + Ord> Visit<N> for Mentions<N> {
    fn expr(&mut self, e: &Expr<N>) {
        if let Expr::Name(n) | Expr::Take(n) = e {
            self.0.insert(n.clone());
        } else {
            self.inside_expr(e)
        }
    }
}
