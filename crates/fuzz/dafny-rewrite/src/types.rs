//! Conversion of types from the typed program to syntax at a place.

use dafny_resolve::typed::{ModuleId, Program, Type, TypeDeclKind, TypeId};
use dafny_syntax::ast::{self, Import, TopDecl, TupleComponent, TypeKind, TypeSegment};

use crate::build::{ident, named_type};
use crate::mutation::Work;
use crate::scan::Context;

/// Converts types of the typed program to syntax at a place.
pub(crate) struct Writer<'a, 't> {
    pub(crate) work: &'a Work<'t>,
    /// The context of the place.
    pub(crate) cx: &'a Context<'t>,
    /// The type whose parameters are in scope.
    pub(crate) owner: Option<TypeId>,
}

impl Writer<'_, '_> {
    /// Converts a type. Returns `None` if it cannot be named here, or mentions type parameters that
    /// are not in scope.
    pub(crate) fn write(&self, ty: &Type) -> Option<ast::Type> {
        if self.cx.hidden {
            None
        } else {
            self.written(ty)
        }
    }

    fn written(&self, ty: &Type) -> Option<ast::Type> {
        let all = |ts: &[Type]| {
            ts.iter()
                .map(|t| self.written(t))
                .collect::<Option<Vec<_>>>()
        };
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
            Type::Map { finite, key, value } => named_type(
                if *finite { "map" } else { "imap" },
                vec![self.written(key)?, self.written(value)?],
            ),
            Type::Tuple(cs) => {
                let one = |(ghost, t): &(bool, Type)| {
                    Some(TupleComponent {
                        ghost: *ghost,
                        ty: self.written(t)?,
                    })
                };
                of_kind(TypeKind::Tuple(cs.iter().map(one).collect::<Option<_>>()?))
            }
            Type::Arrow {
                kind,
                params,
                result,
            } => of_kind(TypeKind::Arrow {
                kind: *kind,
                params: all(params)?,
                result: Box::new(self.written(result)?),
            }),
            Type::Array {
                dims,
                nullable,
                elem,
            } => {
                let n = if *dims == 1 {
                    String::new()
                } else {
                    dims.to_string()
                };
                collection(
                    &format!("array{n}{}", if *nullable { "?" } else { "" }),
                    elem,
                )?
            }
            Type::Object { nullable } => {
                named_type(if *nullable { "object?" } else { "object" }, vec![])
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => {
                let args = all(args)?;
                let mut path = self.path(*decl)?;
                let name = format!(
                    "{}{}",
                    self.program()[*decl].name,
                    if *nullable { "?" } else { "" }
                );
                path.push(TypeSegment {
                    name: ident(&name),
                    args: if args.is_empty() { None } else { Some(args) },
                });
                of_kind(TypeKind::Named(path))
            }
            Type::Param(p)
                if self
                    .owner
                    .is_some_and(|t| self.program()[t].type_params.contains(p)) =>
            {
                named_type(&self.program()[*p].name, vec![])
            }
            Type::Param(_) | Type::Error => return None,
        })
    }

    fn program(&self) -> &Program {
        self.work.facts.program
    }

    /// The path to the module of a declaration.
    fn path(&self, decl: TypeId) -> Option<Vec<TypeSegment>> {
        if self.program().nat == Some(decl)
            || matches!(self.program()[decl].kind, TypeDeclKind::Iterator(_))
        {
            return (self.program().nat == Some(decl)).then(Vec::new);
        }
        let module = self.program()[decl].module;
        let there = self.program().module_path(module);
        let here: Vec<_> = self
            .cx
            .modules
            .iter()
            .flat_map(|m| m.name.segments.iter().map(|s| s.name.clone()))
            .collect();
        if there == here {
            return Some(Vec::new());
        }
        let segment = |name: &str| TypeSegment {
            name: ident(name),
            args: None,
        };
        if self.is_child(module, &here) {
            return Some(vec![segment(&self.program()[module].name)]);
        }
        let imports = self.cx.decls.iter().filter_map(|d| {
            if let TopDecl::Import(i) = d {
                Some(i)
            } else {
                None
            }
        });
        let target = |i: &Import| {
            i.target
                .segments
                .iter()
                .map(|s| s.name.clone())
                .collect::<Vec<_>>()
        };
        let import = imports
            .filter(|i| !i.is_abstract)
            .find(|i| there.ends_with(&target(i)) && i.target.segments.len() == there.len())?;
        let name = import.alias.as_ref().or(import.target.segments.last())?;
        Some(vec![segment(&name.name)])
    }

    fn is_child(&self, module: ModuleId, here: &[ast::Name]) -> bool {
        self.program()[module]
            .parent
            .is_some_and(|p| self.program().module_path(p) == here)
    }
}

/// Whether neither the type nor its components are declared types.
pub(crate) fn is_undeclared(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) => true,
        Type::Seq(t) => is_undeclared(t),
        Type::Set { elem, .. } | Type::Multiset(elem) => is_undeclared(elem),
        Type::Map { key, value, .. } => is_undeclared(key) && is_undeclared(value),
        Type::Tuple(cs) => cs.iter().all(|(ghost, t)| !ghost && is_undeclared(t)),
        Type::Ordinal
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Named { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}

fn of_kind(kind: TypeKind) -> ast::Type {
    ast::Type {
        kind,
        span: ast::Span::default(),
    }
}
