//! The parsed tree: what the text says, with no name looked up.
//!
//! One type for each family of productions of the Dafny grammar (reference manual, appendix
//! "Dafny Grammar"). Every node carries its [`Span`]. Both Dafny 4 spellings and Dafny 3's
//! (`function method`, semicolons after clauses) parse into the same tree; the differences of
//! meaning are kept in [`FunctionKind`] and settled by the resolver. Order of clauses and members
//! is the order in the text.

mod declarations;
mod expressions;
mod modules;
mod statements;
mod types;

pub use crate::source::{Name, Span};
pub use declarations::{
    ClassDecl, Clause, ClauseKind, ConstDecl, Constrained, Ctor, DatatypeDecl, FieldDecl, Formal,
    FrameExpr, FunctionDecl, FunctionKind, IteratorDecl, Member, MethodDecl, MethodKind,
    NewtypeDecl, Spec, TypeDecl, Witness,
};
pub use expressions::{
    BinaryOp, BoundVar, Expr, ExprCase, ExprKind, Literal, Pattern, PatternKind, QuantifiedVar,
    QuantifiedVars, UnaryOp,
};
pub use modules::{
    Anchors, Export, ExportId, File, Import, Include, Modifiers, ModuleBase, ModuleDecl, TopDecl,
};
pub use statements::{
    Assign, Block, CalcLine, CalcOp, FailureKeyword, Guard, GuardedCase, LocalVar, Rhs, RhsKind,
    Stmt, StmtCase, StmtKind, Update, VarDecl,
};
pub use types::{
    ArrowKind, Characteristics, TupleComponent, Type, TypeKind, TypeParam, TypeSegment, Variance,
};

/// An identifier at its place. The name is without escapes; `?` and `'` belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A dotted name, for modules.
#[derive(Clone, Debug, PartialEq)]
pub struct QualifiedName {
    /// The segments, at least one.
    pub segments: Vec<Ident>,
    /// From the first to the last.
    pub span: Span,
}

/// `{:name args}` or `@Name(args)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, possibly with dots.
    pub name: Ident,
    /// Whether it was written with `@`.
    pub at: bool,
    /// Its arguments; named ones only with `@`.
    pub args: Vec<Argument>,
    /// The whole attribute.
    pub span: Span,
}

/// A positional or named argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `name :=`.
    pub name: Option<Ident>,
    /// The value.
    pub value: Expr,
}
