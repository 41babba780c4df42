//! Types of the typed program as they are written at a place.

use dafny_resolve::typed::{ModuleId, Program, Type, TypeDeclKind, TypeId};
use dafny_syntax::ast::{self, Import, TopDecl, TupleComponent, TypeKind, TypeSegment};

use crate::build::{ident, named_type};
use crate::mutation::Work;
use crate::scan::Context;

/// Writes types of the typed program at a place.
pub(crate) struct Writer<'a, 't> {
    pub(crate) work: &'a Work<'t>,
    /// What is around the place.
    pub(crate) cx: &'a Context<'t>,
    /// The declarations of the module that the place is in.
    pub(crate) decls: &'t [TopDecl],
    /// The type whose parameters can be named.
    pub(crate) owner: Option<TypeId>,
}

impl Writer<'_, '_> {
    /// The type as it can be written here; `None`: there is no way to name it, or it speaks of type parameters that are not in scope.
    pub(crate) fn write(&self, ty: &Type) -> Option<ast::Type> {
        if sees_less(self.work.file, self.decls) { None } else { self.written(ty) }
    }

    fn written(&self, ty: &Type) -> Option<ast::Type> {
        let all = |ts: &[Type]| ts.iter().map(|t| self.written(t)).collect::<Option<Vec<_>>>();
        let collection = |name: &str, t: &Type| Some(named_type(name, vec![self.written(t)?]));
        Some(match ty {
            Type::Bool => named_type("bool", vec![]),
            Type::Char => named_type("char", vec![]),
            Type::Int => named_type("int", vec![]),
            Type::Real => named_type("real", vec![]),
            Type::Bv(n) => named_type(&format!("bv{n}"), vec![]),
            Type::Ordinal => named_type("ORDINAL", vec![]),
            Type::Seq(e) if **e == Type::Char => named_type("string", vec![]),
            Type::Seq(e) => collection("seq", e)?,
            Type::Set { finite, elem } => collection(if *finite { "set" } else { "iset" }, elem)?,
            Type::Multiset(e) => collection("multiset", e)?,
            Type::Map { finite, key, value } => {
                named_type(if *finite { "map" } else { "imap" }, vec![self.written(key)?, self.written(value)?])
            }
            Type::Tuple(cs) => {
                let one = |(ghost, t): &(bool, Type)| Some(TupleComponent { ghost: *ghost, ty: self.written(t)? });
                of_kind(TypeKind::Tuple(cs.iter().map(one).collect::<Option<_>>()?))
            }
            Type::Arrow { kind, params, result } => {
                of_kind(TypeKind::Arrow { kind: *kind, params: all(params)?, result: Box::new(self.written(result)?) })
            }
            Type::Array { dims, nullable, elem } => {
                let n = if *dims == 1 { String::new() } else { dims.to_string() };
                collection(&format!("array{n}{}", if *nullable { "?" } else { "" }), elem)?
            }
            Type::Object { nullable } => named_type(if *nullable { "object?" } else { "object" }, vec![]),
            Type::Named { decl, args, nullable } => {
                let args = all(args)?;
                let mut path = self.path(*decl)?;
                let name = format!("{}{}", self.program()[*decl].name, if *nullable { "?" } else { "" });
                path.push(TypeSegment { name: ident(&name), args: if args.is_empty() { None } else { Some(args) } });
                of_kind(TypeKind::Named(path))
            }
            Type::Param(p) if self.owner.is_some_and(|t| self.program()[t].type_params.contains(p)) => {
                named_type(&self.program()[*p].name, vec![])
            }
            Type::Param(_) | Type::Error => return None,
        })
    }

    fn program(&self) -> &Program {
        self.work.facts.program
    }

    /// The way to the module of a declaration.
    fn path(&self, decl: TypeId) -> Option<Vec<TypeSegment>> {
        if self.program().nat == Some(decl) || matches!(self.program()[decl].kind, TypeDeclKind::Iterator(_)) {
            return (self.program().nat == Some(decl)).then(Vec::new);
        }
        let module = self.program()[decl].module;
        let there = self.program().module_path(module);
        let here: Vec<_> = self.cx.modules.iter().flat_map(|m| m.name.segments.iter().map(|s| s.name.clone())).collect();
        if there == here {
            return Some(Vec::new());
        }
        let segment = |name: &str| TypeSegment { name: ident(name), args: None };
        if self.is_child(module, &here) {
            return Some(vec![segment(&self.program()[module].name)]);
        }
        let imports = self.decls.iter().filter_map(|d| if let TopDecl::Import(i) = d { Some(i) } else { None });
        let target = |i: &Import| i.target.segments.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        let import = imports.filter(|i| !i.is_abstract).find(|i| there.ends_with(&target(i)) && i.target.segments.len() == there.len())?;
        let name = import.alias.as_ref().or(import.target.segments.last())?;
        Some(vec![segment(&name.name)])
    }

    fn is_child(&self, module: ModuleId, here: &[ast::Name]) -> bool {
        self.program()[module].parent.is_some_and(|p| self.program().module_path(p) == here)
    }
}

/// Whether some module that is imported or declared among these declarations says what it exports: a type may be known here by a name only, and there by its
/// definition.
pub(crate) fn sees_less(file: &ast::File, decls: &[TopDecl]) -> bool {
    decls.iter().any(|d| match d {
        TopDecl::Import(import) => {
            let path: Vec<_> = import.target.segments.iter().map(|s| s.name.clone()).collect();
            import.is_abstract || !import.exports.is_empty() || has_exports(&file.decls, &path)
        }
        // It can be named without an import.
        TopDecl::Module(m) => m.base.is_some() || has_exports(&m.decls, &[]),
        TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_)
        | TopDecl::Member(_) => false,
    })
}

fn of_kind(kind: TypeKind) -> ast::Type {
    ast::Type { kind, span: ast::Span::default() }
}

/// Whether the module of a path says what it exports.
fn has_exports(decls: &[TopDecl], path: &[ast::Name]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        // Through it something may be seen of which another module says what it exports.
        let says =
            |d: &TopDecl| matches!(d, TopDecl::Export(_)) || matches!(d, TopDecl::Import(i) if !i.exports.is_empty() || i.is_abstract);
        return decls.iter().any(says);
    };
    decls.iter().any(|d| match d {
        TopDecl::Module(m) => match m.name.segments.as_slice() {
            // What it refines may export something.
            [only] if only.name == *first => m.base.is_some() || has_exports(&m.decls, rest),
            [_] => false,
            // One that is declared apart from the module around it.
            [..] => true,
        },
        TopDecl::Import(_)
        | TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_)
        | TopDecl::Member(_) => false,
    })
}
