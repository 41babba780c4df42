//! Files, modules, imports and export sets.

use super::{
    Attribute, ClassDecl, DatatypeDecl, Ident, IteratorDecl, Member, Name, NewtypeDecl,
    QualifiedName, Span, TypeDecl,
};

/// One parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// `include "path"` directives in order.
    pub includes: Vec<Include>,
    /// Everything else at top level, in order. Members of the default class are [`TopDecl::Member`].
    pub decls: Vec<TopDecl>,
    /// Where its expressions are reported, if not on their first lines.
    pub anchors: Anchors,
    /// Whether it is of a library that was built with options of its own.
    pub is_prebuilt: bool,
    /// The whole file.
    pub span: Span,
}

/// Expressions whose own token (an operator, a dot's name, an opening bracket) stands on a later line than they begin: there
/// Dafny reports what is wrong with them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Anchors(pub Vec<(Span, Span)>);

/// `include "path"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Include {
    /// The path as written, unescaped.
    pub path: String,
    /// The directive.
    pub span: Span,
}

/// A declaration of a file or of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum TopDecl {
    /// `module M { … }`.
    Module(ModuleDecl),
    /// `import …`.
    Import(Import),
    /// `export …`.
    Export(Export),
    /// `class`, `trait`.
    Class(ClassDecl),
    /// `datatype`, `codatatype`.
    Datatype(DatatypeDecl),
    /// `newtype`.
    Newtype(NewtypeDecl),
    /// `type T = …`, subset types and abstract types.
    Type(TypeDecl),
    /// `iterator`.
    Iterator(IteratorDecl),
    /// A member of the module's default class.
    Member(Member),
}

/// Attributes and modifiers that precede or follow a declaration's keyword.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Modifiers {
    /// `{:name args}` and `@Name(args)` in order.
    pub attributes: Vec<Attribute>,
    /// `abstract`.
    pub is_abstract: bool,
    /// `ghost`.
    pub ghost: bool,
    /// `static`.
    pub is_static: bool,
    /// `opaque`.
    pub opaque: bool,
    /// `replaceable`.
    pub replaceable: bool,
    /// Doc comment (`/** … */` before the declaration), without its delimiters.
    pub doc: Option<Name>,
}

/// `module A.B refines C { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleDecl {
    /// Attributes, `abstract`, `replaceable`.
    pub modifiers: Modifiers,
    /// The declared name; `module A.B` has two segments.
    pub name: QualifiedName,
    /// `refines M` or `replaces M`.
    pub base: Option<(ModuleBase, QualifiedName)>,
    /// The contents in order.
    pub decls: Vec<TopDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// How a module relates to its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleBase {
    /// `refines`.
    Refines,
    /// `replaces`.
    Replaces,
}

/// `import opened A = B.C`, `import A : B`, with export sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// `opened`.
    pub opened: bool,
    /// The local name when one is given.
    pub alias: Option<Ident>,
    /// `:` instead of `=`: an abstract import.
    pub is_abstract: bool,
    /// The module that is meant.
    pub target: QualifiedName,
    /// Export sets: `` `E `` or `` `{E, F} ``.
    pub exports: Vec<Ident>,
    /// The whole import.
    pub span: Span,
}

/// `export E extends F provides a, b reveals c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Its name; `None` is the default export set.
    pub name: Option<Ident>,
    /// `extends`.
    pub extends: Vec<Ident>,
    /// `provides`; `None` stands for `*`.
    pub provides: Vec<ExportId>,
    /// `reveals`.
    pub reveals: Vec<ExportId>,
    /// `provides *`.
    pub provides_all: bool,
    /// `reveals *`.
    pub reveals_all: bool,
    /// `...` after the name (refinement).
    pub is_refining: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `Id` or `Type.Id` in an export set.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportId {
    /// The type, for a member.
    pub prefix: Option<Ident>,
    /// The name.
    pub name: Ident,
}
