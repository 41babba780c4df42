//! The tree with resolved names, which the passes work on.

pub(crate) use super::{
    BinaryOp, Function, Literal, MacroName, NameId, NameTable, Names, Path, Type, UnaryOp,
};
pub(crate) use super::{Visit, VisitMut, bound, mentions, stmt_mentions};

pub(crate) type Argument = super::Argument<NameId>;
pub(crate) type Arm = super::Arm<NameId>;
pub(crate) type Assign = super::Assign<NameId>;
pub(crate) type Block = super::Block<NameId>;
pub(crate) type Closure = super::Closure<NameId>;
pub(crate) type Expr = super::Expr<NameId>;
pub(crate) type If = super::If<NameId>;
pub(crate) type Item = super::Item<Function>;
pub(crate) type Let = super::Let<NameId>;
pub(crate) type Loop = super::Loop<NameId>;
pub(crate) type LoopHead = super::LoopHead<NameId>;
pub(crate) type Pat = super::Pat<NameId>;
pub(crate) type Stmt = super::Stmt<NameId>;
