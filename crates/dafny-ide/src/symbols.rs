//! The declarations of a text as a tree.

use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, ClassDecl, Member, MethodKind, TopDecl};

use crate::Kind;

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The declared name.
    pub name: Name,
    /// The kind of the declaration.
    pub kind: Kind,
    /// The span of the name.
    pub span: Span,
    /// The source range of the whole declaration.
    pub full: Span,
    /// The declarations inside.
    pub children: Vec<Symbol>,
}

/// The declarations of a text, which begins at position 0. A text with syntax errors has the
/// declarations that could be parsed.
pub fn symbols(text: &str, syntax: dafny_syntax::Options) -> Vec<Symbol> {
    let (file, _) = dafny_syntax::parse_with(0, text, syntax);
    file.decls.iter().flat_map(top_decl).collect()
}

fn symbol(name: &ast::Ident, kind: Kind, full: Span, children: Vec<Symbol>) -> Symbol {
    // Editors require that the name is inside the whole range.
    Symbol {
        name: name.name.clone(),
        kind,
        span: name.span,
        full: full.to(name.span),
        children,
    }
}

fn top_decl(decl: &TopDecl) -> Vec<Symbol> {
    match decl {
        TopDecl::Module(m) => {
            let Some(last) = m.name.segments.last() else {
                return Vec::new();
            };
            let path: Vec<&str> = m.name.segments.iter().map(|s| &*s.name).collect();
            let mut module = symbol(
                last,
                Kind::Module,
                m.span,
                m.decls.iter().flat_map(top_decl).collect(),
            );
            module.name = path.join(".").into();
            vec![module]
        }
        TopDecl::Import(_) | TopDecl::Export(_) => Vec::new(),
        TopDecl::Class(c) => vec![class(c)],
        TopDecl::Datatype(d) => {
            let ctors = d
                .ctors
                .iter()
                .map(|c| symbol(&c.name, Kind::Ctor, c.span, Vec::new()));
            vec![symbol(
                &d.name,
                Kind::Datatype,
                d.span,
                ctors.chain(d.members.iter().map(member)).collect(),
            )]
        }
        TopDecl::Newtype(n) => vec![symbol(
            &n.name,
            Kind::Type,
            n.span,
            n.members.iter().map(member).collect(),
        )],
        TopDecl::Type(t) => vec![symbol(
            &t.name,
            Kind::Type,
            t.span,
            t.members.iter().map(member).collect(),
        )],
        TopDecl::Iterator(i) => vec![symbol(&i.name, Kind::Class, i.span, Vec::new())],
        TopDecl::Member(m) => vec![member(m)],
    }
}

fn class(c: &ClassDecl) -> Symbol {
    let kind = if c.is_trait { Kind::Trait } else { Kind::Class };
    symbol(
        &c.name,
        kind,
        c.span,
        c.members.iter().map(member).collect(),
    )
}

fn member(member: &Member) -> Symbol {
    match member {
        Member::Field(f) => symbol(&f.name, Kind::Field, f.span, Vec::new()),
        Member::Const(c) => symbol(&c.name, Kind::Constant, c.span, Vec::new()),
        Member::Method(m) => {
            let kind = match m.kind {
                MethodKind::Method => Kind::Method,
                MethodKind::Constructor => Kind::Constructor,
                MethodKind::Lemma
                | MethodKind::TwostateLemma
                | MethodKind::LeastLemma
                | MethodKind::GreatestLemma => Kind::Lemma,
            };
            let name = m.name.clone().unwrap_or_else(|| ast::Ident {
                name: Name::from("constructor"),
                span: m.head,
            });
            symbol(&name, kind, m.span, Vec::new())
        }
        Member::Function(f) => symbol(&f.name, Kind::Function, f.span, Vec::new()),
    }
}
