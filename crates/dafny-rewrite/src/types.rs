//! Types of the typed program as they are written at a place.

use dafny_resolve::typed::{ModuleId, Program, Type, TypeDeclKind, TypeId};
use dafny_syntax::ast::{self, Import, TopDecl, TupleComponent, TypeKind, TypeSegment};

use crate::build::{ident, named_type};
use crate::scan::Context;

/// Writes types of the typed program at a place.
pub(crate) struct Writer<'a, 't> {
    pub(crate) program: &'a Program,
    /// What is around the place.
    pub(crate) cx: &'a Context<'t>,
    /// The declarations of the module that the place is in.
    pub(crate) decls: &'t [TopDecl],
}

impl Writer<'_, '_> {
    /// The type as it can be written here; `None`: there is no way to name it, or it speaks of type parameters.
    pub(crate) fn write(&self, ty: &Type) -> Option<ast::Type> {
        let all = |ts: &[Type]| ts.iter().map(|t| self.write(t)).collect::<Option<Vec<_>>>();
        let collection = |name: &str, t: &Type| Some(named_type(name, vec![self.write(t)?]));
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
                named_type(if *finite { "map" } else { "imap" }, vec![self.write(key)?, self.write(value)?])
            }
            Type::Tuple(cs) => {
                let one = |(ghost, t): &(bool, Type)| Some(TupleComponent { ghost: *ghost, ty: self.write(t)? });
                of_kind(TypeKind::Tuple(cs.iter().map(one).collect::<Option<_>>()?))
            }
            Type::Arrow { kind, params, result } => {
                of_kind(TypeKind::Arrow { kind: *kind, params: all(params)?, result: Box::new(self.write(result)?) })
            }
            Type::Array { dims, nullable, elem } => {
                let n = if *dims == 1 { String::new() } else { dims.to_string() };
                collection(&format!("array{n}{}", if *nullable { "?" } else { "" }), elem)?
            }
            Type::Object { nullable } => named_type(if *nullable { "object?" } else { "object" }, vec![]),
            Type::Named { decl, args, nullable } => {
                let args = all(args)?;
                let mut path = self.path(*decl)?;
                let name = format!("{}{}", self.program[*decl].name, if *nullable { "?" } else { "" });
                path.push(TypeSegment { name: ident(&name), args: if args.is_empty() { None } else { Some(args) } });
                of_kind(TypeKind::Named(path))
            }
            Type::Param(_) | Type::Error => return None,
        })
    }

    /// The way to the module of a declaration.
    fn path(&self, decl: TypeId) -> Option<Vec<TypeSegment>> {
        if self.program.nat == Some(decl) || matches!(self.program[decl].kind, TypeDeclKind::Iterator(_)) {
            return (self.program.nat == Some(decl)).then(Vec::new);
        }
        let module = self.program[decl].module;
        let there = self.program.module_path(module);
        let here: Vec<_> = self.cx.modules.iter().flat_map(|m| m.name.segments.iter().map(|s| s.name.clone())).collect();
        if there == here {
            return Some(Vec::new());
        }
        let segment = |name: &str| TypeSegment { name: ident(name), args: None };
        if self.is_child(module, &here) {
            return Some(vec![segment(&self.program[module].name)]);
        }
        let imports = self.decls.iter().filter_map(|d| if let TopDecl::Import(i) = d { Some(i) } else { None });
        let target = |i: &Import| i.target.segments.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        // Whatever an export set hides is told by the resolver afterwards.
        let import = imports.filter(|i| !i.is_abstract).find(|i| there.ends_with(&target(i)) && i.target.segments.len() == there.len())?;
        let name = import.alias.as_ref().or(import.target.segments.last())?;
        Some(vec![segment(&name.name)])
    }

    fn is_child(&self, module: ModuleId, here: &[ast::Name]) -> bool {
        self.program[module].parent.is_some_and(|p| self.program.module_path(p) == here)
    }
}

fn of_kind(kind: TypeKind) -> ast::Type {
    ast::Type { kind, span: ast::Span::default() }
}
