//! The Rust that we write, as a tree: what the translation builds, and what the passes over it work on.
//!
//! The translation builds it by the templates of `dtest-emit-macros` ([`items!`], [`expr!`], [`stmts!`], …), with names as they are written
//! ([`Ident`]). [`mod@resolve`] makes of each function ([`FnItem`]) one that has its names in a table ([`Function`]), so that a variable is one
//! [`NameId`] however many others are called the same, and gets another text by one change; [`resolved`] names the nodes of that tree. How a
//! value is used stands at the use: [`Expr::Name`] is the variable itself, [`Expr::Take`] its value for keeps, [`Method::changes`] says that a
//! call changes its receiver.
//!
//! [`mod@write`] makes of it what `prettyplease` lays out as text ([`print`]), and [`read`] reads what others have written: paths in the user's settings, items of a
//! suite that stays. Only these three know of `syn`.

mod branches;
mod build;
mod item;
mod names;
mod paths;
pub(crate) mod print;
mod read;
mod resolve;
pub(crate) mod resolved;
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
    /// An expression that nothing is done with: `e;`.
    Run(Expr<N>),
    /// The value of a block, or what stands at the end of one without a `;`: `e`.
    Value(Expr<N>),
    /// An empty line.
    Space,
    /// A function within the function, which has passes of its own behind it.
    Fn(Box<FnItem<N>>),
}

/// What stands in a block.
pub(crate) type Stmts = Vec<Stmt>;

/// `let pattern: Type = value else { … };`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Let<N = Ident> {
    pub(crate) pat: Pat<N>,
    pub(crate) ty: Option<Type>,
    pub(crate) value: Option<Expr<N>>,
    pub(crate) or_else: Option<Expr<N>>,
    /// The variable is a reference into what its value mentions.
    pub(crate) borrows: bool,
    /// The value is none of the program's: at most the type's default, for Rust's sake.
    pub(crate) unassigned: bool,
    /// The value is never read.
    pub(crate) is_dead: bool,
}

impl<N: Clone> Let<N> {
    /// `let pattern: Type = value;`
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

    /// The variable, where one is declared and nothing is taken apart, referred to or matched.
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
    /// A variable as it stands, a function or a constant.
    Name(N),
    /// The value of a variable, which may be needed again: moved after the last use, cloned before it.
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
    /// The block without a label that this is.
    pub(crate) fn plain_block(&self) -> Option<&Block<N>> {
        if let Self::Block { label: None, block } = self {
            Some(block)
        } else {
            None
        }
    }

    /// Whether nothing comes after a call: of `halt`, `panic!` or `unreachable!`.
    pub(crate) fn diverges(&self) -> bool {
        matches!(self, Self::Macro(m) if matches!(m.name, MacroName::Panic | MacroName::Unreachable))
            || matches!(self, Self::Call(c) if c.diverges)
    }

    /// The expression within parentheses, and one without as it is.
    pub(crate) fn without_parens(&self) -> &Self {
        if let Self::Paren(e) = self {
            e.without_parens()
        } else {
            self
        }
    }

    /// `{ statements }`
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
    /// A number as it is written.
    Number(String),
}

/// The call of a macro.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Macro<N = Ident> {
    pub(crate) name: MacroName,
    /// Written with brackets, `seq![…]`, and not with parentheses.
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
    /// `word value`
    Worded(String, Expr<N>),
    Pattern(Pat<N>),
    Type(Type),
}

impl<N> Argument<N> {
    /// The value that this is, and nothing more.
    pub(crate) fn as_value(&self) -> Option<&Expr<N>> {
        match self {
            Self::Value(e) => Some(e),
            Self::Pair(..)
            | Self::Times(..)
            | Self::Worded(..)
            | Self::Pattern(_)
            | Self::Type(_) => None,
        }
    }
}

/// The macros that we call.
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
    StandIn,
    StandInOnce,
    Unreachable,
}

impl MacroName {
    /// Whether it fails a test whose expectation is not met.
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
            | Self::StandIn
            | Self::StandInOnce
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

    /// Whether what it takes is more than expressions, so that it is laid out on one line.
    pub(crate) fn is_on_one_line(self) -> bool {
        matches!(self, Self::Format | Self::Matches | Self::Offer)
    }
}

/// `func(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call<N = Ident> {
    pub(crate) func: Expr<N>,
    pub(crate) args: Vec<Expr<N>>,
    /// Nothing comes after it: it is one of the run-time library's `halt`.
    pub(crate) diverges: bool,
}

/// `receiver.name::<T>(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Method<N = Ident> {
    pub(crate) receiver: Expr<N>,
    /// The call changes what it is called on.
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
    /// Whether the right side is evaluated only where the left one leaves something open.
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

    /// The comparison that holds where this one does not, of a total order.
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
    /// The value is never read.
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

/// When a loop starts a round.
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
    /// The variable is called as the field is, which is written once.
    pub(crate) is_short: bool,
}

/// The names that a pattern binds.
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

/// The single names that an expression mentions.
pub(crate) fn mentions<N: Clone + Ord>(e: &Expr<N>) -> SortedSet<N> {
    let mut found = Mentions(SortedSet::new());
    found.expr(e);
    found.0
}

/// The single names that a statement mentions.
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
