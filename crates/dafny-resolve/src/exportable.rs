//! Declarations as export sets see them (reference manual, "Export Sets and Access Control").

use dafny_source::Name;
use dafny_syntax::ast::{self, Member, TopDecl};

use super::context::ExportSet;
use super::refine::member_name;

/// A declaration that an export set can name.
pub(super) struct Exportable {
    pub(super) name: Name,
    /// Whether the declaration has a definition that can be revealed.
    pub(super) revealable: bool,
    pub(super) kind: ExportKind,
}

pub(super) enum ExportKind {
    /// A type with its members.
    Type { members: Vec<ExportMember> },
    /// An iterator. Its members are not declared in the text.
    Iterator,
    /// A function, method or constant of the module.
    Member,
    /// A synonym, module or import.
    Other,
}

/// A member of a type.
pub(super) struct ExportMember {
    pub(super) name: Name,
    pub(super) revealable: bool,
    /// Whether it is a constructor or a mutable field, which `provides *` omits.
    inner: bool,
}

/// The name by which an export set refers to a declaration.
pub(super) fn exported_name(decl: &TopDecl) -> Option<ast::Ident> {
    match decl {
        TopDecl::Class(d) => Some(d.name.clone()),
        TopDecl::Datatype(d) => Some(d.name.clone()),
        TopDecl::Newtype(d) => Some(d.name.clone()),
        TopDecl::Type(d) => Some(d.name.clone()),
        TopDecl::Iterator(d) => Some(d.name.clone()),
        TopDecl::Member(Member::Field(f)) => Some(f.name.clone()),
        TopDecl::Member(Member::Const(c)) => Some(c.name.clone()),
        TopDecl::Member(Member::Function(f)) => Some(f.name.clone()),
        TopDecl::Member(Member::Method(m)) => m.name.clone(),
        TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => None,
    }
}

impl Exportable {
    pub(super) fn of(decl: &TopDecl) -> Option<Self> {
        let of_type = |name: &ast::Ident, members: &[Member]| Self {
            name: name.name.clone(),
            revealable: true,
            kind: ExportKind::Type {
                members: members.iter().map(ExportMember::of).collect(),
            },
        };
        Some(match decl {
            TopDecl::Class(d) => of_type(&d.name, &d.members),
            TopDecl::Datatype(d) => of_type(&d.name, &d.members),
            TopDecl::Newtype(d) => of_type(&d.name, &d.members),
            TopDecl::Type(d) if d.definition.is_none() => of_type(&d.name, &d.members),
            TopDecl::Type(d) => Self {
                name: d.name.name.clone(),
                revealable: true,
                kind: ExportKind::Other,
            },
            TopDecl::Iterator(d) => Self {
                name: d.name.name.clone(),
                revealable: true,
                kind: ExportKind::Iterator,
            },
            TopDecl::Member(m) => {
                let member = ExportMember::of(m);
                Self {
                    name: member.name,
                    revealable: member.revealable,
                    kind: ExportKind::Member,
                }
            }
            TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) => return None,
        })
    }

    /// Adds the declaration to an export set, as `provides *` or `reveals *` does. `revealed`:
    /// whether another clause reveals it.
    pub(super) fn export(&self, reveal: bool, revealed: bool, set: &mut ExportSet) {
        set.provides.insert(self.name.clone());
        if reveal && self.revealable {
            set.reveals.insert(self.name.clone());
        }
        let ExportKind::Type { members } = &self.kind else {
            return;
        };
        for member in members.iter().filter(|m| reveal || revealed || !m.inner) {
            let key = (self.name.clone(), member.name.clone());
            if reveal && member.revealable {
                set.revealed_members.insert(key.clone());
            }
            set.members.insert(key);
        }
    }
}

impl ExportMember {
    fn of(member: &Member) -> Self {
        let name = match member {
            Member::Method(m) if m.name.is_none() => Name::from("_ctor"),
            Member::Field(_) | Member::Const(_) | Member::Method(_) | Member::Function(_) => {
                member_name(member)
            }
        };
        let (revealable, inner) = match member {
            Member::Function(_) | Member::Const(_) => (true, false),
            Member::Field(_) => (false, true),
            Member::Method(m) => (false, m.kind == ast::MethodKind::Constructor),
        };
        Self {
            name,
            revealable,
            inner,
        }
    }
}
