//! The Rust that we write, as a tree: what the passes over a function work on.
//!
//! A [`Function`] has its names in a table, so that a variable is one [`NameId`] however many others are called the same,
//! and gets another text by one change. How a value is used stands at the use: [`Expr::Name`] is the variable itself,
//! [`Expr::Take`] its value for keeps, [`Method::changes`] says that a call changes its receiver.
//!
//! [`read`] makes the tree of the tokens that the translation writes, in which [`marks`] stand for what Rust has no words
//! for; [`write`] is the way back to what `prettyplease` lays out. Types, and the arguments of generics, are carried from one to the other.

pub(crate) mod marks;
mod read;
mod walk;
mod write;

use std::collections::BTreeSet;

pub(crate) use read::{read, read_alone, read_statements, ungroup};
pub(crate) use walk::{Visit, VisitMut};
pub(crate) use write::{write, write_alone};

/// What a single name stands for in a function: a variable, by its declaration; anything else, by the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(u32);

/// Some names of a function.
pub(crate) type Names = BTreeSet<NameId>;

/// The names of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable(Vec<Named>);

#[derive(Clone, Debug)]
struct Named {
    text: String,
    is_declared: bool,
}

impl NameTable {
    /// A further name; `is_declared`: of a variable that the function declares.
    fn add(&mut self, text: String, is_declared: bool) -> NameId {
        self.0.push(Named { text, is_declared });
        NameId(u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX))
    }

    /// The name as it is written.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.0.get(id.0 as usize).map_or("", |n| &n.text)
    }

    /// Whether it is a variable that the function declares in its body.
    pub(crate) fn is_declared(&self, id: NameId) -> bool {
        self.0.get(id.0 as usize).is_some_and(|n| n.is_declared)
    }

    /// Writes another name for the same, everywhere.
    pub(crate) fn rename(&mut self, id: NameId, text: String) {
        if let Some(n) = self.0.get_mut(id.0 as usize) {
            n.text = text;
        }
    }
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) names: NameTable,
    /// The patterns of its parameters, but `self`.
    pub(crate) params: Vec<Pat>,
    pub(crate) has_result: bool,
    pub(crate) body: Block,
}

/// Syntax that passes hand on as it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carried<T>(Box<T>);

impl Carried<syn::Item> {
    /// The item, for its own passes.
    pub(crate) fn inner_mut(&mut self) -> &mut syn::Item {
        &mut self.0
    }
}

/// A type.
pub(crate) type Type = Carried<syn::Type>;
/// The arguments of a generic type or function: `::<T>`, or none.
type Generics = Option<Carried<syn::PathArguments>>;

/// `{ … }`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    Let(Box<Let>),
    /// An expression that nothing is done with: `e;`.
    Run(Expr),
    /// The value of a block, or what stands at the end of one without a `;`: `e`.
    Value(Expr),
    /// An empty line.
    Space,
    /// An item, with passes of its own behind it.
    Item(Carried<syn::Item>),
}

/// `let pattern: Type = value else { … };`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Let {
    pub(crate) pat: Pat,
    pub(crate) ty: Option<Type>,
    pub(crate) value: Option<Expr>,
    pub(crate) or_else: Option<Expr>,
    /// The variable is a reference into what its value mentions.
    pub(crate) borrows: bool,
    /// The value is none of the program's: at most the type's default, for Rust's sake.
    pub(crate) unassigned: bool,
    /// The value is never read.
    pub(crate) is_dead: bool,
}

impl Let {
    /// `let pattern: Type = value;`
    pub(crate) fn new(pat: Pat, ty: Option<Type>, value: Expr) -> Self {
        Self { pat, ty, value: Some(value), or_else: None, borrows: false, unassigned: false, is_dead: false }
    }

    /// The variable, where one is declared and nothing is taken apart, referred to or matched.
    pub(crate) fn variable(&self) -> Option<NameId> {
        match &self.pat {
            Pat::Bind(Bind { name, by_ref: false, inner: None, .. }) => Some(*name),
            _ => None,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A variable as it stands, a function or a constant.
    Name(NameId),
    /// The value of a variable, which may be needed again: moved after the last use, cloned before it.
    Take(NameId),
    /// `module::f`, `<T as Trait>::f`, `f::<T>`
    Path(Path),
    Literal(Literal),
    Macro(Macro),
    /// The call of a macro that takes more than expressions, with the names in it.
    Foreign(Carried<syn::Macro>, Names),
    Call(Box<Call>),
    Method(Box<Method>),
    /// `base.member`
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&e`, `&mut e`
    Reference {
        mutable: bool,
        of: Box<Expr>,
    },
    Cast(Box<Expr>, Type),
    Paren(Box<Expr>),
    Tuple(Vec<Expr>),
    Array(Vec<Expr>),
    /// `[e; length]`
    Repeat(Box<Expr>, Box<Expr>),
    Range {
        from: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
        inclusive: bool,
    },
    Struct {
        path: Path,
        fields: Vec<(String, Expr)>,
        rest: Option<Box<Expr>>,
    },
    /// `place = value`
    Assign(Box<Assign>),
    /// `place += value` and its like.
    Update(BinaryOp, Box<Expr>, Box<Expr>),
    /// `_`, where something is assigned.
    Ignored,
    Block {
        label: Option<String>,
        block: Block,
    },
    If(Box<If>),
    /// `let pattern = e`, in a condition.
    Let(Box<Pat>, Box<Expr>),
    Match(Box<Expr>, Vec<Arm>),
    Loop(Box<Loop>),
    Closure(Box<Closure>),
    Async {
        moves: bool,
        block: Block,
    },
    Await(Box<Expr>),
    Return(Option<Box<Expr>>),
    Break(Option<String>, Option<Box<Expr>>),
    Continue(Option<String>),
}

impl Expr {
    /// The block without a label that this is.
    pub(crate) fn plain_block(&self) -> Option<&Block> {
        match self {
            Self::Block { label: None, block } => Some(block),
            _ => None,
        }
    }

    /// Whether nothing comes after a call: of `halt`, `panic!` or `unreachable!`.
    pub(crate) fn diverges(&self) -> bool {
        match self {
            Self::Macro(m) => matches!(m.name, MacroName::Panic | MacroName::Unreachable),
            Self::Call(c) => c.diverges,
            _ => false,
        }
    }

    /// `{ statements }`
    pub(crate) fn block(stmts: Vec<Stmt>) -> Self {
        Self::Block { label: None, block: Block { stmts } }
    }
}

/// A path of more than one name, or with type arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    /// `<T as …>`
    qself: Option<Carried<syn::QSelf>>,
    has_leading_colons: bool,
    pub(crate) segments: Vec<Segment>,
    /// It may be one of the run-time library or of Rust: its first name is none that the program declares here.
    is_of_library: bool,
}

/// A name of a path with its type arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) name: String,
    generics: Generics,
}

impl Path {
    /// Whether it consists of these names.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        self.segments.len() == names.len() && self.segments.iter().zip(names).all(|(s, n)| s.name == *n)
    }

    /// Whether it is this function of the run-time library.
    pub(crate) fn is_library_function(&self, name: &str) -> bool {
        self.is(&[name]) || self.is(&["dunit", name])
    }

    /// Whether it is this associated function of one of these types of the run-time library.
    pub(crate) fn is_of_library_type(&self, types: &[&str], name: &str) -> bool {
        let ty = match self.segments.as_slice() {
            [ty, _] if self.is_of_library => ty,
            [dunit, ty, _] if dunit.name == "dunit" => ty,
            _ => return false,
        };
        self.last() == name && types.contains(&ty.name.as_str())
    }

    pub(crate) fn last(&self) -> &str {
        self.segments.last().map_or("", |s| &s.name)
    }

    /// Whether it starts with `<T as …>`.
    pub(crate) fn is_qualified(&self) -> bool {
        self.qself.is_some()
    }

    /// Takes off the type arguments of all names but the last.
    pub(crate) fn drop_type_arguments(&mut self) {
        let inner = self.segments.len().saturating_sub(1);
        self.segments.iter_mut().take(inner).for_each(|s| s.generics = None);
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    Other(Carried<syn::Lit>),
}

/// The call of a macro.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Macro {
    pub(crate) name: MacroName,
    /// Written with brackets, `seq![…]`, and not with parentheses.
    pub(crate) in_brackets: bool,
    pub(crate) args: Vec<Argument>,
}

/// An argument of a macro.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    Value(Expr),
    /// `key => value`
    Pair(Expr, Expr),
    /// `value; count`
    Times(Expr, Expr),
    /// `word value`
    Worded(String, Expr),
}

impl Argument {
    /// The value that this is, and nothing more.
    pub(crate) fn as_value(&self) -> Option<&Expr> {
        match self {
            Self::Value(e) => Some(e),
            Self::Pair(..) | Self::Times(..) | Self::Worded(..) => None,
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
    Map,
    Multiset,
    Panic,
    Require,
    Seq,
    Set,
    StandIn,
    StandInOnce,
    Unreachable,
    Vec,
}

impl MacroName {
    /// Whether it fails a test whose expectation is not met.
    pub(crate) fn expects(self) -> bool {
        match self {
            Self::Expect | Self::ExpectCalls | Self::ExpectDistinct | Self::ExpectEq | Self::ExpectFrame | Self::ExpectPrints => true,
            Self::DafnyPrint | Self::Panic | Self::Require | Self::StandIn | Self::StandInOnce | Self::Unreachable => false,
            Self::Map | Self::Multiset | Self::Seq | Self::Set | Self::Vec => false,
        }
    }

    const ALL: [(Self, &'static str); 17] = [
        (Self::DafnyPrint, "dafny_print"),
        (Self::Expect, "expect"),
        (Self::ExpectCalls, "expect_calls"),
        (Self::ExpectDistinct, "expect_distinct"),
        (Self::ExpectEq, "expect_eq"),
        (Self::ExpectFrame, "expect_frame"),
        (Self::ExpectPrints, "expect_prints"),
        (Self::Map, "map"),
        (Self::Multiset, "multiset"),
        (Self::Panic, "panic"),
        (Self::Require, "require"),
        (Self::Seq, "seq"),
        (Self::Set, "set"),
        (Self::StandIn, "stand_in"),
        (Self::StandInOnce, "stand_in_once"),
        (Self::Unreachable, "unreachable"),
        (Self::Vec, "vec"),
    ];
}

/// `func(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) func: Expr,
    pub(crate) args: Vec<Expr>,
    /// Nothing comes after it: it is one of the run-time library's `halt`.
    diverges: bool,
}

/// `receiver.name::<T>(args)`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Method {
    pub(crate) receiver: Expr,
    /// The call changes what it is called on.
    pub(crate) changes: bool,
    pub(crate) name: String,
    generics: Generics,
    pub(crate) args: Vec<Expr>,
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
        matches!(self, Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem)
    }

    pub(crate) fn is_bitwise(self) -> bool {
        matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor | Self::Shl | Self::Shr)
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
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem | Self::And | Self::Or => return None,
            Self::BitXor | Self::BitAnd | Self::BitOr | Self::Shl | Self::Shr => return None,
        })
    }
}

/// `place = value`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assign {
    pub(crate) place: Expr,
    pub(crate) value: Expr,
    /// The value is never read.
    pub(crate) is_dead: bool,
}

/// `if cond { … } else …`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct If {
    pub(crate) cond: Expr,
    pub(crate) then: Block,
    pub(crate) els: Option<Expr>,
}

/// `pattern if guard => body`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arm {
    pub(crate) pat: Pat,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Expr,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Loop {
    pub(crate) label: Option<String>,
    pub(crate) head: LoopHead,
    pub(crate) body: Block,
}

/// When a loop starts a round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LoopHead {
    /// `loop`
    Always,
    /// `while condition`
    While(Expr),
    /// `for pattern in values`
    For(Pat, Expr),
}

/// `move |a, b: T| -> R body`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Closure {
    pub(crate) moves: bool,
    pub(crate) params: Vec<(Pat, Option<Type>)>,
    pub(crate) result: Option<Type>,
    pub(crate) body: Expr,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pat {
    /// `_`
    Wild,
    /// `..`, in a tuple.
    Rest,
    Bind(Bind),
    Tuple(Vec<Pat>),
    /// `[a, b]`
    Slice(Vec<Pat>),
    TupleStruct(Path, Vec<Pat>),
    Struct {
        path: Path,
        fields: Vec<FieldPat>,
        has_rest: bool,
    },
    Or(Vec<Pat>),
    Reference(Box<Pat>),
    Paren(Box<Pat>),
    /// A constant, a literal or a range: it binds nothing.
    Value(Carried<syn::Pat>),
}

/// `ref mut name @ inner`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bind {
    pub(crate) name: NameId,
    pub(crate) by_ref: bool,
    pub(crate) mutable: bool,
    pub(crate) inner: Option<Box<Pat>>,
}

/// `member: pattern`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldPat {
    pub(crate) member: String,
    pub(crate) pat: Pat,
    /// The variable is called as the field is, which is written once.
    is_short: bool,
}

/// The names that a pattern binds.
pub(crate) fn bound(p: &Pat) -> Names {
    struct Bound(Names);
    impl Visit for Bound {
        fn pat(&mut self, p: &Pat) {
            if let Pat::Bind(b) = p {
                self.0.insert(b.name);
            }
            self.inside_pat(p);
        }

        fn expr(&mut self, _: &Expr) {}
    }
    let mut found = Bound(Names::new());
    found.pat(p);
    found.0
}

/// The single names that an expression mentions.
pub(crate) fn mentions(e: &Expr) -> Names {
    let mut found = Mentions(Names::new());
    found.expr(e);
    found.0
}

/// The single names that a statement mentions.
pub(crate) fn stmt_mentions(s: &Stmt) -> Names {
    let mut found = Mentions(Names::new());
    found.stmt(s);
    found.0
}

struct Mentions(Names);

impl Visit for Mentions {
    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Name(n) | Expr::Take(n) => {
                self.0.insert(*n);
            }
            Expr::Foreign(_, names) => self.0.extend(names),
            _ => self.inside_expr(e),
        }
    }
}
