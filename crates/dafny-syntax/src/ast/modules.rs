//! Files, modules, imports and export sets.

use super::{
    Attribute, ClassDecl, DatatypeDecl, Ident, IteratorDecl, Member, Name, NewtypeDecl,
    QualifiedName, Span, TypeDecl,
};

/// A parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The `include "path"` directives in source order.
    pub includes: Vec<Include>,
    /// All other top-level declarations in source order. Members of the default class are
    /// [`TopDecl::Member`].
    pub decls: Vec<TopDecl>,
    /// The tokens at which errors of multi-line expressions are reported.
    pub anchors: Anchors,
    /// Whether the file belongs to a library that was built with options of its own.
    pub is_prebuilt: bool,
    /// The source range of the whole file.
    pub span: Span,
}

/// Pairs of an expression's span and the span of its token (an operator, the name after a dot, an
/// opening bracket), for expressions whose token is on a later line than their start. Dafny reports
/// their errors at the token.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Anchors(pub Vec<(Span, Span)>);

/// A directive `include "path"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Include {
    /// The path, without escapes.
    pub path: String,
    /// The source range of the directive.
    pub span: Span,
}

/// A declaration of a file or of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum TopDecl {
    /// A module `module M { … }`.
    Module(ModuleDecl),
    /// An import.
    Import(Import),
    /// An export set.
    Export(Export),
    /// A class or trait.
    Class(ClassDecl),
    /// A `datatype` or `codatatype`.
    Datatype(DatatypeDecl),
    /// A newtype.
    Newtype(NewtypeDecl),
    /// A synonym, subset type or abstract type.
    Type(TypeDecl),
    /// An iterator.
    Iterator(IteratorDecl),
    /// A member of the module's default class.
    Member(Member),
}

/// The attributes and modifiers before or after a declaration's keyword.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Modifiers {
    /// The attributes `{:name args}` and `@Name(args)` in source order.
    pub attributes: Vec<Attribute>,
    /// Whether it is `abstract`.
    pub is_abstract: bool,
    /// Whether it is `ghost`.
    pub ghost: bool,
    /// Whether it is `static`.
    pub is_static: bool,
    /// Whether it is `opaque`.
    pub opaque: bool,
    /// Whether it is `replaceable`.
    pub replaceable: bool,
    /// The doc comment (`/** … */` before the declaration), without delimiters.
    pub doc: Option<Name>,
}

/// A module `module A.B refines C { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleDecl {
    /// Attributes, `abstract`, `replaceable`.
    pub modifiers: Modifiers,
    /// The declared name. `module A.B` has two segments.
    pub name: QualifiedName,
    /// The module after `refines` or `replaces`.
    pub base: Option<(ModuleBase, QualifiedName)>,
    /// The declarations in source order.
    pub decls: Vec<TopDecl>,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// The relation of a module to its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleBase {
    /// The module refines the base.
    Refines,
    /// The module replaces the base.
    Replaces,
}

/// An import `import opened A = B.C` or `import A : B`, possibly with export sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// Whether it is `opened`.
    pub opened: bool,
    /// The local name, if written.
    pub alias: Option<Ident>,
    /// Whether it is an abstract import, with `:` instead of `=`.
    pub is_abstract: bool,
    /// The path of the imported module.
    pub target: QualifiedName,
    /// The export sets in `` `E `` or `` `{E, F} ``.
    pub exports: Vec<Ident>,
    /// The source range of the whole import.
    pub span: Span,
}

/// An export set `export E extends F provides a, b reveals c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The name. `None` for the default export set.
    pub name: Option<Ident>,
    /// The extended export sets.
    pub extends: Vec<Ident>,
    /// The names after `provides`.
    pub provides: Vec<ExportId>,
    /// The names after `reveals`.
    pub reveals: Vec<ExportId>,
    /// Whether it has `provides *`.
    pub provides_all: bool,
    /// Whether it has `reveals *`.
    pub reveals_all: bool,
    /// Whether `...` follows the name, in a refining module.
    pub is_refining: bool,
    /// The source range of the whole declaration.
    pub span: Span,
}

/// A name `Id` or `Type.Id` in an export set.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportId {
    /// The type, for a member.
    pub prefix: Option<Ident>,
    /// The exported name.
    pub name: Ident,
}
