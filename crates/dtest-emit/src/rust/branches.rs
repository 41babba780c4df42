//! The branches of an expression. The evaluation of an `if`, a `match` or an unlabelled block ends
//! in one of them.
//!
//! A labelled block has no branches in this sense, because a `break` may leave it anywhere; nor has
//! a loop.

use super::{Block, Expr, Stmt};

/// The branches of an expression, by reference.
pub(crate) enum Branches<B, E> {
    If { then: B, els: Option<E> },
    Match(Vec<E>),
    Block(B),
}

impl<B, E> Branches<B, E> {
    /// Whether one branch is always taken, and all satisfy the predicates.
    pub(crate) fn all(self, block: impl FnOnce(B) -> bool, expr: impl Fn(E) -> bool) -> bool {
        match self {
            Self::If { then, els } => block(then) && els.is_some_and(expr),
            Self::Match(arms) => !arms.is_empty() && arms.into_iter().all(expr),
            Self::Block(b) => block(b),
        }
    }

    /// Runs a function on each branch.
    pub(crate) fn each(self, block: impl FnOnce(B), expr: impl Fn(E)) {
        match self {
            Self::If { then, els } => {
                block(then);
                els.into_iter().for_each(expr);
            }
            Self::Match(arms) => arms.into_iter().for_each(expr),
            Self::Block(b) => block(b),
        }
    }
}

macro_rules! branches {
    ($(#[$doc:meta])* $name:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub(crate) fn $name(&$($mutable)? self) -> Option<Branches<&$($mutable)? Block<N>, &$($mutable)? Self>> {
            match self {
                Self::If(i) => {
                    let super::If { then, els, .. } = &$($mutable)? **i;
                    Some(Branches::If { then, els: els.into() })
                }
                Self::Match(_, arms) => Some(Branches::Match(arms.into_iter().map(|a| &$($mutable)? a.body).collect())),
                Self::Block { label: None, block } => Some(Branches::Block(block)),
                Self::Block { label: Some(_), .. } => None,
                Self::Name(_) | Self::Take(_) | Self::Path(_) | Self::Literal(_) | Self::Macro(_) | Self::Call(_) | Self::Method(_) => None,
                Self::Field(..) | Self::Index(..) | Self::Unary(..) | Self::Binary(..) | Self::Reference { .. } | Self::Cast(..) => None,
                Self::Paren(_) | Self::Tuple(_) | Self::Array(_) | Self::Range { .. } | Self::Struct { .. } | Self::Assign(_) => None,
                Self::Update(..) | Self::Ignored | Self::Let(..) | Self::Loop(_) | Self::Closure(_) | Self::Await(_) => None,
                Self::Return(_) | Self::Break(..) | Self::Continue(_) => None,
            }
        }
    };
}

impl<N> Expr<N> {
    branches! {
        /// The branches of an expression that has some.
        branches
    }

    branches! {
        /// The branches of an expression that has some, to be changed.
        branches_mut, mut
    }

    /// Whether control never reaches the code after the expression.
    pub(crate) fn leaves(&self) -> bool {
        matches!(self, Self::Return(_) | Self::Break(..) | Self::Continue(_)) || self.diverges()
    }
}

impl<N> Block<N> {
    /// Returns the expression that a block ends in, as its value or as its last statement.
    pub(crate) fn end(&self) -> Option<&Expr<N>> {
        match self.stmts.last()? {
            Stmt::Run(e) | Stmt::Value(e) => Some(e),
            Stmt::Let(_) | Stmt::Space | Stmt::Fn(_) => None,
        }
    }
}
