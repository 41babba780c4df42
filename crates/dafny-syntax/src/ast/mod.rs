//! The parsed syntax tree, before any name is resolved.
//!
//! There is one type for each family of productions in the Dafny grammar (reference manual,
//! appendix "Dafny Grammar"). Every node has its [`Span`]. The spellings of Dafny 4 and Dafny 3
//! (`function method`, semicolons after clauses) have the same tree. The differences in meaning are
//! in [`FunctionKind`], and the resolver interprets them. Clauses and members are in source order.

mod declarations;
mod expressions;
mod modules;
mod statements;
mod types;

pub use dafny_source::{Name, Span};
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

/// An identifier with its span. The name has no escapes. `?` and `'` are part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// The source range.
    pub span: Span,
}

/// A dotted name, for example of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct QualifiedName {
    /// The segments, at least one.
    pub segments: Vec<Ident>,
    /// The source range from the first to the last segment.
    pub span: Span,
}

/// An attribute `{:name args}` or `@Name(args)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, possibly with dots.
    pub name: Ident,
    /// Whether it is written with `@`.
    pub at: bool,
    /// The arguments. Only `@` attributes have named ones.
    pub args: Vec<Argument>,
    /// The source range of the whole attribute.
    pub span: Span,
}

/// A positional or named argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name before `:=`, if written.
    pub name: Option<Ident>,
    /// The value of the argument.
    pub value: Expr,
}
